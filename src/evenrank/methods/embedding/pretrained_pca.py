"""Pretrained + PCA: the features as they come, reduced to their principal components and normalised (paper 5, §4.1).

Nothing is trained: the floor that a loss has to rise above. Paper 5 fits PCA to the very items that it evaluates; here
it is fitted to the training items, and nothing of the test set is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.embeddings import Embeddings
from evenrank.method import Method, fewer_bits
from evenrank.methods.embedding._rows import linear_embeddings, normalised
from evenrank.methods.hashing._checks import check_varied
from evenrank.methods.hashing._projections import principal_axes
from evenrank.parameters import Integer


@dataclass(eq=False, repr=False, kw_only=True)
class PretrainedPCA(Method):
    """The first principal components of the features, or the features themselves, compared by cosine.

    Without `dimensions`, or with as many as there are features or more, nothing is reduced and nothing centred. It
    warns if the features vary along fewer axes than asked for.
    """

    title = "Pretrained + PCA"
    paper = "5, Table 4"
    cost = "one eigendecomposition, features × features"

    dimensions: Annotated[int | None, Integer(1, 4096)] = 128  # None: the features themselves

    def learn(self, x: np.ndarray, y: Any) -> None:
        """Find W, the axes of largest variance, (features, dimensions)."""
        check_varied(self, x)
        asked = self.dimensions or x.shape[1]
        self.mean_ = x.mean(axis=0, dtype=np.float64)
        self.weights_ = principal_axes(x, self.mean_, asked) if asked < x.shape[1] else None
        if self.weights_ is not None:
            fewer_bits(self, asked, self.weights_.shape[1], "dimensions")

    def read(self, x: np.ndarray) -> Embeddings:
        """Return (x − mean) W, or x, normalised."""
        if self.weights_ is None:
            return normalised(x)
        return linear_embeddings(x, self.weights_, -self.mean_ @ self.weights_)
