"""Questions about the printed tables."""

from __future__ import annotations

from typing import Any

from flagplot.api.calls import question
from flagplot.api.naval_words import ship_called
from flagplot.api.shapes import GroupJson, ShipJson, lines, nations
from flagplot.api.sw_shapes import nation_spelled
from flagplot.core.errors import PlayerError
from flagplot.model.state import SEGMENTS, Battle
from flagplot.rules.naval.battle import SEGMENT
from flagplot.rules.naval.gunnery import Crew, crews, fire_modifiers, is_hampered, nationality_lines
from flagplot.rules.table import Ruleset


@question
def naval_attack(
    *, rules: Ruleset, dice: list[int], fleet: int = 0, air: int = 0, modifier: int = 0, roll: int | None = None
) -> dict[str, Any]:
    """Hits on the Naval Attack Table (22.55) for fleet factors or air squadrons: two dice, or a modified roll."""
    if (fleet > 0) == (air > 0):
        raise PlayerError("give either fleet factors or air squadrons, one or more")
    if roll is None and len(dice) != 2:
        raise PlayerError("give two dice, or a modified roll")
    total = sum(dice) + modifier if roll is None else roll
    reading = rules.attack.read_fleet(fleet, total) if fleet else rules.attack.read_air(air, total)
    return {
        "rows": list(reading.rows),
        "modified_roll": total,
        "column": "12+" if reading.column == 12 else str(reading.column),
        "hits_by_row": list(reading.hits_by_row),
        "hits": reading.hits,
    }


@question
def nationality_drm(
    *, rules: Ruleset, nation: str, kind: str = "BB", size: int = 4, impaired: bool = False
) -> dict[str, Any]:
    """A unit's Naval Nationality DRM (22.552A), line by line. Kinds: BB ... CVB, CA, DD, CVE, submarine."""
    called = ship_called(kind)
    crew = Crew(nation_spelled(nation), "submarine" if called == "SUB" else called, size, impaired)
    read = nationality_lines(rules.nationality, crew)
    return {"drm": sum(amount for _, amount in read), "lines": [list(line) for line in read]}


@question
def fire_modifier(
    *,
    rules: Ruleset,
    firing: GroupJson,
    target: GroupJson,
    tactical: int = 0,
    enemy_tactical: int = 0,
    impaired: list[str] | None = None,
) -> dict[str, Any]:
    """The modifier of one shot (22.552), line by line: those that fire together against a ship or a light group.

    `hampered` of either group is 22.552B; `impaired` lists nations in partial supply or under oil effects.
    """
    mine, theirs = firing.group(), target.group()
    short = nations(impaired)
    modifiers = fire_modifiers(
        rules.nationality,
        crews(mine.ships, mine.light, short),
        crews(theirs.ships, theirs.light, short),
        tactical=tactical,
        enemy_tactical=enemy_tactical,
        hampered=is_hampered(mine),
        target_hampered=is_hampered(theirs),
    )
    return {"factors": mine.factors, "modifier": modifiers.total, "lines": lines(modifiers)["lines"]}


@question
def fire_modifiers_at_each(*, rules: Ruleset, firing: ShipJson, targets: list[ShipJson]) -> dict[str, Any]:
    """The nationality modifier (22.552A) of one ship firing at each of several, in order."""
    shooter = crews([firing.ship()], {}, ())
    shots = [fire_modifiers(rules.nationality, shooter, crews([ship.ship()], {}, ())) for ship in targets]
    return {"modifiers": [shot.total for shot in shots]}


@question
def search_dice(
    *,
    rules: Ruleset,
    round: int = 1,
    groups: list[GroupJson] | None = None,
    squadrons: int = 0,
    codebreaking: int = 0,
) -> dict[str, Any]:
    """How many search dice a side rolls (22.451), line by line; `groups` are its own.

    Outside naval combat only land-based squadrons and codebreaking give dice (23.722): say nothing of rounds and groups.
    """
    battle = Battle(round=round)
    members = [group.group() for group in groups or ()]
    counted = rules.search_dice(rules.search, battle, members, squadrons=squadrons, codebreaking=codebreaking)
    return {"dice": counted.total, "lines": lines(counted)["lines"]}


@question
def segments(*, rules: Ruleset) -> dict[str, Any]:
    """The segments of a round of naval combat and what stands between rounds (22.41, 22.411), in order."""
    told = {key: SEGMENTS[key] for key in (*SEGMENT, "over")}
    order = [{"segment": key, "rule": rules.number(rule), "title": title} for key, (rule, title) in told.items()]
    return {"order": order}
