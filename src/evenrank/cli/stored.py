"""Which final runs of a store are compared."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evenrank.benchmark.plan import Plan
    from evenrank.benchmark.store import Store

HEADER = b"SQLite format 3\0"


def is_store(given: list[str]) -> bool:
    """Return whether this names one store: a SQLite file or a database address."""
    if len(given) != 1:
        return False
    path = Path(given[0])
    return "://" in given[0] or (path.is_file() and path.open("rb").read(len(HEADER)) == HEADER)


def values(address: str, plan: str, metric: str, width: int, searched: str, by_run: bool) -> dict[str, Any]:
    """Return the values of every method of one plan of a store, at one width, of one thing that was searched."""
    from evenrank.benchmark.compared import per_query, per_run, searches
    from evenrank.benchmark.store import Store

    store = Store.existing(address)
    chosen = choose(store, plan)
    with store.undamaged():
        what = one("--searched", searched, searches(chosen, store))
        widths = sorted({row["width"] for row in store.rows(chosen) if row["kind"] == "final" and row["width"]})
        length = int(one("--width", str(width or ""), [str(each) for each in widths])) if widths else None
        found = (per_run if by_run else per_query)(chosen, store, metric, length, what)
    if len(found) < 2:
        raise ValueError(f"{store.address}: must hold final runs of two methods; got {', '.join(found) or 'none'}")
    return found


def choose(store: Store, given: str) -> Plan:
    """Return the plan of a store with this title, or whose hash begins so; the only one if nothing is given."""
    plans = store.plans()
    fits = [plan for key, plan in plans.items() if given == plan.title or (given and key.startswith(given))]
    if not given and len(plans) == 1:
        fits = list(plans.values())
    if len(fits) != 1:
        listed = ", ".join(f"{plan.title!r} ({key[:8]})" for key, plan in plans.items())
        raise ValueError(f"--plan must name one of {store.address}'s by title or hash: {listed}; got {given!r}")
    return fits[0]


def one(option: str, given: str, known: list[str]) -> str:
    """Return what is given, or the only one there is."""
    if not given and len(known) == 1:
        return known[0]
    if given not in known:
        raise ValueError(
            f"{option} must be one of {', '.join(known) or 'nothing, for no final run is done'}; got {given!r}"
        )
    return given
