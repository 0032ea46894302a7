"""Additive synthesis as one integer matrix product.

sin(a + b) = sin a cos b + cos a sin b. Time is cut into blocks: ``a`` is a partial's phase at the
start of a block, ``b`` its advance within one. One matrix holds the sines and cosines of the
block starts, times the amplitude, as multiples of 2**-26; the other those of the advances, as
multiples of 2**-24. Every product and every partial sum is then a whole number of 2**-50 below
2**53, hence exact, and a BLAS may add in any order, with or without fused multiply-add.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from generators.common.exact import QUARTER_TURN, Floats, Phases, sine

_START_SCALE = 2.0**26
_ADVANCE_SCALE = 2.0**24
_PRODUCT_UNIT = 2.0**-50  # 1 / (_START_SCALE * _ADVANCE_SCALE)
MAX_AMPLITUDE_SUM = 4.0  # sum of amplitudes; keeps every partial sum below 2**53 units
_LARGEST_BLOCK = 2048  # samples; the advances of ten partials then still fit the level-2 cache


def additive(increment: ArrayLike, phase: ArrayLike, amplitude: ArrayLike, length: int) -> Floats:
    """Return sums of sines.

    Parameters
    ----------
    increment, phase : array_like of uint64, shape (..., partials)
        Phase increment and starting phase of each partial; see :mod:`generators.common.exact`.
    amplitude : array_like of float, shape (..., partials)
        Linear amplitudes; their sum must not exceed 4.
    length : int
        Samples.

    Returns
    -------
    ndarray of float64, shape (..., length)
        Whole multiples of 2**-50; the error is below 6e-8 times the sum of the amplitudes, plus 2**-26 a partial.

    Raises
    ------
    ValueError
        The amplitudes sum to more than 4, so exactness would be lost.
    """
    step, start, level = np.broadcast_arrays(
        np.asarray(increment, dtype=np.uint64),
        np.asarray(phase, dtype=np.uint64),
        np.asarray(amplitude, dtype=np.float64),
    )
    largest = float(np.abs(level).sum(axis=-1).max()) if level.size else 0.0
    if largest > MAX_AMPLITUDE_SUM:
        raise ValueError(f"the amplitudes sum to {largest:.3f}, at most {MAX_AMPLITUDE_SUM} keeps the product exact")
    block = _block_length(length)
    blocks = -(-length // block)
    advance = step[..., :, None] * np.arange(block, dtype=np.uint64)  # (..., partials, block)
    begin = start[..., None, :] + step[..., None, :] * (np.arange(blocks, dtype=np.uint64) * np.uint64(block))[:, None]
    starts, advances = _sines_and_cosines(begin, advance)
    starts *= np.concatenate((level, level), axis=-1)[..., None, :]
    starts *= _START_SCALE
    np.rint(starts, out=starts)
    starts *= _PRODUCT_UNIT  # a power of two: scales the product without another pass over it
    advances *= _ADVANCE_SCALE
    np.rint(advances, out=advances)
    product = starts @ advances
    return product.reshape(*product.shape[:-2], blocks * block)[..., :length]


def _sines_and_cosines(begin: Phases, advance: Phases) -> tuple[Floats, Floats]:
    """Return sin and cos of ``begin`` along its last axis, cos and sin of ``advance`` along the one before."""
    begins = np.concatenate((begin, begin + QUARTER_TURN), axis=-1)
    advances = np.concatenate((advance + QUARTER_TURN, advance), axis=-2)
    # one call, since small arrays cost its overhead
    values = sine(np.concatenate((begins.reshape(-1), advances.reshape(-1))))
    return values[: begins.size].reshape(begins.shape), values[begins.size :].reshape(advances.shape)


def _block_length(length: int) -> int:
    """Return a power of two near the square root of the length, where the fewest sines are evaluated."""
    return min(1 << (max(length, 64).bit_length() // 2), _LARGEST_BLOCK)
