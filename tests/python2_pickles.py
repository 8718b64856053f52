"""Pickles as Python 2 wrote them, protocol 2: its strings have instructions that Python 3 no longer writes.

The files of CIFAR's python version are of this kind, down to numpy's name for its module at the time.
"""

import io
import pickle
import struct

import numpy as np


class _Pickler(pickle._Pickler):
    dispatch = pickle._Pickler.dispatch.copy()

    def save_string(self, value: bytes | str) -> None:
        raw = value if isinstance(value, bytes) else value.encode("ascii")
        length = b"U" + bytes([len(raw)]) if len(raw) < 256 else b"T" + struct.pack("<i", len(raw))
        self.write(length + raw)
        self.memoize(value)

    def save_global(self, value: object, name: str | None = None) -> None:
        module = {"_reconstruct": "numpy.core.multiarray"}.get(value.__name__, "numpy")
        self.write(f"c{module}\n{value.__name__}\n".encode())
        self.memoize(value)

    dispatch[bytes] = dispatch[str] = save_string
    dispatch[type] = dispatch[type(np.dot)] = dispatch[type(len)] = save_global


def python2_pickle(value: object) -> bytes:
    """Return `value`, made of dict, list, strings, numbers and arrays, as Python 2's pickle."""
    stream = io.BytesIO()
    _Pickler(stream, protocol=2).dump(value)
    return stream.getvalue()
