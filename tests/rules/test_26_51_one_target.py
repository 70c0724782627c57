"""26.51: all that befalls one target in a combat phase, on dice."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError

BERLIN = {"name": "Berlin", "country": "Germany"}


def asked(*raids: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"hex": BERLIN, "raids": list(raids), "target_strength": 0, **more}


@pytest.mark.ledger("26.451.3")
def test_a_raid_that_the_defenders_let_pass_fights_nobody() -> None:
    first = {"nation": "Britain", "strategic_bombers": 2}
    second = {"nation": "United States", "strategic_bombers": 2, "met": False}
    told = api.call("bombed_target", asked(first, second, defenders={"aaf": 1}), dice=[1, 1, 1, 1, 3, 4, 3, 4])
    assert [combat["raid"] for combat in told["air_combats"]] == [1], "7 on row 2 twice is 0/1, and two get through"
    assert [combat["uncapped"] for combat in told["sw_combats"]] == [7, 7]
    assert told["brps_lost"] == 14


@pytest.mark.ledger("26.451B.2", "26.451B.3")
def test_the_attacker_may_say_who_engages() -> None:
    raid = {"nation": "Britain", "strategic_bombers": 3, "interceptors": 2}
    engaged = {"strategic_bombers": 2}
    told = api.call(
        "bombed_target", asked({**raid, "engaged": engaged}, defenders={"interceptors": 2}), dice=[3, 4, 1, 1, 1, 1]
    )
    assert told["air_combats"][0]["net_modifier"] == -1, "bombers have 2, interceptors 3"
    with pytest.raises(PlayerError, match=r"26\.451B"):
        api.call(
            "bombed_target", asked({**raid, "engaged": {"interceptors": 1}}, defenders={"interceptors": 2}), dice=[]
        )


@pytest.mark.parametrize(
    ("question", "dice", "why"),
    [
        (asked({"nation": "Britain", "aaf": 2}), [], r"26\.42"),
        (
            asked(
                {"nation": "Britain", "strategic_bombers": 1},
                {"nation": "Britain", "strategic_bombers": 1, "net_modifier": 1},
            ),
            [3, 4],
            "one modifier",
        ),
        (asked({"nation": "Britain", "strategic_bombers": 1}), [], "the bombers of Britain at the target: 2 dice"),
        (asked({"nation": "Britain", "strategic_bombers": 1}), [3, 4, 5], "too many"),
        (asked(*[{"nation": "Britain", "strategic_bombers": 1}] * 13), [], "13 raids"),
    ],
)
def test_what_cannot_be_is_refused(question: dict[str, Any], dice: list[int], why: str) -> None:
    with pytest.raises(PlayerError, match=why):
        api.call("bombed_target", question, dice=dice)
