"""A battle may be taken up in any round, with what earlier rounds have left: hits, damage, lost squadrons, inverted units."""

from __future__ import annotations

import pytest

from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.bot import play_out
from flagplot.core.sides import Side
from flagplot.model import air_events as air
from flagplot.model.setup import Setup
from flagplot.play.game import Game
from flagplot.play.report import report
from flagplot.scenarios.loader import parse_scenario
from tests.properties.random_battles import KEY
from tests.scenarios.texts import HIDDEN, RAID, air_base, assert_refused, battle, force

SUB, NAS = "Japan/SUB", "Japan/NAS"
AXIS_SIDE = "submarines = { Japan = 2 }\nsubmarines_spent = { Japan = 1 }\n"
LEFT = force(
    "number = 2\ninverted = true\ncruisers = 1\ndamaged_cruisers = 1\ndestroyers = 4\n"
    'ships = [{ name = "Hiei", damaged = true }, { name = "Kirishima", hits = 1 }, { name = "Junyo", air = 1 }]'
) + air_base('aircraft = { "Japan NAS" = 1 }\ninverted = { "Japan NAS" = 2 }')
ENEMY = force('number = 1\nships = ["Washington"]', "allies", "Two")
THIRD = battle("round = 3\n" + HIDDEN, LEFT, ENEMY, axis_side=AXIS_SIDE)


def begun(text: str) -> Game:
    setup: Setup = parse_scenario(text, "third.toml").setup
    return Game.new(setup, key=KEY)


@pytest.mark.ledger("22.92.2")
def test_a_battle_begins_in_its_round_with_all_that_is_left() -> None:
    game = begun(THIRD)
    fleet = game.battle.fleets[Side.AXIS]
    assert game.battle.round == 3
    assert (fleet.submarines, fleet.submarines_spent) == ({SUB: 2}, {SUB: 1})
    game.advance()
    (group,) = game.battle.fleets[Side.AXIS].groups
    state = {ship.name: (ship.damaged, ship.hits, sum(ship.wing.values())) for ship in group.ships}
    assert state == {"Hiei": (True, 0, 0), "Kirishima": (False, 1, 0), "Junyo": (False, 0, 1)}
    assert group.number == 2 and group.inverted
    assert group.light == {"Japan/CA": 1, "Japan/CA/damaged": 1, "Japan/DD": 4}
    (base,) = game.battle.fleets[Side.AXIS].air_bases
    assert (base.squadrons, base.inverted) == ({NAS: 1}, {NAS: 2})


def test_such_a_battle_is_played_to_its_end_and_spent_submarines_come_home_inverted() -> None:
    game = begun(THIRD)
    play_out(game, {side: AdmiralBot() for side in Side}, 5_000)
    assert game.over and game.battle.round >= 3
    home = [event for event in game.events() if isinstance(event, air.SubmarinesReturned) and event.side is Side.AXIS]
    assert sum(event.submarines.get(SUB, 0) for event in home if event.inverted) >= 1
    assert "submarines that attacked in earlier rounds" in report(game, game.header).lower()


@pytest.mark.ledger("22.92.2")
def test_the_enemy_does_not_learn_how_many_are_spent_in_a_hidden_order_of_battle() -> None:
    pictures = [
        begun(battle("round = 3\n" + HIDDEN, LEFT, ENEMY, axis_side=side)).picture(Side.ALLIES)
        for side in ("", AXIS_SIDE)
    ]
    assert pictures[0].events == pictures[1].events
    told = begun(battle("round = 3\n", axis_side=AXIS_SIDE)).picture(Side.ALLIES)
    assert told.battle.fleets[Side.AXIS].submarines_spent == {SUB: 1}


def test_advanced_submarines_are_spent_like_others() -> None:
    text = battle("round = 2\n", axis_side='submarines_spent = { "Germany advanced" = 2 }\n').replace(
        "Japan", "Germany"
    )
    text = text.replace("Kongo", "Bismarck").replace("Pacific", "Europe")
    assert begun(text).battle.fleets[Side.AXIS].submarines_spent == {"Germany/SUB/advanced": 2}
    assert begun(text).battle.fleets[Side.AXIS].submarines == {}


@pytest.mark.parametrize(
    ("text", "path", "rule", "words"),
    [
        (battle(axis_side=AXIS_SIDE), "axis.submarines_spent", "22.92", "before the first round"),
        (battle(RAID, axis_side="submarines_spent = { Japan = 1 }\n"), "axis.submarines_spent", "22.92", "leave them"),
        (battle("round = 2\n", axis_side="submarines_spent = { Peru = 1 }\n"), "axis.submarines_spent.Peru", "22.911", ""),
        (battle("round = 2\n", axis_side="submarines_spent = { Britain = 1 }\n") .replace("United States", "Britain").replace("Washington", "Hood"), "axis.submarines_spent.Britain", "22.112", "the other side"),
        (battle("round = 21\n"), "round", "22.41", "from 1 to 20"),
        (battle(RAID + "round = 2\n"), "round", "22.35D", "one round only"),
        (battle("round = 2\n", force('ships = [{ name = "Kongo", hits = 3 }]')), "axis.force[1].ships[1].hits", "20.513", ""),
        (battle("round = 2\n", force('ships = [{ name = "Kongo", hits = 1, damaged = true }]')), "axis.force[1].ships[1].hits", "20.513", ""),
        (battle("round = 2\n", force('destroyers = 9\nships = [{ name = "Junyo", air = 9 }]')), "axis.force[1].ships[1].air", "20.3", ""),
        (battle("round = 2\n", force('number = 2\nships = ["Kongo"]')), "axis.force[1].number", "22.423B", "hidden"),
        (battle("round = 2\n", force('ships = ["Kongo"]') + air_base('inverted = { "Japan NAS" = 16 }')), "axis.air_base[1].inverted", "18.11", "room"),
    ],
)  # fmt: skip
def test_what_earlier_rounds_cannot_have_left_is_refused_with_its_rule(
    text: str, path: str, rule: str, words: str
) -> None:
    assert_refused(text, path, rule, words)
