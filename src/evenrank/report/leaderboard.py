"""The rows of the leaderboard: every number with its interval and tie range, and who cannot be told from whom.

Methods are compared with those of the same width that searched the same; a method without a width is compared at every
width. Whether two differ is Student's t over queries and repeats, corrected (Holm) for all pairs of the group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evenrank.benchmark.plan import Plan, entry
from evenrank.catalog import entries
from evenrank.report.contents import Contents
from evenrank.report.study import CONFIDENCE, Study, average, sortable
from evenrank.significance.every_pair import every_pair, pairs_of
from evenrank.significance.letters import letters

LETTERED = 30  # methods of a group that letters are still readable for
CONTROLS = {"chance": "Chance", "trivial": "Trivial solution"}


class Cell(NamedTuple):
    """One number: mean over repeats, half of Student's interval, the means over repeats of the tie range.

    The interval is over queries and repeats; `half` is NaN where neither varies. `standing` may hold "best" and "near"
    (within noise of the best), each with the widths at which it is so: "" for all that the method is compared at.
    """

    mean: float
    half: float
    worst: float
    best: float
    standing: Mapping[str, str]


@dataclass(frozen=True)
class Row:
    """One method at one width. `letters` and `standing` are told width by width for a method that has none."""

    study: Study
    cells: dict[str, Cell]  # by metric
    letters: str
    overlaps: tuple[str, ...]  # methods that some tie order would put on the other side
    utilisation: float
    entropy: float
    collisions: float
    undecided: float
    fit: float  # seconds
    encode: float  # seconds an item
    size: float  # bytes an item


class Absent(NamedTuple):
    """A control that has no number, and why."""

    label: str
    kind: str
    why: str


class Board(NamedTuple):
    """The rows, best first by `metric`; `lettered` is False where groups are too large for letters."""

    metric: str
    rows: list[Row]
    absent: list[Absent]
    lettered: bool


Group = list[Study]


def board(contents: Contents, metric: str = "") -> Board:
    """Return the leaderboard by a metric of the plan, its first if none is named."""
    by = metric or contents.plan.metrics[0]
    if by not in contents.plan.metrics:
        raise ValueError(f"metric must be one of the plan's, {', '.join(contents.plan.metrics)}; got {by!r}")
    verdicts = _Verdicts()
    groups = [*_groups(contents.studies)]
    for group in groups:
        verdicts.judge(group, contents.plan.metrics, by)
    rows = [_row(study, contents.plan.metrics, verdicts) for study in contents.studies]
    rows.sort(key=lambda row: (contents.searched.index(row.study.searched), -sortable(row.cells[by].mean)))
    return Board(by, rows, [*_absent(contents)], all(len(group) <= LETTERED for group in groups))


def _groups(studies: Sequence[Study]) -> Iterator[Group]:
    """Yield the studies that are compared: one thing searched, one width, and those without a width."""
    for searched in dict.fromkeys(study.searched for study in studies):
        mine = [study for study in studies if study.searched == searched]
        widths: list[int | None] = [*sorted({study.width for study in mine if study.width})]
        for width in widths or [None]:
            yield [study for study in mine if study.width in (width, None)]


class _Verdicts:
    """What comparing found: letters and standing of each study, width by width, and its overlaps."""

    def __init__(self) -> None:
        self.letters: dict[Study, dict[int | None, str]] = {}
        self.overlaps: dict[Study, dict[str, None]] = {}
        self.standings: dict[tuple[Study, str], dict[int | None, str]] = {}

    def judge(self, group: Group, metrics: Iterable[str], by: str) -> None:
        """Compare a group by every metric; letters and overlaps are told by one."""
        width = next((study.width for study in group if study.width), None)
        for metric in metrics:
            ordered = sorted(group, key=lambda study: -sortable(study.values[metric].mean()))
            p = _equal(ordered, metric)
            for place, study in enumerate(ordered):
                told = np.isfinite(study.values[metric].mean()) and len(group) > 1 and p[0, place] > 1 - CONFIDENCE
                mark = ("near" if place else "best") if told else ""
                self.standings.setdefault((study, metric), {})[width] = mark
            if metric == by and 1 < len(group) <= LETTERED:
                self._letter(ordered, p, width)
        self._overlap(group, by)

    def _letter(self, ordered: Group, p: np.ndarray, width: int | None) -> None:
        apart = np.argwhere(np.triu(p <= 1 - CONFIDENCE, 1)).tolist()
        for study, found in zip(ordered, letters(len(ordered), [(i, j) for i, j in apart]), strict=True):
            self.letters.setdefault(study, {})[width] = found

    def _overlap(self, group: Group, by: str) -> None:
        """Note whose tie ranges overlap: some order of tied items ranks the two the other way round."""
        ranges = [_tie_range(study, by) for study in group]
        worst, best = np.array([r[0] for r in ranges]), np.array([r[1] for r in ranges])
        crossed = (worst[:, None] < best) & (worst < best[:, None])
        np.fill_diagonal(crossed, False)
        for study, mine in zip(group, crossed, strict=True):
            said = self.overlaps.setdefault(study, {})
            for place in np.flatnonzero(mine):
                other = group[place]
                said[other.label if study.width or not other.width else f"{other.label} ({other.width})"] = None

    def lettered(self, study: Study) -> str:
        """Return the letters of a study; of one without a width they may differ from width to width."""
        found = self.letters.get(study, {})
        if len({*found.values()}) < 2:
            return next(iter(found.values()), "")
        return " ".join(f"{letter} ({width})" for width, letter in found.items())

    def standing(self, study: Study, metric: str) -> dict[str, str]:
        """Return the standing of a study by a metric, as a cell holds it."""
        found = self.standings[study, metric]
        if len({*found.values()}) == 1:
            return {mark: "" for mark in found.values() if mark}
        where = {mark: [str(width) for width, each in found.items() if each == mark] for mark in ("best", "near")}
        return {mark: ", ".join(widths) for mark, widths in where.items() if widths}


def _equal(ordered: Group, metric: str) -> np.ndarray:
    """Return the corrected p of every pair; methods without values of single queries are known by their repeats."""
    if len(ordered) == 1:
        return np.ones((1, 1))
    queries = [study.per_query(metric) for study in ordered]
    if len({each.shape[1] for each in queries}) == 1 and queries[0].shape[1] > 1:
        return every_pair(queries)
    return pairs_of([study.values[metric] for study in ordered])


def _row(study: Study, metrics: Iterable[str], verdicts: _Verdicts) -> Row:
    return Row(
        study,
        {name: _cell(study, name, verdicts.standing(study, name)) for name in metrics},
        verdicts.lettered(study),
        tuple(verdicts.overlaps.get(study, {})),
        utilisation=average(study.codes.get("utilisation")),
        entropy=average(study.codes.get("entropy")),
        collisions=average(study.codes.get("collisions")),
        undecided=average(study.undecided),
        fit=average(study.costs.get("fit")),
        encode=average(study.costs.get("encode")),
        size=average(study.costs.get("bytes")),
    )


def _cell(study: Study, metric: str, standing: Mapping[str, str]) -> Cell:
    return Cell(float(study.values[metric].mean()), study.half_width(metric), *_tie_range(study, metric), standing)


def _tie_range(study: Study, metric: str) -> tuple[float, float]:
    """Return the means over repeats of the worst and of the best tie order; NaN if they are not stored."""
    ties = study.ties.get(metric, {})
    return average(ties.get("worst")), average(ties.get("best"))


def _absent(contents: Contents) -> Iterator[Absent]:
    """Yield the controls that have no row: a comparison is read against them, so that they lack is said."""
    plan = contents.plan
    kinds = dict.fromkeys(entry(each).name.split("/")[0] for each in plan.methods)
    done = {study.name for study in contents.studies}
    for kind in kinds:
        for name, label in CONTROLS.items():
            if not any(each.startswith(f"{kind}/") and each.endswith(name) for each in done):
                yield Absent(label, kind, _why(plan, kind, name))


def _why(plan: Plan, kind: str, name: str) -> str:
    known = [each.name for each in entries("methods")]
    if f"{kind}/{name}" not in known:
        return f"there is none among {kind} methods"
    if any(entry(each).name == f"{kind}/{name}" for each in plan.methods):
        return "no run has finished yet"
    return f"not run: {kind}/{name} is not in the plan"
