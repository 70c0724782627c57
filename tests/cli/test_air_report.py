"""Aircraft and submarines in the story and the report: what is left out, what is said, what was lost."""

from __future__ import annotations

import pytest

from flagplot.core.events import Event
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.forces import CombatGroup
from flagplot.model.squadrons import AirBase
from flagplot.play.air_transcript import AIR_SENTENCES, is_quiet_in_the_air
from flagplot.play.report import results
from flagplot.play.transcript import is_quiet
from tests.cli.air_story import (
    AKAGI,
    ALLIES,
    ELITE,
    ENTERPRISE,
    EVERYONE,
    JAPAN,
    NOTHING,
    joined,
    of,
    told,
    torpedoes,
)

# -- what is left out --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "event",
    [
        of(air.AirBasesListed, **NOTHING),
        of(air.SubmarinesMustered, submarines={}),
        of(air.DestroyersElsewhereListed, places={"Truk": {}}),
        of(air.PatrolsFlown, patrols={}),
        of(air.CoverAssigned, cover={}),
        of(air.CoverAnnounced, squadrons={}),
        of(air.AirSearchAssigned, squadrons={}),
        of(air.StrikeForcesReady, squadrons={}),
        of(air.StrikeOrderSet, sides=(JAPAN, ALLIES), results={JAPAN: 0, ALLIES: 0}),
        of(air.StrikeFlown, decks={}),
        of(air.StrikersLost, number=1, lost={}, aborted={}),
        of(air.DefendersLost, number=1, lost={}),
        of(air.DefendersWithheld, number=1, squadrons={}),
        of(air.DecksFilled, left={}, decks={}),
        of(air.AirLanded, ashore={}, lost={}),
        of(air.AirStatusDecided, base="Rabaul", inverted={}),
        of(air.StrikesEnded),
    ],
)
def test_nothing_is_said_where_nothing_flew_and_nothing_was_lost(event: Event) -> None:
    assert is_quiet(event)
    assert told(event)  # but it can be said


@pytest.mark.parametrize(
    "event",
    [
        of(air.AirBasesListed, **{**NOTHING, "research": {"radar": 1}}),
        of(air.AirLanded, ashore={}, lost=ELITE),
        of(air.DecksFilled, left={"kaga": ELITE}, decks={}),
        of(air.StrikersLost, number=1, lost={}, aborted=ELITE),
        of(air.StrikeFlown, decks={"akagi": ELITE}),
        of(air.StrikeOrderSet, sides=(JAPAN, ALLIES), results={JAPAN: 0, ALLIES: 1}),
        of(air.CoverRevealed, number=1, cover={}),
        of(air.AirDefenseRolled, number=1, level=0, dice=(), eliminated=0, aborted=0),
        torpedoes(),
    ],
)
def test_what_a_reader_would_miss_is_said(event: Event) -> None:
    assert not is_quiet_in_the_air(event)


def test_every_event_in_the_air_has_a_sentence_here() -> None:
    assert set(AIR_SENTENCES) == set(air.AIR_EVENTS)


# -- the report ---------------------------------------------------------------------------------------------------


def test_results_count_squadrons_lost_in_the_air_at_their_bases_and_with_their_carriers() -> None:
    battle: list[Event] = [
        joined(),
        of(
            air.AirBasesListed,
            ALLIES,
            **{**NOTHING, "air_bases": (AirBase("Midway", squadrons={"United States/NAS": 2}),)},
        ),
        ev.GroupsFormed(
            rule="22.4", to=EVERYONE, side=JAPAN, groups=(CombatGroup(1, ships=(AKAGI,)),), pending=(), home=()
        ),
        ev.GroupsFormed(
            rule="22.4", to=EVERYONE, side=ALLIES, groups=(CombatGroup(2, ships=(ENTERPRISE,)),), pending=(), home=()
        ),
        of(air.SubmarinesMustered, ALLIES, submarines={"United States/SUB": 2}),
        of(
            air.CounterairEnded,
            base="Midway",
            lost={"Japan/NAS/elite": 1},
            aborted={},
            back={},
            base_lost={"United States/NAS@Midway": 1, "United States/NAS@Midway (inverted)": 1},
            base_aborted={},
        ),
        of(air.SubmarineAttacked, ALLIES, number=1, submarine="United States/SUB"),
        torpedoes(side=ALLIES, submarine="United States/SUB", target="akagi", submarine_lost=True),
        ev.ShipHit(rule="20.5", to=EVERYONE, side=JAPAN, number=1, ship="akagi", name="Akagi", hits=3, fate="sunk"),
        of(
            air.SubmarinesReturned,
            ALLIES,
            submarines={"United States/SUB": 1},
            inverted=False,
            why="had no target (22.92)",
        ),
    ]
    text = "\n\n".join(results(battle))
    japan, allies = text.split("United States:")
    assert "- Sunk: Akagi" in japan
    assert "- Squadrons lost: 4 elite NAS" in japan and "- Submarines lost: none" in japan
    assert "- Squadrons lost: 2 NAS from Midway" in allies and "- Submarines lost: 1 submarine" in allies
    assert "- 1 submarine goes home, not inverted: had no target (22.92)" in allies


def test_a_battle_of_ships_alone_says_nothing_of_aircraft_and_submarines() -> None:
    text = "\n".join(results([joined(aircraft=False, submarines=False)]))
    assert "Squadrons" not in text and "Submarines" not in text
