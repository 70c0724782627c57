"""The operation as a side is shown it: built up from its own picture, the same whatever the enemy hides, odds as by hand."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from fastapi.testclient import TestClient

from flagplot.core.sides import Side
from flagplot.model.interception import Level
from flagplot.model.setup import Setup
from flagplot.play.game import Game
from flagplot.scenarios.loader import parse_scenario, shipped_scenario
from flagplot.web.hall import LiveGame
from flagplot.web.operation_map import chart_of
from flagplot.web.views import view
from tests.properties.random_battles import KEY, SeededDice
from tests.web.browsing import application
from tests.web.test_operation_page import LANDING

DEFAULTS = {
    "announce": {"Invasion force": "Invade Malta"},
    "interception": {"Force K": "A1"},
    "hex": {"choice": "NN36"},
}


def landing(**changes: str) -> Setup:
    """The landing with something in its text replaced."""
    text = LANDING
    for old, new in changes.items():
        assert old in text
        text = text.replace(f'"{old}"', f'"{new}"')
    return parse_scenario(text, "landing.toml").setup


def started(setup: Setup, seed: int = 5) -> LiveGame:
    game = Game.new(setup, dice=SeededDice(Random(seed)), key=KEY)
    game.advance()
    return LiveGame("game", game, dict.fromkeys(Side, "person"), 0, "")


def step(live: LiveGame) -> str:
    """Give the next answer: what is sought here, else what is proposed. Which side it was, and what about."""
    for side in Side:
        decision = live.game.decision(side)
        if decision is not None:
            live.game.submit(side, DEFAULTS.get(decision.kind, decision.form.default))
            live.game.advance()
            return f"{side} {decision.kind}"
    raise AssertionError("nobody is asked")


def until(live: LiveGame, side: Side, kind: str) -> dict[str, Any]:
    """Play until a side is asked this; its view."""
    for _ in range(60):
        decision = live.game.decision(side)
        if decision is not None and decision.kind == kind:
            return view(live, side)
        step(live)
    raise AssertionError(f"{side} is never asked {kind}")


def test_a_side_is_shown_its_own_ships_and_the_markers_of_the_other() -> None:
    live = started(landing())
    told = view(live, Side.AXIS)["operation"]
    assert (
        told["map"] == "europe" and told["mover"] == "axis" and told["phases"] == [{"name": "combat", "state": "now"}]
    )
    mine, theirs = told["forces"]["axis"], told["forces"]["allies"]
    assert {force["id"]: force["contents"] for force in mine} == {
        "Invasion force": "Doria, 1 CA, 2 DD, 2 DD loaded",
        "Covering force": "Littorio, 2 DD",
    }
    assert [(force["id"], force["hidden"], force["ships"], force["light"]) for force in theirs] == [
        ("Force K", True, [], []),
        ("Mediterranean Fleet", True, [], []),
    ]
    rows = {row["hex"]: row for row in told["where"]}
    assert rows["LL37"]["name"] == "Palermo" and "Doria" in rows["LL37"]["axis"][1]
    assert rows["OO36"]["allies"] == ["port, fortified, to be invaded", "Force K: unknown (in Malta)"]
    assert [order["name"] for order in told["orders"]] == ["Invade Malta"]
    assert view(live, Side.ALLIES)["operation"]["orders"] == []
    spectator = view(live, None)["operation"]
    assert all(force["hidden"] for side in ("axis", "allies") for force in spectator["forces"][side])
    referee = view(live, None, sees_all=True)["operation"]
    assert not any(force["hidden"] for side in ("axis", "allies") for force in referee["forces"][side])


@pytest.mark.parametrize(
    ("mine", "exchange"),
    [
        (Side.ALLIES, {"Doria": "Cesare"}),  # what sails
        (Side.ALLIES, {"Littorio": "Vittorio Veneto"}),  # what stays in port
        (Side.ALLIES, {"Doria": "Littorio", "Littorio": "Doria"}),
        (Side.AXIS, {"Renown": "King George V"}),
        (Side.AXIS, {"Hood": "Barham", "Repulse": "Malaya"}),
    ],
)
def test_whatever_the_enemy_hides_a_side_is_shown_the_same(mine: Side, exchange: dict[str, str]) -> None:
    marked = {name: f"{index}#" for index, name in enumerate(exchange)}  # so that two names can change places
    text = LANDING
    for name, mark in marked.items():
        text = text.replace(f'"{name}"', f'"{mark}"')
    for name, mark in marked.items():
        text = text.replace(f'"{mark}"', f'"{exchange[name]}"')
    one, two = started(landing()), started(parse_scenario(text, "landing.toml").setup)
    compared = 0
    while not one.game.picture(mine).operation.contact:  # until they meet, and ships are seen
        told = [json.dumps(view(live, mine), sort_keys=True) for live in (one, two)]
        assert told[0] == told[1]
        drawn = [chart_of(view(live, mine)["operation"], mine.value) for live in (one, two)]
        assert drawn[0] == drawn[1]
        assert step(one) == step(two)
        compared += 1
    assert compared >= 5 and view(one, mine.enemy) != view(two, mine.enemy)


def test_a_path_is_asked_for_with_all_that_the_chart_needs() -> None:
    live = started(landing())
    asked = until(live, Side.AXIS, "path")["question"]
    path = asked["form"]["path"]
    assert (path["start"], path["end"], path["most"], path["rule"]) == ("LL37", "OO36", 8, "21.33")
    routes = [place["key"].split(" > ") for place in asked["form"]["items"][0]["places"]]
    assert [len(route) - 1 for route in routes] == sorted(len(route) - 1 for route in routes)
    for route in routes:
        assert all(there in path["steps"][here] for here, there in pairwise(route))
    assert asked["chances"] is None and until(live, Side.ALLIES, "interception")["question"]["form"]["path"] is None


def test_the_chances_of_an_interception_are_those_reckoned_by_hand() -> None:
    """Cargo is worth two dice (22.22A), a task force one (22.22E); a second attempt costs each of them one (22.22K)."""
    live = started(landing())
    chances = until(live, Side.ALLIES, "interception")["question"]["chances"]
    assert [(each["key"], each["near"]) for each in chances["targets"]] == [("A1", "OO36")]
    rows = {row["force"]: row["hexes"] for row in chances["rows"]}
    near, far = rows["Force K"]["NN36"], rows["Mediterranean Fleet"]["NN36"]
    assert (near["distance"], near["dice"], near["rounds"], near["never"]) == (1, 3, {"1": 1.0}, 0.0)
    # Three dice reach 16 hexes in 10 of 216 cases; a force that is late needs somebody who is not (22.24B).
    assert (far["distance"], far["dice"]) == (16, 3)
    assert far["rounds"] == {"1": pytest.approx(10 / 216, abs=1e-6)} and far["never"] == pytest.approx(
        206 / 216, abs=1e-6
    )
    assert chances["ledgers"][far["ledger"]] == [["22.22A", "the activity carries cargo", 2], ["22.22E", "1 TF", 1]]
    hexes = {row["force"]: set(row["hexes"]) for row in chances["rows"]}
    assert hexes["Force K"] == set(chances["targets"][0]["hexes"])


def test_when_the_hex_is_asked_for_those_named_are_reckoned_together_and_a_longer_path_costs() -> None:
    live = started(landing())
    until(live, Side.ALLIES, "interception")
    live.game.submit(Side.ALLIES, {"Force K": "A1", "Mediterranean Fleet": "A1"})
    live.game.advance()
    asked = view(live, Side.ALLIES)["question"]
    assert asked["kind"] == "hex"
    rows = {row["force"]: row["hexes"]["NN36"] for row in asked["chances"]["rows"]}
    assert rows["Force K"]["dice"] == rows["Mediterranean Fleet"]["dice"] == 2
    # Two dice against 16 hexes: 12 is late by a round, 8 to 11 by two, 4 to 7 by three, 2 and 3 by four (22.24B).
    ways = {"2": 1, "3": 14, "4": 18, "5": 3}
    assert rows["Mediterranean Fleet"]["rounds"] == {key: pytest.approx(n / 36, abs=1e-6) for key, n in ways.items()}
    live.game.submit(Side.ALLIES, {"choice": "NN36"})
    live.game.advance()
    while view(live, Side.ALLIES)["question"]["chances"]["force"] != "Mediterranean Fleet":
        step(live)
    lengths = view(live, Side.ALLIES)["question"]["chances"]["lengths"]
    assert [row["distance"] for row in lengths] == [16, 17, 18, 19, 20, 21]
    assert (
        lengths[1]["rounds"]["2"]
        if "2" in lengths[1]["rounds"]
        else lengths[1]["rounds"]["3"] == pytest.approx(10 / 36, abs=1e-6)
    )


def test_a_draft_is_reckoned_over_http_and_tells_nobody_else_anything(tmp_path: Any) -> None:
    with TestClient(application(tmp_path), base_url="http://127.0.0.1:8000") as client:
        ours = {"origin": "http://127.0.0.1:8000"}
        wanted = {"text": LANDING, "axis": "person", "allies": "person"}
        game = client.post("/api/games", json=wanted, headers=ours).json()
        tokens = {
            side: client.post(
                "/api/claim", json={"token": game["invitations"][side].partition("#")[2]}, headers=ours
            ).json()["token"]
            for side in ("axis", "allies")
        }
        client.cookies.clear()
        bearer = {side: ours | {"authorization": f"Bearer {token}"} for side, token in tokens.items()}
        at = f"/api/games/{game['game']}"

        def asked(side: str) -> dict[str, Any] | None:
            told: dict[str, Any] = client.get(at, headers=bearer[side]).json()
            question: dict[str, Any] | None = told["question"]
            return question

        for number in range(6):
            for side in ("axis", "allies"):
                question = asked(side)
                if question is None or question["kind"] == "interception":
                    continue
                answer = DEFAULTS.get(question["kind"], question["form"]["default"])
                body = {"id": f"decision-{side}-{number}", "question": question["number"], "answer": answer}
                assert client.post(f"{at}/answers", json=body, headers=bearer[side]).json()["ok"]
        plan = {"answer": {"Force K": "A1", "Mediterranean Fleet": "A1"}, "hexes": {"A1": "NN36", "nothing": "X1"}}
        told = client.post(f"{at}/chances", json=plan, headers=bearer["allies"]).json()
        assert [(row["label"], row["hex"], row["dice"]) for row in told["rows"]] == [
            ("Force K", "NN36", 2),
            ("Mediterranean Fleet", "NN36", 2),
        ]
        assert told["rows"][0]["battle"] == 1.0
        nowhere = {"answer": {"Force K": "A1"}, "hexes": {"A1": "ZZ9"}}
        (row,) = client.post(f"{at}/chances", json=nowhere, headers=bearer["allies"]).json()["rows"]
        assert row["hex"] == "OO36"  # what is no hex of the target is not looked at
        refused = client.post(f"{at}/chances", json={"answer": {"Hood": "A1"}}, headers=bearer["allies"]).json()
        assert refused["rows"] == [] and refused["rule"] == "22.14"
        assert client.post(f"{at}/chances", json=plan, headers=bearer["axis"]).status_code == 409
        assert client.post(f"{at}/chances", json=plan, headers=ours).status_code == 404


def test_of_a_battle_by_itself_there_is_no_operation() -> None:
    battle = parse_scenario(
        'format = 1\ntitle = "x"\nsummary = "y"\ntheatre = "Europe"\ninterceptor = "allies"\n'
        '[axis]\nname = "Italy"\nnation = "Italy"\n[[axis.force]]\nname = "One"\nships = ["Doria"]\n'
        '[allies]\nname = "Britain"\nnation = "Britain"\n[[allies.force]]\nname = "Two"\nships = ["Hood"]\n',
        "battle.toml",
    ).setup
    live = started(battle)
    told = view(live, Side.AXIS)
    assert told["operation"] is None and told["question"]["chances"] is None


def test_a_sea_without_a_map_has_a_table_and_no_drawing() -> None:
    lanes = '[sea]\nlanes = [["Palermo", "West", "Malta"], ["Palermo", "North", "Malta"], ["Taranto", "East", "Malta"], ["Malta", "South", "Alexandria"]]'
    live = started(parse_scenario(LANDING.replace('[sea]\nmap = "europe"\nmargin = 1', lanes), "lanes.toml").setup)
    told = view(live, Side.AXIS)["operation"]
    assert told["map"] == "" and chart_of(told, "axis") is None
    assert {row["hex"] for row in told["where"]} == {"Palermo", "Taranto", "Malta", "Alexandria"}
    path = until(live, Side.AXIS, "path")["question"]["form"]["path"]
    assert path["steps"]["West"] == ["Palermo", "Malta"]


def test_a_box_beside_the_map_ends_a_path_that_is_drawn_as_far_as_the_map_goes() -> None:
    live = started(shipped_scenario("operation-norwegian-sea").setup)
    raid = {"announce": {"Battle group": "Raid the Atlantic"}}
    for _ in range(200):
        side, decision = next((side, asked) for side in Side if (asked := live.game.decision(side)))
        if decision.kind == "interception" and "raider" in msgspec.json.encode(view(live, side)["operation"]).decode():
            break
        fits = raid.get(decision.kind) if live.game.picture(side).operation.phase == "redeployment" else None
        live.game.submit(side, fits or decision.form.default)
        live.game.advance()
    told = view(live, Side.ALLIES)["operation"]
    chart = chart_of(told, "allies")
    assert chart is not None and "to the Atlantic box" in chart.svg


def test_what_somebody_calls_his_forces_is_text_on_the_chart_and_never_markup() -> None:
    live = started(parse_scenario(LANDING.replace("Covering force", "<i>Cover</i> & co"), "names.toml").setup)
    for side in Side:
        chart = chart_of(view(live, side)["operation"], side.value)
        assert chart is not None and "<i>" not in chart.svg and "&lt;i&gt;Cover&lt;/i&gt; &amp; co" in chart.svg


def test_the_pages_of_an_operation_are_shown_to_everybody_who_may_look_on(tmp_path: Any) -> None:
    with TestClient(application(tmp_path), base_url="http://127.0.0.1:8000") as client:
        ours = {"origin": "http://127.0.0.1:8000"}
        wanted = {"text": LANDING, "axis": "person", "allies": "person", "spectators": True, "referee": True}
        game = client.post("/api/games", json=wanted, headers=ours).json()
        at = f"/games/{game['game']}"
        secret = ("Doria", "Littorio", "Renown", "Hood", "Repulse")
        for seat, known in (
            ("", ()),
            ("host", ()),
            ("axis", ("Doria", "Littorio")),
            ("allies", ("Renown", "Hood", "Repulse")),
            ("referee", secret),
        ):
            client.cookies.clear()
            if seat:
                token = game["invitations"][seat].partition("#")[2]
                assert client.post("/api/claim", json={"token": token}, headers=ours).status_code == 200
            whole = client.get(at)
            assert whole.status_code == 200 and 'id="hex-NN37"' in whole.text
            mark = whole.text.partition('data-mark="')[2].partition('"')[0]
            board = client.get(f"{at}/board", params={"map": mark}).text
            assert 'id="hex-NN37"' not in board and mark in board  # the drawing is not sent twice
            assert 'id="hex-NN37"' in client.get(f"{at}/board", params={"map": "another"}).text
            story = client.get(f"/api{at}/replay/3").json()
            sea = client.get(f"{at}/replay/3/sea").text
            assert 'id="hex-NN37"' in sea and story["operation"]["map"] == "europe"
            for told in (whole.text, board, json.dumps(story), sea):
                assert not [name for name in secret if name not in known and name in told]
            assert all(name in whole.text for name in known)
        client.cookies.clear()
        private = client.post("/api/games", json=wanted | {"spectators": False}, headers=ours).json()
        assert client.get(f"/games/{private['game']}/replay/3/sea").status_code == 404


def test_cards_in_the_lobby_say_what_an_operation_is(tmp_path: Any) -> None:
    with TestClient(application(tmp_path), base_url="http://127.0.0.1:8000") as client:
        lobby = " ".join(client.get("/").text.split())
    assert "movement and combat phases · Japan moves · on our map, Pacific" in lobby
    assert lobby.count("Operations: from harbour to battle and home") == 1


@pytest.mark.parametrize("name", ["operation-coral-sea", "operation-rendezvous"])
def test_every_board_of_an_operation_can_be_shown(tmp_path: Any, name: str) -> None:
    """Patrols, meetings at sea, air on passage, battles, the way home: whatever comes, both sides have a page."""
    with TestClient(application(tmp_path), base_url="http://127.0.0.1:8000") as client:
        ours = {"origin": "http://127.0.0.1:8000"}
        wanted = {"scenario": name, "axis": "person", "allies": "person"}
        game = client.post("/api/games", json=wanted, headers=ours).json()
        bearer = {}
        for side in Side:
            token = game["invitations"][side.value].partition("#")[2]
            claimed = client.post("/api/claim", json={"token": token}, headers=ours).json()["token"]
            bearer[side] = ours | {"authorization": f"Bearer {claimed}"}
        client.cookies.clear()
        live = client.app.state.hall.game(game["game"]).game  # type: ignore[attr-defined]
        kinds = []
        while not live.over and len(kinds) < 25:
            side, decision = next((side, asked) for side in Side if (asked := live.decision(side)))
            for each in Side:
                assert client.get(f"/games/{game['game']}/board", headers=bearer[each]).status_code == 200, (
                    decision.kind
                )
            sails = decision.kind in ("announce", *(level.value for level in Level))
            answer = decision.form.default
            if sails:  # whoever may goes for the first thing there is
                offered = {item.key: decision.form.places_for(item) for item in decision.form.items}
                closed = {item.key: decision.form.barred(item) for item in decision.form.items}
                free = {
                    key: [place for place in places[1:] if place not in closed[key]] for key, places in offered.items()
                }
                answer = {key: {places[0]: 1} for key, places in free.items() if places and key != "task forces"}
            number = live.question_number(side)
            body = {"id": f"decision-{len(kinds)}", "question": number, "answer": answer}
            told = client.post(f"/api/games/{game['game']}/answers", json=body, headers=bearer[side]).json()
            if not told.get("ok"):
                body |= {"id": f"proposed-{len(kinds)}", "answer": decision.form.default}
                assert client.post(f"/api/games/{game['game']}/answers", json=body, headers=bearer[side]).json()["ok"]
            kinds.append(decision.kind)
        assert {"announce", "demand", "path", "interception"} <= set(kinds)
