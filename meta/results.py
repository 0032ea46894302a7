"""The shape of the results folder: names, columns, and how its files are read.

``results/<model>/<task>.csv`` holds the answers under the default condition,
``<task>@<condition>.csv`` those under another. Beside it, ``.errors.csv`` holds the trials that
failed, and ``.run.json`` says what was asked of which model::

    {"identity": {...}, "subset": "", "record": {...}}

``identity`` decides whether answers belong together, ``subset`` is empty for a run over the whole
task (else ``mini`` or ``limit 20``), ``record`` is for the reader alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Collection, Dict, NamedTuple, Optional, Tuple

from meta.csvfile import decode, parse_table, read_bytes, read_text, whole_records
from meta.errors import InputError, at

ANSWER_COLUMNS = ("stimulus_id", "model_answer")
ERROR_COLUMNS = ("stimulus_id", "error")


class ResultFiles(NamedTuple):
    """The three files of one model, task and condition."""

    answers: Path
    errors: Path
    run: Path


def result_files(results_dir: Path, model: str, task: str, condition: str = "") -> ResultFiles:
    """Return the paths for a condition; an empty ``condition`` means the default one."""
    stem = f"{task}@{condition}" if condition else task
    folder = Path(results_dir) / model
    return ResultFiles(folder / f"{stem}.csv", folder / f"{stem}.errors.csv", folder / f"{stem}.run.json")


def split_stem(stem: str) -> Tuple[str, str]:
    """Return ``(task, condition)`` of a results file's stem; the default condition is ``""``."""
    task, _, condition = stem.partition("@")
    return task, condition


def read_answers(
    path: Path, columns: Tuple[str, str] = ANSWER_COLUMNS, known_ids: Collection[str] = ()
) -> Dict[str, str]:
    """Return the second column by stimulus id, in file order; a missing file is empty.

    A last row torn by a crash is left out, so that its trial is asked again.

    Parameters
    ----------
    path : Path
    columns : pair of str
    known_ids : collection of str, optional
        The ids of the task. A line that begins with one inside a torn last row shows that it is no torn row:
        a quote was left open further up, and rows would be lost.

    Raises
    ------
    InputError
        The file is malformed or an id is there twice.
    """
    if not Path(path).exists():
        return {}
    text = _without_torn_row(path, ",".join(columns) + "\n", known_ids)
    if not text:
        return {}
    answers: Dict[str, str] = {}
    lines: Dict[str, int] = {}
    for line in parse_table(text, path, columns).lines:
        stimulus_id = line.values[columns[0]]
        if stimulus_id in answers:
            raise InputError(
                f"{at(path, line.number, columns[0])}: {stimulus_id!r} is already on line {lines[stimulus_id]}; "
                "remove one of the two"
            )
        answers[stimulus_id] = line.values[columns[1]]
        lines[stimulus_id] = line.number
    return answers


def _without_torn_row(path: Path, header: str, known_ids: Collection[str]) -> str:
    """Return the text of a file less a last row that a crash has torn, maybe inside a character."""
    data = read_bytes(path)
    if header.encode().startswith(data):
        return ""  # torn within the header
    text = decode(data[: data.rfind(b"\n") + 1], path)
    whole = whole_records(text)
    torn = text[len(whole) :]
    if not text:
        raise InputError(f"{path} line 1: is not a results file; expected {header.strip()}")
    if not torn:
        return whole
    # A torn row with a line end in it has an open quote, which began its second field.
    first, *others = torn.split("\n")
    opened = first.partition(",")[2]
    if not whole or not opened.startswith('"') or any(line.partition(",")[0] in known_ids for line in others):
        line_number = whole.count("\n") + 1
        raise InputError(f"{at(path, line_number)}: a quote is not closed in {first[:60]!r}; mend the line by hand")
    return whole


def read_errors(path: Path, known_ids: Collection[str] = ()) -> Dict[str, str]:
    """Return the error of each trial that failed, by stimulus id; see :func:`read_answers`."""
    return read_answers(path, ERROR_COLUMNS, known_ids)


def read_run(path: Path) -> Optional[Dict[str, Any]]:
    """Return the run record, or None if there is none."""
    if not Path(path).exists():
        return None
    try:
        run = json.loads(read_text(path))
    except ValueError as error:
        raise InputError(f"{path}: is not JSON ({error}); move it away and run the model again") from None
    kinds = {"identity": dict, "subset": str, "record": dict}
    if not isinstance(run, dict) or not all(isinstance(run.get(key), kind) for key, kind in kinds.items()):
        raise InputError(f"{path}: lacks {', '.join(kinds)}; move it away and run the model again")
    return run
