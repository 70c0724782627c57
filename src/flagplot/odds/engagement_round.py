"""One round of a fleet engagement, exactly: who fires at whom by the admiral's policies, and what all dice make of it.

States are those of engagement_states.py. States in which the same is fired at the same targets are carried on together:
each shot is applied to all of them at once, and what comes out alike is added up. Ways are whole numbers; every roll
multiplies them by 36, and where fewer shots are fired than elsewhere the ways are multiplied all the same.

The order is that of 22.54: capital ships, light ships, what was screened. Choices are those of doctrine/policies.py as
the admiral makes them; where he says nothing, as the forms offer: ties in the line and among losses in the order listed,
a ship under several guns answers her partner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from math import ceil
from typing import NamedTuple, TypeAlias, TypeVar

from flagplot.doctrine import policies
from flagplot.doctrine.sight import ADMIRAL
from flagplot.model.forces import CombatGroup, Line
from flagplot.model.ships import Ship, factors_of, light
from flagplot.model.state import Fleet
from flagplot.odds.engagement_states import BEHIND, IN_LINE, SHIP_BITS, PackedSide
from flagplot.odds.exact import counted
from flagplot.odds.exact_gunnery import THROWS, hit_ways
from flagplot.rules.naval.fleet_combat import (
    fleet_combat,
    light_strength,
    light_surplus,
    rank,
    screened_light_automatically,
)
from flagplot.rules.naval.gunnery import Crew, crews, fire_modifiers, is_hampered, nationality_drm
from flagplot.rules.table import Ruleset

Ways: TypeAlias = dict[int, int]
LIGHT = -1  # the light ships as a target; others are places in the group
NOBODY = -2
CAPITAL_FIRE, LIGHT_FIRE, SCREENED_FIRE = range(3)


class Start(NamedTuple):
    """A side when a round begins: its capital ships by rank, what it screens, and what the enemy's surplus aims at."""

    ranked: tuple[int, ...]
    order: tuple[int, ...]  # of ships that only hits set apart, as they are ranked now
    screened: tuple[str, ...]
    ahead: tuple[str, ...]  # light keys in the line
    favourite: int


class Middle(NamedTuple):
    """A side after capital fire: what its light ships can do, and what surplus light ships of the enemy aim at."""

    line: tuple[tuple[str, int], ...]  # its unscreened light ships
    strength: int
    favourite: int


class Context(NamedTuple):
    """What was settled when the lines were formed and holds for the round, for both sides."""

    screened: tuple[tuple[str, ...], tuple[str, ...]]
    order: tuple[tuple[int, ...], tuple[int, ...]]
    held: tuple[tuple[int, ...], tuple[int, ...]]  # capital ships that hold their fire


class Shot(NamedTuple):
    """A roll: at which side's bits it is looked up, and what it adds for each number of ways."""

    shift: int
    mask: int
    table: Mapping[int, tuple[tuple[int, int], ...]]


HeldLight: TypeAlias = tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]
NONE_HELD: HeldLight = ((), ())


Value = TypeVar("Value")
STEP = 8_192  # states between two looks at the budget
PAIR = 24  # bits of the second of two numbers written as one


class Filled(dict[int, Value]):
    """A table that is filled where it is looked at."""

    def __init__(self, make: Callable[[int], Value]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, key: int) -> Value:
        found = self[key] = self.make(key)
        return found


class Numbered(dict[Value, int]):
    """Different things, numbered as they are met."""

    def __init__(self) -> None:
        super().__init__()
        self.things: list[Value] = []

    def __missing__(self, thing: Value) -> int:
        self.things.append(thing)
        self[thing] = len(self.things) - 1
        return len(self.things) - 1


class CapitalFire(NamedTuple):
    """What is settled by two starts: the context, and who fires at whom."""

    context: Context
    shots: tuple[Shot, ...]


class Fought(NamedTuple):
    """The ways to each state after a round, how many rolls they are counted with, and the ways that were dropped."""

    after: Ways
    rolls: int
    dropped: int


class Round:
    """All that is known about rounds between two groups; it grows as states are met. The first side intercepts."""

    def __init__(
        self, rules: Ruleset, groups: Sequence[CombatGroup], fleets: Sequence[Fleet], check: Callable[[int], None]
    ) -> None:
        if rules.fleet_combat is not fleet_combat:
            raise ValueError(
                "the fleet combat of this edition is not counted exactly; flagplot odds fights such a battle many times over"
            )
        self.rules = rules
        self.sides = tuple(PackedSide(rules, group) for group in groups)
        self.fleets = fleets
        self.check = check  # raises when time is up, or so many states are too many
        self.shifts = (0, self.sides[0].width)
        self.masks = tuple((1 << side.width) - 1 for side in self.sides)
        self.start = self.sides[0].start | self.sides[1].start << self.shifts[1]
        self.written = 0  # states, each time one is reached
        self._twins = [self._twin_ships(number) for number in (0, 1)]
        self._start_kinds: tuple[Numbered[Start], Numbered[Start]] = (Numbered(), Numbered())
        self._starts = (
            Filled(lambda bits: self._start_kinds[0][self._start(0, bits)]),
            Filled(lambda bits: self._start_kinds[1][self._start(1, bits)]),
        )
        self._capital_plans: dict[tuple[object, ...], int] = {}
        self._capital: list[CapitalFire] = []
        self._pairs = Filled(self._plan_of_pair)
        self._lights: dict[Context, LightFire] = {}
        self._shots: dict[tuple[object, ...], Shot] = {}
        self._modifiers: dict[tuple[object, ...], int] = {}
        self._opened: dict[tuple[int, tuple[str, ...]], dict[int, bool]] = {}

    def part(self, packed: int, side: int) -> int:
        """One side of a packed number."""
        return packed >> self.shifts[side] & self.masks[side]

    # -- lines --------------------------------------------------------------------------------------------

    def _drm(self, side: int, ship: Ship) -> int:
        impaired = ship.nation in self.fleets[side].impaired
        return nationality_drm(self.rules.nationality, Crew(ship.nation, ship.kind, ship.size, impaired))

    def _twin_ships(self, side: int) -> tuple[int, ...]:
        """Capital ships that have an equal in size and speed: how they rank is a matter of hits."""
        ships = [(index, ship) for index, ship in enumerate(self.sides[side].ships) if ship.is_capital]
        alike = [(ship.size, ship.fast) for _, ship in ships]
        return tuple(index for index, ship in ships if alike.count((ship.size, ship.fast)) > 1)

    def _start(self, side: int, bits: int) -> Start:
        packed = self.sides[side]
        line = {packed.ships[index].id: index for index in packed.line(bits)}
        ships = [packed.ship(bits, index) for index in line.values()]
        ranked = tuple(line[ship.id] for ship in rank([(ship, self._drm(side, ship)) for ship in ships]))
        screened = self._screened(packed.as_group(bits).light)
        ahead = tuple(packed.light_line(bits, screened))
        order = tuple(index for index in ranked if index in self._twins[side])
        return Start(ranked, order, screened, ahead, self.favourite(side, bits, ranked))

    def _screened(self, counts: Mapping[str, int]) -> tuple[str, ...]:
        """The light ships the admiral screens: escort carriers, and a few of a weaker navy (22.531C)."""
        chart = self.rules.nationality
        drms = {
            key: nationality_drm(chart, Crew(light(key).nation, light(key).kind))
            for key in counts
            if light(key).kind in ("CA", "DD") and not light(key).state
        }
        told = [key for key in counts if light(key).kind == "CVE"] if drms else []
        best = max(drms.values(), default=0)
        factors = {key: light(key).factors * counts[key] for key in drms}
        weaker = [key for key, drm in drms.items() if drm < best]
        if policies.screens_weaker(sum(factors[key] for key in weaker), sum(factors.values()), ADMIRAL):
            told += weaker
        return tuple(key for key in told if not screened_light_automatically(key))

    def favourite(self, side: int, bits: int, ranked: Sequence[int]) -> int:
        """Of these ships, by rank, the one most worth firing at."""
        ships = [(index, self.sides[side].ship(bits, index)) for index in ranked]
        if not ships:
            return NOBODY
        return max(ships, key=lambda one: policies.target_worth(one[1].size, one[1].hits, int(one[1].damaged)))[0]

    # -- shots -----------------------------------------------------------------------------------------------

    def _modifier(self, side: int, firing: tuple[object, ...], target: object) -> int:
        key = (side, firing, target)
        if key not in self._modifiers:
            mine, theirs = self.fleets[side], self.fleets[1 - side]
            self._modifiers[key] = fire_modifiers(
                self.rules.nationality,
                self._crews(side, firing),
                self._crews(1 - side, target if isinstance(target, tuple) else (target,)),
                tactical=mine.tactical,
                enemy_tactical=theirs.tactical,
                hampered=is_hampered(self.sides[side].group),
                target_hampered=is_hampered(self.sides[1 - side].group),
            ).total
        return self._modifiers[key]

    def _crews(self, side: int, units: tuple[object, ...]) -> list[Crew]:
        ships = [self.sides[side].ships[unit] for unit in units if isinstance(unit, int)]
        return crews(ships, {unit: 1 for unit in units if isinstance(unit, str)}, self.fleets[side].impaired)

    def at_ship(self, side: int, firing: tuple[object, ...], factors: int, target: int) -> Shot:
        """All fire of a side at one named ship of the other."""
        modifier = self._modifier(side, firing, target)
        key = (side, target, factors, modifier)
        if key not in self._shots:
            packed, shift = self.sides[1 - side], self.shifts[1 - side]
            hits = hit_ways(self.rules.attack, factors, modifier)
            table = {}
            for state in range(len(packed.hulls[target])):
                table[state] = _added((packed.ship_hit(target, state, n) << shift, ways) for n, ways in hits.items())
            self._shots[key] = Shot(shift + SHIP_BITS * target, 15, table)
        return self._shots[key]

    def at_light(
        self,
        side: int,
        firing: tuple[object, ...],
        factors: int,
        keys: tuple[str, ...],
        screened: tuple[str, ...],
        step: int,
    ) -> Shot:
        """All fire of a side at the other's light ships, in the line or behind the screen."""
        modifier = self._modifier(side, firing, keys)
        key = (side, LIGHT, factors, modifier, screened, step)
        if key not in self._shots:
            packed, shift = self.sides[1 - side], self.shifts[1 - side]
            hits = hit_ways(self.rules.attack, factors, modifier)

            def struck(bits: int) -> tuple[tuple[int, int], ...]:
                whole = bits << packed.ship_width
                if step == SCREENED_FIRE:
                    targets, hurt_at, struck_at = packed.light_behind(whole, screened), BEHIND, BEHIND
                else:
                    targets, struck_at = packed.light_line(whole, screened), IN_LINE
                    hurt_at = BEHIND if step == CAPITAL_FIRE else IN_LINE
                return _added(
                    (packed.light_hit(n, targets, hurt_at, struck_at) << shift, ways) for n, ways in hits.items()
                )

            mask = (1 << packed.width - packed.ship_width) - 1
            self._shots[key] = Shot(shift + packed.ship_width, mask, Filled(struck))
        return self._shots[key]

    def fire(self, states: Ways, shots: Sequence[Shot]) -> Ways:
        """These states after all these shots."""
        for shift, mask, table in shots:
            found: Ways = {}
            get = found.get
            todo = iter(states.items())
            while part := tuple(islice(todo, STEP)):  # one shot may bring about many times the states there were
                for state, ways in part:
                    for change, own in table[state >> shift & mask]:
                        after = state + change
                        found[after] = get(after, 0) + ways * own
                self.check(len(found))
            self.written += len(found)
            states = found
        return states

    # -- a round ------------------------------------------------------------------------------------------------

    def fight(self, live: Mapping[int, int], least: Fraction = Fraction(0)) -> Fought:
        """One round, before anybody leaves. What capital fire brings about in fewer ways than the least is dropped; the
        least is counted as those who begin are."""
        middle, rolls = self._capital_fire(live)
        bound = ceil(least * THROWS**rolls)
        dropped = 0
        if bound:
            for context, states in middle.items():
                kept = {state: ways for state, ways in states.items() if ways >= bound}
                dropped += sum(states.values()) - sum(kept.values())
                middle[context] = kept
        after, held, more = self._light_fire(middle)
        after, every = self._screened_fire(after, held, rolls + more)
        return Fought(after, every, dropped * THROWS ** (every - rolls))

    def _capital_fire(self, live: Mapping[int, int]) -> tuple[dict[Context, Ways], int]:
        grouped: dict[int, Ways] = {}
        shift, mask = self.shifts[1], self.masks[0]
        one, two = self._starts
        pairs = self._pairs
        for state, ways in live.items():
            plan = pairs[one[state & mask] << PAIR | two[state >> shift]]
            if plan in grouped:
                grouped[plan][state] = ways
            else:
                grouped[plan] = {state: ways}
        most = max(len(self._capital[plan].shots) for plan in grouped)
        pools: dict[Context, Ways] = {}
        for plan, states in grouped.items():
            self.check(sum(map(len, pools.values())))
            context, shots = self._capital[plan]
            merge(pools.setdefault(context, {}), self.fire(states, shots), THROWS ** (most - len(shots)))
        return pools, most

    def _plan_of_pair(self, pair: int) -> int:
        """The number of what two starts settle; starts that differ in what does not matter share it."""
        starts = self._start_kinds[0].things[pair >> PAIR], self._start_kinds[1].things[pair & (1 << PAIR) - 1]
        one, two = starts
        context = Context(
            (one.screened, two.screened),
            (one.order, two.order),
            (
                one.ranked if not two.ranked and not two.ahead else (),
                two.ranked if not one.ranked and not one.ahead else (),
            ),
        )
        key: tuple[object, ...] = (context, one.ranked, two.ranked)
        if len(one.ranked) != len(two.ranked):
            shorter = two if len(one.ranked) > len(two.ranked) else one
            key = (*key, shorter.favourite, () if shorter.ranked else shorter.ahead)
        if key not in self._capital_plans:
            self._capital_plans[key] = len(self._capital)
            self._capital.append(CapitalFire(context, self._capital_shots(starts, context)))
        return self._capital_plans[key]

    def _capital_shots(self, starts: tuple[Start, Start], context: Context) -> tuple[Shot, ...]:
        """22.54B. Ranks pair off; the surplus joins against the ship nearest to sinking, or fires at light ships."""
        longer = 0 if len(starts[0].ranked) >= len(starts[1].ranked) else 1
        mine, theirs = starts[longer], starts[1 - longer]
        aim: dict[int, list[int]] = {foe: [ship] for ship, foe in zip(mine.ranked, theirs.ranked, strict=False)}
        surplus = mine.ranked[len(theirs.ranked) :]
        shots = []
        if surplus and theirs.ranked:
            aim[theirs.favourite] += surplus
        elif surplus and theirs.ahead:
            factors = sum(self.sides[longer].ships[index].size for index in surplus)
            screened = context.screened[1 - longer]
            shots.append(self.at_light(longer, surplus, factors, theirs.ahead, screened, CAPITAL_FIRE))
        for foe, ships in aim.items():
            factors = sum(self.sides[longer].ships[index].size for index in ships)
            shots.append(self.at_ship(longer, tuple(ships), factors, foe))
            shots.append(self.at_ship(1 - longer, (foe,), self.sides[1 - longer].ships[foe].size, ships[0]))
        return tuple(shots)

    def _light_fire(self, pools: Mapping[Context, Ways]) -> tuple[Ways, dict[tuple[Context, HeldLight], Ways], int]:
        grouped: list[tuple[Context, LightPlan, Ways]] = []
        for context, states in pools.items():
            self.check(len(states))
            if context not in self._lights:
                self._lights[context] = LightFire(self, context)
            grouped += [(context, plan, own) for plan, own in self._lights[context].grouped(states)]
        most = max((len(plan.shots) for _, plan, _ in grouped), default=0)
        after: Ways = {}
        held: dict[tuple[Context, HeldLight], Ways] = {}
        for context, plan, states in grouped:
            self.check(len(after) + sum(map(len, held.values())))
            pool = after
            if plan.held != NONE_HELD or any(context.held):
                pool = held.setdefault((context, plan.held), {})
            merge(pool, self.fire(states, plan.shots), THROWS ** (most - len(plan.shots)))
        return after, held, most

    # -- screened ships -----------------------------------------------------------------------------------------

    def _screened_fire(
        self, after: Ways, held: Mapping[tuple[Context, HeldLight], Ways], rolls: int
    ) -> tuple[Ways, int]:
        """22.54G. Ships that held their fire shoot at an open screen: side by side, capital ships before light ships."""
        if not held:
            return after, rolls
        for side in (0, 1):
            for capital in (True, False):
                shots = {
                    (each, state): shot
                    for each, states in held.items()
                    if (each[0].held[side] if capital else each[1][side])
                    for state in states
                    if (shot := self._screened_shot(side, capital, *each, state))
                }
                if not shots:
                    continue
                rolls += 1
                after = {state: ways * THROWS for state, ways in after.items()}
                fired: dict[tuple[Context, HeldLight], Ways] = {}
                for each, states in held.items():
                    self.check(len(after) + sum(map(len, fired.values())))
                    pool = fired.setdefault(each, {})
                    for state, ways in states.items():
                        shot = shots.get((each, state))
                        one = {state: ways}
                        merge(pool, self.fire(one, [shot]) if shot else one, 1 if shot else THROWS)
                held = fired
        for states in held.values():
            merge(after, states, 1)
        return after, rolls

    def _screened_shot(self, side: int, capital: bool, context: Context, held: HeldLight, state: int) -> Shot | None:
        mine, theirs = self.sides[side], self.sides[1 - side]
        own, foe = self.part(state, side), self.part(state, 1 - side)
        if not self._open(1 - side, foe, context.screened[1 - side]):
            return None
        units: tuple[object, ...]
        if capital:
            afloat = [index for index in context.held[side] if mine.hull(own, index).present]
            units = tuple(index for index in afloat if self.rules.held_fire(mine.ship(own, index)))
            factors = sum(mine.ships[index].size for index in afloat if index in units)
        else:
            counts = self._held_light(mine, own, context.screened[side], dict(held[side]))
            units, factors = tuple(counts), factors_of(counts)
        if not units:
            return None
        ships = [(index, theirs.ship(foe, index)) for index in theirs.behind(foe)]
        if ships:
            index, _ = max(ships, key=lambda one: (one[1].is_carrier, one[1].damaged, one[1].hits, one[1].size))
            return self.at_ship(side, units, factors, index)
        behind = theirs.light_behind(foe, context.screened[1 - side])
        if not behind:
            return None
        return self.at_light(side, units, factors, tuple(behind), context.screened[1 - side], SCREENED_FIRE)

    def _open(self, side: int, bits: int, screened: tuple[str, ...]) -> bool:
        """Whether none of a side's unscreened ships is afloat (22.54G)."""
        known = self._opened.setdefault((side, screened), {})
        if bits not in known:
            packed = self.sides[side]
            known[bits] = not packed.line(bits) and not packed.light_line(bits, screened)
        return known[bits]

    def _held_light(
        self, side: PackedSide, bits: int, screened: tuple[str, ...], held: Mapping[str, int]
    ) -> dict[str, int]:
        """Light ships that held their fire and are afloat (22.54G, FP-02)."""
        line = side.light_line(bits, screened)
        afloat = dict(line)
        if self.rules.held_fire_of_damaged_cruisers:
            for key, number in line.items():
                if light(key).state:
                    sound = key.removesuffix("/damaged")
                    afloat[sound] = afloat.get(sound, 0) + number
        return {key: left for key, number in held.items() if (left := min(number, afloat.get(key, 0)))}


class LightPlan(NamedTuple):
    """Who fires at whom, and what holds its fire."""

    shots: tuple[Shot, ...]
    held: HeldLight


class LightFire:
    """22.54D, 22.54E: what light ships fire at, in one context."""

    def __init__(self, fights: Round, context: Context) -> None:
        self.fights, self.context = fights, context
        self._kinds: tuple[Numbered[Middle], Numbered[Middle]] = (Numbered(), Numbered())
        self._middles = (
            Filled(lambda bits: self._kinds[0][self._middle(0, bits)]),
            Filled(lambda bits: self._kinds[1][self._middle(1, bits)]),
        )
        self._pairs = Filled(self._plan_of_pair)
        self._numbers: dict[tuple[int, ...], int] = {}
        self._plans: list[LightPlan] = []

    def grouped(self, states: Ways) -> list[tuple[LightPlan, Ways]]:
        """These states by what is fired in them."""
        grouped: dict[int, Ways] = {}
        shift, mask = self.fights.shifts[1], self.fights.masks[0]
        one, two = self._middles
        pairs = self._pairs
        for state, ways in states.items():
            plan = pairs[one[state & mask] << PAIR | two[state >> shift]]
            if plan in grouped:
                grouped[plan][state] = ways
            else:
                grouped[plan] = {state: ways}
        return [(self._plans[plan], own) for plan, own in grouped.items()]

    def _middle(self, side: int, bits: int) -> Middle:
        packed = self.fights.sides[side]
        line = packed.light_line(bits, self.context.screened[side])
        place = {index: at for at, index in enumerate(self.context.order[side])}
        ships = {index: packed.ship(bits, index) for index in packed.line(bits)}
        ranked = sorted(ships, key=lambda index: (-ships[index].size, not ships[index].fast, place.get(index, 0)))
        return Middle(
            tuple(line.items()), light_strength(Line(1, light=line)), self.fights.favourite(side, bits, ranked)
        )

    def _plan_of_pair(self, pair: int) -> int:
        sides = self._kinds[0].things[pair >> PAIR], self._kinds[1].things[pair & (1 << PAIR) - 1]
        aims = tuple(
            theirs.favourite if _leaves_lights(mine, theirs) else LIGHT for mine, theirs in (sides, sides[::-1])
        )
        key = (*(self._kinds[side][sides[side]._replace(favourite=NOBODY)] for side in (0, 1)), *aims)
        if key not in self._numbers:
            self._numbers[key] = len(self._plans)
            self._plans.append(self._plan(sides, aims))
        return self._numbers[key]

    def _plan(self, sides: tuple[Middle, Middle], aims: tuple[int, ...]) -> LightPlan:
        """22.54E. Light ships fire at light ships; a surplus at the capital ship nearest to sinking, or it holds."""
        shots: list[Shot] = []
        held: list[tuple[tuple[str, int], ...]] = []
        for side, target in enumerate(aims):
            mine, theirs = sides[side], sides[1 - side]
            line = dict(mine.line)
            surplus = light_surplus(mine.strength, theirs.strength)
            away = _spared(line, surplus) if target != LIGHT else {}
            stay = {unit: n - away.get(unit, 0) for unit, n in line.items() if n > away.get(unit, 0)}
            if target >= 0 and away:
                shots.append(self.fights.at_ship(side, tuple(away), factors_of(away), target))
            if theirs.strength and stay:
                ahead, screened = tuple(key for key, _ in theirs.line), self.context.screened[1 - side]
                shots.append(self.fights.at_light(side, tuple(stay), factors_of(stay), ahead, screened, LIGHT_FIRE))
            held.append(tuple(away.items()) if target == NOBODY else ())
        return LightPlan(tuple(shots), (held[0], held[1]))


def _leaves_lights(mine: Middle, theirs: Middle) -> bool:
    """Whether light ships have a surplus that is not worth firing at light ships."""
    surplus = light_surplus(mine.strength, theirs.strength)
    firing, enemy = (sum(number for _, number in each.line) for each in (mine, theirs))
    return bool(surplus) and not policies.light_ships_worth_firing_at(firing, enemy, ADMIRAL)


def _spared(line: Mapping[str, int], surplus: int) -> dict[str, int]:
    """Of the surplus as much as its units allow, in the order they are listed (22.54D)."""
    away: dict[str, int] = {}
    for key, number in line.items():
        amount = min(number, surplus // light(key).factors)
        surplus -= amount * light(key).factors
        if amount:
            away[key] = amount
    return away


def _added(pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return tuple(counted(pairs).items())


def merge(into: Ways, states: Mapping[int, int], times: int) -> None:
    get = into.get
    if times == 1 and not into:
        into.update(states)
        return
    for state, ways in states.items():
        into[state] = get(state, 0) + ways * times
