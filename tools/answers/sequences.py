"""Sequences of letters of a known alphabet and length: EGE, "E G E", "E-G-E", "E, then G, then E"."""

from __future__ import annotations

import re

from tools.answers import cues
from tools.answers.kinds import Letters
from tools.answers.negation import is_asked, is_negated
from tools.answers.plain import AFTER, BEFORE, EDGE, Answer
from tools.answers.reader import Reader
from tools.answers.reading import OK, Mention, Reading

_BETWEEN = r"(?:(?:and\s+)?then\s+|and\s+|followed\s+by\s+)?"
SEPARATOR = rf"(?:\s*(?:[,;.|/+&→–—]|=>|-+>?)\s*{_BETWEEN}|\s+{_BETWEEN})"
_SEPARATOR = re.compile(SEPARATOR, re.IGNORECASE)
CUE = cues.EXPLICIT.extended(
    rf"\b(?:sequence|pattern|order|code|string|letters?|labels){cues.LINK}+",
    "sequence pattern order code string letter",
)


class LettersReader(Reader[str]):
    """Reads a sequence of letters; inside a sentence only in capitals."""

    cue = CUE
    glue = re.compile(cues.glue("option|label|sequence|choice|letter"))

    def __init__(self, kind: Letters) -> None:
        alphabet = kind.alphabet
        if not re.fullmatch("[A-Z]+", alphabet) or len(set(alphabet)) < len(alphabet) or kind.length < 1:
            raise ValueError(f"{kind}: the alphabet must be different capital letters, the length at least 1")
        self.length = kind.length
        letter = f"[{alphabet}{alphabet.lower()}]"
        self._run = re.compile(f"{BEFORE}(?:{letter}(?:(?i:{SEPARATOR}){letter})+|{letter}+){AFTER}")

    def _value(self, text: str) -> str | None:
        letters = _SEPARATOR.sub("", text).upper()
        return letters if len(letters) == self.length else None

    def bare(self, answer: Answer) -> Reading[str] | None:
        """Read a text that is one sequence, in any case."""
        core = answer.level.strip(EDGE)
        if len(core) > 40 * self.length or not self._run.fullmatch(core):
            return None
        value, start = self._value(core), answer.level.index(core)
        return Reading(value, OK, (start, start + len(core)), "bare") if value else None

    def values_at(self, answer: Answer, position: int) -> list[Mention[str]]:
        """Return the sequence that stands right here, in any case; None if its length is not the kind's."""
        match = self._run.match(answer.level, position)
        if match is None or (len(match.group()) == 1 and self.length > 1):
            return []
        return [Mention(*match.span(), self._value(match.group()))]

    def mentions(self, answer: Answer) -> list[Mention[str]]:
        """Return the sequences in capitals that the text does not deny."""
        found = []
        for match in self._run.finditer(answer.level):
            value = self._value(match.group())
            start, end = match.span()
            if value is None or _SEPARATOR.sub("", match.group()) != value or is_negated(answer.lower, start, end):
                continue
            if not is_asked(answer.lower, end):
                found.append(Mention(start, end, value))
        return found
