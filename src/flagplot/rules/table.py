"""The table the game is played on: the truth, the log, the rules in force.

The laws of rule code:

1. A rule awaits only dice and decisions.
2. No clock, randomness, files, globals, or iteration over a set.
3. State changes only by recording an event, under its rule number, to a named audience. There is no default audience.
4. What a player could be shown never lives only in a local variable.
5. If nothing is asked, the function is pure and not `async`.
6. A question shows its side nothing that side does not know. Say the owner one thing and everyone another; never strip.
7. No rule asks which edition it is, nor whether an option is set: it calls the ruleset's slots and reads its numbers.
8. At a boundary nothing is alive but the state; any segment can be entered from state alone.
9. Whether a question is put depends on public facts only.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from flagplot.core.events import Event, Modifiers
from flagplot.core.packed import Packed
from flagplot.core.sides import Side
from flagplot.model.fold import apply
from flagplot.model.forces import CombatGroup, Disclosed
from flagplot.model.interception import Circumstances, Interceptor, Target
from flagplot.model.operation import Operation
from flagplot.model.operation_fold import apply_operation
from flagplot.model.ships import Ship
from flagplot.model.state import Battle, Fleet
from flagplot.model.war import War
from flagplot.model.war_fold import apply_war
from flagplot.rules.readings import Readings
from flagplot.tables.activity_dice import ActivityDiceTable
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

_encode = msgspec.msgpack.Encoder().encode


class Gunfire(NamedTuple):
    """Naval air of a strike that may fire with the heavy ships of its own group (22.471C): by kind, at most how many."""

    own: int  # the group
    most: Mapping[str, int]
    why: str  # not more


@dataclass(frozen=True)
class Ruleset:
    """An edition with its options: the tables it prints, its numbers, and a slot for each procedure that differs."""

    edition: str
    options: Mapping[str, str]
    attack: NavalAttackTable
    nationality: NavalNationality
    search: SearchTable
    air_combat: AirCombatTable
    air_defense: AirDefenseTable
    air_defense_level: AirDefenseLevel
    air_nationality: AirNationality
    surprise: SurpriseTable
    submarine: SubmarineAttackTable
    interception: InterceptionTable | ActivityDiceTable
    air_range: AirRangeTable
    carrier_effects: CarrierEffectsTable
    repair: RepairTable
    bombing: BombingTables
    sw_boxes: SwBoxes
    sw_combat: SwCombatTable
    sw_units: SwUnits
    submarine_limits: SubmarineLimits
    submarine_warfare: SubmarineModifiers
    raiders: RaiderTable
    readings: Readings  # of 22.1, 22.2 and 24 to 26
    most_groups: int  # 22.421C
    most_group_factors: int  # 22.421A
    return_range: Mapping[str, int]  # 22.63, by theatre
    fate_at_sea: Callable[[Ship, int], str]  # 20.513
    held_fire: Callable[[Ship], bool]  # 22.54G: whether a ship that held its fire may still use it
    held_fire_of_damaged_cruisers: bool
    tries_after_evasion: int  # 22.523: how often a group may seek another target when its target evades
    light_needs: Callable[[Ship], int]  # 22.54E: what a capital ship must face before another may be attacked
    withdrawal_needs_combat: bool  # 22.41K of 2008: whether nobody leaves after a round without naval combat
    surplus_inverted: bool  # 22.26: whether interceptors that waited for room are inverted
    supply_battle_continued_by: Callable[[Side], Side]  # 22.71C: from the side tracing supply
    fleet_combat: Callable[[Table], Awaitable[None]]  # 22.54
    interception_dice: Callable[[Ruleset, Target, Circumstances, Interceptor], Modifiers]  # 22.22, alone
    search_dice: Callable[..., Modifiers]  # 22.451
    disclosure: Callable[[SearchTable, CombatGroup], Disclosed]  # 22.452B: what the owner of a found group says
    submarine_target: Callable[[Table, Side, CombatGroup], Awaitable[str]]  # 22.93E
    between_rounds: Callable[[Table], Awaitable[None]]  # 22.411B
    end_of_fighting: Callable[[Table], None]  # 20.512: what becomes of hits that did not damage
    numbers: Mapping[str, str]  # what this edition calls rules that bear another number in the current one
    borrowed: tuple[tuple[str, str], ...]  # AM-28: charts taken from the current edition, each with its number
    strike_limits: tuple[tuple[int, int], ...]  # 23.73: squadrons with a DRM below this, at most so many
    naval_air_bonus: int  # 23.44: of naval air against ships at sea
    gunfire: Callable[[Table], Gunfire | None]  # 22.471C: what of a strike may fire with heavy ships instead
    withheld_air_returns: bool  # 23.415A: whether defenders held back from one strike may meet a later one

    def number(self, current: str) -> str:
        """The number under which this edition has a rule of the current one."""
        return self.numbers.get(current, current)


@dataclass
class Table:
    """The truth, the log, and the rules in force. `key` keys the checks of the tape."""

    rules: Ruleset
    battle: Battle = field(default_factory=Battle)
    operation: Operation = field(default_factory=Operation)
    war: War = field(default_factory=War)
    key: bytes = b""
    log: Packed[Event] = field(default_factory=Packed)

    def __post_init__(self) -> None:
        self._hash = blake2b(key=self.key, digest_size=6)
        self._summed = 0

    def record(self, event: Event) -> None:
        """Nothing changes but by an event. It bears the number its rule has in this edition."""
        if event.rule in self.rules.numbers:
            event = replace(event, rule=self.rules.numbers[event.rule])
        self.log.append(event)
        self.battle = apply(self.battle, event)
        self.operation = apply_operation(self.operation, event)
        self.war = apply_war(self.war, event)

    def check(self) -> str:
        """A short keyed sum of the whole log so far, carried forward as the log grows."""
        for event in self.log[self._summed :]:
            self._hash.update(_encode(event))
        self._summed = len(self.log)
        return self._hash.hexdigest()

    def fleet(self, side: Side) -> Fleet:
        """One side's fleet."""
        return self.battle.fleets[side]

    def group(self, side: Side, number: int) -> CombatGroup:
        """One combat group."""
        return self.battle.fleets[side].group(number)
