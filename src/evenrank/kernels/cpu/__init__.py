"""Kernels for the processor: numba, compiled for the processor they run on, on as many threads as numba uses."""

from evenrank.kernels.cpu.hamming import hamming_counts
from evenrank.kernels.cpu.pairs import hamming_pairs, occupancy
from evenrank.kernels.cpu.real import real_counts, real_pairs

__all__ = ["hamming_counts", "hamming_pairs", "occupancy", "real_counts", "real_pairs"]
