"""Any edition with any options, drawn by a seed: for properties that must hold whatever the group has chosen."""

from __future__ import annotations

from random import Random
from typing import Any

from flagplot.editions.current import EDITIONS
from flagplot.editions.options import OPTIONS


def any_rules(seed: int | str, edition: str = "") -> dict[str, Any]:
    """An edition, this one if it is given, and of every option any of its values; as `Game.new` wants them."""
    random = Random(f"rules {seed}")
    drawn = random.choice(list(EDITIONS))
    options = {name: random.choice(list(option.values)) for name, option in OPTIONS.items()}
    return {"edition": edition or drawn, "options": options}
