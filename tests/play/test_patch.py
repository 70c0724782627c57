"""Old recordings under new rules: where they stop, taking them back to there, and playing on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

import flagplot
from flagplot.cli import patch as command
from flagplot.cli.main import app
from flagplot.core.errors import EngineError, SaveError, TapeError
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.core.tape import Answered, Line, Rolled, Undone, tape
from flagplot.play import saves
from flagplot.play.game import Game, Header
from flagplot.play.patch import Way, read_save, stop_of, taken_back, ways
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


# -- the ways on -------------------------------------------------------------------------------------------

SAVES = sorted((Path(__file__).parents[1] / "saves").glob("*/*.flagplot"))


def by_name(header: Header, journal: Sequence[Line]) -> dict[str, Way]:
    return {way.name: way for way in ways(header, journal)}


@pytest.mark.parametrize("path", SAVES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_saves_of_earlier_versions_play_on_or_stop_at_a_named_entry_with_a_way_on(path: Path) -> None:
    header, journal = read_save(path)
    stop = stop_of(header, journal)
    assert stop is None or (stop.why and 0 <= stop.entries < stop.of and ways(header, journal))


def an_older(name: str) -> tuple[Header, list[Line]]:
    return read_save(next(path for path in SAVES if path.stem == name))


@pytest.mark.parametrize(
    ("name", "option", "played", "now"),
    [
        ("coral-sea", "naval_air_bonus_at_sea", "on", "off"),
        ("midway", "naval_air_bonus_at_sea", "on", "off"),
    ],
)
def test_the_reading_a_game_was_played_by_is_found(name: str, option: str, played: str, now: str) -> None:
    header, journal = an_older(name)
    header = replace(header, options={**header.options, option: now})
    stop = stop_of(header, journal)
    assert stop is not None and stop.when.startswith("round ") and "another result" in stop.why
    way = by_name(header, journal)[f"{option}={played}"]
    assert (way.entries, way.of) == (stop.of, stop.of) and Game(way.header, way.journal).over


def test_the_same_answers_and_dice_are_played_anew_as_far_as_they_are_legal() -> None:
    header, journal = an_older("coral-sea")
    header = replace(header, options={**header.options, "naval_air_bonus_at_sea": "off"})
    found = by_name(header, journal)
    stop = stop_of(header, journal)
    assert stop is not None and found["take-back"].entries == stop.entries < found["anew"].entries
    game = Game(found["anew"].header, found["anew"].journal)
    recorded = tape(journal)[: len(game.runner.tape)]
    assert [(entry.tag, entry.answer) for entry in game.runner.tape] == [(e.tag, e.answer) for e in recorded]
    assert game.runner.tape[-1].check != recorded[-1].check, "what came of them is not what was recorded"
    assert game.runner.pending is not None or game.over


def test_what_was_undone_is_not_played_anew() -> None:
    game = played(30)
    side = next(side for side in Side if game.undo_stands(side))
    game.undo(side, agreed=True)
    while len(game.runner.tape) < 40:
        if game.roll_due():
            game.roll()
            continue
        asked = next(each for each in Side if game.decision(each))
        decision = game.decision(asked)
        assert decision is not None
        game.submit(asked, decision.form.default)
    journal = list(game.journal)
    last = journal[-1]
    assert isinstance(last, Answered | Rolled)
    journal[-1] = replace(last, check="000000000000")
    anew = by_name(game.header, journal)["anew"]
    assert not any(isinstance(line, Undone) for line in anew.journal)
    assert Game(anew.header, anew.journal).events() == game.events()


def test_a_rule_that_fails_ends_what_is_played_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    game = played()
    journal = altered(game, 20)
    honest = Runner._send

    def failing(self: Runner, value: object) -> None:
        if len(self.tape) == 31:
            raise EngineError("a rule failed")
        honest(self, value)

    monkeypatch.setattr(Runner, "_send", failing)
    assert by_name(game.header, journal)["anew"].entries == 30


@pytest.mark.parametrize(
    "gone",
    [{"edition": "1998"}, {"options": {"tea": "hot"}}, {"options": {"evaded_engagement": "perhaps"}}],
    ids=str,
)
def test_an_edition_or_option_that_is_gone_stops_at_the_set_up_and_can_be_left_out(gone: dict[str, Any]) -> None:
    header, journal = an_older("river-plate")
    header = replace(header, **gone)
    stop = stop_of(header, journal)
    assert stop is not None and (stop.entries, stop.when) == (0, "the set-up")
    assert any(words in stop.why for words in ("no edition '1998'", "no such option", "'perhaps' is not one of"))
    way = by_name(header, journal)["known"]
    assert way.entries == stop.of and Game(way.header, way.journal).over


def test_an_option_that_is_gone_from_a_game_that_stops_besides() -> None:
    header, journal = an_older("coral-sea")
    header = replace(header, options={"tea": "hot", "naval_air_bonus_at_sea": "off"})
    found = by_name(header, journal)
    assert "known" not in found and found["take-back"].entries > 0
    Game(found["take-back"].header, found["take-back"].journal)


def test_operations_and_the_war_say_when_they_stop() -> None:
    for name, number, words in (("operation-malta", 5, "phase"), ("war", 20, "19")):
        header, journal = an_older(name)
        line = journal[number]
        assert isinstance(line, Answered | Rolled)
        journal[number] = replace(line, tag="22.999 axis")
        stop = stop_of(header, journal)
        assert stop is not None and words in stop.when


# -- the command -------------------------------------------------------------------------------------------

run = CliRunner().invoke


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """A save that the rules stop after 12 of 20 entries."""
    game, file = played(20), tmp_path / "old.flagplot"
    whole = Game(game.header, game.journal)
    whole.journal = altered(game, 12)
    saves.save(whole, file)
    return file


def test_a_save_that_plays_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "old.flagplot"
    saves.save(played(), file)
    told = json.loads(run(app, ["patch", str(file)]).stdout)
    assert told["stops"] is None and told["ways"] == [] and told["written_by"] == flagplot.__version__
    monkeypatch.setattr(command, "wants_json", lambda asked: asked)
    assert "Nothing stops the game" in run(app, ["patch", str(file), "--take-back"]).output
    assert [each.name for each in tmp_path.iterdir()] == ["old.flagplot"]
    with pytest.raises(SaveError, match="could not be read"):
        read_save(tmp_path / "none.flagplot")


def test_a_save_that_stops_names_entry_reason_and_ways_and_is_left_alone(
    stopped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = stopped.read_bytes()
    looked = run(app, ["patch", str(stopped)])
    told = json.loads(looked.stdout)
    assert looked.exit_code == 1 and (told["stops"]["entries"], told["stops"]["of"]) == (12, 20)
    assert {way["by"]: way["entries"] for way in told["ways"]} == {"take-back": 12, "anew": 20}
    monkeypatch.setattr(command, "wants_json", lambda asked: asked)
    shown = run(app, ["patch", str(stopped)])
    said = " ".join(shown.output.split())
    assert shown.exit_code == 1 and "stops after 12 of 20 entries" in said and "another result" in said
    assert "--by take-back keep the 12 entries" in said and "--by anew" in said
    assert stopped.read_bytes() == before and len(list(stopped.parent.iterdir())) == 1


@pytest.mark.parametrize(("by", "entries"), [("take-back", 12), ("anew", 20)])
def test_a_way_on_is_written_to_a_new_file_and_never_over_another(stopped: Path, by: str, entries: int) -> None:
    before = stopped.read_bytes()
    done = run(app, ["patch", str(stopped), "--by", by])
    new = stopped.with_name("old-patched.flagplot")
    assert done.exit_code == 0 and json.loads(done.stdout)["written"] == str(new)
    assert run(app, ["verify", str(new)]).exit_code == 0 and len(saves.load(new).runner.tape) == entries
    again = run(app, ["patch", str(stopped), "--by", by])
    assert again.exit_code == 2 and "is there already" in again.stderr
    elsewhere = stopped.with_name("third.flagplot")
    assert run(app, ["patch", str(stopped), "--by", by, "--to", str(elsewhere)]).exit_code == 0
    assert elsewhere.read_bytes() == new.read_bytes()
    same = run(app, ["patch", str(stopped), "--by", by, "--to", str(stopped)])
    assert same.exit_code == 2 and stopped.read_bytes() == before


def test_a_way_that_there_is_not_is_refused(stopped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = run(app, ["patch", str(stopped), "--by", "magic"])
    assert refused.exit_code == 2 and "'magic' is no way on for this game; there are take-back, anew" in refused.stderr
    monkeypatch.setattr(command, "wants_json", lambda asked: asked)
    done = run(app, ["patch", str(stopped), "--take-back"])
    assert "goes on from there" in done.output and "is as it was" in done.output
