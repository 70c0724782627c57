"""Aircraft and submarines in a set-up are read as they were written."""

from __future__ import annotations

import pytest

from flagplot.core.sides import Side
from flagplot.model.setup import Air, Public
from flagplot.model.squadrons import AirBase
from flagplot.rules.naval.submarines import excess_asw
from flagplot.scenarios.air import AIR_NATIONS, UNITS
from flagplot.scenarios.loader import Scenario, parse_scenario
from flagplot.tables.naval_nationality import NATIONS
from tests.scenarios.test_battles import played
from tests.scenarios.texts import (
    ALLIED_FORCE,
    AMBUSH,
    AXIS_FORCE,
    BARE,
    HIDDEN,
    RAID,
    SEVEN_CARGOES,
    air_base,
    axis_of,
    battle,
    force,
)

SUBMARINES = "submarines = { Japan = 1 }\n"


def public_of(text: str) -> Public:
    return parse_scenario(text, "test.toml").setup.public


def air_of(axis_side: str = "", axis: str = "", top: str = "") -> Air:
    return public_of(battle(top, AXIS_FORCE + axis, axis_side=axis_side)).air[Side.AXIS]


def wings(ships: str) -> list[dict[str, int]]:
    (only,) = axis_of(battle(axis=force(f"ships = [{ships}]\ndestroyers = 12"))).forces
    return [ship.wing for ship in only.ships]


# -- aboard ---------------------------------------------------------------------------------------


def test_a_carrier_has_all_the_squadrons_she_can_hold_and_none_of_them_is_elite() -> None:
    assert wings('"Akagi", "Shoho", "Kongo"') == [{"Japan/NAS": 3}, {"Japan/NAS": 2}, {}]
    ships = 'ships = ["Essex", "Victorious"]\ndestroyers = 9'
    (only,) = parse_scenario(battle(allies=force(ships, "allies")), "t").setup.sides[Side.ALLIES].forces
    assert [ship.wing for ship in only.ships] == [{"United States/NAS": 3}, {"Britain/NAS": 2}]
    assert all(ship.fully_operational for ship in only.ships)


def test_squadrons_of_a_japanese_carrier_may_be_elite() -> None:
    assert wings(
        '{ name = "Akagi", elite = 3 }, { name = "Kaga", elite = 1 }, { name = "Soryu", air = 2, elite = 2 }, '
        '{ name = "Shoho", air = 0 }'
    ) == [{"Japan/NAS/elite": 3}, {"Japan/NAS/elite": 1, "Japan/NAS": 2}, {"Japan/NAS/elite": 2}, {}]


def test_a_damaged_carrier_has_aircraft_only_if_it_is_said() -> None:
    damaged = '{ name = "Akagi", damaged = true }, { name = "Kaga", damaged = true, air = 1 }'
    assert wings(
        damaged + ', { name = "Soryu", damaged = true, air = 2, elite = 1 }, { name = "Hiryu", hits = 1 }'
    ) == [
        {},
        {"Japan/NAS": 1},
        {"Japan/NAS/elite": 1, "Japan/NAS": 1},
        {"Japan/NAS": 3},
    ]


# -- ashore ---------------------------------------------------------------------------------------


def test_an_air_base_has_what_is_written() -> None:
    aircraft = (
        'aircraft = { "Japan AAF" = 2, "Japan NAS" = 3, "Japan elite NAS" = 1, "Japan KAM" = 2, "Germany JET" = 1 }\n'
        'inverted = { "Japan AAF" = 1, "Japan NAS" = 2 }\noperational = false\ncapacity = 20'
    )
    assert air_of(axis=air_base(aircraft, name="Rabaul", distance=3)).bases == (
        AirBase(
            "Rabaul",
            3,
            False,
            20,
            factors={"Japan/AAF": 2, "Germany/JET": 1},
            squadrons={"Japan/NAS": 3, "Japan/NAS/elite": 1, "Japan/KAM": 2},
            inverted={"Japan/NAS": 2},
            inverted_factors={"Japan/AAF": 1},
        ),
    )


def test_an_air_base_has_room_for_fifteen_squadrons_and_may_be_empty() -> None:
    full = air_base('aircraft = { "Japan AAF" = 4 }\ninverted = { "Japan NAS" = 3 }') + air_base("", name="Lae")
    truk, lae = air_of(axis=full).bases
    assert (truk.capacity, truk.room, lae.room, lae.operational) == (15, 0, 15, True)


def test_aircraft_may_be_broken_down_already() -> None:
    squadrons = (
        'aircraft = { "Japan search AAS" = 1, "Japan cover AAS" = 2, "Japan attack AAS" = 3, "Japan NAS" = 0, '
        '"Germany JET squadrons" = 2, "Italy ATR squadrons" = 1, "Finland AAF" = 1 }'
    )
    (base,) = air_of(axis=air_base(squadrons)).bases
    assert base.factors == {"Finland/AAF": 1}
    assert base.squadrons == {
        "Japan/AAS/search": 1,
        "Japan/AAS/cover": 2,
        "Japan/AAS/attack": 3,
        "Germany/JET": 2,
        "Italy/ATR": 1,
    }


def test_every_air_unit_can_be_written_for_every_nation_that_has_it() -> None:
    assert set(NATIONS) | {"Finland"} == set(AIR_NATIONS)
    for nation in AIR_NATIONS:
        for unit in UNITS:
            if nation != "United States" and (nation == "Japan" or unit not in ("elite NAS", "KAM")):
                (base,) = air_of(axis=air_base(f'aircraft = {{ "{nation} {unit}" = 2 }}')).bases
                counts = {**base.factors, **base.squadrons}
                assert list(counts.values()) == [2] and next(iter(counts)).startswith(f"{nation}/")


# -- inputs ---------------------------------------------------------------------------------------


def test_inputs_of_a_side_are_read() -> None:
    air = air_of(
        'research = { radar = 1, "air defense" = 2, torpedo = 9, ASW = 0 }\nimpaired_air = ["Japan"]\n'
        'winter_air = ["Germany", "Japan"]\nair_range = 4\ncarrier_range = 6\nsubmarine_codebreaking = -1\nexcess_asw = { Pacific = 3 }\n',
        air_base('inverted = { "Germany AAF" = 1 }'),
    )
    assert air.research == {"radar": 1, "air defense": 2, "torpedo": 9}
    assert (air.impaired, air.winter) == (("Japan",), ("Germany", "Japan"))
    assert (air.air_range, air.carrier_range, air.submarine_codebreaking, air.excess_asw) == (4, 6, -1, {"Pacific": 3})


def test_a_nation_whose_aircraft_are_impaired_need_show_no_aircraft() -> None:
    assert air_of('impaired_air = ["Japan"]\n', top=HIDDEN).impaired == ("Japan",)
    others = force('also = [{ nation = "Italy", destroyers = 1 }]\nships = ["Bismarck"]', name="Other")
    assert air_of('winter_air = ["Italy", "Germany"]\n', others).winter == ("Italy", "Germany")


def test_rules_that_are_not_held_may_be_asked_for() -> None:
    assert public_of(battle('[inputs]\nrules_not_held = "ask"\n')).inputs == "ask"
    assert public_of(battle('[inputs]\nrules_not_held = "default"\n')).inputs == "default"


@pytest.mark.ledger("22.9415B.1", "22.9415B.2", "22.9415B.3")
def test_excess_asw_is_that_of_the_boxes_of_the_theatre() -> None:
    allied = 'excess_asw = { Pacific = 0, "Indian Ocean" = 4 }\n'
    pacific = public_of(battle(allied_side=allied, axis_side="excess_asw = { Pacific = 2 }\n"))
    assert pacific.air[Side.ALLIES].excess_asw == {"Indian Ocean": 4}
    assert excess_asw(pacific.air[Side.ALLIES].excess_asw, "Japan", "Pacific", western_front=False) == 4
    assert excess_asw(pacific.air[Side.AXIS].excess_asw, "United States", "Pacific", western_front=False) == 2
    for top, front, effect in (("", False, 0), ("western_front = true\n", True, 2)):
        text = battle(top, allied_side="excess_asw = { Atlantic = 2 }\n").replace('"Pacific"', '"Europe"')
        europe = public_of(text)
        assert (europe.western_front, europe.air[Side.ALLIES].excess_asw) == (front, {"Atlantic": 2})
        assert excess_asw({"Atlantic": 2}, "Germany", europe.theatre, western_front=europe.western_front) == effect


# -- submarines -----------------------------------------------------------------------------------


def test_submarines_are_counted_by_nation_and_advanced_ones_apart() -> None:
    secret = axis_of(battle(axis_side='submarines = { Germany = 2, "Germany advanced" = 1, Japan = 0 }\n'))
    assert secret.submarines == {"Germany/SUB": 2, "Germany/SUB/advanced": 1}
    italian = axis_of(battle(axis_side='submarines = { "Italy advanced" = 1 }\n'))
    assert italian.submarines == {"Italy/SUB/advanced": 1}


def test_destroyers_elsewhere_are_in_bases_of_origin_and_boxes() -> None:
    elsewhere = (
        'destroyers_elsewhere = { Truk = { Japan = 4, Italy = 1, Germany = 0 }, "Indian Ocean" = { Japan = 1 } }\n'
    )
    assert axis_of(battle(axis=AXIS_FORCE + 'base = "Truk"', axis_side=elsewhere)).destroyers_elsewhere == {
        "Truk": {"Japan/DD": 4, "Italy/DD": 1},
        "Indian Ocean": {"Japan/DD": 1},
    }


def test_destroyers_of_a_side_on_sea_supply_may_be_in_any_port() -> None:
    supply = force("destroyers = 1\nsea_supply = true")
    secret = axis_of(battle(axis=supply, axis_side="destroyers_elsewhere = { Yap = { Japan = 1 } }\n"))
    assert secret.destroyers_elsewhere == {"Yap": {"Japan/DD": 1}}


# -- whether there may be any -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "aircraft", "submarines"),
    [
        (battle(), False, False),
        (battle(HIDDEN), True, True),
        (battle(allies=force('ships = ["Essex"]\ndestroyers = 3', "allies")), True, False),
        (
            battle(
                allies=force('ships = [{ name = "Essex", air = 0 }]\ndestroyers = 3\narrives = 2', "allies", "Late")
                + ALLIED_FORCE
            ),
            True,
            False,
        ),
        (battle(axis=force("escort_carriers = 3")), False, False),
        (battle(axis=AXIS_FORCE + air_base("")), False, False),
        (battle(axis=AXIS_FORCE + air_base('aircraft = { "Japan AAF" = 1 }')), True, False),
        (battle(axis=AXIS_FORCE + air_base('aircraft = { "Japan NAS" = 1 }')), True, False),
        (battle(axis=AXIS_FORCE + air_base('inverted = { "Japan AAF" = 1 }')), True, False),
        (battle(axis=AXIS_FORCE + air_base('inverted = { "Japan KAM" = 1 }')), True, False),
        (battle(axis_side=SUBMARINES), False, True),
        (battle(axis_side="submarines = { Japan = 0 }\n"), False, False),
        (battle(AMBUSH, "", axis_side=SUBMARINES), False, True),
        (battle(AMBUSH + HIDDEN, "", axis_side=SUBMARINES), True, True),
        (battle(RAID + HIDDEN), True, False),
        (battle(RAID, force('ships = ["Shoho"]\ndestroyers = 2')), True, False),
    ],
)
def test_everyone_knows_whether_there_may_be_aircraft_or_submarines(
    text: str, aircraft: bool, submarines: bool
) -> None:
    public = public_of(text)
    assert (public.aircraft, public.submarines) == (aircraft, submarines)


# -- submarines alone -----------------------------------------------------------------------------------


def ambush(allies: str, axis: str = "", allied_side: str = "") -> Scenario:
    return parse_scenario(battle(AMBUSH, axis, allies, axis_side=SUBMARINES, allied_side=allied_side), "test.toml")


def test_submarines_alone_need_no_forces_of_their_side() -> None:
    ready = air_base('aircraft = { "Japan AAF" = 1 }') + '[[axis.base]]\nname = "Truk"\ndistance = 3\n'
    setup = ambush(ALLIED_FORCE + air_base('aircraft = { "Australia AAF" = 1 }', "allies", "Lae"), ready).setup
    assert setup.public.kind == "submarine attack" and setup.public.submarines
    assert setup.sides[Side.AXIS].forces == () and setup.sides[Side.AXIS].submarines == {"Japan/SUB": 1}
    assert [len(setup.public.air[side].bases) for side in Side] == [1, 1]


@pytest.mark.ledger("22.93A.1")
def test_a_force_that_submarines_alone_attack_may_have_more_than_six_groups() -> None:
    eight = "".join(force("destroyers = 9", "allies", f"F{i}") for i in range(8))
    table = played(ambush(eight), 0)
    assert table.battle.over and len(table.fleet(Side.ALLIES).groups) == 8
    laden = SEVEN_CARGOES.replace("axis", "allies")
    assert len(ambush(laden).setup.sides[Side.ALLIES].forces) == 7


def test_submarines_alone_may_attack_a_bare_supply_line() -> None:
    (only,) = ambush(force(BARE, "allies")).setup.sides[Side.ALLIES].forces
    assert only.supply and not only.factors
    assert played(ambush(force(BARE, "allies")), 0).battle.over


@pytest.mark.ledger("25.632.1", "22.9412A")
@pytest.mark.parametrize(
    ("axis_side", "nation", "results"),
    [
        ("", "Japan", {"torpedo": 1}),
        ("research = { radar = 1 }", "Japan", {"radar": 1, "torpedo": 1}),
        ("research = { torpedo = 0 }", "Japan", {}),
        ("research = { torpedo = 2 }", "Japan", {"torpedo": 2}),
        ("", "Germany", {}),
    ],
)
def test_Japan_has_the_torpedo_result_it_began_with_unless_it_is_said(
    axis_side: str, nation: str, results: dict[str, int]
) -> None:
    ships = force("ships = ['Kongo']" if nation == "Japan" else "destroyers = 2")
    text = battle(axis=ships, axis_side=axis_side + "\n").replace('nation = "Japan"', f'nation = "{nation}"')
    air = parse_scenario(text, "test.toml").setup.public.air
    assert air[Side.AXIS].research == results
    assert air[Side.ALLIES].research == {}
