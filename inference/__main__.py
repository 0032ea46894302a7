"""Command line of the inference room: ``python -m inference``, called by ``scripts/run_models.sh``."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Any, List, NamedTuple, Optional, Tuple

import click

from meta import META_DIR, PROJECT_ROOT
from meta.errors import InputError

REGISTRY = PROJECT_ROOT / "inference" / "lalms_registry.tsv"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("tasks", nargs=-1, metavar="all|TASK...")
@click.option("--models", help="Only these models, separated by commas.  [default: every ready one]")
@click.option("--gpus", help="GPU devices to use, e.g. 0,1.")
@click.option(
    "--conditions", help="Conditions to ask under, separated by commas, or all.  [default: each task's default]"
)
@click.option("--mini", is_flag=True, help="Only the mini set.")
@click.option("--limit", type=click.IntRange(1), default=None, help="Only the first N trials of each task.")
@click.option("--jobs", type=click.IntRange(1), help="CPU runners at once.  [default: one a CPU]")
@click.option("--shards", type=click.IntRange(1), default=1, help="Processes to split each run into.  [default: 1]")
@click.option("--results", type=click.Path(path_type=Path), default=PROJECT_ROOT / "results", help="[default: results]")
@click.option("--data", type=click.Path(path_type=Path), default=PROJECT_ROOT / "data", help="[default: data]")
@click.option("--meta", type=click.Path(path_type=Path), default=META_DIR, help="[default: meta]")
@click.option(
    "--registry", type=click.Path(path_type=Path), default=REGISTRY, help="[default: inference/lalms_registry.tsv]"
)
def main(tasks: Tuple[str, ...], **options: Any) -> None:
    """Ask models the trials of tasks, and keep their answers in results/<model>/<task>.csv.

    Every ready model is asked every task that has audio. A finished trial is never asked again: the same
    command resumes an interrupted run and retries what failed. The exit status is 0 when every planned
    trial has an answer.

    \b
    Examples:
      ./scripts/run_models.sh all --gpus 0,1
      ./scripts/run_models.sh shepard_tone --models ideal-observer
      ./scripts/run_models.sh all --mini --results /tmp/try
      ./scripts/run_models.sh zwicker_tone --conditions base,refined,flipped
    """
    if not tasks:
        raise click.UsageError("name tasks, or all")
    try:
        complete = _run(tasks, _Options(**options))
    except InputError as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        click.echo("interrupted: answered trials are kept, the same command goes on from there", err=True)
        raise SystemExit(130) from None
    raise SystemExit(0 if complete else 1)


class _Options(NamedTuple):
    models: Optional[str]
    gpus: Optional[str]
    conditions: Optional[str]
    mini: bool
    limit: Optional[int]
    jobs: Optional[int]
    shards: int
    results: Path
    data: Path
    meta: Path
    registry: Path


def _names(text: Optional[str]) -> List[str]:
    return list(dict.fromkeys(name.strip() for name in (text or "").split(",") if name.strip()))


def _run(task_names: Tuple[str, ...], options: _Options) -> bool:
    """Plan, run and sum up; return whether every planned trial has an answer."""
    from inference.runs import Folders, begin, exclusive

    folders = Folders(options.meta, options.data, options.results)
    models, all_ready = _ready_models(options)
    tasks, all_audio = _tasks_with_audio(task_names, folders, options)
    runs = [run for task in tasks for run in _plan(models, task, options, folders)]
    runs.sort(key=lambda run: models.index(run.model))
    if not runs:
        click.echo("nothing to run")
        return False
    with contextlib.ExitStack() as locks:
        waiting = []
        for run in runs:
            try:
                locks.enter_context(exclusive(run))
                waiting.append((run, begin(run)))
            except InputError as error:
                click.echo(f"error: {error}", err=True)
        _work(waiting, options)
    return _summary(runs, [run for run, _ in waiting]) and all_ready and all_audio


def _ready_models(options: _Options) -> Tuple[List[Any], bool]:
    """Return the models that can run here, and whether that is all that were named."""
    from inference.registry import count_gpus, find_models, why_not_ready

    named, gpus = _names(options.models), _names(options.gpus)
    models = find_models(named, options.registry)
    ready = []
    for model in models:
        reason = why_not_ready(model, gpus, count_gpus() if model.gpus else 0)
        if reason:
            click.echo(f"skipped {model.name}: {reason}")
        else:
            ready.append(model)
    return ready, not named or len(ready) == len(models)


def _tasks_with_audio(names: Tuple[str, ...], folders: Any, options: _Options) -> Tuple[List[Any], bool]:
    """Return the tasks whose planned clips are all right, and whether that is all that were asked for.

    A task without any audio is only named when every task was meant by ``all``; otherwise it is missing.
    """
    from inference.audio import has_audio
    from meta.registry import find_tasks

    usable, complete = [], True
    for task in find_tasks(names, folders.meta):
        render = f"./scripts/generate_data.sh {task.name}{_rendering_options(options)}"
        if not has_audio(task, folders.data):
            click.echo(f"skipped {task.name}: it has no audio in {folders.data}; render it with {render}")
            complete = complete and "all" in names
            continue
        try:
            problem = _audio_problem(task, folders, options)
        except InputError as error:
            click.echo(f"error: {error}", err=True)
            complete = False
            continue
        if problem:
            click.echo(f"error: {task.name}: {problem}\n    render them with {render}", err=True)
            complete = False
        else:
            usable.append(task)
    return usable, complete


def _audio_problem(task: Any, folders: Any, options: _Options) -> str:
    """Return what keeps a task's planned clips from being asked, or an empty string."""
    from inference.audio import check_audio, complete_digests
    from meta.trials import Subset, find_condition, load_trials

    trials = load_trials(task, find_condition(task.family, "", folders.meta), folders.meta)
    planned = Subset(options.mini, options.limit or 0).take(trials)
    state = check_audio(task, planned, complete_digests(task, trials, folders.meta), folders.data)
    told = []
    if state.missing:
        told.append(f"{len(state.missing)} of {len(planned)} clips are missing, the first is {state.missing[0]}")
    if state.problems:
        told.append(f"{len(state.problems)} of {len(planned)} clips are not right")
    return "; ".join(told) + "".join(f"\n    {problem}" for problem in state.problems[:5])


def _rendering_options(options: _Options) -> str:
    """Return the options with which generate_data.sh makes just the clips that are to be asked."""
    texts = [
        " --mini" if options.mini else "",
        f" --limit {options.limit}" if options.limit else "",
        f" --out {options.data}" if options.data != PROJECT_ROOT / "data" else "",
        f" --meta {options.meta}" if options.meta != META_DIR else "",
    ]
    return "".join(texts)


def _plan(models: List[Any], task: Any, options: _Options, folders: Any) -> List[Any]:
    from inference.runs import plan_runs
    from meta.trials import Subset, find_condition, load_conditions

    names = _names(options.conditions) or [""]
    if names == ["all"]:
        names = list(load_conditions(task.family, folders.meta))
    subset = Subset(options.mini, options.limit or 0)
    conditions = [find_condition(task.family, name, folders.meta) for name in names]
    return [run for condition in conditions for run in plan_runs(models, task, condition, subset, folders)]


def _work(waiting: List[Tuple[Any, List[Any]]], options: _Options) -> None:
    """Run what is open, under one progress bar."""
    import os
    import sys

    from tqdm import tqdm

    from inference.registry import count_gpus, devices_here
    from inference.runs import finish, tidy
    from inference.scheduler import Scheduler, Slots, split

    jobs = [job for run, trials in waiting for job in split(run, trials, options.shards)]
    started = time.monotonic()
    cpus = options.jobs or len(
        os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    )
    with tqdm(total=sum(len(job.trials) for job in jobs), unit="trial", disable=None, smoothing=0.1) as bar:
        gpus = _names(options.gpus)
        slots = Slots(cpus, devices_here(gpus, count_gpus() if gpus else 0))
        scheduler = Scheduler(slots, lambda line: bar.write(line, file=sys.stderr), bar.update)
        try:
            scheduler.run_all(jobs)
        finally:
            for run, trials in waiting:
                if trials:  # a run that was complete before keeps its record as it is
                    finish(run, time.monotonic() - started)
                tidy(run)


def _summary(runs: List[Any], ready: List[Any]) -> bool:
    """Print a table of the runs; return whether every planned trial has an answer."""
    complete = len(ready) == len(runs)
    width = max(len(run.model.name) for run in runs)
    task_width = max(len(run.stem) for run in runs)
    click.echo(f"\n{'model':<{width}}  {'task':<{task_width}}  answered   planned    errors")
    for run in runs:
        if run not in ready:
            click.echo(f"{run.model.name:<{width}}  {run.stem:<{task_width}}  not run, see the error above")
            continue
        try:
            answered, errors = run.answers(), run.errors()
        except InputError as error:
            click.echo(f"{run.model.name:<{width}}  {run.stem:<{task_width}}  {error}")
            complete = False
            continue
        done = sum(trial.stimulus_id in answered for trial in run.planned)
        failed = sum(trial.stimulus_id in errors for trial in run.planned)
        note = "" if done == len(run.planned) else f"  see {run.files.errors}" if failed else "  run again to resume"
        click.echo(
            f"{run.model.name:<{width}}  {run.stem:<{task_width}}  {done:>8}  {len(run.planned):>8}  {failed:>8}{note}"
        )
        complete = complete and done == len(run.planned)
    return complete


if __name__ == "__main__":
    main(prog_name="./scripts/run_models.sh")
