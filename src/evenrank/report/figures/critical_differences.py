"""Average ranks of methods over queries, and which of them do not differ (Demšar 2006)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from evenrank.report.contents import Contents
from evenrank.report.figure import MUTED, Axis, Figure, Line, Panel, Points, Series, Texts
from evenrank.report.panels import Group, groups, judge, slots, source
from evenrank.report.study import Study
from evenrank.significance.ranks import Ranks, average_ranks

TITLE = "Critical differences"
ORDER = 35
NEEDS = "two methods with values of the same queries"

SHOWN = 20  # methods whose names have room
STEP = 0.3  # between bars, where 1 is between names


def draw(contents: Contents) -> Figure | None:
    """Return the diagram of each thing searched at each width."""
    shown = [study for study in contents.studies if len(study.repeats)]
    panels = tuple(panel for group in groups(contents, shown, SHOWN) for panel in _panel(contents, group))
    caption = (
        "Average rank of each method over queries (1: the best), values being means over repeats. Methods that a "
        "bar joins do not differ by more than the critical difference of Nemenyi's test at 95 %."
    )
    return Figure(TITLE, panels, caption, source(contents)) if panels else None


def _panel(contents: Contents, group: Group) -> Iterator[Panel]:
    metric = judge(contents, group.studies)
    if len(group.studies) < 2:
        return
    values = [study.per_query(metric).mean(axis=0) for study in group.studies]
    if len({len(each) for each in values}) > 1:
        return
    blocks = np.stack(values, axis=1)
    blocks = blocks[~np.isnan(blocks).any(axis=1)]
    if len(blocks) < 2:
        return
    yield _diagram(contents, group, metric, blocks)


def _diagram(contents: Contents, group: Group, metric: str, blocks: np.ndarray) -> Panel:
    """Return the diagram of values (queries, methods)."""
    found = average_ranks(blocks)
    order = np.argsort(found.average, kind="stable")
    ranks, ordered = found.average[order], [group.studies[place] for place in order]
    bars = list(_bars(ranks, found.critical))
    room = _room(ordered)
    series = (*_stems(contents, ordered, ranks, base=STEP * (len(bars) + 1)), *bars)
    note = (
        f"{metric} of {len(blocks):,} queries; critical difference {found.critical:.3f}, Friedman's p {_p(found)}. "
        f"{group.note}"
    )
    count = len(ordered)
    top = STEP * (len(bars) + 1) + (count + 1) // 2 - 0.5
    axis = Axis("average rank", low=1 - room, high=count + room, ticks=tuple(range(1, count + 1)))
    return Panel(group.title, axis, Axis("", bare=True, low=-STEP, high=top), series, note.strip())


def _room(ordered: Sequence[Study]) -> float:
    """Return how far the axis goes beyond its ends, for the longest name."""
    share = min(0.34, 0.05 + 0.014 * max(len(study.label) for study in ordered))
    return share * (len(ordered) - 1) / (1 - 2 * share)


def _stems(contents: Contents, ordered: Sequence[Study], ranks: np.ndarray, base: float) -> Iterator[Series]:
    """Yield a mark for each method, and a line up to its name: the better half's to the left, the others' to the right.

    Outer lines are the shorter ones, so that no name meets a line.
    """
    place, count = slots(contents), len(ordered)
    for number, (study, rank) in enumerate(zip(ordered, ranks.tolist(), strict=True)):
        left = number < (count + 1) // 2
        height = base + (number if left else count - 1 - number)
        yield Line("", [rank, rank], [0.0, height], place[study.method])
        yield Points("", [rank], [0.0], place[study.method], (f"{study.label}: {rank:.3f}",))
        yield Texts([rank], [height], (f"{study.label} {rank:.2f}",), left=left)


def _bars(ranks: np.ndarray, critical: float) -> Iterator[Line]:
    """Yield a bar over every largest run of methods that lie within the critical difference."""
    reach, level = -1, 0
    for first, rank in enumerate(ranks):
        last = int(np.searchsorted(ranks, rank + critical, side="right")) - 1
        if last > first and last > reach:
            level += 1
            yield Line("", [rank, ranks[last]], [STEP * level] * 2, MUTED, thick=True)
            reach = last


def _p(ranks: Ranks) -> str:
    return "below 0.0001" if ranks.p < 0.0001 else f"{ranks.p:.4f}"
