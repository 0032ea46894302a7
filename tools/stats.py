"""Rates, sensitivity and intervals.

Conventions
-----------
* A rate is a proportion in 0..1. Functions on rates accept arrays and work element by element.
* An interval is two-sided; ``level`` is its coverage.
* Trials of one parameter cell are not independent, so resampling draws whole clusters.
* Random draws come from a generator seeded by its arguments alone; 0 is a seed like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

N_BOOTSTRAP = 10_000
LEVEL = 0.95
EVIDENCE = 0.1  # smallest lower bound of pP - pA at which an illusion index says anything
_CHUNK = 1000


class Interval(NamedTuple):
    """A two-sided interval."""

    low: float
    high: float


def shrunk_rate(rate: ArrayLike, n: int) -> Floats:
    """Shrink a rate toward 1/2, so that 0 and 1 have a finite z.

    With n trials this is the log-linear rule, (hits + 1/2) / (n + 1) (Hautus 1995), written as a
    weight 1/(n + 1) on 1/2, so that one weight can serve two classes of different sizes.

    Examples
    --------
    >>> float(shrunk_rate(1.0, 9))
    0.95
    """
    if n < 1:
        raise ValueError(f"a rate over {n} trials cannot be shrunk")
    weight = 1.0 / (n + 1)
    return (1.0 - weight) * np.asarray(rate, dtype=np.float64) + weight / 2.0


def d_prime(hit_rate: ArrayLike, false_alarm_rate: ArrayLike, n: int) -> Floats:
    """Return the sensitivity z(hit rate) - z(false-alarm rate) of shrunk rates.

    Parameters
    ----------
    hit_rate, false_alarm_rate : array_like
        Rates of the same answer in the two classes.
    n : int
        Size of the smaller class. Both rates are shrunk by its weight, so equal rates give exactly
        0.0 whatever the sizes; for equal sizes the result is that of Hautus (1995).
    """
    from scipy.special import ndtri

    difference: Floats = ndtri(shrunk_rate(hit_rate, n)) - ndtri(shrunk_rate(false_alarm_rate, n))
    return difference


def illusion_index(p_illusion: ArrayLike, p_control_a: ArrayLike, p_control_p: ArrayLike) -> Floats:
    """Return (pI - pA) / (pP - pA): 0 as when nothing but the physics is heard, 1 as when the percept were real.

    Not clipped; NaN where pP = pA.

    Examples
    --------
    >>> float(illusion_index(0.5, 0.25, 0.75))
    0.5
    """
    base = np.asarray(p_control_a, dtype=np.float64)
    span = np.asarray(p_control_p, dtype=np.float64) - base
    index = np.full(np.broadcast(base, span, p_illusion).shape, np.nan)
    return np.divide(np.asarray(p_illusion, dtype=np.float64) - base, span, out=index, where=span != 0.0)


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


def cluster_sums(cluster_ids: Sequence[str], values: ArrayLike) -> Floats:
    """Sum values over the trials of each cluster.

    Parameters
    ----------
    cluster_ids : sequence of str, length n
        Cluster of each trial.
    values : array_like, shape (n, k)

    Returns
    -------
    sums : array, shape (clusters, k)
        In the order in which the clusters first appear.
    """
    columns = np.asarray(values, dtype=np.float64)
    place = {cluster: index for index, cluster in enumerate(dict.fromkeys(cluster_ids))}
    sums = np.zeros((len(place), columns.shape[1]))
    np.add.at(sums, [place[cluster] for cluster in cluster_ids], columns)
    return sums


def bootstrap_sums(sums: Floats, n_bootstrap: int, seed: tuple[int, ...]) -> Floats:
    """Return the totals of resampled clusters.

    Parameters
    ----------
    sums : array, shape (clusters, k)
        Sums per cluster.
    n_bootstrap : int
        Number of replicates.
    seed : tuple of int
        Seeds the draw; the same clusters, replicates and seed give the same draw, so that models
        are compared on the same resamples.

    Returns
    -------
    totals : array, shape (n_bootstrap, k)
    """
    weights = _resampling_weights(len(sums), n_bootstrap, seed)
    totals = [weights[start : start + _CHUNK].astype(np.float64) @ sums for start in range(0, n_bootstrap, _CHUNK)]
    return np.concatenate(totals) if totals else np.zeros((0, sums.shape[1]))


@lru_cache(maxsize=8)  # the classes of a task, drawn once for all its models
def _resampling_weights(n_clusters: int, n_bootstrap: int, seed: tuple[int, ...]) -> NDArray[np.uint16]:
    """Return how often each cluster is drawn in each replicate: multinomial, by counting uniform draws."""
    generator = np.random.default_rng(list(seed))
    weights = np.zeros((n_bootstrap, n_clusters), dtype=np.uint16)
    for start in range(0, n_bootstrap if n_clusters else 0, _CHUNK):
        rows = min(_CHUNK, n_bootstrap - start)
        drawn = generator.integers(0, n_clusters, size=(rows, n_clusters))
        drawn += np.arange(rows)[:, None] * n_clusters
        counts = np.bincount(drawn.ravel(), minlength=rows * n_clusters)
        weights[start : start + rows] = counts.reshape(rows, n_clusters)
    return weights
