"""`evenrank bench run` and `resume`: do what is missing of a plan."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from evenrank.benchmark.plan import Plan
    from evenrank.benchmark.store import Store

Rerun = Literal["only-missing", "always", "never"]
STORE = "results.sqlite"


def run(
    plan: Annotated[str, Argument(metavar="PLAN", help="A TOML file, or the name of one of evenrank plan list.")],
    store: Annotated[str, Option(metavar="FILE|URL", help="SQLite file or postgresql:// address.")] = STORE,
    workers: Annotated[int | None, Option(help="Jobs at a time; as many as cores if not given.", min=1)] = None,
    rerun: Annotated[Rerun, Option(help="What is done about jobs that are finished.")] = "only-missing",
    dry_run: Annotated[bool, Option("--dry-run", help="Print what would run, and stop.")] = False,
) -> None:
    """Run a plan. Every finished job is kept at once; Ctrl-C, a crash or a power cut costs the jobs at work.

    Example: evenrank bench run digits --store digits.sqlite --workers 2
    """
    from evenrank.benchmark.shipped import read_plan
    from evenrank.benchmark.store import Store
    from evenrank.cli.bench.expansion import expansion

    chosen = read_plan(plan)
    if dry_run:
        typer.echo(expansion(chosen))
        return
    kept = Store(store)
    finished = kept.outcomes(chosen)
    if rerun == "never" and finished:
        raise ValueError(f"{store}: has {len(finished)} jobs of this plan already, and --rerun never is given")
    if rerun == "always":
        kept.forget(chosen)
    drive(chosen, kept, store, workers)


def resume(
    store: Annotated[str, Option(metavar="FILE|URL", help="SQLite file or postgresql:// address.")] = STORE,
    workers: Annotated[int | None, Option(help="Jobs at a time; as many as cores if not given.", min=1)] = None,
    failed: Annotated[bool, Option("--failed", help="Try failed jobs again too.")] = False,
) -> None:
    """Go on with every plan of a store.

    Example: evenrank bench resume --store digits.sqlite
    """
    from evenrank.benchmark.store import Store

    kept = Store(store)
    plans = kept.plans()
    if not plans:
        raise ValueError(f"{store}: holds no plan; begin with evenrank bench run")
    for plan in plans.values():
        if failed:
            kept.forget(plan, failed_only=True)
        drive(plan, kept, store, workers)


def drive(plan: Plan, kept: Store, store: str, workers: int | None) -> None:
    """Run a plan with a line of progress, then show its table."""
    from evenrank.benchmark.runner import Progress
    from evenrank.benchmark.runner import run as run_plan
    from evenrank.benchmark.table import table
    from evenrank.cli.progress import progress

    for line in plan.uneven:
        typer.echo(f"uneven: {line}", err=True)
    workspace = Path(f"{store}.parts" if "://" not in store else f"{plan.hash[:16]}.parts")
    with progress(plan.title) as report:

        def tell(state: Progress) -> None:
            if report:
                report(state.done, state.total)

        try:
            state = run_plan(plan, kept, workspace, workers=workers or os.cpu_count() or 1, progress=tell)
        except KeyboardInterrupt:
            typer.echo(f"\nstopped; go on with: evenrank bench resume --store {store}", err=True)
            raise typer.Exit(130) from None
    typer.echo(table(plan, kept))
    if state.failed:
        typer.echo(f"\n{state.failed} jobs failed; evenrank bench status --store {store} shows why")
