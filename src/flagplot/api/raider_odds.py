"""What raiders in an SW box will come to (21.53 as far as it is held, 22.35): who meets them, transports they sink."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from flagplot.api.calls import question
from flagplot.api.chances import Dice, quantities, quantity
from flagplot.api.shapes import lines
from flagplot.api.sw_raiders import hunter_called
from flagplot.api.sw_shapes import box_called, few, power_called
from flagplot.core.errors import PlayerError
from flagplot.model.strategic_war import (
    ATLANTIC,
    AXIS_POWERS,
    GERMANY,
    INDIAN_OCEAN,
    JAPAN,
    PACIFIC,
    Hunters,
    RaiderGroup,
)
from flagplot.odds import strategic as odds
from flagplot.rules.naval.gunnery import Crew, nationality_drm
from flagplot.rules.strategic import raiders
from flagplot.rules.table import Ruleset

MOST_GROUPS = 6
MOST_SHIPS = 3  # of a raiding group
MOST_FACTORS = 60
MOST_HUNTERS = 30  # of one kind
MOST_MODIFIER = 99
DEFENDER = "Britain"  # whose transports raiders attack


class GroupJson(msgspec.Struct, forbid_unknown_fields=True):
    """A raiding group: ships, and the fire factors with which it attacks transports."""

    name: str = ""
    ships: int = 1
    factors: int = 0


@question
def raider_odds(
    *,
    rules: Ruleset,
    dice: list[int],
    box: str,
    groups: list[GroupJson],
    nation: str = GERMANY,
    transports: int = 0,
    defender_air_range: int = 0,
    cves: int = 0,
    search_squadrons: int = 0,
    us_at_war_with_germany: bool = False,
    from_singapore: bool = False,
    off_southern_edge: bool = False,
    cards: int = 0,
    defender_cards: int = 0,
    hunters: dict[str, int] | None = None,
    raiders_drm: int | None = None,
    transports_drm: int | None = None,
) -> dict[str, Any]:
    """Raiding groups in an SW box before the dice (21.5342, 22.35E): who meets each, and what the free ones sink.

    Groups are listed in the order they are resolved. `search_squadrons` are those in the India or Australia box.
    `hunters`: ships the defender has in the box by kind, in the order he would send them; unsaid, every type is there. An
    engaged group fights first and is counted as sinking nothing. With dice, group by group: the raider die, the type dice
    if hunters are listed, two dice of fire if nobody engages it.
    """
    place, owner = box_called(box), power_called(nation)
    if owner not in AXIS_POWERS:
        raise PlayerError("25.35E: raiders are met by the Western Allies only, so they are German, Italian or Japanese")
    if not 1 <= len(groups) <= MOST_GROUPS:
        raise PlayerError(f"name from 1 to {MOST_GROUPS} raiding groups")
    squadrons = few(search_squadrons, "squadrons")
    southern = (place, owner) == (PACIFIC, JAPAN)
    for said, holds, why in (
        (us_at_war_with_germany, place == ATLANTIC, "war between Germany and the U.S. counts in the Atlantic only"),
        (
            from_singapore,
            (place, owner) == (INDIAN_OCEAN, JAPAN),
            "Singapore counts for Japan in the Indian Ocean only",
        ),
        (off_southern_edge, southern, "the southern edge counts for Japan in the Pacific only"),
        (
            squadrons,
            place == INDIAN_OCEAN or (southern and off_southern_edge),
            "search squadrons count in the Indian Ocean, or against Japan off the southern edge of the Pacific, only",
        ),
    ):
        if said and not holds:
            raise PlayerError(f"21.5342: {why}")
    edge = (few(defender_cards, "cards") > few(cards, "cards")) - (defender_cards < cards)
    if not 0 <= defender_air_range <= 3:
        raise PlayerError(f"{defender_air_range} is no number of air range results; give one from 0 to 3")
    against = Hunters(defender_air_range, few(cves, "CVEs"), squadrons, squadrons, us_at_war_with_germany, edge)
    raiding = [_group(each, number, place, owner, from_singapore, off_southern_edge) for number, each in _named(groups)]
    available = (
        None if hunters is None else tuple((hunter_called(kind), _ships(number)) for kind, number in hunters.items())
    )
    mine = nationality_drm(rules.nationality, Crew(owner, "CA")) if raiders_drm is None else _small(raiders_drm)
    theirs = nationality_drm(rules.nationality, Crew(DEFENDER, "CA")) if transports_drm is None else transports_drm
    fire = raiders.attack_modifiers(mine, _small(theirs))
    found = odds.raider_odds(
        rules, raiding, against, transports=few(transports, "transports"), modifier=fire.total, available=available
    )
    told = []
    for (number, each), group, of_it in zip(_named(groups), raiding, found.groups, strict=True):
        made = raiders.raider_modifiers(rules, group.group, against)
        told.append(
            {
                "name": each.name or f"Group {number}",
                "ships": each.ships,
                "factors": each.factors,
                "modifier": made.total,
                "lines": lines(made)["lines"],
                "engaging": quantity(of_it.ships),
                "transports_sunk": quantity(of_it.sunk),
            }
        )
    types = rules.raiders.types
    answer = {
        "box": place,
        "nation": owner,
        "groups": told,
        "fire_modifier": fire.total,
        "fire_lines": lines(fire)["lines"],
        "quantities": quantities({"transports_sunk": found.sunk, "groups_engaged": found.engaged}),
        "first_hunter": types.first,
        "types": {str(die): list(kinds) for die, kinds in types.by_die.items()},
    }
    if dice:
        answer["resolved"] = _resolved(
            rules,
            raiding,
            [each["name"] for each in told],
            against,
            modifier=fire.total,
            transports=transports,
            available=available,
            dice=dice,
        )
    return answer


def hunters_called(text: str) -> dict[str, int]:
    """Hunters as a player lists them: "3 cruisers, 1 5-factor BB, 1 CV"; a ship without a number is one."""
    if text.strip().lower() in ("none", "nobody", "0"):
        return {}
    found: dict[str, int] = {}
    for part in filter(None, (" ".join(each.split()) for each in re.split(r"[,;+]|\band\b", text.lower()))):
        parsed = re.fullmatch(r"(?:(\d{1,2})\s+)?(?:([2-5])[ -]factor\s+)?([a-z ]+?)s?", part)
        if parsed is None:
            raise PlayerError(f'{part[:40]!r} is no ship; write for example "3 cruisers, 1 5-factor BB, 1 CV"')
        kind = f"{parsed[2]}-factor {parsed[3]}" if parsed[2] else parsed[3]
        kind = hunter_called(kind)
        found[kind] = found.get(kind, 0) + int(parsed[1] or 1)
    return found


def _named(groups: list[GroupJson]) -> list[tuple[int, GroupJson]]:
    return list(enumerate(groups, start=1))


def _group(
    each: GroupJson, number: int, box: str, owner: str, from_singapore: bool, off_southern_edge: bool
) -> odds.RaidingGroup:
    if not 1 <= each.ships <= MOST_SHIPS:
        raise PlayerError(f"21.5342: a raiding group has from 1 to {MOST_SHIPS} ships, not {each.ships}")
    if not 0 <= each.factors <= MOST_FACTORS:
        raise PlayerError(f"{each.factors} is no number of fire factors; give one from 0 to {MOST_FACTORS}")
    return odds.RaidingGroup(
        RaiderGroup(box, owner, number, each.ships, from_singapore, off_southern_edge), each.factors
    )


def _ships(number: int) -> int:
    if not 0 <= number <= MOST_HUNTERS:
        raise PlayerError(f"{number} is no number of hunters of a kind; give one from 0 to {MOST_HUNTERS}")
    return number


def _small(number: int) -> int:
    if abs(number) > MOST_MODIFIER:
        raise PlayerError(f"{number} is no DRM; give one from -{MOST_MODIFIER} to {MOST_MODIFIER}")
    return number


def _resolved(
    rules: Ruleset,
    groups: list[odds.RaidingGroup],
    names: list[str],
    against: Hunters,
    *,
    modifier: int,
    transports: int,
    available: odds.Kinds,
    dice: list[int],
) -> dict[str, Any]:
    """What the dice come to, group by group."""
    tape = Dice(dice)
    told: list[dict[str, Any]] = []
    left = transports
    for group, name in zip(groups, names, strict=True):
        (die,) = tape.take(1, f"the die against {name}")
        hunted = raiders.ships_that_engage(rules, group.group, against, die)
        kinds: tuple[int, ...] = ()
        wanted = raiders.type_dice(rules, hunted.ships)
        if wanted and any(number for _, number in available or ()):  # nobody asks of what type nobody is
            kinds = tape.take(wanted, f"the types of those who meet {name}")
        ships, available = odds.hunters_sent(rules, hunted.ships, kinds, available)
        free = raiders.may_attack_transports(engaged=ships > 0)
        thrown = tape.take(2, f"the fire of {name}") if free.holds and group.factors else ()
        sunk = 0
        if thrown:
            (sunk,) = raiders.transports_sunk(rules, [(group.factors, sum(thrown))], left, modifier=modifier)
        left -= sunk
        told.append(
            {
                "name": name,
                "die": die,
                "modified_roll": hunted.modified_roll,
                "ships_called": hunted.ships,
                "type_dice": list(kinds),
                "ships_engaging": ships,
                "fire_dice": list(thrown),
                "transports_sunk": sunk,
            }
        )
    tape.all_used()
    return {"groups": told, "transports_sunk": transports - left}
