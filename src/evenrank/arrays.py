"""Arrays as people hand them over: objects in memory, and files.

Files are read as data only: nothing is unpickled, and what a header declares is compared with the size of the file
before memory is set aside for it. Where the format allows it the array is a memory map. Whatever is wrong with a file
is said in one line, `path: what is wrong`.
"""

from __future__ import annotations

import math
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

DEFLATE_LIMIT = 1032  # no deflate stream, so no compressed file, grows by more than this
BLOCK = 1 << 22  # values handled at once where an array is read in blocks of rows


def as_array(values: Any, what: str) -> np.ndarray:
    """Return `values` as a numpy array; arrays, memory maps and tensors on the CPU are viewed, not copied."""
    if isinstance(values, np.ndarray):
        return values
    if str(getattr(values, "device", "cpu")) != "cpu":
        raise ValueError(f"{what} must be on the CPU; got a tensor on {values.device}: call .cpu() first")
    try:
        return np.asarray(values.detach() if hasattr(values, "detach") else values)  # a tensor, without importing torch
    except (RuntimeError, TypeError, ValueError) as error:
        raise ValueError(f"{what} must be a numpy array or what converts to one; got {_line(error)}") from None


def row_blocks(array: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (first row, block of rows) of a 2-D array, about `BLOCK` values at a time."""
    step = max(1, BLOCK // max(1, array.shape[1]))
    for first in range(0, len(array), step):
        yield first, array[first : first + step]


def load_array(path: str | Path, key: str | None = None) -> np.ndarray:
    """Return the array in a file; its suffix says the format.

    `.npy`, `.fvecs`, `.bvecs`, `.ivecs` (memory mapped), `.npz` and `.mat` (v5 and 7.3; `key` names the array where
    there is more than one), `.txt` and `.csv` (labels: one integer or one word a line).
    """
    path = Path(path)
    read = READERS.get(path.suffix.lower())
    if read is None:
        raise ValueError(f"{path}: the suffix must be one of {', '.join(READERS)}; got {path.suffix!r}")
    if not path.is_file():
        raise ValueError(f"{path}: {'is a folder, not a file' if path.is_dir() else 'no such file'}")
    if key is not None and path.suffix.lower() not in (".npz", ".mat"):
        raise ValueError(f"{path}: has no named arrays, so no key can be chosen; got key {key!r}")
    try:
        array = read(path, key)
    except _BadFileError as error:
        raise ValueError(f"{path}: {error}") from None
    except Exception as error:  # parsers fail in many ways on a damaged file
        raise ValueError(f"{path}: cannot be read as {path.suffix.lower()}: {_line(error)}") from None
    if array.dtype.kind not in "biufSU":
        raise ValueError(f"{path}: must hold numbers or words; got {array.dtype}")
    if array.size == 0:
        raise ValueError(f"{path}: is empty, shape {array.shape}")
    return array


class _BadFileError(Exception):
    """What is wrong with a file, without its path."""


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _npy(path: Path, key: str | None) -> np.ndarray:
    size = path.stat().st_size
    with path.open("rb") as stream:
        shape, fortran, dtype = _npy_header(stream, size)
        offset = stream.tell()
    if 0 in shape:
        return np.empty(shape, dtype)  # there is nothing to map
    return np.memmap(path, dtype, "r", offset, shape, "F" if fortran else "C")


def _npy_header(stream: IO[bytes], size: int) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = np.lib.format.read_magic(stream)
    if version not in ((1, 0), (2, 0)):
        raise _BadFileError(f".npy version must be 1.0 or 2.0; got {version[0]}.{version[1]}")
    header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran, dtype = header(stream)
    if dtype.hasobject:
        raise _BadFileError("holds pickled Python objects, which are never loaded: save a plain numeric array")
    needed, there = math.prod(shape) * dtype.itemsize, size - stream.tell()
    if min(shape, default=1) < 0 or needed > there:
        raise _BadFileError(f"is truncated: shape {shape} of {dtype} needs {needed} bytes, {there} are there")
    return shape, fortran, dtype


def _npz(path: Path, key: str | None) -> np.ndarray:
    with zipfile.ZipFile(path) as archive:
        arrays = {entry.filename[:-4]: entry for entry in archive.infolist() if entry.filename.endswith(".npy")}
        entry = arrays[_choose(list(arrays), key)]
        _check_expansion(entry.file_size, path.stat().st_size)
        with archive.open(entry) as stream:
            _npy_header(stream, entry.file_size)
        with archive.open(entry) as stream:
            return np.lib.format.read_array(stream, allow_pickle=False)


def _choose(names: list[str], key: str | None) -> str:
    listed = ", ".join(names) or "none"
    if key is None:
        if len(names) == 1:
            return names[0]
        raise _BadFileError(f"name one array by key; there are: {listed}")
    if key not in names:
        raise _BadFileError(f"has no array called {key!r}; there are: {listed}")
    return key


def _check_expansion(needed: int, size: int) -> None:
    if needed > DEFLATE_LIMIT * size:
        raise _BadFileError(f"declares {needed} bytes, more than a file of {size} bytes can hold")


def _mat(path: Path, key: str | None) -> np.ndarray:
    with path.open("rb") as stream:
        start = stream.read(10)
    return (_mat_73 if start == b"MATLAB 7.3" or start[:4] == b"\x89HDF" else _mat_5)(path, key)


def _mat_5(path: Path, key: str | None) -> np.ndarray:
    from scipy.io import loadmat, whosmat

    shapes = {name: shape for name, shape, _ in whosmat(str(path)) if not name.startswith("__")}
    key = _choose(list(shapes), key)
    _check_expansion(math.prod(shapes[key]), path.stat().st_size)  # a value takes at least a byte
    array = loadmat(str(path), variable_names=[key])[key]
    if not isinstance(array, np.ndarray) or array.dtype.hasobject or array.dtype.fields:
        raise _BadFileError(f"{key} must be a full numeric array; got a sparse matrix, cell array or struct")
    return array


def _mat_73(path: Path, key: str | None) -> np.ndarray:
    try:
        import h5py
    except ImportError:
        raise _BadFileError("MATLAB 7.3 files need h5py: pip install 'evenrank[files]'") from None
    with h5py.File(path, "r") as file:
        key = _choose([name for name in file if not name.startswith(("__", "#"))], key)
        entry = file[key]
        kind = str(np.asarray(entry.attrs.get("MATLAB_class", "unknown")).astype(str))
        if not isinstance(entry, h5py.Dataset) or entry.dtype.kind not in "biuf" or kind in ("char", "cell"):
            raise _BadFileError(f"{key} must be a full numeric array; got a {type(entry).__name__} of class {kind}")
        if "MATLAB_empty" in entry.attrs:
            raise _BadFileError(f"{key} is empty")
        _check_expansion(entry.size * entry.dtype.itemsize, path.stat().st_size)
        array: np.ndarray = entry[()]
        return array.T  # MATLAB stores by columns


def _vecs(value: str) -> Callable[[Path, str | None], np.ndarray]:
    """Return the reader of a vector file: each row is its dimension (int32), then that many values."""

    def read(path: Path, key: str | None) -> np.ndarray:
        size = path.stat().st_size
        with path.open("rb") as stream:
            dimension = int.from_bytes(stream.read(4), "little", signed=True)
        width = 4 + dimension * np.dtype(value).itemsize
        if dimension <= 0 or size % width:
            raise _BadFileError(f"{size} bytes are not whole rows of dimension {dimension}: truncated?")
        raw = np.memmap(path, np.uint8, "r", 0, (size // width, width))
        for first, rows in row_blocks(raw):
            bad = np.flatnonzero((rows[:, :4] != raw[0, :4]).any(axis=1))
            if len(bad):
                raise _BadFileError(f"row {first + bad[0]} does not have the dimension {dimension} of row 0")
        return raw[:, 4:].view(value)

    return read


def _words(path: Path, key: str | None) -> np.ndarray:
    lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").rstrip().splitlines()]
    for number, line in enumerate(lines, 1):
        if len(line.replace(",", " ").split()) != 1:
            raise _BadFileError(f"line {number} must hold one label; got {line!r}")
    whole = [_is_integer(line) for line in lines]
    if len(lines) > 1 and not whole[0] and all(whole[1:]):
        raise _BadFileError(f"line 1 is {lines[0]!r} and every other an integer: remove the heading")
    return np.array([int(line) for line in lines] if all(whole) else lines)


def _is_integer(word: str) -> bool:
    return word.removeprefix("-").removeprefix("+").isdecimal()


READERS: dict[str, Callable[[Path, str | None], np.ndarray]] = {
    ".npy": _npy,
    ".npz": _npz,
    ".mat": _mat,
    ".fvecs": _vecs("<f4"),
    ".bvecs": _vecs("u1"),
    ".ivecs": _vecs("<i4"),
    ".txt": _words,
    ".csv": _words,
}
