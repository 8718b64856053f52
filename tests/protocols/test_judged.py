"""Judged collections."""

import pytest

from evenrank.protocols.judged import Judged
from tests.protocols.examples import judged, single


def test_queries_search_documents() -> None:
    [split] = Judged().splits(judged())
    assert split.query.tolist() == [0, 1, 2]
    assert split.database.tolist() == [3, 4, 5, 6, 7]
    relevance = Judged().relevance(judged(), split)
    assert relevance.levels[relevance.block()].tolist() == [[2, 0, 1, 0, 0], [0, 0, 0, 0, 3], [0, 1, 0, 0, 0]]


def test_labelled_data_is_refused() -> None:
    with pytest.raises(ValueError, match="single is not a judged collection"):
        list(Judged().splits(single()))
