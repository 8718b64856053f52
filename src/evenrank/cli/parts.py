"""One split of a dataset, whose parts `evenrank train` and `evenrank encode` read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    from evenrank.dataset import Dataset
    from evenrank.protocol import Protocol
    from evenrank.split import Split


class Parts(NamedTuple):
    """A dataset, a protocol, and one of its splits."""

    dataset: Dataset
    protocol: Protocol
    split: Split

    def items(self, part: str, modality: str) -> np.ndarray:
        """Return the features or images of a part; `modality` may be empty where there is one."""
        from evenrank.formats.images import ImageFiles

        names = list(self.dataset.modalities)
        if modality not in names and (modality or len(names) > 1):
            raise ValueError(f"--modality must be one of {', '.join(names)}; got {modality or 'none'}")
        media, rows = self.dataset.modalities[modality or names[0]], getattr(self.split, part)
        if isinstance(media, ImageFiles):
            raise ValueError(f"{self.dataset.name} is files of images: make features first, evenrank data features")
        if len(rows) == 0:
            raise ValueError(f"{self.protocol.identifier} has no {part} items in its split {self.split.name!r}")
        return media[rows]

    def labels(self, part: str) -> np.ndarray | None:
        """Return the labels of a part, if there are any."""
        return None if self.dataset.labels is None else self.dataset.labels[getattr(self.split, part)]


def parts(dataset: str, protocol: str, split: str, data: Path | None) -> Parts:
    """Return the split called `split` of a dataset; it may be empty where there is one."""
    from evenrank.catalog import make
    from evenrank.cli.data.check import choose
    from evenrank.dataset import dataset as load

    if not protocol:
        raise ValueError("--dataset needs --protocol, which says what its items are for")
    setting, items = make("protocols", protocol), load(dataset, data)
    chosen = choose(list(setting.splits(items)), split)
    if len(chosen) > 1:
        raise ValueError(f"--split must be one of {', '.join(each.name for each in chosen)}; got none")
    return Parts(items, setting, chosen[0])
