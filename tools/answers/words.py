"""One word of any lexicon: HELLO, "hello", "The word is hello.", H-E-L-L-O."""

from __future__ import annotations

import re

from tools.answers import cues
from tools.answers.kinds import Word
from tools.answers.negation import is_asked, is_negated
from tools.answers.plain import EDGE, Answer
from tools.answers.reader import Reader
from tools.answers.reading import OK, REFUSAL, Mention, Reading, decide, held

_LETTER = r"[^\W\d_]"
_SPELLED = re.compile(rf"{_LETTER}(?:(?:[ \t]*[-–,.·|/][ \t]*|[ \t]+){_LETTER}(?!\w)){{2,}}")
_WORD = re.compile(rf"{_LETTER}+(?:['-]{_LETTER}+)*(?!\w)")
_ENDS = re.compile(r"\s*(?:$|[.,;:/&!\n)\]}<]|(?:and|or)\b)")
_QUOTED = re.compile(
    rf"(?<![\w*])(?:[\"“”„«`']|\*{{1,3}})\s?({_LETTER}+(?:['-]{_LETTER}+)*)\s?[.,!]?(?:[\"”“»`']|\*{{1,3}})(?!\w)"
)
_NO_WORD = frozenset("inaudible uncertain unclear unintelligible unknown unsure".split())
_PRONOUNS = frozenset("it not so that the there this".split())
_NOT_THE_WORD = frozenset(
    "answer correct final it morse note response sorry that the this transcription unclear word yes no".split()
)
CUE = cues.EXPLICIT.extended(
    rf"\b(?:word|message|text|transcription|translation|decoded|morse(?:\s+code)?|it){cues.LINK}+|"
    r"\b(?:says|spells(?:\s+out)?|reads|decodes?\s+(?:to|as|into)|translates?\s+(?:to|as|into)|stands\s+for)\b\s*:?",
    "word message text trans decode morse it says spells reads stands",
)


class WordReader(Reader[str]):
    """Reads one word, in lower case."""

    cue = CUE
    glue = re.compile(cues.glue(r"option|the\s+word|word|choice|letter"))

    def __init__(self, kind: Word) -> None:
        self.kind = kind

    def _at(self, answer: Answer, position: int) -> tuple[int, str] | None:
        """Return the end of the word here, spelled out or not, and the word."""
        spelled = _SPELLED.match(answer.lower, position)
        if spelled:
            return spelled.end(), "".join(re.findall(_LETTER, spelled.group()))
        word = _WORD.match(answer.lower, position)
        return (word.end(), word.group()) if word else None

    def bare(self, answer: Answer) -> Reading[str] | None:
        """Read a text that is one word."""
        start = len(answer.lower) - len(answer.lower.lstrip(EDGE))
        found = self._at(answer, start)
        if (
            found is None
            or answer.lower[found[0] : found[0] + 1000].strip(EDGE)
            or answer.lower[found[0] :].strip(EDGE)
        ):
            return None
        if found[1] in _NO_WORD:
            return held(REFUSAL, "refusal", (start, found[0]))
        return Reading(found[1], OK, (start, found[0]), "bare")

    def values_at(self, answer: Answer, position: int) -> list[Mention[str]]:
        """Return the word that stands right here if its clause ends with it."""
        found = self._at(answer, position)
        if found is None or found[1] in _NO_WORD or found[1] in _PRONOUNS or not _ENDS.match(answer.lower, found[0]):
            return []
        return [Mention(position, *found)]

    def named(self, answer: Answer) -> Reading[str] | None:
        """Read the words in quotes or in bold: one is the answer, several are ambiguous."""
        found = []
        for match in _QUOTED.finditer(answer.visible):
            start, end = match.span(1)
            word = answer.lower[start:end]
            if (
                word not in _NOT_THE_WORD
                and not is_negated(answer.lower, start, end)
                and not is_asked(answer.lower, end)
            ):
                found.append(Mention(start, end, word))
        return decide(found, "quoted")
