"""What the admiral holds about the strategic war: small judgements, each on plain numbers."""

from __future__ import annotations

from flagplot.model.strategic_war import ADVANCED_SUBMARINE, ASW, INTERCEPTOR, STRATEGIC_BOMBER, SUBMARINE, TRANSPORT
from flagplot.model.war import TargetHex

BAD_ODDS = 4  # escorts more than submarines: then submarines stay out of it
BLITZ = 9  # army air factors worth a raid of their own: three of them bomb
WORTH = {ADVANCED_SUBMARINE: 9, SUBMARINE: 6, STRATEGIC_BOMBER: 4, INTERCEPTOR: 3, TRANSPORT: 2, ASW: 1}
SHORT_OF_TRANSPORTS = 30


def worth_building(kind: str, enemy_submarines: int, asw: int, transports: int) -> int:
    """How much a unit is wanted: escorts while enemy submarines outnumber them, transports while they are few."""
    if kind == ASW and asw <= enemy_submarines:
        return 8
    if kind == TRANSPORT and transports < SHORT_OF_TRANSPORTS:
        return 7
    return WORTH[kind]


def submarines_fight(more_escorts: int) -> bool:
    """Whether submarines go for the convoys although so many more escorts than they guard them."""
    return more_escorts < BAD_ODDS


def target_worth(target: TargetHex) -> int:
    """What a target is worth bombing: its value, less once it has burnt, and less the stronger it is."""
    burnt = 10 if target.markers else 0
    return target.value - burnt - target.defences.flak


def army_air_bombs(factors: int) -> bool:
    """Whether army air without strategic bombers makes a raid."""
    return factors >= BLITZ
