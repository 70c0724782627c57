"""22.35: combat with raiders in an SW box."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.asks import Decide
from flagplot.model import events as ev
from flagplot.model.air_events import StrikeOrderSet
from flagplot.model.ships import named_factors
from tests.rules.endings_table import ALLIES, AXIS, Play, force, scenario_text


def raider_text(raiders: list[dict[str, Any]], hunters: list[dict[str, Any]], **top: Any) -> str:
    """Germans raid, the British hunt them."""
    return scenario_text(
        raiders,
        hunters,
        axis_nation="Germany",
        allies_nation="Britain",
        theatre="Europe",
        kind="raider combat",
        **top,
    )


def raider(name: str, **keys: Any) -> dict[str, Any]:
    return force(name, task_force=False, mission="raid", base="Kiel", **keys)


def hunter(name: str, **keys: Any) -> dict[str, Any]:
    return force(name, task_force=False, mission="raider hunt", base="Scapa Flow", **keys)


def exposed(play: Play) -> list[str]:
    """Everything that is told to attack transports, by name, in small letters."""
    return [name.lower() for event in play.events(ev.TransportsExposed) for name in event.raiders]


def mentions(names: list[str], wanted: str) -> bool:
    return any(wanted.lower() in name for name in names)


@pytest.mark.ledger("22.35A")
def test_all_the_raiders_that_are_engaged_fight_as_one_group_with_no_limit_on_its_size() -> None:
    raiders = [
        raider("Bismarck group", ships=["Bismarck", "Tirpitz"], cruisers=3, destroyers=9),
        raider("Scharnhorst group", ships=["Scharnhorst", "Gneisenau"], cruisers=3, destroyers=6),
    ]
    hunters = [hunter("Force H", cruisers=8, destroyers=9), hunter("Force K", cruisers=7, destroyers=9)]
    play = Play(raider_text(raiders, hunters))
    play.run(until=lambda decision: decision.kind == "screen")
    for side, forces in ((AXIS, raiders), (ALLIES, hunters)):
        (group,) = play.fleet(side).groups
        light = sum(2 * each.get("cruisers", 0) + each.get("destroyers", 0) for each in forces)
        assert group.factors == light + named_factors(group.ships) > 25
        assert len(group.ships) == sum(len(each.get("ships", [])) for each in forces)


@pytest.mark.ledger("22.35", "22.35B")
def test_nobody_searches_for_raiders_or_numbers_groups_against_them() -> None:
    play = Play(raider_text([raider("Scheer", ships=["Scheer"])], [hunter("Hunters", cruisers=2)]))
    play.end()
    kinds = {kind for _, kind in play.asked}
    assert not kinds & {"number", "split", "strengthen", "engage", "evade", "reinforce"}
    assert play.events(ev.Searched) == []
    assert len(play.events(ev.FleetCombatBegan)) == 1


@pytest.mark.ledger("22.35B")
def test_each_group_in_raider_combat_counts_as_found_once() -> None:
    play = Play(raider_text([raider("Scheer", ships=["Scheer"])], [hunter("Hunters", cruisers=2)]))
    play.run(until=lambda decision: decision.kind == "screen")
    for side in (AXIS, ALLIES):
        (group,) = play.fleet(side).groups
        assert group.found == 1  # AM-25


@pytest.mark.ledger("22.35C")
def test_the_place_of_carrier_strikes_is_before_the_fleet_combat() -> None:
    play = Play(raider_text([raider("Scheer", ships=["Scheer"])], [hunter("Hunters", cruisers=2, ships=["Ark Royal"])]))
    play.end()
    told = [type(event) for event in play.game.events() if isinstance(event, ev.FleetCombatBegan | StrikeOrderSet)]
    assert told == [StrikeOrderSet, ev.FleetCombatBegan]


@pytest.mark.ledger("22.35D")
def test_raider_combat_has_one_round_even_when_both_sides_are_unhurt() -> None:
    play = Play(raider_text([raider("Scheer", ships=["Scheer"])], [hunter("Hunters", cruisers=2)]))
    play.end({(AXIS, "surplus capital"): {"scheer": "light"}})
    assert len(play.events(ev.RoundBegan)) == 1
    assert len(play.events(ev.FleetCombatBegan)) == 1
    assert "withdraw" not in {kind for _, kind in play.asked}
    assert play.game.over


@pytest.mark.ledger("22.35E")
def test_raiders_nobody_engaged_attack_transports_though_the_hunters_beat_the_others() -> None:
    raiders = [raider("Graf Spee", ships=["Graf Spee"]), raider("Deutschland", ships=["Deutschland"], engaged=False)]
    play = Play(raider_text(raiders, [hunter("Hunters", cruisers=2)]), fire={ALLIES: 6})
    play.end({(ALLIES, "surplus light"): {"Britain/CA": {"graf-spee": 2}}})
    assert [ship.name for ship in play.fleet(AXIS).sunk] == ["Graf Spee"]
    assert mentions(exposed(play), "Deutschland")
    assert not mentions(exposed(play), "Spee")


@pytest.mark.ledger("22.35A", "22.35E")
def test_a_raider_nobody_engaged_takes_no_part_in_the_combat() -> None:
    raiders = [raider("Graf Spee", ships=["Graf Spee"]), raider("Deutschland", ships=["Deutschland"], engaged=False)]
    play = Play(raider_text(raiders, [hunter("Hunters", cruisers=2)]))
    play.run(until=lambda decision: decision.kind == "screen")
    (group,) = play.fleet(AXIS).groups
    assert [ship.name for ship in group.ships] == ["Graf Spee"]


def two_against_a_cruiser(gneisenau: str, **hunters: Any) -> Play:
    """Scharnhorst fires at the hunters' light ships with sixes; Gneisenau does as told."""
    play = Play(
        raider_text([raider("Raiders", ships=["Scharnhorst", "Gneisenau"])], [hunter("Hunters", **hunters)]),
        fire={AXIS: 6},
    )
    play.end({(AXIS, "surplus capital"): {"scharnhorst": "light", "gneisenau": gneisenau}})
    return play


@pytest.mark.ledger("22.35E")
def test_when_every_unscreened_hunter_is_sunk_the_raiders_that_held_their_fire_attack_transports() -> None:
    play = two_against_a_cruiser("hold", cruisers=1)
    assert play.fleet(ALLIES).sunk_light == {"Britain/CA": 1}
    assert mentions(exposed(play), "Gneisenau")
    assert not mentions(exposed(play), "Scharnhorst")


@pytest.mark.ledger("22.35E")
def test_raiders_that_all_fought_leave_the_transports_alone_even_after_sinking_every_hunter() -> None:
    play = two_against_a_cruiser("light", cruisers=1)
    assert play.fleet(ALLIES).sunk_light == {"Britain/CA": 1}
    assert exposed(play) == []


@pytest.mark.ledger("22.35E")
def test_one_unscreened_hunter_left_afloat_protects_the_transports() -> None:
    play = two_against_a_cruiser("hold", cruisers=3)
    assert play.fleet(ALLIES).returned
    assert exposed(play) == []


@pytest.mark.ledger("22.35E")
def test_hunters_behind_the_screen_do_not_protect_the_transports() -> None:
    play = Play(
        raider_text([raider("Raiders", ships=["Scharnhorst", "Gneisenau"])], [hunter("Hunters", cruisers=3)]),
        fire={AXIS: 6},
    )
    play.end(
        {
            (ALLIES, "screen"): {"Britain/CA": {"screen": 2}},
            (AXIS, "surplus capital"): {"scharnhorst": "light", "gneisenau": "hold"},
            (AXIS, "screened fire capital"): {},
        }
    )
    assert play.fleet(ALLIES).sunk_light == {"Britain/CA": 1}
    assert mentions(exposed(play), "Gneisenau")


@pytest.mark.ledger("22.35E")
def test_a_raider_that_fired_at_the_screen_has_fought_and_may_not_attack_transports() -> None:
    play = Play(
        raider_text([raider("Raiders", ships=["Scharnhorst", "Gneisenau"])], [hunter("Hunters", cruisers=3)]),
        fire={AXIS: 6},
    )
    play.end(
        {
            (ALLIES, "screen"): {"Britain/CA": {"screen": 2}},
            (AXIS, "surplus capital"): {"scharnhorst": "light", "gneisenau": "hold"},
            (AXIS, "screened fire capital"): {"gneisenau": "light"},
        }
    )
    assert not mentions(exposed(play), "Gneisenau")


@pytest.mark.ledger("22.35D", "22.35E")
def test_a_raid_table_never_asks_for_a_second_round() -> None:
    for left, idle, attackers in (
        (True, ["Gneisenau"], ["Scheer"]),
        (False, ["Gneisenau"], ["Scheer", "Gneisenau"]),
        (False, [], ["Scheer"]),
    ):
        told = api.call(
            "raiders_attacking_transports",
            {"unengaged": ["Scheer"], "unscreened_defenders_left": left, "ships_that_did_not_fight": idle},
        )
        assert told == {"another_round": False, "attack_transports": attackers}


@pytest.mark.ledger("22.531C.2.2")
def test_in_raider_combat_too_the_screen_is_chosen_before_the_enemy_is_shown() -> None:
    text = raider_text([raider("Scheer", ships=["Scheer"])], [hunter("Hunters", cruisers=2, destroyers=1)])
    play = Play(text)
    found: Decide | None = play.run(until=lambda decision: decision.kind == "screen")
    assert found is not None
    (enemy,) = play.game.picture(ALLIES).battle.fleets[AXIS].groups
    assert enemy.ships == ()
    (enemy,) = play.game.picture(AXIS).battle.fleets[ALLIES].groups
    assert enemy.light == {}


@pytest.mark.ledger("22.81A.2")
def test_ships_that_fought_in_an_sw_box_are_not_inverted() -> None:
    play = Play(
        raider_text([raider("Scheer", ships=["Scheer"])], [hunter("Hunters", cruisers=2)]),
        fire={AXIS: 6},
    )
    play.end({(AXIS, "surplus capital"): {"scheer": "light"}})
    for side in (AXIS, ALLIES):
        assert play.fleet(side).returned
        assert not any(each.inverted for each in play.fleet(side).returned)


@pytest.mark.ledger("20.512C")
def test_hits_too_few_to_damage_a_raider_are_gone_when_the_engagement_ends() -> None:
    play = Play(
        raider_text([raider("Bismarck", ships=["Bismarck"])], [hunter("Hunters", ships=["Hood"])]), fire={ALLIES: 4}
    )
    play.end()
    (hit,) = [event for event in play.events(ev.ShipHit) if event.side is AXIS]
    assert hit.fate == "hit"
    assert hit.hits > 0
    assert play.home(AXIS, "Bismarck").group.ships[0].hits == 0


@pytest.mark.ledger("22.372F.1")
def test_hunters_that_are_all_slow_all_go_back_to_port() -> None:
    play = Play(
        raider_text([raider("Scheer", ships=["Scheer"])], [hunter("Hunters", ships=["Ramillies"])]),
        fire={ALLIES: 1, AXIS: 1},
    )
    play.end()
    (home,) = play.fleet(ALLIES).returned
    assert [ship.name for ship in home.group.ships] == ["Ramillies"] and home.base == "Scapa Flow"


@pytest.mark.ledger("22.35D")
def test_only_a_side_that_is_wiped_out_has_lost_the_single_round() -> None:
    text = raider_text([raider("Scharnhorst", ships=["Scharnhorst", "Gneisenau"])], [hunter("Hunters", destroyers=1)])
    wiped_out = Play(text, fire={AXIS: 6, ALLIES: 1})
    wiped_out.end()
    assert wiped_out.game.battle.losers == (ALLIES,) and wiped_out.game.battle.victor is AXIS
    unhurt = Play(text, fire={AXIS: 1, ALLIES: 1})
    unhurt.end()
    assert unhurt.game.battle.losers == () and unhurt.game.battle.victor is None
