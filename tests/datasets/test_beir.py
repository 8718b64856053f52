"""Judged texts in BEIR's folder: Cranfield where it is, and small folders."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

import evenrank as er
from evenrank.dataset import Dataset, dataset
from evenrank.datasets.beir import Beir
from tests.real_data import path

CORPUS = '{"_id": "1", "title": "Bees", "text": "They fly."}\n{"_id": "2", "text": "Moss."}\n'
QUERIES = '{"_id": "1", "text": "what flies"}\n{"_id": "q2", "text": "what grows"}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two queries and two documents, one of each called 1."""
    made = tmp_path / "small"
    (made / "qrels").mkdir(parents=True)
    (made / "corpus.jsonl").write_text(CORPUS)
    (made / "queries.jsonl").write_text(QUERIES)
    (made / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\t1\t2\nq2\t2\t1\nq2\t1\t0\n")
    return made


@pytest.fixture(scope="module")
def cranfield() -> Path:
    return path("cranfield")


def load(folder: Path) -> Dataset:
    return Beir(path=str(folder)).load(Path("nowhere"))


def ids(path: Path) -> list[str]:
    return [json.loads(line)["_id"] for line in path.read_text(encoding="utf-8").splitlines()]


def test_cranfield_has_its_published_counts(cranfield: Path) -> None:
    data = load(cranfield)
    query = data.extras["query"]
    assert (data.name, query.sum(), (~query).sum()) == ("cranfield", 225, 1_400)
    levels = data.relevance.take(query, ~query).block()
    assert np.bincount(levels.ravel()).tolist()[1:] == [363, 734, 387, 128]  # 1,612 judgements
    assert data.relevance.take(None, query).block().sum() == 0  # nothing but documents is relevant,
    assert data.relevance.take(~query).block().sum() == 0  # and to nothing but queries
    assert data.checksum == "87db62b136b82c0706bc18ec780ac91082382b7f4c7ae4b73b55f07da2df9272"


def test_cranfield_gives_what_its_own_judgement_file_gives(cranfield: Path) -> None:
    data = load(cranfield)
    query, document = (np.flatnonzero(data.extras["query"] == side) for side in (True, False))
    texts = data.modalities["text"]
    vectors = TfidfVectorizer().fit(texts[document])
    queries, items = (vectors.transform(texts[rows]).toarray() for rows in (query, document))
    filled = items.any(axis=1)  # an empty abstract has no cosine
    names = [ids(cranfield / f"{kind}.jsonl") for kind in ("queries", "corpus")]
    apart = er.Qrels.from_file(cranfield / "qrels.txt", names[0], np.array(names[1])[filled])
    one, other = (
        er.evaluate(er.Embeddings(queries), er.Embeddings(items[filled]), relevance, ["nDCG@10", "AP"])
        for relevance in (data.relevance.take(query, document[filled]), apart)
    )
    np.testing.assert_array_equal(one.per_query["nDCG@10"], other.per_query["nDCG@10"])
    assert 0.3 < one.mean["nDCG@10"] < 0.5


def test_queries_come_first_and_titles_stand_above_texts(folder: Path) -> None:
    data = load(folder)
    assert data.modalities["text"].tolist() == ["what flies", "what grows", "Bees\nThey fly.", "Moss."]
    assert data.extras["query"].tolist() == [True, True, False, False]


def test_only_pairs_of_query_and_document_are_judged(folder: Path) -> None:
    levels = load(folder).relevance.block().tolist()
    assert levels == [[0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]]


def test_judgements_of_trec_are_the_same(folder: Path) -> None:
    before = load(folder).relevance.block()
    (folder / "qrels" / "test.tsv").unlink()
    (folder / "qrels.txt").write_text("1 0 1 2\nq2 0 2 1\nq2 0 1 -1\n")
    np.testing.assert_array_equal(load(folder).relevance.block(), before)


def test_a_judgement_of_an_unknown_document_is_counted(folder: Path) -> None:
    (folder / "qrels.txt").write_text("1 0 1 2\n1 0 gone 1\n")
    relevance = load(folder).relevance
    assert isinstance(relevance, er.Qrels)
    assert relevance.dropped == 1


def test_a_folder_is_found_by_path_and_by_name_below_the_root(folder: Path) -> None:
    assert len(dataset(folder.as_posix())) == 4
    assert len(dataset("beir(path=small)", root=folder.parent)) == 4


def refused(folder: Path, file: str, content: str, message: str) -> None:
    (folder / file).write_text(content)
    with pytest.raises(ValueError, match=message) as error:
        load(folder)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"_id": "3", "text": "cut o', "line 3: Unterminated string"),
        ("", "line 3: Expecting value"),
        ("[1]", 'line 3: must be an object with an "_id" that is text'),
        ('{"text": "nameless"}', 'line 3: must be an object with an "_id" that is text'),
        ('{"_id": 3, "text": "number"}', 'line 3: must be an object with an "_id" that is text'),
        ('{"_id": "3"}', "line 3: \"text\" of '3' must be text"),
        ('{"_id": "3", "text": ["a"]}', "line 3: \"text\" of '3' must be text"),
        ('{"_id": "3", "text": "\\ud800"}', "line 3: .*surrogates not allowed"),
        ('{"_id": "3", "text": ' + "[" * 100_000, "line 3: maximum recursion"),
        ('{"_id": "2", "text": "again"}', "line 3 repeats _id '2'"),
    ],
)
def test_a_bad_line_is_named(folder: Path, line: str, message: str) -> None:
    refused(folder, "corpus.jsonl", CORPUS + line + '\n{"_id": "4", "text": "last"}\n', f"corpus.jsonl: {message}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1 0 1\n", "line 1 must have 4 columns; got 3"),
        ("1 0 1 2\n1 0 2 high\n", "line 2 must end with a level, a whole number; got 'high'"),
        ("1 0 1 " + "9" * 30, "line 1 must end with a level, a whole number; got '999"),
        ("1 0 1 2\n1 0 1 1\n", "judgements of Qrels must not differ"),
        ("x 0 y 1\n", "judgements of Qrels must name known queries and items"),
    ],
)
def test_a_bad_judgement_is_named(folder: Path, content: str, message: str) -> None:
    refused(folder, "qrels.txt", content, f"qrels.txt: {message}")


def test_a_missing_heading_is_not_a_lost_judgement(folder: Path) -> None:
    refused(folder, "qrels/test.tsv", "1\t1\t2\n", "test.tsv: line 1 must be the heading query-id, corpus-id, score")


def test_missing_judgements_are_asked_for(folder: Path) -> None:
    (folder / "qrels" / "test.tsv").unlink()
    with pytest.raises(ValueError, match=r"must have qrels.txt or qrels/test.tsv"):
        load(folder)


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "queries.jsonl").unlink()
    with pytest.raises(ValueError, match=r"queries.jsonl: no such file"):
        load(folder)
