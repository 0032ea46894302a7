"""Measurements that several observers share."""

from __future__ import annotations

from typing import List

import numpy as np

_FFT_SIZE = 1 << 17


def sounding_segments(signal: np.ndarray, rate_hz: int, silence_s: float = 0.2) -> List[np.ndarray]:
    """Return the stretches of signal between digital silences of at least ``silence_s`` seconds."""
    nonzero = np.flatnonzero(signal)
    if not nonzero.size:
        raise ValueError("the recording is silent")
    breaks = np.flatnonzero(np.diff(nonzero) > silence_s * rate_hz)
    starts = np.concatenate(([nonzero[0]], nonzero[breaks + 1]))
    stops = np.concatenate((nonzero[breaks], [nonzero[-1]])) + 1
    return [signal[start:stop] for start, stop in zip(starts, stops)]


def strongest_frequency_hz(signal: np.ndarray, rate_hz: int) -> float:
    """Return the frequency of the highest spectral peak, interpolated over three bins in decibels."""
    size = max(_FFT_SIZE, 1 << (signal.size - 1).bit_length())
    magnitude = np.abs(np.fft.rfft(signal * np.hanning(signal.size), size))
    peak = int(np.clip(magnitude.argmax(), 1, magnitude.size - 2))
    left, middle, right = np.log(magnitude[peak - 1 : peak + 2] + 1e-300)
    return float((peak + 0.5 * (left - right) / (left - 2 * middle + right)) * rate_hz / size)


def relative_level_db(signal: np.ndarray, rate_hz: int, frequency_hz: float) -> float:
    """Return the level at a frequency re the strongest component (Blackman window, side lobes -58 dB)."""
    windowed = signal * np.blackman(signal.size)
    turns = frequency_hz / rate_hz * np.arange(signal.size)
    there = np.abs(np.sum(windowed * np.exp(-2j * np.pi * turns)))
    strongest = np.abs(np.fft.rfft(windowed, max(_FFT_SIZE, signal.size))).max()
    return float(20 * np.log10(there / strongest + 1e-12))
