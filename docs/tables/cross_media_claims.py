"""What paper 4 concludes, checked claim by claim in the runs of `benchmarks/cross_media.py`.

A claim is a function of one dataset and one direction; it returns what was found there, in words, and whether the
claim held. Chance, and a method in other settings than its own, are no methods here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.stats import spearmanr

from docs.tables.cross_media import DATA, DIRECTIONS, Run, runs, title
from docs.tables.layout import markdown
from evenrank.intervals import student_interval

CLASSES = {"wikipedia": 5, "wikipedia-cnn": 5, "pascal-sentence": 10}  # seen
TRIVIAL = ("trivial", "deep_trivial")
EQUAL = 0.005  # AP of two methods that are called equal
MOST = 0.9  # share from which on "all" or "most" is said to hold
APART = 0.25  # share of equal pairs that CMC must tell apart; one in twenty would be by chance


class Found(NamedTuple):
    """What a claim is worth in one dataset and direction."""

    held: bool
    words: str


class Side(NamedTuple):
    """The runs of one dataset and the names of its two searches in one direction."""

    data: str
    methods: list[Run]
    chance: Run
    seen: str
    unseen: str

    def real(self) -> list[Run]:
        """Return the real-valued methods, the trivial ones among them, as in paper 4's Fig. 3."""
        return [run for run in self.methods if not run.bits]

    def binary(self, bits: int) -> dict[str, Run]:
        """Return the binary methods at a number of bits."""
        return {run.method: run for run in self.methods if run.bits == bits}


def sides() -> Iterator[tuple[str, Side]]:
    """Yield each dataset and direction by name."""
    for data in DATA:
        found = runs(data)
        [chance] = [run for run in found if run.method == "chance"]
        methods = [run for run in found if run.method != "chance" and "(" not in run.method]
        for direction in DIRECTIONS:
            searches = (f"non-extendable, {direction}", f"extendable, {direction}")
            yield f"{data}, {direction}", Side(data, methods, chance, *searches)


def drop(side: Side) -> Found:
    """Non-extendable retrieval finds more than extendable retrieval."""
    pairs = [(ap(run, side.seen), ap(run, side.unseen)) for run in side.methods]
    fallen = sum(seen > unseen for seen, unseen in pairs)
    means = np.mean(pairs, axis=0)
    words = f"lower for {fallen} of {len(pairs)} runs; mean {means[0]:.3f} → {means[1]:.3f}"
    return Found(fallen >= MOST * len(pairs), f"{words}, chance {ap(side.chance, side.unseen):.3f}")


def trivial(side: Side) -> Found:
    """Trivial solutions are among the better half on seen classes, and fall behind on unseen ones."""
    words, fell = [], []
    for run in (run for run in side.real() if run.method in TRIVIAL):
        places = [place(run, side.real(), search) for search in (side.seen, side.unseen)]
        fell.append(places[1] > places[0] <= len(side.real()) / 2)
        words.append(f"{title(run.method)} {places[0]} → {places[1]} of {len(side.real())}")
    return Found(all(fell), "; ".join(words))


def cheap(side: Side) -> Found:
    """On seen classes the trivial solution's few bits are worth as much as 8 bits of the binary methods."""
    [run] = [run for run in side.real() if run.method == "trivial"]
    better = [other for other in side.binary(8).values() if ap(other, side.seen) > ap(run, side.seen)]
    bits, count = int(np.ceil(np.log2(CLASSES[side.data]))), len(side.binary(8))
    words = f"{bits} bits, AP {ap(run, side.seen):.3f}: {len(better)} of {count} methods of 8 bits are better"
    return Found(2 * len(better) < count, words)


def disagree(side: Side) -> Found:
    """CMC ranks methods differently from AP, but rank 1 follows AP."""
    words, held = [], []
    for search in (side.seen, side.unseen):
        values = np.array([[ap(run, search), *cmc(run, search)[[0, 14]]] for run in side.real()]).T
        first, last = (float(spearmanr(values[0], values[i]).statistic) for i in (1, 2))
        above = int((cmc(side.chance, search)[14] > values[2]).sum())
        held.append(first > last and first > 0.5)
        words.append(f"{first:.2f}, {last:.2f} ({above} of {len(values[0])} below chance at 15)")
    return Found(all(held), " → ".join(words))


def longer(side: Side) -> Found:
    """Longer codes are better for most methods, in AP and at rank 1."""
    steps = []
    for short, long in ((8, 16), (16, 32)):
        for name, run in side.binary(long).items():
            before = side.binary(short).get(name)
            if before and before.width < run.width:  # else the features allow no more bits
                steps += [(name, run, before, search) for search in (side.seen, side.unseen)]
    exact = [ap(run, search) > ap(before, search) for _, run, before, search in steps]
    first = [cmc(run, search)[0] > cmc(before, search)[0] for _, run, before, search in steps]
    worse = sorted({title(step[0]) for step, better in zip(steps, exact, strict=True) if not better})
    words = (
        f"AP better in {sum(exact)}, rank 1 in {sum(first)} of {len(steps)} steps; AP not always: {', '.join(worse)}"
    )
    return Found(min(sum(exact), sum(first)) > len(steps) / 2, words)


def separated(side: Side) -> Found:
    """CMC tells methods of equal AP apart."""
    equal, by_cmc, by_ap = 0, 0, 0
    for search in (side.seen, side.unseen):
        for a, b in combinations(side.methods, 2):
            if abs(ap(a, search) - ap(b, search)) < EQUAL and a.bits == b.bits:
                equal += 1
                by_cmc += apart(a.searches[search]["CMC"].mean(axis=1) - b.searches[search]["CMC"].mean(axis=1))
                by_ap += apart(a.searches[search]["AP"] - b.searches[search]["AP"])
    words = f"of {equal} pairs of equal AP, the mean of CMC over ranks 1 to 15 tells {by_cmc} apart, AP itself {by_ap}"
    return Found(by_cmc > max(APART * equal, by_ap), words)


def spread(side: Side) -> Found:
    """Methods differ less in extendable retrieval."""
    words, held = [], []
    for what, value in (("AP", ap), ("rank 1", lambda run, search: cmc(run, search)[0])):
        seen, unseen = (np.std([value(run, s) for run in side.methods], ddof=1) for s in (side.seen, side.unseen))
        held.append(unseen < seen)
        words.append(f"{what} {seen:.3f} → {unseen:.3f}")
    return Found(all(held), ", ".join(words))


CLAIMS: dict[str, Callable[[Side], Found]] = {
    "Non-extendable ≫ extendable": drop,
    "The trivial solution loses its advantage: place by AP": trivial,
    "… and how few bits it costs on seen classes": cheap,
    "CMC and AP disagree, rank 1 follows AP: rank correlation of AP with CMC at 1, at 15": disagree,
    "Longer codes help, with exceptions": longer,
    "CMC separates methods of equal AP": separated,
    "The spread between methods shrinks: standard deviation": spread,
}


def verdicts() -> str:
    """Return where each claim held."""
    found = list(sides())
    rows = []
    for claim, check in CLAIMS.items():
        held = [check(side).held for _, side in found]
        verdict = "held" if all(held) else "did not hold" if not any(held) else "held in part"
        rows.append([claim, verdict, f"{sum(held)} of {len(held)}"])
    return markdown(["claim", "", "datasets and directions"], rows)


def evidence() -> str:
    """Return what was found for each claim in each dataset and direction."""
    found = list(sides())
    rows = [
        [claim, where, "yes" if check(side).held else "no", check(side).words]
        for claim, check in CLAIMS.items()
        for where, side in found
    ]
    return markdown(["claim", "where", "held", "found, seen → unseen classes"], rows)


def ap(run: Run, search: str) -> float:
    """Return tie-aware AP, mean of the folds."""
    return float(run.searches[search]["AP"].mean())


def cmc(run: Run, search: str) -> np.ndarray:
    """Return CMC at ranks 1 to 15, mean of the folds."""
    return run.searches[search]["CMC"].mean(axis=0)


def place(run: Run, among: list[Run], search: str) -> int:
    """Return a method's place by AP."""
    return 1 + sum(ap(other, search) > ap(run, search) for other in among)


def apart(differences: np.ndarray) -> bool:
    """Return whether paired differences over folds are beyond Student's 95 % interval."""
    low, high = student_interval(differences, 0.95)
    return low > 0 or high < 0
