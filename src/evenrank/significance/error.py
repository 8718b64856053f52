"""How far a mean over queries and runs may be off: its standard error, and the smallest difference it could reveal."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import nctdtrinc, stdtrit

POWER = 0.8


class Error(NamedTuple):
    """A standard error and its degrees of freedom."""

    value: float
    degrees: float

    def half_width(self, confidence: float) -> float:
        """Return half the width of Student's interval."""
        return float(stdtrit(self.degrees, (1 + confidence) / 2) * self.value)

    def detectable(self, confidence: float) -> float:
        """Return the true difference that a t test finds with a probability of 80 %."""
        critical = stdtrit(self.degrees, (1 + confidence) / 2)
        return float(nctdtrinc(self.degrees, 1 - POWER, critical) * self.value)


def standard_error(*sources: np.ndarray) -> Error:
    """Return the error of a mean whose sources of chance are these samples: the values by query, the means by run.

    The variances of the sample means add up; degrees of freedom after Welch and Satterthwaite. What a run does to
    single queries is in both samples, so the error is rather too large than too small. A sample of one adds nothing:
    with a single run the error is about queries alone.

    >>> standard_error(np.array([0.0, 2.0, 4.0, 6.0]))
    Error(value=1.2909944487358056, degrees=3.0)
    """
    parts = [(float(sample.var(ddof=1)) / len(sample), len(sample) - 1) for sample in sources if len(sample) > 1]
    total = sum(variance for variance, _ in parts)
    if total == 0:
        return Error(0.0, float(sum(degrees for _, degrees in parts)))
    return Error(total**0.5, total**2 / sum(variance**2 / degrees for variance, degrees in parts))
