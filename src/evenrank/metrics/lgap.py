"""Local group average precision: precision in growing Hamming balls, discounted where items crowd on few codes."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Annotated, ClassVar

import numpy as np

from evenrank.cutoff import Cutoff, Kind
from evenrank.metric import Metric, Reads, Spread
from evenrank.occupancy import Occupancy
from evenrank.parameters import Choice, Integer
from evenrank.tally import Tally


@dataclass(frozen=True)
class LocalGroupAveragePrecision(Metric):
    """Mean over the radii j = 0 … r of precision within j times dispersion φ within j (paper 2); its mean is mLGAP.

    LGAP@r = 1/(r+1) Σ_j (relevant in S_j / |S_j|) φ(S_j), where S_j are the items within Hamming distance j of the
    query and an empty S_j adds 0. Tie orders do not matter. φ, from 0 to 1, says how evenly S_j uses its codes; with h
    the most items on one code and V_j = Σ_{i≤j} C(b, i) the codes of the ball, `dispersion` is

    - ball (the paper): |S_j| / (h V_j), mean over all codes of the ball, empty ones too, relative to the fullest;
    - occupied: |S_j| / (h · occupied codes), the same over occupied codes, so that it does not shrink with V_j;
    - entropy: of the items over the codes of the ball, divided by its largest value log V_j; 1 for V_0 = 1. Like
      "ball" it counts empty codes, but one crowded code does not decide alone.

    Values of "ball" and "entropy" are not comparable across code lengths: V_j grows.

    >>> tally = Tally([[[0, 2], [2, 2], [3, 1], [0, 0], [0, 0]]], levels=[0, 1], distances=[0, 1, 2, 3, 4])
    >>> around = Occupancy(4, np.array([[1, 3, 3]]), np.array([[2, 2, 2]]), np.array([[1.39, 1.39, 1.39]]))
    >>> LocalGroupAveragePrecision(Cutoff("rank", 2)).spread(tally, around).expected.round(10)
    array([0.54242424])
    """

    names: ClassVar[tuple[str, ...]] = ("LGAP", "mLGAP")
    cutoffs: ClassVar[tuple[Kind, ...]] = ("rank", "radius")
    first_rank: ClassVar[int] = 0  # what stands behind the @ is the radius
    reads: ClassVar[Reads] = "occupancy"

    dispersion: Annotated[str, Choice("ball", "occupied", "entropy")] = "ball"
    rel: Annotated[int | None, Integer(1)] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "cutoff", Cutoff("rank", self.cutoff.value))  # LGAP@H<=2 is LGAP@2

    @property
    def needs_relevant(self) -> bool:
        """Return False: nothing relevant nearby is a value of 0."""
        return False

    def spread(self, tally: Tally, occupancy: Occupancy) -> Spread:
        """Return LGAP of each query; no tie order changes it."""
        radius, groups = self.cutoff.value, tally.groups(self.rel)
        if not np.isin(tally.distances, [*range(occupancy.bits + 1), np.inf]).all():
            raise ValueError(f"LGAP reads tallies of Hamming distances, whole numbers from 0 to {occupancy.bits}")
        if radius >= occupancy.occupied.shape[1] or radius > occupancy.bits:
            raise ValueError(
                f"LGAP@{radius} needs the occupancy up to radius {radius} of codes of at least as many bits; "
                f"got radius {occupancy.occupied.shape[1] - 1}, {occupancy.bits} bits"
            )
        inside = [np.broadcast_to(tally.distances <= j, groups.items.shape) for j in range(radius + 1)]
        items, relevant = (
            np.stack([table.sum(axis=1, where=ball) for ball in inside], axis=1)
            for table in (groups.items, groups.relevant)
        )
        precision = relevant / np.maximum(items, 1)
        value = (precision * self._dispersion(items, occupancy)).mean(axis=1)
        return Spread(value, value, value, np.zeros(len(value)))

    def _dispersion(self, items: np.ndarray, occupancy: Occupancy) -> np.ndarray:
        """Return φ(S_j), (queries, radius + 1); what it is for an empty ball does not matter."""
        within = slice(0, items.shape[1])
        codes = np.cumsum([float(comb(occupancy.bits, distance)) for distance in range(items.shape[1])])
        if self.dispersion == "entropy":
            spread = np.cumsum(occupancy.spread[:, within], axis=1)
            entropy = np.log(np.maximum(items, 1)) - spread / np.maximum(items, 1)
            share = entropy[:, 1:] / np.log(codes[1:])
            return np.concatenate([np.ones((len(items), 1)), np.clip(share, 0, 1)], axis=1)
        fullest = np.maximum.accumulate(occupancy.largest[:, within], axis=1)
        bins = codes if self.dispersion == "ball" else np.cumsum(occupancy.occupied[:, within], axis=1)
        return np.asarray(items / np.maximum(fullest * bins, 1))
