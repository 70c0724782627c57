"""Seats: claiming and recovering them, the devices of each, signing out, and what the host may do about the others'.

A token is taken from a body and never from an address; looking at a link changes nothing (trust.md, link-1 to link-4).
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field
from sqlalchemy import Connection

from flagplot.core.errors import GameError, PlayerError
from flagplot.core.sides import SIDES
from flagplot.web import seats
from flagplot.web.asking import (
    cookies_of,
    hall_of,
    my_seat,
    seat_in,
    seated,
    seats_held,
    slow_down,
    token_for,
    unseat,
)
from flagplot.web.bodies import Body
from flagplot.web.hall import UnknownGame
from flagplot.web.standing import pause_for_somebody_new

router = APIRouter(prefix="/api")


class Claim(Body):
    """An invitation to be used."""

    token: str = Field(max_length=100)
    name: str = Field("", max_length=60)
    device: str = Field("", max_length=60)


class Recovery(Body):
    """A recovery code."""

    code: str = Field(max_length=60)
    device: str = Field("", max_length=60)


class Entry(Body):
    """The token of a device that was added from another one."""

    token: str = Field(max_length=100)


class Name(Body):
    """A seat, or a device."""

    name: str = Field(max_length=60)


# -- sitting down and getting up ----------------------------------------------------------------------


@router.post("/claim")
def claim(body: Claim, request: Request, response: Response) -> dict[str, Any]:
    """Use an invitation. The seat is then this device's; the recovery code is shown once.

    Two invitations joined by a plus, as the link for two people at one screen has them, are used together or not at
    all; the second seat is then told under `also`.
    """
    slow_down(request)
    with hall_of(request).database.write() as connection:
        claimed = seats.claim_all(connection, body.token, body.name, body.device)
    told, *also = [seated(request, response, each) for each in claimed]
    return told | ({"also": also} if also else {})


@router.post("/games/{game}/recover")
def recover(game: str, body: Recovery, request: Request, response: Response) -> dict[str, Any]:
    """Come back to a seat with its recovery code."""
    slow_down(request)
    with hall_of(request).database.write() as connection:
        claimed = seats.recover(connection, game, body.code, body.device)
    return seated(request, response, claimed)


@router.post("/games/{game}/devices/enter")
def enter(game: str, body: Entry, request: Request, response: Response) -> dict[str, Any]:
    """Let this browser in with the token of an added device. The token works once: the browser gets another."""
    slow_down(request)
    with hall_of(request).database.write() as connection:
        claimed = seats.enter(connection, game, body.token)
    return seated(request, response, claimed)


@router.post("/games/{game}/recovery")
def new_recovery_code(game: str, request: Request) -> dict[str, str]:
    """A new recovery code for your seat, shown once; the old one is void."""
    seat = my_seat(request, game)
    with hall_of(request).database.write() as connection:
        return {"recovery": seats.new_recovery(connection, game, seat.seat)}


@router.post("/games/{game}/signout")
def sign_out(game: str, request: Request, response: Response) -> dict[str, Any]:
    """Sign this browser out of the game: of the seat named with `as`, else of all it holds here. Its keys are void."""
    wanted = request.query_params.get("as")
    held = [my_seat(request, game).seat] if wanted else seats_held(request, game)
    if not held:
        raise UnknownGame("there is no such game here, or it is not yours to leave")
    with hall_of(request).database.write() as connection:
        _sign_out(connection, request, response, [(game, seat) for seat in held])
    hall_of(request).wake(game)
    return {"ok": True, "seats": held}


@router.post("/signout")
def sign_out_everywhere(request: Request, response: Response) -> dict[str, Any]:
    """Sign this browser out of every game. Its keys are void; recovery codes bring one back."""
    everywhere = cookies_of(request)
    with hall_of(request).database.write() as connection:
        _sign_out(connection, request, response, everywhere)
    for game in dict.fromkeys(game for game, _ in everywhere):
        hall_of(request).wake(game)
    return {"ok": True}


def _sign_out(connection: Connection, request: Request, response: Response, places: list[tuple[str, str]]) -> None:
    for game, seat in places:
        seats.revoke_token(connection, token_for(request, game, seat))
        unseat(request, response, game, seat)


# -- devices ------------------------------------------------------------------------------------------


@router.get("/games/{game}/devices")
def devices(game: str, request: Request) -> list[dict[str, Any]]:
    """The devices of your seat: when each was added, which was sent away, and which is the one that asks (`here`)."""
    seat = my_seat(request, game)
    with hall_of(request).database.read() as connection:
        found = seats.devices_of(connection, game, seat.seat)
    return [each | {"here": each["id"] == seat.device} for each in found]


@router.post("/games/{game}/devices", status_code=201)
def add_device(game: str, body: Name, request: Request) -> dict[str, str]:
    """A token for one more device of your seat; it is shown once."""
    seat = my_seat(request, game)
    with hall_of(request).database.write() as connection:
        known = [each for each in seats.devices_of(connection, game, seat.seat) if not each["revoked"]]
        if len(known) >= request.app.state.settings.limits.devices_a_seat:
            raise PlayerError("this seat has as many devices as it may have: revoke one first")
        added, token = seats.add_device(connection, game, seat.seat, body.name)
    return {"id": added.device, "token": token}


@router.post("/games/{game}/devices/revoke-others")
def revoke_others(game: str, request: Request) -> dict[str, Any]:
    """All devices of your seat but this one are no longer let in; the answer says how many that were."""
    seat = my_seat(request, game)
    with hall_of(request).database.write() as connection:
        revoked = seats.revoke_others(connection, seat)
    hall_of(request).wake(game)
    return {"ok": True, "revoked": revoked}


@router.post("/games/{game}/devices/{device}/revoke")
def revoke_device(game: str, device: str, request: Request) -> dict[str, Any]:
    """A device of your seat is no longer let in."""
    seat = my_seat(request, game)
    with hall_of(request).database.write() as connection:
        seats.revoke(connection, game, seat.seat, device)
    hall_of(request).wake(game)
    return {"ok": True}


# -- the host -------------------------------------------------------------------------------------------


@router.post("/games/{game}/reseat")
def reseat(game: str, body: Name, request: Request) -> dict[str, Any]:
    """The host gives a seat to somebody else: a new invitation. Both sides see it in the list of seats and in the notes."""
    seat = seat_in(request, game)
    if seat is None or seat.seat != "host" or body.name not in (*SIDES, "referee"):
        raise UnknownGame("there is no such game here, or it is not yours to seat")
    hall = hall_of(request)
    try:
        names = {side.value: name for side, name in hall.game(game).game.header.setup.public.names.items()}
    except GameError:  # there is no battle yet, or it cannot be replayed
        names = {}
    at = hall.public_length(game)
    with hall.database.write() as connection:
        token = seats.reinvite(connection, game, body.name)
        pause_for_somebody_new(connection, game, body.name)
        hall.note(
            connection, game, at, "host", f"the host has seated somebody new as {names.get(body.name, body.name)}"
        )
    hall.wake(game)
    return {"invitation": f"{request.app.state.settings.address}/join#{token}"}
