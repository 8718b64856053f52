"""One store of real jobs for all tests of a process."""

from __future__ import annotations

import pytest

from evenrank.report.contents import Contents, read
from tests.report.stores import Stored, real


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Stored:
    folder = tmp_path_factory.mktemp("report")
    plan, store = real(folder)
    return plan, store, folder


@pytest.fixture(scope="session")
def contents(stored: Stored) -> Contents:
    plan, store, _ = stored
    return read(store, plan)
