"""What gradient-trained hashing methods share: a network, an objective on its outputs, and the training loop.

A method's file says which objective, and with which of its authors' settings. Outputs are read by sign: a bit is 1 iff
its output is above 0. Items are standardised by the training items first (`networks.standard`): features are centred
and divided by one number, so that their mean variance is 1, and the whole stays a linear map. A linear start, W from
N(0, 2 / dimensions), then gives outputs of deviation √2 whatever the features. A step of gradient g along W moves an
output by rate · g · |x|², and |x|² is about the number of dimensions: W moves at 100 / dimensions times the rate, so
that one rate serves all features; c moves at a tenth of it, as in paper 1's code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

import numpy as np
import torch
from torch import nn

from evenrank.codes import Codes
from evenrank.continuation import Continuation
from evenrank.extractors._networks import pick_device
from evenrank.method import Method, linear_codes
from evenrank.methods._trained_networks import HeldOut, flattened, held_out, restored
from evenrank.networks import build, standard
from evenrank.objective import Objective
from evenrank.parameters import Choice, Integer, Real, validate
from evenrank.relevance import Relevance
from evenrank.training import Training, Validation, encode, train
from evenrank.training.feed import epoch_length


@dataclass(eq=False, repr=False, kw_only=True)
class Trained(Method):
    """The keywords of training; a method adds those of its objective, and changes defaults to its authors'.

    `network` is a name that `evenrank.networks` knows. Epochs are cut into `stages` of equal length, from each to the
    next the learning rate is multiplied by `decay`. `patience` counts validations, one an epoch. On a GPU training
    repeats as exactly as its kernels do; on the CPU to the bit.
    """

    supervision = "relevance"
    takes_images = True
    metric: ClassVar[str] = "AP"  # by which held-out items decide
    nesterov: ClassVar[bool] = False

    bits: Annotated[int, Integer(1, 4096)] = 32
    network: str = "linear"
    epochs: Annotated[int, Integer(1, search=(10, 200), log=True)] = 50
    batch: Annotated[int, Integer(2)] = 256
    optimiser: Annotated[str, Choice("sgd", "rmsprop", "adam")] = "sgd"
    learning_rate: Annotated[float, Real(0, search=(1e-3, 10), log=True)] = 0.1
    momentum: Annotated[float, Real(0, 0.9999)] = 0.9
    weight_decay: Annotated[float, Real(0)] = 5e-4
    stages: Annotated[int, Integer(1)] = 1
    decay: Annotated[float, Real(0, 1)] = 0.5
    patience: Annotated[int | None, Integer(1)] = 10
    device: Annotated[str, Choice("cpu", "cuda")] = "cpu"
    seed: Annotated[int, Integer(0)] = 0

    def objective(self) -> Objective:
        """Return what training minimises."""
        raise NotImplementedError

    def continuation(self, steps: int) -> Continuation | None:
        """Return how codes sharpen over the steps of training; None: they do not."""
        return None

    def fit(self, x: Any, y: Any = None, *, validation: HeldOut | None = None) -> Self:
        """Learn from features or images and labels or relevance.

        `validation` are held-out items, (x, y), each of which searches all others, or a `Validation`: training then
        ends when its metric has not risen for `patience` epochs, and the best state is kept.
        """
        validate(self)
        items = self._training_features(x)
        relevance = self._supervision(y, len(items))
        judged = self._validation(validation, items.shape[1:])
        self.n_features_in_ = items.shape[1]
        self.shape_ = list(items.shape[1:])
        self._train(items, relevance, _label_matrix(y), judged)
        return self

    def read(self, x: np.ndarray) -> Codes:
        """Return the signs of the outputs."""
        if list(x.shape[1:]) != self.shape_:
            raise ValueError(f"{self._name} was fitted on items of shape {self.shape_}; got {list(x.shape[1:])}")
        if self.network == "linear":
            return linear_codes(x, self.weights_, self.thresholds_)
        device = self.device if torch.cuda.is_available() else "cpu"
        return Codes.from_signs(encode(restored(self, self.bits).to(device), x))

    def settings(self, dimensions: int) -> Training:
        """Return how it trains; `dimensions` of features are for a linear network."""
        starts = {round(self.epochs * stage / self.stages) for stage in range(1, self.stages)}
        return Training(
            epochs=self.epochs,
            batch=self.batch,
            optimiser=self.optimiser,
            learning_rate=self.learning_rate,
            momentum=self.momentum,
            nesterov=self.nesterov and self.optimiser == "sgd" and self.momentum > 0,
            weight_decay=self.weight_decay,
            rates={"1.weight": 100 / dimensions, "1.bias": 0.1} if self.network == "linear" else {},
            milestones=tuple(sorted(starts - {0})),
            factor=self.decay,
            patience=self.patience,
            seed=self.seed,
        )

    def _train(
        self, x: np.ndarray, relevance: Relevance, labels: np.ndarray | None, validation: Validation | None
    ) -> None:
        settings = self.settings(x.shape[1])
        model = nn.Sequential(standard(x), build(self.network, x.shape[1:], self.bits, self.seed))
        continuation = self.continuation(settings.epochs * epoch_length(settings, len(x)))
        history = train(
            model.to(pick_device(self.device)),
            self.objective(),
            x,
            relevance,
            labels=labels,
            settings=settings,
            validation=validation,
            continuation=continuation,
        )
        self.losses_ = np.array(history.losses)
        self.checks_ = [check.value for check in history.checks]
        self._keep(model.cpu())

    def _keep(self, model: nn.Sequential) -> None:
        """Leave what was learned as arrays: a linear map in one piece, any other network as one row of its state."""
        state = {name: tensor.numpy() for name, tensor in model.state_dict().items()}
        mean, deviation = state.pop("0.mean"), state.pop("0.deviation")
        if self.network == "linear":
            self.weights_ = state["1.weight"].T / deviation  # (dimensions, bits)
            self.thresholds_ = mean @ self.weights_ - state["1.bias"]
        else:
            self.mean_, self.deviation_ = mean, deviation
            self.state_ = flattened(model[1])

    def _validation(self, given: HeldOut | None, shape: tuple[int, ...]) -> Validation | None:
        if given is None or isinstance(given, Validation):
            return given
        items, relevance = held_out(self, given, shape)
        return Validation(queries=items, database=items, relevance=relevance, metrics=(self.metric,), exclude_self=True)


def _label_matrix(y: Any) -> np.ndarray | None:
    """Return labels (items, classes) of bool where they were given so: some objectives weigh pairs by them."""
    labels = None if isinstance(y, Relevance) else np.asarray(y)
    return labels.astype(bool) if labels is not None and labels.ndim == 2 else None
