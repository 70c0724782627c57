"""The JSON shapes of the strategic war, and how what a player writes becomes a value of the model or is refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from flagplot.core.errors import PlayerError
from flagplot.model.interception import Verdict
from flagplot.model.strategic_bombing import WESTERN_ALLIED_POWERS
from flagplot.model.strategic_war import (
    ADVANCED_SUBMARINE,
    ALLIES,
    ASW,
    ATLANTIC,
    AXIS,
    AXIS_POWERS,
    BOXES,
    BRITAIN,
    CHINA,
    FRANCE,
    GERMANY,
    INDIAN_OCEAN,
    INTERCEPTOR,
    ITALY,
    JAPAN,
    MAJOR_POWERS,
    NAVAL_UNIT,
    PACIFIC,
    RUSSIA,
    SEASONS,
    STRATEGIC_BOMBER,
    SUBMARINE,
    TRANSPORT,
    UNITED_STATES,
    WESTERN_ALLIES,
    BoxUnit,
    Place,
    PlayerTurn,
    Politics,
    Port,
    Turn,
)
from flagplot.rules.strategic.bombing_effects import MAPBOARD_BOXES
from flagplot.rules.strategic.force_pools import ROCKETS
from flagplot.tables.strategic_bombing import EUROPE_FRONTS, PACIFIC_FRONTS, US_BOXES
from flagplot.tables.sw_boxes import BASES, HOME_PORTS

FIRST_YEAR, LAST_YEAR = 1939, 1960  # a year mistyped is refused
MOST = 999  # of anything counted
MINOR_NATIONS = ("Finland", "Sweden", "Australia")  # with an Air Nationality DRM of their own
KINDS = (SUBMARINE, ADVANCED_SUBMARINE, ASW, TRANSPORT, STRATEGIC_BOMBER, INTERCEPTOR, ROCKETS)
FRONTS = (*EUROPE_FRONTS, *PACIFIC_FRONTS)
PLACES = (*dict.fromkeys(place for bases in BASES.values() for place in bases.places), "Atlantic SW box")
SHIPS = {  # in SW boxes, with their words
    NAVAL_UNIT: "",
    "CVE": "escort carrier",
    "DD": "destroyer",
    "CA": "cruiser",
    "BB": "battleship",
    "BC": "battlecruiser",
    "CV": "fast carrier",
    "CVL": "light carrier",
    "CVB": "",
}
PHASE_WORDS = (
    "player",
    "turn",
    "the",
    "phase",
    "of",
    "in",
    "combat",
    "movement",
    "redeployment",
    "construction",
    "unit",
)
OTHER_NAMES = {
    "us": UNITED_STATES,
    "usbox": US_BOXES[0],  # of bombing both U.S. boxes are alike
    "usa": UNITED_STATES,
    "america": UNITED_STATES,
    "american": UNITED_STATES,
    "british": BRITAIN,
    "greatbritain": BRITAIN,
    "unitedkingdom": BRITAIN,
    "uk": BRITAIN,
    "german": GERMANY,
    "italian": ITALY,
    "japanese": JAPAN,
    "french": FRANCE,
    "russian": RUSSIA,
    "soviet": RUSSIA,
    "sovietunion": RUSSIA,
    "ussr": RUSSIA,
    "chinese": CHINA,
    "australian": "Australia",
    "swedish": "Sweden",
    "westernallied": WESTERN_ALLIES,
    "indian": INDIAN_OCEAN,
    "atlanticocean": ATLANTIC,
    "pacificocean": PACIFIC,
    "sub": SUBMARINE,
    "bomber": STRATEGIC_BOMBER,
    "rocket": ROCKETS,
    "advsubmarine": ADVANCED_SUBMARINE,
}


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _called(name: str, known: tuple[str, ...], what: str) -> str:
    wanted = _plain(name)
    for each in known:
        plain = _plain(each)
        if wanted in (plain, f"{plain}s", f"{plain}box", f"{plain}swbox", plain.removesuffix("box")):
            return each
    other = OTHER_NAMES.get(wanted) or OTHER_NAMES.get(wanted.removesuffix("s"))
    if other in known:
        return str(other)
    raise PlayerError(f"there is no {what} {name[:40]!r}; there are {', '.join(known)}")


def box_called(name: str) -> str:
    """The SW box as the rules spell it."""
    return _called(name, BOXES, "SW box")


def power_called(name: str) -> str:
    """The major power as the rules spell it; "U.S." will do."""
    return _called(name, MAJOR_POWERS, "major power")


def nation_spelled(name: str) -> str:
    """A nation as the rules spell it, whatever its capitals; "U.S." will do. Of minor countries any name is taken."""
    try:
        return _called(name, (*MAJOR_POWERS, *MINOR_NATIONS), "nation")
    except PlayerError:
        return name.strip()


def place_spelled(name: str, known: Iterable[str]) -> str:
    """A front, box or town as the rules spell it, whatever its capitals; any other name as it is."""
    return next((each for each in known if each.lower() == name.strip().lower()), name.strip())


def base_spelled(name: str) -> str:
    """A base of the SW boxes as the rules spell it, a mapboard box with "box" or without; any other name as it is."""
    if OTHER_NAMES.get(_plain(name)) in (US_BOXES[0], UNITED_STATES):
        raise PlayerError("25.31: say which U.S. box it is, the Atlantic U.S. box or the Pacific U.S. box")
    try:
        return _called(name, (*PLACES, *HOME_PORTS), "base")
    except PlayerError:
        return name.strip()


def mapboard_box_called(name: str) -> str:
    """A mapboard box that may be bombed, as the rules spell it, with "box" or without; "" is none."""
    return _called(name, MAPBOARD_BOXES, "mapboard box") if name else ""


def box_spelled(name: str) -> str:
    """A mapboard box that may be bombed as the rules spell it; any other name as it is."""
    try:
        return mapboard_box_called(name)
    except PlayerError:
        return name.strip()


def holder_spelled(name: str, country: str) -> str:
    """Who holds what was a country's first; its whole side is as good as the country itself."""
    allies = tuple(power for power in MAJOR_POWERS if power not in AXIS_POWERS)
    sides = {"axis": AXIS_POWERS, "western allies": WESTERN_ALLIED_POWERS, "allies": allies}
    return country if country in sides.get(name.strip().lower(), ()) else nation_spelled(name)


def owner_called(name: str) -> str:
    """A major power, or the Western Allies together."""
    return _called(name, (*MAJOR_POWERS, WESTERN_ALLIES), "owner of force pools")


def kind_called(name: str) -> str:
    """The kind of SW unit as the rules spell it, singular or plural."""
    return _called(name, KINDS, "SW unit")


def phase_called(text: str) -> str:
    """A phase of a player turn: "redeployment", with "phase" or without."""
    return text.lower().strip().removesuffix("phase").strip()


def turn_called(text: str) -> Turn:
    """A turn from its words: "Fall 1939"."""
    words = text.replace(",", " ").split()
    named = ["fall" if word.lower() == "autumn" else word.lower() for word in words]
    season = next((number for number, name in enumerate(SEASONS) if name.lower() in named), None)
    year = next((int(word) for word in words if word.isascii() and word.isdigit()), None)
    if season is None or year is None or len(words) != 2:
        raise PlayerError(f"{text[:40]!r} is no turn; a turn looks like Fall 1939")
    return Turn(year_called(year), season)


def year_called(year: int) -> int:
    """A year of the war."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise PlayerError(f"{year} is no year of the war; give one from {FIRST_YEAR} to {LAST_YEAR}")
    return year


def player_turn_called(text: str) -> PlayerTurn:
    """A player turn from its words: "Axis Fall 1939", "Allied player turn Winter 1941"."""
    words = [word for word in text.replace(",", " ").split() if word.lower() not in PHASE_WORDS]
    sides = {"axis": AXIS, "allied": ALLIES, "allies": ALLIES}
    side = next((sides[word.lower()] for word in words if word.lower() in sides), None)
    if side is None:
        raise PlayerError(f"{text[:60]!r} is no player turn; one looks like Axis Fall 1939 or Allied Fall 1939")
    return PlayerTurn(turn_called(" ".join(word for word in words if word.lower() not in sides)), side)


def few(number: int, what: str) -> int:
    """A number of things, refused if it is none."""
    if not 0 <= number <= MOST:
        raise PlayerError(f"{number} is no number of {what}; give one from 0 to {MOST}")
    return number


def summed(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Counts by name; what was said under two spellings of a name is added."""
    found: dict[str, int] = {}
    for name, number in counts:
        found[name] = found.get(name, 0) + number
    return found


def rolled(roll: int | None, dice: list[int], what: str) -> int:
    """A roll of two dice: as given, or the next two dice, which are taken."""
    if roll is not None:
        if not 2 <= roll <= 12:
            raise PlayerError(f"{roll} is no roll of two dice")
        return roll
    if len(dice) < 2:
        raise PlayerError(f"give two dice, or a roll, for {what}")
    taken = dice[0] + dice[1]
    del dice[:2]
    return taken


def reasons(verdicts: tuple[Verdict, ...]) -> list[list[str]]:
    """Refusals as JSON: rule and reason."""
    return [[verdict.rule, verdict.why] for verdict in verdicts]


def told(verdict: Verdict) -> dict[str, Any]:
    """A verdict as JSON."""
    return {"allowed": verdict.holds, "rule": verdict.rule, "why": verdict.why}


class PoliticsJson(msgspec.Struct, forbid_unknown_fields=True):
    """War and tension: nothing said is peace."""

    usat: int = 0
    usjt: int = 0
    germany_us_war: bool = False
    japan_us_war: bool = False
    japan_britain_war: bool = False

    def politics(self) -> Politics:
        """As the rules have it."""
        return Politics(
            few(self.usat, "USAT"),
            few(self.usjt, "USJT"),
            self.germany_us_war,
            self.japan_us_war,
            self.japan_britain_war,
        )


class PlaceJson(msgspec.Struct, forbid_unknown_fields=True):
    """A port, with its front (western, Mediterranean, Pacific) and country, or a box beside the map."""

    name: str
    front: str = ""
    country: str = ""

    def place(self) -> Place:
        """As the rules have it."""
        name, front = base_spelled(self.name), place_spelled(self.front, FRONTS)
        home = JAPAN if name in (*HOME_PORTS, JAPAN) else ""
        return Place(name, front, nation_spelled(self.country) or home)


class PortJson(msgspec.Struct, forbid_unknown_fields=True):
    """A port and who holds it: a major power, "Axis" or "Western Allies"."""

    name: str
    holder: str
    front: str = ""
    operational: bool = True

    def port(self) -> Port:
        """As the rules have it."""
        holder = "Axis" if self.holder.lower() == "axis" else owner_called(self.holder)
        name, front = place_spelled(self.name, PLACES), place_spelled(self.front, FRONTS)
        return Port(name, holder, front, self.operational)


class UnitJson(msgspec.Struct, forbid_unknown_fields=True):
    """A unit of an SW box: submarine, ASW, transport, a ship's kind such as CVE, or "naval unit"."""

    nation: str
    kind: str = "naval unit"
    inverted: bool = False
    damaged: bool = False

    def unit(self) -> BoxUnit:
        """As the rules have it."""
        words = {words: kind for kind, words in SHIPS.items() if words} | {"carrier": "CV", "sub": SUBMARINE}
        kinds = (*KINDS[:4], *SHIPS, *KINDS[4:])
        known = {_plain(kind): kind for kind in kinds} | {_plain(name): kind for name, kind in words.items()}
        kind = known.get(_plain(self.kind)) or known.get(_plain(self.kind).removesuffix("s"))
        if kind is None:
            raise PlayerError(f"{self.kind[:40]!r} is nothing that enters an SW box; there are {', '.join(kinds)}")
        nation = nation_spelled(self.nation)
        if _plain(nation) in ("westernallies", "westernallied"):
            if kind != TRANSPORT:  # one pool of those (24.233)
                raise PlayerError(f"25.31: say whose {kind}s of the Western Allies they are, Britain's or the U.S.'")
            nation = BRITAIN
        return BoxUnit(nation, kind, self.inverted, self.damaged)
