"""Questions about the printed tables of air and submarine combat."""

from __future__ import annotations

from typing import Any

from flagplot.api.air_words import AirKind
from flagplot.api.calls import question
from flagplot.api.sw_shapes import nation_spelled
from flagplot.core.errors import PlayerError
from flagplot.rules.air.nationality import AirCrew, air_nationality_lines
from flagplot.rules.table import Ruleset
from flagplot.tables.results import LAST_COLUMN, Reading
from flagplot.tables.surprise import ALL_THIRDS, SurpriseEffects


@question
def air_combat_table(
    *, rules: Ruleset, dice: list[int], row: int, modifier: int = 0, roll: int | None = None
) -> dict[str, Any]:
    """Enemies eliminated and aborted on the Air Combat Table (19.2): two dice, or a modified roll.

    `row` is the number of squadrons or factors that fight; over 20 the rows are added.
    """
    total = _total(dice, modifier, roll)
    return _read(rules.air_combat.read(row, total), total)


@question
def air_defense_table(*, rules: Ruleset, dice: list[int], row: int, roll: int | None = None) -> dict[str, Any]:
    """Attackers eliminated and aborted on the Air Defense Table (23.42): two dice, or their sum; nothing modifies it.

    `row` is the air defense level; over 10 the rows are added.
    """
    total = _total(dice, 0, roll)
    return _read(rules.air_defense.read(row, total), total)


@question
def surprise_effects(
    *, rules: Ruleset, level: int, defenders: int | None = None, air_defense_level: int | None = None
) -> dict[str, Any]:
    """What a surprise level does (23.7413): the die with its modifiers already in it.

    Of so many `defenders` in the air, how many engage; what is left of the group's `air_defense_level`, null if it makes
    no air defense roll at all.
    """
    effects = rules.surprise.effects(level)
    told = {"level": level, **effects._asdict(), "effects": effect_sentences(effects)}
    if defenders is not None:
        told["engaged_defenders"] = defenders - rules.surprise.kept_out(level, defenders)
    if air_defense_level is not None:
        left = max(0, air_defense_level + effects.air_defense)
        told["air_defense_level"] = left if effects.air_defense_roll else None
    return told


@question
def submarine_attack_table(
    *, rules: Ruleset, dice: list[int], modifier: int = 0, roll: int | None = None
) -> dict[str, Any]:
    """Hits of one submarine factor on the Submarine Attack Table (22.94): two dice, or a modified roll.

    The net modifier counts up to its limit either way (22.941).
    """
    most = rules.submarine.most_overall
    limited = max(-most, min(most, modifier))
    total = _total(dice, limited, roll)
    result = rules.submarine.read(total)
    return {
        "modifier": limited if roll is None else None,
        "modified_roll": total,
        "column": _column(result.column, rules.submarine.columns[-1]),
        "hits": result.hits,
        "submarine_lost": result.submarine_lost,
    }


@question
def air_nationality_drm(
    *,
    rules: Ruleset,
    nation: str,
    kind: AirKind = AirKind.AAS,
    elite: bool = False,
    winter: bool = False,
    impaired: bool = False,
) -> dict[str, Any]:
    """An air unit's Air Nationality DRM (23.441A), line by line. INT is interceptors.

    `winter` is a winter effect of 8 or more, `impaired` partial supply or air oil effects.
    """
    read = air_nationality_lines(rules.air_nationality, AirCrew(nation_spelled(nation), kind, elite, impaired, winter))
    return {"drm": sum(amount for _, amount in read), "lines": [list(line) for line in read]}


def effect_sentences(effects: SurpriseEffects) -> list[str]:
    """What a surprise level does, an effect a line, the mildest first."""
    said = []
    if effects.patrol_bonus_lost:
        said.append("combat air patrol loses its bonus in air combat")
    if effects.air_defense:
        said.append(f"air defense level {effects.air_defense:+d}")
    if effects.attack_bonus:
        said.append(f"air attack rolls {effects.attack_bonus:+d}")
    if effects.fewer_defenders:
        squadrons = "squadron" if effects.fewer_defenders == 1 else "squadrons"
        said.append(f"{effects.fewer_defenders} defending {squadrons} fewer in air combat")
    if effects.thirds_engaging < ALL_THIRDS:
        said.append(f"{('none', 'one third', 'two thirds')[effects.thirds_engaging]} of the defending air engages")
    if not effects.air_defense_roll:
        said.append("no air defense roll")
    if effects.critical_hit_roll:
        said.append("a named ship damaged by an air attack faces a critical hit roll (20.524)")
    return said


def _total(dice: list[int], modifier: int, roll: int | None) -> int:
    if roll is not None:
        return roll
    if len(dice) != 2:
        raise PlayerError("give two dice, or a modified roll")
    return sum(dice) + modifier


def _column(column: int, last: int) -> str:
    return f"{column}+" if column == last else str(column)


def _read(reading: Reading, total: int) -> dict[str, Any]:
    return {
        "rows": list(reading.rows),
        "modified_roll": total,
        "column": _column(reading.column, LAST_COLUMN),
        "results_by_row": [list(result) for result in reading.results],
        "eliminated": reading.eliminated,
        "aborted": reading.aborted,
    }
