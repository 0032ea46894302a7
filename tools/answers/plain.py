"""The text made plain without moving a character: ASCII forms, no markup, no reasoning."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

EDGE = " \t\r\n\f\v\"'()[]{}<>.,;:!?*_`#$|/\\-–—…"
WORD = "0-9A-Za-z_À-ÖØ-öø-ʯͰ-ϿЀ-ӿ"  # no CJK: "答案是B" has no spaces, and B is a word of its own there
BEFORE = rf"(?<![{WORD}'])(?<![{WORD}]-)(?<!\d[.,])"
AFTER = rf"(?![{WORD}'])(?!-[{WORD}])(?![.,]\d)"

_SAME_LENGTH = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼ", "'"),
        **dict.fromkeys("“”„‟«»「」『』″", '"'),
        **dict.fromkeys("\u2010\u2011\u2212", "-"),
        **dict.fromkeys("。｡", "."),
        **dict.fromkeys("【〔", "["),
        **dict.fromkeys("】〕", "]"),
        "、": ",",
    }
)
_MAY_BE_MARKUP = re.compile(r"[*`\"'_#]")
_MARKUP = re.compile(r"[*`\"]+|['_]+|^[ \t]*#+(?=\s)", re.MULTILINE)
_REASONING_TAG = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)


def _blank(match: re.Match[str]) -> str:
    """Return spaces, or the apostrophes and underscores of "isn't" and "snake_case" as they are."""
    run = match.group()
    if run == "'" or not run.strip("_"):
        before, after = match.string[match.start() - 1 : match.start()], match.string[match.end() : match.end() + 1]
        if before.isalnum() and after.isalnum():
            return run
    return " " * len(run)


@lru_cache(maxsize=4096)
def _plain_character(character: str) -> str:
    plain = unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 else character


def level(text: str) -> str:
    """Return the text with ASCII forms and without markup, each character in its place."""
    if not text.isascii():
        text = "".join(map(_plain_character, text.translate(_SAME_LENGTH))).translate(_SAME_LENGTH)
    return _MARKUP.sub(_blank, text) if _MAY_BE_MARKUP.search(text) else text


def lower(text: str) -> str:
    """Return the text in lower case, each character in its place."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def without_reasoning(text: str) -> tuple[str, bool]:
    """Return the text with its reasoning blanked, and whether the last block has no end."""
    start: int | None = None
    kept, position = [], 0
    for tag in _REASONING_TAG.finditer(text):
        if not tag.group(1):
            start = tag.start() if start is None else start
            continue
        if start is None:  # an end without a start: some chat templates open the block in the prompt
            kept = [" " * position]
            start = position
        kept += [text[position:start], " " * (tag.end() - start)]
        position, start = tag.end(), None
    return ("".join(kept) + text[position:] if position else text), start is not None


class Answer:
    """One answer in the forms that the rules read; all have the length of the text."""

    __slots__ = ("text", "visible", "ends_in_reasoning", "level", "lower", "found")

    def __init__(self, text: str) -> None:
        self.text = text
        self.visible, self.ends_in_reasoning = without_reasoning(text) if "<" in text else (text, False)
        self.level = level(self.visible)
        self.lower = lower(self.level)
        self.found: Any = None  # what a kind looks for, found once
