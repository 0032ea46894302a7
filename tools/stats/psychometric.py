"""Where along a parameter does an answer change, and how steeply? The psychometric function.

Conventions
-----------
* psi(x) = guess + (1 - guess - lapse) F(intercept + gain x), the rate of the answer at level x of the parameter.
  F is the logistic or the standard normal distribution; guess and lapse are stated, not fitted.
* ``pse``: the point of subjective equality, where F = 1/2; in the unit of x.
* ``slope``: d psi / dx there, per unit of x; negative where the answer gets rarer (Wichmann & Hill 2001).
* Trials of one cluster are resampled together.

Data without a PSE are refused with :class:`NoFit`: an answer that changes at once, so that the slope has no bound, or
one that does not change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tools.stats.clusters import bootstrap_sums, cluster_sums
from tools.stats.intervals import LEVEL, Floats, Interval, percentile_interval

LOGISTIC, GAUSSIAN = "logistic", "gaussian"
N_REFITS = 1000
FLAT = 0.05  # p of the likelihood-ratio test against a constant rate at which data count as flat
STEEP = 1e-4  # a level at which F is this near 0 or 1 says nothing of the slope; a fit needs two that do
_EDGE = 1e-12  # keeps logarithms of rates finite


class NoFit(ValueError):
    """The data have no psychometric function; the message says why."""


@dataclass(frozen=True)
class Shape:
    """The form of a psychometric function: the distribution, the guess rate and the lapse rate."""

    distribution: str = LOGISTIC
    guess: float = 0.0
    lapse: float = 0.0

    def __post_init__(self) -> None:
        if self.distribution not in (LOGISTIC, GAUSSIAN):
            raise ValueError(f"{self.distribution!r} is neither {LOGISTIC!r} nor {GAUSSIAN!r}")
        if self.guess < 0.0 or self.lapse < 0.0 or self.guess + self.lapse >= 1.0:
            raise ValueError(f"guess {self.guess} and lapse {self.lapse} leave no room for a function")

    @property
    def span(self) -> float:
        """The height of the function."""
        return 1.0 - self.guess - self.lapse

    @property
    def density_at_pse(self) -> float:
        """The derivative of F where it is 1/2."""
        return 1 / 4 if self.distribution == LOGISTIC else 1 / sqrt(2 * pi)

    def rate(self, z: Floats) -> Floats:
        """Return psi at z = intercept + gain x."""
        return self.guess + self.span * _distribution(self.distribution)(z)

    def density(self, z: Floats) -> Floats:
        """Return d psi / dz."""
        if self.distribution == GAUSSIAN:
            return self.span * np.exp(-z * z / 2.0) / sqrt(2.0 * pi)
        half = _distribution(LOGISTIC)(z)
        return self.span * half * (1.0 - half)


def _distribution(name: str) -> Callable[[Floats], Floats]:
    from scipy.special import expit, ndtr

    return expit if name == LOGISTIC else ndtr


class Fit(NamedTuple):
    """A psychometric function fitted by maximum likelihood."""

    pse: float
    slope: float
    intercept: float
    gain: float
    log_likelihood: float


class Intervals(NamedTuple):
    """Percentile intervals of a fit, and the share of resamples that had no fit and are not in them."""

    pse: Interval | None
    slope: Interval | None
    unfitted: float


def fit(x: ArrayLike, hits: ArrayLike, n: ArrayLike, shape: Shape | None = None) -> Fit:
    """Fit a psychometric function to counts by maximum likelihood.

    Parameters
    ----------
    x, hits, n : array_like, shape (levels,)
        Levels of the parameter, how often the answer was given there, and how often it could be.
    shape : Shape, optional
        Logistic without guesses and lapses by default.

    Raises
    ------
    NoFit
        There are fewer than two levels, or the data are separable or flat.
    """
    levels, k, trials = (np.asarray(values, dtype=np.float64) for values in (x, hits, n))
    if np.any(k < 0) or np.any(k > trials) or not np.all(np.isfinite(levels)):
        raise ValueError("levels must be finite and hits between 0 and n")
    kept = trials > 0
    levels, k, trials = levels[kept], k[kept], trials[kept]
    _refuse_separable(levels, k, trials)
    shape = shape or Shape()
    found = _maximise(levels, k, trials, shape)
    _refuse_step(found, levels, shape)
    _refuse_flat(found, k, trials, shape)
    return found


def _refuse_separable(x: Floats, hits: Floats, n: Floats) -> None:
    """Raise NoFit where no maximum exists (Albert & Anderson 1984)."""
    if np.unique(x).size < 2:
        raise NoFit(f"{np.unique(x).size} level of the parameter; a function needs two or more")
    given, withheld = x[hits > 0], x[hits < n]
    if given.size == 0 or withheld.size == 0:
        raise NoFit(f"flat: the answer is {'never' if given.size == 0 else 'always'} given")
    for lower, upper in ((withheld, given), (given, withheld)):
        if lower.max() <= upper.min():
            raise NoFit(f"separable: the answer changes at once at {lower.max():g}..{upper.min():g}; no finite slope")


def _refuse_step(found: Fit, x: Floats, shape: Shape) -> None:
    """Raise NoFit where the maximum lies at an infinite slope, as it may with guesses or lapses."""
    share = _distribution(shape.distribution)(found.intercept + found.gain * x)
    if np.count_nonzero(np.minimum(share, 1.0 - share) > STEEP) < 2:
        raise NoFit(f"separable: a step at {found.pse:g} fits best; no finite slope")


def _refuse_flat(found: Fit, hits: Floats, n: Floats, shape: Shape) -> None:
    """Raise NoFit where a constant rate does as well."""
    from scipy.special import chdtrc

    rate = np.clip(hits.sum() / n.sum(), shape.guess, 1.0 - shape.lapse)
    constant = _log_likelihood(np.full(hits.shape, rate), hits, n)
    p = float(chdtrc(1.0, max(0.0, 2.0 * (found.log_likelihood - constant))))
    if p > FLAT or found.gain == 0.0:
        raise NoFit(f"flat: the rate of the answer does not change with the parameter (p = {p:.2g})")


def _log_likelihood(rate: Floats, hits: Floats, n: Floats) -> float:
    rate = np.clip(rate, _EDGE, 1.0 - _EDGE)
    return float(np.sum(hits * np.log(rate) + (n - hits) * np.log1p(-rate)))


def _maximise(x: Floats, hits: Floats, n: Floats, shape: Shape, start: Sequence[float] | None = None) -> Fit:
    """Return the fit, found over standardised levels, where intercept and gain are of one size."""
    from scipy.optimize import minimize

    centre, spread = float(np.average(x, weights=n)), float(np.ptp(x))
    levels = (x - centre) / spread

    def loss(parameters: Floats) -> tuple[float, Floats]:
        z = parameters[0] + parameters[1] * levels
        rate = np.clip(shape.rate(z), _EDGE, 1.0 - _EDGE)
        by_z = (hits / rate - (n - hits) / (1.0 - rate)) * shape.density(z)
        return -_log_likelihood(rate, hits, n), -np.array([by_z.sum(), by_z @ levels])

    rising = 1.0 if (hits / n - hits.sum() / n.sum()) @ (n * levels) >= 0 else -1.0
    starts = [start] if start is not None else [(0.0, rising * gain) for gain in (1.0, 4.0, 16.0)]
    fits = [minimize(loss, begin, jac=True, method="BFGS") for begin in starts]  # guesses can make it not concave
    best = min(fits, key=lambda result: result.fun)
    gain = float(best.x[1]) / spread
    intercept = float(best.x[0]) - gain * centre
    pse = -intercept / gain if gain else float("nan")
    return Fit(pse, shape.span * shape.density_at_pse * gain, intercept, gain, -float(best.fun))


def bootstrap_fit(
    x: ArrayLike,
    answered: ArrayLike,
    cluster_ids: Sequence[str],
    shape: Shape | None = None,
    n_refits: int = N_REFITS,
    seed: tuple[int, ...] = (0,),
    level: float = LEVEL,
) -> tuple[Fit, Intervals]:
    """Fit a psychometric function to trials, with intervals by a bootstrap over clusters.

    Parameters
    ----------
    x, answered, cluster_ids : shape (trials,)
        Level of the parameter, whether the answer was given, and cluster of each trial.
    shape : Shape, optional
        Logistic without guesses and lapses by default.
    n_refits : int
        Number of resamples; each is fitted anew.
    seed : tuple of int
        Seeds the resampling.

    Returns
    -------
    fit : Fit
    intervals : Intervals
        A resample without a fit (separable, or one level) is left out and counted.

    Raises
    ------
    NoFit
        As :func:`fit`.
    """
    shape = shape or Shape()
    levels, place = np.unique(np.asarray(x, dtype=np.float64), return_inverse=True)
    at_level = np.eye(levels.size)[place]
    sums = cluster_sums(cluster_ids, np.hstack([at_level * np.asarray(answered, dtype=np.float64)[:, None], at_level]))
    hits, n = np.split(sums.sum(axis=0), 2)
    found = fit(levels, hits, n, shape)
    resampled = bootstrap_sums(sums, n_refits, seed)
    pairs = [_refit(levels, totals[: levels.size], totals[levels.size :], shape, found) for totals in resampled]
    pse, slope = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    unfitted = float(np.mean(np.isnan(pse))) if n_refits else 0.0
    return found, Intervals(percentile_interval(pse, level), percentile_interval(slope, level), unfitted)


def _refit(levels: Floats, hits: Floats, n: Floats, shape: Shape, near: Fit) -> tuple[float, float]:
    """Return PSE and slope of one resample, not a number where it has none."""
    x, hits, n = levels[n > 0], hits[n > 0], n[n > 0]
    try:
        _refuse_separable(x, hits, n)
        centre = float(np.average(x, weights=n))
        start = (near.intercept + near.gain * centre, near.gain * float(np.ptp(x)))
        refit = _maximise(x, hits, n, shape, start)
        _refuse_step(refit, x, shape)
    except NoFit:
        return float("nan"), float("nan")
    return refit.pse, refit.slope
