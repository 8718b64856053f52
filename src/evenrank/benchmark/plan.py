"""What is compared: a TOML file, checked before anything runs.

    title = "Hash codes of digits"
    dataset = "digits"
    protocol = "per_class(queries=20, training=100)"
    bits = [16, 32]
    metrics = ["AP", "LGAP@2"]
    repeats = 3

    [tuning]
    trials = 10

    [fixed]
    epochs = 20

    [search]
    learning_rate = [1e-3, 1.0]

    [[methods]]
    name = "hashing/itq"

    [[methods]]
    name = "hashing/talr_ap"
    fixed = { alpha = 1.0 }

Every method gets the same data, splits, number of trials and repeats. What is not in the plan is the method's default.
`[fixed]` holds keywords of all methods that have them, `fixed` of one method holds its own, and neither are tuned;
`[search]` says where a keyword is searched, for all methods that have it, and otherwise the method itself says so. A
method with trials, batches, epochs or a network unlike the others' is possible, and the plan then says on its face
that the comparison is uneven.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import fields, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from evenrank.catalog import Entry, find
from evenrank.metric import parse
from evenrank.parameters import Choice, Range, nearest, ranges, validate
from evenrank.protocol import protocol

Widths = Annotated[tuple[Annotated[int, Field(ge=1, le=4096)], ...], Field(min_length=1)]
Name = Annotated[str, Field(min_length=1)]
Searched = Annotated[tuple[Any, ...], Field(min_length=1)]

PLANNED = ("bits", "dimensions", "seed")  # keywords that the plan sets itself
BUDGET = ("network", "batch", "epochs")  # keywords that are the same for all in an even comparison


class Strict(BaseModel):
    """Unknown keys are refused, and nothing changes once it is read."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Tuning(Strict):
    """How hyper-parameters are searched: `trials` settings a method, each judged by `metric` on held-out items.

    Protocols that divide classes bring their own folds; where they do not, `folds` parts of the training items are
    held out in turn, or the first of them only (`folds = 1`: a fifth). With `prune`, a trial ends after a fold if its
    mean so far is below the median of earlier trials after as many folds.
    """

    trials: int = Field(default=0, ge=0, le=100_000)
    metric: Name | None = None  # None: the plan's first
    sampler: Literal["gp", "tpe", "random"] = "gp"
    folds: int = Field(default=1, ge=1, le=100)
    prune: bool = False


class Compared(Strict):
    """One method: its name in the catalog, keywords that stay fixed, and a budget of its own if it must have one."""

    name: Name
    label: str = ""  # how a table calls it; two lines of one method need two
    fixed: dict[str, Any] = Field(default_factory=dict)
    trials: int | None = Field(default=None, ge=0, le=100_000)

    @property
    def title(self) -> str:
        """What the method is called in tables and in the store."""
        return self.label or self.name


class Limits(Strict):
    """What one job may take; a job beyond it has failed, and the others go on."""

    seconds: float | None = Field(default=None, gt=0)
    memory: str | None = None  # like "4GB"


class Plan(Strict):
    """A comparison. `bits` are the lengths of codes, `dimensions` those of embeddings; a method uses what it has."""

    title: Name
    dataset: Name
    protocol: Name
    metrics: Annotated[tuple[Name, ...], Field(min_length=1)]
    methods: Annotated[tuple[Compared, ...], Field(min_length=1)]
    bits: Widths = (32,)
    dimensions: Widths = (128,)
    repeats: int = Field(default=1, ge=1, le=10_000)
    seed: int = Field(default=0, ge=0, lt=2**31)
    modality: str = ""  # of a dataset with several, for methods of one
    tuning: Tuning = Tuning()
    fixed: dict[str, Any] = Field(default_factory=dict)  # keyword: value, of all methods that have it
    search: dict[str, Searched] = Field(default_factory=dict)  # keyword: [low, high], or a list of choices
    limits: Limits = Limits()

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Return the plan of a TOML file; raises ValueError with one line that says what is wrong."""
        try:
            content = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ValueError(f"{path}: no such file") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"{path}: is not TOML: {error}") from None
        try:
            return cls.of(content)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None

    @classmethod
    def of(cls, content: dict[str, Any]) -> Self:
        """Return the plan that a dictionary describes; raises ValueError with one line that says what is wrong."""
        try:
            return cls.model_validate(content)
        except ValidationError as error:
            raise ValueError(_first(error)) from None

    @model_validator(mode="after")
    def _known(self) -> Self:
        protocol(self.protocol)
        for name in (*self.metrics, *([self.tuning.metric] if self.tuning.metric else [])):
            if parse(name).reads == "codes":
                raise ValueError(f"metrics must be single numbers; {name} is several, and told of all codes anyway")
        titles = [each.title for each in self.methods]
        for each in self.methods:
            if titles.count(each.title) > 1:
                raise ValueError(f"methods must differ in name or label; {each.title!r} is there more than once")
            _check_keywords(self, each)
        _check_shared(self)
        return self

    @cached_property
    def hash(self) -> str:
        """SHA-256 of what decides the numbers: two plans with one hash share their results.

        Defaults are left out, so that results stay found when plans learn a new key; a default must never change.
        """
        content = self.model_dump(mode="json", exclude={"title", "limits"}, exclude_defaults=True)
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    @property
    def judge(self) -> str:
        """The metric that tuning maximises."""
        return self.tuning.metric or self.metrics[0]

    def trials(self, compared: Compared) -> int:
        """Return how many settings of a method are tried: none where it has nothing to tune."""
        budget = self.tuning.trials if compared.trials is None else compared.trials
        return budget if tuned(self, compared) else 0

    @property
    def uneven(self) -> list[str]:
        """Who has a budget of its own, in words; empty in a fair plan."""
        lines = [
            f"{each.title} has {each.trials} trials, others {self.tuning.trials}"
            for each in self.methods
            if each.trials not in (None, self.tuning.trials)
        ]
        for name in dict.fromkeys((*BUDGET, *self.fixed, *self.search)):
            found: dict[str, list[str]] = {}
            for each in self.methods:
                if name in _keywords(each):
                    found.setdefault(self._set(each, name), []).append(each.title)
            if len(found) > 1:
                listed = ", ".join(f"{value} for {' and '.join(titles)}" for value, titles in found.items())
                lines.append(f"{name} is not the same for all: {listed}")
        return lines

    def _set(self, compared: Compared, name: str) -> str:
        """Return in words what a method's keyword is."""
        if self.trials(compared) and name in tuned(self, compared):
            return "searched"
        default = _keywords(compared)[name]
        return str(held(self, compared).get(name, default))


def entry(compared: Compared) -> Entry:
    """Return the catalog's entry of a method."""
    return find("methods", compared.name)


def held(plan: Plan, compared: Compared) -> dict[str, Any]:
    """Return the keywords that stay fixed: those of the plan that the method has, and its own."""
    known = _keywords(compared)
    return {name: value for name, value in plan.fixed.items() if name in known} | compared.fixed


def tuned(plan: Plan, compared: Compared) -> dict[str, Range]:
    """Return the keywords that tuning searches, with their ranges: the plan's or declared ones, unless fixed."""
    fixed = held(plan, compared)
    found = {
        name: _narrowed(name, allowed, plan.search[name]) if name in plan.search else allowed
        for name, allowed, _ in ranges(entry(compared).load())
        if name not in fixed
    }
    return {name: allowed for name, allowed in found.items() if allowed.search is not None}


def widths(plan: Plan, compared: Compared) -> tuple[int | None, ...]:
    """Return the lengths at which a method is run: bits or dimensions, or once if it has neither or fixes it."""
    known = set(_keywords(compared)) - set(compared.fixed)
    return plan.bits if "bits" in known else plan.dimensions if "dimensions" in known else (None,)


def _keywords(compared: Compared) -> dict[str, Any]:
    """Return the keywords of a method with their defaults."""
    return {field.name: field.default for field in fields(entry(compared).load()) if field.init}


def _check_keywords(plan: Plan, compared: Compared) -> None:
    """Raise ValueError if a method does not have what is fixed or searched, or does not allow it."""
    known = list(_keywords(compared))
    for name in compared.fixed:
        if name not in known:
            raise ValueError(f"{compared.title} has no keyword {name!r}; there are {', '.join(known)}")
    if "seed" in compared.fixed:
        raise ValueError(f"seed of {compared.title} cannot be fixed: it is drawn from the plan's seed and the repeat")
    validate(entry(compared).load()(**held(plan, compared)))
    tuned(plan, compared)


def _check_shared(plan: Plan) -> None:
    """Raise ValueError if a keyword of [fixed] or [search] is nobody's, the plan's own, or in both."""
    known = sorted({name for each in plan.methods for name in _keywords(each)} - set(PLANNED))
    ranged = {name for each in plan.methods for name, _, _ in ranges(entry(each).load())}
    for table, names in (("fixed", plan.fixed), ("search", plan.search)):
        for name in names:
            if name not in known:
                raise ValueError(f"{table}: no method has the keyword {name!r}{nearest(name, known)}")
    for name in plan.search:
        if name in plan.fixed:
            raise ValueError(f"search: {name} cannot be searched and fixed")
        if name not in ranged:
            raise ValueError(f"search: {name} has no range to be searched in")


def _narrowed(name: str, allowed: Range, given: tuple[Any, ...]) -> Range:
    """Return a range that is searched as the plan says, which must lie in what is allowed."""
    for value in given:
        problem = allowed.problem(value)
        if problem:
            raise ValueError(f"search: {name} must be {problem}; got {value!r}")
    if isinstance(allowed, Choice):
        return Choice(*allowed.options, search=given)
    if len(given) != 2 or given[0] > given[1]:
        raise ValueError(f"search: {name} must be [low, high]; got {list(given)}")
    if allowed.log and given[0] <= 0:
        raise ValueError(f"search: {name} is searched by its logarithm and must begin above 0; got {given[0]}")
    return replace(allowed, search=given)


def _first(error: ValidationError) -> str:
    """Return the first problem in one line: where, what."""
    problem = error.errors()[0]
    place = ".".join(map(str, problem["loc"]))
    what = problem["msg"].removeprefix("Value error, ")
    return f"{place}: {what}" if place else what
