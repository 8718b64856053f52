"""Hamming distances pair by pair: of named pairs, and of each query to the distinct codes around it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import njit

from evenrank.kernels.cpu.threads import thread_count
from evenrank.kernels.cpu.vector import popcount_word
from evenrank.kernels.cpu.words import to_words

QUERIES = 16  # taken at a time
RUN = 65536  # pairs taken at a time: their codes are gathered from the database, which may be a memory map


def hamming_pairs(
    queries: np.ndarray, database: np.ndarray, query_rows: np.ndarray, database_rows: np.ndarray
) -> np.ndarray:
    """Return the Hamming distance of each pair (query_rows[p], database_rows[p]), int64."""
    distances = np.empty(len(query_rows), np.int64)

    def fill(first: int) -> None:
        run = slice(first, first + RUN)
        word_distances(to_words(queries[query_rows[run]]), to_words(database[database_rows[run]]), distances[run])

    with ThreadPoolExecutor(thread_count()) as pool:
        list(pool.map(fill, range(0, len(query_rows), RUN)))
    return distances


def occupancy(
    queries: np.ndarray, codes: np.ndarray, multiplicity: np.ndarray, radius: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (occupied, largest, spread), each (queries, radius + 1), of the distinct `codes` at each distance.

    occupied: how many there are (int64); largest: their largest multiplicity (int64, 0 if none);
    spread: sum of c log c over their multiplicities c (float64).
    """
    shape = (len(queries), radius + 1)
    occupied, largest, spread = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape)
    left, right = to_words(queries), to_words(codes)
    weight = np.ascontiguousarray(multiplicity, np.int64)
    terms = weight * np.log(weight)

    def fill(first: int) -> None:
        run = slice(first, first + QUERIES)
        count_around(left[run], right, weight, terms, occupied[run], largest[run], spread[run])

    with ThreadPoolExecutor(thread_count()) as pool:
        list(pool.map(fill, range(0, len(queries), QUERIES)))
    return occupied, largest, spread


@njit(cache=True, nogil=True)
def word_distances(left: np.ndarray, right: np.ndarray, distances: np.ndarray) -> None:
    """Write the distance of each row of `left` to the same row of `right`, both (n, words) uint64."""
    for i in range(len(distances)):
        distance = 0
        for word in range(left.shape[1]):
            distance += popcount_word(left[i, word] ^ right[i, word])
        distances[i] = distance


@njit(cache=True, nogil=True)
def count_around(
    queries: np.ndarray,
    codes: np.ndarray,
    multiplicity: np.ndarray,
    terms: np.ndarray,
    occupied: np.ndarray,
    largest: np.ndarray,
    spread: np.ndarray,
) -> None:
    """Add the codes around each query, as far out as `occupied` is wide."""
    for q in range(len(queries)):
        for i in range(len(codes)):
            distance = 0
            for word in range(codes.shape[1]):
                distance += popcount_word(queries[q, word] ^ codes[i, word])
            if distance < occupied.shape[1]:
                occupied[q, distance] += 1
                largest[q, distance] = max(largest[q, distance], multiplicity[i])
                spread[q, distance] += terms[i]
