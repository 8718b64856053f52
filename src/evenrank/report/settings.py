"""What tuning chose for each method at each width, beside the range it chose from, and how to make the row again."""

from __future__ import annotations

from math import isclose
from typing import Any, NamedTuple

from evenrank.benchmark.plan import held, tuned
from evenrank.parameters import Choice, Range
from evenrank.report.contents import Contents
from evenrank.report.reproduce import command
from evenrank.report.study import Study
from evenrank.report.words import short

NEAR = 0.01  # of the end of a range, as a share of it: samplers rarely hit the end itself


class Found(NamedTuple):
    """A keyword that was searched, its value, and in words its range; a value `at_end` asks for a wider one."""

    name: str
    value: Any
    searched: str
    at_end: bool = False


class Setting(NamedTuple):
    """A row of the settings: a method at one width, and the commands that make its numbers again."""

    study: Study
    found: list[Found]
    held: dict[str, Any]
    trials: int
    command: str


def settings(contents: Contents) -> list[Setting]:
    """Return each method at each width once, in the plan's order."""
    plan, studies = contents.plan, {study.key: study for study in reversed(contents.studies)}
    compared = {each.title: each for each in plan.methods}
    spaces = {title: tuned(plan, each) for title, each in compared.items()}
    return [
        Setting(
            study,
            [_found(name, value, spaces[study.method].get(name)) for name, value in study.parameters.items()],
            held(plan, compared[study.method]),
            plan.trials(compared[study.method]),
            command(plan, study),
        )
        for study in sorted(studies.values(), key=contents.studies.index)
    ]


def _found(name: str, value: Any, allowed: Range | None) -> Found:
    if allowed is None or allowed.search is None:
        return Found(name, value, "")
    ends = [*map(short, allowed.search)]
    if isinstance(allowed, Choice):
        return Found(name, value, ", ".join(ends))
    return Found(name, value, " … ".join(ends), any(isclose(value, end, rel_tol=NEAR) for end in allowed.search))
