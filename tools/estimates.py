"""A score with its interval, and how scores are added up.

Conventions
-----------
* An interval method is named ``wilson`` (Wilson's for single proportions, percentile for all else: the default),
  ``percentile`` or ``bca`` (bootstrap over clusters for all but the shares of answer statuses).
* ``replicates`` of two estimates belong together: models are resampled alike, and tasks independently. So the
  replicates of a sum or a difference are the sums or differences of the replicates.
* ``influence`` holds what each cluster adds to the value; it is there only if BCa intervals are wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tools.stats import Floats, bca_interval, percentile_interval, wilson_interval

WILSON, PERCENTILE, BCA = METHODS = ("wilson", "percentile", "bca")


class Estimate(NamedTuple):
    """A value with its interval, the number of trials behind it and, if it was bootstrapped, the replicates."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    replicates: Floats | None = None
    influence: Floats | None = None


Estimates = dict[str, Estimate]


class ScoreRow(NamedTuple):
    """One line of the tidy table."""

    model: str
    task: str
    condition: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    n: int


def proportion(value: float, n: int) -> Estimate:
    """Return the estimate of a single proportion, with the interval of Wilson."""
    return Estimate(value, *wilson_interval(round(value * n), n), n)


def bootstrapped(value: float, n: int, replicates: Floats, influence: Floats | None = None) -> Estimate:
    """Return an estimate with the BCa interval if influences are given, else the percentile interval."""
    if influence is None:
        interval = percentile_interval(replicates)
    else:
        interval = bca_interval(replicates, value, influence)
    low, high = interval or (None, None)
    return Estimate(value, low, high, n, replicates, influence)


def weighted_sum(parts: Sequence[tuple[float, Estimate]], n: int, is_paired: bool) -> Estimate:
    """Return a weighted sum of estimates, with an interval if all have replicates.

    Parameters
    ----------
    parts : sequence of (weight, Estimate)
        If any is undefined, so is the sum.
    n : int
        Number of trials behind the sum.
    is_paired : bool
        Whether the estimates are over the same clusters, resampled alike, rather than over different ones.
    """
    terms = [(weight, e.value) for weight, e in parts if e.value is not None]
    if not terms or len(terms) < len(parts):
        return Estimate(None, None, None, n)
    value = sum(weight * term for weight, term in terms)
    replicates = [weight * e.replicates for weight, e in parts if e.replicates is not None]
    if len(replicates) < len(parts):
        return Estimate(value, None, None, n)
    influences = [weight * e.influence for weight, e in parts if e.influence is not None]
    influence = None
    if len(influences) == len(parts):
        influence = np.sum(influences, axis=0) if is_paired else np.concatenate(influences)
    return bootstrapped(value, n, np.sum(replicates, axis=0), influence)


def difference(a: Estimate, b: Estimate) -> Estimate:
    """Return a - b of two models on the same trials."""
    return weighted_sum([(1.0, a), (-1.0, b)], a.n, is_paired=True)
