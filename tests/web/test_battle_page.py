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
from flagplot.web.app import make_app
from flagplot.web.settings import Limits, Settings
from tests.web.browsing import readable
from tests.web.databases import ready_database

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
        self.app: FastAPI = make_app(Settings(ready_database("sqlite", folder), port=self.port, limits=PLENTY))
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
        for each in side.split():
            token = game["invitations"][each].partition("#")[2]
            claimed = self.page.evaluate(
                """async (token) => (await fetch("/api/claim", {method: "POST", headers: {"content-type":
                   "application/json"}, body: JSON.stringify({token})})).status""",
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


def untold(server: Server, game: str, side: Side = Side.ALLIES) -> list[str]:
    """Enemy ships of which nothing said to a side has spoken yet, from the truth itself."""
    live = server.app.state.hall.game(game).game
    told = b"\n".join(msgspec.json.encode(event) for event in live.events() if is_told(side, event)).decode()
    forces = live.header.setup.sides[side.enemy].forces
    names = [ship.name for force in forces for ship in force.ships]
    return [name for name in names if not re.search(rf"\b{name}\b", told)]


def find(names: list[str], text: str) -> list[str]:
    return [name for name in names if re.search(rf"\b{name}\b", text, re.IGNORECASE)]


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


@pytest.mark.long
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
            readable(page, "the battle")
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
    readable(page, "the battle")
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
    readable(page, "the battle")
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
    allies.until(lambda: "Good hunting <b>" in allies.page.inner_text("#log .note"))
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


# Two carriers and their escort on either side, and one force of each that comes later: a whole carrier battle, but short.
DUEL = """
format = 1
title = "A carrier duel"
summary = "Carriers against carriers."
theatre = "Pacific"
interceptor = "allies"
order_of_battle = "hidden"
[axis]
name = "Japan"
nation = "Japan"
[[axis.base]]
name = "Truk"
distance = 9
[[axis.force]]
name = "Striking Force"
base = "Truk"
ships = [{ name = "Shokaku", elite = 3 }, "Zuikaku"]
cruisers = 2
destroyers = 4
[[axis.force]]
name = "Covering Force"
base = "Truk"
arrives = 2
ships = ["Shoho"]
cruisers = 3
[allies]
name = "United States"
nation = "United States"
[[allies.base]]
name = "Noumea"
distance = 8
[[allies.force]]
name = "Task Force 17"
mission = "interception"
base = "Noumea"
ships = ["Saratoga", "Lexington"]
cruisers = 3
destroyers = 4
[[allies.force]]
name = "Support Group"
mission = "interception"
base = "Noumea"
arrives = 3
ships = ["North Carolina"]
cruisers = 2
"""


def assert_secret(server: Server, both: tuple[Seat, Seat]) -> int:
    """Nothing untold is on a page or came over the wire; how many secrets were looked for."""
    looked_for = 0
    for seat, side in zip(both, (Side.AXIS, Side.ALLIES), strict=True):
        secrets = untold(server, seat.game, side)
        assert find(secrets, seat.page.content() + seat.received()) == []
        looked_for += len(secrets)
    return looked_for


def test_two_people_play_a_carrier_battle_to_its_end_in_secret_and_watch_it_again(server: Server, browser: Any) -> None:
    game = server.new_game(scenario="", text=DUEL, axis="person", allies="person", order_of_battle="")
    both = axis, allies = Seat(browser, server, game, "axis"), Seat(browser, server, game, "allies")
    secrets, commits, amended = 0, 0, False
    while not axis.over:
        assert commits < MOST_COMMITS
        for seat in both:
            if seat.question is None:
                continue
            late = int(axis.page.get_attribute("#board", "data-round")) >= 2
            if seat is axis and late and seat.question["kind"] == "withdraw":  # after two rounds Japan goes home
                seat.type_orders("all=withdraw")
                said = seat.page.inner_text("#typed-said")  # what is gone cannot withdraw
                seat.until(lambda said=said: said or "stands" not in axis.page.inner_text("#verdict"))  # type: ignore[misc]
            give_orders(seat)
            seat.commit()
            commits += 1
            secrets += assert_secret(server, both)
        if not amended and axis.question:
            amended = True
            axis.type_orders("amend zuikaku 1 hit")
            allies.page.click("#amend-accept")
            axis.until(lambda: "Agreed, from the next segment on" in axis.page.inner_text("#part-game"))
            allies.until(lambda: "Zuikaku: 1 hit" in allies.page.inner_text("#log"))
        axis.until(lambda: any(seat.question for seat in both) or all(seat.over for seat in both))
    flown = [type(event).__name__ for event in server.app.state.hall.game(axis.game).game.events()]
    assert secrets > 50 and "Searched" in flown
    allies.until(lambda: allies.over)
    for seat in both:
        assert "Amended by agreement: Japan's Zuikaku: 1 hit" in seat.page.inner_text("#part-over")
    assert_fits_a_phone(axis.page)
    readable(axis.page, "a battle that is over")
    page = allies.page
    page.click("#part-over a.main")
    page.wait_for_selector("#log li.here")
    steps = page.locator("#log li").count()
    for by in ("round", "segment", "step"):
        before = page.inner_text("#count")
        page.click(f"[data-by={by}][data-way='1']")
        allies.until(lambda before=before: page.inner_text("#count") != before)  # type: ignore[misc]
    step = page.inner_text("#count")
    page.reload()  # the address names the step
    page.wait_for_selector("#log li.here")
    assert page.inner_text("#count") == step
    page.click("[data-seat=referee]")
    allies.until(lambda: page.locator("#log li").count() > steps)
    allies.until(lambda: len(find(["Shokaku", "Saratoga"], page.inner_text("#fleets"))) == 2)
    page.locator("#results summary").click()
    assert "Sunk" in page.inner_text("#carry") and page.locator("#results a[download]").count() == 2
    assert_fits_a_phone(page)
    for seat in both:
        seat.close()


def test_where_undo_stands_is_on_the_page_and_in_the_log(server: Server, browser: Any) -> None:
    game = server.new_game(axis="person", allies="person")
    axis, allies = Seat(browser, server, game, "axis"), Seat(browser, server, game, "allies")
    while (axis.question or {}).get("kind") != "patrol":
        for seat in (axis, allies):
            seat.commit()
        for seat in (axis, allies):
            seat.asked()
    stands = axis.page.inner_text("#part-game")
    assert "United States must agree: the enemy has decided since, or may have" in stands
    assert "Number your combat groups" in stands and axis.page.locator("#log .back-to").count() == 1
    assert axis.page.inner_text("#undo") == "Ask to take back"
    allies.commit()  # nothing that Japan could notice
    axis.look()
    axis.page.wait_for_timeout(300)
    assert axis.page.inner_text("#part-game") == stands
    axis.page.click("#commit")
    axis.until(lambda: (axis.question or {}).get("kind") != "patrol")
    for seat in (axis, allies):
        seat.close()


def test_an_amendment_is_proposed_in_the_dialog_and_declined_accepted_or_withdrawn(
    server: Server, browser: Any
) -> None:
    game = server.new_game(axis="person", allies="person")
    axis, allies = Seat(browser, server, game, "axis"), Seat(browser, server, game, "allies")
    page = axis.page
    page.locator("#log").focus()
    page.keyboard.press("a")
    page.wait_for_selector("#amendment[open] #amend-ship")
    assert "reveals what it says" in page.inner_text("#amendment")
    readable(page, "the battle")
    page.select_option("#amend-kind", "add")
    page.fill("#amend-ships", "Titanic")
    page.click("#amend-propose")
    axis.until(lambda: "there is no ship 'Titanic'" in page.inner_text("#amend-refused"))
    page.fill("#amend-ships", "Zuikaku")
    page.fill("#amend-light", "2 Japan/DD")
    page.fill("#amend-words", "she was at sea <b>")
    page.click("#amend-propose")
    axis.until(lambda: "You propose an amendment" in page.inner_text("#proposal"))
    allies.until(lambda: "also has Zuikaku and Japan 2 DD" in allies.page.inner_text("#proposal"))
    assert "she was at sea <b>" in allies.page.inner_text("#proposal")
    allies.type_orders("decline")
    axis.until(lambda: page.locator("#proposal").is_hidden())
    axis.type_orders("amend CG9 add Zuikaku")
    axis.until(lambda: "no group or force 'CG9'" in page.inner_text("#typed-said"))
    axis.type_orders("amend kaga sunk")
    axis.until(lambda: "Kaga is sunk" in page.inner_text("#proposal"))
    axis.type_orders("withdraw")
    axis.until(lambda: page.locator("#proposal").is_hidden())
    axis.type_orders("amend kaga damaged")
    allies.until(lambda: "Kaga: damaged" in allies.page.inner_text("#proposal"))
    assert_fits_a_phone(allies.page)
    allies.type_orders("accept")
    axis.until(lambda: "Amendment from the next segment on" in page.inner_text("#log .amended"))
    for seat in (axis, allies):
        seat.close()


def test_a_screen_that_is_passed_before_the_answer_comes_is_passed_all_the_same(server: Server, browser: Any) -> None:
    seat = Seat(browser, server, server.new_game(hot_seat=True), "axis allies")
    page = seat.page

    def late(route: Any) -> None:
        answer = route.fetch()
        page.wait_for_selector("#pass")
        route.fulfill(response=answer)

    page.route("**/answers*", late)
    with page.expect_response("**/answers*"):
        page.click("#commit")
    page.wait_for_timeout(300)  # what follows the answer
    assert page.locator("#pass").count() == 1
    seat.close()


def test_two_people_at_one_screen_pass_it_and_nothing_of_the_other_is_on_it(server: Server, browser: Any) -> None:
    game = server.new_game(hot_seat=True)
    seat = Seat(browser, server, game, "axis allies")
    page = seat.page
    assert "Akagi" in page.content()
    page.click("#commit")
    page.wait_for_selector("#pass")
    assert (
        find([*JAPANESE, "Enterprise", "Yorktown"], page.content()) == [] and page.locator("#board, #dock").count() == 0
    )
    page.wait_for_timeout(1500)  # the page does not look again
    assert page.locator("#pass").count() == 1
    assert_fits_a_phone(page)
    readable(page, "the battle")
    page.go_back()
    page.goto(f"{server.address}/games/{seat.game}?as=axis")
    assert page.locator("#pass").count() == 1 and find(list(JAPANESE), page.content()) == []
    page.click("#take-over")
    page.wait_for_selector("#board")
    assert "as=allies" in page.url and find(list(JAPANESE), page.content()) == []
    assert "You are United States" in page.inner_text("#board")
    seat.traffic.clear()
    page.click("#commit")
    seat.until(lambda: seat.question is not None)
    assert find(list(JAPANESE), page.content() + seat.received()) == []
    seat.close()


def test_the_referee_looks_on_with_both_boards_open(server: Server, browser: Any) -> None:
    game = server.new_game(axis="admiral", allies="person", referee=True)
    seat = Seat(browser, server, game, "referee")
    assert "You are the referee" in seat.page.inner_text("#board")
    assert {"Akagi", "Enterprise"} <= set(find(["Akagi", "Enterprise"], seat.page.inner_text("#board")))
    assert seat.page.locator("#commit").is_hidden() and seat.page.locator("#undo").is_hidden()
    assert_fits_a_phone(seat.page)
    readable(seat.page, "the board of a referee")
    seat.close()


def test_unknown_and_forbidden_games_look_alike(server: Server) -> None:
    game = server.new_game(axis="person", allies="admiral")["game"]
    for path in ("/games/{}", "/games/{}/board"):
        assert server.get(path.format(game)) == server.get(path.format("no-such-game"))
        assert server.get(path.format(game))[0] == 404
    watched = server.new_game(axis="admiral", allies="person", spectators=True)["game"]
    status, page = server.get(f"/games/{watched}")
    assert status == 200 and "You <b>watch</b>" in page and find(list(JAPANESE), page) == []
