"""Warplanner game files: who has which ships, submarines and aircraft where, as far as such a file could be understood.

The laws here:

1. Whatever comes in, only ScenarioError comes out, with the line. Size is measured first; a DOCTYPE, and with it every
   entity, is refused; depth and mass are bounded while reading. Nothing in a file is followed, opened or carried out.
2. The format is not official. What is not known is ignored if it has nothing to do with naval combat, and otherwise
   told: every counter of a naval or air unit is either placed or listed with the reason why it could not be.
3. Nothing is guessed. A ship is found by nation, size and the beginnings of her words (20.11), and only if she is the only
   one; how a file marks damage, losses and inverted counters is not known, so nothing is said of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple, NoReturn
from xml.parsers import expat

from flagplot.core.errors import ScenarioError
from flagplot.core.sides import SIDES
from flagplot.model.ships import Ship
from flagplot.scenarios.air import AIR_NATIONS
from flagplot.scenarios.ships import all_ships, slug
from flagplot.tables.naval_nationality import NATIONS

MOST_BYTES = 1024 * 1024
MOST_DEPTH = 40
MOST_ELEMENTS = 50_000
MOST_COUNTERS = 6_000
MOST_COUNTRIES = 300
MOST_PLACES = 400
MOST_SIZE = 99
LONGEST = 80  # characters of any text that is shown

# Kinds of counters. Ships by name, light ships with the key a set-up has for them and the factors of one, air units with
# what a set-up calls them.
NAMED = {"battleship": False, "carrier": True}  # and whether she is a carrier
LIGHT = {"cruiser": ("cruisers", 2), "destroyer": ("destroyers", 1), "cve": ("escort_carriers", 1), "transport": ("transports", 1)}  # fmt: skip
AIR = {"nas": "NAS", "aaf": "AAF", "jet": "JET", "airtransport": "ATR"}
NOT_IN_BATTLES = {
    "interceptor": "interceptors fly in strategic warfare only",
    "bomber": "bombers fly in strategic warfare only",
    "asw": "ASW counts in an SW box; enter it as excess_asw (22.9415)",
}
MARKERS = ("taskforce", "airbase")

PLACES = {
    "1": "in a force pool",
    "2": "on the map",
    "3": "in a shipyard",
    "5": "on the task force display",
}
AT_SEA_OR_READY = ("2", "5")  # where units are that can meet an enemy
BOARDS = {"0": "Europe", "1": "Pacific"}

# What a file may call a nation that the Naval Nationality Chart calls otherwise.
OTHER_NAMES = {
    "uk": "Britain",
    "great-britain": "Britain",
    "united-kingdom": "Britain",
    "usa": "United States",
    "us": "United States",
    "united-states-of-america": "United States",
    "ussr": "Russia",
    "soviet-union": "Russia",
    "romania": "Rumania",
}

UNKNOWN = (
    "Which counters are damaged or inverted, and which aircraft are aboard which carrier, is not known from such a file: "
    "carriers have all they can hold unless you enter less."
)


class Unplaced(NamedTuple):
    """A counter that could not be put into a set-up, and why not."""

    line: int
    country: str
    what: str
    why: str


class Place(NamedTuple):
    """Units of one side in one place, as a set-up would have them."""

    key: str
    side: str  # "axis" or "allies"
    where: str
    board: str  # a theatre, or "" where the file does not say
    ships: tuple[tuple[str, str, str], ...]  # name, nation, and the name on her counter
    light: dict[str, dict[str, int]]  # by nation, by the keys of a set-up
    submarines: dict[str, int]  # by nation
    aircraft: dict[str, int]  # "Japan NAS"

    @property
    def factors(self) -> int:
        """Naval factors, transports not counted."""
        known = _sizes()
        counted = sum(
            counts.get(key, 0) * size
            for counts in self.light.values()
            for key, size in LIGHT.values()
            if key != "transports"
        )
        return sum(known[name, nation] for name, nation, _ in self.ships) + counted


@cache
def _sizes() -> Mapping[tuple[str, str], int]:
    return {(ship.name, ship.nation): ship.size for ship in all_ships().values()}


class Contents(NamedTuple):
    """What is in a file."""

    title: str
    year: str
    season: str
    version: str
    countries: dict[str, str]  # name and coalition, "" for neutrals
    places: tuple[Place, ...]
    elsewhere: dict[str, int]  # naval and air counters that cannot meet anybody now, by where they are
    unplaced: tuple[Unplaced, ...]
    ignored: dict[str, int]  # kinds of counters that have nothing to do with naval combat, and how many there are


# -- reading -----------------------------------------------------------------------------------------


class _Counter(NamedTuple):
    line: int
    country: str
    coalition: str
    told: Mapping[str, str]


class _Reader:
    """One pass over the file, element by element; no tree is kept."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = False
        self.parser.StartElementHandler = self.begin
        self.parser.EndElementHandler = self.end
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.depth = self.elements = 0
        self.game: dict[str, str] | None = None
        self.country: tuple[str, str] | None = None
        self.country_depth = 0
        self.countries: dict[str, str] = {}
        self.counters: list[_Counter] = []

    def refuse(self, reason: str) -> NoReturn:
        raise ScenarioError(f"{self.place}, line {self.parser.CurrentLineNumber}", "", reason)

    def doctype(self, *told: object) -> None:
        self.refuse("there is a DOCTYPE here, which Warplanner files do not have; it is not read")

    def begin(self, name: str, told: dict[str, str]) -> None:
        self.depth += 1
        self.elements += 1
        if self.depth > MOST_DEPTH:
            self.refuse(f"this is nested more than {MOST_DEPTH} deep; no game is")
        if self.elements > MOST_ELEMENTS:
            self.refuse(f"there are more than {MOST_ELEMENTS} elements; no game has so many")
        if self.depth == 1:
            if name != "game":
                self.refuse(f"this begins with <{shown(name)}>, and a Warplanner file with <game>")
            self.game = told
        elif name == "c" and self.country is None:
            if len(self.countries) >= MOST_COUNTRIES:
                self.refuse(f"there are more than {MOST_COUNTRIES} countries; no game has so many")
            coalition = told.get("coalition", "").strip().lower()
            self.country = (shown(told.get("name", told.get("id", ""))), coalition if coalition in SIDES else "")
            self.country_depth = self.depth
            self.countries[self.country[0]] = self.country[1]
        elif name == "u" and self.country is not None:
            if len(self.counters) >= MOST_COUNTERS:
                self.refuse(f"there are more than {MOST_COUNTERS} counters; no game has so many")
            self.counters.append(_Counter(self.parser.CurrentLineNumber, *self.country, told))

    def end(self, name: str) -> None:
        if self.country is not None and self.depth == self.country_depth:
            self.country = None
        self.depth -= 1


def shown(text: str) -> str:
    """A text of the file as it is shown: on one line, printable, never long."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 3] + "..."


def read_file(text: str | bytes, place: str) -> Contents:
    """What is in a Warplanner file. `place` is what complaints call it."""
    try:
        raw = text.encode() if isinstance(text, str) else text
        if len(raw) > MOST_BYTES:
            raise ScenarioError(place, "", f"the file is longer than {MOST_BYTES // 1024} KiB; no game needs that much")
        raw.decode()
    except UnicodeError as mistake:
        raise ScenarioError(place, "", "this is not UTF-8 text; Warplanner files are") from mistake
    reader = _Reader(place)
    try:
        reader.parser.Parse(raw.removeprefix(b"\xef\xbb\xbf"), True)
    except expat.ExpatError as mistake:
        what = expat.errors.messages.get(mistake.code, "it cannot be read")
        raise ScenarioError(
            f"{place}, line {mistake.lineno}", "", f"this is not XML as Warplanner writes it: {what}"
        ) from mistake
    except ValueError as mistake:  # what expat's own wrapper will not take, such as an unknown encoding
        raise ScenarioError(place, "", "this is not XML as Warplanner writes it") from mistake
    game = reader.game
    assert game is not None  # expat has refused a file without elements
    return _sorted_out(game, reader, place)


# -- sorting out -----------------------------------------------------------------------------------------


class _Pile:
    """What has been put in one place so far."""

    def __init__(self, where: str, board: str) -> None:
        self.where, self.board = where, board
        self.ships: list[tuple[str, str, str]] = []
        self.light: dict[str, Counter[str]] = {}
        self.submarines: Counter[str] = Counter()
        self.aircraft: Counter[str] = Counter()


def _sorted_out(game: Mapping[str, str], reader: _Reader, place: str) -> Contents:
    piles: dict[tuple[str, str], _Pile] = {}
    elsewhere: Counter[str] = Counter()
    ignored: Counter[str] = Counter()
    unplaced: list[Unplaced] = []
    taken: dict[str, int] = {}
    for each in reader.counters:
        kind = shown(each.told.get("t", ""))
        if kind in MARKERS:
            continue
        if kind not in NAMED and kind not in LIGHT and kind not in AIR and kind not in NOT_IN_BATTLES and kind != "sub":
            ignored[kind or "of no kind"] += 1
            continue
        found = _place_of(each)
        why = found if isinstance(found, str) else _put(each, kind, piles, found, taken)
        if why in PLACES.values():
            elsewhere[why] += 1
        elif why:
            what = " ".join(
                part for part in (kind, shown(each.told.get("n", "")), shown(each.told.get("s", ""))) if part
            )
            unplaced.append(Unplaced(each.line, each.country, what, why))
        if len(piles) > MOST_PLACES:
            raise ScenarioError(f"{place}, line {each.line}", "", f"units are in more than {MOST_PLACES} places; no game has so many")  # fmt: skip
    return Contents(
        shown(game.get("title", "")),
        shown(game.get("starting-year", "")),
        shown(game.get("starting-season", "")),
        shown(game.get("version", "")),
        reader.countries,
        tuple(_finished(side, key, pile) for (side, key), pile in piles.items() if _is_there(pile)),
        dict(elsewhere),
        tuple(unplaced),
        dict(ignored),
    )


class _Spot(NamedTuple):
    side: str
    key: str
    where: str
    board: str


def _place_of(each: _Counter) -> _Spot | str:
    """Where a counter is, if it can meet somebody there; else why it cannot."""
    told, at = each.told, each.told.get("l", "")
    if at not in PLACES:
        return (
            "the file says in no way we know where it is" if not at else f"we do not know where place {shown(at)!r} is"
        )
    if at not in AT_SEA_OR_READY:
        return PLACES[at]
    if not each.coalition:
        return f"{each.country or 'its country'} is neutral, so it is on neither side"
    if at == "2":
        hexagon = shown(told.get("h", "")).partition("~")[0]
        board, slash, name = hexagon.partition("/")
        if not slash or not name:
            return "it is on the map, and the file does not say in which hex"
        theatre = BOARDS.get(board, "")
        return _Spot(each.coalition, f"hex {hexagon}", f"hex {name}" + (f", {theatre}" if theatre else ""), theatre)
    display, column = shown(told.get("tfi", "")), shown(told.get("tfx", ""))
    if not column:
        return "it is on the task force display, and the file does not say in which box"
    return _Spot(
        each.coalition, f"box {display or '0'}/{column}", f"task force box {column}, display {display or '0'}", ""
    )


def _put(each: _Counter, kind: str, piles: dict[tuple[str, str], _Pile], spot: _Spot, taken: dict[str, int]) -> str:
    """Put a counter into its place; "" if that was done, else why not."""
    if kind in NOT_IN_BATTLES:
        return NOT_IN_BATTLES[kind]
    nation = nation_of(each.country)
    if nation not in (AIR_NATIONS if kind in AIR else NATIONS):
        return f"{each.country or 'its country'} is not a nation of the Naval Nationality Chart (22.552A)"
    pile = piles.setdefault((spot.side, spot.key), _Pile(spot.where, spot.board))
    size = each.told.get("s", "")
    number = int(size) if size.isascii() and size.isdecimal() and len(size) <= 2 else 0
    if kind in NAMED:
        return _put_ship(each, pile, nation, number, taken, carrier=NAMED[kind])
    if not number:
        return f"its size is {shown(size)!r}, and should be a number from 1 to {MOST_SIZE}"
    if kind in LIGHT:
        key, factors = LIGHT[kind]
        if number % factors:
            return f"{number} factors are no whole number of ships of {factors} (20.12)"
        pile.light.setdefault(nation, Counter())[key] += number // factors
    elif kind == "sub":
        pile.submarines[nation] += number
    else:
        pile.aircraft[f"{nation} {AIR[kind]}"] += number
    return ""


def _put_ship(each: _Counter, pile: _Pile, nation: str, size: int, taken: dict[str, int], *, carrier: bool) -> str:
    written = shown(each.told.get("n", ""))
    found = ships_called(written, nation, size, carrier=carrier)
    if len(found) != 1:
        names = " or ".join(ship.name for ship in found[:4])
        others = ships_called(written, nation, 0, carrier=carrier)
        if not found and len(others) == 1:
            return f"{others[0].name} has {others[0].size} factors in our list, not {size} (20.11): add her yourself"
        return (
            f"she may be {names}: add her yourself"
            if found
            else "no such ship is in our list (20.11): add her yourself"
        )
    (ship,) = found
    if ship.id in taken:
        return f"{ship.name} is in the file already, at line {taken[ship.id]} (20.11)"
    taken[ship.id] = each.line
    pile.ships.append((ship.name, ship.nation, written))
    return ""


@cache
def _nations() -> Mapping[str, str]:
    return OTHER_NAMES | {slug(name): name for name in AIR_NATIONS}


def nation_of(country: str) -> str:
    """The nation that a file's country is, as the charts call it; "" if it is none of them."""
    return _nations().get(slug(country), "")


@cache
def _fleet(nation: str, carrier: bool) -> tuple[tuple[Ship, list[str]], ...]:
    """The ships of a nation, carriers or others, each with the words of her name."""
    mine = [ship for ship in all_ships().values() if ship.nation == nation and ship.is_carrier is carrier]
    return tuple((ship, slug(ship.name).split("-")) for ship in mine)


def ships_called(written: str, nation: str, size: int, *, carrier: bool) -> list[Ship]:
    """20.11. The ships that a shortened name may mean: "Dk of York", "R Sovereign". The whole name goes before all others."""
    short = slug(written).split("-")
    fitting = [each for each in _fleet(nation, carrier) if size in (0, each[0].size)]
    whole = [ship for ship, words in fitting if words == short]
    return whole or [ship for ship, words in fitting if _shortens(short, words)]


def _shortens(short: list[str], words: list[str]) -> bool:
    """Whether each short word has the first letter of its word, and of its other letters some, in their order."""
    if not short[0] or len(short) > len(words):
        return False
    return all(given[0] == word[0] and _within(given, word) for given, word in zip(short, words, strict=False))


def _within(given: str, word: str) -> bool:
    letters = iter(word)
    return all(letter in letters for letter in given)


def _is_there(pile: _Pile) -> bool:
    return bool(pile.ships or pile.light or pile.submarines or pile.aircraft)


def _finished(side: str, key: str, pile: _Pile) -> Place:
    light = {nation: dict(counts) for nation, counts in pile.light.items()}
    return Place(
        key, side, pile.where, pile.board, tuple(pile.ships), light, dict(pile.submarines), dict(pile.aircraft)
    )


# -- into a set-up -------------------------------------------------------------------------------------------


def force_of(place: Place, name: str, nation: str, mission: str = "") -> dict[str, Any]:
    """The ships of a place as a force of a set-up, whose side is of that nation; {} if it has none."""
    if not place.ships and not place.light:
        return {}
    force: dict[str, Any] = {"name": name, **({"mission": mission} if mission else {})}
    if place.ships:
        force["ships"] = [ship for ship, _, _ in place.ships]
    own = place.light.get(nation, {})
    force |= own
    also = [{"nation": other, **counts} for other, counts in place.light.items() if other != nation]
    if also:
        force["also"] = also
    return force


def most_of(places: Iterable[Place]) -> str:
    """The nation that has the most in these places: the one a side will be named for."""
    count: Counter[str] = Counter()
    for place in places:
        for _, nation, _ in place.ships:
            count[nation] += 5
        for nation, light in place.light.items():
            count[nation] += sum(light.values())
        for nation, number in place.submarines.items():
            count[nation] += number
    return count.most_common(1)[0][0] if count else ""


def as_told(contents: Contents) -> dict[str, Any]:
    """What is in a file, in a form to be sent: every place with what a set-up would have for it."""
    return {
        "title": contents.title,
        "year": contents.year,
        "season": contents.season,
        "version": contents.version,
        "countries": [{"name": name, "coalition": side} for name, side in contents.countries.items()],
        "places": [
            {
                "key": place.key,
                "side": place.side,
                "where": place.where,
                "theatre": place.board,
                "factors": place.factors,
                "ships": [
                    {"name": name, "nation": nation, "written": written} for name, nation, written in place.ships
                ],
                "light": place.light,
                "submarines": place.submarines,
                "aircraft": place.aircraft,
                "nation": most_of([place]),
            }
            for place in contents.places
        ],
        "elsewhere": contents.elsewhere,
        "unplaced": [each._asdict() for each in contents.unplaced],
        "ignored": contents.ignored,
        "unknown": UNKNOWN,
    }
