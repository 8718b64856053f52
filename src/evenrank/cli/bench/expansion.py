"""What a plan would run, for a person to read before it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evenrank.benchmark.plan import Compared, Plan


def expansion(plan: Plan) -> str:
    """Return one row a method, and what is the same for all below."""
    from evenrank.table import text_table

    rows = [_row(plan, each) for each in plan.methods]
    header = ["method", "searched", "bits or dimensions", "trials", "repeats"]
    shared = [f"{name} = {value}" for name, value in plan.fixed.items()]
    lines = [
        f"{plan.title}: {plan.dataset} under {plan.protocol}; {', '.join(plan.metrics)}",
        f"tuned by {plan.judge} on held-out items, with the sampler {plan.tuning.sampler}; seed {plan.seed}",
        *([f"fixed for all that have it: {', '.join(shared)}"] if shared else []),
    ]
    below = [f"uneven: {line}" for line in plan.uneven] or ["even: the same for all where methods share a keyword"]
    return "\n".join([*lines, "", text_table(header, rows, left=2), "", *below])


def _row(plan: Plan, compared: Compared) -> list[str]:
    from evenrank.benchmark.plan import tuned, widths

    trials = plan.trials(compared)
    lengths = ", ".join(str(width) for width in widths(plan, compared) if width) or "–"
    searched = [
        f"{name} {allowed.search[0]} … {allowed.search[-1]}"
        for name, allowed in (tuned(plan, compared).items() if trials else ())
        if allowed.search
    ]
    return [compared.title, ", ".join(searched) or "nothing", lengths, str(trials), str(plan.repeats)]
