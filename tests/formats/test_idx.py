"""Idx files, plain and compressed; nothing is believed that a header says."""

import gzip
import struct
from pathlib import Path

import numpy as np
import pytest

from evenrank.formats.idx import read_idx

VALUES = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)


def idx(shape: tuple[int, ...], content: bytes) -> bytes:
    return bytes([0, 0, 8, len(shape)]) + struct.pack(f">{len(shape)}I", *shape) + content


def write(path: Path, raw: bytes) -> Path:
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return path


def refused(path: Path) -> str:
    with pytest.raises(ValueError, match=r"^[^\n]+$") as found:
        read_idx(path)
    assert str(found.value).startswith(f"{path}: ")
    return str(found.value)


@pytest.fixture(params=["images", "images.gz"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / request.param


def test_an_array_is_read(path: Path) -> None:
    found = read_idx(write(path, idx((2, 3, 4), VALUES.tobytes())))
    assert found.dtype == np.uint8
    np.testing.assert_array_equal(found, VALUES)


def test_a_file_with_too_few_values_is_refused(path: Path) -> None:
    assert "must have 24 bytes of values for shape (2, 3, 4); got 23" in refused(
        write(path, idx((2, 3, 4), VALUES.tobytes()[:-1]))
    )


def test_a_file_with_values_left_over_is_refused(path: Path) -> None:
    assert "must have 24 bytes of values for shape (2, 3, 4); got more" in refused(
        write(path, idx((2, 3, 4), VALUES.tobytes() + b"\0"))
    )


def test_a_huge_declared_shape_is_refused_before_memory_is_set_aside(path: Path) -> None:
    assert "is truncated: shape" in refused(write(path, idx((0xFFFFFFFF,) * 3, b"")))


@pytest.mark.parametrize(
    "raw", [b"", b"\0\0\x08", b"\0\0\x0d\x01\0\0\0\0", b"\0\0\x08\x09" + b"\0" * 40, b"\x89PNG1234"]
)
def test_a_file_that_does_not_begin_as_idx_of_bytes_is_refused(path: Path, raw: bytes) -> None:
    assert "must begin as an idx file of bytes" in refused(write(path, raw))


def test_half_a_header_is_refused(path: Path) -> None:
    assert "the header is not whole" in refused(write(path, b"\0\0\x08\x03\0\0\0\x02"))


def test_no_more_is_decompressed_than_was_declared(tmp_path: Path) -> None:
    """Twenty million zeros hide behind a header of four bytes."""
    path = write(tmp_path / "labels.gz", idx((4,), bytes(20_000_000)))
    assert "must have 4 bytes of values for shape (4,); got more" in refused(path)


@pytest.mark.parametrize("damage", ["cut", "flip", "plain"])
def test_a_damaged_compressed_file_is_refused(tmp_path: Path, damage: str) -> None:
    path = write(tmp_path / "images.gz", idx((2, 3, 4), VALUES.tobytes()))
    raw = bytearray(path.read_bytes())
    raw[-8] ^= 1  # of the checksum
    path.write_bytes({"cut": bytes(raw[:-9]), "flip": bytes(raw), "plain": b"not compressed"}[damage])
    assert "cannot be read as an idx file" in refused(path)
