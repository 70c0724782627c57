"""Dice that can be looked up: die number k of battle b under a seed is a plain function of the three.

The law here: Philox4x32-10, a generator made of a counter and a key (Salmon, Moraes, Dror and Shaw, 2011). The same
functions run in plain Python and compiled: every product is cut to 32 bits, so it does not matter whether whole numbers
are unbounded or wrap at 64 bits. These dice are for odds only. Whoever knows the seed knows them all, so nobody ever
plays with them.
"""

from __future__ import annotations

M32 = 0xFFFFFFFF
MULTIPLIER_ONE = 0xD2511F53
MULTIPLIER_TWO = 0xCD9E8D57
WEYL_ONE = 0x9E3779B9
WEYL_TWO = 0xBB67AE85
ROUNDS = 10


def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """Four words of 32 bits for a counter of four and a key of two."""
    for _ in range(ROUNDS):
        one = MULTIPLIER_ONE * c0
        two = MULTIPLIER_TWO * c2
        c0, c1, c2, c3 = (
            ((two >> 32) & M32) ^ c1 ^ k0,
            two & M32,
            ((one >> 32) & M32) ^ c3 ^ k1,
            one & M32,
        )
        k0 = (k0 + WEYL_ONE) & M32
        k1 = (k1 + WEYL_TWO) & M32
    return c0, c1, c2, c3


def die_of(word: int) -> int:
    """A die from a word. Its faces differ in chance by less than two in a thousand million."""
    return 1 + (word * 6 >> 32)


def die(seed: int, battle: int, k: int, stream: int = 0) -> int:
    """Die number `k` (from 0) of a battle."""
    return die_of(philox(k >> 2, stream, battle & M32, battle >> 32, seed & M32, seed >> 32)[k & 3])


class PhiloxDice:
    """These dice as a source for the procedures: draw number k is die k."""

    name = "philox"

    def __init__(self, seed: int, battle: int, stream: int = 0) -> None:
        self.seed, self.battle, self.stream = seed, battle, stream

    def dice(self, count: int, draw: int) -> list[int]:
        """The dice of these draws."""
        found: list[int] = []
        for block in range(draw >> 2, (draw + count + 3) >> 2):
            words = philox(block, self.stream, self.battle & M32, self.battle >> 32, self.seed & M32, self.seed >> 32)
            found += map(die_of, words)
        skipped = draw & 3
        return found[skipped : skipped + count]
