"""Every parameter moves as fast as it should, or not at all."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.training.problem import SETTINGS, Linked, network, trained, weights


def test_frozen_batch_norm_stays_as_it_was() -> None:
    model, free = network(norm=True), network(norm=True)
    before = {name: tensor.clone() for name, tensor in model[0][1].state_dict().items()}  # type: ignore[index]
    trained(model, replace(SETTINGS, freeze_batch_norm=True))
    trained(free)
    for name, tensor in before.items():
        assert torch.equal(model[0][1].state_dict()[name], tensor), name  # type: ignore[index]
        assert not torch.equal(free[0][1].state_dict()[name], tensor), name  # type: ignore[index]
    assert not torch.equal(model[2].weight, network(norm=True)[2].weight)


@pytest.mark.parametrize("optimiser", ["sgd", "rmsprop", "adam"])
def test_every_optimiser_learns(optimiser: str) -> None:
    settings = replace(SETTINGS, optimiser=optimiser, learning_rate=0.1 if optimiser == "sgd" else 0.003, epochs=20)
    losses = trained(network(), settings).losses
    assert np.mean(losses[-3:]) < np.mean(losses[:3]) - 0.1


def test_layers_move_at_their_own_rates() -> None:
    plain = replace(SETTINGS, epochs=1, iterations=1, momentum=0.0, weight_decay=0.0)
    start, whole, layered = network(), network(), network()
    trained(whole, plain)
    trained(layered, replace(plain, rates={"0": 0.0, "2": 0.1, "2.bias": 3.0}))
    moves = [
        {
            name: (now - then).abs().max().item()
            for (name, now), then in zip(m.named_parameters(), start.parameters(), strict=True)
        }
        for m in (whole, layered)
    ]
    assert moves[1]["0.0.weight"] == moves[1]["0.0.bias"] == 0 < moves[0]["0.0.weight"]
    assert moves[1]["2.weight"] == pytest.approx(0.1 * moves[0]["2.weight"], rel=1e-9)
    assert moves[1]["2.bias"] == pytest.approx(3.0 * moves[0]["2.bias"], rel=1e-9)


def test_rates_fall_at_milestones() -> None:
    settings = replace(SETTINGS, epochs=4, momentum=0.0, weight_decay=0.0, milestones=(1, 3), factor=0.0)
    short, long = network(), network()
    trained(short, replace(settings, epochs=1, milestones=()))
    trained(long, settings)
    np.testing.assert_array_equal(weights(short), weights(long))


def test_what_an_objective_learns_has_its_own_rate() -> None:
    settings = replace(SETTINGS, epochs=1, iterations=1, momentum=0.0, weight_decay=0.0)
    own, shared = Linked(learning_rate=0.5), Linked()
    trained(network(), settings, objective=own)
    trained(network(), settings, objective=shared)
    assert shared.centre.abs().max() > 0
    torch.testing.assert_close(own.centre, 5 * shared.centre)
