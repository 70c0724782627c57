"""Questions about air attacks outside strikes on groups: on ships on passage (23.23, 23.75), on ports (23.41, 23.5, 23.6), and
on land bases in naval combat (22.43)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from flagplot.api.air import attacks_told
from flagplot.api.air_words import PhaseEvent, RaidOccasion
from flagplot.api.calls import Decision, question
from flagplot.api.scripts import run_script
from flagplot.api.shapes import GroupJson, lines, nations
from flagplot.api.shapes import squadrons as checked
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model.air_events import (
    AirDefenseCounted,
    AirDefenseRolled,
    CounterairEnded,
    CounterairFought,
    CoverAssigned,
    PortAirEnded,
    PortAirFought,
    ShipHitInPort,
    StrikersLost,
)
from flagplot.model.amendment_fold import is_factor
from flagplot.model.events import GroupRevealed, LightShipsHit
from flagplot.model.forces import CombatGroup
from flagplot.model.squadrons import AirBase, Counterair, Port, Strike, squadron, total
from flagplot.model.state import Base, Battle, Fleet
from flagplot.rules.air import attack, escape, passage, ports, upkeep
from flagplot.rules.air.cover import available
from flagplot.rules.air.landing import settle_air_bases
from flagplot.rules.air.patrol import fly_counterair
from flagplot.rules.air.strikes import may_be_struck, press_home
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
    level = attack.air_defense_level(
        rules.air_defense_level,
        ships.ships,
        ships.light,
        research=research,
        surprise=rules.surprise,
        level=0,
        port=_known_port(port),
    )
    told: dict[str, Any] = {"level": level.total, "lines": lines(level)["lines"]}
    if dice:
        result = rules.air_defense.result(level.total, sum(dice))
        told |= {"result": str(result), "eliminated": result.eliminated, "aborted": result.aborted}
    return told


def _known_port(port: Port) -> Port:
    """A port with numbers that can be."""
    for name in port.__struct_fields__[1:]:
        most = 2 if name == "fortification" else MOST_IN_PORT
        if not 0 <= getattr(port, name) <= most:
            raise PlayerError(f"23.4212: {getattr(port, name)} {name} will not do here; it must be from 0 to {most}")
    return port


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
    winter: list[str] | None = None,
) -> dict[str, Any]:
    """One round of air combat over a port (23.411, 23.412): the attacker's two dice if he counterairs, the defender's two.

    Units by key: factors "Japan/AAF", naval air "Japan/NAS"; attackers from land with their base, "Germany/AAF@Catania".
    Where naval air takes part army air fights as squadrons. Decisions: axis and allies "air loss order", "air losses".
    """
    sent = _Sortie(counterair or {}, ships or {}, defenders, inverted or {}, inverted_too)
    table = _over_port(rules, sent, Port("Port"), CombatGroup(1), impaired=impaired, winter=winter)
    used = run_script(ports.fight_over_port(table), dice, decisions)
    return {**_port_air_combat(table.log, checked(sent.ships, factors=True)), "dice_used": used}


@question
def port_sortie(
    *,
    rules: Ruleset,
    dice: list[int],
    decisions: list[Decision],
    port: Port,
    group: GroupJson,
    ships: dict[str, int],
    counterair: dict[str, int] | None = None,
    defenders: dict[str, int] | None = None,
    inverted: dict[str, int] | None = None,
    inverted_too: bool = False,
    research: int = 0,
    impaired: list[str] | None = None,
    winter: list[str] | None = None,
    impaired_ships: list[str] | None = None,
) -> dict[str, Any]:
    """One whole sortie by the Axis against an Allied port (23.41 to 23.44, 23.53), on these dice and decisions.

    `ships` go for the ships of `group`, `counterair` for the aircraft; all else as in port_air_combat and
    port_defense_level. Dice in order: two for the attacker if he counterairs, two for defenders that are not inverted
    or are attacked; two for air defense if anybody is left for the ships; then two for each target, named ships in the
    group's order, then light ships. Decisions: air loss order, air losses, air targets, loss order, critical hit.
    """
    sent = _Sortie(counterair or {}, ships, defenders or {}, inverted or {}, inverted_too)
    table = _over_port(
        rules,
        sent,
        _known_port(port),
        msgspec.structs.replace(group.group(), number=1),
        research=research,
        impaired=impaired,
        winter=winter,
        impaired_ships=impaired_ships,
    )
    used = run_script(_fly(table), dice, decisions)
    log = table.log
    levels = [lines(e.level)["lines"] for e in log if isinstance(e, AirDefenseCounted)]
    return {
        "air_combat": _port_air_combat(log, checked(ships, factors=True)),
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
        "revealed": any(isinstance(e, GroupRevealed) for e in log),
        "attacks": attacks_told(log),
        "ships": {e.ship: e.fate for e in log if isinstance(e, ShipHitInPort)},
        "light": [{"sunk": e.sunk, "damaged": e.damaged} for e in log if isinstance(e, LightShipsHit)],
        "dice_used": used,
    }


async def _fly(table: Table) -> None:
    await ports.fight_over_port(table)
    if table.battle.strike is not None:
        await press_home(table)


class _Sortie(NamedTuple):
    """A sortie against a port, and the aircraft there."""

    counterair: dict[str, int]
    ships: dict[str, int]
    defenders: dict[str, int]
    inverted: dict[str, int]
    inverted_too: bool


def _over_port(
    rules: Ruleset,
    sent: _Sortie,
    port: Port,
    group: CombatGroup,
    *,
    research: int = 0,
    impaired: list[str] | None = None,
    winter: list[str] | None = None,
    impaired_ships: list[str] | None = None,
) -> Table:
    """A table on which a sortie by the Axis against an Allied port is under way."""
    against_air, against_ships, awake, asleep = (checked(counts, factors=True) for counts in sent[:4])
    _may_fly(against_air, against_ships)
    homes = sorted({squadron(key).base for key in (*against_air, *against_ships)} - {""})
    fleets = {
        Side.AXIS: Fleet("Axis", air_bases=tuple(_home(name, against_air, against_ships) for name in homes)),
        Side.ALLIES: Fleet(
            "Allies",
            groups=(group,),
            air_bases=(_at(port.name, awake, asleep),),
            impaired=nations(impaired_ships),
            research={"air defense": research},
        ),
    }
    for side, fleet in fleets.items():
        short, cold = nations(impaired), nations(winter)
        fleets[side] = msgspec.structs.replace(fleet, impaired_air=short, winter_air=cold)
    table = Table(rules, Battle(kind="port attack", fleets=fleets, aircraft=True, port=port))
    ports.launch_sortie(table, against_air, against_ships, inverted_too=sent.inverted_too)
    return table


def _may_fly(against_air: dict[str, int], against_ships: dict[str, int]) -> None:
    """Refuse a sortie of units that may not fly it, or not together."""
    units = [squadron(key) for key in (*against_air, *against_ships)]
    if not units:
        raise PlayerError(
            "23.411: give what attacks, the aircraft (counterair) or the ships, as in Germany/AAF@Catania"
        )
    if unfit := [key for key in against_ships if squadron(key).kind == "AAS"]:
        raise IllegalChoice("23.11F", f"{', '.join(unfit)} may not attack ships in port; whole factors may")
    if homeless := [unit for unit in units if unit.kind != "NAS" and not unit.base]:
        raise PlayerError(f"{homeless[0].kind} fly from land; give their base, as in {homeless[0].type}@Name")
    if not ports.may_raid_together(any(unit.base for unit in units), any(not unit.base for unit in units)):
        raise IllegalChoice("23.51", "land-based and carrier-based air never attack one base together")


def _port_air_combat(log: Sequence[Event], against_ships: dict[str, int]) -> dict[str, Any]:
    """What air combat over a port came to."""
    fought = next((event for event in log if isinstance(event, PortAirFought)), None)
    ended = next((event for event in log if isinstance(event, PortAirEnded)), None)
    if fought is None or ended is None:
        return {"fought": False, "going_on": against_ships}
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
    }


@question
def counterair_in_battle(
    *,
    rules: Ruleset,
    dice: list[int],
    decisions: list[Decision],
    squadrons: dict[str, int],
    defenders: dict[str, int],
    inverted: dict[str, int] | None = None,
    inverted_too: bool = False,
    impaired: list[str] | None = None,
    winter: list[str] | None = None,
) -> dict[str, Any]:
    """Carrier air against the aircraft of a land base in naval combat (22.432): one round of air combat, the attacker's two
    dice first; then who may act this round, in later rounds, and in the player turn after the battle (22.433 to 22.435).

    Units by key: "Japan/NAS" attack; "United States/AAF", "United States/NAS" defend. Decisions: "air loss order", "air losses".
    """
    flying, awake, asleep = checked(squadrons), checked(defenders, factors=True), checked(inverted or {}, factors=True)
    if unfit := [key for key in flying if squadron(key).kind != "NAS" or squadron(key).base]:
        raise IllegalChoice(
            "22.431", f"{unfit[0]} do not; in naval combat naval air of carriers counterairs land bases"
        )
    if not flying or not (awake or asleep):
        raise PlayerError("22.432: give squadrons that attack, and aircraft at the base that they could attack")
    base, short, cold = _at("Base", awake, asleep), nations(impaired), nations(winter)
    fleets = {
        Side.AXIS: Fleet("Axis", impaired_air=short, winter_air=cold),
        Side.ALLIES: Fleet("Allies", impaired_air=short, winter_air=cold, air_bases=(base,)),
    }
    table = Table(rules, Battle(fleets=fleets, aircraft=True))
    raid = Counterair(
        Side.AXIS, base.name, flying, inverted_too or not awake
    )  # who attacks inverted ones alone attacks these
    used = run_script(fly_counterair(table, raid), dice, decisions)
    fought = next(event for event in table.log if isinstance(event, CounterairFought))
    ended = next(event for event in table.log if isinstance(event, CounterairEnded))
    after = table.fleet(Side.ALLIES).air_base(base.name)
    settle_air_bases(table)
    return {
        "rows": {"attacker": total(fought.attackers), "defender": total(fought.defenders)},
        "attacker_drm": fought.modifiers.total,
        "lines": lines(fought.modifiers)["lines"],
        "attacker_result": str(Result(fought.eliminated[Side.AXIS], fought.aborted[Side.AXIS])),
        "defender_result": str(Result(fought.eliminated[Side.ALLIES], fought.aborted[Side.ALLIES])),
        "attackers_lost": total(ended.lost),
        "attackers_aborted": total(ended.aborted),
        "attackers_may_strike": total(ended.back),
        "defenders_lost": total(ended.base_lost),
        "defenders_aborted": total(ended.base_aborted),
        "defenders_this_round": total(after.free),
        "defenders_in_later_rounds": total(after.squadrons),
        "inverted_after_battle": total(table.fleet(Side.ALLIES).air_base(base.name).inverted) - total(after.inverted),
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


class NavalHaven(msgspec.Struct, forbid_unknown_fields=True):
    """A naval base that ships might flee to: how far it is, and what may stand against it."""

    distance: int
    able: bool = True  # within range and able to receive them (21.3613, 21.112)
    in_enemy_air_range: bool = False  # of uninverted enemy land-based air, or of a patrol


class AirHaven(msgspec.Struct, forbid_unknown_fields=True):
    """An air base that aircraft might flee to: its room, and what may stand against it."""

    room: int
    in_staging_range: bool = True
    attacked: bool = False  # now, or earlier in the phase


@question
def escape_places(
    *,
    bases: dict[str, int | NavalHaven] | None = None,
    invaded: list[str] | None = None,
    airfields: dict[str, int | AirHaven] | None = None,
    attacked: bool = True,
    patrol_attacked_near: bool = False,
    patrol_fought_near: bool = False,
) -> dict[str, Any]:
    """Whether ships and aircraft may leave their base to avoid air attack, where they may go, and where not (23.46).

    `bases` are naval bases with their distance in hexes, `airfields` air bases with their room; where something stands
    against one, or may, it is an object that says so. Ships sunk in port stay there, and a patrol may not follow who
    flees (23.462). There has been a round of air attacks on them, or of air attacks by a patrol near them on another
    base, or of naval combat against such a patrol.
    """
    harbors = {name: NavalHaven(base) if isinstance(base, int) else base for name, base in (bases or {}).items()}
    places = {name: AirHaven(base) if isinstance(base, int) else base for name, base in (airfields or {}).items()}
    known = [
        Base(name, base.distance, name in (invaded or ()))
        for name, base in harbors.items()
        if escape.may_take_in_ships(able=base.able, in_enemy_air_range=base.in_enemy_air_range)
    ]
    fields = Fleet(
        air_bases=tuple(
            AirBase(name, capacity=base.room, operational=base.in_staging_range and not base.attacked)
            for name, base in places.items()
        )
    )
    may = escape.may_flee(
        attacked=attacked, patrol_attacked_near=patrol_attacked_near, patrol_fought_near=patrol_fought_near
    )
    ships = [base.name for base in escape.bases_to_flee_to(known)]
    aircraft = [base.name for base in escape.airfields_to_flee_to(fields, Port(""))]
    barred = [[name, *_naval_bar(base, name in (invaded or ()))] for name, base in harbors.items() if name not in ships]
    barred += [[name, *_air_bar(base)] for name, base in places.items() if name not in aircraft]
    return {
        "may_flee": may,
        "ships": ships if may else [],
        "aircraft": aircraft if may else [],
        "barred": barred,
        "aircraft_inverted": True,
    }


def _naval_bar(base: NavalHaven, invaded: bool) -> tuple[str, str]:
    """Why ships do not flee to a base."""
    if not base.able or invaded:
        return "23.462A", "it is out of range, or cannot receive them"
    if base.in_enemy_air_range:
        return "23.462A", "enemy air on land or a patrol reaches it"
    return "23.462A", "it is not the nearest"


def _air_bar(base: AirHaven) -> tuple[str, str]:
    """Why aircraft do not flee to a base."""
    if base.attacked:
        return "23.461A", "it is attacked, or was earlier in the phase"
    return "23.461A", "it has no room" if base.in_staging_range else "it is out of staging range"


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
def carrier_raid(*, occasion: RaidOccasion, ships: bool = True, land_based_too: bool = False) -> dict[str, Any]:
    """Whether carriers may attack an enemy base (23.61): its ships, or only its aircraft, and not with land-based air.

    The mission hex is that of a fast carrier mission, by itself or with another mission.
    """
    together = ports.may_raid_together(land_based_too, carrier_based=True)
    legal = together and ports.carriers_may_attack_base(occasion, ships=ships)
    if not together:
        rule, why = "23.51", "land-based and carrier-based air never attack one base together"
    elif occasion is RaidOccasion.ANOTHER:
        rule, why = "23.62", "only from their patrol hex or on the way there, their mission hex, or in naval combat"
    elif legal:
        rule, why = "23.61", f"{'ships in port' if ships else 'aircraft'} may be attacked then"
    else:
        rule, why = "23.61", "the aircraft of the base may be attacked then, its ships may not"
    return {"legal": legal, "rule": rule, "why": why, "occasions": list(ports.OCCASIONS)}


@question
def combat_phase(*, events: list[PhaseEvent]) -> dict[str, Any]:
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
