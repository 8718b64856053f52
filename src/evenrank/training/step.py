"""The gradient of one batch, the same however the batch is cut.

A listwise loss needs the outputs of all items at once, a large model cannot keep what backpropagation needs for all.
So with several chunks the outputs are computed first, chunk by chunk and without graph; the loss of all of them gives
its derivative by each output; then every chunk goes through the model again, with graph, and passes its share of that
derivative on. Dropout draws the same in both passes. (Batch normalisation that is not frozen normalises each chunk by
itself, as it does in any process of its own.)
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from evenrank.objective import Batch, Objective
from evenrank.training.processes import gathered, place, unwrapped
from evenrank.training.settings import Training

DROPOUT, OBJECTIVE = 4, 5  # what is drawn, beside the purposes of batches.py and augmentation.py


def backward(
    network: nn.Module, objective: Objective, inputs: Tensor, batch: Batch, settings: Training, step: int
) -> tuple[Tensor, Tensor]:
    """Add the gradient of a batch to all parameters; return its loss and the outputs of the whole batch.

    `inputs` are this process's slice of the batch.
    """
    parts = inputs.tensor_split(settings.accumulate)
    if len(parts) == 1:
        own = _outputs(network, inputs, settings, step, 0)
    else:
        own = _outputs_without_graph(unwrapped(network), parts, settings, step).requires_grad_()
    outputs = gathered(own)
    _seed(inputs, settings.seed, OBJECTIVE, step, 0)
    loss: Tensor = objective(outputs, batch)
    loss.backward()  # type: ignore[no-untyped-call]
    if len(parts) > 1 and own.grad is not None:
        gradients = own.grad.tensor_split(len(parts))
        for number, (part, gradient) in enumerate(zip(parts, gradients, strict=True)):
            with nullcontext() if number == len(parts) - 1 else _unsynchronised(network):
                _outputs(network, part, settings, step, number).backward(gradient)  # type: ignore[no-untyped-call]
    return loss.detach(), outputs.detach()


@torch.no_grad()
def _outputs_without_graph(model: nn.Module, parts: tuple[Tensor, ...], settings: Training, step: int) -> Tensor:
    """Return the outputs of all chunks; running statistics stay as they were, for the second pass to change once."""
    before = [buffer.clone() for buffer in model.buffers()]
    outputs = torch.cat([_outputs(model, part, settings, step, number) for number, part in enumerate(parts)])
    for buffer, value in zip(model.buffers(), before, strict=True):
        buffer.copy_(value)
    return outputs


def _outputs(network: nn.Module, inputs: Tensor, settings: Training, step: int, part: int) -> Tensor:
    """Return the outputs of a chunk; what is random in the model depends on the step and the chunk's place alone."""
    _seed(inputs, settings.seed, DROPOUT, step, place()[0] * settings.accumulate + part)
    mixed = settings.precision == "auto" and inputs.is_cuda and inputs.dtype == torch.float32
    with torch.autocast(inputs.device.type, torch.bfloat16, enabled=mixed):
        outputs: Tensor = network(inputs)
    if outputs.ndim != 2 or len(outputs) != len(inputs):
        raise ValueError(f"a model must return (items, dimensions) for {len(inputs)} items; got {tuple(outputs.shape)}")
    return outputs.float() if mixed else outputs


def _unsynchronised(network: nn.Module) -> AbstractContextManager[None]:
    """Return the context in which a distributed model keeps its gradients to itself, until the last chunk's."""
    if isinstance(network, DistributedDataParallel):
        context: AbstractContextManager[None] = network.no_sync()
        return context
    return nullcontext()


def _seed(inputs: Tensor, seed: int, purpose: int, step: int, part: int) -> None:
    """Seed the generators of the processor and of the device at work.

    `torch.manual_seed` would seed those of every device that torch knows, and without one keep a note of each call.
    """
    drawn = int(np.random.SeedSequence((seed, purpose, step, part)).generate_state(1, np.uint64)[0])
    torch.default_generator.manual_seed(drawn)
    if inputs.is_cuda:
        torch.cuda.manual_seed(drawn)
