"""GMLDA, GMMFA, LCFS and IMH on the public Wikipedia features, beside values of independent implementations."""

from __future__ import annotations

import numpy as np
import pytest

from tests.methods.crossmedia.wikipedia import average_precisions

KNOWN = {
    "gmlda": (0.4034, 0.3050, 0.4319, 0.2420),
    "gmmfa": (0.4097, 0.3284, 0.3936, 0.2607),
    "lcfs": (0.3899, 0.2753, 0.4533, 0.2400),
}
CHANCE = 0.219


@pytest.mark.parametrize("text", KNOWN)
def test_average_precision_is_that_of_an_independent_implementation(text: str) -> None:
    np.testing.assert_allclose(average_precisions(text), KNOWN[text], atol=0.005)


@pytest.mark.parametrize("text", ["imh(bits=16)", "imh(bits=16, paired=1.0)"])
def test_imh_is_above_chance_with_seen_classes(text: str) -> None:
    image_to_text, _, text_to_image, _ = average_precisions(text)
    assert min(image_to_text, text_to_image) > CHANCE + 0.02
