"""What every method of two modalities promises: adding a file to `methods/crossmedia/` is enough to have it checked."""

from __future__ import annotations

import ast
import warnings
from inspect import getsourcefile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.base import clone

from evenrank.codes import Codes
from evenrank.cross_media_method import MODALITIES, CrossMediaMethod
from evenrank.method import load
from evenrank.parameters import Choice, ranges
from tests.conformance.cross_media import (
    DATA,
    ENTRIES,
    SIZES,
    assert_same,
    assert_usable,
    encoded,
    fit,
    fitted,
    learned_or_refused_in_one_line,
    made,
)
from tests.methods.crossmedia.two_modalities import Items, items

each = pytest.mark.parametrize("name", ENTRIES)
each_modality = pytest.mark.parametrize("modality", MODALITIES)


@each
def test_it_says_what_it_is(name: str) -> None:
    entry = ENTRIES[name]
    cls = entry.load()
    assert issubclass(cls, CrossMediaMethod)
    assert entry.constants["title"]
    assert entry.constants["paper"]
    assert entry.constants["cost"]
    assert cls.supervision in ("none", "relevance", "labels")
    assert entry.summary.endswith(".")
    assert ast.get_docstring(ast.parse(Path(getsourcefile(cls) or "").read_text(encoding="utf-8")))


@each
def test_it_has_a_test_of_its_own(name: str) -> None:
    path = Path(__file__).parents[1] / "methods" / name
    assert path.with_name(f"test_{path.name}.py").exists()


@each
def test_keywords_have_ranges_that_hold(name: str) -> None:
    cls = ENTRIES[name].load()
    for keyword, allowed, _ in ranges(cls):
        wrong = "no such choice" if isinstance(allowed, Choice) else allowed.low - 1
        with pytest.raises(ValueError, match=rf"^{keyword} of {cls.__name__} must be [^\n]*; got "):
            cls(**{keyword: wrong}).fit(DATA.x, DATA.labels)
        for end in allowed.search or ():
            assert allowed.problem(end) is None


@each
def test_a_clone_has_the_keywords_and_nothing_learned(name: str) -> None:
    copy = clone(fitted(name))
    assert copy.get_params() == fitted(name).get_params()
    assert not [attribute for attribute in vars(copy) if attribute.endswith("_")]


@each
def test_fit_and_encode_leave_keywords_input_and_global_generators_alone(name: str) -> None:
    given, method = Items(*(values.copy() for values in DATA)), made(name)
    before, numpy_state, torch_state = method.get_params(), repr(np.random.get_state()), torch.get_rng_state()
    assert fit(method, given) is method
    encoded(method, given)
    assert method.get_params() == before
    for values, expected in zip(given, DATA, strict=True):
        np.testing.assert_array_equal(values, expected)
    assert repr(np.random.get_state()) == numpy_state  # a draw moves the place in it, and the values now and then
    assert torch.equal(torch.get_rng_state(), torch_state)


@each
def test_a_second_fit_gives_the_same_outputs(name: str) -> None:
    method = fit(made(name), Items(*(values[:80] for values in DATA)))  # of which nothing is left after the second
    assert_same(encoded(fit(method, DATA), DATA), encoded(fitted(name), DATA))


@each
def test_learned_values_are_arrays_or_plain(name: str) -> None:
    learned = {key: value for key, value in vars(fitted(name)).items() if key.endswith("_")}
    assert len(learned) > 1
    for key, value in learned.items():
        for one in value.values() if isinstance(value, dict) else [value]:
            array = isinstance(one, np.ndarray) and one.dtype.kind in "biufSU"
            assert array or isinstance(one, (bool, int, float, str, list, type(None))), key


@each
def test_a_saved_method_gives_the_same_outputs(name: str, tmp_path: Path) -> None:
    fitted(name).save(tmp_path / "saved")
    again = load(tmp_path / "saved")
    assert type(again) is type(fitted(name))
    assert again.get_params() == fitted(name).get_params()
    assert again.n_features_in_ == {"image": 14, "text": 9}
    assert isinstance(again, CrossMediaMethod)
    assert_same(encoded(again, DATA), encoded(fitted(name), DATA))


@each
@each_modality
def test_encoding_before_fitting_is_refused(name: str, modality: str) -> None:
    with pytest.raises(ValueError, match=rf"^{ENTRIES[name].public} must be fitted before it encodes$"):
        made(name).encode(DATA.x[modality], modality)


@each
@pytest.mark.parametrize(
    ("x", "got"),
    [
        ({"image": DATA.image}, "image"),
        ({"image": DATA.image, "text": DATA.text, "sound": DATA.text}, "image, text, sound"),
        ({}, "none"),
        (DATA.image, "ndarray"),
    ],
)
def test_other_modalities_than_image_and_text_are_refused(name: str, x: Any, got: str) -> None:
    with pytest.raises(ValueError, match=rf"^{ENTRIES[name].public} needs the modalities image and text; got {got}$"):
        made(name).fit(x, DATA.labels)


@each
def test_an_unknown_modality_is_refused(name: str) -> None:
    allowed = rf"^modality of {ENTRIES[name].public} must be one of image, text; got 'sound'$"
    with pytest.raises(ValueError, match=allowed):
        fitted(name).encode(DATA.image, "sound")


@each
def test_different_numbers_of_images_and_texts_are_refused(name: str) -> None:
    wanted = rf"^{ENTRIES[name].public} needs both modalities of every item; got 120 images, 119 texts$"
    with pytest.raises(ValueError, match=wanted):
        made(name).fit({"image": DATA.image, "text": DATA.text[1:]}, DATA.labels)


@each
@each_modality
def test_a_wrong_number_of_features_is_refused(name: str, modality: str) -> None:
    width = DATA.x[modality].shape[1]
    wanted = rf"^{ENTRIES[name].public} was fitted on {width} {modality} features; got {width - 1}$"
    with pytest.raises(ValueError, match=wanted):
        fitted(name).encode(DATA.x[modality][:, 1:], modality)


@each
@each_modality
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_is_refused(name: str, modality: str, value: float) -> None:
    features = DATA.x[modality].copy()
    features[7, 3] = value
    message = rf"^features of {ENTRIES[name].public}'s {modality} must be finite; row 7 is not$"
    for use in (
        lambda: made(name).fit({**DATA.x, modality: features}, DATA.labels),
        lambda: fitted(name).encode(features, modality),
    ):
        with pytest.raises(ValueError, match=message):
            use()


@each
def test_supervised_methods_ask_for_one_label_an_item(name: str) -> None:
    if ENTRIES[name].load().supervision == "none":
        assert_same(encoded(fit(made(name), DATA._replace(labels=None)), DATA), encoded(fitted(name), DATA))
        return
    with pytest.raises(ValueError, match=rf"^{ENTRIES[name].public} needs labels[^\n]*; got none$"):
        made(name).fit(DATA.x)
    with pytest.raises(ValueError, match=rf"^labels of {ENTRIES[name].public} must be one row an item, 120; got "):
        made(name).fit(DATA.x, DATA.labels[1:])


@each
def test_the_numbers_of_classes_do_not_matter(name: str) -> None:
    renumbered = DATA._replace(labels=10 * DATA.labels - 7)
    assert_same(encoded(fit(made(name), renumbered), DATA), encoded(fitted(name), DATA))


@each
def test_several_labels_an_item_are_learned_from(name: str) -> None:
    several = DATA.labels[:, None] == np.arange(5)  # the last class has no items
    several[:40] |= np.roll(several[:40], 1, axis=1) & (np.arange(5) < 4)
    several[50] = False
    assert_usable(fit(made(name), DATA._replace(labels=several)), DATA)


@each
@each_modality
def test_both_precisions_give_the_same_outputs(name: str, modality: str) -> None:
    features = DATA.x[modality]
    double, single = (fitted(name).transform(features.astype(kind), modality) for kind in (np.float64, np.float32))
    if isinstance(fitted(name).encode(features, modality), Codes):
        assert (double != single).mean() <= 0.001
    else:
        np.testing.assert_allclose(single, double, rtol=1e-3, atol=1e-4 * np.abs(double).max())


@each
def test_equal_items_get_equal_outputs_wherever_they_lie(name: str) -> None:
    order = np.random.default_rng(0).integers(len(DATA.labels), size=300)
    for modality, expected in encoded(fitted(name), DATA).items():
        found = fitted(name).transform(DATA.x[modality][order], modality)
        np.testing.assert_allclose(found, expected[order], rtol=1e-9, atol=1e-12)


@each
@pytest.mark.parametrize("size", [1, 4, 40])
def test_outputs_are_as_long_as_asked_for_or_it_warns(name: str, size: int) -> None:
    method = made(name, size)
    keyword = next((each for each in SIZES if hasattr(method, each)), None)
    if keyword is None:
        pytest.skip("its outputs are as long as there are classes")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        method.fit(DATA.x, DATA.labels)
    image, text = (method.encode(features, modality) for modality, features in DATA.x.items())
    length = image.shape[1]
    assert text.shape == (120, length)
    assert isinstance(image, Codes) == (keyword == "bits")
    expected = [] if length == size else [f"{type(method).__name__}: {size} {keyword} asked for, {length} possible"]
    assert [str(warning.message) for warning in caught] == expected
    assert length <= size


@each
def test_a_single_class_is_learned_or_refused_in_one_line(name: str) -> None:
    learned_or_refused_in_one_line(name, DATA._replace(labels=np.zeros(120, int)))


@each
@each_modality
def test_constant_features_are_learned_from(name: str, modality: str) -> None:
    wider = np.concatenate([DATA.x[modality], np.full((120, 2), 0.1), np.zeros((120, 1))], axis=1)
    data = DATA._replace(**{modality: wider})
    assert_usable(fit(made(name), data), data)


@each
@each_modality
def test_a_modality_that_never_varies_is_refused(name: str, modality: str) -> None:
    same = np.full(DATA.x[modality].shape, 0.1)
    message = rf"^features of {ENTRIES[name].public}'s {modality} must vary; all 120 items are the same$"
    with pytest.raises(ValueError, match=message):
        made(name).fit({**DATA.x, modality: same}, DATA.labels)


@each
def test_more_features_than_items_are_learned_from(name: str) -> None:
    data = items(24, image=60, text=40)
    assert_usable(fit(made(name), data), data)


@each
def test_duplicates_are_learned_or_refused_in_one_line(name: str) -> None:
    learned_or_refused_in_one_line(name, Items(*(np.repeat(values[:10], 9, axis=0) for values in DATA)))


@each
def test_two_items_are_learned_or_refused_in_one_line(name: str) -> None:
    pair = np.unique(DATA.labels, return_index=True)[1][:2]
    learned_or_refused_in_one_line(name, Items(*(values[pair] for values in DATA)))
