"""Mean average precision of a cross-media method on the public Wikipedia features, by the extendable protocol."""

from __future__ import annotations

import numpy as np

import evenrank as er
from evenrank.catalog import make
from tests.real_data import real


def average_precisions(text: str) -> list[float]:
    """Return means over the folds: image → text with seen, with unseen classes; text → image with seen, with unseen."""
    data, protocol = real("bundle(path='wikipedia')"), er.protocol("extendable")
    values: dict[tuple[str, bool], list[float]] = {}
    for split in protocol.splits(data):
        if not split.unseen:
            method = make("methods", f"crossmedia/{text}")
            if "dimensions" in method.get_params():
                method.set_params(dimensions=len(split.classes))
            method.fit({key: each[split.train] for key, each in data.modalities.items()}, data.labels[split.train])
        for asked, searched in (("image", "text"), ("text", "image")):
            queries = method.encode(data.modalities[asked][split.query], asked)
            database = method.encode(data.modalities[searched][split.database], searched)
            result = er.evaluate(queries, database, protocol.relevance(data, split), ["AP"])
            values.setdefault((asked, bool(split.unseen)), []).append(result.mean["AP"])
    return [float(np.mean(values[key])) for key in sorted(values)]
