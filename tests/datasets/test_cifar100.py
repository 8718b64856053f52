"""CIFAR-100: files of the official size in both versions."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from evenrank.datasets.cifar100 import Cifar100
from tests.python2_pickles import python2_pickle

NAMES = [f"class_{number:02}" for number in range(100)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The same 60,000 made-up records below binary/ and below python/, removed afterwards: they are large."""
    root = tmp_path_factory.mktemp("cifar100")
    binary, pickled = root / "binary" / "cifar-100-binary", root / "python" / "cifar-100-python"
    binary.mkdir(parents=True)
    pickled.mkdir(parents=True)
    for name, count in (("train", 50_000), ("test", 10_000)):
        fine = np.arange(count) * 7 % 100
        pixels = np.resize(np.arange(3071, dtype=np.uint8), (count, 3072))  # shifts by one from record to record
        labels = np.stack([fine // 5, fine], axis=1).astype(np.uint8)  # coarse first
        np.concatenate([labels, pixels], axis=1).tofile(binary / f"{name}.bin")
        batch = {b"fine_labels": fine.tolist(), b"coarse_labels": (fine // 5).tolist(), b"data": pixels}
        (pickled / name).write_bytes(python2_pickle(batch))
    (binary / "fine_label_names.txt").write_text("\n".join(NAMES) + "\n")
    (pickled / "meta").write_bytes(python2_pickle({b"fine_label_names": NAMES, b"coarse_label_names": [b"?"] * 20}))
    yield root
    shutil.rmtree(root)


def test_both_versions_give_the_same_dataset(made: Path) -> None:
    binary = Cifar100().load(made / "binary")
    assert binary.modalities["image"].shape == (60_000, 32, 32, 3)
    assert binary.modalities["image"][1, 0, :3, 0].tolist() == [1, 2, 3]
    assert binary.classes == tuple(NAMES)
    assert binary.labels[:3].tolist() == [0, 7, 14]
    assert binary.superclasses[:3].tolist() == [0, 1, 2]
    assert binary.train.sum() == 50_000
    assert binary.train[:50_000].all()
    pickled = Cifar100().load(made / "python")
    assert pickled.checksum == binary.checksum
    assert pickled.classes == binary.classes


def refused(root: Path) -> str:
    with pytest.raises(ValueError, match=r"^[^\n]+$") as found:
        Cifar100().load(root)
    return str(found.value)


@pytest.fixture
def binary(tmp_path: Path) -> Path:
    """The binary version with a training file of zeros that takes no room, and an empty test file."""
    folder = tmp_path / "cifar-100-binary"
    folder.mkdir()
    (folder / "fine_label_names.txt").write_text("\n".join(NAMES))
    for name, size in (("train.bin", 50_000 * 3074), ("test.bin", 0)):
        (folder / name).touch()
        os.truncate(folder / name, size)
    return folder


def test_a_file_of_wrong_size_is_refused(binary: Path) -> None:
    os.truncate(binary / "train.bin", 50_000 * 3073)
    expected = "must have 153700000 bytes (50000 records of 3074); got 153650000"
    assert f"{binary / 'train.bin'}: {expected}" in refused(binary.parent)


@pytest.mark.parametrize(("place", "value", "name"), [(0, 20, "coarse_labels"), (1, 100, "fine_labels")])
def test_a_label_out_of_range_is_refused(binary: Path, place: int, value: int, name: str) -> None:
    with (binary / "train.bin").open("r+b") as stream:
        stream.seek(2 * 3074 + place)
        stream.write(bytes([value]))
    assert f"{name} must be from 0 to {value - 1}; got {value} in record 2" in refused(binary.parent)
