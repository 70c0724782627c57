"""Questions about the dice of naval interception (22.2): how many, what they reach, and the chances beforehand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from flagplot.api.calls import Shared, question
from flagplot.api.naval_words import activity_called, force_called, found_among, ship_called
from flagplot.api.shapes import lines
from flagplot.core.errors import PlayerError
from flagplot.model.interception import (
    THEATRES,
    Advance,
    Arrival,
    Attempt,
    Chance,
    Circumstances,
    Interceptor,
    Level,
    Place,
    Target,
)
from flagplot.model.ships import SLOW_KINDS
from flagplot.odds import exact
from flagplot.rules.naval import interception as rule
from flagplot.rules.naval import sailing
from flagplot.rules.table import Ruleset

MOST = 99  # of anything counted


class TargetJson(msgspec.Struct, forbid_unknown_fields=True):
    """What is intercepted as one force: an activity, or several. Cargo is known from it unless said.

    The rest is for the table by activity of 2008 (22.23): its naval factors, whether it invades or bombards in the hex,
    whether it is itself after transports from a U.S. box.
    """

    activity: str | list[str] = "base change"
    task_forces: int = 0
    cargo: bool | None = None
    returning: bool = False
    staying: bool = False
    factors: int | None = None
    in_invasion_hex: bool = False
    against_us_transport: bool = False

    def target(self) -> Target:
        """The target as the rules have it."""
        kinds = [
            activity_called(kind) for kind in ([self.activity] if isinstance(self.activity, str) else self.activity)
        ]
        if not kinds:
            raise PlayerError("say what is intercepted: at least one activity")
        if self.staying and (self.returning or "patrol" not in kinds):
            raise PlayerError("22.22B: only a patrol stays in its patrol hex")
        return Target(
            tuple(kinds),
            _few(self.task_forces, "TFs"),
            self.cargo,
            self.returning,
            self.staying,
            self.factors,
            self.in_invasion_hex,
            self.against_us_transport,
        )


class ForceJson(msgspec.Struct, forbid_unknown_fields=True):
    """A force that intercepts. `ships` are kinds such as BB, CA, DD, CVE; only CA and DD give the die of 22.22D.

    CVEs and transports are slow (RC-28); of other ships `slow` says whether one of them is. In 2008 a fully operational fast `carrier` makes up for slow ships, and a port that is not operational costs dice.
    """

    id: str
    distance: int
    kind: str = "TF"
    slow: bool = False
    ships: list[str] = []
    magic: int | None = None
    hex: str = ""
    against: str = ""
    dice: list[int] = []
    carrier: bool = False
    port_operational: bool = True

    def interceptor(self) -> Interceptor:
        """The force as the rules have it."""
        kind = force_called(self.kind)
        if self.distance < 0:
            raise PlayerError(f"{self.id}: a path has no hexes fewer than none, not {self.distance}")
        if self.magic is not None and not 0 <= self.magic <= MOST:
            raise PlayerError(f"{self.id}: magic is the round it arrives in, or 0, not {self.magic}")
        ships = [ship_called(each) for each in self.ships]
        light = bool(ships) and all(each in ("CA", "DD") for each in ships)
        return Interceptor(
            self.id,
            self.distance,
            kind,
            self.slow or any(each in SLOW_KINDS for each in ships),
            light,
            self.magic,
            self.hex,
            self.against,
            self.carrier,
            self.port_operational,
        )


def _few(number: int, what: str) -> int:
    if not 0 <= number <= MOST:
        raise PlayerError(f"{number} is no number of {what}; give one from 0 to {MOST}")
    return number


def theatre_called(name: str) -> str:
    """The theatre as the rules spell it, whatever its capitals."""
    found = found_among(name, THEATRES, {"european": "Europe"})
    if not found:
        raise PlayerError(f"there is no theatre {name[:40]!r}; there are {' and '.join(THEATRES)}")
    return found


class CircumstancesJson(Shared, kw_only=True):
    """What modifies all attempts at once (22.22)."""

    theatre: str = "Europe"
    level: Level = Level.INTERCEPTION
    place: Place = Place.ELSEWHERE
    spotters: int = 0
    submarines: int = 0
    ground_factors: int = 0
    cards: int = 0
    enemy_cards: int = 0

    def circumstances(self, targets: list[Target]) -> Circumstances:
        """The circumstances as the rules have them."""
        landing = any("seaborne invasion" in each.activities and not each.returning for each in targets)
        if self.ground_factors and not landing:
            raise PlayerError("22.22F: ground factors count against a seaborne invasion in its invasion hex only")
        if self.place is not Place.ELSEWHERE and self.level is Level.INTERCEPTION:
            raise PlayerError(f"22.22C: only counter-interceptions are tried in {self.place}")
        if self.place is Place.COUNTER_HEX and self.level is Level.COUNTER:
            raise PlayerError("22.22C: a counter-interception is tried in the interception hex or elsewhere")
        return Circumstances(
            theatre_called(self.theatre),
            self.level,
            self.place,
            _few(self.spotters, "squadrons"),
            _few(self.submarines, "submarines"),
            _few(self.ground_factors, "ground factors"),
            _few(self.cards, "cards"),
            _few(self.enemy_cards, "cards"),
        )


def _forces(forces: list[ForceJson]) -> list[Interceptor]:
    ids = [force.id for force in forces]
    if not ids:
        raise PlayerError("say who intercepts: at least one force")
    if len(ids) > MOST:
        raise PlayerError(f"{len(ids)} forces are too many; {MOST} at most")
    twice = next((id for id in ids if ids.count(id) > 1), None)
    if twice is not None:
        raise PlayerError(f"two forces are called {twice!r}; give each a name of its own")
    return [force.interceptor() for force in forces]


@question
def interception_dice(
    *,
    rules: Ruleset,
    forces: list[ForceJson],
    target: TargetJson | None = None,
    targets: dict[str, TargetJson] | None = None,
    circumstances: CircumstancesJson,
) -> dict[str, Any]:
    """How many dice each force rolls for interception (22.22), line by line, and whether it may try at all.

    One `target`, or several by name, each force saying which it goes `against`. Spotters, submarines and ground factors
    are those that count (see spotters, assisting_submarines).
    """
    wanted = {name: each.target() for name, each in (targets or {"": target or TargetJson()}).items()}
    about = circumstances.circumstances(list(wanted.values()))
    made: dict[str, Attempt] = {}
    trying = _forces(forces)
    for name, each in wanted.items():
        group = [force for force in trying if targets is None or force.shares == name]
        made |= {tried.force.id: tried for tried in rule.attempts(rules, each, about, group)}
    lost = [force.id for force in trying if force.id not in made]
    if lost:
        raise PlayerError(f"{lost[0]} goes against none of {', '.join(wanted)}")
    return {
        "dice": {force.id: made[force.id].dice.total for force in trying},
        "lines": {force.id: lines(made[force.id].dice)["lines"] for force in trying},
        "may_attempt": {force.id: made[force.id].chance in (Chance.ROLLS, Chance.MAGIC) for force in trying},
    }


@question
def interception(
    *,
    rules: Ruleset,
    dice: list[int],
    forces: list[ForceJson],
    target: TargetJson | None = None,
    circumstances: CircumstancesJson,
) -> dict[str, Any]:
    """All attempts at one target resolved together (22.23, 22.24): dice, result, and the round each force enters.

    A force with its own `dice` uses as many of them as it rolls; the others take theirs from the row, in their order.
    """
    wanted = (target or TargetJson()).target()
    about = circumstances.circumstances([wanted])
    tried = rule.attempts(rules, wanted, about, _forces(forces))
    left = list(dice)
    thrown = {each.force.id: _take(each, force.dice, left) for each, force in zip(tried, forces, strict=True)}
    arrived = rule.arrivals(rules, about, tried, {id: sum(row) for id, row in thrown.items()})
    return {
        "forces": {
            each.force.id: {**_told(each, came), "rolled": thrown[each.force.id]}
            for each, came in zip(tried, arrived, strict=True)
        },
        "naval_combat": any(came.round == 1 and each.force.surface for each, came in zip(tried, arrived, strict=True)),
        "dice_used": len(dice) - len(left),
    }


def _take(tried: Attempt, own: list[int], left: list[int]) -> list[int]:
    number = tried.dice.total if tried.chance is Chance.ROLLS else 0
    for die in own:
        if not 1 <= die <= 6:
            raise PlayerError(f"{die!r} is not a die; each die is a number from 1 to 6")
    row = own or left
    if len(row) < number:
        raise PlayerError(f"the dice end here: {tried.force.id} rolls {number}, {len(row)} are left")
    taken = row[:number]
    if not own:
        del left[:number]
    return taken


def _told(tried: Attempt, came: Arrival) -> dict[str, Any]:
    sailed = not came.stays_in_port
    goes = "" if came.round is not None or not sailed else sailing.returns_to(fought=False).why
    return {
        "may_attempt": tried.chance in (Chance.ROLLS, Chance.MAGIC),
        "dice": came.dice,
        "lines": lines(tried.dice)["lines"],
        "total": came.total,
        "result_after_theatre": came.result,
        "needed": came.needed,
        "success": came.success,
        "arrival_round": came.round,
        "stays_in_port": came.stays_in_port,
        "may_join_later": came.round is not None and came.round > 1,
        "may_be_countered": came.counterable,
        "spent": came.spent,
        "goes": goes,
        "why": came.why,
    }


@question
def intercept_odds(
    *,
    rules: Ruleset,
    forces: list[ForceJson],
    target: TargetJson | None = None,
    circumstances: CircumstancesJson,
) -> dict[str, Any]:
    """The chance of each force to enter in round 1, 2, 3 ... or never, all trying at once: exact, as fractions too."""
    wanted = (target or TargetJson()).target()
    about = circumstances.circumstances([wanted])
    tried = rule.attempts(rules, wanted, about, _forces(forces))
    odds = exact.arrival_odds(rules, about, tried)
    return {
        "forces": {
            each.force.id: {
                "may_attempt": each.chance in (Chance.ROLLS, Chance.MAGIC),
                "why": "" if each.chance is Chance.ROLLS else str(each.chance),
                "dice": each.dice.total,
                "lines": lines(each.dice)["lines"],
                "needed": each.force.distance,
                "rounds": {str(entry): _chance(chance) for entry, chance in chances.items() if entry},
                "never": _chance(chances.get(exact.NEVER, Fraction(0))),
            }
            for each, chances in zip(tried, odds, strict=True)
        },
        "naval_combat": _chance(exact.battle_odds(rules, about, tried)),
    }


def _chance(chance: Fraction) -> dict[str, Any]:
    """A chance as a number and as a fraction."""
    return {"chance": round(float(chance), 6), "exact": str(chance)}


# -- counter-interception and patrols -------------------------------------------------------------


def _aimed(forces: list[Advance], at: str) -> None:
    ids = [force.id for force in forces]
    if at not in ids:
        raise PlayerError(f"{at!r} is none of the intercepting forces; there are {', '.join(ids)}")


@question
def counter_target(*, rules: Ruleset, forces: list[Advance], at: str, place: Place = Place.ELSEWHERE) -> dict[str, Any]:
    """Whom a counter-interception of one force meets (22.253, 22.162), and the TFs that give it dice (22.22E, IR-33).

    Attempts that have the same `counted_with` cost each other dice (22.22K, IR-41).
    """
    _aimed(forces, at)
    return {
        "meets": [force.id for force in rule.countered(rules, forces, place, at)],
        "task_forces": rule.countered_task_forces(rules, forces, place, at),
        "counted_with": rule.counter_attempts_share(rules, forces, place, at),
    }


@question
def counter_attempts(
    *, rules: Ruleset, forces: list[Advance], attempts: dict[str, str], place: Place = Place.ELSEWHERE
) -> dict[str, Any]:
    """Which counter-interceptions cost each other dice, and how many each loses (22.22K, IR-41).

    `attempts` names for each counter-intercepting force the intercepting force it is aimed at: the option
    counter_attempts_counted. What else gives and takes dice is asked of interception_dice.
    """
    for at in attempts.values():
        _aimed(forces, at)
    word = {id: rule.counter_attempts_share(rules, forces, place, at) for id, at in attempts.items()}
    together = {share: [id for id in word if word[id] == share] for share in word.values()}
    each_costs = rules.interception.per_further_attempt
    return {
        "together": list(together.values()),
        "dice": {id: (len(together[share]) - 1) * each_costs for id, share in word.items()},
    }


@question
def counter_combined(
    *,
    rules: Ruleset,
    forces: list[Advance],
    at: str,
    theatre: str = "Europe",
    won: bool | None = None,
    lasted: int = 1,
    arrival_rounds: dict[str, int] | None = None,
) -> dict[str, Any]:
    """Interceptors on one path countered together outside the interception hex (22.254).

    `result` is what each rolled (after the halving of the Pacific), `distance` that to the counter-interception hex.
    With `won` (by the interceptors) it says who enters the battle with the target afterwards, and when; and who `fought` in
    the rounds it `lasted`: who did not is not inverted for it, beaten or not (22.27, IR-51).
    """
    _aimed(forces, at)
    where = theatre_called(theatre)
    met = rule.countered(rules, forces, Place.ELSEWHERE, at)
    ids = [force.id for force in met]
    told: dict[str, Any] = {
        "involved": ids,
        "rounds": rule.counter_battle(rules, where, met),
        "others": {force.id: {"may_support": False, "goes_on": True} for force in forces if force.id not in ids},
    }
    if won is not None:
        rounds = {id: (arrival_rounds or {}).get(id, 1) for id in ids}
        after = rule.after_counter_battle(rules, rounds, won=won, lasted=_few(lasted, "rounds"))
        choices = sailing.choices_after_counter_battle(after)
        fought = {id: entry <= lasted for id, entry in told["rounds"].items()}
        told |= {"afterwards": after, "may": {id: list(each) for id, each in choices.items()}, "fought": fought}
    return told


@question
def who_is_left(*, rules: Ruleset, rounds: dict[str, int | None], stopped: list[str] | None = None) -> dict[str, Any]:
    """In which round surface forces fight once some were stopped on their way (22.24B, IR-47)."""
    left = rule.those_who_fight(rules, rounds, stopped or [])
    return {"rounds": left, "battle": any(entry is not None for entry in left.values())}


@question
def patrol_support(
    *,
    rules: Ruleset,
    distances: list[int],
    theatre: str = "Europe",
    lasted: int | None = None,
    victorious: bool = True,
    in_interception_hex: bool = True,
    permitted: bool = True,
) -> dict[str, Any]:
    """In which round offensive patrols so many hexes off support an intercepted force (22.163), and what they do then.

    With `lasted`, the rounds of the battle: whether each fights, where it goes, whether it may be used later. One that
    is too far off to support at all, as in 2008 (22.23), has no round; nor has any in a battle that counter-interceptors
    fight elsewhere than `in_interception_hex` (22.163A). It adopts the mission if it is `permitted` to (21.4182B).
    """
    where = theatre_called(theatre)
    rounds = [
        rule.patrol_round(rules, where, distance)
        if rule.patrol_may_support(rules, distance, where_intercepted=in_interception_hex)
        else None
        for distance in (_few(distance, "hexes") for distance in distances)
    ]
    fights = [entry is not None and rule.patrol_fights(entry, lasted) for entry in rounds]
    return {
        "rounds": rounds,
        "patrols": [
            {
                "round": entry,
                "fights": fighting,
                "adopts_mission": sailing.adopts_mission(
                    took_part=fighting, victorious=victorious, permitted=permitted
                ),
                "goes": "" if fighting else sailing.returns_to(fought=False, patrol=True).why,
                "usable_later": not fighting,
            }
            for entry, fighting in zip(rounds, fights, strict=True)
        ],
    }
