"""CIFAR-10, in the binary or the python version."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenrank.dataset import Dataset, Loader
from evenrank.formats.cifar import read_names, read_records


@dataclass(frozen=True)
class Cifar10(Loader):
    """60,000 colour images of 32 × 32 pixels in 10 classes."""

    title = "CIFAR-10"
    media = "image"
    items = 60_000
    categories = 10
    needs = (
        (
            "cifar-10-batches-bin/data_batch_1.bin",
            "cifar-10-batches-bin/data_batch_2.bin",
            "cifar-10-batches-bin/data_batch_3.bin",
            "cifar-10-batches-bin/data_batch_4.bin",
            "cifar-10-batches-bin/data_batch_5.bin",
            "cifar-10-batches-bin/test_batch.bin",
            "cifar-10-batches-bin/batches.meta.txt",
        ),
        (
            "cifar-10-batches-py/data_batch_1",
            "cifar-10-batches-py/data_batch_2",
            "cifar-10-batches-py/data_batch_3",
            "cifar-10-batches-py/data_batch_4",
            "cifar-10-batches-py/data_batch_5",
            "cifar-10-batches-py/test_batch",
            "cifar-10-batches-py/batches.meta",
        ),
    )
    source = "https://www.cs.toronto.edu/~kriz/cifar.html"
    licence = "none stated"
    citation = "Krizhevsky: Learning Multiple Layers of Features from Tiny Images. University of Toronto, 2009"
    downloads = (
        ("https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz", "md5:c32a1d4ab5d03f1284b67883e8d87530", ""),
    )

    def read(self, root: Path) -> Dataset:
        """Return 50,000 training images, then 10,000 test images, in the order of the files."""
        *batches, meta = self.files(root)
        classes = read_names(meta, "label_names", 10)
        images, labels = read_records(dict.fromkeys(batches, 10_000), {"labels": 10})
        return Dataset("cifar10", {"image": images}, labels["labels"], classes, train=np.arange(60_000) < 50_000)
