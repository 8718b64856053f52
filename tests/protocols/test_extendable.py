"""Seen and unseen classes: the authors' windows, and the three policies for items in both halves.

That published network outputs give the published numbers is in `tests/test_golden_cross_media.py`.
"""

import numpy as np
import pytest

import evenrank as er
from evenrank.dataset import Dataset
from evenrank.protocols.extendable import Extendable
from tests.protocols.examples import several, single


def test_cyclic_windows_are_those_the_authors_ran() -> None:
    ten = [split.classes for split in Extendable().splits(single())][::2]
    assert ten == [(0, 1, 2, 3, 4), (2, 3, 4, 5, 6), (4, 5, 6, 7, 8), (0, 6, 7, 8, 9), (0, 1, 2, 8, 9)]
    twenty = Dataset("twenty", {"image": np.zeros((40, 1))}, np.arange(40) % 20, train=np.arange(40) < 20)
    windows = [set(split.classes) for split in Extendable().splits(twenty)][::2]
    starts = (0, 4, 8, 12, 16)
    assert windows == [{(start + step) % 20 for step in range(10)} for start in starts]


def test_shuffled_folds_have_half_of_the_classes_each() -> None:
    folds = [split.classes for split in Extendable(classes="shuffled", folds=8).splits(single())][::2]
    assert {len(classes) for classes in folds} == {5}
    assert len(set(folds)) > 4


def test_both_searches_train_on_the_database_items_of_seen_classes() -> None:
    data = single()
    for split in Extendable(folds=2).splits(data):
        seen = np.isin(data.labels, split.classes)
        np.testing.assert_array_equal(split.train, np.flatnonzero(seen & data.train))
        searched = ~seen if split.name.startswith("extendable") else seen
        np.testing.assert_array_equal(split.query, np.flatnonzero(searched & ~data.train))
        np.testing.assert_array_equal(split.database, np.flatnonzero(searched & data.train))


def both_halves(split: er.Split) -> np.ndarray:
    labels = several().labels
    seen = np.isin(np.arange(10), split.classes)
    return labels[:, seen].any(axis=1) & labels[:, ~seen].any(axis=1)


def test_kept_items_are_in_both_halves_and_the_note_counts_them() -> None:
    inner, outer = list(Extendable(folds=1).splits(several()))
    both = both_halves(inner)
    assert f"{both.sum():,} items have labels in both halves: kept in both" == inner.note == outer.note
    np.testing.assert_array_equal(
        np.intersect1d(outer.train, outer.database), np.intersect1d(np.flatnonzero(both), outer.train)
    )
    assert len(np.intersect1d(outer.train, outer.database))


def test_dropped_items_are_in_neither_half() -> None:
    inner, outer = list(Extendable(folds=1, overlap="drop").splits(several()))
    rows = np.concatenate([inner.query, inner.database, outer.query, outer.database])
    assert not both_halves(inner)[rows].any()
    assert len(rows) == len(np.unique(rows)) == (~both_halves(inner)).sum()


def test_a_first_label_assigns_an_item_to_one_half() -> None:
    inner, outer = list(Extendable(folds=1, overlap="primary").splits(several()))
    rows = np.concatenate([inner.query, inner.database, outer.query, outer.database])
    np.testing.assert_array_equal(np.sort(rows), np.arange(len(several())))
    first = several().labels.argmax(axis=1)
    assert np.isin(first[inner.database], inner.classes).all()
    assert not np.isin(first[outer.database], inner.classes).any()


def test_only_labels_of_the_searched_half_make_relevant() -> None:
    protocol, data = Extendable(folds=1), several()
    for split, half in zip(protocol.splits(data), (slice(0, 5), slice(5, 10)), strict=True):
        labels = data.labels[:, half].astype(int)
        wanted = labels[split.query[:40]] @ labels[split.database].T > 0
        np.testing.assert_array_equal(protocol.relevance(data, split).block(slice(0, 40)), wanted)


def test_without_an_official_part_a_share_is_the_database() -> None:
    splits = list(Extendable(folds=1, overlap="drop", share=0.7).splits(several()))
    searched = sum(len(split.database) for split in splits)
    assert searched / sum(len(split.query) + len(split.database) for split in splits) == pytest.approx(0.7, abs=0.01)
