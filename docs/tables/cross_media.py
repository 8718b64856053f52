"""Cross-media methods: the catalog's table, the runs of `benchmarks/cross_media.py`, and paper 4's figures beside them.

What paper 4 concludes from them is checked in `cross_media_claims`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from docs.tables.layout import markdown, stored
from evenrank.catalog import entries, find
from evenrank.intervals import student_interval

DATA = ("wikipedia", "wikipedia-cnn", "pascal-sentence")
DIRECTIONS = ("image to text", "text to image")
SEARCHES = [f"{search}, {direction}" for direction in DIRECTIONS for search in ("non-extendable", "extendable")]
WIKIPEDIA = "wikipedia-cnn"  # the one whose features are of the kind of the paper's
BEST = "non-extendable, image to text"

PUBLISHED = [  # method, bits, search, AP in % by trapezoids on Wikipedia, what is wrong with it
    ("semantic_matching", 0, SEARCHES[0], 60.7, ""),
    ("semantic_matching", 0, SEARCHES[1], 29.4, ""),
    ("deep_semantic_matching", 0, SEARCHES[0], 66.8, ""),
    ("deep_semantic_matching", 0, SEARCHES[1], 26.5, ""),
    ("deep_semantic_matching", 0, SEARCHES[2], 87.4, ""),
    ("deep_semantic_matching", 0, SEARCHES[3], 25.8, ""),
    ("trivial", 0, SEARCHES[0], 54.5, ""),
    ("trivial", 0, SEARCHES[1], 25.3, ""),
    ("deep_trivial", 0, SEARCHES[0], 59.8, "bug: texts get the class of their image; 64.1 from the same outputs"),
    ("deep_trivial", 0, SEARCHES[1], 23.6, "the same bug; 25.6"),
    ("deep_trivial", 0, SEARCHES[2], 59.8, "the same bug; 81.6"),
    ("deep_trivial", 0, SEARCHES[3], 23.6, "the same bug; 24.2"),
    ("cca(regularisation=0)", 0, SEARCHES[0], 21.6, "chance: more features than items, and no regularisation"),
    ("gmlda", 0, SEARCHES[0], 21.6, "chance: the released call builds a graph of neighbours, not LDA"),
    ("cvh", 8, SEARCHES[2], 21.6, "chance, for the same reason as CM"),  # "Fig. 7(g)" in the text, twice: 7(c)
    ("cvh", 16, SEARCHES[2], 21.7, "chance, for the same reason as CM"),
    ("cvh", 32, SEARCHES[2], 21.9, "chance, for the same reason as CM"),
    ("scm_orth(padding=random)", 8, SEARCHES[2], 41.7, "half of the bits are arbitrary: four are all that labels give"),
    ("scm_orth(padding=random)", 16, SEARCHES[2], 29.3, "three quarters of the bits are arbitrary"),
    ("mmnn", 8, SEARCHES[0], 60.8, ""),
    ("mmnn", 16, SEARCHES[0], 62.8, ""),
]


class Run(NamedTuple):
    """A method on a dataset; 0 bits: real-valued. `searches` holds AP, trapezoid and CMC, fold by fold."""

    method: str
    bits: int
    width: int  # bits or dimensions that it really had
    fit: float
    searches: dict[str, dict[str, np.ndarray]]


def runs(data: str) -> list[Run]:
    """Return the runs of a dataset that did not fail."""
    found = []
    for key, run in stored("cross_media").items():
        of, method, bits = [*key.split("/"), "", ""][:3]
        if of == data and "searches" in run:
            values = {s: {name: np.array(v) for name, v in mine.items()} for s, mine in run["searches"].items()}
            found.append(Run(method, int(bits), run["width"], run["fit"], values))
    return found


def methods() -> str:
    """Return the table of all cross-media methods."""
    rows = []
    for entry in entries("methods"):
        if entry.name.startswith("crossmedia/"):
            cls = entry.load()
            rows.append([f"`{entry.name}`", cls.title, cls.paper, cls.supervision, cls.cost, entry.summary])
    return markdown(["name", "title", "paper", "learns from", "cost of fitting", "what it is"], rows)


def wikipedia() -> str:
    """Return AP on Wikipedia by the publisher's features."""
    return measured("wikipedia")


def wikipedia_cnn() -> str:
    """Return AP on Wikipedia by features of networks."""
    return measured("wikipedia-cnn")


def pascal_sentence() -> str:
    """Return AP on Pascal Sentence."""
    return measured("pascal-sentence")


def measured(data: str) -> str:
    """Return AP of every run in every search: real-valued methods, then binary ones, by rising AP."""
    rows = []
    for run in sorted(runs(data), key=lambda run: (run.bits, run.searches[BEST]["AP"].mean())):
        what = f"{run.width} bits" if run.bits else f"{run.width} d"
        asked = f" of {run.bits}" if run.bits > run.width else ""
        cells = [over_folds(run.searches[search]["AP"]) for search in SEARCHES]
        rows.append([title(run.method), what + asked, *cells, f"{run.fit:.2g} s"])
    return markdown(["", "", *SEARCHES, "fit"], rows)


def beside() -> str:
    """Return the published figures that are known in digits beside ours, and what is wrong with some of them."""
    found = {(data, run.method, run.bits): run.searches for data in DATA[:2] for run in runs(data)}
    rows = []
    for method, bits, search, value, remark in PUBLISHED:
        ours = [found.get((data, method, bits)) for data in DATA[:2]]
        cells = [f"{100 * mine[search]['trapezoid'].mean():.1f}" if mine else "–" for mine in ours]
        rows.append([f"{title(method)}{f', {bits} bits' if bits else ''}", search, f"{value}", *cells, remark])
    return markdown(["", "search", "published", "ours, SIFT and LDA", "ours, networks", "the published one"], rows)


def curves() -> str:
    """Return CMC at ranks 1, 5 and 15 of real-valued methods on Wikipedia."""
    rows = []
    for run in sorted(runs(WIKIPEDIA), key=lambda run: run.searches[BEST]["AP"].mean()):
        if not run.bits:
            points = [run.searches[search]["CMC"].mean(axis=0)[[0, 4, 14]] for search in SEARCHES]
            rows.append([title(run.method), *(", ".join(f"{y:.3f}" for y in each) for each in points)])
    return markdown(["", *SEARCHES], rows)


def closed_form() -> str:
    """Return what all methods without gradient steps take on Wikipedia."""
    found = stored("cross_media")["closed form"]
    rows = [
        ["runs of five folds, both directions", f"{len(found['runs'])}"],
        [f"waited, {found['workers']} cores", f"{found['waited']:.0f} s"],
        ["processor time", f"{found['processor']:.0f} s"],
    ]
    return markdown(["", ""], rows)


def over_folds(values: np.ndarray) -> str:
    """Return mean ± Student's half-width."""
    low, high = student_interval(values, 0.95)
    return f"{values.mean():.3f} ± {(high - low) / 2:.3f}"


def title(method: str) -> str:
    """Return how a method is called, with the settings that are not its own."""
    name, bracket, rest = method.partition("(")
    called: Any = find("methods", f"crossmedia/{name}").constants["title"]
    return f"{called}{f' ({rest}' if bracket else ''}"
