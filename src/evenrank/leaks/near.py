"""Queries that nearly repeat an item they must not meet, by distance between descriptors.

How near is near depends on the space, so the data says it: the typical distance is the median over items of the
distance to their nearest neighbour, and a near-duplicate is closer than a share of it. In few dimensions (topics, say)
such distances vary so much that many are closer by chance: a warning to look, not a proof. Distances are those of
`Embeddings`, exact in fixed point, so that neither tiles nor the order of the rows change what is found.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from evenrank.embeddings import Embeddings, fixed_point
from evenrank.leaks.finding import Finding, promised, share
from evenrank.split import Split

SAMPLE = 1000  # items whose nearest neighbours say what is typical

Progress = Callable[[int, int], None]


def near_duplicates(
    split: Split,
    first: Mapping[str, np.ndarray],
    vectors: Mapping[str, np.ndarray],
    near: float,
    memory: int,
    progress: Progress | None = None,
) -> Iterator[Finding]:
    """Yield how many queries are near-duplicates of items in train and database, unless they share on purpose.

    `first` and `vectors` are by modality. Exact duplicates are left out: `duplicates` has them.
    """
    parts = [part for part in ("train", "database") if not promised(split.shares, "query", part)]
    reached = np.unique(np.concatenate([split.query[:0], *(getattr(split, part) for part in parts)]))
    where = " in " + " or ".join(part for part in parts if len(getattr(split, part)))
    for name, values in vectors.items():
        finite = np.isfinite(values).all(axis=1)
        others = _distinct(reached[finite[reached]], first[name])
        queries = split.query[finite[split.query] & ~np.isin(first[name][split.query], first[name][others])]
        if len(others) < 2 or not len(queries):
            continue
        space = Embeddings(values if finite.all() else np.where(finite[:, None], values, 0), "euclidean")
        typical = typical_distance(space, others, memory)
        distances, rows = nearest(space, queries, others, memory, progress)
        close = np.flatnonzero(distances < near * typical)
        if len(close):
            close = close[np.argsort(distances[close], kind="stable")]
            text = (
                f"queries with a near-duplicate ({name}){where}: {share(close, split.query)}, "
                f"at {distances[close[0]] / typical:.2f} to {near:g} × the typical distance of nearest neighbours"
            )
            yield Finding("near-duplicates", "warning", len(close), text, np.stack([queries, rows], axis=1)[close])


def _distinct(rows: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Return the rows without those that repeat an earlier one."""
    return np.sort(rows[np.unique(first[rows], return_index=True)[1]])


def typical_distance(space: Embeddings, rows: np.ndarray, memory: int) -> float:
    """Return the median distance of the rows to their nearest neighbours among them.

    Of many rows some are asked, chosen by what is in them: the same items however the dataset is ordered.
    """
    keys = [zlib.crc32(space.values[row].tobytes()) for row in rows]
    sample = rows[np.argsort(keys, kind="stable")[:SAMPLE]]
    return float(np.median(nearest(space, sample, rows, memory)[0]))


def nearest(
    space: Embeddings, queries: np.ndarray, others: np.ndarray, memory: int, progress: Progress | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the distance and the row of each query's nearest of the others, itself excepted, tile by tile.

    Queries and others are rows of `space`, the others ascending; of equally near ones the first is returned.
    """
    fixed, step = fixed_point(space), _side(memory, space.dimensions)
    sums, rows = np.full(len(queries), np.inf), np.full(len(queries), -1)
    for start in range(0, len(others), step):
        columns = others[start : start + step]
        items, bias = fixed.database(space[columns])
        for top in range(0, len(queries), step):
            tile = slice(top, top + step)
            asked, own = fixed.queries(space[queries[tile]])
            keys = asked @ items.T
            np.subtract(bias, keys, out=keys)
            keys[_same(queries[tile], columns)] = np.inf
            place = keys.argmin(axis=1)
            best = keys[np.arange(len(place)), place] + own
            better = best < sums[tile]
            sums[tile][better], rows[tile][better] = best[better], columns[place[better]]
        if progress:
            progress(min(start + step, len(others)), len(others))
    return fixed.distances(sums), rows


def _same(rows: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where a row is one of the columns, which ascend, as indices of a matrix."""
    place = np.searchsorted(columns, rows)
    hits = np.flatnonzero(np.append(columns, -1)[place] == rows)
    return hits, place[hits]


def _side(memory: int, dimensions: int) -> int:
    """Return the side s of a tile that fits in memory: s × s products and two sides of s rows, made from copies."""
    sides = 2 * dimensions  # of s² + 4 s d = memory in float64
    return max(1, int(np.sqrt(sides**2 + memory / 8) - sides))
