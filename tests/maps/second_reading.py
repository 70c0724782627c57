"""A second reading of the map files, for tests only: another parser, other coordinates, another search.

Nothing here comes from the package. Hexes are cubes (x + y + z = 0), found from the drawn rows alone.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "src" / "flagplot" / "scenarios" / "maps"
NAMES = ("europe", "pacific")
TURNS = ((1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1))

Cube = tuple[int, int, int]


@cache
def document(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))


def letters(row: int) -> str:
    first, second = divmod(row, 26)
    return chr(65 + second) * (first + 1)


class Reading:
    """One map, as cubes."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.sign: dict[Cube, str] = {}
        self.cube: dict[str, Cube] = {}
        self.address: dict[Cube, str] = {}
        for row, signs in enumerate(found["rows"]):
            for column, sign in enumerate(signs):
                if sign == ".":
                    continue
                x = column - (row - row % 2) // 2
                cube = (x, -x - row, row)
                address = f"{letters(row)}{x + found['first_number']}"
                self.sign[cube], self.cube[address], self.address[cube] = sign, cube, address
        self.shut = {frozenset(self.cube[each] for each in side.split("-")) for side in found["closed"]}
        self.crossings = {
            each["name"]: frozenset(self.cube[hex] for hex in each["hexes"]) for each in found.get("crossings", [])
        }

    def distance(self, one: str, two: str) -> int:
        a, b = self.cube[one], self.cube[two]
        return (abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2])) // 2

    def beside(self, cube: Cube) -> list[Cube]:
        around = [(cube[0] + dx, cube[1] + dy, cube[2] + dz) for dx, dy, dz in TURNS]
        return [each for each in around if each in self.sign]

    def sailing(self, cube: Cube, closed: set[frozenset[Cube]]) -> list[Cube]:
        """Where ships may go from a hex."""
        ways = [each for each in self.beside(cube) if self.sign[each] in "~+" and self.sign[cube] in "~+"]
        return [each for each in ways if frozenset((cube, each)) not in self.shut | closed]

    def far(self, start: str, closed: tuple[str, ...] = ()) -> dict[str, int]:
        """How far everything is from a hex, by relaxing until nothing gets shorter."""
        barred = {self.crossings[name] for name in closed}
        found = {self.cube[start]: 0}
        changed = [self.cube[start]]
        while changed:
            here = changed.pop()
            for each in self.sailing(here, barred):
                if found.get(each, 10**6) > found[here] + 1:
                    found[each] = found[here] + 1
                    changed.insert(0, each)
        return {self.address[cube]: steps for cube, steps in found.items()}


@cache
def reading(name: str) -> Reading:
    """A map that comes with the game."""
    return Reading(document(name))
