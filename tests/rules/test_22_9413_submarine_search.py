"""Searching aircraft and carriers against submarines (22.9413): how many count, whose, and who assigns them first."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice
from flagplot.model import air_events as air
from flagplot.model import events as ev
from tests.rules.submarine_table import (
    ALLIES,
    AMERICA,
    AXIS,
    SUB,
    WITHDRAWS,
    UnderWater,
    ambush,
    force,
    quiet,
    with_submarines,
)

BATTLESHIP = {"ships": [{"nation": "United States", "kind": "BB", "size": 4}]}
CRUISERS = force("Cruisers", cruisers=5)


def of_search(table: UnderWater) -> int:
    """What search and carriers came to in the first attack."""
    first = table.events(air.TorpedoesFired)[0]
    return sum(line.amount for line in first.modifiers.lines if line.rule == "22.9413")


def net(table: UnderWater) -> list[int]:
    """Of each attack rolled to the end, the net modifier."""
    table.to_end()
    return table.all_rolled(air.TorpedoesFired)


@pytest.mark.ledger("22.9413A.1", "22.9413A.2", "22.9413E", "22.94T.12")
@pytest.mark.parametrize(
    ("searching", "enemy", "carriers", "escorts", "expected"),
    [
        (2, 0, 0, 0, 0),
        (3, 0, 0, 0, 1),
        (5, 0, 0, 0, 1),
        (6, 0, 0, 0, 2),
        (30, 0, 0, 0, 2),
        (0, 2, 0, 0, 0),
        (0, 3, 0, 0, -1),
        (0, 1, 1, 1, -1),
        (0, 2, 2, 2, -2),
        (0, 9, 9, 9, -2),
        (4, 2, 0, 0, 1),  # each side is rounded down by itself
        (5, 4, 0, 0, 0),
        (12, 0, 0, 3, 2),  # +4 less 1 is limited when it has been netted
        (12, 6, 0, 0, 2),
        (12, 9, 0, 0, 1),
        (9, 0, 3, 6, 0),
    ],
)
def test_squadrons_and_carriers_count_by_threes(
    searching: int, enemy: int, carriers: int, escorts: int, expected: int
) -> None:
    keys = {"searching": searching, "enemy_searching": enemy, "carriers": carriers, "escort_carriers": escorts}
    answer = api.call("submarine_modifier", {"nation": "Japan", "target": BATTLESHIP, **keys})
    assert answer["categories"].get("22.9413", 0) == expected


@pytest.mark.ledger("22.9413A.2", "22.942")
@pytest.mark.parametrize(
    ("ships", "expected"),
    [
        (["Princeton", "Cowpens", "Langley"], -1),  # regardless of their size
        (["Princeton", "Cowpens", {"name": "Langley", "air": 1}], 0),
        (["Princeton", "Cowpens", {"name": "Langley", "damaged": True}], 0),
        (["Princeton", "Cowpens", {"name": "Langley", "hits": 0}], -1),
        (["Princeton", "Washington", "Iowa"], 0),
    ],
)
def test_only_carriers_sound_and_with_all_their_squadrons_help(ships: list[Any], expected: int) -> None:
    table = ambush([force("Fleet", ships=ships, cruisers=3)], category=[6])
    table.to_end()
    assert of_search(table) == expected


@pytest.mark.ledger("22.9413A.2", "22.94T.12")
def test_escort_carriers_carriers_and_squadrons_are_added_up() -> None:
    base = {"name": "Henderson", "distance": 1, "aircraft": {"United States NAS": 1}}
    table = ambush(
        [force("Fleet", ships=["Enterprise"], cruisers=4, escort_carriers=1)],
        None,
        {**AMERICA, "air_range": 3, "air_base": [base]},
        category=[6],
        answers={("allies", "air search"): {"United States/NAS@Henderson": "search"}},
    )
    table.to_end()
    assert of_search(table) == -1


AXIS_AIR = {"name": "Rabaul", "distance": 1, "aircraft": {"Japan NAS": 6, "Japan AAF": 1}}
ALLIED_AIR = {"name": "Henderson", "distance": 2, "aircraft": {"United States NAS": 3}}


@pytest.mark.ledger("22.9413C")
def test_outside_a_battle_the_attacker_assigns_his_search_first_and_the_defender_knows_it() -> None:
    table = ambush(
        [CRUISERS],
        with_submarines(air_range=3, air_base=[AXIS_AIR]),
        {**AMERICA, "air_range": 3, "air_base": [ALLIED_AIR]},
    )
    table.to("air search", AXIS)
    assert table.game.decision(ALLIES) is None
    table.answer(AXIS, {"Japan/NAS@Rabaul": {"search": 5}, "Japan/AAS/search@Rabaul": "search"})
    table.to("air search", ALLIES)
    (told,) = table.seen(ALLIES, air.AirSearchAssigned)
    assert told.squadrons == {"Japan/NAS@Rabaul": 5, "Japan/AAS/search@Rabaul": 1}
    table.answer(ALLIES, {"United States/NAS@Henderson": {"search": 3}})
    assert net(table) == [1 + 2 - 1]


@pytest.mark.ledger("22.9413A.1", "23.11B")
def test_only_search_squadrons_and_naval_air_look_for_submarines() -> None:
    table = ambush([CRUISERS], with_submarines(air_range=3, air_base=[AXIS_AIR]))
    asked = table.to("air search", AXIS)
    assert {item.key: item.amount for item in asked.form.items} == {
        "Japan/NAS@Rabaul": 6,
        "Japan/AAS/search@Rabaul": 1,
    }
    with pytest.raises(IllegalChoice, match="22.9413"):
        table.answer(AXIS, {"Japan/AAS/cover@Rabaul": "search"})


@pytest.mark.ledger("22.9413D")
@pytest.mark.parametrize("keys", [{"operational": False}, {"distance": 4}])
def test_air_in_bases_out_of_action_or_out_of_range_does_not_search(keys: dict[str, Any]) -> None:
    table = ambush([CRUISERS], with_submarines(air_range=3, air_base=[{**AXIS_AIR, **keys}]))
    for _ in range(100):
        if table.game.over:
            break
        decision = table.game.decision(AXIS)
        if decision is not None and decision.kind == "air search":
            assert decision.form.items == ()
        table.step()
    assert of_search(table) == 0


@pytest.mark.ledger("22.9413D")
def test_inverted_squadrons_do_not_search() -> None:
    base = {"name": "Rabaul", "distance": 1, "inverted": {"Japan NAS": 6}, "aircraft": {"Japan NAS": 1}}
    asked = ambush([CRUISERS], with_submarines(air_range=3, air_base=[base])).to("air search", AXIS)
    assert [item.amount for item in asked.form.items] == [1]


@pytest.mark.ledger("22.9413B")
def test_in_a_battle_squadrons_that_searched_count_for_the_submarines_of_that_round() -> None:
    table = quiet(
        [{**CRUISERS, "number": 5}],
        with_submarines(2, air_range=3, air_base=[AXIS_AIR]),
        {**AMERICA, "air_range": 3, "air_base": [ALLIED_AIR]},
        search={"axis": [[5, 5, 5, 5], [5, 5]]},
        answers={
            ("axis", "air search"): [{"Japan/NAS@Rabaul": {"search": 6}}, {}],
            ("allies", "air search"): [{"United States/NAS@Henderson": {"search": 3}}, {}],
            ("axis", "submarines"): [{SUB: {"CG5": 1}}, {SUB: {"CG5": 1}}],
            ("axis", "strike"): [{}, {}],
            ("axis", "withdraw"): [{}, WITHDRAWS],
        },
    )
    assert net(table) == [1 + 2 - 1, 1]  # nobody searched in the second round
    first = next(event for event in table.events(ev.SearchCounted) if event.side is AXIS)
    assert sum(line.amount for line in first.dice.lines) == 3 + 1  # six squadrons give three dice


@pytest.mark.ledger("22.9413A.2", "22.942")
def test_a_carrier_that_lost_a_squadron_in_the_round_is_not_fully_operational() -> None:
    base = {"name": "Rabaul", "distance": 1, "aircraft": {"Japan attack AAS": 1, "Japan cover AAS": 3}}
    allied = {"name": "Henderson", "distance": 1, "aircraft": {"United States NAS": 2}}
    for patrol, expected in (({}, -1), ({"enterprise|United States/NAS": {"patrol": 1}}, 0)):
        table = quiet(
            [force("Carrier", ships=["Enterprise"], cruisers=4, number=5)],
            with_submarines(air_range=3, air_base=[base]),
            {**AMERICA, "air_range": 3, "air_base": [allied]},
            search={"axis": [[5]]},
            category=[6],
            air=[6, 6, 1, 1, 1, 1, 1, 1],  # the attacker's air combat, the defender's, air defense, the attack
            answers={
                ("allies", "patrol"): [patrol],
                ("allies", "air search"): [{"United States/NAS@Henderson": {"search": 2}}],
                ("axis", "strike"): [{"target": "CG5", "Japan/AAS/attack@Rabaul": {"fly": 1}}],
                ("axis", "withdraw"): WITHDRAWS,
            },
        )
        table.to("withdraw")
        assert of_search(table) == expected, patrol
