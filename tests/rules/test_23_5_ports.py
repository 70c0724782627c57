"""Land-based air against a port (23.41, 23.42, 23.443B, 23.5): sorties, air combat, guns, bombs, what stays in port."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice, PlayerError, ScenarioError
from flagplot.editions.current import ruleset
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.squadrons import Port
from flagplot.rules.air.attack import makes_air_defense_roll, port_defense
from flagplot.rules.air.conversion import Use, bar_to, costs_nothing
from flagplot.rules.air.ports import (
    carriers_may_attack_base,
    fights_in_squadrons,
    in_order_of_the_combat_phase,
    inverted_when_it_ends,
    may_be_bombed_in_port,
    may_be_covered,
    may_raid_together,
    spread_form,
)
from tests.rules.raid_table import ALLIES, AXIS, Raid, air_base, force, port_raid, side

AAF = "Germany/AAF@Catania"
IN_PORT = force("In port", ships=["Warspite", "Valiant"], cruisers=1, destroyers=2, task_force=True)  # 10 factors


def sortie(
    counterair: dict[str, int] | None = None, ships: dict[str, int] | None = None, **more: Any
) -> dict[str, Any]:
    """A sortie with so many against aircraft and so many against ships."""
    told: dict[str, Any] = dict(more)
    for place, counts in (("counterair", counterair or {}), ("ships", ships or {})):
        for key, number in counts.items():
            told.setdefault(key, {})[place] = number
    return told


def raid(
    aircraft: dict[str, int] | None = None,
    defenders: dict[str, int] | None = None,
    *,
    inverted: dict[str, int] | None = None,
    ships: dict[str, Any] = IN_PORT,
    port: dict[str, Any] | None = None,
    sorties: list[Any] | None = None,
    answers: dict[Any, Any] | None = None,
    dice: Any = None,
    bases: list[dict[str, Any]] | None = None,
    fields: list[dict[str, Any]] | None = None,
    **top: Any,
) -> Raid:
    """German aircraft at Catania against a British port with aircraft in it."""
    catania = air_base("Catania", aircraft or {"Germany AAF": 4}, capacity=30)
    haven = air_base("Haven", defenders or {}, inverted=inverted or {}, distance=0, capacity=30)
    return port_raid(
        side("Germany", air=[catania]),
        side("Britain", ships, air=[haven, *(fields or [])], base=bases or []),
        port=port,
        dice=dice,
        answers={**({(AXIS, "sortie"): sorties} if sorties is not None else {}), **(answers or {})},
        **top,
    )


# -- who may attack (23.51, 23.43D, 23.21) ------------------------------------------------------------------------


@pytest.mark.ledger("23.51.3")
def test_land_based_air_and_carriers_never_attack_a_base_together() -> None:
    assert may_raid_together(True, False) and may_raid_together(False, True) and not may_raid_together(True, True)
    carriers = force("Carriers", ships=["Graf Zeppelin", "Bismarck"], destroyers=4, mission="patrol")
    with pytest.raises(ScenarioError, match=r"23\.51"):
        port_raid(side("Germany", carriers, air=[air_base("Catania", {"Germany AAF": 1})]), side("Britain", IN_PORT))


@pytest.mark.ledger("23.51.1", "23.462B")
def test_an_attack_in_port_is_an_offensive_mission_after_which_nothing_is_done_at_sea_but_follow_who_flees() -> None:
    assert not costs_nothing("attack in port")
    raided = [Use("attack in port")]
    for activity in ("search", "cover", "attack at sea"):
        barred = bar_to(raided, activity)
        assert barred is not None and barred.rule == "23.162"
        assert bar_to(raided, activity, fleeing=True) is None


@pytest.mark.ledger("23.51.1", "23.51.2")
def test_attacks_in_port_come_after_counterair_and_before_the_ships_there_may_intercept() -> None:
    shuffled = ["interception", "attack in port", "counterair", "interception"]
    told = api.call("combat_phase", {"events": shuffled})["order"]
    assert told == ["counterair", "attack in port", "interception", "interception"]
    with pytest.raises(PlayerError, match="'strategic bombing'.*; there are counterair, attack in port"):
        api.call("combat_phase", {"events": ["strategic bombing"]})
    with pytest.raises(ValueError, match="no place in this order"):
        in_order_of_the_combat_phase(["strategic bombing"])


@pytest.mark.ledger("23.4211D.3", "23.4211D.1")
def test_nobody_shoots_at_level_none_and_submarines_never_do() -> None:
    assert makes_air_defense_roll(1) and not makes_air_defense_roll(0)
    assert not makes_air_defense_roll(3, submarines=True)


@pytest.mark.ledger("23.43D.1", "23.43D.2")
def test_ships_on_the_slips_are_left_to_strategic_bombing_and_those_that_wait_for_repair_are_not() -> None:
    assert may_be_bombed_in_port("port") and may_be_bombed_in_port("waiting for repair")
    assert not may_be_bombed_in_port("under construction") and not may_be_bombed_in_port("under repair")


@pytest.mark.ledger("23.21.2")
def test_ships_in_port_have_no_cover() -> None:
    assert may_be_covered(in_port=False) and not may_be_covered(in_port=True)
    table = raid(sorties=[sortie(ships={AAF: 4})], fields=[air_base("Near", {"Britain AAF": 3}, distance=1)]).to_end()
    assert not table.was_asked(ALLIES, "cover") and not table.was_asked(ALLIES, "force cover")


# -- counterair, ships, or both (23.411) -----------------------------------------------------------------------------


@pytest.mark.ledger("23.411.1", "23.52")
def test_each_unit_goes_for_aircraft_for_ships_or_for_neither() -> None:
    decision = raid(defenders={"Britain AAF": 1}).to(AXIS, "sortie")
    (item,) = decision.form.items
    assert (item.key, item.amount, item.places) == (AAF, 4, ("stay", "counterair", "ships"))


def test_aircraft_of_a_base_that_is_not_operational_stay_there() -> None:
    bases = [air_base("Catania", {"Germany AAF": 1}), air_base("Gela", {"Germany AAF": 1}, operational=False)]
    decision = port_raid(side("Germany", air=bases), side("Britain", IN_PORT)).to(AXIS, "sortie")
    assert [item.key for item in decision.form.items] == [AAF]


def test_where_no_aircraft_are_nobody_counterairs() -> None:
    assert raid().to(AXIS, "sortie").form.items[0].places == ("stay", "ships")


@pytest.mark.ledger("23.411A.1", "23.411A.2")
def test_if_all_counterair_one_round_is_fought_and_no_gun_fires_and_no_ship_is_attacked() -> None:
    table = raid(defenders={"Britain AAF": 2}, sorties=[sortie({AAF: 4})]).to_end()
    (fought,) = table.events(air.PortAirFought)
    assert fought.rows == {AXIS: 4, ALLIES: 2} and set(fought.dice) == {AXIS, ALLIES}
    assert not table.events(air.AirDefenseRolled) and not table.events(air.AirAttackRolled)
    assert not table.seen(AXIS, ev.GroupRevealed)


@pytest.mark.ledger("23.411B.1", "23.411B.2", "23.411B.3")
def test_if_some_counterair_these_attack_no_ships_and_the_rest_does() -> None:
    table = raid(defenders={"Britain AAF": 1}, sorties=[sortie({AAF: 2}, {AAF: 2})]).to_end()
    (fought,) = table.events(air.PortAirFought)
    assert fought.rows == {AXIS: 2, ALLIES: 1}
    attacks = table.events(air.AirAttackRolled)
    assert sum(sum(each.squadrons.values()) for each in attacks) <= 2


@pytest.mark.ledger("23.411C", "23.412B.2")
def test_if_nobody_counterairs_the_defenders_alone_roll_and_all_falls_on_those_bound_for_the_ships() -> None:
    table = raid(
        defenders={"Britain AAF": 3}, sorties=[sortie(ships={AAF: 4})], dice={(ALLIES, "23.411"): [[3, 4]]}
    ).to_end()
    (fought,) = table.events(air.PortAirFought)
    assert fought.rows[AXIS] == 0 and set(fought.dice) == {ALLIES}
    (ended,) = table.events(air.PortAirEnded)
    assert (ended.lost, ended.aborted, ended.going_on) == ({AAF: 1}, {AAF: 2}, {AAF: 1})  # 7 on row 3 is 1/2
    assert not ended.base_lost


@pytest.mark.ledger("23.412B.1", "23.412B.2")
def test_those_sent_against_aircraft_suffer_first_and_only_the_excess_falls_on_the_others() -> None:
    answer = api.call(
        "port_air_combat",
        {"counterair": {AAF: 1}, "ships": {AAF: 3}, "defenders": {"Britain/AAF": 3}},
        dice=[1, 1, 3, 4],
    )
    assert answer["defender_result"] == "1/2"
    assert (answer["lost"], answer["aborted"], answer["going_on"]) == ({AAF: 1}, {AAF: 2}, {AAF: 1})


@pytest.mark.ledger("23.412B.3", "23.53.1")
def test_apart_from_their_roll_defenders_change_nothing_about_the_attack() -> None:
    rolls = []
    for defenders in ({}, {"Britain AAF": 1}):
        table = raid(
            defenders=defenders, sorties=[sortie(ships={AAF: 4})], answers={(AXIS, "air targets"): {AAF: "warspite"}}
        ).to_end()
        (attack,) = table.events(air.AirAttackRolled)
        (defense,) = table.events(air.AirDefenseRolled)
        rolls.append((attack.modifiers, attack.squadrons, defense.level))
    assert rolls[0][0] == rolls[1][0] and rolls[0][2] == rolls[1][2]
    assert rolls[0][1] == {AAF: 3}  # each factor is one squadron; a 2 at level 3 turns one back


@pytest.mark.ledger("23.413")
def test_inverted_aircraft_do_not_roll_unless_they_are_attacked() -> None:
    table = raid(inverted={"Britain AAF": 2}, sorties=[sortie(ships={AAF: 4})]).to_end()
    assert not table.events(air.PortAirFought)
    table = raid(inverted={"Britain AAF": 2}, sorties=[sortie({AAF: 4})]).to_end()
    assert table.events(air.PortAirFought)[0].rows == {AXIS: 4, ALLIES: 2}
    awake = raid(defenders={"Britain AAF": 1}, inverted={"Britain AAF": 2})
    decision = awake.to(AXIS, "sortie")
    assert "inverted aircraft" in [item.key for item in decision.form.items]
    awake.refuses(AXIS, sortie(ships={AAF: 4}, **{"inverted aircraft": "attack"}), "23.413")
    awake.answer(AXIS, sortie({AAF: 4}, **{"inverted aircraft": "attack"}))
    assert awake.to_end().events(air.PortAirFought)[0].rows == {AXIS: 4, ALLIES: 3}
    left = raid(defenders={"Britain AAF": 1}, inverted={"Britain AAF": 2}, sorties=[sortie({AAF: 4})]).to_end()
    assert left.events(air.PortAirFought)[0].rows == {AXIS: 4, ALLIES: 1}


@pytest.mark.ledger("23.414")
def test_aircraft_of_other_bases_do_not_help() -> None:
    table = raid(fields=[air_base("Near", {"Britain AAF": 3}, distance=1)], sorties=[sortie(ships={AAF: 4})]).to_end()
    assert not table.events(air.PortAirFought)


# -- factors and squadrons (23.131A, 23.141A) ------------------------------------------------------------------------


@pytest.mark.ledger("23.131A", "23.141A.2", "23.152A")
def test_army_air_fights_as_squadrons_where_naval_air_takes_part_and_else_as_factors() -> None:
    assert not fights_in_squadrons({AAF: 2}, {"Britain/AAF@Haven": 1}, first=True)
    assert fights_in_squadrons({"Germany/NAS@Catania": 1}, {"Britain/AAF@Haven": 1}, first=True)
    assert fights_in_squadrons({AAF: 2}, {"Britain/NAS": 1}, first=True)
    broken = {"Britain/AAS/cover@Haven": 1}
    assert fights_in_squadrons({AAF: 2}, broken, first=False) and not fights_in_squadrons({AAF: 2}, broken, first=True)


@pytest.mark.ledger("23.17", "23.141A.2")
def test_jets_that_were_broken_down_are_not_put_together_between_sorties_either() -> None:
    broken = {"Britain/JET/cover@Haven": 1}
    assert fights_in_squadrons({AAF: 2}, broken, first=False) and not fights_in_squadrons({AAF: 2}, broken, first=True)


@pytest.mark.ledger("23.17", "23.411A.1")
def test_a_jet_factor_that_defends_its_port_is_worth_as_much_as_its_three_squadrons() -> None:
    for aircraft, key, rows in (({"Germany AAF": 4}, AAF, 1), ({"Germany NAS": 4}, "Germany/NAS@Catania", 3)):
        table = raid(aircraft, {"Britain JET": 1}, sorties=[sortie({key: 4})]).to_end()
        (fought,) = table.events(air.PortAirFought)
        assert fought.rows[ALLIES] == rows
        assert ("enemy jets", -1) in [(line.reason, line.amount) for line in fought.modifiers.lines]
    asked = api.call("port_air_combat", {"defenders": {"Britain/JET": 1}, "counterair": {AAF: 1}}, dice=[3, 4, 3, 4])
    assert (asked["rows"], asked["attacker_drm"]) == ({"attacker": 1, "defender": 1}, -1)


@pytest.mark.ledger("23.152B", "23.131A")
def test_a_factor_that_counterairs_naval_air_sends_all_three_squadrons() -> None:
    table = raid(defenders={"Britain NAS": 2}, sorties=[sortie({AAF: 2}, {AAF: 2})]).to_end()
    (announced,) = table.events(air.SortieAnnounced)
    assert announced.counterair == {f"Germany/AAS/{role}@Catania": 2 for role in ("attack", "cover", "search")}
    assert announced.ships == {AAF: 2}


@pytest.mark.ledger("23.152B", "23.152C")
def test_squadrons_of_a_factor_may_counterair_several_bases_that_hold_naval_air_and_none_stays_behind() -> None:
    bases = {"Luqa": {"Britain/NAS": 1}, "Takali": {"Britain/AAF": 3}, "Hal Far": {"Britain/NAS": 2, "Britain/AAF": 1}}
    squadrons = {f"Germany/AAS/{role}@Catania": 1 for role in ("search", "cover", "attack")}
    form = spread_form(squadrons, bases)
    assert [place.key for place in form.places] == ["Luqa", "Hal Far"]
    one, two, three = squadrons
    assert form.read({one: "Luqa", two: "Hal Far", three: "Luqa"}, "23.152").held_by("Luqa") == {one: 1, three: 1}
    with pytest.raises(IllegalChoice):
        form.read({one: "Luqa", two: "Hal Far"}, "23.152")
    form.read(form.default, "23.152")
    answer = ["axis", "counterair", {one: "Luqa", two: "Hal Far", three: "Luqa"}]
    told = api.call("counterair_targets", {"squadrons": squadrons, "bases": bases}, decisions=[tuple(answer)])
    assert told == {"bases": ["Luqa", "Hal Far"], "sent": {"Luqa": {one: 1, three: 1}, "Hal Far": {two: 1}}}
    with pytest.raises(PlayerError, match="holds naval air"):
        api.call("counterair_targets", {"squadrons": squadrons, "bases": {"Takali": {"Britain/AAF": 3}}})


@pytest.mark.ledger("23.141A.2", "23.144.1", "23.142A")
def test_squadrons_attacked_without_naval_air_become_factors_first() -> None:
    squadrons = {f"Britain {role} AAS": 1 for role in ("search", "cover", "attack")} | {"Britain AAF": 1}
    more = {"Britain cover AAS": 1}
    table = raid(defenders=squadrons, inverted=more, sorties=[sortie({AAF: 4}, **{"inverted aircraft": "attack"})])
    table.to_end()
    (made,) = table.events(air.AirRecombined)
    assert made.factors == {"Britain/AAF": 1} and not made.inverted_factors  # four squadrons: one factor, one is lost
    assert made.lost == {"Britain/AAS@Haven": 1}
    assert table.events(air.PortAirFought)[0].rows[ALLIES] == 2
    pair = raid(defenders={"Britain cover AAS": 2}, sorties=[sortie({AAF: 1})]).to_end()
    assert pair.events(air.AirRecombined)[0].inverted_factors == {"Britain/AAF": 1}


@pytest.mark.ledger("23.144.2", "23.141A.1", "23.412B.2")
def test_factors_bound_for_ships_that_air_combat_of_squadrons_reaches_are_broken_down_and_go_home() -> None:
    answer = api.call("port_air_combat", {"ships": {AAF: 3}, "defenders": {"Britain/NAS": 3}}, dice=[4, 4])
    assert answer["defender_result"] == "1/2" and answer["rows"] == {"attacker": 0, "defender": 3}
    assert answer["lost"] == {"Germany/AAS/attack@Catania": 1}
    assert answer["aborted"] == {"Germany/AAS/cover@Catania": 1, "Germany/AAS/search@Catania": 1}
    assert answer["going_on"] == {AAF: 2}


def test_what_was_broken_down_may_counterair_in_a_later_sortie_and_attack_no_ship() -> None:
    table = raid(
        defenders={"Britain NAS": 3},
        sorties=[sortie(ships={AAF: 4})],
        port={"sorties": 2},
        dice={(ALLIES, "23.411"): [[4, 4]]},
    )
    decision = table.to(AXIS, "sortie", round=2)
    tasks = {item.key: item.places for item in decision.form.items}
    assert tasks["Germany/AAS/cover@Catania"] == ("stay", "counterair")
    table.answer(AXIS, sortie({"Germany/AAS/cover@Catania": 1}))
    table.to_end()
    assert table.events(air.PortAirFought)[1].rows == {AXIS: 1, ALLIES: 3}
    first = raid(aircraft={"Germany attack AAS": 3, "Germany AAF": 1}, defenders={"Britain NAS": 1})
    assert [item.key for item in first.to(AXIS, "sortie").form.items] == [AAF]


# -- guns (23.42) ------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.4212A", "23.4212B", "23.4212C", "23.42T.m3", "23.42T.m4", "23.42T.m5")
def test_a_port_adds_two_for_each_symbol_one_for_flak_airbases_objectives_and_anchors_and_its_fortification() -> None:
    numbers = ruleset().air_defense_level
    assert port_defense(numbers, Port("Haven")).total == 2
    assert port_defense(numbers, Port("Kiel", 2)).total == 4
    assert port_defense(numbers, Port("Haven", 1, 3, 1, 1, 1)).total == 8
    assert port_defense(numbers, Port("Haven", fortification=1)).total == 3
    assert port_defense(numbers, Port("Haven", fortification=2)).total == 4


@pytest.mark.ledger("23.421.2", "23.4211C")
def test_the_level_is_that_of_all_ships_in_port_and_of_the_port_but_not_of_sunk_ones() -> None:
    table = raid(
        sorties=[sortie(ships={AAF: 4}), sortie(ships={AAF: 1})],
        port={"sorties": 2, "flak": 1},
        answers={(AXIS, "air targets"): {AAF: "warspite"}},
        dice={(AXIS, "air attack"): [[6, 6]]},
    ).to_end()
    first, second = (each.level for each in table.events(air.AirDefenseCounted))
    assert [(line.rule, line.amount) for line in first.lines] == [("23.4212A", 2), ("23.4212B", 1), ("23.42", 1)]
    assert [ship.id for ship in table.fleet(ALLIES).hulks] == ["warspite"]
    assert "7 naval factors" in [line.reason for line in second.lines]


def test_the_level_of_a_port_is_asked_for() -> None:
    told = api.call(
        "port_defense_level", {"port": {"name": "Haven"}, "group": {"light": {"Britain/DD": 4}}, "research": 1}
    )
    assert told["level"] == 4 and "result" not in told
    shot = api.call(
        "port_defense_level", {"port": {"name": "Haven"}, "group": {"light": {"Britain/DD": 4}}}, dice=[3, 4]
    )
    assert shot["level"] == 3 and shot["result"] == "1/1"


@pytest.mark.parametrize(
    ("port", "light", "why"),
    [
        ({"fortification": 3}, {}, "23.4212: 3 fortification will not do here; it must be from 0 to 2"),
        ({"flak": -1}, {}, "23.4212: -1 flak will not do here"),
        ({}, {"destroyers": 2}, "'destroyers': 2 are no light ships; keys look like"),
    ],
)
def test_a_port_that_cannot_be_is_refused(port: dict[str, int], light: dict[str, int], why: str) -> None:
    with pytest.raises(PlayerError, match=why):
        api.call("port_defense_level", {"port": {"name": "Haven", **port}, "group": {"light": light}})


@pytest.mark.ledger("23.53.2", "23.53.3", "23.423.2")
def test_factors_are_lost_whole_to_air_defense_and_shared_with_naval_air() -> None:
    table = raid(
        aircraft={"Germany AAF": 3, "Germany NAS": 2},
        sorties=[sortie(ships={AAF: 3, "Germany/NAS@Catania": 2})],
        dice={(ALLIES, "air defense"): [[6, 6]]},
    ).to_end()
    (lost,) = table.events(air.StrikersLost)
    assert lost.lost == {AAF: 1, "Germany/NAS@Catania": 1} and lost.aborted == {AAF: 1, "Germany/NAS@Catania": 1}
    base = table.base(AXIS, "Catania")
    assert (base.factors, base.squadrons) == ({"Germany/AAF": 2}, {"Germany/NAS": 1})


# -- bombs (23.443B) --------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.443B.4", "23.53.4")
def test_hits_short_of_damage_are_wiped_off() -> None:
    table = raid(
        aircraft={"Germany AAF": 2},
        sorties=[sortie(ships={AAF: 2})] * 2,
        port={"sorties": 2},
        answers={(AXIS, "air targets"): {AAF: "warspite"}},
        dice={(ALLIES, "air defense"): [[1, 1]] * 2, (AXIS, "air attack"): [[4, 4]] * 2},
    ).to_end()
    fates = [(each.hits, each.fate) for each in table.events(air.ShipHitInPort)]
    assert fates == [(1, "undamaged")] * 2
    assert table.ship(ALLIES, "warspite").hits == 0 and not table.ship(ALLIES, "warspite").damaged


@pytest.mark.ledger("23.443B.3")
def test_a_damaged_ship_stays_in_port_and_needs_as_much_again() -> None:
    table = raid(
        sorties=[sortie(ships={AAF: number}) for number in (4, 3, 4)],
        port={"sorties": 3},
        answers={(AXIS, "air targets"): {AAF: "warspite"}},
        dice={(ALLIES, "air defense"): [[1, 1]] * 3, (AXIS, "air attack"): [[3, 3]] * 3},
    ).to_end()
    told = [(each.hits, each.fate) for each in table.events(air.ShipHitInPort)]
    assert told == [(2, "damaged"), (1, "damaged"), (2, "sunk in port")]


@pytest.mark.ledger("23.443B.2", "23.443B.1")
def test_a_sunk_ship_stays_in_port_unless_a_critical_hit_destroys_her() -> None:
    for inputs, outcomes, where in (
        ("default", [], "hulks"),
        ("ask", ["none"], "hulks"),
        ("ask", ["destroyed"], "sunk"),
    ):
        table = raid(
            sorties=[sortie(ships={AAF: 4})],
            answers={(AXIS, "air targets"): {AAF: "warspite"}, (ALLIES, "critical hit"): list(outcomes)},
            dice={(AXIS, "air attack"): [[6, 6]]},
            inputs={"rules_not_held": inputs},
        ).to_end()
        assert [ship.id for ship in getattr(table.fleet(ALLIES), where)] == ["warspite"]
        assert len(table.fleet(ALLIES).hulks) + len(table.fleet(ALLIES).sunk) == 1


@pytest.mark.ledger("23.443B.1")
def test_light_ships_sunk_in_port_are_gone() -> None:
    table = raid(
        sorties=[sortie(ships={AAF: 4})],
        answers={(AXIS, "air targets"): {AAF: "light"}},
        dice={(AXIS, "air attack"): [[6, 6]]},
    ).to_end()
    assert sum(table.fleet(ALLIES).sunk_light.values()) >= 3


# -- sorties (23.54, 23.412A) -----------------------------------------------------------------------------------------


@pytest.mark.ledger("23.54.1", "23.54.2")
def test_the_attacker_flies_as_many_sorties_as_he_likes_with_what_is_left() -> None:
    table = raid(
        sorties=[sortie(ships={AAF: 4}), sortie(ships={AAF: 1}), sortie(ships={AAF: 1}), {}], port={"sorties": 0}
    ).to_end()
    assert len(table.events(air.SortieAnnounced)) == 3
    assert table.game.battle.reasons == ("the attacker flies no further sortie (23.54)",)


def test_the_attack_ends_when_nothing_is_left_to_attack() -> None:
    table = raid(
        ships=force("Boat", destroyers=1, task_force=False),
        sorties=[sortie(ships={AAF: 4})],
        port={"sorties": 0},
        dice={(AXIS, "air attack"): [[6, 6]]},
    ).to_end()
    assert table.game.battle.reasons == ("nothing is left to attack at Haven (23.54)",)


@pytest.mark.ledger("23.412A.1", "23.412A.2")
def test_what_a_sortie_drives_off_fights_in_the_next_and_only_the_last_inverts() -> None:
    assert inverted_when_it_ends([{"a": 2}, {"a": 1}]) == {"a": 1} and inverted_when_it_ends([]) == {}
    table = raid(
        defenders={"Britain AAF": 4},
        sorties=[sortie({AAF: 4}), sortie({AAF: 3})],
        port={"sorties": 2},
        dice={(AXIS, "23.411"): [[2, 2], [2, 2]], (ALLIES, "23.411"): [[1, 1]] * 2},
    )
    table.to(AXIS, "sortie", round=2)
    (first,) = table.events(air.PortAirEnded)
    assert first.base_aborted
    left = 4 - sum(first.base_lost.values())
    table.to_end()
    assert table.events(air.PortAirFought)[1].rows[ALLIES] == left
    last = table.events(air.PortAirEnded)[1].base_aborted
    (inverted,) = table.events(air.PortAirInverted)
    assert inverted.squadrons == last and table.base(ALLIES, "Haven").inverted_factors == {
        "Britain/AAF": sum(last.values())
    }


def test_kamikazes_attack_ships_only_and_are_spent() -> None:
    base = air_base("Formosa", {"Japan KAM": 2, "Japan NAS": 1})
    table = port_raid(
        side("Japan", air=[base]),
        side("Britain", IN_PORT, air=[air_base("Haven", {"Britain AAF": 1}, distance=0)]),
        dice={(ALLIES, "23.411"): [[1, 1]]},
    )
    tasks = {item.key: item.places for item in table.to(AXIS, "sortie").form.items}
    assert tasks["Japan/KAM@Formosa"] == ("stay", "ships")
    table.answer(AXIS, sortie(ships={"Japan/KAM@Formosa": 2}))
    table.to_end()
    assert table.fleet(AXIS).air_lost == {"Japan/KAM@Formosa": 2}


# -- secrets ----------------------------------------------------------------------------------------------------------


def test_a_hidden_port_is_shown_only_if_somebody_gets_through_its_guns() -> None:
    for dice, shown in (([6, 6], 0), ([1, 1], 1)):
        table = raid(
            aircraft={"Germany AAF": 2}, sorties=[sortie(ships={AAF: 2})], dice={(ALLIES, "air defense"): [dice]}
        ).to_end()
        assert len(table.seen(AXIS, ev.GroupRevealed)) == shown


@pytest.mark.ledger("23.61", "23.61A", "23.61B", "23.61C", "23.62")
def test_carriers_attack_bases_from_patrol_and_mission_hexes_only() -> None:
    assert carriers_may_attack_base("patrol hex", ships=True) and carriers_may_attack_base("mission hex", ships=True)
    for occasion in ("on the way to its patrol hex", "naval combat"):
        assert carriers_may_attack_base(occasion, ships=False) and not carriers_may_attack_base(occasion, ships=True)
    assert not carriers_may_attack_base("sea escort", ships=False)
    assert not api.call("carrier_raid", {"occasion": "patrol hex", "land_based_too": True})["legal"]
    assert api.call("carrier_raid", {"occasion": "patrol hex"})["legal"]
