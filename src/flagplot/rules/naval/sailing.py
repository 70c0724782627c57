"""22.26-22.28, 22.8: what becomes of ships once an interception is over: inversion, aborting, whose mission, where to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flagplot.core.rulebook import rule
from flagplot.model.interception import Service, Trouble, Verdict
from flagplot.rules.table import Ruleset

ENGAGED = ("fired", "launched")  # 22.26D: what counts as having fought


@rule("22.26", "22.27", "22.81B", "22.24A", "22.254C")
def inverted_after(rules: Ruleset, service: Service) -> Verdict:
    """22.26. Whether an intercepting unit is inverted once it is back in base.

    Any naval combat of the interception inverts (IR-52), except of units held back from all rounds of counter-combat
    and unhurt (22.26D), in an earlier edition only if their interception had succeeded. A force that fights its target cannot hold anything back. Patrols are exempt (IR-59).
    """
    engaged = any(round in ENGAGED for round in service.counter_rounds)
    if service.patrol:
        return Verdict(False, "22.81B", "a patrol is not inverted")
    if not service.sailed:
        return Verdict(False, "22.26A", "it stayed in port")
    if service.fought_target:
        if service.surplus and not rules.surplus_inverted:
            return Verdict(False, "22.26C", "it waited for room and never fought")
        return Verdict(True, "22.26", "its force fought the intercepted force")
    if engaged:
        return Verdict(True, "22.26D", "it fought in counter-interception combat")
    if service.counter_rounds and not service.succeeded and rules.readings.held_back_if_succeeded:
        return Verdict(True, "22.26D", "held back, but its interception had not succeeded")
    if service.counter_rounds and service.damaged:
        return Verdict(True, "22.26D", "screened, but damaged")
    if service.fought_returning:
        return Verdict(True, "22.27", "it fought on its way back")
    if service.counter_rounds:
        return Verdict(False, "22.26D", "screened in all rounds and unhurt")
    return Verdict(False, "22.27", "it took part in no naval combat")


@rule("22.26D")
def may_withhold(*, counter_combat: bool, with_target: bool) -> bool:
    """22.26D. Units may be held back, round by round, from counter-interception combat away from the target only."""
    return counter_combat and not with_target


@rule("22.14A.2", "22.116", "22.27.3")
def may_try_again(*, attempted: bool, same_phase: bool) -> bool:
    """22.27. Nobody tries twice in a phase, whether the first attempt failed or not (IR-16, IR-18)."""
    return not (attempted and same_phase)


@rule("22.28", "22.81A", "22.161B.2", "22.61")
def may_abort(trouble: Trouble) -> Verdict:
    """22.28. A force may abort only after an attack or combat, its own or that of a force it was to combine with."""
    if trouble.defeated:
        return Verdict(True, "22.81A", "beaten, it must abort")
    if trouble.attacked_by_air or trouble.attacked_by_submarines or trouble.fought:
        return Verdict(True, "22.28A", "it was attacked or fought interceptors")
    if trouble.partner_gone:
        return Verdict(True, "22.28B", "a force it was to combine with aborted or was sunk")
    return Verdict(False, "22.28", "it was not attacked")


@rule("22.28B.2", "22.81A")
def must_abort(trouble: Trouble) -> bool:
    """22.81A. Only a beaten force must abort; the loss of a partner obliges nobody."""
    return trouble.defeated


@rule("22.281.2", "22.81A")
def inverted_by_aborting() -> Verdict:
    """22.281. Forces that abort are inverted in base."""
    return Verdict(True, "22.281", "it aborted its activity")


@rule("22.282")
def transports_serve(zone: str, aborted: Sequence[str], *, contemporaneous: bool) -> bool:
    """22.282. After an abort with transports no new transport operation serves that supply zone this player turn (IR-57)."""
    return contemporaneous or zone not in aborted


@rule("22.163D", "22.81C", "22.81D")
def adopts_mission(*, took_part: bool, victorious: bool, permitted: bool = True) -> bool:
    """22.81C. Counters and patrols that took part take over the mission of the force they helped to win (21.4182B)."""
    return took_part and victorious and permitted


@rule("22.27.1", "22.63", "22.163E", "22.252B.2")
def returns_to(*, fought: bool, patrol: bool = False) -> Verdict:
    """22.27. Where ships go: the patrol hex, their original base if they did not fight, else any base of 22.63 (IR-60)."""
    if patrol and not fought:
        return Verdict(True, "22.163E", "patrol hex")
    if fought:
        return Verdict(True, "22.63", "a base within range")
    return Verdict(True, "22.27", "original base")


@rule("22.161B.2", "22.254E", "22.28A", "22.81A")
def choices_after_counter_battle(rounds: Mapping[str, int | None]) -> dict[str, tuple[str, ...]]:
    """22.161B. What interceptors may do after counter-combat: go on or go home if they won, else only go home."""
    return {id: ("go on", "go home") if entry is not None else ("go home",) for id, entry in rounds.items()}


@rule("22.115", "22.18", "22.27.1", "22.281.1")
def exposed_going_home(*, sailed: bool) -> bool:
    """22.18. Ships on their way back may be attacked and intercepted; those that stayed in port may not (IR-55)."""
    return sailed
