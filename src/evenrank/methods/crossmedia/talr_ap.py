"""TALR-AP across modalities: descent on the tie-aware average precision of images that search texts, and back.

No paper has it. The objective is that of paper 1, §4 (He et al., CVPR 2018; `objectives/tie_aware_ap.py`), with relaxed
codes tanh(alpha · outputs) of one affine map a modality. In a batch every image searches the texts of all other items,
every text their images, and the mean over both is trained. An item's own partner is left out, as the partner of a query
is not in the database either; pairs within a modality do not count.

Settings are those of `hashing/talr_ap.py`: features are centred and divided by one number (`_scaled.py`), maps start at
N(0, 2 / dimensions) and move at 100 / dimensions times the rate, their biases at a tenth of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
import torch
from torch import Tensor, nn

from evenrank.codes import Codes
from evenrank.continuation import Continuation
from evenrank.cross_media_method import CrossMediaMethod
from evenrank.methods.crossmedia._scaled import scaled
from evenrank.methods.crossmedia._views import affine_codes, folded
from evenrank.objective import Batch
from evenrank.objectives.tie_aware_ap import TieAwareAP
from evenrank.parameters import Choice, Integer, Real
from evenrank.relevance import Relevance
from evenrank.soft_counts import IGNORED
from evenrank.training import Training, linear, train
from evenrank.training.feed import epoch_length


@dataclass(eq=False, repr=False, kw_only=True)
class TALRAP(CrossMediaMethod):
    """Codes by which each item of a batch finds the relevant ones of the other modality as early as possible.

    `final_alpha` lets codes sharpen from `alpha` on, by the same factor at every step.
    """

    title = "TALR-AP across modalities"
    paper = "the objective of 1, §4"
    supervision = "relevance"
    cost = "gradient descent"

    bits: Annotated[int, Integer(1, 4096)] = 16
    epochs: Annotated[int, Integer(1, search=(10, 200), log=True)] = 50
    batch: Annotated[int, Integer(2)] = 250
    learning_rate: Annotated[float, Real(0, search=(1e-3, 10), log=True)] = 0.5
    momentum: Annotated[float, Real(0, 0.9999)] = 0.9
    weight_decay: Annotated[float, Real(0, search=(1e-6, 1e-2), log=True)] = 5e-4
    relaxation: Annotated[str, Choice("exact", "log", "midpoint", "simplified")] = "simplified"
    alpha: Annotated[float, Real(1e-6, search=(0.1, 40), log=True)] = 0.5
    final_alpha: Annotated[float | None, Real(1e-6)] = None  # None: alpha stays
    bins: Annotated[int | None, Integer(1)] = None  # None: one a bit
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: dict[str, np.ndarray], y: Relevance) -> None:
        """Train both maps together; `losses_` holds the objective at every step."""
        views = {modality: scaled(features) for modality, features in x.items()}
        maps = _Maps(*(linear(features.shape[1], self.bits, self.seed) for features in x.values()))
        settings = self._settings(maps)
        history = train(
            maps,
            _AcrossAP(relaxation=self.relaxation, alpha=self.alpha, bins=self.bins),
            np.concatenate([view.values for view in views.values()], axis=1, dtype=np.float32, casting="same_kind"),
            y,
            settings=settings,
            continuation=self._continuation(settings.epochs * epoch_length(settings, y.shape[0])),
        )
        self.losses_ = np.array(history.losses)
        learned = {modality: getattr(maps, modality) for modality in views}
        bases = {modality: each.weight.detach().double().numpy().T for modality, each in learned.items()}
        self.weights_, offsets = folded(views, bases)
        self.offsets_ = {modality: offsets[modality] + each.bias.detach().numpy() for modality, each in learned.items()}

    def project(self, x: np.ndarray, modality: str) -> Codes:
        """Return bits features · weights + offsets > 0."""
        return affine_codes(x, self.weights_[modality], self.offsets_[modality])

    def _settings(self, maps: _Maps) -> Training:
        rates = {"image.weight": 100 / maps.image.in_features, "text.weight": 100 / maps.text.in_features}
        return Training(
            epochs=self.epochs,
            batch=self.batch,
            learning_rate=self.learning_rate,
            momentum=self.momentum,
            weight_decay=self.weight_decay,
            rates={**rates, "image.bias": 0.1, "text.bias": 0.1},
            seed=self.seed,
        )

    def _continuation(self, steps: int) -> Continuation | None:
        if self.final_alpha is None:
            return None
        return Continuation.geometric(start=self.alpha, end=self.final_alpha, steps=steps)


class _Maps(nn.Module):
    """Two affine maps side by side: items (items, image | text features) to outputs (items, image | text bits)."""

    def __init__(self, image: nn.Linear, text: nn.Linear) -> None:
        super().__init__()
        self.image, self.text = image, text

    def forward(self, items: Tensor) -> Tensor:
        image, text = items.tensor_split([self.image.in_features], dim=1)
        return torch.cat([self.image(image), self.text(text)], dim=1)


class _AcrossAP(TieAwareAP):
    """Tie-aware AP of the images and texts of a batch, as one set of twice as many: only the other modality counts."""

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        own = torch.full_like(batch.levels, IGNORED)
        levels = torch.cat([torch.cat([own, batch.levels], dim=1), torch.cat([batch.levels, own], dim=1)])
        return super().forward(torch.cat(outputs.chunk(2, dim=1)), replace(batch, levels=levels))
