"""20.524, 23.443, 23.752D: what bombs do beyond counting hits: critical hits, ships in port, bare supply lines.

We hold neither 20.524 (AN-30) nor 30.374 (AN-42): whether and with what outcome is an input.
"""

from __future__ import annotations

from collections.abc import Mapping

from flagplot.core.asks import Decide
from flagplot.core.forms import pick
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.air_events import CriticalHitDue, ShipHitInPort, WingStruck
from flagplot.model.events import InputTaken, ShipHit, SupplyLineCut
from flagplot.model.ships import Ship
from flagplot.rules.damage import fate_in_port
from flagplot.rules.table import Table

AT_SEA = {"none": "no further effect", "sunk": "the ship is sunk"}
IN_PORT = {"none": "no further effect", "destroyed": "the ship is destroyed"}
ON_A_LINE = {"none": "no effect", "cut": "the sea supply line is cut"}


@rule("20.524", "23.7413T.7", "20.531")
async def critical_hit(table: Table, owner: Side, number: int, ship: Ship) -> None:
    """20.524. We do not hold it: the default, no further effect, is taken; a game may ask instead (AN-30)."""
    outcome = await _outcome(table, owner, number, ship, AT_SEA)
    if outcome == "sunk":
        table.record(
            ShipHit(
                rule="20.524",
                to=Audience.EVERYONE,
                side=owner,
                number=number,
                ship=ship.id,
                name=ship.name,
                hits=0,
                fate="sunk",
            )
        )


@rule("20.524")
async def _entered(table: Table, owner: Side, number: str, kind: str, of: str, outcomes: Mapping[str, str]) -> str:
    """20.524. What is taken as the outcome of this or another rule we do not hold: nothing, unless it is asked. Then the owner
    of what was hit enters it and the other side confirms it; if it does not, he is asked again."""
    outcome = "none"
    while table.battle.inputs == "ask":
        question = f"{of[0].upper()}{of[1:]} ({number}, your own rulebook): what came of it?"
        outcome = (await Decide(owner, number, kind, question, pick(outcomes, "none"))).choice
        said = f"What came of {of} is entered as: {outcomes[outcome]}. Is that right?"
        agreed = pick({"yes": "it is right", "no": "it is wrong: ask again"}, "yes")
        if (await Decide(owner.enemy, number, "confirm input", said, agreed)).choice == "yes":
            break
    return outcome


@rule("20.524")
async def _outcome(table: Table, owner: Side, number: int, ship: Ship, outcomes: Mapping[str, str]) -> str:
    """20.524. What is taken as the outcome of a critical hit roll, or entered."""
    outcome = await _entered(table, owner, "20.524", "critical hit", f"a critical hit roll on {ship.name}", outcomes)
    table.record(
        CriticalHitDue(
            rule="20.524",
            to=Audience.EVERYONE,
            side=owner,
            number=number,
            ship=ship.id,
            name=ship.name,
            outcome=outcomes[outcome],
        )
    )
    return outcome


@rule("23.752D")
async def supply_line_hit(table: Table, owner: Side, number: int, hits: int) -> None:
    """23.752D. What hits do to a sea supply line without ships is 30.374, which we do not hold: nothing by default, or as
    it is entered (AN-42)."""
    what = f"{hits} air {'hit' if hits == 1 else 'hits'} on the sea supply line of CG{number}"
    outcome = await _entered(table, owner, "30.374", "supply line hit", what, ON_A_LINE)
    table.record(InputTaken(rule="30.374", to=Audience.EVERYONE, what=what, value=ON_A_LINE[outcome]))
    if outcome == "cut":
        table.record(SupplyLineCut(rule="30.374", to=Audience.EVERYONE, side=owner, number=number))


@rule("20.512E", "23.443B", "23.53.4", "23.56", "23.66", "20.513A", "20.522.2")
async def hit_in_port(table: Table, owner: Side, number: int, ship: Ship, hits: int) -> None:
    """23.443B. What one attack does to a named ship in port: damaged or sunk she stays there, less is wiped off.

    Only a critical hit removes a ship that was sunk (20.524).
    """
    fate = fate_in_port(ship, hits)
    _told_in_port(table, owner, number, ship, hits, fate)
    if fate == "sunk in port" and await _outcome(table, owner, number, ship, IN_PORT) == "destroyed":
        _told_in_port(table, owner, number, ship, 0, "destroyed")


def _told_in_port(table: Table, owner: Side, number: int, ship: Ship, hits: int, fate: str) -> None:
    table.record(
        ShipHitInPort(
            rule="20.524" if fate == "destroyed" else "23.443B",
            to=Audience.EVERYONE,
            side=owner,
            number=number,
            ship=ship.id,
            name=ship.name,
            hits=hits,
            fate=fate,
        )
    )
    if ship.wing and (fate == "sunk in port" or (fate == "damaged" and not ship.damaged)):
        table.record(
            WingStruck(
                rule="22.463",
                to=only(owner),
                side=owner,
                ship=ship.id,
                name=ship.name,
                squadrons=ship.wing,
                lost=fate == "sunk in port",
            )
        )
