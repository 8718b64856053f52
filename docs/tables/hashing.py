"""Hashing methods: the catalog's table, and the comparisons of `benchmarks/`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docs.tables.layout import markdown, stored
from evenrank.catalog import entries, find

TABLE_1 = {  # paper 1, CIFAR-10 with VGG-F, first setting: tie-aware AP at 12, 24, 32, 48 bits
    "bre": (0.361, 0.448, 0.502, 0.533),
    "mac_hash": (0.628, 0.707, 0.726, 0.734),
    "fast_hash": (0.678, 0.729, 0.742, 0.757),
    "struct_hash": (0.664, 0.693, 0.691, 0.700),
    "dpsh": (0.720, 0.757, 0.757, 0.767),
    "dtsh": (0.725, 0.773, 0.781, 0.810),
    "mihash": (0.687, 0.775, 0.786, 0.822),
    "talr_ap": (0.732, 0.789, 0.800, 0.826),
}
TABLE_3 = {  # paper 1, 22K LabelMe, shallow models on GIST: nDCG at 16, 32, 48, 64 bits
    "bre": (0.807, 0.848, 0.871, 0.880),
    "mac_hash": (0.683, 0.683, 0.683, 0.687),
    "fast_hash": (0.844, 0.868, 0.855, 0.864),
    "dpsh": (0.844, 0.856, 0.871, 0.874),
    "dtsh": (0.838, 0.852, 0.859, 0.862),
    "struct_hash": (0.857, 0.888, 0.904, 0.915),
    "mihash": (0.860, 0.889, 0.907, 0.914),
    "talr_ndcg": (0.866, 0.895, 0.908, 0.917),
}
TUNING_SEED = "100"

Runs = dict[str, dict[int, list[dict[str, Any]]]]  # method, bits; one entry


def methods() -> str:
    """Return the table of all hashing methods."""
    rows = []
    for entry in entries("methods"):
        if entry.name.startswith("hashing/"):
            cls = entry.load()
            rows.append([f"`{entry.name}`", cls.title, cls.paper, cls.supervision, cls.cost, entry.summary])
    return markdown(["name", "title", "paper", "learns from", "cost of fitting", "what it is"], rows)


def fits() -> str:
    """Return how long closed-form methods fit and encode."""
    found = stored("hashing_speed")
    rows = [
        [f"`{name}`", f"{row['fit_seconds']:.2f} s", f"{row['items_a_second'] / 1e6:.2f} million"]
        for name, row in found["methods"].items()
    ]
    product = f"{found['product_items_a_second'] / 1e6:.2f} million"
    return markdown(["", "fit", "items encoded a second"], [*rows, ["the product alone", "–", product]])


def labels() -> str:
    """Return AP of all methods by class labels, beside paper 1's Table 1."""
    return compared(runs("labels"), "AP", TABLE_1)


def levels() -> str:
    """Return nDCG by four levels of distance, beside paper 1's Table 3."""
    return compared(runs("levels"), "nDCG", TABLE_3)


def ranges_of_ties() -> str:
    """Return how far tie-breaking moves AP (paper 1's Fig. 3)."""
    return columns(runs("labels"), lambda run: f"{run['worst']:.3f} … {run['best']:.3f}, {run['tie_std']:.5f}")


def use_of_codes() -> str:
    """Return how much of the codes is used, and mLGAP (paper 2's Fig. 1)."""
    return columns(runs("labels"), lambda run: f"{run['codes utilisation']:.1%}, {run['LGAP@2']:.3f}")


def seconds() -> str:
    """Return the CPU seconds of a fit."""
    return columns(runs("labels"), lambda run: f"{run['fit_seconds']:.2g}")


def runs(table: str) -> Runs:
    """Return the final runs of a table."""
    found: Runs = {}
    for key, run in sorted(stored("hashing_gist").items(), key=lambda item: item[0].split("/")[3]):
        of, method, bits, seed, _ = key.split("/")
        if of == table and seed != TUNING_SEED:
            found.setdefault(method, {}).setdefault(int(bits), []).append(run)
    return found


def compared(found: Runs, metric: str, published: dict[str, tuple[float, ...]]) -> str:
    """Return a metric with its interval, methods by rising value, the paper's values beside them."""
    widths = sorted({bits for mine in found.values() for bits in mine})
    rows = []
    for name in sorted(found, key=lambda name: found[name][widths[-2]][0][metric]):
        cells = [over_queries(found[name].get(bits, []), metric) for bits in widths]
        paper = ", ".join(f"{value:.3f}" for value in published.get(name, ())) or "–"
        rows.append([title(name), *cells, paper])
    return markdown(["", *(f"{bits} bits" for bits in widths), "paper"], rows)


def over_queries(mine: list[dict[str, Any]], metric: str) -> str:
    """Return the value of the one split ± the half-width of its interval over queries; a dash where it was not run."""
    return f"{mine[0][metric]:.3f} ± {mine[0]['half']:.3f}" if mine else "–"


def columns(found: Runs, cell: Callable[[dict[str, Any]], str]) -> str:
    """Return one cell a method and number of bits, of the first split."""
    widths = sorted({bits for mine in found.values() for bits in mine})
    rows = [[title(name), *(cell(found[name][bits][0]) for bits in widths)] for name in found]
    return markdown(["", *(f"{bits} bits" for bits in widths)], rows)


def title(name: str) -> str:
    """Return how a method is called."""
    return str(find("methods", f"hashing/{name}").constants["title"])
