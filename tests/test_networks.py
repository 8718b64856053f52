"""Networks by name: shapes, starts that depend on the seed alone, and standardised inputs."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from evenrank.networks import LocalNorm, build, standard

DRAW = np.random.default_rng(0)


def own(bits: int) -> nn.Module:
    return nn.Linear(5, bits)


def no_network(bits: int) -> int:
    return bits


def images(channels: int, side: int = 32) -> Tensor:
    return torch.rand(2, channels, side, side, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("name", ["dsh", "resnet", "timm:resnet18"])
@pytest.mark.parametrize("shape", [(32, 32, 3), (32, 32), (28, 28)])
def test_images_become_one_output_a_bit(name: str, shape: tuple[int, ...]) -> None:
    model = build(name, shape, bits=7, seed=0).eval()
    assert model(images(3 if len(shape) == 3 else 1, shape[0])).shape == (2, 7)


@pytest.mark.parametrize(
    ("name", "shape"),
    [("linear", (5,)), ("dsh", (32, 32, 3)), ("resnet", (32, 32, 3)), ("module:tests.test_networks:own", (5,))],
)
def test_a_start_depends_on_the_seed_alone(name: str, shape: tuple[int, ...]) -> None:
    torch.manual_seed(1)
    before = torch.random.get_rng_state()
    first, again, other = (
        torch.cat([each.flatten() for each in build(name, shape, bits=4, seed=seed).parameters()]) for seed in (3, 3, 4)
    )
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    assert torch.equal(before, torch.random.get_rng_state())


def test_the_network_of_deep_supervised_hashing_has_the_authors_layers() -> None:
    model = build("dsh", (32, 32, 3), bits=12, seed=0)
    shapes = [tuple(each.shape) for each in model.parameters() if each.ndim > 1]
    assert shapes == [(32, 3, 5, 5), (32, 32, 5, 5), (64, 32, 5, 5), (500, 1024), (12, 500)]
    sides, outputs = [], images(3)
    for layer in model:  # type: ignore[attr-defined]
        outputs = layer(outputs)
        if isinstance(layer, (nn.MaxPool2d, nn.AvgPool2d)):
            sides.append(outputs.shape[-1])
    assert sides == [16, 8, 4]
    first = model[0].weight.detach()  # type: ignore[index]
    assert first.abs().max() <= (3 / 75) ** 0.5
    assert first.std().item() == pytest.approx((1 / 75) ** 0.5, rel=0.05)


def test_response_normalisation_is_that_of_each_channel_alone() -> None:
    inputs = 100 * images(2, 4)
    found = LocalNorm()(inputs)
    padded = nn.functional.pad(inputs, (1, 1, 1, 1))
    around = padded[0, 1, 1:4, 2:5].square().sum() / 9  # the neighbours of row 1, column 2
    torch.testing.assert_close(found[0, 1, 1, 2], inputs[0, 1, 1, 2] / (1 + 5e-5 * around) ** 0.75)


def test_the_residual_network_has_twenty_layers() -> None:
    model = build("resnet", (32, 32, 3), bits=12, seed=0)
    kernels = [each for each in model.modules() if isinstance(each, nn.Conv2d) and each.kernel_size == (3, 3)]
    assert len(kernels) + 1 == 20


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("vgg", "network must be one of linear, dsh, resnet"),
        ("dsh:2", "network must be one of linear"),
        ("timm:", "network must be one of linear"),
        ("timm:resnet19", "did you mean resnet"),
        ("module:nowhere:at_all", "a callable on the import path; got 'nowhere:at_all'"),
        ("module:tests.test_networks:missing", "a callable on the import path"),
        ("module:tests.test_networks:no_network", "must return a torch.nn.Module; got int"),
    ],
)
def test_a_name_that_stands_for_no_network_is_refused(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build(name, (32, 32, 3), bits=4, seed=0)


def test_features_are_centred_and_have_unit_mean_variance() -> None:
    x = DRAW.normal(5, [0.1, 1, 10], (500, 3))
    found = standard(x)(torch.tensor(x)).numpy()
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-5)
    assert found.var(axis=0).mean() == pytest.approx(1, rel=1e-5)
    np.testing.assert_allclose(found.std(axis=0) / found.std(axis=0)[0], x.std(axis=0) / x.std(axis=0)[0], rtol=1e-5)


def test_channels_are_centred_and_have_unit_variance() -> None:
    x = DRAW.integers(0, [100, 200, 255], (20, 8, 8, 3)).astype(np.uint8)
    found = standard(x)(torch.tensor(x).permute(0, 3, 1, 2) / 255)
    np.testing.assert_allclose(found.mean(dim=(0, 2, 3)), 0, atol=1e-5)
    np.testing.assert_allclose(found.std(dim=(0, 2, 3)), 1, rtol=1e-3)


def test_a_channel_that_never_varies_becomes_zero() -> None:
    found = standard(np.full((3, 4, 4), 7, np.uint8))(torch.full((3, 1, 4, 4), 7 / 255))
    np.testing.assert_allclose(found, 0, atol=1e-6)
