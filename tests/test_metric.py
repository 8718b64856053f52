from __future__ import annotations

import pytest

from evenrank.cutoff import Cutoff
from evenrank.metric import parse
from evenrank.metrics.average_precision import AveragePrecision
from evenrank.metrics.lgap import LocalGroupAveragePrecision
from evenrank.metrics.precision import Precision


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("AP", "AP"),
        ("mAP", "AP"),
        ("map@1000", "AP@1000"),
        ("MAP@R", "AP@R"),
        ("average_precision", "AP"),
        ("mean_average_precision", "AP"),
        ("mean_average_precision_at_r", "AP@R"),
        ("mean_average_precision@50", "AP@50"),
        ("AP( divisor = retrieved ,rel=2 ) @ 5000", "AP(divisor=retrieved, rel=2)@5000"),
        ("AP(divisor=relevant)", "AP"),
        ("AP()", "AP"),
        ("AP(interpolation=Trapezoid)", "AP(interpolation=trapezoid)"),
        ("ndcg@10", "nDCG@10"),
        ("NDCG_at_10", "nDCG@10"),
        ("nDCG(gain=linear, discount=reciprocal)@10", "nDCG(gain=linear, discount=reciprocal)@10"),
        ("precision_at_1", "P@1"),
        ("P@H≤2", "P@H<=2"),
        ("p@h<=2", "P@H<=2"),
        ("Rprec", "P@R"),
        ("r_precision", "P@R"),
        ("R@100", "R@100"),
        ("Recall@H<=2", "R@H<=2"),
        ("F1@10", "F1@10"),
        ("CMC@5", "Success@5"),
        ("hit_rate_at_5", "Success@5"),
        ("MRR", "RR"),
        ("mean_reciprocal_rank", "RR"),
        ("RR@10", "RR@10"),
        ("mLGAP@2", "LGAP@2"),
        ("LGAP@0", "LGAP@0"),
        ("LGAP(dispersion=entropy)@H<=1", "LGAP(dispersion=entropy)@1"),
        ("tied_pairs", "TiedPairs"),
        ("first_rank_undecided", "Undecided"),
    ],
)
def test_written_names(text: str, name: str) -> None:
    assert str(parse(text)) == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Recal", r"no metric is called 'Recal'; there are .*; did you mean recall\?"),
        ("nDGC@10", r"no metric is called 'nDGC'; .*did you mean nDCG\?"),
        ("Recall@5", r"'Recall@5' is ambiguous: write Success@k .* or R@k"),
        ("recall_at_1", "'recall_at_1' is ambiguous"),
        ("recall(rel=2)@5", "is ambiguous"),
        ("AP(diviser=min)@5", r"no option 'diviser'; options are .*; did you mean divisor\?"),
        ("F1(gain=linear)@5", "no option 'gain'; options are rel"),
        ("TiedPairs(x=1)", "no option 'x'; options are none"),
        ("AP(divisor=most)", r"divisor of AveragePrecision must be one of relevant, retrieved, min; got 'most'"),
        ("P(rel=0)@5", "rel of Precision must be a whole number of at least 1; got 0"),
        ("P(rel=high)@5", "rel of Precision must be a whole number of at least 1; got 'high'"),
        ("AP(divisor=min, divisor=min)", "option divisor is given twice"),
        ("AP(divisor)", "option divisor must be written divisor=value; got 'divisor'"),
        ("AP(divisor=)", "option divisor must be written divisor=value"),
        ("AP(divisor=min", "must be written"),
        ("AP divisor=min)", "must be written"),
        ("AP@", "must be written"),
        ("", "must be written"),
        ("AP@10@20", "must be written"),
        ("P@0", "P@k takes k of at least 1; got 0"),
        ("P@-3", "a cut-off must be a rank, R or H<=radius; got '-3'"),
        ("P@2.5", "a cut-off must be a rank, R or H<=radius; got '2.5'"),
        ("P", "P takes @k, @R, @H<=r; got no cut-off"),
        ("nDCG@R", "nDCG takes no cut-off, @k; got @R"),
        ("Success", "Success takes @k; got no cut-off"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        parse(text)
    assert "\n" not in str(caught.value)


def test_only_text_is_parsed() -> None:
    with pytest.raises(ValueError, match="a metric must be a string like 'AP@1000' or a Metric; got 5"):
        parse(5)  # type: ignore[arg-type]


def test_objects_and_strings_are_the_same() -> None:
    assert parse("AP(divisor=min)@9") == AveragePrecision(Cutoff("rank", 9), divisor="min")
    assert len({parse("map"), parse("AP"), AveragePrecision()}) == 1


def test_objects_are_checked_too() -> None:
    with pytest.raises(ValueError, match="P@k takes k of at least 1; got 0"):
        Precision(Cutoff("rank", 0))
    with pytest.raises(ValueError, match="LGAP takes @k, @H<=r; got no cut-off"):
        LocalGroupAveragePrecision()
