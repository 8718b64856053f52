"""What a final job leaves for the report beside its numbers, one file a kind; all of it is plain JSON.

    ties, costs, codes, undecided                   every repeat, a few numbers
    curves, usage, hits, gallery, items             the first repeat, of the first fold of what was searched
    projection, tsne                                the first repeat, of the first fold of all

They are made last, and cost no number: if one cannot be made, "failed" says why, and the job is as good as ever.
"""

from __future__ import annotations

from typing import Any

from evenrank.benchmark.exhibits.curves import curves, hits, sample
from evenrank.benchmark.exhibits.gallery import gallery
from evenrank.benchmark.exhibits.items import items
from evenrank.benchmark.exhibits.numbers import codes, costs, ties, undecided
from evenrank.benchmark.exhibits.projection import neighbours, projection
from evenrank.benchmark.exhibits.usage import usage
from evenrank.benchmark.final import Final
from evenrank.benchmark.jobs import Job
from evenrank.benchmark.plan import Plan


def exhibits(plan: Plan, job: Job, final: Final) -> dict[str, Any]:
    """Return the exhibits of a final job by name."""
    made: dict[str, Any] = {}
    try:
        made["ties"] = ties(final.found)
        made["costs"] = costs(final)
        made["undecided"] = undecided(final.found)
        made |= {"codes": used} if (used := codes(final.found)) else {}
        if job.number == 0:
            _show(plan, final, made)
    except Exception as error:  # whatever is wrong with a picture, the numbers stand
        made["failed"] = f"{type(error).__name__}: {error}"
    return made


def _show(plan: Plan, final: Final, made: dict[str, Any]) -> None:
    """Add what one repeat shows for all."""
    samples = {what: sample(search, plan.seed) for what, search in final.first.items()}
    made["curves"] = {what: curves(final.found[what], samples[what]) for what in final.first}
    if used := {what: found for what, search in final.first.items() if (found := usage(search))}:
        made["usage"] = used
        made["hits"] = {what: hits(samples[what]) for what in used}
    search = next(iter(final.first.values()))
    made["projection"] = projection(search, final.data, plan.seed)
    made |= {"tsne": near} if (near := neighbours(search, final.data, plan.seed)) else {}
    made["gallery"] = {what: gallery(search, plan, final.data, what) for what, search in final.first.items()}
    made["items"] = items(made["gallery"], final.data, final.folder)
