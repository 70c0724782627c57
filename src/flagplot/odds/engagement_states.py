"""The states of a combat group in a fleet engagement, packed into whole numbers (20.5, 22.531, 22.54).

A named ship is a number of four bits: an entry in the list of states that she can be in, found by asking the rules what
hits do to her. Light ships are counts; of cruisers also those damaged in the line, damaged behind the screen, and gone
home damaged. Two groups side by side are one number, and a hit is an addition.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from flagplot.doctrine.sight import deck_air, guns, known_deck_air
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import Ship, factors_of, light, light_key, number_of
from flagplot.odds.exact_gunnery import condition, ship_after
from flagplot.rules.damage import allot_light_hits
from flagplot.rules.naval.fleet_combat import screened_automatically, screened_light_automatically
from flagplot.rules.table import Ruleset

SHIP_BITS = 4
MOST_HITS = 13  # of one roll, far beyond what any ship takes
SOUND, IN_LINE, BEHIND, HOME = range(4)  # where light ships are; the last three are damaged cruisers


class Hull(NamedTuple):
    """A state of a named ship."""

    ship: Ship | None  # None: sunk
    line: bool  # stands in the line, or stood there when she was hit
    home: bool = False  # has left damaged
    forgotten: bool = False  # is no longer there, and how that came about is written down elsewhere

    @property
    def present(self) -> bool:
        """Whether she is afloat and in the battle."""
        return self.ship is not None and not self.home


class Field(NamedTuple):
    """A count of light ships within a packed number."""

    key: str  # as the group has it; of damaged ones that of sound ones
    where: int
    shift: int
    mask: int


class Ended(NamedTuple):
    """What matters of a side when the guns are silent."""

    guns: int
    own_air: int
    seen_air: int
    parted: bool  # damaged ships go home
    remains: bool  # anything stays
    undamaged: bool
    after: int  # the side once the damaged have gone
    bare: int  # the same without a record of what is sunk or has gone
    sunk: int  # factors lost since the battle began
    hurt: int  # factors of damaged ships that are there


class PackedSide:
    """One group: its ships' states, its fields, and what can be read from its packed number."""

    def __init__(self, rules: Ruleset, group: CombatGroup) -> None:
        if group.cargo or group.supply or any("loaded" in key for key in group.light):
            raise ValueError("an engagement of ships with cargo, or of a sea supply line, is not counted exactly")
        self.rules = rules
        self.group = group
        self.ships = group.ships
        self.hulls = [_hulls(rules, ship) for ship in self.ships]
        if any(len(hulls) > 1 << SHIP_BITS for hulls in self.hulls):
            raise ValueError("a ship has more states than are counted")
        self.ship_width = SHIP_BITS * len(self.ships)
        self.fields = self._fields()
        self.width = max([self.ship_width, *(field.shift + field.mask.bit_length() for field in self.fields)])
        self.start = sum(
            (group.light.get(field.key if field.where == SOUND else _hurt_key(field.key), 0)) << field.shift
            for field in self.fields
            if field.where in (SOUND, BEHIND)
        )
        self._ended: dict[int, Ended] = {}

    def _fields(self) -> list[Field]:
        fields: list[Field] = []
        shift = self.ship_width
        keys = [key for key in self.group.light if light(key).state != "damaged"]
        keys += [light_key(light(key).nation, "CA") for key in self.group.light if light(key).state == "damaged"]
        for key in dict.fromkeys(keys):
            number = self.group.light.get(key, 0)
            every = number + self.group.light.get(_hurt_key(key), 0)
            for where in (SOUND, IN_LINE, BEHIND, HOME) if light(key).kind == "CA" else (SOUND,):
                bits = every.bit_length()
                fields.append(Field(key, where, shift, (1 << bits) - 1))
                shift += bits
        return fields

    # -- reading -------------------------------------------------------------------------------------

    def hull(self, packed: int, index: int) -> Hull:
        """The state of one ship."""
        return self.hulls[index][packed >> SHIP_BITS * index & 15]

    def line(self, packed: int) -> list[int]:
        """The ships of the line that are afloat, by their place in the group."""
        hulls = [self.hull(packed, index) for index in range(len(self.ships))]
        return [index for index, hull in enumerate(hulls) if hull.line and hull.present]

    def behind(self, packed: int) -> list[int]:
        """The named ships behind the screen."""
        hulls = [self.hull(packed, index) for index in range(len(self.ships))]
        return [index for index, hull in enumerate(hulls) if not hull.line and hull.present]

    def ship(self, packed: int, index: int) -> Ship:
        """A ship that is afloat, as she now is."""
        ship = self.hull(packed, index).ship
        assert ship is not None, "she is sunk"
        return ship

    def count(self, packed: int, where: int, key: str) -> int:
        """How many light ships of a key are somewhere."""
        return sum(
            packed >> field.shift & field.mask for field in self.fields if (field.key, field.where) == (key, where)
        )

    def counts(self, packed: int, *places: int) -> dict[str, int]:
        """Light ships in these places by light key."""
        found: dict[str, int] = {}
        for where in (SOUND, IN_LINE, BEHIND, HOME):
            for field in self.fields:
                number = packed >> field.shift & field.mask
                if field.where == where and where in places and number:
                    key = field.key if where == SOUND else _hurt_key(field.key)
                    found[key] = found.get(key, 0) + number
        return found

    def light_line(self, packed: int, screened: tuple[str, ...]) -> dict[str, int]:
        """The unscreened light ships, those damaged in the line with them."""
        ahead = {key: number for key, number in self.counts(packed, SOUND).items() if key not in screened}
        ahead = {key: number for key, number in ahead.items() if not screened_light_automatically(key)}
        return ahead | self.counts(packed, IN_LINE)

    def light_behind(self, packed: int, screened: tuple[str, ...]) -> dict[str, int]:
        """The light ships behind the screen."""
        sound = self.counts(packed, SOUND)
        back = {key: n for key, n in sound.items() if key in screened or screened_light_automatically(key)}
        return back | self.counts(packed, BEHIND)

    def as_group(self, packed: int) -> CombatGroup:
        """The group as it now is in the battle."""
        ships = tuple(self.ship(packed, index) for index in sorted((*self.line(packed), *self.behind(packed))))
        return CombatGroup(1, ships=ships, light=self.counts(packed, SOUND, IN_LINE, BEHIND))

    # -- hits ----------------------------------------------------------------------------------------------

    def ship_hit(self, index: int, state: int, hits: int) -> int:
        """What hits add to the packed number if they fall on a ship in this state."""
        hull = self.hulls[index][state]
        if hull.ship is None or hull.home or not hits:
            return 0
        after = hull._replace(ship=ship_after(self.rules, hull.ship, hits))
        return (_place_of(self.hulls[index], after) - state) << SHIP_BITS * index

    def light_hit(self, hits: int, targets: Mapping[str, int], hurt_at: int, struck_at: int) -> int:
        """What hits of one roll on these light ships add to the packed number.

        Cruisers that are damaged go to `hurt_at`; damaged ones that are sunk were at `struck_at`.
        """
        sunk, damaged = allot_light_hits(targets, hits, list(targets))
        change = 0
        for key, number in sunk.items():
            nation, kind, state = light(key)
            where = struck_at if state == "damaged" else SOUND
            change -= number << self._field(light_key(nation, kind, "" if state == "damaged" else state), where).shift
        for key, number in damaged.items():
            change += (number << self._field(key, hurt_at).shift) - (number << self._field(key, SOUND).shift)
        return change

    def _field(self, key: str, where: int) -> Field:
        return next(field for field in self.fields if (field.key, field.where) == (key, where))

    # -- the end of a round --------------------------------------------------------------------------------------

    def ended(self, packed: int) -> Ended:
        """What matters of this side once a round is over."""
        known = self._ended.get(packed)
        if known is None:
            known = self._ended[packed] = self._read(packed)
        return known

    def _read(self, packed: int) -> Ended:
        group = self.as_group(packed)
        after = packed
        for index, hulls in enumerate(self.hulls):
            hull = self.hull(packed, index)
            if hull.present and hull.ship is not None and hull.ship.damaged:
                state = packed >> SHIP_BITS * index & 15
                after += (_place_of(hulls, Hull(hull.ship, False, True)) - state) << SHIP_BITS * index
        for field in self.fields:
            if field.where in (IN_LINE, BEHIND):
                number = packed >> field.shift & field.mask
                after += (number << self._field(field.key, HOME).shift) - (number << field.shift)
        left = self.as_group(after)
        hurt = sum(ship.size for ship in group.ships if ship.damaged)
        hurt += factors_of({key: n for key, n in group.light.items() if light(key).state == "damaged"})
        return Ended(
            guns(group),
            deck_air(group),
            known_deck_air(group),
            after != packed,
            left.afloat,
            any(not ship.damaged for ship in left.ships) or bool(left.light),
            after,
            self._bare(after),
            self.factors_sunk(packed),
            hurt,
        )

    def _bare(self, packed: int) -> int:
        for index, hulls in enumerate(self.hulls):
            if not self.hull(packed, index).present:
                state = packed >> SHIP_BITS * index & 15
                packed += (len(hulls) - 1 - state) << SHIP_BITS * index  # the last is the one that is forgotten
        for field in self.fields:
            if field.where == HOME:
                packed &= ~(field.mask << field.shift)
        return packed

    def factors_sunk(self, packed: int) -> int:
        """Naval factors lost since the battle began, a transport counting one (AM-02)."""
        named = sum(ship.size for index, ship in enumerate(self.ships) if self.hull(packed, index).ship is None)
        afloat = self.counts(packed, SOUND, IN_LINE, BEHIND, HOME)
        had = self.group.light
        return named + _size(had) - _size(afloat)

    def conditions(self, packed: int) -> list[str]:
        """What has become of each ship in one word; nothing for those whose fate is written down elsewhere."""
        hulls = [self.hull(packed, index) for index in range(len(self.ships))]
        return ["" if hull.forgotten else condition(hull.ship) for hull in hulls]


def _size(counts: Mapping[str, int]) -> int:
    return factors_of(counts) + number_of(counts, "TR")


def _hurt_key(key: str) -> str:
    return light_key(light(key).nation, "CA", "damaged")


def _place_of(hulls: list[Hull], wanted: Hull) -> int:
    """The number of a state in a ship's list; how she went down, or where she was when she left, plays no part."""
    if wanted.ship is None:
        return next(place for place, hull in enumerate(hulls) if hull.ship is None)
    return next(place for place, hull in enumerate(hulls) if _same(hull, wanted))


def _same(one: Hull, other: Hull) -> bool:
    if one.ship is None or other.ship is None:
        return one.ship is other.ship
    same = (one.ship.hits, one.ship.damaged, *one[2:]) == (other.ship.hits, other.ship.damaged, *other[2:])
    return same and (one.home or one.line == other.line)


def _hulls(rules: Ruleset, ship: Ship) -> list[Hull]:
    """All states of a ship that hits can bring about; the first is the one she is in, the last that she is forgotten."""
    found = [Hull(ship, not screened_automatically(ship)), Hull(None, False)]
    for hull in found:  # grows as it goes
        if hull.ship is None or hull.home:
            continue
        afters = [hull._replace(ship=ship_after(rules, hull.ship, hits)) for hits in range(1, MOST_HITS + 1)]
        if hull.ship.damaged:
            afters.append(Hull(hull.ship, False, True))
        for after in afters:
            if not any(_same(each, after) for each in found):
                found.append(after)
    return [*found, Hull(ship, False, True, True)]
