"""Strict dice: a link of both sides for each roll, as docs/dice.md says; what verify proves, and what it names. The verifier
here knows nothing but that page."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from flagplot.bots.random_bot import RandomBot
from flagplot.core.errors import DiceAwaited, NotYourDecision, PlayerError, StaleRequest, UndoRefused
from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import Committed, Linked, Opened, Rolled
from flagplot.play import saves, strict_dice
from flagplot.play.dice_proof import examine, found_in_dice
from flagplot.play.fair_dice import PAGE, SERVER, Halves, die
from flagplot.play.game import Game
from flagplot.play.strict_dice import StrictDice, before, link_of, roll_key
from flagplot.scenarios.loader import shipped_scenario
from tests.play.fair_games import lines_of, other_digit, packed, written

PAGE_OF_DICE = (Path(__file__).parents[2] / "docs" / "dice.md").read_text().partition("## Strict dice")[2]
VECTORS = PAGE_OF_DICE.partition("```text")[2].partition("```")[0]
HALVES = Halves(bytes(range(32)), b"\xa5" * 32)
LAST = {"axis": b"\x11" * 32, "allies": b"\x22" * 32}
V = "flagplot-dice-1"


def framed(*parts: Any) -> bytes:
    told = [
        each.to_bytes(8, "big") if isinstance(each, int) else each.encode() if isinstance(each, str) else each
        for each in parts
    ]
    return b"".join(len(each).to_bytes(4, "big") + each for each in told)


def seen_die(key: bytes, draw: int) -> int:
    for block in range(100):
        for byte in hmac.digest(key, framed("game", draw, block), "sha256"):
            if byte < 252:
                return byte % 6 + 1
    raise AssertionError


def verified(data: bytes) -> list[str]:
    """What does not fit in the links and dice of a recording, from the page alone."""
    lines = [json.loads(line) for line in lines_of(data)]
    header, last, found = lines[0], lines[-1], []
    game = header["fair"]["game"]
    secret = bytes(a ^ b for a, b in zip(*(bytes.fromhex(last[side]) for side in SIDES), strict=True))
    at: dict[str, str] = {}
    out: dict[str, bytes] = {}
    linked, draws = False, 0
    for number, line in enumerate(lines[1:-1], 2):
        if line["line"] == "commit":
            if linked:
                found.append(f"{number} commit")
            at[line["who"]] = line["commitment"]
        elif line["line"] == "link":
            linked = True
            link = bytes.fromhex(line["link"])
            fits = hashlib.sha256(framed(V, f"link {line['who']}", game, link)).hexdigest() == at.get(line["who"])
            if not fits or len(at) < 2 or line["who"] in out:
                found.append(f"{number} link")
            at[line["who"]], out[line["who"]] = line["link"], link
            continue
        elif line["line"] == "roll":
            if len(out) < 2 or line["source"] != "strict" or line["draw"] != draws:
                found.append(f"{number} roll")
            else:
                told = framed(V, "strict", game, header["edition"], line["draw"], out["axis"], out["allies"])
                key = hmac.digest(secret, told, "sha256")
                if [seen_die(key, line["draw"] + place) for place in range(len(line["dice"]))] != line["dice"]:
                    found.append(f"{number} dice")
            draws = line["draw"] + len(line["dice"])
        out = {}
    return found


@pytest.fixture(autouse=True, scope="module")
def short_chains() -> Any:
    """Chains of a thousand links, which are made sooner."""
    usual, strict_dice.LINKS = strict_dice.LINKS, 1000
    yield
    strict_dice.LINKS = usual


def begun(name: str, chance: Random, people: list[Side] | None = None) -> tuple[Game, dict[str, bytes]]:
    """A new game with strict dice, and the last links of its sides."""
    scenario = shipped_scenario(name)
    own = {side: chance.randbytes(32) for side in SIDES}
    source = StrictDice(f"g-{chance.randrange(10**9)}", Halves(chance.randbytes(32), chance.randbytes(32)), own)
    game = Game.new(
        scenario.setup,
        scenario=scenario.name,
        edition=scenario.edition,
        options=scenario.options,
        people=list(Side) if people is None else people,
        dice=source,
        key=chance.randbytes(16).hex(),
    )
    return game, {side: chance.randbytes(32) for side in SIDES}


def name_of(game: Game) -> str:
    assert isinstance(game.dice, StrictDice)
    return game.dice.game


def bind(game: Game, last: dict[str, bytes]) -> None:
    for side in SIDES:
        game.record(Committed(side, link_of(side, name_of(game), last[side], 0).hex(), PAGE))


def release(game: Game, last: dict[str, bytes], side: str) -> None:
    out = sum(isinstance(line, Linked) and line.who == side for line in game.journal)
    game.record(Linked(side, link_of(side, name_of(game), last[side], out + 1).hex()))


def to_a_roll(game: Game, bots: dict[Side, RandomBot]) -> bool:
    """Play until dice are due; False if the game is over."""
    while not game.over and not game.roll_due():
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision is not None
        game.submit(side, bots[side].choose(game.picture(side), decision))
    return not game.over


@cache
def recording(name: str, seed: int) -> bytes:
    """A whole game, its links released in either order, some decisions taken back with a link already out."""
    chance = Random(f"{name} {seed}")
    game, last = begun(name, chance)
    bind(game, last)
    bots = {side: RandomBot(Random(chance.random())) for side in Side}
    undos = 2
    while to_a_roll(game, bots):
        first, second = chance.sample(list(SIDES), 2)
        release(game, last, first)
        if undos and chance.random() < 0.3:
            undos -= 1
            try:
                game.undo(chance.choice(list(Side)), agreed=True)
            except UndoRefused:
                pass
            else:
                continue
        release(game, last, second)
        game.roll()
    return saves.dump(game)


NAMES = ("denmark-strait", "river-plate", "ambush", "force-z")


def test_the_vectors_of_the_page_are_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strict_dice, "LINKS", 3)
    numbers = re.findall(r"[0-9a-f]{64}", VECTORS)
    links = {side: [link_of(side, "example-game", LAST[side], number) for number in range(4)] for side in SIDES}
    assert [each.hex() for side in SIDES for each in links[side][:3]] == numbers[:6]
    rolls = re.findall(r"^ +((?:[1-6] ?)+)$", VECTORS, re.M)
    for number, (draw, key, dice) in enumerate(zip((0, 3), numbers[6:], rolls, strict=True), 1):
        ours = roll_key("example-game", "current", HALVES.secret, draw, {side: links[side][number] for side in SIDES})
        assert ours.hex() == key
        told = [int(each) for each in dice.split()]
        assert [die(ours, draw + place) for place in range(len(told))] == told
        assert [seen_die(ours, draw + place) for place in range(len(told))] == told
    assert before("axis", "example-game", links["axis"][3]) == links["axis"][2]


def test_no_die_falls_before_both_links_are_out_and_none_is_released_before_it_is_due() -> None:
    game, last = begun("denmark-strait", Random(3))
    bots = {side: RandomBot(Random(1)) for side in Side}
    bind(game, last)
    if not game.roll_due():
        with pytest.raises(NotYourDecision, match="not before"):
            release(game, last, "axis")
    to_a_roll(game, bots)
    for side in SIDES:
        with pytest.raises(DiceAwaited):
            game.roll()
        release(game, last, side)
        with pytest.raises(StaleRequest, match="out already"):
            release(game, last, side)
    game.roll()
    assert game.linked() == {}
    with pytest.raises((DiceAwaited, NotYourDecision)):
        game.roll()  # those links are used up


def test_what_comes_too_late_too_early_or_from_somebody_else_is_refused() -> None:
    game, last = begun("denmark-strait", Random(4))
    to_a_roll(game, {side: RandomBot(Random(1)) for side in Side})
    with pytest.raises(PlayerError, match="not bound to its chain yet"):
        release(game, last, "axis")
    first = link_of("axis", name_of(game), last["axis"], 0).hex()
    game.record(Committed("axis", first, PAGE))
    with pytest.raises(PlayerError, match="somebody else's"):
        game.record(Committed("allies", first, PAGE))
    with pytest.raises(PlayerError, match="no side"):
        game.record(Committed("nobody", "0" * 64, PAGE))
    bind(game, last)
    for wrong in ("0" * 64, "x", link_of("axis", name_of(game), last["axis"], 2).hex(), first):
        with pytest.raises(PlayerError, match="not the next"):
            game.record(Linked("axis", wrong))
    for line in (Opened("axis", "0" * 64), Linked("nobody", "0" * 64)):
        with pytest.raises(PlayerError, match="one link for each roll"):
            game.record(line)
    release(game, last, "axis")
    with pytest.raises(StaleRequest, match="no commitment"):
        game.record(Committed("allies", "1" * 64, PAGE))
    game.reveal("closed")
    with pytest.raises(StaleRequest, match="has been opened"):
        release(game, last, "allies")
    fair = Game.new(game.header.setup)
    with pytest.raises(PlayerError, match="nobody's share"):
        fair.record(Linked("axis", "0" * 64))


def test_a_link_that_was_out_when_something_was_taken_back_is_void() -> None:
    game, last = begun("river-plate", Random(5))
    bind(game, last)
    bots = {side: RandomBot(Random(2)) for side in Side}
    to_a_roll(game, bots)
    release(game, last, "axis")
    side = next(side for side in Side if any(line.who == side for line in game.journal if hasattr(line, "answer")))
    with pytest.raises(UndoRefused, match="a link of the dice is out"):
        game.undo(side)
    game.undo(side, agreed=True)
    assert game.linked() == {}
    to_a_roll(game, bots)
    release(game, last, "allies")
    with pytest.raises(DiceAwaited):
        game.roll()
    release(game, last, "axis")
    game.roll()
    assert sum(isinstance(line, Linked) for line in game.journal) == 3
    again = Game(game.header, list(game.journal), StrictDice(name_of(game), game.dice.halves, game.dice.own))  # type: ignore[attr-defined]
    assert again.draws == game.draws and again.table.check() == game.table.check()


def test_the_server_does_the_part_of_bots() -> None:
    game, last = begun("denmark-strait", Random(6), [Side.AXIS])
    game.settle()
    assert [(line.who, line.by) for line in game.journal if isinstance(line, Committed)] == [("allies", SERVER)]
    game.record(Committed("axis", link_of("axis", name_of(game), last["axis"], 0).hex(), PAGE))
    to_a_roll(game, {side: RandomBot(Random(1)) for side in Side})
    game.settle()
    game.settle()
    assert list(game.linked()) == ["allies"]
    release(game, last, "axis")
    game.roll()


def test_what_a_side_decides_does_not_reach_the_dice_and_the_dice_are_even() -> None:
    """The same links and draws give the same dice; forty thousand of them are as even as they should be."""
    links = dict.fromkeys(SIDES, b"\x07" * 32)
    counts: Counter[int] = Counter()
    for roll in range(4000):
        key = roll_key("game", "current", HALVES.secret, roll * 10, links)
        counts.update(die(key, roll * 10 + place) for place in range(10))
    wanted = sum(counts.values()) / 6
    assert sum((counts[face] - wanted) ** 2 / wanted for face in range(1, 7)) < 20.5  # one in a thousand
    one = roll_key("game", "current", HALVES.secret, 3, links)
    for other in (links | {"axis": b"\x08" * 32}, links | {"allies": b"\x08" * 32}):
        assert roll_key("game", "current", HALVES.secret, 3, other) != one
    assert roll_key("game", "current", HALVES.secret, 4, links) != one
    assert roll_key("game", "first", HALVES.secret, 3, links) != one


def test_finished_games_are_proven_by_verify_and_from_the_page() -> None:
    for name in NAMES:
        data = recording(name, 1)
        proof = examine(saves.parse(data))
        assert proof.findings == [] and proof.proven and "nobody knew a die before it fell" in proof.words
        assert verified(data) == []
        assert examine(saves.parse(data), start=proof.start, end=proof.end).proven
        assert any(isinstance(line, Rolled) for line in saves.parse(data).journal)


def of_kind(lines: list[bytes], kind: str) -> list[int]:
    return [number for number, line in enumerate(lines) if json.loads(line).get("line") == kind]


def a_die(lines: list[bytes], chance: Random) -> str:
    at = chance.choice(of_kind(lines, "roll"))
    line = json.loads(lines[at])
    place = chance.randrange(len(line["dice"]))
    true = line["dice"][place]
    line["dice"][place] = chance.choice([face for face in range(1, 7) if face != true])
    lines[at] = packed(line)
    return f"line {at + 1}: die {place + 1} (draw {line['draw'] + place}) shows {line['dice'][place]}"


def a_link(lines: list[bytes], chance: Random) -> str:
    at = chance.choice(of_kind(lines, "link"))
    line = json.loads(lines[at])
    line["link"] = other_digit(line["link"], chance)
    lines[at] = packed(line)
    return f"line {at + 1}: the link of {line['who']} is not the one that follows"


def a_commitment(lines: list[bytes], chance: Random) -> str:
    at = chance.choice(of_kind(lines, "commit"))
    line = json.loads(lines[at])
    line["commitment"] = other_digit(line["commitment"], chance)
    lines[at] = packed(line)
    return f"the link of {line['who']} is not the one that follows what it is bound to"


def a_link_missing(lines: list[bytes], chance: Random) -> str:
    rolls = of_kind(lines, "roll")
    at = chance.choice([n for n in of_kind(lines, "link") if n + 1 in rolls])
    who = json.loads(lines[at])["who"]
    del lines[at]
    return f"line {at + 1}: dice are rolled, and {who} released no link for them"


def a_late_commitment(lines: list[bytes], chance: Random) -> str:
    at = chance.choice(of_kind(lines, "roll")) + 1
    lines.insert(at, packed({"line": "commit", "who": "axis", "commitment": "ab" * 32, "by": "page"}))
    return f"line {at + 1}: axis commits to a chain after a link was released"


def another_source(lines: list[bytes], chance: Random) -> str:
    at = chance.choice(of_kind(lines, "roll"))
    line = json.loads(lines[at])
    lines[at] = packed(line | {"source": "fair"})
    return f"line {at + 1}: these dice came from 'fair', not from the strict dice"


def two_links(lines: list[bytes], chance: Random) -> str:
    at = chance.choice(of_kind(lines, "link"))
    lines.insert(at, lines[at])
    return f"{json.loads(lines[at])['who']} releases two links for one roll"


def somebody_else(lines: list[bytes], chance: Random) -> str:
    at = chance.choice(of_kind(lines, "link"))
    lines.insert(at, packed({"line": "link", "who": "host", "link": "ab" * 32}))
    return f"line {at + 1}: 'host' is no side"


def a_share(lines: list[bytes], chance: Random) -> str:
    at = chance.choice(of_kind(lines, "roll")) + 1
    lines.insert(at, packed({"line": "open", "who": "axis", "share": "ab" * 32}))
    return f"line {at + 1}: strict dice have links"


def no_digits(lines: list[bytes], chance: Random) -> str:
    at = chance.choice(of_kind(lines, "link"))
    line = json.loads(lines[at])
    lines[at] = packed(line | {"link": "nothing"})
    return f"line {at + 1}: the link of {line['who']} is not 64 hexadecimal digits"


def links_first(lines: list[bytes], chance: Random) -> str:
    at = of_kind(lines, "commit")[-1]
    lines.append(lines.pop(at))
    lines[-1], lines[-2] = lines[-2], lines[-1]
    return "is released before both sides are bound to their chains"


def called_fair(lines: list[bytes], chance: Random) -> str:
    lines[0] = packed(json.loads(lines[0]) | {"dice": "fair"})
    return "was never opened before"


WAYS: tuple[Callable[[list[bytes], Random], str], ...] = (
    a_die,
    a_link,
    a_commitment,
    a_link_missing,
    a_late_commitment,
    another_source,
    two_links,
    somebody_else,
    a_share,
    no_digits,
    links_first,
    called_fair,
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("sums", [True, False])
def test_whatever_is_tampered_with_is_named(way: Callable[[list[bytes], Random], str], sums: bool) -> None:
    chance = Random(way.__name__)
    for name in NAMES:
        lines = lines_of(recording(name, 1))
        says = way(lines, chance)
        data = written(lines, closing=True, sums=sums)
        found = found_in_dice(saves.parse(data))
        assert any(says in each for each in found), (says, found)
        if way in (a_die, a_link, a_commitment, a_link_missing, a_late_commitment, another_source, two_links):
            assert verified(data)


@pytest.mark.long
def test_ten_thousand_tamperings_are_named() -> None:
    chance = Random(8)
    for _ in range(10_000):
        lines = lines_of(recording(chance.choice(NAMES), 1))
        says = chance.choice(WAYS)(lines, chance)
        found = found_in_dice(saves.parse(written(lines, closing=True, sums=chance.random() < 0.5)))
        assert any(says in each for each in found), (says, found)
