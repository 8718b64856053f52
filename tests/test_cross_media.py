"""Both searches, both directions, fold by fold: against a literal loop, and what is refused."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest

import evenrank as er
from evenrank.cross_media import Search, cross_media, summary
from evenrank.cross_media_method import CrossMediaMethod
from evenrank.dataset import Dataset
from evenrank.embeddings import Embeddings
from evenrank.intervals import student_interval
from evenrank.methods.crossmedia.pls import PLS
from evenrank.protocols.extendable import Extendable

FITS: list[tuple[int, dict, np.ndarray, CrossMediaMethod]] = []


@dataclass(eq=False, repr=False, kw_only=True)
class Watched(CrossMediaMethod):
    """Remembers what it was fitted on."""

    title, paper, supervision = "watched", "none", "labels"
    dimensions: int = 10

    def learn(self, x: dict, y: np.ndarray) -> None:
        FITS.append((self.dimensions, x, y, self))

    def project(self, x: np.ndarray, modality: str) -> Embeddings:
        return Embeddings(x)


def pairs(**options) -> Dataset:
    options = {"items": 300, "classes": 6, "dimensions": 8, "modalities": 2, **options}
    written = ", ".join(f"{name}={value}" for name, value in options.items())
    return er.dataset(f"synthetic({written})")


def test_it_is_the_literal_loop_over_folds_searches_and_directions() -> None:
    data, protocol, wanted = pairs(), Extendable(folds=2), []
    for split in protocol.splits(data):
        if split.name.startswith("non"):
            method = PLS(dimensions=3).fit({k: v[split.train] for k, v in data.modalities.items()})
        for query, database in (("image", "text"), ("text", "image")):
            result = er.evaluate(
                method.encode(data.modalities[query][split.query], query),
                method.encode(data.modalities[database][split.database], database),
                protocol.relevance(data, split),
                protocol.metrics,
            )
            fold = int(split.name.split()[1])
            wanted.append((fold, split.name.split()[0], f"{query} to {database}", result.mean))
    got = [(s.fold, s.search, s.direction, s.result.mean) for s in cross_media("pls", data, "extendable(folds=2)")]
    assert got == wanted
    assert len(got) == 8


def test_a_fold_is_fitted_once_by_a_fresh_clone_on_the_seen_classes() -> None:
    FITS.clear()
    data, method = pairs(), Watched()
    found = list(cross_media(method, data, "extendable(folds=3)", ["AP"]))
    assert len(found) == 12
    assert not hasattr(method, "n_features_in_")
    assert [len(np.unique(y)) for _, _, y, _ in FITS] == [3, 3, 3]
    assert len({id(each) for each in (method, *(fit[3] for fit in FITS))}) == 4
    for (_, x, _, _), split in zip(FITS, list(Extendable(folds=3).splits(data))[::2], strict=True):
        np.testing.assert_array_equal(x["image"], data.modalities["image"][split.train])
        np.testing.assert_array_equal(x["text"], data.modalities["text"][split.train])


def test_dimensions_are_the_seen_classes_or_as_given() -> None:
    FITS.clear()
    for dimensions in ("classes", "given"):
        next(cross_media(Watched(dimensions=7), pairs(), metrics=["AP"], dimensions=dimensions))
    assert [fit[0] for fit in FITS] == [3, 7]


def test_items_of_both_halves_are_learned_with_their_seen_labels_only() -> None:
    FITS.clear()
    data = pairs(labels_per_item=2)
    next(cross_media(Watched(), data, metrics=["AP"]))
    split = next(Extendable().splits(data))
    np.testing.assert_array_equal(FITS[0][2], data.labels[split.train][:, list(split.classes)])


def test_ties_and_metrics_are_passed_on() -> None:
    data = pairs()
    data = replace(data, modalities={name: np.sign(rows) for name, rows in data.modalities.items()})
    even, index = (
        next(cross_media(Watched(), data, metrics=["AP", "P@5"], ties=ties)) for ties in ("expected", "index")
    )
    assert list(even.result.mean) == ["AP", "P@5"]
    assert index.result.tie_std["AP"] == 0 < even.result.tie_std["AP"]
    again = er.evaluate(even.queries, even.database, even.relevance, ["AP"])
    assert again.mean["AP"] == even.result.mean["AP"]


@dataclass(frozen=True)
class Careless(Extendable):
    """Lets five items of unseen classes into the training part."""

    def splits(self, dataset: Dataset) -> Iterator[er.Split]:
        for split in super().splits(dataset):
            others = np.flatnonzero(~np.isin(dataset.labels, split.classes))[:5]
            yield replace(split, train=np.concatenate([split.train, others]))


def test_what_is_refused_in_one_line() -> None:
    data = pairs()
    with pytest.raises(
        ValueError, match=r"'non-extendable 0' must be of its seen classes; 5 of \d+ are not, the first in row"
    ):
        next(cross_media("pls", data, Careless()))
    with pytest.raises(ValueError, match=r"needs the modalities image and text; synthetic has image$"):
        cross_media("pls", pairs(modalities=1))
    with pytest.raises(ValueError, match="needs labels; nameless has none"):
        cross_media("pls", Dataset("nameless", data.modalities))
    with pytest.raises(ValueError, match="dimensions of cross_media must be one of classes, given; got 7"):
        cross_media("pls", data, dimensions=7)
    with pytest.raises(ValueError, match="'crossmedia/plz' is not one of the methods"):
        cross_media("plz", data)


def test_a_summary_has_means_and_intervals_over_folds() -> None:
    found = list(cross_media("pls", pairs(), "extendable(folds=4)"))
    summaries = summary(found)
    assert [(each.search, each.direction) for each in summaries] == [
        ("non-extendable", "image to text"),
        ("non-extendable", "text to image"),
        ("extendable", "image to text"),
        ("extendable", "text to image"),
    ]
    last = summaries[-1]
    values = np.array([s.result.mean["AP"] for s in found if (s.search, s.direction) == (last.search, last.direction)])
    assert last.folds == len(values) == 4
    assert last.mean["AP"] == pytest.approx(values.mean())
    assert last.interval["AP"] == pytest.approx(student_interval(values, 0.95))
    half = (last.interval["AP"][1] - last.interval["AP"][0]) / 2
    assert (
        f"extendable, text to image: AP(interpolation=trapezoid) {last.mean['AP(interpolation=trapezoid)']:.4f}"
        in str(last)
    )
    assert f"AP {values.mean():.4f} ± {half:.4f}, CMC@1" in str(last)


def ranked(fold: int, ranks: list[int], items: int) -> Search:
    """Return a search of one query a rank, whose only relevant item lies at that rank."""
    queries, database = (
        Embeddings(np.ones((len(ranks), 1)), "dot"),
        Embeddings(-np.arange(1.0, items + 1)[:, None], "dot"),
    )
    relevance = er.Graded(np.arange(1, items + 1) == np.array(ranks)[:, None])
    result = er.evaluate(queries, database, relevance, ["RR"])
    return Search(fold, "extendable", "image to text", queries, database, relevance, result, seconds=float(fold))


def test_curves_are_cut_to_the_smallest_fold_and_averaged() -> None:
    found = [ranked(0, [1, 3], items=9), ranked(1, [2, 2], items=4)]
    [both] = summary(found)
    assert both.cmc.x.tolist() == [1, 2, 3, 4]
    assert both.cmc.y.tolist() == pytest.approx([0.25, 0.75, 1, 1])
    assert both.seconds == 0.5
    assert summary(found, ranks=2)[0].cmc.y.tolist() == pytest.approx([0.25, 0.75])
