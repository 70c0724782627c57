"""Questions about air factors and squadrons (23.13 to 23.18): how one becomes the other, and what they may still do.

Each question is about one owner and one kind of air: AAF, JET or ATR (air transports). Squadrons at a base are a number,
or where their roles matter a list of {"role", "count", "inverted"}.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from flagplot.api.air_words import AirActivity, AirUnit
from flagplot.api.calls import question
from flagplot.core.errors import PlayerError
from flagplot.model.squadrons import FACTORS, ROLES
from flagplot.rules.air import conversion


class SquadronsJson(msgspec.Struct, forbid_unknown_fields=True):
    """Squadrons of one role, uninverted unless it says so."""

    role: str
    count: int = 1
    inverted: bool = False


class UseJson(msgspec.Struct, forbid_unknown_fields=True):
    """Something a unit does. `occasion` names the round of naval combat, or the hex outside it, where it was done.

    `fleeing` says that its target are ships fleeing the base this unit has attacked (23.462B).
    """

    activity: AirActivity
    occasion: str = ""
    fleeing: bool = False


Stack: TypeAlias = int | list[SquadronsJson]


def _counts(**numbers: int | None) -> None:
    for name, number in numbers.items():
        if number is not None and number < 0:
            raise PlayerError(f"{name.replace('_', ' ')} can be none, but not {number}")


def _kind(kind: str) -> None:
    if kind not in FACTORS:
        raise PlayerError(f"{kind!r} does not convert; {', '.join(FACTORS)} (air transports) do")


def _by_role(squadrons: list[SquadronsJson]) -> tuple[dict[str, int], dict[str, int]]:
    """Uninverted and inverted squadrons by role."""
    told: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for stack in squadrons:
        if stack.role not in ROLES:
            raise PlayerError(f"{stack.role!r} is no role of a squadron; there are {', '.join(ROLES)}")
        _counts(squadrons=stack.count)
        counts = told[stack.inverted]
        counts[stack.role] = counts.get(stack.role, 0) + stack.count
    return told


def _sorts(squadrons: Mapping[str, Stack]) -> dict[str, dict[str, int]]:
    """Squadrons of each base by sort: a role, "inverted" and a role, or "" where only their number is told."""
    bases: dict[str, dict[str, int]] = {}
    for base, stack in squadrons.items():
        if "/" in base:
            raise PlayerError(f"{base!r} is no name for a base: a stroke divides base and role")
        if isinstance(stack, int):
            _counts(squadrons=stack)
            bases[base] = {"": stack}
        else:
            uninverted, inverted = _by_role(stack)
            bases[base] = uninverted | {f"inverted {role}": number for role, number in inverted.items()}
    return bases


def _pool(pool: int | None, holding: int | None, elsewhere: int) -> int | None:
    """The force pool: told, or all that is in play, unbuilt and in the holding area together; None if neither is known."""
    _counts(pool=pool, holding=holding)
    if holding is None:
        return pool
    if pool not in (None, elsewhere + holding):
        raise PlayerError(
            f"{elsewhere} factors in play and unbuilt with {holding} in the holding area are not the force pool of {pool}"
        )
    return elsewhere + holding


@question
def break_down_air(
    *,
    factors: int = 0,
    inverted: int = 0,
    kind: str = "AAF",
    holding: int = 0,
    activity: AirActivity | None = None,
    friendly_nas: int = 0,
    enemy_nas: int = 0,
) -> dict[str, Any]:
    """Squadrons that air factors become (23.13), by role, and the factors then in the holding area.

    `factors` are uninverted, `inverted` come on top. With an `activity` (spot, search, cover, attack at sea, attack in
    port, air combat, counterair, base defense, ...) and the NAS on either side they are broken down only if they must be.
    """
    _kind(kind)
    _counts(factors=factors, inverted=inverted, holding=holding, friendly_nas=friendly_nas, enemy_nas=enemy_nas)
    required = activity is None or conversion.must_convert(activity, friendly_nas, enemy_nas)
    broken = conversion.break_down(factors, inverted, holding) if required else conversion.break_down(0, 0, holding)
    return {
        "required": required,
        "squadron": FACTORS[kind],
        "uninverted": broken.uninverted,
        "inverted": broken.inverted,
        "holding": broken.holding,
    }


@question
def recombine_air(
    *,
    squadrons: list[SquadronsJson],
    kind: str = "AAF",
    activity: AirActivity | None = None,
    friendly_nas: int = 0,
    enemy_nas: int = 0,
    between_rounds: bool = False,
) -> dict[str, Any]:
    """Factors that squadrons at one base become before an activity (23.141A, 23.144), and how many may fly it.

    Name only squadrons that take part. With an `activity` they recombine only if they must; never `between_rounds`. The
    factors are taken from the holding area; a remnant is lost and becomes an unbuilt squadron.
    """
    _kind(kind)
    _counts(friendly_nas=friendly_nas, enemy_nas=enemy_nas)
    uninverted, inverted = _by_role(squadrons)
    required = not between_rounds
    if activity is not None:
        required = conversion.must_revert(activity, friendly_nas, enemy_nas, between_rounds=between_rounds)
    formed = conversion.recombine(uninverted, inverted) if required else conversion.recombine({})
    return {
        "required": required,
        "factors": formed.factors,
        "uninverted": formed.uninverted,
        "inverted": formed.inverted,
        "may_fly": formed.uninverted,
        "remnants": formed.remnants,
    }


@question
def convert_unbuilt_air(
    *,
    unbuilt_squadrons: int,
    squadrons: dict[str, Stack] | None = None,
    remove: str | None = None,
    kind: str = "AAF",
    unbuilt: int = 0,
    built: int = 0,
    other_in_play: int = 0,
    holding: int | None = None,
    pool: int | None = None,
) -> dict[str, Any]:
    """Unbuilt squadrons in their owner's construction phase (23.141B), and what that comes to when the player turn ends.

    `squadrons` are those in play by base. If one of them must go, `remove` is the owner's choice: a base, or base and role
    ("Malta/cover", "Malta/inverted cover") where roles are told. `unbuilt` factors were there before, `built` are built
    afterwards. Given the force pool, or the factors in the holding area, `end_of_turn` tells what there will be at the end
    of the player turn if nothing else happens.
    """
    _kind(kind)
    _counts(unbuilt_squadrons=unbuilt_squadrons, unbuilt=unbuilt, built=built, other_in_play=other_in_play)
    bases = _sorts(squadrons or {})
    pool = _pool(pool, holding, other_in_play + unbuilt)
    converted = conversion.convert_unbuilt(unbuilt_squadrons, sum(sum(sorts.values()) for sorts in bases.values()))
    removed = None
    if converted.given_up:
        form = conversion.giving_up_form(bases)
        removed = form.read(form.default if remove is None else remove, "23.141B").choice
    elif remove is not None:
        raise PlayerError(
            "no squadron in play is given up: that is the price of two unbuilt squadrons left over (23.141B)"
        )
    after = {base: sum(sorts.values()) for base, sorts in bases.items()}
    if removed is not None:
        after[removed.partition("/")[0]] -= 1
    now_unbuilt = unbuilt + converted.factors
    if built > now_unbuilt:
        raise PlayerError(f"{built} factors cannot be built; unbuilt: {now_unbuilt}")
    return {
        "unbuilt": now_unbuilt,
        "formed": converted.factors,
        "squadrons_kept": converted.kept,
        "squadrons_removed": converted.given_up,
        "removed_from": removed,
        "squadrons": after,
        "unbuilt_after_building": now_unbuilt - built,
        "end_of_turn": None
        if pool is None
        else _at_turn_end(pool, other_in_play + built, now_unbuilt - built, converted.kept, after),
    }


def _at_turn_end(
    pool: int,
    other_in_play: int,
    unbuilt: int,
    unbuilt_squadrons: int,
    bases: Mapping[str, int],
    remove: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """The end of a player turn, the owner's choice being {base: factors removed} or the default."""
    ended = conversion.end_of_player_turn(
        pool=pool, other_in_play=other_in_play, unbuilt=unbuilt, unbuilt_squadrons=unbuilt_squadrons, bases=bases
    )
    form = conversion.surplus_form(ended.by_base, ended.surplus)
    wire = form.default if remove is None else {base: {"removed": number} for base, number in remove.items()}
    removed = form.read(wire, "23.142C").held_by("removed")
    by_base = {base: number - removed.get(base, 0) for base, number in ended.by_base.items()}
    return {
        "by_base": by_base,
        "in_play": other_in_play + sum(by_base.values()),
        "unbuilt": ended.unbuilt,
        "remnants": ended.remnants,
        "surplus": ended.surplus,
        "removed": removed,
        "shortfall": ended.shortfall,
    }


@question
def end_of_turn_air(
    *,
    squadrons: dict[str, Stack],
    unbuilt_squadrons: int = 0,
    kind: str = "AAF",
    unbuilt: int = 0,
    other_in_play: int = 0,
    holding: int | None = None,
    pool: int | None = None,
    remove: dict[str, int] | None = None,
) -> dict[str, Any]:
    """What all squadrons become when a player turn ends (23.141C, 23.142): unbuilt ones first, then base by base.

    Give the force pool (`pool`, with `other_in_play` and `unbuilt` factors), or the factors in the `holding` area. `remove`
    is the owner's choice {base: factors} if more are formed than the force pool allows. `uninverted` counts the uninverted
    factors at bases whose squadrons are told by role.
    """
    _kind(kind)
    _counts(unbuilt_squadrons=unbuilt_squadrons, unbuilt=unbuilt, other_in_play=other_in_play)
    known = _pool(pool, holding, other_in_play + unbuilt)
    if known is None:
        raise PlayerError("give the force pool, or the factors in the holding area")
    numbers = {base: sum(sorts.values()) for base, sorts in _sorts(squadrons).items()}
    ended = _at_turn_end(known, other_in_play, unbuilt, unbuilt_squadrons, numbers, remove)
    uninverted = {
        base: min(conversion.recombine(*_by_role(stack)).uninverted, ended["by_base"][base])  # inverted ones go first
        for base, stack in squadrons.items()
        if not isinstance(stack, int)
    }
    return ended | {"uninverted": uninverted}


@question
def air_transport_fate(*, results: list[str], factors: int = 1) -> dict[str, Any]:
    """What becomes of air transport factors (23.18) after each of several separate results: "0", "0/1", "1/2", ...

    By result, the factors eliminated, inverted (their mission ends) and continuing; `fates` says it in a word where all
    factors fare alike, and "divided" where they do not.
    """
    if factors < 1:
        raise PlayerError(f"give one or more air transport factors, not {factors}")
    counts: dict[str, dict[str, int]] = {}
    fates: dict[str, str] = {}
    for result in results:
        counts[result] = conversion.air_transport_fate(factors, *_result(result))._asdict()
        alike = [fate for fate, number in counts[result].items() if number == factors]
        fates[result] = alike[0] if alike else "divided"
    return {"fates": fates, "factors": counts}


def _result(text: str) -> tuple[int, int]:
    """An air combat result: eliminated and aborted."""
    numbers = text.split("/")
    if len(numbers) > 2 or not all(number.isascii() and number.isdigit() and len(number) < 4 for number in numbers):
        raise PlayerError(f"{text!r} is no air combat result; results look like 0 or 1/2 (eliminated/aborted)")
    return int(numbers[0]), int(numbers[1]) if len(numbers) == 2 else 0


@question
def air_unit_uses(
    *,
    later: list[UseJson],
    unit: AirUnit = AirUnit.NAS,
    uses: list[UseJson] | None = None,
    inverted: bool = False,
    operational: bool = True,
    redeploys: bool = False,
    own_player_turn: bool = True,
    turned_back: list[str] | None = None,
) -> dict[str, Any]:
    """What a land-based squadron may still do this player turn after its `uses` (23.16), each of `later` by itself.

    Units: NAS, search AAS, cover AAS, attack AAS. Activities: spot, search, cover, attack at sea, attack in port,
    counterair, ground support, defensive air support or its interception, airdrop protection, airdrop interception, the
    interception or counter-interception of air transport. An AAS flies a mission as part of a factor, and attacks no
    ships in port by itself (23.11F). `turned_back` are
    occasions at which counterair turned it back (22.442C). `inverts` says when its naval uses invert it;
    `may_be_uninverted`, whether it may be turned again when this player turn, its owner's or not, ends.
    """
    if unit not in ("NAS", *conversion.ARMY_SQUADRONS):
        known = ", ".join(("NAS", *conversion.ARMY_SQUADRONS))
        raise PlayerError(f"{str(unit)!r} is no land-based squadron; there are {known} (23.131 breaks factors down)")
    done: list[conversion.Use] = []
    for use in uses or ():
        bar = _bar(done, use, unit, in_a_factor=True)
        if bar:
            raise PlayerError(f"{unit} cannot have done that ({use.activity}): {bar.why} ({bar.rule})")
        done.append(conversion.Use(use.activity, use.occasion))
    bars = [_bar(done, use, unit, inverted, operational, turned_back or ()) for use in later]
    inverts = conversion.inversion(done, redeploys=redeploys)
    return {
        "legal": [bar is None for bar in bars],
        "later": [
            {
                "activity": use.activity,
                "occasion": use.occasion,
                "legal": bar is None,
                "rule": bar.rule if bar else "",
                "why": bar.why if bar else "",
                "costs_nothing": conversion.costs_nothing(use.activity),
            }
            for use, bar in zip(later, bars, strict=True)
        ],
        "committed": conversion.is_committed(done),
        "inverts": inverts,
        "inverted_at_end_of_redeployment": inverted or inverts != "never",
        "may_be_uninverted": conversion.may_be_uninverted(redeployed=redeploys, own_player_turn=own_player_turn),
    }


def _bar(
    done: list[conversion.Use],
    use: UseJson,
    unit: str,
    inverted: bool = False,
    operational: bool = True,
    turned_back: Sequence[str] = (),
    in_a_factor: bool = False,
) -> conversion.Bar | None:
    return conversion.bar_to(
        done,
        use.activity,
        use.occasion,
        unit=unit,
        inverted=inverted,
        operational=operational,
        fleeing=use.fleeing,
        turned_back=turned_back,
        in_a_factor=in_a_factor,
    )
