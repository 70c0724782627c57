"""What a side believes of groups it cannot see, written out so that it can be argued with and changed.

The law here: a believed world is built from one side's picture and from what everyone knows; the truth is never looked
at. What is not known is filled in, and everything filled in stands in the belief: the contents of each hidden group.
Unless a player says otherwise:

- what was disclosed of a group in any round is remembered (sightings.py);
- where the order of battle is open, the listed forces that have not been seen are shared among the hidden numbers as the
  admiral would number them, as far as that agrees with what was disclosed (listed_forces.py); what agrees with none of
  them is made up as where it is hidden;
- where it is hidden, a group is taken to be what was disclosed of it, made up of ships of its nation that have not been
  seen; groups of which nothing is known are taken to be like our own, the strongest first, and beyond those a few cruisers
  and destroyers each: nobody can be sure that the enemy is weaker than he is himself;
- carriers have all their squadrons but those that are known to be lost, nobody flies patrol or cover, and only listed
  forces may still arrive; of more forces than there are numbers those wait that the admiral would let wait. Whoever reckons with others
  writes them down, with the round they come in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup, Disclosed
from flagplot.model.picture import Picture
from flagplot.model.ships import Ship, light, light_key, minus
from flagplot.model.squadrons import squadron
from flagplot.model.state import Fleet
from flagplot.odds.boundaries import entered
from flagplot.odds.guesses import MADE_UP, SOME, agrees, as_model, as_told, full
from flagplot.odds.listed_forces import MOST_GROUPS, listed_groups, waiting_forces
from flagplot.odds.sightings import enemy_of, markers, seen_ships, side_of
from flagplot.odds.worlds import NoOdds, World
from flagplot.rules.naval.combat_groups import form_groups
from flagplot.scenarios.document import Document, Part
from flagplot.scenarios.forces import LIGHT, read_force
from flagplot.scenarios.ships import ships_of
from flagplot.tables.naval_nationality import NATIONS

NATION = {("Europe", "axis"): "Germany", ("Europe", "allies"): "Britain", ("Pacific", "axis"): "Japan"}
FRIENDS = {Side.AXIS: ("Germany", "Italy", "Japan"), Side.ALLIES: ("Britain", "United States", "France", "Russia")}


class Belief(NamedTuple):
    """The believed contents of each hidden enemy group, by number; and groups that are believed still to come."""

    groups: tuple[CombatGroup, ...]
    coming: tuple[CombatGroup, ...] = ()

    def in_words(self) -> list[dict[str, int | str]]:
        """Each group by its number, or by the round it comes in, with what it holds."""
        return [
            {"number": group.number, "arrives": 0 if group.number else group.arrives, "holds": group.describe()}
            for group in (*self.groups, *self.coming)
        ]


# -- what is believed unless something is said --------------------------------------------------


def usual_belief(picture: Picture) -> Belief:
    """What anybody would believe who knows what this side knows."""
    hidden = markers(picture)
    found = listed_groups(picture, hidden)
    known = [group.number for group in found]
    found += made_up(picture, [marker for marker in hidden if marker.number not in known], found)
    groups = sorted(found, key=lambda group: group.number)
    return Belief(_with_fewer(groups, _shot_down(picture, groups)))


def made_up(
    picture: Picture, hidden: Sequence[CombatGroup], others: Sequence[CombatGroup] = ()
) -> Iterator[CombatGroup]:
    """What is behind markers, out of ships that have not been seen and are not in other groups."""
    nation = _nation(picture)
    mine = _own_groups(picture)
    taken = seen_ships(picture) | {ship.id for group in (*others, *mine) for ship in group.ships}
    like = iter(mine)
    for marker in hidden:
        nations = dict.fromkeys((nation, *FRIENDS[side_of(picture).enemy])) if marker.disclosed else (nation,)
        free = [ship for each in nations for ship in ships_of(each) if ship.id not in taken]
        base = CombatGroup(marker.number, f"{MADE_UP}{marker.number}")
        if marker.disclosed:
            group = as_told(marker.disclosed, free, nation, base)
        else:
            model = next(like, None)
            group = as_model(model, free, nation, base) if model else base
        if group.empty:
            group = replace(base, light={light_key(nation, kind): number for kind, number in SOME.items()})
        taken |= {ship.id for ship in group.ships}
        yield replace(group, ships=tuple(map(full, group.ships)))


def _own_groups(picture: Picture) -> list[CombatGroup]:
    """Our own groups, the strongest first; before they are formed, those our forces make."""
    fleet = picture.battle.fleets[side_of(picture)]
    groups = fleet.groups or form_groups(fleet.forces)
    return sorted(groups, key=lambda group: -(group.factors + 3 * sum(ship.is_carrier for ship in group.ships)))


def _nation(picture: Picture) -> str:
    """Whose ships an enemy has of whom nothing is known: those of the nation he is called after, or the usual ones."""
    enemy = enemy_of(picture)
    seen = [ship.nation for group in enemy.groups for ship in group.ships] + [ship.nation for ship in enemy.sunk]
    if seen:
        return seen[0]
    usual = NATION.get((picture.battle.theatre, side_of(picture).enemy.value), "United States")
    return enemy.name if enemy.name in NATIONS else usual


def _at_first(picture: Picture, ship: Ship) -> Ship:
    """A ship with the aircraft she is taken to have begun with."""
    listed = {each.id: each for force in enemy_of(picture).forces for each in force.ships}
    return replace(ship, wing=listed[ship.id].wing) if ship.id in listed else full(ship)


def _shot_down(picture: Picture, hidden: Iterable[CombatGroup]) -> Counter[str]:
    """By nation the squadrons that carriers which are here, these among them, are short of: naval air that is known to be
    lost, as far as it was not of carriers that are sunk, damaged or gone."""
    enemy = enemy_of(picture)
    lost: Counter[str] = Counter()
    for key, number in enemy.air_lost.items():
        unit = squadron(key)
        lost[unit.nation] += number if unit.kind == "NAS" and not unit.base else 0
    known = [ship for force in enemy.forces if force.arrives <= picture.battle.round for ship in force.ships]
    known += [ship for part in (*enemy.groups, *enemy.withdrawn, *enemy.detached) for ship in part.ships]
    here = {ship.id for group in (*enemy.groups, *hidden) for ship in group.ships if not ship.damaged}
    for ship in {each.id: each for each in (*known, *enemy.sunk)}.values():
        if ship.is_carrier and ship.id not in here:
            lost[ship.nation] -= _at_first(picture, ship).air
    return +lost


def _with_fewer(groups: Sequence[CombatGroup], lost: Mapping[str, int]) -> tuple[CombatGroup, ...]:
    """Groups whose carriers have lost so many squadrons: who comes home lands on the first carriers, so the last have none."""
    left = dict(lost)
    found: list[CombatGroup] = []
    for group in reversed(groups):
        ships: list[Ship] = []
        for ship in reversed(group.ships):
            wing = dict(ship.wing)
            for key in reversed(ship.wing):
                gone = min(wing[key], left.get(ship.nation, 0))
                wing = minus(wing, {key: gone})
                left[ship.nation] = left.get(ship.nation, 0) - gone
            ships.insert(0, replace(ship, wing=wing))
        found.insert(0, replace(group, ships=tuple(ships)))
    return tuple(found)


# -- as text --------------------------------------------------------------------------------------


def belief_text(belief: Belief) -> str:
    """A belief as a player may change it: forces as in a set-up, each with its number."""
    return "\n".join(line for group in (*belief.groups, *belief.coming) for line in (*_group_lines(group), ""))


def _group_lines(group: CombatGroup) -> Iterator[str]:
    nations = list(dict.fromkeys([ship.nation for ship in group.ships] + [light(key).nation for key in group.light]))
    where = f"number = {group.number}" if group.number else f"arrives = {group.arrives}"
    yield from ("[[group]]", where, f'name = "{group.name}"')
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
    groups, coming = read_groups(text, picture)
    hidden = {group.number: group for group in markers(picture)}
    if sorted(group.number for group in groups) != sorted(hidden):
        wanted = ", ".join(f"CG{number}" for number in sorted(hidden)) or "no group hidden just now"
        there = "there are" if len(hidden) > 1 else "there is"
        raise NoOdds(f"a belief says what each hidden group holds, one [[group]] for each: {there} {wanted}")
    for group in groups:
        told = hidden[group.number].disclosed
        if told and not agrees(group, told):
            raise NoOdds(f"CG{group.number} cannot be that: its owner has said {_said(told)} (22.452B)")
    return Belief(tuple(sorted(groups, key=lambda group: group.number)), tuple(coming))


def read_groups(text: str, picture: Picture) -> tuple[list[CombatGroup], list[CombatGroup]]:
    """The groups of a belief as they are written: those that are here, and those still to come. No ship is in two places,
    and no two groups have one name: what becomes of them is told by it."""
    whole = Document(text, "belief").tables()
    whole.only("group")
    groups = [_read_group(part, _nation(picture)) for part in whole.parts("group")]
    here = [group for group in groups if group.arrives <= picture.battle.round]
    coming = [group for group in groups if group not in here]
    for group in coming:
        if group.number:
            raise NoOdds(f"{group.name} arrives in round {group.arrives}: it has no number before that")
    if len(coming) > MOST_GROUPS:
        raise NoOdds(f"a belief has up to {MOST_GROUPS} groups that are still to come, not {len(coming)}")
    _tell_apart(groups, picture)
    return here, coming


def _tell_apart(groups: Sequence[CombatGroup], picture: Picture) -> None:
    enemy, mine = enemy_of(picture), picture.battle.fleets[side_of(picture)]
    own = (*mine.groups, *mine.pending, *mine.detached, *mine.withdrawn, *mine.home, *form_groups(mine.forces))
    taken = dict.fromkeys(seen_ships(picture), "has been seen elsewhere, or sunk")
    taken |= dict.fromkeys((ship.id for group in own for ship in group.ships), "is one of your own ships")
    names = {group.name or f"{MADE_UP}{group.number}" for group in enemy.groups if not group.hidden}
    for group in groups:
        if group.name in names:
            raise NoOdds(f"two groups are called {group.name}: give each a name of its own")
        names.add(group.name)
        for ship in group.ships:
            if ship.id in taken:
                raise NoOdds(f"{group.name} cannot have {ship.name}: she {taken[ship.id]}")
            taken[ship.id] = f"is in {group.name} already"


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
    side = side_of(picture)
    own, seen = picture.battle, public.battle
    enemy = _believed_fleet(picture, belief or usual_belief(picture))
    truth = replace(own, fleets={**own.fleets, side.enemy: enemy})
    theirs = replace(seen, fleets={**seen.fleets, side.enemy: enemy})
    told = {side: tuple(picture.events), side.enemy: tuple(public.events)}
    return entered(World(edition, options, truth, {side: own, side.enemy: theirs}, told))


def _believed_fleet(picture: Picture, belief: Belief) -> Fleet:
    enemy = enemy_of(picture)
    contents = {group.number: group for group in belief.groups}
    lost = _shot_down(picture, belief.groups)
    for group in belief.groups:  # what is missing there was lost as well
        for ship in group.ships:
            lost[ship.nation] -= max(0, _at_first(picture, ship).air - ship.air) if ship.is_carrier else 0
    seen = [
        replace(group, ships=tuple(_manned(picture, ship) for ship in group.ships))
        for group in enemy.groups
        if not group.hidden
    ]
    contents |= {group.number: group for group in _with_fewer(seen, +lost)}
    groups = []
    for group in enemy.groups:
        inside = contents[group.number]
        group = replace(
            group,
            hidden=False,
            name=inside.name or f"{MADE_UP}{group.number}",
            ships=inside.ships,
            light=inside.light,
            cargo=inside.cargo,
            supply=inside.supply,
            mission=inside.mission,
            base=inside.base,
        )
        groups.append(replace(group, scouts=any(ship.fully_operational for ship in group.ships)))
    return replace(enemy, groups=tuple(groups), pending=tuple(_still_to_come(picture, belief)))


def _manned(picture: Picture, ship: Ship) -> Ship:
    """A ship as she was seen, with the aircraft she is taken to have begun with."""
    known = not ship.is_carrier or ship.damaged or ship.wing
    return ship if known else _at_first(picture, ship)


def _still_to_come(picture: Picture, belief: Belief) -> Iterator[CombatGroup]:
    """Groups that are believed to come, and listed forces that have not arrived, or wait for room."""
    enemy = enemy_of(picture)
    yield from belief.coming
    believed_in = (*belief.groups, *belief.coming)
    yield from waiting_forces(picture, believed_in)
    elsewhere = seen_ships(picture) | {ship.id for group in believed_in for ship in group.ships}
    for group in form_groups(enemy.forces):
        if group.arrives > picture.battle.round and not any(ship.id in elsewhere for ship in group.ships):
            yield group
