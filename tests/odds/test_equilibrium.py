"""Equilibria: games whose solution is known, and what must hold of any."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from flagplot.odds.equilibrium import cost_of_rows, equilibrium, exploitable


def test_stone_scissors_paper() -> None:
    solved = equilibrium(np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], float))
    assert solved.own == pytest.approx([1 / 3] * 3)
    assert solved.enemy == pytest.approx([1 / 3] * 3)
    assert solved.value == pytest.approx(0)


def test_a_saddle_is_played_pure() -> None:
    """The second row is never worse than the first: its least payoff, 2, is the value."""
    solved = equilibrium(np.array([[1, 2], [2, 3]], float))
    assert solved.own == pytest.approx([0, 1])
    assert solved.enemy == pytest.approx([1, 0])
    assert solved.value == pytest.approx(2)


def test_two_by_two_by_hand() -> None:
    """Payoffs 3, -1, -2, 1: rows 3 to 4, columns 2 to 5, value 1/7."""
    payoffs = np.array([[3, -1], [-2, 1]], float)
    solved = equilibrium(payoffs)
    assert solved.own == pytest.approx([3 / 7, 4 / 7])
    assert solved.enemy == pytest.approx([2 / 7, 5 / 7])
    assert solved.value == pytest.approx(1 / 7)
    assert exploitable(payoffs, solved.own, solved.value) == pytest.approx(0, abs=1e-9)
    assert exploitable(payoffs, np.array([1.0, 0.0]), solved.value) == pytest.approx(1 / 7 + 1)
    assert cost_of_rows(payoffs, solved) == pytest.approx([0, 0], abs=1e-9)


@given(arrays.arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.floats(-5, 5, width=32)))
def test_nobody_gains_by_leaving_it(payoffs: np.ndarray) -> None:
    solved = equilibrium(payoffs)
    assert solved.own.sum() == pytest.approx(1)
    assert solved.enemy.sum() == pytest.approx(1)
    assert (payoffs @ solved.enemy).max() <= solved.value + 1e-6
    assert (solved.own @ payoffs).min() >= solved.value - 1e-6
    assert exploitable(payoffs, solved.own, solved.value) <= 1e-6
    assert (cost_of_rows(payoffs, solved) >= -1e-6).all()
