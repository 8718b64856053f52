"""`evenrank bench status`: how far the plans of a store are, and what failed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from evenrank.cli.bench.run import STORE

if TYPE_CHECKING:
    from evenrank.benchmark.plan import Plan
    from evenrank.benchmark.standing import Standing


def status(
    store: Annotated[str, Option(metavar="FILE|URL", help="SQLite file or postgresql:// address.")] = STORE,
    tracebacks: Annotated[bool, Option("--tracebacks", help="Print failures whole, not their last line.")] = False,
    json: Annotated[Path | None, Option(metavar="FILE", help="Write all of it here.")] = None,
) -> None:
    """Show how far every study of each plan is, its best value so far, what failed, and when the test set was opened.

    Example: evenrank bench status --store digits.sqlite
    """
    from json import dumps

    from evenrank.benchmark.standing import standings
    from evenrank.benchmark.store import Store
    from evenrank.cli.evaluate import check_outputs

    check_outputs(json, None)
    kept, found = Store.existing(store), []
    for number, plan in enumerate(kept.plans().values()):
        with kept.undamaged():
            studies, rows = standings(plan, kept), kept.rows(plan)
            failed = [row for row in rows if row["value"] is None]
            typer.echo("\n" * bool(number) + told(plan, studies, failed, tracebacks))
            failures = [{name: row[name] for name in ("key", "parameters", "traceback")} for row in failed]
            found.append(
                {"plan": plan.hash, "title": plan.title, "uneven": plan.uneven}
                | {"studies": [study._asdict() for study in studies], "failures": failures}
            )
    if json:
        json.write_text(dumps({"store": kept.address, "plans": found}, indent=1, ensure_ascii=False) + "\n", "utf-8")


def told(plan: Plan, studies: list[Standing], failed: list[dict[str, Any]], tracebacks: bool) -> str:
    """Return all about one plan for a person to read."""
    from evenrank.cli.bench.forecast import duration
    from evenrank.table import number, text_table

    rows = [
        [
            study.method,
            str(study.width or "–"),
            f"{study.tried} of {study.trials}" if study.trials else "–",
            f"{study.repeated} of {study.repeats}",
            "–" if study.best is None else number(study.best),
            str(study.failed or ""),
            str(study.openings),
            duration(study.seconds),
        ]
        for study in studies
    ]
    header = ["method", "width", "trials", "repeats", f"best {plan.judge} in tuning", "failed jobs", "settings", "took"]
    missing = sum(study.trials - study.tried + study.repeats - study.repeated for study in studies)
    lines = [
        f"{plan.title}: {'done' if not missing else f'{missing} trials and repeats are missing'}",
        "",
        text_table(header, rows, left=2),
        "",
        "settings: with how many the test set was opened; a study that was repeated as planned has 1",
        *(f"uneven: {line}" for line in plan.uneven),
    ]
    for row in failed:
        lines += ["", f"failed: {row['key']} {row['parameters']}", why(row["traceback"], tracebacks)]
    return "\n".join(lines)


def why(traceback: str, whole: bool) -> str:
    r"""Return a traceback, or the last line of it, which says what went wrong.

    >>> why("Traceback …\nValueError: no\n", whole=False)
    'ValueError: no'
    """
    if not traceback:
        return "the value was not a number"
    return traceback.rstrip() if whole else traceback.rstrip().splitlines()[-1]
