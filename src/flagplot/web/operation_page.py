"""What the page of an operation asks beside its board: the chances of orders that are being drafted (22.2)."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import Field

from flagplot.core.errors import IllegalChoice, StaleRequest
from flagplot.web.asking import hall_of, player
from flagplot.web.bodies import Body
from flagplot.web.operation_odds import chances_together
from flagplot.web.release import asked
from flagplot.web.war_odds import expected_of, is_reckoned

router = APIRouter(prefix="/api")


class Plan(Body):
    """An answer that is being drafted, and for its targets the hex that is looked at."""

    answer: Any = None
    hexes: dict[str, str] = Field(default={}, max_length=100)


@router.post("/games/{game}/chances")
def chances(game: str, body: Plan, request: Request) -> dict[str, Any]:
    """Who would arrive when, if you gave these orders: exact, from what you know. Nothing is changed."""
    side = player(request, game)
    with hall_of(request).holding(game) as live:
        decision = live.game.decision(side) if asked(live, side) else None
        if decision is None or live.closed:
            raise StaleRequest("nothing is asked of you now")
        try:
            if is_reckoned(decision):
                return expected_of(live.game, side, decision, body.answer)
            told = chances_together(live.game, side, decision, body.answer, body.hexes)
        except IllegalChoice as refusal:
            return {"rows": [], "rule": refusal.rule, "reason": refusal.reason}
    return told or {"rows": []}
