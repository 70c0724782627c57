"""Edition 2008: after a round without naval combat nobody withdraws (22.41K)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.model import air_events as air
from flagplot.model import events as ev
from tests.rules.groups_table import ALLIES, AXIS, Table, force, table
from tests.rules.strike_table import TASK_FORCE_16, air_table, fleet, fly, kido_butai
from tests.rules.submarine_table import SUB, under_water, with_submarines

OLD: dict[str, Any] = {"edition": "2008"}


def ledger(*rows: str) -> pytest.MarkDecorator:
    return pytest.mark.ledger(*rows, edition="2008")


def apart(**more: Any) -> Table:
    """Each side has one group that is active from the second round on."""
    return table([force("Second", cruisers=5, number=2)], [force("Third", cruisers=5, number=2)], **more)


@ledger("22.41K")
def test_after_a_round_without_naval_combat_nobody_withdraws() -> None:
    played = apart(**OLD)
    played.to_round(2)
    assert not played.was_asked(AXIS, "withdraw") and not played.was_asked(ALLIES, "withdraw")
    (empty,) = [event for event in played.events(ev.SegmentEmpty) if event.segment == "withdrawal"]
    assert (empty.rule, empty.why.startswith("round 1")) == ("22.41K", True)
    assert not played.events(ev.BattleEnded)


@ledger("22.41K", "22.54G.2")
def test_after_fleet_combat_both_may_leave_and_a_round_later_it_is_asked_afresh() -> None:
    played = apart(**OLD)
    played.to("withdraw", AXIS)
    assert played.game.battle.round == 2
    played.answer(AXIS, {"CG2:Japan/CA": {"withdraw": 2}})
    played.to_round(3)
    assert sum(played.group(AXIS, 2).light.values()) == 3  # of five cruisers


@ledger("22.41K")
def test_an_air_strike_is_naval_combat_though_no_gun_fires() -> None:
    played = air_table(
        fleet("Japan", kido_butai()),
        fleet("United States", TASK_FORCE_16),
        search={"axis": [[5]]},
        answers={("axis", "strike"): fly(5, akagi=3)},
        **OLD,
    )
    played.to("withdraw", ALLIES)
    assert played.game.battle.round == 3 and not played.events(ev.FleetCombatBegan)


@ledger("22.41K")
def test_so_is_an_attack_of_carrier_air_on_an_air_base() -> None:
    base = {"Midway": {"aircraft": {"United States NAS": 1}}}
    played = air_table(
        fleet("Japan", kido_butai()),
        fleet("United States", TASK_FORCE_16, air=base),
        answers={("axis", "patrol"): {"akagi|Japan/NAS": {"base Midway": 1}}},
        **OLD,
    )
    played.to("withdraw", ALLIES)
    assert played.game.battle.round == 3 and not played.events(air.StrikeAnnounced)


@ledger("22.41K", "22.54G.1")
def test_so_is_a_submarine_attack() -> None:
    played = under_water(
        [force("Line", cruisers=5, number=5)],
        [force("Found", cruisers=5, number=5)],
        with_submarines(),
        search={"axis": [[5]]},
        answers={("axis", "submarines"): {SUB: "CG5"}},
        **OLD,
    )
    played.to("withdraw", ALLIES)
    assert not played.events(ev.FleetCombatBegan)


@ledger("22.41K")
def test_the_question_whether_ships_may_withdraw_asks_for_combat_too() -> None:
    asked = {"segment": "withdrawal", "whole_group": True}
    told = api.call("may_withdraw", {**asked, "combat": False}, edition="2008")
    assert (told["allowed"], told["rule"]) == (False, "22.41K")
    assert api.call("may_withdraw", {**asked, "combat": True}, edition="2008")["allowed"]
    assert api.call("may_withdraw", {**asked, "combat": False})["allowed"]


@pytest.mark.ledger("22.61")
def test_in_the_current_edition_anybody_may_leave_after_any_round() -> None:
    played = apart()
    played.to("withdraw", AXIS)
    assert played.game.battle.round == 1 and not played.events(ev.FleetCombatBegan)
