"""Average ranks over queries, and bars over those that do not differ."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import rankdata

from evenrank.report.contents import read
from evenrank.report.figure import Line, Points, Texts
from evenrank.report.figures import critical_differences
from tests.report.stores import ranked


def test_marks_stand_at_average_ranks_and_bars_join_what_is_within_the_difference(tmp_path: Path) -> None:
    means = {"a": 0.5, "b": 0.5, "c": 0.3, "d": 0.3001}
    chosen, store = ranked(tmp_path, means, queries=80)
    contents = read(store, chosen)
    [panel] = critical_differences.draw(contents).panels
    values = np.stack([study.per_query("AP").mean(axis=0) for study in contents.studies])
    ranks = dict(zip(means, rankdata(-values, axis=0).mean(axis=1), strict=True))
    marks = {series.texts[0].split(":")[0]: series.x[0] for series in panel.series if isinstance(series, Points)}
    assert marks == pytest.approx(ranks)
    critical = 2.569 * np.sqrt(4 * 5 / (6 * 80))  # Demšar 2006, Table 5
    bars = [series for series in panel.series if isinstance(series, Line) and series.thick]
    assert [bar.x[0] for bar in bars] == pytest.approx(sorted(ranks.values())[::2])
    assert [bar.x[1] for bar in bars] == pytest.approx(sorted(ranks.values())[1::2])
    assert all(
        bar.x[1] - bar.x[0] <= critical < min(ranks["c"], ranks["d"]) - max(ranks["a"], ranks["b"]) for bar in bars
    )
    assert f"critical difference {critical:.3f}" in panel.note
    assert "80 queries" in panel.note


def test_the_better_half_stands_on_the_left(tmp_path: Path) -> None:
    chosen, store = ranked(tmp_path, {"worst": 0.1, "best": 0.8, "good": 0.6, "poor": 0.3})
    [panel] = critical_differences.draw(read(store, chosen)).panels
    words = {series.texts[0].split()[0]: series.left for series in panel.series if isinstance(series, Texts)}
    assert words == {"best": True, "good": True, "poor": False, "worst": False}


def test_one_method_has_no_rank(tmp_path: Path) -> None:
    chosen, store = ranked(tmp_path, {"alone": 0.1})
    assert critical_differences.draw(read(store, chosen)) is None
