"""CUB-200-2011: the real birds where they are, and small lists in their layout."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evenrank.dataset import Dataset
from evenrank.datasets.cub200 import Cub200
from tests.real_data import path


@pytest.fixture(scope="module")
def real() -> Dataset:
    return Cub200().load(path("CUB_200_2011").parent)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three images of two species; the other files name them in another order."""
    folder = tmp_path / "CUB_200_2011"
    (folder / "images" / "001.Gull").mkdir(parents=True)
    Image.new("RGB", (3, 2)).save(folder / "images" / "001.Gull" / "b.jpg")
    write(tmp_path, "images", "1 002.Wren/a.jpg\n2 001.Gull/b.jpg\n3 002.Wren/c.jpg\n")
    write(tmp_path, "image_class_labels", "3 2\n2 1\n1 2\n")
    write(tmp_path, "train_test_split", "3 0\n1 1\n2 0\n")
    write(tmp_path, "classes", "1 001.Gull\n2 002.Wren\n")
    return tmp_path


def write(root: Path, name: str, content: str) -> None:
    (root / "CUB_200_2011" / f"{name}.txt").write_text(content)


def test_the_real_birds_have_their_published_counts(real: Dataset) -> None:
    assert len(real) == 11_788
    assert len(real.classes) == 200
    assert real.train.sum() == 5_994
    counts = np.bincount(real.labels, minlength=200)
    assert (counts.min(), counts.max()) == (41, 60)
    assert (counts[:100].sum(), counts[100:].sum()) == (5_864, 5_924)  # the halves of metric learning
    digest = hashlib.sha256(real.labels.astype("<i8").tobytes() + real.train.tobytes())
    assert digest.hexdigest() == "1b01fce371d8e7491cfad7666f99b9379af0cbd7be430f0fd26b026fac920f70"


def test_real_images_lie_in_the_folder_of_their_species(real: Dataset) -> None:
    folders = [name.split("/")[0] for name in real.modalities["image"].names]
    assert folders == [real.classes[label] for label in real.labels]


def test_real_images_have_the_colours_of_the_sample(real: Dataset) -> None:
    """JPEG bytes depend on what wrote the thumbnails, mean colours hardly do."""
    sample = real.modalities["image"][np.arange(0, 11_788, 500)]
    means = np.mean([image.mean(axis=(0, 1)) for image in sample], axis=0)
    np.testing.assert_allclose(means, [132.48, 134.01, 115.32], atol=0.5)


def test_lists_are_joined_by_number(root: Path) -> None:
    data = Cub200().load(root)
    assert data.modalities["image"].names.tolist() == ["002.Wren/a.jpg", "001.Gull/b.jpg", "002.Wren/c.jpg"]
    assert data.labels.tolist() == [1, 0, 1]
    assert data.train.tolist() == [True, False, False]
    assert data.classes == ("001.Gull", "002.Wren")
    assert data.modalities["image"][1].shape == (2, 3, 3)


def refused(root: Path, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        Cub200().load(root)
    assert "\n" not in str(error.value)


def test_an_absent_dataset_says_what_to_put_where_and_how_to_fetch_it(tmp_path: Path) -> None:
    refused(tmp_path, "put CUB_200_2011/images.txt, .* there, .* or run: evenrank data fetch cub200")


@pytest.mark.parametrize("name", ["image_class_labels", "train_test_split"])
def test_an_image_that_a_list_leaves_out_is_named(root: Path, name: str) -> None:
    write(root, name, "1 1\n3 1\n")
    refused(root, f"{name}.txt: does not say anything of image 2 of images.txt")


def test_an_image_that_is_not_listed_is_named(root: Path) -> None:
    write(root, "train_test_split", "1 1\n2 0\n3 0\n4 0\n")
    refused(root, "train_test_split.txt: speaks of image 4, which is not in images.txt")


def test_a_repeated_number_is_refused(root: Path) -> None:
    write(root, "images", "1 a.jpg\n2 b.jpg\n2 c.jpg\n")
    refused(root, "images.txt: line 3 repeats number 2")


def test_an_unknown_species_is_refused(root: Path) -> None:
    write(root, "image_class_labels", "1 2\n2 3\n3 1\n")
    refused(root, "image_class_labels.txt: image 2 must have 1 … 2; got '3'")


def test_a_split_that_is_neither_training_nor_test_is_refused(root: Path) -> None:
    write(root, "train_test_split", "1 1\n2 2\n3 0\n")
    refused(root, "train_test_split.txt: image 2 must have 0 … 1; got '2'")


def test_a_truncated_list_is_refused(root: Path) -> None:
    write(root, "images", "1 002.Wren/a.jpg\n2 001.Gull/b.jpg\n3")
    refused(root, "images.txt: line 3 must have 2 columns; got 1")


@pytest.mark.parametrize("name", ["../../secret.jpg", "/etc/passwd"])
def test_an_image_outside_of_the_folder_is_never_opened(root: Path, name: str) -> None:
    write(root, "images", f"1 {name}\n2 001.Gull/b.jpg\n3 002.Wren/c.jpg\n")
    with pytest.raises(ValueError, match="names a file outside of itself"):
        Cub200().load(root).modalities["image"][0]
