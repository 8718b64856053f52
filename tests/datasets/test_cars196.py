"""Cars196 on a few cars, in both of its layouts."""

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy.io import savemat

from evenrank.dataset import dataset
from evenrank.datasets.cars196 import Cars196

CLASSES = ("AM General Hummer SUV 2000", "Acura RL Sedan 2012", "Audi S4 2007")
LABELS = (1, 1, 2, 3, 3)
TEST = (0, 1, 0, 1, 0)


def write(path: Path, **variables: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    savemat(path, variables, do_compression=True)


def structs(**columns: Any) -> np.ndarray:
    """Return a MATLAB struct array of one row, each field of each entry an array of its own."""
    rows = np.empty((1, len(next(iter(columns.values())))), [(name, object) for name in columns])
    for name, values in columns.items():
        for place, value in enumerate(values):
            rows[name][0, place] = value
    return rows


def cells(*words: str) -> np.ndarray:
    return np.array([words], dtype=object)


@pytest.fixture
def single(tmp_path: Path) -> Path:
    paths = [f"car_ims/{number:06d}.jpg" for number in range(1, 6)]
    cars = structs(relative_im_path=paths, bbox_x1=[7] * 5, **{"class": np.uint8(LABELS)}, test=np.uint8(TEST))
    write(tmp_path / "cars196/cars_annos.mat", annotations=cars, class_names=cells(*CLASSES))
    (tmp_path / "cars196/car_ims").mkdir()
    return tmp_path


@pytest.fixture
def devkit(tmp_path: Path) -> Path:
    folder = tmp_path / "stanford_cars"
    for part in ("cars_train", "cars_test"):
        (folder / part).mkdir(parents=True)
    write(folder / "devkit/cars_meta.mat", class_names=cells(*CLASSES))
    train = structs(bbox_x1=[7] * 3, **{"class": np.uint8([1, 2, 3])}, fname=["00001.jpg", "00002.jpg", "00003.jpg"])
    write(folder / "devkit/cars_train_annos.mat", annotations=train)
    test = structs(bbox_x1=[7], **{"class": np.uint8([3])}, fname=["00001.jpg"])
    write(folder / "cars_test_annos_withlabels.mat", annotations=test)
    return tmp_path


def refused(root: Path, match: str) -> None:
    with pytest.raises(ValueError, match=match) as caught:
        Cars196().load(root)
    assert "\n" not in str(caught.value)


def test_one_file_of_annotations_holds_names_classes_and_parts(single: Path) -> None:
    data = dataset("cars196", single)
    assert data.classes == CLASSES
    assert data.labels.tolist() == [0, 0, 1, 2, 2]
    assert data.train.tolist() == [True, False, True, False, True]
    Image.new("RGB", (5, 4)).save(single / "cars196/car_ims/000002.jpg")
    assert data.modalities["image"][1].shape == (4, 5, 3)


def test_the_devkit_gives_training_images_then_test_images(devkit: Path) -> None:
    data = dataset("cars196", devkit)
    assert data.classes == CLASSES
    assert data.labels.tolist() == [0, 1, 2, 2]
    assert data.train.tolist() == [True, True, True, False]
    Image.new("RGB", (5, 4)).save(devkit / "stanford_cars/cars_test/00001.jpg")
    assert data.modalities["image"][3].shape == (4, 5, 3)


def test_test_annotations_without_labels_are_refused(devkit: Path) -> None:
    write(devkit / "stanford_cars/cars_test_annos_withlabels.mat", annotations=structs(bbox_x1=[7], fname=["1.jpg"]))
    refused(devkit, r"withlabels\.mat: annotations must have a field 'class'; got \('bbox_x1', 'fname'\)$")


@pytest.mark.parametrize("number", [0, 4])
def test_a_class_without_a_name_is_refused(devkit: Path, number: int) -> None:
    cars = structs(fname=["1.jpg", "2.jpg"], **{"class": [1, number]})
    write(devkit / "stanford_cars/devkit/cars_train_annos.mat", annotations=cars)
    refused(devkit, rf"cars_train_annos\.mat: class of annotation 1 must be from 1 to 3; got {number}$")


@pytest.mark.parametrize("value", [np.array([1, 2]), "first"])
def test_a_class_that_is_not_a_number_is_refused(devkit: Path, value: Any) -> None:
    cars = structs(fname=["1.jpg", "2.jpg"], **{"class": [1, value]})
    write(devkit / "stanford_cars/devkit/cars_train_annos.mat", annotations=cars)
    refused(devkit, r"cars_train_annos\.mat: class of annotations must be one whole number each$")


@pytest.mark.parametrize("name", ["../../secret.jpg", "..\\..\\secret.jpg"])
def test_a_name_that_leads_outside_is_refused(devkit: Path, name: str) -> None:
    cars = structs(fname=[name, "2.jpg"], **{"class": [1, 2]})
    write(devkit / "stanford_cars/devkit/cars_train_annos.mat", annotations=cars)
    images = Cars196().load(devkit).modalities["image"]
    with pytest.raises(ValueError, match="stanford_cars: names a file outside of itself"):
        images[0]


def test_another_variable_is_refused(single: Path) -> None:
    write(single / "cars196/cars_annos.mat", cars=np.arange(3), class_names=cells(*CLASSES))
    refused(single, r"cars_annos\.mat: annotations cannot be read: the variables there are cars, class_names$")


def test_annotations_that_are_not_structs_are_refused(single: Path) -> None:
    write(single / "cars196/cars_annos.mat", annotations=np.arange(3), class_names=cells(*CLASSES))
    refused(single, r"cars_annos\.mat: annotations must have a field 'relative_im_path'; got int64$")


def test_a_truncated_file_is_refused(single: Path) -> None:
    path = single / "cars196/cars_annos.mat"
    path.write_bytes(path.read_bytes()[:300])
    refused(single, r"cars_annos\.mat: \w+ cannot be read: ")


def test_a_huge_declared_shape_is_refused_before_memory_is_set_aside(single: Path) -> None:
    path = single / "cars196/cars_annos.mat"
    savemat(path, {"class_names": cells(*CLASSES)}, do_compression=False)
    content, shape = path.read_bytes(), struct.pack("<ii", 1, 3)
    assert content.count(shape) == 1
    path.write_bytes(content.replace(shape, struct.pack("<ii", 2**30, 2**30)))
    refused(
        single, r"class_names cannot be read: it declares 1152921504606846976 entries, more than \d+ bytes can hold$"
    )


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    refused(tmp_path, r"Cars196 is not in .*: put cars196/cars_annos\.mat, cars196/car_ims there \(or one of its other")
