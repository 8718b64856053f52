"""Linear hash functions, the model of paper 1 on precomputed features."""

from __future__ import annotations

import torch
from torch import nn


def linear(dimensions: int, bits: int, seed: int) -> nn.Linear:
    """Return f(x) = W x + c with W drawn from N(0, 2 / dimensions) and c = 0, as its authors start."""
    model = nn.Linear(dimensions, bits, device="meta").to_empty(device="cpu")  # leaves the global generator alone
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        model.weight.normal_(0, (2 / dimensions) ** 0.5, generator=draw)
        model.bias.zero_()
    return model
