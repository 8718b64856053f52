"""`evenrank tune`: search the best setting of one method, with a test set that the search cannot see."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from evenrank.benchmark.plan import Plan
    from evenrank.benchmark.standing import Trial

WIDTHS = ("bits", "dimensions")


def tune(
    method: Annotated[str, Argument(help="Name or name(keyword=value, …); keywords that are given are not searched.")],
    dataset: Annotated[str, Option(metavar="NAME", help="Name, name(keyword=value) or path of the data.")],
    protocol: Annotated[str, Option(metavar="NAME", help="Name or name(keyword=value) of the protocol.")],
    metric: Annotated[list[str] | None, Option(help="The first is searched by; else the protocol's.")] = None,
    trials: Annotated[int, Option(help="Settings to try.", min=1)] = 20,
    repeats: Annotated[int, Option(help="Runs of the best setting on the test set.", min=1)] = 3,
    folds: Annotated[int, Option(help="Parts of the training items held out in turn; 1: one fifth.", min=1)] = 1,
    sampler: Annotated[Literal["gp", "tpe", "random"], Option(help="What proposes the next setting.")] = "gp",
    modality: Annotated[str, Option(metavar="NAME", help="Which, if the data have several.")] = "",
    seed: Annotated[int, Option(help="Of proposals and runs.", min=0)] = 0,
    store: Annotated[str, Option(metavar="FILE|URL", help="Where everything is kept; go on by asking again.")] = (
        "tuning.sqlite"
    ),
    workers: Annotated[int | None, Option(help="Jobs at a time; as many as cores if not given.", min=1)] = None,
    json: Annotated[Path | None, Option(metavar="FILE", help="Write best setting, trials and results here.")] = None,
) -> None:
    """Tune one method: settings are judged on held-out training items, the best is run on the test set.

    Example: evenrank tune "hashing/talr_ap(bits=16, epochs=20)" --dataset digits --protocol "per_class(queries=20,
    training=40)" --trials 10
    """
    from json import dumps

    from evenrank.benchmark.plan import Plan, tuned, widths
    from evenrank.benchmark.standing import history, standings
    from evenrank.benchmark.store import Store
    from evenrank.benchmark.table import record
    from evenrank.catalog import call
    from evenrank.cli.bench.run import drive
    from evenrank.cli.evaluate import check_outputs
    from evenrank.protocol import protocol as rule

    check_outputs(json, None)
    name, keywords = call(method, "methods")
    content = {
        "title": f"Tuning of {name}",
        "dataset": dataset,
        "protocol": protocol,
        "metrics": metric or rule(protocol).metrics,
        "repeats": repeats,
        "seed": seed,
        "modality": modality,
        "tuning": {"trials": trials, "folds": folds, "sampler": sampler},
        **width(name, keywords),
        "methods": [{"name": name, "fixed": {key: keywords[key] for key in keywords if key not in WIDTHS}}],
    }
    plan = Plan.of(content)
    [compared] = plan.methods
    if not tuned(plan, compared):
        raise ValueError(f"{name} has no keyword left to search; evenrank methods show {name} lists them")
    kept = Store(store)
    drive(plan, kept, store, workers or os.cpu_count() or 1)
    tried = history(plan, kept, compared.title, widths(plan, compared)[0])
    [study] = standings(plan, kept)
    typer.echo(f"\n{told(plan, tried, study.setting)}")
    if study.best is not None:
        written = ", ".join(f"{key}={value!r}" for key, value in {**keywords, **study.setting}.items())
        typer.echo(f'\nbest: {plan.judge} {study.best:.4f} on held-out items, by "{name}({written})"')
    if json:
        trial = [{"number": each.number, "value": each.value, "parameters": each.parameters} for each in tried]
        about = {"best": study.setting, "value": study.best, "trials": trial, "results": record(plan, kept)}
        json.write_text(dumps(about, indent=1, ensure_ascii=False) + "\n", "utf-8")


def width(name: str, keywords: dict[str, Any]) -> dict[str, list[int]]:
    """Return bits or dimensions, as given or as the method has them: in a plan they are the plan's."""
    from dataclasses import fields

    from evenrank.catalog import find

    defaults = {field.name: field.default for field in fields(find("methods", name).load())}
    found = {each: keywords.get(each, defaults.get(each)) for each in WIDTHS}
    return {each: [value] for each, value in found.items() if value is not None}


def told(plan: Plan, tried: list[Trial], best: dict[str, Any]) -> str:
    """Return the trials as a table: value on held-out items and setting, the best one marked."""
    from evenrank.table import number, text_table

    names = list(tried[0].parameters) if tried else []
    rows = [
        [
            f"{trial.number}{' *' * (trial.parameters == best)}",
            "failed" if trial.value is None else number(trial.value),
            *(short(trial.parameters[name]) for name in names),
        ]
        for trial in tried
    ]
    return text_table(["trial", plan.judge, *names], rows)


def short(value: Any) -> str:
    """Return a value of a setting in four digits."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
