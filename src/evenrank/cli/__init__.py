"""The command line, one file a verb: parse, call, print."""

from __future__ import annotations

import sys

import typer

from evenrank.cli.bench import bench
from evenrank.cli.compare import compare
from evenrank.cli.data import data
from evenrank.cli.demo import demo
from evenrank.cli.encode import encode
from evenrank.cli.evaluate import evaluate
from evenrank.cli.export import export
from evenrank.cli.methods import methods
from evenrank.cli.plan import plan
from evenrank.cli.report import report
from evenrank.cli.search import search
from evenrank.cli.train import train
from evenrank.cli.tune import tune

EXTRAS = dict.fromkeys(("jinja2", "markupsafe", "plotly", "matplotlib"), "report")
EXTRAS |= dict.fromkeys(("optuna", "pydantic", "sqlalchemy"), "bench")

app = typer.Typer(
    name="evenrank",
    help="Train, search and evaluate hash codes and embeddings, exactly under ties.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for verb in (demo, evaluate, compare, train, tune, encode, search, report, export):
    app.command()(verb)
for verbs in (methods, data, plan, bench):
    app.add_typer(verbs)


@app.callback(invoke_without_command=True)
def version(show: bool = typer.Option(False, "--version", help="Print the version and stop.")) -> None:
    """Train, search and evaluate hash codes and embeddings, exactly under ties."""
    if show:
        from evenrank import __version__

        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line; bad input is one line on standard error and exit status 2."""
    try:
        app()
    except ModuleNotFoundError as error:  # of verbs and methods that need more
        fail(f"{error.name} is not installed: pip install 'evenrank[{EXTRAS.get(str(error.name), 'train')}]'")
    except (ValueError, OSError) as error:
        fail(str(error))


def fail(line: str) -> None:
    """Print one line on standard error and stop."""
    typer.echo(f"evenrank: {line}", err=True)
    sys.exit(2)
