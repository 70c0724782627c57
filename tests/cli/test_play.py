"""Playing with answers that come through a pipe: to the end, with refusals, undo, saves, dice of every kind.

Most battles are typed to their end in the long run only; all of them are played to their end by tests/fuzz.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from flagplot.core.sides import Side
from flagplot.core.tape import Rolled, Undone
from flagplot.play.saves import load
from flagplot.scenarios.loader import list_scenarios
from tests.cli.conftest import Process, Run, played

DEFAULTS = [""] * 400
SHORT = ("denmark-strait", "river-plate", "midway", "tripoli-run", "war")
BATTLES = [
    pytest.param(name, marks=() if name in SHORT or name.startswith("operation-") else pytest.mark.long)
    for name in (scenario.name for scenario in list_scenarios())
]
COLOUR = "\x1b["


@pytest.mark.parametrize("name", BATTLES)
def test_a_whole_battle_by_its_defaults(run: Run, name: str) -> None:
    result = run("play", name, "--save", "a.flagplot", lines=DEFAULTS)
    assert result.exit_code == 0, result.output
    what = "operation" if name.startswith("operation-") else "war" if name == "war" else "battle"
    assert f"The {what} is over." in result.output
    assert "flagplot replay a.flagplot --report" in result.output
    assert COLOUR not in result.output
    assert load(Path("a.flagplot")).over


def test_a_whole_battle_in_a_process_of_its_own(process: Process) -> None:
    done = process("play", "river-plate", "--side", "axis", "--bot", "random", lines=DEFAULTS)
    assert (done.returncode, done.stderr) == (0, "")
    assert "The battle is over." in done.stdout and COLOUR not in done.stdout


def test_a_newcomer_sees_the_chart_his_ships_the_question_and_how_to_answer(run: Run) -> None:
    output = run("play", lines=["1=2, 2=4"]).output
    assert "Denmark Strait, May 1941 · round 1 · you are Britain · edition current · system dice" in output
    assert "[Groups]  Counterair" in output
    assert "Hood BC ●●●  Prince of Wales BB ●●●●  3 DD" in output
    assert "Britain decides  22.423" in output
    assert "Number your combat groups." in output
    assert "Naval Combat Chart" in output
    assert re.search(r"CG2 10 factors .*2 ", output) and re.search(r"CG4 2 factors .*4 ", output)


def test_search_dice_show_their_lines_as_far_as_they_are_told(run: Run) -> None:
    output = run("play", "three-groups", "--side", "allies", lines=[""] * 3).output
    assert re.search(r"roll \d: .*carriers of distant CG\d \+1 \(22\.451D\)", output)
    assert "more for reasons not told" in output


def test_rolls_show_their_lines_with_rule_numbers(run: Run) -> None:
    output = run("play", "river-plate", "--side", "both", lines=DEFAULTS).output
    assert re.search(r"fires? \d factors? at .*: \d\+\d(, [+−]\d)? = \d+, (no|\d) hits? \(22\.55\)", output)
    assert re.search(r"roll 1: Germany \+2 \(22\.552A\), against Britain −2 \(22\.552A\), .* = ", output)


# -- refusals, commands, the end of input -------------------------------------------------------------


def test_a_refusal_names_the_rule_and_asks_again(run: Run) -> None:
    output = run("play", lines=["1=2, 2=2", "hms=3", "1=3, 2=1"]).output
    assert "✕ Refused. No two groups have the same number. (22.423A)" in output
    assert "'hms' is not among the things to be placed" in output
    assert "Britain forms CG3 Battlecruiser squadron" in output


NASTY = [
    b"\xff\xfe=\x00",
    b"why \xc2\xb2",
    b"why " + b"9" * 6000,
    b"1=" + b"9" * 6000 + b" 2",
    b'{"a":' * 5000,
    b"[" * 5000,
    b'{"Norfolk and Suffolk": {"2": 1e999}}',
    b'{"Norfolk and Suffolk": {"2": ' + b"9" * 6000 + b"}}",
    b'{"Norfolk and Suffolk": [null]}',
    b"null",
    b"undo undo axis",
    b"rule " + "²".encode() * 99,
    b"=,=,;;==+",
    b"all=",
    b"*=*",
]


def test_nothing_that_can_be_typed_breaks_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [str(Path(sys.executable).with_name("flagplot")), "play"],
        input=b"\n".join(NASTY) + b"\n",
        capture_output=True,
        timeout=60,
        cwd=tmp_path,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Britain was asked: Number your combat groups." in done.stdout


def test_the_end_of_input_says_what_was_asked(run: Run) -> None:
    result = run("play", "--save", "a.flagplot", lines=[])
    assert result.exit_code == 0
    assert "The input ends here; Britain was asked: Number your combat groups. (22.423)" in result.output
    assert "Saved to a.flagplot. Go on with: flagplot play a.flagplot --side allies" in result.output


def test_nothing_is_written_at_the_end_of_input_unless_asked_for(run: Run) -> None:
    assert run("play", lines=["", ""]).exit_code == 0
    assert list(Path().iterdir()) == []


def test_help_lists_the_commands(run: Run) -> None:
    output = run("play", lines=["help"]).output
    for word in ("why", "undo", "save FILE", "chart", "log", "legal", "rule 22.54B", "quit"):
        assert word in output


def test_legal_gives_answers_that_are_legal(run: Run) -> None:
    output = run("play", lines=["legal"]).output
    offered = re.findall(r"^  (Battlecruiser squadron=\S+, Norfolk and Suffolk=\S+)$", output, re.MULTILINE)
    assert len(offered) > 1
    for answer in offered:
        assert "Refused" not in run("play", lines=[answer]).output


def test_why_explains_the_last_roll_or_any(run: Run) -> None:
    asked = ["", "", "", "why", "why 1", "why 99", "why me", "quit"]
    output = run("play", "river-plate", "--side", "both", lines=asked).output
    assert re.search(r"Roll 1\. Graf Spee fires 2 factors", output)
    assert re.search(r"22\.55 +dice \d \+ \d +\d", output)
    assert re.search(r"2 factors, row 2, column \d+: (no|\d) hits?", output)
    assert "There is 1 roll" in output
    assert "Which roll? For example: why 3" in output


def test_why_before_any_roll(run: Run) -> None:
    assert "No dice have been rolled yet." in run("play", lines=["why"]).output


def test_chart_and_log_show_what_this_side_knows(run: Run) -> None:
    output = run("play", lines=["", "chart", "log"]).output
    assert output.count("Naval Combat Chart") >= 1
    assert "Britain brings Battlecruiser squadron" in output


def test_rule_says_what_a_rule_is_about_without_the_workshop(run: Run) -> None:
    output = run("play", lines=["rule 22.61A", "rule", "rule 99.9"]).output
    assert "22.61A" in output and "declares first" in output
    assert "round_loser" not in output and "tests/" not in output
    assert "Which rule? For example: rule 22.54B" in output
    assert "there is no rule '99.9'" in output.lower()


def test_quit_saves_and_says_how_to_go_on(run: Run) -> None:
    output = run("play", lines=["", "quit"]).output
    assert "Saved to denmark-strait.flagplot. Go on with: flagplot play denmark-strait.flagplot --side allies" in output
    again = run("play", lines=["", "quit"]).output
    assert "Saved to denmark-strait-2.flagplot." in again


def test_save_writes_a_copy(run: Run) -> None:
    output = run("play", lines=["save copy.flagplot", "save 'two words.flagplot'", 'save "'])
    assert "Saved to copy.flagplot." in output.output
    assert load(Path("copy.flagplot")).header.scenario == "denmark-strait"
    assert Path("two words.flagplot").exists()


def test_another_game_is_never_overwritten(run: Run) -> None:
    Path("old.flagplot").write_text("an old game")
    result = run("play", "--save", "old.flagplot")
    assert result.exit_code == 2 and "old.flagplot is there already" in result.stderr
    assert "Refused. old.flagplot is there already" in run("play", lines=["save old.flagplot"]).output
    assert "Refused" not in run("play", lines=["save new.flagplot", "save new.flagplot"]).output
    assert Path("old.flagplot").read_text() == "an old game"


def test_a_save_that_cannot_be_written_is_refused(run: Run) -> None:
    assert "could not be written" in run("play", lines=["save no/such/folder/a.flagplot", ""]).output


def test_a_question_with_one_legal_answer_is_answered_and_told(run: Run) -> None:
    output = run("play", "pedestal", "--bot", "random", lines=DEFAULTS).output
    assert "Only one answer is legal" in output


# -- undo --------------------------------------------------------------------------------------------------


def test_undo_is_refused_beyond_the_barrier_and_works_when_agreed(run: Run) -> None:
    result = run("play", "--save", "a.flagplot", lines=["2=5", "undo", "undo agreed", "2=6"])
    assert "the other side must agree: type undo agreed; the bot always does." in result.output
    assert "Taken back." in result.output
    game = load(Path("a.flagplot"))
    assert [line.agreed for line in game.journal if isinstance(line, Undone)].count(True) >= 1
    assert game.battle.fleets[Side.ALLIES].numbers == (1, 6)


def test_undo_with_nothing_to_take_back(run: Run) -> None:
    output = run("play", "river-plate", "--side", "axis", lines=["undo"]).output
    assert "Refused. Germany has decided nothing yet" in output


def test_undo_is_free_when_all_is_open_on_the_table(run: Run) -> None:
    lines = ["", "undo axis", "screen", ""]
    result = run("play", "river-plate", "--side", "both", "--save", "a.flagplot", lines=lines)
    assert "Taken back." in result.output
    assert "Screened: Graf Spee" in result.output
    assert load(Path("a.flagplot")).header.solitaire


def test_a_refused_undo_loses_nothing(run: Run) -> None:
    result = run("play", "pedestal", "--save", "a.flagplot", lines=["", "2=5", "undo", ""])
    assert "Refused." in result.output
    assert load(Path("a.flagplot")).battle.fleets[Side.ALLIES].numbers[:2] == (1, 5)


# -- saving and resuming -------------------------------------------------------------------------------------


def test_a_saved_game_goes_on_where_it_was(run: Run) -> None:
    run("play", "--save", "a.flagplot", lines=["1=2, 2=4"])
    before = load(Path("a.flagplot")).journal
    result = run("play", "a.flagplot", lines=DEFAULTS)
    assert result.exit_code == 0 and "The battle is over." in result.output
    after = load(Path("a.flagplot"))
    assert after.over and after.journal[: len(before)] == before


def test_a_game_resumed_by_the_side_to_move(run: Run) -> None:
    run("play", "--side", "axis", "--save", "a.flagplot", lines=[""])
    assert "you are Germany" in run("play", "a.flagplot").output


def test_a_resumed_game_keeps_its_options(run: Run) -> None:
    run("play", "--save", "a.flagplot")
    for words in (("--option", "evaded_engagement=spent"), ("--order-of-battle", "open")):
        result = run("play", "a.flagplot", *words)
        assert result.exit_code == 2
        assert "goes on with the options" in result.stderr


def test_options_are_in_the_header_line(run: Run) -> None:
    output = run("play", "--option", "evaded_engagement=spent", "--order-of-battle", "open").output
    assert "evaded_engagement spent" in output
    assert "Bismarck and Prinz Eugen" in output  # an open order of battle shows what the enemy brings
    said = " ".join(output.split())
    assert "Not as usual: 22.523 (AM-11), whether a group whose target evades may seek another" in said
    assert "Not as usual" not in run("play", "--order-of-battle", "open").output


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("atlantis",), "there is no battle called 'atlantis'"),
        (("missing.flagplot",), "could not be read"),
        (("missing.toml",), "there is no such file"),
        (("--option", "nonsense"), "is not an option"),
        (("--option", "evaded_engagement=never"), "is not one of retry, spent"),
        (("--dice", "loaded"), "there are no dice 'loaded'"),
        (("--dice", "script:none.txt"), "could not be read"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_sentence(run: Run, words: tuple[str, ...], why: str) -> None:
    result = run("play", *words)
    assert result.exit_code == 2
    assert why in result.stderr and len(result.stderr.splitlines()) == 1
    assert "Traceback" not in result.output


# -- dice -----------------------------------------------------------------------------------------------------


def test_scripted_dice_fall_as_written(run: Run) -> None:
    Path("dice.txt").write_text("6 6  # Graf Spee\n1,1\n")
    output = run("play", "river-plate", "--side", "both", "--dice", "script:dice.txt", lines=["", "", "", "2"]).output
    assert "script dice" in output
    assert "Graf Spee fires 2 factors at Britain's light ships: 6+6, +1 = 13, 2 hits (22.55)" in output


def test_a_script_that_ends_stops_the_game_and_keeps_it(run: Run) -> None:
    Path("dice.txt").write_text("6\n")
    words = ("play", "river-plate", "--side", "both", "--dice", "script:dice.txt", "--save", "a.flagplot")
    result = run(*words, lines=DEFAULTS)
    assert result.exit_code == 2 and "the dice script ends after 1 dice" in result.stderr
    assert load(Path("a.flagplot")).roll_due() is not None
    again = run("play", "a.flagplot", "--side", "both")
    assert again.exit_code == 2 and "say which to go on with" in again.stderr
    assert run("play", "a.flagplot", "--side", "both", "--dice", "system", lines=DEFAULTS).exit_code == 0
    assert run("play", "a.flagplot").exit_code == 2


def test_a_script_with_a_seven_is_refused(run: Run) -> None:
    Path("dice.txt").write_text("1 2\n3 7\n")
    result = run("play", "--dice", "script:dice.txt")
    assert result.exit_code == 2 and "line 2 of the dice script" in result.stderr


def test_typed_dice_are_asked_for_and_checked(run: Run) -> None:
    lines = ["", "", "", "seven", "7 7", "6", "65", "", "", "", ""]
    output = run("play", "river-plate", "--side", "both", "--dice", "typed", "--save", "a.flagplot", lines=lines).output
    assert "Roll 2 dice: 2 factors fire at the light ships (22.55)" in output
    assert "Type 2 numbers from 1 to 6" in output
    assert "7 is not a die." in output
    assert "2 dice are rolled here." in output
    assert "6+5" in output
    rolls = [line for line in load(Path("a.flagplot")).journal if isinstance(line, Rolled)]
    assert rolls[0].source == "typed" and rolls[0].dice == [6, 5]


def test_one_may_quit_where_dice_are_asked_for(run: Run) -> None:
    lines = ["", "", "", "quit"]
    output = run("play", "river-plate", "--side", "both", "--dice", "typed", lines=lines).output
    assert "Saved to river-plate.flagplot. Go on with: flagplot play river-plate.flagplot --side both" in output


# -- JSON -----------------------------------------------------------------------------------------------------


def test_json_is_one_object_a_line(run: Run) -> None:
    commands = ["help", "legal", "chart", "log", "why", "rule 22.54B", "1=1, 2=1", "undo", "save b.flagplot"]
    result = run("play", "--json", "--save", "a.flagplot", lines=[*commands, *DEFAULTS])
    said = [json.loads(line) for line in result.stdout.splitlines()]
    kinds = [each["type"] for each in said]
    assert kinds[0] == "game" and kinds[-1] == "result"
    assert {"event", "question", "refused", "help", "legal", "chart", "log", "rule", "saved"} <= set(kinds)
    question = next(each for each in said if each["type"] == "question")
    assert question["kind"] == "number" and question["rule"] == "22.423"
    assert {"items", "places", "limits", "rest", "default"} <= set(question["form"])
    refused = next(each for each in said if each["type"] == "refused" and each["rule"])
    assert refused["rule"] == "22.423A"
    assert set(said[-1]["sides"]) == {"axis", "allies"} and said[-1]["over"]


def test_json_answers_may_be_json(run: Run) -> None:
    answer = '{"Battlecruiser squadron": "3", "Norfolk and Suffolk": "2"}'
    result = run("play", "--json", lines=[answer, "undo agreed"])
    said = [json.loads(line) for line in result.stdout.splitlines()]
    placed = [each["event"]["numbers"] for each in said if each.get("event", {}).get("event") == "MarkersPlaced"]
    assert [2, 3] in placed
    assert next(each for each in said if each["type"] == "undone")["events"]["allies"] < len(said)
    assert said[-1] == {"type": "stopped", "asked": "Number your combat groups."}


def test_json_tells_why(run: Run) -> None:
    result = run("play", "river-plate", "--side", "both", "--json", lines=["", "", "", "why"])
    why = [json.loads(line) for line in result.stdout.splitlines() if '"why"' in line][-1]
    assert why["type"] == "why" and sum(line[2] for line in why["lines"]) == why["total"]


# -- secrets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "denmark-strait",
        "pedestal",
        *(pytest.param(name, marks=pytest.mark.long) for name in ("six-groups", "guadalcanal")),
    ],
)
@pytest.mark.parametrize("side", list(Side))
@pytest.mark.parametrize("json_too", [False, True])
def test_no_output_names_an_enemy_ship_before_she_is_revealed(run: Run, name: str, side: Side, json_too: bool) -> None:
    commands = ["chart", "log", "why", "legal"]
    for answers in (1, 3, 8, 15):
        words = ["play", name, "--side", side.value, "--save", f"{answers}.flagplot", "--order-of-battle", "hidden"]
        result = run(*words, *(["--json"] if json_too else []), lines=[""] * answers + commands)
        game = load(Path(f"{answers}.flagplot"))
        if game.over:
            break
        known = repr(game.picture(side).events)
        enemy = [ship.name for force in game.header.setup.sides[side.enemy].forces for ship in force.ships]
        secret = [ship for ship in enemy if f"name='{ship}'" not in known]
        assert secret or answers > 1 or name == "guadalcanal"
        for ship in secret:
            assert not re.search(rf"\b{re.escape(ship)}\b", result.output), (ship, answers)


def test_hot_seat_through_a_pipe_asks_both_sides(run: Run) -> None:
    output = run("play", "--side", "both", lines=["", ""]).output
    assert "you are Germany" in output and "you are Britain" in output


def test_a_file_of_ones_own_can_be_played(run: Run) -> None:
    import flagplot.scenarios

    battle = Path(flagplot.scenarios.__file__).parent / "battles" / "river-plate.toml"
    Path("mine.toml").write_text(battle.read_text("utf-8"), "utf-8")
    assert "River Plate" in run("play", "mine.toml").output


def test_played_saves_are_what_the_tests_take_them_for(tmp_path: Path) -> None:
    assert load(played("river-plate", tmp_path / "a.flagplot")).over
