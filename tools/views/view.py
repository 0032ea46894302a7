"""Tables to be read, and the same as tidy rows, in each of the command's forms."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from tools.answers import OK
from tools.illusions import Outcome
from tools.report import Report, as_csv, signature_notes
from tools.scores import Answered, PlannedTask
from tools.tables import Table, as_markdown, as_text, render


class View(NamedTuple):
    """Tables with their legend, and tidy rows with the names of their columns."""

    subset: str
    tables: Sequence[Table]
    legend: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]
    problems: Sequence[str]

    def text(self) -> str:
        """Return the tables for the terminal."""
        return render(self.tables, as_text, self.legend)

    def markdown(self) -> str:
        """Return the tables in Markdown."""
        return render(self.tables, as_markdown, self.legend)

    def csv(self) -> str:
        """Return the tidy rows as CSV; an undefined value is empty."""
        return as_csv(self.columns, [tuple(map(_digits, row)) for row in self.rows])

    def json(self) -> str:
        """Return the tidy rows as objects, with the notes under the tables."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        notes = [note for table in self.tables for note in table.notes]
        content = {"subset": self.subset, "rows": rows, "notes": notes, "problems": list(self.problems)}
        return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _digits(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float) else value  # significant ones: a p-value may be tiny, never 0


def titled(report: Report, *parts: str) -> str:
    """Return the title of a table, which names the subset if it is over one."""
    return ", ".join([*parts, *([f"subset {report.subset.name}"] if report.subset.name else [])])


def ok_share(outcomes: Sequence[Outcome]) -> float | None:
    """Return the share of trials whose answer was read, None of no trials."""
    return sum(outcome.status == OK for outcome in outcomes) / len(outcomes) if outcomes else None


def answers_by_model(report: Report, task: PlannedTask) -> dict[str, Answered]:
    """Return what was answered to a task under its condition, in the order of the models' names."""
    given = {item.model: item for item in report.answered[task.condition] if item.task == task.name}
    return dict(sorted(given.items()))


def planned_names(report: Report) -> list[str]:
    """Return the tasks that could be planned under any condition."""
    return list(dict.fromkeys(task.name for planned in report.planned.values() for task in planned))


def notes_of_signatures(report: Report, task: PlannedTask, models: Sequence[str] | None = None) -> list[str]:
    """Return the signatures of these models' scores on a task, named where they differ; of all models by default."""
    held = report.signatures(task)
    chosen = {text: [m for m in names if models is None or m in models] for text, names in held.items()}
    return signature_notes({text: names for text, names in chosen.items() if names})
