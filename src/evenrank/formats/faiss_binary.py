"""Binary indexes of faiss, flat ones (IndexBinaryFlat): packed codes behind a header, so faiss itself is not needed.

    "IBxF"   bits: int32   bytes a code: int32   codes: int64   trained: bool   metric: int32   bytes: int64

all little-endian, then the codes. What the header declares is compared with the size of the file, and the codes are
mapped, not read. Codes of faiss have a multiple of 8 bits: others are filled up with zeros, which changes no distance
where the codes of queries are filled up alike. The file does not say how many bits are in use.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evenrank.formats.whole import whole

HEADER = struct.Struct("<4s i i q ? i q")
FLAT = b"IBxF"
METRIC = 1  # what faiss writes there; a binary index knows no other


class _Header(NamedTuple):
    kind: bytes
    bits: int
    width: int  # bytes a code
    codes: int
    trained: bool
    metric: int
    size: int  # bytes of all codes


def write_index(path: str | Path, packed: np.ndarray) -> None:
    """Write packed codes (n, bytes) uint8, unused bits zero, as an index; the file appears whole or not at all."""
    count, width = packed.shape
    with whole(path) as beside, beside.open("wb") as stream:
        stream.write(HEADER.pack(*_Header(FLAT, 8 * width, width, count, True, METRIC, count * width)))
        stream.write(np.ascontiguousarray(packed, np.uint8).data)


def read_index(path: str | Path) -> np.ndarray:
    """Return the packed codes of an index, (n, bytes) uint8, as a memory map."""
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"{path}: {'is a folder, not a file' if path.is_dir() else 'no such file'}")
    with path.open("rb") as stream:
        start = stream.read(HEADER.size)
    if start[:4] != FLAT:
        raise ValueError(f"{path}: must be a flat binary index of faiss, which begins with IBxF; got {start[:4]!r}")
    if len(start) < HEADER.size:
        raise ValueError(f"{path}: is truncated: the header is not whole")
    header = _Header(*HEADER.unpack(start))
    count, width, there = header.codes, header.width, path.stat().st_size - HEADER.size
    if count < 1 or width < 1 or header.bits != 8 * width or header.size != count * width:
        raise ValueError(
            f"{path}: declares {count} codes of {header.bits} bits in {width} bytes each, {header.size} in all"
        )
    if header.size != there:
        raise ValueError(f"{path}: {count} codes of {width} bytes need {header.size} bytes; {there} are there")
    return np.memmap(path, np.uint8, "r", HEADER.size, (count, width))
