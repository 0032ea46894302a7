"""Score tables as text and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tools.averages import SCOPES, Missing, Plan, scope_name
from tools.estimates import ScoreRow
from tools.illusions import STATUSES, is_baseline
from tools.scores import PlannedTask

READABLE = 0.8  # AIB marks models with more than 20 % unparsed answers as not interpretable (Kim et al. 2026)
MARK = "!"
UNREADABLE = f"{MARK} more than 20 % of the answers could not be read: not interpretable."
NO_EVIDENCE, UNDEFINED = "no evidence", "-"
_STATUS_HEADERS = ("ok", "unp", "ref", "tru", "amb", "emp", "err")
LEGEND = (
    "HLA human-likeness, RA reality alignment, ISI = HLA - RA, control accuracy on all controls, ctl/ok control\n"
    "accuracy over readable answers only, d' sensitivity on the controls, II illusion index with its 95 % interval.\n"
    "Then answer statuses in %: ok, unparsed, refusal, truncated, ambiguous, empty, error; all are in every\n"
    "denominator but that of ctl/ok. Rows in brackets are baselines, computed from meta.\n" + UNREADABLE
)

Cells = dict[str, ScoreRow]


class Table(NamedTuple):
    """A titled table of texts; the first column is a name, the others are numbers."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()


def number(value: float | None, sign: bool = False) -> str:
    """Return a value with three decimals, and a sign on request; zero has none."""
    if value is None:
        return UNDEFINED
    text = f"{value:+.3f}" if sign else f"{value:.3f}"
    return "0.000" if text in ("+0.000", "-0.000") else text


def _index(row: ScoreRow) -> str:
    if row.value is None:
        return NO_EVIDENCE if row.n else UNDEFINED
    return with_interval(row.value, row.low, row.high, sign=True)


def with_interval(value: float | None, low: float | None, high: float | None, sign: bool = False) -> str:
    """Return ``0.500 [0.400, 0.600]``, or the value alone where it has no interval."""
    interval = "" if low is None or high is None else f" [{number(low, sign)}, {number(high, sign)}]"
    return number(value, sign) + interval


def p_text(p: float | None) -> str:
    """Return a p-value with four decimals, or that it is below the last of them."""
    if p is None:
        return UNDEFINED
    return f"{p:.4f}" if p >= 0.0001 else "<.0001"


def is_readable(ok: float | None) -> bool:
    """Tell whether enough answers could be read for scores to be interpreted."""
    return ok is None or ok >= READABLE


def marked(name: str, ok: float | None) -> str:
    """Return a name, marked unless enough answers could be read."""
    return name if is_readable(ok) else f"{name} {MARK}"


def _name(model: str, ok: ScoreRow) -> str:
    return marked(model, ok.value)


def _percent(row: ScoreRow) -> str:
    return UNDEFINED if row.value is None else f"{100 * row.value:.1f}"


def _by_model(rows: Sequence[ScoreRow], task: str, condition: str) -> dict[str, Cells]:
    cells: dict[str, Cells] = {}
    for row in rows:
        if row.task == task and row.condition == condition:
            cells.setdefault(row.model, {})[row.metric] = row
    return dict(sorted(cells.items(), key=lambda item: is_baseline(item[0])))


def task_table(rows: Sequence[ScoreRow], task: PlannedTask, subset: str, notes: Sequence[str] = ()) -> Table:
    """Return the table of one task under one condition."""
    body = []
    for model, cells in _by_model(rows, task.name, task.condition).items():
        scores = [
            number(cells["hla"].value),
            number(cells["ra"].value),
            number(cells["isi"].value, sign=True),
            number(cells["control"].value),
            number(cells["control_parsed"].value),
            number(cells["d_prime"].value, sign=True),
            _index(cells["illusion_index"]),
        ]
        statuses = [_percent(cells[status]) for status in STATUSES]
        body.append([_name(model, cells["ok"]), *scores, *statuses, str(cells["ok"].n)])
    title = f"{task.name}, condition {task.condition}, class {task.illusion_class or '-'}" + (
        f", subset {subset}" if subset else ""
    )
    header = ["model", "HLA", "RA", "ISI", "control", "ctl/ok", "d'", "II [low, high]", *_STATUS_HEADERS, "n"]
    return Table(title, header, body, notes)


def average_table(rows: Sequence[ScoreRow], plan: Plan, missing: Sequence[Missing]) -> Table:
    """Return the averages over the tasks of one condition."""
    body = []
    for scope in SCOPES:
        for model, cells in _by_model(rows, scope_name(scope), plan.condition).items():
            ratios = [number(cells[f"{weight}_{metric}"].value, sign) for weight, metric, sign in _AVERAGE_COLUMNS]
            body.append(
                [
                    _name(model, cells["micro_ok"]),
                    scope,
                    *ratios,
                    _index(cells["macro_illusion_index"]),
                    str(cells["micro_ok"].n),
                ]
            )
    header = ["model", "class", *(f"{weight} {HEADERS[metric]}" for weight, metric, _ in _AVERAGE_COLUMNS)]
    notes = [f"{m.model}: no average over {m.scope}, as it lacks {', '.join(m.tasks)}" for m in missing]
    title = f"averages, condition {plan.condition}: {', '.join(plan.classes)}"
    return Table(title, [*header, "macro II [low, high]", "n"], body, notes)


HEADERS = {"hla": "HLA", "ra": "RA", "isi": "ISI", "control": "control", "d_prime": "d'"}
_AVERAGE_COLUMNS = (
    *(("micro", metric, metric == "isi") for metric in ("hla", "ra", "isi", "control")),
    *(("macro", metric, metric in ("isi", "d_prime")) for metric in ("hla", "ra", "isi", "control", "d_prime")),
)


def as_text(table: Table) -> str:
    """Return a table for the terminal."""
    lines = [table.header, *table.rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(table.header))]
    return "\n".join([table.title, *(_aligned(line, widths).rstrip() for line in lines), *table.notes])


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    numbers = [text.rjust(width) for text, width in zip(line[1:], widths[1:], strict=True)]
    return "  ".join([line[0].ljust(widths[0]), *numbers])


def as_markdown(table: Table) -> str:
    """Return a table in Markdown."""
    rule = ["---", *["---:"] * (len(table.header) - 1)]
    cells = [[text.replace("|", "\\|") for text in line] for line in (table.header, rule, *table.rows)]
    lines = [f"| {' | '.join(line)} |" for line in cells]
    notes = [f"\n{note}" for note in table.notes]
    return "\n".join([f"**{table.title}**", "", *lines, *notes])


def render(tables: Sequence[Table], form: Callable[[Table], str], legend: str = LEGEND) -> str:
    """Return all tables in one form, with the legend at the end."""
    return "\n\n".join([*(form(table) for table in tables), legend]) + "\n"
