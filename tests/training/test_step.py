"""One step: the same gradient however the batch is cut, the same dropout in both passes."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from tests.training.problem import SETTINGS, network, trained, weights


@pytest.mark.parametrize("chunks", [2, 3, 20])
def test_chunks_change_nothing(chunks: int) -> None:
    whole, cut = network(), network()
    losses = trained(whole).losses
    assert trained(cut, replace(SETTINGS, accumulate=chunks)).losses == pytest.approx(losses, abs=1e-12)
    np.testing.assert_allclose(weights(cut), weights(whole), rtol=0, atol=1e-12)


def test_a_chunk_draws_its_own_dropout_and_the_same_in_both_passes() -> None:
    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner, self.outputs = network(dropout=0.5), []  # type: ignore[var-annotated]

        def forward(self, inputs: Tensor) -> Tensor:
            outputs: Tensor = self.inner(torch.ones_like(inputs))  # so that chunks differ by dropout alone
            self.outputs.append(outputs.detach().clone())
            return outputs

    model = Twice()
    trained(model, replace(SETTINGS, accumulate=2, epochs=1, iterations=1))
    first, second, again_first, again_second = model.outputs
    assert torch.equal(first, again_first)
    assert torch.equal(second, again_second)
    assert not torch.equal(first, second)


def test_running_statistics_see_each_chunk_once() -> None:
    model = network(norm=True)
    trained(model, replace(SETTINGS, accumulate=2, epochs=1, iterations=3))
    assert model[0][1].num_batches_tracked == 6  # type: ignore[index]
