"""Continuation: codes tanh(alpha · outputs) turn into signs as alpha grows, and training goes on meanwhile.

Works with every hashing objective that has `alpha`:

    schedule = Continuation.geometric(end=40, steps=5000)
    for step, ... :
        schedule.apply(objective, step)

Paper 1's appendix D says that alpha → ∞ beats a fixed alpha of 40, not by which schedule: `geometric` is ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from evenrank.objective import Objective
from evenrank.parameters import Integer, Real, validate


@dataclass(frozen=True, kw_only=True)
class Continuation:
    """A schedule of alpha by step: start · (1 + growth · step)^power, or start · (1 + growth)^step without a power.

    Alpha is refreshed after each `every` steps, and stays at `end` once it is there.

    >>> schedule = Continuation.hashnet()
    >>> [round(schedule.alpha(step), 3) for step in (0, 199, 200, 10_000)]
    [1.0, 1.0, 1.414, 7.141]
    """

    start: Annotated[float, Real(1e-6)] = 1.0
    growth: Annotated[float, Real(0)]
    power: Annotated[float | None, Real(0)] = None
    every: Annotated[int, Integer(1)] = 1
    end: Annotated[float, Real(1e-6, 1e6)] = 1e6  # finite, as infinity times an output of 0 is no number

    def __post_init__(self) -> None:
        validate(self)
        if self.end < self.start:
            raise ValueError(f"end of Continuation must be at least start, {self.start}; got {self.end}")

    @classmethod
    def hashnet(cls) -> Continuation:
        """Return the schedule of HashNet's authors."""
        return cls(growth=0.005, power=0.5, every=200)

    @classmethod
    def geometric(cls, *, end: float, steps: int, start: float = 1.0, every: int = 1) -> Continuation:
        """Return the schedule that grows by the same factor at every step and reaches `end` after `steps`.

        >>> [round(Continuation.geometric(end=100, steps=20).alpha(step), 6) for step in (0, 10, 20, 30)]
        [1.0, 10.0, 100.0, 100.0]
        """
        if steps < 1 or not 0 < start <= end:
            raise ValueError(f"a geometric Continuation must grow over steps; got {start} to {end} in {steps} steps")
        return cls(start=start, growth=math.expm1(math.log(end / start) / steps), every=every, end=end)

    def alpha(self, step: int) -> float:
        """Return alpha at a step, counted from 0."""
        last = step - step % self.every
        growth = self.growth if self.power is None else self.growth * last
        exponent = math.log1p(growth) * (last if self.power is None else self.power)
        return self.start * math.exp(min(exponent, math.log(self.end / self.start)))

    def apply(self, objective: Objective, step: int) -> None:
        """Set the objective's alpha to that of a step."""
        if objective.kind != "codes" or not hasattr(objective, "alpha"):
            raise ValueError(
                f"continuation needs an objective on codes tanh(alpha · outputs); {type(objective).__name__} is not one"
            )
        setattr(objective, "alpha", self.alpha(step))  # noqa: B010 (a float, which torch modules do not declare)
