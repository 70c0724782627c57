"""22.46, 23.4, 23.7 Air strikes: who strikes first, who may fly, surprise, and one strike from launch to the last bomb.

One strike for each search result (22.462B). The side with more results flies all its strikes, then the other. A strike
by carriers alone is a surprise if it is its side's first and none of its side's groups was found (AN-31).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flagplot.core.asks import Decide, Roll
from flagplot.core.forms import Answer, AtLeast, AtMost, Form, Item, Limit, Place, Wire
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.air_events import (
    AirAttackRolled,
    AirCombatFought,
    AirCombatJoined,
    AirDefenseCounted,
    AirDefenseRolled,
    AirTargetsChosen,
    CoverRevealed,
    DefendersEngaged,
    DefendersLost,
    DefendersWithheld,
    KamikazeTargetRolled,
    StrikeAnnounced,
    StrikeDeferred,
    StrikeEnded,
    StrikeFlown,
    StrikeOrderSet,
    StrikersLost,
    StrikesEnded,
    SurpriseRolled,
)
from flagplot.model.events import StepBegan
from flagplot.model.forces import LIGHT, CombatGroup
from flagplot.model.ships import Ship, minus, plus
from flagplot.model.squadrons import Counts, Strike, squadron, squadron_label, told, total
from flagplot.model.state import Battle, Fleet
from flagplot.rules.air.attack import (
    air_attack_modifiers,
    air_defense_level,
    kamikaze_target,
    makes_air_defense_roll,
    may_fly_together,
    surprise_modifiers,
)
from flagplot.rules.air.bombs import critical_hit, hit_in_port, supply_line_hit
from flagplot.rules.air.combat import crews, modifiers_between, squadron_drm
from flagplot.rules.air.cover import available, break_down_army_air
from flagplot.rules.air.losses import Toll, take_air_losses, take_staged_losses
from flagplot.rules.air.patrol import deck_item, decks, from_decks, together
from flagplot.rules.naval.fleet_combat import reveal
from flagplot.rules.naval.gunnery import crews as ship_crews
from flagplot.rules.naval.hits import allot, clear_away, hit_light_ships, hit_ship
from flagplot.rules.naval.ranked_targets import rank_for_kamikazes
from flagplot.rules.naval.search import first_to_strike
from flagplot.rules.table import Gunfire, Ruleset, Table

GUNFIRE = "gunfire"  # where naval air goes that will fire with the heavy ships of its own group (22.471C)
SUPPLY = "supply line"  # a sea supply line without ships, as a target
TARGET = "target"

# -- who strikes, in which order ---------------------------------------------------------------


@rule("22.461", "22.461B", "22.452C", "23.74")
def set_strike_order(table: Table) -> None:
    """22.461B. The side with more search results flies all its strikes first; the intercepting side if equal (AN-47)."""
    battle = table.battle
    results = {side: sum(group.found for group in battle.fleets[side.enemy].groups) for side in Side}
    first = first_to_strike(results, battle.interceptor)
    table.record(StrikeOrderSet(rule="22.461B", to=Audience.EVERYONE, sides=(first, first.enemy), results=results))
    table.record(StepBegan(rule="22.461", to=Audience.EVERYONE, step="strikes"))


@rule("22.461A", "22.462D", "22.462E", "23.74E", "23.7411", "23.75E")
def may_surprise(battle: Battle, side: Side, *, land_based: bool = False, every_strike: bool = False) -> bool:
    """23.7411. Whether a side's next strike is a surprise: it is the first, the enemy found none of its groups, and no
    land-based air flies in it. Where the table counts earlier strikes, later ones may be too (FP-90)."""
    fleet = battle.fleets[side]
    return (every_strike or not fleet.strikes) and not fleet.found and not land_based


@rule("22.452C", "22.462A", "22.462B", "23.72", "23.723")
def may_be_struck(group: CombatGroup) -> bool:
    """22.462. A group is struck only if it was found, and no more often than it was found."""
    return group.found > group.spent


@rule("22.462", "23.73", "23.74", "23.75", "23.11E", "22.441")
def strike_form(rules: Ruleset, fleet: Fleet, targets: Sequence[CombatGroup], *, surprise: bool = False) -> Form:
    """22.462. One strike: its target, and the squadrons that fly, from decks and bases alike, within 23.73."""
    names = [f"CG{group.number}" for group in targets]
    squadrons = [
        (deck_item(ship, key), f"CG{group.number} {ship.name}: {squadron_label(key)}", key, number)
        for group, ship, key, number in decks(fleet)
    ]
    squadrons += [(key, squadron_label(key), key, number) for key, number in available(fleet, "attack")]
    items = [Item(TARGET, "The strike", 1, ("none", *names))]
    items += [Item(item, label, number, ("stay", "fly")) for item, label, _, number in squadrons]
    limits: list[Limit] = []
    for below, most in rules.strike_limits:
        cells = tuple((i, "fly", 1) for i, _, key, _ in squadrons if squadron_drm(rules, fleet, key) < below)
        which = f" with an air DRM below {below}" if below < 9 else ""
        limits.append(AtMost(cells, most, "23.73", f"At most {most} squadrons{which} fly in one strike."))
    flying = tuple((item, "fly", 1) for item, _, _, _ in squadrons)
    room = tuple((TARGET, name, -rules.strike_limits[-1][1]) for name in names)
    limits.append(AtMost((*flying, *room), 0, "22.462A", "Squadrons that fly need a target."))
    against = tuple((TARGET, name, -1) for name in names)
    limits.append(AtLeast((*flying, *against), 0, "22.46", "A strike needs at least one squadron."))
    places = [Place("none", "nobody flies"), *(Place(name, f"strikes enemy {name}") for name in names)]
    places += [Place("stay", "does not fly"), Place("fly", "flies")]
    default = _largest_strike(rules, fleet, names, squadrons, surprise=surprise)
    return Form(tuple(items), tuple(places), tuple(limits), default=default)


def _largest_strike(
    rules: Ruleset,
    fleet: Fleet,
    names: Sequence[str],
    squadrons: Sequence[tuple[str, str, str, int]],
    *,
    surprise: bool,
) -> dict[str, Wire]:
    """What is offered: all that may fly at the first target, by carriers alone where that would surprise."""
    flying: list[int] = []
    told: dict[str, Wire] = {}
    for item, _, key, number in squadrons:
        drm, most = squadron_drm(rules, fleet, key), 0
        while most < number and may_fly_together(rules.strike_limits, [*flying, *[drm] * (most + 1)]):
            most += 1
        if most and not (surprise and squadron(key).base):
            told[item] = {"fly": most}
            flying += [drm] * most
    return {TARGET: names[0], **told} if told else {TARGET: "none"}


@rule("22.41G", "22.46", "22.461", "23.751")
async def strike_next(table: Table) -> None:
    """22.461. The side whose turn it is flies one more strike, or says it is done.

    It is asked as long as a group it found may still be struck, whatever aircraft it has left: that is its secret.
    """
    side = table.battle.striking[0]
    targets = [group for group in table.fleet(side.enemy).groups if may_be_struck(group)]
    if targets:
        await break_down_army_air(table, [side])  # 23.131E: what was left whole may still be wanted
        battle = table.battle
        surprise = may_surprise(battle, side, every_strike=table.rules.surprise.every_strike)
        form = strike_form(table.rules, table.fleet(side), targets, surprise=surprise)
        question = "An air strike: on which group, and with which squadrons?"
        if surprise:
            question += " By carrier air alone it comes as a surprise."
        answer = await Decide(side, "22.461", "strike", question, form)
        if answer.place(TARGET) != "none":
            launch(table, side, answer)
            await air_strike(table)
            return
    table.record(StrikesEnded(rule="22.461", to=Audience.EVERYONE, side=side))


@rule("23.7411A", "23.74B", "23.75B", "23.75E", "23.74D", "23.751B")
def launch(table: Table, side: Side, answer: Answer) -> None:
    """23.74. The strike takes off. Carrier and land-based air may combine, but then surprise nobody."""
    flown = answer.held_by("fly")
    by_carrier = from_decks(answer, "fly")
    ashore = {item: number for item, number in flown.items() if "|" not in item}
    squadrons = told(plus(together(by_carrier), ashore))
    every = table.rules.surprise.every_strike
    surprise = may_surprise(table.battle, side, land_based=bool(ashore), every_strike=every)
    table.record(StrikeFlown(rule="23.74", to=only(side), side=side, decks=by_carrier))
    table.record(
        StrikeAnnounced(
            rule="22.461A" if surprise else "22.461B",
            to=Audience.EVERYONE,
            side=side,
            number=int(answer.place(TARGET).removeprefix("CG")),
            squadrons=squadrons,
            surprise=surprise,
        )
    )


# -- one strike ----------------------------------------------------------------------------------


def under_way(table: Table) -> tuple[Strike, Side, CombatGroup]:
    """The strike under way, its side, and the group it attacks."""
    strike = table.battle.strike
    assert strike is not None, "no strike is under way"
    side = Side(strike.side)
    return strike, side, table.group(side.enemy, strike.number)


@rule("23.71B", "23.76-a", "23.416A.1")
async def air_strike(table: Table) -> None:
    """23.76. One strike: surprise, air combat, air defense, targets, attack rolls, home."""
    if under_way(table)[0].surprise:
        await roll_surprise(table)
    await fight_defenders(table)
    await press_home(table)


@rule("23.42", "23.424-b", "23.43", "23.44", "23.76-a")
async def press_home(table: Table) -> None:
    """23.76. What defending aircraft left of a strike: air defense, then, if anybody got through, targets and bombs."""
    if table.battle.strike and table.battle.strike.squadrons:
        await defend_with_guns(table)
    if table.battle.strike and table.battle.strike.squadrons:
        show_target(table)
        await choose_targets(table, table.rules.gunfire(table))
        await attack_targets(table)
    end_strike(table)


@rule("23.76-a")
def end_strike(table: Table) -> None:
    """23.76. A strike is over: its survivors go home, and what is left of the group it attacked closes up."""
    strike, side, _ = under_way(table)
    spent = {key: number for key, number in strike.squadrons.items() if squadron(key).kind == "KAM"}
    table.record(
        StrikeEnded(rule="23.76", to=Audience.EVERYONE, side=side, number=strike.number, spent=spent)
    )  # that kamikazes are spent is an input (17.4)
    clear_away(table, side.enemy, strike.number)


@rule("23.424-b", "22.423B")
def show_target(table: Table) -> None:
    """23.424. Somebody got through: the group shows its ships, on passage the whole force does (AN-25)."""
    strike, side, _ = under_way(table)
    on_passage = table.battle.kind == "air attack"
    for number in table.fleet(side.enemy).numbers if on_passage else (strike.number,):
        reveal(table, side.enemy, number, "23.424")


def place_of(table: Table, number: int) -> str:
    """Where a strike is, in a question: over a group, or over a port."""
    return table.battle.port.name if table.battle.port else f"CG{number}"


@rule("23.741", "23.74121", "23.74122", "23.7413")
async def roll_surprise(table: Table) -> None:
    """23.7412. One die, better for search results on this group, worse for the defender's radar; below 1 is nothing.

    The strike itself has used up a search result (22.462B): those used before it were earlier strikes.
    """
    _, side, group = under_way(table)
    radar = table.fleet(side.enemy).research.get("radar", 0)
    modifiers = surprise_modifiers(table.rules.surprise, group.found, radar, max(0, group.spent - 1))
    dice = await Roll(1, table.rules.number("23.74121"), side, f"surprise against CG{group.number}")
    table.record(
        SurpriseRolled(
            rule="23.7412",
            to=Audience.EVERYONE,
            side=side,
            number=group.number,
            dice=dice,
            modifiers=modifiers,
            level=max(0, sum(dice) + modifiers.total),
        )
    )


# -- air combat ------------------------------------------------------------------------------------


def may_defend(group: CombatGroup) -> dict[str, int]:
    """The patrol and cover of a group that have not been held back this round."""
    return told(minus(plus(group.patrol, group.cover), group.withheld))


@rule("23.415A", "23.415E", "23.416B", "23.7413")
def defenders_form(group: CombatGroup, fewer: int) -> Form:
    """23.415A. Which of patrol and cover engage. Those a surprise keeps out may meet a later strike; those held back by
    choice may not, this round (AN-18, AN-20)."""
    pool = may_defend(group)
    kept_out = min(fewer, total(pool))
    keys = ("engage", "hold", "surprised") if kept_out else ("engage", "hold")
    items = tuple(Item(key, squadron_label(key), number, keys) for key, number in pool.items())
    places = [Place("engage", "engages"), Place("hold", "is held back for the round")]
    limits: list[Limit] = []
    default: dict[str, dict[str, int]] = {}
    if kept_out:
        places.append(Place("surprised", "is caught by surprise"))
        cells = tuple((item.key, "surprised", 1) for item in items)
        why = f"Surprise keeps {kept_out} of these squadrons out of this air combat."
        limits = [AtMost(cells, kept_out, "23.415E", why), AtLeast(cells, kept_out, "23.415E", why)]
        left = kept_out
        for item in items:
            out = min(left, item.amount)
            left -= out
            default[item.key] = {"surprised": out, "engage": item.amount - out}
    return Form(items, tuple(places), tuple(limits), default=default)


@rule("23.415B")
def fighters_form(squadrons: Counts, number: int) -> Form:
    """23.415B. Which of the strike's squadrons meet the defenders: as many as these, no more and no fewer."""
    items = tuple(Item(key, squadron_label(key), amount) for key, amount in squadrons.items())
    cells = tuple((item.key, "fight", 1) for item in items)
    why = f"Exactly {number} {'squadron meets' if number == 1 else 'squadrons meet'} the defenders."
    limits = (AtMost(cells, number, "23.415B", why), AtLeast(cells, number, "23.415B", why))
    default: dict[str, dict[str, int]] = {}
    for item in items:
        default[item.key] = {"fight": min(number, item.amount)}
        number -= min(number, item.amount)
    places = (Place("pass", "goes on to the ships"), Place("fight", "meets the defenders"))
    return Form(items, places, limits, rest="pass", default=default)


@rule("22.4421B", "22.4421C", "23.415", "23.416", "23.424-a")
async def fight_defenders(table: Table) -> None:
    """23.415. The defender says which of patrol and cover engage; the attacker which of his meet them; one round."""
    strike, side, group = under_way(table)
    owner = side.enemy
    table.record(
        CoverRevealed(rule="22.4421B", to=Audience.EVERYONE, side=owner, number=group.number, cover=told(group.cover))
    )
    form = defenders_form(group, table.rules.surprise.kept_out(strike.level, total(may_defend(group))))
    many = total(strike.squadrons)
    strikes = "1 squadron strikes" if many == 1 else f"{many} squadrons strike"
    question = f"{strikes} CG{group.number}: which defenders engage?"
    answer = await Decide(owner, "23.415A", "defend", question, form, f"CG{group.number}")
    defenders, held = answer.held_by("engage"), answer.held_by("hold")
    if held and not table.rules.withheld_air_returns:
        table.record(DefendersWithheld(rule="23.415A", to=only(owner), side=owner, number=group.number, squadrons=held))
    if not defenders:
        return
    table.record(
        DefendersEngaged(rule="23.415A", to=Audience.EVERYONE, side=owner, number=group.number, squadrons=defenders)
    )
    fighting = await _choose_fighters(side, strike, min(total(defenders), total(strike.squadrons)))
    table.record(
        AirCombatJoined(
            rule="23.415B",
            to=Audience.EVERYONE,
            side=side,
            number=group.number,
            fighting=fighting,
            defenders=defenders,
        )
    )
    await _air_combat(table)


async def _choose_fighters(side: Side, strike: Strike, number: int) -> dict[str, int]:
    """23.415B. As many as the defender committed, or all; which, the attacker says."""
    if number == total(strike.squadrons):
        return strike.squadrons
    form = fighters_form(strike.squadrons, number)
    question = f"{number} of your squadrons must meet the defenders: which?"
    answer = await Decide(side, "23.415B", "fight", question, form)
    return answer.held_by("fight")


@rule("23.415B.2", "23.415C", "23.415D", "23.416", "19.2")
async def _air_combat(table: Table) -> None:
    """23.415. One round: the attacker's row is what he sent to fight, the defender's all he committed (AN-13)."""
    strike, side, group = under_way(table)
    owner = side.enemy
    alone = not any(squadron(key).base for key in strike.defenders)
    surprised = table.rules.surprise.effects(strike.level).patrol_bonus_lost
    modifiers = modifiers_between(table, side, strike.fighting, strike.defenders, patrol_bonus=alone and not surprised)
    rows = {side: total(strike.fighting), owner: total(strike.defenders)}
    dice, results = {}, {}
    for who, net in ((side, modifiers.total), (owner, -modifiers.total)):
        dice[who] = await Roll(2, "23.415", who, f"air combat over CG{group.number}")
        results[who] = table.rules.air_combat.result(rows[who], sum(dice[who]) + net)
    table.record(
        AirCombatFought(
            rule="23.415",
            to=Audience.EVERYONE,
            side=side,
            number=group.number,
            rows=rows,
            modifiers=modifiers,
            dice=dice,
            eliminated={who: results[who].eliminated for who in results},
            aborted={who: results[who].aborted for who in results},
        )
    )
    others = minus(strike.squadrons, strike.fighting)
    where = f"The strike on CG{group.number}"
    toll = await take_staged_losses(side, strike.fighting, others, *results[owner], where)
    _strikers_lost(table, toll, "23.416A")
    suffered = await take_air_losses(owner, strike.defenders, results[side].eliminated, 0, f"Over CG{group.number}")
    table.record(
        DefendersLost(rule="23.416B", to=Audience.EVERYONE, side=owner, number=group.number, lost=told(suffered.lost))
    )


def _strikers_lost(table: Table, toll: Toll, under: str) -> None:
    strike, side, _ = under_way(table)
    if toll.lost or toll.aborted:
        table.record(
            StrikersLost(
                rule=under,
                to=Audience.EVERYONE,
                side=side,
                number=strike.number,
                lost=told(toll.lost),
                aborted=told(toll.aborted),
            )
        )


# -- air defense --------------------------------------------------------------------------------------


@rule("23.42", "23.421", "23.423", "23.76-a.B", "23.4211D")
async def defend_with_guns(table: Table) -> None:
    """23.421. The group's ships shoot: two dice, no modifiers, at its air defense level. Nobody may turn back first."""
    strike, side, group = under_way(table)
    owner = side.enemy
    rules = table.rules
    level = air_defense_level(
        rules.air_defense_level,
        group.ships,
        group.light,
        research=table.fleet(owner).research.get("air defense", 0),
        surprise=rules.surprise,
        level=strike.level,
        port=table.battle.port,
    )
    where = place_of(table, group.number)
    table.record(AirDefenseCounted(rule="23.421", to=only(owner), side=owner, number=group.number, level=level))
    dice: tuple[int, ...] = ()
    eliminated = aborted = 0
    surprised = not rules.surprise.effects(strike.level).air_defense_roll
    if makes_air_defense_roll(level.total, surprised=surprised):
        dice = await Roll(2, "23.42", owner, f"air defense of {where}")
        eliminated, aborted = rules.air_defense.result(level.total, sum(dice))
    table.record(
        AirDefenseRolled(
            rule="23.42",
            to=Audience.EVERYONE,
            side=owner,
            number=group.number,
            level=level.total,
            dice=dice,
            eliminated=eliminated,
            aborted=aborted,
        )
    )
    toll = await take_air_losses(side, strike.squadrons, eliminated, aborted, f"The strike on {where}")
    _strikers_lost(table, toll, "23.423")


# -- targets and attack rolls -----------------------------------------------------------------------------


@rule("23.43", "23.76-a.C", "22.471C")
def targets_form(group: CombatGroup, squadrons: Counts, gunfire: Gunfire | None = None) -> Form:
    """23.43. What each squadron attacks: a named ship, or the light ships as a body; it may do nothing (AN-28).

    Where naval air may fire with the heavy ships of its own group instead, `gunfire` says which (22.471C).
    """
    places = [Place(ship.id, f"attacks {ship.name}") for ship in group.ships]
    if group.light:
        places.append(Place(LIGHT, "attacks the light ships"))
    if not group.afloat:
        places.append(Place(SUPPLY, "attacks the sea supply line"))
    limits: list[Limit] = []
    if gunfire is not None:
        places.append(Place(GUNFIRE, f"fires with the heavy ships of CG{gunfire.own}"))
        limits = [AtMost(((key, GUNFIRE, 1),), gunfire.most.get(key, 0), "22.471C", gunfire.why) for key in squadrons]
    places.append(Place("none", "attacks nothing"))
    items = tuple(Item(key, squadron_label(key), number) for key, number in squadrons.items())
    return Form(items, tuple(places), tuple(limits), default={item.key: places[0].key for item in items})


@rule("23.43", "23.76-a.C", "17.475F", "22.471C.1")
async def choose_targets(table: Table, gunfire: Gunfire | None = None) -> None:
    """23.43. All targets are named before the first roll, and are final; kamikazes fall where the die says (17.475F)."""
    strike, side, group = under_way(table)
    aimed = {key: number for key, number in strike.squadrons.items() if squadron(key).kind != "KAM"}
    form = targets_form(group, aimed, gunfire)
    targets: dict[str, dict[str, int]] = {}
    if aimed:
        question = f"The strike is over {place_of(table, group.number)}: what does each squadron attack?"
        answer = await Decide(side, table.rules.number("23.43"), "air targets", question, form, f"CG{group.number}")
        targets = {place.key: held for place in form.places[:-1] if (held := answer.held_by(place.key))}
    joining = targets.pop(GUNFIRE, {})
    table.record(AirTargetsChosen(rule="23.43", to=Audience.EVERYONE, side=side, number=group.number, targets=targets))
    if gunfire is not None and joining:
        table.record(
            StrikeDeferred(
                rule="22.471C",
                to=Audience.EVERYONE,
                side=side,
                number=group.number,
                own=gunfire.own,
                squadrons=told(joining),
            )
        )
    ranked: list[str] = []
    for key in strike.squadrons:
        for _ in range(strike.squadrons[key] if key not in aimed else 0):
            ranked = ranked or await rank_for_kamikazes(side.enemy, group)
            await _kamikaze(table, key, ranked)


@rule("17.475F")
async def _kamikaze(table: Table, key: str, ranked: Sequence[str]) -> None:
    """17.475F. One die for each kamikaze squadron. The draw is not in our text; we use the submarine's of 2008 (RC-06)."""
    _, side, group = under_way(table)
    dice = await Roll(1, "17.475F", side, f"a kamikaze over {place_of(table, group.number)}")
    light_ships = LIGHT if group.light else ""
    target = kamikaze_target(ranked, light_ships, dice[0]) if ranked or light_ships else SUPPLY
    table.record(
        KamikazeTargetRolled(
            rule="17.475F",
            to=Audience.EVERYONE,
            side=side,
            number=group.number,
            squadron=key,
            dice=dice,
            target=target,
        )
    )


@rule("23.44", "23.441", "23.76-a.D")
async def attack_targets(table: Table) -> None:
    """23.44. One roll for each target, on the air rows of the Naval Attack Table: named ships, then light ships."""
    strike, _, group = under_way(table)
    for target in (*(ship.id for ship in group.ships), LIGHT, SUPPLY):
        if target in strike.targets:
            await _attack(table, target)


def _aimed_at(group: CombatGroup, target: str) -> tuple[list[Ship], Mapping[str, int]]:
    if target == LIGHT:
        return [], group.light
    return [ship for ship in group.ships if ship.id == target], {}


@rule("23.44", "23.441", "23.442", "23.443A", "20.51", "20.58B", "23.44T")
async def _attack(table: Table, target: str) -> None:
    """23.44. Two dice for all squadrons on one target, and what they do to it."""
    strike, side, group = under_way(table)
    owner = side.enemy
    rules = table.rules
    ships, counts = _aimed_at(group, target)
    flying = strike.targets[target]
    modifiers = air_attack_modifiers(
        rules.air_nationality,
        rules.nationality,
        crews(table.fleet(side), flying),
        ship_crews(ships, counts, table.fleet(owner).impaired),
        naval_air_bonus=0 if table.battle.port else rules.naval_air_bonus,  # at sea only
        surprise=rules.surprise,
        level=strike.level,
        enemy_tactical=table.fleet(owner).tactical,
    )
    name = ships[0].name if ships else "the light ships" if counts else "the sea supply line"
    number = total(flying)
    dice = await Roll(2, "23.44", side, f"{number} squadrons attack {name}")
    roll = sum(dice) + modifiers.total
    hits = rules.attack.read_air(number, roll).hits
    table.record(
        AirAttackRolled(
            rule="23.44",
            to=Audience.EVERYONE,
            side=side,
            number=group.number,
            target=target,
            name=name,
            squadrons=told(flying),
            modifiers=modifiers,
            dice=dice,
            roll=roll,
            hits=hits,
        )
    )
    if not hits:
        return
    if ships and table.battle.port:
        await hit_in_port(table, owner, group.number, ships[0], hits)
    elif ships:
        fate = hit_ship(table, owner, group.number, ships[0], hits)
        if fate == "damaged" and not ships[0].damaged and rules.surprise.effects(strike.level).critical_hit_roll:
            await critical_hit(table, owner, group.number, ships[0])
    elif counts:
        allotment = await allot(table, owner, group.number, counts, hits)
        await hit_light_ships(table, owner, group.number, allotment)
    else:
        await supply_line_hit(table, owner, group.number, hits)
