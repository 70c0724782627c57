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

    `rule` is the rule that can be read in two ways, and `readings` says of each value in a few words how it reads it:
    the only place where an option is explained, for the terminal, the pages and the reports alike.
    One that belongs to an edition changes nothing in others.
    """

    name: str
    ruling: str
    about: str
    values: Mapping[str, Callable[[Ruleset], Ruleset]]
    rule: str
    readings: Mapping[str, str]
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
            rule="20.513",
            readings={
                "one_hit": "any hit sinks her",
                "damage_again": "only as many hits as would damage her again sink her",
            },
        ),
        Option(
            "evaded_engagement",
            "AM-11",
            "whether a group whose target evades may seek another",
            {"retry": _as_it_is, "spent": lambda rules: replace(rules, tries_after_evasion=0)},
            rule="22.523",
            readings={
                "retry": "it has not engaged yet: it may choose another target, each evader once",
                "spent": "its engagement is used up",
            },
        ),
        Option(
            "damaged_may_fire_late",
            "AM-13",
            "whether a ship damaged while she held her fire may still use it",
            {
                "yes": _as_it_is,
                "no": lambda rules: replace(rules, held_fire=_undamaged, held_fire_of_damaged_cruisers=False),
            },
            rule="22.54G",
            readings={
                "yes": "she may still fire; only cruisers damaged by capital ships may not",
                "no": "a damaged ship has lost the fire she held",
            },
        ),
        Option(
            "surplus_light_spread",
            "RC-46",
            "what surplus light ships must fire at one capital ship before they may fire at another",
            {"target_size": _as_it_is, "equal_factors": lambda rules: replace(rules, light_needs=_nothing)},
            rule="22.54E",
            readings={
                "target_size": "surplus factors equal to that ship's own size",
                "equal_factors": "at least as many factors as the next ship faces",
            },
        ),
        Option(
            "surplus_groups_inverted",
            "IR-54",
            "whether intercepting groups that waited for room are inverted afterwards",
            {"yes": _as_it_is, "no": lambda rules: replace(rules, surplus_inverted=False)},
            rule="22.26D",
            readings={
                "yes": "they are inverted with the rest of their force",
                "no": "groups that never fought stay as they are",
            },
        ),
        Option(
            "supply_battle_continued_by",
            "RC-64",
            "who may go on with a battle when only a sea supply line is left",
            {
                "tracer": _as_it_is,
                "attacker": lambda rules: replace(rules, supply_battle_continued_by=lambda side: side.enemy),
            },
            rule="22.71C",
            readings={
                "tracer": "the side that traces the line, until it is disrupted",
                "attacker": "the side that attacks the line",
            },
        ),
        Option(
            "naval_air_bonus_at_sea",
            "AN-26",
            "whether naval air has +1 against ships at sea, as the table says and 23.441 does not",
            {"on": _as_it_is, "off": lambda rules: replace(rules, naval_air_bonus=0)},
            rule="23.441",
            readings={"on": "+1 if every squadron on that target is naval air", "off": "no bonus"},
        ),
        Option(
            "withheld_air_returns",
            "AN-20",
            "whether patrol and cover held back from one strike may meet a later one in the same round",
            {"no": _as_it_is, "yes": lambda rules: replace(rules, withheld_air_returns=True)},
            rule="23.416B",
            readings={
                "no": "what its owner held back stays out over that group for the round",
                "yes": "it may meet a later strike",
            },
        ),
        Option(
            "counter_interceptors_inverted",
            "IR-09",
            "whether inverted ships may counter-intercept",
            {"barred": _as_it_is, "allowed": _reading(counter_interceptors_uninverted=False)},
            rule="22.16",
            readings={
                "barred": "counter-interceptors must be uninverted, as interceptors must",
                "allowed": "it is enough that they are uncommitted",
            },
        ),
        Option(
            "zero_dice_declaration",
            "IR-17",
            "whether ships that would have no die for an interception are spent by declaring it",
            {"void": _as_it_is, "spent": _reading(void_without_dice=False)},
            rule="22.22",
            readings={"void": "the attempt costs them nothing", "spent": "they have used up their attempt"},
        ),
        Option(
            "shared_route_intercepted",
            "IR-19",
            "whether activities that share hexes of their routes are caught together there",
            {"together": _as_it_is, "separately": _reading(shared_route_together=False)},
            rule="22.141A",
            readings={
                "together": "two shared hexes in a row are travelling together",
                "separately": "only a common origin or destination counts",
            },
        ),
        Option(
            "divided_return_needs_new_hex",
            "IR-21",
            "whether ships that part on their way home must enter another hex to be intercepted again",
            {"yes": _as_it_is, "no": _reading(divided_return_needs_new_hex=False)},
            rule="22.18D",
            readings={
                "yes": "a part that is to be intercepted again must enter another hex, as on the way out",
                "no": "to part is enough",
            },
        ),
        Option(
            "return_extra_dice",
            "IR-29",
            "which activities keep their two interception dice on the way home",
            {"cargo_only": _as_it_is, "all": _reading(extra_dice_home=True)},
            rule="22.22A",
            readings={"cargo_only": "those that carried cargo", "all": "bombardment and carrier missions too"},
        ),
        Option(
            "countered_tf_count",
            "IR-33",
            "whose TFs give dice to a counter-interception",
            {"all_together": _as_it_is, "each_force": _reading(countered_together=False)},
            rule="22.22E",
            readings={"all_together": "of all that are countered together", "each_force": "of the force aimed at"},
        ),
        Option(
            "return_spotting",
            "IR-36",
            "whether air may spot ships on their way home",
            {"afresh": _as_it_is, "none": _reading(spotting_home=False)},
            rule="22.18F",
            readings={
                "afresh": "yes, from bases in range of the route home",
                "none": "no, spotting is for the way out",
            },
        ),
        Option(
            "counter_attempts_counted",
            "IR-41",
            "which counter-interceptions cost each other dice",
            {"by_hex": _as_it_is, "by_force": _reading(counter_attempts_by_hex=False)},
            rule="22.22K",
            readings={
                "by_hex": "all in the interception hex, elsewhere those at the same path",
                "by_force": "those at the same force",
            },
        ),
        Option(
            "failed_submarine_joins",
            "AM-12",
            "whether a submarine that fell short joins a battle late",
            {"yes": _as_it_is, "no": _reading(failed_submarine_joins=False)},
            rule="22.24B",
            readings={"yes": "yes, if a surface battle is fought in its hex", "no": "no, it has failed"},
        ),
        Option(
            "late_forces_alone",
            "IR-47",
            "what late interceptors do when nobody was in time after all",
            {"go_home": _as_it_is, "fight": _reading(late_forces_fight_alone=True)},
            rule="22.24B",
            readings={"go_home": "they go home, no battle is fought", "fight": "they fight when they arrive"},
        ),
        Option(
            "arrival_after_counter_battle",
            "IR-48",
            "when interceptors that won a counter-battle arrive",
            {"as_rolled": _as_it_is, "delayed": _reading(counter_battle_delay=1)},
            rule="22.161B",
            readings={"as_rolled": "in the round their dice gave", "delayed": "later by as many rounds as they fought"},
        ),
        Option(
            "late_counter_battle",
            "IR-50",
            "when a counter-battle begins that no interceptor reached in time",
            {"from_arrival": _as_it_is, "from_start": _reading(counter_battle_from_arrival=False)},
            rule="22.254A",
            readings={"from_arrival": "with the first to arrive", "from_start": "at once; empty rounds count"},
        ),
        Option(
            "announced_together",
            "IR-65",
            "which supply lines, raiders and redeployments are announced together",
            {"phase": _as_it_is, "player_turn": _reading(announced_by="player turn")},
            rule="22.15B",
            readings={"phase": "those of one phase", "player_turn": "those of the whole player turn"},
        ),
        Option(
            "damaged_transports_leave",
            "SR-18",
            "whether transports damaged by conventional submarines have left the SW box when advanced ones attack",
            {"before_advanced": _as_it_is, "after_advanced": _reading(damaged_transports_gone=False)},
            rule="25.73",
            readings={"before_advanced": "they have left", "after_advanced": "they are still there, and may be lost"},
        ),
        Option(
            "us_asw_indian_ocean",
            "AM-08",
            "in how many theaters the U.S. must be at war before its ASW may enter the Indian Ocean SW box",
            {"both": _as_it_is, "either": _reading(us_asw_needs_both_wars=False)},
            rule="25.22C",
            readings={"both": "in both", "either": "in one of them"},
        ),
        Option(
            "raider_defenders",
            "SR-43",
            "which list says what ships meet raiders",
            {"chart": _as_it_is, "newer": lambda rules: replace(rules, raiders=rules.raiders._replace(types=NEWER))},
            rule="21.5342",
            readings={
                "chart": "that of the chart: a type that is not there is lost",
                "newer": "the newer list: a lower type may come instead",
            },
        ),
        Option(
            "raider_hunters",
            "AM-06",
            "whether slow ships may fight the first engagement with raiders",
            {"any": _as_it_is, "fast": _reading(slow_raider_hunters=False)},
            rule="22.372F",
            readings={"any": "they may, and go home afterwards", "fast": "fast ships only"},
        ),
        Option(
            "jet_modifier",
            "AM-10",
            "which jets of a bomber force modify its air combat",
            {"engaged": _as_it_is, "escorting": _reading(escorting_jets_modify=True)},
            rule="26.453",
            readings={
                "engaged": "those that engage",
                "escorting": "all that escort the bombers, whether they engage or not",
            },
        ),
        Option(
            "firestorm_counts",
            "SR-35",
            "what counts towards the damage that makes a firestorm",
            {"all": _as_it_is, "bombers": _reading(firestorm_counts_rockets=False)},
            rule="26.91",
            readings={"all": "bombers, flying bombs and rockets", "bombers": "bombers alone"},
        ),
        Option(
            "deferred_strikes",
            "RC-03",
            "whether naval air that has struck may fire with the heavy ships of its group, in edition 2008",
            {"off": _as_it_is, "on": lambda rules: replace(rules, gunfire=squadrons_that_may_join)},
            rule="22.471C",
            readings={"off": "no, it bombs", "on": "yes, each squadron counting three factors; in edition 2008 only"},
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
