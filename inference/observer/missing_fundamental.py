"""Is the first sound's frequency among the components of the second?"""

from __future__ import annotations

import re

import numpy as np

from inference.observer.signals import relative_level_db, sounding_segments, strongest_frequency_hz

QUESTION = re.compile(r"frequency components|contain a component", re.IGNORECASE)
_NEGATIVE = re.compile(r"\babsent\b", re.IGNORECASE)
_EDGE_S = 0.025  # ramps and a little more
_PRESENT_DB = -40.0  # true partials lie above -15 dB re the strongest, rounding noise below -80 dB


def observe(signal: np.ndarray, rate_hz: int, question: str) -> str:
    """Measure the reference's frequency, then the level of the complex there."""
    segments = sounding_segments(signal, rate_hz)
    if len(segments) != 2:
        raise ValueError(f"two sounds are expected, {len(segments)} were found")
    edge = int(_EDGE_S * rate_hz)
    reference, complex_tone = (segment[edge:-edge] for segment in segments)
    frequency_hz = strongest_frequency_hz(reference, rate_hz)
    present = relative_level_db(complex_tone, rate_hz, frequency_hz) > _PRESENT_DB
    return "yes" if present != bool(_NEGATIVE.search(question)) else "no"
