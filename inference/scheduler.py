"""Start runners as child processes, watch them, and merge what they write.

A job is some trials of one run for one process. Jobs wait for a slot: CPU runners share ``jobs`` slots, GPU
runners take the devices given. A child that dies, or ends without answering its trials, is reported
with its last lines, and what it left open is asked once more by a fresh process.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Set

from inference.registry import python_of
from inference.runs import Run, end_last_row, merge, stage, staged_files
from meta import PROJECT_ROOT
from meta.errors import InputError
from meta.trials import Trial

_POLL_S = 0.1
_TERMINATE_S = 5.0
_TAIL_LINES = 8
_PR_SET_PDEATHSIG = 1  # prctl(2)


class Job(NamedTuple):
    """Some trials of a run for one process."""

    run: Run
    trials: List[Trial]
    part: str  # "1of2", for log files
    attempt: int = 1


class Slots(NamedTuple):
    """What children may use at once: CPU slots and GPU devices."""

    cpus: int
    gpus: List[str]


class _Child:
    """A running job."""

    def __init__(self, job: Job, gpus: List[str]) -> None:
        self.job, self.gpus = job, gpus
        self.counted = 0  # trials that the progress bar knows of
        self.folder = stage(job.run, job.trials)
        self.log = _log_path(job)
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [str(python_of(job.run.model)), str(job.run.model.runner)],
                env=_environment(job.run, self.folder, gpus),
                cwd=PROJECT_ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                preexec_fn=_die_with_parent(os.getpid()) if sys.platform == "linux" else None,
                start_new_session=True,  # Ctrl-C reaches the scheduler alone, which stops its children in order
            )

    def progress(self) -> int:
        """Return how many trials the child has dealt with so far, by the lines that it wrote."""
        lines = 0
        for path in staged_files(self.job.run, self.folder):
            if path is not None:
                lines += max(path.read_bytes().count(b"\n") - 1, 0)
        return min(lines, len(self.job.trials))

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


def _log_path(job: Job) -> Path:
    return job.run.folders.results / ".logs" / job.run.model.name / f"{job.run.stem}.{job.part}.{job.attempt}.log"


def _environment(run: Run, folder: Path, gpus: List[str]) -> Dict[str, str]:
    environment = dict(os.environ)
    environment.update(
        TASK=run.task.name,
        ILLUSION=run.task.name,
        META_DIR=str((folder / "meta").resolve()),
        DATA_ROOT=str(run.folders.data.resolve()),
        RESULTS_ROOT=str((folder / "results").resolve()),
        CUDA_VISIBLE_DEVICES=",".join(gpus),
        MODEL=run.model.name,
        MODEL_ID=run.model.model_id,
        MODEL_REVISION=run.model.revision,
        MODEL_ARGS=run.model.args,
        PYTHONPATH=os.pathsep.join(filter(None, (str(PROJECT_ROOT), os.environ.get("PYTHONPATH", "")))),
        PYTHONUNBUFFERED="1",
    )
    environment.pop("PYTHONSAFEPATH", None)  # a runner may import what lies beside it
    return environment


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
        self._free_cpus, self._free_gpus = slots.cpus, list(slots.gpus)
        self._report, self._advance = report, advance
        self._waiting: List[Job] = []
        self._running: List[_Child] = []

    def run_all(self, jobs: Sequence[Job]) -> None:
        """Run jobs, the longest first. On Ctrl-C, end the children and keep what they wrote."""
        self._waiting = sorted(jobs, key=lambda job: -len(job.trials))
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
        for job in list(self._waiting):
            gpus = self._reserve(job)
            if gpus is None:
                continue
            self._waiting.remove(job)
            try:
                self._running.append(_Child(job, gpus))
            except OSError as error:
                self._release(job, gpus)
                self._report(f"{job.run.label}: its runner cannot be started: {error}")

    def _reserve(self, job: Job) -> Optional[List[str]]:
        need = job.run.model.gpus
        if need == 0:
            if not self._free_cpus:
                return None
            self._free_cpus -= 1
            return []
        if need > len(self._free_gpus):
            return None
        taken, self._free_gpus = self._free_gpus[:need], self._free_gpus[need:]
        return taken

    def _release(self, job: Job, gpus: List[str]) -> None:
        if job.run.model.gpus:
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
        self._release(child.job, child.gpus)
        if status == 0:
            end_last_row(child.job.run, child.folder, child.job.trials)
        dealt_with = self._take_in(child)
        left = [trial for trial in child.job.trials if trial.stimulus_id not in dealt_with]
        if status == 0 and not left:
            return
        what = f"ended with status {status}" if status >= 0 else f"was killed by {signal.Signals(-status).name}"
        self._report(
            f"{child.job.run.label}: its runner {what}, {len(left)} trials left open; "
            f"its last lines:\n{child.last_lines()}"
        )
        if left and child.job.attempt == 1:
            self._report(f"{child.job.run.label}: trying {len(left)} trials once more")
            # the trial on which it died goes last, so that the others get their turn
            self._waiting.append(child.job._replace(trials=left[1:] + left[:1], attempt=2))

    def _take_in(self, child: _Child) -> Set[str]:
        """Merge what a child wrote; return the ids to which it gave an answer or an error row."""
        try:
            return merge(child.job.run, child.folder)
        except InputError as error:
            self._report(str(error))
            return set()
