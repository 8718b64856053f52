"""Feature bundles: small ones written here, and the real ones where they are."""

from pathlib import Path

import numpy as np
import pytest

from evenrank.dataset import Dataset, dataset
from evenrank.datasets.bundle import Bundle
from tests.real_data import path

IMAGE, LABEL = np.arange(8, dtype=np.float32).reshape(4, 2), np.array([0, 2, 1, 0], np.uint8)

REAL = {  # name: items, classes, modalities, training items, checksum
    "wikipedia": (
        2_866,
        10,
        {"image": 128, "text": 10},
        2_173,
        "21ced79d7b9162a4467d0f5fec311a1207ed0d897b294daf02d26634e5d25752",
    ),
    "wikipedia-cnn": (
        2_866,
        10,
        {"image": 128, "text": 100},
        2_173,
        "beb337cbfe38298d117a1e3e66191c0875e622ab8dd692b3c631e4d88e50d785",
    ),
    "pascal-sentence": (
        1_000,
        20,
        {"image": 1280},
        800,
        "5e6899053cee599ef27501fa12008e5444bf18f949e20a9cc97902a1c9a5ccab",
    ),
    "cub200": (11_788, 200, {"image": 1280}, 5_994, "486523be41eaa75beffd8c138dab77207c4b7777d3a573aec795412a6406491c"),
    "cifar10-gist22k": (
        22_019,
        10,
        {"image": 512},
        None,
        "1a6528eb0e3edec6f34e1c9c34c0cadb420458389af695e85117b537d24b6a84",
    ),
}
FOLDS = [
    "14300bf6e3bd3b306523215d47900cd8806c7b5402b95aa1a7d8def5b56e81d0",
    "6f93aaeaf4aa165b2be248d87aba7fc0ef2e9d56b7b9f5fb16b098e6d9ce310e",
    "fdef45d5edb7867d93e4004d4a715b8bea754ca88cb286b52d274097fb0e637b",
    "720fc06df2de066eb8ba191079eec2c4b78837bfe63eb0bb06e9f4bc59d3ab79",
    "bd302616b83bd57dbf22e653d004c1246490b1e7224356fbb0981a4801b8d705",
]


def real(name: str) -> Path:
    return path(name, "bundle.npz").parents[1]


@pytest.mark.parametrize("name", REAL)
def test_a_real_bundle_has_its_counts_and_checksum(name: str) -> None:
    items, classes, dimensions, train, checksum = REAL[name]
    data = Bundle(path=name).load(real(name))
    assert (data.name, len(data), len(data.classes)) == (name, items, classes)
    assert {each: values.shape for each, values in data.modalities.items()} == {
        each: (items, count) for each, count in dimensions.items()
    }
    assert data.labels.dtype == np.int64
    assert (np.bincount(data.labels) > 0).sum() == classes
    assert (None if data.train is None else data.train.sum()) == train
    assert data.checksum == checksum


@pytest.mark.parametrize("fold", range(5))
def test_a_real_bundle_with_folds_gives_the_chosen_one(fold: int) -> None:
    data = dataset(f"bundle(path='wikipedia-xtd', fold={fold})", real("wikipedia-xtd"))
    assert repr(data) == f"Dataset(wikipedia-xtd(fold={fold}): 2,866 items, image 5, text 5, 10 classes)"
    assert data.checksum == FOLDS[fold]
    seen = np.sort(data.extras["seen_classes"][fold])
    known = np.isin(data.labels, seen) & data.train
    right = seen[data.modalities["text"][known].argmax(axis=1)] == data.labels[known]
    assert right.mean() > 0.9  # the networks knew what they were trained on


def write(tmp_path: Path, **arrays: np.ndarray) -> Path:
    np.savez(tmp_path / "bundle.npz", **arrays)
    return tmp_path


def load(folder: Path, fold: int | None = None) -> Dataset:
    return Bundle(path=str(folder), fold=fold).load(Path("nowhere"))


def test_arrays_go_where_they_belong(tmp_path: Path) -> None:
    made = write(
        tmp_path,
        text=np.eye(4),
        label=LABEL,
        image=IMAGE,
        train=np.array([1, 1, 0, 0]),
        superclass=np.array([0, 1, 0, 0]),
        classes=np.array(["ant", "bee", "cat"]),
        row=np.arange(4),
        weight=np.ones(4),
        centres=np.ones((3, 2)),
    )
    data = load(made)
    assert list(data.modalities) == ["image", "text"]
    assert data.labels.tolist() == [0, 2, 1, 0]
    assert data.train.tolist() == [True, True, False, False]
    assert data.superclasses.tolist() == [0, 1, 0, 0]
    assert data.classes == ("ant", "bee", "cat")
    assert sorted(data.extras) == ["centres", "row", "weight"]
    assert data.name == tmp_path.name


@pytest.mark.parametrize(
    "shown", [np.zeros((3, 2, 2), np.uint8), np.zeros((4, 2, 2)), np.zeros((4, 2, 2, 4), np.uint8), np.array(["a"] * 5)]
)
def test_what_cannot_be_shown_is_refused(tmp_path: Path, shown: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"shown_image must be pictures \(4, height, width"):
        load(write(tmp_path, image=IMAGE, label=LABEL, shown_image=shown))


def test_what_features_look_like_is_an_extra(tmp_path: Path) -> None:
    pictures, words = np.zeros((4, 2, 3), np.uint8), np.array(["one", "two", "three", "four"])
    data = load(write(tmp_path, image=IMAGE, text=np.eye(4), label=LABEL, shown_image=pictures, shown_text=words))
    assert list(data.modalities) == ["image", "text"]
    assert sorted(data.extras) == ["shown_image", "shown_text"]


def test_content_not_order_in_the_file_decides_the_checksum(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    one = write(tmp_path / "a", image=IMAGE, text=np.eye(4), label=LABEL)
    other = write(tmp_path / "b", label=LABEL.astype(np.int32), text=np.eye(4), image=IMAGE)
    assert load(one).checksum == load(other).checksum
    assert load(write(one, image=IMAGE + 1, text=np.eye(4), label=LABEL)).checksum != load(other).checksum


@pytest.mark.parametrize("kind", [bool, np.uint8, np.float64])
def test_a_matrix_of_labels_makes_it_multilabel(tmp_path: Path, kind: type) -> None:
    data = load(write(tmp_path, image=IMAGE, label=np.eye(4, 3).astype(kind)))
    assert data.multilabel
    assert data.labels.dtype == bool
    assert len(data.classes) == 3


def test_labels_may_be_absent(tmp_path: Path) -> None:
    data = load(write(tmp_path, image=IMAGE, row=np.arange(4)))
    assert (len(data), data.labels, data.classes) == (4, None, ())


def test_a_file_a_folder_and_a_name_below_the_root_are_the_same(tmp_path: Path) -> None:
    made = write(tmp_path, image=IMAGE, label=LABEL)
    found = [
        Bundle(path=str(made / "bundle.npz")).load(Path("nowhere")),
        Bundle(path=str(made)).load(Path("nowhere")),
        Bundle(path=made.name).load(made.parent),
        dataset(str(made / "bundle.npz")),
        dataset(str(made)),
    ]
    assert len({(data.name, data.checksum) for data in found}) == 1


def test_a_file_with_a_name_of_its_own_gives_it_to_the_dataset(tmp_path: Path) -> None:
    np.savez(tmp_path / "birds.npz", image=IMAGE, label=LABEL)
    assert dataset(str(tmp_path / "birds.npz")).name == "birds"


def test_features_that_are_not_finite_are_let_through(tmp_path: Path) -> None:
    data = load(write(tmp_path, image=np.full((4, 2), np.nan), label=LABEL))
    assert np.isnan(data.modalities["image"]).all()


def test_a_fold_is_taken_from_folded_features_only(tmp_path: Path) -> None:
    data = load(write(tmp_path, image=np.stack([IMAGE, IMAGE + 1]), text=np.eye(4), label=LABEL), fold=1)
    np.testing.assert_array_equal(data.modalities["image"], IMAGE + 1)
    np.testing.assert_array_equal(data.modalities["text"], np.eye(4))


@pytest.mark.parametrize(
    ("arrays", "fold", "line"),
    [
        ({"image": np.stack([IMAGE] * 5), "label": LABEL}, None, "image differ by fold: .* from 0 to 4; got None"),
        ({"image": np.stack([IMAGE] * 5), "label": LABEL}, 5, "fold must be from 0 to 4; got 5"),
        ({"image": IMAGE, "label": LABEL}, 0, "fold must not be given; got 0"),
        ({"image": IMAGE[:3], "label": LABEL}, None, r"float array of 4 rows, .* are: image \(3, 2\)"),
        ({"image": IMAGE.astype(int), "label": LABEL}, None, "the float arrays are: none"),
        ({"image": IMAGE, "label": LABEL.astype(float)}, None, r"label must be class numbers .* got \(4,\) of float64"),
        ({"image": IMAGE, "label": np.array(["a"] * 4)}, None, "label must be class numbers"),
        ({"image": IMAGE, "label": LABEL.astype(int) - 1}, None, "from 0 to 1048575; got -1 to 1"),
        ({"image": IMAGE, "label": np.array([0, 0, 0, 2**40])}, None, "from 0 to 1048575"),
        ({"image": IMAGE, "label": np.full((4, 3), 2)}, None, "label must be 0 or 1 everywhere"),
        ({"image": IMAGE, "label": LABEL, "train": np.array([0, 1, 2, 0])}, None, "train must be 0 or 1 everywhere"),
        ({"image": IMAGE, "label": LABEL, "train": np.ones(3, bool)}, None, "train must have 4 rows"),
        ({"image": IMAGE, "label": LABEL, "superclass": np.eye(4)}, None, "superclass must be class numbers"),
        ({"image": IMAGE, "label": LABEL, "classes": np.array(["a"])}, None, "classes must name 3 classes"),
        ({"image": IMAGE, "label": np.array([None] * 4)}, None, "pickled Python objects"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    tmp_path: Path, arrays: dict[str, np.ndarray], fold: int | None, line: str
) -> None:
    with pytest.raises(ValueError, match=line) as caught:
        load(write(tmp_path, **arrays), fold)
    assert tmp_path.name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_without_a_bundle_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"bundle\.npz: no such file"):
        load(tmp_path)
