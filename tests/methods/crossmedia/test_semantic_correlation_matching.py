"""SCM is SM on what CCA makes of the features."""

from __future__ import annotations

import numpy as np
import pytest

from evenrank.methods.crossmedia.cca import CCA
from evenrank.methods.crossmedia.semantic_correlation_matching import SemanticCorrelationMatching
from evenrank.methods.crossmedia.semantic_matching import SemanticMatching
from tests.methods.crossmedia.two_modalities import Items, average_precision, encoded, items


@pytest.mark.parametrize("regularisation", [0.0, 0.1, 2.0])
def test_it_is_semantic_matching_on_all_canonical_components(regularisation: float) -> None:
    data = items(120)
    components = encoded(CCA(dimensions=6, regularisation=regularisation).fit(data.x), data)
    by_steps = Items(components["image"], components["text"], data.labels)
    expected = encoded(SemanticMatching(penalty=0.5).fit(by_steps.x, data.labels), by_steps)
    found = encoded(
        SemanticCorrelationMatching(regularisation=regularisation, penalty=0.5).fit(data.x, data.labels), data
    )
    for modality, values in expected.items():
        np.testing.assert_allclose(found[modality], values, atol=1e-6)


@pytest.mark.parametrize("regularisation", [0.0, 0.1])
def test_it_learns_where_features_outnumber_items(regularisation: float) -> None:
    data = items(150, image=200, text=150, noise=2.0)
    train, query = slice(0, 60), slice(60, 150)
    method = SemanticCorrelationMatching(regularisation=regularisation)
    method.fit({modality: x[train] for modality, x in data.x.items()}, data.labels[train])
    for modality, x in data.x.items():
        assert (method.transform(x[query], modality).argmax(axis=1) == data.labels[query]).mean() > 0.7


def test_items_find_those_of_their_class_in_the_other_modality() -> None:
    assert min(average_precision(SemanticCorrelationMatching()).values()) > 0.7
