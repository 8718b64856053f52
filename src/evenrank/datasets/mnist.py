"""MNIST: handwritten digits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evenrank.dataset import Dataset, Loader
from evenrank.formats.idx import read_parts


@dataclass(frozen=True)
class Mnist(Loader):
    """70,000 handwritten digits of 28 × 28 grey pixels."""

    title = "MNIST"
    media = "image"
    items = 70_000
    categories = 10
    needs = (
        (
            "mnist/train-images-idx3-ubyte.gz",
            "mnist/train-labels-idx1-ubyte.gz",
            "mnist/t10k-images-idx3-ubyte.gz",
            "mnist/t10k-labels-idx1-ubyte.gz",
        ),
        (
            "mnist/train-images-idx3-ubyte",
            "mnist/train-labels-idx1-ubyte",
            "mnist/t10k-images-idx3-ubyte",
            "mnist/t10k-labels-idx1-ubyte",
        ),
        (
            "MNIST/raw/train-images-idx3-ubyte.gz",
            "MNIST/raw/train-labels-idx1-ubyte.gz",
            "MNIST/raw/t10k-images-idx3-ubyte.gz",
            "MNIST/raw/t10k-labels-idx1-ubyte.gz",
        ),
        (
            "MNIST/raw/train-images-idx3-ubyte",
            "MNIST/raw/train-labels-idx1-ubyte",
            "MNIST/raw/t10k-images-idx3-ubyte",
            "MNIST/raw/t10k-labels-idx1-ubyte",
        ),
    )
    source = "http://yann.lecun.com/exdb/mnist/"
    licence = "none stated"
    citation = (
        "LeCun, Bottou, Bengio, Haffner: Gradient-Based Learning Applied to Document Recognition. Proc. IEEE, 1998"
    )
    downloads = (
        (
            "https://ossci-datasets.s3.amazonaws.com/mnist/train-images-idx3-ubyte.gz",
            "md5:f68b3c2dcbeaaa9fbdd348bbdeb94873",
            "mnist",
        ),
        (
            "https://ossci-datasets.s3.amazonaws.com/mnist/train-labels-idx1-ubyte.gz",
            "md5:d53e105ee54ea40749a09fcbcd1e9432",
            "mnist",
        ),
        (
            "https://ossci-datasets.s3.amazonaws.com/mnist/t10k-images-idx3-ubyte.gz",
            "md5:9fb629c4189551a2d022fa330f9573f3",
            "mnist",
        ),
        (
            "https://ossci-datasets.s3.amazonaws.com/mnist/t10k-labels-idx1-ubyte.gz",
            "md5:ec29112dd5afa0611ce80d1b7f02629c",
            "mnist",
        ),
    )

    def read(self, root: Path) -> Dataset:
        """Return 60,000 training images, then 10,000 test images, (28, 28) bytes each."""
        images, labels, train = read_parts(self.files(root))
        return Dataset("mnist", {"image": images}, labels, tuple("0123456789"), train=train)
