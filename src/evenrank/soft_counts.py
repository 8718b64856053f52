"""Soft counts: the tally of relaxed codes, with a gradient.

A tally counts, for each query and distance, the items of each level. Relaxed codes have distances in between, so each
pair is shared between the bins nearest to it by a triangle (paper 1, Eq. 14), and the counts follow the outputs
smoothly. On codes of ±1 and bins at whole distances they are the tally itself.

Backward is the closed form of paper 1's appendix E: the derivative by the counts is looked up per pair, times the slope
of its triangle, and goes to both ends through one matrix product each. Nothing of size queries × items × bins is ever
built, and queries × items only a tile at a time: backward computes its inner products anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor

from evenrank.kernels.cpu.soft_counts import IGNORED, soft_histograms, soft_slopes

TILE = 1 << 22  # pairs handled at once
SMALL = 1 << 18  # pairs below which a second thread does not pay

__all__ = ["IGNORED", "soft_counts"]


def soft_counts(
    queries: Tensor, items: Tensor, levels: Tensor, count: int, *, norm: float, bins: int, reach: float = 1.0
) -> Tensor:
    """Return (queries, bins + 1, count) float64: how much of each level lies in each bin, nearest bin first.

    `queries` and `items` are outputs (n, d) whose inner products are at most `norm`: b for relaxed codes of b bits
    (the bins then divide the Hamming distances 0 … b), 1 for unit vectors (squared distances 0 … 4). `levels`
    (queries, items) uint8 are level indexes below `count`, or IGNORED. A triangle reaches `reach` bins to each side.

    >>> signs = torch.tensor([[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    >>> levels = torch.tensor([[IGNORED, 1, 0], [1, IGNORED, 0], [0, 0, IGNORED]], dtype=torch.uint8)
    >>> soft_counts(signs, signs, levels, 2, norm=2, bins=2)[0].tolist()
    [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    """
    if levels.dtype != torch.uint8 or levels.shape != (len(queries), len(items)):
        raise ValueError(
            f"levels of soft_counts must be uint8 of shape {(len(queries), len(items))}; "
            f"got {levels.dtype} of {tuple(levels.shape)}"
        )
    apply: Any = _SoftCounts.apply
    counts: Tensor = apply(queries, items, levels, count, float(norm), bins, float(reach))
    return counts


class _SoftCounts(torch.autograd.Function):
    """Forward: histograms, tile by tile. Backward: appendix E's Eq. (53), tile by tile."""

    @staticmethod
    def forward(
        context: Any,
        queries: Tensor,
        items: Tensor,
        levels: Tensor,
        count: int,
        norm: float,
        bins: int,
        reach: float,
    ) -> Tensor:
        context.save_for_backward(queries, items, levels)
        context.shape = norm, bins, reach
        counts = torch.zeros(len(queries), bins + 1, count, dtype=torch.float64, device=queries.device)
        histograms = _histograms_cpu if queries.device.type == "cpu" else _histograms_torch
        for rows, products in _tiles(queries, items):
            histograms(products, levels[rows], norm, bins, reach, counts[rows])
        return counts

    @staticmethod
    def backward(context: Any, *gradients: Any) -> tuple[Tensor | None, ...]:
        queries, items, levels = context.saved_tensors
        norm, bins, reach = context.shape
        to_queries, to_items = torch.empty_like(queries), torch.zeros_like(items)
        slopes_of = _slopes_cpu if queries.device.type == "cpu" else _slopes_torch
        for rows, products in _tiles(queries, items):
            slopes = slopes_of(products, levels[rows], norm, bins, reach, gradients[0][rows])
            torch.matmul(slopes, items, out=to_queries[rows])
            to_items.addmm_(slopes.T, queries[rows])
        return to_queries, to_items, None, None, None, None, None


def _tiles(queries: Tensor, items: Tensor) -> Iterator[tuple[slice, Tensor]]:
    """Yield (rows, their inner products with all items) for runs of queries."""
    step = max(1, TILE // max(1, len(items)))
    for first in range(0, len(queries), step):
        rows = slice(first, first + step)
        yield rows, queries.detach()[rows] @ items.detach().T


def _histograms_cpu(products: Tensor, levels: Tensor, norm: float, bins: int, reach: float, counts: Tensor) -> None:
    values, kinds, found = products.numpy(), levels.numpy(), counts.numpy()
    _on_rows(values, lambda rows: soft_histograms(values[rows], kinds[rows], norm, bins, reach, found[rows]))


def _slopes_cpu(products: Tensor, levels: Tensor, norm: float, bins: int, reach: float, gradient: Tensor) -> Tensor:
    values, kinds, upstream = products.numpy(), levels.numpy(), gradient.contiguous().numpy()
    slopes = np.empty_like(values)
    _on_rows(
        values, lambda rows: soft_slopes(values[rows], kinds[rows], norm, bins, reach, upstream[rows], slopes[rows])
    )
    return torch.from_numpy(slopes)


def _on_rows(values: np.ndarray, work: Any) -> None:
    """Run `work` on slices of rows, one a thread; the kernels release the interpreter."""
    threads = torch.get_num_threads() if values.size >= SMALL else 1
    if threads == 1:
        work(slice(None))
        return
    edges = np.linspace(0, len(values), threads + 1).astype(int)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda ends: work(slice(*ends)), pairwise(edges)))


def _histograms_torch(products: Tensor, levels: Tensor, norm: float, bins: int, reach: float, counts: Tensor) -> None:
    """Do the same with torch's own operations, for other devices: one scatter for each bin a triangle can cover."""
    rows, _, count = counts.shape
    flat = counts.view(rows, -1)
    for near, place, counted in _covered(products, levels, norm, bins, reach):
        weight = (1 - (place - near).abs() / reach).clamp(min=0) / reach
        flat.scatter_add_(1, near.clamp(0, bins) * count + levels.long() * counted, weight * counted)


def _slopes_torch(products: Tensor, levels: Tensor, norm: float, bins: int, reach: float, gradient: Tensor) -> Tensor:
    rows, _, count = gradient.shape
    flat = gradient.contiguous().view(rows, -1)
    slopes = torch.zeros(products.shape, dtype=torch.float64, device=products.device)
    for near, place, counted in _covered(products, levels, norm, bins, reach):
        inside = counted & ((place - near).abs() < reach)
        slopes += flat.gather(1, near.clamp(0, bins) * count + levels.long() * counted) * (place - near).sign() * inside
    return (slopes * (bins / (2 * norm * reach * reach))).to(products.dtype)


def _covered(
    products: Tensor, levels: Tensor, norm: float, bins: int, reach: float
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Yield (bin, place, whether it counts) of all pairs, for each of the bins that a triangle can cover."""
    place = bins / 2 * (1 - products.double() / norm)
    first = (place - reach).ceil().long()
    for step in range(int(2 * reach) + 1):
        near = first + step
        yield near, place, (levels != IGNORED) & (near >= 0) & (near <= bins)
