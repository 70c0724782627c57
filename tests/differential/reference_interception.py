"""A second resolver of naval interceptions, written from 22.21 to 22.25 alone, for comparison with the program's.

It takes the JSON of the question `interception` and works on it directly; it shares no code with the program.
"""

from __future__ import annotations

from math import ceil
from typing import Any

CARRYING = {"sea supply", "sea transport", "seaborne invasion", "sea escort"}
MISSIONS = {"shore bombardment", "fast carrier mission"}


def dice_of(asked: dict[str, Any], options: dict[str, str]) -> dict[str, int]:
    """22.22: dice of each force, -1 for a force that is out of range."""
    target = asked["target"]
    home = target["returning"]
    europe = asked["theatre"].lower() == "europe"
    cargo = target["cargo"] if target.get("cargo") is not None else target["activity"] in CARRYING
    base = 0
    if cargo or (target["activity"] in MISSIONS and (not home or options.get("return_extra_dice") == "all")):
        base += 2
    if target["staying"]:
        base += 2
    level, place = asked["level"], asked["place"]
    if (level == "counter-interception" and place == "interception hex") or (
        level == "counter-counter-interception" and place in ("interception hex", "counter-interception hex")
    ):
        base += 2
    base += target["task_forces"]
    base += min(3, asked["ground_factors"])
    if not home or options.get("return_spotting") != "none":
        base += min(3, asked["spotters"])
    if asked["cards"] > asked["enemy_cards"]:
        base += 1
    before: dict[str, int] = {}
    for force in asked["forces"]:
        number = base
        if force["kind"] == "submarine":
            number -= 1
        else:
            if cargo and force["ships"] and set(force["ships"]) <= {"CA", "DD"}:
                number += 1
            number += min(3, asked["submarines"])
            if force["slow"] or {"CVE", "TR"} & set(force["ships"]):  # RC-28
                number -= 1
        before[force["id"]] = number
    near = {force["id"] for force in asked["forces"] if force["distance"] <= (40 if europe else 20)}
    surface = [
        force["id"]
        for force in asked["forces"]
        if force["kind"] != "submarine" and before[force["id"]] >= 1 and force["id"] in near
    ]
    found = {}
    for id, number in before.items():
        if id in surface:
            number -= len(surface) - 1
        found[id] = max(0, number) if id in near else -1
    return found


def resolved(asked: dict[str, Any], options: dict[str, str]) -> dict[str, dict[str, Any]]:
    """22.23-22.25: what comes of each force with its own dice."""
    dice = dice_of(asked, options)
    europe = asked["theatre"].lower() == "europe"
    totals = {force["id"]: sum(force["dice"][: max(0, dice[force["id"]])]) for force in asked["forces"]}
    results = {id: total if europe else ceil(total / 2) for id, total in totals.items()}
    reached = {
        force["id"] for force in asked["forces"] if dice[force["id"]] > 0 and results[force["id"]] >= force["distance"]
    }
    afloat = {force["id"] for force in asked["forces"] if force["kind"] != "submarine"}
    counter = asked["level"] != "interception"
    battle = bool(reached & afloat) or (counter and asked["place"] != "elsewhere")
    answers = {}
    for force in asked["forces"]:
        id = force["id"]
        rolls = dice[id] > 0
        joins = battle and (id in afloat or (options.get("failed_submarine_joins") != "no" and not force["hex"]))
        entry: int | None = None
        if id in reached:
            entry = 1
        elif rolls and joins:
            entry = 1 + ceil((force["distance"] - results[id]) / (4 if europe else 2))
        sailed = entry is not None or (rolls and counter and asked["place"] == "elsewhere")
        answers[id] = {
            "dice": max(0, dice[id]),
            "total": totals[id] if rolls else None,
            "result_after_theatre": results[id] if rolls else None,
            "needed": force["distance"],
            "success": id in reached,
            "arrival_round": entry,
            "stays_in_port": not sailed,
            "may_be_countered": sailed and id in afloat and asked["level"] != "counter-counter-interception",
        }
    return answers
