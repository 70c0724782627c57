"""Compiling kernels with less ado changes nothing for anybody else, and nothing in what they do."""

from __future__ import annotations

from pathlib import Path

import numba
import numpy as np
import pytest

from flagplot.odds import lean
from flagplot.odds.jit import Words, jit, segment


@jit
def _twice(s: Words, place: int) -> int:
    """Part of a kernel."""
    return int(2 * s[place])


def test_numba_is_as_we_know_it() -> None:
    assert lean.LEAN


def test_a_part_of_kernels_is_not_called_from_outside() -> None:
    with pytest.raises(TypeError, match="_twice is compiled to be part of other kernels"):
        _twice(np.zeros(4, np.int32), 1)


def test_a_segment_made_of_parts_does_what_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def doubled(s: Words, c: Words) -> None:
        for place in range(3):
            s[place] = _twice(c, place) + 1

    s, c = np.zeros(3, np.int32), np.array([5, 6, 7], np.int32)
    segment(doubled)(s, c)
    assert list(s) == [11, 13, 15]


def test_other_compiled_functions_may_count_from_the_end() -> None:
    last = numba.njit(lambda row: row[-1])
    assert last(np.array([1, 2, 3], np.int32)) == 3
