"""Edition 2008: groups between rounds (22.421C, 22.54G), interception in operations (22.23), and who is inverted (22.26)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model import events as ev
from flagplot.model.forces import CombatGroup
from flagplot.model.interception import Hunter, Level, Service
from flagplot.model.operation import NavalForce, Operation, Try, Wave
from flagplot.model.operation_events import InterceptionRolled
from flagplot.model.state import Fleet
from flagplot.rules.naval.homecoming import After, withheld
from flagplot.rules.naval.interceptors import may_intercept
from flagplot.rules.naval.recombining import partners
from flagplot.rules.naval.sailing import inverted_after, may_withhold
from flagplot.rules.table import Table as TruthTable
from flagplot.scenarios.ships import find_ship
from tests.rules.groups_table import ALLIES, AXIS, Table, force, small, table
from tests.rules.operation_table import (
    HOME,
    HUNT,
    LANDS,
    ONE,
    activity,
    all_withdraw,
    boats,
    dice_of,
    landing,
    port,
    sailing,
)
from tests.rules.operation_table import force as operation_force

OLD: dict[str, Any] = {"edition": "2008"}
FOE = force("Foe", destroyers=6, task_force=False, number=1)  # hits nothing on a 2


def two_on_one(answers: dict[Any, Any] | None = None, more: list[dict[str, Any]] | None = None, **keys: Any) -> Table:
    """Round two: the axis CG1 meets the allied CG1, and CG2, which meets nobody, fights it too."""
    given = {("axis", "engage", "CG2"): "CG1", **(answers or {})}
    own = [small("First", 1), small("Second", 2, destroyers=2, cruisers=4), *(more or [])]
    return table(own, [FOE], answers=given, round=2, **{**OLD, **keys})


# -- groups made up anew -------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.54G.3", edition="2008")
def test_groups_that_fought_the_same_enemy_group_may_be_made_up_anew() -> None:
    played = two_on_one()
    asked = played.to("recombine", AXIS)
    assert asked.rule == "22.54G"
    assert {item.key: (item.amount, item.places) for item in asked.form.items} == {
        "CG1:Japan/CA": (5, ("CG1", "CG2")),
        "CG2:Japan/CA": (4, ("CG2", "CG1")),
        "CG2:Japan/DD": (2, ("CG2", "CG1")),
    }
    played.answer(AXIS, {"CG1:Japan/CA": {"CG1": 3, "CG2": 2}})
    played.to_round(3)
    assert played.group(AXIS, 1).light == {"Japan/CA": 3}
    assert played.group(AXIS, 2).light == {"Japan/CA": 6, "Japan/DD": 2}
    assert played.group(AXIS, 2).name == "Second"


@pytest.mark.ledger("22.54G.3", edition="2008")
def test_a_group_all_of_whose_ships_go_over_is_no_more_and_the_enemy_does_not_see_what_is_where() -> None:
    merged = {"CG2:Japan/CA": {"CG1": 4}, "CG2:Japan/DD": {"CG1": 2}}
    played = two_on_one({("axis", "recombine"): merged})
    played.to("recombine", AXIS)
    known = played.game.picture(ALLIES).battle.fleets[AXIS]
    assert not any(group.hidden for group in known.groups), "both fought, and were seen"
    played.to_round(3)
    assert played.numbers(AXIS) == (1,)
    assert played.group(AXIS, 1).light == {"Japan/CA": 9, "Japan/DD": 2}
    (group,) = played.game.picture(ALLIES).battle.fleets[AXIS].groups
    assert group.hidden and group.number == 1 and not group.light
    (told,) = played.seen(ALLIES, ev.MarkersHidden)
    assert (told.rule, told.numbers, told.gone) == ("22.54G", (1,), (2,))
    assert not played.seen(ALLIES, ev.GroupsRecombined)
    mine = played.game.picture(AXIS).battle.fleets[AXIS]
    assert mine.groups == played.game.battle.fleets[AXIS].groups


@pytest.mark.ledger("22.54G.3", edition="2008")
def test_nobody_is_asked_where_no_two_groups_fought_the_same_enemy() -> None:
    played = two_on_one({("axis", "engage", "CG2"): "none"})
    played.to_round(3)
    assert not played.was_asked(AXIS, "recombine")
    assert not played.events(ev.MarkersHidden)


@pytest.mark.ledger("22.54G.3", edition="2008")
def test_a_group_may_grow_to_25_factors_and_needs_fast_ships_for_its_carriers() -> None:
    own = [
        force("First", ships=["Akagi", "Kaga"], cruisers=3, number=1),
        force("Second", ships=["Yamato", "Kongo"], cruisers=3, number=2),
    ]
    played = table(own, [FOE], answers={("axis", "engage", "CG2"): "CG1"}, round=2, **OLD)
    asked = played.to("recombine", AXIS)
    with pytest.raises(IllegalChoice, match="25 factors"):
        played.answer(AXIS, {item.key: "CG1" for item in asked.form.items})
    with pytest.raises(IllegalChoice, match="fast fleet factor"):
        played.answer(AXIS, {"CG1:Japan/CA": {"CG2": 3}})
    played.answer(AXIS, {"CG2:kongo": "CG1"})
    played.to_round(3)
    assert [ship.id for ship in played.group(AXIS, 1).ships] == ["akagi", "kaga", "kongo"]


@pytest.mark.ledger("22.54G.3", edition="2008")
def test_what_carries_cargo_stays_in_its_group() -> None:
    convoy = force(
        "Convoy",
        cruisers=4,
        destroyers=4,
        cargo=[{"name": "a corps", "needs": 2}],
        mission="sea transport",
        number=1,
    )
    played = table([convoy, small("Second", 2)], [FOE], answers={("axis", "engage", "CG2"): "CG1"}, round=2, **OLD)
    keys = [item.key for item in played.to("recombine", AXIS).form.items]
    assert keys == ["CG1:Japan/CA", "CG1:Japan/DD", "CG2:Japan/CA"]
    played.answer(AXIS, {"CG1:Japan/CA": "CG2", "CG1:Japan/DD": "CG2"})
    played.to_round(3)
    assert played.group(AXIS, 1).light == {"Japan/DD/loaded": 2}


def test_the_enemy_groups_that_a_group_fought_decide_with_whom_it_shares() -> None:
    groups = tuple(CombatGroup(number, light={"Japan/CA": 5}) for number in (1, 2, 3))
    fleet = Fleet(groups=groups, opponents=((1, 4), (2, 4), (2, 5), (3, 5)))
    assert [[other.number for other in partners(fleet, group)] for group in groups] == [[2], [1, 3], [2]]


# -- numbers -------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.54G.4", edition="2008")
def test_groups_may_be_renumbered_between_rounds_in_secret() -> None:
    played = two_on_one({("axis", "renumber"): {"CG1": "5", "CG2": "1"}})
    asked = played.to("renumber", AXIS)
    assert asked.rule == "22.54G"
    assert asked.form.default == {"CG1": "1", "CG2": "2"}
    played.to_round(3)
    assert [(group.number, group.name) for group in played.game.battle.fleets[AXIS].groups] == [
        (1, "Second"),
        (5, "First"),
    ]
    seen = played.game.picture(ALLIES).battle.fleets[AXIS].groups
    assert [(group.number, group.hidden) for group in seen] == [(1, True), (5, True)]
    (told,) = played.seen(ALLIES, ev.MarkersHidden)
    assert (told.rule, told.numbers, told.renumbered) == ("22.54G", (1, 5), True)
    assert not played.seen(ALLIES, ev.GroupsRenumbered)
    (own,) = played.seen(AXIS, ev.GroupsRenumbered)
    assert own.numbers == {1: 5, 2: 1}


@pytest.mark.ledger("22.54G.4", edition="2008")
def test_no_two_groups_have_the_same_number_and_who_changes_none_tells_nothing() -> None:
    played = two_on_one()
    played.to("renumber", AXIS)
    with pytest.raises(IllegalChoice, match="22.423A"):
        played.answer(AXIS, {"CG1": "2", "CG2": "2"})
    played.to_round(3)
    assert not played.events(ev.MarkersHidden)
    assert not any(group.hidden for group in played.game.picture(ALLIES).battle.fleets[AXIS].groups)


def test_the_current_edition_asks_neither() -> None:
    played = two_on_one(edition="current")
    played.to_round(3)
    assert not played.was_asked(AXIS, "recombine") and not played.was_asked(AXIS, "renumber")


# -- groups that wait ----------------------------------------------------------------------------------------------


SEVEN = [small("First", 1), small("Second", 2), *(small(f"Group {n}", n) for n in (3, 4, 5, 6))]


def seven(answers: dict[Any, Any] | None = None, seventh: dict[str, Any] | None = None) -> Table:
    """Seven groups of the axis, in round two: six have numbers."""
    last = seventh or force("Seventh", cruisers=5)
    given = {("axis", "engage", "CG2"): "CG1", **(answers or {})}
    return table([*SEVEN, last], [FOE], answers=given, round=2, **OLD)


@pytest.mark.ledger("22.41", "22.41A.1", "22.421", "22.421C", "22.421C.1", "22.421C.2.2", edition="2008")
def test_six_groups_fight_and_the_seventh_waits_out_of_reach() -> None:
    played = seven()
    played.to_segment("withdrawal", 2)
    fleet = played.game.battle.fleets[AXIS]
    assert fleet.numbers == (1, 2, 3, 4, 5, 6)
    assert [group.name for group in fleet.pending] == ["Seventh"]
    assert 7 not in [number for event in played.events(ev.Searched) for number in event.results]


@pytest.mark.ledger("22.421C.2.1", edition="2008")
def test_a_group_with_cargo_must_take_part() -> None:
    cargo = [{"name": "a corps", "needs": 2}]
    groups = [force(f"Group {n}", cruisers=5) for n in range(1, 6)]
    last = [force("Sixth", cruisers=5), force("Convoy", destroyers=4, cargo=cargo, mission="sea transport")]
    played = table([*groups, *last], [force("Foe", cruisers=5)], **OLD)
    asked = played.to("number", AXIS)
    told = {f"Group {n}": str(n) for n in range(1, 6)}
    with pytest.raises(IllegalChoice, match="cargo must take part"):
        played.answer(AXIS, {**told, "Sixth": "6", "Convoy": "wait"})
    assert asked.form.default["Sixth"] == "wait"  # type: ignore[index]


@pytest.mark.ledger("22.421C.3.1", "22.421C.3.3", "22.54G.3", edition="2008")
def test_a_group_that_waited_comes_in_when_two_have_combined() -> None:
    played = seven({("axis", "recombine"): {"CG2:Japan/CA": "CG1"}, ("axis", "reinforce"): {"Seventh": "2"}})
    asked = played.to("reinforce", AXIS)
    assert asked.rule == "22.421C"
    played.to_round(3)
    fleet = played.game.battle.fleets[AXIS]
    assert fleet.numbers == (1, 2, 3, 4, 5, 6) and not fleet.pending
    assert fleet.group(2).name == "Seventh"


@pytest.mark.ledger("22.421C.3.1", "22.421C.3.2", edition="2008")
def test_without_room_it_goes_on_waiting_and_nobody_changes_places_with_it() -> None:
    played = seven({("axis", "reinforce"): None})
    asked = played.to("reinforce", AXIS)
    assert [item.key for item in asked.form.items] == ["Seventh"]
    assert [place.key for place in asked.form.places] == ["wait"]
    played.answer(AXIS, {})
    played.to_round(3)
    assert [group.name for group in played.game.battle.fleets[AXIS].pending] == ["Seventh"]


# -- interception --------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.23T.2", "22.23T.11", "22.23T.15", edition="2008")
def test_a_redeployment_is_intercepted_with_two_dice_less_one_if_it_is_small() -> None:
    small_one = operation_force("One", "Kiel", ["Bismarck"])  # five factors
    for sails, expected in ((MANY, {"22.23": 2}), (small_one, {"22.23": 2, "22.232D": -1})):
        played = sailing([sails], [HOME], HUNT, {"Home": [2 if sails is MANY else 1]}, **OLD)
        played.to_end()
        assert dice_of(played)["T1"] == expected
        assert {event.rule for event in played.events(InterceptionRolled)} == {"22.23"}


@pytest.mark.ledger("22.23T.3", "22.23T.12", "22.23T.10", edition="2008")
def test_an_invasion_in_its_hex_by_ships_from_an_idle_port() -> None:
    convoy = operation_force("Convoy", "Kiel", ["Bismarck", "Tirpitz"], destroyers=4, cargo=[{"name": "x", "needs": 2}])
    played = landing(
        [convoy],
        [port("Hull", "n6", operational=False), operation_force("Home", "Hull", ["Hood", "Renown"])],
        {**LANDS, ("allies", "interception"): {"Home": "A1"}, ("allies", "hex"): "s6"},
        {"Home": [3]},
        **OLD,
    )
    played.to_end()
    assert dice_of(played)["T1"] == {"22.23": 4, "22.231D": 1, "22.232C": -2}


@pytest.mark.ledger("22.23T.10", edition="2008")
def test_a_port_that_is_not_operational_bars_nobody() -> None:
    hunter = api.call("may_intercept", {"hunter": {"port_operational": False}}, edition="2008")
    barred = api.call("may_intercept", {"hunter": {"port_operational": False}})
    assert (hunter["may"], barred["may"]) == (True, False)


MANY = operation_force("One", "Kiel", ["Bismarck", "Tirpitz"], cruisers=2)
STRONG = operation_force("Home", "Scapa", ["Hood", "Renown"], cruisers=3)
COUNTERED = [MANY, port("Bergen", "s6"), operation_force("Cover", "Bergen", ["Scharnhorst", "Gneisenau"])]


@pytest.mark.ledger("22.23T.1", "22.23T.13", edition="2008")
def test_a_counter_interception_has_one_die_and_two_more_in_the_interception_hex() -> None:
    played = sailing(
        COUNTERED,
        [STRONG],
        {**HUNT, ("axis", "counter-interception"): {"Cover": "C1"}, ("allies", "withdraw"): all_withdraw},
        {"Home": [2], "Cover": [3]},
        **OLD,
    ).to_end()
    assert dice_of(played)["T2"] == {"22.23": 1, "22.231E": 2}


@pytest.mark.ledger("22.23T.14", edition="2008")
def test_who_intercepts_a_transport_from_a_us_box_is_countered_with_three_dice_more() -> None:
    box = port("United States", "s9", box="U.S.")
    convoy = operation_force("Convoy", "United States", ["Bismarck", "Tirpitz"], destroyers=4)
    played = landing(
        [box, convoy, activity("Ship", "sea transport", "Kiel"), port("Bergen", "s5"), *COUNTERED[2:]],
        [STRONG],
        {
            ("axis", "announce"): {"Convoy": "Ship"},
            ("allies", "interception"): {"Home": "A1"},
            ("allies", "hex"): "s4",
            ("axis", "counter-interception"): {"Cover": "C1"},
            ("allies", "withdraw"): all_withdraw,
        },
        {"Home": [4], "Cover": [6]},
        **OLD,
    ).to_end()
    assert dice_of(played)["T2"] == {"22.23": 1, "22.231E": 2, "22.231F": 3}


@pytest.mark.ledger("22.23T.14", edition="2008")
def test_who_protects_that_transport_is_not_met_with_three_dice_more() -> None:
    box = port("United States", "s9", box="U.S.")
    convoy = operation_force("Convoy", "United States", ["Bismarck", "Tirpitz"], destroyers=4)
    cover = operation_force("Cover", "Bergen", ["Scharnhorst", "Gneisenau"], cruisers=2)
    second = [port("Rosyth", "n5"), operation_force("Second", "Rosyth", ["Howe", "Anson"], cruisers=2)]
    played = landing(
        [box, convoy, activity("Ship", "sea transport", "Kiel"), port("Bergen", "s5"), cover],
        [STRONG, *second],
        {
            ("axis", "announce"): {"Convoy": "Ship"},
            ("allies", "interception"): {"Home": "A1"},
            ("allies", "hex"): "s4",
            ("axis", "counter-interception"): {"Cover": "C1"},
            ("allies", "counter-counter-interception"): {"Second": "C1"},
            ("allies", "withdraw"): all_withdraw,
        },
        {"Home": [4], "Cover": [6], "Second": [6]},
        **OLD,
    ).to_end()
    assert dice_of(played)["T3"] == {"22.23": 1, "22.231E": 2}


@pytest.mark.ledger("22.23T.16", edition="2008")
def test_an_offensive_patrol_supports_within_three_hexes_only_and_never_rolls() -> None:
    def places(hex: str, edition: str) -> tuple[str, ...]:
        patrol = operation_force("Guard", "Kiel", ["Scharnhorst"], patrol="offensive", at=hex)
        played = sailing([ONE, patrol], [HOME], HUNT, {"Home": [2]}, edition=edition)
        asked = played.to("support", AXIS)
        (item,) = [item for item in asked.form.items if item.key == "Guard"]
        return asked.form.places_for(item)

    assert places("s7", "2008") == ("hold", "C1")
    assert places("s8", "2008") == ("hold",)
    assert places("s8", "current") == ("hold", "C1")
    told = may_intercept(ruleset("2008"), "Europe", Hunter(patrol="offensive"), Level.COUNTER)
    assert [verdict.rule for verdict in told] == ["22.11D"]


# -- inverted ------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.26", "22.26D", "22.26D.1.1", "22.26D.1.2", "22.26D.2.1", "22.26D.2.2", edition="2008")
@pytest.mark.ledger("22.26D-2008", "22.26D-2008.1", "22.26D-2008.2", edition="2008")
def test_who_was_held_back_in_every_round_is_not_inverted_if_the_interception_had_succeeded() -> None:
    def inverted(edition: str = "2008", **facts: Any) -> bool:
        return inverted_after(ruleset(edition), Service(**facts)).holds

    held = {"counter_rounds": ("screened", "screened")}
    assert inverted(fought_target=True)
    assert not inverted(**held)
    assert inverted(**held, damaged=True)
    assert inverted(counter_rounds=("screened", "fired")), "held back first, and committed later"
    assert inverted(**held, succeeded=False)
    assert not inverted("current", **held, succeeded=False)
    assert may_withhold(counter_combat=True, with_target=False)


@pytest.mark.ledger("22.26D", "22.26D-2008", edition="2008")
def test_the_dice_of_the_interception_say_whether_it_had_succeeded() -> None:
    def inverted(round: int | None) -> bool:
        attempt = Try(
            id="T1", side=ALLIES, level=Level.INTERCEPTION, force="Home", contact="A1", hex="s4", path=(), round=round
        )
        wave = Wave(side=AXIS, legs=(), tries=(attempt,))
        operation = Operation(names={side: side.value for side in Side}, waves=(wave,), forces={AXIS: (), ALLIES: ()})
        played = TruthTable(ruleset("2008"), operation=operation)
        whole = NavalForce(id="Home", place="s3", ships=(find_ship("Hood"),), inverted=True)
        (after,) = withheld(played, ALLIES, [After(whole, False, True)])
        return after.force.inverted

    assert (inverted(1), inverted(2), inverted(None)) == (False, True, True)


def test_boats_in_base_give_no_dice() -> None:
    played = sailing([ONE], [HOME, boats("Scapa", 3, "Britain")], HUNT, {"Home": [2]}, **OLD)
    played.to_end()
    assert "22.231B" not in dice_of(played)["T1"]
