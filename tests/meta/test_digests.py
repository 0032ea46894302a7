"""Reading WAV files strictly, and digests of samples."""

import io
import wave

import numpy as np
import pytest

from meta.digests import audio_fingerprint, load_digests, pcm_digest, read_wav_pcm, write_digests
from meta.errors import InputError


def wav_bytes(samples, width=2, rate_hz=16000):
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setparams((1, width, rate_hz, 0, "NONE", ""))
        file.writeframes(samples)
    return buffer.getvalue()


GOOD = wav_bytes(np.arange(100, dtype="<i2").tobytes())


def test_a_wav_file_gives_its_samples(tmp_path):
    path = tmp_path / "a.wav"
    path.write_bytes(GOOD)
    pcm, rate_hz, channels = read_wav_pcm(path)
    assert (np.frombuffer(pcm, "<i2") == np.arange(100)).all()
    assert (rate_hz, channels) == (16000, 1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a readable WAV"),
        (b"junk" * 20, "not a readable WAV"),
        (GOOD[:30], "not a readable WAV"),
        (GOOD[:-20], "cut short|not a readable"),
        (wav_bytes(b""), "holds no samples"),
        (wav_bytes(bytes(30), width=3), "24-bit samples"),
    ],
)
def test_a_damaged_wav_file_is_an_error(tmp_path, content, message):
    path = tmp_path / "a.wav"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_wav_pcm(path)


def test_a_missing_wav_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match="is missing"):
        read_wav_pcm(tmp_path / "a.wav")


def test_digests_survive_writing_and_reading(tmp_path):
    digests = {"b": pcm_digest(b"b"), "a": pcm_digest(b"a")}
    write_digests("task", digests, tmp_path)
    assert load_digests("task", tmp_path) == digests
    assert load_digests("another", tmp_path) == {}


def test_a_malformed_digest_is_an_error(tmp_path):
    write_digests("task", {"a": "0" * 63}, tmp_path)
    with pytest.raises(InputError, match="line 2, column sha256: .* is not a SHA-256 in hex"):
        load_digests("task", tmp_path)


def test_the_audio_fingerprint_depends_on_every_clip_and_their_order():
    digests = {"a": "0", "b": "1"}
    assert audio_fingerprint(digests, "ab") != audio_fingerprint(digests, "ba")
    assert audio_fingerprint(digests, "ab") != audio_fingerprint({"a": "0", "b": "2"}, "ab")
