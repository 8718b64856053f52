"""`evenrank search`: the nearest rows of every query, with their ties."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from evenrank.cli.evaluate import FILE, Distance, Form, Order

if TYPE_CHECKING:
    from evenrank.codes import Codes
    from evenrank.embeddings import Embeddings
    from evenrank.search import Neighbours

ROWS = 1 << 20  # of an index, looked at together


def search(
    queries: Annotated[str, Option(metavar=FILE, help="Query codes or embeddings.")],
    form: Annotated[Form, Option(help="What the files hold.")],
    database: Annotated[str, Option(metavar=FILE, help="Database codes or embeddings.")] = "",
    index: Annotated[Path | None, Option(metavar="FILE.faiss", help="Instead: a flat binary index of faiss.")] = None,
    k: Annotated[int, Option("-k", help="How many rows a query.", min=1)] = 10,
    bits: Annotated[int | None, Option(help="Bits of a packed row, if not all of its bytes' bits.")] = None,
    order: Annotated[Order, Option(help="Which bit of a packed byte comes first.")] = "big",
    distance: Annotated[Distance, Option(help="How embeddings are compared.")] = "cosine",
    json: Annotated[Path | None, Option(metavar="FILE", help="Write the groups here.")] = None,
) -> None:
    """List the k nearest database rows of every query, in groups of equal distance.

    Rows of a group tie: they are listed by row number, which says nothing. Where the k-th place cuts through a group,
    the line says how many of how many are shown.

    Example: evenrank search --queries q.npz:packed --database d.npz:packed --form packed --bits 12 -k 5

    Example: evenrank search --queries q.npz:packed --index d.faiss --form packed --bits 12 -k 5
    """
    from evenrank import search as er_search
    from evenrank.cli.evaluate import check_outputs, read_items
    from evenrank.cli.progress import progress
    from evenrank.codes import Codes

    check_outputs(json, None)
    if bool(database) == bool(index):
        raise ValueError("what is searched must come from --database or from --index")
    wanted = read_items(queries, form, bits, order, distance)
    if index and not isinstance(wanted, Codes):
        raise ValueError(f"{index}: a binary index holds codes, so --form must be signs, bits or packed; got {form}")
    if isinstance(wanted, Codes) and index:
        searched: Codes | Embeddings = read_codes(index, wanted)
    else:
        searched = read_items(database, form, bits, order, distance)
    with progress("searching") as report:
        found = er_search(wanted, searched, k, progress=report)
    if json:
        write(json, found, len(searched))
    for line in lines(found):
        typer.echo(line)


def read_codes(path: Path, queries: Codes) -> Codes:
    """Return the codes of an index, of as many bits as the queries have; those beyond must be zero, as they fill up."""
    from evenrank.codes import Codes
    from evenrank.formats.faiss_binary import read_index

    packed = read_index(path)
    width = packed.shape[1]
    if width != (queries.bits + 7) // 8:
        raise ValueError(f"{path}: codes of {8 * width} bits cannot be compared with queries of {queries.bits} bits")
    codes, filled = Codes(packed, queries.bits, queries.order), Codes(packed, 8 * width, queries.order)
    for first in range(0, len(codes), ROWS):
        last = first + ROWS
        if (codes.bytes(first, last) != filled.bytes(first, last)).any():
            raise ValueError(f"{path}: has codes of more than the {queries.bits} bits of the queries")
    return codes


def lines(found: Neighbours) -> Iterator[str]:
    """Yield a table: one line a group, and below what its order means."""
    yield f"{'query':>8}  {'distance':>10}  {'tied':>8}  rows"
    for query in range(len(found)):
        for place, group in enumerate(found[query]):
            rows = ", ".join(map(str, group.rows.tolist()))
            cut = f" ({len(group.rows):,} of {group.size:,} shown)" if group.cut else ""
            yield f"{query if place == 0 else '':>8}  {group.distance:>10.6g}  {group.size:>8,}  {rows}{cut}"
    yield ""
    yield "tied: how many rows of the whole database are at that distance. They are listed by row number, which says"
    yield "nothing about them: which rows of a group that is cut are shown is arbitrary."


def write(path: Path, found: Neighbours, database: int) -> None:
    """Write the groups of every query as JSON."""
    from json import dumps

    groups = [
        [{"distance": each.distance, "size": each.size, "rows": each.rows.tolist()} for each in found[query]]
        for query in range(len(found))
    ]
    about = {"queries": len(found), "database": database, "k": found.rows.shape[1], "groups": groups}
    path.write_text(dumps(about) + "\n", "utf-8")
