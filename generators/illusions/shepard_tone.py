"""shepard_tone: a series of octave-spaced complexes under a bell over log frequency.

What is heard: a scale that goes on rising (or falling). What is there: after twelve semitones of a
circular scale every component has moved into the place of its neighbour, so the last tone is the
first, to the bit (Shepard 1964, J. Acoust. Soc. Am. 36, 2346). In a linear scale the bell moves with
the pitch, so the shift is real.

Columns used: ``scale``, ``contour``, ``start_class``, ``step_st``, ``tone_count``, ``tone_ms``, ``gap_ms``,
``envelope``, ``sigma_oct``, ``centre_re_c4_st``, ``gain_db``; the components' phases come from the stream
``phases``, one for each octave. Markers: ``tone_0`` to ``tone_<n-1>``.
"""

from __future__ import annotations

import numpy as np

from generators.common.additive import additive
from generators.common.clip import Clip, mono_clip
from generators.common.envelopes import apply_ramps
from generators.common.exact import TURN, Floats, cosine, exp2, gain, increments, log2, sample_count, scalar_gain
from generators.common.seeding import random_words
from meta.schema import Row

TASK = "shepard_tone"
EDGE_MS = 250
RAMP_MS = 20
C4_HZ = 261.6255653005986  # 440 Hz * 2**(-9/12)
OCTAVES = np.arange(-6, 6)  # octaves of the components re middle C; the bell empties the outer ones
LOWEST_HZ = 20.0  # a component that rests below is left out: inaudible, and in a short tone no more than an offset
HEADROOM = 0.25  # the bells' amplitudes sum to less than 4
SHEPARD_SPAN_OCT = 10  # Shepard (1964): ten components, 22 dB at the ends of the bell, 56 dB in the middle
SHEPARD_RANGE_DB = 34.0
GAUSSIAN_REACH_SD = 3.2  # there the bell is at -44 dB; half an octave further up all is still below 7.2 kHz
HALF_OVER_LN2 = 0.7213475204444817  # exp(-x^2 / 2) = 2**(-x^2 / (2 ln 2))


def render(row: Row, rate_hz: int) -> Clip:
    """Return the clip of one row."""
    octaves, amplitudes = _components(row)
    used = amplitudes.any(axis=0)
    octaves, amplitudes = octaves[:, used], amplitudes[:, used]
    frequencies = np.where(amplitudes > 0, C4_HZ * exp2(octaves), 0.0)
    length = sample_count(row["tone_ms"], rate_hz)
    phases = random_words(TASK, row["stimulus_id"], "phases", OCTAVES.size)[used]
    tones = additive(increments(frequencies, rate_hz), phases, amplitudes, length)
    ramp = sample_count(RAMP_MS, rate_hz)
    apply_ramps(tones, ramp, ramp)

    edge = sample_count(EDGE_MS, rate_hz)
    onset_interval = length + sample_count(row["gap_ms"], rate_hz)
    onsets = [edge + index * onset_interval for index in range(row["tone_count"])]
    signal = np.zeros(onsets[-1] + length + edge)
    for onset, tone in zip(onsets, tones, strict=True):
        signal[onset : onset + length] += tone
    signal *= scalar_gain(row["gain_db"])
    return mono_clip(signal, rate_hz, {f"tone_{i}": (onset, onset + length) for i, onset in enumerate(onsets)})


def _components(row: Row) -> tuple[Floats, Floats]:
    """Return the components' pitches in octaves re middle C and their amplitudes, shape (tones, octaves)."""
    steps = _steps(row["contour"], row["tone_count"]) * row["step_st"]
    if row["scale"] == "circular":
        # Whole semitones modulo 12, so that an octave later the numbers, not only the sound, recur.
        octaves = OCTAVES + ((row["start_class"] + steps) % 12)[:, np.newaxis] / 12
        return octaves, HEADROOM * _bell(row, octaves)
    middle = (int(steps.min()) + int(steps.max())) / 2
    resting = OCTAVES + ((row["start_class"] + middle) % 12) / 12  # the bell is fixed at mid-course
    octaves = resting + (steps - middle)[:, np.newaxis] / 12
    return octaves, np.broadcast_to(HEADROOM * _bell(row, resting), octaves.shape)


def _steps(contour: str, count: int) -> np.ndarray:
    """Return each tone's distance from the first, in steps."""
    index = np.arange(count)
    triangle = np.minimum(index, count - 1 - index)
    return {"up": index, "down": -index, "up_down": triangle, "down_up": -triangle}[contour]


def _bell(row: Row, octaves: Floats) -> Floats:
    """Return the bell at pitches in octaves re middle C: at most 1, and 0 beyond its reach."""
    distance_oct = octaves - row["centre_re_c4_st"] / 12
    if row["envelope"] == "shepard_1964":
        place = distance_oct / SHEPARD_SPAN_OCT  # turns
        within = (place >= -0.5) & (place < 0.5)
        phase = (np.where(within, np.abs(place), 0.0) * TURN).astype(np.uint64)
        bell = gain(SHEPARD_RANGE_DB * (0.5 * cosine(phase) - 0.5))
    else:
        scaled = distance_oct / row["sigma_oct"]
        within = np.abs(scaled) <= GAUSSIAN_REACH_SD
        bell = exp2(scaled * scaled * -HALF_OVER_LN2)
    return np.where(within & (octaves >= log2(LOWEST_HZ / C4_HZ)), bell, 0.0)
