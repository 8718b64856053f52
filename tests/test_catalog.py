"""The catalog: files found by name, objects made from a written call, and nothing ever run."""

from pathlib import Path

import pytest

from evenrank import catalog
from evenrank.catalog import entries, find, make


def test_entries_are_the_files_of_a_folder_by_name() -> None:
    names = [entry.name for entry in entries("datasets")]
    assert names == sorted(names)
    assert {"bundle", "digits", "synthetic"} <= set(names)
    assert "__init__" not in names


def test_an_entry_tells_what_can_be_read_without_importing() -> None:
    entry = find("datasets", "digits")
    assert (entry.public, entry.summary) == ("Digits", "1,797 handwritten digits of 8 × 8 pixels, built in.")
    assert entry.constants["items"] == 1797
    assert entry.load().__name__ == "Digits"


def test_an_unknown_name_lists_the_known_and_gives_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"^'digts' is not one of the datasets: .*bundle.*; did you mean digits\?$"):
        find("datasets", "digts")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A plural folder of its own."""
    monkeypatch.setattr(catalog, "ROOT", tmp_path)
    made = tmp_path / f"things_of_{tmp_path.name}"  # entries are remembered by the folder's name
    made.mkdir()
    return made


def test_a_name_that_repeats_needs_its_folder(folder: Path) -> None:
    for name in ("left/one.py", "right/one.py", "right/two.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("class Thing:\n    pass\n")
    assert find(folder.name, "two").name == "right/two"
    assert find(folder.name, "left/one").name == "left/one"
    with pytest.raises(ValueError, match=r"'one' stands for more than one of the .*: left/one, right/one"):
        find(folder.name, "one")


def test_files_are_parsed_not_imported(folder: Path) -> None:
    (folder / "one.py").write_text(
        "raise RuntimeError\nclass _Hidden: pass\nclass One:\n    'First.\\n\\n    More.'\n    a = b = (1, 'x')\n"
        "    c: int = 3\n    d = len('x')\n"
    )
    [entry] = entries(folder.name)
    assert (entry.public, entry.summary, entry.constants) == ("One", "First.", {"a": (1, "x"), "b": (1, "x"), "c": 3})


@pytest.mark.parametrize("text", ["x = 1\n", "class One: pass\nclass Two: pass\n"])
def test_a_file_must_hold_one_public_class(folder: Path, text: str) -> None:
    (folder / "one.py").write_text(text)
    with pytest.raises(ValueError, match=r"one\.py of .* must hold exactly one public class; got [02]"):
        entries(folder.name)


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("synthetic", {}),
        ("synthetic()", {}),
        (" synthetic ( items = 500 , difficulty=2 ) ", {"items": 500, "difficulty": 2}),
        ("synthetic(seed=3, difficulty=.5,)", {"seed": 3, "difficulty": 0.5}),
        ("synthetic(items=1_000)", {"items": 1000}),
    ],
)
def test_a_written_call_makes_the_object(text: str, changed: dict[str, object]) -> None:
    assert make("datasets", text) == find("datasets", "synthetic").load()(**changed)


def test_words_need_no_quotes_and_paths_do() -> None:
    assert make("datasets", "bundle(path=features)").path == "features"
    assert make("datasets", "bundle(path='a (b)/c.npz')").path == "a (b)/c.npz"
    assert make("datasets", "bundle(path='a', fold=None)").fold is None


@pytest.mark.parametrize(
    "text",
    [
        "synthetic(5)",
        "synthetic(items=5",
        "synthetic(items=5))",
        "synthetic(items=5) or 1",
        "synthetic(items=5)(seed=1)",
        "synthetic(items=5).seed",
        "synthetic(items=5, items=6)",
        "synthetic(items=5; seed=1)",
        "synthetic(items={[]: 1})",
        "synthetic(items=open('x'))",
        "synthetic(items=__import__('os').getpid())",
        "synthetic(items=[1 for _ in 'ab'])",
        "synthetic(items=2**9**9)",
        "bundle(path=a/b.npz)",
        "synthetic(*'ab')",
        "synthetic(items=" + "(" * 500 + "1" + ")" * 500 + ")",
        "synthetic(items=\0)",
    ],
)
def test_anything_but_plain_keywords_is_refused_unrun(text: str) -> None:
    with pytest.raises(ValueError, match=r"of the datasets must be written name or name\(keyword=value, …\)"):
        make("datasets", text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("synthetic(item=5)", r"^synthetic has no keyword 'item'; there are items, .*; did you mean items\?$"),
        ("synthetic(**{'items': 5})", "^synthetic has no keyword 'None'"),
        ("digits(items=5)", "^digits has no keyword 'items'; there are none$"),
        ("synthetic(items=many)", "^items of Synthetic must be a whole number of at least 1; got 'many'$"),
        ("bundle", "^bundle: .*missing 1 required .*'path'$"),
        ("", "^'' is not one of the datasets"),
    ],
)
def test_what_is_wrong_with_a_call_is_said_in_one_line(text: str, line: str) -> None:
    with pytest.raises(ValueError, match=line) as caught:
        make("datasets", text)
    assert "\n" not in str(caught.value)


def test_a_class_of_ones_own_is_found_by_its_module() -> None:
    entry = find("methods", "tests.benchmark.methods:Signs")
    assert (entry.load().__name__, entry.constants["title"]) == ("Signs", "Signs")


@pytest.mark.parametrize("name", ["tests.benchmark.methods:Nobody", "no.such.module:Signs", ":Signs", "tests:"])
def test_a_class_of_ones_own_that_is_not_there_is_one_line(name: str) -> None:
    with pytest.raises(ValueError, match="of the methods must be module:Class") as caught:
        find("methods", name)
    assert "\n" not in str(caught.value)
