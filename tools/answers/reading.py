"""What reading an answer gives: the value, the status, where it stands, and the rule that read it."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

OK, UNPARSED, REFUSAL, TRUNCATED, AMBIGUOUS, EMPTY = "ok", "unparsed", "refusal", "truncated", "ambiguous", "empty"
STATUSES = (OK, UNPARSED, REFUSAL, TRUNCATED, AMBIGUOUS, EMPTY)

T = TypeVar("T")


class Reading(NamedTuple, Generic[T]):
    """What was read: the value or None, the status, where it stands, and the rule that read it."""

    value: T | None
    status: str
    span: tuple[int, int] | None
    rule: str


class Mention(NamedTuple, Generic[T]):
    """A value named in a text; None is something in a value's place that is not of the kind, as 10.5 for an integer."""

    start: int
    end: int
    value: T | None


def held(status: str, rule: str, span: tuple[int, int] | None = None) -> Reading:
    """Return a reading without a value."""
    return Reading(None, status, span, rule)


def decide(values: list[Mention[T]], rule: str) -> Reading[T] | None:
    """Return one value as the answer, several as ambiguous, none as no reading."""
    if not values:
        return None
    last = values[-1]
    if any(mention.value != last.value for mention in values):
        return held(AMBIGUOUS, rule)
    if last.value is None:
        return held(UNPARSED, rule)
    return Reading(last.value, OK, (last.start, last.end), rule)
