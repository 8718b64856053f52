"""What there is: tables of the catalog."""

from __future__ import annotations

from dataclasses import fields

from docs.tables.layout import ROOT, markdown
from evenrank.catalog import Entry, entries, make
from evenrank.cli.data.listing import count, describe
from evenrank.parameters import ranges

CUTS = {"none": "", "rank": "@k", "relevant": "@R", "radius": "@H<=r"}


def metrics() -> str:
    """Return the table of all metrics."""
    return markdown(["written", "also", "options (default)", "what it is"], [metric(e) for e in entries("metrics")])


def metric(entry: Entry) -> list[str]:
    """Return one line of the table of metrics: names, options, summary."""
    cls = entry.load()
    name, *others = cls.names
    cuts = ", ".join(f"`{name}{CUTS[kind]}`" for kind in cls.cutoffs)
    defaults = {field.name: field.default for field in fields(cls)}
    options = "; ".join(
        f"`{option}`: {what} ({'as the relevance says' if defaults[option] is None else defaults[option]})"
        for option, what, _ in ranges(cls)
    )
    return [cuts, ", ".join(f"`{other}`" for other in [*others, *sorted(cls.aliases)]), options, entry.summary]


def datasets() -> str:
    """Return the table of all datasets."""
    rows = []
    for about in (describe(entry, ROOT) for entry in entries("datasets")):
        what = about["summary"].replace("<", "&lt;")
        numbers = [count(about["items"]), count(about["categories"])]
        rows.append([f"`{about['name']}`", what, about["media"], *numbers, about["had"]])
    return markdown(["name", "what it is", "media", "items", "categories", "how it is had"], rows)


def extractors() -> str:
    """Return the table of all extractors."""
    rows = []
    for entry in entries("extractors"):
        options = "; ".join(f"`{name}`: {what}" for name, what, _ in ranges(entry.load()))
        rows.append([f"`{entry.name}`", entry.constants["reads"], entry.summary.replace("<", "&lt;"), options])
    return markdown(["name", "reads", "what it is", "options"], rows)


def protocols() -> str:
    """Return the table of all protocols."""
    rows = []
    for entry in entries("protocols"):
        made = make("protocols", entry.name)
        metrics = ", ".join(f"`{name}`" for name in made.metrics)
        rows.append([f"`{entry.name}`", str(made.version), made.paper or "–", made.statement, metrics])
    return markdown(["name", "version", "paper", "statement", "metrics"], rows)


def objectives() -> str:
    """Return the table of all objectives."""
    rows = []
    for entry in entries("objectives"):
        cls, constants = entry.load(), entry.constants
        options = "; ".join(f"`{name}`: {what}" for name, what, _ in ranges(cls))
        rows.append([f"`{entry.name}`", constants["title"], constants["paper"], cls.kind, entry.summary, options])
    return markdown(["name", "title", "paper", "reads outputs as", "what it is", "options"], rows)
