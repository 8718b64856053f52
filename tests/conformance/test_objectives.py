"""What every objective of the catalog promises: adding a file to `objectives/` is enough to have it checked."""

from __future__ import annotations

import ast
from dataclasses import MISSING, fields, replace
from inspect import getsourcefile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from evenrank.catalog import Entry, entries
from evenrank.objective import Bank, Batch, Objective, batch_of
from evenrank.parameters import Choice, Integer, Real, ranges
from evenrank.relevance import MatchingAttributes
from tests.objectives.examples import outputs_of

ENTRIES = {entry.name: entry for entry in entries("objectives")}
GIVEN = {"classes": 8, "dimensions": 6}  # keywords without a default
HALVED = ("hashnet",)  # pairs the first half of the batch with the second, so the order matters
FOR_THE_OPTIMISER = ("learning_rate",)  # read by the training loop, not by the objective

LABELS = [0, 1, 2, 0, 1, 0, 2, 1, 3, 0, 0, 1, 1, 2]  # of all training items
ROWS = [1, 3, 0, 2, 5, 8, 4, 6]  # those of the batch
DEGENERATE = {
    "one class": ([0, 0, 0, 0, 0, 0], [0, 1, 2, 3]),
    "no relevant pair": ([0, 2, 4, 6], [0, 1, 2, 3]),
    "one item": ([0, 0, 1, 2], [0]),
    "one item, nothing stored": ([0], [0]),
    "two items": ([0, 2, 0, 2], [0, 1]),
}


def required(cls: type[Objective]) -> dict[str, Any]:
    """Return the keywords that have no default, with values of this suite's batches."""
    names = [field.name for field in fields(cls) if field.default is MISSING and field.default_factory is MISSING]  # type: ignore[arg-type]
    missing = [name for name in names if name not in GIVEN]
    if missing:
        pytest.fail(f"GIVEN of this suite has no value for {missing} of {cls.__name__}")
    return {name: GIVEN[name] for name in names}


def made(name: str, **keywords: Any) -> Objective:
    cls = ENTRIES[name].load()
    return cls(**(required(cls) | keywords))


def columns(name: str) -> int:
    return GIVEN["classes" if ENTRIES[name].load().kind == "classes" else "dimensions"]


def batch_for(name: str, labels: list[int] = LABELS, rows: list[int] = ROWS, seed: int = 9) -> Batch:
    """Return the batch of some rows: classes 0 and 1, 2 and 3, … share a superclass, so there are three levels."""
    known = np.array(labels)
    attributes = np.stack([known // 2, known], axis=1)
    bank = outputs_of(len(labels), columns(name), seed)
    return batch_of(MatchingAttributes(attributes, attributes), np.array(rows), known, bank)


def variants(entry: Entry) -> list[tuple[str, dict[str, Any]]]:
    """Return the objective as it is, and with each other choice of each keyword that has choices."""
    cls = entry.load()
    defaults = {field.name: field.default for field in fields(cls)}
    chosen: list[dict[str, Any]] = [{}]
    for keyword, allowed, _ in ranges(cls):
        if isinstance(allowed, Choice):
            chosen += [{keyword: option} for option in allowed.options if option != defaults[keyword]]
    return [(entry.name, keywords) for keywords in chosen]


def printed(variant: Any) -> str:
    return variant if isinstance(variant, str) else "-".join(map(str, variant.values())) or "default"


VARIANTS = [variant for entry in ENTRIES.values() for variant in variants(entry)]
each = pytest.mark.parametrize("name", ENTRIES)
each_variant = pytest.mark.parametrize(("name", "keywords"), VARIANTS, ids=printed)


def value_and_gradients(objective: Objective, outputs: Tensor, batch: Batch) -> tuple[Tensor, list[Tensor]]:
    """Return the value, and the gradient by the outputs and by what the objective learns itself."""
    leaf = outputs.clone().requires_grad_()
    value = objective(leaf, batch)
    learned = [leaf, *objective.parameters()]
    gradients = torch.autograd.grad(value, learned, allow_unused=True, materialize_grads=True)
    return value, list(gradients)


@each
def test_it_says_what_it_is(name: str) -> None:
    entry = ENTRIES[name]
    cls = entry.load()
    assert issubclass(cls, Objective)
    assert entry.constants["title"]
    assert entry.constants["paper"]
    assert cls.kind in ("codes", "embeddings", "classes")
    assert cls.__doc__
    assert entry.summary.endswith(".")
    assert ast.get_docstring(ast.parse(Path(getsourcefile(cls) or "").read_text(encoding="utf-8")))
    assert all(f"{field.name}=" in str(made(name)) for field in fields(cls))


def test_titles_are_unique() -> None:
    titles = [entry.constants["title"] for entry in ENTRIES.values()]
    assert len(titles) == len(set(titles))


@each
def test_it_has_a_test_of_its_own(name: str) -> None:
    path = Path(__file__).parents[1] / "objectives" / name
    assert path.with_name(f"test_{path.name}.py").exists()


@each
def test_keywords_have_ranges_that_hold(name: str) -> None:
    cls = ENTRIES[name].load()
    annotated = {keyword for keyword, _, _ in ranges(cls)}
    free = {field.name for field in fields(cls)} - annotated
    assert free <= {"seed", "normalised"}, f"{free} of {cls.__name__} have no range"
    for keyword, allowed, _ in ranges(cls):
        wrong = "no such choice" if isinstance(allowed, Choice) else allowed.low - 1
        with pytest.raises(ValueError, match=f"^{keyword} of {cls.__name__} must be .*; got "):
            made(name, **{keyword: wrong})
        for end in allowed.search or ():
            assert allowed.problem(end) is None


@each_variant
def test_the_gradient_is_that_of_the_value(name: str, keywords: dict[str, Any]) -> None:
    objective, batch = made(name, **keywords).double(), batch_for(name)
    outputs = (0.7 * outputs_of(len(ROWS), columns(name), seed=4)).requires_grad_()
    assert torch.autograd.gradcheck(lambda leaf: objective(leaf, batch), (outputs,), atol=1e-5, rtol=1e-4)
    assert torch.any(value_and_gradients(objective, outputs.detach(), batch)[1][0] != 0)


@each
@pytest.mark.parametrize("case", DEGENERATE)
def test_what_a_batch_cannot_say_is_finite(name: str, case: str) -> None:
    labels, rows = DEGENERATE[case]
    check_finite(name, outputs_of(len(rows), columns(name)), batch_for(name, labels, rows))


@each
@pytest.mark.parametrize("fill", [0.0, 1.0, -1.0, 1e-30, 1e3])
def test_equal_rows_are_finite(name: str, fill: float) -> None:
    check_finite(name, torch.full((len(ROWS), columns(name)), fill), batch_for(name))


@each
def test_a_zero_row_and_duplicates_among_others_are_finite(name: str) -> None:
    outputs = outputs_of(len(ROWS), columns(name))
    outputs[1], outputs[2], outputs[4] = 0, outputs[3], outputs[0]
    check_finite(name, outputs, batch_for(name))


def check_finite(name: str, outputs: Tensor, batch: Batch) -> None:
    """Check value and gradients in both precisions."""
    for dtype in (torch.float32, torch.float64):
        value, gradients = value_and_gradients(made(name), outputs.to(dtype), in_precision(batch, dtype))
        assert value.shape == ()
        assert torch.isfinite(value)
        assert all(torch.isfinite(gradient).all() for gradient in gradients)


def in_precision(batch: Batch, dtype: torch.dtype) -> Batch:
    return replace(batch, bank=Bank(batch.bank.outputs.to(dtype), batch.bank.levels)) if batch.bank else batch


@each
def test_the_order_of_the_batch_does_not_matter(name: str) -> None:
    order = np.random.default_rng(0).permutation(len(ROWS))
    if name in HALVED:
        half = len(ROWS) // 2
        order = np.concatenate([np.arange(half)[::-1], np.arange(half, len(ROWS))[::-1]])
    outputs = outputs_of(len(ROWS), columns(name))
    value = made(name)(outputs, batch_for(name))
    other = made(name)(outputs[order], batch_for(name, rows=[ROWS[place] for place in order]))
    assert other.item() == pytest.approx(value.item(), rel=1e-9, abs=1e-12)


@each_variant
def test_both_precisions_agree(name: str, keywords: dict[str, Any]) -> None:
    outputs, batch = outputs_of(len(ROWS), columns(name)), batch_for(name)
    single = made(name, **keywords)(outputs.float(), in_precision(batch, torch.float32))
    double = made(name, **keywords).double()(outputs, batch)
    assert single.item() == pytest.approx(double.item(), rel=1e-4, abs=1e-4)


@each
def test_gradient_steps_lower_it(name: str) -> None:
    objective, batch = made(name), batch_for(name)
    outputs = outputs_of(len(ROWS), columns(name)).requires_grad_()
    optimiser = torch.optim.Adam([outputs], lr=0.02)
    before = objective(outputs, batch).item()
    for _ in range(30):
        optimiser.zero_grad()
        objective(outputs, batch).backward()
        optimiser.step()
    assert objective(outputs, batch).item() < before


@each
def test_only_banked_objectives_read_the_bank(name: str) -> None:
    objective, outputs = made(name), outputs_of(len(ROWS), columns(name))
    batch, other = batch_for(name), batch_for(name, seed=10)
    alone = replace(batch, bank=None)
    if objective.banked:
        assert objective(outputs, batch) != objective(outputs, other)
        with pytest.raises(ValueError, match="Bank"):
            objective(outputs, alone)
    else:
        assert objective(outputs, batch) == objective(outputs, other) == objective(outputs, alone)


@each
def test_only_parameterised_objectives_learn_themselves(name: str) -> None:
    objective = made(name)
    assert objective.parameterised == bool(list(objective.parameters()))
    if objective.parameterised:
        outputs = outputs_of(len(ROWS), columns(name))
        assert any(torch.any(part != 0) for part in value_and_gradients(objective, outputs, batch_for(name))[1][1:])


@each
def test_no_keyword_is_ignored(name: str) -> None:
    cls, batch = ENTRIES[name].load(), batch_for(name)
    allowed = {keyword: each_range for keyword, each_range, _ in ranges(cls)}
    small, large = (scale * outputs_of(len(ROWS), columns(name)) for scale in (0.3, 1.0))
    usual = made(name)
    for field in fields(cls):
        if field.name in required(cls) or field.name in FOR_THE_OPTIMISER:
            continue
        changed = [
            abs(made(name, **{field.name: other})(outputs, batch) - usual(outputs, batch)) > 1e-9
            for other in others(getattr(usual, field.name), allowed.get(field.name))
            for outputs in (small, large)
        ]
        assert any(changed), f"{field.name} of {cls.__name__} changes nothing"


def others(default: Any, allowed: Choice | Integer | Real | None) -> list[Any]:
    """Return other values for a keyword."""
    if isinstance(allowed, Choice):
        return [option for option in allowed.options if option != default]
    if isinstance(default, bool):
        return [not default]
    if allowed is None:
        return [default + 1]
    low, high = allowed.search or (1, 2)
    ends = [low, high] if isinstance(allowed, Real) else [int(low), int(high)]
    return [end for end in ends if end != default and allowed.problem(end) is None]
