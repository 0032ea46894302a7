"""zwicker_tone: noise with a notch, then digital silence.

What is heard: by about half of listeners, a faint decaying tone with a pitch inside the notch, after the
noise has stopped (Zwicker 1964, J. Acoust. Soc. Am. 36, 2413). What is there: zeros.

Columns used: ``low_hz``, ``high_hz``, ``notch_centre_hz``, ``notch_width_oct``, ``slope_db_per_octave``,
``noise_ms``, ``rest_ms``, ``gain_db``; for a control with a real tone ``tone_hz``, ``tone_level_db``,
``tone_half_life_ms`` and ``level_db``. The noise comes from the stream ``noise``. Markers: ``noise``, ``rest``.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from generators.common.additive import additive
from generators.common.clip import FULL_SCALE, Clip, mono_clip
from generators.common.convolution import IntegerFilter
from generators.common.envelopes import apply_ramps, exponential_decay
from generators.common.exact import Floats, exp2, gain, increments, log2, sample_count, scalar_gain
from generators.common.filters import TAP_SCALE, staircase_filter
from generators.common.noise import gaussian_noise
from generators.common.seeding import random_words
from meta.schema import Row

TASK = "zwicker_tone"
EDGE_MS = 250
RISE_MS = 20
FALL_MS = 10
STEPS_PER_OCTAVE = 6
REFERENCE_HZ = 1000.0
HEADROOM = 0.25  # of the noise at gain_db 0, so that it cannot clip when it is measured
SQRT_2 = 1.4142135623730951


def render(row: Row, rate_hz: int) -> Clip:
    """Return the clip of one row."""
    start = sample_count(EDGE_MS, rate_hz)
    stop = start + sample_count(row["noise_ms"], rate_hz)
    end = stop + sample_count(row["rest_ms"], rate_hz)
    signal = np.zeros(end)
    signal[start:stop] = _noise(row, stop - start, rate_hz)
    apply_ramps(signal[start:stop], sample_count(RISE_MS, rate_hz), sample_count(FALL_MS, rate_hz))
    if row["tone_hz"] is not None:
        last = end - sample_count(EDGE_MS, rate_hz)
        signal[stop:last] = _real_tone(row, last - stop, rate_hz)
    return mono_clip(signal, rate_hz, {"noise": (start, stop), "rest": (stop, end)})


def _noise(row: Row, length: int, rate_hz: int) -> Floats:
    shape = _noise_filter(
        row["low_hz"],
        row["high_hz"],
        row["notch_centre_hz"],
        row["notch_width_oct"],
        row["slope_db_per_octave"],
        rate_hz,
    )
    words = random_words(TASK, row["stimulus_id"], "noise", length + shape.taps.size - 1)
    unit = 1.0 / (TAP_SCALE * FULL_SCALE)
    return shape(gaussian_noise(words)) * (unit * HEADROOM * scalar_gain(row["gain_db"]))


def _real_tone(row: Row, length: int, rate_hz: int) -> Floats:
    amplitude = SQRT_2 * scalar_gain(row["level_db"] + row["tone_level_db"])
    tone = additive(increments([row["tone_hz"]], rate_hz), [0], [amplitude], length)
    tone *= exponential_decay(length, sample_count(row["tone_half_life_ms"], rate_hz))
    return apply_ramps(tone, sample_count(RISE_MS, rate_hz), sample_count(RISE_MS, rate_hz))


@lru_cache(maxsize=128)
def _noise_filter(
    low_hz: int, high_hz: int, centre_hz: int | None, width_oct: float | None, slope_db: float, rate_hz: int
) -> IntegerFilter:
    """Return band-limited noise shaping with a slope in steps and, if a centre is given, a notch."""
    count = int(np.rint(log2(high_hz / low_hz) * STEPS_PER_OCTAVE))
    grid = low_hz * exp2(log2(high_hz / low_hz) * np.arange(count + 1) / count)
    edges = grid.tolist()
    if centre_hz is not None and width_oct is not None:
        notch = (centre_hz * float(exp2(-width_oct / 2)), centre_hz * float(exp2(width_oct / 2)))
        edges = [edge for edge in edges if not notch[0] <= edge <= notch[1]] + list(notch)
    else:
        notch = (0.0, 0.0)
    edges.sort()
    middles = np.array([(low + high) / 2 for low, high in zip(edges, edges[1:])])  # noqa: B905  pairs of neighbours
    levels_db = slope_db * log2(middles / REFERENCE_HZ)
    levels = gain(levels_db - levels_db.max())
    return staircase_filter(edges, np.where((middles > notch[0]) & (middles < notch[1]), 0.0, levels).tolist(), rate_hz)
