"""The tables of the guns and of submarines as flat arrays for compiled battles: 20.51, 22.55, 22.94 of the current edition.

Each cell is read from the table itself; rows beyond the last are added as the table adds them.
"""

from __future__ import annotations

import numpy as np

from flagplot.editions.current import CURRENT
from flagplot.odds.kernel_layout import MOST_FACTORS

COLUMNS = 11  # rolls 2 to 12

NAVAL_ATTACK = np.array(
    [
        CURRENT.attack.read_fleet(factors, roll).hits if factors else 0
        for factors in range(MOST_FACTORS + 1)
        for roll in range(2, 13)
    ],
    np.int32,
)

SUBMARINE_FIRST, SUBMARINE_LAST = CURRENT.submarine.columns[0], CURRENT.submarine.columns[-1]
SUBMARINE_HITS = np.array([CURRENT.submarine.read(roll).hits for roll in CURRENT.submarine.columns], np.int32)
SUBMARINE_LOST = np.array([CURRENT.submarine.read(roll).submarine_lost for roll in CURRENT.submarine.columns], np.int32)
