"""What does a free-text answer say? One function, ``extract``, for every kind of question.

Conventions
-----------
* An answer is read as it stands or not at all: nothing is inferred from what a value would imply
  ("nothing was heard" is neither "no" nor 0), and the nearest value is never taken.
* ``Reading.value`` is a value of the kind (an option's own text, an int, a float, a string); it is there
  exactly when ``status`` is ``ok``.
* ``Reading.span`` counts characters of the text as given.
* Letter case, Markdown, quotes and full-width forms do not matter. A value inside another word
  ("no" in "notice", 4 in "A4") is not named.
* Reasoning in ``<think>`` tags is not part of the answer; without its end tag the answer is truncated.
* Letters (A for the first option) are read only where the prompt showed them: ``Choice.lettered``.
* Numbers: the full stop is the decimal mark, commas group thousands; units convert where no digit is lost.

Kinds
-----
``Choice``, ``Binary``, ``Integer``, ``Number``, ``Letters``, ``Word`` and ``Transcript``; see ``kinds``.

Rules, in the order in which they are tried
-------------------------------------------
``bare``            the text is one value, give or take punctuation around it
``empty``           there is no text
``reasoning``       a reasoning block has no end: truncated
``final``           an answer marked as final: "Final answer: X", a LaTeX box, ``<answer>`` tags
``explicit``        an answer marked as such: "the answer is X", ``{"answer": "X"}``, "I choose X",
                    "X is correct", "5 - 3 = X"; a leading "X, ..." that differs makes it ambiguous
``refusal``         the text says that it cannot answer
``first_line``      the first line is one value, and no later line begins with another or takes it back
``mention``         the values named anywhere, other than negated, in a question, in an idiom or as a bound:
                    one is the answer, several are ambiguous
``denial``          Binary: the same, where denying a value named the other
``measured``        Integer: no number without a unit is named, but one with a unit
``unitless``        Number: no number with a unit is named, but one without
``quoted``          Word: the words in quotes or in bold; Transcript: the text in quotes
``apology``         nothing is named and the text says sorry: refusal
``none``            nothing applies: unparsed

A transcript is the ``whole`` text, or what is left of it after a ``lead_in`` ("The speaker says:"), in a
``tag``, a ``fence`` or ``json``; beside these only ``empty``, ``reasoning`` and ``refusal`` apply.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from tools.answers.binary import BinaryReader
from tools.answers.kinds import Binary, Choice, Integer, Kind, Letters, Number, Transcript, Word
from tools.answers.options import LETTERS, ChoiceReader
from tools.answers.quantities import IntegerReader, NumberReader
from tools.answers.reader import Reader
from tools.answers.reading import AMBIGUOUS, EMPTY, OK, REFUSAL, STATUSES, TRUNCATED, UNPARSED, Reading
from tools.answers.sequences import LettersReader
from tools.answers.transcripts import TranscriptReader
from tools.answers.words import WordReader

__all__ = [
    "AMBIGUOUS",
    "EMPTY",
    "LETTERS",
    "OK",
    "REFUSAL",
    "STATUSES",
    "TRUNCATED",
    "UNPARSED",
    "VERSION",
    "Binary",
    "Choice",
    "Integer",
    "Kind",
    "Letters",
    "Number",
    "Reading",
    "Transcript",
    "Word",
    "extract",
]

VERSION = 2  # 1: options only, and no first_line rule

T = TypeVar("T")

_READERS: dict[type[Kind[Any]], Callable[[Any], Reader[Any]]] = {
    Binary: BinaryReader,
    Choice: ChoiceReader,
    Integer: IntegerReader,
    Letters: LettersReader,
    Number: NumberReader,
    Transcript: TranscriptReader,
    Word: WordReader,
}


def extract(text: str, kind: Kind[T]) -> Reading[T]:
    """Read the answer to a question of a known kind.

    Parameters
    ----------
    text : str
        The model's answer, unchanged.
    kind : Kind
        What was asked for, such as ``Choice(("yes", "no"))`` or ``Number("Hz")``.

    Raises
    ------
    ValueError
        The kind contradicts itself: two options that no answer can tell apart, an unknown unit.

    Examples
    --------
    >>> extract("**Yes**, there is a tone.", Choice(("yes", "no")))
    Reading(value='yes', status='ok', span=(2, 5), rule='mention')
    >>> extract("There is no tone.", Choice(("yes", "no"))).status
    'unparsed'
    >>> extract("I hear 3 tones, each 500 ms long.", Integer(count=True)).value
    3
    >>> extract("About 0.44 kHz.", Number("Hz")).value
    440.0
    """
    return _reader(kind).read(text)


@lru_cache(maxsize=4096)
def _reader(kind: Kind[T]) -> Reader[T]:
    return _READERS[type(kind)](kind)
