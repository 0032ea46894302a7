"""Units of measurement, and conversions between them that lose nothing."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple


class Unit(NamedTuple):
    """One unit: its quantity, its size in the quantity's first unit, and how it is written (in lower case)."""

    quantity: str
    size: Fraction
    spellings: tuple[str, ...]


UNITS = {
    "Hz": Unit("frequency", Fraction(1), ("hz", "hertz")),
    "kHz": Unit("frequency", Fraction(1000), ("khz", "kilohertz")),
    "MHz": Unit("frequency", Fraction(10**6), ("mhz", "megahertz")),
    "s": Unit("time", Fraction(1), ("s", "sec", "secs", "second", "seconds")),
    "ms": Unit("time", Fraction(1, 1000), ("ms", "msec", "msecs", "millisecond", "milliseconds")),
    "us": Unit("time", Fraction(1, 10**6), ("us", "µs", "μs", "microsecond", "microseconds")),
    "min": Unit("time", Fraction(60), ("min", "mins", "minute", "minutes")),
    "h": Unit("time", Fraction(3600), ("h", "hr", "hrs", "hour", "hours")),
    "dB": Unit("level", Fraction(1), ("db", "decibel", "decibels")),
    "%": Unit("share", Fraction(1), ("%", "percent", "per cent")),
    "cents": Unit("interval", Fraction(1), ("cent", "cents")),
    "semitones": Unit("interval", Fraction(100), ("st", "semitone", "semitones")),
    "octaves": Unit("interval", Fraction(1200), ("octave", "octaves")),
    "bpm": Unit("tempo", Fraction(1), ("bpm", "beats per minute")),
    "degrees": Unit("angle", Fraction(1), ("°", "degree", "degrees")),
}
_NAMES = {spelling: name for name, unit in UNITS.items() for spelling in unit.spellings}
_SPELLINGS = "|".join(map(re.escape, sorted(_NAMES, key=len, reverse=True)))
WRITTEN = re.compile(rf"[ \t-]?\s*(?:\\text\{{\s*|\\mathrm\{{\s*|\\,|\\)?({_SPELLINGS})(?![^\W_])")


def unit_at(lower: str, position: int) -> tuple[str, int]:
    """Return the name of the unit written at a position and where it ends, or "" and the position."""
    match = WRITTEN.match(lower, position)
    return (_NAMES[match.group(1)], match.end()) if match else ("", position)


def convert(value: Fraction, unit: str, wanted: str) -> Fraction | None:
    """Return a value in another unit, or None if they measure different things or no decimal is exact.

    Examples
    --------
    >>> convert(Fraction("0.44"), "kHz", "Hz")
    Fraction(440, 1)
    >>> convert(Fraction(100), "s", "min") is None
    True
    """
    if unit == wanted:
        return value
    known = UNITS.get(unit), UNITS.get(wanted)
    if known[0] is None or known[1] is None or known[0].quantity != known[1].quantity:
        return None
    converted = value * known[0].size / known[1].size
    denominator = converted.denominator
    for prime in (2, 5):
        while denominator % prime == 0:
            denominator //= prime
    return converted if denominator == 1 else None
