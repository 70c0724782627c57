"""22.53 to 22.55 Fleet combat: two combat groups fight.

Capital ships, then light ships, then what was screened. In each step fire is simultaneous: all shots are declared, all
are rolled, then all take effect (RC-43). Rolls go in a fixed order (FP-03): the intercepting side first; a side's
targets by the enemy's rank, then the enemy's light ships.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from flagplot.core.asks import Both, Decide, Roll
from flagplot.core.forms import Answer, AtMost, Form, Item, OneShort, Place, in_order, order_of
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.events import (
    Fired,
    FleetCombatBegan,
    FleetCombatEnded,
    GroupEliminated,
    GroupRevealed,
    LineFormed,
    Ranked,
    SupplyLineCut,
    TargetsChosen,
)
from flagplot.model.forces import LIGHT, CombatGroup, Engagement, Line, Shot
from flagplot.model.ships import Counts, Ship, as_seen, factors_of, light, minus, plus
from flagplot.model.state import Battle
from flagplot.rules.naval.combat_groups import both, unit_label
from flagplot.rules.naval.effects import stow_cargo
from flagplot.rules.naval.gunnery import Crew, crews, fire_modifiers, is_hampered, nationality_drm
from flagplot.rules.naval.hits import allot, hit_light_ships, hit_ship
from flagplot.rules.table import Table

RATIO = 3  # 22.54D: light ships pair off at up to three to one
HOLD = "hold"  # where ships wait that hold their fire


@rule("22.53", "22.54", "22.51")
async def fleet_combat(table: Table) -> None:
    """22.54. The two groups now engaged fight: capital ships, then light ships, then what was screened."""
    await form_lines(table)  # 22.531, 22.54A
    await choose_capital_targets(table)  # 22.54A, B
    await resolve_fire(table, into_screen=True)  # 22.54C
    await choose_light_targets(table, surplus_light_form)  # 22.54D, E
    await resolve_fire(table)  # 22.54F
    await fire_on_screened_ships(table)  # 22.54G


@rule("22.53", "22.41H")
async def engage(table: Table, engagement: Engagement) -> None:
    """22.53. One engagement from first sight to the last shot; a bare sea supply line is simply cut (RC-36)."""
    groups = {side: table.group(side, engagement.number(side)) for side in table.battle.sides}
    bare = [side for side, group in groups.items() if not group.afloat]
    attacked = tuple(side for side in table.battle.sides if side.enemy not in bare)
    table.record(FleetCombatBegan(rule="22.53", to=Audience.EVERYONE, engagement=engagement, attacked=attacked))
    for side in bare:
        number = engagement.number(side)
        table.record(SupplyLineCut(rule="30.381", to=Audience.EVERYONE, side=side, number=number))
    if not bare:
        await table.rules.fleet_combat(table)
    idle = {side: _idle(table.battle, side) for side in table.battle.sides}
    lines = table.battle.lines
    idle_light = {side: plus(line.screened_light, line.held_light) for side, line in lines.items()}
    line_gone = tuple(side for side in table.battle.lines if screen_is_open(table.battle, side))
    for side in table.battle.sides:
        stow_cargo(table, side, engagement.number(side))
    annihilated = tuple(side for side in table.battle.sides if not fighting_group(table.battle, side).afloat)
    table.record(
        FleetCombatEnded(
            rule="22.54H",
            to=Audience.EVERYONE,
            engagement=engagement,
            annihilated=annihilated,
            line_gone=line_gone,
            idle=idle,
            idle_light=idle_light,
        )
    )
    for side in table.battle.sides:
        if table.group(side, engagement.number(side)).empty:
            table.record(
                GroupEliminated(rule="20.511", to=Audience.EVERYONE, side=side, number=engagement.number(side))
            )


def fighting_group(battle: Battle, side: Side) -> CombatGroup:
    """A side's group in the fleet combat now fought."""
    assert battle.fighting is not None, "no fleet combat is being fought"
    return battle.fleets[side].group(battle.fighting.number(side))


def _idle(battle: Battle, side: Side) -> tuple[str, ...]:
    """Named ships that stayed behind the screen or held their fire to the end."""
    line = battle.lines.get(side, Line(0))
    return tuple(ship.id for ship in fighting_group(battle, side).ships if ship.id in (*line.screened, *line.held))


# -- lines and ranks ------------------------------------------------------------------------


@rule("22.531C")
def screened_automatically(ship: Ship) -> bool:
    """22.531C. Damaged ships and fast carriers are always behind the screen."""
    return ship.damaged or ship.is_carrier


@rule("22.531C", "20.58", "20.58A.1")
def screened_light_automatically(key: str) -> bool:
    """22.531C. So are damaged cruisers, destroyers with cargo, and transports."""
    return light(key).kind == "TR" or bool(light(key).state)


@rule("22.531C.2")
def screening_form(group: CombatGroup) -> Form:
    """22.531C. Which other ships the owner puts behind the screen; he may screen them all (RC-40)."""
    units = [(ship.id, 1) for ship in group.ships if not screened_automatically(ship)]
    units += [(key, number) for key, number in group.light.items() if not screened_light_automatically(key)]
    items = tuple(Item(unit, unit_label(group, unit), amount) for unit, amount in units)
    return Form(items, (Place("line", "fights in the line"), Place("screen", "is screened")), rest="line")


@rule("22.53.1", "22.531", "22.54A")
async def form_lines(table: Table) -> None:
    """22.531. Both sides secretly screen ships, then show their groups and rank their capital ships."""
    battle = table.battle
    await draw_up(table, "22.531", "22.531C", as_listed)
    lines = table.battle.lines
    order = await _order_ties(table, lines)
    for side in battle.sides:
        ships = still_afloat(fighting_group(battle, side), lines[side].capital)
        ranked = rank([(ship, drm(table, side, ship)) for ship in ships], order[side])
        capital = tuple(ship.id for ship in ranked)
        table.record(Ranked(rule="22.54A", to=Audience.EVERYONE, side=side, capital=capital))


def as_listed(ships: Sequence[Ship]) -> Sequence[Ship]:
    """Ships in the order in which they stand."""
    return ships


@rule("22.531", "22.53")
async def draw_up(
    table: Table,
    heading: str,
    screening: str,
    in_line: Callable[[Sequence[Ship]], Sequence[Ship]],
    showing: str = "22.423B",
) -> None:
    """22.531. Both sides secretly screen ships, then show their groups and what stands in the line.

    `heading`, `screening` and `showing` are the numbers these rules have; `in_line` is the order in which capital ships
    stand.
    """
    battle = table.battle
    groups = {side: fighting_group(battle, side) for side in battle.sides}
    one, two = (
        Decide(
            side,
            screening,
            "screen",
            f"CG{groups[side].number} meets enemy CG{groups[side.enemy].number}: which ships are screened?",
            screening_form(groups[side]),
            f"CG{groups[side].number}",
        )
        for side in battle.sides
    )
    chosen = await Both(one, two)
    for side in battle.sides:
        reveal(table, side, groups[side].number, showing)
    for side in battle.sides:
        line = line_of(groups[side], chosen[side], in_line)
        table.record(LineFormed(rule=heading, to=Audience.EVERYONE, side=side, line=line))


@rule("22.531")
def line_of(group: CombatGroup, answer: Answer, in_line: Callable[[Sequence[Ship]], Sequence[Ship]]) -> Line:
    """22.531. A group in its three categories: capital ships, light ships, and what is screened, of itself or by choice."""
    capital: list[str] = []
    screened: list[str] = []
    for ship in in_line(group.ships):
        hidden = screened_automatically(ship) or answer.amount(ship.id, "screen")
        (screened if hidden else capital).append(ship.id)
    ahead = {key: number for key in group.light if (number := answer.amount(key, "line"))}
    behind = minus(group.light, ahead)
    return Line(group.number, tuple(capital), ahead, tuple(screened), behind, hampered=is_hampered(group))


@rule("22.423B.2", "22.523D", "23.424-b")
def reveal(table: Table, side: Side, number: int, under: str = "22.423B") -> None:
    """22.423B. A group that is attacked, or that seeks out a distant one, shows its ships; not its aircraft."""
    group = table.group(side, number)
    if group.revealed:
        return
    ships = tuple(map(as_seen, group.ships))
    shown = CombatGroup(number, ships=ships, light=group.light, cargo=group.cargo, supply=group.supply, revealed=True)
    table.record(GroupRevealed(rule=under, to=Audience.EVERYONE, side=side, group=shown))


def drm(table: Table, side: Side, ship: Ship) -> int:
    """A named ship's nationality DRM."""
    impaired = ship.nation in table.fleet(side).impaired
    return nationality_drm(table.rules.nationality, Crew(ship.nation, ship.kind, ship.size, impaired))


def still_afloat(group: CombatGroup, ids: Sequence[str]) -> list[Ship]:
    """These ships, those that are afloat, in the order given."""
    afloat = {ship.id: ship for ship in group.ships}
    return [afloat[id] for id in ids if id in afloat]


@rule("22.54A.1")
def rank_key(ship: Ship, ship_drm: int) -> tuple[int, bool, int, int]:
    """22.54A. Larger first; then faster; then fewer hits; then the higher nationality DRM (RC-41)."""
    return (-ship.size, not ship.fast, ship.hits, -ship_drm)


@rule("22.54A.1")
def rank(ships: Sequence[tuple[Ship, int]], order: Sequence[str] = ()) -> list[Ship]:
    """22.54A. Capital ships, each with her DRM, by rank; what the four keys leave equal stands in its owner's order."""
    place = {id: index for index, id in enumerate(order)}
    ranked = sorted(ships, key=lambda pair: (*rank_key(*pair), place.get(pair[0].id, 0)))
    return [ship for ship, _ in ranked]


async def _order_ties(table: Table, lines: Mapping[Side, Line]) -> dict[Side, list[str]]:
    """22.54A. Each owner puts his equal ships in order, unless the enemy has no line they could meet (FP-04)."""
    asked: dict[Side, Form] = {}
    for side in table.battle.sides:
        ships = still_afloat(fighting_group(table.battle, side), lines[side].capital)
        keys = [rank_key(ship, drm(table, side, ship)) for ship in ships]
        tied = [ship for ship, key in zip(ships, keys, strict=True) if keys.count(key) > 1]
        if tied and lines[side.enemy].capital:
            asked[side] = in_order({ship.id: ship.name for ship in tied}, "22.54A")
    order: dict[Side, list[str]] = {side: [] for side in table.battle.sides}
    question = "These ships are equal: in which order do they stand in the line?"
    if len(asked) == 2:
        answers = await both(table, "22.54A", "rank", question, asked)
        return {side: order_of(answers[side]) for side in table.battle.sides}
    for side, form in asked.items():
        order[side] = order_of(await Decide(side, "22.54A", "rank", question, form))
    return order


# -- capital ships ------------------------------------------------------------------------------


class PairedLines(NamedTuple):
    """Two lines of capital ships by rank: whose is the longer, whom each ship of it meets, and who of it is left over."""

    longer: Side
    partner: dict[str, str]
    surplus: tuple[str, ...]


@rule("22.54A")
def pair_lines(battle: Battle) -> PairedLines:
    """22.54A. Rank meets rank; the lowest of the longer line are surplus, all of it if the other has none (RC-42)."""
    lines = battle.lines
    longer = max(battle.sides, key=lambda side: len(lines[side].capital))
    partner = dict(zip(lines[longer].capital, lines[longer.enemy].capital, strict=False))
    return PairedLines(longer, partner, lines[longer].capital[len(partner) :])


@rule("22.54B")
def aim_of(met: PairedLines, chosen: Mapping[str, str]) -> dict[str, str]:
    """22.54B. What each ship of the longer line fires at: her partner, or for a surplus ship what was chosen for her."""
    fire = {id: place for id, place in chosen.items() if place != HOLD}
    return met.partner | {id: met.partner.get(place, LIGHT) for id, place in fire.items()}


@rule("22.54C.1")
def shooters_at(aim: Mapping[str, str], line: Sequence[str]) -> dict[str, list[str]]:
    """22.54C. The capital ships that fire at each ship of the shorter line; she must answer one of them (RC-44)."""
    return {target: [id for id, at in aim.items() if at == target] for target in line}


@rule("22.54A", "22.54B", "22.54C.1")
async def choose_capital_targets(table: Table) -> None:
    """22.54B. Ranks pair off; the longer line places its surplus; a ship under several guns answers one of them."""
    battle = table.battle
    lines = battle.lines
    met = pair_lines(battle)
    longer, shorter = met.longer, met.longer.enemy
    chosen: dict[str, str] = {}
    if met.surplus:
        form = surplus_capital_form(table, met)
        question = "Your surplus capital ships join a friend, fire at light ships, or hold their fire."
        answer = await Decide(longer, "22.54B", "surplus capital", question, form)
        chosen = {id: answer.place(id) for id in met.surplus}
    aim = aim_of(met, chosen)
    shooters = shooters_at(aim, lines[shorter].capital)
    reply = {target: ships[0] for target, ships in shooters.items()}
    choosing = {target: ships for target, ships in shooters.items() if len(ships) > 1}
    if choosing:
        form = reply_form(table, shorter, choosing)
        question = "Ships under fire from several: which of them does each answer?"
        answer = await Decide(shorter, "22.54C", "reply", question, form)
        reply.update({id: answer.place(id) for id in choosing})
    for side in battle.sides:
        targets = aim if side is longer else reply
        table.record(
            TargetsChosen(
                rule="22.54B",
                to=Audience.EVERYONE,
                side=side,
                shots=_capital_shots(targets, lines[side.enemy].capital),
                held=tuple(id for id, place in chosen.items() if place == HOLD) if side is longer else (),
                held_light={},
            )
        )


def _capital_shots(aim: Mapping[str, str], ranked: Sequence[str]) -> tuple[Shot, ...]:
    """All fire at one target is one shot: targets by rank, then the light ships."""
    shots = []
    for target in (*ranked, LIGHT):
        ships = tuple(id for id, at in aim.items() if at == target)
        if ships:
            shots.append(Shot(ships, target=target))
    return tuple(shots)


@rule("22.54B")
def surplus_capital_form(table: Table, met: PairedLines) -> Form:
    """22.54B. A surplus ship joins a friend against that friend's opponent, fires at light ships, or holds."""
    side = met.longer
    group, enemy = fighting_group(table.battle, side), fighting_group(table.battle, side.enemy)
    places = [Place(HOLD, "holds fire for screened ships")]
    places += [
        Place(friend, f"joins {group.ship(friend).name} against {enemy.ship(foe).name}")
        for friend, foe in met.partner.items()
    ]
    if table.battle.lines[side.enemy].light:
        places.append(Place(LIGHT, "fires at the enemy light ships"))
    items = tuple(Item(id, group.ship(id).name) for id in met.surplus)
    usual = places[1].key if len(places) > 1 else HOLD
    return Form(items, tuple(places), rest=HOLD, default=dict.fromkeys(met.surplus, usual))


@rule("22.54C.1")
def reply_form(table: Table, side: Side, shooters: Mapping[str, Sequence[str]]) -> Form:
    """22.54C. A ship under fire must fire at one of those that fire at her."""
    group, enemy = fighting_group(table.battle, side), fighting_group(table.battle, side.enemy)
    items = tuple(Item(id, group.ship(id).name, 1, tuple(ships)) for id, ships in shooters.items())
    places = tuple(Place(id, f"fires at {enemy.ship(id).name}") for ships in shooters.values() for id in ships)
    return Form(items, places)


# -- light ships -----------------------------------------------------------------------------------


@rule("22.54D")
def light_surplus(mine: int, theirs: int) -> int:
    """22.54D. Light factors beyond three times the enemy's; all of them if he has none (RC-45)."""
    return max(0, mine - RATIO * theirs)


@rule("22.54D")
def light_strength(line: Line) -> int:
    """22.54D. Factors of the undamaged, unscreened light ships of a line."""
    return factors_of({key: number for key, number in line.light.items() if not light(key).state})


SurplusForm: TypeAlias = Callable[
    [Table, Side, int, bool], Form
]  # of the surplus factors a side has, with enemy lights


@rule("22.54D", "22.54E")
async def choose_light_targets(table: Table, surplus_form: SurplusForm) -> None:
    """22.54E. Light ships fire at light ships; a side with more than three to one places its surplus."""
    battle = table.battle
    strength = {side: light_strength(battle.lines[side]) for side in battle.sides}
    for side in battle.sides:
        line = battle.lines[side]
        aim: dict[str, dict[str, int]] = {LIGHT: dict(line.light)} if strength[side] and strength[side.enemy] else {}
        held: dict[str, int] = {}
        surplus = light_surplus(strength[side], strength[side.enemy])
        if surplus:
            form = surplus_form(table, side, surplus, strength[side.enemy] > 0)
            many = f"{surplus} factors of your light ships are" if surplus > 1 else "One factor of your light ships is"
            question = f"{many} surplus: where does the surplus fire?"
            answer = await Decide(side, "22.54E", "surplus light", question, form)
            held = answer.held_by(HOLD)
            aim = {place.key: answer.held_by(place.key) for place in form.places if place.key != HOLD}
        targets = [*battle.lines[side.enemy].capital, LIGHT]
        shots = tuple(Shot(light=aim[target], target=target) for target in targets if aim.get(target))
        table.record(
            TargetsChosen(rule="22.54E", to=Audience.EVERYONE, side=side, shots=shots, held=(), held_light=held)
        )


@rule("22.54E")
def surplus_light_form(table: Table, side: Side, surplus: int, enemy_lights: bool) -> Form:
    """22.54E. Surplus light ships join the light fire, fire at capital ships, or hold (RC-45, RC-46).

    Capital ships count whether or not they were fired at before. A second one may be attacked only if the first faces
    surplus factors of at least her own size.
    """
    line = table.battle.lines[side]
    enemy = fighting_group(table.battle, side.enemy)
    capital = still_afloat(enemy, table.battle.lines[side.enemy].capital)
    places = [Place(HOLD, "hold fire for screened ships"), *(Place(s.id, f"fire at {s.name}") for s in capital)]
    if enemy_lights:
        places.insert(0, Place(LIGHT, "fire at the enemy light ships"))
    weights = tuple((key, light(key).factors) for key in line.light)
    group = fighting_group(table.battle, side)
    away = tuple((key, place.key, weight) for key, weight in weights for place in places if place.key != LIGHT)
    limits = (
        AtMost(
            away,
            surplus,
            "22.54D",
            f"Only {surplus} factor{'s are' if surplus > 1 else ' is'} surplus; the others fire at the light ships.",
        ),
        OneShort(
            tuple((ship.id, table.rules.light_needs(ship)) for ship in capital),
            weights,
            "22.54E",
            "A second capital ship may be attacked only if the first faces factors of at least her own size.",
        ),
    )
    items = tuple(Item(key, unit_label(group, key), number) for key, number in line.light.items())
    return Form(items, tuple(places), limits, rest=places[0].key)


# -- screened ships ------------------------------------------------------------------------------------


@rule("22.531C.3.2", "22.54G.1", "20.58A", "22.54C.4")
def screen_is_open(battle: Battle, side: Side) -> bool:
    """22.54G. Whether a side's screened ships may be fired at: none of its unscreened ships is afloat (RC-47).

    Cruisers that capital fire damaged stand behind the screen by now and do not count; any other damaged ship does.
    """
    line = battle.lines[side]
    return not line.light and not still_afloat(fighting_group(battle, side), line.capital)


@rule("22.54G")
async def fire_on_screened_ships(table: Table) -> None:
    """22.54G. Ships that held their fire shoot at the screen: capital ships first, then light ships."""
    for side in table.battle.sides:
        await _fire_on_screen(table, side, "capital")
        await _fire_on_screen(table, side, "light")


async def _fire_on_screen(table: Table, side: Side, which: str) -> None:
    """22.54G. One side's capital or light ships that held their fire, if the screen is open to them."""
    battle = table.battle
    if not screen_is_open(battle, side.enemy):
        return
    units = held_capital(table, side) if which == "capital" else held_light(table, side)
    if not units:
        return
    form = screened_fire_form(table, side, units)
    if len(form.places) == 1:
        return
    question = f"The enemy screen is open: where do the {which} ships that held their fire shoot?"
    answer = await Decide(side, "22.54G", f"screened fire {which}", question, form)
    shots = []
    for place in form.places[1:]:
        firing = answer.held_by(place.key)
        if firing and which == "capital":
            shots.append(Shot(tuple(firing), target=place.key, screened=True))
        elif firing:
            shots.append(Shot(light=firing, target=place.key, screened=True))
    table.record(
        TargetsChosen(rule="22.54G", to=Audience.EVERYONE, side=side, shots=tuple(shots), held=(), held_light={})
    )
    await resolve_fire(table)


@rule("22.54G.3")
def held_capital(table: Table, side: Side) -> dict[str, int]:
    """22.54G. Capital ships that held their fire and may still use it (AM-13)."""
    ships = still_afloat(fighting_group(table.battle, side), table.battle.lines[side].held)
    return {ship.id: 1 for ship in ships if table.rules.held_fire(ship)}


@rule("22.54G.3")
def held_light(table: Table, side: Side) -> dict[str, int]:
    """22.54G. Light ships that held their fire and are afloat: losses fell first on those that had fired (FP-02)."""
    line = table.battle.lines[side]
    afloat = dict(line.light)
    if table.rules.held_fire_of_damaged_cruisers:
        for key, number in line.light.items():
            if light(key).state:
                sound = key.removesuffix("/damaged")
                afloat[sound] = afloat.get(sound, 0) + number
    return {key: left for key, number in line.held_light.items() if (left := min(number, afloat.get(key, 0)))}


@rule("22.54G.2", "22.54G.4")
def screened_fire_form(table: Table, side: Side, units: Mapping[str, int]) -> Form:
    """22.54G. Screened named ships are targets one by one, screened light ships as a group. They do not fire back."""
    group, enemy = fighting_group(table.battle, side), fighting_group(table.battle, side.enemy)
    places = [Place("none", "does not fire")]
    places += [
        Place(ship.id, f"fires at {ship.name}") for ship in still_afloat(enemy, table.battle.lines[side.enemy].screened)
    ]
    if table.battle.lines[side.enemy].screened_light:
        places.append(Place(LIGHT, "fires at the screened light ships"))
    items = tuple(Item(unit, unit_label(group, unit), amount) for unit, amount in units.items())
    return Form(items, tuple(places), rest="none", default=dict.fromkeys(units, places[-1].key))


# -- fire ---------------------------------------------------------------------------------------------------


@rule("22.54C", "22.54F", "22.54G", "22.55")
async def resolve_fire(table: Table, *, into_screen: bool = False) -> None:
    """22.55. Every declared shot is rolled; then all take effect together.

    `into_screen`: capital ships fire, and cruisers they damage go behind the screen.
    """
    scored: list[tuple[Side, Shot, int]] = []
    for side in table.battle.sides:
        for shot in table.battle.shots.get(side, ()):
            scored.append((side, shot, await fire(table, side, shot)))
    for side, shot, hits in scored:
        if hits:
            await take_hits(table, side.enemy, shot, hits, into_screen=into_screen)


@rule("22.55", "20.51", "22.54C.2")
async def fire(table: Table, side: Side, shot: Shot) -> int:
    """22.55. Two dice on the Naval Attack Table for all fire at one target."""
    battle = table.battle
    group, enemy = fighting_group(battle, side), fighting_group(battle, side.enemy)
    ships = [group.ship(id) for id in shot.ships]
    factors = sum(ship.size for ship in ships) + factors_of(shot.light)
    mine, theirs = table.fleet(side), table.fleet(side.enemy)
    modifiers = fire_modifiers(
        table.rules.nationality,
        crews(ships, shot.light, mine.impaired),
        crews(*_target(battle, side.enemy, enemy, shot), theirs.impaired),
        tactical=mine.tactical,
        enemy_tactical=theirs.tactical,
        hampered=battle.lines[side].hampered,
        target_hampered=battle.lines[side.enemy].hampered,
    )
    name = "the light ships" if shot.target == LIGHT else enemy.ship(shot.target).name
    dice = await Roll(2, "22.55", side, f"{factors} factors fire at {name}")
    roll = sum(dice) + modifiers.total
    hits = table.rules.attack.hits(factors, roll)
    table.record(
        Fired(
            rule="22.55",
            to=Audience.EVERYONE,
            side=side,
            shot=shot,
            factors=factors,
            modifiers=modifiers,
            dice=dice,
            roll=roll,
            hits=hits,
        )
    )
    return hits


def _target(battle: Battle, side: Side, group: CombatGroup, shot: Shot) -> tuple[list[Ship], Counts]:
    """The ships a shot is aimed at."""
    if shot.target != LIGHT:
        return [group.ship(shot.target)], {}
    line = battle.lines[side]
    return [], line.screened_light if shot.screened else line.light


@rule("22.56", "20.512A", "20.521.1", "22.54C.3", "22.54C.4")
async def take_hits(table: Table, side: Side, shot: Shot, hits: int, *, into_screen: bool) -> None:
    """22.56. What hits do to their target. Cruisers damaged by capital fire go behind the screen (22.54C)."""
    group = fighting_group(table.battle, side)
    if shot.target != LIGHT:
        hit_ship(table, side, group.number, group.ship(shot.target), hits)
        return
    _, counts = _target(table.battle, side, group, shot)
    allotment = await allot(table, side, group.number, counts, hits)
    await hit_light_ships(table, side, group.number, allotment, screened=shot.screened, into_screen=into_screen)
