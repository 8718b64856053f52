from __future__ import annotations

import numpy as np

from evenrank.methods.crossmedia.gmmfa import GMMFA
from tests.methods.crossmedia.two_modalities import items


def squared(x: np.ndarray) -> np.ndarray:
    return np.square(x[:, None] - x[None]).sum(axis=2)


def laplacian_form(x: np.ndarray, graph: np.ndarray) -> np.ndarray:
    return x.T @ (np.diag(graph.sum(axis=1)) - graph) @ x


def within(x: np.ndarray, y: np.ndarray, neighbours: int) -> np.ndarray:
    """Return the graph that joins each item with its nearest of the same class, item by item."""
    distances, graph = squared(x), np.zeros((len(x), len(x)))
    for i in range(len(x)):
        others = [j for j in range(len(x)) if y[j] == y[i] and j != i]
        for j in sorted(others, key=lambda j: distances[i, j])[:neighbours]:
            graph[i, j] = graph[j, i] = 1
    return graph


def between(x: np.ndarray, share: np.ndarray, pairs: int) -> np.ndarray:
    """Return the graph of the closest pairs that do not share a class."""
    distances, graph = squared(x), np.zeros((len(x), len(x)))
    strangers = [(i, j) for i in range(len(x)) for j in range(i) if not share[i, j]]
    for i, j in sorted(strangers, key=lambda pair: distances[pair])[:pairs]:
        graph[i, j] = graph[j, i] = 1
    return graph


def test_gain_and_cost_are_those_of_graphs_made_pair_by_pair() -> None:
    data = items(300)
    x, y = data.x, data.labels  # more than one block of distances
    image = x["image"]
    gain, cost = GMMFA(neighbours=5, pairs=40).gain_and_cost(image, y[:, None] == np.arange(4))
    np.testing.assert_allclose(gain, laplacian_form(image, between(image, y[:, None] == y, 40)), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(cost, laplacian_form(image, within(image, y, 5)), rtol=1e-9, atol=1e-9)


def test_items_that_share_one_of_their_classes_are_no_strangers() -> None:
    image = items(60).x["image"]
    labels = np.random.default_rng(0).random((60, 5)) < 0.4
    gain, _ = GMMFA(pairs=15).gain_and_cost(image, labels)
    share = labels.astype(int) @ labels.T.astype(int) > 0
    np.testing.assert_allclose(gain, laplacian_form(image, between(image, share, 15)), rtol=1e-9, atol=1e-9)


def test_more_pairs_than_strangers_are_all_strangers() -> None:
    data = items(20)
    x, y = data.x, data.labels
    gain, _ = GMMFA(pairs=10_000).gain_and_cost(x["text"], y[:, None] == np.arange(4))
    np.testing.assert_allclose(gain, laplacian_form(x["text"], (y[:, None] != y).astype(float)), rtol=1e-9)


def test_classes_of_one_item_and_of_fewer_than_the_neighbours_are_learned() -> None:
    data = items(30)
    x, y = data.x, data.labels
    y = np.where(np.arange(30) < 27, 0, np.minimum(np.arange(30) - 26, 2))  # 27 items, 1 item, 2 items
    _, cost = GMMFA(neighbours=5).gain_and_cost(x["image"], y[:, None] == np.arange(3))
    np.testing.assert_allclose(cost, laplacian_form(x["image"], within(x["image"], y, 5)), rtol=1e-9, atol=1e-9)
