"""Finished jobs, told to TensorBoard or MLflow as they come in from the store."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Store


class Tracker(Protocol):
    """Whoever is told of a job: `row` is what the store has of it."""

    def job(self, plan: Plan, row: dict[str, Any]) -> None:
        """Log one finished job."""

    def close(self) -> None:
        """Write out what is left."""


class TensorBoard:
    """Event files below a folder: one scalar a metric and study, over trials or repeats; a trial's folds apart."""

    def __init__(self, folder: str) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            raise ValueError("--log tensorboard needs tensorboard: pip install 'evenrank[tracking]'") from None
        made: Any = SummaryWriter  # which has no annotations
        self.writer = made(folder)

    def job(self, plan: Plan, row: dict[str, Any]) -> None:
        """Log the metrics of one finished job."""
        fold = f"/fold {row['fold']}" if row["kind"] == "tune" else ""
        for name, value in scalars(row):
            tag = f"{plan.title}/{row['method']} {row['width'] or '-'}/{row['kind']} {name}{fold}"
            self.writer.add_scalar(tag, value, row["number"])

    def close(self) -> None:
        """Write out what is left."""
        self.writer.close()


class MLflow:
    """One experiment a plan, one run a job, with its setting, its metrics and where it was made."""

    def __init__(self, address: str) -> None:
        try:
            from mlflow import MlflowClient, MlflowException
        except ImportError:
            raise ValueError("--log mlflow needs mlflow: pip install 'evenrank[tracking]'") from None
        try:
            self.client = MlflowClient(tracking_uri=address)
            self.client.search_experiments(max_results=1)  # so that what is wrong is said before anything runs
        except MlflowException as error:
            raise ValueError(f"--log mlflow:{address}: {str(error).splitlines()[0]}") from None

    def job(self, plan: Plan, row: dict[str, Any]) -> None:
        """Log one finished job as a run, a failed one as failed."""
        name = f"{plan.title} {plan.hash[:8]}"
        known = self.client.get_experiment_by_name(name)
        experiment = known.experiment_id if known else self.client.create_experiment(name)
        run = self.client.create_run(experiment, run_name=row["key"]).info.run_id
        for key in ("method", "width", "kind", "number", "fold"):
            self.client.set_tag(run, f"evenrank.{key}", str(row[key]))
        for keyword, value in row["parameters"].items():
            self.client.log_param(run, keyword, value)
        for metric, value in scalars(row):
            self.client.log_metric(run, metric.replace("@", " at "), value)
        self.client.set_terminated(run, "FINISHED" if row["value"] is not None else "FAILED")

    def close(self) -> None:
        """Nothing is left: every job is written at once."""


TRACKERS: dict[str, Callable[[str], Tracker]] = {"tensorboard": TensorBoard, "mlflow": MLflow}


def tracker(where: str) -> Tracker:
    """Return who is told, written "tensorboard:FOLDER" or "mlflow:ADDRESS"."""
    kind, _, place = where.partition(":")
    if kind not in TRACKERS or not place:
        raise ValueError(f"--log must be tensorboard:DIR or mlflow:URI; got {where!r}")
    return TRACKERS[kind](place)


@contextmanager
def tracking(plan: Plan, store: Store, where: Sequence[str]) -> Iterator[Callable[[], None]]:
    """Yield a function that tells all trackers of the jobs that were finished since; the last are told at the end."""
    trackers, known = [tracker(each) for each in where], set(store.outcomes(plan)) if where else set()

    def tell() -> None:
        if not trackers or len(store.outcomes(plan)) <= len(known):
            return
        for row in store.rows(plan):
            if row["key"] not in known:
                known.add(row["key"])
                for each in trackers:
                    each.job(plan, row)

    try:
        yield tell
    finally:
        tell()
        for each in trackers:
            each.close()


def scalars(row: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield name and value of what a job measured, the value that tuning judges by and its seconds among it."""
    for searched, metrics in row["metrics"].items():
        yield from ((f"{searched} {name}", value) for name, value in metrics.items() if math.isfinite(value))
    if row["value"] is not None:
        yield "value", row["value"]
    yield "seconds", row["seconds"]
