"""The admiral in a fleet combat of 2008: he covers what he must, masses where it pays, answers whom he may."""

from __future__ import annotations

from random import Random

import pytest

from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.bot import Bot, play_out
from flagplot.bots.random_bot import RandomBot
from flagplot.core.asks import Decide
from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup
from flagplot.model.picture import Picture
from flagplot.model.ships import Ship
from flagplot.play.game import Game
from tests.properties.random_battles import KEY, SeededDice, random_setup
from tests.rules.fleet_2008_table import Clash, briton, german


def wish(clash: Clash, question: Decide | None, bot: Bot | None = None) -> dict[str, str]:
    assert question is not None
    picture = Picture(question.side)
    picture.battle = clash.table.battle
    answer = (bot or AdmiralBot()).choose(picture, question)
    question.read(answer)
    return {item.key: question.read(answer).place(item.key) for item in question.form.items}


def test_he_covers_the_first_rank_with_as_little_as_will_do_and_masses_on_one_nearly_sunk() -> None:
    axis = CombatGroup(1, ships=(german("a"), german("b"), german("c", 3), german("d", 3)))
    allies = CombatGroup(1, ships=(briton("fresh"), briton("holed", 4, hits=2)))
    clash = Clash(axis, allies)
    question = clash.until("rank")
    assert question is not None
    clash.answer(question, {"fresh": "1", "holed": "2"})
    aim = wish(clash, clash.until("heavy targets"))
    assert aim == {"a": "fresh", "b": "holed", "c": "holed", "d": "holed"}


def test_without_concentration_he_does_as_offered() -> None:
    axis = CombatGroup(1, ships=(german("a"), german("b"), german("c")))
    clash = Clash(axis, CombatGroup(1, ships=(briton("x"), briton("y", 3, hits=1))))
    question = clash.until("heavy targets")
    assert question is not None
    assert wish(clash, question, AdmiralBot(["concentration"])) == question.form.default


def test_with_nothing_but_screened_ships_before_him_he_waits_for_the_carrier() -> None:
    carrier = Ship("cv", "cv", "Britain", "CV", 3)
    allies = CombatGroup(1, ships=(briton("hurt", 2, damaged=True), carrier), light={"Britain/TR": 4})
    clash = Clash(CombatGroup(1, ships=(german("a"), german("b"), german("c"))), allies)
    assert set(wish(clash, clash.until("heavy targets")).values()) == {"cv"}


def test_light_ships_are_fired_at_where_nothing_heavier_can_be() -> None:
    clash = Clash(
        CombatGroup(1, ships=(german("a"),)), CombatGroup(1, light={"Britain/CA": 3, "Britain/TR": 2}), Side.ALLIES
    )
    assert wish(clash, clash.until("heavy targets")) == {"a": "light"}


def answering(axis: CombatGroup, allies: CombatGroup, aim: dict[str, str]) -> dict[str, str]:
    clash = Clash(axis, allies)
    question = clash.until("heavy targets")
    if question is not None:
        clash.answer(question, aim)
    return wish(clash, clash.until("answering fire"))


def test_he_answers_the_shooter_nearest_to_sinking_and_with_free_ships_whoever_is() -> None:
    axis = CombatGroup(1, ships=(german("a"), german("b", hits=2), german("c", 4, hits=1)))
    allies = CombatGroup(1, ships=(briton("x"), briton("free", 3)))
    assert answering(axis, allies, {"a": "x", "c": "x", "b": "x"}) == {"x": "b", "free": "b"}
    both = answering(axis, allies, {"a": "x", "c": "x", "b": "free"})
    assert both == {"x": "c", "free": "b"}


class Noting:
    """A bot that notes which kinds of questions it answered."""

    def __init__(self, bot: Bot, kinds: set[str]) -> None:
        self.bot, self.kinds, self.name = bot, kinds, bot.name

    def choose(self, picture: Picture, decision: Decide) -> object:
        self.kinds.add(decision.kind)
        return self.bot.choose(picture, decision)


@pytest.mark.parametrize("who", ["admiral", "random"])
def test_battles_of_2008_are_played_to_their_end_by_bots(who: str) -> None:
    kinds: set[str] = set()
    for seed in range(10):
        random = Random(seed)
        setup = random_setup(random, raiders=seed % 4 == 3)
        options = {"deferred_strikes": "on"}
        game = Game.new(setup, edition="2008", options=options, dice=SeededDice(random), key=KEY)
        bot: Bot = AdmiralBot() if who == "admiral" else RandomBot(random)
        play_out(game, {side: Noting(bot, kinds) for side in Side}, 6_000)
        assert game.over, seed
    assert {"heavy targets", "answering fire"} <= kinds
    assert not {"surplus capital", "reply", "screened fire capital"} & kinds
