"""The words for what happens in the strategic war: atomic bombs and rocket bases."""

from __future__ import annotations

import pytest

from flagplot.core.sides import Audience, Side
from flagplot.model.strategic_bombing import RocketBase
from flagplot.model.strategic_war import Struck
from flagplot.model.war import Dispatch, War
from flagplot.model.war_events import (
    AtomicBombFlown,
    DispatchReceived,
    LaterRaidMet,
    RaidAnnounced,
    RocketBasePlaced,
    RocketBaseReturned,
    SubmarineWarfareRolled,
    WarEvent,
)
from flagplot.play.war_transcript import WAR_SENTENCES
from flagplot.play.wording import Names

ALL = Audience.EVERYONE
HOLLAND = RocketBase("Holland", range=4)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            AtomicBombFlown(
                rule="26.33", to=ALL, power="United States", target="Tokyo", means="bombers", fate="dropped"
            ),
            "United States makes an atomic attack on Tokyo",
        ),
        (
            AtomicBombFlown(
                rule="26.67", to=ALL, power="Germany", target="London", means="rockets", fate="dropped", damage=9
            ),
            "Germany makes an atomic attack by rocket on London: 9 BRPs",
        ),
        (
            AtomicBombFlown(rule="26.33", to=ALL, power="United States", target="Tokyo", means="bombers", fate="lost"),
            "The atomic bomb meant for Tokyo is lost",
        ),
        (
            SubmarineWarfareRolled(
                rule="25.73",
                to=ALL,
                power="Germany",
                box="Atlantic",
                attacker_dice=(5, 4),
                defender_dice=(),
                struck=Struck((1, 4), (0, 0), 0, 0, 2, 0, 2),
            ),
            "Advanced submarines of Germany roll 5+4 = 9: 1/4; 2 more for their number",
        ),
        (
            RaidAnnounced(rule="26.41", to=ALL, power="Britain", target="Essen", force={"bombers": 3}, atomic=True),
            "Britain sends 3 bombers against Essen with an atomic bomb",
        ),
        (
            LaterRaidMet(rule="26.451", to=ALL, side=Side.AXIS, power="Britain", target="Essen", defenders={"jets": 2}),
            "Axis meets the raid of Britain over Essen with 2 jets",
        ),
        (
            LaterRaidMet(rule="26.451", to=ALL, side=Side.AXIS, power="Britain", target="Essen", defenders={}),
            "Axis lets the raid of Britain over Essen pass",
        ),
        (
            RocketBasePlaced(rule="26.61A", to=ALL, power="Germany", base=HOLLAND),
            "Germany places a rocket base: Holland",
        ),
        (
            RocketBasePlaced(rule="26.61A", to=ALL, power="Germany", base=HOLLAND, moved_from="Calais"),
            "Germany moves a rocket base from Calais to Holland",
        ),
        (
            RocketBaseReturned(rule="26.62C", to=ALL, power="Germany", base=HOLLAND, eliminated="Calais"),
            "Holland of Germany is on the map again",
        ),
        (
            DispatchReceived(
                rule="24.12",
                to=ALL,
                dispatch=Dispatch(
                    at=War().now,
                    rocket_sites={"Germany": (HOLLAND,), "Japan": ()},
                    atomic_bombs={"United States": 2},
                ),
            ),
            "Germany may have rocket bases at Holland; Japan may have rocket bases at no place; "
            "United States has 2 atomic bombs more",
        ),
    ],
)
def test_an_event_in_words(event: WarEvent, words: str) -> None:
    assert WAR_SENTENCES[type(event)](event, Names({})) == words
