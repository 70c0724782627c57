"""Maps: hexes, what lies in them, and how ships and aircraft get from one to another.

The laws of a map:

1. A hex has the rulebook's address: the letters of its row from the top (A to Z, then AA, BB and so on) and a number
   along the row. Odd rows lie half a hex to the right, and numbers slip by one every second row, so that hexes of one
   number stand in one slanting column and two addresses alone tell how far apart they are.
2. A hex is sea, coast (land with water that ships enter, 22.12A) or land. Ships sail sea and coast; where land lies
   between two hexes that both have water, the side between them is closed, and is listed.
3. A strait or canal is a side between two hexes (22.13A, IR-20). Ships pass it as any other, unless it is closed; a
   route is cut there, and each of the two hexes belongs to its own side of the cut.
4. Everything here is data or a pure function of it. Who owns a place, who may pass a strait and what lies in ambush
   there is not on the map.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

import msgspec

from flagplot.core.errors import IllegalChoice, UnknownName

THEATRES = ("Europe", "Pacific")
CROSSING_KINDS = ("strait", "canal")
BOX_KINDS = ("SW", "mapboard")
EDGES = ("north", "east", "south", "west")
FIRST_NUMBER = (
    16  # of the first hex in row A, as on the published boards (EE11 is Singapore, and A47 is on the top row)
)
MOST_ROWS = 52
MOST_COLUMNS = 200
ADDRESS = re.compile(r"([A-Z])(\1?)([1-9][0-9]{0,2})")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# Odd rows lie half a hex to the right: east, then against the clock. An even row's and an odd row's neighbours.
STEPS = (
    ((1, 0), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1)),
    ((1, 0), (1, -1), (0, -1), (-1, 0), (0, 1), (1, 1)),
)


class Terrain(StrEnum):
    """What a hex is to ships. The values are the signs that map files draw it with."""

    SEA = "~"
    COAST = "+"
    LAND = "#"
    OFF = "."  # not on the map

    @property
    def word(self) -> str:
        """What it is called."""
        return TERRAIN_WORDS[self]


TERRAIN_WORDS = {Terrain.SEA: "sea", Terrain.COAST: "coast", Terrain.LAND: "land", Terrain.OFF: "off the map"}


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A named place: a port, an air base, both, or a name alone."""

    name: str
    hex: str
    ports: int = 0  # 20.15: a port bases 50 naval factors, a hex of two ports 100
    operational: bool = True  # 22.11B: ships in a port that is not do not intercept
    fortified: bool = False  # 22.11B, 32.248
    air_base: bool = False
    island: bool = False  # an island of one hex

    @property
    def is_port(self) -> bool:
        """Whether ships are based here."""
        return self.ports > 0


class Crossing(msgspec.Struct, frozen=True, kw_only=True):
    """A strait or canal, between two hexes side by side (22.13A)."""

    name: str
    kind: str
    hexes: tuple[str, str]


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """A box beside the map, and the hexes at the map's edge from which ships sail into it."""

    name: str
    kind: str
    edge: str
    entries: tuple[str, ...]
    may_intercept: bool = True  # 22.11B, IR-13


class Caption(msgspec.Struct, frozen=True, kw_only=True):
    """The name of a sea or a land, written across the map."""

    name: str
    hex: str


class Region(msgspec.Struct, frozen=True, kw_only=True):
    """Hexes that a rule speaks of together, such as the Norwegian North Sea coast of 22.11A."""

    name: str
    hexes: tuple[str, ...]


def row_of(letters: str) -> int:
    """The row, counted from 0, that letters name."""
    return LETTERS.index(letters[0]) + (len(LETTERS) if len(letters) == 2 else 0)


def row_letters(row: int) -> str:
    """The letters of a row counted from 0: A to Z, then AA to ZZ."""
    return LETTERS[row] if row < len(LETTERS) else 2 * LETTERS[row - len(LETTERS)]


def is_address(text: str) -> bool:
    """Whether a text has the form of an address."""
    return ADDRESS.fullmatch(text) is not None


def parts(address: str) -> tuple[int, int]:
    """The row, counted from 0, and the number of an address."""
    found = ADDRESS.fullmatch(address)
    if found is None:
        reason = f"{address[:20]!r} is no address of a hex;"
        raise IllegalChoice("22.12", reason, "write letters and a number, such as N28 or EE11.")
    return row_of(found[1] + found[2]), int(found[3])


def tidy(text: str) -> str:
    """An address as typed, in the form we write it: "ee 11" is EE11. Anything else comes back as it is."""
    short = "".join(text.split()).upper()
    return short if is_address(short) else text


def distance(one: str, two: str) -> int:
    """How many hexes apart two hexes of one map are, over land and sea alike, as aircraft fly."""
    row, number = parts(one)
    other_row, other_number = parts(two)
    rows, numbers = other_row - row, other_number - number
    return max(abs(rows), abs(numbers), abs(rows + numbers))


def length(path: Sequence[str]) -> int:
    """How many hexes a path is long: the hexes entered, without the one it begins in (22.23)."""
    return max(0, len(path) - 1)


class Map(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One map. `rows` draws its terrain, a sign for each hex; `closed` lists the sides that land closes to ships."""

    name: str
    title: str
    theatre: str
    rows: tuple[str, ...]
    summary: str = ""
    first_number: int = FIRST_NUMBER
    closed: tuple[tuple[str, str], ...] = ()
    places: tuple[Place, ...] = ()
    crossings: tuple[Crossing, ...] = ()
    boxes: tuple[Box, ...] = ()
    captions: tuple[Caption, ...] = ()
    regions: tuple[Region, ...] = ()
    outlines: tuple[str, ...] = ()  # coastlines to draw: "x y x y ...", in hex widths from the middle of the first hex

    @property
    def width(self) -> int:
        """How many hexes the rows are long."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    # What follows is worked out once for a map and kept with it. Inside, a hex is its place in reading order.

    @cached_property
    def addresses(self) -> tuple[str, ...]:
        """The address of every hex in reading order, "" where the map has none."""
        found = []
        for y, row in enumerate(self.rows):
            letters, first = row_letters(y), self.first_number - y // 2
            found += [f"{letters}{first + x}" if sign != Terrain.OFF else "" for x, sign in enumerate(row)]
        return tuple(found)

    @cached_property
    def index(self) -> dict[str, int]:
        """Where each address stands in reading order."""
        return {address: at for at, address in enumerate(self.addresses) if address}

    @cached_property
    def around(self) -> tuple[tuple[int, ...], ...]:
        """The hexes beside each hex."""
        width, height, known = self.width, self.height, self.addresses
        found = []
        for at, address in enumerate(known):
            y, x = divmod(at, width)
            beside = [(x + dx, y + dy) for dx, dy in STEPS[y % 2]] if address else []
            places = [v * width + u for u, v in beside if 0 <= u < width and 0 <= v < height]
            found.append(tuple(place for place in places if known[place]))
        return tuple(found)

    @cached_property
    def sailing(self) -> tuple[tuple[int, ...], ...]:
        """The hexes ships may sail to from each hex, with every strait and canal open."""
        signs = "".join(self.rows)
        shut = self.closed_sides
        water = (Terrain.SEA, Terrain.COAST)
        return tuple(
            tuple(to for to in beside if signs[to] in water and (at, to) not in shut) if signs[at] in water else ()
            for at, beside in enumerate(self.around)
        )

    @cached_property
    def currents(self) -> tuple[tuple[int, int], ...]:
        """The same ways as numbers with a bit for each hex: how far a step leads in reading order, and from which hexes.

        A whole ring of hexes then sails on in a few operations, however many there are.
        """
        size = len(self.addresses) // 8 + 1
        masks: dict[int, bytearray] = {}
        for here, ways in enumerate(self.sailing):
            for to in ways:
                masks.setdefault(to - here, bytearray(size))[here >> 3] |= 1 << (here & 7)
        return tuple((step, int.from_bytes(mask, "little")) for step, mask in sorted(masks.items()))

    @cached_property
    def grid(self) -> tuple[tuple[int, int], ...]:
        """Where the middle of each hex is, in half hex widths to the right and in rows down."""
        return tuple((2 * x + y % 2, y) for y in range(self.height) for x in range(self.width))

    @cached_property
    def closed_sides(self) -> frozenset[tuple[int, int]]:
        """The sides that land closes, both ways."""
        pairs = [(self.index[one], self.index[two]) for one, two in self.closed]
        return frozenset(pairs) | frozenset((two, one) for one, two in pairs)

    @cached_property
    def narrows(self) -> dict[tuple[int, int], Crossing]:
        """The strait or canal on each side that has one, both ways."""
        found = {}
        for crossing in self.crossings:
            one, two = (self.index[address] for address in crossing.hexes)
            found[one, two] = found[two, one] = crossing
        return found

    @cached_property
    def names(self) -> dict[str, Place]:
        """The named places, by name in small letters."""
        return {place.name.casefold(): place for place in self.places}

    @cached_property
    def places_in(self) -> dict[str, tuple[Place, ...]]:
        """The named places of each hex that has any."""
        found: dict[str, tuple[Place, ...]] = {}
        for place in self.places:
            found[place.hex] = (*found.get(place.hex, ()), place)
        return found


# -- hexes -----------------------------------------------------------------------------------------


def at(chart: Map, address: str) -> int:
    """Where an address stands in reading order; refused if the map has no such hex."""
    found = chart.index.get(address)
    if found is None:
        parts(address)  # says so where it is no address at all
        raise IllegalChoice("22.12", f"{address} is off the map;", f"{chart.title} {extent(chart)}.")
    return found


def extent(chart: Map) -> str:
    """The rows and numbers of a map in words."""
    on = [address for address in chart.addresses if address]
    return f"runs from {on[0]} in the first row to {on[-1]} in the last"


def hex_named(chart: Map, text: str) -> str:
    """The hex that an address or the name of a place means."""
    address = tidy(text)
    if address in chart.index:
        return address
    place = chart.names.get(" ".join(text.casefold().split()))
    if place:
        return place.hex
    if is_address(address):
        at(chart, address)
    raise UnknownName(f"there is no place {text[:40]!r} on the map {chart.name!r}; write an address such as N28")


def terrain(chart: Map, address: str) -> Terrain:
    """Whether a hex is sea, coast or land."""
    y, x = divmod(at(chart, address), chart.width)
    return Terrain(chart.rows[y][x])


def neighbours(chart: Map, address: str) -> tuple[str, ...]:
    """The hexes beside a hex: from the east, against the clock."""
    return tuple(chart.addresses[each] for each in chart.around[at(chart, address)])


def described(chart: Map, address: str) -> str:
    """A hex in words: its address, what it is, and what lies in it."""
    words = [f"{address}, {terrain(chart, address).word}"]
    for place in chart.places_in.get(address, ()):
        traits = [f"{place.ports} ports" if place.ports > 1 else "port"] if place.is_port else []
        traits += ["not operational"] if place.is_port and not place.operational else []
        traits += ["fortified"] if place.fortified else []
        traits += ["air base"] if place.air_base else []
        words.append(f"{place.name} ({', '.join(traits)})" if traits else place.name)
    words += [crossing.name for crossing in chart.crossings if address in crossing.hexes]
    return ", ".join(words)


def in_range(chart: Map, address: str, hexes: int) -> tuple[str, ...]:
    """The hexes that aircraft based in a hex reach, itself among them, in reading order."""
    y, x = divmod(at(chart, address), chart.width)
    row, column = y, x - y // 2
    found = []
    for there in range(max(0, y - hexes), min(chart.height, y + hexes + 1)):
        # Of all slanting columns in this row, those no further away than `hexes`.
        rows = there - row
        first = column + max(-hexes, -hexes - rows) + there // 2
        last = column + min(hexes, hexes - rows) + there // 2
        start = there * chart.width
        found += [chart.addresses[start + each] for each in range(max(0, first), min(chart.width - 1, last) + 1)]
    return tuple(each for each in found if each)


# -- sailing ----------------------------------------------------------------------------------------


def _shut(chart: Map, closed: Collection[str]) -> frozenset[tuple[int, int]]:
    """The sides that are closed because a strait or canal of that name is."""
    known = [crossing.name for crossing in chart.crossings]
    for name in closed:
        if name not in known:
            there = f"there are {', '.join(known)}" if known else "it has none"
            raise UnknownName(f"the map {chart.name!r} has no strait or canal {name[:40]!r}; {there}")
    return frozenset(side for side, crossing in chart.narrows.items() if crossing.name in closed)


def _water(chart: Map, address: str) -> int:
    """A hex that ships may be in, in reading order."""
    here = at(chart, address)
    if terrain(chart, address) is Terrain.LAND:
        raise IllegalChoice("22.12", f"{described(chart, address)}, has no water;", "name a hex of sea or coast.")
    return here


def _rings(
    chart: Map, start: int, shut: frozenset[tuple[int, int]], stop: Collection[int] = (), most: int = -1
) -> list[int]:
    """The hexes 0, 1, 2 and so on steps from a hex by sea, a bit for each. Ends with the ring that reaches one of `stop`."""
    currents = chart.currents
    if shut:
        barred: dict[int, int] = {}
        for here, to in sorted(shut):
            barred[to - here] = barred.get(to - here, 0) | 1 << here
        currents = tuple((step, mask & ~barred.get(step, 0)) for step, mask in currents)
    ends = sum(1 << each for each in sorted(set(stop)))
    ring = seen = 1 << start
    rings = [ring]
    while len(rings) - 1 != most and not ring & ends:
        following = 0
        for step, mask in currents:
            moving = ring & mask
            if moving:
                following |= moving << step if step > 0 else moving >> -step
        ring = following & ~seen
        if not ring:
            break
        seen |= ring
        rings.append(ring)
    return rings


def _bits(ring: int) -> list[int]:
    """The hexes of a ring, in reading order."""
    signs = bin(ring)[:1:-1]
    return [here for here, sign in enumerate(signs) if sign == "1"]


def sea_path(chart: Map, start: str, end: str, closed: Collection[str] = ()) -> tuple[str, ...] | None:
    """A shortest path by sea, both ends among its hexes; None if there is none. `closed` names straits and canals.

    Of several shortest paths it is the one that keeps nearest to the straight line.
    """
    here, goal = _water(chart, start), _water(chart, end)
    shut = _shut(chart, closed)
    # Measured backwards, so that the path can be walked forwards.
    rings = _rings(chart, goal, shut, stop=(here,))
    return _walk(chart, here, goal, rings, shut) if rings[-1] >> here & 1 else None


def _walk(chart: Map, here: int, goal: int, rings: list[int], shut: frozenset[tuple[int, int]]) -> tuple[str, ...]:
    """From ring to ring, down to the goal."""
    grid = chart.grid
    x0, y0 = grid[here]
    dx, dy = grid[goal][0] - x0, grid[goal][1] - y0
    path = [here]
    for ring in rings[-2::-1]:
        least, best = 0, -1
        for to in chart.sailing[here]:
            if ring >> to & 1 and (here, to) not in shut:
                x, y = grid[to]
                # Twice the area between the hex and the line: nought if it lies on the line.
                off = abs((x - x0) * dy - (y - y0) * dx)
                if best < 0 or (off, to) < (least, best):
                    least, best = off, to
        here = best
        path.append(here)
    return tuple(chart.addresses[each] for each in path)


def centre(chart: Map, hex: int) -> tuple[float, float]:
    """The middle of a hex in reading order, in hex widths from the middle of the first."""
    y, x = divmod(hex, chart.width)
    return x + y % 2 / 2, y * ROW_HEIGHT


ROW_HEIGHT = 3**0.5 / 2


def sea_distance(chart: Map, start: str, end: str, closed: Collection[str] = ()) -> int | None:
    """How many hexes two hexes are apart by sea (IR-58); None if ships cannot get there."""
    here, goal = _water(chart, start), _water(chart, end)
    rings = _rings(chart, here, _shut(chart, closed), stop=(goal,))
    return len(rings) - 1 if rings[-1] >> goal & 1 else None


def sea_reach(chart: Map, start: str, hexes: int, closed: Collection[str] = ()) -> dict[str, int]:
    """The hexes that ships reach within a number of hexes, each with its distance, in reading order."""
    rings = _rings(chart, _water(chart, start), _shut(chart, closed), most=max(0, hexes))
    far = {here: steps for steps, ring in enumerate(rings) for here in _bits(ring)}
    return {chart.addresses[here]: far[here] for here in sorted(far)}


def path_to_box(chart: Map, start: str, name: str, closed: Collection[str] = ()) -> tuple[str, ...] | None:
    """A shortest path by sea to the edge of the map where a box lies; the last step into the box is not in it."""
    box = next((box for box in chart.boxes if box.name.casefold() == name.casefold()), None)
    if box is None:
        known = ", ".join(box.name for box in chart.boxes) or "none"
        raise UnknownName(f"there is no box {name[:40]!r} beside the map {chart.name!r}; there are {known}")
    entries = [chart.index[entry] for entry in box.entries]
    last = _rings(chart, _water(chart, start), _shut(chart, closed), stop=entries)[-1]
    reached = [entry for entry in entries if last >> entry & 1]
    return sea_path(chart, start, chart.addresses[min(reached)], closed) if reached else None


def check_path(chart: Map, path: Sequence[str], closed: Collection[str] = ()) -> None:
    """22.12. Refuse a path that ships cannot sail, naming the first hex that will not do and why."""
    if not path:
        raise IllegalChoice("22.12", "a path has at least one hex;", "name the hexes from base to destination.")
    shut = _shut(chart, closed)
    before: int | None = None
    for address in path:
        here = _water(chart, address)
        if before is not None:
            _check_step(chart, before, here, shut)
        before = here


def _check_step(chart: Map, before: int, here: int, shut: frozenset[tuple[int, int]]) -> None:
    one, two = chart.addresses[before], chart.addresses[here]
    if here not in chart.around[before]:
        apart = distance(one, two)
        reason = f"{two} is not beside {one}" + (f" but {apart} hexes away;" if apart else ";")
        raise IllegalChoice("22.12", reason, "name every hex on the way.")
    if (before, here) in chart.closed_sides:
        raise IllegalChoice("22.12", f"land lies between {one} and {two};", "sail around it.")
    if (before, here) in shut:
        name = chart.narrows[before, here].name
        raise IllegalChoice("22.13A", f"from {one} to {two} leads {name}, which is closed;", "sail another way.")


def sides_of_straits(chart: Map, path: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """22.13A, IR-20. A path cut at every strait and canal it passes; each part is intercepted in a hex of its own."""
    cuts: list[list[str]] = [[]]
    for address in path:
        if cuts[-1] and (chart.index[cuts[-1][-1]], chart.index[address]) in chart.narrows:
            cuts.append([])
        cuts[-1].append(address)
    return tuple(tuple(cut) for cut in cuts if cut)


def crossings_on(chart: Map, path: Sequence[str]) -> tuple[Crossing, ...]:
    """The straits and canals a path passes, in order."""
    found = [chart.narrows.get((chart.index[one], chart.index[two])) for one, two in pairwise(path)]
    return tuple(crossing for crossing in found if crossing)


def edge_hexes(chart: Map, edge: str, first: str, last: str) -> tuple[str, ...]:
    """The sea and coast hexes along an edge of the map, from one hex of it to another."""
    ordered = [address for address in _edge(chart, edge) if terrain(chart, address) is not Terrain.LAND]
    bounds = []
    for address in (first, last):
        if address not in ordered:
            raise IllegalChoice("", f"{address} is no sea or coast hex on the {edge} edge of {chart.title}.")
        bounds.append(ordered.index(address))
    return tuple(ordered[min(bounds) : max(bounds) + 1])


def _edge(chart: Map, edge: str) -> Iterable[str]:
    """The hexes along an edge, from the top or from the left."""
    width = chart.width
    lines = [chart.addresses[start : start + width] for start in range(0, len(chart.addresses), width)]
    if edge in ("north", "south"):
        columns = [[line[x] for line in lines if line[x]] for x in range(width)]
        return [column[0 if edge == "north" else -1] for column in columns if column]
    kept = [[address for address in line if address] for line in lines]
    return [line[0 if edge == "west" else -1] for line in kept if line]
