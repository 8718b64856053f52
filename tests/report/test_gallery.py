"""The gallery shows what the store holds, as text where it is text, and can be worked with the keyboard."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evenrank.benchmark import parts
from evenrank.benchmark.jobs import Job, Task
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Report, Store
from evenrank.benchmark.work import work
from evenrank.dataset import dataset
from evenrank.formats.bundles import save_bundle
from evenrank.report import page
from evenrank.report.contents import Contents, read
from evenrank.report.gallery import STUDIES, gallery
from evenrank.report.leaderboard import board
from tests.report.browser import chromium, needed, shown

SCRIPT = "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\"> & a dog"
PLAN = """
title = "Pairs"
dataset = "{bundle}"
protocol = "extendable(folds=2)"
bits = [4]
dimensions = [2]
metrics = ["AP"]

[[methods]]
name = "crossmedia/chance"

[[methods]]
name = "crossmedia/cca"

[[methods]]
name = "crossmedia/cvh"
"""
WIDTHS = {"crossmedia/chance": 2, "crossmedia/cca": 2, "crossmedia/cvh": 4}

Change = Callable[[dict[str, Any]], Any]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Plan, dict[Job, Report]]:
    """Return final jobs over pictures and captions, each of which would like to be a script."""
    folder = tmp_path_factory.mktemp("pairs")
    data = dataset("synthetic(items=160, classes=4, modalities=2, dimensions=8)")
    features = {name: np.asarray(values) for name, values in data.modalities.items()}
    pictures = np.random.default_rng(0).integers(0, 256, (160, 6, 9, 3), np.uint8)
    shown = {"shown_image": pictures, "shown_text": np.array([f"{row} {SCRIPT}" for row in range(160)])}
    classes = np.array(["ant", "bee", "<b>cat</b>", "dog"])
    save_bundle(folder / "bundle.npz", {**features, **shown, "label": data.labels, "classes": classes})
    (folder / "plan.toml").write_text(PLAN.format(bundle=folder / "bundle.npz"), encoding="utf-8")
    plan = Plan.read(folder / "plan.toml")
    parts.prepare(plan, folder / "parts")
    jobs = [Job("final", title, width, 0) for title, width in WIDTHS.items()]
    return plan, {job: work(plan, Task(job, {}), folder / "parts") for job in jobs}


def contents(run: tuple[Plan, dict[Job, Report]], folder: Path, change: Change = lambda exhibits: exhibits) -> Contents:
    """Return what a store holds after these jobs, their exhibits changed."""
    plan, reports = run
    store = Store(folder / "store.sqlite")
    store.add(plan)
    for job, report in reports.items():
        store.finish(plan, job, {}, report._replace(exhibits=change(report.exhibits)))
    return read(store, plan)


def test_it_holds_every_method_of_every_search_and_their_items(run: Any, tmp_path: Path) -> None:
    shown = gallery(contents(run, tmp_path))
    assert shown is not None
    assert [search["name"] for search in shown["searches"]] == [
        f"{kind}, {direction}"
        for kind in ("non-extendable", "extendable")
        for direction in ("image to text", "text to image")
    ]
    for search in shown["searches"]:
        assert len(search["studies"]) == 3
        assert search["first"][0] != search["first"][1]
        for entry in (entry for study in search["studies"] for entry in study["entries"]):
            assert ("picture" if entry["asks"] == "image" else "text") in shown["items"][entry["asks"]][
                str(entry["query"])
            ]
            rows = [row for group in entry["groups"] for row in group["rows"]]
            assert all(str(row) in shown["items"][entry["answers"]] for row in rows)
            assert all(len(group["rows"]) == len(group["hits"]) <= group["size"] for group in entry["groups"])


def test_the_best_stands_first_beside_the_best_of_another_method(run: Any, tmp_path: Path) -> None:
    found = contents(run, tmp_path)
    shown = gallery(found)
    assert shown is not None
    for search in shown["searches"]:
        mine = [study for study in found.studies if study.searched == search["name"]]
        values = [float(study.values["AP"].mean()) for study in mine]
        left, right = search["first"]
        assert values[left] == max(values)
        assert values[right] == sorted(values)[-2]


def test_of_many_studies_the_best_are_shown(run: Any, tmp_path: Path) -> None:
    found = contents(run, tmp_path)
    what = found.searched[0]
    one = next(study for study in found.studies if study.searched == what)
    values = {width: {"AP": np.array([width / 100])} for width in range(1, 81)}
    many = tuple(replace(one, label="One", width=width, values=values[width]) for width in values)
    shown = gallery(replace(found, studies=many))
    assert shown is not None
    [search] = shown["searches"]
    assert search["omitted"] == 80 - STUDIES
    assert [study["name"] for study in search["studies"]] == [f"One, {width}" for width in range(21, 81)]


def test_without_rankings_there_is_no_gallery(run: Any, tmp_path: Path) -> None:
    def without(exhibits: dict[str, Any]) -> dict[str, Any]:
        return {name: content for name, content in exhibits.items() if name != "gallery"}

    assert gallery(contents(run, tmp_path, without)) is None


def test_items_that_are_not_stored_are_shown_by_their_row(run: Any, tmp_path: Path) -> None:
    shown = gallery(contents(run, tmp_path, lambda exhibits: {"gallery": exhibits["gallery"]}))
    assert shown is not None
    assert set(map(str, shown["items"]["text"].values())) == {"{}"}


def test_pictures_that_lie_elsewhere_are_not_asked_for(run: Any, tmp_path: Path) -> None:
    def elsewhere(exhibits: dict[str, Any]) -> dict[str, Any]:
        items = {row: {"picture": "https://example.org/x.png", "label": "x"} for row in exhibits["items"]["image"]}
        return {**exhibits, "items": {"image": items}}

    shown = gallery(contents(run, tmp_path, elsewhere))
    assert shown is not None
    assert all(item in ({"label": "x"}, {}) for item in shown["items"]["image"].values())


def test_a_damaged_gallery_is_one_line(run: Any, tmp_path: Path) -> None:
    found = contents(run, tmp_path, lambda exhibits: {"gallery": {what: [{}] for what in exhibits["gallery"]}})
    with pytest.raises(ValueError, match="Pairs: what is stored of the gallery is damaged") as caught:
        gallery(found)
    assert "\n" not in str(caught.value)


@pytest.fixture(scope="module")
def opened(run: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Yield the page in a browser; whatever it asks for or complains about fails the test."""
    folder = tmp_path_factory.mktemp("page")
    found = contents(run, folder)
    page.write(folder / "page.html", page.render(found, board(found)))
    with chromium() as browser, shown(browser, folder / "page.html") as tab:
        yield tab


def chosen(tab: Any, which: str) -> str:
    """Return the words of what is selected."""
    return tab.eval_on_selector(f"#gallery-{which}", "each => each.selectedOptions[0].textContent")


@needed
def test_a_caption_with_a_script_stays_text(opened: Any) -> None:
    opened.select_option("#gallery-search", label="extendable, image to text")
    words = opened.locator("#gallery-left .words")
    assert words.count() == 20
    assert all(text.endswith(SCRIPT) for text in words.all_text_contents())
    assert opened.locator("#gallery img[src=x], #gallery script:not([type])").count() == 0
    assert opened.title() == "Pairs – evenrank"


@needed
def test_pictures_and_names_of_classes_are_shown(opened: Any) -> None:
    opened.select_option("#gallery-search", label="extendable, text to image")
    images = opened.locator("#gallery-right img")
    assert images.count() == 20
    assert opened.evaluate("[...document.querySelectorAll('#gallery img')].every(each => each.naturalWidth === 9)")
    names = set(opened.locator("#gallery .named").all_text_contents())
    assert names <= {"ant", "bee", "<b>cat</b>", "dog"}
    assert opened.locator("#gallery b").count() == 0


@needed
def test_relevant_items_are_told_from_others_without_colour(opened: Any) -> None:
    for tile in opened.locator("#gallery-left .gallery-item").all():
        relevant = "relevant" in tile.get_attribute("class").split()
        assert tile.locator("img").get_attribute("alt").endswith(", relevant" if relevant else ", not relevant")
        mark = tile.evaluate("each => getComputedStyle(each, '::after').content")
        assert ("✓" in mark) == relevant


@needed
def test_ties_stand_in_one_box_that_says_how_many_there_are(opened: Any) -> None:
    opened.select_option("#gallery-left-method", label="CVH, 4")
    texts = opened.locator("#gallery-left .gallery-group > p").all_text_contents()
    sizes = [opened.locator("#gallery-left .gallery-group").nth(i).locator("img").count() for i in range(len(texts))]
    assert sum(sizes) == 20
    for text, size in zip(texts, sizes, strict=True):
        assert f"; {size} shown" in text or f": {size} tied" in text or (size == 1 and ":" not in text)


@needed
def test_the_same_query_stays_when_methods_change_and_a_methods_own_is_missing_elsewhere(opened: Any) -> None:
    opened.select_option("#gallery-left-method", label="CVH, 4")
    opened.select_option("#gallery-right-method", label="Chance across modalities, 2")
    opened.select_option("#gallery-query", index=2)
    query = chosen(opened, "query")
    opened.select_option("#gallery-right-method", label="CM, 2")
    assert chosen(opened, "query") == query
    assert opened.locator("#gallery-right img").count() == 20
    opened.select_option("#gallery-right-method", label="nothing")
    assert opened.locator("#gallery-right *").count() == 0
    labels = opened.eval_on_selector_all("#gallery-query optgroup", "all => all.map(each => each.label)")
    assert labels[0] == "Chosen"
    assert "Best of CVH, 4" in labels


@needed
def test_the_keyboard_reaches_every_query(opened: Any) -> None:
    opened.select_option("#gallery-query", index=0)
    assert opened.locator("#gallery-previous").is_disabled()
    opened.focus("#gallery-next")
    seen = {chosen(opened, "query")}
    count = opened.locator("#gallery-query option").count()
    for _ in range(count - 1):
        opened.keyboard.press("Enter")
        seen.add(chosen(opened, "query"))
    assert opened.locator("#gallery-next").is_disabled()
    assert len(seen) > 6
    opened.focus("#gallery-query")
    opened.keyboard.press("ArrowUp")
    assert opened.eval_on_selector("#gallery-query", "each => each.selectedIndex") == count - 2
