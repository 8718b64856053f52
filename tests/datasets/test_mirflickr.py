"""MIRFlickr on six images, in the publisher's layout."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evenrank.dataset import dataset
from evenrank.datasets.mirflickr import Mirflickr

ITEMS = 6
CONCEPTS = tuple(f"concept{number:02d}" for number in range(24))
STRICT = tuple(f"{concept}_r1" for concept in CONCEPTS[:14])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "mirflickr"
    annotations = folder / "mirflickr25k_annotations_v080"
    annotations.mkdir(parents=True)
    (folder / "meta/tags").mkdir(parents=True)
    for number in range(1, ITEMS + 1):
        Image.new("RGB", (number, 4)).save(folder / f"im{number}.jpg")
        (folder / f"meta/tags/tags{number}.txt").write_text(f"tag{number}\r\nzürich\r\n" if number > 1 else "")
    for place, name in enumerate(CONCEPTS + STRICT):
        (annotations / f"{name}.txt").write_text(f"{place % ITEMS + 1}\n2\n")
    (annotations / "README.txt").write_text("about")
    return tmp_path


def refused(root: Path, match: str) -> None:
    with pytest.raises(ValueError, match=match) as caught:
        Mirflickr().load(root)
    assert "\n" not in str(caught.value)


def test_images_tags_and_labels_share_their_rows(root: Path) -> None:
    data = dataset("mirflickr", root)
    assert data.classes == CONCEPTS
    assert [image.shape[1] for image in data.modalities["image"]] == [1, 2, 3, 4, 5, 6]
    assert data.modalities["text"].tolist() == ["", *(f"tag{number} zürich" for number in range(2, 7))]
    expected = np.arange(ITEMS)[:, None] == np.arange(24) % ITEMS
    expected[1] = True
    np.testing.assert_array_equal(data.labels, expected)


def test_the_stricter_lists_come_after_the_concepts(root: Path) -> None:
    data = Mirflickr(labels=38).load(root)
    assert data.classes == CONCEPTS + STRICT
    assert np.flatnonzero(data.labels[:, 24]).tolist() == [0, 1]


def test_tags_may_be_absent_but_not_in_part(root: Path) -> None:
    tags = root / "mirflickr/meta/tags"
    (tags / "tags4.txt").unlink()
    refused(root, r"tags4\.txt: no such file$")
    tags.rename(tags.with_name("elsewhere"))
    assert list(Mirflickr().load(root).modalities) == ["image"]


def test_a_strange_byte_in_a_tag_does_not_cost_the_dataset(root: Path) -> None:
    (root / "mirflickr/meta/tags/tags3.txt").write_bytes(b"caf\xe9\nparis\n")
    assert Mirflickr().load(root).modalities["text"][2] == "caf\ufffd paris"


def test_a_gap_in_the_numbers_is_refused(root: Path) -> None:
    (root / "mirflickr/im3.jpg").unlink()
    refused(root, r"mirflickr: im3\.jpg is missing, and the images must be numbered without a gap$")


@pytest.mark.parametrize("line", ["0", "7", "-1", "im3", "2 3", "99999999999999999999"])
def test_a_number_of_no_image_is_refused(root: Path, line: str) -> None:
    (root / "mirflickr/mirflickr25k_annotations_v080/concept05.txt").write_text(f"3\n{line}\n")
    refused(root, rf"concept05\.txt: line 2 must be an image number from 1 to 6; got '{line}'$")


def test_a_missing_list_is_refused(root: Path) -> None:
    (root / "mirflickr/mirflickr25k_annotations_v080/concept05.txt").unlink()
    refused(root, "mirflickr25k_annotations_v080: must hold 24 lists, one a label; got 23$")


def test_an_empty_list_is_refused(root: Path) -> None:
    (root / "mirflickr/mirflickr25k_annotations_v080/concept05.txt").write_text("")
    refused(root, r"concept05\.txt: is empty$")


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    refused(tmp_path, r"MIRFlickr-25K is not in .*: put mirflickr/im1\.jpg, .* run: evenrank data fetch mirflickr$")
