"""What a native runner is written against: two functions, ``load`` and ``answer``.

A runner is a program started with an environment and nothing else::

    TASK (also set as ILLUSION)   name of the task
    META_DIR                      a view: <task>.csv with the trials to be asked now, labels blank
    DATA_ROOT                     <task>/<id>/<id>.wav
    RESULTS_ROOT                  where <model>/<task>.csv goes: stimulus_id,model_answer
    MODEL, MODEL_ID, MODEL_REVISION, MODEL_ARGS    which model
    CUDA_VISIBLE_DEVICES          its devices
    JOBS                          if set, a JSON list of objects with TASK, META_DIR and RESULTS_ROOT: the
                                  first is the job above, the others are to be done with the same model

``main`` does the rest: it reads the view and the audio, appends each answer as it comes, and turns
an exception into an error row, never into an answer.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Tuple, Union

import numpy as np

from meta.csvfile import format_record, read_table, read_text
from meta.digests import read_wav_pcm
from meta.errors import InputError
from meta.results import ANSWER_COLUMNS, ERROR_COLUMNS, result_files
from meta.schema import ID_PATTERN

VIEW_COLUMNS = ("stimulus_id", "question", "options", "gt_label", "illusion_label")
_SYNC_SECONDS = 0.5  # a killed process loses nothing; a power cut at most this much


class Audio(NamedTuple):
    """A clip as rendered: int16 samples of shape (n, channels), never padded, cut or resampled."""

    samples: np.ndarray
    rate_hz: int
    path: Path


Part = Union[str, Audio]


class Trial(NamedTuple):
    """What is asked: text and audio parts in order, and the options if the answer is one of some."""

    task: str
    stimulus_id: str
    parts: Tuple[Part, ...]
    options: Tuple[str, ...]

    @property
    def text(self) -> str:
        """The text parts, a line each."""
        return "\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def audios(self) -> List[Audio]:
        """The audio parts in order."""
        return [part for part in self.parts if isinstance(part, Audio)]


class Environment(NamedTuple):
    """The contract's variables."""

    task: str
    meta_dir: Path
    data_root: Path
    results_root: Path
    model: str
    model_id: str
    model_revision: str
    model_args: str


def read_environments() -> List[Environment]:
    """Return the contract's variables, once a job.

    Raises
    ------
    InputError
        A variable is not set, or a task's name would leave its folder.
    """
    own = {"TASK": os.environ.get("TASK") or os.environ.get("ILLUSION", "")}
    own.update({name: os.environ.get(name, "") for name in ("META_DIR", "RESULTS_ROOT")})
    if not os.environ.get("JOBS"):
        return [_environment(own)]
    try:
        environments = [_environment(job) for job in json.loads(read_text(Path(os.environ["JOBS"])))]
    except (ValueError, AttributeError) as error:
        raise InputError(f"JOBS={os.environ['JOBS']}: is not a JSON list of jobs ({error})") from None
    if not environments:
        raise InputError(f"JOBS={os.environ['JOBS']}: is not a JSON list of jobs (it is empty)")
    return environments


def _environment(job: Dict[str, str]) -> Environment:
    values = {name: job.get(name, "") for name in ("TASK", "META_DIR", "RESULTS_ROOT")}
    values.update({name: os.environ.get(name, "") for name in ("DATA_ROOT", "MODEL")})
    missing = [name for name, value in values.items() if not value]
    if missing:
        raise InputError(f"the environment lacks {', '.join(missing)}; start runners with ./scripts/run_models.sh")
    if not ID_PATTERN.fullmatch(values["TASK"]):
        raise InputError(f"TASK={values['TASK']!r} is not a name of letters, digits, _ and -")
    return Environment(
        values["TASK"],
        Path(values["META_DIR"]),
        Path(values["DATA_ROOT"]),
        Path(values["RESULTS_ROOT"]),
        values["MODEL"],
        os.environ.get("MODEL_ID", ""),
        os.environ.get("MODEL_REVISION", ""),
        os.environ.get("MODEL_ARGS", ""),
    )


def read_view(environment: Environment) -> Iterator[Tuple[str, Callable[[], Trial]]]:
    """Yield each trial's id and a function that reads its audio."""
    path = environment.meta_dir / f"{environment.task}.csv"
    for line in read_table(path, VIEW_COLUMNS).lines:
        stimulus_id = line.values["stimulus_id"]
        if not ID_PATTERN.fullmatch(stimulus_id):
            raise InputError(f"{path} line {line.number}: {stimulus_id!r} is not an id")

        def read(values: dict = line.values) -> Trial:
            clip_id = values["stimulus_id"]
            wav = environment.data_root / environment.task / clip_id / f"{clip_id}.wav"
            parts = (read_audio(wav), values["question"])
            return Trial(environment.task, clip_id, parts, tuple(json.loads(values["options"])))

        yield stimulus_id, read


def read_audio(path: Path) -> Audio:
    """Return a 16-bit WAV file as it is.

    Raises
    ------
    InputError
        It is missing, empty, corrupt or cut short.
    """
    pcm, rate_hz, channels = read_wav_pcm(path)
    return Audio(np.frombuffer(pcm, dtype="<i2").astype(np.int16).reshape(-1, channels), rate_hz, path)


class _Appender:
    """A CSV that grows by whole rows."""

    def __init__(self, path: Path, columns: Tuple[str, str]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = open(path, "ab")
        self._synced = time.monotonic()
        if self._file.tell() == 0:
            self.append(*columns)

    def append(self, *fields: str) -> None:
        self._file.write(format_record(fields).encode("utf-8", "backslashreplace"))
        self._file.flush()  # buffered and flushed: a raw write may stop short on a full disk without an error
        if time.monotonic() - self._synced > _SYNC_SECONDS:
            self.sync()

    def sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def close(self) -> None:
        self.sync()
        self._file.close()


def main(load: Callable[[Environment], Any], answer: Callable[[Any, Trial], str]) -> None:
    """Run a model over its view.

    Parameters
    ----------
    load : callable
        Environment to model; called once.
    answer : callable
        ``(model, trial)`` to the model's words, verbatim.
    """
    try:
        jobs = [(environment, list(read_view(environment))) for environment in read_environments()]
    except InputError as error:
        sys.exit(f"error: {error}")
    model = load(jobs[0][0])
    for environment, trials in jobs:
        _answer_all(environment, trials, model, answer)


def _answer_all(
    environment: Environment, trials: List[Tuple[str, Callable[[], Trial]]], model: Any, answer: Callable[..., str]
) -> None:
    files = result_files(environment.results_root, environment.model, environment.task)
    answers, errors = _Appender(files.answers, ANSWER_COLUMNS), _Appender(files.errors, ERROR_COLUMNS)
    try:
        for stimulus_id, read in trials:
            try:
                text = answer(model, read())
            except Exception as error:  # whatever a model's code raises is this trial's error, and the run goes on
                if not isinstance(error, InputError):
                    traceback.print_exc()
                errors.append(stimulus_id, f"{type(error).__name__}: {error}")
                continue
            if not isinstance(text, str):
                errors.append(stimulus_id, f"TypeError: answer() returned {type(text).__name__}, a string is expected")
                continue
            answers.append(stimulus_id, text)
    finally:
        answers.close()
        errors.close()
