"""Build the files of ``meta/`` that need audio: CSVs with measured gains, and digests."""

from __future__ import annotations

from pathlib import Path

from generators.rendering import Order, render_all, renderer
from meta.csvfile import format_table
from meta.digests import COLUMNS
from meta.errors import InputError
from meta.loader import import_module_of, load_rows, task_columns
from meta.registry import Task


def build_csv(task: Task) -> bytes:
    """Return the content of ``meta/<task>.csv`` as its builder makes it."""
    builder = import_module_of(task, "meta.builders")
    rows = builder.build(renderer(task))
    return format_table([column.name for column in task_columns(task)], rows).encode("utf-8")


def digest_csv(task: Task, meta_dir: Path, jobs: int) -> bytes:
    """Render every row of a task and return the content of ``meta/digests/<task>.csv``."""
    rows = load_rows(task, meta_dir)
    digests = {}
    for outcome in render_all([(task, rows)], Order(out=None), jobs, meta_dir):
        if not outcome.digest:
            raise InputError(outcome.message)
        digests[outcome.clip_id] = outcome.digest
    table = ({"clip_id": row["stimulus_id"], "sha256": digests[row["stimulus_id"]]} for row in rows)
    return format_table(COLUMNS, table).encode("utf-8")
