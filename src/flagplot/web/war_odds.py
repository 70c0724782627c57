"""What submarines and bombers may be expected to do in this turn (24.6, 25, 26): beside the questions that send them.

All the law is asked of the rules and of odds/strategic.py. Everything in the strategic war lies open; what the other side
will answer (interceptors, the split of its ASW) is not guessed, and what is shown says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from flagplot.core.asks import Decide
from flagplot.core.events import Modifiers
from flagplot.core.forms import Answer, Wire
from flagplot.core.sides import Side
from flagplot.model.strategic_bombing import Condition, TargetKind
from flagplot.model.strategic_war import ASW, BOXES, SUBMARINE, Shipping
from flagplot.model.war import CVE, TargetHex, War, kind_of, power_of, unit
from flagplot.odds import exact, strategic
from flagplot.play.game import Game
from flagplot.play.wording import counted, percent_in_table
from flagplot.rules.strategic.bombing import arrived_together
from flagplot.rules.strategic.bombing_effects import room_for_markers
from flagplot.rules.strategic.bombing_flight_turn import force_of, modifier_over
from flagplot.rules.strategic.bombing_flights import Raid, strength_of
from flagplot.rules.strategic.bombing_turn import raids_of
from flagplot.rules.strategic.effects_turn import value_of
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
    found = _submarines(rules, war, side, answer) if decision.kind == SUBMARINES else _raids(rules, war, answer)
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


def _raids(rules: Ruleset, war: War, answer: Answer) -> list[dict[str, Any]]:
    """26.46. Power by power and target by target, by whatever routes they come, if nobody meets them in the air."""
    raids = list(raids_of(war, answer))
    pairs = dict.fromkeys((raid.power, raid.target) for raid in raids)
    return [
        _raid(rules, war, war.targets[name], [raid for raid in raids if (raid.power, raid.target) == (power, name)])
        for power, name in pairs
    ]


def _raid(rules: Ruleset, war: War, target: TargetHex, raids: Sequence[Raid]) -> dict[str, Any]:
    power = raids[0].power
    force = arrived_together([force_of(rules, raid) for raid in raids])
    modifier = modifier_over(rules, war, target, raids)
    strength = strength_of(rules, target)
    aim = strategic.Target(strength, value_of(rules, war, target), box=target.name)
    raid = strategic.Raid(force, Condition(power), aim, modifier.total)
    chances = strategic.bombing_odds(rules, raid).chances
    return {
        "title": f"{target.name}, {power}",
        "about": f"{force.bombers} bombing factors against a strength of {strength}",
        "rows": [
            *_done(rules, target, raid, chances),
            ["bombers lost", _figure(exact.expected(chances["bombers_eliminated"]))],
            ["bombers turned back", _figure(exact.expected(chances["bombers_aborted"]))],
        ],
        "modifiers": [_ledger("the bombers", modifier)],
        "note": "If nobody meets the raid in the air.",
    }


def _done(rules: Ruleset, target: TargetHex, raid: strategic.Raid, chances: Mapping[str, Any]) -> list[list[str]]:
    """What is done there: ships in a yard and rocket bases are attacked for themselves, and cost no BRPs of the hex."""
    damage = chances["damage"]
    if target.target.kind is TargetKind.SHIPYARD:
        return [
            ["columns its ships are thrown back, in all", _figure(exact.expected(strategic.yard_odds(rules, raid)))]
        ]
    if target.target.kind is TargetKind.ROCKET_BASE:
        gone = sum((chance for each, chance in damage.items() if each >= rules.bombing.base_eliminated_by), Fraction(0))
        return [["damage to the base", _figure(exact.expected(damage))], ["it is eliminated", percent_in_table(gone)]]
    rows = [["BRPs lost to it", _figure(exact.expected(chances["brps_lost"]))]]
    room = sum(room_for_markers(rules, each) for each in target.industry)
    if room:
        markers = {min(each, room): Fraction(0) for each in chances["markers"]}
        for each, chance in chances["markers"].items():
            markers[min(each, room)] += chance
        rows.append(["damage markers, if none is paid off", _figure(exact.expected(markers))])
    return rows
