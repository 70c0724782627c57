"""Amendments: what may be put right, when it takes effect, and what is refused in words."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from flagplot.core.errors import IllegalChoice
from flagplot.core.sides import Audience, Side
from flagplot.editions.current import ruleset
from flagplot.model.amendments import (
    Amended,
    Amendment,
    AmendmentAgreed,
    AmendmentLapsed,
    CargoPutRight,
    Change,
    LapseExplained,
    LightShipsRemoved,
    ShipPutRight,
    ShipsAdded,
    SquadronsSet,
    WingSet,
)
from flagplot.model.events import CargoStowed, GroupEliminated
from flagplot.model.forces import Cargo, CombatGroup, Force
from flagplot.model.picture import Picture
from flagplot.model.ships import Ship, as_seen
from flagplot.model.squadrons import AirBase
from flagplot.model.state import Battle, Fleet, Homecoming
from flagplot.rules.amendments import agree, amend, refusal
from flagplot.rules.table import Table

AKAGI = Ship("akagi", "Akagi", "Japan", "CV", 3, wing={"Japan/NAS": 2})
KAGA = Ship("kaga", "Kaga", "Japan", "CV", 3)
KONGO = Ship("kongo", "Kongo", "Japan", "BC", 3)
LOST = Ship("hiei", "Hiei", "Japan", "BC", 3, hits=3)
FUSO = Ship("fuso", "Fuso", "Japan", "BB", 4)
HOOD = Ship("hood", "Hood", "Britain", "BC", 4)
AXIS = Side.AXIS


def table() -> Table:
    groups = (
        CombatGroup(1, "First", (AKAGI, KONGO), {"Japan/DD": 4}, revealed=True),
        CombatGroup(2, "Second", (KAGA,)),
        CombatGroup(3, "Convoy and Escort", (), {"Japan/DD": 3, "Japan/DD/loaded": 1}, (Cargo("rice", 1),)),
    )
    japan = Fleet(
        "Japan",
        groups=groups,
        pending=(CombatGroup(0, "Late", (FUSO,), {"Japan/DD": 1}),),
        sunk=(LOST,),
        round_sunk=3,
        returned=(
            Homecoming(CombatGroup(0, "Home", (replace(KONGO, id="kirishima", name="Kirishima"),)), "Truk", False, ""),
        ),
        air_bases=(AirBase("Rabaul", factors={"Japan/AAF": 1}, squadrons={"Japan/NAS": 2}, used={"Japan/NAS": 2}),),
    )
    britain = Fleet("Britain", groups=(CombatGroup(1, "Force H", (HOOD,)),))
    return Table(ruleset(), Battle(segment="search", fleets={Side.AXIS: japan, Side.ALLIES: britain}))


def put_right(at: Table, change: Change) -> Table:
    agree(at, msgspec.to_builtins(Amendment("axis", ("allies",), change)))
    amend(at)
    return at


def ship_of(at: Table, id: str, side: Side = AXIS) -> Ship:
    fleet = at.fleet(side)
    groups = (*fleet.groups, *fleet.pending, *(each.group for each in fleet.returned))
    return next(ship for group in groups for ship in group.ships if ship.id == id)


# -- taking effect --------------------------------------------------------------------------------------------


def test_a_ships_hits_and_damage_are_put_right_wherever_she_is() -> None:
    at = put_right(table(), ShipPutRight(AXIS, replace(as_seen(AKAGI), hits=1)))
    assert ship_of(at, "akagi") == replace(AKAGI, hits=1), "her aircraft stay aboard"
    put_right(at, ShipPutRight(AXIS, replace(as_seen(AKAGI), damaged=True)))
    assert ship_of(at, "akagi").damaged and at.fleet(AXIS).newly_damaged == {"akagi": 3}
    put_right(at, ShipPutRight(AXIS, replace(as_seen(AKAGI), damaged=True)))
    assert at.fleet(AXIS).newly_damaged == {"akagi": 3}
    put_right(at, ShipPutRight(AXIS, as_seen(AKAGI)))
    assert ship_of(at, "akagi") == AKAGI and at.fleet(AXIS).newly_damaged == {}
    put_right(at, ShipPutRight(AXIS, replace(FUSO, damaged=True)))
    assert ship_of(at, "fuso").damaged and at.fleet(AXIS).newly_damaged == {}, "she is not in this round"
    home = replace(KONGO, id="kirishima", name="Kirishima", hits=1)
    assert ship_of(put_right(at, ShipPutRight(AXIS, home)), "kirishima").hits == 1


def test_a_ship_sunk_after_all_takes_her_aircraft_with_her_and_may_leave_nothing_of_a_group() -> None:
    at = put_right(table(), ShipPutRight(AXIS, as_seen(AKAGI), "sunk"))
    fleet = at.fleet(AXIS)
    assert [ship.name for ship in fleet.sunk] == ["Hiei", "Akagi"] and fleet.air_lost == {"Japan/NAS": 2}
    assert fleet.round_sunk == 6 and [ship.id for ship in fleet.group(1).ships] == ["kongo"]
    put_right(at, ShipPutRight(AXIS, as_seen(KAGA), "sunk"))
    assert isinstance(at.log[-1], GroupEliminated) and at.fleet(AXIS).numbers == (1, 3)
    put_right(at, ShipPutRight(AXIS, as_seen(FUSO), "sunk"))
    assert at.fleet(AXIS).round_sunk == 9, "a ship outside the battle does not count in its round"


def test_a_ship_afloat_after_all_comes_back_to_a_group() -> None:
    at = put_right(table(), ShipPutRight(AXIS, replace(as_seen(LOST), hits=1), "restored", "CG 2"))
    assert at.fleet(AXIS).sunk == () and at.fleet(AXIS).round_sunk == 0
    assert [ship.id for ship in at.group(AXIS, 2).ships] == ["kaga", "hiei"]


def test_ships_forgotten_join_a_group_by_its_number_or_name() -> None:
    haruna = Ship("haruna", "Haruna", "Japan", "BC", 3)
    at = put_right(table(), ShipsAdded(AXIS, "CG1", (haruna,), {"Japan/CA": 1, "Japan/CA/damaged": 1}))
    assert at.group(AXIS, 1).ships == (AKAGI, KONGO, haruna)
    assert at.group(AXIS, 1).light == {"Japan/DD": 4, "Japan/CA": 1, "Japan/CA/damaged": 1}
    put_right(at, ShipsAdded(AXIS, "Late", (), {"Japan/DD": 2}))
    assert at.fleet(AXIS).pending[0].light == {"Japan/DD": 3}
    put_right(at, ShipsAdded(AXIS, "Convoy", (), {"Japan/TR": 1}))
    assert at.group(AXIS, 3).light["Japan/TR"] == 1


def test_light_ships_are_sunk_after_all_or_were_never_there_and_what_carries_nothing_goes_first() -> None:
    at = put_right(table(), LightShipsRemoved(AXIS, "CG1", {"Japan/DD": 3}))
    fleet = at.fleet(AXIS)
    assert fleet.group(1).light == {"Japan/DD": 1} and fleet.sunk_light == {"Japan/DD": 3} and fleet.round_sunk == 6
    put_right(at, LightShipsRemoved(AXIS, "CG1", {"Japan/DD": 1}, sunk=False))
    fleet = at.fleet(AXIS)
    assert fleet.group(1).light == {} and fleet.sunk_light == {"Japan/DD": 3} and fleet.round_sunk == 6
    put_right(at, LightShipsRemoved(AXIS, "Convoy", {"Japan/DD": 3}))
    assert at.group(AXIS, 3).light == {"Japan/DD/loaded": 1}, "one carries the rice"
    put_right(at, CargoPutRight(AXIS, "CG3", Cargo("rice", 1), aboard=False))
    put_right(at, LightShipsRemoved(AXIS, "CG3", {"Japan/DD": 1}))
    assert isinstance(at.log[-1], GroupEliminated) and at.fleet(AXIS).numbers == (1, 2)
    put_right(at, LightShipsRemoved(AXIS, "Late", {"Japan/DD": 1}))
    assert at.fleet(AXIS).pending[0].light == {} and at.fleet(AXIS).round_sunk == 10, "it was not in this round"


def test_of_destroyers_that_are_removed_loaded_ones_go_last_and_what_they_carried_is_stowed_anew() -> None:
    at = put_right(table(), CargoPutRight(AXIS, "CG3", Cargo("tanks", 1)))
    assert at.group(AXIS, 3).light == {"Japan/DD": 2, "Japan/DD/loaded": 2}
    put_right(at, ShipsAdded(AXIS, "CG3", (), {"Britain/DD": 2}))
    put_right(at, LightShipsRemoved(AXIS, "CG3", {"Japan/DD": 3}))
    assert at.group(AXIS, 3).light == {"Japan/DD/loaded": 1, "Britain/DD": 1, "Britain/DD/loaded": 1}


def test_transports_and_damaged_cruisers_that_are_removed_count_in_the_round_as_losses_do() -> None:
    at = put_right(table(), ShipsAdded(AXIS, "CG1", (), {"Japan/TR": 2, "Japan/CA/damaged": 2}))
    fleet = replace(at.fleet(AXIS), newly_damaged={"Japan/CA/damaged": 4})
    at.battle = replace(at.battle, fleets={**at.battle.fleets, AXIS: fleet})
    put_right(at, LightShipsRemoved(AXIS, "CG1", {"Japan/TR": 2, "Japan/CA/damaged": 1}))
    fleet = at.fleet(AXIS)
    assert fleet.round_sunk == 3 + 2 + 2 and fleet.newly_damaged == {"Japan/CA/damaged": 2}, "AM-02"


def test_squadrons_are_counted_anew_the_owner_alone_being_told_of_a_carriers() -> None:
    at = put_right(table(), SquadronsSet(AXIS, "akagi", "Akagi", "Japan/NAS/elite", 1))
    assert ship_of(at, "akagi").wing == {"Japan/NAS": 2, "Japan/NAS/elite": 1}
    assert isinstance(at.log[-1], WingSet) and at.log[-1].to is Audience.AXIS
    put_right(at, SquadronsSet(AXIS, "akagi", "Akagi", "Japan/NAS", 0))
    assert ship_of(at, "akagi").wing == {"Japan/NAS/elite": 1}
    put_right(at, SquadronsSet(AXIS, "Rabaul", "Rabaul", "Japan/NAS", 1))
    base = at.fleet(AXIS).air_base("Rabaul")
    assert (base.squadrons, base.used) == ({"Japan/NAS": 1}, {"Japan/NAS": 1})
    put_right(at, SquadronsSet(AXIS, "Rabaul", "Rabaul", "Japan/AAF", 2))
    assert at.fleet(AXIS).air_base("Rabaul").factors == {"Japan/AAF": 2}


def test_cargo_is_put_aboard_or_ashore_and_stowed_anew() -> None:
    at = put_right(table(), CargoPutRight(AXIS, "CG3", Cargo("tanks", 2)))
    assert at.group(AXIS, 3).light == {"Japan/DD": 1, "Japan/DD/loaded": 3}
    stowed = at.log[-1]
    assert isinstance(stowed, CargoStowed) and stowed.to is Audience.AXIS, "the enemy does not know the group"
    put_right(at, CargoPutRight(AXIS, "CG3", Cargo("rice", 1), aboard=False))
    assert [item.name for item in at.group(AXIS, 3).cargo] == ["tanks"]
    put_right(at, CargoPutRight(AXIS, "CG1", Cargo("mail", 1)))
    assert at.log[-1].to is Audience.EVERYONE
    put_right(at, CargoPutRight(AXIS, "Late", Cargo("oil", 1)))
    assert [item.name for item in at.fleet(AXIS).pending[0].cargo] == ["oil"]


def test_what_no_longer_fits_lapses_and_the_side_it_was_about_is_told_why() -> None:
    at = table()
    sunk = ShipPutRight(AXIS, as_seen(KAGA), "sunk")
    for _ in range(2):
        agree(at, msgspec.to_builtins(Amendment("axis", (), sunk)))
    amend(at)
    kinds = [type(event) for event in at.log]
    assert kinds == [AmendmentAgreed, AmendmentAgreed, Amended, GroupEliminated, AmendmentLapsed, LapseExplained]
    why = at.log[-1]
    assert isinstance(why, LapseExplained) and why.to is Audience.AXIS and why.why == "Kaga is not known to be afloat"
    assert at.battle.amendments == ()


def test_neither_a_refusal_nor_a_lapse_tells_the_strength_of_a_hidden_group() -> None:
    """CG3 has four destroyers and carries rice; tanks and oil fill it, guns no longer fit. The enemy never saw the group."""
    at, more = table(), CargoPutRight(AXIS, "CG3", Cargo("tanks", 2))
    for load in (more, replace(more, cargo=Cargo("oil", 1)), replace(more, cargo=Cargo("guns", 1))):
        agree(at, msgspec.to_builtins(Amendment("axis", ("allies",), load)))
    amend(at)
    assert "too few to carry guns" in refusal(at.battle, replace(more, cargo=Cargo("guns", 1)))
    told = [event for event in at.log if event.to is Audience.EVERYONE]
    assert any(isinstance(event, AmendmentLapsed) for event in told)
    assert not any("too few" in repr(event) for event in told)
    assert "too few" in repr(at.log[-1]) and at.log[-1].to is Audience.AXIS
    with pytest.raises(IllegalChoice) as refused:
        agree(at, msgspec.to_builtins(Amendment("axis", ("allies",), replace(more, cargo=Cargo("guns", 1)))))
    assert "destroyer" not in str(refused.value) and "DD" not in str(refused.value)


def test_an_enemys_picture_follows_as_far_as_it_is_told() -> None:
    at = table()
    enemy = Picture(Side.ALLIES)
    hidden = (CombatGroup(1, hidden=True), CombatGroup(2, "", (as_seen(KAGA),), revealed=True))
    bases = at.fleet(AXIS).air_bases
    enemy.battle = replace(at.battle, fleets={**at.battle.fleets, AXIS: Fleet("Japan", groups=hidden, air_bases=bases)})
    for change in (
        ShipPutRight(AXIS, replace(as_seen(AKAGI), hits=1)),
        ShipsAdded(AXIS, "CG1", (), {"Japan/DD": 1}),
        LightShipsRemoved(AXIS, "CG1", {"Japan/DD": 2}),
        SquadronsSet(AXIS, "kaga", "Kaga", "Japan/NAS", 3),
        ShipPutRight(AXIS, as_seen(AKAGI), "sunk"),
        ShipPutRight(AXIS, replace(as_seen(KAGA), damaged=True)),
    ):
        put_right(at, change)
    for event in at.log:
        enemy.send(event)
    known = enemy.battle.fleets[AXIS]
    assert known.group(1) == CombatGroup(1, hidden=True), "a group that is not known stays unknown"
    assert known.sunk_light == {"Japan/DD": 2}
    assert [ship.name for ship in known.sunk] == ["Akagi"] and known.group(2).ship("kaga").damaged
    assert known.group(2).ship("kaga").wing == {}, "aircraft are not shown"


# -- refusals ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (ShipPutRight(AXIS, AKAGI, "lost"), "afloat, sunk or restored, not 'lost'"),
        (ShipPutRight(AXIS, HOOD), "Hood is not known to be afloat"),
        (ShipPutRight(AXIS, replace(AKAGI, size=5)), "Akagi is not known to be afloat"),
        (ShipPutRight(AXIS, AKAGI, "restored", "CG1"), "Akagi is not known to be sunk"),
        (ShipPutRight(AXIS, LOST, "restored", "CG7"), "no group or force 'CG7' of Japan"),
        (ShipPutRight(AXIS, LOST, "restored", "CG1"), "3 hits damage or sink her"),
        (ShipPutRight(AXIS, replace(AKAGI, hits=-1)), "not negative"),
        (ShipPutRight(AXIS, replace(AKAGI, hits=1, damaged=True)), "any further hit sinks her"),
        (ShipPutRight(AXIS, replace(AKAGI, hits=2)), "2 hits damage or sink her"),
        (ShipsAdded(AXIS, "CG7", (FUSO,)), "no group or force 'CG7'"),
        (ShipsAdded(AXIS, "CG1"), "nothing is added"),
        (ShipsAdded(AXIS, "CG1", (), {"DD": 1}), "'DD' is no kind of light ship"),
        (ShipsAdded(AXIS, "CG1", (), {"Japan/BB": 1}), "'Japan/BB' is no kind of light ship"),
        (ShipsAdded(AXIS, "CG1", (), {"Japan/DD/loaded": 1}), "no state such a ship"),
        (ShipsAdded(AXIS, "CG1", (), {"Japan/CA/loaded": 1}), "no state such a ship"),
        (ShipsAdded(AXIS, "CG1", (), {"Japan/DD": 0}), "from 1 to 99"),
        (ShipsAdded(AXIS, "CG1", (), {"Japan/DD": -2}), "from 1 to 99"),
        (ShipsAdded(AXIS, "CG1", (FUSO,)), "Fuso is in this battle already"),
        (ShipsAdded(AXIS, "CG1", (HOOD,)), "Japan has no ships of Britain in this battle"),
        (ShipsAdded(AXIS, "CG1", (replace(HOOD, id="nelson"),)), "Japan has no ships of Britain in this battle"),
        (ShipsAdded(AXIS, "CG1", (LOST,)), "Hiei is in this battle already"),
        (ShipsAdded(AXIS, "CG1", (replace(FUSO, id="new"), replace(FUSO, id="new"))), "in this battle already"),
        (ShipsAdded(AXIS, "CG1", (replace(FUSO, id="new", hits=-1),)), "not negative"),
        (ShipsAdded(AXIS, "CG1", (replace(AKAGI, id="new"),)), "say apart how many squadrons"),
        (LightShipsRemoved(AXIS, "CG7", {"Japan/DD": 1}), "no group or force 'CG7'"),
        (LightShipsRemoved(AXIS, "CG1", {}), "nothing is taken away"),
        (LightShipsRemoved(AXIS, "CG1", {"Japan/BB": 1}), "'Japan/BB' is no kind of light ship"),
        (LightShipsRemoved(AXIS, "CG1", {"Japan/DD/loaded": 1}), "no state such a ship"),
        (LightShipsRemoved(AXIS, "CG1", {"Japan/DD": 0}), "from 1 to 99"),
        (LightShipsRemoved(AXIS, "CG1", {"Japan/DD": 5}), "CG1 has 4 Japan/DD"),
        (LightShipsRemoved(AXIS, "CG3", {"Japan/DD": 4}), "the DD left could not carry what is aboard"),
        (SquadronsSet(AXIS, "kongo", "Kongo", "Japan/NAS", 1), "Kongo is no carrier or air base of Japan"),
        (SquadronsSet(AXIS, "akagi", "Akagi", "Japan/AAS", 1), "no kind of squadron that Akagi"),
        (SquadronsSet(AXIS, "akagi", "Akagi", "NAS", 1), "no kind of squadron"),
        (SquadronsSet(AXIS, "akagi", "Akagi", "Japan/NAS@Truk", 1), "no kind of squadron"),
        (SquadronsSet(AXIS, "akagi", "Akagi", "Japan/NAS", -1), "fewer than no squadrons"),
        (SquadronsSet(AXIS, "akagi", "Akagi", "Japan/NAS", 4), "Akagi has room for 3 of them"),
        (SquadronsSet(AXIS, "Rabaul", "Rabaul", "Japan/AAF", 9), "Rabaul has room for 4 of them"),
        (SquadronsSet(AXIS, "Rabaul", "Rabaul", "Japan/NAS", 13), "Rabaul has room for 12 of them"),
        (CargoPutRight(AXIS, "CG7", Cargo("tanks", 1)), "no group or force 'CG7'"),
        (CargoPutRight(AXIS, "CG3", Cargo("tanks", 1), aboard=False), "carries no 'tanks'"),
        (CargoPutRight(AXIS, "CG3", Cargo("rice", 1)), "carries rice already"),
        (CargoPutRight(AXIS, "CG3", Cargo("tanks", 0)), "needs from 1 to 99"),
        (CargoPutRight(AXIS, "CG3", Cargo("tanks", 1, "BB")), "needs from 1 to 99"),
        (CargoPutRight(AXIS, "CG3", Cargo("tanks", 4)), "CG3 has 4 DD, 1 too few"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(change: Change, why: str) -> None:
    at = table()
    assert why in refusal(at.battle, change)
    with pytest.raises(IllegalChoice):
        agree(at, msgspec.to_builtins(Amendment("axis", (), change)))
    assert at.log == []


def test_what_cannot_be_read_is_refused() -> None:
    with pytest.raises(IllegalChoice, match="this is no amendment"):
        agree(table(), {"by": "axis", "change": {"change": "weather"}})


def test_before_groups_are_formed_forces_are_meant() -> None:
    fleets = {side: Fleet(side.value, forces=(Force("Main", (KONGO,)),)) for side in Side}
    battle = Battle(fleets=fleets)
    assert refusal(battle, ShipPutRight(AXIS, replace(KONGO, hits=1))) == ""
    assert refusal(battle, ShipsAdded(AXIS, "Main", (), {"Japan/DD": 1})) == ""
    assert "nothing would be left of Boats" in refusal(
        Battle(fleets={**fleets, AXIS: Fleet("axis", forces=(Force("Boats", (), {"Japan/DD": 1}),))}),
        LightShipsRemoved(AXIS, "Boats", {"Japan/DD": 1}),
    )
    assert "no group or force" in refusal(
        replace(battle, segment="return"), ShipsAdded(AXIS, "Main", (), {"Japan/DD": 1})
    )


def test_where_the_order_of_battle_lies_open_hidden_ships_are_known_by_name() -> None:
    hidden = Fleet("Japan", forces=(Force("Main", (KONGO, LOST)),), groups=(CombatGroup(1, hidden=True),), sunk=(LOST,))
    battle = Battle(segment="search", fleets={AXIS: hidden, Side.ALLIES: Fleet("Britain")})
    assert refusal(battle, ShipPutRight(AXIS, replace(KONGO, hits=1))) == ""
    assert "Hiei is not known to be afloat" in refusal(battle, ShipPutRight(AXIS, LOST, "sunk"))
