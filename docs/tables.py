"""Write what the pages show of the catalog and of the stored results; `tests/test_docs.py` checks that it is fresh.

python docs/tables.py
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from evenrank.catalog import Entry, entries, make
from evenrank.cli.data.listing import count, describe
from evenrank.intervals import student_interval
from evenrank.parameters import ranges

ROOT = Path(__file__).parent.parent
SCALED = "\\*"  # behind a time that was measured on a part of the queries
CUTS = {"none": "", "rank": "@k", "relevant": "@R", "radius": "@H<=r"}


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows))


def metrics() -> str:
    """Return the table of all metrics."""
    return markdown(["written", "also", "options (default)", "what it is"], [metric(e) for e in entries("metrics")])


def metric(entry: Entry) -> list[str]:
    """Return one line of the table of metrics: names, options, summary."""
    cls = entry.load()
    name, *others = cls.names
    cuts = ", ".join(f"`{name}{CUTS[kind]}`" for kind in cls.cutoffs)
    defaults = {field.name: field.default for field in fields(cls)}
    options = "; ".join(
        f"`{option}`: {what} ({'as the relevance says' if defaults[option] is None else defaults[option]})"
        for option, what, _ in ranges(cls)
    )
    return [cuts, ", ".join(f"`{other}`" for other in [*others, *sorted(cls.aliases)]), options, entry.summary]


def datasets() -> str:
    """Return the table of all datasets."""
    rows = []
    for about in (describe(entry, ROOT) for entry in entries("datasets")):
        what = about["summary"].replace("<", "&lt;")
        numbers = [count(about["items"]), count(about["categories"])]
        rows.append([f"`{about['name']}`", what, about["media"], *numbers, about["had"]])
    return markdown(["name", "what it is", "media", "items", "categories", "how it is had"], rows)


def extractors() -> str:
    """Return the table of all extractors."""
    rows = []
    for entry in entries("extractors"):
        options = "; ".join(f"`{name}`: {what}" for name, what, _ in ranges(entry.load()))
        rows.append([f"`{entry.name}`", entry.constants["reads"], entry.summary.replace("<", "&lt;"), options])
    return markdown(["name", "reads", "what it is", "options"], rows)


def protocols() -> str:
    """Return the table of all protocols."""
    rows = []
    for entry in entries("protocols"):
        made = make("protocols", entry.name)
        metrics = ", ".join(f"`{name}`" for name in made.metrics)
        rows.append([f"`{entry.name}`", str(made.version), made.paper or "–", made.statement, metrics])
    return markdown(["name", "version", "paper", "statement", "metrics"], rows)


def loading() -> str:
    """Return what reading CIFAR-10 takes, beside the obvious way."""
    found = stored("load_cifar10")
    rows = [
        [who, f"{row['seconds']:.2f} s", f"{row['arrays_mb']:.0f} MB + {row['beyond_arrays']:.0%}"]
        for who, row in found.items()
        if isinstance(row, dict)
    ]
    return markdown(["60,000 images", "time", "memory: arrays + more"], rows)


def near() -> str:
    """Return how many CIFAR-10 test images have a near-duplicate among the training images."""
    rows = [
        [f"{row['near']:g}", str(row["found"]), str(row["same_label"])]
        for row in stored("duplicates_cifar10")["cifar10"]["thresholds"]
    ]
    return markdown(["closer than … × the typical distance", "test images", "of the same label"], rows)


def objectives() -> str:
    """Return the table of all objectives."""
    rows = []
    for entry in entries("objectives"):
        cls, constants = entry.load(), entry.constants
        options = "; ".join(f"`{name}`: {what}" for name, what, _ in ranges(cls))
        rows.append([f"`{entry.name}`", constants["title"], constants["paper"], cls.kind, entry.summary, options])
    return markdown(["name", "title", "paper", "reads outputs as", "what it is", "options"], rows)


def steps() -> str:
    """Return the race of one step of a listwise objective: time and memory, also as multiples of the exact form's."""
    batches = stored("objective_cpu")["batches"]
    rows = []
    for who in next(iter(batches.values())):
        cells = [who]
        for found in batches.values():
            row, base = found[who], found["evenrank exact"]
            ratios = [times_as_long(row[key], base[key]) for key in ("seconds", "megabytes")] if row else []
            cells.append(
                f"{row['seconds']:.2g} s, {row['megabytes']:,.0f} MB ({', '.join(ratios)})" if row else "does not fit"
            )
        rows.append(cells)
    return markdown(["", *(f"M = {int(size):,}" for size in batches)], rows)


PUBLISHED = {  # paper 1: Table 3 on 22K LabelMe, appendix D on CIFAR-10 with a deep network
    ("tie_aware_dcg", 16): 0.866,
    ("tie_aware_dcg", 32): 0.895,
    ("mutual_information", 16): 0.860,
    ("mutual_information", 32): 0.889,
    ("dpsh", 16): 0.844,
    ("dpsh", 32): 0.856,
    ("dtsh", 16): 0.838,
    ("dtsh", 32): 0.852,
    ("alpha = 40", 12): 0.732,
    ("alpha = 40", 24): 0.789,
    ("alpha = 40", 32): 0.800,
    ("alpha = 40", 48): 0.826,
    ("alpha → ∞", 12): 0.751,
    ("alpha → ∞", 24): 0.804,
    ("alpha → ∞", 32): 0.813,
    ("alpha → ∞", 48): 0.830,
}


def ranked() -> str:
    """Return paper 1's Table 3 in small."""
    table = stored("talr_gist")["table 3"]
    bits = sorted({row["bits"] for row in table})
    values = {(row["objective"], row["bits"]): np.array(row["values"]) for row in table}
    rows = []
    for objective in dict.fromkeys(row["objective"] for row in table):
        mine = {row["bits"]: row for row in table if row["objective"] == objective}
        cells = [f"{mine[b]['mean']:.4f} ± {mine[b]['half']:.4f}" for b in bits]
        behind = [difference(values["tie_aware_dcg", b] - values[objective, b]) for b in bits]
        published = [f"{PUBLISHED[objective, b]:.3f}" if (objective, b) in PUBLISHED else "–" for b in bits]
        rows.append([f"`{objective}`", *cells, *behind, *published])
    header = [f"{what}{b} bits" for what in ("", "behind tie-aware, ", "paper, LabelMe, ") for b in bits]
    return markdown(["objective", *header], rows)


def difference(values: np.ndarray) -> str:
    """Return the mean of paired differences with its interval; a dash where they are all 0."""
    low, high = student_interval(values, 0.95)
    return f"{values.mean():+.4f} ± {(high - low) / 2:.4f}" if values.any() else "–"


def sharpened() -> str:
    """Return appendix D in small: alpha fixed and alpha growing, and the paper's values."""
    table = stored("talr_gist")["appendix D"]
    bits = sorted({row["bits"] for row in table})
    rows = []
    for growth in ([], [40, 4000], [4, 400], [1, 40]):
        mine = {row["bits"]: row for row in table if (row["growth"] or []) == growth}
        name = f"alpha from {growth[0]:,} to {growth[1]:,}" if growth else "alpha = 40"
        rows.append([name, *(f"{mine[b]['mean']:.4f} ± {mine[b]['half']:.4f}" for b in bits)])
    rows += [[f"paper: {name}", *(f"{PUBLISHED[name, b]:.3f}" for b in bits)] for name in ("alpha = 40", "alpha → ∞")]
    return markdown(["", *(f"{b} bits" for b in bits)], rows)


def stored(name: str) -> Any:
    """Return a stored result."""
    return json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text(encoding="utf-8"))


def times_as_long(seconds: float, base: float) -> str:
    """Return a ratio of times in two digits, or whole."""
    ratio = seconds / base
    return f"{ratio:.2g} ×" if ratio < 10 else f"{ratio:,.0f} ×"


def hamming() -> str:
    """Return the race of Hamming evaluation: seconds, and how many times as long as evenrank to AP."""
    race = stored("tally_cpu")["race"]
    part = {(row["who"], row["case"]) for row in race if row["scaled"]}
    seconds = {(row["who"], row["case"]): row["seconds"] for row in race}
    giga = {row["case"]: row["gigapairs"] for row in race if row["who"] == "evenrank tally"}
    rows = []
    for who in dict.fromkeys(row["who"] for row in race):
        times = {case: seconds[who, case] for case in "ABC"}
        ratios = [
            f"{t:.3g} s{SCALED if (who, case) in part else ''} ({times_as_long(t, seconds['evenrank AP', case])})"
            for case, t in times.items()
        ]
        if who == "evenrank tally":
            ratios = [f"{t:.3g} s, {giga[case]:.3g} Gpairs/s" for case, t in times.items()]
        rows.append([who, *ratios])
    return markdown(
        ["", "A: 1,000 × 59,000, 48 bit", "B: 10,000 × 50,000, 64 bit", "C: 1,000 × 1,000,000, 64 bit"], rows
    )


def real() -> str:
    """Return the race of real-valued evaluation."""
    found = stored("embeddings_cpu")
    cases = ("SOP-like", "CIFAR-like")
    rows = []
    for who in found[cases[0]]:
        cells = [who]
        for case in cases:
            row, base = found[case][who], found[case]["evenrank"]["seconds"]
            ratio, mark = times_as_long(row["seconds"], base), SCALED if row["share"] < 1 else ""
            cells.append(f"{row['seconds']:.3g} s{mark} ({ratio}), {row['gigabytes']:.2f} GB")
        rows.append(cells)
    return markdown(["", "SOP-like: 60,502 × itself", "CIFAR-like: 10,000 × 50,000"], rows)


def special() -> str:
    """Return the special cases of the Hamming kernel, as multiples of the base case."""
    found = stored("tally_cpu")
    rows = [[name, f"{ratio:.2f} ×"] for name, ratio in found["cases"].items()]
    return markdown(["1,000 × 50,000, 64 bit, 10 classes", "time"], rows)


def scaling() -> str:
    """Return the slopes of log time and the memory that the tally adds."""
    found = stored("tally_cpu")
    slopes = [[f"slope of log time in {what}", f"{slope:.2f}"] for what, slope in found["slopes"].items()]
    memory = [[f"memory added by {case}", f"{size / 1e6:.0f} MB"] for case, size in found["memory"].items()]
    return markdown(["", ""], slopes + memory)


def waiting() -> str:
    """Return how long starting takes, and what an interval over many queries costs."""
    start, bootstrap = stored("start_up"), stored("bootstrap_cpu")
    rows = [[what, f"{seconds:.2f} s"] for what, seconds in start.items()]
    interval = f"BCa interval over {bootstrap['queries']:,} queries, {bootstrap['evenrank_mb']:.0f} MB"
    return markdown(["", ""], [*rows, [interval, f"{bootstrap['evenrank_s']:.2f} s"]])


def larger() -> str:
    """Return what a database larger than memory takes."""
    found = stored("memory_map")
    rows = [
        ["memory map", f"{found['gigabytes']} GB, {found['rows']:,} codes of 64 bits"],
        ["memory of the machine", f"{found['machine_gb']:.0f} GB"],
        [f"{found['queries']} queries", f"{found['seconds']:.0f} s, {found['gigapairs']:.1f} Gpairs/s"],
        ["memory of the process itself", f"{found['own_mb']:.0f} MB"],
    ]
    return markdown(["", ""], rows)


def ties() -> str:
    """Return paper 1 §5.4: one database order beside all of them."""
    rows = [
        [
            row["data"],
            str(row["bits"]),
            f"{row['tie_aware']:.4f}",
            f"{row['worst']:.4f} … {row['best']:.4f}",
            f"{row['shuffled_mean']:.4f} ± {row['shuffled_std']:.4f}",
            f"{row['class_sorted']:.4f}",
            f"{row['bias_first_class']:+.4f}, {row['bias_last_class']:+.4f}",
        ]
        for row in stored("tie_breaking")
    ]
    header = ["codes", "bits", "AP", "range", "shuffled orders", "class-sorted order", "its bias, first and last class"]
    return markdown(header, rows)


def spaces() -> str:
    """Return paper 5's Fig. 1: three spaces under six metrics."""
    found = stored("toy_spaces")
    names = list(next(iter(found.values())))
    rows = [[space, *(f"{scores[name]:.4f}" for name in names)] for space, scores in found.items()]
    return markdown(["space", *(f"`{name}`" for name in names)], rows)


PAGES: dict[str, dict[str, Callable[[], str]]] = {
    "README.md": {"steps": steps, "hamming": hamming, "real": real, "ties": ties, "spaces": spaces},
    "docs/datasets.md": {"datasets": datasets, "extractors": extractors},
    "docs/objectives.md": {
        "objectives": objectives,
        "steps": steps,
        "ranked": ranked,
        "sharpened": sharpened,
    },
    "docs/protocols.md": {"protocols": protocols, "near": near},
    "docs/metrics.md": {"metrics": metrics},
    "docs/performance.md": {
        "hamming": hamming,
        "special": special,
        "scaling": scaling,
        "larger": larger,
        "real": real,
        "loading": loading,
        "waiting": waiting,
    },
}


def renewed(page: str) -> str:
    """Return a page with its tables renewed: each stands between two marks of its name."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for name, table in PAGES[page].items():
        mark = f"<!-- {name}: made by docs/tables.py -->"
        before, _, after = text.split(mark)
        text = f"{before}{mark}\n{table()}\n{mark}{after}"
    return text


if __name__ == "__main__":
    for page in PAGES:
        (ROOT / page).write_text(renewed(page), encoding="utf-8")
