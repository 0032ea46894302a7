"""``--prompts``: scores under each wording side by side."""

from __future__ import annotations

from collections.abc import Sequence

from meta.trials import load_conditions
from tools.estimates import Estimates, ScoreRow
from tools.illusions import evaluate
from tools.prompt_sensitivity import BIAS_FREE, SHOWN, SPREAD, flipped_pair, is_binary, prompt_rows
from tools.report import Report
from tools.results_folder import ILLUSIONS
from tools.scores import PlannedTask
from tools.tables import HEADERS, UNDEFINED, UNREADABLE, Table, marked, number, with_interval
from tools.views.view import View, answers_by_model, notes_of_signatures, planned_names, titled

LEGEND = (
    "Scores by condition; spread, the largest less the smallest of them; bias-free, the mean of base and flipped with\n"
    "its 95 % interval: in a binary task, a preference for one of the answers cancels in it.\n" + UNREADABLE
)

Pair = tuple[str, str]


def prompts_view(report: Report) -> View:
    """Return every model's scores under each condition that was read, a table for each task."""
    known = {name: c for name, c in load_conditions(ILLUSIONS, report.meta_dir).items() if name in report.planned}
    pair = flipped_pair(known)
    tables, rows = [], []
    for name in planned_names(report):
        planned = [task for tasks in report.planned.values() for task in tasks if task.name == name]
        table, found = _task_view(report, planned, pair if is_binary(planned[0].trials) else None)
        tables.append(table)
        rows += found
    return View(report.subset.name, tables, LEGEND, ScoreRow._fields, rows, report.problems)


def _task_view(report: Report, planned: Sequence[PlannedTask], pair: Pair | None) -> tuple[Table, list[ScoreRow]]:
    """Return one task under all conditions; ``planned`` holds it once for each."""
    name, conditions = planned[0].name, [task.condition for task in planned]
    scored = _score(report, planned)
    body, rows, notes = [], [], []
    for model, by_condition in sorted(scored.items()):
        found = prompt_rows(model, name, by_condition, conditions, pair)
        body += _lines(model, found, by_condition, conditions, pair)
        rows += found
        absent = [condition for condition in conditions if condition not in by_condition]
        if absent:
            notes.append(f"{model}: was not asked under {', '.join(absent)}")
    for task in planned:
        notes += notes_of_signatures(report, task)
    header = ["model", "metric", *conditions, SPREAD, *(["bias-free [low, high]"] if pair else []), "n"]
    return Table(titled(report, name, "by condition"), header, body, notes), rows


def _score(report: Report, planned: Sequence[PlannedTask]) -> dict[str, dict[str, Estimates]]:
    """Return scores by model and condition, all conditions of a task resampled alike."""
    scored: dict[str, dict[str, Estimates]] = {}
    for task in planned:
        for model, answered in answers_by_model(report, task).items():
            outcomes = answered.outcomes(task.trials)
            estimates = evaluate(task.name, "", task.trials, outcomes, report.n_bootstrap, report.seed, report.ci)
            scored.setdefault(model, {})[task.condition] = estimates
    return scored


def _lines(
    model: str,
    rows: Sequence[ScoreRow],
    by_condition: dict[str, Estimates],
    conditions: Sequence[str],
    pair: Pair | None,
) -> list[list[str]]:
    cells = {(row.metric, row.condition): row for row in rows}
    lines = []
    for metric in SHOWN:
        is_signed = metric in ("isi", "d_prime")
        line = [model, HEADERS[metric]]
        for condition in conditions:
            given = cells.get((metric, condition))
            ok = by_condition[condition]["ok"].value if condition in by_condition else None
            line.append(marked(number(given.value, is_signed), ok) if given else UNDEFINED)
        line.append(number(cells[metric, SPREAD].value))
        mean = cells.get((metric, BIAS_FREE))
        if pair:
            line.append(with_interval(mean.value, mean.low, mean.high, is_signed) if mean else UNDEFINED)
        lines.append([*line, str(cells[metric, SPREAD].n)])
    return lines
