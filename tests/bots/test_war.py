"""The admiral in the strategic war: everything he wishes is legal, and his wars resemble the one that was."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.forms import Form, Item, Place
from flagplot.core.sides import Side
from flagplot.doctrine import war as doctrine
from flagplot.model.strategic_war import ASW, TRANSPORT
from flagplot.model.war_events import AtomicBombFlown, RocketBasePlaced
from flagplot.play.game import Game
from flagplot.scenarios.loader import load_scenario

SEEDS = range(8)


class SeededDice:
    name = "script"

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def dice(self, count: int, draw: int) -> list[int]:
        return [self.random.randint(1, 6) for _ in range(count)]


@cache
def played(seed: int) -> tuple[Game, tuple[str, ...]]:
    """A war between admirals, and every kind of question he was asked."""
    game = Game.new(load_scenario("war").setup, dice=SeededDice(seed), key="00" * 16)
    bot = AdmiralBot()
    kinds: dict[str, None] = {}
    while not game.over:
        game.advance()
        for side in Side:
            decision = game.decision(side)
            if decision:
                kinds[decision.kind] = None
                wish = bot.wishes.get(decision.kind)
                if wish:
                    decision.read(wish(game.picture(side), decision))  # or IllegalChoice
                game.submit(side, bot.choose(game.picture(side), decision))
                break
    return game, tuple(kinds)


@pytest.mark.parametrize("seed", SEEDS)
def test_everything_the_admiral_wishes_is_legal(seed: int) -> None:
    game, kinds = played(seed)
    assert game.over
    assert {"SW construction", "submarine warfare", "strategic bombing", "raiders", "flying bombs"} <= set(kinds)


def _bands() -> ModuleType:
    path = Path(__file__).parents[2] / "tools" / "war_bands.py"
    spec = importlib.util.spec_from_file_location("war_bands", path)
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module  # type: ignore[no-any-return]


def test_the_page_of_the_bands_tells_those_of_the_tool_and_reads_them_right() -> None:
    """docs/war.md is written by the tool: its bands and sources are those at the tool's head, and each verdict follows."""
    bands = _bands()
    text = (Path(__file__).parents[2] / "docs" / "war.md").read_text("utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")
    ][2:]
    assert [(what, int(year), limits) for what, year, limits, *_ in rows] == [
        (band.what, band.year, f"{band.least} to {band.most}") for band in bands.BANDS
    ]
    for band, (*_, mean, _reached, holds) in zip(bands.BANDS, rows, strict=True):
        assert (holds == "yes") == (band.least <= float(mean) <= band.most)
        assert band.source in text
    missed = sum(row[-1] == "no" for row in rows)
    assert (f"{missed} do not" if missed else "All of them hold") in text


@pytest.mark.parametrize("least", [0, 99])
def test_a_band_that_does_not_hold_is_told(monkeypatch: pytest.MonkeyPatch, least: int) -> None:
    bands = _bands()
    monkeypatch.setattr(bands, "BANDS", (bands.Band("Japanese transports", 1944, least, 99, "nobody"),))
    text = bands.page([played(0)[0].table.war])
    assert ("All of them hold." in text) is (least == 0)
    assert ("0 of 1 hold, 1 do not." in text) is (least == 99)


def test_wars_of_admirals_lie_within_the_bands_of_history() -> None:
    bands = _bands()
    wars = [played(seed)[0].table.war for seed in SEEDS]
    outside = [
        (band.what, band.year, mean)
        for band in bands.BANDS
        if not band.least
        <= (mean := sum(bands.figure(war, band.what, band.year) for war in wars) / len(wars))
        <= band.most
    ]
    assert not outside


def test_what_is_enough_is_not_built() -> None:
    assert doctrine.worth_building(TRANSPORT, 0, 0, doctrine.ENOUGH_TRANSPORTS) == 0
    assert doctrine.worth_building(ASW, 3, 3, 40) > doctrine.worth_building(ASW, 3, 9, 40)
    assert not doctrine.raid_pays(2, 40, 0) and not doctrine.raid_pays(9, 9, 9) and doctrine.raid_pays(9, 10, 9)


@pytest.mark.parametrize(("price", "choice"), [(2, "pay"), (9, "leave")])
def test_small_repairs_are_paid_for(price: int, choice: str) -> None:
    from flagplot.bots.war import pay
    from flagplot.core.asks import Decide
    from flagplot.model.picture import Picture

    places = (Place("pay", f"pay {price} BRPs"), Place("leave", "leave it"))
    form = Form((Item("choice", "Your choice"),), places, default={"choice": "leave"})
    assert pay(Picture(Side.AXIS), Decide(Side.AXIS, "26.72D", "emergency repair", "Pay?", form)) == choice


def test_the_admiral_places_rocket_bases_and_uses_atomic_bombs() -> None:
    _, kinds = played(0)
    assert {"rocket bases", "atomic attacks"} <= set(kinds)
    flown = [event for event in played(0)[0].events() if isinstance(event, AtomicBombFlown)]
    placed = [event for event in played(0)[0].events() if isinstance(event, RocketBasePlaced)]
    assert len(flown) >= 2 and len(placed) >= 1
