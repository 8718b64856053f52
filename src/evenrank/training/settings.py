"""How to train: everything about a run that is neither data, model nor objective."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from evenrank.parameters import Choice, Integer, Real, validate


@dataclass(frozen=True, kw_only=True)
class Training:
    """Settings of `train`. Times are in epochs: `milestones`, `check`; an epoch is `iterations` steps."""

    epochs: Annotated[int, Integer(1)] = 50
    iterations: Annotated[int | None, Integer(1)] = None  # of an epoch; None: as many as the items fill batches
    batch: Annotated[int, Integer(1)] = 256  # items, over all chunks and processes
    batches: Annotated[str, Choice("random", "balanced", "labelled")] = "random"
    members: Annotated[int | None, Integer(1)] = None  # items of each label, in balanced and labelled batches

    optimiser: Annotated[str, Choice("sgd", "rmsprop", "adam")] = "sgd"
    learning_rate: Annotated[float, Real(0, search=(1e-4, 1), log=True)] = 0.01
    momentum: Annotated[float, Real(0, 0.9999)] = 0.9  # adam: the decay of its first moment
    nesterov: bool = False
    weight_decay: Annotated[float, Real(0)] = 5e-4
    rates: Mapping[str, float] = field(default_factory=dict)  # of a part of the model, by its name: times learning_rate
    milestones: tuple[int, ...] = ()  # epochs after which all rates are multiplied by `factor`
    factor: Annotated[float, Real(0, 1)] = 0.1

    accumulate: Annotated[int, Integer(1)] = 1  # chunks of a batch that go through the model one after another
    precision: Annotated[str, Choice("auto", "full")] = "auto"  # auto: bfloat16 where the model is on a GPU
    freeze_batch_norm: bool = False
    check: Annotated[int, Integer(1)] = 1  # epochs from one validation to the next
    patience: Annotated[int | None, Integer(1)] = None  # checks in a row without a better value that end training
    seed: Annotated[int, Integer(0)] = 0

    def __post_init__(self) -> None:
        validate(self)
        object.__setattr__(self, "rates", dict(sorted(self.rates.items())))
        if (self.batches == "random") != (self.members is None):
            raise ValueError(
                f"members of Training must be given with balanced and labelled batches, and only with them; "
                f"got {self.members!r} with {self.batches!r}"
            )
        if self.nesterov and (self.optimiser != "sgd" or self.momentum == 0):
            raise ValueError(
                f"nesterov of Training needs sgd with momentum; got {self.optimiser!r}, momentum {self.momentum}"
            )
        if list(self.milestones) != sorted(set(self.milestones)) or min(self.milestones, default=1) < 1:
            raise ValueError(f"milestones of Training must be ascending epochs from 1 on; got {self.milestones}")
        for name, rate in self.rates.items():
            if Real(0).problem(rate):
                raise ValueError(f"rates of Training must be {Real(0)}; got {rate!r} for {name!r}")
