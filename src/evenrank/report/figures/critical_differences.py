"""Average ranks of methods over queries, and which of them do not differ (Demšar 2006)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from evenrank.report.contents import Contents
from evenrank.report.figure import Axis, Figure, Line, Panel, Points, Series, Texts
from evenrank.report.panels import Group, groups, judge, slots, source
from evenrank.report.study import Study
from evenrank.significance.ranks import Ranks, average_ranks

TITLE = "Critical differences"
ORDER = 35
NEEDS = "two methods with values of the same queries"

SHOWN = 20  # methods whose names have room
INK = -1


def draw(contents: Contents) -> Figure | None:
    """Return the diagram of each thing searched at each width."""
    shown = [study for study in contents.studies if len(study.repeats)]
    panels = tuple(panel for group in groups(contents, shown, SHOWN) for panel in _panel(contents, group))
    caption = (
        "Average rank of each method over queries (1: the best), values being means over repeats. Methods that a bar joins "
        "do not differ by more than the critical difference of Nemenyi's test at 95 %."
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
    ranks = average_ranks(blocks)
    order = np.argsort(ranks.average, kind="stable")
    ordered = [group.studies[place] for place in order]
    series = (*_stems(contents, ordered, ranks.average[order]), *_joined(ranks.average[order], ranks.critical))
    note = (
        f"{metric} of {len(blocks):,} queries; critical difference {ranks.critical:.3f}, Friedman's p {_p(ranks)}. {group.note}"
    )
    yield Panel(group.title, _axis(len(ordered)), Axis("", bare=True), series, note.strip())


def _axis(count: int) -> Axis:
    """Return the axis of ranks, with room for names on both sides."""
    room = 0.45 * (count - 1)
    return Axis("average rank", low=1 - room, high=count + room, ticks=tuple(range(1, count + 1)))


def _stems(contents: Contents, ordered: Sequence[Study], ranks: np.ndarray) -> Iterator[Series]:
    """Yield a mark on the axis for each method, and a line to its name: the better half left, the others right."""
    place, count = slots(contents), len(ordered)
    half = (count + 1) // 2
    for number, (study, rank) in enumerate(zip(ordered, ranks.tolist(), strict=True)):
        left = number < half
        depth = -1.0 - (number if left else count - 1 - number)
        end = 1 - 0.05 * (count - 1) if left else count + 0.05 * (count - 1)
        yield Line("", [rank, rank, end], [0.0, depth, depth], place[study.method])
        yield Points("", [rank], [0.0], place[study.method], (f"{study.label}: {rank:.3f}",))
        yield Texts([end], [depth], (f"{study.label}  {rank:.2f}",), left=left)


def _joined(ranks: np.ndarray, critical: float) -> Iterator[Line]:
    """Yield a bar over every largest run of methods that lie within the critical difference."""
    reach, level = -1, 0
    for first, rank in enumerate(ranks):
        last = int(np.searchsorted(ranks, rank + critical, side="right")) - 1
        if last > first and last > reach:
            level += 1
            yield Line("", [rank, ranks[last]], [-0.25 * level] * 2, INK, thick=True)
            reach = last


def _p(ranks: Ranks) -> str:
    return "below 0.0001" if ranks.p < 0.0001 else f"{ranks.p:.4f}"
