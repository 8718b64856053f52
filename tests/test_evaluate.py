"""evaluate: policies, curves, invariance, and one clear line for what it refuses."""

import sys

import numba
import numpy as np
import pytest

import evenrank as er
from evenrank.metric import parse

METRICS = [
    "AP", "AP@7", "AP(divisor=retrieved)@7", "AP(divisor=min)@7", "AP(interpolation=trapezoid)", "MAP@R", "nDCG",
    "nDCG@5", "P@3", "R@3", "F1@3", "Rprec", "RR", "Success@2", "P@H<=2", "R@H<=2", "LGAP@2", "TiedPairs", "Undecided",
]  # fmt: skip
EMBEDDED = [name for name in METRICS if "H<=" not in name and "LGAP" not in name]


def data(seed: int = 0, queries: int = 30, items: int = 90, bits: int = 8):
    random = np.random.default_rng(seed)
    signs = [random.choice([-1.0, 1.0], (n, bits)) for n in (queries, items)]
    labels = [random.integers(0, 2, (n, 3)) for n in (queries, items)]
    return signs[0], signs[1], *labels


def same(one: er.Result, other: er.Result, names=METRICS) -> None:
    for name in names:
        for ours, theirs in zip(one.spreads[name], other.spreads[name], strict=True):
            np.testing.assert_array_equal(ours, theirs, err_msg=name)
    np.testing.assert_array_equal(one.first, other.first)
    np.testing.assert_allclose(one.precision, other.precision, atol=1e-12)


def test_nothing_moves_with_permutation_shards_blocks_backend_or_threads() -> None:
    query, database, query_labels, labels = data()
    queries, codes = er.Codes.from_signs(query), er.Codes.from_signs(database)
    relevance = er.SharedLabels(query_labels, labels, graded=True)
    whole = er.evaluate(queries, codes, relevance, METRICS)
    order = np.random.default_rng(1).permutation(90)
    same(er.evaluate(queries, codes[order], relevance.take(None, order), METRICS), whole)
    same(er.evaluate(queries, [codes[:31], codes[31:32], codes[32:]], relevance, METRICS), whole)
    same(er.evaluate(queries, codes, relevance, METRICS, memory="2KB"), whole)
    same(er.evaluate(queries, codes, relevance, METRICS, backend="reference"), whole)
    threads = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        same(er.evaluate(queries, codes, relevance, METRICS), whole)
    finally:
        numba.set_num_threads(threads)


@pytest.mark.parametrize("classes", [2, 40])  # many and few relevant items: counted by buckets, by comparison
def test_embeddings_do_not_move_with_threads(classes: int) -> None:
    random = np.random.default_rng(2)
    points = er.Embeddings(random.integers(-2, 3, (400, 4)) + 0.5)  # many exact ties
    labels = random.integers(0, classes, 400)
    results, threads = [], numba.get_num_threads()
    for count in (threads, 1):
        try:
            numba.set_num_threads(count)
            results.append(er.evaluate(points, points, er.SameLabel(labels, labels), EMBEDDED, exclude_self=True))
        finally:
            numba.set_num_threads(threads)
    same(*results, EMBEDDED)
    assert results[0].tie_std["AP"] > 0


@pytest.mark.parametrize("own", [False, True])
def test_codes_and_cosines_of_the_same_bits_agree(own: bool) -> None:
    """Paper 3 Eq. 1: the Hamming distance is the cosine distance of the signs, ties included."""
    _, database, _, labels = data()
    relevance = er.SharedLabels(labels, labels, graded=True)
    codes, signs = er.Codes.from_signs(database), er.Embeddings(database, "cosine")
    one = er.evaluate(codes, codes, relevance, EMBEDDED, exclude_self=own)
    other = er.evaluate(signs, signs, relevance, EMBEDDED, exclude_self=own)
    for name in EMBEDDED:
        for ours, theirs in zip(one.spreads[name], other.spreads[name], strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-12, err_msg=name)
    np.testing.assert_array_equal(one.first, other.first)
    np.testing.assert_allclose(one.precision, other.precision)


def test_a_query_without_relevant_items() -> None:
    queries, items = er.Codes.from_bits([[1, 0], [0, 1]]), er.Codes.from_bits([[1, 0], [0, 0], [1, 1]])
    relevance = er.SameLabel([1, 9], [1, 0, 0])
    names = ["AP", "P@1", "RR"]

    def run(empty: str) -> er.Result:
        return er.evaluate(queries, items, relevance, names, empty=empty)

    skip = run("skip")
    np.testing.assert_array_equal(skip.per_query["AP"], [1, np.nan])
    assert skip.mean == {"AP": 1.0, "P@1": 0.5, "RR": 1.0}  # a precision of 0 is defined
    assert skip.lacking == {"AP": 1, "RR": 1}
    assert run("zero").mean["AP"] == 0.5
    assert run("one").mean["RR"] == 1.0
    assert "1 queries have no relevant item: skipped" in str(skip)
    with pytest.raises(ValueError, match="AP needs a relevant item; query 1 has none"):
        run("error")
    with pytest.raises(ValueError, match="empty must be one of skip, zero, one, error; got 'nan'"):
        run("nan")


def test_matching_attributes_has_its_own_rule_for_ap() -> None:
    """Paper 3: nDCG counts matching attributes, AP only items that match in all."""
    queries, items = er.Codes.from_bits([[1, 1]]), er.Codes.from_bits([[1, 1], [0, 1], [0, 0]])
    relevance = er.MatchingAttributes([[1, 2, 3]], [[1, 2, 0], [1, 2, 3], [0, 0, 3]])
    result = er.evaluate(queries, items, relevance, ["AP", "AP(rel=1)", "DCG"])
    assert result.mean["AP"] == pytest.approx(1 / 2)
    assert result.mean["AP(rel=1)"] == pytest.approx(1)
    assert result.mean["DCG"] == pytest.approx(3 + 7 / np.log2(3) + 1 / 2)


def test_curves() -> None:
    query, database, query_labels, labels = data(3)
    relevance = er.SharedLabels(query_labels, labels)
    result = er.evaluate(er.Codes.from_signs(query), er.Codes.from_signs(database), relevance, ["CMC@1", "CMC@5"])
    ranks, shares = result.curve("CMC", [1, 5, 90])
    assert ranks.tolist() == [1, 5, 90]
    assert shares == pytest.approx([result.mean["CMC@1"], result.mean["CMC@5"], 1])
    assert np.all(np.diff(result.curve("CMC").y) >= -1e-12)
    with pytest.raises(ValueError, match="ranks of CMC must be whole numbers of at least 1"):
        result.curve("CMC", [0])
    with pytest.raises(ValueError, match="curve must be one of CMC, precision-recall; got 'ROC'"):
        result.curve("ROC")


def test_precision_recall_is_precision_at_the_first_group_end_that_reaches_the_recall() -> None:
    query, database, query_labels, labels = data(4)
    relevance = er.SharedLabels(query_labels, labels)
    queries, items = er.Codes.from_signs(query), er.Codes.from_signs(database)
    recall, precision = er.evaluate(queries, items, relevance, ["AP"]).curve("precision-recall")
    counts = er.tally(queries, items, relevance).counts
    wanted = []
    for level in recall:
        at_level = []
        for groups in counts[counts[:, :, 1].sum(axis=1) > 0]:
            found, passed = np.cumsum(groups[:, 1]), np.cumsum(groups.sum(axis=1))
            end = np.argmax(found >= level * found[-1] - 1e-9)
            at_level.append(found[end] / passed[end])
        wanted.append(np.mean(at_level))
    np.testing.assert_allclose(precision, wanted)


def test_index_ties_leave_no_range() -> None:
    query, database, query_labels, labels = data(5)
    relevance = er.SharedLabels(query_labels, labels)
    result = er.evaluate(er.Codes.from_signs(query), er.Codes.from_signs(database), relevance, METRICS, ties="index")
    expected = er.evaluate(er.Codes.from_signs(query), er.Codes.from_signs(database), relevance, METRICS)
    for name in METRICS:
        np.testing.assert_allclose(result.spreads[name].best, result.spreads[name].worst, err_msg=name)
    for name in ("P@H<=2", "R@H<=2", "LGAP@2"):  # no tie order matters to them
        np.testing.assert_allclose(result.per_query[name], expected.per_query[name])
    for name in ("AP", "RR", "nDCG", "AP(divisor=retrieved)@7"):
        defined = ~np.isnan(result.per_query[name])
        value, range_of = result.per_query[name][defined], expected.spreads[name]
        assert np.all(value <= range_of.best[defined] + 1e-12)
        assert np.all(value >= range_of.worst[defined] - 1e-12)


def test_metric_objects_and_names_as_asked_for() -> None:
    query, database, query_labels, labels = data(6)
    relevance = er.SharedLabels(query_labels, labels)
    result = er.evaluate(
        er.Codes.from_signs(query), er.Codes.from_signs(database), relevance, ["mAP", "MAP@R", parse("P@5")]
    )
    assert list(result.mean) == ["mAP", "MAP@R", "P@5"]
    assert result.provenance["metrics"] == {"mAP": "AP", "MAP@R": "AP@R", "P@5": "P@5"}
    assert result.codes["utilisation"] > 0


def test_usage_of_a_large_database_is_measured_only_if_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    query, database, query_labels, labels = data()
    queries, codes = er.Codes.from_signs(query), er.Codes.from_signs(database)
    relevance = er.SharedLabels(query_labels, labels)
    monkeypatch.setattr(sys.modules["evenrank.evaluate"], "USAGE", 10)
    quiet = er.evaluate(queries, codes, relevance, ["AP"])
    assert quiet.codes == {}
    assert "codes used" not in str(quiet)
    assert er.evaluate(queries, codes, relevance, ["AP", "usage"]).codes["utilisation"] > 0


def test_clusters() -> None:
    random = np.random.default_rng(7)
    labels = np.repeat([0, 1, 2], 20)
    points = er.Embeddings(10 * np.eye(3)[labels] + random.standard_normal((60, 3)), "euclidean")
    names = ["NMI", "AMI", "ClusterF1", "AP"]
    result = er.evaluate(points, points, er.SameLabel(labels, labels), names, exclude_self=True)
    assert [result.mean[name] for name in names[:3]] == pytest.approx([1, 1, 1])
    with pytest.raises(ValueError, match="relevance must be SameLabel"):
        er.evaluate(points, points, er.Graded(np.eye(60, dtype=int)), ["NMI"])


@pytest.mark.parametrize(
    ("metrics", "line"),
    [
        (["ndgc@10"], "no metric is called 'ndgc'.*did you mean nDCG?"),
        (["AP(divisor=retreived)@5"], "divisor of AveragePrecision must be one of relevant, retrieved, min"),
        (["AP(diviser=min)@5"], "no option 'diviser'.*did you mean divisor?"),
        (["P@0"], "at least 1"),
        (["P@-3"], "a cut-off must be a rank, R or H<=radius; got '-3'"),
        (["Recall@1"], "write Success@k"),
        ([], "metrics must name at least one metric"),
        ("AP", "metrics must be a list"),
    ],
)
def test_unknown_metrics_are_refused_in_one_line(metrics, line: str) -> None:
    query, database, query_labels, labels = data()
    with pytest.raises(ValueError, match=line) as caught:
        er.evaluate(
            er.Codes.from_signs(query), er.Codes.from_signs(database), er.SharedLabels(query_labels, labels), metrics
        )
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["P@H<=2", "LGAP@2", "usage"])
def test_metrics_of_codes_refuse_embeddings(name: str) -> None:
    points = er.Embeddings(np.eye(4))
    with pytest.raises(ValueError, match="is about binary codes; got embeddings"):
        er.evaluate(points, points, er.SameLabel([0] * 4, [0] * 4), [name])
