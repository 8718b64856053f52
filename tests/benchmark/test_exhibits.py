"""What final jobs leave for the report agrees with the numbers, and never costs one."""

import base64
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from evenrank.benchmark import parts, work
from evenrank.benchmark.jobs import Job, Task
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Report
from evenrank.dataset import Dataset, dataset
from evenrank.formats.bundles import save_bundle
from tests.benchmark.plans import PLAN, written

SCRIPT = "<script>alert(1)</script> a dog & a cat"
PAIRS = """
title = "Pairs"
dataset = "{bundle}"
protocol = "extendable(folds=2)"
dimensions = [2]
metrics = ["AP", "CMC@1"]

[[methods]]
name = "crossmedia/cca"
"""
FOLDS = """
title = "Folds"
dataset = "synthetic(items=240, classes=6)"
protocol = "class_disjoint(folds=2)"
dimensions = [4]
metrics = ["MAP@R"]

[[methods]]
name = "embedding/pretrained_pca"
"""


def ran(plan: Plan, folder: Path, method: str, width: int, number: int = 0) -> Report:
    """Return the report of a final job, which went well."""
    parts.prepare(plan, folder / "parts")
    report = work.work(plan, Task(Job("final", method, width, number), {}), folder / "parts")
    assert not report.traceback
    return report


@pytest.fixture(scope="module")
def digits(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("digits")
    return ran(Plan.read(written(folder)), folder, "hashing/itq", 8)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Images of features with captions, one of which would like to be a script."""
    folder = tmp_path_factory.mktemp("pairs")
    data = dataset("synthetic(items=200, classes=4, modalities=2, dimensions=8)")
    texts = np.array([SCRIPT, *(f"caption {row}" for row in range(1, 200))])
    features = {name: np.asarray(values) for name, values in data.modalities.items()}
    save_bundle(folder / "bundle.npz", {**features, "label": data.labels, "shown_text": texts})
    plan = written(folder, PAIRS.format(bundle=folder / "bundle.npz"))
    return ran(Plan.read(plan), folder, "crossmedia/cca", 2)


def test_everything_is_plain_and_small(digits: Report, pairs: Report) -> None:
    for report in (digits, pairs):
        text = json.dumps(report.exhibits, allow_nan=False)
        assert json.loads(text) == report.exhibits
        assert "failed" not in report.exhibits
        assert len(text) < 300_000
    assert set(digits.exhibits) == {
        *("ties", "costs", "codes", "undecided", "curves", "usage", "hits", "projection", "tsne", "gallery", "items")
    }
    assert set(digits.exhibits) - set(pairs.exhibits) == {"codes", "usage", "hits"}


def test_numbers_are_those_of_the_evaluation(digits: Report) -> None:
    [what] = digits.metrics
    for name, mean in digits.metrics[what].items():
        ties = digits.exhibits["ties"][what][name]
        assert ties["worst"] < mean < ties["best"]
        assert 0 < ties["std"] < ties["best"] - ties["worst"]
    assert 0 < digits.exhibits["undecided"][what] < 1
    costs = digits.exhibits["costs"]
    assert (costs["bytes"], costs["items"]) == (1, 200)
    assert costs["fit"] > 0
    assert costs["encode"] > 0


def test_curves_meet_the_metrics(digits: Report) -> None:
    [what] = digits.metrics
    curves = digits.exhibits["curves"][what]
    precision = dict(zip(curves["precision"]["x"], curves["precision"]["y"], strict=True))
    assert precision[10] == pytest.approx(digits.metrics[what]["P@10"], abs=1e-4)
    assert curves["CMC"]["x"][0] == 1
    assert curves["CMC"]["y"][0] == pytest.approx(precision[1], abs=1e-4)
    assert curves["CMC"]["y"][-1] == 1
    assert curves["precision-recall"]["x"][-1] == 1


def test_usage_and_hits_count_the_database(digits: Report) -> None:
    [what] = digits.metrics
    usage, hits, codes = (digits.exhibits[name][what] for name in ("usage", "hits", "codes"))
    assert sum(usage["counts"]) == usage["items"] == 1797 - 50
    assert usage["counts"] == sorted(usage["counts"], reverse=True)
    assert codes["utilisation"] == pytest.approx(usage["codes"] / usage["space"], abs=1e-5)
    assert hits["distance"] == list(range(9))
    assert sum(hits["items"]) == pytest.approx(usage["items"], rel=1e-3)
    assert all(0 <= relevant <= items for relevant, items in zip(hits["relevant"], hits["items"], strict=True))


def test_a_gallery_shows_tie_groups_and_says_what_is_cut(digits: Report) -> None:
    [what] = digits.metrics
    entries = digits.exhibits["gallery"][what]
    assert [entry["why"] for entry in entries] == ["chosen"] * 6 + ["best"] * 2 + ["worst"] * 2 + ["most tied"] * 2
    labels = dataset("digits").labels
    assert labels is not None
    assert len({labels[entry["query"]] for entry in entries[:6]}) == 6
    for entry in entries:
        assert entry["range"][0] <= entry["value"] <= entry["range"][1]
        distances = [group["distance"] for group in entry["groups"]]
        assert distances == sorted(set(distances))
        items = [item for group in entry["groups"] for item in group["items"]]
        assert len(items) == 20
        assert entry["query"] not in [item["row"] for item in items]
        assert all(item["relevant"] == (labels[item["row"]] == labels[entry["query"]]) for item in items)
        for group in entry["groups"][:-1]:
            assert len(group["items"]) == group["size"]
            assert group["relevant"] == sum(item["relevant"] for item in group["items"])
        assert entry["groups"][-1]["size"] >= len(entry["groups"][-1]["items"])


def test_best_and_worst_are_so(digits: Report) -> None:
    [what] = digits.metrics
    values = digits.per_query[f"{what}: AP"]
    shown: dict[str, list[float]] = {}
    for entry in digits.exhibits["gallery"][what]:
        shown.setdefault(entry["why"], []).append(entry["value"])
    np.testing.assert_allclose(shown["best"], np.sort(values)[:-3:-1], rtol=1e-5)
    np.testing.assert_allclose(shown["worst"], np.sort(values)[:2], rtol=1e-5)


def test_methods_show_the_same_chosen_queries(digits: Report, tmp_path: Path) -> None:
    other = ran(Plan.read(written(tmp_path)), tmp_path, "hashing/lsh", 8)
    [what] = digits.metrics
    chosen = [[e["query"] for e in report.exhibits["gallery"][what][:6]] for report in (digits, other)]
    assert chosen[0] == chosen[1]
    assert digits.exhibits["projection"]["label"] == other.exhibits["projection"]["label"]


def test_digits_are_seen_as_digits(digits: Report) -> None:
    data = dataset("digits")
    for row, item in digits.exhibits["items"]["image"].items():
        kind, _, content = item["picture"].partition(",")
        assert kind.startswith("data:image/")
        with Image.open(io.BytesIO(base64.b64decode(content))) as image:
            np.testing.assert_array_equal(np.asarray(image), data.extras["shown_image"][int(row)])
        assert data.labels is not None
        assert item["label"] == str(data.labels[int(row)])


def test_neighbours_stay_neighbours_in_the_plane(digits: Report) -> None:
    shown = {name: digits.exhibits[name] for name in ("projection", "tsne")}
    together = {}
    for name, content in shown.items():
        places, labels = np.array([content["x"], content["y"]]).T, np.array(content["label"])
        assert np.isfinite(places).all()
        distances = np.linalg.norm(places[:, None] - places, axis=2) + np.diag(np.full(len(places), np.inf))
        together[name] = (labels[distances.argmin(axis=1)] == labels).mean()
    assert len(shown["tsne"]["label"]) == 250
    assert together["tsne"] > 0.3  # chance is 0.1


def test_groups_that_are_apart_are_laid_out_apart() -> None:
    from evenrank.benchmark.exhibits.projection import plane
    from evenrank.benchmark.exhibits.tsne import tsne

    groups = np.repeat(np.arange(6), 20)
    values = np.eye(6)[groups] + np.random.default_rng(0).normal(0, 0.05, (120, 6))
    places = tsne(values, plane(values))
    centres = np.array([places[groups == group].mean(axis=0) for group in range(6)])
    nearest = np.linalg.norm(places[:, None] - centres, axis=2).argmin(axis=1)
    assert (nearest == groups).all()
    same = np.ones((30, 4))
    assert np.isfinite(tsne(same, plane(same))).all()


def test_both_directions_show_their_own_media(pairs: Report) -> None:
    gallery = pairs.exhibits["gallery"]
    assert set(gallery) == {
        f"{kind}, {direction}"
        for kind in ("extendable", "non-extendable")
        for direction in ("image to text", "text to image")
    }
    for what, entries in gallery.items():
        assert {f"{entry['asks']} to {entry['answers']}" for entry in entries} == {what.split(", ")[1]}
    items = pairs.exhibits["items"]
    assert set(next(iter(items["image"].values()))) == {"label"}
    assert all(item["text"] == (f"caption {row}" if row != "0" else SCRIPT) for row, item in items["text"].items())


def test_the_query_itself_is_not_shown_where_it_is_excluded(tmp_path: Path) -> None:
    report = ran(Plan.read(written(tmp_path, FOLDS)), tmp_path, "embedding/pretrained_pca", 4)
    assert "concatenated" in report.exhibits["gallery"]
    for entries in report.exhibits["gallery"].values():
        for entry in entries:
            rows = [item["row"] for group in entry["groups"] for item in group["items"]]
            assert len(rows) == 20
            assert entry["query"] not in rows


def test_later_repeats_leave_numbers_alone(tmp_path: Path) -> None:
    report = ran(Plan.read(written(tmp_path)), tmp_path, "hashing/itq", 8, number=1)
    assert set(report.exhibits) == {"ties", "costs", "codes", "undecided"}


def test_the_same_job_leaves_the_same(digits: Report, tmp_path: Path) -> None:
    again = ran(Plan.read(written(tmp_path)), tmp_path, "hashing/itq", 8)

    def lasting(report: Report) -> dict[str, Any]:
        return {name: content for name, content in report.exhibits.items() if name != "costs"}

    assert lasting(again) == lasting(digits)


def test_what_comes_before_the_fit_is_not_its_time(tmp_path: Path) -> None:
    one = PLAN.replace("hashing/lsh", "tests.benchmark.methods:SlowToMake")
    report = ran(Plan.read(written(tmp_path, one)), tmp_path, "tests.benchmark.methods:SlowToMake", 8)
    assert report.exhibits["costs"]["fit"] < 1


def test_an_exhibit_that_cannot_be_made_costs_no_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OSError("no picture")

    monkeypatch.setattr("evenrank.benchmark.exhibits.gallery", broken)
    report = ran(Plan.read(written(tmp_path, PLAN)), tmp_path, "hashing/itq", 8)
    assert report.exhibits["failed"] == "OSError: no picture"
    assert report.value is not None
    assert {"ties", "curves"} <= set(report.exhibits)


def test_images_show_themselves_and_items_of_several_classes_name_three(tmp_path: Path) -> None:
    from evenrank.benchmark.exhibits.items import items

    images = np.random.default_rng(0).integers(0, 256, (3, 5, 5), np.uint8)
    labels = np.array([[1, 1, 1, 1], [0, 0, 0, 0], [0, 1, 0, 1]], bool)
    data = Dataset("toy", {"image": images}, labels, ("ant", "bee", "cat", "dog"))
    groups = [{"items": [{"row": 1}, {"row": 2}]}]
    shown = items({"test": [{"query": 0, "asks": "image", "answers": "image", "groups": groups}]}, data, tmp_path)
    assert [item["label"] for item in shown["image"].values()] == ["ant, bee, cat, …", "", "bee, dog"]
    for row, item in shown["image"].items():
        with Image.open(io.BytesIO(base64.b64decode(item["picture"].partition(",")[2]))) as image:
            np.testing.assert_array_equal(np.asarray(image), images[int(row)])


@pytest.mark.parametrize("side", [8, 200])
def test_pictures_are_small_and_keep_their_shape(side: int) -> None:
    from evenrank.benchmark.exhibits.items import picture

    address = picture(np.random.default_rng(0).integers(0, 256, (side, 2 * side, 3), np.uint8))
    with Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2]))) as image:
        assert image.size == (min(2 * side, 64), min(side, 32))
