"""22K LabelMe: GIST descriptors of images without labels, where near in GIST means relevant."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenrank.arrays import load_array
from evenrank.dataset import Dataset, Loader

_DIMENSIONS = 512


@dataclass(frozen=True)
class Labelme22k(Loader):
    """22,019 images as 512 GIST values each, without labels."""

    title = "LabelMe-22K"
    media = "image"
    items = 22_019
    needs = (("labelme22k/LabelMe_gist.mat",),)
    source = "https://www.cs.toronto.edu/~norouzi/research/mlh/"
    licence = "none stated"
    citation = "Torralba, Fergus, Weiss: Small Codes and Large Image Databases for Recognition. CVPR 2008"

    def read(self, root: Path) -> Dataset:
        """Return the variable `gist` as published, (items, 512) float32: centring and scaling are the protocol's."""
        path = root / "labelme22k/LabelMe_gist.mat"
        gist = load_array(path, "gist")
        if gist.dtype.kind != "f" or gist.ndim != 2 or gist.shape[1] != _DIMENSIONS:
            wanted = f"rows of {_DIMENSIONS} real numbers"
            raise ValueError(f"{path}: gist must be {wanted}; got {gist.dtype} of shape {gist.shape}")
        bad = np.flatnonzero(~np.isfinite(gist).all(axis=1))
        if len(bad):
            raise ValueError(f"{path}: row {bad[0]} of gist holds what is not a finite number")
        return Dataset("labelme22k", {"image": gist.astype(np.float32)})
