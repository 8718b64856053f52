"""What decides when training ends and which state is kept: metrics on items that training does not see."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from torch import nn

from evenrank.augmentation import Augmentation
from evenrank.codes import Codes
from evenrank.embeddings import Embeddings
from evenrank.evaluate import evaluate
from evenrank.parameters import Choice, validate
from evenrank.relevance import Relevance
from evenrank.training.inputs import Items, encode

READ: dict[str, Callable[[Any], Codes | Embeddings]] = {"codes": Codes.from_signs, "embeddings": Embeddings}


@dataclass(frozen=True, eq=False, kw_only=True)
class Validation:
    """Queries, a database and who is relevant to whom; the first of `metrics` decides.

    Outputs are read as `kind`: codes by their sign, or embeddings by cosine. `exclude_self` is `evaluate`'s: True
    where the queries are the database. One object for both is encoded once.
    """

    queries: Items
    database: Items
    relevance: Relevance
    metrics: Sequence[str] = ("AP",)
    kind: Annotated[str, Choice("codes", "embeddings")] = "codes"
    exclude_self: bool | np.ndarray = False

    def __post_init__(self) -> None:
        validate(self)
        sizes = (len(self.queries), len(self.database))
        if sizes != self.relevance.shape:
            raise ValueError(f"relevance of Validation must be of shape {sizes}; got {self.relevance.shape}")

    def measure(self, model: nn.Module, augmentation: Augmentation | None) -> dict[str, float]:
        """Return the mean of every metric over the queries."""
        database = READ[self.kind](encode(model, self.database, augmentation))
        same = self.queries is self.database
        queries = database if same else READ[self.kind](encode(model, self.queries, augmentation))
        result = evaluate(queries, database, self.relevance, self.metrics, exclude_self=self.exclude_self)
        found = {name: float(result.mean.get(name, math.nan)) for name in self.metrics}
        if math.isnan(found[self.metrics[0]]):
            raise ValueError(f"{self.metrics[0]} of Validation must be defined for at least one query; got none")
        return found
