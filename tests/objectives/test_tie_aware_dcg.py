"""TALR-NDCG: equal to the metric on hard codes, gradients, and the lower bound of appendix F."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import evenrank as er
from evenrank.objective import batch_of
from evenrank.objectives.tie_aware_dcg import TieAwareDCG, dcg, ideal, logarithmic_integral

RELAXATIONS = ("exact", "log", "midpoint", "simplified")
GAINS = torch.tensor([0.0, 1.0, 3.0]).double()


def graded(items: int, seed: int) -> er.SharedLabels:
    labels = np.random.default_rng(seed).random((items, 5)) < 0.35
    labels[:, 0] |= ~labels.any(axis=1)
    return er.SharedLabels(labels, labels, graded=True)


@pytest.mark.parametrize("gain", ["exponential", "linear"])
@pytest.mark.parametrize(("items", "bits"), [(30, 4), (120, 16), (200, 48)])
def test_the_exact_form_is_the_metric_on_hard_codes(items: int, bits: int, gain: str) -> None:
    relevance, signs = graded(items, bits), np.random.default_rng(bits).choice([-1.0, 1.0], (items, bits))
    codes, name = er.Codes.from_signs(signs), f"nDCG(gain={gain})"
    metric = er.evaluate(codes, codes, relevance, [name], exclude_self=True).mean[name]
    value = TieAwareDCG(relaxation="exact", gain=gain)(torch.tensor(50 * signs), batch_of(relevance, np.arange(items)))
    assert 1 - value.item() == pytest.approx(metric, abs=1e-10)


def test_without_the_ideal_it_is_minus_the_dcg() -> None:
    relevance, signs = graded(50, 1), np.random.default_rng(1).choice([-1.0, 1.0], (50, 8))
    codes = er.Codes.from_signs(signs)
    metric = er.evaluate(codes, codes, relevance, ["DCG"], exclude_self=True).mean["DCG"]
    objective = TieAwareDCG(relaxation="exact", normalised=False)
    assert -objective(torch.tensor(50 * signs), batch_of(relevance, np.arange(50))).item() == pytest.approx(metric)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 30)] * 3), min_size=1, max_size=8))
def test_the_simplified_form_is_a_lower_bound_on_whole_counts(groups: list[tuple[int, int, int]]) -> None:
    counts = torch.tensor([groups]).double()
    exact, simplified = (dcg(counts, GAINS, relaxation).item() for relaxation in ("exact", "simplified"))
    assert simplified <= exact + 1e-9


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 30)] * 3), min_size=1, max_size=8))
def test_the_integrals_are_close_on_whole_counts(groups: list[tuple[int, int, int]]) -> None:
    """A sum of a falling convex function against its integral: off by less than half of the first discount."""
    counts = torch.tensor([groups]).double()
    exact = dcg(counts, GAINS, "exact").item()
    assert dcg(counts, GAINS, "midpoint").item() == pytest.approx(exact, rel=0.1)
    assert dcg(counts, GAINS, "log").item() == pytest.approx(exact, rel=0.3)


@pytest.mark.parametrize("relaxation", RELAXATIONS)
@pytest.mark.parametrize("size", [1.0, 1 + 1e-5, 1 - 1e-5, 2.0, 1.5, 1e-3])
def test_gradients_of_counts(relaxation: str, size: float) -> None:
    counts = torch.tensor([[[0.5, 0.7, 0.2], [0.4 * size, 0.5 * size, 0.1 * size], [1.0, 2.0, 0.3]]]).double()
    counts.requires_grad_()
    assert torch.autograd.gradcheck(lambda given: dcg(given, GAINS, relaxation), (counts,), eps=1e-7, atol=1e-6)


def test_the_ideal_does_not_count_the_query_itself() -> None:
    totals = torch.tensor([[2.0, 1.0, 1.0]]).double()
    assert ideal(totals, GAINS).item() == pytest.approx(3 + 1 / np.log2(3))


def test_the_logarithmic_integral() -> None:
    values = torch.tensor([2.0, 10.0, 1000.0]).double().requires_grad_()
    found = logarithmic_integral(values)
    np.testing.assert_allclose(found.detach().numpy(), [1.0451637801, 6.1655995047, 177.6096579929], rtol=1e-10)
    assert torch.autograd.gradcheck(logarithmic_integral, (values,))
