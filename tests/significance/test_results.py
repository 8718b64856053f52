"""Results of evaluations: how they are read, which metric they hold, and whether they can be compared."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import evenrank as er
from evenrank.significance.results import compare_results, read_result, unlike

RANDOM = np.random.default_rng(0)
LABELS = [RANDOM.integers(0, 3, n) for n in (30, 90)]


def evaluated(bits: int, seed: int = 0, **options: object) -> er.Result:
    """Return the result of codes that know the labels a little; the first two queries have no relevant item."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((3, bits))
    codes = [er.Codes.from_signs(centres[y] + 2 * random.standard_normal((len(y), bits))) for y in LABELS]
    relevance = er.SameLabel(np.where(np.arange(30) < 2, 9, LABELS[0]), LABELS[1])
    return er.evaluate(*codes, relevance, ["mAP", "P@5", "NMI", "TiedPairs"], **options)


METHODS = {"long": [evaluated(24, seed) for seed in (0, 1, 2)], "short": [evaluated(6, seed) for seed in (0, 1, 2)]}


@pytest.mark.parametrize("metric", ["AP", "map", "mAP"])
def test_a_metric_is_found_however_it_was_written(metric: str) -> None:
    found = compare_results(METHODS, metric)
    values = {
        name: np.mean([result.per_query["mAP"] for result in results], axis=0) for name, results in METHODS.items()
    }
    assert found.pairs[0].value == pytest.approx(np.nanmean(values["short"] - values["long"]))
    assert found.pairs[0].dropped == 2
    assert found.unit == "queries"


def test_runs_may_have_written_it_differently() -> None:
    text = METHODS["long"][1].to_json().replace('"mAP"', '"AP"')
    mixed = [METHODS["long"][0], er.Result.from_json(text), METHODS["long"][2]]
    found = compare_results({"A": mixed, "B": METHODS["long"]})
    assert found.pairs[0].value == 0
    assert found.methods[0].worst == found.methods[1].worst


def test_tie_ranges_are_means_over_runs() -> None:
    found = {each.name: each for each in compare_results(METHODS).methods}
    for name, results in METHODS.items():
        assert found[name].worst == pytest.approx(np.mean([result.worst["mAP"] for result in results]))
        assert found[name].best == pytest.approx(np.mean([result.best["mAP"] for result in results]))
        assert found[name].worst < found[name].mean < found[name].best


def test_runs_are_paired_on_request_and_where_there_are_no_queries() -> None:
    by_run = compare_results(METHODS, by_run=True)
    means = {name: np.mean([result.mean["mAP"] for result in results]) for name, results in METHODS.items()}
    assert (by_run.unit, by_run.compared) == ("runs", 3)
    assert by_run.pairs[0].value == pytest.approx(means["short"] - means["long"])
    assert compare_results(METHODS, "NMI").unit == "runs"


def test_a_result_survives_its_file(tmp_path: Path) -> None:
    METHODS["long"][0].to_json(tmp_path / "r.json")
    again = read_result(tmp_path / "r.json")
    assert compare_results({"A": [again], "B": METHODS["long"][:1]}).pairs[0].answer == "A, B: nothing differs"


def test_a_metric_that_is_not_there_or_says_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="results of long must hold P@7; got mAP, P@5, NMI, TiedPairs"):
        compare_results(METHODS, "P@7")
    with pytest.raises(ValueError, match="says how rankings tie"):
        compare_results(METHODS, "tied_pairs")


def test_what_was_not_evaluated_alike_is_told() -> None:
    assert unlike(METHODS) == []
    other = {"A": [evaluated(6)], "B": [evaluated(6, ties="index", empty="zero")]}
    assert unlike(other) == [
        "not evaluated alike: ties is A expected, B index",
        "not evaluated alike: empty is A skip, B zero",
    ]
