"""22.63C to 22.63E in play: ports under invasion, and what becomes of one that returning ships have overfilled."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.core.errors import IllegalChoice
from flagplot.model.operation_events import LossesCounted
from flagplot.scenarios.loader import load_scenario
from tests.rules.operation_table import (
    ALLIES,
    AXIS,
    HOME,
    HUNT,
    LAND,
    PORTS,
    SCAPA,
    SHIFT,
    OperationTable,
    activity,
    all_withdraw,
    force,
    port,
    setup,
)


def beaten(phases: tuple[str, ...], kind: str, capacity: int, answers: dict[tuple[str, str], Any]) -> OperationTable:
    """A sails out of Kiel and is beaten back to it; B has moved in meanwhile."""
    given = setup(
        [
            port("Kiel", "s0", capacity=capacity),
            port("Brest", "s8"),
            port("Emden", "n1"),
            force("A", "Kiel", ["Bismarck"], destroyers=2, transports=1),
            force("B", "Emden", ["Scheer"], destroyers=3),
            activity("Out", kind, "Brest"),
            activity("In", kind, "Kiel"),
        ],
        [port("Scapa", "n4"), HOME],
        phases=phases,
    )
    told: dict[tuple[str, str], Any] = {
        ("axis", f"announce {phases[0]}"): {"A": "Out", "B": "In"},
        ("allies", "interception"): [{"Home": "A1"}],
        ("allies", "hex"): "s4",
        ("axis", "withdraw"): all_withdraw,
    }
    return OperationTable(given, {**told, **answers}, {"Home": [6]})


@pytest.mark.ledger("22.63E", "22.63D")
@pytest.mark.parametrize(("phase", "kind"), [("redeployment", "naval redeployment"), ("movement", "base change")])
def test_what_a_port_cannot_base_is_eliminated_by_its_owners_choice(phase: str, kind: str) -> None:
    played = beaten((phase,), kind, 8, {})
    decision = played.to("overstacking")
    assert decision.about == "Kiel" and [item.key for item in decision.form.items] == [
        "A|bismarck",
        "A|Germany/DD",
        "B|scheer",
        "B|Germany/DD",
    ], "transports are no naval factors"
    before = list(played.game.events())
    for wire, words in (
        ({}, "Kiel bases 8 naval factors"),
        ({"A|bismarck": "eliminated", "B|Germany/DD": {"eliminated": 3}}, "No more is eliminated than must be"),
    ):
        with pytest.raises(IllegalChoice, match=words):
            played.game.submit(AXIS, wire)
    assert played.game.events() == before
    played.game.submit(AXIS, {"B|scheer": "eliminated", "B|Germany/DD": {"eliminated": 1}})
    played.to_end()
    lost = played.events(LossesCounted)[-1]
    assert (lost.rule, [ship.name for ship in lost.ships], lost.light) == ("22.63D", ["Scheer"], {"Germany/DD": 1})
    assert sum(each.factors for each in played.operation.forces[AXIS] if each.harbour == "Kiel") == 8
    assert played.was_asked("axis", "overstacking") == 0, "once, and answered above"


@pytest.mark.ledger("22.63E")
def test_by_default_the_smallest_units_go_and_a_force_may_be_gone_with_them() -> None:
    played = beaten(("redeployment",), "naval redeployment", 6, {})
    decision = played.to("overstacking")
    assert decision.form.default == {"A|Germany/DD": {"eliminated": 2}, "B|Germany/DD": {"eliminated": 3}}
    other = beaten(("redeployment",), "naval redeployment", 6, {})
    other.to("overstacking")
    other.game.submit(AXIS, {"B|scheer": "eliminated", "B|Germany/DD": {"eliminated": 3}})
    other.to_end()
    assert not other.has("B") and other.force("A").factors == 6


@pytest.mark.ledger("22.63D")
def test_in_the_combat_phase_nothing_is_eliminated_yet_and_with_room_never() -> None:
    combat = beaten(("combat",), "sea transport", 8, {("axis", "announce combat"): {"A": "Out"}})
    assert combat.to_end().was_asked("axis", "overstacking") == 0
    room = beaten(("redeployment",), "naval redeployment", 11, {})
    assert room.to_end().was_asked("axis", "overstacking") == 0
    unlimited = beaten(("redeployment",), "naval redeployment", 0, {})
    assert unlimited.to_end().was_asked("axis", "overstacking") == 0


@pytest.mark.ledger("22.63C")
@pytest.mark.parametrize(("phase", "invaded", "refused"), [("combat", False, True), ("redeployment", True, False)])
def test_a_port_under_invasion_is_closed_in_the_combat_phase(phase: str, invaded: bool, refused: bool) -> None:
    """An invasion of Hull that is announced closes it; whatever the set-up says, in another phase nothing does."""
    sails = {"combat": LAND, "redeployment": SHIFT}[phase]
    allies = [*SCAPA, HOME, port("Hull", "s6", invaded=invaded)]
    given = setup([*PORTS, force("Convoy", "Kiel"), sails], allies, phases=(phase,))
    played = OperationTable(
        given, {("axis", "announce"): {"Convoy": sails["activity"]["name"]}, **HUNT}, dice={"Home": [6]}
    )
    decision = played.to("return", ALLIES)
    (item,) = decision.form.items
    assert played.battles() == ["s4"]
    try:
        played.game.submit(ALLIES, {item.key: "Hull"})
    except IllegalChoice as mistake:
        assert refused and mistake.rule == "22.63C"
    else:
        assert not refused


def test_on_a_map_a_port_bases_what_the_map_says() -> None:
    """20.15: fifty naval factors for each port."""
    waters = load_scenario("operation-malta").setup.public.operation
    assert {each.capacity % 50 for each in waters.harbours[AXIS]} == {0}  # type: ignore[union-attr]
    assert all(each.capacity >= 50 for each in waters.harbours[AXIS])  # type: ignore[union-attr]
