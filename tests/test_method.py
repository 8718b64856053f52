"""The contract of `methods/`, on the smallest method: what is stored, what is refused, and folders one cannot trust."""

from __future__ import annotations

import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evenrank as er
from evenrank.method import FORMAT, fewer_bits, linear_codes, load
from evenrank.methods.hashing.lsh import LSH
from evenrank.methods.hashing.trivial import Trivial

ITEMS = np.random.default_rng(0).standard_normal((20, 6))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    LSH(bits=9, seed=4).fit(ITEMS).save(tmp_path / "saved")
    return tmp_path / "saved"


def rewrite(folder: Path, **changes: Any) -> None:
    about = json.loads((folder / "method.json").read_text())
    (folder / "method.json").write_text(json.dumps(about | changes))


def refused(folder: Path, what: str) -> None:
    with pytest.raises(ValueError, match=rf"^{folder / 'method.json'}: is not a saved method: [^\n]*{what}[^\n]*$"):
        load(folder)


class Planted:
    """An object that runs code when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


def test_a_saved_method_is_json_and_plain_arrays(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == ["arrays.npz", "method.json"]
    about = json.loads((folder / "method.json").read_text())
    assert about == {
        "format": FORMAT,
        "method": "hashing/lsh",
        "parameters": {"bits": 9, "seed": 4},
        "state": {"n_features_in_": 6},
        "arrays": ["mean_", "weights_"],
    }
    with np.load(folder / "arrays.npz", allow_pickle=False) as arrays:
        assert arrays["weights_"].shape == (6, 9)


def test_loading_gives_the_method_back(folder: Path) -> None:
    method = load(folder)
    assert isinstance(method, LSH)
    assert method.get_params() == {"bits": 9, "seed": 4}
    np.testing.assert_array_equal(method.transform(ITEMS), LSH(bits=9, seed=4).fit(ITEMS).transform(ITEMS))


def test_saving_again_replaces_what_is_there(folder: Path) -> None:
    LSH(bits=3).fit(ITEMS).save(folder)
    assert load(folder).encode(ITEMS).bits == 3


def test_an_unfitted_method_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^LSH must be fitted before it is saved$"):
        LSH().save(tmp_path / "saved")
    assert not (tmp_path / "saved").exists()


def test_a_pickled_array_is_refused_and_not_run(folder: Path, tmp_path: Path) -> None:
    planted = tmp_path / "planted"
    np.savez(folder / "arrays.npz", mean_=np.zeros(6), weights_=np.array([Planted(planted)], dtype=object))
    refused(folder, "pickled")
    assert not planted.exists()


def test_a_pickle_in_place_of_the_arrays_is_refused_and_not_run(folder: Path, tmp_path: Path) -> None:
    planted = tmp_path / "planted"
    (folder / "arrays.npz").write_bytes(pickle.dumps(Planted(planted)))
    refused(folder, "arrays.npz")
    assert not planted.exists()


def test_an_array_larger_than_its_file_is_refused(folder: Path) -> None:
    header = b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little")
    header += b"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999,), }".ljust(117) + b"\n"
    with zipfile.ZipFile(folder / "arrays.npz", "w") as archive:
        archive.writestr("mean_.npy", header)
        archive.writestr("weights_.npy", header)
    refused(folder, "truncated")


@pytest.mark.parametrize("name", ["encode", "_features", "__class__", "__dict__", "bits", "_hidden_"])
def test_what_is_no_learned_attribute_is_refused(folder: Path, name: str) -> None:
    rewrite(folder, state={"n_features_in_": 6, name: 1})
    refused(folder, f"{name!r} is no learned attribute")


def test_an_array_that_is_no_learned_attribute_is_refused(folder: Path) -> None:
    np.savez(folder / "arrays.npz", mean_=np.zeros(6), weights_=np.ones((6, 9)), read=np.ones(3))
    rewrite(folder, arrays=["mean_", "read", "weights_"])
    refused(folder, "'read' is no learned attribute")


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"format": "evenrank method 0"}, "the format must be 'evenrank method 1'"),
        ({"method": "hashing/none_such"}, "is not one of the methods"),
        ({"method": "../../os"}, "is not one of the methods"),
        ({"method": 3}, ""),
        ({"parameters": {"bits": 0}}, "bits of LSH must be a whole number"),
        ({"parameters": {"bitts": 8}}, "bitts"),
        ({"parameters": [8]}, ""),
        ({"state": None}, ""),
        ({"arrays": ["mean_", "weights_", "more_"]}, "has no array called 'more_'"),
        ({"arrays": 3}, ""),
    ],
)
def test_a_method_file_that_says_something_else_is_refused(folder: Path, changes: dict[str, Any], what: str) -> None:
    rewrite(folder, **changes)
    refused(folder, what)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "null", '{"format": "evenrank method 1"}'])
def test_a_method_file_that_is_none_is_refused(folder: Path, text: str) -> None:
    (folder / "method.json").write_text(text)
    refused(folder, "")


@pytest.mark.parametrize("name", ["method.json", "arrays.npz"])
def test_a_missing_file_is_refused(folder: Path, name: str) -> None:
    (folder / name).unlink()
    refused(folder, name)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    refused(tmp_path / "nothing", "No such file")


@pytest.mark.parametrize(
    ("features", "what"),
    [
        (np.zeros(6), "must be numbers"),
        (np.zeros((2, 3, 4)), "must be numbers"),
        (np.zeros((0, 4)), "must be numbers"),
        (np.array([["a", "b"]] * 2), "must be numbers"),
        (np.zeros((2, 2), complex), "must be numbers"),
        ([[1, 2], [3]], "must be a numpy array"),
        (np.zeros((1, 4)), "at least two items"),
    ],
)
def test_features_that_are_none_are_refused_in_one_line(features: Any, what: str) -> None:
    with pytest.raises(ValueError, match=rf"^[^\n]*LSH[^\n]*{what}|LSH needs {what}"):
        LSH().fit(features)


def test_integers_and_tensors_are_features_too() -> None:
    import torch

    whole = np.arange(24).reshape(8, 3) ** 2 % 7
    expected = LSH(bits=8).fit(whole.astype(np.float64)).transform(whole)
    np.testing.assert_array_equal(LSH(bits=8).fit(whole).transform(whole), expected)
    np.testing.assert_array_equal(LSH(bits=8).fit(torch.tensor(whole)).transform(torch.tensor(whole)), expected)


def test_labels_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^labels of Trivial must be one row an item, 20; got shape \(19,\)$"):
        Trivial().fit(ITEMS, np.arange(19))


def test_relevance_is_no_label() -> None:
    with pytest.raises(ValueError, match=r"^Trivial needs labels, class numbers or a matrix; got SameLabel$"):
        Trivial().fit(ITEMS, er.SameLabel(np.arange(20), np.arange(20)))


def test_linear_codes_are_those_of_single_rows() -> None:
    random = np.random.default_rng(0)
    x, weights, thresholds = (
        random.standard_normal((50, 6)),
        random.standard_normal((6, 11)),
        random.standard_normal(11),
    )
    codes = linear_codes(x, weights, thresholds)
    expected = [[row @ column > cut for column, cut in zip(weights.T, thresholds, strict=True)] for row in x]
    np.testing.assert_array_equal(codes.unpack(), expected)


def test_fewer_bits_warn_and_enough_do_not(recwarn: pytest.WarningsRecorder) -> None:
    assert fewer_bits(LSH(), 8, 9) == 8
    assert not recwarn
    assert fewer_bits(LSH(), 8, 5) == 5
    assert str(recwarn.pop(UserWarning).message) == "LSH: 8 bits asked for, 5 possible"
