"""Omniglot: the real drawings where they are, and a few in its layout."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evenrank.dataset import Dataset
from evenrank.datasets.omniglot import Omniglot
from tests.real_data import path


@pytest.fixture(scope="module")
def real() -> Dataset:
    return Omniglot().load(path("omniglot").parent)


def test_the_real_drawings_have_their_published_counts(real: Dataset) -> None:
    """The evaluation set is whole, the background set the union of the two small ones."""
    assert [np.sum(~real.train), np.sum(real.train)] == [13_180, 4840]
    assert [len(np.unique(real.labels[part])) for part in (~real.train, real.train)] == [659, 242]
    assert [len(np.unique(real.superclasses[part])) for part in (~real.train, real.train)] == [20, 8]
    assert np.bincount(real.labels).tolist() == [20] * 901
    assert len(real.classes) == 901
    assert real.classes[0] == "Balinese/character01"
    assert real.classes[242] == "Angelic/character01"


def test_the_real_drawings_have_the_stored_checksum(real: Dataset) -> None:
    """Of the pixels, not of the files: how well those are compressed depends on who wrote them."""
    digest = hashlib.sha256(real.labels.astype("<i8").tobytes() + real.superclasses.astype("<i8").tobytes())
    for image in real.modalities["image"][::10]:
        assert image.shape == (105, 105)
        assert set(np.unique(image)) == {0, 255}
        digest.update(np.packbits(image > 0).tobytes())
    assert digest.hexdigest() == "06da6b3b69c371bd6f1cd9a3f6caec59c06e4086cd79d60d4f66dc7ecda228aa"


def draw(root: Path, name: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("1", (105, 105), 1).save(path)


@pytest.mark.parametrize("folder", ["omniglot", "omniglot/python", "omniglot-py"])
def test_characters_are_numbered_within_parts_and_alphabets(tmp_path: Path, folder: str) -> None:
    root = tmp_path / folder
    draw(root, "images_evaluation/Avesta/character01/1_02.png")
    draw(root, "images_evaluation/Avesta/character01/1_01.png")
    draw(root, "images_background/Latin/character02/2_01.png")
    draw(root, "images_background/Latin/character01/3_01.png")
    draw(root, "images_background/Greek/character01/4_01.png")
    (root / "images_background/Greek/character01/._4_01.png").write_bytes(b"what some archives leave behind")
    found = Omniglot().load(tmp_path)
    names = ["Greek/character01", "Latin/character01", "Latin/character02", "Avesta/character01"]
    assert found.classes == tuple(names)
    assert found.labels.tolist() == [0, 1, 2, 3, 3]
    assert found.superclasses.tolist() == [0, 1, 1, 2, 2]
    assert found.train.tolist() == [True, True, True, False, False]
    images = found.modalities["image"]
    assert images.names.tolist()[3:] == [f"images_evaluation/Avesta/character01/1_0{row}.png" for row in (1, 2)]
    assert images[0].shape == (105, 105)
    assert images[0].dtype == np.uint8
    assert images[0].min() == 255


def test_a_part_without_drawings_is_refused(tmp_path: Path) -> None:
    draw(tmp_path, "omniglot/images_background/Latin/character01/1_01.png")
    (tmp_path / "omniglot/images_evaluation/Avesta").mkdir(parents=True)
    with pytest.raises(ValueError, match=r"images_evaluation: must hold drawings as .*; got none$"):
        Omniglot().load(tmp_path)


def test_a_link_that_leads_out_is_refused_when_it_is_opened(tmp_path: Path) -> None:
    draw(tmp_path, "elsewhere.png")
    draw(tmp_path, "omniglot/images_evaluation/Avesta/character01/1_01.png")
    (tmp_path / "omniglot/images_background/Latin/character01").mkdir(parents=True)
    (tmp_path / "omniglot/images_background/Latin/character01/1_01.png").symlink_to(tmp_path / "elsewhere.png")
    images = Omniglot().load(tmp_path).modalities["image"]
    with pytest.raises(ValueError, match="names a file outside of itself"):
        images[0]


def test_a_damaged_drawing_is_refused_when_it_is_opened(tmp_path: Path) -> None:
    for part in ("images_background", "images_evaluation"):
        draw(tmp_path, f"omniglot/{part}/Latin/character01/1_01.png")
    path = tmp_path / "omniglot/images_evaluation/Latin/character01/1_01.png"
    path.write_bytes(path.read_bytes()[:60])
    images = Omniglot().load(tmp_path).modalities["image"]
    with pytest.raises(ValueError, match=r"1_01.png: cannot be read as an image"):
        images[1]


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    draw(tmp_path, "omniglot/images_background/Latin/character01/1_01.png")
    with pytest.raises(ValueError, match="put omniglot/images_evaluation there"):
        Omniglot().load(tmp_path)
