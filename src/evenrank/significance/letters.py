"""Significance letters: methods that share a letter do not differ, methods that share none do."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_letters


def letters(count: int, different: Iterable[tuple[int, int]]) -> list[str]:
    """Return the letters of `count` methods, of which these pairs differ (insert and absorb, Piepho 2004).

    One group holds all methods at first. A pair that differs splits every group that holds both of them, and a group
    that lies inside another is dropped. Groups are lettered by their first methods, so order the methods best first.
    "Does not differ" is not transitive: a method between two that differ has both of their letters.

    >>> letters(3, [(0, 2)])
    ['a', 'ab', 'b']
    """
    groups = [frozenset(range(count))]
    for pair in different:
        together = [group for group in groups if group.issuperset(pair)]
        apart = [group - {one} for group in together for one in pair]
        groups = _absorbed([group for group in groups if group not in together] + apart)
    ordered = sorted(groups, key=sorted)
    return ["".join(_letter(place) for place, group in enumerate(ordered) if one in group) for one in range(count)]


def _absorbed(groups: list[frozenset[int]]) -> list[frozenset[int]]:
    """Return the groups that lie inside no other."""
    return [group for group in set(groups) if not any(group < other for other in groups)]


def _letter(place: int) -> str:
    return ascii_letters[place] if place < len(ascii_letters) else f"({place + 1})"
