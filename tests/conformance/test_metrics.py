"""What every metric of the catalog promises: adding a file to `metrics/` is enough to have it checked."""

from __future__ import annotations

import ast
import warnings
from dataclasses import fields
from inspect import getsourcefile
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evenrank.catalog import entries
from evenrank.codes import Codes
from evenrank.cutoff import Cutoff
from evenrank.metric import Metric, Spread, parse
from evenrank.occupancy import Occupancy
from evenrank.parameters import Choice, ranges
from evenrank.tally import Tally

UNBOUNDED = ("DCG", "TiedPairs")  # the others promise values from 0 to 1
BITS, LEVELS = 6, [0, 1, 2, 4]


def variants(cls: type[Metric]) -> list[Metric]:
    """Return the metric with every choice of every option at every kind of cut."""
    options: dict[str, tuple[Any, ...]] = {k: r.options for k, r, _ in ranges(cls) if isinstance(r, Choice)}
    options |= {"rel": (None, 2)} if "rel" in {f.name for f in fields(cls)} else {}
    cuts = {"none": Cutoff(), "rank": Cutoff("rank", 5), "relevant": Cutoff("relevant"), "radius": Cutoff("radius", 2)}
    made = []
    for kind, *values in product(cls.cutoffs, *options.values()):
        chosen = dict(zip(options, values, strict=True))
        if (chosen.get("divisor"), chosen.get("interpolation")) != ("retrieved", "trapezoid"):
            made.append(cls(cutoff=cuts[kind], **chosen))
    return made


CLASSES = [entry.load() for entry in entries("metrics")]
ALL = [metric for cls in CLASSES for metric in variants(cls)]
RANKED = [metric for metric in ALL if metric.reads in ("tally", "occupancy")]
TALLIED = [metric for metric in ALL if metric.reads == "tally"]


def random_tally() -> Tally:
    """Return 40 queries: many ties, some with no relevant item, one with no item at all, one without mixed groups."""
    random = np.random.default_rng(5)
    counts = random.poisson(1.2, (40, BITS + 1, len(LEVELS))) * (random.random((40, BITS + 1, len(LEVELS))) < 0.5)
    counts[3:6, :, 1:] = 0
    counts[6] = 0
    counts[7] = 0
    counts[7, np.arange(4), [2, 0, 1, 0]] = [3, 2, 1, 4]
    return Tally(counts, np.array(LEVELS), np.arange(BITS + 1))


TALLY = random_tally()


def around(tally: Tally) -> Occupancy:
    """Return an occupancy that fits the tally: every item on a code of its own as long as there are codes."""
    items = tally.counts.sum(axis=2)
    volume = np.array([1, 6, 15, 20, 15, 6, 1])
    occupied = np.minimum(items, volume)
    largest = np.where(items > 0, items - occupied + 1, 0)
    return Occupancy(BITS, occupied, largest, largest * np.log(np.maximum(largest, 1)))


def spread_of(metric: Metric, tally: Tally) -> Spread:
    """Return the spread; a warning is a failure."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return metric.spread(tally, around(tally)) if metric.reads == "occupancy" else metric.spread(tally)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_documented_with_an_example(cls: type[Metric]) -> None:
    assert cls.__doc__
    assert ">>> " in cls.__doc__
    module = ast.parse(Path(getsourcefile(cls) or "").read_text(encoding="utf-8"))
    assert ast.get_docstring(module)


def test_names_and_aliases_are_unique() -> None:
    words = [word.lower() for cls in CLASSES for word in (*cls.names, *cls.aliases)]
    assert len(words) == len(set(words))


@pytest.mark.parametrize("alias", [(alias, name) for cls in CLASSES for alias, name in cls.aliases.items()])
def test_aliases_mean_what_they_say(alias: tuple[str, str]) -> None:
    assert parse(alias[0]) == parse(alias[1])


@pytest.mark.parametrize("metric", ALL, ids=str)
def test_prints_as_it_parses(metric: Metric) -> None:
    assert parse(str(metric)) == metric
    assert {metric, parse(str(metric).upper())} == {metric}  # hashable, and in any case


@pytest.mark.parametrize("metric", ALL, ids=str)
def test_has_what_its_kind_reads(metric: Metric) -> None:
    assert hasattr(metric, "spread") == (metric.reads in ("tally", "occupancy"))
    assert hasattr(metric, "measure") == (metric.reads in ("codes", "clusters"))
    assert isinstance(metric.needs_relevant, bool)


@pytest.mark.parametrize("metric", RANKED, ids=str)
def test_shapes_order_and_range(metric: Metric) -> None:
    spread = spread_of(metric, TALLY)
    assert all(part.shape == (len(TALLY),) and part.dtype == np.float64 for part in spread)
    assert all(np.isfinite(part).all() for part in spread)
    expected, best, worst, deviation = spread
    assert (worst <= expected + 1e-12).all()
    assert (expected <= best + 1e-12).all()
    assert (deviation >= 0).all()
    assert (deviation <= (best - worst) / 2 + 1e-9).all()  # of anything between two bounds
    if metric.names[0] not in UNBOUNDED:
        assert (worst >= 0).all()
        assert (best <= 1 + 1e-12).all()


@pytest.mark.parametrize("metric", RANKED, ids=str)
def test_without_mixed_groups_nothing_is_left_to_chance(metric: Metric) -> None:
    expected, best, worst, deviation = (part[7] for part in spread_of(metric, TALLY))
    assert best == pytest.approx(expected, abs=1e-12)
    assert worst == pytest.approx(expected, abs=1e-12)
    assert deviation < 1e-12


@pytest.mark.parametrize("metric", RANKED, ids=str)
def test_queries_do_not_see_each_other(metric: Metric) -> None:
    parts = [spread_of(metric, TALLY[part]) for part in (slice(0, 1), slice(1, 17), np.arange(17, 40))]
    np.testing.assert_allclose(np.concatenate(parts, axis=1), spread_of(metric, TALLY), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("metric", TALLIED, ids=str)
def test_empty_groups_change_nothing(metric: Metric) -> None:
    wide = np.repeat(TALLY.counts, 2, axis=1)
    wide[:, 1::2] = 0
    tally = Tally(wide, TALLY.levels, np.repeat(TALLY.distances, 2))
    np.testing.assert_allclose(spread_of(metric, tally), spread_of(metric, TALLY), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("metric", [m for m in TALLIED if m.cutoff.kind != "radius"], ids=str)
def test_a_run_of_irrelevant_groups_is_as_good_as_one(metric: Metric) -> None:
    counts = TALLY.counts.copy()
    counts[:, 2:5, 1:] = 0
    merged = np.concatenate([counts[:, :2], counts[:, 2:5].sum(axis=1, keepdims=True), counts[:, 5:]], axis=1)
    whole, joined = (Tally(table, TALLY.levels, np.arange(table.shape[1])) for table in (counts, merged))
    np.testing.assert_allclose(spread_of(metric, whole), spread_of(metric, joined), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("metric", TALLIED, ids=str)
def test_no_queries_no_values(metric: Metric) -> None:
    assert all(part.shape == (0,) for part in spread_of(metric, TALLY[:0]))


def test_usage_is_from_zero_to_one() -> None:
    codes = Codes.from_bits(np.random.default_rng(0).integers(0, 2, (50, 5)))
    for metric in ALL:
        if metric.reads == "codes":
            assert all(0 <= value <= 1 for value in metric.measure(codes).values())
