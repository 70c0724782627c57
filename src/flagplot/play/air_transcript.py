"""Events in the air and under water as sentences, one for each. The rule's number is added by transcript.py.

A strike reads in the order it happens: announced, surprise, cover, who fights whom, both dice, losses, air defense,
targets, each attack, and what flies home.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model import air_events as ev
from flagplot.model.air_fold import INVERTED
from flagplot.model.forces import LIGHT
from flagplot.model.ships import Counts, minus, plus
from flagplot.model.squadrons import AirBase, total
from flagplot.model.state import Fleet
from flagplot.play.raid_transcript import RAID_SENTENCES
from flagplot.play.wording import (
    Names,
    agreeing,
    air_result,
    base_contents,
    counted,
    hexes,
    light_parts,
    listed,
    reasons,
    rolled,
    signed,
)
from flagplot.tables.surprise import OF_2008, SurpriseTable

SURPRISE = SurpriseTable()
NOT_SHIPS = {"supply line": "the sea supply line"}

# -- pieces of a sentence -------------------------------------------------------------------


def air_target(enemy: Side, target: str, names: Names) -> str:
    """What is attacked from the air or from under water: a ship, the light ships, a supply line."""
    if target == LIGHT:
        return f"{names.of(enemy)} light ships"
    return NOT_SHIPS.get(target) or names.ship(target)


def _by_ship(side: Side, decks: Mapping[str, Counts], names: Names, where: str) -> list[str]:
    """Naval air by carrier: 2 NAS from Akagi."""
    return [f"{listed(names.squadrons(side, counts))} {where} {names.ship(id)}" for id, counts in decks.items()]


def _losses(side: Side, lost: Counts, names: Names, nothing: str = "nothing") -> str:
    return f"{names.sides[side]} loses {listed(names.squadrons(side, lost), nothing)}"


def combat_rows(event: ev.AirCombatFought | ev.CounterairFought) -> Mapping[Side, int]:
    """How many squadrons each side fights with: its row of the Air Combat Table."""
    if isinstance(event, ev.AirCombatFought):
        return event.rows
    return {event.side: total(event.attackers), event.side.enemy: total(event.defenders)}


def _both_rolls(event: ev.AirCombatFought | ev.CounterairFought, names: Names) -> str:
    net = event.modifiers.total
    parts = []
    for side, modifier in ((event.side, net), (event.side.enemy, -net)):
        result = air_result(event.eliminated.get(side, 0), event.aborted.get(side, 0))
        row = f"{names.sides[side]} on row {combat_rows(event)[side]}"
        parts.append(f"{row}: {rolled(event.dice[side], modifier)}, {result}")
    return "; ".join(parts)


# -- setting up -------------------------------------------------------------------------------


def _air_base(side: Side, base: AirBase, names: Names) -> str:
    facts = [hexes(base.distance)] if base.distance else []
    facts += [] if base.operational else ["not operational"]
    about = f" ({', '.join(facts)})" if facts else ""
    return f"{base.name}{about} with {listed(_standing_at(side, base, names), 'no aircraft')}"


def _standing_at(side: Side, base: AirBase, names: Names) -> list[str]:
    parts: list[str] = []
    for counts, factors, inverted in base_contents(base):
        units = names.air_factors(side, counts) if factors else names.squadrons(side, counts)
        parts += [f"{part} inverted" if inverted else part for part in units]
    return parts


def air_base_after(side: Side, base: AirBase, names: Names) -> str:
    """An air base as a battle leaves it."""
    return f"{base.name}: {listed(_standing_at(side, base, names), 'no aircraft')}"


def air_inputs(fleet: ev.AirBasesListed | Fleet) -> list[str]:
    """What bears on a side's aircraft and submarines, and stands nowhere else: all inputs."""
    research = [f"{project} {results}" for project, results in fleet.research.items() if results]
    asw = [f"{box} {signed(number)}" for box, number in fleet.excess_asw.items() if number]
    facts = [
        (f"aircraft reach {hexes(fleet.air_range)}", fleet.air_range),
        (f"air in partial supply or short of oil: {listed(fleet.impaired_air)}", fleet.impaired_air),
        (f"air under a winter effect: {listed(fleet.winter_air)}", fleet.winter_air),
        (f"research: {listed(research)}", research),
        (f"submarine codebreaking {signed(fleet.submarine_codebreaking)}", fleet.submarine_codebreaking),
        (f"excess ASW: {listed(asw)}", asw),
    ]
    return [text for text, there in facts if there]


def _air_bases(event: ev.AirBasesListed, names: Names) -> str:
    bases = "; ".join(_air_base(event.side, base, names) for base in event.air_bases)
    whose = f"{names.of(event.side)} air bases: {bases}" if bases else f"{names.sides[event.side]} has no air base"
    return ". ".join([whose, *(fact[:1].upper() + fact[1:] for fact in air_inputs(event))])


def _mustered(event: ev.SubmarinesMustered, names: Names) -> str:
    return f"{names.sides[event.side]} brings {listed(names.submarines(event.side, event.submarines), 'no submarines')}"


def _spent_before(event: ev.SubmarinesSpentBefore, names: Names) -> str:
    counted = listed(names.submarines(event.side, event.submarines), "no submarines")
    return f"{names.of(event.side)} submarines that attacked in earlier rounds: {counted}"


def _elsewhere(event: ev.DestroyersElsewhereListed, names: Names) -> str:
    parts = [f"{listed(light_parts(counts))} at {place}" for place, counts in event.places.items() if counts]
    return f"May take {names.of(event.side)} losses to submarines: {listed(parts)}"


# -- patrol, counterair, allocation ---------------------------------------------------------------


def _patrols(event: ev.PatrolsFlown, names: Names) -> str:
    parts = [
        f"over CG{number} with {listed(_by_ship(event.side, decks, names, 'from'))}"
        for number, decks in event.patrols.items()
    ]
    return f"{names.sides[event.side]} flies {'patrol ' if parts else ''}{'; '.join(parts) or 'no patrol'}"


def _counterair_flown(event: ev.CounterairFlown, names: Names) -> str:
    parts = _by_ship(event.side, event.decks, names, "from")
    return f"{names.sides[event.side]} launches {listed(parts)} against air bases"


def _counterairs(event: ev.CounterairsAnnounced, names: Names) -> str:
    parts = [
        f"{raid.base} with {listed(names.squadrons(event.side, raid.squadrons))}"
        + (", its inverted aircraft too" if raid.inverted_too else "")
        for raid in event.counterairs
    ]
    return f"{names.sides[event.side]} counterairs {'; '.join(parts) or 'nothing'}"


def _broken_down(event: ev.AirBrokenDown, names: Names) -> str:
    parts = names.air_factors(event.side, event.factors)
    parts += [f"{part} inverted" for part in names.air_factors(event.side, event.inverted_factors)]
    verb = agreeing(parts, "becomes three squadrons", "become three squadrons each")
    return f"At {event.base} {names.of(event.side)} {listed(parts)} {verb}"


def _counterair_fought(event: ev.CounterairFought, names: Names) -> str:
    attackers = names.squadrons(event.side, event.attackers)
    defenders = names.squadrons(event.side.enemy, event.defenders, home=event.base)
    who = f"{names.of(event.side)} {listed(attackers)} {agreeing(attackers, 'meets', 'meet')} {listed(defenders)}"
    return f"Over {event.base} {who}. {_both_rolls(event, names)}"


def _counterair_ended(event: ev.CounterairEnded, names: Names) -> str:
    owner = event.side.enemy
    turned, back = names.squadrons(event.side, event.aborted), names.squadrons(event.side, event.back)
    parts = [f"Over {event.base} {_losses(event.side, event.lost, names)}"]
    parts += [f"{listed(turned)} {agreeing(turned, 'turns', 'turn')} back"] if turned else []
    parts += [f"{listed(back)} may still strike"] if back else []
    if event.base_lost or event.base_aborted:
        grounded = names.squadrons(owner, event.base_aborted, home=event.base)
        lost = listed(names.squadrons(owner, event.base_lost, home=event.base))
        parts.append(f"{names.sides[owner]} loses {lost}")
        parts += [f"{listed(grounded)} {agreeing(grounded, 'sits', 'sit')} the round out"] if grounded else []
    return "; ".join(parts)


def _ready(event: ev.StrikeForcesReady, names: Names) -> str:
    return f"{names.sides[event.side]} has {listed(names.squadrons(event.side, event.squadrons))} free to strike"


def _cover_assigned(event: ev.CoverAssigned, names: Names) -> str:
    parts = [f"CG{number} with {listed(names.squadrons(event.side, counts))}" for number, counts in event.cover.items()]
    return f"{names.sides[event.side]} covers {'; '.join(parts) or 'nothing'}"


def _cover_announced(event: ev.CoverAnnounced, names: Names) -> str:
    squadrons = listed(names.squadrons(event.side, event.squadrons), "")
    return f"{names.sides[event.side]} flies {f'cover with {squadrons}' if squadrons else 'no cover'}"


def _searching(event: ev.AirSearchAssigned, names: Names) -> str:
    squadrons = listed(names.squadrons(event.side, event.squadrons), "no aircraft")
    return f"{names.sides[event.side]} sends out to search {squadrons}"


# -- air strikes ---------------------------------------------------------------------------------------


def _order(event: ev.StrikeOrderSet, names: Names) -> str:
    one, two = event.sides
    found = [event.results.get(side, 0) for side in (one, two)]
    text = f"{names.sides[one]} may strike first"
    if found[0] == found[1]:
        return f"{text} as the intercepting side: both have {counted(found[0], 'search result')}"
    return f"{text}: {counted(found[0], 'search result')} against {found[1]}"


def _flown(event: ev.StrikeFlown, names: Names) -> str:
    parts = _by_ship(event.side, event.decks, names, "from")
    return f"{names.sides[event.side]} launches {listed(parts, 'nothing from its carriers')}"


def _announced(event: ev.StrikeAnnounced, names: Names) -> str:
    squadrons = listed(names.squadrons(event.side, event.squadrons))
    surprise = ", by surprise" if event.surprise else ""
    return f"{names.sides[event.side]} strikes {names.group(event.side.enemy, event.number)} with {squadrons}{surprise}"


def surprise_effects(level: int, number: str = "") -> list[str]:
    """What a level of surprise does, in words; by the table of this number."""
    effects = (OF_2008 if number == OF_2008.level_rule else SURPRISE).effects(level)
    fewer = effects.fewer_defenders
    engaging = {0: "none", 1: "only one third", 2: "only two thirds"}.get(effects.thirds_engaging)
    told = [
        ("no bonus for patrols", effects.patrol_bonus_lost),
        (f"air defense level {signed(effects.air_defense)}", effects.air_defense),
        (f"attack rolls {signed(effects.attack_bonus)}", effects.attack_bonus),
        (f"{counted(fewer, 'defending squadron')} fewer", fewer),
        (f"{engaging} of the defending air engages", engaging is not None),
        ("no air defense roll", not effects.air_defense_roll),
        ("a critical hit roll for each ship damaged", effects.critical_hit_roll),
    ]
    return [text for text, there in told if there]


def _surprise(event: ev.SurpriseRolled, names: Names) -> str:
    effects = surprise_effects(event.level, event.rule)
    level = f"level {event.level}: {listed(effects)}" if effects else "no surprise"
    return f"{names.of(event.side)} surprise: {rolled(event.dice, event.modifiers.total)}, {level}"


def _cover_revealed(event: ev.CoverRevealed, names: Names) -> str:
    cover = names.squadrons(event.side, event.cover)
    flying = f"{listed(cover)} {agreeing(cover, 'covers', 'cover')}" if cover else "No land-based air covers"
    return f"{flying} {names.group(event.side, event.number)}"


def _withheld(event: ev.DefendersWithheld, names: Names) -> str:
    squadrons = listed(names.squadrons(event.side, event.squadrons))
    return f"{names.sides[event.side]} holds {squadrons} over CG{event.number} back for the round"


def _engaged(event: ev.DefendersEngaged, names: Names) -> str:
    defenders = names.squadrons(event.side, event.squadrons)
    verb = agreeing(defenders, "engages", "engage")
    return f"{names.of(event.side)} {listed(defenders)} over CG{event.number} {verb}"


def _wing_struck(event: ev.WingStruck, names: Names) -> str:
    squadrons = names.squadrons(event.side, event.squadrons)
    if event.lost:
        return f"{listed(squadrons)} {agreeing(squadrons, 'goes', 'go')} down with {event.name}"
    return f"{listed(squadrons)} aboard {event.name} cannot take off any more"


def _combat_joined(event: ev.AirCombatJoined, names: Names) -> str:
    fighting = names.squadrons(event.side, event.fighting)
    defenders = listed(names.squadrons(event.side.enemy, event.defenders))
    verb = agreeing(fighting, "fights", "fight")
    return (
        f"Over {names.group(event.side.enemy, event.number)} {names.of(event.side)} {listed(fighting)} {verb} "
        f"{names.of(event.side.enemy)} {defenders}"
    )


def _combat_fought(event: ev.AirCombatFought, names: Names) -> str:
    return f"Air combat. {_both_rolls(event, names)}"


def _defenders_lost(event: ev.DefendersLost, names: Names) -> str:
    return f"Over CG{event.number} {_losses(event.side, event.lost, names)}"


def _strikers_lost(event: ev.StrikersLost, names: Names) -> str:
    lost, turned = names.squadrons(event.side, event.lost), names.squadrons(event.side, event.aborted)
    parts = [f"The strike loses {listed(lost)}"] if lost or not turned else []
    parts += [f"{listed(turned)} {agreeing(turned, 'turns', 'turn')} back"] if turned else []
    return "; ".join(parts)


def _defense_counted(event: ev.AirDefenseCounted, names: Names) -> str:
    level = event.level.total
    return f"{names.group(event.side, event.number)} has air defense level {level}{reasons(event.level)}"


def _defense_rolled(event: ev.AirDefenseRolled, names: Names) -> str:
    group = names.group(event.side, event.number)
    if not event.dice:
        return f"{group} puts up no air defense"
    result = air_result(event.eliminated, event.aborted)
    return f"Air defense of {group} at level {event.level}: {rolled(event.dice)}, {result}"


def _targets(event: ev.AirTargetsChosen, names: Names) -> str:
    parts = [
        f"{listed(names.squadrons(event.side, counts))} at {air_target(event.side.enemy, target, names)}"
        for target, counts in event.targets.items()
    ]
    return f"{names.sides[event.side]} {'aims: ' if parts else 'attacks '}{'; '.join(parts) or 'nothing'}"


def _deferred(event: ev.StrikeDeferred, names: Names) -> str:
    squadrons = names.squadrons(event.side, event.squadrons)
    will = agreeing(squadrons, "does not attack but fires", "do not attack but fire")
    return f"{listed(squadrons)} {will} with the heavy ships of {names.group(event.side, event.own)}"


def _resumed(event: ev.DeferredStrikeResumed, names: Names) -> str:
    squadrons = names.squadrons(event.side, event.squadrons)
    group = names.group(event.side.enemy, event.number)
    return f"{listed(squadrons)} {agreeing(squadrons, 'attacks', 'attack')} {group} after all: {event.why}"


def _kamikaze(event: ev.KamikazeTargetRolled, names: Names) -> str:
    one = listed(names.squadrons(event.side, {event.squadron: 1}))
    return f"{one} rolls {rolled(event.dice)} and falls upon {air_target(event.side.enemy, event.target, names)}"


def _air_attack(event: ev.AirAttackRolled, names: Names) -> str:
    squadrons = names.squadrons(event.side, event.squadrons)
    target = air_target(event.side.enemy, LIGHT, names) if event.target == LIGHT else event.name
    dice = rolled(event.dice, event.modifiers.total)
    verb = agreeing(squadrons, "attacks", "attack")
    return f"{listed(squadrons)} {verb} {target}: {dice}, {counted(event.hits, 'hit')}"


def _strike_ended(event: ev.StrikeEnded, names: Names) -> str:
    parts = [f"The strike on {names.group(event.side.enemy, event.number)} is over"]
    spent = names.squadrons(event.side, event.spent)
    parts += [f"{listed(spent)} {agreeing(spent, 'is', 'are')} spent"] if spent else []
    home = names.squadrons(event.side, minus(names.strike, event.spent))
    parts += [f"{listed(home)} {agreeing(home, 'flies', 'fly')} home"] if home else []
    return "; ".join(parts)


def _decks_filled(event: ev.DecksFilled, names: Names) -> str:
    landed = listed(_by_ship(event.side, event.decks, names, "on"), "none of it")
    left = _by_ship(event.side, event.left, names, "from")
    driven = f"; driven off damaged carriers: {listed(left)}" if left else ""
    return f"{names.of(event.side)} naval air lands: {landed}{driven}"


def _landed(event: ev.AirLanded, names: Names) -> str:
    ashore, lost = names.squadrons(event.side, event.ashore, where="at"), names.squadrons(event.side, event.lost)
    parts = [f"ashore and inverted {listed(ashore)}"] if ashore else []
    parts += [f"lost for want of a place {listed(lost)}"] if lost else []
    return f"{names.of(event.side)} naval air is down{': ' if parts else ''}{'; '.join(parts)}"


def _status(event: ev.AirStatusDecided, names: Names) -> str:
    squadrons = names.squadrons(event.side, event.inverted)
    verb = agreeing(squadrons, "stays", "stay")
    return f"At {event.base} {listed(squadrons)} {verb} inverted for the rest of the player turn"


# -- submarines -----------------------------------------------------------------------------------------


def _held(event: ev.SubmarinesHeld, names: Names) -> str:
    submarines = names.submarines(event.side, event.submarines)
    return f"{names.of(event.side)} {listed(submarines)} had a target and {agreeing(submarines, 'waits', 'wait')}"


def _submarines_announced(event: ev.SubmarinesAnnounced, names: Names) -> str:
    attacks = [
        f"{names.of(event.side.enemy)} {name} with {listed(names.submarines(event.side, counts))}"
        for name, counts in event.attacks.items()
    ]
    return f"{names.sides[event.side]} attacks {listed(attacks)}"


def _one_submarine(side: Side, key: str, names: Names) -> str:
    (one,) = names.submarines(side, {key: 1})
    return f"{names.of(side)} {one.removeprefix('1 ')}"


def _submarine_attacked(event: ev.SubmarineAttacked, names: Names) -> str:
    submarine = _one_submarine(event.side, event.submarine, names)
    return f"{submarine[:1].upper()}{submarine[1:]} attacks {names.group(event.side.enemy, event.number)}"


def _category(event: ev.SubmarineCategoryRolled, names: Names) -> str:
    if not event.dice:
        return f"It meets the {event.category}, for there is nothing else"
    return f"It rolls {rolled(event.dice)} and meets the {event.category}"


def _ranked_target(event: ev.SubmarineTargetRolled, names: Names) -> str:
    target = air_target(event.side.enemy, LIGHT, names) if event.target == LIGHT else event.name
    if not event.dice:
        return f"It attacks {target}, for there is nothing else"
    return f"It rolls {rolled(event.dice)} and attacks {target}"


def _torpedoes(event: ev.TorpedoesFired, names: Names) -> str:
    target = air_target(event.side.enemy, LIGHT, names) if event.target == LIGHT else event.name
    dice = rolled(event.dice, event.modifiers.total)
    lost = "; the submarine is lost" if event.submarine_lost else ""
    return f"Torpedoes at {target}: {dice}, {counted(event.hits, 'hit')}{lost}"


def _shifted(event: ev.LossesShifted, names: Names) -> str:
    saved = listed(light_parts(event.saved))
    lost = [f"{listed(light_parts(counts))} at {place}" for place, counts in event.lost.items() if counts]
    verb = agreeing(lost, "is", "are")
    return f"In place of {saved} of {names.group(event.side, event.number)}, {listed(lost)} {verb} lost"


def submarines_returned(event: ev.SubmarinesReturned, names: Names) -> str:
    """Submarines that go home. The reason cites its rules itself."""
    submarines = names.submarines(event.side, event.submarines)
    state = "inverted" if event.inverted else "not inverted"
    return f"{listed(submarines)} {agreeing(submarines, 'goes', 'go')} home, {state}: {event.why}"


AIR_SENTENCES: dict[type[Event], Callable[[Any, Names], str]] = {
    ev.AirBasesListed: _air_bases,
    ev.SubmarinesMustered: _mustered,
    ev.SubmarinesSpentBefore: _spent_before,
    ev.DestroyersElsewhereListed: _elsewhere,
    ev.PatrolsFlown: _patrols,
    ev.CounterairFlown: _counterair_flown,
    ev.CounterairsAnnounced: _counterairs,
    ev.AirBrokenDown: _broken_down,
    ev.CounterairFought: _counterair_fought,
    ev.CounterairEnded: _counterair_ended,
    ev.StrikeForcesReady: _ready,
    ev.CoverAssigned: _cover_assigned,
    ev.CoverAnnounced: _cover_announced,
    ev.AirSearchAssigned: _searching,
    ev.StrikeOrderSet: _order,
    ev.StrikeFlown: _flown,
    ev.StrikeAnnounced: _announced,
    ev.StrikesEnded: lambda event, names: f"{names.sides[event.side]} flies no more strikes this round",
    ev.SurpriseRolled: _surprise,
    ev.CoverRevealed: _cover_revealed,
    ev.DefendersWithheld: _withheld,
    ev.DefendersEngaged: _engaged,
    ev.WingStruck: _wing_struck,
    ev.AirCombatJoined: _combat_joined,
    ev.AirCombatFought: _combat_fought,
    ev.DefendersLost: _defenders_lost,
    ev.StrikersLost: _strikers_lost,
    ev.AirDefenseCounted: _defense_counted,
    ev.AirDefenseRolled: _defense_rolled,
    ev.AirTargetsChosen: _targets,
    ev.StrikeDeferred: _deferred,
    ev.DeferredStrikeResumed: _resumed,
    ev.KamikazeTargetRolled: _kamikaze,
    ev.AirAttackRolled: _air_attack,
    ev.CriticalHitDue: lambda event, names: f"A critical hit roll is due on {event.name}, taken as: {event.outcome}",
    ev.StrikeEnded: _strike_ended,
    ev.DecksFilled: _decks_filled,
    ev.AirLanded: _landed,
    ev.AirStatusDecided: _status,
    ev.SubmarinesHeld: _held,
    ev.SubmarinesAnnounced: _submarines_announced,
    ev.SubmarineAttacked: _submarine_attacked,
    ev.SubmarineCategoryRolled: _category,
    ev.SubmarineTargetRolled: _ranked_target,
    ev.TorpedoesFired: _torpedoes,
    ev.LossesShifted: _shifted,
    ev.SubmarinesReturned: submarines_returned,
    **RAID_SENTENCES,
}


def is_quiet_in_the_air(event: Event) -> bool:
    """Whether an event in the air or under water says nothing a reader would miss: nothing flew, nothing was lost."""
    match event:
        case ev.StrikesEnded():
            return True
        case ev.AirBasesListed():
            return not event.air_bases and not air_inputs(event)
        case ev.DestroyersElsewhereListed():
            return not any(event.places.values())
        case ev.StrikeOrderSet():
            return not any(event.results.values())
        case ev.DecksFilled():
            return not event.left and not event.decks
        case ev.AirLanded():
            return not event.ashore and not event.lost
        case ev.StrikersLost():
            return not event.lost and not event.aborted
        case ev.StrikeFlown():
            return not event.decks
        case (
            ev.SubmarinesMustered(submarines=counts)
            | ev.StrikeForcesReady(squadrons=counts)
            | ev.CoverAnnounced(squadrons=counts)
            | ev.AirSearchAssigned(squadrons=counts)
            | ev.DefendersWithheld(squadrons=counts)
            | ev.DefendersLost(lost=counts)
            | ev.AirStatusDecided(inverted=counts)
            | ev.DeckAirShown(squadrons=counts)
        ):
            return not counts
        case ev.PatrolsFlown(patrols=groups) | ev.CoverAssigned(cover=groups):
            return not groups
    return False


# -- the report ----------------------------------------------------------------------------------------------


def squadrons_lost(fleet: Fleet) -> dict[str, int]:
    """All squadrons a side lost, those that went down with their carriers as well, as far as they are known."""
    lost: dict[str, int] = {}
    for counts in (fleet.air_lost, *(ship.wing for ship in fleet.sunk)):
        for key, number in counts.items():
            lost = plus(lost, {key.removesuffix(INVERTED): number})
    return lost
