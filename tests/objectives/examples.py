"""Small batches for the tests of objectives: items by their labels, with a bank of stored outputs where needed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from evenrank.objective import Batch, batch_of
from evenrank.relevance import MatchingAttributes, Relevance, SameLabel, SharedLabels


def outputs_of(items: int, columns: int, seed: int = 0) -> Tensor:
    """Return normal outputs (items, columns) in float64."""
    return torch.from_numpy(np.random.default_rng(seed).normal(size=(items, columns)))


def class_batch(labels: Sequence[int], bank: Tensor | None = None, rows: Sequence[int] | None = None) -> Batch:
    """Return the batch of some rows (all, if none are named) of items that have one label each."""
    return _batch(SameLabel(labels, labels), np.array(labels), bank, rows)


def superclass_batch(labels: Sequence[tuple[int, int]], rows: Sequence[int] | None = None) -> Batch:
    """Return the batch of items with (superclass, class): levels are 2, 1 and 0."""
    return _batch(MatchingAttributes(labels, labels), np.array(labels)[:, 1], None, rows)


def label_batch(labels: Sequence[Sequence[int]], rows: Sequence[int] | None = None) -> Batch:
    """Return the batch of items with several labels, as rows of 0 and 1; items that share one are similar."""
    known = np.array(labels, bool)
    return _batch(SharedLabels(known, known), known, None, rows)


def _batch(relevance: Relevance, labels: np.ndarray, bank: Tensor | None, rows: Sequence[int] | None) -> Batch:
    chosen = np.arange(len(labels)) if rows is None else np.array(rows)
    return batch_of(relevance, chosen, labels, bank)
