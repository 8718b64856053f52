"""What the items of a gallery look like: a small picture or the beginning of a text, and the name of their class.

A modality of images or of texts shows itself. Where it is features, the dataset may bring what they stand for, as an
extra `shown_image` (items, height, width[, 3]) uint8 or `shown_text` (items,) words; else the label must do.
"""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np

from evenrank.benchmark import parts
from evenrank.dataset import Dataset

SIDE = 64  # pixels of a picture, at most
TEXT = 300  # characters of a text
CLASSES = 3  # of an item with several


def items(galleries: dict[str, list[dict[str, Any]]], data: Dataset, folder: Path) -> dict[str, Any]:
    """Return how all items that galleries show look, by modality and row."""
    wanted: dict[str, set[int]] = {}
    for entries in galleries.values():
        for entry in entries:
            wanted.setdefault(entry["asks"], set()).add(entry["query"])
            rows = (item["row"] for group in entry["groups"] for item in group["items"])
            wanted.setdefault(entry["answers"], set()).update(rows)
    return {modality: _shown(modality, sorted(rows), data, folder) for modality, rows in sorted(wanted.items())}


def label(data: Dataset, row: int) -> str:
    """Return the names of an item's classes; nothing if it has none."""
    if data.labels is None:
        return ""
    found = np.flatnonzero(data.labels[row]) if data.multilabel else np.array([data.labels[row]])
    names = [data.classes[number] if number < len(data.classes) else str(number) for number in found]
    return ", ".join(names[:CLASSES]) + (", …" if len(names) > CLASSES else "")


def _shown(modality: str, rows: list[int], data: Dataset, folder: Path) -> dict[str, dict[str, str]]:
    values = data.modalities[modality]
    images = isinstance(values, np.ndarray) and values.ndim > 2
    seen = values[np.array(rows)] if images else parts.shown(folder, modality, np.array(rows))
    looks: list[dict[str, str]] = [{}] * len(rows) if seen is None else [_look(each) for each in seen]
    return {str(row): {**look, "label": label(data, row)} for row, look in zip(rows, looks, strict=True)}


def _look(seen: Any) -> dict[str, str]:
    return {"picture": picture(seen)} if isinstance(seen, np.ndarray) and seen.ndim else {"text": str(seen)[:TEXT]}


def picture(image: np.ndarray) -> str:
    """Return an image as an address that holds it, `SIDE` pixels at the most, as PNG or JPEG, whichever is shorter."""
    from PIL import Image

    small = Image.fromarray(np.ascontiguousarray(image))
    small.thumbnail((SIDE, SIDE))
    return min((_written(small, kind) for kind in ("png", "jpeg")), key=len)


def _written(image: Any, kind: str) -> str:
    stream = io.BytesIO()
    image.save(stream, kind)
    return f"data:image/{kind};base64,{base64.b64encode(stream.getvalue()).decode()}"
