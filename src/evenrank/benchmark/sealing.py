"""A process that tunes cannot open the test set: the interpreter itself refuses.

Python reports every file it opens, and every process it starts, to an audit hook, which cannot be removed. Once the
process has what it may know, the hook refuses whatever lies below the sealed folder or the data root, and any new
process, which would not be watched.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

STARTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty")


def seal(*folders: Path) -> None:
    """Refuse, from now on and in this process, to open anything below `folders`, and to start processes."""
    roots = [os.path.realpath(folder) for folder in folders]

    def watch(event: str, arguments: Sequence[object]) -> None:
        if event in STARTS:
            raise PermissionError("a method cannot start processes while it is tuned: the test set is sealed")
        if event in ("open", "os.listdir", "os.scandir", "os.link", "os.symlink", "os.rename"):
            for path in arguments:
                if isinstance(path, (str, bytes, os.PathLike)) and _inside(os.fsdecode(path), roots):
                    raise PermissionError(f"{os.fsdecode(path)}: the test set is sealed while methods are tuned")

    sys.addaudithook(watch)


def _inside(path: str, roots: list[str]) -> bool:
    real = os.path.realpath(path)
    return any(real == root or real.startswith(root + os.sep) for root in roots)
