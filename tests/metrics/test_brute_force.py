"""Every metric with every option against its definition on every order of tied items."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenrank.catalog import entries
from evenrank.cutoff import Cutoff
from evenrank.metric import Metric
from evenrank.parameters import Choice, ranges
from tests import brute_force


def variants(name: str, rank: int, radius: int) -> list[Metric]:
    """Return a metric in all its options, at every kind of cut; combinations it refuses are left out."""
    cls = next(entry for entry in entries("metrics") if entry.name == name).load()
    options = {key: allowed.options for key, allowed, _ in ranges(cls) if isinstance(allowed, Choice)}
    if hasattr(cls, "rel"):
        options["rel"] = (None, 2)
    cuts = {"none": 0, "rank": rank, "relevant": 0, "radius": radius}
    found = []
    for kind, *values in product(cls.cutoffs, *options.values()):
        given_options = dict(zip(options, values, strict=True))
        if given_options.get("divisor") != "retrieved" or given_options["interpolation"] == "step":
            found.append(cls(cutoff=Cutoff(kind, cuts[kind]), **given_options))
    return found


TALLIED = [entry.name for entry in entries("metrics") if entry.constants.get("reads", "tally") == "tally"]
group = st.lists(st.sampled_from([0, 0, 1, 2, 4]), max_size=5)
query = st.lists(group, min_size=1, max_size=5).filter(lambda groups: 1 <= sum(map(len, groups)) <= 8)


@pytest.mark.parametrize("name", TALLIED)
@settings(max_examples=300, derandomize=True, deadline=None)
@given(st.lists(query, min_size=2, max_size=4), st.integers(1, 9), st.integers(0, 4))
def test_spread_is_that_of_all_tie_orders(name: str, queries: list, rank: int, radius: int) -> None:
    levels = [0, 1, 2, 4]
    tally = brute_force.tally_of(queries, levels)
    for metric in variants(name, rank, radius):
        got = metric.spread(tally)
        for number, groups in enumerate(queries):
            wanted = brute_force.spread(metric, groups, levels)
            found = [float(part[number]) for part in got]
            np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-10, err_msg=f"{metric} {groups}")
