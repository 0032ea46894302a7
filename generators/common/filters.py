"""Filters whose taps are whole numbers, built from exact arithmetic."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from generators.common.additive import additive
from generators.common.convolution import IntegerFilter
from generators.common.exact import TURN, Floats, cosine, increments

HALF_LENGTH = 2048  # taps either side of the centre: transitions of about 30 Hz at 16 kHz
TAP_SCALE = 2.0**21  # rounding the taps leaves a floor near -95 dB, and the error bound of a block still holds
# Four-term Blackman-Harris window, minimum side lobes -92 dB (Harris 1978, "On the use of windows", table 1).
_WINDOW = (0.35875, -0.48829, 0.14128, -0.01168)
_PI = 3.141592653589793


def staircase_filter(edges_hz: Sequence[float], gains: Sequence[float], rate_hz: int) -> IntegerFilter:
    """Return a linear-phase FIR filter whose gain is constant between given frequencies.

    Parameters
    ----------
    edges_hz : sequence of float, shape (bands + 1,)
        Ascending band edges; below the first and above the last nothing passes.
    gains : sequence of float, shape (bands,)
        Linear gain of each band, at most 1.
    rate_hz : int
        Sample rate.

    Returns
    -------
    IntegerFilter
        4097 taps, scaled by 2**21.
    """
    levels = np.concatenate(([0.0], np.asarray(gains, dtype=np.float64), [0.0]))
    drops = levels[:-1] - levels[1:]  # each edge adds (gain below - gain above) sin(2 pi f n) / (pi n)
    steps = increments(edges_hz, rate_hz)
    n = np.arange(1, HALF_LENGTH + 1)
    side = additive(steps, steps, drops, HALF_LENGTH) / (_PI * n)
    centre = 0.0
    for edge, drop in zip(edges_hz, drops.tolist(), strict=True):
        centre += drop * 2 * edge / rate_hz
    ideal = np.concatenate((side[::-1], [centre], side))
    return IntegerFilter(np.rint(ideal * _blackman_harris() * TAP_SCALE).astype(np.int64))


def _blackman_harris() -> Floats:
    length = 2 * HALF_LENGTH + 1
    position = np.rint(np.arange(length) / (length - 1) * 0.5 * TURN).astype(np.uint64) * np.uint64(2)
    window = np.full(length, _WINDOW[0])
    for harmonic, coefficient in enumerate(_WINDOW[1:], start=1):
        window = window + coefficient * cosine(position * np.uint64(harmonic))
    return window
