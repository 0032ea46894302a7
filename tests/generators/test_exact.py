"""The exact functions are right, and made of safe operations only."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.common.additive import additive
from generators.common.envelopes import apply_ramps, exponential_decay, raised_cosine
from generators.common.exact import (
    cosine,
    exp2,
    gain,
    increments,
    log2,
    ordered_sum,
    root_sum_square,
    sample_count,
    sine,
)
from generators.common.seeding import random_words

PHASES = random_words("test", "exact", "phases", 200_000)
EDGES = np.array(
    [0, 1, 2**62 - 1, 2**62, 2**62 + 1, 2**63 - 1, 2**63, 2**63 + 1, 3 * 2**62, 2**64 - 1], dtype=np.uint64
)


@pytest.mark.parametrize("phases", [PHASES, EDGES])
def test_sine_and_cosine_agree_with_the_library_within_1e_10(phases):
    angle = phases.astype(np.float64) / 2.0**64 * 2 * np.pi
    assert np.abs(sine(phases) - np.sin(angle)).max() < 1e-10
    assert np.abs(cosine(phases) - np.cos(angle)).max() < 1e-10


def test_sine_is_odd_to_the_bit():
    assert (sine(-PHASES) == -sine(PHASES))[PHASES != 2**63].all()


def test_sine_keeps_the_shape_of_its_argument():
    assert sine(PHASES[:24].reshape(2, 3, 4)).shape == (2, 3, 4)
    assert (sine(PHASES[:24].reshape(2, 3, 4)).reshape(-1) == sine(PHASES[:24])).all()


@given(st.floats(-1000, 1000))
def test_exp2_agrees_with_the_library(x):
    assert float(exp2(x)) == pytest.approx(2.0**x, rel=1e-15)


@given(st.floats(1e-300, 1e300))
def test_log2_agrees_with_the_library(x):
    assert float(log2(x)) == pytest.approx(math.log2(x), abs=1e-13)


@given(st.integers(-20000, 4000))
def test_gain_agrees_with_decimal_arithmetic(hundredths):
    expected = Decimal(10) ** (Decimal(hundredths) / Decimal(2000))
    assert float(gain(hundredths / 100)) == pytest.approx(float(expected), rel=1e-13)


def test_whole_powers_of_two_are_exact():
    assert (exp2(np.arange(-60, 60)) == 2.0 ** np.arange(-60, 60)).all()


@given(st.integers(0, 100_000), st.sampled_from([8000, 11025, 16000, 22050, 44100, 48000]))
def test_sample_counts_are_rounded_half_up_in_rational_arithmetic(duration_ms, rate_hz):
    assert sample_count(duration_ms, rate_hz) == math.floor(Fraction(duration_ms * rate_hz, 1000) + Fraction(1, 2))


def test_an_increment_is_the_frequency_within_one_part_in_2_to_the_53():
    frequency = np.array([65.406, 440.0, 4981.123, 7999.9])
    for hz, step in zip(frequency.tolist(), increments(frequency, 16000).tolist(), strict=True):
        assert abs(Fraction(step, 2**64) / (Fraction(hz) / 16000) - 1) < Fraction(1, 2**52)


@pytest.mark.parametrize("hz", [-1.0, 8000.0, 9000.0])
def test_a_frequency_at_or_beyond_nyquist_is_refused(hz):
    with pytest.raises(ValueError, match="frequencies must lie in"):
        increments([hz], 16000)


def test_an_ordered_sum_is_neither_paired_nor_compensated():
    assert ordered_sum([1e16, 1.0, 1.0, -1e16]) == 0.0
    assert math.fsum([1e16, 1.0, 1.0, -1e16]) == 2.0


def test_root_sum_square():
    assert root_sum_square([3.0, 4.0]) == 5.0


# --- additive synthesis ---


def _plain(frequencies, phases, amplitudes, length, rate_hz):
    turns = np.outer(frequencies, np.arange(length)) / rate_hz + np.asarray(phases, dtype=float)[:, None] / 2.0**64
    return np.asarray(amplitudes) @ np.sin(2 * np.pi * turns)


@pytest.mark.parametrize("length", [1, 63, 64, 8000, 40_001])
def test_additive_synthesis_is_a_sum_of_sines(length):
    frequencies = 100.3 * np.arange(1, 11)
    phases, amplitudes = random_words("test", "additive", "phases", 10), np.linspace(0.2, 0.05, 10)
    signal = additive(increments(frequencies, 48000), phases, amplitudes, length)
    assert signal.shape == (length,)
    error = np.abs(signal - _plain(frequencies, phases, amplitudes, length, 48000)).max()
    assert error < 6e-8 * amplitudes.sum() + 10 * 2.0**-26


def test_additive_synthesis_renders_many_tones_as_one_by_one():
    steps = increments(np.linspace(100, 4000, 12).reshape(4, 3), 16000)
    phases, amplitudes = random_words("test", "additive", "batch", 3), np.full((4, 3), 0.3)
    batch = additive(steps, phases, amplitudes, 999)
    for tone, step in zip(batch, steps, strict=True):
        assert (tone == additive(step, phases, [0.3, 0.3, 0.3], 999)).all()


def test_additive_samples_are_whole_multiples_of_their_unit():
    signal = additive(increments([123.4, 567.8], 16000), [0, 0], [1.9, 2.0], 5000) * 2.0**50
    assert (signal == np.rint(signal)).all() and np.abs(signal).max() < 2**53


def test_the_order_of_summation_does_not_change_an_additive_sample():
    steps, phases = increments(100.0 * np.arange(1, 9), 16000), random_words("test", "additive", "order", 8)
    amplitudes = np.linspace(0.4, 0.1, 8)
    forwards = additive(steps, phases, amplitudes, 4000)
    assert (forwards == additive(steps[::-1], phases[::-1], amplitudes[::-1], 4000)).all()


def test_amplitudes_that_would_cost_exactness_are_refused():
    with pytest.raises(ValueError, match="keeps the product exact"):
        additive(increments([100.0] * 5, 16000), [0] * 5, [1.0] * 5, 100)


# --- envelopes ---


def test_a_ramp_and_its_reverse_add_to_one():
    ramp = raised_cosine(320)
    assert np.abs(ramp + ramp[::-1] - 1).max() < 1e-10
    assert np.abs(ramp - 0.5 * (1 - np.cos(np.pi * (np.arange(320) + 0.5) / 320))).max() < 1e-10


def test_ramps_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="do not fit"):
        apply_ramps(np.ones(10), 6, 6)


def test_a_decay_halves_at_its_half_life():
    decay = exponential_decay(2001, 500)
    assert np.abs(decay[::500] - [1, 0.5, 0.25, 0.125, 0.0625]).max() < 1e-15
    assert np.abs(decay - 0.5 ** (np.arange(2001) / 500)).max() < 1e-15
