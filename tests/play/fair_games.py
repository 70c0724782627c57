"""Finished games with fair dice, and ways to tamper with their recordings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

from flagplot.bots.random_bot import RandomBot
from flagplot.core.errors import UndoRefused
from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import Committed, Opened
from flagplot.play import saves
from flagplot.play.fair_dice import PAGE, FairDice, Halves, bound_share
from flagplot.play.game import Game
from flagplot.scenarios.loader import shipped_scenario
from tests.play import second_verifier

HALVES = Halves(bytes(range(32)), bytes(range(32, 64)))


def unopened_game(name: str, id: str, chance: Random, people: Sequence[Side]) -> tuple[Game, FairDice]:
    """A new game with fair dice of which no share is bound yet, and its dice."""
    scenario = shipped_scenario(name)
    source = FairDice(
        id,
        Halves(chance.randbytes(32), chance.randbytes(32)),
        {side: chance.randbytes(32) for side in SIDES},
    )
    game = Game.new(
        scenario.setup,
        scenario=scenario.name,
        edition=scenario.edition,
        options=scenario.options,
        people=people,
        dice=source,
        key=chance.randbytes(16).hex(),
    )
    return game, source


def fair_game(name: str, chance: Random) -> Game:
    """A new game, both shares open: that of Axis from its page, that of the Allies from the server."""
    game, source = unopened_game(name, f"game-{chance.randrange(10**9)}", chance, [Side.AXIS])
    share = chance.randbytes(32)
    game.record(Committed("axis", bound_share("axis", source.game, share), PAGE))
    game.settle()
    game.record(Opened("axis", share.hex()))
    game.settle()
    return game


def played(name: str, seed: int, undos: int = 2) -> Game:
    """A whole game at random, some decisions of it taken back."""
    chance = Random(f"{name} {seed}")
    game = fair_game(name, chance)
    bots = {side: RandomBot(Random(chance.random())) for side in Side}
    while not game.over:
        if game.roll_due():
            game.roll()
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision is not None
        game.submit(side, bots[side].choose(game.picture(side), decision))
        if undos and not game.over and chance.random() < 0.1:
            undos -= 1
            try:
                game.undo(side, agreed=True)
            except UndoRefused:
                continue
    return game


# -- tampering --------------------------------------------------------------------------------------------


class Tampered(NamedTuple):
    """A recording that was tampered with: what was done, where, and what must be said of it."""

    what: str
    data: bytes
    says: tuple[str, ...]  # each of them in one of the findings


def lines_of(data: bytes) -> list[bytes]:
    """The lines of a save without its closing one."""
    return data[:-1].split(b"\n")[:-1]


def written(lines: Sequence[bytes], *, closing: bool, sums: bool) -> bytes:
    """A save of these lines, by somebody who makes the sums fit: that of the closing line, and those of the last line."""
    lines = list(lines)
    if sums:
        last, header = json.loads(lines[-1]), json.loads(lines[0])
        halves = [bytes.fromhex(last[side]) for side in SIDES]
        secret = bytes(one ^ two for one, two in zip(*halves, strict=True))
        game = header["fair"]["game"]
        last["sums"] = [second_verifier.line_sum(game, secret, line) for line in lines[:-1]]
        lines[-1] = packed(last)
    body = b"\n".join(lines) + b"\n"
    key = bytes.fromhex(json.loads(lines[0])["key"])
    total = hashlib.blake2b(body, key=key, digest_size=16).hexdigest() if closing else "0" * 32
    return body + packed({"line": "end", "lines": len(lines) - 1, "sum": total}) + b"\n"


def packed(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def other_digit(digits: str, chance: Random) -> str:
    """The same with one hexadecimal digit changed."""
    at = chance.randrange(len(digits))
    return digits[:at] + chance.choice([d for d in "0123456789abcdef" if d != digits[at]]) + digits[at + 1 :]


@cache
def kinds_of(data: bytes) -> dict[str, list[int]]:
    """Where the lines of each kind stand."""
    found: dict[str, list[int]] = {"roll": [], "open": [], "commit": [], "answer": []}
    for number, line in enumerate(lines_of(data)[1:], 1):
        found.setdefault(json.loads(line)["line"], []).append(number)
    return found


def tampered(data: bytes, chance: Random, kinds: Sequence[str] = ()) -> Tampered:
    """A recording with one thing changed in it; the closing sum fits or not, the sums of lines may be made to fit."""
    lines = lines_of(data)
    kind = chance.choice(
        kinds or ("die", "share", "half", "commitment", "moved", "answer", "edition", "options", "dropped")
    )
    of = kinds_of(data)
    closing = chance.random() < 0.8
    sums = closing and chance.random() < 0.5 and kind not in ("moved", "answer", "half")
    if kind in ("answer", "dropped", "moved") and not (of["answer"] and len(lines) > 9):
        kind = "die"
    says: tuple[str, ...]
    match kind:
        case "die":
            at = chance.choice(of["roll"])
            line = json.loads(lines[at])
            place = chance.randrange(len(line["dice"]))
            true, draw = line["dice"][place], line["draw"] + place
            line["dice"][place] = chance.choice([face for face in range(1, 7) if face != true])
            lines[at] = packed(line)
            says = (f"line {at + 1}: die {place + 1} (draw {draw}) shows {line['dice'][place]}; its draw gives {true}",)
        case "share" | "commitment":
            at = chance.choice(of["open" if kind == "share" else "commit"])
            line = json.loads(lines[at])
            field = "share" if kind == "share" else "commitment"
            line[field] = other_digit(line[field], chance)
            lines[at] = packed(line)
            says = (f"the share of {line['who']} is not the one it was bound to",)
        case "half":
            line, side = json.loads(lines[-1]), chance.choice(list(SIDES))
            line[side] = other_digit(line[side], chance)
            lines[-1] = packed(line)
            says = (f"line {len(lines)}: the half of the host's secret given to {side}", "the host's secret is not")
        case "moved":
            at = chance.choice([n for n in range(1, len(lines) - 2) if lines[n] != lines[n + 1]])
            lines[at], lines[at + 1] = lines[at + 1], lines[at]
            says = (f"line {at + 1}: this line and the next have changed places",)
        case "answer":
            at = chance.choice(of["answer"])
            line = json.loads(lines[at])
            line["answer"] = {"somebody": "elsewhere"} if line["answer"] != {"somebody": "elsewhere"} else {}
            lines[at] = packed(line)
            says = (f"line {at + 1}: the answer of {line['who']} was altered",)
        case "edition" | "options":
            line = json.loads(lines[0])
            line[kind] = f"{line[kind]}s" if kind == "edition" else {**line[kind], "another": "option"}
            lines[0] = packed(line)
            says = ("line 1: the edition" if kind == "edition" else "line 1: the options are not those",)
        case _:
            at = chance.choice(of["roll"] if sums else range(1, len(lines) - 1))
            draws = json.loads(lines[at]).get("draw")
            last = at == of["roll"][-1]
            del lines[at]
            if sums:
                says = ("dice were drawn in all",) if last else (f"dice {draws} to",)
            else:
                says = (f"line {at + 1}: a line that stood here is missing",)
    return Tampered(kind, written(lines, closing=closing, sums=sums), says)


def saved(name: str, seed: int) -> bytes:
    """The recording of a finished game that rolled dice."""
    while True:
        game = played(name, seed)
        if any(entry.who == "dice" for entry in game.runner.tape):
            return saves.dump(game)
        seed += 1000
