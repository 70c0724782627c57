"""What an audience is shown, as JSON: the one serializer, and it is handed a picture (trust.md, opp-1).

Everything here is built up from what that audience was told. Pages, the API and downloads all come from `view`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice
from flagplot.core.events import Event, Modifiers
from flagplot.core.forms import AtLeast, AtMost, Form, Limit, PathForm
from flagplot.core.sides import SIDES, Audience, Side
from flagplot.model.air_events import AirCombatFought, CounterairFought
from flagplot.model.forces import CombatGroup, Force
from flagplot.model.operation import Operation
from flagplot.model.ships import describe
from flagplot.model.state import SEGMENTS, Battle, Fleet
from flagplot.model.war import War
from flagplot.model.war_events import WarEvent
from flagplot.play.air_transcript import combat_rows
from flagplot.play.amendments import change_in_words
from flagplot.play.report import chosen_options, results
from flagplot.play.transcript import Storyteller, disclosed
from flagplot.play.wording import Names, light_parts, listed, submarine_parts
from flagplot.rules.naval.combat_groups import is_fast
from flagplot.rules.table import Ruleset
from flagplot.web.hall import LiveGame, version
from flagplot.web.operation_odds import chances_for
from flagplot.web.operation_view import operation_part
from flagplot.web.pieces import air_base, light_ships, ship, squadrons
from flagplot.web.release import asked, holds
from flagplot.web.war_ledger import dice_of_war
from flagplot.web.war_odds import expected_of, is_reckoned
from flagplot.web.war_view import grouped, war_named, war_part

OF_PORTS = ("sortie", "escape")  # segments of an attack on a port, which has no others
MANY = 2  # things a limit adds up; below it one sees it at a glance
OUTSIDE = ("formation", "reinforcement", "return", "over")  # not on the round's track


def view(live: LiveGame, side: Side | None, *, log_from: int = 0, sees_all: bool = False) -> dict[str, Any]:
    """A game as one side, or a spectator, sees it; with `sees_all` as the referee does, who sees both boards."""
    picture = live.game.picture(side)
    battle = live.game.battle if sees_all else picture.battle
    operation = live.game.table.operation if sees_all else picture.operation
    war = live.game.table.war if sees_all else picture.war
    events = live.game.events() if sees_all else picture.events
    header = live.game.header
    seat = side.value if side else "referee" if sees_all else "spectator"
    decision = live.game.decision(side) if side and not live.closed and asked(live, side) else None
    return {
        "id": live.id,
        "seat": seat,
        "version": version(live, side, sees_all=sees_all),
        "title": operation.title or war.title or battle.title,
        "round": battle.round,
        "segment": battle.segment,
        "track": track(battle, live.game.table.rules),
        "edition": header.edition,
        "options": chosen_options(header.options),
        "release": live.release,
        "over": live.game.over,
        "closed": live.closed,
        "victor": battle.victor,
        "reasons": list(battle.reasons),
        "players": {each.value: live.players[each] for each in Side},
        "interceptor": battle.interceptor,
        "names": names_of(battle, operation, war),
        "sides": {each.value: fleet(battle, each, mine=sees_all or each is side) for each in Side}
        if battle.fleets
        else {},
        "strike": strike(battle),
        "operation": operation_part(operation, side, events, sees_all=sees_all),
        "war": war_part(war, battle, live.game.table.rules, events),
        "question": question(live, side, decision) if side is not None and decision is not None else None,
        "waiting": waiting(live, side),
        "takeback": takeback(live, side),
        "taken_back": taken_back(live, side),
        "amendments": [change_in_words(each.change, Names(events)) for each in battle.amendments],
        "log": log(events, log_from),
        "results": results(events) if live.game.over else [],
    }


def names_of(battle: Battle, operation: Operation, war: War) -> dict[str, str]:
    """What the sides are called; nothing before the first of them is on the board."""
    if war.names:
        return war_named(war)
    names = operation.names or {side: fleet.name for side, fleet in battle.fleets.items()}
    return {side.value: names[side] for side in Side if side in names}


def track(battle: Battle, rules: Ruleset) -> list[dict[str, str]]:
    """The segments of the round, by the numbers of this edition: those past, the one we are in, those to come."""
    in_port = battle.kind == "port attack"
    keys = [key for key in SEGMENTS if key not in OUTSIDE and (key in OF_PORTS) is in_port]
    now = keys.index(battle.segment) if battle.segment in keys else (-1 if battle.segment == "formation" else len(keys))
    states = ["past" if index < now else "now" if index == now else "next" for index in range(len(keys))]
    return [
        {"key": key, "rule": rules.number(SEGMENTS[key][0]), "title": SEGMENTS[key][1], "state": state}
        for key, state in zip(keys, states, strict=True)
    ]


# -- the board ------------------------------------------------------------------------------------


def fleet(battle: Battle, side: Side, *, mine: bool) -> dict[str, Any]:
    """One side's board as far as it is known."""
    known: Fleet = battle.fleets[side]
    return {
        "groups": [group(battle, each, mine=mine) for each in known.groups],
        "forces": [_outside(each) for each in known.forces]
        if battle.segment == "formation" and not known.groups
        else [],
        "pending": [_outside(each) for each in known.pending],
        "detached": [_outside(each) for each in known.detached],
        "withdrawn": [_outside(each) for each in known.withdrawn],
        "home": [_outside(each) for each in known.home],
        "returned": [
            {"name": each.group.name, "contents": each.group.describe(), "base": each.base, "inverted": each.inverted}
            for each in known.returned
        ],
        "cargo_lost": list(dict.fromkeys(known.cargo_lost)),
        "line_cut": known.line_cut,
        "air_bases": [air_base(each) for each in known.air_bases],
        "aloft": squadrons(known.aloft),
        "submarines": submarine_parts(known.submarines),
        "submarines_spent": submarine_parts(known.submarines_spent),
        "submarines_lost": submarine_parts(known.submarines_lost),
        "sunk": [each.name for each in known.sunk] + light_parts(known.sunk_light),
        "squadrons_lost": squadrons(known.air_lost),
        "research": dict(known.research),
    }


def group(battle: Battle, each: CombatGroup, *, mine: bool) -> dict[str, Any]:
    """A combat group: a marker with nothing in it while it is hidden."""
    return {
        "number": each.number,
        "name": each.name,
        "hidden": each.hidden,
        "revealed": each.revealed,
        "active": battle.active(each),
        "found": each.found,
        "spent": each.spent,
        "said": disclosed(each.disclosed) if each.disclosed else "",
        "fast": is_fast(each) if not each.hidden else None,
        "ships": [ship(one, mine=mine) for one in each.ships],
        "light": light_ships(each.light),
        "cargo": [item.name for item in each.cargo],
        "supply": each.supply,
        "mission": each.mission if mine else "",
        "patrol": squadrons(each.patrol),
        "cover": squadrons(each.cover),
    }


def _outside(each: CombatGroup | Force) -> dict[str, Any]:
    contents = describe(each.ships, each.light)
    cargo = f", carrying {listed([item.name for item in each.cargo])}" if each.cargo else ""
    return {"name": each.name, "contents": contents + cargo, "arrives": each.arrives}


def strike(battle: Battle) -> dict[str, Any] | None:
    """The air strike under way."""
    under_way = battle.strike
    if under_way is None:
        return None
    return {
        "side": under_way.side,
        "number": under_way.number,
        "surprise": under_way.surprise,
        "level": under_way.level,
        "squadrons": squadrons(under_way.squadrons),
        "fighting": squadrons(under_way.fighting),
        "defenders": squadrons(under_way.defenders),
    }


# -- the question -----------------------------------------------------------------------------------


def question(live: LiveGame, side: Side, decision: Decide) -> dict[str, Any]:
    """The question open to a side, with all that may be answered; where forces are sent at targets, with their chances."""
    chances = chances_for(live.game, side, decision)
    asked = form(decision.form, targets_of(chances))
    if is_reckoned(decision):
        proposal = None if asked["refused"] else decision.form.default
        chances = expected_of(live.game, side, decision, proposal) if proposal is not None else {"war": []}
    grouped(decision, asked["items"])
    return {
        "number": live.game.question_number(side),
        "kind": decision.kind,
        "rule": decision.rule,
        "text": decision.question,
        "about": decision.about,
        "form": asked,
        "chances": chances,
    }


def targets_of(chances: dict[str, Any] | None) -> list[str]:
    """The targets of which chances are told."""
    return [each["key"] for each in chances["targets"]] if chances and "targets" in chances else []


def form(asked: Form, named: Sequence[str] = ()) -> dict[str, Any]:
    """A form as data: items, places, limits, what is barred and why. Places `named` elsewhere are called by their key."""
    labels = {place.key: place.key if place.key in named else place.label for place in asked.places}
    items = []
    barred_limits = []
    for item in asked.items:
        closed = asked.barred(item)
        barred_limits += list(closed.values())
        items.append(
            {
                "key": item.key,
                "label": item.label,
                "amount": item.amount,
                "rest": asked.rest_of(item),
                "places": [
                    {
                        "key": key,
                        "label": labels[key],
                        "barred": {"rule": closed[key].rule, "why": closed[key].why} if key in closed else None,
                    }
                    for key in asked.places_for(item)
                ],
            }
        )
    proposed, refused = asked, None
    try:
        asked.read(asked.default, "")
    except IllegalChoice as refusal:  # what is proposed breaks a limit: it is shown, with the rule
        proposed, refused = replace(asked, limits=()), {"rule": refusal.rule, "why": refusal.reason}
    said: dict[tuple[str, str], list[Limit]] = {}
    for limit in asked.limits:
        if limit not in barred_limits:
            said.setdefault((limit.rule, limit.why), []).append(limit)
    return {
        "items": items,
        "limits": [{"rule": rule, "why": why, "sum": summed(limits)} for (rule, why), limits in said.items()],
        "default": proposed.read(asked.default, "").cells,
        "refused": refused,
        "path": path(asked) if isinstance(asked, PathForm) else None,
    }


def summed(limits: Sequence[Limit]) -> dict[str, Any] | None:
    """Of one limit that adds up numbers: what counts how much, and the most or the least it may come to. Else nothing.

    Where one thing is weighed against another, as aircraft against their target, the sum says nothing to anybody.
    """
    limit, *others = limits
    if others or not isinstance(limit, AtMost | AtLeast) or max(limit.limit, len(limit.cells)) < MANY:
        return None
    if any(weight < 0 for _, _, weight in limit.cells):
        return None
    return {"cells": [list(cell) for cell in limit.cells], "limit": limit.limit, "most": isinstance(limit, AtMost)}


def path(asked: PathForm) -> dict[str, Any]:
    """Where a path begins and ends, how long it may be, and from which hex to which ships sail."""
    return {
        "start": asked.start,
        "end": asked.end,
        "most": asked.most,
        "rule": asked.most_rule,
        "steps": {hex: list(near) for hex, near in asked.steps.items()},
    }


def waiting(live: LiveGame, side: Side | None) -> str:
    """One public wording while anybody decides: it never says who, or what about (trust.md, opp-4)."""
    if live.closed:
        return f"The game has been closed: {live.closed}."
    if live.game.over:
        kind = live.game.header.setup.public.kind
        return f"The {kind if kind in ('operation', 'war') else 'battle'} is over."
    if side and holds(live, side):
        return "You have answered. Your answer opens at the next full quarter hour; until then you can take it back."
    if side and asked(live, side):
        return "You are to decide."
    return "Orders are being written."


def takeback(live: LiveGame, side: Side | None) -> str:
    """Whether a take-back is asked for: by "me", by the "enemy", or not at all."""
    if live.wants_back is None or side is None:
        return ""
    return "me" if live.wants_back is side else "enemy"


def taken_back(live: LiveGame, side: Side | None) -> list[dict[str, str]]:
    """What everyone knows was taken back, and on whose word: the other side's, or the host's, whose rules stopped."""
    names = live.game.header.setup.public.names
    return [
        {"who": line.who, "by": names[SIDES[line.who]] if line.who in SIDES else f"the {line.who}"}
        for line in live.game.taken_back
        if line.agreed or line.who == side
    ]


# -- the log ------------------------------------------------------------------------------------------


def log(events: Iterable[Event], start: int = 0) -> list[dict[str, Any]]:
    """The story so far, a line an event, each with its rule, its dice and what they were made of."""
    teller, public = Storyteller(), 0
    lines: list[dict[str, Any]] = []
    for event in events:
        public += event.to is Audience.EVERYONE
        for told in teller.tell(event):
            line = {"n": len(lines), "at": public, "level": told.level, "text": told.text, **facts_of(told.event)}
            lines.append(line)
    return lines[start:]


def facts_of(event: Event) -> dict[str, Any]:
    """What a line of the log says in figures: its rule, whose it is, dice, and what they were made of."""
    told: dict[str, Any] = {"rule": event.rule, "kind": type(event).__name__}
    side = getattr(event, "side", None)
    if isinstance(side, Side):
        told["side"] = side.value
    dice = getattr(event, "dice", None)
    if isinstance(dice, tuple) and dice:
        told["dice"] = list(dice)
    elif isinstance(dice, dict):
        told["dice_of"] = {who.value: list(rolled) for who, rolled in dice.items()}
    elif isinstance(event, WarEvent):
        told |= dice_of_war(event)
    if isinstance(event, AirCombatFought | CounterairFought):
        net, rows = event.modifiers.total, combat_rows(event)
        told["combat"] = {
            who.value: {
                "row": rows[who],
                "modifier": modifier,
                "roll": sum(event.dice[who]) + modifier,
                "eliminated": event.eliminated.get(who, 0),
                "aborted": event.aborted.get(who, 0),
            }
            for who, modifier in ((event.side, net), (event.side.enemy, -net))
        }
    for name in ("modifiers", "modifier", "dice", "public", "level"):
        lines = getattr(event, name, None)
        if isinstance(lines, Modifiers):
            told["lines"] = [[line.rule, line.reason, line.amount] for line in lines.lines]
    for name in ("roll", "hits", "fate"):
        value = getattr(event, name, None)
        if isinstance(value, int | str):
            told[name] = value
    return told
