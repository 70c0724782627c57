"""Replay, help, rules and tutorial: what they tell to whom, and how they look and work in a real browser."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import httpx
import pytest
import uvicorn

from flagplot.core.asks import Both
from flagplot.core.dice import SystemDice
from flagplot.core.sides import SIDES, Side
from flagplot.play.transcript import Storyteller
from flagplot.scenarios.loader import shipped_scenario
from flagplot.web import forks, help_page, replay_page, rulebook, tutorial
from flagplot.web.app import make_app
from flagplot.web.hall import Hall
from flagplot.web.replays import replay_of
from flagplot.web.settings import Limits, Settings
from flagplot.web.tutorial_text import CHAPTERS
from tests.web.browsing import violations
from tests.web.databases import ready_database

SEATS = ("axis", "allies", "spectator", "referee")
LOOKED_AT = (20, 30, 40)  # steps of each chair's own story: whatever the dice, at one of them all see something else
PLENTY = Limits(requests_a_minute=1_000_000, games_an_hour=100_000, wrong_tokens_a_minute=100_000)
TEMPLATES = Path(replay_page.__file__).parent / "templates"


class Site:
    """A server in a thread of this process, a finished battle between two bots, and an open one between two people."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.app = make_app(Settings(ready_database("sqlite", folder), port=self.port, limits=PLENTY))
        served = {getattr(route, "path", "") for route in self.app.routes}
        if "/games/{game}/replay" not in served:
            replay_page.mount(self.app)
        if "/help" not in served:
            help_page.mount(self.app)
        self.server = uvicorn.Server(uvicorn.Config(self.app, port=self.port, log_level="warning"))
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        same = Random(1942)  # the same finished battle every time
        with patch.object(SystemDice, "dice", lambda source, count, draw: [same.randint(1, 6) for _ in range(count)]):
            self.over = self.new({Side.AXIS: "admiral", Side.ALLIES: "admiral"}, spectators=True)["game"]
        self.open = self.new({Side.AXIS: "person", Side.ALLIES: "person"})
        self.play_to_search(self.open["game"])

    @property
    def hall(self) -> Hall:
        hall: Hall = self.app.state.hall
        return hall

    def new(self, players: dict[Side, str], *, spectators: bool = False) -> dict[str, Any]:
        midway = shipped_scenario("midway")
        made = self.hall.create(midway.setup, scenario=midway.name, players=players, spectators=spectators)
        return {"game": made.id, **made.invitations}

    def play_to_search(self, id: str) -> None:
        """Both sides form groups and put aircraft up, as their forms offer; then they are about to search."""
        game, number = self.hall.game(id).game, 0
        while game.battle.segment in ("formation", "counterair", "carrier air", "air cover"):
            asked = game.decision(Side.AXIS) or game.decision(Side.ALLIES)
            assert asked is not None
            question = game.question_number(asked.side)
            self.hall.submit(id, asked.side, f"answer-{number}", question, asked.form.default)
            number += 1

    @contextmanager
    def claim(self, invitation: str) -> Iterator[httpx.Client]:
        """Somebody who has taken a seat."""
        with self.anybody() as who:
            assert who.post("/api/claim", json={"token": invitation}).status_code == 200
            yield who

    def anybody(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, headers={"origin": self.address})


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    running = Site(tmp_path_factory.mktemp("replay"))
    running.thread.start()
    until = time.monotonic() + 20
    while not running.server.started and time.monotonic() < until:
        time.sleep(0.02)
    assert running.server.started
    yield running
    running.server.should_exit = True
    running.thread.join(timeout=10)


# -- who is shown what ------------------------------------------------------------------------------------


def test_a_finished_battle_has_a_board_for_every_step_from_every_chair(site: Site) -> None:
    with site.anybody() as who:
        for seat in SEATS:
            steps = who.get(f"/api/games/{site.over}/replay", params={"seat": seat}).json()["steps"]
            for step in (0, len(steps) // 3, len(steps) - 1):
                board = who.get(f"/api/games/{site.over}/replay/{step}", params={"seat": seat}).json()
                assert (board["seat"], board["step"]) == (seat, step)
                assert board["round"] == steps[step]["round"]
                assert set(board["sides"]) == {"axis", "allies"}


def test_the_referee_sees_at_the_end_what_there_really_is(site: Site) -> None:
    battle = site.hall.game(site.over).game.battle
    with site.anybody() as who:
        last = len(who.get(f"/api/games/{site.over}/replay?seat=referee").json()["steps"]) - 1
        board = who.get(f"/api/games/{site.over}/replay/{last}?seat=referee").json()
    for side in Side:
        assert board["sides"][side.value]["sunk"][: len(battle.fleets[side].sunk)] == [
            ship.name for ship in battle.fleets[side].sunk
        ]


def test_results_to_carry_back_are_the_same_as_text_and_as_data(site: Site) -> None:
    battle = site.hall.game(site.over).game.battle
    with site.anybody() as who:
        told = who.get(f"/api/games/{site.over}/results").json()
        text = who.get(f"/api/games/{site.over}/results.txt").text
    assert told["over"] and told["victor"] == battle.victor and told["reasons"] == list(battle.reasons)
    for side in Side:
        fleet, carried = battle.fleets[side], told["sides"][side.value]
        assert carried["sunk"] == {"ships": [ship.name for ship in fleet.sunk], "light": fleet.sunk_light}
        home = [ship for each in fleet.returned for ship in each.group.ships]
        assert carried["damaged"]["ships"] == [ship.name for ship in home if ship.damaged]
        assert carried["hits"] == {ship.name: ship.hits for ship in home if ship.hits and not ship.damaged}
        assert len(carried["inverted"]) == sum(each.inverted for each in fleet.returned)
        assert [base["name"] for base in carried["bases"]] == [base.name for base in fleet.air_bases]
        assert all(name in text for name in (*carried["sunk"]["ships"], *carried["damaged"]["ships"]))
    with site.claim(site.new({Side.AXIS: "person", Side.ALLIES: "admiral"})["axis"]) as axis:
        game = next(cookie.name.removeprefix("seat-").rpartition("-")[0] for cookie in axis.cookies.jar)
        known = axis.get(f"/api/games/{game}/results").text + axis.get(f"/api/games/{game}/results.txt").text
        assert "not over yet" in known and not any(name in known for name in names_of(Side.ALLIES))


def names_of(side: Side) -> list[str]:
    forces = shipped_scenario("midway").setup.sides[side].forces
    return [ship.name for force in forces for ship in force.ships]


def test_while_a_battle_is_open_a_seat_gets_its_own_view_whatever_it_asks_for(site: Site) -> None:
    made = site.new({Side.AXIS: "person", Side.ALLIES: "person"})
    game = made["game"]
    site.play_to_search(game)
    with site.claim(made["axis"]) as axis, site.claim(made["allies"]) as allies, site.anybody() as stranger:
        story = axis.get(f"/api/games/{game}/replay")
        for step in (3, len(story.json()["steps"]) - 1):
            board = axis.get(f"/api/games/{game}/replay/{step}").content
            for seat in (*SEATS, "nonsense"):
                assert axis.get(f"/api/games/{game}/replay?seat={seat}").content == story.content
                assert axis.get(f"/api/games/{game}/replay/{step}?seat={seat}").content == board
            assert not any(name in story.text + board.decode() for name in names_of(Side.ALLIES))
        assert "Akagi" in board.decode() and board.count(b'"hidden":true') >= 2
        theirs = allies.get(f"/api/games/{game}/replay/{step}?seat=referee").text
        assert "Enterprise" in theirs and not any(name in theirs for name in names_of(Side.AXIS))
        for address in ("/api/games/{}/replay/3", "/games/{}/replay"):
            unknown, forbidden = stranger.get(address.format("nothing")), stranger.get(address.format(game))
            assert (unknown.status_code, unknown.text) == (forbidden.status_code, forbidden.text)
            assert forbidden.status_code == 404
        refused = axis.post(f"/api/games/{game}/fork", json={"step": 3, "side": "axis"})
        assert refused.status_code == 409 and "not over" in refused.json()["refused"]
        assert stranger.post(f"/api/games/{game}/fork", json={"step": 3, "side": "axis"}).status_code == 404


# -- what if ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", ["axis", "allies", "referee", "spectator"])
def test_a_fork_is_the_same_battle_up_to_the_step_and_no_further(site: Site, seat: str) -> None:
    game = site.hall.game(site.over).game
    side, everything = SIDES.get(seat), seat == "referee"
    told = len(replay_of(game, side, everything=everything)["steps"])
    for step in range(0, told, 23):
        event = forks.event_of(game, step, side, everything=everything)
        again = forks.until(game, event, Side.AXIS)
        inputs, happened = len(again.runner.tape), again.events()
        assert [entry[:3] for entry in map(_plain, again.runner.tape)] == [
            entry[:3] for entry in map(_plain, game.runner.tape[:inputs])
        ]
        assert happened == game.events()[: len(happened)]
        assert len(happened) <= event or not inputs
        pending = again.runner.pending
        assert not (isinstance(pending, Both) and any(again.decision(each) is None for each in Side))
        assert again.header.key != game.header.key and again.header.people == (Side.AXIS,)


def _plain(entry: Any) -> tuple[str, str, Any]:
    return entry.tag, entry.who, entry.answer


def test_a_step_of_the_story_is_found_in_the_log(site: Site) -> None:
    game = site.hall.game(site.over).game
    teller, places = Storyteller(), []
    for index, event in enumerate(game.events()):
        places += [index] * len(teller.tell(event))
    for step in (0, 17, len(places) - 1):
        assert forks.event_of(game, step, None, everything=True) == places[step]


def test_a_fork_is_stored_and_can_be_played(site: Site) -> None:
    with site.anybody() as who:
        steps = who.get(f"/api/games/{site.over}/replay?seat=allies").json()["steps"]
        first = next(step["n"] for step in steps if step["round"] == 1 and step["level"] == 2)
        made = who.post(f"/api/games/{site.over}/fork", json={"step": first, "side": "allies"})
        assert made.status_code == 201
        told = made.json()
        assert set(told["invitations"]) == {"allies", "host"}
        too_late = who.post(f"/api/games/{site.over}/fork", json={"step": len(steps) - 1, "side": "allies"})
        assert too_late.status_code == 422 and "nothing left to decide" in too_late.json()["refused"]
        beyond = who.post(f"/api/games/{site.over}/fork", json={"step": 9999, "side": "allies"})
        assert beyond.status_code == 422 and "no step 9999" in beyond.json()["refused"]
    with site.claim(told["invitations"]["allies"].partition("#")[2]) as player:
        view = player.get(f"/api/games/{told['game']}").json()
        assert view["question"] and view["players"] == {"axis": "admiral", "allies": "person"}
        stored = site.hall.read(told["game"])
        assert stored.game.events() == site.hall.game(told["game"]).game.events()
        question = view["question"]
        body = {"id": "first-decision", "question": question["number"], "answer": question["form"]["default"]}
        assert player.post(f"/api/games/{told['game']}/answers", json=body).status_code == 200


# -- rules, words and the tutorial ---------------------------------------------------------------------------------


def test_every_rule_the_log_cites_has_a_page_or_is_said_not_to_be_held(site: Site) -> None:
    steps = site.hall.game(site.over).game.events()
    with site.anybody() as who:
        for number in sorted({event.rule for event in steps}):
            answer = who.get(f"/rules/{number}")
            assert answer.status_code in (200, 404)
            if answer.status_code == 404:
                assert not rulebook.is_held(number) and "We do not hold" in answer.text


def test_a_rule_s_page_shows_all_its_rows_rulings_functions_and_neighbours(site: Site) -> None:
    with site.anybody() as who:
        page = who.get("/rules/22.54b").text
        rows = [row for row in rulebook.rows() if row["id"].startswith("22.54B")]
        assert len(rows) > 3
        assert all(f">{row['id']}</a>" in page for row in rows)
        assert "In another edition" in page and "RC-44" in page and "choose_capital_targets" in page
        assert 'href="/rules/22.54A"' in page and 'href="/rules/22.54C"' in page and 'href="/rules/22.5"' in page
        assert who.get("/rules", params={"find": "22.54b"}).url.path in ("/rules", "/rules/22.54B")
        assert who.get("/rules", params={"find": "RC-46"}).headers["location"] == "/rulings/RC-46"
        assert "Decided:" in who.get("/rulings/RC-46").text
        assert "screened" in who.get("/rules", params={"find": "screened carriers"}).text
        for wanted in ("99.9", "<script>", "RC-99", "%", "." * 40):
            answer = who.get(f"/rules/{wanted}")
            assert answer.status_code == 404 and "<script>" not in answer.text.replace("<script src", "")
        assert who.get("/rulings/RC-99").status_code == 404
        for heading in ("22", "22.5", "23", "26.4", "ARE", "22.11.1"):
            assert who.get(f"/rules/{heading}").status_code == 200


def test_every_term_that_pages_mark_is_in_the_glossary(site: Site) -> None:
    words = {word.casefold() for word in rulebook.glossary()}
    marked = {
        term for page in TEMPLATES.glob("*.html") for term in re.findall(r'data-term="([^"{]+)"', page.read_text())
    }
    said = [*(text for page in CHAPTERS for text in (*page.text, *page.after))]
    said += [choice.why for page in CHAPTERS for choice in page.choices]
    marked |= {term for text in said for term in re.findall(r"\[\[([^\]|]+)", text)}
    assert marked and not {term for term in marked if term.casefold() not in words}
    cited = {number for text in said for number in re.findall(r"\b\d\d\.\d+[A-Z]?\d*\b", text)}
    cited |= {number for page in CHAPTERS for number in page.rules}
    assert cited and not [number for number in cited if not rulebook.is_held(number) and not rulebook.find(number)]
    with site.anybody() as who:
        assert who.get("/api/glossary").json() == rulebook.glossary()


def test_the_tutorial_is_the_printed_example() -> None:
    tutorial.steps.cache_clear()  # the engine plays it here, before our eyes
    steps = tutorial.steps()
    assert all(sum(choice["right"] for choice in step["choices"]) == bool(step["choices"]) for step in steps)
    assert not any(choice["legal"] and choice.get("refused") for step in steps for choice in step["choices"])
    printed = [step for step in steps if step["dice"]]
    assert [step["dice"] for step in printed] == [
        {"axis": (3, 6), "allies": (1, 2)},
        {"axis": (1, 4, 5, 5), "allies": (2, 4, 6)},
    ]
    found = [
        {
            side: {g["number"]: g["found"] for g in fleet["groups"]}
            for side, fleet in step["then"]["board"]["sides"].items()
        }
        for step in printed
    ]
    assert found == [
        {"axis": {1: 1, 2: 1, 4: 0}, "allies": {1: 0, 3: 1, 5: 0}},
        {"axis": {1: 0, 2: 1, 4: 1}, "allies": {1: 1, 3: 0, 5: 2}},
    ]
    for step in printed:
        rolled = {line["side"]: tuple(line["dice"]) for line in step["then"]["log"] if line["kind"] == "Searched"}
        assert rolled == step["dice"]
    engage = next(step for step in steps if "CG2" in step["question"])
    assert {c["text"]: c["legal"] for c in engage["choices"] if "CG" in c["text"]} == {
        "It goes for CG5": True,
        "It joins against CG1": True,
        "It goes for CG3": False,
    }
    evade = next(step for step in steps if step["seat"] == "allies")
    assert [c["refused"]["rule"] for c in evade["choices"] if "refused" in c] == ["22.523B"]
    fought = [line["text"] for step in steps for line in step["before"]["log"] if line["kind"] == "FleetCombatBegan"]
    assert any("CG2 fights United States' CG5" in text for text in fought)


# -- in a browser ----------------------------------------------------------------------------------------------------


class Visit:
    """A page in a browser; errors it writes are kept."""

    def __init__(
        self, site: Site, browser: Any, *, width: int = 1400, scheme: str = "light", cookies: Any = None
    ) -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
        )
        if cookies:
            self.context.add_cookies([{"name": n, "value": v, "url": site.address} for n, v in cookies.items()])
        self.page = self.context.new_page()
        self.address = site.address
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self.errors.append(line.text) if "Content Security" in line.text else None)

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *what: object) -> None:
        self.context.close()
        assert not self.errors

    def go(self, path: str) -> None:
        self.page.goto(self.address + path)
        if "/replay" in path and "nothing" not in path:
            self.page.wait_for_selector("#chart[data-step]")
        elif path.startswith("/tutorial"):
            self.page.wait_for_selector("#chart table")

    def at_step(self, step: int) -> None:
        self.page.wait_for_selector(f'#chart[data-step="{step}"]')
        assert self.page.text_content("#count").startswith(f"Step {step} of")
        assert self.page.get_attribute(".log li.here", "id") == f"step-{step}"
        assert self.page.url.endswith(f"#step-{step}")

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))


def test_a_finished_battle_is_gone_through_and_looked_at_from_all_chairs(site: Site, browser: Any) -> None:
    with site.anybody() as who:
        steps = who.get(f"/api/games/{site.over}/replay?seat=referee").json()["steps"]
    with Visit(site, browser) as visit:
        page = visit.page
        visit.go(f"/games/{site.over}/replay?seat=referee#step-12")
        visit.at_step(12)
        page.keyboard.press("ArrowRight")
        visit.at_step(13)
        page.keyboard.press("ArrowLeft")
        visit.at_step(12)
        rounds = [step["n"] for step in steps if step["level"] == 1]
        page.keyboard.press("Control+ArrowRight")
        visit.at_step(rounds[0] if rounds[0] > 12 else rounds[1])
        now = steps[int(page.url.rpartition("-")[2])]
        page.get_by_role("button", name="A segment on").click()
        place = (now["round"], now["segment"])
        after = next(step["n"] for step in steps[now["n"] + 1 :] if (step["round"], step["segment"]) != place)
        visit.at_step(after)
        page.get_by_role("button", name="A round back").click()
        page.locator("#slider").fill(str(len(steps) - 1))
        visit.at_step(len(steps) - 1)
        assert page.get_by_role("button", name="A step on").is_disabled()
        rolled = next(step for step in steps if step.get("dice") and step.get("roll") is not None)
        page.click(f"#step-{rolled['n']} a >> nth=0")
        visit.at_step(rolled["n"])
        assert page.locator("#roll .die").count() == len(rolled["dice"])
        ledger = visit.text("#roll .ledger")
        assert all(reason in ledger and rule in ledger for rule, reason, _ in rolled["lines"])
        assert "read on the table as" in ledger and str(rolled["roll"]) in ledger
        seen: dict[str, dict[int, str]] = {}
        for seat in SEATS:
            page.click(f'[data-seat="{seat}"]')
            page.wait_for_function("seat => location.search === `?seat=${seat}`", arg=seat)
            seen[seat] = {}
            for step in LOOKED_AT:
                page.locator("#slider").fill(str(step))
                visit.at_step(step)
                seen[seat][step] = visit.text("#fleets")
        assert max(len({texts[step] for texts in seen.values()}) for step in LOOKED_AT) == len(SEATS)
        page.evaluate("location.hash = '#step-5'")
        visit.at_step(5)
        text = page.evaluate(f"fetch('/api/games/{site.over}/report').then(answer => answer.text())")
        assert "Midway" in text and visit.text("#download") == "Download the whole recording"
        page.click("#results summary")
        assert page.locator("#carry li").count() > 4 and page.locator("#results a[download]").count() == 2


def test_a_battle_is_taken_up_again_from_its_replay(site: Site, browser: Any) -> None:
    with Visit(site, browser) as visit:
        visit.go(f"/games/{site.over}/replay?seat=axis#step-8")
        visit.at_step(8)
        visit.page.select_option("#whatif-side", "allies")
        visit.page.click("#whatif-go")
        visit.page.wait_for_url("**/join#*")
        with site.claim(visit.page.url.partition("#")[2]) as player:
            game = next(cookie.name.removeprefix("seat-").rpartition("-")[0] for cookie in player.cookies.jar)
            assert player.get(f"/api/games/{game}").json()["seat"] == "allies"


def test_while_a_battle_is_open_the_page_offers_one_s_own_chair_only(site: Site, browser: Any) -> None:
    with site.claim(site.open["allies"]) as player:
        cookies = dict(player.cookies)
    with Visit(site, browser, cookies=cookies) as visit:
        visit.go(f"/games/{site.open['game']}/replay?seat=axis#step-12")
        visit.at_step(12)
        assert "unknown" in visit.text("#chart") and "Nothing is known of it" in visit.text("#fleets")
        assert visit.page.locator("[data-seat]").count() == 1
        assert visit.page.get_attribute("[data-seat]", "data-seat") == "allies"
        assert "Enterprise" in visit.text("#fleets")
        assert not any(name in visit.page.content() for name in names_of(Side.AXIS))
        assert visit.page.locator("#whatif-go").count() == 0


def test_the_tutorial_is_walked_through_to_its_end_on_a_phone(site: Site, browser: Any) -> None:
    with Visit(site, browser, width=390) as visit:
        page = visit.page
        visit.go("/tutorial")
        for number, step in enumerate(tutorial.steps(), start=1):
            assert visit.text("#progress") == f"Step {number} of {len(tutorial.steps())}"
            assert visit.text("#step-title") == step["title"]
            for choice in sorted(step["choices"], key=lambda each: each["right"]):
                assert page.is_disabled("#on")
                page.get_by_role("button", name=choice["text"], exact=True).click()
                assert choice["why"][:20] in visit.text("#why")
                if "refused" in choice:
                    assert f"The engine refuses: {choice['refused']['reason']}" in visit.text("#why")
            if step["then"] and step["dice"]:
                assert "found" in visit.text("#chart")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            if number < len(tutorial.steps()):
                page.click("#on")
        page.click("#play")
        page.wait_for_url("**/join#*")


def test_a_term_shows_its_line_on_hover_focus_and_tap(site: Site, browser: Any) -> None:
    with Visit(site, browser) as visit:
        page = visit.page
        visit.go("/help")
        line = page.locator(".term-line")
        page.hover('dfn[data-term="active"]')
        line.wait_for(state="visible")
        assert rulebook.glossary()["active"].split("(")[0] in visit.text(".term-line")
        page.focus('dfn[data-term="distant"]')
        page.wait_for_function("() => document.querySelector('.term-line').textContent.startsWith('distant')")
        page.keyboard.press("Escape")
        line.wait_for(state="hidden")
        page.click('dfn[data-term="hidden"]')
        line.wait_for(state="visible")
        visit.go("/glossary")
        page.fill("#filter", "kamikaze")
        assert 0 < page.locator("#words [data-text]:not([hidden])").count() < 10


PAGES = (
    "/games/{over}/replay?seat=referee#step-60",
    "/games/nothing/replay",
    "/help",
    "/glossary",
    "/rules?find=screened",
    "/rules/22.54B",
    "/rules/48.51B",
    "/rulings/RC-10",
    "/tutorial#step-5",
)


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_no_page_has_a_serious_fault_for_those_who_do_not_see_or_use_a_mouse(
    site: Site, browser: Any, scheme: str
) -> None:
    with Visit(site, browser, scheme=scheme) as visit:
        for path in PAGES:
            visit.go(path.format(over=site.over))
            if path.startswith("/tutorial"):
                visit.page.get_by_role("button", name="CG3 and CG5").click()
            assert violations(visit.page) == [], path


def test_every_page_fits_a_phone(site: Site, browser: Any) -> None:
    with Visit(site, browser, width=390) as visit:
        for path in PAGES:
            visit.go(path.format(over=site.over))
            assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        visit.go(PAGES[0].format(over=site.over))
        visit.at_step(60)
        assert visit.page.locator(".chart.narrow").count() == 1
        for button in visit.page.query_selector_all(".keys button"):
            assert button.bounding_box()["height"] >= 32
