"""Which parameter moves how fast."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.optim import Optimizer

from evenrank.objective import Objective
from evenrank.training.settings import Training


def _sgd(groups: list[dict[str, Any]], settings: Training) -> Optimizer:
    return torch.optim.SGD(groups, momentum=settings.momentum, nesterov=settings.nesterov)


def _rmsprop(groups: list[dict[str, Any]], settings: Training) -> Optimizer:
    return torch.optim.RMSprop(groups, momentum=settings.momentum)


def _adam(groups: list[dict[str, Any]], settings: Training) -> Optimizer:
    return torch.optim.Adam(groups, betas=(settings.momentum, 0.999))


OPTIMISERS: dict[str, Callable[[list[dict[str, Any]], Training], Optimizer]] = {
    "sgd": _sgd,
    "rmsprop": _rmsprop,
    "adam": _adam,
}


def optimiser_of(model: nn.Module, objective: Objective, settings: Training) -> Optimizer:
    """Return the optimiser of a model and of what its objective learns, one group a learning rate.

    An objective with a `learning_rate` of its own is learnt at that rate, and one that does not decay without decay.
    """
    groups: dict[float, list[nn.Parameter]] = {}
    for name, parameter in _trained(model, settings.freeze_batch_norm):
        groups.setdefault(settings.learning_rate * factor_of(name, settings), []).append(parameter)
    names = [name for name, _ in model.named_parameters()]
    for part in settings.rates:
        if not any(_belongs(name, part) for name in names):
            raise ValueError(f"rates of Training must name parts of the model, like {names[0]!r}; got {part!r}")
    own = getattr(objective, "learning_rate", settings.learning_rate)
    decay = settings.weight_decay if objective.decays else 0.0
    listed = [(rate, settings.weight_decay, parameters) for rate, parameters in groups.items()]
    described = [
        {"params": parameters, "lr": rate, "rate": rate, "weight_decay": decayed}
        for rate, decayed, parameters in [*listed, (own, decay, list(objective.parameters()))]
        if parameters
    ]
    return OPTIMISERS[settings.optimiser](described, settings)


def factor_of(name: str, settings: Training) -> float:
    """Return the factor of a parameter: that of the longest part its name lies in, else 1."""
    parts = [part for part in settings.rates if _belongs(name, part)]
    return settings.rates[max(parts, key=len)] if parts else 1.0


def _belongs(name: str, part: str) -> bool:
    return name == part or name.startswith(f"{part}.")


def _trained(model: nn.Module, freeze: bool) -> Iterator[tuple[str, nn.Parameter]]:
    """Yield the parameters that training may change, by name."""
    frozen = {id(each) for norm in norms(model) for each in norm.parameters()} if freeze else set()
    for name, parameter in model.named_parameters():
        if parameter.requires_grad and id(parameter) not in frozen:
            yield name, parameter


def norms(model: nn.Module) -> list[nn.Module]:
    """Return the batch normalisations of a model."""
    return [module for module in model.modules() if isinstance(module, _BatchNorm)]


def set_rates(optimiser: Optimizer, settings: Training, epoch: int) -> None:
    """Set the learning rates of an epoch, counted from 0."""
    decay = settings.factor ** sum(epoch >= milestone for milestone in settings.milestones)
    for group in optimiser.param_groups:
        group["lr"] = group["rate"] * decay
