import struct
import sys
import zipfile

import numpy as np
import pytest
from scipy.io import savemat
from scipy.sparse import csc_array

from evenrank.arrays import as_array, load_array

TABLE = np.arange(12, dtype=np.float32).reshape(4, 3)


def truncate(path, keep=0.6):
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])


def refused(path, line, key=None):
    with pytest.raises(ValueError, match=line) as caught:
        load_array(path, key)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def write_vecs(path, rows, dtype):
    body = b"".join(struct.pack("<i", len(row)) + np.asarray(row, dtype).tobytes() for row in rows)
    path.write_bytes(body)


def write_npy_header(stream, shape, dtype="<f8"):
    header = {"descr": dtype, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, header)


@pytest.mark.parametrize("order", ["C", "F"])
def test_npy_is_mapped(tmp_path, order):
    path = tmp_path / "a.npy"
    np.save(path, np.asarray(TABLE, order=order))
    array = load_array(str(path))
    assert isinstance(array, np.memmap)
    assert not array.flags.writeable
    np.testing.assert_array_equal(array, TABLE)


def test_npy_that_is_truncated_pickled_or_something_else(tmp_path):
    path = tmp_path / "a.npy"
    np.save(path, TABLE)
    truncate(path, 0.9)
    refused(path, r"truncated: shape \(4, 3\) of float32 needs 48 bytes")
    np.save(path, np.array([{"a": 1}, None], object), allow_pickle=True)
    refused(path, "pickled Python objects, which are never loaded")
    path.write_bytes(b"hello")
    refused(path, r"cannot be read as \.npy")
    np.save(path, np.empty((0, 3)))
    refused(path, r"is empty, shape \(0, 3\)")
    np.save(path, np.ones(2, complex))
    refused(path, "numbers or words; got complex128")


def test_a_declared_shape_beyond_the_file_is_refused_before_allocating(tmp_path):
    path = tmp_path / "a.npy"
    with path.open("wb") as stream:
        write_npy_header(stream, (1 << 50, 1 << 20))
        stream.write(bytes(64))
    refused(path, "truncated: shape")
    packed = tmp_path / "a.npz"
    with zipfile.ZipFile(packed, "w") as archive, archive.open("x.npy", "w") as stream:
        write_npy_header(stream, (1 << 50, 1 << 20))
    refused(packed, "truncated: shape")


def test_npz_by_key(tmp_path):
    path = tmp_path / "a.npz"
    np.savez_compressed(path, x=TABLE)
    np.testing.assert_array_equal(load_array(path), TABLE)
    np.savez(path, x=TABLE, y=TABLE[:1])
    np.testing.assert_array_equal(load_array(path, "y"), TABLE[:1])
    refused(path, "name one array by key; there are: x, y")
    refused(path, "no array called 'z'; there are: x, y", key="z")
    truncate(path)
    refused(path, r"cannot be read as \.npz", key="x")


def test_npz_with_pickled_or_damaged_content(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(path, x=np.array([None], object))
    refused(path, "pickled Python objects")
    np.savez(path, x=np.arange(1000))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    refused(path, r"cannot be read as \.npz: Bad CRC")


def test_mat_5_by_key(tmp_path):
    path = tmp_path / "a.mat"
    savemat(path, {"x": TABLE}, do_compression=True)
    np.testing.assert_array_equal(load_array(path), TABLE)
    savemat(path, {"x": TABLE, "y": TABLE[:2], "cell": np.array([TABLE, "a"], object), "thin": csc_array(TABLE)})
    np.testing.assert_array_equal(load_array(path, "y"), TABLE[:2])
    refused(path, "there are: x, y, cell, thin")
    refused(path, "no array called 'z'", key="z")
    refused(path, "cell must be a full numeric array", key="cell")
    refused(path, "thin must be a full numeric array", key="thin")
    truncate(path, 0.3)
    refused(path, "cannot be read as|there are", key="y")
    path.write_bytes(b"not MATLAB at all")
    refused(path, r"cannot be read as \.mat")


def write_mat_73(path, **arrays):
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w", userblock_size=512) as file:
        file.create_group("#refs#")
        for name, array in arrays.items():
            file[name] = array.T  # MATLAB stores by columns
            file[name].attrs["MATLAB_class"] = np.bytes_("single")
    with path.open("r+b") as stream:
        stream.write(b"MATLAB 7.3 MAT-file".ljust(512))


def test_mat_73_by_key_and_transposed(tmp_path, monkeypatch):
    path = tmp_path / "a.mat"
    write_mat_73(path, x=TABLE)
    np.testing.assert_array_equal(load_array(path), TABLE)
    write_mat_73(path, x=TABLE, y=TABLE[:2])
    np.testing.assert_array_equal(load_array(path, "y"), TABLE[:2])
    refused(path, "there are: x, y")
    monkeypatch.setitem(sys.modules, "h5py", None)
    refused(path, "need h5py: pip install", key="x")
    monkeypatch.undo()
    truncate(path)
    refused(path, r"cannot be read as \.mat", key="x")


def test_mat_73_that_declares_too_much_or_is_no_array(tmp_path):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "a.mat"
    with h5py.File(path, "w") as file:
        file.create_dataset("huge", (1 << 40, 1 << 10), "f8", chunks=(1024, 1024))
        file.create_group("struct")
        file["text"] = np.array([104, 105], np.uint16)
        file["text"].attrs["MATLAB_class"] = np.bytes_("char")
        file["none"] = np.array([0, 0], np.uint64)
        file["none"].attrs["MATLAB_empty"] = 1
    refused(path, "more than a file of .* bytes can hold", key="huge")
    refused(path, "struct must be a full numeric array", key="struct")
    refused(path, "text must be a full numeric array; got a Dataset of class char", key="text")
    refused(path, "none is empty", key="none")


@pytest.mark.parametrize(("suffix", "dtype"), [("fvecs", "<f4"), ("bvecs", "u1"), ("ivecs", "<i4")])
def test_vector_files_are_mapped_and_checked(tmp_path, suffix, dtype):
    path = tmp_path / f"a.{suffix}"
    write_vecs(path, TABLE, dtype)
    array = load_array(path)
    assert isinstance(array, np.memmap)
    assert array.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(array, TABLE)
    truncate(path, 0.9)
    refused(path, "not whole rows of dimension 3")
    write_vecs(path, [[1, 2, 3], [1, 2, 3, 4], [1, 2]], dtype)  # as many bytes as three rows of three
    refused(path, "row 1 does not have the dimension 3 of row 0")
    path.write_bytes(struct.pack("<i", -1) * 3)
    refused(path, "dimension -1")
    path.write_bytes(b"")
    refused(path, "0 bytes")


def test_label_files(tmp_path):
    path = tmp_path / "labels.txt"
    path.write_text("3\n-1\n7\n\n")
    labels = load_array(path)
    assert labels.dtype == np.int64
    assert labels.tolist() == [3, -1, 7]
    path.write_text("\ufeffcat\nowl\n", encoding="utf-8")
    assert load_array(path).tolist() == ["cat", "owl"]
    other = tmp_path / "labels.csv"
    other.write_text("label\n1\n2\n")
    refused(other, "line 1 is 'label' and every other an integer: remove the heading")
    other.write_text("1\n2,3\n")
    refused(other, "line 2 must hold one label; got '2,3'")
    other.write_text("1\n\n2\n")
    refused(other, "line 2 must hold one label; got ''")
    other.write_text("")
    refused(other, "is empty")
    other.write_bytes(b"\xff\xfe\x00")
    refused(other, r"cannot be read as \.csv")


def test_paths_that_cannot_be_read(tmp_path):
    refused(tmp_path / "none.npy", "no such file")
    refused(tmp_path / "a.pkl", r"suffix must be one of \.npy, .*; got '\.pkl'")
    (tmp_path / "folder.npy").mkdir()
    refused(tmp_path / "folder.npy", "is a folder")
    np.save(tmp_path / "a.npy", TABLE)
    refused(tmp_path / "a.npy", "no named arrays.*got key 'x'", key="x")


def test_tensors_are_viewed_and_what_cannot_be_is_said_in_one_line():
    torch = pytest.importorskip("torch")
    tensor = torch.zeros(3)
    assert np.shares_memory(as_array(tensor, "x of Y"), tensor.numpy())
    learned = torch.zeros(3, requires_grad=True)
    assert np.shares_memory(as_array(learned, "x of Y"), learned.detach().numpy())
    with pytest.raises(ValueError, match=r"x of Y must be a numpy array or what converts to one; got .*BFloat16"):
        as_array(torch.zeros(3, dtype=torch.bfloat16), "x of Y")
