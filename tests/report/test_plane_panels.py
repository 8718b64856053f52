"""What is laid out in the plane is drawn as it is stored, a series a class."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from evenrank.benchmark.plan import Plan
from evenrank.report.figures import projection, tsne
from evenrank.report.study import Study

NAMES = {"projection": projection, "tsne": tsne}


def contents(*studies: Study) -> Any:
    """Return as much of a report's contents as these figures read."""
    plan = {"title": "Digits", "dataset": "digits", "protocol": "hold_out", "metrics": ["AP"]}
    return SimpleNamespace(
        title="Digits", studies=studies, plan=Plan.model_validate({**plan, "methods": [{"name": "hashing/itq"}]})
    )


def study(exhibit: str, labels: list[str], width: int = 8) -> Study:
    """Return a study whose database lies on a line."""
    places = [float(place) for place in range(len(labels))]
    return Study(
        method="hashing/itq",
        label="ITQ",
        name="hashing/itq",
        kind="hashing",
        width=width,
        searched="test",
        repeats=(0,),
        values={"AP": np.array([width / 100])},
        parameters={},
        fixed={},
        seconds=np.array([1.0]),
        exhibits={exhibit: {"x": places, "y": places, "label": labels}},
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_item_is_a_point_of_its_class(name: str) -> None:
    labels = ["ant", "bee", "ant", ""]
    figure = NAMES[name].draw(contents(study(name, labels)))
    [panel] = figure.panels
    found = {series.name: list(series.x) for series in panel.series}
    assert found == {"ant": [0.0, 2.0], "bee": [1.0], "other classes": [3.0]}


@pytest.mark.parametrize("name", NAMES)
def test_of_many_studies_the_best_are_drawn_and_the_caption_says_so(name: str) -> None:
    many = [study(name, ["ant", "bee"], width) for width in range(1, 21)]
    figure = NAMES[name].draw(contents(*many))
    assert len(figure.panels) == 12
    assert "20" in figure.panels[-1].title
    assert "8 more are not shown" in figure.caption


@pytest.mark.parametrize("name", NAMES)
def test_a_run_without_it_has_no_figure(name: str) -> None:
    other = replace(study(name, ["ant"]), exhibits={})
    assert NAMES[name].draw(contents(other)) is None
