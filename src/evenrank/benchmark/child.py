"""A call in a process of its own, that costs nobody else anything when it dies, and ends when its parent does.

A process that waits for work from a pool never learns that whoever ran the pool is gone. A child therefore watches its
parent and kills itself and whatever it started, once nobody is there to take its answer.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing import connection, parent_process, set_start_method
from multiprocessing.context import ForkServerContext, SpawnContext
from threading import Thread
from typing import Any


class Died(Exception):  # noqa: N818  (it says what happened, like StopIteration)
    """A child ended without an answer."""


class Child:
    """A call that runs; its answer can be taken once."""

    def __init__(self, context: ForkServerContext | SpawnContext, call: Callable[..., Any], *arguments: Any) -> None:
        self.answers, theirs = context.Pipe(duplex=False)
        self.process = context.Process(target=_serve, args=(theirs, call, arguments))
        try:
            self.process.start()  # the first of a context waits until what it forks from is ready
        finally:
            theirs.close()
        self.began = time.monotonic()

    def answer(self) -> Any:
        """Wait for the answer and return it, or raise what the call raised, or Died."""
        try:
            connection.wait([self.answers, self.process.sentinel])
            if not self.answers.poll():
                raise EOFError
            value, error = self.answers.recv()
        except (EOFError, OSError):  # also in the middle of an answer
            self.process.join(1)
            raise Died(_ending(self.process.exitcode)) from None
        finally:
            self.end()
        if error is not None:
            raise error
        return value

    def end(self) -> None:
        """Kill the process and whatever it started; there is no harm in ending twice."""
        if self.process.pid:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()  # it may not lead its group yet
        self.process.join()
        self.answers.close()


def ended(children: Iterable[Child], seconds: float) -> list[Child]:
    """Return the children that have an answer or died, at the latest after some seconds."""
    waiting = {each: child for child in children for each in (child.answers, child.process.sentinel)}
    return list(dict.fromkeys(waiting[each] for each in connection.wait(waiting, seconds)))  # type: ignore[index]


def _serve(answers: connection.Connection, call: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    os.setsid()  # Ctrl-C is for the parent alone, and what is started here ends with this process
    set_start_method(None, force=True)  # this context's would keep semaphores until the last process ends
    Thread(target=_watch, daemon=True).start()
    answer: tuple[Any, Exception | None]
    try:
        answer = call(*arguments), None
    except Exception as error:  # the parent's to judge
        answer = None, error
    sys.stdout.flush()  # with its answer sent, a child is killed: winding up takes longer than many a job
    sys.stderr.flush()
    answers.send(answer)


def _watch() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os.killpg(0, signal.SIGKILL)


def _ending(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit status {code}"
    return signal.Signals(-code).name + (", perhaps for want of memory" if -code == signal.SIGKILL else "")
