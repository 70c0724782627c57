"""Questions about submarine attacks (22.9), step by step or whole."""

from __future__ import annotations

from typing import Any

import msgspec

from flagplot.api.calls import Decision, question
from flagplot.api.interception import theatre_called
from flagplot.api.scripts import run_script
from flagplot.api.shapes import GroupJson, light_ships, lines, nations, research_results, submarine_factors
from flagplot.api.sw_shapes import box_called, nation_spelled
from flagplot.core.errors import PlayerError
from flagplot.core.sides import Side
from flagplot.model.air_events import (
    LossesShifted,
    SubmarineCategoryRolled,
    SubmarinesReturned,
    SubmarineTargetRolled,
    TorpedoesFired,
)
from flagplot.model.events import LightShipsHit, ShipHit, SupplyLineCut
from flagplot.model.forces import LIGHT
from flagplot.model.ships import light
from flagplot.model.state import Battle, Fleet
from flagplot.rules.naval import ranked_targets as ranks
from flagplot.rules.naval import submarines as rule
from flagplot.rules.naval.gunnery import Crew, crews, is_hampered
from flagplot.rules.table import Ruleset, Table


@question
def submarine_targets(*, found: list[int], fought: list[bool], outside_combat: bool = False) -> dict[str, Any]:
    """Which groups submarines may attack (22.93B): found this round, or engaged in fleet combat; outside combat any.

    `must_attack`: those that have intercepted must now (22.92); in naval combat their owner picks the round (22.921).
    """
    battle = Battle(kind="submarine attack" if outside_combat else "naval battle")
    if len(found) != len(fought):
        raise PlayerError("give as many entries for fought as for found, one for each group")
    groups = [
        GroupJson(number=n, found=results, fought=fights).group()
        for n, (results, fights) in enumerate(zip(found, fought, strict=True), start=1)
    ]
    may = [rule.may_be_attacked(battle, group) for group in groups]
    why = [_exposed(group.found, group.fought, outside_combat) for group in groups]
    return {"may_be_attacked": may, "why": why, "must_attack": outside_combat and any(may)}


def _exposed(found: int, fought: bool, outside_combat: bool) -> str:
    """Why submarines may attack a group, or may not."""
    if outside_combat:
        return "no search is needed outside naval combat (22.93A)"
    if found > 0:
        return "it was found this round (22.93B)"
    return "it gave itself away in fleet combat (22.93B)" if fought else "it is hidden and has not fought (22.93B)"


@question
def submarine_category(*, group: GroupJson, dice: list[int]) -> dict[str, Any]:
    """The categories a group holds and which one each die meets (22.93E); a single category needs no die."""
    present = rule.categories(group.group())
    if not present:
        raise PlayerError("there are no ships in this group; a bare sea supply line is simply disrupted (22.9434)")
    return {"categories": present, "met": [rule.category_met(present, die) for die in dice or [1]]}


@question
def submarine_ranking(*, group: GroupJson, dice: list[int]) -> dict[str, Any]:
    """The rank of each named ship before submarines and what each die attacks (22.93E of 2008); equals as they are listed."""
    members = group.group()
    if not members.afloat:
        raise PlayerError("there are no ships in this group; a bare sea supply line is simply disrupted (22.9434)")
    ranked = [ship.id for ship in sorted(members.ships, key=ranks.submarine_rank)]
    light_ships = LIGHT if members.light else ""
    return {"ranked": ranked, "targets": [ranks.ranked_target(ranked, light_ships, die) for die in dice]}


@question
def excess_asw(
    *,
    excess: dict[str, int],
    nation: str = "Japan",
    theatre: str = "Pacific",
    western_front: bool = False,
    murmansk: bool = False,
) -> dict[str, Any]:
    """What excess ASW by SW box comes to against submarines of a nation (22.9415): factors that count, the modifier.

    `western_front`: the attack is in a western front hex; `murmansk`: on a Murmansk convoy, where none counts.
    """
    by_box = {box_called(box): number for box, number in excess.items()}
    where = theatre_called(theatre)
    open_sea = western_front and not murmansk
    factors = rule.excess_asw(by_box, nation_spelled(nation), where, western_front=open_sea)
    boxes = [box for box in by_box if rule.excess_asw({box: 1}, nation_spelled(nation), where, western_front=open_sea)]
    return {"factors": factors, "modifier": -min(2, factors // 3), "boxes_that_count": boxes}


@question
def submarine_modifier(
    *,
    rules: Ruleset,
    nation: str,
    target: GroupJson,
    dice: list[int],
    advanced: bool = False,
    torpedo: int = 0,
    asw_research: int = 0,
    searching: int = 0,
    enemy_searching: int = 0,
    carriers: int | None = None,
    escort_carriers: int | None = None,
    destroyers: int | None = None,
    excess_asw: int = 0,
    earlier_attacks: int = 0,
    damaged: bool = False,
    hampered: bool = False,
    codebreaking: int = 0,
    tactical: int = 0,
    enemy_tactical: int = 0,
    impaired: list[str] | None = None,
) -> dict[str, Any]:
    """The modifier of one submarine attack (22.941), line by line, and with two dice its result.

    `target` is the named ship or the light ships attacked; carriers, escort carriers and destroyers are those of the
    attacked group (those of the target, if not given). `damaged` and `hampered` need not be said where `target` shows it.
    """
    members = target.group()
    if not members.afloat:
        raise PlayerError("give the named ship, or the light ships, that are attacked")
    short, owner = nations(impaired), nation_spelled(nation)
    counts = {kind: sum(n for key, n in members.light.items() if light(key).kind == kind) for kind in ("DD", "CVE")}
    operational = sum(ship.fully_operational for ship in members.ships)
    modifiers = rule.submarine_modifiers(
        rules.submarine,
        rules.nationality,
        Crew(owner, "submarine", 1, owner in short),
        crews(members.ships, members.light, short),
        advanced=advanced,
        tactical=tactical,
        enemy_tactical=enemy_tactical,
        torpedo=torpedo,
        asw_research=asw_research,
        searching=searching,
        enemy_searching=enemy_searching,
        carriers=operational if carriers is None else carriers,
        escort_carriers=counts["CVE"] if escort_carriers is None else escort_carriers,
        destroyers=counts["DD"] if destroyers is None else destroyers,
        asw=excess_asw,
        earlier_attacks=earlier_attacks,
        vulnerable=damaged
        or hampered
        or is_hampered(members)
        or any(ship.damaged for ship in members.ships)
        or any(light(key).state == "damaged" for key in members.light),
        codebreaking=codebreaking,
    )
    told: dict[str, Any] = {"modifier": modifiers.total, "lines": lines(modifiers)["lines"]}
    by_rule: dict[str, int] = {}
    for line in modifiers.lines:
        by_rule[line.rule] = by_rule.get(line.rule, 0) + line.amount
    told["categories"] = by_rule
    if dice:
        result = rules.submarine.read(sum(dice) + modifiers.total)
        told |= {
            "modified_roll": sum(dice) + modifiers.total,
            "hits": result.hits,
            "submarine_lost": result.submarine_lost,
        }
    return told


@question
def submarine_after(*, attacked: bool = False, had_target: bool = False, lost: bool = False) -> dict[str, Any]:
    """What becomes of a submarine when the force it intercepted is gone or the battle is over (22.92, 22.94).

    `had_target`: in some round it could have attacked. Of one that attacked, `lost` says that its attack destroyed it.
    """
    if lost and not attacked:
        raise PlayerError("22.94: a submarine is lost by its own attack only")
    fate = rule.submarine_fate(attacked=attacked, had_target=had_target)
    if lost:
        return {"afloat": False, "inverted": False, "returns_to": None, "may_intercept_later_phase": False}
    return {
        "afloat": True,
        "inverted": fate.holds,
        "returns_to": "base" if fate.holds else "the hex from which it intercepted",
        "may_intercept_later_phase": not fate.holds,
        "may_attack_again_this_player_turn": not attacked and not fate.holds,
        "rule": fate.rule,
        "why": fate.why,
    }


class Sea(msgspec.Struct, forbid_unknown_fields=True):
    """One side's inputs to submarine attacks: `research` is torpedo and ASW, `excess_asw` by SW box."""

    research: dict[str, int] = {}
    searching: int = 0
    tactical: int = 0
    codebreaking: int = 0
    excess_asw: dict[str, int] = {}
    impaired: list[str] = []
    destroyers_elsewhere: dict[str, dict[str, int]] = {}

    def fleet(self, side: Side) -> Fleet:
        """The side as the rules have it."""
        return Fleet(
            side.value.title(),
            self.tactical,
            impaired=nations(self.impaired),
            research=research_results(self.research),
            searching=self.searching,
            submarine_codebreaking=self.codebreaking,
            excess_asw={box_called(box): number for box, number in self.excess_asw.items()},
            destroyers_elsewhere={
                place.removesuffix(" SW box"): light_ships(counts)
                for place, counts in self.destroyers_elsewhere.items()
            },
        )


@question
def submarine_attack(
    *,
    rules: Ruleset,
    dice: list[int],
    decisions: list[Decision],
    submarines: dict[str, int],
    target: GroupJson,
    attacker: Sea | None = None,
    defender: Sea | None = None,
    theatre: str = "Pacific",
    western_front: bool = False,
) -> dict[str, Any]:
    """Submarine attacks by the Axis on one Allied group outside naval combat (22.921), on these dice and decisions.

    Submarines are counts by key: "Japan/SUB", "Germany/SUB/advanced". For each: one die for the category if the group
    has several, then two for the attack. Decisions are [side, kind, answer]; kinds are submarines, submarine order,
    submarine target, shift losses, loss order and cargo.
    """
    afloat = submarine_factors(submarines)
    for side in (attacker, defender):
        for place, counts in (side.destroyers_elsewhere if side else {}).items():
            if wrong := [key for key, n in counts.items() if "/" not in key or light(key).kind != "DD" or n < 0]:
                raise PlayerError(f"22.9432: {wrong[0]!r} at {place} are no destroyers; keys look like Britain/DD")
    group = target.group()
    if group.empty:
        raise PlayerError("there is nothing in this group that could be attacked; give ships, or supply")
    fleets = {Side.AXIS: (attacker or Sea()).fleet(Side.AXIS), Side.ALLIES: (defender or Sea()).fleet(Side.ALLIES)}
    fleets[Side.AXIS] = msgspec.structs.replace(fleets[Side.AXIS], submarines=afloat)
    fleets[Side.ALLIES] = msgspec.structs.replace(fleets[Side.ALLIES], groups=(group,))
    battle = Battle(
        kind="submarine attack",
        theatre=theatre_called(theatre),
        fleets=fleets,
        submarines=True,
        western_front=western_front,
    )
    table = Table(rules, battle)

    async def attacks() -> None:
        await rule.attack_with_submarines(table)
        rule.submarines_go_home(table)

    used = run_script(attacks(), dice, decisions)
    log = table.log
    return {
        "categories": [e.category for e in log if isinstance(e, SubmarineCategoryRolled)],
        "category_dice": [list(e.dice) for e in log if isinstance(e, SubmarineCategoryRolled)],
        "ranked": [{"dice": list(e.dice), "target": e.target} for e in log if isinstance(e, SubmarineTargetRolled)],
        "attacks": [
            {
                "submarine": e.submarine,
                "target": e.target,
                "modifier": e.modifiers.total,
                "lines": lines(e.modifiers)["lines"],
                "dice": list(e.dice),
                "roll": e.roll,
                "hits": e.hits,
                "submarine_lost": e.submarine_lost,
            }
            for e in log
            if isinstance(e, TorpedoesFired)
        ],
        "ships": {e.ship: e.fate for e in log if isinstance(e, ShipHit)},
        "light": [{"sunk": e.sunk, "damaged": e.damaged} for e in log if isinstance(e, LightShipsHit)],
        "shifted": [{"saved": e.saved, "lost": e.lost} for e in log if isinstance(e, LossesShifted)],
        "cargo_lost": list(table.fleet(Side.ALLIES).cargo_lost),
        "supply_line_cut": any(isinstance(e, SupplyLineCut) for e in log),
        "returned": [
            {"submarines": e.submarines, "inverted": e.inverted, "why": e.why}
            for e in log
            if isinstance(e, SubmarinesReturned)
        ],
        "dice_used": used,
    }
