"""A dataset's official files, from the server to the loader."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from evenrank.dataset import Dataset, Loader
from evenrank.datasets.digits import Digits
from evenrank.fetching import fetch
from tests.fetching.server import Server, serving


@dataclass(frozen=True)
class Toy(Loader):
    """Features in one archive, labels in a compressed file."""

    title = "Toy"
    media = "image"
    needs = (("toy/features.npy", "toy/labels.gz"),)
    source = "https://toy.example"

    def read(self, root: Path) -> Dataset:
        labels = np.frombuffer(gzip.decompress((root / "toy/labels.gz").read_bytes()), np.uint8)
        return Dataset("toy", {"image": np.load(root / "toy/features.npy")}, labels.astype(np.int64))


def tar_of(files: dict[str, bytes]) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return raw.getvalue()


def npy(array: np.ndarray) -> bytes:
    raw = io.BytesIO()
    np.save(raw, array)
    return raw.getvalue()


FEATURES = np.arange(12, dtype=np.float32).reshape(6, 2)
LABELS = bytes([0, 1, 2, 0, 1, 2])
ARCHIVE, GZIPPED = tar_of({"toy/features.npy": npy(FEATURES)}), gzip.compress(LABELS, mtime=0)
PUBLISHED = f"md5:{hashlib.md5(ARCHIVE).hexdigest()}"
COMPUTED = f"sha256:{hashlib.sha256(GZIPPED).hexdigest()}"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serving(monkeypatch) as server:
        server.files = {"/a/toy.tar.gz": ARCHIVE, "/b/labels.gz": GZIPPED}
        yield server


def toy(server: Server, *downloads: tuple[str, str, str]) -> Loader:
    official = ((f"{server.address}/a/toy.tar.gz", PUBLISHED, ""), (f"{server.address}/b/labels.gz", "", "toy"))

    class Served(Toy):
        downloads: ClassVar = ()

    Served.downloads = downloads or official
    return Served()


def below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_what_is_fetched_can_be_loaded(server: Server, tmp_path: Path) -> None:
    first, second = fetch(toy(server), tmp_path)
    assert (first.checksum, first.published, first.entries) == (PUBLISHED, True, ("toy",))
    assert (second.checksum, second.published, second.entries) == (COMPUTED, False, ("toy/labels.gz",))
    assert below(tmp_path) == [".downloads/checksums.json", "toy/features.npy", "toy/labels.gz"]
    loaded = toy(server).load(tmp_path)
    np.testing.assert_array_equal(loaded.modalities["image"], FEATURES)
    assert loaded.labels.tolist() == list(LABELS)


def test_what_is_there_is_not_fetched_again(server: Server, tmp_path: Path) -> None:
    fetch(toy(server), tmp_path)
    server.asked.clear()
    assert fetch(toy(server), tmp_path) == []
    assert fetch(Digits(), tmp_path) == []
    (tmp_path / "toy/labels.gz").unlink()
    assert [done.entries for done in fetch(toy(server), tmp_path)] == [("toy/labels.gz",)]
    assert server.asked == [("/b/labels.gz", None)]


def test_files_put_there_by_hand_are_left_alone(server: Server, tmp_path: Path) -> None:
    server.files["/a/features.npy"] = npy(FEATURES)
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy/labels.gz").write_bytes(gzip.compress(b"\1" * 6))
    labels, features = f"{server.address}/b/labels.gz", f"{server.address}/a/features.npy"
    fetch(toy(server, (labels, "", "toy"), (features, "", "toy")), tmp_path)
    assert toy(server).load(tmp_path).labels.tolist() == [1] * 6


def test_an_archive_put_among_the_downloads_needs_no_server(server: Server, tmp_path: Path) -> None:
    (tmp_path / ".downloads").mkdir()
    (tmp_path / ".downloads/toy.tar.gz").write_bytes(ARCHIVE)
    fetch(toy(server), tmp_path)
    assert [path for path, _ in server.asked] == ["/b/labels.gz"]


def test_an_alternative_that_comes_first_is_enough(server: Server, tmp_path: Path) -> None:
    server.files["/whole.zip"] = zipped({"toy/features.npy": npy(FEATURES), "toy/labels.gz": GZIPPED})
    whole = (f"{server.address}/whole.zip", "", "")
    assert len(fetch(toy(server, whole, *toy(server).downloads), tmp_path)) == 1


def zipped(files: dict[str, bytes]) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return raw.getvalue()


def test_a_mirror_replaces_all_before_the_name(server: Server, tmp_path: Path) -> None:
    server.files = {"/mirror/of/toys/toy.tar.gz": ARCHIVE, "/mirror/of/toys/labels.gz": GZIPPED}
    fetch(toy(server), tmp_path, mirror=f"{server.address}/mirror/of/toys/")
    assert len(toy(server).load(tmp_path)) == 6


def test_a_mirror_may_not_be_a_local_file(server: Server, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="must be an http or https address"):
        fetch(toy(server), tmp_path, mirror="file:///srv/toys")


def test_archives_are_kept_on_request(server: Server, tmp_path: Path) -> None:
    fetch(toy(server), tmp_path, keep=True)
    assert (tmp_path / ".downloads/toy.tar.gz").read_bytes() == ARCHIVE
    (tmp_path / "toy/features.npy").unlink()
    (tmp_path / "toy/labels.gz").unlink()
    (tmp_path / "toy").rmdir()
    server.asked.clear()
    fetch(toy(server), tmp_path)
    assert [path for path, _ in server.asked] == ["/b/labels.gz"]


def test_a_wrong_published_checksum_removes_the_file_and_says_both(server: Server, tmp_path: Path) -> None:
    server.files["/a/toy.tar.gz"] = other = tar_of({"toy/features.npy": npy(FEATURES + 1)})
    got = f"md5:{hashlib.md5(other).hexdigest()}"
    with pytest.raises(ValueError, match=rf"toy\.tar\.gz: the checksum must be {PUBLISHED}; got {got}"):
        fetch(toy(server), tmp_path)
    assert below(tmp_path) == []


def test_a_computed_checksum_must_be_the_same_the_next_time(server: Server, tmp_path: Path) -> None:
    fetch(toy(server), tmp_path)
    notes = json.loads((tmp_path / ".downloads/checksums.json").read_text())
    assert notes[f"{server.address}/b/labels.gz"] == {"checksum": COMPUTED, "entries": ["toy/labels.gz"]}
    (tmp_path / "toy/labels.gz").unlink()
    server.files["/b/labels.gz"] = gzip.compress(bytes(6))
    with pytest.raises(ValueError, match=f"must be {COMPUTED}; got sha256:"):
        fetch(toy(server), tmp_path)
    assert not (tmp_path / "toy/labels.gz").exists()


def test_damaged_notes_are_one_line(server: Server, tmp_path: Path) -> None:
    (tmp_path / ".downloads").mkdir()
    (tmp_path / ".downloads/checksums.json").write_text('{"http://x": 3}')
    with pytest.raises(ValueError, match=r"checksums\.json: is not a list of checksums"):
        fetch(toy(server), tmp_path)


def test_an_interrupted_fetch_continues_and_leaves_nothing_that_looks_whole(server: Server, tmp_path: Path) -> None:
    calls = []

    def stop(done: int, total: int) -> None:
        calls.append(done)
        if len(calls) == 2:  # the download is whole, its archive half unpacked
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(toy(server), tmp_path, progress=stop)
    assert below(tmp_path) == [".downloads/toy.tar.gz"]
    with pytest.raises(ValueError, match="Toy is not in"):
        toy(server).load(tmp_path)
    fetch(toy(server), tmp_path)
    assert [path for path, _ in server.asked] == ["/a/toy.tar.gz", "/b/labels.gz"]
    assert len(toy(server).load(tmp_path)) == 6


def test_two_datasets_may_have_files_of_one_name(server: Server, tmp_path: Path) -> None:
    server.cuts[:] = [5, 0, 0]
    with pytest.raises(ValueError, match="5 bytes are kept"):
        fetch(toy(server, (f"{server.address}/b/labels.gz", "", "other")), tmp_path)
    fetch(toy(server), tmp_path)
    assert below(tmp_path / ".downloads") == ["checksums.json", "other/labels.gz.part", "other/labels.gz.part.json"]


def test_a_dataset_without_downloads_says_what_to_put_where(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"put toy/features\.npy, toy/labels\.gz there, from https://toy\.example"):
        fetch(Toy(), tmp_path)


def test_downloads_that_are_not_enough_are_said_to_be_so(server: Server, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="but not all that its loader needs"):
        fetch(toy(server, (f"{server.address}/b/labels.gz", "", "toy")), tmp_path)


@pytest.mark.parametrize("folder", ["../outside", "/outside", "link"])
def test_a_folder_outside_of_the_data_root_is_refused(server: Server, tmp_path: Path, folder: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "outside").mkdir()
    (root / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(ValueError, match="names a file outside of itself"):
        fetch(toy(server, (f"{server.address}/b/labels.gz", "", folder)), root)
    assert below(tmp_path) == []


WRITTEN: list[str] = []


def watch(event: str, arguments: tuple) -> None:
    """Note every path that this process opens for writing, makes, renames or removes."""
    if not watch.on:
        return
    if event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC):
        WRITTEN.append(os.fspath(arguments[0]))
    elif event in (
        "os.mkdir",
        "os.rename",
        "os.remove",
        "os.rmdir",
        "os.link",
        "os.symlink",
        "os.chmod",
        "os.truncate",
    ):
        WRITTEN.extend(os.fspath(each) for each in arguments if isinstance(each, (str, os.PathLike)))


watch.on = False


def test_nothing_is_written_outside_of_the_data_root(server: Server, tmp_path: Path) -> None:
    sys.addaudithook(watch)
    server.cuts[:] = [len(ARCHIVE) // 2]
    hostile = f"{server.address}/evil.zip"
    server.files["/evil.zip"] = zipped({"../../evil.txt": b"x"})
    watch.on = True
    try:
        fetch(toy(server), tmp_path / "root", keep=True)
        with pytest.raises(ValueError, match="leads out of the folder"):
            fetch(toy(server, (hostile, "", "")), tmp_path / "evil")
    finally:
        watch.on = False
    roots = tuple(str(tmp_path / name) for name in ("root", "evil"))
    absolute = [path for path in WRITTEN if os.path.isabs(path)]  # rmtree removes by names relative to open folders
    assert len(absolute) > 10
    assert [path for path in absolute if not path.startswith(roots)] == []
    assert all("/" not in path for path in set(WRITTEN) - set(absolute))
