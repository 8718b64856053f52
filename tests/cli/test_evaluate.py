"""`evenrank evaluate`: tables, files, and bad input as one line with exit status 2 and nothing written."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import evenrank as er


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    random = np.random.default_rng(0)
    for name, n in (("q", 20), ("d", 60)):
        signs = random.choice([-1.0, 1.0], (n, 12))
        np.save(tmp_path / f"{name}.npy", signs)
        np.save(tmp_path / f"{name}-packed.npy", np.packbits(signs > 0, axis=1))
        np.save(tmp_path / f"{name}-labels.npy", random.integers(0, 3, n))
        np.save(tmp_path / f"{name}-tags.npy", random.integers(0, 2, (n, 4)))
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 {q} 2\n{q} 0 {q + 1} 1\n" for q in range(20)))
    np.savez(tmp_path / "all.npz", query=np.load(tmp_path / "q.npy"), item=np.load(tmp_path / "d.npy"))
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "evenrank.cli", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


CODES = ("evaluate", "--queries", "q.npy", "--database", "d.npy", "--form", "signs")
LABELS = ("--query-labels", "q-labels.npy", "--database-labels", "d-labels.npy")


def test_files_in_table_and_files_out(folder: Path) -> None:
    metrics, files = "AP,nDCG(gain=linear, discount=reciprocal)@10", ("--json", "r.json", "--per-query", "r.csv")
    done = run(folder, *CODES, *LABELS, "--metrics", metrics, *files)
    assert done.returncode == 0, done.stderr
    result = er.Result.from_json(folder / "r.json")
    assert str(result).strip() == done.stdout.strip()
    assert list(result.mean) == ["AP", "nDCG(gain=linear, discount=reciprocal)@10"]
    assert len((folder / "r.csv").read_text().splitlines()) == 21
    q, d = np.load(folder / "q.npy"), np.load(folder / "d.npy")
    relevance = er.SameLabel(np.load(folder / "q-labels.npy"), np.load(folder / "d-labels.npy"))
    ours = er.evaluate(er.Codes.from_signs(q), er.Codes.from_signs(d), relevance, ["AP"])
    assert result.mean["AP"] == ours.mean["AP"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--queries", "q-packed.npy", "--database", "d-packed.npy", "--form", "packed", "--bits", "12", *LABELS),
        ("--queries", "all.npz:query", "--database", "all.npz:item", "--form", "signs", *LABELS),
        ("--queries", "q.npy", "--database", "d.npy", "--form", "embeddings", *LABELS),
    ],
)
def test_every_form_of_the_same_codes_gives_one_ap(folder: Path, arguments: tuple[str, ...]) -> None:
    for name, rest in (("a.json", arguments), ("b.json", (*CODES[1:], *LABELS))):
        done = run(folder, "evaluate", *rest, "--metrics", "AP", "--json", name)
        assert done.returncode == 0, done.stderr
    means = [json.loads((folder / name).read_text())["mean"]["AP"] for name in ("a.json", "b.json")]
    assert means[0] == pytest.approx(means[1], abs=1e-12)


def test_multi_label_graded_and_judgements(folder: Path) -> None:
    tags = ("--query-labels", "q-tags.npy", "--database-labels", "d-tags.npy", "--graded")
    assert run(folder, *CODES, *tags, "--metrics", "nDCG@5").returncode == 0
    done = run(folder, *CODES, "--qrels", "qrels.txt", "--metrics", "nDCG@5,AP(rel=2)")
    assert done.returncode == 0, done.stderr


def test_conventions_name_each_choice_and_who_makes_it(folder: Path) -> None:
    done = run(folder, *CODES, *LABELS, "--conventions", "--cutoff", "10")
    assert done.returncode == 0, done.stderr
    for words in ("torchmetrics", "trec_eval", "scikit-learn", "MAP@R", "divisor @10", "luckiest order"):
        assert words in done.stdout


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ((*CODES, *LABELS, "--metrics", "ndgc@10"), "no metric is called 'ndgc'"),
        ((*CODES, *LABELS, "--metrics", "P@0"), "at least 1"),
        (CODES, "relevance must come from"),
        ((*CODES, "--query-labels", "d-labels.npy", "--database-labels", "d-labels.npy"), "got 60 and 60"),
        (("evaluate", "--queries", "none.npy", "--database", "d.npy", "--form", "signs", *LABELS), "none.npy"),
        (("evaluate", "--queries", "all.npz:x", "--database", "d.npy", "--form", "signs", *LABELS), "query"),
        (("evaluate", "--queries", "object.npy", "--database", "d.npy", "--form", "signs", *LABELS), "object.npy"),
        (("evaluate", "--queries", "short.npy", "--database", "d.npy", "--form", "signs", *LABELS), "short.npy"),
        (("evaluate", "--queries", "nan.npy", "--database", "d.npy", "--form", "signs", *LABELS), "row 3"),
        (("evaluate", "--queries", "nan.npy", "--database", "d.npy", "--form", "embeddings", *LABELS), "row 3"),
        (("evaluate", "--queries", "q-labels.npy", "--database", "d.npy", "--form", "signs", *LABELS), "2-D"),
        (("evaluate", "--queries", "q-packed.npy", "--database", "d.npy", "--form", "packed", *LABELS), "uint8"),
        ((*CODES, *LABELS, "--memory", "lots"), "memory must be a size"),
        ((*CODES, *LABELS, "--per-query", "nowhere/q.csv"), "the folder nowhere does not exist"),
        ((*CODES, *LABELS, "--per-query", "q.xls"), "the suffix must be .csv or .parquet"),
    ],
)
def test_bad_input_is_one_line_and_status_2_and_nothing_is_written(folder: Path, arguments, line: str) -> None:
    np.save(folder / "object.npy", np.array([{"a": 1}]), allow_pickle=True)
    whole = (folder / "q.npy").read_bytes()
    (folder / "short.npy").write_bytes(whole[: len(whole) // 2])
    broken = np.load(folder / "q.npy")
    broken[3, 5] = np.nan
    np.save(folder / "nan.npy", broken)
    done = run(folder, *arguments, "--json", "out.json")
    assert done.returncode == 2
    assert done.stdout == ""
    assert line in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert not (folder / "out.json").exists()
