"""``--by COLUMN``: rates by the values of a parameter."""

from __future__ import annotations

from typing import Any

from meta.errors import unknown
from meta.loader import load_rows, task_columns
from tools.breakdown import RATES, BreakdownRow, Group, break_down, group_trials
from tools.report import Report
from tools.scores import PlannedTask
from tools.tables import HEADERS, UNREADABLE, Table, marked, with_interval
from tools.views.view import View, answers_by_model, notes_of_signatures, ok_share, planned_names, titled

LEGEND = (
    "HLA human-likeness, RA reality alignment, control accuracy on all controls, each with its 95 % interval and the\n"
    "number of trials behind it.\n" + UNREADABLE
)


def breakdown_view(report: Report, column: str) -> View:
    """Return HLA, RA and control accuracy by the values of a column of meta.

    Raises
    ------
    InputError
        No task chosen has the column.
    """
    columns = {name: [c.name for c in task_columns(report.tasks[name])] for name in planned_names(report)}
    holders = [name for name in columns if column in columns[name]]
    if columns and not holders:
        raise unknown(f"column of {', '.join(columns)}", column, {name for names in columns.values() for name in names})
    tables, rows = [], []
    for planned in report.planned.values():
        for task in planned:
            if task.name in holders and answers_by_model(report, task):
                table, found = _break_down_task(report, task, column)
                tables.append(table)
                rows += found
    without = [f"{name} has no column {column}." for name in columns if name not in holders]
    legend = "\n".join([*without, LEGEND])
    return View(report.subset.name, tables, legend, BreakdownRow._fields, rows, report.problems)


def _break_down_task(report: Report, task: PlannedTask, column: str) -> tuple[Table, list[BreakdownRow]]:
    groups = group_trials(task.trials, _values(report, task, column))
    body, rows = [], []
    for model, answered in answers_by_model(report, task).items():
        outcomes = answered.outcomes(task.trials)
        settings = (report.n_bootstrap, report.seed, report.ci)
        found = break_down(task.name, task.condition, task.trials, outcomes, groups, *settings)
        for group in groups:
            new = [
                BreakdownRow(model, task.name, task.condition, column, group.value, metric, *estimate[:4])
                for metric, estimate in found[group.value].items()
            ]
            body.append(_line(marked(model, ok_share([outcomes[place] for place in group.members])), group, new))
            rows += new
    header = ["model", column]
    for metric in RATES:
        header += [f"{HEADERS[metric]} [low, high]", "n"]
    title = titled(report, task.name, f"condition {task.condition}", f"by {column}")
    return Table(title, header, body, notes_of_signatures(report, task)), rows


def _values(report: Report, task: PlannedTask, column: str) -> dict[str, Any]:
    return {row["stimulus_id"]: row[column] for row in load_rows(report.tasks[task.name], report.meta_dir)}


def _line(name: str, group: Group, rows: list[BreakdownRow]) -> list[str]:
    line = [name, group.value]
    for row in rows:
        line += [with_interval(row.value, row.low, row.high), str(row.n)]
    return line
