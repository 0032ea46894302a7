"""The registry of tasks, ``meta/tasks.csv``: one row per task."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Dict, Iterable, List, NamedTuple

from meta import META_DIR
from meta.csvfile import read_table
from meta.errors import InputError, at, unknown
from meta.schema import ID_PATTERN, WHOLE_NUMBER

COLUMNS = ("task", "family", "illusion_class", "domain", "rate_hz", "channels", "planned_rows", "answer_kind", "chance")
ILLUSION_CLASSES = ("P", "K", "")


class Task(NamedTuple):
    """A task of the registry.

    ``illusion_class`` is P (physics) or K (physics and knowledge), empty outside the illusions;
    ``chance`` is the accuracy of a uniform guess.
    """

    name: str
    family: str
    illusion_class: str
    domain: str
    rate_hz: int
    channels: int
    planned_rows: int
    answer_kind: str
    chance: Fraction


def load_tasks(meta_dir: Path = META_DIR) -> Dict[str, Task]:
    """Return the registered tasks by name, in the order of the registry."""
    path = Path(meta_dir) / "tasks.csv"
    tasks: Dict[str, Task] = {}
    for line in read_table(path, COLUMNS).lines:
        values = line.values
        name = values["task"]
        for column in ("task", "family"):  # both become folder names
            if not ID_PATTERN.fullmatch(values[column]):
                raise InputError(
                    f"{at(path, line.number, column)}: {values[column]!r} is not a name of letters, digits, _ and -"
                )
        if name in tasks:
            raise InputError(f"{at(path, line.number, 'task')}: {name!r} is there twice")
        if values["illusion_class"] not in ILLUSION_CLASSES:
            raise InputError(
                f"{at(path, line.number, 'illusion_class')}: {values['illusion_class']!r} is not P, K or empty"
            )
        numbers = {}
        for column in ("rate_hz", "channels", "planned_rows"):
            if not WHOLE_NUMBER.fullmatch(values[column]) or int(values[column]) == 0:
                raise InputError(f"{at(path, line.number, column)}: {values[column]!r} is not a positive whole number")
            numbers[column] = int(values[column])
        try:
            chance = Fraction(values["chance"])
        except (ValueError, ZeroDivisionError):
            raise InputError(
                f"{at(path, line.number, 'chance')}: {values['chance']!r} is not a fraction such as 1/2"
            ) from None
        tasks[name] = Task(
            name=name,
            family=values["family"],
            illusion_class=values["illusion_class"],
            domain=values["domain"],
            answer_kind=values["answer_kind"],
            chance=chance,
            **numbers,
        )
    if not tasks:
        raise InputError(f"{path}: has no tasks")
    return tasks


def find_tasks(names: Iterable[str], meta_dir: Path = META_DIR) -> List[Task]:
    """Return the named tasks in the order of the registry; no name, or ``all``, means every task.

    Raises
    ------
    InputError
        A name is unknown; the message offers the nearest known one.
    """
    tasks = load_tasks(meta_dir)
    wanted = set(names)
    for name in sorted(wanted - {"all"}):
        if name not in tasks:
            raise unknown("task", name, tasks)
    return [task for task in tasks.values() if not wanted or "all" in wanted or task.name in wanted]
