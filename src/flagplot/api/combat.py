"""Questions about fleet combat and what follows it (22.54, 22.6, 22.7, 22.8)."""

from __future__ import annotations

from typing import Any

import msgspec

from flagplot.api.calls import Decision, question
from flagplot.api.fleet_of_2008 import NEVER, joining
from flagplot.api.interception import theatre_called
from flagplot.api.naval_words import found_among
from flagplot.api.scripts import run_script
from flagplot.api.shapes import GroupJson, ShipJson, cargo_spelled, nations, squadrons
from flagplot.api.sw_shapes import few
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.core.sides import Side
from flagplot.core.words import plain
from flagplot.model.events import AttackerNamed, Fired, Ranked
from flagplot.model.forces import Cargo, CombatGroup, Engagement, Line
from flagplot.model.ships import Ship
from flagplot.model.squadrons import Deferred
from flagplot.model.state import SEGMENTS, Base, Battle, Fleet
from flagplot.rules.naval import effects, fleet_combat, gunnery, stacking, withdrawal
from flagplot.rules.naval.battle import SEGMENT
from flagplot.rules.strategic import box_duties
from flagplot.rules.table import Ruleset, Table

OTHER_SEGMENTS = {
    **{plain(title): segment for segment, (_, title) in SEGMENTS.items()},
    **dict.fromkeys(("endofround", "endoftheround", "endofaround", "betweenrounds"), "withdrawal"),
}


@question
def rank(
    *,
    rules: Ruleset,
    ships: list[ShipJson],
    order: list[str] | None = None,
    impaired: list[str] | None = None,
) -> dict[str, Any]:
    """Capital ships in their rank (22.54A); `order` is their owner's among ships otherwise equal.

    Damaged ships and fast carriers are screened (22.531C), and have none. `impaired` lists nations in partial supply or
    under oil effects, whose DRM is lower.
    """
    members = [ship.ship(index) for index, ship in enumerate(ships, start=1)]
    line = [ship for ship in members if not fleet_combat.screened_automatically(ship)]
    drms = [gunnery.nationality_drm(rules.nationality, crew) for crew in gunnery.crews(line, {}, nations(impaired))]
    return {
        "order": [ship.id for ship in fleet_combat.rank(list(zip(line, drms, strict=True)), order or [])],
        "screened": [ship.id for ship in members if ship not in line],
    }


@question
def light_surplus(*, pairs: list[tuple[int, int]]) -> dict[str, Any]:
    """Surplus light factors of the first side of each pair (22.54D)."""
    return {"surplus": [fleet_combat.light_surplus(mine, theirs) for mine, theirs in pairs]}


@question
def light_factors(
    *, cruisers: int = 0, cruisers_damaged_by_capital_fire: int = 0, destroyers: int = 0, escort_carriers: int = 0
) -> dict[str, Any]:
    """The light factors that pair off after capital fire (22.54D): damaged cruisers have gone behind the screen."""
    sound = few(cruisers - cruisers_damaged_by_capital_fire, "undamaged cruisers")
    counts = {"/CA": sound, "/DD": few(destroyers, "destroyers"), "/CVE": few(escort_carriers, "CVEs")}
    return {"factors": fleet_combat.light_strength(Line(1, light=counts))}


@question
def surplus_light_allocations(
    *, rules: Ruleset, sizes: dict[str, int], surplus: int, allocations: list[dict[str, int]]
) -> dict[str, Any]:
    """Which ways of firing surplus light factors at capital ships are legal (22.54E, RC-46); the rest joins or holds."""
    axis = CombatGroup(1, ships=tuple(Ship(id, id, "", "BB", size) for id, size in sizes.items()))
    allies = CombatGroup(1, light={"/DD": surplus})
    battle = Battle(
        fleets={Side.AXIS: Fleet(groups=(axis,)), Side.ALLIES: Fleet(groups=(allies,))},
        fighting=Engagement(1, 1),
        lines={Side.AXIS: Line(1, capital=tuple(sizes)), Side.ALLIES: Line(1, light=dict(allies.light))},
    )
    form = fleet_combat.surplus_light_form(Table(rules, battle), Side.ALLIES, surplus, enemy_lights=True)
    legal, why = [], []
    for allocation in allocations:
        try:
            form.read({"/DD": dict(allocation)}, "22.54E")
        except PlayerError as refusal:
            legal.append(False)
            why.append(str(refusal))
        else:
            legal.append(True)
            why.append("")
    return {"legal": legal, "why": why}


class Combat(msgspec.Struct, frozen=True):
    """The result of one fleet combat for one side."""

    ships: dict[str, dict[str, Any]]
    light: dict[str, int]
    sunk: list[str]
    sunk_light: dict[str, int]
    cargo_lost: list[str]
    factors_sunk: int
    factors_damaged: int


@question
def fleet_combat_result(
    *,
    rules: Ruleset,
    dice: list[int],
    decisions: list[Decision],
    axis: GroupJson,
    allies: GroupJson,
    interceptor: Side = Side.AXIS,
    tactical: dict[Side, int] | None = None,
    impaired: dict[Side, list[str]] | None = None,
    naval_air: dict[Side, dict[str, int]] | None = None,
) -> dict[str, Any]:
    """One whole fleet combat (22.53 to 22.55) between two groups, on these dice and decisions.

    Dice are used in the order of FP-03: the intercepting side's shots first, its targets by the enemy's rank, then the
    enemy's light ships; capital fire, light fire, screened fire. Decisions are [side, kind, answer]; kinds are screen,
    rank, surplus capital, reply, surplus light, screened fire capital, screened fire light, loss order and cargo; in
    edition 2008 heavy targets and answering fire stand for surplus capital, reply and screened fire capital. One that is
    not given takes the default shown by the form. `naval_air` are squadrons that struck the enemy's group and fire with
    the heavy ships of their own (22.471C: the option deferred_strikes of edition 2008, without which they are refused).
    """
    groups = {Side.AXIS: axis.group(), Side.ALLIES: allies.group()}
    if any((naval_air or {}).values()) and joining(rules, _meeting(axis), _meeting(allies), {}) is None:
        raise IllegalChoice("22.471C", NEVER)
    fleets = {
        side: Fleet(
            side.value.title(),
            (tactical or {}).get(side, 0),
            impaired=nations((impaired or {}).get(side)),
            groups=(groups[side],),
            deferred=tuple(
                Deferred(groups[side].number, groups[side.enemy].number, squadrons(flying))
                for flying in [(naval_air or {}).get(side)]
                if flying
            ),
        )
        for side in Side
    }
    table = Table(rules, Battle(interceptor=interceptor, fleets=fleets))
    engagement = Engagement(groups[Side.AXIS].number, groups[Side.ALLIES].number)
    used = run_script(fleet_combat.engage(table, engagement), dice, decisions)
    ranks = {event.side: event.capital for event in table.log if isinstance(event, Ranked)}
    pairs = list(zip(ranks[Side.AXIS], ranks[Side.ALLIES], strict=False)) if len(ranks) == 2 else []
    return {
        "attacker": next((event.side for event in table.log if isinstance(event, AttackerNamed)), None),
        "pairs": pairs,
        "ranks": ranks,
        "shots": [_shot(rules, event) for event in table.log if isinstance(event, Fired)],
        "sides": {side: _combat(table.battle.fleets[side], groups[side]) for side in Side},
        "dice_used": used,
    }


def _meeting(group: GroupJson) -> CombatGroup:
    return msgspec.structs.replace(group.group(), number=1)


def _shot(rules: Ruleset, event: Fired) -> dict[str, Any]:
    return {
        "side": event.side,
        "ships": list(event.shot.ships),
        "light": event.shot.light,
        "target": event.shot.target,
        "screened": event.shot.screened,
        "factors": event.factors,
        "modifier": event.modifiers.total,
        "lines": [[line.rule, line.reason, line.amount] for line in event.modifiers.lines],
        "dice": list(event.dice),
        "roll": event.roll,
        "rows": list(rules.attack.read_fleet(event.factors, event.roll).rows),
        "hits": event.hits,
    }


def _combat(fleet: Fleet, before: CombatGroup) -> Combat:
    afloat = {ship.id: ship for group in fleet.groups for ship in group.ships}
    ships = {}
    for ship in before.ships:
        now = afloat.get(ship.id)
        ships[ship.id] = {"hits": now.hits, "status": _status(now)} if now else {"hits": None, "status": "sunk"}
    return Combat(
        ships,
        fleet.groups[0].light if fleet.groups else {},
        [ship.id for ship in fleet.sunk],
        fleet.sunk_light,
        list(fleet.cargo_lost),
        fleet.round_sunk,
        fleet.round_damaged,
    )


def _status(ship: Ship) -> str:
    return "damaged" if ship.damaged else "undamaged"


# -- after the guns -----------------------------------------------------------------------------


class Losses(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ships lost or damaged: sizes of named ships, and light ships by kind."""

    ships: list[int] = []
    CA: int = 0
    DD: int = 0
    CVE: int = 0
    TR: int = 0
    SUB: int = 0

    @property
    def factors(self) -> int:
        """Naval factors; transports and submarines count one each (AM-02)."""
        return sum(self.ships) + 2 * self.CA + self.DD + self.CVE + self.TR + self.SUB


@question
def round_loser(
    *, sunk: dict[Side, Losses], damaged: dict[Side, Losses] | None = None, interceptor: Side
) -> dict[str, Any]:
    """Who lost the round and so declares withdrawal first (22.61A)."""
    lost = {side: sunk.get(side, Losses()).factors for side in Side}
    hurt = {side: (damaged or {}).get(side, Losses()).factors for side in Side}
    return {"lost": lost, "damaged": hurt, "first": withdrawal.round_loser(lost, hurt, interceptor)}


@question
def may_withdraw(
    *,
    rules: Ruleset,
    segment: str,
    attacked: bool = True,
    whole_group: bool = False,
    combat: bool = True,
    bound: bool = False,
) -> dict[str, Any]:
    """Whether ships may withdraw (22.61, 22.524C): only between rounds, and from an unattacked group only as a whole. In 2008
    not after a round without naval `combat` (22.41K). `bound` are Japanese heavy ships that intercept without oil (33.61B).

    `segment` is one of a round's, such as "fleet combat"; "withdrawal" is the end of the round.
    """
    asked, segment = segment, found_among(segment, SEGMENT, OTHER_SEGMENTS)
    if segment not in SEGMENT:
        raise PlayerError(f"{asked[:40]!r} is no segment of a round (22.41); there are {', '.join(SEGMENT)}")
    if segment == "withdrawal" and not withdrawal.open_to_withdrawal(combat, rules.withdrawal_needs_combat):
        return {"allowed": False, "rule": "22.41K", "why": withdrawal.NO_COMBAT}
    allowed, number, why = withdrawal.may_withdraw(segment, attacked=attacked, whole_group=whole_group, bound=bound)
    return {"allowed": allowed, "rule": number, "why": why}


class SideEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side at the end of a round: its groups still in the battle, and whether it withdrew any this round."""

    groups: list[GroupJson] = []
    withdrew: bool = False


@question
def battle_end(*, rules: Ruleset, axis: SideEnd, allies: SideEnd, interceptor: Side = Side.AXIS) -> dict[str, Any]:
    """Whether the battle is over (22.71) and who has won (22.72).

    `may_go_on` is the side that may keep it going all the same, for a sea supply line whose side has no sound ship left,
    the other side having some or none (22.71C, RC-64): the option supply_battle_continued_by.
    """
    ends = {Side.AXIS: axis, Side.ALLIES: allies}
    fleets = {
        side: Fleet(side.value, groups=tuple(group.group() for group in end.groups), withdrew=end.withdrew)
        for side, end in ends.items()
    }
    found = withdrawal.endings(Battle(interceptor=interceptor, fleets=fleets))
    losers = tuple(ending.side for ending in found)
    tracing = [side for side in Side if withdrawal.traces_supply(fleets[side])]  # was intercepted, whatever is said
    beaten = withdrawal.may_hold_on(found, tracing[0].enemy if tracing else interceptor)
    holds_on = beaten in tracing
    return {
        "over": bool(found),
        "losers": list(losers),
        "victor": withdrawal.victor_of(losers),
        "may_go_on": rules.supply_battle_continued_by(beaten) if beaten is not None and holds_on else None,
        "reasons": [[ending.rule, ending.reason] for ending in found],
    }


@question
def return_bases(
    *,
    rules: Ruleset,
    theatre: str,
    base: str,
    bases: list[Base],
    mission: str = "patrol",
    loaded: bool = False,
    defeated: bool = True,
) -> dict[str, Any]:
    """Where ships may return after a battle (22.63), and where not with the rule."""
    group = CombatGroup(1, light={"/DD/loaded": 1} if loaded else {"/DD": 1}, mission=mission, base=base)
    allowed, closed = effects.bases_for(group, bases, rules.return_range[theatre_called(theatre)], defeated=defeated)
    return {"allowed": allowed, "barred": [list(entry) for entry in closed], "cargo_goes_too": loaded}


@question
def overstacking(*, capacity: int, factors: int, failed_redeployment: bool = False) -> dict[str, Any]:
    """A base that returning ships have overfilled (22.63D, E): by how much, by when it must be put right, and what if not.

    `capacity` is what it may base, in naval factors (an input: 12.15 is not held).
    """
    phases = stacking.put_right_by(failed_redeployment=failed_redeployment)
    return {
        "excess": max(0, factors - capacity),
        "put_right_by_the_end_of": list(phases),
        "may_be_moved_out": not failed_redeployment,
        "otherwise": "the excess is eliminated, by its owner's choice",
        "rule": "22.63E" if failed_redeployment else "22.63D",
    }


@question
def cargo_loss(*, cargo: list[Cargo], destroyers: int = 0, transports: int = 0) -> dict[str, Any]:
    """Cargo that a group can no longer carry (22.82): the shortage, and one way for its owner to choose.

    `destroyers_freed` are then without cargo, and may bombard in the same mission (22.82C).
    """
    capacity = {"DD": few(destroyers, "destroyer factors"), "TR": few(transports, "transports")}
    cargo = list(cargo_spelled(cargo))
    short = effects.cargo_shortage(cargo, capacity)
    form = effects.cargo_form(cargo, capacity)
    answer = form.read(form.default, "22.82A")
    lost = answer.held_by("lost")
    gone = {item.name: lost.get(item.name, 0) * (1 if item.divisible else item.needs) for item in cargo}
    still = sum(item.needs - gone[item.name] for item in cargo if item.by == "DD")
    return {
        "capacity": capacity,
        "shortage": short,
        "units_lost": len(lost),
        "one_way": lost,
        "destroyers_freed": destroyers - still if "DD" in short else 0,
    }


@question
def fate_after_battle(
    *,
    rules: Ruleset,
    side: Side,
    interceptor: Side,
    victor: Side | None = None,
    losers: list[Side] | None = None,
    mission: str = "patrol",
    withdrawn: bool = False,
    activity_goes_on: bool = False,
    took_part: bool = True,
    arrives: int = 1,
    inverted: bool = False,
    in_sw_box: bool = False,
    damaged: bool = False,
) -> dict[str, Any]:
    """What becomes of ships after a battle (22.81): whether they go on, and whether they are inverted at home.

    `activity_goes_on` is what a victorious side has chosen; a beaten one has no choice. `in_sw_box`: they guard from an
    SW box what passes it, and stay there; then only damage inverts them (25.36).
    """
    battle = Battle(interceptor=interceptor, victor=victor, losers=tuple(losers or ()))
    group = CombatGroup(1 if took_part else 0, mission=mission, arrives=arrives, inverted=inverted)
    fate = effects.fate_of(
        battle,
        side,
        group,
        withdrawn=withdrawn,
        goes_on=activity_goes_on and side not in battle.losers,
        surplus_inverted=rules.surplus_inverted,
    )
    if in_sw_box:
        turned = box_duties.inverted_by_duty(damaged=damaged)
        fate = fate._replace(inverted=turned or inverted, why="in an SW box only damage inverts it (22.81A, 25.36)")
    return fate._asdict()
