"""Is the audio there that a run is about to ask, and is it what the digests say?"""

from __future__ import annotations

from pathlib import Path
from typing import Dict, List, NamedTuple, Sequence

from meta.digests import digest_path, load_digests, pcm_digest, read_wav_pcm
from meta.errors import InputError
from meta.registry import Task
from meta.trials import Trial


class AudioState(NamedTuple):
    """What keeps planned clips from being asked: the ids of those not there, and what is wrong with others."""

    missing: List[str]
    problems: List[str]


def complete_digests(task: Task, trials: Sequence[Trial], meta_dir: Path) -> Dict[str, str]:
    """Return the digest of every clip of a task.

    Raises
    ------
    InputError
        Some trials have none.
    """
    digests = load_digests(task.name, meta_dir)
    without = [trial.stimulus_id for trial in trials if trial.stimulus_id not in digests]
    if without:
        raise InputError(
            f"{digest_path(task.name, meta_dir)}: lacks {len(without)} clips, such as {without[0]}; "
            f"write them with python -m generators digests {task.name}"
        )
    return digests


def check_audio(task: Task, planned: Sequence[Trial], digests: Dict[str, str], data_dir: Path) -> AudioState:
    """Compare the planned clips with their digests."""
    missing, problems = [], []
    for trial in planned:
        path = data_dir / task.name / trial.stimulus_id / f"{trial.stimulus_id}.wav"
        if not path.exists():
            missing.append(trial.stimulus_id)
            continue
        problem = _problem(path, task, digests[trial.stimulus_id])
        if problem:
            problems.append(problem)
    return AudioState(missing, problems)


def _problem(path: Path, task: Task, digest: str) -> str:
    try:
        pcm, rate_hz, channels = read_wav_pcm(path)
    except InputError as error:
        return str(error)
    if (rate_hz, channels) != (task.rate_hz, task.channels):
        return f"{path}: has {rate_hz} Hz and {channels} channel(s), the task {task.rate_hz} Hz and {task.channels}"
    return "" if pcm_digest(pcm) == digest else f"{path}: holds other samples than its digest says"


def has_audio(task: Task, data_dir: Path) -> bool:
    """Return whether any clip of a task is there."""
    return any((data_dir / task.name).glob("*/*.wav"))
