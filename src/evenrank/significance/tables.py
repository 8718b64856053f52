"""A comparison for people: tables as text, Markdown or LaTeX, and the lines below them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from evenrank.significance.comparison import Comparison
from evenrank.significance.difference import OVERLAP
from evenrank.significance.published import Gap
from evenrank.table import number, text_table

Form = Literal["text", "markdown", "latex"]


class Table(NamedTuple):
    """Words and numbers; the first `left` columns are words."""

    header: list[str]
    rows: list[list[str]]
    left: int = 1


def method_table(comparison: Comparison) -> Table:
    """Return one row a method, best first."""
    lettered = any(each.letters for each in comparison.methods)
    header = ["method", "runs", f"mean ± {_percent(comparison)}", "worst ties", "best ties", "average rank"]
    rows = [
        [
            each.name,
            str(each.runs),
            f"{number(each.mean)} ± {number(each.half_width)}",
            number(each.worst),
            number(each.best),
            f"{each.rank:.2f}",
            *([each.letters] if lettered else []),
        ]
        for each in comparison.methods
    ]
    return Table([*header, *(["letters"] if lettered else [])], rows)


def pair_table(comparison: Comparison) -> Table:
    """Return one row a pair."""
    header = ["pair", "difference", f"{_percent(comparison)} interval", "p", "p (Holm)", "effect", "detectable"]
    rows = [
        [
            f"{each.second} – {each.first}",
            number(each.value),
            f"{number(each.low)} … {number(each.high)}",
            *(number(value) for value in (each.p, each.holm, each.effect, each.detectable)),
        ]
        for each in comparison.pairs
    ]
    return Table(header, rows)


def gap_table(found: Sequence[Gap]) -> Table:
    """Return one row a gap of a printed table."""
    rows = [[f"{each.higher} – {each.lower}", each.verdict, *(number(value) for value in each[2:])] for each in found]
    return Table(["printed gap", "is", "gap", "ours", "ties could add", "half our interval"], rows, left=2)


def answers(comparison: Comparison) -> list[str]:
    """Return the answer for every pair, with a warning where its tie ranges overlap."""
    return [pair.answer + (f"; {OVERLAP}" if pair.overlap else "") for pair in comparison.pairs]


def notes(comparison: Comparison) -> list[str]:
    """Return the lines that say how to read the tables."""
    tests = {"queries": "permutation test, bootstrap over queries and runs", "runs": "Student's t, run by run"}
    lines = [
        f"{comparison.compared:,} {comparison.unit} in all methods; {tests[comparison.unit]}",
        f"better: p (Holm) at most {1 - comparison.confidence:.3g}, and 0 outside the interval",
        f"average ranks differ if by more than {number(comparison.critical)} (Nemenyi); "
        f"Friedman p {number(comparison.friedman)}",
    ]
    if any(each.letters for each in comparison.methods):
        lines.append("methods that share a letter: cannot tell which is better")
    alone = [each.name for each in comparison.methods if each.runs == 1 and comparison.unit == "queries"]
    if alone:
        lines.append(f"one run of {', '.join(alone)}: intervals leave out what another seed would change")
    dropped = max(pair.dropped for pair in comparison.pairs)
    if dropped:
        lines.append(f"up to {dropped:,} {comparison.unit} without a value were left out of a pair")
    return lines


def rendered(tables: Sequence[Table], paragraphs: Sequence[Sequence[str]], form: Form) -> str:
    """Return the tables, then the paragraphs of lines: a list in Markdown, comments in LaTeX."""
    mark = {"text": "", "markdown": "- ", "latex": "% "}[form]
    below = ["\n".join(mark + line for line in lines) for lines in paragraphs]
    return "\n\n".join([*(FORMS[form](table) for table in tables), *below])


def _percent(comparison: Comparison) -> str:
    return f"{100 * comparison.confidence:g} %"


def _text(table: Table) -> str:
    return text_table(table.header, table.rows, table.left)


def _markdown(table: Table) -> str:
    aligned = ["---"] * table.left + ["---:"] * (len(table.header) - table.left)
    rows = [[cell.replace("|", "\\|") for cell in row] for row in (table.header, *table.rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], aligned, *rows[1:]))


def _latex(table: Table) -> str:
    columns = "l" * table.left + "r" * (len(table.header) - table.left)
    header, *rows = (" & ".join(map(_escaped, row)) + r" \\" for row in (table.header, *table.rows))
    body = [r"\toprule", header, r"\midrule", *rows, r"\bottomrule"]  # of the package booktabs
    return "\n".join([rf"\begin{{tabular}}{{{columns}}}", *body, r"\end{tabular}"])


def _escaped(cell: str) -> str:
    return "".join(ESCAPES.get(character, character) for character in cell)


ESCAPES = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "…": r"\dots{}",
    "–": "--",
}
FORMS: dict[Form, Callable[[Table], str]] = {"text": _text, "markdown": _markdown, "latex": _latex}
