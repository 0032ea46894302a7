"""Two-sided intervals: Wilson's for one proportion, percentile and BCa from bootstrap replicates."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LEVEL = 0.95
_TIE = 1e-12  # replicates closer than this to a value equal it; rates are ratios of counts, far further apart


class Interval(NamedTuple):
    """A two-sided interval."""

    low: float
    high: float


def wilson_interval(hits: int, n: int, level: float = LEVEL) -> Interval:
    """Return the score interval of one proportion (Wilson 1927), without continuity correction."""
    if not 0 <= hits <= n or n == 0:
        raise ValueError(f"{hits} of {n} is not a proportion")
    z = NormalDist().inv_cdf(0.5 + level / 2.0)
    rate = hits / n
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return Interval(0.0 if hits == 0 else centre - half, 1.0 if hits == n else centre + half)


def percentile_interval(replicates: Floats, level: float = LEVEL) -> Interval | None:
    """Return the percentile interval of bootstrap replicates, leaving out undefined ones; None if all are."""
    defined = replicates[np.isfinite(replicates)]
    if defined.size == 0:
        return None
    low, high = np.quantile(defined, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return Interval(float(low), float(high))


def bca_interval(replicates: Floats, value: float, influence: Floats, level: float = LEVEL) -> Interval | None:
    """Return the bias-corrected and accelerated interval (Efron 1987).

    Parameters
    ----------
    replicates : array, shape (n_bootstrap,)
        Undefined ones are left out. Those that equal the value count half as below it.
    value : float
        The observed value.
    influence : array
        What each cluster adds to the value, by the jackknife; see :func:`tools.stats.clusters.influence`.

    Returns
    -------
    interval : Interval or None
        None if no replicate is defined, all lie on one side of the value, or an influence is undefined.
    """
    from scipy.special import ndtr, ndtri

    defined = replicates[np.isfinite(replicates)]
    if defined.size == 0 or not np.all(np.isfinite(influence)):
        return None
    if np.ptp(defined) <= _TIE:
        return Interval(float(defined[0]), float(defined[0]))
    below = (np.mean(defined < value - _TIE) + np.mean(defined <= value + _TIE)) / 2.0
    if below in (0.0, 1.0):
        return None
    bias = ndtri(below)
    z = bias + ndtri([(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    low, high = np.quantile(defined, ndtr(bias + z / (1.0 - acceleration(influence) * z)))
    return Interval(float(low), float(high))


def acceleration(influence: Floats) -> float:
    """Return sum u^3 / (6 (sum u^2)^(3/2)) of the influences u (Efron & Tibshirani 1993, eq. 14.15)."""
    second = float(np.sum(influence**2))
    return float(np.sum(influence**3)) / (6.0 * second**1.5) if second > 0.0 else 0.0
