"""Bundles are written whole or not at all, and read as data only."""

import zipfile
from pathlib import Path

import numpy as np
import pytest

from evenrank.formats.bundles import load_bundle, save_bundle

ARRAYS = {"text": np.eye(3, dtype=np.float32), "image": np.ones((3, 2)), "label": np.array([0, 1, 1])}


def test_what_is_written_is_read(tmp_path: Path) -> None:
    save_bundle(tmp_path / "bundle.npz", ARRAYS)
    found = load_bundle(tmp_path / "bundle.npz")
    assert list(found) == ["image", "label", "text"]
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_numpy_reads_it_too(tmp_path: Path) -> None:
    save_bundle(tmp_path / "bundle.npz", ARRAYS)
    with np.load(tmp_path / "bundle.npz", allow_pickle=False) as found:
        np.testing.assert_array_equal(found["text"], ARRAYS["text"])


def test_an_array_may_be_called_file(tmp_path: Path) -> None:
    save_bundle(tmp_path / "bundle.npz", {"file": np.arange(3)})
    assert load_bundle(tmp_path / "bundle.npz")["file"].tolist() == [0, 1, 2]


def test_equal_arrays_give_equal_bytes(tmp_path: Path) -> None:
    save_bundle(tmp_path / "a.npz", ARRAYS)
    save_bundle(tmp_path / "b.npz", dict(reversed(ARRAYS.items())))
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_a_bundle_that_is_there_stays_unless_told(tmp_path: Path) -> None:
    path = tmp_path / "bundle.npz"
    save_bundle(path, ARRAYS)
    with pytest.raises(ValueError, match="already there"):
        save_bundle(path, {"image": np.zeros(1)})
    assert list(load_bundle(path)) == ["image", "label", "text"]
    save_bundle(path, {"image": np.zeros(1)}, overwrite=True)
    assert list(load_bundle(path)) == ["image"]


def test_a_write_that_fails_leaves_what_was_there_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bundle.npz"
    save_bundle(path, ARRAYS)
    before = path.read_bytes()
    seen = []

    def fail(stream: object, array: np.ndarray, allow_pickle: bool) -> None:
        seen.extend(each.name for each in tmp_path.iterdir())
        raise OSError("the disk is full")

    monkeypatch.setattr(np.lib.format, "write_array", fail)
    with pytest.raises(OSError, match="the disk is full"):
        save_bundle(path, ARRAYS, overwrite=True)
    assert len(seen) == 2
    assert all(name == "bundle.npz" or name.endswith(".partial") for name in seen)
    assert [each.name for each in tmp_path.iterdir()] == ["bundle.npz"]
    assert path.read_bytes() == before


def test_objects_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"array 'image' must hold numbers or words .*; got object"):
        save_bundle(tmp_path / "bundle.npz", {"image": np.array([{}, []], dtype=object)})
    assert not list(tmp_path.iterdir())


def test_another_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"must end in \.npz; got '\.zip'"):
        save_bundle(tmp_path / "bundle.zip", ARRAYS)


def test_pickled_objects_are_refused_by_name(tmp_path: Path) -> None:
    np.savez(tmp_path / "bundle.npz", image=np.zeros(2), secret=np.array([{}], dtype=object))
    with pytest.raises(ValueError, match=r"bundle\.npz: holds pickled Python objects.*\(array 'secret'\)$"):
        load_bundle(tmp_path / "bundle.npz")


@pytest.mark.parametrize("keep", [0, 10, 300, -30])
def test_a_truncated_bundle_is_refused(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "bundle.npz"
    save_bundle(path, ARRAYS)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ValueError, match=r"^[^\n]*bundle\.npz: is not a bundle[^\n]*$"):
        load_bundle(path)


def test_a_huge_declared_shape_is_refused(tmp_path: Path) -> None:
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 100), }".ljust(117) + b"\n"
    with zipfile.ZipFile(tmp_path / "bundle.npz", "w") as archive:
        archive.writestr("image.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
    with pytest.raises(ValueError, match=r"is truncated: .*\(array 'image'\)"):
        load_bundle(tmp_path / "bundle.npz")


def test_entries_that_together_declare_more_than_the_file_can_hold_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bundle.npz"
    save_bundle(path, {name: np.zeros(4) for name in "abcd"})
    content = bytearray(path.read_bytes())
    start, huge = 0, (400 * len(content)).to_bytes(4, "little")  # each below the limit of 1032 × the file
    while (start := content.find(b"PK\x01\x02", start)) >= 0:
        content[start + 24 : start + 28] = huge
        start += 4
    path.write_bytes(bytes(content))
    with pytest.raises(ValueError, match="more than a file of"):
        load_bundle(path)


def test_an_absent_bundle_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"bundle\.npz: no such file$"):
        load_bundle(tmp_path / "bundle.npz")
