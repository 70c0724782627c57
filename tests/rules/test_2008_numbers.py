"""Edition 2008: rules bear the numbers they had, and no number that meant something else then."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.core.sides import Audience
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.play.game import Game
from tests.rules.groups_table import ALLIES, AXIS, ThrownDice, force, table
from tests.rules.operation_table import HOME, ONE, sailing
from tests.rules.strike_table import TASK_FORCE_16, air_table, fleet, fly, kido_butai
from tests.rules.submarine_table import SUB, quiet
from tests.rules.war_table import setup as war_setup

OLD: dict[str, Any] = {"edition": "2008"}


@pytest.mark.ledger("22.41A.1", "22.421", "22.53C.2.2", edition="2008")
def test_groups_are_numbered_by_22_41a_and_shown_for_fleet_combat_by_22_53() -> None:
    played = table([force("Line", cruisers=5)], [force("Foe", cruisers=5)], **OLD)
    assert played.to("number", AXIS).rule == "22.41A"
    played.to("withdraw", ALLIES)
    formed = {event.rule for event in played.events(ev.GroupsFormed)}
    placed = {event.rule for event in played.events(ev.MarkersPlaced)}
    shown = {event.rule for event in played.events(ev.GroupRevealed)}
    assert (formed, placed, shown) == ({"22.41A"}, {"22.421"}, {"22.53C"})


@pytest.mark.ledger("22.93E.1", edition="2008")
def test_a_group_that_submarines_attack_shows_its_ships_by_22_93e() -> None:
    played = quiet(
        [force("Line", cruisers=5, number=5)],
        search={"axis": [[5]]},
        answers={("axis", "submarines"): {SUB: "CG5"}},
        **OLD,
    )
    played.to("withdraw", ALLIES)
    (shown,) = played.events(ev.GroupRevealed)
    (attacked,) = played.events(air.SubmarineAttacked)
    (rolled,) = played.events(air.SubmarineTargetRolled)
    assert shown.rule == "22.93E"
    log = list(played.game.events())
    assert log.index(attacked) < log.index(shown) < log.index(rolled)


@pytest.mark.ledger("22.463T.n", edition="2008")
def test_22_463_is_surprise_and_not_where_naval_air_lands() -> None:
    played = air_table(
        fleet("Japan", kido_butai()),
        fleet("United States", TASK_FORCE_16),
        search={"axis": [[5]]},
        answers={("axis", "strike"): fly(5, akagi=3)},
        **OLD,
    )
    played.to_segment("withdrawal", 3)
    assert [event.rule for event in played.events(air.SurpriseRolled)] == ["22.463"]
    assert {event.rule for event in played.events(air.AirLanded)} == {"22.46"}


@pytest.mark.ledger("22.372F.1")
def test_raiders_are_fought_by_22_372() -> None:
    played = table(
        [force("Raiders", ships=["Kongo"])],
        [force("Hunters", cruisers=4)],
        kind="raider combat",
        interceptor="allies",
        **OLD,
    )
    played.to_end()
    (ended,) = played.events(ev.BattleEnded)
    formed = {event.rule for event in played.events(ev.GroupsFormed)}
    assert (ended.rule, formed) == ("22.372", {"22.372"})


@pytest.mark.ledger("22.56.1", edition="2008")
def test_everyone_is_told_which_charts_are_not_of_2008() -> None:
    battle = table([force("Line", cruisers=5)], [force("Foe", cruisers=5)], **OLD)
    operation = sailing([ONE], [HOME], **OLD)
    war = Game.new(war_setup({"at": "Axis Spring 1942"}), dice=ThrownDice(), key="00" * 16, edition="2008")
    for played in (battle.game, operation.game, war):
        told = [event for event in played.events() if isinstance(event, ev.InputTaken) and "edition" in event.value]
        assert {event.rule: event.what for event in told} == {
            "22.55": "the Naval Attack Table",
            "22.552A": "the Naval Nationality Chart",
        }
        assert all(event.to is Audience.EVERYONE for event in told)
    now = table([force("Line", cruisers=5)], [force("Foe", cruisers=5)])
    assert not [event for event in now.events(ev.InputTaken) if "edition" in event.value]
