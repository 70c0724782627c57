"""Amendments as players propose them: a few words and numbers in, a change out; and a change in words.

A proposal is read by what its proposer knows: a side by its picture, the host by what everyone knows, the referee by
the truth. So a refusal tells nobody what he was not told. Light ships, additions, squadrons aboard and cargo are for the owner or the
referee to propose: nobody else knows enough to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from flagplot.core.errors import IllegalChoice, UnknownName
from flagplot.core.events import Event
from flagplot.core.sides import SIDES, Side
from flagplot.model.amendments import (
    Amended,
    Amendment,
    AmendmentAgreed,
    AmendmentLapsed,
    CargoPutRight,
    Change,
    LapseExplained,
    LightShipsRemoved,
    ShipPutRight,
    ShipsAdded,
    SquadronsSet,
    WingSet,
)
from flagplot.model.forces import Cargo
from flagplot.model.ships import Ship, as_seen, light, light_key
from flagplot.model.squadrons import squadron_label
from flagplot.model.state import Battle, Fleet
from flagplot.play.wording import Names, counted, light_parts, listed, squadron_parts
from flagplot.rules.amendments import AMENDMENT, refusal, ships_afloat
from flagplot.scenarios.ships import find_ship, slug

REFEREE = "referee"
STATES = ("hits", "damaged", "undamaged", "sunk", "restored")


def read_change(wanted: Mapping[str, Any], battle: Battle, by: str) -> Change:
    """The change that is meant, or IllegalChoice. `battle` is what `by` knows of it; ships go by their names."""
    side = SIDES[wanted["side"]]
    kind = wanted["kind"]
    if not battle.fleets:
        raise IllegalChoice(
            AMENDMENT, "no battle is being fought: there is no ship or squadron that could be put right."
        )
    fleet = battle.fleets[side]
    if by not in (side, REFEREE) and (
        kind in ("add", "remove", "cargo") or (kind == "squadrons" and not _base(fleet, wanted["at"]))
    ):
        raise IllegalChoice(AMENDMENT, f"only {fleet.name} can propose that: it concerns what others do not know.")
    change: Change
    if kind == "ship":
        change = _ship(battle, side, wanted)
    elif kind == "add":
        change = _addition(side, wanted)
    elif kind == "remove":
        change = LightShipsRemoved(side, wanted["to"], dict(wanted["light"]), wanted.get("sunk", True))
    elif kind == "squadrons":
        change = _squadrons(battle, side, wanted)
    else:
        cargo = Cargo(wanted["name"], wanted.get("needs", 1), wanted.get("by", "DD"))
        change = CargoPutRight(side, wanted["to"], cargo, wanted.get("aboard", True))
    why = refusal(battle, change)
    if why:
        raise IllegalChoice(AMENDMENT, f"{why}.")
    return change


def _base(fleet: Fleet, at: str) -> str:
    return next((base.name for base in fleet.air_bases if slug(base.name) == slug(at)), "")


def _called(name: str, ships: Sequence[Ship], what: str) -> Ship:
    for ship in ships:
        if slug(ship.name) == slug(name) or ship.id == name:
            return ship
    raise IllegalChoice(AMENDMENT, f"{name[:60]!r} is not known to be {what}.")


def _ship(battle: Battle, side: Side, wanted: Mapping[str, Any]) -> ShipPutRight:
    state, hits = wanted["becomes"], wanted.get("hits", 0)
    if state == "restored":
        ship = _called(wanted["ship"], battle.fleets[side].sunk, "sunk")
        back = _as_hurt(ship, hits, damaged=bool(wanted.get("damaged", False)))
        return ShipPutRight(side, back, "restored", wanted.get("to", ""))
    ship = as_seen(_called(wanted["ship"], ships_afloat(battle, side), "afloat"))
    if state == "sunk":
        return ShipPutRight(side, ship, "sunk")
    return ShipPutRight(side, _as_hurt(ship, hits if state == "hits" else 0, damaged=state == "damaged"))


def _as_hurt(ship: Ship, hits: int, *, damaged: bool) -> Ship:
    """A ship as the battle leaves her: one it damaged has the hits that did it, so that the next sinks her (20.513C)."""
    return replace(as_seen(ship), hits=(ship.size - 1 if damaged and not hits else hits), damaged=damaged)


def _addition(side: Side, wanted: Mapping[str, Any]) -> ShipsAdded:
    try:
        ships = tuple(replace(find_ship(name), wing={}) for name in wanted.get("ships", ()))
    except UnknownName as unknown:
        raise IllegalChoice(AMENDMENT, f"{unknown}.") from None
    return ShipsAdded(side, wanted["to"], ships, dict(wanted.get("light", {})))


def _squadrons(battle: Battle, side: Side, wanted: Mapping[str, Any]) -> SquadronsSet:
    base = _base(battle.fleets[side], wanted["at"])
    if base:
        return SquadronsSet(side, base, base, wanted["key"], wanted["number"])
    ship = _called(wanted["at"], ships_afloat(battle, side), "a carrier afloat, or an air base")
    return SquadronsSet(side, ship.id, ship.name, wanted["key"], wanted["number"])


# -- in words -------------------------------------------------------------------------------------------------


def change_in_words(change: Change, names: Names) -> str:
    """A change as everyone reads it, before and after it is agreed."""
    of = names.of(change.side)
    if isinstance(change, ShipPutRight):
        if change.fate == "sunk":
            return f"{of} {change.ship.name} is sunk"
        state = "damaged" if change.ship.damaged else counted(change.ship.hits, "hit")
        if change.fate == "restored":
            return f"{of} {change.ship.name} is afloat after all, in {change.to}: {state}"
        return f"{of} {change.ship.name}: {state}{'' if change.ship.damaged else ', not damaged'}"
    if isinstance(change, ShipsAdded):
        return f"{of} {change.to} also has {listed([*(ship.name for ship in change.ships), *_counts(change.light)])}"
    if isinstance(change, LightShipsRemoved):
        verb = "loses" if change.sunk else "never had"
        return f"{of} {change.to} {verb} {listed(_counts(change.light))}"
    if isinstance(change, CargoPutRight):
        verb = "also carries" if change.aboard else "does not carry"
        return f"{of} {change.to} {verb} {change.cargo.name}"
    return f"{of} {change.name} has {change.number or 'no'} {squadron_label(change.key)}"


def _counts(counts: Mapping[str, int]) -> list[str]:
    parts = []
    for key, number in counts.items():
        nation, kind, state = light(key)
        parts += [f"{nation} {part}" for part in light_parts({light_key(nation, kind, state): number})]
    return parts


def proposed_by(amendment: Amendment, names: Names) -> str:
    """Who proposed an amendment, and who agreed."""
    called = [
        names.sides.get(SIDES[who], who) if who in SIDES else f"the {who}" for who in (amendment.by, *amendment.agreed)
    ]
    agreed = f", {listed(called[1:])} agreed" if called[1:] else ""
    words = f": “{amendment.words}”" if amendment.words else ""
    return f"{called[0]} proposed it{agreed}{words}"


def agreed_sentence(event: AmendmentAgreed, names: Names) -> str:
    """An amendment as it is agreed."""
    told = change_in_words(event.amendment.change, names)
    return f"Amendment from the next segment on: {told}. {proposed_by(event.amendment, names)}"


def amended_sentence(event: Amended, names: Names) -> str:
    """An amendment as it takes effect."""
    return f"Amended by agreement: {change_in_words(event.amendment.change, names)}"


def lapsed_sentence(event: AmendmentLapsed, names: Names) -> str:
    """An amendment that no longer fits."""
    return f"The amendment no longer fits and lapses: {change_in_words(event.amendment.change, names)}"


def explained_sentence(event: LapseExplained, names: Names) -> str:
    """Why it does not, to the side it was about."""
    return f"It lapses because {event.why}"


def wing_sentence(event: WingSet, names: Names) -> str:
    """A carrier's air after an amendment."""
    return f"{event.name} now has {listed(squadron_parts(event.squadrons), 'no squadrons')} aboard"


AMENDMENT_SENTENCES: dict[type[Event], Callable[[Any, Names], str]] = {
    AmendmentAgreed: agreed_sentence,
    Amended: amended_sentence,
    AmendmentLapsed: lapsed_sentence,
    LapseExplained: explained_sentence,
    WingSet: wing_sentence,
}
