"""The current edition: 22 as newest, 23 of 2012, and what older texts alone tell us (RC-01)."""

from __future__ import annotations

from collections.abc import Mapping

from flagplot.core.errors import ScenarioError
from flagplot.core.sides import Side
from flagplot.editions.of_2008 import of_2008
from flagplot.editions.options import with_options
from flagplot.model.ships import Ship
from flagplot.rules.damage import fate_at_sea
from flagplot.rules.naval.battle import reinforcement
from flagplot.rules.naval.fleet_combat import fleet_combat
from flagplot.rules.naval.interception import dice_alone
from flagplot.rules.naval.repairs import keep_until_port
from flagplot.rules.naval.search import disclosure, search_dice
from flagplot.rules.naval.submarines import choose_target
from flagplot.rules.readings import Readings
from flagplot.rules.table import Ruleset, Table
from flagplot.tables.air_combat import AirCombatTable
from flagplot.tables.air_defense import AirDefenseLevel, AirDefenseTable
from flagplot.tables.air_nationality import AirNationality
from flagplot.tables.air_range import AirRangeTable
from flagplot.tables.carrier_effects import CarrierEffectsTable
from flagplot.tables.naval_attack import NavalAttackTable
from flagplot.tables.naval_interception import InterceptionTable
from flagplot.tables.naval_nationality import NavalNationality
from flagplot.tables.naval_repair import RepairTable
from flagplot.tables.search import SearchTable
from flagplot.tables.strategic_bombing import BombingTables
from flagplot.tables.submarine_attack import SubmarineAttackTable
from flagplot.tables.surprise import SurpriseTable
from flagplot.tables.sw_boxes import SwBoxes
from flagplot.tables.sw_combat import SwCombatTable
from flagplot.tables.sw_limits import SubmarineLimits
from flagplot.tables.sw_modifiers import SubmarineModifiers
from flagplot.tables.sw_raiders import RaiderTable
from flagplot.tables.sw_units import SwUnits


def _always(ship: Ship) -> bool:
    return True


def _size(ship: Ship) -> int:
    return ship.size


def _tracer(side: Side) -> Side:
    return side


def _no_gunfire(table: Table) -> None:
    return None


CURRENT = Ruleset(
    edition="current",
    options={},
    attack=NavalAttackTable(),
    nationality=NavalNationality(),
    search=SearchTable(),
    air_combat=AirCombatTable(),
    air_defense=AirDefenseTable(),
    air_defense_level=AirDefenseLevel(),
    air_nationality=AirNationality(),
    surprise=SurpriseTable(),
    submarine=SubmarineAttackTable(),
    interception=InterceptionTable(),
    air_range=AirRangeTable(),
    carrier_effects=CarrierEffectsTable(),
    repair=RepairTable(),
    bombing=BombingTables(),
    sw_boxes=SwBoxes(),
    sw_combat=SwCombatTable(),
    sw_units=SwUnits(),
    submarine_limits=SubmarineLimits(),
    submarine_warfare=SubmarineModifiers(),
    raiders=RaiderTable(),
    readings=Readings(),
    most_groups=6,
    most_group_factors=25,
    return_range={"Europe": 20, "Pacific": 10},
    fate_at_sea=fate_at_sea,
    held_fire=_always,
    held_fire_of_damaged_cruisers=True,
    tries_after_evasion=6,
    light_needs=_size,
    withdrawal_needs_combat=False,
    surplus_inverted=True,
    supply_battle_continued_by=_tracer,
    fleet_combat=fleet_combat,
    interception_dice=dice_alone,
    search_dice=search_dice,
    disclosure=disclosure,
    submarine_target=choose_target,
    between_rounds=reinforcement,
    end_of_fighting=keep_until_port,
    numbers={},
    borrowed=(),
    strike_limits=((2, 4), (3, 8), (9, 12)),
    naval_air_bonus=1,
    gunfire=_no_gunfire,
    withheld_air_returns=False,
)

EDITIONS = {"current": CURRENT, "2008": of_2008(CURRENT)}


def ruleset(edition: str = "current", options: Mapping[str, str] | None = None) -> Ruleset:
    """An edition with its options: what every battle is played under."""
    if edition not in EDITIONS:
        raise ScenarioError("edition", "", f"there is no edition {edition!r}; there are {', '.join(EDITIONS)}")
    return with_options(EDITIONS[edition], options or {})
