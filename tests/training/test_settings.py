"""Settings that cannot be meant are refused, each in one line."""

from dataclasses import replace

import pytest

from tests.training.problem import SETTINGS, network, trained


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"epochs": 0}, "epochs of Training must be a whole number of at least 1; got 0"),
        ({"optimiser": "lion"}, "optimiser of Training must be one of sgd, rmsprop, adam; got 'lion'"),
        ({"batches": "balanced"}, "members of Training must be given with balanced and labelled batches"),
        ({"members": 2}, "members of Training must be given with balanced and labelled batches, and only with them"),
        ({"nesterov": True, "optimiser": "adam"}, "nesterov of Training needs sgd with momentum"),
        ({"nesterov": True, "momentum": 0.0}, "nesterov of Training needs sgd with momentum"),
        ({"milestones": (3, 2)}, r"milestones of Training must be ascending epochs from 1 on; got \(3, 2\)"),
        ({"milestones": (0,)}, "milestones of Training must be ascending epochs from 1 on"),
        ({"rates": {"0": -1}}, "rates of Training must be a number of at least 0; got -1 for '0'"),
        (
            {"rates": {"1.weights": 2}},
            "rates of Training must name parts of the model, like '0.0.weight'; got '1.weights'",
        ),
        ({"accumulate": 21}, "at least 21 chunks each; got 20"),
        ({"batches": "labelled", "members": 2}, "labels of labelled batches must be a matrix"),
        ({"learning_rate": 1e200}, "the loss of step . is nan: try a lower learning_rate than 1e"),
    ],
)
def test_bad_settings_are_refused_in_one_line(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        trained(network(), replace(SETTINGS, **changes))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
