"""22.81A, 22.81C, 22.81D in play: what goes on after a victory, each activity by itself, and whose mission helpers take over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from flagplot.core.asks import Decide
from flagplot.model.events import ActivityDecided
from flagplot.model.operation_events import TriesSettled
from flagplot.play.transcript import transcript
from tests.rules.operation_table import AXIS, OperationTable, activity, force, port, setup

BASES = [port("Kiel", "s0"), port("Brest", "s12"), port("Hull", "n15")]
SAILING = [
    force("Convoy", "Kiel"),
    force("Guns", "Kiel", ["Bismarck"]),
    activity("Land", "seaborne invasion", "s6"),
    activity("Shell", "shore bombardment", "s8"),
]
COVER = [port("Narvik", "s4"), force("Cover", "Narvik", ["Scharnhorst"], destroyers=4)]
HOME = [port("Scapa", "n4"), force("Home", "Scapa", ["Renown"])]


def two_activities(more: dict[tuple[str, str], Any], axis: list[dict[str, Any]] | None = None) -> OperationTable:
    """A landing and a bombardment are met together in s3; all that is British leaves after the first round."""
    given = setup([*BASES, *SAILING, *(axis or [])], HOME, phases=("combat",))
    answers = {
        ("axis", "announce"): {"Convoy": "Land", "Guns": "Shell"},
        ("allies", "interception"): [{"Home": "A1"}],
        ("allies", "hex"): "s3",
        **more,
    }
    return OperationTable(given, answers, {"Home": [6], "Cover": [6]}).to_end()


def returning(force: str, base: str) -> Callable[[Decide], Any]:
    """An answer that sends one force to a base and all others where they are offered to go."""
    return lambda decision: {
        item.key: base if item.key.endswith(force) else decision.form.default[item.key] for item in decision.form.items
    }


def became(played: OperationTable) -> dict[str, str]:
    return {leg.order: leg.status for leg in played.operation.ended if leg.order}


@pytest.mark.ledger("22.81A.1", "22.63")
def test_activities_caught_together_go_on_or_abort_each_by_itself() -> None:
    played = two_activities({("axis", "activity Shell"): "abort", ("axis", "return"): returning("Guns", "Brest")})
    assert played.battles() == ["s3"] and set(played.mustered()) == {"Convoy", "Guns", "Home"}
    assert [about for side, kind, about in played.asked if kind == "activity"] == ["Land", "Shell"]
    assert became(played) == {"Land": "completed", "Shell": "aborted"}
    guns, convoy = played.force("Guns"), played.force("Convoy")
    assert (guns.harbour, guns.inverted) == ("Brest", True), (
        "aborted after a victory (22.281), to a base in reach (22.63)"
    )
    assert (convoy.harbour, convoy.inverted) == ("Kiel", False)


@pytest.mark.ledger("22.81A.1")
@pytest.mark.parametrize(("answer", "status"), [("go on", "completed"), ("abort", "aborted")])
def test_all_of_them_may_go_on_and_all_may_abort(answer: str, status: str) -> None:
    played = two_activities({("axis", "activity"): answer})
    assert became(played) == {"Land": status, "Shell": status}
    assert [played.force(id).inverted for id in ("Convoy", "Guns")] == [answer == "abort"] * 2
    (said,) = played.events(ActivityDecided)
    assert "each of its activities goes on or is aborted by itself" in "\n".join(transcript([said]))


@pytest.mark.ledger("22.81C")
@pytest.mark.parametrize(("mission", "port_in"), [("A1", "s6"), ("A2", "s8")])
def test_who_helped_two_activities_takes_over_the_one_his_owner_names(mission: str, port_in: str) -> None:
    """A counter-interceptor that came to the battle in s3 sails on to the hex of the mission it takes over."""
    played = two_activities(
        {("axis", "counter-interception"): [{"Cover": "C1"}], ("axis", "mission"): {"Cover": mission}}, COVER
    )
    assert "Cover" in played.mustered()
    legs = {leg.id: leg for leg in played.operation.ended}
    assert legs[mission].end == port_in and "Cover" in legs[mission].forces
    assert all("Cover" not in leg.forces for id, leg in legs.items() if id in ("A1", "A2") and id != mission)
    assert (played.force("Cover").harbour, played.force("Cover").inverted) == ("Narvik", False)


@pytest.mark.ledger("22.81C")
def test_if_one_activity_alone_goes_on_its_helpers_are_not_asked() -> None:
    played = two_activities(
        {("axis", "counter-interception"): [{"Cover": "C1"}], ("axis", "activity Land"): "abort"}, COVER
    )
    assert not played.was_asked("axis", "mission")
    assert became(played) == {"Land": "aborted", "Shell": "completed"}
    (shelling,) = [leg for leg in played.operation.ended if leg.order == "Shell"]
    assert shelling.forces == ("Cover", "Guns")


@pytest.mark.ledger("22.81C", "22.81A.1")
def test_helpers_go_home_inverted_if_all_activities_are_aborted() -> None:
    played = two_activities(
        {
            ("axis", "counter-interception"): [{"Cover": "C1"}],
            ("axis", "activity"): "abort",
            ("axis", "return"): returning("Cover", "Hull"),
        },
        COVER,
    )
    assert (played.force("Cover").harbour, played.force("Cover").inverted) == ("Hull", True)


def interceptions(mission: str) -> OperationTable:
    """Home and Second sail one way, to s8 and to s6. The cover meets both in n11; Aid helps them to win, and goes on."""
    given = setup(
        [
            port("Kiel", "s0"),
            port("Narvik", "s11"),
            force("Convoy", "Kiel"),
            force("Guns", "Kiel", ["Bismarck"]),
            force("Cover", "Narvik"),
            activity("One", "sea supply", "s8", zone="Norway"),
            activity("Two", "sea supply", "s6", zone="Denmark"),
        ],
        [
            port("Scapa", "n12"),
            force("Home", "Scapa", ["Renown"]),
            force("Second", "Scapa", ["Repulse"]),
            port("Hull", "n14"),
            force("Aid", "Hull", ["Hood"]),
        ],
    )
    return OperationTable(
        given,
        {
            ("axis", "announce"): {"Guns": "One", "Convoy": "Two"},
            ("allies", "interception"): [{"Home": "A1", "Second": "A2"}],
            ("allies", "hex A1"): "s8",
            ("allies", "hex A2"): "s6",
            ("allies", "path T1"): "n12 > n11 > n10 > n9 > n8 > s8",
            ("allies", "path T2"): "n12 > n11 > n10 > n9 > n8 > n7 > n6 > s6",
            ("axis", "counter-interception"): [{"Cover": "meet T1"}],
            ("axis", "hex"): "n11",
            ("allies", "counter-counter-interception"): [{"Aid": "C3"}],
            ("axis", "withdraw"): lambda decision: {item.key: "withdraw" for item in decision.form.items},
            ("allies", "mission"): {"Aid": mission},
        },
        {"Home": [9], "Second": [12], "Cover": [6], "Aid": [6]},
    ).to_end()


@pytest.mark.ledger("22.81D")
@pytest.mark.parametrize(("mission", "hex"), [("T1", "s8"), ("T2", "s6")])
def test_who_helped_interceptors_takes_over_the_interception_his_owner_names(mission: str, hex: str) -> None:
    played = interceptions(mission)
    assert played.battles()[0] == "n11" and set(played.mustered()) == {"Cover", "Home", "Second", "Aid"}
    assert played.was_asked("allies", "mission") == 1
    settled = [event for event in played.events(TriesSettled) if event.rule == "22.254D"]
    (aid,) = [each for each in settled[0].tries if each.force == "Aid"]
    (theirs,) = [each for each in settled[0].tries if each.id == mission]
    assert (aid.hex, aid.contact, aid.level, aid.round) == (hex, theirs.contact, theirs.level, theirs.round)
    assert "Aid" in played.mustered(played.battles().index(hex))


@pytest.mark.ledger("22.81D", "22.81A.1")
def test_a_beaten_force_is_asked_nothing() -> None:
    played = two_activities({("axis", "withdraw"): lambda decision: {i.key: "withdraw" for i in decision.form.items}})
    assert not played.was_asked("axis", "activity") and not played.was_asked("axis", "mission")
    assert set(became(played).values()) == {"aborted"}
    assert [event.goes_on for event in played.events(ActivityDecided) if event.side is AXIS] == [False]
