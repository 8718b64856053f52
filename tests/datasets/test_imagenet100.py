"""ImageNet100 on a few images, by lists in HashNet's format."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evenrank.dataset import dataset
from evenrank.datasets.imagenet100 import Imagenet100


def line(name: str, *classes: int) -> str:
    return " ".join([name, *("1" if number in classes else "0" for number in range(100))]) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "imagenet100"
    folder.mkdir()
    database = [line(f"image/n0{number}.JPEG", number % 100) for number in range(40, 160)]
    (folder / "database.txt").write_text("".join(database))
    (folder / "train.txt").write_text(database[7] + database[3])
    (folder / "test.txt").write_text(line("val_image/a.JPEG", 99) + line("val_image/b.JPEG", 0))
    return folder


def refused(folder: Path, match: str) -> None:
    with pytest.raises(ValueError, match=match) as caught:
        Imagenet100().load(folder.parent)
    assert "\n" not in str(caught.value)


def test_the_database_comes_first_and_is_what_train_marks(folder: Path) -> None:
    data = dataset("imagenet100", folder.parent)
    assert data.labels.tolist() == [*(number % 100 for number in range(40, 160)), 99, 0]
    np.testing.assert_array_equal(data.train, np.arange(122) < 120)
    assert len(data.classes) == 100
    assert data.modalities["image"].names[[0, 120]].tolist() == ["image/n040.JPEG", "val_image/a.JPEG"]


def test_the_training_list_is_an_extra_where_there_is_one(folder: Path) -> None:
    assert np.flatnonzero(Imagenet100().load(folder.parent).extras["listed_train"]).tolist() == [3, 7]
    (folder / "train.txt").unlink()
    assert Imagenet100().load(folder.parent).extras == {}


def test_images_lie_below_the_lists(folder: Path) -> None:
    (folder / "val_image").mkdir()
    Image.new("RGB", (5, 4)).save(folder / "val_image/b.JPEG", "JPEG")
    assert Imagenet100().load(folder.parent).modalities["image"][121].shape == (4, 5, 3)


@pytest.mark.parametrize(
    "bad",
    [
        line("x.JPEG"),
        line("x.JPEG", 3, 4),
        line("x.JPEG", 3)[:-3] + "\n",
        line("x.JPEG", 3).replace(" 1", " 2"),
        line("x.JPEG", 3).replace(" 0", " -1", 1),
        "x.JPEG\n",
        "\n",
    ],
)
def test_a_line_that_does_not_name_one_class_is_refused(folder: Path, bad: str) -> None:
    (folder / "test.txt").write_text(line("a.JPEG", 5) + bad + line("b.JPEG", 6))
    refused(folder, r"test\.txt: line 2 must be a path and 100 times 0 or 1, of which one is 1; got '")


def test_a_training_image_outside_the_database_is_refused(folder: Path) -> None:
    (folder / "train.txt").write_text(line("image/n040.JPEG", 40) + line("val_image/a.JPEG", 99))
    refused(folder, r"train\.txt: line 2 must name an image of database\.txt; got 'val_image/a\.JPEG'$")


@pytest.mark.parametrize("name", ["../secret.JPEG", "/etc/hosts", "image/../../secret.JPEG"])
def test_a_name_that_leads_outside_is_refused(folder: Path, name: str) -> None:
    (folder / "test.txt").write_text(line(name, 5))
    images = Imagenet100().load(folder.parent).modalities["image"]
    with pytest.raises(ValueError, match="imagenet100: names a file outside of itself"):
        images[120]


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    refused(tmp_path / "x", r"ImageNet100 is not in .*: put imagenet100/database\.txt, imagenet100/test\.txt there")
