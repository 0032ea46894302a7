"""Integers, and numbers in a unit."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Generic, TypeVar

from tools.answers import cues
from tools.answers.kinds import Integer, Number
from tools.answers.negation import is_asked, is_negated
from tools.answers.numerals import OPERAND, RESULT, Numeral, numerals
from tools.answers.plain import EDGE, Answer
from tools.answers.reader import Reader
from tools.answers.reading import OK, UNPARSED, Mention, Reading, decide, held
from tools.answers.units import UNITS, convert

T = TypeVar("T")

_LONGEST_BARE = 80
_BOUND_BEFORE = re.compile(
    r"(?:\b(?:more|less|fewer|greater|higher|lower|longer|shorter|larger|smaller)\s+than|\bat\s+(?:least|most)|\bover|\bup\s+to|"
    r"\b(?:above|below|under|nearly|almost|first|last)|[<≥≤]|(?<![-=\n\w])(?<!^)>)\s*(?:the\s+)?$"
)
_BOUND_AFTER = re.compile(r"\s*\+(?!\s*\d)|\s+or\s+(?:more|less|fewer|so)\b|\s+to\s+\w+\s+more\b")
_LIST_LABEL = re.compile(r"[.):]\s+\S")
_CLAUSE_END = re.compile(r"[ \t]*[,;!\n—–]")  # no full stop: "1. The answer is 4" is a list


class Numerals:
    """The numbers of one answer, and where each stands."""

    def __init__(self, answer: Answer) -> None:
        self.all = numerals(answer)
        self.by_start = {position: n for n in self.all for position in (n.start, n.head)}


class QuantityReader(Reader[T], Generic[T]):
    """Reads a number; subclasses say which value a numeral has and which unit makes it no answer."""

    second_rule = ""  # of the numbers that are not preferred
    glue = re.compile(
        cues.glue(r"about|approximately|around|roughly|exactly|only|equal\s+to|a\s+total\s+of") + r"[~≈\s]*"
    )
    more = re.compile(cues.AND_OR.pattern + r"|\s*(?:-|–|—|±|to\b|through\b)\s*")

    def value_of(self, numeral: Numeral) -> T | None:
        """Return the value of a numeral, or None if it is not of the kind."""
        raise NotImplementedError

    def is_other_quantity(self, numeral: Numeral) -> bool:
        """Tell whether the unit of a numeral makes it something that was not asked for."""
        raise NotImplementedError

    def is_preferred(self, numeral: Numeral) -> bool:
        """Tell whether a numeral is an answer before the others: a count without unit, a value with it."""
        raise NotImplementedError

    def bare(self, answer: Answer) -> Reading[T] | None:
        """Read a text that is one number, give or take its unit and punctuation around it."""
        if len(answer.lower.strip()) > _LONGEST_BARE:
            return None
        found = self.numerals(answer).all
        if len(found) != 1 or self.is_other_quantity(found[0]):
            return None
        start, end = found[0].start, max(found[0].end, found[0].unit_end)
        if answer.lower[:start].strip(EDGE) or answer.lower[end:].strip(EDGE):
            return None
        value = self.value_of(found[0])
        if value is None or is_bound(answer.lower, found[0]):
            return held(UNPARSED, "bare")
        return Reading(value, OK, (start, found[0].end), "bare")

    def numerals(self, answer: Answer) -> Numerals:
        """Return the numbers of an answer, found once."""
        if answer.found is None:
            answer.found = Numerals(answer)
        return answer.found

    def values_at(self, answer: Answer, position: int) -> list[Mention[T]]:
        """Return the number that stands right here; the result, if an equation does."""
        numeral = self.numerals(answer).by_start.get(position)
        if numeral is None or self.is_other_quantity(numeral) or is_bound(answer.lower, numeral):
            return []
        return [] if numeral.role == OPERAND else [self._mention(numeral)]

    def _mention(self, numeral: Numeral) -> Mention[T]:
        return Mention(numeral.start, numeral.end, self.value_of(numeral))

    def stated(self, answer: Answer) -> list[Mention[T]]:
        """Return the results of equations, and numbers that are said to be right."""
        results: list[Mention[T]] = [self._mention(n) for n in self.numerals(answer).all if n.role == RESULT]
        return results + super().stated(answer)

    def is_new_answer(self, line: str, end: int) -> bool:
        """Tell whether a number that begins a later line is an answer, not the label of a list's item."""
        return not _LIST_LABEL.match(line, end) and super().is_new_answer(line, end)

    def leading(self, answer: Answer) -> list[Mention[T]]:
        """Return the number with which the text begins, if it is a clause of its own."""
        first = self.numerals(answer).all[:1]
        if not first or first[0].role or answer.lower[: first[0].start].strip(EDGE):
            return []
        end = max(first[0].end, first[0].unit_end)
        return [self._mention(first[0])] if _CLAUSE_END.match(answer.lower, end) else []

    def _candidates(self, answer: Answer) -> list[Numeral]:
        return [
            n
            for n in self.numerals(answer).all
            if n.role != OPERAND
            and not self.is_other_quantity(n)
            and not is_bound(answer.lower, n)
            and not is_negated(answer.lower, n.start, n.end)
            and not is_asked(answer.lower, n.end)
        ]

    def mentions(self, answer: Answer) -> list[Mention[T]]:
        """Return the numbers that the text names and does not deny."""
        return [self._mention(n) for n in self._candidates(answer)]

    def named(self, answer: Answer) -> Reading[T] | None:
        """Read the preferred numbers; without any, the others."""
        candidates = self._candidates(answer)
        preferred = [self._mention(n) for n in candidates if self.is_preferred(n)]
        others = [self._mention(n) for n in candidates if not self.is_preferred(n)]
        return decide(preferred, "mention") or decide(others, self.second_rule)


def is_bound(lower: str, numeral: Numeral) -> bool:
    """Tell whether a number is given as a bound: "more than 3", "3 or more"."""
    before = _BOUND_BEFORE.search(lower, max(0, numeral.start - 24), numeral.start)
    return bool(before or _BOUND_AFTER.match(lower, numeral.end))


class IntegerReader(QuantityReader[int]):
    """Reads whole numbers; those without a unit before those with one."""

    second_rule = "measured"

    def __init__(self, kind: Integer) -> None:
        self.kind = kind

    def value_of(self, numeral: Numeral) -> int | None:
        """Return a whole number ("10.0" is one), else None."""
        value = numeral.value
        return int(value) if value is not None and value.denominator == 1 else None

    def is_other_quantity(self, numeral: Numeral) -> bool:
        """Tell whether a count was asked for and a measurement is given."""
        return self.kind.count and bool(numeral.unit)

    def is_preferred(self, numeral: Numeral) -> bool:
        """Tell whether a number has no unit: in "3 tones of 500 ms", 3 is the answer."""
        return not numeral.unit and not numeral.is_time


class NumberReader(QuantityReader[float]):
    """Reads numbers in a unit; those with a unit before those without one."""

    second_rule = "unitless"

    def __init__(self, kind: Number) -> None:
        if kind.unit and kind.unit not in UNITS:
            raise ValueError(f"unknown unit {kind.unit!r}; known are {', '.join(UNITS)}")
        self.unit = kind.unit

    def value_of(self, numeral: Numeral) -> float | None:
        """Return the value in the unit, or None where the conversion is not exact."""
        value: Fraction | None = numeral.value
        if value is not None and numeral.unit and self.unit:
            value = convert(value, numeral.unit, self.unit)
        return None if value is None else float(value)

    def is_other_quantity(self, numeral: Numeral) -> bool:
        """Tell whether a number has a unit of another quantity."""
        if numeral.is_time or not numeral.unit:
            return numeral.is_time
        return not self.unit or UNITS[numeral.unit].quantity != UNITS[self.unit].quantity

    def is_preferred(self, numeral: Numeral) -> bool:
        """Tell whether a number has the unit, or none if none was asked for."""
        return bool(numeral.unit) or not self.unit
