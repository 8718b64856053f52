"""Tie ranges are those of the store."""

import numpy as np

from evenrank.report.contents import Contents
from evenrank.report.figures import tie_ranges
from tests.report.figures.stored import SEARCHED, Final, mean


def test_ranges_are_the_means_over_repeats(contents: Contents, final: Final) -> None:
    figure = tie_ranges.draw(contents)
    assert [panel.title for panel in figure.panels] == [
        f"{metric}, {width} bits" for metric in ("AP", "P@10", "LGAP@2") for width in (8, 16)
    ]
    for panel in figure.panels:
        metric, width = panel.title.split(", ")
        assert set(panel.y.rows) == {"Chance", "LSH", "ITQ", "Trivial solution"}
        for series in panel.series:
            rows = final(series.name, int(width.split()[0]))
            ties = [row["exhibits"]["ties"][SEARCHED][metric] for row in rows]
            assert series.middle == [mean(row["metrics"][SEARCHED][metric] for row in rows)]
            assert series.low == [mean(each["worst"] for each in ties)]
            assert series.high == [mean(each["best"] for each in ties)]
            assert series.rows == (series.name,)
        assert np.all(np.diff([series.middle[0] for series in panel.series]) <= 0)
