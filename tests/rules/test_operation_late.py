"""22.161B, 22.24B, 22.254A in play, as groups may read them: when a battle begins if nobody is there in its first round.

Home lies in Scapa, one hex from the way of three German task forces; Second comes from Hull, twelve hexes off, and is
late. Cover sails from Bergen to meet one of them on its way.
"""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.model.events import BattleJoined, Searched
from flagplot.model.operation_events import WaveAnnounced
from tests.rules.operation_table import (
    HOME,
    ONE,
    PORTS,
    SAILS,
    SCAPA,
    SHIFT,
    OperationTable,
    all_withdraw,
    force,
    port,
    setup,
)

GERMANS = [
    ONE,
    force("Two", "Kiel"),
    force("Three", "Kiel"),
    port("Bergen", "s5"),
    force("Cover", "Bergen", ["Scharnhorst"]),
]
BRITISH = [HOME, port("Hull", "n14"), force("Second", "Hull", ["Repulse"], destroyers=7)]
BY_THE_SOUTH = "n14 > " + " > ".join(f"s{number}" for number in range(14, 2, -1))


def met(where: str, hex: str, options: dict[str, str], **answers: Any) -> OperationTable:
    """Both go for s3; Cover meets one of them before that. Of twelve hexes Second makes eight."""
    given = setup([*PORTS, SHIFT, *GERMANS], [*SCAPA, *BRITISH])
    return OperationTable(
        given,
        {
            **SAILS,
            ("axis", "announce"): dict.fromkeys(["One", "Two", "Three"], "Shift"),
            ("allies", "interception"): {"Home": "A1", "Second": "A1"},
            ("allies", "hex"): "s3",
            ("allies", "path T1"): "n4 > n3 > s3",
            ("allies", "path T2"): BY_THE_SOUTH,
            ("axis", "counter-interception"): {"Cover": where},
            ("axis", f"hex {where}"): hex,
            **{tuple(key.split("__")): value for key, value in answers.items()},
        },
        {"Home": [6], "Second": [8], "Cover": [6]},
        options,
    ).to_end()


def began(played: OperationTable) -> list[tuple[str, int]]:
    """Each battle: where, and in which round it began."""
    return [(event.title.removeprefix("A test: "), event.round) for event in played.events(BattleJoined)]


@pytest.mark.ledger("22.24B", "22.26C")
@pytest.mark.parametrize(("reading", "battles"), [("go_home", [("n4", 1)]), ("fight", [("n4", 1), ("s3", 2)])])
def test_22_24B_late_forces_fight_alone_from_their_round_on_if_the_players_say_so(
    reading: str, battles: list[tuple[str, int]]
) -> None:
    """Home was in time and is beaten by Cover in n4; Second comes in round two, and there is nobody else (IR-47)."""
    played = met("meet T1", "n4", {"late_forces_alone": reading}, allies__withdraw=all_withdraw)
    assert began(played) == battles
    assert played.force("Second").inverted is (reading == "fight")
    homeward = [leg for event in played.events(WaveAnnounced) for leg in event.legs if leg.forces == ("Second",)]
    turned = {"go_home": BY_THE_SOUTH.split(" > ")[8], "fight": "s3"}  # where its dice had brought it (FP-109)
    assert [leg.start for leg in homeward] == [turned[reading]]
    if reading == "fight":
        assert set(played.mustered(1)) == {"One", "Two", "Three", "Second"}


@pytest.mark.ledger("22.161B.2")
@pytest.mark.parametrize(("reading", "start"), [("as_rolled", 1), ("delayed", 2)])
def test_22_161B_interceptors_that_have_beaten_their_counters_complete_their_interception_late_or_not(
    reading: str, start: int
) -> None:
    """Home beats Cover in one round. Delayed by it (IR-48), it was in time all the same, and the battle begins when it comes."""
    played = met(
        "meet T1",
        "n4",
        {"arrival_after_counter_battle": reading},
        axis__withdraw=all_withdraw,
        allies__activity="go on",
        allies__withdraw=lambda decision: decision.form.default,
    )
    assert began(played) == [("n4", 1), ("s3", start)]
    assert played.mustered(1)["Home"] == ("interception", start)
    assert played.mustered(1)["Second"] == ("interception", 2)


@pytest.mark.ledger("22.254A.2")
@pytest.mark.parametrize(("reading", "start"), [("from_arrival", 1), ("from_start", 2)])
def test_22_254A_where_no_interceptor_has_come_so_far_empty_rounds_count_or_not(reading: str, start: int) -> None:
    """Cover meets Second in s5, ten hexes from Hull, of which it has made eight (IR-50)."""
    played = met("meet T2", "s5", {"late_counter_battle": reading}, allies__withdraw=all_withdraw)
    assert began(played)[0] == ("s5", start)
    assert set(played.mustered(0)) == {"Cover", "Second"}
    searched = [event for event in played.events(Searched) if event.public.lines]
    assert bool(searched) is (start > 1), "a die for each round gone by (22.451C)"
