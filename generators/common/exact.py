"""Elementary functions that give the same bits everywhere.

Only ``+ - * /``, ``sqrt``, ``rint``, comparisons and integer operations are used: IEEE-754 defines
their results to the last bit, while ``exp``, ``log``, ``sin`` and ``**`` differ between NumPy versions
and vector units, and a sum of general floats depends on its order.

Conventions
-----------
* A *phase* is an unsigned 64-bit integer: 2**64 is one turn, and it wraps freely, so there is no
  drift at any length.
* An *increment* is the phase advance of one sample.
* Amplitudes are linear, 1.0 is digital full scale; levels are in dB re full scale or as named.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

Phases = NDArray[np.uint64]
Floats = NDArray[np.float64]

TURN = 2.0**64  # exact: a power of two
QUARTER_TURN = np.uint64(1 << 62)
_HALF_TURN = np.uint64(1 << 63)
EVALUATION_BLOCK = 8192  # elements; three float64 buffers of it stay in the level-2 cache

# Taylor coefficients of sin(pi x) / x in x**2; on |x| <= 1/2 the first term left out is below 7e-12.
_SINE_COEFFICIENTS = (
    3.141592653589793,
    -5.16771278004997,
    2.5501640398773455,
    -0.5992645293207921,
    0.08214588661112823,
    -0.0073704309457143504,
    0.00046630280576761255,
    -2.1915353447830217e-05,
)
# Taylor coefficients ln(2)**k / k! of 2**x; on |x| <= 1/2 the first term left out is below 1e-17.
_EXP2_COEFFICIENTS = (
    1.0,
    0.6931471805599453,
    0.24022650695910072,
    0.05550410866482158,
    0.009618129107628477,
    0.0013333558146428443,
    0.0001540353039338161,
    1.5252733804059841e-05,
    1.321548679014431e-06,
    1.01780860092397e-07,
    7.054911620801123e-09,
    4.4455382718708116e-10,
    2.5678435993488206e-11,
    1.3691488853904128e-12,
)
_TWO_OVER_LN2 = 2.8853900817779268
_SQRT_HALF = 0.7071067811865476
_LOG2_OF_10_OVER_20 = 0.16609640474436813


def increments(frequency_hz: ArrayLike, rate_hz: int) -> Phases:
    """Return the phase increment of each frequency.

    Parameters
    ----------
    frequency_hz : array_like, any shape
        Frequencies in [0, rate_hz / 2).
    rate_hz : int
        Sample rate.

    Returns
    -------
    ndarray of uint64, same shape
        Rounded to 2**-64 of a turn where float64 has the bits, i.e. within 2**-53 of the frequency.
    """
    frequency = np.asarray(frequency_hz, dtype=np.float64)
    if frequency.size and (frequency.min() < 0 or frequency.max() * 2 >= rate_hz):
        raise ValueError(f"frequencies must lie in [0, {rate_hz / 2}) Hz, got {frequency.min()} to {frequency.max()}")
    return np.rint(frequency / rate_hz * TURN).astype(np.uint64)


def sine(phase: Phases) -> Floats:
    """Return the sine of phases, same shape, absolute error below 1e-10.

    An odd polynomial of degree 15 on the phase folded to a quarter turn either side of zero, in
    blocks that fit the cache.
    """
    flat = np.ascontiguousarray(phase, dtype=np.uint64).reshape(-1)
    result = np.empty(flat.size, dtype=np.float64)
    for start in range(0, flat.size, EVALUATION_BLOCK):
        block = flat[start : start + EVALUATION_BLOCK]
        _sine_block(block, result[start : start + block.size])
    return result.reshape(np.shape(phase))


def _sine_block(phase: Phases, out: Floats) -> None:
    # Beyond a quarter turn either side of zero, sin(half turn - p) = sin(p) folds the phase back.
    folded = np.where((phase + QUARTER_TURN) < _HALF_TURN, phase, _HALF_TURN - phase)
    x = folded.view(np.int64).astype(np.float64)
    x *= 2.0**-63  # half turns, in [-1/2, 1/2]
    square = x * x
    np.multiply(square, _SINE_COEFFICIENTS[-1], out=out)
    for coefficient in _SINE_COEFFICIENTS[-2:0:-1]:
        out += coefficient
        out *= square
    out += _SINE_COEFFICIENTS[0]
    out *= x


def cosine(phase: Phases) -> Floats:
    """Return the cosine of phases, same shape, absolute error below 1e-10."""
    return sine(np.asarray(phase, dtype=np.uint64) + QUARTER_TURN)


def exp2(exponent: ArrayLike) -> Floats:
    """Return 2**exponent, relative error below 1e-15, for exponents in [-1000, 1000]."""
    x = np.asarray(exponent, dtype=np.float64)
    if x.size and np.abs(x).max() > 1000:
        raise ValueError(f"exponents must lie in [-1000, 1000], got {x.min()} to {x.max()}")
    whole = np.rint(x)
    rest = x - whole
    result = np.full(x.shape, _EXP2_COEFFICIENTS[-1])
    for coefficient in _EXP2_COEFFICIENTS[-2::-1]:
        result = result * rest + coefficient
    power = ((whole.astype(np.int64) + 1023) << 52).view(np.float64)  # the exponent field of a double
    return np.asarray(result * power)


def log2(value: ArrayLike) -> Floats:
    """Return the logarithm to base 2 of positive numbers, absolute error below 1e-14."""
    mantissa, exponent = np.frexp(np.asarray(value, dtype=np.float64))
    if mantissa.size and mantissa.min() <= 0:
        raise ValueError("log2 needs positive numbers")
    low = mantissa < _SQRT_HALF
    mantissa = np.where(low, mantissa * 2, mantissa)
    t = (mantissa - 1) / (mantissa + 1)
    square = t * t
    series = np.zeros_like(t)
    for denominator in range(21, 0, -2):  # artanh t = t + t^3/3 + ..., |t| <= 0.172
        series = series * square + 1.0 / denominator
    return np.asarray(exponent - low + _TWO_OVER_LN2 * t * series)


def gain(level_db: ArrayLike) -> Floats:
    """Return the amplitude factor 10**(level_db / 20), relative error below 1e-13."""
    return exp2(np.asarray(level_db, dtype=np.float64) * _LOG2_OF_10_OVER_20)


@lru_cache(maxsize=4096)
def scalar_gain(level_db: float) -> float:
    """Return :func:`gain` of one level as a float; cached, since rows share a 0.01 dB grid."""
    return float(gain(level_db))


def ordered_sum(values: ArrayLike) -> float:
    """Return the sum of a one-dimensional array, added from first to last.

    A NumPy sum pairs its terms as its build likes, and Python's own compensates rounding since 3.12.
    """
    total = 0.0
    for value in np.asarray(values, dtype=np.float64).tolist():
        total += value
    return total


def root_sum_square(amplitudes: ArrayLike) -> float:
    """Return sqrt(sum of squares), added in order."""
    values = np.asarray(amplitudes, dtype=np.float64)
    return math.sqrt(ordered_sum(values * values))


def sample_count(duration_ms: int, rate_hz: int) -> int:
    """Return a duration in samples, rounded half up in whole-number arithmetic."""
    return (2 * duration_ms * rate_hz + 1000) // 2000
