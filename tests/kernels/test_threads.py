"""Counting leaves the number of threads of other libraries as it was."""

import subprocess
import sys

COUNT = """
import numpy as np
import torch
import evenrank as er

torch.set_num_threads(1)
codes = er.Codes.from_signs(np.ones((4, 8)))
er.evaluate(codes, codes, er.SameLabel([0, 0, 1, 1], [0, 0, 1, 1]), ["AP"])
print(torch.get_num_threads())
"""


def test_evaluation_leaves_the_threads_of_torch_alone() -> None:
    found = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["1"]
