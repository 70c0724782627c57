"""Edition 2008: submarines and their ranked targets (22.66, 22.9, 22.93E), and hits repaired at sea (20.512)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.core.sides import Audience
from flagplot.editions.current import ruleset
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.forces import CombatGroup
from flagplot.model.interception import Level
from flagplot.model.operation import Contact, Operation, Wave
from flagplot.model.ships import Ship
from flagplot.model.state import Battle, Fleet
from flagplot.rules.air.attack import kamikaze_rank
from flagplot.rules.naval.gunnery import Crew
from flagplot.rules.naval.repairs import attacked_there_again, repair_at_sea
from flagplot.rules.naval.submarines import submarine_modifiers
from flagplot.rules.table import Table
from tests.rules.operation_table import GUNS, OperationTable, boats, landing
from tests.rules.operation_table import force as operation_force
from tests.rules.submarine_table import (
    ALLIES,
    AXIS,
    SUB,
    WITHDRAWS,
    UnderWater,
    ambush,
    force,
    quiet,
    under_water,
    with_submarines,
)

OLD: dict[str, Any] = {"edition": "2008"}
AMERICA = "United States"


def ship(id: str, kind: str, size: int, **more: Any) -> dict[str, Any]:
    return {"nation": AMERICA, "kind": kind, "size": size, "id": id, **more}


def ranking(*ships: dict[str, Any], dice: tuple[int, ...] = (), light: bool = True) -> dict[str, Any]:
    group = {"ships": list(ships), "light": {f"{AMERICA}/DD": 3} if light else {}}
    return api.call("submarine_ranking", {"group": group}, dice=list(dice), edition="2008")


# -- ranks ---------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.93E.1", "22.93E.1.1", "22.93E.1.2", edition="2008")
def test_carriers_stand_before_capital_ships_each_by_size_the_slower_and_the_damaged_first() -> None:
    told = ranking(
        ship("fast four", "BB", 4),
        ship("slow four", "BB", 4, fast=False),
        ship("three", "BC", 3),
        ship("damaged three", "BC", 3, damaged=True),
        ship("hit three", "BC", 3, hits=1),
        ship("five", "BB", 5),
        ship("light carrier", "CVL", 2),
        ship("carrier", "CV", 3),
    )
    assert told["ranked"] == [
        "carrier",
        "light carrier",
        "five",
        "slow four",
        "fast four",
        "damaged three",
        "hit three",
        "three",
    ]


@pytest.mark.ledger("22.93E.2", "22.93E.3.1", "22.93E.3.2", edition="2008")
def test_the_die_names_the_rank_and_a_six_or_what_lies_beyond_the_last_ship_the_light_ships() -> None:
    three = (ship("a", "CV", 3), ship("b", "BB", 4), ship("c", "BB", 3))
    assert ranking(*three, dice=(1, 2, 3, 4, 5, 6))["targets"] == ["a", "b", "c", "light", "light", "light"]
    seven = [ship(f"ship {n}", "BB", 4, hits=0, fast=True) for n in range(7)]
    assert ranking(*seven, dice=(5, 6))["targets"] == ["ship 4", "light"]


@pytest.mark.ledger("22.93E.4", edition="2008")
def test_without_light_ships_the_lowest_ship_stands_for_them() -> None:
    two = (ship("a", "CV", 3), ship("b", "BB", 4))
    assert ranking(*two, dice=(1, 2, 6), light=False)["targets"] == ["a", "b", "b"]
    with pytest.raises(PlayerError, match="no ships"):
        ranking(light=False)


@pytest.mark.ledger("17.475F.1", edition="2008")
def test_kamikazes_find_ships_ranked_alike() -> None:
    ships = [
        Ship("light", "", AMERICA, "CVL", 2),
        Ship("slow", "", AMERICA, "BB", 4, fast=False),
        Ship("fast", "", AMERICA, "BB", 4),
        Ship("damaged", "", AMERICA, "BB", 4, damaged=True),
        Ship("carrier", "", AMERICA, "CV", 3),
    ]
    assert [each.id for each in sorted(ships, key=kamikaze_rank)] == ["carrier", "light", "slow", "damaged", "fast"]


# -- attacks -------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.93E.5", "22.94T.24", "22.93E.2", edition="2008")
def test_a_die_finds_the_target_and_nobody_chooses() -> None:
    table = quiet(
        [force("Line", ships=["Enterprise", "Washington"], cruisers=5, number=5)],
        search={"axis": [[5]]},
        category=[2],
        torpedoes=[(6, 6)],
        **OLD,
    )
    table.to_segment("withdrawal")
    (rolled,) = table.events(air.SubmarineTargetRolled)
    assert (rolled.rule, rolled.dice, rolled.target) == ("22.93E", (2,), "washington")
    assert not table.was_asked(AXIS, "submarine target")
    (fired,) = table.events(air.TorpedoesFired)
    assert fired.name == "Washington"
    assert not table.events(air.SubmarineCategoryRolled)


@pytest.mark.ledger("22.93E.1", edition="2008")
def test_the_owner_orders_equal_ships_where_the_die_does_not_find_all_of_them() -> None:
    line = force("Line", ships=["Washington", "North Carolina", "South Dakota", "Alabama", "Indiana"])
    sixth = {**line, "ships": [*line["ships"], "Massachusetts"], "destroyers": 1, "cruisers": 0}
    five = ambush([{**line, "destroyers": 4}], category=[1], **OLD)
    five.to_end()
    assert not five.was_asked(ALLIES, "submarine rank")
    six = ambush([sixth], category=[1], **OLD)
    asked = six.to("submarine rank", ALLIES)
    assert (asked.rule, len(asked.form.items)) == ("22.93E", 6)
    six.answer(ALLIES, {item.key: str(6 - index) for index, item in enumerate(asked.form.items)})
    six.to_end()
    (rolled,) = six.events(air.SubmarineTargetRolled)
    assert rolled.target == asked.form.items[-1].key


@pytest.mark.ledger("22.94T.24", edition="2008")
def test_a_group_with_one_thing_in_it_needs_no_die() -> None:
    table = ambush([force("Boats", destroyers=4)], **OLD)
    table.to_end()
    (rolled,) = table.events(air.SubmarineTargetRolled)
    assert (rolled.dice, rolled.target) == ((), "light")
    alone = ambush([force("Alone", ships=["Washington"])], **OLD)
    alone.to_end()
    (rolled,) = alone.events(air.SubmarineTargetRolled)
    assert (rolled.dice, rolled.target) == ((), "washington")


@pytest.mark.ledger("22.41J", "22.41K", "22.54G.1", "22.54G.2", "22.66", "22.92C.1", "22.914", edition="2008")
def test_submarines_attack_after_fleet_combat_and_before_anybody_withdraws() -> None:
    table = under_water(
        [force("Line", cruisers=5, number=1)],
        [force("Fought", cruisers=5, number=1), force("Hidden", cruisers=5, number=5)],
        with_submarines(),
        answers={("axis", "submarines"): {SUB: "wait"}},
        **OLD,
    )
    asked = table.to("submarines", AXIS)
    assert asked.rule == "22.66"
    assert [place.key for place in asked.form.places] == ["wait", "CG1"]  # it showed itself by fighting
    begun = {event.segment: event.rule for event in table.events(ev.SegmentBegan)}
    assert (begun["fleet combat"], begun["submarines"]) == ("22.41I", "22.41J")
    assert table.events(ev.FleetCombatEnded)
    assert not table.was_asked(AXIS, "withdraw")
    table.to("withdraw")
    assert {event.segment: event.rule for event in table.events(ev.SegmentBegan)}["withdrawal"] == "22.41K"
    table.to_round(2)
    assert table.to("submarines", AXIS).form.items  # the attacker may wait for a later round


@pytest.mark.ledger("22.92C.2", edition="2008")
def test_without_naval_combat_submarines_attack_at_once() -> None:
    table = ambush([force("Line", cruisers=5)], **OLD)
    table.to_end()
    assert len(table.events(air.TorpedoesFired)) == 1
    assert {event.rule for event in table.events(ev.BattleEnded)} == {"22.92C"}


@pytest.mark.ledger("22.9418", edition="2008")
def test_each_group_defends_by_itself() -> None:
    groups = [force("Guarded", destroyers=9), force("Bare", task_force=False, cruisers=1)]
    guarded, bare = (ambush(groups, answers={("axis", "submarines"): {SUB: f"CG{number}"}}, **OLD) for number in (1, 2))
    totals = {}
    for name, table in (("guarded", guarded), ("bare", bare)):
        table.to_end()
        (fired,) = table.events(air.TorpedoesFired)
        totals[name] = sum(line.amount for line in fired.modifiers.lines if line.rule == "22.9414")
    assert totals == {"guarded": -2, "bare": 0}


MODIFIERS = [
    ("22.94T.12", {"nation": "Germany", "target": [{"nation": "Russia", "kind": "BB", "size": 4}]}, 3),
    ("22.94T.13", {"torpedo": 1}, 1),
    ("22.94T.13", {"asw_research": 4}, -2),
    ("22.94T.14", {"searching": 6}, 2),
    ("22.94T.14", {"carriers": 2, "escort_carriers": 1}, -1),
    ("22.94T.15", {"destroyers": 5}, -1),
    ("22.94T.15", {"destroyers": 20}, -2),
    ("22.94T.16", {"asw": 7}, -2),
    ("22.94T.17", {"earlier_attacks": 3}, -3),
    ("22.94T.18", {"vulnerable": True}, 1),
    ("22.94T.19", {"codebreaking": -1}, -1),
    ("22.94T.22", {"earlier_attacks": 9}, -4),
    ("22.94T.23", {"advanced": True, "destroyers": 9}, 1),
]


@pytest.mark.ledger(*(f"22.94T.{row}" for row in range(12, 24)), "22.94T.20", edition="2008")
def test_the_modifiers_of_an_attack() -> None:
    rules = ruleset("2008")
    plain: dict[str, Any] = dict.fromkeys(
        (
            "tactical",
            "enemy_tactical",
            "torpedo",
            "asw_research",
            "searching",
            "enemy_searching",
            "carriers",
            "escort_carriers",
            "destroyers",
            "asw",
            "earlier_attacks",
            "codebreaking",
        ),
        0,
    )
    for row, given, expected in MODIFIERS:
        facts = {**plain, "advanced": False, "vulnerable": False, **given}
        nation = facts.pop("nation", "Japan")
        target = facts.pop("target", None)
        aimed = [Crew("Russia", "BB", 4, False)] if target else [Crew("Japan", "BB", 4, False)]
        counted = submarine_modifiers(
            rules.submarine, rules.nationality, Crew(nation, "submarine", 1, False), aimed, **facts
        )
        assert counted.total == expected, (row, counted)


def test_the_answer_about_whole_attacks_tells_the_dice_of_the_ranks() -> None:
    told = api.call(
        "submarine_attack",
        {
            "submarines": {"Japan/SUB": 1},
            "target": {"number": 1, "ships": [ship("one", "CV", 3)], "light": {f"{AMERICA}/DD": 2}},
        },
        dice=[1, 6, 6],
        edition="2008",
    )
    assert told["ranked"] == [{"dice": [1], "target": "one"}]
    assert told["attacks"][0]["hits"] == 5


# -- repair --------------------------------------------------------------------------------------------------------


def hit_once(**more: Any) -> UnderWater:
    """A submarine scores one hit on a four-factor battleship in naval combat; then the enemy withdraws."""
    return quiet(
        [force("Line", ships=["Washington"], cruisers=5, number=5)],
        search={"axis": [[5]]},
        category=[1],
        torpedoes=[(2, 2)],
        answers={("axis", "withdraw"): WITHDRAWS},
        **more,
    )


def hits_of(table: UnderWater) -> list[int]:
    groups = [home.group for home in table.game.battle.fleets[ALLIES].returned]
    return [each.hits for group in groups for each in group.ships]


@pytest.mark.ledger("20.512A.2", "22.56.1", "22.56.2", edition="2008")
def test_hits_short_of_damage_are_repaired_when_the_battle_is_over() -> None:
    table = hit_once(**OLD)
    table.to_segment("withdrawal")
    assert table.group(ALLIES, 5).ship("washington").hits == 1
    table.to_end()
    (repaired,) = table.events(ev.HitsRepaired)
    assert (repaired.rule, repaired.ships, repaired.to) == ("20.512A", ("washington",), Audience.EVERYONE)
    assert hits_of(table) == [0]


def test_in_the_current_edition_they_stay_until_port() -> None:
    table = hit_once()
    table.to_end()
    assert not table.events(ev.HitsRepaired)
    assert hits_of(table) == [1]


@pytest.mark.ledger("20.512A.2", edition="2008")
def test_ships_that_withdrew_are_repaired_too_and_damage_stays() -> None:
    table = quiet(
        [force("Line", ships=["Washington", "North Carolina"], cruisers=5, number=5)],
        with_submarines(2),
        search={"axis": [[5]]},
        category=[1, 2],
        torpedoes=[(2, 2), (4, 5)],
        answers={("allies", "withdraw"): WITHDRAWS},
        **OLD,
    )
    table.to_end()
    by_name = {each.name: each for home in table.game.battle.fleets[ALLIES].returned for each in home.group.ships}
    damaged = [name for name, each in by_name.items() if each.damaged]
    assert len(damaged) == 1
    assert [each.hits for each in by_name.values() if not each.damaged] == [0]


@pytest.mark.ledger("20.512A.2", edition="2008")
def test_a_hit_that_nobody_has_seen_is_repaired_in_secret() -> None:
    hidden = force("Hidden", ships=[{"name": "Washington", "hits": 1}], cruisers=5, number=5)
    seen = force("Seen", cruisers=5, number=4)  # attacked, or nobody might withdraw (22.41K)
    answers = {("axis", "submarines"): {SUB: "CG4"}, ("axis", "withdraw"): WITHDRAWS}
    table = quiet([hidden, seen], search={"axis": [[4]]}, answers=answers, **OLD)
    table.to_end()
    (repaired,) = table.events(ev.HitsRepaired)
    assert repaired.to is Audience.ALLIES
    assert not table.seen(AXIS, ev.HitsRepaired)


@pytest.mark.ledger("20.512B", edition="2008")
def test_outside_naval_combat_they_are_repaired_after_the_attacks() -> None:
    table = ambush(
        [force("Line", ships=["Washington"], cruisers=5)], with_submarines(2), torpedoes=[(2, 2), (2, 3)], **OLD
    )
    table.to_end()
    assert [event.fate for event in table.events(ev.ShipHit)] == ["hit", "hit"]
    (repaired,) = table.events(ev.HitsRepaired)
    assert repaired.rule == "20.512B"


@pytest.mark.ledger("20.512B", "23.444", edition="2008")
def test_hits_from_the_air_stay_while_submarines_will_attack_in_the_same_hex() -> None:
    def again(**other: Any) -> bool:
        aloft = Contact(id="A1", level=Level.INTERCEPTION, hex="s4", legs=("Shift",), met=("T1",), air="allies")
        later = Contact(**{"id": "A2", "level": Level.INTERCEPTION, "hex": "s4", **other})
        return attacked_there_again(Operation(waves=(Wave(side=AXIS, legs=(), contacts=(aloft, later)),), contact="A1"))

    assert again(legs=("Shift",))
    assert again(met=("T1",))
    assert not again(legs=("Shift",), hex="s5")
    assert not again(legs=("Other",))
    assert not again(legs=("Shift",), done=True)
    assert not attacked_there_again(Operation())


@pytest.mark.ledger("20.512B", "23.444", edition="2008")
def test_until_then_nothing_is_repaired() -> None:
    hurt = CombatGroup(1, "Line", (Ship("one", "One", AMERICA, "BB", 4, hits=1),), revealed=True)
    battle = Battle(kind="air attack", fleets={AXIS: Fleet(), ALLIES: Fleet(groups=(hurt,))})
    now = Contact(id="A1", level=Level.INTERCEPTION, hex="s4", legs=("Shift",), air="axis")
    later = Contact(id="A2", level=Level.INTERCEPTION, hex="s4", legs=("Shift",))
    for contacts, left in (((now, later), 1), ((now,), 0)):
        operation = Operation(waves=(Wave(side=ALLIES, legs=(), contacts=contacts),), contact="A1")
        table = Table(ruleset("2008"), battle, operation)
        repair_at_sea(table)
        assert table.group(ALLIES, 1).ship("one").hits == left


@pytest.mark.ledger("20.512B", edition="2008")
def test_a_hit_does_not_go_along_to_the_next_hex_of_a_voyage() -> None:
    played: OperationTable = landing(
        [GUNS],
        [boats("Scapa", 1, "Britain"), operation_force("Idle", "Scapa")],
        {
            ("axis", "announce"): {"Guns": "Shell"},
            ("allies", "interception"): [{"Scapa|Britain/SUB": "A1"}],
            ("allies", "hex"): "s4",
        },
        {"Scapa": [4], "22.94": [6], "22.93E": [1]},
        **OLD,
    )
    played.to_end()
    assert [event.fate for event in played.events(ev.ShipHit)] == ["hit"]
    assert [event.rule for event in played.events(ev.HitsRepaired)] == ["20.512B"]
