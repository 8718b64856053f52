"""Which jobs can run, whatever is done already."""

from pathlib import Path

from evenrank.benchmark.jobs import Outcome, count, ready
from evenrank.benchmark.plan import Plan
from tests.benchmark.plans import PLAN, written


def finished(plan: Plan, folds: int, values: dict[str, float | None] | None = None) -> dict[str, Outcome]:
    """Return all outcomes, done one after the other."""
    done: dict[str, Outcome] = {}
    while tasks := list(ready(plan, done, folds)):
        job, parameters = tasks[0]
        done[job.key] = Outcome(parameters, (values or {}).get(job.key, 0.1 * job.number))
    return done


def test_trials_come_one_after_another_and_repeats_take_the_best(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    first = [task.job.key for task in ready(plan, {}, 3)]
    lsh = [f"hashing/lsh/8/repeat {number}" for number in range(2)]
    assert first == [*lsh, *(f"hashing/itq/8/trial 0/fold {fold}" for fold in range(3))]
    done = finished(plan, 3)
    assert len(done) == count(plan, 3) == 2 + 2 * 3 + 2
    assert done["hashing/itq/8/repeat 0"].parameters == done["hashing/itq/8/trial 1/fold 0"].parameters


def test_proposals_do_not_depend_on_the_order_in_which_jobs_end(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    done: dict[str, Outcome] = {}
    while tasks := list(ready(plan, done, 2)):
        job, parameters = tasks[-1]
        done[job.key] = Outcome(parameters, 0.1 * job.number)
    assert done == finished(plan, 2)


def test_a_failed_fold_ends_its_trial_and_the_next_goes_on(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    done = finished(plan, 2, {"hashing/itq/8/trial 1/fold 0": None})
    assert "hashing/itq/8/trial 1/fold 1" not in done
    assert done["hashing/itq/8/repeat 1"].parameters == done["hashing/itq/8/trial 0/fold 0"].parameters


def test_a_trial_below_the_median_so_far_is_given_up(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path, PLAN.replace("trials = 2", "trials = 3\nprune = true")))
    values = {f"hashing/itq/8/trial {number}/fold 0": value for number, value in enumerate((0.5, 0.4, 0.6))}
    done = finished(plan, 2, dict(values))
    assert "hashing/itq/8/trial 1/fold 1" not in done
    assert "hashing/itq/8/trial 2/fold 1" in done
