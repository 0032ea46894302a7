"""``--compare A B``: the differences between two models, with their tests."""

from __future__ import annotations

from collections.abc import Sequence

from tools.comparison import SIGNIFICANT, ComparisonRow, Contrast, compare_task, comparison_rows, with_averages
from tools.illusions import Outcome
from tools.report import Report
from tools.scores import PlannedTask
from tools.tables import HEADERS, MARK, UNDEFINED, Table, is_readable, number, p_text, with_interval
from tools.views.view import View, answers_by_model, notes_of_signatures, ok_share, titled

LEGEND = (
    "HLA human-likeness, RA reality alignment, ISI = HLA - RA, control accuracy on all controls. Differences over the\n"
    "same trials, with 95 % interval and p by a paired bootstrap over clusters. p Holm is that p corrected over all\n"
    f"rows of the table; where it is below {SIGNIFICANT}, the model with the higher value is named. Beside it,\n"
    "uncorrected: p flip by sign flips over clusters; p McNemar, exact over trials, which it takes for independent."
)


def comparison_view(report: Report, model_a: str, model_b: str) -> View:
    """Return the differences between two models, a table for each condition."""
    tables, rows = [], []
    for condition in report.planned:
        by_task, notes = _compare_tasks(report, condition, model_a, model_b)
        if not by_task and len(report.planned) > 1:
            continue
        pair = f"{model_a} - {model_b}"
        found, missing = with_averages(pair, report.plans[condition], by_task)
        compared = comparison_rows(model_a, model_b, condition, found, report.seed)
        notes += [f"{pair}: no average over {m.scope}, as not both answered {', '.join(m.tasks)}" for m in missing]
        title = titled(report, pair, f"condition {condition}")
        tables.append(comparison_table(title, (model_a, model_b), compared, notes))
        rows += compared
    if not rows:
        report.problems.append(f"{report.results_dir}: {model_a} and {model_b} have no task that both answered")
    return View(report.subset.name, tables, LEGEND, ComparisonRow._fields, rows, report.problems)


def _compare_tasks(
    report: Report, condition: str, model_a: str, model_b: str
) -> tuple[dict[str, dict[str, Contrast]], list[str]]:
    """Return the contrasts on each task that both models answered, and what is to be said of them."""
    by_task, notes = {}, []
    for task in report.planned[condition]:
        given = answers_by_model(report, task)
        if model_a in given and model_b in given:
            a, b = (given[model].outcomes(task.trials) for model in (model_a, model_b))
            settings = (report.n_bootstrap, report.seed, report.ci)
            by_task[task.name] = compare_task(task.name, condition, task.trials, a, b, *settings)
            notes += _notes(report, task, {model_a: a, model_b: b})
    return by_task, notes


def _notes(report: Report, task: PlannedTask, outcomes: dict[str, list[Outcome]]) -> list[str]:
    notes = notes_of_signatures(report, task, list(outcomes))
    if len(notes) > 1:
        notes.append(f"{MARK} {task.name}: the signatures differ; the two may not have heard the same")
    for model, given in outcomes.items():
        if not is_readable(ok_share(given)):
            notes.append(f"{MARK} {task.name}: more than 20 % of the answers of {model} could not be read")
    return notes


def metric_name(metric: str) -> str:
    """Return how a metric, maybe an average, stands in a table."""
    weight, _, rest = metric.partition("_")
    return f"{weight} {HEADERS[rest]}" if weight in ("micro", "macro") else HEADERS[metric]


def comparison_table(
    title: str, models: tuple[str, str], rows: Sequence[ComparisonRow], notes: Sequence[str] = ()
) -> Table:
    """Return the table of differences between two models under one condition."""
    body = []
    for row in rows:
        is_signed = row.metric.endswith("isi")
        values = [number(row.value_a, is_signed), number(row.value_b, is_signed)]
        delta = with_interval(row.difference, row.low, row.high, sign=True)
        tests = [p_text(p) for p in (row.p, row.p_holm, row.p_sign_flip, row.p_mcnemar)]
        body.append([row.task, metric_name(row.metric), *values, delta, *tests, row.higher or UNDEFINED, str(row.n)])
    header = ["task", "metric", *models, "difference [low, high]", "p", "p Holm", "p flip", "p McNemar", "higher", "n"]
    return Table(title, header, body, notes)
