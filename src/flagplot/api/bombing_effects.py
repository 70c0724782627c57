"""Questions about what bombing does (26.6 to 26.9): BRPs, construction limits, industry, firestorms, rockets."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from flagplot.api.bombing import counted, few, small, told
from flagplot.api.bombing_shapes import mapboard_box, markers_spelled
from flagplot.api.calls import question
from flagplot.api.interception import theatre_called
from flagplot.api.sw_shapes import nation_spelled, place_spelled
from flagplot.core.errors import PlayerError
from flagplot.model.strategic_bombing import (
    AirDefenders,
    Damage,
    Facility,
    FirestormHex,
    Loss,
    RocketBase,
    TargetKind,
    Unit,
)
from flagplot.model.strategic_war import SEASONS
from flagplot.rules.strategic import bombing_effects as effects
from flagplot.rules.strategic import bombing_forces as forces
from flagplot.rules.strategic import rockets as launching
from flagplot.rules.table import Ruleset

FACILITIES = (TargetKind.OIL_CENTER, TargetKind.SYNTHETIC_OIL_PLANT)


def _hex(hex: FirestormHex, box: str = "") -> FirestormHex:
    """The hex with names as the rules spell them; where a box is bombed, that box, which is its power's."""
    name = box or place_spelled(hex.name, (*effects.FIRESTORM_CITIES, *effects.MAPBOARD_BOXES))
    country = effects.BOX_POWERS.get(name, nation_spelled(hex.country))
    return replace(hex, name=name, country=country, markers=markers_spelled(hex.markers))


def _loss(loss: Loss) -> Loss:
    """The loss with names as the rules spell them; what a box loses, its power loses."""
    box = mapboard_box(loss.box)
    return replace(loss, box=box, country=effects.BOX_POWERS.get(box, nation_spelled(loss.country)))


def _by_source(damage: Damage) -> dict[str, int]:
    return {"bombers": damage.bombers, "flying_bombs": damage.flying_bombs, "rockets": damage.rockets}


@question
def bombing_effects(
    *,
    rules: Ruleset,
    damage: Damage,
    hex: FirestormHex,
    value: int | None = None,
    box: str = "",
    russian_base: int | None = None,
    secondary: bool = False,
    economic: bool = True,
    pays: bool = False,
) -> dict[str, Any]:
    """What the damage of one turn does in one hex (26.7, 26.9): BRPs by source, construction limits, markers, firestorm.

    `value`: the economic value of the hex, null for no limit; a box has its own, a secondary target none. `pays`: the
    defender pays at once to prevent the last damage marker. Of an IC, `ic_choices` are what Russia may do (26.75).
    """
    counted(damage, "damage")
    box = mapboard_box(box)
    hex = _hex(hex, box)
    worth = None if value is None else few(value, "BRPs")
    if box == "Urals box" and russian_base is None:
        raise PlayerError("26.71A: the Urals box is worth the Russian BRP base less 20; say russian_base")
    if box:
        worth = effects.box_value(rules, box, few(russian_base or 0, "BRPs"))
    lost = effects.brps_lost(damage, 0 if secondary else worth)
    fire = effects.firestorm(rules, hex, damage)
    paid = effects.emergency_repair(rules, damage.total) if pays else 0
    return {
        "uncapped": damage.total,
        "brps_lost": lost.total,
        "by_source": _by_source(lost),
        "construction_limits": effects.construction_limits(
            rules, [Loss(hex.country, lost, economic and not secondary, box)]
        ),
        "damage_markers": effects.damage_markers(rules, damage.total, paid=pays, box=box),
        "paid": paid,
        "ic_choices": list(effects.choices_of_ic(lost.total)) if hex.ic and hex.country == "Russia" else [],
        "firestorm": fire.holds,
        "why": told(fire),
    }


@question
def construction_limits(*, rules: Ruleset, losses: list[Loss]) -> dict[str, Any]:
    """By how much construction limits fall in the next player turn (26.653, 26.71B), and what Germany gains (26.653C)."""
    for loss in losses:
        counted(loss.brps, "BRPs")
    losses = [_loss(loss) for loss in losses]
    return {
        "reductions": effects.construction_limits(rules, losses),
        "german_increase": effects.german_construction_increase(losses),
    }


def _facility(facility: Facility, markers: int) -> Facility:
    """An industrial facility that is to take so many markers, or a refusal. An oil center produces one at least; for more
    markers its production must be said (26.74)."""
    if facility.kind not in FACILITIES:
        raise PlayerError(f"26.72: a {facility.kind} is no industrial facility")
    few(facility.markers, "markers")
    few(facility.production, "production")
    if facility.kind is not TargetKind.OIL_CENTER or facility.production:
        return facility
    if facility.markers + markers > 1:
        raise PlayerError("26.74: an oil center takes no more markers than it produces; say its production")
    return replace(facility, production=1)


@question
def industrial_damage(
    *,
    rules: Ruleset,
    damage: int,
    facility: Facility | None = None,
    pays: int = 0,
    hex_value: int | None = 0,
    box: str = "",
    brps: int | None = None,
) -> dict[str, Any]:
    """Damage to industry (26.72 to 26.74): markers, what the defender may pay to prevent the last, and the facility.

    The facility, an undamaged synthetic oil plant unless said, is given as many of the markers as it can take; where an oil
    center is to take more than one, say its production.
    """
    due = effects.emergency_repair(rules, few(damage, "damage"))
    if pays not in (0, due):
        raise PlayerError(f"26.72D: the defender pays {due} BRPs or nothing, not {pays}")
    markers = effects.damage_markers(rules, damage, paid=pays > 0, box=mapboard_box(box))
    plant = _facility(facility or Facility(TargetKind.SYNTHETIC_OIL_PLANT), markers)
    taken = min(markers, effects.room_for_markers(rules, plant))
    (after,) = effects.assign_markers(rules, (plant,), (taken,), markers)
    lost = effects.brps_lost(Damage(bombers=damage), None if hex_value is None else few(hex_value, "BRPs"))
    return {
        "markers": markers,
        "may_pay": due,
        "paid": pays,
        "deficit": 0 if brps is None else effects.deficit(brps, pays),
        "state": effects.facility_state(rules, after),
        "markers_on_facility": after.markers,
        "brps_lost": lost.total,
        "construction_limit_effect_of_paying": 0,
    }


@question
def damage_marker_shares(
    *, rules: Ruleset, damage: int, facilities: list[Facility], shares: list[int], paid: bool = False, box: str = ""
) -> dict[str, Any]:
    """Whether the attacker may spread damage markers over the industry of a hex like this (26.72B), and what they do.

    `shares`: markers for each facility; he may assign fewer than he has. `paid`: the defender prevented the last one.
    """
    if len(shares) != len(facilities):
        raise PlayerError(f"26.72B: {len(facilities)} facilities, but markers are given to {len(shares)}")
    most = effects.damage_markers(rules, few(damage, "damage"), paid=paid, box=mapboard_box(box))
    facilities = [_facility(facility, given) for facility, given in zip(facilities, shares, strict=True)]
    rooms = [effects.room_for_markers(rules, facility) for facility in facilities]
    try:
        after = effects.assign_markers(rules, facilities, shares, most)
    except ValueError as error:
        number, _, why = str(error).partition(": ")
        return {"may": False, "why": [number, why], "markers": most, "room": rooms, "states": []}
    return {
        "may": True,
        "why": ["26.72B", "the attacker assigns them as he chooses"],
        "markers": most,
        "room": rooms,
        "states": [effects.facility_state(rules, facility) for facility in after],
    }


@question
def firestorms(*, rules: Ruleset, hexes: list[FirestormHex], damage: Damage) -> dict[str, Any]:
    """Whether each hex would burn if it took this damage in one turn (26.91, 26.92), and why."""
    counted(damage, "damage")
    found = [effects.firestorm(rules, _hex(hex), damage) for hex in hexes]
    return {"firestorm": [each.holds for each in found], "why": [told(each) for each in found]}


@question
def firestorm_markers(
    *, years: list[int], year: int, turns: int = 1, all_years: list[int] | None = None
) -> dict[str, Any]:
    """A side's firestorm markers, by year, after one turn of a year or several (26.82), and what firestorms do (26.93).

    The level falls by the markers that lie before one leaves. `all_years`: of all firestorms its enemy made, those whose
    marker is gone included; else those with a marker. `by_turn`: how many lie after each of the turns.
    """
    if not 1 <= turns <= len(SEASONS):
        raise PlayerError(f"a year has {len(SEASONS)} turns, so {turns} will not do")
    left, by_turn = tuple(sorted(years)), []
    for _ in range(turns):
        left = effects.firestorm_markers_left(left, year)
        by_turn.append(len(left))
    done = effects.firestorm_effects(len(years), years if all_years is None else all_years, year)
    return {"left": list(left), "by_turn": by_turn, **done}


@question
def may_remove_damage_marker(
    *, held_all_turn: bool = True, inflicted_this_player_turn: bool = False, removed: int = 0, marker: str = "damage"
) -> dict[str, Any]:
    """Whether a faction may remove a damage marker at the end of its player turn (26.81); an atomic `marker` never is."""
    if effects.marker_permanent(marker.lower().strip()):
        return {"may": False, "why": ["26.83", "an atomic attack marker is permanent"], "brps": 0}
    if marker.lower().strip() != "damage":
        raise PlayerError(f"{marker[:40]!r} is no damage or atomic marker; of firestorms ask firestorm_markers")
    verdict = effects.may_remove_damage_marker(
        held_all_turn=held_all_turn, inflicted_this_player_turn=inflicted_this_player_turn, removed=removed
    )
    return {"may": verdict.holds, "why": told(verdict), "brps": 0}


# -- flying bombs and rockets ---------------------------------------------------------------------


@question
def flying_bombs(
    *,
    rules: Ruleset,
    salvos: int,
    target_strength: int,
    radar: int = 0,
    relative_drm: int = 0,
    air_defense: int = 0,
    defenders: AirDefenders | None = None,
    hex_value: int | None = None,
    economic: bool = True,
) -> dict[str, Any]:
    """What flying bombs do to a target (26.651 to 26.661): per salvo, in all, BRPs lost, construction limit."""
    against = defenders or AirDefenders()
    counted(against, "the defence")
    salvo = launching.flying_bomb_salvo(
        rules,
        radar=few(radar, "radar results"),
        relative_drm=small(relative_drm, "DRM difference"),
        air_defense=few(air_defense, "air defense results"),
    )
    done = launching.flying_bomb_damage(
        rules, few(salvos, "salvos"), salvo.total, few(target_strength, "strength"), against
    )
    value = None if hex_value is None else few(hex_value, "BRPs")
    lost = effects.brps_lost(Damage(flying_bombs=done.total), value)
    limits = effects.construction_limits(rules, [Loss("the defender", lost, economic)])
    return {
        "per_salvo": salvo.total,
        "uncapped": done.total,
        "lines": [[each.rule, each.reason, each.amount] for each in (*salvo.lines, *done.lines)],
        "brps_lost": lost.total,
        "construction_limit_reduction": limits.get("the defender", 0),
    }


@question
def may_oppose_flying_bombs(*, kind: Unit, target: str, fought_bombers_at: str = "") -> dict[str, Any]:
    """Whether an air unit may oppose flying bombs at a target (26.662), and what that costs it (26.663, 26.664).

    `fought_bombers_at`: the target whose bombers it met in this combat phase, if it met any.
    """
    if "oppose flying bombs" not in forces.roles_of(kind):
        return {"may": False, "why": ["26.12", f"a {kind} does not oppose flying bombs"], "afterwards": ""}
    verdict = launching.may_oppose(fought_bombers_at=fought_bombers_at.strip(), target=target.strip())
    return {
        "may": verdict.holds,
        "why": told(verdict),
        "afterwards": launching.after_opposing(kind) if verdict.holds else "",
    }


@question
def rockets(*, rules: Ruleset, salvos: int, hex_value: int | None = None, economic: bool = True) -> dict[str, Any]:
    """What rockets do to a target (26.651B): five BRPs a salvo up to its value, and as much off the construction limit."""
    value = None if hex_value is None else few(hex_value, "BRPs")
    done = launching.rocket_damage(rules, few(salvos, "salvos"))
    lost = effects.brps_lost(Damage(rockets=done), value)
    limits = effects.construction_limits(rules, [Loss("the defender", lost, economic)])
    return {
        "uncapped": done,
        "brps_lost": lost.total,
        "construction_limit_reduction": limits.get("the defender", 0),
    }


@question
def rocket_bases(
    *,
    rules: Ruleset,
    result: int,
    on_map: int = 0,
    undamaged: int | None = None,
    eliminated: int = 0,
    allied: bool = False,
) -> dict[str, Any]:
    """Rocket bases a research result allows (26.63B), what may be placed and recycled this turn, and the salvos.

    `eliminated` are those that wait to come back, one a turn, at no cost (26.62C).
    """
    working = few(on_map if undamaged is None else undamaged, "bases")
    if working > few(on_map, "bases"):
        raise PlayerError(f"of {on_map} bases, {working} cannot be undamaged")
    allowed = launching.bases_allowed(rules, result)
    turn = launching.base_placements(allowed, on_map, working, few(eliminated, "bases"))
    return {
        "allowed": allowed,
        "placed": turn.placed,
        "recycled": turn.recycled,
        "returned": turn.returned,
        "to_another_theatre": launching.may_change_theatre(allied=allied),
        "salvos": working,
        "most_of_a_kind": min(working, launching.most_of_a_kind(on_map)),
    }


@question
def rocket_salvos(*, bases: int, damaged: int = 0, flying_bombs: int = 0, rockets: int = 0) -> dict[str, Any]:
    """Whether bases may fire so many salvos of each kind (26.63): half of those on the map, of which `damaged` do not fire."""
    if few(damaged, "damaged bases") > few(bases, "bases"):
        raise PlayerError(f"of {bases} bases, {damaged} cannot be damaged")
    verdict = launching.salvos_allowed(
        bases, bases - damaged, few(flying_bombs, "salvos of flying bombs"), few(rockets, "salvos of rockets")
    )
    return {"may": verdict.holds, "why": told(verdict)}


@question
def may_launch(*, base: RocketBase, distance: int, eligible: bool = True) -> dict[str, Any]:
    """Whether a rocket base may fire at a target so far from it (26.31, 26.63C)."""
    verdict = launching.may_launch(base, few(distance, "hexes"), eligible=eligible)
    return {"may": verdict.holds, "why": told(verdict)}


@question
def rocket_base_damage(*, rules: Ruleset, damage: int, pays: bool = False, captured: bool = False) -> dict[str, Any]:
    """What bombing in one turn does to a rocket base (26.62)."""
    verdict = launching.base_fate(rules, few(damage, "damage"), pays=pays, captured=captured)
    eliminated = verdict.why.startswith("eliminated")
    paid = damage if verdict.holds and damage else 0
    return {"works": verdict.holds, "eliminated": eliminated, "brps": paid, "why": told(verdict)}


@question
def atomic_rocket(*, rules: Ruleset, result: int, distance: int, theatre: str = "Europe") -> dict[str, Any]:
    """Whether an atomic attack may be made by rocket (26.67)."""
    verdict = launching.atomic_rocket(rules, theatre_called(theatre), result, few(distance, "hexes"))
    return {"may": verdict.holds, "why": told(verdict), "may_be_intercepted": False}
