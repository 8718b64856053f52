"""Two processes over one batch are one process over that batch."""

import os
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.distributed as distributed

from evenrank.training import gathered
from tests.training.problem import SETTINGS, VALIDATION, Linked, network, trained, weights

STEPS = replace(SETTINGS, epochs=1, iterations=3)
# name -> (dropout, type, settings of two processes, the same of one)
CASES = {
    "float64": (0.0, torch.float64, STEPS, STEPS),
    "float32": (0.0, torch.float32, STEPS, STEPS),
    "chunks": (0.0, torch.float64, replace(STEPS, accumulate=3), STEPS),
    "dropout": (0.5, torch.float64, STEPS, replace(STEPS, accumulate=2)),
}


def check(process: int, port: int, folder: Path) -> None:
    """Train all cases as one of two processes; write what was learnt."""
    distributed.init_process_group("gloo", f"tcp://127.0.0.1:{port}", rank=process, world_size=2)
    for name, (dropout, dtype, settings, _) in CASES.items():
        model = network(dropout, dtype=dtype)
        losses = trained(model, settings, validation=VALIDATION).losses
        np.savez(folder / f"{name} {process}.npz", weights=weights(model), losses=losses)
    objective = Linked(banked=True)
    trained(network(), STEPS, objective=objective, checkpoint=folder / "run.pt")
    np.savez(folder / f"centre {process}.npz", weights=weights(objective))
    values = torch.full((2, 1), float(process), requires_grad=True)
    (gathered(values).T @ torch.arange(4.0)).sum().backward()
    gradient = values.grad
    try:
        trained(network(), replace(STEPS, batch=15))
        message = ""
    except ValueError as error:
        message = str(error)
    np.savez(folder / f"gathered {process}.npz", gradient=gradient, message=message)
    distributed.barrier()  # the first process is where both meet: it must not be gone before the other is done
    distributed.destroy_process_group()
    os._exit(0)  # all is written; now and then threads of torch abort an interpreter that winds up


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder where two processes wrote what they learnt."""
    folder = tmp_path_factory.mktemp("processes")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    code = f"import tests.training.test_processes as t; t.check(%d, {port}, t.Path({str(folder)!r}))"
    root = Path(__file__).parents[2]
    processes = [subprocess.Popen([sys.executable, "-c", code % number], cwd=root) for number in (0, 1)]
    assert [process.wait(120) for process in processes] == [0, 0]
    return folder


@pytest.mark.parametrize("name", CASES)
def test_two_processes_learn_what_one_does(folder: Path, name: str) -> None:
    dropout, dtype, _, settings = CASES[name]
    model = network(dropout, dtype=dtype)
    losses = trained(model, settings).losses
    first, second = (np.load(folder / f"{name} {process}.npz") for process in (0, 1))
    tolerance = 1e-12 if dtype == torch.float64 else 1e-6
    np.testing.assert_array_equal(first["weights"], second["weights"])
    np.testing.assert_allclose(first["weights"], weights(model), rtol=0, atol=tolerance)
    np.testing.assert_allclose(first["losses"], losses, rtol=0, atol=tolerance)
    assert abs(weights(model) - weights(network(dropout, dtype=dtype))).max() > 1e-3


def test_what_an_objective_learns_is_the_same_too(folder: Path) -> None:
    objective = Linked(banked=True)
    trained(network(), STEPS, objective=objective)
    for process in (0, 1):
        found = np.load(folder / f"centre {process}.npz")["weights"]
        np.testing.assert_allclose(found, weights(objective), rtol=0, atol=1e-12)
    assert (folder / "run.pt").exists()


def test_gathered_outputs_pass_their_gradient_times_the_processes_that_average_it(folder: Path) -> None:
    gradients = [np.load(folder / f"gathered {process}.npz")["gradient"].tolist() for process in (0, 1)]
    assert gradients == [[[0.0], [2.0]], [[4.0], [6.0]]]


def test_a_batch_that_cannot_be_shared_is_refused(folder: Path) -> None:
    message = str(np.load(folder / "gathered 1.npz")["message"])
    assert message.startswith("batch must be a multiple of the 2 processes")


def test_alone_outputs_are_themselves() -> None:
    outputs = torch.ones(2, 3)
    assert gathered(outputs) is outputs
