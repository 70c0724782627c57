"""A list whose older part can be put away: it reads as if nothing had been packed."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.core.packed import FEW, Packed


@given(
    st.lists(st.integers(1, 40), max_size=6),
    st.integers(-150, 150),
    st.integers(-150, 150),
    st.sampled_from([1, 2, -1, None]),
)
def test_it_reads_like_a_list_however_often_it_is_packed(
    parts: list[int], start: int, stop: int, step: int | None
) -> None:
    plain: list[int] = []
    packed: Packed[int] = Packed()
    for part in parts:
        for number in range(part):
            plain.append(number)
            packed.append(number)
        packed.pack()
    assert packed == plain
    assert len(packed) == len(plain)
    assert packed[start:stop:step] == plain[start:stop:step]
    for index in (start, stop):
        if -len(plain) <= index < len(plain):
            assert packed[index] == plain[index]
        else:
            with pytest.raises(IndexError):
                packed[index]


def test_little_is_not_worth_packing() -> None:
    packed = Packed(range(FEW))
    packed.pack()
    assert packed[-1] == FEW - 1
    assert not packed._chunks


def test_what_is_packed_takes_little_room() -> None:
    packed = Packed({"rule": "22.55", "number": number % 7} for number in range(1000))
    packed.pack()
    assert sum(sys.getsizeof(chunk) for chunk in packed._chunks) < 20_000


def test_two_are_equal_by_what_is_in_them_and_nothing_else_is() -> None:
    one, two = Packed([1, 2]), Packed([1, 2])
    assert one == two
    assert one != (1, 2)


def test_it_shows_what_is_in_it() -> None:
    packed = Packed(range(FEW + 1))
    packed.pack()
    assert repr(packed) == f"Packed({list(range(FEW + 1))})"
