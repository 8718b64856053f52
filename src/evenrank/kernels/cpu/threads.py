"""How many threads the kernels may use: as many as numba.

The first question starts numba's own threads, and with them sets how many threads OpenMP gives to every other library
of the process. torch would then train on all cores whatever it was told, so that number is put back.
"""

from __future__ import annotations

from functools import cache

import numba
from threadpoolctl import threadpool_limits


def thread_count() -> int:
    """Return how many threads `numba.set_num_threads` or NUMBA_NUM_THREADS allows; all cores if neither is set."""
    _start()
    return numba.get_num_threads()


@cache
def _start() -> None:
    with threadpool_limits(1, "openmp"):
        numba.get_num_threads()
