"""Strict CSV: what is read back is what was written, and what is wrong is named."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meta.csvfile import format_table, parse_table, read_table, whole_records, write_atomically
from meta.errors import InputError

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=5))
def test_any_text_survives_writing_and_reading(pairs):
    rows = [{"a": f"x{left}", "b": right} for left, right in pairs]
    assert [line.values for line in parse_table(format_table(["a", "b"], rows), "t").lines] == rows


@given(st.lists(st.tuples(TEXTS.filter(lambda t: "\r" not in t), TEXTS.filter(lambda t: "\r" not in t)), min_size=1))
def test_the_standard_library_reads_what_is_written(pairs):
    rows = [{"a": f"x{left}", "b": right} for left, right in pairs]
    text = format_table(["a", "b"], rows)
    assert list(csv.reader(io.StringIO(text, newline="")))[1:] == [[row["a"], row["b"]] for row in rows]


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4), st.data())
def test_a_file_cut_anywhere_keeps_its_whole_records(pairs, data):
    rows = [{"a": f"x{left}", "b": right} for left, right in pairs]
    texts = [format_table(["a", "b"], rows[:count]) for count in range(len(rows) + 1)]
    cut = data.draw(st.integers(len(texts[0]), len(texts[-1])))
    assert whole_records(texts[-1][:cut]) == max((text for text in texts if len(text) <= cut), key=len)


def test_the_word_none_stays_a_word():
    assert parse_table('a\nNone\nNA\nnan\n""\n', "t").lines[0].values == {"a": "None"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t: is empty"),
        ("a,b\n1,2\n3\n", "t line 3: has 1 fields, the header has 2; it begins '3'"),
        ("a,a\n1,2\n", "t line 1: the column 'a' is there twice"),
        ("a,b\n1,2\n\n3,4\n", "t line 3: is blank"),
        ('a,b\n1,"2\n', "t line 2: is not well-formed CSV"),
        ('a,b\n1,"x"y\n', "t line 2: is not well-formed CSV"),
    ],
)
def test_a_malformed_file_is_an_error_that_names_the_line(text, message):
    with pytest.raises(InputError, match=message):
        parse_table(text, "t")


def test_a_line_number_is_the_physical_line():
    text = 'a,b\n1,"two\nlines"\n3\n'
    with pytest.raises(InputError, match="t line 4"):
        parse_table(text, "t")


def test_wrong_columns_are_named():
    with pytest.raises(InputError, match="missing b; unexpected 'c'"):
        parse_table("a,c\n1,2\n", "t", ["a", "b"])
    with pytest.raises(InputError, match="the columns are in another order"):
        parse_table("b,a\n1,2\n", "t", ["a", "b"])


def test_a_byte_order_mark_is_an_error(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"\xef\xbb\xbfa,b\n1,2\n")
    with pytest.raises(InputError, match="byte-order mark"):
        read_table(path)


def test_bytes_that_are_not_utf8_are_an_error_with_their_line(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n1,2\n3,\xff\n")
    with pytest.raises(InputError, match="line 3: byte 0xff is not UTF-8"):
        read_table(path)


def test_a_write_that_fails_leaves_the_old_file(tmp_path):
    blocker = tmp_path / "file"
    blocker.write_text("old")
    with pytest.raises(InputError, match="cannot be written"):
        write_atomically(blocker / "below.csv", b"new")
    assert blocker.read_text() == "old"
