"""What a method is: `fit` learns from features, `encode` turns features into codes or embeddings.

One file of `methods/` holds one. A method is a scikit-learn estimator: keywords are stored untouched, what is learned
ends in `_`, `clone` and `Pipeline` work. The base class checks what comes in; a file only has

    learn(x, y)    the paper's steps; sets attributes that end in `_`, all of them arrays or plain values
    read(x)        from features to Codes or Embeddings, by those attributes alone

so that a fitted method is saved as JSON and plain arrays, and never as a pickle.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator

from evenrank.arrays import as_array, load_array, row_blocks
from evenrank.catalog import find
from evenrank.codes import Codes
from evenrank.embeddings import Embeddings
from evenrank.formats.bundles import save_bundle
from evenrank.formats.whole import whole
from evenrank.parameters import validate
from evenrank.relevance import Relevance, SameLabel, SharedLabels

FORMAT = "evenrank method 1"

Supervision = Literal["none", "relevance", "labels"]


@dataclass(eq=False, repr=False, kw_only=True)
class Method(BaseEstimator):  # type: ignore[misc]
    """The contract of `methods/`: class constants say what it is, annotated keywords are its parameters.

    `supervision` says what `fit` needs as `y`: nothing; relevance, which class numbers, a matrix of 0/1 labels or a
    square `Relevance` all give; or labels, class numbers or a matrix.
    """

    title: ClassVar[str]
    paper: ClassVar[str]
    supervision: ClassVar[Supervision] = "none"
    takes_images: ClassVar[bool] = False  # (items, height, width, 3) uint8, beside features
    cost: ClassVar[str] = ""  # of fit, in words: "one eigendecomposition", "minutes on 5,000 items"

    def fit(self, x: Any, y: Any = None) -> Self:
        """Learn from features (items, dimensions) and, for supervised methods, labels or relevance."""
        validate(self)
        features = self._training_features(x)
        self.n_features_in_ = features.shape[1]
        self.learn(features, self._supervision(y, len(features)))
        return self

    def encode(self, x: Any) -> Codes | Embeddings:
        """Return the codes or embeddings of features, which must have as many columns as those it was fitted on."""
        if not hasattr(self, "n_features_in_"):
            raise ValueError(f"{self._name} must be fitted before it encodes")
        features = self._features(x)
        if features.shape[1] != self.n_features_in_:
            raise ValueError(f"{self._name} was fitted on {self.n_features_in_} features; got {features.shape[1]}")
        return self.read(features)

    def transform(self, x: Any) -> np.ndarray:
        """Return a plain array: codes as signs, (items, bits) int8, or the values of embeddings."""
        found = self.encode(x)
        return found.signs() if isinstance(found, Codes) else np.asarray(found.values)

    def learn(self, x: Any, y: Any) -> None:
        """Learn: `x` (items, dimensions) float64 or float32, finite; `y` as `supervision` says."""
        raise NotImplementedError

    def read(self, x: np.ndarray) -> Codes | Embeddings:
        """Return codes or embeddings of checked features."""
        raise NotImplementedError

    def save(self, folder: str | Path) -> None:
        """Write method.json and arrays.npz to a folder, which is made if it is not there."""
        state = {name: value for name, value in vars(self).items() if name.endswith("_")}
        if "n_features_in_" not in state:
            raise ValueError(f"{self._name} must be fitted before it is saved")
        arrays = dict(_arrays(state))
        plain = {name: value for name, value in state.items() if not any(_arrays({name: value}))}
        about = {"format": FORMAT, "method": _identifier(type(self)), "parameters": self.get_params(), "state": plain}
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        save_bundle(folder / "arrays.npz", arrays, overwrite=True)
        with whole(folder / "method.json") as beside:
            beside.write_text(json.dumps({**about, "arrays": sorted(arrays)}, indent=1) + "\n", encoding="utf-8")

    def _training_features(self, x: Any) -> np.ndarray:
        features = self._features(x)
        if len(features) < 2:
            raise ValueError(f"{self._name} needs at least two items to fit; got {len(features)}")
        return features

    def _features(self, x: Any, whose: str = "") -> np.ndarray:
        name = f"features of {self._name}{whose}"
        features = as_array(x, name)
        if self.takes_images and features.ndim in (3, 4) and features.dtype == np.uint8:
            return features
        if features.ndim != 2 or features.dtype.kind not in "biuf" or features.size == 0:
            got = f"{features.dtype} of {features.shape}"
            raise ValueError(f"{name} must be numbers (items, dimensions); got {got}")
        if features.dtype not in (np.float32, np.float64):
            features = features.astype(np.float32)
        for first, block in row_blocks(features):
            bad = ~np.isfinite(block).all(axis=1)
            if bad.any():
                raise ValueError(f"{name} must be finite; row {first + int(bad.argmax())} is not")
        return features

    def _supervision(self, y: Any, items: int) -> Any:
        """Return `y` in the form that `supervision` promises to `learn`."""
        if self.supervision == "none":
            return None
        if y is None:
            raise ValueError(
                f"{self._name} needs labels{' or relevance' * (self.supervision == 'relevance')}; got none"
            )
        if isinstance(y, Relevance):
            if self.supervision == "labels":
                raise ValueError(f"{self._name} needs labels, class numbers or a matrix; got {type(y).__name__}")
            if y.shape != (items, items):
                raise ValueError(f"relevance of {self._name} must be between all {items} items; got shape {y.shape}")
            return y
        labels = as_array(y, f"labels of {self._name}")
        if labels.ndim not in (1, 2) or len(labels) != items:
            raise ValueError(f"labels of {self._name} must be one row an item, {items}; got shape {labels.shape}")
        if self.supervision == "labels":
            return labels.astype(bool) if labels.ndim == 2 else np.unique(labels, return_inverse=True)[1]
        return (SameLabel if labels.ndim == 1 else SharedLabels)(labels, labels)

    @property
    def _name(self) -> str:
        return type(self).__name__


def load(folder: str | Path) -> Method:
    """Return a method that was saved; nothing is unpickled, and the class is found through the catalog."""
    folder = Path(folder)
    path = folder / "method.json"
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
        if about["format"] != FORMAT:
            raise ValueError(f"the format must be {FORMAT!r}")
        method: Method = find("methods", about["method"]).load()(**about["parameters"])
        validate(method)
        state = about["state"]
        for name in about["arrays"]:
            attribute, _, key = name.partition(".")
            value = load_array(folder / "arrays.npz", name)
            state[attribute] = state.get(attribute, {}) | {key: value} if key else value
        for name, value in state.items():
            if not name.endswith("_") or name.startswith("_"):
                raise ValueError(f"{name!r} is no learned attribute")
            setattr(method, name, value)
    except (AttributeError, KeyError, OSError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: is not a saved method: {error}") from None
    return method


def linear_codes(x: np.ndarray, weights: np.ndarray, thresholds: np.ndarray) -> Codes:
    """Return codes whose bits are x · weights > thresholds; weights (dimensions, bits). Products are float32."""
    packed = np.empty((len(x), -(-weights.shape[1] // 8)), np.uint8)
    weights, thresholds = weights.astype(np.float32), thresholds.astype(np.float32)
    for first, block in row_blocks(x):
        bits = block.astype(np.float32, copy=False) @ weights > thresholds
        packed[first : first + len(block)] = np.packbits(bits, axis=1)
    return Codes.from_packed(packed, bits=weights.shape[1])


def fewer_bits(method: Method, asked: int, possible: int, what: str = "bits") -> int:
    """Return how many bits there can be, and warn if they are fewer than asked for."""
    if possible < asked:
        warnings.warn(f"{type(method).__name__}: {asked} {what} asked for, {possible} possible", stacklevel=4)
    return min(asked, possible)


def _arrays(state: dict[str, Any]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the learned arrays by name; those of a dictionary, one a modality, as "weights_.image"."""
    for name, value in state.items():
        if isinstance(value, np.ndarray):
            yield name, value
        elif isinstance(value, dict):
            yield from ((f"{name}.{key}", each) for key, each in value.items() if isinstance(each, np.ndarray))


def _identifier(cls: type) -> str:
    return "/".join(cls.__module__.split(".")[2:])
