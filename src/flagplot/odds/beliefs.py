"""What a side believes of groups it cannot see, written out so that it can be argued with and changed.

The law here: a believed world is built from one side's picture and from what everyone knows; the truth is never looked
at. What is not known is filled in, and everything filled in stands in the belief: the contents of each hidden group.
Unless a player says otherwise:

- where the order of battle is open, the listed forces that have not been seen are shared among the hidden numbers as the
  admiral would number them, as far as that agrees with what was disclosed (22.452B); what agrees with none of them is
  made up as where it is hidden;
- where it is hidden, a group is taken to be what was disclosed of it, made up of ships of its nation that have not been
  seen; groups of which nothing is known are taken to be like our own, the strongest first, and beyond those a few cruisers
  and destroyers each: nobody can be sure that the enemy is weaker than he is himself;
- carriers have all their squadrons, nobody flies patrol or cover, and only listed forces may still arrive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.sides import Side
from flagplot.doctrine import policies
from flagplot.doctrine.sight import sight
from flagplot.model.forces import Cargo, CombatGroup, Disclosed, Engagement
from flagplot.model.picture import Picture
from flagplot.model.ships import Ship, light, light_key, plus
from flagplot.model.squadrons import squadron_key
from flagplot.model.state import Battle, Fleet
from flagplot.odds.worlds import NoOdds, World
from flagplot.rules.naval.combat_groups import form_groups
from flagplot.rules.naval.search import disclosure, disclosure_by_steps
from flagplot.scenarios.document import Document, Part
from flagplot.scenarios.forces import LIGHT, loaded, read_force
from flagplot.scenarios.ships import ships_of
from flagplot.tables.naval_nationality import NATIONS
from flagplot.tables.search import OF_2008, SearchTable

MOST_GROUPS = 6
NATION = {("Europe", "axis"): "Germany", ("Europe", "allies"): "Britain", ("Pacific", "axis"): "Japan"}
FEW = {"CA": 1, "DD": 2}  # the light ships of a group known to be under ten factors
SOME = {"CA": 2, "DD": 2}  # of one of which nothing is known, where there are more of them than groups of our own
MANY = {"CA": 3, "DD": 4}  # of one of ten factors and more


class Belief(NamedTuple):
    """The believed contents of each hidden enemy group, by number."""

    groups: tuple[CombatGroup, ...]


# -- what is believed unless something is said --------------------------------------------------


def usual_belief(picture: Picture) -> Belief:
    """What anybody would believe who knows what this side knows."""
    enemy = _enemy(picture)
    hidden = [group for group in enemy.groups if group.hidden]
    listed = _unseen_forces(picture) if enemy.forces else []
    if listed and len(listed) >= len(hidden):
        return Belief(_shared(picture, hidden, listed))
    return Belief(tuple(made_up(picture, hidden)))


def _enemy(picture: Picture) -> Fleet:
    return picture.battle.fleets[_side(picture).enemy]


def _side(picture: Picture) -> Side:
    if picture.side is None:
        raise NoOdds("a spectator has no odds: they are given to a side, from what it knows")
    return picture.side


def _seen(fleet: Fleet) -> set[str]:
    groups = (*fleet.groups, *fleet.withdrawn, *fleet.detached)
    return {ship.id for group in groups for ship in group.ships} | {ship.id for ship in fleet.sunk}


def _unseen_forces(picture: Picture) -> list[CombatGroup]:
    """The listed forces, as the groups they make, of which nothing has been seen and which may be here by now."""
    enemy = _enemy(picture)
    seen = _seen(enemy)
    return [
        group
        for group in form_groups(enemy.forces)
        if group.arrives <= picture.battle.round and not any(ship.id in seen for ship in group.ships)
    ]


def _shared(picture: Picture, hidden: Sequence[CombatGroup], listed: Sequence[CombatGroup]) -> tuple[CombatGroup, ...]:
    """The listed groups under the hidden numbers: what agrees best with what was disclosed, then as the admiral would."""
    ranked = sorted(listed, key=lambda group: policies.group_number_rank(sight(picture, group)))
    best: tuple[int, tuple[CombatGroup, ...]] = (-1, ())
    for chosen in permutations(ranked[:MOST_GROUPS], len(hidden)):
        agreeing = sum(
            _agrees(group, marker.disclosed) for group, marker in zip(chosen, hidden, strict=True) if marker.disclosed
        )
        if agreeing > best[0]:
            best = agreeing, chosen
    others = {group.number: group for group in made_up(picture, hidden)}
    return tuple(
        others[marker.number]
        if marker.disclosed and not _agrees(group, marker.disclosed)
        else replace(group, number=marker.number)
        for group, marker in zip(best[1], hidden, strict=True)
    )


def _agrees(group: CombatGroup, told: Disclosed) -> bool:
    """Whether its owner would say the same of a group: all of 22.452B, or as much as so many results ask for."""
    if told.steps:
        return disclosure_by_steps(OF_2008, replace(group, found=told.steps)) == told
    return disclosure(SearchTable(), group) == told


def made_up(picture: Picture, hidden: Sequence[CombatGroup]) -> Iterator[CombatGroup]:
    """What is behind markers, out of ships that have not been seen."""
    nation = _nation(picture)
    free = [ship for ship in ships_of(nation) if ship.id not in _seen(_enemy(picture))]
    carriers = [ship for ship in free if ship.is_carrier and ship.fast]
    capital = {fast: [ship for ship in free if ship.is_capital and ship.fast == fast] for fast in (True, False)}
    like = iter(_own_groups(picture))
    for marker in hidden:
        told = marker.disclosed
        ships: list[Ship] = []
        counts: dict[str, int] = SOME
        cargo: tuple[Cargo, ...] = ()
        model = next(like, None) if not told else None
        if model:
            for ship in model.ships:
                pool = carriers if ship.is_carrier else capital[ship.fast]
                if pool:
                    ships.append(min(pool, key=lambda each: abs(each.size - ship.size)))
                    pool.remove(ships[-1])
            counts = {kind: sum(n for key, n in model.light.items() if light(key).kind == kind) for kind in SOME}
        if told:
            ships = [carriers.pop(0) for _ in range(min(told.fast_carriers, len(carriers)))]
            counts = FEW if told.under_ten else MANY
            cargo = (Cargo("something", 1),) if told.cargo else ()
            slow = not told.fast and not cargo
            line = capital[not slow]
            if line and not told.under_ten and (slow or not ships):
                ships.append(line.pop(0))
            elif slow:
                counts = {**counts, "CVE": 1}
        if not ships and not any(counts.values()):
            counts = SOME
        light_ships = {light_key(nation, kind): number for kind, number in counts.items() if number}
        name = f"enemy CG{marker.number}"
        yield CombatGroup(marker.number, name, tuple(map(_full, ships)), loaded(light_ships, len(cargo)), cargo)


def _own_groups(picture: Picture) -> list[CombatGroup]:
    """Our own groups, the strongest first; before they are formed, those our forces make."""
    fleet = picture.battle.fleets[_side(picture)]
    groups = fleet.groups or form_groups(fleet.forces)
    return sorted(groups, key=lambda group: -(group.factors + 3 * sum(ship.is_carrier for ship in group.ships)))


def _nation(picture: Picture) -> str:
    """Whose ships an enemy has of whom nothing is known: those of the nation he is called after, or the usual ones."""
    enemy = _enemy(picture)
    seen = [ship.nation for group in enemy.groups for ship in group.ships] + [ship.nation for ship in enemy.sunk]
    if seen:
        return seen[0]
    usual = NATION.get((picture.battle.theatre, _side(picture).enemy.value), "United States")
    return enemy.name if enemy.name in NATIONS else usual


def _full(ship: Ship) -> Ship:
    return replace(ship, wing={squadron_key(ship.nation, "NAS"): ship.size}) if ship.is_carrier else ship


# -- as text --------------------------------------------------------------------------------------


def belief_text(belief: Belief) -> str:
    """A belief as a player may change it: forces as in a set-up, each with its number."""
    return "\n".join(line for group in belief.groups for line in (*_group_lines(group), ""))


def _group_lines(group: CombatGroup) -> Iterator[str]:
    nations = list(dict.fromkeys([ship.nation for ship in group.ships] + [light(key).nation for key in group.light]))
    yield from ("[[group]]", f"number = {group.number}", f'name = "{group.name}"')
    if nations:
        yield f'nation = "{nations[0]}"'
        yield from (f"{key} = {number}" for key, number in _light_numbers(group, nations[0]))
    if group.ships:
        yield "ships = [" + ", ".join(_ship_text(ship, nations[0]) for ship in group.ships) + "]"
    if nations[1:]:
        others = (", ".join(f"{key} = {n}" for key, n in _light_numbers(group, nation)) for nation in nations[1:])
        also = [f'{{ nation = "{nation}", {told} }}' for nation, told in zip(nations[1:], others, strict=True) if told]
        yield f"also = [{', '.join(also)}]"
    if group.cargo:
        carried = [
            f'{{ name = "{each.name}", needs = {each.needs}, by = "{each.by}", divisible = {str(each.divisible).lower()} }}'
            for each in group.cargo
        ]
        yield f"cargo = [{', '.join(carried)}]"
    if group.supply:
        yield "sea_supply = true"


def _light_numbers(group: CombatGroup, nation: str) -> Iterator[tuple[str, int]]:
    for key, (kind, state) in LIGHT.items():
        states = (state, "loaded") if kind == "DD" else (state,)
        number = sum(group.light.get(light_key(nation, kind, each), 0) for each in states)
        if number:
            yield key, number


def _ship_text(ship: Ship, nation: str) -> str:
    facts = [f'name = "{ship.name}"']
    elite = sum(number for key, number in ship.wing.items() if key.endswith("/elite"))
    for said, text in (
        (ship.nation != nation, f'nation = "{ship.nation}"'),
        (ship.hits, f"hits = {ship.hits}"),
        (ship.damaged, "damaged = true"),
        (ship.is_carrier and not ship.damaged and ship.air != ship.size, f"air = {ship.air}"),
        (elite, f"elite = {elite}"),
        (ship.bound, "may_not_withdraw = true"),
    ):
        facts += [text] if said else []
    return f'"{ship.name}"' if len(facts) == 1 else f"{{ {', '.join(facts)} }}"


def read_belief(text: str, picture: Picture) -> Belief:
    """A belief a player wrote. It must hold every hidden group and agree with what has been disclosed."""
    groups = read_groups(text, picture)
    hidden = {group.number: group for group in _enemy(picture).groups if group.hidden}
    if sorted(group.number for group in groups) != sorted(hidden):
        wanted = ", ".join(f"CG{number}" for number in sorted(hidden)) or "none"
        raise NoOdds(f"a belief says what each hidden group holds, once: there is {wanted}")
    for group in groups:
        told = hidden[group.number].disclosed
        if told and not _agrees(group, told):
            raise NoOdds(f"CG{group.number} cannot be that: its owner has said {_said(told)} (22.452B)")
    return Belief(tuple(sorted(groups, key=lambda group: group.number)))


def read_groups(text: str, picture: Picture) -> list[CombatGroup]:
    """The groups of a belief as they are written."""
    whole = Document(text, "belief").tables()
    whole.only("group")
    return [_read_group(part, _nation(picture)) for part in whole.parts("group")]


def _read_group(part: Part, nation: str) -> CombatGroup:
    own = part.one_of("nation", NATIONS, nation, "22.552A") if "nation" in part else nation
    others = {key: value for key, value in part.values.items() if key != "nation"}
    force = read_force(Part(part.document, part.path, others), own, MOST_GROUPS)
    (group,) = form_groups([replace(force, task_force=True)])
    return group


def _said(told: Disclosed) -> str:
    size = "fewer than ten factors" if told.under_ten else "ten factors or more"
    if told.steps:
        carriers = f" and {told.fast_carriers} carriers of any kind" if told.steps > 1 else ""
        return f"it has {size}{carriers}"
    carriers = "no carriers" if not told.fast_carriers else f"{told.fast_carriers} fast carriers"
    speed = "fast" if told.fast else "slow"
    return f"it has {size}, {carriers}, is {speed}{' and has cargo' if told.cargo else ''}"


# -- the believed world -----------------------------------------------------------------------------


def believed(
    edition: str, options: Mapping[str, str], picture: Picture, public: Picture, belief: Belief | None = None
) -> World:
    """The battle as a side takes it to be, at the boundary it can be entered at."""
    side = _side(picture)
    own, seen = picture.battle, public.battle
    enemy = _believed_fleet(picture, belief or usual_belief(picture))
    truth = replace(own, fleets={**own.fleets, side.enemy: enemy})
    theirs = replace(seen, fleets={**seen.fleets, side.enemy: enemy})
    known = {side: own, side.enemy: theirs}
    return World(
        edition,
        options,
        at_boundary(truth),
        {who: at_boundary(battle) for who, battle in known.items()},
        {side: tuple(picture.events), side.enemy: tuple(public.events)},
    )


def _believed_fleet(picture: Picture, belief: Belief) -> Fleet:
    enemy = _enemy(picture)
    listed = {ship.id: ship for force in enemy.forces for ship in force.ships}
    contents = {group.number: group for group in belief.groups}
    groups = []
    for group in enemy.groups:
        if group.hidden:
            inside = contents[group.number]
            group = replace(
                group,
                hidden=False,
                name=inside.name,
                ships=inside.ships,
                light=inside.light,
                cargo=inside.cargo,
                supply=inside.supply,
                mission=inside.mission,
                base=inside.base,
            )
        else:
            group = replace(
                group, name=group.name or f"enemy CG{group.number}", ships=tuple(_manned(group.ships, listed))
            )
        groups.append(replace(group, scouts=any(ship.fully_operational for ship in group.ships)))
    return replace(enemy, groups=tuple(groups), pending=tuple(_still_to_come(picture, belief)))


def _manned(ships: Iterable[Ship], listed: Mapping[str, Ship]) -> Iterator[Ship]:
    """Ships as they were seen, with the aircraft they are taken to have."""
    for ship in ships:
        if not ship.is_carrier or ship.damaged or ship.wing:
            yield ship
        else:
            yield replace(ship, wing=listed[ship.id].wing) if ship.id in listed else _full(ship)


def _still_to_come(picture: Picture, belief: Belief) -> Iterator[CombatGroup]:
    """Listed forces that have not arrived."""
    enemy = _enemy(picture)
    elsewhere = _seen(enemy) | {ship.id for group in belief.groups for ship in group.ships}
    for group in form_groups(enemy.forces):
        if group.arrives > picture.battle.round and not any(ship.id in elsewhere for ship in group.ships):
            yield group


# -- where a battle can be entered -------------------------------------------------------------------


def at_boundary(battle: Battle) -> Battle:
    """The battle at a boundary: what is half done, a strike or an engagement, is left out, its aircraft on their way
    home; an engagement in which nobody has fired yet is still to be fought."""
    if battle.fighting is not None and not battle.lines:
        battle = _put_back(battle, battle.fighting)
    if battle.strike is not None:
        striker = Side(battle.strike.side)
        naval = {key: number for key, number in battle.strike.squadrons.items() if "@" not in key}
        fleet = battle.fleets[striker]
        home = replace(fleet, aloft=plus(fleet.aloft, naval))
        battle = replace(battle, strike=None, fleets={**battle.fleets, striker: home})
    if battle.segment == "counterair" and any(
        group.patrol for fleet in battle.fleets.values() for group in fleet.groups
    ):
        battle = replace(battle, segment="carrier air")  # patrols fly already
    fleets = {
        side: replace(fleet, announced={}, ready={}, aloft=plus(fleet.aloft, fleet.ready))
        for side, fleet in battle.fleets.items()
    }
    return replace(battle, fighting=None, lines={}, shots={}, counterairs=(), fleets=fleets)


def _put_back(battle: Battle, engagement: Engagement) -> Battle:
    """Before an engagement that has begun. Where it is the first of its segment that is the beginning of the segment, from
    which the groups pair off as they did (22.521A)."""
    fleets = {side: replace(fleet, opponents=fleet.opponents[:-1]) for side, fleet in battle.fleets.items()}
    first = battle.step == "first" and not any(fleet.opponents for fleet in fleets.values())
    return replace(
        battle,
        fighting=None,
        fleets=fleets,
        step="pair" if first else battle.step,
        engagements=() if first else (engagement, *battle.engagements),
    )
