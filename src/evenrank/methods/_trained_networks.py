"""What a trained network leaves behind, how it is made again, and what items it is judged by while it trains."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from evenrank.method import Method
from evenrank.networks import Standard, build
from evenrank.training import Validation

HeldOut = tuple[Any, Any] | Validation


def flattened(model: nn.Module) -> np.ndarray:
    """Return a network's learned state as one row of float32."""
    return np.concatenate([tensor.numpy().ravel().astype(np.float32) for tensor in model.state_dict().values()])


def restored(method: Method, outputs: int) -> nn.Module:
    """Return the network of a fitted method, which has `network`, `shape_`, `seed`, `state_`, `mean_`, `deviation_`."""
    name, state_row = method.network, method.state_
    model = build(name, tuple(method.shape_), outputs, method.seed)
    state = model.state_dict()
    sizes = [tensor.numel() for tensor in state.values()]
    if sum(sizes) != len(state_row):
        raise ValueError(f"network {name!r} has {sum(sizes)} values; {len(state_row)} were learned")
    parts = torch.split(torch.from_numpy(state_row), sizes)
    model.load_state_dict({name: part.view_as(state[name]) for name, part in zip(state, parts, strict=True)})
    return nn.Sequential(Standard(method.mean_, method.deviation_), model)


def held_out(method: Method, validation: tuple[Any, Any], shape: tuple[int, ...]) -> tuple[np.ndarray, Any]:
    """Return the items of (x, y) and what y says of who is relevant to whom, checked against the training items."""
    if not isinstance(validation, tuple) or len(validation) != 2:
        raise ValueError(
            f"validation of {method._name} must be (x, y) or a Validation; got {type(validation).__name__}"
        )
    items = method._features(validation[0])
    if items.shape[1:] != shape:
        raise ValueError(f"validation of {method._name} must have items of shape {shape}; got {items.shape[1:]}")
    return items, method._supervision(validation[1], len(items))
