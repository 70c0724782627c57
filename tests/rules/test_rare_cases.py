"""Rare meetings of rules, each of which once went wrong or nearly did."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from flagplot import api
from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice, UndoRefused
from flagplot.core.sides import Audience, Side
from flagplot.model import events as ev
from flagplot.model.fold import fold
from flagplot.rules.naval.withdrawal import round_loser
from flagplot.scenarios.loader import load_scenario
from tests.rules.endings_table import ALLIES, AXIS, Play, everything_withdraws, force, scenario_text

TRUK_AND_RABAUL = [{"name": "Truk", "distance": 5}, {"name": "Rabaul", "distance": 6}]


def two_seekers() -> Play:
    """Axis groups 1 and 2, active and unpaired, have found allied groups 3 and 4."""
    axis = [force(f"A{number}", cruisers=5, destroyers=1, number=number) for number in (1, 2)]
    allies = [force(f"L{number}", cruisers=5, destroyers=1, number=number) for number in (3, 4)]
    return Play(scenario_text(axis, allies, round=2), search={AXIS: [3, 4, 3, 1, 1], ALLIES: [6] * 9})


@pytest.mark.ledger("22.523D", "22.523E.2")
def test_a_group_that_accepted_fleet_combat_is_not_asked_again_when_another_evades() -> None:
    play = two_seekers()
    targets = {"CG1": iter(["CG3", "none"]), "CG2": iter(["CG4", "none"])}
    asked: list[str] = []

    def evade(decision: Decide) -> dict[str, str]:
        asked.append(decision.about)
        return {"choice": "evade" if decision.about == "CG3" else "fight"}

    play.to(
        ALLIES, "withdraw", {(AXIS, "engage"): lambda d: {"target": next(targets[d.about])}, (ALLIES, "evade"): evade}
    )
    assert asked == ["CG3", "CG4"]
    fought = [event.engagement for event in play.events(ev.FleetCombatBegan)]
    assert [(each.axis, each.allies) for each in fought] == [(2, 4)]


@pytest.mark.ledger("22.523", "22.522B")
def test_a_group_sought_by_two_decides_once_for_both() -> None:
    for choice, fights in (("fight", 2), ("evade", 0)):
        play = two_seekers()
        asked: list[str] = []

        def evade(decision: Decide, choice: str = choice, asked: list[str] = asked) -> dict[str, str]:
            asked.append(decision.question)
            return {"choice": choice}

        def engage(decision: Decide) -> dict[str, str]:
            return {"target": "CG3" if "CG3" in decision.form.items[0].places else "none"}

        play.to(ALLIES, "withdraw", {(AXIS, "engage"): engage, (ALLIES, "evade"): evade})
        assert asked == ["Enemy CG1 and CG2 seek fleet combat with CG3: evade or fight?"]
        assert len(play.events(ev.FleetCombatBegan)) == fights


@pytest.mark.ledger("22.423B.2")
def test_a_bare_supply_line_is_asked_like_any_other_group() -> None:
    seen = []
    for ships in ({}, {"destroyers": 1}):
        line = force("Line", sea_supply=True, mission="sea supply", number=2, **ships)
        text = scenario_text([line, force("X", cruisers=5, number=1)], [force("L", cruisers=5, number=1)], round=2)
        play = Play(text, search={AXIS: [6] * 9, ALLIES: [6] * 9})
        play.to(ALLIES, "withdraw")
        seen.append(
            [event.groups for event in play.game.picture(ALLIES).events if isinstance(event, ev.SecondRoundOpened)]
        )
        assert (AXIS, "engage") in play.asked
    assert seen[0] == seen[1] == [((AXIS, 2),)]


@pytest.mark.ledger("22.421A.4.2.1", "22.421A.4.2.2")
def test_the_carriers_that_stay_are_as_many_as_the_escort_covers() -> None:
    """Four fast factors cover the two light carriers, not the large one and a light one."""
    forces = [
        force("P", task_force=False, ships=["Enterprise", "Independence", "Princeton"]),
        force("Q", task_force=False, destroyers=4),
    ]
    play = Play(scenario_text([force("J", cruisers=5)], forces))
    decision = play.to(ALLIES, "split")
    answer = decision.read(decision.form.default)
    assert list(answer.held_by("port")) == ["enterprise"]
    with pytest.raises(IllegalChoice):
        play.answer(ALLIES, {**decision.form.default, "enterprise": "P and Q #1"})


@pytest.mark.ledger("22.421A.4.2.2")
def test_carriers_with_no_escort_at_all_go_home_and_are_not_in_the_battle() -> None:
    forces = [force(name, task_force=False, ships=[name]) for name in ("Enterprise", "Hornet")]
    play = Play(scenario_text([force("J", cruisers=5)], [*forces, force("Z", cruisers=5)]))
    play.to(ALLIES, "withdraw")
    assert [group.name for group in play.fleet(ALLIES).groups] == ["Z"]
    play.end({(ALLIES, "withdraw"): everything_withdraws})
    carriers = [home for home in play.fleet(ALLIES).returned if home.group.fast_carriers]
    assert sum(home.group.fast_carriers for home in carriers) == 2 and not any(home.inverted for home in carriers)


@pytest.mark.ledger("22.421A.4.2.2")
def test_a_covered_carrier_may_not_be_sent_home_even_if_the_group_is_divided() -> None:
    forces = [
        force("P", task_force=False, ships=["Enterprise"], cruisers=10),
        force("Q", task_force=False, destroyers=10),
    ]
    play = Play(scenario_text([force("J", cruisers=5)], forces))
    decision = play.to(ALLIES, "split")
    with pytest.raises(IllegalChoice, match="surplus carriers"):
        play.answer(ALLIES, {**decision.form.default, "enterprise": "port"})


@pytest.mark.ledger("22.63A", "22.61C")
def test_a_base_change_that_withdrew_goes_back_even_if_its_side_wins() -> None:
    axis = [force(f"B{n}", mission="base change", base="Truk", cruisers=5, number=n) for n in (1, 6)]
    play = Play(scenario_text(axis, [force("L", cruisers=5, number=5)], axis_bases=TRUK_AND_RABAUL))
    rounds: dict[Side, int] = {AXIS: 0, ALLIES: 0}

    def withdraw(decision: Decide) -> Any:
        rounds[decision.side] += 1
        if decision.side is AXIS:
            return {"CG1": "withdraw"} if rounds[AXIS] == 1 else {}
        return everything_withdraws(decision) if rounds[ALLIES] > 1 else {}

    answers = {(side, "withdraw"): withdraw for side in Side}
    decision = play.to(AXIS, "return", {**answers, (AXIS, "activity"): "abort"})
    assert play.game.battle.victor is AXIS
    barred = {item.label.split(":")[0]: list(decision.form.barred(item)) for item in decision.form.items}
    assert barred == {"B1": ["Rabaul"], "B6": []}


@pytest.mark.ledger("22.63")
def test_an_escort_taken_in_by_a_convoy_may_return_to_its_own_base_however_far() -> None:
    axis = [
        force("Convoy", base="Truk", mission="sea transport", destroyers=2, cargo=[{"name": "a corps", "needs": 2}]),
        force("Escort", base="Kure", cruisers=5),
    ]
    bases = [{"name": "Truk", "distance": 5}, {"name": "Kure", "distance": 30}, {"name": "Manila", "distance": 30}]
    play = Play(scenario_text(axis, [force("L", cruisers=5)], axis_bases=bases))
    answers = {(AXIS, "strengthen"): {"Convoy": "Escort"}, (AXIS, "withdraw"): everything_withdraws}
    decision = play.to(AXIS, "return", answers)
    barred = {("loaded" in item.label): sorted(decision.form.barred(item)) for item in decision.form.items}
    assert barred == {False: ["Manila"], True: ["Kure", "Manila"]}


@pytest.mark.ledger("22.81B", "22.81A.2")
def test_forces_that_never_reached_the_battle_go_back_uninverted_to_their_own_base() -> None:
    axis = [
        force("Act", mission="shore bombardment", base="Truk", cruisers=2, number=1),
        force("Late", mission="counter-interception", base="Truk", arrives=3, cruisers=5),
    ]
    allies = [
        force("L", cruisers=5, number=1, base="Truk", mission="interception"),
        force("LL", mission="interception", base="Truk", arrives=4, cruisers=5),
    ]
    text = scenario_text(axis, allies, axis_bases=TRUK_AND_RABAUL, allies_bases=TRUK_AND_RABAUL, interceptor="allies")
    play = Play(text)
    for side, name in ((ALLIES, "LL"), (AXIS, "Late")):
        decision = play.to(side, "return", {(AXIS, "withdraw"): everything_withdraws})
        (item,) = [item for item in decision.form.items if f"{name}:" in item.label]
        assert list(decision.form.barred(item)) == ["Rabaul"]
        play.answer(side, decision.form.default)
    play.end()
    homes = {home.group.name: home.inverted for side in Side for home in play.fleet(side).returned}
    assert homes == {"Act": True, "Late": False, "L": True, "LL": False}


@pytest.mark.ledger("22.61", "22.524A")
def test_a_ship_bound_to_stay_is_not_detached_either() -> None:
    kongo = {"name": "Kongo", "damaged": True, "may_not_withdraw": True}
    text = scenario_text([force("A", ships=[kongo], cruisers=5, number=1)], [force("L", cruisers=5, number=2)])
    play = Play(text, search={AXIS: [2]})
    play.to(AXIS, "engage")
    with pytest.raises(IllegalChoice, match="33.61B"):
        play.answer(AXIS, {"target": "CG2", "kongo": "detach"})


@pytest.mark.ledger("22.524A")
def test_detached_ships_show_neither_their_aircraft_nor_their_orders_but_keep_them() -> None:
    akagi = {"name": "Akagi", "damaged": True, "air": 2}
    text = scenario_text([force("A", ships=[akagi], cruisers=5, number=1)], [force("L", cruisers=5, number=2)])
    play = Play(text, search={AXIS: [2]})
    play.to(AXIS, "engage")
    play.answer(AXIS, {"target": "CG2", "akagi": "detach"})
    (event,) = play.events(ev.Detached)
    assert [ship.air for ship in event.ships] == [0]
    assert [ship.air for parcel in play.fleet(AXIS).detached for ship in parcel.ships] == [2]


@pytest.mark.ledger("22.61D")
def test_a_group_that_only_cut_a_bare_line_was_not_attacked_and_leaves_whole() -> None:
    line = force("Line", sea_supply=True, mission="sea supply", number=1)
    text = scenario_text([line, force("X", cruisers=5, number=6)], [force("L", cruisers=5, destroyers=2, number=1)])
    decision = Play(text).to(ALLIES, "withdraw")
    assert [item.key for item in decision.form.items] == ["CG1"]


@pytest.mark.ledger("22.35E")
def test_light_raiders_behind_the_screen_may_attack_and_the_enemy_is_not_told_who() -> None:
    raiders = [
        force("Engaged", mission="raid", ships=["Kongo"], cruisers=2),
        force("Far", mission="raid", ships=["Haruna"], destroyers=3, engaged=False),
    ]
    text = scenario_text(
        raiders, [force("H", mission="raider hunt", destroyers=1)], kind="raider combat", order_of_battle="hidden"
    )
    play = Play(text, fire={AXIS: 6})
    play.end({(AXIS, "screen"): {"Japan/CA": "screen"}})
    (told,) = play.events(ev.TransportsExposed)
    assert told.raiders == ("Haruna", "3 Japan/DD", "2 Japan/CA")
    heard = b"".join(msgspec.json.encode(event) for event in play.game.picture(ALLIES).events)
    assert b"Haruna" not in heard
    assert [event.some for event in play.game.picture(ALLIES).events if isinstance(event, ev.TransportsThreatened)] == [
        True
    ]


def hit(ship: str, hits: int, fate: str) -> ev.ShipHit:
    return ev.ShipHit(
        rule="20.513", to=Audience.EVERYONE, side=AXIS, number=1, ship=ship, name=ship, hits=hits, fate=fate
    )


def lights_hit(sunk: dict[str, int], damaged: dict[str, int]) -> ev.LightShipsHit:
    return ev.LightShipsHit(
        rule="20.532",
        to=Audience.EVERYONE,
        side=AXIS,
        number=1,
        screened=False,
        sunk=sunk,
        damaged=damaged,
        into_screen=False,
    )


@pytest.mark.ledger("22.61A")
def test_what_is_damaged_and_sunk_in_one_round_counts_as_sunk_only() -> None:
    play = Play(scenario_text([force("J", ships=["Yamato", "Kongo"], cruisers=5, number=1)], [force("L", cruisers=5)]))
    play.to(AXIS, "screen")
    battle = fold([hit("yamato", 4, "damaged"), hit("kongo", 2, "damaged")], play.game.battle)
    battle = fold([lights_hit({}, {"Japan/CA": 2})], battle)
    assert (battle.fleets[AXIS].round_sunk, battle.fleets[AXIS].round_damaged) == (0, 5 + 3 + 4)
    battle = fold([hit("yamato", 1, "sunk"), lights_hit({"Japan/CA/damaged": 1}, {})], battle)
    assert (battle.fleets[AXIS].round_sunk, battle.fleets[AXIS].round_damaged) == (5 + 2, 3 + 2)
    loser = round_loser({AXIS: 7, ALLIES: 7}, {side: battle.fleets[side].round_damaged for side in Side}, ALLIES)
    assert loser is AXIS


def test_covering_forces_of_an_invasion_are_not_hampered_themselves() -> None:
    for name in ("pedestal", "java-sea", "guadalcanal"):
        for side in Side:
            for each in load_scenario(name).setup.sides[side].forces:
                assert not each.unladen, each.name


def test_undo_stops_where_the_end_of_a_battle_or_its_going_on_is_told() -> None:
    text = scenario_text([force("J", cruisers=5, number=6)], [force("L", cruisers=5, number=6)])
    play = Play(text)
    play.to(AXIS, "withdraw")
    last = next(side for side in Side if play.game.decision(side))
    play.game.submit(last, {})
    other = next(
        (side for side in Side if play.game.decision(side) and play.game.decision(side).kind == "withdraw"), None
    )
    if other:
        play.game.submit(other, {})
        last = other
    told = play.game.undo_stands(last)
    assert told is not None and len(play.game.events()) > told.events, "what came of it is told"
    with pytest.raises(UndoRefused, match="the enemy has decided since, or may have"):  # he is asked something new
        play.game.undo(last)


@pytest.mark.ledger("22.421A.3", "22.421A.4.2.2")
def test_a_bare_supply_line_that_only_carriers_would_strengthen_stays_bare() -> None:
    line = force("Line", sea_supply=True, mission="sea supply")
    axis = [line, force("Carriers", ships=["Akagi", "Kaga"], cruisers=3), force("J", cruisers=5)]
    play = Play(scenario_text(axis, [force("L", cruisers=5)], interceptor="allies"))
    decision = play.to(AXIS, "strengthen")
    assert "Carriers" in [place.key for place in decision.form.places]
    bare = [force("Line", sea_supply=True, mission="sea supply"), force("P", task_force=False, ships=["Akagi"])]
    play = Play(scenario_text([*bare, force("J", cruisers=5)], [force("L", cruisers=5)], interceptor="allies"))
    play.to(AXIS, "number", {(AXIS, "strengthen"): {"Line": "P"}})
    play.end({(AXIS, "withdraw"): everything_withdraws})
    returned = {home.group.name: [ship.name for ship in home.group.ships] for home in play.fleet(AXIS).returned}
    assert returned == {"J": [], "Line, surplus carriers": ["Akagi"]}
    assert play.fleet(AXIS).line_cut  # it met the enemy's first group without a ship


@pytest.mark.ledger("20.513C.1")
@pytest.mark.parametrize(
    ("damaged", "results", "after"),
    [
        (False, [1, 1, 1], ["undamaged", "undamaged", "damaged"]),
        (False, [3, 1], ["damaged", "sunk"]),  # damaged in this action: one more hit sinks her
        (True, [1, 1], ["damaged", "damaged"]),  # she came damaged: three new hits are needed
        (True, [2, 1], ["damaged", "sunk"]),
        (True, [4], ["sunk"]),
    ],
)
def test_a_group_may_agree_that_a_ship_that_came_damaged_must_be_damaged_again(
    damaged: bool, results: list[int], after: list[str]
) -> None:
    answer = api.call(
        "named_ship",
        {"size": 4, "damaged": damaged, "results": results},
        options={"damaged_ship_sinks_on": "damage_again"},
    )
    assert answer["after"] == after


@pytest.mark.ledger("22.421A.3", "22.421A")
def test_only_groups_that_are_there_in_the_first_round_strengthen_a_convoy() -> None:
    convoy = force("Convoy", destroyers=2, mission="sea transport", cargo=[{"name": "a corps", "needs": 2}])
    axis = [convoy, force("Here", cruisers=5), force("Late", cruisers=5, arrives=2)]
    decision = Play(scenario_text(axis, [force("L", cruisers=5)], interceptor="allies")).to(AXIS, "strengthen")
    assert [place.key for place in decision.form.places] == ["alone", "Here"]
    assert [item.key for item in decision.form.items] == ["Convoy"]
