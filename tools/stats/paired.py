"""Two models on the same trials: is the difference more than chance?

Conventions
-----------
* All tests are two-sided; a p-value is in 0..1 and never 0.
* Cluster differences add up to the difference that is tested: flipping the sign of one swaps the two models there.

Tests
-----
* ``bootstrap_p``: the paired cluster bootstrap, inverted; it agrees with the percentile interval.
* ``sign_flip_p``: permutation over clusters; exact for few.
* ``mcnemar_p``: exact binomial test of the discordant trials, which it takes for independent.
* ``holm``: correction of a table of p-values.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from tools.stats.intervals import Floats

N_PERMUTATIONS = 10_000
_CHUNK = 1000
_TIE = 1e-9  # re the largest sum possible: weighted sums are not exact


def bootstrap_p(replicates: Floats) -> float | None:
    """Return the p-value of no difference from bootstrap replicates of a difference.

    Twice the smaller share of replicates at or beyond zero (Efron & Tibshirani 1993, section 15.4), with one added
    on top and below, so the smallest possible is 2 / (replicates + 1). None if no replicate is defined.
    """
    defined = replicates[np.isfinite(replicates)]
    if defined.size == 0:
        return None
    beyond = min(np.count_nonzero(defined <= 0.0), np.count_nonzero(defined >= 0.0))
    return float(min(1.0, 2.0 * (beyond + 1) / (defined.size + 1)))


def sign_flip_p(differences: ArrayLike, n_permutations: int = N_PERMUTATIONS, seed: tuple[int, ...] = (0,)) -> float:
    """Return the p-value of no difference by flipping the signs of whole clusters (Fisher 1935).

    Parameters
    ----------
    differences : array_like, shape (clusters,)
        Difference of each cluster. Clusters without one change nothing and are left out.
    n_permutations : int
        Where there are at most so many ways to flip, all are taken and the p-value is exact. Otherwise so many are
        drawn, and one is added on top and below (Phipson & Smyth 2010).
    seed : tuple of int
        Seeds the draw.

    Examples
    --------
    >>> sign_flip_p([1.0, 1.0, 1.0, 0.0])
    0.25
    """
    given = np.asarray(differences, dtype=np.float64)
    given = given[given != 0.0]
    extreme = abs(given.sum()) - _TIE * np.abs(given).sum()
    is_exact = given.size < 63 and 2**given.size <= n_permutations
    n_flips = 2**given.size if is_exact else n_permutations
    generator = np.random.default_rng(list(seed))
    hits = 0
    for start in range(0, n_flips, _CHUNK):
        rows = min(_CHUNK, n_flips - start)
        flips = _all_flips(start, rows, given.size) if is_exact else _drawn_flips(generator, rows, given.size)
        sums = given.sum() - 2.0 * (flips @ given)
        hits += int(np.count_nonzero(np.abs(sums) >= extreme))
    return hits / n_flips if is_exact else (hits + 1) / (n_flips + 1)


def _all_flips(start: int, rows: int, n: int) -> Floats:
    return ((np.arange(start, start + rows)[:, None] >> np.arange(n)) & 1).astype(np.float64)


def _drawn_flips(generator: np.random.Generator, rows: int, n: int) -> Floats:
    bits = np.frombuffer(generator.bytes(rows * (-(-n // 8))), dtype=np.uint8).reshape(rows, -1)
    return np.unpackbits(bits, axis=1, count=n).astype(np.float64)


def mcnemar_p(only_a: int, only_b: int) -> float:
    """Return the exact p-value of McNemar's (1947) test.

    Parameters
    ----------
    only_a, only_b : int
        Trials that A alone and that B alone got right. Twice the smaller tail of a fair binomial, at most 1.

    Examples
    --------
    >>> mcnemar_p(0, 5)
    0.0625
    """
    from scipy.special import bdtr

    if min(only_a, only_b) < 0:
        raise ValueError(f"{only_a} and {only_b} are not counts of trials")
    n = only_a + only_b
    return float(min(1.0, 2.0 * bdtr(min(only_a, only_b), n, 0.5))) if n else 1.0


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p-values corrected for the size of their table by the step-down method of Holm (1979).

    The rank-th smallest of m is multiplied by m + 1 - rank; none gets smaller than one before it, or greater
    than 1. None stays None and does not count.

    Examples
    --------
    >>> holm([0.01, None, 0.5, 0.02])
    [0.03, None, 0.5, 0.04]
    """
    ranked = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, place) in enumerate(ranked):
        largest = max(largest, min(1.0, p * (len(ranked) - rank)))
        corrected[place] = largest
    return corrected
