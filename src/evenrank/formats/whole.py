"""Files that are there whole or not at all, whenever the program is stopped."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole(path: str | Path) -> Iterator[Path]:
    """Yield another name in the same folder to write to; what was written takes the place of `path` in one step.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole(Path(folder, "note")) as beside:
    ...         _ = beside.write_text("done")
    ...     [file.name for file in Path(folder).iterdir()]
    ['note']
    """
    path = Path(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}.partial")  # of this process: two never write to one
    try:
        yield beside
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
