"""What a run needs to go on as if it had never stopped.

Nothing random is in it: all that is drawn is drawn from the seed and the step, and the step is the number of losses.
A file is written beside the old one and then takes its place, so it is whole whenever a run is stopped; it is read
without unpickling anything but tensors and plain values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from evenrank.formats.whole import whole
from evenrank.objective import Objective
from evenrank.training.history import Check, History

FORMAT = "evenrank training 1"

Tensors = dict[str, Tensor]


@dataclass
class State:
    """All that training changes; `best` is the state of model and objective at the best check so far."""

    model: nn.Module
    objective: Objective
    optimiser: Optimizer
    bank: Tensor | None = None
    history: History = field(default_factory=History)
    best: dict[str, Tensors] | None = None

    def add(self, check: Check) -> None:
        """Note a check, and keep the state if it is the best."""
        self.history.checks.append(check)
        if self.history.stale == 0:
            learnt = {"model": self.model, "objective": self.objective}
            self.best = {name: _copied(module.state_dict()) for name, module in learnt.items()}

    def take_best(self) -> None:
        """Go back to the best check, where there was one."""
        if self.best is not None:
            self.model.load_state_dict(self.best["model"])
            self.objective.load_state_dict(self.best["objective"])


def _copied(tensors: Mapping[str, Tensor]) -> Tensors:
    return {name: tensor.detach().clone() for name, tensor in tensors.items()}


def save(path: Path, state: State, about: Mapping[str, str]) -> None:
    """Write a checkpoint; `about` says what of the run it must fit."""
    content = {
        "format": FORMAT,
        "about": dict(about),
        "model": state.model.state_dict(),
        "objective": state.objective.state_dict(),
        "optimiser": state.optimiser.state_dict(),
        "bank": state.bank,
        "losses": state.history.losses,
        "checks": [(check.epoch, check.metrics) for check in state.history.checks],
        "best": state.best,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole(path) as beside:
        torch.save(content, beside)


def restore(path: Path, state: State, about: Mapping[str, str]) -> None:
    """Bring a state to where the checkpoint was written; one that is about another run is refused."""
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ValueError(f"the format must be {FORMAT!r}")
    except Exception as error:  # readers fail in many ways on a damaged file
        raise ValueError(f"{path}: cannot be read as a checkpoint: {_line(error)}") from None
    for name, given in about.items():
        stored = content["about"].get(name)
        if stored != given:
            raise ValueError(f"{path}: was written by another run: its {name} is {stored}; got {given}")
    try:
        _fill(state, content)
    except (AttributeError, KeyError, RuntimeError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: does not fit this model and objective: {_line(error)}") from None


def _fill(state: State, content: Mapping[str, Any]) -> None:
    state.model.load_state_dict(content["model"])
    state.objective.load_state_dict(content["objective"])
    state.optimiser.load_state_dict(content["optimiser"])
    if state.bank is not None:
        state.bank.copy_(content["bank"])
    state.history.losses[:] = content["losses"]
    state.history.checks[:] = [Check(epoch, metrics) for epoch, metrics in content["checks"]]
    state.best = content["best"]


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
