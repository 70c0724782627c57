"""Where the rules of interception (22.1, 22.2) and of the strategic war (24 to 26) can be read in two ways.

Each place has the reading in force and its ruling. The values here are the defaults; `editions/options.py` replaces them,
and so does an edition that says otherwise.
"""

from __future__ import annotations

from typing import NamedTuple


class Readings(NamedTuple):
    """The reading in force of each doubtful place."""

    counter_interceptors_uninverted: bool = True  # 22.16: whether they must be (IR-09)
    void_without_dice: bool = True  # 22.22: whether an attempt without dice costs nothing (IR-17)
    shared_route_together: bool = True  # 22.141A: whether activities on the same hexes are caught together (IR-19)
    divided_return_needs_new_hex: bool = True  # 22.18D: whether a part must enter another hex (IR-21)
    announced_by: str = "phase"  # 22.15B: what supply, raiders and NRs share that are announced together (IR-65)
    extra_dice_home: bool = False  # 22.22A: whether bombardment and carrier missions keep their dice (IR-29)
    spotting_home: bool = True  # 22.18F: whether air may spot afresh on the way home (IR-36)
    countered_together: bool = True  # 22.22E: whether TFs countered together are counted together (IR-33)
    counter_attempts_by_hex: bool = (
        True  # 22.22K: whether counter-attempts at the interception hex share a count (IR-41)
    )
    failed_submarine_joins: bool = True  # 22.24B: whether a submarine that fell short joins late (IR-46, AM-12)
    idle_ports_barred: bool = True  # 22.11B: whether ships in a port that is not operational may not intercept
    submarines_in_base_help: bool = True  # 22.22H: whether those in base help as those on patrol do
    patrols_come_late: bool = True  # 22.163C: whether offensive patrols support from farther off, in later rounds
    held_back_if_succeeded: bool = False  # 22.26D: whether only a force whose interception succeeded holds ships back
    late_forces_fight_alone: bool = False  # 22.24B: whether late forces fight though nobody was in time (IR-47)
    counter_battle_delay: int = 0  # 22.161B: rounds lost on the way for each round of counter-battle (IR-48)
    counter_battle_from_arrival: bool = True  # 22.254A: whether round one waits for the first to arrive (IR-50)
    escorting_jets_modify: bool = False  # 26.453: whether jets that escort without engaging modify too (SR-26, AM-10)
    damaged_transports_gone: bool = True  # 25.73: whether they have left before advanced submarines attack (SR-18)
    us_asw_needs_both_wars: bool = True  # 25.22C: to enter the Indian Ocean SW box (SR-22, AM-08)
    slow_raider_hunters: bool = True  # 21.5342: whether slow ships may meet raiders first (SR-46, AM-06)
    firestorm_counts_rockets: bool = True  # 26.91: whether flying bombs and rockets count for firestorms (SR-35)
