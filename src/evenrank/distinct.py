"""Distinct codes and how many items share each: what dispersion and collisions are read from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from evenrank.codes import Codes


class Distinct(NamedTuple):
    """Each code once, in ascending order, as canonical bytes (codes, ⌈bits / 8⌉), and its number of items, int64."""

    codes: np.ndarray
    multiplicity: np.ndarray

    def multiplicity_of(self, codes: np.ndarray) -> np.ndarray:
        """Return the number of items of each of `codes`, canonical bytes that are known to occur."""
        return np.asarray(self.multiplicity[np.searchsorted(_keys(self.codes), _keys(codes))])


def distinct(codes: Codes) -> Distinct:
    """Return the distinct codes, by sorting.

    >>> distinct(Codes.from_bits([[1, 0], [0, 1], [1, 0]])).multiplicity
    array([1, 2])
    """
    keys = np.sort(_keys(codes.bytes()))
    fresh = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    multiplicity = np.diff(np.append(fresh, len(keys)))
    return Distinct(_bytes(keys[fresh], (codes.bits + 7) // 8), multiplicity)


def _keys(codes: np.ndarray) -> np.ndarray:
    """Return one sortable number a row: up to 64 bits a uint64 (quick to sort), else the bytes themselves."""
    size = codes.shape[1]
    if size > 8:
        return np.ascontiguousarray(codes).view(f"V{size}")[:, 0]
    padded = np.zeros((len(codes), 8), np.uint8)
    padded[:, :size] = codes
    return padded.view(">u8")[:, 0].astype(np.uint64)


def _bytes(keys: np.ndarray, size: int) -> np.ndarray:
    if size > 8:
        return keys.view(np.uint8).reshape(len(keys), size)
    return np.ascontiguousarray(keys.astype(">u8").view(np.uint8).reshape(len(keys), 8)[:, :size])
