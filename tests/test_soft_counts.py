"""Soft counts: the dense formula they replace, finite differences, and the tally they become."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import evenrank as er
from evenrank import soft_counts as module
from evenrank.objective import batch_of
from evenrank.soft_counts import IGNORED, soft_counts


def dense(queries, items, levels, count, norm, bins, reach):
    """The formula as public code has it: one weight for every pair and bin."""
    place = bins / 2 * (1 - queries @ items.T / norm)
    weights = (1 - (place[..., None] - torch.arange(bins + 1.0, dtype=torch.float64)).abs() / reach).clamp(
        min=0
    ) / reach
    return torch.stack([(weights * (levels == level)[..., None]).sum(1) for level in range(count)], dim=2)


def problem(queries: int, items: int, bits: int, count: int, seed: int, dtype=torch.float64):
    random = np.random.default_rng(seed)
    outputs = [torch.tanh(torch.tensor(random.normal(size=(n, bits)), dtype=dtype)) for n in (queries, items)]
    levels = random.integers(0, count + 1, (queries, items)).astype(np.uint8)
    levels[levels == count] = IGNORED
    return *outputs, torch.from_numpy(levels)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 9), st.integers(1, 20), st.integers(1, 12), st.integers(1, 16), st.integers(1, 4), st.data())
def test_values_and_gradients_are_those_of_the_dense_formula(queries, items, bits, bins, count, data) -> None:
    reach = data.draw(st.sampled_from([1.0, 2.0, 3.0, 0.7, 1.5]))
    left, right, levels = problem(queries, items, bits, count, data.draw(st.integers(0, 99)))
    left.requires_grad_()
    right.requires_grad_()
    found = soft_counts(left, right, levels, count, norm=bits, bins=bins, reach=reach)
    wanted = dense(left, right, levels, count, bits, bins, reach)
    torch.testing.assert_close(found, wanted, rtol=0, atol=1e-12)
    upstream = torch.linspace(-1, 1, found.numel(), dtype=torch.float64).view_as(found)
    one, other = (torch.autograd.grad(counts, (left, right), upstream) for counts in (found, wanted))
    torch.testing.assert_close(one, other, rtol=0, atol=1e-11)


@pytest.mark.parametrize("reach", [1.0, 2.0, 1.5])
def test_finite_differences_agree(reach: float) -> None:
    """The released code of paper 1 misses a factor of 2 when an item is both query and database."""
    outputs, _, _ = problem(7, 1, 5, 2, 3)
    levels = torch.randint(0, 2, (7, 7), generator=torch.Generator().manual_seed(0)).to(torch.uint8)
    levels.fill_diagonal_(IGNORED)
    outputs.requires_grad_()
    assert torch.autograd.gradcheck(
        lambda x: soft_counts(x, x, levels, 2, norm=5, bins=4, reach=reach), (outputs,), eps=1e-7, atol=1e-6
    )


@pytest.mark.parametrize("reach", [1.0, 2.0, 1.5])
def test_other_devices_compute_the_same(reach: float) -> None:
    """What runs where numba cannot is torch's own operations; here they run on the processor too."""
    left, right, levels = problem(20, 33, 8, 3, 5)
    products = left @ right.T
    counts, upstream = torch.zeros(20, 7, 3, dtype=torch.float64), torch.randn(20, 7, 3, dtype=torch.float64)
    module._histograms_torch(products, levels, 8, 6, reach, counts)
    torch.testing.assert_close(counts, soft_counts(left, right, levels, 3, norm=8, bins=6, reach=reach))
    one, other = (
        slopes(products, levels, 8, 6, reach, upstream) for slopes in (module._slopes_torch, module._slopes_cpu)
    )
    torch.testing.assert_close(one, other, rtol=0, atol=1e-12)


def test_counts_add_up_to_the_items() -> None:
    left, right, levels = problem(6, 50, 10, 3, 1)
    totals = torch.stack([(levels == level).sum(1) for level in range(3)], dim=1).double()
    for bins, reach in ((10, 1.0), (5, 1.0), (64, 1.0)):
        counts = soft_counts(left, right, levels, 3, norm=10, bins=bins, reach=reach)
        torch.testing.assert_close(counts.sum(1), totals)


def test_hard_codes_give_the_tally() -> None:
    random = np.random.default_rng(2)
    signs, labels = random.choice([-1.0, 1.0], (60, 12)), random.random((60, 5)) < 0.3
    labels[:, 0] |= ~labels.any(axis=1)
    relevance, codes = er.SharedLabels(labels, labels, graded=True), er.Codes.from_signs(signs)
    tally = er.tally(codes, codes, relevance, exclude_self=True)
    batch, outputs = batch_of(relevance, np.arange(60)), torch.tensor(signs, dtype=torch.float32)
    counts = soft_counts(outputs, outputs, batch.levels, len(batch.values), norm=12, bins=12)
    np.testing.assert_array_equal(counts.numpy(), tally.counts)


def test_tiles_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    left, right, levels = problem(70, 90, 8, 2, 4)
    left.requires_grad_()
    right.requires_grad_()
    results = []
    for tile, small in ((1 << 22, 1 << 18), (90, 1 << 18), (7 * 90, 1)):
        monkeypatch.setattr(module, "TILE", tile)
        monkeypatch.setattr(module, "SMALL", small)
        counts = soft_counts(left, right, levels, 2, norm=8, bins=8)
        results.append((counts.detach(), *torch.autograd.grad(counts.square().sum(), (left, right))))
    for other in results[1:]:
        torch.testing.assert_close(results[0], other, rtol=1e-12, atol=1e-12)


def test_outputs_beyond_the_norm_and_nan_stay_in_bounds() -> None:
    levels = torch.zeros(2, 2, dtype=torch.uint8)
    far = torch.tensor([[3.0, 3.0], [-3.0, 3.0]])
    assert soft_counts(far, far, levels, 1, norm=2, bins=2).shape == (2, 3, 1)
    assert soft_counts(far * torch.nan, far, levels, 1, norm=2, bins=2).isnan().any()


def test_levels_of_another_shape_or_type_are_refused() -> None:
    with pytest.raises(ValueError, match=r"levels of soft_counts must be uint8 of shape \(2, 2\); got torch.int64"):
        soft_counts(torch.ones(2, 3), torch.ones(2, 3), torch.ones(2, 2, dtype=torch.int64), 2, norm=3, bins=3)
