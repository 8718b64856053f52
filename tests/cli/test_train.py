"""`evenrank train`: what is fitted and saved, from files and from datasets, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from sklearn.datasets import load_digits
from typer.testing import CliRunner

import evenrank as er
from evenrank.cli import app
from evenrank.method import Method

QUICK = "hashing/talr_ap(bits=8, epochs=2, batch=50)"
DIGITS = ("--dataset", "digits", "--protocol", "hold_out(share=0.9)")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder: features and labels of 300 digits."""
    monkeypatch.chdir(tmp_path)
    x, y = load_digits(return_X_y=True)
    np.save("x.npy", x[:300])
    np.save("y.npy", y[:300])
    np.savez("both.npz", x=x[:300], y=y[:300, None], image=x[:300, :32], text=x[:300, 32:])
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["train", *arguments])


def trained(*arguments: str) -> Method:
    """Train into the folder `out` and return what was saved."""
    done = run(*arguments, "--out", "out")
    assert done.exit_code == 0, (done.output, done.exception)
    return er.load("out")


def same_codes(one: Method, other: Method, x: np.ndarray) -> None:
    np.testing.assert_array_equal(one.encode(x).bytes(), other.encode(x).bytes())


def test_features_in_a_method_out(folder: Path) -> None:
    from evenrank.methods.hashing.itq import ITQ

    x = np.load("x.npy")
    found = trained("itq(bits=8, iterations=5)", "--features", "x.npy")
    assert found.get_params() == {"bits": 8, "iterations": 5, "seed": 0}
    same_codes(found, ITQ(bits=8, iterations=5).fit(x), x)
    assert sorted(path.name for path in folder.iterdir()) == ["both.npz", "out", "x.npy", "y.npy"]


def test_it_says_and_writes_what_was_fitted(folder: Path) -> None:
    done = run("itq(bits=8)", "--features", "x.npy", "--out", "out", "--json", "about.json")
    assert "itq(bits=8) fitted on 300 items of 64 values in " in done.output
    assert f"it makes codes of 8 bits; saved to {folder / 'out'}" in done.output
    about = json.loads((folder / "about.json").read_text("utf-8"))
    assert about["parameters"] == {"bits": 8, "iterations": 50, "seed": 0}
    assert (about["makes"], about["items"]) == ("codes of 8 bits", "300 items of 64 values")


def test_fewer_bits_than_asked_for_are_one_line_on_standard_error(folder: Path) -> None:
    np.save("narrow.npy", np.load("x.npy")[:, 20:24])
    done = run("itq(bits=8)", "--features", "narrow.npy", "--out", "out")
    assert done.stderr == "evenrank: ITQ: 8 bits asked for, 4 possible\n"
    assert "codes of 4 bits" in done.stdout


@pytest.mark.usefixtures("folder")
def test_labels_come_from_a_file_as_numbers_or_as_a_column() -> None:
    x = np.load("x.npy")
    one = trained("hashing/trivial", "--features", "x.npy", "--labels", "y.npy")
    other = trained("hashing/trivial", "--features", "both.npz:x", "--labels", "both.npz:y", "--force")
    assert one.encode(x).bits == 10
    same_codes(one, other, x)


@pytest.mark.usefixtures("folder")
def test_the_training_part_of_a_dataset() -> None:
    from evenrank.methods.hashing.talr_ap import TALRAP

    digits = er.dataset("digits")
    [split] = er.protocol(DIGITS[-1]).splits(digits)
    x, train = digits.modalities["image"], split.train
    expected = TALRAP(bits=8, epochs=2, batch=50).fit(x[train], digits.labels[train])
    same_codes(trained(QUICK, *DIGITS), expected, x)


@pytest.mark.usefixtures("folder")
def test_where_a_protocol_judges_by_distance_so_is_learned() -> None:
    """Labels, which the data has too, are not what the protocol asks for."""
    from evenrank.methods.hashing.talr_ndcg import TALRNDCG

    x, y = load_digits(return_X_y=True)
    np.savez("data.npz", image=x.astype(np.float32), label=y)
    found = trained(
        "talr_ndcg(bits=8, epochs=1, batch=50)",
        "--dataset",
        "data.npz",
        "--protocol",
        "labelme(queries=100, training=200)",
    )
    data, setting = er.dataset("data.npz"), er.protocol("labelme(queries=100, training=200)")
    [split] = setting.splits(data)
    unit = x - x[split.train].mean(axis=0)
    unit = (unit / np.linalg.norm(unit, axis=1, keepdims=True))[split.train]
    levels = er.WithinDistance(unit, unit, unit, sample=200)
    expected = TALRNDCG(bits=8, epochs=1, batch=50).fit(data.modalities["image"][split.train], levels)
    same_codes(found, expected, x)


@pytest.mark.usefixtures("folder")
def test_of_label_matrices_training_sees_the_classes_it_may_know() -> None:
    """The trivial solution has a bit a label: two of four classes train."""
    random = np.random.default_rng(0)
    labels = np.eye(4, dtype=bool)[np.arange(200) % 4] | (random.random((200, 4)) < 0.2)
    features = labels + random.standard_normal((200, 4))
    np.savez("tags.npz", image=features, text=features[:, ::-1], label=labels)
    arguments = ("--dataset", "tags.npz", "--protocol", "extendable(folds=2)", "--modality", "image")
    refused = run("hashing/trivial", *arguments, "--out", "out")
    names = str(refused.exception).partition("--split must be one of ")[2].partition("; got none")[0].split(", ")
    assert len(names) == 4
    assert trained("hashing/trivial", *arguments, "--split", names[0]).encode(features).bits == 2


@pytest.mark.usefixtures("folder")
def test_images_train_a_network() -> None:
    images = np.random.default_rng(0).integers(0, 256, (60, 32, 32, 3), np.uint8)
    np.save("images.npy", images)
    np.save("labels.npy", np.arange(60) % 3)
    arguments = ("--features", "images.npy", "--labels", "labels.npy")
    found = trained("dsh(bits=8, epochs=1, batch=30, network=dsh)", *arguments)
    assert found.encode(images).bits == 8
    done = run("itq", *arguments, "--out", "other")
    assert "features of ITQ must be numbers (items, dimensions)" in str(done.exception)


@pytest.mark.usefixtures("folder")
def test_a_share_is_held_out_where_that_helps() -> None:
    found = trained(QUICK, "--features", "x.npy", "--labels", "y.npy", "--validation", "0.2")
    assert len(found.checks_) == 2
    assert trained(QUICK, "--features", "x.npy", "--labels", "y.npy", "--force").checks_ == []
    for arguments, line in (
        (("itq", "--validation", "0.2"), "ITQ is not trained step by step: --validation must not be given"),
        ((QUICK, "--labels", "y.npy", "--validation", "0.001"), "must leave two items on either side; got 0 of 300"),
    ):
        assert line in str(run(*arguments, "--features", "x.npy", "--out", "other").exception)


@pytest.mark.usefixtures("folder")
def test_both_modalities_train_a_cross_media_method() -> None:
    files = ("--features", "image=both.npz:image", "--features", "text=both.npz:text")
    found = trained("crossmedia/cca(dimensions=4)", *files)
    assert found.n_features_in_ == {"image": 32, "text": 32}
    for wrong in (("--features", "x.npy"), ("--features", "image=x.npy", "--features", "image=x.npy")):
        assert "must be MODALITY=FILE once a modality" in str(run("cca", *wrong, "--out", "other").exception)
    assert "--features of ITQ must be one FILE" in str(run("itq", *files, "--out", "other").exception)


def test_a_saved_method_is_replaced_only_by_force_and_anything_else_never(folder: Path) -> None:
    arguments = ("--features", "x.npy", "--out", "out")
    assert run("itq(bits=8)", *arguments).exit_code == 0
    before = (folder / "out/method.json").read_bytes()
    assert "a method is saved there already; --force replaces it" in str(run("lsh", *arguments).exception)
    assert (folder / "out/method.json").read_bytes() == before
    assert run("lsh(bits=8)", *arguments, "--force").exit_code == 0
    assert type(er.load("out")).__name__ == "LSH"
    (folder / "out/thesis.tex").write_text("years of work")
    assert "is there already, and is no saved method" in str(run("itq", *arguments, "--force").exception)
    assert "no saved method" in str(run("itq", "--features", "x.npy", "--out", ".", "--force").exception)
    assert (folder / "out/thesis.tex").exists()


def test_nothing_is_left_of_a_method_that_cannot_be_saved(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(method: Method, target: Path) -> None:
        target.mkdir()
        (target / "arrays.npz").write_bytes(b"half of it")
        raise OSError("no space left on device")

    assert run("lsh(bits=8)", "--features", "x.npy", "--out", "out").exit_code == 0
    monkeypatch.setattr(Method, "save", fail)
    done = run("itq(bits=8)", "--features", "x.npy", "--out", "out", "--force")
    assert "no space left" in str(done.exception)
    assert sorted(path.name for path in folder.iterdir()) == ["both.npz", "out", "x.npy", "y.npy"]
    assert type(er.load("out")).__name__ == "LSH"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("itk", "--features", "x.npy"), "'itk' is not one of the methods"),
        (("itq(bit=8)", "--features", "x.npy"), "itq has no keyword 'bit'; there are bits"),
        (("itq(bits=0)", "--features", "x.npy"), "bits of ITQ must be a whole number from 1 to 4096; got 0"),
        (("itq",), "items must come from --features and --labels, or from --dataset and its options"),
        (("itq", "--features", "x.npy", *DIGITS), "items must come from"),
        (("itq", "--features", "x.npy", "--split", "a"), "items must come from"),
        (("itq", *DIGITS, "--labels", "y.npy"), "items must come from"),
        (("itq", "--dataset", "digits"), "--dataset needs --protocol"),
        (("itq", *DIGITS, "--split", "b"), "--split must be one of hold-out; got 'b'"),
        (("itq", *DIGITS, "--modality", "text"), "--modality must be one of image; got text"),
        (("itq", "--features", "none.npy"), "none.npy: no such file"),
        (("hashing/trivial", "--features", "x.npy"), "Trivial needs labels; got none"),
        (("hashing/trivial", "--features", "x.npy", "--labels", "short.npy"), "one row an item, 300; got shape (9,)"),
        (("itq", "--features", "x.npy", "--json", "none/a.json"), "the folder none does not exist"),
        (("itq", "--features", "x.npy", "--out", "none/out"), "none does not exist"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(folder: Path, arguments: tuple[str, ...], line: str) -> None:
    np.save("short.npy", np.arange(9))
    done = run(*arguments, *(() if "--out" in arguments else ("--out", "out")))
    assert done.exit_code != 0
    assert line in str(done.exception)
    assert "\n" not in str(done.exception)
    assert sorted(path.name for path in folder.iterdir()) == ["both.npz", "short.npy", "x.npy", "y.npy"]


def test_without_torch_a_line_says_what_to_install(folder: Path) -> None:
    code = "import sys; sys.modules['torch'] = None; import evenrank.cli; evenrank.cli.main()"
    command = [sys.executable, "-c", code, "train", "hashing/talr_ap", *DIGITS, "--out", "out"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "evenrank: torch is not installed: pip install 'evenrank[train]'\n"
    assert not (folder / "out").exists()
