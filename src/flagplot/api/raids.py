"""Questions about air attacks outside naval combat: on ships on passage (23.23, 23.75) and on ports (23.41, 23.5, 23.6)."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from flagplot.api.calls import Decision, question
from flagplot.api.scripts import run_script
from flagplot.api.shapes import GroupJson, lines
from flagplot.api.shapes import squadrons as checked
from flagplot.core.errors import PlayerError
from flagplot.core.sides import Side
from flagplot.model.air_events import CoverAssigned, PortAirEnded, PortAirFought
from flagplot.model.amendment_fold import is_factor
from flagplot.model.forces import CombatGroup
from flagplot.model.squadrons import AirBase, Port, Strike, squadron, total
from flagplot.model.state import Base, Battle, Fleet
from flagplot.rules.air import attack, escape, passage, ports, upkeep
from flagplot.rules.air.cover import available
from flagplot.rules.air.strikes import may_be_struck
from flagplot.rules.table import Ruleset, Table
from flagplot.tables.results import Result

MOST_IN_PORT = 999  # of anything that shoots there

# -- on passage ---------------------------------------------------------------------------------


@question
def cover_shares(
    *, rules: Ruleset, decisions: list[Decision], cover: int, groups: list[str], strikes: dict[str, int]
) -> dict[str, Any]:
    """How cover over a force on passage is shared among the groups that are attacked (23.23D).

    `strikes` are squadrons against each group attacked. The decision is ["allies", "cover shares", answer] with places CG1,
    CG2 ... in the order of `groups`; without it the groups under the largest strikes have the larger shares.
    """
    if unknown := [name for name in strikes if name not in groups] or cover < 0 or not groups:
        raise PlayerError(f"23.23D: give some cover, groups, and strikes on these; {unknown} will not do")
    numbers = {name: number for number, name in enumerate(groups, start=1)}
    covering = {"/AAS/cover@Field": cover} if cover else {}
    declared = tuple(
        Strike(Side.AXIS.value, numbers[name], False, {"/AAS/attack@Base": size}) for name, size in strikes.items()
    )
    force = Fleet(groups=tuple(CombatGroup(number) for number in numbers.values()), cover=covering)
    table = Table(rules, Battle(fleets={Side.AXIS: Fleet(), Side.ALLIES: force}, declared=declared))
    run_script(passage.share_cover(table), [], decisions)
    shared = next((event.cover for event in table.log if isinstance(event, CoverAssigned)), {})
    return {"shares": {name: total(shared.get(numbers[name], {})) for name in strikes}}


@question
def sorties_on_passage(*, squadrons: int, results: list[int], lost: list[int] | None = None) -> dict[str, Any]:
    """Strikes allowed in each hex that a group passes (23.752), by the search results on it there, and the squadrons that
    are left to attack, by those lost in each hex."""
    gone = [*(lost or []), *[0] * len(results)][: len(results)]
    allowed: list[int] = []
    left: list[int] = []
    again = False
    for results_here, lost_here in zip(results, gone, strict=True):
        spent = 0
        while may_be_struck(CombatGroup(1, found=results_here, spent=spent)):
            spent += 1
        allowed.append(spent)
        rested, flown = (_field(squadrons, used=used) for used in (0, squadrons))
        left.append(sum(number for _, number in available(rested, "attack")))
        again = again or any(available(flown, "attack"))
        squadrons -= min(squadrons, lost_here)
    return {"strikes": allowed, "available": left, "same_squadron_twice_in_a_hex": again}


def _field(squadrons: int, *, used: int) -> Fleet:
    key = "Germany/AAS/attack"
    return Fleet(air_bases=(AirBase("Field", squadrons={key: squadrons}, used={key: used}),))


# -- ports ----------------------------------------------------------------------------------------


@question
def port_defense_level(
    *, rules: Ruleset, dice: list[int], port: Port, group: GroupJson, research: int = 0
) -> dict[str, Any]:
    """The air defense level of a port with all ships in it (23.421, 23.4212), line by line; with two dice also what they
    shoot down."""
    ships = group.group()
    for name in port.__struct_fields__[1:]:
        most = 2 if name == "fortification" else MOST_IN_PORT
        if not 0 <= getattr(port, name) <= most:
            raise PlayerError(f"23.4212: {getattr(port, name)} {name} will not do here; it must be from 0 to {most}")
    level = attack.air_defense_level(
        rules.air_defense_level,
        ships.ships,
        ships.light,
        research=research,
        surprise=rules.surprise,
        level=0,
        port=port,
    )
    told: dict[str, Any] = {"level": level.total, "lines": lines(level)["lines"]}
    if dice:
        result = rules.air_defense.result(level.total, sum(dice))
        told |= {"result": str(result), "eliminated": result.eliminated, "aborted": result.aborted}
    return told


@question
def port_air_combat(
    *,
    rules: Ruleset,
    dice: list[int],
    decisions: list[Decision],
    defenders: dict[str, int],
    counterair: dict[str, int] | None = None,
    ships: dict[str, int] | None = None,
    inverted: dict[str, int] | None = None,
    inverted_too: bool = False,
    impaired: list[str] | None = None,
) -> dict[str, Any]:
    """One round of air combat over a port (23.411, 23.412): the attacker's two dice if he counterairs, the defender's two.

    Units by key: factors "Japan/AAF", naval air "Japan/NAS"; attackers from land with their base, "Germany/AAF@Catania".
    Where naval air takes part army air fights as squadrons. Decisions: axis and allies "air loss order", "air losses".
    """
    port = Port("Port")
    against_air, against_ships, awake, asleep = (
        checked(counts or {}, factors=True) for counts in (counterair, ships, defenders, inverted)
    )
    homes = sorted({squadron(key).base for key in (*against_air, *against_ships)} - {""})
    mine = Fleet("Axis", air_bases=tuple(_home(name, against_air, against_ships) for name in homes))
    short = tuple(impaired or ())
    fleets = {
        Side.AXIS: Fleet("Axis", air_bases=mine.air_bases, impaired_air=short),
        Side.ALLIES: Fleet(
            "Allies",
            groups=(CombatGroup(1),),
            impaired_air=short,
            air_bases=(_at(port.name, awake, asleep),),
        ),
    }
    table = Table(rules, Battle(kind="port attack", fleets=fleets, aircraft=True, port=port))
    ports.launch_sortie(table, against_air, against_ships, inverted_too=inverted_too)
    used = run_script(ports.fight_over_port(table), dice, decisions)
    fought = next((event for event in table.log if isinstance(event, PortAirFought)), None)
    ended = next((event for event in table.log if isinstance(event, PortAirEnded)), None)
    if fought is None or ended is None:
        return {"fought": False, "going_on": against_ships, "dice_used": used}
    results = {
        side: str(Result(fought.eliminated[side], fought.aborted[side])) if side in fought.eliminated else ""
        for side in Side
    }
    return {
        "fought": True,
        "rows": {"attacker": fought.rows[Side.AXIS], "defender": fought.rows[Side.ALLIES]},
        "attacker_drm": fought.modifiers.total,
        "lines": lines(fought.modifiers)["lines"],
        "attacker_result": results[Side.AXIS],
        "defender_result": results[Side.ALLIES],
        "lost": ended.lost,
        "aborted": ended.aborted,
        "back": ended.back,
        "going_on": ended.going_on,
        "defenders_lost": ended.base_lost,
        "defenders_aborted": ended.base_aborted,
        "defenders_eliminated": total(ended.base_lost),
        "defenders_turned_back": total(ended.base_aborted),
        "dice_used": used,
    }


def _at(name: str, awake: dict[str, int], asleep: dict[str, int]) -> AirBase:
    """A base with these units, factors and squadrons."""
    whole = [{key: n for key, n in counts.items() if is_factor(key)} for counts in (awake, asleep)]
    parts = [{key: n for key, n in counts.items() if not is_factor(key)} for counts in (awake, asleep)]
    return AirBase(
        name, factors=whole[0], squadrons=parts[0], inverted=parts[1], inverted_factors=whole[1], capacity=99
    )


def _home(name: str, *sent: dict[str, int]) -> AirBase:
    """The base of attackers, as they stood there before they took off."""
    counts: dict[str, int] = {}
    for each in sent:
        for key, number in each.items():
            if squadron(key).base == name:
                unit = key.removesuffix(f"@{name}")
                counts[unit] = counts.get(unit, 0) + number
    return _at(name, counts, {})


@question
def port_aborts(*, aborted: list[int]) -> dict[str, Any]:
    """What becomes of defending squadrons turned back in each sortie against their port (23.412A): they fight in the next,
    and those of the last stay inverted for the rest of the attacker's player turn."""
    inverted = ports.inverted_when_it_ends([{"squadrons": number} for number in aborted])
    return {"fight_again": [index < len(aborted) - 1 for index in range(len(aborted))], "inverted": total(inverted)}


@question
def escape_places(
    *,
    bases: dict[str, int] | None = None,
    invaded: list[str] | None = None,
    airfields: dict[str, int] | None = None,
    attacked: bool = True,
    patrol_attacked_near: bool = False,
    patrol_fought_near: bool = False,
) -> dict[str, Any]:
    """Whether ships and aircraft may leave their base to avoid air attack, and where they may go (23.46).

    `bases` are naval bases that qualify, with their distance in hexes; `airfields` air bases that qualify, with their room.
    There has been a round of air attacks on them, or of air attacks by a patrol near them on another base, or of naval
    combat against such a patrol.
    """
    known = [Base(name, distance, name in (invaded or ())) for name, distance in (bases or {}).items()]
    fields = Fleet(air_bases=tuple(AirBase(name, capacity=room) for name, room in (airfields or {}).items()))
    may = escape.may_flee(
        attacked=attacked, patrol_attacked_near=patrol_attacked_near, patrol_fought_near=patrol_fought_near
    )
    return {
        "may_flee": may,
        "ships": [base.name for base in escape.bases_to_flee_to(known)],
        "aircraft": [base.name for base in escape.airfields_to_flee_to(fields, Port(""))],
        "aircraft_inverted": True,
    }


@question
def counterair_targets(
    *, decisions: list[Decision], squadrons: dict[str, int], bases: dict[str, dict[str, int]]
) -> dict[str, Any]:
    """Which bases army squadrons attack that were broken down to counterair naval air (23.152): those that hold any, each
    squadron by itself, and none stays behind. The decision is ["axis", "counterair", answer] with bases as places."""
    form = ports.spread_form(
        checked(squadrons), {name: checked(counts, factors=True) for name, counts in bases.items()}
    )
    if not form.places:
        raise PlayerError("23.152B: none of these bases holds naval air; army air counterairs them as factors (18.52)")
    told = next((answer for _, kind, answer in decisions if kind == "counterair"), form.default)
    answer = form.read(told, "23.152B")
    return {
        "bases": [place.key for place in form.places],
        "sent": {place.key: answer.held_by(place.key) for place in form.places},
    }


@question
def carrier_raid(*, occasion: str, ships: bool = True, land_based_too: bool = False) -> dict[str, Any]:
    """Whether carriers may attack an enemy base (23.61): its ships, or only its aircraft, and not with land-based air."""
    alone = ports.may_raid_together(land_based_too, carrier_based=True)
    return {
        "legal": alone and ports.carriers_may_attack_base(occasion, ships=ships),
        "occasions": list(ports.OCCASIONS),
    }


@question
def combat_phase(*, events: list[str]) -> dict[str, Any]:
    """What comes first in a combat phase (23.51): counterair, an attack in port, an interception by ships."""
    return {"order": ports.in_order_of_the_combat_phase(events)}


@question
def base_after(
    *,
    base: AirBase,
    when: Literal["redeployment phase", "counterair", "player turn", "own player turn"],
    used: dict[str, int] | None = None,
    redeployed: dict[str, int] | None = None,
) -> dict[str, Any]:
    """An air base when something is over: the redeployment phase (23.164: `used` squadrons are inverted), all counterair of a
    phase (23.152D), a player turn (23.141C), the owner's own player turn (23.164: what did not redeploy is turned again)."""
    lost: dict[str, int] = {}
    if when == "redeployment phase":
        base = upkeep.invert_used(base, used or {})
    elif when == "counterair":
        base, lost = upkeep.put_together_after_counterair(base)
    elif when == "player turn":
        base, lost = upkeep.put_together_all(base)
    else:
        base = upkeep.uninvert(base, redeployed or {})
    return {"base": msgspec.to_builtins(base), "lost": lost}
