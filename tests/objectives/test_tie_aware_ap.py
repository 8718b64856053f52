"""TALR-AP: equal to the metric on hard codes, gradients everywhere, the error that appendix C states."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import evenrank as er
from evenrank.metric import parse
from evenrank.objective import batch_of
from evenrank.objectives.tie_aware_ap import TieAwareAP, average_precision, exact_sums, log_sums, midpoint_sums
from evenrank.tally import Tally

RELAXATIONS = ("exact", "log", "midpoint", "simplified")


@pytest.mark.parametrize(("items", "bits", "classes"), [(30, 4, 3), (120, 16, 10), (300, 48, 5)])
def test_the_exact_form_is_the_metric_on_hard_codes(items: int, bits: int, classes: int) -> None:
    random = np.random.default_rng(bits)
    labels, signs = random.integers(0, classes, items), random.choice([-1.0, 1.0], (items, bits))
    relevance, codes = er.SameLabel(labels, labels), er.Codes.from_signs(signs)
    metric = er.evaluate(codes, codes, relevance, ["AP"], exclude_self=True).mean["AP"]
    value = TieAwareAP(relaxation="exact")(torch.tensor(50 * signs), batch_of(relevance, np.arange(items)))
    assert 1 - value.item() == pytest.approx(metric, abs=1e-10)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=8).filter(
        lambda g: sum(p for p, _ in g)
    )
)
def test_the_exact_form_is_the_metric_on_whole_counts(groups: list[tuple[int, int]]) -> None:
    counts = np.array([[[negative, positive] for positive, negative in groups]])
    metric = parse("AP").spread(Tally(counts, np.array([0, 1]), np.arange(len(groups)))).expected
    relevant = torch.tensor(counts[:, :, 1].sum(axis=1)).double()
    found = average_precision(torch.tensor(counts).double(), relevant, "exact")
    np.testing.assert_allclose(found.numpy(), metric, atol=1e-10)


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 5_000), st.integers(1, 5_000))
def test_the_log_form_is_as_close_as_appendix_c_says(before: int, here: int) -> None:
    """|ln(N_d / N_{d−1}) − Σ 1/t| ≤ n_d / (2 N_{d−1} N_d), and the midpoint is closer still."""
    place = torch.tensor([[float(before)]]).double(), torch.tensor([[float(here)]]).double()
    exact, log, midpoint = (sums(*place)[0].item() * here for sums in (exact_sums, log_sums, midpoint_sums))
    assert exact == pytest.approx(sum(1 / rank for rank in range(before + 1, before + here + 1)), rel=1e-11)
    assert abs(log - exact) <= here / (2 * before * (before + here)) + 1e-12
    assert abs(midpoint - exact) <= abs(log - exact) + 1e-12


def test_an_empty_prefix_is_finite_in_every_form() -> None:
    counts = torch.tensor([[[0.0, 0.0], [2.0, 3.0], [1.0, 0.0]]]).double()
    for relaxation in RELAXATIONS:
        assert 0 < average_precision(counts, torch.tensor([3.0]).double(), relaxation).item() <= 1.5


def test_the_simplified_form_by_hand() -> None:
    counts = torch.tensor([[[1.0, 2.0], [3.0, 1.0]]]).double()
    wanted = (2 * (0 + 2 + 1) / (0 + 3 + 1) + 1 * (2 + 3 + 1) / (3 + 7 + 1)) / 3
    assert average_precision(counts, torch.tensor([3.0]).double(), "simplified").item() == pytest.approx(wanted)


@pytest.mark.parametrize("relaxation", RELAXATIONS)
@pytest.mark.parametrize("size", [1.0, 1 + 1e-5, 1 - 1e-5, 1 + 1e-3, 1 - 1e-3, 2.0, 1.5, 1e-5, 1e-3])
def test_gradients_near_the_removable_poles(relaxation: str, size: float) -> None:
    counts = torch.tensor([[[0.5, 0.7], [0.4 * size, 0.6 * size], [1.0, 2.0], [0.3, 0.1]]]).double().requires_grad_()
    relevant = torch.tensor([3.4]).double()
    assert torch.autograd.gradcheck(
        lambda given: average_precision(given, relevant, relaxation), (counts,), eps=1e-7, atol=2e-6
    )


def test_the_series_meet_the_quotients_they_replace() -> None:
    before = torch.tensor([0.0, 0.3, 5.0, 4000.0]).double()
    for edge in (1e-3, 1 + 1e-3, 1 - 1e-3):
        below, above = (exact_sums(before, torch.full_like(before, edge + step)) for step in (-1e-9, 1e-9))
        torch.testing.assert_close(below, above, rtol=1e-7, atol=1e-8)


def test_items_without_a_relevant_one_do_not_count() -> None:
    labels = np.array([0, 0, 1])
    outputs = torch.tensor([[9.0, 9.0], [9.0, -9.0], [9.0, 9.0]]).double()
    # The first two see each other at distance 1; the lone third lies at distance 0 of the first and 1 of the second.
    value = TieAwareAP(relaxation="exact")(outputs, batch_of(er.SameLabel(labels, labels), np.arange(3)))
    assert 1 - value.item() == pytest.approx((1 / 2 + 3 / 4) / 2, abs=1e-6)


def test_fewer_bins_are_coarser_and_alpha_sharpens() -> None:
    random = np.random.default_rng(0)
    labels, outputs = random.integers(0, 3, 40), torch.tensor(random.normal(size=(40, 8)))
    batch = batch_of(er.SameLabel(labels, labels), np.arange(40))
    values = {
        (bins, alpha): TieAwareAP(relaxation="exact", bins=bins, alpha=alpha)(outputs, batch).item()
        for bins in (1, 4, None)
        for alpha in (1.0, 1e4)
    }
    assert len(set(values.values())) == 6
    codes = er.Codes.from_signs(outputs.numpy())
    metric = er.evaluate(codes, codes, er.SameLabel(labels, labels), ["AP"], exclude_self=True).mean["AP"]
    assert 1 - values[None, 1e4] == pytest.approx(metric, abs=1e-3)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=8))
def test_the_simplified_form_is_bounded_and_exact_without_ties(groups: list[tuple[int, int]]) -> None:
    """The midpoint of a bin's precisions (appendix F.1) lies between 0 and 1, and is the precision of a lone item."""
    counts = torch.tensor([groups]).double()
    relevant = counts[:, :, 1].sum(dim=1)
    assert 0 <= average_precision(counts, relevant, "simplified").item() <= 1 + 1e-12
    alone = torch.nn.functional.one_hot(torch.tensor([[first > second for first, second in groups]]).long(), 2).double()
    simplified, exact = (average_precision(alone, alone[:, :, 1].sum(dim=1), form) for form in ("simplified", "exact"))
    torch.testing.assert_close(simplified, exact, rtol=0, atol=1e-12)
