"""26.6: flying bombs and rockets of one combat phase: announced with the raids, fired after them.

How far rockets fly is an input (43). One with an atomic bomb is a rocket for which less range counts (26.67).
"""

from __future__ import annotations

from flagplot.core.asks import Decide
from flagplot.core.events import Modifiers
from flagplot.core.forms import AtMost, Form, Item, Limit, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience
from flagplot.model.ships import plus
from flagplot.model.strategic_bombing import RocketBase
from flagplot.model.strategic_war import INTERCEPTOR
from flagplot.model.war import Counts, Idle, Salvo, TargetHex, War, faction_of, kind_of, side_of
from flagplot.model.war_events import DefendersSpent, RaidIntercepted, SalvosAnnounced, SalvosFired
from flagplot.model.war_fold import ATOMIC_ROCKETS
from flagplot.rules.strategic.atomic_turn import atomic_bomb, may_fire_atomically
from flagplot.rules.strategic.bombing_flight_turn import defenders_at
from flagplot.rules.strategic.bombing_flights import (
    FLYING_BOMBS,
    ROCKETS,
    STAY,
    enemies,
    front_of,
    holder_of,
    may_be_bombed,
    may_oppose_flying_bombs,
    strength_of,
    unit_of,
)
from flagplot.rules.strategic.bombing_targets import salvos_may_hit
from flagplot.rules.strategic.rockets import (
    flying_bomb_damage,
    flying_bomb_salvo,
    may_launch,
    most_of_a_kind,
    rocket_damage,
)
from flagplot.rules.table import Ruleset, Table

OPPOSE, STAND_DOWN = "oppose", "stand down"


# -- announcing -----------------------------------------------------------------------------------


@rule("26.63", "26.64")
async def announce_salvos(table: Table) -> None:
    """26.64. One salvo from each rocket base, announced with the raids; half of either kind."""
    war, side = table.war, table.war.now.side
    form = salvos_form(table.rules, war)
    if not form.items:
        return
    answer = await Decide(side, "26.63", "flying bombs", "At what do your rocket bases fire?", form)
    salvos = [
        Salvo(power, target, kind, number)
        for power in war.rocket_bases
        for target in war.targets
        for kind in (FLYING_BOMBS, ROCKETS, ATOMIC_ROCKETS)
        if (number := sum(answer.amount(_key(power, base), _at(kind, target)) for base in war.rocket_bases[power]))
    ]
    if salvos:
        table.record(SalvosAnnounced(rule="26.64", to=Audience.EVERYONE, side=side, salvos=tuple(salvos)))


def _key(power: str, base: RocketBase) -> str:
    return f"{power}: {base.id}"


def _at(kind: str, target: str) -> str:
    return f"{kind} at {target}"


@rule("26.31", "26.31.2", "26.63A", "26.63B", "26.63C", "26.34", "26.67")
def salvos_form(rules: Ruleset, war: War) -> Form:
    """26.63. What each rocket base may fire at what; half of either kind, an odd one either. Atomic rockets are rockets, and
    no more than there are bombs (26.67)."""
    items: list[Item] = []
    limits: list[Limit] = []
    for power, bases in war.rocket_bases.items():
        if side_of(power) is not war.now.side:
            continue
        cells: dict[str, list[tuple[str, str, int]]] = {FLYING_BOMBS: [], ROCKETS: []}
        atomic: list[tuple[str, str, int]] = []
        for base in bases:
            key = _key(power, base)
            near = [target.name for target in war.targets.values() if _may_fire(rules, war, power, base, target)]
            nearest = [target.name for target in war.targets.values() if _atomically(rules, war, power, base, target)]
            open_to = [_at(ATOMIC_ROCKETS, name) for name in nearest] + [
                _at(kind, name) for name in near for kind in cells
            ]
            if open_to:
                items.append(Item(key, f"{base.id}, {power}", 1, (STAY, *open_to)))
                for kind, row in cells.items():
                    row += [(key, _at(kind, name), 1) for name in near]
                atomic += [(key, _at(ATOMIC_ROCKETS, name), 1) for name in nearest]
        cells[ROCKETS] += atomic
        if atomic:
            bombs = war.atomic_bombs[power]
            limits.append(AtMost(tuple(atomic), bombs, "26.67", f"{power} has {bombs} atomic bombs."))
        most = most_of_a_kind(len(bases))
        for kind, row in cells.items():
            if row:
                limits.append(AtMost(tuple(row), most, "26.63B", f"At most {most} bases of {power} fire {kind}."))
    used = dict.fromkeys(place for item in items for place in item.places)
    return Form(tuple(items), tuple(Place(place, place) for place in used), tuple(limits), rest=STAY)


def _distance(power: str, base: RocketBase, target: TargetHex) -> int | None:
    return target.distances.get(base.id, target.distances.get(power))


def _enemy_target(rules: Ruleset, war: War, power: str, target: TargetHex) -> bool:
    return (
        side_of(holder_of(target)) is not war.now.side
        and enemies(war.politics, power, holder_of(target))
        and may_be_bombed(rules, war, target)
    )


def _may_fire(rules: Ruleset, war: War, power: str, base: RocketBase, target: TargetHex) -> bool:
    distance = _distance(power, base, target)
    eligible = salvos_may_hit(target.target).holds and _enemy_target(rules, war, power, target)
    return distance is not None and may_launch(base, distance, eligible=eligible).holds


def _atomically(rules: Ruleset, war: War, power: str, base: RocketBase, target: TargetHex) -> bool:
    distance = _distance(power, base, target)
    return (
        distance is not None
        and _enemy_target(rules, war, power, target)
        and may_fire_atomically(rules, war, power, base, target, distance)
    )


# -- firing ---------------------------------------------------------------------------------------


@rule("26.64", "26.65", "26.66", "26.67")
async def flying_bombs(table: Table) -> None:
    """26.64. Right after the bombers: flying bombs, met by those assigned to their target, then rockets, then those with an
    atomic bomb."""
    opposed: list[str] = []
    for kind in (FLYING_BOMBS, ROCKETS):
        for salvo in table.war.salvos:
            if salvo.kind == kind:
                if kind == FLYING_BOMBS and salvo.target not in opposed:
                    opposed.append(salvo.target)
                    await _oppose(table, salvo.target)
                damage = salvo_damage(table.rules, table.war, salvo)
                table.record(
                    SalvosFired(
                        rule="26.65",
                        to=Audience.EVERYONE,
                        power=salvo.power,
                        target=salvo.target,
                        kind=kind,
                        salvos=salvo.number,
                        damage=damage.total,
                        modifier=damage,
                    )
                )
    for salvo in table.war.salvos:
        if salvo.kind == ATOMIC_ROCKETS:
            for _ in range(salvo.number):
                atomic_bomb(table, salvo.power, salvo.target, ROCKETS)
    _spend(table)


@rule("26.51.3", "26.662", "26.663", "26.664")
async def _oppose(table: Table, target: str) -> None:
    """26.51. Those assigned to the target, over it or on the way to it, bombers met or not, oppose flying bombs if their owner
    likes: it costs them their next player turn (26.664)."""
    war, side = table.war, table.war.now.side.enemy
    powers = [salvo.power for salvo in war.salvos if (salvo.target, salvo.kind) == (target, FLYING_BOMBS)]
    flying = may_oppose_flying_bombs(table.rules, war, war.targets[target], powers)
    if not flying:
        return
    items = tuple(Item(key, key, number, (STAND_DOWN, OPPOSE)) for key, number in flying.items())
    places = (Place(STAND_DOWN, "stand down"), Place(OPPOSE, "oppose them"))
    form = Form(items, places, rest=STAND_DOWN, default=dict.fromkeys(flying, OPPOSE))
    question = f"Which of the aircraft over {target} oppose the flying bombs?"
    answer = await Decide(side, "26.662", "flying bomb defense", question, form)
    table.record(
        RaidIntercepted(rule="26.662", to=Audience.EVERYONE, side=side, target=target, defenders=answer.held_by(OPPOSE))
    )


@rule("26.651", "26.661A", "26.661B", "26.65")
def salvo_damage(rules: Ruleset, war: War, salvo: Salvo) -> Modifiers:
    """26.651. What the salvos of a power at one target do, before the cap, line by line."""
    target = war.targets[salvo.target]
    if salvo.kind == ROCKETS:
        return Modifiers().plus("26.651B", f"{salvo.number} rocket salvos", rocket_damage(rules, salvo.number))
    same = [other for other in war.salvos if (other.target, other.kind) == (salvo.target, salvo.kind)]
    earlier = sum(other.number * _each(rules, war, other) for other in same[: same.index(salvo)])
    strength, defenders = strength_of(rules, target), defenders_at(war, target.name)
    return flying_bomb_damage(rules, salvo.number, _each(rules, war, salvo), strength, defenders, earlier)


@rule("26.651A", "26.661A")
def _each(rules: Ruleset, war: War, salvo: Salvo) -> int:
    """26.661A. What each flying bomb salvo of a power at a target is worth."""
    holder = holder_of(war.targets[salvo.target])
    mine, theirs = war.levels(faction_of(salvo.power)), war.levels(faction_of(holder))
    nations = rules.air_nationality.nations
    relative = nations[salvo.power] + mine.air_nationality - nations.get(holder, 0) - theirs.air_nationality
    return flying_bomb_salvo(rules, radar=theirs.radar, relative_drm=relative, air_defense=theirs.air_defense).total


@rule("26.663", "26.664")
def _spend(table: Table) -> None:
    """26.664. Army air and jets that opposed flying bombs are inverted for their next player turn, interceptors may not
    escort in it."""
    war = table.war
    barred: Counts = {}
    idle: list[Idle] = []
    until = war.now.following.following
    for target in dict.fromkeys(salvo.target for salvo in war.salvos if salvo.kind == FLYING_BOMBS):
        for key, number in war.defending.get(target, {}).items():
            if kind_of(unit_of(key)) == INTERCEPTOR:
                barred = plus(barred, {key: number})
            else:
                idle.append(Idle(front_of(key), unit_of(key), number, until))
    if barred or idle:
        table.record(
            DefendersSpent(
                rule="26.664",
                to=Audience.EVERYONE,
                side=war.now.side.enemy,
                no_escort=barred,
                idle=(*war.idle, *idle),
            )
        )
