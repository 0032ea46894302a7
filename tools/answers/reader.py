"""The rules that all kinds share, in their order; a kind says what its values look like."""

from __future__ import annotations

import re
from typing import Generic, TypeVar

from tools.answers import cues
from tools.answers.plain import EDGE, Answer
from tools.answers.reading import EMPTY, OK, REFUSAL, TRUNCATED, UNPARSED, Mention, Reading, decide, held

T = TypeVar("T")


class Reader(Generic[T]):
    """Reads one kind of answer; subclasses fill in where values stand."""

    glue = re.compile(cues.glue("option|choice|letter"))
    more = cues.AND_OR
    cue = cues.EXPLICIT

    def read(self, text: str) -> Reading[T]:
        """Return the reading of the first rule that applies."""
        answer = Answer(text)
        return (
            self.bare(answer)
            or self.without_answer(answer)
            or self.final(answer)
            or self.explicit(answer)
            or self.refusal(answer)
            or self.first_line(answer)
            or self.named(answer)
            or self.apology(answer)
            or held(UNPARSED, "none")
        )

    # --- What a kind says of itself --------------------------------------------------------------

    def bare(self, answer: Answer) -> Reading[T] | None:
        """Read a text that is a value and nothing else."""
        raise NotImplementedError

    def values_at(self, answer: Answer, position: int) -> list[Mention[T]]:
        """Return the values that stand right at a position; two where a letter and its text name one each."""
        raise NotImplementedError

    def mentions(self, answer: Answer) -> list[Mention[T]]:
        """Return the values named anywhere and not denied."""
        return []

    def leading(self, answer: Answer) -> list[Mention[T]]:
        """Return the value with which the text begins, if punctuation or a line end follows."""
        return []

    def stated(self, answer: Answer) -> list[Mention[T]]:
        """Return values that are marked as the answer by what the kind alone knows."""
        if not cues.may_hold(answer.lower, cues.AFFIRMING):
            return []
        return [m for m in self.mentions(answer) if cues.AFFIRMED.match(answer.lower, m.end)]

    def named(self, answer: Answer) -> Reading[T] | None:
        """Read the values named anywhere: one is the answer, several are ambiguous."""
        return decide(self.mentions(answer), "mention")

    # --- Rules -----------------------------------------------------------------------------------

    def without_answer(self, answer: Answer) -> Reading[T] | None:
        """Hold a text that is empty beside its reasoning, or whose reasoning has no end."""
        if not answer.visible.strip():
            return held(EMPTY, "empty")
        return held(TRUNCATED, "reasoning") if answer.ends_in_reasoning else None

    def final(self, answer: Answer) -> Reading[T] | None:
        """Read what is marked as final."""
        return decide(self.values_behind(cues.FINAL, answer), "final")

    def explicit(self, answer: Answer) -> Reading[T] | None:
        """Read what is marked as the answer; a leading value that differs makes it ambiguous."""
        values = self.values_behind(self.cue, answer) + self.stated(answer)
        return decide(self.leading(answer) + values, "explicit") if values else None

    def refusal(self, answer: Answer) -> Reading[T] | None:
        """Hold a text that says that it cannot answer."""
        match = cues.REFUSAL.search(answer.lower)
        return held(REFUSAL, "refusal", match.span()) if match else None

    def first_line(self, answer: Answer) -> Reading[T] | None:
        """Read a first line that is a value alone, unless a later line begins with another or takes it back."""
        start = len(answer.visible) - len(answer.visible.lstrip())
        end = answer.visible.find("\n", start)
        if end < 0 or end - start > 200:
            return None
        values = self.line_values(answer, start, end)
        reading = decide(values, "first_line")
        if reading is None or reading.status != OK or cues.REVISION.search(answer.lower, end):
            return None
        for line in re.finditer(r"[^\n]+", answer.visible[end:]):
            later = self.line_values(answer, end + line.start(), end + line.end(), is_whole=False)
            if any(mention.value != reading.value for mention in later):
                return None
        return reading

    def is_new_answer(self, line: str, end: int) -> bool:
        """Tell whether a value that begins a later line, and ends at ``end``, is an answer of its own."""
        return not line[end:].strip(EDGE) or bool(cues.PAUSE.match(line, end))

    def apology(self, answer: Answer) -> Reading[T] | None:
        """Hold a text that names nothing and says sorry."""
        match = cues.APOLOGY.search(answer.lower)
        return held(REFUSAL, "apology", match.span()) if match else None

    # --- Their parts -----------------------------------------------------------------------------

    def line_values(self, answer: Answer, start: int, end: int, is_whole: bool = True) -> list[Mention[T]]:
        """Return what a line holds (``is_whole``: and nothing else) or begins with, before a pause."""
        line = Answer(answer.visible[start:end])
        core = len(line.lower) - len(line.lower.lstrip(EDGE))
        values = self.values_at(line, core)
        if not values:
            return []
        rest = line.lower[values[-1].end :]
        if rest.strip(EDGE) if is_whole else not self.is_new_answer(line.lower, values[-1].end):
            return []
        return [Mention(start + m.start, start + m.end, m.value) for m in values]

    def skip_glue(self, answer: Answer, position: int) -> int:
        """Return where a value may stand behind a cue: after brackets and words such as "probably"."""
        match = self.glue.match(answer.lower, position)
        return match.end() if match else position

    def values_behind(self, cue: cues.Cue, answer: Answer) -> list[Mention[T]]:
        """Return every value given behind a cue, with those that "and", "or" or a comma add to it."""
        values: list[Mention[T]] = []
        for match in cue.find(answer.lower):
            if cues.OPEN_BEFORE.search(answer.lower, max(0, match.start() - 60), match.start()):
                continue
            found = self.values_at(answer, self.skip_glue(answer, match.end()))
            while found:
                values += found
                more = self.more.match(answer.lower, found[-1].end)
                found = self.values_at(answer, self.skip_glue(answer, more.end())) if more else []
                if found and not cues.STOPS_AFTER.match(answer.lower, found[-1].end):
                    found = []  # "the answer is B, A is too quiet" goes on about A
        return values
