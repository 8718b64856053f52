"""Augmentation: sizes, what may be drawn, and that it depends on seed, epoch and row alone."""

import numpy as np
import pytest

from evenrank.augmentation import PaddedCrop, ResizedCrop

DRAW = np.random.default_rng(0)
PHOTO = DRAW.integers(0, 256, (60, 90, 3), dtype=np.uint8)
SMALL = DRAW.integers(1, 256, (32, 32, 3), dtype=np.uint8)  # no black pixel: padding can be told
CROP = ResizedCrop(resize=48, size=40)


@pytest.mark.parametrize("image", [PHOTO, PHOTO[:, :, 0], PHOTO[:20], PHOTO[:, :7]])
def test_a_resized_crop_is_a_square_of_its_size_whatever_the_image(image: np.ndarray) -> None:
    for epoch in range(20):
        assert CROP.training(image, 0, epoch, 3).shape == (40, 40, *image.shape[2:])
    assert CROP.plain(image).shape == (40, 40, *image.shape[2:])


def test_the_defaults_are_those_of_paper_5() -> None:
    crop = ResizedCrop()
    assert (crop.resize, crop.size, crop.scale, crop.ratio) == (256, 227, (0.16, 1.0), (0.75, 1.33))
    assert crop.training(PHOTO, 0, 0, 0).shape == crop.plain(PHOTO).shape == (227, 227, 3)


def test_evaluation_sees_the_middle() -> None:
    image = np.zeros((48, 60), np.uint8)
    image[4:44, 10:50] = 255
    assert (CROP.plain(image) == 255).all()


def test_boxes_keep_to_scale_and_ratio_and_reach_everywhere() -> None:
    draw = np.random.default_rng(0)
    boxes = np.array([ResizedCrop()._box(200, 300, draw) for _ in range(2000)])
    top, left, height, width = boxes.T
    share, ratio = height * width / 60_000, width / height
    assert share.min() > 0.155
    assert share.max() <= 1
    assert ratio.min() > 0.73
    assert ratio.max() < 1.36
    assert (top.min(), left.min()) == (0, 0)
    assert ((top + height).max(), (left + width).max()) == (200, 300)
    assert share.min() < 0.17
    assert share.max() > 0.8  # no box of these shapes covers more than 200 · 266 pixels


def test_a_shape_into_which_no_box_fits_gives_its_middle() -> None:
    box = ResizedCrop(scale=(1.0, 1.0))._box(10, 1000, np.random.default_rng(0))
    assert box == (0, (1000 - 13) // 2, 10, 13)


def test_a_padded_crop_is_the_image_shifted_and_perhaps_mirrored() -> None:
    found = set()
    wide = np.pad(SMALL, ((4, 4), (4, 4), (0, 0)))
    for row in range(300):
        image = PaddedCrop().training(SMALL, 0, 0, row)
        places = [
            (top, left, mirrored)
            for top in range(9)
            for left in range(9)
            for mirrored in (False, True)
            if np.array_equal(image[:, ::-1] if mirrored else image, wide[top : top + 32, left : left + 32])
        ]
        assert len(places) == 1
        found.update(places)
    assert len(found) > 120  # of 162


def test_mirror_0_never_mirrors() -> None:
    still = PaddedCrop(padding=0, mirror=0.0)
    assert all(np.array_equal(still.training(SMALL, 0, 0, row), SMALL) for row in range(20))


@pytest.mark.parametrize(("augmentation", "image"), [(CROP, PHOTO), (PaddedCrop(), SMALL)])
def test_what_is_drawn_depends_on_seed_epoch_and_row(augmentation, image) -> None:  # type: ignore[no-untyped-def]
    first = augmentation.training(image, 1, 2, 3)
    assert np.array_equal(first, augmentation.training(image, 1, 2, 3))
    for other in [(0, 2, 3), (1, 0, 3), (1, 2, 0)]:
        assert not np.array_equal(first, augmentation.training(image, *other))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ResizedCrop(size=300), "size of ResizedCrop must be at most resize, 256; got 300"),
        (lambda: ResizedCrop(scale=(0.5, 2)), "scale of ResizedCrop must be two ascending numbers above 0, up to 1"),
        (lambda: ResizedCrop(ratio=(2, 1)), "ratio of ResizedCrop must be two ascending numbers above 0"),
        (lambda: ResizedCrop(resize=0), "resize of ResizedCrop must be a whole number of at least 1; got 0"),
        (lambda: PaddedCrop(mirror=2), "mirror of PaddedCrop must be a number from 0 to 1; got 2"),
        (lambda: PaddedCrop(deviation=(0.0,)), "deviation of PaddedCrop must be above 0"),
        (lambda: PaddedCrop().plain(PHOTO), "images for PaddedCrop must be 32 × 32; got 60 × 90"),
    ],
)
def test_bad_settings_are_refused_in_one_line(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message):
        call()
