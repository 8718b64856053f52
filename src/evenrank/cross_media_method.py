"""What a cross-media method is: items that are both an image and a text, brought into one space.

One file of `methods/crossmedia/` holds one. It is a `Method` that is fitted on both modalities of the same items and
encodes one of them, so that an image can search texts and a text images:

    fit({"image": images, "text": texts}, y)      encode(texts, "text")

The base class checks what comes in; a file only has

    learn(x, y)               `x` is {"image": (items, d), "text": (items, e)}
    project(x, modality)      from features of one modality to Codes or Embeddings of the common space

What is learned for each modality is kept as a dictionary of arrays, `self.weights_ = {"image": …, "text": …}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from evenrank.codes import Codes
from evenrank.embeddings import Embeddings
from evenrank.method import Method
from evenrank.parameters import validate

MODALITIES = ("image", "text")


@dataclass(eq=False, repr=False, kw_only=True)
class CrossMediaMethod(Method):
    """The contract of `methods/crossmedia/`: as `Method`, for two modalities of the same items."""

    def fit(self, x: Mapping[str, Any], y: Any = None) -> Self:
        """Learn from both modalities, row by row of the same items, and from labels where they are needed."""
        validate(self)
        if not isinstance(x, Mapping) or set(x) != set(MODALITIES):
            got = ", ".join(map(str, x)) or "none" if isinstance(x, Mapping) else type(x).__name__
            raise ValueError(f"{self._name} needs the modalities {' and '.join(MODALITIES)}; got {got}")
        items = {modality: self._features(x[modality], f"'s {modality}") for modality in MODALITIES}
        rows = [len(features) for features in items.values()]
        if rows[0] != rows[1]:
            raise ValueError(f"{self._name} needs both modalities of every item; got {rows[0]} images, {rows[1]} texts")
        if rows[0] < 2:
            raise ValueError(f"{self._name} needs at least two items to fit; got {rows[0]}")
        for modality, features in items.items():
            if (features == features[0]).all():
                raise ValueError(f"features of {self._name}'s {modality} must vary; all {rows[0]} items are the same")
        self.learn(items, self._supervision(y, rows[0]))
        self.n_features_in_ = {modality: features.shape[1] for modality, features in items.items()}
        return self

    def encode(self, x: Any, modality: str) -> Codes | Embeddings:  # type: ignore[override]
        """Return the codes or embeddings of features of one modality, "image" or "text"."""
        if not hasattr(self, "n_features_in_"):
            raise ValueError(f"{self._name} must be fitted before it encodes")
        if modality not in MODALITIES:
            raise ValueError(f"modality of {self._name} must be one of {', '.join(MODALITIES)}; got {modality!r}")
        features = self._features(x, f"'s {modality}")
        expected = self.n_features_in_[modality]
        if features.shape[1] != expected:
            raise ValueError(f"{self._name} was fitted on {expected} {modality} features; got {features.shape[1]}")
        return self.project(features, modality)

    def transform(self, x: Any, modality: str) -> np.ndarray:  # type: ignore[override]
        """Return a plain array: codes as signs, (items, bits) int8, or the values of embeddings."""
        found = self.encode(x, modality)
        return found.signs() if isinstance(found, Codes) else np.asarray(found.values)

    def project(self, x: np.ndarray, modality: str) -> Codes | Embeddings:
        """Return codes or embeddings of checked features."""
        raise NotImplementedError
