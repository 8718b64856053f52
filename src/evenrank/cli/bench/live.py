"""How a run gets on: a bar on a terminal, elsewhere a line every half minute."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from evenrank.benchmark.plan import Plan
    from evenrank.benchmark.runner import Progress
    from evenrank.benchmark.store import Store

QUIET = 30.0  # seconds between two lines where there is no terminal
AGAIN = 5.0  # seconds between two estimates of the time left


@contextmanager
def live(plan: Plan, store: Store, workers: int) -> Iterator[Callable[[Progress], None]]:
    """Yield a function that shows how far a run is, on standard error."""
    news = News(plan, store, workers)
    if not sys.stderr.isatty():
        yield _lines(news)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (BarColumn(bar_width=30), MofNCompleteColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(plan.title)
        yield lambda state: bar.update(task, completed=state.done, total=state.total, description=news.of(state))


class News:
    """What is new about a run: which study got better last, and how long it may still take."""

    def __init__(self, plan: Plan, store: Store, workers: int) -> None:
        self.plan, self.store, self.workers = plan, store, workers
        self.best: dict[str, float] = {}
        self.last = ""  # study that got better last
        self.left: float | None = None
        self.asked = -AGAIN

    def of(self, state: Progress) -> str:
        """Return one line: failures, the best value of the study that got better last, and the time left."""
        from evenrank.cli.bench.forecast import duration

        for study, value in state.best.items():
            if value > self.best.get(study, -1.0):
                self.last = study
        self.best = dict(state.best)
        self._estimate(state)
        words = [
            f"{state.failed} failed" if state.failed else "",
            f"{self.last}: {self.plan.judge} {self.best[self.last]:.4f}, its best so far" if self.last else "",
            f"about {duration(self.left)} left" if self.left is not None else "",
        ]
        return "; ".join(filter(None, words))

    def _estimate(self, state: Progress) -> None:
        from evenrank.benchmark.estimate import shares, total

        if time.monotonic() - self.asked < AGAIN:
            return
        seconds = self.store.seconds(self.plan)
        self.left = total(shares(self.plan, state.folds, self.store.outcomes(self.plan), seconds, {}), self.workers)
        self.asked = time.monotonic()


def _lines(news: News) -> Callable[[Progress], None]:
    told = [time.monotonic()]

    def tell(state: Progress) -> None:
        if time.monotonic() - told[0] >= QUIET:
            told[0] = time.monotonic()
            typer.echo(f"{state.done} of {state.total} jobs; {news.of(state)}".removesuffix("; "), err=True)

    return tell
