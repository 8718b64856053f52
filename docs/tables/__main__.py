"""Write the tables of all pages."""

from docs.tables import PAGES, ROOT, renewed

for page in PAGES:
    (ROOT / page).write_text(renewed(page), encoding="utf-8")
