"""Idx files, the format of MNIST: zero, zero, a type, the number of dimensions, their sizes, then the values.

Files may be compressed (.gz) or plain. What a header declares is compared with the size of the file before memory is
set aside, and no more is decompressed than was declared.
"""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import numpy as np

from evenrank.arrays import DEFLATE_LIMIT

BYTES = b"\0\0\x08"  # how every idx file of bytes begins


def read_idx(path: Path) -> np.ndarray:
    """Return the array of bytes in an idx file, read-only."""
    compressed = path.suffix == ".gz"
    try:
        with gzip.open(path) if compressed else path.open("rb") as stream:
            shape = _shape(path, stream)
            declared = math.prod(shape)
            room = path.stat().st_size * (DEFLATE_LIMIT if compressed else 1)
            if declared > room:
                raise ValueError(
                    f"{path}: is truncated: shape {shape} needs {declared} bytes, at most {room} are there"
                )
            content = stream.read(declared + 1)
    except (EOFError, OSError, zlib.error) as error:
        raise ValueError(f"{path}: cannot be read as an idx file: {error}") from None
    if len(content) != declared:
        got = f"{len(content)}" if len(content) < declared else "more"
        raise ValueError(f"{path}: must have {declared} bytes of values for shape {shape}; got {got}")
    return np.frombuffer(content, np.uint8).reshape(shape)


def read_parts(files: Sequence[Path]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return images, labels (int64) and which are for training, of files in the layout of MNIST.

    The files are training images, training labels, test images, test labels: 60,000 and 10,000 of 28 × 28 pixels
    in ten classes.
    """
    shapes = ((60_000, 28, 28), (60_000,), (10_000, 28, 28), (10_000,))
    arrays = [read_idx(path) for path in files]
    for path, array, shape in zip(files, arrays, shapes, strict=True):
        if array.shape != shape:
            raise ValueError(f"{path}: must have shape {shape}; got {array.shape}")
        if len(shape) == 1 and array.max() > 9:
            raise ValueError(f"{path}: labels must be from 0 to 9; got {array.max()} in row {array.argmax()}")
    images, labels = np.concatenate(arrays[::2]), np.concatenate(arrays[1::2])
    return images, labels.astype(np.int64), np.arange(70_000) < 60_000


def _shape(path: Path, stream: IO[bytes] | gzip.GzipFile) -> tuple[int, ...]:
    start = stream.read(4)
    if len(start) < 4 or start[:3] != BYTES or not 1 <= start[3] <= 3:
        raise ValueError(f"{path}: must begin as an idx file of bytes in 1 to 3 dimensions; got {start.hex(' ')}")
    sizes = stream.read(4 * start[3])
    if len(sizes) < 4 * start[3]:
        raise ValueError(f"{path}: is truncated: the header is not whole")
    return tuple(np.frombuffer(sizes, ">u4").tolist())
