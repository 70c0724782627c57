"""Air strikes on ships at sea (23.71 to 23.76): their size, surprise, targets, kamikazes (17.475F), critical hits."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.model import air_events as ev
from flagplot.model.events import Fired, GroupRevealed, ShipHit
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
    four_carriers,
    kido_butai,
    on_patrol,
    strike,
)

ELITE = "Japan/NAS/elite"
ARMY = "Japan/AAS/attack@Wake"
KAMIKAZE = "Japan/KAM@Kanoya"
SOLDIERS = {"Wake": {"aircraft": {"Japan attack AAS": 2}}}


def ship(kind: str = "BB", size: int = 4, id: str = "target", nation: str = "Britain", **more: Any) -> Json:
    return {"nation": nation, "kind": kind, "size": size, "id": id, **more}


def battle(*strikes: Json, found: tuple[int, ...] = (5,), seen: tuple[int, ...] = (), **more: Any) -> AirTable:
    """Akagi and Kaga in CG4 and Soryu in CG6 with two squadrons on Wake, against CG5 and CG6; found, and seen by them."""
    answers = {("axis", "strike"): list(strikes), **more.pop("answers", {})}
    air = more.pop("air", SOLDIERS)
    rounds = more.pop("rounds", 1)
    return air_table(
        fleet("Japan", kido_butai(), force("Soryu", 6, "Soryu"), air=air, **more.pop("axis", {})),
        fleet("United States", TASK_FORCE_16, TASK_FORCE_17, **more.pop("allies", {})),
        search={"axis": [list(found)] * rounds, "allies": [list(seen)] * rounds},
        answers=answers,
        **more,
    )


def announced(table: AirTable) -> list[tuple[int, bool]]:
    return [(event.number, event.surprise) for event in table.events(ev.StrikeAnnounced)]


def refused(table: AirTable, wire: Any) -> str:
    """The rule that refuses an Axis answer; nothing has happened and the question is still open."""
    before = (len(table.game.events()), table.game.question_number(AXIS), table.game.battle)
    with pytest.raises(IllegalChoice) as refusal:
        table.game.submit(AXIS, wire)
    assert (len(table.game.events()), table.game.question_number(AXIS), table.game.battle) == before
    return refusal.value.rule


# -- size -----------------------------------------------------------------------------------------------------


def legal(squadrons: dict[str, int], **more: Any) -> bool:
    return bool(api.call("strike_size", {"squadrons": squadrons, **more})["legal"])


@pytest.mark.ledger("23.73", "23.73.1", "23.73.2", "23.73.3")
@pytest.mark.parametrize(
    ("squadron", "most"),
    [
        ("Greece/AAS/attack@Crete", 4),
        ("Italy/AAS/attack@Catania", 4),
        ("Britain/NAS", 4),
        ("Britain/AAS/attack@Malta", 8),
        (AMERICA, 8),
        (JAPAN, 8),
        (KAMIKAZE, 8),
        (ELITE, 12),
    ],
)
def test_the_quality_of_squadrons_limits_how_many_fly_in_one_strike(squadron: str, most: int) -> None:
    assert legal({squadron: most})
    assert not legal({squadron: most + 1})


@pytest.mark.ledger("23.73.4", "23.73.4.1", "23.73.4.2", "23.73.4.3")
@pytest.mark.parametrize(
    ("elite", "ordinary", "poor", "allowed"),
    [
        (4, 5, 3, True),
        (4, 6, 3, False),
        (3, 6, 3, False),
        (7, 5, 0, True),
        (4, 4, 4, True),
        (8, 0, 4, True),
        (8, 0, 5, False),
        (0, 4, 4, True),
        (0, 5, 4, False),
        (0, 3, 5, False),
        (3, 9, 0, False),
        (4, 8, 0, True),
        (12, 1, 0, False),
        (11, 1, 0, True),
    ],
)
def test_in_a_mixed_strike_four_may_be_poor_and_eight_may_be_less_than_elite(
    elite: int, ordinary: int, poor: int, allowed: bool
) -> None:
    squadrons = {ELITE: elite, "Japan/AAS/attack@Rabaul": ordinary, "Japan/AAS/attack@Lae": poor}
    assert legal({key: number for key, number in squadrons.items() if number}, impaired=["Lae"]) is allowed


@pytest.mark.ledger("23.73", "23.441A.T7", "23.441A.T8")
def test_winter_and_want_of_supply_make_strikes_smaller() -> None:
    assert not legal({"Germany/AAS/attack@Bodo": 5}, winter=["Germany"])
    assert not legal({"Germany/AAS/attack@Bodo": 5}, impaired=["Germany"])
    assert not legal({ELITE: 9}, impaired=["Japan"])
    assert legal({ELITE: 8}, impaired=["Japan"])
    assert legal({"Germany/AAS/attack@Bodo": 4, "Germany/AAS/attack@Brest": 4}, winter=["Bodo"])
    assert not legal({"Germany/AAS/attack@Bodo": 5, "Germany/AAS/attack@Brest": 3}, winter=["Bodo"])


@pytest.mark.ledger("23.73", "23.73.2")
def test_a_strike_that_is_too_large_is_refused_in_battle() -> None:
    table = battle(seen=(4,))
    table.to("strike", AXIS)
    everything = {"akagi|Japan/NAS": 3, "kaga|Japan/NAS": 3, "soryu|Japan/NAS": 2}
    assert refused(table, flown(5, {**everything, ARMY: 1})) == "23.73"
    assert refused(table, flown(5, {**everything, "soryu|Japan/NAS": 3})) == "23.73"
    table.answer(AXIS, flown(5, everything))
    assert announced(table) == [(5, False)]
    with pytest.raises(PlayerError, match=r"23\.73"):
        strike({JAPAN: 9}, {"ships": [ship()]}, 2, 2)


@pytest.mark.ledger("23.73.1", "23.441A.T8")
def test_in_battle_too_want_of_oil_makes_strikes_smaller() -> None:
    table = battle(seen=(4,), axis={"impaired_air": ["Japan"]})
    table.to("strike", AXIS)
    assert refused(table, flown(5, {"akagi|Japan/NAS": 3, ARMY: 2})) == "23.73"
    table.answer(AXIS, flown(5, {"akagi|Japan/NAS": 3, ARMY: 1}))


@pytest.mark.ledger("23.73.3")
def test_twelve_elite_squadrons_fly_as_one_strike() -> None:
    ships = [{"name": name, "elite": 3} for name in ("Akagi", "Kaga", "Soryu", "Hiryu")]
    wings = {f"{name}|{ELITE}": 3 for name in ("akagi", "kaga", "soryu", "hiryu")}
    table = air_table(
        fleet("Japan", four_carriers("Kido Butai", 4, *ships)),
        fleet("United States", TASK_FORCE_16),
        search={"axis": [[5]], "allies": [[4]]},
        answers={("axis", "strike"): flown(5, wings)},
    )
    table.to("air targets", AXIS)
    assert table.events(ev.StrikeAnnounced)[0].squadrons == {ELITE: 12}


# -- who flies together, and how often -----------------------------------------------------------------------------


@pytest.mark.ledger("23.74B", "23.74B.1", "23.74B.2", "23.75B", "23.75B.2")
def test_carriers_of_two_groups_and_shore_air_make_one_strike() -> None:
    together = flown(5, {"akagi|Japan/NAS": 2, "soryu|Japan/NAS": 2, ARMY: 1})
    table = battle(together, seen=(4,))
    table.to("air targets", AXIS)
    assert table.events(ev.StrikeAnnounced)[0].squadrons == {JAPAN: 4, ARMY: 1}


@pytest.mark.ledger("23.75B", "23.75B.1")
def test_shore_air_of_two_bases_makes_one_strike() -> None:
    other = "Japan/NAS@Marcus"
    air = {**SOLDIERS, "Marcus": {"aircraft": {"Japan NAS": 1}}}
    table = battle(flown(5, {ARMY: 2, other: 1}), air=air)
    table.to("air targets", AXIS)
    assert table.events(ev.StrikeAnnounced)[0].squadrons == {ARMY: 2, other: 1}


@pytest.mark.ledger("23.74C", "23.75C", "23.71B")
def test_the_air_of_one_group_or_base_may_divide_among_strikes_each_on_one_group() -> None:
    table = battle(flown(5, {"akagi|Japan/NAS": 2, ARMY: 1}), flown(6, {"akagi|Japan/NAS": 1, ARMY: 1}), found=(5, 6))
    table.to("strike", AXIS)
    assert table.items(AXIS, "strike")["target"] == 1  # one target to a strike
    assert refused(table, {"target": {"CG5": 1, "CG6": 1}, "akagi|Japan/NAS": {"fly": 1}})
    table.to("landing", AXIS)
    assert [(event.number, event.squadrons) for event in table.events(ev.StrikeAnnounced)] == [
        (5, {JAPAN: 2, ARMY: 1}),
        (6, {JAPAN: 1, ARMY: 1}),
    ]


@pytest.mark.ledger("23.74D.1", "23.74D.2", "23.751B.1", "23.751B.2")
def test_a_squadron_attacks_once_in_a_round_and_one_that_did_not_may_do_so_in_the_next() -> None:
    table = battle(flown(5, {"akagi|Japan/NAS": 2, ARMY: 1}), {}, found=(5, 5), seen=(4,), rounds=2)
    table.to("strike", AXIS)
    table.step()
    table.to("strike", AXIS)
    left = {"target": 1, "akagi|Japan/NAS": 1, "kaga|Japan/NAS": 3, "soryu|Japan/NAS": 3, ARMY: 1}
    assert table.items(AXIS, "strike") == left
    table.to_round(4)
    table.to("strike", AXIS)
    again = table.items(AXIS, "strike")
    assert again[ARMY] == 2
    assert sum(number for key, number in again.items() if key.endswith(JAPAN)) == 9


@pytest.mark.ledger("23.75A.1")
def test_only_uninverted_air_in_an_operational_base_within_range_strikes() -> None:
    one = {"Japan attack AAS": 1}
    air = {
        "Wake": {"aircraft": one, "inverted": one, "distance": 3},
        "Marcus": {"aircraft": one, "operational": False},
        "Truk": {"aircraft": one, "distance": 4},
    }
    table = battle(air=air, axis={"air_range": 3}, seen=(4,))
    table.to("strike", AXIS)
    offered = {key: number for key, number in table.items(AXIS, "strike").items() if "@" in key}
    assert offered == {ARMY: 1}


@pytest.mark.ledger("23.75D")
def test_of_shore_air_only_attack_squadrons_naval_air_and_kamikazes_strike() -> None:
    aircraft = {"Japan AAF": 1, "Japan NAS": 1, "Japan KAM": 1, "Japan JET squadrons": 1, "Japan ATR squadrons": 1}
    table = battle(
        air={"Wake": {"aircraft": aircraft}},
        seen=(4,),
        answers={("axis", "break down"): {"Japan/AAF@Wake": "break"}},
    )
    table.to("strike", AXIS)
    offered = {key for key in table.items(AXIS, "strike") if "@" in key}
    assert offered == {ARMY, "Japan/NAS@Wake", "Japan/KAM@Wake"}


@pytest.mark.ledger("23.75D")
@pytest.mark.parametrize(
    "squadron", ["Japan/AAS/cover@Wake", "Japan/AAS/search@Wake", "Japan/JET@Wake", "Japan/ATR@Wake"]
)
def test_a_strike_of_squadrons_that_may_not_strike_is_refused(squadron: str) -> None:
    with pytest.raises(PlayerError):
        strike({squadron: 2}, {"ships": [ship()]}, 2, 2)


@pytest.mark.ledger("23.75A.4")
def test_shore_air_of_both_sides_strikes_in_the_same_round() -> None:
    american = "United States/AAS/attack@Midway"
    table = battle(
        flown(5, {ARMY: 1}),
        seen=(4, 4),
        allies={"air": {"Midway": {"aircraft": {"United States attack AAS": 1}}}},
        answers={("allies", "strike"): flown(4, {american: 1})},
    )
    table.to_segment("fleet combat", 3)
    # Two search results to one: the Allies strike first.
    assert [event.side for event in table.events(ev.StrikeAnnounced)] == [ALLIES, AXIS]


# -- surprise: who may ------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.7411B", "23.7411B.c", "23.74E", "23.7411")
@pytest.mark.parametrize(
    ("own", "enemy", "flown_already", "may_strike", "surprise"),
    [
        ([0, 0], [1, 0], 0, True, True),
        ([0], [3], 0, True, True),
        ([0, 1], [1, 0], 0, True, False),
        ([1], [0, 0], 0, False, False),
        ([0], [0], 0, False, False),
        ([0, 0], [1, 2], 1, True, False),
    ],
)
def test_a_side_that_found_the_enemy_unseen_surprises_him_with_its_first_strike(
    own: list[int], enemy: list[int], flown_already: int, may_strike: bool, surprise: bool
) -> None:
    told = {"own_found": own, "enemy_found": enemy, "strikes_flown": flown_already}
    answer = api.call("surprise_eligibility", told)
    assert (answer["may_strike"], answer["surprise"]) == (may_strike, surprise)


@pytest.mark.ledger("23.74E", "23.7411", "23.7411C", "23.7411A.1")
def test_the_first_strike_from_carriers_is_a_surprise_and_later_ones_are_not() -> None:
    table = battle(fly(5, akagi=1), fly(5, kaga=1), fly(6, soryu=1), found=(5, 5, 6))
    table.to("landing", AXIS)
    assert announced(table) == [(5, True), (5, False), (6, False)]
    assert [event.number for event in table.events(ev.SurpriseRolled)] == [5]


@pytest.mark.ledger("23.7411", "23.74E")
def test_every_round_may_have_its_own_surprise() -> None:
    table = battle(fly(5, akagi=1), {}, fly(5, kaga=1), rounds=2, found=(5, 5))
    table.to("landing", AXIS)
    table.to_round(4)
    table.to("landing", AXIS)
    assert announced(table) == [(5, True), (5, True)]


@pytest.mark.ledger("23.7411A.2", "23.75E", "23.7411A.1")
@pytest.mark.parametrize("first", [{ARMY: 1}, {"akagi|Japan/NAS": 2, ARMY: 1}])
def test_shore_air_neither_surprises_nor_joins_in_and_once_it_has_flown_the_chance_is_gone(
    first: dict[str, int],
) -> None:
    table = battle(flown(5, first), fly(5, kaga=3), found=(5, 5))
    table.to("landing", AXIS)
    assert announced(table) == [(5, False), (5, False)]
    assert table.events(ev.SurpriseRolled) == []


@pytest.mark.ledger("23.7411B")
def test_one_group_found_among_several_spoils_the_surprise() -> None:
    table = battle(fly(5, akagi=2), seen=(6,))
    table.to("landing", AXIS)
    assert announced(table) == [(5, False)]


@pytest.mark.ledger("23.7411B.c")
def test_a_side_that_found_nothing_is_not_asked_to_strike() -> None:
    table = battle(fly(5, akagi=2))
    table.to_segment("fleet combat", 3)
    assert table.was_asked(AXIS, "strike")
    assert not table.was_asked(ALLIES, "strike")


@pytest.mark.ledger("23.7411A.1", "23.75E")
@pytest.mark.parametrize("attackers", [{ARMY: 3}, {JAPAN + "@Wake": 3}, {JAPAN: 2, ARMY: 1}])
def test_a_surprise_strike_with_shore_air_in_it_is_refused(attackers: dict[str, int]) -> None:
    with pytest.raises(PlayerError):
        strike(attackers, {"ships": [ship()]}, 2, die=6)


# -- surprise: how much -------------------------------------------------------------------------------------------------


@pytest.mark.ledger(
    "23.74121", "23.74122A.1", "23.74122A.2", "23.74122A.3", "23.74122B",
    "23.7413T.m1", "23.7413T.m2", "23.7413T.m3",
)  # fmt: skip
@pytest.mark.parametrize(
    ("die", "results", "radar", "level"),
    [(1, 1, 0, 1), (6, 1, 0, 6), (4, 2, 0, 5), (4, 3, 0, 6), (4, 5, 0, 6), (6, 3, 0, 8), (6, 3, 2, 6), (3, 2, 1, 3)],
)
def test_the_level_is_one_die_with_search_results_and_radar(die: int, results: int, radar: int, level: int) -> None:
    answer = api.call("surprise_level", {"results": results, "radar": radar}, dice=[die])
    assert answer["level"] == level
    target = {"ships": [ship()], "found": results}
    struck = strike({JAPAN: 1}, target, 2, 2, die=die, research={"radar": radar})
    assert struck["surprise"][0]["level"] == level


@pytest.mark.ledger(
    "23.7413.1", "23.7413T.1", "23.7413T.2", "23.7413T.3", "23.7413T.4", "23.7413T.5", "23.7413T.6", "23.7413T.7"
)
@pytest.mark.parametrize(
    ("level", "patrol", "defense", "bonus", "fewer", "critical"),
    [
        (-1, False, 0, 0, 0, False),
        (0, False, 0, 0, 0, False),
        (1, True, 0, 0, 0, False),
        (2, True, -1, 0, 0, False),
        (3, True, -1, 1, 0, False),
        (4, True, -1, 1, 1, False),
        (5, True, -1, 1, 2, False),
        (6, True, -1, 1, 3, False),
        (7, True, -1, 1, 4, True),
        (8, True, -1, 1, 4, True),
    ],
)
def test_each_level_has_the_effects_of_all_lower_ones(
    level: int, patrol: bool, defense: int, bonus: int, fewer: int, critical: bool
) -> None:
    answer = api.call("surprise_effects", {"level": level})
    told = ("patrol_bonus_lost", "air_defense", "attack_bonus", "fewer_defenders", "critical_hit_roll")
    assert [answer[key] for key in told] == [patrol, defense, bonus, fewer, critical]


@pytest.mark.ledger("23.74122B", "23.7413.1")
def test_a_surprise_that_radar_undid_has_no_effect_at_all() -> None:
    target = {"ships": [ship()], "patrol": {"Britain/NAS": 2}, "found": 1}
    answer = strike({JAPAN: 4}, target, 7, 2, 2, 2, die=2, research={"radar": 2})
    assert answer["surprise"][0]["level"] == 0
    assert answer["air_combat"]["engaged_defenders"] == 2
    assert answer["air_combat"]["attacker_drm"] == 2 - 1 - 1  # the patrol keeps its bonus
    assert answer["air_defense"][0]["level"] == 1
    assert answer["attacks"][0]["modifier"] == 1


@pytest.mark.ledger("23.74122A.1", "23.74122B")
def test_in_battle_the_results_against_the_struck_group_and_the_radar_of_its_side_count() -> None:
    table = battle(
        fly(5, akagi=1),
        found=(5, 5, 6, 6),
        totals={("axis", "surprise"): [4]},
        allies={"research": {"radar": 2}},
        axis={"research": {"radar": 3}},
    )
    table.to("landing", AXIS)
    (rolled,) = table.events(ev.SurpriseRolled)
    assert (rolled.dice, rolled.level) == ((4,), 3)  # two results, two of radar


@pytest.mark.ledger("23.7413.2")
def test_surprise_from_the_air_does_nothing_for_the_guns() -> None:
    table = air_table(
        fleet("Japan", force("Kirishima", 1, "Kirishima", "Akagi")),
        fleet("United States", force("Washington", 1, "Washington")),
        round=1,
        search={"axis": [[1]]},
        answers={("axis", "strike"): fly(1, akagi=1)},
        totals={("axis", "surprise"): [6]},
    )
    table.to("withdraw")
    assert [event.level for event in table.events(ev.SurpriseRolled)] == [6]
    fired = [event for event in table.events(Fired) if event.side is AXIS]
    assert fired and all(event.modifiers.total == 1 for event in fired)  # 3 against 2


# -- the whole strike ---------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.76-a", "23.76-a.A", "23.76-a.B", "23.76-a.C", "23.76-a.D", "23.74121")
def test_a_strike_from_the_first_die_to_the_last() -> None:
    target = {
        "ships": [ship(id="battleship"), ship("CV", 3, "carrier")],
        "light": {"Britain/CA": 2, "Britain/DD": 5},  # sixteen factors with the named ships
        "patrol": {"Britain/NAS": 2},
        "found": 2,
    }
    decisions = [
        ["axis", "fight", {ELITE: {"fight": 2}}],
        ["axis", "air loss order", {JAPAN: "1", ELITE: "2"}],
        ["axis", "air targets", {ELITE: "carrier", JAPAN: "battleship"}],
    ]
    answer = strike(
        {ELITE: 5, JAPAN: 3}, target, 5, 9, 8, 6, 3,
        die=3, research={"radar": 1, "air defense": 1}, decisions=decisions,
    )  # fmt: skip
    assert answer["surprise"][0]["level"] == 3
    combat = answer["air_combat"]
    assert (combat["attacker_drm"], combat["attacker_result"], combat["defender_result"]) == (2, "1/1", "1/1")
    assert answer["air_defense"][0]["level"] == 2  # 2 + 1 - 1
    assert answer["lost"] == [
        {"lost": {ELITE: 1}, "aborted": {ELITE: 1}},
        {"lost": {JAPAN: 1}, "aborted": {ELITE: 1}},
    ]
    assert [(each["target"], each["squadrons"], each["modifier"], each["hits"]) for each in answer["attacks"]] == [
        ("battleship", {JAPAN: 2}, 2, 2),  # 2 - 2 + 1 + 1
        ("carrier", {ELITE: 2}, 5, 2),  # 3 - 0 + 1 + 1
    ]
    assert answer["ships"] == {"battleship": "hit", "carrier": "damaged"}
    assert answer["squadrons_lost"] == {"axis": {ELITE: 1, JAPAN: 1}, "allies": {"Britain/NAS": 1}}
    assert (answer["revealed"], answer["dice_used"]) == (True, 11)


@pytest.mark.ledger("23.76-a", "23.76-a.C", "23.76-a.C.3")
def test_in_battle_the_steps_follow_one_another_and_targets_are_announced_before_any_attack() -> None:
    table = battle(
        fly(5, akagi=3, kaga=3),
        answers={
            ("allies", "patrol"): on_patrol(enterprise=2),
            ("axis", "air targets"): {JAPAN: {"enterprise": 2, "hornet": 2, "light": 1}},
        },
        totals={("axis", "surprise"): [1], ("allies", "air combat"): [4], ("axis", "air combat"): [4]},
    )
    table.to("landing", AXIS)
    steps = (
        ev.StrikeAnnounced,
        ev.SurpriseRolled,
        ev.AirCombatJoined,
        ev.AirCombatFought,
        ev.AirDefenseRolled,
        GroupRevealed,
        ev.AirTargetsChosen,
        ev.AirAttackRolled,
        ev.StrikeEnded,
    )
    order = [type(event) for event in table.seen(ALLIES, object) if isinstance(event, steps)]  # type: ignore[type-var]
    assert order == [*steps[:7], *[ev.AirAttackRolled] * 3, ev.StrikeEnded]


@pytest.mark.ledger("23.76-a.E", "23.76-a.B")
def test_every_strike_on_a_group_goes_through_all_the_steps_again() -> None:
    table = battle(fly(5, akagi=1), fly(5, kaga=1), found=(5, 5), seen=(4,))
    table.to("landing", AXIS)
    assert [event.number for event in table.events(ev.AirDefenseRolled)] == [5, 5]
    assert len(table.events(ev.AirTargetsChosen)) == len(table.events(ev.AirAttackRolled)) == 2


# -- targets ----------------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.43", "23.43A", "23.76-a.C.1", "23.76-a.C.2", "23.76-a.C.4", "23.71B")
def test_targets_are_the_named_ships_of_the_group_and_its_light_ships_as_one() -> None:
    table = battle(fly(5, akagi=3), found=(5, 6), seen=(4,))
    decision = table.pending(AXIS, "air targets")
    assert [place.key for place in decision.form.places] == ["enterprise", "hornet", "light", "none"]
    assert refused(table, {JAPAN: "yorktown"}).startswith("23.43")
    assert refused(table, {JAPAN: {"enterprise": 2, "hornet": 2}}).startswith("23.43")
    table.answer(AXIS, {JAPAN: {"enterprise": 2, "hornet": 1}})
    (chosen,) = table.events(ev.AirTargetsChosen)
    assert chosen.targets == {"enterprise": {JAPAN: 2}, "hornet": {JAPAN: 1}}


@pytest.mark.ledger("23.43C", "23.4211C")
def test_submarines_in_the_battle_are_no_targets_and_do_not_shoot() -> None:
    table = battle(fly(5, akagi=3), seen=(4,), allies={"submarines": {"United States": 9}})
    decision = table.pending(AXIS, "air targets")
    assert [place.key for place in decision.form.places] == ["enterprise", "hornet", "light", "none"]
    assert [event.level for event in table.events(ev.AirDefenseRolled)] == [2]  # fourteen factors


@pytest.mark.ledger("23.43A", "23.43B", "23.76-a.C.2")
def test_a_group_without_light_ships_or_without_named_ones_offers_what_it_has() -> None:
    named = strike({JAPAN: 2}, {"ships": [ship()]}, 2, 2)
    assert [each["target"] for each in named["attacks"]] == ["target"]
    for target, aim in (({"ships": [ship()]}, "light"), ({"light": {"Britain/DD": 3}}, "target")):
        with pytest.raises(PlayerError):
            strike({JAPAN: 2}, target, 2, 2, decisions=[["axis", "air targets", {JAPAN: aim}]])


@pytest.mark.ledger("23.76-a.C.3")
def test_announced_targets_are_not_changed_even_if_the_first_attack_sinks_a_ship() -> None:
    table = battle(
        fly(5, akagi=3, kaga=3),
        seen=(4,),
        answers={("axis", "air targets"): {JAPAN: {"enterprise": 3, "hornet": 3}}},
        totals={("axis", "attack"): [12, 2]},
    )
    table.to("air targets", AXIS)
    table.step()
    while len(table.events(ev.AirAttackRolled)) < 2:
        assert table.game.decision(AXIS) is None
        table.step()
    assert [event.target for event in table.events(ev.AirAttackRolled)] == ["enterprise", "hornet"]
    assert next(event.fate for event in table.events(ShipHit)) == "sunk"


@pytest.mark.ledger("23.76-a.C", "23.74D.1")
def test_a_squadron_left_without_a_target_does_nothing_more_this_round() -> None:
    answers = {("axis", "air targets"): [{JAPAN: {"enterprise": 1, "none": 2}}]}
    table = battle(fly(5, akagi=3), seen=(4,), found=(5, 5), answers=answers)
    table.to("air targets", AXIS)
    table.step()
    table.to("strike", AXIS)
    assert [event.squadrons for event in table.events(ev.AirAttackRolled)] == [{JAPAN: 1}]
    assert "akagi|Japan/NAS" not in table.items(AXIS, "strike")
