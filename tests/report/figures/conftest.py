"""The final jobs of the real store, read without the package."""

from pathlib import Path

import pytest

from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Store
from tests.report.figures.stored import Final, finder
from tests.report.stores import finals


@pytest.fixture(scope="session")
def final(stored: tuple[Plan, Store, Path]) -> Final:
    return finder(finals(stored[2] / "store.sqlite"))
