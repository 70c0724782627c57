"""22.11A, 22.63D, 22.913, 23.75A in play: raiders home from the sea, full ports, submarine patrols, patrols on their way."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.core.errors import ScenarioError
from flagplot.model.events import BattleJoined, InputTaken
from flagplot.model.operation_events import PortsReached
from flagplot.play.transcript import transcript
from tests.rules.operation_table import (
    ALLIES,
    AXIS,
    HOME,
    JOINED_LATER,
    SCAPA,
    OperationTable,
    activity,
    air_base,
    all_withdraw,
    force,
    port,
    setup,
)

FLEET = [*SCAPA, HOME]

# -- a raider that began the game at sea ----------------------------------------------------------------


def raider(**where: Any) -> OperationTable:
    given = setup([port("Kiel", "s0"), force("Spee", "Kiel", ["Graf Spee"], at="s8", **where)], FLEET)
    return OperationTable(given, {("allies", "interception"): {"Home": "A1"}})


@pytest.mark.ledger("22.11A.2")
def test_a_raider_that_began_the_game_at_sea_comes_home_and_nobody_intercepts_it() -> None:
    played = raider(began_at_sea=True).to_end()
    assert not played.was_asked("allies", "interception") and not played.battles()
    (leg,) = played.operation.ended
    assert (leg.kind, leg.returning, leg.end) == ("raider", True, "s0")
    assert played.force("Spee").harbour == "Kiel" and not played.force("Spee").began_at_sea
    assert raider(displaced=True).to_end().was_asked("allies", "interception"), "other ships at sea are no such raiders"


@pytest.mark.ledger("22.11A.2", "22.141C")
def test_each_such_raider_comes_home_by_itself() -> None:
    two = [force(name, "Kiel", [name], at="s8", began_at_sea=True) for name in ("Graf Spee", "Scheer")]
    played = OperationTable(setup([port("Kiel", "s0"), *two], FLEET)).to_end()
    assert [leg.forces for leg in played.operation.ended] == [("Graf Spee",), ("Scheer",)]


@pytest.mark.ledger("22.11A.2")
@pytest.mark.parametrize("wrong", [{"patrol": "offensive"}, {"displaced": True}])
def test_such_a_raider_is_on_no_patrol_and_was_not_displaced(wrong: dict[str, Any]) -> None:
    with pytest.raises(ScenarioError, match="22.11A"):
        raider(began_at_sea=True, **wrong)
    with pytest.raises(ScenarioError, match="22.11A"):
        setup([port("Kiel", "s0"), force("Spee", "Kiel", ["Graf Spee"], began_at_sea=True)], FLEET)


# -- ships whose base lies in the hex of the battle ------------------------------------------------------


@pytest.mark.ledger("22.63D", "22.63E")
def test_a_port_is_overfilled_by_ships_that_go_into_it_from_its_own_hex() -> None:
    """A is met as it leaves Kiel, beaten there and back in port at once; B has come in meanwhile: five and three factors."""
    given = setup(
        [
            port("Kiel", "s0", capacity=7),
            port("Brest", "s8"),
            port("Emden", "n1"),
            force("A", "Kiel", ["Bismarck"], destroyers=1),
            force("B", "Emden", destroyers=3),
            activity("Out", "naval redeployment", "Brest"),
            activity("In", "naval redeployment", "Kiel"),
        ],
        FLEET,
        phases=("redeployment",),
    )
    played = OperationTable(
        given,
        {
            ("axis", "announce"): {"A": "Out", "B": "In"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s0",
            ("axis", "withdraw"): all_withdraw,
        },
        {"Home": [6]},
    )
    assert played.to("overstacking", AXIS).about == "Kiel"
    assert played.battles() == ["s0"]
    played.answers[("axis", "overstacking")] = {"B|Germany/DD": {"eliminated": 1}}
    played.to_end()
    assert played.force("A").harbour == "Kiel" and played.force("B").light == {"Germany/DD": 2}
    (reached,) = [event for event in played.events(PortsReached) if event.side is AXIS]
    assert reached.ports == ("Kiel",) and "Germany's ships go into Kiel" in "\n".join(transcript(played.game.events()))


# -- submarine patrols that stay -------------------------------------------------------------------------


def stayed(hex: str = "s3", mover: str = "allies", inputs: str = "default") -> OperationTable:
    boat = {"boats": {"at": hex, "patrol": "defensive", "submarines": {"Germany": 3}}}
    given = setup(
        [port("Kiel", "s0"), boat],
        [*FLEET, air_base("Field", "n4", Britain_NAS=1)],
        mover=mover,
        inputs={"rules_not_held": inputs},
        air_range=2,
    )
    return OperationTable(given)


def entered(played: OperationTable) -> list[str]:
    return [event.value for event in played.events(InputTaken) if event.rule == "21.4184C"]


@pytest.mark.ledger("22.913.3", "23.43C")
def test_submarine_patrols_that_stay_in_the_enemys_player_turn_are_attacked_from_the_air_to_no_effect_by_default() -> (
    None
):
    assert entered(stayed().to_end()) == ["no effect"]
    assert entered(stayed(hex="s9").to_end()) == [], "out of reach"
    assert entered(stayed(mover="axis").to_end()) == [], "in their own player turn they are not"
    assert stayed().to_end().operation.boats[AXIS][0].ready == {"Germany/SUB": 3}


@pytest.mark.ledger("22.913.3", "23.43C")
def test_what_such_attacks_did_can_be_entered_and_is_confirmed() -> None:
    played = stayed(inputs="ask")
    played.answers = {
        ("axis", "submarine patrol"): [{"Germany/SUB": {"lost": 3}}, {"Germany/SUB": {"lost": 2}}],
        ("allies", "confirm input"): ["no", "yes"],
    }
    played.to_end()
    assert entered(played) == ["2 of Germany lost"]
    assert played.operation.boats[AXIS][0].ready == {"Germany/SUB": 1}
    assert played.operation.boats_lost[AXIS] == {"Germany/SUB": 2}


# -- patrols on their way to support ---------------------------------------------------------------------


def supported(
    more: dict[tuple[str, str], Any], dice: dict[str, list[int]] | None = None, light: bool = False
) -> OperationTable:
    """A patrol in s9 sails to its friends in s3, where they are met; aircraft in n6 reach s6 and its neighbours."""
    given = setup(
        [
            port("Kiel", "s0"),
            force("One", "Kiel", ["Bismarck"]),
            force("Watch", "Kiel", [] if light else ["Scharnhorst"], at="s9", patrol="offensive", destroyers=1),
            activity("Go", "shore bombardment", "s5"),
        ],
        [*FLEET, air_base("Field", "n6", Britain_NAS=3)],
        phases=("combat",),
        air_range=1,
    )
    answers = {
        ("axis", "announce"): {"One": "Go"},
        ("allies", "interception"): [{"Home": "A1"}],
        ("allies", "hex"): "s3",
        ("axis", "support"): [{"Watch": "C1"}],
        ("allies", "air attacks"): [{"S1 in s6": "attack"}],
        ("axis", "withdraw"): all_withdraw,
        **more,
    }
    return OperationTable(given, answers, {"Home": [6], **(dice or {})})


def attacks(played: OperationTable) -> list[str]:
    return [event.title.removeprefix("A test: ") for event in played.events(BattleJoined) if event.kind == "air attack"]


@pytest.mark.ledger("23.75A.1", "22.132A", "22.163C")
def test_patrols_on_their_way_to_support_may_be_attacked_from_the_air() -> None:
    played = supported({})
    form = played.to("air attacks", ALLIES).form
    assert [item.key for item in form.items if item.key.startswith("S1")] == ["S1 in s6"], "s6 alone is within reach"
    played.to_end()
    assert attacks(played) == ["s6"] and played.battles()[:2] == ["s6", "s3"]
    assert played.mustered(0) == {"Watch": ("patrol", 1)} and played.mustered(1)["Watch"] == ("patrol", 2)


@pytest.mark.ledger("23.75A.1", "22.28A", "22.163E")
@pytest.mark.parametrize("choice", ["go on", "abort"])
def test_a_patrol_that_was_attacked_may_give_up_and_is_back_on_patrol(choice: str) -> None:
    played = supported({("axis", "abort S1"): choice, ("allies", "air search"): [{"Britain/NAS@Field": {"search": 2}}]})
    decision = played.to("abort", AXIS)
    assert decision.about == "S1" and decision.rule == "22.28A"
    played.to_end()
    assert ("Watch" in played.mustered(1)) is (choice == "go on")
    assert (played.force("Watch").place, played.force("Watch").patrol) == ("s9", "offensive")


@pytest.mark.ledger("23.75A.1")
def test_a_patrol_that_is_sunk_on_its_way_supports_nobody() -> None:
    played = supported(
        {
            ("allies", "air search"): [{"Britain/NAS@Field": {"search": 1}}],
            ("allies", "strike"): [{"target": "CG1", "Britain/NAS@Field": {"fly": 2}}],
        },
        dice={"23.44": [12]},
        light=True,
    ).to_end()
    assert not played.has("Watch") and "Watch" not in played.mustered(1)


# -- activities that are completed while others sail on --------------------------------------------------


def joined_later(hex: str, more: dict[tuple[str, str], Any] | None = None) -> OperationTable:
    """One shells s6. Two and Three meet in n2 and then land in s6 too, where or before which they are met."""
    given = setup(
        JOINED_LATER,
        FLEET,
        phases=("combat",),
    )
    return OperationTable(
        given,
        {
            ("axis", "announce"): {"One": "Shell", "Two": "Land", "Three": "Land"},
            ("allies", "interception"): lambda decision: (
                {"Home": "A4"} if any(place.key == "A4" for place in decision.form.places) else {}
            ),
            ("allies", "hex"): hex,
            **(more or {}),
        },
        {"Home": [6]},
    )


@pytest.mark.ledger("22.141", "22.141A", "22.13C.1")
@pytest.mark.parametrize(("hex", "met"), [("s6", {"One", "Two", "Three", "Home"}), ("n4", {"Two", "Three", "Home"})])
def test_who_waits_in_the_hex_where_others_are_met_after_a_rendezvous_is_met_with_them(hex: str, met: set[str]) -> None:
    played = joined_later(hex).to_end()
    assert played.battles() == [hex] and set(played.mustered()) == met
    assert {leg.order: leg.status for leg in played.operation.ended if leg.order} == {
        "Shell": "completed",
        "Land": "completed",
    }
    assert [played.force(id).harbour for id in ("One", "Two", "Three")] == ["Kiel", "Kiel", "Brest"]


@pytest.mark.ledger("22.141", "22.81A.2")
def test_who_waited_and_was_beaten_with_the_others_goes_home_inverted() -> None:
    played = joined_later("s6", {("axis", "withdraw"): all_withdraw}).to_end()
    assert [played.force(id).inverted for id in ("One", "Two", "Three")] == [True, True, True]
    told = "\n".join(transcript(played.game.events()))
    assert "One waiting in s6, shore bombardment completed" in told


@pytest.mark.ledger("22.18A", "22.141")
def test_who_waits_is_no_target_by_himself() -> None:
    played = joined_later("s6")
    keys: list[list[str]] = []
    while not played.game.over:
        decision = played.game.decision(ALLIES)
        if decision and decision.kind in ("demand", "interception"):
            keys.append([item.key for item in decision.form.items] + [place.key for place in decision.form.places])
        played.step()
    assert any("A4" in row for row in keys) and not any("A5" in row for row in keys)
