from __future__ import annotations

import numpy as np
import pytest

from evenrank.codes import Codes
from evenrank.metrics.usage import Usage


def test_every_code_once_is_full_usage() -> None:
    codes = Codes.from_bits((np.arange(8)[:, None] >> np.arange(3)) & 1)
    assert Usage().measure(codes) == pytest.approx(
        {"utilisation": 1, "utilisation_of_space": 1, "entropy": 1, "collision_rate": 0}
    )


def test_one_code_for_all() -> None:
    usage = Usage().measure(Codes.from_bits(np.ones((10, 3))))
    assert usage == pytest.approx(
        {"utilisation": 1 / 8, "utilisation_of_space": 1 / 8, "entropy": 0, "collision_rate": 1}
    )


def test_more_codes_than_items() -> None:
    usage = Usage().measure(Codes.from_bits(np.eye(5, 100)))
    assert usage["utilisation"] == 1
    assert usage["utilisation_of_space"] == pytest.approx(5 / 2**100)
    assert usage["entropy"] == pytest.approx(1)


def test_a_single_item_uses_all_it_can() -> None:
    assert Usage().measure(Codes.from_bits([[1, 0]]))["entropy"] == 1
