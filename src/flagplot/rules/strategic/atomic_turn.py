"""26.33, 26.67, 26.83: strategic atomic attacks of one combat phase, by bombers that get through or by rocket.

How many bombs a power has, and what one does in BRPs, are inputs (43). A bomb is announced with the raid or salvo that
brings it (26.41, 26.64), so the other side knows of it when it assigns its fighters; only rockets cannot be met.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from flagplot.core.asks import Decide
from flagplot.core.forms import AtMost, Form, Item, Limit, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience
from flagplot.model.strategic_bombing import RocketBase
from flagplot.model.strategic_war import STRATEGIC_BOMBER
from flagplot.model.war import TargetHex, War, faction_of, kind_of
from flagplot.model.war_events import AtomicBombFlown
from flagplot.model.war_fold import BROUGHT_BACK, DROPPED, LOST
from flagplot.rules.strategic.bombing_flights import Raid, theatre_of, unit_of
from flagplot.rules.strategic.bombing_targets import may_attack_atomically
from flagplot.rules.strategic.rockets import atomic_rocket
from flagplot.rules.table import Ruleset, Table

KEEP = "keep"
BOMBERS = "bombers"


def strategic_bombers(flights: Mapping[str, int]) -> int:
    """The strategic bombers among these flights."""
    return sum(number for key, number in flights.items() if kind_of(unit_of(key)) == STRATEGIC_BOMBER)


@rule("26.33", "26.33.1", "26.41")
async def atomic_raids(table: Table, raids: Sequence[Raid]) -> list[Raid]:
    """26.33. The raids, some of them with an atomic bomb: the attacker says which as he announces them."""
    form = atomic_form(table.war, raids)
    if not form.items:
        return list(raids)
    question = "Which raids carry an atomic bomb?"
    answer = await Decide(table.war.now.side, "26.33", "atomic attacks", question, form)
    return [raid._replace(atomic=bool(answer.amount(raid.power, raid.name))) for raid in raids]


@rule("26.33", "26.33.1", "26.33.2")
def atomic_form(war: War, raids: Sequence[Raid]) -> Form:
    """26.33. The bombs of each power stay or go with a raid of its strategic bombers, one with each, to a target that may
    be struck so."""
    items: list[Item] = []
    limits: list[Limit] = []
    for power, bombs in war.atomic_bombs.items():
        mine = [raid.name for raid in raids if raid.power == power and _may_carry(war, raid)]
        if mine:
            items.append(Item(power, f"{bombs} atomic bombs of {power}", bombs, (KEEP, *mine)))
            limits += [AtMost(((power, name, 1),), 1, "26.33", "One atomic bomb goes with a raid.") for name in mine]
    used = dict.fromkeys(name for item in items for name in item.places[1:])
    return Form(tuple(items), (Place(KEEP, "keep"), *(Place(name, name) for name in used)), tuple(limits), rest=KEEP)


def _may_carry(war: War, raid: Raid) -> bool:
    target = war.targets[raid.target].target
    allowed = may_attack_atomically(raid.power, target, eligible=True).holds
    return allowed and strategic_bombers(raid.flights) > 0


@rule("26.33", "26.461.2")
def bombs_of_raids(table: Table, raids: Iterable[tuple[Raid, bool, int]]) -> None:
    """26.33. Each raid with an atomic bomb, whether a strategic bomber of it got through, and how many of its bombers are
    left at all: the bomb is dropped, brought back, or lost with the last of them."""
    for raid, through, left in raids:
        if raid.atomic:
            fate = DROPPED if through else BROUGHT_BACK if left else LOST
            atomic_bomb(table, raid.power, raid.target, BOMBERS, fate)


@rule("26.33", "26.67", "26.71", "26.83")
def atomic_bomb(table: Table, power: str, target: str, means: str, fate: str = DROPPED) -> None:
    """26.33. What becomes of one atomic bomb. What it does in BRPs is damage by what brought it (26.71)."""
    table.record(
        AtomicBombFlown(
            rule="26.67" if means != BOMBERS else "26.33",
            to=Audience.EVERYONE,
            power=power,
            target=target,
            means=means,
            fate=fate,
            damage=table.war.atomic_damage if fate == DROPPED else 0,
        )
    )


@rule("26.67", "26.33.1", "26.33.2")
def may_fire_atomically(
    rules: Ruleset, war: War, power: str, base: RocketBase, target: TargetHex, distance: int
) -> bool:
    """26.67. Whether a rocket base that works may bring an atomic bomb to a target that may be attacked: with research,
    and from nearby. The range of other rockets does not matter."""
    if base.damaged or not base.operational or not war.atomic_bombs.get(power):
        return False
    result = war.levels(faction_of(power)).rockets
    near = atomic_rocket(rules, theatre_of(rules, target.front), result, distance)
    return near.holds and may_attack_atomically(power, target.target, eligible=True).holds
