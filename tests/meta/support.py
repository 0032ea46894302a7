"""A copy of the meta folder that a test may damage."""

import shutil
from pathlib import Path

from meta import META_DIR


def copy_meta(folder: Path) -> Path:
    """Copy the CSVs of meta/ and its digests, and return the copy."""
    target = folder / "meta"
    target.mkdir()
    for path in META_DIR.glob("*.csv"):
        shutil.copy(path, target)
    shutil.copytree(META_DIR / "digests", target / "digests")
    return target


def edit_line(path: Path, number: int, old: str, new: str) -> None:
    """Replace a text on one line (counted from 1) of a file."""
    lines = path.read_text(encoding="utf-8").split("\n")
    assert old in lines[number - 1], lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    path.write_text("\n".join(lines), encoding="utf-8")
