"""Odds on many machines: the workers of a dask scheduler as an executor for `sample`.

The law here: a piece of a run is a plain function of its numbers (sampling.py), so whichever worker fights it, and however
often it is begun anew because a worker was lost, the answer is the same. If the scheduler is lost, all else is fought here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from typing import Any

from flagplot.odds.worlds import NoOdds

PATIENCE = 10  # seconds for a scheduler to answer
RETRIES = 5  # times a piece is begun anew


@contextmanager
def spread_over(address: str) -> Iterator[Executor]:
    """The workers at an address such as tcp://192.0.2.7:8786. They need Flagplot installed, as it is here."""
    try:
        import distributed
    except ImportError:
        raise NoOdds("a cluster needs the package distributed: install flagplot[cluster]") from None
    connect: Any = distributed.Client
    try:
        client = connect(address, timeout=PATIENCE)
    except (OSError, ValueError, TypeError) as trouble:
        why = f"{str(trouble)[:120]}; an address looks like tcp://192.0.2.7:8786"
        raise NoOdds(f"no dask scheduler answers at {address[:80]!r}: {why}") from None
    try:
        yield _Workers(client)
    finally:
        client.close()


class _Workers(Executor):
    """Workers that say as any pool does that they are gone."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.pool = client.get_executor(retries=RETRIES)

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Have something done."""
        try:
            future: Future[Any] = self.pool.submit(work, *given, **named)
        except Exception:
            if self.client.status == "running":
                raise
            raise BrokenExecutor("the scheduler is gone") from None
        return future
