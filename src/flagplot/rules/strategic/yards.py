"""26.76, 27.721, 27.7262: ships in the yards: what repair and construction take, and what bombing does to them.

Everything here is a pure function of plain values. Of 27.7 we hold the table of costs and the raising of ships sunk in
port; capacity, rates, acceleration and deferral (27.7272) are inputs. A ship enters the chart as many turns ahead of the
season as she takes and goes down a row, or is launched, when her column's season comes (SR-38).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from flagplot.core.rulebook import rule
from flagplot.core.sides import Side
from flagplot.model.interception import Verdict
from flagplot.model.strategic_bombing import Bombing
from flagplot.model.strategic_war import SEASONS
from flagplot.model.yards import LAUNCH, YardShip, season_after
from flagplot.rules.table import Ruleset
from flagplot.tables.naval_repair import Cost
from flagplot.tables.sw_combat import SwResult

COLUMNS_FOR_FIRST = 2  # 26.761A
COLUMNS_FOR_SECOND = 1  # 26.761B
NAMED = ("2-factor", "3-factor", "4-factor", "5-factor")

# -- costs ----------------------------------------------------------------------------------------


@rule("27.721")
def construction_cost(rules: Ruleset, unit: str) -> Cost:
    """27.721. Turns and shipbuilding points of a new unit; no turns means at once."""
    return rules.repair.row(unit).new


@rule(
    "27.721.T1", "27.721.T2", "27.721.T3", "27.721.T4", "27.721.T5", "27.721.T6", "27.721.T7", "27.721.T8", "27.721.N3"
)
def repair_cost(rules: Ruleset, unit: str) -> Cost | None:
    """27.721. Turns and shipbuilding points to repair a damaged unit, None if it is never damaged."""
    return rules.repair.row(unit).repair


@rule("27.721.N6")
def may_build(rules: Ruleset, nation: str, unit: str) -> Verdict:
    """27.721. Whether a nation may build such a unit, as far as the table says: CVEs are built by the U.S. alone."""
    if unit == "CVE" and nation not in rules.repair.cve_builders:
        return Verdict(False, "27.721", "only the United States build CVEs")
    return Verdict(True, "27.721", "the table does not forbid it")


@rule("27.721.N4")
def may_be_accelerated(rules: Ruleset, unit: str) -> Verdict:
    """27.721. Whether construction may be accelerated: of ships of three factors or more. How is 27.7272B, not held."""
    large = rules.repair.factors(unit) >= rules.repair.accelerated_from
    return Verdict(large, "27.721", "ships of three or more factors (27.7272B, an input)")


@rule("27.721.N5")
def may_be_deferred(rules: Ruleset, unit: str) -> Verdict:
    """27.721. Construction and repair of any naval unit that takes time may be deferred. How is 27.7272C, not held."""
    row = rules.repair.row(unit)
    takes_time = row.new.turns > 0
    return Verdict(takes_time, "27.721", "what takes turns may be put off (27.7272C, an input)")


@rule("27.721.N1", "27.721.N2", "27.7262.1", "27.7262.4")
def may_be_raised(unit: str) -> Verdict:
    """27.7262. Whether a unit sunk in port may be raised: named ships; cruisers, destroyers, CVEs and lesser are gone."""
    if unit not in NAMED:
        return Verdict(False, "27.7262", f"a {unit} sunk in port is lost for good")
    return Verdict(True, "27.7262", "a named ship: raised in a unit construction phase, she is damaged")


@rule("27.721.N1", "27.7262.1")
def raising_cost(rules: Ruleset) -> tuple[int, int]:
    """27.7262. Shipbuilding points and BRPs to raise a named ship sunk in port to damaged."""
    return rules.repair.raising.shipbuilding, rules.repair.raising_brps


@rule("27.7262.2", "27.7262.3")
def hulk_may(action: str, *, raised: bool, raised_this_player_turn: bool = False) -> Verdict:
    """27.7262. Whether a ship sunk in port may "move" to a shipyard, or begin "repair": once raised, repair not in the
    same player turn."""
    if not raised:
        return Verdict(False, "27.7262", "sunk in port she may not move until she is raised")
    if action == "repair" and raised_this_player_turn:
        return Verdict(False, "27.7262", "not in the player turn in which she was raised")
    return Verdict(True, "27.7262", "as any damaged ship")


# -- the chart ------------------------------------------------------------------------------------


@rule("27.721")
def place_on_chart(ship: YardShip, turns: int, season: str) -> YardShip:
    """27.721. Where a ship begun this season stands if she takes so many turns: due when they are over (SR-38)."""
    if turns < 1:
        raise ValueError("27.721: what takes no turn is not placed on the chart")
    return replace(ship, column=season_after(season, turns), row=(turns - 1) // len(SEASONS) + LAUNCH)


@rule("27.721")
def next_on_chart(ship: YardShip, season: str) -> YardShip | None:
    """27.721. A ship when her owner's unit construction of a season comes: in its column she goes down a row, from the
    Launch row she is launched: None (SR-38)."""
    if ship.column != season:
        return ship
    return replace(ship, row=ship.row - 1) if ship.row > LAUNCH else None


@rule("27.721", "26.761")
def turns_to_launch(ship: YardShip, season: str) -> int:
    """27.721. Turns until a ship is launched, seen when the enemy bombs her in a season (SR-38).

    An Axis ship in its column has had that season's step already, an Allied one has not: her turn comes first.
    """
    ahead = (SEASONS.index(ship.column) - SEASONS.index(season)) % len(SEASONS)
    if not ahead and ship.side is Side.AXIS:
        ahead = len(SEASONS)
    return ahead + len(SEASONS) * (ship.row - LAUNCH)


# -- bombing --------------------------------------------------------------------------------------


@rule("26.76.1", "26.76.2", "24.65")
def yard_result(attacker: SwResult, bombing: Bombing) -> SwResult:
    """26.76. What bombers do to ships in a yard: their result, with a 1/0 for each additional loss; no BRPs are lost."""
    return SwResult(attacker.before + bombing.additional, attacker.after)


@rule("26.761A", "26.761B")
def columns_moved(result: SwResult) -> int:
    """26.761A. Columns to the right: two for each first number, one for each second."""
    return result.before * COLUMNS_FOR_FIRST + result.after * COLUMNS_FOR_SECOND


@rule("26.761C.1", "26.761C.2", "26.761D", "26.761E", "26.761")
def bombed_ship(ship: YardShip, columns: int, season: str) -> YardShip | None:
    """26.761C. Where a ship stands after so many columns, None if she is eliminated: an Axis ship goes up a row whenever
    she leaves the column of the current season, an Allied one whenever she enters it (SR-38)."""
    column, row = ship.column, ship.row
    for _ in range(columns):
        leaving = column == season
        column = season_after(column)
        row += leaving if ship.side is Side.AXIS else column == season
    return replace(ship, column=column, row=row) if row <= ship.size else None


@rule("26.76.3")
def shares_agree(total: SwResult, shares: Sequence[SwResult]) -> Verdict:
    """26.76. Whether the bombing player may spread a result over ships like this: each 1/0 and 0/1 whole, to one ship."""
    given = SwResult(sum(share.before for share in shares), sum(share.after for share in shares))
    if min((min(share) for share in shares), default=0) < 0 or given.before > total.before or given.after > total.after:
        return Verdict(False, "26.76", f"{given} is more than the result of {total}")
    return Verdict(True, "26.76", "the bombing player applies it as he wishes")
