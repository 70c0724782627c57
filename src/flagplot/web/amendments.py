"""Amendments: something forgotten or mistyped, proposed by one, read word for word and accepted by the other.

A proposal is judged by what its proposer knows (play/amendments.py) and waits in the game's row until it is accepted,
declined or withdrawn; accepted, it is a line of the journal. Where nobody else plays it is accepted at once.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, cast

import msgspec
from fastapi import APIRouter, FastAPI, Request
from pydantic import Field

from flagplot.core.errors import PlayerError, StaleRequest
from flagplot.core.sides import SIDES, Side
from flagplot.model.amendments import Change
from flagplot.model.ships import LIGHT_KINDS, light
from flagplot.model.state import Battle
from flagplot.play.amendments import change_in_words, read_change
from flagplot.play.wording import Names
from flagplot.rules.amendments import ships_afloat
from flagplot.web.app import DecisionId
from flagplot.web.asking import hall_of, my_seat, too_many
from flagplot.web.bodies import Body
from flagplot.web.hall import LiveGame
from flagplot.web.seats import new_id

SideName = Literal["axis", "allies"]
Few = Annotated[int, Field(ge=0, le=99)]
Called = Annotated[str, Field(min_length=1, max_length=120)]
_change: msgspec.json.Decoder[Change] = msgspec.json.Decoder(cast(Any, Change))

REVEALS = "Both sides read an amendment word for word before they answer: it reveals what it says."


class ShipIs(Body):
    """A named ship's hits or damage, or that she is sunk, or afloat after all in the group `to`."""

    kind: Literal["ship"]
    side: SideName
    ship: Called
    becomes: Literal["hits", "damaged", "undamaged", "sunk", "restored"]
    hits: Few = 0
    damaged: bool = False
    to: str = Field("", max_length=120)


class ShipsForgotten(Body):
    """Ships forgotten in a group or force: named ones, and light ships by nation and kind ("Japan/DD")."""

    kind: Literal["add"]
    side: SideName
    to: Called
    ships: list[Called] = Field(default_factory=list, max_length=20)
    light: dict[Called, Few] = Field(default_factory=dict, max_length=20)


class ShipsTooMany(Body):
    """Light ships of a group, by nation and kind ("Japan/DD"), that are sunk after all, or that were never there."""

    kind: Literal["remove"]
    side: SideName
    to: Called
    light: dict[Called, Few] = Field(max_length=20)
    sunk: bool = True


class SquadronsAre(Body):
    """How many squadrons of a type ("Japan/NAS") a carrier or an air base has."""

    kind: Literal["squadrons"]
    side: SideName
    at: Called
    key: Called
    number: Few


class CargoIs(Body):
    """Something that a group carries, or does not carry."""

    kind: Literal["cargo"]
    side: SideName
    to: Called
    name: Called
    needs: Few = 1
    by: Literal["DD", "TR"] = "DD"
    aboard: bool = True


class Proposal(Body):
    """Something to be put right, and why."""

    id: DecisionId
    change: Annotated[ShipIs | ShipsForgotten | ShipsTooMany | SquadronsAre | CargoIs, Field(discriminator="kind")]
    words: str = Field("", max_length=200)


class Consent(Body):
    """The proposal that is meant; `id` is made by the sender, new for each answer."""

    id: DecisionId
    proposal: str = Field(max_length=40)


router = APIRouter(prefix="/api")


# -- what is known, and what waits ------------------------------------------------------------------------------


def known_to(live: LiveGame, seat: str) -> Battle:
    """The battle as a seat knows it: the referee everything, the host what everyone knows."""
    return live.game.battle if seat == "referee" else live.game.picture(SIDES.get(seat)).battle


def names_of(live: LiveGame) -> Names:
    """What the sides are called."""
    names = Names()
    names.sides.update(live.game.header.setup.public.names)
    return names


def to_agree(live: LiveGame, by: str) -> list[str]:
    """The seats that must agree to what `by` proposes: everybody else who plays."""
    if live.game.header.solitaire:
        return []
    return [side.value for side in live.people if side != by]


def proposal_for(live: LiveGame, seat: str) -> dict[str, Any] | None:
    """The amendment that waits, as both sides and a referee read it, and whoever proposed it; whether it waits for this
    seat."""
    if live.proposal is None:
        return None
    waits = json.loads(live.proposal)
    if seat not in (*SIDES, "referee", waits["by"]):
        return None
    missing = [each for each in to_agree(live, waits["by"]) if each not in waits["agreed"]]
    names = names_of(live)
    return {
        "id": waits["id"],
        "by": waits["by"],
        "by_name": names.sides[SIDES[waits["by"]]] if waits["by"] in SIDES else f"the {waits['by']}",
        "text": change_in_words(_read(waits["change"]), names),
        "words": waits["words"],
        "mine": waits["by"] == seat,
        "asked": seat in missing,
    }


def _read(change: Any) -> Change:
    return _change.decode(json.dumps(change).encode())


def offers(live: LiveGame, seat: str) -> dict[str, Any]:
    """What a seat could propose to put right: for each side the ships, groups, aircraft and cargo it knows of."""
    battle = known_to(live, seat)
    return {side.value: _offers(battle, side, whole=seat in (side.value, "referee")) for side in battle.fleets}


def _offers(battle: Battle, side: Side, *, whole: bool) -> dict[str, Any]:
    fleet = battle.fleets[side]
    formed = bool(fleet.groups) or battle.segment != "formation"
    places = [f"CG{group.number}" for group in fleet.groups if not group.hidden]
    places += [each.name for each in (fleet.pending if formed else fleet.forces)]
    ships = ships_afloat(battle, side)
    bases = [{"name": base.name, "has": dict(base.factors | base.squadrons)} for base in fleet.air_bases]
    decks = [{"name": ship.name, "has": dict(ship.wing)} for ship in ships if ship.is_carrier] if whole else []
    nations = sorted(
        {ship.nation for ship in ships} | {light(key).nation for group in fleet.groups for key in group.light}
    )
    return {
        "name": fleet.name,
        "whole": whole,
        "ships": [ship.name for ship in ships],
        "sunk": [ship.name for ship in fleet.sunk],
        "places": places,
        "air": [*decks, *bases],
        "cargo": [{"to": f"CG{group.number}", "name": item.name} for group in fleet.groups for item in group.cargo],
        "light": [f"{nation}/{kind}" for nation in nations for kind in LIGHT_KINDS] if whole else [],
    }


# -- addresses ----------------------------------------------------------------------------------------------------


@router.get("/games/{game}/amendments")
def look(game: str, request: Request) -> dict[str, Any]:
    """What could be put right, as far as you know, and the proposal that waits, if one does."""
    seat = my_seat(request, game).seat
    with hall_of(request).holding(game) as live:
        return {"proposal": proposal_for(live, seat), "sides": offers(live, seat), "reveals": REVEALS}


@router.post("/games/{game}/amendments")
def propose(game: str, body: Proposal, request: Request) -> dict[str, Any]:
    """Propose to put something right. It takes effect when the next segment begins after everybody else who plays has
    agreed; where nobody else plays, that is at once. Both sides read it word for word."""
    seat = my_seat(request, game).seat
    hall = hall_of(request)
    with hall.holding(game) as live:
        known = hall.reply_to(game, body.id, seat)
        if known is not None:
            return known
        if live.game.over:
            raise StaleRequest("the battle is over: nothing can be put right any longer")
        if live.proposal is not None and json.loads(live.proposal)["by"] != seat:
            raise StaleRequest("another amendment waits for an answer: answer it first")
        change = read_change(body.change.model_dump(), known_to(live, seat), seat)
        if not to_agree(live, seat):
            return hall.amend(live, seat, body.id, change, by=seat, agreed=(), words=body.words)
        wait = request.app.state.asked_back.take(f"{game} {seat} amendment")
        if wait:
            raise too_many("you have proposed often enough to put something right: give the other side time", wait)
        waits = {"id": new_id(), "by": seat, "change": msgspec.to_builtins(change), "words": body.words, "agreed": []}
        hall.propose(live, json.dumps(waits).encode())
        return {"ok": False, "proposed": waits["id"]}


@router.post("/games/{game}/amendments/accept")
def accept(game: str, body: Consent, request: Request) -> dict[str, Any]:
    """Agree to the amendment that waits. When everybody has, it is in the journal."""
    seat = my_seat(request, game).seat
    hall = hall_of(request)
    with hall.holding(game) as live:
        known = hall.reply_to(game, body.id, seat)
        if known is not None:
            return known
        waits = _waiting(live, body.proposal)
        told = proposal_for(live, seat)
        if told is None or not told["asked"]:
            raise StaleRequest("this amendment does not wait for you")
        waits["agreed"].append(seat)
        if len(waits["agreed"]) < len(to_agree(live, waits["by"])):
            hall.propose(live, json.dumps(waits).encode())
            return {"ok": False, "proposed": waits["id"]}
        change = _read(waits["change"])
        try:
            return hall.amend(live, seat, body.id, change, by=waits["by"], agreed=waits["agreed"], words=waits["words"])
        except PlayerError:
            if not live.forgotten:
                hall.propose(live, None, seat, "The amendment no longer fits what has happened since.")
            raise


@router.post("/games/{game}/amendments/decline")
def decline(game: str, body: Consent, request: Request) -> dict[str, Any]:
    """Do not agree to the amendment that waits; or withdraw it, if it is your own."""
    seat = my_seat(request, game).seat
    hall = hall_of(request)
    with hall.holding(game) as live:
        waits = _waiting(live, body.proposal)
        if waits["by"] == seat:
            hall.propose(live, None, seat, "withdraws the amendment")
        elif seat in SIDES:
            hall.propose(live, None, seat, "does not agree to the amendment")
        else:
            raise StaleRequest("this amendment does not wait for you")
    return {"ok": True}


def _waiting(live: LiveGame, proposal: str) -> dict[str, Any]:
    waits: dict[str, Any] = json.loads(live.proposal) if live.proposal else {"id": ""}
    if not proposal or waits["id"] != proposal:
        raise StaleRequest("this amendment no longer waits: look again")
    return waits


def mount(app: FastAPI) -> None:
    """Add these addresses to the application."""
    app.include_router(router)
