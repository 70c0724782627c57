"""The limits of forms about aircraft: every answer is taken or refused as the rule says (22.43, 22.46, 23.1 to 23.5)."""

from __future__ import annotations

import pytest

from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import Ship
from flagplot.model.squadrons import AirBase, Port
from flagplot.model.state import Base, Battle, Fleet
from flagplot.rules.air.attack import air_defense_level
from flagplot.rules.air.combat import jets
from flagplot.rules.air.escape import escape_form
from flagplot.rules.air.gunfire import group_to_meet
from flagplot.rules.air.landing import landing_form
from flagplot.rules.air.passage import cover_shares_form
from flagplot.rules.air.patrol import back_on_deck_form, patrol_form
from flagplot.rules.air.ports import deck_losses_form, sortie_form
from flagplot.rules.air.strikes import defenders_form, fighters_form, strike_form
from flagplot.tables.air_defense import AirDefenseLevel
from flagplot.tables.surprise import SurpriseTable
from tests.rules.legal_answers import Amount, check

NAS, ELITE = "Japan/NAS", "Japan/NAS/elite"


def carrier(name: str, size: int, damaged: bool = False, **wing: int) -> Ship:
    """A carrier with so many squadrons of naval air: `nas`, `elite`."""
    aboard = {key: number for key, number in ((NAS, wing.get("nas", 0)), (ELITE, wing.get("elite", 0))) if number}
    return Ship(name, name, "Japan", "CV", size, damaged=damaged, wing=aboard)


def group(number: int, *ships: Ship, **keys: object) -> CombatGroup:
    return CombatGroup(number, f"Group {number}", ships, **keys)  # type: ignore[arg-type]


# -- landing ---------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.463", "22.463B.1", "22.463C.1")
def test_squadrons_land_where_there_is_room_and_none_is_lost_while_there_is_some_aboard() -> None:
    """Akagi has room for one, Kaga for none. Two return, one comes from patrol; ashore there is room for one of patrols."""
    akagi, kaga = carrier("Akagi", 3, nas=2), carrier("Kaga", 3, nas=3)
    fleet = Fleet(
        "Japan",
        groups=(group(2, akagi, kaga, patrol={NAS: 2}),),
        aloft={NAS: 2},
        air_bases=(AirBase("Rabaul", 3, capacity=1), AirBase("Lae", 4)),
    )
    form = landing_form(fleet)
    back, patrol = f"returning|{NAS}", f"patrol|{NAS}"
    assert {item.key: (item.amount, set(item.places)) for item in form.items} == {
        back: (2, {"deck Akagi", "lost"}),
        patrol: (2, {"deck Akagi", "ashore Rabaul", "lost"}),
    }

    def allowed(amount: Amount) -> bool:
        aboard = amount(back, "deck Akagi") + amount(patrol, "deck Akagi")
        lost = amount(back, "lost") + amount(patrol, "lost")
        return aboard <= 1 and amount(patrol, "ashore Rabaul") <= 1 and (aboard == 1 or not lost)

    check(form, allowed)


@pytest.mark.ledger("22.463C.1")
def test_only_carriers_damaged_in_this_round_send_their_aircraft_elsewhere() -> None:
    akagi = carrier("Akagi", 3, nas=0)
    kaga, soryu = carrier("Kaga", 3, damaged=True, nas=2), carrier("Soryu", 3, damaged=True, nas=1)
    fleet = Fleet("Japan", groups=(group(2, akagi, kaga, soryu),), newly_damaged={"Kaga": 3})
    assert [(item.key, item.amount) for item in landing_form(fleet).items] == [(f"Kaga|{NAS}", 2)]


# -- patrols, and back from counterair ---------------------------------------------------------------------------------


@pytest.mark.ledger("22.433")
def test_back_from_counterair_no_carrier_takes_more_than_left_her() -> None:
    fleet = Fleet("Japan", groups=(group(2, carrier("Akagi", 3, nas=2), carrier("Kaga", 4, nas=2)),), ready={NAS: 3})
    form = back_on_deck_form(fleet)
    assert form.default == {NAS: {"Akagi": 1, "Kaga": 2}}
    check(form, lambda amount: amount(NAS, "Akagi") <= 1 and amount(NAS, "Kaga") <= 2)
    fleet = Fleet("Japan", groups=fleet.groups, ready={NAS: 1, ELITE: 2})
    form = back_on_deck_form(fleet)
    assert form.default == {NAS: {"Akagi": 1}, ELITE: {"Kaga": 2}}
    check(
        form,
        lambda amount: (
            amount(NAS, "Akagi") + amount(ELITE, "Akagi") <= 1 and amount(NAS, "Kaga") + amount(ELITE, "Kaga") <= 2
        ),
    )


@pytest.mark.ledger("23.413")
def test_inverted_aircraft_at_a_base_are_attacked_only_by_those_who_attack_the_base() -> None:
    """23.33: no more than a third of a group's naval air flies patrol."""
    fleet = Fleet("Japan", groups=(group(2, carrier("Akagi", 3, nas=3)),))
    base = AirBase("Midway", 2, squadrons={"United States/NAS": 1}, inverted={"United States/NAS": 1})
    form = patrol_form(fleet, (base,))
    item = f"Akagi|{NAS}"

    def allowed(amount: Amount) -> bool:
        attacked = amount("inverted Midway", "attack")
        return amount(item, "patrol") <= 1 and (not attacked or amount(item, "base Midway") > 0)

    check(form, allowed)


# -- strikes ---------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.73.1", "23.73.2", "23.73.3")
def test_a_strike_has_a_target_and_at_most_four_eight_and_twelve_squadrons_by_their_drm() -> None:
    """Elite Japanese naval air has 3, other Japanese naval air 2, and in partial supply 1."""
    rules = ruleset()
    fleet = Fleet(
        "Japan",
        groups=(group(2, carrier("Akagi", 12, nas=9, elite=4)),),
        air_bases=(AirBase("Truk", 2, squadrons={"Japan/NAS": 5}),),
        impaired_air=("Truk",),
    )
    form = strike_form(rules, fleet, [group(3)])
    regular, elite, ashore = f"Akagi|{NAS}", f"Akagi|{ELITE}", "Japan/NAS@Truk"
    assert [item.key for item in form.items] == ["target", regular, elite, ashore]

    def allowed(amount: Amount) -> bool:
        weak, middle, strong = amount(ashore, "fly"), amount(regular, "fly"), amount(elite, "fly")
        flying = weak + middle + strong
        if amount("target", "none"):
            return flying == 0
        return flying > 0 and weak <= 4 and weak + middle <= 8 and flying <= 12

    check(form, allowed)


@pytest.mark.ledger("23.415B.1")
def test_exactly_as_many_of_the_strike_meet_the_defenders_as_these_are() -> None:
    form = fighters_form({NAS: 2, ELITE: 2}, 3)
    assert form.default == {NAS: {"fight": 2}, ELITE: {"fight": 1}}
    check(form, lambda amount: amount(NAS, "fight") + amount(ELITE, "fight") == 3)


@pytest.mark.ledger("23.415E.2")
def test_a_surprise_keeps_its_number_of_the_defenders_out_and_no_more() -> None:
    defended = group(2, patrol={NAS: 2}, cover={"Japan/AAS/cover@Truk": 2})
    form = defenders_form(defended, 3)
    patrol, cover = (item.key for item in form.items)
    assert form.default == {patrol: {"surprised": 2, "engage": 0}, cover: {"surprised": 1, "engage": 1}}
    check(form, lambda amount: amount(patrol, "surprised") + amount(cover, "surprised") == 3)


def test_a_jet_factor_is_three_jet_squadrons() -> None:
    assert jets({"Germany/JET@Lechfeld": 2, "Germany/AAS/attack@Lechfeld": 4}) == 2
    assert jets({"Germany/JET@Lechfeld": 2, "Germany/AAF@Lechfeld": 4}, whole=True) == 6


@pytest.mark.ledger("23.4211D.1")
def test_surprise_brings_the_air_defense_level_to_nothing_and_not_below() -> None:
    level = air_defense_level(AirDefenseLevel(), [], {}, research=0, surprise=SurpriseTable(), level=2)
    assert level.total == 0
    assert air_defense_level(AirDefenseLevel(), [], {}, research=1, surprise=SurpriseTable(), level=2).total == 0
    assert air_defense_level(AirDefenseLevel(), [], {}, research=1, surprise=SurpriseTable(), level=1).total == 1


# -- cover -----------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.23D.1", "23.23D.2")
@pytest.mark.parametrize(("squadrons", "each", "larger"), [(6, 2, 0), (7, 2, 1), (8, 2, 2)])
def test_cover_over_three_groups_is_shared_equally_and_what_is_left_over_goes_to_the_attacked(
    squadrons: int, each: int, larger: int
) -> None:
    """Two of the three groups are attacked; the odd squadrons are over these, one each."""
    form = cover_shares_form({"Britain/AAS/cover@Malta": squadrons}, 3, {1: 4, 2: 5})
    key = form.items[0].key

    def allowed(amount: Amount) -> bool:
        shares = sorted(amount(key, name) for name in ("CG1", "CG2"))
        return shares == sorted([each + (larger > 0), each + (larger > 1)])

    check(form, allowed)


@pytest.mark.ledger("23.23D.1")
def test_of_three_groups_that_are_all_attacked_none_has_fewer_than_its_share() -> None:
    """Seven squadrons over three groups: two each, and one more over one of them."""
    form = cover_shares_form({"Britain/AAS/cover@Malta": 7}, 3, {1: 4, 2: 5, 3: 1})
    key = form.items[0].key
    check(form, lambda amount: sorted(amount(key, f"CG{number}") for number in (1, 2, 3)) == [2, 2, 3])


# -- ports -----------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.413")
def test_inverted_aircraft_in_a_port_are_attacked_only_if_somebody_attacks_aircraft() -> None:
    fleet = Fleet("Japan", groups=(group(1, carrier("Akagi", 3, nas=2)),))
    base = AirBase("Haven", squadrons={"Britain/NAS": 1}, inverted={"Britain/NAS": 1})
    target = Ship("Hood", "Hood", "Britain", "BC", 4)
    enemy = Fleet("Britain", air_bases=(base,), groups=(group(1, target),))
    form = sortie_form(fleet, enemy, Port("Haven"), 1)
    (item, inverted) = (each.key for each in form.items)

    def allowed(amount: Amount) -> bool:
        return not amount(inverted, "attack") or amount(item, "counterair") > 0

    check(form, allowed)


@pytest.mark.ledger("23.412A.1")
def test_naval_air_that_was_lost_in_port_is_missing_from_carriers_that_had_it_aboard() -> None:
    fleet = Fleet("Japan", groups=(group(1, carrier("Akagi", 3, nas=2, elite=1), carrier("Kaga", 3, nas=1)),))
    form = deck_losses_form(fleet, {NAS: 2, ELITE: 1})
    check(form, lambda amount: amount(NAS, "Kaga") <= 1 and amount(ELITE, "Kaga") == 0)
    form = deck_losses_form(fleet, {NAS: 3})
    check(form, lambda amount: amount(NAS, "Akagi") == 2)


@pytest.mark.ledger("23.461A")
def test_aircraft_flee_to_bases_with_room_three_squadrons_to_a_factor() -> None:
    """Sicily has room for four: one factor and one squadron, or no factor and up to four squadrons."""
    haven = AirBase("Haven", factors={"Italy/AAF": 2}, squadrons={"Italy/NAS": 3})
    port = Port("Haven")
    fleet = Fleet("Italy", air_bases=(haven, AirBase("Sicily", 4, capacity=4)), bases=(Base("Taranto", 4),))
    form = escape_form(fleet, port)
    factor, squadron = (item.key for item in form.items)

    def allowed(amount: Amount) -> bool:
        return 3 * amount(factor, "air Sicily") + amount(squadron, "air Sicily") <= 4

    check(form, allowed)


# -- who will meet whom ----------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.471C", edition="2008")
def test_the_group_that_will_meet_an_enemy_one_is_told_from_either_side() -> None:
    """22.521: active groups pair off in the order of their numbers. Axis 1 meets allied 2."""
    battle = Battle(round=2, fleets={Side.AXIS: Fleet(groups=(group(1),)), Side.ALLIES: Fleet(groups=(group(2),))})
    assert group_to_meet(battle, Side.AXIS, 2) == 1
    assert group_to_meet(battle, Side.ALLIES, 1) == 2
    assert group_to_meet(battle, Side.AXIS, 1) == 0
