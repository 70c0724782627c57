"""What a set-up must keep to as a whole, once each part of it could be read.

The law here: every check asks the rules themselves where they have a function for it, and refuses at the table that
the player would change, with the rule and what would do instead. Nothing here changes a set-up.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup
from flagplot.model.setup import Public
from flagplot.model.ships import light, number_of
from flagplot.rules.air.ports import may_raid_together
from flagplot.rules.naval.combat_groups import form_groups
from flagplot.rules.table import Ruleset
from flagplot.scenarios.air import BOXES
from flagplot.scenarios.forces import ReadForce, ReadSide

# Words that answers to the questions of formation use as places, so no force may bear them.
TAKEN_NAMES = ("alone", "port", "wait")
ANY_SIZE = ("raider combat", "port attack")  # kinds in which all ships of a side are one group
MOST_ON_PASSAGE = 36  # groups that search numbers serve for: six to a number, which one die tells apart (AN-34)
CARRIER_RAIDS = ("patrol", "carrier mission")  # missions from which carriers attack bases (23.61)
PART_OF_A_GROUP = re.compile(r" #\d+$")


def check(public: Public, sides: Mapping[Side, ReadSide], rules: Ruleset) -> None:
    """Everything a set-up must keep to."""
    check_nations(sides)
    check_each_ship_once(sides)
    check_air_bases(sides)
    for side in Side:
        read = sides[side]
        check_names(read)
        check_bases(read, public)
        check_impaired(read)
        check_impaired_air(read)
        check_excess_asw(read, public)
        check_destroyers_elsewhere(read)
        check_submarines_spent(read, public)
        check_sizes(read, public, rules.most_group_factors)
        check_supply_lines(read, public)
        if public.kind == "raider combat":
            check_raiders(read, public)
            continue
        check_engaged(read)
        if public.kind == "submarine attack":
            check_submarine_attack(read, public)
        elif public.kind in ("air attack", "port attack"):
            check_from_the_air(read, public)
        else:
            check_presence(read, public.round)
            check_numbers(read, public.round, rules.most_groups)
            check_secrecy(read, public)


# -- both sides ------------------------------------------------------------------------------


def check_nations(sides: Mapping[Side, ReadSide]) -> None:
    """22.112. A nation fights on one side only: its ships and aircraft are not found among its enemies."""
    owners = {sides[Side.AXIS].nation: Side.AXIS}
    if sides[Side.ALLIES].nation in owners:
        nation = sides[Side.ALLIES].nation
        sides[Side.ALLIES].at.refuse("nation", "22.112", f"{nation} is on the other side already; name another nation")
    owners[sides[Side.ALLIES].nation] = Side.ALLIES
    for side, each in chain.from_iterable([(side, each) for each in sides[side].forces] for side in Side):
        for index, ship in enumerate(each.force.ships):
            if owners.setdefault(ship.nation, side) is not side:
                reason = f"{ship.name} is a ship of {ship.nation}, which fights on the other side; leave her out"
                each.at.refuse(("ships", index), "22.112", reason)
        for nation in [light(key).nation for key in each.force.light]:
            if owners.setdefault(nation, side) is not side:
                reason = f"there are light ships of {nation} here, which fights on the other side; leave them out"
                places = [place for place, other in each.at.items("also") if other["nation"] == nation]
                each.at.refuse((*places[0], "nation"), "22.112", reason)
    for side in Side:
        for place, nation, what in sides[side].claims:
            if owners.setdefault(nation, side) is not side:
                reason = f"these are {what} of {nation}, which fights on the other side; leave them out"
                sides[side].at.refuse(place, "22.112", reason)


def check_allowed(read: ReadSide, allowed: Collection[str]) -> None:
    """22.112. Where sides muster apart, it is settled beforehand which nations each may have, so that neither learns from
    a refusal what the other has."""
    reason = "{} is not among the nations of this side; leave {} out. It may have {}"
    may = ", ".join(allowed)
    for each in read.forces:
        for index, ship in enumerate(each.force.ships):
            if ship.nation not in allowed:
                each.at.refuse(("ships", index), "22.112", reason.format(ship.nation, ship.name, may))
        for place, other in each.at.items("also"):
            if other["nation"] not in allowed:
                each.at.refuse((*place, "nation"), "22.112", reason.format(other["nation"], "its ships", may))
    for place, nation, what in read.claims:
        if nation not in allowed:
            read.at.refuse(place, "22.112", reason.format(nation, f"its {what}", may))


def check_each_ship_once(sides: Mapping[Side, ReadSide]) -> None:
    """20.11. There is one ship of each name."""
    seen: dict[str, str] = {}
    for each in chain.from_iterable(sides[side].forces for side in Side):
        for index, ship in enumerate(each.force.ships):
            if ship.id in seen:
                reason = f"{ship.name} already sails with {seen[ship.id]}; leave her out of one of the two"
                each.at.refuse(("ships", index), "20.11", reason)
            seen[ship.id] = each.force.name


def check_air_bases(sides: Mapping[Side, ReadSide]) -> None:
    """18.11. Air bases are told apart by their names, and none is used by both sides."""
    seen: dict[str, Side] = {}
    for side in Side:
        for index, base in enumerate(sides[side].air.bases):
            if base.name in seen:
                told = "is listed twice" if seen[base.name] is side else "is an air base of the other side already"
                reason = f"{base.name} {told}; give each air base a name of its own"
                sides[side].at.refuse(("air_base", index, "name"), "18.11", reason)
            seen[base.name] = side


# -- names, bases, nations ------------------------------------------------------------------------


def check_names(read: ReadSide) -> None:
    """22.421. Forces and cargoes of a side are told apart by their names."""
    seen: list[str] = []
    cargoes: list[str] = []
    together = [_group(members).name for members in groups_of(read.forces) if len(members) > 1]
    for each in read.forces:
        name = each.force.name
        if name in seen:
            each.at.refuse("name", "22.421", f"two forces are called {name}; give each a name of its own")
        if name in TAKEN_NAMES or PART_OF_A_GROUP.search(name):
            each.at.refuse(
                "name", "22.421", f"a force may not be called {name}, which has a meaning in play; rename it"
            )
        if name in together:
            reason = f"other forces that sail together will be called {name} as one group; rename this one"
            each.at.refuse("name", "22.421", reason)
        seen.append(name)
        for index, cargo in enumerate(each.force.cargo):
            if cargo.name in cargoes:
                reason = f"two cargoes of this side are called {cargo.name}; give each a name of its own"
                each.at.refuse(("cargo", index, "name"), "22.82A", reason)
            cargoes.append(cargo.name)


def check_bases(read: ReadSide, public: Public) -> None:
    """22.63. Where bases are listed, every force comes from one of them; ships in port are where they are."""
    names: list[str] = []
    for index, base in enumerate(read.secret.bases):
        if base.name in names:
            read.at.refuse(("base", index, "name"), "22.63", f"{base.name} is listed twice; once is enough")
        names.append(base.name)
    for each in read.forces:
        if names and each.force.base not in names and public.kind != "port attack":
            told = f"{each.force.base} is not among the bases listed" if each.force.base else "it has no base of origin"
            each.at.refuse("base", "22.63", f"{told}; name one of {', '.join(names)}, or add a [[{read.side}.base]]")


def check_impaired(read: ReadSide) -> None:
    """22.552A. Partial supply and oil effects concern nations that are there."""
    present = {ship.nation for force in read.secret.forces for ship in force.ships}
    present |= {light(key).nation for force in read.secret.forces for key in force.light}
    present |= {light(key).nation for key in read.secret.submarines}
    for index, nation in enumerate(read.secret.impaired):
        if nation not in present:
            reason = f"{nation} has no ships on this side; leave it out"
            read.at.refuse(("partial_supply_or_oil", index), "22.552A", reason)
        if nation in read.secret.impaired[:index]:
            read.at.refuse(("partial_supply_or_oil", index), "22.552A", f"{nation} is named twice; once is enough")


def check_impaired_air(read: ReadSide) -> None:
    """23.441A. What impairs aircraft is said of nations that are on this side, or of its air bases.

    It need not have aircraft that can be seen: in a hidden order of battle that would tell of its carriers.
    """
    for key, nations in (("impaired_air", read.air.impaired), ("winter_air", read.air.winter)):
        for index, nation in enumerate(nations):
            if nation not in read.nations and nation not in [base.name for base in read.air.bases]:
                reason = f"{nation} has neither ships nor aircraft on this side; leave it out"
                read.at.refuse((key, index), "23.441A", reason)
            if nation in nations[:index]:
                read.at.refuse((key, index), "23.441A", f"{nation} is named twice; once is enough")


# -- submarines -------------------------------------------------------------------------------------


def check_excess_asw(read: ReadSide, public: Public) -> None:
    """22.9415B. ASW in a box counts on the map of that box; of the Axis only Japan's does, in the Pacific box (RC-77)."""
    for box in read.air.excess_asw:
        if BOXES[box] != public.theatre:
            boxes = " or ".join(name for name, theatre in BOXES.items() if theatre == public.theatre)
            reason = f"ASW in the {box} box has no effect in this theatre; leave it out, or name {boxes}"
            read.at.refuse(("excess_asw", box), "22.9415B", reason)
        if read.side is Side.AXIS and box != "Pacific":
            reason = f"only the Western Allies' ASW in the {box} box has an effect on the map; leave it out"
            read.at.refuse(("excess_asw", box), "22.9415B", reason)


def check_destroyers_elsewhere(read: ReadSide) -> None:
    """22.9432. Losses may be taken in a base of origin, in an SW box, and, for sea supply, in a port on its way."""
    origins = sorted({each.force.base for each in read.forces if each.force.base})
    if any(each.force.supply for each in read.forces):
        return
    for place in read.secret.destroyers_elsewhere:
        if place not in (*origins, *BOXES):
            reason = (
                f"no force comes from {place}, which is no SW box, and none guards sea supply; "
                f"name one of {', '.join((*origins, *BOXES))}"
            )
            read.at.refuse(("destroyers_elsewhere", place), "22.9432", reason)


def check_submarines_spent(read: ReadSide, public: Public) -> None:
    """22.92. Submarines are spent when they have attacked, and none has before a battle's first round."""
    if read.secret.submarines_spent and public.round == 1:
        reason = "none has attacked before the first round; leave them out, or let the battle begin in a later round"
        read.at.refuse("submarines_spent", "22.92", reason)


def check_submarine_attack(read: ReadSide, public: Public) -> None:
    """22.921. Outside naval combat submarines alone attack a force, which has as many groups as it likes (22.93A, RC-76)."""
    if read.side is public.interceptor:
        if not read.secret.submarines:
            reason = (
                f'{read.name} intercepts with submarines and has none; write submarines = {{ "{read.nation}" = 1 }}'
            )
            read.at.refuse("submarines", "22.921", reason)
        for each in read.forces:
            reason = 'ships that intercept bring about naval combat; leave them out, or set kind = "naval battle"'
            each.at.refuse("", "22.921", reason)
        return
    if not read.forces:
        reason = f"{read.name} has no forces for submarines to attack; add a [[{read.side}.force]]"
        read.at.refuse("", "22.93A", reason)
    if read.secret.submarines:
        reason = "only the side that intercepts has submarines that attack; leave these out"
        read.at.refuse("submarines", "22.921", reason)
    for each in read.forces:
        if each.force.arrives > 1:
            reason = "all attacks are made in one round, so nobody comes later; leave it out"
            each.at.refuse("arrives", "22.9416C", reason)
        if each.force.number:
            reason = "groups are numbered when the submarines attack; leave it out"
            each.at.refuse("number", "22.93A", reason)


# -- sizes ------------------------------------------------------------------------------------------


def check_sizes(read: ReadSide, public: Public, most: int) -> None:
    """20.162 (from public copies). A task force has at most 25 factors, no more than half of them fast carriers.

    Losses may have upset the half in a force that has already fought. Outside task forces the limit is that of a combat
    group (22.421A), except that raiders and their hunters form groups of any size (22.35A).
    """
    for each in read.forces:
        force = each.force
        carriers = sum(ship.size for ship in force.ships if ship.is_carrier)
        fought = force.arrives < public.round
        if force.task_force and force.factors > most:
            reason = f"a task force has at most {most} factors and {force.name} has {force.factors}; split it"
            each.at.refuse("", "20.162", reason)
        if force.task_force and carriers > force.factors // 2 and not fought:
            reason = (
                f"at most half the factors of a task force, rounded down, are fast carriers: of {force.factors} in "
                f"{force.name} {carriers} are, and {force.factors // 2} may be; add other ships, or take out a carrier"
            )
            each.at.refuse("ships", "20.162", reason)
        if not force.task_force and force.factors > most and public.kind not in ANY_SIZE:
            reason = f"{force.name} has {force.factors} factors, and a combat group at most {most}; split it"
            each.at.refuse("", "22.421A", reason)
    for members in groups_of(read.forces):
        laden = number_of(_group(members).light, "DD", "loaded")
        if laden > most and public.kind not in ANY_SIZE:
            reason = (
                f"forces outside task forces that carry cargo sail as one group of at most {most} factors, and {laden} "
                "destroyers are loaded in these together; make task forces of them"
            )
            members[-1].at.refuse("", "22.421A", reason)


def check_supply_lines(read: ReadSide, public: Public) -> None:
    """22.141B. Lines to different zones are met separately, so a battle has one bare line, and it never intercepts."""
    bare = [each for each in read.forces if each.bare]
    if len(bare) > 1:
        reason = "a side has one sea supply line in a battle, and this is its second without ships; leave it out"
        bare[1].at.refuse("sea_supply", "22.141B", reason)
    if bare and read.side is public.interceptor:
        reason = "a sea supply line without ships cannot intercept; put it on the other side, or give it ships"
        bare[0].at.refuse("sea_supply", "22.11", reason)


# -- groups and numbers --------------------------------------------------------------------------------


def groups_of(forces: Sequence[ReadForce]) -> list[list[ReadForce]]:
    """22.421. The forces that will make one combat group together, in the way form_groups does it."""
    groups: dict[tuple[object, ...], list[ReadForce]] = {}
    for each in forces:
        force = each.force
        key = each.at.path if force.task_force else (force.arrives, force.encumbered)
        groups.setdefault(key, []).append(each)
    return list(groups.values())


def _group(members: Sequence[ReadForce]) -> CombatGroup:
    (group,) = form_groups([each.force for each in members])
    return group


def check_presence(read: ReadSide, round: int) -> None:
    """22.31. Each side has a force in the battle's first round."""
    if not read.forces:
        read.at.refuse("", "22.31", f"{read.name} has no forces; add a [[{read.side}.force]]")
    if all(each.force.arrives > round for each in read.forces):
        reason = f"no force of {read.name} is there in round {round}; let one arrive by then"
        read.forces[0].at.refuse("arrives", "22.31", reason)


def check_numbers(read: ReadSide, round: int, most: int) -> None:
    """22.423A. Group numbers are given beforehand to every group that is there, each its own, or to none."""
    present = [members for members in groups_of(read.forces) if members[0].force.arrives <= round]
    for each in read.forces:
        if each.force.number and each.force.arrives > round:
            each.at.refuse(
                "number", "22.425D", "a force that comes later is given its number when it joins; leave it out"
            )
    laden = [members for members in present if _group(members).encumbered]
    if len(laden) > most:
        reason = (
            f"{len(laden)} groups carry cargo or guard supply; all of them must take part, and at most {most} groups "
            "may; put some together, or let some arrive later"
        )
        laden[most][0].at.refuse("", "22.421C", reason)
    given: dict[int, str] = {}
    for members in present:
        numbers = [each.force.number for each in members]
        for each in members:
            if each.force.number != numbers[0]:
                reason = "these forces sail as one group with others of another number; give all of them the same"
                each.at.refuse("number", "22.421A", reason)
        if numbers[0] in given:
            reason = f"number {numbers[0]} is that of {given[numbers[0]]} already; no two groups have the same"
            members[0].at.refuse("number", "22.423A", reason)
        if numbers[0]:
            given[numbers[0]] = members[0].force.name
    unnumbered = [members[0] for members in present if not members[0].force.number]
    if given and unnumbered:
        # With six numbered groups the others are those that wait for room; cargo may not wait.
        waiting = [each for each in unnumbered if len(given) < most or each.force.encumbered]
        if waiting:
            reason = f"{waiting[0].force.name} has no number while others have; give every group a number, or none"
            waiting[0].at.refuse("number", "22.423A", reason)


def check_secrecy(read: ReadSide, public: Public) -> None:
    """22.423B. Which force bears which number is secret, so numbers given beforehand need a hidden order of battle."""
    for each in read.forces:
        if each.force.number and public.order_of_battle == "open":
            reason = 'an open order of battle would show which force has which number; set order_of_battle = "hidden"'
            each.at.refuse("number", "22.423B", reason)


# -- attacks from the air -----------------------------------------------------------------------------------


def check_from_the_air(read: ReadSide, public: Public) -> None:
    """23.5, 23.6, 23.75. One side attacks from the air, the other has ships on passage or in port."""
    attacks = read.side is public.interceptor
    if read.secret.submarines:
        read.at.refuse("submarines", "23.43C", "submarines take no part in an air attack; leave them out")
    if attacks and public.kind == "air attack":
        check_passage_attacker(read)
    elif attacks:
        check_port_attacker(read)
    elif not read.forces:
        reason = f"{read.name} has no ships to be attacked; add a [[{read.side}.force]]"
        read.at.refuse("", "23.71A" if public.kind == "air attack" else "23.41", reason)
    for each in read.forces:
        if each.force.arrives > 1:
            each.at.refuse("arrives", "23.752A", "an attack from the air finds who is there; leave it out")
        if each.force.number:
            each.at.refuse("number", "23.721A", "groups are numbered when the attack is announced; leave it out")
        if public.kind == "port attack" and each.force.encumbered:
            key = "cargo" if each.force.cargo else "sea_supply"
            each.at.refuse(key, "23.41", "ships in port carry nothing, nor do those that raid a port; leave it out")
    if public.kind == "air attack" and len(groups_of(read.forces)) > MOST_ON_PASSAGE:
        reason = f"search numbers serve for at most {MOST_ON_PASSAGE} groups; put some forces together"
        read.at.refuse("", "23.721A", reason)


def _attacking_air(read: ReadSide) -> bool:
    return any(base.factors or base.squadrons for base in read.air.bases)


def check_passage_attacker(read: ReadSide) -> None:
    """23.74A, 23.75. Land-based air alone attacks ships on passage."""
    for each in read.forces:
        reason = 'ships that intercept bring about naval combat; leave them out, or set kind = "naval battle"'
        each.at.refuse("", "23.74A", reason)
    if not _attacking_air(read):
        reason = f"{read.name} attacks with land-based air and has none; add a [[{read.side}.air_base]] with aircraft"
        read.at.refuse("", "23.75", reason)


def check_port_attacker(read: ReadSide) -> None:
    """23.51, 23.61. A port is attacked by land-based air or by carriers on patrol or on a carrier mission, never by both."""
    carriers = any(ship.is_carrier for each in read.forces for ship in each.force.ships)
    if not may_raid_together(_attacking_air(read), bool(read.forces)):
        reason = "land-based air and carriers never attack a base together; leave the air bases out, or the ships"
        read.at.refuse("air_base", "23.51", reason)
    if not _attacking_air(read) and not carriers:
        reason = f"{read.name} attacks the port and has neither land-based air nor carriers; give it some"
        read.at.refuse("", "23.5", reason)
    for each in read.forces:
        if each.force.mission not in CARRIER_RAIDS:
            reason = f"carriers attack bases on {' or '.join(CARRIER_RAIDS)} only, not on {each.force.mission}"
            each.at.refuse("mission", "23.61", reason)


# -- raiders ----------------------------------------------------------------------------------------------


def check_engaged(read: ReadSide) -> None:
    """22.35. Only raiders in an SW box may go unengaged."""
    for each in read.forces:
        if not each.force.engaged:
            each.at.refuse(
                "engaged", "22.35", 'only raiders may go unengaged; leave it out, or set kind = "raider combat"'
            )


def check_raiders(read: ReadSide, public: Public) -> None:
    """22.35. Raider combat is one round between one group a side; what is not fought over has no place in it."""
    if read.secret.submarines:
        reason = "submarines in an SW box do not join in raider combat; leave them out"
        read.at.refuse("submarines", "22.911", reason)
    if read.air.bases:
        read.at.refuse("air_base", "22.35C", "only carriers' aircraft reach into an SW box; leave air bases out")
    if not any(each.force.engaged for each in read.forces):
        reason = f"{read.name} has no force that is engaged; raider combat needs one on each side"
        read.at.refuse("force", "22.35A", reason)
    for each in read.forces:
        force = each.force
        if not force.engaged and read.side is public.interceptor:
            each.at.refuse("engaged", "22.35", "those who hunt raiders are all engaged; leave the force out instead")
        if force.cargo:
            each.at.refuse("cargo", "22.35A", "neither raiders nor those who hunt them carry cargo; leave it out")
        if force.supply:
            each.at.refuse("sea_supply", "22.35A", "no supply line runs through raider combat; leave it out")
        if force.arrives > 1:
            each.at.refuse("arrives", "22.35D", "raider combat has one round, so nobody comes later; leave it out")
        if force.number:
            each.at.refuse("number", "22.35A", "each side is one group here and needs no number; leave it out")
