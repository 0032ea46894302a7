"""Has the spectrum moved up or down between the first tone and the last?"""

from __future__ import annotations

import re

import numpy as np

QUESTION = re.compile(r"\b(first|last) tone\b.*\bpitch\b", re.IGNORECASE | re.DOTALL)
_BACKWARDS = re.compile(r"from the last tone to the first", re.IGNORECASE)
_MARGIN_S, _LENGTH_S = 0.005, 0.090  # inside the shortest tone (120 ms) less its crossfade (20 ms)
_LOWEST_HZ, _HIGHEST_HZ = 40.0, 7500.0
_SHIFT_OCT = 0.5  # a circular scale moves by 0, a real octave by 1


def observe(signal: np.ndarray, rate_hz: int, question: str) -> str:
    """Compare the log-frequency centroids of the first and the last tone."""
    nonzero = np.flatnonzero(signal)
    margin, length = int(_MARGIN_S * rate_hz), int(_LENGTH_S * rate_hz)
    begin, end = nonzero[0] + margin, nonzero[-1] + 1 - margin
    shift = log_centroid_oct(signal[end - length : end], rate_hz) - log_centroid_oct(
        signal[begin : begin + length], rate_hz
    )
    if _BACKWARDS.search(question):
        shift = -shift
    if abs(shift) < _SHIFT_OCT:
        return "same"
    return "up" if shift > 0 else "down"


def log_centroid_oct(signal: np.ndarray, rate_hz: int) -> float:
    """Return the power-weighted mean of log2 frequency."""
    size = 16384
    power = np.abs(np.fft.rfft(signal * np.hanning(signal.size), size)) ** 2
    frequency_hz = np.arange(power.size) * rate_hz / size
    band = (frequency_hz >= _LOWEST_HZ) & (frequency_hz <= _HIGHEST_HZ)
    return float(np.sum(power[band] * np.log2(frequency_hz[band])) / np.sum(power[band]))
