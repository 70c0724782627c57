"""The dice of the odds: the published vectors of Philox4x32-10, and the same dice in plain Python and compiled."""

from __future__ import annotations

from collections import Counter

import numba
import numpy as np
import pytest

from flagplot.odds.philox import PhiloxDice, die, philox

# From the known-answer tests of the Random123 library.
VECTORS = [
    ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


@pytest.mark.parametrize(("counter", "key", "expected"), VECTORS)
def test_published_vectors(counter: tuple[int, ...], key: tuple[int, ...], expected: str) -> None:
    assert " ".join(f"{word:08x}" for word in philox(*counter, *key)) == expected
    compiled = numba.njit(philox)
    assert " ".join(f"{word:08x}" for word in compiled(*counter, *key)) == expected


@pytest.mark.parametrize(("seed", "battle"), [(0, 0), (2**63 + 5, 2**32 + 9), (20_261_116, 7)])
def test_draws_do_not_depend_on_how_they_are_asked_for(seed: int, battle: int) -> None:
    source = PhiloxDice(seed, battle)
    whole = [die(seed, battle, k) for k in range(40)]
    assert source.dice(40, 0) == whole
    assert [pips for first in range(0, 40, 5) for pips in source.dice(5, first)] == whole
    assert source.dice(0, 3) == []
    assert PhiloxDice(seed, battle, stream=1).dice(40, 0) != whole


def test_the_faces_are_even() -> None:
    """Chi-square over 60,000 dice: five degrees of freedom, 20.5 is passed by one in a thousand."""
    counts = Counter(pips for battle in range(600) for pips in PhiloxDice(1, battle).dice(100, 0))
    assert set(counts) == set(range(1, 7))
    assert float(sum((np.array(list(counts.values())) - 10_000) ** 2) / 10_000) < 20.5
