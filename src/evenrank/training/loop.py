"""The loop itself: draw, gradient, step; now and then validate; at the end, go back to the best."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from evenrank.augmentation import Augmentation
from evenrank.continuation import Continuation
from evenrank.objective import Objective
from evenrank.relevance import Relevance
from evenrank.training.checkpoint import State, restore, save
from evenrank.training.feed import Feed, feed_of
from evenrank.training.history import Check, History
from evenrank.training.inputs import Inputs, Items, encoded
from evenrank.training.optimiser import norms, optimiser_of, set_rates
from evenrank.training.processes import align, place, unwrapped, wrapped
from evenrank.training.settings import Training
from evenrank.training.step import backward
from evenrank.training.validation import Validation

Progress = Callable[[int, int, str], None]  # (steps done, steps in all, how it goes)


def train(
    model: nn.Module,
    objective: Objective,
    items: Items,
    relevance: Relevance,
    *,
    labels: np.ndarray | None = None,
    settings: Training | None = None,
    validation: Validation | None = None,
    continuation: Continuation | None = None,
    augmentation: Augmentation | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> History:
    """Train a model (and what its objective learns) in place, where it is, and return what happened.

    `relevance` is between all training items. `labels`, class numbers (items,) or a matrix (items, classes) of bool,
    are for objectives and batches that need them. With a validation the model ends in the state of its best check. A
    `checkpoint` is written after every epoch; if the file is there, the run goes on from it, bit for bit.

    Where torch.distributed is initialised every process calls this with the same arguments, and each computes its
    slice of every batch; the first writes the checkpoint, which all must be able to read.
    """
    settings = settings or Training()
    inputs = Inputs(items, augmentation, unwrapped(model))
    _check(len(inputs), relevance, labels)
    state = State(
        unwrapped(model), objective.to(inputs.like.device), optimiser_of(unwrapped(model), objective, settings)
    )
    align([*state.model.state_dict().values(), *objective.state_dict().values()])
    state.bank = encoded(state.model, inputs) if objective.banked else None
    feed = feed_of(inputs, relevance, labels, settings, state.bank)
    about = _about(settings, objective, len(inputs), validation, continuation, augmentation)
    path = None if checkpoint is None else Path(checkpoint)
    if path and path.exists():
        restore(path, state, about)
    network, tell = wrapped(model), _Teller(progress, settings.epochs * feed.iterations, state.history)
    with torch.random.fork_rng(devices=range(torch.cuda.device_count())):
        for epoch in range(len(state.history.losses) // feed.iterations, settings.epochs):
            if settings.patience and state.history.stale >= settings.patience:
                break
            _epoch(network, state, feed, settings, epoch, continuation, tell)
            if validation and ((epoch + 1) % settings.check == 0 or epoch + 1 == settings.epochs):
                state.add(Check(epoch + 1, _measured(state.model, validation, augmentation, inputs.like)))
            if path and place()[0] == 0:
                save(path, state, about)
            tell()
    state.take_best()
    state.model.eval()
    return state.history


def _epoch(
    network: nn.Module,
    state: State,
    feed: Feed,
    settings: Training,
    epoch: int,
    continuation: Continuation | None,
    tell: _Teller,
) -> None:
    """Take the steps of one epoch."""
    network.train()
    for norm in norms(network) if settings.freeze_batch_norm else ():
        norm.eval()
    set_rates(state.optimiser, settings, epoch)
    steps = range(epoch * feed.iterations, (epoch + 1) * feed.iterations)
    for step, (inputs, batch) in zip(steps, feed.steps(steps), strict=True):
        if continuation:
            continuation.apply(state.objective, step)
        network.zero_grad()
        state.objective.zero_grad()
        loss, outputs = backward(network, state.objective, inputs, batch, settings, step)
        value = loss.item()
        if not math.isfinite(value):
            raise ValueError(
                f"the loss of step {step} is {value}: try a lower learning_rate than {settings.learning_rate}"
            )
        state.optimiser.step()
        if state.bank is not None:
            state.bank[batch.rows] = outputs
        state.history.losses.append(value)
        tell()


def _check(items: int, relevance: Relevance, labels: np.ndarray | None) -> None:
    if items == 0:
        raise ValueError("items to train on must be at least one; got none")
    if relevance.shape != (items, items):
        raise ValueError(f"relevance must be between all {items} training items; got shape {relevance.shape}")
    if labels is not None and (len(labels) != items or labels.dtype.kind not in "biu"):
        raise ValueError(
            f"labels must be {items} class numbers or rows of bool, one an item; got {len(labels)} of {labels.dtype}"
        )


def _measured(
    model: nn.Module, validation: Validation, augmentation: Augmentation | None, like: Tensor
) -> dict[str, float]:
    """Return the metrics that the first process finds: all must take the same decisions."""
    align(model.buffers())
    first = place()[0] == 0
    found = validation.measure(model, augmentation) if first else dict.fromkeys(validation.metrics, 0.0)
    values = torch.tensor(list(found.values()), dtype=torch.float64, device=like.device)
    align([values])
    return dict(zip(found, values.tolist(), strict=True))


def _about(
    settings: Training,
    objective: Objective,
    items: int,
    validation: Validation | None,
    continuation: Continuation | None,
    augmentation: Augmentation | None,
) -> dict[str, str]:
    """Return what of a run must be the same for it to go on from a checkpoint."""
    driven = {"alpha"} if continuation else set()  # it changes as training goes on
    names = [name for name in getattr(objective, "__dataclass_fields__", {}) if name not in driven]
    keywords = ", ".join(f"{name}={getattr(objective, name)!r}" for name in names)
    checked = validation and (validation.relevance.shape, validation.kind, list(validation.metrics))
    return {
        **{each.name: repr(getattr(settings, each.name)) for each in fields(settings)},
        "objective": f"{type(objective).__name__}({keywords})",
        "items": str(items),
        "validation": repr(checked),
        "continuation": repr(continuation),
        "augmentation": repr(augmentation),
    }


class _Teller:
    """Tells how far training is: the loss, the metric that decides, the time left at the pace so far."""

    def __init__(self, progress: Progress | None, total: int, history: History) -> None:
        self.progress, self.total, self.history = progress, total, history
        self.began, self.first = time.monotonic(), len(history.losses)

    def __call__(self) -> None:
        if self.progress is None:
            return
        done = len(self.history.losses)
        pace = (time.monotonic() - self.began) / max(1, done - self.first)
        parts = [f"loss {self.history.losses[-1]:.4f}"]
        if self.history.checks:
            name, value = next(iter(self.history.checks[-1].metrics.items()))
            parts.append(f"{name} {value:.4f}")
        left = round(pace * (self.total - done))
        self.progress(done, self.total, ", ".join([*parts, f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"]))
