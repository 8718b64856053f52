"""The built-in digits."""

import numpy as np

import evenrank as er


def test_the_digits_are_there_without_any_file() -> None:
    data = er.dataset("digits", root="nowhere")
    assert data.modalities["image"].shape == (1_797, 64)
    assert data.modalities["image"].dtype == np.float32
    assert np.bincount(data.labels).tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
    assert data.checksum == "43ae9913675866d1f6cb74b880f2426b939a70b6145d67fd6ac58df38f2a2c85"
