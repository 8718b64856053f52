"""Results in the form in which MTEB keeps them: one file a model and task.

A model is a method at one width, its revision the plan's hash; what was searched are the subsets of the one split
"test". Scores that are undefined are left out, as JSON has no NaN.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from evenrank.formats.whole import whole
from evenrank.report.contents import Contents
from evenrank.report.study import Study

VERSION = "2.0.0"  # of MTEB, whose form this is
LANGUAGE = "zxx-Zxxx"  # no language, no script: of features and pictures


def write(folder: Path, contents: Contents, metric: str) -> list[Path]:
    """Write folder/MODEL/REVISION/TASK.json for every method and width; return the paths."""
    models: dict[str, list[Study]] = {}
    for study in contents.studies:
        if np.isnan(study.values[metric].mean()):
            continue  # the form has no place for a main score that is undefined
        models.setdefault(name(study), []).append(study)
    written = []
    for model, studies in models.items():
        path = folder / model / contents.plan.hash / f"{task(contents)}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole(path) as beside:
            beside.write_text(json.dumps(result(contents, studies, metric), indent=1) + "\n", encoding="utf-8")
        written.append(path)
    return written


def result(contents: Contents, studies: list[Study], metric: str) -> dict[str, Any]:
    """Return the results of one model on the plan's task."""
    times = studies[0].seconds
    return {
        "dataset_revision": ", ".join(contents.provenance.data),
        "task_name": task(contents),
        "mteb_version": VERSION,
        "scores": {"test": [_scores(study, metric) for study in studies]},
        "evaluation_time": float(times.mean()),
        "kg_co2_emissions": None,
    }


def name(study: Study) -> str:
    """Return what a model is called: letters, digits and what file names may hold beside them."""
    return _plain(f"{study.method}-{study.width}" if study.width else study.method)


def task(contents: Contents) -> str:
    """Return what the task is called: the dataset and its protocol."""
    return _plain(f"{contents.plan.dataset}-{contents.plan.protocol}")


def _scores(study: Study, metric: str) -> dict[str, Any]:
    """Return the scores of one subset: means over repeats, and the values of each."""
    means = {each: float(values.mean()) for each, values in study.values.items()}
    defined = {each: mean for each, mean in means.items() if mean == mean}
    return {
        **defined,
        "main_score": defined[metric],
        "hf_subset": study.searched if study.searched != "test" else "default",
        "languages": [LANGUAGE],
        "scores_per_experiment": [
            {each: float(values[repeat]) for each, values in study.values.items() if each in defined}
            for repeat in range(len(study.repeats))
        ],
    }


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.@=-]+", "_", text).strip("_.") or "_"
