"""The one exception for input that a user can mend."""

from __future__ import annotations

import difflib
from typing import Iterable, Optional


class InputError(Exception):
    """Something in a file, a name or an option is wrong; the message says where, what, and what to do.

    Command lines print the message without a traceback and exit with status 1.
    """


def at(path: object, line: Optional[int] = None, column: Optional[str] = None) -> str:
    """Return ``path line 3, column gt_label``: where an error was found."""
    where = str(path)
    if line is not None:
        where += f" line {line}"
    if column is not None:
        where += f", column {column}"
    return where


def unknown(kind: str, name: str, known: Iterable[str]) -> InputError:
    """Build the error for a misspelt name, with the nearest known ones."""
    choices = sorted(known)
    near = difflib.get_close_matches(name, choices, n=2, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(choices) or 'none'}"
    return InputError(f'unknown {kind} "{name}": {hint}')
