"""Networks that gradient-trained methods learn, by name: from features or images to one output a bit.

    linear                    W x + c on features
    dsh                       the small network of Deep Supervised Hashing, for 32 × 32 images
    resnet                    the 20-layer residual network for 32 × 32 images (He, Zhang, Ren, Sun, CVPR 2016)
    timm:NAME                 any image model of timm, from random weights
    module:PACKAGE.MODULE:F   what F(bits) returns, a torch module, for features or images

Images reach a network as (items, channels, height, width) between 0 and 1. Every network is drawn from a seed, and the
global generator stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from math import prod, sqrt

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from evenrank.arrays import BLOCK
from evenrank.extractors._networks import ready
from evenrank.parameters import nearest
from evenrank.training import linear


def build(name: str, shape: tuple[int, ...], bits: int, seed: int) -> nn.Module:
    """Return the network called `name` for items of a shape: (dimensions,) or (height, width[, channels])."""
    kind, _, rest = name.partition(":")
    images = len(shape) > 1
    if (kind == "linear" and images) or (kind in ("dsh", "resnet", "timm") and not images):
        raise ValueError(f"network {name!r} takes {'features' if images else 'images'}; got items of shape {shape}")
    if name == "linear":
        return linear(prod(shape), bits, seed)
    builders: dict[str, Callable[[], nn.Module]] = {
        "dsh": lambda: dsh(_channels(shape), bits),
        "resnet": lambda: resnet(_channels(shape), bits),
        "timm": lambda: _timm(rest, _channels(shape), bits),
        "module": lambda: _module(rest, bits),
    }
    if kind not in builders or (kind in ("timm", "module")) != bool(rest):
        raise ValueError(
            f"network must be one of linear, dsh, resnet, timm:NAME, module:PACKAGE.MODULE:CALLABLE; got {name!r}"
        )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return builders[kind]()


def dsh(channels: int, bits: int) -> nn.Sequential:
    """Return the network of Deep Supervised Hashing (Liu et al., CVPR 2016), linear at its end.

    At 32 × 32 pixels the last pooling leaves 4 × 4 places; images of another size are averaged to as many.
    """
    model = nn.Sequential(
        nn.Conv2d(channels, 32, 5, padding=2),
        nn.MaxPool2d(3, 2, ceil_mode=True),
        nn.ReLU(),
        LocalNorm(),
        nn.Conv2d(32, 32, 5, padding=2),
        nn.AvgPool2d(3, 2, ceil_mode=True),
        nn.ReLU(),
        LocalNorm(),
        nn.Conv2d(32, 64, 5, padding=2),
        nn.ReLU(),
        nn.AvgPool2d(3, 2, ceil_mode=True),
        nn.AdaptiveAvgPool2d(4),
        nn.Flatten(),
        nn.Linear(64 * 4 * 4, 500),
        nn.ReLU(),
        nn.Linear(500, bits),
    )
    for layer in model:
        if isinstance(layer, (nn.Conv2d, nn.Linear)):
            bound = sqrt(3 / layer.weight[0].numel())  # "xavier" of Caffe: by the inputs of a unit alone
            nn.init.uniform_(layer.weight, -bound, bound)
            nn.init.zeros_(layer.bias)  # type: ignore[arg-type]
    return model


class LocalNorm(nn.Module):
    """Response normalisation within a channel: x / (1 + 5e-5 · the mean of x² over 3 × 3 places)^¾."""

    def forward(self, inputs: Tensor) -> Tensor:
        """Return the normalised responses."""
        around = functional.avg_pool2d(inputs.square(), 3, 1, padding=1)
        return inputs / (1 + 5e-5 * around).pow(0.75)


def resnet(channels: int, bits: int) -> nn.Sequential:
    """Return three stages of three residual blocks, 16, 32 and 64 channels wide, and a linear layer."""
    stages = [(16, 16, 1), (16, 16, 1), (16, 16, 1), (16, 32, 2), (32, 32, 1), (32, 32, 1), (32, 64, 2)]
    blocks = [Residual(*each) for each in [*stages, (64, 64, 1), (64, 64, 1)]]
    first = nn.Sequential(nn.Conv2d(channels, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU())
    return nn.Sequential(first, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, bits))


class Residual(nn.Module):
    """Two convolutions, added to what came in; a wider or smaller output is reached by a 1 × 1 convolution."""

    def __init__(self, inside: int, outside: int, stride: int) -> None:
        super().__init__()
        self.change = nn.Sequential(
            nn.Conv2d(inside, outside, 3, stride, padding=1, bias=False),
            nn.BatchNorm2d(outside),
            nn.ReLU(),
            nn.Conv2d(outside, outside, 3, padding=1, bias=False),
            nn.BatchNorm2d(outside),
        )
        same = inside == outside and stride == 1
        self.carry = nn.Identity() if same else nn.Conv2d(inside, outside, 1, stride, bias=False)

    def forward(self, inputs: Tensor) -> Tensor:
        """Return the block's outputs."""
        return functional.relu(self.carry(inputs) + self.change(inputs))


class Standard(nn.Module):
    """(x − mean) / deviation, with both fixed: the first layer of what is trained, saved with it."""

    mean: Tensor
    deviation: Tensor

    def __init__(self, mean: np.ndarray, deviation: np.ndarray) -> None:
        super().__init__()
        self.register_buffer("mean", torch.tensor(mean, dtype=torch.float32))
        self.register_buffer("deviation", torch.tensor(deviation, dtype=torch.float32))

    def forward(self, inputs: Tensor) -> Tensor:
        """Return standardised inputs."""
        return (inputs - self.mean) / self.deviation


def standard(x: np.ndarray) -> Standard:
    """Return the layer that centres and scales items as training items are.

    Features get the mean of each column and one deviation for all, the root of their mean variance: what varies more
    keeps counting more. Images get mean and deviation of each channel.
    """
    mean, variance = _moments(x)
    if x.ndim > 2:
        sides = (-1, 1, 1)
        return Standard(mean.reshape(sides) / 255, np.where(variance > 0, np.sqrt(variance), 255).reshape(sides) / 255)
    if not variance.any():
        raise ValueError("features must differ between items; all rows are the same")
    return Standard(mean, np.sqrt(variance.mean(keepdims=True)))


def _moments(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and variance of each column, or of each channel of images, in float64 and block by block."""
    columns = x.shape[1] if x.ndim == 2 else _channels(x.shape[1:])
    step = max(1, BLOCK // prod(x.shape[1:]))
    blocks = [x[first : first + step].reshape(-1, columns) for first in range(0, len(x), step)]
    count = sum(map(len, blocks))
    mean = sum(block.sum(axis=0, dtype=np.float64) for block in blocks) / count
    squares = sum(np.square(block.astype(np.float64) - mean).sum(axis=0) for block in blocks)
    return np.asarray(mean), np.asarray(squares) / count


def _channels(shape: tuple[int, ...]) -> int:
    return shape[2] if len(shape) == 3 else 1


def _timm(name: str, channels: int, bits: int) -> nn.Module:
    ready("network timm")
    try:
        import timm
    except ImportError as error:
        raise ValueError(f"network timm needs timm: pip install 'evenrank[features]' ({error})") from None
    names = timm.list_models()
    if name not in names:
        raise ValueError(f"network timm:NAME must name one of timm's models; got {name!r}{nearest(name, names)}")
    return timm.create_model(name, pretrained=False, in_chans=channels, num_classes=bits)


def _module(path: str, bits: int) -> nn.Module:
    name, _, function = path.partition(":")
    try:
        factory = getattr(import_module(name), function)
    except (AttributeError, ImportError, ValueError) as error:
        raise ValueError(f"network must name a callable on the import path; got {path!r}: {error}") from None
    built = factory(bits)
    if not isinstance(built, nn.Module):
        raise ValueError(f"network {path!r} must return a torch.nn.Module; got {type(built).__name__}")
    return built
