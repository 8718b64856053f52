"""Comparisons: answers in words, pairing, runs, what is left out, what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from evenrank.significance import compare
from evenrank.significance.difference import by_queries, by_runs
from evenrank.significance.holm import holm
from evenrank.significance.permutation import permutation_test

RANDOM = np.random.default_rng(0)
BASE = RANDOM.random(80)
BETTER, SAME = BASE + RANDOM.normal(0.1, 0.05, 80), BASE + RANDOM.normal(0, 0.05, 80)


def test_the_better_method_is_named_with_its_interval_whatever_the_order() -> None:
    for methods in ({"A": BASE, "B": BETTER}, {"B": BETTER, "A": BASE}):
        [pair] = compare(methods).pairs
        low, high = sorted(abs(end) for end in (pair.low, pair.high))
        assert pair.answer == f"B is better than A by {abs(pair.value):.4f} ({low:.4f} … {high:.4f})"
        assert low < abs(pair.value) < high


def test_what_cannot_be_told_says_how_much_could_have_been() -> None:
    [pair] = compare({"A": BASE, "C": SAME}).pairs
    assert (
        pair.answer == f"A, C: cannot tell with this data: a difference below {pair.detectable:.4f} would not be seen"
    )
    assert abs(pair.value) < pair.detectable


def test_equal_values_do_not_differ() -> None:
    [pair] = compare({"A": BASE, "C": BASE}).pairs
    assert (pair.value, pair.p, pair.answer) == (0, 1, "A, C: nothing differs")


def test_pairs_are_corrected_together_and_letters_say_the_same() -> None:
    found = compare({"A": BASE, "B": BETTER, "C": SAME})
    assert [each.holm for each in found.pairs] == holm([each.p for each in found.pairs]).tolist()
    assert {each.name: each.letters for each in found.methods} == {"B": "a", "A": "b", "C": "b"}
    means = [each.mean for each in found.methods]
    assert means == sorted(means, reverse=True)
    ranks = {each.name: each.rank for each in found.methods}
    assert sum(ranks.values()) == pytest.approx(6)
    assert ranks["A"] - ranks["B"] > found.critical


def test_more_pairs_need_a_larger_difference() -> None:
    two, three = (
        compare(methods).pairs[0] for methods in ({"A": BASE, "C": SAME}, {"A": BASE, "C": SAME, "B": BETTER})
    )
    assert (two.low, two.high, two.p) == (three.low, three.high, three.p)
    assert two.detectable < three.detectable


def test_against_the_first_leaves_the_other_pairs_out() -> None:
    found = compare({"A": BASE, "B": BETTER, "C": SAME}, against_first=True)
    assert [(each.first, each.second) for each in found.pairs] == [("A", "B"), ("A", "C")]
    assert [each.holm for each in found.pairs] == holm([each.p for each in found.pairs]).tolist()
    assert not any(each.letters for each in found.methods)


def test_a_query_without_a_value_is_left_out_of_its_pairs_and_counted() -> None:
    holes = BETTER.copy()
    holes[:3] = np.nan
    found = compare({"A": BASE, "B": holes, "C": SAME})
    assert [each.dropped for each in found.pairs] == [3, 0, 3]
    assert found.pairs[0].value == pytest.approx((BETTER - BASE)[3:].mean())
    assert found.pairs[1].value == pytest.approx((SAME - BASE).mean())
    assert found.compared == 77


def test_runs_are_averaged_by_query_for_p_and_need_not_be_equally_many() -> None:
    first, second = RANDOM.random((2, 12)), RANDOM.random((5, 12)) + 0.2
    [pair] = compare({"A": first, "B": list(second)}).pairs
    differences = second.mean(axis=0) - first.mean(axis=0)
    assert pair.value == pytest.approx(differences.mean())
    assert pair.p == permutation_test(differences, 10_000, 0)
    assert pair.effect == pytest.approx(differences.mean() / differences.std(ddof=1))


def test_runs_that_could_turn_it_round_leave_it_open() -> None:
    """All queries agree, so p is tiny, but run by run the methods are now ahead, now behind."""
    shift = np.array([[-0.3], [0.0], [0.3]])
    [pair] = compare({"A": BASE + shift, "B": BETTER + shift}).pairs
    assert pair.holm < 0.001
    assert not pair.decided
    assert "cannot tell" in pair.answer


def test_one_run_has_students_interval() -> None:
    low, high = stats.t.interval(0.95, 79, BASE.mean(), stats.sem(BASE))
    method = next(each for each in compare({"A": BASE, "B": BETTER}).methods if each.name == "A")
    assert (method.mean - method.half_width, method.mean + method.half_width) == pytest.approx((low, high))


def test_means_of_runs_are_compared_by_students_paired_test() -> None:
    a, b = RANDOM.random((2, 6))
    found = compare({"A": a, "B": b}, unit="runs")
    wanted = stats.ttest_rel(b, a)
    assert found.pairs[0].p == pytest.approx(wanted.pvalue)
    assert (found.pairs[0].low, found.pairs[0].high) == pytest.approx(tuple(wanted.confidence_interval()))
    assert found.methods[0].runs == 6


def test_runs_that_differ_equally_are_certain() -> None:
    found = by_runs(np.array([[0.25, 0.5]]), np.array([[0.5, 0.75]]), confidence=0.95)
    assert (found.value, found.low, found.high, found.p) == (0.25, 0.25, 0.25, 0)


def test_the_same_seed_gives_the_same_numbers_and_other_pairs_change_none() -> None:
    methods = {"A": RANDOM.random((3, 50)), "B": RANDOM.random((2, 50)), "C": RANDOM.random((1, 50))}
    found = [
        compare(methods, seed=1),
        compare(methods, seed=1),
        compare({"A": methods["A"], "B": methods["B"]}, seed=1),
    ]
    low = {each.pairs[0].low for each in found}
    assert len(low) == 1
    assert compare(methods, seed=2).pairs[0].low not in low


def test_tie_ranges_that_overlap_are_told() -> None:
    methods = {"A": BASE, "B": BETTER}
    ranges = {"A": (0.4, 0.55), "B": (0.5, 0.7)}
    assert compare(methods, ties=ranges).pairs[0].overlap
    assert not compare(methods, ties=ranges | {"A": (0.4, 0.5)}).pairs[0].overlap
    assert not compare(methods, ties={"A": (0.5, 0.5), "B": (0.5, 0.5)}).pairs[0].overlap  # nothing ties
    assert not compare(methods).pairs[0].overlap


def test_everything_can_be_written_as_json() -> None:
    found = compare({"A": BASE, "B": BASE}).to_dict()
    again = json.loads(json.dumps(found, allow_nan=False))
    assert again["pairs"][0]["answer"] == "A, B: nothing differs"
    assert again["methods"][0]["worst"] is None


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    compare({"A": BASE, "B": BETTER, "C": SAME}, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("methods", "unit", "line"),
    [
        ({"A": BASE}, "queries", "at least 2 methods; got 1"),
        ({"A": BASE, "B": BASE[:5]}, "queries", "on the same queries; got A 80, B 5"),
        ({"A": BASE[:3], "B": BASE[:5]}, "runs", "on the same runs; got A 3, B 5"),
        ({"A": [BASE, BASE], "B": BASE}, "runs", "one value a run"),
        ({"A": BASE, "B": [BASE, BASE[:3]]}, "queries", "values of B must be numbers, as many in every run"),
        ({"A": BASE, "B": ["x"]}, "queries", "values of B must be numbers"),
        ({"A": BASE, "B": [[[0.5]]]}, "queries", r"values of B must be \(runs, queries\)"),
        ({"A": BASE, "B": []}, "queries", "values of B must be .* not empty"),
        ({"A": [0.5, np.inf], "B": [0.5, 0.5]}, "queries", "values of A must be finite"),
        ({"A": [0.5, np.nan], "B": [0.5, 0.5]}, "queries", "at least 2 queries with a value in both methods; got 1"),
        ({"A": [0.5], "B": [0.6]}, "runs", "at least 2 runs with a value in both methods; got 1"),
        ({"A": BASE, "B": BASE}, "folds", "unit must be one of queries, runs; got 'folds'"),
    ],
)
def test_bad_input_is_one_line(methods: dict, unit: str, line: str) -> None:
    with pytest.raises(ValueError, match=line) as told:
        compare(methods, unit=unit)
    assert "\n" not in str(told.value)


def test_a_confidence_outside_0_and_1_is_refused() -> None:
    with pytest.raises(ValueError, match="confidence must lie between 0 and 1"):
        compare({"A": BASE, "B": BETTER}, confidence=95)


def test_queries_count_once_however_many_runs_there_are() -> None:
    """Repeating a run must not make anything surer: queries are the sample, not pairs of query and run."""
    once = by_queries(BASE[None], SAME[None], confidence=0.95, permutations=999, resamples=500, seed=0)
    often = by_queries(np.tile(BASE, (9, 1)), SAME[None], confidence=0.95, permutations=999, resamples=500, seed=0)
    assert (often.p, often.error.value) == pytest.approx((once.p, once.error.value))
