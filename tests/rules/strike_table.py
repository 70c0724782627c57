"""What the tests of air strikes share: set-ups with aircraft, dice by what they are rolled for, and the questions asked.

Battles begin in their third round with groups numbered from 4, so that no guns fire; each side then searches with two
dice more. Nobody flies, searches or strikes unless a test says so. The default nations, Japan and the United States,
fly equally well, and so do their ordinary naval air and army air.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from flagplot import api
from flagplot.core.asks import Decide, Roll
from flagplot.core.sides import Side
from flagplot.scenarios.loader import parse_scenario
from tests.rules.groups_table import ALLIES, AXIS, Answers, Table
from tests.rules.gunnery_table import two_dice

__all__ = [
    "ALLIES",
    "AMERICA",
    "AXIS",
    "JAPAN",
    "TASK_FORCE_16",
    "TASK_FORCE_17",
    "AirTable",
    "Json",
    "air_table",
    "combat",
    "fleet",
    "flown",
    "fly",
    "force",
    "four_carriers",
    "kido_butai",
    "on_patrol",
    "strike",
    "two_dice",
]

Json = dict[str, Any]
ROLLS = {
    "surprise": "23.741",
    "surprise of 2008": "22.463",
    "air combat": "23.415",
    "air defense": "23.42",
    "attack": "23.44",
    "kamikaze": "17.475",
    "gunfire": "22.5",
}
JAPAN, AMERICA = "Japan/NAS", "United States/NAS"
JAPANESE = ("akagi", "kaga", "soryu", "hiryu")
QUIET = ("patrol", "break down", "cover", "air search", "strike")  # questions whose default is to do nothing


# -- the questions ------------------------------------------------------------------------------------


def combat(
    attackers: Mapping[str, int],
    attacker: int = 2,
    defender: int = 2,
    *,
    decisions: Sequence[Sequence[Any]] = (),
    options: Mapping[str, str] | None = None,
    **more: Any,
) -> Json:
    """One air combat on these totals of two dice."""
    wanted = {"attackers": dict(attackers), **more}
    return api.call(
        "air_combat",
        wanted,
        dice=two_dice(attacker, defender),
        decisions=list(decisions),
        options=dict(options or {}),
    )


def strike(
    attackers: Mapping[str, int],
    target: Mapping[str, Any],
    *totals: int,
    die: int = 0,
    kamikazes: Sequence[int] = (),
    air_defense: int = 0,
    decisions: Sequence[Sequence[Any]] = (),
    options: Mapping[str, str] | None = None,
    **more: Any,
) -> Json:
    """One strike: the surprise die if it is one, then totals of two dice.

    Kamikazes roll their dice when the strike has passed the defenses: after the `air_defense` roll, which is then named.
    """
    before = [die] if die else []
    dice = [*before, *two_dice(*([air_defense] if air_defense else [])), *kamikazes, *two_dice(*totals)]
    wanted = {"attackers": dict(attackers), "target": dict(target), "surprise": bool(die), **more}
    return api.call("air_strike", wanted, dice=dice, decisions=list(decisions), options=dict(options or {}))


# -- battles ---------------------------------------------------------------------------------------------


def force(name: str, number: int, *ships: Any, **keys: Any) -> Json:
    """A force; light ships fill it up to a task force unless the test says otherwise."""
    return {"name": name, "number": number, "ships": list(ships), "cruisers": 3, "destroyers": 2, **keys}


def fleet(nation: str, *forces: Json, air: Mapping[str, Mapping[str, Any]] | None = None, **keys: Any) -> Json:
    """A side: its forces, its air bases by name, its other keys."""
    bases = [{"name": name, "distance": 1, **base} for name, base in (air or {}).items()]
    return {"nation": nation, **keys, "force": list(forces), "air_base": bases}


def toml(value: Any) -> str:
    """A value as TOML writes it inline."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def battle_text(axis: Json, allies: Json, **top: Any) -> str:
    """A set-up as text."""
    head = {
        "format": 1,
        "title": "A small battle",
        "theatre": "Pacific",
        "interceptor": "allies",
        "order_of_battle": "hidden",
        "round": 3,
        **top,
    }
    lines = [f"{key} = {toml(value)}" for key, value in head.items()]
    for name, side in (("axis", axis), ("allies", allies)):
        lines.append(f"[{name}]")
        lines += [f"{key} = {toml(value)}" for key, value in side.items() if key not in ("force", "air_base", "base")]
        for kind in ("base", "air_base", "force"):
            for each in side.get(kind, ()):
                lines += [f"[[{name}.{kind}]]", *(f"{key} = {toml(value)}" for key, value in each.items())]
    return "\n".join(lines) + "\n"


class AirTable(Table):
    """A battle in progress. Totals are given by side and purpose; what is not given is the lowest there is."""

    def __init__(self, text: str, totals: Mapping[tuple[str, str], Sequence[int]], **more: Any) -> None:
        super().__init__(parse_scenario(text, "text").setup, **more)
        self.totals = {key: list(given) for key, given in totals.items()}

    def _dice(self, due: Roll) -> list[int]:
        if due.rule.startswith("22.45"):
            begun = self.game.header.setup.public.round
            rounds = self.search.get(due.side.value, [])
            index = self.game.battle.round - begun
            chosen = list(rounds[index]) if index < len(rounds) else []
            return (chosen + [self.miss(due.side)] * due.dice)[: due.dice]
        for purpose, rule in ROLLS.items():
            given = self.totals.get((due.side.value, purpose))
            if due.rule.startswith(rule) and given:
                total = given.pop(0)
                return two_dice(total) if due.dice == 2 else [total]
        return [1] * due.dice

    def _given(self, decision: Decide) -> Any:
        side = decision.side.value
        for key in ((side, decision.kind, decision.about), (side, decision.kind)):
            if self.answers.get(key):
                given = self.answers[key].pop(0)
                return given(decision) if callable(given) else given
        return {} if decision.kind in QUIET else decision.form.default

    def pending(self, side: Side, kind: str, about: str = "") -> Decide:
        """Play on until this question is put to this side."""
        return self.to(kind, side, about)

    def items(self, side: Side, kind: str) -> dict[str, int]:
        """What the question of this kind that is open to a side has to place."""
        decision = self.game.decision(side)
        assert decision is not None and decision.kind == kind, f"{side} is not asked about {kind}"
        return {item.key: item.amount for item in decision.form.items}


def air_table(
    axis: Json,
    allies: Json,
    *,
    search: Mapping[str, Sequence[Sequence[int]]] | None = None,
    totals: Mapping[tuple[str, str], Sequence[int]] | None = None,
    answers: Answers | None = None,
    options: Mapping[str, str] | None = None,
    edition: str = "current",
    **top: Any,
) -> AirTable:
    """A battle between these sides; search dice by side and round, the first being the round it begins in."""
    text = battle_text(axis, allies, **top)
    return AirTable(text, totals or {}, search=search, answers=answers, options=options, edition=edition)


def fly(target: int, **squadrons: int) -> Json:
    """A strike on a group by Japanese or American ordinary naval air, by carrier: how many fly from each deck."""
    return flown(target, {f"{ship}|{_wing(ship)}": number for ship, number in squadrons.items()})


def flown(target: int, squadrons: Mapping[str, int]) -> Json:
    """A strike on a group, by the items of the question."""
    return {"target": f"CG{target}", **{key: {"fly": number} for key, number in squadrons.items()}}


def on_patrol(**squadrons: int) -> Json:
    """Naval air that flies patrol, by carrier."""
    return {f"{ship}|{_wing(ship)}": {"patrol": number} for ship, number in squadrons.items()}


def _wing(ship: str) -> str:
    return JAPAN if ship in JAPANESE else AMERICA


# -- forces most battles are made of: three squadrons to a carrier, 14 factors with two of them, 11 with one ---------


def kido_butai(*, elite: bool = False, number: int = 4) -> Json:
    """Akagi and Kaga."""
    ships = [{"name": name, "elite": 3 if elite else 0} for name in ("Akagi", "Kaga")]
    return force("Kido Butai", number, *ships)


def four_carriers(name: str, number: int, *ships: Any) -> Json:
    """A task force filled to the last factor: twelve of carriers, thirteen of light ships."""
    return force(name, number, *ships, cruisers=6, destroyers=1)


TASK_FORCE_16 = force("Task Force 16", 5, "Enterprise", "Hornet")
TASK_FORCE_17 = force("Task Force 17", 6, "Yorktown")
