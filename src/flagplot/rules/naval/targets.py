"""22.12, 22.13, 22.141, 22.161, 22.162: what may be intercepted, in which hexes, and all that is met there.

An aim is one target of a question. A contact is a hex in which somebody tries to meet others: voyages and, on further
levels, attempts. What a contact catches is one force (AM-22).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from flagplot.core.rulebook import rule
from flagplot.model.interception import Level
from flagplot.model.operation import Contact, Leg, Operation, Try
from flagplot.rules.naval.activities import describe_leg
from flagplot.rules.naval.interceptors import caught_with, travel_together
from flagplot.rules.naval.passage import ANGLO_FRENCH, rows_of, voyage_of
from flagplot.rules.table import Ruleset, Table

HOLD = "hold"  # where what does not go stays
OF = "|"  # between a force or station and a unit of it


class Aim(NamedTuple):
    """Something that may be intercepted: its name in the question, in words, and the hexes to choose from."""

    key: str
    label: str
    hexes: tuple[str, ...]
    legs: tuple[str, ...] = ()  # first level: the leg aimed at
    contact: str = ""  # a battle to join
    met: tuple[str, ...] = ()  # attempts on one path


# -- what may be aimed at -------------------------------------------------------------------------


@rule("22.12", "22.13", "22.13A", "22.18D")
def aims_at_legs(rules: Ruleset, operation: Operation) -> list[Aim]:
    """22.12. Voyages whose path is known, each side of a strait apart, and on the way home each part after a parting."""
    aims: list[Aim] = []
    for leg in operation.wave.legs:
        if leg.demanded and leg.status == "under way":
            rows = _rows(rules, operation, leg)
            for index, row in enumerate(rows, start=1):
                key = f"{leg.id}/{index}" if len(rows) > 1 else leg.id
                label = describe_leg(leg) + (f", {row[0]} to {row[-1]}" if len(rows) > 1 else "")
                aims.append(Aim(key, label, row, (leg.id,)))
    return aims


@rule("22.13", "22.18D")
def _rows(rules: Ruleset, operation: Operation, leg: Leg) -> list[tuple[str, ...]]:
    """22.18D. The hexes in which a leg may be intercepted, one of each row. Ships that sail home from one hex by one path
    are one force until they part; then each part may be intercepted anew, whether the whole was or not (FP-108)."""
    partings = sorted({_parting(rules, operation, leg, other) for other in operation.wave.legs})
    rows: list[tuple[str, ...]] = []
    for row in rows_of(operation, leg):
        stretches: dict[int, list[str]] = {}
        for hex in row:
            stretches.setdefault(sum(leg.path.index(hex) > last for last in partings), []).append(hex)
        rows += map(tuple, stretches.values())
    return rows


@rule("22.18C", "22.18D")
def _parting(rules: Ruleset, operation: Operation, leg: Leg, other: Leg) -> int:
    """22.18D. How far a leg on its way home sails with another whose path is known too: the place in its path of the last
    hex they share, or its end if they are never one force."""
    end = len(leg.path) - 1
    if not (leg.returning and other.demanded and other.path[:2] == leg.path[:2]):
        return end
    pairs = zip(leg.path, other.path, strict=False)
    last = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs)) - 1
    return last if _together(rules, operation, leg, other, leg.path[last]) else end


@rule("22.12A", "22.12B", "22.161A", "22.161B", "22.162", "22.253")
def aims_at_tries(table: Table, level: Level) -> list[Aim]:
    """22.161. Where attempts of a level may be countered: in the hex of a battle, or earlier on their path.

    Attempts on one path are met together (22.162). Ships from port may be met where they lie, a patrol only in hexes
    that it enters (22.12A, 22.12B).
    """
    operation, wave = table.operation, table.operation.wave
    sailing = surface(wave.tries, level)
    aims: list[Aim] = []
    for id in dict.fromkeys(each.contact for each in sailing):
        hex = wave.contact(id).hex
        aims.append(Aim(id, f"{id}, in {hex}", (hex,), contact=id))
    for path in dict.fromkeys(_way(operation, each) for each in sailing):
        group = [each for each in sailing if _way(operation, each) == path]
        if path[:-1]:
            names = ", ".join(each.id for each in group)
            aims.append(Aim(f"meet {names}", f"{names} on the way to {path[-1]}", path[:-1], met=ids_of(group)))
    return aims


def _way(operation: Operation, attempt: Try) -> tuple[str, ...]:
    """The hexes in which an attempt may be met."""
    return attempt.path if operation.force(attempt.side, attempt.force).harbour else attempt.path[1:]


def surface(tries: Sequence[Try], level: Level) -> list[Try]:
    """The attempts of a level by ships that are on their way."""
    return [each for each in tries if each.level is level and each.status == "sailing" and not each.boat]


def ids_of(tries: Sequence[Try]) -> tuple[str, ...]:
    """Their names."""
    return tuple(each.id for each in tries)


# -- where ----------------------------------------------------------------------------------------


@rule("22.12", "22.141", "22.162", "22.915")
def contact_at(
    table: Table, level: Level, aim: Aim, hex: str, joined: Sequence[str] = (), *, boats: bool = False
) -> Contact:
    """22.12. The contact that attempts at a target in this hex lead to: one that is sought already, or a new one.

    `joined` are the contacts other ships go to.
    """
    wave = table.operation.wave
    if aim.contact:
        return wave.contact(aim.contact)
    met = _met(table, aim, hex, joined)
    for contact in wave.contacts:
        if contact.hex == hex and (set(aim.legs) & set(contact.legs) or set(met) & set(contact.met)):
            return contact
    return Contact(
        id=f"C{len(wave.contacts) + 1}",
        level=level,
        hex=hex,
        legs=_caught(table, wave.leg(aim.legs[0]), hex, boats) if aim.legs else (),
        met=met,
    )


@rule("22.13", "22.14E", "22.16")
def common_contact(table: Table, aim: Aim, joined: Sequence[str]) -> Contact | None:
    """22.14E. The contact that ships against a target must share because others have chosen its hex; None: they choose.

    Interceptors of which others already counter all in their battle are met there too: nobody is met in two hexes.
    """
    wave = table.operation.wave
    for contact in wave.contacts:
        same_row = set(aim.legs) & set(contact.legs) and contact.hex in aim.hexes
        if contact.id in joined and (same_row or set(aim.met) & set(contact.met)):
            return contact
    twice = _met_twice(table.operation, aim.met, joined)
    return wave.contact(twice[0]) if twice else None


@rule("22.13", "22.16")
def _met_twice(operation: Operation, met: Sequence[str], joined: Sequence[str]) -> list[str]:
    """22.13. Of the battles others join, those all of whose interceptors would be met before, were these met too."""
    before = [id for contact in operation.wave.contacts if contact.id in joined for id in contact.met]
    battles = battles_of(operation, met)
    return [battle for battle, bound in battles.items() if battle in joined and set(bound) <= {*before, *met}]


def battles_of(operation: Operation, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The battles these attempts are bound for, each with all attempts of their level by ships that are."""
    tries = operation.wave.tries
    return {
        first.contact: ids_of([each for each in surface(tries, first.level) if each.contact == first.contact])
        for first in tries
        if first.id in ids
    }


@rule("22.141", "22.141E", "22.18C")
def _caught(table: Table, leg: Leg, hex: str, boats: bool) -> tuple[str, ...]:
    """22.141. The voyages an interception in a hex catches: the one aimed at, and all in the hex with it.

    Whether their path was asked for plays no part.
    """
    operation = table.operation
    others = [each for each in operation.wave.legs if each.id != leg.id and each.status == "under way" and each.path]
    with_it = [
        each
        for each in others
        if not _taken(table, each, hex, boats) and _together(table.rules, operation, leg, each, hex)
    ]
    return (leg.id, *(each.id for each in with_it))


@rule("22.141", "22.141E")
def _together(rules: Ruleset, operation: Operation, leg: Leg, other: Leg, hex: str) -> bool:
    """22.141. Whether two voyages are caught together in a hex."""
    apart = ANGLO_FRENCH in operation.sea.restrictions
    return caught_with(rules, voyage_of(leg), voyage_of(other), hex, anglo_french_restrictions=apart).holds


@rule("22.13", "22.13A", "22.13E", "22.915")
def _taken(table: Table, leg: Leg, hex: str, boats: bool) -> bool:
    """22.13. Whether a voyage may not be intercepted in a hex: never there, or because it is in another hex.

    That is so on its side of a strait (22.13A) or of a parting (22.18D), and for ships only: submarines choose for themselves (22.915). Theirs
    are chosen last, so all hexes chosen before are those of ships.
    """
    row = next((row for row in _rows(table.rules, table.operation, leg) if hex in row), ())
    sought = [contact.hex for contact in table.operation.wave.contacts if leg.id in contact.legs]
    return not row or (hex in sought if boats else any(each in row for each in sought))


@rule("22.12B", "22.13", "22.162", "22.253", "22.254F")
def _met(table: Table, aim: Aim, hex: str, joined: Sequence[str]) -> tuple[str, ...]:
    """22.162. The attempts met in a hex on their way: those aimed at, and all that sail the same path there.

    Not those that other ships meet elsewhere: nobody is met in two hexes (22.13).
    """
    operation = table.operation
    tries = {each.id: each for each in operation.wave.tries}
    met = list(aim.met)
    for each in surface(list(tries.values()), tries[met[0]].level) if met else ():
        there = hex in _way(operation, each) and travel_together(table.rules, tries[met[0]].path, each.path, hex)
        taken = any(each.id in contact.met for contact in operation.wave.contacts if contact.id in joined)
        if there and each.id not in met and not taken and not _met_twice(operation, [*met, each.id], joined):
            met.append(each.id)
    return tuple(met)
