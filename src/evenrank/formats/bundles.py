"""Bundles: named arrays of one dataset in one `.npz` file, read as data only and written whole or not at all."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from evenrank.arrays import DEFLATE_LIMIT, load_array
from evenrank.formats.whole import whole


def load_bundle(path: Path) -> dict[str, np.ndarray]:
    """Return the arrays of a bundle, by name in alphabetical order, whatever the order in the file."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if entry.filename.endswith(".npy")]
    except FileNotFoundError:
        raise ValueError(f"{path}: no such file") from None
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path}: is not a bundle, which is an .npz file: {error}") from None
    declared, size = sum(entry.file_size for entry in entries), path.stat().st_size
    if declared > DEFLATE_LIMIT * size:  # together: entries of a hostile file may share their bytes
        raise ValueError(f"{path}: declares {declared} bytes, more than a file of {size} bytes can hold")
    arrays = {}
    for name in sorted({entry.filename.removesuffix(".npy") for entry in entries}):
        try:
            arrays[name] = load_array(path, name)
        except ValueError as error:
            raise ValueError(f"{error} (array {name!r})") from None
    return arrays


def save_bundle(path: Path, arrays: Mapping[str, np.ndarray], *, overwrite: bool = False) -> None:
    """Write arrays to a bundle. Equal arrays give equal bytes; a bundle that is there stays unless told otherwise."""
    path = Path(path)
    if path.suffix != ".npz":
        raise ValueError(f"{path}: a bundle's name must end in .npz; got {path.suffix!r}")
    if path.exists() and not overwrite:
        raise ValueError(f"{path}: is already there, and is not overwritten unless told so")
    for name, array in arrays.items():
        if array.dtype.kind not in "biufSU":
            raise ValueError(f"{path}: array {name!r} must hold numbers or words of fixed width; got {array.dtype}")
    with whole(path) as beside:
        _write(beside, arrays)


def _write(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in sorted(arrays):
            entry = zipfile.ZipInfo(f"{name}.npy")  # has a fixed date, which np.savez would not
            with archive.open(entry, "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, np.asarray(arrays[name]), allow_pickle=False)
