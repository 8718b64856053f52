"""`evenrank compare`: stored results in, an answer out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from evenrank.result import Result
    from evenrank.significance import Comparison
    from evenrank.significance.published import Gap


class Options(TypedDict):
    """How two things are compared, whatever they are."""

    against_first: bool
    confidence: float
    permutations: int
    resamples: int
    seed: int
    progress: Callable[[int, int], None] | None


def compare(
    results: Annotated[
        list[str], Argument(metavar="[NAME=]FILE[,FILE]...", help="Results of each method's runs, or one store.")
    ],
    metric: Annotated[str, Option(help="What to compare by, like AP@1000.")] = "AP",
    against: Annotated[bool, Option("--against", help="Compare with the first method only.")] = False,
    by_run: Annotated[
        bool, Option("--by-run", help="Pair runs, not queries: for folds with their own queries.")
    ] = False,
    published: Annotated[
        Path | None, Option(metavar="TABLE", help="A printed table: columns method and value.")
    ] = None,
    where: Annotated[
        list[str] | None, Option(metavar="COLUMN=WORD", help="Rows of that table, like bits=32. Repeatable.")
    ] = None,
    plan: Annotated[str, Option(metavar="TITLE|HASH", help="Of a store: which plan.")] = "",
    width: Annotated[int, Option(metavar="BITS", help="Of a store: bits or dimensions.")] = 0,
    searched: Annotated[str, Option(metavar="NAME", help="Of a store: what was searched, like test.")] = "",
    confidence: Annotated[float, Option(help="Of intervals; 1 - confidence is the level of tests.")] = 0.95,
    permutations: Annotated[int, Option(help="Sign patterns of the test.", min=1)] = 10_000,
    resamples: Annotated[int, Option(help="Resamples of the bootstrap.", min=2)] = 2_000,
    seed: Annotated[int, Option(help="Of both.", min=0)] = 0,
    markdown: Annotated[bool, Option("--markdown", help="Print Markdown.")] = False,
    latex: Annotated[bool, Option("--latex", help="Print LaTeX (booktabs).")] = False,
    json: Annotated[Path | None, Option(metavar="FILE", help="Write the comparison here.")] = None,
) -> None:
    """Say which method is better and how sure that is, or that the data cannot tell.

    Files are what evenrank evaluate --json writes, of the same queries. A method is called after its file or by NAME;
    several files of one method are its runs (seeds, folds). A store of evenrank bench gives the final runs of a plan.

    Example: evenrank compare itq.json lsh=lsh-0.json,lsh-1.json,lsh-2.json --metric AP

    Example: evenrank compare itq.json lsh.json --published table.csv --where bits=32

    Example: evenrank compare digits.sqlite --width 16
    """
    from evenrank.cli.evaluate import check_outputs
    from evenrank.cli.progress import progress
    from evenrank.cli.stored import is_store
    from evenrank.cli.stored import values as stored_values
    from evenrank.significance.comparison import compare as compare_values
    from evenrank.significance.published import gaps, read_printed
    from evenrank.significance.results import compare_results, unlike
    from evenrank.significance.tables import answers, gap_table, method_table, notes, pair_table, rendered

    check_outputs(json, None)
    if markdown and latex:
        raise ValueError("--markdown and --latex cannot both be printed")
    if where and not published:
        raise ValueError("--where chooses rows of a printed table: it needs --published")
    kept = is_store(results)
    if (plan or width or searched) and not kept:
        raise ValueError("--plan, --width and --searched choose from a store: it must be the only argument")
    stored = stored_values(results[0], plan, metric, width, searched, by_run) if kept else {}
    methods = {} if kept else read_methods(results)
    printed = read_printed(published, metric, conditions(where or [])) if published else {}
    with progress("comparing") as report:
        options: Options = {
            "against_first": against,
            "confidence": confidence,
            "permutations": permutations,
            "resamples": resamples,
            "seed": seed,
            "progress": report,
        }
        if kept:
            found = compare_values(stored, unit="runs" if by_run else "queries", **options)
        else:
            found = compare_results(methods, metric, by_run=by_run, **options)
    held = gaps(found, printed)
    if published and not held:
        raise ValueError(f"{published}: must name two of the methods that are compared; got {', '.join(printed)}")
    if json:
        write(json, metric, found, held)
    tables = [method_table(found), pair_table(found), *([gap_table(held)] if held else [])]
    beside = sorted(set(printed) - {each.name.casefold() for each in found.methods})
    unmatched = [f"in {published} only: {', '.join(beside)}"] if beside else []
    below = [answers(found), [f"{metric}: higher is better", *notes(found), *unlike(methods), *unmatched]]
    typer.echo(rendered(tables, below, "markdown" if markdown else "latex" if latex else "text"))


def read_methods(arguments: list[str]) -> dict[str, list[Result]]:
    """Return the results of every method: of FILE called after it, of NAME=FILE,FILE called NAME."""
    from evenrank.significance.results import read_result

    methods: dict[str, list[Result]] = {}
    for argument in arguments:
        name, files = split_name(argument)
        if name in methods:
            raise ValueError(f"methods must have different names; got {name} twice")
        methods[name] = [read_result(path) for path in files]
    return methods


def split_name(argument: str) -> tuple[str, list[Path]]:
    """Return (name, files) of NAME=FILE,FILE, or of a FILE that may have these signs in its name.

    >>> [(name, len(files)) for name, files in map(split_name, ("lsh=runs/0.json,runs/1.json", "runs/itq.json"))]
    [('lsh', 2), ('itq', 1)]
    """
    if Path(argument).exists() or "=" not in argument:
        return Path(argument).stem, [Path(argument)]
    name, _, files = argument.partition("=")
    return name, [Path(file) for file in files.split(",")]


def conditions(where: list[str]) -> dict[str, str]:
    """Return column -> word of every COLUMN=WORD."""
    pairs = [condition.partition("=") for condition in where]
    for condition, (column, equals, _) in zip(where, pairs, strict=True):
        if not (column.strip() and equals):
            raise ValueError(f"--where must be COLUMN=WORD, like bits=32; got {condition!r}")
    return {column.strip().casefold(): word.strip() for column, _, word in pairs}


def write(path: Path, metric: str, found: Comparison, held: list[Gap]) -> None:
    """Write the comparison as JSON."""
    from json import dumps

    from evenrank.significance.comparison import plain

    printed = [plain({**gap._asdict(), "verdict": gap.verdict}) for gap in held]
    about = {"metric": metric, **found.to_dict(), "published": printed}
    path.write_text(dumps(about, indent=1, ensure_ascii=False) + "\n", "utf-8")
