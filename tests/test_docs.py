"""What the pages show is what the catalog and the stored results say, and the README's example runs."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SPEC = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "tables.py")
tables = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(tables)


@pytest.mark.parametrize("page", tables.PAGES)
def test_tables_are_fresh(page: str) -> None:
    assert (ROOT / page).read_text(encoding="utf-8") == tables.renewed(page), "run python docs/tables.py"


def test_the_readme_example_prints_what_the_readme_shows(capsys: pytest.CaptureFixture) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    example, output = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL).groups()
    exec(example, {})  # the README is ours
    assert capsys.readouterr().out.strip() == output.strip()
