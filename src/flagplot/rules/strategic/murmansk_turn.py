"""40.451, 20.512D: the Murmansk convoy of an Allied player turn: what sails, who meets it, air, ships, submarines, and what
arrives.

Each stage is fought on the same table as any battle (23.75, 22.3, 22.921), and hits short of damage are repaired between
them. The convoy's transports are those of the Atlantic SW box. 40.452 to 40.46 are not held (FP-76, FP-77): what may sail
and who waits for it are inputs, ships that were damaged leave this war for the yards, and a convoy that is beaten in naval
combat turns back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import AtMost, Form, Item, Limit, OnlyIf, Place, pick
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.events import HitsRepaired
from flagplot.model.forces import Cargo, Force
from flagplot.model.setup import Air, Public, Secret, Setup
from flagplot.model.ships import KIND_NAMES, Ship, light, light_key, minus, number_of, plus
from flagplot.model.squadrons import AirBase, squadron_key, total
from flagplot.model.state import Battle
from flagplot.model.strategic_war import ATLANTIC, BRITAIN, GERMANY, SUBMARINE, TRANSPORT, WESTERN_ALLIES
from flagplot.model.war import AAF, MURMANSK, Convoys, War, unit
from flagplot.model.war_events import ConvoyIntercepted, ConvoyOver, ConvoySailed, ConvoyStalked, Move
from flagplot.rules.air.upkeep import put_together_all
from flagplot.rules.naval.battle import muster, play_on
from flagplot.rules.strategic.murmansk import (
    BRPS_OF_A_DESTROYER,
    BRPS_OF_A_TRANSPORT,
    Stage,
    repaired,
    stages,
    submarines_that_may_attack,
    transports_for,
)
from flagplot.rules.strategic.raiders_turn import research_of
from flagplot.rules.table import Table

HOME, SAIL = "home", "sail"
STAY, INTERCEPT, ATTACK = "stay", "intercept", "attack"
SORTIES = ("first sortie", "second sortie", "third sortie")
BEFORE, WITHIN = "before", "within"
BRPS = "BRPs"
AIRCRAFT, TRANSPORTS, BOATS = unit(GERMANY, AAF), unit(WESTERN_ALLIES, TRANSPORT), unit(GERMANY, SUBMARINE)


class AtSea(NamedTuple):
    """Ships of one side at sea, and of the convoy what they carry."""

    ships: tuple[Ship, ...] = ()
    light: Mapping[str, int] = {}
    cargo: tuple[Cargo, ...] = ()

    @property
    def afloat(self) -> bool:
        """Whether anything is left."""
        return bool(self.ships or self.light)


class Attackers(NamedTuple):
    """Who of the Murmansk box attacks: air factors sortie by sortie, ships, whether the air fights with them."""

    sorties: tuple[int, ...]
    ships: AtSea
    within: bool


class Fight(NamedTuple):
    """An attack on a convoy, stage by stage: who is left, and what was lost so far."""

    convoy: AtSea
    enemy: AtSea
    sunk: tuple[Ship, ...] = ()
    air_lost: int = 0
    boats_lost: int = 0
    goes_on: bool = True


@rule("40.451")
async def murmansk_convoys(table: Table) -> None:
    """40.451. The Western Allies may send a convoy; those in the Murmansk box attack it in their order."""
    war = table.war
    if not may_sail(war):
        return
    question = f"How many of {war.murmansk.brps} BRPs sail for Murmansk, and which ships go with them?"
    answer = await Decide(Side.ALLIES, "40.451", "Murmansk convoy", question, convoy_form(war))
    sent = answer.amount(BRPS, SAIL)
    if not sent:
        return
    convoy = convoy_of(war, sent, answer.held_by(SAIL))
    force = Force("Convoy", convoy.ships, dict(convoy.light), convoy.cargo, mission="sea transport")
    named = tuple(names_of(convoy.ships, convoy.light))
    table.record(ConvoySailed(rule="40.451", to=Audience.EVERYONE, brps=sent, convoy=force, named=named))
    await attack_convoy(table, sent, convoy)


@rule("40.451")
def may_sail(war: War) -> bool:
    """40.451. Whether a convoy can sail: in the Allied player turn, while Germany and Russia are at war, with BRPs to bring,
    a transport in the Atlantic and an uninverted destroyer to go with it."""
    ready = war.now.side is Side.ALLIES and war.politics.germany_russia_war and war.murmansk.brps > 0
    guarded = number_of(war.murmansk.escort.light, "DD") > 0 and not war.murmansk.escort.inverted
    return ready and guarded and war.present(ATLANTIC, TRANSPORTS) > 0


@rule("40.451")
def convoy_form(war: War) -> Form:
    """40.451. The BRPs that sail, ten to a transport, three to a destroyer factor (FP-76), and whatever else goes with
    them."""
    escort = war.murmansk.escort
    others = _items(escort, (HOME, SAIL))
    items = (Item(BRPS, "BRPs for Russia", war.murmansk.brps, (HOME, SAIL)), *others)
    limits: list[Limit] = []
    room = war.present(ATLANTIC, TRANSPORTS) * BRPS_OF_A_TRANSPORT
    if room < war.murmansk.brps:
        why = f"The transports of the Atlantic carry {room} BRPs."
        limits.append(AtMost(((BRPS, SAIL, 1),), room, "40.451", why))
    guards = tuple((key, SAIL, -BRPS_OF_A_DESTROYER) for key in escort.light if light(key).kind == "DD")
    why = f"A destroyer factor guards {BRPS_OF_A_DESTROYER} BRPs."
    limits.append(AtMost(((BRPS, SAIL, 1), *guards), 0, "40.451", why))
    cells = tuple((item.key, SAIL) for item in others)
    limits.append(OnlyIf(cells, ((BRPS, SAIL),), 1, "40.451", "Nobody sails without a convoy."))
    return Form(items, (Place(HOME, "stay"), Place(SAIL, "sail")), tuple(limits), rest=HOME)


def _items(force: Force, places: tuple[str, ...]) -> tuple[Item, ...]:
    ships = [Item(ship.id, ship.name, 1, places) for ship in force.ships]
    counted = [
        Item(key, f"{light(key).nation} {KIND_NAMES[light(key).kind]}s", n, places) for key, n in force.light.items()
    ]
    return (*ships, *counted)


def names_of(ships: Iterable[Ship], counts: Mapping[str, int]) -> list[str]:
    """Ships as they are told: by name, and light ones by number."""
    return [ship.name for ship in ships] + [
        f"{number} {light(key).nation} {KIND_NAMES[light(key).kind]}{'s' if number > 1 else ''}"
        for key, number in counts.items()
    ]


def convoy_of(war: War, brps: int, sailing: Mapping[str, int]) -> AtSea:
    """The ships that sail: transports with ten BRPs each, the last with the rest, and the escort that was named."""
    escort = war.murmansk.escort
    full = transports_for(brps)
    loads = [min(BRPS_OF_A_TRANSPORT, brps - BRPS_OF_A_TRANSPORT * index) for index in range(full)]
    counts = {key: sailing[key] for key in escort.light if key in sailing}
    return AtSea(
        tuple(ship for ship in escort.ships if ship.id in sailing),
        plus({light_key(BRITAIN, "TR"): full}, counts),
        tuple(Cargo(f"load {number} of {load} BRPs", 1, "TR") for number, load in enumerate(loads, 1)),
    )


def brps_of(cargo: Iterable[Cargo]) -> int:
    """What is aboard."""
    return sum(int(load.name.split()[-2]) for load in cargo)


# -- the attack -------------------------------------------------------------------------------------


@rule("40.451", "40.451B", "40.451C", "40.451D")
async def attack_convoy(table: Table, sent: int, convoy: AtSea) -> None:
    """40.451. Air attacks sortie by sortie, naval combat, submarines; then what is left comes through."""
    attackers = await _intercept(table)
    fight = Fight(convoy, attackers.ships)
    air = sum(attackers.sorties)
    for stage in stages(air=air > 0, ships=fight.enemy.afloat, submarines=0, air_within_naval=attackers.within):
        if Stage.NAVAL in stage:
            fight = await _naval_combat(table, fight, air if Stage.AIR in stage else 0)
        else:
            for factors in attackers.sorties:
                fight = await _sortie(table, fight, factors)
    fight = await _submarines(table, fight)
    _over(table, sent, convoy, attackers.ships, fight)


@rule("40.451A", "40.451A.1", "40.451A.2", "40.451B.2")
async def _intercept(table: Table) -> Attackers:
    """40.451A. Germany names those of the Murmansk box that attack, without dice; with ships among them it may make air
    attacks part of naval combat."""
    form = interception_form(table.war)
    if not form.items:
        return Attackers((), AtSea(), False)
    question = "Which aircraft and ships of the Murmansk box attack the convoy?"
    answer = await Decide(Side.AXIS, "40.451A", "Murmansk interception", question, form)
    flown = tuple(number for sortie in SORTIES if (number := answer.amount(AIRCRAFT, sortie)))
    named = answer.held_by(INTERCEPT)
    squadron = table.war.murmansk.ships
    counts = {key: named[key] for key in squadron.light if key in named}
    ships = AtSea(tuple(ship for ship in squadron.ships if ship.id in named), counts)
    within = False
    if flown and ships.afloat:
        form = pick({BEFORE: "before naval combat", WITHIN: "as part of naval combat"}, BEFORE)
        question = "When do your aircraft attack the convoy?"
        within = (await Decide(Side.AXIS, "40.451B", "Murmansk air attacks", question, form)).choice == WITHIN
    table.record(
        ConvoyIntercepted(
            rule="40.451A",
            to=Audience.EVERYONE,
            sorties=(sum(flown),) if within else flown,
            ships=tuple(names_of(ships.ships, ships.light)),
            within=within,
        )
    )
    return Attackers(flown, ships, within)


@rule("40.451A.1", "40.451B.1", "22.11")
def interception_form(war: War) -> Form:
    """40.451A. The German aircraft of the Murmansk box, in up to three sorties one after the other, and the ships there,
    which intercept only if they are uninverted (22.11)."""
    factors = war.ready(MURMANSK).get(AIRCRAFT, 0)
    sorties = SORTIES[:factors]
    aircraft = (Item(AIRCRAFT, AIRCRAFT, factors, (STAY, *sorties)),) if factors else ()
    ships = () if war.murmansk.ships.inverted else _items(war.murmansk.ships, (STAY, INTERCEPT))
    places = [Place(STAY, "stay"), *(Place(sortie, f"attack in the {sortie}") for sortie in sorties)]
    places += [Place(INTERCEPT, "intercept")] if ships else []
    return Form((*aircraft, *ships), tuple(places), rest=STAY)


@rule("40.451B", "40.451B.1", "20.512D.2")
async def _sortie(table: Table, fight: Fight, factors: int) -> Fight:
    """40.451B. One air sortie; hits short of damage are gone before the next."""
    if not fight.convoy.afloat:
        return fight
    await _play(table, battle_of(table.war, "air attack", fight.convoy, AtSea(), aircraft=factors))
    return replace_fight(table, fight, "40.451B", air_lost=factors - aircraft_left(table.battle))


@rule("40.451C", "40.451C.1", "40.451C.2", "20.512D.1")
async def _naval_combat(table: Table, fight: Fight, factors: int) -> Fight:
    """40.451C. Naval combat, with air attacks in it if Germany wished it so; hits add up, and those short of damage are
    gone at its end. A convoy that does not win it turns back (22.81A)."""
    if not fight.convoy.afloat:
        return fight
    await _play(table, battle_of(table.war, "naval battle", fight.convoy, fight.enemy, aircraft=factors))
    battle = table.battle
    enemy = repair(table, Side.AXIS, after(battle, Side.AXIS), "40.451C")
    lost = factors - aircraft_left(battle) if factors else 0
    fight = replace_fight(table, fight, "40.451C", air_lost=lost)
    return fight._replace(enemy=enemy, goes_on=battle.goes_on)


@rule("40.451D", "40.451D.1", "40.451D.2", "22.9415B.1")
async def _submarines(table: Table, fight: Fight) -> Fight:
    """40.451D. Last of all Germany says how many submarines attack; their hits add up, and those short of damage are gone
    when all have attacked. Excess ASW of the Atlantic does not count (22.9415B)."""
    war = table.war
    most = submarines_that_may_attack(war.ready(ATLANTIC).get(BOATS, 0), war.murmansk.submarines)
    if not fight.convoy.afloat or not most:
        return fight
    items = (Item(BOATS, "submarines of the Atlantic", most, (STAY, ATTACK)),)
    form = Form(items, (Place(STAY, "stay"), Place(ATTACK, "attack")), rest=STAY, default={BOATS: ATTACK})
    question = "How many submarines attack the convoy?"
    answer = await Decide(Side.AXIS, "40.451D", "Murmansk submarines", question, form)
    boats = answer.amount(BOATS, ATTACK)
    if not boats:
        return fight
    table.record(ConvoyStalked(rule="40.451D", to=Audience.EVERYONE, submarines=boats))
    await _play(table, battle_of(war, "submarine attack", fight.convoy, AtSea(), submarines=boats))
    lost = sum(table.fleet(Side.AXIS).submarines_lost.values())
    return replace_fight(table, fight, "40.451D")._replace(boats_lost=lost)


def replace_fight(table: Table, fight: Fight, number: str, air_lost: int = 0) -> Fight:
    """The fight after a stage of it: the convoy that is left, its hits repaired, and what was lost."""
    battle = table.battle
    sunk = tuple(ship for side in battle.sides for ship in battle.fleets[side].sunk)
    convoy = repair(table, Side.ALLIES, after(battle, Side.ALLIES, fight.convoy.cargo), number)
    return fight._replace(convoy=convoy, sunk=(*fight.sunk, *sunk), air_lost=fight.air_lost + air_lost)


# -- on the table of a battle -------------------------------------------------------------------------


@rule("40.451")
async def _play(table: Table, setup: Setup) -> None:
    """40.451. One stage, from first contact to its end."""
    muster(table, setup)
    await play_on(table)


@rule("40.451A.2", "22.552A")
def battle_of(war: War, kind: str, convoy: AtSea, enemy: AtSea, *, aircraft: int = 0, submarines: int = 0) -> Setup:
    """40.451A. A stage as a battle of its own: everything German is in range, and meets the convoy."""
    forces = convoy_forces(war, convoy)
    squadron = war.murmansk.ships
    attacking = replace(squadron, ships=enemy.ships, light=dict(enemy.light), mission="interception", base=MURMANSK)
    bases = (AirBase(MURMANSK, factors={squadron_key(GERMANY, AAF): aircraft}),) if aircraft else ()
    carriers = any(ship.is_carrier for ship in (*convoy.ships, *enemy.ships))
    public = Public(
        title=f"{war.title}: the convoy to Murmansk",
        theatre="Europe",
        kind=kind,
        interceptor=Side.AXIS,
        names=war.names,
        tactical=dict.fromkeys(Side, 0),
        search_advantage=dict.fromkeys(Side, 0),
        aircraft=bool(aircraft) or carriers or number_of(convoy.light, "CVE") > 0,
        submarines=submarines > 0,
        air={
            Side.AXIS: Air(bases=bases, impaired=war.impaired_air, research=research_of(war, GERMANY)),
            Side.ALLIES: Air(impaired=war.impaired_air, research=research_of(war, BRITAIN)),
        },
    )
    boats = {light_key(GERMANY, "SUB"): submarines} if submarines else {}
    return Setup(
        public=public,
        sides={
            Side.AXIS: Secret(forces=(attacking,) if enemy.afloat else (), impaired=war.impaired, submarines=boats),
            Side.ALLIES: Secret(forces=forces, impaired=war.impaired),
        },
    )


def convoy_forces(war: War, convoy: AtSea) -> tuple[Force, ...]:
    """The convoy with its destroyers, and the rest of its escort."""
    base = war.murmansk.escort.base
    near = {key: number for key, number in convoy.light.items() if light(key).kind in ("TR", "DD")}
    others = minus(convoy.light, near)
    found = []
    if near:
        found.append(
            Force("Convoy", light=near, cargo=convoy.cargo, task_force=False, mission="sea transport", base=base)
        )
    if convoy.ships or others:
        escort = war.murmansk.escort
        found.append(replace(escort, ships=convoy.ships, light=others, task_force=False, mission="sea escort"))
    return tuple(found)


def after(battle: Battle, side: Side, cargo: Iterable[Cargo] = ()) -> AtSea:
    """What a side has left of its ships, and of the cargo that was aboard."""
    fleet = battle.fleets[side]
    groups = [home.group for home in fleet.returned]
    if battle.kind != "naval battle":
        groups = [*fleet.groups, *fleet.pending, *fleet.home]
    counts: dict[str, int] = {}
    for group in groups:
        counts = plus(counts, group.light)
    aboard = tuple(load for load in cargo if load.name not in fleet.cargo_lost)
    return AtSea(tuple(ship for group in groups for ship in group.ships), counts, aboard)


def aircraft_left(battle: Battle) -> int:
    """The air factors that are left when squadrons have been put together again (23.141C)."""
    (base,) = battle.fleets[Side.AXIS].air_bases
    whole = put_together_all(base).base
    return total(whole.factors) + total(whole.inverted_factors)


@rule("40.451B.1", "40.451C.2", "40.451D.2", "20.512D")
def repair(table: Table, side: Side, at_sea: AtSea, number: str) -> AtSea:
    """40.451. When a sortie, naval combat or the submarines are done, hits short of damage are repaired."""
    hit = tuple(ship.id for ship in at_sea.ships if ship.hits and not ship.damaged)
    if hit:
        table.record(HitsRepaired(rule=number, to=Audience.EVERYONE, side=side, ships=hit))
    return at_sea._replace(ships=tuple(repaired(ship) for ship in at_sea.ships))


# -- afterwards -------------------------------------------------------------------------------------


@rule("40.451", "22.81A", "22.82A")
def _over(table: Table, sent: int, began: AtSea, squadron: AtSea, fight: Fight) -> None:
    """40.451. What is aboard of transports that are left arrives, unless the convoy turned back."""
    war = table.war
    transports = number_of(began.light, "TR") - number_of(fight.convoy.light, "TR")
    losses = [
        Move(TRANSPORTS, transports, ATLANTIC, ""),
        Move(AIRCRAFT, fight.air_lost, MURMANSK, ""),
        Move(BOATS, fight.boats_lost, ATLANTIC, ""),
    ]
    left = Convoys(
        war.murmansk.brps,
        remaining(war.murmansk.escort, began, fight.convoy),
        remaining(war.murmansk.ships, squadron, fight.enemy),
        war.murmansk.submarines,
    )
    table.record(
        ConvoyOver(
            rule="40.451",
            to=Audience.EVERYONE,
            sent=sent,
            arrived=brps_of(fight.convoy.cargo) if fight.goes_on else 0,
            turned_back=not fight.goes_on,
            losses=tuple(move for move in losses if move.number),
            murmansk=left,
            sunk=tuple(ship.id for ship in fight.sunk),
            named=tuple(ship.name for ship in fight.sunk),
        )
    )


def remaining(force: Force, went: AtSea, came_back: AtSea) -> Force:
    """A force after some of it was at sea, without what was sunk or damaged there."""
    sound = {ship.id for ship in came_back.ships if not ship.damaged}
    gone = {ship.id for ship in went.ships} - sound
    lost = minus(went.light, {key: number for key, number in came_back.light.items() if not light(key).state})
    return replace(
        force, ships=tuple(ship for ship in force.ships if ship.id not in gone), light=minus(force.light, lost)
    )
