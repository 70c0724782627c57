"""Seats without accounts: an invitation used once, devices that can be revoked, a code to recover the seat.

Tokens have 256 bits and are stored as SHA-256 only. They travel in a URL's fragment or a request's body, never in a path
or a query (trust.md, decision 7; str-1, link-1 to link-4, log-1).
"""

from __future__ import annotations

import hmac
import secrets
import time
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import Connection, and_, insert, select, update

from flagplot.core.errors import PlayerError
from flagplot.web.database import DEVICES, SEATS

PLAYERS = ("axis", "allies")
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # of recovery codes: nothing that looks like something else


class Seat(NamedTuple):
    """Somebody's place in a game."""

    game: str
    seat: str
    device: str


class Refused(PlayerError):
    """No such seat, or not yours: the two look alike."""


def new_token() -> str:
    """A secret nobody can guess."""
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """A public name nobody can guess either, so that games cannot be counted."""
    return secrets.token_urlsafe(16)


def hashed(token: str) -> str:
    """What is stored of a token."""
    return sha256(token.encode()).hexdigest()


def recovery_code() -> str:
    """Something to write on paper: four blocks of five."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(5)) for _ in range(4))


def invite(connection: Connection, game: str, seat: str) -> str:
    """A new seat, and the token that claims it once."""
    token = new_token()
    connection.execute(insert(SEATS).values(game=game, seat=seat, name="", invitation=hashed(token)))
    return token


def reinvite(connection: Connection, game: str, seat: str) -> str:
    """The host seats somebody else: all devices of the seat are revoked, and there is a new invitation."""
    token = new_token()
    connection.execute(update(DEVICES).where(and_(DEVICES.c.game == game, DEVICES.c.seat == seat)).values(revoked=True))
    done = connection.execute(
        update(SEATS)
        .where(and_(SEATS.c.game == game, SEATS.c.seat == seat))
        .values(invitation=hashed(token), recovery=None, claimed=None, name="")
    )
    if done.rowcount != 1:
        raise Refused("nobody sits there: that side is played by a bot")
    return token


class Claimed(NamedTuple):
    """A seat that is now somebody's: the secret of this device, and the code to get back in without it."""

    seat: Seat
    token: str
    recovery: str


def claim(connection: Connection, token: str, name: str, label: str) -> Claimed:
    """Use an invitation. Whoever comes second with the same one is told that it is taken."""
    row = connection.execute(select(SEATS).where(SEATS.c.invitation == hashed(token))).mappings().one_or_none()
    if row is None:
        raise Refused("this invitation is not known here, or has been used: ask the host for another")
    code = recovery_code()
    used = connection.execute(
        update(SEATS)
        .where(and_(SEATS.c.game == row["game"], SEATS.c.seat == row["seat"], SEATS.c.invitation == hashed(token)))
        .values(invitation=None, recovery=hashed(code), name=name[:60], claimed=time.time())
    )
    if used.rowcount != 1:
        raise Refused("this invitation is not known here, or has been used: ask the host for another")
    seat, secret = add_device(connection, row["game"], row["seat"], label)
    return Claimed(seat, secret, code)


def claim_all(connection: Connection, tokens: str, name: str, label: str) -> list[Claimed]:
    """Use an invitation, or two joined by a plus: who plays both sides at one screen has both seats, or neither."""
    given = tokens.split("+")
    if len(given) > len(PLAYERS):
        raise Refused("this invitation is not known here, or has been used: ask the host for another")
    return [claim(connection, token, name, label) for token in given]


def recover(connection: Connection, game: str, code: str, label: str) -> Claimed:
    """Come back with the recovery code. It is used up, and there is a new one."""
    rows = connection.execute(select(SEATS).where(SEATS.c.game == game)).mappings().all()
    given = hashed(code.strip().upper())
    for row in rows:
        if row["recovery"] and hmac.compare_digest(row["recovery"], given):
            fresh = recovery_code()
            connection.execute(
                update(SEATS)
                .where(and_(SEATS.c.game == game, SEATS.c.seat == row["seat"]))
                .values(recovery=hashed(fresh))
            )
            seat, secret = add_device(connection, game, row["seat"], label)
            return Claimed(seat, secret, fresh)
    raise Refused("this recovery code does not fit this game")


def enter(connection: Connection, game: str, token: str) -> Claimed:
    """Sit down with the token of a device that was added. It works once: the device gets another."""
    seat, secret = seat_of(connection, token, game), new_token()
    used = connection.execute(
        update(DEVICES)
        .where(and_(DEVICES.c.token == hashed(token), DEVICES.c.game == game, DEVICES.c.revoked.is_(False)))
        .values(token=hashed(secret))
    )
    if seat is None or used.rowcount != 1:
        raise Refused("this link is not known here, or has been used: make another on the first device")
    return Claimed(seat, secret, "")


def new_recovery(connection: Connection, game: str, seat: str) -> str:
    """A new recovery code; the old one is void."""
    code = recovery_code()
    connection.execute(
        update(SEATS).where(and_(SEATS.c.game == game, SEATS.c.seat == seat)).values(recovery=hashed(code))
    )
    return code


def add_device(connection: Connection, game: str, seat: str, label: str) -> tuple[Seat, str]:
    """One more device for a seat."""
    secret, id = new_token(), secrets.token_urlsafe(8)
    values = {
        "token": hashed(secret),
        "id": id,
        "game": game,
        "seat": seat,
        "label": label[:60],
        "created": time.time(),
    }
    connection.execute(insert(DEVICES).values(**values, revoked=False))
    return Seat(game, seat, id), secret


def seat_of(connection: Connection, token: str, game: str) -> Seat | None:
    """Whose device this is, in this game; None if nobody's."""
    row = (
        connection.execute(select(DEVICES).where(and_(DEVICES.c.token == hashed(token), DEVICES.c.revoked.is_(False))))
        .mappings()
        .one_or_none()
    )
    if row is None or not hmac.compare_digest(row["game"].encode(), game.encode()):
        return None
    return Seat(row["game"], row["seat"], row["id"])


def devices_of(connection: Connection, game: str, seat: str) -> list[dict[str, object]]:
    """The devices of a seat, those revoked as well."""
    rows = connection.execute(
        select(DEVICES).where(and_(DEVICES.c.game == game, DEVICES.c.seat == seat)).order_by(DEVICES.c.created)
    ).mappings()
    return [{key: row[key] for key in ("id", "label", "created", "revoked")} for row in rows]


def revoke(connection: Connection, game: str, seat: str, device: str) -> None:
    """A device of this seat is no longer let in."""
    done = connection.execute(
        update(DEVICES)
        .where(and_(DEVICES.c.game == game, DEVICES.c.seat == seat, DEVICES.c.id == device))
        .values(revoked=True)
    )
    if done.rowcount != 1:
        raise Refused("this seat has no such device")


def revoke_others(connection: Connection, seat: Seat) -> int:
    """Every other device of this seat is no longer let in; how many there were."""
    done = connection.execute(
        update(DEVICES)
        .where(and_(DEVICES.c.game == seat.game, DEVICES.c.seat == seat.seat, DEVICES.c.id != seat.device))
        .where(DEVICES.c.revoked.is_(False))
        .values(revoked=True)
    )
    return done.rowcount


def revoke_token(connection: Connection, token: str) -> None:
    """Whoever holds this token is no longer let in with it."""
    connection.execute(update(DEVICES).where(DEVICES.c.token == hashed(token)).values(revoked=True))
