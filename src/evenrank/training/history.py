"""What happened during training: the loss of every step, and every validation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Check(NamedTuple):
    """One validation: after how many epochs, and every metric, the one that decides first."""

    epoch: int
    metrics: dict[str, float]

    @property
    def value(self) -> float:
        """The metric that decides."""
        return next(iter(self.metrics.values()))


@dataclass
class History:
    """`losses` of every step and `checks`, in order; nothing in it depends on the clock.

    >>> history = History([0.5, 0.4], [Check(1, {"AP": 0.3}), Check(2, {"AP": 0.2})])
    >>> history.best.epoch, history.stale
    (1, 1)
    """

    losses: list[float] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)

    @property
    def best(self) -> Check | None:
        """The check with the highest deciding metric, the first of equals; None where nothing was validated."""
        return max(self.checks, key=lambda check: check.value, default=None)

    @property
    def stale(self) -> int:
        """How many checks there were since the best."""
        return len(self.checks) - 1 - self.checks.index(self.best) if self.best else 0
