"""Splits: rows as promised, saved small, rebuilt exactly, and never from a file that lies."""

import base64
import json
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evenrank.split import PARTS, Split, load_splits, save_splits

ROWS = {"query": np.array([7, 1]), "database": np.array([0, 2, 3, 7]), "train": np.array([2]), "validation": [5]}
SPLIT = Split(
    "fold 1",
    10,
    **ROWS,  # type: ignore[arg-type]
    seed=3,
    shares=(("train", "database"),),
    unseen=(("train", "query"),),
    classes=(4, 2),
    note="half of the classes",
)


def test_rows_ascend_without_repetition() -> None:
    split = Split("a", 10, query=np.array([5, 1, 5]), database=np.arange(10) % 2 == 0)
    assert split.query.tolist() == [1, 5]
    assert split.database.tolist() == [0, 2, 4, 6, 8]
    assert (split.train.dtype, len(split.train), len(split.validation)) == (np.int64, 0, 0)
    assert repr(split) == "Split(a: 2 query, 5 database)"


@pytest.mark.parametrize("rows", [[10], [-1, 3]])
def test_rows_outside_of_the_dataset_are_refused(rows: list[int]) -> None:
    with pytest.raises(ValueError, match=r"query of split 'a' must be of 0 … 9; got \["):
        Split("a", 10, query=np.array(rows), database=np.arange(3))


@pytest.mark.parametrize("count", [3, 11])
def test_a_mask_of_another_length_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match=f"query of split 'a' must mark 10 rows; got {count}"):
        Split("a", 10, query=np.zeros(count, bool), database=np.arange(3))


def test_own_is_each_querys_place_in_the_database() -> None:
    assert SPLIT.own.tolist() == [-1, 3]
    assert Split("a", 4, query=np.arange(4), database=np.arange(4)).own.tolist() == [0, 1, 2, 3]
    assert Split("a", 9, query=np.array([8]), database=np.arange(3)).own.tolist() == [-1]
    assert Split("a", 9, query=np.array([8]), database=np.array([])).own.tolist() == [-1]


def test_the_hash_is_that_of_the_rows_on_every_platform() -> None:
    assert SPLIT.hash == "e1257f1a6aa8dbc64b2a4db52b4bda35331f7def9f84479a479e584d9e340bae"
    assert Split("other", 10, **ROWS, seed=9).hash == SPLIT.hash  # type: ignore[arg-type]
    assert Split("fold 1", 11, **ROWS).hash != SPLIT.hash  # type: ignore[arg-type]
    swapped = ROWS | {"query": ROWS["database"], "database": ROWS["query"]}
    assert Split("fold 1", 10, **swapped).hash != SPLIT.hash  # type: ignore[arg-type]


def test_what_is_saved_is_rebuilt(tmp_path: Path) -> None:
    save_splits(tmp_path / "splits.json", [SPLIT, SPLIT], {"protocol": "hold_out/1", "dataset": "größer"})
    splits, about = load_splits(tmp_path / "splits.json")
    assert about == {"protocol": "hold_out/1", "dataset": "größer"}
    assert len(splits) == 2
    for split in splits:
        for name in ("name", "items", "seed", "shares", "unseen", "classes", "note", "hash"):
            assert getattr(split, name) == getattr(SPLIT, name), name
        for part in PARTS:
            np.testing.assert_array_equal(getattr(split, part), getattr(SPLIT, part))
    assert [path.name for path in tmp_path.iterdir()] == ["splits.json"]


def test_a_large_split_is_a_small_file(tmp_path: Path) -> None:
    query = np.random.default_rng(0).permutation(60_000)[:1_000]
    rest = np.setdiff1d(np.arange(60_000), query)
    save_splits(tmp_path / "a.json", [Split("a", 60_000, query, rest, train=rest[:5_000])], {})
    assert (tmp_path / "a.json").stat().st_size < 20_000
    assert load_splits(tmp_path / "a.json")[0][0].query.tolist() == sorted(query)


def packed(raw: bytes) -> str:
    return base64.b64encode(zlib.compress(raw, 9)).decode()


def changed(tmp_path: Path, *keys: str, value: Any = None) -> Path:
    """Write a file of splits whose only split has one value replaced, or taken away."""
    path = tmp_path / "splits.json"
    save_splits(path, [SPLIT], {"protocol": "hold_out/1"})
    content = json.loads(path.read_text())
    inner = content["splits"][0]
    for key in keys[:-1]:
        inner = inner[key]
    if value is None:
        del inner[keys[-1]]
    else:
        inner[keys[-1]] = value
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize(
    ("keys", "value", "line"),
    [
        (("hash",), "0" * 64, "the rows of 'fold 1' do not have the stored hash"),
        (("rows", "query"), packed(bytes(2)), "the rows of 'fold 1' do not have the stored hash"),
        (("items",), 11, "do not have the stored hash"),
        (("items",), 20, "rows of 'fold 1' must be 3 bytes; got 2"),
        (("items",), (1 << 31) - 1, "rows of 'fold 1' must be 268435456 bytes; got 2"),
        (("items",), 1 << 60, "items of 'fold 1' must be from 1 to"),
        (("items",), 10**400, "items of 'fold 1' must be from 1 to"),
        (("items",), 0, "items of 'fold 1' must be from 1 to"),
        (("items",), -8, "items of 'fold 1' must be from 1 to"),
        (("items",), "10", "is not a file of splits"),
        (("items",), 10.0, "is not a file of splits"),
        (("rows", "query"), packed(b"")[:9], "is not a file of splits"),
        (("rows", "query"), packed(bytes(2))[:4], "rows of 'fold 1' must be 2 bytes; got"),
        (("rows", "query"), "no base64!", "is not a file of splits"),
        (("rows", "query"), base64.b64encode(b"no deflate").decode(), "is not a file of splits"),
        (("rows", "query"), packed(bytes(1 << 26)), "do not have the stored hash"),
        (("rows",), ["query"], "is not a file of splits"),
        (("shares",), 3, "is not a file of splits"),
        (("rows", "query"), None, "'query' is missing"),
        (("hash",), None, "'hash' is missing"),
        (("name",), None, "'name' is missing"),
    ],
)
def test_a_file_that_lies_is_refused_in_one_line(tmp_path: Path, keys: tuple[str, ...], value: Any, line: str) -> None:
    path = changed(tmp_path, *keys, value=value)
    with pytest.raises(ValueError, match=line) as caught:
        load_splits(path)
    assert str(caught.value).startswith(f"{path}: is not a file of splits: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("keys", "value"), [(("rows", "query"), packed(bytes(1 << 27))), (("items",), (1 << 31) - 1)], ids=["bomb", "items"]
)
def test_no_memory_is_set_aside_for_what_a_file_only_declares(
    tmp_path: Path, keys: tuple[str, ...], value: Any
) -> None:
    path = changed(tmp_path, *keys, value=value)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="is not a file of splits"):
            load_splits(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 23
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "content",
    ["", "[]", "3", "null", "{}", '{"format": "other"}', '{"format": "evenrank splits 1"}', "[" * 200_000, '{"format"'],
    ids=["empty", "list", "number", "null", "object", "other", "no splits", "deep", "truncated"],
)
def test_what_is_no_file_of_splits_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "splits.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"^[^\n]*splits\.json: is not a file of splits: [^\n]+$"):
        load_splits(path)


def test_bytes_that_are_no_text_and_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "splits.json").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "splits.json", tmp_path):
        with pytest.raises(ValueError, match="is not a file of splits"):
            load_splits(path)


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"absent\.json: no such file$"):
        load_splits(tmp_path / "absent.json")
