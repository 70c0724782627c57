"""A game: playing, closed questions, undo and its barrier, saving and everything that can be wrong with a save."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from flagplot.core.dice import ScriptedDice
from flagplot.core.errors import NotYourDecision, SaveError, ScenarioError, StaleRequest, TapeError, UndoRefused
from flagplot.core.sides import Side
from flagplot.core.tape import Rolled, Undone
from flagplot.play import saves
from flagplot.play.game import Game
from flagplot.scenarios.loader import load_scenario
from tests.properties.random_battles import KEY, random_game


def three_groups(*dice: int) -> Game:
    scenario = load_scenario("three-groups")
    return Game.new(scenario.setup, scenario=scenario.name, dice=ScriptedDice(dice or [1] * 400), key=KEY)


def test_a_new_game_asks_and_advancing_answers_what_has_one_answer() -> None:
    game = three_groups()
    assert game.decision(Side.AXIS) and game.decision(Side.ALLIES)
    game.advance()
    assert game.battle.round == 1 and game.battle.segment == "counterair"
    decision = game.decision(Side.AXIS)
    assert decision and decision.kind == "patrol"


def test_an_answer_to_a_closed_question_is_refused_and_changes_nothing() -> None:
    game = three_groups()
    game.advance()
    number = game.question_number(Side.AXIS)
    game.submit(Side.AXIS, {}, number)
    before = saves.dump(game)
    with pytest.raises(StaleRequest, match=f"question {number} of axis is closed"):
        game.submit(Side.AXIS, {}, number)
    with pytest.raises(NotYourDecision):
        game.submit(Side.AXIS, {})
    with pytest.raises(NotYourDecision):
        game.roll()
    assert saves.dump(game) == before


def test_a_sealed_answer_can_be_taken_back_until_the_other_side_answers() -> None:
    game = three_groups()
    game.advance()
    game.submit(Side.AXIS, {})
    game.undo(Side.AXIS)
    assert game.journal[-1] == Undone("axis", len(game.runner.tape), False)
    game.submit(Side.AXIS, {})
    game.submit(Side.ALLIES, {})
    with pytest.raises(UndoRefused, match="the enemy has decided since"):
        game.undo(Side.AXIS)
    with pytest.raises(UndoRefused, match="something has been shown since"):
        game.undo(Side.ALLIES)


def test_undo_stops_at_dice_unless_the_other_side_agrees_and_no_draw_is_used_twice() -> None:
    game = three_groups()
    game.advance()
    searched = len(game.journal)
    while not any(isinstance(line, Rolled) for line in game.journal[searched:]):
        for side in Side:
            decision = game.decision(side)
            if decision:
                game.submit(side, decision.form.default)
        game.advance()
    drawn = [line for line in game.journal if isinstance(line, Rolled)]
    last = game.question_number(Side.ALLIES)
    with pytest.raises(UndoRefused, match="dice have been rolled"):
        game.undo(Side.ALLIES)
    game.undo(Side.ALLIES, agreed=True)
    assert game.question_number(Side.ALLIES) < last
    decision = game.decision(Side.ALLIES)
    assert decision
    game.submit(Side.ALLIES, decision.form.default)
    game.roll()
    again = [line for line in game.journal if isinstance(line, Rolled)]
    assert again[-1].draw == drawn[-1].draw + len(drawn[-1].dice)
    Game(game.header, game.journal)


def test_a_solitaire_game_may_always_go_back() -> None:
    scenario = load_scenario("three-groups")
    game = Game.new(scenario.setup, dice=ScriptedDice([1] * 99), solitaire=True, key=KEY)
    with pytest.raises(UndoRefused, match="nothing to take back"):
        game.undo(Side.AXIS)
    game.advance()
    game.submit(Side.AXIS, {})
    game.submit(Side.ALLIES, {})
    game.undo(Side.AXIS)
    assert game.decision(Side.AXIS)


def test_pictures_follow_the_game_and_undo() -> None:
    game = three_groups()
    game.advance()
    assert game.picture(Side.AXIS).battle.round == 1
    assert all(group.hidden for group in game.picture(None).battle.fleets[Side.AXIS].groups)
    while game.battle.segment != "fleet combat":
        if game.roll_due():
            game.roll()
        else:
            game.submit(Side.AXIS if game.decision(Side.AXIS) else Side.ALLIES, {})
    game.submit(Side.AXIS, {})
    game.submit(Side.ALLIES, {})
    shown = game.picture(Side.AXIS).battle.fleets[Side.ALLIES].group(1)
    assert shown.revealed and shown.ships
    game.undo(Side.ALLIES, agreed=True)
    assert game.picture(Side.AXIS).battle.fleets[Side.ALLIES].group(1).hidden


def test_a_wrong_edition_or_option_is_refused() -> None:
    setup = load_scenario("three-groups").setup
    with pytest.raises(ScenarioError, match="no edition '1999'"):
        Game.new(setup, edition="1999")
    with pytest.raises(ScenarioError, match="no such option"):
        Game.new(setup, options={"luck": "good"})
    with pytest.raises(ScenarioError, match="'maybe' is not one of"):
        Game.new(setup, options={"evaded_engagement": "maybe"})
    chosen = Game.new(setup, options={"evaded_engagement": "spent"})
    assert chosen.header.options["evaded_engagement"] == "spent"
    assert chosen.table.rules.tries_after_evasion == 0


# -- saves ----------------------------------------------------------------------------------


def saved(tmp_path: Path, inputs: int = 60) -> tuple[Game, Path]:
    game = random_game(5, most_inputs=inputs)
    path = tmp_path / "battle.flagplot"
    saves.save(game, path)
    return game, path


def test_a_game_saved_to_disk_reads_back(tmp_path: Path) -> None:
    game, path = saved(tmp_path)
    assert saves.load(path).battle == game.battle
    assert list(tmp_path.iterdir()) == [path]


def test_every_cut_of_a_save_is_refused(tmp_path: Path) -> None:
    data = saved(tmp_path, 12)[1].read_bytes()
    for end in [*range(0, len(data), 37), len(data) - 1]:
        with pytest.raises(SaveError):
            saves.read(data[:end])
    lines = data.splitlines(keepends=True)
    for count in range(len(lines)):
        with pytest.raises(SaveError):
            saves.read(b"".join(lines[:count]))


def test_every_altered_byte_of_a_save_is_refused(tmp_path: Path) -> None:
    game, path = saved(tmp_path, 12)
    data = path.read_bytes()
    for index in range(0, len(data), 29):
        altered = bytearray(data)
        altered[index] ^= 1
        with pytest.raises((SaveError, TapeError)):
            saves.read(bytes(altered))
    assert path.read_bytes() == saves.dump(game)


def resealed(game: Game, lines: list[bytes]) -> bytes:
    """A file with a right closing line over altered lines: what a knowing forger would hand in."""
    body = b"".join(line + b"\n" for line in lines)
    closing = saves.Closing(len(lines) - 1, saves._sum(body, game.header.key))
    return body + msgspec.json.encode(closing) + b"\n"


def test_an_altered_die_under_a_right_seal_is_found_by_the_checks(tmp_path: Path) -> None:
    game, path = saved(tmp_path)
    lines = path.read_bytes().splitlines()[:-1]
    assert saves.read(resealed(game, lines)).battle == game.battle
    noticed = 0
    rolls = [index for index, line in enumerate(lines[:-3]) if b'"line":"roll"' in line]
    for index in rolls:
        roll = msgspec.json.decode(lines[index])
        roll["dice"][0] = roll["dice"][0] % 6 + 1
        altered = [*lines[:index], msgspec.json.encode(roll), *lines[index + 1 :]]
        with pytest.raises(TapeError):
            saves.read(resealed(game, altered))
        noticed += 1
    assert noticed


def test_foreign_files_are_refused_with_what_is_wrong(tmp_path: Path) -> None:
    game, path = saved(tmp_path, 4)
    lines = path.read_bytes().splitlines()[:-1]
    header = msgspec.json.decode(lines[0])
    for change, message in [
        ({"flagplot": 99}, "format 99"),
        ({"key": "xyz"}, "line 1"),
        ({"key": ""}, "key"),
        ({"setup_hash": "0" * 32}, "set-up in the file has been altered"),
        ({"surplus": 1}, "line 1"),
    ]:
        with pytest.raises(SaveError, match=message):
            saves.read(resealed(game, [msgspec.json.encode({**header, **change}), *lines[1:]]))
    for data in (
        b"",
        b"\n",
        b"hello\n",
        b"[" * 5000 + b"\n",
        b"\xff\xfe\n",
        b"{}\n{}\n",
        lines[0] + b"\n" + lines[0] + b"\n",
    ):
        with pytest.raises(SaveError):
            saves.read(data)
    with pytest.raises(SaveError, match="line 2 of the file is not a journal line"):
        saves.read(resealed(game, [lines[0], b"nonsense"]))
    with pytest.raises(SaveError, match="journal lines, but"):
        saves.read(path.read_bytes().replace(lines[1] + b"\n", b"", 1))
    with pytest.raises(SaveError, match="at most"):
        saves.read(b"x" * (saves.MOST_BYTES + 1))
    with pytest.raises(SaveError, match="could not be read"):
        saves.load(tmp_path / "nowhere")


def test_a_disk_that_refuses_leaves_the_old_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, path = saved(tmp_path, 4)
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(SaveError, match="No space left on device; the file on disk is as it was"):
        saves.save(game, path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
