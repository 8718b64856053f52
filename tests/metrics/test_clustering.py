"""NMI, AMI and ClusterF1: what k-means makes of the items, compared with their labels."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import pair_confusion_matrix

from evenrank.clusters import Clusters
from evenrank.metric import parse

RANDOM = np.random.default_rng(0)
CENTRES = RANDOM.normal(size=(4, 6))
LABELS = np.repeat([3, 5, 8, 9], 25)
NOISY = CENTRES.repeat(25, axis=0) + RANDOM.normal(size=(100, 6))


@pytest.mark.parametrize("name", ["NMI", "AMI", "ClusterF1"])
def test_labels_that_k_means_finds_score_one(name: str) -> None:
    clear = 100 * CENTRES.repeat(25, axis=0) + RANDOM.normal(size=(100, 6))
    assert parse(name).measure(Clusters(clear, LABELS)) == pytest.approx(1)


def test_chance_shows_in_nmi_and_not_in_ami() -> None:
    """Sixty labels for three hundred items, at random."""
    random = np.random.default_rng(1)
    clusters = Clusters(random.normal(size=(300, 6)), random.permutation(np.arange(300) // 5))
    assert parse("NMI").measure(clusters) > 0.5
    assert abs(parse("AMI").measure(clusters)) < 0.1


def test_pairs_are_those_of_the_confusion_matrix() -> None:
    clusters = Clusters(NOISY, LABELS)
    (_, retrieved_only), (relevant_only, both) = pair_confusion_matrix(LABELS, clusters.predicted(0))
    wanted = 2 * both / (2 * both + retrieved_only + relevant_only)
    assert 0 < wanted < 1
    assert parse("ClusterF1").measure(clusters) == pytest.approx(wanted)


def test_no_pairs_at_all_agree() -> None:
    assert parse("ClusterF1").measure(Clusters([[0.0], [9.0]], [0, 1])) == 1


def test_seed_is_part_of_the_name_and_of_the_result() -> None:
    assert str(parse("NMI(seed=3)")) == "NMI(seed=3)"
    clusters = Clusters(NOISY, LABELS)
    np.testing.assert_array_equal(clusters.predicted(1), Clusters(NOISY, LABELS).predicted(1))
    assert len({parse(f"NMI(seed={seed})").measure(clusters) for seed in range(5)}) > 1


def test_one_label_an_item() -> None:
    with pytest.raises(ValueError, match="labels of Clusters must be one an item"):
        Clusters(NOISY, LABELS[:-1])
