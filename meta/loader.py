"""Read ``meta/<task>.csv``: every row checked, every value typed."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Dict, List, Tuple

from meta import META_DIR
from meta.csvfile import Line, read_table
from meta.errors import InputError, at
from meta.registry import Task
from meta.schema import Column, Row, check_labels, illusion_columns, parse_value


def task_columns(task: Task) -> Tuple[Column, ...]:
    """Return the columns of a task, as its builder declares them."""
    return illusion_columns(import_module_of(task, "meta.builders").PARAMETERS)


def import_module_of(task: Task, package: str) -> Any:
    """Return a task's module of a package: its builder, its generator.

    Raises
    ------
    InputError
        There is no such module.
    """
    name = f"{package}.{task.family}.{task.name}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # the module is there and lacks another
        raise InputError(f"meta/tasks.csv names {task.name}, but {name.replace('.', '/')}.py is missing") from None


def load_rows(task: Task, meta_dir: Path = META_DIR) -> List[Row]:
    """Return the typed rows of a task, in file order.

    Raises
    ------
    InputError
        A row is malformed, an id is repeated, a label is not among its options, or the number of rows
        is not the planned one; the message names file, line, column and value.
    """
    path = Path(meta_dir) / f"{task.name}.csv"
    columns = task_columns(task)
    if not path.exists():
        raise InputError(f"{path}: is missing; build it with python -m generators meta {task.name}")
    table = read_table(path, [column.name for column in columns])
    first_line: Dict[str, int] = {}
    rows = []
    for line in table.lines:
        row = parse_row(line, columns, path)
        stimulus_id = row["stimulus_id"]
        if stimulus_id in first_line:
            raise InputError(
                f"{at(path, line.number, 'stimulus_id')}: {stimulus_id!r} is already on line {first_line[stimulus_id]}"
            )
        first_line[stimulus_id] = line.number
        rows.append(row)
    if len(rows) != task.planned_rows:
        raise InputError(f"{path}: has {len(rows)} rows, tasks.csv plans {task.planned_rows}")
    return rows


def parse_row(line: Line, columns: Tuple[Column, ...], path: object) -> Row:
    """Return one record with typed values, checked by itself."""
    row: Row = {}
    for column in columns:
        try:
            row[column.name] = parse_value(column, line.values[column.name])
        except InputError as error:
            raise InputError(f"{at(path, line.number, column.name)}: {error}") from None
    problem = check_labels(row)
    if problem:
        raise InputError(f"{at(path, line.number, problem[0])}: {problem[1]}")
    return row
