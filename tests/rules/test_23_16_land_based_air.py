"""What land-based air may still do in a player turn, and when it inverts (23.16, with 23.11 and 23.462B)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.rules.air import conversion
from flagplot.rules.air.conversion import AT_SEA, GROUND_OR_AIR, MISSIONS, ROLE_OF, Use, bar_to, may_still_fly


@pytest.mark.ledger("23.151", "23.11C", "23.11D", "23.11E", "23.11F")
@pytest.mark.parametrize(
    ("activity", "units"),
    [
        ("spot", ["search AAS", "NAS"]),
        ("search", ["search AAS", "NAS"]),
        ("combat air patrol", ["carrier NAS"]),
        ("cover", ["cover AAS", "NAS"]),
        ("attack at sea", ["attack AAS", "NAS", "carrier NAS", "kamikaze"]),
        ("attack in port", ["AAF", "NAS", "carrier NAS", "kamikaze"]),
    ],
)
def test_each_kind_of_unit_has_its_own_naval_activities(activity: str, units: list[str]) -> None:
    kinds = ["AAF", "search AAS", "cover AAS", "attack AAS", "NAS", "carrier NAS", "kamikaze"]
    assert [unit for unit in kinds if conversion.may_perform(unit, activity)] == units


@pytest.mark.ledger("23.151")
def test_a_squadron_of_one_role_is_barred_from_the_others() -> None:
    bar = bar_to([], "attack at sea", unit="cover AAS")
    assert bar == ("23.151", "attack at sea is done by attack AAS or NAS, not by cover AAS")
    assert may_still_fly([], "cover", unit="cover AAS")
    assert may_still_fly([], "spot", unit="search AAS") and not may_still_fly([], "spot", unit="attack AAS")
    assert may_still_fly([], "counterair", unit="cover AAS")  # as part of a factor


@pytest.mark.ledger("23.161.1")
def test_only_uninverted_squadrons_in_operational_bases_act_at_sea() -> None:
    for activity in AT_SEA:
        assert bar_to([], activity) is None
        assert bar_to([], activity, inverted=True) == ("23.161", "it is inverted")
        assert bar_to([], activity, operational=False) == ("23.161", "its base is not operational")
    assert bar_to([], "ground support", inverted=True) == ("23.144", "it is inverted")
    assert bar_to([], "ground support", operational=False) is None


@pytest.mark.ledger("23.161.1")
def test_a_squadron_may_serve_every_naval_activity_that_passes() -> None:
    uses: list[Use] = []
    for number, activity in enumerate(("search", "cover", "attack at sea") * 3):
        assert may_still_fly(uses, activity, f"hex {number}")
        uses.append(Use(activity, f"hex {number}"))


@pytest.mark.ledger("23.751B.1", "23.752A.1")
def test_a_squadron_attacks_once_in_a_round_or_hex_and_covers_as_often_as_it_is_wanted() -> None:
    attacked = [Use("attack at sea", "round 1")]
    bar = bar_to(attacked, "attack at sea", "round 1")
    assert bar is not None and bar.rule == "23.751B"
    assert may_still_fly(attacked, "attack at sea", "round 2")
    assert may_still_fly([Use("cover", "round 1")], "cover", "round 1")  # against a second strike (23.416B)


@pytest.mark.ledger("23.161.2")
def test_a_squadron_has_one_role_in_a_round_or_hex() -> None:
    for first, second in product(ROLE_OF, repeat=2):
        uses = [Use(first, "round 1")]
        assert may_still_fly(uses, second, "round 1") == (first == second != "attack at sea")  # once only (23.751B)
        assert may_still_fly(uses, second, "round 2")
        assert may_still_fly(uses, second)
    bar = bar_to([Use("spot", "round 1"), Use("cover", "round 1")], "search", "round 1")
    assert bar == ("23.161", "it has another role in this round or hex (cover)")
    assert may_still_fly([Use("spot", "round 1")], "attack at sea", "round 1")
    assert may_still_fly([Use("cover", "round 1")], "spot", "round 1")


@pytest.mark.ledger("23.161.ex")
def test_air_in_sicily_strikes_one_force_in_each_hex_and_then_joins_a_battle_with_another() -> None:
    uses: list[Use] = []
    for where in ("Alexandria TF, hex 1", "Alexandria TF, hex 2", "Gibraltar TF, round 1", "Gibraltar TF, round 2"):
        assert may_still_fly(uses, "attack at sea", where, unit="attack AAS")
        uses.append(Use("attack at sea", where))
    assert may_still_fly(uses, "attack at sea", "interceptors of the escort to Tripoli", unit="attack AAS")


@pytest.mark.ledger("22.442B")
@pytest.mark.parametrize(
    "mission",
    [
        "ground support",
        "defensive air support",
        "interception of defensive air support",
        "interception of air transport",
        "counter-interception of air transport",
    ],
)
def test_air_committed_on_the_ground_or_to_intercept_air_missions_joins_no_naval_battle(mission: str) -> None:
    with_it = {
        "unit": "NAS",
        "uses": [{"activity": mission}],
        "later": [{"activity": "cover", "occasion": "round 1"}],
    }
    told = api.call("air_unit_uses", with_it)
    assert told["legal"] == [False]


@pytest.mark.ledger("23.162.1")
def test_air_on_a_mission_takes_no_part_at_sea() -> None:
    for mission, activity in product(MISSIONS, AT_SEA):
        bar = bar_to([Use(mission)], activity, "hex 1")
        assert bar == ("23.162", f"it is on a mission this player turn ({mission})")


def test_raiders_of_a_port_may_go_after_ships_that_flee_it_and_after_no_others() -> None:
    for mission in ("attack in port", "counterair"):
        assert bar_to([Use(mission)], "attack at sea", fleeing=True) is None
        assert bar_to([Use(mission)], "search", fleeing=True) is None
        after = [Use(mission), Use("attack at sea", "Taranto")]
        assert bar_to(after, "attack at sea", "hex 1") == ("23.162", f"it is on a mission this player turn ({mission})")
    assert bar_to([Use("ground support")], "attack at sea", fleeing=True) is not None
    assert bar_to([], "attack at sea", fleeing=True) is None


@pytest.mark.ledger("23.162.2")
def test_air_used_at_sea_flies_no_mission_on_the_ground_or_in_the_air() -> None:
    for activity, mission in product(ROLE_OF, GROUND_OR_AIR):
        bar = bar_to([Use(activity, "hex 1")], mission)
        assert bar == ("23.162", "it has searched, covered or attacked at sea this player turn")


@pytest.mark.ledger("23.162.2")
def test_spotting_commits_nobody() -> None:
    assert not conversion.is_committed([Use("spot", "hex 1")])
    for mission in MISSIONS:
        assert may_still_fly([Use("spot", "hex 1")], mission, unit="search AAS")
    squadrons = [{"role": role} for role in ("search", "cover", "attack")]
    spotted = api.call("recombine_air", {"squadrons": squadrons, "activity": "counterair"})
    assert spotted["may_fly"] == 1


def test_an_attack_in_port_is_no_mission_on_the_ground_or_in_the_air() -> None:
    assert may_still_fly([Use("cover", "hex 1")], "attack in port")


@pytest.mark.ledger("23.163")
def test_the_squadrons_of_one_factor_work_in_different_hexes_and_at_different_times() -> None:
    broken = conversion.break_down(1)
    assert broken.uninverted == {"search": 1, "cover": 1, "attack": 1}
    for activity, where in (("search", "hex 1"), ("cover", "hex 2"), ("attack at sea", "hex 3")):
        unit = f"{ROLE_OF[activity]} AAS"
        assert may_still_fly([], activity, where, unit=unit)
        assert may_still_fly([Use(activity, where)], activity, "round 1", unit=unit)


@pytest.mark.ledger("23.164.1")
def test_air_used_at_sea_inverts_when_the_redeployment_phase_ends_or_when_it_redeploys() -> None:
    for activity in ROLE_OF:
        assert conversion.inversion([Use(activity, "hex 1")]) == "redeployment phase"
        assert conversion.inversion([Use(activity, "hex 1")], redeploys=True) == "at once"


@pytest.mark.ledger("23.11A.2")
def test_air_that_only_spotted_is_not_inverted() -> None:
    assert conversion.inversion([Use("spot", "hex 1")]) == "never"
    assert conversion.inversion([], redeploys=True) == "never"


@pytest.mark.ledger("23.164.2")
def test_inverted_air_that_did_not_redeploy_is_turned_again_when_its_own_player_turn_ends() -> None:
    for redeployed, own in product((False, True), repeat=2):
        expected = own and not redeployed
        assert conversion.may_be_uninverted(redeployed=redeployed, own_player_turn=own) is expected


@pytest.mark.ledger("23.164.ex")
def test_german_air_strikes_the_interceptors_of_supply_transport_and_escort_before_it_inverts() -> None:
    uses: list[dict[str, Any]] = []
    for target in ("interceptors of the supply line", "interceptors of the transport", "interceptors of the escort"):
        use = {"activity": "attack at sea", "occasion": target}
        answer = api.call("air_unit_uses", {"unit": "attack AAS", "uses": uses, "later": [use]})
        assert answer["legal"] == [True]
        uses.append(use)
    answer = api.call("air_unit_uses", {"unit": "attack AAS", "uses": uses, "later": []})
    assert (answer["inverts"], answer["may_be_uninverted"]) == ("redeployment phase", True)
    moved = api.call("air_unit_uses", {"unit": "attack AAS", "uses": uses, "later": [], "redeploys": True})
    assert (moved["inverts"], moved["may_be_uninverted"]) == ("at once", False)


@pytest.mark.ledger("23.165")
def test_searching_covering_and_attacking_at_sea_cost_nothing() -> None:
    assert [activity for activity in (*AT_SEA, *MISSIONS) if conversion.costs_nothing(activity)] == list(ROLE_OF)


def test_the_answer_says_why_something_is_barred() -> None:
    answer = api.call(
        "air_unit_uses",
        {
            "uses": [{"activity": "cover", "occasion": "hex 1"}],
            "later": [{"activity": "search", "occasion": "hex 1"}, {"activity": "ground support"}],
        },
    )
    search, support = answer["later"]
    assert (search["legal"], search["rule"], search["costs_nothing"]) == (False, "23.161", True)
    assert (support["legal"], support["rule"], support["costs_nothing"]) == (False, "23.162", False)
    assert (answer["committed"], answer["inverted_at_end_of_redeployment"]) == (True, True)
    idle = api.call("air_unit_uses", {"later": [{"activity": "cover"}], "inverted": True, "own_player_turn": False})
    assert (idle["legal"], idle["inverts"], idle["may_be_uninverted"]) == ([False], "never", False)
    fleeing = {"uses": [{"activity": "attack in port"}], "later": [{"activity": "attack at sea", "fleeing": True}]}
    assert api.call("air_unit_uses", fleeing)["legal"] == [True]


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"unit": "AAF", "later": []}, "'AAF' is no land-based squadron; there are NAS, search AAS"),
        ({"later": [{"activity": "base defense"}]}, "'base defense' is nothing aircraft do here"),
        (
            {"uses": [{"activity": "counterair"}, {"activity": "cover"}], "later": []},
            r"NAS cannot have done that \(cover\): it is on a mission this player turn \(counterair\) \(23.162\)",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(asked: dict[str, Any], reason: str) -> None:
    with pytest.raises(PlayerError, match=reason):
        api.call("air_unit_uses", asked)


def test_an_activity_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing aircraft do here"):
        conversion.costs_nothing("bowling")
    with pytest.raises(ValueError, match="there are spot, search, combat air patrol"):
        conversion.may_perform("NAS", "bowling")
