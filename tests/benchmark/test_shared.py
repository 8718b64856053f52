"""Several runners on one store: every job is done once, and who is left goes on."""

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from evenrank.benchmark.jobs import Job
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Report, Store
from tests.benchmark.plans import PLAN, written
from tests.benchmark.postgresql import PASSWORD, programs, server
from tests.benchmark.running import PATIENCE, Running, claimed, content

METHODS = '"tests.benchmark.methods:Counted"'
COUNTED = PLAN.replace('"hashing/lsh"', METHODS).replace("repeats = 2", "repeats = 4").replace("[8]", "[4, 8]")
TOTAL = 2 * (2 + 4) + 2 * (2 + 4)  # two methods at two widths

needed = pytest.mark.skipif(programs() is None, reason="needs PostgreSQL: apt-get install postgresql")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with server() as found:
        yield found


@pytest.fixture
def fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file to which a counted method writes whenever it is fitted."""
    path = tmp_path / "fits"
    path.touch()
    monkeypatch.setenv("COUNTED", str(path))
    return path


def shared(plan: Path, store: str | Path, folder: Path, kill: bool = False) -> list[set[str]]:
    """Run a plan by two runners at once, of which one may be killed; return which jobs each was seen at."""
    both = [Running.start(plan, store, folder / "parts") for _ in range(2)]
    kept, seen = Store(store), dict[str, set[str]]()
    while any(each.process.poll() is None for each in both):
        time.sleep(0.2)
        for key, runner in claimed(kept).items():
            seen.setdefault(runner, set()).add(key)
        if kill and len(seen) == 2 and both[0].jobs():
            both[0].process.kill()
            assert both[0].gone()
            kill = False
    assert not kill
    codes = [each.process.wait(PATIENCE) for each in both]
    assert codes[1] == 0, both[1].process.stderr
    assert codes[0] in (0, -9), both[0].process.stderr
    assert all(each.gone() for each in both)
    return list(seen.values())


def once(fits: Path) -> bool:
    """Return whether each job of the counted method was fitted once: 2 widths of 2 trials and 4 repeats."""
    lines = Counter(fits.read_text(encoding="utf-8").split("\n")[:-1])
    return len(lines) == 2 * (2 + 4) and set(lines.values()) == {1}


@needed
def test_two_runners_share_a_plan_on_postgresql(address: str, tmp_path: Path, fits: Path) -> None:
    path = written(tmp_path, COUNTED)
    plan, store = Plan.read(path), Store(address)
    seen = shared(path, address, tmp_path)
    assert once(fits)
    assert len(seen) == 2
    assert min(map(len, seen)) > 1
    assert not claimed(store)
    alone = Store(tmp_path / "alone.sqlite")
    undisturbed = Running.start(path, tmp_path / "alone.sqlite", tmp_path / "parts")
    assert undisturbed.process.wait() == 0, undisturbed.process.stderr
    assert content(store, plan) == content(alone, plan)
    assert len(content(store, plan)) == TOTAL


@needed
def test_when_one_of_two_runners_is_killed_the_other_finishes(address: str, tmp_path: Path, fits: Path) -> None:
    path = written(tmp_path, COUNTED.replace("repeats = 4", "repeats = 3"))
    plan, store = Plan.read(path), Store(address)
    shared(path, address, tmp_path, kill=True)
    assert len(content(store, plan)) == TOTAL - 4
    assert not claimed(store)
    assert not any(row["traceback"] for row in store.rows(plan))


def test_two_runners_share_a_plan_on_one_file(tmp_path: Path, fits: Path) -> None:
    path = written(tmp_path, COUNTED)
    plan = Plan.read(path)
    seen = shared(path, tmp_path / "store.sqlite", tmp_path)
    assert once(fits)
    assert len(seen) == 2
    assert len(content(Store(tmp_path / "store.sqlite"), plan)) == TOTAL


@needed
def test_postgresql_keeps_what_it_has_no_type_for(address: str, tmp_path: Path) -> None:
    plan, store = Plan.read(written(tmp_path)), Store(address)
    job, nan = Job("final", "x" * 500, 8, 0), float("nan")
    store.finish(plan, job, {}, Report(nan, {"test": {"AP": nan}}, {}, 1.0, {}))
    [row] = store.rows(plan)
    assert row["value"] is None
    assert repr(row["metrics"]["test"]["AP"]) == "nan"


@needed
def test_a_wrong_password_is_one_line_without_it(address: str) -> None:
    with pytest.raises(ValueError, match="password authentication failed") as caught:
        Store(address.replace("word", "other"))
    assert "\n" not in str(caught.value)
    assert "s3cret" in PASSWORD
    assert "s3cret" not in str(caught.value)
