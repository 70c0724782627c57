"""22.18, 22.63, 22.81, 22.82, 22.9432 in play: losses taken elsewhere, markers after a battle, and ships on their way home."""

from __future__ import annotations

import pytest

from flagplot.core.sides import Audience
from flagplot.model.forces import CombatGroup
from flagplot.model.operation_events import (
    ContactMade,
)
from flagplot.model.state import Homecoming
from flagplot.rules.naval.homecoming import reformed
from flagplot.scenarios.ships import find_ship
from tests.rules.operation_table import (
    ALLIES,
    AXIS,
    CORPS,
    HOME,
    activity,
    air_base,
    all_withdraw,
    boats,
    combat,
    force,
    port,
)

# -- destroyers elsewhere ----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.9432")
@pytest.mark.parametrize(("shifted", "left"), [(0, (2, 1, 2)), (1, (3, None, 2)), (2, (4, None, 1))])
def test_destroyers_in_the_base_of_origin_may_be_lost_to_submarines_instead(
    shifted: int, left: tuple[int, int | None, int]
) -> None:
    """Two of the convoy's four destroyers are hit; those in Kiel are one outside task forces and two in one."""
    played = combat(
        [
            force("Convoy", "Kiel", destroyers=4),
            force("Idle", "Kiel", destroyers=1, task_force=False),
            force("Fleet", "Kiel", destroyers=2),
            force("Spent", "Kiel", destroyers=2, inverted=True),
            force("Abroad", "Brest", destroyers=2),
            force("Elsewhere", "Kiel", destroyers=2),
            activity("Land", "shore bombardment", "n8"),
            activity("Other", "shore bombardment", "n0"),
        ],
        [boats("Scapa", 1, "Britain")],
        {
            ("axis", "announce"): {"Convoy": "Land", "Elsewhere": "Other"},
            ("allies", "interception"): [{"Scapa|Britain/SUB": "A1"}],
            ("allies", "hex"): "s4",
            ("axis", "shift losses"): {"Germany/DD": {"Kiel|Germany/DD": shifted, "here": 2 - shifted}},
        },
        dice={"Scapa": [6], "22.94": [9]},
    )
    played.to("shift losses")
    places = played.game.table.battle.fleets[AXIS].destroyers_elsewhere
    assert places == {"Kiel": {"Germany/DD": 3}}, "not the inverted, not those at sea, not those of another base"
    played.to_end()
    light = {each.id: each.light.get("Germany/DD") for each in played.operation.forces[AXIS]}
    assert (light["Convoy"], light.get("Idle"), light["Fleet"]) == left
    assert (light["Spent"], light["Abroad"], light["Elsewhere"]) == (2, 2, 2)
    assert played.operation.sunk_light[AXIS] == {"Germany/DD": 2}


# -- markers after a battle --------------------------------------------------------------------------------------


def left_over(parcels: list[tuple[str, str, bool, list[str], dict[str, int]]]) -> dict[str, tuple[str, bool, int]]:
    """The forces that come of these groups (name, base, inverted, ships, light ships) of One and Two."""
    played = combat([force("One", "Kiel"), force("Two", "Kiel", task_force=False)], [HOME], {})
    table = played.game.table
    meeting = {AXIS: ("One", "Two"), ALLIES: ()}
    table.record(
        ContactMade(rule="22.141", to=Audience.EVERYONE, contact="C1", hex="s3", hunter=ALLIES, kind="", forces=meeting)
    )
    homes = [
        Homecoming(
            CombatGroup(1, name=name, ships=tuple(map(find_ship, ships)), light=counts, task_force=name != "Two"),
            base,
            inverted,
            "",
        )
        for name, base, inverted, ships, counts in parcels
    ]
    return {
        each.force.id: (each.force.base, each.force.inverted, each.force.factors)
        for each in reformed(table, AXIS, homes)
    }


@pytest.mark.ledger("22.18C", "22.81", "22.22E")
def test_ships_of_one_force_that_go_the_same_way_are_one_force_again() -> None:
    """22.22E counts task forces: groups made for a battle, or ships that left it one by one, are none."""
    assert left_over(
        [
            ("One", "Kiel", True, ["Bismarck"], {}),
            ("Two", "Kiel", True, [], {"Germany/DD": 1}),
            ("One 2", "Kiel", True, [], {"Germany/DD": 2}),
            ("Two", "Kiel", True, [], {"Germany/DD": 2}),
            ("One", "Brest", True, ["Scheer"], {}),
            ("One", "Kiel", True, [], {}),
        ]
    ) == {"One": ("Kiel", True, 6), "Two": ("Kiel", True, 3), "Germany squadron 1": ("Brest", True, 2)}


def test_no_task_force_grows_larger_than_it_may_be() -> None:
    """20.162: at most 25 factors, even if a force was strengthened in the battle."""
    found = left_over([("One", "Kiel", True, [], {"Germany/DD": 20}), ("One", "Kiel", True, [], {"Germany/DD": 6})])
    assert found == {"One": ("Kiel", True, 20), "Germany squadron 1": ("Kiel", True, 6)}


def test_a_group_of_unknown_name_goes_under_the_first_marker_if_that_is_of_its_kind() -> None:
    assert left_over([("Others", "Kiel", False, ["Bismarck"], {})]) == {"One": ("Kiel", False, 4)}


# -- submarines and cargo ----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.82A.2", "22.131")
@pytest.mark.parametrize("hex", ["s0", "s8"])
def test_cargo_is_lost_with_its_ships_in_the_port_it_sails_from_and_where_it_was_to_land(hex: str) -> None:
    played = combat(
        [force("Convoy", "Kiel", destroyers=2, cargo=CORPS), activity("Land", "seaborne invasion", "s8")],
        [boats("Scapa", 1, "Britain")],
        {
            ("axis", "announce"): {"Convoy": "Land"},
            ("allies", "interception"): [{"Scapa|Britain/SUB": "A1"}],
            ("allies", "hex"): hex,
        },
        dice={"Scapa": [12], "22.94": [12]},
    ).to_end()
    assert played.operation.cargo_lost[AXIS] == ("a corps",)
    assert [leg.status for leg in played.operation.ended if not leg.returning] != ["completed"]


@pytest.mark.ledger("22.911.2", "22.913.2")
def test_submarines_in_an_sw_box_do_not_intercept_and_those_on_patrol_do_so_on_their_own() -> None:
    watch = {"boats": {"at": "n4", "patrol": "defensive", "submarines": {"Britain": 1}}}
    played = combat(
        [force("A", "Kiel"), activity("Shell", "shore bombardment", "s8")],
        [
            port("Atlantic", "n9", box="SW"),
            boats("Atlantic", 1, "Britain"),
            watch,
            force("Guard", "Scapa", at="n4", patrol="defensive"),
        ],
        {("axis", "announce"): {"A": "Shell"}},
    )
    form = played.to("interception").form
    assert [item.key for item in form.items] == ["Guard", "patrol in n4|Britain/SUB"]


# -- returning forces ---------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.13B", "22.15A.1")
def test_a_force_that_was_intercepted_may_be_again_on_its_next_activity() -> None:
    played = combat(
        [
            force("A", "Kiel", ["Bismarck"]),
            activity("Shift", "base change", "Brest"),
            activity("Back", "naval redeployment", "Kiel"),
        ],
        [HOME, force("Second", "Scapa", ["Repulse"])],
        {
            ("axis", "announce movement"): {"A": "Shift"},
            ("axis", "announce redeployment"): {"A": "Back"},
            ("allies", "interception"): [{"Home": "A1"}, {"Second": "A3"}],
            ("allies", "hex"): "s4",
        },
        dice={"Home": [6], "Second": [6]},
        phases=("movement", "redeployment"),
    ).to_end()
    assert [event.forces for event in played.events(ContactMade)] == [
        {AXIS: ("A",), ALLIES: ("Home",)},
        {AXIS: ("A",), ALLIES: ("Second",)},
    ]


@pytest.mark.ledger("22.18D", "22.63B")
def test_a_force_that_divides_on_its_way_home_may_be_intercepted_in_both_parts() -> None:
    played = combat(
        [
            force("Convoy", "Kiel", ["Scharnhorst"], destroyers=4, cargo=CORPS),
            activity("Land", "sea transport", "s8"),
        ],
        [HOME, force("Second", "Scapa", ["Repulse"])],
        {
            ("axis", "announce"): {"Convoy": "Land"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s4",
            ("axis", "withdraw"): all_withdraw,
            ("axis", "return"): lambda d: {i.key: "Kiel" if "cargo" in i.key else "Brest" for i in d.form.items},
        },
        dice={"Home": [6]},
    )
    played.to("withdraw")
    form = played.to("interception", ALLIES).form
    legs = {leg.id: (leg.start, leg.harbour) for leg in played.operation.wave.legs}
    assert sorted(legs.values()) == [("s4", "Brest"), ("s4", "Kiel")]
    assert set(legs) <= {place.key for place in form.places}
    assert [item.key for item in form.items] == ["Second", "task forces"]


@pytest.mark.ledger("22.18E", "22.15C.2")
def test_a_patrol_stays_out_to_help_those_who_go_home() -> None:
    played = combat(
        [
            force("A", "Kiel", ["Bismarck"]),
            force("Watch", "Kiel", ["Scharnhorst"], at="n6", patrol="offensive"),
            activity("Shell", "shore bombardment", "s8"),
        ],
        [HOME],
        {
            ("axis", "announce"): {"A": "Shell"},
            ("allies", "interception"): [{}, {"Home": "A2"}],
            ("allies", "hex"): "s5",
            ("axis", "support"): lambda d: {"Watch": d.form.places[1].key},
        },
        dice={"Home": [6]},
    ).to_end()
    assert played.mustered() == {
        "A": ("shore bombardment", 1),
        "Watch": ("patrol", 1),
        "Home": ("interception", 1),
    }
    assert played.force("Watch").harbour == "Kiel", "it has taken part, and goes home with them (22.163D)"


@pytest.mark.ledger("22.18F.1", "22.18F.2", "22.22A.2")
def test_the_dice_for_ships_that_return_are_counted_anew() -> None:
    """Spotted near Kiel on the way out, by an aircraft that sees nothing of the way back; a bombardment is over (IR-29)."""
    played = combat(
        [force("A", "Kiel", ["Bismarck"]), activity("Shell", "shore bombardment", "s8")],
        [port("Far", "n15"), force("Early", "Far", ["Repulse"]), HOME, air_base("Field", "n0", Britain_NAS=1)],
        {
            ("axis", "announce"): {"A": "Shell"},
            ("allies", "interception"): [{"Early": "A1"}, {"Home": "A2"}],
            ("allies", "hex"): "s5",
        },
        dice={"Early": [4], "Home": [2]},
    ).to_end()
    assert played.rolled == {"Early": 4, "Home": 1}, "bombardment 2, a TF, a squadron; then the TF alone"
