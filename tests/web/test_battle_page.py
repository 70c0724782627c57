"""The battle page in a real browser: a whole battle, secrets, refusals, a lost connection, consent, phones, axe."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import uvicorn
from fastapi import FastAPI

from flagplot.core.sides import Side
from flagplot.model.picture import is_told
from flagplot.web import battle_page
from flagplot.web.app import make_app
from flagplot.web.settings import Limits, Settings

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: the battle page is not tried"
)
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

CHROMIUM = Path("/usr/bin/chromium")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no Chromium: the battle page is not tried")

PLENTY = Limits(requests_a_minute=1_000_000, games_an_hour=100_000, wrong_tokens_a_minute=100_000)
MOST_COMMITS = 150
MOST_STRIKES = 4  # then our air stays on deck, and the battle ends sooner
JAPANESE = ("Akagi", "Kaga", "Soryu", "Hiryu", "Haruna", "Kirishima", "Yamato", "Nagato", "Mutsu", "Zuiho", "Kongo")
JAPANESE += ("Hiei", "Fuso", "Hyuga", "Ise", "Yamashiro")


class Server:
    """The application on a port of its own, in a thread."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.app: FastAPI = make_app(Settings(f"sqlite:///{folder}/games.db", port=self.port, limits=PLENTY))
        if not any(getattr(route, "path", "") == "/games/{game}" for route in self.app.routes):
            battle_page.mount(self.app)
        config = uvicorn.Config(self.app, port=self.port, log_level="error", timeout_graceful_shutdown=1)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)

    def begin(self) -> None:
        self.thread.start()
        until = time.monotonic() + 20
        while not self.server.started:
            assert time.monotonic() < until, "the server does not start"
            time.sleep(0.02)

    def end(self) -> None:
        self.server.should_exit = True
        self.thread.join(10)

    def ask(self, path: str, body: object) -> dict[str, Any]:
        """Post something as one of our pages would."""
        headers = {"content-type": "application/json", "origin": self.address}
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            told: dict[str, Any] = json.load(answer)
        return told

    def get(self, path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(self.address + path) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()

    def new_game(self, **wanted: object) -> dict[str, Any]:
        return self.ask("/api/games", {"scenario": "midway", "order_of_battle": "hidden", **wanted})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("battle"))
    made.begin()
    yield made
    made.end()


@pytest.fixture(scope="module")
def browser(server: Server) -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield opened
        opened.close()


class Seat:
    """A person at a page."""

    def __init__(self, browser: Any, server: Server, game: dict[str, Any], side: str, **options: Any) -> None:
        self.server = server
        self.game: str = game["game"]
        self.context = browser.new_context(**({"viewport": {"width": 1400, "height": 900}} | options))
        self.page = self.context.new_page()
        self.troubles: list[str] = []
        self.strikes = MOST_STRIKES
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.traffic: list[Any] = []
        self.page.goto(f"{server.address}/games/{self.game}")  # not ours yet: the page says so
        assert "No such game" in self.page.inner_text("main")
        token = game["invitations"][side].partition("#")[2]
        claimed = self.page.evaluate(
            """async (token) => (await fetch("/api/claim", {method: "POST", headers: {"content-type": "application/json"},
               body: JSON.stringify({token})})).status""",
            token,
        )
        assert claimed == 200
        self.page.on("response", lambda answer: self.traffic.append(answer))
        self.page.goto(f"{server.address}/games/{self.game}")

    @property
    def question(self) -> dict[str, Any] | None:
        asked: dict[str, Any] | None = json.loads(self.page.get_attribute("#board", "data-question"))
        return asked

    @property
    def over(self) -> bool:
        return bool(self.page.get_attribute("#board", "data-over"))

    @property
    def log_length(self) -> int:
        return int(self.page.locator("#log-lines > li").count())

    def commit(self) -> None:
        """Press Commit, and wait until the page shows what came of it."""
        number = self.question
        self.page.click("#commit")
        self.until(lambda: self.question != number or self.over)

    def until(self, true: Callable[[], bool], seconds: float = 10.0) -> None:
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, self.page.inner_text("#dock")
            self.page.wait_for_timeout(20)

    def asked(self) -> None:
        """Wait for a question."""
        self.look()
        self.until(lambda: self.question is not None)

    def look(self) -> None:
        """As if the person came back to the page: it looks again at once."""
        self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    def received(self) -> str:
        """All that came over the wire since this was last asked; a stream is not waited for."""
        texts = []
        for answer in self.traffic:
            if "/stream" not in answer.url and answer.url.startswith(self.server.address):
                texts.append(answer.text())
        self.traffic.clear()
        return "\n".join(texts)

    def type_orders(self, text: str) -> None:
        self.page.fill("#typed", text)
        self.page.press("#typed", "Enter")

    def close(self) -> None:
        assert self.troubles == []
        self.context.close()


def untold(server: Server, game: str) -> list[str]:
    """Japanese ships of which nothing said to the Allies has spoken yet, from the truth itself."""
    live = server.app.state.hall.game(game)
    told = b"\n".join(
        msgspec.json.encode(event) for event in live.game.events() if is_told(Side.ALLIES, event)
    ).decode()
    return [name for name in JAPANESE if not re.search(rf"\b{name}\b", told)]


def find(names: list[str], text: str) -> list[str]:
    return [name for name in names if re.search(rf"\b{name}\b", text, re.IGNORECASE)]


def assert_accessible(page: Any) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = axe.Axe().run(page).response["violations"]
        grave = [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found]
        assert [
            each for each, kind in zip(grave, found, strict=True) if kind["impact"] in ("serious", "critical")
        ] == []
    page.emulate_media(color_scheme="light")


def assert_fits_a_phone(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1400, "height": 900})


def give_orders(seat: Seat) -> None:
    """What a person would press: strikes are flown at what was found, everything else goes as it is proposed."""
    asked = seat.question
    if asked and asked["kind"] == "strike" and seat.strikes and len(asked["form"]["items"][0]["places"]) > 1:
        page = seat.page
        seat.strikes -= 1
        page.locator("#form [role=radiogroup]").first.locator(".chip").last.click()  # the target
        seat.type_orders("all=fly")
        seat.until(lambda: "stands" not in page.inner_text("#verdict"))
        if page.get_attribute("#commit", "aria-disabled") == "true":
            assert page.locator("#verdict a.rule").count() == 1
            page.click("#reset")
            seat.until(lambda: page.get_attribute("#commit", "aria-disabled") == "false")


def test_a_whole_battle_is_played_on_the_page_and_nothing_untold_is_on_it_or_on_the_wire(
    server: Server, browser: Any
) -> None:
    seat = Seat(browser, server, server.new_game(axis="admiral", allies="person"), "allies")
    page, lengths, checked = seat.page, [seat.log_length], 0
    for _ in range(MOST_COMMITS):
        secrets = untold(server, seat.game)
        assert find(secrets, page.content() + seat.received()) == []
        checked += len(secrets) > 0
        if seat.over:
            break
        give_orders(seat)
        seat.commit()
        lengths.append(seat.log_length)
        if len(lengths) == 8:
            assert_fits_a_phone(page)
            assert_accessible(page)
    assert seat.over and checked > 10
    assert lengths == sorted(lengths) and lengths[-1] > 40
    assert page.locator("#log .dice .die").count() > 0
    assert page.locator("#log a.rule[href='/rules/22.452']").count() > 0
    page.locator("#log details.ledger, #log details").first.evaluate("each => each.open = true")
    assert page.locator("#log details[open] table.ledger td").count() > 0
    assert "has won" in page.inner_text("#part-over") and page.locator("#part-over a").count() >= 3
    assert page.locator("#commit").is_hidden() and page.locator("[data-act=resign]").count() == 0
    assert page.get_attribute("#board", "data-log-length") == str(lengths[-1])
    assert_fits_a_phone(page)
    assert_accessible(page)
    seat.close()


def test_a_barred_choice_and_a_refused_draft_say_their_rule(server: Server, browser: Any) -> None:
    seat = Seat(browser, server, server.new_game(axis="person", allies="admiral"), "axis")
    page = seat.page
    assert page.inner_text("#question") == "Number your combat groups."
    assert page.locator("#form input[type=radio][disabled]").count() == 1
    barred = page.locator("#form .barred")
    assert "At most 6 groups fight" in barred.inner_text()
    assert barred.locator("a").get_attribute("href") == "/rules/22.421C"
    page.keyboard.press("3")  # one thing to choose: a key takes the choice
    assert page.locator("#form input[type=radio]:checked").get_attribute("value") == "3"
    page.keyboard.press("r")
    seat.commit()
    assert (seat.question or {})["kind"] == "patrol"
    seat.type_orders("all=patrol")
    page.wait_for_selector("#verdict.refusal")
    assert "23.33" in page.inner_text("#verdict")
    before = seat.question
    page.click("#commit", force=True)
    page.wait_for_timeout(300)
    assert seat.question == before  # what is refused is not sent
    seat.type_orders("akagi=2 patrol")
    assert page.locator("#form input[type=number]").first.input_value() == "2"
    seat.type_orders("zuiho=patrol")
    assert "not among the things to be placed" in page.inner_text("#typed-said")
    seat.type_orders("all=deck")
    page.wait_for_selector("#verdict:not(.refusal)")
    page.locator(".stepper button", has_text="+").first.click()
    assert page.locator("#form .rest").first.inner_text().endswith("2")  # three squadrons, one flies
    assert_accessible(page)
    assert_fits_a_phone(page)
    page.locator("#log").focus()
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    seat.close()


def test_a_lost_reply_is_asked_for_again_with_the_same_id_and_counts_once(server: Server, browser: Any) -> None:
    seat = Seat(browser, server, server.new_game(axis="admiral", allies="person"), "allies")
    sent: list[str] = []

    def lose_the_first(route: Any) -> None:
        sent.append(json.loads(route.request.post_data)["id"])
        if len(sent) == 1:
            route.fetch()  # the server has it, the page never hears of it
            route.abort()
        else:
            route.continue_()

    seat.page.route("**/answers", lose_the_first)
    number = (seat.question or {})["number"]
    seat.commit()
    seat.until(lambda: len(sent) == 2)
    assert sent[0] == sent[1]
    answered = [line for line in server.app.state.hall.game(seat.game).game.runner.tape if line.who == Side.ALLIES]
    assert (seat.question or {})["number"] == len(answered) > number
    seat.close()


def test_two_people_play_take_back_by_consent_and_keep_their_drafts(server: Server, browser: Any) -> None:
    game = server.new_game(axis="person", allies="person")
    axis, allies = Seat(browser, server, game, "axis"), Seat(browser, server, game, "allies")
    both = (axis, allies)
    axis.page.fill("#line", "Good hunting <b>")
    while (axis.question or {}).get("kind") != "patrol":  # the Axis answers first, so its answer is taken back alone
        for seat in both:
            seat.commit()
        for seat in both:
            seat.asked()
    allies.until(lambda: "Good hunting <b>" in allies.page.inner_text("#part-game"))
    axis.type_orders("akagi=1 patrol + 2 deck, kaga=0 patrol + 3 deck")
    draft = axis.page.locator("#form input[type=number]").evaluate_all("all => all.map((each) => each.value)")
    lines = axis.log_length
    axis.page.click("#undo")
    allies.page.click("#agree")
    axis.until(lambda: (axis.question or {}).get("kind") == "number")
    assert axis.log_length < lines
    allies.until(lambda: (allies.question or {}).get("kind") == "number")
    for seat in both:
        seat.commit()
    for seat in both:
        seat.asked()
    assert axis.log_length == lines
    axis.type_orders("akagi=1 patrol + 2 deck, kaga=0 patrol + 3 deck")
    allies.commit()
    axis.look()
    axis.page.wait_for_timeout(300)
    assert axis.page.locator("#form input[type=number]").evaluate_all("all => all.map((each) => each.value)") == draft
    allies.page.click("[data-act=resign]")
    allies.page.click("#resign-now")
    axis.until(lambda: "resigns" in axis.page.inner_text("#dock"))
    assert axis.page.locator("#commit").is_hidden()
    for seat in both:
        seat.close()


def test_unknown_and_forbidden_games_look_alike(server: Server) -> None:
    game = server.new_game(axis="person", allies="admiral")["game"]
    for path in ("/games/{}", "/games/{}/board"):
        assert server.get(path.format(game)) == server.get(path.format("no-such-game"))
        assert server.get(path.format(game))[0] == 404
    watched = server.new_game(axis="admiral", allies="person", spectators=True)["game"]
    status, page = server.get(f"/games/{watched}")
    assert status == 200 and "You <b>watch</b>" in page and find(list(JAPANESE), page) == []
