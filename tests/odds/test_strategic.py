"""Exact chances of the strategic war against counting every throw of the dice through the questions of single steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagplot import api
from flagplot.api.bombing import bombing_air_combat, bombing_attack
from flagplot.api.bombing_effects import bombing_effects
from flagplot.api.chances import bands, exact, within
from flagplot.api.sw_raiders import raider_engagement, raider_hunters, raiders_attack_transports
from flagplot.editions.current import ruleset
from flagplot.model.strategic_bombing import AirDefenders, BomberForce, Condition, Damage, FirestormHex
from flagplot.model.strategic_war import Hunters, RaiderGroup, Shipping
from flagplot.odds import strategic as odds
from flagplot.odds.exact import chances_of, dice_sum, expected
from flagplot.rules.strategic.submarine_warfare import advanced_strike

RULES = ruleset()
FACES = range(1, 7)
ROLLS = [(roll, int(chance * 36)) for roll, chance in dice_sum(2).items()]  # each total of two dice, and its ways


def chances(counted: Counter[Any]) -> dict[Any, Fraction]:
    whole = sum(counted.values())
    return {key: Fraction(ways, whole) for key, ways in counted.items() if ways}


def whole(quantities: Iterable[dict[int, Fraction]]) -> bool:
    return all(sum(of.values()) == 1 for of in quantities)


# -- submarines -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("submarines", "asw", "transports", "modifier"), [(6, 3, 35, 3), (7, 5, 4, -2), (12, 0, 9, 1), (33, 31, 20, 0)]
)
def test_submarine_warfare_is_as_every_throw_says(submarines: int, asw: int, transports: int, modifier: int) -> None:
    counted: Counter[Any] = Counter()
    for dice in product(FACES, repeat=4 if asw else 2):
        came = api.submarine_war.submarine_combat(
            rules=RULES,
            dice=list(dice),
            submarines=submarines,
            asw=asw,
            transports=transports,
            net_modifier=modifier,
            uninverted_cves_present=2,
        )
        counted[
            came["transports_sunk"],
            came["transports_damaged"],
            came["asw_lost"],
            came["cves_lost"],
            came["submarines_eliminated"],
            came["submarines_aborted"],
        ] += 1
    found = odds.submarine_odds(RULES, Shipping(transports, asw, 2), [odds.SubmarineAttack(submarines, asw, modifier)])
    assert {(*each[:4], each.eliminated[0], each.aborted[0]): chance for each, chance in found.items()} == chances(
        counted
    )


def test_two_attackers_and_one_toll_are_as_every_roll_says() -> None:
    counted: Counter[Any] = Counter()
    for (a, w1), (b, w2), (c, w3), (d, w4) in product(ROLLS, repeat=4):
        came = api.submarine_war.indian_ocean_combats(
            rules=RULES,
            dice=[],
            german=api.submarine_war.AttackerJson(3, 2, 1, a, b),
            japanese=api.submarine_war.AttackerJson(2, 1, -1, c, d),
            transports=5,
        )
        lost = came["german"]["submarines_eliminated"], came["japanese"]["submarines_eliminated"]
        counted[came["transports_sunk"], came["transports_damaged"], lost] += w1 * w2 * w3 * w4
    attacks = [odds.SubmarineAttack(3, 2, 1), odds.SubmarineAttack(2, 1, -1)]
    found = odds.submarine_odds(RULES, Shipping(5, 3), attacks)
    told: dict[Any, Fraction] = odds.counted(
        ((each.sunk, each.damaged, each.eliminated), chance) for each, chance in found.items()
    )
    assert told == chances(counted)


@pytest.mark.parametrize("option", ["before_advanced", "after_advanced"])
def test_advanced_submarines_come_last_and_are_counted_with_all_rolls(option: str) -> None:
    rules = ruleset("current", {"damaged_transports_leave": option})
    attack, shipping = odds.SubmarineAttack(4, 2, 1), Shipping(9, 2)
    counted: Counter[Any] = Counter()
    for (a, w1), (b, w2), (c, w3) in product(ROLLS, repeat=3):
        struck = odds.struck_by(rules, attack, a, b)
        counted[odds.submarine_outcome(rules, shipping, [struck], advanced_strike(rules, 2, c))] += w1 * w2 * w3
    found = odds.submarine_odds(rules, shipping, [attack], 2)
    assert found == chances(counted)
    assert all(each.sunk + each.damaged <= shipping.transports for each in found)


def test_nobody_rolls_where_no_submarine_fights() -> None:
    found = odds.submarine_odds(RULES, Shipping(9, 4), [odds.SubmarineAttack(0, 4, 3)])
    assert found == {odds.SubmarineOutcome(0, 0, 0, 0, (0,), (0,)): 1}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 60), st.integers(-9, 9), st.integers(0, 4))
def test_transports_and_submarines_are_never_lost_twice(
    submarines: int, asw: int, transports: int, modifier: int, advanced: int
) -> None:
    found = odds.submarine_odds(
        RULES, Shipping(transports, asw, 3), [odds.SubmarineAttack(submarines, asw, modifier)], advanced
    )
    assert sum(found.values()) == 1
    for each in found:
        assert each.sunk + each.damaged <= transports and each.asw_lost <= asw and each.escort_carriers_lost <= 3
        assert each.eliminated[0] + each.aborted[0] <= submarines


# -- bombers ----------------------------------------------------------------------------------------

BRITAIN, GERMANY = Condition("Britain"), Condition("Germany")
FORCE = BomberForce(strategic_bombers=5, bombing_aaf=2, escort_aaf=4, interceptors=1)
BERLIN = FirestormHex("Berlin", "Germany")


def raid(**more: Any) -> odds.Raid:
    said: dict[str, Any] = {"target": odds.Target(5, 12, BERLIN, already=14), "modifier": 2, "radar": 1}
    met = odds.Met(AirDefenders(3, 2, 1), GERMANY)
    return odds.Raid(FORCE, BRITAIN, **{**said, "meetings": (met,), **more})


def test_a_raid_is_as_every_roll_of_air_combat_and_bombs_says() -> None:
    told: dict[str, Counter[int]] = {name: Counter() for name in (*odds.AT_TARGET, *odds.IN_THE_AIR)}
    for (a, w1), (b, w2) in product(ROLLS, repeat=2):
        met = bombing_air_combat(
            rules=RULES,
            dice=[],
            attacker=FORCE,
            defender=AirDefenders(3, 2, 1),
            attacker_nation="Britain",
            defender_nation="Germany",
            radar=1,
            attacker_roll=a,
            defender_roll=b,
        )
        reaching = {name: met["remaining"][name] for name in ("strategic_bombers", "bombing_aaf")}
        lost, home = met["eliminated"], met["aborted"]
        escorts = ("interceptors", "escort_aaf", "jets")
        for (c, w3), (d, w4) in product(ROLLS, repeat=2):
            ways = w1 * w2 * w3 * w4
            bombs = bombing_attack(
                rules=RULES,
                dice=[],
                bombers=api.bombing.ArrivedJson(**reaching),
                target_strength=5,
                net_modifier=2,
                attacker_roll=c,
                defender_roll=d,
            )
            both = bombing_effects(rules=RULES, damage=Damage(14 + bombs["uncapped"]), hex=BERLIN, value=12)
            counts = {
                "damage": bombs["uncapped"],
                "brps_lost": both["brps_lost"] - 12,  # the 14 before took all there was
                "construction_points": 0,
                "markers": both["damage_markers"],
                "firestorm": int(both["firestorm"]),
                "bombers_eliminated": lost["strategic_bombers"] + lost["bombing_aaf"] + bombs["bombers_eliminated"],
                "bombers_aborted": home["strategic_bombers"] + home["bombing_aaf"] + bombs["bombers_aborted"],
                "escorts_eliminated": sum(lost[group] for group in escorts),
                "escorts_aborted": sum(home[group] for group in escorts),
                "defenders_eliminated": sum(met["defender_eliminated"].values()),
                "defenders_aborted": sum(met["defender_aborted"].values()),
                "bombers_arriving": sum(reaching.values()),
            }
            for name, number in counts.items():
                told[name][number] += ways
    found = odds.bombing_odds(RULES, raid())
    assert found.chances == {name: dict(sorted(chances(told[name]).items())) for name in found.chances}
    assert found.chances["firestorm"][1] > 0


def test_two_fronts_are_as_every_roll_of_both_says() -> None:
    first, second = odds.Met(AirDefenders(1, 1), GERMANY), odds.Met(AirDefenders(0, 2), GERMANY, escorted=False)
    flown = raid(meetings=(first, second))
    counted: Counter[Any] = Counter()
    for (a, w1), (b, w2) in product(ROLLS, repeat=2):
        after = odds.later(odds.unharmed(FORCE), odds.fought(RULES, flown, FORCE, first, a, b))
        alone = odds.force_met(after.force, second)
        assert alone.factors == alone.bombers
        for (c, w3), (d, w4) in product(ROLLS, repeat=2):
            counted[odds.later(after, odds.fought(RULES, flown, alone, second, c, d))] += w1 * w2 * w3 * w4
    assert odds.on_its_way(RULES, flown) == counted
    assert whole(odds.bombing_odds(RULES, flown).chances.values())


def test_a_force_without_bombers_is_met_no_more_and_bombs_nothing() -> None:
    tiny = BomberForce(strategic_bombers=1)
    crowd = odds.Met(AirDefenders(12, 0, 6), GERMANY)
    found = odds.bombing_odds(RULES, raid(meetings=(crowd, crowd))._replace(force=tiny))
    assert found.chances["bombers_arriving"] == {0: 1} and found.chances["damage"] == {0: 1}
    once = odds.bombing_odds(RULES, raid(meetings=(crowd,))._replace(force=tiny))
    assert once.chances["defenders_eliminated"] == found.chances["defenders_eliminated"]


def test_typed_drms_take_the_place_of_the_chart() -> None:
    met = odds.Met(AirDefenders(3), GERMANY, drm=4)
    _, modifiers = odds.air_modifiers(RULES, raid()._replace(drm=1, radar=0), FORCE, met)
    assert modifiers.total == 1 - 4


def test_a_secondary_target_costs_no_brps_but_may_burn() -> None:
    target = odds.Target(0, 40, BERLIN, already=20, secondary=True)
    found = odds.bombing_odds(RULES, raid(meetings=(), target=target)).chances
    assert found["brps_lost"] == {0: 1} and found["construction_points"] == {0: 1} and found["firestorm"][1] > 0


@pytest.mark.ledger("26.51.4", "26.71B.1")
def test_construction_points_count_what_an_earlier_raid_left_over() -> None:
    """26.71B: four BRPs lost before are one point and one over; five more make three points, two of them by this raid."""
    target = odds.Target(0, None, BERLIN, already=4)
    found = odds.bombing_odds(RULES, raid(meetings=(), target=target)).chances
    more = odds.chances_of(found["damage"], lambda damage: (4 + damage) // 3 - 1)
    assert found["construction_points"] == more
    assert 5 // 3 == 1 and (4 + 5) // 3 - 1 == 2


# -- raiders ----------------------------------------------------------------------------------------


def test_one_group_of_raiders_is_as_every_throw_says() -> None:
    group, hunters = RaiderGroup("Atlantic", "Germany", 1, 3), Hunters(us_german_war=True)  # the die less one
    available = (("cruiser", 1), ("fast carrier", 1), ("4-factor battleship", 1))
    engaged: Counter[int] = Counter()
    sunk: Counter[int] = Counter()
    for die in FACES:
        met = raider_engagement(rules=RULES, dice=[die], box="Atlantic", three_ships=True, us_at_war_with_germany=True)
        for types in product(FACES, repeat=4):  # as many as any die calls for
            due = met["ships_engaging"]
            came = raider_hunters(rules=RULES, dice=list(types), ships=due, available=dict(available))["ships"]
            for roll, ways in ROLLS:
                hits = raiders_attack_transports(rules=RULES, transports=3, groups=[api.sw_raiders.RaidJson(8, roll)])[
                    "transports_sunk"
                ]
                engaged[came] += ways
                sunk[0 if came else hits] += ways
    found = odds.raider_odds(
        RULES, [odds.RaidingGroup(group, 8)], hunters, transports=3, modifier=1, available=available
    )
    assert found.groups[0].ships == chances(engaged)
    assert found.sunk == found.groups[0].sunk == chances(sunk)
    assert found.engaged == chances_of(found.groups[0].ships, lambda ships: int(ships > 0))


def test_hunters_once_sent_are_gone_and_transports_sunk_are_sunk() -> None:
    groups = [odds.RaidingGroup(RaiderGroup("Atlantic", "Germany", number), 20) for number in (1, 2)]
    one_cruiser = odds.raider_odds(RULES, groups, Hunters(3, 24), transports=2, available=(("cruiser", 1),))
    assert one_cruiser.groups[0].ships == {1: 1} and one_cruiser.groups[1].ships == {0: 1}  # at least one is due
    nobody = odds.raider_odds(RULES, groups, Hunters(3, 24), transports=2, modifier=5, available=())
    assert nobody.sunk == {2: 1} and nobody.groups[1].sunk == {0: 1} and nobody.engaged == {0: 1}


def test_without_a_list_every_ship_called_for_is_there() -> None:
    found = odds.raider_odds(RULES, [odds.RaidingGroup(RaiderGroup("Atlantic", "Germany"))], Hunters(), transports=0)
    assert found.groups[0].ships == {0: Fraction(1, 2), 1: Fraction(1, 6), 2: Fraction(1, 6), 3: Fraction(1, 6)}


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 3), st.integers(0, 20)), min_size=1, max_size=3),
    st.integers(0, 3),
    st.integers(0, 30),
    st.integers(0, 12),
    st.none() | st.lists(st.tuples(st.sampled_from(["cruiser", "fast carrier"]), st.integers(0, 3)), max_size=1),
)
def test_raiders_are_whole(
    groups: list[tuple[int, int]], air_range: int, cves: int, transports: int, available: Any
) -> None:
    raiding = [
        odds.RaidingGroup(RaiderGroup("Pacific", "Japan", number, ships), factors)
        for number, (ships, factors) in enumerate(groups, start=1)
    ]
    ships = None if available is None else tuple(available)
    found = odds.raider_odds(RULES, raiding, Hunters(air_range, cves), transports=transports, available=ships)
    assert whole([found.sunk, found.engaged, *(of for each in found.groups for of in each)])
    assert max(found.sunk) <= transports and max(found.engaged) <= len(groups)
    assert expected(found.sunk) == sum(expected(each.sunk) for each in found.groups)


# -- rows -------------------------------------------------------------------------------------------


def test_many_numbers_are_taken_together_and_few_are_not() -> None:
    few = {0: Fraction(1, 4), 2: Fraction(3, 4)}
    assert bands(few) == [("0", Fraction(1, 4), 1), ("1", 0, Fraction(3, 4)), ("2", Fraction(3, 4), Fraction(3, 4))]
    many = {number: Fraction(1, 30) for number in range(30)}
    rows = bands(many)
    assert rows[0] == ("0-2", Fraction(1, 10), 1) and sum(here for _, here, _ in rows) == 1
    assert within(many) == (1, 28)
    assert exact(api.chances.quantity(few)) == few
