"""Sets of ships, of cargo and of numbers in the state of a compiled battle: words whose bits are the members (20.51, 22.42).

A set of ships is one side's; bit i is the ship side * MOST_SHIPS + i. Going through a set:

    left = ships_of(s, group)
    while left:
        ship = first + lowest(left)
        left &= left - 1
"""

from __future__ import annotations

from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, bits, leaf

count, lowest = bits()  # how many members a set has; its lowest one


@leaf
def size_of(c: Words, side: int, ships: int) -> int:
    """20.51. The naval factors of a set of ships: how many have each bit of a size."""
    sizes = at.SIZES + side * at.SIZE_BITS
    return int(
        count(ships & c[sizes])
        + 2 * count(ships & c[sizes + 1])
        + 4 * count(ships & c[sizes + 2])
        + 8 * count(ships & c[sizes + 3])
    )


@leaf
def sound_ships(s: Words, side: int, group: int) -> int:
    """The undamaged ships of a group."""
    return int(s[at.GROUP_SHIPS + group] & ~s[at.DAMAGED_SHIPS + side])


@leaf
def ready_carriers(s: Words, side: int, group: int) -> int:
    """22.441. The carriers of a group that have naval air on deck which can take off."""
    return int(sound_ships(s, side, group) & s[at.READY_CARRIERS + side])


@leaf
def mark_ready(s: Words, side: int, ship: int) -> None:
    """Whether a carrier has naval air on deck, now that some took off or landed."""
    place = ship - side * at.MOST_SHIPS
    aboard = 1 if s[at.WING + ship * at.WING_MAP] else 0
    s[at.READY_CARRIERS + side] = (s[at.READY_CARRIERS + side] & ~(1 << place)) | aboard << place


@leaf
def sound_carriers(s: Words, c: Words, side: int, group: int) -> int:
    """22.43. The carriers of a group that naval air can take off from."""
    return int(sound_ships(s, side, group) & c[at.CARRIER_SHIPS + side])
