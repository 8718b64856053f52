"""Real-valued representations, and their fixed-point rows, which make every distance exact.

A floating-point matmul does not even tie an item with itself: its rounding depends on order, tiling, library and
device. So the distance is *defined* on integers. Rows are brought to norm ≤ 1 (cosine: divided by their norm, in
float64, in one fixed order of summation; euclidean and dot: scaled by one power of two) and rounded to multiples of
2⁻²⁶ (euclidean 2⁻²⁵); counted in those units they are integers, and so are all products and sums of them:

    sum of a pair = query bias + row bias - query · row    (1 - cos, or |q|² + |x|² - 2 q · x, or - q · x)
    key of a pair = row bias - query · row                 (the same order for one query; what kernels compute)

Why a float64 matmul computes it exactly, in any order. Rounding moves each of the d coordinates by at most half a
unit, hence the norm by at most √d / 2 units: an integer row has norm at most r = 2²⁶ + √d / 2 (euclidean 2²⁵ + √d / 2;
the rounding error of the norm itself is far below one unit). Any partial sum of q · x, whatever its terms and their
order, is an integer of magnitude at most |q| |x| ≤ r² (Cauchy-Schwarz): for d = 65,536 at most (2²⁶ + 128)², just above
2⁵², and only beyond d = 10¹⁵ would it reach 2⁵³, where float64 stops holding every integer. Euclidean queries are
doubled: |q · x| ≤ 2 r², and the sum of a pair is at most (2 r)² = (2²⁶ + √d)², again below 2⁵³. Nothing ever rounds, so
identical rows tie, and permutations, tiles, shards and devices change nothing.

Rows whose distances differ by less, such as the outputs of a saturated softmax, tie on this grid. `grid="fine"` rounds
them to multiples of 2⁻⁴⁶ (euclidean 2⁻⁴⁵) instead, up to 8,192 dimensions and several times as slowly; `kernels.fine`
says why it is exact, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from evenrank.arrays import as_array
from evenrank.kernels import fine

DISTANCES = ("cosine", "euclidean", "dot")
GRIDS = ("coarse", "fine")
UNITS = {"cosine": 26, "euclidean": 25, "dot": 26}  # rows are rounded to multiples of 2 to the minus this
BLOCK = 1 << 20  # values read at a time, so that a memory map larger than memory streams


class Embeddings:
    """Rows of real numbers and the distance that compares them.

    `values` (n, d) is float16, float32 or float64 in a numpy array, a memory map or a torch tensor on the CPU, and is
    never copied; `distance` is "cosine" (1 - cos), "euclidean" or "dot" (minus the dot product). All rows are read
    once, in blocks, to refuse NaN, infinity and (under cosine) zero rows. `grid` "fine" tells distances apart that
    differ by less than the rounding of float32, which the "coarse" one ties.

    >>> Embeddings(np.eye(3))
    Embeddings(3 rows, 3 dimensions, float64, cosine)
    """

    def __init__(self, values: Any, distance: str = "cosine", grid: str = "coarse") -> None:
        if distance not in DISTANCES:
            raise ValueError(f"Embeddings: distance must be one of {', '.join(DISTANCES)}; got {distance!r}")
        if grid not in GRIDS:
            raise ValueError(f"Embeddings: grid must be one of {', '.join(GRIDS)}; got {grid!r}")
        self.values: np.ndarray = as_floats(values)
        self.distance, self.grid = distance, grid
        check_shape(self.values)
        if grid == "fine" and self.dimensions > fine.DIMENSIONS:
            raise ValueError(f"Embeddings: a fine grid has at most {fine.DIMENSIONS} dimensions; got {self.dimensions}")
        self.exponent = scan(self.values, distance)

    @cached_property
    def exponent(self) -> int:
        """The smallest e such that every row's norm is below 2ᵉ."""
        return scan(self.values, self.distance)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and dimensions."""
        return len(self), self.dimensions

    @property
    def dimensions(self) -> int:
        """Length of a row."""
        return int(self.values.shape[1])

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: Any) -> Embeddings:
        """Return the embeddings of some rows: a slice (a view), an index, an array of indices or a mask."""
        if isinstance(rows, tuple):
            raise TypeError("Embeddings: index by rows only, embeddings[rows]; got several indices")
        part = object.__new__(Embeddings)  # its rows are already checked
        part.values, part.distance, part.grid = np.atleast_2d(self.values[rows]), self.distance, self.grid
        check_shape(part.values)
        return part

    def __repr__(self) -> str:
        n, d = self.shape
        grid = ", fine grid" if self.grid == "fine" else ""
        return f"Embeddings({n} rows, {d} dimensions, {self.values.dtype}, {self.distance}{grid})"


@dataclass(frozen=True)
class FixedPoint:
    """The units in which queries and database rows become integers; made by `fixed_point`.

    Rows are multiplied by 2 to the power `units - exponent` of their side and rounded (cosine: normalised first).
    On the fine grid a row is twice as long: d high coordinates, then d low ones.
    """

    distance: str
    query_exponent: int
    database_exponent: int
    grid: str = "coarse"

    @property
    def fine_kernels(self) -> fine.FineKernels:
        """The kernels of the fine grid."""
        return fine.FineKernels(factor=2 if self.distance == "euclidean" else 1)

    def queries(self, queries: Embeddings, first: int = 0, last: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return (rows, bias) of queries first … last - 1: (n, d) and (n,) integers in float64.

        The bias is what a key lacks of the sum that `distances` takes; it never matters to a ranking.
        """
        rows = self._integers(queries, first, last, self.query_exponent)
        if self.distance == "euclidean":
            return rows if self.grid == "fine" else 2 * rows, self._squares(rows)
        return rows, np.full(len(rows), 2.0**52 if self.distance == "cosine" else 0.0)

    def database(self, database: Embeddings, first: int = 0, last: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return (rows, bias) of database rows first … last - 1; a pair's key is bias[row] - its product, exact."""
        rows = self._integers(database, first, last, self.database_exponent)
        return rows, self._squares(rows) if self.distance == "euclidean" else np.zeros(len(rows))

    def products(self, queries: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return what each key takes from the row's bias, (queries, rows) or, of a single query, (rows,)."""
        return self.fine_kernels.products(queries, rows) if self.grid == "fine" else queries @ rows.T

    def distances(self, sums: np.ndarray) -> np.ndarray:
        """Return the distances, in units of the input and for display, of `sums` = key + query bias."""
        if self.distance == "cosine":
            distances: np.ndarray = np.clip(
                shifted(sums, -52), 0, 2
            )  # rounded rows are not quite of norm 1: 1e-8 to and fro
        elif self.distance == "dot":
            distances = shifted(sums, self.query_exponent + self.database_exponent - 52)
        else:
            least = np.maximum(sums, 0)  # a fine one is off by up to two units
            distances = shifted(np.sqrt(least), self.query_exponent - UNITS["euclidean"])
        return distances

    def _squares(self, rows: np.ndarray) -> np.ndarray:
        """Return the square of each row's norm."""
        return self.fine_kernels.squares(rows) if self.grid == "fine" else np.einsum("nd,nd->n", rows, rows)

    def _integers(self, embeddings: Embeddings, first: int, last: int | None, exponent: int) -> np.ndarray:
        """Return the rows as integers in float64, filled block by block."""
        part, rounded = embeddings.values[first:last], fine.split if self.grid == "fine" else np.rint
        rows = np.empty((len(part), part.shape[1] * (2 if self.grid == "fine" else 1)))
        for start, block in blocks(part):
            if self.distance == "cosine":
                block = unit_rows(block)
            rows[start : start + len(block)] = rounded(shifted(block, UNITS[self.distance] - exponent))
        return rows


def fixed_point(queries: Embeddings, *databases: Embeddings) -> FixedPoint:
    """Return the units shared by queries and all shards of a database.

    Euclidean distances need one exponent for both sides; a dot product has one for each, cosines none.
    """
    for database in databases:
        for what in ("distance", "dimensions", "grid"):
            mine, other = getattr(queries, what), getattr(database, what)
            if mine != other:
                raise ValueError(f"queries and database must have the same {what}; got {mine} and {other}")
    if queries.distance == "cosine":
        return FixedPoint("cosine", 0, 0, queries.grid)
    exponent = max((database.exponent for database in databases), default=queries.exponent)
    if queries.distance == "dot":
        return FixedPoint("dot", queries.exponent, exponent, queries.grid)
    both = max(exponent, queries.exponent)
    return FixedPoint("euclidean", both, both, queries.grid)


def as_floats(values: Any) -> np.ndarray:
    """Return `values` as a numpy array of floats that shares their memory."""
    array = as_array(values, "Embeddings: values")
    if array.dtype.kind != "f" or array.dtype.itemsize not in (2, 4, 8):
        hint = " (convert with .astype('float32'))" if array.dtype.kind in "iub" else ""
        raise ValueError(f"Embeddings: values must be float16, float32 or float64{hint}; got {array.dtype}")
    return array


def check_shape(values: np.ndarray) -> None:
    """Raise unless `values` has rows and dimensions."""
    if values.ndim != 2:
        raise ValueError(f"Embeddings: values must be 2-D (rows, dimensions); got shape {values.shape}")
    if values.size == 0:
        raise ValueError(f"Embeddings: values must not be empty; got shape {values.shape}")


def blocks(values: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (first row, float64 C-ordered copy) of consecutive rows."""
    step = max(1, BLOCK // values.shape[1])
    for first in range(0, len(values), step):
        yield first, np.array(values[first : first + step], np.float64, order="C")


def scan(values: np.ndarray, distance: str) -> int:
    """Return the smallest e such that every norm is below 2ᵉ, after refusing rows that no distance can compare."""
    exponent = -1073  # of the smallest positive float64: holds if all rows are zero
    for first, block in blocks(values):
        largest = np.abs(block).max(axis=1)
        refuse(~np.isfinite(largest), first, "NaN or infinity")
        if distance == "cosine":
            refuse(largest == 0, first, "only zeros, which have no cosine")
        else:
            scale = int(np.frexp(largest.max())[1])  # so that no square overflows
            norm = np.sqrt(squares(shifted(block, -scale)).max())
            exponent = max(exponent, scale + int(np.frexp(norm)[1]))
    return 0 if distance == "cosine" else exponent


def refuse(bad: np.ndarray, first: int, what: str) -> None:
    """Raise if any row is bad, naming the first; `first` is the number of the block's first row."""
    if bad.any():
        raise ValueError(f"Embeddings: every row must have a distance; row {first + int(bad.argmax())} holds {what}")


def unit_rows(block: np.ndarray) -> np.ndarray:
    """Return float64 rows divided by their norms; the same bits whichever block a row is in."""
    scale = np.frexp(np.abs(block).max(axis=1))[1]
    block = np.ldexp(block, -scale[:, None])  # exact, and no square overflows
    return np.asarray(block / np.sqrt(squares(block))[:, None])


def squares(block: np.ndarray) -> np.ndarray:
    """Return each row's sum of squares; numpy sums a C-ordered row pairwise, in an order that depends only on d."""
    return np.asarray(np.square(block).sum(axis=1))


def shifted(values: np.ndarray, exponent: int) -> np.ndarray:
    """Return values · 2 to the `exponent`; np.ldexp does the same, ten times as slowly, for exponents of any size."""
    return np.asarray(values * 2.0**exponent if abs(exponent) < 1000 else np.ldexp(values, exponent))
