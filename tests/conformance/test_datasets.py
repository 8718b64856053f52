"""What every dataset of the catalog promises: adding a file to `datasets/` is enough to have it checked."""

import re
from dataclasses import MISSING, fields
from inspect import getsourcefile
from pathlib import Path, PurePosixPath
from typing import Any, get_type_hints

import pytest

from evenrank.catalog import Entry, entries, make
from evenrank.dataset import Loader
from evenrank.parameters import Choice, ranges

ENTRIES = entries("datasets")
CONSTANTS = ("title", "media", "items", "categories", "needs", "source", "licence", "citation", "downloads")
DIGITS = {"md5": 32, "sha256": 64}  # hexadecimal, of a checksum


def required(entry: Entry) -> list[str]:
    """Return the options without a default: a dataset of one's own has them."""
    return [field.name for field in fields(entry.load()) if field.default is MISSING]


def made(entry: Entry, absent: Path, **options: Any) -> Loader:
    """Return the loader; options that it cannot do without are a path at which nothing is."""
    loader: Loader = entry.load()(**{name: str(absent) for name in required(entry)}, **options)
    return loader


OWN = [entry for entry in ENTRIES if required(entry)]
PUBLISHED = [entry for entry in ENTRIES if any(entry.constants.get("needs", ()))]
BUILT_IN = [entry for entry in ENTRIES if entry not in OWN and entry not in PUBLISHED]
DOWNLOADS = [(entry.name, *each) for entry in ENTRIES for each in entry.constants.get("downloads", ())]
OPTIONS = [(entry, *each) for entry in ENTRIES for each in ranges(entry.load())]


def name_of(entry: Entry) -> str:
    return entry.name


@pytest.mark.parametrize("entry", ENTRIES, ids=name_of)
def test_it_is_a_documented_loader(entry: Entry) -> None:
    cls = entry.load()
    assert issubclass(cls, Loader)
    assert entry.summary
    assert cls.__dict__["__doc__"].startswith(entry.summary)
    assert cls.read.__doc__


@pytest.mark.parametrize("entry", ENTRIES, ids=name_of)
def test_its_constants_can_be_read_without_importing_it(entry: Entry) -> None:
    cls = entry.load()
    for name in CONSTANTS:
        assert hasattr(cls, name), name
        if name in vars(cls):
            assert entry.constants[name] == vars(cls)[name], name
    assert all(isinstance(getattr(cls, name), str) for name in ("title", "media", "source", "licence", "citation"))
    assert all("\n" not in getattr(cls, name) for name in ("title", "media", "source", "licence", "citation"))
    assert all(getattr(cls, name) for name in ("title", "media", "source"))
    for name in ("items", "categories"):
        assert getattr(cls, name) is None or getattr(cls, name) > 0


@pytest.mark.parametrize("entry", PUBLISHED, ids=name_of)
def test_what_was_published_says_by_whom_and_on_which_terms(entry: Entry) -> None:
    assert entry.constants["licence"]
    assert re.search(r"\b(19|20)\d\d\b", entry.constants["citation"])
    assert re.search(r"https?://\S+", entry.constants["source"])


@pytest.mark.parametrize("entry", PUBLISHED, ids=name_of)
def test_the_paths_it_needs_are_below_the_data_root(entry: Entry) -> None:
    for names in entry.constants["needs"]:
        assert isinstance(names, tuple)
        assert names
        for name in names:
            assert below(name), name


def below(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts and not set(name) & set("\\:")


@pytest.mark.parametrize(("name", "address", "checksum", "folder"), DOWNLOADS)
def test_a_download_is_pinned_or_comes_by_https(name: str, address: str, checksum: str, folder: str) -> None:
    assert re.fullmatch(r"https?://[\w.-]+/[^\s?#]+", address)
    assert folder == "" or below(folder)
    if checksum or address.startswith("http:"):  # an address without encryption must say what will come
        algorithm, _, value = checksum.partition(":")
        assert re.fullmatch(rf"[0-9a-f]{{{DIGITS[algorithm]}}}", value)


@pytest.mark.parametrize("entry", ENTRIES, ids=name_of)
def test_its_name_is_enough_to_make_it(entry: Entry, tmp_path: Path) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]*", entry.name)
    options = ", ".join(f"{name}={str(tmp_path)!r}" for name in required(entry))
    loader = make("datasets", f"{entry.name}({options})")
    assert type(loader) is entry.load()
    assert loader == make("datasets", f"{entry.name}({options})")
    assert not required(entry) or required(entry) == ["path"]


@pytest.mark.parametrize("entry", ENTRIES, ids=name_of)
def test_every_option_has_a_range_or_is_a_word(entry: Entry) -> None:
    cls = entry.load()
    hints = get_type_hints(cls)
    ranged = {name for name, _, _ in ranges(cls)}
    assert {field.name for field in fields(cls) if hints[field.name] is not str} <= ranged


@pytest.mark.parametrize(("entry", "option", "allowed", "optional"), OPTIONS)
def test_an_option_outside_its_range_is_refused_in_one_line(
    entry: Entry, option: str, allowed: Any, optional: bool, tmp_path: Path
) -> None:
    below_range = "nothing like it" if isinstance(allowed, Choice) else allowed.low - 1
    for value in (below_range, "a word", [], *(() if optional else (None,))):
        with pytest.raises(ValueError, match=rf"^{option} of {entry.public} must be [^\n]*; got [^\n]*$"):
            made(entry, tmp_path, **{option: value})


@pytest.mark.parametrize("entry", PUBLISHED, ids=name_of)
def test_absent_files_are_named_in_one_line_with_their_source(entry: Entry, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]+$") as caught:
        made(entry, tmp_path).load(tmp_path)
    line = str(caught.value)
    assert str(tmp_path) in line
    assert any(name in line for names in entry.constants["needs"] for name in names)
    assert entry.constants["source"] in line
    assert (f"evenrank data fetch {entry.name}" in line) == bool(entry.constants.get("downloads"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("entry", OWN, ids=name_of)
def test_a_path_at_which_nothing_is_is_named_in_one_line(entry: Entry, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]+$") as caught:
        made(entry, tmp_path / "absent").load(tmp_path)
    assert str(tmp_path / "absent") in str(caught.value)


@pytest.mark.parametrize("entry", BUILT_IN, ids=name_of)
def test_what_needs_no_file_loads_without_one(entry: Entry, tmp_path: Path) -> None:
    data = made(entry, tmp_path).load(tmp_path / "absent")
    assert len(data) == entry.constants["items"]
    assert data.checksum == made(entry, tmp_path).load(tmp_path / "absent").checksum


@pytest.mark.parametrize("entry", ENTRIES, ids=name_of)
def test_it_has_a_mirrored_test_file(entry: Entry) -> None:
    tests = Path(__file__).parents[1] / "datasets"
    assert (tests / f"test_{Path(getsourcefile(entry.load()) or '').stem}.py").exists()
