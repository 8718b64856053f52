"""Exact, tie-aware evaluation and even-handed comparison of the representations that retrieval runs on.

>>> import evenrank as er
>>> queries, database = er.Codes.from_signs([[1, 1, -1]]), er.Codes.from_signs([[1, 1, 1], [-1, 1, -1], [1, 1, -1]])
>>> result = er.evaluate(queries, database, er.SameLabel([7], [7, 3, 3]), metrics=["AP"])
>>> float(result.worst["AP"]), float(result.mean["AP"]), float(result.best["AP"])
(0.3333333333333333, 0.41666666666666663, 0.5)
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evenrank.codes import Codes as Codes
    from evenrank.counting import tallies as tallies
    from evenrank.counting import tally as tally
    from evenrank.cross_media import cross_media as cross_media
    from evenrank.dataset import Dataset as Dataset
    from evenrank.dataset import dataset as dataset
    from evenrank.embeddings import Embeddings as Embeddings
    from evenrank.evaluate import evaluate as evaluate
    from evenrank.method import Method as Method
    from evenrank.method import load as load
    from evenrank.metric import Metric as Metric
    from evenrank.protocol import Protocol as Protocol
    from evenrank.protocol import protocol as protocol
    from evenrank.relevance import Graded as Graded
    from evenrank.relevance import MatchingAttributes as MatchingAttributes
    from evenrank.relevance import NearestCount as NearestCount
    from evenrank.relevance import Qrels as Qrels
    from evenrank.relevance import Relevance as Relevance
    from evenrank.relevance import SameLabel as SameLabel
    from evenrank.relevance import SharedLabels as SharedLabels
    from evenrank.relevance import WithinDistance as WithinDistance
    from evenrank.result import Result as Result
    from evenrank.search import Neighbours as Neighbours
    from evenrank.search import search as search
    from evenrank.split import Split as Split
    from evenrank.split import load_splits as load_splits
    from evenrank.split import save_splits as save_splits
    from evenrank.tally import Tally as Tally

__version__ = "0.1.0"

# Public name -> the module that holds it: imported when first used, so that `import evenrank` stays quick.
_HOME = {
    "Codes": "codes",
    "Dataset": "dataset",
    "Embeddings": "embeddings",
    "Graded": "relevance",
    "MatchingAttributes": "relevance",
    "Method": "method",
    "Metric": "metric",
    "NearestCount": "relevance",
    "Neighbours": "search",
    "Protocol": "protocol",
    "Qrels": "relevance",
    "Relevance": "relevance",
    "Result": "result",
    "SameLabel": "relevance",
    "SharedLabels": "relevance",
    "Split": "split",
    "Tally": "tally",
    "WithinDistance": "relevance",
    "cross_media": "cross_media",
    "dataset": "dataset",
    "evaluate": "evaluate",
    "load": "method",
    "load_splits": "split",
    "protocol": "protocol",
    "save_splits": "split",
    "search": "search",
    "tallies": "counting",
    "tally": "counting",
}

__all__ = ["__version__", *_HOME]


class _Lazy(ModuleType):
    """The module itself: importing the file `evenrank.tally` must not hide the function `evenrank.tally`."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Lazy


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'evenrank' has no attribute {name!r}")
    return getattr(import_module(f"evenrank.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
