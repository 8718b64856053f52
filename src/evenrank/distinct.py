"""Distinct codes and how many items share each: what dispersion and collisions are read from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenrank.codes import Codes


@dataclass(frozen=True, eq=False)
class Distinct:
    """Each code once, ascending, as a sortable key, and its number of items, int64; `size` bytes a code."""

    keys: np.ndarray
    multiplicity: np.ndarray
    size: int

    @property
    def codes(self) -> np.ndarray:
        """Return the codes as canonical bytes, (codes, size)."""
        if self.size > 8:
            return self.keys.view(np.uint8).reshape(-1, self.size)
        return np.ascontiguousarray(self.keys.astype(">u8").view(np.uint8).reshape(-1, 8)[:, : self.size])

    def multiplicity_of(self, codes: np.ndarray) -> np.ndarray:
        """Return the number of items of each of `codes`, canonical bytes that are known to occur."""
        return self.multiplicity[np.searchsorted(self.keys, _keys(codes))]


def distinct(codes: Codes) -> Distinct:
    """Return the distinct codes, by sorting.

    >>> distinct(Codes.from_bits([[1, 0], [0, 1], [1, 0]])).multiplicity
    array([1, 2])
    """
    keys = _keys(codes.bytes())
    keys.sort()
    fresh = np.flatnonzero(keys[1:] != keys[:-1]) + 1
    bounds = np.concatenate(([0], fresh, [len(keys)]))
    return Distinct(keys if len(fresh) == len(keys) - 1 else keys[bounds[:-1]], np.diff(bounds), (codes.bits + 7) // 8)


def _keys(codes: np.ndarray) -> np.ndarray:
    """Return one sortable key a row, a copy: up to 64 bits a uint64 (quick to sort), else the bytes themselves."""
    size = codes.shape[1]
    if size > 8:
        return np.array(codes, order="C").view(f"V{size}")[:, 0]
    if size == 8 and codes.flags.c_contiguous:
        return np.asarray(codes).view(">u8")[:, 0].astype(np.uint64)
    padded = np.zeros((len(codes), 8), np.uint8)
    padded[:, :size] = codes
    return padded.view(">u8")[:, 0].astype(np.uint64)
