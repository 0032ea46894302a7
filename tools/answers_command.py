"""The command line of ``explain_answer.py``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from tools import answers
from tools.answers.display import summary, underlined
from tools.answers.units import UNITS

ROOT = Path(__file__).resolve().parent.parent

EPILOG = """\b
Examples:
  python tools/explain_answer.py --options yes,no "I think not"
  python tools/explain_answer.py --options "dog barking,rain" --lettered "(B), I think"
  python tools/explain_answer.py --kind integer "I hear 3 tones, each 500 ms long."
  python tools/explain_answer.py --kind number --unit Hz "about 0.44 kHz"
  python tools/explain_answer.py --kind letters --alphabet EG --length 3 "Label: E G E"
  python tools/explain_answer.py --kind binary --options anomalous,normal "not anomalous"
  python tools/explain_answer.py --kind word - < answer.txt
  python tools/explain_answer.py --results results --model random-guess --task shepard_tone
  python tools/explain_answer.py --results results --model my-model --task shepard_tone --status unparsed

The reading comes first, then the answer, with control characters escaped and the part that was read underlined."""


def _pair(options: dict[str, Any]) -> tuple[str, str]:
    if len(options["options"]) != 2:
        raise click.UsageError("--kind binary needs --options PRESENT,ABSENT, such as anomalous,normal")
    return options["options"][0], options["options"][1]


def _choice(options: dict[str, Any]) -> answers.Choice:
    if not options["options"]:
        raise click.UsageError("--kind choice needs --options, such as yes,no")
    return answers.Choice(options["options"], options["lettered"])


KINDS: dict[str, Callable[[dict[str, Any]], answers.Kind]] = {
    "choice": _choice,
    "binary": lambda o: answers.Binary(*_pair(o), complementary=o["complementary"]),
    "integer": lambda o: answers.Integer(),
    "count": lambda o: answers.Integer(count=True),
    "number": lambda o: answers.Number(o["unit"]),
    "letters": lambda o: answers.Letters(o["alphabet"], o["length"]),
    "word": lambda o: answers.Word(),
    "transcript": lambda o: answers.Transcript(),
}


def _split(context: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


_RESULTS_OPTIONS = ("results_dir", "meta_dir", "model", "task", "condition", "status")
_PATH = click.Path(path_type=Path)


@click.command(epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.argument("text", required=False)
@click.option("--kind", type=click.Choice(list(KINDS)), default="choice", show_default=True, help="What was asked for.")
@click.option("--options", default="", callback=_split, help="The options (comma-separated).")
@click.option("--lettered", is_flag=True, help="The prompt named the options A, B, C, ...")
@click.option("--complementary", is_flag=True, help="Of a binary kind: denying the second option is the first.")
@click.option("--unit", default="", help=f"Unit of a number: {', '.join(UNITS)}.")
@click.option("--alphabet", default=answers.LETTERS, help="Letters that a sequence is made of.  [default: A to Z]")
@click.option("--length", default=3, show_default=True, type=click.IntRange(min=1), help="Letters in a sequence.")
@click.option("--results", "results_dir", type=_PATH, help="Explain a file of this results folder instead of a TEXT.")
@click.option("--meta", "meta_dir", default=ROOT / "meta", type=_PATH, help="Dataset definition.")
@click.option("--model", default="", help="Folder of the model in the results folder.")
@click.option("--task", default="", help="Task that was answered.")
@click.option("--condition", default="", help="Condition, where it is not the default.")
@click.option("--status", type=click.Choice(answers.STATUSES), help="Only answers that were read with this status.")
def main(text: str | None, **options: Any) -> None:
    """Show what is read from the answer TEXT (- for stdin), or from each answer of a model to a task: the value,
    the status, the rule that read it, and where."""
    if (text is None) == (options["results_dir"] is None):
        raise click.UsageError("give either a TEXT or --results with --model and --task")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    if text is None:
        _explain_results(*(options[name] for name in _RESULTS_OPTIONS))
        return
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", errors="surrogateescape")
    try:
        reading = answers.extract(text, KINDS[options["kind"]](options))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    _show("", text, reading)


def _show(name: str, text: str, reading: answers.Reading) -> None:
    click.echo(f"{name}  {summary(reading)}" if name else summary(reading))
    for line in underlined(text, reading.span):
        click.echo(f"    {line}")


def _explain_results(
    results_dir: Path, meta_dir: Path, model: str, task: str, condition: str, status: str | None
) -> None:
    """Show the answers of one model to one task, in the order of the trials."""
    from meta.errors import InputError  # here, since --help needs none of it

    if not model or not task:
        raise click.UsageError("--results needs --model and --task")
    try:
        for stimulus_id, text, reading in read_results(results_dir, meta_dir, model, task, condition):
            if status in (None, reading.status):
                _show(stimulus_id, text, reading)
    except InputError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(1)


def read_results(
    results_dir: Path, meta_dir: Path, model: str, task: str, condition: str = ""
) -> Iterator[tuple[str, str, answers.Reading]]:
    """Yield stimulus id, answer and reading of every trial that a model answered.

    Raises
    ------
    InputError
        The task, the condition or the file is not there, or malformed.
    """
    from meta.errors import InputError
    from meta.registry import find_tasks
    from meta.results import read_answers, result_files
    from meta.trials import find_condition, load_trials

    found = find_tasks([task], meta_dir)[0]
    trials = load_trials(found, find_condition(found.family, condition, meta_dir), meta_dir)
    path = result_files(results_dir, model, task, condition).answers
    if not path.exists():
        raise InputError(f"{path}: there is no such file; run the model, or name another --model, --task, --condition")
    given = read_answers(path, known_ids={trial.stimulus_id for trial in trials})
    for trial in trials:
        if trial.stimulus_id in given:
            text = given[trial.stimulus_id]
            yield trial.stimulus_id, text, answers.extract(text, answers.Choice(trial.options))
