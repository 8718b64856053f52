"""Points of cost and quality, and the front that nobody beats in both."""

import pytest

from evenrank.report.contents import Contents
from evenrank.report.figures import cost_against_quality
from tests.report.figures.stored import NAMES, SEARCHED, Final, mean

SCALE = {"time to fit": ("fit", 1.0), "time to encode": ("encode", 1e6), "size": ("bytes", 1.0)}


def test_points_are_means_over_repeats(contents: Contents, final: Final) -> None:
    figure = cost_against_quality.draw(contents)
    assert [panel.title for panel in figure.panels] == list(SCALE)
    for panel in figure.panels:
        cost, scale = SCALE[panel.title]
        points = [series for series in panel.series if series.name in NAMES]
        assert len(points) == 4
        for series in points:
            widths = [int(text.split()[-2]) if "bits" in text else 0 for text in series.texts]
            assert sorted(widths) == ([0] if series.name == "Trivial solution" else [8, 16])
            for x, y, width in zip(series.x, series.y, widths, strict=True):
                rows = final(series.name, width)
                assert x == pytest.approx(scale * mean(row["exhibits"]["costs"][cost] for row in rows))
                assert y == pytest.approx(mean(row["metrics"][SEARCHED]["AP"] for row in rows))


def test_the_front_holds_whoever_is_not_beaten(contents: Contents) -> None:
    for panel in cost_against_quality.draw(contents).panels:
        points = {p for s in panel.series if s.name in NAMES for p in zip(s.x, s.y, strict=True)}
        best = {
            (x, y)
            for x, y in points
            if not any((cost <= x and value >= y) and (cost, value) != (x, y) for cost, value in points)
        }
        [front] = [series for series in panel.series if series.name == "Pareto front"]
        assert set(zip(front.x, front.y, strict=True)) == best
