"""Questions about who may do what in air-naval operations: which kinds of unit (23.11), naval air of a group in a round
(22.43, 22.44, 23.3), and which naval units aircraft may attack at all (23.43, 23.75A)."""

from __future__ import annotations

from typing import Any, Literal

from flagplot.api.calls import question
from flagplot.api.shapes import GroupJson
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.model.state import Fleet
from flagplot.rules.air.conversion import EMPLOYMENT, may_perform
from flagplot.rules.air.cover import may_fly
from flagplot.rules.air.passage import may_be_attacked_at_sea
from flagplot.rules.air.patrol import decks, may_patrol, most_on_patrol
from flagplot.rules.air.ports import may_be_bombed_in_port, may_be_covered

AirUnit = Literal["search AAS", "cover AAS", "attack AAS", "AAF", "NAS", "carrier NAS", "kamikaze"]
AIR_UNITS: tuple[AirUnit, ...] = ("search AAS", "cover AAS", "attack AAS", "AAF", "NAS", "carrier NAS", "kamikaze")

# -- kinds of unit -----------------------------------------------------------------------------------


@question
def air_employment(*, units: list[AirUnit] | None = None) -> dict[str, Any]:
    """What each kind of air unit may do in air-naval operations (23.11); all kinds unless said.

    "NAS" is naval air ashore. AAF are broken down for everything at sea (23.131), and army squadrons attack no ships in
    port. When and where is for air_unit_uses, carrier_air, protection and carrier_raid.
    """
    chosen = units if units is not None else AIR_UNITS
    return {"activities": {unit: [name for name in EMPLOYMENT if may_perform(unit, name)] for unit in chosen}}


@question
def land_based_tasks(*, squadrons: list[str]) -> dict[str, Any]:
    """Which tasks land-based squadrons may fly in a naval battle (23.11, 22.341): search, cover, attack."""
    return {"tasks": {key: [role for role in ("search", "cover", "attack") if may_fly(key, role)] for key in squadrons}}


@question
def protection(
    *, unit: str, task: Literal["cover", "combat air patrol"], own_group: bool = True, in_port: bool = False
) -> dict[str, Any]:
    """Whether aircraft may protect ships so (23.21, 23.31). Units: "NAS" is naval air ashore, "carrier NAS", "cover AAS".

    `own_group`: the ships are in the group of the aircraft's own carrier.
    """
    legal = may_perform(unit, task) and may_be_covered(in_port=in_port)
    return {"legal": legal and (task == "cover" or may_patrol(own_group=own_group))}


# -- naval air of carriers ---------------------------------------------------------------------------


def _able_to_fly(group: GroupJson) -> int:
    """Naval air aboard the sound carriers of a group, and on patrol over it."""
    members = group.group()
    return sum(number for _, _, _, number in decks(Fleet(groups=(members,)))) + sum(members.patrol.values())


@question
def patrol_limit(*, groups: dict[str, int | GroupJson]) -> dict[str, Any]:
    """The most squadrons that may fly combat air patrol over each group (23.33), from the naval air aboard it.

    Give the squadrons of its undamaged fast carriers, or the group itself: what is aboard a damaged carrier does not
    count, nor do CVEs (23.36). What will counterair this round does.
    """
    aboard = {name: group if isinstance(group, int) else _able_to_fly(group) for name, group in groups.items()}
    if any(number < 0 for number in aboard.values()):
        raise PlayerError("a group may have no naval air aboard, but not less than that")
    most = {name: most_on_patrol(number) for name, number in aboard.items()}
    return {"most": most, "total": sum(most.values())}


@question
def carrier_air(
    *, aboard: int | GroupJson, patrol: int = 0, counterair: int = 0, lost: int = 0, aborted: int = 0, struck: int = 0
) -> dict[str, Any]:
    """Naval air of one group in a round of naval combat (22.43, 22.44, 23.33, 23.74D): how much may patrol and strike.

    Of those `aboard` its undamaged carriers when the round begins some fly `patrol`, others `counterair`, of which
    some are `lost` and some `aborted`; `struck` have made their strike. Who is back from counterair may strike (22.433).
    """
    number = aboard if isinstance(aboard, int) else _able_to_fly(aboard)
    if min(patrol, counterair, lost, aborted, struck) < 0 or patrol + counterair > number:
        raise IllegalChoice("22.431", f"of {number} squadrons {patrol} cannot patrol and {counterair} counterair")
    if lost + aborted > counterair:
        raise IllegalChoice("22.433", f"of {counterair} squadrons {lost} cannot be lost and {aborted} turn back")
    most = most_on_patrol(number)
    if patrol > most:
        raise IllegalChoice("23.33", f"no more than a third of {number} squadrons may fly patrol, rounded up: {most}")
    ready = number - patrol - lost - aborted
    if struck > ready:
        raise IllegalChoice("22.441", f"{struck} squadrons cannot have struck; {ready} may")
    return {"most_on_patrol": most, "may_counterair": number - patrol, "may_strike": ready - struck}


# -- targets -----------------------------------------------------------------------------------------


@question
def open_to_air_attack(
    *,
    unit: Literal["warships", "submarines", "transports", "ASW"] = "warships",
    place: Literal["at sea", "port", "waiting for repair", "under repair", "under construction"] = "at sea",
    in_patrol_hex: bool = False,
    to_or_from_port: bool = False,
) -> dict[str, Any]:
    """Whether aircraft may attack naval units (23.43C, 23.43D, 23.75A), found or not.

    Submarines are attacked only while they stay on patrol; transports (Western Allied) and ASW not `to_or_from_port`.
    Units under repair or construction on the chart are reached by strategic bombing alone.
    """
    if place == "at sea":
        may = may_be_attacked_at_sea(unit, in_patrol_hex=in_patrol_hex, to_or_from_port=to_or_from_port)
    else:
        may = may_be_bombed_in_port(place, submarines=unit == "submarines")
    return {"may": may}
