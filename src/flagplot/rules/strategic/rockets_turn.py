"""26.6: flying bombs and rockets of one combat phase: announced with the raids, fired after them; eliminated bases.

Where a rocket base lies and how far its rockets fly are inputs (18.14, 43).
"""

from __future__ import annotations

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.events import Modifiers
from flagplot.core.forms import AtMost, Form, Item, Limit, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience
from flagplot.model.ships import plus
from flagplot.model.strategic_bombing import RocketBase, TargetKind
from flagplot.model.strategic_war import INTERCEPTOR
from flagplot.model.war import Counts, Idle, Salvo, TargetHex, War, faction_of, kind_of, side_of
from flagplot.model.war_events import DefendersSpent, RaidIntercepted, RocketBaseReturned, SalvosAnnounced, SalvosFired
from flagplot.rules.strategic.bombing_flight_turn import defenders_at
from flagplot.rules.strategic.bombing_flights import (
    FLYING_BOMBS,
    ROCKETS,
    STAY,
    enemies,
    front_of,
    holder_of,
    may_be_bombed,
    strength_of,
    unit_of,
)
from flagplot.rules.strategic.rockets import (
    base_placements,
    bases_allowed,
    flying_bomb_damage,
    flying_bomb_salvo,
    may_launch,
    rocket_damage,
)
from flagplot.rules.table import Ruleset, Table

OPPOSE, STAND_DOWN = "oppose", "stand down"


# -- bases ----------------------------------------------------------------------------------------


@rule("26.61A", "26.62C")
def return_bases(table: Table) -> None:
    """26.62C. One eliminated rocket base of each power of the moving side comes back, free, as far as research allows."""
    war = table.war
    for power, lost in war.lost_bases.items():
        on_map = war.rocket_bases.get(power, ())
        allowed = bases_allowed(table.rules, war.levels(faction_of(power)).rockets)
        room = base_placements(allowed, len(on_map), 0).placed
        if side_of(power) is war.now.side and lost and room:
            base = replace(lost[0], damaged=False)
            table.record(RocketBaseReturned(rule="26.62C", to=Audience.EVERYONE, power=power, base=base))


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
        for kind in (FLYING_BOMBS, ROCKETS)
        if (number := sum(answer.amount(_key(power, base), _at(kind, target)) for base in war.rocket_bases[power]))
    ]
    if salvos:
        table.record(SalvosAnnounced(rule="26.64", to=Audience.EVERYONE, side=side, salvos=tuple(salvos)))


def _key(power: str, base: RocketBase) -> str:
    return f"{power}: {base.id}"


def _at(kind: str, target: str) -> str:
    return f"{kind} at {target}"


@rule("26.31", "26.31.2", "26.63A", "26.63B", "26.63C", "26.34")
def salvos_form(rules: Ruleset, war: War) -> Form:
    """26.63. What each rocket base may fire at what; half of either kind, an odd one either."""
    items: list[Item] = []
    limits: list[Limit] = []
    for power, bases in war.rocket_bases.items():
        if side_of(power) is not war.now.side:
            continue
        cells: dict[str, list[tuple[str, str, int]]] = {FLYING_BOMBS: [], ROCKETS: []}
        for base in bases:
            near = [target.name for target in war.targets.values() if _may_fire(rules, war, power, base, target)]
            if near:
                open_to = [_at(kind, name) for name in near for kind in cells]
                items.append(Item(_key(power, base), f"{base.id}, {power}", 1, (STAY, *open_to)))
                for kind, row in cells.items():
                    row += [(_key(power, base), _at(kind, name), 1) for name in near]
        most = -(-len(bases) // 2)
        for kind, row in cells.items():
            if row:
                limits.append(AtMost(tuple(row), most, "26.63B", f"At most {most} bases of {power} fire {kind}."))
    used = dict.fromkeys(place for item in items for place in item.places)
    return Form(tuple(items), tuple(Place(place, place) for place in used), tuple(limits), rest=STAY)


def _may_fire(rules: Ruleset, war: War, power: str, base: RocketBase, target: TargetHex) -> bool:
    distance = target.distances.get(base.id, target.distances.get(power))
    return (
        distance is not None
        and side_of(holder_of(target)) is not war.now.side
        and enemies(war.politics, power, holder_of(target))
        and target.target.kind is not TargetKind.SHIPYARD
        and may_launch(base, distance, eligible=may_be_bombed(rules, war, target)).holds
    )


# -- firing ---------------------------------------------------------------------------------------


@rule("26.64", "26.65", "26.66")
async def flying_bombs(table: Table) -> None:
    """26.64. Right after the bombers: flying bombs, met by those assigned to their target, then rockets."""
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
    _spend(table)


@rule("26.51.3", "26.662", "26.663", "26.664")
async def _oppose(table: Table, target: str) -> None:
    """26.51. Those assigned to the target, bombers met or not, oppose flying bombs if their owner likes: it costs them
    their next player turn (26.664)."""
    war, side = table.war, table.war.now.side.enemy
    flying = war.defending.get(target, {})
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
