"""What an evaluation found: per-query values and what follows from them, as numbers, a table and files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from evenrank.curves import RECALLS, Curve
from evenrank.intervals import bootstrap_interval, student_interval
from evenrank.metric import Spread
from evenrank.metrics.success import success_curve
from evenrank.parameters import nearest


@dataclass(frozen=True, eq=False)
class Result:
    """Metrics of an evaluation; `mean`, `best`, `worst`, `per_query` and `tie_std` are keyed by name as asked for.

    `spreads[name]` holds expected, best, worst and deviation of each query over its tie orders, NaN where undefined.
    `codes` describes the database codes, `clusters` the clustering scores, `ties` the mean number of tied pairs of
    different level and the share of queries whose first rank a tie decides; `lacking` counts queries without relevant
    items, `lookups` those with an empty Hamming ball; `provenance` says how the numbers came about.
    """

    spreads: dict[str, Spread]
    lacking: dict[str, int]
    lookups: dict[str, int]
    ties: dict[str, float]
    first: np.ndarray
    precision: np.ndarray
    codes: dict[str, float]
    clusters: dict[str, float]
    provenance: dict[str, Any]

    @cached_property
    def per_query(self) -> dict[str, np.ndarray]:
        """Return the expected value of each query over its tie orders; NaN where undefined."""
        return {name: spread.expected for name, spread in self.spreads.items()}

    @cached_property
    def mean(self) -> dict[str, float]:
        """Return the mean over queries of the expected values (clustering scores have no queries: the score)."""
        found = {name: _mean(spread.expected) for name, spread in self.spreads.items()} | self.clusters
        return {name: found[name] for name in self.provenance["metrics"] if name in found}

    @cached_property
    def best(self) -> dict[str, float]:
        """Return the mean over queries if every tie is broken luckily."""
        return {name: _mean(spread.best) for name, spread in self.spreads.items()}

    @cached_property
    def worst(self) -> dict[str, float]:
        """Return the mean over queries if every tie is broken unluckily."""
        return {name: _mean(spread.worst) for name, spread in self.spreads.items()}

    @cached_property
    def tie_std(self) -> dict[str, float]:
        """Return the standard deviation of the mean over tie orders that are independent between queries: √Σvar / Q.

        A tool that ranks all queries against one database order has correlated errors: see `tie_std_bound`.
        """
        return {name: _independent(spread.deviation) for name, spread in self.spreads.items()}

    @cached_property
    def tie_std_bound(self) -> dict[str, float]:
        """Return the mean of the queries' standard deviations: no correlation between queries exceeds it."""
        return {name: _mean(spread.deviation) for name, spread in self.spreads.items()}

    def interval(
        self, name: str, *, confidence: float = 0.95, method: str = "t", resamples: int = 2000, seed: int = 0
    ) -> tuple[float, float]:
        """Return the confidence interval of the mean over queries: "t" (Student) or "bca" (bootstrap, Efron 1987)."""
        if name not in self.spreads:
            raise KeyError(f"no per-query values of {name!r}; there are {', '.join(self.spreads)}")
        if method not in ("t", "bca"):
            raise ValueError(f"method of interval must be one of t, bca; got {method!r}")
        if not 0 < confidence < 1:
            raise ValueError(f"confidence of interval must lie between 0 and 1; got {confidence!r}")
        values = self.per_query[name]
        values = values[~np.isnan(values)]
        if method == "t":
            return student_interval(values, confidence)
        return bootstrap_interval(values, confidence, resamples, seed)

    def curve(self, name: str, ranks: Any = None) -> Curve:
        """Return a mean curve: "CMC" (x ranks, y share of queries with a relevant item by then) or "precision-recall".

        `ranks` are those of CMC; without them, up to 200 from 1 to the number of database items, dense at the start.
        Precision-recall is taken at ends of tie groups (see `evenrank.curves`), x recall, y precision.
        """
        if name == "precision-recall":
            if ranks is not None:
                raise ValueError("the precision-recall curve takes no ranks")
            return Curve(RECALLS, self.precision)
        if name != "CMC":
            raise ValueError(f"curve must be one of CMC, precision-recall; got {name!r}{nearest(name, ['CMC'])}")
        if ranks is None:
            ranks = np.unique(np.geomspace(1, self.provenance["database"], 200).round())
        ranks = np.atleast_1d(np.asarray(ranks))
        if ranks.dtype.kind not in "iuf" or not np.all((ranks >= 1) & (ranks == np.floor(ranks))):
            raise ValueError(f"ranks of CMC must be whole numbers of at least 1; got {ranks.tolist()}")
        ranks = ranks.astype(np.int64)
        before, items, relevant = self.first[self.first[:, 2] > 0].T
        return Curve(ranks, success_curve(before, items, relevant, ranks))

    def __str__(self) -> str:
        from evenrank.table import result_table

        return result_table(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain lists, numbers and strings; None stands for NaN."""
        return {
            "mean": {name: _plain(value) for name, value in self.mean.items()},
            "spreads": {name: {k: _plain(v) for k, v in s._asdict().items()} for name, s in self.spreads.items()},
            "lacking": self.lacking,
            "lookups": self.lookups,
            "ties": self.ties,
            "first": self.first.tolist(),
            "precision": _plain(self.precision),
            "codes": self.codes,
            "clusters": self.clusters,
            "provenance": self.provenance,
        }

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> Result:
        """Return the result that `to_dict` wrote."""
        missing = [key for key in ("spreads", "first", "precision", "provenance") if key not in stored]
        if missing:
            raise ValueError(f"a stored result must have {', '.join(missing)}")
        return cls(
            spreads={name: Spread(**{k: _array(v) for k, v in s.items()}) for name, s in stored["spreads"].items()},
            first=np.array(stored["first"], np.int64).reshape(-1, 3),
            precision=_array(stored["precision"]),
            **{key: stored[key] for key in ("lacking", "lookups", "ties", "codes", "clusters", "provenance")},
        )

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the result as JSON, and write it to `path` if given."""
        text = json.dumps(self.to_dict())
        if path is not None:
            Path(path).write_text(text + "\n", encoding="utf-8")
        return text

    @classmethod
    def from_json(cls, source: str | Path) -> Result:
        """Return the result stored in a JSON file, or in a JSON string."""
        inline = isinstance(source, str) and source.lstrip().startswith("{")
        return cls.from_dict(json.loads(str(source) if inline else Path(source).read_text("utf-8")))

    def columns(self) -> dict[str, np.ndarray]:
        """Return the per-query table: query, and per metric its expected, best, worst value and deviation."""
        table = {"query": np.arange(len(self.first))}
        for name, spread in self.spreads.items():
            for part, values in spread._asdict().items():
                table[name if part == "expected" else f"{name} {part}"] = values
        return table

    def to_csv(self, path: str | Path) -> None:
        """Write the per-query table as CSV; an undefined value is an empty field."""
        table = self.columns()
        names = ",".join(f'"{name}"' for name in table)
        rows = (",".join(map(_field, row)) for row in zip(*table.values(), strict=True))
        Path(path).write_text("\n".join([names, *rows]) + "\n", encoding="utf-8")

    def to_parquet(self, path: str | Path) -> None:
        """Write the per-query table as Parquet (needs pyarrow)."""
        import pyarrow
        from pyarrow import parquet

        parquet.write_table(pyarrow.table(self.columns()), path)


def _mean(values: np.ndarray) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def _independent(deviation: np.ndarray) -> float:
    defined = deviation[~np.isnan(deviation)]
    return float(np.sqrt(np.square(defined).sum()) / len(defined)) if len(defined) else float("nan")


def _plain(values: Any) -> Any:
    if np.ndim(values) == 0:
        return None if np.isnan(values) else float(values)
    return [None if np.isnan(value) else value for value in np.asarray(values).tolist()]


def _field(value: Any) -> str:
    return "" if np.isnan(value) else repr(value.item())


def _array(values: list[float | None]) -> np.ndarray:
    return np.array([np.nan if value is None else value for value in values], np.float64)
