"""The page without a browser: every number is the store's, every text stays text, and what is missing is said."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evenrank.benchmark.jobs import Job
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Store
from evenrank.report.contents import Contents, read
from evenrank.report.page import page
from tests.report.stores import Stored, finals, half_width, per_query, plan, ranked, written

INJECTED = '<script>document.title = "injected"</script><img src=x onerror="document.title=1">'


class Parsed(HTMLParser):
    """The leaderboard's rows with their numbers, all elements, and all visible text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[tuple[str, str, list[tuple[float, str]]]] = []  # method, width, (value, what is shown)
        self.bare: list[str] = []  # text in cells of the leaderboard outside of numbers
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.visible = ""
        self.number: float | None = None
        self.silent = False
        self.board = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = dict(attrs)
        self.tags.append((tag, about))
        self.silent = tag in ("script", "style")
        if tag == "table":
            self.board = about.get("id") == "board"
        if tag == "tr" and "data-method" in about:
            self.rows.append((str(about["data-method"]), str(about["data-width"]), []))
        if "data-number" in about:
            self.number = float(str(about["data-number"]))

    def handle_endtag(self, tag: str) -> None:
        self.silent = False
        self.board = self.board and tag != "table"
        if tag == "span":
            self.number = None

    def handle_data(self, data: str) -> None:
        if self.silent:
            return
        self.visible += data
        if self.board and self.number is not None:
            self.rows[-1][2].append((self.number, data))
        elif self.board and self.rows:
            self.bare.append(data)


@pytest.fixture(scope="module")
def parsed(contents: Contents) -> Parsed:
    return Parsed(page(contents))


def expected(
    rows: list[dict[str, Any]], queries: dict[tuple[str, str], np.ndarray], metrics: tuple[str, ...]
) -> list[float]:
    """Return the numbers that a row must show, in their order, from the store's own tables."""
    found: list[float] = []
    what = next(iter(rows[0]["metrics"]))
    for metric in metrics:
        found.append(np.mean([row["metrics"][what][metric] for row in rows]))
        found.append(half_width([queries[row["key"], f"{what}: {metric}"] for row in rows]))
        ties = [row["exhibits"]["ties"][what][metric] for row in rows]
        worst, best = (np.mean([each[end] for each in ties]) for end in ("worst", "best"))
        found += [worst, best] if f"{worst:.4f}" != f"{best:.4f}" else []
    found.append(np.mean([row["exhibits"]["undecided"][what] for row in rows]))
    found.append(np.mean([row["exhibits"]["codes"][what]["utilisation"] for row in rows]))
    return [*found, *(np.mean([row["exhibits"]["costs"][name] for row in rows]) for name in ("fit", "encode", "bytes"))]


def test_every_number_of_the_leaderboard_is_the_stores(stored: Stored, parsed: Parsed) -> None:
    rows, queries = finals(stored[2] / "store.sqlite"), per_query(stored[2] / "store.sqlite")
    assert len(parsed.rows) == 7
    for method, width, numbers in parsed.rows:
        mine = [row for row in rows if (row["method"], str(row["width"] or "")) == (method, width)]
        shown = [value for value, _ in numbers]
        np.testing.assert_allclose(shown, expected(mine, queries, stored[0].metrics), rtol=1e-9, atol=1e-12)


def test_what_is_shown_of_a_number_is_that_number(parsed: Parsed) -> None:
    units = {"": 1, "%": 0.01, "s": 1, "ms": 1e-3, "µs": 1e-6, "B": 1, "min": 60}
    for _, _, numbers in parsed.rows:
        for value, text in numbers:
            digits, unit = re.fullmatch(r"([-\d.,]+) ?(%|s|ms|µs|B|min|)", text).groups()  # type: ignore[union-attr]
            assert float(digits.replace(",", "")) * units[unit] == pytest.approx(
                value, rel=6e-3, abs=6e-4 if unit == "%" else 6e-5
            )
    assert not re.search(r"\d\.\d", "".join(parsed.bare))


def test_a_method_without_a_width_says_at_which_it_is_best(parsed: Parsed) -> None:
    assert "best" in parsed.bare  # by AP at every width
    assert "best at 16" in parsed.bare  # by LGAP@2, where ITQ is best at 8


def test_the_page_says_what_was_compared_and_how(parsed: Parsed, contents: Contents) -> None:
    text = " ".join(parsed.visible.split())
    assert (
        "4 methods at 8 and 16 bits on digits under per_class(queries=5, training=20), by AP, P@10 and LGAP@2." in text
    )
    assert "The final setting ran 3 times, seeds from 0" in text
    assert contents.plan.hash in text
    assert "opened 21 times, once a final run, by 7 methods and widths, each with one setting" in text
    for name, [version] in contents.provenance.libraries.items():
        assert f"{name} {version}" in text
    assert "iterations 36" in text
    assert "evenrank bench run row.toml" in text
    assert "What to know before reading on" not in text


def test_nothing_is_asked_for_and_only_scripts_of_ours_run(contents: Contents, parsed: Parsed) -> None:
    text = page(contents)
    [policy] = [about["content"] for tag, about in parsed.tags if about.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert len(scripts) == 4  # plotly.js once, and one of each section
    for script in scripts:
        assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in policy
    links = [about.get(name) for _, about in parsed.tags for name in ("src", "href") if about.get(name)]
    assert all(str(link).startswith(("#", "data:")) for link in links)
    assert len(text) < 10e6


def test_the_page_is_the_same_every_time(contents: Contents, stored: Stored) -> None:
    assert page(contents) == page(read(stored[1], stored[0]))


def test_titles_labels_and_tracebacks_stay_text(tmp_path: Path) -> None:
    label, title = f"a {INJECTED}", f"b {INJECTED}"
    chosen, store = ranked(tmp_path, {label: 0.5, "other": 0.6}, title=title, dataset="digits")
    store.finish(chosen, Job("final", label, 8, 7), {}, written({}, traceback=f"ValueError: {INJECTED}"))
    store.open_test(chosen, Job("final", label, 8, 0), {INJECTED: INJECTED})
    parsed = Parsed(page(read(store, chosen)))
    assert parsed.visible.count(INJECTED) >= 5
    assert not [about for tag, about in parsed.tags if tag == "img"]
    assert sum(tag == "script" and not about for tag, about in parsed.tags) == 4


def shown(store: Store, whole: Plan) -> str:
    return " ".join(Parsed(page(read(store, whole))).visible.split())


def test_a_half_finished_run_says_what_is_missing(tmp_path: Path) -> None:
    whole, store = plan(), Store(tmp_path / "store.sqlite")
    store.add(whole)
    metrics = dict.fromkeys(whole.metrics, 0.5)
    store.finish(whole, Job("final", "hashing/lsh", 8, 0), {}, written({"test": metrics}, 0.5))
    store.finish(whole, Job("final", "hashing/lsh", 8, 1), {}, written({}, traceback="ValueError: too short"))
    for setting in ({"a": 1}, {"a": 2}):
        store.open_test(whole, Job("final", "hashing/lsh", 8, 0), setting)
    text = shown(store, whole)
    assert "19 of 21 final runs are missing (Chance, LSH, ITQ and Trivial solution): this run is not finished" in text
    assert "6 trials of tuning not begun" in text
    assert "1 job failed: hashing/lsh/8/repeat 1: ValueError: too short" in text
    assert "hashing/lsh/8: the test set was opened with 2 different settings" in text
    assert "no run has finished yet" in text


def test_a_run_that_has_only_begun_has_a_page(tmp_path: Path) -> None:
    whole, store = plan(), Store(tmp_path / "store.sqlite")
    store.add(whole)
    text = shown(store, whole)
    assert "No final run has finished yet" in text
    assert "21 of 21 final runs are missing" in text
    assert "nothing yet" in text


def test_what_no_mean_counts_is_told(tmp_path: Path) -> None:
    whole, store = plan(metrics=["AP", "P@10", "LGAP@2"], bits=[8]), Store(tmp_path / "store.sqlite")
    store.add(whole)
    values = {
        "test: AP": [0.5, np.nan, 0.5, np.nan],
        "test: P@10": [0.5, np.nan, 0.5, np.nan],
        "test: LGAP@2": [0.5] * 4,
    }
    queries = {name: np.array(each) for name, each in values.items()}
    metrics = dict.fromkeys(whole.metrics, 0.5)
    store.finish(whole, Job("final", "hashing/lsh", 8, 0), {}, written({"test": metrics}, 0.5, queries))
    assert "2 of 4 queries (test) have no AP and no P@10" in shown(store, whole)
    store.finish(whole, Job("tune", "hashing/itq", 8, 0), {"iterations": 10}, written({}, 0.5))
    store.finish(whole, Job("tune", "hashing/itq", 8, 1), {"iterations": 20}, written({}, traceback="ValueError: no"))
    assert "; 1 of 2 trials failed, were given up or are not over" in shown(store, whole)


def test_a_plan_that_is_uneven_says_so(tmp_path: Path) -> None:
    methods = [{"name": "hashing/itq", "trials": 9}, {"name": "hashing/lsh"}]
    whole, store = plan(methods=methods), Store(tmp_path / "store.sqlite")
    assert "uneven: hashing/itq has 9 trials, others 2" in Parsed(page(read(store, whole))).visible
