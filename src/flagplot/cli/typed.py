"""Forces as a player types them: "Enterprise, 4 US CA, 3 DD", "8 elite Japan NAS, 3 attack AAS from Rabaul", "2 Japan".

The law here: what is typed becomes what the public API takes, or is refused with what would do instead. Whatever was
not said and had to be taken for granted is noted, so that it can be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from flagplot import api
from flagplot.core.errors import PlayerError, UnknownName
from flagplot.model.ships import LIGHT_KINDS, Ship, light, light_key, plus
from flagplot.model.squadrons import broken_down, describe_squadrons, squadron_key
from flagplot.play.wording import agreeing, counted, light_parts, listed
from flagplot.scenarios.air import ADVANCED_NATIONS, AIR_NATIONS, JAPANESE_UNITS, MOST_OF_A_KIND, UNITS
from flagplot.scenarios.ships import find_ship, slug

# What else nations are called. Whatever begins like one nation alone is understood too: Jap, Ger, Brit.
ALIASES = {
    **dict.fromkeys(("us", "usa", "u s", "u s a", "america", "american"), "United States"),
    **dict.fromkeys(("uk", "u k", "gb", "great britain", "united kingdom", "british", "england"), "Britain"),
    **dict.fromkeys(("ussr", "soviet", "soviet union", "russian"), "Russia"),
    **dict.fromkeys(("romania", "romanian", "rumanian"), "Rumania"),
    **dict.fromkeys(("dei", "netherlands"), "Dutch East Indies"),
    "japanese": "Japan",
    "german": "Germany",
    "italian": "Italy",
    "french": "France",
    "greek": "Greece",
    "spanish": "Spain",
    "turkish": "Turkey",
    "swedish": "Sweden",
    "finnish": "Finland",
    "australian": "Australia",
}
LETTERS = 2  # of a nation's name, at least
DIGITS = 6  # of a number are read; so many are too many anyway
BEFORE_NAMES = ("hms", "uss", "hmas", "ijn", "kms")

LIGHT_WORDS = {
    "cruiser": "CA",
    "cruisers": "CA",
    "destroyer": "DD",
    "destroyers": "DD",
    "escort carrier": "CVE",
    "escort carriers": "CVE",
    "transport": "TR",
    "transports": "TR",
    **{f"{kind.lower()}{ending}": kind for kind in LIGHT_KINDS for ending in ("", "s")},
}
AIR_WORDS = {
    "naval air": "NAS",
    "army air": "AAS",
    "air transport": "ATR",
    "air transports": "ATR",
    "kamikaze": "KAM",
    "kamikazes": "KAM",
    **{f"{kind.lower()}{ending}": kind for kind in ("NAS", "AAS", "JET", "ATR", "KAM", "AAF") for ending in ("", "s")},
}
STATES = ("elite", "search", "cover", "attack")
LAND = "land"  # where squadrons fly from that cannot fly from carriers, if no base is named


# -- pieces ---------------------------------------------------------------------------------------


def number(text: str | None, option: str, most: int = 9, least: int = 0) -> int:
    """The number typed after an option, 0 if there is none."""
    if text is None:
        return 0
    try:
        given = int(text)
    except ValueError:
        given = most + 1
    if not least <= given <= most:
        raise PlayerError(f"{option} {text[:40]!r} will not do: give a number from {least} to {most}")
    return given


def items(text: str, option: str, example: str) -> list[str]:
    """What is listed, one by one: commas, semicolons, plus signs and the word "and" divide, but not within brackets."""
    parts = [" ".join(part.split()) for part in re.split(r"(?:[,;+]|\band\b)(?![^(]*\))", text)]
    found = [part for part in parts if part]
    if not found:
        raise PlayerError(f"{option} names nothing; write for example {option} {example}")
    return found


def find_nation(text: str) -> str | None:
    """The nation that is meant, None if there is no such nation."""
    wanted = _plain(text)
    known = {_plain(name): name for name in AIR_NATIONS}
    name = known.get(wanted) or ALIASES.get(wanted)
    near = [name] if name else [known[key] for key in known if len(wanted) >= LETTERS and key.startswith(wanted)]
    if len(near) > 1:
        raise PlayerError(f"{text[:40]!r} may be {' or '.join(near)}; write it out")
    return near[0] if near else None


def nation_called(text: str, option: str) -> str:
    """The nation that is meant, or a refusal."""
    name = find_nation(text)
    if name is None:
        raise PlayerError(f"{option}: there is no nation {text[:40]!r}; there are {', '.join(AIR_NATIONS)}")
    return name


def nations(text: str | None, option: str) -> list[str]:
    """Several nations."""
    return [nation_called(item, option) for item in items(text, option, "Japan")] if text is not None else []


def _plain(text: str) -> str:
    return slug(text).replace("-", " ")


def counted_from(item: str) -> tuple[int | None, str]:
    """An item's number, if it begins with one, and the rest."""
    match = re.match(r"(\d+)\s*(?:x\s+)?(.*)", item)
    return (int(match[1][:DIGITS]), match[2]) if match else (None, item)


def _in_range(given: int, option: str, item: str) -> int:
    if not 1 <= given <= MOST_OF_A_KIND:
        raise PlayerError(f"{option}: {item[:60]!r} will not do: give numbers from 1 to {MOST_OF_A_KIND}")
    return given


def _take(words: list[str], known: dict[str, str]) -> str | None:
    """The first of these words that is known, alone or with the next; it is taken out."""
    for length in (2, 1):
        for start in range(len(words) - length + 1):
            found = known.get(" ".join(words[start : start + length]).lower())
            if found:
                del words[start : start + length]
                return found
    return None


# -- ships ----------------------------------------------------------------------------------------


class Ships(NamedTuple):
    """A group of ships as the API takes them, and what had to be taken for granted."""

    ships: tuple[dict[str, Any], ...]
    light: dict[str, int]
    assumed: tuple[str, ...] = ()

    def json(self, **more: Any) -> dict[str, Any]:
        """The group for the API."""
        return {"ships": list(self.ships), "light": self.light, **{key: value for key, value in more.items() if value}}

    @property
    def names(self) -> dict[str, str]:
        """What the named ships are called, by id."""
        return {ship["id"]: ship["name"] for ship in self.ships}

    @property
    def words(self) -> str:
        """The group in words."""
        return listed([ship["name"] + _state(ship) for ship in self.ships] + light_parts(self.light))

    @property
    def nation(self) -> str | None:
        """The nation of all these ships, None if there are several."""
        return _sole([ship["nation"] for ship in self.ships] + [light(key).nation for key in self.light])


def _state(ship: dict[str, Any]) -> str:
    hits = counted(ship["hits"], "hit") if ship["hits"] else ""
    said = ", ".join(filter(None, ("damaged" if ship["damaged"] else "", hits)))
    return f" ({said})" if said else ""


def _sole(given: Iterable[str]) -> str | None:
    found = list(dict.fromkeys(given))
    return found[0] if len(found) == 1 else None


class _Light(NamedTuple):
    number: int
    kind: str
    state: str
    nation: str | None


def read_ships(text: str, option: str, nation: str | None = None) -> Ships:
    """Named ships, and light ships by number. Light ships of no stated nation are the given nation's, else that of the
    ships beside them."""
    ships: list[dict[str, Any]] = []
    counted_ships: list[_Light] = []
    assumed: list[str] = []
    for item in items(text, option, '"Hood, 2 CA, 3 DD"'):
        count, rest = counted_from(item)
        if count is None:
            ship = _named(item, option, assumed)
            if ship["id"] in [other["id"] for other in ships]:
                raise PlayerError(f"{option} names {ship['name']} twice; name her once")
            ships.append(ship)
        else:
            counted_ships.append(_light(_in_range(count, option, item), rest, option, item))
    usual = (
        nation or _sole(ship["nation"] for ship in ships) or _sole(each.nation for each in counted_ships if each.nation)
    )
    counts: dict[str, int] = {}
    unsaid = [each for each in counted_ships if each.nation is None]
    for each in counted_ships:
        whose = each.nation or usual
        if whose is None:
            raise PlayerError(
                f"{option}: say whose the {each.number} {each.kind} are, as in {each.number} US {each.kind}"
            )
        counts = plus(counts, {light_key(whose, each.kind, each.state): each.number})
    if unsaid and nation is None:
        kinds = list(dict.fromkeys(each.kind for each in unsaid))
        assumed.append(f"the {listed(kinds)} are of {usual}")
    return Ships(tuple(ships), counts, tuple(assumed))


def _light(count: int, rest: str, option: str, item: str) -> _Light:
    words = re.sub(r"[()]", " ", rest).split()
    lower = [word.lower() for word in words]
    if "loaded" in lower:
        raise PlayerError(
            f"{option}: leave loaded out of {item[:60]!r}; cargo is not typed here, the flag hampered stands for it"
        )
    state = "damaged" if "damaged" in lower else ""
    words = [word for word in words if word.lower() != "damaged"]
    kind = _take(words, LIGHT_WORDS)
    if kind is None:
        raise PlayerError(f"{option}: {_no_light(rest, item)}")
    if state and kind != "CA":
        raise PlayerError(f"{option}: of light ships only cruisers can be damaged; leave it out of {item[:60]!r}")
    return _Light(count, kind, state, nation_called(" ".join(words), option) if words else None)


def _no_light(rest: str, item: str) -> str:
    try:
        ship = find_ship(rest.partition("(")[0].strip())
    except UnknownName:
        return f"{item[:60]!r} are no ships; light ships are CA, DD, CVE and TR, as in 4 US CA"
    return f"{ship.name} is one ship; leave the number out"


def _named(item: str, option: str, assumed: list[str]) -> dict[str, Any]:
    name, bracket, told = item.partition("(")
    name = name.strip()
    if _plain(name) in LIGHT_WORDS:
        raise PlayerError(f"{option}: say how many {name} there are, as in 2 {name}")
    ship = _find(name, option)
    record: dict[str, Any] = {
        "id": ship.id,
        "name": ship.name,
        "nation": ship.nation,
        "kind": ship.kind,
        "size": ship.size,
        "fast": ship.fast,
        "hits": 0,
        "damaged": False,
    }
    for state in re.split(r",|\band\b", told.rstrip(") ")) if bracket else ():
        _read_state(state.strip(), record, ship, option)
    if record["damaged"] and record["hits"]:
        raise PlayerError(f"{option}: {ship.name} is damaged or has hits; write one of them")
    _judge_hits(record, option, assumed)
    if ship.is_carrier and record["damaged"]:
        record.setdefault("air", 0)
    return record


def _find(name: str, option: str) -> Ship:
    words = name.split()
    if len(words) > 1 and words[0].lower() in BEFORE_NAMES:
        words = words[1:]
    try:
        return find_ship(" ".join(words))
    except UnknownName as unknown:
        complaint = str(unknown)
    for cut in range(1, len(words)):
        nation = find_nation(" ".join(words[:cut]))
        if nation:
            try:
                return find_ship(" ".join(words[cut:]), nation)
            except UnknownName as unknown:
                complaint = str(unknown)
    more = "" if "?" in complaint else "; flagplot ships lists those there are, light ships need a number, as in 3 DD"
    raise PlayerError(f"{option}: {complaint}{more}")


def _read_state(state: str, record: dict[str, Any], ship: Ship, option: str) -> None:
    """What stands in brackets after a ship's name."""
    match = re.fullmatch(r"(\d+) *(hits?|nas|squadrons?)", state.lower())
    if state.lower() == "damaged":
        record["damaged"] = True
    elif match and match[2].startswith("hit"):
        record["hits"] = int(match[1][:DIGITS])
    elif match and ship.is_carrier:
        record["air"] = number(match[1], f"{option}: squadrons aboard {ship.name}:", ship.size)
    else:
        kinds = "(damaged), (1 hit) or (2 NAS)" if ship.is_carrier else "(damaged) or (1 hit)"
        raise PlayerError(f"{option}: {state[:40]!r} says nothing of {ship.name}; after her name write {kinds}")


def _judge_hits(record: dict[str, Any], option: str, assumed: list[str]) -> None:
    """What the hits a ship has have done to her already is asked of the rules."""
    hits, name = record["hits"], record["name"]
    if not hits:
        return
    fate = api.call("named_ship", {"size": record["size"], "results": [min(hits, MOST_OF_A_KIND)]})["after"][-1]
    if fate == "sunk":
        raise PlayerError(
            f"{option}: {name} has {record['size']} factors, so {counted(hits, 'hit')} have sunk her; "
            "give fewer, or leave her out (20.513)"
        )
    if fate == "damaged":
        record["damaged"] = True
        assumed.append(f"{name} is damaged by her {counted(hits, 'hit')} (20.513)")


# -- squadrons ------------------------------------------------------------------------------------


class Unit(NamedTuple):
    """Squadrons as typed; what was not said is None."""

    number: int
    nation: str | None
    kind: str | None
    state: str | None
    base: str | None


class Squadrons(NamedTuple):
    """Squadrons by key, and what had to be taken for granted."""

    counts: dict[str, int]
    assumed: tuple[str, ...] = ()


def read_unit(item: str, option: str) -> Unit:
    """One kind of squadrons: 8 elite Japan NAS, 3 attack AAS from Rabaul; little more than the number may do."""
    count, rest = counted_from(item)
    if count is None:
        raise PlayerError(f"{option}: say how many squadrons {item[:60]!r} are, as in 4 Japan NAS")
    _in_range(count, option, item)
    said, *bases = re.split(r"\b(?:from|at)\b|@", rest, maxsplit=1)
    words = [word for word in said.split() if word.lower() not in ("squadron", "squadrons")]
    state = _take(words, {state: state for state in STATES})
    kind = _take(words, AIR_WORDS)
    nation = nation_called(" ".join(words), option) if words else None
    if kind == "AAF":
        factors = {squadron_key(nation or "", "AAF"): count}
        become = describe_squadrons(broken_down(factors)).replace("  ", " ")
        raise PlayerError(f"{option}: type squadrons, not factors; {count} AAF become {become} (23.13)")
    base = " ".join(bases).strip() or None
    if base and ("@" in base or "|" in base):
        raise PlayerError(f"{option}: {base[:40]!r} is no name of a base; leave @ and | out of it")
    return Unit(count, nation, kind, state, base.title() if base and base.islower() else base)


def read_squadrons(text: str, option: str, *, role: str, nation: str | None = None, ashore: bool = False) -> Squadrons:
    """Squadrons by number. Army air has this role unless another is named; those of no stated nation are the given
    nation's, else that of the squadrons beside them."""
    units = [read_unit(item, option) for item in items(text, option, '"4 Japan NAS"')]
    usual = _sole(unit.nation for unit in units if unit.nation) or nation
    assumed: dict[str, list[str]] = {}  # what is said of which kinds
    counts: dict[str, int] = {}
    for unit in units:
        kind, state = unit.kind, unit.state or ""
        if kind is None:
            raise PlayerError(f"{option}: say which squadrons the {unit.number} are: NAS, AAS, JET, ATR or KAM")
        whose = unit.nation or usual
        if whose is None:
            raise PlayerError(f"{option}: say whose the {unit.number} {kind} are, as in {unit.number} Japan {kind}")
        if unit.nation is None:
            assumed.setdefault(f"are of {whose}", []).append(kind)
        if kind == "AAS" and not state:
            state = role
            assumed.setdefault(f"are {role} AAS", []).append(kind)
        _check_unit(f"{state} {kind}".strip(), whose, option)
        base = unit.base or ""
        if not base and (ashore or kind != "NAS"):
            base = LAND
            assumed.setdefault("fly from land", []).append(kind)
        counts = plus(counts, {squadron_key(whose, kind, state, base): unit.number})
    said = [f"the {listed(list(dict.fromkeys(kinds)))} of {option} {what}" for what, kinds in assumed.items()]
    return Squadrons(counts, tuple(said))


def _check_unit(unit: str, nation: str, option: str) -> None:
    if unit not in UNITS:
        known = ", ".join(name for name in UNITS if name != "AAF" and "squadrons" not in name)
        raise PlayerError(f"{option}: there are no {unit}; there are {known}")
    if unit in JAPANESE_UNITS and nation != "Japan":
        rule, what = JAPANESE_UNITS[unit]
        raise PlayerError(f"{option}: only Japan has {what}, not {nation}; leave it out ({rule})")


# -- submarines -----------------------------------------------------------------------------------


def read_submarines(text: str, option: str, *, advanced: bool = False) -> dict[str, int]:
    """Submarine factors by key: 2 Japan, 1 advanced German."""
    counts: dict[str, int] = {}
    for item in items(text, option, '"2 Japan"'):
        count, rest = counted_from(item)
        if count is None:
            raise PlayerError(f"{option}: say how many submarines of {item[:40]!r} there are, as in 2 Japan")
        _in_range(count, option, item)
        words = [word for word in rest.split() if word.lower() not in ("sub", "subs", "submarine", "submarines")]
        modern = advanced or "advanced" in [word.lower() for word in words]
        words = [word for word in words if word.lower() != "advanced"]
        if not words:
            raise PlayerError(f"{option}: say whose the {count} submarines are, as in {count} Japan")
        nation = nation_called(" ".join(words), option)
        if modern and nation not in ADVANCED_NATIONS:
            has = f"{listed(ADVANCED_NATIONS)} {agreeing(ADVANCED_NATIONS, 'has', 'have')}"
            raise PlayerError(f"{option}: only {has} advanced submarines, not {nation}; leave advanced out (22.941)")
        counts = plus(counts, {light_key(nation, "SUB", "advanced" if modern else ""): count})
    return counts
