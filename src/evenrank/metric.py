"""What a metric is: a value that prints as its own name and reads tallies.

`AP(divisor=retrieved)@5000` and `AveragePrecision(Cutoff("rank", 5000), divisor="retrieved")` are the same thing;
strings are shorthand, and wherever one is accepted an object is too. One file of `metrics/` holds one metric class,
a frozen dataclass whose annotated fields are its options.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from evenrank.catalog import Entry, entries
from evenrank.cutoff import Cutoff, Kind
from evenrank.parameters import nearest, validate


class Spread(NamedTuple):
    """A metric's distribution over tie orders, per query, each (queries,) float64; NaN where it is undefined."""

    expected: np.ndarray
    best: np.ndarray
    worst: np.ndarray
    deviation: np.ndarray


Reads = Literal["tally", "occupancy", "codes", "clusters"]


@dataclass(frozen=True)
class Metric:
    """The contract of `metrics/`: class constants say how it is written and what it reads.

    A metric that reads the tally has `spread(tally) -> Spread`, one that reads "occupancy" `spread(tally, occupancy)`;
    one that reads "codes" has `measure(codes) -> dict`, one that reads "clusters" `measure(clusters) -> float`.
    """

    names: ClassVar[tuple[str, ...]]  # how it is written; the first is how it prints
    aliases: ClassVar[dict[str, str]] = {}  # whole strings of other tools, and what they are here
    cutoffs: ClassVar[tuple[Kind, ...]] = ("none",)  # which cuts it takes
    first_rank: ClassVar[int] = 1  # the smallest number behind the @
    reads: ClassVar[Reads] = "tally"

    cutoff: Cutoff = Cutoff()

    def __post_init__(self) -> None:
        if self.cutoff.kind not in self.cutoffs:
            kinds = {"none": "no cut-off", "rank": "@k", "relevant": "@R", "radius": "@H<=r"}
            allowed = ", ".join(kinds[kind] for kind in self.cutoffs)
            raise ValueError(f"{self.names[0]} takes {allowed}; got {str(self.cutoff) or 'no cut-off'}")
        if self.cutoff.kind == "rank" and self.cutoff.value < self.first_rank:
            raise ValueError(f"{self.names[0]}@k takes k of at least {self.first_rank}; got {self.cutoff.value}")
        validate(self)

    @property
    def needs_relevant(self) -> bool:
        """Return whether the metric is undefined for a query without relevant items (then `empty` decides)."""
        return True

    def __str__(self) -> str:
        chosen = [(f.name, getattr(self, f.name), f.default) for f in fields(self) if f.name != "cutoff"]
        options = ", ".join(f"{name}={value}" for name, value, default in chosen if value != default)
        return self.names[0] + (f"({options})" if options else "") + str(self.cutoff)


FORM = re.compile(r"\s*(\w+)\s*(?:\(([^()]*)\))?\s*(?:@\s*([^@()\s][^@()]*?))?\s*")


def parse(text: str) -> Metric:
    """Return the metric that `text` names: a name in any case, options in brackets, a cut-off behind @ or _at_.

    >>> [str(parse(text)) for text in ("map(divisor=retrieved)@5000", "MAP@R", "CMC@1", "precision_at_1")]
    ['AP(divisor=retrieved)@5000', 'AP@R', 'Success@1', 'P@1']
    """
    if not isinstance(text, str):
        raise ValueError(f"a metric must be a string like 'AP@1000' or a Metric; got {text!r}")
    written = re.sub(r"_at_(\d+|r)$", r"@\1", _alias(text.strip()), flags=re.IGNORECASE)
    match = FORM.fullmatch(_alias(written))
    if match is None:
        raise ValueError(f"metric {text!r} must be written name(option=value, ...)@cut-off, like AP(divisor=min)@1000")
    name, options, cutoff = match.groups()
    by_name = {known.lower(): entry for entry in entries("metrics") for known in entry.constants["names"]}
    if name.lower() not in by_name:
        raise ValueError(f"no metric is called {name!r}; there are {', '.join(listed())}{nearest(name, _words())}")
    try:
        metric: Metric = by_name[name.lower()].load()(**_keywords(by_name[name.lower()], options, cutoff))
    except ValueError as error:
        raise ValueError(f"metric {text!r}: {error}") from None
    # Metric learning says Recall@k for "a relevant item in the first k", others for the share of relevant items found.
    if name.lower() == "recall" and metric.cutoff.kind == "rank":
        raise ValueError(
            f"{text!r} is ambiguous: write Success@k for metric learning's Recall@k (a relevant item in the first k), "
            "or R@k for the share of relevant items found"
        )
    return metric


def listed() -> list[str]:
    """Return the first name of every metric."""
    return [entry.constants["names"][0] for entry in entries("metrics")]


def _words() -> list[str]:
    """Return every name and alias."""
    return [word for entry in entries("metrics") for word in (*entry.constants["names"], *_aliases(entry))]


def _aliases(entry: Entry) -> dict[str, str]:
    aliases: dict[str, str] = entry.constants.get("aliases", {})
    return aliases


def _alias(text: str) -> str:
    """Return what a whole string of another tool is here, or the string itself."""
    known = {alias.lower(): name for entry in entries("metrics") for alias, name in _aliases(entry).items()}
    name, at, cutoff = text.partition("@")
    return known.get(text.lower(), known.get(name.strip().lower(), name) + at + cutoff)


def _keywords(entry: Entry, options: str | None, cutoff: str | None) -> dict[str, Any]:
    """Return the keywords that the options and the cut-off of a written metric stand for."""
    known = [f.name for f in fields(entry.load()) if f.name != "cutoff"]
    given: dict[str, Any] = {"cutoff": Cutoff.parse(cutoff) if cutoff else Cutoff()}
    for option in options.split(",") if options and options.strip() else ():
        key, equals, value = (part.strip().lower() for part in option.partition("="))
        if key not in known:
            raise ValueError(f"no option {key!r}; options are {', '.join(known) or 'none'}{nearest(key, known)}")
        if not equals or not value:
            raise ValueError(f"option {key} must be written {key}=value; got {option.strip()!r}")
        if key in given:
            raise ValueError(f"option {key} is given twice")
        given[key] = int(value) if re.fullmatch(r"-?\d+", value) else value
    return given
