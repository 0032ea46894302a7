"""Render the rows of tasks in worker processes: into files, or only to compare with the digests."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from generators.common.clip import Clip, clip_path, file_digest, write_clip
from meta.digests import load_digests
from meta.errors import InputError
from meta.loader import import_module_of
from meta.registry import Task
from meta.schema import Row

RENDERED, SKIPPED, EQUAL = "rendered", "already right", "equal"
NEW, DIFFERS, FAILED = "without a digest", "differing", "failed"
STATUSES = (RENDERED, SKIPPED, EQUAL, NEW, DIFFERS, FAILED)
_CHUNK = 16  # rows a worker takes at once: small enough for a smooth progress bar


@dataclass(frozen=True)
class Order:
    """What a worker does with its rows: where the clips go, or nowhere when ``out`` is None."""

    out: Path | None
    audio_format: str = "wav"
    keep_right_files: bool = True


@dataclass(frozen=True)
class Outcome:
    """What became of one row."""

    task: str
    clip_id: str
    status: str
    digest: str = ""
    message: str = ""


def renderer(task: Task) -> Callable[[Row], Clip]:
    """Return the function that renders a row of a task."""
    module = import_module_of(task, "generators")

    def render(row: Row) -> Clip:
        clip: Clip = module.render(row, task.rate_hz)
        return clip

    return render


def take_shard(rows: Sequence[Row], shard: tuple[int, int]) -> list[Row]:
    """Return every n-th row, starting with the i-th: shard ``(i, n)``, i from 1 to n."""
    index, count = shard
    return list(rows[index - 1 :: count])


def render_chunk(task: Task, rows: Sequence[Row], expected: dict[str, str], order: Order) -> list[Outcome]:
    """Render some rows; runs in a worker. ``expected`` holds the committed digests of these rows."""
    render = renderer(task)
    return [_render_row(task, row, expected.get(row["stimulus_id"]), order, render) for row in rows]


def _render_row(task: Task, row: Row, expected: str | None, order: Order, render: Callable[[Row], Clip]) -> Outcome:
    clip_id = row["stimulus_id"]
    path = clip_path(order.out, task.name, clip_id, order.audio_format) if order.out is not None else None
    if path and expected and order.keep_right_files and path.exists() and file_digest(path, task.rate_hz) == expected:
        return Outcome(task.name, clip_id, SKIPPED, expected)
    try:
        clip = render(row)
    except (ArithmeticError, ValueError, MemoryError) as error:
        return Outcome(task.name, clip_id, FAILED, message=f"{task.name} {clip_id}: cannot be rendered: {error}")
    digest = clip.digest()
    if expected is not None and digest != expected:
        message = f"{task.name} {clip_id}: renders to {digest[:12]}, its digest is {expected[:12]}; no file written"
        return Outcome(task.name, clip_id, DIFFERS, digest, message)
    if path:
        try:
            write_clip(path, clip)
        except OSError as error:
            raise InputError(
                f"{path}: cannot be written ({error.strerror or error}); free or choose another --out"
            ) from None
    status = NEW if expected is None else RENDERED if path else EQUAL
    return Outcome(task.name, clip_id, status, digest)


def render_all(
    work: Sequence[tuple[Task, Sequence[Row]]], order: Order, jobs: int, meta_dir: Path
) -> Iterator[Outcome]:
    """Render rows of several tasks and yield each outcome as it comes.

    Parameters
    ----------
    work : sequence of (Task, rows)
    order : Order
    jobs : int
        Worker processes; 1 renders in this one.
    meta_dir : Path
        Where the digests are.

    Raises
    ------
    InputError
        A file could not be written; everything written before stays.
    """
    calls = list(_chunks(work, order, meta_dir))
    if jobs == 1:
        for call in calls:
            yield from render_chunk(*call)
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin_worker) as pool:
        yield from _drain(pool, iter(calls), jobs)


def _chunks(
    work: Sequence[tuple[Task, Sequence[Row]]], order: Order, meta_dir: Path
) -> Iterator[tuple[Task, Sequence[Row], dict[str, str], Order]]:
    for task, rows in work:
        digests = load_digests(task.name, meta_dir)
        for start in range(0, len(rows), _CHUNK):
            chunk = rows[start : start + _CHUNK]
            ids = [row["stimulus_id"] for row in chunk]
            yield task, chunk, {clip_id: digests[clip_id] for clip_id in ids if clip_id in digests}, order


def _drain(pool: ProcessPoolExecutor, calls: Iterator[tuple], jobs: int) -> Iterator[Outcome]:
    """Keep the workers busy without queueing everything, so that an error or Ctrl-C ends soon."""
    running: set[Future] = set()
    try:
        while True:
            for call in calls:
                with _interrupts_held():  # submitting may start a worker
                    running.add(pool.submit(render_chunk, *call))
                if len(running) >= 2 * jobs:
                    break
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield from future.result()
    finally:
        for future in running:
            future.cancel()


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back, also in a worker born meanwhile, which would else die of it before it can ignore it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _begin_worker() -> None:
    """Leave Ctrl-C to the parent, which ends its workers in order, and end when the parent is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def default_jobs() -> int:
    """Return the number of CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def counts(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """Return how many outcomes have each status."""
    tally = dict.fromkeys(STATUSES, 0)
    for outcome in outcomes:
        tally[outcome.status] += 1
    return tally
