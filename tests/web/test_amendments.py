"""Amendments and take-backs over HTTP, whose turn it is at one screen, the referee's view, and games that newer rules stop."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import select, update
from typer.testing import CliRunner

from flagplot.cli.main import app as command
from flagplot.core.sides import Side
from flagplot.core.tape import Amended, Undone
from flagplot.web.backup import verify
from flagplot.web.database import GAMES, JOURNAL
from flagplot.web.forks import fork
from flagplot.web.hall import Hall
from flagplot.web.settings import Limits
from tests.web.visitors import Server, Visitor, new_id, play_on, serving, words

HITS = {"kind": "ship", "side": "axis", "ship": "Bismarck", "becomes": "hits", "hits": 1}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as running:
        yield running


def propose(who: Visitor, change: dict[str, Any] | None = None, **more: Any) -> Any:
    return who.post(who.at("/amendments"), {"id": new_id(), "change": change or HITS, **more})


def answer(who: Visitor, way: str, proposal: str, **more: Any) -> Any:
    return who.post(who.at(f"/amendments/{way}"), {"id": new_id(), "proposal": proposal, **more})


def waiting(who: Visitor) -> Any:
    return who.get(who.at("/amendments")).json()["proposal"]


def lines(server: Server, game: str) -> list[Any]:
    return list(server.hall.game(game).game.journal)


def again(server: Server) -> Hall:
    """The same games after a restart."""
    return Hall(server.hall.database, server.hall.settings)


# -- proposing and answering ---------------------------------------------------------------------------------


def test_a_proposal_is_read_word_for_word_and_accepted_into_the_journal(server: Server) -> None:
    people = server.seated()
    axis, allies, host = people["axis"], people["allies"], people["host"]
    told = propose(axis, words="the gunnery of round 0").json()
    assert told["ok"] is False
    for who, mine, asked in ((axis, True, False), (allies, False, True)):
        waits = waiting(who)
        assert (waits["mine"], waits["asked"], waits["words"]) == (mine, asked, "the gunnery of round 0")
        assert waits["text"] == "Germany's Bismarck: 1 hit, not damaged"
    assert waiting(host) is None, "the host is told what everyone is told"
    assert again(server).game(axis.game).proposal, "it survives a restart"
    assert answer(axis, "accept", told["proposed"]).status_code == 409, "nobody accepts his own"
    assert answer(host, "accept", told["proposed"]).status_code == 409
    accepted = {"id": new_id(), "proposal": told["proposed"]}
    first = allies.post(allies.at("/amendments/accept"), accepted)
    assert first.json()["ok"] is True
    assert allies.post(allies.at("/amendments/accept"), accepted).json() == first.json(), "sent again it counts once"
    journal = [line for line in lines(server, axis.game) if isinstance(line, Amended)]
    assert len(journal) == 1 and journal[0].agreed == ("allies",)
    assert waiting(axis) is None
    for who in (axis, allies, host):
        assert any("Amendment from the next segment on" in line["text"] for line in who.view()["log"])
        assert who.view()["amendments"] == ["Germany's Bismarck: 1 hit, not damaged"]
    play_on({"axis": axis, "allies": allies}, 12)
    assert any("Amended by agreement" in line["text"] for line in allies.view()["log"])
    assert verify(server.hall.database).faults == []


def test_a_proposal_can_be_declined_withdrawn_and_replaced(server: Server) -> None:
    people = server.seated()
    axis, allies, host = people["axis"], people["allies"], people["host"]
    first = propose(axis).json()["proposed"]
    assert "answer it first" in words(propose(allies))
    second = propose(axis, {**HITS, "hits": 2}).json()["proposed"]
    assert answer(allies, "accept", first).status_code == 409, "what was read is no longer what waits"
    assert answer(host, "decline", second).status_code == 409
    assert answer(allies, "decline", second).json() == {"ok": True}
    assert waiting(axis) is None and answer(allies, "decline", second).status_code == 409
    third = propose(axis).json()["proposed"]
    assert answer(axis, "decline", third).json() == {"ok": True}
    said = [note["text"] for note in axis.view()["notes"]]
    assert said == ["does not agree to the amendment", "withdraws the amendment"]
    assert not any(isinstance(line, Amended) for line in lines(server, axis.game))


def test_nobody_pesters_the_enemy_with_proposals(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(takebacks_a_minute=3)) as server:
        axis = server.seated()["axis"]
        assert [propose(axis).status_code for _ in range(4)] == [200, 200, 200, 429]


def test_what_the_host_proposes_both_sides_must_accept(server: Server) -> None:
    people = server.seated(order_of_battle="open")
    told = propose(people["host"]).json()["proposed"]
    assert answer(people["axis"], "accept", told).json()["ok"] is False
    assert waiting(people["allies"])["asked"] and not waiting(people["axis"])["asked"]
    assert answer(people["axis"], "accept", told).status_code == 409
    assert answer(people["allies"], "accept", told).json()["ok"] is True
    line = lines(server, people["axis"].game)[-1]
    assert isinstance(line, Amended) and (line.who, line.agreed) == ("host", ("axis", "allies"))


def test_against_a_bot_it_is_accepted_at_once_and_sent_again_counts_once(server: Server) -> None:
    axis = server.seated(allies="admiral")["axis"]
    body = {"id": new_id(), "change": HITS}
    first = axis.post(axis.at("/amendments"), body)
    assert first.json()["ok"] is True and axis.post(axis.at("/amendments"), body).json() == first.json()
    assert sum(isinstance(line, Amended) for line in lines(server, axis.game)) == 1


def test_light_ships_too_many_are_proposed_like_any_other_change(server: Server) -> None:
    people = server.seated()
    to = people["allies"].get(people["allies"].at("/amendments")).json()["sides"]["allies"]["places"][0]
    change = {"kind": "remove", "side": "allies", "to": to, "light": {"Britain/DD": 1}}
    assert "only Britain can propose that" in words(propose(people["axis"], change))
    assert "has" in words(propose(people["allies"], {**change, "light": {"Britain/DD": 99}}))
    propose(people["allies"], {**change, "sunk": False})
    assert waiting(people["axis"])["text"] == f"Britain's {to} never had Britain 1 DD"


def test_illegal_proposals_are_refused_in_words_and_strangers_altogether(server: Server) -> None:
    people = server.seated(order_of_battle="hidden")
    allies = people["allies"]
    unknown = propose(allies)
    assert "not known to be afloat" in words(unknown)
    invented = propose(allies, {**HITS, "ship": "Bismarcc"})
    assert words(invented).replace("Bismarcc", "Bismarck") == words(unknown), "a refusal tells nothing of hidden ships"
    assert "only Germany can propose that" in words(
        propose(allies, {"kind": "add", "side": "axis", "to": "CG1", "ships": ["Tirpitz"]})
    )
    for wrong in ({**HITS, "hits": -1}, {**HITS, "becomes": "purple"}, {"kind": "weather", "side": "axis"}):
        assert propose(people["axis"], wrong).status_code == 422
    stranger = server.visitor()
    stranger.game = allies.game
    assert stranger.get(stranger.at("/amendments")).status_code == 404
    assert propose(stranger).status_code == 404 and answer(stranger, "accept", "x").status_code == 404
    offers = allies.get(allies.at("/amendments")).json()["sides"]
    assert offers["axis"]["ships"] == [] and "Bismarck" not in json.dumps(offers)
    assert "Hood" in offers["allies"]["ships"]


def test_nothing_is_put_right_in_a_closed_or_finished_game(server: Server) -> None:
    people = server.seated()
    propose(people["axis"])
    people["axis"].post(people["axis"].at("/close"))
    assert propose(people["axis"]).status_code == 409
    over = server.seated()
    waits = propose(over["axis"]).json()["proposed"]
    play_on(over)
    assert over["axis"].view()["over"] and waiting(over["allies"]) is None
    assert answer(over["allies"], "accept", waits).status_code == 409 and propose(over["axis"]).status_code == 409


def test_a_fork_and_the_replay_know_amendments(server: Server) -> None:
    axis = server.seated(allies="admiral")["axis"]
    assert propose(axis).json()["ok"]
    play_on({"axis": axis})
    live = server.hall.game(axis.game)
    assert live.game.over
    steps = axis.get(axis.at("/replay?seat=referee")).json()["steps"]
    told = next(step["n"] for step in steps if "Amended by agreement" in step["text"])
    board = axis.get(axis.at(f"/replay/{told}?seat=referee")).json()
    ships = [ship for group in board["sides"]["axis"]["groups"] for ship in group["ships"]]
    assert next(ship["hits"] for ship in ships if ship["name"] == "Bismarck") == 1
    forked = fork(server.hall, live, told + 3, Side.AXIS, seat="referee")
    assert any(isinstance(line, Amended) for line in lines(server, forked.id))
    assert any("Amended by agreement" in part for part in axis.view()["results"])
    carried = axis.get(axis.at("/results")).json()
    assert set(carried["sides"]["axis"]) >= {"sunk", "damaged", "hits", "inverted", "bases", "returned"}
    assert "Sunk:" in axis.get(axis.at("/results.txt")).text


# -- taking back ---------------------------------------------------------------------------------------------------


def test_a_request_to_take_back_survives_a_restart_and_is_ended_by_a_grant_or_by_orders(server: Server) -> None:
    people = server.seated(scenario="midway")
    axis, allies = people["axis"], people["allies"]
    while axis.view()["segment"] == "formation" or not axis.view()["question"]:
        play_on({"axis": axis, "allies": allies}, 2)
    asked = axis.post(axis.at("/undo"), {"id": new_id()}).json()
    assert asked == {"ok": False, "asked": True}
    assert again(server).game(axis.game).wants_back is Side.AXIS
    assert allies.view()["takeback"] == "enemy"
    assert allies.post(allies.at("/undo"), {"id": new_id(), "agree": True}).json()["ok"] is True
    assert again(server).game(axis.game).wants_back is None
    assert axis.view()["taken_back"] == [{"who": "axis", "by": "Japan"}]


# -- one screen, and the referee ------------------------------------------------------------------------------------


def test_a_browser_with_both_seats_is_told_whose_turn_it_is_and_shown_nothing_in_between(server: Server) -> None:
    made = server.new_game(scenario="midway", order_of_battle="hidden", hot_seat=True)
    both = server.visitor()
    for side in ("axis", "allies"):
        both.claim(made["invitations"][side], name={"axis": "Nagumo", "allies": "Spruance"}[side])
    turn = both.at("/turn")
    assert both.get(turn).json() == {"held": ["axis", "allies"], "asked": ["axis", "allies"]}
    page = both.get(f"/games/{both.game}?as=axis").text
    assert "Akagi" in page and "Enterprise" not in page
    question = both.get(both.at("?as=axis")).json()["question"]
    given = {"id": new_id(), "question": question["number"], "answer": question["form"]["default"]}
    assert both.post(both.at("/answers?as=axis"), given).status_code == 200
    assert both.get(turn).json()["asked"] == ["allies"]
    for path in ("", "/board"):
        between = both.get(f"/games/{both.game}{path}?as=axis").text
        assert "Pass the screen to United States" in between and "Spruance" in between
        for secret in ("Akagi", "Enterprise", "data-question", "data-log"):
            assert secret not in between
    assert "Akagi" in both.get(f"/games/{both.game}?as=axis&stay=yes").text, "to take back before the screen is passed"
    assert "Enterprise" in both.get(f"/games/{both.game}?as=allies").text
    assert server.visitor().get(turn).status_code == 404


def test_the_referee_sees_both_boards_and_decides_nothing(server: Server) -> None:
    people = server.seated(scenario="midway", order_of_battle="hidden", referee=True)
    referee = people["referee"]
    play_on({seat: people[seat] for seat in ("axis", "allies")}, 6)  # before anything can be sunk
    told = referee.view()
    assert told["seat"] == "referee" and told["question"] is None
    for side, ship in (("axis", "Akagi"), ("allies", "Enterprise")):
        groups = told["sides"][side]["groups"]
        assert ship in [each["name"] for group in groups for each in group["ships"]]
        assert any(each["air"] for group in groups for each in group["ships"]) or any(g["patrol"] for g in groups)
    assert len(told["log"]) > len(people["axis"].view()["log"])
    page = referee.get(f"/games/{referee.game}").text
    assert "You are the <b>referee</b>" in page and "Akagi" in page and "Enterprise" in page
    assert referee.answer({}).status_code == 404
    assert (
        propose(
            referee, {"kind": "squadrons", "side": "axis", "at": "Kaga", "key": "Japan/NAS/elite", "number": 2}
        ).status_code
        == 200
    )
    assert waiting(people["allies"])["by"] == "referee"


# -- games that newer rules stop ---------------------------------------------------------------------------------------


def stopped(server: Server, **players: str) -> tuple[str, int]:
    """A game in the middle of which an older engine recorded another result."""
    people = server.seated(scenario="midway", **players)
    game = people["axis"].game
    play_on({seat: people[seat] for seat in ("axis", "allies") if seat in people}, 14)
    with server.hall.database.write() as connection:
        rows = connection.execute(select(JOURNAL.c.n, JOURNAL.c.line).where(JOURNAL.c.game == game)).all()
        number = len(rows) // 2
        line = {**json.loads(rows[number].line), "check": "000000000000"}
        where = (JOURNAL.c.game == game) & (JOURNAL.c.n == number)
        connection.execute(update(JOURNAL).where(where).values(line=msgspec.json.encode(line)))
        connection.execute(update(GAMES).where(GAMES.c.id == game).values(wants_back="axis"))
    return game, number


@pytest.mark.parametrize("players", [{}, {"allies": "admiral"}])
def test_a_game_that_newer_rules_stop_is_patched_by_the_host_of_the_server(
    tmp_path: Path, players: dict[str, str]
) -> None:
    with serving(tmp_path) as server:
        game, number = stopped(server, **players)
    url, run = str(tmp_path / "games.db"), CliRunner().invoke
    looked = run(command, ["admin", "patch", game, "--database", url])
    assert looked.exit_code == 1 and f"stops after {number} of" in looked.output and "admin close" in looked.output
    assert run(command, ["admin", "verify", "--database", url]).exit_code == 1
    taken = run(command, ["admin", "patch", game, "--take-back", "--database", url])
    assert taken.exit_code == 0 and f"Taken back to entry {number}" in taken.output, taken.output
    assert run(command, ["admin", "verify", "--database", url]).exit_code == 0
    assert "Nothing stops the game" in run(command, ["admin", "patch", game, "--database", url]).output
    with serving(tmp_path) as server:
        live = server.hall.game(game)
        assert Undone("host", number, True) in live.game.journal and live.wants_back is None
        assert live.game.over or any(live.game.decision(side) for side in live.people), "it goes on"
        hall = server.hall
        from flagplot.web.views import view

        for side in live.people:
            assert view(hall.game(game), side)["taken_back"] == [{"who": "host", "by": "the host"}]


def test_a_game_that_does_not_exist_cannot_be_patched(tmp_path: Path) -> None:
    with serving(tmp_path):
        pass
    told = CliRunner().invoke(command, ["admin", "patch", "nothing", "--database", str(tmp_path / "games.db")])
    assert told.exit_code == 2 and "there is no such game" in told.output + (told.stderr or "")
