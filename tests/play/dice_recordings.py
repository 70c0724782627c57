"""The recordings in tests/dice that docs/dice.md names: games that Flagplot played, and what somebody made of them.

    python -m tests.play.dice_recordings

writes them anew, always the same ones. They change only when the rules of the scenario, or the format, do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from flagplot.bots.random_bot import RandomBot
from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import Committed, Opened, Revealed, Rolled
from flagplot.play import saves
from flagplot.play.dice_proof import examine
from flagplot.play.fair_dice import PAGE, FairDice, bound_share
from flagplot.play.game import Game
from tests.play.fair_games import lines_of, packed, unopened_game, written

SCENARIO = "force-z"
FOLDER = Path(__file__).parents[1] / "dice"


def begun(name: str, by_server: bool = False) -> Game:
    """A new game, both shares open, drawn by the sides' pages (Axis changed its mind once) or all by the server."""
    chance = Random(f"recording {name}")
    game, source = unopened_game(SCENARIO, f"example-{name}", chance, () if by_server else tuple(Side))
    if by_server:
        game.settle()
        return game
    shares = {side: chance.randbytes(32) for side in SIDES}
    for side, share in (("axis", chance.randbytes(32)), *shares.items()):
        game.record(Committed(side, bound_share(side, source.game, share), PAGE))
    for side, share in shares.items():
        game.record(Opened(side, share.hex()))
    return game


def played(name: str, *, by_server: bool = False, rolls: int = 1000) -> Game:
    """A game at random, to its end or to this many rolls; the first roll is taken back."""
    game = begun(name, by_server)
    bots = {side: RandomBot(Random(f"{name} {side}")) for side in Side}
    while not game.over and sum(isinstance(line, Rolled) for line in game.journal) < rolls:
        if game.roll_due():
            game.roll()
            if not game.taken_back and not game.over:
                game.undo(Side.AXIS, agreed=True)
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision is not None
        game.submit(side, bots[side].choose(game.picture(side), decision))
    return game


# -- what somebody made of the first ------------------------------------------------------------------------


def changed(line: bytes, **fields: Any) -> bytes:
    return packed({**json.loads(line), **fields})


def first(lines: list[bytes], kind: str) -> int:
    return next(at for at, line in enumerate(lines) if line.startswith(b'{"line":"%s"' % kind.encode()))


def die(lines: list[bytes]) -> None:
    at = first(lines, "roll")
    dice = json.loads(lines[at])["dice"]
    lines[at] = changed(lines[at], dice=[dice[0] % 6 + 1, *dice[1:]])


def share(lines: list[bytes]) -> None:
    at = first(lines, "open")
    lines[at] = changed(lines[at], share="0" * 64)


def half(lines: list[bytes]) -> None:
    lines[-1] = changed(lines[-1], axis="0" * 64)


def options(lines: list[bytes]) -> None:
    told = json.loads(lines[0])["options"]
    lines[0] = changed(lines[0], options={**told, next(iter(told)): "otherwise"})


def late_commitment(lines: list[bytes]) -> None:
    lines.insert(first(lines, "open") + 1, lines[first(lines, "commit")])


def replaced_commitment(lines: list[bytes]) -> None:
    lines.insert(first(lines, "open"), lines[first(lines, "commit") + 1])


def missing_roll(lines: list[bytes]) -> None:
    del lines[first(lines, "roll")]


def typed(lines: list[bytes]) -> None:
    lines.insert(first(lines, "roll"), packed({"line": "typed", "who": "axis", "dice": [6, 6]}))


def key_twice(lines: list[bytes]) -> None:
    at = first(lines, "roll")
    lines[at] = re.sub(rb'"dice":(\[[^]]*\])', rb'"dice":[6,6],"dice":\1', lines[at])


def answer(lines: list[bytes]) -> None:
    at = first(lines, "answer")
    lines[at] = changed(lines[at], answer={"somebody": "elsewhere"})


def moved(lines: list[bytes]) -> None:
    at = first(lines, "answer")
    lines[at], lines[at + 1] = lines[at + 1], lines[at]


def nothing(lines: list[bytes]) -> None:
    """Only the closing sum is another."""


Change = Callable[[list[bytes]], None]
# what was changed; whether the sums of lines, and the closing line, were made to fit; the checks that must fail
TAMPERED: dict[str, tuple[Change, bool, bool, tuple[int, ...]]] = {
    "closing-sum": (nothing, False, False, (1,)),
    "key-twice": (key_twice, True, True, (1,)),
    "half": (half, False, True, (2,)),
    "options": (options, True, True, (3,)),
    "share": (share, True, True, (4,)),
    "late-commitment": (late_commitment, True, True, (4,)),
    "replaced-commitment": (replaced_commitment, True, True, (4,)),
    "missing-roll": (missing_roll, True, True, (5,)),
    "typed": (typed, True, True, (5,)),
    "die": (die, True, True, (6,)),
    "answer": (answer, False, True, (7,)),
    "moved": (moved, False, True, (7,)),
}


def made() -> dict[str, bytes]:
    """Every file of the folder."""
    whole, closed = played("proven"), played("closed", rolls=2)
    closed.reveal("closed")
    unopened = played("unopened")
    assert isinstance(unopened.journal[-1], Revealed)
    games = {
        "proven": whole,
        "closed": closed,
        "server-shares": played("server-shares", by_server=True),
        "unopened": Game(unopened.header, unopened.journal[:-3]),
    }
    files = {f"{name}.flagplot": saves.dump(game) for name, game in games.items()}
    verdicts: dict[str, dict[str, Any]] = {}
    for name, data in list(files.items()):
        proof = examine(saves.parse(data))
        verdict = "proven" if proof.proven else "unproven"
        verdicts[name] = {"verdict": verdict, "start": proof.start, "end": proof.end}
    assert isinstance(unopened.dice, FairDice)
    verdicts["unopened.flagplot"]["halves"] = [each.hex() for each in unopened.dice.halves]
    for name, (change, sums, closing, checks) in TAMPERED.items():
        lines = lines_of(files["proven.flagplot"])
        change(lines)
        files[f"{name}.flagplot"] = written(lines, closing=closing, sums=sums)
        verdicts[f"{name}.flagplot"] = {"verdict": "tampered", "checks": checks}
    files["expected.json"] = json.dumps(verdicts, indent=1).encode() + b"\n"
    return files


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, data in made().items():
        (FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    main()
