"""The swap test at sea, for secrets that are not equal: two operations that differ in one thing the enemy was not told.

A path nobody asked for (FP-53), which task force in port has the destroyers, whether one has cargo aboard, whether one has a
damaged ship in it: all that the enemy and a spectator receive, events and questions, is byte-identical to the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from flagplot.core.sides import Audience, Side
from flagplot.model.operation_events import ForcesPlaced, LegsChanged, MarkersMoved, PathGiven
from flagplot.rules.naval.passage import place_forces
from tests.properties.test_swap import view
from tests.rules.operation_table import (
    ALLIES,
    AXIS,
    OperationTable,
    activity,
    all_withdraw,
    boats,
    force,
    port,
    setup,
)

Answers = Mapping[tuple[str, str], Any]


def at_sea(
    axis: Sequence[Mapping[str, Any]],
    allies: Sequence[Mapping[str, Any]],
    answers: Answers,
    dice: Mapping[str, Sequence[int]] | None = None,
    phases: Sequence[str] = ("combat",),
) -> OperationTable:
    given = setup(axis, allies, phases=phases, order_of_battle="hidden")
    return OperationTable(given, answers, dice)


def alike(one: OperationTable, two: OperationTable, enemy: Side) -> int:
    """Play both to the end; what the enemy and a spectator are told never differs. How many events the enemy was told."""
    while not one.game.over:
        for audience in (enemy, None):
            told = [view(table.game, audience) for table in (one, two)]
            differing = [pair for pair in zip(told[0][0], told[1][0], strict=False) if pair[0] != pair[1]]
            assert not differing, f"{differing[0][0].decode()} against {differing[0][1].decode()}"
            assert told[0] == told[1], f"after {[kind for _, kind, _ in one.asked][-3:]}"
        one.step()
        two.step()
    assert two.game.over
    assert view(one.game, enemy) == view(two.game, enemy)
    return len(one.game.picture(enemy).events)


# -- paths ------------------------------------------------------------------------------------------------------------


def waived(path: str) -> OperationTable:
    """The path of A1 was asked for, that of A2 was not."""
    return at_sea(
        [
            port("Kiel", "s0"),
            port("Brest", "s8"),
            force("One", "Kiel"),
            force("Two", "Kiel"),
            activity("Shift", "naval redeployment", "Brest"),
            activity("Other", "naval redeployment", "Brest"),
        ],
        [port("Scapa", "n12"), force("Home", "Scapa", ["Hood"], destroyers=2)],
        {
            ("axis", "announce"): {"One": "Shift", "Two": "Other"},
            ("allies", "demand"): {"A1": "demand", "A2": "waive"},
            ("axis", "path A2"): path,
        },
        phases=("redeployment",),
    )


STRAIGHT = "s0 > s1 > s2 > s3 > s4 > s5 > s6 > s7 > s8"
ROUND_ABOUT = "s0 > n0 > n1 > n2 > n3 > n4 > n5 > n6 > n7 > n8 > s8"


@pytest.mark.ledger("22.12.1", "22.12.2")
def test_a_path_nobody_asked_for_is_not_told_when_the_voyage_is_over() -> None:
    assert alike(waived(STRAIGHT), waived(ROUND_ABOUT), ALLIES) > 10


@pytest.mark.ledger("22.12.1", "22.12.2")
def test_its_owner_still_knows_that_path_and_everyone_those_that_were_asked_for() -> None:
    played = waived(ROUND_ABOUT).to_end()
    paths = {}
    for side in (AXIS, ALLIES, None):
        ended = played.game.picture(side).operation.ended
        paths[side] = {leg.id: " > ".join(leg.path) for leg in ended}
    assert paths[AXIS] == {"A1": STRAIGHT, "A2": ROUND_ABOUT}
    assert paths[ALLIES] == paths[None] == {"A1": STRAIGHT, "A2": ""}
    assert {event.leg: event.to for event in played.events(PathGiven)}["A2"] is Audience.AXIS
    assert played.events(LegsChanged)[-1].to is Audience.EVERYONE


# -- what is in a task force ------------------------------------------------------------------------------------------


def hit_by_a_submarine(first: dict[str, int], second: dict[str, int]) -> OperationTable:
    """Of the convoy's destroyers two are hit; one of them is lost in Kiel instead, where two task forces lie."""
    return at_sea(
        [
            port("Kiel", "s0"),
            force("Convoy", "Kiel", destroyers=4),
            force("Fleet", "Kiel", **first),
            force("Squadron", "Kiel", **second),
            activity("Land", "shore bombardment", "n8"),
        ],
        [port("Scapa", "n4"), boats("Scapa", 1, "Britain")],
        {
            ("axis", "announce"): {"Convoy": "Land"},
            ("allies", "interception"): [{"Scapa|Britain/SUB": "A1"}],
            ("allies", "hex"): "s4",
            ("axis", "shift losses"): {"Germany/DD": {"Kiel|Germany/DD": 1, "here": 1}},
        },
        {"Scapa": [6], "22.94": [9]},
    )


@pytest.mark.ledger("22.9432", "22.423B.2")
def test_which_task_force_in_port_had_the_destroyers_is_not_told_when_one_is_lost_there() -> None:
    one = hit_by_a_submarine({"destroyers": 3, "cruisers": 3}, {"cruisers": 4})
    two = hit_by_a_submarine({"cruisers": 4}, {"destroyers": 3, "cruisers": 3})
    alike(one, two, ALLIES)
    lost = [table.force(id).light.get("Germany/DD") for table, id in ((one, "Fleet"), (two, "Squadron"))]
    assert lost == [2, 2], "a destroyer was lost there"


def made_up_anew(**second: Any) -> OperationTable:
    """The allies reconstitute their task forces, and leave them as they were."""
    return at_sea(
        [
            port("Kiel", "s0"),
            force("One", "Kiel", ["Bismarck"], destroyers=4),
            activity("Land", "shore bombardment", "s8"),
        ],
        [
            port("Scapa", "n4"),
            force("Home", "Scapa", ["Hood"], destroyers=2),
            force("Second", "Scapa", destroyers=6, **second),
        ],
        {
            ("axis", "announce"): {"One": "Land"},
            ("allies", "interception"): [{"task forces": "reconstitute"}],
            ("allies", "interception again"): {},
        },
    )


@pytest.mark.ledger("22.14B.2", "22.423B.2")
def test_reconstitution_does_not_tell_which_task_force_has_cargo_aboard() -> None:
    laden = {"cargo": [{"name": "a corps", "needs": 2}]}
    one, two = made_up_anew(), made_up_anew(**laden)
    alike(one, two, AXIS)
    assert one.was_asked("allies", "reconstitute") == two.was_asked("allies", "reconstitute") == 1


def met_on_the_way(**hurt: Any) -> OperationTable:
    """Home, slow in any case, meets counter-interceptors that go away unfought, and sails on to its target."""
    return at_sea(
        [
            port("Kiel", "s0"),
            port("Bergen", "s5"),
            force("One", "Kiel"),
            force("Two", "Kiel"),
            force("Cover", "Bergen", ["Scharnhorst"]),
            activity("Shell", "shore bombardment", "s8"),
        ],
        [port("Scapa", "n4"), force("Home", "Scapa", ["Rodney"], destroyers=2, **hurt)],
        {
            ("axis", "announce"): {"One": "Shell", "Two": "Shell"},
            ("allies", "interception"): {"Home": "A1"},
            ("allies", "hex"): "s3",
            ("axis", "counter-interception"): {"Cover": "meet T1"},
            ("axis", "hex meet T1"): "n4",
            ("allies", "number"): {"Home": "6"},
            ("axis", "withdraw"): all_withdraw,
            ("allies", "withdraw"): [{}, {}, {}],
        },
        {"Home": [6], "Cover": [6]},
    )


@pytest.mark.ledger("22.26D", "22.423B.2")
def test_a_damaged_ship_in_a_task_force_that_nobody_found_is_not_told_when_it_sails_on() -> None:
    one, two = met_on_the_way(cruisers=2), met_on_the_way(cruisers=1, damaged_cruisers=1)
    while one.battles() in ([], ["n4"]) and not one.game.over:
        one.step()
        two.step()
        for audience in (AXIS, None):
            assert view(one.game, audience) == view(two.game, audience), one.asked[-3:]
    assert one.battles() == ["n4", "s3"], "it has sailed on"


# -- the law ----------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.423B.2")
def test_a_marker_is_told_of_when_it_shows_something_else_and_only_then() -> None:
    played = hit_by_a_submarine({"destroyers": 3, "cruisers": 3}, {"cruisers": 4})
    table = played.game.table
    fleet = table.operation.force(AXIS, "Fleet")
    place_forces(table, AXIS, [replace(fleet, light={"Germany/CA": 1})])
    assert isinstance(table.log[-1], ForcesPlaced) and table.log[-1].to is Audience.AXIS
    place_forces(table, AXIS, [replace(fleet, inverted=True), table.operation.force(AXIS, "Squadron")])
    assert isinstance(table.log[-1], MarkersMoved)
    assert [marker.id for marker in table.log[-1].forces] == ["Fleet"]
    place_forces(table, AXIS, [], ["Fleet"])
    assert isinstance(table.log[-1], MarkersMoved) and table.log[-1].gone == ("Fleet",)
