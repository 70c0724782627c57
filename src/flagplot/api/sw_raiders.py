"""Questions about raiders in the SW boxes (21.53, 22.35) and attacks on Murmansk convoys (40.451)."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from flagplot.api.calls import question
from flagplot.api.shapes import ShipJson, lines
from flagplot.api.sw_shapes import UnitJson, box_called, few, nation_spelled, power_called, summed, told
from flagplot.core.errors import PlayerError
from flagplot.model.strategic_war import GERMANY, Hunters, RaiderGroup
from flagplot.rules.strategic import murmansk, raiders
from flagplot.rules.table import Ruleset
from flagplot.tables.sw_raiders import KINDS

SHORT = {
    "bb": "battleship",
    "bc": "battlecruiser",
    "ca": "cruiser",
    "dd": "destroyer",
    "cv": "fast carrier",
    "carrier": "fast carrier",
}


@question
def raider_engagement(
    *,
    rules: Ruleset,
    dice: list[int],
    box: str,
    die: int | None = None,
    nation: str = GERMANY,
    raider_group_number: int = 1,
    groups_total: int | None = None,
    three_ships: bool = False,
    defender_air_range: int = 0,
    us_at_war_with_germany: bool = False,
    cves: int = 0,
    search_air_squadrons_in_india_or_australia_box: int = 0,
    raiders_from_singapore: bool = False,
    entered_off_southern_edge: bool = False,
    codebreaking_for_defender: int = 0,
) -> dict[str, Any]:
    """How many ships meet a raiding group (21.5342), line by line: one die.

    Squadrons are operational search squadrons in the box beside this ocean. Raiders from Singapore, or off the southern
    edge, are Japanese. The code edge is +1 for the defender, -1 for the raiders.
    """
    place, rolled = box_called(box), _one(die, dice)
    if raider_group_number < 1 or (groups_total is not None and raider_group_number > groups_total):
        raise PlayerError("raiding groups are numbered from 1 to their number, in the order they are resolved")
    owner = "Japan" if raiders_from_singapore or entered_off_southern_edge else power_called(nation)
    squadrons = few(search_air_squadrons_in_india_or_australia_box, "squadrons")
    group = RaiderGroup(
        place,
        owner,
        raider_group_number,
        raiders.THREE_SHIPS if three_ships else 1,
        raiders_from_singapore,
        entered_off_southern_edge,
    )
    hunters = Hunters(
        few(defender_air_range, "air range results"),
        few(cves, "CVEs"),
        squadrons,
        squadrons,
        us_at_war_with_germany,
        codebreaking_for_defender,
    )
    made = raiders.raider_modifiers(rules, group, hunters)
    hunted = raiders.ships_that_engage(rules, group, hunters, rolled)
    return {
        "modifier": made.total,
        "lines": lines(made)["lines"],
        "modified_roll": hunted.modified_roll,
        "ships_engaging": hunted.ships,
        "type_dice": raiders.type_dice(rules, hunted.ships),
    }


def _one(die: int | None, dice: list[int]) -> int:
    found = die if die is not None else dice[0] if dice else None
    if found is None or not 1 <= found <= 6:
        raise PlayerError("give one die, a number from 1 to 6")
    return found


@question
def raider_hunters(
    *,
    rules: Ruleset,
    dice: list[int],
    ships: int,
    available: dict[str, int],
    choices: list[str] | None = None,
) -> dict[str, Any]:
    """Which ships meet a raiding group (21.5342): by type dice, from those available in the box.

    Kinds: cruiser, destroyer, fast carrier, 2-factor to 5-factor battleship or battlecruiser. Where more than one kind
    would do, `choices` names the defender's, in order; unsaid, the first of them.
    """
    left = summed((hunter_called(kind), few(number, "ships")) for kind, number in available.items())
    needed = raiders.type_dice(rules, few(ships, "ships"))
    if len(dice) < needed:
        raise PlayerError(f"{needed} type dice are rolled, {len(dice)} are given")
    wishes = [hunter_called(kind) for kind in choices or ()]
    slots: list[int | None] = [*([None] * (ships - needed)), *dice[:needed]]
    engaged: list[str | None] = []
    for die in slots:
        may = raiders.hunter_choices(rules, die, left)
        wish = next((kind for kind in wishes if kind in may), None)
        taken = wish or (may[0] if may else None)
        if taken is not None:
            left[taken] -= 1
        if wish is not None:
            wishes.remove(wish)
        engaged.append(taken)
    return {"engaged": engaged, "ships": sum(kind is not None for kind in engaged)}


def hunter_called(kind: str) -> str:
    """A kind of ship as the raider table has it: "4-factor battleship", "battleship_4", "4-factor BB", "BB4"."""
    plain = " ".join(kind.lower().replace("_", " ").split())
    sized = re.fullmatch(r"([2-5])[ -]factor (\D+)|(\D+?) ?([2-5])", plain)
    if sized:
        ship = sized[2] or sized[3]
        plain = f"{sized[1] or sized[4]}-factor {SHORT.get(ship, ship)}"
    plain = SHORT.get(plain, plain)
    if plain not in KINDS:
        plain = SHORT.get(plain.removesuffix("s"), plain.removesuffix("s"))
    if plain not in KINDS:
        raise PlayerError(f"21.5342: {kind[:40]!r} is no kind of hunter; there are {', '.join(KINDS)}")
    return plain


@question
def may_hunt_raiders(*, rules: Ruleset, unit: UnitJson, fast: bool = True) -> dict[str, Any]:
    """Whether a ship in an SW box may engage raiders there (25.363)."""
    return told(raiders.may_hunt(rules, unit.unit(), fast=fast))


@question
def raider_hits(*, rules: Ruleset, ship_size: int, hits: list[int]) -> dict[str, Any]:
    """A named ship through the engagements with raiders (20.512C, 21.537A): hits in each, which never carry over."""
    ship = ShipJson(kind="BB", size=ship_size).ship()
    states: list[dict[str, Any]] = []
    for number, each in enumerate(hits):
        if states and states[-1]["state"] == "sunk":
            raise PlayerError("she was sunk before that engagement")
        after = raiders.after_engagement(rules, ship, few(each, "hits"), hunter=False, first=number == 0)
        states.append({"state": after.state, "hits_repaired": after.hits_repaired})
        ship = msgspec.structs.replace(ship, damaged=after.state == "damaged")
    return {"after": states}


@question
def raider_aftermath(*, rules: Ruleset, hunters: list[ShipJson], raiders_afloat: bool = True) -> dict[str, Any]:
    """What becomes of hunters after the first engagement (22.372F, 21.537A): slow ones go home, minor hits vanish.

    A ship's `hits` are those of this engagement.
    """
    found = {}
    for number, each in enumerate(hunters, start=1):
        ship = each.ship(number)
        after = raiders.after_engagement(rules, msgspec.structs.replace(ship, hits=0), ship.hits, hunter=True)
        found[ship.id] = {"state": after.state, "goes": after.goes, "hits_repaired": after.hits_repaired}
    return {"hunters": found, "raiders_may_stay": raiders_afloat and raiders.raiders_may_stay_at_sea()}


class RaidJson(msgspec.Struct, forbid_unknown_fields=True):
    """A raiding group free to attack transports: its fire factors, and its roll if it has any."""

    factors: int = 0
    roll: int = 7


@question
def raiders_attack_transports(
    *,
    rules: Ruleset,
    transports: int = 0,
    groups: list[RaidJson] | None = None,
    groups_with_carrier: int = 0,
    raiders_drm: int = 0,
    transports_drm: int = 0,
) -> dict[str, Any]:
    """Raiding groups attack transports one by one (21.5362, SR-44): fire, and one air strike for each carrier group."""
    made = raiders.attack_modifiers(raiders_drm, transports_drm)
    rolls = [(few(group.factors, "factors"), group.roll) for group in groups or ()]
    sunk = raiders.transports_sunk(rules, rolls, few(transports, "transports"), modifier=made.total)
    return {
        "modifier": made.total,
        "lines": lines(made)["lines"],
        "sunk_by_group": list(sunk),
        "transports_sunk": sum(sunk),
        "air_strikes": raiders.air_strikes(few(groups_with_carrier, "groups")),
        "air_defense_roll": raiders.transports_roll_air_defense(),
    }


@question
def raider_may_attack(
    *, rules: Ruleset, engaged: bool, opponents_sunk: bool = False, fought: bool = False
) -> dict[str, Any]:
    """Whether a raider may attack transports (22.35E)."""
    return told(raiders.may_attack_transports(engaged=engaged, opponents_sunk=opponents_sunk, fought=fought))


# -- Murmansk -------------------------------------------------------------------------------------------------


class StageJson(msgspec.Struct, forbid_unknown_fields=True):
    """A stage and the hits on one ship: of each air sortie, each shot of naval combat, each submarine."""

    stage: murmansk.Stage
    hits: list[int] = []


@question
def murmansk_interception(*, nation: str, based_in: str) -> dict[str, Any]:
    """Whether air or naval units of a nation based somewhere meet a Murmansk convoy (40.451A): in range, and without dice."""
    where = "Murmansk box" if based_in.lower().removesuffix("box").strip() == "murmansk" else based_in.strip()
    return told(murmansk.may_intercept(nation_spelled(nation), where))


@question
def murmansk_convoy(*, brps: int, german_submarines_in_atlantic: int = 0) -> dict[str, Any]:
    """What a Murmansk convoy of so many BRPs takes, and how many submarines of the Atlantic SW box may attack it.

    40.452 to 40.46 are not held: the figures are those of an older edition (FP-76).
    """
    sent, boats = few(brps, "BRPs"), few(german_submarines_in_atlantic, "submarines")
    return {
        "transports": murmansk.transports_for(sent),
        "destroyers": murmansk.destroyers_for(sent),
        "submarines_may_attack": murmansk.submarines_that_may_attack(boats),
    }


@question
def murmansk_sequence(
    *, rules: Ruleset, air: bool = True, ships: bool = True, submarines: int = 0, air_within_naval: bool = False
) -> dict[str, Any]:
    """In which order a Murmansk convoy is attacked (40.451); Germany may fold air attacks into naval combat."""
    if air_within_naval and not (air and ships):
        raise PlayerError("40.451B: air attacks are part of naval combat only if both take place")
    order = murmansk.stages(
        air=air, ships=ships, submarines=few(submarines, "submarines"), air_within_naval=air_within_naval
    )
    return {"stages": [[str(stage) for stage in each] for each in order]}


@question
def murmansk_attacks(*, rules: Ruleset, ship: ShipJson, attacks: list[StageJson]) -> dict[str, Any]:
    """A named ship of a Murmansk convoy's escort after each stage (40.451, 20.512D): sunk, damaged or undamaged."""
    order = list(murmansk.Stage)
    if [order.index(each.stage) for each in attacks] != sorted(order.index(each.stage) for each in attacks):
        raise PlayerError("40.451: air attacks come first, then naval combat, then submarines")
    made = [murmansk.Attack(each.stage, tuple(few(hits, "hits") for hits in each.hits)) for each in attacks]
    states = []
    for number in range(1, len(made) + 1):
        after = murmansk.after_convoy(rules, ship.ship(), made[:number])
        states.append("sunk" if after is None else "damaged" if after.damaged else "undamaged")
    return {"after": states}
