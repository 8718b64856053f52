"""Chromium, and a page that is open in it: whatever it asks for and complains of is written down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
TIMED = """(button) => {
    const began = performance.now();
    button.click();
    document.getElementById("board").getBoundingClientRect();
    return performance.now() - began;
}"""  # milliseconds until the browser has laid the leaderboard out again
ALL = f"({TIMED})(document.getElementById('all'))"
SORT = f"[...document.querySelectorAll('#board thead button')].map({TIMED})"  # by each column
needed = pytest.mark.skipif(not CHROMIUM.exists(), reason="needs Chromium: apt-get install chromium")


@contextmanager
def chromium() -> Iterator[Any]:
    """Yield a running browser."""
    sync = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def shown(browser: Any, path: Path, **context: Any) -> Iterator[Any]:
    """Yield a page opened from file://; at the end nothing must have gone wrong, and nothing been asked for."""
    opened = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context})
    page = opened.new_page()
    requests: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri())
    yield page
    asked = [url for url in requests if url != path.as_uri() and not url.startswith("data:")]
    opened.close()
    assert asked == []
    assert complaints == []
