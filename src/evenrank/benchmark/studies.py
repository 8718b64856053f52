"""A plan's trials as optuna's studies, for its dashboard and whatever else reads its storage.

The storage can be the store's own database: no table of one has the name of one of the other. A study has the plan's
title, the beginning of its hash, and method and width; trials that are there already are left as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenrank.benchmark.plan import Plan, tuned, widths
from evenrank.benchmark.standing import Trial, history
from evenrank.benchmark.store import Store
from evenrank.tuning import distribution

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution
    from optuna.trial import FrozenTrial

NUMBER = "evenrank trial"  # the attribute by which a trial is known again


def export(plan: Plan, store: Store, url: str = "") -> dict[str, int]:
    """Write the trials that are over to an optuna storage, by default the store itself; return how many are new."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    own = store.database.engine.url.render_as_string(hide_password=False)
    storage = optuna.storages.RDBStorage((url or own).replace("postgresql://", "postgresql+psycopg://", 1))
    added = {}
    for compared in plan.methods:
        for width in widths(plan, compared) if plan.trials(compared) else ():
            name = f"{plan.title} {plan.hash[:8]}: {compared.title}/{width or '-'}"
            study = optuna.create_study(storage=storage, study_name=name, direction="maximize", load_if_exists=True)
            study.set_user_attr("metric", plan.judge)
            space = {key: distribution(allowed) for key, allowed in tuned(plan, compared).items()}
            known = {trial.user_attrs.get(NUMBER) for trial in study.get_trials(deepcopy=False)}
            new = [trial for trial in history(plan, store, compared.title, width) if trial.number not in known]
            study.add_trials([_frozen(trial, space) for trial in new])
            added[name] = len(new)
    return added


def _frozen(trial: Trial, space: dict[str, BaseDistribution]) -> FrozenTrial:
    """Return a trial as optuna keeps it; the values of its folds are the steps on the way."""
    import optuna

    return optuna.trial.create_trial(
        state=optuna.trial.TrialState[trial.state],
        value=trial.value,
        params=trial.parameters,
        distributions=space,
        intermediate_values={fold: value for fold, value in trial.folds.items() if value is not None},
        user_attrs={NUMBER: trial.number, "seconds": trial.seconds},
    )
