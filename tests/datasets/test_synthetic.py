"""Synthetic classes: reproducible, of the asked shape, and as hard as asked."""

import subprocess
import sys

import numpy as np
import pytest

import evenrank as er
from evenrank.dataset import Dataset, dataset
from evenrank.datasets.synthetic import BLOCK, Synthetic

LABELS = [6, 6, 3, 2, 0, 6, 0, 4]  # of the default options
VALUES = [[-1.9330769, 0.8683417, -1.1944129], [0.2484495, 0.5770739, 1.5909599]]
PAIRS = [[1, 5], [2, 6], [2, 3], [1, 2]]


def average_precision(data: Dataset, queries: str = "image", database: str = "image") -> float:
    """Return the mean AP of the first 200 items against the others."""
    first, rest = np.arange(200), np.arange(200, len(data))
    views = data.modalities[queries][first], data.modalities[database][rest]
    embeddings = [er.Embeddings(view, distance="euclidean") for view in views]
    return float(er.evaluate(*embeddings, data.relevance.take(first, rest), metrics=["AP"]).mean["AP"])


def test_the_same_seed_gives_the_same_numbers_in_another_process() -> None:
    text = "synthetic(items=1500, modalities=2, superclasses=3, seed=4)"
    code = f"from evenrank.dataset import dataset; print(dataset({text!r}).checksum)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == dataset(text).checksum
    assert dataset(text.replace("seed=4", "seed=5")).checksum != dataset(text).checksum


def test_the_numbers_are_those_of_every_platform() -> None:
    data = dataset("synthetic(items=2000)")
    assert data.labels[:8].tolist() == LABELS
    np.testing.assert_allclose(data.modalities["image"][[0, 1999], :3], VALUES, rtol=1e-6)
    several = dataset("synthetic(items=10, labels_per_item=2)")
    assert [np.flatnonzero(row).tolist() for row in several.labels[:4]] == PAIRS


@pytest.mark.parametrize("options", ["", ", modalities=2", ", labels_per_item=3", ", superclasses=2"])
def test_the_first_items_do_not_depend_on_how_many_there_are(options: str) -> None:
    few, many = (dataset(f"synthetic(items={items}{options})") for items in (BLOCK + 7, 3 * BLOCK))
    for name, view in few.modalities.items():
        np.testing.assert_array_equal(view, many.modalities[name][: len(few)])
    np.testing.assert_array_equal(few.labels, many.labels[: len(few)])


def test_blocks_differ() -> None:
    image = dataset(f"synthetic(items={2 * BLOCK}, classes=1, difficulty=1)").modalities["image"]
    assert len(np.unique(image, axis=0)) == 2 * BLOCK


def test_shapes_and_types() -> None:
    data = Synthetic(items=300, classes=7, dimensions=5, modalities=2, superclasses=3).load(None)  # type: ignore[arg-type]
    assert {name: (view.shape, view.dtype) for name, view in data.modalities.items()} == {
        "image": ((300, 5), np.float32),
        "text": ((300, 5), np.float32),
    }
    assert len(data.classes) == 7
    assert data.train is None
    assert set(data.labels) == set(range(7))
    assert (data.superclasses == data.labels % 3).all()


def test_items_without_difficulty_lie_on_the_mean_of_their_centres() -> None:
    data = dataset("synthetic(items=400, classes=5, labels_per_item=2, difficulty=0)")
    assert data.multilabel
    assert set(data.labels.sum(axis=1)) == {2}
    assert len(np.unique(data.labels, axis=0)) == 10  # every pair of five
    assert len(np.unique(data.modalities["image"], axis=0)) == 10
    centres = np.linalg.lstsq(data.labels / 2, data.modalities["image"], rcond=None)[0]
    np.testing.assert_allclose(data.labels / 2 @ centres, data.modalities["image"], atol=1e-5)


def test_every_class_is_equally_likely() -> None:
    single = dataset("synthetic(items=20_000, classes=4, dimensions=1)")
    several = dataset("synthetic(items=20_000, classes=4, dimensions=1, labels_per_item=3)")
    np.testing.assert_allclose(single.memberships.mean(axis=0), 1 / 4, atol=0.015)
    np.testing.assert_allclose(several.memberships.mean(axis=0), 3 / 4, atol=0.015)


@pytest.mark.parametrize("dimensions", [16, 256])
def test_the_spread_is_what_is_documented(dimensions: int) -> None:
    image = dataset(f"synthetic(classes=1, difficulty=3, dimensions={dimensions})").modalities["image"]
    assert image.std(axis=0).mean() == pytest.approx(3 * (dimensions / 4) ** 0.25, rel=0.01)


def test_difficulty_decides_how_hard_it_is() -> None:
    found = [average_precision(dataset(f"synthetic(items=1200, difficulty={d})")) for d in (0, 0.5, 1, 2, 50)]
    assert found[0] == 1
    assert (np.diff(found) < -0.01).all()
    assert found[1] > 0.9
    assert 0.3 < found[2] < 0.6
    assert found[4] == pytest.approx(0.1, abs=0.02)  # chance


def test_a_superclass_brings_its_classes_together() -> None:
    data = dataset("synthetic(items=2000, classes=20, superclasses=4, difficulty=0.2, dimensions=256)")
    centres = np.array([data.modalities["image"][data.labels == label].mean(axis=0) for label in range(20)])
    squared = ((centres[:, None] - centres) ** 2).mean(axis=2)
    same = np.arange(20)[:, None] % 4 == np.arange(20) % 4
    np.fill_diagonal(squared, np.nan)
    assert np.nanmean(squared[same]) == pytest.approx(1, rel=0.1)
    assert np.nanmean(squared[~same]) == pytest.approx(2, rel=0.1)


def test_two_modalities_are_related_but_not_comparable_as_they_are() -> None:
    data = dataset("synthetic(items=1200, modalities=2, difficulty=0.5)")
    assert average_precision(data, "image", "image") > 0.7
    assert average_precision(data, "text", "text") > 0.7
    assert average_precision(data, "image", "text") < 0.3
    image, text = data.modalities.values()
    linear = np.linalg.lstsq(text, image, rcond=None)[0]
    assert np.corrcoef((text @ linear).ravel(), image.ravel())[0, 1] > 0.5


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ("items=0", "items of Synthetic must be a whole number of at least 1; got 0"),
        ("modalities=3", "modalities of Synthetic must be a whole number from 1 to 2; got 3"),
        ("difficulty=-1", "difficulty of Synthetic must be a number of at least 0.0; got -1"),
        ("classes=3, labels_per_item=4", "labels_per_item of Synthetic must be at most classes = 3; got 4"),
        ("classes=3, superclasses=4", "superclasses of Synthetic must be at most classes = 3; got 4"),
        ("superclasses=2, labels_per_item=2", "superclasses of Synthetic must be 0 with several labels an item; got 2"),
        ("sise=3", "synthetic has no keyword 'sise'"),
    ],
)
def test_options_outside_their_range_are_refused(options: str, line: str) -> None:
    with pytest.raises(ValueError, match=f"^{line}"):
        dataset(f"synthetic({options})")
