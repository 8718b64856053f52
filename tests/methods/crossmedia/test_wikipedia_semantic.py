"""Methods that name the class, on the public features of Wikipedia: mean AP of five folds."""

from __future__ import annotations

import numpy as np
import pytest

from tests.methods.crossmedia.wikipedia import average_precisions

# image to text, then text to image: classes that were seen, classes that were not
KNOWN = {
    "semantic_matching": (0.3985, 0.2753, 0.4464, 0.2434),
    "semantic_correlation_matching(regularisation=0.0)": (0.4278, 0.2748, 0.4734, 0.2360),
    "trivial": (0.4172, 0.2603, 0.3440, 0.2312),
}
CHANCE = (0.219, 0.220, 0.219, 0.220)


@pytest.mark.parametrize("text", KNOWN)
def test_the_average_precision_of_five_folds_is_as_known(text: str) -> None:
    np.testing.assert_allclose(average_precisions(text), KNOWN[text], atol=0.005)


def test_chance_is_at_chance() -> None:
    np.testing.assert_allclose(average_precisions("chance"), CHANCE, atol=0.005)


@pytest.mark.parametrize(
    "text", ["deep_semantic_matching(width=64, epochs=15)", "deep_trivial(width=64, epochs=15)", "talr_ap(epochs=15)"]
)
def test_trained_methods_are_far_above_chance_for_seen_classes(text: str) -> None:
    found = average_precisions(text)
    assert min(found[0], found[2]) > 0.3
