"""The handwritten digits that scikit-learn ships: real data without a download."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenrank.dataset import Dataset, Loader


@dataclass(frozen=True)
class Digits(Loader):
    """1,797 handwritten digits of 8 × 8 pixels, built in."""

    title = "Digits"
    media = "image"
    items = 1797
    categories = 10
    source = "scikit-learn (test part of the UCI set Optical Recognition of Handwritten Digits)"
    licence = "CC BY 4.0"
    citation = "Alpaydin, Kaynak: Optical Recognition of Handwritten Digits. UCI Machine Learning Repository, 1998"

    def read(self, root: Path) -> Dataset:
        """Return the digits as features of 64 grey values, 0 … 16; as pictures they are extras."""
        from sklearn.datasets import load_digits

        values, labels = load_digits(return_X_y=True)
        pictures = (values * (255 / 16)).astype(np.uint8).reshape(-1, 8, 8)
        features = {"image": values.astype(np.float32)}
        return Dataset("digits", features, labels, tuple("0123456789"), extras={"shown_image": pictures})
