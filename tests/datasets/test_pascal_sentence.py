"""Pascal Sentence: the real photographs where they are, and small folders in both layouts."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evenrank.dataset import Dataset
from evenrank.datasets.pascal_sentence import PascalSentence
from tests.real_data import path


@pytest.fixture(scope="module")
def real() -> Dataset:
    return PascalSentence().load(path("pascal-sentence").parent)


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """Two classes, 42 and one image, a text file for each."""
    for name, count in {"dog": 1, "cat": 42}.items():
        for kind in ("dataset", "sentence"):
            (tmp_path / "pascal-sentence" / kind / name).mkdir(parents=True)
        for number in reversed(range(count)):
            Image.new("RGB", (2, 2), (0, 0, number)).save(image(tmp_path, f"dataset/{name}/{number:03}.jpg"))
            image(tmp_path, f"sentence/{name}/{number:03}.txt").write_text(f"A {name}.\nIts number is {number}.\n")
    return tmp_path


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    """Two classes of two images, and one list of their sentences."""
    for name in ("dog", "cat"):
        image(tmp_path, f"images/{name}").mkdir(parents=True)
        for number in (2, 1):
            Image.new("RGB", (2, 2)).save(image(tmp_path, f"images/{name}/{number}.webp"))
    image(tmp_path, "classes.txt").write_text("dog\ncat\n")
    captions = [["dog 1", "one dog"], ["dog 2"], ["cat 1"], ["cat 2", "two cats"]]
    image(tmp_path, "captions.json").write_text(json.dumps(captions))
    return tmp_path


def image(root: Path, name: str) -> Path:
    return root / "pascal-sentence" / name


def test_the_real_photographs_have_their_published_counts(real: Dataset) -> None:
    assert len(real.classes) == 20
    assert np.bincount(real.labels).tolist() == [50] * 20
    assert np.bincount(real.labels[real.train]).tolist() == [40] * 20
    assert 4 <= np.mean([len(text.split("\n")) for text in real.modalities["text"]]) <= 6
    assert real.checksum == "c660869f31bd6293d6373e8d77acd02cec8daad5a7fc163dd2f38fa2c79bc03b"


@pytest.mark.parametrize("name", ["bicycle", "bus", "cat", "cow", "dog", "horse", "sheep", "train"])
def test_real_sentences_name_the_class_of_their_image(real: Dataset, name: str) -> None:
    named = np.array([name in text.lower() for text in real.modalities["text"]])
    own = real.labels == real.classes.index(name)
    assert named[own].mean() > 0.8
    assert named[~own].mean() < 0.1


def test_real_sentences_about_grass_belong_to_green_images(real: Dataset) -> None:
    """If sentences were moved on within their class by any number of images, the green would be gone."""
    pixels = [image.astype(int) for image in real.modalities["image"]]
    green = np.array([np.mean(image[..., 1] > 5 + np.maximum(image[..., 0], image[..., 2])) for image in pixels])
    more = (green.reshape(20, 50) - green.reshape(20, 50).mean(axis=1, keepdims=True)).round(6)
    grass = np.array(["grass" in text.lower() for text in real.modalities["text"]]).reshape(20, 50)
    found = [more[np.roll(grass, places, axis=1)].mean() for places in range(50)]
    assert found[0] > 0.15
    assert max(found[1:]) < 0.05


def test_the_first_forty_images_of_a_class_by_name_train(beside: Path) -> None:
    data = PascalSentence().load(beside)
    assert data.classes == ("cat", "dog")
    assert np.bincount(data.labels).tolist() == [42, 1]
    assert np.flatnonzero(~data.train).tolist() == [40, 41]


def test_each_image_has_the_sentences_of_the_file_of_its_name(beside: Path) -> None:
    data = PascalSentence().load(beside)
    images, texts = data.modalities["image"], data.modalities["text"]
    assert images.names[7] == "cat/007.jpg"
    assert texts[7] == "A cat.\nIts number is 7."
    assert texts[42] == "A dog.\nIts number is 0."
    assert images[42].shape == (2, 2, 3)


def test_listed_sentences_follow_the_classes_and_then_the_names(listed: Path) -> None:
    data = PascalSentence().load(listed)
    assert data.classes == ("dog", "cat")
    assert data.labels.tolist() == [0, 0, 1, 1]
    assert data.modalities["image"].names.tolist() == ["dog/1.webp", "dog/2.webp", "cat/1.webp", "cat/2.webp"]
    assert data.modalities["text"].tolist() == ["dog 1\none dog", "dog 2", "cat 1", "cat 2\ntwo cats"]


def test_files_that_are_not_images_do_not_count(listed: Path) -> None:
    image(listed, "images/dog/Thumbs.db").write_text("")
    assert len(PascalSentence().load(listed)) == 4


def refused(root: Path, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        PascalSentence().load(root)
    assert "\n" not in str(error.value)


def test_an_absent_dataset_says_what_to_put_where(tmp_path: Path) -> None:
    refused(tmp_path, "put pascal-sentence/dataset, pascal-sentence/sentence there .or one of its other layouts")


def test_an_image_without_sentences_is_refused(beside: Path) -> None:
    image(beside, "sentence/cat/005.txt").unlink()
    refused(beside, "005.txt: no such file")


def test_a_list_of_another_length_is_refused(listed: Path) -> None:
    image(listed, "images/dog/3.webp").write_bytes(b"")
    refused(listed, "captions.json: must list the sentences of 5 images; got those of 4")


@pytest.mark.parametrize("captions", ["[[", '{"a": 1}', "7", "[[1], [2], [3], [4]]", '[["\\ud800"]]', "[" * 100_000])
def test_what_is_not_a_list_of_lists_of_sentences_is_refused(listed: Path, captions: str) -> None:
    image(listed, "captions.json").write_text(captions)
    refused(listed, "captions.json: must")


@pytest.mark.parametrize("name", ["../secret", "/etc"])
def test_a_class_outside_of_the_folder_is_refused(listed: Path, name: str) -> None:
    image(listed, "secret").mkdir()
    image(listed, "classes.txt").write_text(f"dog\n{name}\n")
    refused(listed, "names a file outside of itself")


def test_a_class_that_is_a_link_elsewhere_is_refused(beside: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    image(beside, "dataset/eel").symlink_to(tmp_path / "secret")
    refused(beside, "names a file outside of itself: 'eel'")


def test_a_class_without_images_is_refused(listed: Path) -> None:
    image(listed, "classes.txt").write_text("dog\ncow\n")
    refused(listed, r"images/cow: must be a folder of images \(.jpg, .webp\)")
