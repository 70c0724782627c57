"""22.12, 22.13, 22.15, 22.18: activities announced, paths, hexes, straits, meetings, voyages home."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.core.errors import IllegalChoice
from flagplot.core.sides import Audience
from flagplot.model.operation_events import ContactsSought, LegsChanged, PathGiven, WaveAnnounced
from tests.rules.operation_table import (
    ALLIES,
    AXIS,
    PORTS,
    SCAPA,
    SHIFT,
    OperationTable,
    activity,
    all_withdraw,
    boats,
    force,
    port,
    setup,
)


@pytest.mark.ledger("22.15", "22.15B", "22.12.1", "22.164A.1")
def test_everything_is_announced_before_anybody_intercepts() -> None:
    table = OperationTable(
        setup(
            [
                *PORTS,
                force("One", "Kiel"),
                force("Two", "Brest"),
                SHIFT,
                activity("Back", "naval redeployment", "Kiel"),
            ],
            [*SCAPA, force("Home", "Scapa", ["Hood"])],
        ),
        {("axis", "announce"): {"One": "Shift", "Two": "Back"}},
    ).to_end()
    kinds = [kind for _, kind, _ in table.asked]
    assert kinds == ["announce", "demand", "path", "path", "interception"]
    (wave,) = table.events(WaveAnnounced)
    assert [(leg.id, leg.forces, leg.start, leg.end) for leg in wave.legs] == [
        ("A1", ("One",), "s0", "s8"),
        ("A2", ("Two",), "s8", "s0"),
    ]
    assert (table.force("One").harbour, table.force("Two").harbour) == ("Brest", "Kiel")


@pytest.mark.ledger("22.12.1", "22.12.2")
def test_what_is_not_demanded_is_not_shown_and_cannot_be_intercepted() -> None:
    given = setup(
        [*PORTS, force("One", "Kiel"), force("Two", "Kiel"), SHIFT, activity("Other", "naval redeployment", "Brest")],
        [*SCAPA, force("Home", "Scapa", ["Hood"])],
    )
    table = OperationTable(
        given,
        {("axis", "announce"): {"One": "Shift", "Two": "Other"}, ("allies", "demand"): {"A2": "waive"}},
    )
    decision = table.to("interception")
    assert [place.key for place in decision.form.places][:-2] == ["hold", "A1"]
    shown = {event.leg: event.to for event in table.events(PathGiven)}
    assert shown == {"A1": Audience.EVERYONE, "A2": Audience.AXIS}


@pytest.mark.ledger("22.12A", "22.12.2")
def test_from_port_the_port_the_destination_and_all_between_may_be_chosen() -> None:
    table = OperationTable(
        setup([*PORTS, force("One", "Kiel"), SHIFT], [*SCAPA, force("Home", "Scapa", ["Hood"])]),
        {("axis", "announce"): {"One": "Shift"}, ("allies", "interception"): {"Home": "A1"}},
    )
    decision = table.to("hex")
    assert [place.key for place in decision.form.places] == [f"s{n}" for n in range(9)]
    assert decision.form.default == {"choice": "s4"}, "the nearest hex is offered first"


@pytest.mark.ledger("22.12B.1", "22.12B.2", "22.18B", "22.13F", "22.115")
def test_of_ships_going_home_only_hexes_newly_entered_may_be_chosen() -> None:
    table = OperationTable(
        setup(
            [*PORTS, force("One", "Kiel"), activity("Bombard", "shore bombardment", "s8")],
            [*SCAPA, force("Home", "Scapa", ["Hood"])],
            phases=("combat",),
        ),
        {
            ("axis", "announce"): {"One": "Bombard"},
            ("allies", "interception"): [{}, {"Home": "A2"}],
        },
    )
    decision = table.to("hex")
    assert [place.key for place in decision.form.places] == [f"s{n}" for n in range(7, -1, -1)]


@pytest.mark.ledger("22.13A")
def test_each_side_of_a_strait_has_its_own_interception() -> None:
    table = OperationTable(
        setup(
            [*PORTS, force("One", "Kiel"), SHIFT],
            [*SCAPA, force("Home", "Scapa", ["Hood"]), force("Second", "Scapa", ["Rodney"])],
            straits=[["s3", "s4"]],
        ),
        {
            ("axis", "announce"): {"One": "Shift"},
            ("allies", "interception"): {"Home": "A1/1", "Second": "A1/2"},
            ("allies", "hex A1/1"): "s3",
            ("allies", "hex A1/2"): "s4",
            ("allies", "withdraw"): all_withdraw,
        },
        {"Home": [6], "Second": [1]},
    )
    table.to_end()
    contacts = [contact for event in table.events(ContactsSought) for contact in event.contacts]
    assert [(contact.hex, contact.legs) for contact in contacts] == [("s3", ("A1",)), ("s4", ("A1",))]
    assert table.battles() == ["s3"], "one die each: the slow Rodney has none, and Hood is alone at her side"


MEETING = [
    port("Manila", "s0"),
    port("Okinawa", "s4"),
    port("Tokyo", "s8"),
    port("Truk", "s15"),
    force("Manila TF", "Manila"),
    force("Okinawa TF", "Okinawa"),
    force("Tokyo TF", "Tokyo"),
]
ALL_SAIL = {"Manila TF": "Go", "Okinawa TF": "Go", "Tokyo TF": "Go"}


def waves(extra: dict[str, Any]) -> list[list[tuple[tuple[str, ...], str, str]]]:
    table = OperationTable(
        setup([*MEETING, activity("Go", "naval redeployment", "Truk", **extra)], [*SCAPA, force("Home", "Scapa")]),
        {("axis", "announce"): ALL_SAIL},
    ).to_end()
    assert all(table.force(name).harbour == "Truk" for name in ALL_SAIL)
    assert table.was_asked("allies", "interception") == len(table.events(WaveAnnounced))
    return [[(leg.forces, leg.start, leg.end) for leg in event.legs] for event in table.events(WaveAnnounced)]


@pytest.mark.ledger("22.13.EX", "22.13C.1")
def test_three_forces_that_meet_at_sea_are_four_opportunities() -> None:
    assert waves({"meet": "n6"}) == [
        [
            (("Manila TF",), "s0", "n6"),
            (("Okinawa TF",), "s4", "n6"),
            (("Tokyo TF",), "s8", "n6"),
        ],
        [(("Manila TF", "Okinawa TF", "Tokyo TF"), "n6", "s15")],
    ]


@pytest.mark.ledger("22.13.EX", "22.13C.2")
def test_forces_picked_up_port_by_port_are_three_opportunities() -> None:
    assert waves({"calls": ["Okinawa", "Tokyo"]}) == [
        [(("Manila TF",), "s0", "s4")],
        [(("Okinawa TF", "Manila TF"), "s4", "s8")],
        [(("Tokyo TF", "Okinawa TF", "Manila TF"), "s8", "s15")],
    ]


def test_a_force_that_meets_others_at_sea_begins_at_sea() -> None:
    """22.13C, 22.12B: the hex of the meeting is not offered again."""
    table = OperationTable(
        setup([*MEETING, activity("Go", "naval redeployment", "Truk", meet="n6")], [*SCAPA, force("Home", "Scapa")]),
        {("axis", "announce"): ALL_SAIL, ("allies", "interception"): [{}, {"Home": "A4"}]},
    )
    assert "n6" not in [place.key for place in table.to("hex").form.places]


@pytest.mark.ledger("22.28B.1", "22.28B.2", "22.15D")
@pytest.mark.parametrize("choice", ["go on", "abort"])
def test_if_one_force_does_not_come_the_others_may_go_on_or_abort(choice: str) -> None:
    table = OperationTable(
        setup(
            [*MEETING, activity("Go", "naval redeployment", "Truk", meet="s6")],
            [port("Scapa", "n4"), force("Home", "Scapa", ["Hood", "Renown"])],
        ),
        {
            ("axis", "announce"): ALL_SAIL,
            ("allies", "interception"): [{"Home": "A1"}],
            ("axis", "withdraw"): all_withdraw,
            ("axis", "partner"): choice,
            ("allies", "hex"): "s4",
        },
        {"Home": [6]},
    )
    table.to_end()
    assert table.was_asked("axis", "partner") == 1
    assert (table.force("Manila TF").harbour, table.force("Manila TF").inverted) == ("Manila", True)
    others = [table.force(name).harbour for name in ("Okinawa TF", "Tokyo TF")]
    assert others == (["Truk", "Truk"] if choice == "go on" else ["Okinawa", "Tokyo"])


@pytest.mark.ledger("22.11A.1", "22.11A")
def test_raiders_from_bergen_are_not_intercepted() -> None:
    atlantic = [port("Bergen", "s0"), port("Atlantic", "s9", box="SW"), activity("Raid", "raider", "Atlantic")]
    table = OperationTable(
        setup([*atlantic, force("Raider", "Bergen", ["Scheer"])], [*SCAPA, force("Home", "Scapa", ["Hood"])]),
        {("axis", "announce"): {"Raider": "Raid"}},
    ).to_end()
    assert table.was_asked("allies", "interception") == 0
    assert table.force("Raider").harbour == "Atlantic"


@pytest.mark.ledger("22.11C.1")
def test_other_raiders_may_be_intercepted_on_their_way() -> None:
    atlantic = [port("Kiel", "s0"), port("Atlantic", "s9", box="SW"), activity("Raid", "raider", "Atlantic")]
    table = OperationTable(
        setup([*atlantic, force("Raider", "Kiel", ["Scheer"])], [*SCAPA, force("Home", "Scapa", ["Hood"])]),
        {("axis", "announce"): {"Raider": "Raid"}},
    ).to_end()
    assert table.was_asked("allies", "interception") == 1


@pytest.mark.ledger("22.11B.1", "22.11B.2", "22.11.1")
def test_only_uninverted_ships_in_operational_ports_on_the_map_are_offered() -> None:
    table = OperationTable(
        setup(
            [*PORTS, force("One", "Kiel"), SHIFT],
            [
                *SCAPA,
                port("Wreck", "n5", operational=False),
                port("Boston", "n6", box="U.S."),
                force("Home", "Scapa"),
                force("Inverted", "Scapa", inverted=True),
                force("Stuck", "Wreck"),
                force("Far", "Boston"),
                boats("Wreck", 1, "Britain"),
            ],
        ),
        {("axis", "announce"): {"One": "Shift"}},
    )
    assert [item.key for item in table.to("interception").form.items] == ["Home", "task forces"]


@pytest.mark.ledger("22.15C.1", "22.18A", "22.131")
def test_missions_go_home_together_when_all_are_completed() -> None:
    table = OperationTable(
        setup(
            [
                *PORTS,
                force("One", "Kiel"),
                force("Two", "Brest"),
                activity("West", "shore bombardment", "n8"),
                activity("East", "shore bombardment", "n0"),
            ],
            [*SCAPA, force("Home", "Scapa")],
            phases=("combat",),
        ),
        {("axis", "announce"): {"One": "East", "Two": "West"}},
    ).to_end()
    out, home = table.events(WaveAnnounced)
    assert [leg.returning for leg in (*out.legs, *home.legs)] == [False, False, True, True]
    assert [event.why for event in table.events(LegsChanged)] == ["arrived", "arrived"]
    assert (table.force("One").harbour, table.force("Two").harbour) == ("Kiel", "Brest")


@pytest.mark.ledger("22.15A.1", "22.15C.2")
def test_a_patrol_stays_in_its_patrol_hex_into_the_next_phase() -> None:
    table = OperationTable(
        setup(
            [*PORTS, force("One", "Kiel"), activity("Watch", "patrol", "s6", staying=True)],
            [*SCAPA, force("Home", "Scapa")],
            phases=("movement", "combat"),
        ),
        {("axis", "announce movement"): {"One": "Watch"}},
    ).to_end()
    assert (table.force("One").place, table.force("One").patrol) == ("s6", "offensive")


# -- refusals ----------------------------------------------------------------------------------------


def path_table() -> OperationTable:
    given = setup(
        [*PORTS, force("One", "Kiel"), activity("Shift", "naval redeployment", "Brest", range=10)],
        [*SCAPA, force("Home", "Scapa")],
    )
    return OperationTable(given, {("axis", "announce"): {"One": "Shift"}})


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (["s0", "s2", "s8"], "22.12: from 's0' ships cannot sail to 's2'"),
        (["s0", "z9", "s8"], "22.12: from 's0' ships cannot sail to 'z9'"),
        (["s1", "s2", "s8"], "22.12: the path leads from 's1' to 's8', not from s0 to s8"),
        (["s0", "s1", "s0", *(f"s{n}" for n in range(1, 9))], "22.12: the path enters a hex twice"),
        (
            ["s0", "n0", "n1", "s1", "s2", "n2", "n3", *(f"s{n}" for n in range(3, 9))],
            "21.33: the path has 12 hexes, and 10 is the most",
        ),
        (7, "22.12: a path is a row of hexes"),
        ({"choice": {"a": 2}}, "22.12: a path is a row of hexes"),
    ],
)
def test_an_impossible_path_is_refused_with_its_rule_and_nothing_changes(path: Any, words: str) -> None:
    table = path_table()
    decision = table.to("path")
    before = list(table.game.events())
    with pytest.raises(IllegalChoice) as refusal:
        table.game.submit(AXIS, path)
    assert words in str(refusal.value)
    assert table.game.events() == before and table.game.decision(AXIS) is decision


def test_any_legal_path_will_do_as_a_list_or_as_text() -> None:
    for wire in (["s0", "n0", *(f"n{n}" for n in range(1, 9)), "s8"], "s0 > s1 > s2>s3 > s4 > s5 > s6 > s7 > s8"):
        table = path_table()
        table.to("path")
        table.game.submit(AXIS, wire)
        table.to_end()
        assert table.force("One").harbour == "Brest"


def test_one_path_only_is_answered_for_the_player() -> None:
    from flagplot.core.forms import path_form

    line = {"a": ("b",), "b": ("a", "c"), "c": ("b",)}
    assert path_form([("a", "b", "c")], line, 0, "").sole_answer() == {"choice": "a > b > c"}
    ring = {"a": ("b", "d"), "b": ("a", "c"), "c": ("b", "d"), "d": ("a", "c")}
    assert path_form([("a", "b", "c")], ring, 0, "").sole_answer() is None
    assert path_form([("a", "b")], ring, 1, "").sole_answer() == {"choice": "a > b"}


@pytest.mark.ledger("22.11.3", "22.14A.2")
def test_a_unit_used_twice_or_for_what_it_is_not_meant_is_refused() -> None:
    given = setup(
        [
            *PORTS,
            force("One", "Kiel", cargo=[{"name": "a corps", "needs": 2}]),
            force("Two", "Kiel"),
            activity("Shift", "naval redeployment", "Brest", forces=["One"]),
            activity("Near", "sea escort", "Brest", range=2),
        ],
        [*SCAPA, force("Home", "Scapa", ["Hood"], task_force=False, cruisers=4)],
    )
    table = OperationTable(given)
    table.to("announce")
    for wire, words in (
        ({"Two": "Shift"}, "This activity is for others"),
        ({"One": "Shift"}, "It has cargo aboard"),
        ({"One": "Near"}, "21.33"),
        ({"Two": {"Shift": 1, "Near": 1}}, "can be placed in all"),
    ):
        with pytest.raises(IllegalChoice) as refusal:
            table.game.submit(AXIS, wire)
        assert words in str(refusal.value)
    assert table.game.decision(ALLIES) is None
