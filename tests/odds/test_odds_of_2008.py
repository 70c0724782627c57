"""Odds under the edition of 2008: the procedures fight, kernels refuse, exact chances go by its tables."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from flagplot import api
from flagplot.core.sides import Side
from flagplot.doctrine.sight import ADMIRAL
from flagplot.model.picture import Picture
from flagplot.odds import kernels
from flagplot.odds.beliefs import Belief, belief_text, believed, read_belief, usual_belief
from flagplot.odds.kernel_names import NotCompilable
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.worlds import NoOdds, fight, formed
from flagplot.scenarios.loader import load_scenario
from tests.odds.moments import BOTS, moments


def test_kernels_leave_the_edition_of_2008_to_the_procedures() -> None:
    world = formed(load_scenario("three-groups").setup, BOTS, "2008")
    with pytest.raises(NotCompilable, match="only the current edition is compiled"):
        kernels.prepare(world, dict.fromkeys(Side, ADMIRAL))
    end, _ = fight(world, BOTS, PhiloxDice(1, 1))
    assert end.segment == "return"


def chance(told: Any) -> Fraction:
    return Fraction(told["exact"])


def test_submarines_find_each_ship_by_her_rank() -> None:
    """Two ships and light ships: each ship is found by one face of six, so that the light ships are hit most often."""
    carrier = {"nation": "United States", "kind": "CV", "size": 3, "id": "carrier"}
    battleship = {"nation": "United States", "kind": "BB", "size": 4, "id": "battleship"}
    asked = {
        "submarines": {"Japan/SUB": 1},
        "target": {"ships": [battleship, carrier], "light": {"United States/DD": 3}},
    }
    told = api.call("submarine_attack_odds", asked, edition="2008")
    # Japan 3, carrier 2 - 2, three destroyers -1: +2; sunk with three hits, a modified 9 or more: 7 to 12 on two dice.
    assert chance(told["ships"]["carrier"]["sunk"]) == Fraction(1, 6) * Fraction(21, 36)
    # Battleship 2, destroyers -1: 0; sunk with four hits, 11 or 12.
    assert chance(told["ships"]["battleship"]["sunk"]) == Fraction(1, 6) * Fraction(3, 36)


def test_surprise_odds_know_the_shares() -> None:
    told = api.call("surprise_odds", {"results": 3}, edition="2008")
    assert "thirds_engaging" in told["effects"]
    strike = {
        "attackers": {"Japan/NAS": 4},
        "target": {
            "ships": [{"nation": "United States", "kind": "CV", "size": 3, "id": "one"}],
            "light": {"United States/DD": 30},
            "patrol": {"United States/NAS": 3},
            "found": 3,
        },
        "surprise": True,
    }
    old, new = (api.call("strike_odds", strike, edition=edition) for edition in ("2008", "current"))
    assert old != new


def test_beliefs_agree_with_what_each_step_told() -> None:
    """What is believed of a group is what its owner would say of it after so many results."""
    steps: set[int] = set()
    for seed in range(12):
        if steps == {1, 2}:
            break
        for game, side, _ in moments("three-groups", "hidden", seed, "2008"):
            picture = game.picture(side)
            enemy = picture.battle.fleets[side.enemy]
            new = {g.disclosed.steps for g in enemy.groups if g.hidden and g.disclosed} - steps
            if new:
                steps |= new
                world = believed("2008", {}, picture, game.picture(None), usual_belief(picture))
                fight(world, BOTS, PhiloxDice(2, seed))
                _refuses_a_lie(picture, side)
    assert steps == {1, 2}


def _refuses_a_lie(picture: Picture, side: Side) -> None:
    """A belief in a group of another size than its owner has said is refused."""
    first, *others = usual_belief(picture).groups
    told = picture.battle.fleets[side.enemy].group(first.number).disclosed
    if told is None:
        return
    few = replace(first, ships=(), light={"Japan/DD": 20 if told.under_ten else 1})
    with pytest.raises(NoOdds, match="cannot be that: its owner has said it has (fewer|ten)"):
        read_belief(belief_text(Belief((few, *others))), picture)
