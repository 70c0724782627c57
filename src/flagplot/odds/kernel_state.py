"""From a naval battle (model/state.py) to the two rows of numbers that compiled battles are played with (22.3 to 22.9, 23).

`encode` takes a battle at the beginning of a segment, combat groups formed, or at any step of fleet combat, between two
engagements (22.521). What a side's policies know beyond the state itself is how many carriers its enemy was ever seen to
have; that comes from the pictures. See kernel_layout.py for how the numbers are addressed, kernel_facts.py for the way
back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.doctrine.sight import carriers_seen
from flagplot.editions.current import CURRENT
from flagplot.model.forces import Cargo, CombatGroup
from flagplot.model.picture import Picture
from flagplot.model.ships import SLOW_KINDS, Ship, light, light_key
from flagplot.model.squadrons import NEAR, squadron
from flagplot.model.state import Battle, Fleet
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_names import Layout, Names, NotCompilable, groups_of, names_of, number, squadrons_of
from flagplot.odds.philox import M32
from flagplot.rules.air.combat import squadron_drm
from flagplot.rules.air.cover import within_reach
from flagplot.rules.air.nationality import AirCrew, air_nationality_drm
from flagplot.rules.damage import fate_at_sea, fate_at_sea_damaged_again
from flagplot.rules.naval.gunnery import Crew, nationality_drm
from flagplot.rules.naval.submarines import excess_asw, places_for
from flagplot.rules.table import Ruleset

FIVE_FACTORS = 5  # of the battleships that make air defense stronger (23.421)
SAME_TABLES = (
    *("attack", "search", "air_combat", "air_defense", "air_defense_level", "surprise", "submarine"),
    *("most_groups", "most_group_factors", "strike_limits", "fleet_combat"),
)


def encode(
    rules: Ruleset,
    battle: Battle,
    pictures: Mapping[Side, Picture] | None = None,
    doctrines: Mapping[Side, Doctrine] | None = None,
) -> tuple[Words, Words, Layout]:
    """The state and the constants of a battle, and what their numbers stand for; NotCompilable says why not."""
    _check(rules, battle)
    s, c = np.zeros(at.STATE_WORDS, np.int32), np.zeros(at.CONSTANT_WORDS, np.int32)
    sides = battle.sides
    layout = Layout(sides, (names_of(battle.fleets[sides[0]]), names_of(battle.fleets[sides[1]])), battle)
    s[at.ROUND], s[at.SEGMENT] = battle.round, at.SEGMENT_NAMES.index(battle.segment)
    s[at.VICTOR], s[at.WINDOW_FIRST] = _side_number(sides, battle.victor), at.NO_WINDOW
    s[at.LOSERS] = sum(1 << index for index, side in enumerate(sides) if side in battle.losers)
    s[at.GOES_ON] = battle.goes_on
    _engagements(s, battle)
    _options(c, rules, battle)
    for index, side in enumerate(sides):
        fleet, names = battle.fleets[side], layout.names[index]
        _fleet(s, c, index, fleet, names)
        _groups(s, c, index, rules, fleet, names)
        _light(s, c, index, rules, fleet, names)
        _submarines(s, c, index, rules, battle, side, names)
        _air(s, c, index, rules, fleet, names)
        if pictures is not None:
            s[at.CARRIERS_SEEN + index] = carriers_seen(pictures[side.enemy], side)
        doctrine = doctrines[side] if doctrines is not None else Doctrine()
        c[at.DOCTRINE + index * at.DOCTRINE_WORDS :][: len(doctrine)] = doctrine
    for field, words in (
        (at.FORCED_EVADE, at.SIDES),
        (at.FORCED_WITHDRAW, at.SIDES),
        (at.FORCED_COVER, at.SIDES),
        (at.FORCED_SCREEN, at.SIDES),
        (at.FORCED_ROUND, at.SIDES),
        (at.FORCED_PATROL, at.SIDES * at.MOST_SLOTS),
    ):
        c[field : field + words] = NONE
    return s, c, layout


def give_dice(s: Words, seed: int, battle: int, stream: int = 0) -> None:
    """Which dice a battle is played with (philox.py)."""
    words = [seed & M32, (seed >> 32) & M32, battle & M32, (battle >> 32) & M32]
    s[at.SEED_LOW], s[at.SEED_HIGH], s[at.BATTLE_LOW], s[at.BATTLE_HIGH] = np.array(words, np.uint32).astype(np.int32)
    s[at.STREAM], s[at.DICE_USED], s[at.WINDOW_FIRST] = stream, 0, at.NO_WINDOW


def _side_number(sides: Sequence[Side], side: Side | None) -> int:
    return NONE if side is None else sides.index(side)


def _check(rules: Ruleset, battle: Battle) -> None:
    """Refuse what the kernels do not play."""
    if rules.edition != CURRENT.edition:
        raise NotCompilable(f"only the current edition is compiled, not that of {rules.edition}")
    if battle.kind != "naval battle":
        raise NotCompilable(f"only naval battles are compiled, and this is of another kind, {battle.kind}")
    if battle.segment not in at.SEGMENT_NAMES:
        raise NotCompilable(f"a battle is compiled from its combat groups on, not in the segment {battle.segment!r}")
    between = battle.step == "pair" or battle.segment == "fleet combat"
    if not between or battle.fighting or battle.strike or battle.counterairs or battle.port or battle.amendments:
        raise NotCompilable(
            "a battle is compiled at the beginning of a segment or an engagement, with nothing under way"
        )
    for name in SAME_TABLES:
        if getattr(rules, name) is not getattr(CURRENT, name) and getattr(rules, name) != getattr(CURRENT, name):
            raise NotCompilable(f"only the current edition is compiled; {name} differs from it")
    for fleet in battle.fleets.values():
        if fleet.ready or any(group.withheld for group in fleet.groups):
            raise NotCompilable("a battle is compiled at the beginning of a segment, with no aircraft held back")
        if any(group.empty for group in groups_of(fleet)):
            raise NotCompilable("a combat group has no ships and no supply line")
        factors = sum(group.factors for group in groups_of(fleet))
        if factors > at.MOST_FACTORS:
            raise NotCompilable(f"a side has {factors} naval factors; compiled battles have room for {at.MOST_FACTORS}")
        loose = [g for g in fleet.pending if not g.task_force and not g.encumbered and g.arrives > 1]
        if len(loose) > 2:
            raise NotCompilable("more than two groups outside task forces arrive late; they may combine in many ways")


def _engagements(s: Words, battle: Battle) -> None:
    """22.521. How far fleet combat has come: its step, engagements declared and not yet fought, who may still seek one."""
    one, two = battle.sides
    seeking = battle.escaped or battle.undeclared  # never both
    s[at.STEP] = at.STEP_NAMES.index("evade" if battle.escaped else battle.step)
    s[at.ENGAGEMENTS], s[at.UNDECLARED] = len(battle.engagements), len(seeking)
    for index, each in enumerate(battle.engagements):
        sought = Side(each.initiator) if each.initiator else None
        words = each.number(one), each.number(two), _side_number(battle.sides, sought)
        s[at.ENGAGEMENTS + 1 + 3 * index :][: len(words)] = words
    for index, (side, group) in enumerate(seeking):
        s[at.UNDECLARED + 1 + 2 * index :][:2] = battle.sides.index(side), group


def _options(c: Words, rules: Ruleset, battle: Battle) -> None:
    c[at.AIRCRAFT], c[at.SUBMARINES_HERE] = battle.aircraft, battle.submarines
    if rules.fate_at_sea not in (fate_at_sea, fate_at_sea_damaged_again):
        raise NotCompilable("the reading of what sinks a damaged ship is not compiled")
    c[at.DAMAGED_AGAIN] = rules.fate_at_sea is fate_at_sea_damaged_again
    hurt = Ship("", "", "", "BB", 4, damaged=True)
    c[at.HELD_UNDAMAGED] = not rules.held_fire(hurt)
    c[at.HELD_CRUISERS] = rules.held_fire_of_damaged_cruisers
    c[at.TRIES] = rules.tries_after_evasion
    c[at.NAVAL_AIR_BONUS] = rules.naval_air_bonus


def put_map(s: Words, where: int, counts: Mapping[str, int], names: Sequence[str], first: int, what: str) -> None:
    """A dict of counts as a map at `where`: what stands at `first` and on in the numbering of both sides."""
    s[where] = len(counts)
    for index, (name, amount) in enumerate(counts.items()):
        s[where + 1 + 2 * index] = first + number(names, name, what)
        s[where + 2 + 2 * index] = amount


def _fleet(s: Words, c: Words, side: int, fleet: Fleet, names: Names) -> None:
    """What holds for a whole side."""
    c[at.TACTICAL + side] = fleet.tactical
    c[at.SEARCH_ADVANTAGE + side] = max(-1, min(1, fleet.search_advantage)) * CURRENT.search.codebreaking
    for field, project in (
        (at.RADAR, "radar"),
        (at.AIR_DEFENSE_RESEARCH, "air defense"),
        (at.TORPEDO_RESEARCH, "torpedo"),
        (at.ASW_RESEARCH, "ASW"),
    ):
        c[field + side] = fleet.research.get(project, 0)
    c[at.SUBMARINE_CODEBREAKING + side] = fleet.submarine_codebreaking
    for field, found in (
        (at.GROUP_COUNT, names.groups),
        (at.SHIP_COUNT, names.ships),
        (at.LIGHT_COUNT, names.kinds),
        (at.CARGO_COUNT, names.cargo),
        (at.BASE_COUNT, names.bases),
        (at.KEY_COUNT, names.keys),
        (at.BOAT_COUNT, names.boats),
        (at.PLACE_COUNT, names.places),
        (at.FACTOR_COUNT, names.factors),
    ):
        c[field + side] = len(found)
    s[at.ROUND_SUNK + side], s[at.WITHDREW + side] = fleet.round_sunk, fleet.withdrew
    s[at.LINE_CUT + side], s[at.SIDE_FOUND + side] = fleet.line_cut, fleet.found
    s[at.SEARCHING + side], s[at.STRIKES + side] = fleet.searching, fleet.strikes


# -- groups and ships --------------------------------------------------------------------------------


def _groups(s: Words, c: Words, side: int, rules: Ruleset, fleet: Fleet, names: Names) -> None:
    """Groups, their ships and their cargo."""
    s[at.GROUP_OF + side * at.NUMBERS :][: at.NUMBERS] = NONE
    pending = at.PENDING + side * (at.MOST_SLOTS + 1)
    s[pending] = len(fleet.pending)
    loaded = [key for group in groups_of(fleet) for key in group.light if light(key).state == "loaded"]
    c[at.LADEN + side] = bool(names.cargo or loaded)
    ship = cargo = 0
    for index, group in enumerate(groups_of(fleet)):
        here = at.GROUPS + (side * at.MOST_SLOTS + index) * at.GROUP_WORDS
        if index < len(fleet.groups):
            s[at.GROUP_OF + side * at.NUMBERS + group.number] = here
            s[at.NUMBERS_USED + side] |= 1 << group.number
        else:
            s[pending + 1 + index - len(fleet.groups)] = here
        _group(s, side, here, group, fleet, names)
        s[at.GROUP_HERE + here] = index < len(fleet.groups)
        ship = _ships(s, c, side, ship, at.GROUP_SHIPS + here, group.ships, rules, fleet, names)
        cargo = _cargo(s, c, side, cargo, at.GROUP_CARGO + here, group.cargo)
        _light_factors(s, here, group)
    for parcels, where in (
        ((*fleet.detached, *fleet.withdrawn), at.WITHDRAWN_SHIPS),
        (fleet.home, at.HOME_SHIPS),
    ):
        for group in parcels:
            ship = _ships(s, c, side, ship, where + side, group.ships, rules, fleet, names)
    for group in (*fleet.detached, *fleet.withdrawn):
        cargo = _cargo(s, c, side, cargo, at.WITHDRAWN_CARGO + side, group.cargo)
    _ships(s, c, side, ship, at.SUNK_SHIPS + side, fleet.sunk, rules, fleet, names)


def _cargo(s: Words, c: Words, side: int, first: int, where: int, loads: Sequence[Cargo]) -> int:
    """Cargo into a set, from this place on; the next free place."""
    for place, cargo in enumerate(loads, first):
        index = side * at.MOST_CARGO + place
        s[where] |= 1 << place
        s[at.CARGO_NEEDS + index] = cargo.needs
        c[at.CARGO_BY + index], c[at.CARGO_DIVISIBLE + index] = at.LIGHT_KINDS.index(cargo.by), cargo.divisible
    return first + len(loads)


def _light_factors(s: Words, here: int, group: CombatGroup) -> None:
    """What the light ships of a group come to, as `recount` of kernel_groups.py has it."""
    every = [(light(key), number) for key, number in group.light.items()]
    sound = [(unit, number) for unit, number in every if unit.state != "damaged"]
    firing = [(unit, number) for unit, number in every if unit.kind in ("CA", "DD") and not unit.state]
    for field, units in (
        (at.LIGHT_FACTORS_ALL, every),
        (at.LIGHT_FACTORS_UNDAMAGED, sound),
        (at.LIGHT_GUNS, firing),
    ):
        s[field + here] = sum(unit.factors * number for unit, number in units)
    s[at.LIGHT_SLOW + here] = len(sound) < len(every) or any(unit.kind in SLOW_KINDS for unit, _ in every)
    s[at.LIGHT_SOUND + here] = len(sound) > 0


def _group(s: Words, side: int, here: int, group: CombatGroup, fleet: Fleet, names: Names) -> None:
    said = group.disclosed
    for field, value in (
        (at.GROUP_NUMBER, group.number),
        (at.GROUP_SUPPLY, group.supply),
        (at.GROUP_UNLADEN, group.unladen),
        (at.GROUP_ARRIVES, group.arrives),
        (at.GROUP_TASK_FORCE, group.task_force),
        (at.GROUP_REVEALED, group.revealed),
        (at.DISCLOSED, said is not None),
        (at.DISCLOSED_UNDER_TEN, bool(said and said.under_ten)),
        (at.DISCLOSED_CARRIERS, said.fast_carriers if said else 0),
        (at.DISCLOSED_CARGO, bool(said and said.cargo)),
        (at.FOUND, group.found),
        (at.SPENT, group.spent),
        (at.MET, group.met),
        (at.VICTORIOUS, group.victorious),
        (at.ENGAGED, group.engaged),
        (at.EVADED, group.evaded),
        (at.STOOD, group.stood),
        (at.ATTACKED, group.attacked),
        (at.FOUGHT, group.fought),
        (at.SCOUTS, group.scouts),
        (at.SUBMARINE_ATTACKS, group.submarine_attacks),
    ):
        s[field + here] = int(value)
    bare = CombatGroup(group.number, base=group.base, origins=group.origins)
    near = places_for(bare, fleet.destroyers_elsewhere)
    s[at.GROUP_NEAR + here] = sum(1 << index for index, (place, _) in enumerate(names.places) if place in near)
    light_first, key_first = side * at.MOST_LIGHT, side * at.MOST_KEYS
    put_map(s, at.GROUP_LIGHT + here, group.light, names.kinds, light_first, "light ships")
    put_map(s, at.GROUP_PATROL + here, group.patrol, names.keys, key_first, "squadrons")
    put_map(s, at.GROUP_COVER + here, group.cover, names.keys, key_first, "squadrons")


def _ships(
    s: Words,
    c: Words,
    side: int,
    first: int,
    where: int,
    ships: Iterable[Ship],
    rules: Ruleset,
    fleet: Fleet,
    names: Names,
) -> int:
    """Ships into a set, from this place on; the next free place."""
    place = first
    for ship in ships:
        s[where] |= 1 << place
        _ship(s, c, side, place, ship, rules, fleet, names)
        place += 1
    return place


def _ship(s: Words, c: Words, side: int, place: int, ship: Ship, rules: Ruleset, fleet: Fleet, names: Names) -> None:
    index = side * at.MOST_SHIPS + place
    number(at.SHIP_KINDS, ship.kind, "kind of ship")
    s[at.SHIP_HITS + index] = ship.hits
    c[at.SHIP_SIZE + index] = ship.size
    c[at.SHIP_CARRIER + index], c[at.SHIP_FAST + index] = ship.is_carrier, ship.fast
    for row, field, is_member in (
        (s, at.DAMAGED_SHIPS, ship.damaged),
        (s, at.NEWLY_SHIPS, ship.id in fleet.newly_damaged),
        (s, at.READY_CARRIERS, bool(ship.wing)),
        (c, at.CARRIER_SHIPS, ship.is_carrier),
        (c, at.FAST_SHIPS, ship.fast),
        (c, at.BOUND_SHIPS, ship.bound),
        (c, at.LARGE_BATTLESHIPS, ship.kind == "BB" and ship.size == FIVE_FACTORS),
        (c, at.LARGE_CARRIERS, ship.kind == "CVB"),
    ):
        row[field + side] |= is_member << place
    for bit in range(at.SIZE_BITS):
        c[at.SIZES + side * at.SIZE_BITS + bit] |= (ship.size >> bit & 1) << place
    crew = Crew(ship.nation, ship.kind, ship.size, ship.nation in fleet.impaired)
    drm = c[at.SHIP_DRM + index] = nationality_drm(rules.nationality, crew)
    slow = 2 * (99 - ship.size) + (not ship.fast)  # 22.54A: larger first, then faster, fewer hits, higher DRM
    c[at.SHIP_RANK + index] = slow * 100 * at.HITS_IN_RANK + 50 - drm
    c[at.SHIP_PLAIN_DRM + index] = nationality_drm(rules.nationality, crew._replace(impaired=False))
    if ship.size > at.MOST_SIZE:
        raise NotCompilable(f"{ship.name} has {ship.size} factors; compiled battles have room for {at.MOST_SIZE}")
    if len(ship.wing) > at.MOST_WING_KEYS or (ship.wing and not ship.is_carrier):
        raise NotCompilable(f"compiled battles have no room for the aircraft aboard {ship.name}")
    key_first = side * at.MOST_KEYS
    put_map(s, at.WING + index * at.WING_MAP, ship.wing, names.keys, key_first, "squadrons")


# -- light ships, submarines -----------------------------------------------------------------------------


def _light(s: Words, c: Words, side: int, rules: Ruleset, fleet: Fleet, names: Names) -> None:
    """Kinds of light ships, and what became of them."""
    first = side * at.MOST_LIGHT
    nations = sorted({light(key).nation for key in names.kinds})
    for field in (at.LIGHT_HURT, at.LIGHT_LADEN, at.LIGHT_EMPTY):
        c[field + first : field + first + at.MOST_LIGHT] = NONE
    for index, key in enumerate(names.kinds):
        nation, kind, state = light(key)
        here = first + index
        c[at.LIGHT_TYPE + here] = number(at.LIGHT_KINDS, kind, "kind of light ship")
        c[at.LIGHT_STATE + here] = number(at.LIGHT_STATES, state, "state of light ships")
        c[at.LIGHT_FACTORS + here] = light(key).factors
        c[at.LIGHT_NATION + here] = nations.index(nation)
        c[at.LIGHT_DRM + here] = nationality_drm(rules.nationality, Crew(nation, kind, 1, nation in fleet.impaired))
        c[at.LIGHT_PLAIN_DRM + here] = nationality_drm(rules.nationality, Crew(nation, kind))
        for field, became in (
            (at.LIGHT_HURT, light_key(nation, "CA", "damaged") if kind == "CA" and not state else ""),
            (at.LIGHT_LADEN, light_key(nation, "DD", "loaded") if kind == "DD" and not state else ""),
            (at.LIGHT_EMPTY, light_key(nation, "DD") if kind == "DD" and state else ""),
        ):
            if became in names.kinds:
                c[field + here] = first + names.kinds.index(became)
        s[at.SUNK_LIGHT + here] = fleet.sunk_light.get(key, 0)
        gone = (*fleet.detached, *fleet.withdrawn)
        s[at.WITHDRAWN_LIGHT + here] = sum(group.light.get(key, 0) for group in gone)
        s[at.NEWLY_LIGHT + here] = fleet.newly_damaged.get(key, 0)


def _submarines(s: Words, c: Words, side: int, rules: Ruleset, battle: Battle, who: Side, names: Names) -> None:
    """Submarines of a side, and destroyers elsewhere that may take losses from the enemy's."""
    fleet, enemy = battle.fleets[who], battle.fleets[who.enemy]
    for index, key in enumerate(names.boats):
        here = side * at.MOST_BOATS + index
        nation, _, state = light(key)
        s[at.BOATS + here] = fleet.submarines.get(key, 0)
        s[at.BOATS_SPENT + here] = fleet.submarines_spent.get(key, 0)
        s[at.BOATS_LOST + here] = fleet.submarines_lost.get(key, 0)
        c[at.BOAT_ADVANCED + here] = state == "advanced"
        c[at.BOAT_DRM + here] = nationality_drm(
            rules.nationality, Crew(nation, "submarine", 1, nation in fleet.impaired)
        )
        c[at.BOAT_ASW + here] = excess_asw(enemy.excess_asw, nation, battle.theatre, western_front=battle.western_front)
    for index, (place, key) in enumerate(names.places):
        here = side * at.MOST_PLACES + index
        s[at.ELSEWHERE + here] = fleet.destroyers_elsewhere[place][key]
        c[at.PLACE_KIND + here] = side * at.MOST_LIGHT + names.kinds.index(key)


# -- aircraft -------------------------------------------------------------------------------------------------


def _air(s: Words, c: Words, side: int, rules: Ruleset, fleet: Fleet, names: Names) -> None:
    """Air bases and squadrons."""
    key_first, base_first = side * at.MOST_KEYS, side * at.MOST_BASES
    types = sorted({squadron(key).type for key in names.keys})
    carriers = [ship for group in groups_of(fleet) for ship in group.ships if ship.is_carrier]
    c[at.CARRIERS + side] = bool(carriers or fleet.aloft or fleet.patrol_left)
    c[at.ELITE_KEYS + side] = sum(squadron(key).state == "elite" for key in names.keys)
    squadrons = sum(ship.air for group in groups_of(fleet) for ship in group.ships)
    aloft = [*(group.patrol for group in fleet.groups), fleet.aloft, fleet.patrol_left]
    squadrons += sum(sum(counts.values()) for counts in aloft)
    for index, key in enumerate(names.keys):
        here = key_first + index
        unit = squadron(key)
        c[at.KEY_KIND + here] = number(at.AIR_KINDS, unit.kind, "kind of squadron")
        c[at.KEY_STATE + here] = number(at.AIR_STATES, unit.state, "state of squadrons")
        c[at.KEY_BASE + here] = base_first + number(names.bases, unit.base, "air base") if unit.base else NONE
        c[at.KEY_TYPE + here] = types.index(unit.type)
        c[at.KEY_DRM + here] = squadron_drm(rules, fleet, key)
        crew = AirCrew(unit.nation, unit.kind, unit.state == "elite")
        c[at.KEY_PLAIN_DRM + here] = air_nationality_drm(rules.air_nationality, crew)
        ashore = [f"{key}@{base}" for base in names.bases] if not unit.base else []
        c[at.KEY_ASHORE + here * at.MOST_BASES :][: at.MOST_BASES] = NONE
        for place, landed in enumerate(ashore):
            if landed in names.keys:
                c[at.KEY_ASHORE + here * at.MOST_BASES + place] = key_first + names.keys.index(landed)
        s[at.AIR_LOST + here] = fleet.air_lost.get(key, 0)
    for field, counts in ((at.ALOFT, fleet.aloft), (at.PATROL_LEFT, fleet.patrol_left)):
        put_map(s, field + side * at.DECK_MAP, counts, names.keys, key_first, "squadrons")
    for index, factor in enumerate(names.factors):
        here = side * at.MOST_FACTOR_KINDS + index
        c[at.FACTOR_ARMY + here] = squadron(factor).kind == "AAF"
        for base_index, name in enumerate(names.bases):
            for role, made in enumerate(squadrons_of(factor)):
                cell = at.FACTOR_KEYS + (here * at.MOST_BASES + base_index) * 3 + role
                c[cell] = key_first + names.keys.index(f"{made}@{name}") if f"{made}@{name}" in names.keys else NONE
    factor_first = side * at.MOST_FACTOR_KINDS
    for index, base in enumerate(fleet.air_bases):
        here = base_first + index
        c[at.BASE_REACH + here], c[at.BASE_OPERATIONAL + here] = within_reach(fleet, base), base.operational
        c[at.BASE_NEAR + here], c[at.BASE_CAPACITY + here] = base.distance <= NEAR, base.capacity
        squadrons += sum(base.squadrons.values()) + sum(base.inverted.values())
        squadrons += 3 * (sum(base.factors.values()) + sum(base.inverted_factors.values()))
        for field, counts in (
            (at.BASE_SQUADRONS, base.squadrons),
            (at.BASE_USED, base.used),
            (at.BASE_INVERTED, base.inverted),
            (at.BASE_ABORTED, base.aborted),
        ):
            with_base = {f"{key}@{base.name}": amount for key, amount in counts.items()}
            put_map(s, field + here * at.BASE_WORDS, with_base, names.keys, key_first, "squadrons")
        for field, counts in ((at.BASE_FACTORS, base.factors), (at.BASE_INVERTED_FACTORS, base.inverted_factors)):
            put_map(s, field + here * at.BASE_WORDS, counts, names.factors, factor_first, "air factors")
    if squadrons > at.MOST_SQUADRONS:
        raise NotCompilable(f"a side has {squadrons} squadrons; compiled battles have room for {at.MOST_SQUADRONS}")
