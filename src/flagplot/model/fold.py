"""From one state of the battle to the next, by an event.

One fold serves the truth and every picture of it: the truth is folded from all events, a side's picture from those it
was sent. So an event that tells everyone what its owner was told before must change nothing where that is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model import events as ev
from flagplot.model.air_fold import AIR_CHANGES
from flagplot.model.amendment_fold import AMENDMENT_CHANGES
from flagplot.model.changes import with_fleet, with_group
from flagplot.model.forces import CombatGroup
from flagplot.model.operation_events import OperationOpened
from flagplot.model.ships import Ship, factors_of, light, light_key, minus, number_of, plus
from flagplot.model.state import Battle, Fleet, Homecoming


def apply(battle: Battle, event: Event) -> Battle:
    """The state after an event."""
    change = CHANGES.get(type(event))
    return change(battle, event) if change else battle


def fold(events: Iterable[Event], battle: Battle | None = None) -> Battle:
    """The state after all these events."""
    battle = battle or Battle()
    for event in events:
        battle = apply(battle, event)
    return battle


# -- pieces ----------------------------------------------------------------------------


def _in_order(groups: Iterable[CombatGroup]) -> tuple[CombatGroup, ...]:
    return tuple(sorted(groups, key=lambda group: group.number))


def _lost(counts: Mapping[str, int]) -> int:
    """Factors lost: transports count one each here (AM-02)."""
    return factors_of(counts) + number_of(counts, "TR")


# -- setting up --------------------------------------------------------------------------


def _joined(battle: Battle, event: ev.BattleJoined) -> Battle:
    fleets = {side: Fleet(event.names[side], event.tactical[side], event.search_advantage[side]) for side in Side}
    return Battle(
        title=event.title,
        theatre=event.theatre,
        kind=event.kind,
        interceptor=event.interceptor,
        round=event.round,
        fleets=fleets,
        aircraft=event.aircraft,
        submarines=event.submarines,
        western_front=event.western_front,
        inputs=event.inputs,
    )


def _mustered(battle: Battle, event: ev.FleetMustered) -> Battle:
    return with_fleet(battle, event.side, forces=event.forces, impaired=event.impaired)


def _bases(battle: Battle, event: ev.BasesListed) -> Battle:
    return with_fleet(battle, event.side, bases=event.bases)


def _formed(battle: Battle, event: ev.GroupsFormed) -> Battle:
    return with_fleet(
        battle,
        event.side,
        groups=_in_order(event.groups),
        pending=event.pending,
        home=event.home,
    )


def _markers(battle: Battle, event: ev.MarkersPlaced) -> Battle:
    fleet = battle.fleets[event.side]
    new = tuple(CombatGroup(number, hidden=True) for number in event.numbers if number not in fleet.numbers)
    return with_fleet(battle, event.side, groups=_in_order((*fleet.groups, *new)))


def _groups_joined(battle: Battle, event: ev.GroupsJoined) -> Battle:
    fleet = battle.fleets[event.side]
    return with_fleet(battle, event.side, groups=_in_order((*fleet.groups, *event.groups)), pending=event.pending)


# -- the round -----------------------------------------------------------------------------


def _round(battle: Battle, event: ev.RoundBegan) -> Battle:
    for side in Side:
        groups = tuple(
            replace(
                group,
                disclosed=None,
                found=0,
                spent=0,
                met=0,
                victorious=False,
                engaged=False,
                evaded=False,
                stood=False,
                attacked=False,
                fought=False,
                scouts=any(ship.fully_operational for ship in group.ships),
                patrol={},
                cover={},
                withheld={},
                submarine_attacks=0,
            )
            for group in battle.fleets[side].groups
        )
        battle = with_fleet(
            battle,
            side,
            groups=groups,
            round_sunk=0,
            newly_damaged={},
            withdrew=False,
            opponents=(),
            searching=0,
            acting={},
            strikes=0,
            launched=(),
            strike_decks={},
            deferred=(),
            found=0,
            announced={},
            cover={},
            air_bases=tuple(replace(base, used={}) for base in battle.fleets[side].air_bases),
        )
    return replace(battle, round=event.round, combat=False)


def _segment(battle: Battle, event: ev.SegmentBegan) -> Battle:
    return replace(battle, segment=event.segment, step="pair")


def _step(battle: Battle, event: ev.StepBegan) -> Battle:
    return replace(battle, step=event.step)


# -- search ---------------------------------------------------------------------------------


def _searched(battle: Battle, event: ev.Searched) -> Battle:
    enemy = event.side.enemy
    groups = tuple(replace(group, found=event.results.get(group.number, 0)) for group in battle.fleets[enemy].groups)
    return with_fleet(battle, enemy, groups=groups, found=sum(event.results.values()))


def _found(battle: Battle, event: ev.GroupFound) -> Battle:
    found = max(battle.fleets[event.side].found, event.results)
    battle = with_fleet(battle, event.side, found=found)
    return with_group(battle, event.side, event.number, found=event.results, disclosed=event.disclosed)


# -- engagements ------------------------------------------------------------------------------


def _paired(battle: Battle, event: ev.Paired) -> Battle:
    for engagement in event.engagements:
        battle = with_group(battle, Side.AXIS, engagement.axis, met=engagement.allies)
        battle = with_group(battle, Side.ALLIES, engagement.allies, met=engagement.axis)
    return replace(battle, engagements=event.engagements)


def _second_opened(battle: Battle, event: ev.SecondRoundOpened) -> Battle:
    return replace(battle, undeclared=event.groups, escaped=())


def _declared(battle: Battle, event: ev.EngagementDeclared) -> Battle:
    engagement = event.engagement
    side = Side(engagement.initiator)
    battle = with_group(battle, side, engagement.number(side), engaged=True)
    target = battle.fleets[side.enemy].group(engagement.number(side.enemy))
    if not battle.active(target):
        battle = with_group(battle, side.enemy, target.number, spent=target.spent + 1)
    agreed = any((other.axis, other.allies) == (engagement.axis, engagement.allies) for other in battle.engagements)
    declared = battle.engagements if agreed else (*battle.engagements, engagement)  # FP-09: two that seek each other
    return replace(battle, engagements=declared, undeclared=battle.undeclared[1:])


def _forgone(battle: Battle, event: ev.EngagementForgone) -> Battle:
    return replace(battle, undeclared=battle.undeclared[1:])


def _lapsed(battle: Battle, event: ev.EngagementLapsed) -> Battle:
    lapsed = event.engagement
    left = tuple(engagement for engagement in battle.engagements if engagement != lapsed)
    if battle.step != "declare":  # a group is gone
        return replace(battle, engagements=left)
    seeker = Side(lapsed.initiator)
    return replace(battle, engagements=left, escaped=(*battle.escaped, (seeker, lapsed.number(seeker))))


def _detached(battle: Battle, event: ev.Detached) -> Battle:
    fleet = battle.fleets[event.side]
    group = fleet.group(event.number)
    gone = {ship.id for ship in event.ships}
    ships = event.ships if group.hidden else tuple(ship for ship in group.ships if ship.id in gone)
    battle = with_group(
        battle,
        event.side,
        event.number,
        ships=tuple(ship for ship in group.ships if ship.id not in gone),
        light=minus(group.light, event.light),
    )
    if event.abandoned:
        return _sink(battle, event.side, ships, event.light, sum(ship.size for ship in ships) + _lost(event.light))
    parcel = replace(group, ships=ships, light=event.light, cargo=(), supply=False)
    return with_fleet(battle, event.side, detached=(*fleet.detached, parcel))


def _sink(battle: Battle, side: Side, ships: tuple[Ship, ...], counts: Mapping[str, int], factors: int) -> Battle:
    fleet = battle.fleets[side]
    with_her: Mapping[str, int] = {}
    for ship in ships:  # what was aboard goes down too (AN-37)
        with_her = plus(with_her, ship.wing)
    no_longer = {ship.id: ship.size for ship in ships} | {key: 2 * number for key, number in counts.items()}
    return with_fleet(
        battle,
        side,
        newly_damaged=minus(fleet.newly_damaged, no_longer),
        sunk=(*fleet.sunk, *(replace(ship, wing={}) for ship in ships)),
        air_lost=plus(fleet.air_lost, with_her),
        sunk_light=plus(fleet.sunk_light, counts),
        round_sunk=fleet.round_sunk + factors,
    )


def _accepted(battle: Battle, event: ev.EngagementAccepted) -> Battle:
    return with_group(battle, event.side, event.number, stood=True)


def _evaded(battle: Battle, event: ev.Evaded) -> Battle:
    battle = with_group(battle, event.side, event.number, number=event.new_number, evaded=True)
    return with_fleet(battle, event.side, groups=_in_order(battle.fleets[event.side].groups))


def _revealed(battle: Battle, event: ev.GroupRevealed) -> Battle:
    shown = event.group
    if not battle.fleets[event.side].group(shown.number).hidden:
        return with_group(battle, event.side, shown.number, revealed=True)
    return with_group(
        battle,
        event.side,
        shown.number,
        ships=shown.ships,
        light=shown.light,
        cargo=shown.cargo,
        supply=shown.supply,
        hidden=False,
        revealed=True,
    )


# -- fleet combat ----------------------------------------------------------------------------------


def _combat_began(battle: Battle, event: ev.FleetCombatBegan) -> Battle:
    for side in Side:
        own, enemy = event.engagement.number(side), event.engagement.number(side.enemy)
        fleet = battle.fleets[side]
        attacked = side in event.attacked or fleet.group(own).attacked
        battle = with_group(battle, side, own, attacked=attacked, fought=True)
        battle = with_fleet(battle, side, opponents=(*fleet.opponents, (own, enemy)))
    left = tuple(engagement for engagement in battle.engagements if engagement != event.engagement)
    return replace(battle, fighting=event.engagement, engagements=left, combat=True)


def _line(battle: Battle, event: ev.LineFormed) -> Battle:
    return replace(battle, lines={**battle.lines, event.side: event.line})


def _ranked(battle: Battle, event: ev.Ranked) -> Battle:
    line = replace(battle.lines[event.side], capital=event.capital)
    return replace(battle, lines={**battle.lines, event.side: line})


def _targets(battle: Battle, event: ev.TargetsChosen) -> Battle:
    line = battle.lines[event.side]
    held, held_light = (*line.held, *event.held), plus(line.held_light, event.held_light)
    for shot in event.shots:
        if shot.screened:  # these no longer hold their fire
            held, held_light = tuple(id for id in held if id not in shot.ships), minus(held_light, shot.light)
    line = replace(line, held=held, held_light=held_light)
    return replace(
        battle,
        lines={**battle.lines, event.side: line},
        shots={**battle.shots, event.side: event.shots},
    )


def _reserved(battle: Battle, event: ev.FireReserved) -> Battle:
    line = battle.lines[event.side]
    line = replace(line, held=(*line.held, *(id for shot in event.shots for id in shot.ships)))
    return replace(
        battle, lines={**battle.lines, event.side: line}, reserved={**battle.reserved, event.side: event.shots}
    )


def _fired(battle: Battle, event: ev.Fired) -> Battle:
    left = tuple(shot for shot in battle.shots.get(event.side, ()) if shot != event.shot)
    return replace(battle, shots={**battle.shots, event.side: left})


def _ship_hit(battle: Battle, event: ev.ShipHit) -> Battle:
    fleet = battle.fleets[event.side]
    group = fleet.group(event.number)
    ship = group.ship(event.ship)
    if event.fate == "sunk":
        ships = tuple(other for other in group.ships if other.id != ship.id)
        battle = with_group(battle, event.side, event.number, ships=ships)
        return _sink(battle, event.side, (replace(ship, hits=ship.hits + event.hits),), {}, ship.size)
    after = replace(ship, hits=ship.hits + event.hits, damaged=ship.damaged or event.fate == "damaged")
    ships = tuple(after if other.id == ship.id else other for other in group.ships)
    battle = with_group(battle, event.side, event.number, ships=ships)
    if event.fate == "damaged" and not ship.damaged:
        battle = with_fleet(battle, event.side, newly_damaged={**fleet.newly_damaged, ship.id: ship.size})
    return battle


def _light_hit(battle: Battle, event: ev.LightShipsHit) -> Battle:
    fleet = battle.fleets[event.side]
    group = fleet.group(event.number)
    hurt = {light_key(light(key).nation, "CA", "damaged"): number for key, number in event.damaged.items()}
    counts = plus(minus(minus(group.light, event.sunk), event.damaged), hurt)
    battle = with_group(battle, event.side, event.number, light=counts)
    battle = _sink(battle, event.side, (), event.sunk, _lost(event.sunk))
    hurt_factors = {key: 2 * number for key, number in hurt.items()}
    battle = with_fleet(battle, event.side, newly_damaged=plus(battle.fleets[event.side].newly_damaged, hurt_factors))
    line = battle.lines.get(event.side)
    if line is None:
        return battle
    if event.screened:
        behind = plus(minus(minus(line.screened_light, event.sunk), event.damaged), hurt)
        line = replace(line, screened_light=behind)
    else:
        ahead = minus(minus(line.light, event.sunk), event.damaged)
        if event.into_screen:
            line = replace(line, light=ahead, screened_light=plus(line.screened_light, hurt))
        else:
            line = replace(line, light=plus(ahead, hurt))
    return replace(battle, lines={**battle.lines, event.side: line})


def _cargo_lost(battle: Battle, event: ev.CargoLost) -> Battle:
    fleet = battle.fleets[event.side]
    group = fleet.group(event.number)
    left = tuple(
        replace(cargo, needs=cargo.needs - event.lost.get(cargo.name, 0))
        for cargo in group.cargo
        if cargo.needs > event.lost.get(cargo.name, 0)
    )
    battle = with_group(battle, event.side, event.number, cargo=left)
    return with_fleet(battle, event.side, cargo_lost=(*fleet.cargo_lost, *event.lost))


def _stowed(battle: Battle, event: ev.CargoStowed) -> Battle:
    counts: Mapping[str, int] = battle.fleets[event.side].group(event.number).light
    for plain, number in event.loaded.items():
        counts = plus(minus(counts, {plain: number}), {f"{plain}/loaded": number})
    for plain, number in event.unloaded.items():
        counts = plus(minus(counts, {f"{plain}/loaded": number}), {plain: number})
    return with_group(battle, event.side, event.number, light=counts)


def _line_cut(battle: Battle, event: ev.SupplyLineCut) -> Battle:
    battle = with_group(battle, event.side, event.number, supply=False)
    return with_fleet(battle, event.side, line_cut=True)


def _combat_ended(battle: Battle, event: ev.FleetCombatEnded) -> Battle:
    for side in event.annihilated:
        battle = with_group(battle, side.enemy, event.engagement.number(side.enemy), victorious=True)
    for side in Side:
        waiting = battle.fleets[side].deferred
        if waiting:
            number = event.engagement.number(side.enemy)
            battle = with_fleet(battle, side, deferred=tuple(each for each in waiting if each.number != number))
    return replace(
        battle,
        fighting=None,
        lines={},
        shots={},
        reserved={},
        idle=event.idle,
        idle_light=event.idle_light,
        line_gone=event.line_gone,
    )


def _eliminated(battle: Battle, event: ev.GroupEliminated) -> Battle:
    fleet = battle.fleets[event.side]
    groups = tuple(group for group in fleet.groups if group.number != event.number)
    aloft = plus(fleet.patrol_left, fleet.group(event.number).patrol)
    return with_fleet(battle, event.side, groups=groups, patrol_left=aloft)


# -- between rounds ------------------------------------------------------------------------------------


def _withdrew(battle: Battle, event: ev.Withdrew) -> Battle:
    fleet = battle.fleets[event.side]
    leaving = {parcel.number: parcel for parcel in event.groups}
    groups: list[CombatGroup] = []
    for group in fleet.groups:
        parcel = leaving.get(group.number)
        if parcel is not None:
            gone = {ship.id for ship in parcel.ships}
            group = replace(
                group,
                ships=tuple(ship for ship in group.ships if ship.id not in gone),
                light=minus(group.light, parcel.light),
                supply=group.supply and not parcel.supply,
                cargo=tuple(cargo for cargo in group.cargo if cargo not in parcel.cargo),
            )
        if not group.empty:
            groups.append(group)
    return with_fleet(battle, event.side, groups=tuple(groups), withdrawn=(*fleet.withdrawn, *event.groups))


def _departed(battle: Battle, event: ev.Departed) -> Battle:
    remains = {group.number: group for group in event.remains}
    groups: list[CombatGroup] = []
    for group in battle.fleets[event.side].groups:
        left = remains.get(group.number)
        if left is not None:
            afloat = {ship.id for ship in left.ships}
            group = replace(
                group,
                ships=tuple(ship for ship in group.ships if ship.id in afloat),
                light=left.light,
                cargo=left.cargo,
                supply=left.supply,
            )
        if group.number not in event.whole:
            groups.append(group)
    return with_fleet(battle, event.side, groups=tuple(groups), withdrew=True)


def _recombined(battle: Battle, event: ev.GroupsRecombined) -> Battle:
    made = {group.number: group for group in event.groups}
    left = [group for group in battle.fleets[event.side].groups if group.number not in event.gone]
    return with_fleet(battle, event.side, groups=tuple(made.get(group.number, group) for group in left))


def _renumbered(battle: Battle, event: ev.GroupsRenumbered) -> Battle:
    groups = battle.fleets[event.side].groups
    changed = [replace(group, number=event.numbers[group.number], revealed=False) for group in groups]
    return with_fleet(battle, event.side, groups=_in_order(changed))


def _hidden(battle: Battle, event: ev.MarkersHidden) -> Battle:
    """To others than its owner, whose groups are neither hidden nor, by now, revealed."""
    groups = battle.fleets[event.side].groups
    if not any(group.hidden or group.revealed for group in groups if group.number in event.numbers or event.renumbered):
        return battle
    over = [group.number for group in groups] if event.renumbered else [*event.numbers, *event.gone]
    left = [group for group in groups if group.number not in over]
    markers = [CombatGroup(number, hidden=True) for number in event.numbers]
    return with_fleet(battle, event.side, groups=_in_order((*left, *markers)))


def _detached_left(battle: Battle, event: ev.DetachedLeft) -> Battle:
    fleet = battle.fleets[event.side]
    return with_fleet(battle, event.side, detached=(), withdrawn=(*fleet.withdrawn, *fleet.detached))


def _ended(battle: Battle, event: ev.BattleEnded) -> Battle:
    return replace(battle, reasons=event.reasons, losers=event.losers, victor=event.victor)


def _activity(battle: Battle, event: ev.ActivityDecided) -> Battle:
    return replace(battle, goes_on=event.goes_on)


def _returned(battle: Battle, event: ev.Returned) -> Battle:
    returned = battle.fleets[event.side].returned
    home = Homecoming(event.group, event.base, event.inverted, event.why)
    return with_fleet(battle, event.side, returned=(*returned, home))


def _repaired(battle: Battle, event: ev.HitsRepaired) -> Battle:
    def put_right(groups: Iterable[CombatGroup]) -> tuple[CombatGroup, ...]:
        return tuple(
            replace(group, ships=tuple(replace(s, hits=0) if s.id in event.ships else s for s in group.ships))
            for group in groups
        )

    fleet = battle.fleets[event.side]
    return with_fleet(battle, event.side, groups=put_right(fleet.groups), withdrawn=put_right(fleet.withdrawn))


def _operation(battle: Battle, event: OperationOpened) -> Battle:
    """Before the first battle of an operation."""
    fleets = {side: Fleet(event.names[side]) for side in Side}
    return Battle(title=event.title, theatre=event.theatre, kind="operation", fleets=fleets)


CHANGES: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    OperationOpened: _operation,
    ev.BattleJoined: _joined,
    ev.FleetMustered: _mustered,
    ev.BasesListed: _bases,
    ev.GroupsFormed: _formed,
    ev.MarkersPlaced: _markers,
    ev.GroupsJoined: _groups_joined,
    ev.RoundBegan: _round,
    ev.SegmentBegan: _segment,
    ev.StepBegan: _step,
    ev.Searched: _searched,
    ev.GroupFound: _found,
    ev.Paired: _paired,
    ev.SecondRoundOpened: _second_opened,
    ev.EngagementDeclared: _declared,
    ev.EngagementForgone: _forgone,
    ev.EngagementLapsed: _lapsed,
    ev.Detached: _detached,
    ev.EngagementAccepted: _accepted,
    ev.Evaded: _evaded,
    ev.GroupRevealed: _revealed,
    ev.FleetCombatBegan: _combat_began,
    ev.LineFormed: _line,
    ev.Ranked: _ranked,
    ev.TargetsChosen: _targets,
    ev.FireReserved: _reserved,
    ev.Fired: _fired,
    ev.ShipHit: _ship_hit,
    ev.LightShipsHit: _light_hit,
    ev.CargoLost: _cargo_lost,
    ev.CargoStowed: _stowed,
    ev.SupplyLineCut: _line_cut,
    ev.FleetCombatEnded: _combat_ended,
    ev.GroupEliminated: _eliminated,
    ev.Withdrew: _withdrew,
    ev.Departed: _departed,
    ev.GroupsRecombined: _recombined,
    ev.GroupsRenumbered: _renumbered,
    ev.MarkersHidden: _hidden,
    ev.DetachedLeft: _detached_left,
    ev.BattleEnded: _ended,
    ev.ActivityDecided: _activity,
    ev.Returned: _returned,
    ev.HitsRepaired: _repaired,
    **AIR_CHANGES,
    **AMENDMENT_CHANGES,
}
