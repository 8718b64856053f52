"""`evenrank encode`: every format holds what the method makes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from sklearn.datasets import load_digits
from typer.testing import CliRunner

import evenrank as er
from evenrank.cli import app
from evenrank.formats.faiss_binary import read_index
from evenrank.methods.crossmedia.cca import CCA
from evenrank.methods.hashing.itq import ITQ

X = load_digits().data
DIGITS = ("--dataset", "digits", "--protocol", "hold_out(share=0.9)")


@pytest.fixture
def codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> er.Codes:
    """Save a method of 12 bits as `itq` and features as `x.npy`; return their codes."""
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", X[:50])
    method = ITQ(bits=12).fit(X)
    method.save("itq")
    return method.encode(X[:50])


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["encode", *arguments])


def encoded(*arguments: str) -> str:
    done = run(*arguments)
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output


def test_packed_codes_in_every_format(codes: er.Codes) -> None:
    for name in ("c.npy", "c.npz", "c.faiss"):
        assert encoded("itq", "--features", "x.npy", "--out", name) == f"50 codes of 12 bits, written to {name}\n"
    np.testing.assert_array_equal(np.load("c.npy"), codes.bytes())
    np.testing.assert_array_equal(read_index("c.faiss"), codes.bytes())
    with np.load("c.npz") as stored:
        assert set(stored) == {"packed", "bits"}
        np.testing.assert_array_equal(stored["packed"], codes.bytes())
        assert stored["bits"] == 12


@pytest.mark.usefixtures("codes")
def test_train_encode_evaluate_is_one_chain() -> None:
    """Labels of a dataset travel with its codes, so that files are all that `evenrank evaluate` needs."""
    for part in ("query", "database"):
        encoded("itq", *DIGITS, "--part", part, "--out", f"{part}.npz")
    arguments = [f"--{what}={part}.npz:{key}" for what, part, key in (
        ("queries", "query", "packed"),
        ("database", "database", "packed"),
        ("query-labels", "query", "labels"),
        ("database-labels", "database", "labels"),
    )]  # fmt: skip
    command = ["evaluate", *arguments, "--form", "packed", "--bits", "12", "--metrics", "AP", "--json", "r.json"]
    assert CliRunner().invoke(app, command).exit_code == 0
    digits = er.dataset("digits")
    [split] = er.protocol(DIGITS[-1]).splits(digits)
    found, method = er.Result.from_json("r.json"), er.load("itq")
    of_query, of_database = (method.encode(digits.modalities["image"][rows]) for rows in (split.query, split.database))
    relevance = digits.relevance.take(split.query, split.database)
    assert found.mean["AP"] == er.evaluate(of_query, of_database, relevance, ["AP"]).mean["AP"]


@pytest.mark.usefixtures("codes")
def test_embeddings_of_one_modality() -> None:
    method = CCA(dimensions=4).fit({"image": X[:, :32], "text": X[:, 32:]})
    method.save("cca")
    np.save("text.npy", X[:50, 32:])
    expected = method.encode(X[:50, 32:], "text")
    for name in ("e.npy", "e.npz"):
        output = encoded("cca", "--features", "text.npy", "--modality", "text", "--out", name)
        assert output.startswith("50 embeddings of 4 dimensions, cosine")
    np.testing.assert_array_equal(np.load("e.npy"), expected.values)
    with np.load("e.npz") as stored:
        np.testing.assert_array_equal(stored["values"], expected.values)
        assert stored["distance"] == "cosine"
    done = run("cca", "--features", "text.npy", "--modality", "text", "--out", "e.faiss")
    assert "e.faiss: an index is of codes; got embeddings of 4 dimensions" in str(done.exception)
    done = run("cca", "--features", "text.npy", "--out", "f.npy")
    assert "modality of CCA must be one of image, text; got ''" in str(done.exception)


@pytest.mark.usefixtures("codes")
def test_a_file_is_replaced_only_by_force() -> None:
    arguments = ("itq", "--features", "x.npy", "--out", "c.npz")
    encoded(*arguments)
    assert "c.npz: is there already; --force replaces it" in str(run(*arguments).exception)
    encoded(*arguments, "--force")


@pytest.mark.usefixtures("codes")
@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("itq", "--features", "x.npy", "--out", "c.csv"), "the suffix must be one of .npy, .npz, .faiss; got '.csv'"),
        (("itq", "--features", "x.npy", "--out", "none/c.npy"), "the folder none does not exist"),
        (("none", "--features", "x.npy", "--out", "c.npy"), "is not a saved method"),
        (("itq", "--features", "none.npy", "--out", "c.npy"), "none.npy: no such file"),
        (("itq", "--features", "narrow.npy", "--out", "c.npy"), "ITQ was fitted on 64 features; got 2"),
        (("itq", "--out", "c.npy"), "items must come from --features, or from --dataset and its options"),
        (("itq", "--features", "x.npy", *DIGITS, "--out", "c.npy"), "items must come from"),
        (("itq", *DIGITS, "--part", "validation", "--out", "c.npy"), "has no validation items in its split 'hold-out'"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(arguments: tuple[str, ...], line: str) -> None:
    np.save("narrow.npy", X[:50, :2])
    done = run(*arguments)
    assert done.exit_code != 0
    assert line in str(done.exception)
    assert "\n" not in str(done.exception)
    assert sorted(path.name for path in Path().iterdir()) == ["itq", "narrow.npy", "x.npy"]


@pytest.mark.parametrize("verb", ["train", "encode", "search", "demo", "evaluate"])
def test_every_verb_explains_itself(verb: str) -> None:
    done = CliRunner().invoke(app, [verb, "--help"])
    assert done.exit_code == 0
    assert f"Example: evenrank {verb}" in done.output
