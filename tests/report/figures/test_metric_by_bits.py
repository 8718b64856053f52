"""Lines over widths, with the interval over queries and repeats."""

from pathlib import Path

import numpy as np
import pytest

from evenrank.report.contents import Contents, read
from evenrank.report.figures import metric_by_bits
from tests.report.figures.stored import SEARCHED, Final
from tests.report.stores import Stored, half_width, per_query, ranked


def test_lines_and_bands_are_means_and_students_intervals(contents: Contents, stored: Stored, final: Final) -> None:
    queries = per_query(stored[2] / "store.sqlite")
    figure = metric_by_bits.draw(contents)
    assert [panel.title for panel in figure.panels] == ["AP", "P@10", "LGAP@2"]
    for panel in figure.panels:
        assert sorted(line.name for line in panel.series) == ["Chance", "ITQ", "LSH"]  # the trivial one has no width
        for line in panel.series:
            assert list(line.x) == [8, 16]
            for place, width in enumerate(line.x):
                rows = final(line.name, width)
                mean = np.mean([row["metrics"][SEARCHED][panel.title] for row in rows])
                half = half_width([queries[row["key"], f"{SEARCHED}: {panel.title}"] for row in rows])
                assert line.y[place] == pytest.approx(mean)
                assert line.low[place] == pytest.approx(mean - half)
                assert line.high[place] == pytest.approx(mean + half)


def test_one_width_is_no_line(tmp_path: Path) -> None:
    chosen, store = ranked(tmp_path, {"a": 0.5, "b": 0.4})
    assert metric_by_bits.draw(read(store, chosen)) is None
