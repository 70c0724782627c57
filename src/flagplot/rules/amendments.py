"""What both sides agreed to put right takes effect where nothing is alive but the state: when a segment begins.

No rule of the rulebook is at work here, and none is asked: two players who agree may put right what was forgotten or
mistyped. Whether a change makes sense is judged by what is known: `refusal` is handed a side's picture when that side
proposes something, and the truth when it is agreed and when it takes effect. What the truth says is for the side it is
about, not for whoever agrees: the strength of a hidden group may be the reason.
"""

from __future__ import annotations

import msgspec

from flagplot.core.errors import IllegalChoice
from flagplot.core.forms import Wire
from flagplot.core.sides import Audience, Side, only
from flagplot.model.amendment_fold import all_groups, is_factor, set_to, without
from flagplot.model.amendments import (
    FATES,
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
from flagplot.model.events import GroupEliminated
from flagplot.model.forces import CombatGroup, Force
from flagplot.model.ships import LIGHT_KINDS, Counts, Ship, light, number_of
from flagplot.model.squadrons import AirBase, squadron, total
from flagplot.model.state import Battle, Fleet
from flagplot.rules.naval.effects import cargo_shortage, stow_cargo
from flagplot.rules.table import Table

AMENDMENT = "amendment"  # stands where a rule's number stands
MOST = 99  # of a kind, as in a set-up
AIR_KINDS = {"carrier": ("NAS",), "base": ("NAS", "AAS", "JET", "ATR", "KAM", "AAF")}


# -- whether it makes sense ----------------------------------------------------------------------------------


def refusal(battle: Battle, change: Change) -> str:
    """Why a change cannot be made, in words; "" if it can."""
    if isinstance(change, ShipPutRight):
        return _ship_refusal(battle, change)
    if isinstance(change, ShipsAdded):
        return _addition_refusal(battle, change)
    if isinstance(change, LightShipsRemoved):
        return _removal_refusal(battle, change)
    if isinstance(change, SquadronsSet):
        return _squadrons_refusal(battle, change)
    return _cargo_refusal(battle, change)


def place_of(battle: Battle, side: Side, to: str) -> CombatGroup | Force | None:
    """The group meant by "CG2" or by a name; before groups are formed, the force. Not one whose contents are unknown."""
    fleet = battle.fleets[side]
    known = [group for group in (*fleet.groups, *fleet.pending) if not group.hidden]
    for group in known:
        if group.number and to.replace(" ", "") == f"CG{group.number}":
            return group
    for group in known:
        if to in (group.name, *group.name.split(" and ")):
            return group
    return next((force for force in _not_yet_formed(battle, side) if force.name == to), None)


def _not_yet_formed(battle: Battle, side: Side) -> tuple[Force, ...]:
    fleet = battle.fleets[side]
    return fleet.forces if battle.segment == "formation" and not fleet.groups else ()


def ships_afloat(battle: Battle, side: Side) -> tuple[Ship, ...]:
    """The named ships of a side known to be afloat, wherever they are. Where the order of battle lies open, an enemy knows
    the ships that were brought, though not in which of the hidden groups they are."""
    fleet = battle.fleets[side]
    known = [ship for group in all_groups(fleet) for ship in group.ships]
    brought = fleet.forces if any(group.hidden for group in fleet.groups) else _not_yet_formed(battle, side)
    told = {ship.id for ship in (*known, *fleet.sunk)}
    return (*known, *(ship for force in brought for ship in force.ships if ship.id not in told))


def _no_place(fleet: Fleet, to: str) -> str:
    return f"there is no group or force {to[:60]!r} of {fleet.name} whose ships are known"


def _ship_refusal(battle: Battle, change: ShipPutRight) -> str:
    ship = change.ship
    if change.fate not in FATES:
        return f"a ship is afloat, sunk or restored, not {change.fate[:20]!r}"
    fleet = battle.fleets[change.side]
    there = fleet.sunk if change.fate == "restored" else ships_afloat(battle, change.side)
    known = next((each for each in there if each.id == ship.id), None)
    if known is None or (known.name, known.kind, known.size) != (ship.name, ship.kind, ship.size):
        return f"{ship.name[:60]} is not known to be {'sunk' if change.fate == 'restored' else 'afloat'}"
    if change.fate == "restored" and place_of(battle, change.side, change.to) is None:
        return _no_place(battle.fleets[change.side], change.to)
    if change.fate != "sunk":
        return _hits_refusal(ship)
    return ""


def _hits_refusal(ship: Ship) -> str:
    if ship.hits < 0:
        return "hits are not negative"
    if ship.damaged and ship.hits not in (0, ship.size - 1):
        return f"{ship.name} is damaged, and any further hit sinks her (RC-10): leave the hits out (20.513)"
    if not ship.damaged and ship.hits and ship.hits >= ship.size - 1:
        return f"{ship.name} has {ship.size} factors, so {ship.hits} hits damage or sink her: say that instead (20.513)"
    return ""


def _addition_refusal(battle: Battle, change: ShipsAdded) -> str:
    if place_of(battle, change.side, change.to) is None:
        return _no_place(battle.fleets[change.side], change.to)
    if not change.ships and not change.light:
        return "nothing is added"
    why = _light_refusal(change.light)
    if why:
        return why
    fleet = battle.fleets[change.side]
    foreign = next((ship for ship in change.ships if ship.nation not in _nations(battle, change.side)), None)
    if foreign:
        return f"{fleet.name} has no ships of {foreign.nation} in this battle"
    there = {ship.id for side in Side for ship in (*ships_afloat(battle, side), *battle.fleets[side].sunk)}
    for ship in change.ships:
        if ship.id in there:
            return f"{ship.name} is in this battle already"
        there.add(ship.id)
        if _hits_refusal(ship) or ship.wing:
            return _hits_refusal(ship) or f"say apart how many squadrons {ship.name} has"
    return ""


def _nations(battle: Battle, side: Side) -> set[str]:
    """22.112. The nations that have ships on a side. No other side has any of theirs, so that a refusal to add a ship twice
    never tells what an enemy has."""
    fleet = battle.fleets[side]
    there: list[CombatGroup | Force] = [*all_groups(fleet), *fleet.forces]
    named = [*fleet.sunk, *(ship for each in there for ship in each.ships)]
    counts = [fleet.sunk_light, *(each.light for each in there)]
    return {ship.nation for ship in named} | {light(key).nation for each in counts for key in each}


def _light_refusal(counts: Counts) -> str:
    for key, number in counts.items():
        if key.count("/") not in (1, 2) or light(key).kind not in LIGHT_KINDS:
            return f"{key[:60]!r} is no kind of light ship"
        if light(key).state not in (("", "damaged") if light(key).kind == "CA" else ("",)):
            return f"{key[:60]!r} is no state such a ship can be named in"
        if not 0 < number <= MOST:
            return f"from 1 to {MOST} light ships of a kind can be named"
    return ""


def _removal_refusal(battle: Battle, change: LightShipsRemoved) -> str:
    group = place_of(battle, change.side, change.to)
    if group is None:
        return _no_place(battle.fleets[change.side], change.to)
    why = _light_refusal(change.light) or ("" if change.light else "nothing is taken away")
    if why:
        return why
    for key, number in change.light.items():
        there = group.light.get(key, 0) + group.light.get(f"{key}/loaded", 0)
        if number > there:
            return f"{change.to} has {there} {key}"
    left = without(group.light, change.light)
    for kind in cargo_shortage(group.cargo, {kind: number_of(left, kind) for kind in ("DD", "TR")}):
        return f"the {kind} left could not carry what is aboard: put the cargo right first (22.82A)"
    if not left and not group.ships and not (isinstance(group, CombatGroup) and group.number):
        return f"nothing would be left of {change.to}"
    return ""


def _squadrons_refusal(battle: Battle, change: SquadronsSet) -> str:
    place = _air_place(battle, change.side, change.at)
    if place is None:
        return f"{change.name[:60]} is no carrier or air base of {battle.fleets[change.side].name} that is known"
    kinds = AIR_KINDS["carrier" if isinstance(place, Ship) else "base"]
    if change.key.count("/") not in (1, 2) or "@" in change.key or squadron(change.key).kind not in kinds:
        return f"{change.key[:60]!r} is no kind of squadron that {change.name} can have"
    if change.number < 0:
        return "there cannot be fewer than no squadrons"
    if isinstance(place, Ship):
        room = place.size - total(place.wing) + place.wing.get(change.key, 0)
    else:
        there = place.factors if is_factor(change.key) else place.squadrons
        each = 3 if is_factor(change.key) else 1
        room = (place.room + each * there.get(change.key, 0)) // each
    if change.number > room:
        return f"{change.name} has room for {room} of them"
    return ""


def _air_place(battle: Battle, side: Side, at: str) -> Ship | AirBase | None:
    carriers = (ship for ship in ships_afloat(battle, side) if ship.is_carrier and ship.id == at)
    return next(carriers, None) or next((base for base in battle.fleets[side].air_bases if base.name == at), None)


def _cargo_refusal(battle: Battle, change: CargoPutRight) -> str:
    group = place_of(battle, change.side, change.to)
    if group is None:
        return _no_place(battle.fleets[change.side], change.to)
    aboard = [item for item in group.cargo if item.name == change.cargo.name]
    if not change.aboard:
        return "" if aboard else f"{change.to} carries no {change.cargo.name[:60]!r}"
    if aboard:
        return f"{change.to} carries {change.cargo.name} already"
    if change.cargo.by not in ("DD", "TR") or not 0 < change.cargo.needs <= MOST:
        return f"cargo needs from 1 to {MOST} destroyer factors (DD) or transports (TR)"
    capacity = {kind: number_of(group.light, kind) for kind in ("DD", "TR")}
    for kind, short in cargo_shortage((*group.cargo, change.cargo), capacity).items():
        return f"{change.to} has {capacity[kind]} {kind}, {short} too few to carry {change.cargo.name} (22.82A)"
    return ""


# -- agreeing and taking effect ----------------------------------------------------------------------------------


def agree(table: Table, wire: Wire) -> None:
    """Note an amendment both sides agreed on; refused if it cannot be read or makes no sense now, without the reason."""
    try:
        amendment = msgspec.convert(wire, Amendment)
    except msgspec.ValidationError as error:
        raise IllegalChoice(AMENDMENT, f"this is no amendment: {error}.") from None
    if refusal(table.battle, amendment.change):
        raise IllegalChoice(AMENDMENT, "it does not fit what has happened.")
    table.record(AmendmentAgreed(rule=AMENDMENT, to=Audience.EVERYONE, amendment=amendment))


def amend(table: Table) -> None:
    """What was agreed takes effect, in order; what no longer fits lapses, and the side it was about is told why."""
    while table.battle.amendments:
        amendment = table.battle.amendments[0]
        change = amendment.change
        why = refusal(table.battle, change)
        if why:
            table.record(AmendmentLapsed(rule=AMENDMENT, to=Audience.EVERYONE, amendment=amendment))
            table.record(LapseExplained(rule=AMENDMENT, to=only(change.side), side=change.side, why=why))
            continue
        group = _where(table.battle, change)
        number = group.number if group else 0
        told, place = _told(change, group)
        table.record(
            Amended(
                rule=AMENDMENT,
                to=Audience.EVERYONE,
                amendment=amendment,
                number=told,
                place=place,
                fighting=number > 0,
            )
        )
        _settle(table, change, number)


def _where(battle: Battle, change: Change) -> CombatGroup | None:
    """The group concerned; none for aircraft, or a ship that is out of the battle."""
    if isinstance(change, SquadronsSet):
        return None
    if isinstance(change, ShipPutRight) and change.fate != "restored":
        holds = (
            group
            for group in battle.fleets[change.side].groups
            if any(ship.id == change.ship.id for ship in group.ships)
        )
        return next(holds, None)
    group = place_of(battle, change.side, change.to)
    assert isinstance(group, CombatGroup), "forces have become groups when the first segment after them begins"
    return group


def _told(change: Change, group: CombatGroup | None) -> tuple[int, str]:
    """What everyone is told of where it is: the number if it was named, or the group was shown; else no more than the
    amendment says."""
    if isinstance(change, SquadronsSet) or (isinstance(change, ShipPutRight) and change.fate != "restored"):
        return 0, ""
    assert group is not None, "it was found, or the change was refused"
    named = change.to.replace(" ", "") == f"CG{group.number}"
    return (group.number, "") if group.number and (named or group.revealed) else (0, change.to)


def _settle(table: Table, change: Change, number: int) -> None:
    """What follows: a carrier's air is told to her owner, cargo is stowed anew, a group with nothing left is gone."""
    side = change.side
    if isinstance(change, SquadronsSet):
        _tell_wing(table, side, change)
    if isinstance(change, CargoPutRight | LightShipsRemoved) and number:
        group = table.group(side, number)
        stow_cargo(table, side, number, Audience.EVERYONE if group.revealed else only(side))
    if number and table.group(side, number).empty:
        table.record(GroupEliminated(rule=AMENDMENT, to=Audience.EVERYONE, side=side, number=number))


def _tell_wing(table: Table, side: Side, change: SquadronsSet) -> None:
    place = _air_place(table.battle, side, change.at)
    if isinstance(place, Ship):
        wing = set_to(place.wing, change.key, change.number)
        table.record(WingSet(rule=AMENDMENT, to=only(side), side=side, ship=place.id, name=place.name, squadrons=wing))
