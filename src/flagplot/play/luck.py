"""Luck: what the dice gave against what they should have given, and the chance of doing so badly, all of it exact.

For every roll on a table all faces of its dice are read under the modifiers it was made with; the rolls of a side are then
added up one after the other, in whole numbers. What is counted is what the table gave, before anything already sunk or lost
wasted it. A roll that only chooses among targets has no better and worse, and is not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

import msgspec

from flagplot.core.events import Event
from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import DICE, Entry
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.fold import apply
from flagplot.model.operation_events import InterceptionRolled
from flagplot.model.state import Battle
from flagplot.play.air_transcript import combat_rows
from flagplot.rules.naval.search import search_results
from flagplot.rules.table import Ruleset

GUNS, BOMBS, TORPEDOES = "hits by gunfire", "hits from the air", "hits by submarines"
HITS = "all hits on ships"
DOGFIGHTS, FLAK = "air combat: eliminated or driven off", "air defense: eliminated or driven off"
SEARCHES, INTERCEPTIONS, SURPRISE = "search results", "interception dice, their sum", "surprise dice, their sum"
PIPS = "all dice, their sum"
KINDS = (GUNS, BOMBS, TORPEDOES, HITS, DOGFIGHTS, FLAK, SEARCHES, INTERCEPTIONS, SURPRISE, PIPS)
ADDED = (GUNS, BOMBS, TORPEDOES)  # into all hits, where there is more than one of them

Ways = Mapping[int, int]  # how many throws of the dice give each result


class Throw(NamedTuple):
    """One roll: whose luck it was, what came of it, and in how many ways each result might have come."""

    side: Side
    kind: str
    came: int
    ways: Ways


class Row(msgspec.Struct, frozen=True):
    """The luck of one side in one kind of roll; chances from 0 to 1."""

    side: Side
    kind: str
    rolls: int
    expected: float
    came: int
    as_bad: float  # the chance of so much or less
    as_good: float  # the chance of so much or more


class Fought(msgspec.Struct, frozen=True):
    """The luck of both sides in one battle, or in the whole game."""

    title: str
    rows: tuple[Row, ...]


# -- single rolls ------------------------------------------------------------------------------------


def ways_of(dice: int, reads: Callable[[tuple[int, ...]], int]) -> dict[int, int]:
    """In how many ways dice give each result."""
    found: dict[int, int] = {}
    for faces in product(range(1, 7), repeat=dice):
        came = reads(faces)
        found[came] = found.get(came, 0) + 1
    return found


def added(one: Ways, two: Ways) -> dict[int, int]:
    """The ways of two rolls together."""
    found: dict[int, int] = {}
    for first, ways in one.items():
        for second, more in two.items():
            found[first + second] = found.get(first + second, 0) + ways * more
    return found


def _each(dice: int, reads: Callable[[int], int]) -> dict[int, int]:
    """The ways of dice that are read one by one and added."""
    one, whole = ways_of(1, lambda faces: reads(faces[0])), {0: 1}
    for _ in range(dice):
        whole = added(whole, one)
    return whole


def throws_of(event: Event, battle: Battle, rules: Ruleset) -> Iterator[Throw]:
    """The rolls in an event that have a better and a worse, the battle being as it was before it."""
    match event:
        case ev.Fired():
            more = event.roll - sum(event.dice)
            ways = ways_of(len(event.dice), lambda faces: rules.attack.hits(event.factors, sum(faces) + more))
            yield Throw(event.side, GUNS, event.hits, ways)
        case air.AirAttackRolled():
            more, number = event.roll - sum(event.dice), sum(event.squadrons.values())
            ways = ways_of(len(event.dice), lambda faces: rules.attack.read_air(number, sum(faces) + more).hits)
            yield Throw(event.side, BOMBS, event.hits, ways)
        case air.TorpedoesFired():
            more = event.roll - sum(event.dice)
            ways = ways_of(len(event.dice), lambda faces: rules.submarine.read(sum(faces) + more).hits)
            yield Throw(event.side, TORPEDOES, event.hits, ways)
        case air.AirDefenseRolled() if event.dice:
            ways = ways_of(len(event.dice), lambda faces: sum(rules.air_defense.result(event.level, sum(faces))))
            yield Throw(event.side, FLAK, event.eliminated + event.aborted, ways)
        case air.AirCombatFought() | air.CounterairFought() | air.PortAirFought():
            yield from _dogfight(event, rules)
        case ev.Searched() if event.dice:
            numbers = battle.fleets[event.side.enemy].numbers
            ways = _each(len(event.dice), lambda face: sum(search_results((face,), numbers).values()))
            yield Throw(event.side, SEARCHES, sum(event.results.values()), ways)
        case InterceptionRolled():
            yield Throw(event.side, INTERCEPTIONS, sum(event.dice), sums_of(len(event.dice)))
        case air.SurpriseRolled():
            yield Throw(event.side, SURPRISE, sum(event.dice), sums_of(len(event.dice)))


def _dogfight(event: air.AirCombatFought | air.CounterairFought | air.PortAirFought, rules: Ruleset) -> Iterator[Throw]:
    rows = event.rows if isinstance(event, air.PortAirFought) else combat_rows(event)
    for side, dice in event.dice.items():
        more = event.modifiers.total if side is event.side else -event.modifiers.total
        ways = _scored(rules, len(dice), rows[side], more)
        yield Throw(side, DOGFIGHTS, event.eliminated[side] + event.aborted[side], ways)


def _scored(rules: Ruleset, dice: int, row: int, more: int) -> dict[int, int]:
    return ways_of(dice, lambda faces: sum(rules.air_combat.result(row, sum(faces) + more)))


# -- whole battles and games ------------------------------------------------------------------------------


def luck(events: Sequence[Event], rules: Ruleset, tape: Sequence[Entry] = ()) -> list[Fought]:
    """The luck of both sides in each battle and, last, in the whole game; with its tape, in all dice it rolled."""
    battles: list[tuple[str, list[Throw]]] = []
    battle, title = Battle(), "Before any battle"
    for event in events:
        if isinstance(event, ev.BattleJoined):
            title = event.title
            battles.append((title, []))
        found = list(throws_of(event, battle, rules))
        if found and not battles:
            battles.append((title, []))
        if found:
            battles[-1][1].extend(found)
        battle = apply(battle, event)
    told = [Fought(title, rows_of(throws)) for title, throws in battles if throws]
    everything = [throw for _, throws in battles for throw in throws]
    whole = tuple(sorted(rows_of(everything) + _all_dice(tape), key=lambda row: list(Side).index(row.side)))
    if len(told) <= 1:  # one battle is the whole game
        return [Fought(told[0].title if told else "The whole game", whole)] if whole else []
    return [*told, Fought("The whole game", whole)]


def _all_dice(tape: Sequence[Entry]) -> tuple[Row, ...]:
    """All dice of a game by whoever rolled them: the tag of a roll says rule, how many, and who."""
    rolled: dict[Side, list[list[int]]] = {side: [] for side in Side}
    for entry in tape:
        if entry.who == DICE and isinstance(entry.answer, list):
            rolled[SIDES[entry.tag.rsplit(" ", 1)[1]]].append([die for die in entry.answer if isinstance(die, int)])
    found = []
    for side, rolls in rolled.items():
        dice = [die for roll in rolls for die in roll]
        if dice:
            row = _row(side, PIPS, [Throw(side, PIPS, sum(dice), sums_of(len(dice)))])
            found.append(msgspec.structs.replace(row, rolls=len(rolls)))
    return tuple(found)


@cache
def sums_of(dice: int) -> Ways:
    """In how many ways so many dice give each sum. A die more adds the last six numbers, so the sums of sums are kept."""
    ways = [1]  # of the lowest sum, the next one, and so on
    for _ in range(dice):
        more, window = [], 0
        for at in range(len(ways) + 5):
            window += ways[at] if at < len(ways) else 0
            window -= ways[at - 6] if at >= 6 else 0
            more.append(window)
        ways = more
    return dict(enumerate(ways, dice))


def rows_of(throws: Sequence[Throw]) -> tuple[Row, ...]:
    """The luck of each side, kind by kind."""
    found: list[Row] = []
    for side in Side:
        mine = [throw for throw in throws if throw.side is side]
        by_kind = {kind: [throw for throw in mine if throw.kind == kind] for kind in KINDS}
        if sum(bool(by_kind[kind]) for kind in ADDED) > 1:
            by_kind[HITS] = [throw for throw in mine if throw.kind in ADDED]
        found += [_row(side, kind, of_kind) for kind, of_kind in by_kind.items() if of_kind]
    return tuple(found)


def _row(side: Side, kind: str, throws: Sequence[Throw]) -> Row:
    whole: Ways = {0: 1}
    for throw in throws:
        whole = added(whole, throw.ways)
    came, all_ways = sum(throw.came for throw in throws), sum(whole.values())
    expected = Fraction(sum(result * ways for result, ways in whole.items()), all_ways)
    as_bad = Fraction(sum(ways for result, ways in whole.items() if result <= came), all_ways)
    as_good = Fraction(sum(ways for result, ways in whole.items() if result >= came), all_ways)
    return Row(side, kind, len(throws), float(expected), came, float(as_bad), float(as_good))


# -- in words -------------------------------------------------------------------------------------------


def percent(chance: float) -> str:
    """A chance in per cent, with more figures where it is small or nearly sure."""
    if chance >= 0.9995:
        return "100 %" if chance == 1 else "over 99.9 %"
    if chance >= 0.995:
        return f"{chance * 100:.1f} %"
    return f"{chance:.0%}".replace("%", " %") if chance >= 0.095 else f"{chance * 100:.2g} %"


def in_words(row: Row, name: str) -> str:
    """One line of the report."""
    rolls = "1 roll" if row.rolls == 1 else f"{row.rolls} rolls"
    chance = f"as bad or worse {percent(row.as_bad)}, as good or better {percent(row.as_good)}"
    return f"{name}, {row.kind}: {row.came} from {rolls}, expected {row.expected:.1f}; {chance}"
