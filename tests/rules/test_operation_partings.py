"""22.18D, 22.141E, 22.132B in play: ships that sail home together and part, or never sail together; aircraft where no battle is
fought after all.
"""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.model.operation_events import ContactMade, ContactsSought
from tests.rules.operation_table import (
    ALLIES,
    AXIS,
    HOME,
    ONE,
    PORTS,
    SAILS,
    SCAPA,
    SHIFT,
    OperationTable,
    activity,
    air_base,
    all_withdraw,
    force,
    port,
    setup,
)

AXIS_PORTS = [port("Kiel", "s0"), port("Danzig", "n0")]
ALLIED_PORTS = [port("Scapa", "s0"), port("Brest", "n0")]
SHELL = activity("Shell", "shore bombardment", "s8")
BY_N2 = "s8 > s7 > s6 > s5 > s4 > s3 > s2 > n2 > n1 > n0"  # the others go on to s1 and s0


def bombardment(more: dict[tuple[str, str], Any] | None = None) -> OperationTable:
    """A from Kiel and B from Danzig shell s8, and come back by one path as far as s2."""
    hexes = {"A3/1": "s6", "A3/2": "s1", "A4/2": "n1"}
    return OperationTable(
        setup(
            [*AXIS_PORTS, force("A", "Kiel", ["Bismarck"]), force("B", "Danzig", ["Tirpitz"]), SHELL],
            [port("Scapa", "n4"), *(force(name, "Scapa", [name]) for name in ("Hood", "Repulse", "Renown"))],
            phases=("combat",),
        ),
        {
            ("axis", "announce"): {"A": "Shell", "B": "Shell"},
            ("axis", "path A4"): BY_N2,
            ("allies", "interception"): [{}, {"Hood": "A3/1", "Repulse": "A3/2", "Renown": "A4/2"}],
            ("allies", "hex"): lambda decision: hexes[decision.about],
            **(more or {}),
        },
        {"Hood": [6], "Repulse": [6], "Renown": [6]},
    )


@pytest.mark.ledger("22.18D")
def test_ships_that_sail_home_together_are_intercepted_together_and_again_where_they_have_parted() -> None:
    played = bombardment().to_end()
    assert [(event.hex, event.forces) for event in played.events(ContactMade)] == [
        ("s6", {AXIS: ("A", "B"), ALLIES: ("Hood",)}),
        ("s1", {AXIS: ("A",), ALLIES: ("Repulse",)}),
        ("n1", {AXIS: ("B",), ALLIES: ("Renown",)}),
    ]
    assert played.rolled == {"Hood": 2, "Repulse": 1, "Renown": 1}, (
        "a die for each TF in the force that is met (22.22E)"
    )


@pytest.mark.ledger("22.18D", "22.12")
def test_where_only_one_path_was_asked_for_nothing_tells_where_the_others_part_from_it() -> None:
    asked = {("allies", "demand"): [{"A1": "demand", "A2": "demand"}, {"A3": "demand", "A4": "waive"}]}
    played = bombardment({**asked, ("allies", "interception"): [{}]})
    played.to("interception", ALLIES)
    played.step()
    form = played.to("interception", ALLIES).form
    assert [place.key for place in form.places if place.key.startswith("A")] == ["A3"]


@pytest.mark.ledger("22.18D", "22.141E")
def test_british_and_french_ships_that_do_not_cooperate_are_no_force_that_parts() -> None:
    played = OperationTable(
        setup(
            [port("Kiel", "s5"), force("One", "Kiel", ["Bismarck"])],
            [*ALLIED_PORTS, force("Home", "Scapa", ["Hood"]), force("Fleet", "Brest", nation="France"), SHELL],
            mover="allies",
            phases=("combat",),
            inputs={"restrictions": ["Anglo-French"]},
        ),
        {("allies", "announce"): {"Home": "Shell", "Fleet": "Shell"}, ("axis", "interception"): [{}]},
    )
    played.to("interception", AXIS)
    played.step()
    form = played.to("interception", AXIS).form
    assert [place.key for place in form.places if place.key.startswith("A")] == ["A3", "A4"]
    assert not played.events(ContactsSought)


@pytest.mark.ledger("22.141E")
@pytest.mark.parametrize(
    ("restrictions", "legs"), [([], [("Fleet", "Home")]), (["Anglo-French"], [("Home",), ("Fleet",)])]
)
def test_british_and_french_ships_of_one_activity_and_port_sail_apart_while_they_do_not_cooperate(
    restrictions: list[str], legs: list[tuple[str, ...]]
) -> None:
    played = OperationTable(
        setup(
            [port("Kiel", "s5"), force("One", "Kiel", ["Bismarck"])],
            [*ALLIED_PORTS, force("Home", "Scapa", ["Hood"]), force("Fleet", "Scapa", nation="France"), SHELL],
            mover="allies",
            phases=("combat",),
            inputs={"restrictions": restrictions},
        ),
        {("allies", "announce"): {"Home": "Shell", "Fleet": "Shell"}, ("axis", "interception"): [{}]},
    )
    played.to("interception", AXIS)
    assert sorted(sorted(leg.forces) for leg in played.operation.wave.legs) == sorted(map(sorted, legs))
    played.step()
    played.to("interception", AXIS)
    assert sorted(sorted(leg.forces) for leg in played.operation.wave.legs) == sorted(map(sorted, legs)), "going home"


@pytest.mark.ledger("22.132B", "22.132A")
@pytest.mark.parametrize("stopped", [True, False])
def test_where_interceptors_were_stopped_before_their_hex_aircraft_attack_there_outside_naval_combat(
    stopped: bool,
) -> None:
    """Home is met by Cover in n4 before it comes to s3. Beaten, it fights no battle there; having won, it does."""
    beaten, victor = ("allies", "axis") if stopped else ("axis", "allies")
    played = OperationTable(
        setup(
            [*PORTS, SHIFT, ONE, port("Bergen", "s5"), force("Cover", "Bergen", ["Scharnhorst"])],
            [*SCAPA, HOME, air_base("Field", "n3", Britain_NAS=2)],
        ),
        {
            **SAILS,
            ("allies", "interception"): {"Home": "A1"},
            ("allies", "hex"): "s3",
            ("allies", "path"): "n4 > n3 > s3",
            ("allies", "air attacks"): {"A1 in s3": "attack"},
            ("axis", "counter-interception"): {"Cover": "meet T1"},
            ("axis", "hex meet T1"): "n4",
            (beaten, "withdraw"): all_withdraw,
            (victor, "withdraw"): lambda decision: decision.form.default,
            ("allies", "activity"): "go on",
        },
        {"Home": [6], "Cover": [6]},
    ).to_end()
    made = [(event.hex, event.kind) for event in played.events(ContactMade)]
    assert made[:2] == [("n4", "naval battle"), ("s3", "air attack" if stopped else "naval battle")]
    assert ("s3", "air attack") not in made or stopped
