"""What papers print against what this run finds: by year, and as improvement over a baseline (paper 5, Figs. 2 and 3).

Printed numbers come from the user's table of claims alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isnan

from evenrank.metric import parse
from evenrank.report.claims import Claim
from evenrank.report.contents import Contents
from evenrank.report.figure import MUTED, Axis, Bars, Figure, Panel, Points
from evenrank.report.panels import ROWS, Group, groups, source
from evenrank.report.study import Study, average

TITLE = "Papers against reality"
ORDER = 120
NEEDS = "a table of claims (--claims)"

Values = dict[str, float]  # of this run, by any name of a method
Improvement = tuple[str, float, float]  # method, printed and found, in percent; NaN: not found


def draw(contents: Contents) -> Figure | None:
    """Return printed values beside this run's, by year, and both as improvements over the baseline that was printed."""
    claims = _shares(contents.claims)
    metrics = dict.fromkeys(claim.metric for claim in claims)
    panels = tuple(
        panel
        for metric in metrics
        for group in _groups(contents, _own(contents, metric))
        for panel in _panels([claim for claim in claims if claim.metric == metric], group, _own(contents, metric))
    )
    papers = len({claim.paper for claim in claims})
    caption = (
        f"Grey: {len(claims)} values as {papers} paper{'s' * (papers > 1)} printed them, on whatever data and "
        "network each had; colour: this run, mean over repeats. Improvement: value over the baseline, less one; a "
        "method with several claims has their mean."
    )
    return Figure(TITLE, panels, caption, source(contents)) if panels else None


def _shares(claims: Sequence[Claim]) -> list[Claim]:
    """Return claims as shares; if any number of a table is above 1, all are percentages."""
    from dataclasses import replace

    scale = 100 if any(max(claim.claimed, claim.baseline) > 1 for claim in claims) else 1
    return [replace(claim, claimed=claim.claimed / scale, baseline=claim.baseline / scale) for claim in claims]


def _groups(contents: Contents, metric: str) -> list[Group]:
    """Return the studies that have a metric, by what was searched and width; one empty group if there are none."""
    shown = [study for study in contents.studies if metric in study.values]
    return groups(contents, shown, len(shown)) or [Group("", [], 0)]


def _own(contents: Contents, metric: str) -> str:
    """Return what the plan calls a metric; its first if the claims do not say which they are of, "" if it has none."""
    if not metric:
        return contents.plan.metrics[0]
    return next((name for name in contents.plan.metrics if _same(name, metric)), "")


def _same(name: str, written: str) -> bool:
    try:
        return str(parse(name)) == str(parse(written))
    except ValueError:
        return False


def _panels(claims: list[Claim], group: Group, metric: str) -> Iterator[Panel]:
    found = dict(_found(group.studies, metric))
    of = ", ".join(filter(None, (claims[0].metric or metric, group.title)))
    yield _by_year(f"{of}, by year", claims, found, claims[0].metric or metric)
    improved = [each for each in _improvements(claims, found) if not isnan(each[1])]
    if improved:
        yield _improvement(f"{of}, improvement", improved)


def _by_year(title: str, claims: list[Claim], found: Values, metric: str) -> Panel:
    printed = [f"{claim.method}: {claim.paper}, {claim.source}" for claim in claims]
    years, values = [claim.year for claim in claims], [claim.claimed for claim in claims]
    mine = {_key(claim.method): claim for claim in claims if _key(claim.method) in found}
    own = [Points("this run", [c.year for c in mine.values()], [found[key] for key in mine], 0, _names(mine))] * bool(
        mine
    )
    span = max(years) - min(years)
    ticks = tuple(range(min(years), max(years) + 1, -(-span // 8) or 1))
    series = (Points("printed", years, values, MUTED, tuple(printed)), *own)
    return Panel(title, Axis("year", ticks=ticks), Axis(metric), series)


def _names(mine: dict[str, Claim]) -> tuple[str, ...]:
    return tuple(claim.method for claim in mine.values())


def _improvement(title: str, improved: list[Improvement]) -> Panel:
    """Return a pair of bars a method, and of many methods their means at the end."""
    shown = sorted(improved, key=lambda each: -each[1])[:ROWS]
    both = [each for each in improved if not isnan(each[2])]
    if len(both) > 1:
        printed, own = (sum(values) / len(both) for values in list(zip(*both, strict=True))[1:])
        shown.append((f"mean of the {len(both)} in this run", printed, own))
    measured = [each for each in shown if not isnan(each[2])]
    series = [Bars("printed", tuple(row for row, *_ in shown), [value for _, value, _ in shown], MUTED)]
    if measured:
        series.append(Bars("this run", tuple(row for row, *_ in measured), [value for *_, value in measured], 0))
    rows = tuple(row for row, *_ in shown)
    return Panel(title, Axis("improvement over the baseline (%)"), Axis("", rows=rows), tuple(series))


def _improvements(claims: list[Claim], found: Values) -> Iterator[Improvement]:
    """Yield each method's improvement over its baseline, as printed and as found; baselines themselves are left out."""
    for method in dict.fromkeys(claim.method for claim in claims):
        mine = [claim for claim in claims if claim.method == method and claim.baseline > 0]
        mine = [claim for claim in mine if _key(claim.against) != _key(method)]
        if mine:
            printed = sum(claim.claimed / claim.baseline for claim in mine) / len(mine)
            value, base = found.get(_key(method), float("nan")), found.get(_key(mine[0].against), float("nan"))
            own = 100 * (value / base - 1) if base > 0 else float("nan")
            yield method, 100 * (printed - 1), own


def _found(studies: Sequence[Study], metric: str) -> Iterator[tuple[str, float]]:
    """Yield this run's value of each method under each of its names."""
    for study in studies:
        value = average(study.values.get(metric))
        for name in (study.label, study.method, study.name.rsplit("/", 1)[-1]):
            if not isnan(value):
                yield _key(name), value


def _key(name: str) -> str:
    """Return a name without case, blanks and marks, by which claims and methods are matched."""
    return re.sub(r"[\W_]+", "", name.casefold())
