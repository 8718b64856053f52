"""What a relevant item at rank t adds to average precision: the two ways in which the area under the curve is taken.

Step: the precision at t. Trapezoid: the mean of the precisions at t and at t - 1 (1 at the first rank), as the Oxford
and INRIA evaluation scripts have it. With R relevant items in nearer groups and r_s those of the same group, both are
of the form u_t r_t + Σ_{s<t} w_t r_s r_t that `evenrank.tie_orders.variance` averages over tie orders:

    step        w_t = 1/t                   u_t = (R + 1) / t
    trapezoid   w_t = (1/(t-1) + 1/t) / 2   u_t = R w_t + 1/(2t), and 1 at rank 1
"""

from __future__ import annotations

import numpy as np

from evenrank.tie_orders.partial_sums import drop, rising_sum, run_sum
from evenrank.tie_orders.variance import Sums


class Step:
    """The precision at each relevant item."""

    def total(self, before: np.ndarray, relevant_before: np.ndarray, count: np.ndarray) -> np.ndarray:
        """Return what a run of `count` relevant items behind rank `before` adds."""
        first = run_sum("reciprocal", before, count)
        return np.asarray((relevant_before + 1) * first + rising_sum(before, count, first))

    def sums(self, before: np.ndarray, relevant_before: np.ndarray, slots: np.ndarray) -> Sums:
        """Return the sums that the mean and variance over tie orders need."""
        start, next_hit = before + 1, relevant_before + 1
        first, square = run_sum("reciprocal", before, slots), run_sum("reciprocal_square", before, slots)
        rising = rising_sum(before, slots, first)
        both = (first * first - square) / 2  # Σ_{s<t} 1/(st)
        rising_square = first - start * square  # Σ i/t²
        squares = slots - start * (2 * first - start * square)  # Σ i²/t²
        linear = next_hit * first
        return Sums(
            linear=linear,
            linear_square=next_hit * next_hit * square,
            pair=rising,
            pair_square=rising_square,
            cross=next_hit * (rising_square + both),
            shared=squares - rising_square + 4 * (rising - start * both),
        )

    def drops(self, before: np.ndarray, relevant_before: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (u, w) at rank before + 1 + step, less those at before + 1."""
        w = drop("reciprocal", before, step)
        return (relevant_before + 1) * w, w


class Trapezoid:
    """The mean of the precisions before and at each relevant item.

    Below x is 1/t and y is 1/(t-1), so y is x one rank earlier and sums over y are those over x less a boundary term.
    At rank 1, where y is not defined, y = -1 makes w = 0: no pair ends there.
    """

    def total(self, before: np.ndarray, relevant_before: np.ndarray, count: np.ndarray) -> np.ndarray:
        """Return what a run of `count` relevant items behind rank `before` adds."""
        first = run_sum("reciprocal", before, count)
        linear, pair = self._mean_sums(before, relevant_before, count, first)
        return np.asarray(linear + pair)

    def sums(self, before: np.ndarray, relevant_before: np.ndarray, slots: np.ndarray) -> Sums:
        """Return the sums that the mean and variance over tie orders need."""
        top = before == 0
        start = before + 1
        first, last = self._ends(before, slots)
        x, xx = run_sum("reciprocal", before, slots), run_sum("reciprocal_square", before, slots)
        xy = np.where(top, 0, first) - last
        yy = xx + first * first - last * last
        w, ww = x + (first - last) / 2, (xx + 2 * xy + yy) / 4
        xw, yw = (xx + xy) / 2, (yy + xy) / 2
        linear, pair = self._mean_sums(before, relevant_before, slots, x)
        # i w = 1 - (N y + (N + 1) x) / 2, where N y is 1 at rank 1
        ny, nxy, nnyy = before * (x - last) + 1, np.where(top, 1, before * xy), np.where(top, 1, before**2 * yy)
        pair_square = w - (before * yw + start * xw) / 2
        squares = slots - (ny + start * x) + (nnyy + 2 * start * nxy + start * start * xx) / 4
        earlier_x = (x * x - xx) / 2 + (xx - last * x) / 2  # Σ_{s<t} x_s w_t
        earlier_iw = pair - w / 2 - (before + 0.5) * earlier_x + before * yw / 2  # Σ_{s<t} i_s w_s w_t
        u_square = relevant_before * (relevant_before * ww + xw) + xx / 4 + np.where(top, 0.75, 0)
        cross = relevant_before * (pair_square + (w * w - ww) / 2)
        cross += (x - (nxy + start * xx) / 2 + earlier_x + np.where(top, w, 0)) / 2
        shared = squares - pair_square + 4 * earlier_iw
        return Sums(*(np.where(slots > 0, part, 0) for part in (linear, u_square, pair, pair_square, cross, shared)))

    def drops(self, before: np.ndarray, relevant_before: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (u, w) at rank before + 1 + step, less those at before + 1; as they are in the first group."""
        rank, first = before + 1 + step, before + step == 0
        x, y = drop("reciprocal", before, step), drop("reciprocal", np.maximum(before - 1, 0), step)
        at_top = np.where(first, 0, (1 / np.maximum(rank - 1, 1) + 1 / rank) / 2)
        w = np.where(before == 0, at_top, (x + y) / 2)
        return relevant_before * w + np.where(before == 0, np.where(first, 1, 0.5 / rank), x / 2), w

    def _mean_sums(
        self, before: np.ndarray, relevant_before: np.ndarray, slots: np.ndarray, x: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return Σ u and Σ i w."""
        first, last = self._ends(before, slots)
        w = x + (first - last) / 2
        linear = relevant_before * w + x / 2 + np.where((before == 0) & (slots > 0), 0.5, 0)
        return linear, rising_sum(before, slots, x) + (x - slots * last) / 2

    def _ends(self, before: np.ndarray, slots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return y at the first and x at the last rank of each run; the same for an empty run."""
        first = np.where(before == 0, -1, 1 / np.maximum(before, 1))
        return first, np.where(slots > 0, 1 / np.maximum(before + slots, 1), first)
