from __future__ import annotations

import numpy as np
import pytest

from evenrank.methods.crossmedia.blm import BLM
from tests.methods.crossmedia.two_modalities import (
    Items,
    assert_same_up_to_signs,
    average_precision,
    encoded,
    items,
    scaled,
)


def literal(data: Items, agreement: float, dimensions: int) -> dict[str, np.ndarray]:
    """Return both projections by the eigenvectors of the whole matrix."""
    x, y = scaled(data.image), scaled(data.text)
    whole = np.block([[x.T @ x, agreement * x.T @ y], [agreement * y.T @ x, y.T @ y]])
    w = np.linalg.eigh(whole)[1][:, ::-1][:, :dimensions]
    return {"image": x @ w[: x.shape[1]], "text": y @ w[x.shape[1] :]}


@pytest.mark.parametrize("agreement", [0.5, 10.0])
@pytest.mark.parametrize("shape", [(200, 9, 6), (20, 50, 30), (20, 50, 6)])
def test_projections_are_those_of_the_whole_matrix(shape: tuple[int, int, int], agreement: float) -> None:
    data = items(*shape)
    method = BLM(dimensions=4, agreement=agreement).fit(data.x)
    assert_same_up_to_signs(encoded(method, data), literal(data, agreement, 4))


def test_without_agreement_each_direction_is_a_principal_axis_of_one_modality() -> None:
    data = items()
    method = BLM(dimensions=15, agreement=0.0).fit(data.x)
    found = {modality: np.square(values).sum(axis=0) for modality, values in encoded(method, data).items()}
    for modality, features in data.x.items():
        expected = np.linalg.svd(scaled(features))[1] ** 2
        np.testing.assert_allclose(np.sort(found[modality])[::-1][: len(expected)], expected)


def test_there_are_no_more_dimensions_than_eigenvalues_above_0() -> None:
    with pytest.warns(UserWarning, match=r"^BLM: 40 dimensions asked for, \d+ possible$"):
        method = BLM(dimensions=40).fit(items().x)
    data = items()
    whole = literal(data, 10.0, 15)
    gains = [(whole["image"][:, k] ** 2).sum() + (whole["text"][:, k] ** 2).sum() for k in range(15)]
    crossed = [20 * whole["image"][:, k] @ whole["text"][:, k] for k in range(15)]
    assert method.weights_["image"].shape[1] == sum(a + b > 1e-6 for a, b in zip(gains, crossed, strict=True))


def test_it_finds_items_of_the_same_class() -> None:
    assert min(average_precision(BLM(dimensions=4)).values()) > 0.6
