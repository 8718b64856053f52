"""A process that tunes cannot open the test set: the interpreter itself refuses.

Python reports every file it opens, and every process it starts, to an audit hook, which cannot be removed. Once the
process has what it may know, the hook refuses whatever lies below the sealed folder or the data root, the files that
the dataset was read from, the dataset by its name, and any new process, which would not be watched. This stops what a
method does by mistake or in Python; a compiled library that opens files by itself is not seen.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

STARTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty")
OPENS = ("open", "os.listdir", "os.scandir", "os.link", "os.symlink", "os.rename", "sqlite3.connect")
SYMBOLS = ("open", "open64", "openat", "fopen", "fopen64", "system", "popen", "fork", "execve", "syscall")  # of C
CODE = (".py", ".pyc", ".so", ".pth", ".nbi", ".nbc", "METADATA", "RECORD")


def seal(*paths: Path) -> None:
    """Refuse, from now on and in this process, to open `paths` or anything below, and to start processes."""
    roots = [os.path.realpath(path) for path in paths]

    def watch(event: str, arguments: Sequence[object]) -> None:
        if event in STARTS:
            raise PermissionError("a method cannot start processes while it is tuned: the test set is sealed")
        if event == "evenrank.dataset" or (event == "ctypes.dlsym" and arguments[-1] in SYMBOLS):
            raise PermissionError(f"{arguments[-1]}: the test set is sealed while methods are tuned")
        if event in OPENS:
            for path in arguments:
                if isinstance(path, (str, bytes, os.PathLike)) and _inside(os.fsdecode(path), roots):
                    raise PermissionError(f"{os.fsdecode(path)}: the test set is sealed while methods are tuned")

    sys.addaudithook(watch)


@contextmanager
def opened() -> Iterator[set[str]]:
    """Gather the files that are opened inside, but for code."""
    found: set[str] = set()
    watching = True

    def watch(event: str, arguments: Sequence[object]) -> None:
        if watching and event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
            path = os.path.realpath(os.fsdecode(arguments[0]))
            if os.path.isfile(path) and not path.endswith(CODE) and not path.startswith(("/proc/", "/sys/", "/dev/")):
                found.add(path)

    sys.addaudithook(watch)
    try:
        yield found
    finally:
        watching = False


def _inside(path: str, roots: list[str]) -> bool:
    real = os.path.realpath(path)
    return any(real == root or real.startswith(root + os.sep) for root in roots)
