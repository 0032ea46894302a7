"""missing_fundamental: a sine, silence, then a complex tone.

What is heard: the pitch of the complex at its fundamental, whether or not a partial lies there (residue
pitch: Schouten 1940). What is there: partials ``lowest_harmonic`` to ``highest_harmonic`` of ``f0_hz``.

Columns used: ``reference_hz``, ``reference_ms``, ``silence_ms``, ``f0_hz``, ``lowest_harmonic``,
``highest_harmonic``, ``tilt_db_per_octave``, ``phase`` (sine, or random from the stream ``phases``),
``complex_ms``, ``gain_db``. Markers: ``reference``, ``complex``.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from generators.common.additive import additive
from generators.common.clip import Clip, mono_clip
from generators.common.envelopes import apply_ramps
from generators.common.exact import (
    Floats,
    Phases,
    gain,
    increments,
    log2,
    ordered_sum,
    root_sum_square,
    sample_count,
    scalar_gain,
)
from generators.common.seeding import random_words
from meta.schema import Row

TASK = "missing_fundamental"
EDGE_MS = 250
RAMP_MS = 20


def render(row: Row, rate_hz: int) -> Clip:
    """Return the clip of one row."""
    ranks = np.arange(row["lowest_harmonic"], row["highest_harmonic"] + 1, dtype=np.uint64)
    amplitudes, effective = _amplitudes(row["lowest_harmonic"], row["highest_harmonic"], row["tilt_db_per_octave"])
    start_reference = sample_count(EDGE_MS, rate_hz)
    stop_reference = start_reference + sample_count(row["reference_ms"], rate_hz)
    start_complex = stop_reference + sample_count(row["silence_ms"], rate_hz)
    stop_complex = start_complex + sample_count(row["complex_ms"], rate_hz)

    reference = additive(increments([row["reference_hz"]], rate_hz), [0], [effective], stop_reference - start_reference)
    harmonics = increments(row["f0_hz"], rate_hz) * ranks  # whole multiples: harmonic to the bit
    complex_tone = additive(harmonics, _phases(row, ranks.size), amplitudes, stop_complex - start_complex)

    ramp = sample_count(RAMP_MS, rate_hz)
    signal = np.zeros(stop_complex + sample_count(EDGE_MS, rate_hz))
    signal[start_reference:stop_reference] = apply_ramps(reference, ramp, ramp)
    signal[start_complex:stop_complex] = apply_ramps(complex_tone, ramp, ramp)
    signal *= scalar_gain(row["gain_db"])
    return mono_clip(
        signal, rate_hz, {"reference": (start_reference, stop_reference), "complex": (start_complex, stop_complex)}
    )


@lru_cache(maxsize=256)
def _amplitudes(lowest: int, highest: int, tilt_db_per_octave: float) -> tuple[Floats, float]:
    """Return the partials' amplitudes, which sum to 1, and that of a sine with the same RMS level."""
    amplitudes = gain(tilt_db_per_octave * log2(np.arange(lowest, highest + 1)))
    amplitudes /= ordered_sum(amplitudes)
    amplitudes.setflags(write=False)  # shared by every row with this spectrum
    return amplitudes, root_sum_square(amplitudes)


def _phases(row: Row, count: int) -> Phases:
    if row["phase"] == "sine":
        return np.zeros(count, dtype=np.uint64)
    return random_words(TASK, row["stimulus_id"], "phases", count)
