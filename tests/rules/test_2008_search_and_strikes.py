"""Edition 2008: search that tells step by step (22.45), surprise (22.463), and air attacks (23.443, 23.444, 23.75)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.rules.naval.sailing import exposed_going_home
from tests.rules.groups_table import Table, table
from tests.rules.groups_table import force as group
from tests.rules.strike_table import (
    ALLIES,
    AXIS,
    TASK_FORCE_16,
    AirTable,
    air_table,
    fleet,
    fly,
    force,
    kido_butai,
    on_patrol,
)

OLD: dict[str, Any] = {"edition": "2008"}
CARRIERS = group(
    "Carriers", ships=["Enterprise", "Hornet"], cruisers=3, destroyers=1, escort_carriers=1, number=4
)  # 3 + 3 + 6 + 1 + 1 factors
SMALL = group("Small", cruisers=4, number=5)


def looking(*dice: int) -> Table:
    """The axis has three search dice, and shows these."""
    return table(
        [group(f"Force {n}", cruisers=5, number=n) for n in (4, 5, 6)],
        [CARRIERS, SMALL],
        search={"axis": [dice]},
        **OLD,
    )


# -- search --------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.45T.1", "22.45T.5", edition="2008")
def test_every_group_of_ten_factors_searches_wherever_it_stands_and_what_is_not_found_stays_hidden() -> None:
    played = looking(1, 2, 3)
    played.to_segment("disclosure")
    (counted,) = [event for event in played.events(ev.SearchCounted) if event.side is AXIS]
    assert [(line.rule, line.amount) for line in counted.dice.lines] == [("22.451A", 3)]
    assert not [event for event in played.events(ev.GroupFound) if event.side is ALLIES]
    assert all(each.hidden for each in played.game.picture(AXIS).battle.fleets[ALLIES].groups)


@pytest.mark.ledger("22.45T.6", "22.45T.7", "22.45T.8", edition="2008")
@pytest.mark.parametrize(
    ("dice", "steps", "carriers", "shown"), [((4,), 1, 0, False), ((4, 4), 2, 3, False), ((4, 4, 4), 2, 3, True)]
)
def test_each_result_tells_more(dice: tuple[int, ...], steps: int, carriers: int, shown: bool) -> None:
    played = looking(*dice)
    played.to_segment("air strikes")
    (found,) = played.seen(AXIS, ev.GroupFound)
    assert found.rule == "22.45"
    assert (found.disclosed.under_ten, found.disclosed.steps, found.disclosed.fast_carriers) == (False, steps, carriers)
    assert played.game.picture(AXIS).battle.fleets[ALLIES].group(4).hidden is not shown
    assert [event.group.number for event in played.events(ev.GroupRevealed)] == [4] * shown


@pytest.mark.ledger("22.45T.6", edition="2008")
def test_a_small_group_says_so() -> None:
    played = looking(5)
    played.to_segment("air strikes")
    (found,) = played.seen(AXIS, ev.GroupFound)
    assert found.disclosed.under_ten


@pytest.mark.ledger("22.45T.4", edition="2008")
def test_the_enemy_is_told_only_the_lines_of_the_search_that_lie_open() -> None:
    played = table([SMALL | {"number": 4}], [CARRIERS], search_advantage="axis", **OLD)
    played.to_segment("disclosure")
    (told,) = [event for event in played.seen(ALLIES, ev.Searched) if event.side is AXIS]
    assert [(line.rule, line.amount) for line in told.public.lines] == [("48.51A", 1)]
    assert told.count == 1


@pytest.mark.ledger("22.45T.6", "22.45T.7", "22.45T.8", edition="2008")
def test_the_question_about_disclosure_answers_by_results() -> None:
    told = [
        api.call(
            "disclosure",
            {"group": {"number": 1, "light": {"Japan/DD": 6, "Japan/CVE": 2}, "found": results}},
            edition="2008",
        )
        for results in (1, 2, 3)
    ]
    assert told == [
        {"less_than_ten_factors": True, "carriers": None, "composition_revealed": False},
        {"less_than_ten_factors": True, "carriers": 2, "composition_revealed": False},
        {"less_than_ten_factors": True, "carriers": 2, "composition_revealed": True},
    ]


# -- surprise ------------------------------------------------------------------------------------------------------


def surprised(die: int, *, search: tuple[int, ...] = (5,), **more: Any) -> AirTable:
    """Akagi and Kaga strike two carriers over which two squadrons patrol; this is the surprise die."""
    answers = {
        ("allies", "patrol"): on_patrol(enterprise=2),
        ("axis", "strike"): [fly(5, akagi=3), fly(5, kaga=3)],
    }
    totals = {("axis", "surprise of 2008"): [die, die], **more.pop("totals", {})}
    return air_table(
        fleet("Japan", kido_butai()),
        fleet("United States", TASK_FORCE_16, **more),
        search={"axis": [search]},
        totals=totals,
        answers=answers,
        **OLD,
    )


@pytest.mark.ledger("22.463T.4", "22.463T.5", "22.463T.6", edition="2008")
@pytest.mark.parametrize(("die", "kept"), [(3, 0), (4, 0), (5, 1), (6, 2)])
def test_a_surprise_keeps_a_share_of_two_defenders_out(die: int, kept: int) -> None:
    played = surprised(die)
    form = played.to("defend", ALLIES).form
    out = sum(row.get("surprised", 0) for row in form.default.values()) if kept else 0  # type: ignore[union-attr]
    assert out == kept
    if kept:
        with pytest.raises(IllegalChoice):
            played.answer(ALLIES, {item.key: {"engage": item.amount} for item in form.items})


@pytest.mark.ledger("22.463T.7", edition="2008")
def test_at_level_seven_nobody_shoots_at_the_strike() -> None:
    played = surprised(6, search=(5, 5))
    played.to("air targets", AXIS)
    (rolled,) = played.events(air.SurpriseRolled)
    assert (rolled.rule, rolled.level) == ("22.463", 7)
    (defense,) = played.events(air.AirDefenseRolled)
    assert (defense.level, defense.dice) == (1, ())  # fourteen factors make two levels, less one


@pytest.mark.ledger("22.463T.1", "22.463T.2", "22.463T.6", edition="2008")
def test_at_level_six_the_ships_still_shoot_one_level_worse() -> None:
    played = surprised(6)
    played.to("air targets", AXIS)
    (defense,) = played.events(air.AirDefenseRolled)
    assert (defense.level, len(defense.dice)) == (1, 2)
    (counted,) = played.events(air.AirDefenseCounted)
    assert ("22.463", -1) in [(line.rule, line.amount) for line in counted.level.lines]


@pytest.mark.ledger("22.463T.7", edition="2008")
def test_a_ship_damaged_at_level_seven_faces_a_critical_hit() -> None:
    damaged = {
        level: api.call(
            "air_attack",
            {
                "attackers": {"Japan/NAS": 3},
                "target": {"ships": [{"nation": "United States", "kind": "BB", "size": 4, "id": "one"}]},
                "surprise_level": level,
            },
            dice=[4, 4],
            edition="2008",
        )
        for level in (6, 7)
    }
    assert damaged[6]["effect"] == damaged[7]["effect"] == "damaged"
    assert (damaged[6]["critical_hit_roll"], damaged[7]["critical_hit_roll"]) == (False, True)


@pytest.mark.ledger("22.463T.m1", "22.463T.m2", "22.463T.m3", "22.463T.m4", edition="2008")
def test_a_second_strike_on_the_group_surprises_less() -> None:
    played = surprised(3, search=(5, 5), research={"radar": 1})
    played.to_segment("fleet combat", 3)
    first, second = played.events(air.SurpriseRolled)
    assert [(line.reason, line.amount) for line in first.modifiers.lines] == [
        ("search results", 1),
        ("defender's radar", -1),
    ]
    assert ("earlier strikes on the group", -1) in [(line.reason, line.amount) for line in second.modifiers.lines]
    assert (first.level, second.level) == (3, 2)
    assert {line.rule for line in second.modifiers.lines} == {"22.463"}


def test_in_the_current_edition_only_the_first_strike_surprises() -> None:
    told = {"own_found": [0], "enemy_found": [2], "strikes_flown": 1}
    assert not api.call("surprise_eligibility", told)["surprise"]
    assert api.call("surprise_eligibility", told, edition="2008")["surprise"]


@pytest.mark.ledger("22.463T.7", edition="2008")
def test_the_questions_about_surprise_know_the_older_table() -> None:
    told = api.call("surprise_effects", {"level": 7}, edition="2008")
    assert (told["thirds_engaging"], told["air_defense_roll"], told["critical_hit_roll"]) == (0, False, True)
    assert "no air defense roll" in told["effects"]
    group = {"light": {"United States/DD": 35}}
    rolls = [
        api.call("air_defense_level", {"group": group, "surprise_level": level}, edition="2008")["rolls"]
        for level in (6, 7)
    ]
    assert rolls == [True, False]
    level = api.call("surprise_level", {"results": 3, "earlier_strikes": 1}, dice=[4], edition="2008")
    assert (level["level"], level["modifier"]) == (5, 1)


# -- attacks -------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.75.1", "23.75.2", "23.75.3", edition="2008")
def test_targets_are_named_after_the_air_defense_in_the_attacked_group_alone_and_are_final() -> None:
    played = surprised(1)
    asked = played.to("air targets", AXIS)
    assert asked.rule == "23.75"
    assert [place.key for place in asked.form.places] == ["enterprise", "hornet", "light", "none"]
    kinds = [type(event) for event in played.game.events()]
    assert kinds.index(air.AirDefenseRolled) > kinds.index(air.StrikeAnnounced)
    (item,) = asked.form.items
    with pytest.raises(IllegalChoice):
        played.answer(AXIS, {item.key: {"enterprise": item.amount, "hornet": 1}})
    played.answer(AXIS, {item.key: {"enterprise": item.amount - 1, "light": 1}})
    (chosen,) = played.events(air.AirTargetsChosen)
    assert (chosen.rule, list(chosen.targets)) == ("23.75", ["enterprise", "light"])


def bombed(*attacks: int, ships: tuple[str, ...] = ("Washington",)) -> AirTable:
    """Akagi's squadrons attack a four-factor battleship, then Kaga's; totals of the attack rolls."""
    at = {"Japan/NAS": {"washington": 3}}
    return air_table(
        fleet("Japan", kido_butai()),
        fleet(
            "United States",
            force("Line", 5, *ships, mission="base change", base="Sydney"),
            base=[{"name": "Noumea", "distance": 1}, {"name": "Sydney", "distance": 5}],
        ),
        search={"axis": [(5,) * len(attacks)]},
        totals={("axis", "attack"): list(attacks)},
        answers={
            ("axis", "strike"): [fly(5, akagi=3), fly(5, kaga=3)],
            ("axis", "air targets"): [at, at],
            ("allies", "withdraw"): lambda asked: {item.key: "withdraw" for item in asked.form.items},
        },
        **OLD,
    )


@pytest.mark.ledger("23.444", edition="2008")
def test_hits_of_several_strikes_in_a_hex_add_up() -> None:
    played = bombed(5, 7)
    played.to_segment("fleet combat", 3)
    fates = [(event.hits, event.fate) for event in played.events(ev.ShipHit)]
    assert sum(hits for hits, _ in fates) >= 3
    assert [fate for _, fate in fates][-1] in ("damaged", "sunk")
    assert fates[0][1] == "hit"


@pytest.mark.ledger("23.443.1", edition="2008")
def test_a_ship_that_is_sunk_is_gone_at_once() -> None:
    played = bombed(12)
    played.to_segment("fleet combat", 3)
    assert [event.fate for event in played.events(ev.ShipHit)] == ["sunk"]
    fleet_left = played.game.battle.fleets[ALLIES]
    assert not fleet_left.group(5).ships
    assert [ship.id for ship in fleet_left.sunk] == ["washington"]


@pytest.mark.ledger("23.443.2", "23.443.3", edition="2008")
def test_a_damaged_ship_may_stay_or_go_home_when_the_round_is_over_alone_or_with_others() -> None:
    played = bombed(8)
    asked = played.to("withdraw", ALLIES)
    (hurt,) = [event for event in played.events(ev.ShipHit) if event.fate == "damaged"]
    assert hurt.name == "Washington"
    keys = [item.key for item in asked.form.items]
    assert "CG5:washington" in keys
    assert any(key.startswith("CG5:United States/DD") for key in keys)
    played.answer(ALLIES, {"CG5:washington": "withdraw"})
    played.to_end()
    homes = [event for event in played.events(ev.Returned) if any(s.id == "washington" for s in event.group.ships)]
    assert homes[0].inverted
    assert homes[0].base == "Sydney", "it aborts its base change, and goes back where it came from"
    assert exposed_going_home(sailed=True)
