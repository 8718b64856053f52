"""Runners and workers that are killed at any moment: what is resumed ends as if nothing had happened."""

import os
import random
import signal
import time
from pathlib import Path

import pytest

from evenrank.benchmark.jobs import count
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.runner import run
from evenrank.benchmark.store import Store
from tests.benchmark.plans import PLAN, written
from tests.benchmark.running import Running, claimed, content

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are looked up in /proc")

KILLS = 20
MANY = PLAN.replace("repeats = 2", "repeats = 8").replace("bits = [8]", "bits = [8, 16]")
MANY = MANY.replace("hashing/itq", "tests.benchmark.methods:SlowITQ")
MANY = MANY.replace("trials = 2", "trials = 3\nfolds = 2")


def schedule(seed: int) -> list[str]:
    """Return whom to kill: no runner sees more than two of its workers die, so that no job is given up."""
    chance = random.Random(seed)
    return [chance.choice(["runner", "both"]) if number % 3 == 2 else "worker" for number in range(KILLS)]


def test_twenty_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, MANY)
    plan, store = Plan.read(path), Store(tmp_path / "store.sqlite")
    total = count(plan, 2)
    chance, kills, at_work = random.Random(1), 0, 0
    runner = Running.start(path, tmp_path / "store.sqlite", tmp_path / "parts")
    for number, victim in enumerate(schedule(0)):
        while len(store.outcomes(plan)) < number * (total - 8) // KILLS:  # spread over the whole plan
            assert runner.process.poll() is None, runner.process.stderr.read()
            time.sleep(0.2)
        runner.wait_for_jobs()
        time.sleep(chance.uniform(0, 0.5))
        workers = runner.wait_for_jobs()
        at_work += bool(claimed(store))
        if victim != "runner":
            os.kill(chance.choice(workers), signal.SIGKILL)
            kills += 1
        if victim != "worker":
            runner.process.kill()
            kills += victim == "runner"
            assert runner.gone()
            runner = Running.start(path, tmp_path / "store.sqlite", tmp_path / "parts")
    assert runner.process.wait() == 0, runner.process.stderr.read()
    assert runner.gone()
    assert (kills, at_work) == (KILLS, KILLS)

    undisturbed = Store(tmp_path / "undisturbed.sqlite")
    run(plan, undisturbed, tmp_path / "other parts", workers=2)
    assert content(store, plan) == content(undisturbed, plan)
    assert len(content(store, plan)) == total
    assert store.openings(plan) == undisturbed.openings(plan)
    assert not claimed(store)
