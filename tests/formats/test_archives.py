"""Archives: what comes out, and what is refused before anything is written."""

import io
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from evenrank.formats.archives import unpack

FILES = {"data/a.txt": b"one", "data/deep/b.bin": bytes(range(256)) * 40, "readme.txt": b"two"}


def tar(path: Path, files: dict[str, bytes], *more: tarfile.TarInfo, mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o4777
            archive.addfile(member, io.BytesIO(content))
        for member in more:
            archive.addfile(member)
    return path


def special(name: str, kind: bytes, target: str = "", size: int = 0) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname, member.size = kind, target, size
    return member


def zipped(path: Path, files: dict[str, bytes], mode: int = 0, method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in files.items():
            member = zipfile.ZipInfo(name)
            member.external_attr, member.compress_type = mode << 16, method
            archive.writestr(member, content)
    return path


def below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("x.tar", lambda path: tar(path, FILES, mode="w")),
        ("x.tar.gz", tar_gz := (lambda path: tar(path, FILES))),
        ("x.tgz", tar_gz),
        ("x.tar.bz2", lambda path: tar(path, FILES, mode="w:bz2")),
        ("x.zip", lambda path: zipped(path, FILES)),
        ("dots.tar", lambda path: tar(path, {f"./{name}": content for name, content in FILES.items()}, mode="w")),
        ("windows.zip", lambda path: zipped(path, {name.replace("/", "\\"): c for name, c in FILES.items()})),
    ],
)
def test_every_kind_of_archive_unpacks(tmp_path: Path, folder: Path, name: str, make: Callable[[Path], Path]) -> None:
    seen: list[tuple[int, int]] = []
    entries = unpack(make(tmp_path / name), folder, lambda done, total: seen.append((done, total)))
    assert entries == [folder / "data", folder / "readme.txt"]
    assert below(folder) == FILES
    assert sorted(path.name for path in folder.iterdir()) == ["data", "readme.txt"]
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_files_get_no_mode_of_the_archive(tmp_path: Path, folder: Path) -> None:
    unpack(tar(tmp_path / "x.tar.gz", FILES), folder)
    (tmp_path / "plain").write_bytes(b"")
    assert (folder / "readme.txt").stat().st_mode == (tmp_path / "plain").stat().st_mode


LINK, HARD, DEVICE, PIPE = tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE


@pytest.mark.parametrize(
    ("name", "make", "said"),
    [
        ("x.zip", lambda p: zipped(p, {**FILES, "../evil.txt": b"x"}), "'../evil.txt' leads out of the folder"),
        ("x.zip", lambda p: zipped(p, {**FILES, "data/../../evil.txt": b"x"}), "leads out of the folder"),
        ("x.zip", lambda p: zipped(p, {**FILES, "..\\evil.txt": b"x"}), "leads out of the folder"),
        ("x.zip", lambda p: zipped(p, {**FILES, "C:evil.txt": b"x"}), "leads out of the folder"),
        ("x.zip", lambda p: zipped(p, {**FILES, "data/c:/evil.txt": b"x"}), "leads out of the folder"),
        ("x.zip", lambda p: zipped(p, {"data/link": b"/etc/passwd"}, stat.S_IFLNK | 0o777), "'data/link' is a link"),
        ("x.zip", lambda p: zipped(p, {"data/pipe": b""}, stat.S_IFIFO | 0o666), "'data/pipe' is a device"),
        ("x.zip", lambda p: zipped(p, {"data/a.txt": b"1", "data/A.TXT": b"2"}), "differs only by case"),
        ("x.zip", lambda p: zipped(p, {"zeros": bytes(40 << 20)}, method=zipfile.ZIP_BZIP2), "more than 1032 times"),
        ("x.zip", lambda p: zipped(p, {}), "holds no files"),
        ("x.tar", lambda p: tar(p, {**FILES, "../evil.txt": b"x"}, mode="w"), "leads out of the folder"),
        ("x.tar.gz", lambda p: tar(p, {**FILES, "/tmp/evil.txt": b"x"}), "'/tmp/evil.txt' leads out of the folder"),
        ("x.tar.gz", lambda p: tar(p, FILES, special("data/link", LINK, "../../evil.txt")), "'data/link' is a link"),
        ("x.tar.gz", lambda p: tar(p, FILES, special("data/hard", HARD, "/etc/passwd")), "'data/hard' is a link"),
        ("x.tar.gz", lambda p: tar(p, FILES, special("data/null", DEVICE)), "'data/null' is a device"),
        ("x.tar.gz", lambda p: tar(p, FILES, special("data/pipe", PIPE)), "'data/pipe' is a device"),
        ("x.tar.gz", lambda p: tar(p, FILES, special("data/a.txt", tarfile.REGTYPE)), "'data/a.txt' is there twice"),
        ("x.tar.gz", lambda p: tar(p, FILES, special("x", tarfile.REGTYPE, size=1 << 50)), "more than 1032 times"),
        ("x.tar.bz2", lambda p: tar(p, {"zeros": bytes(40 << 20)}, mode="w:bz2"), "more than 1032 times"),
        ("x.tar.gz", lambda p: tar(p, {"a": b"file", "a/b": b"below a file"}), "cannot be unpacked"),
        ("x.rar", lambda p: zipped(p, FILES), "the suffix must be one of"),
    ],
)
def test_a_hostile_archive_is_refused_in_one_line(
    tmp_path: Path, folder: Path, name: str, make: Callable[[Path], Path], said: str
) -> None:
    archive = make(tmp_path / name)
    with pytest.raises(ValueError, match=said) as error:
        unpack(archive, folder)
    assert str(error.value).startswith(f"{archive}: ")
    assert "\n" not in str(error.value)
    assert list(folder.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", name]


def test_a_lie_about_the_size_is_found(tmp_path: Path, folder: Path) -> None:
    archive = zipped(tmp_path / "x.zip", {"zeros": bytes(100_000)})
    raw = archive.read_bytes()
    assert raw.count((100_000).to_bytes(4, "little")) == 2
    archive.write_bytes(raw.replace((100_000).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    with pytest.raises(ValueError, match="cannot be unpacked"):
        unpack(archive, folder)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "mode"), [("x.tar", "w"), ("x.tar.gz", "w:gz"), ("x.tar.bz2", "w:bz2"), ("x.zip", "")]
)
@pytest.mark.parametrize("share", [0.0, 0.3, 0.6])
def test_a_truncated_archive_is_refused(tmp_path: Path, folder: Path, name: str, mode: str, share: float) -> None:
    noise = {"data/noise": bytes((i * i >> 3) % 251 for i in range(50_000))}
    archive = tar(tmp_path / name, noise, mode=mode) if mode else zipped(tmp_path / name, noise)
    archive.write_bytes(archive.read_bytes()[: int(share * archive.stat().st_size)])
    with pytest.raises(ValueError, match=r"x\.\S+: cannot be unpacked: "):
        unpack(archive, folder)
    assert list(folder.iterdir()) == []


def test_a_damaged_byte_is_found(tmp_path: Path, folder: Path) -> None:
    archive = zipped(tmp_path / "x.zip", FILES, method=zipfile.ZIP_STORED)
    archive.write_bytes(archive.read_bytes().replace(b"two", b"owt"))
    with pytest.raises(ValueError, match="Bad CRC"):
        unpack(archive, folder)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["x.tar.gz", "x.zip"])
def test_an_interruption_leaves_nothing(tmp_path: Path, folder: Path, name: str) -> None:
    archive = (zipped if name.endswith("zip") else tar)(tmp_path / name, FILES)

    def stop(done: int, total: int) -> None:
        assert [path.name for path in folder.iterdir()] == [f".{name}.partial"]
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        unpack(archive, folder, stop)
    assert list(folder.iterdir()) == []
    (folder / f".{name}.partial" / "data").mkdir(parents=True)  # what a killed process leaves
    unpack(archive, folder)
    assert below(folder) == FILES


def test_what_exists_is_not_overwritten(tmp_path: Path, folder: Path) -> None:
    (folder / "readme.txt").write_bytes(b"mine")
    with pytest.raises(ValueError, match=r"readme\.txt exists already and is not overwritten"):
        unpack(tar(tmp_path / "x.tar.gz", FILES), folder)
    assert below(folder) == {"readme.txt": b"mine"}


def test_a_folder_that_is_new_appears_whole(tmp_path: Path) -> None:
    archive, folder = zipped(tmp_path / "x.zip", FILES), tmp_path / "new" / "folder"

    def stop(done: int, total: int) -> None:
        assert not folder.exists()
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        unpack(archive, folder, stop)
    assert list(folder.parent.iterdir()) == []
    assert unpack(archive, folder) == [folder]
    assert below(folder) == FILES
