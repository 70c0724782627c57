"""22.421C, 22.427, 22.431, 22.92, 22.9432, 23.75A in play: what an operation hands on to its battles and air attacks."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from flagplot.core.errors import IllegalChoice
from flagplot.core.forms import Place
from flagplot.model.air_events import SubmarineAttacked
from flagplot.model.events import FleetMustered, GroupFound
from flagplot.model.forces import Force
from tests.rules.operation_table import (
    ALLIES,
    AXIS,
    CORPS,
    HOME,
    HUNT,
    JOINED_LATER,
    LAND,
    ONE,
    SAILS,
    SCAPA,
    SHIFT,
    OperationTable,
    activity,
    air_base,
    all_withdraw,
    boats,
    contacts,
    dice_of,
    force,
    port,
    setup,
)


def places(form_places: tuple[Place, ...]) -> list[str]:
    return [place.key for place in form_places]


# -- aircraft and voyages to SW boxes ----------------------------------------------------------------------------


def to_the_box(purpose: str, mover: str, nation: str, box: str = "SW", **ships: int) -> OperationTable:
    """A voyage from s0 to an SW box in s8, or to a port there, past enemy naval air in n4."""
    sailing = [
        port("Harbour", "s0"),
        port("Box", "s8", **({"box": box} if box else {})),
        force("Ships", "Harbour", nation=nation, **ships),
        activity("Go", "SW box redeployment", "Box", purpose=purpose),
    ]
    flying = [
        port("Enemy", "n15"),
        air_base("Field", "n4", **{f"{'Britain' if mover == 'axis' else 'Germany'}_NAS": 3}),
    ]
    axis, allies = (sailing, flying) if mover == "axis" else (flying, sailing)
    given = setup(axis, allies, phases=("movement",), mover=mover, air_range=2)
    return OperationTable(given, {(mover, "announce"): {"Ships": "Go"}})


@pytest.mark.ledger("23.75A.3")
@pytest.mark.parametrize(
    ("purpose", "mover", "nation", "ships", "attacked"),
    [
        ("ASW", "allies", "Britain", {"destroyers": 3}, False),
        ("ASW", "axis", "Germany", {"destroyers": 3}, False),
        ("transports", "allies", "Britain", {"transports": 2}, False),
        ("transports", "allies", "Russia", {"transports": 2}, True),
        ("transports", "axis", "Germany", {"transports": 2}, True),
        ("against raiders", "allies", "Britain", {"destroyers": 3}, True),
        ("", "allies", "Britain", {"destroyers": 3}, True),
        ("ASW", "allies", "Britain", {"destroyers": 3, "box": ""}, True),
    ],
)
def test_23_75A_aircraft_pass_over_asw_and_western_allied_transports_between_port_and_box(
    purpose: str, mover: str, nation: str, ships: dict[str, Any], attacked: bool
) -> None:
    played = to_the_box(purpose, mover, nation, **ships).to_end()
    enemy = "allies" if mover == "axis" else "axis"
    assert bool(played.was_asked(enemy, "air attacks")) is attacked
    assert played.force("Ships").harbour == "Box"


# -- destroyers elsewhere ----------------------------------------------------------------------------------------

ESCORT = force("Escort", "Kiel", destroyers=4)
FEED = activity("Feed", "sea supply", "Brest", zone="France")
ELSEWHERE = [
    port("Kiel", "s0"),
    port("Brest", "s8"),
    port("Calais", "n6"),
    port("Far", "s15"),
    force("In Kiel", "Kiel", destroyers=2),
    force("In Brest", "Brest", destroyers=3),
    force("In Calais", "Calais", destroyers=1),
    force("In Far", "Far", destroyers=5),
]


@pytest.mark.ledger("22.9432", "22.9434.2")
@pytest.mark.parametrize(
    ("path", "kind", "shown"),
    [
        ("s0 > s1 > s2 > s3 > s4 > s5 > s6 > s7 > s8", "sea supply", ["Brest", "Kiel"]),
        ("s0 > s1 > s2 > s3 > s4 > s5 > n5 > n6 > n7 > s7 > s8", "sea supply", ["Brest", "Calais", "Kiel"]),
        ("s0 > s1 > s2 > s3 > s4 > s5 > n5 > n6 > n7 > s7 > s8", "sea escort", ["Kiel"]),
    ],
)
def test_22_9432_losses_of_a_supply_line_are_taken_at_ports_it_passes_and_no_others(
    path: str, kind: str, shown: list[str]
) -> None:
    """Three destroyers are hit; those of a port at the other end of the sea have nothing to do with it."""
    feed = activity("Feed", kind, "Brest", **({"zone": "France"} if kind == "sea supply" else {}))
    played = OperationTable(
        setup([*ELSEWHERE, ESCORT, feed], [*SCAPA, boats("Scapa", 1, "Britain")]),
        {
            ("axis", "announce"): {"Escort": "Feed"},
            ("axis", "path"): path,
            ("allies", "interception"): [{"Scapa|Britain/SUB": "A1"}],
            ("allies", "hex"): "s4",
        },
        {"Scapa": [4], "22.94": [11]},
    )
    form = played.to("shift losses").form
    assert sorted(key.partition("|")[0] for key in places(form.places) if key != "here") == shown


# -- sea supply, and the way home --------------------------------------------------------------------------------


def fed(where: str) -> tuple[OperationTable, Force]:
    """Escorts of a supply line to n8 are met on their way out, or when they have been there and sail home."""

    def seek(decision: Any) -> Any:
        wanted = ("going home" in decision.form.places[1].label) == (where == "home")
        return {"Home": decision.form.places[1].key} if wanted else {}

    played = OperationTable(
        setup(
            [port("Kiel", "s0"), ESCORT, activity("Feed", "sea supply", "n8", zone="France")],
            [*SCAPA, force("Home", "Scapa", ["Hood", "Renown"], destroyers=5)],
        ),
        {
            ("axis", "announce"): {"Escort": "Feed"},
            ("allies", "interception"): seek,
            ("allies", "hex"): "s4",
            ("axis", "path"): lambda decision: (
                " > ".join(f"s{n}" for n in range(9)) + " > n8"
                if decision.about == "A1"
                else "n8 > s8 > " + " > ".join(f"s{n}" for n in range(7, -1, -1))
            ),
        },
        {"Home": [6], "22.451": [1]},
    )
    played.to("screen")
    (ours,) = [each for event in played.events(FleetMustered) for each in event.forces if each.name == "Escort"]
    return played, ours


@pytest.mark.ledger("22.427.2", "22.552B.3", "22.22A.2")
@pytest.mark.parametrize(("where", "guards"), [("out", True), ("home", False)])
def test_22_427_ships_that_come_back_from_sea_supply_guard_no_line_any_more(where: str, guards: bool) -> None:
    """They still fight hampered (22.552B) and cost the two dice of 22.22A, but are neither slow nor tied to a line."""
    played, ours = fed(where)
    assert (ours.supply, ours.unladen) == (guards, not guards)
    assert dice_of(played)["T1"]["22.22A"] == 2
    (found,) = [event for event in played.events(GroupFound) if event.side is not ALLIES]
    assert (found.disclosed.fast, found.disclosed.cargo) == (not guards, guards)


# -- how far carriers reach --------------------------------------------------------------------------------------


@pytest.mark.ledger("22.431", "23.61C")
@pytest.mark.parametrize(("reach", "shown"), [(0, ["Near"]), (4, ["Near", "Middle"])])
def test_22_431_in_a_battle_of_an_operation_carriers_reach_as_far_as_at_other_times(
    reach: int, shown: list[str]
) -> None:
    """The bases lie three, four and eight hexes from the battle in s4, all within range of their own aircraft; unless it is
    said otherwise carriers fly three hexes (FP-73)."""
    fields = [air_base(name, hex, Germany_NAS=2) for name, hex in (("Near", "s7"), ("Middle", "s8"), ("Far", "s12"))]
    carriers = force("Home", "Scapa", ["Victorious", "Hood"], destroyers=4)
    given = setup([port("Kiel", "s0"), port("Brest", "s8"), ONE, SHIFT, *fields], [*SCAPA, carriers], air_range=9)
    if reach:
        air = {**given.public.air, ALLIES: replace(given.public.air[ALLIES], carrier_range=reach)}
        given = replace(given, public=replace(given.public, air=air))
    form = OperationTable(given, {**SAILS, **HUNT}, {"Home": [4]}).to("patrol", ALLIES).form
    assert [key.removeprefix("base ") for key in places(form.places) if key.startswith("base ")] == shown


# -- more than six groups with cargo -----------------------------------------------------------------------------


@pytest.mark.ledger("22.421C.1", "22.421C.2.1")
def test_22_421C_of_seven_forces_with_cargo_six_fight_and_the_seventh_waits() -> None:
    """All must take part and six may: six do, and who has no cargo waits (FP-105)."""
    names = [f"Convoy {number}" for number in range(1, 8)]
    laden = [force(name, "Kiel", destroyers=4, cargo=[{"name": f"corps {name}", "needs": 2}]) for name in names]
    played = OperationTable(
        setup(
            [port("Kiel", "s0"), LAND, *laden, force("Guard", "Kiel", ["Bismarck", "Tirpitz"])],
            [*SCAPA, HOME],
            ("combat",),
        ),
        {
            ("axis", "announce"): dict.fromkeys([*names, "Guard"], "Land"),
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s4",
        },
        {"Home": [18]},
    )
    form = played.to("number", AXIS).form
    assert [name for name, number in form.default.items() if number == "wait"] == ["Convoy 7", "Guard"]
    numbers = {name: str(index) for index, name in enumerate(names[1:], start=1)}
    form.read({**numbers, "Convoy 1": "wait", "Guard": "wait"}, "22.423")
    with pytest.raises(IllegalChoice, match="22.421C"):
        form.read({**numbers, "Convoy 1": "wait", "Convoy 7": "wait", "Guard": "6"}, "22.423")
    played.to_end()
    assert played.battles() == ["s4"]


# -- submarines that waited, and one that came too late ----------------------------------------------------------


@pytest.mark.ledger("22.92.3")
def test_22_92_a_submarine_that_came_too_late_for_any_target_is_not_inverted_for_those_that_waited() -> None:
    """Two submarines let the first round pass and attack in the second; the third comes in the third round, when nobody is
    found. The first two are lost or spent, and the third goes back as it was (RC-74)."""
    played = OperationTable(
        setup(
            [
                port("Kiel", "s0"),
                LAND,
                force("Convoy", "Kiel", ["Bismarck", "Tirpitz"], destroyers=6, cargo=CORPS),
            ],
            [
                *SCAPA,
                force("Home", "Scapa", ["Hood", "Renown"], destroyers=5),
                port("Hull", "n15"),
                boats("Hull", 3, "Britain"),
            ],
            ("combat",),
        ),
        {
            ("axis", "announce"): {"Convoy": "Land"},
            ("allies", "interception"): [{"Home": "A1", "Hull|Britain/SUB": {"A1": 3}}],
            ("allies", "hex"): "s4",
            ("axis", "number"): {"Convoy": "6"},
            ("allies", "submarines"): [{"Britain/SUB": {"wait": 2}}, {"Britain/SUB": {"CG6": 2}}],
            ("allies", "withdraw"): [{}, {}, all_withdraw],
            ("axis", "withdraw"): {},
        },
        {"Home": [4], "Hull": [12, 12, 4], "22.451": [6, 12, 3], "22.94": [12, 12]},
    ).to_end()
    assert [event.number for event in played.events(SubmarineAttacked)] == [6, 6]
    (hull,) = played.operation.boats[ALLIES]
    assert (hull.inverted, hull.attempted) == ({"Britain/SUB": 2}, {"Britain/SUB": 1})


# -- one sortie in a hex -----------------------------------------------------------------------------------------


@pytest.mark.ledger("23.752A.3")
def test_23_752A_ships_that_wait_in_the_hex_of_their_activity_are_not_attacked_there_a_second_time() -> None:
    """One shells s6 and waits. Two and Three meet in n2 and land in s6, where a submarine meets them, and One with them."""
    played = OperationTable(
        setup(
            JOINED_LATER,
            [*SCAPA, boats("Scapa", 1, "Britain"), air_base("Field", "n6", Britain_NAS=3)],
            phases=("combat",),
        ),
        {
            ("axis", "announce"): {"One": "Shell", "Two": "Land", "Three": "Land"},
            ("allies", "interception"): lambda decision: (
                {"Scapa|Britain/SUB": "A4"} if any(place.key == "A4" for place in decision.form.places) else {}
            ),
            ("allies", "hex"): "s6",
        },
        {"Scapa": [12]},
    )
    offered: list[str] = []
    while not played.game.over:
        decision = played.game.decision(ALLIES)
        if decision and decision.kind == "air attacks":
            offered += [item.key for item in decision.form.items]
        played.step()
    assert offered == ["A1 in s6", "A4 in n5", "A4 in n6", "A4 in s6"]
    assert contacts(played) == [("s6", ("A4", "A5"))]
