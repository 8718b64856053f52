"""What a keyword may be: one declaration serves validation, help texts and tuning.

    bits: Annotated[int, Integer(1, 4096)] = 32
    margin: Annotated[float, Real(0, 2, search=(0.1, 1))] = 0.5
    gain: Annotated[str, Choice("exponential", "linear")] = "exponential"

The first pair bounds what is valid; `search` is where a tuner looks, and without it the keyword is fixed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from types import NoneType
from typing import Any, get_args, get_type_hints


@dataclass(frozen=True)
class Integer:
    """A whole number from `low` to `high`, both included."""

    low: int
    high: float = math.inf
    search: tuple[int, int] | None = None
    log: bool = False

    def problem(self, value: object) -> str | None:
        """Return what `value` must be instead, or None if it is fine."""
        whole = isinstance(value, int) and not isinstance(value, bool)
        return None if whole and self.low <= value <= self.high else str(self)  # type: ignore[operator]

    def __str__(self) -> str:
        return f"a whole number {_bounds(self.low, self.high)}"


@dataclass(frozen=True)
class Real:
    """A number from `low` to `high`, both included."""

    low: float
    high: float = math.inf
    search: tuple[float, float] | None = None
    log: bool = False

    def problem(self, value: object) -> str | None:
        """Return what `value` must be instead, or None if it is fine."""
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return None if number and self.low <= value <= self.high else str(self)  # type: ignore[operator]

    def __str__(self) -> str:
        return f"a number {_bounds(self.low, self.high)}"


@dataclass(frozen=True, init=False)
class Choice:
    """One of the given values."""

    options: tuple[Any, ...]
    search: tuple[Any, ...] | None = None

    def __init__(self, *options: Any, search: tuple[Any, ...] | None = None) -> None:
        object.__setattr__(self, "options", options)
        object.__setattr__(self, "search", search)

    def problem(self, value: object) -> str | None:
        """Return what `value` must be instead, or None if it is fine."""
        return None if value in self.options else str(self)

    def __str__(self) -> str:
        return "one of " + ", ".join(map(str, self.options))


Range = Integer | Real | Choice


def ranges(owner: type) -> tuple[tuple[str, Range, bool], ...]:
    """Return (keyword, range, whether None is fine too) for every annotated keyword of a class."""
    return _ranges(owner)


@cache  # annotations are text: evaluating them takes longer than most that asks for them
def _ranges(owner: type) -> tuple[tuple[str, Range, bool], ...]:
    return tuple(
        (name, note, NoneType in get_args(hint.__origin__))
        for name, hint in get_type_hints(owner, include_extras=True).items()
        for note in getattr(hint, "__metadata__", ())
        if isinstance(note, (Integer, Real, Choice))
    )


def validate(owner: object) -> None:
    """Raise ValueError with one clear line if a keyword of `owner` is outside its range."""
    for name, allowed, optional in ranges(type(owner)):
        value = getattr(owner, name)
        problem = None if optional and value is None else allowed.problem(value)
        if problem:
            raise ValueError(f"{name} of {type(owner).__name__} must be {problem}; got {value!r}")


def nearest(word: str, words: list[str]) -> str:
    """Return a hint naming the closest of `words`, or an empty string."""
    known = {w.lower(): w for w in words}
    close = get_close_matches(word.lower(), known, n=1, cutoff=0.5)
    return f"; did you mean {known[close[0]]}?" if close else ""


def _bounds(low: float, high: float) -> str:
    return f"of at least {low}" if high == math.inf else f"from {low} to {high}"
