"""Checkpoints: a run that is stopped anywhere and goes on ends bit for bit where an undisturbed one does."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from evenrank.continuation import Continuation
from evenrank.objective import Objective
from evenrank.objectives.tie_aware_ap import TieAwareAP
from evenrank.training import History
from tests.training.problem import SETTINGS, VALIDATION, Linked, network, trained, weights

LONG = replace(SETTINGS, epochs=4, optimiser="adam", learning_rate=0.01, milestones=(2,), accumulate=2)
GROWING = Continuation(growth=0.1, power=1.0)


class StoppedError(Exception):
    """Raised by a progress callback."""


def run(checkpoint: Path | None, stop: int = 0, *, banked: bool = False) -> tuple[History, nn.Module, Objective]:
    """Return history, model and objective of a run that is stopped after `stop` steps, 0: not at all."""

    def progress(done: int, total: int, text: str) -> None:
        if done == stop:
            raise StoppedError

    model, objective = network(dropout=0.3, norm=True), Linked(banked=True) if banked else TieAwareAP()
    more = {} if banked else {"continuation": GROWING}
    history = trained(
        model, LONG, objective=objective, validation=VALIDATION, checkpoint=checkpoint, progress=progress, **more
    )
    return history, model, objective


@pytest.mark.parametrize("banked", [False, True])
@pytest.mark.parametrize("stop", [2, 3, 7, 12])
def test_a_run_stopped_at_any_step_goes_on_bit_for_bit(tmp_path: Path, stop: int, banked: bool) -> None:
    history, model, objective = run(None, banked=banked)
    file = tmp_path / "run.pt"
    with pytest.raises(StoppedError):
        run(file, stop, banked=banked)
    assert file.exists() == (stop > 3)
    again, resumed, learnt = run(file, banked=banked)
    assert again == history
    np.testing.assert_array_equal(weights(resumed), weights(model))
    assert all(map(torch.equal, learnt.parameters(), objective.parameters()))


def test_a_killed_process_goes_on_bit_for_bit_in_another(tmp_path: Path) -> None:
    file = tmp_path / "run.pt"
    code = (
        "import sys; from pathlib import Path; import tests.training.test_checkpoint as t;"
        "t.trained(t.network(dropout=0.3, norm=True), t.LONG, continuation=t.GROWING, validation=t.VALIDATION,"
        "checkpoint=Path(sys.argv[1]), progress=lambda done, total, text: done == 8 and t.os.kill(t.os.getpid(), 9))"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(file)], cwd=Path(__file__).parents[2], check=False)
    assert killed.returncode == -signal.SIGKILL
    history, model, _ = run(None)
    stored = torch.load(file, weights_only=True)["losses"]
    assert stored == history.losses[:6]  # the other process drew and computed the same
    again, resumed, _ = run(file)
    assert again == history
    np.testing.assert_array_equal(weights(resumed), weights(model))


def test_the_best_state_survives_a_stop_after_it(tmp_path: Path) -> None:
    wild, file = replace(SETTINGS, epochs=40, learning_rate=3.0, patience=2, iterations=1), tmp_path / "run.pt"
    model, resumed = network(), network()
    history = trained(model, wild, validation=VALIDATION)
    assert history.best is not None

    def progress(done: int, total: int, text: str) -> None:
        if done == history.best.epoch + 2:  # type: ignore[union-attr]
            raise StoppedError

    with pytest.raises(StoppedError):
        trained(network(), wild, validation=VALIDATION, checkpoint=file, progress=progress)
    assert trained(resumed, wild, validation=VALIDATION, checkpoint=file) == history
    np.testing.assert_array_equal(weights(resumed), weights(model))


def test_a_finished_run_is_not_repeated(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "run.pt"
    history, model, _ = run(file)
    before = file.stat().st_mtime_ns
    again, resumed, _ = run(file, stop=1)  # no step is taken, so nothing stops it
    assert again == history
    np.testing.assert_array_equal(weights(resumed), weights(model))
    assert file.stat().st_mtime_ns == before
    assert os.listdir(file.parent) == ["run.pt"]


@pytest.mark.parametrize(
    ("changes", "more", "message"),
    [
        ({"batch": 30}, {}, "was written by another run: its batch is 20; got 30"),
        ({"seed": 5}, {}, "its seed is 0; got 5"),
        ({}, {"objective": TieAwareAP(alpha=2.0)}, r"its objective is TieAwareAP\(.*alpha=1.0.*; got TieAwareAP"),
        ({}, {"validation": VALIDATION}, "its validation is None; got "),
    ],
)
def test_another_run_is_refused(tmp_path: Path, changes, more, message: str) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "run.pt"
    trained(network(), checkpoint=file)
    with pytest.raises(ValueError, match=message) as caught:
        trained(network(), replace(SETTINGS, **changes), checkpoint=file, **more)
    assert str(caught.value).startswith(f"{file}: ")
    assert "\n" not in str(caught.value)


def test_another_model_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.pt"
    trained(network(), checkpoint=file)
    with pytest.raises(ValueError, match=r"run\.pt: does not fit this model and objective: ") as caught:
        trained(network(norm=True), checkpoint=file)
    assert "\n" not in str(caught.value)


class Evil:
    """Unpickling this would make a file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return Path.touch, (self.file,)


def test_damaged_and_hostile_files_are_refused_without_running_them(tmp_path: Path) -> None:
    file, touched = tmp_path / "run.pt", tmp_path / "touched"
    trained(network(), checkpoint=file)
    whole = file.read_bytes()
    for content in (b"", b"not a checkpoint", whole[: len(whole) // 2]):
        file.write_bytes(content)
        with pytest.raises(ValueError, match=r"run.pt: cannot be read as a checkpoint: \S") as caught:
            trained(network(), checkpoint=file)
        assert "\n" not in str(caught.value)
    for thing in ({"format": "evenrank training 1", "about": Evil(touched)}, {"format": "other"}, [1]):
        torch.save(thing, file)
        with pytest.raises(ValueError, match=r"run\.pt: cannot be read as a checkpoint: "):
            trained(network(), checkpoint=file)
    assert not touched.exists()
