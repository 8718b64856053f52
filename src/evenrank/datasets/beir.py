"""Texts with relevance judged pair by pair, in the folder that BEIR and many TREC collections come in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenrank.dataset import Dataset, Loader, located
from evenrank.formats.lists import read_columns, read_lines
from evenrank.relevance import Qrels


@dataclass(frozen=True, kw_only=True)
class Beir(Loader):
    """Your own judged texts: `path` is a folder with corpus.jsonl, queries.jsonl and qrels.txt or qrels/test.tsv.

    A line of the two .jsonl files is {"_id": …, "text": …}, a document's may have a "title" too. A judgement is a line
    of TREC (query, 0, document, level) or of BEIR (query, document, level, below a heading).
    """

    title = "BEIR folder"
    media = "text"
    source = "your own files, or https://github.com/beir-cellar/beir"
    licence = "as published with each collection"
    citation = (
        "Thakur, Reimers, Rücklé, Srivastava, Gurevych: BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation"
        " of Information Retrieval Models. NeurIPS Datasets and Benchmarks, 2021"
    )

    path: str

    def read(self, root: Path) -> Dataset:
        """Return the queries, then the documents; `extras["query"]` says which rows are queries."""
        folder = located(self.path, root)
        queries, documents = (_texts(folder / name) for name in ("queries.jsonl", "corpus.jsonl"))
        texts = np.array([*queries.values(), *documents.values()], dtype=np.dtypes.StringDType())
        # a query and a document may have the same name
        names = [*(f"query {name}" for name in queries), *(f"document {name}" for name in documents)]
        return Dataset(
            folder.resolve().name,
            {"text": texts},
            judgements=_judgements(folder, names),
            extras={"query": np.arange(len(texts)) < len(queries)},
        )


def _texts(path: Path) -> dict[str, str]:
    """Return the text of each name, a title above it where there is one, in the order of the lines."""
    found: dict[str, str] = {}
    for number, line in enumerate(read_lines(path), 1):
        try:
            name, text = _record(line)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{path}: line {number}: {error}") from None
        if name in found:
            raise ValueError(f"{path}: line {number} repeats _id {name!r}")
        found[name] = text
    return found


def _record(line: str) -> tuple[str, str]:
    record = json.loads(line)
    if not isinstance(record, dict) or not isinstance(record.get("_id"), str):
        raise ValueError(f'must be an object with an "_id" that is text; got {line[:60]}')
    parts = record.get("title") or "", record.get("text")
    if not all(isinstance(part, str) for part in parts):
        raise ValueError(f'"text" of {record["_id"]!r} must be text, and so must "title" if it is there')
    text = "\n".join(part for part in parts if part)
    text.encode()  # half of a surrogate pair is JSON but not text
    return record["_id"], text


def _judgements(folder: Path, names: list[str]) -> Qrels:
    path, columns, headings = folder / "qrels.txt", 4, 0
    if not path.exists():
        path, columns, headings = folder / "qrels" / "test.tsv", 3, 1
    if not path.exists():
        raise ValueError(f"{folder}: must have qrels.txt or qrels/test.tsv")
    rows = read_columns(path, columns)
    if headings and _is_level(rows[0][-1]):  # a judgement here would be lost as a heading
        raise ValueError(f"{path}: line 1 must be the heading query-id, corpus-id, score; got {' '.join(rows[0])!r}")
    triples = []
    for number, (query, *_, document, level) in enumerate(rows[headings:], headings + 1):
        if not _is_level(level):
            raise ValueError(f"{path}: line {number} must end with a level, a whole number; got {level!r}")
        triples.append((f"query {query}", f"document {document}", int(level)))
    try:
        return Qrels(triples, names, names)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _is_level(word: str) -> bool:
    return word.removeprefix("-").isdecimal() and len(word) < 10
