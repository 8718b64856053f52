"""CIFAR-100, in the binary or the python version: 100 classes within 20 superclasses."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenrank.dataset import Dataset, Loader
from evenrank.formats.cifar import read_names, read_records


@dataclass(frozen=True)
class Cifar100(Loader):
    """60,000 colour images of 32 × 32 pixels in 100 classes of 20 superclasses."""

    title = "CIFAR-100"
    media = "image"
    items = 60_000
    categories = 100
    needs = (
        ("cifar-100-binary/train.bin", "cifar-100-binary/test.bin", "cifar-100-binary/fine_label_names.txt"),
        ("cifar-100-python/train", "cifar-100-python/test", "cifar-100-python/meta"),
    )
    source = "https://www.cs.toronto.edu/~kriz/cifar.html"
    licence = "none stated"
    citation = "Krizhevsky: Learning Multiple Layers of Features from Tiny Images. University of Toronto, 2009"
    downloads = (
        ("https://www.cs.toronto.edu/~kriz/cifar-100-binary.tar.gz", "md5:03b5dce01913d631647c71ecec9e9cb8", ""),
    )

    def read(self, root: Path) -> Dataset:
        """Return 50,000 training images, then 10,000 test images; the fine labels are the labels."""
        train, test, meta = self.files(root)
        classes = read_names(meta, "fine_label_names", 100)
        columns = {"coarse_labels": 20, "fine_labels": 100}
        images, labels = read_records({train: 50_000, test: 10_000}, columns)
        return Dataset(
            "cifar100",
            {"image": images},
            labels["fine_labels"],
            classes,
            superclasses=labels["coarse_labels"],
            train=np.arange(60_000) < 50_000,
        )
