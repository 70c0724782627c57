"""22.14, 22.2, 22.9 in play: attempts, dice, late arrival, patrols, submarines, attacks from the air."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.core.errors import IllegalChoice
from flagplot.model.operation_events import (
    ContactEnded,
    ContactsSought,
    InterceptionDiceCounted,
    InterceptionRolled,
    LegsChanged,
    TriesAnnounced,
    WaveAnnounced,
)
from tests.rules.operation_table import (
    ALLIES,
    AXIS,
    HOME,
    HUNT,
    ONE,
    PORTS,
    SAILS,
    SHIFT,
    OperationTable,
    activity,
    air_base,
    all_withdraw,
    boats,
    force,
    port,
    sailing,
    setup,
)


@pytest.mark.ledger("22.141", "22.23", "22.26", "22.81B", "22.63", "22.11.1", "22.15D")
def test_an_interception_a_battle_and_home_again() -> None:
    played = sailing(
        [ONE],
        [HOME],
        {("allies", "interception"): {"Home": "A1"}, ("allies", "hex"): "s4", ("allies", "withdraw"): all_withdraw},
        {"Home": [1]},
    ).to_end()
    assert played.battles() == ["s4"]
    assert played.mustered() == {"One": ("naval redeployment", 1), "Home": ("interception", 1)}
    assert (played.force("One").harbour, played.force("One").inverted) == ("Brest", False)
    assert (played.force("Home").harbour, played.force("Home").inverted) == ("Scapa", True)
    assert [leg.status for leg in played.operation.ended if not leg.returning] == ["completed"]


@pytest.mark.ledger("22.81A", "22.281.2", "22.63A", "22.15D", "22.18A")
def test_a_beaten_activity_is_aborted_and_goes_back_inverted() -> None:
    played = sailing(
        [ONE],
        [HOME],
        {("allies", "interception"): {"Home": "A1"}, ("allies", "hex"): "s4", ("axis", "withdraw"): all_withdraw},
        {"Home": [1]},
    ).to_end()
    assert [leg.status for leg in played.operation.ended if not leg.returning] == ["aborted"]
    assert (played.force("One").harbour, played.force("One").inverted) == ("Kiel", True)
    home = [leg for event in played.events(WaveAnnounced) for leg in event.legs if leg.returning]
    assert [(leg.side, leg.start, leg.end) for leg in home] == [(ALLIES, "s4", "n4"), (AXIS, "s4", "s0")]
    arrived = [leg.side for event in played.events(LegsChanged) for leg in event.legs if leg.status == "completed"]
    assert arrived == [AXIS, ALLIES], "the moving side is home first"


@pytest.mark.ledger("22.24A.1", "22.24A.2", "22.116", "22.25.2", "22.26A", "22.24")
def test_if_all_attempts_fail_nobody_has_sailed_but_all_have_tried() -> None:
    played = sailing(
        [ONE, force("Reserve", "Kiel")],
        [HOME],
        {("allies", "interception"): {"Home": "A1"}, ("allies", "hex"): "s0"},
        {"Home": [1]},
    ).to_end()
    assert played.battles() == [] and played.was_asked("axis", "counter-interception") == 0
    home = played.force("Home")
    assert (home.harbour, home.inverted, home.attempted) == ("Scapa", False, True)
    assert played.force("One").harbour == "Brest"


@pytest.mark.ledger("22.116", "22.27.3", "22.14A.2", "22.18A")
def test_those_who_tried_may_not_try_the_ships_that_return() -> None:
    bombard = {("axis", "announce"): {"One": "Bombard"}, ("allies", "hex"): "s0"}
    for tries, asked in (({}, 2), ({"Home": "A1"}, 1)):
        played = OperationTable(
            setup(
                [*PORTS, ONE, activity("Bombard", "shore bombardment", "s6")],
                [port("Scapa", "n15"), HOME],
                phases=("combat",),
            ),
            {**bombard, ("allies", "interception"): [tries]},
            {"Home": [3]},
        ).to_end()
        assert played.was_asked("allies", "interception") == asked


@pytest.mark.ledger("22.24B", "22.24B.1", "22.161A.2", "22.26C", "22.27.1", "22.27.2")
def test_who_falls_short_comes_later_if_another_was_in_time() -> None:
    played = sailing(
        [ONE, force("Two", "Kiel"), force("Three", "Kiel")],
        [port("Far", "n9"), HOME, force("Second", "Far", ["Repulse"])],
        {
            ("axis", "announce"): {"One": "Shift", "Two": "Shift", "Three": "Shift"},
            ("allies", "interception"): {"Home": "A1", "Second": "A1"},
            ("allies", "hex"): "s4",
            ("allies", "withdraw"): all_withdraw,
        },
        {"Home": [2], "Second": [2]},
    ).to_end()
    assert played.rolled == {"Home": 2, "Second": 2}, "three TFs, two attempts"
    assert played.mustered()["Second"] == ("interception", 2), "six hexes away and two reached: four short"
    second = played.force("Second")
    assert (second.harbour, second.inverted, second.attempted) == ("Far", False, True)
    assert played.force("Home").inverted


@pytest.mark.ledger("22.24C", "22.21T.13")
def test_without_dice_nobody_tries_and_nobody_is_spent() -> None:
    played = sailing(
        [force("One", "Kiel", task_force=False)],
        [HOME],
        {("allies", "interception"): {"Home": "A1"}, ("allies", "hex"): "s4"},
    ).to_end()
    assert played.rolled == {} and not played.force("Home").attempted
    assert [event.dice.total for event in played.events(InterceptionDiceCounted)] == [0]


@pytest.mark.ledger("22.22", "22.21T.17")
def test_a_path_longer_than_the_range_is_refused() -> None:
    played = OperationTable(
        setup([*PORTS, SHIFT, ONE], [port("Scapa", "s15"), HOME], theatre="Pacific"),
        {**SAILS, ("allies", "interception"): {"Home": "A1"}, ("allies", "hex"): "s0"},
    )
    played.to("path", ALLIES)
    detour = ["s15", "n15", "n14", "s14", "s13", "n13", "n12", "s12", *(f"s{n}" for n in range(11, -1, -1))]
    with pytest.raises(IllegalChoice, match=r"22\.22: the path has 19 hexes|20 is the most") as refusal:
        played.game.submit(ALLIES, [*detour[:8], "s11", "n11", "n10", "s10", *detour[10:]])
    assert "22.22" in str(refusal.value)


@pytest.mark.ledger("22.14C.1", "22.14C.2", "22.14D", "22.14B.1")
def test_nine_factors_outside_task_forces_go_for_one_target() -> None:
    loose = force("Loose", "Scapa", ["Hood", "Renown"], task_force=False, cruisers=2, destroyers=3)
    played = sailing([ONE], [loose], {})
    played.to("interception")
    ships = {"Loose|hood": "A1", "Loose|renown": "A1"}
    with pytest.raises(IllegalChoice) as refusal:
        played.game.submit(ALLIES, {**ships, "Loose|Britain/CA": {"A1": 2}})
    assert "22.14C" in str(refusal.value)
    played.game.submit(ALLIES, {**ships, "Loose|Britain/DD": {"A1": 3}})
    played.to("path", ALLIES)
    (left,) = [each for each in played.operation.forces[ALLIES] if each.id == "Loose"]
    assert left.light == {"Britain/CA": 2} and not left.ships
    (going,) = [each for each in played.operation.forces[ALLIES] if each.id != "Loose"]
    assert going.factors == 9 and not going.task_force


@pytest.mark.ledger("22.14B.2", "22.14B.1", "22.22K.1")
def test_task_forces_may_be_made_up_anew_before_they_intercept() -> None:
    mixed = force("Home", "Scapa", ["Hood", "Rodney", "Ark Royal"], cruisers=4, destroyers=8)
    played = sailing(
        [ONE, force("Two", "Kiel"), force("Three", "Kiel")],
        [mixed, force("Loose", "Scapa", ["Renown"], task_force=False)],
        {
            ("axis", "announce"): {"One": "Shift", "Two": "Shift", "Three": "Shift"},
            ("allies", "interception"): {"task forces": "reconstitute"},
            ("allies", "interception again"): {"Home": "A1", "Scapa TF 1": "A1"},
            ("allies", "hex"): "s4",
        },
        {"Home": [2], "Scapa TF 1": [2]},
    )
    played.to("reconstitute")
    carriers_alone = {"Scapa|ark-royal": "Scapa TF 1"}
    stay = {"Scapa|hood": "Home", "Scapa|rodney": "Home", "Scapa|renown": "outside at Scapa"}
    light = {"Scapa|Britain/CA": {"Home": 4}, "Scapa|Britain/DD": {"Home": 8}}
    with pytest.raises(IllegalChoice) as refusal:
        played.game.submit(ALLIES, {**stay, **light, **carriers_alone})
    assert "20.162" in str(refusal.value)
    light = {"Scapa|Britain/CA": {"Home": 4}, "Scapa|Britain/DD": {"Scapa TF 1": 8}}
    played.game.submit(ALLIES, {**stay, **light, **carriers_alone, "Scapa|rodney": "outside at Scapa"})
    played.to_end()
    assert played.rolled == {"Home": 2, "Scapa TF 1": 2}, "three TFs, two attempts; without Rodney nobody is slow"
    assert [ship.name for ship in played.force("Loose").ships] == ["Rodney", "Renown"]
    assert [ship.name for ship in played.force("Scapa TF 1").ships] == ["Ark Royal"]


@pytest.mark.ledger("22.14E", "22.13", "22.14A.1")
def test_all_surface_attempts_at_a_target_share_one_hex() -> None:
    played = sailing(
        [ONE, force("Two", "Kiel")],
        [HOME, force("Second", "Scapa", ["Repulse"])],
        {
            ("axis", "announce"): {"One": "Shift", "Two": "Shift"},
            ("allies", "interception"): {"Home": "A1", "Second": "A1"},
        },
    ).to_end()
    assert played.was_asked("allies", "hex") == 1
    (announced,) = played.events(TriesAnnounced)
    assert len({each.hex for each in announced.tries}) == 1


@pytest.mark.ledger("22.141", "22.141A")
def test_activities_on_one_path_are_caught_together_and_those_that_cross_are_not() -> None:
    axis = [
        ONE,
        force("Two", "Kiel"),
        activity("Also", "shore bombardment", "s9"),
        activity("Out", "shore bombardment", "s8"),
    ]
    answers = {
        ("axis", "announce"): {"One": "Out", "Two": "Also"},
        ("allies", "interception"): {"Home": "A1"},
        ("allies", "hex"): "s4",
    }
    played = sailing(axis, [HOME], answers, phases=("combat",)).to_end()
    contact = played.events(ContactsSought)[0].contacts[0]
    assert contact.legs == ("A1", "A2")
    assert played.rolled["Home"] == 4, "two for bombardment, and both TFs (AM-22)"


# -- patrols ---------------------------------------------------------------------------------------------


def patrol_table(at: str, answers: dict[tuple[str, str], Any]) -> OperationTable:
    return sailing(
        [ONE, force("Watch", "Kiel", ["Scharnhorst"], at=at, patrol="offensive")],
        [HOME],
        {**HUNT, ("axis", "support"): {"Watch": "C1"}, **answers},
        {"Home": [1]},
    )


@pytest.mark.ledger("22.163", "22.163A", "22.163B", "22.163D", "22.11D", "22.163C.1")
def test_a_patrol_within_three_hexes_supports_at_once_and_adopts_the_mission() -> None:
    played = patrol_table("s7", {("allies", "withdraw"): all_withdraw}).to_end()
    assert played.mustered()["Watch"] == ("patrol", 1) and "Watch" not in played.rolled
    assert (played.force("Watch").harbour, played.force("Watch").patrol) == ("Brest", "")


@pytest.mark.ledger("22.163C", "22.163E", "22.163C.1")
def test_a_patrol_farther_off_comes_later_or_is_back_in_its_patrol_hex() -> None:
    played = patrol_table("s8", {("allies", "withdraw"): all_withdraw}).to_end()
    assert played.mustered()["Watch"] == ("patrol", 2)
    watch = played.force("Watch")
    assert (watch.place, watch.patrol, watch.inverted) == ("s8", "offensive", False)


@pytest.mark.ledger("22.14F", "22.81B")
def test_a_defensive_patrol_intercepts_and_is_back_on_patrol() -> None:
    played = sailing(
        [ONE],
        [force("Watch", "Scapa", ["Hood", "Renown"], at="s6", patrol="defensive")],
        {("allies", "interception"): {"Watch": "A1"}, ("allies", "hex"): "s4", ("axis", "withdraw"): all_withdraw},
        {"Watch": [2]},
    ).to_end()
    watch = played.force("Watch")
    assert played.battles() == ["s4"] and (watch.place, watch.patrol, watch.inverted) == ("s6", "defensive", False)


# -- submarines ---------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.914", "22.915.1", "22.915.2", "22.92.1", "22.921", "22.911.1", "22.114", "22.13E", "22.28A")
@pytest.mark.parametrize("choice", ["go on", "abort"])
def test_submarines_intercept_on_their_own_and_the_force_may_abort(choice: str) -> None:
    played = sailing(
        [ONE, force("Two", "Kiel")],
        [boats("Scapa", 2, "Britain")],
        {
            ("axis", "announce"): {"One": "Shift", "Two": "Shift"},
            ("allies", "interception"): {"Scapa|Britain/SUB": {"A1": 2}},
            ("allies", "hex"): "s4",
            ("axis", "abort"): choice,
        },
        {"Scapa": [3, 1]},
    ).to_end()
    announced = played.events(TriesAnnounced)[0]
    assert [(each.kind, each.hex) for each in announced.tries] == [("submarine", "s4"), ("submarine", "s4")]
    assert played.battles() == ["s4"]
    assert played.rolled["Scapa"] == 1, "two TFs, one die fewer for a submarine, none for the other attempt"
    assert played.was_asked("axis", "counter-interception") == 0
    one = played.force("One")
    assert (one.harbour, one.inverted) == (("Brest", False) if choice == "go on" else ("Kiel", True))
    (station,) = played.operation.boats[ALLIES]
    assert sum(station.inverted.values()) + sum(played.operation.boats_lost[ALLIES].values()) == 2


@pytest.mark.ledger("22.92.3", "22.26B")
def test_submarines_whose_target_never_comes_are_not_inverted() -> None:
    played = sailing(
        [ONE, force("Two", "Kiel"), force("Three", "Kiel")],
        [HOME, boats("Scapa", 1, "Britain")],
        {
            ("axis", "announce"): {"One": "Shift", "Two": "Shift", "Three": "Shift"},
            ("allies", "interception"): {"Home": "A1", "Scapa|Britain/SUB": "A1"},
            ("allies", "hex A1"): ["s2", "s6"],
            ("axis", "withdraw"): all_withdraw,
        },
        {"Home": [6], "Scapa": [6]},
    ).to_end()
    assert played.battles() == ["s2"]
    (station,) = played.operation.boats[ALLIES]
    assert station.inverted == {} and station.attempted == {"Britain/SUB": 1}


@pytest.mark.ledger("22.913.1", "22.916A", "22.22H")
def test_submarines_on_defensive_patrol_intercept_from_their_patrol_hex_and_help_ships_near_them() -> None:
    watch = {"boats": {"at": "s6", "patrol": "defensive", "submarines": {"Britain": 1}}}
    played = sailing(
        [ONE, force("Two", "Kiel")],
        [HOME, watch],
        {
            ("axis", "announce"): {"One": "Shift", "Two": "Shift"},
            ("allies", "interception"): {"Home": "A1", "patrol in s6|Britain/SUB": "A1"},
            ("allies", "hex"): "s4",
            ("allies", "withdraw"): all_withdraw,
        },
        {"Home": [3], "patrol in s6": [2]},
    ).to_end()
    assert played.rolled == {"Home": 3, "patrol in s6": 1}, "two TFs; the submarine helps Home, and has a die fewer"
    assert played.battles() == ["s4"]


@pytest.mark.ledger("22.24B.3")
def test_a_submarine_in_time_brings_no_late_ships_into_a_battle() -> None:
    played = sailing(
        [ONE, force("Two", "Kiel"), force("Three", "Kiel")],
        [port("Far", "n14"), force("Second", "Far", ["Repulse"]), boats("Scapa", 1, "Britain")],
        {
            ("axis", "announce"): {"One": "Shift", "Two": "Shift", "Three": "Shift"},
            ("allies", "interception"): {"Second": "A1", "Scapa|Britain/SUB": "A1"},
            ("allies", "hex A1"): ["s4", "s4"],
        },
        {"Second": [4], "Scapa": [6]},
    ).to_end()
    assert played.battles() == ["s4"] and "Second" not in played.mustered()
    assert played.force("Second").harbour == "Far"


# -- air ----------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.132A", "22.132B", "22.22G", "22.19B")
def test_aircraft_spot_and_attack_in_any_hex_but_that_of_the_battle() -> None:
    played = sailing(
        [ONE],
        [HOME, air_base("Field", "n4", Britain_NAS=2)],
        {
            ("allies", "interception"): {"Home": "A1"},
            ("allies", "hex"): "s4",
            ("allies", "air attacks"): {"A1 in s3": "attack"},
            ("allies", "withdraw"): all_withdraw,
        },
        {"Home": [3]},
        air_range=2,
    )
    form = played.to("air attacks").form
    assert [item.key for item in form.items] == ["A1 in s3", "A1 in s5"], "not s4, where a battle is due"
    played.to_end()
    assert played.rolled["Home"] == 3, "one TF and two squadrons"
    assert played.battles() == ["s3", "s4"]


@pytest.mark.ledger("22.19A", "22.917")
def test_interceptors_are_attacked_from_the_air_on_their_way() -> None:
    played = sailing(
        [ONE, air_base("Field", "n3", Germany_NAS=2)],
        [HOME, boats("Scapa", 1, "Britain")],
        {
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s2",
            ("allies", "path"): ["n4 > n3 > n2 > s2"],
            ("axis", "air attacks"): [{"T1 in n3": "attack"}],
            ("axis", "withdraw"): all_withdraw,
        },
        {"Home": [6]},
    )
    form = played.to("air attacks", AXIS).form
    assert [item.key for item in form.items] == ["T1 in n4", "T1 in n3", "T1 in n2"], (
        "from the port they leave on (22.917)"
    )
    played.to_end()
    assert played.battles() == ["n3", "s2"]


@pytest.mark.ledger("22.19")
def test_the_moving_side_says_which_contact_comes_first() -> None:
    played = sailing(
        [ONE, force("Two", "Brest"), activity("Back", "naval redeployment", "Kiel")],
        [HOME, force("Second", "Scapa", ["Repulse"])],
        {
            ("axis", "announce"): {"One": "Shift", "Two": "Back"},
            ("allies", "interception"): {"Home": "A1", "Second": "A2"},
            ("allies", "hex"): ["s3", "s5"],
            ("axis", "order"): "C2",
            ("allies", "withdraw"): all_withdraw,
        },
        {"Home": [6], "Second": [6]},
    ).to_end()
    assert played.battles() == ["s5", "s3"]


@pytest.mark.ledger("22.26B")
def test_a_contact_whose_target_is_gone_lapses() -> None:
    played = sailing(
        [ONE, force("Two", "Kiel"), force("Three", "Kiel")],
        [HOME, force("Second", "Scapa", ["Repulse"])],
        {
            ("axis", "announce"): {"One": "Shift", "Two": "Shift", "Three": "Shift"},
            ("allies", "interception"): {"Home": "A1/1", "Second": "A1/2"},
            ("allies", "hex"): ["s2", "s5"],
            ("axis", "withdraw"): all_withdraw,
        },
        {"Home": [6], "Second": [6]},
        straits=[["s3", "s4"]],
    ).to_end()
    assert played.battles() == ["s2"]
    assert [event.outcome for event in played.events(ContactEnded)][-1] == "nobody met there"
    second = played.force("Second")
    assert (second.harbour, second.inverted) == ("Scapa", False)


@pytest.mark.ledger("22.21T.14")
def test_in_the_pacific_the_result_is_halved() -> None:
    played = sailing(
        [ONE],
        [HOME],
        {("allies", "interception"): {"Home": "A1"}, ("allies", "hex"): "s4"},
        {"Home": [5]},
        theatre="Pacific",
    ).to_end()
    (event,) = played.events(InterceptionRolled)
    assert (event.total, event.result) == (5, 3)


def test_legs_say_what_became_of_them() -> None:
    played = sailing(
        [ONE],
        [HOME],
        {("allies", "interception"): {"Home": "A1"}, ("allies", "hex"): "s4", ("axis", "withdraw"): all_withdraw},
        {"Home": [1]},
    ).to_end()
    changed = [leg.status for event in played.events(LegsChanged) for leg in event.legs if leg.id == "A1"]
    assert changed == ["aborted"]
