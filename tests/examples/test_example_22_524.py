"""The worked example that follows rule 22.524, on its printed search dice: three groups a side, two rounds.

Gunfire is not printed; here it is as poor as can be, so that both CG1s come through round one with ten sound factors.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from flagplot import api
from flagplot.core.errors import IllegalChoice
from flagplot.model import events as ev
from flagplot.scenarios.loader import load_scenario
from tests.rules.groups_table import ALLIES, AXIS, Table

PRINTED = {"axis": [[3, 6], [1, 4, 5, 5]], "allies": [[1, 2], [2, 4, 6]]}


def example(**keys: Any) -> Table:
    return Table(load_scenario("three-groups").setup, search=PRINTED, **keys)


def found(played: Table, side: Any) -> dict[int, int]:
    """How often each group of a side has been found in the round now played."""
    return {group.number: group.found for group in played.game.picture(None).battle.fleets[side].groups}


def dice_rolled(played: Table, side: Any) -> list[tuple[int, ...]]:
    return [event.dice for event in played.seen(None, ev.Searched) if event.side is side]


def lines(played: Table, side: Any) -> list[int]:
    """The sources of a side's search dice in the round now played, as rounds before and groups."""
    counted = [event for event in played.events(ev.SearchCounted) if event.side is side][-1]
    return [line.amount for line in counted.dice.lines]


def test_the_groups_are_numbered_as_printed_and_only_the_american_cargo_group_is_slow() -> None:
    played = example()
    played.to_round(1)
    assert (played.numbers(AXIS), played.numbers(ALLIES)) == ((1, 2, 4), (1, 3, 5))
    speeds = {}
    for side in (AXIS, ALLIES):
        for group in played.game.battle.fleets[side].groups:
            shown = {
                "ships": [
                    {"id": ship.id, "kind": ship.kind, "size": ship.size, "fast": ship.fast} for ship in group.ships
                ],
                "light": group.light,
                "cargo": [{"name": cargo.name, "needs": cargo.needs} for cargo in group.cargo],
            }
            speeds[side, group.number] = api.call("group_speed", {"group": shown})["fast"]
    assert [key for key, fast in speeds.items() if not fast] == [(ALLIES, 5)]


@pytest.mark.ledger("22.451", "22.451D.1.1", "22.451D.2.1")
def test_in_round_one_each_side_rolls_one_die_for_its_first_group_and_one_for_its_carriers() -> None:
    played = example()
    played.to_segment("fleet combat", 1)
    assert dice_rolled(played, AXIS) == [(3, 6)]
    assert dice_rolled(played, ALLIES) == [(1, 2)]
    assert lines(played, AXIS) == lines(played, ALLIES) == [1, 1]


@pytest.mark.ledger("22.452")
def test_in_round_one_japan_finds_the_carriers_and_america_the_first_two_groups() -> None:
    played = example()
    played.to_segment("fleet combat", 1)
    assert found(played, ALLIES) == {1: 0, 3: 1, 5: 0}
    assert found(played, AXIS) == {1: 1, 2: 1, 4: 0}


@pytest.mark.ledger("22.521A")
def test_in_round_one_only_the_two_first_groups_fight() -> None:
    played = example()
    played.to_segment("submarines", 1)
    assert played.engagements() == [(1, 1)]
    assert not played.was_asked(AXIS, "engage")
    assert not played.was_asked(ALLIES, "engage")


@pytest.mark.ledger("22.451", "22.451C", "22.451D.1.1")
def test_in_round_two_japan_rolls_four_dice_and_america_three() -> None:
    played = example()
    played.to_segment("fleet combat", 2)
    assert dice_rolled(played, AXIS)[1] == (1, 4, 5, 5)
    assert dice_rolled(played, ALLIES)[1] == (2, 4, 6)
    assert lines(played, AXIS) == [1, 1, 1, 1]
    assert lines(played, ALLIES) == [1, 1, 1]


@pytest.mark.ledger("22.452", "22.452A")
def test_in_round_two_the_invasion_force_is_found_twice_and_the_american_carriers_are_hidden_again() -> None:
    played = example()
    played.to_segment("fleet combat", 2)
    assert found(played, ALLIES) == {1: 1, 3: 0, 5: 2}
    assert found(played, AXIS) == {1: 0, 2: 1, 4: 1}


@pytest.mark.ledger("22.521D.1", "22.521D.2")
def test_in_round_two_the_second_japanese_group_may_attack_the_battleships_or_the_invasion_force() -> None:
    played = example()
    played.to_segment("search", 2)
    played.to("engage", AXIS, "CG2")
    assert played.engagements() == [(1, 1), (1, 1)]
    assert sorted(played.targets(AXIS)) == ["CG1", "CG5"]


@pytest.mark.ledger("22.452C.2.1")
def test_the_invasion_force_could_be_attacked_by_ships_even_after_an_air_strike() -> None:
    enemy = [
        {"number": 1, "light": {"United States/CA": 5}},
        {"number": 3, "light": {"United States/CA": 4}},
        {"number": 5, "light": {"United States/CA": 2, "United States/DD": 8}, "found": 2, "spent": 1},
    ]
    own = [{"number": 1, "light": {"Japan/CA": 6}, "met": 1}, {"number": 2, "light": {"Japan/CA": 5}}]
    call = {"round": 2, "side": "axis", "own": own, "enemy": enemy}
    assert sorted(api.call("second_engagements", call)["options"]["2"]) == [1, 5]


@pytest.mark.ledger("22.523B")
def test_the_slow_invasion_force_has_to_accept_fleet_combat() -> None:
    played = example(answers={("axis", "engage", "CG2"): "CG5"})
    played.to("evade", ALLIES)
    with pytest.raises(IllegalChoice) as refusal:
        played.answer(ALLIES, "evade")
    assert refusal.value.rule == "22.523B"
    played.to_segment("submarines", 2)
    assert played.engagements() == [(1, 1), (1, 1), (2, 5)]


@pytest.mark.ledger("22.523E.1")
def test_without_its_cargo_the_fifth_group_could_evade_and_become_the_sixth() -> None:
    setup = load_scenario("three-groups").setup
    secret = setup.sides[ALLIES]
    unladen = tuple(
        replace(force, cargo=(), light={"United States/CA": 2, "United States/DD": 8}) if force.number == 5 else force
        for force in secret.forces
    )
    changed = replace(setup, sides={**setup.sides, ALLIES: replace(secret, forces=unladen)})
    answers = {("axis", "engage", "CG2"): "CG5", ("allies", "evade"): "evade"}
    played = Table(changed, search=PRINTED, answers=answers)
    played.to_segment("submarines", 2)
    assert played.numbers(ALLIES) == (1, 3, 6)
    assert played.group(ALLIES, 6).name == "Invasion force"
    assert played.engagements() == [(1, 1), (1, 1)]
