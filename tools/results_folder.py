"""Read ``results/``: every file checked against meta before a number is made of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from meta.digests import audio_fingerprint, load_digests
from meta.errors import InputError, unknown
from meta.registry import Task
from meta.results import read_answers, read_errors, read_run, result_files, split_stem
from meta.trials import Subset, Trial, find_condition, load_trials
from tools.illusions import validate
from tools.scores import Answered, PlannedTask

ILLUSIONS = "illusions"


class ResultId(NamedTuple):
    """Whose answers a file holds; ``condition`` is as the file name has it, empty for the default."""

    model: str
    task: str
    condition: str


def plan_task(task: Task, condition: str, subset: Subset, meta_dir: Path) -> PlannedTask:
    """Load the trials of a task under a condition and choose those to be scored.

    Raises
    ------
    InputError
        The task is not built yet, its files are malformed, or the subset is empty.
    """
    found = find_condition(task.family, condition, meta_dir)
    trials = load_trials(task, found, meta_dir)
    planned = subset.take(trials)
    if not planned:
        raise InputError(f"{Path(meta_dir) / task.name}.csv: the subset {subset.name!r} has no trials")
    return PlannedTask(
        task.name, found.name, task.illusion_class, trials, planned, _audio_sha256(task.name, trials, meta_dir)
    )


def _audio_sha256(task: str, trials: Sequence[Trial], meta_dir: Path) -> str:
    """Return the fingerprint of a task's clips, or nothing if meta lacks a digest of one."""
    digests = load_digests(task, meta_dir)
    ids = [trial.stimulus_id for trial in trials]
    return audio_fingerprint(digests, ids) if all(stimulus_id in digests for stimulus_id in ids) else ""


def list_models(results_dir: Path, wanted: Collection[str] = ()) -> list[str]:
    """Return the models in the results folder, or those of them that are wanted.

    Raises
    ------
    InputError
        The folder is not there or has no model, or a wanted model is unknown.
    """
    results_dir = Path(results_dir)
    if not results_dir.is_dir():
        raise InputError(f"{results_dir}: is not a folder; name the results folder with --results")
    models = sorted(path.name for path in results_dir.iterdir() if path.is_dir() and not path.name.startswith("."))
    for model in wanted:
        if model not in models:
            raise unknown("model", model, models)
    if not models:
        raise InputError(f"{results_dir}: holds no results; run ./scripts/run_models.sh first")
    return [model for model in models if not wanted or model in wanted]


def list_results(results_dir: Path, model: str) -> Iterator[ResultId]:
    """Yield what a model's folder holds; a run in which every trial failed may have left its errors alone."""
    stems = set()
    for path in (Path(results_dir) / model).glob("*.csv"):
        if not path.name.startswith("."):
            stems.add(path.name.removesuffix(".csv").removesuffix(".errors"))
    for stem in sorted(stems):
        yield ResultId(model, *split_stem(stem))


def read_result(results_dir: Path, result: ResultId, task: PlannedTask, subset: Subset) -> Answered:
    """Read one model's answers to a task and check that they are complete and current.

    Raises
    ------
    InputError
        The file is malformed, has unknown or repeated ids, is stale, is a subset scored as if whole, or
        leaves planned trials unanswered.
    """
    files = result_files(results_dir, *result)
    known_ids = {trial.stimulus_id for trial in task.all_trials}
    answers = read_answers(files.answers, known_ids=known_ids)
    errors = read_errors(files.errors, known_ids=known_ids)
    run = read_run(files.run)
    identity = run["identity"] if run else {}
    try:
        _check_current(identity, task)
        if run and run["subset"] and not subset.name:
            raise InputError(f"holds the subset {run['subset']!r}, not the whole task; {_advice(run['subset'])}")
        validate(task.all_trials, answers, errors, task.trials)
    except InputError as error:
        raise InputError(f"{files.answers}: {error}") from None
    return Answered(result.model, task.name, answers, errors, str(identity.get("audio_sha256") or ""))


def _check_current(identity: Mapping[str, Any], task: PlannedTask) -> None:
    """Raise an InputError if a run was asked other trials, or played other clips, than meta now has."""
    asked, heard = identity.get("trials_sha256"), identity.get("audio_sha256")
    problem = ""
    if asked is not None and asked != task.trials_sha256:
        problem = "meta asks other trials or questions now"
    elif heard is not None and task.audio_sha256 and heard != task.audio_sha256:
        problem = f"the audio that was asked has other digests than meta/digests/{task.name}.csv"
    if problem:
        raise InputError(f"is stale: {problem}; move it away and run the model again")


def _advice(subset: str) -> str:
    parts = subset.split(" + ")  # of runs over different subsets, each can be scored
    flags = [" ".join(f"--{word}" if word.isalpha() else word for word in part.split()) for part in parts]
    return f"score it with {' or '.join(flags)}, or resume the run without"
