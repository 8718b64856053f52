"""Stanford Online Products: photographs of products on sale, a class a product."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenrank.dataset import Dataset, Loader
from evenrank.formats.images import ImageFiles
from evenrank.formats.lists import read_columns

_HEADING = ("image_id", "class_id", "super_class_id", "path")


@dataclass(frozen=True)
class StanfordProducts(Loader):
    """120,053 photographs of 22,634 products in 12 kinds; the products for training and for testing differ."""

    title = "Stanford Online Products"
    media = "image"
    items = 120_053
    categories = 22_634
    needs = (("Stanford_Online_Products/Ebay_train.txt", "Stanford_Online_Products/Ebay_test.txt"),)
    source = "https://cvgl.stanford.edu/projects/lifted_struct/"
    licence = "none stated"
    citation = "Song, Xiang, Jegelka, Savarese: Deep Metric Learning via Lifted Structured Feature Embedding. CVPR 2016"
    downloads = (
        (
            "http://ftp.cs.stanford.edu/cs/cvgl/Stanford_Online_Products.zip",
            "md5:7f73d41a2f44250d4779881525aea32e",
            "",
        ),
    )

    def read(self, root: Path) -> Dataset:
        """Return the training images, then the test images; classes have the publisher's numbers as names."""
        folder = root / "Stanford_Online_Products"
        trained, tested = _read_list(folder / "Ebay_train.txt"), _read_list(folder / "Ebay_test.txt")
        rows = trained + tested
        products, labels = np.unique([product for product, _, _ in rows], return_inverse=True)
        _, superclasses = np.unique([kind for _, kind, _ in rows], return_inverse=True)
        return Dataset(
            "stanford_products",
            {"image": ImageFiles(folder, [name for _, _, name in rows])},
            labels,
            tuple(map(str, products)),
            superclasses,
            train=np.arange(len(rows)) < len(trained),
        )


def _read_list(path: Path) -> list[tuple[int, int, str]]:
    """Return product number, number of its kind and path of each image in a list."""
    heading, *lines = read_columns(path, len(_HEADING))
    if heading != _HEADING:
        raise ValueError(f"{path}: line 1 must be {' '.join(_HEADING)!r}; got {' '.join(heading)!r}")
    for number, (_, product, kind, _) in enumerate(lines, 2):
        if not (product + kind).isdecimal():
            raise ValueError(f"{path}: line {number} must have numbers as class ids; got {product!r}, {kind!r}")
    return [(int(product), int(kind), name) for _, product, kind, name in lines]
