"""A printed table: how it is read, and which of its gaps ties or chance could make."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evenrank.significance import compare
from evenrank.significance.published import gaps, read_printed

RANDOM = np.random.default_rng(0)
BASE = 0.4 + 0.2 * RANDOM.random(100)
METHODS = {"ITQ": BASE, "LSH": BASE - RANDOM.normal(0.05, 0.02, 100), "PCAH": BASE - RANDOM.normal(0.01, 0.05, 100)}
MEANS = {name: float(values.mean()) for name, values in METHODS.items()}
RANGES = {name: (mean - 0.02, mean + 0.03) for name, mean in MEANS.items()}


def table(folder: Path, *lines: str) -> Path:
    path = folder / "table.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_gap_is_held_against_lucky_ties_and_half_the_interval() -> None:
    found = compare(METHODS, ties=RANGES)
    pair = found.pairs[0]
    [gap] = gaps(found, {"itq": 0.6, "lsh": 0.4})
    assert (gap.higher, gap.lower) == ("ITQ", "LSH")
    assert gap.by_ties == pytest.approx(0.03 + 0.02)  # the higher at its best, the lower at its worst
    assert gap.by_chance == pytest.approx((pair.high - pair.low) / 2)
    assert (gap.gap, gap.ours) == pytest.approx((0.2, MEANS["ITQ"] - MEANS["LSH"]))
    [other] = gaps(found, {"itq": 0.4, "lsh": 0.6})
    assert (other.higher, other.ours) == ("LSH", -gap.ours)


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [
        (0.301, "inside our tie range and our interval"),
        (0.345, "inside our tie range"),
        (0.36, "beyond both"),
    ],
)
def test_verdicts(printed: float, verdict: str) -> None:
    assert gaps(compare(METHODS, ties=RANGES), {"itq": printed, "lsh": 0.3})[0].verdict == verdict


def test_without_ties_only_chance_is_left() -> None:
    found = compare(METHODS)
    assert gaps(found, {"itq": 0.301, "pcah": 0.3})[0].verdict == "inside our interval"
    assert gaps(found, {"itq": 0.345, "pcah": 0.3})[0].verdict == "beyond both"


def test_every_pair_of_the_table_is_looked_at() -> None:
    found = gaps(compare(METHODS), {"itq": 0.3, "lsh": 0.2, "pcah": 0.1, "other": 0.5})
    assert [(gap.higher, gap.lower) for gap in found] == [("ITQ", "LSH"), ("ITQ", "PCAH"), ("LSH", "PCAH")]


def test_rows_are_chosen_by_metric_and_by_column(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        "Method, bits,dataset,metric,Value",
        "ITQ,16,CIFAR-10,mAP,20.5",
        "ITQ,32,CIFAR-10,mAP,30.5",
        "LSH,32,CIFAR-10,mAP,0.9",
        "ITQ,32,NUS-WIDE,mAP,40",
        "ITQ,32,CIFAR-10,mAP@5000,50",
        "ITQ,32,CIFAR-10,a measure of theirs,60",
    )
    found = read_printed(path, "AP", {"bits": "32", "dataset": "cifar-10"})
    assert found == pytest.approx({"itq": 0.305, "lsh": 0.009})  # one value is above 1: percentages


def test_shares_stay_as_they_are(tmp_path: Path) -> None:
    assert read_printed(table(tmp_path, "method,value", "ITQ,0.5", "LSH,1"), "AP", {}) == {"itq": 0.5, "lsh": 1.0}


@pytest.mark.parametrize(
    ("lines", "where", "line"),
    [
        (["method,score", "ITQ,0.5"], {}, "must have a column value; got method, score"),
        (["method,value", "ITQ,0.5"], {"bits": "32"}, "must have a column bits"),
        (["method,value", "ITQ,high"], {}, "line 2: value must be a number from 0 to 1, or to 100; got 'high'"),
        (["method,value", "ITQ,nan"], {}, "line 2: value must be a number"),
        (["method,value", "ITQ,-0.5"], {}, "line 2: value must be a number"),
        (["method,value", "ITQ,0.5,1"], {}, "line 2: must have 2 cells"),
        (
            ["method,bits,value", "ITQ,16,0.5", "itq,32,0.5"],
            {},
            "line 3: itq is there twice: choose with --where from bits",
        ),
    ],
)
def test_a_bad_table_is_one_line(tmp_path: Path, lines: list[str], where: dict[str, str], line: str) -> None:
    with pytest.raises(ValueError, match=r"table\.csv: ") as told:
        read_printed(table(tmp_path, *lines), "AP", where)
    assert line in str(told.value)
    assert "\n" not in str(told.value)
