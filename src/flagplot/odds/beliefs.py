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
- carriers have all their squadrons but those that are known to be lost, nobody flies patrol or cover, and only listed
  forces may still arrive; of more forces than there are numbers those wait that the admiral would let wait. Whoever reckons with others
  writes them down, with the round they come in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.sides import Audience, Side
from flagplot.doctrine import policies
from flagplot.doctrine.sight import sight
from flagplot.model.events import (
    BattleJoined,
    Departed,
    Evaded,
    GroupEliminated,
    GroupRevealed,
    MarkersHidden,
    MarkersPlaced,
)
from flagplot.model.fold import apply
from flagplot.model.forces import Cargo, CombatGroup, Disclosed, Engagement
from flagplot.model.picture import Picture
from flagplot.model.ships import Ship, light, light_key, minus, plus
from flagplot.model.squadrons import squadron, squadron_key
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
AFTER_STRIKES = (
    "fleet combat",
    "submarines",
    "withdrawal",
    "reinforcement",
)  # who was held back from one does not matter
MADE_UP = "enemy CG"  # begins the name of a group that nobody has named
NATION = {("Europe", "axis"): "Germany", ("Europe", "allies"): "Britain", ("Pacific", "axis"): "Japan"}
FEW = {"CA": 1, "DD": 2}  # the light ships of a group known to be under ten factors
SOME = {"CA": 2, "DD": 2}  # of one of which nothing is known, where there are more of them than groups of our own
MANY = {"CA": 3, "DD": 4}  # of one of ten factors and more


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
    enemy = _enemy(picture)
    hidden = [group for group in enemy.groups if group.hidden]
    waiting = {group.name for group in _waiting(picture)}
    listed = [group for group in _unseen_forces(picture) if group.name not in waiting]
    fits = listed and len(listed) >= len(hidden)
    groups = _shared(picture, hidden, listed) if fits else tuple(made_up(picture, hidden))
    return Belief(_with_fewer(groups, _shot_down(picture, groups)))


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
    seen, sunk = _seen(enemy), {ship.id for ship in enemy.sunk}
    listed = [group for group in form_groups(enemy.forces) if group.arrives <= picture.battle.round]
    for shown in _shown_groups(picture):
        could_be = [group for group in listed if _holds(group, shown) and all(ship.id in sunk for ship in group.ships)]
        if could_be and not shown.ships:  # by her ships a group is known anyway
            listed.remove(min(could_be, key=lambda group: (group.encumbered != shown.encumbered, group.factors)))
    return [group for group in listed if not any(ship.id in seen for ship in group.ships)]


def _holds(group: CombatGroup, shown: CombatGroup) -> bool:
    """Whether these light ships may be what is left of a group, whatever their state."""
    had: Counter[tuple[str, str]] = Counter()
    for key, number in group.light.items():
        had[light(key)[:2]] += number
    for key, number in shown.light.items():
        had[light(key)[:2]] -= number
    return min(had.values(), default=0) >= 0


def _shown_groups(picture: Picture) -> list[CombatGroup]:
    """The enemy's groups whose contents were shown in this battle, each as it was first shown, whatever became of it."""
    side = _side(picture).enemy
    gone: list[CombatGroup] = []
    shown: dict[int, CombatGroup] = {}
    for event in picture.events:
        if isinstance(event, BattleJoined):
            gone, shown = [], {}
        elif getattr(event, "side", None) is not side:
            continue
        elif isinstance(event, GroupRevealed):
            shown.setdefault(event.group.number, event.group)
        elif isinstance(event, Evaded) and event.number in shown:
            shown[event.new_number] = shown.pop(event.number)
        elif isinstance(event, GroupEliminated):
            gone += [shown.pop(event.number)] if event.number in shown else []
        elif isinstance(event, Departed):
            gone += [shown.pop(number) for number in event.whole if number in shown]
        elif isinstance(event, MarkersHidden):  # made up anew
            shown = {} if event.renumbered else {n: each for n, each in shown.items() if n not in event.numbers}
    return [*gone, *shown.values()]


def _waiting(picture: Picture, but: Iterable[CombatGroup] = ()) -> list[CombatGroup]:
    """The listed forces that are here and have no number yet (22.421C): of those that have not been seen, nor are taken to
    be what is hidden, the ones the admiral would let wait."""
    enemy, side = _enemy(picture), _side(picture).enemy
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
    free = [group for group in _unseen_forces(picture) if not taken & {group.name, *(ship.id for ship in group.ships)}]
    ranks = {group.name: policies.group_number_rank(sight(picture, group)) for group in free}
    free.sort(key=lambda group: (ranks[group.name] >= 0, abs(ranks[group.name])))
    return free[: max(0, here - sum(placed))]


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
        name = f"{MADE_UP}{marker.number}"
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


def _at_first(picture: Picture, ship: Ship) -> Ship:
    """A ship with the aircraft she is taken to have begun with."""
    listed = {each.id: each for force in _enemy(picture).forces for each in force.ships}
    return replace(ship, wing=listed[ship.id].wing) if ship.id in listed else _full(ship)


def _shot_down(picture: Picture, hidden: Iterable[CombatGroup]) -> Counter[str]:
    """By nation the squadrons that carriers which are here, these among them, are short of: naval air that is known to be
    lost, as far as it was not of carriers that are sunk, damaged or gone."""
    enemy = _enemy(picture)
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
    hidden = {group.number: group for group in _enemy(picture).groups if group.hidden}
    if sorted(group.number for group in groups) != sorted(hidden):
        wanted = ", ".join(f"CG{number}" for number in sorted(hidden)) or "no group hidden just now"
        raise NoOdds(f"a belief says what each hidden group holds, one [[group]] for each: there is {wanted}")
    for group in groups:
        told = hidden[group.number].disclosed
        if told and not _agrees(group, told):
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
    enemy, mine = _enemy(picture), picture.battle.fleets[_side(picture)]
    own = (*mine.groups, *mine.pending, *mine.detached, *mine.withdrawn, *mine.home, *form_groups(mine.forces))
    taken = dict.fromkeys(_seen(enemy), "has been seen elsewhere, or sunk")
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
    side = _side(picture)
    own, seen = picture.battle, public.battle
    enemy = _believed_fleet(picture, belief or usual_belief(picture))
    truth = replace(own, fleets={**own.fleets, side.enemy: enemy})
    theirs = replace(seen, fleets={**seen.fleets, side.enemy: enemy})
    told = {side: tuple(picture.events), side.enemy: tuple(public.events)}
    return entered(World(edition, options, truth, {side: own, side.enemy: theirs}, told))


def _believed_fleet(picture: Picture, belief: Belief) -> Fleet:
    enemy = _enemy(picture)
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
    enemy = _enemy(picture)
    yield from belief.coming
    believed_in = (*belief.groups, *belief.coming)
    yield from _waiting(picture, believed_in)
    elsewhere = _seen(enemy) | {ship.id for group in believed_in for ship in group.ships}
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
        side: replace(
            fleet,
            announced={},
            ready={},
            aloft=plus(fleet.aloft, fleet.ready),
            groups=tuple(replace(g, withheld={}) for g in fleet.groups)
            if battle.segment in AFTER_STRIKES
            else fleet.groups,
        )
        for side, fleet in battle.fleets.items()
    }
    return replace(battle, fighting=None, lines={}, shots={}, counterairs=(), fleets=fleets)


def entered(world: World) -> World:
    """A world at the boundary it can be entered at. A group with nothing left, which is said when the attack on it is over
    (20.511), is gone from it, and both sides know."""
    battle = at_boundary(world.battle)
    gone = [(side, group.number) for side in Side for group in battle.fleets[side].groups if group.empty]
    known = {side: _without(at_boundary(each), gone) for side, each in world.known.items()}
    return world._replace(battle=_without(battle, gone), known=known)


def _without(battle: Battle, gone: Iterable[tuple[Side, int]]) -> Battle:
    for side, number in gone:
        if any(group.number == number for group in battle.fleets[side].groups):
            battle = apply(battle, GroupEliminated(rule="20.511", to=Audience.EVERYONE, side=side, number=number))
    return battle


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
