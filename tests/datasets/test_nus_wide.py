"""NUS-WIDE on thirty images of twelve concepts, in the publisher's layout."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evenrank.dataset import dataset
from evenrank.datasets.nus_wide import NusWide

ITEMS = 30
CONCEPTS = ("zebra", "sky", "animal", "book", "cat", "dog", "elk", "fox", "grass", "house", "lake", "map")
SHOWN = np.arange(ITEMS)[:, None] < np.array([2, 20, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9])  # zebra is least frequent,
SHOWN[25, 0] = True  # and of the nine images that tie, map comes last
TAGS = (np.arange(ITEMS)[:, None] * np.arange(1, 8) % 3 == 1).astype(np.uint8)


def write_label(root: Path, concept: str, flags: np.ndarray) -> None:
    text = "".join(f"{flag:d}\r\n" for flag in flags)
    (root / f"nus-wide/Groundtruth/AllLabels/Labels_{concept}.txt").write_text(text, newline="")


def write_tags(root: Path, tags: np.ndarray) -> None:
    lines = ("\t".join(map(str, row)) + "\t\r\n" for row in tags)
    (root / "nus-wide/NUS_WID_Tags/AllTags1k.txt").write_text("".join(lines), newline="")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "nus-wide"
    for name in ("ConceptsList", "Groundtruth/AllLabels", "ImageList", "NUS_WID_Tags"):
        (folder / name).mkdir(parents=True)
    (folder / "ConceptsList/Concepts81.txt").write_text("\n".join(CONCEPTS) + "\n")
    names = [f"actor\\{row:04d}_21.jpg" for row in range(ITEMS)]
    (folder / "ImageList/Imagelist.txt").write_text("\n".join(names))
    (folder / "ImageList/TrainImagelist.txt").write_text("\n".join(names[1::2]))
    for concept, flags in zip(CONCEPTS, SHOWN.T, strict=True):
        write_label(tmp_path, concept, flags)
    write_tags(tmp_path, TAGS)
    return tmp_path


def refused(root: Path, match: str) -> None:
    with pytest.raises(ValueError, match=match) as caught:
        NusWide(labels=10).load(root)
    assert "\n" not in str(caught.value)


def test_the_most_frequent_concepts_and_the_images_that_show_them_are_kept(root: Path) -> None:
    data = dataset("nus_wide(labels=10)", root)
    assert data.classes == CONCEPTS[1:11]
    assert data.multilabel
    np.testing.assert_array_equal(data.labels, SHOWN[:20, 1:11])
    np.testing.assert_array_equal(data.modalities["text"], TAGS[:20])
    assert data.modalities["text"].dtype == np.uint8
    assert list(data.modalities) == ["text"]


def test_the_train_list_marks_the_kept_images(root: Path) -> None:
    np.testing.assert_array_equal(NusWide(labels=10).load(root).train, np.arange(20) % 2 == 1)
    (root / "nus-wide/ImageList/TrainImagelist.txt").unlink()
    assert NusWide(labels=10).load(root).train is None


@pytest.mark.parametrize("name", ["images", "Flickr"])
def test_images_are_found_with_back_slashes_turned(root: Path, name: str) -> None:
    (root / "nus-wide" / name / "actor").mkdir(parents=True)
    Image.new("RGB", (5, 4), "red").save(root / "nus-wide" / name / "actor/0003_21.jpg")
    images = NusWide(labels=10).load(root).modalities["image"]
    assert len(images) == 20
    assert images[3].shape == (4, 5, 3)


def test_images_alone_are_enough_and_nothing_is_not(root: Path) -> None:
    (root / "nus-wide/NUS_WID_Tags/AllTags1k.txt").unlink()
    refused(root, r"nus-wide: must hold images/ or Flickr/, or the tags NUS_WID_Tags/AllTags1k\.txt, or both$")
    (root / "nus-wide/images").mkdir()
    assert list(NusWide(labels=10).load(root).modalities) == ["image"]


def test_concepts_may_lie_beside_the_other_folders(root: Path) -> None:
    before = NusWide(labels=10).load(root)
    (root / "nus-wide/ConceptsList/Concepts81.txt").rename(root / "nus-wide/Concepts81.txt")
    assert NusWide(labels=10).load(root).checksum == before.checksum


def test_a_name_that_leads_outside_is_refused(root: Path) -> None:
    (root / "nus-wide/images").mkdir()
    listing = root / "nus-wide/ImageList/Imagelist.txt"
    listing.write_text(listing.read_text().replace("actor\\0000_21.jpg", "..\\..\\secret.jpg"))
    images = NusWide(labels=10).load(root).modalities["image"]
    with pytest.raises(ValueError, match=r"images: names a file outside of itself: '\.\./\.\./secret\.jpg'"):
        images[0]


def test_a_concept_that_leads_outside_is_refused(root: Path) -> None:
    listing = root / "nus-wide/ConceptsList/Concepts81.txt"
    listing.write_text(listing.read_text().replace("map", "/../../../../secret"))
    refused(root, "AllLabels: names a file outside of itself")


def test_a_missing_or_short_label_file_is_refused(root: Path) -> None:
    write_label(root, "elk", SHOWN[:-1, 6])
    refused(root, r"Labels_elk\.txt: must have 30 lines, one an image; got 29$")
    (root / "nus-wide/Groundtruth/AllLabels/Labels_elk.txt").unlink()
    refused(root, r"Labels_elk\.txt: no such file$")


def test_a_label_that_is_not_0_or_1_is_refused(root: Path) -> None:
    write_label(root, "elk", np.where(np.arange(ITEMS) == 7, -1130179, SHOWN[:, 6]))
    refused(root, r"Labels_elk\.txt: must have 0 or 1 a line; got b'-1130179'$")


def test_too_few_concepts_are_refused(root: Path) -> None:
    with pytest.raises(ValueError, match=r"Concepts81\.txt: must name at least 21 concepts; got 12$"):
        NusWide().load(root)


def test_no_image_of_any_concept_is_refused(root: Path) -> None:
    for concept in CONCEPTS:
        write_label(root, concept, np.zeros(ITEMS, bool))
    refused(root, "nus-wide: no image shows any of the 10 most frequent concepts$")


def test_a_train_list_of_other_images_is_refused(root: Path) -> None:
    (root / "nus-wide/ImageList/TrainImagelist.txt").write_text("actor\\0001_21.jpg\nactor\\x.jpg\n")
    refused(root, r"TrainImagelist\.txt: names 1 images that Imagelist\.txt does not, such as 'actor/x\.jpg'$")


@pytest.mark.parametrize(
    ("tags", "match"),
    [
        (TAGS[:-1], "must have 30 lines, one an image; got 29$"),
        (np.vstack([TAGS, TAGS[:2]]), "must have 30 lines, one an image; got 32$"),
        ([*TAGS[:4], TAGS[4, :-1], *TAGS[5:]], "line 5 must hold 7 times 0 or 1; got b'"),
        (np.where(np.arange(ITEMS)[:, None] == 2, 2, TAGS), "line 3 must hold 7 times 0 or 1; got b'2"),
        ([np.zeros(400, int)], "is too short for 400 tags of each of 30 images$"),
        ([()], "is too short for 0 tags of each of 30 images$"),
    ],
)
def test_damaged_tags_are_refused(root: Path, tags: np.ndarray, match: str) -> None:
    write_tags(root, tags)
    refused(root, rf"AllTags1k\.txt: {match}")


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    refused(tmp_path, r"NUS-WIDE is not in .*: put nus-wide/ConceptsList/Concepts81\.txt, ")


def test_another_number_of_labels_is_refused() -> None:
    with pytest.raises(ValueError, match="labels of NusWide must be one of 10, 21, 81; got 20"):
        NusWide(labels=20)
