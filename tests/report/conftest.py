"""One store of real jobs for all tests of a process."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Store
from evenrank.report.contents import Contents, read
from tests.report.stores import real


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Plan, Store, Path]:
    folder = tmp_path_factory.mktemp("report")
    plan, store = real(folder)
    return plan, store, folder


@pytest.fixture(scope="session")
def contents(stored: tuple[Plan, Store, Path]) -> Contents:
    plan, store, _ = stored
    return read(store, plan)
