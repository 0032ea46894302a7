"""One run: a model asked a task under a condition. Its identity, its files, and how answers get into them.

A runner never sees the results folder. It gets a *view*, a META_DIR with just the trials to be asked now and
blank labels, and a *staging* folder to write in; what it wrote there is checked and merged. Staging
that a killed run left behind is merged when the next one begins, so no finished trial is asked twice.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib.metadata
import json
import os
import platform
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy as np

from inference.audio import complete_digests
from inference.contract import VIEW_COLUMNS
from inference.registry import Model
from meta.csvfile import format_table, parse_table, read_text, write_atomically
from meta.digests import audio_fingerprint
from meta.errors import InputError
from meta.registry import Task
from meta.results import (
    ANSWER_COLUMNS,
    ERROR_COLUMNS,
    ResultFiles,
    read_answers,
    read_errors,
    read_run,
    result_files,
)
from meta.trials import Condition, Subset, Trial, fingerprint, load_trials

Answers = Dict[str, str]


class Folders(NamedTuple):
    """Where a run reads and writes."""

    meta: Path
    data: Path
    results: Path


class Run(NamedTuple):
    """A model, a task and a condition, with every trial of the task and those planned now."""

    model: Model
    task: Task
    condition: Condition
    trials: List[Trial]
    planned: List[Trial]
    subset: str
    folders: Folders
    identity: Dict[str, str]

    @property
    def stem(self) -> str:
        """Name of its files: the task, and the condition unless that is the default."""
        return self.task.name if self.condition.is_default else f"{self.task.name}@{self.condition.name}"

    @property
    def label(self) -> str:
        """Name for messages."""
        return f"{self.model.name} {self.stem}"

    @property
    def files(self) -> ResultFiles:
        """Where its results are kept."""
        condition = "" if self.condition.is_default else self.condition.name
        return result_files(self.folders.results, self.model.name, self.task.name, condition)

    @property
    def ids(self) -> Set[str]:
        """The ids of all trials of the task."""
        return {trial.stimulus_id for trial in self.trials}

    def answers(self) -> Answers:
        """Return the answers on disk."""
        return read_answers(self.files.answers, known_ids=self.ids)

    def errors(self) -> Answers:
        """Return the errors on disk."""
        return read_errors(self.files.errors, known_ids=self.ids)

    @property
    def staging(self) -> Path:
        """Folder of its staging folders."""
        return self.folders.results / ".staging" / self.model.name / self.stem


def plan_runs(models: Sequence[Model], task: Task, condition: Condition, subset: Subset, folders: Folders) -> List[Run]:
    """Return each model's run of a task, with its identity: whatever decides which answers belong together."""
    trials = load_trials(task, condition, folders.meta)
    digests = complete_digests(task, trials, folders.meta)
    asked = {
        "task": task.name,
        "condition": condition.name,
        "trials_sha256": fingerprint(trials),
        "audio_sha256": audio_fingerprint(digests, (trial.stimulus_id for trial in trials)),
    }
    planned = subset.take(trials)
    runs = []
    for model in models:
        who = {"model": model.name, "model_id": model.model_id, "revision": model.revision, "args": model.args}
        runs.append(Run(model, task, condition, trials, planned, subset.name, folders, {**who, **asked}))
    return runs


# --- answers ---------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def exclusive(run: Run) -> Iterator[None]:
    """Hold the run's lock: two schedulers must not work on the same results."""
    try:
        run.staging.mkdir(parents=True, exist_ok=True)
        lock = open(run.staging / "lock", "w")
    except OSError as error:
        raise InputError(
            f"{run.staging}: cannot be written ({error.strerror or error}); choose another --results"
        ) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(
                f"{run.label}: another process is working on it ({run.staging / 'lock'} is held)"
            ) from None
        yield


def begin(run: Run) -> List[Trial]:
    """Check that the answers on disk belong to this run, take in what a killed run left, and record the identity.

    Returns
    -------
    list of Trial
        The planned trials that have no answer yet.
    """
    run_record = read_run(run.files.run)
    if run_record is None and run.files.answers.exists():
        raise InputError(
            f"{run.files.answers}: has no {run.files.run.name} that says what was asked; move it away to run anew"
        )
    if run_record is not None:
        _refuse_other_identity(run, run_record["identity"], run.files.run)
    waiting = open_trials(run)  # malformed answers are refused before anything changes
    for folder in staging_folders(run):
        if (folder / "identity.json").exists():
            _refuse_other_identity(run, _staged_identity(folder), folder)
            merge(run, folder)
            waiting = open_trials(run)
        else:  # killed while the folder was being made: no runner had begun
            shutil.rmtree(folder)
    if run_record is None or waiting or _joined_subset(run_record["subset"], run) != run_record["subset"]:
        _write_run(run, run_record)
    return waiting


def _staged_identity(folder: Path) -> Dict[str, str]:
    try:
        return dict(json.loads(read_text(folder / "identity.json")))
    except (ValueError, TypeError):
        raise InputError(f"{folder / 'identity.json'}: is damaged; move the folder away to go on") from None


_MEANINGS = {
    "trials_sha256": "trials_sha256 (questions, options or prompt)",
    "audio_sha256": "audio_sha256 (the digests of the clips)",
}


def _refuse_other_identity(run: Run, found: Dict[str, str], where: Path) -> None:
    differing = [
        f"{_MEANINGS.get(key, key)} was {found.get(key)!r}, is {run.identity[key]!r}"
        for key in run.identity
        if found.get(key) != run.identity[key]
    ]
    if differing:
        raise InputError(
            f"{where}: these answers were asked under another identity: {'; '.join(differing)}. "
            "Move them away, or give another --results"
        )


def open_trials(run: Run) -> List[Trial]:
    """Return the planned trials that have no answer yet.

    Raises
    ------
    InputError
        The answers on disk are for unknown trials, or malformed.
    """
    answered = run.answers()
    _refuse_unknown(run, answered, run.files.answers)
    return [trial for trial in run.planned if trial.stimulus_id not in answered]


def _refuse_unknown(run: Run, answers: Answers, path: Path) -> None:
    known = run.ids
    strangers = [stimulus_id for stimulus_id in answers if stimulus_id not in known]
    if strangers:
        raise InputError(
            f"{path}: {len(strangers)} id(s) are not in meta/{run.task.name}.csv, such as {strangers[0]!r}; "
            "move the file away"
        )


def stage(run: Run, trials: Sequence[Trial]) -> Path:
    """Make a staging folder with the view of some trials, and return it."""
    run.staging.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="job-", dir=run.staging))
    blank = {column: "" for column in VIEW_COLUMNS}
    rows = (
        {
            **blank,
            "stimulus_id": t.stimulus_id,
            "question": t.question,
            "options": json.dumps(list(t.options), ensure_ascii=False),
        }
        for t in trials
    )
    write_atomically(folder / "meta" / f"{run.task.name}.csv", format_table(VIEW_COLUMNS, rows).encode("utf-8"))
    (folder / "results").mkdir()
    write_atomically(folder / "identity.json", json.dumps(run.identity).encode("utf-8"))
    return folder


def staging_folders(run: Run) -> List[Path]:
    """Return the staging folders of a run."""
    return sorted(folder for folder in run.staging.glob("job-*") if folder.is_dir())


def staged_files(run: Run, folder: Path) -> Tuple[Optional[Path], Optional[Path]]:
    """Return the answers and errors that a runner wrote; its own name for the model does not matter."""
    answers = sorted((folder / "results").glob(f"*/{run.task.name}.csv"))
    errors = sorted((folder / "results").glob(f"*/{run.task.name}.errors.csv"))
    return (answers[0] if answers else None), (errors[0] if errors else None)


def end_last_row(run: Run, folder: Path, trials: Sequence[Trial]) -> None:
    """Add the line end that a runner left out after its last row.

    Only for a runner that ended by itself, and only when every trial has its row then: any other row without a
    line end was torn.
    """
    path, _ = staged_files(run, folder)
    if path is None or path.read_bytes()[-1:] in (b"", b"\n"):
        return
    with contextlib.suppress(InputError):  # merge will say what is wrong
        if len(parse_table(read_text(path), path, ANSWER_COLUMNS).lines) == len(trials):
            with open(path, "ab") as file:
                file.write(b"\n")


def merge(run: Run, folder: Path) -> Set[str]:
    """Check what a runner staged, merge it into the results, and remove the folder.

    Returns
    -------
    set of str
        The ids that the runner answered or gave an error row.

    Raises
    ------
    InputError
        The runner wrote malformed rows, an id twice, ids that it was not asked, or two files for one task; its
        folder is kept aside as ``rejected-…`` and nothing of it is merged.
    """
    answers_path, errors_path = staged_files(run, folder)
    try:
        for name in (f"{run.task.name}.csv", f"{run.task.name}.errors.csv"):
            written = sorted((folder / "results").glob(f"*/{name}"))
            if len(written) > 1:
                raise InputError(f"{written[1]}: is a second {name} beside {written[0]}; a runner writes one")
        new_answers = read_answers(answers_path, known_ids=run.ids) if answers_path else {}
        new_errors = read_errors(errors_path, known_ids=run.ids) if errors_path else {}
        for path, rows in ((answers_path, new_answers), (errors_path, new_errors)):
            _refuse_unknown(run, rows, path or folder)
    except InputError as error:
        aside = folder.with_name(folder.name.replace("job-", "rejected-"))
        os.replace(folder, aside)
        what = str(error).replace(str(folder), str(aside))
        raise InputError(f"{run.label}: what its runner wrote is refused and kept: {what}") from None
    _merge_rows(run, new_answers, new_errors)
    shutil.rmtree(folder)
    return {*new_answers, *new_errors}


def _merge_rows(run: Run, new_answers: Answers, new_errors: Answers) -> None:
    answers = {**new_answers, **run.answers()}  # a finished trial keeps its answer
    errors = {**run.errors(), **new_errors}
    order = [trial.stimulus_id for trial in run.trials]
    if new_answers or run.files.answers.exists():
        _write_rows(run.files.answers, ANSWER_COLUMNS, [(i, answers[i]) for i in order if i in answers])
    outstanding = [(i, errors[i]) for i in order if i in errors and i not in answers]
    if outstanding:
        _write_rows(run.files.errors, ERROR_COLUMNS, outstanding)
    else:
        run.files.errors.unlink(missing_ok=True)


def _write_rows(path: Path, columns: Tuple[str, str], rows: List[Tuple[str, str]]) -> None:
    table = ({columns[0]: stimulus_id, columns[1]: text} for stimulus_id, text in rows)
    write_atomically(path, format_table(columns, table).encode("utf-8", "backslashreplace"))


# --- the run record --------------------------------------------------------------------------------------------------


def _write_run(run: Run, before: Optional[Dict[str, Any]]) -> None:
    subset = run.subset if before is None else _joined_subset(before["subset"], run)
    record = dict(before.get("record", {})) if before else {"started": _now(), "seconds": 0.0}
    record.update(
        acoumeter=_project_version(),
        python=platform.python_version(),
        numpy=np.__version__,
        machine=f"{platform.system()} {platform.machine()}",
    )
    _save(run, subset, record)


def _joined_subset(before: str, run: Run) -> str:
    if not before or not run.subset:
        return ""  # once planned as a whole, unanswered trials are unfinished, not left out
    return before if run.subset in before.split(" + ") else f"{before} + {run.subset}"


def finish(run: Run, seconds: float) -> None:
    """Record how a run went; for the reader alone."""
    run_record = read_run(run.files.run)
    if run_record is None:
        raise InputError(f"{run.files.run}: vanished during the run")
    record = run_record["record"]
    record.update(finished=_now(), answers=len(run.answers()), errors=len(run.errors()))
    before = record.get("seconds")
    record["seconds"] = round((before if isinstance(before, (int, float)) else 0.0) + seconds, 1)
    _save(run, run_record["subset"], record)


def tidy(run: Run) -> None:
    """Remove the working files of a run that has ended; what was refused stays."""
    for path in run.files:
        path.with_name(f".{path.name}.part").unlink(missing_ok=True)  # left by a kill in the middle of a write
    if not any(run.staging.glob("rejected-*")):
        shutil.rmtree(run.staging)


def _save(run: Run, subset: str, record: Dict[str, Any]) -> None:
    content = {"identity": run.identity, "subset": subset, "record": record}
    write_atomically(run.files.run, (json.dumps(content, indent=1) + "\n").encode("utf-8"))


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _project_version() -> str:
    try:
        return importlib.metadata.version("acoumeter")
    except importlib.metadata.PackageNotFoundError:  # run from a copy that is not installed
        return "unknown"
