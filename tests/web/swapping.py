"""Two games whose secrets differ, played side by side over HTTP, and all that others receive of them (test_swap_http.py).

The set-ups are those of tests/properties/test_swap.py: ships of the axis exchanged between groups the enemy has not
met. In the second game the axis also hesitates: it drafts, errs, answers, takes its answer back and answers again, adds
a device, sends a decision twice. What the enemy, the host, spectators (some of whom see it later), strangers and the
enemy's half of a screen that both sides share receive (pages, views, reports, downloads, replays, streams, refusals,
headers, sizes, versions) must be identical until an exchanged ship is shown. Only the game's own id is masked.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from contextlib import ExitStack, closing
from random import Random
from typing import Any

import flagplot.web.hall as hall_module
from flagplot.core.asks import Decide
from flagplot.core.sides import Side
from flagplot.model.setup import Setup
from flagplot.play.game import Game
from flagplot.web.hall import LiveGame
from tests.properties.random_battles import KEY, SeededDice
from tests.properties.test_swap import TAKEN_AS_OFFERED, build, shows_exchanged, swapped, translate
from tests.web.visitors import OURS, Asked, Listener, Received, Server, Visitor, ask_all, new_id

ROUNDS = 1
KINDS = ("watched", "private", "later")  # whether there are spectators, and whether they see it later
PERSONS = {Side.AXIS: "person", Side.ALLIES: "person"}
DEFAULT: Mapping[str, Any] = {}  # the edition and options of a game nobody chose any for
SEAL = re.compile(rb'"seal":"[0-9a-f]{32}"')
JSON = OURS | {"content-type": "application/json"}


class SeededGame:
    """Games that begin from here have dice from a seed and a known key, so that two of them can be alike."""

    seed = 0

    def __new__(cls, *stored: Any, **wanted: Any) -> Any:
        """Games that are read again are games like any other."""
        return Game(*stored, **wanted)

    @classmethod
    def new(cls, setup: Setup, *, dice: object = None, **wanted: Any) -> Game:
        return Game.new(setup, dice=SeededDice(Random(cls.seed)), key=KEY, **wanted)


class Table:
    """One of the two games, with everybody in his seat and streams open."""

    def __init__(
        self, server: Server, setup: Setup, stack: ExitStack, kind: str = "watched", rules: Mapping[str, Any] = DEFAULT
    ) -> None:
        made = server.hall.create(
            setup,
            **rules,
            scenario="swap",
            players=PERSONS,
            spectators=kind != "private",
            spectator_delay=5 if kind == "later" else 0,
            referee=True,
        )
        self.id: str = made.id
        self.kind = kind
        self.server = server
        self.live: LiveGame = server.hall.game(made.id)
        seated = {seat: server.visitor().claim(f"#{token}") for seat, token in made.invitations.items()}
        self.axis, self.allies = seated["axis"], seated["allies"]
        self.observers: dict[str, Visitor] = {
            "allies": seated["allies"],
            "host": seated["host"],
            "spectator": server.visitor(),  # a stranger, if there are none
            "screen": self._at_one_screen(),
        }
        for visitor in self.observers.values():
            visitor.game = made.id
        self.streams = {
            who: stack.enter_context(
                closing(Listener(visitor, self.axis.at("/stream"), "as=allies" * (who == "screen")))
            )
            for who, visitor in self.observers.items()
            if (who, kind) != ("spectator", "private")
        }

    def _at_one_screen(self) -> Visitor:
        """A browser with the keys of both sides, of which the enemy's half is on screen."""
        screen = self.server.visitor()
        for seat in (self.axis, self.allies):
            key = seat.post(seat.at("/devices"), {"name": "the screen"}).json()["token"]
            screen.client.cookies.set(f"seat-{self.id}-{seat.seat}", key)
        return screen

    def masked(self, received: Received) -> tuple[Any, ...]:
        mask = self.id.encode()
        headers = tuple((key, value.replace(self.id, "GAME")) for key, value in received.headers)
        body = SEAL.sub(b'"seal":""', received.body.replace(mask, b"GAME"))  # it is made from the game's id, too
        return received.status, headers, body, len(received.body)

    def requests(self, who: str, *, everything: bool) -> list[Asked]:
        """What an observer may try without changing anything: views, pages, and requests that are refused."""
        at, page = self.axis.at, f"/games/{self.id}"
        if who == "screen":
            looks = [Asked("GET", at(path), "as=allies") for path in ("", "/report", "/download", "/replay")]
            pages = [Asked("GET", page + path, "as=allies") for path in ("", "/board")]
            return [*looks, *pages, Asked("GET", at("/turn"), "as=allies")] if everything else []
        number = self.live.game.question_number(Side.ALLIES)
        asks = [
            Asked("GET", at()),
            _post(at("/answers"), {"id": "never-used-before", "question": number, "answer": {"nobody": "nowhere"}}),
        ]
        if who == "allies":
            asks.append(Asked("GET", at("/turn")))
        if everything:
            asks += [Asked("GET", at(path)) for path in ("/report", "/download", "/replay", "/replay/4")]
            asks += [Asked("GET", at(path)) for path in ("/turn-file", "/desk", "/catch-up")]
            asks += [Asked("GET", at("/replay"), f"seat={seat}") for seat in ("axis", "allies", "referee")]
            asks += [Asked("GET", at(), f"as={seat}") for seat in ("axis", "referee", "spectator")]
            asks += [Asked("GET", page + path) for path in ("", "/board", "/seats", "/replay", "/muster", "/post")]
            asks += [
                Asked("GET", at(), "log_from=3"),
                _post(at("/answers"), {"id": "never-used-before", "question": 999_999, "answer": {}}),
                _post(at("/check"), {"answer": {"nobody": "nowhere"}}),
                _post(at("/undo"), {"id": "never-used-before", "agree": True}),
                _post(at("/devices/nonsense/revoke"), {}),
                _post(at("/recover"), {"code": "nonsense"}),
                _post(at("/fork"), {"step": 2, "side": "axis"}),
                Asked("GET", "/api/games"),
                Asked("GET", "/"),
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
            if (who, self.kind) != ("spectator", "later"):
                side = Side.ALLIES if who in ("allies", "screen") else None
                with self.live.lock:
                    wanted = hall_module.version(self.live, side)
                stream.wait_for(wanted)

    def told(self) -> dict[str, str]:
        """All that the streams have said, but for the heartbeats: those keep to the clock."""
        return {who: stream.text.replace(": still here\n\n", "") for who, stream in self.streams.items()}


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
        audience = Side.ALLIES if who in ("allies", "screen") else None
        events = []
        for table in (one, two):
            with table.live.lock:
                events.append(list(table.live.game.picture(audience).events))
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


def an_answer(decision: Decide, random: Random) -> Any:
    """Any legal answer; where chance would make a battle nobody can compare, the one that is offered."""
    return decision.form.default if decision.kind in TAKEN_AS_OFFERED else decision.form.sample(random)


def hesitate(one: Table, two: Table, exchange: dict[str, str], random: Random) -> None:
    """The axis changes its mind in the second game while the enemy writes orders too: nobody can tell."""
    decision = two.live.game.decision(Side.AXIS)
    if decision is None or two.live.game.decision(Side.ALLIES) is None or decision.form.sole_answer() is not None:
        return
    axis = two.axis
    axis.post(axis.at("/check"), {"answer": decision.form.sample(random)})
    axis.post(axis.at("/check"), {"answer": {"nobody": "nowhere"}})
    assert axis.answer("nonsense").status_code == 422
    number = two.live.game.question_number(Side.AXIS)
    axis.post(axis.at("/desk/draft"), {"question": number, "answer": decision.form.default})
    axis.post(axis.at("/desk/notepad"), {"text": f"{random.random()}"})
    axis.post(axis.at("/desk/ahead"), {"text": "return: ask"})
    axis.post(axis.at("/desk/reminder"), {"hours": random.randrange(5)})
    axis.post(axis.at("/looked"), {})
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


def play_pair(
    server: Server, seed: int, *, rounds: int = ROUNDS, most: int = 1_000, kind: str = "", **rules: Any
) -> tuple[int, int]:
    """Play a pair: the round in which an exchanged ship was first shown (or the last one played), and how far it came."""
    kind = kind or KINDS[seed % len(KINDS)]
    random = Random(seed)
    setup, exchange = build(random)
    SeededGame.seed = seed
    with ExitStack() as stack:
        one = Table(server, setup, stack, kind, rules)
        two = Table(server, swapped(setup, exchange), stack, kind, rules)
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
            answer = an_answer(decision, random)
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


def ask_back(server: Server, seed: int) -> bool:
    """Two equal games; in the second the enemy has decided something nobody was told of. Whoever asks to take his own
    decision back is answered the same in both. False if it never came to that."""
    random = Random(seed)
    setup, _ = build(random)
    SeededGame.seed = seed
    with ExitStack() as stack:
        tables = [Table(server, setup, stack, "private") for _ in range(2)]
        one, two = tables
        for _ in range(random.randrange(3, 40)):
            game = one.live.game
            sides = [side for side in random.sample(list(Side), 2) if game.decision(side)]
            if game.over or not sides:
                return False
            decision = game.decision(sides[0])
            assert decision
            answer = an_answer(decision, random)
            if len(game.journal) > 4 and random.random() < 0.4:
                if _secretly(two, sides[0], answer):
                    told = [_asked_back(table, sides[0].enemy) for table in tables]
                    if told[0] != told[1]:
                        raise Difference(f"{decision.kind} of {sides[0]}: {told[0]} against {told[1]}")
                    return True
                _give(one, sides[0], answer)
                continue
            for table in tables:
                _give(table, sides[0], answer)
        return False


def _give(table: Table, side: Side, answer: Any) -> None:
    sender = table.axis if side is Side.AXIS else table.allies
    told = sender.answer(answer, question=table.live.game.question_number(side))
    assert told.status_code == 200, told.text


def _secretly(table: Table, side: Side, answer: Any) -> bool:
    """Give an answer; whether the enemy was told nothing by it."""
    enemy = table.allies if side is Side.AXIS else table.axis
    before = enemy.view()
    _give(table, side, answer)
    return enemy.view() == before


def _asked_back(table: Table, who: Side) -> tuple[Any, ...]:
    asker = table.axis if who is Side.AXIS else table.allies
    answer = asker.post(asker.at("/undo"), {"id": "take-this-back"})
    view = asker.view() | {"id": ""}
    return answer.status_code, answer.content, view
