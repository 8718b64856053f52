"""Images in one folder a class."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evenrank.dataset import Dataset, dataset
from evenrank.datasets.image_folder import ImageFolder
from tests.real_data import path


def draw(folder: Path, *names: str) -> None:
    """Write images of 4 × 3 pixels; the n-th is of the grey value n."""
    for value, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (4, 3), (value, value, value)).save(path)


def load(folder: Path) -> Dataset:
    return ImageFolder(path=str(folder)).load(Path("nowhere"))


def test_images_are_read_by_class_then_by_name(tmp_path: Path) -> None:
    draw(tmp_path, "cat/b.png", "cat/a.png", "ant/z.png")
    data = load(tmp_path)
    assert data.classes == ("ant", "cat")
    assert data.labels.tolist() == [0, 1, 1]
    assert data.train is None
    images = data.modalities["image"]
    assert images.names.tolist() == ["ant/z.png", "cat/a.png", "cat/b.png"]
    assert [image[0, 0, 0] for image in images] == [2, 1, 0]
    assert images[0].shape == (3, 4, 3)


def test_every_usual_suffix_in_any_case_and_nothing_else(tmp_path: Path) -> None:
    names = ["1.JPG", "2.jpeg", "3.png", "4.webp", "5.bmp", "6.gif", "7.tif", "8.TIFF"]
    draw(tmp_path, *(f"ant/{name}" for name in names))
    draw(tmp_path, "ant/.hidden.png", ".git/a.png")
    (tmp_path / "ant" / "notes.txt").write_text("no image")
    (tmp_path / "ant" / "folder.png").mkdir()
    data = load(tmp_path)
    assert data.modalities["image"].names.tolist() == [f"ant/{name}" for name in names]
    assert data.classes == ("ant",)
    assert all(image.shape == (3, 4, 3) for image in data.modalities["image"])


def test_train_and_test_folders_give_the_training_part(tmp_path: Path) -> None:
    draw(tmp_path, "test/bee/2.png", "test/cat/3.png", "train/ant/0.png", "train/cat/1.png")
    data = load(tmp_path)
    assert data.classes == ("ant", "bee", "cat")
    assert data.modalities["image"].names.tolist() == [
        "train/ant/0.png",
        "train/cat/1.png",
        "test/bee/2.png",
        "test/cat/3.png",
    ]
    assert data.labels.tolist() == [0, 2, 1, 2]
    assert data.train.tolist() == [True, True, False, False]


def test_classes_may_be_called_train_and_test(tmp_path: Path) -> None:
    draw(tmp_path, "train/0.png", "test/1.png")
    data = load(tmp_path)
    assert data.classes == ("test", "train")
    assert data.train is None


def test_a_path_that_is_a_folder_stands_for_it(tmp_path: Path) -> None:
    draw(tmp_path, "photos/ant/0.png")
    assert dataset(str(tmp_path / "photos")).name == "photos"
    assert dataset("image_folder(path=photos)", tmp_path).name == "photos"


def test_links_that_stay_inside_are_followed(tmp_path: Path) -> None:
    draw(tmp_path, "ant/a.png")
    (tmp_path / "ant" / "b.png").symlink_to(tmp_path / "ant" / "a.png")
    assert len(load(tmp_path)) == 2


@pytest.mark.parametrize("link", ["ant/b.png", "bee", "both"])
def test_links_that_lead_out_are_refused(tmp_path: Path, link: str) -> None:
    draw(tmp_path, "photos/ant/a.png", "secret/b.png", "parts/bee/b.png")
    target = {"ant/b.png": "secret/b.png", "bee": "secret", "both": "parts"}[link]
    if link == "both":
        (tmp_path / "photos" / "ant").rename(tmp_path / "ant")
        (tmp_path / "photos" / "test").symlink_to(tmp_path / "parts")
        draw(tmp_path, "photos/train/ant/a.png")
    else:
        (tmp_path / "photos" / link).symlink_to(tmp_path / target)
    with pytest.raises(ValueError, match=r"photos: names a file outside of itself: '[^\n]*'$"):
        load(tmp_path / "photos")


def test_a_class_without_images_is_named(tmp_path: Path) -> None:
    draw(tmp_path, "ant/a.png", "bee/.hidden.png")
    with pytest.raises(ValueError, match=r"bee: must hold images \(\.jpg [^\n]*\); got none$"):
        load(tmp_path)


@pytest.mark.parametrize("content", [[], [".git/a.png"], ["a.png"]])
def test_a_folder_without_classes_is_refused(tmp_path: Path, content: list[str]) -> None:
    (tmp_path / "photos").mkdir()
    draw(tmp_path / "photos", *content)
    with pytest.raises(ValueError, match=r"photos: must hold one folder of images a class; got no folder$"):
        load(tmp_path / "photos")


def test_a_file_is_refused(tmp_path: Path) -> None:
    draw(tmp_path, "a.png")
    with pytest.raises(ValueError, match="must be a folder with one folder of images a class"):
        load(tmp_path / "a.png")


def test_the_real_pascal_sentence_images_load() -> None:
    data = load(path("pascal-sentence", "images"))
    assert np.bincount(data.labels).tolist() == [50] * 20
    assert data.classes[0] == "aeroplane"
    assert data.modalities["image"][999].shape == (160, 160, 3)
