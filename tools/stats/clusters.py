"""Sums over the trials of a cluster, for bootstrap and jackknife.

A statistic of rates is a function of sums. So a resample needs no trials: it is the clusters' sums, each counted as
often as the cluster was drawn, and all resamples are one matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tools.stats.intervals import Floats

N_BOOTSTRAP = 10_000
_CHUNK = 1000
_EXACT_IN_SINGLE = 2.0**24  # whole numbers below it are exact in single precision, which is twice as fast


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
    if _is_exact_in_single(sums):
        return (np.ascontiguousarray(sums.T, dtype=np.float32) @ weights).astype(np.float64).T
    parts = range(0, n_bootstrap, _CHUNK)
    totals = [sums.T @ weights[:, start : start + _CHUNK].astype(np.float64) for start in parts]
    return np.concatenate(totals, axis=1).T if totals else np.zeros((0, sums.shape[1]))


def _is_exact_in_single(sums: Floats) -> bool:
    """Tell whether every total of a resample is a whole number that single precision holds, as those of counts are."""
    largest = len(sums) * np.abs(sums).max(initial=0.0)
    return bool(largest < _EXACT_IN_SINGLE and np.all(sums == np.rint(sums)))


@lru_cache(maxsize=3)  # the classes of a task, drawn once for all its models
def _resampling_weights(n_clusters: int, n_bootstrap: int, seed: tuple[int, ...]) -> NDArray[np.float32]:
    """Return how often each cluster is drawn in each replicate: multinomial, by counting uniform draws.

    The shape is (n_clusters, n_bootstrap), by which the product with sums is several times as fast.
    """
    generator = np.random.default_rng(list(seed))
    weights = np.zeros((n_clusters, n_bootstrap), dtype=np.float32)
    for start in range(0, n_bootstrap if n_clusters else 0, _CHUNK):
        rows = min(_CHUNK, n_bootstrap - start)
        drawn = generator.integers(0, n_clusters, size=(rows, n_clusters))
        drawn += np.arange(rows)[:, None] * n_clusters
        counts = np.bincount(drawn.ravel(), minlength=rows * n_clusters)
        weights[:, start : start + rows] = counts.reshape(rows, n_clusters).T
    return weights


def leave_one_out_sums(sums: Floats) -> Floats:
    """Return the totals with each cluster left out, shape (clusters, k), of sums per cluster, shape (clusters, k)."""
    return sums.sum(axis=0, keepdims=True) - sums


def influence(left_out: Floats) -> Floats:
    """Return what each cluster of one stratum adds to a statistic.

    Parameters
    ----------
    left_out : array, shape (clusters,)
        The statistic with each cluster left out.

    Returns
    -------
    influence : array, shape (clusters,)
        (n - 1) / n times (mean - value left out). So scaled, the influences of several strata, drawn independently,
        are put in one array for :func:`tools.stats.intervals.acceleration` (Davison & Hinkley 1997, section 5.3),
        and those of a weighted sum of statistics are the weighted sums of theirs.
    """
    n = left_out.size
    return (left_out.mean() - left_out) * ((n - 1) / n) if n else left_out
