"""A reading as lines of text that no answer can break."""

from __future__ import annotations

import unicodedata

from tools.answers.reading import Reading

_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}
_MARK = "…"


def escaped(text: str) -> str:
    """Return a text in which control characters, lone surrogates and the like are written as escapes."""
    return "".join(map(_escaped_character, text))


def _escaped_character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character == " " or (character.isprintable() and not unicodedata.combining(character)):
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def columns(text: str) -> int:
    """Return how many columns of a terminal an escaped text takes."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def window(length: int, span: tuple[int, int] | None, width: int) -> tuple[int, int]:
    """Return which characters of a text to show: all if they are few, else those around the span, or the first."""
    if length <= width:
        return 0, length
    if span is None or span[1] <= width:
        return 0, width
    start = min(max(0, span[0] - width // 2), length - width)
    return start, start + width


def underlined(text: str, span: tuple[int, int] | None, width: int = 100) -> list[str]:
    """Return an answer in one line, shortened to ``width`` characters, and a line that marks the span."""
    start, end = window(len(text), span, width)
    before, after = (_MARK if start else ""), (_MARK if end < len(text) else "")
    lines = [before + escaped(text[start:end]) + after]
    if span is not None:
        first, last = max(span[0], start), min(span[1], end)
        indent = columns(before + escaped(text[start:first]))
        lines.append(" " * indent + "^" * max(1, columns(escaped(text[first:last]))))
    return lines


def summary(reading: Reading) -> str:
    """Return the value, the status and the rule in one line."""
    value = "-" if reading.value is None else reading.value
    shown = escaped(value[:100]) + (_MARK if len(value) > 100 else "") if isinstance(value, str) else f"{value:g}"
    if isinstance(value, int):
        shown = str(value)
    return f"{shown}  status {reading.status}, rule {reading.rule}"
