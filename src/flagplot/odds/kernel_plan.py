"""What may be asked of a compiled battle: the operations of a plan, one for each number of an outcome (outcomes.py).

Numbers only, so that a plan can be made without loading compiled code.
"""

from __future__ import annotations

# Operations, and how many words of a plan one number takes: operation, side, two operands, the most it can be.
(
    VICTOR,
    ROUNDS,
    FACTORS_SUNK,
    FACTORS_DAMAGED,
    SQUADRONS_LOST,
    BOATS_LOST,
    CARGO_LOST,
    CARGO_THROUGH,
    LINE_CUT,
    SHIP,
    LIGHT_SUNK,
    LIGHT_DAMAGED,
    TYPE_LOST,
    GROUP,
) = range(14)
PLAN_WORDS = 5
UNTOUCHED, HIT, DAMAGED, SUNK = range(4)
WHOLE, HURT, GONE = range(3)
