"""Codes by factorisation, sparse coding, divergence and networks on the public features of Wikipedia, five folds."""

from __future__ import annotations

import numpy as np
import pytest

from tests.methods.crossmedia.wikipedia import average_precisions

CHANCE = 0.219
# image to text, then text to image: classes that were seen, classes that were not
KNOWN = {
    "cmfh(bits=8, updates='released')": (0.3670, 0.2820, 0.3508, 0.2415),
    "cmfh(bits=16, updates='released')": (0.3906, 0.2890, 0.3781, 0.2448),
}
QUICK = ("lssh(atoms=100, iterations=5, sample=500)", "seph(iterations=150, anchors=80, sample=400)", "mmnn(epochs=3)")


@pytest.mark.parametrize("text", KNOWN)
def test_the_average_precision_of_five_folds_is_as_known(text: str) -> None:
    np.testing.assert_allclose(average_precisions(text), KNOWN[text], atol=0.02)  # it starts at random


@pytest.mark.parametrize("text", QUICK)
def test_classes_that_were_seen_are_found_far_better_than_by_chance(text: str) -> None:
    image_to_text, _, text_to_image, _ = average_precisions(text)
    assert min(image_to_text, text_to_image) > CHANCE + 0.1
