"""What every protocol of the catalog promises: adding a file to `protocols/` is enough to have it checked.

`protocol_hashes.json` stores the hash of every split of the example datasets. A hash that changes without a new
`version` is a broken promise. To store those of a new protocol: python -m tests.conformance.test_protocols
"""

import json
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from evenrank.catalog import entries, make
from evenrank.dataset import Dataset
from evenrank.metric import parse
from evenrank.protocol import Protocol
from evenrank.split import PARTS, Split, load_splits, save_splits
from tests.protocols.examples import EXAMPLES

NAMES = [entry.name for entry in entries("protocols")]
STORED = Path(__file__).with_name("protocol_hashes.json")


def example(protocol: Protocol) -> Dataset:
    """Return the first example that the protocol can split."""
    for made in EXAMPLES:
        try:
            list(protocol.splits(made()))
        except ValueError:
            continue
        return made()
    pytest.fail(f"no example of tests/protocols/examples.py can be split by {protocol.identifier}")


def splits(name: str) -> list[Split]:
    protocol = make("protocols", name)
    return list(protocol.splits(example(protocol)))


def hashes(name: str) -> dict[str, str]:
    protocol = make("protocols", name)
    return {f"{protocol.identifier} {split.name}": split.hash for split in splits(name)}


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_is_in_one_line_with_metrics_that_exist(name: str) -> None:
    protocol = make("protocols", name)
    text = str(protocol)
    assert "\n" not in text
    assert text.startswith(f"{name}/{protocol.version}")
    assert protocol.title
    assert protocol.version >= 1
    assert all(str(parse(metric)) for metric in protocol.metrics)
    assert text.endswith(", ".join(protocol.metrics))


@pytest.mark.parametrize("name", NAMES)
def test_it_yields_the_same_splits_every_time_and_as_stored(name: str) -> None:
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    assert hashes(name) == hashes(name) == stored[name]


def test_another_process_yields_the_same_splits() -> None:
    code = "from tests.conformance.test_protocols import *; print(json.dumps({name: hashes(name) for name in NAMES}))"
    root = Path(__file__).parents[2]
    found = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert json.loads(found.stdout) == json.loads(STORED.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_matters_where_there_is_one(name: str) -> None:
    protocol = make("protocols", name)
    if not hasattr(protocol, "seed"):
        pytest.skip("draws nothing")
    other = {"extendable": "extendable(classes=shuffled, seed=1)"}.get(name, f"{name}(seed=1)")
    base = {"extendable": "extendable(classes=shuffled)"}.get(name, name)
    assert [split.hash for split in splits(base)] != [split.hash for split in splits(other)]


@pytest.mark.parametrize("name", NAMES)
def test_parts_are_disjoint_unless_the_split_says_so(name: str) -> None:
    labels = example(make("protocols", name)).labels
    for split in splits(name):
        assert len(split.query)
        assert len(split.database)
        for one, other in combinations(PARTS, 2):
            common = np.intersect1d(getattr(split, one), getattr(split, other))
            promised = {(one, other), (other, one)}
            assert not len(common) or promised & set(split.shares)
            if promised & set(split.unseen):
                assert not np.intersect1d(labels[getattr(split, one)], labels[getattr(split, other)]).size


@pytest.mark.parametrize("name", NAMES)
def test_its_relevance_fits_its_splits(name: str) -> None:
    protocol = make("protocols", name)
    data = example(protocol)
    split = next(iter(protocol.splits(data)))
    relevance = protocol.relevance(data, split)
    assert relevance.shape == (len(split.query), len(split.database))
    assert relevance.relevant(slice(0, 3)).pairs()[1].size


@pytest.mark.parametrize("name", NAMES)
def test_its_splits_survive_a_small_file(name: str, tmp_path: Path) -> None:
    made, file = splits(name), tmp_path / "splits.json"
    save_splits(file, made, {"protocol": make("protocols", name).identifier})
    again, about = load_splits(file)
    assert [split.hash for split in again] == [split.hash for split in made]
    assert about == {"protocol": make("protocols", name).identifier}
    assert file.stat().st_size < 12_000 * len(made)
    for one, other in zip(made, again, strict=True):
        for key in ("name", "items", "seed", "shares", "unseen", "classes", "note"):
            assert getattr(one, key) == getattr(other, key)


@pytest.mark.parametrize("name", NAMES)
def test_it_has_a_test_of_its_own(name: str) -> None:
    assert (Path(__file__).parents[1] / "protocols" / f"test_{name}.py").exists()


if __name__ == "__main__":
    STORED.write_text(json.dumps({name: hashes(name) for name in NAMES}, indent=1) + "\n", encoding="utf-8")
