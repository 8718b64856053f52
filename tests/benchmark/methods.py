"""Methods of one's own that tests put into plans, by "tests.benchmark.methods:Name"."""

import ctypes
import mmap
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from evenrank.codes import Codes
from evenrank.dataset import dataset
from evenrank.method import Method
from evenrank.methods.hashing.itq import ITQ
from evenrank.parameters import Choice, Integer


@dataclass(eq=False, repr=False, kw_only=True)
class Signs(Method):
    """The signs of the first features above the mean, after `learn` has done what a test is about."""

    title = "Signs"
    bits: Annotated[int, Integer(1, 64)] = 8
    seed: Annotated[int, Integer(0)] = 0
    skip: Annotated[int, Integer(0, 20, search=(0, 20))] = 0

    def learn(self, x: np.ndarray, y: Any) -> None:
        self.mean_ = x.mean(axis=0)

    def read(self, x: np.ndarray) -> Codes:
        return Codes.from_signs((x - self.mean_)[:, self.skip : self.skip + self.bits])


@dataclass(eq=False, repr=False, kw_only=True)
class Counted(Signs):
    """Writes a line to the file in COUNTED for each time that it is fitted."""

    def learn(self, x: np.ndarray, y: Any) -> None:
        with open(os.environ["COUNTED"], "a", encoding="utf-8") as file:
            file.write(f"{self.bits} {self.seed}\n")
        time.sleep(0.3)
        super().learn(x, y)


@dataclass(eq=False, repr=False, kw_only=True)
class SlowITQ(ITQ):
    """ITQ that takes long enough to be killed at it."""

    def learn(self, x: np.ndarray, y: Any) -> None:
        time.sleep(0.6)
        super().learn(x, y)


@dataclass(eq=False, repr=False, kw_only=True)
class SlowToMake(Signs):
    """Takes a second before it is fitted."""

    def __post_init__(self) -> None:
        time.sleep(1)


@dataclass(eq=False, repr=False, kw_only=True)
class Spy(Signs):
    """Tries to see the test set, in the way that `way` says; SEALED is where it lies."""

    way: Annotated[str, Choice("load", "map", "open", "list", "link", "proc", "data", "process", "c")] = "load"

    def learn(self, x: np.ndarray, y: Any) -> None:
        sealed = Path(os.environ["SEALED"])
        rows = sealed / "modality image.npy"
        if self.way == "load":
            np.load(rows)
        elif self.way == "map":
            mmap.mmap(os.open(rows, os.O_RDONLY), 0, prot=mmap.PROT_READ)
        elif self.way == "open":
            os.chdir(sealed.parent)
            open("sealed/rows.npy", "rb").close()
        elif self.way == "list":
            os.listdir(sealed)
        elif self.way == "link":
            os.link(rows, sealed.parent / f"stolen {os.getpid()}.npy")
        elif self.way == "proc":
            Path(f"/proc/{os.getppid()}/root{rows}").read_bytes()
        elif self.way == "data":
            dataset("digits")
        elif self.way == "process":
            subprocess.run(["cat", str(rows)], check=True, capture_output=True)
        else:
            ctypes.CDLL(None).open(bytes(rows), os.O_RDONLY)
        super().learn(x, y)


@dataclass(eq=False, repr=False, kw_only=True)
class Looking(Signs):
    """Fails with what it finds in its process: numbers of threads, and files and arrays of the sealed part."""

    def learn(self, x: np.ndarray, y: Any) -> None:
        import gc

        import numba
        import torch
        from threadpoolctl import threadpool_info

        maps = Path("/proc/self/maps").read_text().count("/sealed/")
        files = sum("/sealed/" in os.readlink(f"/proc/self/fd/{name}") for name in _open_files())
        held = max(
            (len(each) for each in gc.get_objects() if isinstance(each, np.ndarray) and each.ndim == 2), default=0
        )
        pools = max(pool["num_threads"] for pool in threadpool_info())
        threads = (numba.get_num_threads(), torch.get_num_threads(), pools)
        raise ValueError(f"mapped {maps}, open {files}, most rows {held}, threads {threads}")


def _open_files() -> list[str]:
    return [name for name in os.listdir("/proc/self/fd") if Path(f"/proc/self/fd/{name}").exists()]


@dataclass(eq=False, repr=False, kw_only=True)
class Stubborn(Signs):
    """Never ends, and takes no hint."""

    def learn(self, x: np.ndarray, y: Any) -> None:
        while True:
            try:
                time.sleep(0.1)
            except Exception:
                continue


@dataclass(eq=False, repr=False, kw_only=True)
class Deadly(Signs):
    """Takes its process with it."""

    def learn(self, x: np.ndarray, y: Any) -> None:
        os.kill(os.getpid(), 9)
