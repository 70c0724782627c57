"""20.511, 20.58, 22.41, 22.552A: how ships and segments are written in questions. What cannot be is refused, never taken for
something else.
"""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError


def speed(light: dict[str, int], **keys: Any) -> dict[str, Any]:
    return api.call("group_speed", {"group": {"light": light, **keys}})


@pytest.mark.ledger("22.422A")
def test_a_damaged_cruiser_is_slow_however_she_is_written() -> None:
    for key in ("Japan/CA/damaged", "Japan/CA/Damaged", "japan/ca/DAMAGED", "Japan/cruisers/damaged"):
        assert speed({key: 1})["slow_units"] == ["Japan/CA/damaged"]


@pytest.mark.ledger("22.427")
def test_loaded_destroyers_carry_something_however_they_are_written() -> None:
    for key in ("Japan/DD/loaded", "Japan/dd/Loaded", "Japan/destroyers/loaded"):
        assert speed({key: 2})["encumbered"]


@pytest.mark.ledger("20.511")
@pytest.mark.parametrize("key", ["Japan/DD/damaged", "United States/CVE/damaged", "Japan/TR/damaged", "Japan/DD/sunk"])
def test_one_factor_ships_are_never_damaged(key: str) -> None:
    with pytest.raises(PlayerError, match=r"20\.511.*cruisers may be damaged"):
        speed({key: 1})


@pytest.mark.ledger("20.58")
@pytest.mark.parametrize("key", ["Japan/CA/loaded", "United States/CVE/loaded"])
def test_only_destroyers_and_transports_carry_cargo(key: str) -> None:
    with pytest.raises(PlayerError, match=r"20\.58.*destroyers and transports loaded"):
        speed({key: 1})


@pytest.mark.parametrize("key", ["DD", "Japan/BB", "Japan/DD/loaded/twice", "Japan/zeppelin"])
def test_what_is_no_light_ship_is_refused(key: str) -> None:
    with pytest.raises(PlayerError, match="are no light ships"):
        speed({key: 1})


@pytest.mark.ledger("22.82A")
def test_cargo_is_carried_by_destroyers_or_transports() -> None:
    cargo = {"name": "a corps", "needs": 2, "by": "transports"}
    lost = {"axis": {"light": {"Japan/TR/loaded": 2}, "cargo": [cargo]}, "allies": {"light": {"United States/DD": 4}}}
    answer = api.call("fleet_combat_result", lost, dice=[4, 4])  # four factors at 8-1+1: one hit, one transport
    assert answer["sides"]["axis"]["cargo_lost"] == ["a corps"]
    for wrong in ({"by": "BB"}, {"needs": -1}):
        with pytest.raises(PlayerError, match="DD .destroyer factors. or TR .transports."):
            speed({"Japan/TR/loaded": 2}, cargo=[{**cargo, **wrong}])


@pytest.mark.ledger("22.552A")
@pytest.mark.parametrize(
    ("nation", "kind", "size", "drm"),
    [
        ("Japan", "bb", 5, 4),
        ("Japan", "battleships", 5, 4),
        ("United States", "cve", 1, 0),
        ("United States", "escort carrier", 1, 0),
        ("Germany", "Submarine", 1, 3),
        ("Germany", "sub", 1, 3),
        ("Britain", "cvl", 2, 1),
    ],
)
def test_the_chart_knows_a_ship_however_her_kind_is_written(nation: str, kind: str, size: int, drm: int) -> None:
    assert api.call("nationality_drm", {"nation": nation, "kind": kind, "size": size})["drm"] == drm


def test_a_kind_the_chart_could_not_know_is_refused() -> None:
    with pytest.raises(PlayerError, match="'zeppelin' is no kind of ship; there are BB"):
        api.call("nationality_drm", {"nation": "Japan", "kind": "zeppelin"})


@pytest.mark.ledger("22.54A")
def test_named_ships_rank_however_their_kinds_are_written() -> None:
    ships = [{"id": "bc", "kind": "battlecruiser", "size": 3}, {"id": "bb", "kind": "bb", "size": 4}]
    assert api.call("rank", {"ships": [{"nation": "Japan", **ship} for ship in ships]})["order"] == ["bb", "bc"]
    with pytest.raises(PlayerError, match="'destroyer' is no kind of named ship"):
        api.call("rank", {"ships": [{"nation": "Japan", "kind": "destroyer", "size": 2}]})


@pytest.mark.ledger("22.82A")
def test_cargo_of_transports_is_short_of_transports() -> None:
    answer = api.call("cargo_loss", {"cargo": [{"name": "oil", "needs": 4, "by": "transports"}], "transports": 3})
    assert answer["shortage"] == {"TR": 1}
    with pytest.raises(PlayerError, match="-2 is no number of destroyer factors"):
        api.call("cargo_loss", {"cargo": [], "destroyers": -2})


@pytest.mark.ledger("22.54D")
def test_no_more_cruisers_are_damaged_than_there_are() -> None:
    with pytest.raises(PlayerError, match="-2 is no number of undamaged cruisers"):
        api.call("light_factors", {"cruisers": 1, "cruisers_damaged_by_capital_fire": 3})


@pytest.mark.ledger("22.61")
@pytest.mark.parametrize("segment", ["withdrawal", "Withdrawal", "end of the round", "Between rounds"])
def test_the_end_of_a_round_is_known_by_other_words(segment: str) -> None:
    assert api.call("may_withdraw", {"segment": segment})["allowed"]


@pytest.mark.ledger("22.524C")
def test_any_other_segment_is_none_to_withdraw_in_and_what_is_no_segment_is_refused() -> None:
    for segment in ("Fleet combat", "Submarine attacks", "search"):
        assert api.call("may_withdraw", {"segment": segment})["rule"] == "22.524C"
    for segment in ("lunch", "sortie"):
        with pytest.raises(PlayerError, match=r"no segment of a round .22\.41.; there are formation"):
            api.call("may_withdraw", {"segment": segment})


@pytest.mark.ledger("22.552A")
@pytest.mark.parametrize(
    ("nation", "drm"), [("UK", 2), ("Japanese", 3), ("Swedish", 2), ("Australian", 2), ("greece", 0)]
)
def test_the_chart_knows_a_nation_however_it_is_written(nation: str, drm: int) -> None:
    assert api.call("nationality_drm", {"nation": nation})["drm"] == drm
