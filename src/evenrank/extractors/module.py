"""A network of your own: whatever a callable on the import path returns."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from evenrank.dataset import Media
from evenrank.extractor import Extract, Extractor
from evenrank.extractors._networks import Channels, features_of, pick_device, ready
from evenrank.parameters import Choice, Integer


@dataclass(frozen=True)
class Module(Extractor):
    """The network that "package.module:callable" returns, from images to one row of numbers each.

    The callable takes no arguments and brings its own weights. Pixels run from 0 to 1 before `mean` and `std`.
    """

    title = "Your network"
    reads = "image"
    libraries = ("torch", "pillow")

    path: str = ""
    size: Annotated[int, Integer(1, 4096)] = 224
    resize: Annotated[int, Integer(1, 4096)] = 256
    mean: Channels = (0.485, 0.456, 0.406)
    std: Channels = (0.229, 0.224, 0.225)
    interpolation: Annotated[str, Choice("bilinear", "bicubic")] = "bilinear"
    seed: Annotated[int, Integer(0)] = 0
    device: Annotated[str, Choice("auto", "cpu", "cuda")] = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.size > self.resize:
            raise ValueError(f"size of Module must be at most resize, {self.resize}; got {self.size}")
        if not all(self.path.partition(":")):
            raise ValueError(f"path of Module must be written 'package.module:callable'; got {self.path!r}")
        for name, three in (("mean", self.mean), ("std", self.std)):
            if not isinstance(three, tuple) or len(three) != 3 or not all(isinstance(x, (int, float)) for x in three):
                raise ValueError(f"{name} of Module must be three numbers, one a channel; got {three!r}")

    def fit(self, items: Media) -> Extract:
        """Return the network's pass over images."""
        ready("module")
        look = (self.interpolation, self.mean, self.std)
        return features_of(_build(self.path, self.seed), pick_device(self.device), self.size, self.resize, look)

    def files(self) -> tuple[Path, ...]:
        """Return the file of the code."""
        name = self.path.partition(":")[0]
        try:
            spec = find_spec(name)
        except ImportError:
            spec = None
        if spec is None or spec.origin is None:
            raise ValueError(f"path of Module must name a module on the import path; got {name!r}")
        return (Path(spec.origin),)


def _build(path: str, seed: int) -> Any:
    import torch

    name, _, function = path.partition(":")
    try:
        build = getattr(import_module(name), function)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"path of Module must name a callable on the import path; got {path!r}: {error}") from None
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = build()
    if not isinstance(network, torch.nn.Module):
        raise ValueError(f"path of Module must return a torch.nn.Module; {path!r} gives {type(network).__name__}")
    return network
