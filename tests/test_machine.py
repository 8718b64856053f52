"""The machine has a name wherever its processor is written down, and where it is not."""

import os
import platform
from pathlib import Path

import pytest

from evenrank import machine


@pytest.fixture(autouse=True)
def _asked_anew() -> None:
    machine.machine.cache_clear()


def test_the_processor_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = tmp_path / "cpuinfo"
    known.write_text("processor\t: 0\nmodel name\t: A Processor: 3 GHz\n\nprocessor\t: 1\nmodel name\t: Another\n")
    monkeypatch.setattr(machine, "PROCESSOR", known)
    assert machine.machine() == f"A Processor: 3 GHz, {os.cpu_count()} cores, {platform.system()}"


def test_elsewhere_the_standard_library_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "PROCESSOR", tmp_path / "nothing")
    monkeypatch.setattr(platform, "processor", lambda: "arm")
    assert machine.machine() == f"arm, {os.cpu_count()} cores, {platform.system()}"
    machine.machine.cache_clear()
    monkeypatch.setattr(platform, "processor", lambda: "")
    assert machine.machine().startswith(platform.machine())
