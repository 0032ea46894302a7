"""Noise from raw random words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from generators.common.exact import EVALUATION_BLOCK

_LANES_MEAN = 131070  # four lanes of 0..65535
_EVEN_LANES = np.uint64(0x0000FFFF0000FFFF)
_LOW_HALF = np.uint64(0xFFFFFFFF)
# Standard deviation of one sample: four uniform 16-bit lanes, quartered by the shift below.
GAUSSIAN_SD = 9459.3


def gaussian_noise(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return near-Gaussian white noise, one sample a word.

    The sum of the four 16-bit lanes of a word (Irwin-Hall, excess kurtosis -0.3), centred and
     shifted to the range of int16.

     Parameters
     ----------
     words : ndarray of uint64, shape (n,)

     Returns
     -------
     ndarray of int64, shape (n,)
         Within [-32768, 32767].
    """
    noise = np.empty(words.size, dtype=np.int64)
    for start in range(0, words.size, EVALUATION_BLOCK):
        noise[start : start + EVALUATION_BLOCK] = _lane_sum(words[start : start + EVALUATION_BLOCK])
    noise -= _LANES_MEAN
    noise >>= 2
    return noise


def _lane_sum(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    # lanes 0 + 1 and 2 + 3 side by side, then both together: contiguous passes, no strided lanes
    pairs = (words & _EVEN_LANES) + ((words >> np.uint64(16)) & _EVEN_LANES)
    return (pairs + (pairs >> np.uint64(32))) & _LOW_HALF
