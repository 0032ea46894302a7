"""Clips: checked at birth, written whole, read back the same."""

import io

import numpy as np
import pytest
import soundfile

from generators.common.clip import Clip, clip_path, encode, file_digest, mono_clip, write_clip


def make(channels=1):
    samples = np.arange(-300, 300, dtype=np.int16).reshape(-1, channels)
    return Clip(samples, 16000, {"all": (0, len(samples))})


@pytest.mark.parametrize("audio_format", ["wav", "flac"])
@pytest.mark.parametrize("channels", [1, 2])
def test_another_reader_gets_the_same_samples(audio_format, channels):
    clip = make(channels)
    samples, rate_hz = soundfile.read(io.BytesIO(encode(clip, audio_format)), dtype="int16", always_2d=True)
    assert (samples == clip.samples).all() and rate_hz == 16000


@pytest.mark.parametrize("audio_format", ["wav", "flac"])
def test_the_digest_of_a_file_is_that_of_its_clip(tmp_path, audio_format):
    path = clip_path(tmp_path, "task", "id", audio_format)
    write_clip(path, make())
    assert path == tmp_path / "task" / "id" / f"id.{audio_format}"
    assert file_digest(path, 16000) == make().digest()
    assert file_digest(path, 8000) is None
    assert [p.name for p in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("audio_format", ["wav", "flac"])
@pytest.mark.parametrize("content", [b"", b"nonsense" * 9])
def test_a_damaged_file_has_no_digest(tmp_path, audio_format, content):
    path = tmp_path / f"a.{audio_format}"
    path.write_bytes(content)
    assert file_digest(path, 16000) is None


def test_encoding_is_the_same_every_time():
    assert encode(make(), "wav") == encode(make(), "wav")


def test_a_signal_that_clips_is_refused():
    assert mono_clip(np.array([0.0, 32767 / 32768]), 16000, {}).samples.max() == 32767
    with pytest.raises(ValueError, match="clips"):
        mono_clip(np.array([0.0, 1.0]), 16000, {})


@pytest.mark.parametrize("samples", [np.zeros(4, np.int16), np.zeros((4, 1)), np.zeros((0, 1), np.int16)])
def test_a_clip_needs_int16_samples_of_two_dimensions(samples):
    with pytest.raises(ValueError, match="int16"):
        Clip(samples, 16000)


def test_a_marker_outside_the_clip_is_refused():
    with pytest.raises(ValueError, match="marker 'x'"):
        Clip(np.zeros((4, 1), np.int16), 16000, {"x": (2, 5)})
