"""Pickles read as data only.

A pickle is a program for a small stack machine, and Python's own machine can call anything. This one knows only the
instructions that build plain values, so the table below is the whole of what a file can do: dictionaries, lists,
tuples, strings, whole numbers, and numpy arrays of bytes, which are made here and not by calling what the file names.
Memory and time stay in proportion to the file: lengths are compared with its size, and instructions are counted.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np

INSTRUCTIONS = 1_000_000  # CIFAR-100's training file has two labels and a name for each of 50,000 images


class _RefusedError(Exception):
    """What a pickle does that it may not."""


class _Unfilled:
    """An array of which only the content is still to come."""


def read_pickle(path: Path) -> Any:
    """Return the value of a pickle of protocol 2 to 4; keys are str, other strings of Python 2 are bytes."""
    try:
        with path.open("rb") as stream:
            return _Machine(stream, path.stat().st_size).run()
    except _RefusedError as error:
        raise ValueError(f"{path}: {error}") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None
    except Exception as error:  # instructions out of order fail in many ways
        what = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"{path}: is a damaged pickle: {what}") from None


class _Machine:
    """The stack, the places marked on it, and the values the file will refer to again."""

    def __init__(self, stream: IO[bytes], size: int) -> None:
        self.stream, self.size = stream, size
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: dict[int, Any] = {}
        self.size_encoded = 0

    def run(self) -> Any:
        for _ in range(INSTRUCTIONS):
            code = self.take(1)
            if code == b".":
                return self.stack.pop()
            if code not in STEPS:
                raise _RefusedError(f"holds the pickle instruction {code!r}, which plain data do not need")
            STEPS[code](self)
        raise _RefusedError(f"holds more than {INSTRUCTIONS:,} pickle instructions")

    def take(self, count: int) -> bytes:
        """Return the next bytes of the file."""
        taken = self.stream.read(count) if count <= self.size else b""
        if len(taken) < count:
            raise _RefusedError(f"is truncated: {count} more bytes are declared, the file has {self.size} in all")
        return taken

    def number(self, width: int, signed: bool = False) -> int:
        return int.from_bytes(self.take(width), "little", signed=signed)

    def text(self, width: int) -> str:
        return self.take(self.number(width)).decode("utf-8")

    def line(self) -> str:
        return self.stream.readline(256).decode("ascii").rstrip("\n")

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def mark(self) -> None:
        self.marks.append(len(self.stack))

    def marked(self) -> list[Any]:
        """Take everything above the latest mark off the stack."""
        return self.top(len(self.stack) - self.marks.pop())

    def top(self, count: int) -> list[Any]:
        start = len(self.stack) - count
        if not 0 <= start <= len(self.stack):
            raise _RefusedError("is a damaged pickle: takes more from the stack than is there")
        taken = self.stack[start:]
        del self.stack[start:]
        return taken

    def remember(self, place: int) -> None:
        self.memo[place] = self.stack[-1]

    def extend(self, values: list[Any]) -> None:
        if type(self.stack[-1]) is not list:
            raise _RefusedError(f"is a damaged pickle: adds items to a {type(self.stack[-1]).__name__}")
        self.stack[-1].extend(values)

    def update(self, pairs: list[Any]) -> None:
        if type(self.stack[-1]) is not dict:
            raise _RefusedError(f"is a damaged pickle: adds keys to a {type(self.stack[-1]).__name__}")
        for key, value in zip(pairs[::2], pairs[1::2], strict=True):
            self.stack[-1][_key(key)] = value

    def name(self, module: Any, name: Any) -> None:
        wanted = f"{module}.{name}"[:80] if isinstance(module, str) and isinstance(name, str) else "no string"
        if wanted not in NAMES:
            raise _RefusedError(f"names {wanted!r}, which is not data: refused, and nothing was run")
        self.push(NAMES[wanted])

    def call(self) -> None:
        function, arguments = self.top(2)
        if not callable(function) or type(arguments) is not tuple or len(arguments) > 3:
            raise _RefusedError("is a damaged pickle: calls what is no function, or not as it is called")
        self.push(function(self, *arguments))

    def unfilled(self, *arguments: Any) -> _Unfilled:
        return _Unfilled()

    def bytes_only(self, name: Any, *arguments: Any) -> np.dtype[Any]:
        if not isinstance(name, (bytes, str)) or name not in ("u1", b"u1"):
            got = name[:20] if isinstance(name, (bytes, str)) else type(name).__name__
            raise _RefusedError(f"holds an array that must be of type 'u1', which is bytes; got {got!r}")
        return np.dtype(np.uint8)

    def encoded(self, text: str, encoding: Any) -> bytes:
        """Return the bytes that Python 3 had to write as text in protocol 2; no text can be had again and again."""
        self.size_encoded += len(text)
        if self.size_encoded > self.size:
            raise _RefusedError("is a damaged pickle: decodes to more bytes than it holds")
        return text.encode("latin-1")

    def fill(self) -> None:
        target, state = self.top(2)
        if isinstance(target, _Unfilled):
            self.push(_array(*state))
        elif isinstance(target, np.dtype):
            self.push(target)  # its state says byte order and fields, and bytes have neither
        else:
            raise _RefusedError(f"is a damaged pickle: sets the state of a {type(target).__name__}")


def _key(key: Any) -> str:
    if not isinstance(key, (bytes, str)) or len(key) > 100:  # hashing what is deep or long could take for ever
        raise _RefusedError(f"has a key that must be a short string; got a {type(key).__name__}")
    return key if isinstance(key, str) else key.decode("ascii")


def _array(version: int, shape: tuple[int, ...], dtype: np.dtype[Any], by_columns: bool, content: bytes) -> np.ndarray:
    if not isinstance(dtype, np.dtype):
        raise _RefusedError("is a damaged pickle: has an array without a type")
    return np.frombuffer(content, np.uint8).reshape(shape, order="F" if by_columns else "C")  # a view: no new memory


NAMES: dict[str, Callable[..., Any] | None] = {
    "numpy.core.multiarray._reconstruct": _Machine.unfilled,
    "numpy._core.multiarray._reconstruct": _Machine.unfilled,
    "numpy.ndarray": None,  # only ever an argument
    "numpy.dtype": _Machine.bytes_only,
    "_codecs.encode": _Machine.encoded,
}

STEPS: dict[bytes, Callable[[_Machine], object]] = {
    b"\x80": lambda machine: machine.take(1),  # the protocol
    b"\x95": lambda machine: machine.take(8),  # the length of a frame
    b"N": lambda machine: machine.push(None),
    b"\x88": lambda machine: machine.push(True),
    b"\x89": lambda machine: machine.push(False),
    b"K": lambda machine: machine.push(machine.number(1)),
    b"M": lambda machine: machine.push(machine.number(2)),
    b"J": lambda machine: machine.push(machine.number(4, signed=True)),
    b"U": lambda machine: machine.push(machine.take(machine.number(1))),  # strings of Python 2
    b"T": lambda machine: machine.push(machine.take(machine.number(4))),
    b"C": lambda machine: machine.push(machine.take(machine.number(1))),  # bytes of Python 3
    b"B": lambda machine: machine.push(machine.take(machine.number(4))),
    b"\x8c": lambda machine: machine.push(machine.text(1)),
    b"X": lambda machine: machine.push(machine.text(4)),
    b"}": lambda machine: machine.push({}),
    b"]": lambda machine: machine.push([]),
    b")": lambda machine: machine.push(()),
    b"(": lambda machine: machine.mark(),
    b"t": lambda machine: machine.push(tuple(machine.marked())),
    b"\x85": lambda machine: machine.push(tuple(machine.top(1))),
    b"\x86": lambda machine: machine.push(tuple(machine.top(2))),
    b"\x87": lambda machine: machine.push(tuple(machine.top(3))),
    b"a": lambda machine: machine.extend(machine.top(1)),
    b"e": lambda machine: machine.extend(machine.marked()),
    b"s": lambda machine: machine.update(machine.top(2)),
    b"u": lambda machine: machine.update(machine.marked()),
    b"q": lambda machine: machine.remember(machine.number(1)),
    b"r": lambda machine: machine.remember(machine.number(4)),
    b"\x94": lambda machine: machine.remember(len(machine.memo)),
    b"h": lambda machine: machine.push(machine.memo[machine.number(1)]),
    b"j": lambda machine: machine.push(machine.memo[machine.number(4)]),
    b"c": lambda machine: machine.name(machine.line(), machine.line()),
    b"\x93": lambda machine: machine.name(*machine.top(2)),
    b"R": lambda machine: machine.call(),
    b"b": lambda machine: machine.fill(),
}
