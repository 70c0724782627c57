"""What submarine attacks do (22.943), who takes the losses, and what each side learns of all this."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice, PlayerError, ScenarioError
from flagplot.core.sides import Side
from flagplot.model import air_events as air
from flagplot.model import events as ev
from tests.rules.endings_table import form_bytes
from tests.rules.submarine_table import (
    ALLIES,
    AMERICA,
    AXIS,
    DD,
    JAPAN,
    SUB,
    WITHDRAWS,
    UnderWater,
    ambush,
    force,
    quiet,
    set_up,
    under_water,
    with_submarines,
)

NOUMEA = {"name": "Noumea", "distance": 5}
PEARL = {"name": "Pearl Harbor", "distance": 9}
BOATS = force("Boats", task_force=False, destroyers=8, base="Noumea")
CRUISERS = force("Cruisers", cruisers=5)


def allied(elsewhere: dict[str, dict[str, int]], **keys: Any) -> dict[str, Any]:
    """America with destroyers elsewhere."""
    return {**AMERICA, "base": [NOUMEA, PEARL], "destroyers_elsewhere": elsewhere, **keys}


def boats_hit(elsewhere: dict[str, dict[str, int]], boats: dict[str, Any] = BOATS, **more: Any) -> UnderWater:
    """Eight destroyers under an attack at +1 less 2: 12 is 11, three hits."""
    return ambush([boats], None, allied(elsewhere), torpedoes=[(6, 6)], **more)


# -- damage (20.5) --------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.9431")
@pytest.mark.parametrize(
    ("ship", "dice", "fate"),
    [
        ("Washington", [2, 4], "hit"),  # 7: two of four
        ({"name": "Washington", "hits": 1}, [2, 4], "damaged"),
        ({"name": "Washington", "hits": 2}, [2, 4], "sunk"),
        ({"name": "Washington", "damaged": True}, [1, 2], "sunk"),  # 5 at +2: one hit
        ("Washington", [4, 4], "damaged"),  # 9: three of four
        ("Alaska", [1, 3], "damaged"),  # 5: one of two
        ("Alaska", [3, 3], "sunk"),  # 7: two of two
    ],
)
def test_hits_of_submarines_damage_and_sink_named_ships_and_add_to_those_they_have(
    ship: Any, dice: tuple[int, int], fate: str
) -> None:
    table = ambush([force("Fleet", ships=[ship], cruisers=4)], category=[1], torpedoes=[dice])
    table.to_end()
    (hit,) = table.events(ev.ShipHit)
    assert hit.fate == fate


@pytest.mark.ledger("22.9431")
def test_hits_of_guns_and_submarines_in_one_round_add_up() -> None:
    table = under_water(
        [force("Line", ships=["Yamato"], cruisers=3, number=1)],
        [force("Line", ships=["Iowa"], cruisers=3, number=1)],
        with_submarines(),
        gunfire={"axis": (3, 3)},  # 4 against 3: 7 on row 5-6 is one hit
        category=[1],
        torpedoes=[(5, 4)],  # 3 against 3: 9 is three
    )
    table.to("withdraw")
    assert [(hit.hits, hit.fate) for hit in table.events(ev.ShipHit) if hit.ship == "iowa"] == [
        (1, "hit"),
        (3, "damaged"),
    ]


@pytest.mark.ledger("22.9431")
def test_two_submarines_add_up_on_a_ship_that_had_hits_before() -> None:
    ship = {"nation": "United States", "kind": "BB", "size": 5, "id": "iowa", "hits": 2}
    answer = api.call("submarine_attack", {"submarines": {SUB: 2}, "target": {"ships": [ship]}}, dice=[3, 4, 3, 3])
    # 3 - 3 = 0: 7 is two hits, four in all; then at -1 and +1 for damage 6 is one
    assert answer["ships"] == {"iowa": "sunk"}


@pytest.mark.ledger("22.9431")
def test_light_ships_share_the_hits_of_a_submarine() -> None:
    light = {"United States/CA": 3, "United States/CVE": 2, DD: 4}
    answer = api.call("submarine_attack", {"submarines": {SUB: 1}, "target": {"light": light}}, dice=[4, 4])
    # 3 - 0 - 1 = +2: 10 is three hits; a cruiser, and the third is the destroyers', the larger type
    assert answer["light"] == [{"sunk": {"United States/CA": 1, DD: 1}, "damaged": {}}]


@pytest.mark.ledger("22.9431")
def test_hits_beyond_what_sinks_a_ship_are_lost() -> None:
    table = ambush([force("Fleet", ships=["Alaska"], cruisers=4)], category=[1], torpedoes=[(6, 6)])
    table.to_end()
    fleet = table.game.battle.fleets[ALLIES]
    assert [ship.name for ship in fleet.sunk] == ["Alaska"]
    assert fleet.sunk_light == {}
    assert fleet.groups[0].light == {"United States/CA": 4}


# -- cargo (22.9435, 20.58B) ---------------------------------------------------------------------------------------------


CONVOY = force("Convoy", task_force=False, destroyers=3, base="Noumea", cargo=[{"name": "a regiment", "needs": 3}])


@pytest.mark.ledger("22.9435", "20.58B.2")
def test_destroyers_with_cargo_are_attacked_like_the_others_and_cargo_goes_down_with_them() -> None:
    table = ambush([CONVOY], torpedoes=[(2, 3)])  # +1 -1 +1: 6 is one hit
    table.to_end()
    assert table.game.battle.fleets[ALLIES].cargo_lost == ("a regiment",)


@pytest.mark.ledger("22.9432", "22.9435")
def test_cargo_is_saved_if_destroyers_elsewhere_take_the_loss() -> None:
    table = ambush(
        [CONVOY],
        None,
        allied({"Noumea": {"United States": 1}}),
        torpedoes=[(2, 3)],
        answers={("allies", "shift losses"): lambda asked: {asked.form.items[0].key: {f"Noumea|{DD}": 1}}},
    )
    table.to_end()
    fleet = table.game.battle.fleets[ALLIES]
    assert fleet.cargo_lost == ()
    assert sum(fleet.groups[0].light.values()) == 3


# -- destroyers elsewhere (22.9432, 22.9433) ----------------------------------------------------------------------------


@pytest.mark.ledger("22.9432")
def test_the_defender_chooses_how_many_destroyer_losses_others_take() -> None:
    for moved in range(4):
        table = boats_hit({"Noumea": {"United States": 5}})
        asked = table.to("shift losses")
        assert asked.side is ALLIES
        assert table.game.decision(AXIS) is None
        assert [(item.key, item.amount) for item in asked.form.items] == [(DD, 3)]
        table.answer(ALLIES, {DD: {f"Noumea|{DD}": moved}})
        table.to_end()
        fleet = table.game.battle.fleets[ALLIES]
        assert fleet.groups[0].light == {DD: 8 - 3 + moved}
        assert fleet.destroyers_elsewhere.get("Noumea", {}).get(DD, 0) == 5 - moved


@pytest.mark.ledger("22.9432")
def test_by_default_the_losses_stay_where_they_fell() -> None:
    table = boats_hit({"Noumea": {"United States": 5}})
    table.to_end()
    assert table.game.battle.fleets[ALLIES].groups[0].light == {DD: 5}


@pytest.mark.ledger("22.9432")
def test_no_more_losses_are_moved_than_there_are_destroyers() -> None:
    table = boats_hit({"Noumea": {"United States": 1}, "Pacific": {"United States": 1}})
    table.to("shift losses", ALLIES)
    before = len(table.game.events())
    for wrong in ({f"Noumea|{DD}": 2}, {f"Pacific|{DD}": 2, f"Noumea|{DD}": 1}, {f"Pearl Harbor|{DD}": 1}):
        with pytest.raises(IllegalChoice, match="22.9432"):
            table.answer(ALLIES, {DD: wrong})
    assert len(table.game.events()) == before
    table.answer(ALLIES, {DD: {f"Noumea|{DD}": 1, f"Pacific|{DD}": 1}})
    table.to_end()
    assert table.game.battle.fleets[ALLIES].groups[0].light == {DD: 7}


@pytest.mark.ledger("22.9432")
def test_destroyers_lost_elsewhere_are_gone_for_the_next_attack() -> None:
    table = ambush([BOATS], with_submarines(2), allied({"Noumea": {"United States": 2}}), torpedoes=[(6, 6), (6, 6)])
    table.to("shift losses", ALLIES)
    table.answer(ALLIES, {DD: {f"Noumea|{DD}": 2}})
    asked = table.to("shift losses", ALLIES)  # still asked: a missing question would tell the enemy
    assert [place.key for place in asked.form.places] == ["here"]
    table.to_end()
    assert table.game.battle.fleets[ALLIES].groups[0].light == {DD: 8 - 1 - 3}


@pytest.mark.ledger("22.9432")
def test_the_boats_of_a_group_are_replaced_from_its_own_base_and_not_from_that_of_another() -> None:
    others = force("Others", task_force=True, destroyers=10, base="Pearl Harbor")
    table = ambush(
        [BOATS, others],
        None,
        allied({"Noumea": {"United States": 3}, "Pearl Harbor": {"United States": 3}}),
        torpedoes=[(6, 6)],
        answers={("axis", "submarines"): lambda asked: {SUB: target}},
    )
    table.to("submarines", AXIS)
    numbers = {group.name: group.number for group in table.game.battle.fleets[ALLIES].groups}
    target = f"CG{numbers['Boats']}"
    asked = table.to("shift losses", ALLIES)
    assert [place.key for place in asked.form.places] == ["here", f"Noumea|{DD}"]


@pytest.mark.ledger("22.9432")
def test_a_group_made_of_two_forces_has_the_bases_of_both() -> None:
    escort = force("Escort", destroyers=10, base="Pearl Harbor")
    elsewhere = {"Noumea": {"United States": 3}, "Pearl Harbor": {"United States": 3}}
    table = ambush(
        [CONVOY, escort],
        None,
        allied(elsewhere),
        torpedoes=[(6, 6)],
        answers={("allies", "strengthen"): {"Convoy": "Escort"}},
    )
    asked = table.to("shift losses", ALLIES)
    assert {place.key for place in asked.form.places} == {"here", f"Noumea|{DD}", f"Pearl Harbor|{DD}"}


@pytest.mark.ledger("22.9432")
def test_destroyers_of_an_ally_may_take_the_loss() -> None:
    table = boats_hit({"Noumea": {"Australia": 2}})
    asked = table.to("shift losses", ALLIES)
    assert [place.key for place in asked.form.places] == ["here", "Noumea|Australia/DD"]
    table.answer(ALLIES, {DD: {"Noumea|Australia/DD": 2}})
    table.to_end()
    assert table.game.battle.fleets[ALLIES].groups[0].light == {DD: 7}


@pytest.mark.ledger("22.9433")
def test_cruisers_escort_carriers_and_named_ships_bear_their_own_losses() -> None:
    group = force("Mixed", ships=["Washington"], cruisers=3, escort_carriers=2, destroyers=2, base="Noumea")
    for drawn in (1, 6):
        table = ambush([group], None, allied({"Noumea": {"United States": 9}}), category=[drawn], torpedoes=[(2, 2)])
        table.to_end()
        assert not table.was_asked(ALLIES, "shift losses")  # two hits: on the battleship, or one cruiser sunk


@pytest.mark.ledger("22.9433", "22.9432")
def test_of_mixed_losses_only_the_destroyers_may_be_moved() -> None:
    group = force("Mixed", task_force=False, escort_carriers=2, destroyers=3, base="Noumea")
    table = ambush([group], None, allied({"Noumea": {"United States": 9}}), torpedoes=[(3, 3)])  # +3 -1: 8, two hits
    asked = table.to("shift losses", ALLIES)
    assert [(item.key, item.amount) for item in asked.form.items] == [(DD, 1)]


@pytest.mark.ledger("22.9432")
def test_losses_to_guns_are_not_moved() -> None:
    table = under_water(
        [force("Line", cruisers=5, number=1)],
        [force("Boats", destroyers=10, number=1, base="Noumea")],
        with_submarines(),
        allied({"Noumea": {"United States": 9}}),
        gunfire={"axis": (6, 6)},
        answers={("axis", "submarines"): {SUB: "wait"}, ("axis", "withdraw"): WITHDRAWS},
    )
    table.to_end()
    assert table.game.battle.fleets[ALLIES].sunk_light
    assert not table.was_asked(ALLIES, "shift losses")


@pytest.mark.ledger("22.9432", "22.9434.2")
def test_a_port_on_the_way_helps_only_where_sea_supply_is_guarded() -> None:
    elsewhere = {"Suva": {"United States": 2}}
    with pytest.raises(ScenarioError, match="22.9432"):
        set_up([], [BOATS], with_submarines(), allied(elsewhere), kind="submarine attack")
    table = ambush([{**BOATS, "sea_supply": True}], None, allied(elsewhere), torpedoes=[(6, 6)])
    asked = table.to("shift losses", ALLIES)
    assert [place.key for place in asked.form.places] == ["here", f"Suva|{DD}"]


@pytest.mark.ledger("22.9432")
@pytest.mark.parametrize("unit", ["United States/CA", "United States/CVE", "United States"])
def test_nothing_but_destroyers_elsewhere_is_accepted(unit: str) -> None:
    asked = {
        "submarines": {SUB: 1},
        "target": {"base": "Noumea", "light": {DD: 4}},
        "defender": {"destroyers_elsewhere": {"Noumea": {unit: 4}}},
    }
    shift = ["allies", "shift losses", {DD: {f"Noumea|{unit}": 1}}]
    with pytest.raises(PlayerError):
        api.call("submarine_attack", asked, dice=[4, 4], decisions=[shift])


# -- sea supply lines (22.9434) ---------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.9434.1", "22.942")
def test_a_bare_supply_line_is_cut_by_being_attacked() -> None:
    table = ambush([force("Line", sea_supply=True)])
    table.to_end()
    assert table.game.battle.fleets[ALLIES].line_cut
    assert not table.rolled
    assert [event.inverted for event in table.events(air.SubmarinesReturned)] == [True]


@pytest.mark.ledger("22.9434.1")
def test_a_guarded_supply_line_is_not_cut_while_its_guard_is_afloat() -> None:
    table = ambush([force("Guard", task_force=False, destroyers=4, sea_supply=True)], torpedoes=[(6, 6)])
    table.to_end()
    fleet = table.game.battle.fleets[ALLIES]
    assert (fleet.line_cut, fleet.groups[0].light) == (False, {DD: 1})


@pytest.mark.ledger("22.9434.1")
def test_a_line_whose_guard_one_submarine_sank_is_cut_by_the_next() -> None:
    guard = force("Guard", task_force=False, destroyers=1, sea_supply=True)
    table = ambush([guard], with_submarines(2), torpedoes=[(6, 6)])
    table.to_end()
    assert table.game.battle.fleets[ALLIES].line_cut
    assert len(table.rolled) == 1


@pytest.mark.ledger("22.9434.1")
def test_in_a_battle_a_supply_line_that_was_found_may_be_cut_by_a_submarine() -> None:
    line = force("Supply", sea_supply=True, number=5)
    table = quiet([line, force("Guard", cruisers=5, number=4)], search={"axis": [[5]]})
    table.to("withdraw")
    (cut,) = table.events(ev.SupplyLineCut)
    assert (cut.side, cut.number) == (ALLIES, 5)


# -- what the enemy learns ------------------------------------------------------------------------------------------------


GROUPS = [force("Guard", ships=["Washington"], cruisers=5, number=5), force("Others", cruisers=5, number=4)]


def told(table: UnderWater, viewer: Side) -> bytes:
    """Everything a side has been told and the question now open to it."""
    decision = table.game.decision(viewer)
    return msgspec.json.encode(list(table.game.picture(viewer).events)) + (form_bytes(decision) if decision else b"")


@pytest.mark.ledger("22.921.1")
@pytest.mark.parametrize("moment", ["number", "submarines", "withdraw", "over"])
def test_the_enemy_cannot_tell_how_many_submarines_there_are_while_they_wait(moment: str) -> None:
    views, questions = set(), set()
    for keys in (JAPAN, with_submarines(1), with_submarines(3), {**JAPAN, "submarines": {"Germany": 1, "Italy": 2}}):
        table = quiet(
            GROUPS,
            keys,
            search={"axis": [[5]]},
            answers={
                ("axis", "submarines"): lambda asked: {item.key: "wait" for item in asked.form.items},
                ("allies", "withdraw"): WITHDRAWS,
            },
        )
        if moment == "over":
            table.to_end()
        else:
            table.to(moment, ALLIES)
        views.add(told(table, ALLIES))
        questions.add(tuple((kind, about) for side, kind, about in table.asked if side is ALLIES))
    assert len(views) == len(questions) == 1


@pytest.mark.ledger("22.93D")
def test_what_submarines_will_attack_is_not_told_before_both_sides_have_announced() -> None:
    table = quiet(GROUPS, with_submarines(2), search={"axis": [[5]]})
    table.to("submarines", AXIS)
    before = told(table, ALLIES)
    table.answer(AXIS, {SUB: {"CG5": 1}})
    assert told(table, ALLIES) == before


@pytest.mark.ledger("22.423B.2")
def test_an_attacked_group_is_seen_and_the_others_stay_hidden() -> None:
    table = ambush(
        [force("Fleet", ships=["Washington"], cruisers=4), force("Others", ships=["Iowa"], cruisers=4)],
        category=[6],
        torpedoes=[(1, 2)],
        answers={("axis", "submarines"): {SUB: "CG1"}},
    )
    table.to("submarines", AXIS)
    assert all(group.ships == () for group in table.game.picture(AXIS).battle.fleets[ALLIES].groups)
    table.to_end()
    seen = table.game.picture(AXIS).battle.fleets[ALLIES]
    assert [ship.name for ship in seen.group(1).ships] == ["Washington"]
    assert (seen.group(2).ships, seen.group(2).light) == ((), {})


@pytest.mark.ledger("22.423B.2")
def test_submarines_that_do_not_attack_are_shown_nothing() -> None:
    table = quiet(
        GROUPS, search={"axis": [[5]]}, answers={("axis", "submarines"): {SUB: "wait"}, ("axis", "withdraw"): WITHDRAWS}
    )
    table.to_end()
    assert not table.seen(AXIS, ev.GroupRevealed)
    assert not table.seen(ALLIES, air.SubmarinesHeld) and not table.seen(ALLIES, air.SubmarinesReturned)
    assert table.seen(AXIS, air.SubmarinesReturned)


@pytest.mark.ledger("22.92.2")
def test_the_enemy_sees_the_attacks_and_not_what_is_left() -> None:
    table = quiet(
        GROUPS,
        with_submarines(3),
        search={"axis": [[5]]},
        category=[6],
        answers={("axis", "submarines"): {SUB: {"CG5": 1}}, ("axis", "withdraw"): WITHDRAWS},
    )
    table.to_end()
    assert len(table.seen(ALLIES, air.TorpedoesFired)) == 1
    assert all(event.side is ALLIES for event in table.seen(ALLIES, air.SubmarinesMustered))
    assert table.game.picture(ALLIES).battle.fleets[AXIS].submarines == {}


@pytest.mark.ledger("22.9432")
def test_destroyers_elsewhere_are_known_to_their_owner_only_until_they_take_a_loss() -> None:
    seen = set()
    for number in (1, 4):
        table = boats_hit({"Noumea": {"United States": number}})
        table.to("shift losses", ALLIES)
        seen.add(told(table, AXIS))
    assert len(seen) == 1
    table.answer(ALLIES, {DD: {f"Noumea|{DD}": 1}})
    table.to_end()
    (shifted,) = table.seen(AXIS, air.LossesShifted)
    assert shifted.lost == {"Noumea": {DD: 1}}
    assert table.game.picture(AXIS).battle.fleets[ALLIES].destroyers_elsewhere == {}


@pytest.mark.ledger("22.9432")
def test_the_enemy_cannot_tell_from_the_questions_whether_there_are_destroyers_elsewhere() -> None:
    seen = set()
    for elsewhere in ({}, {"Noumea": {"United States": 4}}):
        table = boats_hit(elsewhere)
        table.to_end()
        assert table.was_asked(ALLIES, "shift losses")
        seen.add(told(table, AXIS))
    assert len(seen) == 1


def test_with_an_open_order_of_battle_everybody_knows_the_submarines() -> None:
    forces = [{key: value for key, value in each.items() if key != "number"} for each in GROUPS]
    table = ambush(forces, with_submarines(3), order_of_battle="open")
    table.to("submarines", AXIS)
    mustered = {event.side: event.submarines for event in table.seen(ALLIES, air.SubmarinesMustered)}
    assert mustered[AXIS] == {SUB: 3}
