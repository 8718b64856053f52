"""Rows of tables come one at a time, each with its place in the file."""

from pathlib import Path

import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest

from evenrank.formats.manifests import manifest_rows


def test_places_count_the_lines_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('a,b\n1,"x\ny"\n\n2,z\n')
    assert list(manifest_rows(path)) == [("line 3", {"a": "1", "b": "x\ny"}), ("line 5", {"a": "2", "b": "z"})]
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n\n{"a": [2]}\n')
    assert list(manifest_rows(path)) == [("line 1", {"a": 1}), ("line 3", {"a": [2]})]


def test_rows_before_a_bad_line_are_given(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n{')
    rows = manifest_rows(path)
    assert next(rows) == ("line 1", {"a": 1})
    with pytest.raises(ValueError, match="line 2: is not JSON"):
        next(rows)


def test_parquet_gives_words_numbers_and_lists_and_of_other_columns_the_type(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    columns = {
        "word": arrow.array(["x"]).dictionary_encode(),
        "large": arrow.array(["y"], arrow.large_string()),
        "number": [1.5],
        "list": [["a", "b"]],
        "struct": [{"deep": 1}],
        "bytes": [b"raw"],
        "identifier": arrow.ExtensionArray.from_storage(arrow.uuid(), arrow.array([bytes(16)], arrow.binary(16))),
    }
    parquet.write_table(arrow.table(columns), path)
    [(place, row)] = manifest_rows(path)
    assert place == "row 1"
    assert {name: row[name] for name in ("word", "large", "number", "list")} == {
        "word": "x",
        "large": "y",
        "number": 1.5,
        "list": ["a", "b"],
    }
    assert all(isinstance(row[name], arrow.DataType) for name in ("struct", "bytes", "identifier"))


def test_rows_are_numbered_through_all_batches(tmp_path: Path) -> None:
    parquet.write_table(arrow.table({"a": list(range(10_000))}), tmp_path / "a.parquet")
    *_, (place, row) = manifest_rows(tmp_path / "a.parquet")
    assert (place, row) == ("row 10000", {"a": 9_999})


def test_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").mkdir()
    with pytest.raises(ValueError, match=r"a\.csv: cannot be read: Is a directory"):
        next(manifest_rows(tmp_path / "a.csv"))
