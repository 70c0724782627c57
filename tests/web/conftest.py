"""For all tests of pages: one browser, a server at an address, and people with a browser each."""

from __future__ import annotations

from tests.web.browsing import address, browser, people

__all__ = ["address", "browser", "people"]
