"""GIST: edges answer in their own direction, and on real images it behaves as published descriptors do."""

from __future__ import annotations

import numpy as np
import pytest

from evenrank.extractors.gist import Gist
from tests.real_data import path


def gratings(size: int = 32) -> np.ndarray:
    """Return stripes of four pixels that run down, and the same that run across."""
    across = np.tile(np.arange(size) // 2 % 2 * 255, (size, 1)).astype(np.uint8)
    return np.stack([across, across.T])


def test_shape_type_and_independence_of_the_block() -> None:
    images = np.random.default_rng(0).integers(0, 256, (6, 40, 50, 3), np.uint8)
    run = Gist().fit(images)
    rows = run(images)
    assert rows.shape == (6, 512)
    assert rows.dtype == np.float32
    assert np.array_equal(rows, np.concatenate([run(images[:1]), run(images[1:])]))
    assert Gist(scales=2, orientations=3, grid=5).fit(images)(images).shape == (6, 150)


def test_a_grating_answers_in_its_direction() -> None:
    energy = Gist().fit(gratings())(gratings()).reshape(2, 4, 8, 16).sum(axis=3)
    assert energy[0].sum(axis=0).argmax() == 0  # changes along the row
    assert energy[1].sum(axis=0).argmax() == 4  # a quarter turn
    np.testing.assert_allclose(energy[0].sum(), energy[1].sum(), rtol=1e-3)


def test_energy_lies_in_the_cell_where_the_edges_are() -> None:
    image = np.full((1, 32, 32), 128, np.uint8)
    image[0, 24:, :8] = gratings()[0, 24:, :8]
    cells = Gist(grid=4).fit(image)(image).reshape(32, 4, 4).sum(axis=0)
    assert np.unravel_index(cells.argmax(), cells.shape) == (3, 0)


def test_brightness_and_contrast_of_the_whole_image_do_not_matter() -> None:
    image = np.random.default_rng(1).integers(0, 100, (1, 32, 32), np.uint8)
    run = Gist().fit(image)
    np.testing.assert_allclose(run(image), run(2 * image + 20), rtol=1e-3, atol=1e-5)


def test_a_flat_image_has_no_energy() -> None:
    flat = np.full((1, 32, 32), 77, np.uint8)
    assert np.array_equal(Gist().fit(flat)(flat), np.zeros((1, 512)))


def test_real_images_behave_as_with_the_descriptors_of_the_bundle() -> None:
    from scipy.spatial.distance import pdist
    from scipy.stats import spearmanr
    from sklearn.neighbors import KNeighborsClassifier

    bundle = np.load(path("cifar10-gist22k") / "bundle.npz")
    folder = path("cifar-10-batches-bin")
    rows = np.random.default_rng(0).permutation(len(bundle["label"]))[:1500]
    batches = [np.fromfile(folder / f"data_batch_{number}.bin", np.uint8).reshape(-1, 3073) for number in range(1, 6)]
    chosen = np.concatenate(batches)[bundle["cifar10_row"][rows]]
    labels, images = chosen[:, 0], chosen[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
    run = Gist().fit(images)
    ours, theirs = np.concatenate([run(images[at : at + 100]) for at in range(0, 1500, 100)]), bundle["image"][rows]

    def accuracy(x: np.ndarray) -> float:
        return KNeighborsClassifier(10).fit(x[:1000], labels[:1000]).score(x[1000:], labels[1000:])

    assert accuracy(ours) == pytest.approx(accuracy(theirs), abs=0.04)
    assert spearmanr(pdist(ours[:300]), pdist(theirs[:300])).statistic > 0.85  # .88 measured
