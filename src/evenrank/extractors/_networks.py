"""What extractors that run a network share: the device, the pass over a block, and the import that often fails."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evenrank.dataset import Media
from evenrank.extractor import Extract
from evenrank.extractors._squares import squares

if TYPE_CHECKING:
    import torch

Channels = tuple[float, float, float]
OPERATORS = ("nms", "qnms")


def ready(who: str) -> None:
    """Import torch and see to it that timm and transformers can be imported, or say in one line what is missing.

    Both import torchvision where it is installed. PyPI has it for CUDA alone, and beside a torch for the CPU alone that
    import fails: it describes two operators of a compiled part that could not be loaded. Declaring them is enough,
    since nothing here calls them.
    """
    try:
        import torch
    except ImportError:
        raise ValueError(f"{who} needs torch: pip install 'evenrank[features]'") from None
    try:
        import_module("torchvision")
    except ImportError:
        pass  # transformers does without; timm says itself that it is missing
    except RuntimeError:
        for name in OPERATORS:
            torch.library.define(f"torchvision::{name}", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")


def pick_device(wanted: str) -> torch.device:
    """Return the device: for "auto" the GPU if there is one."""
    import torch

    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    if wanted == "cuda" and not torch.cuda.is_available():
        raise ValueError("device must be auto or cpu where torch finds no CUDA device; got 'cuda'")
    return torch.device(wanted)


def features_of(
    network: torch.nn.Module, device: torch.device, size: int, resize: int, look: tuple[str, Channels, Channels]
) -> Extract:
    """Return the function from images to what `network` makes of them; `look` is interpolation, mean and deviation.

    Mean and deviation are of the three channels, whose values run from 0 to 1.
    """
    import torch

    network = network.eval().to(device)
    interpolation, *moments = look
    mean, deviation = (torch.tensor(each, device=device).view(3, 1, 1) for each in moments)

    @torch.inference_mode()
    def extract(items: Media) -> np.ndarray:
        pixels = torch.from_numpy(squares(items, size, resize, interpolation)).to(device)
        features: Any = network((pixels.permute(0, 3, 1, 2).float() / 255 - mean) / deviation)
        if not isinstance(features, torch.Tensor) or features.shape[:1] != (len(items),):
            raise ValueError(f"a network must return a tensor with a row an image; got {type(features).__name__}")
        return features.flatten(1).float().cpu().numpy()

    return extract


def read_tensors(path: Path) -> dict[str, Any]:
    """Return the tensors of a .safetensors, .pth or .pt file by name; nothing else that a file may hold is loaded."""
    import torch

    if path.suffix not in (".safetensors", ".pth", ".pt") or not path.is_file():
        raise ValueError(f"{path}: must be a file of weights, .safetensors, .pth or .pt")
    try:
        if path.suffix == ".safetensors":
            from safetensors.torch import load_file

            return load_file(path)
        tensors = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # readers fail in many ways on a damaged file
        raise ValueError(f"{path}: cannot be read as weights: {_line(error)}") from None
    if not isinstance(tensors, dict) or not all(isinstance(each, torch.Tensor) for each in tensors.values()):
        raise ValueError(f"{path}: must hold tensors by name and nothing else")
    return tensors


def strict_load(network: torch.nn.Module, tensors: dict[str, Any], path: Path) -> None:
    """Give a network its weights; every tensor of either must have its counterpart."""
    try:
        network.load_state_dict(tensors, strict=True)
    except RuntimeError as error:
        raise ValueError(f"{path}: does not fit the network: {_line(error)}") from None


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
