"""22.1, 22.2: names as players write them mean what the rules say, or are refused; none is taken for another."""

from __future__ import annotations

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError


@pytest.mark.ledger("22.11A.5", "22.11A.6")
def test_the_axis_powers_need_not_be_called_axis() -> None:
    freight = {"activity": "SW box redeployment", "transports": True, "origin": "Truk", "destination": "Pacific SW box"}
    assert api.call("may_be_intercepted", {"mover": {**freight, "nation": "Japan"}})["may"]
    assert not api.call("may_be_intercepted", {"mover": {**freight, "nation": "Britain"}})["may"]
    north = {"mover": {"nation": "German", "origin": "bergen", "destination": "OSLO"}, "norwegian_coastal_hex": True}
    assert not api.call("may_be_intercepted", north)["may"]
    assert api.call("may_be_intercepted", {**north, "norwegian_coastal_hex": False})["may"]


@pytest.mark.ledger("22.11B.1")
@pytest.mark.parametrize(
    "box", ["U.S.", "US box", "Atlantic US box", "United States", "south_africa", "Pacific SW Box"]
)
def test_ships_in_a_box_that_bars_them_do_not_intercept_however_it_is_written(box: str) -> None:
    assert not api.call("may_intercept", {"hunter": {"box": box}})["may"]
    assert api.call("may_intercept", {"hunter": {"box": "Australia box"}})["may"]


@pytest.mark.ledger("22.22G.4b")
def test_aircraft_and_nations_are_known_by_other_words() -> None:
    units = [
        {"id": "r", "kind": "search_aas", "nation": "Russian", "reaches": ["h"]},
        {"id": "n", "kind": "NAS", "nation": "British", "reaches": ["h"]},
        {"id": "c", "kind": "carrier NAS", "nation": "British", "reaches": ["h"]},
    ]
    asked = {"air_units": units, "route": ["h"], "hex": "h", "nation": "british", "russo_allied_restrictions": True}
    assert api.call("spotters", asked)["counting"] == ["n"]


@pytest.mark.parametrize("name", ["NR", "naval_redeployment", "Naval Redeployments"])
def test_activities_and_forces_may_be_written_in_other_ways(name: str) -> None:
    asked = {"target": {"activity": name}, "forces": [{"id": "A", "distance": 1, "kind": "Non-TF", "ships": ["CVEs"]}]}
    assert api.call("interception_dice", {**asked, "cards": 1})["dice"] == {
        "A": 0
    }  # one, and one fewer for a slow ship
    with pytest.raises(PlayerError, match="'fleet' is no kind of force; there are TF, loose, submarine"):
        api.call("interception_dice", {"forces": [{"id": "A", "distance": 1, "kind": "fleet"}]})


@pytest.mark.ledger("22.22C")
def test_levels_and_places_may_be_written_with_other_marks() -> None:
    asked = {"level": "Counter_Interception", "place": "interception_hex", "forces": [{"id": "A", "distance": 1}]}
    assert api.call("interception_dice", asked)["dice"] == {"A": 2}
    with pytest.raises(PlayerError, match="level"):
        api.call("interception_dice", {**asked, "level": "fourth"})
