"""A rendered clip, and its files."""

from __future__ import annotations

import contextlib
import io
import os
import wave
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from generators.common.exact import EVALUATION_BLOCK, Floats
from meta.digests import pcm_digest, read_wav_pcm
from meta.errors import InputError

FULL_SCALE = 32768.0
FORMATS = ("wav", "flac")


@dataclass(frozen=True)
class Clip:
    """PCM samples with named segments.

    Attributes
    ----------
    samples : ndarray of int16, shape (n, channels)
    rate_hz : int
    markers : mapping of str to (start, stop)
        Segments in samples, stop excluded.
    """

    samples: NDArray[np.int16]
    rate_hz: int
    markers: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.samples.dtype != np.int16 or self.samples.ndim != 2 or not self.samples.size:
            raise ValueError(
                f"a clip needs int16 samples of shape (n, channels), got {self.samples.dtype} {self.samples.shape}"
            )
        for name, (start, stop) in self.markers.items():
            if not 0 <= start <= stop <= len(self.samples):
                raise ValueError(f"marker {name!r} ({start}, {stop}) lies outside the {len(self.samples)} samples")

    def pcm(self) -> bytes:
        """Return the samples as interleaved little-endian bytes."""
        return self.samples.astype("<i2", copy=False).tobytes()

    def digest(self) -> str:
        """Return the SHA-256 (hex) of the samples."""
        return pcm_digest(self.pcm())


def mono_clip(signal: Floats, rate_hz: int, markers: Mapping[str, tuple[int, int]]) -> Clip:
    """Round a signal of shape (n,), full scale 1.0, to a one-channel clip without dither.

    Raises
    ------
    ValueError
        The signal clips.
    """
    samples = np.empty((signal.size, 1), dtype=np.int16)
    for start in range(0, signal.size, EVALUATION_BLOCK):
        scaled = np.rint(signal[start : start + EVALUATION_BLOCK] * FULL_SCALE)
        peak = max(float(scaled.max()), -float(scaled.min()))
        if not peak < FULL_SCALE:
            raise ValueError(f"the signal clips: its peak is {peak / FULL_SCALE:.3f} of full scale")
        samples[start : start + EVALUATION_BLOCK, 0] = scaled
    return Clip(samples, rate_hz, dict(markers))


def encode(clip: Clip, audio_format: str) -> bytes:
    """Return the clip as the content of a 16-bit PCM WAV or FLAC file."""
    buffer = io.BytesIO()
    if audio_format == "wav":
        with wave.open(buffer, "wb") as file:
            file.setparams((clip.samples.shape[1], 2, clip.rate_hz, len(clip.samples), "NONE", ""))
            file.writeframesraw(clip.samples.tobytes())  # in native order: wave swaps bytes where it must
    elif audio_format == "flac":
        import soundfile  # only archives need it

        soundfile.write(buffer, clip.samples, clip.rate_hz, format="FLAC", subtype="PCM_16")
    else:
        raise ValueError(f"unknown audio format {audio_format!r}")
    return buffer.getvalue()


def clip_path(data_root: Path, task: str, clip_id: str, audio_format: str) -> Path:
    """Return where a clip lies: ``<data_root>/<task>/<clip_id>/<clip_id>.<format>``."""
    return Path(data_root) / task / clip_id / f"{clip_id}.{audio_format}"


def write_clip(path: Path, clip: Clip) -> None:
    """Write a clip so that its final name never holds less than the whole clip, whoever else writes it."""
    data = encode(clip, path.suffix[1:])
    try:
        os.makedirs(path.parent)
    except FileExistsError:
        _remove_parts_of_the_dead(path)
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(part, "wb") as file:  # buffered: a raw write may stop short on a full disk without an error
            file.write(data)
        os.replace(part, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


def _remove_parts_of_the_dead(path: Path) -> None:
    """Remove what killed processes left half-written beside a clip."""
    for part in path.parent.glob(f"{path.name}.*.part"):
        process = part.name.split(".")[-2]
        try:
            os.kill(int(process), 0)
        except ProcessLookupError:
            part.unlink(missing_ok=True)
        except (ValueError, OSError):
            continue  # alive, if another's


def file_digest(path: Path, rate_hz: int) -> str | None:
    """Return the digest of the samples in a file, or None if it is missing, unreadable or at another rate."""
    try:
        if path.suffix == ".wav":
            pcm, found_rate_hz, _ = read_wav_pcm(path)
        else:
            pcm, found_rate_hz = _read_flac_pcm(path)
    except InputError:
        return None
    return pcm_digest(pcm) if found_rate_hz == rate_hz else None


def _read_flac_pcm(path: Path) -> tuple[bytes, int]:
    import soundfile

    try:
        samples, rate_hz = soundfile.read(path, dtype="int16", always_2d=True)
    except (soundfile.LibsndfileError, OSError) as error:
        raise InputError(f"{path}: is not a readable FLAC file ({error})") from error
    return samples.astype("<i2", copy=False).tobytes(), int(rate_hz)
