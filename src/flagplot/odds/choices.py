"""What a side may choose in secret, as something both the procedures and the kernels can be made to do.

The law here: a choice is either another world (other group numbers) or an order for one round that stands above the
doctrine: evade or stand, withdraw or stay, whom to cover, what to screen, how many squadrons on patrol. The procedures
follow it through `Ordered`, a bot; the kernels through the overrides of kernel_layout.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.bots.admiral import AdmiralBot, damaged_leave
from flagplot.bots.flying import legal
from flagplot.core.asks import Decide
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.doctrine.sight import group_named
from flagplot.model.forces import CombatGroup
from flagplot.model.picture import Picture
from flagplot.model.squadrons import squadron
from flagplot.model.state import Battle
from flagplot.odds.guesses import MADE_UP
from flagplot.odds.worlds import NoOdds, World
from flagplot.play.wording import counted, light_parts, listed
from flagplot.rules.air.patrol import most_on_patrol

KINDS = {
    "number": "the numbers of groups",
    "patrol": "patrols",
    "cover": "cover",
    "screen": "screening",
    "evade": "evading",
    "withdraw": "withdrawing",
}
MOST_CHOICES = 12  # of a side; more would keep people waiting
NOTHING, ALL = "nothing", "everything"  # to be screened


class Order(NamedTuple):
    """What a side is told to do in one round, whatever its doctrine says. None leaves it to the doctrine."""

    evade: bool | None = None
    withdraw: bool | None = None
    cover: int | None = None  # the number of the group all cover flies over
    screen: str | None = None
    patrol: Mapping[str, int] | None = None  # squadrons by the name of the group
    round: int | None = None  # None: in every round


class Choice(NamedTuple):
    """One thing to choose: in words, the order it is, and for numbering which group has which number."""

    label: str
    order: Order = Order()
    numbers: tuple[tuple[str, int], ...] = ()  # group, number


class Ordered(AdmiralBot):
    """The admiral under an order."""

    def __init__(self, doctrine: Doctrine, order: Order) -> None:
        super().__init__(doctrine=doctrine)
        self.order = order

    def choose(self, picture: Picture, decision: Decide) -> Wire:
        """As ordered, where the order speaks of it and it can be done; else as he thinks best."""
        order = self.order
        if order.round in (None, picture.battle.round):
            wire = _ordered(order, picture, decision)
            if wire is not None:
                return wire
        return super().choose(picture, decision)


def _ordered(order: Order, picture: Picture, decision: Decide) -> Wire | None:
    form = decision.form
    if decision.kind == "evade" and order.evade is not None:
        choice = form.items[0]
        can = len(form.items) == 1 and "evade" not in form.barred(choice)
        return {"choice": "evade" if order.evade and can else "fight"}
    if decision.kind == "withdraw" and order.withdraw is not None:
        if not order.withdraw:
            staying = damaged_leave(picture, decision)
            return staying if legal(decision, staying) else form.default
        return {item.key: "withdraw" for item in form.items if "withdraw" not in form.barred(item)}
    if decision.kind == "cover" and order.cover is not None:
        if group_named(picture.battle, decision.side, f"CG{order.cover}") is None:
            return {}
        return {item.key: f"CG{order.cover}" for item in form.items if squadron(item.key).kind != "NAS"}
    if decision.kind == "screen" and order.screen is not None:
        return {item.key: "screen" for item in form.items} if order.screen == ALL else {}
    if decision.kind == "patrol" and order.patrol is not None:
        return _patrolling(picture, decision, order.patrol)
    return None


def _patrolling(picture: Picture, decision: Decide, patrol: Mapping[str, int]) -> Wire | None:
    """So many squadrons over each group that is named, a third at most, ordinary crews first; none over the others."""
    told: dict[str, dict[str, int]] = {}
    for group in picture.battle.fleets[decision.side].groups:
        mine = [(ship, key) for ship in group.ships if not ship.damaged for key in ship.wing]
        most = min(patrol.get(group.name, 0), most_on_patrol(sum(ship.wing[key] for ship, key in mine)))
        for ship, key in sorted(mine, key=lambda pair: squadron(pair[1]).state == "elite"):
            flying = min(most, ship.wing[key])
            most -= flying
            if flying:
                told[f"{ship.id}|{key}"] = {"patrol": flying}
    return told


# -- what there is to choose ---------------------------------------------------------------------------


def choices(world: World, side: Side, kind: str) -> list[Choice]:
    """What a side may choose, the first being what it would do by itself."""
    found = {
        "number": _numberings,
        "patrol": _patrols,
        "cover": _covers,
        "screen": _screens,
        "evade": _evasions,
        "withdraw": _withdrawals,
    }
    if kind not in found:
        raise NoOdds(f"there is advice on {', '.join(found)}, not on {kind!r}")
    return found[kind](world.battle, side)


def simultaneous(kind: str) -> bool:
    """Whether the enemy makes the same choice at the same time, in secret."""
    return kind in ("number", "patrol", "cover", "screen")


def _numberings(battle: Battle, side: Side) -> list[Choice]:
    groups = battle.fleets[side].groups
    if battle.round > 1 or battle.segment != "counterair":
        raise NoOdds("there is advice on numbers before the first round, when all groups get theirs")
    waiting = [f"{group.name} waits" for group in battle.fleets[side].pending if group.arrives <= battle.round]
    numbers = {group.name: group.number for group in groups}
    names, called_by = list(numbers), [called(group) for group in groups]
    given = tuple(numbers.values())
    every = [chosen for chosen in permutations(range(1, 7), len(names)) if chosen != given]
    if len(every) >= MOST_CHOICES:
        every = Random(0).sample(every, MOST_CHOICES - 1)
    return [
        Choice(
            ", ".join(
                [*(f"CG{number} {name}" for number, name in sorted(zip(each, called_by, strict=True))), *waiting]
            ),
            numbers=_pairs(names, each),
        )
        for each in (given, *sorted(every))
    ]


def called(group: CombatGroup) -> str:
    """What a group is called: by its name, or, if somebody made it up, by what it is taken to hold. A made-up name has a
    number in it, and the number is what is chosen."""
    if not group.name.startswith(MADE_UP):
        return group.name
    return listed([ship.name for ship in group.ships] or light_parts(group.light))


def _pairs(names: list[str], numbers: tuple[int, ...]) -> tuple[tuple[str, int], ...]:
    return tuple(zip(names, numbers, strict=True))


def _patrols(battle: Battle, side: Side) -> list[Choice]:
    """As many squadrons over each group with carriers as a share of its third: none, one, two and so on."""
    most = {
        group.name: most_on_patrol(sum(ship.air for ship in group.ships if ship.is_carrier and not ship.damaged))
        for group in battle.fleets[side].groups
    }
    most = {name: number for name, number in most.items() if number}
    if not most:
        raise NoOdds("no carrier here has squadrons to send on patrol")
    return [
        Choice(
            f"{counted(number, 'squadron')} over each group with carriers" if number else "no patrols",
            Order(patrol={name: min(number, third) for name, third in most.items()}, round=battle.round),
        )
        for number in range(min(MOST_CHOICES, max(most.values()) + 1))
    ]


def _covers(battle: Battle, side: Side) -> list[Choice]:
    fleet = battle.fleets[side]
    if not any(base.factors or base.squadrons for base in fleet.air_bases):
        raise NoOdds("no land-based air is here to fly cover")
    return [Choice(f"cover CG{g.number}, {called(g)}", Order(cover=g.number, round=battle.round)) for g in fleet.groups]


def _screens(battle: Battle, side: Side) -> list[Choice]:
    return [
        Choice("screen as the doctrine says"),
        Choice("screen nothing that need not be", Order(screen=NOTHING, round=battle.round)),
        Choice("screen everything", Order(screen=ALL, round=battle.round)),
    ]


def _evasions(battle: Battle, side: Side) -> list[Choice]:
    return [
        Choice("stand and fight", Order(evade=False, round=battle.round)),
        Choice("evade", Order(evade=True, round=battle.round)),
    ]


def _withdrawals(battle: Battle, side: Side) -> list[Choice]:
    return [
        Choice("stay", Order(withdraw=False, round=battle.round)),
        Choice("withdraw", Order(withdraw=True, round=battle.round)),
    ]


def renumbered(world: World, side: Side, numbers: tuple[tuple[str, int], ...]) -> World:
    """The same world with other numbers on a side's groups. The enemy sees only which numbers there are."""
    if not numbers:
        return world
    told = dict(numbers)

    def mine(battle: Battle) -> Battle:
        fleet = battle.fleets[side]
        groups = sorted((replace(g, number=told[g.name]) for g in fleet.groups), key=lambda g: g.number)
        return replace(battle, fleets={**battle.fleets, side: replace(fleet, groups=tuple(groups))})

    def seen(battle: Battle) -> Battle:
        """Markers nobody has looked behind, under the new numbers."""
        fleet = battle.fleets[side]
        groups = [replace(g, number=n) for g, n in zip(fleet.groups, sorted(told.values()), strict=True)]
        return replace(battle, fleets={**battle.fleets, side: replace(fleet, groups=tuple(groups))})

    return world._replace(
        battle=mine(world.battle), known={side: mine(world.known[side]), side.enemy: seen(world.known[side.enemy])}
    )
