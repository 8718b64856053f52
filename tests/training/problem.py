"""A small problem that all tests of training share: points around class centres, in float64."""

import numpy as np
import torch
from torch import Tensor, nn

from evenrank.objective import Batch, Objective
from evenrank.objectives.tie_aware_ap import TieAwareAP
from evenrank.relevance import SameLabel
from evenrank.training import History, Training, Validation, train

DRAW = np.random.default_rng(0)
LABELS = np.arange(60) % 5
POINTS = DRAW.standard_normal((5, 12))[LABELS] + 0.8 * DRAW.standard_normal((60, 12))
RELEVANCE = SameLabel(LABELS, LABELS)
VALIDATION = Validation(
    queries=POINTS[40:],
    database=POINTS[:40],
    relevance=SameLabel(LABELS[40:], LABELS[:40]),
    metrics=("AP", "P@5"),
)
SETTINGS = Training(epochs=3, batch=20, learning_rate=0.1)


class Linked(Objective):
    """Pulls outputs towards a learnt centre and the mean of the bank, and remembers the batches it was given."""

    title, paper, kind = "linked", "none", "embeddings"

    def __init__(self, learning_rate: float | None = None, banked: bool = False) -> None:
        super().__post_init__()
        self.centre = nn.Parameter(torch.zeros(8, dtype=torch.float64))
        self.banked, self.seen = banked, []  # type: ignore[misc, var-annotated]
        if learning_rate is not None:
            self.learning_rate = learning_rate

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        stored = None if batch.bank is None else batch.bank.outputs.clone()
        self.seen.append((batch, outputs.detach().clone(), stored))
        apart = 0.0 if stored is None else (outputs.mean(dim=0) - stored.mean(dim=0)).square().sum()
        return (outputs - self.centre - 1).square().mean() + apart


def network(dropout: float = 0.0, norm: bool = False, dtype: torch.dtype = torch.float64) -> nn.Sequential:
    """Return a network of two layers, the same at every call."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        first = nn.Sequential(nn.Linear(12, 16), nn.BatchNorm1d(16) if norm else nn.Identity(), nn.Tanh())
        return nn.Sequential(first, nn.Dropout(dropout), nn.Linear(16, 8)).to(dtype)


def trained(model: nn.Module, settings: Training = SETTINGS, **more) -> History:  # type: ignore[no-untyped-def]
    """Return the history of training a model on the problem."""
    objective = more.pop("objective", TieAwareAP())
    return train(model, objective, POINTS, RELEVANCE, settings=settings, labels=LABELS, **more)


def weights(model: nn.Module) -> np.ndarray:
    """Return everything a model has learnt, in one row."""
    return np.concatenate([tensor.detach().double().numpy().ravel() for tensor in model.state_dict().values()])
