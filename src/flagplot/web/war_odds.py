"""What submarines and bombers may be expected to do in this turn (24.6, 25, 26): beside the questions that send them.

All the law is asked of the rules and of odds/strategic.py. Everything in the strategic war lies open; what the other side
will answer (interceptors, the split of its ASW) is not guessed, and what is shown says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flagplot.core.asks import Decide
from flagplot.core.events import Modifiers
from flagplot.core.forms import Answer, Wire
from flagplot.core.sides import Side
from flagplot.model.strategic_bombing import BomberForce, Condition, FirestormHex, TargetKind
from flagplot.model.strategic_war import ASW, BOXES, INTERCEPTOR, STRATEGIC_BOMBER, SUBMARINE, Shipping
from flagplot.model.war import AAF, CVE, JET, TargetHex, War, faction_of, kind_of, power_of, unit
from flagplot.odds import exact, strategic
from flagplot.play.game import Game
from flagplot.play.wording import counted
from flagplot.rules.strategic.bombing import bombing_modifiers, target_strength
from flagplot.rules.strategic.bombing_forces import bomber_force
from flagplot.rules.strategic.submarine_modifiers import submarine_modifiers
from flagplot.rules.strategic.submarine_turn import DEFENDERS, FIGHT, asw_in, campaign_of, shipping_in
from flagplot.rules.table import Ruleset

SUBMARINES, BOMBING = "submarine warfare", "strategic bombing"


def is_reckoned(decision: Decide) -> bool:
    """Whether something is expected of what this question sends."""
    return decision.kind in (SUBMARINES, BOMBING)


def expected_of(game: Game, side: Side, decision: Decide, wire: Wire) -> dict[str, Any]:
    """What these orders may be expected to do. IllegalChoice where they are none."""
    answer = decision.form.read(wire, decision.rule)
    war, rules = game.picture(side).war, game.table.rules
    found = _submarines(rules, war, side, answer) if decision.kind == SUBMARINES else _raids(rules, war, side, answer)
    return {"war": found}


def _figure(value: Fraction) -> str:
    return f"{float(value):.1f}"


def _mean(outcomes: Mapping[Any, Fraction], number: Any) -> str:
    return _figure(sum((number(each) * chance for each, chance in outcomes.items()), Fraction(0)))


def _ledger(who: str, modifier: Modifiers) -> dict[str, Any]:
    lines = [[line.rule, line.reason, line.amount] for line in modifier.lines]
    return {"who": who, "lines": lines, "total": modifier.total}


# -- submarines -------------------------------------------------------------------------------------


def _submarines(rules: Ruleset, war: War, side: Side, answer: Answer) -> list[dict[str, Any]]:
    """25.4. Box by box. Where two powers attack, ASW are taken to be split by their numbers (25.82)."""
    told = []
    for box in BOXES:
        conventional, advanced = _fighting(answer, box)
        if not conventional and not advanced:
            continue
        asw = asw_in(war, box, side)
        total = sum(conventional.values())
        split, modifiers, left = [], [], asw
        for index, (power, submarines) in enumerate(conventional.items()):
            share = left if index == len(conventional) - 1 else asw * submarines // total
            left -= share
            modifier = submarine_modifiers(rules, campaign_of(rules, war, power, box))
            modifiers.append(_ledger(power, modifier))
            split.append(strategic.SubmarineAttack(submarines, share, modifier.total))
        shipping = Shipping(
            shipping_in(war, box, side),
            sum(war.present(box, unit(nation, ASW)) for nation in DEFENDERS[side]),
            sum(war.present(box, unit(nation, CVE)) for nation in DEFENDERS[side]),
        )
        outcomes = strategic.submarine_odds(rules, shipping, split, advanced)
        told.append(
            {
                "title": box,
                "about": f"{total + advanced} against {asw or 'no'} ASW, {counted(shipping.transports, 'transport')}",
                "rows": [
                    ["transports sunk", _mean(outcomes, lambda each: each.sunk)],
                    ["transports damaged", _mean(outcomes, lambda each: each.damaged)],
                    ["submarines lost", _mean(outcomes, lambda each: sum(each.eliminated))],
                    ["submarines turned back", _mean(outcomes, lambda each: sum(each.aborted))],
                ],
                "modifiers": modifiers,
                "note": "ASW split by numbers: their owner may split them otherwise (25.82)." if len(split) > 1 else "",
            }
        )
    return told


def _fighting(answer: Answer, box: str) -> tuple[dict[str, int], int]:
    """The conventional submarines that fight in a box, by power, and the advanced ones of all."""
    conventional: dict[str, int] = {}
    advanced = 0
    for key, number in answer.held_by(FIGHT).items():
        name, where = key.rsplit(", ", 1)
        if where == box and kind_of(name) == SUBMARINE:
            conventional[power_of(name)] = number
        elif where == box:
            advanced += number
    return conventional, advanced


# -- bombers ----------------------------------------------------------------------------------------


def _raids(rules: Ruleset, war: War, side: Side, answer: Answer) -> list[dict[str, Any]]:
    """26.46. Raid by raid, if nobody meets it in the air."""
    told = []
    for name, target in war.targets.items():
        of_power: dict[str, dict[str, int]] = {}
        for key, number in answer.held_by(name).items():
            of_power.setdefault(power_of(key.rsplit(", ", 1)[0]).split(",")[0], {})[key] = number
        for power, flights in of_power.items():
            told.append(_raid(rules, war, power, target, flights))
    return told


def _raid(rules: Ruleset, war: War, power: str, target: TargetHex, flights: Mapping[str, int]) -> dict[str, Any]:
    force = _force(rules, flights)
    holder = target.target.controller or target.target.country
    mine, theirs = war.levels(faction_of(power)), war.levels(faction_of(holder))
    modifier = bombing_modifiers(
        rules,
        next(theatre for theatre, fronts in rules.bombing.fronts.items() if target.front in fronts),
        air_range=mine.air_range,
        distance=max(_distance(target, power, key.rsplit(", ", 1)[1]) for key in flights),
        bomber_results=mine.bombers,
        air_defense=theirs.air_defense,
        country=target.target.country,
    )
    strength = target_strength(rules, target.defences)
    hex = FirestormHex(
        target.name,
        target.target.country,
        target.target.kind is TargetKind.CITY,
        target.target.ic,
        target.markers,
    )
    already = war.damage.get(target.name, {}).get("bombers", 0)
    raid = strategic.Raid(
        force,
        Condition(power),
        strategic.Target(strength.total, target.value, hex, already=already),
        modifier.total,
    )
    chances = strategic.bombing_odds(rules, raid).chances
    expected = {key: _figure(exact.expected(of)) for key, of in chances.items()}
    return {
        "title": f"{target.name}, {power}",
        "about": f"{force.bombers} bombing factors against a strength of {strength.total}",
        "rows": [
            ["BRPs lost to it", expected["brps_lost"]],
            ["bombers lost", expected["bombers_eliminated"]],
            ["bombers turned back", expected["bombers_aborted"]],
        ],
        "modifiers": [_ledger("the bombers", modifier)],
        "note": "If nobody meets the raid in the air.",
    }


def _force(rules: Ruleset, flights: Mapping[str, int]) -> BomberForce:
    kinds: dict[str, int] = {}
    for key, number in flights.items():
        kind = kind_of(key.rsplit(", ", 1)[0])
        kinds[kind] = kinds.get(kind, 0) + number
    return bomber_force(
        rules,
        strategic_bombers=kinds.get(STRATEGIC_BOMBER, 0),
        aaf=kinds.get(AAF, 0),
        interceptors=kinds.get(INTERCEPTOR, 0),
        jets=kinds.get(JET, 0),
    )


def _distance(target: TargetHex, power: str, front: str) -> int:
    own = power if front == target.front else f"{power}, {front}"
    return target.distances.get(own, 0)
