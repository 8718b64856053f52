"""Batches: every item once a pass, classes and labels with their members, the same rows for the same step."""

import numpy as np
import pytest

from evenrank.batches import balanced_batches, labelled_batches, random_batches

CLASSES = np.repeat([3, 1, 8, 5], [5, 9, 4, 2])
MATRIX = np.array([[1, 0, 0]] * 3 + [[1, 1, 0]] * 2 + [[0, 1, 0]] * 3 + [[0, 0, 0]], bool)


def test_random_batches_meet_every_item_once_a_pass_and_then_in_another_order() -> None:
    draw = random_batches(12, 4, seed=0)
    passes = [np.concatenate([draw(step) for step in range(first, first + 3)]) for first in (0, 3)]
    assert sorted(passes[0]) == sorted(passes[1]) == list(range(12))
    assert passes[0].tolist() != passes[1].tolist()


def test_what_does_not_fill_a_batch_waits_for_the_next_pass() -> None:
    draw = random_batches(10, 4, seed=0)
    assert len({*draw(0), *draw(1)}) == 8
    assert [len(draw(step)) for step in range(4)] == [4] * 4


def test_fewer_items_than_a_batch_are_all_of_it() -> None:
    assert sorted(random_batches(3, 8, seed=0)(5)) == [0, 1, 2]


def test_a_batch_depends_on_seed_and_step_alone() -> None:
    forth = [random_batches(50, 8, seed=1)(step).tolist() for step in range(20)]
    draw = random_batches(50, 8, seed=1)
    back = [draw(step).tolist() for step in reversed(range(20))]
    assert forth == back[::-1]
    assert random_batches(50, 8, seed=2)(0).tolist() != forth[0]
    balanced = balanced_batches(CLASSES, 6, 2, seed=1)
    assert balanced(7).tolist() == balanced(7).tolist() != balanced(8).tolist()


def test_changing_a_batch_does_not_change_the_next() -> None:
    draw = random_batches(8, 4, seed=0)
    before = draw(0).tolist()
    draw(0)[:] = 0
    assert draw(0).tolist() == before


def test_balanced_batches_hold_classes_times_members_distinct_items() -> None:
    draw = balanced_batches(CLASSES, 6, 2, seed=0)
    for step in range(50):
        rows = draw(step)
        assert len(set(rows)) == 6
        assert sorted(np.unique(CLASSES[rows], return_counts=True)[1]) == [2, 2, 2]
    assert {number for step in range(50) for number in draw(step)} == set(range(20))


def test_a_class_with_too_few_items_repeats_them() -> None:
    rows = balanced_batches(CLASSES, 16, 4, seed=0)(0)
    assert np.unique(CLASSES[rows], return_counts=True)[1].tolist() == [4, 4, 4, 4]
    assert sorted(rows[CLASSES[rows] == 5]) == [18, 18, 19, 19]


def test_every_label_of_a_labelled_batch_contributes_its_members_without_repetition() -> None:
    draw = labelled_batches(MATRIX, 4, 2, seed=0)
    for step in range(50):
        rows = draw(step)
        assert len(set(rows)) == 4  # though two items have both labels
        first, second = MATRIX[rows[:2]].all(axis=0), MATRIX[rows[2:]].all(axis=0)
        assert (first[0] and second[1]) or (first[1] and second[0])
        assert 8 not in rows  # it has no label


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: balanced_batches(CLASSES, 7, 2, 0), "batch must be a multiple of members, 2; got 7"),
        (lambda: balanced_batches(CLASSES, 10, 2, 0), "needs 5 labels that have items; there are 4"),
        (lambda: labelled_batches(MATRIX, 6, 2, 0), "needs 3 labels that have items; there are 2"),
        (lambda: balanced_batches(MATRIX, 4, 2, 0), r"must be class numbers, one an item; got shape \(9, 3\)"),
        (lambda: labelled_batches(CLASSES, 4, 2, 0), r"must be a matrix \(items, labels\); got shape \(20,\)"),
    ],
)
def test_what_cannot_be_drawn_is_refused(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message):
        call()
