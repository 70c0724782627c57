"""22.12, 22.26D, 22.421A, 22.63, 22.81 in play: who fought in one combat group parts again, and each is judged for himself."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice
from flagplot.core.sides import Audience, Side
from flagplot.model.events import Evaded
from flagplot.model.forces import Cargo, CombatGroup
from flagplot.model.operation import NavalForce, Operation, fired_by
from flagplot.model.operation_events import PathGiven
from flagplot.model.operation_fold import apply_operation
from flagplot.model.state import Homecoming
from flagplot.rules.naval.regrouping import members, named_in
from tests.rules.operation_table import (
    ALLIES,
    AXIS,
    OperationTable,
    activity,
    air_base,
    all_withdraw,
    boats,
    force,
    port,
    setup,
)

CARDS = {"interception_cards": {"allies": 1, "axis": 0}}
CORPS = [{"name": "corps", "needs": 3, "by": "TR"}]


def stand(decision: Decide) -> Any:
    """Nobody leaves the battle."""
    return {item.key: "stay" for item in decision.form.items}


def statuses(played: OperationTable) -> dict[str, str]:
    return {leg.order: leg.status for leg in played.operation.ended if leg.order}


# -- forces that fought as one group ------------------------------------------------------------------------


@pytest.mark.ledger("22.81A.1", "22.421A.2")
def test_ships_outside_task_forces_caught_together_go_on_each_with_its_own_activity() -> None:
    given = setup(
        [
            port("Kiel", "s0"),
            port("Brest", "s9"),
            force("P", "Kiel", ["Scheer"], task_force=False, destroyers=2),
            force("Q", "Kiel", ["Graf Spee"], task_force=False, destroyers=2),
            activity("Watch", "patrol", "s6"),
            activity("Move", "base change", "Brest"),
        ],
        [port("Scapa", "n4"), force("Home", "Scapa", ["Hood"], destroyers=6)],
        phases=("movement",),
        inputs=CARDS,
    )
    played = OperationTable(
        given,
        {
            ("axis", "announce"): {"P": "Watch", "Q": "Move"},
            ("allies", "interception"): {"Home": "A1"},
            ("allies", "hex"): "s4",
        },
        {"Home": [2]},
    ).to_end()
    assert played.battles() == ["s4"] and set(played.mustered()) == {"P", "Q", "Home"}
    assert statuses(played) == {"Watch": "completed", "Move": "completed"}
    p, q = played.force("P"), played.force("Q")
    assert (p.place, p.patrol, [ship.id for ship in p.ships], p.light) == (
        "s6",
        "offensive",
        ["scheer"],
        {"Germany/DD": 2},
    )
    assert (q.harbour, [ship.id for ship in q.ships], q.light) == ("Brest", ["graf-spee"], {"Germany/DD": 2})


@pytest.mark.ledger("22.421A.3", "22.81A.1")
@pytest.mark.parametrize("hidden", [False, True])
def test_a_task_force_that_strengthened_a_convoy_is_a_task_force_again_and_goes_on_with_its_own_activity(
    hidden: bool,
) -> None:
    given = setup(
        [
            port("Kiel", "s0"),
            force("Guard", "Kiel", ["Bismarck"], destroyers=6),
            force("Convoy", "Kiel", task_force=False, transports=3, destroyers=2, cargo=CORPS),
            activity("Land", "seaborne invasion", "s8"),
            activity("Shell", "shore bombardment", "s7"),
        ],
        [port("Scapa", "n4"), force("Home", "Scapa", ["Hood"], destroyers=6)],
        phases=("combat",),
        order_of_battle="hidden" if hidden else "open",
    )
    played = OperationTable(
        given,
        {
            ("axis", "announce"): {"Guard": "Shell", "Convoy": "Land"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s4",
            ("axis", "strengthen"): {"Convoy": "Guard"},
        },
        {"Home": [4]},
    ).to_end()
    assert statuses(played) == {"Shell": "completed", "Land": "completed"}
    guard, convoy = played.force("Guard"), played.force("Convoy")
    assert guard.task_force and guard.light == {"Germany/DD": 6} and [ship.id for ship in guard.ships] == ["bismarck"]
    assert convoy.light == {"Germany/DD": 2, "Germany/TR": 3} and not convoy.ships
    shown = next(each for each in played.game.picture(ALLIES).operation.forces[AXIS] if each.id == "Guard")
    assert shown.hidden is hidden and bool(shown.ships) is not hidden


def two_ports(**guard: Any) -> OperationTable:
    given = setup(
        [
            port("Kiel", "s0"),
            force("A", "Kiel", ["Bismarck"], destroyers=6),
            activity("Shell", "shore bombardment", "s6"),
        ],
        [
            port("Scapa", "n4"),
            port("Rosyth", "n6"),
            force("One", "Scapa", ["Renown"], task_force=False, destroyers=2, **guard),
            force("Two", "Rosyth", ["Repulse"], task_force=False, destroyers=2),
        ],
        phases=("combat",),
    )
    return OperationTable(
        given,
        {
            ("axis", "announce"): {"A": "Shell"},
            ("allies", "interception"): [lambda decision: {item.key: {"A1": item.amount} for item in _ships(decision)}],
            ("allies", "hex"): "s5",
        },
        {"Ships from Scapa 1": [9], "Ships from n5 1": [9], "Ships from Rosyth 2": [9]},
    )


def _ships(decision: Decide) -> list[Any]:
    return [item for item in decision.form.items if "A1" in item.places]


@pytest.mark.ledger("22.63", "22.421A.2")
def test_interceptors_from_two_ports_that_fought_as_one_group_go_back_each_to_its_own() -> None:
    played = two_ports().to_end()
    assert played.battles() == ["s5"]
    homes = {each.ships[0].name: (each.harbour, each.inverted) for each in played.operation.forces[ALLIES]}
    assert homes == {"Renown": ("Scapa", True), "Repulse": ("Rosyth", True)}


@pytest.mark.ledger("22.81B")
def test_ships_from_port_that_fought_in_one_group_with_a_patrol_are_inverted_and_the_patrol_is_not() -> None:
    played = two_ports(at="n5", patrol="defensive").to_end()
    assert played.battles() == ["s5"]
    homes = {each.ships[0].name: (each.place, each.patrol, each.inverted) for each in played.operation.forces[ALLIES]}
    assert homes == {"Renown": ("n5", "defensive", False), "Repulse": ("n6", "", True)}


# -- what belongs to whom -----------------------------------------------------------------------------------


def at_sea(id: str, light: dict[str, int], **extra: Any) -> NavalForce:
    return NavalForce(id=id, place="s1", base=f"{id} port", light=light, **extra)


def left(name: str, light: dict[str, int], base: str = "", **extra: Any) -> Homecoming:
    return Homecoming(CombatGroup(1, name, light=light, base="A port", **extra), base, False, "")


@pytest.mark.ledger("22.421A.2", "22.82B")
def test_light_ships_and_cargo_of_a_group_are_dealt_out_by_what_the_forces_had() -> None:
    corps = Cargo("corps", 2)
    a = at_sea("A", {"Britain/DD": 2, "Britain/CA": 1})
    b = at_sea("A and", {"Britain/DD": 1, "Britain/DD/loaded": 2}, cargo=(corps, Cargo("guns", 1)))
    group = left("A and A and", {"Britain/DD": 2, "Britain/DD/loaded": 2, "Britain/CA/damaged": 1}, cargo=(corps,))
    assert [each.id for each in named_in(group.group, [a, b])] == ["A and"], "the longer name is the one that is meant"
    group = replace(group, group=replace(group.group, name="A and B"))
    b = replace(b, id="B")
    one, two = members([group], [a, b])
    assert one.home.group.light == {"Britain/DD": 2, "Britain/CA/damaged": 1} and not one.home.group.cargo
    assert two.home.group.light == {"Britain/DD/loaded": 2} and two.home.group.cargo == (corps,), "it lost a destroyer"


@pytest.mark.ledger("22.421A.3", "22.63A")
def test_who_joined_a_convoy_is_found_by_what_the_convoy_never_had() -> None:
    convoy = at_sea("Convoy", {"Britain/TR": 2}, cargo=(Cargo("corps", 2, "TR"),))
    guard = at_sea("Guard", {"Britain/DD": 4}, activity="base change")
    other = at_sea("Other", {"Britain/DD": 4})
    parcels = [
        left("Convoy", {"Britain/DD": 3}, "Else"),
        left(
            "Convoy, with cargo", {"Britain/TR": 2}, "A port", cargo=(Cargo("corps", 2, "TR"), Cargo("more", 1, "TR"))
        ),
        left("Other", {"Britain/DD": 4}, "Else"),
    ]
    found = {each.origin.id: each.home for each in members(parcels, [convoy, guard, other])}
    assert {id: (home.group.light, home.base) for id, home in found.items()} == {
        "Guard": ({"Britain/DD": 3}, "Guard port"),
        "Convoy": ({"Britain/TR": 2}, "A port"),
        "Other": ({"Britain/DD": 4}, "Else"),
    }
    assert len(found["Convoy"].group.cargo) == 2
    (strange,) = members([left("Nobody", {"Italy/DD": 1})], [other])
    assert strange.origin == other and strange.home.group.light == {"Italy/DD": 1}


# -- 22.26D --------------------------------------------------------------------------------------------------


def two_countered(answers: dict[tuple[str, str], Any]) -> OperationTable:
    """Two task forces on one path to a convoy are met by counter-interceptors; one of them stays far off."""
    given = setup(
        [
            port("Kiel", "s0"),
            port("Bergen", "n2"),
            force("A", "Kiel"),
            force("B", "Bergen", ["Scheer"], destroyers=2),
            activity("Land", "seaborne invasion", "s8"),
        ],
        [
            port("Scapa", "n4"),
            force("One", "Scapa", ["Hood"], destroyers=4),
            force("Two", "Scapa", ["Renown"], destroyers=4),
            boats("Scapa", 1, "Britain"),
        ],
        phases=("combat",),
    )
    return OperationTable(
        given,
        {
            ("axis", "announce"): {"A": "Land"},
            ("allies", "interception"): [{"One": "A1", "Two": "A1", "Scapa|Britain/SUB": "A1"}],
            ("allies", "hex"): ["s2", "s1"],
            ("allies", "path T1"): "n4 > n3 > n2 > s2",
            ("allies", "path T2"): "n4 > n3 > n2 > s2",
            ("axis", "counter-interception"): {"B": "meet T1, T2"},
            ("axis", "hex"): "n3",
            ("allies", "number"): [{"One": "1", "Two": "6"}],
            **answers,
        },
        dice={"One": [12], "Two": [12], "B": [6], "Scapa": [6]},
    )


@pytest.mark.ledger("22.26D", "22.26D.2b", "22.26D.3")
def test_destroyers_of_one_task_force_that_fired_do_not_invert_those_of_another() -> None:
    played = two_countered(
        {("axis", "withdraw"): all_withdraw, ("allies", "withdraw"): {}, ("axis", "abort"): "abort"}
    ).to_end()
    assert played.battles() == ["n3", "s1"], "the convoy aborts before they come to s2"
    fleet = {each.id: (each.inverted, each.light) for each in played.operation.forces[ALLIES]}
    assert fleet == {"One": (True, {"Britain/DD": 4}), "Two": (False, {"Britain/DD": 4})}


@pytest.mark.ledger("22.61C", "22.254D", "22.26D.2b")
def test_who_withdrew_from_counter_combat_goes_home_though_others_won_it() -> None:
    played = two_countered(
        {
            ("axis", "withdraw"): [{}, all_withdraw, all_withdraw],
            ("allies", "withdraw"): [{"CG6": "withdraw"}, {}, {}],
        }
    ).to_end()
    assert played.battles() == ["n3", "s1", "s2"]
    assert "One" in played.mustered(2) and "Two" not in played.mustered(2)
    two = played.force("Two")
    assert (two.harbour, two.inverted) == ("Scapa", False), "held back in all rounds and unhurt"


@pytest.mark.ledger("22.26D.3")
def test_what_a_group_fired_it_fired_whatever_number_it_has_later() -> None:
    operation = Operation(fired={ALLIES: ("hood", "2:Britain/DD", "3:Britain/CA")})
    for side in Side:
        event = Evaded(rule="22.523E", to=Audience.EVERYONE, side=side, number=2, new_number=5)
        operation = apply_operation(operation, event)
    assert fired_by(operation, ALLIES, (5,)) == ["hood", "Britain/DD"]
    assert fired_by(operation, ALLIES, (2,)) == ["hood"]
    assert fired_by(operation, AXIS, (2,)) == []


# -- 22.12 ---------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.12.1", "22.141", "22.132A")
def test_a_path_nobody_asked_for_is_given_by_its_owner_and_kept_until_it_is_caught_with_another() -> None:
    given = setup(
        [
            port("Kiel", "s0"),
            force("A", "Kiel"),
            force("B", "Kiel"),
            activity("Land", "seaborne invasion", "s6"),
            activity("Shell", "shore bombardment", "s5"),
        ],
        [port("Scapa", "n4"), force("Home", "Scapa", ["Hood"]), air_base("Field", "n1", Britain_NAS=1)],
        phases=("combat",),
    )
    round_about = "s0 > n0 > n1 > n2 > n3 > n4 > n5 > s5"
    played = OperationTable(
        given,
        {
            ("axis", "announce"): {"A": "Land", "B": "Shell"},
            ("allies", "demand"): [{"A1": "demand", "A2": "waive"}],
            ("axis", "path A1"): "s0 > n0 > n1 > n2 > n3 > n4 > n5 > n6 > s6",
            ("axis", "path A2"): round_about,
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "n3",
        },
    )
    played.to("interception")
    (secret,) = [event for event in played.events(PathGiven) if event.leg == "A2"]
    assert secret.path == tuple(round_about.split(" > ")) and secret.to is Audience.AXIS
    played.to("path", ALLIES)
    assert played.events(PathGiven)[-1].to is Audience.EVERYONE
    assert played.operation.wave.contacts[0].legs == ("A1", "A2")
    assert "A2 in n1" in [item.key for item in played.to("air attacks", ALLIES).form.items], (
        "it may be attacked (22.132A)"
    )


@pytest.mark.ledger("22.11C.1", "22.11C.2")
def test_nobody_is_intercepted_in_an_sw_box() -> None:
    given = setup(
        [
            port("Kiel", "s0"),
            port("Atlantic", "s4", box="SW"),
            force("R", "Kiel", ["Scheer"]),
            activity("Raid", "raider", "Atlantic"),
        ],
        [port("Scapa", "n6"), force("Home", "Scapa", ["Hood"])],
    )
    answers = {("axis", "announce"): {"R": "Raid"}, ("allies", "interception"): [{"Home": "A1"}]}
    hexes = OperationTable(given, answers).to("hex").form.places
    assert [place.key for place in hexes] == ["s0", "s1", "s2", "s3"]


@pytest.mark.ledger("22.11.1", "22.14D")
def test_what_carries_something_does_not_intercept() -> None:
    given = setup(
        [
            port("Kiel", "s0"),
            port("Bergen", "n2"),
            force("A", "Kiel"),
            force("Loose", "Bergen", task_force=False, destroyers=5, cargo=[{"name": "corps", "needs": 2}]),
            force("Laden", "Bergen", destroyers=5, cargo=[{"name": "guns", "needs": 2}]),
            activity("Land", "seaborne invasion", "s6"),
        ],
        [port("Scapa", "n4"), force("Home", "Scapa", ["Hood"])],
        phases=("combat",),
    )
    played = OperationTable(
        given,
        {
            ("axis", "announce"): {"A": "Land"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s3",
            ("axis", "counter-interception"): {"Loose|Germany/DD": {"C1": 3}},
        },
        {"Home": [6]},
    )
    form = played.to("counter-interception").form
    assert "Loose|Germany/DD/loaded" not in [item.key for item in form.items]
    with pytest.raises(IllegalChoice, match="cargo aboard"):
        played.game.submit(AXIS, {"Laden": "C1"})
    played.to_end()
    assert played.force("Loose").cargo and played.force("Loose").light == {"Germany/DD/loaded": 2}
    others = [each for each in played.operation.forces[AXIS] if each.id.startswith("Ships from Bergen")]
    assert [(each.light, each.cargo) for each in others] == [({"Germany/DD": 3}, ())]


# -- patrols -------------------------------------------------------------------------------------------------


def countered(dice: dict[str, list[int]], counter_counter: str) -> OperationTable:
    """Home goes for A by way of n4, where B meets it; Guard, on defensive patrol in n14, comes to help."""
    given = setup(
        [
            port("Kiel", "s0"),
            port("Bergen", "s7"),
            force("A", "Kiel"),
            force("B", "Bergen", destroyers=2),
            activity("Land", "seaborne invasion", "s8"),
        ],
        [
            port("Scapa", "n5"),
            force("Home", "Scapa", ["Hood"], destroyers=4),
            force("Guard", "Scapa", ["Renown"], destroyers=4, at="n14", patrol="defensive"),
        ],
        phases=("combat",),
    )
    return OperationTable(
        given,
        {
            ("axis", "announce"): {"A": "Land"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): ["s2", "s7"],
            ("allies", "path T1"): "n5 > n4 > n3 > n2 > s2",
            ("axis", "counter-interception"): {"B": "meet T1"},
            ("axis", "hex"): "n4",
            ("allies", "counter-counter-interception"): {"Guard": counter_counter},
            ("axis", "withdraw"): all_withdraw,
            ("allies", "withdraw"): stand,
        },
        dice=dice,
    )


@pytest.mark.ledger("22.252B.2", "22.14F")
def test_a_defensive_patrol_whose_counter_counter_interception_failed_is_in_its_patrol_hex() -> None:
    played = countered({"Home": [12], "B": [6], "Guard": [1]}, "meet T2").to_end()
    guard = played.force("Guard")
    assert played.rolled["Guard"] == 1
    assert (guard.place, guard.patrol, guard.attempted, guard.inverted) == ("n14", "defensive", True, False)


@pytest.mark.ledger("22.81D", "22.81B")
def test_a_defensive_patrol_that_adopted_an_interception_is_back_in_its_own_patrol_hex() -> None:
    played = countered({"Home": [12], "B": [6], "Guard": [15]}, "C2").to_end()
    assert played.battles() == ["n4", "s2"] and "Guard" in played.mustered(1)
    guard = played.force("Guard")
    assert (guard.place, guard.patrol, guard.inverted) == ("n14", "defensive", False)


@pytest.mark.ledger("22.81D")
def test_who_came_too_late_to_support_an_interceptor_does_not_adopt_its_mission() -> None:
    played = countered({"Home": [12], "B": [6], "Guard": [3]}, "C2").to_end()
    assert played.mustered(0)["Guard"] == ("counter-counter-interception", 3)
    assert played.battles() == ["n4", "s2"] and "Guard" not in played.mustered(1)
    guard = played.force("Guard")
    assert (guard.place, guard.patrol, guard.inverted) == ("n14", "defensive", False)
