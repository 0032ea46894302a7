"""Does a tone sound after the noise has stopped?"""

from __future__ import annotations

import re

import numpy as np

QUESTION = re.compile(r"\bnoise\b.*\b(stops|ends)\b.*\btone\b", re.IGNORECASE | re.DOTALL)
_NEGATIVE = re.compile(r"\bfree of\b", re.IGNORECASE)
_FRAME_S = 0.005
_NOISE_OVER = -20.0  # dB re the loudest frame: the noise is above, a tone 40 dB down is below
_AFTER_S = 0.03  # past the noise's off-ramp
_TONAL_DB = 20.0  # a peak this far above the median of the spectrum is a tone


def observe(signal: np.ndarray, rate_hz: int, question: str) -> str:
    """Find where the noise ends, then look for anything in the rest, and whether it is tonal."""
    rest = _after_the_noise(signal, rate_hz)
    if not rest.any():
        heard = False
    else:
        spectrum = np.abs(np.fft.rfft(rest * np.hanning(rest.size)))
        peak_db = 20 * np.log10(spectrum.max() / np.median(spectrum))
        if peak_db < _TONAL_DB:
            raise ValueError(
                f"what follows the noise is neither silence nor a tone: its spectral peak is {peak_db:.0f} dB"
            )
        heard = True
    return "yes" if heard != bool(_NEGATIVE.search(question)) else "no"


def _after_the_noise(signal: np.ndarray, rate_hz: int) -> np.ndarray:
    frame = int(_FRAME_S * rate_hz)
    frames = signal[: signal.size // frame * frame].reshape(-1, frame)
    level_db = 10 * np.log10(np.mean(frames**2, axis=1) + 1e-9)
    last = int(np.flatnonzero(level_db > level_db.max() + _NOISE_OVER)[-1])
    rest = signal[(last + 1) * frame + int(_AFTER_S * rate_hz) :]
    if rest.size < rate_hz:
        raise ValueError("less than a second follows the noise")
    return rest
