"""The swap test for pages and answers beside those of a battle: operations, mustering, spectators who see it later.

Two games that differ in one thing that an audience was not told: all it receives is the same.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

import flagplot.web.delayed as delayed_module
import flagplot.web.hall as hall_module
import flagplot.web.replays as replays_module
from flagplot.core.sides import Side
from flagplot.play.game import Game
from flagplot.scenarios.loader import scenario_text
from flagplot.web.muster_text import check_own, scenario_of, template_of
from tests.properties.random_battles import KEY
from tests.properties.test_swap import view
from tests.rules import test_operation_secrets as at_sea
from tests.rules.random_operations import EagerBot
from tests.web.swapping import Difference, SeededGame, Table, _around, _post
from tests.web.visitors import Asked, Server, Visitor, ask_all, serving


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as served:
        yield served


# -- what is said, seen later -----------------------------------------------------------------------------------------


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """From now on it is so much later."""
    now = time.time
    monkeypatch.setattr(delayed_module.time, "time", lambda: now() + seconds)


def watched(watching: Visitor) -> list[bytes]:
    pages = [f"/games/{watching.game}", f"/games/{watching.game}/board"]
    return [watching.get(path).content for path in (watching.at(), *pages)]


def test_spectators_who_see_later_read_later_what_is_said_though_nothing_public_has_happened_since(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = server.seated(scenario="three-groups", spectators=True, spectator_delay=5)
    watching = server.visitor()
    watching.game = people["axis"].game
    later(monkeypatch, 600)  # all that has happened is old
    before = watched(watching)
    asked = next(people[side] for side in ("axis", "allies") if people[side].view()["question"])
    public = people["host"].view()["version"]
    said = asked.answer(asked.view()["question"]["form"]["default"], say="we are sinking")
    assert said.status_code == 200
    assert people["host"].view()["version"] == public, "what was answered is secret"
    assert [note["text"] for note in people["host"].view()["notes"]] == ["we are sinking"]
    assert watched(watching) == before
    later(monkeypatch, 301)
    assert [note["text"] for note in watching.view()["notes"]] == ["we are sinking"]


# -- private mustering of an operation --------------------------------------------------------------------------------


MALTA = scenario_text("operation-malta").decode()
BOTH = ("axis", "allies")


def mustered(ship: str, order: str) -> Game:
    """The axis has this ship, and plans this; the allies have forces called like ships and plans the axis may have."""
    template, _ = template_of(MALTA, BOTH, "operation-malta")
    texts = {
        "axis": f"""[axis]
[[axis.force]]
name = "First"
base = "Taranto"
ships = ["{ship}"]
destroyers = 3
[[axis.activity]]
name = "{order}"
kind = "shore bombardment"
to = "Naples"
""",
        "allies": """[allies]
[[allies.force]]
name = "littorio"
base = "Malta"
destroyers = 2
[[allies.force]]
name = "The landing"
base = "Malta"
destroyers = 2
[[allies.activity]]
name = "vittorio-veneto"
kind = "shore bombardment"
to = "Malta"
""",
    }
    for side in BOTH:
        check_own(template, side, texts[side])
    return Game.new(scenario_of(template, texts).setup, key=KEY)


def test_what_one_musters_is_not_renamed_after_ships_and_plans_of_the_enemy() -> None:
    """Or one would name one's forces after all his ships, and read which of them he has."""
    one = mustered("Littorio", "The landing")
    for ship, order in (("Vittorio Veneto", "Something else"), ("Littorio", "Something else")):
        two = mustered(ship, order)
        for audience in (Side.ALLIES, None):
            assert view(one, audience) == view(two, audience), (ship, order)
    forces = one.picture(Side.ALLIES).operation.forces[Side.ALLIES]
    assert [force.id for force in forces] == ["littorio", "The landing"]


# -- the pages of an operation ----------------------------------------------------------------------------------------


STEPS = (0, 7, 30, 90)
SHIP_SUNK = {"kind": "ship", "side": "axis", "ship": "Bismarck", "becomes": "sunk"}


def asked_at_sea(table: Table, who: str) -> list[Asked]:
    """What can be tried in an operation beside what is tried in any battle."""
    at, page = table.axis.at, f"/games/{table.id}"
    asks = [Asked("GET", at(path)) for path in ("/results", "/results.txt", "/amendments", "/orders", "/muster/state")]
    asks += [
        Asked("GET", f"{page}/orders"),
        Asked("GET", f"{page}/board", "log_from=3&mark=x&map=y"),
        _post(at("/chances"), {"answer": {}}),
        _post(at("/chances"), {"answer": {"nobody": "A1"}}),
        _post(at("/orders/check"), {"text": "interception: try if chance at least 10\n"}),
        _post(at("/amendments"), {"id": "never-used-before", "change": SHIP_SUNK}),
        _post(at("/amendments/accept"), {"id": "never-used-before", "proposal": "none"}),
    ]
    for step in STEPS:
        asks += [Asked("GET", f"{page}/replay/{step}/sea", query) for query in ("", "seat=axis&map=x", "seat=referee")]
        asks.append(Asked("GET", at(f"/replay/{step}"), "seat=axis"))
    return asks


def received(table: Table, who: str) -> list[tuple[Any, ...]]:
    found = table.seen(who, everything=True)
    if who != "screen":
        found += [table.masked(each) for each in ask_all(table.observers[who], asked_at_sea(table, who))]
    return found


def play_at_sea(server: Server, seed: int, kind: str, *, most: int, every: int) -> int:
    """Play an operation twice, equal ships exchanged between hidden task forces; how often all observers were compared,
    every so many decisions, before one of these ships was shown."""
    random = Random(seed)
    given = at_sea.build(random)
    SeededGame.seed = seed
    compared = read = 0
    with ExitStack() as stack:
        tables = [Table(server, each, stack, kind) for each in (given, at_sea.swapped(given))]
        bots = {side: EagerBot(random) for side in Side}
        game = tables[0].live.game
        for number in range(1, most + 1):
            if game.over or at_sea.disclosed(game, read):
                break
            read = len(game.picture(Side.ALLIES).events)
            if number % every == 0:
                compared += 1
                for who in tables[0].observers:
                    for pair in zip(*(received(table, who) for table in tables), strict=True):
                        if pair[0] != pair[1]:
                            raise Difference(f"{who}: {_around(*pair)}")
            side = next(side for side in Side if game.decision(side))
            decision = game.decision(side)
            assert decision
            answer = bots[side].choose(game.picture(side), decision)
            for table in tables:
                mine = table is tables[1] and side is Side.AXIS
                sender = table.axis if side is Side.AXIS else table.allies
                question = table.live.game.question_number(side)
                told = sender.answer(at_sea._renamed(answer) if mine else answer, question=question)
                assert told.status_code == 200, told.text
                table.settle()
        else:
            time.sleep(0.02)
            assert tables[0].told() == tables[1].told(), "the streams differ"
    return compared


@pytest.mark.parametrize(("seed", "kind"), [(3, "watched"), (8, "later")])
def test_nobody_receives_a_byte_of_what_is_in_a_task_force(
    seed: int, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall_module, "Game", SeededGame)
    with serving(tmp_path) as served:
        assert play_at_sea(served, seed, kind, most=24, every=12) == 2


@pytest.mark.long
@pytest.mark.parametrize("batch", range(4))
def test_many_operations_look_the_same(batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall_module, "Game", SeededGame)
    kinds = ("watched", "private", "later")
    with serving(tmp_path) as served:
        looked = [
            play_at_sea(served, seed, kinds[seed % 3], most=200, every=10)
            for seed in range(100 + 5 * batch, 105 + 5 * batch)
        ]
    assert sum(looked) > 10


def test_a_planted_leak_at_sea_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the replay told every step, the swap test would say so."""
    monkeypatch.setattr(replays_module, "is_told", lambda side, event: True)
    monkeypatch.setattr(hall_module, "Game", SeededGame)
    with serving(tmp_path) as served, pytest.raises(Difference):
        play_at_sea(served, 3, "watched", most=12, every=3)
