"""What gradient-trained embeddings share: how paper 5 trains, so that methods differ in their loss alone.

A method's file says which loss, and in which batches. A head, linear on features by default, gives outputs that are
normalised for the loss and for search. Settings are those of §3 and of the published configurations: RMSprop with
momentum 0.9 and weight decay 1e-4; batches of 32, as 8 classes × 4 for losses on pairs and as 32 × 1 for losses on
classes; epochs of 100 steps, a validation by MAP@R after every second one, and an end when the best is more than 9
epochs old. Two things differ. Paper 5 fine-tunes a whole network at a rate of 1e-6; a head on fixed features wants a
rate that is searched. And it allows 1,000 epochs. What paper 5 starts from is trained but for the head, which is drawn
at random; on fixed features the head is all there is, and `start="principal"` begins where Pretrained + PCA ends.

Items are standardised by the training items first (`networks.standard`), which leaves a linear head linear.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

import numpy as np
import torch
from torch import nn

from evenrank.embeddings import Embeddings
from evenrank.extractors._networks import pick_device
from evenrank.method import Method
from evenrank.methods._trained_networks import HeldOut, flattened, held_out, restored
from evenrank.methods.embedding._rows import linear_embeddings, normalised
from evenrank.methods.hashing._checks import check_varied
from evenrank.methods.hashing._projections import principal_axes
from evenrank.networks import build, standard
from evenrank.objective import Objective
from evenrank.parameters import Choice, Integer, Range, Real, ranges, validate
from evenrank.relevance import Relevance, SameLabel, SharedLabels
from evenrank.training import Training, Validation, encode, train


@dataclass(eq=False, repr=False, kw_only=True)
class Trained(Method):
    """The keywords of training; a method adds those of its loss.

    `network` is a name that `evenrank.networks` knows. A batch holds `members` items of each of batch / members
    classes; where there are fewer classes it holds all of them, with more members each. `check` and `patience` count
    epochs. On a GPU training repeats as exactly as its kernels do; on the CPU to the bit.
    """

    supervision = "labels"
    takes_images = True
    cost = "gradient descent"
    metrics: ClassVar[tuple[str, ...]] = ("MAP@R", "P@1")  # of held-out items; the first decides
    several_labels: ClassVar[bool] = False  # whether an item may have more than one

    dimensions: Annotated[int, Integer(1, 4096)] = 128
    network: str = "linear"
    start: Annotated[str, Choice("random", "principal")] = "random"  # of a linear network
    epochs: Annotated[int, Integer(1)] = 50
    iterations: Annotated[int, Integer(1)] = 100  # of an epoch
    batch: Annotated[int, Integer(2)] = 32
    members: Annotated[int, Integer(2)] = 4  # of a class in a batch
    learning_rate: Annotated[float, Real(0, search=(1e-6, 1e-2), log=True)] = 1e-4  # of the head
    momentum: Annotated[float, Real(0, 0.9999)] = 0.9
    weight_decay: Annotated[float, Real(0)] = 1e-4
    check: Annotated[int, Integer(1)] = 2  # from one validation to the next
    patience: Annotated[int | None, Integer(0)] = 9  # None: all epochs
    device: Annotated[str, Choice("cpu", "cuda")] = "cpu"
    seed: Annotated[int, Integer(0)] = 0

    def objective(self, classes: int) -> Objective:
        """Return the loss; `classes` are those of the training items."""
        raise NotImplementedError

    def fit(self, x: Any, y: Any = None, *, validation: HeldOut | None = None) -> Self:
        """Learn from features or images and their classes.

        `validation` are held-out items, (x, y), each of which searches all others, or a `Validation`: training then
        ends when its metric has not risen for `patience` epochs, and the best state is kept.
        """
        validate(self)
        items = self._training_features(x)
        check_varied(self, items)
        labels = self._supervision(y, len(items))
        judged = self._validation(validation, items.shape[1:])
        self.n_features_in_ = items.shape[1]
        self.shape_ = list(items.shape[1:])
        self._train(items, labels, judged)
        return self

    def read(self, x: np.ndarray) -> Embeddings:
        """Return the normalised outputs."""
        if list(x.shape[1:]) != self.shape_:
            raise ValueError(f"{self._name} was fitted on items of shape {self.shape_}; got {list(x.shape[1:])}")
        if self.network == "linear":
            return linear_embeddings(x, self.weights_, self.offset_)
        device = self.device if torch.cuda.is_available() else "cpu"
        return normalised(encode(restored(self, self.dimensions).to(device), x))

    def settings(self, labels: np.ndarray) -> Training:
        """Return how it trains on items of such labels."""
        if self.batch < 2 * self.members:
            raise ValueError(
                f"batch of {self._name} must hold two classes of {self.members} members or more; got {self.batch}"
            )
        classes = min(self.batch // self.members, self._classes(labels))
        members = self.batch // classes
        return Training(
            epochs=self.epochs,
            iterations=self.iterations,
            batch=classes * members,
            batches="balanced" if labels.ndim == 1 else "labelled",
            members=members,
            optimiser="rmsprop",
            learning_rate=self.learning_rate,
            momentum=self.momentum,
            weight_decay=self.weight_decay,
            check=self.check,
            patience=None if self.patience is None else self.patience // self.check + 1,  # in checks
            seed=self.seed,
        )

    def _train(self, x: np.ndarray, labels: np.ndarray, validation: Validation | None) -> None:
        settings = self.settings(labels)
        model = nn.Sequential(standard(x), self._network(x))
        history = train(
            model.to(pick_device(self.device)),
            self.objective(self._classes(labels)),
            x,
            _relevance(labels),
            labels=labels,
            settings=settings,
            validation=validation,
        )
        self.losses_ = np.array(history.losses)
        checked = validation.metrics if validation else ()
        self.checks_ = {name: [check.metrics[name] for check in history.checks] for name in checked}
        self._keep(model.cpu())

    def _network(self, x: np.ndarray) -> nn.Module:
        """Return the network to train; from principal axes, as many of a linear one's outputs as there are axes."""
        network = build(self.network, x.shape[1:], self.dimensions, self.seed)
        if self.start == "principal":
            if not isinstance(network, nn.Linear):
                raise ValueError(f"start of {self._name} can be principal for network 'linear'; got {self.network!r}")
            axes = principal_axes(x, x.mean(axis=0, dtype=np.float64), self.dimensions)  # (features, dimensions)
            with torch.no_grad():
                network.weight[: axes.shape[1]] = torch.from_numpy(axes.T).float()
        return network

    def _keep(self, model: nn.Sequential) -> None:
        """Leave what was learned as arrays: a linear map in one piece, any other network as one row of its state."""
        state = {name: tensor.numpy() for name, tensor in model.state_dict().items()}
        mean, deviation = state.pop("0.mean"), state.pop("0.deviation")
        if self.network == "linear":
            self.weights_ = state["1.weight"].T.astype(np.float64) / deviation  # (features, dimensions)
            self.offset_ = state["1.bias"] - mean @ self.weights_
        else:
            self.mean_, self.deviation_ = mean, deviation
            self.state_ = flattened(model[1])

    def _supervision(self, y: Any, items: int) -> np.ndarray:
        labels: np.ndarray = super()._supervision(y, items)
        if labels.ndim == 2 and not self.several_labels:
            raise ValueError(f"{self._name} needs one class an item; got a matrix of labels, {labels.shape}")
        return labels

    def _classes(self, labels: np.ndarray) -> int:
        """Return how many classes have items."""
        count = int(labels.max()) + 1 if labels.ndim == 1 else int(labels.any(axis=0).sum())
        if count < 2:
            raise ValueError(f"labels of {self._name} must be of two classes or more; got {count}")
        return count

    def _validation(self, given: HeldOut | None, shape: tuple[int, ...]) -> Validation | None:
        if given is None or isinstance(given, Validation):
            return given
        items, labels = held_out(self, given, shape)
        return Validation(
            queries=items,
            database=items,
            relevance=_relevance(labels),
            metrics=self.metrics,
            kind="embeddings",
            exclude_self=True,
        )


def range_of(loss: type[Objective], keyword: str) -> Range:
    """Return what a loss allows for one of its keywords: a method that passes it on says it in no second place."""
    return next(allowed for name, allowed, _ in ranges(loss) if name == keyword)


def _relevance(labels: np.ndarray) -> Relevance:
    return (SameLabel if labels.ndim == 1 else SharedLabels)(labels, labels)
