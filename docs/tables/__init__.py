"""What the pages show of the catalog and of the stored results; `tests/test_docs.py` checks that it is fresh.

python -m docs.tables
"""

from __future__ import annotations

from collections.abc import Callable

from docs.tables import (
    catalogued,
    checked,
    codes,
    cross_media,
    cross_media_claims,
    hashing,
    metric_learning,
    speed,
)
from docs.tables.layout import ROOT

PAGES: dict[str, dict[str, Callable[[], str]]] = {
    "README.md": {
        "steps": speed.steps,
        "hamming": speed.hamming,
        "real": speed.real,
        "ties": checked.ties,
        "spaces": checked.spaces,
    },
    "docs/datasets.md": {"datasets": catalogued.datasets, "extractors": catalogued.extractors},
    "docs/objectives.md": {
        "objectives": catalogued.objectives,
        "steps": speed.steps,
        "ranked": checked.ranked,
        "sharpened": checked.sharpened,
    },
    "docs/hashing.md": {
        "methods": hashing.methods,
        "fits": hashing.fits,
        "labels": hashing.labels,
        "ranges": hashing.ranges_of_ties,
        "use": hashing.use_of_codes,
        "seconds": hashing.seconds,
        "levels": hashing.levels,
        "several": codes.several_labels,
        "images": codes.images,
        "superclasses": codes.superclasses,
        "space": codes.space,
    },
    "docs/cross_media.md": {
        "crossmedia": cross_media.methods,
        "wikipedia": cross_media.wikipedia,
        "wikipedia_cnn": cross_media.wikipedia_cnn,
        "curves": cross_media.curves,
        "pascal_sentence": cross_media.pascal_sentence,
        "closed_form": cross_media.closed_form,
        "beside": cross_media.beside,
        "verdicts": cross_media_claims.verdicts,
        "evidence": cross_media_claims.evidence,
    },
    "docs/metric_learning.md": {
        "losses": metric_learning.losses,
        "settings": metric_learning.settings,
        "spread": metric_learning.spread,
        "batches": metric_learning.batches,
        "noise": metric_learning.noise,
        "starts": metric_learning.starts,
        "untrained": metric_learning.untrained,
    },
    "docs/protocols.md": {"protocols": catalogued.protocols, "near": checked.near},
    "docs/metrics.md": {"metrics": catalogued.metrics},
    "docs/performance.md": {
        "hamming": speed.hamming,
        "special": speed.special,
        "scaling": speed.scaling,
        "larger": speed.larger,
        "real": speed.real,
        "loading": speed.loading,
        "waiting": speed.waiting,
    },
}


def renewed(page: str) -> str:
    """Return a page with its tables renewed: each stands between two marks of its name."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for name, table in PAGES[page].items():
        mark = f"<!-- {name}: made by docs/tables -->"
        before, _, after = text.split(mark)
        text = f"{before}{mark}\n{table()}\n{mark}{after}"
    return text
