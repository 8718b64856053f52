"""The command line, one file a verb: parse, call, print."""

from __future__ import annotations

import sys

import typer

from evenrank.cli.data import data
from evenrank.cli.demo import demo
from evenrank.cli.evaluate import evaluate

app = typer.Typer(
    name="evenrank",
    help="Exact, tie-aware evaluation of hash codes and embeddings.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(evaluate)
app.command()(demo)
app.add_typer(data)


@app.callback(invoke_without_command=True)
def version(show: bool = typer.Option(False, "--version", help="Print the version and stop.")) -> None:
    """Exact, tie-aware evaluation of hash codes and embeddings."""
    if show:
        from evenrank import __version__

        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line; bad input is one line on standard error and exit status 2."""
    try:
        app()
    except (ValueError, OSError) as error:
        typer.echo(f"evenrank: {error}", err=True)
        sys.exit(2)
