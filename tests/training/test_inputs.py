"""From rows to what a model takes: features, images and files of images."""

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from torch import Tensor, nn

from evenrank.augmentation import PaddedCrop, ResizedCrop
from evenrank.formats.images import ImageFiles
from evenrank.objectives.tie_aware_ap import TieAwareAP
from evenrank.relevance import SameLabel
from evenrank.training import Training, Validation, encode, linear, train


class Pooled(nn.Module):
    """The mean colour of an image through a linear map; keeps what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.map, self.given = linear(3, 4, seed=0), []  # type: ignore[var-annotated]

    def forward(self, images: Tensor) -> Tensor:
        self.given.append(images)
        outputs: Tensor = self.map(images.mean(dim=(2, 3)))
        return outputs


def test_images_are_varied_in_training_and_plain_in_validation() -> None:
    images = np.random.default_rng(0).integers(0, 256, (12, 32, 32, 3), dtype=np.uint8)
    labels = np.arange(12) % 2
    relevance = SameLabel(labels, labels)
    validation = Validation(queries=images, database=images, relevance=relevance)
    model, look = Pooled(), PaddedCrop(mean=(0.5, 0.4, 0.3), deviation=(0.2, 0.2, 0.1))
    settings = Training(epochs=1, batch=12)
    train(model, TieAwareAP(), images, relevance, settings=settings, validation=validation, augmentation=look)
    varied, plain = model.given
    expected = (images.transpose(0, 3, 1, 2) / 255 - np.reshape([0.5, 0.4, 0.3], (3, 1, 1))) / np.reshape(
        [0.2, 0.2, 0.1], (3, 1, 1)
    )
    np.testing.assert_allclose(plain.numpy(), expected, atol=1e-5)
    assert varied.shape == plain.shape
    assert not torch.equal(varied.sum(), plain.sum())


def test_files_are_decoded_as_they_are_needed(tmp_path: Path) -> None:
    draw = np.random.default_rng(0)
    for number in range(6):
        Image.fromarray(draw.integers(0, 256, (20 + number, 30, 3), dtype=np.uint8)).save(tmp_path / f"{number}.png")
    files = ImageFiles(tmp_path, [f"{number}.png" for number in range(6)])
    labels = np.arange(6) % 2
    model, look = Pooled(), ResizedCrop(resize=16, size=12)
    train(
        model, TieAwareAP(), files, SameLabel(labels, labels), settings=Training(epochs=2, batch=3), augmentation=look
    )
    assert [tuple(images.shape) for images in model.given] == [(3, 3, 12, 12)] * 4
    assert encode(model, files, look).shape == (6, 4)
    with pytest.raises(ValueError, match="files of images differ in size: give an augmentation"):
        encode(model, files)


def test_grey_images_without_augmentation_have_one_channel() -> None:
    images = torch.full((3, 5, 5), 255, dtype=torch.uint8)
    model = nn.Sequential(nn.Flatten(), nn.Linear(25, 2))
    with torch.no_grad():
        torch.testing.assert_close(torch.from_numpy(encode(model, images)), model(torch.ones(3, 1, 5, 5)))
