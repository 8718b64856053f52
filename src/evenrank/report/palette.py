"""Colours and marks of series: the same for a method in every figure, and told apart without colour too.

The seven colours are those of Okabe and Ito (2008), made for colour-blind readers, without yellow, which is lost on
white; on dark ground their lighter shades. A slot is a place in a plan: after seven, marks and dashes change.
"""

from __future__ import annotations

from typing import NamedTuple

LIGHT = ("#0072b2", "#d55e00", "#009e73", "#b5568f", "#e69f00", "#3a9bd9", "#7a4b2a")
DARK = ("#4aa8e8", "#f58a42", "#2fc79a", "#e39bc6", "#f2bc4b", "#93d2f7", "#c99a78")
MUTED_LIGHT, MUTED_DARK = "#767676", "#a3a3a3"
MARKS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "star")
DASHES = ("solid", "dash", "dashdot", "dot")
MUTED = (("x", "dot"), ("pentagon", "dash"), ("circle", "dashdot"))  # mark and dash of what methods are compared with


class Look(NamedTuple):
    """How a slot looks: the number of its colour (None: muted), its mark and its dash."""

    colour: int | None
    mark: str
    dash: str


def look(slot: int) -> Look:
    """Return how a slot looks; 28 of them differ with lines, 49 with marks.

    >>> look(8)
    Look(colour=1, mark='diamond', dash='dash')
    """
    if slot < 0:
        return Look(None, *MUTED[min(-slot, len(MUTED)) - 1])
    turn = slot // len(LIGHT)
    return Look(slot % len(LIGHT), MARKS[(slot + turn) % len(MARKS)], DASHES[turn % len(DASHES)])
