"""The dice of a compiled battle (FP-03): those of philox.py, made many at a time, used in the order the procedures roll."""

from __future__ import annotations

from flagplot.odds import jit as making
from flagplot.odds import philox as source
from flagplot.odds.jit import GPU, Words, jit, leaf, loop
from flagplot.odds.kernel_layout import (
    BATTLE_HIGH,
    BATTLE_LOW,
    DICE_USED,
    NO_WINDOW,
    SEED_HIGH,
    SEED_LOW,
    STREAM,
    WINDOW,
    WINDOW_DICE,
    WINDOW_FIRST,
)
from flagplot.odds.philox import M32

# Made at a time: a CPU makes several in one instruction; a thread of a GPU, which cannot, keeps as little as it can.
AT_A_TIME = 4 if making.how == GPU else WINDOW_DICE

philox = leaf(source.philox)
die_of = leaf(source.die_of)


@jit
def set_dice(s: Words, seed: int, battle: int, stream: int) -> None:
    """Which dice this battle has; none of them is used yet."""
    s[SEED_LOW], s[SEED_HIGH] = _signed(seed & M32), _signed((seed >> 32) & M32)
    s[BATTLE_LOW], s[BATTLE_HIGH] = _signed(battle & M32), _signed((battle >> 32) & M32)
    s[STREAM] = stream
    s[DICE_USED] = 0
    s[WINDOW_FIRST] = NO_WINDOW


@jit
def _signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


@loop
def _fill(s: Words, first: int) -> None:
    """The next dice, from `first` on."""
    stream, low, high = int(s[STREAM]), int(s[BATTLE_LOW]) & M32, int(s[BATTLE_HIGH]) & M32
    seed_low, seed_high = int(s[SEED_LOW]) & M32, int(s[SEED_HIGH]) & M32
    for block in range(AT_A_TIME // 4):
        one, two, three, four = philox((first >> 2) + block, stream, low, high, seed_low, seed_high)
        s[WINDOW + 4 * block] = die_of(one)
        s[WINDOW + 4 * block + 1] = die_of(two)
        s[WINDOW + 4 * block + 2] = die_of(three)
        s[WINDOW + 4 * block + 3] = die_of(four)
    s[WINDOW_FIRST] = first


@leaf
def die(s: Words) -> int:
    """The next die."""
    k = int(s[DICE_USED])
    s[DICE_USED] = k + 1
    place = k - int(s[WINDOW_FIRST])
    if not 0 <= place < AT_A_TIME:
        place = k % AT_A_TIME
        _fill(s, k - place)
    return int(s[WINDOW + place])


@leaf
def two_dice(s: Words) -> int:
    """The sum of the next two."""
    return die(s) + die(s)
