"""A small project to run models in: a few rows of meta, their audio, a registry and runners."""

import csv
import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from generators.rendering import Order, render_all
from inference.registry import COLUMNS as REGISTRY_COLUMNS
from inference.registry import Model
from inference.runs import Folders, Run, plan_runs
from meta import META_DIR, PROJECT_ROOT
from meta.csvfile import format_table, read_table
from meta.loader import load_rows
from meta.registry import find_tasks
from meta.results import read_answers, read_errors
from meta.trials import Subset, find_condition

TASK = "missing_fundamental"
SHIPPED_REGISTRY = PROJECT_ROOT / "inference" / "lalms_registry.tsv"

# A native runner: what it answers is a line of Python with ``trial`` at hand.
NATIVE = """
import os, signal, sys, time
from inference.contract import main

def answer(model, trial):
    {body}

if __name__ == "__main__":
    main(lambda environment: environment, answer)
"""

# Every text that has broken a CSV writer or reader.
HARD_TEXTS = (
    "yes",
    "a, b and c",
    'he said "no"',
    "two\nlines",
    "carriage\r\nreturns",
    "a lone\rreturn",
    "naïve 日本語 🎵 é",
    "",
    "  spaces  ",
    '"',
    "\n",
    "ü\n" * 20_000,
    "a null \x00 byte",
    "None",
    "a lone surrogate \ud800",
    "'; DROP TABLE answers; --\t=1+1",
)


class World(NamedTuple):
    """Folders of a small project."""

    meta: Path
    data: Path


class Outcome(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str


def cut_meta(folder: Path, rows: dict[str, int]) -> Path:
    """Write a meta folder with the first rows of some tasks."""
    meta = folder / "meta"
    (meta / "digests").mkdir(parents=True)
    for name in ("conditions.csv", "prompts.csv"):
        (meta / name).write_bytes((META_DIR / name).read_bytes())
    registry = read_table(META_DIR / "tasks.csv")
    kept = [line.values for line in registry.lines if line.values["task"] in rows]
    for values in kept:
        values["planned_rows"] = str(rows[values["task"]])
    (meta / "tasks.csv").write_text(format_table(registry.columns, kept), encoding="utf-8")
    for name, count in rows.items():
        for path in (f"{name}.csv", f"digests/{name}.csv"):
            table = read_table(META_DIR / path)
            text = format_table(table.columns, [line.values for line in table.lines[:count]])
            (meta / path).write_text(text, encoding="utf-8")
    return meta


def make_world(folder: Path, rows: dict[str, int], rendered: dict[str, int] | None = None) -> World:
    """Cut meta and render the first ``rendered`` clips of each task (default: all that are left)."""
    meta, data = cut_meta(folder, rows), folder / "data"
    data.mkdir()
    counts = rows if rendered is None else rendered
    work = [(task, load_rows(task, meta)[: counts.get(task.name, 0)]) for task in find_tasks((), meta)]
    for outcome in render_all(work, Order(out=data), 1, meta):
        assert not outcome.message, outcome.message
    return World(meta, data)


def clip(world: World, stimulus_id: str, task: str = TASK) -> Path:
    """Return the WAV of a stimulus."""
    return world.data / task / stimulus_id / f"{stimulus_id}.wav"


def ids(world: World, task: str = TASK) -> list[str]:
    """Return the ids of a task in meta order."""
    return [line.values["stimulus_id"] for line in read_table(world.meta / f"{task}.csv").lines]


def native_runner(path: Path, body: str) -> Path:
    """Write a runner whose ``answer(model, trial)`` has this body."""
    path.write_text(NATIVE.format(body=body.strip().replace("\n", "\n    ")), encoding="utf-8")
    return path


def write_registry(path: Path, *rows: dict) -> Path:
    """Write a registry; each row gives what differs from a ready CPU model."""
    ready = dict.fromkeys(REGISTRY_COLUMNS, "") | {"environment": "project", "gpus": "0", "jobs": "one", "ready": "yes"}
    lines = ["\t".join(REGISTRY_COLUMNS)]
    lines += ["\t".join(str((ready | row)[column]) for column in REGISTRY_COLUMNS) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def command(world: World, results: Path, *arguments: str, registry: Path = SHIPPED_REGISTRY) -> list[str]:
    """Return the command that runs models in a world."""
    places = {"--meta": world.meta, "--data": world.data, "--results": results, "--registry": registry}
    options = [str(part) for pair in places.items() for part in pair]
    return [sys.executable, "-m", "inference", *arguments, *options]


def environment(**variables: str) -> dict[str, str]:
    """Return this environment without what the contract sets, and with some variables."""
    contract = ("ACOUMETER_VENVS", "AIB_VENVS", "CUDA_VISIBLE_DEVICES", "TASK", "ILLUSION", "MODEL")
    return {name: value for name, value in os.environ.items() if name not in contract} | variables


def run(world: World, results: Path, *arguments: str, registry: Path = SHIPPED_REGISTRY, **variables: str) -> Outcome:
    """Run ``python -m inference`` to its end."""
    done = subprocess.run(
        command(world, results, *arguments, registry=registry),
        cwd=PROJECT_ROOT,
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def start(world: World, results: Path, *arguments: str, registry: Path) -> subprocess.Popen:
    """Start ``python -m inference`` and return the process."""
    return subprocess.Popen(
        command(world, results, *arguments, registry=registry),
        cwd=PROJECT_ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def answers(results: Path, model: str, stem: str = TASK) -> dict[str, str]:
    """Return the merged answers of a model."""
    return read_answers(results / model / f"{stem}.csv")


def errors(results: Path, model: str, stem: str = TASK) -> dict[str, str]:
    """Return the error rows of a model."""
    return read_errors(results / model / f"{stem}.errors.csv")


def run_record(results: Path, model: str, stem: str = TASK) -> dict:
    """Return the run.json of a model."""
    return json.loads((results / model / f"{stem}.run.json").read_text(encoding="utf-8"))


def snapshot(folder: Path) -> dict[str, bytes]:
    """Return the visible files below a folder, by relative path: what a refused run must not change."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in files
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


def planned_run(world: World, results: Path, condition: str = "", limit: int = 0, **model: object) -> Run:
    """Plan a run without the command line."""
    (task,) = find_tasks([TASK], world.meta)
    fields = dict(
        name="fake", runner=Path("none.py"), environment="project", gpus=0, takes_jobs=False, model_id="",
        revision="", args="", ready=True, reason="",
    )  # fmt: skip
    (run,) = plan_runs(
        [Model(**(fields | model))],  # type: ignore[arg-type]
        task,
        find_condition(task.family, condition, world.meta),
        Subset(limit=limit),
        Folders(world.meta, world.data, results),
    )
    return run


def wait_until(condition: object, seconds: float = 20.0) -> None:
    """Wait until a function returns something true."""
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def alive(pid: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def csv_rows(text: str) -> list[list[str]]:
    """Parse CSV with the standard library alone."""
    return list(csv.reader(io.StringIO(text, newline="")))


def one_clear_error(outcome: Outcome, *words: str) -> None:
    """Check that a command failed with an explanation, not with a traceback."""
    assert outcome.status != 0, outcome
    assert "Traceback" not in outcome.err + outcome.out, outcome
    assert "rror:" in outcome.err, outcome
    for word in words:
        assert word in outcome.err, (word, outcome)
