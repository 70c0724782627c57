"""Dice both sides trust: what docs/dice.md says of them, what verify proves, and what it names (trust.md, promise 14)."""

from __future__ import annotations

import hashlib
import os
import re
from functools import cache
from pathlib import Path
from random import Random

import msgspec
import pytest

from flagplot.core.errors import DiceAwaited, PlayerError, SaveError, StaleRequest, UndoRefused
from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import Committed, Opened, Revealed, Rolled, Typed
from flagplot.play import patch, saves
from flagplot.play.dice_proof import examine, found_in_dice
from flagplot.play.fair_dice import (
    PAGE,
    SERVER,
    AgreedDice,
    FairDice,
    Halves,
    Terms,
    bound_share,
    dice_key,
    die,
    end_code,
    frame,
    line_sum,
    start_code,
    terms_of,
)
from flagplot.play.game import Game
from flagplot.scenarios.loader import shipped_scenario
from tests.play import second_verifier
from tests.play.fair_games import Tampered, fair_game, lines_of, packed, played, saved, tampered, written

PAGE_OF_DICE = (Path(__file__).parents[2] / "docs" / "dice.md").read_text()
SCALE = int(os.environ.get("SCALE", "1"))
SMALL = ("denmark-strait", "river-plate", "ambush", "force-z")
GAME, SHARES = "example-game", {"axis": b"\x11" * 32, "allies": b"\x22" * 32}
HALVES = Halves(bytes(range(32)), b"\xa5" * 32)
ODD_SETUP = {"b": [12, {"z": "Köln", "a": True}], "é": None, "a": 'a tab \t, \x01, "quoted", back\\slash, /'}


@cache
def recordings() -> tuple[bytes, ...]:
    return tuple(saved(name, seed) for name in SMALL for seed in (1, 2))


# -- the page --------------------------------------------------------------------------------------------


def test_the_vectors_of_the_page_are_ours() -> None:
    terms = terms_of(
        GAME,
        HALVES,
        edition="current",
        options={"b": "two", "a": "one"},
        setup="00112233445566778899aabbccddeeff",
        key="0f" * 16,
    )
    bound = {side: bound_share(side, GAME, share) for side, share in SHARES.items()}
    key = dice_key(GAME, "current", HALVES.secret, SHARES)
    wanted = [
        frame("ab", b"\x01\x02\x03", 7).hex(),
        HALVES.secret.hex(),
        *(f"{name:<8} {getattr(terms, name)}" for name in Terms.__struct_fields__ if name != "game"),
        *bound.values(),
        key.hex(),
        " ".join(str(die(key, draw)) for draw in range(20)),
        f"draw 45 (its first byte, fe, is thrown away): {die(key, 45)}      draw 1000: {die(key, 1000)}",
        f"draw 1000000: {die(key, 1_000_000)}",
        start_code(terms, bound),
        line_sum(HALVES.secret, GAME, b'{"line":"example"}'),
        end_code(b'{"flagplot":1}\n'),
        hashlib.blake2b(b'{"flagplot":1}\n', digest_size=16, key=b"\x0f" * 16).hexdigest(),
        hashlib.blake2b(msgspec.json.encode(ODD_SETUP, order="sorted"), digest_size=16).hexdigest(),
    ]
    for each in wanted:
        assert each in PAGE_OF_DICE


def test_the_page_says_what_the_scheme_does_not_prevent() -> None:
    for each in ("Looking ahead", "Trying again", "A host who vanishes", "A side that never opens its share"):
        assert f"**{each}" in PAGE_OF_DICE


# -- dice -------------------------------------------------------------------------------------------------


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def test_a_million_dice_pass_their_chi_square() -> None:
    key = dice_key(GAME, "current", HALVES.secret, SHARES)
    dice = [die(key, draw) - 1 for draw in range(1_000_000)]
    faces, pairs = [0] * 6, [0] * 36
    for face in dice:
        faces[face] += 1
    for one, two in zip(dice[::2], dice[1::2], strict=True):
        pairs[one * 6 + two] += 1
    assert chi_square(faces) < 20.52  # one in a thousand with five degrees of freedom
    assert chi_square(pairs) < 66.62  # with 35


def test_a_die_depends_on_its_number_and_on_nothing_that_happened() -> None:
    one, two = played("denmark-strait", 5), played("denmark-strait", 5, undos=0)
    for game in (one, two):
        source = game.dice
        for line in game.journal:
            if isinstance(line, Rolled):
                assert line.dice == source.dice(len(line.dice), line.draw)
    assert one.header.fair == two.header.fair


def test_parts_of_a_hash_cannot_flow_into_each_other() -> None:
    assert frame("ab", "c") != frame("a", "bc")
    assert frame("a", "") != frame("a")
    assert bound_share("axis", GAME, b"\x01" * 32) != bound_share("allies", GAME, b"\x01" * 32)
    assert bound_share("axis", GAME, b"\x01" * 32) != bound_share("axis", "another", b"\x01" * 32)


def test_bytes_of_252_and_more_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = iter([bytes([255] * 32), bytes([252, 253, 254, 6] + [0] * 28)])
    monkeypatch.setattr("flagplot.play.fair_dice.hmac.digest", lambda *told: next(blocks))
    assert die(b"", 0) == 1


def back_and_forth(times: int) -> None:
    game = fair_game("river-plate", Random(3))
    used: list[int] = []
    while len(game.taken_back) < times:
        if game.roll_due():
            game.roll()
            line = game.journal[-1]
            if isinstance(line, Rolled):
                used += range(line.draw, line.draw + len(line.dice))
                assert line.dice == game.dice.dice(len(line.dice), line.draw)
            game.undo(Side.AXIS, agreed=True)
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision is not None
        game.submit(side, decision.form.default)
    assert len(used) >= times
    assert used == list(range(len(used)))  # every draw once, in a row
    assert found_in_dice(saves.parse(saves.dump(game))) == []


def test_no_draw_is_used_again_after_an_undo() -> None:
    back_and_forth(150)


@pytest.mark.long
def test_no_draw_is_used_again_over_ten_thousand_undos() -> None:
    back_and_forth(10_000)


# -- order ----------------------------------------------------------------------------------------------


def begun() -> Game:
    setup = shipped_scenario("river-plate").setup
    return Game.new(setup, people=list(Side), dice=FairDice("a-game"))


def commit(game: Game, side: str, share: bytes) -> None:
    game.record(Committed(side, bound_share(side, "a-game", share), PAGE))


def test_no_die_falls_before_both_shares_are_open() -> None:
    game = begun()
    with pytest.raises(DiceAwaited):
        game.dice.dice(1, 0)
    commit(game, "axis", b"\x01" * 32)
    with pytest.raises(PlayerError, match="has not committed"):
        game.record(Opened("axis", "01" * 32))
    commit(game, "allies", b"\x02" * 32)
    game.record(Opened("axis", "01" * 32))
    with pytest.raises(DiceAwaited):
        game.dice.dice(1, 0)
    game.record(Opened("allies", "02" * 32))
    assert len(game.dice.dice(3, 0)) == 3
    again = Game(game.header, game.journal[:], FairDice("a-game", game.dice.halves, game.dice.own))  # type: ignore[attr-defined]
    assert again.dice.dice(20, 0) == game.dice.dice(20, 0)


def test_what_comes_too_late_too_early_or_from_somebody_else_is_refused() -> None:
    game = begun()
    commit(game, "axis", b"\x01" * 32)
    copied = Committed("allies", bound_share("axis", "a-game", b"\x01" * 32), PAGE)
    with pytest.raises(PlayerError, match="somebody else's"):
        game.record(copied)
    fair = game.header.fair
    assert isinstance(fair, Terms)
    with pytest.raises(PlayerError, match="somebody else's"):
        game.record(Committed("allies", fair.host, PAGE))
    with pytest.raises(PlayerError, match="64 hexadecimal"):
        game.record(Committed("allies", "x" * 64, PAGE))
    with pytest.raises(PlayerError, match="no side"):
        game.record(Committed("host", "0" * 64, PAGE))
    commit(game, "axis", b"\x03" * 32)  # replaced: the other side is not bound yet
    commit(game, "allies", b"\x02" * 32)
    for side in SIDES:
        with pytest.raises(StaleRequest, match="both sides are bound"):
            commit(game, side, b"\x05" * 32)
    with pytest.raises(PlayerError, match="not the one you committed to"):
        game.record(Opened("axis", "01" * 32))
    with pytest.raises(PlayerError, match="not the one you committed to"):
        game.record(Opened("axis", "nothing"))
    game.record(Opened("axis", "03" * 32))
    with pytest.raises(StaleRequest, match="can be changed"):
        commit(game, "allies", b"\x04" * 32)
    with pytest.raises(StaleRequest, match="already"):
        game.record(Opened("axis", "03" * 32))
    with pytest.raises(PlayerError, match="nobody's share"):
        Game.new(shipped_scenario("river-plate").setup).record(copied)


def test_a_side_commits_only_so_often() -> None:
    game = begun()
    for number in range(20):
        commit(game, "axis", bytes([number]) * 32)
    with pytest.raises(PlayerError, match="the last one stands"):
        commit(game, "axis", b"\x77" * 32)
    commit(game, "allies", b"\x78" * 32)
    game.record(Opened("axis", "13" * 32))


def test_the_server_does_the_part_of_bots_and_says_so() -> None:
    game = fair_game("river-plate", Random(1))
    lines = [line for line in game.dice_lines if isinstance(line, Committed)]
    assert {line.who: line.by for line in lines} == {"axis": PAGE, "allies": SERVER}
    kinds = [type(line) for line in game.dice_lines]
    assert kinds == [Committed, Committed, Opened, Opened]
    game.settle()
    assert len(game.dice_lines) == 4


def test_all_is_opened_at_the_end_and_when_a_game_is_closed_and_nothing_goes_back_after_that() -> None:
    game = played("river-plate", 4)
    last = game.journal[-1]
    assert isinstance(last, Revealed)
    assert last.ended == "over"
    with pytest.raises(UndoRefused, match="every die to come is known"):
        game.undo(Side.AXIS, agreed=True)
    with pytest.raises(StaleRequest, match="secret has been opened"):
        game.record(Committed("axis", "0" * 64, PAGE))
    closed = fair_game("river-plate", Random(9))
    closed.reveal("closed")
    closed.reveal("closed")
    assert sum(isinstance(line, Revealed) for line in closed.journal) == 1
    proof = examine(saves.parse(saves.dump(closed)))
    assert proof.findings == []
    assert proof.proven


def test_a_game_whose_dice_are_open_is_not_played_on_by_patching(monkeypatch: pytest.MonkeyPatch) -> None:
    game = played("river-plate", 4)
    monkeypatch.setattr(patch, "stop_of", lambda header, journal: patch.Stop(0, 1, "", ""))
    with pytest.raises(PlayerError, match="cannot be played on"):
        patch.taken_back(game.header, game.journal[:])
    assert patch.ways(game.header, game.journal[:]) == []


# -- verify -----------------------------------------------------------------------------------------------


def test_finished_games_are_proven_by_both_verifiers() -> None:
    for data in recordings():
        proof = examine(saves.parse(data))
        assert proof.findings == []
        assert proof.proven
        assert "The server drew the share of allies" in proof.words
        assert second_verifier.verify(data, proof.start, proof.end) == []
        assert second_verifier.verdict(data) == "proven"
        assert examine(saves.parse(data), start=proof.start.upper(), end=proof.end.replace("-", " ")).findings == []


def agree(games: int, seed: int = 8) -> None:
    """Both verifiers prove a game, and both find what somebody made of it, at the same line."""
    chance = Random(seed)
    for number in range(games):
        data = saved(SMALL[number % len(SMALL)], number)
        parsed = saves.parse(data)
        assert found_in_dice(parsed) == []
        assert second_verifier.verify(data) == []
        agree_on(tampered(data, chance))


def agree_on(wrong: Tampered) -> None:
    ours, theirs = found_in_dice(saves.parse(wrong.data)), second_verifier.verify(wrong.data)
    assert ours, wrong
    assert theirs, wrong
    if wrong.what not in ("moved", "dropped"):  # among equal lines it cannot be told which was
        lines = {int(at) for each in ours for at in re.findall(r"line (\d+)", each)}
        assert lines & {each.line for each in theirs}, (wrong.what, ours, theirs)


def test_the_second_verifier_agrees() -> None:
    agree(12)
    chance = Random(80)
    for _ in range(400):
        agree_on(tampered(chance.choice(recordings()), chance))


@pytest.mark.long
def test_the_second_verifier_agrees_on_ten_thousand_games() -> None:
    agree(10_000 * SCALE)


def name_all(times: int, seed: int) -> dict[str, int]:
    chance = Random(seed)
    seen: dict[str, int] = {}
    for _ in range(times):
        wrong = tampered(chance.choice(recordings()), chance)
        found = found_in_dice(saves.parse(wrong.data))
        for says in wrong.says:
            assert any(says in each for each in found), (wrong.what, wrong.says, found)
        seen[wrong.what] = seen.get(wrong.what, 0) + 1
    return seen


def test_whatever_is_tampered_with_is_named() -> None:
    seen = name_all(900, 1)
    assert len(seen) == 9
    assert min(seen.values()) > 30


@pytest.mark.long
def test_a_hundred_thousand_tamperings_are_named() -> None:
    name_all(100_000, 2)


def another_answer(data: bytes, chance: Random) -> bytes:
    """The recording with one answer exchanged for another legal one, all sums made to fit."""
    lines = lines_of(data)
    game = saves.read(data)
    for _ in range(200):
        at = chance.randrange(1, len(lines) - 1)
        line = msgspec.json.decode(lines[at])
        if line["line"] != "answer":
            continue
        before = Game(game.header, game.journal[: at - 1])
        decision = before.decision(SIDES[line["who"]])
        assert decision is not None
        other = decision.form.wire(decision.form.random(chance)) if hasattr(decision.form, "random") else None
        other = other if other is not None else decision.form.default
        if other != line["answer"]:
            line["answer"] = other
            return written([*lines[:at], packed(line), *lines[at + 1 :]], closing=True, sums=True)
    raise AssertionError("no other answer was found")


def test_an_answer_exchanged_for_a_legal_one_is_found_by_playing_or_by_the_end_code() -> None:
    chance, by_rules = Random(5), 0
    for data in recordings():
        kept = examine(saves.parse(data))
        wrong = saves.parse(another_answer(data, chance))
        by_rules += bool(examine(wrong).findings)
        assert any("end code" in each for each in examine(wrong, end=kept.end).findings)
    assert by_rules


def test_a_recording_forged_from_beginning_to_end_is_found_by_the_codes() -> None:
    one, two = played("river-plate", 21), played("river-plate", 22)
    kept, forged = examine(saves.parse(saves.dump(one))), saves.parse(saves.dump(two))
    found = examine(forged, start=kept.start, end=kept.end).findings
    assert [each[:14] for each in found] == ["the start code", "the end code o"]


def test_players_open_the_secret_without_the_host() -> None:
    whole = played("denmark-strait", 3)
    journal = whole.journal[:-2]
    assert isinstance(whole.dice, FairDice)
    abandoned = saves.parse(saves.dump(Game(whole.header, journal)))
    proof = examine(abandoned)
    assert (proof.findings, proof.proven) == ([], False)
    assert "unproven as yet" in proof.words
    assert examine(abandoned, halves=whole.dice.halves).proven
    wrong = examine(abandoned, halves=Halves(bytes(32), whole.dice.halves.allies))
    assert any("given to axis" in each for each in wrong.findings)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"fair": None}, "what the host bound itself to is missing"),
        ({"dice": "system"}, "were fair dice"),
    ],
)
def test_a_header_that_no_longer_speaks_of_fair_dice_is_named(change: dict[str, object], says: str) -> None:
    lines = lines_of(recordings()[0])
    header = {**msgspec.json.decode(lines[0]), **change}
    header = {name: value for name, value in header.items() if value is not None}
    found = found_in_dice(saves.parse(written([packed(header), *lines[1:]], closing=True, sums=False)))
    assert any(says in each for each in found)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (lambda all: all[:-1], "the last line is missing"),
        (lambda all: [*all, all[-1]], "opened once"),
        (lambda all: [*all[:1], *all[3:]], "before both sides have committed"),
        (lambda all: [*all[:4], *all[5:]], "was never opened before"),
        (lambda all: [*all[:5], all[1], *all[5:]], "after one was opened"),
        (lambda all: [*all[:5], all[4], *all[5:]], "opened twice"),
        (lambda all: [*all[:-1], all[-2], all[-1]], "added"),
        (lambda all: [*all[:6], all[-3], *all[6:]], "line 7"),
        (lambda all: [*all[:-3], all[-1]], "missing"),
        (lambda all: [all[0], *all[1:4], all[9], *all[4:9], *all[10:]], "altered, moved, dropped or added"),
        (lambda all: [each.replace(b'"source":"fair"', b'"source":"script"') for each in all], "came from 'script'"),
        (lambda all: [re.sub(rb'"draw":[1-9]\d*', b'"draw":0', each) for each in all], "uses draw 0 again"),
        (
            lambda all: [re.sub(rb'"axis":"..', b'"axis":"zz', each) if b'"reveal"' in each else each for each in all],
            "not 64 hexadecimal",
        ),
        (lambda all: [re.sub(rb'"share":"..', b'"share":"zz', each) for each in all], "is not 64 hexadecimal"),
        (
            lambda all: [re.sub(rb'"commitment":"\w+', b'"commitment":"' + b"1" * 64, each) for each in all],
            "was copied",
        ),
        (
            lambda all: [
                re.sub(
                    rb'"dice":\[[^]]*\]', lambda m: re.sub(rb"\d", lambda d: b"%d" % (int(d[0]) % 6 + 1), m[0]), each
                )
                for each in all
            ],
            "dice in all are not those",
        ),
        (
            lambda all: [each.replace(b'"check":"', b'"check":"0', 1) if b'"reveal"' in each else each for each in all],
            "near the end was altered",
        ),
    ],
)
def test_other_tamperings_are_named(lines: object, says: str) -> None:
    data = recordings()[0]
    wrong = written(lines(lines_of(data)), closing=True, sums=False)  # type: ignore[operator]
    found = examine(saves.parse(wrong)).findings
    assert any(says in each for each in found), found


def test_a_share_of_nobody_does_not_keep_the_dice_from_being_checked() -> None:
    lines = lines_of(recordings()[0])
    share = packed({"line": "open", "who": "nobody", "share": "0" * 64})
    wrong = written([*lines[:5], share, *lines[5:]], closing=True, sums=True)
    proof = examine(saves.parse(wrong))
    assert any("'nobody' is no side" in each for each in proof.findings)
    assert not proof.proven
    assert second_verifier.verify(wrong)


ODD = (None, True, -1, 2**63, 10**30, 1.5, "", "x", "0" * 64, [], [7], ["a"], {}, {"a": 1}, "\u0000", "é")


def test_whatever_stands_in_a_recording_verify_answers_in_words() -> None:
    chance = Random(77)
    refused = named = 0
    for _ in range(600):
        lines = lines_of(chance.choice(recordings()[2:4]))
        at = chance.choice([0, *range(1, len(lines)), len(lines) - 1, *range(1, 6)])
        line = msgspec.json.decode(lines[at])
        inside = line["fair"] if at == 0 and chance.random() < 0.5 else line
        name = chance.choice([each for each in inside if each != "setup"])
        odd = chance.choice(ODD)
        if odd == inside[name]:
            continue
        inside[name] = odd
        try:
            wrong = written([*lines[:at], packed(line), *lines[at + 1 :]], closing=True, sums=False)
        except (TypeError, ValueError):  # no key to make a sum with
            continue
        try:
            parsed = saves.parse(wrong)
        except SaveError:
            refused += 1
            continue
        assert found_in_dice(parsed) or examine(parsed).findings, (at, name, odd)
        named += 1
    assert refused > 50
    assert named > 50


# -- typed dice --------------------------------------------------------------------------------------------


def typed_game(people: list[Side]) -> Game:
    game = Game.new(shipped_scenario("river-plate").setup, people=people, dice=AgreedDice())
    while not game.roll_due():
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision is not None
        game.submit(side, decision.form.default)
    return game


def test_real_dice_count_when_both_have_read_the_same() -> None:
    game = typed_game(list(Side))
    with pytest.raises(DiceAwaited):
        game.roll()
    with pytest.raises(PlayerError, match="2 dice are rolled"):
        game.record(Typed("axis", [3]))
    game.record(Typed("axis", [3, 4]))
    with pytest.raises(DiceAwaited):
        game.roll()
    with pytest.raises(UndoRefused, match="real dice have been rolled"):
        game.undo(Side.AXIS)
    game.record(Typed("allies", [3, 5]))
    with pytest.raises(DiceAwaited):
        game.roll()
    game.record(Typed("axis", [3, 5]))
    again = Game(game.header, game.journal[:], AgreedDice())
    assert again.roll() == [3, 5]
    assert game.roll() == [3, 5]
    assert game.entered() == {}
    with pytest.raises(PlayerError):
        game.record(Typed("axis", [3, 5]))
    proof = examine(saves.parse(saves.dump(game)))
    assert proof.findings == []
    assert "nothing more can be proven" in proof.words


def test_real_dice_are_typed_only_so_often_but_can_always_be_confirmed() -> None:
    game = typed_game(list(Side))
    for number in range(40):
        game.record(Typed("axis" if number % 2 else "allies", [1 + number % 2, 3]))
    with pytest.raises(PlayerError, match="often enough"):
        game.record(Typed("axis", [6, 6]))
    game.record(Typed("axis", [1, 3]))
    assert game.roll() == [1, 3]


def test_against_a_bot_typing_once_is_enough_and_other_dice_are_not_typed() -> None:
    game = typed_game([Side.AXIS])
    game.record(Typed("axis", [6, 6]))
    assert game.roll() == [6, 6]
    with pytest.raises(PlayerError, match="not typed"):
        begun().record(Typed("axis", [1, 1]))


def test_real_dice_that_nobody_confirmed_are_named() -> None:
    game = typed_game(list(Side))
    for side in Side:
        game.record(Typed(side.value, [2, 2]))
    game.roll()
    lines = [line for line in lines_of(saves.dump(game)) if b'"who":"allies","dice"' not in line]
    found = found_in_dice(saves.parse(written(lines, closing=True, sums=False)))
    assert any("allies never confirmed these dice" in each for each in found)
