"""Importing `loaded` is all the loading that counting needs, and starts no threads that a fork would lose."""

import subprocess
import sys

LOADED = """
import numba
from evenrank.kernels.cpu import arrangement, blocks, loaded

try:
    numba.threading_layer()
except ValueError:  # there is none yet
    print("no threads")

def kinds():
    return {each: len(each.signatures) for each in (*vars(arrangement).values(), *vars(blocks).values())
            if isinstance(each, numba.core.dispatcher.Dispatcher)}

before = kinds()
print("loaded" if before[blocks.count_slice] else "not loaded")

import numpy as np
import evenrank as er

labels = np.arange(100) % 3
for codes in (er.Codes.from_signs(np.random.default_rng(0).normal(size=(100, bits))) for bits in (8, 24, 64, 100)):
    er.evaluate(codes[:30], codes, er.SameLabel(labels[:30], labels), ["AP"])
print("nothing more" if kinds() == before else "more")
"""


def test_forked_processes_have_the_kernels_that_count_codes() -> None:
    found = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines() == ["no threads", "loaded", "nothing more"]
