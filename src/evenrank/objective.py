"""What an objective is: a scalar to minimise, from the outputs of a batch and what is known about its items.

One file of `objectives/` holds one. Keywords are annotated with their ranges, as everywhere; those with `search` are
what a tuner turns. An objective is a torch module, so that what it learns itself (proxies, class weights) is found by
the optimiser like any other parameter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from evenrank.parameters import validate
from evenrank.relevance import Relevance
from evenrank.soft_counts import IGNORED


@dataclass(frozen=True)
class Bank:
    """The latest outputs of all training items, and what they are to the items of a batch.

    `outputs` (items, d) carry no gradient; `levels` (batch, items) uint8 are level indexes, IGNORED for the items of
    the batch themselves.
    """

    outputs: Tensor
    levels: Tensor


@dataclass(frozen=True)
class Batch:
    """What is known about the items of a batch.

    `rows` (items,) are their rows among the training items; `levels` (items, items) uint8 index `values`, the levels
    that relevance can have, and are IGNORED for an item with itself; `labels` are class numbers (items,), a matrix
    (items, classes) of bool, or None where relevance was not made of labels; `bank` is there for objectives that ask
    for one.
    """

    rows: Tensor
    levels: Tensor
    values: Tensor
    labels: Tensor | None = None
    bank: Bank | None = None

    @property
    def similar(self) -> Tensor:
        """(items, items) bool: which pairs are relevant at any level; an item is not similar to itself."""
        return (self.levels > 0) & (self.levels != IGNORED)

    @property
    def different(self) -> Tensor:
        """(items, items) bool: which pairs are irrelevant."""
        return self.levels == 0

    def totals(self) -> Tensor:
        """Return (items, levels) float64: how many items of each level each item meets in the batch."""
        return torch.stack([(self.levels == index).sum(dim=1) for index in range(len(self.values))], dim=1).double()


def batch_of(
    relevance: Relevance, rows: np.ndarray, labels: np.ndarray | None = None, bank: Tensor | None = None
) -> Batch:
    """Return the batch of some training rows; `relevance` is between all training items.

    >>> from evenrank.relevance import SameLabel
    >>> batch_of(SameLabel([0, 1, 0], [0, 1, 0]), np.array([2, 0])).levels.tolist()
    [[255, 1], [1, 255]]
    """
    if len(relevance.levels) > IGNORED:
        raise ValueError(f"training takes at most {IGNORED} levels of relevance; got {len(relevance.levels)}")
    levels = relevance.block(rows, rows).astype(np.uint8)
    levels[rows[:, None] == rows] = IGNORED  # a row that was drawn twice is no neighbour of itself either
    stored = None
    if bank is not None:
        known = relevance.block(rows).astype(np.uint8)
        known[:, rows] = IGNORED
        stored = Bank(bank.detach(), torch.from_numpy(known))
    chosen = None if labels is None else torch.from_numpy(np.ascontiguousarray(labels[rows]))
    values = torch.from_numpy(relevance.levels)
    return Batch(torch.from_numpy(rows), torch.from_numpy(levels), values, chosen, stored)


class Objective(nn.Module):
    """The contract of `objectives/`: a dataclass of keywords, and `forward(outputs, batch)`.

    `outputs` are (items, dimensions), before any sign or normalisation. What a batch cannot say (no relevant pair, a
    single item) costs nothing: the value is finite, and so is the gradient.
    """

    title: ClassVar[str]
    paper: ClassVar[str]  # where it comes from
    kind: ClassVar[str]  # "codes", "embeddings" or "classes": what outputs are read as
    banked: ClassVar[bool] = False  # whether it needs the outputs of all training items
    parameterised: ClassVar[bool] = False  # whether it learns parameters of its own
    decays: ClassVar[bool] = True  # whether weight decay reaches them

    def __post_init__(self) -> None:
        super().__init__()
        validate(self)

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return the scalar to minimise."""
        raise NotImplementedError

    def __hash__(self) -> int:
        return id(self)

    def extra_repr(self) -> str:
        """Return the keywords, as torch prints them."""
        names: Any = getattr(self, "__dataclass_fields__", {})
        return ", ".join(f"{name}={getattr(self, name)}" for name in names)


def mean_over(values: Tensor, counted: Tensor) -> Tensor:
    """Return the mean of the counted values, and 0 (with a gradient of 0) where none is."""
    return torch.where(counted, values, 0.0).sum() / counted.sum().clamp(min=1)
