"""Each kind of finding: found where planted, not found where absent."""

import importlib
import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenrank.dataset import Dataset, dataset
from evenrank.formats.images import ImageFiles
from evenrank.leaks import Finding, check
from evenrank.leaks.descriptors import descriptors
from evenrank.protocol import make
from evenrank.split import PARTS, Split
from tests.real_data import real

HELD_OUT = (("train", "database"),)


def points(items: int = 400, dimensions: int = 64, classes: int = 4, seed: int = 0) -> Dataset:
    random = np.random.default_rng(seed)
    values = random.standard_normal((items, dimensions)).astype(np.float32)
    return Dataset("points", {"image": values}, random.integers(0, classes, items))


def held_out(data: Dataset, queries: int = 100) -> Split:
    rest = np.arange(queries, len(data))
    return Split("held out", len(data), np.arange(queries), rest, train=rest, shares=HELD_OUT)


def with_image(data: Dataset, values: np.ndarray) -> Dataset:
    return Dataset("points", {"image": values}, data.labels)


def kinds(findings: list[Finding]) -> set[str]:
    return {finding.kind for finding in findings}


def only(findings: list[Finding], kind: str, word: str = "") -> Finding:
    [finding] = (each for each in findings if each.kind == kind and word in each.text)
    return finding


def test_a_clean_split_has_nothing_but_an_empty_validation_part() -> None:
    data = points()
    [finding] = check(data, held_out(data))
    assert (finding.kind, finding.severity, finding.text) == ("empty part", "note", "validation is empty")


def test_a_clean_split_with_validation_has_nothing() -> None:
    data = points()
    split = Split("all", 400, range(100), range(200, 400), range(200, 400), range(100, 200), shares=HELD_OUT)
    assert check(data, split) == []


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_shared_items_are_those_of_a_brute_force_over_sets(data: st.DataObject) -> None:
    rows = st.sets(st.integers(0, 11), min_size=1)
    parts = {part: data.draw(rows, part) for part in PARTS}
    pairs = list(itertools.permutations(PARTS, 2))
    shares = tuple(data.draw(st.lists(st.sampled_from(pairs), max_size=3)))
    split = Split("drawn", 12, **{part: np.array(sorted(rows)) for part, rows in parts.items()}, shares=shares)
    unique = Dataset("unique", {"image": np.arange(12, dtype=np.float32)[:, None] + 1})
    promised = {frozenset(pair) for pair in shares}
    expected = {
        frozenset(pair): len(parts[pair[0]] & parts[pair[1]])
        for pair in itertools.combinations(PARTS, 2)
        if frozenset(pair) not in promised and parts[pair[0]] & parts[pair[1]]
    }
    found = [each for each in check(unique, split, near=0) if each.kind == "shared items"]
    named = {frozenset(part for part in PARTS if f" {part} " in each.text): each.count for each in found}
    assert named == expected
    assert len(found) == len(expected)
    assert all(each.severity == "leak" for each in found)
    assert "duplicates" not in kinds(check(unique, split, near=0)), "an item in two parts is not its own duplicate"


@settings(deadline=None, max_examples=60)
@given(content=st.lists(st.integers(0, 4), min_size=10, max_size=10), data=st.data())
def test_duplicates_across_parts_are_those_of_a_brute_force_over_pairs(content: list[int], data: st.DataObject) -> None:
    query, database = (data.draw(st.sets(st.integers(0, 9), min_size=1)) for _ in range(2))
    items = Dataset("few", {"image": np.array(content, np.float32)[:, None] + 1})
    split = Split("drawn", 10, np.array(sorted(query)), np.array(sorted(database)))
    repeated = {q for q in query for d in database if q != d and content[q] == content[d]}
    found = [each for each in check(items, split, near=0) if each.kind == "duplicates"]
    assert [each.count for each in found] == ([len(repeated)] if repeated else [])
    for row, other in (pair for each in found for pair in each.rows.tolist()):
        assert row in query
        assert other in database
        assert row != other
        assert content[row] == content[other]


def test_classes_that_must_be_unseen_are_a_leak() -> None:
    labels = np.repeat([0, 1, 2, 3], 10)
    data = Dataset("classes", points(40).modalities, labels)
    halves = {"train": labels < 2, "query": labels >= 2, "database": labels >= 2}
    promise = {"shares": (("query", "database"),), "unseen": (("train", "query"), ("train", "database"))}
    assert "shared classes" not in kinds(check(data, Split("clean", 40, **halves, **promise)))
    halves["train"] = labels < 3
    found = [each for each in check(data, Split("mixed", 40, **halves, **promise)) if each.kind == "shared classes"]
    assert [(each.severity, each.count) for each in found] == [("leak", 10)] * 2
    assert "classes 2" in found[0].text
    assert set(labels[found[0].rows]) == {2}


def test_multi_label_items_count_if_they_carry_one_class_of_the_other_side() -> None:
    labels = np.zeros((30, 4), bool)
    labels[:10, 0] = labels[10:, 2] = labels[10:13, 0] = True
    data = Dataset("tags", points(30).modalities, labels)
    later = np.arange(10, 30)
    split = Split("x", 30, later, later, np.arange(10), shares=(("query", "database"),), unseen=(("train", "query"),))
    finding = only(check(data, split), "shared classes")
    assert (finding.count, finding.rows.tolist()) == (3, [10, 11, 12])


def test_exact_duplicates_across_parts_are_a_leak_and_inside_a_part_a_note() -> None:
    data = points()
    values = np.array(data.modalities["image"])
    values[3], values[7], values[300] = values[350], values[350], values[200]
    findings = check(with_image(data, values), held_out(data))
    across = only(findings, "duplicates", "in train")
    assert (across.severity, across.count, across.rows.tolist()) == ("leak", 2, [[3, 350], [7, 350]])
    inside = only(findings, "repeats", "of train")
    assert (inside.severity, inside.count, inside.rows.tolist()) == ("note", 1, [[300, 200]])
    assert only(findings, "repeats", "of query").rows.tolist() == [[7, 3]]


def test_one_modality_that_repeats_is_a_warning_and_all_of_them_a_leak() -> None:
    data = points()
    values = np.array(data.modalities["image"])
    values[5] = values[300]
    texts = np.array([f"caption {row}" for row in range(400)], np.dtypes.StringDType())
    texts[8] = texts[200]
    findings = check(Dataset("pairs", {"image": values, "text": texts}, data.labels), held_out(data))
    found = {(each.severity, *map(tuple, each.rows.tolist())) for each in findings if each.kind == "duplicates"}
    assert found == {("warning", (5, 300)), ("warning", (8, 200))}
    texts[5] = texts[300]
    findings = check(Dataset("pairs", {"image": values, "text": texts}, data.labels), held_out(data))
    leak = [each.rows.tolist() for each in findings if each.kind == "duplicates" and each.severity == "leak"]
    assert leak == [[[5, 300]]] * 2, "one with train, one with database"


def test_image_files_are_compared_by_their_bytes(tmp_path: Path) -> None:
    for name, content in {"a": b"one", "b": b"two", "c": b"one"}.items():
        (tmp_path / name).write_bytes(content)
    data = Dataset("files", {"image": ImageFiles(tmp_path, ["a", "b", "c"])})
    findings = check(data, Split("files", 3, query=[0], database=[1, 2]))
    assert only(findings, "duplicates").rows.tolist() == [[0, 2]]


def test_a_hash_collision_is_not_a_duplicate(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("evenrank.leaks.duplicates")
    monkeypatch.setattr(module, "hash", lambda content: 0, raising=False)
    values = np.array([[1.0], [2.0], [1.0], [3.0]])
    assert module.first_rows(values).tolist() == [0, 1, 0, 3]


def test_near_duplicates_of_features_are_found_and_ordinary_neighbours_are_not() -> None:
    data = points()
    values = np.array(data.modalities["image"])
    values[[10, 20]] = values[[200, 300]] + 0.01
    finding = only(check(with_image(data, values), held_out(data)), "near-duplicates")
    assert (finding.severity, finding.count) == ("warning", 2)
    assert {tuple(pair) for pair in finding.rows.tolist()} == {(10, 200), (20, 300)}
    assert "near-duplicates" not in kinds(check(with_image(data, values), held_out(data), near=0.001))


def test_parts_that_share_with_the_queries_on_purpose_are_not_searched() -> None:
    values = np.array(points().modalities["image"])
    values[10] = values[200] + 0.01
    every = np.arange(400)
    split = Split("self", 400, every, every, shares=(("query", "database"),))
    assert "near-duplicates" not in kinds(check(with_image(points(), values), split))


def test_a_non_finite_row_does_not_stop_the_search() -> None:
    data = points()
    values = np.array(data.modalities["image"])
    values[10], values[50, 3], values[250, 0] = values[200] + 0.01, np.nan, np.inf
    findings = check(with_image(data, values), held_out(data))
    assert only(findings, "near-duplicates").rows.tolist() == [[10, 200]]
    assert only(findings, "non-finite").rows.tolist() == [50, 250]
    assert "first is row 50" in only(findings, "non-finite").text


def pictures(items: int = 200, size: int = 32) -> np.ndarray:
    coarse = np.random.default_rng(1).integers(0, 200, (items, 8, 8, 3))
    return np.kron(coarse, np.ones((1, size // 8, size // 8, 1))).astype(np.uint8)


def test_a_brighter_grey_copy_of_an_image_is_a_near_duplicate() -> None:
    images = pictures()
    grey = images[150] @ np.array([0.299, 0.587, 0.114])
    images[4] = (0.8 * grey + 40)[..., None].astype(np.uint8)
    data = Dataset("pictures", {"image": images}, np.arange(200) % 5)
    finding = only(check(data, held_out(data, 50)), "near-duplicates")
    assert finding.rows.tolist() == [[4, 150]]


def test_descriptors_have_length_one_and_flat_images_none() -> None:
    images = pictures(6, 40)[:, :, :24]
    images[0] = 77
    images[1] = np.arange(40)[:, None, None] * 5  # only its rows differ: a sky over a ground
    lengths = np.linalg.norm(descriptors(images), axis=1)
    assert lengths == pytest.approx([0, 0, 1, 1, 1, 1], abs=1e-4)
    assert descriptors(images[..., 0]).shape == (6, 256)
    assert descriptors(images[:, :8, :8, 0]).shape == (6, 64)


def test_the_order_of_the_rows_changes_no_count() -> None:
    digits = dataset("digits")
    [split] = make("protocols", "hold_out(share=0.3)").splits(digits)
    place = np.random.default_rng(2).permutation(len(digits))
    moved = np.argsort(place)
    values = digits.modalities["image"]
    shuffled = Dataset("digits", {"image": values[place]}, digits.labels[place], digits.classes)
    parts = {part: moved[getattr(split, part)] for part in PARTS}
    again = Split("shuffled", len(digits), **parts, shares=split.shares)
    one, other = (
        [(each.kind, each.count, each.text) for each in check(*pair)] for pair in ((digits, split), (shuffled, again))
    )
    assert one == other
    assert "near-duplicates" in {kind for kind, _, _ in one}


def test_the_memory_changes_nothing_but_the_tiles() -> None:
    digits = dataset("digits")
    [split] = make("protocols", "hold_out(share=0.3)").splits(digits)
    steps: list[tuple[int, int]] = []
    small = check(digits, split, memory="200KB", progress=lambda *step: steps.append(step))
    large = check(digits, split, memory="1GB")
    assert [(each.text, each.rows.tolist()) for each in small] == [(each.text, each.rows.tolist()) for each in large]
    assert len(steps) > 5
    assert steps[-1][0] == steps[-1][1]


def test_constant_features_and_zero_rows_are_named() -> None:
    data = points()
    values = np.array(data.modalities["image"])
    values[100:, 4], values[30] = 7, 0
    findings = check(with_image(data, values), held_out(data))
    assert only(findings, "constant features").text == "features of image that are constant in train: 1 of 64; 4"
    assert only(findings, "zero rows").rows.tolist() == [30]


@pytest.mark.parametrize("multilabel", [False, True])
def test_a_class_sorted_database_is_a_warning_and_a_shuffled_one_is_not(multilabel: bool) -> None:
    def ordered(labels: np.ndarray) -> set[str]:
        given = labels[:, None] == np.arange(4) if multilabel else labels
        data = Dataset("order", points().modalities, given)
        return kinds(check(data, held_out(data), near=0))

    shuffled = points().labels
    nearly = np.sort(shuffled)
    nearly[::4] = shuffled[::4]
    assert "class order" not in ordered(shuffled)
    assert "class order" in ordered(np.sort(shuffled))
    assert "class order" in ordered(nearly)


def test_a_small_database_in_random_order_is_not_accused() -> None:
    for seed in range(50):
        data = points(12, seed=seed)
        assert "class order" not in kinds(check(data, Split("few", 12, range(2), range(2, 12)), near=0))


@pytest.mark.parametrize("multilabel", [False, True])
def test_queries_without_a_relevant_item_are_counted(multilabel: bool) -> None:
    labels = np.array([0, 1, 5, 5, 0, 1, 0, 1])
    given = labels[:, None] == np.arange(6) if multilabel else labels
    data = Dataset("missing", points(8).modalities, given)
    finding = only(check(data, Split("x", 8, range(4), range(4, 8))), "no relevant item")
    assert (finding.count, finding.rows.tolist()) == (2, [2, 3])
    assert finding.text == "queries without a relevant item in the database: 2 of 4; classes 5"


@pytest.mark.parametrize("multilabel", [False, True])
def test_under_self_retrieval_a_class_needs_two_items(multilabel: bool) -> None:
    labels = np.array([0, 0, 1, 2, 2])
    given = labels[:, None] == np.arange(3) if multilabel else labels
    data = Dataset("alone", points(5).modalities, given)
    split = Split("self", 5, range(5), range(5), shares=(("query", "database"),))
    finding = only(check(data, split), "no relevant item")
    assert finding.rows.tolist() == [2]
    assert "besides themselves" in finding.text


def test_a_query_class_that_train_lacks_is_a_warning_unless_it_is_promised() -> None:
    labels = np.array([0, 1, 2, 0, 1, 2, 0, 1])
    data = Dataset("unknown", points(8).modalities, labels)
    parts = {"query": range(3), "database": range(3, 8), "train": [3, 4, 6, 7], "shares": HELD_OUT}
    finding = only(check(data, Split("x", 8, **parts)), "unknown classes")
    assert (finding.severity, finding.rows.tolist()) == ("warning", [2])
    assert "unknown classes" not in kinds(check(data, Split("x", 8, **parts, unseen=(("train", "query"),))))


def test_empty_parts_are_named() -> None:
    data = points(8)
    findings = check(data, Split("x", 8, [], range(8)))
    found = {each.text: each.severity for each in findings if each.kind == "empty part"}
    assert found == {"train is empty": "note", "validation is empty": "note", "query is empty": "warning"}


def test_a_dataset_without_labels_is_checked_for_the_rest() -> None:
    data = Dataset("bare", points(8).modalities)
    assert kinds(check(data, Split("x", 8, range(3), range(2, 8)))) == {"shared items", "empty part"}


def test_leaks_come_first() -> None:
    findings = check(points(), Split("x", 400, range(100), range(50, 400)))
    assert findings[0].severity == "leak"
    assert findings[-1].severity == "note"


def test_what_cannot_be_is_refused_in_one_line() -> None:
    data = points()
    with pytest.raises(ValueError, match=r"near must be a number from 0 to 1; got 2"):
        check(data, held_out(data), near=2)
    with pytest.raises(ValueError, match=r"split 'x' is of 5 items; points has 400"):
        check(data, Split("x", 5, [0], [1]))


def test_real_features_hold_known_duplicates() -> None:
    wikipedia = real("bundle(path='wikipedia')")
    [split] = make("protocols", "official").splits(wikipedia)
    findings = check(wikipedia, split)
    assert only(findings, "duplicates", "in train").count == 3
    assert not any(each.severity == "leak" for each in findings), "their texts differ"
