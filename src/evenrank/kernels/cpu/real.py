"""Real-valued kernels for the processor: tiles of a matrix product, counted between each query's edges.

The product of a block of queries and a tile of database rows stays in cache while its keys are counted; no queries ×
database matrix exists. The product is of float64, and exact, or of float32 where that filter pays.

Symmetry. If the queries are the database (times a constant), the product is symmetric: half of it is computed, and each
tile is counted once for its rows and once, transposed, for its columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Lock

import numpy as np
from numba import njit
from threadpoolctl import threadpool_limits

from evenrank.kernels.cpu.edges import FEW, count_columns, count_tile, ladder
from evenrank.kernels.cpu.filter import exact_key, filter_margin, filter_pays
from evenrank.kernels.cpu.threads import thread_count

QUERIES = (96, 512)  # of a block: enough for the matrix product to be fast
ROWS = 2048  # of a tile
ROWS_PER_EDGE = 16  # of a tile where queries have many edges, so that making their buckets takes little of the time
PRODUCTS = 6 << 20  # of a tile, at most
SQUARE = 1008  # side of a symmetric tile: about 2²⁰ products; a power of two would make columns share cache lines
PAIRS = 1 << 15  # of one piece of `real_pairs`


def real_pairs(
    queries: np.ndarray, database: np.ndarray, bias: np.ndarray, query_rows: np.ndarray, database_rows: np.ndarray
) -> np.ndarray:
    """Return the key of each pair (query_rows[p], database_rows[p]), float64 holding an exact integer."""
    keys = np.empty(len(query_rows))

    def work(pieces: Iterator[int]) -> None:
        for first in pieces:
            mine = slice(first, first + PAIRS)
            pair_keys(queries, database, bias, query_rows[mine], database_rows[mine], keys[mine])

    in_threads(work, range(0, len(keys), PAIRS))
    return keys


def real_counts(
    queries: np.ndarray, database: np.ndarray, bias: np.ndarray, edges: np.ndarray, starts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (below, equal), int64, one entry per edge: database items whose key is below it, and equal to it.

    `edges[starts[q]:starts[q + 1]]` are query q's edges, ascending and distinct.
    """
    if len(edges) == 0 or len(database) == 0:
        return np.zeros(len(edges), np.int64), np.zeros(len(edges), np.int64)
    few = len(edges) <= FEW * len(queries)  # many are counted by buckets, faster for exact keys than the filter saves
    margin = filter_margin(queries, database, bias) if few else np.zeros(len(queries))
    if few and not filter_pays(queries, database, bias, edges, starts, margin):
        margin[:] = 0
    count = count_symmetric if few and symmetric(queries, database) else count_blocks
    return count(queries, database, bias, edges, starts, margin)


def count_blocks(
    queries: np.ndarray,
    database: np.ndarray,
    bias: np.ndarray,
    edges: np.ndarray,
    starts: np.ndarray,
    margin: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return `real_counts`, each block of queries against every tile of the database."""
    below, equal = np.zeros(len(edges), np.int64), np.zeros(len(edges), np.int64)
    step, width = tile_shape(len(queries), len(database), len(edges))
    kind = product_type(margin)

    def work(pieces: Iterator[int]) -> None:
        space = np.empty(step * width, kind)
        for first in pieces:
            last = min(first + step, len(queries))
            block, rungs = queries[first:last], ladder(edges, starts[first : last + 1], margin[first:last], kind)
            left, mine = block.astype(kind), slice(starts[first], starts[last])
            for row in range(0, len(database), width):
                tile = slice(row, row + width)
                product = multiply(left, database[tile].astype(kind, copy=False), space)
                count_tile(product, block, database[tile], bias[tile], rungs, 0, below[mine], equal[mine])

    in_threads(work, range(0, len(queries), step))
    return below, equal


def tile_shape(queries: int, rows: int, edges: int) -> tuple[int, int]:
    """Return (queries, rows) of a tile of `count_blocks`, where all queries together have so many edges."""
    width = min(max(ROWS, ROWS_PER_EDGE * edges // queries), PRODUCTS // QUERIES[0])
    width = -(-rows // -(-rows // width))  # tiles of equal size
    step = min(QUERIES[1], PRODUCTS // width, -(-queries // thread_count()))  # work for every thread
    return step, width


def count_symmetric(
    queries: np.ndarray,
    database: np.ndarray,
    bias: np.ndarray,
    edges: np.ndarray,
    starts: np.ndarray,
    margin: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return `real_counts` of queries that are a multiple of the database, from half of the products."""
    kind = product_type(margin)
    rungs = ladder(edges, starts, margin, kind)
    below, equal = rungs.counters()
    adding = Lock()

    def work(pieces: Iterator[int]) -> None:
        space, counters = np.empty(SQUARE**2, kind), rungs.counters()
        for first in pieces:
            mine = slice(first, first + SQUARE)
            left = queries[mine].astype(kind)
            for row in range(first, len(database), SQUARE):
                tile = slice(row, row + SQUARE)
                product = multiply(left, database[tile].astype(kind, copy=False), space)
                count_tile(product, queries[mine], database[tile], bias[tile], rungs, first, *counters)
                if row > first:
                    count_columns(product, queries[tile], database[mine], bias[mine], rungs, row, *counters)
        with adding:
            np.add(below, counters[0], out=below)
            np.add(equal, counters[1], out=equal)

    in_threads(work, range(0, len(queries), SQUARE))
    return below, equal


def multiply(queries: np.ndarray, rows: np.ndarray, space: np.ndarray) -> np.ndarray:
    """Return queries · rowsᵀ in `space`, which is reused: fresh memory would cost more than counting."""
    return np.matmul(queries, rows.T, out=space[: len(queries) * len(rows)].reshape(len(queries), len(rows)))


def product_type(margin: np.ndarray) -> type[np.floating]:
    """Return the type of products whose keys may be off by `margin`."""
    return np.float32 if margin.any() else np.float64


def symmetric(queries: np.ndarray, database: np.ndarray) -> bool:
    """Return whether the queries are the database, or twice the database (as euclidean queries are)."""
    if queries.shape != database.shape:
        return False
    return any(
        np.array_equal(queries[0], factor * database[0]) and np.array_equal(queries, factor * database)
        for factor in (1, 2)
    )


def in_threads(work: Callable[[Iterator[int]], None], pieces: Sequence[int]) -> None:
    """Run `work` in as many threads as numba may use, each taking pieces until none is left.

    Each thread makes its own matrix products, so those get one thread.
    """
    threads, queue = min(thread_count(), len(pieces)), SimpleQueue[int | None]()
    for piece in [*pieces, *[None] * threads]:
        queue.put(piece)
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(max(1, threads)) as pool:
        for done in [pool.submit(work, iter(queue.get, None)) for _ in range(threads)]:
            done.result()


@njit(cache=True, nogil=True)
def pair_keys(
    queries: np.ndarray,
    database: np.ndarray,
    bias: np.ndarray,
    query_rows: np.ndarray,
    database_rows: np.ndarray,
    keys: np.ndarray,
) -> None:
    """Write the key of each pair."""
    for p in range(len(keys)):
        keys[p] = exact_key(queries[query_rows[p]], database[database_rows[p]], bias[database_rows[p]])
