"""Curves are those that the first repeat left: CMC, precision-recall, precision at k, true positives, use of codes."""

from types import ModuleType

import numpy as np
import pytest

from evenrank.report.contents import Contents
from evenrank.report.figure import Line
from evenrank.report.figures import cmc, code_usage, precision_at_k, precision_recall, true_positives_by_distance
from tests.report.figures.stored import NAMES, SEARCHED, Final

CURVES = {"CMC": cmc, "precision-recall": precision_recall, "precision": precision_at_k}


def lines(module: ModuleType, contents: Contents) -> list[tuple[int, Line]]:
    """Return every line with its width."""
    figure = module.draw(contents)
    assert [panel.title for panel in figure.panels] == ["8 bits", "16 bits"]
    return [(int(panel.title.split()[0]), line) for panel in figure.panels for line in panel.series]


@pytest.mark.parametrize("name", CURVES)
def test_curves_are_those_of_the_first_repeat(name: str, contents: Contents, final: Final) -> None:
    found = lines(CURVES[name], contents)
    assert sorted(line.name for _, line in found) == sorted([*NAMES] * 2)
    for width, line in found:
        curve = final(line.name, width)[0]["exhibits"]["curves"][SEARCHED][name]
        assert (line.x, line.y) == (curve["x"], curve["y"])


def test_true_positives_lie_at_their_distances(contents: Contents, final: Final) -> None:
    found = lines(true_positives_by_distance, contents)
    assert len(found) == 8
    for width, line in found:
        hits = final(line.name, width)[0]["exhibits"]["hits"][SEARCHED]
        assert (line.x, line.y) == (hits["distance"], hits["relevant"])


def test_steps_of_use_are_the_counts_of_codes(contents: Contents, final: Final) -> None:
    found = [(width, line) for width, line in lines(code_usage, contents) if line.name in NAMES]
    assert len(found) == 8
    for width, line in found:
        counts = final(line.name, width)[0]["exhibits"]["usage"][SEARCHED]["counts"]
        places = np.searchsorted(line.x, np.arange(1, len(counts) + 1), side="right") - 1
        assert np.asarray(line.y)[places].tolist() == counts
        assert line.steps


def test_the_most_even_use_is_drawn_beside(contents: Contents, final: Final) -> None:
    for width, line in lines(code_usage, contents):
        if line.name not in NAMES:
            usage = final("LSH", width)[0]["exhibits"]["usage"][SEARCHED]
            assert list(line.y) == [max(1, usage["items"] / 2**width)] * 2
            assert list(line.x) == [1, min(usage["items"], 2**width)]
            return
    pytest.fail("no line of even use")
