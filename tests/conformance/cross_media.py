"""What the suite of cross-media methods shares: items, methods that are quick to fit, and what outputs must be."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import fields
from functools import cache

import numpy as np

from evenrank.catalog import entries
from evenrank.cross_media_method import MODALITIES, CrossMediaMethod
from tests.methods.crossmedia.two_modalities import Items, items

ENTRIES = {entry.name: entry for entry in entries("methods") if entry.name.startswith("crossmedia/")}
SMALL = {  # keywords that make a fit quick, set where a method has them: the suite asks for no quality
    "iterations": 3,
    "epochs": 2,
    "batches": 2,
    "batch": 40,
    "width": 8,
    "atoms": 10,
    "anchors": 10,
    "sample": 60,
}
SIZES = ("bits", "dimensions")  # the keyword that says how long an output is; some have as many as classes
FEWER = r"\w+: \d+ (bits|dimensions) asked for, \d+ possible"
DATA = items(120, image=14, text=9)
Outputs = dict[str, np.ndarray]


def made(name: str, size: int = 6) -> CrossMediaMethod:
    """Return a method that is quick to fit; keywords that it does not have are left out."""
    cls = ENTRIES[name].load()
    known = {field.name for field in fields(cls)}
    given = {**SMALL, **dict.fromkeys(SIZES, size)}
    chosen: CrossMediaMethod = cls(**{key: value for key, value in given.items() if key in known})
    return chosen


def fit(method: CrossMediaMethod, data: Items) -> CrossMediaMethod:
    """Fit, with every warning an error but that on fewer bits or dimensions."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=FEWER)
        return method.fit(data.x, data.labels)


def encoded(method: CrossMediaMethod, data: Items) -> Outputs:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return {modality: method.transform(features, modality) for modality, features in data.x.items()}


@cache
def fitted(name: str) -> CrossMediaMethod:
    return fit(made(name), DATA)


def arrays(method: CrossMediaMethod) -> Iterator[np.ndarray]:
    """Yield what was learned that is an array, also those of a dictionary."""
    for value in vars(method).values():
        for one in value.values() if isinstance(value, dict) else [value]:
            if isinstance(one, np.ndarray):
                yield one


def assert_same(found: Outputs, expected: Outputs) -> None:
    for modality in MODALITIES:
        np.testing.assert_array_equal(found[modality], expected[modality])


def assert_usable(method: CrossMediaMethod, data: Items) -> None:
    """Check that outputs are finite and of one length, and that nothing learned is NaN."""
    found = encoded(method, data)
    assert found["image"].shape == found["text"].shape
    assert all(np.isfinite(values).all() for values in found.values())
    assert not any(np.isnan(values).any() for values in arrays(method) if values.dtype.kind == "f")


def learned_or_refused_in_one_line(name: str, data: Items) -> None:
    """Check that a hard case is either learned, and encoded, or refused in one line that names the method."""
    method, message = made(name), ""
    try:
        fit(method, data)
    except ValueError as error:
        message = str(error)
    if message:
        assert "\n" not in message
        assert type(method).__name__ in message
    else:
        assert_usable(method, data)
