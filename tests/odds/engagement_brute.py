"""A fleet engagement the slow way: every throw of the dice through the procedures, with two admirals who answer.

Nothing is shared with the exact engagement: the procedures fire, sink, withdraw and end the battle, and the bot chooses.
What comes out of a round in the same state is added up before the next round begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

import msgspec

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.asks import Roll
from flagplot.core.runner import Runner
from flagplot.core.sides import Audience, Side
from flagplot.editions.current import ruleset
from flagplot.model.events import RoundBegan
from flagplot.model.fold import apply
from flagplot.model.forces import CombatGroup
from flagplot.model.picture import Picture
from flagplot.model.ships import light
from flagplot.model.state import Battle, Fleet
from flagplot.rules.naval.battle import carry_out
from flagplot.rules.table import Ruleset, Table

TWO_DICE = {total: 6 - abs(7 - total) for total in range(2, 13)}
BOT = AdmiralBot()
Thrower = Callable[[Roll], int]  # the total of two dice


class NoMoreDice(Exception):
    """The throw so far does not suffice."""


class Outcome(NamedTuple):
    """What a battle came to: who won, in how many rounds, each ship in a word, light ships afloat, factors sunk."""

    victor: str
    rounds: int
    ships: tuple[tuple[str, str], ...]
    light: tuple[tuple[str, int], ...]  # sound and damaged, wherever they are
    sunk: tuple[int, int]


def battle_of(groups: Mapping[Side, CombatGroup], interceptor: Side = Side.AXIS, round: int = 1) -> Battle:
    """Two groups that are about to meet."""
    fleets = {
        side: Fleet(side.value, groups=(msgspec.structs.replace(group, number=1),)) for side, group in groups.items()
    }
    return Battle(interceptor=interceptor, fleets=fleets, round=round, segment="fleet combat")


async def _to_the_end_of_the_round(table: Table) -> None:
    while table.battle.segment in ("fleet combat", "submarines", "withdrawal"):
        asking = carry_out(table)
        if asking is not None:
            await asking


def one_round(rules: Ruleset, battle: Battle, thrower: Thrower) -> Battle:
    """A round on these dice, until ships have withdrawn."""
    table = Table(rules, battle)
    runner = Runner(_to_the_end_of_the_round(table))
    while not runner.over:
        due = runner.roll_due()
        if due is not None:
            assert due.dice == 2
            total = thrower(due)
            runner.roll([min(6, total - 1), total - min(6, total - 1)])
            continue
        for side in Side:
            decision = runner.decision_for(side)
            if decision is not None:
                picture = Picture(side)
                picture.battle = table.battle
                runner.answer(side, BOT.choose(picture, decision))
    return table.battle


def every_round(rules: Ruleset, battle: Battle) -> Iterator[tuple[Battle, Fraction]]:
    """Every throw of a round, and how likely it is."""
    todo: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while todo:
        totals, chance = todo.pop()
        left = list(totals)

        def thrown(due: Roll, left: list[int] = left) -> int:
            if not left:
                raise NoMoreDice
            return left.pop(0)

        try:
            yield one_round(rules, battle, thrown), chance
        except NoMoreDice:
            todo += [((*totals, total), chance * ways / 36) for total, ways in TWO_DICE.items()]


def next_round(battle: Battle) -> Battle:
    """The battle when its next round begins."""
    began = RoundBegan(rule="22.73", to=Audience.EVERYONE, round=battle.round + 1)
    return msgspec.structs.replace(apply(battle, began), segment="fleet combat", step="pair")


def outcome(first: Battle, battle: Battle, victor: str) -> Outcome:
    """A battle in the words of an outcome."""
    ships: list[tuple[str, str]] = []
    counts: dict[str, int] = {}
    lost = []
    for side in Side:
        fleet = battle.fleets[side]
        places = (*fleet.groups, *fleet.withdrawn)
        afloat = {ship.id: ship for group in places for ship in group.ships}
        for ship in first.fleets[side].groups[0].ships:
            now = afloat.get(ship.id)
            word = "sunk" if now is None else "damaged" if now.damaged else "hit" if now.hits else "sound"
            ships.append((ship.id, word))
        for group in places:
            for key, number in group.light.items():
                counts[key] = counts.get(key, 0) + number
        named = sum(ship.size for ship in fleet.sunk)
        lost.append(named + sum(max(1, light(key).factors) * n for key, n in fleet.sunk_light.items()))
    rounds = battle.round - first.round + 1
    return Outcome(victor, rounds, tuple(ships), tuple(sorted(counts.items())), (lost[0], lost[1]))


def every_battle(first: Battle, rounds: int, rules: Ruleset | None = None) -> dict[Outcome, Fraction]:
    """The chance of each outcome after so many rounds at the most."""
    law = rules or ruleset()
    live: dict[bytes, Fraction] = {msgspec.msgpack.encode(first): Fraction(1)}
    found: dict[Outcome, Fraction] = {}
    for number in range(1, rounds + 1):
        after: dict[bytes, Fraction] = {}
        for data, chance in live.items():
            for battle, own in every_round(law, msgspec.msgpack.decode(data, type=Battle)):
                if battle.segment == "reinforcement" and number < rounds:
                    key = msgspec.msgpack.encode(next_round(battle))
                    after[key] = after.get(key, Fraction(0)) + chance * own
                    continue
                over = battle.segment != "reinforcement"
                victor = (battle.victor.value if battle.victor else "none") if over else "still fighting"
                each = outcome(first, battle, victor)
                found[each] = found.get(each, Fraction(0)) + chance * own
        live = after
    return found
