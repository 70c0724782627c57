"""The named ships, read from ships.toml.

A ship's id is the slug of her name, with her nation before it only where two nations have ships of that name. A carrier
comes with her full complement of naval air (20.3, RC-22), none of it elite, unless a set-up says otherwise.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from flagplot.core.errors import UnknownName
from flagplot.model.ships import CARRIER_KINDS, Ship
from flagplot.model.ships import slug as slug
from flagplot.model.squadrons import squadron_key

MOST_SUGGESTIONS = 3


@cache
def all_ships() -> Mapping[str, Ship]:
    """Every named ship by id, undamaged, in the order of the list."""
    text = files("flagplot.scenarios").joinpath("ships.toml").read_text("utf-8")
    classes = tomllib.loads(text)["class"]
    shared = Counter(slug(name) for each in classes for name in each["names"])
    ships: dict[str, Ship] = {}
    for each in classes:
        wing = {squadron_key(each["nation"], "NAS"): each["size"]} if each["kind"] in CARRIER_KINDS else {}
        for name in each["names"]:
            id = slug(name) if shared[slug(name)] == 1 else slug(f"{each['nation']} {name}")
            fast = not each.get("slow", False)
            ships[id] = Ship(id, name, each["nation"], each["kind"], each["size"], fast, wing=wing)
    return MappingProxyType(ships)


def ships_of(nation: str) -> list[Ship]:
    """The ships of one nation, in the order of the list."""
    return [ship for ship in all_ships().values() if ship.nation == nation]


def find_ship(name: str, nation: str | None = None) -> Ship:
    """The ship of this name, or UnknownName with what may have been meant. Spelling counts, capitals do not."""
    wanted = slug(name)
    found = [ship for ship in all_ships().values() if slug(ship.name) == wanted]
    fitting = [ship for ship in found if nation in (None, ship.nation)]
    if len(fitting) == 1:
        return fitting[0]
    nations = " and ".join(ship.nation for ship in found)
    if fitting:
        raise UnknownName(f"{nations} both have a {found[0].name}; say which with her nation")
    if found:
        raise UnknownName(f"{found[0].name} is a ship of {nations}, not of {nation}")
    near = suggestions(name, [ship.name for ship in all_ships().values() if nation in (None, ship.nation)])
    of = f" of {nation}" if nation else ""
    raise UnknownName(f"there is no ship {name[:80]!r}{of} in the list" + (f"; {near}" if near else ""))


def suggestions(given: str, known: Iterable[str]) -> str:
    """Words that ask what may have been meant: "did you mean Hood?"; "" if nothing is near."""
    names = {slug(name): name for name in known}
    wanted = slug(given[:80])
    words = set(wanted.split("-")) - {"", "of", "the", "der"}
    # Whole words in common first: "Admiral Graf Spee" for "Graf Spee", "Andrea Doria" for "Doria".
    common = {key: len(words & set(key.split("-"))) for key in names}
    near = sorted((key for key in names if common[key]), key=lambda key: -common[key])[:MOST_SUGGESTIONS]
    near += [key for key in get_close_matches(wanted, names, MOST_SUGGESTIONS, 0.7) if key not in near]
    listed = [names[key] for key in near[:MOST_SUGGESTIONS]]
    return f"did you mean {' or '.join(listed)}?" if listed else ""
