"""Naval interceptions resolved twice: by the program and by the second resolver, on the same dice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from flagplot import api
from tests.differential.reference_interception import resolved

PLACES = {
    "interception": ["elsewhere"],
    "counter-interception": ["elsewhere", "interception hex"],
    "counter-counter-interception": ["elsewhere", "interception hex", "counter-interception hex"],
}
ACTIVITIES = [
    "sea supply",
    "sea transport",
    "seaborne invasion",
    "sea escort",
    "shore bombardment",
    "fast carrier mission",
    "patrol",
    "base change",
    "naval redeployment",
]
CHOICES = {
    "return_extra_dice": ["cargo_only", "all"],
    "return_spotting": ["afresh", "none"],
    "failed_submarine_joins": ["yes", "no"],
}
COMPARED = (
    "dice",
    "total",
    "result_after_theatre",
    "needed",
    "success",
    "arrival_round",
    "stays_in_port",
    "may_be_countered",
)


def situation(random: Random) -> tuple[dict[str, Any], dict[str, str]]:
    level = random.choice([*PLACES, "interception", "interception"])
    activity = random.choice(ACTIVITIES)
    returning = random.random() < 0.25
    theatre = random.choice(["Europe", "pacific"])
    far = 44 if theatre == "Europe" else 23
    forces = [
        {
            "id": str(number),
            "distance": random.randint(0, random.choice([6, 12, far])),
            "kind": random.choice(["TF", "TF", "loose", "submarine"]),
            "slow": random.random() < 0.4,
            "ships": random.choice([[], ["CA"], ["CA", "DD"], ["BB", "CA"], ["CVE", "DD"]]),
            "hex": "",
            "dice": [random.randint(1, 6) for _ in range(40)],
        }
        for number in range(random.randint(1, 5))
    ]
    for force in forces:
        if force["kind"] == "submarine" and random.random() < 0.3:
            force["hex"] = "elsewhere"
    asked = {
        "theatre": theatre,
        "level": level,
        "place": random.choice(PLACES[level]),
        "target": {
            "activity": activity,
            "task_forces": random.randint(0, 5),
            "cargo": random.choice([None, None, None, True, False]),
            "returning": returning,
            "staying": activity == "patrol" and not returning and random.random() < 0.5,
        },
        "spotters": random.randint(0, 5),
        "submarines": random.randint(0, 5),
        "ground_factors": random.randint(0, 5) if activity == "seaborne invasion" and not returning else 0,
        "cards": random.randint(0, 2),
        "enemy_cards": random.randint(0, 2),
        "forces": forces,
    }
    return asked, {name: random.choice(values) for name, values in CHOICES.items()}


@pytest.mark.parametrize("seed", range(20))
def test_both_resolvers_agree(seed: int) -> None:
    random = Random(seed)
    for _ in range(100):
        asked, options = situation(random)
        told = api.call("interception", asked, options=options)["forces"]
        assert {id: {key: each[key] for key in COMPARED} for id, each in told.items()} == resolved(asked, options), (
            asked
        )


def test_the_situations_are_of_all_kinds() -> None:
    random = Random(0)
    seen: set[tuple[str, bool, bool]] = set()
    for _ in range(2000):
        asked, options = situation(random)
        for each in resolved(asked, options).values():
            seen.add((asked["level"], each["success"], each["stays_in_port"]))
    for level in PLACES:
        assert {(level, True, False), (level, False, True), (level, False, False)} <= seen
