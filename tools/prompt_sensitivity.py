"""How far do a model's scores depend on how it is asked?

Conventions
-----------
* The conditions of a family (base, refined, flipped) ask the same trials in other words. Scores under each stand side
  by side; *spread* is the largest less the smallest of them, None unless all are there.
* *bias-free*: in a binary task a preference for one answer, "yes" say, adds to a rate under the base wording what it
  takes from it under the flipped one, whose answers swap roles. Their mean is free of it. In a ternary task the
  answer "same" keeps its role, so there is no such mean.
* Both wordings are resampled alike, by cluster: they are asked of the same trials.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meta.trials import Condition, Trial
from tools.estimates import Estimate, Estimates, ScoreRow, weighted_sum

SHOWN = ("hla", "ra", "isi", "control", "d_prime")
FREED = ("hla", "ra", "isi", "control")  # d' has no bias to be freed of
SPREAD, BIAS_FREE = "spread", "bias_free"
BASE, FLIPPED = "base", "flipped"  # wordings


def is_binary(trials: Sequence[Trial]) -> bool:
    """Tell whether every trial has two options."""
    return bool(trials) and all(len(trial.options) == 2 for trial in trials)


def flipped_pair(conditions: Mapping[str, Condition]) -> tuple[str, str] | None:
    """Return the names of two conditions that differ in polarity alone, the default one preferred, or None."""
    bases = [c for c in conditions.values() if c.wording == BASE]
    for base in sorted(bases, key=lambda condition: not condition.is_default):
        for other in conditions.values():
            if other.wording == FLIPPED and (other.prompt, other.k) == (base.prompt, base.k):
                return base.name, other.name
    return None


def spread(values: Sequence[float | None]) -> float | None:
    """Return the largest less the smallest value, None unless there are two or more and all are defined."""
    given = [value for value in values if value is not None]
    return max(given) - min(given) if len(given) == len(values) >= 2 else None


def bias_free(base: Estimate, flipped: Estimate) -> Estimate:
    """Return the mean of one metric under both polarities, resampled alike."""
    return weighted_sum([(0.5, base), (0.5, flipped)], base.n, is_paired=True)


def prompt_rows(
    model: str,
    task: str,
    by_condition: Mapping[str, Estimates],
    planned: Sequence[str],
    pair: tuple[str, str] | None,
) -> list[ScoreRow]:
    """Return one model's scores on one task under each condition, their spread and their bias-free mean.

    The spread and the mean are rows of conditions named so.

    Parameters
    ----------
    by_condition : mapping
        Scores under the conditions that were asked, resampled alike.
    planned : sequence of str
        All conditions.
    pair : pair of str, optional
        The two polarities; None where there is no bias-free mean.
    """
    rows = []
    for metric in SHOWN:
        given = {condition: by_condition[condition][metric] for condition in planned if condition in by_condition}
        rows += [ScoreRow(model, task, c, metric, e.value, e.low, e.high, e.n) for c, e in given.items()]
        values = [given[c].value if c in given else None for c in planned]
        n = max((e.n for e in given.values()), default=0)
        rows.append(ScoreRow(model, task, SPREAD, metric, spread(values), None, None, n))
        if pair is not None and metric in FREED and all(condition in given for condition in pair):
            mean = bias_free(given[pair[0]], given[pair[1]])
            rows.append(ScoreRow(model, task, BIAS_FREE, metric, mean.value, mean.low, mean.high, mean.n))
    return rows
