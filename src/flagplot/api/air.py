"""Questions about air strikes in naval combat (22.43 to 22.46, 23.3, 23.4, 23.7), step by step or whole.

Squadrons are counts by key: "Japan/NAS/elite", "United States/NAS" (naval air), "Germany/AAS/attack@Catania" (army air,
with its role and base), "Japan/KAM@Kanoya". Without a base they fly from carriers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from flagplot.api.calls import Decision, question
from flagplot.api.scripts import run_script
from flagplot.api.shapes import GroupJson, lines, nations, research_results, submarine_factors
from flagplot.api.shapes import squadrons as checked
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.core.events import Event, Modifiers
from flagplot.core.sides import Audience, Side
from flagplot.model.air_events import (
    AirAttackRolled,
    AirCombatFought,
    AirCombatJoined,
    AirDefenseCounted,
    AirDefenseRolled,
    CriticalHitDue,
    DefendersLost,
    KamikazeTargetRolled,
    StrikeAnnounced,
    StrikersLost,
    SurpriseRolled,
)
from flagplot.model.events import GroupRevealed, LightShipsHit, ShipHit
from flagplot.model.forces import LIGHT, CombatGroup
from flagplot.model.ships import light, minus, plus
from flagplot.model.squadrons import AirBase, squadron, total
from flagplot.model.state import Battle, Fleet
from flagplot.rules.air import attack, combat, losses, strikes
from flagplot.rules.air.cover import may_fly
from flagplot.rules.damage import allot_light_hits, fate_in_port
from flagplot.rules.naval.gunnery import Crew
from flagplot.rules.naval.gunnery import crews as ship_crews
from flagplot.rules.table import Ruleset, Table
from flagplot.tables.results import Result

# -- who may strike ----------------------------------------------------------------------------------


@question
def strike_size(
    *, rules: Ruleset, squadrons: dict[str, int], impaired: list[str] | None = None, winter: list[str] | None = None
) -> dict[str, Any]:
    """Whether these squadrons may make one air strike (23.73), the most of them that may, and their Air Nationality DRMs."""
    fleet = Fleet(impaired_air=nations(impaired), winter_air=nations(winter))
    counts = checked(squadrons)
    drms = {key: combat.squadron_drm(rules, fleet, key) for key in counts}
    flying = [drms[key] for key, number in counts.items() for _ in range(number)]
    return {
        "legal": attack.may_fly_together(rules.strike_limits, flying),
        "most": attack.most_together(rules.strike_limits, flying),
        "drms": drms,
        "squadrons": len(flying),
    }


@question
def surprise_eligibility(
    *, rules: Ruleset, own_found: list[int], enemy_found: list[int], strikes_flown: int = 0, land_based: bool = False
) -> dict[str, Any]:
    """Whether a side may strike, and whether its next strike is a surprise (23.7411).

    `own_found` and `enemy_found` are search results on its own groups and on the enemy's. By default carriers strike
    alone; `land_based`: air from land flies with them, or alone.
    """
    mine = [GroupJson(number=n, found=found).group() for n, found in enumerate(own_found, start=1)]
    theirs = [GroupJson(number=n, found=found).group() for n, found in enumerate(enemy_found, start=1)]
    battle = Battle(
        fleets={
            Side.AXIS: Fleet(groups=tuple(mine), strikes=strikes_flown, found=sum(own_found)),
            Side.ALLIES: Fleet(groups=tuple(theirs)),
        }
    )
    may_strike = any(strikes.may_be_struck(group) for group in theirs)
    surprise = may_strike and strikes.may_surprise(
        battle, Side.AXIS, land_based=land_based, every_strike=rules.surprise.every_strike
    )
    if not may_strike:
        rule, why = "22.462A", "no enemy group was found that may still be struck"
    elif surprise:
        rule, why = "23.74E", "carriers strike alone, and none of their side's groups was found"
    elif land_based:
        rule, why = "23.7411A", "land-based air takes no part in a surprise strike"
    elif any(own_found):
        rule, why = "23.7411B", "the enemy has found one of its groups"
    else:
        rule, why = "23.7411", "only the first strike of a round is a surprise"
    return {"may_strike": may_strike, "surprise": surprise, "rule": rule, "why": why}


@question
def surprise_level(
    *, rules: Ruleset, results: int, radar: int = 0, earlier_strikes: int = 0, dice: list[int]
) -> dict[str, Any]:
    """The level of surprise (23.7412): one die, search results on the group that is struck, the defender's radar; in 2008
    also earlier strikes on it this round (22.463)."""
    if len(dice) != 1:
        raise PlayerError("one die is rolled for surprise")
    modifiers = attack.surprise_modifiers(rules.surprise, results, radar, earlier_strikes)
    level = dice[0] + modifiers.total
    effects = rules.surprise.effects(level)
    return {
        "level": max(0, level),
        "modifier": modifiers.total,
        "lines": lines(modifiers)["lines"],
        "effects": effects._asdict(),
    }


# -- the steps of a strike ----------------------------------------------------------------------------


def _table(
    rules: Ruleset,
    attackers: dict[str, int],
    target: CombatGroup,
    *,
    level: int = 0,
    surprise: bool = False,
    research: dict[str, int] | None = None,
    impaired: list[str] | None = None,
    winter: list[str] | None = None,
    impaired_ships: list[str] | None = None,
    enemy_tactical: int = 0,
    inputs: str = "default",
    kind: str = "naval battle",
) -> Table:
    """A table on which a strike by the Axis on an Allied group is under way."""
    flying = checked(attackers)
    if not flying:
        raise PlayerError('23.76: give the squadrons that attack, such as {"Japan/NAS": 6}')
    sides = {Side.AXIS: flying, Side.ALLIES: target.cover}
    bases = {side: sorted({b for key in counts if (b := squadron(key).base)}) for side, counts in sides.items()}
    fleets = {
        side: Fleet(
            side.value.title(),
            impaired=nations(impaired_ships),
            impaired_air=nations(impaired),
            winter_air=nations(winter),
            air_bases=tuple(AirBase(name) for name in bases[side]),
        )
        for side in Side
    }
    fleets[Side.ALLIES] = msgspec.structs.replace(
        fleets[Side.ALLIES], groups=(target,), research=research_results(research), tactical=enemy_tactical
    )
    table = Table(rules, Battle(kind=kind, fleets=fleets, aircraft=True, inputs=inputs))
    table.record(
        StrikeAnnounced(
            rule="22.461",
            to=Audience.EVERYONE,
            side=Side.AXIS,
            number=target.number,
            squadrons=flying,
            surprise=surprise,
        )
    )
    if level:
        modifiers = Modifiers().plus("23.7412", "as given", level)
        table.record(
            SurpriseRolled(
                rule="23.7412",
                to=Audience.EVERYONE,
                side=Side.AXIS,
                number=target.number,
                dice=(),
                modifiers=modifiers,
                level=level,
            )
        )
    return table


def protected(target: CombatGroup) -> CombatGroup:
    """The group, if what flies over it may protect it (23.11C, 23.11D); of army squadrons a role may be left out."""
    for key in target.patrol:
        if squadron(key).kind != "NAS" or squadron(key).base:
            raise IllegalChoice("23.11C", f"{key} may not fly combat air patrol; naval air of the group's carriers may")
    for key in target.cover:
        if not may_fly(key, "cover") and (squadron(key).kind, squadron(key).state) != ("AAS", ""):
            raise IllegalChoice("23.11D", f"{key} may not fly air cover; cover AAS and naval air ashore may")
    return target


def attacks_told(log: Sequence[Event]) -> list[dict[str, Any]]:
    """The attack rolls of aircraft on ships, as they were made."""
    return [
        {
            "target": e.target,
            "squadrons": e.squadrons,
            "modifier": e.modifiers.total,
            "lines": lines(e.modifiers)["lines"],
            "dice": list(e.dice),
            "roll": e.roll,
            "hits": e.hits,
        }
        for e in log
        if isinstance(e, AirAttackRolled)
    ]


def _among(flying: dict[str, int], named: dict[str, int]) -> dict[str, int]:
    """Squadrons as a player names them, by their keys among those that fly; their base he may leave out."""
    chosen: dict[str, int] = {}
    for key, number in checked(named).items():
        alike = sorted((each for each in flying if key in (each, each.partition("@")[0])), key=lambda each: each != key)
        if not alike:
            raise PlayerError(f"{key!r} are not among the squadrons here: {', '.join(flying) or 'none'}")
        for each in alike:
            here = min(number, flying[each]) if each != alike[-1] else number
            chosen = plus(chosen, {each: here})
            number -= here
    return chosen


def _defence(rules: Ruleset, pool: dict[str, int], level: int, engaged: dict[str, int] | None) -> list[Decision]:
    """The defender's answer, if he is told which engage: of the others so many are surprised, the rest is held back."""
    if engaged is None:
        return []
    engaged = _among(pool, engaged)
    out = rules.surprise.kept_out(level, total(pool))
    told: dict[str, dict[str, int]] = {}
    for key, number in pool.items():
        left = number - engaged.get(key, 0)
        caught = max(0, min(out, left))
        out -= caught
        told[key] = {"engage": engaged.get(key, 0), "hold": left - caught}
        if caught:
            told[key]["surprised"] = caught
    return [("allies", "defend", told)]


def _answers(
    rules: Ruleset,
    group: CombatGroup,
    attackers: dict[str, int],
    level: int,
    engaged: dict[str, int] | None,
    fighting: dict[str, int] | None,
) -> list[Decision]:
    """What both sides decide before air combat, if they are told; who meets defenders is not asked where all must."""
    pool = group.patrol | group.cover
    answers = _defence(rules, pool, level, engaged)
    if fighting is None:
        return answers
    flying = checked(attackers)
    chosen = _among(flying, fighting)
    meeting = total(pool) - rules.surprise.kept_out(level, total(pool))
    if engaged is not None:
        meeting = total(_among(pool, engaged))
    if chosen == flying and meeting >= total(flying):
        return answers
    return [*answers, ("axis", "fight", {key: {"fight": number} for key, number in chosen.items()})]


@question
def air_combat(
    *,
    rules: Ruleset,
    attackers: dict[str, int],
    dice: list[int],
    decisions: list[Decision],
    patrol: dict[str, int] | None = None,
    cover: dict[str, int] | None = None,
    engaged: dict[str, int] | None = None,
    fighting: dict[str, int] | None = None,
    surprise_level: int = 0,
    impaired: list[str] | None = None,
    winter: list[str] | None = None,
) -> dict[str, Any]:
    """One round of air combat over a group (23.415, 23.416): the attacker's two dice, then the defender's.

    `patrol` and `cover` fly over the group; `engaged` of them fight (as many as may, if not given), and `fighting` of
    the attackers meet them (the first, if not given). `impaired` and `winter` name nations or bases in partial supply or
    under air oil effects, and under a winter effect of 8 or more. Decisions: axis and allies "air loss order" and "air
    losses".
    """
    target = protected(GroupJson(number=1, light={"/DD": 1}, patrol=patrol or {}, cover=cover or {}).group())
    table = _table(rules, attackers, target, level=surprise_level, impaired=impaired, winter=winter)
    answers = [*decisions, *_answers(rules, target, attackers, surprise_level, engaged, fighting)]
    used = run_script(strikes.fight_defenders(table), dice, answers)
    return {**_air_combat(table.log, table.battle), "dice_used": used}


def _air_combat(log: Sequence[Event], battle: Battle) -> dict[str, Any]:
    """What an air combat came to."""
    joined = next((event for event in log if isinstance(event, AirCombatJoined)), None)
    fought = next((event for event in log if isinstance(event, AirCombatFought)), None)
    told: dict[str, Any] = {"engaged_defenders": total(joined.defenders) if joined else 0}
    if joined and fought:
        net = fought.modifiers.total
        told |= {
            "fighting": joined.fighting,
            "defenders": joined.defenders,
            "rows": {"attacker": fought.rows[Side.AXIS], "defender": fought.rows[Side.ALLIES]},
            "attacker_drm": net,
            "defender_drm": -net,
            "lines": lines(fought.modifiers)["lines"],
            "attacker_result": _result(fought, Side.AXIS),
            "defender_result": _result(fought, Side.ALLIES),
            "dice": {"attacker": list(fought.dice[Side.AXIS]), "defender": list(fought.dice[Side.ALLIES])},
        }
    index = log.index(fought) if fought else len(log)
    guns = next((n for n, event in enumerate(log) if isinstance(event, AirDefenseRolled)), len(log))
    strikers = [event for event in log[index:guns] if isinstance(event, StrikersLost)]
    defenders = [event for event in log[index:] if isinstance(event, DefendersLost)]
    group = battle.fleets[Side.ALLIES].groups[0] if battle.fleets[Side.ALLIES].groups else None
    told["attackers_eliminated"] = strikers[0].lost if strikers else {}
    told["attackers_aborted"] = strikers[0].aborted if strikers else {}
    told["defenders_lost"] = defenders[0].lost if defenders else {}
    if group and battle.strike:
        told["attackers_remaining"] = battle.strike.squadrons
        told["patrol_remaining"] = group.patrol
        told["cover_remaining"] = group.cover
        told["may_meet_a_later_strike"] = minus(plus(group.patrol, group.cover), group.withheld)
    return told


def _result(event: AirCombatFought, side: Side) -> str:
    return str(Result(event.eliminated[side], event.aborted[side]))


@question
def air_defense_level(
    *,
    rules: Ruleset,
    group: GroupJson,
    dice: list[int],
    research: int = 0,
    surprise_level: int = 0,
    submarines: bool = False,
) -> dict[str, Any]:
    """The air defense level of a group at sea (23.421), line by line; with two dice also what they shoot down.

    `submarines`: submarines are attacked, which never shoot (23.4211D).
    """
    members = group.group()
    level = attack.air_defense_level(
        rules.air_defense_level,
        members.ships,
        members.light,
        research=research,
        surprise=rules.surprise,
        level=surprise_level,
    )
    surprised = not rules.surprise.effects(surprise_level).air_defense_roll
    rolls = attack.makes_air_defense_roll(level.total, submarines=submarines, surprised=surprised)
    told: dict[str, Any] = {"level": level.total, "lines": lines(level)["lines"], "rolls": rolls}
    if dice and rolls:
        result = rules.air_defense.result(level.total, sum(dice))
        told |= {"result": str(result), "eliminated": result.eliminated, "aborted": result.aborted}
    return told


@question
def air_attack(
    *,
    rules: Ruleset,
    dice: list[int],
    attackers: dict[str, int],
    target: GroupJson | None = None,
    submarines: dict[str, int] | None = None,
    surprise_level: int = 0,
    impaired: list[str] | None = None,
    winter: list[str] | None = None,
    impaired_ships: list[str] | None = None,
    enemy_tactical: int = 0,
    in_port: bool = False,
    order: list[str] | None = None,
) -> dict[str, Any]:
    """One air attack roll (23.44) by all squadrons on one target: a named ship, light ships as a body, a supply line, or
    `submarines` that stay on patrol, such as {"Germany/SUB": 2}.

    In port naval air has no bonus, army air counts by factors ("Germany/AAF"), and hits short of damage have no effect.
    What light ships lose is told too; `order` is their owner's among equals (20.57). Each hit sinks a submarine factor
    (20.511); when submarines are attacked is 21.4184C, and what hits do to a bare sea supply line 30.374: not held.
    """
    members = (target or GroupJson()).group()
    boats = submarine_factors(submarines or {})
    targets = len(members.ships) + bool(members.light) + bool(boats)
    bare_line = members.supply and not targets
    if len(dice) != 2 or (targets != 1 and not bare_line) or not any(attackers.values()):
        raise PlayerError("give two dice, squadrons, and one named ship or some light ships as the target")
    if boats and in_port:
        raise IllegalChoice(
            "23.43C", "submarines are attacked from the air only where they stay on patrol, not in port"
        )
    fleet = Fleet(impaired_air=nations(impaired), winter_air=nations(winter))
    counts = checked(attackers, factors=in_port)
    short, under = nations(impaired_ships), [light(key).nation for key in boats]
    modifiers = attack.air_attack_modifiers(
        rules.air_nationality,
        rules.nationality,
        combat.crews(fleet, counts),
        [
            *ship_crews(members.ships, members.light, short),
            *(Crew(each, "submarine", 1, each in short) for each in under),
        ],
        naval_air_bonus=0 if in_port else rules.naval_air_bonus,
        surprise=rules.surprise,
        level=surprise_level,
        enemy_tactical=enemy_tactical,
    )
    roll = sum(dice) + modifiers.total
    reading = rules.attack.read_air(total(counts), roll)
    told: dict[str, Any] = {
        "net_drm": modifiers.total,
        "lines": lines(modifiers)["lines"],
        "modified_roll": roll,
        "column": reading.column,
        "hits": reading.hits,
    }
    if members.ships:
        fate_of = fate_in_port if in_port else rules.fate_at_sea
        fate = fate_of(members.ships[0], reading.hits) if reading.hits else "none"
        critical = rules.surprise.effects(surprise_level).critical_hit_roll and fate == "damaged"
        told |= {"effect": fate, "critical_hit_roll": critical and not members.ships[0].damaged}
    if one_factor := members.light or boats:
        told |= allot_light_hits(one_factor, reading.hits, order or list(one_factor))._asdict()
    return told


# -- a whole strike ---------------------------------------------------------------------------------------


@question
def air_strike(
    *,
    rules: Ruleset,
    dice: list[int],
    decisions: list[Decision],
    attackers: dict[str, int],
    target: GroupJson,
    engaged: dict[str, int] | None = None,
    fighting: dict[str, int] | None = None,
    surprise: bool = False,
    research: dict[str, int] | None = None,
    impaired: list[str] | None = None,
    winter: list[str] | None = None,
    impaired_ships: list[str] | None = None,
    enemy_tactical: int = 0,
    inputs: Literal["default", "ask"] = "default",
    on_passage: bool = False,
) -> dict[str, Any]:
    """One whole air strike by the Axis on an Allied group at sea (23.76), on these dice and decisions.

    Dice in order: one for surprise if it is a surprise strike; two for the attacker and two for the defender if anybody
    engages; two for air defense if the level is one or more; then two for each target, named ships in the group's
    order, then light ships. `research` is the defender's ("radar", "air defense"). Decisions are [side, kind, answer];
    kinds are defend, fight, air loss order, air losses, air targets, loss order, cargo, kamikaze rank, critical hit.
    `on_passage`: outside naval combat, where only land-based air attacks (23.74A) and the whole force is shown (23.424).
    """
    group = protected(msgspec.structs.replace(target.group(), found=max(1, target.found)))
    size = attack.may_fly_together(
        rules.strike_limits,
        [
            combat.squadron_drm(rules, Fleet(impaired_air=nations(impaired), winter_air=nations(winter)), key)
            for key, number in checked(attackers).items()
            for _ in range(number)
        ],
    )
    if unfit := [key for key in attackers if squadron(key).base and not may_fly(key, "attack")]:
        raise IllegalChoice(
            "23.75D", f"{', '.join(unfit)} may not attack ships at sea; attack AAS, NAS and kamikazes may"
        )
    if unfit := [key for key in attackers if not squadron(key).base and squadron(key).kind != "NAS"]:
        raise IllegalChoice(
            "23.11E", f"{', '.join(unfit)} do not fly from carriers; give their base, as in {unfit[0]}@Name"
        )
    if not size:
        raise IllegalChoice(
            "23.73",
            "so many squadrons may not fly in one strike: at most 4 with an air DRM below 2, 8 below 3, 12 in all",
        )
    if on_passage and not all(squadron(key).base for key in attackers):
        raise IllegalChoice("23.74A", "outside naval combat only land-based air attacks ships at sea; give its base")
    if surprise and any(squadron(key).base for key in attackers):
        raise IllegalChoice(
            "23.7411A", "land-based air takes no part in a surprise strike; leave it out, or the surprise"
        )
    table = _table(
        rules,
        attackers,
        group,
        surprise=surprise,
        research=research,
        impaired=impaired,
        winter=winter,
        impaired_ships=impaired_ships,
        enemy_tactical=enemy_tactical,
        inputs=inputs,
        kind="air attack" if on_passage else "naval battle",
    )
    level = 0
    if surprise and dice:
        radar = research_results(research).get("radar", 0)
        level = dice[0] + attack.surprise_modifiers(rules.surprise, group.found, radar).total
    answers = [*decisions, *_answers(rules, group, attackers, level, engaged, fighting)]
    used = run_script(strikes.air_strike(table), dice, answers)
    log = table.log
    levels = [lines(e.level)["lines"] for e in log if isinstance(e, AirDefenseCounted)]
    return {
        "surprise": [
            {"level": e.level, "dice": list(e.dice), **lines(e.modifiers)} for e in log if isinstance(e, SurpriseRolled)
        ],
        "air_combat": _air_combat(log, table.battle),
        "air_defense": [
            {
                "level": e.level,
                "lines": levels[0],
                "dice": list(e.dice),
                "eliminated": e.eliminated,
                "aborted": e.aborted,
            }
            for e in log
            if isinstance(e, AirDefenseRolled)
        ],
        "lost": [{"lost": e.lost, "aborted": e.aborted} for e in log if isinstance(e, StrikersLost)],
        "kamikazes": [
            {"squadron": e.squadron, "dice": list(e.dice), "target": e.target}
            for e in log
            if isinstance(e, KamikazeTargetRolled)
        ],
        "revealed": any(isinstance(e, GroupRevealed) for e in log),
        "shown": _shown(log, on_passage),
        "attacks": attacks_told(log),
        "ships": {e.ship: e.fate for e in log if isinstance(e, ShipHit)},
        "light": [{"sunk": e.sunk, "damaged": e.damaged} for e in log if isinstance(e, LightShipsHit)],
        "critical_hits": [{"ship": e.ship, "outcome": e.outcome} for e in log if isinstance(e, CriticalHitDue)],
        "squadrons_lost": {side: table.fleet(side).air_lost for side in Side},
        "dice_used": used,
    }


def _shown(log: Sequence[Event], on_passage: bool) -> str:
    """23.424. What the attacker gets to see."""
    if not any(isinstance(event, GroupRevealed) for event in log):
        return "nothing"
    return "the whole force" if on_passage else "the group"


# -- losses, and where kamikazes fall -----------------------------------------------------------------------


@question
def air_loss_shares(
    *, squadrons: dict[str, int], eliminated: int, aborted: int, order: list[str] | None = None
) -> dict[str, Any]:
    """How an air result is shared among types (AN-19): the largest first, in turn; eliminations, then aborts.

    Against a port a factor such as "Germany/AAF@Catania" is one unit, as a squadron of naval air is (23.423, 23.53).
    """
    types, ranked = (losses.by_type(checked(each, factors=True)) for each in (squadrons, dict.fromkeys(order or (), 1)))
    toll = losses.share_air_losses(types, eliminated, aborted, list(ranked))
    choice = losses.air_loss_order_matters(types, eliminated, aborted)
    return {"lost": toll.lost, "aborted": toll.aborted, "owner_chooses_order": choice}


@question
def kamikaze_target(*, group: GroupJson, dice: list[int], order: list[str] | None = None) -> dict[str, Any]:
    """The ranking of a group before kamikazes (17.475F) and what each die falls upon; `order` settles equals."""
    members = group.group()
    place = {id: index for index, id in enumerate(order or [])}
    ranked = [ship.id for ship in sorted(members.ships, key=lambda s: (*attack.kamikaze_rank(s), place.get(s.id, 0)))]
    light_ships = LIGHT if members.light else ""
    if not ranked and not light_ships:
        raise PlayerError("there is nothing a kamikaze could fall upon")
    return {"ranking": ranked, "targets": [attack.kamikaze_target(ranked, light_ships, die) for die in dice]}
