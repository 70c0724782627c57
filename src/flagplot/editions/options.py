"""The rulings a group may choose. Each option replaces numbers or slots of the ruleset; no rule ever asks for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from flagplot.core.errors import ScenarioError
from flagplot.model.ships import Ship
from flagplot.rules.air.gunfire import squadrons_that_may_join
from flagplot.rules.damage import fate_at_sea_damaged_again
from flagplot.rules.table import Ruleset
from flagplot.tables.sw_raiders import NEWER


@dataclass(frozen=True)
class Option:
    """A choice among readings: its ruling, its values with what each changes, the first being the default.

    One that belongs to an edition changes nothing in others.
    """

    name: str
    ruling: str
    about: str
    values: Mapping[str, Callable[[Ruleset], Ruleset]]
    edition: str = ""  # the only one it belongs to; "" = all

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


def _reading(**readings: Any) -> Callable[[Ruleset], Ruleset]:
    """Another reading of the rules of interception or of the strategic war."""
    return lambda rules: replace(rules, readings=rules.readings._replace(**readings))


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
        Option(
            "counter_interceptors_inverted",
            "IR-09",
            "whether inverted ships may counter-intercept",
            {"barred": _as_it_is, "allowed": _reading(counter_interceptors_uninverted=False)},
        ),
        Option(
            "zero_dice_declaration",
            "IR-17",
            "whether ships that would have no die for an interception are spent by declaring it",
            {"void": _as_it_is, "spent": _reading(void_without_dice=False)},
        ),
        Option(
            "shared_route_intercepted",
            "IR-19",
            "whether activities that share hexes of their routes are caught together there",
            {"together": _as_it_is, "separately": _reading(shared_route_together=False)},
        ),
        Option(
            "divided_return_needs_new_hex",
            "IR-21",
            "whether ships that part on their way home must enter another hex to be intercepted again",
            {"yes": _as_it_is, "no": _reading(divided_return_needs_new_hex=False)},
        ),
        Option(
            "return_extra_dice",
            "IR-29",
            "which activities keep their two interception dice on the way home",
            {"cargo_only": _as_it_is, "all": _reading(extra_dice_home=True)},
        ),
        Option(
            "countered_tf_count",
            "IR-33",
            "whose TFs give dice to a counter-interception",
            {"all_together": _as_it_is, "each_force": _reading(countered_together=False)},
        ),
        Option(
            "return_spotting",
            "IR-36",
            "whether air may spot ships on their way home",
            {"afresh": _as_it_is, "none": _reading(spotting_home=False)},
        ),
        Option(
            "counter_attempts_counted",
            "IR-41",
            "which counter-interceptions cost each other dice",
            {"by_hex": _as_it_is, "by_force": _reading(counter_attempts_by_hex=False)},
        ),
        Option(
            "failed_submarine_joins",
            "AM-12",
            "whether a submarine that fell short joins a battle late",
            {"yes": _as_it_is, "no": _reading(failed_submarine_joins=False)},
        ),
        Option(
            "late_forces_alone",
            "IR-47",
            "what late interceptors do when nobody was in time after all",
            {"go_home": _as_it_is, "fight": _reading(late_forces_fight_alone=True)},
        ),
        Option(
            "arrival_after_counter_battle",
            "IR-48",
            "when interceptors that won a counter-battle arrive",
            {"as_rolled": _as_it_is, "delayed": _reading(counter_battle_delay=1)},
        ),
        Option(
            "late_counter_battle",
            "IR-50",
            "when a counter-battle begins that no interceptor reached in time",
            {"from_arrival": _as_it_is, "from_start": _reading(counter_battle_from_arrival=False)},
        ),
        Option(
            "announced_together",
            "IR-65",
            "which supply lines, raiders and redeployments are announced together",
            {"phase": _as_it_is, "player_turn": _reading(announced_by="player turn")},
        ),
        Option(
            "damaged_transports_leave",
            "SR-18",
            "whether transports damaged by conventional submarines have left the SW box when advanced ones attack",
            {"before_advanced": _as_it_is, "after_advanced": _reading(damaged_transports_gone=False)},
        ),
        Option(
            "us_asw_indian_ocean",
            "AM-08",
            "in how many theaters the U.S. must be at war before its ASW may enter the Indian Ocean SW box",
            {"both": _as_it_is, "either": _reading(us_asw_needs_both_wars=False)},
        ),
        Option(
            "raider_defenders",
            "SR-43",
            "which list says what ships meet raiders",
            {"chart": _as_it_is, "newer": lambda rules: replace(rules, raiders=rules.raiders._replace(types=NEWER))},
        ),
        Option(
            "raider_hunters",
            "AM-06",
            "whether slow ships may fight the first engagement with raiders",
            {"any": _as_it_is, "fast": _reading(slow_raider_hunters=False)},
        ),
        Option(
            "jet_modifier",
            "AM-10",
            "which jets of a bomber force modify its air combat",
            {"engaged": _as_it_is, "escorting": _reading(escorting_jets_modify=True)},
        ),
        Option(
            "firestorm_counts",
            "SR-35",
            "what counts towards the damage that makes a firestorm",
            {"all": _as_it_is, "bombers": _reading(firestorm_counts_rockets=False)},
        ),
        Option(
            "deferred_strikes",
            "RC-03",
            "whether naval air that has struck may fire with the heavy ships of its group, in edition 2008",
            {"off": _as_it_is, "on": lambda rules: replace(rules, gunfire=squadrons_that_may_join)},
            edition="2008",
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
        if option.edition in ("", edition.edition):
            rules = option.values[value](rules)
    return replace(rules, options=values)
