"""Images and texts of the same items, made up, and how well a method finds one by the other."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np

import evenrank as er
from evenrank.cross_media_method import CrossMediaMethod


class Items(NamedTuple):
    image: np.ndarray
    text: np.ndarray
    labels: np.ndarray

    @property
    def x(self) -> dict[str, np.ndarray]:
        return {"image": self.image, "text": self.text}


def items(
    count: int = 200, image: int = 9, text: int = 6, classes: int = 4, seed: int = 0, noise: float = 1.0
) -> Items:
    """Return items of classes around centres that images and texts see mixed, each with noise and a mean of its own."""
    random = np.random.default_rng(seed)
    labels = random.permutation(np.arange(count) % classes)
    hidden = random.normal(size=(classes, 5))[labels] + 0.3 * random.normal(size=(count, 5))
    seen = [hidden @ random.normal(size=(5, width)) for width in (image, text)]
    image_items, text_items = (each + noise * random.normal(size=each.shape) + 3 for each in seen)
    return Items(image_items, text_items, labels)


def scaled(x: np.ndarray, ddof: int = 0) -> np.ndarray:
    """Return features of mean 0 and deviation 1, none of which is constant."""
    scaled: np.ndarray = (x - x.mean(axis=0)) / x.std(axis=0, ddof=ddof)
    return scaled


def average_precision(method: CrossMediaMethod, seed: int = 0) -> dict[str, float]:
    """Return the AP of queries of either modality that search training items of the other; chance is about 0.25."""
    data = items(400, seed=seed)
    train, query = slice(0, 300), slice(300, 400)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"\w+: \d+ \w+ asked for, \d+ possible")
        method.fit({modality: features[train] for modality, features in data.x.items()}, data.labels[train])
    relevance = er.SameLabel(data.labels[query], data.labels[train])
    found = {}
    for asked, searched in (("image", "text"), ("text", "image")):
        queries, database = method.encode(data.x[asked][query], asked), method.encode(data.x[searched][train], searched)
        found[asked] = float(er.evaluate(queries, database, relevance, metrics=["AP"]).mean["AP"])
    return found


def assert_same_up_to_signs(found: dict[str, np.ndarray], expected: dict[str, np.ndarray], **tolerance: float) -> None:
    """Check columns of both modalities; one sign for each pair of columns is free."""
    signs = np.sign((found["image"] * expected["image"]).sum(axis=0))
    for modality, values in expected.items():
        np.testing.assert_allclose(found[modality], values * signs, **{"atol": 1e-7, **tolerance})


def encoded(method: CrossMediaMethod, data: Items) -> dict[str, np.ndarray]:
    """Return the plain outputs of both modalities."""
    return {modality: method.transform(features, modality) for modality, features in data.x.items()}
