"""A battle step by step: the board after every line of the story."""

from __future__ import annotations

from typing import Any

from flagplot.core.sides import Side
from flagplot.model.fold import apply
from flagplot.model.picture import is_told
from flagplot.model.state import Battle
from flagplot.play.game import Game
from flagplot.play.transcript import Storyteller
from flagplot.web.views import _facts, fleet, strike


def replay_of(game: Game, side: Side | None, *, everything: bool) -> dict[str, Any]:
    """All the steps an audience was told, each with the board as it then was; for the referee all there are."""
    teller, battle = Storyteller(), Battle()
    steps: list[dict[str, Any]] = []
    for event in game.table.log:
        if not everything and not is_told(side, event):
            continue
        battle = apply(battle, event)
        for told in teller.tell(event):
            steps.append(
                {
                    "n": len(steps),
                    "level": told.level,
                    "text": told.text,
                    "round": battle.round,
                    "segment": battle.segment,
                    **_facts(told.event),
                }
            )
    return {"seat": "referee" if everything else side.value if side else "spectator", "steps": steps}


def board_at(game: Game, side: Side | None, step: int, *, everything: bool) -> dict[str, Any]:
    """The board after a step of that story."""
    teller, battle, number = Storyteller(), Battle(), 0
    for event in game.table.log:
        if not everything and not is_told(side, event):
            continue
        battle = apply(battle, event)
        number += len(teller.tell(event))
        if number > step:
            break
    sides = {each.value: fleet(battle, each, mine=everything or each is side) for each in Side} if battle.fleets else {}
    return {"round": battle.round, "segment": battle.segment, "sides": sides, "strike": strike(battle)}
