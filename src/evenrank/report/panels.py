"""Which studies stand in one panel of a figure, and in which colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evenrank.report.contents import Contents
from evenrank.report.figure import MUTED, MUTED_TOO
from evenrank.report.study import CONTROLS, Study, Trial, average, sortable

CURVES = 12  # of them can be told apart in one panel
ROWS = 40  # of them can be read in one panel


class Group(NamedTuple):
    """The studies of one thing searched at one width, best first, and how many more there would be."""

    title: str
    studies: list[Study]
    left_out: int

    @property
    def note(self) -> str:
        """Return what is not shown."""
        return f"The best {len(self.studies)}; {self.left_out} more are not shown." if self.left_out else ""


def groups(contents: Contents, studies: Sequence[Study], limit: int) -> list[Group]:
    """Return the studies by what was searched and width; of many the best, chance and trivial solution among them.

    A method without a width stands beside those of every width.
    """
    found: dict[tuple[str, str], list[Study]] = {}
    for searched in dict.fromkeys(study.searched for study in studies):
        mine = [study for study in studies if study.searched == searched]
        for words in dict.fromkeys(width(study) for study in mine if study.width) or [""]:
            found[searched, words] = [study for study in mine if width(study) in (words, "")]
    several = [len(set(parts)) > 1 for parts in zip(*found, strict=True)]
    titles = [", ".join(part for part, told in zip(key, several, strict=True) if told and part) for key in found]
    return [_group(title, mine, contents, limit) for title, mine in zip(titles, found.values(), strict=True)]


def _group(title: str, mine: list[Study], contents: Contents, limit: int) -> Group:
    ranked = best_first(mine, judge(contents, mine))
    kept = {id(study) for study in sorted(ranked, key=lambda study: not study.control)[:limit]}
    return Group(title, [study for study in ranked if id(study) in kept], max(0, len(mine) - limit))


def judge(contents: Contents, studies: Sequence[Study]) -> str:
    """Return the metric that tuning judged by if it is stored, else the plan's first."""
    plan = contents.plan
    return plan.judge if all(plan.judge in study.values for study in studies) else plan.metrics[0]


def best_first(studies: Sequence[Study], metric: str) -> list[Study]:
    """Return the studies by their mean of a metric; those without one come last."""
    return sorted(studies, key=lambda study: -sortable(average(study.values.get(metric))))


def width(study: Study) -> str:
    """Return the width in words: bits of codes, dimensions of embeddings."""
    coded = bool(study.codes) or "usage" in study.exhibits or study.kind == "hashing"
    return f"{study.width} {'bits' if coded else 'dimensions'}" if study.width else ""


def trials_by_width(contents: Contents) -> dict[str, dict[str, list[Trial]]]:
    """Return the trials that have a value, by width in words (none if there is only one) and method.

    A method without a width stands beside those of every width.
    """
    words = {(study.method, study.width): width(study) for study in contents.studies}
    kinds = {each.title: each.name.split("/")[0] for each in contents.plan.methods}
    found: dict[str, dict[str, list[Trial]]] = {}
    for trial in contents.trials:
        if trial.value is not None:
            unit = "bits" if kinds[trial.method] == "hashing" else "wide"
            own = words.get((trial.method, trial.width), f"{trial.width} {unit}" if trial.width else "")
            found.setdefault(own, {}).setdefault(trial.method, []).append(trial)
    everywhere = found.pop("", {}) if len(found) > 1 else {}
    if len(found) == 1:
        return {"": next(iter(found.values())) | everywhere}
    return {own: methods | everywhere for own, methods in found.items()}


def slots(contents: Contents) -> dict[str, int]:
    """Return the place in the palette of each method of the plan; chance and trivial solution are muted."""
    controls = {each.title: CONTROLS.get(each.name.rsplit("/", 1)[-1], "") for each in contents.plan.methods}
    coloured = [method for method, control in controls.items() if not control]
    muted = {method: MUTED if control == "chance" else MUTED_TOO for method, control in controls.items() if control}
    return {method: place for place, method in enumerate(coloured)} | muted


def source(contents: Contents) -> str:
    """Return what a figure is from: the plan and its data."""
    plan = contents.plan
    return f"{contents.title}: {plan.dataset}, {plan.protocol}, plan {plan.hash[:12]}."


def repeats(studies: Sequence[Study]) -> str:
    """Return how many repeats the studies have, in words."""
    counts = sorted({len(study.repeats) for study in studies})
    words = " to ".join(str(count) for count in (counts[:1] + counts[-1:] if len(counts) > 1 else counts))
    return f"{words} repeat{'' if counts == [1] else 's'} each"
