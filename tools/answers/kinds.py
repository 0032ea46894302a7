"""What a question asks for; the kind of an answer is known before the answer is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Kind(Generic[T_co]):
    """What is asked for; values are of type ``T_co``."""


@dataclass(frozen=True)
class Choice(Kind[str]):
    """A question with one right option; ``lettered`` says that the prompt named them A, B, C, ..."""

    options: tuple[str, ...]
    lettered: bool = False


@dataclass(frozen=True)
class Binary(Kind[str]):
    """Is something there? Denying it ("not anomalous", "no anomaly") answers ``absent``.

    Attributes
    ----------
    present, absent : str
        The two answers, such as "anomalous" and "normal".
    also_present, also_absent : tuple of str
        Other words for them, such as "anomaly" and "anomalies".
    complementary : bool
        There is no third state, so denying ``absent`` ("isn't normal") answers ``present``.
    """

    present: str
    absent: str
    also_present: tuple[str, ...] = ()
    also_absent: tuple[str, ...] = ()
    complementary: bool = False


@dataclass(frozen=True)
class Integer(Kind[int]):
    """A whole number; of a ``count``, nothing with a unit of measurement ("500 ms") can be the answer."""

    count: bool = False


@dataclass(frozen=True)
class Number(Kind[float]):
    """A number in ``unit``, one of ``tools.answers.units.UNITS``; empty for a number without one."""

    unit: str = ""


@dataclass(frozen=True)
class Letters(Kind[str]):
    """A sequence of ``length`` capital letters of ``alphabet``."""

    alphabet: str
    length: int


@dataclass(frozen=True)
class Word(Kind[str]):
    """One word of any lexicon, given in lower case."""


@dataclass(frozen=True)
class Transcript(Kind[str]):
    """Running text, as spoken."""
