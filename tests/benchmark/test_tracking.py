"""Jobs are told once, as they come; libraries are needed only by who asks for them."""

from pathlib import Path

import pytest

from evenrank.benchmark.plan import Plan
from evenrank.benchmark.tracking import tracking
from tests.benchmark.filled import filled
from tests.benchmark.plans import written


def test_tensorboard_gets_every_job_that_is_finished_from_now_on(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    plan, path = Plan.read(written(tmp_path)), tmp_path / "store.sqlite"
    store = filled(plan, path, jobs=2)  # both repeats of LSH
    with tracking(plan, store, [f"tensorboard:{tmp_path / 'events'}"]) as tell:
        filled(plan, path, jobs=2)
        tell()
        filled(plan, path)
    events = EventAccumulator(str(tmp_path / "events")).Reload()
    assert not [tag for tag in events.Tags()["scalars"] if "lsh" in tag]
    found = events.Scalars("Digits/hashing/itq 8/tune test AP/fold 0")
    assert [(event.step, pytest.approx(event.value)) for event in found] == [(0, 0.5), (1, 0.51)]
    assert [event.step for event in events.Scalars("Digits/hashing/itq 8/final value")] == [0, 1]


def test_mlflow_gets_a_run_a_job(tmp_path: Path) -> None:
    import mlflow

    plan, path = Plan.read(written(tmp_path)), tmp_path / "store.sqlite"
    address = f"sqlite:///{tmp_path / 'mlflow.sqlite'}"
    store = filled(plan, path, jobs=2)
    with tracking(plan, store, [f"mlflow:{address}"]):
        filled(plan, path, value=lambda job: None if job.kind == "final" else 0.5)
    client = mlflow.MlflowClient(tracking_uri=address)
    experiment = client.get_experiment_by_name(f"Digits {plan.hash[:8]}").experiment_id
    runs = {run.info.run_name: run for run in client.search_runs([experiment])}
    assert set(runs) == {
        f"hashing/itq/8/{place}" for place in ("trial 0/fold 0", "trial 1/fold 0", "repeat 0", "repeat 1")
    }
    trial = runs["hashing/itq/8/trial 1/fold 0"]
    assert trial.data.params == {"iterations": str(store.outcomes(plan)[trial.info.run_name].parameters["iterations"])}
    assert (trial.data.metrics["test AP"], trial.info.status) == (0.5, "FINISHED")
    assert runs["hashing/itq/8/repeat 0"].info.status == "FAILED"


@pytest.mark.parametrize("where", ["wandb:here", "mlflow", "tensorboard:"])
def test_who_is_told_must_be_one_of_two(tmp_path: Path, where: str) -> None:
    plan = Plan.read(written(tmp_path))
    store = filled(plan, tmp_path / "store.sqlite", jobs=0)
    with (
        pytest.raises(ValueError, match="--log must be tensorboard:DIR or mlflow:URI; got"),
        tracking(plan, store, [where]),
    ):
        pass


def test_nobody_is_told_if_nobody_asks(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    with tracking(plan, filled(plan, tmp_path / "store.sqlite"), []) as tell:
        tell()
