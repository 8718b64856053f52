"""Whatever a method tries while it is tuned, it sees nothing of the test set, and its job says why."""

from pathlib import Path

import pytest

from evenrank.benchmark import parts
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.runner import run
from evenrank.benchmark.store import Store
from tests.benchmark.plans import written
from tests.benchmark.running import Running, content

WAYS = ("load", "map", "open", "list", "link", "proc", "data", "process", "c")
HEAD = """
title = "Spies"
dataset = "digits"
protocol = "per_class(queries=5, training=20)"
bits = [8]
metrics = ["AP"]
tuning = { trials = 1, sampler = "random" }
"""


def own(name: str, label: str, fixed: str = "") -> str:
    """Return the lines of a plan for a method of the tests."""
    return f'[[methods]]\nname = "tests.benchmark.methods:{name}"\nlabel = "{label}"\nfixed = {{ {fixed} }}\n'


def test_a_method_that_reads_the_test_set_while_tuned_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spies = "".join(own("Spy", way, f'way = "{way}"') for way in WAYS)
    path = written(tmp_path, HEAD + spies + own("Looking", "looking"))
    plan, store = Plan.read(path), Store(tmp_path / "store.sqlite")
    monkeypatch.setenv("SEALED", str(tmp_path / "parts" / plan.hash[:16] / "sealed"))
    runner = Running.start(path, tmp_path / "store.sqlite", tmp_path / "parts")
    assert runner.process.wait() == 0, runner.process.stderr
    rows = {(row["method"], row["kind"]): row["traceback"].strip().split("\n")[-1] for row in store.rows(plan)}
    for way in WAYS:
        assert rows[way, "tune"].startswith("PermissionError")
        assert "the test set is sealed" in rows[way, "tune"]
    known = len(parts.known(tmp_path / "parts" / plan.hash[:16]).data)
    said = "ValueError: mapped 0, open 0, most rows {}, threads (1, 1, 1)"
    assert rows["looking", "tune"] in {said.format(rows) for rows in range(known + 1)}


def test_numbers_do_not_depend_on_how_many_work(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    stores = [Store(tmp_path / f"{workers}.sqlite") for workers in (1, 3)]
    for workers, store in zip((1, 3), stores, strict=True):
        run(plan, store, tmp_path / f"parts {workers}", workers=workers)
    first, second = (content(store, plan) for store in stores)
    assert len(first) == 6
    assert first == second


def test_what_a_killed_process_has_half_cut_is_removed(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    (tmp_path / ".parts.partial" / "known").mkdir(parents=True)
    parts.prepare(plan, tmp_path / "parts")
    assert not (tmp_path / ".parts.partial").exists()
    assert len(parts.whole(tmp_path / "parts")[0]) == 1797
