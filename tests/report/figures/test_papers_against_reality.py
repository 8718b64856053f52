"""Printed numbers come from the user's table alone, this run's from the store."""

from pathlib import Path

import pytest

from evenrank.report.claims import Claim
from evenrank.report.claims import read as read_claims
from evenrank.report.contents import Contents, read
from evenrank.report.figures import papers_against_reality
from tests.report.stores import ranked

CLAIMS = (
    Claim("First paper", 2016, "Base", 40.0, 40.0, "Table 1", "AP", "Base"),
    Claim("Second paper", 2018, "New", 60.0, 40.0, "Table 2", "AP", "Base"),
    Claim("Third paper", 2019, "NEW", 50.0, 40.0, "page 7", "AP", "Base"),
    Claim("Third paper", 2019, "Elsewhere", 70.0, 50.0, "page 7", "AP", "Base"),
)


def contents(folder: Path, claims: tuple[Claim, ...]) -> Contents:
    chosen, store = ranked(folder, {"Base": 0.5, "New": 0.55}, spread=0.01)
    return read(store, chosen, claims)


def test_values_stand_at_their_years(tmp_path: Path) -> None:
    found = contents(tmp_path, CLAIMS)
    printed, own = papers_against_reality.draw(found).panels[0].series
    assert list(printed.x) == [2016, 2018, 2019, 2019]
    assert printed.y == pytest.approx([0.4, 0.6, 0.5, 0.7])
    assert printed.texts[1] == "New: Second paper, Table 2"
    values = {study.label: float(study.values["AP"].mean()) for study in found.studies}
    assert own.y == pytest.approx([values["Base"], values["New"]])


def test_improvements_are_over_the_printed_baseline_and_over_ours(tmp_path: Path) -> None:
    found = contents(tmp_path, (CLAIMS[0], CLAIMS[1], CLAIMS[3]))
    panel = papers_against_reality.draw(found).panels[1]
    printed, own = panel.series
    values = {study.label: float(study.values["AP"].mean()) for study in found.studies}
    assert dict(zip(printed.rows, printed.values, strict=True)) == pytest.approx({"New": 50.0, "Elsewhere": 40.0})
    assert dict(zip(own.rows, own.values, strict=True)) == pytest.approx(
        {"New": 100 * (values["New"] / values["Base"] - 1)}
    )


def test_several_claims_of_a_method_are_averaged(tmp_path: Path) -> None:
    claims = (CLAIMS[1], Claim("Third paper", 2019, "New", 50.0, 40.0, "page 7", "AP", "Base"))
    printed = papers_against_reality.draw(contents(tmp_path, claims)).panels[1].series[0]
    assert (printed.rows, list(printed.values)) == (("New",), pytest.approx([37.5]))


def test_claims_of_a_metric_that_the_run_has_not_stand_alone(tmp_path: Path) -> None:
    claims = (Claim("Second paper", 2018, "New", 60.0, 40.0, "Table 2", "P@1", "Base"),)
    panels = papers_against_reality.draw(contents(tmp_path, claims)).panels
    assert [[series.name for series in panel.series] for panel in panels] == [["printed"], ["printed"]]


def test_no_claims_no_figure(tmp_path: Path) -> None:
    assert papers_against_reality.draw(contents(tmp_path, ())) is None


@pytest.mark.parametrize("name", ["cub200", "cars196", "sop"])
def test_the_tables_that_come_along_are_of_what_paper_5_prints(name: str) -> None:
    claims = read_claims(Path(__file__).parents[3] / "docs" / "claims" / f"paper5_{name}.csv")
    assert len(claims) == 14
    [base] = [claim.claimed for claim in claims if claim.method == "Contrastive"]
    assert {claim.baseline for claim in claims} == {base}
    assert all(claim.source.startswith("Table ") for claim in claims)
    assert {claim.metric for claim in claims} == {"P@1"}


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "claims.csv"
    path.write_text("paper,year,method,claimed,baseline,source\nA,2016,New,60,40,Table 1\nB,2017,New,many,40,Table 1\n")
    with pytest.raises(ValueError, match=r"claims\.csv: line 3: claimed must be a number, not negative; got 'many'"):
        read_claims(path)
