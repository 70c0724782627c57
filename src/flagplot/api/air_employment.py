"""Questions about who may do what in air-naval operations: which kinds of unit (23.11), naval air of a group in a round
and its landing (22.43, 22.44, 22.463, 23.3), and which naval units aircraft may attack at all (23.43, 23.75A)."""

from __future__ import annotations

from typing import Any

import msgspec

from flagplot.api.air_words import AirUnit, AttackPlace, NavalUnits, Protection, Whereabouts
from flagplot.api.calls import Decision, question
from flagplot.api.scripts import run_script
from flagplot.api.shapes import GroupJson
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.core.sides import Side
from flagplot.model.air_events import AirLanded, DecksFilled
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import Ship
from flagplot.model.squadrons import AirBase, squadron, total
from flagplot.model.state import Battle, Fleet
from flagplot.rules.air import attack, landing
from flagplot.rules.air.conversion import EMPLOYMENT, may_perform
from flagplot.rules.air.cover import may_fly
from flagplot.rules.air.passage import may_be_attacked_at_sea
from flagplot.rules.air.patrol import decks as able_to_take_off
from flagplot.rules.air.patrol import may_patrol, most_on_patrol
from flagplot.rules.air.ports import may_be_bombed_in_port, may_be_covered
from flagplot.rules.table import Ruleset, Table

# -- kinds of unit -----------------------------------------------------------------------------------


@question
def air_employment(*, units: list[AirUnit] | None = None) -> dict[str, Any]:
    """What each kind of air unit may do in air-naval operations (23.11); all kinds unless said.

    "NAS" is naval air ashore. AAF are broken down for everything at sea (23.131), and army squadrons attack no ships in
    port. When and where is for air_unit_uses, carrier_air, protection and carrier_raid.
    """
    chosen = units if units is not None else list(AirUnit)
    return {"activities": {unit: [name for name in EMPLOYMENT if may_perform(unit, name)] for unit in chosen}}


@question
def land_based_tasks(*, squadrons: list[str]) -> dict[str, Any]:
    """Which tasks land-based squadrons may fly in a naval battle (23.11, 22.341): search, cover, attack."""
    return {"tasks": {key: [role for role in ("search", "cover", "attack") if may_fly(key, role)] for key in squadrons}}


@question
def protection(*, unit: AirUnit, task: Protection, own_group: bool = True, in_port: bool = False) -> dict[str, Any]:
    """Whether aircraft may protect ships so (23.21, 23.31), and if not, why. "NAS" is naval air ashore.

    `own_group`: the ships are in the group of the aircraft's own carrier.
    """
    cover = task is Protection.COVER
    flies = "cover AAS and naval air ashore fly air cover" if cover else "carrier NAS fly combat air patrol"
    if not may_perform(unit, task):
        return {"legal": False, "rule": "23.11D" if cover else "23.11C", "why": f"{flies}, not {unit}"}
    if not may_be_covered(in_port=in_port):
        return {"legal": False, "rule": "23.21" if cover else "23.31", "why": "ships in port are not protected so"}
    if not cover and not may_patrol(own_group=own_group):
        return {"legal": False, "rule": "23.31", "why": "naval air patrols over the group of its own carrier only"}
    return {"legal": True, "rule": "23.21" if cover else "23.31", "why": flies}


# -- naval air of carriers ---------------------------------------------------------------------------


def _able_to_fly(group: GroupJson) -> int:
    """Naval air aboard the sound carriers of a group, and on patrol over it."""
    members = group.group()
    return sum(number for _, _, _, number in able_to_take_off(Fleet(groups=(members,)))) + sum(members.patrol.values())


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


class Deck(msgspec.Struct, forbid_unknown_fields=True):
    """A carrier that naval air may come back to."""

    capacity: int
    nation: str = ""
    aboard: int = 0
    damaged: bool = False
    newly: bool = False  # damaged by the strikes of this round: what is aboard must land elsewhere (AN-37)


@question
def landing_places(
    *,
    rules: Ruleset,
    decks: dict[str, Deck],
    decisions: list[Decision],
    returning: int = 0,
    patrol: int = 0,
    bases: dict[str, int] | None = None,
    room: dict[str, int] | None = None,
) -> dict[str, Any]:
    """Where naval air lands when the strikes are over (22.463).

    `decks` by name (one `damaged` by the strikes of this round is `newly` so), `returning` from strikes and counterair,
    `patrol` from combat air patrol, `bases` with their distance in hexes and `room` in squadrons (15 if not given). The
    decision is ["axis", "landing", answer].
    """
    ships = tuple(
        Ship(name, name, d.nation, "CV", d.capacity, damaged=d.damaged, wing={"/NAS": d.aboard} if d.aboard else {})
        for name, d in decks.items()
    )
    flying = {"/NAS": patrol} if patrol else {}
    group = CombatGroup(1, "CG1", ships, patrol=flying)
    spare = room or {}
    air_bases = tuple(AirBase(name, n, capacity=spare.get(name, 15)) for name, n in (bases or {}).items())
    aloft = {"/NAS": returning} if returning else {}
    newly = {name: deck.capacity for name, deck in decks.items() if deck.damaged and deck.newly}
    mine = Fleet("Axis", groups=(group,), air_bases=air_bases, aloft=aloft, newly_damaged=newly)
    table = Table(rules, Battle(fleets={Side.AXIS: mine, Side.ALLIES: Fleet("Allies")}, aircraft=True))
    form = landing.landing_form(mine)
    run_script(landing.land(table), [], decisions)
    landed = next(event for event in table.log if isinstance(event, AirLanded))
    filled = next(event for event in table.log if isinstance(event, DecksFilled))
    return {
        "decks": {name: total(counts) for name, counts in filled.decks.items()},
        "ashore": {squadron(key).base: number for key, number in landed.ashore.items()},
        "lost": total(landed.lost),
        "inverted_ashore": total(landed.ashore) > 0,
        "places": {item.key.partition("|")[0]: list(item.places) for item in form.items},
    }


# -- targets -----------------------------------------------------------------------------------------


@question
def open_to_air_attack(
    *,
    unit: NavalUnits = NavalUnits.WARSHIPS,
    place: Whereabouts = Whereabouts.AT_SEA,
    in_patrol_hex: bool = False,
    to_or_from_port: bool = False,
) -> dict[str, Any]:
    """Whether aircraft may attack naval units (23.43C, 23.43D, 23.75A), found or not; and if not, why.

    Submarines are attacked only while they stay on patrol; transports (Western Allied) and ASW not `to_or_from_port`.
    Units under repair or construction on the chart are reached by strategic bombing alone.
    """
    if place is Whereabouts.AT_SEA:
        may = may_be_attacked_at_sea(unit, in_patrol_hex=in_patrol_hex, to_or_from_port=to_or_from_port)
    else:
        may = may_be_bombed_in_port(place, submarines=unit is NavalUnits.SUBMARINES)
    if may:
        return {
            "may": True,
            "rule": "23.75A" if place is Whereabouts.AT_SEA else "23.43",
            "why": "nothing exempts them",
        }
    if place in (Whereabouts.UNDER_REPAIR, Whereabouts.UNDER_CONSTRUCTION):
        return {"may": False, "rule": "23.43D", "why": "on the construction chart strategic bombing alone reaches them"}
    if unit is NavalUnits.SUBMARINES:
        return {"may": False, "rule": "23.43C", "why": "submarines are attacked only where they stay on patrol"}
    return {"may": False, "rule": "23.75A", "why": f"{unit} on their way to or from port are exempt (20.6321)"}


@question
def air_attack_sequence(*, where: AttackPlace = AttackPlace.NAVAL_COMBAT) -> dict[str, Any]:
    """In which order one air attack on ships goes (23.76, 23.23, 23.411), and who acts: in naval combat, on passage, in port."""
    return {"steps": [step._asdict() for step in attack.order_of_attack(where)]}
