"""23.42 to 23.44: what ships put up against aircraft, and what aircraft do to ships. Everything here is pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from flagplot.core.events import Modifiers
from flagplot.core.rulebook import rule
from flagplot.model.ships import Counts, Ship, light, number_of
from flagplot.model.squadrons import Port
from flagplot.rules.air.combat import lowest_crew
from flagplot.rules.air.nationality import AirCrew, air_nationality_lines
from flagplot.rules.naval.gunnery import Crew, lowest, nationality_lines
from flagplot.tables.air_defense import AirDefenseLevel
from flagplot.tables.air_nationality import AirNationality
from flagplot.tables.naval_nationality import NavalNationality
from flagplot.tables.surprise import SurpriseTable

HEAVY_DICE = 5  # RC-06: a kamikaze's die of 6 always falls on the light ships


@rule("23.4211", "23.42T", "23.421")
def defending_factors(numbers: AirDefenseLevel, ships: Iterable[Ship], counts: Counts) -> int:
    """23.4211. Naval factors that shoot at aircraft: damaged ones and destroyers with cargo fully, an escort carrier as
    three, transports not at all (AN-21)."""
    named = sum(ship.size for ship in ships)
    escorts = number_of(counts, "CVE") * (numbers.escort_carrier_factors - 1)
    return named + escorts + sum(light(key).factors * number for key, number in counts.items())


@rule("23.4212", "23.42T")
def port_defense(numbers: AirDefenseLevel, port: Port) -> Modifiers:
    """23.4212. What a port adds to the air defense of the ships in it: two for each city or port, one for each flak factor,
    airbase, objective and anchor, and its fortification; beach defenses nothing."""
    lines = Modifiers().plus("23.4212A", "port and cities", port.symbols * numbers.per_port_or_city)
    lines = lines.plus("23.4212B", "flak", port.flak * numbers.per_flak_factor)
    lines = lines.plus("23.4212B", "airbases", port.airbases * numbers.per_airbase)
    lines = lines.plus("23.4212B", "objectives", port.objectives * numbers.per_objective)
    lines = lines.plus("23.4212B", "anchors", port.anchors * numbers.per_anchor)
    amount, what = ((0, ""), (numbers.fortification, "fortification"), (numbers.fortress, "fortress"))[
        port.fortification
    ]
    return lines.plus("23.4212C", what, amount)


@rule("23.421", "23.4211", "23.4213", "23.42T", "23.415E")
def air_defense_level(
    numbers: AirDefenseLevel,
    ships: Sequence[Ship],
    counts: Counts,
    *,
    research: int,
    surprise: SurpriseTable,
    level: int,
    port: Port | None = None,
) -> Modifiers:
    """23.421. The air defense level of a group at sea, or of all ships in a port with the port's own, line by line; at 0
    they do not shoot (AN-23)."""
    factors = defending_factors(numbers, ships, counts)
    lines = port_defense(numbers, port) if port else Modifiers()
    lines = lines.plus("23.42", f"{factors} naval factors", -(-factors // numbers.factors_per_level))
    lines = lines.plus("23.4213", "air defense research", research * numbers.per_research)
    battleships = sum(ship.kind == "BB" and ship.size == 5 for ship in ships)
    lines = lines.plus("23.42", "five-factor battleships", battleships * numbers.per_five_factor_battleship)
    large = sum(ship.kind == "CVB" for ship in ships)
    lines = lines.plus("23.42", "large carriers", large * numbers.per_large_carrier)
    lines = lines.plus(surprise.level_rule, "surprise", surprise.effects(level).air_defense)
    return lines.at_least(0, "23.4211D", "never below none")


@rule("23.4211D", "22.463T.7")
def makes_air_defense_roll(level: int, *, submarines: bool = False, surprised: bool = False) -> bool:
    """23.4211D. Whether an attacked force shoots: at level one or more, which research alone may give; submarines never,
    nor those whom a surprise keeps from it."""
    return level > 0 and not submarines and not surprised


@rule("23.74121", "23.74122", "23.7413T", "22.463T")
def surprise_modifiers(table: SurpriseTable, results: int, radar: int, earlier_strikes: int = 0) -> Modifiers:
    """23.74122. What is added to the surprise die: search results on the group that is struck, its owner's radar, and
    where they count earlier strikes on it this round."""
    lines = Modifiers().plus(table.search_rule, "search results", table.for_results(results))
    lines = lines.plus(table.radar_rule, "defender's radar", radar * table.radar)
    return lines.plus(table.strikes_rule, "earlier strikes on the group", earlier_strikes * table.earlier_strike)


@rule("23.441", "23.44T", "22.55T.24", "22.55T.25", "22.55T.26", "22.55T.27")
def air_attack_modifiers(
    air: AirNationality,
    naval: NavalNationality,
    attackers: Iterable[AirCrew],
    target: Iterable[Crew],
    *,
    naval_air_bonus: int,
    surprise: SurpriseTable,
    level: int,
    enemy_tactical: int,
) -> Modifiers:
    """23.441. The modifier of one air attack roll: the attackers' lowest DRM, less the target's own; naval air at sea;
    surprise (AN-26, AN-27)."""
    members = list(attackers)
    lines = Modifiers()
    for reason, amount in air_nationality_lines(air, lowest_crew(air, members)):
        lines = lines.plus("23.441A", reason, amount)
    struck = list(target)  # a bare supply line has nobody aboard
    for reason, amount in nationality_lines(naval, lowest(naval, struck)) if struck else ():
        lines = lines.plus("23.441B", f"against {reason}", -amount)
    lines = lines.plus("48.51B", "enemy tactical codebreaking", -enemy_tactical if struck else 0)
    all_naval = all(member.kind == "NAS" for member in members)
    lines = lines.plus("23.44", "naval air against ships at sea", naval_air_bonus if all_naval else 0)
    return lines.plus(surprise.attack_rule, "surprise", surprise.effects(level).attack_bonus)


@rule("17.475F")
def kamikaze_rank(ship: Ship) -> tuple[bool, int, bool, bool, int]:
    """17.475F. Carriers before capital ships, larger first, of capital ships the slower first; then damaged ones, then
    of the sound ones those with more hits (RC-06)."""
    hits = 0 if ship.damaged else ship.hits
    return (ship.is_capital, -ship.size, ship.is_capital and ship.fast, not ship.damaged, -hits)


@rule("17.475F")
def kamikaze_target(ranked: Sequence[str], light_ships: str, die: int) -> str:
    """17.475F. What a kamikaze falls upon: the ship of that rank; the light ships on a 6, or beyond the last ship.

    Where there are none the lowest ship counts as them (AN-44, RC-06). `light_ships` is "" if there are none.
    """
    heavy = ranked if light_ships else ranked[:-1]
    if die <= min(HEAVY_DICE, len(heavy)):
        return heavy[die - 1]
    return light_ships or ranked[-1]


@rule("23.73", "22.462C")
def may_fly_together(limits: Sequence[tuple[int, int]], drms: Sequence[int]) -> bool:
    """23.73. Whether squadrons of these DRMs may make one strike: the first four may have any, the next four need 2,
    the last four 3; there is no thirteenth."""
    return all(sum(drm < below for drm in drms) <= most for below, most in limits)


@rule("23.73")
def most_together(limits: Sequence[tuple[int, int]], drms: Sequence[int]) -> int:
    """23.73. The most of these squadrons that may make one strike: the best are taken first."""
    flying: list[int] = []
    for drm in sorted(drms, reverse=True):
        if may_fly_together(limits, [*flying, drm]):
            flying.append(drm)
    return len(flying)


# -- the order of things ---------------------------------------------------------------------------


class Step(NamedTuple):
    """A step of an air attack: who acts, under which rule, and what he does."""

    who: str
    rule: str
    step: str


_BOMBS = (
    Step("defender", "23.424", "shows his ships, if anybody got through"),
    Step("attacker", "23.43", "names a target for each squadron, and may not change it"),
    Step("attacker", "23.44", "makes one roll for each target"),
)
_STRIKE = (
    Step("defender", "23.415A", "says which of combat air patrol and air cover engage"),
    Step("attacker", "23.415B", "says which of his squadrons meet them"),
    Step("both", "23.415", "fight one round of air combat, and take their losses (23.416)"),
    Step("defender", "23.421", "makes his air defense roll, before which nobody may turn back (23.424)"),
    *_BOMBS,
)
SEQUENCES = {
    "naval combat": (
        Step("attacker", "22.461", "flies a strike on a group he has found, or does not (22.46)"),
        Step("attacker", "23.7412", "rolls a die for surprise, if it is the surprise strike"),
        *_STRIKE,
        Step("both", "22.463", "land their naval air when all strikes are over"),
    ),
    "on passage": (
        Step("attacker", "23.23C", "announces that he will try to attack the force"),
        Step("defender", "23.71A", "forms combat groups and numbers them in secret"),
        Step("defender", "23.23C", "puts up air cover over the force, and combat air patrol over groups (23.34B)"),
        Step("attacker", "23.72", "rolls his search dice"),
        Step("defender", "23.723B", "tells what he must of the groups found"),
        Step("attacker", "23.75", "declares his strikes"),
        Step("defender", "23.23D", "settles which attacked groups have more of the cover"),
        *_STRIKE,
        Step("both", "23.752A", "go home, uninverted; the force sails on, or aborts"),
    ),
    "port": (
        Step("attacker", "23.411", "announces that he attacks the base"),
        Step("defender", "23.411", "shows the naval air aboard his carriers there"),
        Step("attacker", "23.411", "says what goes for the aircraft and what for the ships"),
        Step("both", "23.412", "fight one round of air combat; uninverted defenders roll even if nobody counterairs"),
        Step(
            "defender", "23.421", "makes the air defense roll of the port, if anybody is left that goes for the ships"
        ),
        *_BOMBS,
        Step("defender", "23.46", "may send ships and aircraft away"),
        Step("attacker", "23.54", "may fly another sortie"),
    ),
}


@rule("23.76-a", "23.12", "23.424-a", "23.52", "23.63")
def order_of_attack(where: str) -> tuple[Step, ...]:
    """23.76. The order in which one air attack goes: in naval combat, on ships on passage, or on a port."""
    return SEQUENCES[where]
