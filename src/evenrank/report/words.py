"""How a report says things: numbers, times, and the sentences about a plan and what became of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from evenrank.benchmark.plan import widths
from evenrank.report.contents import Contents
from evenrank.report.reproduce import unit
from evenrank.significance.runs import defined

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


def exact(value: float) -> str:
    """Return every digit of a number."""
    return repr(float(value))


def digits(value: float) -> str:
    """Return four digits behind the point."""
    return f"{value:.4f}"


def percent(value: float) -> str:
    """Return a share in percent."""
    return f"{value:.1%}"


def counted(number: int, of: str) -> str:
    """Return how many there are of something.

    >>> counted(1, "job"), counted(1200, "job")
    ('1 job', '1,200 jobs')
    """
    return f"{number:,} {of}{'' if number == 1 else 's'}"


def seconds(value: float) -> str:
    """Return a time in the unit that suits it.

    >>> [seconds(value) for value in (0.0000125, 0.25, 3.2, 90.0, 7300.0)]
    ['12.5 µs', '250 ms', '3.2 s', '1.5 min', '2.0 h']
    """
    if value >= 3600:
        return f"{value / 3600:.1f} h"
    if value >= 60:
        return f"{value / 60:.1f} min"
    scale, unit = next(((scale, unit) for scale, unit in UNITS if value >= scale), UNITS[-1])
    return f"{value / scale:.3g} {unit}"


def size(value: float) -> str:
    """Return a number of bytes.

    >>> size(2.0), size(512.0)
    ('2 B', '512 B')
    """
    return f"{value:,.4g} B" if value < 10_000 else f"{value:,.0f} B"


def short(value: Any) -> str:
    """Return a keyword's value in a few characters."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def moment(value: float) -> str:
    """Return a time of day, in UTC.

    >>> moment(0.0)
    '1970-01-01 00:00 UTC'
    """
    return datetime.fromtimestamp(value, UTC).strftime("%Y-%m-%d %H:%M UTC")


def at(value: float, scale: tuple[float, float]) -> str:
    """Return where a value lies on a whisker, between 3 and 97 of 100."""
    low, high = scale
    share = (value - low) / (high - low) if high > low else 0.5
    return f"{3 + 94 * share:.2f}".rstrip("0").rstrip(".")


def compared(contents: Contents) -> list[str]:
    """Return in words what was compared, and how."""
    plan = contents.plan
    lengths_of: dict[str, set[int]] = {}
    for each in plan.methods:
        lengths_of.setdefault(unit(plan, each), set()).update(width for width in widths(plan, each) if width)
    at_widths = " and".join(f" at {_listed(sorted(lengths))} {name}" for name, lengths in lengths_of.items() if lengths)
    methods = "One method" if len(plan.methods) == 1 else f"{len(plan.methods)} methods"
    tuned = [each for each in plan.methods if plan.trials(each)]
    budget = (
        f"Each had {plan.tuning.trials} trials ({plan.tuning.sampler}) to find its setting by {plan.judge} on "
        f"{_folds(contents)}; {len(tuned)} of {len(plan.methods)} had something to tune."
        if tuned
        else "Nothing was tuned: every method ran as it is set."
    )
    return [
        f"{methods}{at_widths} on {plan.dataset} under {plan.protocol}, by {_listed(plan.metrics)}.",
        f"{budget} The final setting ran {counted(plan.repeats, 'time')}, seeds from "
        f"{plan.seed}; the test set was sealed until then.",
    ]


def warnings(contents: Contents) -> list[str]:
    """Return what a reader must know: what is missing, failed, uneven, or was opened twice."""
    trials, repeats = (sum(getattr(each, name) for each in contents.missing) for name in ("trials", "repeats"))
    total = contents.plan.repeats * sum(len(widths(contents.plan, each)) for each in contents.plan.methods)
    lines = [*contents.provenance.leaks, *(f"uneven: {line}" for line in contents.plan.uneven)]
    if repeats:
        methods = dict.fromkeys(each.label for each in contents.missing if each.repeats)
        lines.append(f"{repeats} of {total} final runs are missing ({_some([*methods])}): this run is not finished")
    if trials:
        lines.append(f"{counted(trials, 'trial')} of tuning not begun")
    if contents.failed:
        first = contents.failed[0]
        lines.append(f"{counted(len(contents.failed), 'job')} failed: {first.key}: {first.line}")
    for study, times in reopened(contents).items():
        lines.append(f"{study}: the test set was opened with {times} different settings")
    if len(contents.provenance.data) > 1:
        lines.append(f"jobs saw different data: {len(contents.provenance.data)} checksums")
    for name, versions in contents.provenance.libraries.items():
        if len(versions) > 1:
            lines.append(f"jobs ran with different versions of {name}: {_listed(versions)}")
    return lines


def reopened(contents: Contents) -> dict[str, int]:
    """Return the studies whose test set was opened with more than one setting, and with how many."""
    found: dict[str, int] = {}
    for each in contents.openings:
        found[each.study] = found.get(each.study, 0) + 1
    return {study: settings for study, settings in found.items() if settings > 1}


def opened(contents: Contents) -> str:
    """Return how often the test set was opened."""
    times, studies = sum(each.times for each in contents.openings), len({each.study for each in contents.openings})
    if not times:
        return "never opened"
    again = reopened(contents)
    settings = f"{_some([*again])} with more than one setting" if again else "each with one setting"
    return f"opened {counted(times, 'time')}, once a final run, by {studies:,} methods and widths, {settings}"


def skipped(contents: Contents) -> list[str]:
    """Return what no mean counts: queries on which a metric is undefined, and trials without a value."""
    lines = []
    for searched in contents.searched:
        first = next(study for study in contents.studies if study.searched == searched)
        lacking: dict[int, list[str]] = {}
        for metric in contents.plan.metrics:
            there = defined(first.per_query(metric))
            lacking.setdefault(int((~there).sum()), []).append(metric)
        total = first.per_query(contents.plan.metrics[0]).shape[1]
        lines += [
            f"{count:,} of {total:,} queries ({searched}) have no {' and no '.join(metrics)}"
            for count, metrics in lacking.items()
            if count
        ]
    given_up = sum(trial.value is None for trial in contents.trials)
    if given_up:
        lines.append(f"{given_up:,} of {counted(len(contents.trials), 'trial')} failed, were given up or are not over")
    return lines


def jobs(contents: Contents) -> str:
    """Return how many jobs are kept."""
    finals = len({(study.key, number) for study in contents.studies for number in study.repeats})
    return counted(sum(trial.folds for trial in contents.trials) + finals + _failed_finals(contents), "job")


def _failed_finals(contents: Contents) -> int:
    return sum("/repeat " in each.key for each in contents.failed)


def _folds(contents: Contents) -> str:
    folds = max((trial.folds for trial in contents.trials), default=contents.plan.tuning.folds)
    return "one held-out part of the training items" if folds == 1 else f"{folds} held-out parts of the training items"


def _listed(names: Any) -> str:
    *most, last = map(str, names)
    return f"{', '.join(most)} and {last}" if most else last


def _some(names: list[str]) -> str:
    """Return some of many names."""
    return _listed(names) if len(names) <= 5 else f"{', '.join(names[:5])} and {len(names) - 5} more"
