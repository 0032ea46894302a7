"""Digests of rendered clips: SHA-256 of the PCM samples, not of the file around them."""

from __future__ import annotations

import array
import hashlib
import re
import sys
import wave
from pathlib import Path
from typing import Dict, Iterable, Tuple

from meta import META_DIR
from meta.csvfile import format_table, read_table, write_atomically
from meta.errors import InputError, at

COLUMNS = ("clip_id", "sha256")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def pcm_digest(pcm: bytes) -> str:
    """Return the digest of interleaved little-endian 16-bit samples."""
    return hashlib.sha256(pcm).hexdigest()


def read_wav_pcm(path: Path) -> Tuple[bytes, int, int]:
    """Return ``(pcm, rate_hz, channels)`` of a 16-bit PCM WAV file.

    Raises
    ------
    InputError
        The file is missing, empty, corrupt, shorter than its header says, or not 16-bit PCM.
    """
    try:
        with wave.open(str(path), "rb") as file:
            if file.getsampwidth() != 2:
                raise InputError(f"{path}: holds {8 * file.getsampwidth()}-bit samples, 16-bit PCM is expected")
            frames, channels = file.getnframes(), file.getnchannels()
            pcm = _little_endian(file.readframes(frames))
            rate_hz = file.getframerate()
    except FileNotFoundError:
        raise InputError(f"{path}: is missing") from None
    except (wave.Error, EOFError, OSError, RuntimeError) as error:  # RuntimeError: a chunk longer than its parent
        raise InputError(f"{path}: is not a readable WAV file ({str(error) or 'it ends too early'})") from error
    if frames == 0:
        raise InputError(f"{path}: holds no samples")
    if len(pcm) != 2 * channels * frames:
        raise InputError(f"{path}: is cut short, {len(pcm) // (2 * channels)} of {frames} frames are there")
    return pcm, rate_hz, channels


def _little_endian(pcm: bytes) -> bytes:
    """Return samples that wave has given in native order as little-endian ones."""
    if sys.byteorder == "little":
        return pcm
    samples = array.array("h", pcm)
    samples.byteswap()
    return samples.tobytes()


def digest_path(task: str, meta_dir: Path = META_DIR) -> Path:
    """Return where the digests of a task are kept."""
    return Path(meta_dir) / "digests" / f"{task}.csv"


def load_digests(task: str, meta_dir: Path = META_DIR) -> Dict[str, str]:
    """Return the committed digest of every clip of a task, empty when the task has none yet."""
    path = digest_path(task, meta_dir)
    if not path.exists():
        return {}
    digests: Dict[str, str] = {}
    for line in read_table(path, COLUMNS).lines:
        clip_id = line.values["clip_id"]
        if clip_id in digests:
            raise InputError(f"{at(path, line.number, 'clip_id')}: {clip_id!r} is there twice")
        if not _SHA256.fullmatch(line.values["sha256"]):
            raise InputError(f"{at(path, line.number, 'sha256')}: {line.values['sha256']!r} is not a SHA-256 in hex")
        digests[clip_id] = line.values["sha256"]
    return digests


def write_digests(task: str, digests: Dict[str, str], meta_dir: Path = META_DIR) -> None:
    """Write the digests of a task, in the order given."""
    rows = ({"clip_id": clip_id, "sha256": sha256} for clip_id, sha256 in digests.items())
    write_atomically(digest_path(task, meta_dir), format_table(COLUMNS, rows).encode("utf-8"))


def audio_fingerprint(digests: Dict[str, str], clip_ids: Iterable[str]) -> str:
    """Return one SHA-256 (hex) over the digests of the clips that a run plays, in order."""
    text = "".join(f"{clip_id},{digests[clip_id]}\n" for clip_id in clip_ids)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
