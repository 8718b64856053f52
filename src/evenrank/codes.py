"""Binary codes: rows of bits, packed eight to a byte.

The bytes stay where they are, in an array, a memory map or a CPU tensor; kernels ask for the canonical form of the rows
they read: first bit in the highest place of the first byte (`order` "big", as `numpy.packbits` writes), unused bits of
the last byte zero. What lies in those bits, and which order the bytes came in, therefore never changes a distance.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np

from evenrank.arrays import as_array, load_array, row_blocks

LARGEST = 4096
ORDERS = ("big", "little")
FORMS = ("signs", "bits", "packed")
REVERSED = np.packbits(np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little"), axis=1)[:, 0]

Rows = int | slice | np.ndarray | list[int]


class Codes:
    """Codes of `bits` bits, one a row of `packed`: (n, ⌈bits / 8⌉) uint8, never copied.

    `order` "big": bit 0 is the highest of the first byte; "little": the lowest.

    >>> codes = Codes.from_signs([[1.5, -2, 0], [-1, 1, 1]])
    >>> codes
    Codes(2 rows of 3 bits)
    >>> codes.unpack().tolist()
    [[1, 0, 0], [0, 1, 1]]
    """

    def __init__(self, packed: Any, bits: int, order: Literal["big", "little"] = "big") -> None:
        packed = as_array(packed, "packed of Codes")
        if packed.dtype != np.uint8:
            raise ValueError(f"packed of Codes must be uint8; got {packed.dtype}")
        if order not in ORDERS:
            raise ValueError(f"order of Codes must be one of {', '.join(ORDERS)}; got {order!r}")
        self.packed = _table(packed, "packed of Codes")
        self.bits = _width(bits)
        self.order = order
        if self.packed.shape[1] != (self.bits + 7) // 8:
            raise ValueError(
                f"packed of Codes must have {(self.bits + 7) // 8} bytes a row for {self.bits} bits;"
                f" got shape {self.packed.shape}"
            )

    @classmethod
    def from_signs(cls, values: Any) -> Codes:
        """Return the codes of real numbers (n, bits), ±1 or activations: a bit is 1 iff the value is above 0."""
        return cls._pack(_table(as_array(values, "values of Codes.from_signs"), "values of Codes.from_signs"))

    @classmethod
    def from_bits(cls, values: Any) -> Codes:
        """Return the codes of 0/1 or boolean values (n, bits)."""
        values = _table(as_array(values, "values of Codes.from_bits"), "values of Codes.from_bits")
        for first, block in row_blocks(values) if values.dtype != bool else ():
            wrong = np.argwhere((block != 0) & (block != 1))
            if len(wrong):
                row, column = wrong[0]
                raise ValueError(
                    f"values of Codes.from_bits must be 0 or 1; got {block[row, column]} in row {first + row}:"
                    " for ±1 or real values use Codes.from_signs"
                )
        return cls._pack(values)

    @classmethod
    def from_packed(cls, packed: Any, bits: int | None = None, order: Literal["big", "little"] = "big") -> Codes:
        """Return the codes of packed bytes (n, ⌈bits / 8⌉); `bits` is 8 times the bytes unless given.

        uint8 is kept as it is. int8 is what sentence-transformers writes, the byte minus 128: a copy with the highest
        bit of every byte flipped (XOR 0x80).
        """
        packed = _table(as_array(packed, "packed of Codes.from_packed"), "packed of Codes.from_packed")
        if packed.dtype == np.int8:
            packed = packed.view(np.uint8) ^ np.uint8(0x80)
        return cls(packed, 8 * packed.shape[1] if bits is None else bits, order)

    @classmethod
    def from_file(
        cls,
        path: str | Path,
        *,
        form: Literal["signs", "bits", "packed"],
        bits: int | None = None,
        order: Literal["big", "little"] = "big",
        key: str | None = None,
    ) -> Codes:
        """Return the codes in a file that `load_array` reads; `form` says what its numbers are.

        A memory map stays one if its bytes are packed; `bits` and `order` are as for `from_packed`.
        """
        if form not in FORMS:
            raise ValueError(f"form of Codes.from_file must be one of {', '.join(FORMS)}; got {form!r}")
        values = load_array(path, key)
        try:
            if form == "packed":
                return cls.from_packed(values, bits, order)
            codes = cls.from_signs(values) if form == "signs" else cls.from_bits(values)
            if bits not in (None, codes.bits):
                raise ValueError(f"bits must be the {codes.bits} columns of the array; got {bits}")
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        return codes

    @classmethod
    def _pack(cls, values: np.ndarray) -> Codes:
        """Return the codes whose bit is 1 iff the value is above 0, packed a block of rows at a time."""
        if values.dtype.kind not in "biuf":
            raise ValueError(f"values of Codes must be real numbers; got {values.dtype}")
        bits = _width(values.shape[1])
        packed = np.empty((len(values), (bits + 7) // 8), np.uint8)
        for first, block in row_blocks(values):
            if block.dtype.kind == "f" and np.isnan(block).any():
                row = first + np.argwhere(np.isnan(block))[0, 0]
                raise ValueError(f"values of Codes must not be NaN; row {row} has one")
            packed[first : first + len(block)] = np.packbits(block > 0, axis=1)
        return cls(packed, bits)

    def __len__(self) -> int:
        return len(self.packed)

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, bits)."""
        return len(self), self.bits

    def __getitem__(self, rows: Rows) -> Codes:
        return Codes(self.packed[[rows] if isinstance(rows, (int, np.integer)) else rows], self.bits, self.order)

    def __repr__(self) -> str:
        order = "" if self.order == "big" else f", order {self.order}"
        return f"Codes({len(self)} rows of {self.bits} bits{order})"

    def bytes(self, first: int = 0, last: int | None = None) -> np.ndarray:
        """Return rows first … last - 1 in canonical form, (rows, ⌈bits / 8⌉) uint8; a view where they already are."""
        rows = np.ascontiguousarray(np.asarray(self.packed[first:last]))
        if self.order == "little":
            rows = REVERSED[rows]
        unused = (1 << (-self.bits % 8)) - 1  # low places of the last byte
        if unused and (rows[:, -1] & unused).any():
            rows = rows.copy()
            rows[:, -1] &= 0xFF ^ unused
        return rows

    def unpack(self, rows: Rows | None = None) -> np.ndarray:
        """Return the bits of `rows` (all unless given), (rows, bits) uint8 of 0 and 1."""
        packed = np.asarray((self if rows is None else self[rows]).packed)
        return np.unpackbits(packed, axis=1, count=self.bits, bitorder=self.order)

    def signs(self, rows: Rows | None = None) -> np.ndarray:
        """Return the bits of `rows` (all unless given) as signs, (rows, bits) int8 of -1 and 1."""
        return 2 * self.unpack(rows).view(np.int8) - 1


def _table(values: np.ndarray, what: str) -> np.ndarray:
    if values.ndim != 2:
        raise ValueError(f"{what} must be 2-D, one row an item; got shape {values.shape}")
    if values.size == 0:
        raise ValueError(f"{what} must not be empty; got shape {values.shape}")
    return values


def _width(bits: int) -> int:
    whole = isinstance(bits, (int, np.integer)) and not isinstance(bits, bool)
    if not whole or not 1 <= bits <= LARGEST:
        raise ValueError(f"bits of Codes must be a whole number from 1 to {LARGEST}; got {bits!r}")
    return int(bits)
