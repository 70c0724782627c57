"""What the admiral holds about the strategic war: small judgements, each on plain numbers."""

from __future__ import annotations

from flagplot.model.strategic_war import ADVANCED_SUBMARINE, ASW, INTERCEPTOR, STRATEGIC_BOMBER, SUBMARINE, TRANSPORT
from flagplot.model.war import TargetHex

BAD_ODDS = 4  # escorts more than submarines: then submarines stay out of it
BLITZ = 3  # factors that bomb, below which a raid is not worth the losses
WORTH = {ADVANCED_SUBMARINE: 9, SUBMARINE: 6, STRATEGIC_BOMBER: 4, INTERCEPTOR: 3, TRANSPORT: 2, ASW: 1}
SHORT_OF_TRANSPORTS, ENOUGH_TRANSPORTS = 30, 45
DEAR_REPAIR = 3
CONVOY_TRANSPORTS = 12


def worth_building(kind: str, enemy_submarines: int, asw: int, transports: int) -> int:
    """How much a unit is wanted: escorts while enemy submarines outnumber them, transports while they are few."""
    if kind == ASW and asw <= enemy_submarines:
        return 8
    if kind == TRANSPORT and transports < SHORT_OF_TRANSPORTS:
        return 7
    if kind == TRANSPORT and transports >= ENOUGH_TRANSPORTS:
        return 0
    return WORTH[kind]


def submarines_fight(more_escorts: int) -> bool:
    """Whether submarines go for the convoys although so many more escorts than they guard them."""
    return more_escorts < BAD_ODDS


def target_worth(target: TargetHex) -> int:
    """What a target is worth bombing: its value, less once it has burnt, and less the stronger it is."""
    burnt = 10 if target.markers else 0
    return target.value - burnt - target.defences.flak


def raid_pays(bombers: int, factors: int, fighters: int) -> bool:
    """Whether a raid is strong enough for what may meet it."""
    return bombers >= BLITZ and factors > fighters


def raiders_sail(air_range: int, escort_carriers: int, out: int) -> bool:
    """Whether another raider goes out: while the ocean is wide and few search it."""
    return air_range + escort_carriers // 3 + out < 2


def convoy_sails(transports: int) -> bool:
    """Whether a convoy for Russia is risked: while so many transports are in the Atlantic."""
    return transports >= CONVOY_TRANSPORTS


def squadron_sails(factors: int, convoy: int) -> bool:
    """Whether ships go out against a convoy: if they are as strong as all that guards it."""
    return factors >= convoy


def repair_pays(price: int) -> bool:
    """Whether bomb damage is made good at once."""
    return price <= DEAR_REPAIR


def fighters_for(salvos: int, target: TargetHex) -> int:
    """How many fighters stop so many salvos of flying bombs: ten each, less what the target itself stops."""
    own = target.defences
    return 10 * salvos - own.flak - own.objectives - own.airbases - own.anchors - 2 * own.cities_or_ports
