"""Real browsers for the tests of pages: a server on a port of its own, people with a browser each, and axe."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from axe_playwright_python.base import AXE_SCRIPT
from fastapi import FastAPI
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from flagplot.web.app import make_app
from flagplot.web.settings import Settings
from tests.web.databases import ready_database

# The part of Chromium without windows, or all of it.
BROWSERS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
PATIENCE = 20_000  # milliseconds: what is expected is there at once, but the machine may be busy
WIDE, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}

expect.set_options(timeout=PATIENCE)

SERVED: dict[str, FastAPI] = {}  # the servers of this process by their address


def application(folder: Path, port: int = 8000) -> FastAPI:
    """A server that keeps its games in a folder."""
    return make_app(Settings(ready_database("sqlite", folder), port=port))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    config = uvicorn.Config(lambda: None, host="127.0.0.1", port=0, log_level="warning")
    socket = config.bind_socket()
    port = socket.getsockname()[1]
    app = application(tmp_path_factory.mktemp("pages"), port)
    config = uvicorn.Config(app, log_level="warning")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]}, daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started and time.monotonic() < until:
        time.sleep(0.02)
    assert server.started
    SERVED[f"http://127.0.0.1:{port}"] = app
    yield f"http://127.0.0.1:{port}"
    del SERVED[f"http://127.0.0.1:{port}"]
    server.should_exit = True
    thread.join(10)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One for all tests of this process: nobody in it knows of the others, since each has a context of his own."""
    chromium = next((path for path in BROWSERS if path.exists()), None)
    if chromium is None:
        pytest.skip("Debian's package chromium-headless-shell is not installed, nor is chromium")
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=str(chromium), args=["--no-sandbox"])
        yield made
        made.close()


class Reader:
    """A browser of one person, and whatever its pages complained of."""

    def __init__(self, browser: Browser, address: str, **how: Any) -> None:
        self.context: BrowserContext = browser.new_context(base_url=address, **{"viewport": WIDE, **how})
        self.context.set_default_timeout(PATIENCE)
        self.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
        self.page: Page = self.context.new_page()
        self.trouble: list[str] = []
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("console", lambda said: self.trouble.append(said.text) if said.type == "error" else None)

    def close(self) -> None:
        # A refusal is an answer with a status of 4xx, which the browser notes; anything else is our mistake.
        wrong = [each for each in self.trouble if not each.startswith("Failed to load resource")]
        self.context.close()
        assert wrong == [], wrong


@pytest.fixture
def people(browser: Browser, address: str) -> Iterator[Any]:
    made: list[Reader] = []

    def person(**how: Any) -> Page:
        made.append(Reader(browser, address, **how))
        return made[-1].page

    yield person
    for each in made:
        each.close()


def checked(page: Page) -> None:
    """Wait until the text that stands there has been checked."""
    expect(page.locator("#verdict b")).to_be_visible()


def found_by_axe(page: Page, where: str | None = None, **only: Any) -> list[Any]:
    """All that axe finds in a part of the page or in all of it: which rule, how grave, where."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    running = "([where, how]) => axe.run(where ?? document, how).then((told) => told.violations)"
    told = page.evaluate(running, [where, {"resultTypes": ["violations"], **only}])
    return [(rule["id"], rule["impact"], [node["html"][:200] for node in rule["nodes"]][:3]) for rule in told]


def violations(page: Page, where: str | None = None, **only: Any) -> list[Any]:
    """What axe finds that is serious or worse."""
    return [each for each in found_by_axe(page, where, **only) if each[1] in ("serious", "critical")]


def readable(page: Page, what: str, where: str | None = None) -> None:
    """No serious violation in light or dark."""
    found = violations(page, where)
    assert found == [], f"{what}: {found}"
    page.emulate_media(color_scheme="dark")  # only colours are different
    found = violations(page, where, runOnly=["color-contrast"])
    assert found == [], f"{what}, dark: {found}"
    page.emulate_media(color_scheme="light")


def fine(page: Page, what: str, where: str | None = None) -> None:
    """A page that everyone can read: no serious violation in light or dark, no sideways scrolling at phone width."""
    readable(page, what, where)
    page.set_viewport_size(PHONE)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], f"{what} scrolls sideways: {width}"
    page.set_viewport_size(WIDE)
