"""LabelMe-22K on a few rows, in both kinds of MATLAB file."""

from pathlib import Path

import h5py
import numpy as np
import pytest
from scipy.io import savemat

from evenrank.dataset import dataset
from evenrank.datasets.labelme22k import Labelme22k

GIST = np.random.default_rng(0).random((9, 512))


def write(root: Path, **variables: np.ndarray) -> Path:
    (root / "labelme22k").mkdir(exist_ok=True)
    path = root / "labelme22k/LabelMe_gist.mat"
    savemat(path, variables, do_compression=True)
    return path


def refused(root: Path, match: str) -> None:
    with pytest.raises(ValueError, match=match) as caught:
        Labelme22k().load(root)
    assert "\n" not in str(caught.value)


def test_only_gist_is_read_and_there_are_no_labels(tmp_path: Path) -> None:
    write(tmp_path, gist=GIST, ndxtrain=np.arange(1, 8), ndxtest=np.arange(8, 10), DistLM=np.zeros((9, 9)))
    data = dataset("labelme22k", tmp_path)
    assert data.labels is None
    assert data.modalities["image"].dtype == np.float32
    np.testing.assert_array_equal(data.modalities["image"], GIST.astype(np.float32))


def test_a_version_7_3_file_holds_the_same(tmp_path: Path) -> None:
    write(tmp_path, gist=GIST)
    before = Labelme22k().load(tmp_path)
    with h5py.File(tmp_path / "labelme22k/LabelMe_gist.mat", "w") as file:
        file.create_dataset("gist", data=GIST.T).attrs["MATLAB_class"] = np.bytes_("double")
    assert Labelme22k().load(tmp_path).checksum == before.checksum


def test_a_huge_declared_shape_is_refused_before_memory_is_set_aside(tmp_path: Path) -> None:
    write(tmp_path)
    with h5py.File(tmp_path / "labelme22k/LabelMe_gist.mat", "w") as file:
        entry = file.create_dataset("gist", (512, 10**12), "f8", chunks=(512, 16))
        entry.attrs["MATLAB_class"] = np.bytes_("double")
    refused(tmp_path, r"LabelMe_gist\.mat: declares \d+ bytes, more than a file of \d+ bytes can hold$")


def test_another_variable_is_refused(tmp_path: Path) -> None:
    write(tmp_path, features=GIST)
    refused(tmp_path, r"LabelMe_gist\.mat: has no array called 'gist'; there are: features$")


@pytest.mark.parametrize("gist", [GIST[:, :-1], GIST.T, GIST.astype(np.uint8), np.array(["a" * 512])])
def test_what_is_not_512_real_numbers_a_row_is_refused(tmp_path: Path, gist: np.ndarray) -> None:
    write(tmp_path, gist=gist)
    refused(tmp_path, r"LabelMe_gist\.mat: gist must be rows of 512 real numbers; got .* of shape \(")


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_is_refused_by_its_row(tmp_path: Path, value: float) -> None:
    gist = GIST.copy()
    gist[4, 100] = value
    write(tmp_path, gist=gist)
    refused(tmp_path, r"LabelMe_gist\.mat: row 4 of gist holds what is not a finite number$")


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, gist=GIST)
    path.write_bytes(path.read_bytes()[:1000])
    refused(tmp_path, r"LabelMe_gist\.mat: cannot be read as \.mat: ")


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    refused(tmp_path, r"LabelMe-22K is not in .*: put labelme22k/LabelMe_gist\.mat there")
