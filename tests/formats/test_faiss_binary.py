"""Flat binary indexes: faiss reads what is written, what faiss writes is read, and hostile files are refused."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

import evenrank as er
from evenrank.formats.faiss_binary import read_index, write_index

PACKED = np.random.default_rng(0).integers(0, 256, (50, 3), np.uint8)


def header(kind: bytes = b"IBxF", bits: int = 24, width: int = 3, count: int = 2, size: int = 6) -> bytes:
    return struct.pack("<4siiq?iq", kind, bits, width, count, True, 1, size)


def test_what_is_written_is_read_back_as_a_memory_map(tmp_path: Path) -> None:
    write_index(tmp_path / "a.faiss", PACKED[:, ::-1])
    found = read_index(tmp_path / "a.faiss")
    assert isinstance(found, np.memmap)
    np.testing.assert_array_equal(found, PACKED[:, ::-1])
    assert [path.name for path in tmp_path.iterdir()] == ["a.faiss"]


def test_faiss_finds_in_it_what_search_finds(tmp_path: Path) -> None:
    faiss = pytest.importorskip("faiss")
    codes = er.Codes.from_bits(np.random.default_rng(1).integers(0, 2, (200, 12)))  # filled up to 16 bits
    write_index(tmp_path / "a.faiss", codes.bytes())
    index = faiss.read_index_binary(str(tmp_path / "a.faiss"))
    assert (index.d, index.ntotal) == (16, 200)
    distances, _ = index.search(codes.bytes(0, 20), 30)
    np.testing.assert_array_equal(distances, er.search(codes[:20], codes, 30).distances)


def test_an_index_that_faiss_wrote_is_read(tmp_path: Path) -> None:
    faiss = pytest.importorskip("faiss")
    index = faiss.IndexBinaryFlat(24)
    index.add(PACKED)
    faiss.write_index_binary(index, str(tmp_path / "theirs.faiss"))
    np.testing.assert_array_equal(read_index(tmp_path / "theirs.faiss"), PACKED)
    write_index(tmp_path / "ours.faiss", PACKED)
    assert (tmp_path / "ours.faiss").read_bytes() == (tmp_path / "theirs.faiss").read_bytes()


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "begins with IBxF; got b''"),
        (header(b"IBxH") + bytes(6), "got b'IBxH'"),
        (header()[:20], "the header is not whole"),
        (header() + bytes(5), "2 codes of 3 bytes need 6 bytes; 5 are there"),
        (header() + bytes(7), "need 6 bytes; 7 are there"),
        (header(count=1 << 60, size=3 << 60) + bytes(6), "need 3458764513820540928 bytes; 6 are there"),
        (header(count=1 << 61, size=6) + bytes(6), "declares 2305843009213693952 codes"),
        (header(count=-2, width=-3, bits=-24) + bytes(6), "declares -2 codes"),
        (header(bits=20) + bytes(6), "of 20 bits in 3 bytes each"),
        (header(count=0, size=0), "declares 0 codes"),
    ],
)
def test_a_file_that_is_not_whole_or_lies_is_refused_in_one_line(tmp_path: Path, content: bytes, line: str) -> None:
    path = tmp_path / "bad.faiss"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"bad\.faiss: ") as error:
        read_index(path)
    assert line in str(error.value)
    assert "\n" not in str(error.value)


def test_no_file_and_a_folder_are_said_so(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no such file"):
        read_index(tmp_path / "none.faiss")
    with pytest.raises(ValueError, match="is a folder"):
        read_index(tmp_path)
