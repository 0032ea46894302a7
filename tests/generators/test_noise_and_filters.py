"""Seeding, noise, integer convolution, filters: exact, and statistically what they claim."""

import hashlib

import numpy as np
import pytest
import scipy.fft
import scipy.signal
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.common.convolution import BOUND_FACTOR, FFT_SIZE, MAX_ERROR, ExactnessError, IntegerFilter
from generators.common.filters import HALF_LENGTH, TAP_SCALE, staircase_filter
from generators.common.noise import GAUSSIAN_SD, gaussian_noise
from generators.common.seeding import random_words

RATE_HZ = 16000


def test_words_are_philox_keyed_by_sha256_of_the_name():
    key = int.from_bytes(hashlib.sha256(b"task/id/noise").digest()[:16], "little")
    assert (random_words("task", "id", "noise", 5) == np.random.Philox(key=key).random_raw(5)).all()


def test_a_longer_draw_begins_with_the_shorter_one():
    assert (random_words("t", "i", "s", 100)[:10] == random_words("t", "i", "s", 10)).all()


def test_streams_tasks_and_ids_are_independent():
    names = [("t", "i", "a"), ("t", "i", "b"), ("t", "j", "a"), ("u", "i", "a")]
    assert len({random_words(*name, 1)[0] for name in names}) == 4


def test_noise_is_white_centred_and_nearly_gaussian():
    noise = gaussian_noise(random_words("test", "noise", "noise", 1 << 18))
    assert noise.min() >= -32768 and noise.max() <= 32767
    assert abs(noise.mean()) < 4 * noise.std() / np.sqrt(noise.size)
    assert noise.std() == pytest.approx(GAUSSIAN_SD, rel=0.005)
    assert scipy.stats.kurtosis(noise) == pytest.approx(-0.3, abs=0.03)  # Irwin-Hall of four: -6/(5*4)
    lags = [np.corrcoef(noise[:-lag], noise[lag:])[0, 1] for lag in (1, 2, 3, 4, 8)]
    assert max(map(abs, lags)) < 4 / np.sqrt(noise.size)


WHOLE = st.integers(-32768, 32767)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(-(2**20), 2**20), min_size=1, max_size=300), st.integers(0, 2**32 - 1), st.integers(0, 40_000)
)
def test_convolution_equals_that_of_python_integers(taps, seed, extra):
    signal = np.random.default_rng(seed).integers(-32768, 32768, len(taps) + extra)
    result = IntegerFilter(np.array(taps))(signal)
    assert result.size == extra + 1
    places = np.unique(np.r_[0, extra, np.random.default_rng(seed).integers(0, extra + 1, 20)])
    for n in places.tolist():
        window = signal[n : n + len(taps)][::-1].tolist()
        assert int(result[n]) == sum(a * b for a, b in zip(taps, window, strict=True))


def test_convolution_agrees_with_scipy_across_blocks():
    rng = np.random.default_rng(1)
    taps, signal = rng.integers(-1000, 1000, 4097), rng.integers(-32768, 32768, 3 * FFT_SIZE + 17)
    assert (IntegerFilter(taps)(signal) == np.rint(scipy.signal.oaconvolve(signal, taps, "valid"))).all()


def test_a_signal_too_large_for_the_bound_is_refused():
    taps = np.full(4097, 2**24)
    with pytest.raises(ExactnessError, match="error bound"):
        IntegerFilter(taps)(np.full(20_000, 32767))


def test_the_bound_covers_the_worst_int16_signal_for_the_filters_in_use():
    shape = staircase_filter([100, 7160], [1.0], RATE_HZ)  # the widest passband has the largest norm
    worst = 32768 * np.sqrt(FFT_SIZE) * np.sqrt(np.sum(shape.taps.astype(float) ** 2)) * BOUND_FACTOR
    assert worst <= MAX_ERROR


def test_the_error_of_the_fft_on_its_worst_signal_is_a_hundredth_of_the_bound():
    taps = staircase_filter([100, 7160], [1.0], RATE_HZ).taps
    worst = np.where(np.resize(taps[::-1], FFT_SIZE) >= 0, 32767, -32768)  # every product has the same sign
    bound = np.sqrt(np.sum(worst.astype(float) ** 2) * np.sum(taps.astype(float) ** 2)) * BOUND_FACTOR
    rough = scipy.fft.irfft(scipy.fft.rfft(worst) * scipy.fft.rfft(taps, FFT_SIZE), FFT_SIZE)
    # cyclic convolution in whole numbers; the sums stay below 2**53
    exact = np.zeros(FFT_SIZE, dtype=np.int64)
    for place, tap in enumerate(taps.tolist()):
        exact += tap * np.roll(worst, place)
    assert np.abs(rough - exact).max() < bound / 100
    assert bound <= MAX_ERROR


def test_a_signal_shorter_than_the_filter_is_refused():
    with pytest.raises(ValueError, match="the filter"):
        IntegerFilter(np.ones(10, dtype=int))(np.ones(9, dtype=int))


def test_a_staircase_filter_has_the_gains_asked_for():
    taps = staircase_filter([100, 1000, 2000, 7160], [1.0, 0.0, 0.5], RATE_HZ).taps / TAP_SCALE
    frequency, response = scipy.signal.freqz(taps, worN=8192, fs=RATE_HZ)
    level_db = 20 * np.log10(np.abs(response) + 1e-9)
    skirt = 35.0

    def band(low, high):
        return level_db[(frequency > low + skirt) & (frequency < high - skirt)]

    assert np.abs(band(100, 1000)).max() < 0.01
    assert np.abs(band(2000, 7160) + 6.0206).max() < 0.01
    for low, high in ((0, 100), (1000, 2000), (7160, 8001)):
        assert band(low, high).max() < -85


def test_a_filter_is_symmetric():
    taps = staircase_filter([100, 1000], [1.0], RATE_HZ).taps
    assert taps.size == 2 * HALF_LENGTH + 1 and (taps == taps[::-1]).all()
