"""What is cut: folds, what methods learn from, and what leaks."""

from pathlib import Path

import numpy as np

from evenrank.benchmark import parts
from evenrank.benchmark.plan import Plan
from evenrank.dataset import dataset
from evenrank.protocol import protocol
from evenrank.relevance import Relevance
from tests.benchmark.plans import PLAN, written

SHARED = """
title = "Labels"
dataset = "synthetic(items=400, classes=6, labels_per_item=2, modalities=2)"
protocol = "extendable(folds=2)"
metrics = ["AP"]
[tuning]
trials = 1
[[methods]]
name = "crossmedia/semantic_matching"
"""


def test_a_rule_of_its_own_counts_for_methods_that_learn_from_relevance() -> None:
    data, rule = dataset("digits"), protocol("labelme(queries=20, training=50)")
    [split] = rule.splits(data)
    taught = parts.searched(rule, data, split, "relevance")
    assert isinstance(taught, Relevance)
    assert list(taught.levels) == [0, 1, 2, 5, 10]
    np.testing.assert_array_equal(parts.searched(rule, data, split, "labels"), data.labels[split.train])
    by_label = protocol("hold_out")
    [split] = by_label.splits(data)
    np.testing.assert_array_equal(parts.searched(by_label, data, split, "relevance"), data.labels[split.train])


def test_folds_of_several_labels_keep_the_classes_that_are_seen(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path, SHARED))
    parts.prepare(plan, tmp_path / "parts")
    data, folds = parts.known(tmp_path / "parts")
    assert len(folds) == parts.fold_count(plan) == 2
    for fold in folds:
        assert len(fold.classes) == 3
        relevance = protocol(plan.protocol).relevance(data, fold)
        assert relevance.block(np.arange(len(fold.query)), np.arange(len(fold.database))).any()


def test_items_that_leak_are_found_while_cutting(tmp_path: Path) -> None:
    data = dataset("digits")
    arrays = {"image": data.modalities["image"].astype(np.float32), "label": data.labels}
    train = np.arange(len(data)) >= 100
    arrays["image"][:30] = arrays["image"][200:230]
    np.savez(tmp_path / "twice.npz", train=train, **arrays)
    head = PLAN.replace('dataset = "digits"', f'dataset = "{tmp_path / "twice.npz"}"')
    plan = Plan.read(written(tmp_path, head.replace("per_class(queries=5, training=20)", "official")))
    parts.prepare(plan, tmp_path / "parts")
    leaks = [line for line in parts.about(tmp_path / "parts")["findings"] if line.startswith("leak")]
    assert leaks == [
        "leak: items of query with an exact duplicate in train: 30 of 100",
        "leak: items of query with an exact duplicate in database: 30 of 100",
    ]
