"""The rulings a group may choose. Each option replaces numbers or slots of the ruleset; no rule ever asks for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from flagplot.core.errors import ScenarioError
from flagplot.model.ships import Ship
from flagplot.rules.damage import fate_at_sea_damaged_again
from flagplot.rules.table import Ruleset


@dataclass(frozen=True)
class Option:
    """A choice among readings: its ruling, its values with what each changes, the first being the default."""

    name: str
    ruling: str
    about: str
    values: Mapping[str, Callable[[Ruleset], Ruleset]]

    @property
    def default(self) -> str:
        """The value in force unless another is chosen."""
        return next(iter(self.values))


def _as_it_is(rules: Ruleset) -> Ruleset:
    return rules


def _undamaged(ship: Ship) -> bool:
    return not ship.damaged


def _nothing(ship: Ship) -> int:
    return 0


OPTIONS = {
    option.name: option
    for option in (
        Option(
            "damaged_ship_sinks_on",
            "RC-10",
            "what sinks, at sea, a ship that came to the battle damaged",
            {
                "one_hit": _as_it_is,
                "damage_again": lambda rules: replace(rules, fate_at_sea=fate_at_sea_damaged_again),
            },
        ),
        Option(
            "evaded_engagement",
            "AM-11",
            "whether a group whose target evades may seek another",
            {"retry": _as_it_is, "spent": lambda rules: replace(rules, tries_after_evasion=0)},
        ),
        Option(
            "damaged_may_fire_late",
            "AM-13",
            "whether a ship damaged while she held her fire may still use it",
            {
                "yes": _as_it_is,
                "no": lambda rules: replace(rules, held_fire=_undamaged, held_fire_of_damaged_cruisers=False),
            },
        ),
        Option(
            "surplus_light_spread",
            "RC-46",
            "what surplus light ships must fire at one capital ship before they may fire at another",
            {"target_size": _as_it_is, "equal_factors": lambda rules: replace(rules, light_needs=_nothing)},
        ),
        Option(
            "surplus_groups_inverted",
            "IR-54",
            "whether intercepting groups that waited for room are inverted afterwards",
            {"yes": _as_it_is, "no": lambda rules: replace(rules, surplus_inverted=False)},
        ),
        Option(
            "supply_battle_continued_by",
            "RC-64",
            "who may go on with a battle when only a sea supply line is left",
            {
                "tracer": _as_it_is,
                "attacker": lambda rules: replace(rules, supply_battle_continued_by=lambda side: side.enemy),
            },
        ),
        Option(
            "naval_air_bonus_at_sea",
            "AN-26",
            "whether naval air has +1 against ships at sea, as the table says and 23.441 does not",
            {"on": _as_it_is, "off": lambda rules: replace(rules, naval_air_bonus=0)},
        ),
        Option(
            "withheld_air_returns",
            "AN-20",
            "whether patrol and cover held back from one strike may meet a later one in the same round",
            {"no": _as_it_is, "yes": lambda rules: replace(rules, withheld_air_returns=True)},
        ),
    )
}


def with_options(edition: Ruleset, chosen: Mapping[str, str]) -> Ruleset:
    """The edition with these options, the others at their defaults."""
    rules = edition
    values = {name: option.default for name, option in OPTIONS.items()}
    for name, value in chosen.items():
        option = OPTIONS.get(name)
        if option is None:
            raise ScenarioError(f"options.{name}", "", f"there is no such option; there are {', '.join(OPTIONS)}")
        if value not in option.values:
            raise ScenarioError(f"options.{name}", option.ruling, f"{value!r} is not one of {', '.join(option.values)}")
        values[name] = value
        rules = option.values[value](rules)
    return replace(rules, options=values)
