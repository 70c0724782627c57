"""Old recordings under new rules: where they stop, taking them back to there, and playing on."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from flagplot.cli.main import app
from flagplot.core.errors import EngineError, SaveError, TapeError
from flagplot.core.runner import Runner
from flagplot.core.tape import Answered, Line, Rolled, Undone
from flagplot.play import saves
from flagplot.play.game import Game
from flagplot.play.patch import read_save, stop_of, taken_back
from tests.properties.random_battles import random_game


def played(inputs: int = 60) -> Game:
    return random_game(5, most_inputs=inputs)


def altered(game: Game, number: int, *, tag: bool = False) -> list[Line]:
    """The journal as if older rules had asked something else, or come to another result, at a line."""
    journal = list(game.journal)
    line = journal[number]
    assert isinstance(line, Answered | Rolled)
    journal[number] = replace(line, tag="22.999 axis") if tag else replace(line, check="000000000000")
    return journal


def test_a_recording_that_the_rules_play_is_left_alone() -> None:
    game = played()
    assert stop_of(game.header, game.journal) is None
    assert taken_back(game.header, game.journal) == game.journal


@pytest.mark.parametrize("tag", [False, True])
def test_a_recording_that_stops_is_taken_back_to_its_entry_on_the_hosts_word(tag: bool) -> None:
    game = played()
    journal = altered(game, 40, tag=tag)
    with pytest.raises(TapeError):
        Game(game.header, journal)
    stop = stop_of(game.header, journal)
    assert stop is not None and (stop.entries, stop.of) == (40, 60)
    assert ("22.999" in stop.why) if tag else ("another result" in stop.why)
    lines = taken_back(game.header, journal)
    assert lines[:-1] == journal and lines[-1] == Undone("host", 40, True)
    patched = Game(game.header, lines)
    assert patched.runner.tape == game.runner.tape[:40]
    assert saves.read(saves.dump(patched)).events() == patched.events()


def test_no_draw_that_was_taken_back_is_used_again() -> None:
    game = random_game(5, most_inputs=200)
    number = next(index for index, line in enumerate(game.journal) if isinstance(line, Rolled))
    patched = Game(game.header, taken_back(game.header, altered(game, number)), game.dice)
    patched.roll()
    last = patched.journal[-1]
    assert isinstance(last, Rolled)
    assert last.draw == max(line.draw + len(line.dice) for line in game.journal if isinstance(line, Rolled))


def test_a_rule_that_fails_counts_as_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    game = played()
    honest = Runner._send

    def failing(self: Runner, value: object) -> None:
        if len(self.tape) == 31:
            raise EngineError("a rule failed")
        honest(self, value)

    monkeypatch.setattr(Runner, "_send", failing)
    stop = stop_of(game.header, game.journal)
    assert stop is not None and (stop.entries, stop.why) == (30, "a rule failed")


def test_a_save_is_patched_from_the_command_line(tmp_path: Path) -> None:
    game, file = played(), tmp_path / "old.flagplot"
    whole = Game(game.header, game.journal)
    saves.save(whole, file)
    run = CliRunner().invoke
    assert "Nothing stops the game" in run(app, ["patch", str(file)]).output
    whole.journal = altered(game, 40)
    saves.save(whole, file)
    assert run(app, ["verify", str(file)]).exit_code == 1
    told = run(app, ["patch", str(file)])
    assert told.exit_code == 1 and "stops after 40 of 60 entries" in told.output and "--take-back" in told.output
    assert run(app, ["verify", str(file)]).exit_code == 1, "looking changes nothing"
    assert "Taken back to entry 40" in run(app, ["patch", str(file), "--take-back"]).output
    assert run(app, ["verify", str(file)]).exit_code == 0
    with pytest.raises(SaveError, match="could not be read"):
        read_save(tmp_path / "none.flagplot")
