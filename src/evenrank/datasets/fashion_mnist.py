"""Fashion-MNIST: articles of clothing in the format of MNIST."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evenrank.dataset import Dataset, Loader
from evenrank.formats.idx import read_parts

CLASSES = ("T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot")


@dataclass(frozen=True)
class FashionMnist(Loader):
    """70,000 articles of clothing of 28 × 28 grey pixels in 10 classes."""

    title = "Fashion-MNIST"
    media = "image"
    items = 70_000
    categories = 10
    needs = (
        (
            "fashion-mnist/train-images-idx3-ubyte.gz",
            "fashion-mnist/train-labels-idx1-ubyte.gz",
            "fashion-mnist/t10k-images-idx3-ubyte.gz",
            "fashion-mnist/t10k-labels-idx1-ubyte.gz",
        ),
        (
            "fashion-mnist/train-images-idx3-ubyte",
            "fashion-mnist/train-labels-idx1-ubyte",
            "fashion-mnist/t10k-images-idx3-ubyte",
            "fashion-mnist/t10k-labels-idx1-ubyte",
        ),
        (
            "FashionMNIST/raw/train-images-idx3-ubyte.gz",
            "FashionMNIST/raw/train-labels-idx1-ubyte.gz",
            "FashionMNIST/raw/t10k-images-idx3-ubyte.gz",
            "FashionMNIST/raw/t10k-labels-idx1-ubyte.gz",
        ),
        (
            "FashionMNIST/raw/train-images-idx3-ubyte",
            "FashionMNIST/raw/train-labels-idx1-ubyte",
            "FashionMNIST/raw/t10k-images-idx3-ubyte",
            "FashionMNIST/raw/t10k-labels-idx1-ubyte",
        ),
    )
    source = "https://github.com/zalandoresearch/fashion-mnist"
    licence = "MIT"
    citation = "Xiao, Rasul, Vollgraf: Fashion-MNIST, a Novel Image Dataset for Benchmarking. arXiv 1708.07747, 2017"
    downloads = (
        (
            "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/train-images-idx3-ubyte.gz",
            "md5:8d4fb7e6c68d591d4c3dfef9ec88bf0d",
            "fashion-mnist",
        ),
        (
            "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/train-labels-idx1-ubyte.gz",
            "md5:25c81989df183df01b3e8a0aad5dffbe",
            "fashion-mnist",
        ),
        (
            "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/t10k-images-idx3-ubyte.gz",
            "md5:bef4ecab320f06d8554ea6380940ec79",
            "fashion-mnist",
        ),
        (
            "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/t10k-labels-idx1-ubyte.gz",
            "md5:bb300cfdad3c16e7a12a480ee83cd310",
            "fashion-mnist",
        ),
    )

    def read(self, root: Path) -> Dataset:
        """Return 60,000 training images, then 10,000 test images, (28, 28) bytes each."""
        images, labels, train = read_parts(self.files(root))
        return Dataset("fashion_mnist", {"image": images}, labels, CLASSES, train=train)
