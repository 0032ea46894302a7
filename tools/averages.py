"""Averages over illusions: class P (physics), class K (physics and knowledge), and all.

Conventions
-----------
* *micro* weighs every trial alike, *macro* every task alike; neither stands for the other. A micro average
  over parsed answers is pooled over those alone; a task without any adds nothing to it.
* An average is over all planned tasks of its scope or is not given: there is no average over those that
  happen to be there.
* A macro average of which one part is undefined is undefined: macro illusion index is "no evidence" if
  any task has none.
* Tasks are resampled independently, each with its planned weight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tools.estimates import WILSON, Estimate, Estimates, ScoreRow, proportion, weighted_sum
from tools.illusions import METRICS, PARSED, PROPORTIONS, STATUSES

MICRO_METRICS = ("hla", "ra", "isi", "control", *PARSED, *STATUSES)
MACRO_METRICS = METRICS
SCOPES = ("P", "K", "all")


class Plan(NamedTuple):
    """What an average must be over: the tasks in scope and the class of each."""

    condition: str
    classes: Mapping[str, str]

    def tasks(self, scope: str) -> list[str]:
        """Return the tasks of P, K or all."""
        return [task for task, illusion_class in self.classes.items() if scope in ("all", illusion_class)]


class Missing(NamedTuple):
    """An average that is not given, and the tasks for want of which it is not."""

    model: str
    condition: str
    scope: str
    tasks: list[str]


def scope_name(scope: str) -> str:
    """Return how a scope stands in the task column."""
    return f"({scope})"


def micro(estimates: Sequence[Estimate], is_single_proportion: bool = False) -> Estimate:
    """Return the trial-weighted mean of one metric."""
    n = sum(estimate.n for estimate in estimates)
    parts = [(estimate.n / n, estimate) for estimate in estimates if estimate.n and estimate.value is not None]
    mean = weighted_sum(parts, n, is_paired=False)
    if is_single_proportion and mean.value is not None and any(estimate.low is not None for estimate in estimates):
        return proportion(mean.value, n)
    return mean


def macro(estimates: Sequence[Estimate]) -> Estimate:
    """Return the mean over tasks of one metric; undefined if it is undefined for one of them."""
    weight = 1.0 / max(1, len(estimates))
    n = sum(estimate.n for estimate in estimates)
    return weighted_sum([(weight, estimate) for estimate in estimates], n, is_paired=False)


def average(by_task: Sequence[Estimates], ci: str = WILSON) -> Estimates:
    """Return ``micro_<metric>`` and ``macro_<metric>`` over the tasks given."""
    averaged = {}
    for metric in MICRO_METRICS:
        is_single = metric in STATUSES or (ci == WILSON and metric in PROPORTIONS)
        averaged[f"micro_{metric}"] = micro([estimates[metric] for estimates in by_task], is_single)
    for metric in MACRO_METRICS:
        averaged[f"macro_{metric}"] = macro([estimates[metric] for estimates in by_task])
    return averaged


def tidy(model: str, task: str, condition: str, estimates: Estimates) -> list[ScoreRow]:
    """Return estimates as lines of the tidy table."""
    return [ScoreRow(model, task, condition, metric, e.value, e.low, e.high, e.n) for metric, e in estimates.items()]


def average_rows(
    model: str, plan: Plan, by_task: Mapping[str, Estimates], ci: str = WILSON
) -> tuple[list[ScoreRow], list[Missing]]:
    """Return a model's averages over every scope that it completed, and those that it did not."""
    rows, missing = [], []
    for scope in SCOPES:
        tasks = plan.tasks(scope)
        absent = [task for task in tasks if task not in by_task]
        if absent:
            missing.append(Missing(model, plan.condition, scope, absent))
        elif tasks:
            rows += tidy(model, scope_name(scope), plan.condition, average([by_task[task] for task in tasks], ci))
    return rows, missing
