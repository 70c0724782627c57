"""What newcomers stumbled over, so that nobody stumbles over it again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flagplot.core.tape import Undone
from flagplot.play.saves import load
from tests.cli.conftest import Run


def test_an_undo_that_is_refused_changes_nothing(run: Run) -> None:
    lines = ["undo agreed", "quit"]
    output = run("play", "guadalcanal", "--side", "allies", "--save", "a.flagplot", lines=lines).output
    assert "decided nothing yet" in output
    game = load(Path("a.flagplot"))
    assert not [line for line in game.journal if isinstance(line, Undone)]


def test_a_saved_game_is_resumed_in_its_own_chair_only(run: Run) -> None:
    run("play", "pedestal", "--side", "axis", "--save", "malta.flagplot", lines=["quit"])
    before = Path("malta.flagplot").read_bytes()
    refused = run("play", "malta.flagplot", "--side", "allies", lines=[""])
    assert refused.exit_code == 2 and "this game is played with --side axis" in refused.output
    assert Path("malta.flagplot").read_bytes() == before
    assert "you are Italy" in run("play", "malta.flagplot", lines=["quit"]).output


def test_a_file_that_cannot_be_written_is_known_before_the_first_question(run: Run) -> None:
    refused = run("play", "river-plate", "--save", "nowhere/a.flagplot", lines=[""])
    assert refused.exit_code == 2 and "could not be written" in refused.output
    assert "decides" not in refused.output


def test_a_disk_that_fills_up_costs_the_file_and_not_the_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from flagplot.core.errors import SaveError

    written = []

    def fails_later(game: object, path: Path) -> None:
        written.append(path)
        raise SaveError(f"{path} could not be written: No space left on device")

    monkeypatch.setattr("flagplot.cli.session.save", fails_later)
    output = run("play", "river-plate", "--side", "axis", "--save", "a.flagplot", lines=[""] * 40).output
    assert len(written) == 1 and "type save FILE" in output
    assert "The battle is over." in output


@pytest.mark.parametrize("dice", [[7, 3], [0, 1], [2.5, 3], ["6", 1], [True, 1]])
def test_the_public_questions_take_only_dice_that_exist(run: Run, dice: list[object]) -> None:
    asked = json.dumps({"with": {"fleet": 12}, "dice": dice})
    refused = run("call", "naval_attack", asked)
    assert refused.exit_code == 2 and "is not a die" in refused.output


@pytest.mark.parametrize("typed", [",,,;", "-1=4", "--2=--4", "1=4, 1=5"])
def test_nonsense_is_refused_and_decides_nothing(run: Run, typed: str) -> None:
    output = run("play", "denmark-strait", lines=[typed, "quit"]).output
    assert output.count("Number your combat groups.") == 1
    assert "Refused." in output


def test_help_and_undo_are_known_where_dice_are_typed(run: Run) -> None:
    lines = ["", "", "", "help", "undo", "6 6", "quit"]
    output = run(
        "play", "river-plate", "--side", "both", "--dice", "typed", "--order-of-battle", "open", lines=lines
    ).output
    assert "take your last answer back" in output and "Taken back." in output


def test_a_reason_is_said_once(run: Run) -> None:
    output = run("play", "guadalcanal", "--side", "allies", lines=["quit"]).output
    assert output.count("This group already has number 1.") <= 1


def test_a_saved_game_that_quits_keeps_to_its_file(run: Run) -> None:
    run("play", "denmark-strait", lines=["save mine.flagplot", "quit"])
    assert [path.name for path in Path().iterdir()] == ["mine.flagplot"]


def test_noise_is_not_called_a_save_cut_short(run: Run) -> None:
    Path("noise.flagplot").write_bytes(bytes(range(256)) * 10)
    refused = run("verify", "noise.flagplot")
    assert refused.exit_code != 0 and "not a Flagplot save" in refused.output


def test_where_says_why_a_row_is_an_input(run: Run) -> None:
    rows = {row["id"]: row for row in json.loads(run("where", "22.11A", "--json").output)["rows"]}
    assert rows["22.11A.1"]["status"] == "input" and "said of each force" in rows["22.11A.1"]["why"]
