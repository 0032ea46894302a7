"""Start runners as child processes, watch them, and merge what they write.

A job is some trials of one run. A process takes one, or several if its runner can load the model once for
all. Processes wait for a slot: CPU runners share ``jobs`` slots, GPU runners take the devices given. A child
that dies, or ends without answering its trials, is reported with its last lines, and what it left open is
asked once more by a fresh process.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence

from inference.registry import Model, python_of
from inference.runs import Run, end_last_row, merge, stage, staged_files
from meta import PROJECT_ROOT
from meta.errors import InputError
from meta.trials import Trial

_POLL_S = 0.1
_TERMINATE_S = 5.0
_TAIL_LINES = 8
_PR_SET_PDEATHSIG = 1  # prctl(2)


class Job(NamedTuple):
    """Some trials of one run."""

    run: Run
    trials: List[Trial]
    part: str  # "1of2", for log files


class Batch(NamedTuple):
    """What one process is given: a job, or several jobs of one model."""

    jobs: List[Job]
    attempt: int = 1

    @property
    def model(self) -> Model:
        """The model of its jobs."""
        return self.jobs[0].run.model

    @property
    def label(self) -> str:
        """Name for messages."""
        return f"{self.model.name} {', '.join(dict.fromkeys(job.run.stem for job in self.jobs))}"

    @property
    def size(self) -> int:
        """Number of trials."""
        return sum(len(job.trials) for job in self.jobs)


class Slots(NamedTuple):
    """What children may use at once: CPU slots and GPU devices."""

    cpus: int
    gpus: List[str]


class _Child:
    """A running batch."""

    def __init__(self, batch: Batch, gpus: List[str]) -> None:
        self.batch, self.gpus = batch, gpus
        self.counted = 0  # trials that the progress bar knows of
        self.folders = [stage(job.run, job.trials) for job in batch.jobs]
        self.log = _log_path(batch)
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [str(python_of(batch.model)), str(batch.model.runner)],
                env=_environment(batch, self.folders, gpus),
                cwd=PROJECT_ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                preexec_fn=_die_with_parent(os.getpid()) if sys.platform == "linux" else None,
                start_new_session=True,  # Ctrl-C reaches the scheduler alone, which stops its children in order
            )

    def progress(self) -> int:
        """Return how many trials the child has dealt with so far, by the lines that it wrote."""
        return sum(map(_lines_written, self.batch.jobs, self.folders))

    def stop(self) -> None:
        """End the child, kindly at first."""
        self.send(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_TERMINATE_S)
        self.send(signal.SIGKILL)
        self.process.wait()

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the child and to whatever it started, which may outlive it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)

    def last_lines(self) -> str:
        """Return the end of the child's log."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(f"    {line}" for line in lines[-_TAIL_LINES:] or ["(it printed nothing)"])


def _lines_written(job: Job, folder: Path) -> int:
    lines = 0
    for path in staged_files(job.run, folder):
        if path is not None:
            lines += max(path.read_bytes().count(b"\n") - 1, 0)
    return min(lines, len(job.trials))


def _log_path(batch: Batch) -> Path:
    first, others = batch.jobs[0], len(batch.jobs) - 1
    name = f"{first.run.stem}.{first.part}{f'+{others}' if others else ''}.{batch.attempt}.log"
    return first.run.folders.results / ".logs" / batch.model.name / name


def _environment(batch: Batch, folders: List[Path], gpus: List[str]) -> Dict[str, str]:
    model = batch.model
    views = [_view(job, folder) for job, folder in zip(batch.jobs, folders)]
    environment = dict(os.environ)
    environment.pop("PYTHONSAFEPATH", None)  # a runner may import what lies beside it
    environment.update(
        views[0],
        ILLUSION=views[0]["TASK"],
        DATA_ROOT=str(batch.jobs[0].run.folders.data.resolve()),
        CUDA_VISIBLE_DEVICES=",".join(gpus),
        MODEL=model.name,
        MODEL_ID=model.model_id,
        MODEL_REVISION=model.revision,
        MODEL_ARGS=model.args,
        PYTHONPATH=os.pathsep.join(filter(None, (str(PROJECT_ROOT), os.environ.get("PYTHONPATH", "")))),
        PYTHONUNBUFFERED="1",
    )
    if model.takes_jobs:
        path = folders[0] / "jobs.json"
        path.write_text(json.dumps(views), encoding="utf-8")
        environment["JOBS"] = str(path.resolve())
    return environment


def _view(job: Job, folder: Path) -> Dict[str, str]:
    """Return the contract's variables that differ between the jobs of a process."""
    return {
        "TASK": job.run.task.name,
        "META_DIR": str((folder / "meta").resolve()),
        "RESULTS_ROOT": str((folder / "results").resolve()),
    }


def _die_with_parent(parent: int) -> Callable[[], None]:
    def ask_to_be_killed() -> None:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it was gone before the request was made
            os._exit(1)

    return ask_to_be_killed


def split(run: Run, trials: Sequence[Trial], shards: int) -> List[Job]:
    """Return the jobs of a run: its open trials dealt out to ``shards`` processes."""
    parts = [list(trials[i::shards]) for i in range(shards)]
    return [Job(run, part, f"{i}of{shards}") for i, part in enumerate(parts, start=1) if part]


def group(jobs: Sequence[Job], slots: Slots) -> List[Batch]:
    """Return what each process is given, the largest first.

    A model whose runner takes several jobs gets at most as many processes as slots, so that it is loaded no more
    often than it must be; for others each job is a process.
    """
    batches = [Batch([job]) for job in jobs if not job.run.model.takes_jobs]
    by_model: Dict[str, List[Job]] = {}
    for job in sorted(jobs, key=lambda job: -len(job.trials)):
        if job.run.model.takes_jobs:
            by_model.setdefault(job.run.model.name, []).append(job)
    for own in by_model.values():
        gpus = own[0].run.model.gpus
        parts: List[List[Job]] = [[] for _ in range(max(1, len(slots.gpus) // gpus if gpus else slots.cpus))]
        for job in own:
            min(parts, key=lambda part: sum(len(other.trials) for other in part)).append(job)
        batches += [Batch(part) for part in parts if part]
    return sorted(batches, key=lambda batch: -batch.size)


class Scheduler:
    """Runs jobs until none is left.

    Parameters
    ----------
    slots : Slots
    report : callable
        Takes a line for the user.
    advance : callable
        Takes the number of trials newly dealt with.
    """

    def __init__(self, slots: Slots, report: Callable[[str], None], advance: Callable[[int], None]) -> None:
        self._slots = slots
        self._free_cpus, self._free_gpus = slots.cpus, list(slots.gpus)
        self._report, self._advance = report, advance
        self._waiting: List[Batch] = []
        self._running: List[_Child] = []

    def run_all(self, jobs: Sequence[Job]) -> None:
        """Run jobs, the longest first. On Ctrl-C, end the children and keep what they wrote."""
        self._waiting = group(jobs, self._slots)
        try:
            while self._waiting or self._running:
                self._start_what_fits()
                time.sleep(_POLL_S)
                for child in list(self._running):
                    self._look_at(child)
        finally:
            for child in self._running:
                child.send(signal.SIGTERM)
            for child in self._running:
                child.stop()
                self._take_in(child)

    def _start_what_fits(self) -> None:
        for batch in list(self._waiting):
            gpus = self._reserve(batch.model)
            if gpus is None:
                continue
            self._waiting.remove(batch)
            try:
                self._running.append(_Child(batch, gpus))
            except OSError as error:
                self._release(batch.model, gpus)
                self._report(f"{batch.label}: its runner cannot be started: {error}")

    def _reserve(self, model: Model) -> Optional[List[str]]:
        if model.gpus == 0:
            if not self._free_cpus:
                return None
            self._free_cpus -= 1
            return []
        if model.gpus > len(self._free_gpus):
            return None
        taken, self._free_gpus = self._free_gpus[: model.gpus], self._free_gpus[model.gpus :]
        return taken

    def _release(self, model: Model, gpus: List[str]) -> None:
        if model.gpus:
            self._free_gpus += gpus
        else:
            self._free_cpus += 1

    def _look_at(self, child: _Child) -> None:
        status = child.process.poll()
        done = child.progress()
        self._advance(done - child.counted)
        child.counted = done
        if status is None:
            return
        child.send(signal.SIGKILL)  # a worker process left behind would keep its device
        self._running.remove(child)
        self._release(child.batch.model, child.gpus)
        left = self._take_in(child, by_itself=status == 0)
        if status == 0 and not left:
            return
        what = f"ended with status {status}" if status >= 0 else f"was killed by {signal.Signals(-status).name}"
        count = sum(len(job.trials) for job in left)
        self._report(
            f"{child.batch.label}: its runner {what}, {count} trials left open; its last lines:\n{child.last_lines()}"
        )
        if left and child.batch.attempt == 1:
            self._report(f"{child.batch.label}: trying {count} trials once more")
            # the trial on which it died goes last, so that the others get their turn
            first, *others = left
            again = first._replace(trials=first.trials[1:] + first.trials[:1])
            self._waiting.append(Batch([*others, again], attempt=2))

    def _take_in(self, child: _Child, by_itself: bool = False) -> List[Job]:
        """Merge what a child wrote; return the jobs with trials that have neither an answer nor an error row."""
        left = []
        for job, folder in zip(child.batch.jobs, child.folders):
            if by_itself:
                end_last_row(job.run, folder, job.trials)
            try:
                dealt_with = merge(job.run, folder)
            except InputError as error:
                self._report(str(error))
                dealt_with = set()
            trials = [trial for trial in job.trials if trial.stimulus_id not in dealt_with]
            if trials:
                left.append(job._replace(trials=trials))
        return left
