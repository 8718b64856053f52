"""`evenrank evaluate`: files in, a table on the screen, JSON on request."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer import Option

if TYPE_CHECKING:
    from evenrank.codes import Codes
    from evenrank.embeddings import Embeddings
    from evenrank.relevance import Relevance

Form = Literal["signs", "bits", "packed", "embeddings"]
Order = Literal["big", "little"]
Distance = Literal["cosine", "euclidean", "dot"]

FILE = "FILE[:KEY]"


def evaluate(
    queries: Annotated[str, Option(metavar=FILE, help="Query codes or embeddings.")],
    database: Annotated[str, Option(metavar=FILE, help="Database codes or embeddings.")],
    form: Annotated[Form, Option(help="What these two files hold.")],
    query_labels: Annotated[str, Option(metavar=FILE, help="One label a query, or a row of 0/1.")] = "",
    database_labels: Annotated[str, Option(metavar=FILE, help="The same for the database.")] = "",
    qrels: Annotated[str, Option(metavar="FILE", help="TREC judgements instead of labels; ids are row numbers.")] = "",
    bits: Annotated[int | None, Option(help="Bits of a packed row, if not all of its bytes' bits.")] = None,
    order: Annotated[Order, Option(help="Which bit of a packed byte comes first.")] = "big",
    distance: Annotated[Distance, Option(help="How embeddings are compared.")] = "cosine",
    graded: Annotated[bool, Option("--graded", help="Rows of 0/1 labels: level = labels shared, not any.")] = False,
    metrics: Annotated[str, Option(help="Comma-separated, like 'AP,AP@1000,P@H<=2'.")] = "",
    exclude_self: Annotated[bool, Option("--exclude-self", help="Row i is query i: leave it out.")] = False,
    ties: Annotated[Literal["expected", "index"], Option(help="All tie orders, or database order.")] = "expected",
    empty: Annotated[
        Literal["skip", "zero", "one", "error"], Option(help="What a query without relevant items counts as.")
    ] = "skip",
    memory: Annotated[str, Option(help="Bound of the working memory.")] = "1GB",
    json: Annotated[Path | None, Option(help="Write the whole result here.")] = None,
    per_query: Annotated[Path | None, Option(help="Write the per-query values here, .csv or .parquet.")] = None,
    conventions: Annotated[
        bool, Option("--conventions", help="Show AP under every convention, and which public tool uses it.")
    ] = False,
    cutoff: Annotated[int, Option(help="The k of --conventions.", min=1)] = 1000,
) -> None:
    """Evaluate codes or embeddings, exact over tie orders.

    Files are .npy, .npz, .mat, .fvecs, .bvecs or (labels) .txt; FILE:KEY picks an array of a .npz or .mat.

    Example: evenrank evaluate --queries q.npy --database d.npy --form signs --query-labels ql.npy
    --database-labels dl.npy --metrics AP,P@10
    """
    from evenrank import evaluate as er_evaluate
    from evenrank.cli.progress import progress
    from evenrank.conventions import conventions_table
    from evenrank.evaluate import METRICS

    check_outputs(json, per_query)
    asked = [name for name in re.split(r",(?![^(]*\))", metrics) if name.strip()] or METRICS
    query_items = read_items(queries, form, bits, order, distance)
    database_items = read_items(database, form, bits, order, distance)
    relevance = read_relevance(query_labels, database_labels, qrels, graded, (len(query_items), len(database_items)))
    if conventions:
        typer.echo(conventions_table(query_items, database_items, relevance, cutoff=cutoff, exclude_self=exclude_self))
        return
    with progress("evaluating") as report:
        result = er_evaluate(
            query_items,
            database_items,
            relevance,
            asked,
            exclude_self=exclude_self,
            ties=ties,
            empty=empty,
            memory=memory,
            progress=report,
        )
    if json:
        result.to_json(json)
    if per_query:
        (result.to_parquet if per_query.suffix == ".parquet" else result.to_csv)(per_query)
    typer.echo(str(result))


def check_outputs(json: Path | None, per_query: Path | None) -> None:
    """Raise ValueError if a result could not be written: better now than when it is there."""
    for path in filter(None, (json, per_query)):
        if not path.parent.is_dir():
            raise ValueError(f"{path}: the folder {path.parent} does not exist")
    if per_query and per_query.suffix not in (".csv", ".parquet"):
        raise ValueError(f"{per_query}: the suffix must be .csv or .parquet; got {per_query.suffix!r}")


def read_items(source: str, form: Form, bits: int | None, order: Order, distance: Distance) -> Codes | Embeddings:
    """Return the codes or embeddings of a file."""
    from evenrank.arrays import load_array
    from evenrank.codes import Codes
    from evenrank.embeddings import Embeddings

    path, key = split_key(source)
    if form == "embeddings":
        return Embeddings(load_array(path, key), distance)
    return Codes.from_file(path, form=form, bits=bits, order=order, key=key)


def read_relevance(
    query_labels: str, database_labels: str, qrels: str, graded: bool, shape: tuple[int, int]
) -> Relevance:
    """Return the relevance rule that the label files or the judgements stand for."""
    from evenrank.arrays import load_array
    from evenrank.relevance import Qrels, SameLabel, SharedLabels

    if qrels and not (query_labels or database_labels):
        return Qrels.from_file(qrels, queries=shape[0], database=shape[1])
    if qrels or not (query_labels and database_labels):
        raise ValueError("relevance must come from --query-labels and --database-labels, or from --qrels")
    of_queries, of_database = (load_array(*split_key(source)) for source in (query_labels, database_labels))
    if of_queries.ndim == 2 and of_queries.shape[1] > 1:
        return SharedLabels(of_queries, of_database, graded=graded)
    return SameLabel(of_queries.reshape(len(of_queries)), of_database.reshape(len(of_database)))


def split_key(source: str) -> tuple[str, str | None]:
    """Return (path, key) of FILE:KEY, or (path, None) of FILE.

    >>> split_key("codes.npz:query"), split_key("codes.npy")
    (('codes.npz', 'query'), ('codes.npy', None))
    """
    path, colon, key = source.rpartition(":")
    return (path, key) if colon and Path(path).suffix in (".npz", ".mat") else (source, None)
