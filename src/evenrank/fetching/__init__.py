"""Fetch a dataset's official files: download, check, and put them where its loader looks, all below the data root."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from evenrank.dataset import Loader
from evenrank.fetching.transfer import Progress, download
from evenrank.formats.archives import SUFFIXES, unpack
from evenrank.formats.images import inside
from evenrank.formats.whole import whole


@dataclass(frozen=True)
class Fetched:
    """One download in place: its checksum, whether the publisher states that, and what it put below the data root."""

    address: str
    checksum: str
    published: bool
    entries: tuple[str, ...]


def fetch(
    loader: Loader, root: Path, *, mirror: str | None = None, keep: bool = False, progress: Progress | None = None
) -> list[Fetched]:
    """Put the files of a dataset below `root`; return what was fetched, which is nothing if they are there already.

    Downloads are taken in order until the loader has what it needs. `mirror` is the address of a folder with files of
    the same names; `keep` leaves archives in `.downloads`. A checksum that the publisher does not state is noted in
    `.downloads/checksums.json`, as SHA-256, and must be the same the next time.
    """
    if not (loader.downloads or loader.present(root)):
        raise ValueError(loader.absent(root))
    fetched = []
    for address, published, folder in loader.downloads:
        if loader.present(root):
            break
        noted, entries = _notes(root).get(address, ("", []))
        target, store = inside(root, folder) if folder else root, _store(root, address, folder)
        if _placed(store, target, [root / name for name in entries]):
            continue
        download(f"{mirror.rstrip('/')}/{store.name}" if mirror else address, store, progress)
        checksum = _check(store, published or noted)
        entries = [path.relative_to(root).as_posix() for path in _place(store, target, keep, progress)]
        fetched.append(Fetched(address, checksum, bool(published), tuple(entries)))
        _note(root, fetched[-1])
    if not loader.present(root):
        raise ValueError(f"{root}: all downloads of {loader.title} are there, but not all that its loader needs")
    return fetched


def _store(root: Path, address: str, folder: str) -> Path:
    """Return where a download is kept; its folder tells it from another dataset's file of the same name."""
    name = PurePosixPath(unquote(urlsplit(address).path)).name
    return inside(root, f".downloads/{folder}/{name}")


def _placed(store: Path, folder: Path, entries: list[Path]) -> bool:
    """Return whether a download was put into place before: what its archive was noted to hold, or the file itself."""
    wanted = entries if store.name.endswith(SUFFIXES) else [folder / store.name]
    return bool(wanted) and all(path.exists() for path in wanted)


def _check(store: Path, wanted: str) -> str:
    """Return the checksum of a whole file, of the kind wanted; a wrong file is removed."""
    kind = wanted.partition(":")[0] or "sha256"
    with store.open("rb") as file:
        got = f"{kind}:{hashlib.file_digest(file, kind).hexdigest()}"
    if wanted and got != wanted:
        store.unlink()
        raise ValueError(f"{store}: the checksum must be {wanted}; got {got}: the file is removed")
    return got


def _place(store: Path, folder: Path, keep: bool, progress: Progress | None) -> list[Path]:
    """Return what a download put into `folder`: what its archive holds, or the file itself."""
    if not store.name.endswith(SUFFIXES):
        folder.mkdir(parents=True, exist_ok=True)
        return [store.rename(folder / store.name)]
    entries = unpack(store, folder, progress)
    if not keep:
        store.unlink()
    return entries


def _notes(root: Path) -> dict[str, tuple[str, list[str]]]:
    """Return the checksum and the entries of every download so far, by address."""
    path = root / ".downloads" / "checksums.json"
    try:
        notes = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        return {address: (str(note["checksum"]), list(map(str, note["entries"]))) for address, note in notes.items()}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: is not a list of checksums, remove it: {error!r}") from None


def _note(root: Path, done: Fetched) -> None:
    notes = {address: {"checksum": of, "entries": entries} for address, (of, entries) in _notes(root).items()}
    notes[done.address] = {"checksum": done.checksum, "entries": list(done.entries)}
    with whole(root / ".downloads" / "checksums.json") as beside:
        beside.write_text(json.dumps(notes, indent=1) + "\n", encoding="utf-8")
