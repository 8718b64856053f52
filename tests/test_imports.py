"""Imports point one way: kernels ← nouns ← metrics ← datasets ← evaluation ← training ← methods ← command line."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import evenrank

SOURCE = Path(evenrank.__file__).parent
LAYERS = (
    ("kernels",),
    ("parameters", "catalog", "cutoff", "arrays", "intervals", "formats", "machine"),
    ("codes", "embeddings", "groups", "relevance"),
    ("tally", "counting", "distinct", "occupancy", "clusters", "curves", "search"),
    ("metric", "tie_orders", "metrics", "soft_counts", "objective", "objectives", "continuation"),
    ("dataset", "datasets", "split", "protocol", "protocols", "leaks", "fetching"),
    ("extractor", "extractors", "features"),
    ("table", "result", "evaluate", "conventions"),
    ("batches", "augmentation", "training", "networks"),
    ("method", "cross_media_method", "methods"),
    ("cross_media",),
    ("tuning", "significance"),
    ("benchmark",),
    ("report",),
    ("demo",),
    ("cli",),
)
LAYER = {name: height for height, names in enumerate(LAYERS) for name in names}
FILES = sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def top(parts: tuple[str, ...]) -> str:
    return parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse((SOURCE / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} if node.module != "evenrank" else {f"evenrank.{alias.name}" for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("evenrank.")} - {"__version__"}


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_file_imports_only_from_its_own_layer_or_below(path: Path) -> None:
    own = LAYER[top(path.parts)]
    too_high = {name for name in imported(path) if LAYER[name] > own}
    assert not too_high, f"{path} must not import {too_high}"


def test_import_and_help_load_neither_torch_nor_numba() -> None:
    code = (
        "import sys, evenrank; from typer.testing import CliRunner; import evenrank.cli as cli;"
        "assert CliRunner().invoke(cli.app, ['--help']).exit_code == 0;"
        "print([name for name in ('torch', 'numba', 'scipy', 'sklearn', 'numpy') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_a_file_does_not_hide_the_function_of_its_name() -> None:
    import evenrank.evaluate
    import evenrank.tally

    assert callable(evenrank.evaluate)
    assert callable(evenrank.tally)
