"""Small plans that tests run."""

from pathlib import Path

PLAN = """
title = "Digits"
dataset = "digits"
protocol = "per_class(queries=5, training=20)"
bits = [8]
metrics = ["AP", "P@10"]
repeats = 2

[tuning]
trials = 2
sampler = "random"

[[methods]]
name = "hashing/lsh"

[[methods]]
name = "hashing/itq"
"""


def written(folder: Path, content: str = PLAN) -> Path:
    """Return the file of a plan."""
    path = folder / "plan.toml"
    path.write_text(content, encoding="utf-8")
    return path
