"""Lines over widths, with the interval over repeats."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import t

from evenrank.report.contents import Contents, read
from evenrank.report.figures import metric_by_bits
from tests.report.figures.stored import SEARCHED, Final
from tests.report.stores import ranked


def test_lines_and_bands_are_means_and_students_intervals(contents: Contents, final: Final) -> None:
    figure = metric_by_bits.draw(contents)
    assert [panel.title for panel in figure.panels] == ["AP", "P@10", "LGAP@2"]
    for panel in figure.panels:
        assert sorted(line.name for line in panel.series) == ["Chance", "ITQ", "LSH"]  # the trivial one has no width
        for line in panel.series:
            assert list(line.x) == [8, 16]
            for place, width in enumerate(line.x):
                values = np.array([row["metrics"][SEARCHED][panel.title] for row in final(line.name, width)])
                half = t.ppf(0.975, 2) * values.std(ddof=1) / np.sqrt(3)
                assert line.y[place] == pytest.approx(values.mean())
                assert line.low[place] == pytest.approx(values.mean() - half)
                assert line.high[place] == pytest.approx(values.mean() + half)


def test_one_width_is_no_line(tmp_path: Path) -> None:
    chosen, store = ranked(tmp_path, {"a": 0.5, "b": 0.4})
    assert metric_by_bits.draw(read(store, chosen)) is None
