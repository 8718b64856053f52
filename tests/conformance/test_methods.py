"""What every method of one modality promises: adding a file to `methods/` is enough to have it checked.

Those of two, in `methods/crossmedia/`, have a suite of their own in `test_cross_media_methods.py`.
"""

from __future__ import annotations

import ast
import warnings
from dataclasses import fields
from functools import cache
from inspect import getsourcefile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from evenrank.catalog import entries
from evenrank.codes import Codes
from evenrank.cross_media_method import CrossMediaMethod
from evenrank.method import Method, load
from evenrank.parameters import Choice, ranges
from evenrank.relevance import MatchingAttributes

ENTRIES = {entry.name: entry for entry in entries("methods") if not entry.name.startswith("crossmedia/")}
SMALL = {  # keywords that make a fit quick, set where a method has them: the suite asks for no quality
    "iterations": 3,
    "epochs": 1,
    "stages": 1,
    "cycles": 2,
    "rounds": 2,
    "sweeps": 1,
    "trees": 3,
    "depth": 2,
    "anchors": 10,
    "sample": 150,
    "batch": 50,
    "positives": 5,
    "negatives": 5,
    "relevant": 10,
    "irrelevant": 10,
    "bits": 12,
    "dimensions": 12,
}
SUPERCLASSES = ("hashing/dsh_superclass",)  # learn from class and superclass, so labels alone are refused
WIDTHS = (1, 12, 48, 100)
each = pytest.mark.parametrize("name", ENTRIES)


@cache
def digits() -> tuple[np.ndarray, np.ndarray]:
    """Return 200 digits, of which some pixels never vary, and their classes."""
    x, y = load_digits(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(x))[:200]
    return x[rows], y[rows]


def made(name: str, **keywords: Any) -> Method:
    """Return a method that is quick to fit; keywords that it does not have are left out."""
    cls = ENTRIES[name].load()
    known = {field.name for field in fields(cls)}
    chosen: Method = cls(**{key: value for key, value in {**SMALL, **keywords}.items() if key in known})
    return chosen


def supervision(name: str, labels: np.ndarray) -> Any:
    """Return the labels, or for methods that ask for it the relevance by class and by superclass, a pair of classes."""
    attributes = np.stack([labels // 2, labels], axis=1)
    return MatchingAttributes(attributes, attributes) if name in SUPERCLASSES else labels


def fit(method: Method, x: np.ndarray, y: Any) -> Method:
    """Fit, with every warning an error but that on fewer bits or dimensions."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=r"\w+: \d+ (bits|dimensions) asked for, \d+ possible")
        return method.fit(x, y)


@cache
def fitted(name: str) -> Method:
    x, y = digits()
    return fit(made(name), x, supervision(name, y))


def fit_or_one_line(name: str, x: np.ndarray, labels: np.ndarray) -> None:
    """Check that a hard case is either learned, and encoded, or refused in one line that names the method."""
    method, message = made(name), ""
    try:
        fit(method, x, supervision(name, labels))
    except ValueError as error:
        message = str(error)
    if message:
        assert "\n" not in message
        assert type(method).__name__ in message
    else:
        assert np.isfinite(method.transform(x)).all()
        assert not any(np.isnan(value).any() for value in vars(method).values() if numbers(value))


def numbers(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def has_bits(name: str) -> bool:
    return "bits" in {field.name for field in fields(ENTRIES[name].load())}


@each
def test_it_says_what_it_is(name: str) -> None:
    entry = ENTRIES[name]
    cls = entry.load()
    assert issubclass(cls, Method)
    assert not issubclass(cls, CrossMediaMethod)
    assert entry.constants["title"]
    assert entry.constants["paper"]
    assert cls.supervision in ("none", "relevance", "labels")
    assert cls.cost
    assert entry.summary.endswith(".")
    assert ast.get_docstring(ast.parse(Path(getsourcefile(cls) or "").read_text(encoding="utf-8")))


def test_titles_are_unique() -> None:
    titles = [entry.constants["title"] for entry in entries("methods")]
    assert len(titles) == len(set(titles))


@each
def test_it_has_a_test_of_its_own(name: str) -> None:
    path = Path(__file__).parents[1] / "methods" / name
    assert path.with_name(f"test_{path.name}.py").exists()


@each
def test_keywords_have_ranges_that_hold(name: str) -> None:
    cls, (x, y) = ENTRIES[name].load(), digits()
    for keyword, allowed, _ in ranges(cls):
        wrong = "no such choice" if isinstance(allowed, Choice) else allowed.low - 1
        with pytest.raises(ValueError, match=rf"^{keyword} of {cls.__name__} must be [^\n]*; got "):
            cls(**{keyword: wrong}).fit(x, supervision(name, y))
        for end in allowed.search or ():
            assert allowed.problem(end) is None


@each
def test_a_clone_has_the_keywords_and_nothing_learned(name: str) -> None:
    copy = clone(fitted(name))
    assert copy.get_params() == fitted(name).get_params()
    assert not [attribute for attribute in vars(copy) if attribute.endswith("_")]


@each
def test_fit_leaves_keywords_and_input_and_the_global_generator_alone(name: str) -> None:
    x, y = digits()
    given, method = x.copy(), made(name)
    before, state = method.get_params(), repr(np.random.get_state())
    assert fit(method, given, supervision(name, y)) is method
    assert method.get_params() == before
    np.testing.assert_array_equal(given, x)
    assert repr(np.random.get_state()) == state  # a draw moves the place in it, and the values now and then


@each
def test_a_second_fit_gives_the_same_codes(name: str) -> None:
    x, y = digits()
    method = fit(made(name), x[:100], supervision(name, y[:100]))  # of which nothing is left after the second
    again = fit(method, x, supervision(name, y))
    np.testing.assert_array_equal(again.transform(x), fitted(name).transform(x))


@each
def test_learned_values_are_arrays_or_plain(name: str) -> None:
    learned = {key: value for key, value in vars(fitted(name)).items() if key.endswith("_")}
    assert len(learned) > 1
    for key, value in learned.items():
        array = isinstance(value, np.ndarray) and value.dtype.kind in "biufSU"
        plain = isinstance(value, (bool, int, float, str, list, dict, type(None)))
        assert array or plain, key


@each
def test_a_saved_method_gives_the_same_codes(name: str, tmp_path: Path) -> None:
    x, _ = digits()
    fitted(name).save(tmp_path / "saved")
    again = load(tmp_path / "saved")
    assert type(again) is type(fitted(name))
    assert again.get_params() == fitted(name).get_params()
    np.testing.assert_array_equal(again.transform(x), fitted(name).transform(x))


@each
def test_encoding_before_fitting_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=rf"^{ENTRIES[name].public} must be fitted before it encodes$"):
        made(name).encode(digits()[0])


@each
def test_a_wrong_number_of_features_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=rf"^{ENTRIES[name].public} was fitted on 64 features; got 63$"):
        fitted(name).encode(digits()[0][:, 1:])


@each
def test_supervised_methods_ask_for_labels(name: str) -> None:
    if ENTRIES[name].load().supervision == "none":
        assert fit(made(name), digits()[0], None)
    else:
        with pytest.raises(ValueError, match=rf"^{ENTRIES[name].public} needs labels[^\n]*; got none$"):
            made(name).fit(digits()[0])


@each
def test_both_precisions_give_the_same_codes(name: str) -> None:
    x = digits()[0] + np.random.default_rng(1).normal(0, 0.1, digits()[0].shape)  # digits are exact in both
    double, single = fitted(name).transform(x), fitted(name).transform(x.astype(np.float32))
    if isinstance(fitted(name).encode(x), Codes):
        assert (double != single).mean() <= 0.001
    else:
        np.testing.assert_allclose(double, single, rtol=1e-4, atol=1e-4)


@each
def test_equal_items_get_equal_codes_wherever_they_lie(name: str) -> None:
    x, _ = digits()
    order = np.random.default_rng(0).integers(len(x), size=300)
    np.testing.assert_array_equal(fitted(name).transform(x[order]), fitted(name).transform(x)[order])


@each
@pytest.mark.parametrize("bits", WIDTHS)
def test_codes_have_the_bits_asked_for_or_it_warns(name: str, bits: int) -> None:
    if not has_bits(name):
        pytest.skip("has no number of bits to ask for")
    x, y = digits()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        codes = made(name, bits=bits).fit(x, supervision(name, y)).encode(x)
    said = [str(warning.message) for warning in caught if "bits asked for" in str(warning.message)]
    assert isinstance(codes, Codes)
    assert len(codes) == len(x)
    assert said == (
        [] if codes.bits == bits else [f"{ENTRIES[name].public}: {bits} bits asked for, {codes.bits} possible"]
    )
    assert len(np.unique(codes.unpack(), axis=0)) > 1


@each
def test_more_bits_than_dimensions_are_given_or_warned_of(name: str) -> None:
    x, y = digits()
    few = x[:, 18:23]
    method = fit(made(name, bits=40), few, supervision(name, y))
    assert method.transform(few).shape[0] == len(x)


@each
def test_a_single_class_is_learned_or_refused_in_one_line(name: str) -> None:
    fit_or_one_line(name, digits()[0], np.zeros(len(digits()[0]), int))


@each
def test_constant_features_change_nothing_for_the_others(name: str) -> None:
    x, y = digits()
    wider = np.concatenate([x[:, 10:14], np.full((len(x), 2), 0.1)], axis=1)
    method = fit(made(name), wider, supervision(name, y))
    assert np.isfinite(method.transform(wider)).all()


@each
def test_items_that_are_all_alike_are_learned_or_refused_in_one_line(name: str) -> None:
    fit_or_one_line(name, np.full((60, 5), 0.1), np.arange(60) % 3)


@each
def test_duplicates_are_learned_or_refused_in_one_line(name: str) -> None:
    x, y = digits()
    fit_or_one_line(name, np.repeat(x[:10], 12, axis=0), np.repeat(y[:10], 12))


@each
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_is_refused(name: str, value: float) -> None:
    x, y = digits()[0].copy(), digits()[1]
    x[7, 3] = value
    for use in (lambda: made(name).fit(x, supervision(name, y)), lambda: fitted(name).encode(x)):
        with pytest.raises(ValueError, match=rf"^features of {ENTRIES[name].public} must be finite; row 7 is not$"):
            use()


@each
def test_it_works_inside_a_pipeline(name: str) -> None:
    x, y = digits()
    given = supervision(name, y)
    found = make_pipeline(StandardScaler(), made(name)).fit(x, given).transform(x)
    scaled = StandardScaler().fit_transform(x)
    np.testing.assert_array_equal(found, fit(made(name), scaled, given).transform(scaled))
    assert len(found) == len(x)
