"""Saved games looked at again: from each chair, as a report, and verified."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flagplot.core.sides import Side
from flagplot.play.saves import load
from tests.cli.conftest import Process, Run
from tests.play.fair_games import saved


@pytest.mark.parametrize("chair", ["axis", "allies", "spectator", "referee"])
def test_a_finished_game_can_be_seen_from_every_chair(run: Run, finished: Path, chair: str) -> None:
    result = run("replay", str(finished), "--as", chair)
    assert result.exit_code == 0
    assert "== Round 1 ==" in result.output and "The battle is over." in result.output
    assert ("Germany forms CG" in result.output) == (chair in ("axis", "referee"))
    assert ("Britain forms CG" in result.output) == (chair in ("allies", "referee"))


def test_a_finished_game_is_seen_by_the_referee_unless_another_chair_is_asked_for(run: Run, finished: Path) -> None:
    assert "seen by the referee" in run("replay", str(finished)).output


def test_an_open_game_is_seen_by_a_spectator_unless_another_chair_is_asked_for(run: Run, unfinished: Path) -> None:
    output = run("replay", str(unfinished)).output
    assert "seen by a spectator" in output and "The battle is not over yet." in output
    assert "forms CG" not in output


def test_an_open_game_is_not_shown_to_a_referee_or_to_the_side_that_waits(run: Run, unfinished: Path) -> None:
    game = load(unfinished)
    (waiting,) = [side for side in Side if game.decision(side) is None]
    for chair in ("referee", waiting.value):
        for more in ((), ("--report",), ("--json",)):
            result = run("replay", str(unfinished), "--as", chair, *more)
            assert result.exit_code == 2
            assert "this game is not over" in result.stderr and "--as spectator" in result.stderr
            assert "forms CG" not in result.output
    assert run("replay", str(unfinished), "--as", waiting.enemy.value).exit_code == 0


def test_a_solitaire_game_is_open_to_every_chair(run: Run) -> None:
    run("play", "java-sea", "--side", "both", "--save", "a.flagplot", lines=["", ""])
    for chair in ("axis", "allies", "referee"):
        assert run("replay", "a.flagplot", "--as", chair).exit_code == 0


def test_a_report_is_text_to_paste(process: Process, finished: Path) -> None:
    done = process("replay", str(finished), "--report")
    assert done.returncode == 0
    assert done.stdout.startswith("# Denmark Strait, May 1941\n")
    assert "As the referee saw it." in done.stdout and "## Results" in done.stdout
    spectator = process("replay", str(finished), "--report", "--as", "spectator").stdout
    assert "As a spectator saw it." in spectator and "forms CG" not in spectator


def test_steps_do_not_wait_when_nobody_is_there_to_press_enter(run: Run, finished: Path) -> None:
    assert run("replay", str(finished), "--step").exit_code == 0


def test_events_as_json(run: Run, finished: Path) -> None:
    result = run("replay", str(finished), "--json", "--as", "spectator")
    said = [json.loads(line) for line in result.stdout.splitlines()]
    assert said[0]["event"]["event"] == "BattleJoined"
    assert all(each["event"]["to"] == "everyone" and each["sentence"] for each in said)


def test_a_good_file_verifies(run: Run, process: Process, finished: Path) -> None:
    found = json.loads(run("verify", str(finished)).stdout)
    assert found["verified"] and found["entries"] == len(load(finished).runner.tape) > 20
    assert found["entries"] == found["answers"] + found["rolls"]
    assert process("verify", str(finished), "--json").returncode == 0


def altered(path: Path, old: bytes, new: bytes) -> Path:
    data = path.read_bytes()
    assert old in data
    other = path.with_name("altered.flagplot")
    other.write_bytes(data.replace(old, new, 1))
    return other


def test_an_altered_file_does_not_verify_and_says_so(run: Run, process: Process, finished: Path) -> None:
    other = altered(finished, b'"dice":[', b'"dice":[6,')
    result = run("verify", str(other))
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert not found["verified"] and "altered" in found["why"]
    done = process("verify", str(other))
    assert done.returncode == 1 and "Traceback" not in done.stderr


def test_a_cut_file_and_a_foreign_file_do_not_verify(run: Run, finished: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.flagplot"
    cut.write_bytes(finished.read_bytes()[:-40])
    foreign = tmp_path / "foreign.flagplot"
    foreign.write_text("once upon a time\n")
    for path in (cut, foreign, tmp_path / "missing.flagplot"):
        result = run("verify", str(path))
        assert result.exit_code == 1 and not json.loads(result.stdout)["verified"]


def test_an_altered_file_is_not_played_or_replayed_and_stays_as_it_is(run: Run, finished: Path) -> None:
    other = altered(finished, b'"dice":[', b'"dice":[6,')
    before = other.read_bytes()
    for words in (("replay", str(other)), ("play", str(other))):
        result = run(*words)
        assert result.exit_code == 2 and "altered" in result.stderr
    assert other.read_bytes() == before


@pytest.fixture
def fair(tmp_path: Path) -> Path:
    """A finished game with fair dice."""
    path = tmp_path / "fair.flagplot"
    path.write_bytes(saved("denmark-strait", 1))
    return path


def test_fair_dice_are_proven_and_what_was_tampered_with_is_named(run: Run, fair: Path) -> None:
    told = json.loads(run("verify", str(fair), "--json").stdout)
    assert told["verified"] and told["proven"] and told["dice"] == "fair"
    assert run("verify", str(fair), "--start", told["start"], "--end", told["end"]).exit_code == 0
    wrong = run("verify", str(fair), "--start", told["end"])
    assert wrong.exit_code == 1 and "you kept another" in wrong.stdout
    assert run("verify", str(fair), "--half", "00").exit_code != 0
    words = json.loads(
        run("verify", str(altered(fair, b'"edition":"current"', b'"edition":"ancient"')), "--json").stdout
    )
    assert any(
        "line 1: the edition 'ancient' is not the one the host was bound to" in each for each in words["findings"]
    )


def test_luck_is_told_for_each_side(run: Run, fair: Path, unfinished: Path) -> None:
    told = run("replay", str(fair), "--luck").stdout
    assert "expected" in told and "as bad or worse" in told and "all dice, their sum" in told
    (battle,) = json.loads(run("replay", str(fair), "--luck", "--json").stdout)
    assert {row["side"] for row in battle["rows"]} == {"axis", "allies"}
    assert run("replay", str(unfinished), "--luck").exit_code == 0
