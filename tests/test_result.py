"""Result: means and spreads, round trips, exports, and the table."""

import csv

import numpy as np
import pytest
from pyarrow import parquet

import evenrank as er


@pytest.fixture(scope="module")
def result() -> er.Result:
    random = np.random.default_rng(0)
    queries, items = (er.Codes.from_signs(random.standard_normal((n, 6))) for n in (40, 100))
    labels = [random.integers(0, 4, n) for n in (40, 100)]
    labels[0][:3] = 9  # no such item
    return er.evaluate(queries, items, er.SameLabel(*labels), ["AP", "P@5", "P@H<=1"])


def test_means_and_tie_deviations(result: er.Result) -> None:
    spread = result.spreads["AP"]
    assert result.mean["AP"] == pytest.approx(np.nanmean(result.per_query["AP"]))
    assert result.worst["AP"] < result.mean["AP"] < result.best["AP"]
    assert result.tie_std["AP"] == pytest.approx(np.sqrt(np.nansum(spread.deviation**2)) / 37)
    assert result.tie_std["AP"] < result.tie_std_bound["AP"] == pytest.approx(np.nanmean(spread.deviation))


def test_json_round_trip(result: er.Result, tmp_path) -> None:
    path = tmp_path / "result.json"
    text = result.to_json(path)
    for again in (er.Result.from_json(path), er.Result.from_json(text), er.Result.from_json(str(path))):
        assert str(again) == str(result)
        assert again.provenance == result.provenance
        assert again.codes == result.codes
        for name in result.spreads:
            for ours, theirs in zip(again.spreads[name], result.spreads[name], strict=True):
                np.testing.assert_array_equal(ours, theirs)
        np.testing.assert_array_equal(again.curve("CMC", [1, 2]).y, result.curve("CMC", [1, 2]).y)
        np.testing.assert_array_equal(again.curve("precision-recall").y, result.curve("precision-recall").y)
    with pytest.raises(ValueError, match="a stored result must have spreads"):
        er.Result.from_json("{}")


def test_csv_and_parquet_hold_one_row_a_query(result: er.Result, tmp_path) -> None:
    result.to_csv(tmp_path / "q.csv")
    result.to_parquet(tmp_path / "q.parquet")
    with open(tmp_path / "q.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 40
    assert rows[0]["AP"] == ""
    assert [float(row["AP best"]) for row in rows[3:]] == result.spreads["AP"].best[3:].tolist()
    table = parquet.read_table(tmp_path / "q.parquet")
    np.testing.assert_array_equal(table["P@5 deviation"], result.spreads["P@5"].deviation)


def test_the_table_says_everything_once(result: er.Result) -> None:
    text = str(result)
    for words in (f"{result.mean['AP']:.4f}", "95 % interval", "40 queries, 100 database items, codes of 6 bits",
                  "3 queries have no relevant item: skipped", "of lookups are empty", "undecided"):  # fmt: skip
        assert text.count(words) == 1, words


def test_intervals(result: er.Result) -> None:
    low, high = result.interval("AP")
    assert low < result.mean["AP"] < high
    assert result.interval("AP", confidence=0.5)[0] > low
    assert result.interval("AP", method="bca") == pytest.approx((low, high), abs=0.02)
    with pytest.raises(ValueError, match="method of interval must be one of t, bca"):
        result.interval("AP", method="normal")
    with pytest.raises(KeyError, match="there are AP, P@5"):
        result.interval("RR")
