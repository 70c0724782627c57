"""Exact chances of the strategic war, as fractions over all dice: submarines (24.6, 25), bombers (26), raiders (21.53).

The law here: what a roll does is asked of the rules; only the counting is done here. Each step is counted once for every
different state it is reached in, so that a raid through two fronts costs hardly more than a raid through one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.events import Modifiers
from flagplot.model.strategic_bombing import (
    ATTACKING_GROUPS,
    AirDefenders,
    AirToll,
    BomberForce,
    Bombing,
    Condition,
    Damage,
    FirestormHex,
    Loss,
)
from flagplot.model.strategic_war import Combat, Hunters, RaiderGroup, Shipping, Struck, Toll
from flagplot.odds.exact import Chances, as_chances, chances_of, counted, dice_sum, dice_ways
from flagplot.rules.strategic import (
    bombing,
    bombing_air_combat,
    bombing_effects,
    raiders,
    submarine_warfare,
    yards,
)
from flagplot.rules.table import Ruleset

SURE = Fraction(1)
MOST_STEPS = 100_000  # of counting hunters; beyond that it would keep people waiting
NO_ROLL = {7: SURE}  # of those who make none; nothing is read for it
WAYS = dice_ways(2)
NO_WAYS = {7: 36}
ESCORTS = ("interceptors", "escort_aaf", "jets")
BOMBERS = ("bombing_aaf", "strategic_bombers")


# -- submarines ---------------------------------------------------------------------------------------


class SubmarineAttack(NamedTuple):
    """Conventional submarines of one power, the ASW set against them, and their net modifier (25.6)."""

    submarines: int
    asw: int
    modifier: int = 0


class SubmarineOutcome(NamedTuple):
    """What one combat phase does in a box: to shipping, and to the submarines of each attack."""

    sunk: int
    damaged: int
    asw_lost: int
    escort_carriers_lost: int
    eliminated: tuple[int, ...]
    aborted: tuple[int, ...]


def struck_by(rules: Ruleset, attack: SubmarineAttack, attacker_roll: int, defender_roll: int) -> Struck:
    """One combat with these rolls."""
    return submarine_warfare.strike(
        rules, Combat(attack.submarines, attack.asw, attack.modifier, attacker_roll, defender_roll)
    )


def submarine_outcome(
    rules: Ruleset, shipping: Shipping, strikes: Sequence[Struck], advanced: Struck | None
) -> SubmarineOutcome:
    """What comes of combats already struck, and of advanced submarines after them (25.73)."""
    toll = submarine_warfare.losses(shipping, strikes)
    total = (toll.sunk, toll.damaged, toll.asw_lost, toll.escort_carriers_lost)
    if advanced is not None:
        total = _with_advanced(rules, shipping, toll, advanced)
    return SubmarineOutcome(
        *total, tuple(struck.eliminated for struck in strikes), tuple(struck.aborted for struck in strikes)
    )


def _with_advanced(rules: Ruleset, shipping: Shipping, toll: Toll, advanced: Struck) -> tuple[int, int, int, int]:
    left = submarine_warfare.shipping_after(rules, shipping, toll)
    more = submarine_warfare.losses(left, [advanced])
    return (
        toll.sunk + more.sunk,
        toll.damaged - left.damaged + more.damaged,
        toll.asw_lost + more.asw_lost,
        toll.escort_carriers_lost + more.escort_carriers_lost,
    )


def submarine_odds(
    rules: Ruleset, shipping: Shipping, attacks: Sequence[SubmarineAttack], advanced: int = 0
) -> dict[SubmarineOutcome, Fraction]:
    """The chance of each outcome: every attacker's roll and every roll against it, then the advanced submarines'."""
    struck: dict[tuple[Struck, ...], Fraction] = {(): SURE}
    for attack in attacks:
        of_it = _strikes(rules, attack)
        struck = counted(
            ((*before, each), chance * own) for before, chance in struck.items() for each, own in of_it.items()
        )
    last: dict[Struck | None, Fraction] = {None: SURE}
    if advanced:
        last = counted(
            (submarine_warfare.advanced_strike(rules, advanced, roll), chance) for roll, chance in dice_sum(2).items()
        )
    return counted(
        (submarine_outcome(rules, shipping, strikes, final), chance * own)
        for strikes, chance in struck.items()
        for final, own in last.items()
    )


def _strikes(rules: Ruleset, attack: SubmarineAttack) -> dict[Struck, Fraction]:
    if not submarine_warfare.anybody_rolls(attack.submarines):
        return {struck_by(rules, attack, 7, 7): SURE}
    answers = dice_sum(2) if attack.asw else NO_ROLL
    return counted(
        (struck_by(rules, attack, mine, theirs), chance * other)
        for mine, chance in dice_sum(2).items()
        for theirs, other in answers.items()
    )


# -- bombers ------------------------------------------------------------------------------------------


class Met(NamedTuple):
    """Defending air that meets a bomber force on one front (26.442)."""

    defenders: AirDefenders
    condition: Condition
    drm: int | None = None  # where it is not the chart's
    escorted: bool = True  # whether the escorts are still along (26.43)


class Target(NamedTuple):
    """What is bombed: its strength (26.461A), its value (None: no limit), and what was done there before this turn."""

    strength: int
    value: int | None = None
    hex: FirestormHex = FirestormHex("", "")
    box: str = ""
    already: int = 0  # uncapped damage of earlier raids of this turn
    secondary: bool = False
    economic: bool = True  # a key economic area, a mapboard box or an IC (26.71B)


class Raid(NamedTuple):
    """A bomber force with its modifier at the target (26.461B), whom it meets on the way, and what it bombs."""

    force: BomberForce
    condition: Condition
    target: Target
    modifier: int = 0
    meetings: tuple[Met, ...] = ()
    drm: int | None = None
    radar: int = 0


class InTheAir(NamedTuple):
    """A raid before its target: the force that goes on, and what both sides lost so far, by group."""

    force: BomberForce
    eliminated: tuple[int, ...]  # in the order of ATTACKING_GROUPS
    aborted: tuple[int, ...]
    defenders_eliminated: int = 0
    defenders_aborted: int = 0


class Bombed(NamedTuple):
    """What bombers that arrived do and suffer at their target."""

    damage: int
    brps: int
    markers: int
    firestorm: int
    construction: int
    eliminated: tuple[int, ...]
    aborted: tuple[int, ...]


class BombingOdds(NamedTuple):
    """The chance of each number, by what is counted, and of each number of bombers that arrive."""

    chances: dict[str, Chances]
    arrivals: dict[BomberForce, Fraction]


def _groups(counts: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(counts.get(group, 0) for group in ATTACKING_GROUPS)


def _added(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...]:
    return tuple(one + other for one, other in zip(first, second, strict=True))


def air_modifiers(rules: Ruleset, raid: Raid, force: BomberForce, met: Met) -> tuple[BomberForce, Modifiers]:
    """Who engages unless the attacker says otherwise (26.451B), and the net modifier of the round (26.453)."""
    engaged = bombing_air_combat.engaged_by_default(force, met.defenders)
    ours, theirs = raid.drm, met.drm
    if ours is None:
        ours = bombing_air_combat.bombing_drm(rules, engaged, raid.condition).total
    if theirs is None:
        theirs = bombing_air_combat.bombing_drm(rules, met.defenders, met.condition).total
    return engaged, bombing_air_combat.bombing_air_modifiers(
        rules, force, engaged, met.defenders, attacker_drm=ours, defender_drm=theirs, radar=raid.radar
    )


def force_met(force: BomberForce, met: Met) -> BomberForce:
    """The force as it is met: without its escorts where they have turned back."""
    return force if met.escorted else replace(force, **dict.fromkeys(ESCORTS, 0))


def fights(force: BomberForce, met: Met) -> bool:
    """Whether there is air combat: bombers are still on their way, and somebody meets them."""
    return bool(force.bombers and met.defenders.factors)


def fought(rules: Ruleset, raid: Raid, force: BomberForce, met: Met, mine: int, theirs: int) -> InTheAir:
    """A force after one round of air combat with these rolls, and what that round took."""
    engaged, modifiers = air_modifiers(rules, raid, force, met)
    combat = bombing_air_combat.air_combat_round(
        rules, force, engaged, met.defenders, modifiers, attacker_roll=mine, defender_roll=theirs
    )
    toll = combat.attacker
    return InTheAir(
        combat.force,
        _groups(toll.eliminated),
        _groups(toll.aborted),
        sum(combat.defender.eliminated.values()),
        sum(combat.defender.aborted.values()),
    )


def later(state: InTheAir, after: InTheAir) -> InTheAir:
    """A raid after another round: the force is what that round left, the losses of both are added."""
    return InTheAir(
        after.force,
        _added(state.eliminated, after.eliminated),
        _added(state.aborted, after.aborted),
        state.defenders_eliminated + after.defenders_eliminated,
        state.defenders_aborted + after.defenders_aborted,
    )


def unharmed(force: BomberForce) -> InTheAir:
    """A force of which nothing was taken."""
    none = (0,) * len(ATTACKING_GROUPS)
    return InTheAir(force, none, none)


def on_its_way(rules: Ruleset, raid: Raid) -> dict[InTheAir, int]:
    """The ways, of 36 times 36 for every meeting, to each state in which a raid is when it comes to its target."""
    states = {unharmed(raid.force): 1}
    for met in raid.meetings:
        forces = dict.fromkeys(force_met(state.force, met) for state in states)
        rounds = {force: _one_round(rules, raid, force, met) for force in forces}
        states = counted(
            (later(state, after), ways * own)
            for state, ways in states.items()
            for after, own in rounds[force_met(state.force, met)].items()
        )
    return states


def _one_round(rules: Ruleset, raid: Raid, force: BomberForce, met: Met) -> dict[InTheAir, int]:
    if not fights(force, met):
        return {unharmed(force): 36 * 36}
    return counted(
        (fought(rules, raid, force, met, mine, theirs), ways * other)
        for mine, ways in WAYS.items()
        for theirs, other in WAYS.items()
    )


def arriving(state: InTheAir) -> BomberForce:
    """Those who bomb."""
    return BomberForce(state.force.strategic_bombers, state.force.bombing_aaf)


def bombed(rules: Ruleset, target: Target, result: Bombing) -> Bombed:
    """What a result at the target comes to: BRPs within its value, markers, fire, and losses (26.463, 26.7, 26.9)."""
    value = 0 if target.secondary else target.value
    before, now = Damage(bombers=target.already), Damage(bombers=target.already + result.damage)
    lost = bombing_effects.brps_lost(now, value).total - bombing_effects.brps_lost(before, value).total
    toll: AirToll = result.toll
    owner = target.hex.country
    points = [
        bombing_effects.construction_limits(
            rules, [Loss(owner, bombing_effects.brps_lost(damage, value), target.economic and not target.secondary)]
        ).get(owner, 0)
        for damage in (before, now)
    ]
    return Bombed(
        result.damage,
        lost,
        bombing_effects.damage_markers(rules, now.total, box=target.box),
        int(bombing_effects.firestorm(rules, target.hex, now).holds),
        points[1] - points[0],  # what earlier raids left over counts (26.51)
        _groups(toll.eliminated),
        _groups(toll.aborted),
    )


def at_target(rules: Ruleset, raid: Raid, force: BomberForce) -> dict[Bombed, int]:
    """The ways to each thing these bombers may do and suffer (26.461): nobody rolls if none arrives."""
    mine = WAYS if force.bombers else NO_WAYS
    theirs = WAYS if force.bombers and raid.target.strength else NO_WAYS
    return counted(
        (bombed(rules, raid.target, dropped(rules, raid, force, first, second)), ways * other)
        for first, ways in mine.items()
        for second, other in theirs.items()
    )


def dropped(rules: Ruleset, raid: Raid, force: BomberForce, mine: int, theirs: int) -> Bombing:
    """SW combat with the target at these rolls."""
    return bombing.bombs_target(
        rules, force, raid.target.strength, raid.modifier, attacker_roll=mine, defender_roll=theirs
    )[2]


def yard_odds(rules: Ruleset, raid: Raid) -> Chances:
    """The chance of each number of columns that bombers which all arrive throw ships in a yard back, in all (26.76)."""

    def columns(mine: int, theirs: int) -> int:
        attacker, _, result = bombing.bombs_target(
            rules, raid.force, raid.target.strength, raid.modifier, attacker_roll=mine, defender_roll=theirs
        )
        return yards.columns_moved(yards.yard_result(attacker, result))

    answers = WAYS if raid.target.strength else NO_WAYS
    rolls = ((columns(mine, theirs), ways * own) for mine, ways in WAYS.items() for theirs, own in answers.items())
    return as_chances(dict(sorted(counted(rolls).items())))


def _of(groups: Sequence[str], counts: Sequence[int]) -> int:
    return sum(number for group, number in zip(ATTACKING_GROUPS, counts, strict=True) if group in groups)


# What is counted: in the air, and at the target; the two are added.
IN_THE_AIR: dict[str, Callable[[InTheAir], int]] = {
    "bombers_eliminated": lambda state: _of(BOMBERS, state.eliminated),
    "bombers_aborted": lambda state: _of(BOMBERS, state.aborted),
    "escorts_eliminated": lambda state: _of(ESCORTS, state.eliminated),
    "escorts_aborted": lambda state: _of(ESCORTS, state.aborted),
    "defenders_eliminated": lambda state: state.defenders_eliminated,
    "defenders_aborted": lambda state: state.defenders_aborted,
    "bombers_arriving": lambda state: state.force.bombers,
}
AT_TARGET: dict[str, Callable[[Bombed], int]] = {
    "damage": lambda result: result.damage,
    "brps_lost": lambda result: result.brps,
    "construction_points": lambda result: result.construction,
    "markers": lambda result: result.markers,
    "firestorm": lambda result: result.firestorm,
    "bombers_eliminated": lambda result: _of(BOMBERS, result.eliminated),
    "bombers_aborted": lambda result: _of(BOMBERS, result.aborted),
}


def bombing_odds(rules: Ruleset, raid: Raid) -> BombingOdds:
    """The chance of each number of everything counted: all air combat on the way, and the target's after it."""
    states = on_its_way(rules, raid)
    arrivals = counted((arriving(state), ways) for state, ways in states.items())
    results = {force: at_target(rules, raid, force) for force in arrivals}
    chances = {}
    for name in dict.fromkeys((*AT_TARGET, *IN_THE_AIR)):
        before, after = IN_THE_AIR.get(name, _nothing), AT_TARGET.get(name, _nothing)
        so_far = counted(((arriving(state), before(state)), ways) for state, ways in states.items())
        there = {force: counted((after(each), ways) for each, ways in of.items()) for force, of in results.items()}
        sums = counted(
            (already + more, ways * own)
            for (force, already), ways in so_far.items()
            for more, own in there[force].items()
        )
        chances[name] = as_chances(dict(sorted(sums.items())))
    return BombingOdds(chances, as_chances(arrivals))


def _nothing(_: object) -> int:
    return 0


# -- raiders ------------------------------------------------------------------------------------------


Kinds = tuple[tuple[str, int], ...] | None  # ships by kind in the order they are sent; None: as many as are called for


class RaidingGroup(NamedTuple):
    """A raiding group, and the fire factors it has for transports."""

    group: RaiderGroup
    factors: int = 0


class AtSea(NamedTuple):
    """A box between two raiding groups: hunters left, in the order they would be sent, and transports left."""

    available: Kinds
    transports: int


class GroupOdds(NamedTuple):
    """One raiding group: ships that engage it, and transports it sinks if nobody does."""

    ships: Chances
    sunk: Chances


class RaiderOdds(NamedTuple):
    """Each group, all transports sunk by groups that nobody engages, and the chance that each group is engaged."""

    groups: tuple[GroupOdds, ...]
    sunk: Chances
    engaged: Chances  # how many groups are engaged


def hunters_sent(rules: Ruleset, ships: int, dice: Sequence[int], available: Kinds) -> tuple[int, Kinds]:
    """How many of so many hunters there are, given their type dice; of several kinds the first that is listed goes."""
    if available is None:
        return ships, None
    left = dict(available)
    slots: list[int | None] = [*([None] * (ships - raiders.type_dice(rules, ships))), *dice]
    sent = 0
    for die in slots:
        may = raiders.hunter_choices(rules, die, left)
        if may:
            left[may[0]] -= 1
            sent += 1
    return sent, tuple(left.items())


class _Hunting:
    """Who is sent against raiders, counted type die by type die; what was counted once is remembered.

    Which kind answers a die depends only on which kinds are still there, and a kind of which more are left than can ever
    be called for is as good as endless.
    """

    def __init__(self, rules: Ruleset, groups: Sequence[RaidingGroup], hunters: Hunters) -> None:
        self.rules = rules
        self.due = [
            {die: raiders.ships_that_engage(rules, each.group, hunters, die).ships for die in dice_sum(1)}
            for each in groups
        ]
        self.answers: dict[tuple[int | None, tuple[bool, ...]], int | None] = {}
        self.known: dict[tuple[int, Kinds], dict[tuple[int, Kinds], Fraction]] = {}
        self.steps = 0

    def enough(self, available: Kinds, after: int) -> Kinds:
        """What is left, as far as the groups after this one can tell the difference."""
        most = sum(max(due.values()) for due in self.due[after:])
        return None if available is None else tuple((kind, min(number, most)) for kind, number in available)

    def sent(self, ships: int, available: Kinds) -> dict[tuple[int, Kinds], Fraction]:
        """The chance of each number of hunters and of what is left of them."""
        if available is None:
            return {(ships, None): SURE}
        if (ships, available) not in self.known:
            dice = raiders.type_dice(self.rules, ships)
            kinds = tuple(kind for kind, _ in available)
            states = {(0, tuple(number for _, number in available)): 1}
            for slot in range(ships):
                faces: tuple[int | None, ...] = (None,) if slot < ships - dice else tuple(range(1, 7))
                self.count(len(states) * len(faces))
                states = counted(
                    (self._one(face, kinds, sent, left), ways)
                    for (sent, left), ways in states.items()
                    for face in faces
                )
            self.known[ships, available] = {
                (sent, tuple(zip(kinds, left, strict=True))): Fraction(ways, 6**dice)
                for (sent, left), ways in states.items()
            }
        return self.known[ships, available]

    def _one(
        self, die: int | None, kinds: tuple[str, ...], sent: int, left: tuple[int, ...]
    ) -> tuple[int, tuple[int, ...]]:
        there = tuple(number > 0 for number in left)
        if (die, there) not in self.answers:
            may = raiders.hunter_choices(self.rules, die, dict(zip(kinds, there, strict=True)))
            self.answers[die, there] = kinds.index(may[0]) if may else None
        at = self.answers[die, there]
        return (sent, left) if at is None else (sent + 1, (*left[:at], left[at] - 1, *left[at + 1 :]))

    def count(self, steps: int) -> None:
        """Refuse what would take too long."""
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise ValueError("too many different hunters and groups to count; list fewer, or each group by itself")


def raider_odds(
    rules: Ruleset,
    groups: Sequence[RaidingGroup],
    hunters: Hunters,
    *,
    transports: int,
    modifier: int = 0,
    available: Kinds = None,
) -> RaiderOdds:
    """Group by group: the die that says how many engage it, and the fire of those nobody engages (22.35E).

    An engaged group fights first; what it sinks afterwards is left to the battle, and counted as nothing.
    """
    hunting = _Hunting(rules, groups, hunters)
    states = {(AtSea(hunting.enough(available, 0), transports), 0): SURE}  # and how many groups are engaged
    told = []
    for place, each in enumerate(groups):
        reached = counted((at_sea, chance) for (at_sea, _), chance in states.items())
        own = {at_sea: counted(_one_group(rules, each, hunting, place, at_sea, modifier)) for at_sea in reached}
        hunting.count(sum(map(len, own.values())))
        alone = [(after, chance * share) for at_sea, chance in reached.items() for after, share in own[at_sea].items()]
        told.append(
            GroupOdds(
                dict(sorted(counted((ships, chance) for (_, ships, _), chance in alone).items())),
                dict(sorted(counted((sunk, chance) for (_, _, sunk), chance in alone).items())),
            )
        )
        states = counted(
            ((after, engaged + (ships > 0)), chance * share)
            for (at_sea, engaged), chance in states.items()
            for (after, ships, _), share in own[at_sea].items()
        )
    return RaiderOdds(
        tuple(told),
        chances_of(states, lambda state: transports - state[0].transports),
        chances_of(states, lambda state: state[1]),
    )


def _one_group(
    rules: Ruleset, each: RaidingGroup, hunting: _Hunting, place: int, at_sea: AtSea, modifier: int
) -> Iterator[tuple[tuple[AtSea, int, int], Fraction]]:
    for die, chance in dice_sum(1).items():
        for (ships, left), own in hunting.sent(hunting.due[place][die], at_sea.available).items():
            after = AtSea(hunting.enough(left, place + 1), at_sea.transports)
            if not raiders.may_attack_transports(engaged=ships > 0).holds:
                yield (after, ships, 0), chance * own
                continue
            for roll, share in (dice_sum(2) if each.factors else NO_ROLL).items():
                (sunk,) = raiders.transports_sunk(rules, [(each.factors, roll)], at_sea.transports, modifier=modifier)
                yield (after._replace(transports=at_sea.transports - sunk), ships, sunk), chance * own * share
