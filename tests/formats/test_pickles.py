"""Pickles are read as data: what the published files hold is read, and whatever could do harm is refused unrun."""

import os
import pickle
import struct
from pathlib import Path

import numpy as np
import pytest

from evenrank.formats.pickles import read_pickle
from tests.python2_pickles import python2_pickle

BATCH = {
    b"batch_label": b"training batch 1 of 5",
    b"labels": [6, 9, 300, 70_000, -1],
    b"data": np.arange(600, dtype=np.uint8).reshape(2, 300),
    b"filenames": [b"leptodactylus_pentadactylus_s_000004.png", b"camion_s_000148.png"],
}


def refused(folder: Path, content: bytes) -> str:
    """Return the one line with which a file of this content is refused."""
    path = folder / "batch"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"^[^\n]+$") as found:
        read_pickle(path)
    assert str(found.value).startswith(f"{path}: ")
    return str(found.value)


def array(shape: bytes, content: bytes, dtype: bytes = b"u1") -> bytes:
    """Return an array's pickle with any declared shape, whatever its content."""
    kind = b"cnumpy\ndtype\nU" + bytes([len(dtype)]) + dtype + b"K\x00K\x01\x87R"
    return (
        b"\x80\x02cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85U\x01b\x87R(K\x01"
        + shape
        + kind
        + b"\x89"
        + b"T"
        + struct.pack("<I", len(content))
        + content
        + b"tb."
    )


@pytest.mark.parametrize("written", [python2_pickle, *(lambda v, p=p: pickle.dumps(v, p) for p in (2, 3, 4))])
def test_a_batch_is_read_whichever_python_wrote_it(tmp_path: Path, written) -> None:
    path = tmp_path / "batch"
    path.write_bytes(written(BATCH))
    found = read_pickle(path)
    assert list(found) == ["batch_label", "labels", "data", "filenames"]
    assert found["data"].dtype == np.uint8
    np.testing.assert_array_equal(found["data"], BATCH[b"data"])
    for key in ("batch_label", "labels", "filenames"):
        assert found[key] == BATCH[key.encode()]


def test_an_array_stored_by_columns_is_turned(tmp_path: Path) -> None:
    values = np.asfortranarray(np.arange(12, dtype=np.uint8).reshape(3, 4))
    (tmp_path / "batch").write_bytes(python2_pickle({b"data": values}))
    np.testing.assert_array_equal(read_pickle(tmp_path / "batch")["data"], values)


class Payload:
    """What a hostile file holds: on loading, run a command that leaves a mark."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple:
        return os.system, (f"touch '{self.mark}'",)


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_a_payload_is_named_and_never_run(tmp_path: Path, protocol: int) -> None:
    mark = tmp_path / "mark"
    hostile = pickle.dumps({b"data": Payload(mark)}, protocol)
    assert f"names '{os.system.__module__}.system'" in refused(tmp_path, hostile)
    assert not mark.exists()
    pickle.loads(hostile)
    assert mark.exists()  # the payload does work where pickles are trusted


@pytest.mark.parametrize("name", ["builtins\neval", "numpy\nload", "numpy\ndtype.type", "copyreg\n_reconstructor"])
def test_any_other_name_is_refused(tmp_path: Path, name: str) -> None:
    assert f"names '{name.replace(chr(10), '.')}'" in refused(tmp_path, f"\x80\x02c{name}\n.".encode("latin-1"))


def test_the_instructions_of_other_protocols_are_refused(tmp_path: Path) -> None:
    assert "instruction b'I'" in refused(tmp_path, b"(I1\n.")
    assert "instruction b'i'" in refused(tmp_path, b"(U\x02lsios\nsystem\n.")
    assert "instruction b'\\x96'" in refused(tmp_path, b"\x80\x05\x96" + struct.pack("<Q", 1 << 60))


@pytest.mark.parametrize("dtype", [b"O", b"f8", b"i8", b"V9"])
def test_an_array_of_anything_but_bytes_is_refused(tmp_path: Path, dtype: bytes) -> None:
    assert "must be of type 'u1'" in refused(tmp_path, array(b"K\x01\x85", b"12345678", dtype))
    assert "must be of type 'u1'" in refused(tmp_path, pickle.dumps(np.array([1.5, 2.5]), 4))


def test_a_huge_declared_shape_is_refused_before_memory_is_set_aside(tmp_path: Path) -> None:
    huge = b"J\xff\xff\xff\x7f" * 2 + b"\x86"
    assert "cannot reshape array of size 4" in refused(tmp_path, array(huge, b"1234"))


@pytest.mark.parametrize("code", [b"T", b"B", b"X"])
def test_a_length_beyond_the_file_is_refused(tmp_path: Path, code: bytes) -> None:
    assert "is truncated: 4294967295 more bytes" in refused(tmp_path, b"\x80\x02" + code + b"\xff\xff\xff\xff123.")


def test_a_memo_bomb_takes_no_memory(tmp_path: Path) -> None:
    (tmp_path / "batch").write_bytes(b"\x80\x02]r\xff\xff\xff\xff.")  # a table of four thousand million places?
    assert read_pickle(tmp_path / "batch") == []


def test_a_text_cannot_be_multiplied(tmp_path: Path) -> None:
    text, again = b"X" + struct.pack("<I", 500) + b"a" * 500, b"h\x01h\x00U\x06latin1\x86R"
    assert "more bytes than it holds" in refused(
        tmp_path, b"\x80\x02c_codecs\nencode\nq\x01" + text + b"q\x00" + again * 9 + b"."
    )


def test_endless_instructions_are_refused(tmp_path: Path) -> None:
    assert "more than 1,000,000 pickle instructions" in refused(tmp_path, b"]" * 1_000_001)


@pytest.mark.parametrize(
    "content",
    [b"", b"\x80\x02", b"R", b"\x80\x02]]s.", b"h\x05.", b"K\x01)R.", b"cnumpy\ndtype\nU\x02u1R.", b"(K\x01u."],
)
def test_nonsense_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    refused(tmp_path, content)


def test_every_truncation_of_a_batch_is_refused(tmp_path: Path) -> None:
    whole = python2_pickle({b"labels": [6, 300], b"data": np.ones((2, 3), np.uint8)})
    for length in range(len(whole)):
        refused(tmp_path, whole[:length])


def test_a_key_that_is_not_a_short_string_is_refused(tmp_path: Path) -> None:
    deep = b"}" + b")" + b"\x85" * 100_000 + b"K\x01s."  # hashing a tuple this deep would end the process
    assert "key that must be a short string" in refused(tmp_path, b"\x80\x02" + deep)
    assert "key that must be a short string" in refused(tmp_path, b"\x80\x02}U\xff" + b"k" * 255 + b"K\x01s.")
    assert "names 'no string'" in refused(tmp_path, b"\x80\x04" + b")" + b"\x85" * 100_000 + b"K\x01\x93.")
