"""The contrastive loss against its definition."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch

from evenrank.objectives.metric_learning.contrastive import Contrastive
from tests.objectives.examples import class_batch, outputs_of
from tests.objectives.metric_learning.agreement import agree, averaged, distance, negatives, positives, stay_finite


def plain(x: np.ndarray, labels: Sequence[int], positive_margin: float, negative_margin: float) -> float:
    near, far = [], []
    for a in range(len(labels)):
        near += [distance(x[a], x[p]) - positive_margin for p in positives(labels, a)]
        far += [negative_margin - distance(x[a], x[n]) for n in negatives(labels, a)]
    return averaged(near) + averaged(far)


@pytest.mark.parametrize("margins", [(0.3, 0.5), (0.9, 1.4), (0.0, 2.0)])
def test_it_averages_positive_and_negative_terms_apart(margins: tuple[float, float]) -> None:
    objective = Contrastive(positive_margin=margins[0], negative_margin=margins[1])
    agree(objective, lambda x, labels: plain(x, labels, *margins))


def test_a_negative_positive_margin_is_none() -> None:
    outputs, batch = outputs_of(6, 4), class_batch([0, 0, 1, 1, 2, 2])
    assert Contrastive(positive_margin=-0.2)(outputs, batch) == Contrastive(positive_margin=0)(outputs, batch)


def test_equal_rows_are_no_terms_even_in_a_large_batch() -> None:
    # A pair apart, and thirty pairs of equal rows; a matrix product would give some of these a distance of about 1e-8.
    outputs = torch.cat([outputs_of(2, 16), outputs_of(30, 16, seed=1).repeat_interleave(2, dim=0)])
    labels = [item // 2 for item in range(62)]
    value = Contrastive(positive_margin=0, negative_margin=-0.2)(outputs, class_batch(labels))
    assert value.item() == pytest.approx(Contrastive(positive_margin=0)(outputs[:2], class_batch([0, 0])).item())


def test_what_a_batch_cannot_say_costs_nothing() -> None:
    stay_finite(Contrastive(), silent=("one item",))
    stay_finite(Contrastive(negative_margin=-0.2), silent=("one item", "no positives", "duplicates", "constant rows"))
