"""What goes wrong around a run is one line, and nothing that was finished is lost."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest
import sqlalchemy as sql

from evenrank.benchmark import runner
from evenrank.benchmark.jobs import Job
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.runner import Progress, run
from evenrank.benchmark.store import Report, Store
from tests.benchmark.plans import written
from tests.benchmark.running import claimed, content
from tests.benchmark.test_sealing import HEAD, own

JOB = Job("final", "hashing/itq", 8, 0)
REPORT = Report(0.5, {"test": {"AP": 0.5}}, {}, 1.0, {})


def one_line(caught: pytest.ExceptionInfo[ValueError], *words: str) -> bool:
    text = str(caught.value)
    return "\n" not in text and all(word in text for word in words)


def test_a_full_disk_ends_a_run_with_one_line_and_it_goes_on_once_there_is_room(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    path = tmp_path / "store.sqlite"
    full, room = Store(path), [1 << 30]  # pages

    @sql.event.listens_for(full.database.engine, "connect")
    def small(connection: sqlite3.Connection, record: object) -> None:
        connection.execute(f"pragma max_page_count = {room[0]}")

    def fill(state: Progress) -> None:
        if state.done:
            room[0] = path.stat().st_size // 4096 + 1
            full.database.engine.dispose()

    with pytest.raises(ValueError, match="disk is full") as caught:
        run(plan, full, tmp_path / "parts", workers=1, progress=fill)
    assert one_line(caught, str(path))
    kept = content(Store(path), plan)
    assert 0 < len(kept) < 6
    state = run(plan, Store(path), tmp_path / "parts", workers=2)
    assert (state.done, state.failed) == (6, 0)
    assert kept.items() <= content(Store(path), plan).items()


def test_a_locked_file_is_waited_for_and_then_named(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    path = tmp_path / "store.sqlite"
    store = Store(path, wait=0.2)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("begin exclusive")
    with pytest.raises(ValueError, match="database is locked") as caught:
        store.finish(plan, JOB, {}, REPORT)
    assert one_line(caught, str(path))
    Timer(0.5, other.execute, ["rollback"]).start()
    assert Store(path, wait=60).finish(plan, JOB, {}, REPORT)


def test_claims_are_renewed_again_after_a_renewal_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, store = Plan.read(written(tmp_path)), Store(tmp_path / "store.sqlite")
    told: list[bool] = []

    def renew(self: Store, plan: Plan, name: str, seconds: float) -> None:
        told.append(True)
        if len(told) == 1:
            raise ValueError("locked")

    monkeypatch.setattr(Store, "renew", renew)
    run(plan, store, tmp_path / "parts", workers=2, lease=0.3)
    assert len(told) > 1


@pytest.fixture
def powerless() -> Iterator[Path]:
    """Give a folder, and let what follows run as a user to whom permissions apply."""
    with tempfile.TemporaryDirectory() as name:
        folder, who = Path(name), os.geteuid()
        folder.chmod(0o755)
        yield folder
        os.seteuid(who)
        folder.chmod(0o755)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_store_that_may_only_be_read_is_read_and_refuses_to_write(powerless: Path, what: str) -> None:
    path = powerless / "store.sqlite"
    plan = Plan.read(written(powerless))
    Store(path).finish(plan, JOB, {}, REPORT)
    path.chmod(0o444 if what == "file" else 0o666)
    powerless.chmod(0o555)
    if os.geteuid() == 0:
        os.seteuid(65534)
    store = Store(path)
    assert list(store.outcomes(plan)) == [JOB.key]
    with pytest.raises(ValueError, match="the store cannot be used") as caught:
        store.finish(plan, JOB._replace(number=1), {}, REPORT)
    assert one_line(caught, str(path))


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://me:s3cret@127.0.0.1:1/results", "me:***@127.0.0.1:1/results: the store cannot be used"),
        ("postgresql://127.0.0.1:1/results?password=s3cret", "127.0.0.1:1/results: the store cannot be used"),
        ("postgresql://me:s3c@ret@127.0.0.1/results", "must be written %40"),
        ("postgresql://me:s3cret@127.0.0.1:port/results", "must be like postgresql://"),
        ("mysql://me:s3cret@127.0.0.1/results", "must begin with sqlite:// or postgresql://; got mysql://"),
    ],
)
def test_a_database_that_cannot_be_reached_is_one_line_without_the_password(address: str, said: str) -> None:
    with pytest.raises(ValueError, match="store") as caught:
        Store(address, wait=2)
    assert one_line(caught, said)
    assert not any(word in str(caught.value) for word in ("s3c", "ret@"))


def test_a_damaged_store_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    plan = Plan.read(written(tmp_path))
    Store(path).finish(plan, JOB, {}, REPORT)
    content = bytearray(path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(ValueError, match="the store cannot be used") as caught:
        Store(path).rows(plan)
    assert one_line(caught, str(path))


def test_data_that_are_not_there_are_one_line(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path, HEAD.replace('"digits"', '"nowhere.npz"') + own("Signs", "signs")))
    with pytest.raises(ValueError, match=r"nowhere\.npz: no such file") as caught:
        run(plan, Store(tmp_path / "store.sqlite"), tmp_path / "parts")
    assert one_line(caught)


def test_jobs_that_die_or_never_end_fail_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "GRACE", 0.5)
    methods = own("Deadly", "deadly", "skip = 0") + own("Stubborn", "stubborn", "skip = 0") + own("Signs", "signs")
    limited = HEAD + "limits = { seconds = 20 }\n" + methods
    plan, store = Plan.read(written(tmp_path, limited)), Store(tmp_path / "store.sqlite")
    state = run(plan, store, tmp_path / "parts", workers=2)
    assert (state.done, state.failed) == (4, 2)
    why = {row["method"]: row["traceback"] for row in store.rows(plan) if row["kind"] == "final"}
    assert why["deadly"] == "the job's process died 3 times, at last by SIGKILL, perhaps for want of memory\n"
    assert why["stubborn"] == "the job took longer than the plan's limit, and went on\n"
    assert why["signs"] == ""
    assert not claimed(store)
