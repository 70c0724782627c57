"""For all tests of pages: one browser, a server at an address, and people with a browser each."""

from __future__ import annotations

import pytest

from flagplot.web import release
from tests.web.browsing import address, browser, people

__all__ = ["address", "browser", "people"]


@pytest.fixture(autouse=True, scope="session")
def orders_answer_at_once() -> None:
    """Nobody waits for standing orders here, but where the release clock itself is tried."""
    release.DELAY = (0.0, 0.0)
