"""Sensitivity, criterion and illusion index from rates.

Conventions
-----------
* H, the hit rate, is the rate of an answer where it is right; F, the false-alarm rate, where it is wrong.
* z is the inverse of the standard normal distribution; rates are shrunk before it, so that 0 and 1 have one.

Metrics
-------
* ``d_prime``: z(H) - z(F), of a single interval; ``d_prime_2afc``: the same over sqrt 2, of two.
* ``criterion``: -[z(H) + z(F)] / 2; positive where the answer is avoided, whatever is heard.
* ``illusion_index``: (pI - pA) / (pP - pA).
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from tools.stats.intervals import Floats

EVIDENCE = 0.1  # smallest lower bound of pP - pA at which an illusion index says anything


def shrunk_rate(rate: ArrayLike, n: int) -> Floats:
    """Shrink a rate toward 1/2, so that 0 and 1 have a finite z.

    With n trials this is the log-linear rule, (hits + 1/2) / (n + 1) (Hautus 1995), written as a
    weight 1/(n + 1) on 1/2, so that one weight can serve two classes of different sizes.

    Examples
    --------
    >>> round(float(shrunk_rate(1.0, 9)), 6)
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


def d_prime_2afc(hit_rate: ArrayLike, false_alarm_rate: ArrayLike, n: int) -> Floats:
    """Return the sensitivity in a choice between two intervals, [z(H) - z(F)] / sqrt 2 (Green & Swets 1966)."""
    return d_prime(hit_rate, false_alarm_rate, n) / sqrt(2.0)


def criterion(hit_rate: ArrayLike, false_alarm_rate: ArrayLike, n: int) -> Floats:
    """Return the criterion c = -[z(H) + z(F)] / 2 of shrunk rates (Macmillan & Creelman 2005); see :func:`d_prime`."""
    from scipy.special import ndtri

    total: Floats = ndtri(shrunk_rate(hit_rate, n)) + ndtri(shrunk_rate(false_alarm_rate, n))
    return 0.0 - total / 2.0  # not -total, which makes -0.0 of no bias


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
