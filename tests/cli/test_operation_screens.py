"""An operation in the terminal: the sea instead of the combat chart, and every die of an interception explained."""

from __future__ import annotations

import re

from tests.cli.conftest import Run

SAIL = "Invasion force=Invade Malta"


def test_a_newcomer_sees_phase_stage_and_who_is_where(run: Run) -> None:
    output = run("play", "operation-malta", "--side", "axis", lines=[SAIL]).output
    assert "The invasion of Malta · combat phase · you are Italy" in output
    assert "[Announcement]  Paths  Interceptions" in output and "[Groups]" not in output
    assert "Battle fleet  in Taranto · task force" in output
    assert "Littorio BB ●●●●  Vittorio Veneto BB ●●●●  3 CA  5 DD" in output
    known = output.partition("Britain: what is known")[2].partition("Italy decides")[0]
    assert "Mediterranean Fleet  in Alexandria · task force" in known
    assert "Warspite" not in output and "Formidable" not in output  # a marker and its place, no more
    assert "air base  Malta field (OO36): 1 Britain AAF" in known
    assert "Under way: Italy sails" in output and "Palermo (LL37) → Malta (OO36)" in output


def test_boards_are_drawn_again_only_when_somebody_has_moved(run: Run) -> None:
    output = run("play", "operation-malta", "--side", "allies", lines=["", "Force H=A1"]).output
    assert output.count("Britain: your side") < output.count("· combat phase ·")
    assert run("play", "operation-malta", "--side", "allies", lines=["chart"]).output.count("Britain: your side") == 2


def test_the_dice_of_an_interception_are_explained_to_the_roller(run: Run) -> None:
    lines = ["", "Force H=A1", "", "", "why 1"]
    output = run("play", "operation-malta", "--side", "allies", "--save", "a.flagplot", lines=lines).output
    assert re.search(r"roll 1: the activity carries cargo \+2 \(22\.22A\).* = \d dice", output)
    assert re.search(r"22\.22A +the activity carries cargo +\+2", output)
    assert re.search(r"interception dice +\d", output)
    assert re.search(r"\d+ hexes to go: (in time|\d+ hex(es)? short)", output)


def test_the_dice_of_the_enemy_are_seen_and_not_explained(run: Run) -> None:
    output = run("play", "operation-malta", "--side", "axis", lines=[SAIL, "", ""]).output
    assert "what makes up the dice is not told" in output
    assert "the activity carries cargo" not in output


def test_a_replay_of_an_operation_ends_with_the_sea(run: Run) -> None:
    run("play", "operation-malta", "--side", "axis", "--save", "a.flagplot", lines=["", ""])
    output = run("replay", "a.flagplot", "--as", "axis").output
    assert "The operation is over." in output and "Britain: what is known" in output
    assert "Warspite" not in output
    assert "Warspite" in run("replay", "a.flagplot", "--as", "referee").output


def test_the_list_counts_the_forces_of_operations(run: Run) -> None:
    listed = run("scenarios").output
    assert '"name": "operation-malta"' in listed
    part = listed.partition('"name": "operation-malta"')[2]
    assert '"axis": 3' in part.partition('"sides"')[0]
