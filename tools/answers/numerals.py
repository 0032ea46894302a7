"""Numbers in a text: digits or English words, with sign, unit and the equations that they stand in.

Conventions
-----------
* The full stop is the decimal mark; commas group thousands ("1,000"). Anything else that holds digits
  (12:30, 3/4, 1.2.3, "3,5", 10²) is a numeral without a value.
* A hyphen is a sign only before a digit and not behind a digit or a letter: "5-3" holds 5 and 3.
* A digit inside a word ("A4", "2nd", "3-tone") is no numeral.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from typing import NamedTuple

from tools.answers.plain import WORD, Answer
from tools.answers.units import unit_at


class Numeral(NamedTuple):
    """One number; ``head`` is where it starts without its sign, ``end`` leaves the unit out."""

    start: int
    head: int
    end: int
    value: Fraction | None
    unit: str = ""
    unit_end: int = 0
    role: str = ""  # of an equation: OPERAND or RESULT
    is_time: bool = False  # 0:05, a position in the clip


OPERAND, RESULT = "operand", "result"
_LONGEST = 18  # digits; a longer one is a model in a loop
_DIGITS = re.compile(
    rf"(?<![{WORD}])(?<![{WORD}]')(?:(?:minus|negative)\s+)?(?P<sign>(?<![{WORD}).+\-–])[+\-–])?"
    r"(?P<body>(?:(?<!\.)\.)?\d+(?:[.,:/]\d+)*)"
)
_INSIDE = re.compile(rf"[{WORD}¼-¾⅐-⅞']|-[A-Za-z]")  # what makes of digits a part of a word
_PLAIN = re.compile(r"(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?")

_ONES = {w: n for n, w in enumerate("one two three four five six seven eight nine".split(), start=1)}
_TEENS = {
    w: n
    for n, w in enumerate(
        "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(), start=10
    )
}
_TENS = {w: 10 * n for n, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)}
_SMALL = {"zero": 0, **_ONES, **_TEENS, **_TENS}
_ONE, _TEEN, _TEN = "|".join(_ONES), "|".join(_TEENS), "|".join(_TENS)
_BELOW_100 = rf"(?:(?:{_TEN})(?:[ \t-](?:{_ONE})\b)?|{_TEEN}|{_ONE})\b"
_BELOW_1000 = rf"(?:(?:{_ONE})[ \t]hundred\b(?:[ \t](?:and[ \t])?{_BELOW_100})?|{_BELOW_100})"
_BELOW_MILLION = rf"{_BELOW_1000}[ \t]thousand\b(?:[ \t](?:and[ \t])?{_BELOW_1000})?|{_BELOW_1000}"
_GOES_ON = r"[ \t-](?:hundred|thousand|million|billion|dozen|point|halves|thirds?|quarters?|fifths?|and[ \t]a)\b"
_WORDS = re.compile(
    rf"(?<![\w'-])(?:(?P<minus>minus|negative)[ \t])?(?P<body>zero\b|{_BELOW_MILLION})(?![\w'])(?!-\w)(?!{_GOES_ON})"
)
_MAY_BE_WORDS = re.compile(
    r"zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twel|hundred|thousand|t(?:hir|wen)"
)
_PRONOUN_BEFORE = re.compile(r"\b(?:the|this|that|which|each|every|any|another|other|no|first|last)[ \t]+$")
_PRONOUN_AFTER = re.compile(r"[ \t]+(?:of|can|could|may|might|would|should|by|another|hears?|who|that)\b")

_OPERATOR = re.compile(
    r"\s*(?:[-+*/×÷·−–x]|\\times|\\cdot|\\div|plus|minus|times|multiplied\s+by|divided\s+by)\s*", re.IGNORECASE
)
_EQUALS = re.compile(r"\s*(?:=|equals|is(?:\s+equal\s+to)?|makes|gives)\s*", re.IGNORECASE)
_SHARES_UNIT = re.compile(r"\s*(?:-|–|—|to|or|and|,|,\s*(?:and|or)|±|\+/?-|/|~|through)?\s*", re.IGNORECASE)
_LONGEST_GAP = 24


def numerals(answer: Answer) -> list[Numeral]:
    """Return the numbers of a text in their order."""
    found = [_from_digits(answer, match) for match in _DIGITS.finditer(answer.lower) if _stands_alone(answer, match)]
    if _MAY_BE_WORDS.search(answer.lower):
        found += [_from_words(answer, m) for m in _WORDS.finditer(answer.lower) if not _is_pronoun(answer.lower, m)]
        found.sort()
    return _with_roles(answer, _with_shared_units(answer, found)) if len(found) > 1 else found


def _stands_alone(answer: Answer, match: re.Match[str]) -> bool:
    _, unit_end = unit_at(answer.lower, match.end())
    return unit_end > match.end() or not _INSIDE.match(answer.lower, match.end())


def _from_digits(answer: Answer, match: re.Match[str]) -> Numeral:
    unit, unit_end = unit_at(answer.lower, match.end())
    value = _value(match["body"])
    if value is not None and not answer.text.isascii() and _has_scripts(answer.text[match.start() : match.end()]):
        value = None
    is_negative = match["sign"] in ("-", "–") or answer.lower[match.start()] in "mn"
    head, end = match.start("body"), match.end()
    return Numeral(
        match.start(), head, end, -value if value and is_negative else value, unit, unit_end, "", ":" in match["body"]
    )


def _value(body: str) -> Fraction | None:
    if len(body) > _LONGEST + 6 or not _PLAIN.fullmatch(body):
        return None
    return Fraction(body.replace(",", ""))


def _has_scripts(text: str) -> bool:
    """Tell whether a text holds superscript or subscript digits, which are no digits of the number."""
    return any(unicodedata.decomposition(c).startswith(("<super>", "<sub>")) for c in text)


def _is_pronoun(lower: str, match: re.Match[str]) -> bool:
    if match["body"] != "one":
        return False
    start, end = match.span()
    return bool(_PRONOUN_BEFORE.search(lower, max(0, start - 12), start) or _PRONOUN_AFTER.match(lower, end))


def _from_words(answer: Answer, match: re.Match[str]) -> Numeral:
    total = part = 0
    for word in re.split(r"[\s-]+", match["body"]):
        if word == "hundred":
            part *= 100
        elif word == "thousand":
            total, part = part * 1000, 0
        else:
            part += _SMALL.get(word, 0)
    value = Fraction(-(total + part) if match["minus"] else total + part)
    unit, unit_end = unit_at(answer.lower, match.end())
    return Numeral(match.start(), match.start("body"), match.end(), value, unit, unit_end)


def _gap(answer: Answer, left: Numeral, right: Numeral) -> str | None:
    """Return what stands between two numbers, in the text as given, since markup and operators share signs."""
    start = max(left.end, left.unit_end)
    return answer.visible[start : right.start] if right.start - start <= _LONGEST_GAP else None


def _with_shared_units(answer: Answer, found: list[Numeral]) -> list[Numeral]:
    """Return the numbers with the unit that "440 or 880 Hz" gives to both."""
    shared = found[-1:]
    for numeral in reversed(found[:-1]):
        gap = _gap(answer, numeral, shared[-1])
        if not numeral.unit and shared[-1].unit and gap is not None and gap.strip() and _SHARES_UNIT.fullmatch(gap):
            numeral = numeral._replace(unit=shared[-1].unit, unit_end=numeral.end)
        shared.append(numeral)
    return shared[::-1]


def _with_roles(answer: Answer, found: list[Numeral]) -> list[Numeral]:
    """Return the numbers with their roles in equations: in "5 - 3 = 2", two operands and a result."""
    roles = [""] * len(found)
    first = 0  # of the chain of operands that ends at the left number
    for index, (left, right) in enumerate(zip(found, found[1:], strict=False)):
        gap = _gap(answer, left, right)
        if gap is not None and first < index and _EQUALS.fullmatch(gap):
            roles[first : index + 1] = [OPERAND] * (index + 1 - first)
            roles[index + 1] = RESULT
            first = index + 1
        elif gap is None or not _is_operator(answer, gap, right):
            first = index + 1
    return [numeral._replace(role=role) for numeral, role in zip(found, roles, strict=True)]


def _is_operator(answer: Answer, gap: str, right: Numeral) -> bool:
    sign = answer.visible[right.start : right.head]  # "5 -3": the sign is the operator
    return bool(_OPERATOR.fullmatch(gap + sign)) if gap.strip() or sign else False
