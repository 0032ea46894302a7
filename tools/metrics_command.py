"""The command line of ``compute_metrics.py``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).resolve().parent.parent

EPILOG = """\b
Examples:
  python tools/compute_metrics.py --results results --meta meta
  python tools/compute_metrics.py --models ideal-observer,random-guess --tasks shepard_tone
  python tools/compute_metrics.py --conditions all --csv scores.csv
  python tools/compute_metrics.py --mini --markdown -

A task or a results file that is incomplete, stale or malformed is reported and left out; the others are
scored, and the exit status is 1."""


def _names(context: click.Context, parameter: click.Parameter, value: str) -> list[str]:
    return [name.strip() for name in value.split(",") if name.strip()]


class _Command(click.Command):
    """A command that ends with a message where a file of its own, stdout above all, fails it."""

    def main(self, *args: Any, **options: Any) -> Any:
        try:
            return super().main(*args, **options)  # ends quietly when the reader of a pipe has gone
        except OSError as error:
            click.echo(f"error: {error.filename or 'stdout'}: {error.strerror or error}", err=True)
            sys.stdout = open(os.devnull, "w")  # what was not written is still buffered and would fail again at exit
            sys.exit(1)


_PATH = click.Path(path_type=Path)
_REPLICATES = click.IntRange(100, 1_000_000)


@click.command(
    cls=_Command, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.option("--results", "results_dir", default=ROOT / "results", type=_PATH, help="Results folder.")
@click.option("--meta", "meta_dir", default=ROOT / "meta", type=_PATH, help="Dataset definition.")
@click.option("--models", default="", callback=_names, help="Only these models (comma-separated folder names).")
@click.option("--tasks", default="", callback=_names, help="Only these tasks (comma-separated), also in averages.")
@click.option("--conditions", default="", callback=_names, help="These conditions (comma-separated), or all.")
@click.option("--mini", is_flag=True, help="Score the mini set.")
@click.option("--limit", default=0, type=click.IntRange(min=0), help="Score the first N trials of each task.")
@click.option("--csv", "csv_file", default="", metavar="FILE", help="Write the tidy table (- for stdout).")
@click.option("--json", "json_file", default="", metavar="FILE", help="Write scores with signatures (- for stdout).")
@click.option("--markdown", "markdown_file", default="", metavar="FILE", help="Write Markdown tables (- for stdout).")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Seed of the bootstrap.")
@click.option("--bootstrap", default=10_000, show_default=True, type=_REPLICATES, help="Replicates.")
def main(
    results_dir: Path,
    meta_dir: Path,
    models: list[str],
    tasks: list[str],
    conditions: list[str],
    mini: bool,
    limit: int,
    csv_file: str,
    json_file: str,
    markdown_file: str,
    seed: int,
    bootstrap: int,
) -> None:
    """Score answers to auditory illusions: HLA, RA, ISI, control accuracy, d', illusion index and answer statuses,
    per task and averaged over class P (physics), K (physics and knowledge) and all, beside the baselines.

    Without --conditions, the default condition is scored."""
    from meta.errors import InputError  # here, since numpy takes longer to load than --help may take
    from meta.trials import Subset
    from tools.report import Report

    outputs = {
        "csv": (csv_file, Report.csv),
        "json": (json_file, Report.json),
        "markdown": (markdown_file, Report.markdown),
    }
    to_stdout = [f"--{name}" for name, (file, _) in outputs.items() if file == "-"]
    if len(to_stdout) > 1:
        raise click.UsageError(f"{' and '.join(to_stdout)} cannot both go to stdout")
    try:
        report = Report(results_dir, meta_dir, Subset(mini, limit), bootstrap, seed)
        report.collect(models, tasks, conditions)
    except InputError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(1)
    files = {file: form(report) for file, form in outputs.values() if file not in ("", "-")}
    problems = report.problems + _write(files)
    shown = next((form for file, form in outputs.values() if file == "-"), Report.text)
    try:
        click.echo(shown(report), nl=False)
    finally:
        for problem in problems:
            click.echo(f"error: {problem}", err=True)
    sys.exit(1 if problems else 0)


def _write(files: dict[str, str]) -> list[str]:
    """Write texts to files and return what went wrong."""
    from meta.csvfile import write_atomically
    from meta.errors import InputError

    problems = []
    for file, text in files.items():
        try:
            write_atomically(Path(file), text.encode("utf-8"))
        except InputError as error:
            problems.append(str(error))
    return problems
