"""What the pages show is what the catalog and the stored results say, and the README's example runs."""

import re

import pytest

from docs import tables
from docs.tables import ROOT


@pytest.mark.parametrize("page", tables.PAGES)
def test_tables_are_fresh(page: str) -> None:
    assert (ROOT / page).read_text(encoding="utf-8") == tables.renewed(page), "run python -m docs.tables"


def test_the_readme_example_prints_what_the_readme_shows(capsys: pytest.CaptureFixture) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    example, output = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL).groups()
    exec(example, {})  # the README is ours
    assert capsys.readouterr().out.strip() == output.strip()
