"""The gallery as the page's script reads it: rankings in tie groups, and what their items look like.

Rankings come from the exhibits of the first repeat of each study. Pictures are shown only if they are held in the store
themselves, so that the page asks nobody for anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evenrank.report.contents import Contents
from evenrank.report.panels import best_first
from evenrank.report.study import Study

STUDIES = 60  # that a page holds of each search; of more the best
PICTURES = ("data:image/png;base64,", "data:image/jpeg;base64,")

Item = dict[str, str]
Items = dict[str, dict[str, Item]]  # of a modality, by row


def gallery(contents: Contents) -> dict[str, Any] | None:
    """Return searches with their methods' rankings, and all items by modality and row; None if the store holds none."""
    try:
        searches = [_search(contents, what) for what in contents.searched]
        searches = [search for search in searches if search["studies"]]
        items = _items(contents, searches)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"{contents.title}: what is stored of the gallery is damaged: {error!r}") from error
    return {"judge": contents.plan.judge, "searches": searches, "items": items} if searches else None


def _search(contents: Contents, what: str) -> dict[str, Any]:
    """Return the studies that have rankings of one search, in the plan's order.

    `first` are the two that are laid side by side at first: the best, and the best of another method.
    """
    found = [study for study in contents.studies if study.searched == what and study.exhibits.get("gallery")]
    ranked = best_first(found, contents.plan.judge)[:STUDIES]
    shown = [study for study in found if study in ranked]
    others = [study for study in ranked if study.method != ranked[0].method] or ranked[1:]
    return {
        "name": what,
        "studies": [{"name": name(study), "entries": [_entry(e) for e in _entries(study)]} for study in shown],
        "first": [shown.index(study) for study in (*ranked[:1], *others[:1])],
        "omitted": len(found) - len(shown),
    }


def name(study: Study) -> str:
    """Return what a study is called where there are several widths."""
    return f"{study.label}, {study.width}" if study.width else study.label


def _entries(study: Study) -> Iterable[dict[str, Any]]:
    entries: list[dict[str, Any]] = study.exhibits["gallery"]
    return entries


def _entry(stored: dict[str, Any]) -> dict[str, Any]:
    """Return one query's ranking; the items of a group are two lists, as they are many."""
    groups = [
        {
            "distance": group["distance"],
            "size": group["size"],
            "relevant": group["relevant"],
            "rows": [item["row"] for item in group["items"]],
            "hits": [int(item["relevant"]) for item in group["items"]],
        }
        for group in stored["groups"]
    ]
    about = {key: stored[key] for key in ("query", "why", "value", "asks", "answers")}
    return {**about, "range": stored.get("range"), "groups": groups}


def _items(contents: Contents, searches: list[dict[str, Any]]) -> Items:
    """Return what all rows that are shown look like."""
    wanted: dict[str, set[int]] = {}
    for entry in (e for search in searches for study in search["studies"] for e in study["entries"]):
        wanted.setdefault(entry["asks"], set()).add(entry["query"])
        wanted.setdefault(entry["answers"], set()).update(row for group in entry["groups"] for row in group["rows"])
    stored = contents.items
    return {
        modality: {str(row): _look(stored.get(modality, {}).get(str(row), {})) for row in sorted(rows)}
        for modality, rows in sorted(wanted.items())
    }


def _look(item: Item) -> Item:
    """Return an item without a picture that lies elsewhere."""
    return {key: value for key, value in item.items() if key != "picture" or value.startswith(PICTURES)}
