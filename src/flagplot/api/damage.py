"""Questions about damage (20.5)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from flagplot.api.calls import question
from flagplot.api.shapes import ShipJson, light_ships, status
from flagplot.api.sw_shapes import few
from flagplot.core.errors import PlayerError
from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import Ship
from flagplot.model.state import Battle, Fleet
from flagplot.rules import damage as rules_of_damage
from flagplot.rules.table import Ruleset, Table


@question
def named_ship(
    *,
    rules: Ruleset,
    size: int,
    results: list[int],
    hits: int = 0,
    damaged: bool = False,
    in_port: bool = False,
    repaired_after: list[int] | None = None,
    fighting_over_after: list[int] | None = None,
    in_port_after: list[int] | None = None,
) -> dict[str, Any]:
    """What successive hits do to a named ship, at sea (where they add up) or in port (where they do not).

    `fighting_over_after` lists results (1 = the first) after which the fighting in that hex is over and she sails on, which
    in 2008 repairs hits short of damage (20.512A, B); `in_port_after` those after which she has been in port; and
    `repaired_after` those after which raiders or a Murmansk convoy repair at sea (20.512C, D).
    """
    ship = ShipJson(size=size, hits=hits, damaged=damaged).ship()
    after: list[str] = []
    kept: list[int] = []
    fate_of = rules_of_damage.fate_in_port if in_port else rules.fate_at_sea
    for number, scored in enumerate(results, start=1):
        fate = fate_of(ship, few(scored, "hits"))
        if fate.startswith("sunk"):
            needed = next(few for few in range(1, scored + 1) if fate_of(ship, few) == fate)
            return {"after": [*after, fate], "hits": [*kept, ship.hits + scored], "excess_hits": scored - needed}
        ship = _hurt(ship, scored, fate, in_port=in_port)
        if number in (fighting_over_after or ()):
            ship = _sailing_on(rules, ship)
        if number in (repaired_after or ()) and rules_of_damage.repaired_at_sea(ship):
            ship = replace(ship, hits=0)
        if number in (in_port_after or ()):
            ship = replace(ship, hits=0)
        after.append(status(ship))
        kept.append(ship.hits)
    return {"after": after, "hits": kept, "excess_hits": 0}


def _hurt(ship: Ship, scored: int, fate: str, *, in_port: bool) -> Ship:
    return replace(ship, hits=0 if in_port else ship.hits + scored, damaged=ship.damaged or fate == "damaged")


def _sailing_on(rules: Ruleset, ship: Ship) -> Ship:
    """A ship when the fighting in a hex is over, as this edition has it (RC-02)."""
    fleets = {Side.AXIS: Fleet(groups=(CombatGroup(1, ships=(ship,)),)), Side.ALLIES: Fleet()}
    table = Table(rules, Battle(fleets=fleets))
    rules.end_of_fighting(table)
    return table.group(Side.AXIS, 1).ship(ship.id)


@question
def murmansk_ship(*, rules: Ruleset, size: int, air_sorties: list[int], submarine_attacks: list[int]) -> dict[str, Any]:
    """Hits on a named ship with a Murmansk convoy outside naval combat (20.512D, 40.451): they vanish after each air
    sortie, add up over the submarine attacks, and vanish once all submarines have attacked."""
    sorties = list(range(1, len(air_sorties) + 1))
    air = named_ship(rules=rules, size=size, results=air_sorties, repaired_after=sorties)
    status_now, hits = (air["after"][-1], air["hits"][-1]) if air_sorties else ("undamaged", 0)
    after_air = {"status": status_now, "hits": hits}
    if status_now == "sunk" or not submarine_attacks:
        return {"after_air": after_air, "after_submarines": after_air}
    damaged = status_now == "damaged"
    subs = named_ship(rules=rules, size=size, results=submarine_attacks, hits=hits, damaged=damaged)
    final, left = subs["after"][-1], subs["hits"][-1]
    return {"after_air": after_air, "after_submarines": {"status": final, "hits": 0 if final == "undamaged" else left}}


@question
def light_losses(
    *,
    undamaged_cruisers: int = 0,
    damaged_cruisers: int = 0,
    one_factor_units: int = 0,
    hits: int | None = None,
    rolls: list[int] | None = None,
) -> dict[str, Any]:
    """What hits do to a light group of cruisers and one-factor units (20.532, 22.55): one roll, or several in turn."""
    if (hits is None) == (rolls is None):
        raise PlayerError("give hits, or rolls as a list of hits")
    sound, hurt = few(undamaged_cruisers, "cruisers"), few(damaged_cruisers, "cruisers")
    small = few(one_factor_units, "one-factor units")
    sunk = newly = small_sunk = wasted = 0
    for scored in rolls if rolls is not None else [hits or 0]:
        losses = rules_of_damage.light_losses(sound, hurt, small, few(scored, "hits"))
        sound -= losses.cruisers_sunk + losses.cruisers_damaged
        hurt += losses.cruisers_damaged - losses.damaged_cruisers_sunk
        small -= losses.one_factor_sunk
        sunk += losses.cruisers_sunk + losses.damaged_cruisers_sunk
        newly += losses.cruisers_damaged
        small_sunk += losses.one_factor_sunk
        on_cruisers = 2 * losses.cruisers_sunk + losses.damaged_cruisers_sunk + losses.cruisers_damaged
        wasted += scored - on_cruisers - losses.one_factor_sunk
    return {
        "cruisers_sunk": sunk,
        "newly_damaged": newly,
        "damaged_afloat": hurt,
        "undamaged_afloat": sound,
        "one_factor_sunk": small_sunk,
        "one_factor_afloat": small,
        "excess_hits": wasted,
    }


@question
def light_group_losses(*, light: dict[str, int], hits: int, order: list[str] | None = None) -> dict[str, Any]:
    """What one roll does to light ships of several nations and types (20.57, RC-12): sunk and damaged by key.

    `order` is the owner's order among equal groups; `order_matters` says whether it changes anything.
    """
    counts = light_ships(light)
    sunk, damaged = rules_of_damage.allot_light_hits(counts, few(hits, "hits"), order or list(counts))
    return {"sunk": sunk, "damaged": damaged, "order_matters": rules_of_damage.order_matters(counts, hits)}


@question
def consolidate_cruisers(
    *, damaged: int = 0, ports: dict[str, int] | None = None, choice: dict[str, dict[str, int]] | None = None
) -> dict[str, Any]:
    """Damaged cruisers of one nation in one theatre after a player turn (20.534).

    Give their number, or their ports with the number in each; then `choice` is the owner's {port: {place: number}} with
    the places "survives" (undamaged), "sunk" and "stays damaged".
    """
    if ports is None:
        return rules_of_damage.consolidate_cruisers(few(damaged, "cruisers"))._asdict()
    form = rules_of_damage.consolidation_form(ports)
    answer = form.read(form.default if choice is None else choice, "20.534")
    totals = rules_of_damage.consolidate_cruisers(sum(ports.values()))._asdict()
    return {**totals, "by_port": answer.cells}
