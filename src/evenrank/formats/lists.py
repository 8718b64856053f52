"""List files: one item a line, as text."""

from __future__ import annotations

from pathlib import Path


def read_lines(path: Path) -> list[str]:
    """Return the lines of a UTF-8 file without line ends; blank lines at the end do not count."""
    if not path.is_file():
        raise ValueError(f"{path}: {'is a folder, not a file' if path.is_dir() else 'no such file'}")
    try:
        text = path.read_text(encoding="utf-8-sig").rstrip()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: must be UTF-8 text; byte {error.start} is not") from None
    if not text:
        raise ValueError(f"{path}: is empty")
    return [line.rstrip() for line in text.split("\n")]  # not splitlines, which splits at rare characters within a name


def read_columns(path: Path, count: int) -> list[tuple[str, ...]]:
    """Return the lines of a file as tuples of `count` words, separated by white space."""
    rows = [tuple(line.split()) for line in read_lines(path)]
    for number, row in enumerate(rows, 1):
        if len(row) != count:
            raise ValueError(f"{path}: line {number} must have {count} columns; got {len(row)}")
    return rows
