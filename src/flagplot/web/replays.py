"""A battle step by step: the board after every line of the story."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model.amendment_fold import all_groups
from flagplot.model.fold import apply, fold
from flagplot.model.operation import Operation
from flagplot.model.operation_fold import apply_operation
from flagplot.model.picture import is_told
from flagplot.model.state import Battle
from flagplot.model.war import War
from flagplot.model.war_fold import apply_war
from flagplot.play.game import Game
from flagplot.play.report import damaged
from flagplot.play.transcript import Storyteller
from flagplot.play.wording import Names
from flagplot.web.operation_view import operation_part
from flagplot.web.pieces import air_base
from flagplot.web.views import facts_of, fleet, names_of, strike
from flagplot.web.war_view import fighting, war_part


def replay_of(game: Game, side: Side | None, *, everything: bool) -> dict[str, Any]:
    """All the steps an audience was told, each with the board as it then was; for the referee all there are."""
    teller, battle, operation, war = Storyteller(), Battle(), Operation(), War()
    steps: list[dict[str, Any]] = []
    for event in game.table.log:
        if not everything and not is_told(side, event):
            continue
        battle = apply(battle, event)
        operation = apply_operation(operation, event)
        war = apply_war(war, event)
        for told in teller.tell(event):
            steps.append(
                {
                    "n": len(steps),
                    "level": told.level,
                    "text": told.text,
                    "round": battle.round,
                    "segment": battle.segment,
                    **at_sea(operation),
                    **at_war(war, battle),
                    **facts_of(told.event),
                }
            )
    return {"seat": "referee" if everything else side.value if side else "spectator", "steps": steps}


def at_sea(operation: Operation) -> dict[str, str]:
    """Of an operation: the phase, how far its voyages have come, and the contact being fought; of a battle nothing."""
    if operation.waters is None:
        return {}
    stage = operation.wave.stage if operation.waves else "announced"
    return {"phase": operation.phase, "stage": stage, "contact": operation.fought}


def at_war(war: War, battle: Battle) -> dict[str, str]:
    """Of the strategic war: the player turn, its stage, and whether raiders are fought; of anything else nothing."""
    if not war.names:
        return {}
    contact = "raiders" if fighting(war, battle) else ""
    return {"phase": str(war.now), "stage": war.stage or "begins", "war": "yes", "contact": contact}


def board_at(game: Game, side: Side | None, step: int, *, everything: bool) -> dict[str, Any]:
    """The board after a step of that story."""
    battle, operation, war, told = known_at(game, side, step, everything=everything)
    sides = {each.value: fleet(battle, each, mine=everything or each is side) for each in Side} if battle.fleets else {}
    return {
        "round": battle.round,
        "segment": battle.segment,
        "sides": sides,
        "strike": strike(battle),
        "operation": operation_part(operation, side, told, sees_all=everything),
        "war": war_part(war, battle, game.table.rules, told),
        "names": names_of(battle, operation, war),
    }


def known_at(
    game: Game, side: Side | None, step: int, *, everything: bool
) -> tuple[Battle, Operation, War, list[Event]]:
    """What an audience knew after a step: battle, operation and war, and the events it had been told."""
    teller, battle, operation, war, number = Storyteller(), Battle(), Operation(), War(), 0
    told: list[Event] = []
    for event in game.table.log:
        if not everything and not is_told(side, event):
            continue
        told.append(event)
        battle = apply(battle, event)
        operation = apply_operation(operation, event)
        war = apply_war(war, event)
        number += len(teller.tell(event))
        if number > step:
            break
    return battle, operation, war, told


def carried(events: Sequence[Event], *, over: bool) -> dict[str, Any]:
    """What to carry back to the campaign, as data: for each side what is sunk, damaged, hit or inverted, and its bases."""
    battle, names = fold(events), Names(events)
    sides: dict[str, Any] = {}
    for side in battle.fleets:
        known = battle.fleets[side]
        afloat = {ship.id: ship for group in all_groups(known) for ship in group.ships}
        hurt, cruisers = damaged(events, side)
        sides[side.value] = {
            "name": names.sides[side],
            "sunk": {"ships": [ship.name for ship in known.sunk], "light": dict(known.sunk_light)},
            "damaged": {"ships": hurt, "light": cruisers},
            "hits": {ship.name: ship.hits for ship in afloat.values() if ship.hits and not ship.damaged},
            "inverted": [each.group.describe() for each in known.returned if each.inverted],
            "returned": [
                {"ships": each.group.describe(), "base": each.base, "inverted": each.inverted, "why": each.why}
                for each in known.returned
            ],
            "bases": [air_base(each) for each in known.air_bases],
            "cargo_lost": list(dict.fromkeys(known.cargo_lost)),
            "supply_line_cut": known.line_cut,
            "squadrons_lost": dict(known.air_lost),
            "submarines_lost": dict(known.submarines_lost),
        }
    return {"over": over, "victor": battle.victor, "reasons": list(battle.reasons), "sides": sides}
