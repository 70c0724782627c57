"""The equilibrium of a secret simultaneous choice: a mixture that nobody can profit from knowing.

The law here: what one side gains the other loses, so a linear program finds the mixture that does best against the
answer that hurts it most (SciPy's HiGHS), and with it, as the prices of that program, the other side's. Everything said of a
choice is read off the same table of payoffs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

CLOSE = 1e-9
Payoffs = NDArray[np.float64]  # a row for each own choice, a column for each of the enemy's


class Equilibrium(NamedTuple):
    """The mixtures of both sides, and what the game is then worth to the one that chooses rows."""

    own: NDArray[np.float64]
    enemy: NDArray[np.float64]
    value: float


def equilibrium(payoffs: Payoffs) -> Equilibrium:
    """Solve for both sides."""
    own, enemy = _best(payoffs)
    if (payoffs @ enemy).max() > (own @ payoffs).min() + CLOSE:  # the prices are no mixture of his that holds
        enemy, _ = _best(-payoffs.T)
    return Equilibrium(own, enemy, float(own @ payoffs @ enemy))


def _best(payoffs: Payoffs) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mixture of rows whose worst column is best, and the mixture of columns that holds it to that."""
    from scipy.optimize import linprog  # takes its time to load

    rows, columns = payoffs.shape
    # Variables: a share of each row, and the value; the value is the least payoff over all columns.
    found = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0).reshape(1, -1),
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    if not found.success:  # a finite table always has a solution
        raise ArithmeticError(f"no equilibrium was found: {found.message}")
    return _shares(found.x[:-1]), _shares(-found.ineqlin.marginals)


def _shares(of: NDArray[np.float64]) -> NDArray[np.float64]:
    """A mixture: nothing less than nothing, and one in all; where there is nothing, all alike."""
    shares = np.clip(of, 0, None)
    whole = shares.sum()
    return np.asarray(shares / whole if whole > 0 else np.full(len(shares), 1 / len(shares)), np.float64)


def exploitable(payoffs: Payoffs, mixture: NDArray[np.float64], value: float) -> float:
    """What a mixture of rows loses against an enemy who knows it."""
    return float(value - (mixture @ payoffs).min())


def cost_of_rows(payoffs: Payoffs, solved: Equilibrium) -> NDArray[np.float64]:
    """What each pure row costs against the enemy's mixture."""
    return np.asarray(solved.value - payoffs @ solved.enemy, np.float64)
