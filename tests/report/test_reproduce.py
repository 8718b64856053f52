"""What the page says makes numbers again does make them."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evenrank.benchmark import parts
from evenrank.benchmark.jobs import Job, Task
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Store
from evenrank.benchmark.work import work
from evenrank.report.contents import Contents
from evenrank.report.reproduce import alone, command, toml
from tests.report.stores import plan

ODD: list[dict[str, Any]] = [
    {},
    {"title": 'quotes " and \\ and\nlines, \x7f, 𝔘 and </script>'},
    {"limits": {"seconds": 10.0, "memory": "4GB"}, "seed": 7, "modality": "image"},
    {"methods": [{"name": "hashing/itq", "label": "µ", "fixed": {"iterations": 3}, "trials": 1}]},
    {"fixed": {"iterations": 5}, "tuning": {"trials": 3, "metric": "P@10", "prune": True, "folds": 2}},
    {"search": {"iterations": [10, 20]}},
]


@pytest.mark.parametrize("changes", ODD, ids=[",".join(each) or "as it is" for each in ODD])
def test_a_plan_is_written_as_it_can_be_read(changes: dict[str, Any]) -> None:
    whole = plan(**changes)
    assert Plan.model_validate(tomllib.loads(toml(whole))) == whole


def test_a_row_alone_makes_the_same_numbers(contents: Contents, stored: tuple[Plan, Store, Path]) -> None:
    for study in (each for each in contents.studies if each.key in ("hashing/itq/8", "hashing/chance/16")):
        row = alone(contents.plan, study)
        folder = stored[2] / row.hash
        parts.prepare(row, folder)
        for repeat, value in zip(study.repeats, study.values["AP"], strict=True):
            job = Job("final", study.method, study.width, repeat)
            found = work(row, Task(job, study.parameters), folder)
            assert found.metrics[study.searched]["AP"] == value


def test_a_row_keeps_what_held_for_all_and_drops_what_was_not_its_own(contents: Contents) -> None:
    methods = [{"name": "hashing/itq"}, {"name": "hashing/talr_ap"}, {"name": "hashing/lsh"}]
    whole = plan(methods=methods, fixed={"epochs": 3}, search={"iterations": [10, 20]})
    itq, lsh = (
        next(study for study in contents.studies if study.method == name) for name in ("hashing/itq", "hashing/lsh")
    )
    assert alone(whole, itq).search == {"iterations": (10, 20)}
    assert alone(whole, lsh).search == alone(whole, lsh).fixed == {}
    assert alone(whole, itq).bits == (itq.width,)
    assert "evenrank bench run row.toml" in command(whole, itq)
    assert tomllib.loads(command(whole, itq).split("'END'\n")[1].split("END\n")[0])["methods"] == [
        {"name": "hashing/itq"}
    ]


def test_widths_are_bits_or_dimensions_as_the_method_has_it(contents: Contents) -> None:
    methods = [{"name": "crossmedia/cca"}, {"name": "crossmedia/cvh"}]
    whole = plan(methods=methods, bits=[4], dimensions=[2])
    study = next(each for each in contents.studies if each.width == 8)
    cca, cvh = (replace(study, method=name["name"], name=name["name"], kind="crossmedia") for name in methods)
    assert (alone(whole, cca).dimensions, alone(whole, cca).bits) == ((8,), (4,))
    assert (alone(whole, cvh).dimensions, alone(whole, cvh).bits) == ((2,), (8,))
