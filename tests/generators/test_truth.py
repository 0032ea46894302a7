"""What the labels say can be measured in the samples, by means other than those that made them."""

import numpy as np
import pytest

from generators.rendering import renderer
from meta.loader import load_rows
from meta.registry import load_tasks

TASKS = load_tasks()
ROWS = {name: load_rows(task) for name, task in TASKS.items()}
RATE_HZ = 16000


def sample(name, trial_class=None, count=25):
    """Return evenly spread rows of a class with their clips."""
    rows = [row for row in ROWS[name] if trial_class in (None, row["trial_class"])]
    render = renderer(TASKS[name])
    return [(row, render(row)) for row in rows[:: max(1, len(rows) // count)]]


def segment(clip, name):
    start, stop = clip.markers[name]
    return clip.samples[start:stop, 0].astype(float)


def spectrum(signal, size=1 << 17):
    return np.abs(np.fft.rfft(signal * np.blackman(signal.size), size))


def level_db(signal, frequency_hz):
    turns = frequency_hz / RATE_HZ * np.arange(signal.size)
    at = np.abs(np.sum(signal * np.blackman(signal.size) * np.exp(-2j * np.pi * turns)))
    return 20 * np.log10(at / spectrum(signal).max())


@pytest.mark.parametrize("name", TASKS)
def test_levels_edges_and_length_keep_the_rules(name):
    for _, clip in sample(name, count=60):
        signal = clip.samples[:, 0].astype(float)
        assert clip.samples.shape[1] == 1 and clip.rate_hz == RATE_HZ
        assert len(signal) <= 28 * RATE_HZ
        assert np.abs(signal).max() <= 32768 * 10 ** (-3 / 20)
        assert not signal[: RATE_HZ // 4].any() and not signal[-RATE_HZ // 4 :].any()
        sounding = np.flatnonzero(signal)
        assert np.abs(signal[sounding[[0, -1]]]).max() <= 8  # no click at either end
        power = np.abs(np.fft.rfft(signal)) ** 2
        above = np.arange(power.size) * RATE_HZ / signal.size > 7200
        assert 10 * np.log10(power[above].sum() / power.sum()) < -55


@pytest.mark.parametrize("name", ["missing_fundamental", "shepard_tone"])
def test_loudness_is_the_target(name):
    import pyloudnorm

    for _, clip in sample(name):
        loudness = pyloudnorm.Meter(RATE_HZ).integrated_loudness(clip.samples / 32768.0)
        assert loudness == pytest.approx(-23, abs=0.02)


# --- missing_fundamental ---


@pytest.mark.parametrize("trial_class", ["illusion", "control_a"])
def test_the_reference_is_absent_from_the_complex(trial_class):
    for row, clip in sample("missing_fundamental", trial_class):
        assert level_db(segment(clip, "complex"), row["reference_hz"]) <= -60


def test_the_reference_is_present_in_a_control_p():
    for row, clip in sample("missing_fundamental", "control_p"):
        assert level_db(segment(clip, "complex"), row["reference_hz"]) > -20


def test_partials_are_whole_multiples_of_f0():
    for row, clip in sample("missing_fundamental"):
        signal = segment(clip, "complex")
        magnitude = spectrum(signal)
        hertz = RATE_HZ / (1 << 17)
        for rank in range(row["lowest_harmonic"], row["highest_harmonic"] + 1):
            near = int(rank * row["f0_hz"] / hertz)
            width = int(row["f0_hz"] / 3 / hertz)
            peak = near - width + magnitude[near - width : near + width].argmax()
            assert peak * hertz == pytest.approx(rank * row["f0_hz"], rel=0.002)
        beyond = (row["highest_harmonic"] + 1) * row["f0_hz"]
        assert level_db(signal, beyond) < -60


def test_the_autocorrelation_peaks_at_the_period_of_f0():
    for row, clip in sample("missing_fundamental", "illusion"):
        signal = segment(clip, "complex")[2000:10000]
        correlation = np.correlate(signal, signal[:6000], "valid")
        lags = np.arange(correlation.size) / RATE_HZ
        plausible = (lags > 0.6 / row["f0_hz"]) & (lags < 1.4 / row["f0_hz"])
        best = np.flatnonzero(plausible)[correlation[plausible].argmax()]
        assert best / RATE_HZ == pytest.approx(1 / row["f0_hz"], abs=1.0 / RATE_HZ)


def test_the_reference_has_its_frequency():
    for row, clip in sample("missing_fundamental"):
        assert spectrum(segment(clip, "reference")).argmax() * RATE_HZ / (1 << 17) == pytest.approx(
            row["reference_hz"], abs=0.1
        )
        offset_st = 12 * np.log2(row["reference_hz"] / row["f0_hz"])
        assert offset_st == pytest.approx(row["reference_offset_st"], abs=0.001)


# --- shepard_tone ---


def tones(row, clip):
    """Return each tone less the parts that overlap its neighbours."""
    overlap = max(0, -row["gap_ms"] * RATE_HZ // 1000)
    return [segment(clip, f"tone_{i}")[overlap : -overlap or None] for i in range(row["tone_count"])]


@pytest.mark.parametrize("trial_class", ["illusion", "control_a"])
def test_the_last_tone_is_the_first_to_the_bit(trial_class):
    for row, clip in sample("shepard_tone", trial_class, 60):
        heard = tones(row, clip)
        assert (heard[0] == heard[-1]).all()


def strongest_hz(signal):
    return spectrum(signal).argmax() * RATE_HZ / (1 << 17)


@pytest.mark.parametrize("trial_class", ["illusion", "control_a", "control_p"])
def test_every_step_moves_every_component_as_the_row_says(trial_class):
    for row, clip in sample("shepard_tone", trial_class, 12):
        heard = tones(row, clip)
        signs = np.sign(np.diff(_course(row)))
        for before, after, sign in zip(heard, heard[1:], signs, strict=False):
            ratio = np.log2(strongest_hz(after) / strongest_hz(before))
            step = (12 * ratio + 6) % 12 - 6  # the strongest component may have changed by whole octaves
            assert step == pytest.approx(sign * row["step_st"], abs=0.15)


def _course(row):
    index = np.arange(row["tone_count"])
    triangle = np.minimum(index, row["tone_count"] - 1 - index)
    return {"up": index, "down": -index, "up_down": triangle, "down_up": -triangle}[row["contour"]]


def test_the_net_shift_is_twelve_semitones_or_none():
    for row, clip in sample("shepard_tone", None, 60):
        heard = tones(row, clip)
        if row["scale"] == "circular":
            assert row["shift_st"] == 0 and (heard[0] == heard[-1]).all()
        else:
            # the components lie octaves apart: which of them is the strongest, only the centroid tells
            assert log_centroid_st(heard[-1]) - log_centroid_st(heard[0]) == pytest.approx(row["shift_st"], abs=1.5)
            components_st = 12 * np.log2(strongest_hz(heard[-1]) / strongest_hz(heard[0]))
            assert abs((components_st + 6) % 12 - 6) < 0.15


def log_centroid_st(signal):
    """Return the power-weighted mean of log frequency above 16 Hz, in semitones."""
    power = spectrum(signal) ** 2
    hertz = np.arange(power.size) * RATE_HZ / (1 << 17)
    band = hertz > 16
    return 12 * np.sum(power[band] * np.log2(hertz[band])) / np.sum(power[band])


def test_the_log_centroid_of_a_circular_scale_keeps_still():
    # over 0.3 st at sigma 0.75; Shepard's cosine 0.07
    for row, clip in sample("shepard_tone", "illusion"):
        if row["tone_ms"] < 500:
            continue  # too short to tell its lowest components apart
        assert np.ptp([log_centroid_st(tone) for tone in tones(row, clip)]) < 0.3


# --- zwicker_tone ---


@pytest.mark.parametrize("trial_class", ["illusion", "control_a"])
def test_after_the_noise_every_sample_is_zero(trial_class):
    for row, clip in sample("zwicker_tone", trial_class, 60):
        assert not segment(clip, "rest").any()
        assert len(segment(clip, "rest")) == row["rest_ms"] * RATE_HZ // 1000 >= 2 * RATE_HZ


def band_level_db(signal, low_hz, high_hz):
    """Return the mean power density of a band in dB."""
    frames = np.lib.stride_tricks.sliding_window_view(signal, 4096)[::1024] * np.blackman(4096)
    power = np.mean(np.abs(np.fft.rfft(frames, axis=1)) ** 2, axis=0)
    frequency = np.arange(power.size) * RATE_HZ / 4096
    return 10 * np.log10(np.mean(power[(frequency > low_hz) & (frequency < high_hz)]))


@pytest.mark.parametrize("trial_class", ["illusion", "control_p"])
def test_the_notch_is_60_db_deep(trial_class):
    for row, clip in sample("zwicker_tone", trial_class):
        noise = segment(clip, "noise")[800:-800]
        half = 2 ** (row["notch_width_oct"] / 2)
        low, high = row["notch_centre_hz"] / half, row["notch_centre_hz"] * half
        inside = band_level_db(noise, low + 60, high - 60)
        assert inside - band_level_db(noise, low - 300, low - 60) < -60
        assert inside - band_level_db(noise, high + 60, min(high + 300, 7100)) < -60


def test_a_control_a_has_no_notch():
    for _, clip in sample("zwicker_tone", "control_a"):
        noise = segment(clip, "noise")[800:-800]
        levels = [band_level_db(noise, low, low + 300) for low in range(200, 6800, 300)]
        assert np.abs(np.diff(levels)).max() < 6  # a slope, nothing like the 60 dB of a notch


def test_a_control_p_has_a_decaying_tone_40_db_below_the_noise():
    for row, clip in sample("zwicker_tone", "control_p"):
        noise, rest = segment(clip, "noise")[800:-800], segment(clip, "rest")
        beginning = rest[400:2000]
        assert strongest_hz(beginning) == pytest.approx(row["tone_hz"], abs=3)
        level = 20 * np.log10(np.sqrt(np.mean(beginning**2)) / np.sqrt(np.mean(noise**2)))
        assert level == pytest.approx(-40 - 1.1, abs=1)  # 75 ms into a decay that halves every 400 ms
        assert np.abs(rest[16000:24000]).max() < np.abs(beginning).max() / 3


def test_the_noise_has_its_level():
    for row, clip in sample("zwicker_tone"):
        noise = segment(clip, "noise") / 32768.0
        assert 10 * np.log10(np.mean(noise**2)) == pytest.approx(row["level_db"], abs=0.02)
