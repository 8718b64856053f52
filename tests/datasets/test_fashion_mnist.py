"""Fashion-MNIST: the files of MNIST below another name."""

import struct
from pathlib import Path

import numpy as np
import pytest

from evenrank.datasets.fashion_mnist import FashionMnist


@pytest.mark.parametrize("folder", ["fashion-mnist", "FashionMNIST/raw"])
def test_clothing_is_read_with_the_names_of_its_classes(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir(parents=True)
    for part, count in (("train", 60_000), ("t10k", 10_000)):
        images = b"\0\0\x08\x03" + struct.pack(">3I", count, 28, 28) + bytes(count * 784)
        labels = b"\0\0\x08\x01" + struct.pack(">I", count) + bytes(range(10)) * (count // 10)
        (tmp_path / folder / f"{part}-images-idx3-ubyte").write_bytes(images)
        (tmp_path / folder / f"{part}-labels-idx1-ubyte").write_bytes(labels)
    found = FashionMnist().load(tmp_path)
    assert found.name == "fashion_mnist"
    assert found.modalities["image"].shape == (70_000, 28, 28)
    assert np.bincount(found.labels).tolist() == [7000] * 10
    assert np.bincount(found.labels[found.train]).tolist() == [6000] * 10
    assert [found.classes[label] for label in found.labels[:3]] == ["T-shirt/top", "Trouser", "Pullover"]


def test_the_digits_of_mnist_are_not_taken_for_clothing(tmp_path: Path) -> None:
    (tmp_path / "mnist").mkdir()
    with pytest.raises(ValueError, match="put fashion-mnist/train-images-idx3-ubyte"):
        FashionMnist().load(tmp_path)
