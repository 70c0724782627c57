"""Odds over HTTP: from what a side knows and nothing more, off the request path, given up when nobody looks."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

import flagplot.web.hall as hall_module
import flagplot.web.odds_jobs as jobs_module
from flagplot.core.errors import PlayerError
from flagplot.core.sides import Side
from flagplot.web.odds_jobs import OddsJobs
from flagplot.web.odds_page import gives_odds
from flagplot.web.settings import from_environment
from tests.properties.test_swap import build, swapped, translate
from tests.web.swapping import PERSONS, SeededGame, an_answer
from tests.web.visitors import Server, Visitor, serving, words

MOST = 6
PATIENCE = 120.0  # seconds: the worker is started at the first question, and the machine may be busy


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("odds")) as running:
        running.app.state.odds.most = MOST  # battles, so that questions end
        running.app.state.odds.seconds = PATIENCE
        yield running


@pytest.fixture(scope="module")
def allies(server: Server) -> Visitor:
    """A player whose battle has begun, and to whom the enemy is hidden."""
    return formed(server.seated(scenario="midway", order_of_battle="hidden"))["allies"]


def formed(people: dict[str, Visitor]) -> dict[str, Visitor]:
    """Everybody takes what is offered until the combat groups are formed."""
    while people["axis"].post(people["axis"].at("/odds")).json()["state"] == "none":
        for seat in ("axis", "allies"):
            people[seat].take_default()
    return people


def settled(visitor: Visitor, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """Look until the answer is the last."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        answer = visitor.post(path, body)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        if told["state"] not in ("running", "busy"):
            return told
        time.sleep(0.1)
    raise AssertionError(f"no last answer in {PATIENCE} seconds: {told['state']}")


@contextmanager
def places(jobs: OddsJobs, taken: int, whose: str) -> Iterator[None]:
    """Others who share a process ask, and keep looking: no turn is given to anybody."""
    before = jobs.jobs
    jobs.jobs = {}
    try:
        with jobs.changed:
            for number in range(taken):
                made = jobs_module.Job(10_000 + number, f"other {number}", None, "", whose)  # type: ignore[arg-type]
                made.lane = object()  # type: ignore[assignment]
                made.looked = time.monotonic() + PATIENCE
                jobs.jobs[f"other {number}"] = made
        yield
    finally:
        jobs.jobs = before


# -- a game ---------------------------------------------------------------------------------------------


def test_a_player_is_told_the_odds_of_his_battle(allies: Visitor) -> None:
    told = settled(allies, allies.at("/odds"))
    answer = told["answer"]
    assert (told["state"], answer["battles"], answer["last"]) == ("done", MOST, True)
    assert "as many as were allowed" in answer["why"]
    assert answer["sides"]["allies"]["name"] == "United States"
    assert sum(answer["win"][who]["chance"] for who in ("axis", "allies", "nobody")) == pytest.approx(1.0)
    assert [group["number"] for group in answer["belief"]] and "[[group]]" in answer["belief_text"]
    assert answer["sentence"].startswith("Midway, June 1942: ")
    again = allies.post(allies.at("/odds"))  # nothing is fought twice
    assert again.json() == told


def test_there_are_no_odds_before_the_groups_are_formed_nor_after_the_end(server: Server) -> None:
    people = server.seated()
    told = people["axis"].post(people["axis"].at("/odds")).json()
    assert told["state"] == "none" and told["answer"] is None and "not formed yet" in told["why"]
    people["host"].post(people["host"].at("/close"), {"why": "late"})
    told = people["axis"].post(people["axis"].at("/odds")).json()
    assert (told["state"], told["why"]) == ("none", "the game has been closed")


def test_only_players_ask_and_only_for_their_own_game(server: Server) -> None:
    people = server.seated(spectators=True, referee=True)
    path = people["axis"].at("/odds")
    for other in (people["host"], people["referee"], server.visitor(), server.seated()["axis"]):
        assert other.post(path).status_code == 404
    assert people["axis"].post(path, origin="https://elsewhere.example").status_code == 403


def test_a_game_may_be_made_without_odds(server: Server) -> None:
    people = server.seated(odds=False)
    told = people["axis"].post(people["axis"].at("/odds")).json()
    assert told == {
        "state": "off",
        "why": "odds are switched off in this game: so it was made",
        "mark": "",
        "answer": None,
    }
    page = people["axis"].get(f"/games/{people['axis'].game}").text
    assert "odds <b>off</b>" in page
    with_odds = server.seated()["axis"]
    assert "odds <b>off</b>" not in with_odds.get(f"/games/{with_odds.game}").text


def test_a_game_that_musters_may_be_made_without_odds(server: Server) -> None:
    game = server.new_game(scenario="midway", order_of_battle="hidden", muster=True, odds=False)["game"]
    assert not gives_odds(server.hall, game)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"belief": "[[group]]\nnumber = 1\ncruisers = 99999"}, ""),
        ({"belief": "nonsense"}, "belief"),
        ({"belief": '[[group]]\nnumber = 4\nname = "x"\ncruisers = 1'}, "what each hidden group holds"),
        ({"leave_out": ["axis:luck"]}, "there is no line"),
        ({"own": {"strike": 99}}, "from 0 to 12"),
        ({"enemy": {"courage": 1}}, "no number 'courage'"),
        ({"belief": "x" * 20_001}, "belief"),
        ({"seed": 1}, "seed"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence_and_nothing_is_lost(
    allies: Visitor, body: dict[str, Any], said: str
) -> None:
    path = allies.at("/odds")
    before = settled(allies, path)
    refused = allies.post(path, body)
    assert refused.status_code == 422 and said in words(refused)
    assert allies.post(path).json() == before


def test_a_belief_and_a_doctrine_of_ones_own_are_reckoned_with(allies: Visitor) -> None:
    path = allies.at("/odds")
    usual = settled(allies, path)["answer"]
    heavier = usual["belief_text"].replace("ships = [", 'ships = ["Yamato", ', 1)
    mine = settled(allies, path, {"belief": heavier, "own": {"patrol": 0}})["answer"]
    assert "Yamato" in mine["belief"][0]["holds"] and "Yamato" not in usual["belief"][0]["holds"]
    assert mine["doctrines"]["allies"]["patrol"] == 0 and mine["doctrines"]["axis"]["patrol"] == 2
    without = settled(allies, path, {"leave_out": ["allies:research:radar"]})["answer"]
    assert without["left_out"] == ["allies:research:radar"] and without["lines"] == usual["lines"]


def test_two_games_whose_secrets_differ_have_the_same_odds(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The swap test: ships of the axis exchanged between groups nobody has met; the second axis also decides sooner."""
    monkeypatch.setattr(hall_module, "Game", SeededGame)
    random = Random(7)
    setup, exchange = build(random)
    SeededGame.seed = 7
    assert any(one != two for one, two in exchange.items())
    games = []
    for each in (setup, swapped(setup, exchange)):
        made = server.hall.create(each, scenario="swap", players=PERSONS)
        games.append({seat: server.visitor().claim(f"#{token}") for seat, token in made.invitations.items()})
    lives = [server.hall.game(game["axis"].game) for game in games]
    compared = 0
    while compared < 3:
        side = next(side for side in Side if lives[0].game.decision(side))
        decision = lives[0].game.decision(side)
        assert decision
        wire = an_answer(decision, random)
        for game, live in zip(games, lives, strict=True):
            sent = translate(wire, exchange) if live is lives[1] and side is Side.AXIS else wire
            told = game[side.value].answer(sent, question=live.game.question_number(side))
            assert told.status_code == 200, told.text
            if live is lives[0] and side is Side.AXIS and lives[1].game.decision(Side.ALLIES) and compared:
                first, second = (each["allies"].post(each["allies"].at("/odds")) for each in games)
                assert first.json()["mark"] == second.json()["mark"]  # one axis has decided, the other has not
        kinds = [settled(game["allies"], game["allies"].at("/odds")) for game in games]
        if kinds[0]["state"] == "done":
            last = [game["allies"].post(game["allies"].at("/odds")) for game in games]
            assert last[0].content == last[1].content
            assert last[0].headers.items() == last[1].headers.items()
            compared += 1
        else:
            assert kinds[0] == kinds[1]


# -- the page of its own ----------------------------------------------------------------------------------


def test_a_scenario_has_odds_as_it_is_and_as_a_side_knows_it(server: Server) -> None:
    visitor = server.visitor()
    asked = {"scenario": "denmark-strait", "page": "one", "seed": 3}
    truth = settled(visitor, "/api/odds", asked)["answer"]
    assert truth["belief"] == [] and truth["seed"] == 3 and truth["title"].startswith("Denmark Strait")
    known = settled(visitor, "/api/odds", asked | {"side": "axis"})["answer"]
    assert known["belief"]
    drawn = visitor.post("/api/odds", asked | {"side": "axis", "drawing": True}).json()
    assert drawn["drawing"].startswith("<svg ") and drawn["answer"] == known


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"scenario": "atlantis"}, 404, "there is no battle called"),
        ({"scenario": "../../etc/passwd"}, 404, "there is no battle called"),
        ({"scenario": "war"}, 422, "odds are of one battle"),
        ({"scenario": "operation-malta"}, 422, "odds are of one battle"),
        ({"scenario": "midway", "width": 0}, 422, "width"),
        ({"scenario": "midway", "seed": -1}, 422, "seed"),
        ({"scenario": "midway", "side": "allies", "belief": "x = 1"}, 422, "x"),
        ({}, 422, "of which battle?"),
        ({"setup": "nowhere"}, 404, "no such set-up"),
        ({"setup": "../x"}, 422, "setup"),
    ],
)
def test_the_page_is_refused_in_a_sentence(server: Server, body: dict[str, Any], status: int, said: str) -> None:
    refused = server.visitor().post("/api/odds", body)
    assert refused.status_code == status and said in words(refused)


def test_a_battle_set_up_by_hand_has_odds_by_its_link(server: Server) -> None:
    """By its own edition unless another is asked for; what cannot be played is said with its line, on the page too."""
    visitor = server.visitor()
    text = visitor.get("/api/scenarios/denmark-strait").json()["text"]
    mine = text.replace("Denmark Strait, May 1941", "The Faroes").replace("format = 1", 'format = 1\nedition = "2008"')
    id = visitor.post("/api/setups", {"text": mine}).json()["id"]
    answer = settled(visitor, "/api/odds", {"setup": id, "page": "mine"})["answer"]
    assert answer["title"] == "The Faroes" and answer["edition"] == "2008"
    assert settled(visitor, "/api/odds", {"setup": id, "edition": "current"})["answer"]["edition"] == "current"
    page = visitor.get(f"/odds?setup={id}").text
    assert f'data-setup="{id}"' in page and "The Faroes" in page and 'data-edition="2008"' in page
    broken = visitor.post("/api/setups", {"text": mine.replace('"Bismarck"', '"Bismark"')}).json()["id"]
    refused = visitor.post("/api/odds", {"setup": broken})
    assert refused.status_code == 422 and "Bismark" in words(refused) and "line" in words(refused)
    for id, why in ((broken, "Bismark"), ("nowhere", "no such set-up")):
        page = visitor.get(f"/odds?setup={id}").text
        assert "This set-up has no odds" in page and why in page and "data-setup" not in page


# -- many questions --------------------------------------------------------------------------------------


def test_a_first_answer_comes_at_once_and_pages_stay_quick_while_odds_are_fought(server: Server) -> None:
    jobs: OddsJobs = server.app.state.odds
    visitor = server.visitor()
    settled(visitor, "/api/odds", {"scenario": "river-plate", "page": "warm"})
    jobs.most = 100_000
    try:
        begun = time.monotonic()
        while not visitor.post("/api/odds", {"scenario": "midway", "page": "load"}).json()["answer"]:
            assert time.monotonic() - begun < 10  # half a second where nobody else works
        looks = []
        for _ in range(10):
            begun = time.monotonic()
            assert server.visitor().get("/api/games").status_code == 200
            looks.append(time.monotonic() - begun)
            told = visitor.post("/api/odds", {"scenario": "midway", "page": "load"}).json()
            assert told["state"] in ("running", "done") and told["answer"]  # compiled battles are soon fought
        assert sorted(looks)[5] < 1.0
    finally:
        jobs.most = MOST


def test_too_many_questions_are_told_to_come_again(server: Server) -> None:
    jobs: OddsJobs = server.app.state.odds
    people = formed(server.seated())
    body = {"scenario": "midway", "page": "busy"}
    with places(jobs, jobs_module.PLACES, "axis"):
        told = people["axis"].post(people["axis"].at("/odds")).json()
        assert (told["state"], told["answer"]) == ("busy", None) and "ask again" in told["why"]
    with places(jobs, jobs_module.PLACES, "allies"):  # whom the enemy's questions do not concern
        assert settled(people["axis"], people["axis"].at("/odds"))["state"] == "done"
        assert people["allies"].post(people["allies"].at("/odds")).json()["state"] == "busy"
        assert server.visitor().post("/api/odds", body | {"page": "other"}).json()["state"] != "busy"
    with places(jobs, 4, "page"):
        assert server.visitor().post("/api/odds", body).json()["state"] == "busy"


def test_a_question_nobody_looks_at_is_stopped_and_kept_for_a_while(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs: OddsJobs = server.app.state.odds
    jobs.most = 100_000
    monkeypatch.setattr(jobs_module, "LOOKED_AT", 0.6)
    visitor, body = server.visitor(), {"scenario": "coral-sea", "page": "left", "width": 0.001}
    try:
        until = time.monotonic() + PATIENCE
        while not (told := visitor.post("/api/odds", body).json())["answer"]:
            assert time.monotonic() < until
        (job,) = [job for job in jobs.jobs.values() if job.asker == ("page", "left")]
        had = -1.0
        while job.had != had:  # the turn it has is its last
            assert time.monotonic() < until
            had = job.had
            time.sleep(1.2)
        assert not job.last and job.answer
        again = visitor.post("/api/odds", body).json()  # and goes on where it was
        assert again["state"] == "running" and again["answer"]["battles"] >= told["answer"]["battles"]
        other = {"scenario": "coral-sea", "page": "left", "seed": 5}
        visitor.post("/api/odds", other)
        assert job.given_up  # who asks something else has given up what he asked before
        monkeypatch.setattr(jobs_module, "KEPT", 0.0)
        time.sleep(0.01)
        visitor.post("/api/odds", other)
        assert job not in jobs.jobs.values()
    finally:
        jobs.most = MOST


def test_a_worker_that_dies_is_replaced(server: Server) -> None:
    jobs: OddsJobs = server.app.state.odds
    visitor = server.visitor()
    settled(visitor, "/api/odds", {"scenario": "taranto", "page": "dies"})
    (lane,) = [lane for lane in jobs.lanes if lane.whose == "page"]
    assert lane.process is not None
    lane.process.kill()
    lane.process.join(5)
    body = {"scenario": "taranto", "page": "dies", "seed": 1}
    told = settled(visitor, "/api/odds", body)
    if told["state"] == "none":
        assert "ask again" in told["why"]
        told = settled(visitor, "/api/odds", body | {"seed": 2})
    assert told["state"] == "done"


def test_nothing_is_started_before_somebody_asks_and_everything_ends_with_the_server(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        jobs: OddsJobs = server.app.state.odds
        assert server.visitor().get("/odds").status_code == 200 and jobs.lanes == []
        server.visitor().post("/api/odds", {"scenario": "midway"})
        (lane,) = jobs.lanes
        until = time.monotonic() + PATIENCE
        while (process := lane.process) is None and time.monotonic() < until:
            time.sleep(0.01)
    assert process is not None and not process.is_alive()
    assert not lane.thread.is_alive()
    assert "odds" not in [thread.name for thread in threading.enumerate() if thread is lane.thread]


def test_a_host_decides_how_many_processes_fight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGPLOT_ODDS_WORKERS", "0")
    assert from_environment().odds_workers == 0
    with serving(tmp_path, odds_workers=0) as server:
        assert server.visitor().post("/api/odds", {"scenario": "midway"}).json()["state"] == "off"
        axis = server.seated()["axis"]
        assert axis.post(axis.at("/odds")).json()["why"] == "this server gives no odds"
    monkeypatch.setenv("FLAGPLOT_ODDS_WORKERS", "many")
    with pytest.raises(PlayerError, match="FLAGPLOT_ODDS_WORKERS is a number from 0"):
        from_environment()
