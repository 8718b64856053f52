"""The page in real Chromium, opened as a file: it sorts, filters, switches, and neither asks nor complains."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evenrank.report.contents import Contents, read
from evenrank.report.index import index
from evenrank.report.page import page, write
from tests.report.browser import SORT, chromium, needed, shown
from tests.report.stores import crowded, ranked

pytestmark = needed

INJECTED = '<script>document.title = "injected"</script><img src=x onerror="document.title = 1">'


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def report(contents: Contents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    write(path, page(contents))
    return path


def column(opened: Any, place: int) -> list[str]:
    """Return what a column of the leaderboard holds, from the top, in rows that are to be seen."""
    return opened.eval_on_selector_all(
        "#board tbody:first-of-type tr:not([hidden])", f"rows => rows.map((row) => row.cells[{place}].dataset.sort)"
    )


def heads(opened: Any) -> list[str]:
    return opened.eval_on_selector_all("#board thead button", "each => each.map((one) => one.textContent)")


def test_it_sorts_by_pointer_and_by_keyboard(browser: Any, report: Path) -> None:
    with shown(browser, report) as opened:
        place = heads(opened).index("AP")
        values = [float(value) for value in column(opened, place)]
        assert values == sorted(values, reverse=True)
        assert opened.locator("#board thead th").nth(place).get_attribute("aria-sort") == "descending"
        opened.locator("#board thead button").nth(place).click()
        assert [float(value) for value in column(opened, place)] == sorted(values)
        opened.locator("#board thead button").first.focus()
        opened.keyboard.press("Enter")
        assert column(opened, 0) == sorted(column(opened, 0))
        assert opened.locator("#board [aria-sort]").count() == 1
        opened.keyboard.press("Space")
        assert column(opened, 0) == sorted(column(opened, 0), reverse=True)


def test_it_filters_by_name_and_width_and_leaves_controls_in(browser: Any, report: Path) -> None:
    with shown(browser, report) as opened:
        assert len(column(opened, 0)) == 7
        opened.fill("#filter-text", "itq")
        assert sorted(column(opened, 0)) == ["Chance", "Chance", "ITQ", "ITQ", "Trivial solution"]
        assert opened.locator("#shown").text_content() == "5 of 7 rows"
        opened.select_option("#filter-width", "8")
        assert sorted(column(opened, 0)) == ["Chance", "ITQ", "Trivial solution"]
        opened.fill("#filter-text", "")
        assert sorted(column(opened, 0)) == ["Chance", "ITQ", "LSH", "Trivial solution"]
        opened.select_option("#filter-width", "")
        opened.press("#filter-text", "Enter")  # must not send the form away
        assert len(column(opened, 0)) == 7


def test_figures_are_drawn_and_switched(browser: Any, report: Path) -> None:
    with shown(browser, report) as opened:
        opened.locator("#figures").scroll_into_view_if_needed()
        opened.wait_for_selector("#figure-plot .main-svg")
        first = opened.locator("#figure-words").text_content()
        for place in range(1, opened.locator("#figure-chosen option").count()):
            opened.select_option("#figure-chosen", index=place)
            opened.wait_for_selector(f"#figure-plot[data-shown='{place}/0'] .main-svg")
        assert opened.locator("#figure-words").text_content() != first
        assert opened.evaluate("document.querySelectorAll('script:not([type])').length") == 4


def test_the_gallery_switches_method_and_query(browser: Any, report: Path) -> None:
    with shown(browser, report) as opened:
        left = opened.locator("#gallery-left")
        first = left.inner_text()
        assert left.locator("img").count() > 0
        assert opened.locator("#gallery .relevant").count() > 0
        opened.locator("#gallery-next").click()
        second = left.inner_text()
        assert second != first
        methods = opened.locator("#gallery-left-method option")
        chosen = opened.locator("#gallery-left-method").input_value()
        other = next(place for place in range(methods.count()) if str(place) != chosen)
        opened.select_option("#gallery-left-method", index=other)
        assert left.locator("h3").text_content() == methods.nth(other).text_content()


def test_the_theme_follows_the_system_and_can_be_chosen(browser: Any, report: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    with shown(browser, report, color_scheme="dark") as opened:
        dark = opened.evaluate(ground)
        opened.click("#theme")
        light = opened.evaluate(ground)
        assert dark != light
        opened.click("#theme")
        assert opened.evaluate(ground) == dark
        assert opened.locator("#theme").text_content() == "Theme: dark"
    with shown(browser, report, color_scheme="light") as opened:
        assert opened.evaluate(ground) == light


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_but_tables_is_wider_than_the_screen(browser: Any, report: Path, width: int) -> None:
    with shown(browser, report, viewport={"width": width, "height": 780}) as opened:
        assert opened.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("label", ["x" * 200, "word " * 40])
def test_a_long_name_leaves_room_for_the_numbers(browser: Any, tmp_path: Path, width: int, label: str) -> None:
    chosen, store = ranked(tmp_path, {label: 0.5})
    write(tmp_path / "page.html", page(read(store, chosen)))
    with shown(browser, tmp_path / "page.html", viewport={"width": width, "height": 780}) as opened:
        assert opened.locator("#board tbody th").first.bounding_box()["width"] < width / 2
        assert opened.locator("#shown").text_content() == "1 row"


def test_every_control_can_be_reached_and_is_seen_to_be(browser: Any, report: Path) -> None:
    with shown(browser, report) as opened:
        opened.keyboard.press("Tab")
        assert opened.evaluate("document.activeElement.textContent") == "Skip to the leaderboard"
        wanted = {"theme", "filter-text", "filter-width", "figure-chosen", "gallery-query"}
        for _ in range(80):
            opened.keyboard.press("Tab")
            wanted.discard(opened.evaluate("document.activeElement.id"))
            assert opened.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
            if not wanted:
                break
        assert not wanted


def test_labels_and_titles_that_would_be_scripts_are_text(browser: Any, tmp_path: Path) -> None:
    chosen, store = ranked(tmp_path, {INJECTED: 0.5, "no formula: $x^2$ for $5": 0.6}, title=INJECTED)
    write(tmp_path / "page.html", page(read(store, chosen)))
    with shown(browser, tmp_path / "page.html") as opened:
        opened.locator("#figures").scroll_into_view_if_needed()
        opened.wait_for_selector("#figure-plot .main-svg")
        opened.locator("#board thead button").nth(2).click()
        assert opened.title() == f"{INJECTED} – evenrank"
        assert opened.locator("h1").text_content() == INJECTED
        assert INJECTED in column(opened, 0)
        assert "no formula: $x^2$ for $5" in opened.locator("#figure-plot").inner_text()
        assert opened.locator("img").count() == 0


def test_a_script_that_is_not_ours_does_not_run(browser: Any, contents: Contents, tmp_path: Path) -> None:
    """Were anything ever left unescaped, the page's policy still refuses it."""
    text = page(contents).replace("</main>", f"{INJECTED}<img src='https://example.org/x.png'></main>")
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    opened = browser.new_page()
    refused: list[str] = []
    opened.on("console", lambda message: refused.append(message.text))
    opened.goto((tmp_path / "page.html").as_uri())
    assert "injected" not in opened.title()
    assert sum("Content Security Policy" in line for line in refused) >= 2
    opened.close()


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of 800 rows, which left all that real jobs leave."""
    folder = tmp_path_factory.mktemp("crowd")
    chosen, store = crowded(folder, methods=200, bits=(12, 24, 32, 48), repeats=2)
    write(folder / "page.html", page(read(store, chosen)))
    return folder / "page.html"


def test_of_eight_hundred_rows_the_first_are_shown_and_all_if_asked_for(browser: Any, crowd: Path) -> None:
    with shown(browser, crowd) as opened:
        place = heads(opened).index("AP")
        assert opened.locator("#shown").text_content() == "800 rows"
        best = [float(value) for value in column(opened, place)]
        assert len(best) == 100
        assert best == sorted(best, reverse=True)
        assert opened.locator("#cut").text_content() == "700 more rows in this order."
        opened.select_option("#filter-width", "24")
        assert opened.locator("#shown").text_content() == "200 of 800 rows"
        assert len(column(opened, 0)) == 100
        opened.locator("#all").click()
        assert len(column(opened, 0)) == 200
        assert not opened.locator("#more").is_visible()
        assert opened.evaluate("document.activeElement.getAttribute('aria-label')") == "Leaderboard"
        opened.select_option("#filter-width", "")
        assert [float(value) for value in column(opened, place)] == best
        opened.locator("#all").click()
        every = [float(value) for value in column(opened, place)]
        assert len(every) == 800
        assert every[:100] == best
        opened.locator("#board thead button").nth(place).click()
        assert [float(value) for value in column(opened, place)] == every[:-101:-1]


def test_controls_are_shown_however_many_are_better(browser: Any, tmp_path: Path) -> None:
    means = {f"m{number}": 0.9 - number / 200 for number in range(120)}
    methods = [*({"name": "hashing/lsh", "label": label} for label in means), {"name": "hashing/chance"}]
    chosen, store = ranked(tmp_path, means | {"hashing/chance": 0.1}, repeats=1, spread=0.0, methods=methods)
    write(tmp_path / "page.html", page(read(store, chosen)))
    with shown(browser, tmp_path / "page.html") as opened:
        assert column(opened, 0) == [*(f"m{number}" for number in range(100)), "Chance"]
        assert opened.locator("#all").text_content() == "Show all 121"


def test_eight_hundred_rows_are_sorted_before_one_notices(browser: Any, crowd: Path) -> None:
    """All are shown when the first column is sorted. The best of three: what others take in it is not the page's."""
    times = []
    with shown(browser, crowd) as opened:
        for _ in range(3):
            opened.click("#all")
            times.append(opened.evaluate(SORT))
    assert len(times[0]) == 12
    assert max(map(min, zip(*times, strict=True))) < 200  # milliseconds


def test_an_index_leads_to_its_reports_and_ranks_all_their_rows(browser: Any, report: Path, tmp_path: Path) -> None:
    (tmp_path / "a & b.html").write_text(report.read_text("utf-8"), encoding="utf-8")
    (tmp_path / "other.html").write_text("<p>no report</p>", encoding="utf-8")
    chosen, store = ranked(tmp_path, {INJECTED: 0.5, "ITQ": 0.6}, dataset="synthetic", title="Other data")
    write(tmp_path / "synthetic.html", page(read(store, chosen)))
    with shown(browser, index(tmp_path)) as opened:
        reports = opened.locator("#reports tbody tr")
        assert reports.count() == 2
        assert "finished" in reports.first.inner_text()
        assert reports.first.locator("a").get_attribute("href") == "a%20%26%20b.html"
        assert len(column(opened, 0)) == 7 + 2
        assert INJECTED in column(opened, 0)
        opened.fill("#filter-text", "itq")
        datasets = column(opened, heads(opened).index("dataset"))
        assert sorted(datasets) == [*["digits"] * 5, "synthetic"]  # with the controls of the digits
        opened.select_option("#filter-dataset", "synthetic")
        assert column(opened, 0) == ["ITQ"]
        opened.fill("#filter-text", "")
        opened.locator("#board thead button").nth(heads(opened).index("value")).click()
        assert column(opened, 0) == ["ITQ", INJECTED]
