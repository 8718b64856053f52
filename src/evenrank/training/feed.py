"""What every step of training is given, made ahead by a second thread while the model works on the step before."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from evenrank.batches import Draw, balanced_batches, labelled_batches, random_batches
from evenrank.objective import Bank, Batch, batch_of
from evenrank.relevance import Relevance
from evenrank.training.inputs import Inputs
from evenrank.training.processes import place
from evenrank.training.settings import Training

Given = tuple[Tensor, Batch]  # this process's slice of the inputs, and the whole batch


@dataclass(frozen=True, eq=False)
class Feed:
    """Steps by number: `feed.steps(range(100))` yields (inputs, batch) of each."""

    inputs: Inputs
    draw: Draw
    relevance: Relevance
    labels: np.ndarray | None
    iterations: int  # of an epoch
    seed: int
    bank: Tensor | None

    def steps(self, numbers: range) -> Iterator[Given]:
        """Yield what is given to each step."""
        with ThreadPoolExecutor(1) as thread:
            ahead = [thread.submit(self._step, number) for number in numbers[:1]]
            for number in numbers:
                ahead += [thread.submit(self._step, later) for later in range(number + 1, numbers.stop)[:1]]
                yield ahead.pop(0).result()

    def _step(self, number: int) -> Given:
        rows = self.draw(number)
        process, count = place()
        own = rows.reshape(count, -1)[process]
        inputs = self.inputs.varied(own, self.seed, number // self.iterations)
        return inputs, _moved(batch_of(self.relevance, rows, self.labels, self.bank), inputs.device)


def feed_of(
    inputs: Inputs, relevance: Relevance, labels: np.ndarray | None, settings: Training, bank: Tensor | None
) -> Feed:
    """Return the feed that settings ask for."""
    draw = _draw(settings, len(inputs), labels)
    size, parts = len(draw(0)), place()[1]
    if size % parts or size // parts < settings.accumulate:
        raise ValueError(
            f"batch must be a multiple of the {parts} processes, and at least {settings.accumulate} chunks each; "
            f"got {size}"
        )
    return Feed(inputs, draw, relevance, labels, epoch_length(settings, len(inputs)), settings.seed, bank)


def epoch_length(settings: Training, items: int) -> int:
    """Return the steps of an epoch."""
    return settings.iterations or max(1, items // settings.batch)


def _draw(settings: Training, items: int, labels: np.ndarray | None) -> Draw:
    if settings.members is None:
        return random_batches(items, settings.batch, settings.seed)
    if labels is None:
        raise ValueError(f"{settings.batches} batches need labels; got none")
    make = {"balanced": balanced_batches, "labelled": labelled_batches}[settings.batches]
    return make(labels, settings.batch, settings.members, settings.seed)


def _moved(batch: Batch, device: torch.device) -> Batch:
    """Return the batch on the device of its outputs."""
    bank = batch.bank and Bank(batch.bank.outputs, batch.bank.levels.to(device))
    labels = None if batch.labels is None else batch.labels.to(device)
    rows, levels, values = (each.to(device) for each in (batch.rows, batch.levels, batch.values))
    return replace(batch, rows=rows, levels=levels, values=values, labels=labels, bank=bank)
