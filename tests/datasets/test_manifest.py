"""Items listed in a table: CSV, JSON-lines and Parquet say the same."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest
from PIL import Image

from evenrank.dataset import Dataset, dataset
from evenrank.datasets.manifest import Manifest

CSV = 'image,text,label,train\nb.png,"a cat, asleep",cat,true\na.png,"two\nlines",ant,test\nc.png,,cat,1\n'
ROWS = [
    {"image": "b.png", "text": "a cat, asleep", "label": "cat", "train": True},
    {"image": "a.png", "text": "two\nlines", "label": ["ant"], "train": "test"},
    {"image": "c.png", "text": "", "label": "cat", "train": 1},
]


def write(path: Path, content: Any) -> Path:
    """Write text as it is, rows as JSON-lines, columns as Parquet."""
    if isinstance(content, dict):
        parquet.write_table(arrow.table(content), path)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        text = content if isinstance(content, str) else "".join(json.dumps(row) + "\n" for row in content)
        path.write_text(text, encoding="utf-8")
    return path


def load(path: Path, **columns: str) -> Dataset:
    return Manifest(path=str(path), **columns).load(Path("nowhere"))


@pytest.fixture
def formats(tmp_path: Path) -> list[Path]:
    """The same three items in every format."""
    columns = {name: [row[name] for row in ROWS] for name in ("image", "text")}
    columns |= {"label": ["cat", "ant", "cat"], "train": [True, False, True]}
    return [
        write(tmp_path / "a.csv", CSV),
        write(tmp_path / "b.csv", "\ufeff" + CSV.replace("\n", "\r\n").replace("two\r\n", "two\n") + "\r\n"),
        write(tmp_path / "a.jsonl", ROWS),
        write(tmp_path / "a.parquet", columns),
    ]


def test_every_format_gives_the_same_items(formats: list[Path]) -> None:
    for value, name in enumerate("abc"):
        Image.new("RGB", (2, 2), (value, 0, 0)).save(formats[0].parent / f"{name}.png")
    for data in map(load, formats):
        assert data.classes == ("ant", "cat")
        assert data.labels.tolist() == [1, 0, 1]
        assert data.train.tolist() == [True, False, True]
        assert data.modalities["text"].tolist() == ["a cat, asleep", "two\nlines", ""]
        assert [image[0, 0, 0] for image in data.modalities["image"]] == [1, 0, 2]
    assert len({load(path).checksum for path in formats}) == 1


def test_a_path_stands_for_its_manifest(formats: list[Path]) -> None:
    assert {type(dataset(str(path))) for path in formats} == {Dataset}
    assert dataset("manifest(path='a.csv')", formats[0].parent).name == "a"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "text,label\nx,cat|dog\ny,dog\nz,dog | ant\n"),
        ("a.jsonl", [{"text": t, "label": w} for t, w in (("x", ["cat", "dog"]), ("y", "dog"), ("z", "dog|ant"))]),
        ("a.parquet", {"text": ["x", "y", "z"], "label": [["cat", "dog"], ["dog"], ["dog", "ant"]]}),
    ],
)
def test_several_labels_make_a_matrix(tmp_path: Path, name: str, content: Any) -> None:
    data = load(write(tmp_path / name, content))
    assert data.multilabel
    assert data.classes == ("ant", "cat", "dog")
    assert data.labels.astype(int).tolist() == [[0, 1, 1], [0, 0, 1], [1, 0, 1]]
    assert data.train is None


def test_numbers_are_sorted_as_numbers(tmp_path: Path) -> None:
    assert load(write(tmp_path / "a.csv", "text,label\nx,10\ny,9\nz,10\n")).classes == ("9", "10")
    data = load(write(tmp_path / "a.jsonl", [{"text": "x", "label": 10}, {"text": "y", "label": 9}]))
    assert (data.classes, data.labels.tolist()) == (("9", "10"), [1, 0])


def test_columns_are_named_by_keywords(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "caption,kind,label\nx,ant,7\ny,bee,8\n")
    data = load(path, text="caption", label="kind")
    assert data.classes == ("ant", "bee")
    assert list(data.modalities) == ["text"]
    assert dataset(f"manifest(path={str(path)!r}, text=caption)").classes == ("7", "8")


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("a.csv", "", "holds no items"),
        ("a.csv", "text,label\n", "holds no items"),
        ("a.csv", "text,kind\nx,ant\n", "has no column 'label' for label; there are: text, kind"),
        ("a.csv", "label,kind\nant,x\n", "must have a column for image or text; there are: label, kind"),
        ("a.csv", "text,label\nx,ant\ny\n", "line 3: must have 2 cells as the heading has; got 1"),
        ("a.csv", "text,label\nx,ant\n\ny,z,bee\n", "line 4: must have 2 cells as the heading has; got 3"),
        ("a.csv", "text,label,label\nx,ant,bee\n", "line 1: columns must have different names"),
        ("a.csv", "text,label\nx,ant\ny, \n", "line 3: label: must not be empty; got ' '"),
        ("a.csv", "text,label\nx,ant||bee\n", "line 2: label: must not be empty"),
        ("a.csv", 'text,label\nx,ant\n"y,bee\n', "line 3: is not CSV"),
        ("a.csv", f"text,label\n{'x' * 200_000},ant\n", "line 2: is not CSV: field larger"),
        ("a.csv", b"text,label\nx,\xff\n", "must be UTF-8"),
        ("a.csv", "image,label\n,ant\n", "line 2: image: must name an image"),
        ("a.csv", "text,label,train\nx,ant,yes\n", "line 2: train: must be one of true, 1, .*; got 'yes'"),
        ("a.jsonl", '{"text": "x", "label": 1}\n{"text": "y", \n', "line 2: is not JSON"),
        ("a.jsonl", "[" * 200_000, "line 1: is not JSON"),
        ("a.jsonl", "[1]\n", "line 1: must be an object .*; got list"),
        ("a.jsonl", [{"text": "x", "label": 1}, {"text": "y"}], "line 2: label: must be a word.*; got None"),
        ("a.jsonl", [{"text": "x", "label": []}], "line 1: label: must not be empty"),
        ("a.jsonl", [{"text": "x", "label": [["a"]]}], "line 1: label: must be a word"),
        ("a.jsonl", [{"text": 7, "label": 1}], "line 1: text: must be text; got 7"),
        ("a.jsonl", [{"text": "\ud800", "label": 1}], "line 1: text: .*surrogates not allowed"),
        ("a.parquet", b"PAR1 and nothing else PAR1", "cannot be read as Parquet"),
        ("a.parquet", {"text": ["x", "y"], "label": [1.0, float("nan")]}, "row 2: label: must be a word.*; got nan"),
        ("a.parquet", {"text": ["x"], "label": [{"deep": 1}]}, "row 1: label: must be a word.*; got StructType"),
        ("a.parquet", {"image": [{"path": "a"}], "label": ["a"]}, "row 1: image: must be text; got StructType"),
        ("a.parquet", {"text": ["x"], "label": ["a"], "train": [None]}, "row 1: train: must be one of"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, name: str, content: Any, line: str) -> None:
    with pytest.raises(ValueError, match=line) as caught:
        load(write(tmp_path / name, content))
    assert str(caught.value).startswith(f"{tmp_path / name}: ")
    assert "\n" not in str(caught.value)


def test_a_column_asked_for_must_be_there(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "text,label\nx,ant\n")
    with pytest.raises(ValueError, match="has no column 'photo' for image; there are: text, label"):
        load(path, image="photo")


def test_another_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"suffix must be one of \.csv, \.jsonl, \.parquet; got '\.tsv'"):
        load(write(tmp_path / "a.tsv", "text\tlabel\n"))


@pytest.mark.parametrize("name", ["../secret.png", "/etc/passwd", "..\\secret.png", "link.png", "C:\\a.png"])
def test_an_image_outside_of_the_folder_is_never_opened(tmp_path: Path, name: str) -> None:
    (tmp_path / "set").mkdir()
    Image.new("RGB", (2, 2)).save(tmp_path / "secret.png")
    (tmp_path / "set" / "link.png").symlink_to(tmp_path / "secret.png")
    data = load(write(tmp_path / "set" / "a.csv", f"image,label\n{name},ant\n"))
    with pytest.raises(ValueError, match="names a file outside of itself"):
        data.modalities["image"][0]
    with pytest.raises(ValueError, match="names a file outside of itself"):
        _ = data.checksum


def test_more_rows_than_a_file_of_its_size_can_hold_are_refused(tmp_path: Path) -> None:
    same = arrow.DictionaryArray.from_arrays(np.zeros(1_000_000, np.int8), ["x"])
    path = write(tmp_path / "a.parquet", {"text": same, "label": same})
    with pytest.raises(ValueError, match="declares 1000000 rows, more than its size allows"):
        load(path)


def test_without_pyarrow_parquet_says_what_to_install(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", {"text": ["x"], "label": ["a"]})
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from evenrank.dataset import dataset\n"
        f"try: dataset({str(path)!r})\n"
        "except ValueError as error: print(error)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == f"{path}: Parquet files need pyarrow: pip install 'evenrank[files]'\n"
