"""Words in questions about aircraft (23.11, 23.16, 23.4 to 23.6): units, what they do, and where ships are attacked.

Capitals, hyphens and plurals do not matter, and some other names will do: "shore NAS", "CAP", "DAS".
"""

from __future__ import annotations

from collections.abc import Mapping

from flagplot.core.words import Word


class AirUnit(Word):
    """23.11. Kinds of air unit; "NAS" is naval air ashore."""

    SEARCH = "search AAS"
    COVER = "cover AAS"
    ATTACK = "attack AAS"
    AAF = "AAF"
    NAS = "NAS"
    CARRIER_NAS = "carrier NAS"
    KAMIKAZE = "kamikaze"

    @classmethod
    def other_names(cls) -> Mapping[str, str]:
        """Naval air by where it is based, and army air in words."""
        ashore = dict.fromkeys(("shorenas", "shorebasednas", "landnas", "landbasednas", "nasashore"), cls.NAS)
        return {**ashore, "carrierbasednas": cls.CARRIER_NAS, "armyairfactor": cls.AAF, "kam": cls.KAMIKAZE}


class AirKind(Word):
    """23.441A. Kinds of air unit as keys have them, and interceptors."""

    AAS = "AAS"
    NAS = "NAS"
    KAM = "KAM"
    JET = "JET"
    ATR = "ATR"
    AAF = "AAF"
    INT = "INT"

    @classmethod
    def other_names(cls) -> Mapping[str, str]:
        """In words."""
        return {
            "navalair": cls.NAS,
            "armyair": cls.AAS,
            "kamikaze": cls.KAM,
            "kamikazes": cls.KAM,
            "airtransport": cls.ATR,
            "airtransports": cls.ATR,
            "interceptor": cls.INT,
            "interceptors": cls.INT,
        }


class Protection(Word):
    """23.2, 23.3. How aircraft protect ships."""

    COVER = "cover"
    PATROL = "combat air patrol"

    @classmethod
    def other_names(cls) -> Mapping[str, str]:
        """As players call them."""
        return {"aircover": cls.COVER, "cap": cls.PATROL, "patrol": cls.PATROL}


class AirActivity(Word):
    """23.13 to 23.16. What land-based air does."""

    SPOT = "spot"
    SEARCH = "search"
    COVER = "cover"
    ATTACK_AT_SEA = "attack at sea"
    ATTACK_IN_PORT = "attack in port"
    COUNTERAIR = "counterair"
    GROUND_SUPPORT = "ground support"
    DEFENSIVE_AIR_SUPPORT = "defensive air support"
    INTERCEPTION_OF_DEFENSIVE_AIR_SUPPORT = "interception of defensive air support"
    AIRDROP_PROTECTION = "airdrop protection"
    AIRDROP_INTERCEPTION = "airdrop interception"
    INTERCEPTION_OF_AIR_TRANSPORT = "interception of air transport"
    COUNTER_INTERCEPTION_OF_AIR_TRANSPORT = "counter-interception of air transport"
    AIR_COMBAT = "air combat"
    BASE_DEFENSE = "base defense"

    @classmethod
    def other_names(cls) -> Mapping[str, str]:
        """As players call them."""
        return {
            "spotting": cls.SPOT,
            "searching": cls.SEARCH,
            "aircover": cls.COVER,
            "airstrike": cls.ATTACK_AT_SEA,
            "strike": cls.ATTACK_AT_SEA,
            "attackshipsatsea": cls.ATTACK_AT_SEA,
            "attackshipsinport": cls.ATTACK_IN_PORT,
            "portattack": cls.ATTACK_IN_PORT,
            "counterairing": cls.COUNTERAIR,
            "das": cls.DEFENSIVE_AIR_SUPPORT,
            "interceptionofdas": cls.INTERCEPTION_OF_DEFENSIVE_AIR_SUPPORT,
            "interceptdas": cls.INTERCEPTION_OF_DEFENSIVE_AIR_SUPPORT,
            "protectionofairdrop": cls.AIRDROP_PROTECTION,
            "interceptionofairdrop": cls.AIRDROP_INTERCEPTION,
        }


class AttackPlace(Word):
    """23.41, 23.71. Where ships are attacked from the air."""

    NAVAL_COMBAT = "naval combat"
    ON_PASSAGE = "on passage"
    PORT = "port"

    @classmethod
    def other_names(cls) -> Mapping[str, str]:
        """As players call them."""
        return {
            "navalbattle": cls.NAVAL_COMBAT,
            "outsidenavalcombat": cls.ON_PASSAGE,
            "passage": cls.ON_PASSAGE,
            "inport": cls.PORT,
        }


class RaidOccasion(Word):
    """23.61, 23.62. Where carriers are that would attack a base."""

    PATROL_HEX = "patrol hex"
    MISSION_HEX = "mission hex"
    ON_THE_WAY = "on the way to its patrol hex"
    NAVAL_COMBAT = "naval combat"
    ANOTHER = "another activity"

    @classmethod
    def other_names(cls) -> Mapping[str, str]:
        """As players call them."""
        return {
            "patrol": cls.PATROL_HEX,
            "fastcarriermission": cls.MISSION_HEX,
            "movingtopatrolhex": cls.ON_THE_WAY,
            "onthewaytopatrolhex": cls.ON_THE_WAY,
            "enroutetopatrolhex": cls.ON_THE_WAY,
            "navalbattle": cls.NAVAL_COMBAT,
            "other": cls.ANOTHER,
        }


class NavalUnits(Word):
    """23.43, 23.75A. Naval units as far as aircraft tell them apart; transports are Western Allied ones."""

    WARSHIPS = "warships"
    SUBMARINES = "submarines"
    TRANSPORTS = "transports"
    ASW = "ASW"

    @classmethod
    def other_names(cls) -> Mapping[str, str]:
        """One of them, and in short."""
        return {
            "warship": cls.WARSHIPS,
            "ship": cls.WARSHIPS,
            "ships": cls.WARSHIPS,
            "submarine": cls.SUBMARINES,
            "sub": cls.SUBMARINES,
            "subs": cls.SUBMARINES,
            "transport": cls.TRANSPORTS,
        }


class Whereabouts(Word):
    """23.43D. Where naval units are."""

    AT_SEA = "at sea"
    PORT = "port"
    WAITING = "waiting for repair"
    UNDER_REPAIR = "under repair"
    UNDER_CONSTRUCTION = "under construction"

    @classmethod
    def other_names(cls) -> Mapping[str, str]:
        """As players call them."""
        return {"sea": cls.AT_SEA, "inport": cls.PORT}


class PhaseEvent(Word):
    """23.51. What has its order in a combat phase."""

    COUNTERAIR = "counterair"
    ATTACK_IN_PORT = "attack in port"
    INTERCEPTION = "interception"

    @classmethod
    def other_names(cls) -> Mapping[str, str]:
        """As players call them."""
        return {
            "counterairmission": cls.COUNTERAIR,
            "counterairmissions": cls.COUNTERAIR,
            "portattack": cls.ATTACK_IN_PORT,
            "navalinterception": cls.INTERCEPTION,
        }
