"""Relevance: which database items each query should find, and how much. One rule a file."""

from evenrank.relevance.graded import Graded
from evenrank.relevance.matching_attributes import MatchingAttributes
from evenrank.relevance.nearest_count import NearestCount
from evenrank.relevance.qrels import Qrels
from evenrank.relevance.relevance import Relevance
from evenrank.relevance.same_label import SameLabel
from evenrank.relevance.shared_labels import SharedLabels
from evenrank.relevance.within_distance import WithinDistance

__all__ = [
    "Graded",
    "MatchingAttributes",
    "NearestCount",
    "Qrels",
    "Relevance",
    "SameLabel",
    "SharedLabels",
    "WithinDistance",
]
