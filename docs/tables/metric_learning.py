"""What paper 5 says of the losses of metric learning, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from docs.tables.layout import markdown, stored
from evenrank.catalog import find
from evenrank.intervals import student_interval

PCA = "pretrained_pca"
SEPARATED, CONCATENATED = "separated", "concatenated"
PAPER = {  # Table 4 (batches of 32) and Table 8 (256), CUB200, separated: MAP@R, P@1
    "pretrained_pca": (14.53, 50.54, 14.53),
    "contrastive": (21.18, 59.73, 21.03),
    "triplet": (18.75, 55.76, 19.02),
    "nt_xent": (19.87, 58.12, 21.18),
    "proxy_nca": (19.32, 57.88, 20.76),
    "margin": (18.11, 54.78, 18.81),
    "margin_class": (18.51, 55.56, 20.04),
    "normalised_softmax": (20.96, 58.75, 20.95),
    "cosface": (21.21, 59.63, 21.24),
    "arcface": (21.49, 60.17, 21.60),
    "fast_ap": (19.09, 55.58, 21.32),
    "snr_contrastive": (20.43, 58.06, 21.43),
    "multi_similarity": (20.15, 57.60, 21.94),
    "multi_similarity_mined": (21.01, 59.41, 21.66),
    "soft_triple": (21.31, 59.94, 21.45),
}


def losses() -> str:
    """Return the table of paper 5 in small: after tuning, without, and as printed."""
    tuned, untuned = (stored("reality_check")[which] for which in ("tuned", "untuned"))
    order = sorted(tuned, key=lambda name: -np.mean(values(tuned[name], SEPARATED, "MAP@R")))
    rows = [
        [
            title(name),
            cell(tuned[name], SEPARATED, "MAP@R"),
            cell(tuned[name], SEPARATED, "P@1"),
            cell(tuned[name], CONCATENATED, "MAP@R"),
            cell(tuned[name], CONCATENATED, "P@1"),
            cell(untuned[name], SEPARATED, "MAP@R"),
            f"{PAPER[name][0]:.2f}, {PAPER[name][1]:.2f}",
        ]
        for name in order
    ]
    header = ["", "MAP@R", "P@1", "MAP@R, concatenated", "P@1, concatenated", "MAP@R, untuned", "paper: MAP@R, P@1"]
    return markdown(header, rows)


def settings() -> str:
    """Return what tuning chose."""
    rows = [
        [title(name), ", ".join(f"{key} {number(value)}" for key, value in mine["parameters"].items())]
        for name, mine in stored("reality_check")["tuned"].items()
        if mine["parameters"]
    ]
    return markdown(["", "best of 8 trials"], rows)


def spread() -> str:
    """Return how far the losses are apart: after tuning, without, and in the paper."""
    found = stored("reality_check")
    rows = [
        [what, *apart({name: 100 * np.mean(values(mine, SEPARATED, "MAP@R")) for name, mine in found[key].items()})]
        for what, key in (("tuned", "tuned"), ("untuned", "untuned"))
    ]
    rows.append(["paper, Table 4", *apart({name: mine[0] for name, mine in PAPER.items()})])
    return markdown(["", "lowest loss", "highest loss", "apart", "standard deviation", "losses above PCA"], rows)


def apart(means: dict[str, float]) -> list[str]:
    """Return the lowest and the highest mean, in percent, what lies between, their deviation, how many beat PCA."""
    floor = means[PCA]
    found = np.array([mean for name, mean in means.items() if name != PCA])
    numbers = [found.min(), found.max(), found.max() - found.min(), found.std(ddof=1)]
    return [*(f"{each:.2f}" for each in numbers), f"{(found > floor).sum()} of {len(found)}"]


def batches() -> str:
    """Return what a batch of 256 adds to one of 32."""
    small, large = stored("reality_check")["tuned"], stored("reality_check")["batch 256"]
    rows = []
    for name in large:
        before, after = (100 * np.array(values(each[name], SEPARATED, "MAP@R")) for each in (small, large))
        rows.append(
            [
                title(name),
                f"{before.mean():.2f}",
                f"{after.mean():.2f}",
                gain(before, after),
                f"{PAPER[name][2] - PAPER[name][0]:+.2f}",
            ]
        )
    return markdown(["", "MAP@R, 32", "MAP@R, 256", "gain", "gain in the paper"], rows)


def gain(before: np.ndarray, after: np.ndarray) -> str:
    """Return the difference of means with Welch's interval at 95 %."""
    from scipy.stats import ttest_ind

    if not before.std() and not after.std():
        return f"{after.mean() - before.mean():+.2f}"
    low, high = ttest_ind(after, before, equal_var=False).confidence_interval(0.95)
    return f"{(low + high) / 2:+.2f} ± {(high - low) / 2:.2f}"


def noise() -> str:
    """Return the lag-one autocorrelation of validation accuracy, of both metrics."""
    rows = []
    for what, found in stored("reality_check")["autocorrelation"].items():
        first, second = (np.array(found[metric]) for metric in ("MAP@R", "P@1"))
        low, high = student_interval(first - second, 0.95)
        rows.append(
            [
                what,
                str(found["series"]),
                f"{first.mean():.2f}",
                f"{second.mean():.2f}",
                f"{(low + high) / 2:+.2f} ± {(high - low) / 2:.2f}",
            ]
        )
    return markdown(["", "series", "MAP@R (paper: 0.81)", "P@1 (paper: 0.73)", "difference"], rows)


def starts() -> str:
    """Return the best validation MAP@R from principal axes and from random weights, beside PCA, over the folds."""
    found = stored("reality_check")
    floor = 100 * np.array(found["floor"])
    best: dict[str, dict[str, list[float]]] = {}
    for each in found["series"]:
        best.setdefault(each["method"], {}).setdefault(each["start"], []).append(100 * max(each["MAP@R"]))
    rows = [
        [title(name), *(f"{np.mean(mine[start]):.2f}" for start in ("principal", "random"))]
        for name, mine in sorted(best.items(), key=lambda item: -np.mean(item[1]["principal"]))
    ]
    return markdown(
        ["", "from principal axes", "from random weights"], [*rows, [title(PCA), f"{floor.mean():.2f}", ""]]
    )


def untrained() -> str:
    """Return clustering scores of networks that were never trained."""
    rows = [
        [row["dataset"], str(row["classes"]), str(row["members"]), *(span(row[metric]) for metric in MEASURED)]
        for row in stored("random_networks")
    ]
    return markdown(["images", "classes", "items of each", *(f"`{metric}`" for metric in MEASURED)], rows)


MEASURED = ("NMI", "AMI", "P@1", "MAP@R")


def span(found: dict[str, float]) -> str:
    """Return mean, lowest and highest."""
    return f"{found['mean']:.3f} ({found['lowest']:.3f} … {found['highest']:.3f})"


def title(name: str) -> str:
    """Return what a method is called."""
    return str(find("methods", f"embedding/{name}").load().title)


def values(mine: dict[str, Any], searched: str, metric: str) -> list[float]:
    """Return a metric's values over repeats."""
    found: list[float] = mine["values"][searched][metric]
    return found


def cell(mine: dict[str, Any], searched: str, metric: str) -> str:
    """Return mean ± Student's half-width, in percent as the paper prints it."""
    found = 100 * np.array(values(mine, searched, metric))
    if not found.std():
        return f"{found.mean():.2f}"
    low, high = student_interval(found, 0.95)
    return f"{found.mean():.2f} ± {(high - low) / 2:.2f}"


def number(value: Any) -> str:
    """Return a value in three digits."""
    return f"{value:.3g}" if isinstance(value, float) else str(value)
