"""Advice over HTTP: on what is asked of a side, from what it knows and nothing more; enemies learn nothing of each other's
odds and advice; whoever goes away is fought for no longer."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import flagplot.web.hall as hall_module
import flagplot.web.odds_jobs as jobs_module
from flagplot.api import battle_advice
from flagplot.api.battle_odds import world_of_game
from flagplot.core.sides import Side
from flagplot.model.picture import Picture
from flagplot.odds.formations import before_numbers
from flagplot.play.game import Game
from flagplot.web import odds_page
from flagplot.web.odds_jobs import Job, Looked, OddsJobs
from tests.properties.test_swap import build, swapped, translate
from tests.web.swapping import PERSONS, Difference, SeededGame, an_answer
from tests.web.test_odds_answers import PATIENCE, settled
from tests.web.visitors import Server, Visitor, serving, words

PAIRS = 8  # battles, so that questions end


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("advice")) as running:
        running.app.state.odds.pairs = PAIRS
        running.app.state.odds.seconds = PATIENCE  # on a busy machine a turn counts for more than is fought in it
        yield running


def asked_for(people: dict[str, Visitor], kind: str, seat: str = "allies") -> Visitor:
    """Everybody takes what is offered until a seat is asked something of a kind."""
    for _ in range(60):
        asked = people[seat].view()["question"]
        if asked and asked["kind"] == kind:
            return people[seat]
        people[seat if asked else Side(seat).enemy.value].take_default()
    raise AssertionError(f"{kind} was never asked")


def test_a_player_is_advised_on_what_is_asked_of_him(server: Server) -> None:
    people = server.seated(scenario="midway", order_of_battle="hidden")
    allies = asked_for(people, "patrol")
    page = allies.get(f"/games/{allies.game}").text
    assert 'data-advice="patrols"' in page and 'id="advice-open"' in page
    told = settled(allies, allies.at("/advice"), {"value": "factors"})
    answer = told["answer"]
    assert told["state"] == "done" and answer["on"] == "patrol" and answer["value"] == "factors"
    assert answer["each"] == PAIRS and answer["battles"] == answer["of"] == PAIRS * len(answer["choices"]) * len(
        answer["enemy"]
    )
    assert sum(each["share"]["is"] for each in answer["choices"]) == pytest.approx(1, abs=1e-5)
    assert all(each["share"]["error"] >= 0 and each["cost"]["error"] >= 0 for each in answer["choices"])
    assert min(each["cost"]["is"] for each in answer["choices"]) == pytest.approx(0, abs=1e-5)
    assert answer["exploitable"] == pytest.approx(0, abs=1e-5) and answer["exploitable_by_chance"] >= 0
    assert [group["number"] for group in answer["belief"]] and "[[group]]" in answer["belief_text"]
    assert allies.post(allies.at("/advice"), {"value": "factors"}).json() == told  # nothing is fought twice
    theirs = people["axis"].get(f"/games/{allies.game}").text
    assert 'data-advice="' in theirs


def test_groups_are_numbered_with_advice_and_an_enemy_nobody_has_seen(server: Server) -> None:
    axis = asked_for(server.seated(scenario="denmark-strait", order_of_battle="hidden"), "number", "axis")
    one = '[[group]]\nnumber = 3\nname = "x"\nships = ["Hood"]\n'
    answer = settled(axis, axis.at("/advice"), {"belief": one, "value": "factors"})["answer"]
    assert answer["on"] == "number" and [each["number"] for each in answer["belief"]] == [3]
    assert "Hood" in answer["belief"][0]["holds"]
    assert len(answer["choices"]) == len(answer["enemy"]) == 6  # one group a side, six numbers
    assert sorted(each["choice"][:3] for each in answer["choices"]) == [f"CG{number}" for number in range(1, 7)]
    for belief, why in (
        ("[group]", "group"),
        ("group = []\n", "one enemy group or more"),
        (one + one, "a name of its own"),
        (one + one.replace('"x"', '"y"').replace("Hood", "Repulse"), "a number of its own"),
        (one.replace("3", "0"), "a number of its own"),
        (one.replace("3", "7"), "0 to 6"),
        (one.replace("Hood", "Ark"), "Ark"),
    ):
        refused = axis.post(axis.at("/advice"), {"belief": belief})
        assert refused.status_code == 422 and why in words(refused), belief


def test_there_is_none_where_nothing_of_the_kind_is_asked(server: Server) -> None:
    people = server.seated(scenario="midway", order_of_battle="hidden")
    allies = asked_for(people, "air search")
    told = allies.post(allies.at("/advice")).json()
    assert told["state"] == "none" and "nothing of the kind is asked of you now" in told["why"]
    assert 'data-advice=""' in allies.get(f"/games/{allies.game}").text
    people["host"].post(people["host"].at("/close"), {"why": "late"})
    assert allies.post(allies.at("/advice")).json()["why"] == "the game has been closed"


def test_a_game_without_odds_has_no_advice_and_others_are_not_advised(server: Server, tmp_path: Path) -> None:
    axis = server.seated(odds=False)["axis"]
    told = axis.post(axis.at("/advice")).json()
    assert told["state"] == "off" and "switched off" in told["why"]
    assert 'data-advice=""' in axis.get(f"/games/{axis.game}").text
    people = server.seated(spectators=True, referee=True)
    for path in ("/advice", "/odds/stop"):
        for other in (people["host"], people["referee"], server.visitor(), axis):
            assert other.post(people["axis"].at(path)).status_code == 404
        assert people["axis"].post(people["axis"].at(path), origin="https://elsewhere.example").status_code == 403
    with serving(tmp_path, odds_workers=0) as other_server:
        player = other_server.seated()["axis"]
        assert player.post(player.at("/advice")).json()["why"] == "this server gives no odds"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"value": "glory"}, "value"),
        ({"own": {"strike": 99}}, "from 0 to 12"),
        ({"enemy": {"courage": 1}}, "no number 'courage'"),
        ({"leave_out": ["x"]}, "leave_out"),
        ({"belief": "nonsense"}, "belief"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(server: Server, body: dict[str, Any], said: str) -> None:
    axis = asked_for(server.seated(), "number", "axis")
    refused = axis.post(axis.at("/advice"), body)
    assert refused.status_code == 422 and said in words(refused)


# -- what the enemy learns ------------------------------------------------------------------------------


def watch(server: Server, monkeypatch: pytest.MonkeyPatch, seed: int) -> set[str]:
    """The swap test: ships of the axis exchanged between groups nobody has met. Whatever the allies are asked, what is
    fought for them, odds and advice, is the same world to the last ship; also when only one axis has decided already.
    What was compared."""
    monkeypatch.setattr(hall_module, "Game", SeededGame)
    put: list[Any] = []

    def ask(self: OddsJobs, key: Any, asker: Any, question: Any, **how: Any) -> Looked:
        put.append((key[1:], asker[1:], question, how))
        return Looked("running")

    monkeypatch.setattr(OddsJobs, "ask", ask)
    random = Random(seed)
    setup, exchange = build(random)
    SeededGame.seed = seed
    games = []
    for each in (setup, swapped(setup, exchange)):
        made = server.hall.create(each, scenario="swap", players=PERSONS)
        games.append({seat: server.visitor().claim(f"#{token}") for seat, token in made.invitations.items()})
    lives = [server.hall.game(game["axis"].game) for game in games]
    compared: set[str] = set()

    def compare(kind: str) -> None:
        for path in ("/odds", "/advice"):
            put.clear()
            told = [game["allies"].post(game["allies"].at(path)) for game in games]
            if told[0].status_code != told[1].status_code or told[0].content != told[1].content:
                raise Difference(f"{path} at {kind}: {told[0].text} against {told[1].text}")
            if put:
                if put[0] != put[1] or repr(put[0]) != repr(put[1]):
                    raise Difference(f"{path} at {kind}: another question")
                compared.add(f"{path} {kind}")

    for _ in range(30):
        if lives[0].game.over or lives[0].game.battle.round > 1:
            break
        side = next(side for side in Side if lives[0].game.decision(side))
        decision = lives[0].game.decision(side)
        assert decision
        mine = lives[0].game.decision(Side.ALLIES)
        compare(mine.kind if mine else "nothing")
        wire = an_answer(decision, random)
        for game, live in zip(games, lives, strict=True):
            sent = translate(wire, exchange) if live is lives[1] and side is Side.AXIS else wire
            told = game[side.value].answer(sent, question=live.game.question_number(side))
            assert told.status_code == 200, told.text
            if side is Side.AXIS and all(each.game.decision(Side.ALLIES) for each in lives):
                compare("while the enemy decides")
    return compared


def test_two_games_whose_secrets_differ_put_the_same_questions(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = watch(server, monkeypatch, 7)
    assert {"/advice number", "/odds while the enemy decides"} <= compared


def odds_of_the_truth(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(odds_page, "world_of_game", lambda game, side, belief="": world_of_game(game, None))


def numbers_by_the_truth(patch: pytest.MonkeyPatch) -> None:
    """The enemy's forces, which his order of battle hides, formed as they are."""

    def seen(edition: Any, options: Any, picture: Any, public: Any, *, decision: Any, **how: Any) -> Any:
        (game,) = [
            each for each in gc.get_objects() if isinstance(each, Game) and each.picture(decision.side) is picture
        ]
        truth = Picture(decision.side)
        truth.battle = game.battle
        return before_numbers(edition, options, truth, public, decision=decision, **how)

    patch.setattr(battle_advice, "before_numbers", seen)


def questions_count_what_is_recorded(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(odds_page, "version", lambda live, side: len(live.game.journal))


@pytest.mark.parametrize("plant", [odds_of_the_truth, numbers_by_the_truth, questions_count_what_is_recorded])
def test_a_planted_leak_is_noticed(
    server: Server, monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None]
) -> None:
    plant(monkeypatch)
    with pytest.raises(Difference):
        watch(server, monkeypatch, 7)


def test_enemies_share_no_process_and_no_places(server: Server) -> None:
    """Neither how fast a question is fought nor that there is room for it tells whether the enemy asks anything."""
    jobs: OddsJobs = server.app.state.odds
    people = server.seated(scenario="midway", order_of_battle="hidden")
    for seat in ("axis", "allies"):
        settled(asked_for(people, "patrol", seat), people[seat].at("/advice"))
    server.visitor().post("/api/odds", {"scenario": "midway", "page": "x"})
    processes = {lane.whose: lane.process and lane.process.pid for lane in jobs.lanes}
    assert sorted(processes) == ["allies", "axis", "page"]
    assert len(set(processes.values())) == 3
    made = {job.asker: job for job in jobs.jobs.values()}
    one, two = made[people["axis"].game, Side.AXIS], made[people["axis"].game, Side.ALLIES]
    assert (one.whose, two.whose) == ("axis", "allies") and one.lane is not two.lane


# -- who goes away ---------------------------------------------------------------------------------------


def test_whoever_goes_is_fought_for_no_longer(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said at once by the page, not after five seconds: the turn it has is its last. Coming back goes on from there."""
    jobs: OddsJobs = server.app.state.odds
    monkeypatch.setattr(jobs, "pairs", None)
    people = server.seated(scenario="midway", order_of_battle="hidden")
    allies = asked_for(people, "patrol")
    monkeypatch.setattr(jobs_module, "LOOKED_AT", 1000.0)
    path = allies.at("/advice")
    until = time.monotonic() + PATIENCE
    while not (told := allies.post(path).json())["answer"]:
        assert time.monotonic() < until
    assert told["state"] == "running"
    (job,) = [job for job in jobs.jobs.values() if job.asker == (allies.game, Side.ALLIES) and not job.last]
    assert allies.post(allies.at("/odds/stop")).status_code == 204
    assert not job.active(time.monotonic())
    had = -1.0
    while job.had != had:
        assert time.monotonic() < until
        had = job.had
        time.sleep(0.6)
    assert job.answer and not job.last
    assert allies.post(path).json()["answer"]["battles"] >= told["answer"]["battles"]
    assert job.active(time.monotonic())
    allies.post(allies.at("/odds/stop"))
    visitor = server.visitor()
    asked = {"scenario": "coral-sea", "page": "goes", "width": 0.001}
    visitor.post("/api/odds", asked)
    (of_page,) = [job for job in jobs.jobs.values() if job.asker == ("page", "goes")]
    assert visitor.post("/api/odds/stop", {"page": "goes"}).status_code == 204
    assert of_page.given_up
    assert visitor.post("/api/odds/stop", {"page": "../x"}).status_code == 422


def test_a_process_nobody_asks_anything_ends_and_another_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "IDLE", 0.0)
    jobs = OddsJobs(1, early=True)
    try:
        jobs.warm("axis")
        (lane,) = jobs.lanes
        lane.thread.join(PATIENCE)
        assert not lane.thread.is_alive() and lane.process is None and jobs.lanes == []
        monkeypatch.setattr(jobs_module, "IDLE", 1000.0)
        jobs.warm("axis")
        assert [each.whose for each in jobs.lanes] == ["axis"]
        OddsJobs(1).warm("axis")  # only where the host wants it
        kept = Job(1, "asker", None, "", "axis")  # type: ignore[arg-type]
        kept.lane = object()  # type: ignore[assignment]
        jobs.jobs["key"] = kept
        assert not jobs.left(jobs.lanes[0])  # something has just come
    finally:
        jobs.jobs.clear()
        jobs.end()
