"""`evenrank data verify`: counts, images, checksum; 1 if something is off."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from evenrank.cli import app
from evenrank.dataset import dataset
from evenrank.datasets.digits import Digits
from tests.real_data import path


def verified(*arguments: str, status: int) -> str:
    done = CliRunner().invoke(app, ["data", "verify", *arguments])
    assert done.exit_code == status, (done.output, done.exception)
    return done.output


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """A manifest of 300 images."""
    (tmp_path / "images").mkdir()
    for number in range(300):
        Image.new("RGB", (4, 4), (number % 256, 0, 0)).save(tmp_path / f"images/{number:03}.png")
    rows = "".join(f"images/{number:03}.png,{'ab'[number % 2]}\n" for number in range(300))
    (tmp_path / "photos.csv").write_text("image,label\n" + rows)
    return tmp_path / "photos.csv"


def test_a_whole_dataset_has_nothing_off_and_its_checksum_is_printed(tmp_path: Path) -> None:
    output = verified("digits", "--json", str(tmp_path / "found.json"), status=0)
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert found["checksum"] == dataset("digits").checksum
    assert found["published"] == {"items": 1797, "categories": 10} == {key: found[key] for key in found["published"]}
    assert found["off"] == []
    assert found["checksum"] in output
    assert "nothing is off" in output


def test_counts_that_differ_from_the_publishers_are_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Digits, "items", 1800)
    monkeypatch.setattr(Digits, "categories", 9)
    output = verified("digits", "--json", str(tmp_path / "found.json"), status=1)
    assert "off: 1,797 items, the publisher says 1,800\noff: 10 categories, the publisher says 9" in output
    assert len(json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["off"]) == 2


def test_options_choose_items_so_no_count_is_compared() -> None:
    assert "nothing is off" in verified("synthetic(items=50, classes=3)", status=0)


def test_images_are_looked_at(photos: Path) -> None:
    assert "nothing is off" in verified(str(photos), status=0)


def test_missing_images_are_named_and_no_checksum_is_claimed(photos: Path) -> None:
    for number in (7, 8, 100, 299):
        (photos.parent / f"images/{number:03}.png").unlink()
    output = verified(str(photos), status=1)
    assert "4 of 300 files of image are missing" in output
    assert "007.png" in output
    assert "and 1 more" in output
    assert "not computed, files are missing" in output


def test_a_sample_or_all_images_are_decoded(photos: Path) -> None:
    (photos.parent / "images/001.png").write_bytes(b"no image")  # not among the 100 that are looked at
    assert "nothing is off" in verified(str(photos), status=0)
    output = verified(str(photos), "--all", status=1)
    assert "off: 1 of 300 images of image looked at cannot be read" in output
    assert "001.png: cannot be read as an image" in output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("cifar10",), "CIFAR-10 is not in"),
        (("digits", "--json", "nowhere/found.json"), "the folder nowhere does not exist"),
        (("digits(size=3)",), "no keyword 'size'"),
    ],
)
def test_bad_input_is_one_line_and_status_2(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    command = [sys.executable, "-m", "evenrank.cli", "data", "verify", *arguments, "--data", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


@pytest.mark.parametrize(("name", "there"), [("wikipedia", "wikipedia_dataset"), ("cifar10", "cifar-10-batches-bin")])
def test_real_data_is_what_its_publisher_says(name: str, there: str) -> None:
    path(there)
    assert "nothing is off" in verified(name, status=0)


def test_a_file_of_labels_may_have_fewer_categories_than_names(tmp_path: Path) -> None:
    np.savez(tmp_path / "bundle.npz", image=np.eye(4), label=np.array([[1, 0], [1, 0], [0, 0], [1, 0]], np.uint8))
    verified(str(tmp_path / "bundle.npz"), "--json", str(tmp_path / "found.json"), status=0)
    assert json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["categories"] == 1
