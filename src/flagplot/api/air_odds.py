"""What aircraft will come to (23.4, 23.7): surprise, air combat, air defense, a whole strike; exact chances before the dice."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from msgspec.structs import replace

from flagplot.api.air import protected
from flagplot.api.calls import question
from flagplot.api.chances import chance, quantities, quantity
from flagplot.api.naval_odds import afloat, fates, pairs, within
from flagplot.api.shapes import GroupJson, nations, research_results
from flagplot.api.shapes import squadrons as checked
from flagplot.bots.flying import air_targets
from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.core.sides import Side
from flagplot.doctrine.sight import ADMIRAL
from flagplot.model.forces import CombatGroup
from flagplot.model.picture import Picture
from flagplot.model.squadrons import Counts, squadron, total
from flagplot.model.state import Battle, Fleet
from flagplot.odds import exact_air as above
from flagplot.odds.exact import as_chances, chances_of
from flagplot.rules.air.strikes import targets_form
from flagplot.rules.table import Ruleset

MOST_SQUADRONS = 99
MOST_KAMIKAZES = 6
MOST_RESULTS = 99


def _flying(squadrons: dict[str, int]) -> dict[str, int]:
    counts = checked(squadrons)
    within(total(counts), "number of squadrons", 1, MOST_SQUADRONS)
    return counts


@question
def surprise_odds(*, rules: Ruleset, results: int = 1, radar: int = 0) -> dict[str, Any]:
    """The level of surprise of a strike (23.7412) and how likely each effect is (23.7413)."""
    within(results, "number of search results", 1, MOST_RESULTS)
    within(radar, "number of radar results", 0, MOST_RESULTS)
    levels = as_chances(above.surprise_ways(rules, results, radar))
    effects = {level: rules.surprise.effects(level)._asdict() for level in levels}
    names = list(next(iter(effects.values())))
    return {
        "level": quantity(dict(sorted(levels.items()))),
        "effects": quantities(
            {
                name: chances_of(levels, lambda level, name=name: int(effects[level][name]))  # type: ignore[misc]
                for name in names
            }
        ),
    }


@question
def air_combat_odds(
    *,
    rules: Ruleset,
    attackers: dict[str, int],
    patrol: dict[str, int] | None = None,
    cover: dict[str, int] | None = None,
    surprise_level: int = 0,
    impaired: list[str] | None = None,
    winter: list[str] | None = None,
) -> dict[str, Any]:
    """One round of air combat over a group (23.415): what both sides lose. All engage that may; losses as offered."""
    within(surprise_level, "level of surprise", 0, MOST_RESULTS)
    fleet = Fleet(impaired_air=nations(impaired), winter_air=nations(winter))
    group = protected(GroupJson(light={"/DD": 1}, patrol=patrol or {}, cover=cover or {}).group())
    strike = above.Strike(_flying(attackers), group, attacker=fleet, defender=fleet)
    flying = above.Flying(surprise_level, tuple(sorted(strike.squadrons.items())))
    return _losses(above.air_combat_ways(rules, strike, flying))


@question
def air_defense_odds(
    *,
    rules: Ruleset,
    attackers: dict[str, int],
    group: GroupJson,
    research: int = 0,
    surprise_level: int = 0,
) -> dict[str, Any]:
    """What a group's guns do to a strike (23.42): its air defense level, and squadrons lost and turned back."""
    within(surprise_level, "level of surprise", 0, MOST_RESULTS)
    within(research, "number of air defense results", 0, MOST_RESULTS)
    strike = above.Strike(_flying(attackers), group.group(), defender=Fleet(research={"air defense": research}))
    flying = above.Flying(surprise_level, tuple(sorted(strike.squadrons.items())))
    level = above.defense_level(rules, strike, surprise_level)
    return {"level": level, **_losses(above.air_defense_ways(rules, strike, flying))}


def _losses(ways: dict[above.Flying, int]) -> dict[str, Any]:
    states = as_chances(ways)
    return quantities(
        {
            "through": chances_of(states, lambda state: total(dict(state.squadrons))),
            "lost": chances_of(states, lambda state: state.lost),
            "aborted": chances_of(states, lambda state: state.aborted),
            "defenders_lost": chances_of(states, lambda state: state.defenders_lost),
        }
    )


@question
def strike_odds(
    *,
    rules: Ruleset,
    attackers: dict[str, int],
    target: GroupJson,
    surprise: bool = False,
    research: dict[str, int] | None = None,
    impaired: list[str] | None = None,
    winter: list[str] | None = None,
    impaired_ships: list[str] | None = None,
    enemy_tactical: int = 0,
    aim: Literal["admiral", "first"] = "admiral",
) -> dict[str, Any]:
    """A whole air strike on a group at sea (23.76): surprise, air combat, air defense, bombs; what both sides lose.

    `aim`: each squadron that gets through goes where the admiral thinks it is worth most, or all attack the first ship.
    All defenders engage that surprise does not keep out; losses are as offered. A critical hit (20.524) is an input and
    has no effect here; the chance that it is rolled for is told.
    """
    counts = _flying(attackers)
    if surprise and any(squadron(key).base for key in counts):
        raise IllegalChoice(
            "23.7411A", "land-based air takes no part in a surprise strike; leave it out, or the surprise"
        )
    within(sum(n for key, n in counts.items() if squadron(key).kind == "KAM"), "number of kamikazes", 0, MOST_KAMIKAZES)
    results = research_results(research)
    group = protected(replace(target.group(), found=max(1, target.found)))
    if group.empty:
        raise PlayerError("there is nothing in this group that could be attacked; give ships, or supply")
    strike = above.Strike(
        counts,
        group,
        surprise,
        Fleet(impaired_air=nations(impaired), winter_air=nations(winter)),
        Fleet(
            impaired_air=nations(impaired),
            winter_air=nations(winter),
            impaired=nations(impaired_ships),
            research=results,
            tactical=enemy_tactical,
        ),
        partial(admirals_aim, rules) if aim == "admiral" else above.first_target,
    )
    found = above.strike_odds(rules, strike)
    return {
        "surprise_level": quantity(found.levels),
        "through": quantity(found.through),
        "lost": quantity(found.lost),
        "aborted": quantity(found.aborted),
        "defenders_lost": quantity(found.defenders_lost),
        "hits": quantities(found.hits),
        "ships": fates(found.ships),
        "critical_hit_rolls": {id: chance(exact) for id, exact in found.critical.items()},
        "light": afloat(found.light),
        "factors_sunk": quantity(found.factors_sunk),
        "exchange": pairs(found.exchange, "squadrons_lost", "factors_sunk"),
    }


def admirals_aim(rules: Ruleset, group: CombatGroup, squadrons: Counts) -> dict[str, dict[str, int]]:
    """What the admiral attacks with squadrons that got through."""
    form = targets_form(group, squadrons)
    picture = Picture(Side.AXIS, rules.edition, rules.options)
    picture.battle = Battle(fleets={Side.AXIS: Fleet(), Side.ALLIES: Fleet(groups=(group,))})
    decision = Decide(Side.AXIS, "23.43", "air targets", "", form, f"CG{group.number}")
    answer = form.read(air_targets(picture, decision, ADMIRAL) or form.default, "23.43")
    return {place.key: held for place in form.places[:-1] if (held := answer.held_by(place.key))}
