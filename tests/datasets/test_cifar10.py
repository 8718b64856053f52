"""CIFAR-10: the real images where they are, and files of the official size in both versions."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from evenrank.dataset import Dataset
from evenrank.datasets.cifar10 import Cifar10
from tests.python2_pickles import python2_pickle
from tests.real_data import path

BATCHES = [*(f"data_batch_{number}" for number in range(1, 6)), "test_batch"]
NAMES = ["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"]
SIZE = 10_000 * 3073


@pytest.fixture(scope="module")
def real() -> Dataset:
    return Cifar10().load(path("cifar-10-batches-bin").parent)


def test_the_real_images_have_their_published_statistics(real: Dataset) -> None:
    images = real.modalities["image"]
    assert images.shape == (60_000, 32, 32, 3)
    assert images.dtype == np.uint8
    assert real.classes == tuple(NAMES)
    np.testing.assert_array_equal(np.bincount(real.labels[real.train]), [5000] * 10)
    np.testing.assert_array_equal(np.bincount(real.labels[~real.train]), [1000] * 10)
    counts = np.stack([np.bincount(images[:50_000, ..., colour].ravel(), minlength=256) for colour in range(3)])
    values = np.arange(256) / 255
    mean = counts @ values / counts.sum(axis=1)
    deviation = np.sqrt(counts @ values**2 / counts.sum(axis=1) - mean**2)
    np.testing.assert_allclose(mean, [0.4914, 0.4822, 0.4465], atol=5e-5)
    np.testing.assert_allclose(deviation, [0.2470, 0.2435, 0.2616], atol=5e-5)


def test_the_real_images_have_the_stored_checksum(real: Dataset) -> None:
    assert real.checksum == "72c232ebf200eca5ac303d42eb5aeb2502a584e947b3c0a52e95892e5ba64a22"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The same 60,000 made-up records below binary/ and below python/, removed afterwards: they are large."""
    root = tmp_path_factory.mktemp("cifar10")
    binary, pickled = root / "binary" / "cifar-10-batches-bin", root / "python" / "cifar-10-batches-py"
    binary.mkdir(parents=True)
    pickled.mkdir(parents=True)
    first = np.frombuffer(np.random.default_rng(0).bytes(10_000 * 3072), np.uint8).reshape(10_000, 3072)
    for number, name in enumerate(BATCHES):
        pixels, labels = first + np.uint8(number), (np.arange(10_000) // 7 + number) % 10
        np.column_stack([labels.astype(np.uint8), pixels]).tofile(binary / f"{name}.bin")
        batch = {b"batch_label": name, b"labels": labels.tolist(), b"data": pixels, b"filenames": [b"a.png"] * 10_000}
        (pickled / name).write_bytes(python2_pickle(batch))
    (binary / "batches.meta.txt").write_text("\n".join(NAMES) + "\n\n")
    meta = {b"num_cases_per_batch": 10_000, b"label_names": [name.encode() for name in NAMES], b"num_vis": 3072}
    (pickled / "batches.meta").write_bytes(python2_pickle(meta))
    yield root
    shutil.rmtree(root)


def test_both_versions_give_the_same_dataset(made: Path) -> None:
    binary, pickled = Cifar10().load(made / "binary"), Cifar10().load(made / "python")
    assert binary.checksum == pickled.checksum
    assert binary.classes == pickled.classes == tuple(NAMES)
    assert pickled.labels.dtype == np.int64
    assert pickled.labels[[0, 7, 10_000, 59_999]].tolist() == [0, 1, 1, (9_999 // 7 + 5) % 10]
    assert pickled.train.sum() == 50_000
    assert pickled.train[:50_000].all()
    raw = np.fromfile(made / "binary/cifar-10-batches-bin/data_batch_3.bin", np.uint8).reshape(-1, 3073)[1234]
    image = pickled.modalities["image"][21_234]
    assert [raw[0], image[5, 9, 0], image[5, 9, 1]] == [binary.labels[21_234], raw[170], raw[1194]]  # red, then green


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """All files of both versions, empty but for the names: each test fills in the one it is about."""
    for needs in Cifar10.needs:
        for name in needs:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).touch()
    (tmp_path / "cifar-10-batches-bin/batches.meta.txt").write_text("\n".join(NAMES))
    (tmp_path / "cifar-10-batches-py/batches.meta").write_bytes(python2_pickle({b"label_names": NAMES}))
    return tmp_path


def refused(root: Path) -> str:
    with pytest.raises(ValueError, match=r"^[^\n]+$") as found:
        Cifar10().load(root)
    return str(found.value)


def only_python(root: Path) -> Path:
    shutil.rmtree(root / "cifar-10-batches-bin")
    return root / "cifar-10-batches-py"


@pytest.mark.parametrize("size", [0, SIZE - 1, SIZE + 1])
def test_a_batch_of_wrong_size_is_refused(root: Path, size: int) -> None:
    os.truncate(root / "cifar-10-batches-bin/data_batch_1.bin", size)
    assert f"data_batch_1.bin: must have {SIZE} bytes (10000 records of 3073); got {size}" in refused(root)


def test_a_label_out_of_range_is_refused(root: Path) -> None:
    path = root / "cifar-10-batches-bin/data_batch_1.bin"
    with path.open("r+b") as stream:
        stream.truncate(SIZE)
        stream.seek(5 * 3073)
        stream.write(b"\x0a")
    assert "data_batch_1.bin: labels must be from 0 to 9; got 10 in record 5" in refused(root)


@pytest.mark.parametrize("names", ["", "cat\ndog", "\n".join([*NAMES, "boat"])])
def test_wrong_names_are_refused(root: Path, names: str) -> None:
    (root / "cifar-10-batches-bin/batches.meta.txt").write_text(names)
    assert "batches.meta.txt: " in refused(root)


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        ([1], "data must be a ndarray; got NoneType"),
        ({b"data": [1, 2]}, "data must be a ndarray; got list"),
        ({b"data": np.zeros((3, 3072), np.uint8)}, "data must have shape (10000, 3072); got (3, 3072)"),
        ({b"data": np.zeros((10_000, 3072), np.uint8)}, "labels must be a list; got NoneType"),
        ({b"data": np.zeros((10_000, 3072), np.uint8), b"labels": [1]}, "labels must be 10000 whole numbers"),
        ({b"data": np.zeros((10_000, 3072), np.uint8), b"labels": [b"x"] * 10_000}, "labels must be 10000 whole"),
        ({b"data": np.zeros((10_000, 3072), np.uint8), b"labels": [-1] * 10_000}, "labels must be from 0 to 9; got -1"),
    ],
)
def test_a_pickle_that_holds_something_else_is_refused(root: Path, batch: object, message: str) -> None:
    path = only_python(root) / "data_batch_1"
    path.write_bytes(python2_pickle(batch))
    assert f"{path}: {message}" in refused(root)


def test_names_in_a_pickle_that_are_none_are_refused(root: Path) -> None:
    path = only_python(root) / "batches.meta"
    path.write_bytes(python2_pickle({b"label_names": list(range(10))}))
    assert f"{path}: must hold the names of 10 classes" in refused(root)


def test_a_hostile_pickle_is_refused_and_not_run(root: Path) -> None:
    mark, path = root / "mark", only_python(root) / "data_batch_1"
    path.write_bytes(b"\x80\x02cos\nsystem\nU" + bytes([len(f"touch {mark}")]) + f"touch {mark}".encode() + b"\x85R.")
    assert f"{path}: names 'os.system'" in refused(root)
    assert not mark.exists()


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    assert "put cifar-10-batches-bin/data_batch_1.bin" in refused(tmp_path)
