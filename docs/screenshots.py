"""Pictures of reports for the docs: of the demo, of a cross-media comparison, of an index; light, dark and on a phone.

python docs/screenshots.py NAME=REPORT.html …     # docs/figures/report_NAME.png and others
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.report.browser import chromium, shown

FOLDER = Path(__file__).parent / "figures"
LOOKS: dict[str, dict[str, Any]] = {
    "": {"viewport": {"width": 1280, "height": 860}, "color_scheme": "light"},
    "_dark": {"viewport": {"width": 1280, "height": 860}, "color_scheme": "dark"},
    "_phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
}
PARTS = {"": "main", "_figures": "#figures", "_gallery": "#gallery"}


def main(arguments: list[str]) -> None:
    """Write the pictures of each report that is named."""
    with chromium() as browser:
        for argument in arguments:
            name, _, path = argument.partition("=")
            for look, context in LOOKS.items():
                with shown(browser, Path(path).resolve(), **context) as page:
                    for part, section in PARTS.items():
                        if not (part and look) and page.locator(section).count():
                            picture(page, section, FOLDER / f"report_{name}{part}{look}.png")


def picture(page: Any, section: str, path: Path) -> None:
    """Write what is on the screen when a section has been scrolled to."""
    page.evaluate(f"document.querySelector('{section}').scrollIntoView()")
    if section == "#gallery":  # the last search is the hardest of a cross-media comparison: texts, unseen classes
        choices = page.locator("#gallery-search option")
        page.select_option("#gallery-search", index=choices.count() - 1)
    if section == "#figures":
        page.wait_for_selector("#figure-plot .main-svg")
    page.wait_for_timeout(500)  # fonts, pictures and the plot are drawn by then
    page.screenshot(path=str(path))
    print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
