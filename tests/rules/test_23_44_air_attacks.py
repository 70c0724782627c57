"""Air attacks on ships at sea (23.44): the rows of the table, the modifiers, and what hits do (20.5, 23.443 to 23.45)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice
from flagplot.model import air_events as ev
from flagplot.model.events import Fired
from tests.rules.strike_table import (
    ALLIES,
    AMERICA,
    AXIS,
    JAPAN,
    TASK_FORCE_16,
    TASK_FORCE_17,
    AirTable,
    Json,
    air_table,
    fleet,
    flown,
    fly,
    force,
    kido_butai,
    strike,
    two_dice,
)

# German aircraft against British ships: 2 and 2, so that the total of the dice is the column.
GERMAN = "Germany/AAS/attack@Brest"
ELITE = "Japan/NAS/elite"
ARMY = "Japan/AAS/attack@Rabaul"
KAMIKAZE = "Japan/KAM@Kanoya"

# Row by row: its name, its air squadrons (0 = gunfire only), the fewest hits, and the totals from which on it makes those
# and each further one.
ROWS: dict[str, tuple[int, int, tuple[int, ...]]] = {
    "1": (0, 0, (2, 8)),
    "2": (0, 0, (2, 7, 12)),
    "3": (1, 0, (2, 6, 11)),
    "4": (0, 0, (2, 5, 10, 12)),
    "5-6": (2, 0, (2, 4, 8, 11)),
    "7-9": (3, 1, (2, 6, 9, 12)),
    "10-12": (4, 1, (2, 4, 7, 10, 12)),
    "13-15": (5, 2, (2, 5, 8, 10, 12)),
    "16-18": (6, 2, (2, 4, 7, 9, 11)),
    "19-21": (7, 2, (2, 3, 6, 8, 10, 12)),
    "22-24": (8, 3, (2, 5, 7, 9, 11)),
    "25-27": (9, 3, (2, 4, 6, 8, 10, 12)),
    "28-30": (10, 3, (2, 3, 5, 7, 9, 11)),
    "31-33": (11, 4, (2, 4, 6, 8, 10, 12)),
    "34-36": (12, 4, (2, 3, 5, 7, 9, 11)),
    "37-39": (13, 5, (2, 4, 6, 8, 10, 12)),
    "40-42": (14, 5, (2, 3, 5, 7, 9, 11)),
    "43-45": (15, 6, (2, 4, 6, 8, 10, 12)),
    "46-48": (16, 6, (2, 3, 5, 7, 9, 11)),
    "49-51": (17, 7, (2, 4, 6, 8, 10, 12)),
    "52-54": (18, 7, (2, 3, 5, 7, 9, 11)),
    "55-57": (19, 8, (2, 4, 6, 8, 10, 12)),
    "58-60": (20, 8, (2, 3, 5, 7, 9, 11)),
}


def ship(kind: str = "BB", size: int = 4, nation: str = "Britain", id: str = "target", **more: Any) -> Json:
    return {"nation": nation, "kind": kind, "size": size, "id": id, **more}


def attack(attackers: Mapping[str, int], total: int, target: Json, **more: Any) -> Json:
    """One attack roll on a ship, or on light ships given as counts."""
    options = more.pop("options", {})
    group = {"ships": [target]} if "kind" in target else target
    wanted = {"attackers": dict(attackers), "target": group, **more}
    return api.call("air_attack", wanted, dice=two_dice(total), options=options)


def drm(attackers: Mapping[str, int], target: Json, **more: Any) -> int:
    return int(attack(attackers, 7, target, **more)["net_drm"])


def against_british(attacker: str) -> int:
    """The attacker's own modifier, from an attack on a British battleship."""
    return drm({attacker: 2}, ship()) + 2


def light_losses(squadrons: int, total: int, light: Mapping[str, int], **more: Any) -> Json:
    """What one German attack does to British light ships; the guns miss."""
    answer = strike({GERMAN: squadrons}, {"light": dict(light)}, 2, total, **more)
    (losses,) = answer["light"]
    return dict(losses)


# -- the table -------------------------------------------------------------------------------------------------


@pytest.mark.ledger(*(f"23.44T.FF{row}" for row in ROWS), "20.51.1")
@pytest.mark.parametrize("row", ROWS)
def test_every_row_of_the_table_for_squadrons_and_fleet_factors_alike(row: str) -> None:
    squadrons, fewest, starts = ROWS[row]
    first, _, last = row.partition("-")
    for total in range(2, 13):
        hits = fewest - 1 + sum(start <= total for start in starts)
        for factors in range(int(first), int(last or first) + 1):
            assert api.call("naval_attack", {"fleet": factors, "roll": total})["hits"] == hits
        if squadrons:
            assert api.call("naval_attack", {"air": squadrons, "roll": total})["hits"] == hits
            assert attack({GERMAN: squadrons}, total, ship())["hits"] == hits


@pytest.mark.ledger("23.44T.over20", "23.44T.over60")
def test_beyond_the_last_row_the_same_roll_is_read_on_two_rows() -> None:
    for squadrons, total, hits in ((21, 7, 12), (23, 7, 13), (40, 2, 16), (41, 12, 28)):
        assert api.call("naval_attack", {"air": squadrons, "roll": total})["hits"] == hits
        assert attack({GERMAN: squadrons}, total, ship())["hits"] == hits
    for factors, total, hits in ((61, 7, 11), (64, 7, 12), (120, 3, 18)):
        assert api.call("naval_attack", {"fleet": factors, "roll": total})["hits"] == hits


@pytest.mark.ledger("23.44.1", "23.44T.FF10-12", "20.51.1")
def test_an_attack_rolls_two_dice_on_the_row_of_its_squadrons() -> None:
    answer = attack({GERMAN: 4}, 9, ship())
    assert (answer["net_drm"], answer["modified_roll"], answer["column"], answer["hits"]) == (0, 9, 9, 3)


@pytest.mark.ledger("20.51.2", "23.44.1")
def test_totals_below_two_count_as_two_and_above_twelve_as_twelve() -> None:
    short = attack({ARMY: 3}, 3, ship(size=5, nation="Japan"), impaired=["Rabaul"])  # 1 - 4
    assert (short["net_drm"], short["column"], short["hits"]) == (-3, 2, 1)
    high = attack({ELITE: 3}, 12, ship(nation="Russia"))  # 3 - 0 + 1
    assert (high["net_drm"], high["column"], high["hits"]) == (4, 12, 4)


# -- the attacker's modifier ---------------------------------------------------------------------------------------


@pytest.mark.ledger("23.441A", "23.44T.m1", "23.441A.T1")
@pytest.mark.parametrize("nation", ["Germany", "Japan", "United States", "Britain", "Finland", "Sweden", "Australia"])
def test_the_best_air_forces_add_two(nation: str) -> None:
    assert against_british(f"{nation}/AAS/attack@Base") == 2


@pytest.mark.ledger("23.441A", "23.441A.T2")
@pytest.mark.parametrize("nation", ["Italy", "Russia", "France"])
def test_the_next_add_one(nation: str) -> None:
    assert against_british(f"{nation}/AAS/attack@Base") == 1


@pytest.mark.ledger("23.441A.T3")
@pytest.mark.parametrize("nation", ["Greece", "Rumania", "Spain", "Turkey", "Dutch East Indies"])
def test_other_minor_countries_add_nothing(nation: str) -> None:
    assert against_british(f"{nation}/AAS/attack@Base") == 0


@pytest.mark.ledger("23.441A.T4", "23.441A.T6")
def test_elite_japanese_naval_air_is_one_better_and_british_naval_air_one_worse() -> None:
    bonus = 1  # of all naval air at sea
    assert against_british(ELITE) == 3 + bonus
    assert drm({"Britain/NAS": 2}, ship(nation="Germany")) == 1 - 2 + bonus
    assert drm({"Britain/AAS/attack@Malta": 2}, ship(nation="Germany")) == 0


@pytest.mark.ledger("23.441A.T5")
def test_interceptors_are_one_better() -> None:
    assert api.call("air_nationality_drm", {"nation": "Germany", "kind": "INT"})["drm"] == 3


@pytest.mark.ledger("23.441A.T7", "23.441A.T8")
@pytest.mark.parametrize(("winter", "impaired", "expected"), [(True, False, 1), (False, True, 1), (True, True, 0)])
def test_winter_and_want_of_supply_or_oil_cost_one_each(winter: bool, impaired: bool, expected: int) -> None:
    told = {"nation": "Germany", "kind": "AAS", "winter": winter, "impaired": impaired}
    assert api.call("air_nationality_drm", told)["drm"] == expected


@pytest.mark.ledger("23.441A.T8")
def test_an_attack_by_squadrons_short_of_oil_is_one_worse() -> None:
    answer = attack({ARMY: 2}, 3, ship(size=5, nation="United States"), impaired=["Japan"])
    assert (answer["net_drm"], answer["column"], answer["hits"]) == (-2, 2, 0)
    assert drm({ARMY: 2}, ship(size=5, nation="United States"), impaired=["Rabaul"]) == -2
    assert drm({ARMY: 2}, ship(size=5, nation="United States"), impaired=["Truk"]) == -1


@pytest.mark.ledger("23.441A")
def test_squadrons_that_attack_together_roll_with_the_worst_of_their_modifiers() -> None:
    assert drm({ELITE: 2, JAPAN: 1}, ship(nation="United States")) == 2 - 2 + 1
    assert drm({GERMAN: 3, "Rumania/AAS/attack@Constanta": 1}, ship()) == -2


# -- the target's modifier -------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.441B", "23.44T.m2", "23.441B.T1", "23.441B.T2", "23.441B.T3", "23.441B.T4")
@pytest.mark.parametrize(
    ("nations", "naval"),
    [
        (["Japan"], 3),
        (["Germany", "Britain", "United States", "Sweden", "Australia"], 2),
        (["Italy", "France"], 1),
        (["Russia", "Greece", "Rumania", "Spain", "Turkey", "Dutch East Indies"], 0),
    ],
)
def test_the_naval_modifier_of_the_target_is_taken_off(nations: list[str], naval: int) -> None:
    for nation in nations:
        assert drm({GERMAN: 2}, ship(nation=nation)) == 2 - naval
        assert drm({GERMAN: 2}, {"light": {f"{nation}/DD": 4}}) == 2 - naval


@pytest.mark.ledger("23.441B.T5")
def test_five_factor_battleships_are_one_harder_to_hit() -> None:
    assert drm({GERMAN: 2}, ship(size=5)) == -1
    assert drm({GERMAN: 2}, ship(size=5, nation="Japan")) == -2
    assert drm({GERMAN: 2}, ship(size=4)) == 0


@pytest.mark.ledger("23.441B.T7", "23.441B.T8")
@pytest.mark.parametrize(
    ("nation", "kind", "size", "naval"),
    [
        ("Japan", "CVL", 2, 1),
        ("United States", "CVL", 2, 0),
        ("Japan", "CV", 3, 1),
        ("United States", "CV", 3, 0),
        ("Britain", "CV", 3, 0),
        ("Britain", "CVL", 2, 1),
        ("Germany", "CVL", 2, 1),
        ("Italy", "CVL", 2, 0),
        ("France", "CVL", 2, 1),  # named in neither line
        ("Japan", "CVB", 4, 2),
        ("United States", "CVB", 4, 1),
    ],
)
def test_carriers_are_easier_to_hit_by_kind_and_nation(nation: str, kind: str, size: int, naval: int) -> None:
    assert drm({GERMAN: 2}, ship(kind, size, nation)) == 2 - naval


@pytest.mark.ledger("23.441B.T7", "23.441B")
def test_the_worst_of_the_light_ships_speaks_for_all_of_them() -> None:
    assert drm({GERMAN: 2}, {"light": {"United States/CA": 3, "United States/DD": 4}}) == 0
    assert drm({GERMAN: 2}, {"light": {"United States/CA": 3, "United States/CVE": 1}}) == 2
    assert drm({GERMAN: 2}, {"light": {"Britain/DD": 3, "Greece/DD": 1}}) == 2
    assert drm({GERMAN: 2}, {"light": {"Japan/CA/damaged": 1, "Japan/DD/loaded": 2}}) == -1


@pytest.mark.ledger("23.441B", "23.441B.T9")
def test_a_target_below_zero_helps_the_attacker() -> None:
    answer = attack({GERMAN: 2}, 6, ship(nation="Russia"), impaired_ships=["Russia"])
    assert (answer["net_drm"], answer["hits"]) == (3, 2)
    assert drm({GERMAN: 2}, ship(), impaired_ships=["Britain"]) == 1
    assert drm({GERMAN: 2}, ship(), impaired_ships=["Russia"]) == 0


@pytest.mark.ledger("23.441B.T10")
def test_an_air_attack_does_not_ask_how_good_the_attackers_navy_is() -> None:
    guns = {"firing": {"ships": [ship(nation="Japan")]}, "target": {"ships": [ship(nation="Russia")]}}
    assert api.call("fire_modifier", guns)["modifier"] == 3
    assert drm({ARMY: 2}, ship(nation="Russia")) == 2
    assert drm({"Russia/AAS/attack@Odessa": 2}, ship(nation="Japan")) == 1 - 3


@pytest.mark.ledger("23.441B")
def test_what_hampers_a_group_in_fleet_combat_makes_no_difference_from_the_air() -> None:
    light: Json = {"light": {"Britain/DD/loaded": 4}}
    assert drm({GERMAN: 2}, {**light, "hampered": True}) == drm({GERMAN: 2}, light) == 0
    assert drm({GERMAN: 2}, {**light, "cargo": [{"name": "a corps", "needs": 4}]}) == 0


@pytest.mark.ledger("23.441B")
def test_tactical_codebreaking_by_the_target_counts_as_part_of_its_modifier() -> None:
    assert drm({GERMAN: 2}, ship(), enemy_tactical=1) == -1
    assert drm({GERMAN: 2}, ship(), enemy_tactical=-1) == 1


# -- naval air at sea, and surprise ----------------------------------------------------------------------------------


@pytest.mark.ledger("23.44T.m3")
def test_naval_air_alone_adds_one_whether_from_carriers_or_from_the_shore() -> None:
    target = ship(nation="United States")
    assert drm({JAPAN: 2}, target) == 1
    assert drm({JAPAN + "@Rabaul": 2}, target) == 1
    assert drm({JAPAN: 1, JAPAN + "@Rabaul": 1}, target) == 1
    assert drm({ARMY: 2}, target) == 0
    assert drm({JAPAN: 5, ARMY: 1}, target) == 0
    assert drm({KAMIKAZE: 2}, target) == 0
    assert drm({JAPAN: 2, KAMIKAZE: 1}, target) == 0


@pytest.mark.ledger("23.44T.m3")
def test_the_naval_air_bonus_can_be_left_out() -> None:
    off = {"naval_air_bonus_at_sea": "off"}
    assert drm({JAPAN: 2}, ship(nation="United States"), options=off) == 0
    assert drm({ARMY: 2}, ship(nation="United States"), options=off) == 0
    target = {"ships": [ship("CV", 3, "United States")]}
    for option, modifier in (({}, 3), (off, 2)):
        answer = strike({JAPAN: 4}, target, 2, 2, options=option)
        assert answer["attacks"][0]["modifier"] == modifier


@pytest.mark.ledger("23.441C", "23.44T.m4", "23.7413T.3")
@pytest.mark.parametrize(("level", "more"), [(0, 0), (1, 0), (2, 0), (3, 1), (4, 1), (7, 1), (8, 1)])
def test_surprise_of_level_three_or_more_adds_one(level: int, more: int) -> None:
    assert drm({JAPAN: 2}, ship(nation="United States"), surprise_level=level) == 1 + more


@pytest.mark.ledger("23.441", "23.441A", "23.441B", "23.441C", "23.44T.m3")
def test_all_modifiers_together() -> None:
    answer = attack({ELITE: 4}, 3, ship("CV", 3, "United States"), surprise_level=4)
    assert answer["net_drm"] == 3 - 0 + 1 + 1
    assert sum(line[-1] for line in answer["lines"]) == 5
    assert (answer["column"], answer["hits"], answer["effect"]) == (8, 3, "sunk")


# -- what hits do -----------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.44T.res1")
@pytest.mark.parametrize(
    ("size", "squadrons", "total", "hits", "effect"),
    [
        (2, 1, 6, 1, "damaged"),
        (2, 1, 11, 2, "sunk"),
        (3, 2, 7, 1, "hit"),
        (3, 2, 8, 2, "damaged"),
        (3, 2, 11, 3, "sunk"),
        (4, 3, 8, 2, "hit"),
        (4, 3, 9, 3, "damaged"),
        (4, 3, 12, 4, "sunk"),
        (5, 5, 8, 3, "hit"),  # a five-factor battleship: one column less
        (5, 5, 10, 4, "damaged"),
        (5, 5, 11, 5, "sunk"),
        (5, 5, 12, 5, "sunk"),
        (2, 5, 7, 3, "sunk"),
    ],
)
def test_a_named_ship_is_damaged_by_hits_one_short_of_her_size_and_sunk_by_her_size(
    size: int, squadrons: int, total: int, hits: int, effect: str
) -> None:
    answer = attack({GERMAN: squadrons}, total, ship("BC" if size == 2 else "BB", size))
    assert (answer["hits"], answer["effect"]) == (hits, effect)


@pytest.mark.ledger("23.44T.res1")
def test_an_attack_without_hits_is_not_called_a_hit() -> None:
    answer = attack({GERMAN: 1}, 2, ship())
    assert answer["hits"] == 0
    assert answer["effect"] not in ("hit", "damaged", "sunk")


@pytest.mark.ledger("23.444", "23.44T.res1")
def test_earlier_hits_count_and_a_damaged_ship_sinks_at_one_more() -> None:
    assert attack({GERMAN: 2}, 8, ship(hits=1))["effect"] == "damaged"  # 1 + 2 of 4
    assert attack({GERMAN: 2}, 11, ship(hits=1))["effect"] == "sunk"  # 1 + 3
    assert attack({GERMAN: 1}, 6, ship(damaged=True))["effect"] == "sunk"


@pytest.mark.ledger("23.44T.res2", "20.531.1")
@pytest.mark.parametrize(
    ("total", "sunk", "damaged"), [(2, {}, 1), (6, {"Britain/CA": 1}, 0), (9, {"Britain/CA": 1}, 1)]
)
def test_among_cruisers_alone_two_hits_sink_one_and_an_odd_one_damages_another(
    total: int, sunk: dict[str, int], damaged: int
) -> None:
    losses = light_losses(3, total, {"Britain/CA": 4})
    assert losses["sunk"] == sunk
    assert losses["damaged"] == ({"Britain/CA": damaged} if damaged else {})


@pytest.mark.ledger("23.44T.res3")
def test_each_hit_sinks_a_destroyer_factor_an_escort_carrier_or_a_transport() -> None:
    assert light_losses(3, 9, {"Britain/DD": 5})["sunk"] == {"Britain/DD": 3}
    assert light_losses(3, 9, {"Britain/TR": 5, "Britain/DD": 1})["sunk"] == {"Britain/TR": 2, "Britain/DD": 1}
    # Escort carriers are two easier to hit: 6 + 2 on row 3.
    assert light_losses(3, 6, {"Britain/CVE": 3})["sunk"] == {"Britain/CVE": 2}


@pytest.mark.ledger("23.44T.res4")
@pytest.mark.parametrize(
    ("squadrons", "total", "cruisers", "destroyers", "damaged"),
    [(4, 2, 0, 0, 1), (4, 5, 1, 0, 0), (4, 9, 1, 1, 0), (4, 10, 1, 2, 0), (4, 12, 1, 2, 1), (5, 12, 2, 2, 0)],
)
def test_cruisers_and_destroyers_share_hits_but_no_more_destroyers_sink_than_cruiser_factors(
    squadrons: int, total: int, cruisers: int, destroyers: int, damaged: int
) -> None:
    losses = light_losses(squadrons, total, {"Britain/CA": 3, "Britain/DD": 4})
    expected = {"Britain/CA": cruisers, "Britain/DD": destroyers}
    assert losses["sunk"] == {key: number for key, number in expected.items() if number}
    assert losses["damaged"] == ({"Britain/CA": damaged} if damaged else {})


@pytest.mark.ledger("23.45", "20.58B.1", "20.58B.2", "23.43B")
def test_destroyers_and_transports_with_cargo_share_the_losses_of_all_light_ships() -> None:
    group = {"light": {"Britain/DD": 4, "Britain/DD/loaded": 2, "Britain/TR": 1}}
    cargo = [{"name": "a brigade", "needs": 2}, {"name": "oil", "needs": 1, "by": "TR"}]
    answer = strike({GERMAN: 4}, {**group, "cargo": cargo}, 2, 10)  # four hits
    (losses,) = answer["light"]
    assert losses["sunk"] == {"Britain/DD": 2, "Britain/DD/loaded": 1, "Britain/TR": 1}


@pytest.mark.ledger("23.45")
def test_between_equal_types_the_owner_says_which_loses_first() -> None:
    light = {"Britain/DD": 2, "Britain/TR": 2}
    for first, second in (("Britain/DD", "Britain/TR"), ("Britain/TR", "Britain/DD")):
        order = ["allies", "loss order", {first: "1", second: "2"}]
        assert light_losses(1, 6, light, decisions=[order])["sunk"] == {first: 1}


@pytest.mark.ledger("23.43A", "23.76-a.D", "23.44.1", "23.442")
def test_each_target_has_a_roll_of_its_own_and_hits_beyond_it_are_lost() -> None:
    target = {"ships": [ship("BC", 2, id="one"), ship(id="two")], "light": {"Britain/DD": 4}}
    aims = ["axis", "air targets", {GERMAN: {"one": 5, "two": 2, "light": 1}}]
    answer = strike({GERMAN: 8}, target, 2, 12, 8, 6, decisions=[aims])
    assert [(each["target"], each["dice"], each["hits"]) for each in answer["attacks"]] == [
        ("one", two_dice(12), 6),
        ("two", two_dice(8), 2),
        ("light", two_dice(6), 1),
    ]
    assert answer["ships"] == {"one": "sunk", "two": "hit"}
    assert answer["light"] == [{"sunk": {"Britain/DD": 1}, "damaged": {}}]


@pytest.mark.ledger("23.44.2")
def test_only_squadrons_neither_lost_nor_turned_back_count() -> None:
    target = {"light": {"Britain/DD": 14}}
    answer = strike({GERMAN: 4}, target, 8, 7)  # one lost, one turned back
    (rolled,) = answer["attacks"]
    assert (rolled["squadrons"], rolled["hits"]) == ({GERMAN: 2}, 1)


@pytest.mark.ledger("23.43B", "23.76-a.C.2")
def test_light_ships_cannot_be_attacked_one_by_one() -> None:
    target = {"ships": [ship()], "light": {"Britain/CA": 2, "Britain/DD": 4}}
    for aim in ("Britain/CA", "Britain/DD"):
        with pytest.raises(IllegalChoice) as refusal:
            strike({GERMAN: 4}, target, 2, 7, decisions=[["axis", "air targets", {GERMAN: aim}]])
        assert refusal.value.rule.startswith("23.43")


# -- in battle -----------------------------------------------------------------------------------------------------------


def battleship_struck(*totals: int, rounds: int = 2) -> AirTable:
    """In each round two squadrons attack Washington, four factors, in CG5; their modifier is 2 - 2 + 1."""
    wing = {"akagi|Japan/NAS": 2}
    return air_table(
        fleet("Japan", kido_butai()),
        fleet("United States", force("Battleships", 5, "Washington", "Wasp"), TASK_FORCE_17),
        search={"axis": [[5]] * rounds, "allies": [[4]] * rounds},
        answers={
            ("axis", "strike"): [flown(5, wing)] * rounds,
            ("axis", "air targets"): [{JAPAN: "washington"}] * rounds,
        },
        totals={("axis", "attack"): list(totals)},
    )


@pytest.mark.ledger("23.443A.3", "23.444")
def test_hits_stay_on_a_ship_from_round_to_round() -> None:
    table = battleship_struck(5, 7)  # 6 and 8 on row 2: one hit, then two
    table.to_segment("fleet combat", 3)
    assert (table.group(ALLIES, 5).ship("washington").hits, table.group(ALLIES, 5).ship("washington").damaged) == (
        1,
        False,
    )
    table.to_segment("fleet combat", 4)
    assert table.group(ALLIES, 5).ship("washington").damaged


@pytest.mark.ledger("23.443A.2")
def test_a_damaged_ship_stays_with_her_group_until_her_owner_sends_her_home() -> None:
    table = battleship_struck(10, rounds=1)  # 11 on row 2: three hits
    table.to("withdraw", ALLIES)
    assert table.group(ALLIES, 5).ship("washington").damaged
    assert any("washington" in key for key in table.items(ALLIES, "withdraw"))
    table.to_round(4)
    assert table.group(ALLIES, 5).ship("washington").damaged


@pytest.mark.ledger("23.443A.1")
def test_a_sunk_ship_is_off_the_board_at_once_and_her_aircraft_with_her() -> None:
    table = air_table(
        fleet("Japan", kido_butai()),
        fleet("United States", TASK_FORCE_16, TASK_FORCE_17),
        search={"axis": [[5]], "allies": [[4]]},
        answers={("axis", "strike"): fly(5, akagi=3), ("axis", "air targets"): {JAPAN: "hornet"}},
        totals={("axis", "attack"): [7]},  # 2 - 0 + 1: 10 on row 3, three hits
    )
    table.to("landing")
    assert [each.id for each in table.group(ALLIES, 5).ships] == ["enterprise"]
    assert [each.id for each in table.game.battle.fleets[ALLIES].sunk] == ["hornet"]
    table.to_round(4)
    assert sum(each.air for group in table.game.battle.fleets[ALLIES].groups for each in group.ships) == 6


@pytest.mark.ledger("23.444", "23.751A")
def test_gunfire_adds_to_the_hits_of_an_air_attack_in_the_same_round() -> None:
    table = air_table(
        fleet("Japan", force("Line", 1, "Kirishima"), air={"Rabaul": {"aircraft": {"Japan attack AAS": 2}}}),
        fleet("United States", force("Line", 1, "Washington")),
        round=1,
        search={"axis": [[1]]},
        answers={("axis", "strike"): flown(1, {ARMY: 2}), ("axis", "air targets"): {ARMY: "washington"}},
        totals={("axis", "attack"): [7], ("axis", "gunfire"): [11]},  # 7 on row 2; 11 + 1 on row 3
    )
    table.to("withdraw")
    (air,) = table.events(ev.AirAttackRolled)
    guns = next(event for event in table.events(Fired) if event.side is AXIS)
    assert (air.hits, guns.shot.target, guns.hits) == (1, "washington", 2)
    assert table.group(ALLIES, 1).ship("washington").damaged
    events = table.game.events()
    assert events.index(air) < events.index(guns)


@pytest.mark.ledger("23.441A.T8", "23.441B.T9", "23.441B")
@pytest.mark.parametrize(
    ("axis", "allies", "inputs", "modifier"),
    [
        ({}, {}, {}, 3),  # 2 - 0 + 1
        ({"impaired_air": ["Japan"]}, {}, {}, 2),
        ({"winter_air": ["Japan"]}, {}, {}, 2),
        ({}, {"partial_supply_or_oil": ["United States"]}, {}, 4),
        ({}, {}, {"tactical": {"allies": 1}}, 2),
        ({}, {}, {"tactical": {"axis": 1}}, 3),  # the attacker's ships are not in it
    ],
)
def test_in_battle_the_inputs_of_both_sides_count(axis: Json, allies: Json, inputs: Json, modifier: int) -> None:
    table = air_table(
        fleet("Japan", kido_butai(), **axis),
        fleet("United States", TASK_FORCE_17, **allies),
        search={"axis": [[6]], "allies": [[4]]},
        answers={("axis", "strike"): fly(6, akagi=3), ("axis", "air targets"): {JAPAN: "yorktown"}},
        inputs=inputs,
    )
    table.to("landing")
    (rolled,) = table.events(ev.AirAttackRolled)
    assert rolled.modifiers.total == modifier


def test_american_naval_air_attacks_as_japanese_does() -> None:
    answer = attack({AMERICA: 4}, 6, ship("CV", 3, "Japan"))
    assert (answer["net_drm"], answer["hits"], answer["effect"]) == (2, 3, "sunk")
