"""26: the bombing of one combat phase: raids announced, met, fought and told; then flying bombs and rockets; then effects.

Raids of one power on one target are one force (26.41). A raid is met over its target; who meets it is said for all raids
at once, before any is fought (26.441, 26.51). What was assigned stays assigned until the effects are told (26.662).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.asks import Decide, Roll
from flagplot.core.forms import Answer, AtLeast, AtMost, Form, Item, Limit, OnlyIf, Place, in_order, order_of
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.ships import plus
from flagplot.model.strategic_bombing import (
    AirDefenders,
    AirToll,
    AirUnit,
    BomberForce,
    Condition,
    Damage,
    FirestormHex,
    Loss,
    TargetKind,
    Unit,
)
from flagplot.model.strategic_war import GERMANY, INTERCEPTOR, STRATEGIC_BOMBER
from flagplot.model.war import AAF, JET, Counts, TargetHex, War, faction_of, kind_of, power_of, side_of
from flagplot.model.war_events import (
    AirUnitsLost,
    BombingTold,
    Move,
    RaidAirCombat,
    RaidAnnounced,
    RaidBombed,
    RaidIntercepted,
    SalvosFired,
)
from flagplot.rules.strategic.bombing import bombing_modifiers, bombs_target, target_strength
from flagplot.rules.strategic.bombing_air_combat import (
    air_combat_round,
    bombing_air_modifiers,
    bombing_drm,
    engaged_by_default,
    may_engage_with,
)
from flagplot.rules.strategic.bombing_effects import (
    brps_lost,
    construction_limits,
    damage_markers,
    emergency_repair,
    firestorm,
    german_construction_increase,
    room_for_markers,
)
from flagplot.rules.strategic.bombing_forces import army_air_allowed, bars_to_flying, bomber_force
from flagplot.rules.strategic.bombing_interception import Meeting, bars_to_engaging, is_us_box
from flagplot.rules.strategic.bombing_targets import eligible_target
from flagplot.rules.strategic.rockets import (
    flying_bomb_damage,
    flying_bomb_salvo,
    may_launch,
    rocket_damage,
)
from flagplot.rules.table import Ruleset, Table

STAY = "stay"
KIND_OF = {STRATEGIC_BOMBER: Unit.BOMBER, AAF: Unit.AAF, JET: Unit.JET, INTERCEPTOR: Unit.INTERCEPTOR}
GROUPS = {  # of a bomber force, and of defenders -> the kind of unit
    "strategic_bombers": STRATEGIC_BOMBER,
    "bombing_aaf": AAF,
    "escort_aaf": AAF,
    "aaf": AAF,
    "interceptors": INTERCEPTOR,
    "jets": JET,
}
FLYING_BOMBS, ROCKETS = "flying bombs", "rockets"


class Flight(NamedTuple):
    """Air units of one kind and power on one front."""

    name: str
    front: str
    number: int

    @property
    def key(self) -> str:
        """What it is called in the question."""
        return f"{self.name}, {self.front}"

    @property
    def power(self) -> str:
        """Whose they are: of American bombers, the theatre does not matter."""
        return power_of(self.name).split(",")[0]

    @property
    def unit(self) -> AirUnit:
        """As the rules of bombing see it."""
        return AirUnit(KIND_OF[kind_of(self.name)], self.power, base_front=self.front)


def flights(rules: Ruleset, war: War, side: Side) -> Iterator[Flight]:
    """A side's air units at the fronts that may act now."""
    for fronts in rules.bombing.fronts.values():
        for front in fronts:
            for name, number in war.ready(front).items():
                if kind_of(name) in KIND_OF and side_of(power_of(name).split(",")[0]) is side:
                    yield Flight(name, front, number)


def theatre_of(rules: Ruleset, front: str) -> str:
    """The theatre a front is part of."""
    return next(theatre for theatre, fronts in rules.bombing.fronts.items() if front in fronts)


# -- announcing -----------------------------------------------------------------------------------


@rule("26.4", "26.41", "26.51")
async def bombing(table: Table) -> None:
    """26.41. All raids are announced, all defenders assigned; then raid by raid."""
    war, side = table.war, table.war.now.side
    form = raids_form(table.rules, war)
    if not form.items:
        return
    answer = await Decide(side, "26.41", "strategic bombing", "What do you bomb, and with what?", form)
    raids = list(raids_of(table, answer))
    raids = await _in_order(side, raids)
    for raid in raids:
        table.record(
            RaidAnnounced(rule="26.41", to=Audience.EVERYONE, power=raid.power, target=raid.target, force=raid.flights)
        )
    if raids:
        await _assign_defenders(table, raids)
    for raid in raids:
        await _fly(table, raid)


class Raid(NamedTuple):
    """A strategic bomber force of one power against one target; flights by "unit, front"."""

    power: str
    target: str
    flights: Counts


@rule("26.31", "26.41", "26.42", "26.43", "26.52")
def raids_form(rules: Ruleset, war: War) -> Form:
    """26.31. Each flight stays or goes to a target within its reach; escorts only with something that bombs."""
    mine = list(flights(rules, war, war.now.side))
    items: list[Item] = []
    for flight in mine:
        open_to = [target.name for target in war.targets.values() if _reaches(rules, war, flight, target)]
        if open_to:
            items.append(Item(flight.key, f"{flight.name}, {flight.front} front", flight.number, (STAY, *open_to)))
    keys = {item.key: item for item in items}
    asked = [flight for flight in mine if flight.key in keys]
    limits: list[Limit] = []
    for target in war.targets.values():
        for power in dict.fromkeys(flight.power for flight in asked):
            here = [flight for flight in asked if flight.power == power and target.name in keys[flight.key].places]
            escorts = [flight for flight in here if kind_of(flight.name) in (INTERCEPTOR, JET)]
            bombers = [flight for flight in here if kind_of(flight.name) not in (INTERCEPTOR, JET)]
            if escorts:
                why = f"Escorts fly to {target.name} only with something that bombs."
                cells = tuple((flight.key, target.name) for flight in escorts)
                limits.append(OnlyIf(cells, tuple((flight.key, target.name) for flight in bombers), 1, "26.43", why))
    army = [flight for flight in asked if (flight.power, kind_of(flight.name)) == ("Japan", AAF)]
    most = army_air_allowed(rules, "Japan", sum(flight.number for flight in army))
    if army and most < sum(flight.number for flight in army):
        cells3 = tuple((flight.key, place, 1) for flight in army for place in keys[flight.key].places[1:])
        limits.append(AtMost(cells3, most, "26.52", f"At most {most} Japanese AAF bomb in a turn."))
    places = (Place(STAY, "stay"), *(Place(target.name, target.name) for target in war.targets.values()))
    used = {place for item in items for place in item.places}
    return Form(tuple(items), tuple(place for place in places if place.key in used), tuple(limits), rest=STAY)


@rule("26.31", "26.421", "26.422", "26.43")
def _reaches(rules: Ruleset, war: War, flight: Flight, target: TargetHex) -> bool:
    """26.31. Whether a flight may go to a target: an enemy's, eligible, in its theatre and within its range."""
    theatre = theatre_of(rules, flight.front)
    distance = distance_of(flight, target)
    results = war.levels(faction_of(flight.power)).air_range
    if distance is None or side_of(holder_of(target)) is war.now.side or theatre != theatre_of(rules, target.front):
        return False
    if not eligible_target(rules, target.target, air_range=results).holds:
        return False
    role = "bomb" if flight.unit.kind in (Unit.BOMBER, Unit.AAF) else "escort"
    barred = bars_to_flying(rules, theatre, results, flight.unit, role, distance, us_box=is_us_box(target.name))
    return not barred


def distance_of(flight: Flight, target: TargetHex) -> int | None:
    """How far a target is from the nearest base of a flight's power on its front; None if nobody has said."""
    own = flight.power if flight.front == target.front else f"{flight.power}, {flight.front}"
    return target.distances.get(own)


def holder_of(target: TargetHex) -> str:
    """Who holds a target now."""
    return target.target.controller or target.target.country


@rule("26.41.2", "26.51")
def raids_of(table: Table, answer: Answer) -> Iterator[Raid]:
    """26.41. The raids announced: one for each power and target."""
    war = table.war
    mine = list(flights(table.rules, war, war.now.side))
    for target in war.targets:
        for power in dict.fromkeys(flight.power for flight in mine):
            going = {flight.key: answer.amount(flight.key, target) for flight in mine if flight.power == power}
            going = {key: number for key, number in going.items() if number}
            if going:
                yield Raid(power, target, going)


@rule("26.51.2")
async def _in_order(side: Side, raids: list[Raid]) -> list[Raid]:
    """26.51. Where several powers bomb, their owner says in which order."""
    if len({raid.power for raid in raids}) < 2:
        return raids
    names = {f"{raid.power}: {raid.target}": raid for raid in raids}
    form = in_order({name: name for name in names}, "26.51")
    answer = await Decide(side, "26.51", "order of raids", "In which order do your raids fly?", form)
    return [names[name] for name in order_of(answer)]


# -- defending ------------------------------------------------------------------------------------


@rule("26.441", "26.443", "26.462")
async def _assign_defenders(table: Table, raids: list[Raid]) -> None:
    """26.441. The other side assigns interceptors, army air and jets, each to one target."""
    war, side = table.war, table.war.now.side.enemy
    form = defenders_form(table.rules, war, raids)
    if not form.items:
        return
    answer = await Decide(side, "26.441", "air defense of targets", "Which aircraft meet the raids?", form)
    for target in dict.fromkeys(raid.target for raid in raids):
        assigned = answer.held_by(target)
        if assigned:
            table.record(
                RaidIntercepted(rule="26.441", to=Audience.EVERYONE, side=side, target=target, defenders=assigned)
            )


@rule("26.443", "26.445", "26.54", "26.462")
def defenders_form(rules: Ruleset, war: War, raids: Iterable[Raid]) -> Form:
    """26.443. Which flights may meet which raids."""
    raided = {raid.target: raid.power for raid in raids}
    items = []
    for flight in flights(rules, war, war.now.side.enemy):
        open_to = [name for name, by in raided.items() if _meets(rules, war, flight, war.targets[name], by)]
        if open_to:
            items.append(Item(flight.key, f"{flight.name}, {flight.front} front", flight.number, (STAY, *open_to)))
    used = {place for item in items for place in item.places}
    places = [Place(STAY, "stay"), *(Place(name, f"over {name}") for name in raided)]
    return Form(tuple(items), tuple(place for place in places if place.key in used), rest=STAY)


def _meets(rules: Ruleset, war: War, flight: Flight, target: TargetHex, attacker: str) -> bool:
    meeting = Meeting(
        attacker,
        target.target.country,
        target.front,
        target.name,
        target.name if target.target.kind is TargetKind.BOX else "",
        theatre_of(rules, target.front),
        target.target.country == "China",
    )
    results = war.levels(faction_of(flight.power)).air_range
    return not bars_to_engaging(rules, results, flight.unit, meeting, distance_of(flight, target) or 0)


# -- flying ---------------------------------------------------------------------------------------


@rule("26.42", "26.451", "26.454", "26.461", "26.47")
async def _fly(table: Table, raid: Raid) -> None:
    """26.45. One raid: air combat against those assigned to its target, then the bombs."""
    kinds: Counts = {}
    for key, number in raid.flights.items():
        kinds = plus(kinds, {kind_of(unit_of(key)): number})
    force = bomber_force(
        table.rules,
        strategic_bombers=kinds.get(STRATEGIC_BOMBER, 0),
        aaf=kinds.get(AAF, 0),
        interceptors=kinds.get(INTERCEPTOR, 0),
        jets=kinds.get(JET, 0),
    )
    left = dict(raid.flights)
    defenders = _defenders(table.war, raid.target)
    if defenders.factors:
        force, left = await _air_combat(table, raid, force, defenders, left)
    if force.bombers:
        await _drop(table, raid, force, left)


def unit_of(key: str) -> str:
    """The unit of a flight's key, without its front."""
    return key.rsplit(", ", 1)[0]


def _defenders(war: War, target: str) -> AirDefenders:
    """Those assigned to a target that are still there."""
    counts: Counts = {}
    for key, number in war.defending.get(target, {}).items():
        counts = plus(counts, {kind_of(unit_of(key)): number})
    return AirDefenders(counts.get(INTERCEPTOR, 0), counts.get(AAF, 0), counts.get(JET, 0))


@rule("26.451", "26.453", "26.454")
async def _air_combat(
    table: Table, raid: Raid, force: BomberForce, defenders: AirDefenders, left: Counts
) -> tuple[BomberForce, Counts]:
    """26.451. One round of air combat."""
    war, side, rules = table.war, table.war.now.side, table.rules
    target = war.targets[raid.target]
    engaged = await _engaged(side, raid, force, defenders)
    defender = unit_of(next(iter(war.defending[raid.target])))
    nation = power_of(defender).split(",")[0]
    ours = bombing_drm(rules, engaged, Condition(raid.power)).total + war.levels(faction_of(raid.power)).air_nationality
    theirs = bombing_drm(rules, defenders, Condition(nation)).total + war.levels(faction_of(nation)).air_nationality
    modifier = bombing_air_modifiers(
        rules,
        force,
        engaged,
        defenders,
        attacker_drm=ours,
        defender_drm=theirs,
        radar=war.levels(faction_of(nation)).radar,
    )
    mine = await Roll(2, "26.451", side, f"the bomber force over {target.name}")
    other = await Roll(2, "26.451", side.enemy, f"the defenders of {target.name}")
    fought = air_combat_round(
        rules, force, engaged, defenders, modifier, attacker_roll=sum(mine), defender_roll=sum(other)
    )
    table.record(
        RaidAirCombat(
            rule="26.451",
            to=Audience.EVERYONE,
            power=raid.power,
            target=raid.target,
            modifier=modifier,
            attacker_dice=mine,
            defender_dice=other,
            attacker=fought.attacker,
            defender=fought.defender,
        )
    )
    _lose(table, left, fought.attacker)
    _lose(table, war.defending[raid.target], fought.defender)
    return fought.force, left


@rule("26.451B.2")
async def _engaged(side: Side, raid: Raid, force: BomberForce, defenders: AirDefenders) -> BomberForce:
    """26.451B. The attacker says which of his factors engage, if he has more than the defender."""
    default = engaged_by_default(force, defenders)
    groups = {group: number for group, number in force.groups.items() if number}
    if force.factors <= defenders.factors or len(groups) < 2:
        return default
    items = tuple(
        Item(group, group.replace("_", " "), number, ("behind", "engage")) for group, number in groups.items()
    )
    cells = tuple((group, "engage", 1) for group in groups)
    why = f"{default.factors} of your factors engage."
    form = Form(
        items,
        (Place("behind", "held behind"), Place("engage", "engages")),
        (AtMost(cells, default.factors, "26.451B", why), AtLeast(cells, default.factors, "26.451B", why)),
        rest="behind",
        default={group: {"engage": default.groups[group]} for group in groups},
    )
    answer = await Decide(side, "26.451B", "engaging bombers", f"Which factors engage over {raid.target}?", form)
    engaged = BomberForce(**{group: answer.amount(group, "engage") for group in groups})
    if not may_engage_with(force, engaged, defenders).holds:
        raise AssertionError(engaged)
    return engaged


def _lose(table: Table, flying: Mapping[str, int], toll: AirToll) -> None:
    """Take eliminated factors off, flight by flight; what aborts goes home unhurt (SR-28)."""
    moves: list[Move] = []
    left = dict(flying)
    for group, number in toll.eliminated.items():
        for key in [key for key in left if kind_of(unit_of(key)) == GROUPS[group]]:
            taken = min(number, left[key])
            if taken:
                name, front = key.rsplit(", ", 1)
                moves.append(Move(name, taken, front, ""))
                left[key] -= taken
                number -= taken
    if moves:
        table.record(AirUnitsLost(rule="26.454", to=Audience.EVERYONE, moves=tuple(moves)))


@rule("26.461", "26.463", "26.464", "26.47")
async def _drop(table: Table, raid: Raid, force: BomberForce, left: Counts) -> None:
    """26.461. SW combat between the bombers that arrived and their target."""
    war, side, rules = table.war, table.war.now.side, table.rules
    target = war.targets[raid.target]
    mine, theirs = war.levels(faction_of(raid.power)), war.levels(faction_of(holder_of(target)))
    strength = target_strength(rules, target.defences).total
    modifier = bombing_modifiers(
        rules,
        theatre_of(rules, target.front),
        air_range=mine.air_range,
        distance=max(_distances(raid, target)),
        bomber_results=mine.bombers,
        air_defense=theirs.air_defense,
        country=target.target.country,
    )
    ours = await Roll(2, "26.461", side, f"{force.bombers} bombers over {target.name}")
    other = await Roll(2, "26.461", side.enemy, f"the defences of {target.name}") if strength else ()
    _, _, result = bombs_target(
        rules, force, strength, modifier.total, attacker_roll=sum(ours), defender_roll=sum(other)
    )
    table.record(
        RaidBombed(
            rule="26.463",
            to=Audience.EVERYONE,
            power=raid.power,
            target=raid.target,
            modifier=modifier,
            attacker_dice=ours,
            defender_dice=other,
            toll=result.toll,
            damage=result.damage,
        )
    )
    _lose(table, left, result.toll)


@rule("26.461B.2")
def _distances(raid: Raid, target: TargetHex) -> list[int]:
    """26.461B. How far the bombers of a raid have come, from each base used."""
    mine = [Flight(unit_of(key), key.rsplit(", ", 1)[1], number) for key, number in raid.flights.items()]
    return [distance_of(flight, target) or 0 for flight in mine if kind_of(flight.name) in (STRATEGIC_BOMBER, AAF)]


# -- flying bombs and rockets ---------------------------------------------------------------------


@rule("26.63", "26.64", "26.65", "26.66")
async def flying_bombs(table: Table) -> None:
    """26.64. One salvo from each rocket base, right after the bombers; half of either kind."""
    war, side = table.war, table.war.now.side
    form = salvos_form(table.rules, war)
    if not form.items:
        return
    answer = await Decide(side, "26.63", "flying bombs", "At what do your rocket bases fire?", form)
    for power in dict.fromkeys(power for power in war.rocket_bases if side_of(power) is side):
        for target in war.targets.values():
            for kind in (FLYING_BOMBS, ROCKETS):
                salvos = sum(
                    answer.amount(f"{power}: {base.id}", f"{kind} at {target.name}")
                    for base in war.rocket_bases[power]
                    if f"{power}: {base.id}" in answer.cells
                )
                if salvos:
                    damage = _salvo_damage(table.rules, war, power, target, kind, salvos)
                    table.record(
                        SalvosFired(
                            rule="26.65",
                            to=Audience.EVERYONE,
                            power=power,
                            target=target.name,
                            kind=kind,
                            salvos=salvos,
                            damage=damage,
                        )
                    )


@rule("26.31", "26.63A", "26.63B", "26.63C")
def salvos_form(rules: Ruleset, war: War) -> Form:
    """26.63. What each rocket base may fire at what; half of either kind, an odd one either."""
    items: list[Item] = []
    limits: list[Limit] = []
    for power, bases in war.rocket_bases.items():
        if side_of(power) is not war.now.side:
            continue
        cells: dict[str, list[tuple[str, str, int]]] = {FLYING_BOMBS: [], ROCKETS: []}
        for base in bases:
            open_to = [
                f"{kind} at {target.name}"
                for target in war.targets.values()
                for kind in (FLYING_BOMBS, ROCKETS)
                if side_of(holder_of(target)) is not war.now.side
                and eligible_target(rules, target.target).holds
                and may_launch(base, target.distances.get(power, 99)).holds
            ]
            if open_to:
                items.append(Item(f"{power}: {base.id}", f"{base.id}, {power}", 1, (STAY, *open_to)))
                for place in open_to:
                    cells[place.split(" at ")[0]].append((f"{power}: {base.id}", place, 1))
        most = -(-len(bases) // 2)
        for kind, row in cells.items():
            if row:
                limits.append(AtMost(tuple(row), most, "26.63B", f"At most {most} bases of {power} fire {kind}."))
    used = dict.fromkeys(place for item in items for place in item.places)
    return Form(tuple(items), tuple(Place(place, place) for place in used), tuple(limits), rest=STAY)


def _salvo_damage(rules: Ruleset, war: War, power: str, target: TargetHex, kind: str, salvos: int) -> int:
    if kind == ROCKETS:
        return rocket_damage(rules, salvos)
    mine, theirs = war.levels(faction_of(power)), war.levels(faction_of(holder_of(target)))
    each = flying_bomb_salvo(
        rules,
        radar=theirs.radar,
        relative_drm=mine.air_nationality - theirs.air_nationality,
        air_defense=theirs.air_defense,
    )
    strength = target_strength(rules, target.defences).total
    return flying_bomb_damage(rules, salvos, each.total, strength, _defenders(war, target.name)).total


# -- effects --------------------------------------------------------------------------------------


@rule("26.71", "26.72", "26.91")
async def effects_of_bombing(table: Table) -> None:
    """26.71. All that was done to each target is added up: BRPs, construction limits, industry, firestorms."""
    war, rules = table.war, table.rules
    if not war.damage:
        return
    losses: list[Loss] = []
    brps: Counts = {}
    changed: list[TargetHex] = []
    for name, sources in war.damage.items():
        target = war.targets[name]
        damage = Damage(sources.get("bombers", 0), sources.get(FLYING_BOMBS, 0), sources.get(ROCKETS, 0))
        lost = brps_lost(damage, target.value)
        economic = target.target.key_economic_area or target.target.ic or target.target.kind is TargetKind.BOX
        box = name if target.target.kind is TargetKind.BOX else ""
        losses.append(Loss(holder_of(target), lost, economic, box))
        brps = plus(brps, {holder_of(target): lost.total})
        after, paid = await _industry(table, target, damage.total)
        brps = plus(brps, {holder_of(target): paid})
        place = FirestormHex(
            name, target.target.country, target.target.kind is TargetKind.CITY, target.target.ic, target.markers
        )
        if firestorm(rules, place, damage).holds:
            after = replace(after, markers=(*after.markers, "firestorm"), burnt=(*after.burnt, war.now.turn.year))
        if after != target:
            changed.append(after)
    limits = construction_limits(rules, losses)
    gain = german_construction_increase(losses) if war.now.side is Side.AXIS else 0
    table.record(
        BombingTold(
            rule="26.71",
            to=Audience.EVERYONE,
            brps=brps,
            construction=plus(limits, {GERMANY: -gain}),
            targets=tuple(changed),
        )
    )


@rule("26.72", "26.73", "26.74")
async def _industry(table: Table, target: TargetHex, damage: int) -> tuple[TargetHex, int]:
    """26.72. Markers on oil centers and plants; the defender may pay to prevent the last one. What he paid."""
    if target.facility is None:
        return target, 0
    rules, side = table.rules, table.war.now.side
    rest = emergency_repair(rules, damage)
    pays = False
    if rest:
        form = Form(
            (Item("choice", "Your choice"),),
            (Place("pay", f"pay {rest} BRPs"), Place("leave", "leave it")),
            default={"choice": "leave"},
        )
        question = f"Do you pay {rest} BRPs to prevent a damage marker in {target.name}?"
        pays = (await Decide(side.enemy, "26.72D", "emergency repair", question, form)).choice == "pay"
    markers = min(damage_markers(rules, damage, paid=pays), room_for_markers(rules, target.facility))
    facility = replace(target.facility, markers=target.facility.markers + markers)
    return replace(target, facility=facility), rest if pays else 0
