"""Real codes, labels and judgements, where EVENRANK_DATA names a folder that holds them; else digits, or a skip."""

import json

import ir_measures
import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

import evenrank as er
from evenrank.methods.hashing.lsh import LSH
from tests.real_data import path


@pytest.mark.parametrize("bits", [32, 64, 128, 256])
def test_published_codes_in_either_bit_order(bits: int) -> None:
    """22,019 codes of Minimal Loss Hashing, lowest bit first: fast and slow kernel and both orders agree."""
    codes = er.Codes.from_file(
        path("labelme22k-codes", "codes.npz"), form="packed", bits=bits, order="little", key=f"code_{bits}"
    )
    assert codes.shape == (22_019, bits)
    turned = er.Codes.from_bits(codes.unpack())
    rows = np.arange(0, 22_019, 1_500)
    relevance = er.NearestCount(codes.signs()[rows].astype(np.float32), codes.signs().astype(np.float32), k=100)
    own, names = rows, ["AP", "nDCG@100", "P@H<=2"]
    fast = er.evaluate(codes[rows], codes, relevance, names, exclude_self=own)
    slow = er.evaluate(turned[rows], turned, relevance, names, exclude_self=own, backend="reference")
    for name in names:
        np.testing.assert_array_equal(fast.per_query[name], slow.per_query[name])
    # The truth is the ranking itself, the query's own row taken out: only ties at the k-th item keep AP from 1.
    assert fast.best["AP"] == 1


def test_digits_in_either_bit_order() -> None:
    """The same without any data: codes of scikit-learn's digits."""
    data = er.dataset("digits")
    codes = LSH(bits=48).fit(data.modalities["image"]).encode(data.modalities["image"])
    little = er.Codes.from_packed(np.packbits(codes.unpack(), axis=1, bitorder="little"), bits=48, order="little")
    relevance = er.SameLabel(data.labels, data.labels)
    one, other = (
        er.evaluate(each, each, relevance, ["AP", "MAP@R", "RR"], exclude_self=True, backend=backend)
        for each, backend in ((codes, "cpu"), (little, "reference"))
    )
    for name in one.mean:
        np.testing.assert_array_equal(one.per_query[name], other.per_query[name])
    assert 0.4 < one.mean["AP"] < 0.7


@pytest.mark.parametrize(("name", "labels"), [("nuswide_21", 21), ("coco", 80), ("mirflickr", 38)])
def test_counts_of_shared_labels(name: str, labels: int) -> None:
    """Label matrices of the standard deep-hashing splits, with random codes: fast and slow kernels agree."""
    with np.load(path("multilabel", f"{name}.npz")) as stored:
        query, database = stored["test"][:40], stored["train"]
    assert query.shape[1] == labels
    random = np.random.default_rng(0)
    codes = [er.Codes.from_signs(random.standard_normal((len(side), 32))) for side in (query, database)]
    relevance = er.SharedLabels(query, database, graded=True)
    fast, slow = (er.tally(*codes, relevance, backend=backend) for backend in ("cpu", "reference"))
    np.testing.assert_array_equal(fast.counts, slow.counts)
    shared = query.astype(int) @ database.T.astype(int)
    np.testing.assert_array_equal(fast.counts.sum(axis=(0, 1)), np.bincount(shared.ravel(), minlength=len(fast.levels)))


def test_judgements_of_cranfield_agree_with_ir_measures() -> None:
    """1,400 abstracts, 225 queries, graded judgements, TF-IDF: where no tie matters, both tools say the same."""
    folder = path("cranfield")
    texts = {name: (folder / f"{name}.jsonl").read_text(encoding="utf-8") for name in ("corpus", "queries")}
    read = {name: [json.loads(line) for line in text.splitlines()] for name, text in texts.items()}
    ids = {name: [row["_id"] for row in rows] for name, rows in read.items()}
    vectors = TfidfVectorizer().fit([row["text"] for row in read["corpus"]])
    items, queries = (
        vectors.transform([row["text"] for row in read[name]]).toarray() for name in ("corpus", "queries")
    )
    filled = np.flatnonzero(items.any(axis=1))  # two abstracts are empty: no cosine
    ids["corpus"] = [ids["corpus"][row] for row in filled]
    relevance = er.Qrels.from_file(folder / "qrels.txt", ids["queries"], ids["corpus"])
    names = {"nDCG(gain=linear)@10": ir_measures.nDCG @ 10, "P@10": ir_measures.P @ 10, "RR": ir_measures.RR}
    result = er.evaluate(er.Embeddings(queries), er.Embeddings(items[filled]), relevance, list(names))
    scores = queries @ items[filled].T
    run = {
        q: dict(zip(ids["corpus"], map(float, row), strict=True)) for q, row in zip(ids["queries"], scores, strict=True)
    }
    judged = list(ir_measures.read_trec_qrels(str(folder / "qrels.txt")))
    known = set(ids["corpus"])
    for name, measure in names.items():
        found = {value.query_id: value.value for value in ir_measures.iter_calc([measure], judged, run)}
        wanted = np.array([found[q] for q in ids["queries"]])
        complete = np.array([all(j.doc_id in known for j in judged if j.query_id == q) for q in ids["queries"]])
        settled = complete & (result.spreads[name].deviation == 0)
        assert settled.sum() > 200
        np.testing.assert_allclose(result.per_query[name][settled], wanted[settled], atol=1e-9)
