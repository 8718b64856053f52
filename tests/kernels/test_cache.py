"""Compiled kernels are kept between processes."""

import os
import subprocess
import sys
from pathlib import Path

CODE = """
import numpy as np
from evenrank.kernels import Lists, cpu
from evenrank.kernels.cpu.blocks import count_slice
none = np.zeros(0, np.int64)
lists = Lists(none, np.zeros(1, np.int64), none, np.zeros(2, np.int64), none, 2)
cpu.hamming_counts(np.zeros((1, 1), np.uint8), np.zeros((3, 1), np.uint8), 8, lists)
print(sum(count_slice.stats.cache_hits.values()), sum(count_slice.stats.cache_misses.values()))
"""


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    first, second = (
        subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    )
    assert first.split() == ["0", "1"]
    assert second.split() == ["1", "0"]
