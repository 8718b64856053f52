"""The Wikipedia pairs: the real ones where they are, and small files in their layout."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from evenrank.dataset import Dataset
from evenrank.datasets.wikipedia import Wikipedia
from tests.real_data import path


@pytest.fixture
def real() -> Path:
    return path("wikipedia_dataset").parent


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three pairs of two categories."""
    folder = tmp_path / "wikipedia_dataset"
    (folder / "texts").mkdir(parents=True)
    (folder / "categories.list").write_text("art\nbiology\n")
    (folder / "trainset_txt_img_cat.list").write_text("d-1\ti1\t2\nd-2.1\ti2\t1\n")
    (folder / "testset_txt_img_cat.list").write_text("e-1\ti3\t2\n")
    features = {"I_tr": np.eye(2, 4), "T_tr": np.eye(2, 3), "I_te": np.ones((1, 4)), "T_te": np.ones((1, 3))}
    savemat(folder / "raw_features.mat", features)
    for name, text in {"d-1": "Bees &amp; ants, 1848&ndash;1861.", "d-2.1": "a\n\nb", "e-1": "Moss &lt; fern"}.items():
        (folder / "texts" / f"{name}.xml").write_text(f'<document id="{name}">\n<text>\n{text}\n</text>\n</document>')
    return tmp_path


def test_the_real_pairs_have_their_published_counts(real: Path) -> None:
    data = Wikipedia().load(real)
    assert (len(data), data.train.sum(), len(data.classes)) == (2866, 2173, 10)
    assert data.train[:2173].all()
    assert data.modalities["image"].shape == (2866, 128)
    assert data.modalities["text"].shape == (2866, 10)
    counts = np.bincount(data.labels[data.train])
    np.testing.assert_array_equal(counts, [138, 272, 244, 248, 202, 178, 186, 144, 214, 347])
    assert data.checksum == "21ced79d7b9162a4467d0f5fec311a1207ed0d897b294daf02d26634e5d25752"


def test_the_real_features_are_histograms_and_shares(real: Path) -> None:
    for name, values in Wikipedia().load(real).modalities.items():
        np.testing.assert_allclose(values.sum(axis=1), 1, atol=1e-3, err_msg=name)


def test_the_real_articles_are_about_their_category(real: Path) -> None:
    data = Wikipedia(text="articles").load(real)
    texts = [text.lower() for text in data.modalities["text"]]
    for category, word in {"music": "album", "warfare": "battle", "sport": "season", "biology": "species"}.items():
        share = np.bincount(data.labels, [word in text for text in texts]) / np.bincount(data.labels)
        assert data.classes[share.argmax()] == category
    assert data.checksum == "0a580668c104f51750179e212aef8bdde346f0f075fe3c5bff5e9e9e7961eb94"


def test_rows_follow_the_list_files_training_part_first(root: Path) -> None:
    data = Wikipedia().load(root)
    assert data.labels.tolist() == [1, 0, 1]
    assert data.train.tolist() == [True, True, False]
    assert data.classes == ("art", "biology")
    np.testing.assert_array_equal(data.modalities["image"], [[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 1]])
    np.testing.assert_array_equal(data.modalities["text"], [[1, 0, 0], [0, 1, 0], [1, 1, 1]])
    assert data.modalities["image"].dtype == np.float32


def test_articles_are_plain_text_with_html_characters_resolved(root: Path) -> None:
    texts = Wikipedia(text="articles").load(root).modalities["text"]
    assert texts.tolist() == ["Bees & ants, 1848–1861.", "a\n\nb", "Moss < fern"]


def test_images_lie_in_the_folder_of_their_category(root: Path) -> None:
    from PIL import Image

    folder = root / "wikipedia_dataset" / "images"
    (folder / "art").mkdir(parents=True)
    Image.new("RGB", (3, 2), (255, 0, 0)).save(folder / "art" / "i2.jpg")
    images = Wikipedia(image="files").load(root).modalities["image"]
    assert images.names.tolist() == ["biology/i1.jpg", "art/i2.jpg", "biology/i3.jpg"]
    assert images[1].shape == (2, 3, 3)


def test_images_that_are_not_there_are_asked_for(root: Path) -> None:
    with pytest.raises(ValueError, match=r"images: no such folder; image=files needs <category>/<image>.jpg there"):
        Wikipedia(image="files").load(root)


def test_an_absent_archive_says_what_to_put_where(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"put wikipedia_dataset/raw_features.mat, .* there, from http://www.svcl"):
        Wikipedia().load(tmp_path)


def refused(root: Path, file: str, content: str | bytes | Callable[[Path], object], message: str) -> None:
    path = root / "wikipedia_dataset" / file
    if callable(content):
        content(path)
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ValueError, match=message) as error:
        Wikipedia(text="articles").load(root)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("category", ["0", "3", "-1", "art", "1" * 5000])
def test_a_category_that_is_not_in_the_list_is_refused(root: Path, category: str) -> None:
    refused(root, "testset_txt_img_cat.list", f"e-1\ti3\t{category}\n", "line 1 must name a category from 1 to 2; got")


def test_a_list_longer_than_the_features_is_refused(root: Path) -> None:
    message = r"raw_features.mat: I_te must have 2 rows, one a line of its list; got shape \(1, 4\)"
    refused(root, "testset_txt_img_cat.list", "e-1\ti3\t1\nd-1\ti3\t1\n", message)


def test_parts_of_different_width_are_refused(root: Path) -> None:
    features = {"I_tr": np.ones((2, 4)), "I_te": np.ones((1, 5))}
    message = "I_tr has 4 columns, but I_te 5"
    refused(root, "raw_features.mat", lambda path: savemat(path, features), message)


def test_a_truncated_feature_file_is_refused(root: Path) -> None:
    whole = (root / "wikipedia_dataset" / "raw_features.mat").read_bytes()
    refused(root, "raw_features.mat", whole[:200], "raw_features.mat: cannot be read as .mat")


def test_a_document_outside_of_the_folder_is_refused(root: Path) -> None:
    (root / "wikipedia_dataset" / "secret.xml").write_text("<text>secret</text>")
    refused(root, "testset_txt_img_cat.list", "../secret\ti3\t1\n", "names a file outside of itself: '../secret.xml'")


def test_a_link_to_an_article_elsewhere_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.xml").write_text("<text>secret</text>")
    article = root / "wikipedia_dataset" / "texts" / "e-1.xml"
    article.unlink()
    article.symlink_to(tmp_path / "secret.xml")
    with pytest.raises(ValueError, match="names a file outside of itself"):
        Wikipedia(text="articles").load(root)


def test_an_article_that_declares_entities_is_refused(root: Path) -> None:
    bomb = '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><document><text>&b;</text></document>'
    refused(root, "texts/e-1.xml", bomb, "e-1.xml: declares a document type or entities")


@pytest.mark.parametrize("content", ["<document>no text</document>", "<text>cut off", "</text><text>"])
def test_an_article_without_its_text_is_refused(root: Path, content: str) -> None:
    refused(root, "texts/e-1.xml", content, "e-1.xml: must hold an article between <text> and </text>")


def test_a_missing_article_is_named(root: Path) -> None:
    refused(root, "texts/e-1.xml", Path.unlink, "e-1.xml: no such file")


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ValueError, match="text of Wikipedia must be one of topics, articles; got 'words'"):
        Wikipedia(text="words")


def test_relevance_is_the_common_category(root: Path) -> None:
    data: Dataset = Wikipedia().load(root)
    assert data.relevance.block().tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
