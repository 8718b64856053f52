"""A loss of pytorch-metric-learning as an objective: what they all share.

The library takes embeddings and class numbers; an objective has outputs and a batch. Rows are normalised here, and
everything that follows, the loss's own parameters included, is float64 from the start: the library would otherwise cast
its parameters to whatever outputs come first, and its ProxyNCA drops the hard items that underflow in float32.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import torch
from torch import Tensor, nn

from evenrank.objective import Batch, Objective


class MetricLoss(Objective):
    """What a file of this folder extends: `build` returns the library's loss, and `mine` may choose its pairs."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.loss = self.build().double()

    def build(self) -> Any:
        """Return the library's loss, made of the keywords."""
        raise NotImplementedError

    def mine(self, embeddings: Tensor, labels: Tensor) -> Any:
        """Return the library's tuple of indexes of the pairs that count, or None for all of them."""
        return None

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return the library's loss of the normalised outputs."""
        labels = self._class_numbers(batch.labels)
        dimensions = getattr(self, "dimensions", outputs.shape[1])
        if outputs.shape[1] != dimensions:
            raise ValueError(f"outputs of {type(self).__name__} must have {dimensions} columns; got {outputs.shape[1]}")
        embeddings = unit(outputs)
        value: Tensor = self.loss(embeddings, labels, self.mine(embeddings, labels))
        return value

    def _class_numbers(self, labels: Tensor | None) -> Tensor:
        """Return the labels as the library wants them, after a look at what they are."""
        whose = f"labels of {type(self).__name__} must be"
        if labels is None or labels.ndim != 1 or labels.is_floating_point() or labels.dtype == torch.bool:
            got = "none" if labels is None else f"{labels.dtype} of shape {tuple(labels.shape)}"
            raise ValueError(f"{whose} one class number an item; got {got}")
        classes: int | None = getattr(self, "classes", None)
        if classes is not None and ((labels < 0) | (labels >= classes)).any():
            raise ValueError(f"{whose} from 0 to {classes - 1}; got {labels.min().item()} to {labels.max().item()}")
        return labels.long()


def unit(outputs: Tensor) -> Tensor:
    """Return the rows as float64 of length 1; a row of zeros stays what it is, and has no gradient."""
    rows = outputs.double()
    lengths = rows.norm(dim=1, keepdim=True)
    return torch.where(lengths > 0, rows / torch.where(lengths > 0, lengths, 1.0), 0.0)


def library(module: str) -> Any:
    """Return a module of the library, which is imported only when a loss is made."""
    try:
        return import_module(f"pytorch_metric_learning.{module}")
    except ModuleNotFoundError:
        raise ValueError("this objective needs pytorch-metric-learning: pip install 'evenrank[train]'") from None


def euclidean(power: int = 1) -> Any:
    """Return the library's Euclidean distance, without the matrix product that sets duplicates apart.

    Above 25 rows torch.cdist takes the root of a rounded difference: equal rows would be counted as non-zero terms.
    """
    distance = library("distances").LpDistance(power=power)
    distance.compute_mat = partial(torch.cdist, compute_mode="donot_use_mm_for_euclid_dist")
    return distance


def directions(seed: int) -> Any:
    """Return what fills proxies, class weights or centres: normal numbers, so uniform directions, of one seed."""
    return partial(_fill, seed=seed)


def _fill(weights: Tensor, seed: int) -> Tensor:
    return nn.init.normal_(weights, generator=torch.Generator().manual_seed(seed))
