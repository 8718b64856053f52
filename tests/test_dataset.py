"""Datasets: what they promise about their rows, and how one is found."""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evenrank.dataset import Dataset, Loader, data_root, dataset, loader, located
from evenrank.formats.images import ImageFiles

X, Y = np.arange(8, dtype=np.float32).reshape(4, 2), np.array([0, 1, 1, 2])


def made(**changes: object) -> Dataset:
    return Dataset(**{"name": "small", "modalities": {"image": X}, "labels": Y, **changes})  # type: ignore[arg-type]


def test_it_prints_what_it_holds() -> None:
    words = np.array(["a"] * 4, np.dtypes.StringDType())
    data = made(modalities={"image": X, "pixels": np.zeros((4, 8, 8, 3)), "text": words}, classes=("p", "q", "r"))
    assert repr(data) == "Dataset(small: 4 items, image 2, pixels 8 × 8 × 3, text texts, 3 classes)"


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"modalities": {}}, "small: a dataset must have at least one modality"),
        ({"modalities": {"image": X[:0]}, "labels": None}, "small: holds no items"),
        ({"modalities": {"image": X, "text": X[:3]}}, "small: text must have 4 rows, one an item; got 3"),
        ({"labels": Y[:3]}, "small: labels must have 4 rows, one an item; got 3"),
        ({"train": np.ones(5, bool)}, "small: train must have 4 rows, one an item; got 5"),
        ({"superclasses": Y[:1]}, "small: superclasses must have 4 rows, one an item; got 1"),
    ],
)
def test_columns_that_do_not_fit_are_refused(changes: dict[str, object], line: str) -> None:
    with pytest.raises(ValueError, match=f"^{line}$"):
        made(**changes)


def test_relevance_is_same_label_and_can_be_taken_for_a_split() -> None:
    relevance = made().relevance
    np.testing.assert_array_equal(relevance.block(), Y[:, None] == Y)
    taken = relevance.take(np.array([1, 3]), np.array([0, 2, 3]))
    np.testing.assert_array_equal(taken.block(), [[0, 1, 0], [0, 0, 1]])


def test_with_several_labels_one_shared_is_enough() -> None:
    labels = np.array([[1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 1, 0]], bool)
    data = made(labels=labels)
    assert data.multilabel
    taken = data.relevance.take(np.array([0]), np.arange(4))
    assert taken.levels[taken.block()].tolist() == [[1, 1, 0, 1]]
    np.testing.assert_array_equal(data.memberships, labels)


def test_memberships_have_a_column_a_class_even_an_empty_one() -> None:
    np.testing.assert_array_equal(made().memberships, np.eye(3, dtype=bool)[Y])
    assert made(classes=tuple("abcde")).memberships.shape == (4, 5)


def test_without_labels_there_is_no_relevance() -> None:
    data = made(labels=None)
    with pytest.raises(ValueError, match="small has no labels: its protocol must say what is relevant"):
        _ = data.relevance
    with pytest.raises(ValueError, match="small has no labels"):
        _ = data.memberships


def test_the_checksum_is_that_of_the_content() -> None:
    assert made().checksum == made(name="other", modalities={"image": np.asfortranarray(X)}).checksum
    others = [
        made(modalities={"text": X}),
        made(modalities={"image": X.astype(np.float64)}),
        made(modalities={"image": X.reshape(4, 2, 1)}),
        made(modalities={"image": X[::-1]}),
        made(labels=Y[::-1]),
        made(labels=None),
        made(train=np.ones(4, bool)),
        made(superclasses=Y),
    ]
    assert len({data.checksum for data in [made(), *others]}) == 1 + len(others)


def test_the_checksum_of_a_known_content_never_changes() -> None:
    assert made().checksum == "48bedf167096498c6fa8d4b11ed4d4641f102ea2f61f1442a4eca0209d84bef4"


def test_the_checksum_looks_into_texts_and_image_files(tmp_path: Path) -> None:
    def texts(*words: str) -> str:
        return Dataset("texts", {"text": np.array(words, np.dtypes.StringDType())}).checksum

    assert texts("a", "b") == texts("a", "b")
    assert texts("a", "b") != texts("b", "a")
    for name, value in (("a.png", 1), ("b.png", 1), ("c.png", 2)):
        Image.new("RGB", (2, 2), (value, 0, 0)).save(tmp_path / name)
    one, same, other = (
        Dataset("one", {"image": ImageFiles(tmp_path, [name])}).checksum for name in ("a.png", "b.png", "c.png")
    )
    assert one == same != other


def test_what_is_given_comes_before_the_environment_before_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENRANK_DATA", "/from/environment")
    assert data_root("/given") == Path("/given")
    assert data_root() == Path("/from/environment")
    monkeypatch.setenv("EVENRANK_DATA", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    monkeypatch.setattr(sys, "platform", "linux")
    assert data_root() == Path("/cache/evenrank")


@pytest.mark.parametrize(("platform", "folder"), [("darwin", "Library/Caches"), ("linux", ".cache")])
def test_each_platform_has_its_own_cache(monkeypatch: pytest.MonkeyPatch, platform: str, folder: str) -> None:
    monkeypatch.delenv("EVENRANK_DATA", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/home/someone")
    monkeypatch.setattr(sys, "platform", platform)
    assert data_root() == Path("/home/someone", folder, "evenrank")
    assert data_root("~/data") == Path("/home/someone/data")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("features.npz", "Bundle"),
        ("features.NPZ", "Bundle"),
        ("list.csv", "Manifest"),
        ("list.jsonl", "Manifest"),
        ("list.parquet", "Manifest"),
        ("digits", "Digits"),
        ("synthetic(items=5)", "Synthetic"),
        ("bundle(path='a/b', fold=1)", "Bundle"),
    ],
)
def test_a_name_or_a_path_stands_for_a_loader(name: str, kind: str) -> None:
    assert type(loader(name)).__name__ == kind


@pytest.mark.parametrize(
    ("file", "kind"), [("bundle.npz", "Bundle"), ("corpus.jsonl", "Beir"), ("cat/1.png", "ImageFolder")]
)
def test_what_a_folder_holds_decides_its_loader(tmp_path: Path, file: str, kind: str) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).touch()
    assert type(loader(str(tmp_path))).__name__ == kind


def test_an_unknown_name_gives_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"'digit' is not one of the datasets: .*; did you mean digits\?"):
        dataset("digit")


def test_own_data_are_where_they_are_said_to_be_or_below_the_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("here", "root"):
        (tmp_path / folder).mkdir()
    (tmp_path / "root" / "a").touch()
    monkeypatch.chdir(tmp_path / "here")
    assert located("a", tmp_path / "root") == tmp_path / "root" / "a"
    Path("a").touch()
    assert located("a", tmp_path / "root") == Path("a")
    with pytest.raises(ValueError, match=f"^b: no such file or folder, nor is it below {tmp_path / 'root'}$"):
        located("b", tmp_path / "root")


@dataclass(frozen=True)
class Moss(Loader):
    """Twelve mosses."""

    title = "Moss"
    media = "image"
    needs = (("moss/a.bin", "moss/b.bin"), ("moss.mat",))
    source = "https://moss.example"
    downloads = (("https://moss.example/moss.tar", "", "moss"),)

    def read(self, root: Path) -> Dataset:
        return Dataset("moss", {"image": X})


def test_one_whole_alternative_is_enough(tmp_path: Path) -> None:
    (tmp_path / "moss").mkdir()
    (tmp_path / "moss" / "a.bin").touch()
    with pytest.raises(ValueError, match="Moss is not in"):
        dataset(Moss(), tmp_path)
    (tmp_path / "moss.mat").touch()
    assert dataset(Moss(), tmp_path).name == "moss"


def test_what_is_missing_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "moss").mkdir()
    (tmp_path / "moss" / "a.bin").touch()
    assert Moss().absent(tmp_path) == (
        f"Moss is not in {tmp_path}: put moss/b.bin there (or one of its other layouts: evenrank data list),"
        " from https://moss.example, or run: evenrank data fetch test_dataset"
    )


@dataclass(frozen=True)
class Ferns(Moss):
    """Many files, no source."""

    title = "Ferns"
    needs = (("a", "b", "c", "d", "e"),)
    source = ""
    downloads = ()


def test_many_missing_files_are_counted(tmp_path: Path) -> None:
    assert Ferns().absent(tmp_path) == f"Ferns is not in {tmp_path}: put a, b, c and 2 more there"
