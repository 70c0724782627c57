"""The edition of 2008: what the charts and the changes of 2008 say otherwise than the current rules (RC-01).

Whatever 2008 does not tell us is taken from the current edition.
"""

from __future__ import annotations

from dataclasses import replace

from flagplot.rules.naval.fleet_combat_2008 import fleet_combat_of_2008
from flagplot.rules.table import Ruleset


def of_2008(current: Ruleset) -> Ruleset:
    """The current edition with the tables and procedures of 2008 in its slots."""
    return replace(
        current,
        edition="2008",
        fleet_combat=fleet_combat_of_2008,
    )
