"""Presence or absence, where a denial is an answer: "not anomalous" is "normal"."""

from __future__ import annotations

import re

from tools.answers.kinds import Binary, Choice
from tools.answers.negation import clause_before, is_asked, is_denied_after
from tools.answers.options import ChoiceReader, OptionTexts, option_key
from tools.answers.plain import Answer
from tools.answers.reading import Mention, Reading, decide

_DENIAL = re.compile(
    r"\b(?:not|never|cannot|without|nothing|neither|nor|lacks?|lacking|absence\s+of|free\s+(?:of|from))\b|n't\b|"
    r"\bno\s+(?:\w+\s+){0,3}$"
)
_OPEN = re.compile(
    r"\b(?:whether|if|unless|rather\s+than|instead\s+of|as\s+opposed\s+to|other\s+than|unlike|neither|nor|more|less|"
    r"not\s+(?:only|just|necessarily|entirely|completely|quite|very|always|particularly|fully|sure|clear))\b"
)
_DENIAL_HERE = re.compile(r"(?:not|no|without|free\s+(?:of|from))\s+(?:an?\s+|any\s+|the\s+)?")


class BinaryReader(ChoiceReader):
    """Reads presence or absence of something."""

    def __init__(self, kind: Binary) -> None:
        super().__init__(Choice((kind.present, kind.absent)))
        self.kind = kind
        texts = {option_key(text): kind.present for text in (kind.present, *kind.also_present)}
        denied = [f"non{dash}{text}" for text in texts for dash in ("-", " ", "")]
        absent = (kind.absent, *kind.also_absent, *denied)
        if clash := texts.keys() & {option_key(text) for text in absent}:
            raise ValueError(f"{sorted(clash)} would name both {kind.present!r} and {kind.absent!r}")
        texts |= {option_key(text): kind.absent for text in absent}
        self.texts = OptionTexts(texts)
        self.bare_texts = dict(texts)

    def _opposite(self, value: str | None) -> str | None:
        if value == self.kind.present:
            return self.kind.absent
        return self.kind.present if self.kind.complementary else None

    def _named(self, answer: Answer) -> list[tuple[Mention[str], bool]]:
        """Return what is named, with denials turned into the other answer, and whether one was."""
        lower, named = answer.lower, []
        for mention in self.texts.find(lower):
            clause = clause_before(lower, mention.start)
            denials = len(_DENIAL.findall(clause)) + is_denied_after(lower, mention.end)
            if denials > 1 or _OPEN.search(clause) or is_asked(lower, mention.end):
                continue
            value = self._opposite(mention.value) if denials else mention.value
            if value is not None:
                named.append((mention._replace(value=value), bool(denials)))
        return named

    def mentions(self, answer: Answer) -> list[Mention[str]]:
        """Return the answers that the text names, by a text or by denying the other's."""
        return [mention for mention, _ in self._named(answer)]

    def named(self, answer: Answer) -> Reading[str] | None:
        """Read what is named anywhere; the rule says whether a denial decided."""
        named = self._named(answer)
        return decide([m for m, _ in named], "denial" if named and named[-1][1] else "mention")

    def values_at(self, answer: Answer, position: int) -> list[Mention[str]]:
        """Return the answer that stands right here, as itself or as the denial of the other."""
        denial = _DENIAL_HERE.match(answer.lower, position)
        if not denial:
            return super().values_at(answer, position)
        found = super().values_at(answer, denial.end())
        opposites = [m._replace(value=self._opposite(m.value)) for m in found]
        return [m for m in opposites if m.value is not None]
