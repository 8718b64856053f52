"""What the tests of trained embeddings share: classes that training never saw, and a loss made by hand."""

from dataclasses import MISSING, fields

import numpy as np
from sklearn.base import clone

from evenrank.evaluate import evaluate
from evenrank.method import Method
from evenrank.methods.embedding._trained import Trained
from evenrank.objective import Objective
from evenrank.parameters import ranges
from evenrank.relevance import SameLabel
from tests.objectives.examples import class_batch, outputs_of

KNOWN, TOLD, HIDDEN = 24, 6, 26  # classes of training; directions that tell classes apart, and wider ones that do not
DRAW = np.random.default_rng(0)
LABELS = np.repeat(np.arange(KNOWN + 8), 12)
ROTATION = np.linalg.qr(DRAW.normal(size=(TOLD + HIDDEN, TOLD + HIDDEN)))[0]
MEANS = np.pad(DRAW.normal(size=(KNOWN + 8, TOLD)), ((0, 0), (0, HIDDEN)))
SPREAD = np.repeat([0.3, 1.5], [TOLD, HIDDEN])
VALUES = ((MEANS[LABELS] + SPREAD * DRAW.normal(size=(len(LABELS), TOLD + HIDDEN))) @ ROTATION).astype(np.float32)
X, Y = VALUES[LABELS < KNOWN], LABELS[LABELS < KNOWN]
QUERIES, ANSWERS = VALUES[LABELS >= KNOWN], LABELS[LABELS >= KNOWN]


def found(method: Method) -> float:
    """Return MAP@R of items of unseen classes that search each other."""
    items = method.encode(QUERIES)
    result = evaluate(items, items, SameLabel(ANSWERS, ANSWERS), ["MAP@R"], exclude_self=True)
    return float(result.mean["MAP@R"])


def check_it_learns(method: Trained) -> None:
    """Items of unseen classes find each other clearly better than at the start of training."""
    start = clone(method).set_params(learning_rate=0.0, epochs=1, iterations=1).fit(X, Y)
    assert found(method.fit(X, Y)) > found(start) + 0.15


def check_loss(method: Trained, expected: Objective) -> None:
    """The method's loss is the expected one, which differs from the defaults in every keyword; ranges are its own."""
    made = method.objective(classes=5)
    assert type(made) is type(expected)
    for field in fields(expected):
        assert field.default is MISSING or getattr(expected, field.name) != field.default
        assert getattr(made, field.name) == getattr(expected, field.name), field.name
    outputs, batch = outputs_of(8, method.dimensions), class_batch([0, 0, 1, 1, 2, 2, 4, 4])
    assert made(outputs, batch).item() == expected(outputs, batch).item() > 0

    keywords = {name: allowed for name, allowed, _ in ranges(type(method))}
    defaults = {field.name: field.default for field in fields(method)}
    for name, allowed, _ in ranges(type(expected)):
        own = {"learning_rate": "loss_learning_rate"}.get(name, name)
        if name not in ("classes", "dimensions"):
            assert keywords[own] == allowed
            assert defaults[own] == getattr(type(expected), name)
