"""Mutual information against its definition, query by query."""

import numpy as np
import pytest
import torch

from evenrank.objectives.mutual_information import MutualInformation
from tests.objectives.examples import class_batch, label_batch, outputs_of

LABELS = [0, 0, 1, 1, 2, 0, 3]  # the last items of their class have no relevant one


def entropy(shares: np.ndarray) -> float:
    return -sum(share * np.log2(share) for share in shares if share > 0)


def by_definition(outputs: np.ndarray, similar: np.ndarray, alpha: float, bins: int) -> float:
    codes = np.tanh(alpha * outputs)
    bits, items, width = codes.shape[1], len(codes), codes.shape[1] / bins
    values = []
    for query in range(items):
        others = [item for item in range(items) if item != query]
        histograms = {True: np.zeros(bins + 1), False: np.zeros(bins + 1)}
        for item in others:
            distance = (bits - codes[query] @ codes[item]) / 2
            histograms[bool(similar[query, item])] += np.maximum(0, 1 - np.abs(distance / width - np.arange(bins + 1)))
        sizes = {kind: sum(bool(similar[query, item]) == kind for item in others) for kind in (True, False)}
        if min(sizes.values()):
            given = sum(sizes[k] / len(others) * entropy(histograms[k] / sizes[k]) for k in (True, False))
            values.append(entropy((histograms[True] + histograms[False]) / len(others)) - given)
    return -float(np.mean(values))


@pytest.mark.parametrize(("alpha", "bins"), [(1.0, None), (0.3, 6), (10.0, 2)])
def test_it_is_entropy_less_conditional_entropy(alpha: float, bins: int | None) -> None:
    outputs = outputs_of(7, 6)
    similar = np.equal.outer(LABELS, LABELS)
    value = MutualInformation(alpha=alpha, bins=bins)(outputs, class_batch(LABELS))
    assert value.item() == pytest.approx(by_definition(outputs.numpy(), similar, alpha, bins or 3), abs=1e-12)


def test_sharing_a_label_is_relevance() -> None:
    labels = [[1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]]
    outputs, known = outputs_of(5, 6), np.array(labels)
    value = MutualInformation()(outputs, label_batch(labels))
    assert value.item() == pytest.approx(by_definition(outputs.numpy(), known @ known.T > 0, 1.0, 3), abs=1e-12)


def test_two_equal_classes_on_two_codes_share_one_bit() -> None:
    outputs = torch.tensor([[1.0], [1.0], [1.0], [-1.0], [-1.0]]).double() * 50
    value = MutualInformation(bins=1)(outputs, class_batch([0, 0, 0, 1, 1]))
    expected = (3 * 1 + 2 * entropy(np.array([1 / 4, 3 / 4]))) / 5
    assert value.item() == pytest.approx(-expected, abs=1e-12)


def test_one_bit_still_has_a_bin() -> None:
    assert torch.isfinite(MutualInformation()(outputs_of(7, 1), class_batch(LABELS)))
