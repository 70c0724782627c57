"""Where the order of battle is open: which listed forces may be behind which markers, and which still wait.

The law here: a side's picture and the public list, never the truth. What comes out agrees with what was disclosed (22.452B),
and nothing is in two places or more often than it is listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from flagplot.doctrine import policies
from flagplot.doctrine.sight import sight
from flagplot.model.events import BattleJoined, MarkersPlaced
from flagplot.model.forces import CombatGroup, Disclosed, combined
from flagplot.model.picture import Picture
from flagplot.model.ships import light, light_key, minus, plus
from flagplot.odds.guesses import MADE_UP, agrees, fitting
from flagplot.odds.sightings import enemy_of, seen_ships, shown_groups, side_of
from flagplot.rules.naval.combat_groups import form_groups
from flagplot.scenarios.forces import loaded

MOST_GROUPS = 6
MOST_FACTORS = 25  # of a group that was made by combining (22.421A)


def listed_groups(picture: Picture, hidden: Sequence[CombatGroup]) -> list[CombatGroup]:
    """Listed groups under the hidden numbers: what agrees with what was disclosed, and for the rest as the admiral would
    number them. Where none agrees, one with cargo and one that may have joined it (22.421A), or ships out of several."""
    listed = unseen_forces(picture)
    listed.sort(key=lambda group: policies.group_number_rank(sight(picture, group)))
    waiting = [group.name for group in waiting_forces(picture)]
    listed.sort(key=lambda group: group.name in waiting)  # who is disclosed to be here does not wait
    matched = _matched(hidden, listed)
    found = [replace(listed[index], number=number) for index, number in matched.items()]
    left = [group for index, group in enumerate(listed) if index not in matched]
    known = [group.number for group in found]
    for marker in hidden:
        if marker.disclosed and marker.number not in known and (made := _gathered(left, marker.disclosed)):
            found.append(_under(made, marker))
            left = _left(left, made)
    waiting = [group.name for group in waiting_forces(picture, found)]
    free = [group for group in left if group.name not in waiting]
    unknown = [marker for marker in hidden if not marker.disclosed]
    while len(free) < len(unknown) and any(map(_divisible, free)):
        free = _one_more(free)
    return found + [_under(group, marker) for marker, group in zip(unknown, free, strict=False)]


def _under(group: CombatGroup, marker: CombatGroup) -> CombatGroup:
    return replace(group, number=marker.number, name=group.name or f"{MADE_UP}{marker.number}")


def _divisible(group: CombatGroup) -> bool:
    return not group.encumbered and len(group.ships) + sum(group.light.values()) > 1


def _one_more(groups: Sequence[CombatGroup]) -> list[CombatGroup]:
    """The same ships in one more group: the largest that carries nothing is divided (22.421A; in 2008 also between rounds)."""
    largest = max(filter(_divisible, groups), key=lambda group: group.factors)
    units = [key for key, number in largest.light.items() for _ in range(number)]
    half: dict[str, int] = {}
    for key in units[1 - len(largest.ships) % 2 :: 2]:
        half = plus(half, {key: 1})
    parts = (
        replace(largest, ships=largest.ships[::2], light=minus(largest.light, half)),
        replace(largest, name="", ships=largest.ships[1::2], light=half),
    )
    return [each for group in groups for each in (parts if group is largest else (group,))]


def _matched(hidden: Sequence[CombatGroup], listed: Sequence[CombatGroup]) -> dict[int, int]:
    """By place in the list the number of the marker that it is taken to be behind, for as many markers of which something
    was disclosed as can be; of several that agree the one nearest to the marker's place."""
    told = {marker.number: marker.disclosed for marker in hidden if marker.disclosed}
    agreeing = {
        number: sorted(
            (index for index, group in enumerate(listed) if agrees(group, said)),
            key=lambda index, place=place: abs(index - place),  # type: ignore[misc]
        )
        for place, (number, said) in enumerate((marker.number, marker.disclosed) for marker in hidden)
        if said
    }
    matched: dict[int, int] = {}

    def settle(number: int, tried: set[int]) -> bool:
        for index in agreeing[number]:
            if index not in tried:
                tried.add(index)
                if index not in matched or settle(matched[index], tried):
                    matched[index] = number
                    return True
        return False

    for number in told:
        settle(number, set())
    return matched


def _gathered(listed: Sequence[CombatGroup], told: Disclosed) -> CombatGroup | None:
    """A group of which its owner would say this, out of listed ones: two of them whole, or part of several."""
    laden = [group for group in listed if group.encumbered]
    free = [group for group in listed if not group.encumbered]
    for cargo in laden:
        for helper in free:
            whole = replace(combined(cargo, helper), name=cargo.name)
            if whole.factors <= MOST_FACTORS and agrees(whole, told):
                return whole
    ships = [ship for group in free for ship in group.ships]
    counts: dict[str, int] = {}
    for group in free:
        counts = plus(counts, group.light)
    bases = laden if told.cargo else [CombatGroup(0)]
    return next((made for base in bases if (made := fitting(told, ships, counts, base))), None)


def _left(listed: Iterable[CombatGroup], taken: CombatGroup) -> list[CombatGroup]:
    """What is left of groups when these ships are taken out of them."""
    ids, counts = {ship.id for ship in taken.ships}, dict(taken.light)
    left = []
    for group in listed:
        here = {key: min(number, counts.get(key, 0)) for key, number in group.light.items()}
        counts = minus(counts, here)
        ships = tuple(ship for ship in group.ships if ship.id not in ids)
        rest = replace(group, ships=ships, light=minus(group.light, here))
        if group.name != taken.name and not rest.empty:
            left.append(rest)
    return left


def waiting_forces(picture: Picture, but: Iterable[CombatGroup] = ()) -> list[CombatGroup]:
    """The listed forces that are here and have no number yet (22.421C): of those that have not been seen, nor are taken to
    be what is hidden, the ones the admiral would let wait."""
    enemy, side = enemy_of(picture), side_of(picture).enemy
    placed: list[int] = []  # so many numbers at a time
    for event in picture.events:
        if isinstance(event, BattleJoined):
            placed = []  # of this battle, in an operation of several
        elif isinstance(event, MarkersPlaced) and event.side is side:
            placed.append(len(event.numbers))
    if MOST_GROUPS not in (len(enemy.groups), *placed[:1]):
        return []  # there was room: who has no number has become one with another
    here = sum(group.arrives <= picture.battle.round for group in form_groups(enemy.forces))
    taken = {ship.id for group in but for ship in group.ships} | {group.name for group in but}
    free = [group for group in unseen_forces(picture) if not taken & {group.name, *(ship.id for ship in group.ships)}]
    ranks = {group.name: policies.group_number_rank(sight(picture, group)) for group in free}
    free.sort(key=lambda group: (ranks[group.name] >= 0, abs(ranks[group.name])))
    return free[: max(0, here - sum(placed))]


def unseen_forces(picture: Picture) -> list[CombatGroup]:
    """The listed forces, as the groups they make, as far as they have not been seen and may be here by now."""
    enemy = enemy_of(picture)
    seen, sunk = seen_ships(picture), {ship.id for ship in enemy.sunk}
    listed = [group for group in form_groups(enemy.forces) if group.arrives <= picture.battle.round]
    left = _light_left(picture, listed)
    for shown in shown_groups(picture):
        of_hers = [group for group in listed if _ids(group) & _ids(shown)]
        could_be = (
            [group for group in listed if _holds(group, shown) and _ids(group) <= sunk] if not shown.ships else []
        )
        if shown.encumbered and of_hers and not any(group.encumbered for group in of_hers):  # joined by them (22.421A)
            could_be = [group for group in listed if group.encumbered and not group.ships and _holds(shown, group)]
        if could_be:
            listed.remove(min(could_be, key=lambda group: (group.encumbered != shown.encumbered, group.factors)))
    unseen = [_but(group, seen) for group in listed if not group.ships or _ids(group) - seen]
    found = {}
    for group in sorted(unseen, key=lambda group: not group.ships):
        counts = {}
        for key, number in group.light.items():
            counts[key] = min(number, left[light(key)[:2]])
            left[light(key)[:2]] -= counts[key]
        found[group.name] = group if counts == group.light else _reduced(group, minus(counts, {}))
    others = [found[group.name] for group in unseen if not found[group.name].empty]
    rest = {light_key(*each): number for each, number in left.items() if number}
    hidden = sum(group.hidden for group in enemy.groups)
    return [*others, CombatGroup(0, "the rest", light=rest)] if rest and len(others) < hidden else others


def _but(group: CombatGroup, seen: set[str]) -> CombatGroup:
    return replace(group, ships=tuple(ship for ship in group.ships if ship.id not in seen))


def _reduced(group: CombatGroup, counts: Mapping[str, int]) -> CombatGroup:
    """A group with these light ships left, and with as much of its cargo as they can carry (22.82A)."""
    unladen: dict[str, int] = {}
    for key, number in counts.items():
        nation, kind, state = light(key)
        unladen = plus(unladen, {light_key(nation, kind, "" if state == "loaded" and kind == "DD" else state): number})
    left = replace(group, light=unladen)
    room, cargo = left.capacity, []
    for each in group.cargo:
        fits = min(each.needs, room[each.by]) if each.divisible else each.needs
        if 0 < fits <= room[each.by]:
            room = {**room, each.by: room[each.by] - fits}
            cargo.append(replace(each, needs=fits))
    needed = sum(each.needs for each in cargo if each.by == "DD")
    return replace(left, cargo=tuple(cargo), light=loaded(unladen, needed))


def _light_left(picture: Picture, listed: Iterable[CombatGroup]) -> Counter[tuple[str, str]]:
    """Of listed light ships, by nation and kind, how many may still be where nobody has looked."""
    enemy = enemy_of(picture)
    known = [group for group in enemy.groups if not group.hidden]
    now = [group.light for group in (*known, *enemy.withdrawn, *enemy.detached)] + [enemy.sunk_light]
    first = [group.light for group in shown_groups(picture)]
    left = _counted(group.light for group in listed)
    gone = _counted(now) | _counted(first)  # the more of each
    return Counter({key: max(0, number - gone[key]) for key, number in left.items()})


def _ids(group: CombatGroup) -> set[str]:
    return {ship.id for ship in group.ships}


def _counted(lights: Iterable[Mapping[str, int]]) -> Counter[tuple[str, str]]:
    """Light ships by nation and kind, whatever their state."""
    found: Counter[tuple[str, str]] = Counter()
    for counts in lights:
        for key, number in counts.items():
            found[light(key)[:2]] += number
    return found


def _holds(group: CombatGroup, shown: CombatGroup) -> bool:
    """Whether these light ships may be part of a group, whatever their state."""
    return _counted([shown.light]) <= _counted([group.light])
