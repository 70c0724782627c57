"""22.9 Submarine attacks, in naval combat and outside it.

In a battle submarines attack groups that were found or that fought, after the guns (22.914, 22.93B). All attacks are
announced, then each is resolved by itself (22.93D). Search results are not used up by them (22.452C).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flagplot.core.asks import Decide, Roll
from flagplot.core.events import Modifiers
from flagplot.core.forms import AtMost, Form, Item, Place, in_order, order_of
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.air_events import (
    LossesShifted,
    SubmarineAttacked,
    SubmarineCategoryRolled,
    SubmarinesAnnounced,
    SubmarinesHeld,
    SubmarinesReturned,
    TorpedoesFired,
)
from flagplot.model.events import SupplyLineCut
from flagplot.model.forces import LIGHT, CombatGroup
from flagplot.model.interception import Verdict
from flagplot.model.ships import Counts, light, minus, number_of, plus
from flagplot.model.squadrons import told
from flagplot.model.state import Battle, Fleet
from flagplot.rules.damage import Allotment
from flagplot.rules.naval.combat_groups import both, unit_label
from flagplot.rules.naval.fleet_combat import reveal
from flagplot.rules.naval.gunnery import Crew, crews, is_hampered, lowest, nationality_lines
from flagplot.rules.naval.hits import allot, clear_away, hit_light_ships, hit_ship
from flagplot.rules.table import Table
from flagplot.tables.naval_nationality import NavalNationality
from flagplot.tables.submarine_attack import SubmarineAttackTable

CATEGORIES = ("fast carriers", "capital ships", "light ships")
SUPPLY = "supply line"
PACIFIC_BOXES = ("Pacific", "Indian Ocean")
SW_BOXES = ("Atlantic", *PACIFIC_BOXES)

# -- who is attacked -----------------------------------------------------------------------------


@rule("22.914", "22.93B")
def may_be_attacked(battle: Battle, group: CombatGroup) -> bool:
    """22.93B. In naval combat a group that was found, or that gave itself away by fighting; outside it, any (RC-76)."""
    return battle.kind == "submarine attack" or group.found > 0 or group.fought


@rule("22.914", "22.92", "22.921", "22.93A", "22.93B", "22.93C")
def submarine_form(fleet: Fleet, targets: Sequence[CombatGroup], *, must: bool = False) -> Form:
    """22.93. Which submarines attack which group. In naval combat the round is their owner's choice (22.921, RC-74);
    outside it they must attack at once."""
    limits = []
    if must and targets:
        why = "Submarines that have intercepted must attack."
        limits = [AtMost(((key, "wait", 1),), 0, "22.92", why) for key in fleet.submarines]
    items = tuple(Item(key, submarine_label(key), number) for key, number in fleet.submarines.items())
    places = [Place("wait", "waits")]
    places += [Place(f"CG{group.number}", f"attacks enemy CG{group.number}") for group in targets]
    default = dict.fromkeys(fleet.submarines, places[-1].key) if targets else {}
    return Form(items, tuple(places), tuple(limits), rest="wait", default=default)


def submarine_label(key: str) -> str:
    """Submarines in words."""
    nation, _, state = light(key)
    return f"{nation} {state} submarine".replace("  ", " ")


@rule("22.41I", "22.41J", "22.66", "22.914", "22.92", "22.93D")
async def attack_with_submarines(table: Table) -> None:
    """22.93D. Both sides announce all their submarine attacks; then each is resolved, the intercepting side's first."""
    targets = {
        side: [group for group in table.fleet(side.enemy).groups if may_be_attacked(table.battle, group)]
        for side in Side
    }
    if not any(targets.values()):
        return
    must = table.battle.kind == "submarine attack"
    forms = {side: submarine_form(table.fleet(side), targets[side], must=must) for side in Side}
    under = table.rules.number("22.93")
    answers = await both(table, under, "submarines", "Which submarines attack, and which group?", forms)
    for side in table.battle.sides:
        waiting = answers[side].held_by("wait")
        if waiting and targets[side]:
            table.record(SubmarinesHeld(rule="22.92", to=only(side), side=side, submarines=waiting))
    for side in table.battle.sides:
        names = [f"CG{group.number}" for group in targets[side]]
        attacks = {name: told(held) for name in names if (held := answers[side].held_by(name))}
        if attacks:
            table.record(SubmarinesAnnounced(rule="22.93D", to=Audience.EVERYONE, side=side, attacks=attacks))
    for side in table.battle.sides:
        for name, attackers in table.fleet(side).announced.items():
            number = int(name.removeprefix("CG"))
            for key in await _in_turn(side, number, attackers):
                await submarine_attack(table, side, number, key)


async def _in_turn(side: Side, number: int, attackers: Counts) -> list[str]:
    """22.93D. Submarines of different kinds on one group go in their owner's order: later attacks are harder (22.9416)."""
    kinds = list(attackers)
    if len(kinds) > 1:
        form = in_order({key: submarine_label(key) for key in kinds}, "22.9416")
        question = f"Different submarines attack CG{number}: which go first?"
        kinds = order_of(await Decide(side, "22.93D", "submarine order", question, form, f"CG{number}"))
    return [key for key in kinds for _ in range(attackers[key])]


# -- one attack ------------------------------------------------------------------------------------


@rule("22.93E")
def categories(group: CombatGroup) -> list[str]:
    """22.93E. The categories of ships a group holds, the highest first; those without ships do not count (RC-73)."""
    present = (
        any(ship.is_carrier for ship in group.ships),
        any(ship.is_capital for ship in group.ships),
        bool(group.light),
    )
    return [name for name, there in zip(CATEGORIES, present, strict=True) if there]


@rule("22.93E")
def category_met(present: Sequence[str], die: int) -> str:
    """22.93E. Which category a submarine meets: two share the die by halves, three by thirds."""
    return present[(die - 1) * len(present) // 6]


@rule("22.912", "22.93", "22.94", "22.942", "22.9434")
async def submarine_attack(table: Table, side: Side, number: int, key: str) -> None:
    """22.94. One submarine factor: category, target, two dice, and what comes of it.

    If the group is gone meanwhile, the submarine had no opportunity and keeps its attack (22.92).
    """
    owner = side.enemy
    if number not in table.fleet(owner).numbers:
        return
    table.record(SubmarineAttacked(rule="22.94", to=Audience.EVERYONE, side=side, number=number, submarine=key))
    group = table.group(owner, number)
    if not group.afloat:
        table.record(SupplyLineCut(rule="22.9434", to=Audience.EVERYONE, side=owner, number=number))
        clear_away(table, owner, number)
        return
    target = await table.rules.submarine_target(table, side, group)
    await _torpedo(table, side, number, key, target)
    clear_away(table, owner, number)


@rule("22.93E")
async def choose_target(table: Table, side: Side, group: CombatGroup) -> str:
    """22.93E. A die for the category where there are several; within it the attacker chooses his ship.

    The group has been attacked, and shows its ships (22.423B).
    """
    reveal(table, side.enemy, group.number)
    present = categories(group)
    dice: tuple[int, ...] = ()
    if len(present) > 1:
        dice = await Roll(1, "22.93E", side, f"what a submarine meets in CG{group.number}")
    category = category_met(present, dice[0] if dice else 1)
    table.record(
        SubmarineCategoryRolled(
            rule="22.93E", to=Audience.EVERYONE, side=side, number=group.number, dice=dice, category=category
        )
    )
    if category == CATEGORIES[2]:
        return LIGHT
    ships = [ship for ship in group.ships if ship.is_carrier == (category == CATEGORIES[0])]
    form = Form(
        (Item("target", "The submarine"),),
        tuple(Place(ship.id, f"attacks {unit_label(group, ship.id)}") for ship in ships),
        default={"target": ships[0].id},
    )
    question = f"A submarine meets the {category} of CG{group.number}: which does it attack?"
    return (await Decide(side, "22.93E", "submarine target", question, form, f"CG{group.number}")).choice


@rule("22.94", "22.941", "20.51", "22.9431", "22.9433")
async def _torpedo(table: Table, side: Side, number: int, key: str, target: str) -> None:
    """22.94. Two dice on the Submarine Attack Table."""
    owner = side.enemy
    group = table.group(owner, number)
    ships = [ship for ship in group.ships if ship.id == target]
    modifiers = attack_modifiers(table, side, group, key, target)
    name = ships[0].name if ships else "the light ships"
    dice = await Roll(2, "22.94", side, f"a submarine attacks {name}")
    roll = sum(dice) + modifiers.total
    result = table.rules.submarine.read(roll)
    table.record(
        TorpedoesFired(
            rule="22.94",
            to=Audience.EVERYONE,
            side=side,
            number=number,
            submarine=key,
            target=target,
            name=name,
            modifiers=modifiers,
            dice=dice,
            roll=roll,
            hits=result.hits,
            submarine_lost=result.submarine_lost,
        )
    )
    if not result.hits:
        return
    if ships:
        hit_ship(table, owner, number, ships[0], result.hits)
        return
    allotment = await allot(table, owner, number, group.light, result.hits)
    await hit_light_ships(table, owner, number, await shift_losses(table, owner, group, allotment))


# -- modifiers ----------------------------------------------------------------------------------------


@rule("22.9415", "22.94T.16")
def excess_asw(excess: Mapping[str, int], nation: str, theatre: str, *, western_front: bool) -> int:
    """22.9415. Excess ASW that counts against submarines of a nation: in the Pacific, against Japanese ones what both boxes
    have together, each at least nothing, against American ones the Pacific box alone; in Europe that of the Atlantic, in
    hexes of the western front (RC-77)."""
    if theatre == "Pacific":
        boxes = {"Japan": PACIFIC_BOXES, "United States": PACIFIC_BOXES[:1]}.get(nation, ())
        return sum(max(0, excess.get(box, 0)) for box in boxes)
    return max(0, excess.get("Atlantic", 0)) if western_front else 0


@rule("22.941", "22.9411", "22.9412", "22.9413", "22.9414", "22.9415", "22.9416", "22.9417", "22.9418", "22.94T")
def submarine_modifiers(
    table: SubmarineAttackTable,
    chart: NavalNationality,
    submarine: Crew,
    target: Sequence[Crew],
    *,
    advanced: bool,
    tactical: int,
    enemy_tactical: int,
    torpedo: int,
    asw_research: int,
    searching: int,
    enemy_searching: int,
    carriers: int,
    escort_carriers: int,
    destroyers: int,
    asw: int,
    earlier_attacks: int,
    vulnerable: bool,
    codebreaking: int,
) -> Modifiers:
    """22.941. The modifier of one attack, category by category: at most 2 for each of four of them, 4 in all (RC-70).

    An advanced submarine has its own, whatever else holds.
    """
    if advanced:
        return Modifiers().plus("22.941", "advanced submarine", table.advanced)
    lines = Modifiers()
    for reason, amount in nationality_lines(chart, submarine):
        lines = lines.plus("22.9411", reason, amount)
    for reason, amount in nationality_lines(chart, lowest(chart, target)):
        lines = lines.plus("22.9411", f"against {reason}", -amount)
    lines = lines.plus("22.9411", "tactical codebreaking", tactical)
    lines = lines.plus("22.9411", "enemy tactical codebreaking", -enemy_tactical)
    most = table.most_italic
    lines = _limited(lines, "22.9412", most, ("torpedo research", torpedo), ("enemy ASW research", -asw_research))
    defending = enemy_searching + carriers + escort_carriers
    lines = _limited(
        lines,
        "22.9413",
        most,
        ("searching squadrons", searching // table.per),
        ("enemy searching squadrons and carriers", -(defending // table.per)),
    )
    lines = _limited(lines, "22.9414", most, ("destroyers", -(destroyers // table.per)))
    lines = _limited(lines, "22.9415", most, ("excess ASW", -(asw // table.per)))
    lines = lines.plus("22.9416", "earlier attacks on this group", -earlier_attacks)
    lines = lines.plus("22.9417", "damaged or hampered target", 1 if vulnerable else 0)
    lines = lines.plus("22.9418", "submarine codebreaking", codebreaking)
    lines = lines.at_most(table.most_overall, "22.941", "at most 4 in all")
    return lines.at_least(-table.most_overall, "22.941", "at most 4 in all")


def _limited(lines: Modifiers, number: str, most: int, *parts: tuple[str, int]) -> Modifiers:
    """One category: its parts, and what the limit takes back."""
    amount = 0
    for reason, part in parts:
        lines = lines.plus(number, reason, part)
        amount += part
    kept = max(-most, min(most, amount))
    return lines.plus(number, f"at most {most}", kept - amount)


@rule("22.9417", "22.942")
def is_vulnerable(group: CombatGroup, target: str) -> bool:
    """22.9417. Whether the target is damaged, has a damaged cruiser in it, or belongs to a hampered group; never twice."""
    if target == LIGHT:
        damaged = number_of(group.light, "CA", "damaged") > 0
    else:
        damaged = group.ship(target).damaged
    return damaged or is_hampered(group)


@rule("22.941", "22.9419", "22.942")
def attack_modifiers(table: Table, side: Side, group: CombatGroup, key: str, target: str) -> Modifiers:
    """22.9419. The modifier of an attack on a group, from that group alone as it now is (RC-72)."""
    mine, theirs = table.fleet(side), table.fleet(side.enemy)
    nation, _, state = light(key)
    ships = [ship for ship in group.ships if ship.id == target]
    aimed = crews(ships, group.light if target == LIGHT else {}, theirs.impaired)
    battle = table.battle
    return submarine_modifiers(
        table.rules.submarine,
        table.rules.nationality,
        Crew(nation, "submarine", 1, nation in mine.impaired),
        aimed,
        advanced=state == "advanced",
        tactical=mine.tactical,
        enemy_tactical=theirs.tactical,
        torpedo=mine.research.get("torpedo", 0),
        asw_research=theirs.research.get("ASW", 0),
        searching=mine.searching,
        enemy_searching=theirs.searching,
        carriers=sum(ship.fully_operational for ship in group.ships),
        escort_carriers=number_of(group.light, "CVE"),
        destroyers=number_of(group.light, "DD"),
        asw=excess_asw(theirs.excess_asw, nation, battle.theatre, western_front=battle.western_front),
        earlier_attacks=group.submarine_attacks - 1,
        vulnerable=is_vulnerable(group, target),
        codebreaking=max(-1, min(1, mine.submarine_codebreaking - theirs.submarine_codebreaking)),
    )


# -- losses elsewhere -----------------------------------------------------------------------------------


@rule("22.9432")
def shift_form(places: Mapping[str, Counts], sunk: Mapping[str, int]) -> Form:
    """22.9432. Which destroyer losses are taken by destroyers elsewhere: at the base of origin, a supply port, or
    uncommitted in the SW box."""
    items = tuple(Item(key, f"{light(key).nation} destroyers hit", number) for key, number in sunk.items())
    choices = [Place("here", "are lost here")]
    limits = []
    for place, counts in places.items():
        for key, number in counts.items():
            name = f"{place}|{key}"
            choices.append(Place(name, f"are replaced by {light(key).nation} destroyers at {place}"))
            cells = tuple((item.key, name, 1) for item in items)
            limits.append(AtMost(cells, number, "22.9432", f"Only {number} are at {place}."))
    return Form(items, tuple(choices), tuple(limits), rest="here")


@rule("22.9432")
def places_for(group: CombatGroup, places: Mapping[str, Counts]) -> dict[str, Counts]:
    """22.9432. Where destroyers may take a group's losses: its bases of origin, the SW boxes, and for sea supply any port
    the scenario names (FP-24)."""
    near = (group.base, *group.origins, *SW_BOXES)
    return {place: counts for place, counts in places.items() if group.supply or place in near}


@rule("22.9432", "22.9433")
async def shift_losses(table: Table, owner: Side, group: CombatGroup, allotment: Allotment) -> Allotment:
    """22.9432. The defender may take destroyer losses elsewhere, as many as he likes; no other losses (22.9433, RC-75).

    He is asked whenever destroyers are sunk: that he has others is not for the enemy to learn from a pause.
    """
    sunk = {key: number for key, number in allotment.sunk.items() if light(key).kind == "DD"}
    if not sunk:
        return allotment
    form = shift_form(places_for(group, table.fleet(owner).destroyers_elsewhere), sunk)
    question = "Destroyers are hit by submarines: are losses taken by destroyers elsewhere?"
    answer = await Decide(owner, "22.9432", "shift losses", question, form, f"CG{group.number}")
    saved: dict[str, int] = {}
    lost: dict[str, dict[str, int]] = {}
    for item, placed in answer.cells.items():
        for place, number in placed.items():
            where, bar, key = place.partition("|")
            if bar:
                saved = plus(saved, {item: number})
                lost[where] = plus(lost.get(where, {}), {key: number})
    if not saved:
        return allotment
    table.record(
        LossesShifted(rule="22.9432", to=Audience.EVERYONE, side=owner, number=group.number, saved=saved, lost=lost)
    )
    left = {key: number - saved.get(key, 0) for key, number in allotment.sunk.items()}
    return Allotment({key: number for key, number in left.items() if number}, allotment.damaged)


# -- afterwards ---------------------------------------------------------------------------------------------


@rule("22.92", "22.94")
def submarine_fate(*, attacked: bool, had_target: bool) -> Verdict:
    """22.92. Whether a submarine comes home inverted: if it attacked, or could have and did not (RC-74); one that never had
    a target goes back as it was to where it came from, and may intercept in a later phase."""
    if attacked:
        return Verdict(True, "22.92", "attacked (22.92)")
    if had_target:
        return Verdict(True, "22.92", "had a target and did not attack (22.92, RC-74)")
    return Verdict(False, "22.92", "had no target (22.92)")


@rule("22.92", "22.94")
def submarines_go_home(table: Table) -> None:
    """22.92. All submarines go back, inverted or as they were."""
    for side in table.battle.sides:
        fleet = table.fleet(side)
        waited = {key: min(n, fleet.submarines_held.get(key, 0)) for key, n in fleet.submarines.items()}
        for counts, fate in (
            (fleet.submarines_spent, submarine_fate(attacked=True, had_target=True)),
            (waited, submarine_fate(attacked=False, had_target=True)),
            (minus(fleet.submarines, waited), submarine_fate(attacked=False, had_target=False)),
        ):
            if any(counts.values()):
                _home(table, side, {key: number for key, number in counts.items() if number}, fate)


def _home(table: Table, side: Side, submarines: Counts, fate: Verdict) -> None:
    table.record(
        SubmarinesReturned(
            rule=fate.rule, to=only(side), side=side, submarines=dict(submarines), inverted=fate.holds, why=fate.why
        )
    )
