"""TALR-AP across modalities trains the average precision of images that search texts and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import evenrank as er
from evenrank.methods.crossmedia.talr_ap import TALRAP
from tests.methods.crossmedia.two_modalities import Items, average_precision, items

STILL = {"learning_rate": 0.0, "epochs": 1, "relaxation": "exact"}  # training that leaves the maps where they start


def measured(method: TALRAP, data: Items) -> float:
    """Return the mean AP of both directions, the partner of a query left out."""
    image, text = (method.encode(x, modality) for modality, x in data.x.items())
    relevance = er.SameLabel(data.labels, data.labels)
    found = [er.evaluate(*pair, relevance, ["AP"], exclude_self=True) for pair in ((image, text), (text, image))]
    return float(np.mean([result.mean["AP"] for result in found]))


def losses(data: Items, **keywords: Any) -> np.ndarray:
    return TALRAP(bits=8, batch=len(data.labels), **keywords).fit(data.x, data.labels).losses_


def test_the_objective_at_sharp_codes_is_the_tie_aware_ap_of_both_directions() -> None:
    data = items(90)
    method = TALRAP(bits=8, batch=90, alpha=1e6, **STILL).fit(data.x, data.labels)
    assert method.losses_ == pytest.approx([1 - measured(method, data)], abs=1e-5)


def test_codes_sharpen_up_to_the_final_alpha() -> None:
    data = items(90)
    steps = losses(data, alpha=0.1, final_alpha=0.4, **STILL | {"epochs": 2})
    assert steps == pytest.approx([losses(data, alpha=alpha, **STILL)[0] for alpha in (0.1, 0.2)], abs=1e-6)


def test_the_objective_falls_and_retrieval_by_codes_gets_better() -> None:
    data = items(200)
    start, end = (TALRAP(batch=100, epochs=20, learning_rate=rate).fit(data.x, data.labels) for rate in (0.0, 0.5))
    assert end.losses_[-5:].mean() < start.losses_[-5:].mean() - 0.2
    assert measured(end, data) > measured(start, data) + 0.2


def test_levels_and_relevance_other_than_by_class_are_learned_from() -> None:
    data = items(60)
    several = data.labels[:, None] == np.arange(4)
    several[:20, 0] = True
    by_labels = TALRAP(epochs=2, batch=30).fit(data.x, several)
    by_relevance = TALRAP(epochs=2, batch=30).fit(data.x, er.SharedLabels(several, several))
    np.testing.assert_array_equal(by_labels.losses_, by_relevance.losses_)


def test_items_find_those_of_their_class_in_the_other_modality() -> None:
    assert min(average_precision(TALRAP(batch=100, epochs=20)).values()) > 0.7
