"""Archives from elsewhere: what they declare is checked whole before anything is written.

The files grow in a folder whose name says that it is not finished, and are moved into place at the end: an interruption
leaves nothing that looks whole. Only plain files and folders come out, without mode or owner.
"""

from __future__ import annotations

import shutil
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from evenrank.arrays import DEFLATE_LIMIT

SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".zip")


@dataclass(frozen=True)
class _Entry:
    name: str
    kind: str  # "file", "folder", or what is refused
    size: int
    own: Any  # the library's record of it

    @property
    def parts(self) -> tuple[str, ...]:
        return PurePosixPath(self.name.replace("\\", "/")).parts


Opened = tuple[Iterable[_Entry], Callable[[Any], IO[bytes] | None]]


def unpack(archive: Path, folder: Path, progress: Callable[[int, int], None] | None = None) -> list[Path]:
    """Unpack a .tar, .tar.gz, .tgz, .tar.bz2 or .zip; return what appeared: `folder`, or its new entries if it existed.

    Refused, with nothing written: names that lead out of the folder, links, devices, two entries of one name (also if
    only case tells them apart, since some file systems do not), more bytes than 1032 times the archive's size (what
    deflate can expand, and far beyond what honest data does) or than the disk has, and entries that exist already.
    """
    if not archive.name.endswith(SUFFIXES):
        raise ValueError(f"{archive}: the suffix must be one of {', '.join(SUFFIXES)}")
    home = folder if folder.exists() else folder.parent
    home.mkdir(parents=True, exist_ok=True)
    partial = home / f".{archive.name}.partial"
    try:
        with (_zip if archive.suffix == ".zip" else _tar)(archive) as (listed, read):
            entries = _checked(listed, archive.stat().st_size)
            _check_room(entries, folder, home)
            shutil.rmtree(partial, ignore_errors=True)  # of a run that was killed
            _write(entries, read, partial, progress)
        if home != folder:
            return [partial.rename(folder)]
        return [path.rename(folder / path.name) for path in sorted(partial.iterdir())]
    except Exception as error:  # parsers fail in many ways on a damaged file
        raise ValueError(f"{archive}: cannot be unpacked: {' '.join(str(error).split())}") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def _tar(path: Path) -> Iterator[Opened]:
    with tarfile.open(path) as tar:
        yield (_Entry(each.name, _tar_kind(each), each.size, each) for each in tar), tar.extractfile


def _tar_kind(member: tarfile.TarInfo) -> str:
    if member.islnk() or member.issym():
        return "link"
    return "file" if member.isfile() else "folder" if member.isdir() else "device"


@contextmanager
def _zip(path: Path) -> Iterator[Opened]:
    with zipfile.ZipFile(path) as archive:
        yield (
            (_Entry(each.filename, _zip_kind(each), each.file_size, each) for each in archive.infolist()),
            archive.open,
        )


def _zip_kind(member: zipfile.ZipInfo) -> str:
    kind = stat.S_IFMT(member.external_attr >> 16)  # 0 where the archive was not made on Unix
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "link" if kind == stat.S_IFLNK else "device"
    return "folder" if member.is_dir() else "file"


def _checked(listed: Iterable[_Entry], archive_size: int) -> list[_Entry]:
    """Return the entries; the sum of sizes is checked on the way, so a bomb is not even listed to its end."""
    entries, names, total = [], set(), 0
    for entry in listed:
        if entry.kind not in ("file", "folder"):
            raise ValueError(f"{entry.name!r} is a {entry.kind}, not a plain file")
        if entry.name.startswith(("/", "\\")) or ".." in entry.parts or any(part[1:2] == ":" for part in entry.parts):
            raise ValueError(f"{entry.name!r} leads out of the folder")
        total += entry.size
        if entry.size < 0 or total > DEFLATE_LIMIT * archive_size:
            raise ValueError(f"declares more than {DEFLATE_LIMIT} times its own {archive_size} bytes")
        name = "/".join(entry.parts).casefold()
        if entry.kind == "file" and name in names:
            raise ValueError(f"{entry.name!r} is there twice, or another differs only by case")
        names.add(name)
        entries.append(entry)
    if not any(entry.kind == "file" for entry in entries):
        raise ValueError("holds no files")
    return entries


def _check_room(entries: list[_Entry], folder: Path, home: Path) -> None:
    for name in sorted({entry.parts[0] for entry in entries if entry.parts}):
        if (folder / name).exists():
            raise ValueError(f"{folder / name} exists already and is not overwritten: move it away first")
    needed, free = sum(entry.size for entry in entries), shutil.disk_usage(home).free
    if needed > free:
        raise ValueError(f"needs {needed:,} bytes in {folder}, {free:,} are free")


def _write(
    entries: list[_Entry],
    read: Callable[[Any], IO[bytes] | None],
    partial: Path,
    progress: Callable[[int, int], None] | None,
) -> None:
    partial.mkdir()
    for done, entry in enumerate(entries, 1):
        path = partial.joinpath(*entry.parts)
        if entry.kind == "folder":
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            source = read(entry.own)
            if source is None:
                raise ValueError(f"{entry.name!r} cannot be read")
            with source, path.open("xb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
        if progress:
            progress(done, len(entries))
