"""From one state of the battle to the next, by an event in the air or under water. See fold.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model import air_events as ev
from flagplot.model.changes import with_air_base, with_fleet, with_group
from flagplot.model.ships import Ship, factors_of, minus, plus
from flagplot.model.squadrons import AirBase, Deferred, Raid, Strike, broken_down, of_base, squadron, total
from flagplot.model.state import Battle

INVERTED = " (inverted)"  # marks, after a base's name, squadrons that stand there inverted

# -- pieces -------------------------------------------------------------------------------


def _with_decks(battle: Battle, side: Side, change: Callable[[Ship], Mapping[str, int]]) -> Battle:
    """Every carrier of a side with her wing changed."""
    groups = tuple(
        replace(group, ships=tuple(replace(s, wing=dict(change(s))) if s.is_carrier else s for s in group.ships))
        for group in battle.fleets[side].groups
    )
    return with_fleet(battle, side, groups=groups)


def _from_decks(battle: Battle, side: Side, decks: Mapping[str, Mapping[str, int]]) -> Battle:
    return _with_decks(battle, side, lambda ship: minus(ship.wing, decks.get(ship.id, {})))


def _with_bases(battle: Battle, side: Side, counts: Mapping[str, int], *, used: int = 0, lost: int = 0) -> Battle:
    """Shore squadrons, by keys with bases, that are given a role (used) or lost."""
    battle = _serving(battle, side, counts if used else {}, counts if lost else {})
    for base in battle.fleets[side].air_bases:
        mine = of_base(counts, base.name)
        if mine and used:
            battle = with_air_base(battle, side, base.name, used=plus(base.used, mine))
        elif mine and lost:
            squadrons, busy = minus(base.squadrons, mine), minus(base.used, mine)
            army = {key: number for key, number in mine.items() if squadron(key).kind == "AAF"}
            factors = minus(base.factors, army)
            battle = with_air_base(battle, side, base.name, squadrons=squadrons, used=busy, factors=factors)
    return battle


def _serving(battle: Battle, side: Side, used: Mapping[str, int], lost: Mapping[str, int]) -> Battle:
    """Which shore squadrons have acted at sea in the battle: nobody knows which of several alike, so as few as may be."""
    fleet = battle.fleets[side]
    ashore = {key: number for key, number in used.items() if squadron(key).base}
    acting = minus(plus(fleet.acting, ashore), lost)
    served = minus(fleet.served, lost)
    most = {key: max(served.get(key, 0), number) for key, number in acting.items()}
    return with_fleet(battle, side, acting=acting, served={**served, **most})


def _lose(battle: Battle, side: Side, lost: Mapping[str, int]) -> Battle:
    battle = _with_bases(battle, side, lost, lost=1)
    return with_fleet(battle, side, air_lost=plus(battle.fleets[side].air_lost, lost))


def _afloat(counts: Mapping[str, int]) -> dict[str, int]:
    """Of these squadrons, those that fly from carriers."""
    return {key: number for key, number in counts.items() if not squadron(key).base}


def _strike(battle: Battle, **changes: Any) -> Battle:
    assert battle.strike is not None, "no strike is under way"
    return replace(battle, strike=replace(battle.strike, **changes))


# -- setting up -----------------------------------------------------------------------------


def _bases_listed(battle: Battle, event: ev.AirBasesListed) -> Battle:
    return with_fleet(
        battle,
        event.side,
        air_bases=event.air_bases,
        air_range=event.air_range,
        carrier_range=event.carrier_range,
        impaired_air=event.impaired_air,
        winter_air=event.winter_air,
        research=event.research,
        submarine_codebreaking=event.submarine_codebreaking,
        excess_asw=event.excess_asw,
    )


def _submarines_mustered(battle: Battle, event: ev.SubmarinesMustered) -> Battle:
    return with_fleet(battle, event.side, submarines=event.submarines)


def _submarines_spent_before(battle: Battle, event: ev.SubmarinesSpentBefore) -> Battle:
    return with_fleet(battle, event.side, submarines_spent=event.submarines)


def _elsewhere(battle: Battle, event: ev.DestroyersElsewhereListed) -> Battle:
    return with_fleet(battle, event.side, destroyers_elsewhere=event.places)


# -- patrol, counterair, allocation ------------------------------------------------------------


def _patrols(battle: Battle, event: ev.PatrolsFlown) -> Battle:
    for number, decks in event.patrols.items():
        battle = _from_decks(battle, event.side, decks)
        flying: Mapping[str, int] = battle.fleets[event.side].group(number).patrol
        for counts in decks.values():
            flying = plus(flying, counts)
        battle = with_group(battle, event.side, number, patrol=flying)
    return battle


def _counterair_flown(battle: Battle, event: ev.CounterairFlown) -> Battle:
    return _from_decks(battle, event.side, event.decks)


def _counterairs(battle: Battle, event: ev.CounterairsAnnounced) -> Battle:
    flown = (*battle.counterairs, *event.counterairs)
    return replace(battle, counterairs=flown, combat=battle.combat or bool(event.counterairs))


def _broken_down(battle: Battle, event: ev.AirBrokenDown) -> Battle:
    base = battle.fleets[event.side].air_base(event.base)
    return with_air_base(
        battle,
        event.side,
        event.base,
        factors=minus(base.factors, event.factors),
        inverted_factors=minus(base.inverted_factors, event.inverted_factors),
        squadrons=plus(base.squadrons, broken_down(event.factors)),
        inverted=plus(base.inverted, broken_down(event.inverted_factors)),
    )


def _counterair_ended(battle: Battle, event: ev.CounterairEnded) -> Battle:
    fleet = battle.fleets[event.side]
    battle = replace(battle, counterairs=battle.counterairs[1:])
    battle = with_fleet(
        battle,
        event.side,
        ready=plus(fleet.ready, event.back),
        aloft=plus(fleet.aloft, event.aborted),
        air_lost=plus(fleet.air_lost, event.lost),
    )
    owner = event.side.enemy
    base = battle.fleets[owner].air_base(event.base)
    turned_back = of_base(event.base_aborted, base.name)
    battle = with_air_base(
        battle,
        owner,
        base.name,
        squadrons=minus(base.squadrons, of_base(event.base_lost, base.name)),
        inverted=minus(base.inverted, of_base(event.base_lost, base.name + INVERTED)),
        used=plus(base.used, turned_back),
        aborted=turned_back,
    )
    return with_fleet(battle, owner, air_lost=plus(battle.fleets[owner].air_lost, event.base_lost))


def _cover_assigned(battle: Battle, event: ev.CoverAssigned) -> Battle:
    for number, cover in event.cover.items():
        battle = with_group(battle, event.side, number, cover=cover)
    return battle


def _cover_announced(battle: Battle, event: ev.CoverAnnounced) -> Battle:
    battle = _with_bases(battle, event.side, event.squadrons, used=1)
    return with_fleet(battle, event.side, cover=event.squadrons)


def _air_search(battle: Battle, event: ev.AirSearchAssigned) -> Battle:
    battle = _with_bases(battle, event.side, event.squadrons, used=1)
    return with_fleet(battle, event.side, searching=total(event.squadrons))


# -- air strikes -----------------------------------------------------------------------------------


def _order(battle: Battle, event: ev.StrikeOrderSet) -> Battle:
    return replace(battle, striking=event.sides)


def _strike_flown(battle: Battle, event: ev.StrikeFlown) -> Battle:
    battle = _from_decks(battle, event.side, event.decks)
    launched = tuple(dict.fromkeys((*battle.fleets[event.side].launched, *event.decks)))
    return with_fleet(battle, event.side, launched=launched, strike_decks=event.decks)


def _claimed(battle: Battle, event: ev.StrikeAnnounced | ev.StrikeDeclared) -> Battle:
    """The squadrons of a strike have their role, and a search result is used up."""
    battle = _with_bases(battle, event.side, event.squadrons, used=1)
    battle = with_fleet(battle, event.side, strikes=battle.fleets[event.side].strikes + 1)
    target = battle.fleets[event.side.enemy].group(event.number)
    return with_group(battle, event.side.enemy, event.number, spent=target.spent + 1, attacked=True)


def _announced(battle: Battle, event: ev.StrikeAnnounced) -> Battle:
    strike = Strike(event.side.value, event.number, event.surprise, event.squadrons)
    return replace(_claimed(battle, event), strike=strike, combat=True)


def _declared(battle: Battle, event: ev.StrikeDeclared) -> Battle:
    strike = Strike(event.side.value, event.number, False, event.squadrons)
    return replace(_claimed(battle, event), declared=(*battle.declared, strike))


def _declared_flown(battle: Battle, event: ev.DeclaredStrikeFlown) -> Battle:
    first, *others = battle.declared
    return replace(battle, strike=None if event.lapsed else first, declared=tuple(others))


def _strikes_ended(battle: Battle, event: ev.StrikesEnded) -> Battle:
    return replace(battle, striking=battle.striking[1:])


def _surprise(battle: Battle, event: ev.SurpriseRolled) -> Battle:
    return _strike(battle, level=event.level)


def _cover_revealed(battle: Battle, event: ev.CoverRevealed) -> Battle:
    return with_group(battle, event.side, event.number, cover=event.cover)


def _engaged(battle: Battle, event: ev.DefendersEngaged) -> Battle:
    return _strike(battle, defenders=event.squadrons)


def _withheld(battle: Battle, event: ev.DefendersWithheld) -> Battle:
    group = battle.fleets[event.side].group(event.number)
    return with_group(battle, event.side, event.number, withheld=plus(group.withheld, event.squadrons))


def _joined(battle: Battle, event: ev.AirCombatJoined) -> Battle:
    return _strike(battle, fighting=event.fighting)


def _defenders_lost(battle: Battle, event: ev.DefendersLost) -> Battle:
    group = battle.fleets[event.side].group(event.number)
    patrol, cover = minus(group.patrol, event.lost), minus(group.cover, event.lost)
    battle = with_group(battle, event.side, event.number, patrol=patrol, cover=cover)
    return _lose(battle, event.side, event.lost)


def _strikers_lost(battle: Battle, event: ev.StrikersLost) -> Battle:
    assert battle.strike is not None
    left = minus(minus(battle.strike.squadrons, event.lost), event.aborted)
    fleet = battle.fleets[event.side]
    battle = with_fleet(battle, event.side, aloft=plus(fleet.aloft, _afloat(event.aborted)))
    return _strike(_lose(battle, event.side, event.lost), squadrons=left)


def _targets(battle: Battle, event: ev.AirTargetsChosen) -> Battle:
    return _strike(battle, targets=event.targets)


def _kamikaze(battle: Battle, event: ev.KamikazeTargetRolled) -> Battle:
    assert battle.strike is not None
    there = plus(battle.strike.targets.get(event.target, {}), {event.squadron: 1})
    return _strike(battle, targets={**battle.strike.targets, event.target: there})


def _attack_rolled(battle: Battle, event: ev.AirAttackRolled) -> Battle:
    assert battle.strike is not None
    left = {target: counts for target, counts in battle.strike.targets.items() if target != event.target}
    return _strike(battle, targets=left)


def _strike_ended(battle: Battle, event: ev.StrikeEnded) -> Battle:
    assert battle.strike is not None
    survivors = _afloat(minus(battle.strike.squadrons, event.spent))
    fleet = battle.fleets[event.side]
    battle = with_fleet(battle, event.side, aloft=plus(fleet.aloft, survivors))
    return replace(_lose(battle, event.side, event.spent), strike=None)


def _deferred(battle: Battle, event: ev.StrikeDeferred) -> Battle:
    assert battle.strike is not None
    waiting = Deferred(event.own, event.number, event.squadrons, battle.strike.level)
    return with_fleet(battle, event.side, deferred=(*battle.fleets[event.side].deferred, waiting))


def _resumed(battle: Battle, event: ev.DeferredStrikeResumed) -> Battle:
    fleet = battle.fleets[event.side]
    mine = next(each for each in fleet.deferred if (each.number, each.squadrons) == (event.number, event.squadrons))
    others = tuple(each for each in fleet.deferred if each is not mine)
    battle = with_fleet(battle, event.side, deferred=others, aloft=minus(fleet.aloft, event.squadrons))
    strike = Strike(event.side.value, event.number, bool(mine.level), event.squadrons, mine.level)
    return replace(battle, strike=strike)


def _decks_filled(battle: Battle, event: ev.DecksFilled) -> Battle:
    battle = with_fleet(_from_decks(battle, event.side, event.left), event.side, ready={})
    return _with_decks(battle, event.side, lambda ship: plus(ship.wing, event.decks.get(ship.id, {})))


def _landed(battle: Battle, event: ev.AirLanded) -> Battle:
    fleet = battle.fleets[event.side]
    groups = tuple(replace(group, patrol={}) for group in fleet.groups)
    bases = tuple(
        replace(base, inverted=plus(base.inverted, of_base(event.ashore, base.name))) for base in fleet.air_bases
    )
    lost = plus(fleet.air_lost, event.lost)
    return with_fleet(
        battle, event.side, groups=groups, air_bases=bases, air_lost=lost, ready={}, aloft={}, patrol_left={}
    )


def _status(battle: Battle, event: ev.AirStatusDecided) -> Battle:
    base = battle.fleets[event.side].air_base(event.base)
    squadrons, inverted = minus(base.squadrons, event.inverted), plus(base.inverted, event.inverted)
    return with_air_base(battle, event.side, event.base, squadrons=squadrons, inverted=inverted, aborted={})


# -- ports -----------------------------------------------------------------------------------------------


def _port_listed(battle: Battle, event: ev.PortListed) -> Battle:
    return replace(battle, port=event.port)


def _deck_air(battle: Battle, event: ev.DeckAirShown) -> Battle:
    return with_fleet(battle, event.side, deck_air=event.squadrons)


def _sortie(battle: Battle, event: ev.SortieAnnounced) -> Battle:
    owner = event.side.enemy
    battle = with_fleet(battle, event.side, strikes=battle.fleets[event.side].strikes + 1)
    bases = tuple(replace(base, aborted={}) for base in battle.fleets[owner].air_bases)
    battle = with_fleet(battle, owner, air_bases=bases, grounded={})
    raid = Raid(event.side.value, event.counterair, event.inverted_too) if event.counterair else None
    strike = Strike(event.side.value, 1, False, event.ships) if event.ships else None
    return replace(battle, raid=raid, strike=strike)


def _recombined(battle: Battle, event: ev.AirRecombined) -> Battle:
    base = battle.fleets[event.side].air_base(event.base)
    battle = with_air_base(
        battle,
        event.side,
        event.base,
        squadrons=minus(base.squadrons, event.squadrons),
        inverted=minus(base.inverted, event.inverted),
        factors=plus(base.factors, event.factors),
        inverted_factors=plus(base.inverted_factors, event.inverted_factors),
    )
    return with_fleet(battle, event.side, air_lost=plus(battle.fleets[event.side].air_lost, event.lost))


def _port_air_ended(battle: Battle, event: ev.PortAirEnded) -> Battle:
    battle = replace(_lose(battle, event.side, event.lost), raid=None)
    aloft = plus(plus(battle.fleets[event.side].aloft, _afloat(event.aborted)), _afloat(event.back))
    battle = with_fleet(battle, event.side, aloft=aloft)
    if battle.strike is not None:
        battle = _strike(battle, squadrons=event.going_on)
    owner = battle.fleets[event.side.enemy]
    lost = plus(owner.air_lost, event.base_lost)
    grounded, aboard = _afloat(event.base_aborted), minus(owner.deck_air, event.base_lost)
    battle = with_fleet(battle, event.side.enemy, air_lost=lost, grounded=grounded, deck_air=aboard)
    bases = tuple(_without(base, event.base_lost, of_base(event.base_aborted, base.name)) for base in owner.air_bases)
    return with_fleet(battle, event.side.enemy, air_bases=bases)


def _without(base: AirBase, gone: Mapping[str, int], aborted: Mapping[str, int]) -> AirBase:
    """A base less what it lost, factors or squadrons, uninverted or inverted."""
    mine, turned = of_base(gone, base.name), of_base(gone, base.name + INVERTED)
    return replace(
        base,
        factors=minus(base.factors, mine),
        squadrons=minus(base.squadrons, minus(mine, base.factors)),
        inverted_factors=minus(base.inverted_factors, turned),
        inverted=minus(base.inverted, minus(turned, base.inverted_factors)),
        aborted=dict(aborted),
    )


def _hit_in_port(battle: Battle, event: ev.ShipHitInPort) -> Battle:
    fleet = battle.fleets[event.side]
    if event.fate == "destroyed":
        hulks = tuple(ship for ship in fleet.hulks if ship.id != event.ship)
        return with_fleet(battle, event.side, hulks=hulks, sunk=(*fleet.sunk, *set_apart(fleet.hulks, event.ship)))
    group = fleet.group(event.number)
    if event.fate == "sunk in port":
        (ship,) = set_apart(group.ships, event.ship)
        lost = plus(fleet.air_lost, ship.wing)
        battle = with_fleet(battle, event.side, hulks=(*fleet.hulks, replace(ship, wing={})), air_lost=lost)
        ships = tuple(other for other in group.ships if other.id != event.ship)
    else:
        hurt = event.fate == "damaged"
        ships = tuple(replace(s, damaged=s.damaged or hurt) if s.id == event.ship else s for s in group.ships)
    return with_group(battle, event.side, event.number, ships=ships)


def set_apart(ships: tuple[Ship, ...], id: str) -> tuple[Ship, ...]:
    """The ship of this id among these."""
    return tuple(ship for ship in ships if ship.id == id)


def _leaving(base: AirBase, counts: Mapping[str, int]) -> tuple[dict[str, int], dict[str, int]]:
    """Of aircraft that leave a base: factors and squadrons."""
    mine, turned = of_base(counts, base.name), of_base(counts, base.name + INVERTED)
    factors = {key: min(number, base.factors.get(key, 0)) for key, number in mine.items()}
    more = {key: min(number, base.inverted_factors.get(key, 0)) for key, number in turned.items()}
    return plus(factors, more), plus(minus(mine, factors), minus(turned, more))


def _fled(battle: Battle, event: ev.AircraftFled) -> Battle:
    for name, counts in event.moves.items():
        base, to = (battle.fleets[event.side].air_base(each) for each in (event.base, name))
        factors, squadrons = _leaving(base, counts)
        battle = with_air_base(
            battle,
            event.side,
            name,
            inverted_factors=plus(to.inverted_factors, factors),
            inverted=plus(to.inverted, squadrons),
        )
        left = _without(base, counts, minus(base.aborted, of_base(counts, base.name)))
        bases = tuple(left if each.name == base.name else each for each in battle.fleets[event.side].air_bases)
        battle = with_fleet(battle, event.side, air_bases=bases)
    return battle


def _port_air_inverted(battle: Battle, event: ev.PortAirInverted) -> Battle:
    bases = tuple(
        _inverted(base, event.squadrons) if base.name == event.base else base
        for base in battle.fleets[event.side].air_bases  # there is none where all aircraft are aboard carriers
    )
    return with_fleet(battle, event.side, air_bases=bases)


def _inverted(base: AirBase, counts: Mapping[str, int]) -> AirBase:
    factors, squadrons = _leaving(base, counts)
    return replace(
        base,
        factors=minus(base.factors, factors),
        squadrons=minus(base.squadrons, squadrons),
        inverted_factors=plus(base.inverted_factors, factors),
        inverted=plus(base.inverted, squadrons),
        aborted={},
    )


# -- submarines ----------------------------------------------------------------------------------------


def _held(battle: Battle, event: ev.SubmarinesHeld) -> Battle:
    held = battle.fleets[event.side].submarines_held
    most = {key: max(held.get(key, 0), event.submarines.get(key, 0)) for key in {**held, **event.submarines}}
    return with_fleet(battle, event.side, submarines_held=most)


def _submarines_announced(battle: Battle, event: ev.SubmarinesAnnounced) -> Battle:
    return with_fleet(battle, event.side, announced=event.attacks)


def _submarine_attacked(battle: Battle, event: ev.SubmarineAttacked) -> Battle:
    fleet = battle.fleets[event.side]
    one = {event.submarine: 1}
    name = f"CG{event.number}"
    fresh = minus(fleet.submarines, one)
    held = {key: min(number, fresh.get(key, 0)) for key, number in fleet.submarines_held.items()}
    battle = with_fleet(
        battle,
        event.side,
        submarines=fresh,
        submarines_spent=plus(fleet.submarines_spent, one),
        submarines_held={key: number for key, number in held.items() if number},
        announced={**fleet.announced, name: minus(fleet.announced.get(name, {}), one)},
    )
    target = battle.fleets[event.side.enemy].group(event.number)
    attacks = target.submarine_attacks + 1
    battle = replace(battle, combat=True)
    return with_group(battle, event.side.enemy, event.number, submarine_attacks=attacks, attacked=True)


def _torpedoes(battle: Battle, event: ev.TorpedoesFired) -> Battle:
    if not event.submarine_lost:
        return battle
    fleet = battle.fleets[event.side]
    one = {event.submarine: 1}
    return with_fleet(
        battle,
        event.side,
        submarines_spent=minus(fleet.submarines_spent, one),
        submarines_lost=plus(fleet.submarines_lost, one),
        round_sunk=fleet.round_sunk + 1,  # AM-02
    )


def _shifted(battle: Battle, event: ev.LossesShifted) -> Battle:
    fleet = battle.fleets[event.side]
    sunk: Mapping[str, int] = {}
    for counts in event.lost.values():
        sunk = plus(sunk, counts)
    places = {place: minus(counts, event.lost.get(place, {})) for place, counts in fleet.destroyers_elsewhere.items()}
    return with_fleet(
        battle,
        event.side,
        destroyers_elsewhere=places,
        sunk_light=plus(fleet.sunk_light, sunk),
        round_sunk=fleet.round_sunk + factors_of(sunk),
    )


AIR_CHANGES: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    ev.AirBasesListed: _bases_listed,
    ev.SubmarinesMustered: _submarines_mustered,
    ev.SubmarinesSpentBefore: _submarines_spent_before,
    ev.DestroyersElsewhereListed: _elsewhere,
    ev.PatrolsFlown: _patrols,
    ev.CounterairFlown: _counterair_flown,
    ev.CounterairsAnnounced: _counterairs,
    ev.AirBrokenDown: _broken_down,
    ev.CounterairEnded: _counterair_ended,
    ev.CoverAssigned: _cover_assigned,
    ev.CoverAnnounced: _cover_announced,
    ev.AirSearchAssigned: _air_search,
    ev.StrikeOrderSet: _order,
    ev.StrikeFlown: _strike_flown,
    ev.StrikeAnnounced: _announced,
    ev.StrikeDeclared: _declared,
    ev.DeclaredStrikeFlown: _declared_flown,
    ev.PortListed: _port_listed,
    ev.DeckAirShown: _deck_air,
    ev.SortieAnnounced: _sortie,
    ev.AirRecombined: _recombined,
    ev.PortAirEnded: _port_air_ended,
    ev.ShipHitInPort: _hit_in_port,
    ev.AircraftFled: _fled,
    ev.PortAirInverted: _port_air_inverted,
    ev.StrikesEnded: _strikes_ended,
    ev.SurpriseRolled: _surprise,
    ev.CoverRevealed: _cover_revealed,
    ev.DefendersEngaged: _engaged,
    ev.DefendersWithheld: _withheld,
    ev.AirCombatJoined: _joined,
    ev.DefendersLost: _defenders_lost,
    ev.StrikersLost: _strikers_lost,
    ev.AirTargetsChosen: _targets,
    ev.StrikeDeferred: _deferred,
    ev.DeferredStrikeResumed: _resumed,
    ev.KamikazeTargetRolled: _kamikaze,
    ev.AirAttackRolled: _attack_rolled,
    ev.StrikeEnded: _strike_ended,
    ev.DecksFilled: _decks_filled,
    ev.AirLanded: _landed,
    ev.AirStatusDecided: _status,
    ev.SubmarinesHeld: _held,
    ev.SubmarinesAnnounced: _submarines_announced,
    ev.SubmarineAttacked: _submarine_attacked,
    ev.TorpedoesFired: _torpedoes,
    ev.LossesShifted: _shifted,
}
