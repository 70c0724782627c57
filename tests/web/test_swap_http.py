"""The swap test over HTTP: two games whose secrets differ look the same, byte for byte, to all but their owner.

The set-ups are those of tests/properties/test_swap.py: ships of the axis exchanged between groups the enemy has not
met. In the second game the axis also hesitates: it drafts, errs, answers, takes its answer back and answers again, adds
a device, sends a decision twice. What the enemy, a spectator and the host receive (views, reports, downloads, replays,
streams, refusals, headers, sizes, versions) must be identical until an exchanged ship is shown. Only the game's own id
is masked.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

import flagplot.web.app as app_module
import flagplot.web.hall as hall_module
import flagplot.web.replays as replays_module
import flagplot.web.views as views_module
from flagplot.core.errors import UndoRefused
from flagplot.core.sides import Side
from flagplot.model.setup import Setup
from flagplot.play.game import Game
from flagplot.web.hall import Hall, LiveGame
from tests.properties.random_battles import KEY, SeededDice
from tests.properties.test_swap import TAKEN_AS_OFFERED, build, shows_exchanged, swapped, translate
from tests.web.visitors import OURS, Asked, Listener, Received, Server, Visitor, ask_all, new_id, serving

SCALE = int(os.environ.get("SCALE", "1"))
PAIRS = 4
ROUNDS = 1
PERSONS = {Side.AXIS: "person", Side.ALLIES: "person"}
JSON = OURS | {"content-type": "application/json"}


class SeededGame:
    """Games that begin from here have dice from a seed and a known key, so that two of them can be alike."""

    seed = 0

    @classmethod
    def new(cls, setup: Setup, **wanted: Any) -> Game:
        return Game.new(setup, dice=SeededDice(Random(cls.seed)), key=KEY, **wanted)


class Table:
    """One of the two games, with everybody in his seat and three streams open."""

    def __init__(self, server: Server, setup: Setup, stack: ExitStack) -> None:
        made = server.hall.create(setup, scenario="swap", players=PERSONS, spectators=True)
        self.id: str = made.id
        self.live: LiveGame = server.hall.game(made.id)
        seated = {seat: server.visitor().claim(f"#{token}") for seat, token in made.invitations.items()}
        self.axis = seated["axis"]
        self.observers: dict[str, Visitor] = {
            "allies": seated["allies"],
            "host": seated["host"],
            "spectator": server.visitor(),
        }
        for visitor in self.observers.values():
            visitor.game = made.id
        self.streams = {
            who: stack.enter_context(closing(Listener(visitor, self.axis.at("/stream"))))
            for who, visitor in self.observers.items()
        }

    def masked(self, received: Received) -> tuple[Any, ...]:
        mask = self.id.encode()
        headers = tuple((key, value.replace(self.id, "GAME")) for key, value in received.headers)
        return received.status, headers, received.body.replace(mask, b"GAME"), len(received.body)

    def requests(self, who: str, *, everything: bool) -> list[Asked]:
        """What an observer may try without changing anything: the views, and requests that are refused."""
        at = self.axis.at
        number = self.live.game.question_number(Side.ALLIES)
        asks = [
            Asked("GET", at()),
            _post(at("/answers"), {"id": "never-used-before", "question": number, "answer": {"nobody": "nowhere"}}),
        ]
        if everything:
            asks += [Asked("GET", at(path)) for path in ("/report", "/download", "/replay")]
            asks += [Asked("GET", at("/replay"), f"seat={seat}") for seat in ("axis", "allies", "referee")]
            asks += [
                Asked("GET", at(), "log_from=3"),
                _post(at("/answers"), {"id": "never-used-before", "question": 999_999, "answer": {}}),
                _post(at("/check"), {"answer": {"nobody": "nowhere"}}),
                _post(at("/undo"), {"id": "never-used-before", "agree": True}),
                _post(at("/devices/nonsense/revoke"), {}),
                _post(at("/recover"), {"code": "nonsense"}),
                Asked("GET", "/api/games"),
            ]
            if who != "host":
                asks.append(_post(at("/reseat"), {"name": "axis"}))
            if who == "spectator":
                asks += [_post(at("/close"), {}), Asked("GET", at("/devices")), _post(at("/devices"), {"name": "x"})]
        return asks

    def seen(self, who: str, *, everything: bool) -> list[tuple[Any, ...]]:
        visitor = self.observers[who]
        return [self.masked(each) for each in ask_all(visitor, self.requests(who, everything=everything))]

    def settle(self) -> None:
        """Let the streams say what they have to say."""
        for who, stream in self.streams.items():
            stream.wait_for(hall_module.version(self.live, Side.ALLIES if who == "allies" else None))

    def told(self) -> dict[str, str]:
        return {who: stream.text for who, stream in self.streams.items()}


def _post(path: str, body: Any) -> Asked:
    data = json.dumps(body).encode()
    return Asked("POST", path, "", JSON | {"content-length": str(len(data))}, data)


class Difference(AssertionError):
    """Somebody received what he should not have."""


def compare(one: Table, two: Table, exchange: dict[str, str], *, everything: bool) -> bool:
    """Whether all observers have received the same so far; False if a disclosure accounts for the difference."""
    for who in one.observers:
        first, second = one.seen(who, everything=everything), two.seen(who, everything=everything)
        if first == second:
            continue
        audience = Side.ALLIES if who == "allies" else None
        events = [table.live.game.picture(audience).events for table in (one, two)]
        differing = next((a for a, b in zip(*events, strict=False) if a != b), None)
        if differing is not None and shows_exchanged(differing, exchange):
            return False
        (wrong,) = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]][:1]
        raise Difference(f"{who}: {_around(*wrong)}")
    return True


def _around(first: tuple[Any, ...], second: tuple[Any, ...]) -> str:
    """Where two answers differ."""
    if first[:2] != second[:2]:
        return f"{first[:2]} against {second[:2]}"
    one, two = first[2].decode(errors="replace"), second[2].decode(errors="replace")
    at = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return f"...{one[max(0, at - 80) : at + 80]}... against ...{two[max(0, at - 80) : at + 80]}..."


def hesitate(one: Table, two: Table, exchange: dict[str, str], random: Random) -> None:
    """The axis changes its mind in the second game while the enemy writes orders too: nobody can tell."""
    decision = two.live.game.decision(Side.AXIS)
    if decision is None or two.live.game.decision(Side.ALLIES) is None or decision.form.sole_answer() is not None:
        return
    axis = two.axis
    axis.post(axis.at("/check"), {"answer": decision.form.sample(random)})
    axis.post(axis.at("/check"), {"answer": {"nobody": "nowhere"}})
    assert axis.answer("nonsense").status_code == 422
    if random.random() < 0.1:
        assert axis.post(axis.at("/devices"), {"name": "phone"}).status_code == 201
    answer, id = decision.form.sample(random), new_id()
    number = two.live.game.question_number(Side.AXIS)
    for _ in range(2):
        assert axis.answer(answer, id=id, question=number).status_code == 200
    compare(one, two, exchange, everything=False)  # one has not decided, two has
    undone = axis.post(axis.at("/undo"), {"id": new_id()})
    assert undone.json()["ok"] is True, undone.text
    assert two.live.game.question_number(Side.AXIS) == number


def play_pair(server: Server, seed: int, *, rounds: int = ROUNDS, most: int = 1_000) -> tuple[int, int]:
    """Play a pair: the round in which an exchanged ship was first shown (or the last one played), and how far it came."""
    random = Random(seed)
    setup, exchange = build(random)
    SeededGame.seed = seed
    with ExitStack() as stack:
        one = Table(server, setup, stack)
        two = Table(server, swapped(setup, exchange), stack)
        given, before = 0, -1
        while not one.live.game.over and one.live.game.battle.round <= rounds and given < most:
            everything = one.live.game.battle.round != before or random.random() < 0.1
            before = one.live.game.battle.round
            if not compare(one, two, exchange, everything=everything):
                return before, given
            side = next(side for side in Side if one.live.game.decision(side))
            decision = one.live.game.decision(side)
            assert decision
            if side is Side.AXIS:
                hesitate(one, two, exchange, random)
            answer = decision.form.default if decision.kind in TAKEN_AS_OFFERED else decision.form.sample(random)
            say = "so be it" if random.random() < 0.25 else ""
            for table in (one, two):
                sender = table.axis if side is Side.AXIS else table.observers["allies"]
                wire = translate(answer, exchange) if table is two and side is Side.AXIS else answer
                number = table.live.game.question_number(side)
                told = sender.answer(wire, question=number, say=say)
                assert told.status_code == 200, told.text
                table.settle()
            given += 1
        time.sleep(0.02)
        if one.told() != two.told():
            raise Difference(f"the streams differ: {one.told()} against {two.told()}")
        return one.live.game.battle.round, given


@contextmanager
def seeded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(hall_module, "Game", SeededGame)
    with serving(folder) as server:
        yield server


def test_the_enemy_a_spectator_and_the_host_receive_the_same_bytes_until_an_exchanged_ship_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with seeded(tmp_path, monkeypatch) as server:
        played = [play_pair(server, seed) for seed in range(PAIRS)]
    assert sum(round > ROUNDS for round, _ in played) * 2 >= PAIRS, "too few pairs stay equal through the rounds"
    assert sum(given for _, given in played) > 20 * PAIRS


@pytest.mark.long
@pytest.mark.parametrize("batch", range(4))
def test_many_pairs_receive_the_same_bytes(batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At SCALE=50 these are the 2,000 pairs of trust.md."""
    pairs = 10 * SCALE
    with seeded(tmp_path, monkeypatch) as server:
        played = [play_pair(server, seed, rounds=3) for seed in range(100 + batch * pairs, 100 + (batch + 1) * pairs)]
    assert sum(round > 3 for round, _ in played) * 3 >= pairs


def may_take_back(game: Game, side: Side, lines: int) -> str:
    """What the server would say to a side that asks, after so many lines of the journal, to take its decision back."""
    copy = Game(game.header, game.journal[:lines])
    try:
        copy.undo(side)
    except UndoRefused as refusal:
        return "asked" if "agree" in str(refusal) else "refused"
    return "free"


@pytest.mark.xfail(
    reason="a refused take-back still tells whether the enemy has decided since: the barrier needs one wording"
)
def test_asking_to_take_back_does_not_tell_whether_the_enemy_has_decided() -> None:
    """Whether that is free may depend on what was put to the enemy, which is public, not on his having answered it."""
    told = []
    for seed in (3, 5):
        random = Random(seed)
        setup, _ = build(random)
        game = Game.new(setup, dice=SeededDice(random), key=KEY)
        while not game.over and game.battle.round < 3 and len(game.journal) < 150:
            if game.roll_due():
                game.roll()
                continue
            side = next(side for side in random.sample(list(Side), 2) if game.decision(side))
            decision, other = game.decision(side), side.enemy
            assert decision
            lines, known = len(game.journal), (len(game.picture(other).events), game.question_number(other))
            game.submit(
                side, decision.form.default if decision.kind in TAKEN_AS_OFFERED else decision.form.sample(random)
            )
            if known == (len(game.picture(other).events), game.question_number(other)) and not game.roll_due():
                before, after = may_take_back(game, other, lines), may_take_back(game, other, lines + 1)
                if before != after:
                    told.append(f"seed {seed}, {decision.kind} of {side}: {other} was {before}, is {after}")
    assert told == []


# -- planted leaks: each must be found ----------------------------------------------------------------------


def leak_journal_length_in_the_version(patch: pytest.MonkeyPatch) -> None:
    honest = hall_module.version

    def leaky(live: LiveGame, side: Side | None) -> str:
        return f"{honest(live, side)}.{len(live.game.journal)}"

    for module in (hall_module, views_module, app_module):
        patch.setattr(module, "version", leaky)


def leak_the_enemys_question(patch: pytest.MonkeyPatch) -> None:
    honest = views_module.view

    def leaky(live: LiveGame, side: Side | None, **wanted: Any) -> dict[str, Any]:
        decision = live.game.decision(side.enemy) if side else None
        told = honest(live, side, **wanted)
        return told | {"theirs": views_module.form(decision.form) if decision else None}

    patch.setattr(app_module, "view", leaky)


def leak_whether_the_enemy_has_decided(patch: pytest.MonkeyPatch) -> None:
    def leaky(live: LiveGame, side: Side | None) -> str:
        return "The enemy decides." if live.game.decision(Side.AXIS) else "Nobody decides."

    patch.setattr(views_module, "waiting", leaky)


def leak_the_set_ups_hash_in_the_report(patch: pytest.MonkeyPatch) -> None:
    honest = app_module.report
    patch.setattr(app_module, "report", lambda source, header: honest(source, header) + header.setup_hash)


def leak_a_hash_of_the_log_in_the_view(patch: pytest.MonkeyPatch) -> None:
    honest = views_module.view

    def leaky(live: LiveGame, side: Side | None, **wanted: Any) -> dict[str, Any]:
        return honest(live, side, **wanted) | {"check": live.game.table.check()}

    patch.setattr(app_module, "view", leaky)


def leak_every_step_in_the_replay(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(replays_module, "is_told", lambda side, event: True)


def leak_the_owners_picture_to_spectators(patch: pytest.MonkeyPatch) -> None:
    honest = Game.picture
    patch.setattr(Game, "picture", lambda game, side: honest(game, side or Side.AXIS))


def leak_the_number_of_devices(patch: pytest.MonkeyPatch) -> None:
    honest = Hall.seats

    def leaky(hall: Hall, id: str) -> list[dict[str, Any]]:
        with hall.database.read() as connection:
            counts = connection.exec_driver_sql(f"select count(*) from devices where game = '{id}'").scalar_one()
        return [*honest(hall, id), {"devices": counts}]

    patch.setattr(Hall, "seats", leaky)


def leak_the_journals_length_beside_a_note(patch: pytest.MonkeyPatch) -> None:
    honest = Hall.notes
    patch.setattr(
        Hall,
        "notes",
        lambda hall, id: [note | {"at": len(hall.game(id).game.journal)} for note in honest(hall, id)],
    )


def leak_how_often_the_enemy_was_refused(patch: pytest.MonkeyPatch) -> None:
    honest, counted = app_module._refuse, {"refusals": 0}

    def leaky(request: Any, error: Exception) -> Any:
        answer = honest(request, error)
        game = request.path_params.get("game", "")
        counted[game] = counted.get(game, 0) + 1
        answer.headers["x-refusals"] = str(counted[game])
        return answer

    patch.setattr(app_module, "_refuse", leaky)


def leak_every_decision_into_the_stream(patch: pytest.MonkeyPatch) -> None:
    """The stream alone, not the view, counts the journal."""
    honest = hall_module.version
    patch.setattr(app_module, "version", lambda live, side: f"{honest(live, side)}+{len(live.game.journal)}")


LEAKS: tuple[Callable[[pytest.MonkeyPatch], None], ...] = (
    leak_journal_length_in_the_version,
    leak_the_enemys_question,
    leak_whether_the_enemy_has_decided,
    leak_the_set_ups_hash_in_the_report,
    leak_a_hash_of_the_log_in_the_view,
    leak_every_step_in_the_replay,
    leak_the_owners_picture_to_spectators,
    leak_the_number_of_devices,
    leak_the_journals_length_beside_a_note,
    leak_how_often_the_enemy_was_refused,
    leak_every_decision_into_the_stream,
)


@pytest.mark.parametrize("plant", LEAKS, ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with seeded(tmp_path, monkeypatch) as server, pytest.raises(Difference):
        for seed in range(6):
            play_pair(server, seed, most=20)
