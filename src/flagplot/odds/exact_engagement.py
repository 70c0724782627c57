"""A fleet engagement between two groups, exactly (22.5, 22.6, 22.7): round after round over all states it can reach.

Both sides play the admiral's policies (doctrine/policies.py): the groups meet in every round until one has lost, damaged
ships go home between rounds, and a side that is outmatched leaves with everything. Nothing else takes part: no aircraft,
no submarines, no other groups, no cargo.

The work is bounded: by states and by time, and states of less than a stated chance may be dropped. What was not followed
to its end is told as the chance that is unresolved; all other chances are exact, and each may be larger by no more than
that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import ceil
from typing import NamedTuple

from flagplot.core.sides import Side
from flagplot.doctrine import policies
from flagplot.doctrine.sight import ADMIRAL, Sight
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import light
from flagplot.model.state import Battle, Fleet
from flagplot.odds.engagement_round import PAIR, Filled, Numbered, Round, Ways
from flagplot.odds.engagement_states import BEHIND, HOME, IN_LINE, SOUND, Ended, PackedSide
from flagplot.odds.exact import Chances, counted
from flagplot.odds.exact_gunnery import THROWS
from flagplot.rules.naval.withdrawal import endings, round_loser, victor_of
from flagplot.rules.table import Ruleset

NO_VICTOR = "none"
FIGHTING = "still fighting"
DAMAGED_SHIP = CombatGroup(1, light={"/CA/damaged": 1})
SOUND_SHIP = CombatGroup(1, light={"/DD": 1})


class Budget(NamedTuple):
    """How much may be done: states worked out, of which there may be no more at once in the middle of a round either,
    seconds, rounds (0: to the end), and the least chance that is followed."""

    states: int = 200_000
    seconds: float = 10.0
    rounds: int = 0
    least: Fraction = Fraction(0)
    detail: bool = True  # whether light ships and factors sunk are told, for which several times the states are needed


class Used(NamedTuple):
    """What was done: states worked out, the most at once, states written on the way, seconds, and rounds."""

    states: int
    most: int
    written: int
    seconds: float
    rounds: int
    stopped: str  # by which limit; "" if everything was followed


class SideOdds(NamedTuple):
    """What becomes of one group. Without detail only the ships are told."""

    ships: dict[str, dict[str, Fraction]]  # sunk, damaged, hit, sound
    light_sunk: dict[str, Chances]
    light_damaged: dict[str, Chances]
    factors_sunk: Chances


class EngagementOdds(NamedTuple):
    """The chances of an engagement. With `unresolved` all chances of one kind add up to one."""

    victor: dict[str, Fraction]  # axis, allies, none; or still fighting after the rounds asked for
    rounds: Chances  # how many were fought
    sides: dict[Side, SideOdds]
    exchange: dict[tuple[int, int], Fraction]  # factors sunk of axis and allies
    unresolved: Fraction
    dropped: Fraction  # of that, states of less than the least chance
    budget: Budget
    used: Used


class Engagement(NamedTuple):
    """Two groups that meet in a round and in every one that follows."""

    groups: Mapping[Side, CombatGroup]
    fleets: Mapping[Side, Fleet] = {Side.AXIS: Fleet(), Side.ALLIES: Fleet()}  # tactical codebreaking, supply
    interceptor: Side = Side.AXIS
    round: int = 1


class _Exceeded(Exception):
    """A limit of the budget is reached in the middle of a round; its name says which."""


class _Followed(NamedTuple):
    """Ways to states at the end of a round, of so many."""

    victor: str
    round: int
    ways: Ways
    whole: int


class _Chain:
    """The rounds one after the other."""

    def __init__(self, rules: Ruleset, asked: Engagement, budget: Budget, clock: Callable[[], float]) -> None:
        self.order = (asked.interceptor, asked.interceptor.enemy)
        self.asked, self.budget, self.clock = asked, budget, clock
        self.begun = clock()
        self.fights = Round(
            rules, [asked.groups[side] for side in self.order], [asked.fleets[side] for side in self.order], self.check
        )
        late = asked.round >= ADMIRAL.long_battle
        if late and any(_has_damaged(asked.groups[side]) for side in self.order):
            raise ValueError(f"damaged ships are not counted exactly in round {ADMIRAL.long_battle} or later")
        self.found: list[_Followed] = []
        self.gone: list[tuple[tuple[Ways, Ways], int]] = []  # by side, what was there no longer, of so many ways
        self.states = self.most = 0
        self.stopped = ""
        self.dropped = self.unresolved = Fraction(0)
        self.number = asked.round
        self.whole = 1
        self._kinds_met: tuple[Numbered[Ended], Numbered[Ended]] = (Numbered(), Numbered())
        self._kinds = self._new_kinds()
        self._lost = cache(self._lost_by)

    def check(self, at_once: int = 0) -> None:
        """Stop when time is up, or when more states are at hand than there may be."""
        self.most = max(self.most, at_once)
        if at_once > self.budget.states:
            raise _Exceeded("states")
        if self.clock() - self.begun > self.budget.seconds:
            raise _Exceeded("seconds")

    def run(self) -> None:
        """Follow the engagement until it is over, or a limit is reached."""
        live: Ways = {self.fights.start: 1}
        while live:
            if self.budget.rounds and self.number >= self.asked.round + self.budget.rounds:
                self.found.append(_Followed(FIGHTING, self.number - 1, live, self.whole))
                return
            if self.states + len(live) > self.budget.states:
                self._stop("states", live)
                return
            whole = self.whole
            try:
                live = self._round(live)
            except _Exceeded as limit:
                self.whole = whole
                self._stop(str(limit), live)
                return

    def _stop(self, why: str, live: Ways) -> None:
        self.stopped = why
        self.unresolved = Fraction(sum(live.values()), self.whole)

    def _round(self, live: Ways) -> Ways:
        """One round and what follows it: who leaves, who has lost. The states that fight on."""
        self.states += len(live)
        self.check(len(live))
        least = self.budget.least * self.whole
        fought = {start: self.fights.fight(part, least) for start, part in self._parts(live).items()}
        rolls = max(each.rolls for each in fought.values())
        ends: dict[str, Ways] = {}
        on: Ways = {}
        one, two = self._kinds
        shift, mask = self.fights.shifts[1], self.fights.masks[0]
        dropped = 0
        for start, (after, own, less) in fought.items():
            times = THROWS ** (rolls - own)
            dropped += less * times
            verdicts = Filled(lambda pair, start=start: self._verdict(start, pair))  # type: ignore[misc]
            self.check(len(on) + sum(map(len, ends.values())))
            for state, ways in after.items():
                first, left = one[state & mask]
                second, others = two[state >> shift]
                victor = verdicts[first << PAIR | second]
                into = on if victor is None else ends.setdefault(victor, {})
                state = left | others
                into[state] = into.get(state, 0) + ways * times
        self.whole *= THROWS**rolls
        self.dropped += Fraction(dropped, self.whole)
        self.found += [_Followed(victor, self.number, ways, self.whole) for victor, ways in ends.items()]
        self.number += 1
        if self.number == ADMIRAL.long_battle:
            self._kinds = self._new_kinds()
        return self._without_the_least(on if self.budget.detail else self._forget(on))

    def _parts(self, live: Ways) -> dict[int, Ways]:
        """The states by what may decide later who leaves first: in a long battle the losses before this round."""
        if not self._long():
            return {0: live}
        parts: dict[int, Ways] = {}
        for state, ways in live.items():
            one, two = (self.fights.sides[side].ended(self.fights.part(state, side)) for side in (0, 1))
            parts.setdefault(one.sunk - two.sunk, {})[state] = ways
        return parts

    def _without_the_least(self, live: Ways) -> Ways:
        if not self.budget.least:
            return live
        bound = ceil(self.budget.least * self.whole)
        kept = {state: ways for state, ways in live.items() if ways >= bound}
        self.dropped += Fraction(sum(live.values()) - sum(kept.values()), self.whole)
        return kept

    # -- the end of a round ---------------------------------------------------------------------------

    def _new_kinds(self) -> tuple[Filled[tuple[int, int]], Filled[tuple[int, int]]]:
        return Filled(lambda bits: self._kind(0, bits)), Filled(lambda bits: self._kind(1, bits))

    def _kind(self, side: int, bits: int) -> tuple[int, int]:
        """What decides about a side at the end of a round, by number; and the side once the damaged have gone home."""
        ended = self.fights.sides[side].ended(bits)
        facts = ended._replace(after=0, bare=0)
        if not self._long():
            facts = facts._replace(sunk=0, hurt=0)
        return self._kinds_met[side][facts], ended.after << self.fights.shifts[side]

    def _forget(self, live: Ways) -> Ways:
        """States that fight on, without a record of what is no longer there: that is written down here."""
        gone: tuple[Ways, Ways] = ({}, {})
        found: Ways = {}
        shift, mask = self.fights.shifts[1], self.fights.masks[0]
        one, two = self.fights.sides
        for state, ways in live.items():
            first, second = state & mask, state >> shift
            gone[0][first] = gone[0].get(first, 0) + ways
            gone[1][second] = gone[1].get(second, 0) + ways
            bare = one.ended(first).bare | two.ended(second).bare << shift
            found[bare] = found.get(bare, 0) + ways
        self.gone.append((gone, self.whole))
        return found

    def _long(self) -> bool:
        """Whether both sides may want to leave, so that losses decide who says so first."""
        return self.number >= ADMIRAL.long_battle

    def _wants(self, mine: Ended, theirs: Ended | None) -> bool:
        guns, air = (theirs.guns, theirs.seen_air) if theirs else (0, 0)
        return policies.withdraws(Sight(self.number, mine.guns, guns, mine.own_air, air), ADMIRAL)

    def _verdict(self, start: int, pair: int) -> str | None:
        """Who has won, None if the fight goes on.

        Whether a side leaves with everything depends on who says so first only if both would (22.61A).
        """
        one, two = self._kinds_met[0].things[pair >> PAIR], self._kinds_met[1].things[pair & (1 << PAIR) - 1]
        leaves = [self._wants(one, two), self._wants(two, one)]
        if all(leaves):
            first, second = (0, 1) if self._loser(start, one, two) is self.order[0] else (1, 0)
            leaves[second] = self._wants((one, two)[second], None)
            leaves[first] = True
        signs = tuple(
            fact
            for side, away in zip((one, two), leaves, strict=True)
            for fact in (away or side.parted, side.remains and not away, side.undamaged and not away)
        )
        losers = self._lost(signs)
        if not losers:
            return None
        victor = victor_of(losers)
        return victor.value if victor else NO_VICTOR

    def _loser(self, start: int, one: Ended, two: Ended) -> Side:
        """Who lost the round (22.61A); what was sunk before it is the same for both but for a known difference."""
        sunk = dict(zip(self.order, (one.sunk - start, two.sunk), strict=True))
        damaged = dict(zip(self.order, (one.hurt, two.hurt), strict=True))
        return round_loser(sunk, damaged, self.order[0])

    def _lost_by(self, signs: tuple[bool, ...]) -> tuple[Side, ...]:
        """Who has lost (22.71), by whether each side parted with ships, still has any, and has sound ones."""
        fleets = {}
        for place, side in enumerate(self.order):
            parted, remains, sound = signs[3 * place : 3 * place + 3]
            groups = ((SOUND_SHIP if sound else DAMAGED_SHIP),) if remains else ()
            fleets[side] = Fleet(side.value, groups=groups, withdrew=parted)
        return tuple(ending.side for ending in endings(Battle(interceptor=self.order[0], fleets=fleets)))


def _has_damaged(group: CombatGroup) -> bool:
    return any(ship.damaged for ship in group.ships) or any(light(key).state == "damaged" for key in group.light)


def engagement_odds(
    rules: Ruleset, asked: Engagement, budget: Budget | None = None, clock: Callable[[], float] = time.monotonic
) -> EngagementOdds:
    """The chances of an engagement between two groups, within a budget."""
    limits = budget or Budget()
    if limits.states < 1 or limits.seconds <= 0 or limits.rounds < 0 or not 0 <= limits.least < 1:
        raise ValueError("a budget is at least one state, some time, and a least chance from 0 to less than 1")
    chain = _Chain(rules, asked, limits, clock)
    if not all(asked.groups[side].afloat for side in Side):
        raise ValueError("both groups need ships")
    chain.run()
    used = Used(
        chain.states, chain.most, chain.fights.written, clock() - chain.begun, chain.number - asked.round, chain.stopped
    )
    return _told(chain, limits, used)


def _told(chain: _Chain, budget: Budget, used: Used) -> EngagementOdds:
    """The answer: everything over one common denominator."""
    whole = chain.whole
    fights = chain.fights
    victors: dict[str, int] = {}
    rounds: dict[int, int] = {}
    alone: tuple[Ways, Ways] = ({}, {})
    exchange: dict[tuple[int, int], int] = {}
    for victor, number, states, of in chain.found:
        times = whole // of
        every = sum(states.values()) * times
        victors[victor] = victors.get(victor, 0) + every
        rounds[number] = rounds.get(number, 0) + every
        mask, shift = fights.masks[0], fights.shifts[1]
        for state, ways in states.items():
            one, two, ways = state & mask, state >> shift, ways * times
            alone[0][one] = alone[0].get(one, 0) + ways
            alone[1][two] = alone[1].get(two, 0) + ways
            pair = fights.sides[0].ended(one).sunk, fights.sides[1].ended(two).sunk
            exchange[pair] = exchange.get(pair, 0) + ways
    if chain.order[0] is not Side.AXIS:
        exchange = {(two, one): ways for (one, two), ways in exchange.items()}
    if not budget.detail:
        exchange = {}
    left = [_ways_of(fights.sides[place], alone[place]) for place in (0, 1)]
    for gone, of in chain.gone:
        for place in (0, 1):
            for key, ways in _ways_of(fights.sides[place], gone[place], only_gone=True).items():
                left[place][key] = left[place].get(key, 0) + ways * (whole // of)
    sides = {}
    for place, side in enumerate(chain.order):
        ships = {
            ship.id: {word: Fraction(ways, whole) for (at, word), ways in sorted(left[place].items()) if at == index}
            for index, ship in enumerate(fights.sides[place].ships)
        }
        sides[side] = SideOdds(ships, {}, {}, {})
        if budget.detail:
            sides[side] = SideOdds(ships, *_losses(fights.sides[place], alone[place], whole))
    return EngagementOdds(
        {name: Fraction(ways, whole) for name, ways in sorted(victors.items())},
        {number: Fraction(ways, whole) for number, ways in sorted(rounds.items())},
        {side: sides[side] for side in Side},
        {pair: Fraction(ways, whole) for pair, ways in sorted(exchange.items())},
        chain.unresolved + chain.dropped,
        chain.dropped,
        budget,
        used,
    )


def _ways_of(packed: PackedSide, ways: Ways, *, only_gone: bool = False) -> dict[tuple[int, str], int]:
    """The ways to each word for each ship, by her place in the group; of those that are gone, or of all that are known."""
    found: dict[tuple[int, str], int] = {}
    for bits, number in ways.items():
        for index, word in enumerate(packed.conditions(bits)):
            if word and not (only_gone and packed.hull(bits, index).present):
                found[index, word] = found.get((index, word), 0) + number
    return found


def _losses(packed: PackedSide, ways: Ways, whole: int) -> tuple[dict[str, Chances], dict[str, Chances], Chances]:
    """Light ships sunk and damaged, by key, and all factors sunk."""

    def over(numbers: Mapping[int, int]) -> Chances:
        found = counted((numbers[bits], number) for bits, number in ways.items())
        return {number: Fraction(own, whole) for number, own in sorted(found.items())}

    had = packed.group.light
    afloat = {bits: packed.counts(bits, SOUND, IN_LINE, BEHIND, HOME) for bits in ways}
    kinds = dict.fromkeys(field.key for field in packed.fields)
    damaged = {key: f"{key}/damaged" for key in kinds if key.endswith("/CA")}
    every = {key: had.get(key, 0) + had.get(damaged.get(key, ""), 0) for key in kinds}
    sunk = {
        key: over(
            {
                bits: every[key] - counts.get(key, 0) - counts.get(damaged.get(key, ""), 0)
                for bits, counts in afloat.items()
            }
        )
        for key in kinds
    }
    hurt = {key: over({bits: counts.get(name, 0) for bits, counts in afloat.items()}) for key, name in damaged.items()}
    return sunk, hurt, over({bits: packed.ended(bits).sunk for bits in ways})
