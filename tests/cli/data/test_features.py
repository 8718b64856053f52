"""`evenrank data features`: a dataset in, a bundle and a closing line out; bad input is one line and status 2."""

from __future__ import annotations

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
from tests.extractors import needs


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """A manifest of six images with captions."""
    random = np.random.default_rng(0)
    lines = ["image,text,label"]
    for row in range(6):
        Image.fromarray(random.integers(0, 256, (40, 32, 3), np.uint8)).save(tmp_path / f"{row}.png")
        lines.append(f"{row}.png,a picture of thing{row % 2},{'ab'[row % 2]}")
    (tmp_path / "photos.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path / "photos.csv"


def features(*arguments: str | Path) -> str:
    done = CliRunner().invoke(app, ["data", "features", *map(str, arguments)])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output


def test_images_and_texts_become_a_bundle(photos: Path, tmp_path: Path) -> None:
    output = features(photos, "--image", "gist(grid=2)", "--text", "tfidf", "--out", tmp_path / "out", "--batch", "4")
    lines = output.splitlines()
    assert lines[:2] == ["image: 128 dimensions by gist", "text: 4 dimensions by tfidf"]
    assert lines[2].startswith("6 items in ")
    assert lines[2].endswith(f"written to {tmp_path / 'out' / 'bundle.npz'}")
    made = dataset(str(tmp_path / "out" / "bundle.npz"))
    assert made.modalities["image"].shape == (6, 128)
    assert made.labels.tolist() == [0, 1] * 3
    assert made.classes == ("a", "b")


def test_a_modality_without_an_extractor_is_left_out_and_this_is_said(photos: Path, tmp_path: Path) -> None:
    assert "text: left out, no extractor was given for it" in features(photos, "--image", "gist", "--out", tmp_path)


@needs.packages("torch", "timm", "torchvision")
def test_a_trunk_without_weights_is_said_to_be_random(photos: Path, tmp_path: Path) -> None:
    output = features(photos, "--image", "trunk(size=32, resize=32, seed=5)", "--out", tmp_path / "out")
    assert "image: 1,280 dimensions by trunk (random weights, seed 5)" in output
    about = json.loads((tmp_path / "out" / "bundle.json").read_text(encoding="utf-8"))
    assert about["features"]["image"]["note"] == "random weights, seed 5"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["digits", "--image", "gist"], "gist reads images; image of digits holds features"),
        (["digits", "--image", "gits"], "'gits' is not one of the extractors"),
        (["digits", "--text", "tfidf"], "digits has no modality 'text'; there are image"),
        (["digits"], "name an extractor for one of the modalities of digits: image"),
    ],
)
def test_bad_input_is_one_line_and_status_2(tmp_path: Path, arguments: list[str], problem: str) -> None:
    command = [sys.executable, "-m", "evenrank.cli", "data", "features", *arguments, "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith(f"evenrank: {problem}")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_help_has_an_example() -> None:
    assert "Example: evenrank data features" in features("--help")
