"""Several processes, one batch: each computes the outputs of its slice, all compute the loss of the whole.

A listwise loss is not the mean of the losses of slices, so outputs are gathered, with their gradient, before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
import torch.distributed as distributed
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel


def place() -> tuple[int, int]:
    """Return (the number of this process, how many there are); (0, 1) where torch.distributed is not initialised."""
    if not (distributed.is_available() and distributed.is_initialized()):
        return 0, 1
    return distributed.get_rank(), distributed.get_world_size()


def gathered(outputs: Tensor) -> Tensor:
    """Return the outputs of all processes, in their order; alone, the outputs themselves.

    The gradient is exact for a loss of the gathered outputs that every process computes alike, given a model whose
    gradients are then *averaged* over the processes, as DistributedDataParallel does.
    """
    if place()[1] == 1:
        return outputs
    apply: Any = _Gathered.apply
    everything: Tensor = apply(outputs)
    return everything


class _Gathered(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, outputs: Tensor) -> Tensor:
        context.rows = len(outputs)
        parts = [torch.empty_like(outputs) for _ in range(place()[1])]
        distributed.all_gather(parts, outputs.contiguous())
        return torch.cat(parts)

    @staticmethod
    def backward(context: Any, *gradients: Any) -> Tensor:
        # This process knows the whole derivative by its own slice; the sum over slices is what averaging divides.
        process, count = place()
        own: Tensor = gradients[0][process * context.rows : (process + 1) * context.rows]
        return own * count


def wrapped(model: nn.Module) -> nn.Module:
    """Return the model that averages its gradients over the processes; alone, the model itself."""
    if place()[1] == 1 or isinstance(model, DistributedDataParallel):
        return model
    return DistributedDataParallel(model)


def unwrapped(model: nn.Module) -> nn.Module:
    """Return the model without what `wrapped` put around it."""
    inner: nn.Module = model.module if isinstance(model, DistributedDataParallel) else model
    return inner


def align(tensors: Iterable[Tensor]) -> None:
    """Give tensors the values that they have in the first process."""
    if place()[1] > 1:
        for tensor in tensors:
            distributed.broadcast(tensor.detach(), 0)
