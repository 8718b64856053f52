"""The processor's Hamming kernels return exactly what the reference returns, whatever the shape and the relevance."""

import numba
import numpy as np
import pytest

from evenrank.kernels import Lists, cpu, reference
from evenrank.kernels.cpu import arrangement


def random_codes(random, count, bits, share=0.5):
    return np.packbits(random.random((count, bits)) < share, axis=1)


def spread_codes(random, count, bits):
    """Return codes whose distance to zero is uniform on 0 … bits."""
    return np.packbits(np.arange(bits) < random.integers(0, bits + 1, count)[:, None], axis=1)


def build_lists(rows, held, weights, levels):
    """Return Lists from rows of each list, lists of each query and the weight of each of these memberships."""
    return Lists(
        np.concatenate([np.empty(0, np.int64), *(np.sort(np.asarray(r, np.int64)) for r in rows)]),
        np.cumsum([0] + [len(r) for r in rows]),
        np.concatenate([np.empty(0, np.int64), *(np.asarray(h, np.int64) for h in held)]),
        np.cumsum([0] + [len(h) for h in held]),
        np.concatenate([np.empty(0, np.int64), *(np.asarray(w, np.int64) for w in weights)]),
        levels,
    )


def shared_class(random, queries, rows, classes=4, weight=1, levels=2):
    """Every query holds one of a few disjoint lists; the last class is in no query, the first in no row."""
    label = random.integers(1, classes, rows)
    held = [[c] for c in random.integers(0, classes - 1, queries)]
    return build_lists([np.flatnonzero(label == c) for c in range(classes)], held, [[weight]] * queries, levels)


def shared_labels(random, queries, rows, levels, labels=7):
    """Overlapping lists that queries share; some queries hold none."""
    held = [np.flatnonzero(random.random(labels) < 0.3) for _ in range(queries)]
    lists = [np.flatnonzero(random.random(rows) < 0.3) for _ in range(labels)]
    return build_lists(lists, held, [np.ones(len(h), np.int64) for h in held], levels)


def own_grades(random, queries, rows, share, levels=4):
    """Each query owns a list for each level but 0."""
    grade = random.integers(1, levels, (queries, rows)) * (random.random((queries, rows)) < share)
    lists = [np.flatnonzero(grade[q] == level) for q in range(queries) for level in range(1, levels)]
    held = [np.arange(levels - 1) + q * (levels - 1) for q in range(queries)]
    return build_lists(lists, held, [np.arange(1, levels)] * queries, levels)


def own_overlapping(random, queries, rows, levels=3):
    """Each query owns three short lists of various weights (0 among them) that share rows."""
    lists = [random.choice(rows, min(rows, 5), replace=False) for _ in range(3 * queries)]
    held = [[3 * q, 3 * q + 1, 3 * q + 2] for q in range(queries)]
    return build_lists(lists, held, [[1, 0, 2]] * queries, levels)


RELEVANCE = {
    "classes": shared_class,
    "classes of weight 2": lambda *shape: shared_class(*shape, weight=2, levels=4),
    "many classes": lambda *shape: shared_class(*shape, classes=60),
    "any label": lambda *shape: shared_labels(*shape, levels=2),
    "counted labels": lambda *shape: shared_labels(*shape, levels=8),
    "capped labels": lambda *shape: shared_labels(*shape, levels=3),
    "own grades": lambda *shape: own_grades(*shape, share=0.5),
    "few own grades": lambda *shape: own_grades(*shape, share=0.01),
    "own overlapping": own_overlapping,
    "own overlapping, capped": lambda *shape: own_overlapping(*shape, levels=2),
    "classes of weight 0": lambda *shape: shared_class(*shape, weight=0),
    "nothing": lambda random, queries, rows: build_lists([], [[]] * queries, [[]] * queries, 2),
}


def check(queries, database, bits, lists):
    expected = reference.hamming_counts(queries, database, bits, lists)
    np.testing.assert_array_equal(cpu.hamming_counts(queries, database, bits, lists), expected)


@pytest.mark.parametrize("bits", [1, 7, 8, 9, 12, 24, 48, 63, 64, 65, 100, 127, 128, 129, 256, 1000, 4096])
def test_any_number_of_bits(bits):
    random = np.random.default_rng(bits)
    queries, database = random_codes(random, 9, bits), random_codes(random, 700, bits)
    check(queries, database, bits, shared_class(random, 9, 700))
    check(queries, database, bits, shared_labels(random, 9, 700, levels=4))
    check(spread_codes(random, 9, bits), spread_codes(random, 700, bits), bits, shared_class(random, 9, 700))


@pytest.mark.parametrize("rows", [0, 1, 5, 511, 512, 513, 1500])
@pytest.mark.parametrize("queries", [0, 1, 3, 130])
def test_any_number_of_queries_and_rows(queries, rows):
    random = np.random.default_rng(rows)
    for bits in (20, 80):
        codes = random_codes(random, queries, bits), random_codes(random, rows, bits)
        check(*codes, bits, shared_class(random, queries, rows))
        check(*codes, bits, own_overlapping(random, queries, rows))


@pytest.mark.parametrize("bits", [48, 130])
@pytest.mark.parametrize("kind", RELEVANCE)
def test_any_relevance(kind, bits):
    random = np.random.default_rng(0)
    lists = RELEVANCE[kind](random, 70, 3000)
    check(random_codes(random, 70, bits), random_codes(random, 3000, bits, share=0.4), bits, lists)


def test_both_ways_of_counting_relevance_are_tested():
    random = np.random.default_rng(0)
    database = random_codes(random, 3000, 48)
    for kind, one_by_one in {"classes": False, "counted labels": False, "few own grades": True}.items():
        lists = RELEVANCE[kind](random, 70, 3000)
        holders = np.bincount(lists.members, minlength=len(lists.starts) - 1)
        assert arrangement.arrange(database, 0, 3000, lists, holders).one_by_one == one_by_one


def test_more_rows_than_a_slice_holds():
    random = np.random.default_rng(0)
    queries, database = random_codes(random, 3, 16), random_codes(random, 150_000, 16)
    check(queries, database, 16, shared_class(random, 3, 150_000))
    check(queries, database, 16, own_overlapping(random, 3, 150_000))


@pytest.mark.parametrize("bits", [8, 64, 200])
@pytest.mark.parametrize("value", [0, 255])
def test_all_distances_equal(bits, value):
    database = np.full((66_000, bits // 8), value, np.uint8)
    check(np.zeros((2, bits // 8), np.uint8), database, bits, shared_class(np.random.default_rng(0), 2, 66_000))


def test_threads_change_nothing():
    random = np.random.default_rng(0)
    codes = random_codes(random, 300, 64), random_codes(random, 40_000, 64)
    lists = shared_labels(random, 300, 40_000, levels=3)
    threads = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        alone = cpu.hamming_counts(*codes, 64, lists)
    finally:
        numba.set_num_threads(threads)
    np.testing.assert_array_equal(cpu.hamming_counts(*codes, 64, lists), alone)


def test_strided_and_read_only_codes(tmp_path):
    random = np.random.default_rng(0)
    wide = random_codes(random, 1200, 256)
    lists = shared_class(random, 10, 600)
    check(wide[:10, 3:11], wide[::2, 4:12], 64, lists)
    check(np.asfortranarray(wide[:10, :8]), wide[600:, :8], 64, lists)
    wide[:600, :8].tofile(tmp_path / "codes")
    mapped = np.memmap(tmp_path / "codes", np.uint8, "r", shape=(600, 8))
    check(np.asarray(mapped[:10]), mapped, 64, lists)
    raw = np.frombuffer(b"x" + wide[:600, :8].tobytes(), np.uint8)[1:].reshape(600, 8)  # not aligned to words
    check(raw[:10], raw, 64, lists)


def test_read_only_lists():
    random = np.random.default_rng(0)
    lists = shared_class(random, 10, 600)
    for array in lists[:-1]:
        array.flags.writeable = False
    check(random_codes(random, 10, 32), random_codes(random, 600, 32), 32, lists)


@pytest.mark.parametrize("bits", [5, 64, 300])
@pytest.mark.parametrize("pairs", [0, 1, 100_000])
def test_pairs(bits, pairs):
    random = np.random.default_rng(0)
    queries, database = random_codes(random, 50, bits), random_codes(random, 900, bits)
    rows = random.integers(0, 50, pairs), random.integers(0, 900, pairs)
    got = cpu.hamming_pairs(queries, database, *rows)
    np.testing.assert_array_equal(got, reference.hamming_pairs(queries, database, *rows))
    assert got.dtype == np.int64


@pytest.mark.parametrize(("bits", "radius"), [(5, 5), (12, 2), (64, 40), (130, 70), (64, 0)])
def test_occupancy(bits, radius):
    random = np.random.default_rng(0)
    queries = random_codes(random, 20, bits)
    codes, multiplicity = np.unique(random_codes(random, 400, bits), axis=0, return_counts=True)
    got = cpu.occupancy(queries, codes, multiplicity, radius)
    occupied, largest, spread = reference.occupancy(queries, codes, multiplicity, radius)
    np.testing.assert_array_equal(got[0], occupied)
    np.testing.assert_array_equal(got[1], largest)
    np.testing.assert_allclose(got[2], spread, rtol=1e-12)
