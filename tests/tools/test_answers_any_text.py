"""Extraction of any kind from any text: properties, and no text on which it hangs."""

import os
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from meta import PROJECT_ROOT
from tools.answers import STATUSES, Binary, Choice, Integer, Kind, Letters, Number, Transcript, Word, extract

REMAP = Letters("EG", 3)
KINDS: list[Kind] = [
    Choice(("yes", "no")),
    Choice(("dog barking", "cat meowing", "rain"), lettered=True),
    Binary("anomalous", "normal", ("anomaly",), complementary=True),
    Integer(),
    Integer(count=True),
    Number("Hz"),
    Number(),
    REMAP,
    Word(),
    Transcript(),
]
PIECES = [
    "yes",
    "no ",
    "not ",
    "A",
    "B",
    "cat meowing",
    "normal",
    "anomaly",
    "3",
    "-",
    "10.5",
    "1,000",
    "²",
    "½",
    "５",
    "Hz",
]
PIECES += [
    "E",
    "G",
    "EGE",
    "one ",
    "hundred ",
    "=",
    "+",
    "<think>",
    "</think>",
    "answer is ",
    "word: ",
    "**",
    "\\boxed{",
    "}",
]
PIECES += [
    '"',
    "'",
    "{",
    '{"text": ',
    "```",
    "<answer>",
    "</answer>",
    "İ",
    "ﬁ",
    "\ud800",
    "\x00",
    "\n",
    " ",
    ".",
    ", ",
    "?",
]
PIECES += ["the speaker says: ", "sorry", "more than ", "Final answer: "]
ANY_CHARACTER = st.characters(exclude_categories=())  # lone surrogates included
TEXTS = st.one_of(
    st.text(ANY_CHARACTER), st.lists(st.sampled_from(PIECES) | st.text(ANY_CHARACTER, max_size=3)).map("".join)
)


def is_of_kind(value: object, kind: Kind) -> bool:
    """Tell whether a value is one that the kind allows."""
    if isinstance(kind, Choice):
        return value in kind.options
    if isinstance(kind, Binary):
        return value in (kind.present, kind.absent)
    if isinstance(kind, Letters):
        return isinstance(value, str) and len(value) == kind.length and set(value) <= set(kind.alphabet)
    if isinstance(kind, Word):
        return isinstance(value, str) and len(value.split()) == 1
    if isinstance(kind, Transcript):
        return isinstance(value, str) and bool(value.strip())
    return type(value) is (int if isinstance(kind, Integer) else float)


@given(TEXTS, st.sampled_from(KINDS))
@example("\ud800", KINDS[0])
@example("\x00", KINDS[-1])
def test_any_text_has_a_value_of_the_kind_or_is_held(text: str, kind: Kind) -> None:
    reading = extract(text, kind)
    assert reading.status in STATUSES and reading.rule
    assert (reading.status == "ok") == (reading.value is not None)
    assert reading.value is None or (reading.span is not None and is_of_kind(reading.value, kind))
    assert reading.span is None or 0 <= reading.span[0] < reading.span[1] <= len(text)


@given(TEXTS, st.sampled_from(KINDS))
def test_the_same_text_is_read_the_same_twice(text: str, kind: Kind) -> None:
    assert extract(text, kind) == extract(text, kind)


BARE = st.one_of(
    st.sampled_from([(option, kind, option) for kind in KINDS[:2] for option in kind.options]),  # type: ignore[attr-defined]
    st.sampled_from([("anomalous", KINDS[2], "anomalous"), ("Normal", KINDS[2], "normal")]),
    st.integers(-(10**12), 10**12).map(lambda n: (str(n), Integer(), n)),
    st.integers(-(10**12), 10**12).map(lambda n: (f"{n:,}", Integer(), n)),
    st.decimals(0, 10**5, places=3).map(lambda x: (f"{x} Hz", Number("Hz"), float(x))),
    st.text("EG", min_size=3, max_size=3).map(lambda text: (text, REMAP, text)),
    st.from_regex("[bcdfgh][aou][lmnprt]{1,3}", fullmatch=True).map(lambda word: (word, Word(), word)),
)


@given(
    BARE,
    st.sampled_from([str, str.upper, str.lower]),
    st.sampled_from(["{}", "**{}**", " \n{}\n\t", "`{}`", '"{}".', "__{}__", "({})", "“{}”", "\\boxed{{{}}}"]),
)
def test_case_space_and_markup_keep_the_reading_of_a_bare_answer(bare, letter_case, frame: str) -> None:
    text, kind, value = bare
    assert extract(frame.format(letter_case(text)), kind).value == value


@pytest.mark.parametrize("kind", KINDS, ids=repr)
@pytest.mark.parametrize("piece", ["no 3 EGE ", "\ud800a\x00"], ids=ascii)
def test_a_megabyte_is_read(piece: str, kind: Kind) -> None:
    assert extract(piece * (1_000_000 // len(piece)), kind).status in STATUSES


# Repeats on which careless patterns never come to an end, each between a start and an end that keep a match open.
REPEATS = [("answer: yes", " ", "x"), ("a", "_", "b"), ("a", "'", "b"), ("", "*", "a"), ("", "#", "x"), ("", "9", "x")]
REPEATS += [
    ("", ",9", "x"),
    ("answer", "-", "x"),
    ("", "answer:", ""),
    ("", "<think>", "x"),
    ("<text>", "</text>", "x"),
]
REPEATS += [("cat", " ", "!"), ("", "E-", "EX"), ("E", "E", "X"), ("E", " ", "X"), ("", '"a', "!"), ("a", "a-", "!")]
REPEATS += [("word: ", "a", "1"), ("cannot ", "ly", "!"), ("up\n", "\n", "x"), ("```\n", "```", "x"), ("5", "+9", "=")]
_READ_ALL = """
from tests.tools.test_answers_any_text import KINDS, REPEATS
from tools.answers import extract
for start, piece, end in REPEATS:
    for kind in KINDS:
        extract(start + piece * (100_000 // len(piece)) + end, kind)
"""


def test_degenerate_texts_of_a_hundred_thousand_characters_are_read_to_the_end() -> None:
    environment = {**os.environ, "PYTHONPATH": str(PROJECT_ROOT)}
    command = [sys.executable, "-c", _READ_ALL]
    subprocess.run(command, check=True, timeout=600, cwd=PROJECT_ROOT, env=environment)  # the limit ends a hang
