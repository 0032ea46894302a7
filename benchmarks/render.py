"""What rendering costs, as a multiple of a floor that no renderer can beat.

The floor is making the same folders, hashing the same samples with SHA-256, and writing the same bytes with
plain file writes, in the same processes, on the same disk, turn about with the rendering. Times are CPU
times (user and system), summed over the workers. The engines are also compared with the plain way of doing
the same in NumPy or SciPy.

    python benchmarks/render.py                 # a few minutes
    python benchmarks/render.py --rows 100      # less exact, sooner
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the render command

import numpy as np  # noqa: E402

from generators.rendering import Order, render_chunk, renderer, take_shard  # noqa: E402
from meta import PROJECT_ROOT  # noqa: E402
from meta.digests import load_digests  # noqa: E402
from meta.loader import load_rows  # noqa: E402
from meta.registry import Task, load_tasks  # noqa: E402

LIMITS = {"missing_fundamental": 6.0, "shepard_tone": 6.0, "zwicker_tone": 15.0}  # times the floor


def cpu_seconds(action: Callable[[], object]) -> float:
    """Return the CPU time of one call in this process."""
    before = time.process_time()
    action()
    return time.process_time() - before


def seconds_a_call(action: Callable[[], object], calls: int) -> float:
    """Return the CPU time of one of several calls; each result is dropped before the next call."""
    before = time.process_time()
    for _ in range(calls):
        action()
    return (time.process_time() - before) / calls


def spread(values: list[float]) -> str:
    """Return a median and its range."""
    return f"{statistics.median(values):7.2f}  ({min(values):.2f} to {max(values):.2f})"


# --- tasks -------------------------------------------------------------------------------------------------------


def measure_task(task: Task, shard: tuple[int, int], rows: int, repeats: int, out: str) -> list[tuple[float, float]]:
    """Return (rendering, floor) in CPU seconds for each repeat; runs in a worker."""
    chosen = take_shard(load_rows(task)[:rows], shard)
    digests = load_digests(task.name)
    render = renderer(task)
    contents = [(row["stimulus_id"], render(row).pcm()) for row in chosen]
    folder = Path(out) / str(os.getpid())
    pairs = []
    for _ in range(repeats):
        shutil.rmtree(folder, ignore_errors=True)
        rendering = cpu_seconds(lambda: render_chunk(task, chosen, digests, Order(folder)))
        shutil.rmtree(folder, ignore_errors=True)
        pairs.append((rendering, cpu_seconds(lambda: write_plainly(contents, folder / task.name))))
    shutil.rmtree(folder, ignore_errors=True)
    return pairs


def write_plainly(contents: list[tuple[str, bytes]], folder: Path) -> None:
    """Hash and write samples, nothing else: the floor."""
    for name, pcm in contents:
        hashlib.sha256(pcm).hexdigest()
        os.makedirs(f"{folder}/{name}")
        with open(f"{folder}/{name}/{name}.wav", "wb") as file:
            file.write(pcm)


def peak_memory_mb(task: Task, rows: int, out: str) -> float:
    """Return the largest resident size of a worker that renders; runs in a worker of its own."""
    render_chunk(task, load_rows(task)[:rows], load_digests(task.name), Order(Path(out) / "memory"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def report_tasks(jobs: int, rows: int, repeats: int, out: str) -> bool:
    """Print a line a task; return whether all keep their limits."""
    kept = True
    print(f"\nrendering against the floor, {jobs} worker(s), up to {rows} clips a task, {repeats} repeats")
    print(f"{'task':<22}{'clips':>6}{'ms a clip':>11}{'floor ms':>10}  ratio (range)           limit   MB a worker")
    for task in load_tasks().values():
        count = min(rows, task.planned_rows)
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            shards = [(index + 1, jobs) for index in range(jobs)]
            results = list(pool.map(measure_task, [task] * jobs, shards, [rows] * jobs, [repeats] * jobs, [out] * jobs))
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            memory = pool.submit(peak_memory_mb, task, rows, out).result()
        totals = [tuple(map(sum, zip(*repeat, strict=True))) for repeat in zip(*results, strict=True)]
        ratios = [rendering / floor for rendering, floor in totals]
        ms, floor_ms = (1000 * statistics.median(column) / count for column in zip(*totals, strict=True))
        limit = LIMITS.get(task.name, 6.0)
        kept = kept and statistics.median(ratios) <= limit and memory < 300
        print(
            f"{task.name:<22}{count:>6}{ms:>11.2f}{floor_ms:>10.2f}  {spread(ratios):<24}{limit:>5.0f}{memory:>14.0f}"
        )
    return kept


# --- engines -----------------------------------------------------------------------------------------------------


def engines() -> Iterator[tuple[str, int, Callable[[], object], str, Callable[[], object]]]:
    """Yield each engine, its samples, a call of it, and the plain way to the same."""
    import scipy.signal

    from generators.common.additive import additive
    from generators.common.exact import increments, sine
    from generators.common.filters import staircase_filter
    from generators.common.noise import gaussian_noise
    from generators.common.seeding import random_words

    length, rate_hz = 5 * 48000, 48000
    frequencies, amplitudes = 220.0 * np.arange(1, 11), np.full(10, 0.1)
    phases = random_words("benchmark", "id", "phases", 10)
    seconds = np.arange(length) / rate_hz

    def plain_sum() -> np.ndarray:
        total = np.zeros(length)
        for frequency in frequencies:
            total += 0.1 * np.sin(2 * np.pi * frequency * seconds)
        return total

    steps = increments(frequencies, rate_hz)
    yield (
        "additive, 10 partials",
        length,
        lambda: additive(steps, phases, amplitudes, length),
        "sum of np.sin",
        plain_sum,
    )
    words = random_words("benchmark", "id", "sine", length)
    angles = words.astype(np.float64) * (2 * np.pi / 2.0**64)
    yield "sine of a phase", length, lambda: sine(words), "np.sin", lambda: np.sin(angles)
    generator = np.random.default_rng(0)
    yield (
        "Gaussian noise",
        length,
        lambda: gaussian_noise(random_words("benchmark", "id", "noise", length)),
        "standard_normal",
        lambda: generator.standard_normal(length),
    )
    shape, noise = staircase_filter([100, 7160], [1.0], 16000), gaussian_noise(words)
    taps, signal = shape.taps.astype(float), noise.astype(float)
    yield (
        "integer FIR, 4097 taps",
        length,
        lambda: shape(noise),
        "oaconvolve",
        lambda: scipy.signal.oaconvolve(signal, taps, "valid"),
    )


def report_engines(repeats: int, out: str) -> bool:
    """Print a line an engine; return whether the additive one is at least 30 times the plain way."""
    kept = True
    print(f"\nengines, 5 s at 48 kHz, one core, {repeats} repeats of 10 calls")
    print(f"{'engine':<24}{'Msamples/s':>11}  re the floor (range)        times as fast as the plain way (range)")
    for name, samples, engine, plain_name, plain in engines():
        pcm = bytes(2 * samples)
        engine(), plain()
        ratios, floors, times = [], [], []
        for repeat in range(repeats):
            mine, other = seconds_a_call(engine, 10), seconds_a_call(plain, 3)
            folder = Path(out) / f"engine-{name[:4]}-{repeat}"
            floor = cpu_seconds(lambda: write_plainly([(str(i), pcm) for i in range(10)], folder)) / 10  # noqa: B023
            shutil.rmtree(folder)
            ratios.append(other / mine)
            floors.append(mine / floor)
            times.append(mine)
        rate = samples / statistics.median(times) / 1e6
        kept = kept and (name[:8] != "additive" or statistics.median(ratios) >= 30)
        print(f"{name:<24}{rate:>11.0f}  {spread(floors):<28}{spread(ratios)}  {plain_name}")
    return kept


def main() -> int:
    """Print both tables; exit with 1 if a limit is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=400, help="clips a task (default 400)")
    parser.add_argument("--repeats", type=int, default=7, help="repeats (default 7)")
    parser.add_argument("--jobs", type=int, default=1, help="workers (default 1)")
    parser.add_argument("--out", type=Path, default=PROJECT_ROOT / "build", help="a folder on the disk to measure")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.out) as out:
        kept = report_tasks(options.jobs, options.rows, options.repeats, out)
        kept = report_engines(options.repeats, out) and kept
    print("\nall limits kept" if kept else "\na limit is broken")
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main())
