"""`evenrank demo`: what this tool is for, in seconds and without any download."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Option


def demo(
    out: Annotated[Path | None, Option(metavar="DIR", help="Write each result as JSON and the table here.")] = None,
    seed: Annotated[int, Option(help="Of the split and the random projections.", min=0)] = 0,
) -> None:
    """Evaluate codes of scikit-learn's digits, and show how far tie-breaking alone moves their AP.

    Example: evenrank demo --out demo
    """
    from evenrank.cli.progress import progress
    from evenrank.demo import BITS, runs
    from evenrank.table import number, text_table

    rows, results = [], {}
    with progress("evaluating codes") as report:
        for method, bits, result in runs(seed):
            ap = f"{number(result.worst['AP'])} … {number(result.best['AP'])}"
            others = [number(result.mean[name]) for name in ("P@10", "MAP@R", "P@H<=2", "LGAP@2")]
            rows.append([method, str(bits), number(result.mean["AP"]), ap, *others, f"{result.ties['Undecided']:.0%}"])
            results[f"{method.replace(' ', '-')}-{bits}"] = result
            if report:
                report(len(rows), 2 * len(BITS))
    header = ["codes", "bits", "AP", "range of tie-breaking", "P@10", "MAP@R", "P@H<=2", "LGAP@2", "rank 1 undecided"]
    table = text_table(header, rows)
    typer.echo("Hash codes of 1,797 handwritten digits, 200 queries against 1,597 items\n")
    typer.echo(table)
    typer.echo(
        "\nAP is exact: the expectation over all orders of tied items. The range is what the same codes can score when"
        "\nties are broken by whatever order the data lies in; a tool that does so reports some number inside it."
    )
    if out:
        out.mkdir(parents=True, exist_ok=True)
        for name, result in results.items():
            result.to_json(out / f"{name}.json")
        (out / "table.txt").write_text(table + "\n", encoding="utf-8")
        typer.echo(f"\n{len(results)} results and table.txt written to {out}")
