"""What a row of ``meta/<task>.csv`` holds: typed columns, and the check of one row against them.

Columns stand in this order: identity (``stimulus_id``, ``trial_class``, ``cluster_id``), the
question in its wordings, the options, the labels, the flags, the musical frame, and last the
task's own parameters, which its builder declares as ``PARAMETERS``.
"""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Dict, NamedTuple, Optional, Sequence, Tuple

from meta.errors import InputError

WHOLE_NUMBER = re.compile(r"[0-9]{1,9}")
ID_PATTERN = re.compile(r"[A-Za-z0-9_-]+")
ILLUSION, CONTROL_A, CONTROL_P = "illusion", "control_a", "control_p"
TRIAL_CLASSES = (ILLUSION, CONTROL_A, CONTROL_P)


class Column(NamedTuple):
    """One column: its name (with the unit), the kind of its values, and what it means.

    ``kind`` is ``text``, ``id``, ``integer``, ``decimal``, ``flag`` (0 or 1) or ``labels`` (a JSON
    list of at least two different strings). ``choices`` lists the allowed texts, if they are few.
    """

    name: str
    kind: str
    meaning: str
    choices: Tuple[str, ...] = ()
    optional: bool = False


IDENTITY = (
    Column("stimulus_id", "id", "name of the stimulus; says nothing about the trial"),
    Column("trial_class", "text", "illusion, or control answered as the physics or as the percept", TRIAL_CLASSES),
    Column("cluster_id", "id", "trials that differ only by a nuisance factor share it; the unit of resampling"),
    Column("question", "text", "base wording"),
    Column("question_refined", "text", "reworded, same labels"),
    Column("question_flipped", "text", "polarity reversed"),
    Column("options", "labels", "the labels, in the order in which they are listed to the model"),
    Column("gt_label", "text", "what is physically there"),
    Column("illusion_label", "text", "what a listener reports"),
    Column("gt_label_flipped", "text", "gt_label under question_flipped"),
    Column("illusion_label_flipped", "text", "illusion_label under question_flipped"),
    Column("mini", "flag", "belongs to the mini set"),
    Column("human_rate", "decimal", "published rate of the percept", optional=True),
    Column("human_source", "text", "where that rate is published", optional=True),
    Column("robust", "flag", "the percept is reliable in this parameter range"),
)

FRAME = (
    Column("context", "text", "musical frame around the critical segment", ("none", "drone", "cadence", "pickup")),
    Column("mode", "text", "mode of the frame", ("major", "minor", "atonal"), optional=True),
    Column("key", "integer", "tonic of the frame, 0 = C", optional=True),
    Column("tempo_bpm", "integer", "tempo of the frame", optional=True),
    Column("timbre", "text", "timbre of the frame", ("sine", "harmonic", "plucked", "fm_bell"), optional=True),
    Column("context_level_db", "decimal", "level of the frame re the critical segment", optional=True),
)
NO_FRAME = {"context": "none", "mode": "", "key": "", "tempo_bpm": "", "timbre": "", "context_level_db": ""}

_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_INTEGER = re.compile(r"-?[0-9]+")

Row = Dict[str, Any]


def illusion_columns(parameters: Sequence[Column]) -> Tuple[Column, ...]:
    """Return all columns of an illusion task, in order."""
    return IDENTITY + FRAME + tuple(parameters)


def parse_value(column: Column, text: str) -> Any:
    """Return the typed value of one cell: str, int, float, list of str, or None for an empty optional cell.

    Raises
    ------
    InputError
        The text is not a value of the column; the message holds the text and what was expected.
    """
    if text == "":
        if column.optional:
            return None
        raise InputError("is empty")
    if column.choices and text not in column.choices:
        raise InputError(f"{text!r} is not among {json.dumps(list(column.choices))}")
    return _PARSERS[column.kind](text)


def _parse_id(text: str) -> str:
    if not ID_PATTERN.fullmatch(text):
        raise InputError(f"{text!r} is not an id: only letters, digits, _ and - are allowed")
    return text


def _parse_integer(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise InputError(f"{text!r} is not a whole number")
    return int(text)


def _parse_decimal(text: str) -> float:
    if not _DECIMAL.fullmatch(text):
        raise InputError(f"{text!r} is not a decimal number such as -12.5")
    return float(text)


def _parse_flag(text: str) -> int:
    if text not in ("0", "1"):
        raise InputError(f"{text!r} is not 0 or 1")
    return int(text)


def _parse_labels(text: str) -> list:
    expected = 'a JSON list of at least two different labels such as ["yes", "no"] is expected'
    try:
        labels = json.loads(text)
    except ValueError:
        raise InputError(f"{text!r} is not JSON; {expected}") from None
    if not isinstance(labels, list) or not all(isinstance(label, str) and label.strip() for label in labels):
        raise InputError(f"{text!r}: {expected}")
    if len(labels) < 2 or len(set(labels)) < len(labels):
        raise InputError(f"{text!r}: {expected}")
    return labels


_PARSERS: Dict[str, Callable[[str], Any]] = {
    "text": str,
    "id": _parse_id,
    "integer": _parse_integer,
    "decimal": _parse_decimal,
    "flag": _parse_flag,
    "labels": _parse_labels,
}

_LABELS = ("gt_label", "illusion_label", "gt_label_flipped", "illusion_label_flipped")


def check_labels(row: Row) -> Optional[Tuple[str, str]]:
    """Return ``(column, problem)`` of the first label that contradicts its row, or None."""
    for name in _LABELS:
        if row[name] not in row["options"]:
            return name, f"{row[name]!r} is not among the options {json.dumps(row['options'], ensure_ascii=False)}"
    deceives = row["trial_class"] == ILLUSION
    for truth, percept in (_LABELS[:2], _LABELS[2:]):
        if deceives and row[truth] == row[percept]:
            return percept, f"an illusion needs a percept that differs from the truth, both are {row[truth]!r}"
        if not deceives and row[truth] != row[percept]:
            return percept, f"a control's percept {row[percept]!r} must be its truth {row[truth]!r}"
    return None
