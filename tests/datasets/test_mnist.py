"""MNIST: files of the official shape, plain and compressed, in both folders that people have them in."""

import gzip
import struct
from pathlib import Path

import numpy as np
import pytest

from evenrank.datasets.mnist import Mnist

SHAPES = {
    "train-images-idx3-ubyte": (60_000, 28, 28),
    "train-labels-idx1-ubyte": (60_000,),
    "t10k-images-idx3-ubyte": (10_000, 28, 28),
    "t10k-labels-idx1-ubyte": (10_000,),
}


def values(name: str) -> np.ndarray:
    """Return what the made-up file holds: labels that count to nine, images filled with their row's number."""
    rows = np.arange(SHAPES[name][0])
    if "labels" in name:
        return (rows % 10).astype(np.uint8)
    return np.broadcast_to((rows % 251).astype(np.uint8)[:, None, None], SHAPES[name])


def write(path: Path, array: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    header = bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape)
    raw = header + array.tobytes()
    path.write_bytes(gzip.compress(raw, 1) if path.suffix == ".gz" else raw)


def refused(root: Path) -> str:
    with pytest.raises(ValueError, match=r"^[^\n]+$") as found:
        Mnist().load(root)
    return str(found.value)


@pytest.mark.parametrize(("folder", "suffix"), [("mnist", ".gz"), ("MNIST/raw", "")])
def test_training_digits_come_first(tmp_path: Path, folder: str, suffix: str) -> None:
    for name in SHAPES:
        write(tmp_path / folder / f"{name}{suffix}", values(name))
    found = Mnist().load(tmp_path)
    images = found.modalities["image"]
    assert images.shape == (70_000, 28, 28)
    assert images.dtype == np.uint8
    assert found.labels.dtype == np.int64
    assert images[[250, 251, 60_003], 27, 27].tolist() == [250, 0, 3]
    assert found.labels[[9, 10, 60_003]].tolist() == [9, 0, 3]
    assert found.train.sum() == 60_000
    assert found.train[:60_000].all()
    assert found.classes == tuple("0123456789")


def test_a_label_out_of_range_is_refused(tmp_path: Path) -> None:
    for name in SHAPES:
        labels = values(name).copy()
        labels[-1] = 10 if name == "t10k-labels-idx1-ubyte" else 0
        write(tmp_path / "mnist" / f"{name}.gz", labels)
    assert "t10k-labels-idx1-ubyte.gz: labels must be from 0 to 9; got 10 in row 9999" in refused(tmp_path)


def test_files_that_are_exchanged_are_refused(tmp_path: Path) -> None:
    for name in SHAPES:
        write(tmp_path / "mnist" / name, values(name.replace("train", "t10k")))
    assert "train-images-idx3-ubyte: must have shape (60000, 28, 28); got (10000, 28, 28)" in refused(tmp_path)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    for name in SHAPES:
        (tmp_path / "mnist").mkdir(exist_ok=True)
        (tmp_path / "mnist" / name).write_bytes(b"\0\0\x08\x03\0\0\xea\x60\0\0\0\x1c\0\0\0\x1c1234")
    assert "train-images-idx3-ubyte: is truncated: shape (60000, 28, 28) needs 47040000 bytes" in refused(tmp_path)


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    assert "put mnist/train-images-idx3-ubyte.gz, mnist/train-labels-idx1-ubyte.gz" in refused(tmp_path)
