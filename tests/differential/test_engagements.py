"""The procedure against a second resolver, written from the rules text alone in plain integers, on the same dice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from flagplot.core.asks import Decide
from flagplot.core.forms import Wire
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.events import Fired, Ranked
from flagplot.model.forces import Cargo, CombatGroup, Engagement
from flagplot.model.ships import Ship, light
from flagplot.model.state import Battle, Fleet
from flagplot.rules.naval.fleet_combat import engage
from flagplot.rules.table import Table
from tests.differential.reference_engagement import resolve

BATCHES, EACH = 8, 400
NATIONS = {Side.AXIS: ("Japan", "Italy"), Side.ALLIES: ("United States", "France")}


def random_group(random: Random, side: Side) -> CombatGroup:
    nation, friend = NATIONS[side]
    ships = []
    for number in range(random.choice([0, 1, 2, 3, 4, 5])):
        kind, size = random.choice(
            [("BB", 3), ("BB", 4), ("BB", 5), ("BC", 3), ("PB", 2), ("CV", 3), ("CVL", 2), ("CVB", 4)]
        )
        damaged = random.random() < 0.12
        hits = 0 if damaged else random.randrange(0, size - 1)
        owner = random.choice([nation, nation, friend])
        ships.append(
            Ship(f"{side}{number}", f"{side}{number}", owner, kind, size, random.random() < 0.6, hits, damaged)
        )
    counts = {
        f"{nation}/CA": random.randrange(0, 5),
        f"{friend}/CA": random.choice([0, 0, 2]),
        f"{nation}/CA/damaged": random.choice([0, 0, 1, 2]),
        f"{nation}/DD": random.choice([0, 1, 3, 6, 9]),
        f"{friend}/DD": random.choice([0, 0, 3]),
        f"{nation}/CVE": random.choice([0, 0, 2]),
        f"{nation}/DD/loaded": random.choice([0, 0, 0, 2]),
        f"{nation}/TR": random.choice([0, 0, 0, 2]),
    }
    counts = {key: number for key, number in counts.items() if number}
    cargo = (Cargo("a corps", counts[f"{nation}/DD/loaded"]),) if f"{nation}/DD/loaded" in counts else ()
    if not ships and not counts:
        counts = {f"{nation}/DD": 1}
    return CombatGroup(1, str(side), tuple(ships), counts, cargo, unladen=random.random() < 0.2)


class Notes:
    """Answers at random and writes the decisions down in the second resolver's words."""

    def __init__(self, random: Random, groups: dict[Side, CombatGroup]) -> None:
        self.random = random
        self.orders = {side: random.sample(list(groups[side].light), len(groups[side].light)) for side in Side}
        for side, order in self.orders.items():  # cruisers may be damaged on the way
            hurt = [f"{key}/damaged" for key in order if light(key).kind == "CA" and not light(key).state]
            self.orders[side] = list(dict.fromkeys([*order, *hurt]))
        self.screened: dict[str, Any] = {side.value: {"ships": [], "light": {}} for side in Side}
        self.rest: dict[str, Any] = {}

    def answer(self, decision: Decide) -> Wire:
        if decision.kind == "loss order":
            keys = [key for key in self.orders[decision.side] if any(item.key == key for item in decision.form.items)]
            return {key: str(rank) for rank, key in enumerate(keys, start=1)}
        wire = decision.form.sample(self.random)
        if decision.kind == "screen" and self.random.random() < 0.6:
            wire = {}
        cells = decision.read(wire).cells
        if decision.kind == "screen":
            mine = self.screened[decision.side.value]
            for item, places in cells.items():
                if places.get("screen"):
                    if "/" in item:
                        mine["light"][item] = places["screen"]
                    else:
                        mine["ships"].append(item)
        elif decision.kind == "surplus capital":
            words = {"hold": "hold", "light": "light"}
            self.rest["surplus_capital"] = {
                item: words.get(place, {"join": place}) for item, places in cells.items() for place in places
            }
        elif decision.kind == "reply":
            self.rest["replies"] = {item: place for item, places in cells.items() for place in places}
        elif decision.kind == "surplus light":
            told = by_place(cells)
            told.pop("light", None)
            held = told.pop("hold", {})
            self.rest["surplus_light"] = {"capital": told, "hold": held}
        elif decision.kind == "screened fire capital":
            self.rest["screened_fire_capital"] = {
                item: place for item, places in cells.items() for place in places if place != "none"
            }
        elif decision.kind == "screened fire light":
            told = by_place(cells)
            told.pop("none", None)
            self.rest["screened_fire_light"] = told
        return wire


def by_place(cells: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    told: dict[str, dict[str, int]] = {}
    for item, places in cells.items():
        for place, amount in places.items():
            told.setdefault(place, {})[item] = amount
    return told


def destroyers_together(counts: dict[str, int]) -> dict[str, int]:
    """Loaded and unloaded destroyers as one: cargo may have changed ships after the guns fell silent."""
    told: dict[str, int] = {}
    for key, number in counts.items():
        name = key.removesuffix("/loaded")
        told[name] = told.get(name, 0) + number
    return told


def compare(seed: int) -> set[str]:
    random = Random(seed)
    groups = {side: random_group(random, side) for side in Side}
    interceptor = random.choice(list(Side))
    impaired: dict[Side, tuple[str, ...]] = dict.fromkeys(Side, ())  # the second resolver knows it of ships only
    tactical = {side: random.choice([0, 0, 1]) for side in Side}
    fleets = {side: Fleet(side.value, tactical[side], impaired=impaired[side], groups=(groups[side],)) for side in Side}
    table = Table(ruleset(), Battle(interceptor=interceptor, fleets=fleets))
    runner = Runner(engage(table, Engagement(1, 1)))
    notes = Notes(random, groups)
    dice: list[list[int]] = []
    while not runner.over:
        due = runner.roll_due()
        if due:
            dice.append([random.randint(1, 6), random.randint(1, 6)])
            runner.roll(dice[-1])
            continue
        side = next(side for side in Side if runner.decision_for(side))
        decision = runner.decision_for(side)
        assert decision
        runner.answer(side, notes.answer(decision))
    ranks = {event.side: event.capital for event in table.log if isinstance(event, Ranked)}
    told = resolve(
        {
            "sides": [interceptor.value, interceptor.enemy.value],
            "groups": {
                side.value: {
                    "ships": [
                        {
                            "id": ship.id,
                            "nation": ship.nation,
                            "kind": ship.kind,
                            "size": ship.size,
                            "fast": ship.fast,
                            "hits": ship.hits,
                            "damaged": ship.damaged,
                            "drm_penalty": int(ship.nation in impaired[side]),
                        }
                        for ship in groups[side].ships
                    ],
                    "light": groups[side].light,
                    "hampered": groups[side].encumbered or groups[side].unladen,
                    "tactical": tactical[side],
                }
                for side in Side
            },
            "screened": notes.screened,
            "rank_order": {side.value: list(ranks[side]) for side in Side},
            "surplus_capital": {},
            "replies": {},
            "surplus_light": {"capital": {}, "hold": {}},
            "screened_fire_capital": {},
            "screened_fire_light": {},
            "loss_order": {side.value: notes.orders[side] for side in Side},
            "dice": dice,
            **notes.rest,
        }
    )
    fired = [event for event in table.log if isinstance(event, Fired)]
    ours = [(e.side.value, e.shot.target, e.factors, e.modifiers.total, list(e.dice), e.hits) for e in fired]
    theirs = [(s["side"], s["target"], s["factors"], s["modifier"], list(s["dice"]), s["hits"]) for s in told["shots"]]
    assert ours == theirs, f"seed {seed}"
    for side in Side:
        afloat = {ship.id: ship for group in table.battle.fleets[side].groups for ship in group.ships}
        for ship in groups[side].ships:
            expected = told["ships"][ship.id]
            assert expected["sunk"] == (ship.id not in afloat), f"seed {seed}: {ship.id}"
            if ship.id in afloat:
                now = afloat[ship.id]
                assert (now.hits, now.damaged) == (expected["hits"], expected["damaged"]), f"seed {seed}: {ship.id}"
        left = table.battle.fleets[side].groups
        counts = left[0].light if left else {}
        assert destroyers_together(counts) == destroyers_together(told["light"][side.value]), f"seed {seed}: {side}"
    return {event.shot.target if event.shot.screened else "open" for event in fired} | set(notes.rest)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_procedure_and_second_resolver_agree_shot_by_shot(batch: int) -> None:
    seen: set[str] = set()
    for seed in range(batch * EACH, (batch + 1) * EACH):
        seen |= compare(seed)
    steps = {"surplus_capital", "replies", "surplus_light", "screened_fire_capital", "screened_fire_light", "light"}
    assert steps <= seen, f"never reached: {steps - seen}"
