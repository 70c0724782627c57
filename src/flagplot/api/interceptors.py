"""Questions about naval interception before and after the dice (22.1, 22.26-22.28): who, where, whom, and home again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from flagplot.api.calls import question
from flagplot.api.interception import theatre_called
from flagplot.api.naval_words import (
    activity_called,
    aircraft_spelled,
    deed_called,
    end_spelled,
    force_called,
    kind_of_box,
)
from flagplot.api.sw_shapes import nation_spelled
from flagplot.core.errors import PlayerError
from flagplot.model.interception import (
    Announced,
    Hunter,
    Level,
    Mover,
    Route,
    Service,
    Spotter,
    Stage,
    Submarine,
    Trouble,
    Verdict,
    Voyage,
)
from flagplot.model.strategic_war import AXIS_POWERS
from flagplot.rules.naval import interceptors as rule
from flagplot.rules.naval import sailing
from flagplot.rules.table import Ruleset

SINCE = ("", "strait", "new activity", "combined", "detached", "returning", "displaced", "escaping")


def _told(verdict: Verdict) -> list[str]:
    return [verdict.rule, verdict.why]


def _one_of(word: str, words: Sequence[str], what: str) -> None:
    if word not in words:
        raise PlayerError(f"{word!r} is no {what}; there are {', '.join(repr(each) for each in words)}")


# -- who ------------------------------------------------------------------------------------------


@question
def may_intercept(
    *,
    rules: Ruleset,
    hunter: Hunter | None = None,
    theatre: str = "Europe",
    level: Level = Level.INTERCEPTION,
    escaping: bool = False,
) -> dict[str, Any]:
    """Whether ships may intercept (22.11), all that bars them, and the BRPs it costs: none (22.111)."""
    ships = hunter or Hunter()
    ships = replace(ships, box=kind_of_box(ships.box), patrol=ships.patrol.strip().lower())
    _one_of(ships.patrol, ("", "offensive", "defensive"), "kind of patrol")
    barred = rule.may_intercept(rules, theatre_called(theatre), ships, level, escaping=escaping)
    return {"may": not barred, "barred": [_told(each) for each in barred], "brps": rule.BRPS}


def _mover_spelled(mover: Mover) -> Mover:
    """Ships on a voyage with all names as the rules spell them; Germany, Italy and Japan need not be called Axis."""
    nation = nation_spelled(mover.nation)
    return replace(
        mover,
        activity=activity_called(mover.activity),
        nation=nation,
        axis=mover.axis or nation in AXIS_POWERS,
        origin=end_spelled(mover.origin),
        destination=end_spelled(mover.destination),
    )


@question
def may_be_intercepted(
    *,
    mover: Mover | None = None,
    intercepted_before: bool = False,
    since: str = "",
    by_patrol: bool = False,
    norwegian_coastal_hex: bool = False,
) -> dict[str, Any]:
    """Whether ships on a voyage may be intercepted: immunity (22.11A), and whether they may be a second time (22.13).

    `norwegian_coastal_hex`: in a coastal hex of Norway on the North Sea, where some are immune though not elsewhere.
    """
    ships = _mover_spelled(mover or Mover())
    _one_of(since, SINCE, "reason to be intercepted again")
    immune = rule.immunity(ships)
    off_norway = rule.immune_in_norway(ships)
    told = {"immune_in_norwegian_coastal_hexes": off_norway}
    if off_norway and not immune.holds:
        immune = Verdict(norwegian_coastal_hex, "22.11A", "immune in Norwegian North Sea coastal hexes, nowhere else")
    if immune.holds:
        return {"may": False, "why": _told(immune), **told}
    if intercepted_before or (since == "escaping" and by_patrol):
        again = rule.intercepted_again(since, by_patrol=by_patrol)
        return {"may": again.holds, "why": _told(again), **told}
    return {"may": True, "why": _told(immune), **told}


@question
def detachment(*, rules: Ruleset, parent: list[str], path: list[str], returning: bool = False) -> dict[str, Any]:
    """Whether ships that part from a force already intercepted may be intercepted themselves (22.13D, 22.18D)."""
    return {"may_be_intercepted": rule.detachment_exposed(rules, parent, path, returning=returning)}


@question
def announced_interceptions(*, announced: list[Announced], routes: dict[str, Route] | None = None) -> dict[str, Any]:
    """Whether attempts may be made as announced together (22.14, 22.113): targets, hexes, nine loose factors.

    With the `routes` of targets, by name, also whether the hexes may be chosen (22.12); each side of a strait is then a
    target of its own (22.13A).
    """
    wrong = rule.wrong_announcements(
        [replace(each, kind=force_called(each.kind), nation=nation_spelled(each.nation)) for each in announced],
        {name: _checked(route) for name, route in (routes or {}).items()},
    )
    return {"allowed": not wrong, "wrong": [_told(each) for each in wrong]}


# -- where ----------------------------------------------------------------------------------------


def _checked(route: Route) -> Route:
    if not route.hexes:
        raise PlayerError("a route has at least one hex")
    return route


@question
def interception_hexes(*, route: Route) -> dict[str, Any]:
    """The hexes in which a voyage may be intercepted (22.12, 22.13A): one hex of each row, a row a side of a strait."""
    rows = rule.interception_hexes(_checked(route))
    return {"rows": [list(row) for row in rows], "most": len(rows), "hexes": [hex for row in rows for hex in row]}


@question
def interception_opportunities(*, stages: list[Stage]) -> dict[str, Any]:
    """An activity sailed in stages, ships joining or parting (22.13C-D): each force that may be intercepted, and where."""
    found = rule.opportunities([Stage(stage.ships, _checked(stage.route)) for stage in stages])
    return {"most": len(found), "forces": [{"ships": list(ships), "hexes": list(row)} for ships, row in found]}


@question
def caught_together(
    *,
    rules: Ruleset,
    voyages: list[Voyage],
    hex: str,
    target: str,
    anglo_french_restrictions: bool = False,
    returning: bool = False,
) -> dict[str, Any]:
    """Which activities an interception of one of them in a hex catches (22.141), and the force they make (AM-22)."""
    voyages = [
        replace(voyage, activity=activity_called(voyage.activity), nation=nation_spelled(voyage.nation))
        for voyage in voyages
    ]
    by_id = {voyage.id: voyage for voyage in voyages}
    if target not in by_id:
        raise PlayerError(f"{target!r} is none of the activities; there are {', '.join(by_id)}")
    for voyage in voyages:
        if not voyage.hexes:
            raise PlayerError(f"{voyage.id}: a route has at least one hex")
    aim = by_id[target]
    if hex not in aim.hexes:
        raise PlayerError(f"22.12: {hex} is not on the route of {target}")
    verdicts = {
        voyage.id: rule.caught_with(rules, aim, voyage, hex, anglo_french_restrictions=anglo_french_restrictions)
        for voyage in voyages
        if voyage.id != target
    }
    caught = [voyage for voyage in voyages if voyage.id == target or verdicts[voyage.id].holds]
    force = rule.caught_force(caught, returning=returning)
    return {
        "caught": [voyage.id for voyage in caught],
        "separate": [id for id, verdict in verdicts.items() if not verdict.holds],
        "why": {id: _told(verdict) for id, verdict in verdicts.items()},
        "target": {
            "activity": list(force.activities),
            "task_forces": force.task_forces,
            "cargo": force.carries_cargo,
            "returning": force.returning,
        },
    }


# -- who helps ------------------------------------------------------------------------------------


@question
def spotters(
    *,
    rules: Ruleset,
    air_units: list[Spotter],
    route: list[str],
    hex: str,
    nation: str = "",
    russo_allied_restrictions: bool = False,
    anglo_french_restrictions: bool = False,
) -> dict[str, Any]:
    """Which air units spot a force on its route to the interception hex (22.22G), and the dice they give.

    Anglo-French restrictions may be told; they change nothing here.
    """
    if hex not in route:
        raise PlayerError(f"22.12: {hex} is not on the route")
    whose = nation_spelled(nation)
    units = [replace(each, kind=aircraft_spelled(each.kind), nation=nation_spelled(each.nation)) for each in air_units]
    found = {
        unit.id: rule.spots(unit, route, hex, nation=whose, russo_allied_restrictions=russo_allied_restrictions)
        for unit in units
    }
    counting = [id for id, verdict in found.items() if verdict.holds]
    chart = rules.interception
    return {
        "counting": counting,
        "dice": min(len(counting), chart.most_squadrons) * chart.per_squadron,
        "why": {id: _told(verdict) for id, verdict in found.items()},
    }


@question
def assisting_submarines(*, rules: Ruleset, submarines: list[Submarine]) -> dict[str, Any]:
    """How many submarine factors assist surface forces (22.22H), and the dice they give."""
    factors = rule.assisting_submarines(rules, submarines)
    chart = rules.interception
    return {"factors": factors, "dice": min(factors, chart.most_submarines) * chart.per_submarine}


# -- order ----------------------------------------------------------------------------------------


@question
def interception_order(*, level: Level = Level.INTERCEPTION, in_activity_hex: bool = False) -> dict[str, Any]:
    """Who rolls at a level and who sets the order (22.16, 22.19), what comes next (22.164, 22.17), and in which steps."""
    mover = rule.mover_rolls(level)
    after = rule.next_level(level)
    return {
        "rolls": "moving player" if mover else "other player",
        "sets_the_order": "other player" if mover else "moving player",
        "next": str(after) if after else None,
        "steps": list(rule.steps_in_hex(activity_hex=in_activity_hex)),
    }


@question
def announced_together(
    *, rules: Ruleset, first: str, second: str, same_phase: bool = True, same_player_turn: bool = True
) -> dict[str, Any]:
    """Whether two activities are announced together (22.15), and when each goes home (22.15C)."""
    first, second = activity_called(first), activity_called(second)
    together = rule.announced_with(rules, first, second, same_phase=same_phase, same_turn=same_player_turn)
    return {"together": together, "home": {each: rule.goes_home(each) for each in (first, second)}}


@question
def air_attack_on_passage(*, hex: str, interception_hex: str, within_combat: bool) -> dict[str, Any]:
    """Whether air may attack an intercepted force in a hex, inside or outside the naval combat (22.132)."""
    return {"allowed": rule.air_attack_allowed(hex, interception_hex, within_combat=within_combat)}


# -- home again -----------------------------------------------------------------------------------


@question
def inverted_after(*, rules: Ruleset, units: dict[str, Service]) -> dict[str, Any]:
    """Which intercepting units are inverted once back in base (22.26, 22.27), and why.

    `counter_rounds` of a unit are its rounds of counter-interception combat: fired, launched (air strikes) or screened.
    """
    units = {
        name: replace(unit, counter_rounds=tuple(map(deed_called, unit.counter_rounds))) for name, unit in units.items()
    }
    found = {name: sailing.inverted_after(rules, unit) for name, unit in units.items()}
    return {
        "inverted": sorted(name for name, verdict in found.items() if verdict.holds),
        "not_inverted": sorted(name for name, verdict in found.items() if not verdict.holds),
        "why": {name: _told(verdict) for name, verdict in found.items()},
        "may_withhold": {
            name: sailing.may_withhold(counter_combat=bool(unit.counter_rounds), with_target=unit.fought_target)
            for name, unit in units.items()
        },
        "again_this_phase": {name: sailing.may_try_again(attempted=True, same_phase=True) for name in units},
        "goes": {name: _goes(unit) for name, unit in units.items()},
    }


def _goes(unit: Service) -> str:
    """22.27. Where a unit goes; a defensive patrol that has fought is back in its patrol hex too (22.81B)."""
    if not unit.sailed:
        return "stays in port"
    fought = bool(unit.counter_rounds) or unit.fought_target or unit.fought_returning
    return sailing.returns_to(fought=fought and not unit.patrol, patrol=unit.patrol).why


@question
def may_abort(
    *,
    forces: dict[str, Trouble],
    zone: str = "",
    aborted_zones: list[str] | None = None,
    contemporaneous: bool = False,
) -> dict[str, Any]:
    """Which forces may abort their activity (22.28), which must, what then (22.281), and whether transports serve on.

    Those that abort are inverted in base, and go home at once, not with the others (22.15D).
    """
    found = {name: sailing.may_abort(trouble) for name, trouble in forces.items()}
    return {
        "may": [name for name, verdict in found.items() if verdict.holds],
        "must": [name for name, trouble in forces.items() if sailing.must_abort(trouble)],
        "aborting_inverted": sailing.inverted_by_aborting().holds,
        "aborting_home": rule.goes_home("", forced=True),
        "why": {name: _told(verdict) for name, verdict in found.items()},
        "transports_may_serve": sailing.transports_serve(zone, aborted_zones or [], contemporaneous=contemporaneous),
    }
