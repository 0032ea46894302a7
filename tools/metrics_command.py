"""The command line of ``compute_metrics.py``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from tools.report import Report
    from tools.views.view import View

ROOT = Path(__file__).resolve().parent.parent

# Read when numpy is loaded. The matrices of a bootstrap are many and thin: threads would wait more than multiply.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

EPILOG = """\b
Examples:
  python tools/compute_metrics.py --results results --meta meta
  python tools/compute_metrics.py --models ideal-observer,random-guess --tasks shepard_tone
  python tools/compute_metrics.py --conditions all --csv scores.csv
  python tools/compute_metrics.py --mini --markdown -
  python tools/compute_metrics.py --compare ideal-observer random-guess --csv differences.csv
  python tools/compute_metrics.py --tasks shepard_tone --by step_st

A task or a results file that is incomplete, stale or malformed is reported and left out; the others are
scored, and the exit status is 1."""

CI_HELP = "Method of the intervals; wilson is for proportions, with percentile ones for all else."


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
_CI = click.Choice(["wilson", "percentile", "bca"])  # tools.estimates.METHODS, which takes too long to load
FORMS = ("csv", "json", "markdown")


class Options(NamedTuple):
    """The options of the command."""

    results_dir: Path
    meta_dir: Path
    models: list[str]
    tasks: list[str]
    conditions: list[str]
    mini: bool
    limit: int
    compare: tuple[str, str] | None
    by: str
    prompts: bool
    signature: bool
    csv: str
    json: str
    markdown: str
    ci: str
    seed: int
    bootstrap: int

    def check(self) -> None:
        """Raise a UsageError if options contradict each other."""
        views = ("compare", "by", "prompts", "signature")
        given = [f"--{name}" for name in views if getattr(self, name)]
        if len(given) > 1:
            raise click.UsageError(f"{' and '.join(given)} cannot be shown at once")
        to_stdout = [f"--{form}" for form in FORMS if getattr(self, form) == "-"]
        if len(to_stdout) > 1:
            raise click.UsageError(f"{' and '.join(to_stdout)} cannot both go to stdout")
        if self.compare and self.compare[0] == self.compare[1]:
            raise click.UsageError(f"--compare needs two models, both are {self.compare[0]}")
        if self.compare and self.models:
            raise click.UsageError("--compare names the models; leave out --models")


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
@click.option("--compare", nargs=2, default=None, metavar="A B", help="Show the differences between two models.")
@click.option("--by", default="", metavar="COLUMN", help="Show HLA, RA and control by a column of the meta file.")
@click.option("--prompts", is_flag=True, help="Show scores by condition, with their bias-free mean.")
@click.option("--signature", is_flag=True, help="Show the signatures alone.")
@click.option("--csv", default="", metavar="FILE", help="Write the tidy table (- for stdout).")
@click.option("--json", default="", metavar="FILE", help="Write scores with signatures (- for stdout).")
@click.option("--markdown", default="", metavar="FILE", help="Write Markdown tables (- for stdout).")
@click.option("--ci", default="wilson", show_default=True, type=_CI, help=CI_HELP)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Seed of the bootstrap.")
@click.option("--bootstrap", default=10_000, show_default=True, type=_REPLICATES, help="Replicates.")
def main(**given: Any) -> None:
    """Score answers to auditory illusions: HLA, RA, ISI, control accuracy, d', illusion index and answer statuses,
    per task and averaged over class P (physics), K (physics and knowledge) and all, beside the baselines.

    Without --conditions, the default condition is scored, by --prompts all of them."""
    options = Options(**given)
    options.check()
    from meta.errors import InputError  # here, since numpy takes longer to load than --help may take

    try:
        report, shown = _collect(options)
    except InputError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(1)
    forms: dict[str, Callable[[], str]] = {form: getattr(shown, form) for form in FORMS}
    files = {getattr(options, form): make() for form, make in forms.items() if getattr(options, form) not in ("", "-")}
    problems = report.problems + _write(files)
    to_stdout = next((make for form, make in forms.items() if getattr(options, form) == "-"), shown.text)
    try:
        click.echo(to_stdout(), nl=False)
    finally:
        for problem in problems:
            click.echo(f"error: {problem}", err=True)
    sys.exit(1 if problems else 0)


def _collect(options: Options) -> tuple[Report, Report | View]:
    """Read what the options choose, and return it with what is to be shown of it."""
    from meta.trials import Subset
    from tools.report import Report

    subset = Subset(options.mini, options.limit)
    report = Report(options.results_dir, options.meta_dir, subset, options.bootstrap, options.seed, options.ci)
    make = _view(options)
    if make is None:
        report.collect(options.models, options.tasks, options.conditions)
        return report, report
    conditions = options.conditions or (["all"] if options.prompts else [])
    report.read(options.compare or options.models, options.tasks, conditions)
    return report, make(report)


def _view(options: Options) -> Callable[[Report], View] | None:
    """Return what makes the view that the options ask for, or None for the scores themselves."""
    if options.compare:
        from tools.views.comparison import comparison_view

        model_a, model_b = options.compare
        return lambda report: comparison_view(report, model_a, model_b)
    if options.by:
        from tools.views.breakdown import breakdown_view

        return lambda report: breakdown_view(report, options.by)
    if options.prompts:
        from tools.views.prompts import prompts_view

        return prompts_view
    if options.signature:
        from tools.views.signatures import signatures_view

        return signatures_view
    return None


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
