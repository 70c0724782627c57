"""26.761D, 27.721: ships eliminated in the yards are gone: no dispatch brings them back to sea or into a yard."""

from __future__ import annotations

import pytest

from flagplot.model.war_events import BombingTold
from tests.rules.war_table import BASES, WarTable, setup, target

KIEL = target("Kiel", "Germany", kind="shipyard", value=0, defences={"anchors": 1}, distances={"Britain": 4})
SHIP = {"name": "Gneisenau", "power": "Germany", "yard": "Kiel", "size": 3, "row": 1, "column": 2}


@pytest.mark.ledger("26.761D", "26.76.1", "21.537A.1")
def test_a_ship_destroyed_in_a_yard_neither_raids_nor_is_built_again() -> None:
    """Twenty bombers on 7: at least five first and nine second numbers, far more columns than she has rows."""
    raiders = [
        {"name": "Battlecruisers", "nation": "Germany", "box": "Atlantic", "ships": ["Gneisenau", "Scharnhorst"]}
    ]
    hunters = [{"name": "Force H", "nation": "Britain", "box": "Atlantic", "cruisers": 1}]
    escort = {"name": "Home Fleet", "nation": "Britain", "destroyers": 1}
    north = {"name": "Northern squadron", "nation": "Germany", "ships": ["Gneisenau"]}
    table = WarTable(
        setup(
            {"at": "Axis Spring 1942", "targets": [KIEL], "air_bases": BASES},
            {"at": "Allied Spring 1942", "yards": [SHIP]},
            {
                "at": "Axis Summer 1942",
                "raiders": raiders,
                "hunters": hunters,
                "yards": [SHIP],
                "murmansk": {"brps": 3, "escort": escort, "ships": north},
            },
            places={"western": {"Britain strategic bomber": 20}},
            end="Summer 1942",
        ),
        {("Allied Spring 1942", "strategic bombing"): {"Britain strategic bomber, western": "Kiel"}},
        {"bombers over Kiel": 7, "the defences of Kiel": 2},
    ).to_end()
    assert table.events(BombingTold)[0].sunk_in_yard == ("Gneisenau",)
    war = table.war
    assert war.sunk_ships == ("gneisenau",) and war.yards == ()
    assert [ship.id for raider in war.raiders for ship in raider.force.ships] == ["scharnhorst"]
    assert war.murmansk.ships.ships == ()
