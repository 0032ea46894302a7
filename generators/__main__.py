"""Command line of the generators: ``python -m generators render | meta | digests | show``."""

from __future__ import annotations

import os

# One BLAS thread a worker: the products are small, and the workers are the parallelism.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

from collections.abc import Callable  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import click  # noqa: E402

from meta import META_DIR, PROJECT_ROOT  # noqa: E402
from meta.errors import InputError, unknown  # noqa: E402
from meta.schema import WHOLE_NUMBER  # noqa: E402

DATA_DIR = PROJECT_ROOT / "data"
META_OPTION = click.option(
    "--meta",
    "meta_dir",
    type=click.Path(path_type=Path),
    default=META_DIR,
    help="Folder of the meta CSVs.  [default: meta]",
)
JOBS_OPTION = click.option("--jobs", type=click.IntRange(1), help="Worker processes.  [default: one a CPU]")


class Commands(click.Group):
    """A group that prints what a user can mend in one line, and ends with status 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except InputError as error:
            raise click.ClickException(str(error)) from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Render stimuli, and build what defines them."""


def parse_shard(_ctx: click.Context, _parameter: click.Parameter, text: str | None) -> tuple[int, int]:
    """Return ``(i, n)`` of ``i/n``."""
    if text is None:
        return (1, 1)
    index, slash, count = text.partition("/")
    whole = slash and WHOLE_NUMBER.fullmatch(index) and WHOLE_NUMBER.fullmatch(count)
    if not (whole and 1 <= int(index) <= int(count)):
        raise click.BadParameter(f"{text!r} is not a shard such as 2/7: the second of seven")
    return int(index), int(count)


@main.command(short_help="Render stimuli into audio files, or verify their digests.")
@click.argument("tasks", nargs=-1, metavar="[TASK]...")
@JOBS_OPTION
@click.option("--limit", type=click.IntRange(1), help="Only the first N rows of each task.")
@click.option("--ids", help="Only these stimuli, separated by commas.")
@click.option("--mini", is_flag=True, help="Only the mini set.")
@click.option(
    "--format",
    "audio_format",
    type=click.Choice(["wav", "flac"]),
    default="wav",
    help="flac is for archives: models read WAV.  [default: wav]",
)
@click.option("--out", type=click.Path(path_type=Path), default=DATA_DIR, help="Where the audio goes.  [default: data]")
@click.option("--shard", callback=parse_shard, metavar="I/N", help="Only the I-th of N parts, for a cluster.")
@click.option(
    "--order",
    type=click.Choice(["meta", "reverse"]),
    default="meta",
    help="Order of rendering; the bits do not depend on it.",
)
@click.option("--force", is_flag=True, help="Render again what is already right.")
@click.option("--verify", is_flag=True, help="Write nothing: render, and compare with the committed digests.")
@META_OPTION
def render(
    tasks: tuple[str, ...],
    jobs: int | None,
    limit: int | None,
    ids: str | None,
    mini: bool,
    audio_format: str,
    out: Path,
    shard: tuple[int, int],
    order: str,
    force: bool,
    verify: bool,
    meta_dir: Path,
) -> None:
    """Render the audio of tasks, all of them if none is named.

    A file that already holds the right samples is left alone, so an interrupted run is resumed by the same
    command. Every rendered clip is compared with its committed digest.

    \b
    Examples:
      ./scripts/generate_data.sh
      ./scripts/generate_data.sh shepard_tone zwicker_tone --jobs 8
      ./scripts/generate_data.sh --mini
      ./scripts/generate_data.sh shepard_tone --shard 2/7 --out /scratch/audio
      ./scripts/generate_data.sh --verify
    """
    from generators.rendering import Order, default_jobs, take_shard
    from meta.loader import load_rows
    from meta.registry import find_tasks

    work = []
    wanted = [name.strip() for name in ids.split(",") if name.strip()] if ids else []
    for task in find_tasks(tasks, meta_dir):
        rows = [row for row in load_rows(task, meta_dir) if not mini or row["mini"]]
        if wanted:
            rows = [row for row in rows if row["stimulus_id"] in wanted]
        rows = take_shard(rows[:limit] if limit else rows, shard)
        work.append((task, rows[::-1] if order == "reverse" else rows))
    for name in wanted:
        if not any(row["stimulus_id"] == name for _, rows in work for row in rows):
            raise InputError(
                f'--ids: no stimulus "{name}" in {", ".join(task.name for task, _ in work)}, with the other options'
            )
    what = Order(out=None if verify else out, audio_format=audio_format, keep_right_files=not force)
    _run_render(work, what, jobs or default_jobs(), meta_dir)


def _run_render(work: list, order: Any, jobs: int, meta_dir: Path) -> None:
    """Render with a progress bar, print the summary, and exit with 1 unless every row came out right."""
    from tqdm import tqdm

    from generators.rendering import DIFFERS, EQUAL, FAILED, counts, render_all

    total = sum(len(rows) for _, rows in work)
    outcomes = []
    try:
        with tqdm(total=total, unit="clip", disable=None, smoothing=0.1) as bar:
            for outcome in render_all(work, order, jobs, meta_dir):
                outcomes.append(outcome)
                if outcome.message:
                    bar.write(outcome.message)
                bar.set_description(outcome.task, refresh=False)
                bar.update()
    except KeyboardInterrupt:
        click.echo(
            f"interrupted: {len(outcomes)} of {total} clips are done; the same command goes on from there", err=True
        )
        raise SystemExit(130) from None
    for task, rows in work:
        tally = counts(outcome for outcome in outcomes if outcome.task == task.name)
        told = ", ".join(f"{count} {status}" for status, count in tally.items() if count)
        where = f", in {order.out / task.name}" if order.out else ""
        click.echo(f"{task.name}: {told or 'nothing to do'} of {len(rows)}{where}")
    tally = counts(outcomes)
    if order.out is None:
        click.echo(f"all: {tally[EQUAL]} of {total} equal")
    if tally[DIFFERS] or tally[FAILED] or (order.out is None and tally[EQUAL] < total):
        raise SystemExit(1)


def _for_each_task(names: tuple[str, ...], check: bool, content: Callable, path: Callable, meta_dir: Path) -> None:
    """Build a file a task; write it, or with ``check`` only say whether it is the same."""
    from meta.csvfile import write_atomically
    from meta.registry import find_tasks

    changed = False
    for task in find_tasks(names, meta_dir):
        new = content(task)
        target = path(task)
        same = target.exists() and target.read_bytes() == new
        changed = changed or not same
        if not same and not check:
            write_atomically(target, new)
        click.echo(f"{target}: {'unchanged' if same else 'DIFFERS' if check else 'written'}")
    if check and changed:
        raise SystemExit(1)


@main.command("meta", short_help="Build the meta CSVs with their builders.")
@click.argument("tasks", nargs=-1, metavar="[TASK]...")
@click.option("--check", is_flag=True, help="Write nothing; fail if a byte differs.")
@META_OPTION
def build_meta(tasks: tuple[str, ...], check: bool, meta_dir: Path) -> None:
    """Build meta/<task>.csv anew. The result is the same to the byte unless a builder was changed.

    \b
    Examples:
      python -m generators meta shepard_tone
      python -m generators meta --check
    """
    from generators.building import build_csv

    _for_each_task(tasks, check, lambda task: build_csv(task), lambda task: meta_dir / f"{task.name}.csv", meta_dir)


@main.command("digests", short_help="Write the digests of the rendered samples.")
@click.argument("tasks", nargs=-1, metavar="[TASK]...")
@META_OPTION
@JOBS_OPTION
def write_all_digests(tasks: tuple[str, ...], meta_dir: Path, jobs: int | None) -> None:
    """Render and write meta/digests/<task>.csv. Do this on purpose only: published results refer to them.

    \b
    Example:
      python -m generators digests shepard_tone
    """
    from generators.building import digest_csv
    from generators.rendering import default_jobs
    from meta.digests import digest_path

    _for_each_task(
        tasks,
        False,
        lambda task: digest_csv(task, meta_dir, jobs or default_jobs()),
        lambda task: digest_path(task.name, meta_dir),
        meta_dir,
    )


@main.command(short_help="Draw a stimulus: waveform, spectrogram, key facts.")
@click.argument("task")
@click.argument("stimulus_id", required=False)
@click.option("--out", type=click.Path(path_type=Path), help="PNG file.  [default: build/show/<task>/<id>.png]")
@META_OPTION
def show(task: str, stimulus_id: str | None, out: Path | None, meta_dir: Path) -> None:
    """Draw one stimulus of TASK (the first if no id is given) as a PNG.

    \b
    Example:
      python -m generators show shepard_tone sh_0001
    """
    from generators.show import draw
    from meta.loader import load_rows
    from meta.registry import find_tasks

    (found,) = find_tasks([task], meta_dir)
    rows = {row["stimulus_id"]: row for row in load_rows(found, meta_dir)}
    name = stimulus_id or next(iter(rows))
    if name not in rows:
        raise unknown(f"stimulus of {task}", name, rows)
    click.echo(draw(found, rows[name], out or PROJECT_ROOT / "build" / "show" / task / f"{name}.png"))


if __name__ == "__main__":
    main(prog_name="python -m generators")
