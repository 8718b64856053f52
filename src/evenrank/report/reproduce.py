"""How to make numbers again: a plan as TOML, and the part of it that makes one row.

Seeds come from the plan's seed, the method and the number of the repeat, never from the other methods: a plan of one
method alone makes the same numbers.
"""

from __future__ import annotations

import json
from typing import Any

from evenrank.benchmark.plan import Compared, Plan, held, tuned, widths
from evenrank.report.study import Study


def command(plan: Plan, study: Study) -> str:
    """Return shell commands that make the numbers of one study."""
    return f"cat > row.toml <<'END'\n{toml(alone(plan, study))}END\nevenrank bench run row.toml --store row.sqlite"


def alone(plan: Plan, study: Study) -> Plan:
    """Return the plan of one method at one width."""
    [compared] = [each for each in plan.methods if each.title == study.method]
    searched = {name: plan.search[name] for name in plan.search if name in tuned(plan, compared)}
    only = {
        "methods": (compared.model_copy(update={"fixed": held(plan, compared)}),),
        "fixed": {},
        "search": searched,
        **({unit(plan, compared): (study.width,)} if study.width else {}),
    }
    return Plan.model_construct(**{**{name: getattr(plan, name) for name in Plan.model_fields}, **only})


def unit(plan: Plan, compared: Compared) -> str:
    """Return what a method's widths are in the plan: its bits or its dimensions."""
    return "bits" if widths(plan, compared) is plan.bits else "dimensions"


def toml(plan: Plan) -> str:
    """Return a plan as the file that it is read from; what is as by default is left out."""
    content = plan.model_dump(mode="json", exclude_defaults=True)
    plain = {name: value for name, value in content.items() if name != "methods" and not isinstance(value, dict)}
    tables = {name: value for name, value in content.items() if isinstance(value, dict)}
    lines = [_line(name, value) for name, value in plain.items()]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(_line(key, value) for key, value in table.items() if value is not None)]
    for method in content["methods"]:
        lines += ["", "[[methods]]", *(_line(key, value) for key, value in method.items() if value is not None)]
    return "\n".join(lines) + "\n"


def _line(name: str, value: Any) -> str:
    return f"{_key(name)} = {_value(value)}"


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("_", "").isalnum() else _value(name)


def _value(value: Any) -> str:
    """Return a value as TOML writes it: as JSON does, but for tables and what JSON leaves bare."""
    if isinstance(value, dict):
        return "{ " + ", ".join(_line(name, each) for name, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
