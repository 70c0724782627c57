"""22.52 to 22.54 and 22.56 of 2008. The older fleet combat: one side attacks, the other defends.

The defender ranks his heavy ships; the attacker covers them in that order with as many factors as they have before he
may look further, and places the rest as he likes; what is fired at answers, the others choose. Heavy fire, light fire,
then what is screened; in each step fire is simultaneous, with one roll for each target (RC-80). Dice go in the order of
FP-03; ships that nobody ranks stand by size (FP-95). Paragraphs D, F and G that this text prints twice are played in
their later wording, the replaced ones not at all (RC-04): heavy fire is one step, not three.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import AtMost, Closed, Form, Item, Limit, Place, in_order, order_of
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.events import AttackerNamed, FireReserved, Ranked, TargetsChosen
from flagplot.model.forces import LIGHT, Shot
from flagplot.model.ships import Counts, Ship, factors_of, light, plus
from flagplot.model.state import Battle
from flagplot.rules.naval.fleet_combat import (
    choose_light_targets,
    draw_up,
    fighting_group,
    held_light,
    light_strength,
    resolve_fire,
    screen_is_open,
    screened_fire_form,
    still_afloat,
    surplus_light_form,
)
from flagplot.rules.table import Table

SCREENED_LIGHT = "screened light"  # the light ships behind the screen, as a target beside those before it
AIR = "#"  # between a kind of naval air that fires with the heavy ships and the number of the squadron


class Strength(NamedTuple):
    """What decides who attacks, the first that differs: unscreened ships only."""

    heavy_ships: int
    heavy_factors: int
    light_factors: int


class Gun(NamedTuple):
    """Something that fires with the heavy ships: one of them, or a naval air squadron (22.471C)."""

    key: str
    label: str
    factors: int
    name: str


class Target(NamedTuple):
    """Something heavy ships may fire at. `size` is what an attacker must match before he looks further; 0 = nothing."""

    key: str
    label: str
    name: str
    size: int = 0
    screened: bool = False


@rule("22.52", "22.53", "22.54", "22.56")
async def fleet_combat_of_2008(table: Table) -> None:
    """22.54. The two groups now engaged fight: heavy ships, then light ships, then what was screened."""
    await draw_up(table, "22.53", "22.53C", by_size, "22.53C")
    attacker = name_attacker(table)
    await rank_defender(table, attacker.enemy)
    await choose_heavy_targets(table, attacker)
    await resolve_heavy_fire(table)
    await choose_light_targets(table, surplus_form)
    await resolve_fire(table)
    await fire_on_screen(table)


def by_size(ships: Sequence[Ship]) -> Sequence[Ship]:
    """Larger ships first, otherwise as they are listed (FP-95)."""
    return sorted(ships, key=lambda ship: -ship.size)


# -- who attacks ---------------------------------------------------------------------------------


@rule("22.54.1", "22.54.2")
def strength(battle: Battle, side: Side) -> Strength:
    """22.54. A side's unscreened heavy ships, their factors, and the factors of its unscreened light ships."""
    line = battle.lines[side]
    heavy = still_afloat(fighting_group(battle, side), line.capital)
    return Strength(len(heavy), sum(ship.size for ship in heavy), light_strength(line))


@rule("22.54.1", "22.54.2", "22.54.3")
def attacking_side(strengths: Mapping[Side, Strength], interceptor: Side) -> Side:
    """22.54. More heavy ships attack; else more of their factors; else more light factors; else the intercepting side."""
    return max((interceptor, interceptor.enemy), key=lambda side: strengths[side])


@rule("22.54.1", "22.54.2", "22.54.3")
def name_attacker(table: Table) -> Side:
    """22.54. Who attacks, told to everyone with the reason; the other side defends."""
    battle = table.battle
    strengths = {side: strength(battle, side) for side in battle.sides}
    attacker = attacking_side(strengths, battle.interceptor)
    table.record(
        AttackerNamed(rule="22.54", to=Audience.EVERYONE, side=attacker, why=why_it_attacks(strengths, attacker))
    )
    return attacker


@rule("22.54.1", "22.54.2", "22.54.3")
def why_it_attacks(strengths: Mapping[Side, Strength], attacker: Side) -> str:
    """22.54. What makes a side the attacker: the first thing it has more of, or that it intercepts."""
    named = ("unscreened heavy ship{}", "factor{} of heavy ships", "factor{} of unscreened light ships")
    for what, mine, theirs in zip(named, strengths[attacker], strengths[attacker.enemy], strict=True):
        if mine > theirs:
            return f"{mine} {what.format('s' if mine > 1 else '')} to {theirs}"
    return "both are equal, and it intercepts"


# -- ranks and targets ------------------------------------------------------------------------------


@rule("22.54A.1")
async def rank_defender(table: Table, defender: Side) -> None:
    """22.54A. The defender ranks his heavy ships by size; within a size, hits or no hits, as he likes (RC-80)."""
    ships = still_afloat(fighting_group(table.battle, defender), table.battle.lines[defender].capital)
    sizes = [ship.size for ship in ships]
    tied = {ship.id: f"{ship.name} ({ship.size})" for ship in ships if sizes.count(ship.size) > 1}
    order: list[str] = []
    if tied:
        question = "The enemy attacks: in which order do your ships of equal size stand?"
        order = order_of(await Decide(defender, "22.54A", "rank", question, in_order(tied, "22.54A")))
    capital = tuple(ship.id for ship in rank_by_size(ships, order))
    table.record(Ranked(rule="22.54A", to=Audience.EVERYONE, side=defender, capital=capital))


@rule("22.54A.1")
def rank_by_size(ships: Sequence[Ship], order: Sequence[str] = ()) -> list[Ship]:
    """22.54A. Five-factor ships first, two-factor ones last; ships of one size in their owner's order."""
    place = {id: index for index, id in enumerate(order)}
    return sorted(ships, key=lambda ship: (-ship.size, place.get(ship.id, 0)))


@rule("22.54A")
def targets_of(battle: Battle, side: Side) -> list[Target]:
    """22.54A. All of a side that may be fired at, by rank: heavy ships, light ships, then what is screened."""
    group, line = fighting_group(battle, side), battle.lines[side]
    targets = [
        Target(ship.id, f"fires at {ship.name} ({ship.size})", ship.name, ship.size)
        for ship in still_afloat(group, line.capital)
    ]
    if line.light:
        targets.append(Target(LIGHT, "fires at the light ships", "the light ships"))
    targets += [
        Target(ship.id, f"waits for {ship.name}, who is screened", ship.name, screened=True)
        for ship in still_afloat(group, line.screened)
    ]
    if line.screened_light:
        waits = "waits for the screened light ships"
        targets.append(Target(SCREENED_LIGHT, waits, "the screened light ships", screened=True))
    return targets


@rule("22.53A", "22.471C.2", "22.471C.3.1")
def guns_of(battle: Battle, side: Side) -> list[Gun]:
    """22.53A. What fires as heavy: unscreened named ships, and with them naval air that joined (22.471C).

    A squadron counts three factors, with its nation's DRM; without a heavy ship to join it does not fire (FP-97).
    """
    ships = still_afloat(fighting_group(battle, side), battle.lines[side].capital)
    guns = [Gun(ship.id, f"{ship.name} ({ship.size})", ship.size, ship.name) for ship in ships]
    for key, number in joined_air(battle, side).items() if guns else ():
        factors = light(key).factors
        label = f"{light(key).nation} naval air"
        guns += [Gun(f"{key}{AIR}{n}", f"{label} {n} ({factors})", factors, label) for n in range(1, number + 1)]
    return guns


@rule("22.471C")
def joined_air(battle: Battle, side: Side) -> dict[str, int]:
    """22.471C. Naval air that struck the group now fought and waits to join the guns of its own."""
    assert battle.fighting is not None, "no fleet combat is being fought"
    mine, theirs = battle.fighting.number(side), battle.fighting.number(side.enemy)
    joined: dict[str, int] = {}
    for waiting in battle.fleets[side].deferred:
        if (waiting.own, waiting.number) == (mine, theirs):
            joined = plus(joined, waiting.squadrons)
    return joined


@rule("22.54B", "22.54C")
async def choose_heavy_targets(table: Table, attacker: Side) -> None:
    """22.54B. The attacker's heavy ships take their targets, openly; then the defender's answer (22.54C)."""
    defender = attacker.enemy
    guns, targets = guns_of(table.battle, attacker), targets_of(table.battle, defender)
    question = "You attack: what do your heavy ships fire at? Cover the enemy's in the order of their rank."
    aim = await _aim(Decide(attacker, "22.54B", "heavy targets", question, heavy_targets_form(guns, targets)))
    _announce(table, attacker, "22.54B", aim, targets)
    guns, targets = guns_of(table.battle, defender), targets_of(table.battle, attacker)
    question = "You defend: what do your heavy ships fire at? A ship under fire answers one that fires at her."
    form = answering_form(guns, targets, shooters(aim))
    aim = await _aim(Decide(defender, "22.54C", "answering fire", question, form))
    _announce(table, defender, "22.54C", aim, targets)


async def _aim(decision: Decide) -> dict[str, str]:
    """22.54B. What each fires at; nobody is asked who has nothing to choose."""
    form = decision.form
    if all(len(form.places_for(item)) == 1 for item in form.items):
        return {item.key: form.places_for(item)[0] for item in form.items}
    answer = await decision
    return {item.key: answer.place(item.key) for item in form.items}


def _announce(table: Table, side: Side, under: str, aim: Mapping[str, str], targets: Sequence[Target]) -> None:
    """All fire at one target is one shot; what is aimed at screened ships waits for its step."""
    shots = [_shot([key for key, at in aim.items() if at == target.key], target) for target in targets]
    now = tuple(shot for shot in shots if not shot.screened and (shot.ships or shot.light))
    later = tuple(shot for shot in shots if shot.screened and (shot.ships or shot.light))
    table.record(TargetsChosen(rule=under, to=Audience.EVERYONE, side=side, shots=now, held=(), held_light={}))
    if later:
        table.record(FireReserved(rule=under, to=Audience.EVERYONE, side=side, shots=later))


def _shot(keys: Sequence[str], target: Target) -> Shot:
    air: dict[str, int] = {}
    for key in keys:
        if AIR in key:
            air = plus(air, {key.partition(AIR)[0]: 1})
    ships = tuple(key for key in keys if AIR not in key)
    return Shot(ships, air, LIGHT if target.key == SCREENED_LIGHT else target.key, target.screened)


@rule("22.54B.1", "22.54B.2")
def heavy_targets_form(guns: Sequence[Gun], targets: Sequence[Target]) -> Form:
    """22.54B. Nothing is fired at before the ship ranked above it faces at least as many factors as she has.

    So light and screened ships only when every heavy ship does. Beyond that fire goes where the attacker likes. Who
    shall not fire at all is screened (FP-95).
    """
    limits: list[Limit] = []
    before: Target | None = None
    for target in targets:
        if before is not None:
            facing = tuple((gun.key, before.key, -gun.factors) for gun in guns)
            why = f"{before.name} ranks before {target.name} and must face at least {before.size} factors first."
            limits += [AtMost(((gun.key, target.key, before.size), *facing), 0, "22.54B", why) for gun in guns]
        before = target if target.size else before
    items = tuple(Item(gun.key, gun.label) for gun in guns)
    places = tuple(Place(target.key, target.label) for target in targets)
    return Form(items, places, tuple(limits), default=cover_in_turn(guns, targets))


@rule("22.54B.1")
def cover_in_turn(guns: Sequence[Gun], targets: Sequence[Target]) -> dict[str, str]:
    """22.54B. A legal way to aim: each rank is covered in turn, the largest first, and what is left joins the first."""
    aim: dict[str, str] = {}
    left = list(guns)
    for target in targets:
        facing = 0
        while left and facing < target.size:
            gun = left.pop(0)
            aim[gun.key] = target.key
            facing += gun.factors
    return {gun.key: aim.get(gun.key, targets[0].key) for gun in guns}


@rule("22.54C.1")
def shooters(aim: Mapping[str, str]) -> dict[str, list[str]]:
    """22.54C. By target, the ships that fire at it; naval air cannot be answered (FP-96)."""
    found: dict[str, list[str]] = {}
    for key, target in aim.items():
        if AIR not in key:
            found.setdefault(target, []).append(key)
    return found


@rule("22.54C.1", "22.54C.2")
def answering_form(guns: Sequence[Gun], targets: Sequence[Target], under_fire: Mapping[str, Sequence[str]]) -> Form:
    """22.54C. A heavy ship under fire answers one of those that fire at her; the others choose freely."""
    items, closed = [], []
    for gun in guns:
        places = tuple(target.key for target in targets)
        if gun.key in under_fire:
            places = tuple(place for place in places if place in under_fire[gun.key])
            why = "she is fired at, and must answer one of those that fire at her"
            closed += [Closed(gun.key, target.key, "22.54C", why) for target in targets if target.key not in places]
        items.append(Item(gun.key, gun.label, 1, places))
    return Form(tuple(items), tuple(Place(each.key, each.label) for each in targets), closed=tuple(closed))


# -- fire ------------------------------------------------------------------------------------------------


@rule("22.54D")
async def resolve_heavy_fire(table: Table) -> None:
    """22.54D. All heavy fire on unscreened ships, together, one roll for each target; light ships are one target.

    Cruisers it damages go behind the screen and nobody else does; hits beyond those that sink are lost (RC-14).
    """
    await resolve_fire(table, into_screen=True)


@rule("22.54E.2", "22.54E.3")
def surplus_form(table: Table, side: Side, surplus: int, enemy_lights: bool) -> Form:
    """22.54E. Light factors beyond three to one may fire at heavy ships, however few at each (RC-80), or hold."""
    form = surplus_light_form(table, side, surplus, enemy_lights)
    limits = tuple(replace(limit, rule="22.54E") for limit in form.limits if isinstance(limit, AtMost))
    return replace(form, limits=limits)


@rule("22.54F", "22.53C.3")
async def fire_on_screen(table: Table) -> None:
    """22.54F. If the screen is open, heavy ships fire at what they waited for, light ships at what they now choose.

    Both together are one roll for each target, and nobody fires back. If it is not, their fire is lost (RC-81).
    """
    for side in table.battle.sides:
        if not screen_is_open(table.battle, side.enemy):
            continue
        waiting = held_light(table, side)
        answer: Mapping[str, Counts] = {}
        form = screened_fire_form(table, side, waiting)
        if waiting and len(form.places) > 1:
            question = "The enemy screen is open: where do the light ships that held their fire shoot?"
            chosen = await Decide(side, "22.54F", "screened fire light", question, form)
            answer = {place.key: chosen.held_by(place.key) for place in form.places[1:]}
        shots = combined_fire(table, side, answer)
        if shots:
            table.record(
                TargetsChosen(rule="22.54F", to=Audience.EVERYONE, side=side, shots=shots, held=(), held_light={})
            )
            await resolve_fire(table)


@rule("22.54F.2", "22.54F.3")
def combined_fire(table: Table, side: Side, light_fire: Mapping[str, Counts]) -> tuple[Shot, ...]:
    """22.54F. For each screened target, in the order they stand, the heavy and light fire at it as one shot.

    Named ships are targets one by one, screened light ships all together. A heavy ship that was sunk meanwhile does not
    fire; one that was damaged does, as the option says (AM-13).
    """
    battle = table.battle
    group, line = fighting_group(battle, side), battle.lines[side.enemy]
    heavy = {shot.target: shot for shot in battle.reserved.get(side, ())}
    shots = []
    for target in (*line.screened, LIGHT):
        waiting = heavy.get(target, Shot())
        ships = tuple(ship.id for ship in still_afloat(group, waiting.ships) if table.rules.held_fire(ship))
        counts = plus(waiting.light, light_fire.get(target, {}))
        if ships or factors_of(counts):
            shots.append(Shot(ships, counts, target, screened=True))
    return tuple(shots)
