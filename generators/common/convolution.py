"""Convolution of integers through the FFT, exact.

The result of convolving whole numbers is a whole number; a floating-point FFT comes within a known
distance of it, and rounding removes the rest.

Bound
-----
For cyclic convolution of length 2**n in arithmetic with unit roundoff u, Percival (2003, "Rapid
multiplication modulo the sum and difference of highly composite numbers", theorem 5.1) bounds the
largest error by ``|x| |h| ((1+u)**(3n) (1+u sqrt(5))**(3n+1) (1+b)**(3n) - 1)`` with Euclidean norms and
twiddle factors within b of the truth (b = u here, doubled for a margin). The theorem is for the radix-2
algorithm; that of scipy.fft takes fewer roundings, and on the worst signal that could be built its error
was a thousandth of the bound (a test does it again). For every block the bound must stay at or below 1/4,
and so must the distance actually seen from the nearest whole number.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.fft
from numpy.typing import NDArray

FFT_SIZE = 16384  # samples; blocks of it keep the error and the cached spectrum small
MAX_ERROR = 0.25
_UNIT_ROUNDOFF = 2.0**-53
_STAGES = FFT_SIZE.bit_length() - 1
# first order in u, which is exact to 1e-13 of the value: 3n + (3n+1) sqrt(5) + 2 (3n)
BOUND_FACTOR = (9 * _STAGES + (3 * _STAGES + 1) * math.sqrt(5.0)) * _UNIT_ROUNDOFF


class ExactnessError(ArithmeticError):
    """A convolution could not be proven exact; nothing was returned."""


class IntegerFilter:
    """An FIR filter with whole-number taps, for whole-number signals.

    Parameters
    ----------
    taps : ndarray of int64, shape (length,)
        At most half of ``FFT_SIZE`` taps.
    """

    def __init__(self, taps: NDArray[np.int64]) -> None:
        if not 0 < taps.size <= FFT_SIZE // 2:
            raise ValueError(f"between 1 and {FFT_SIZE // 2} taps are possible, got {taps.size}")
        self.taps = np.asarray(taps, dtype=np.int64)
        self._norm = math.sqrt(float(np.square(self.taps.astype(np.float64)).sum()))
        self._spectrum = scipy.fft.rfft(self.taps.astype(np.float64), FFT_SIZE)

    def __call__(self, signal: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the samples whose window lies wholly within the signal.

        Parameters
        ----------
        signal : ndarray of integers, shape (n,)
            At least as long as the filter.

        Returns
        -------
        ndarray of float64, shape (n - taps + 1,)
            Whole numbers.

        Raises
        ------
        ExactnessError
            The bound or the run-time guard does not hold for this signal.
        """
        overlap = self.taps.size - 1
        if signal.size <= overlap:
            raise ValueError(f"the signal has {signal.size} samples, the filter {self.taps.size}")
        result = np.empty(signal.size - overlap)
        window = np.empty(FFT_SIZE)
        # overlap-save: each window begins with the tail of the one before, and its first samples are discarded;
        # one at a time, since a window stays in the cache and all of them would not
        for start in range(0, result.size, FFT_SIZE - overlap):
            part = signal[start : start + FFT_SIZE]
            window[: part.size] = part
            window[part.size :] = 0.0
            whole = self._convolve(window)[overlap:]
            result[start : start + whole.size] = whole[: result.size - start]
        return result

    def _convolve(self, window: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the cyclic convolution of one window with the taps, proven exact."""
        bound = math.sqrt(float(np.einsum("i,i->", window, window))) * self._norm * BOUND_FACTOR
        if not bound <= MAX_ERROR:
            raise ExactnessError(
                f"the error bound {bound:.3f} exceeds {MAX_ERROR}; lower the scale of the signal or the taps"
            )
        product = scipy.fft.irfft(scipy.fft.rfft(window) * self._spectrum, FFT_SIZE)
        rounded = np.rint(product)
        product -= rounded
        if max(product.max(), -product.min()) > MAX_ERROR:
            raise ExactnessError("a convolution strayed more than 1/4 from whole numbers; lower the taps' scale")
        return rounded
