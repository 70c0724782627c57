"""A story of aircraft and submarines, told in events made by hand: what the tests of its words share."""

from __future__ import annotations

from typing import Any

from flagplot.core.events import Event, Modifiers
from flagplot.core.sides import Audience, Side
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import Ship
from flagplot.play.transcript import sentence
from flagplot.play.wording import Names

EVERYONE = Audience.EVERYONE
JAPAN, ALLIES = Side.AXIS, Side.ALLIES
AKAGI = Ship("akagi", "Akagi", "Japan", "CV", 3, wing={"Japan/NAS/elite": 3})
ENTERPRISE = Ship("enterprise", "Enterprise", "United States", "CV", 3, wing={"United States/NAS": 3})
ELITE = {"Japan/NAS/elite": 4}
DUE = Modifiers().plus("23.441A", "Japan", 3).plus("23.441B", "against United States", -2)


def joined(**changes: Any) -> ev.BattleJoined:
    facts: dict[str, Any] = {
        "rule": "22.31",
        "to": EVERYONE,
        "title": "Midway",
        "theatre": "Pacific",
        "kind": "naval battle",
        "interceptor": ALLIES,
        "round": 1,
        "names": {JAPAN: "Japan", ALLIES: "United States"},
        "tactical": {JAPAN: 0, ALLIES: 0},
        "search_advantage": {JAPAN: 0, ALLIES: 0},
        "aircraft": True,
        "submarines": True,
        "western_front": False,
        "inputs": "default",
    }
    return ev.BattleJoined(**{**facts, **changes})


def of(kind: type[Event], side: Side = JAPAN, **facts: Any) -> Event:
    whose = {} if kind is air.StrikeOrderSet else {"side": side}
    return kind(**{"rule": "23.1", "to": EVERYONE, **whose, **facts})


def told(event: Event, *before: Event) -> str:
    """The sentence, without the rule's number that must end it."""
    text = sentence(event, Names([joined(), *before]))
    assert text.endswith(" (23.1)"), text
    return text.removesuffix(" (23.1)")


NOTHING: dict[str, Any] = {
    "air_bases": (),
    "air_range": 0,
    "carrier_range": 0,
    "impaired_air": (),
    "winter_air": (),
    "research": {},
    "submarine_codebreaking": 0,
    "excess_asw": {},
}


def strike() -> list[Event]:
    """A surprise strike by six elite squadrons on CG2, from the launch to the way home."""
    us = "United States/NAS"
    return [
        of(air.StrikeOrderSet, sides=(JAPAN, ALLIES), results={JAPAN: 2, ALLIES: 1}),
        of(air.StrikeFlown, decks={"akagi": {"Japan/NAS/elite": 3}}),
        of(air.StrikeAnnounced, number=2, squadrons={"Japan/NAS/elite": 6}, surprise=True),
        of(
            air.SurpriseRolled,
            number=2,
            dice=(3,),
            modifiers=Modifiers().plus("23.74122A", "search results", 1),
            level=4,
        ),
        of(air.CoverRevealed, ALLIES, number=2, cover={"United States/AAS/cover@Midway": 1}),
        of(air.DefendersWithheld, ALLIES, number=2, squadrons={us: 1}),
        of(
            air.AirCombatJoined,
            number=2,
            fighting={"Japan/NAS/elite": 2},
            defenders={us: 1, "United States/AAS/cover@Midway": 1},
        ),
        of(
            air.AirCombatFought,
            number=2,
            rows={JAPAN: 2, ALLIES: 2},
            modifiers=DUE,
            dice={JAPAN: (6, 4), ALLIES: (1, 2)},
            eliminated={JAPAN: 1, ALLIES: 0},
            aborted={JAPAN: 3, ALLIES: 1},
        ),
        of(air.StrikersLost, number=2, lost={}, aborted={"Japan/NAS/elite": 1}),
        of(air.DefendersLost, ALLIES, number=2, lost={us: 1}),
        of(
            air.AirDefenseCounted,
            ALLIES,
            number=2,
            level=Modifiers().plus("23.42", "19 naval factors", 2).plus("23.7413", "surprise", -1),
        ),
        of(air.AirDefenseRolled, ALLIES, number=2, level=1, dice=(5, 5), eliminated=1, aborted=0),
        of(air.StrikersLost, number=2, lost={"Japan/NAS/elite": 1}, aborted={}),
        ev.GroupRevealed(rule="23.1", to=EVERYONE, side=ALLIES, group=CombatGroup(2, ships=(ENTERPRISE,))),
        of(
            air.AirTargetsChosen,
            number=2,
            targets={"enterprise": {"Japan/NAS/elite": 3}, "light": {"Japan/NAS/elite": 1}},
        ),
        of(
            air.AirAttackRolled,
            number=2,
            target="enterprise",
            name="Enterprise",
            squadrons={"Japan/NAS/elite": 3},
            modifiers=DUE,
            dice=(4, 3),
            roll=8,
            hits=2,
        ),
        ev.ShipHit(
            rule="23.1",
            to=EVERYONE,
            side=ALLIES,
            number=2,
            ship="enterprise",
            name="Enterprise",
            hits=2,
            fate="damaged",
        ),
        of(
            air.AirAttackRolled,
            number=2,
            target="light",
            name="the light ships",
            squadrons={"Japan/NAS/elite": 1},
            modifiers=Modifiers(),
            dice=(2, 2),
            roll=4,
            hits=0,
        ),
        of(air.StrikeEnded, number=2, spent={}),
        of(air.StrikesEnded),
    ]


def torpedoes(**changes: Any) -> Event:
    facts: dict[str, Any] = {
        "number": 2,
        "submarine": "Japan/SUB",
        "target": "enterprise",
        "name": "Enterprise",
        "modifiers": Modifiers().plus("22.9414", "destroyers", -2),
        "dice": (5, 5),
        "roll": 8,
        "hits": 2,
        "submarine_lost": False,
    }
    return of(air.TorpedoesFired, **{**facts, **changes})
