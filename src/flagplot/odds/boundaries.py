"""Where a battle that is under way can be entered: at a boundary, from its state alone (22.41).

The law here: what is half done, a strike or an engagement, is left out; nothing else is changed.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from flagplot.core.sides import Audience, Side
from flagplot.model.events import GroupEliminated
from flagplot.model.fold import apply
from flagplot.model.forces import Engagement
from flagplot.model.ships import plus
from flagplot.model.state import Battle
from flagplot.odds.worlds import World

AFTER_STRIKES = (
    "fleet combat",
    "submarines",
    "withdrawal",
    "reinforcement",
)  # who was held back from one does not matter


def at_boundary(battle: Battle) -> Battle:
    """The battle at a boundary: what is half done, a strike or an engagement, is left out, its aircraft on their way
    home; an engagement in which nobody has fired yet is still to be fought."""
    if battle.fighting is not None and not battle.lines:
        battle = _put_back(battle, battle.fighting)
    if battle.strike is not None:
        striker = Side(battle.strike.side)
        naval = {key: number for key, number in battle.strike.squadrons.items() if "@" not in key}
        fleet = battle.fleets[striker]
        home = replace(fleet, aloft=plus(fleet.aloft, naval))
        battle = replace(battle, strike=None, fleets={**battle.fleets, striker: home})
    if battle.segment == "counterair" and any(
        group.patrol for fleet in battle.fleets.values() for group in fleet.groups
    ):
        battle = replace(battle, segment="carrier air")  # patrols fly already
    fleets = {
        side: replace(
            fleet,
            announced={},
            ready={},
            aloft=plus(fleet.aloft, fleet.ready),
            groups=tuple(replace(g, withheld={}) for g in fleet.groups)
            if battle.segment in AFTER_STRIKES
            else fleet.groups,
        )
        for side, fleet in battle.fleets.items()
    }
    return replace(battle, fighting=None, lines={}, shots={}, counterairs=(), fleets=fleets)


def entered(world: World) -> World:
    """A world at the boundary it can be entered at. A group with nothing left, which is said when the attack on it is over
    (20.511), is gone from it, and both sides know."""
    battle = at_boundary(world.battle)
    gone = [(side, group.number) for side in Side for group in battle.fleets[side].groups if group.empty]
    known = {side: _without(at_boundary(each), gone) for side, each in world.known.items()}
    return world._replace(battle=_without(battle, gone), known=known)


def _without(battle: Battle, gone: Iterable[tuple[Side, int]]) -> Battle:
    for side, number in gone:
        if any(group.number == number for group in battle.fleets[side].groups):
            battle = apply(battle, GroupEliminated(rule="20.511", to=Audience.EVERYONE, side=side, number=number))
    return battle


def _put_back(battle: Battle, engagement: Engagement) -> Battle:
    """Before an engagement that has begun. Where it is the first of its segment that is the beginning of the segment, from
    which the groups pair off as they did (22.521A)."""
    fleets = {side: replace(fleet, opponents=fleet.opponents[:-1]) for side, fleet in battle.fleets.items()}
    first = battle.step == "first" and not any(fleet.opponents for fleet in fleets.values())
    return replace(
        battle,
        fighting=None,
        fleets=fleets,
        step="pair" if first else battle.step,
        engagements=() if first else (engagement, *battle.engagements),
    )
