"""On rankings without ties every tool must agree: scikit-learn, ir_measures, torchmetrics; and where ties trap them."""

import ir_measures
import numpy as np
import pytest
import torch
from ir_measures import AP, RR, P, R, Rprec, Success, nDCG
from sklearn.metrics import average_precision_score, ndcg_score
from torchmetrics.functional import retrieval as torch_retrieval
from torchmetrics.retrieval import RetrievalMAP

import evenrank as er

QUERIES, ITEMS = 25, 120


@pytest.fixture(scope="module")
def untied():
    """Random embeddings: no two items of a query tie. Scores are what the peers rank by; levels 0 … 3."""
    random = np.random.default_rng(0)
    query, database = random.standard_normal((QUERIES, 6)), random.standard_normal((ITEMS, 6))
    levels = random.choice(4, (QUERIES, ITEMS), p=[0.7, 0.15, 0.1, 0.05])
    unit = [x / np.linalg.norm(x, axis=1, keepdims=True) for x in (query, database)]
    return er.Embeddings(query), er.Embeddings(database), levels, unit[0] @ unit[1].T


def test_scikit_learn(untied) -> None:
    queries, database, levels, scores = untied
    result = er.evaluate(
        queries, database, er.Graded(levels), ["AP", "nDCG(gain=linear)", "nDCG(gain=linear)@10", "nDCG@10"]
    )
    wanted = [average_precision_score(level > 0, score) for level, score in zip(levels, scores, strict=True)]
    np.testing.assert_allclose(result.per_query["AP"], wanted, atol=1e-9)
    for name, k, gains in (
        ("nDCG(gain=linear)", None, levels),
        ("nDCG(gain=linear)@10", 10, levels),
        ("nDCG@10", 10, 2.0**levels - 1),
    ):
        wanted = [ndcg_score([gain], [score], k=k) for gain, score in zip(gains, scores, strict=True)]
        np.testing.assert_allclose(result.per_query[name], wanted, atol=1e-9)


def test_ir_measures(untied) -> None:
    queries, database, levels, scores = untied
    measures = {
        "AP": AP, "AP@20": AP @ 20, "AP(rel=2)": AP(rel=2), "nDCG(gain=linear)@10": nDCG @ 10, "P@10": P @ 10,
        "P(rel=2)@5": P(rel=2) @ 5, "R@30": R @ 30, "RR": RR, "Rprec": Rprec, "Success@3": Success @ 3,
    }  # fmt: skip
    qrels = [ir_measures.Qrel(str(q), str(i), int(levels[q, i])) for q in range(QUERIES) for i in range(ITEMS)]
    run = [ir_measures.ScoredDoc(str(q), str(i), scores[q, i]) for q in range(QUERIES) for i in range(ITEMS)]
    result = er.evaluate(queries, database, er.Graded(levels), list(measures))
    values = ir_measures.iter_calc(list(measures.values()), qrels, run)
    found = {(str(value.measure), int(value.query_id)): value.value for value in values}
    for name, measure in measures.items():
        wanted = [found[str(measure), q] for q in range(QUERIES)]
        np.testing.assert_allclose(result.per_query[name], wanted, atol=1e-9, err_msg=name)


def test_torchmetrics(untied) -> None:
    queries, database, levels, scores = untied
    functions = {
        "AP": (torch_retrieval.retrieval_average_precision, {}),
        "AP(divisor=retrieved)@20": (torch_retrieval.retrieval_average_precision, {"top_k": 20}),
        "P@10": (torch_retrieval.retrieval_precision, {"top_k": 10}),
        "R@10": (torch_retrieval.retrieval_recall, {"top_k": 10}),
        "Rprec": (torch_retrieval.retrieval_r_precision, {}),
        "RR": (torch_retrieval.retrieval_reciprocal_rank, {}),
        "Success@5": (torch_retrieval.retrieval_hit_rate, {"top_k": 5}),
    }
    result = er.evaluate(queries, database, er.Graded(levels), [*functions, "nDCG(gain=linear)@10"])
    positive = torch.tensor(scores - scores.min() + 1)  # torchmetrics takes scores of 0 and below for irrelevant
    target = torch.tensor(levels > 0)
    for name, (function, options) in functions.items():
        wanted = [float(function(positive[q], target[q], **options)) for q in range(QUERIES)]
        np.testing.assert_allclose(result.per_query[name], wanted, atol=1e-6, err_msg=name)
    wanted = [
        float(torch_retrieval.retrieval_normalized_dcg(positive[q], torch.tensor(levels[q]), top_k=10))
        for q in range(QUERIES)
    ]
    np.testing.assert_allclose(result.per_query["nDCG(gain=linear)@10"], wanted, atol=1e-6)


def test_three_tied_documents_with_one_relevant() -> None:
    """By database order AP is 1 or 1/3, whatever the order happens to be; over all orders 0.611."""
    one = er.Codes.from_bits([[1, 0]])
    items = er.Codes.from_bits([[1, 1]] * 3)
    for labels, by_index in (([1, 0, 0], 1.0), ([0, 0, 1], 1 / 3)):
        relevance = er.SameLabel([1], labels)
        assert er.evaluate(one, items, relevance, ["AP"]).mean["AP"] == pytest.approx(11 / 18)
        assert er.evaluate(one, items, relevance, ["AP"], ties="index").mean["AP"] == pytest.approx(by_index)


def test_torchmetrics_drops_relevant_items_of_negative_score() -> None:
    """The trap that negated distances fall into: our value does not depend on where zero lies."""
    distances = torch.tensor([1.0, 2.0, 3.0])
    target = torch.tensor([False, True, True])
    broken = RetrievalMAP()(-distances, target, indexes=torch.zeros(3, dtype=torch.long))
    items = er.Embeddings(np.array([[1.0], [2.0], [3.0]]), "euclidean")
    ours = er.evaluate(er.Embeddings(np.zeros((1, 1)), "euclidean"), items, er.Graded([[0, 1, 1]]), ["AP"])
    assert ours.mean["AP"] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert float(broken) == 0.0
