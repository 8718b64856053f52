"""What the papers say, checked: tables of single claims."""

from __future__ import annotations

import numpy as np

from docs.tables.layout import difference, markdown, stored

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


def near() -> str:
    """Return how many CIFAR-10 test images have a near-duplicate among the training images."""
    rows = [
        [f"{row['near']:g}", str(row["found"]), str(row["same_label"])]
        for row in stored("duplicates_cifar10")["cifar10"]["thresholds"]
    ]
    return markdown(["closer than … × the typical distance", "test images", "of the same label"], rows)
