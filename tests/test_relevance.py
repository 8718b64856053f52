import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array
from scipy.spatial.distance import cdist, pdist

from evenrank.relevance import (
    Graded,
    MatchingAttributes,
    NearestCount,
    Qrels,
    Relevance,
    SameLabel,
    SharedLabels,
    WithinDistance,
    features,
    nearest_count,
)

QUERIES, ITEMS = 7, 23


def same_label(rng):
    return SameLabel(rng.integers(0, 4, QUERIES), rng.integers(0, 4, ITEMS))


def same_word(rng):
    return SameLabel(rng.choice(["owl", "cat", "eel"], QUERIES), rng.choice(["cat", "owl", "ox"], ITEMS))


def same_far_number(rng):
    return SameLabel(rng.integers(-3, 3, QUERIES) * 10**12, rng.integers(-3, 3, ITEMS) * 10**12)


def shared_labels(rng):
    return SharedLabels(rng.integers(0, 2, (QUERIES, 5)), rng.random((ITEMS, 5)) < 0.4)


def counted_labels(rng):
    return SharedLabels(csr_array(rng.integers(0, 2, (QUERIES, 5))), rng.integers(0, 2, (ITEMS, 5)), graded=True)


def matching_attributes(rng):
    return MatchingAttributes(rng.integers(-1, 2, (QUERIES, 3)), rng.integers(-1, 2, (ITEMS, 3)))


def graded(rng):
    return Graded(rng.choice([0, 0, 1, 2, 7], (QUERIES, ITEMS)))


def qrels(rng):
    cells = np.argwhere(rng.random((QUERIES, ITEMS)) < 0.3)
    return Qrels([(q, i, rng.integers(-1, 3)) for q, i in cells.tolist()], queries=QUERIES, database=ITEMS)


def within_distance(rng):
    x = rng.normal(size=(QUERIES + ITEMS, 3)).astype(np.float32)
    return WithinDistance(x[:QUERIES], x[QUERIES:], x[QUERIES:], shares=(0.5, 0.3, 0.1), levels=(1, 2, 4))


def nearest_rows(rng):
    return NearestCount(rng.integers(0, 3, (QUERIES, 2)), rng.integers(0, 3, (ITEMS, 2)), 5)


RULES = [
    same_label,
    same_word,
    same_far_number,
    shared_labels,
    counted_labels,
    matching_attributes,
    graded,
    qrels,
    within_distance,
    nearest_rows,
]
every_rule = pytest.mark.parametrize("make", RULES, ids=lambda make: make.__name__)


def dense(relevance, queries=None):
    """Return the level indexes that the lists say, checking what every kernel relies on."""
    lists = relevance.relevant(queries)
    assert all(array.dtype == np.int64 for array in lists[:5])
    assert lists.levels == len(relevance.levels)
    for first, last in zip(lists.starts[:-1], lists.starts[1:], strict=True):
        assert (np.diff(lists.rows[first:last]) > 0).all()
    matrix = np.zeros((lists.queries, relevance.shape[1]), np.int64)
    query, row, level = lists.pairs()
    assert (level > 0).all()
    matrix[query, row] = level
    return matrix


def selections(count):
    return st.one_of(
        st.none(),
        st.tuples(st.integers(0, count - 1), st.integers(1, count)).map(lambda t: slice(t[0], max(t[1], t[0] + 1))),
        st.lists(st.integers(0, count - 1), min_size=1, max_size=count).map(np.array),
    )


def pick(rows):
    return slice(None) if rows is None else rows


@every_rule
@settings(max_examples=15)
@given(data=st.data(), seed=st.integers(0, 1000))
def test_lists_blocks_and_parts_agree(make, data, seed):
    relevance = make(np.random.default_rng(seed))
    whole = relevance.block()
    assert relevance.shape == (QUERIES, ITEMS) == whole.shape
    assert whole.dtype == np.int64
    np.testing.assert_array_equal(dense(relevance), whole)
    np.testing.assert_array_equal(Relevance.block(relevance), whole)  # the contract's own way
    queries, items = data.draw(selections(QUERIES)), data.draw(selections(ITEMS))
    expected = whole[pick(queries)][:, pick(items)]
    np.testing.assert_array_equal(dense(relevance, queries), whole[pick(queries)])
    np.testing.assert_array_equal(relevance.block(queries, items), expected)
    part = relevance.take(queries, items)
    assert type(part) is type(relevance)
    assert part.shape == expected.shape
    assert part.threshold == relevance.threshold
    np.testing.assert_array_equal(part.levels, relevance.levels)  # or tallies of shards would not add up
    np.testing.assert_array_equal(part.block(), expected)
    np.testing.assert_array_equal(dense(part), expected)
    np.testing.assert_array_equal(relevance.block(), whole)


@every_rule
def test_levels_ascend_from_zero_and_masks_select(make):
    relevance = make(np.random.default_rng(3))
    assert relevance.levels[0] == 0
    assert relevance.levels.dtype == np.int64
    assert (np.diff(relevance.levels) > 0).all()
    mask = np.arange(ITEMS) % 3 == 0
    np.testing.assert_array_equal(relevance.block(items=mask), relevance.block()[:, mask])
    with pytest.raises(ValueError, match="rows must be a slice, row numbers, a mask or None; got float64"):
        relevance.take(np.array([0.5]))
    assert f"{QUERIES} queries, {ITEMS} database items" in repr(relevance)


@given(seed=st.integers(0, 1000))
def test_rules_of_labels_are_what_their_names_say(seed):
    rng = np.random.default_rng(seed)
    q, d = rng.integers(0, 3, (4, 3)), rng.integers(0, 3, (9, 3))
    np.testing.assert_array_equal(SameLabel(q[:, 0], d[:, 0]).block(), q[:, :1] == d[:, 0])
    matching = (q[:, None] == d[None]).sum(axis=2)
    np.testing.assert_array_equal(MatchingAttributes(q, d).block(), matching)
    np.testing.assert_array_equal(MatchingAttributes(1000000 * q - 7, 1000000 * d - 7).block(), matching)
    a, b = q > 0, d > 0
    shared = a.astype(int) @ b.T.astype(int)
    np.testing.assert_array_equal(SharedLabels(a, b).block(), shared > 0)
    np.testing.assert_array_equal(SharedLabels(a, b, graded=True).block(), shared)
    assert SharedLabels(a, b, graded=True).levels[-1] == max(1, min(a.sum(1).max(), b.sum(1).max()))


def test_classes_are_shared_lists_of_the_same_arrays():
    relevance = SameLabel([2, 0, 2], [0, 2, 2, 0, 1])
    whole, part = relevance.relevant(), relevance.relevant(slice(0, 1))
    assert np.shares_memory(whole.rows, part.rows)
    assert np.shares_memory(whole.starts, part.starts)
    assert np.shares_memory(whole.rows, relevance.take([2, 1]).relevant().rows)
    assert len(part.members) == 1
    assert part.rows[part.starts[part.members[0]] : part.starts[part.members[0] + 1]].tolist() == [1, 2]
    taken = relevance.take([2, 1], [0, 1])
    assert (taken.query_labels.tolist(), taken.database_labels.tolist()) == ([2, 0], [0, 2])


@pytest.mark.parametrize(
    ("q", "d"),
    [
        ([1.0, 2.0], np.array([2, 1, 1], np.uint8)),  # MATLAB's doubles
        (np.array(["b", "c"], object), np.array(["c", "b", "b"])),
        (np.array([1, 2], object), [2, 1, 1]),
        (np.array([True, False]), [0, 1, 1]),
        (np.array([10**15, -1]), [-1, 10**15, 10**15]),
    ],
)
def test_labels_of_any_usual_kind(q, d):
    assert SameLabel(q, d).block().tolist() == [[0, 1, 1], [1, 0, 0]]


def test_labels_in_a_tensor():
    torch = pytest.importorskip("torch")
    assert SameLabel(torch.tensor([1]), torch.tensor([0, 1])).block().tolist() == [[0, 1]]


def test_matching_attributes_counts_full_matches_unless_told():
    q, d = [[1, 2, 3]], [[1, 2, 3], [1, 2, 0]]
    assert MatchingAttributes(q, d).threshold == 3
    assert MatchingAttributes(q, d, relevant_from=2).threshold == 2
    assert SameLabel([1], [1]).threshold == 1


def test_items_without_labels_are_relevant_to_nobody():
    relevance = SharedLabels([[0, 0]], [[1, 0], [0, 0]], graded=True)
    assert relevance.levels.tolist() == [0, 1]
    assert relevance.block().tolist() == [[0, 0]]


@pytest.mark.parametrize("form", [np.asarray, csr_array, coo_array], ids=["dense", "csr", "coo"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float32, np.float64])
def test_graded_levels_are_the_values_there(form, dtype):
    matrix = np.array([[0, 10, 2], [2, 0, 0]], dtype)
    relevance = Graded(form(matrix))
    assert relevance.levels.tolist() == [0, 2, 10]
    np.testing.assert_array_equal(relevance.levels[relevance.block()], matrix)
    assert Graded(form(matrix * 0)).levels.tolist() == [0, 1]


def test_graded_reads_a_loosely_written_sparse_matrix_and_leaves_it_alone():
    data, columns = np.array([1, 0, 3, 1]), np.array([2, 1, 0, 2])  # unsorted, a zero, and one cell in two parts
    matrix = csr_array((data.copy(), columns.copy(), [0, 4]), (1, 3))
    relevance = Graded(matrix)
    assert relevance.levels[relevance.block()].tolist() == [[3, 0, 2]]
    assert matrix.data.tolist() == data.tolist()
    assert matrix.indices.tolist() == columns.tolist()


def test_judgements_are_one_list_a_query_and_level():
    lists = Graded([[1, 2, 1, 2], [0, 0, 0, 0], [2, 0, 0, 2]]).relevant()
    assert lists.rows.tolist() == [0, 2, 1, 3, 0, 3]
    assert lists.starts.tolist() == [0, 2, 4, 6]
    assert lists.weights.tolist() == [1, 2, 2]
    assert lists.member_starts.tolist() == [0, 2, 2, 3]


IDS = ["q1", "q2", "q3"], ["a", "b", "c"]
JUDGED = {"q1": {"a": 2, "c": 1, "b": -1}, "q2": {"b": 5, "elsewhere": 5}, "stranger": {"a": 1}}
EXPECTED = [[2, 0, 1], [0, 5, 0], [0, 0, 0]]


def tuples(judged):
    return [(query, item, level) for query, items in judged.items() for item, level in items.items()]


def test_qrels_in_every_form(tmp_path):
    ir_measures = pytest.importorskip("ir_measures")
    path = tmp_path / "qrels.txt"
    path.write_text("".join(f"{q} 0 {i}\t{level}\n\n" for q, i, level in tuples(JUDGED)))
    forms = [
        Qrels(JUDGED, *IDS),
        Qrels(tuples(JUDGED), *IDS),
        Qrels((ir_measures.Qrel(*triple) for triple in tuples(JUDGED)), *IDS),
        Qrels.from_file(path, *IDS),
    ]
    for relevance in forms:
        assert relevance.levels.tolist() == [0, 1, 2, 5]
        assert relevance.levels[relevance.block()].tolist() == EXPECTED
        assert relevance.dropped == 2


def test_qrels_by_row_number(tmp_path):
    assert Qrels({0: {2: 1}, 1: {0: 1}}).shape == (2, 3)
    relevance = Qrels({0: {2: 1}, 1: {0: 1, 9: 1}}, queries=4, database=5)
    assert (relevance.shape, relevance.dropped) == ((4, 5), 1)
    assert relevance.relevant().pairs()[1].tolist() == [2, 0]
    path = tmp_path / "qrels.txt"
    path.write_text("7 0 4 1\n")
    assert Qrels.from_file(path).shape == (8, 5)
    assert Qrels.from_file(path, [3, 7], [4, 5]).block().tolist() == [[0, 0], [1, 0]]


def test_a_judgement_said_twice_counts_once():
    assert Qrels([(0, 0, 1), (0, 0, 1), (0, 1, 2)]).block().tolist() == [[1, 2]]


def test_thresholds_are_quantiles_of_plain_distances_and_levels_the_tightest_met():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(120, 4)) * 30
    relevance = WithinDistance(x[:20], x[20:], x[40:], shares=(0.5, 0.2, 0.05), levels=(1, 2, 5))
    np.testing.assert_allclose(relevance.thresholds, np.quantile(pdist(x[40:]), [0.5, 0.2, 0.05]), rtol=1e-6)
    expected = (cdist(x[:20], x[20:])[..., None] <= relevance.thresholds).sum(axis=-1)
    np.testing.assert_array_equal(relevance.block(), expected)
    assert set(relevance.levels[expected].ravel()) == {0, 1, 2, 5}


def test_cosine_thresholds():
    x = np.random.default_rng(0).normal(size=(60, 4))
    relevance = WithinDistance(x[:20], x[20:], x[20:], shares=(0.3,), levels=(1,), distance="cosine")
    np.testing.assert_allclose(relevance.thresholds, np.quantile(pdist(x[20:], "cosine"), [0.3]), rtol=1e-6)
    np.testing.assert_array_equal(relevance.block(), cdist(x[:20], x[20:], "cosine") <= relevance.thresholds)


def test_a_pair_at_the_threshold_meets_it():
    line = np.array([[0.0], [1.0], [2.0]])  # training distances 1, 1, 2
    relevance = WithinDistance(line[:1], line, line, shares=(0.5,), levels=(1,))
    assert relevance.thresholds.tolist() == [1.0]
    assert relevance.block().tolist() == [[1, 1, 0]]


def test_many_training_rows_are_sampled_by_seed():
    x = np.random.default_rng(0).normal(size=(300, 3))
    of = [WithinDistance(x, x, x, sample=50, seed=seed).thresholds.tolist() for seed in (0, 0, 1)]
    assert of[0] == of[1] != of[2]


def test_distances_do_not_depend_on_tiles(monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(90, 33)).astype(np.float32)
    x[60:] = x[30:60]  # ties, which a rounded product would break differently in every tile
    wholes = [WithinDistance(x[:30], x[30:], x), NearestCount(x[:30], x[30:], 7)]
    monkeypatch.setattr(features, "PAIRS", 70)
    monkeypatch.setattr(nearest_count, "QUERIES", 11)
    tiled = [WithinDistance(x[:30], x[30:], x), NearestCount(x[:30], x[30:], 7)]
    assert wholes[0].thresholds.tolist() == tiled[0].thresholds.tolist()
    for whole, tile in zip(wholes, tiled, strict=True):
        np.testing.assert_array_equal(whole.block(), tile.block())
        np.testing.assert_array_equal(dense(whole), dense(tile))


@given(seed=st.integers(0, 1000), k=st.integers(1, 12), pairs=st.sampled_from([1, 9, 50, 10**6]))
def test_nearest_are_first_by_distance_then_row(seed, k, pairs):
    rng = np.random.default_rng(seed)
    q, d = rng.integers(0, 3, (5, 2)), rng.integers(0, 3, (12, 2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(features, "PAIRS", pairs)
        relevance = NearestCount(q, d, k)
    squares = ((q[:, None] - d[None]) ** 2).sum(axis=2)
    order = np.argsort(squares, axis=1, kind="stable")[:, :k]
    expected = np.zeros((5, 12), int)
    np.put_along_axis(expected, order, 1, axis=1)
    np.testing.assert_array_equal(relevance.block(), expected)


X = np.eye(3)
HOLE = np.array([[1.0, 0, 0], [0, np.nan, 0]])


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda: SameLabel(np.ones((10, 3)), [1]), r"^query_labels of SameLabel must be 1-D.*\(10, 3\).*SharedLabels"),
        (lambda: SameLabel([1], np.ones((10, 1))), r"^database_labels of SameLabel.*\(10, 1\): flatten it"),
        (lambda: SameLabel([], [1]), "query_labels of SameLabel must not be empty"),
        (lambda: SameLabel([1.0, np.nan], [1]), "got nan in row 1"),
        (lambda: SameLabel([1], [1, 2.5]), r"database_labels of SameLabel must be whole .* got 2\.5 in row 1"),
        (lambda: SameLabel(["a"], [1]), "of one kind, integers or words; got <U1 and int64"),
        (lambda: SameLabel(np.array(["a", None], object), ["a"]), "all integers or all words; got None in row 1"),
        (lambda: SharedLabels([1, 0], [[1, 0]]), r"2-D and not empty; got shape \(2,\).*SameLabel"),
        (
            lambda: SharedLabels([[1, 2]], [[1, 0]]),
            "query_labels of SharedLabels must be 0 or 1; got 2 in row 0, column 1",
        ),
        (lambda: SharedLabels([[1]], csr_array([[0], [3]])), "database_labels .* got 3 in row 1, column 0"),
        (lambda: SharedLabels([[1, 0]], [[1, 0, 1]]), "equally many columns.* got 2 and 3"),
        (lambda: SharedLabels([["a"]], [[1]]), "must be numbers; got <U1"),
        (lambda: MatchingAttributes([1, 2], [[1, 2]]), r"must be 2-D, one column an attribute; got shape \(2,\)"),
        (lambda: MatchingAttributes([[1, 2]], [[1]]), "equally many columns; got 2 and 1"),
        (lambda: MatchingAttributes([[1, 0.5]], [[1, 2]]), r"got 0\.5 in row 0"),
        (lambda: MatchingAttributes([[1]], [[1]], relevant_from=2), "a level from 1 to 1; got 2"),
        (lambda: Graded([[0, 1], [0, -2]]), "of at least 0; got -2 in row 1, column 1"),
        (lambda: Graded(csr_array([[0, -2]])), "got -2 in row 0, column 1"),
        (lambda: Graded([[0.5]]), r"got 0\.5 in row 0, column 0"),
        (lambda: Graded([[0, np.nan]]), "got nan in row 0, column 1"),
        (lambda: Graded([[np.inf]]), "got inf in row 0"),
        (lambda: Graded([1, 2]), r"got shape \(2,\)"),
        (lambda: Graded(np.zeros((0, 3))), r"got shape \(0, 3\)"),
        (lambda: Qrels({"a": {0: 1}}), "row numbers unless query_ids is given; got 'a'"),
        (lambda: Qrels({0: {-1: 1}}), "row numbers unless database_ids is given; got -1"),
        (lambda: Qrels({0: {0: 1}}, [0], [0], database=2), "database of Qrels must not be given beside database_ids"),
        (lambda: Qrels({0: {0: 0.5}}), r"whole numbers; got 0\.5"),
        (lambda: Qrels({0: {0: None}}), "whole numbers; got None"),
        (lambda: Qrels({"0": {"0": 1}}, [0], [0]), "none of 1 does.*both ids words, or both numbers"),
        (lambda: Qrels({0: {0: 1}}, [0], [0, 5, 0]), "database_ids of Qrels must be distinct; got 0 in rows 0 and 2"),
        (lambda: Qrels([(0, 0, 1), (0, 0, 2)]), r"must not differ; got \(0, 0, 1\) and \(0, 0, 2\)"),
        (lambda: Qrels([(0, 1)]), r"must be \(query, item, level\); got \(0, 1\)"),
        (lambda: Qrels.from_file("nowhere.txt"), r"^nowhere\.txt: no such file"),
        (lambda: NearestCount(X, X, 0), "k of NearestCount must be a whole number from 1 to 3 rows; got 0"),
        (lambda: NearestCount(X, X, 4), "got 4"),
        (lambda: NearestCount(X, X, 1.0), r"got 1\.0"),
        (lambda: NearestCount(X, HOLE, 1), "database_features of NearestCount: .*row 1 holds NaN"),
        (lambda: NearestCount(X, X[:, :2], 1), r"of NearestCount must have the same dimensions; got \[3, 2\]"),
        (lambda: NearestCount(X, X, 1, "manhattan"), "distance must be one of .*; got 'manhattan'"),
        (lambda: NearestCount(X[0], X, 1), r"query_features of NearestCount: .* 2-D .*got shape \(3,\)"),
        (lambda: WithinDistance(HOLE, X, X), "query_features of WithinDistance: .*row 1 holds NaN"),
        (lambda: WithinDistance(X, X, X[:0]), "train_features of WithinDistance: .* empty"),
        (lambda: WithinDistance(X, X, X[:1]), "2 rows or more; got 1"),
        (lambda: WithinDistance(X, X[:, :2], X), "same dimensions"),
        (lambda: WithinDistance(X, X, X, shares=(0.1,)), "equally many; got 1 and 4"),
        (lambda: WithinDistance(X, X, X, shares=(0.1, 0.2), levels=(1, 2)), "shares of WithinDistance must fall"),
        (lambda: WithinDistance(X, X, X, shares=(5, 0.2), levels=(1, 2)), "between 1 and 0; got"),
        (lambda: WithinDistance(X, X, X, shares=(0.2, 0.1), levels=(2, 1)), "rising whole numbers from 1"),
        (lambda: WithinDistance(X, X, X, shares=(0.2, 0.1), levels=(0, 1)), "rising whole numbers from 1"),
    ],
)
def test_bad_input_is_one_clear_line(make, line):
    with pytest.raises(ValueError, match=line) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_bad_lines_of_a_qrels_file_are_named(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text("q1 0 a 1\nq1 a 1\n")
    with pytest.raises(ValueError, match=r"qrels\.txt: line 2 must be 'query 0 item level'; got 'q1 a 1'"):
        Qrels.from_file(path, *IDS)
    path.write_text("q1 0 a high\n")
    with pytest.raises(ValueError, match="line 1 must be"):
        Qrels.from_file(path, *IDS)
    path.write_text("q1 0 a 1\nq1 0 a 2\n")
    with pytest.raises(ValueError, match=r"^.*qrels\.txt: judgements of Qrels must not differ"):
        Qrels.from_file(path, *IDS)
