"""26.3: what may be bombed."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.model.strategic_bombing import BombingTarget, TargetKind
from flagplot.rules.strategic.bombing_targets import attacked_otherwise, secondary_target


def bombed(name: str, country: str, **more: Any) -> tuple[bool, str]:
    air_range = more.pop("air_range", 0)
    told = api.call("may_be_bombed", {"target": {"name": name, "country": country, **more}, "air_range": air_range})
    return told["may"], told["why"][0]


@pytest.mark.ledger("26.31A")
def test_objectives_in_germany_are_targets() -> None:
    assert bombed("Berlin", "Germany", objective=True) == (True, "26.31A")
    assert bombed("Konigsberg", "Germany") == (False, "26.31A")


@pytest.mark.ledger("26.31B", "26.31C", "26.31F", "26.31G", "26.31D")
@pytest.mark.parametrize(
    ("country", "number", "names"),
    [
        ("Italy", "26.31B", ["Rome", "Milan", "Genoa"]),
        ("Britain", "26.31C", ["London", "Birmingham", "Manchester", "India box", "Australia box"]),
        ("Russia", "26.31D", ["Vladivostok", "Irkutsk", "Urals box"]),
        ("China", "26.31F", ["Chungking", "Nanking", "Canton", "Shanghai", "Peking"]),
        ("Japan", "26.31G", ["Tokyo", "Osaka", "Kagoshima"]),
    ],
)
def test_the_listed_targets_of_each_country(country: str, number: str, names: list[str]) -> None:
    for name in names:
        assert bombed(name, country) == (True, number)
    assert bombed("Elsewhere", country) == (False, number)


@pytest.mark.ledger("26.31D")
def test_any_russian_ic_is_a_target() -> None:
    assert bombed("Stalingrad", "Russia", ic=True) == (True, "26.31D")
    assert bombed("Kiev", "Russia", objective=True) == (False, "26.31D")


@pytest.mark.ledger("26.31E", "26.31.3")
def test_the_us_boxes_take_three_air_range_results() -> None:
    for box in ("Atlantic U.S. box", "Pacific U.S. box"):
        assert bombed(box, "United States", kind="box", air_range=2) == (False, "26.31E")
        assert bombed(box, "United States", kind="box", air_range=3) == (True, "26.31E")


@pytest.mark.ledger("26.31F")
def test_chinese_cities_are_targets_only_while_nationalist_china_holds_them() -> None:
    assert bombed("Nanking", "China", controller="Japan") == (False, "26.31F")


@pytest.mark.ledger("26.31H.1", "26.31H.2")
def test_ships_on_the_chart_may_be_bombed_others_are_for_ordinary_air_attack() -> None:
    for state in ("repairing", "building"):
        assert bombed("Kiel", "Germany", kind="shipyard", ships=[state]) == (True, "26.31H")
        assert not attacked_otherwise(state).holds
    for state in ("waiting", "undamaged"):
        assert bombed("Kiel", "Germany", kind="shipyard", ships=[state]) == (False, "26.31H")
        assert attacked_otherwise(state).holds
    assert bombed("Kiel", "Germany", kind="shipyard") == (False, "26.31H")


@pytest.mark.ledger("26.31I", "26.31J", "26.31K")
def test_oil_centers_german_plants_and_rocket_bases_are_targets() -> None:
    assert bombed("Ploesti", "Rumania", kind="oil center", controller="Germany") == (True, "26.31I")
    assert bombed("Ploesti", "Rumania", kind="oil center", enemy_held=False) == (False, "26.31")
    assert bombed("Leuna", "Germany", kind="synthetic oil plant") == (True, "26.31J")
    assert bombed("Somewhere", "Japan", kind="synthetic oil plant") == (False, "26.31J")
    assert bombed("Calais", "France", kind="rocket base", controller="Germany") == (True, "26.31K")


@pytest.mark.ledger("26.34")
def test_captured_key_economic_areas_and_ics_are_never_targets() -> None:
    assert bombed("Stalingrad", "Russia", ic=True, controller="Germany") == (False, "26.34")
    assert bombed("Rome", "Italy", key_economic_area=True, controller="Germany") == (False, "26.34")
    assert bombed("Rome", "Italy", key_economic_area=True, controller="Italy") == (True, "26.31B")
    assert bombed("Oslo", "Norway") == (False, "26.31")


@pytest.mark.ledger("26.34", "26.31A", "26.31C", "26.31G")
def test_what_is_listed_for_a_power_is_a_target_only_while_that_power_has_it() -> None:
    assert bombed("London", "Britain", controller="Germany") == (False, "26.34")
    assert bombed("Tokyo", "Japan", controller="United States") == (False, "26.34")
    assert bombed("Berlin", "Germany", objective=True, controller="Russia") == (False, "26.34")
    assert bombed("Berlin", "Germany", objective=True, controller="Axis") == (True, "26.31A")
    assert bombed("Rome", "Italy", controller="Axis") == (True, "26.31B")
    assert bombed("London", "Britain", controller="Western Allies") == (True, "26.31C")
    assert bombed("London", "Britain", controller="Axis") == (False, "26.34")


AREAS: dict[str, list[str]] = {"Tokyo": ["firestorm"], "Osaka": ["atomic"], "Kagoshima": ["firestorm"]}


def secondary(areas: dict[str, list[str]], **target: Any) -> dict[str, Any]:
    asked = {"name": "Yokohama", "country": "Japan", "adjacent": ["Tokyo"], **target}
    return api.call("may_be_bombed", {"target": asked, "areas": areas})


@pytest.mark.ledger("26.32.1")
def test_cities_next_to_key_economic_areas_open_up_once_all_of_those_are_struck() -> None:
    told = secondary(AREAS)
    assert (told["may"], told["why"][0], told["secondary"]) == (True, "26.32", True)
    assert not secondary({**AREAS, "Osaka": []})["may"]
    assert not secondary({**AREAS, "Osaka": ["damage"]})["may"]
    assert not secondary({})["may"]
    assert not secondary(AREAS, adjacent=["Nagoya"])["may"]
    assert not secondary(AREAS, kind="box")["may"]
    assert not secondary(AREAS, country="Italy")["may"]
    for country in ("Germany", "Britain", "Japan"):
        assert secondary(AREAS, country=country)["secondary"]


@pytest.mark.ledger("26.32.1", "26.34")
def test_a_captured_area_is_no_secondary_target_either() -> None:
    told = secondary(AREAS, key_economic_area=True, controller="Russia")
    assert (told["may"], told["why"][0], told["secondary"]) == (False, "26.34", False)
    city = BombingTarget("Kagoshima", "Japan", TargetKind.CITY, adjacent=("Tokyo",))
    assert secondary_target(city, AREAS).holds
    taken = BombingTarget("Kagoshima", "Japan", TargetKind.CITY, controller="Russia", adjacent=("Tokyo",))
    assert not secondary_target(taken, AREAS).holds


@pytest.mark.ledger("26.33.3", "26.32.2")
def test_a_hex_without_value_or_oil_is_hurt_by_atomic_bombs_only_or_burnt_as_a_secondary_target() -> None:
    def effect(**asked: Any) -> bool:
        return bool(api.call("bombing_has_effect", asked)["effect"])

    assert not effect()
    assert effect(economic_value=1) and effect(oil=True) and effect(atomic=True) and effect(secondary=True)
    target = {"name": "Yokohama", "country": "Japan", "adjacent": ["Tokyo"]}
    told = api.call("may_be_bombed", {"target": target, "areas": AREAS, "economic_value": 0})
    assert told["effect"] is True


def atomic(attacker: str, target: dict[str, Any], **more: Any) -> bool:
    return bool(api.call("may_attack_atomically", {"attacker": attacker, "target": target, **more})["may"])


@pytest.mark.ledger("26.33.1")
def test_strategic_atomic_attacks_need_a_target_tactical_ones_enemy_air_or_ships() -> None:
    tokyo, truk = {"name": "Tokyo", "country": "Japan"}, {"name": "Truk", "country": "Japan"}
    assert atomic("United States", tokyo)
    assert not atomic("United States", truk)
    assert atomic("United States", truk, tactical=True, enemy_units=True)
    assert not atomic("United States", truk, tactical=True)
    near = {"name": "Yokohama", "country": "Japan", "adjacent": ["Tokyo"]}
    assert atomic("United States", near, areas=AREAS)


@pytest.mark.ledger("26.33.2")
def test_the_western_allies_make_no_strategic_atomic_attack_on_italian_cities() -> None:
    rome = {"name": "Rome", "country": "Italy"}
    assert not atomic("United States", rome) and not atomic("Britain", rome)
    assert atomic("Russia", rome)
    assert atomic("Britain", rome, tactical=True, enemy_units=True)
    assert atomic("Britain", {"name": "Genoa", "country": "Italy", "kind": "shipyard", "ships": ["building"]})
