"""The documentation's tables are those of the catalog, and its examples run."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent


def test_the_table_of_metrics_is_fresh() -> None:
    spec = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "tables.py")
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    assert tables.PAGE.read_text(encoding="utf-8") == tables.page(), "run python docs/tables.py"


def test_the_readme_example_prints_what_the_readme_shows(capsys: pytest.CaptureFixture) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n(.*?)```\n\n```\n(.*?)```", text, re.DOTALL)
    exec(example[1], {"np": np})  # the README is ours
    assert capsys.readouterr().out.strip() == example[2].strip()
