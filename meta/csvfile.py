"""Strict CSV, the one format of every room: UTF-8, LF, minimal quoting, every value text.

Nothing is converted and nothing is dropped in silence: an option "None" stays the word
None, and a ragged row, a byte-order mark or a doubled column is an error that names the line.
"""

from __future__ import annotations

import contextlib
import csv
import io
import os
import sys
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from meta.errors import InputError, at


class Line(NamedTuple):
    """One record of a CSV file and the physical line on which it begins."""

    number: int
    values: Dict[str, str]


class Table(NamedTuple):
    """A CSV file: its columns in order and its records."""

    columns: List[str]
    lines: List[Line]


def read_table(path: Path, columns: Optional[Sequence[str]] = None, delimiter: str = ",") -> Table:
    """Read a CSV file with every value as text.

    Parameters
    ----------
    path : Path
        The file.
    columns : sequence of str, optional
        The columns that it must have, in order.
    delimiter : str
        Field separator.

    Raises
    ------
    InputError
        The file cannot be read, is not UTF-8, begins with a byte-order mark, or has other
        columns or ragged rows; the message names file, line and value.
    """
    return parse_table(read_text(path), path, columns, delimiter)


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file without translating its line ends."""
    return decode(read_bytes(path), path)


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, which must not begin with a byte-order mark."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
    if data.startswith(b"\xef\xbb\xbf"):
        raise InputError(f"{path} line 1: begins with a byte-order mark; save it as plain UTF-8")
    return data


def decode(data: bytes, path: object) -> str:
    """Return UTF-8 text; ``path`` is only used in messages."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path} line {line}: byte {data[error.start]:#04x} is not UTF-8; save the file as UTF-8"
        ) from error


def parse_table(text: str, path: object, columns: Optional[Sequence[str]] = None, delimiter: str = ",") -> Table:
    """Parse CSV text; see :func:`read_table`. ``path`` is only used in messages."""
    records = _records(text, path, delimiter)
    try:
        _, header = next(records)
    except StopIteration:
        raise InputError(f"{path}: is empty; a header line is expected") from None
    _check_header(header, path, columns)
    lines = []
    for number, fields in records:
        if len(fields) != len(header):
            what = f"has {len(fields)} fields, the header has {len(header)}"
            raise InputError(f"{at(path, number)}: {what}; it begins {','.join(fields)[:60]!r}")
        lines.append(Line(number, dict(zip(header, fields))))
    return Table(header, lines)


def _records(text: str, path: object, delimiter: str) -> Iterator[Tuple[int, List[str]]]:
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # a model's answer may be longer than the default 128 KiB
    reader = csv.reader(io.StringIO(text, newline="\n"), delimiter=delimiter, strict=True)
    begin = 1
    try:
        for fields in reader:
            if not fields:
                raise InputError(f"{at(path, begin)}: is blank; remove the line")
            yield begin, fields
            begin = reader.line_num + 1  # the physical line: an answer may span several
    except csv.Error as error:
        raise InputError(f"{at(path, begin)}: is not well-formed CSV ({error})") from error


def _check_header(header: List[str], path: object, columns: Optional[Sequence[str]]) -> None:
    doubled = sorted({name for name in header if header.count(name) > 1})
    if doubled:
        raise InputError(f"{at(path, 1)}: the column {doubled[0]!r} is there twice")
    if columns is None or header == list(columns):
        return
    missing = [name for name in columns if name not in header]
    extra = [name for name in header if name not in columns]
    what = "; ".join(
        part
        for part in (
            f"missing {', '.join(missing)}" if missing else "",
            f"unexpected {', '.join(map(repr, extra))}" if extra else "",
        )
        if part
    )
    raise InputError(f"{at(path, 1)}: {what or 'the columns are in another order'}; expected {','.join(columns)}")


def format_record(fields: Iterable[str]) -> str:
    """Return one CSV record with minimal quoting and an LF.

    The csv module of Python before 3.13 leaves a lone carriage return unquoted, and a file
    written so cannot be read back; therefore this is spelled out here.
    """
    return ",".join('"' + f.replace('"', '""') + '"' if any(c in f for c in ',"\r\n') else f for f in fields) + "\n"


def format_table(columns: Sequence[str], rows: Iterable[Dict[str, str]]) -> str:
    """Return a whole CSV file as text."""
    return format_record(columns) + "".join(format_record(row[name] for name in columns) for row in rows)


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old content or the new, and a crash loses neither."""
    path = Path(path)
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(part, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from error


def whole_records(text: str) -> str:
    """Return the text up to the last complete record.

    A record is complete when its line feed is there and its quotes are closed; what follows was
    torn by a crash.
    """
    end = position = quotes = 0
    while True:
        newline = text.find("\n", position)
        if newline < 0:
            return text[:end]
        quotes += text.count('"', position, newline)
        position = newline + 1
        if quotes % 2 == 0:
            end = position
