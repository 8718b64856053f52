"""The next setting to try: a search that proposes the same after an interruption as without one.

A proposal is a function of the ranges, of what was tried so far, and of a seed. Nothing is kept between two of them:
the sampler (optuna's Gaussian process by default) is made anew, seeded, and told the history.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from evenrank.parameters import Choice, Integer, Range

Sampler = Literal["gp", "tpe", "random"]
START_UP = 5  # trials at random before a model is fitted


class Tried(NamedTuple):
    """One setting and how good it was, higher is better; None: it failed or was given up."""

    parameters: dict[str, Any]
    value: float | None


def propose(space: Mapping[str, Range], tried: Sequence[Tried], sampler: Sampler, seed: int) -> dict[str, Any]:
    """Return the next setting: one value for each keyword of `space`, inside its search range.

    >>> from evenrank.parameters import Real
    >>> propose({"margin": Real(0, 2, search=(0.5, 0.5))}, [], "random", 0)
    {'margin': 0.5}
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    distributions = {name: distribution(allowed) for name, allowed in space.items()}
    study = optuna.create_study(direction="maximize", sampler=_sampler(sampler, seed))
    for each in tried:
        state = optuna.trial.TrialState.FAIL if each.value is None else optuna.trial.TrialState.COMPLETE
        study.add_trial(
            optuna.trial.create_trial(
                state=state, params=each.parameters, distributions=distributions, value=each.value
            )
        )
    return study.ask(distributions).params


def best(tried: Sequence[Tried]) -> dict[str, Any]:
    """Return the setting with the highest value, the first of equals; the defaults, {}, if none has a value."""
    known = [each for each in tried if each.value is not None]
    return max(known, key=lambda each: each.value or 0.0).parameters if known else {}


def seed_of(*what: Any) -> int:
    """Return a seed below 2³¹ that these values decide, the same in every process."""
    return int.from_bytes(hashlib.sha256(repr(what).encode()).digest()[:4], "big") >> 1


def _sampler(name: Sampler, seed: int) -> Any:
    import warnings

    import optuna

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        if name == "random":
            return optuna.samplers.RandomSampler(seed=seed)
        modelled = {"gp": optuna.samplers.GPSampler, "tpe": optuna.samplers.TPESampler}[name]
        return modelled(seed=seed, n_startup_trials=START_UP)


def distribution(allowed: Range) -> Any:
    """Return what optuna calls a search range."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    if allowed.search is None:
        raise ValueError(f"a keyword that is tuned must declare a search range; got {allowed}")
    if isinstance(allowed, Choice):
        return CategoricalDistribution(allowed.search)
    if isinstance(allowed, Integer):
        return IntDistribution(*allowed.search, log=allowed.log)
    return FloatDistribution(*allowed.search, log=allowed.log)
