"""Running text, with nothing taken off but what plainly is not speech: a lead-in, quotes around all, JSON."""

from __future__ import annotations

import json
import re

from tools.answers.kinds import Transcript
from tools.answers.plain import Answer
from tools.answers.reader import Reader
from tools.answers.reading import OK, REFUSAL, UNPARSED, Reading, held

_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "'": "'", "‘": "’", "「": "」", "『": "』"}
_WHO = r"(?:the\s+)?(?:speaker|person|voice|man|woman|audio|recording|clip|narrator)"
_WHAT = r"(?:transcript(?:ion)?|transcribed\s+text|spoken\s+(?:text|words)|text|answer|final\s+answer)"
_LEAD_IN = re.compile(
    rf"\s*(?:(?:sure|certainly|of\s+course|okay|ok)[,!.]?\s+)?(?:here(?:'s|\s+is)\s+)?(?:"
    rf"{_WHO}\s+(?:says?|said|is\s+saying|reads|states)|"
    rf"(?:the\s+|a\s+)?(?:full\s+|verbatim\s+)?{_WHAT}(?:\s+of\s+(?:the|this)\s+(?:audio|recording|speech|clip)(?:\s+file)?)?"
    r"(?:\s+(?:is|reads))?)(?:\s+as\s+follows)?(?P<colon>[ \t]*:)?"
)
_REFUSAL = re.compile(
    r"\s*(?:i'?\s?a?m\s+(?:very\s+|so\s+)?sorry|sorry|i\s+apologi[sz]e|unfortunately|as\s+an?\s+(?:ai|language|text)|"
    r"i\s+(?:cannot|can't|am\s+unable|am\s+not\s+able)|i'm\s+(?:unable|not\s+able))\b"
    r"[^\n]{0,200}?\b(?:audio|recordings?|files?|transcri\w+|listen|clips?)\b"
)
_TAG = re.compile(r"\s*<(answer|transcript|transcription|text)>(.*?)</\1>\s*\Z", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"\s*```\w*\n(.*?)\n?```\s*\Z", re.DOTALL)
_BOLD = re.compile(r"\*\*([^*]+)\*\*")
_JSON_KEYS = ("transcript", "transcription", "text", "answer")

Span = tuple[int, int]


class TranscriptReader(Reader[str]):
    """Reads running text; the value is the text itself, markup and case included."""

    def __init__(self, kind: Transcript) -> None:
        self.kind = kind

    def read(self, text: str) -> Reading[str]:
        """Return the text without what plainly is not speech."""
        answer = Answer(text)
        held_reading = self.without_answer(answer)
        if held_reading is not None:
            return held_reading
        span, rule = trimmed(answer.visible, (0, len(text))), "whole"
        if answer.visible[span[0]] not in _QUOTES and (refusal := _REFUSAL.match(answer.lower, span[0])):
            return held(REFUSAL, "refusal", refusal.span())
        for pattern, group, name in ((_TAG, 2, "tag"), (_FENCE, 1, "fence")):
            if framed := pattern.match(answer.visible, *span):
                span, rule = trimmed(answer.visible, framed.span(group)), name
        if (decoded := from_json(answer.visible[slice(*span)])) is not None:
            return _given(decoded, span, "json")
        if bold := _BOLD.fullmatch(answer.visible, *span):
            span = bold.span(1)
        return self._spoken(answer, span, rule)

    def _spoken(self, answer: Answer, span: Span, rule: str) -> Reading[str]:
        lead_in = _LEAD_IN.match(answer.lower, *span)
        if lead_in:
            is_bold = answer.visible.startswith("*", span[0])  # "**Transcript:** text"
            rest = trimmed(answer.visible, (lead_in.end(), span[1]), extra="*" if is_bold else "")
            opens = answer.visible[rest[0] : rest[0] + 1] in _QUOTES and rest[0] < rest[1]
            if lead_in["colon"] or opens:
                span, rule = rest, "lead_in"
        inner = unquoted(answer.visible, span, may_go_on=rule == "lead_in")
        if inner is not None:
            span, rule = inner, "quoted"
        return _given(answer.visible[slice(*span)], span, rule)


def _given(value: str, span: Span, rule: str) -> Reading[str]:
    if not any(character.isalnum() for character in value):
        return held(UNPARSED, rule)
    return Reading(value, OK, span, rule)


def trimmed(text: str, span: Span, extra: str = "") -> Span:
    """Return a span without white space, or the characters of ``extra``, at its ends."""
    part = text[slice(*span)]
    left = len(part) - len(part.lstrip(None if not extra else " \t\r\n" + extra))
    right = len(part.rstrip())
    return span[0] + left, span[0] + max(left, right)


def unquoted(text: str, span: Span, may_go_on: bool) -> Span | None:
    """Return what one pair of quotes holds; behind a lead-in, an explanation may follow it."""
    part = text[slice(*span)]
    closing = _QUOTES.get(part[:1], "")
    if not closing or closing not in part[1:]:
        return None
    end = part.index(closing, 1)
    if closing in "'’":  # an apostrophe looks the same
        end = len(part.rstrip(".")) - 1
        if part[end] != closing:
            return None
    rest = part[end + 1 :]
    is_alone = not rest.strip(" .")
    if not is_alone and (not may_go_on or closing in rest or part[0] in rest):
        return None
    return trimmed(text, (span[0] + 1, span[0] + end))


def from_json(text: str) -> str | None:
    """Return the transcript of a JSON object that holds one, else None."""
    if not (text.startswith("{") and text.endswith("}")):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    texts = [found[key] for key in _JSON_KEYS if isinstance(found.get(key), str)]
    return texts[0] if len(texts) == 1 else None
