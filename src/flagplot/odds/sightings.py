"""What a side has been shown and told of its enemy in this battle: the fold of its events, and nothing else.

The law here: what was disclosed of a group holds until it is shown or made up anew, and a ship that was shown is not hidden.
"""

from __future__ import annotations

from msgspec.structs import replace

from flagplot.core.sides import Side
from flagplot.model.events import (
    BattleJoined,
    Departed,
    Detached,
    Evaded,
    GroupEliminated,
    GroupFound,
    GroupRevealed,
    MarkersHidden,
)
from flagplot.model.forces import CombatGroup, Disclosed
from flagplot.model.picture import Picture
from flagplot.model.state import Fleet
from flagplot.odds.worlds import NoOdds


def enemy_of(picture: Picture) -> Fleet:
    """The enemy as this side knows him."""
    return picture.battle.fleets[side_of(picture).enemy]


def side_of(picture: Picture) -> Side:
    """Whose picture it is."""
    if picture.side is None:
        raise NoOdds("a spectator has no odds: they are given to a side, from what it knows")
    return picture.side


def markers(picture: Picture) -> list[CombatGroup]:
    """The enemy's hidden groups, each with what its owner has said of it in this battle. That holds in later rounds too: a
    group that is attacked is shown (22.423B), and otherwise nothing changes in it."""
    side = side_of(picture).enemy
    said: dict[int, Disclosed] = {}
    for event in picture.events:
        if isinstance(event, BattleJoined):
            said = {}
        elif getattr(event, "side", None) is not side:
            continue
        elif isinstance(event, GroupFound):
            before = said.get(event.number)
            if before is None or before.steps <= event.disclosed.steps:  # of 2008: fewer results tell less
                said[event.number] = event.disclosed
        elif isinstance(event, Evaded) and event.number in said:
            said[event.new_number] = said.pop(event.number)
        elif isinstance(event, GroupEliminated | Detached):
            said.pop(event.number, None)
        elif isinstance(event, Departed):
            said = {number: told for number, told in said.items() if number not in event.whole}
        elif isinstance(event, MarkersHidden):  # made up anew
            over = (*event.numbers, *event.gone)
            said = {} if event.renumbered else {number: told for number, told in said.items() if number not in over}
    hidden = (group for group in enemy_of(picture).groups if group.hidden)
    return [replace(group, disclosed=said.get(group.number)) for group in hidden]


def seen_ships(picture: Picture) -> set[str]:
    """Ships of which it is known where they are: sunk, gone home, or in a group that was shown."""
    fleet = enemy_of(picture)
    groups = (*fleet.groups, *fleet.withdrawn, *fleet.detached, *shown_groups(picture))
    return {ship.id for group in groups for ship in group.ships} | {ship.id for ship in fleet.sunk}


def shown_groups(picture: Picture) -> list[CombatGroup]:
    """The enemy's groups whose contents were shown in this battle, each as it was first shown, whatever became of it."""
    side = side_of(picture).enemy
    gone: list[CombatGroup] = []
    shown: dict[int, CombatGroup] = {}
    for event in picture.events:
        if isinstance(event, BattleJoined):
            gone, shown = [], {}
        elif getattr(event, "side", None) is not side:
            continue
        elif isinstance(event, GroupRevealed):
            shown.setdefault(event.group.number, event.group)
        elif isinstance(event, Evaded) and event.number in shown:
            shown[event.new_number] = shown.pop(event.number)
        elif isinstance(event, GroupEliminated):
            gone += [shown.pop(event.number)] if event.number in shown else []
        elif isinstance(event, Departed):
            gone += [shown.pop(number) for number in event.whole if number in shown]
        elif isinstance(event, MarkersHidden):  # made up anew
            shown = {} if event.renumbered else {n: each for n, each in shown.items() if n not in event.numbers}
    return [*gone, *shown.values()]
