from __future__ import annotations

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from evenrank.methods.crossmedia.gmlda import GMLDA
from tests.methods.crossmedia.hard_items import assert_same_directions
from tests.methods.crossmedia.two_modalities import items


def unit(columns: np.ndarray) -> np.ndarray:
    return columns / np.linalg.norm(columns, axis=0)


def test_gain_and_cost_are_quadratic_forms_of_the_matrix_of_class_means() -> None:
    data = items(30)
    x, y = data.x, data.labels
    image = x["image"] - x["image"].mean(axis=0)
    averages = np.array([[(a == b) / (y == a).sum() for b in y] for a in y])  # W
    gain, cost = GMLDA().gain_and_cost(image, y[:, None] == np.arange(4))
    np.testing.assert_allclose(gain, image.T @ averages @ image, atol=1e-9)
    np.testing.assert_allclose(cost, image.T @ (np.eye(30) - averages) @ image, atol=1e-9)


def test_without_agreement_it_is_the_discriminant_analysis_of_a_library_in_each_modality() -> None:
    data = items(120)
    x, y = data.x, data.labels
    weights = GMLDA(agreement=1e-6, dimensions=6).fit(x, y).weights_  # three directions each, for four classes
    sizes = {
        modality: np.linalg.norm(each * x[modality].std(axis=0)[:, None], axis=0) for modality, each in weights.items()
    }
    for modality, other in (("image", "text"), ("text", "image")):
        own = sizes[modality] > sizes[other]
        assert own.sum() == 3
        library = LinearDiscriminantAnalysis(solver="eigen").fit(x[modality], y).scalings_[:, :3]
        cosines = (unit(weights[modality][:, own]) * unit(library)).sum(axis=0)
        np.testing.assert_allclose(np.abs(cosines), 1, atol=1e-6)


def test_an_item_of_two_classes_counts_once_for_each() -> None:
    data = items(60)
    x, y = data.x, data.labels
    both = (y[:, None] == np.arange(4)) | ((y[:, None] + np.arange(60)[:, None] // 4 % 3 + 1) % 4 == np.arange(4))
    assert (both.sum(axis=1) == 2).all()
    rows, labels = np.nonzero(both)
    once = GMLDA(dimensions=3).fit(x, both).weights_
    apart = GMLDA(dimensions=3).fit({key: each[rows] for key, each in x.items()}, labels).weights_
    assert_same_directions(once, apart)


def test_agreement_brings_images_and_texts_of_an_item_together() -> None:
    data = items(120)
    x, y = data.x, data.labels

    def cosine(agreement: float) -> float:
        method = GMLDA(dimensions=3, agreement=agreement).fit(x, y)
        image, text = (method.transform(x[modality], modality) for modality in x)
        return float(np.mean((unit(image.T) * unit(text.T)).sum(axis=0)))

    assert cosine(10) > cosine(1e-6) + 0.2
