"""deep-SM: semantic matching with networks in place of linear classifiers (Wei et al., IEEE Cybernetics 2017).

One network a modality names the class, and an item is represented by the softmax p of its outputs, compared by cosine.
Both learn by gradient descent on ‖p − e_y‖² / 2, not on cross-entropy, as paper 4's authors trained them
(`objectives/squared_softmax.py`). The defaults are their settings for texts: hidden layers of 512 and 256 units with
batch normalisation (without scale and shift), ReLU and dropout; 60 epochs, with a rate that falls to a tenth after each
third. Their image network is CaffeNet, fine-tuned; on features that are computed already, one like that for texts takes
its place. Features are first centred and divided by one number (`_scaled.py`), which the authors do not say.

After training, scaling and normalisation are fixed affine maps, and become part of the weights of each layer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import numpy as np
import torch
from scipy.special import softmax
from torch import nn

from evenrank.cross_media_method import CrossMediaMethod
from evenrank.embeddings import Embeddings
from evenrank.methods.crossmedia._labels import replicated
from evenrank.methods.crossmedia._scaled import scaled
from evenrank.objectives.squared_softmax import SquaredSoftmax
from evenrank.parameters import Integer, Real
from evenrank.relevance import SameLabel
from evenrank.training import Training, train


@dataclass(eq=False, repr=False, kw_only=True)
class DeepSemanticMatching(CrossMediaMethod):
    """Probabilities of the training classes, by a network in each modality; a single class is refused.

    `layers` are hidden ones, the first of `width` units and each further one of half as many. Epochs are cut into
    `stages` of equal length, from each to the next the learning rate is multiplied by `decay`.
    """

    title = "deep-SM"
    paper = "4; Wei et al., IEEE Transactions on Cybernetics 2017"
    supervision = "labels"
    cost = "gradient descent, seconds on 1,000 items"

    layers: Annotated[int, Integer(0, 16, search=(0, 3))] = 2
    width: Annotated[int, Integer(1, 65_536, search=(64, 1024), log=True)] = 512
    dropout: Annotated[float, Real(0, 0.99, search=(0, 0.8))] = 0.5
    epochs: Annotated[int, Integer(1, search=(10, 200), log=True)] = 60
    batch: Annotated[int, Integer(2)] = 256
    learning_rate: Annotated[float, Real(0, search=(1e-2, 10), log=True)] = 1.0
    momentum: Annotated[float, Real(0, 0.9999)] = 0.9
    weight_decay: Annotated[float, Real(0, search=(1e-6, 1e-2), log=True)] = 5e-4
    stages: Annotated[int, Integer(1)] = 3
    decay: Annotated[float, Real(0, 1)] = 0.1
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: dict[str, np.ndarray], y: np.ndarray) -> None:
        """Train a network in each modality; `losses_` holds the objective at every step."""
        rows, labels = replicated(self, y)
        self.depth_ = self.layers + 1
        self.weights_, self.biases_, self.losses_ = {}, {}, {}
        for modality, features in x.items():
            view = scaled(features)
            network = self._network(features.shape[1], int(labels.max()) + 1)
            history = train(
                network,
                SquaredSoftmax(),
                view.values[rows].astype(np.float32),
                SameLabel(labels, labels),
                labels=labels,
                settings=self._settings(),
            )
            self.losses_[modality] = np.array(history.losses)
            for number, (weights, biases) in enumerate(_affine_maps(network)):
                if number == 0:
                    weights = weights / view.deviation[:, None]
                    biases = biases - view.mean @ weights
                self.weights_[f"{modality}{number}"], self.biases_[f"{modality}{number}"] = weights, biases

    def scores(self, x: np.ndarray, modality: str) -> np.ndarray:
        """Return the outputs of a network, (items, classes): the higher, the likelier an item is of the class."""
        outputs = x.astype(np.float64, copy=False)
        for number in range(self.depth_):
            inputs = outputs if number == 0 else np.maximum(outputs, 0)
            outputs = inputs @ self.weights_[f"{modality}{number}"] + self.biases_[f"{modality}{number}"]
        return outputs

    def project(self, x: np.ndarray, modality: str) -> Embeddings:
        """Return p (items, classes)."""
        return Embeddings(softmax(self.scores(x, modality), axis=1))

    def _network(self, dimensions: int, classes: int) -> nn.Sequential:
        """Return an untrained network, drawn from the seed; the global generator stays as it was."""
        widths = [dimensions, *(max(1, self.width >> layer) for layer in range(self.layers))]
        parts: list[nn.Module] = []
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            for inside, outside in pairwise(widths):
                parts += [nn.Linear(inside, outside), nn.BatchNorm1d(outside, affine=False), nn.ReLU()]
                parts += [nn.Dropout(self.dropout)]
            return nn.Sequential(*parts, nn.Linear(widths[-1], classes))

    def _settings(self) -> Training:
        starts = {round(self.epochs * stage / self.stages) for stage in range(1, self.stages)}
        return Training(
            epochs=self.epochs,
            batch=self.batch,
            learning_rate=self.learning_rate,
            momentum=self.momentum,
            weight_decay=self.weight_decay,
            milestones=tuple(sorted(starts - {0})),
            factor=self.decay,
            seed=self.seed,
        )


def _affine_maps(network: nn.Sequential) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield weights (inputs, outputs) and biases (outputs,) of every layer, with the normalisation that follows it."""
    for part, following in pairwise([*network, nn.Identity()]):
        if isinstance(part, nn.Linear):
            weights, biases = (each.detach().double().numpy() for each in (part.weight.T, part.bias))
            if isinstance(following, nn.BatchNorm1d):
                fixed = {name: buffer.double().numpy() for name, buffer in following.named_buffers()}
                deviation = np.sqrt(fixed["running_var"] + following.eps)
                weights, biases = weights / deviation, (biases - fixed["running_mean"]) / deviation
            yield weights, biases
