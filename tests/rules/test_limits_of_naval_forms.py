"""The limits of forms about ships: every answer is taken or refused as the rule says (20.5, 22.1, 22.4, 22.5, 22.8, 22.9)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from flagplot.core.forms import Form, Item, Limit, Place
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.forces import Cargo, CombatGroup
from flagplot.model.interception import Circumstances, Interceptor, Target
from flagplot.model.operation import Harbour, Leg, NavalForce, Operation, Waters, Wave
from flagplot.model.ships import Ship
from flagplot.model.state import Battle, Fleet
from flagplot.rules.damage import consolidation_form
from flagplot.rules.naval import interceptions
from flagplot.rules.naval.activity_dice import dice_by_activity
from flagplot.rules.naval.battle import reinforcement_form
from flagplot.rules.naval.combat_groups import fast_fleet_factors, numbering_form, splitting_form
from flagplot.rules.naval.effects import cargo_form
from flagplot.rules.naval.engagements import engagement_form, evasion_form, evasion_number
from flagplot.rules.naval.interception import dice_alone
from flagplot.rules.naval.parting import after_attack_form
from flagplot.rules.naval.recombining import givers, recombining_form
from flagplot.rules.naval.reconstitution import reconstitution_form
from flagplot.rules.naval.stacking import stacking_form
from flagplot.rules.naval.submarines import shift_form, submarine_form
from flagplot.rules.naval.targets import Aim
from flagplot.rules.table import Table
from tests.rules.legal_answers import Amount, check, every_answer, is_legal

SIX = [str(number) for number in range(1, 7)]
CARGO = (Cargo("infantry", 2, "DD"),)


def ship(name: str, size: int, kind: str = "BB", *, fast: bool = True, damaged: bool = False) -> Ship:
    return Ship(name, name, "Japan", kind, size, fast, damaged=damaged)


def group(number: int, *ships: Ship, **keys: object) -> CombatGroup:
    return CombatGroup(number, f"Group {number}", ships, **keys)  # type: ignore[arg-type]


# -- groups that join ------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.421C.3.1")
def test_as_many_join_as_there_is_room_for_and_those_with_cargo_first() -> None:
    """Four of six places are taken; of three that wait one has cargo, another is late and not yet there."""
    fleet = Fleet("Japan", groups=tuple(group(number) for number in (1, 2, 4, 5)))
    laden = CombatGroup(0, "Laden", light={"Japan/DD/loaded": 2}, cargo=CARGO)
    waiting = [CombatGroup(0, "A", (ship("Kongo", 3),)), CombatGroup(0, "B", (ship("Hiei", 3),)), laden]
    late = CombatGroup(0, "Late", (ship("Haruna", 3),), arrives=4)
    form = reinforcement_form(fleet, [*waiting, late], 3, 6)
    assert [item.key for item in form.items] == ["A", "B", "Laden"]
    assert form.default == {"Laden": "3"}

    def allowed(amount: Amount) -> bool:
        numbers = [number for number in ("3", "6") for name in ("A", "B", "Laden") if amount(name, number)]
        return len(set(numbers)) == len(numbers) and not amount("Laden", "wait")

    check(form, allowed)


@pytest.mark.ledger("22.421C.3.1")
def test_with_one_place_left_only_one_joins_and_with_none_nobody() -> None:
    fleet = Fleet("Japan", groups=tuple(group(number) for number in (1, 2, 4, 5, 6)))
    waiting = [CombatGroup(0, "A", (ship("Kongo", 3),)), CombatGroup(0, "B", (ship("Hiei", 3),))]
    form = reinforcement_form(fleet, waiting, 3, 6)
    check(form, lambda amount: amount("A", "3") + amount("B", "3") <= 1)
    full = reinforcement_form(Fleet("Japan", groups=(*fleet.groups, group(3))), waiting, 3, 6)
    assert [place.key for place in full.places] == ["wait"]
    for most in (2, 1):  # more than may fight: one with a number beyond the last
        few = reinforcement_form(Fleet("Japan", groups=(group(1), group(3))), waiting, 3, most)
        legal = [cells for cells in every_answer(few) if is_legal(few, cells)]
        assert [(cells["A"]["wait"], cells["B"]["wait"]) for cells in legal] == [(1, 1)]


@pytest.mark.ledger("22.421C.3.1")
def test_of_groups_with_cargo_as_many_join_as_there_is_room_for() -> None:
    laden = [CombatGroup(0, name, light={"Japan/DD/loaded": 2}, cargo=CARGO) for name in "AB"]
    form = reinforcement_form(Fleet("Japan", groups=(group(1),)), laden, 3, 3)
    check(form, lambda amount: {number for number in "23" for name in "AB" if amount(name, number)} == {"2", "3"})
    form = reinforcement_form(Fleet("Japan", groups=(group(1), group(3))), laden, 3, 3)
    check(form, lambda amount: amount("A", "2") + amount("B", "2") == 1)


@pytest.mark.ledger("22.421C.1", "22.421C.2.1")
def test_numbers_are_one_to_the_most_each_once_and_only_what_is_too_many_waits() -> None:
    groups = [CombatGroup(0, name, (ship(name, 3),)) for name in "AB"]
    groups.append(CombatGroup(0, "C", light={"Japan/DD/loaded": 2}, cargo=CARGO))

    def allowed(amount: Amount) -> bool:
        waiting = sum(amount(name, "wait") for name in "ABC")
        once = all(sum(amount(name, number) for name in "ABC") <= 1 for number in "12")
        return waiting == 1 and once and not amount("C", "wait")

    check(numbering_form(groups, 2), allowed)
    assert [place.key for place in numbering_form(groups, 6).places] == [*SIX, "wait"]

    def none_waits(amount: Amount) -> bool:
        once = all(sum(amount(name, number) for name in "ABC") <= 1 for number in "123")
        return once and not any(amount(name, "wait") for name in "ABC")

    check(numbering_form(groups, 3), none_waits)


# -- groups that are divided -------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.421A.4.1.1")
def test_a_combined_group_is_divided_so_that_none_has_more_than_25_factors_and_only_the_surplus_leaves() -> None:
    """Eight battleships of four: 32 factors. The first group keeps at least 21, so six of them (FP-01)."""
    ships = tuple(ship(f"Ship {number}", 4) for number in range(8))
    form = splitting_form([CombatGroup(0, "Force", ships)], {}, 25)
    names = [each.id for each in ships]

    def allowed(amount: Amount) -> bool:
        return sum(4 * amount(name, "Force #1") for name in names) == 24

    check(form, allowed)


@pytest.mark.ledger("22.421A.4.2.1")
def test_each_fast_carrier_factor_has_a_fast_fleet_factor_with_it_and_only_surplus_carriers_go_home() -> None:
    carriers = (ship("Akagi", 3, "CV"), ship("Hosho", 2, "CVL"))
    force = CombatGroup(0, "Force", (*carriers, ship("Kongo", 3), ship("Fuso", 4, fast=False)))
    form = splitting_form([force], {}, 25)

    def allowed(amount: Amount) -> bool:
        carried = 3 * amount("Akagi", "Force #1") + 2 * amount("Hosho", "Force #1")
        home = 3 * amount("Akagi", "port") + 2 * amount("Hosho", "port")
        return carried <= 3 and home <= 2

    check(form, allowed)


@pytest.mark.ledger("22.421A.4.1.1", "22.421A.4.2.1")
def test_the_first_part_of_a_divided_group_keeps_all_but_carriers_or_its_fill_slow_ships_counted() -> None:
    """Four carriers of three, three slow battleships of four, three cruisers: thirty factors, eighteen but for carriers.
    The cruisers cover two carriers; the other two are surplus."""
    carriers = [f"Carrier {number}" for number in range(4)]
    slow = [f"Slow {number}" for number in range(3)]
    ships = (*(ship(name, 3, "CV") for name in carriers), *(ship(name, 4, fast=False) for name in slow))
    form = splitting_form([CombatGroup(0, "Force", ships, {"Japan/CA": 3})], {}, 25)

    def allowed(amount: Amount) -> bool:
        held = {}
        for part in ("Force #1", "Force #2"):
            aboard = 3 * sum(amount(name, part) for name in carriers)
            cover = 2 * amount("Force: Japan/CA", part)
            held[part] = aboard + cover + 4 * sum(amount(name, part) for name in slow)
            if held[part] > 25 or aboard > cover:
                return False
        return held["Force #1"] >= 18 and 3 * sum(amount(name, "port") for name in carriers) <= 6

    check(form, allowed)


@pytest.mark.ledger("22.421A.4.2.1")
def test_fast_fleet_factors_are_those_of_sound_fast_capital_ships_cruisers_and_destroyers() -> None:
    ships = (ship("Kongo", 3), ship("Hiei", 3, damaged=True), ship("Fuso", 4, fast=False), ship("Akagi", 3, "CV"))
    assert fast_fleet_factors(ships, {}) == 3
    assert fast_fleet_factors((), {"Japan/CA": 2, "Japan/CA/damaged": 3, "Japan/DD": 5, "Japan/CVE": 2}) == 4 + 5
    assert fast_fleet_factors((ship("Haruna", 3, damaged=True),), {"Japan/DD": 1}) == 1


@pytest.mark.ledger("22.14B.2", "22.14C")
def test_22_14B_a_task_force_made_up_anew_has_ten_to_25_factors_and_no_more_than_half_are_carriers() -> None:
    """Here at most twelve. One carrier of four, a battleship of three, two cruisers of two and three destroyers (FP-107)."""
    first = NavalForce(id="TF1", place="A1", ships=(ship("Akagi", 4, "CV"), ship("Kongo", 3)), harbour="Kure")
    first = replace(first, light={"Japan/CA": 2, "Japan/DD": 3})
    form = reconstitution_form([first], ["TF1"], 12)
    outside, *names = form.items[0].places
    sizes = {"Akagi": 4, "Kongo": 3, "Japan/CA": 2, "Japan/DD": 1}

    def allowed(amount: Amount) -> bool:
        for name in names:
            held = {key: size * amount(f"Kure|{key}", name) for key, size in sizes.items()}
            if sum(held.values()) not in (0, 10, 11, 12) or 2 * held["Akagi"] > sum(held.values()):
                return False
        return True

    assert names[0] == "TF1" and len(names) == 2 and outside not in names
    check(replace(form, default={}), allowed)  # fourteen factors may not stay one task force of twelve


def test_a_task_force_with_too_many_carriers_may_stay_but_gets_no_further_from_the_limit() -> None:
    """Two carriers of three with two destroyers, of which there are three in port: four factors too many (FP-81), and it has
    eight in all, which it may not go below (FP-107)."""
    ships = (ship("Akagi", 3, "CV"), ship("Kaga", 3, "CV"))
    alone = NavalForce(id="TF1", place="A1", ships=ships, light={"Japan/DD": 2}, harbour="Kure")
    loose = NavalForce(id="Ships", place="A1", light={"Japan/DD": 1}, harbour="Kure", task_force=False)
    form = reconstitution_form([alone, loose], ["TF1", "Ships"], 25)
    _, *names = form.items[0].places

    def allowed(amount: Amount) -> bool:
        for name in names:
            carriers = 3 * amount("Kure|Akagi", name) + 3 * amount("Kure|Kaga", name)
            destroyers = amount("Kure|Japan/DD", name)
            if carriers - destroyers > 4 or 0 < carriers + destroyers < 8:
                return False
        return True

    assert names == ["TF1"]

    check(form, allowed)
    (destroyers,) = (item for item in form.items if item.key == "Kure|Japan/DD")
    assert destroyers.amount == 3
    assert isinstance(form.default, dict) and form.default["Kure|Japan/DD"] == {"TF1": 2, form.items[0].places[0]: 1}


@pytest.mark.ledger("22.54G.3", edition="2008")
def test_groups_made_up_anew_keep_within_25_factors_and_cover_their_carriers() -> None:
    one = group(1, ship("Akagi", 3, "CV"), ship("Kongo", 3), light={"Japan/DD": 2})
    two = group(2, ship("Hiei", 3), light={"Japan/DD": 1})
    fleet = Fleet("Japan", groups=(one, two), opponents=((1, 4), (2, 4)))
    form = recombining_form(fleet, 9)
    keys = {item.key: item.amount for item in form.items}
    assert sum(keys.values()) == 6

    def allowed(amount: Amount) -> bool:
        for name in ("CG1", "CG2"):
            carriers = fast = 0
            for key in keys:
                held = amount(key, name)
                carriers += 3 * held if "Akagi" in key else 0
                fast += 3 * held if "Kongo" in key or "Hiei" in key else held if "DD" in key else 0
            if carriers + fast > 9 or carriers > fast:
                return False
        return True

    check(form, allowed)


@pytest.mark.ledger("22.54G.3", edition="2008")
def test_what_carries_cargo_stays_and_takes_its_room_in_the_group() -> None:
    """FP-92. Three loaded destroyers of group 1 stay in it: of ten factors seven are left, and three cover a carrier."""
    one = group(1, ship("Akagi", 3, "CV"), ship("Kongo", 3), light={"Japan/DD/loaded": 3}, cargo=CARGO)
    two = group(2, ship("Hiei", 3), light={"Japan/DD": 2})
    form = recombining_form(Fleet("Japan", groups=(one, two), opponents=((1, 4), (2, 4))), 10)
    assert sorted(item.key for item in form.items) == ["CG1:Akagi", "CG1:Kongo", "CG2:Hiei", "CG2:Japan/DD"]

    def allowed(amount: Amount) -> bool:
        for name, staying in (("CG1", 3), ("CG2", 0)):
            carriers = 3 * amount("CG1:Akagi", name)
            fast = 3 * amount("CG1:Kongo", name) + 3 * amount("CG2:Hiei", name) + amount("CG2:Japan/DD", name) + staying
            if carriers + fast > 10 or carriers > fast:
                return False
        return True

    check(form, allowed)


@pytest.mark.ledger("22.54G.3", edition="2008")
def test_a_group_with_more_carriers_than_it_covers_keeps_them_and_gets_no_more() -> None:
    one = group(1, ship("Akagi", 3, "CV"), ship("Kaga", 3, "CV"), ship("Fuso", 4, fast=False), light={"Japan/DD": 1})
    two = group(2, ship("Hiei", 3), ship("Hosho", 2, "CVL"))
    form = recombining_form(Fleet("Japan", groups=(one, two), opponents=((1, 4), (2, 4))), 25)

    def allowed(amount: Amount) -> bool:
        def short(name: str) -> int:
            carriers = 3 * amount("CG1:Akagi", name) + 3 * amount("CG1:Kaga", name) + 2 * amount("CG2:Hosho", name)
            return carriers - amount("CG1:Japan/DD", name) - 3 * amount("CG2:Hiei", name)

        return short("CG1") <= 5 and short("CG2") <= 0

    check(form, allowed)
    answer = form.read(
        {"CG2:Hiei": "CG1"}
        | dict.fromkeys(("CG1:Akagi", "CG1:Kaga", "CG1:Fuso", "CG1:Japan/DD"), "CG1")
        | {"CG2:Hosho": "CG1"},
        "",
    )
    fleet = Fleet("Japan", groups=(one, two, group(3)))
    assert (givers(fleet, answer, 1), givers(fleet, answer, 2)) == ((2,), ())


# -- engagements -------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.524A")
def test_damaged_ships_are_left_behind_to_reach_a_distant_group_and_for_nothing_else() -> None:
    mine = group(1, ship("Kongo", 3), ship("Hiei", 3, damaged=True), light={"Japan/CA": 1, "Japan/CA/damaged": 2})
    battle = Battle(round=2)
    form = engagement_form(battle, mine, [group(2), group(5)])

    def allowed(amount: Amount) -> bool:
        left = amount("Hiei", "detach"), amount("Japan/CA/damaged", "detach")
        return left == ((1, 2) if amount("target", "CG5") else (0, 0))

    check(form, allowed)
    assert [item.key for item in engagement_form(battle, mine, [group(2)]).items] == ["target"]  # nobody is distant


@pytest.mark.ledger("22.523B")
def test_damaged_ships_are_abandoned_to_evade_and_for_nothing_else() -> None:
    mine = group(4, ship("Kongo", 3), ship("Hiei", 3, damaged=True), light={"Japan/CA": 1, "Japan/CA/damaged": 2})
    form = evasion_form(mine, 5)

    def allowed(amount: Amount) -> bool:
        left = amount("Hiei", "abandon"), amount("Japan/CA/damaged", "abandon")
        return left == ((1, 2) if amount("choice", "evade") else (0, 0))

    check(form, allowed)


# -- what is lost ------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.82A.1", "22.82A.2")
def test_no_more_cargo_is_lost_than_the_ships_cannot_carry() -> None:
    """Room for four of a two, a three and a two that may be divided."""
    cargo = (Cargo("small", 2, "DD"), Cargo("large", 3, "DD"), Cargo("air", 2, "DD", divisible=True))
    form = cargo_form(cargo, {"DD": 4, "TR": 0})

    def allowed(amount: Amount) -> bool:
        saved = 2 * amount("small", "saved") + 3 * amount("large", "saved") + amount("air", "saved")
        return 2 <= saved <= 4  # FP-06: short of the room by less than the largest needs

    check(form, allowed)
    form = cargo_form((Cargo("air", 3, "DD", divisible=True),), {"DD": 2, "TR": 0})
    check(form, lambda amount: amount("air", "saved") == 2)


@pytest.mark.ledger("22.63D")
def test_a_port_that_holds_too_much_loses_what_it_must_and_no_more() -> None:
    force = NavalForce(
        id="TF1", place="Kure", ships=(ship("Kongo", 3), ship("Mutsu", 4)), light={"Japan/CA": 2, "Japan/TR": 3}
    )
    form = stacking_form(Harbour("Kure", "A1", capacity=7), [force])
    sizes = {"TF1|Kongo": 3, "TF1|Mutsu": 4, "TF1|Japan/CA": 2}
    assert [item.key for item in form.items] == list(sizes)

    def allowed(amount: Amount) -> bool:
        stays = sum(size * amount(key, "stays") for key, size in sizes.items())
        return 4 <= stays <= 7  # short of the room by less than the largest unit

    check(form, allowed)
    assert form.default == {"TF1|Japan/CA": {"eliminated": 2}}


@pytest.mark.parametrize("number", range(2, 8))
def test_of_damaged_cruisers_in_several_ports_one_in_two_survives(number: int) -> None:
    form = consolidation_form({"Kiel": number - 1, "Brest": 1})
    pairs, odd = divmod(number, 2)

    def allowed(amount: Amount) -> bool:
        counted = [amount("Kiel", place) + amount("Brest", place) for place in ("survives", "sunk", "stays damaged")]
        return counted == [pairs, pairs, odd]

    check(form, allowed)


@pytest.mark.ledger("23.443A.1")
def test_damaged_ships_go_home_sound_ones_only_with_them_and_somebody_stays() -> None:
    force = NavalForce(
        id="TF1", place="Kure", ships=(ship("Kongo", 3), ship("Hiei", 3, damaged=True)), light={"Japan/DD": 3}
    )
    form = after_attack_form([force])

    def allowed(amount: Amount) -> bool:
        hurt = amount("TF1|Hiei", "leaves")
        sound = amount("TF1|Kongo", "leaves") + amount("TF1|Japan/DD", "leaves")
        return (not sound or hurt > 0) and hurt + sound <= 4

    check(form, allowed)


# -- submarines --------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.92.1")
def test_outside_naval_combat_no_submarine_waits() -> None:
    fleet = Fleet("Japan", submarines={"Japan/SUB": 2, "Japan/SUB/advanced": 1})
    form = submarine_form(fleet, [group(1), group(2)], must=True)
    check(form, lambda amount: not amount("Japan/SUB", "wait") and not amount("Japan/SUB/advanced", "wait"))
    assert submarine_form(fleet, [group(1)]).limits == submarine_form(fleet, [], must=True).limits == ()


@pytest.mark.ledger("22.9432")
def test_no_more_destroyers_elsewhere_take_losses_than_there_are() -> None:
    form = shift_form({"Brest": {"Germany/DD": 1}, "Kiel": {"Germany/DD": 2}}, {"Germany/DD": 2, "Italy/DD": 1})

    def allowed(amount: Amount) -> bool:
        both = ("Germany/DD", "Italy/DD")
        return all(
            sum(amount(key, f"{port}|Germany/DD") for key in both) <= most for port, most in (("Brest", 1), ("Kiel", 2))
        )

    check(form, allowed)


# -- dice --------------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.23T.3", "22.23T.12", edition="2008")
def test_of_activities_caught_together_the_one_with_most_dice_counts_and_one_that_invades_is_enough() -> None:
    rules = ruleset("2008")
    together = Target(("base change", "seaborne invasion", "raider"), in_invasion_hex=True)
    dice = dice_by_activity(rules, together, Circumstances(), Interceptor("A", 1))
    assert dice.total == 4 + 1


@pytest.mark.ledger("22.22A.2")
def test_a_carrier_mission_caught_together_with_a_base_change_gives_its_two_dice() -> None:
    target = Target(("base change", "fast carrier mission"), 1)
    assert dice_alone(ruleset(), target, Circumstances(), Interceptor("A", 1)).total == 2 + 1


# -- interceptions -----------------------------------------------------------------------------------------------------


def form_of(limits: list[Limit], places: Sequence[str], **items: int) -> Form:
    given = tuple(Item(key, key, number) for key, number in items.items())
    return Form(given, tuple(Place(place, place) for place in places), tuple(limits), rest="hold")


@pytest.mark.ledger("22.14E")
def test_those_bound_for_a_battle_are_met_there_or_on_their_way_not_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interceptions, "battles_of", lambda operation, met: {"Battle": met})
    aims = [Aim("Path", "on their way", ("A1",), met=("one",)), Aim("Battle", "there", ("A2",), contact="Battle")]
    items = [Item("TF1", "TF1", 1), Item("DD", "DD", 3)]
    limits = interceptions._one_hex(Operation(), aims[:1], items)
    form = form_of(limits, ("hold", "Path", "Battle"), TF1=1, DD=3)

    def allowed(amount: Amount) -> bool:
        there, away = (amount("TF1", place) + amount("DD", place) for place in ("Battle", "Path"))
        return not (there and away)

    check(form, allowed)


@pytest.mark.ledger("22.113")
def test_russia_leaves_a_target_to_her_allies_if_they_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interceptions, "_nations_of", lambda operation, aim: ("Germany",))
    monkeypatch.setattr(interceptions, "at_war", lambda operation, nation, targets: nation != "France")
    aims = [Aim("A", "A", ("A1",)), Aim("B", "B", ("B1",))]
    nations = {"British": "Britain", "Russian": "Russia", "French": "France"}
    items = [Item("British", "British", 2), Item("Russian", "Russian", 1), Item("French", "French", 1)]
    limits = interceptions._wars_and_allies(Operation(), aims, items, nations)
    form = form_of(limits, ("hold", "A", "B"), British=2, Russian=1, French=1)

    def allowed(amount: Amount) -> bool:
        met = any(amount("Russian", place) and amount("British", place) for place in "AB")
        return not met and bool(amount("French", "hold"))  # France is not at war

    check(form, allowed)


@pytest.mark.ledger("22.14C.1", "23.462C")
def test_loose_ships_at_sea_are_counted_by_hex_and_patrols_leave_ships_that_flee(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(interceptions, "_wars_and_allies", lambda *given: [])
    line = {"h0": ("h1",), "h1": ("h0", "h2"), "h2": ("h1",)}
    legs = tuple(
        Leg(id=id, side=Side.AXIS, kind=kind, forces=(), start="h0", end="h2")
        for id, kind in (("A1", "base change"), ("A2", "escape"))
    )
    operation = Operation(
        waters=Waters(seas=line, mover=Side.AXIS, phases=(), harbours={}), waves=(Wave(side=Side.AXIS, legs=legs),)
    )
    table = Table(ruleset(), operation=operation)
    forces = [
        NavalForce(id="One", place="h0", light={"Britain/DD": 9}, task_force=False),
        NavalForce(id="Two", place="h1", light={"Britain/DD": 4, "Britain/CA": 4}, task_force=False),
    ]
    form = interceptions.attempts_form(table, [Aim("A1", "A1", ("h2",), legs=("A1",))], forces, [])

    def allowed(amount: Amount) -> bool:
        return amount("Two|Britain/DD", "A1") + 2 * amount("Two|Britain/CA", "A1") <= 9

    check(form, allowed)
    patrol = NavalForce(id="TF1", place="h0", patrol="offensive")
    both = interceptions.attempts_form(table, [Aim("A1", "A1", ("h2",), legs=("A1", "A2"))], [patrol], [])
    assert list(both.barred(both.items[0])) == ["A1"]


@pytest.mark.ledger("22.523E.1")
def test_a_group_that_evades_takes_the_next_higher_number_that_is_free() -> None:
    assert evasion_number(2, [2, 3], 6) == 4
    assert evasion_number(2, [], 6) == 3  # never its own again
    assert evasion_number(5, [5], 6) == 6
    assert evasion_number(6, [6], 6) == evasion_number(5, [5, 6], 6) == 0
