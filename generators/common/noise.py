"""Noise from raw random words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_LANES_MEAN = 131070  # four lanes of 0..65535
# Standard deviation of one sample: four uniform 16-bit lanes, quartered by the shift below.
GAUSSIAN_SD = 9459.2


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
    lanes = np.ascontiguousarray(words, dtype="<u8").view("<u2").reshape(-1, 4)
    total = lanes[:, 0].astype(np.int64)
    for lane in range(1, 4):
        total += lanes[:, lane]
    total -= _LANES_MEAN
    return np.asarray(total >> 2)
