"""The strategic war in the terminal: boxes, fronts, purses and the war so far instead of an empty combat chart."""

from __future__ import annotations

import re

from flagplot.cli.war_chart import units
from flagplot.core.sides import Side
from flagplot.model.strategic_war import PlayerTurn, Turn
from flagplot.model.war import Idle, War
from tests.cli.conftest import Run


def test_a_newcomer_sees_turn_stage_and_what_stands_where(run: Run) -> None:
    output = run("play", "war", "--side", "axis", lines=[]).output
    assert "The war of tonnage and bombs · Axis Fall 1939, to Winter 1946 · you are Axis" in output
    assert "[Construction]  Movement  Raiders" in output and "Naval Combat Chart" not in output
    boxes = output.partition("At sea: SW boxes and ports")[2].partition("In the air")[0]
    assert re.search(r"Atlantic SW box +1 Germany submarine +1 Britain ASW, 35 Western Allies", boxes)
    assert re.search(r"western +– +1 Britain strategic bomber", output)
    assert re.search(r"Germany +6 +12 of 12 +2 of 2 +1 submarine", output)
    assert "The war so far" not in output  # no turn is over


def test_the_war_so_far_is_drawn_when_a_turn_is_over_and_when_asked_for(run: Run) -> None:
    lines = [""] * 8
    output = run("play", "war", "--side", "axis", "--bot", "admiral", lines=[*lines, "chart"]).output
    so_far = output.partition("The war so far")[2]
    assert re.search(r"Fall 1939 +Western Allies \d+", so_far)
    assert "◎ Essen Germany, 20 BRPs · hexes: Britain 5" in output


def test_a_replay_ends_with_the_war_as_it_stands(run: Run) -> None:
    run("play", "war", "--side", "axis", "--save", "a.flagplot", lines=["", ""])
    output = run("replay", "a.flagplot").output
    assert "At sea: SW boxes and ports" in output and "The war is not over yet." in output


def test_units_that_may_do_nothing_are_counted_apart() -> None:
    now = PlayerTurn(Turn(1943, 2), Side.AXIS)
    war = War(
        now=now,
        places={"in port": {"Japan transport": 5, "Japan submarine": 2}},
        idle=(Idle("in port", "Japan transport", 3, now.next_own),),
    )
    told = units(war, "in port", Side.AXIS, ("submarine", "transport"))
    assert told == ["2 Japan submarine", "5 Japan transport (3 idle until Axis Winter 1943)"]
    assert units(war, "in port", Side.ALLIES, ("transport",)) == []
