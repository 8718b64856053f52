"""Bundles of features: what is carried over, what was learned from whom, and what an interruption leaves."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from evenrank.dataset import Dataset, Media, dataset
from evenrank.extractor import Extract, Extractor
from evenrank.extractors.gist import Gist
from evenrank.extractors.tfidf import Tfidf
from evenrank.features import extract

ITEMS = 10


@dataclass(frozen=True)
class Brightness(Extractor):
    """Mean grey value, minus that of the training items; `during` is told the rows of every block before it is made."""

    title = "Brightness"
    reads = "image"
    learns = True

    scale: int = 1

    def fit(self, items: Media) -> Extract:
        level = np.mean([image.mean() for image in items])

        def run(items: Media) -> np.ndarray:
            during(len(items))
            return np.array([[self.scale * (image.mean() - level)] for image in items], np.float32)

        return run


def during(rows: int) -> None:
    """Stand for whatever a test wants to happen while a block is made."""


def toy(**changes: object) -> Dataset:
    """Return ten grey images with texts, features, labels and a training part."""
    media = {
        "image": np.random.default_rng(0).integers(0, 256, (ITEMS, 8, 8), np.uint8),
        "text": np.array([f"word{row % 3} thing" for row in range(ITEMS)], dtype=np.dtypes.StringDType()),
        "sound": np.arange(2 * ITEMS, dtype=np.float64).reshape(ITEMS, 2),
    }
    fields = {
        "labels": np.arange(ITEMS) % 3,
        "classes": ("ä", "b", "c"),
        "superclasses": np.arange(ITEMS) % 2,
        "train": np.arange(ITEMS) < 6,
    }
    return Dataset("toy", media, **{**fields, **changes})


def watch(monkeypatch: pytest.MonkeyPatch, happens: Callable[[int], None]) -> list[int]:
    """Return a list that grows by the rows of every block that is made."""
    blocks: list[int] = []

    def note(rows: int) -> None:
        happens(len(blocks))
        blocks.append(rows)

    monkeypatch.setattr(sys.modules[__name__], "during", note)
    return blocks


def interrupt_at(number: int) -> Callable[[int], None]:
    def happens(block: int) -> None:
        if block == number:
            raise KeyboardInterrupt

    return happens


def test_the_bundle_is_a_dataset_with_the_same_labels(tmp_path: Path) -> None:
    path = extract(toy(), {"image": Brightness(), "text": Tfidf()}, tmp_path, batch=4)
    assert path == tmp_path / "bundle.npz"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bundle.json", "bundle.npz"]
    made, source = dataset(str(path)), toy()
    images = source.modalities["image"]
    expected = images.mean(axis=(1, 2)) - images[:6].mean()
    np.testing.assert_allclose(made.modalities["image"][:, 0], expected, rtol=1e-5)
    assert made.modalities["text"].shape == (ITEMS, 4)
    assert np.array_equal(made.modalities["sound"], source.modalities["sound"])
    assert np.array_equal(made.labels, source.labels)
    assert np.array_equal(made.superclasses, source.superclasses)
    assert np.array_equal(made.train, source.train)
    assert made.classes == source.classes


def test_the_bundle_keeps_what_items_look_like(tmp_path: Path) -> None:
    large = np.random.default_rng(0).integers(0, 256, (ITEMS, 60, 90, 3), np.uint8)
    texts = np.array(["word " * 100] * ITEMS, dtype=np.dtypes.StringDType())
    media = {"image": large, "text": texts}
    extractors = {"image": Brightness(), "text": Tfidf()}
    made = dataset(str(extract(Dataset("toy", media, train=np.arange(ITEMS) < 6), extractors, tmp_path)))
    assert made.extras["shown_image"].shape == (ITEMS, 48, 48, 3)
    assert abs(made.extras["shown_image"].mean() - large[:, :, 15:75].mean()) < 1
    assert made.extras["shown_text"].tolist() == [("word " * 100)[:300]] * ITEMS


def test_small_pictures_are_kept_as_they_are_and_what_has_no_features_is_not_shown(tmp_path: Path) -> None:
    made = dataset(str(extract(toy(), {"image": Brightness()}, tmp_path)))
    assert np.array_equal(made.extras["shown_image"], toy().modalities["image"])
    assert set(made.extras) == {"shown_image"}


def test_labels_of_several_classes_are_carried_over(tmp_path: Path) -> None:
    memberships = np.random.default_rng(1).random((ITEMS, 3)) < 0.5
    made = dataset(str(extract(toy(labels=memberships), {"image": Brightness()}, tmp_path)))
    assert made.multilabel
    assert np.array_equal(made.labels, memberships)


def test_the_companion_says_how_the_features_were_made(tmp_path: Path) -> None:
    extract(toy(), {"image": Brightness(scale=3)}, tmp_path)
    about = json.loads((tmp_path / "bundle.json").read_text(encoding="utf-8"))
    assert about["dataset"] == {"name": "toy", "items": ITEMS, "checksum": toy().checksum}
    assert about["features"]["image"]["options"] == {"scale": 3}
    assert about["features"]["image"]["libraries"] == {"numpy": np.__version__}
    assert about["features"]["image"]["fitted on"] == "6 of 10 items"
    assert about["kept"] == ["sound"]
    assert about["left out"] == ["text"]


def test_without_a_training_part_all_items_teach(tmp_path: Path) -> None:
    extract(toy(train=None), {"image": Brightness()}, tmp_path)
    about = json.loads((tmp_path / "bundle.json").read_text(encoding="utf-8"))
    assert about["features"]["image"]["fitted on"] == "10 of 10 items"
    assert np.load(tmp_path / "bundle.npz")["image"].mean() == pytest.approx(0, abs=1e-4)


def test_an_interrupted_run_continues_and_ends_as_if_undisturbed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = watch(monkeypatch, interrupt_at(2))
    with pytest.raises(KeyboardInterrupt):
        extract(toy(), {"image": Brightness()}, tmp_path / "a", batch=3)
    assert blocks == [3, 3]
    assert [file.name for file in (tmp_path / "a").iterdir()] == [".partial"]
    blocks = watch(monkeypatch, interrupt_at(-1))
    extract(toy(), {"image": Brightness()}, tmp_path / "a", batch=3)
    assert blocks == [3, 1]
    extract(toy(), {"image": Brightness()}, tmp_path / "b", batch=3)
    for name in ("bundle.npz", "bundle.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_changed_setting_starts_over_and_a_finished_run_is_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch(monkeypatch, interrupt_at(2))
    with pytest.raises(KeyboardInterrupt):
        extract(toy(), {"image": Brightness()}, tmp_path, batch=3)
    blocks = watch(monkeypatch, interrupt_at(-1))
    extract(toy(), {"image": Brightness(scale=2)}, tmp_path, batch=3)
    assert blocks == [3, 3, 3, 1]
    extract(toy(), {"image": Brightness(scale=2)}, tmp_path, batch=3)
    assert blocks == [3, 3, 3, 1]
    extract(toy(train=np.arange(ITEMS) < 7), {"image": Brightness(scale=2)}, tmp_path, batch=3)
    assert blocks == [3, 3, 3, 1] * 2


def test_a_damaged_block_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watch(monkeypatch, interrupt_at(2))
    with pytest.raises(KeyboardInterrupt):
        extract(toy(), {"image": Brightness()}, tmp_path, batch=3)
    damaged = min((tmp_path / ".partial").iterdir())
    damaged.write_bytes(damaged.read_bytes()[:-2])
    blocks = watch(monkeypatch, interrupt_at(-1))
    extract(toy(), {"image": Brightness()}, tmp_path, batch=3)
    assert len(blocks) == 3


KILLED = """
import os, signal, sys
import numpy as np
import evenrank.extractors.gist as gist
from evenrank.dataset import Dataset
from evenrank.features import extract
from pathlib import Path

left = int(sys.argv[2])

class Deadly(gist.Gist):
    def fit(self, items):
        run = super().fit(items)
        def dying(items):
            global left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return run(items)
        return dying

images = np.random.default_rng(0).integers(0, 256, (10, 32, 32, 3), np.uint8)
extract(Dataset("toy", {"image": images}), {"image": Deadly()}, Path(sys.argv[1]), batch=2)
"""


def run_killed(out: Path, after: int) -> int:
    return subprocess.run([sys.executable, "-c", KILLED, str(out), str(after)], stderr=subprocess.DEVNULL).returncode


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_run_leaves_nothing_that_looks_whole(tmp_path: Path) -> None:
    assert run_killed(tmp_path / "a", after=3) == -signal.SIGKILL
    assert [file.name for file in (tmp_path / "a").iterdir()] == [".partial"]
    assert len(list((tmp_path / "a" / ".partial").glob("*.npy"))) == 3
    assert run_killed(tmp_path / "a", after=2) == 0
    assert run_killed(tmp_path / "b", after=5) == 0
    assert (tmp_path / "a" / "bundle.npz").read_bytes() == (tmp_path / "b" / "bundle.npz").read_bytes()


def test_progress_counts_the_items_of_all_modalities(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    report = lambda done, total: seen.append((done, total))  # noqa: E731
    extract(toy(), {"image": Gist(), "text": Tfidf()}, tmp_path, batch=5, progress=report)
    assert seen == [(5, 20), (10, 20), (15, 20), (20, 20)]


@pytest.mark.parametrize(
    ("extractors", "problem"),
    [
        ({}, "name an extractor for one of the modalities of toy: image, text, sound"),
        ({"picture": Gist()}, "toy has no modality 'picture'; there are image, text, sound"),
        ({"text": Gist()}, "gist reads images; text of toy holds text"),
        ({"sound": Tfidf()}, "tfidf reads texts; sound of toy holds features"),
    ],
)
def test_what_does_not_fit_is_one_line(tmp_path: Path, extractors: dict[str, Extractor], problem: str) -> None:
    with pytest.raises(ValueError, match=rf"^{problem}$"):
        extract(toy(), extractors, tmp_path / "out")
    assert not (tmp_path / "out").exists()
