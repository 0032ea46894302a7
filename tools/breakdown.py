"""How do HLA, RA and control accuracy go with a parameter of the stimuli?

Conventions
-----------
* A *group* holds the planned trials of a task with one value of a column of its meta file. An empty cell is a value
  of its own. Groups go up with the value: numbers, then words, then empty.
* Every planned trial of a group is in its denominators.
* Intervals are Wilson's by default: each rate is a single proportion. Trials of one cluster are not independent, and
  a nuisance column splits clusters; ``percentile`` and ``bca`` intervals resample clusters within the group.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from meta.trials import Trial
from tools.estimates import WILSON, Estimate, proportion
from tools.illusions import Outcome, evaluate
from tools.stats import N_BOOTSTRAP

RATES = ("hla", "ra", "control")
EMPTY = "(empty)"


class Group(NamedTuple):
    """The trials with one value of a column, by their place among the planned trials."""

    value: str
    members: list[int]


class BreakdownRow(NamedTuple):
    """One line of the table: one rate of one model in one group."""

    model: str
    task: str
    condition: str
    column: str
    group: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    n: int


def shown_value(value: Any) -> str:
    """Return a typed cell as the meta file has it."""
    if value is None:
        return EMPTY
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _rank(value: Any) -> tuple[int, float, str]:
    if value is None:
        return (2, 0.0, "")
    return (0, float(value), "") if isinstance(value, int | float) else (1, 0.0, str(value))


def group_trials(trials: Sequence[Trial], values: Mapping[str, Any]) -> list[Group]:
    """Return the groups of a task, in order.

    Parameters
    ----------
    trials : sequence of Trial
        The planned trials.
    values : mapping
        Typed cell of the column by stimulus id.
    """
    groups: dict[str, list[int]] = {}
    for place in sorted(range(len(trials)), key=lambda place: _rank(values[trials[place].stimulus_id])):
        groups.setdefault(shown_value(values[trials[place].stimulus_id]), []).append(place)
    return [Group(value, sorted(members)) for value, members in groups.items()]


def break_down(
    task: str,
    condition: str,
    trials: Sequence[Trial],
    outcomes: Sequence[Outcome],
    groups: Sequence[Group],
    n_bootstrap: int = N_BOOTSTRAP,
    seed: int = 0,
    ci: str = WILSON,
) -> dict[str, dict[str, Estimate]]:
    """Return HLA, RA and control accuracy of one model by group; see :func:`tools.illusions.evaluate`."""
    found = {}
    for group in groups:
        chosen = [trials[place] for place in group.members], [outcomes[place] for place in group.members]
        estimates = evaluate(task, condition, *chosen, 0 if ci == WILSON else n_bootstrap, seed, ci)
        rates = {metric: estimates[metric] for metric in RATES}
        if ci == WILSON:
            rates = {m: e if e.value is None else proportion(e.value, e.n) for m, e in rates.items()}
        found[group.value] = rates
    return found
