"""The tables of a store, in which everything is kept under a plan's hash and a job's key.

- plans: what was asked, under the hash of what decides the numbers
- jobs: one row a finished job: setting, value, metrics, time, provenance; a failed one with its traceback
- job_values: per-query values of final jobs, one compressed array a metric, (queries,) or (splits, queries)
- exhibits: what a final job leaves for the report beside its numbers: curves, usage of codes, rankings to look at
- claims: who is at work on a job, and until when nobody else should be
- openings: every time the test set was opened, and for which setting
"""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sql

VERSION = 2  # 1 had no exhibits; opening such a store adds an empty table


class Json(sql.TypeDecorator[Any]):
    """JSON kept as text: PostgreSQL's own type refuses NaN, which is a metric that no query defines."""

    impl = sql.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: sql.Dialect) -> str:
        """Return the text of a value."""
        return json.dumps(value)

    def process_result_value(self, value: Any, dialect: sql.Dialect) -> Any:
        """Return the value of a text."""
        return json.loads(value)


def _key(name: str) -> sql.Column[str]:
    return sql.Column(name, sql.Text, primary_key=True)


schema = sql.MetaData()
about = sql.Table("evenrank", schema, sql.Column("version", sql.Integer, primary_key=True))
plans = sql.Table(
    "plans",
    schema,
    _key("plan"),
    sql.Column("title", sql.Text, nullable=False),
    sql.Column("content", Json, nullable=False),
)
jobs = sql.Table(
    "jobs",
    schema,
    _key("plan"),
    _key("key"),
    sql.Column("kind", sql.String(8), nullable=False),
    sql.Column("method", sql.Text, nullable=False),
    sql.Column("width", sql.Integer),
    sql.Column("number", sql.Integer, nullable=False),
    sql.Column("fold", sql.Integer, nullable=False),
    sql.Column("parameters", Json, nullable=False),
    sql.Column("value", sql.Float(53)),
    sql.Column("metrics", Json, nullable=False),
    sql.Column("seconds", sql.Float(53), nullable=False),
    sql.Column("traceback", sql.Text, nullable=False),
    sql.Column("provenance", Json, nullable=False),
)
values = sql.Table(
    "job_values",
    schema,
    _key("plan"),
    _key("key"),
    _key("metric"),
    sql.Column("content", sql.LargeBinary, nullable=False),
)
exhibits = sql.Table(
    "exhibits",
    schema,
    _key("plan"),
    _key("key"),
    _key("name"),
    sql.Column("content", Json, nullable=False),
)
claims = sql.Table(
    "claims",
    schema,
    _key("plan"),
    _key("key"),
    sql.Column("runner", sql.Text, nullable=False),
    sql.Column("until", sql.Float(53), nullable=False),
)
openings = sql.Table(
    "openings",
    schema,
    _key("plan"),
    _key("key"),
    _key("setting"),
    sql.Column("study", sql.Text, nullable=False),
    sql.Column("first", sql.Float(53), nullable=False),
)
