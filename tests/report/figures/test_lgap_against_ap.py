"""A point a method: its mean AP and its mean LGAP."""

from evenrank.report.contents import Contents
from evenrank.report.figures import lgap_against_ap
from tests.report.figures.stored import SEARCHED, Final, mean


def test_points_are_means_over_repeats(contents: Contents, final: Final) -> None:
    figure = lgap_against_ap.draw(contents)
    for panel, width in zip(figure.panels, (8, 16), strict=True):
        assert panel.title == f"{width} bits"
        assert len(panel.series) == 4
        for point in panel.series:
            rows = final(point.name, width)
            assert point.x == [mean(row["metrics"][SEARCHED]["AP"] for row in rows)]
            assert point.y == [mean(row["metrics"][SEARCHED]["LGAP@2"] for row in rows)]
