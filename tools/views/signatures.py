"""``--signature``: what two numbers must share to be comparable, and nothing else."""

from __future__ import annotations

from typing import NamedTuple

from tools.report import Report
from tools.views.view import View


class SignatureRow(NamedTuple):
    """The signature of one model's scores on one task."""

    model: str
    task: str
    condition: str
    signature: str


def signatures_view(report: Report) -> View:
    """Return a line for each distinct signature of each task and condition that was answered."""
    lines, rows = [], []
    for planned in report.planned.values():
        for task in planned:
            for signature, models in report.signatures(task).items():
                lines.append(f"{signature} for {', '.join(models)}")
                rows += [SignatureRow(model, task.name, task.condition, signature) for model in models]
    return View(report.subset.name, [], "\n".join(lines), SignatureRow._fields, rows, report.problems)
