"""Significance letters: known cases, and what letters mean on every pattern of differences."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from evenrank.significance.letters import letters


@pytest.mark.parametrize(
    ("count", "different", "wanted"),
    [
        (1, [], ["a"]),
        (3, [], ["a", "a", "a"]),
        (2, [(0, 1)], ["a", "b"]),
        (3, [(0, 1), (0, 2), (1, 2)], ["a", "b", "c"]),
        (3, [(0, 2)], ["a", "ab", "b"]),  # not transitive
        (3, [(2, 0)], ["a", "ab", "b"]),
        (3, [(1, 2)], ["ab", "a", "b"]),
        (4, [(0, 2), (0, 3), (1, 3)], ["a", "ab", "bc", "c"]),  # a chain
        (4, [(0, 3), (1, 2)], ["ab", "ac", "bd", "cd"]),  # a square: four letters for four methods
        (5, [(0, 3), (0, 4), (1, 3), (1, 4), (2, 4)], ["a", "a", "ab", "bc", "c"]),
    ],
)
def test_known_cases(count: int, different: list[tuple[int, int]], wanted: list[str]) -> None:
    assert letters(count, different) == wanted


@pytest.mark.parametrize("seed", range(60))
def test_two_share_a_letter_exactly_if_they_do_not_differ_and_no_group_could_be_larger(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 8))
    pairs = list(combinations(range(count), 2))
    different = {pair for pair in pairs if random.random() < random.choice([0.2, 0.5, 0.8])}
    found = letters(count, different)
    for a, b in pairs:
        assert bool(set(found[a]) & set(found[b])) == ((a, b) not in different)
    groups = {frozenset(one for one in range(count) if letter in found[one]) for letter in set("".join(found))}
    assert groups == largest(count, different)


def largest(count: int, different: set[tuple[int, int]]) -> set[frozenset[int]]:
    """Return all sets of methods that do not differ from one another, less those inside another."""
    sets = [set(some) for size in range(1, count + 1) for some in combinations(range(count), size)]
    alike = [some for some in sets if not any(some >= set(pair) for pair in different)]
    return {frozenset(some) for some in alike if not any(some < other for other in alike)}


def test_many_groups_have_names_that_differ() -> None:
    halves = [(2 * half, 2 * half + 1) for half in range(6)]  # 2⁶ groups
    found = letters(12, halves)
    assert found[0][:2] == "ab"
    assert found[-1].endswith("(64)")
