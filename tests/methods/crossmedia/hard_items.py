"""Items that are hard to learn from, and how to check that a method learns from them all the same."""

from __future__ import annotations

import warnings

import numpy as np

from evenrank.cross_media_method import CrossMediaMethod
from tests.methods.crossmedia.two_modalities import Items, encoded, items

PLAIN = items(40)
HARD = {
    "more features than items": items(24, image=60, text=40),
    "constant features": PLAIN._replace(image=np.pad(PLAIN.image, ((0, 0), (0, 2)), constant_values=0.1)),
    "duplicates": Items(*(np.repeat(each[:8], 9, axis=0) for each in PLAIN)),
}


def outputs(method: CrossMediaMethod, data: Items) -> dict[str, np.ndarray]:
    """Return both modalities encoded, finite; every warning is an error but that on fewer bits or dimensions."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=r"\w+: \d+ (bits|dimensions) asked for, \d+ possible")
        found = encoded(method.fit(data.x, data.labels), data)
    assert all(np.isfinite(each).all() for each in found.values())
    return found


def assert_same_directions(found: dict[str, np.ndarray], expected: dict[str, np.ndarray]) -> None:
    """Check columns that have no sign and no length of their own, but one of both modalities together."""
    ours, theirs = (np.vstack([each["image"], each["text"]]) for each in (found, expected))
    cosines = (ours * theirs).sum(axis=0) / np.linalg.norm(ours, axis=0) / np.linalg.norm(theirs, axis=0)
    np.testing.assert_allclose(np.abs(cosines), 1, atol=1e-6)
