"""Manifests: tables with one row an item, as CSV, JSON-lines or Parquet, read once from front to back.

Every reader yields rows as (place in the file, {column: value}), so whatever is wrong can be said with its line.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Row = tuple[str, dict[str, Any]]


def manifest_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a manifest in their order; the suffix says the format. A row is never a whole file's work."""
    read = READERS.get(path.suffix.lower())
    if read is None:
        raise ValueError(f"{path}: the suffix must be one of {', '.join(READERS)}; got {path.suffix!r}")
    try:
        yield from read(path)
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: must be UTF-8; got {error.reason}") from None


def _csv(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.reader(stream, strict=True)
        try:
            header = next(reader, [])
            if len(set(header)) != len(header):
                raise ValueError(f"{path}: line 1: columns must have different names; got {', '.join(header)}")
            for cells in reader:
                if len(cells) not in (0, len(header)):  # 0: a blank line
                    got = f"must have {len(header)} cells as the heading has; got {len(cells)}"
                    raise ValueError(f"{path}: line {reader.line_num}: {got}")
                if cells:
                    yield f"line {reader.line_num}", dict(zip(header, cells, strict=True))
        except csv.Error as error:
            raise ValueError(f"{path}: line {reader.line_num}: is not CSV: {error}") from None


def _json_lines(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig") as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{path}: line {number}: is not JSON: {error}") from None
            if not isinstance(row, dict):
                raise ValueError(f"{path}: line {number}: must be an object {{…}}; got {type(row).__name__}")
            yield f"line {number}", row


def _parquet(path: Path) -> Iterator[Row]:
    try:
        import pyarrow as arrow
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise ValueError(f"{path}: Parquet files need pyarrow: pip install 'evenrank[files]'") from None
    try:
        with ParquetFile(path) as file:
            if file.metadata.num_rows > 8 * path.stat().st_size:  # items that differ take more than a bit each
                raise ValueError(f"{path}: declares {file.metadata.num_rows} rows, more than its size allows")
            kinds = {field.name: field.type for field in file.schema_arrow}
            plain = [name for name, kind in kinds.items() if _is_plain(kind)]
            batches = file.iter_batches(batch_size=4096, columns=plain)
            for number, row in enumerate((row for batch in batches for row in batch.to_pylist()), 1):
                yield f"row {number}", {**kinds, **row}
    except (arrow.ArrowException, OSError) as error:
        raise ValueError(f"{path}: cannot be read as Parquet: {' '.join(str(error).split())}") from None


def _is_plain(kind: Any) -> bool:
    """Return whether a column holds words, numbers or lists of them; of any other the type stands in for the value."""
    from pyarrow import types

    if types.is_list(kind) or types.is_large_list(kind) or types.is_dictionary(kind):
        kind = kind.value_type
    word = types.is_string(kind) or types.is_large_string(kind)
    return word or types.is_null(kind) or types.is_boolean(kind) or types.is_integer(kind) or types.is_floating(kind)


READERS: dict[str, Callable[[Path], Iterator[Row]]] = {".csv": _csv, ".jsonl": _json_lines, ".parquet": _parquet}
