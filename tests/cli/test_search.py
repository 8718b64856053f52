"""`evenrank search`: groups, cuts, forms, indexes, and bad input as one line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from typer.testing import CliRunner

import evenrank as er
from evenrank.cli import app
from evenrank.formats.faiss_binary import write_index

BITS = np.random.default_rng(0).integers(0, 2, (60, 12))
DATABASE = er.Codes.from_bits(BITS)
SIGNS = ("--queries", "q.npy", "--database", "d.npy", "--form", "signs")
PACKED = ("--queries", "q-packed.npy", "--form", "packed", "--bits", "12")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder: codes in every form; the queries are the first five of them."""
    monkeypatch.chdir(tmp_path)
    for name, bits in (("q", BITS[:5]), ("d", BITS)):
        np.save(f"{name}.npy", 2.0 * bits - 1)
        np.save(f"{name}-bits.npy", bits)
        np.save(f"{name}-packed.npy", np.packbits(bits, axis=1))
        np.save(f"{name}-little.npy", np.packbits(bits, axis=1, bitorder="little"))
    write_index("d.faiss", np.packbits(BITS, axis=1))
    write_index("d-little.faiss", np.packbits(BITS, axis=1, bitorder="little"))
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["search", *arguments])


def groups(*arguments: str) -> list[list[dict]]:
    """Return the groups that a search writes."""
    done = run(*arguments, "--json", "groups.json")
    assert done.exit_code == 0, (done.output, done.exception)
    return json.loads(Path("groups.json").read_text("utf-8"))["groups"]


def expected(queries: er.Codes | er.Embeddings, database: er.Codes | er.Embeddings, k: int) -> list[list[dict]]:
    found = er.search(queries, database, k)
    return [
        [{"distance": group.distance, "size": group.size, "rows": group.rows.tolist()} for group in found[query]]
        for query in range(len(found))
    ]


def test_groups_are_shown_with_their_ties_and_cuts() -> None:
    np.save("q.npy", [[1.0, 1.0]])
    np.save("d.npy", [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
    lines = [line.split() for line in run(*SIGNS, "-k", "4").output.splitlines()]
    assert lines[0] == ["query", "distance", "tied", "rows"]
    assert lines[1] == ["0", "0", "2", "2,", "5"]
    assert lines[2] == ["1", "3", "1,", "3", "(2", "of", "3", "shown)"]
    assert "arbitrary" in run(*SIGNS).output


@pytest.mark.parametrize(
    "arguments",
    [
        SIGNS,
        ("--queries", "q-bits.npy", "--database", "d-bits.npy", "--form", "bits"),
        (*PACKED, "--database", "d-packed.npy"),
        ("--queries", "q-little.npy", "--database", "d-little.npy", *PACKED[2:], "--order", "little"),
        (*PACKED, "--index", "d.faiss"),
        ("--queries", "q.npy", "--index", "d.faiss", "--form", "signs"),
        ("--queries", "q-little.npy", "--index", "d-little.faiss", *PACKED[2:], "--order", "little"),
    ],
)
@pytest.mark.parametrize("k", [1, 7, 100])
def test_every_form_of_the_same_codes_finds_the_same(arguments: tuple[str, ...], k: int) -> None:
    assert groups(*arguments, "-k", str(k)) == expected(DATABASE[:5], DATABASE, k)


def test_embeddings() -> None:
    values = np.random.default_rng(1).standard_normal((20, 3)).astype(np.float32)
    np.save("e.npy", np.concatenate([values, values]))
    arguments = ("--queries", "e.npy", "--database", "e.npy", "--form", "embeddings", "--distance", "euclidean")
    items = er.Embeddings(np.load("e.npy"), "euclidean")
    found = groups(*arguments, "-k", "3")
    assert found == expected(items, items, 3)
    assert found[0][0] == {"distance": 0.0, "size": 2, "rows": [0, 20]}


def test_an_index_of_another_length_is_refused() -> None:
    full = np.packbits(BITS, axis=1)
    full[7, -1] |= 1  # one code uses its sixteenth bit
    write_index("full.faiss", full)
    assert "has codes of more than the 12 bits of the queries" in str(run(*PACKED, "--index", "full.faiss").exception)
    assert len(groups(*PACKED[:-1], "16", "--index", "full.faiss")) == 5
    np.save("short.npy", BITS[:5, :8])
    done = run("--queries", "short.npy", "--form", "bits", "--index", "d.faiss")
    assert "d.faiss: codes of 16 bits cannot be compared with queries of 8 bits" in str(done.exception)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (PACKED, "what is searched must come from --database or from --index"),
        ((*SIGNS, "--index", "d.faiss"), "what is searched must come from"),
        ((*PACKED, "--index", "none.faiss"), "none.faiss: no such file"),
        ((*PACKED, "--index", "d.npy"), "d.npy: must be a flat binary index of faiss"),
        (("--queries", "q.npy", "--index", "d.faiss", "--form", "embeddings"), "a binary index holds codes"),
        (("--queries", "none.npy", *SIGNS[2:]), "none.npy: no such file"),
        ((*SIGNS, "--json", "none/found.json"), "the folder none does not exist"),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], line: str) -> None:
    done = run(*arguments)
    assert done.exit_code != 0
    assert line in str(done.exception)
    assert "\n" not in str(done.exception)


def test_bad_input_exits_with_2(folder: Path) -> None:
    command = [sys.executable, "-m", "evenrank.cli", "search", *PACKED, "--index", "none.faiss"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "evenrank: none.faiss: no such file\n"
