"""The claims that scripts in `benchmarks/` make and that cost little to check again."""

import importlib.util
from pathlib import Path

import pytest


def script(name: str):
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent.parent / "benchmarks" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_only_map_at_r_tells_the_toy_spaces_apart() -> None:
    """Paper 5's Fig. 1."""
    a, b, c = script("toy_spaces").scores().values()
    for name in ("Success@1", "NMI", "AMI", "ClusterF1"):
        assert a[name] == pytest.approx(b[name], abs=0.01) == pytest.approx(c[name], abs=0.01)
    assert a["MAP@R"] + 0.1 < b["MAP@R"]
    assert b["MAP@R"] + 0.1 < c["MAP@R"] == pytest.approx(1)


def test_a_class_sorted_database_is_biased_and_a_shuffled_one_is_not() -> None:
    """Paper 1 §5.4, on a tenth of the data."""
    module = script("tie_breaking")
    query, database, query_labels, labels = module.synthetic(12)
    row = module.row("tenth", 12, (query, database[::10], query_labels, labels[::10]), orders=3)
    assert row["largest_error_of_one_order"] < 0.002
    assert row["class_sorted"] - row["tie_aware"] > 0.003
    assert row["bias_first_class"] > 0.03 > -0.02 > row["bias_last_class"]
