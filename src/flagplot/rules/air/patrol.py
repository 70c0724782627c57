"""22.43, 23.3 Combat air patrol and counterair: what carrier air does before anybody is looked for.

Both sides settle patrols and counterair together and in secret (AN-09). One round of air combat is fought over each base
that is attacked; in which order makes no difference, so they go as they are listed (FP-15).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flagplot.core.asks import Decide, Roll
from flagplot.core.forms import Answer, AtMost, Form, Item, Limit, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.air_events import (
    AirBrokenDown,
    CounterairEnded,
    CounterairFlown,
    CounterairFought,
    CounterairsAnnounced,
    DecksFilled,
    PatrolsFlown,
    StrikeForcesReady,
)
from flagplot.model.air_fold import INVERTED
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import Ship, minus, plus
from flagplot.model.squadrons import AirBase, Counterair, Counts, at_base, squadron_label, told, total
from flagplot.model.state import Fleet
from flagplot.rules.air.combat import modifiers_between
from flagplot.rules.air.losses import take_air_losses
from flagplot.rules.naval.combat_groups import both
from flagplot.rules.table import Table

BASE = "base "  # marks the places of a form that are enemy bases


def decks(fleet: Fleet) -> Iterator[tuple[CombatGroup, Ship, str, int]]:
    """Naval air that can take off: every group, undamaged carrier, squadron key and number."""
    for group in fleet.groups:
        for ship in group.ships:
            if ship.is_carrier and not ship.damaged:
                for key, number in ship.wing.items():
                    yield group, ship, key, number


def deck_item(ship: Ship, key: str) -> str:
    """What squadrons of a carrier are called in a form."""
    return f"{ship.id}|{key}"


def from_decks(answer: Answer, place: str) -> dict[str, dict[str, int]]:
    """By carrier, the squadrons an answer puts in a place."""
    taken: dict[str, dict[str, int]] = {}
    for item, number in answer.held_by(place).items():
        ship, bar, key = item.partition("|")
        if bar and ship:
            taken.setdefault(ship, {})[key] = number
    return taken


def together(by_carrier: Mapping[str, Counts]) -> dict[str, int]:
    """Squadrons of several carriers as one count."""
    counts: dict[str, int] = {}
    for squadrons in by_carrier.values():
        counts = plus(counts, squadrons)
    return counts


# -- the question ------------------------------------------------------------------------------


@rule("23.33", "23.36")
def most_on_patrol(available: int) -> int:
    """23.33. At most a third of a group's naval air, rounded up, counted before any counterair (AN-10)."""
    return -(-available // 3)


@rule("23.31")
def may_patrol(*, own_group: bool) -> bool:
    """23.31. Whether naval air may patrol over these ships: those of its own carrier's group, and no others."""
    return own_group


@rule("22.431", "23.31", "23.32", "23.33", "23.35", "23.61C")
def patrol_form(fleet: Fleet, bases: tuple[AirBase, ...]) -> Form:
    """22.431. For each carrier's squadrons: patrol over their own group, counterair of a base within range, or neither.

    Who attacks a base where all aircraft are inverted attacks these.
    """
    targets = [base for base in bases if _aircraft(base) and _within_range(fleet, base)]
    places = [Place("deck", "stays on deck, free to strike"), Place("patrol", "flies combat air patrol")]
    places += [Place(BASE + base.name, f"counterairs {base.name}") for base in targets]
    keys = tuple(place.key for place in places)
    items: list[Item] = []
    limits: list[Limit] = []
    default: dict[str, dict[str, int]] = {}
    for group in fleet.groups:
        mine = [(ship, key, number) for owner, ship, key, number in decks(fleet) if owner is group]
        most = most_on_patrol(sum(number for _, _, number in mine))
        cells = tuple((deck_item(ship, key), "patrol", 1) for ship, key, _ in mine)
        why = f"No more than a third of CG{group.number}'s naval air may fly patrol: {most}."
        limits.append(AtMost(cells, most, "23.33", why))
        for ship, key, number in mine:
            label = f"CG{group.number} {ship.name}: {squadron_label(key)}"
            items.append(Item(deck_item(ship, key), label, number, keys))
            if most:
                default[deck_item(ship, key)] = {"patrol": min(most, number)}
                most -= min(most, number)
    for base in targets:
        if _inverted(base) and (base.factors or base.squadrons):
            places += [Place("leave", "is left alone"), Place("attack", "is attacked too")]
            item = f"inverted {base.name}"
            items.append(Item(item, f"Inverted aircraft at {base.name}", 1, ("leave", "attack")))
            flying = tuple((deck_item(ship, key), BASE + base.name, -1) for _, ship, key, _ in decks(fleet))
            why = f"Inverted aircraft at {base.name} are attacked only if somebody attacks {base.name}."
            limits.append(AtMost(((item, "attack", 1), *flying), 0, "23.413", why))
    unique = tuple({place.key: place for place in places}.values())
    return Form(tuple(items), unique, tuple(limits), default=default)


def _aircraft(base: AirBase) -> bool:
    return bool(base.factors or base.squadrons or _inverted(base))


def _inverted(base: AirBase) -> bool:
    return bool(base.inverted or base.inverted_factors)


def _within_range(fleet: Fleet, base: AirBase) -> bool:
    return not fleet.carrier_range or base.distance <= fleet.carrier_range


@rule("22.41B", "22.431", "22.432", "23.33", "23.64", "23.11C")
async def assign_patrols(table: Table) -> None:
    """22.431. Both sides in secret put naval air on patrol or send it against bases; only the latter is announced."""
    forms = {side: patrol_form(table.fleet(side), table.fleet(side.enemy).air_bases) for side in Side}
    question = "Which naval air flies patrol over its own group, and which attacks enemy air bases?"
    answers = await both(table, "22.431", "patrol", question, forms)
    for side in table.battle.sides:
        fly_patrols(table, side, answers[side], "22.431")
        _announce_counterairs(table, side, answers[side])


def fly_patrols(table: Table, side: Side, answer: Answer, under: str) -> None:
    """Naval air leaves its decks for patrol over its own group; its owner alone knows."""
    flying = from_decks(answer, "patrol")
    by_group = {
        group.number: mine
        for group in table.fleet(side).groups
        if (mine := {ship.id: flying[ship.id] for ship in group.ships if ship.id in flying})
    }
    table.record(PatrolsFlown(rule=under, to=only(side), side=side, patrols=by_group))


def _announce_counterairs(table: Table, side: Side, answer: Answer) -> None:
    announced: list[Counterair] = []
    leaving: dict[str, dict[str, int]] = {}
    for base in table.fleet(side.enemy).air_bases:
        sent = from_decks(answer, BASE + base.name)
        if sent:
            too = answer.amount(f"inverted {base.name}", "attack") > 0 or not (base.factors or base.squadrons)
            announced.append(Counterair(side.value, base.name, told(together(sent)), too))
            for ship, counts in sent.items():
                leaving[ship] = plus(leaving.get(ship, {}), counts)
    if announced:
        table.record(CounterairFlown(rule="22.431", to=only(side), side=side, decks=leaving))
        table.record(CounterairsAnnounced(rule="22.432", to=Audience.EVERYONE, side=side, counterairs=tuple(announced)))


# -- counterair ------------------------------------------------------------------------------------


@rule("22.432", "22.433", "22.434", "23.131A", "23.413", "23.414", "22.341A", "23.153")
async def fly_counterair(table: Table, raid: Counterair) -> None:
    """22.432. One round of air combat over a base. Army air there breaks down, for naval air attacks it (23.131A).

    Attackers neither lost nor turned back may still strike (22.433); defenders that abort sit this round out (22.434).
    """
    side = Side(raid.side)
    owner = side.enemy
    break_down(table, owner, raid.base, raid.inverted_too)
    base = table.fleet(owner).air_base(raid.base)
    defenders = at_base(base.squadrons, base.name)
    if raid.inverted_too:
        defenders = plus(defenders, at_base(base.inverted, base.name + INVERTED))
    defenders = told(defenders)
    modifiers = modifiers_between(table, side, raid.squadrons, defenders)
    dice, results = {}, {}
    for who, row, net in (
        (side, total(raid.squadrons), modifiers.total),
        (owner, total(defenders), -modifiers.total),
    ):
        name = table.fleet(who).name
        dice[who] = await Roll(2, "22.432", who, f"{name} fights over {raid.base}")
        results[who] = table.rules.air_combat.result(row, sum(dice[who]) + net)
    table.record(
        CounterairFought(
            rule="22.432",
            to=Audience.EVERYONE,
            side=side,
            base=raid.base,
            attackers=raid.squadrons,
            defenders=defenders,
            modifiers=modifiers,
            dice=dice,
            eliminated={who: results[who].eliminated for who in results},
            aborted={who: results[who].aborted for who in results},
        )
    )
    lost = await take_air_losses(side, raid.squadrons, *results[owner], f"Over {raid.base}")
    suffered = await take_air_losses(owner, defenders, *results[side], f"At {raid.base}")
    back = minus(minus(raid.squadrons, lost.lost), lost.aborted)
    table.record(
        CounterairEnded(
            rule="22.433",
            to=Audience.EVERYONE,
            side=side,
            base=raid.base,
            lost=told(lost.lost),
            aborted=told(lost.aborted),
            back=told(back),
            base_lost=told(suffered.lost),
            base_aborted=told(suffered.aborted),
        )
    )


@rule("22.433")
def back_on_deck_form(fleet: Fleet) -> Form:
    """22.433. Where the naval air that is back from counterair stands: carriers have room for what left them."""
    room = {ship.id: ship.size - ship.air for group in fleet.groups for ship in group.ships if _has_room(ship)}
    names = {ship.id: ship.name for group in fleet.groups for ship in group.ships}
    items = tuple(Item(key, f"back from counterair: {squadron_label(key)}", n) for key, n in fleet.ready.items())
    places = tuple(Place(id, f"returns to {names[id]} (room for {most})") for id, most in room.items())
    limits = tuple(
        AtMost(tuple((item.key, id, 1) for item in items), most, "22.433", f"{names[id]} has room for {most} more.")
        for id, most in room.items()
    )
    left = dict(room)
    default: dict[str, dict[str, int]] = {}
    for item in items:
        waiting = item.amount
        for id in left:
            here = min(waiting, left[id])
            if here:
                default.setdefault(item.key, {})[id] = here
                left[id] -= here
                waiting -= here
    return Form(items, places, limits, default=default)


def _has_room(ship: Ship) -> bool:
    return ship.is_carrier and not ship.damaged and ship.air < ship.size


@rule("22.433")
async def return_to_decks(table: Table) -> None:
    """22.433. Naval air neither lost nor turned back by its counterair is back on its carriers, and may strike."""
    for side in table.battle.sides:
        if table.fleet(side).ready:
            question = "Your naval air is back from counterair: on which decks does it stand?"
            form = back_on_deck_form(table.fleet(side))
            answer = await Decide(side, "22.433", "back on deck", question, form)
            decks: dict[str, dict[str, int]] = {}
            for key, placed in answer.cells.items():
                for id, number in placed.items():
                    decks[id] = plus(decks.get(id, {}), {key: number})
            table.record(DecksFilled(rule="22.433", to=only(side), side=side, left={}, decks=decks))


@rule("23.131", "23.132", "23.133", "22.343")
def break_down(table: Table, side: Side, name: str, inverted_too: bool, factors: Counts | None = None) -> None:
    """23.131. Air factors of a base become three squadrons each; all of them, or those named."""
    base = table.fleet(side).air_base(name)
    some = dict(base.factors if factors is None else factors)
    inverted = dict(base.inverted_factors) if inverted_too else {}
    if some or inverted:
        table.record(
            AirBrokenDown(
                rule="23.131",
                to=Audience.EVERYONE,
                side=side,
                base=name,
                factors=told(some),
                inverted_factors=told(inverted),
            )
        )


@rule("22.41B", "22.43")
async def counterair_segment(table: Table) -> None:
    """22.43. Patrols are set, then carriers attack air bases."""
    await assign_patrols(table)
    for raid in table.battle.counterairs:
        await fly_counterair(table, raid)
    await return_to_decks(table)


@rule("22.41C", "22.441")
def ready_to_strike(table: Table) -> None:
    """22.441. Naval air that is on deck may strike, back from counterair or not; nobody is compelled to (22.46)."""
    for side in table.battle.sides:
        fleet = table.fleet(side)
        counts: dict[str, int] = {}
        for _, _, key, number in decks(fleet):
            counts = plus(counts, {key: number})
        table.record(StrikeForcesReady(rule="22.441", to=only(side), side=side, squadrons=counts))
