"""What becomes of aircraft when a phase or a player turn is over (23.141, 23.144, 23.152D, 23.164)."""

from __future__ import annotations

import pytest

from flagplot import api
from flagplot.model.squadrons import AirBase
from flagplot.rules.air.upkeep import invert_used, put_together_after_counterair, put_together_all, uninvert

SET = {f"Germany/AAS/{role}": 1 for role in ("search", "cover", "attack")}


@pytest.mark.ledger("23.164.1", "23.164.ex")
def test_what_acted_at_sea_is_inverted_at_the_end_of_the_redeployment_phase_and_only_that() -> None:
    base = AirBase("Catania", squadrons={**SET, "Italy/NAS": 2}, used={"Germany/AAS/attack": 1})
    after = invert_used(base, {"Germany/AAS/attack": 1, "Italy/NAS": 1})
    assert after.inverted == {"Germany/AAS/attack": 1, "Italy/NAS": 1}
    assert after.squadrons == {"Germany/AAS/search": 1, "Germany/AAS/cover": 1, "Italy/NAS": 1} and not after.used
    assert invert_used(base, {"Germany/AAS/attack": 4}).inverted == {"Germany/AAS/attack": 1}  # the others are lost


@pytest.mark.ledger("23.164.2")
def test_at_the_end_of_its_player_turn_what_did_not_redeploy_is_turned_again() -> None:
    base = AirBase("Catania", inverted={"Italy/NAS": 2}, inverted_factors={"Germany/AAF": 2})
    after = uninvert(base, {"Italy/NAS": 1, "Germany/AAF": 1})
    assert (after.squadrons, after.inverted) == ({"Italy/NAS": 1}, {"Italy/NAS": 1})
    assert (after.factors, after.inverted_factors) == ({"Germany/AAF": 1}, {"Germany/AAF": 1})


@pytest.mark.ledger("23.141C", "23.142A", "23.142B.2", "23.144.1")
def test_at_the_end_of_a_player_turn_squadrons_become_factors_each_nation_by_itself() -> None:
    squadrons = {**SET, "Italy/AAS/cover": 2, "Germany/NAS": 1}
    base = AirBase("Catania", squadrons=squadrons, inverted={"Germany/AAS/cover": 1}, factors={"Germany/AAF": 1})
    after, lost = put_together_all(base)
    assert after.factors == {"Germany/AAF": 2} and after.inverted_factors == {"Italy/AAF": 1}
    assert after.squadrons == {"Germany/NAS": 1} and not after.inverted
    assert lost == {"Germany/AAS": 1}


@pytest.mark.ledger("23.152D")
def test_after_counterair_the_factors_formed_are_inverted() -> None:
    after, lost = put_together_after_counterair(AirBase("Catania", squadrons=dict(SET)))
    assert after.inverted_factors == {"Germany/AAF": 1} and not after.factors and not lost


def test_a_base_is_asked_for_by_what_is_over() -> None:
    base = {"name": "Catania", "squadrons": SET}
    turned = api.call("base_after", {"base": base, "when": "redeployment phase", "used": {"Germany/AAS/cover": 1}})
    assert turned["base"]["inverted"] == {"Germany/AAS/cover": 1}
    for when, where in (("counterair", "inverted_factors"), ("player turn", "factors")):
        told = api.call("base_after", {"base": base, "when": when})
        assert told["base"][where] == {"Germany/AAF": 1} and told["lost"] == {}
    awake = {"name": "Catania", "inverted": {"Italy/NAS": 1}}
    assert api.call("base_after", {"base": awake, "when": "own player turn"})["base"]["squadrons"] == {"Italy/NAS": 1}
