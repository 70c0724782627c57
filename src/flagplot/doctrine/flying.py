"""The admiral's policies in the air: plain integer functions, for the bot and for compiled battles alike."""

from __future__ import annotations

from flagplot.doctrine.doctrine import Doctrine


def ordinary_on_patrol(most: int, ordinary: int) -> int:
    """Of a patrol, how many are ordinary crews: all that there are, for the elite are worth more in a strike."""
    return min(most, ordinary)


def worth_as_known(
    hidden: int,
    carriers: int,
    guns: int,
    laden: int,
    said: int,
    said_carriers: int,
    said_laden: int,
    doctrine: Doctrine,
) -> int:
    """What a group is worth striking, covering or torpedoing, carriers above all, then cargo, then guns: by what it holds,
    or, if it is hidden, by what was said of it this round and the guns it is taken to have."""
    if hidden and said:
        carriers, laden = said_carriers, said_laden
    return doctrine.carrier_worth * carriers + doctrine.cargo_worth * laden + guns


def searching(left: int, squadrons: int) -> int:
    """Of squadrons that may search, how many do, if so many more add dice."""
    return min(left, squadrons)


def striking(left: int, squadrons: int) -> int:
    """Of squadrons that may strike, how many fly if the rules permit, with room for so many more: all."""
    return min(left, squadrons)


def strikes_later(elite: int) -> int:
    """In which of two turns squadrons are called for a strike: the elite first."""
    return 1 - elite


def searches_later(army: int) -> int:
    """In which of two turns squadrons are called to search: army squadrons first, for they can do nothing else."""
    return 1 - army
