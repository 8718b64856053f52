"""`evenrank bench run` and `resume`: do what is missing of a plan."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from evenrank.benchmark.plan import Plan
    from evenrank.benchmark.runner import Progress
    from evenrank.benchmark.store import Store

Rerun = Literal["only-missing", "always", "never"]
STORE = "results.sqlite"


def run(
    plan: Annotated[str, Argument(metavar="PLAN", help="A TOML file, or the name of one of evenrank plan list.")],
    store: Annotated[str, Option(metavar="FILE|URL", help="SQLite file or postgresql:// address.")] = STORE,
    workers: Annotated[int | None, Option(help="Jobs at a time; as many as cores if not given.", min=1)] = None,
    rerun: Annotated[Rerun, Option(help="What is done about jobs that are finished.")] = "only-missing",
    dry_run: Annotated[bool, Option("--dry-run", help="Print what would run and how long it takes, and stop.")] = False,
    time: Annotated[bool, Option("--time", help="With --dry-run: time one fit a method, if need be.")] = False,
    out: Annotated[Path | None, Option(metavar="FILE", help="Write the table here, as JSON.")] = None,
    log: Annotated[
        list[str] | None, Option(metavar="tensorboard:DIR|mlflow:URI", help="Tell of finished jobs here too.")
    ] = None,
) -> None:
    """Run a plan. Every finished job is kept at once; Ctrl-C, a crash or a power cut costs the jobs at work.

    Example: evenrank bench run digits --store digits.sqlite --workers 2
    """
    from evenrank.benchmark.shipped import read_plan
    from evenrank.benchmark.store import Store
    from evenrank.cli.evaluate import check_outputs

    check_outputs(out, None)
    chosen = read_plan(plan)
    workers = workers or os.cpu_count() or 1
    if dry_run:
        typer.echo(expected(chosen, store, workers, time))
        return
    if time:
        raise ValueError("--time is for --dry-run: it says how long a plan will take")
    kept = Store(store)
    finished = kept.outcomes(chosen)
    if rerun == "never" and finished:
        raise ValueError(f"{store}: has {len(finished)} jobs of this plan already, and --rerun never is given")
    if rerun == "always":
        kept.forget(chosen)
    drive(chosen, kept, store, workers, out, log or [])


def resume(
    store: Annotated[str, Option(metavar="FILE|URL", help="SQLite file or postgresql:// address.")] = STORE,
    workers: Annotated[int | None, Option(help="Jobs at a time; as many as cores if not given.", min=1)] = None,
    failed: Annotated[bool, Option("--failed", help="Try failed jobs again too.")] = False,
) -> None:
    """Go on with every plan of a store.

    Example: evenrank bench resume --store digits.sqlite
    """
    from evenrank.benchmark.store import Store

    kept = Store.existing(store)
    for plan in kept.plans().values():
        if failed:
            kept.forget(plan, failed_only=True)
        drive(plan, kept, store, workers or os.cpu_count() or 1)


def drive(plan: Plan, kept: Store, store: str, workers: int, out: Path | None = None, log: Sequence[str] = ()) -> None:
    """Run a plan and tell how it gets on, then show its table."""
    from json import dumps

    from evenrank.benchmark.runner import run as run_plan
    from evenrank.benchmark.table import record, table
    from evenrank.benchmark.tracking import tracking
    from evenrank.cli.bench.live import live

    for line in plan.uneven:
        typer.echo(f"uneven: {line}", err=True)
    workspace = Path(f"{store}.parts" if "://" not in store else f"{plan.hash[:16]}.parts")
    try:
        with tracking(plan, kept, log) as track, live(plan, kept, workers) as show:

            def tell(state: Progress) -> None:
                show(state)
                track()

            state = run_plan(plan, kept, workspace, workers=workers, progress=tell)
    except KeyboardInterrupt:
        typer.echo(f"\nstopped; go on with: evenrank bench resume --store {store}", err=True)
        raise typer.Exit(130) from None
    typer.echo(table(plan, kept))
    if out:
        out.write_text(dumps(record(plan, kept), indent=1, ensure_ascii=False) + "\n", "utf-8")
    if state.failed:
        typer.echo(f"\n{state.failed} jobs failed; evenrank bench status --store {store} shows why")


def expected(plan: Plan, store: str, workers: int, time: bool) -> str:
    """Return what a plan would run, and about how long that takes."""
    from evenrank.benchmark.store import Store
    from evenrank.cli.bench.expansion import expansion
    from evenrank.cli.bench.forecast import forecast

    kept = Store(store) if "://" in store or Path(store).is_file() else None
    try:
        return f"{expansion(plan)}\n\n{forecast(plan, kept, workers, time)}"
    except ValueError as error:  # the data are not there, say
        return f"{expansion(plan)}\n\nhow long it takes is unknown: {error}"
