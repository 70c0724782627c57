"""Maps: the ones that come with the game, and anyone's own, as TOML or as CSV.

The laws of reading a set-up (document.py) hold for maps too: whatever comes in, only ScenarioError comes out, with the
line and what would do instead; nothing is guessed and nothing ignored. Both forms are described in docs/maps.md. In short:

    format = 1
    title, theatre = "Europe" or "Pacific", summary
    first_number = 16                   # the number of the first hex of row A
    rows = ["~~+#.", ...]               # ~ sea, + coast, # land, . not on the map
    closed = ["A16-A17", ...]           # sides that land closes to ships
    places = [{ name, hex, ports = 0, operational = true, fortified, air_base, island = false }]
    crossings = [{ name, kind = "strait" or "canal", hexes = ["A16", "A17"] }]
    boxes = [{ name, kind = "SW" or "mapboard", edge = "west", first, last, may_intercept = true }]
    regions = [{ name, hexes }]
    captions = [{ name, hex }]
    outlines = ["x y x y ...", ...]     # coastlines, only for drawing
"""

from __future__ import annotations

import csv
import io
import pathlib
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, partial
from importlib.resources import files
from typing import Any, NoReturn, TypeAlias

from msgspec.structs import replace

from flagplot.core.errors import GameError, ScenarioError, UnknownName
from flagplot.model import maps
from flagplot.model.maps import Box, Caption, Crossing, Map, Place, Region, Terrain
from flagplot.scenarios.document import LONGEST_NAME, LONGEST_TEXT, MOST_BYTES, Document, Part, shown
from flagplot.scenarios.ships import suggestions

FORMAT = 1
TOP_KEYS = (
    "format",
    "title",
    "theatre",
    "summary",
    "first_number",
    "rows",
    "closed",
    "places",
    "crossings",
    "boxes",
    "regions",
    "captions",
    "outlines",
)
PLACE_FLAGS = ("operational", "fortified", "air_base", "island")
COLUMNS = ("record", "hex", "other", "name", "value")
MAP_VALUES = ("format", "title", "theatre", "summary", "first_number")
RECORDS = ("map", "hex", "closed", "place", "strait", "canal", "box", "region", "caption", "outline")
MOST_PORTS = 2
MOST_NUMBER = 99
MOST_ITEMS = 5_000
MOST_POINTS = 40_000
NUMBER = re.compile(r"-?\d{1,4}(\.\d{1,4})?")
SIGN_OF_WORD = {sign.word: sign for sign in Terrain if sign is not Terrain.OFF}

Refuse: TypeAlias = Callable[[str], NoReturn]


# -- which maps there are ------------------------------------------------------------------------------


@cache
def load_map(name: str) -> Map:
    """A map that comes with the game, by its name."""
    shipped = _shipped()
    if name not in shipped:
        near = suggestions(name, shipped) or f"there are {', '.join(shipped)}"
        raise UnknownName(f"there is no map called {name[:80]!r}; {near}")
    return parse_map(shipped[name].read_bytes(), f"{name}.toml")


def map_names() -> list[str]:
    """The maps that come with the game."""
    return list(_shipped())


def read_map(name_or_path: str) -> Map:
    """A map that comes with the game, by its name, or one in a file, by a path that ends in .toml or .csv."""
    path = pathlib.Path(name_or_path)
    if path.suffix.lower() not in (".toml", ".csv"):
        return load_map(name_or_path)
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as trouble:
        raise ScenarioError(name_or_path, "", f"this file cannot be read: {trouble}") from trouble
    return (parse_csv if path.suffix.lower() == ".csv" else parse_map)(text, name_or_path)


def _shipped() -> dict[str, Any]:
    folder = files("flagplot.scenarios").joinpath("maps")
    found = sorted((each for each in folder.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name)
    return {each.name.removesuffix(".toml"): each for each in found}


# -- what holds in both forms ----------------------------------------------------------------------------


class Draft:
    """A map as far as it has been read: terrain first, then what lies in it, each thing checked as it comes."""

    def __init__(self, chart: Map) -> None:
        self.chart = chart
        self.closed: list[tuple[str, str]] = []
        self.places: list[Place] = []
        self.crossings: list[Crossing] = []
        self.boxes: list[Box] = []
        self.captions: list[Caption] = []
        self.regions: dict[str, list[str]] = {}
        self.outlines: list[str] = []

    def done(self) -> Map:
        """The whole map."""
        return replace(
            self.chart,
            closed=tuple(self.closed),
            places=tuple(self.places),
            crossings=tuple(self.crossings),
            boxes=tuple(self.boxes),
            captions=tuple(self.captions),
            regions=tuple(Region(name=name, hexes=tuple(hexes)) for name, hexes in self.regions.items()),
            outlines=tuple(self.outlines),
        )

    def hex(self, address: str, refuse: Refuse) -> str:
        """An address of this map."""
        tidied = maps.tidy(address)
        if tidied not in self.chart.index:
            if maps.is_address(tidied):
                refuse(f"{tidied} is not on the map, which {maps.extent(self.chart)}")
            refuse(f"{shown(address)} is no address of a hex; write letters and a number, such as N28 or EE11")
        return tidied

    def water(self, address: str, refuse: Refuse) -> str:
        """An address of this map that ships may enter."""
        here = self.hex(address, refuse)
        if maps.terrain(self.chart, here) is Terrain.LAND:
            refuse(f"{here} is land; draw it as coast (+) or sea (~) in rows, or name another hex")
        return here

    def side(self, one: str, two: str, refuse: Refuse) -> tuple[str, str]:
        """Two hexes of water side by side."""
        first, second = self.water(one, refuse), self.water(two, refuse)
        if second not in maps.neighbours(self.chart, first):
            beside = ", ".join(maps.neighbours(self.chart, first))
            refuse(f"{second} is not beside {first}; beside it are {beside}")
        return first, second

    def add_closed(self, one: str, two: str, refuse: Refuse) -> None:
        """A side that land closes."""
        side = self.side(one, two, refuse)
        if side in self.closed or side[::-1] in self.closed:
            refuse(f"the side between {side[0]} and {side[1]} is closed already; leave this out")
        if any(set(crossing.hexes) == set(side) for crossing in self.crossings):
            refuse(f"a strait or canal leads from {side[0]} to {side[1]}; leave this out")
        self.closed.append(side)

    def add_place(self, place: Place, refuse: Refuse) -> None:
        """A named place."""
        self._new_name(place.name, (each.name for each in self.places), refuse)
        if maps.is_address(maps.tidy(place.name)):
            refuse(f"{place.name} could be taken for an address; give the place another name")
        here = self.hex(place.hex, refuse)
        if place.is_port:
            self.water(place.hex, refuse)
            if not self.chart.sailing[self.chart.index[here]]:
                refuse(f"ships cannot leave {here}; draw coast (+) or sea (~) beside it")
        if not place.is_port and (place.fortified or not place.operational):
            refuse(f"only ports are operational or fortified; write ports = 1, or leave it out at {place.name}")
        self.places.append(replace(place, hex=here))

    def add_crossing(self, name: str, kind: str, one: str, two: str, refuse: Refuse) -> None:
        """A strait or canal."""
        self._new_name(name, (each.name for each in self.crossings), refuse)
        side = self.side(one, two, refuse)
        if side in self.closed or side[::-1] in self.closed:
            refuse(f"the side between {side[0]} and {side[1]} is listed as closed; take it out there")
        if any(set(crossing.hexes) == set(side) for crossing in self.crossings):
            refuse(f"a strait or canal leads from {side[0]} to {side[1]} already; one name is enough")
        self.crossings.append(Crossing(name=name, kind=kind, hexes=side))

    def add_box(self, box: Box, first: str, last: str, refuse: Refuse) -> None:
        """A box and the edge from which ships sail into it."""
        self._new_name(box.name, (each.name for each in self.boxes), refuse)
        try:
            entries = maps.edge_hexes(self.chart, box.edge, self.water(first, refuse), self.water(last, refuse))
        except ScenarioError:
            raise
        except GameError as trouble:
            refuse(f"{str(trouble).removeprefix(': ')} Name hexes at that edge, or another edge")
        self.boxes.append(replace(box, entries=entries))

    def add_caption(self, name: str, hex: str, refuse: Refuse) -> None:
        """A name written across the map."""
        self.captions.append(Caption(name=name, hex=self.hex(hex, refuse)))

    def add_region(self, name: str, hex: str, refuse: Refuse) -> None:
        """A hex of a region."""
        here = self.hex(hex, refuse)
        if here in self.regions.setdefault(name, []):
            refuse(f"{here} is in {name} already; leave it out")
        self.regions[name].append(here)

    def add_outline(self, text: str, refuse: Refuse) -> None:
        """A coastline to draw."""
        words = text.split()
        if len(words) % 2 or len(words) < 6:
            refuse("an outline is a list of x y x y ..., three points at least")
        if len(words) > 2 * MOST_POINTS:
            refuse(f"an outline has at most {MOST_POINTS} points")
        wrong = next((word for word in words if not NUMBER.fullmatch(word)), None)
        if wrong is not None:
            refuse(f"{shown(wrong)} is no number; write such as 12.5")
        self.outlines.append(" ".join(words))

    def _new_name(self, name: str, known: Iterable[str], refuse: Refuse) -> None:
        if name.casefold() in {each.casefold() for each in known}:
            refuse(f"there is a {name} already; names are given once")


def _drawn(rows: Sequence[str], first_number: int, refuse: Callable[[int, str], NoReturn]) -> tuple[str, ...]:
    """The rows of a map, if they are one. `refuse` is told the row that will not do, counted from 0."""
    signs = "".join(Terrain)
    for y, row in enumerate(rows):
        if len(row) != len(rows[0]):
            refuse(y, f"this row has {len(row)} hexes and the first has {len(rows[0])}; all have the same number")
        if not 1 <= len(row) <= maps.MOST_COLUMNS:
            refuse(y, f"a row has from 1 to {maps.MOST_COLUMNS} hexes, and this one has {len(row)}")
        for x, sign in enumerate(row):
            if sign not in signs:
                refuse(y, f"{shown(sign)} will not do here; ~ is sea, + coast, # land, and . not on the map")
            if sign != Terrain.OFF and first_number + x - y // 2 < 1:
                need = first_number + 1 - (first_number + x - y // 2)
                refuse(y, f"hex {x + 1} would have a number under 1; draw . there, or set first_number = {need}")
    if not any(sign in (Terrain.SEA, Terrain.COAST) for row in rows for sign in row):
        refuse(0, "there is neither sea nor coast on this map; draw ~ or + where there is")
    return tuple(rows)


# -- TOML ------------------------------------------------------------------------------------------


def parse_map(text: str | bytes, place: str) -> Map:
    """A map from its TOML text. `place` is what complaints call it; a file's name without its ending is the map's."""
    top = Document(text, place).tables()
    top.only(*TOP_KEYS)
    format = top.number("format", 1, 10**6)
    if format != FORMAT:
        top.refuse("format", "", f"this is format {format}; this version of the game reads format {FORMAT}")
    first_number = top.number("first_number", 1, MOST_NUMBER, maps.FIRST_NUMBER)
    rows = []
    for path, row in top.items("rows", maps.MOST_ROWS):
        if not isinstance(row, str):
            top.refuse(path, "", f"a row must be a text in quotes, not {shown(row)}")
        rows.append(row)
    if not rows:
        top.refuse("rows", "", 'the rows are missing; draw them, such as rows = ["~~+#"]')
    draft = Draft(
        Map(
            name=pathlib.PurePath(place).stem or place,
            title=top.name("title"),
            theatre=top.one_of("theatre", maps.THEATRES),
            summary=top.text("summary", "", LONGEST_TEXT),
            first_number=first_number,
            rows=_drawn(rows, first_number, lambda y, reason: top.refuse(("rows", y), "", reason)),
        )
    )
    for path, item in top.items("closed", MOST_ITEMS):
        one, dash, two = top.checked_text(path, item).partition("-")
        refuse = partial(top.refuse, path, "")
        if not dash:
            refuse(f"{shown(item)} is no side; write two hexes, such as A16-A17")
        draft.add_closed(one, two, refuse)
    # A port must have a way out, and that depends on the closed sides.
    draft.chart = replace(draft.chart, closed=tuple(draft.closed))
    for part in top.parts("crossings"):
        _read_crossing(part, draft)
    for part in top.parts("places", MOST_ITEMS):
        _read_place(part, draft)
    for part in top.parts("boxes"):
        _read_box(part, draft)
    for part in top.parts("regions"):
        part.only("name", "hexes")
        for path, item in part.items("hexes", MOST_ITEMS):
            draft.add_region(part.name("name"), part.checked_text(path, item), partial(part.refuse, path, ""))
    for part in top.parts("captions"):
        part.only("name", "hex")
        draft.add_caption(part.name("name"), part.name("hex"), partial(part.refuse, "hex", ""))
    for path, item in top.items("outlines", MOST_ITEMS):
        if not isinstance(item, str):
            top.refuse(path, "", f"an outline must be a text in quotes, not {shown(item)}")
        draft.add_outline(item, partial(top.refuse, path, ""))
    return draft.done()


def _read_crossing(part: Part, draft: Draft) -> None:
    part.only("name", "kind", "hexes")
    hexes = [part.checked_text(path, item) for path, item in part.items("hexes")]
    if len(hexes) != 2:
        part.refuse("hexes", "", f"a strait or canal lies between two hexes, and here are {len(hexes)}")
    kind = part.one_of("kind", maps.CROSSING_KINDS)
    draft.add_crossing(part.name("name"), kind, hexes[0], hexes[1], partial(part.refuse, "hexes", ""))


def _read_place(part: Part, draft: Draft) -> None:
    part.only("name", "hex", "ports", *PLACE_FLAGS)
    place = Place(
        name=part.name("name"),
        hex=part.name("hex"),
        ports=part.number("ports", 0, MOST_PORTS, 0, "20.15"),
        operational=part.flag("operational", True),
        fortified=part.flag("fortified"),
        air_base=part.flag("air_base"),
        island=part.flag("island"),
    )
    draft.add_place(place, partial(part.refuse, "", ""))


def _read_box(part: Part, draft: Draft) -> None:
    part.only("name", "kind", "edge", "first", "last", "may_intercept")
    box = Box(
        name=part.name("name"),
        kind=part.one_of("kind", maps.BOX_KINDS),
        edge=part.one_of("edge", maps.EDGES),
        entries=(),
        may_intercept=part.flag("may_intercept", True),
    )
    first = part.name("first")
    draft.add_box(box, first, part.name("last", first), partial(part.refuse, "", ""))


# -- CSV -------------------------------------------------------------------------------------------


class Line:
    """One record of a CSV file."""

    def __init__(self, place: str, number: int, cells: list[str]) -> None:
        self.place = f"{place}, line {number}"
        self.record, self.hex, self.other, self.name, self.value = (" ".join(cell.split()) for cell in cells)

    def refuse(self, reason: str) -> NoReturn:
        """Stop at this record."""
        raise ScenarioError(self.place, "", reason)

    def named(self) -> str:
        """The name, which this record must have."""
        if not self.name or len(self.name) > LONGEST_NAME or not self.name.isprintable():
            self.refuse(f"a {self.record} needs a name of at most {LONGEST_NAME} printable characters")
        return self.name

    def choice(self, value: str, choices: Collection[str]) -> str:
        """One of a few words."""
        if value not in choices:
            near = suggestions(value, choices) or f"it must be {' or '.join(choices)}"
            self.refuse(f"{shown(value)} will not do here; {near}")
        return value


def parse_csv(text: str | bytes, place: str) -> Map:
    """A map from its CSV text."""
    lines = _lines(Document(text, place).text, place)
    values = _map_values(lines, place)
    first_number = int(values["first_number"])
    draft = Draft(
        Map(
            name=pathlib.PurePath(place).stem or place,
            title=values["title"],
            theatre=values["theatre"],
            summary=values["summary"],
            first_number=first_number,
            rows=_rows(lines, first_number, place),
        )
    )
    # In the order in which one thing depends on another, whatever the order in the file.
    for line in (line for line in lines if line.record == "closed"):
        draft.add_closed(line.hex, line.other, line.refuse)
    draft.chart = replace(draft.chart, closed=tuple(draft.closed))
    for line in lines:
        _add(line, draft)
    return draft.done()


def _lines(text: str, place: str) -> list[Line]:
    found: list[Line] = []
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if not found and tuple(cell.strip().lower() for cell in cells) == COLUMNS:
                continue
            if len(cells) != len(COLUMNS):
                reason = f"there are {len(cells)} columns here; write {len(COLUMNS)}: {','.join(COLUMNS)}"
                raise ScenarioError(f"{place}, line {reader.line_num}", "", reason)
            line = Line(place, reader.line_num, cells)
            line.choice(line.record, RECORDS)
            found.append(line)
    except csv.Error as mistake:
        raise ScenarioError(f"{place}, line {reader.line_num}", "", f"this is not valid CSV: {mistake}") from mistake
    return found


def _map_values(lines: Sequence[Line], place: str) -> dict[str, str]:
    """What the lines that begin with `map` say."""
    values = {"summary": "", "first_number": str(maps.FIRST_NUMBER)}
    for line in lines:
        if line.record != "map":
            continue
        key = line.choice(line.name, MAP_VALUES)
        if key == "format" and line.value != str(FORMAT):
            line.refuse(f"this is format {shown(line.value)}; this version of the game reads format {FORMAT}")
        if key == "theatre":
            line.choice(line.value, maps.THEATRES)
        if key == "first_number" and not (re.fullmatch(r"[1-9]\d?", line.value)):
            line.refuse(f"{shown(line.value)} will not do here; it must be a number from 1 to {MOST_NUMBER}")
        if len(line.value) > LONGEST_TEXT or not line.value.isprintable():
            line.refuse(f"this must be a text of at most {LONGEST_TEXT} printable characters")
        values[key] = line.value
    for key in ("format", "title", "theatre"):
        if not values.get(key):
            raise ScenarioError(place, "", f"{key} is missing; add a line map,,,{key},...")
    return values


def _rows(lines: Sequence[Line], first_number: int, place: str) -> tuple[str, ...]:
    """The terrain that the lines that begin with `hex` give, a hex each."""
    signs: dict[tuple[int, int], str] = {}
    for line in lines:
        if line.record != "hex":
            continue
        address = maps.tidy(line.hex)
        if not maps.is_address(address):
            line.refuse(f"{shown(line.hex)} is no address of a hex; write letters and a number, such as N28 or EE11")
        y, number = maps.parts(address)
        x = number - first_number + y // 2
        if not 0 <= x < maps.MOST_COLUMNS:
            line.refuse(f"{address} lies left of the first hex of row A or too far right; see first_number")
        if (x, y) in signs:
            line.refuse(f"{address} has been given already; leave this out")
        signs[x, y] = SIGN_OF_WORD[line.choice(line.value, SIGN_OF_WORD)]
    if not signs:
        raise ScenarioError(place, "", "there are no hexes; add lines such as hex,A16,,,sea")
    width = max(x for x, _ in signs) + 1
    height = max(y for _, y in signs) + 1
    rows = ["".join(signs.get((x, y), Terrain.OFF.value) for x in range(width)) for y in range(height)]

    def refuse(y: int, reason: str) -> NoReturn:
        raise ScenarioError(place, "", f"row {maps.row_letters(y)}: {reason}")

    return _drawn(rows, first_number, refuse)


def _add(line: Line, draft: Draft) -> None:
    """One record that is neither terrain nor about the whole map."""
    if line.record in maps.CROSSING_KINDS:
        draft.add_crossing(line.named(), line.record, line.hex, line.other, line.refuse)
    elif line.record == "place":
        draft.add_place(_place(line), line.refuse)
    elif line.record == "box":
        words = line.value.split()
        kind = line.choice(words[0] if words else "", maps.BOX_KINDS)
        edge = line.choice(words[1] if len(words) > 1 else "", maps.EDGES)
        bars = [line.choice(word, ("no_interception",)) for word in words[2:]]
        box = Box(name=line.named(), kind=kind, edge=edge, entries=(), may_intercept=not bars)
        draft.add_box(box, line.hex, line.other or line.hex, line.refuse)
    elif line.record == "region":
        draft.add_region(line.named(), line.hex, line.refuse)
    elif line.record == "caption":
        draft.add_caption(line.named(), line.hex, line.refuse)
    elif line.record == "outline":
        draft.add_outline(line.value, line.refuse)


def _place(line: Line) -> Place:
    known = ("port", "two_ports", "not_operational", "fortified", "air_base", "island")
    words = [line.choice(word, known) for word in line.value.split()]
    return Place(
        name=line.named(),
        hex=line.hex,
        ports=2 if "two_ports" in words else int("port" in words),
        operational="not_operational" not in words,
        fortified="fortified" in words,
        air_base="air_base" in words,
        island="island" in words,
    )


def write_csv(chart: Map) -> str:
    """A map as CSV, from which parse_csv makes the same map."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    values = (FORMAT, chart.title, chart.theatre, chart.summary, chart.first_number)
    writer.writerows(("map", "", "", key, value) for key, value in zip(MAP_VALUES, values, strict=True))
    writer.writerows(
        ("hex", address, "", "", Terrain(sign).word)
        for address, sign in zip(chart.addresses, "".join(chart.rows), strict=True)
        if address
    )
    writer.writerows(("closed", one, two, "", "") for one, two in chart.closed)
    for place in chart.places:
        words = ["two_ports" if place.ports > 1 else "port"] if place.is_port else []
        words += [] if place.operational else ["not_operational"]
        words += [flag for flag in PLACE_FLAGS[1:] if getattr(place, flag)]
        writer.writerow(("place", place.hex, "", place.name, " ".join(words)))
    writer.writerows((each.kind, *each.hexes, each.name, "") for each in chart.crossings)
    for box in chart.boxes:
        words = [box.kind, box.edge] + ([] if box.may_intercept else ["no_interception"])
        writer.writerow(("box", box.entries[0], box.entries[-1], box.name, " ".join(words)))
    writer.writerows(("region", hex, "", region.name, "") for region in chart.regions for hex in region.hexes)
    writer.writerows(("caption", each.hex, "", each.name, "") for each in chart.captions)
    writer.writerows(("outline", "", "", "", outline) for outline in chart.outlines)
    return out.getvalue()
