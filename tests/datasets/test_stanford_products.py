"""Stanford Online Products on a few lines in the publisher's format."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evenrank.dataset import dataset
from evenrank.datasets.stanford_products import StanfordProducts

HEADING = "image_id class_id super_class_id path\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "Stanford_Online_Products"
    folder.mkdir()
    train = "1 1 1 bicycle_final/11_0.JPG\n2 1 1 bicycle_final/11_1.JPG\n3 2 12 toaster_final/12_0.JPG\n"
    (folder / "Ebay_train.txt").write_text(HEADING + train)
    (folder / "Ebay_test.txt").write_text(
        HEADING + "4 11319 1 bicycle_final/13_0.JPG\n5 11320 5 chair_final/14_0.JPG\n"
    )
    return folder


def refused(folder: Path, match: str) -> None:
    with pytest.raises(ValueError, match=match) as caught:
        StanfordProducts().load(folder.parent)
    assert "\n" not in str(caught.value)


def test_products_kinds_and_the_official_parts_are_read(folder: Path) -> None:
    data = dataset("stanford_products", folder.parent)
    assert data.labels.tolist() == [0, 0, 1, 2, 3]
    assert data.classes == ("1", "2", "11319", "11320")
    assert data.superclasses.tolist() == [0, 0, 2, 0, 1]
    np.testing.assert_array_equal(data.train, [True, True, True, False, False])


def test_images_lie_below_the_lists(folder: Path) -> None:
    (folder / "bicycle_final").mkdir()
    Image.new("RGB", (5, 4)).save(folder / "bicycle_final/13_0.JPG")
    assert StanfordProducts().load(folder.parent).modalities["image"][3].shape == (4, 5, 3)


def test_a_list_without_its_heading_is_refused(folder: Path) -> None:
    (folder / "Ebay_test.txt").write_text("4 11319 1 bicycle_final/13_0.JPG\n")
    refused(folder, r"Ebay_test\.txt: line 1 must be 'image_id class_id super_class_id path'; got '4 11319 1 ")


def test_a_truncated_line_is_refused(folder: Path) -> None:
    (folder / "Ebay_test.txt").write_text(HEADING + "4 11319 1 a.JPG\n5 113")
    refused(folder, r"Ebay_test\.txt: line 3 must have 4 columns; got 2$")


@pytest.mark.parametrize("ids", ["x 1", "1 1.5", "-1 1"])
def test_ids_that_are_not_numbers_are_refused(folder: Path, ids: str) -> None:
    (folder / "Ebay_test.txt").write_text(HEADING + f"4 {ids} a.JPG\n")
    refused(folder, r"Ebay_test\.txt: line 2 must have numbers as class ids; got '")


def test_a_name_that_leads_outside_is_refused(folder: Path) -> None:
    (folder / "Ebay_test.txt").write_text(HEADING + "4 3 1 ../secret.JPG\n")
    images = StanfordProducts().load(folder.parent).modalities["image"]
    with pytest.raises(ValueError, match="Stanford_Online_Products: names a file outside of itself"):
        images[3]


def test_what_is_missing_is_named(folder: Path) -> None:
    (folder / "Ebay_test.txt").unlink()
    refused(folder, r"is not in .*: put Stanford_Online_Products/Ebay_test\.txt there, .* fetch stanford_products$")
