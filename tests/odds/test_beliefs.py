"""Beliefs: what a side takes the enemy to be, from its picture alone; as text it can be changed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from msgspec.structs import replace

from flagplot.api.battle_odds import world_of_game
from flagplot.bots.admiral import AdmiralBot
from flagplot.core.errors import GameError
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup
from flagplot.model.picture import Picture
from flagplot.model.state import Fleet
from flagplot.odds.beliefs import Belief, at_boundary, belief_text, believed, read_belief, usual_belief
from flagplot.odds.kernel_state import encode
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.sampling import USUAL
from flagplot.odds.what_if import lines, without
from flagplot.odds.worlds import NoOdds, _fighting, fight
from flagplot.play.game import Game
from flagplot.rules.naval.search import disclosure
from flagplot.rules.table import Table
from flagplot.scenarios.loader import list_scenarios, load_scenario
from flagplot.scenarios.ships import ships_of
from flagplot.tables.search import SearchTable

BOTS = {side: AdmiralBot() for side in Side}
BATTLES = [each.name for each in list_scenarios() if each.setup.public.kind == "naval battle"]


def moments(name: str, order_of_battle: str, seed: int = 9) -> Iterator[tuple[Game, Side, str]]:
    """A game between admirals, before every decision after the groups have been formed."""
    scenario = load_scenario(name)
    setup = scenario.setup.with_order_of_battle(order_of_battle)
    game = Game.new(setup, options=scenario.options, dice=PhiloxDice(seed, seed), key="00" * 16)
    while not game.over and game.battle.segment != "return":
        if game.roll_due():
            game.roll()
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision is not None
        if game.battle.segment != "formation":
            yield game, side, decision.kind
        game.submit(side, BOTS[side].choose(game.picture(side), decision))


@pytest.mark.parametrize("order_of_battle", ["open", "hidden"])
@pytest.mark.parametrize("name", BATTLES)
def test_a_battle_can_be_fought_on_from_every_kind_of_decision(name: str, order_of_battle: str) -> None:
    met: set[str] = set()
    for game, side, kind in moments(name, order_of_battle):
        if kind in met:
            continue
        met.add(kind)
        picture = game.picture(side)
        belief = usual_belief(picture)
        assert read_belief(belief_text(belief), picture) == Belief(tuple(_plain(group) for group in belief.groups)), (
            "what is written is what is believed"
        )
        for group in belief.groups:
            told = picture.battle.fleets[side.enemy].group(group.number).disclosed
            assert told in (None, disclosure(SearchTable(), group))
        world = believed("current", {}, picture, game.picture(None), belief)
        end, _ = fight(world, BOTS, PhiloxDice(1, len(met)))
        assert end.segment == "return"
    assert len(met) > 4


def _plain(group):  # type: ignore[no-untyped-def]
    """A group as a force of its own makes it: the text has no mission, base or arrival."""
    return replace(
        group, mission="patrol", base="", arrives=1, origins=(), unladen=False, inverted=False, task_force=True
    )


@cache
def midway() -> tuple[Picture, Picture]:
    game, side, _ = next(each for each in moments("midway", "hidden") if each[1] is Side.ALLIES)
    return game.picture(side), game.picture(None)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "each hidden group"),
        ('[[group]]\nnumber = 6\nname = "x"\nships = ["Nobody"]', "Nobody"),
        ('[[group]]\nnumber = 2\nname = "x"\ndestroyers = 3', "each hidden group"),
        ("[[group", "TOML"),
        ('[[force]]\nname = "x"', "no such key"),
    ],
)
def test_a_belief_that_cannot_be_is_refused_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(GameError, match=why) as refused:
        read_belief(text, midway()[0])
    assert "\n" not in str(refused.value)


def test_a_belief_against_what_was_disclosed_is_refused() -> None:
    for game, side, _ in moments("midway", "hidden"):
        picture = game.picture(side)
        found = [g for g in picture.battle.fleets[side.enemy].groups if g.hidden and g.disclosed]
        if found:
            belief = usual_belief(picture)
            carriers = found[0].disclosed.fast_carriers if found[0].disclosed else 0
            wrong = [
                replace(group, ships=() if carriers else group.ships, light={"Japan/DD": 1})
                if group.number == found[0].number
                else group
                for group in belief.groups
            ]
            with pytest.raises(NoOdds, match=r"22\.452B"):
                read_belief(belief_text(Belief(tuple(wrong))), picture)
            return
    raise AssertionError("nobody was found")


def test_the_truth_plays_no_part() -> None:
    """Two games that differ only in what is hidden give the same belief and the same world to the other side."""
    told = []
    for swapped in (False, True):
        scenario = load_scenario("three-groups")
        setup = scenario.setup.with_order_of_battle("hidden")
        secret = setup.sides[Side.AXIS]
        if swapped:
            first, second, *rest = secret.forces
            first, second = replace(first, light={"Japan/DD": 9}), replace(second, light={"Japan/CA": 1})
            secret = replace(secret, forces=(first, second, *rest))
            setup = replace(setup, sides={**setup.sides, Side.AXIS: secret})
        game = Game.new(setup, dice=PhiloxDice(2, 2), key="00" * 16)
        while game.battle.segment == "formation":
            side = next(side for side in Side if game.decision(side))
            decision = game.decision(side)
            assert decision is not None
            game.submit(side, BOTS[side].choose(game.picture(side), decision))
        picture, public = game.picture(Side.ALLIES), game.picture(None)
        told.append((belief_text(usual_belief(picture)), believed("current", {}, picture, public)))
    assert told[0] == told[1]


def test_groups_nobody_has_looked_behind_are_like_ones_own() -> None:
    """The strongest of ours first; beyond our groups a few cruisers and destroyers; ships of his nation, none twice."""
    picture = Picture(Side.ALLIES)
    ours = {ship.name: ship for ship in ships_of("United States")}
    big = CombatGroup(2, "big", (ours["Enterprise"], ours["Hornet"]), {"United States/CA": 5, "United States/DD": 3})
    small = CombatGroup(1, "small", (), {"United States/DD": 2})
    hidden = tuple(CombatGroup(number, hidden=True) for number in (1, 4, 6))
    fleets = {Side.ALLIES: Fleet(groups=(small, big)), Side.AXIS: Fleet(groups=hidden, name="Japan")}
    picture.battle = replace(picture.battle, theatre="Pacific", fleets=fleets)
    first, second, third = usual_belief(picture).groups
    assert [ship.size for ship in first.ships] == [ship.size for ship in big.ships]
    assert all(ship.is_carrier and ship.nation == "Japan" for ship in first.ships)
    assert first.ships[0] != first.ships[1]
    assert dict(first.light) == {"Japan/CA": 5, "Japan/DD": 3}
    assert (second.ships, dict(second.light)) == ((), {"Japan/DD": 2})
    assert (third.ships, dict(third.light)) == ((), {"Japan/CA": 2, "Japan/DD": 2})


def test_a_spectator_has_no_odds() -> None:
    with pytest.raises(NoOdds, match="spectator"):
        usual_belief(midway()[1])


def test_what_is_half_done_is_left_out() -> None:
    for game, _, kind in moments("midway", "open"):
        if kind == "air targets":
            assert game.battle.strike is not None
            world = at_boundary(game.battle)
            striker = Side(game.battle.strike.side)
            assert world.strike is None
            assert sum(world.fleets[striker].aloft.values()) > sum(game.battle.fleets[striker].aloft.values())
            return
    raise AssertionError("nobody struck")


def test_an_engagement_in_which_nobody_has_fired_is_still_to_be_fought() -> None:
    """Whoever is asked what he screens is asked the same in the world he is advised from (22.531C), and the kernels can fight
    it, at the first engagement of a segment from its beginning."""
    found = set()
    for game, side, kind in moments("three-groups", "open"):
        if kind == "screen":
            decision = game.decision(side)
            world, _ = world_of_game(game, None)
            first = world.battle.step == "pair"
            found.add(first)
            assert first != bool(world.battle.engagements)
            encode(world.rules, world.battle, world.pictures(), USUAL)
            runner = Runner(_fighting(Table(world.rules, world.battle)))
            again = None if runner.roll_due() else runner.decision_for(side)
            assert decision is not None and again is not None
            assert (again.kind, again.question, again.form) == (decision.kind, decision.question, decision.form)
    assert found == {True, False}


def test_lines_can_be_left_out_of_a_battle() -> None:
    """Midway: the search advantage (48.32B), torpedoes, radar and ASW."""
    picture, public = midway()
    world = believed("current", {}, picture, public)
    keys = [line.key for line in lines(world.battle)]
    assert {"allies:search", "allies:research:radar", "axis:research:torpedo"} <= set(keys)
    changed = without(world, ["allies:search", "allies:research:radar"])
    assert changed.battle.fleets[Side.ALLIES].search_advantage == 0
    assert "radar" not in changed.battle.fleets[Side.ALLIES].research
    assert changed.battle.fleets[Side.AXIS] == world.battle.fleets[Side.AXIS]
    assert [line.key for line in lines(changed.battle)] == [
        key for key in keys if key not in ("allies:search", "allies:research:radar")
    ]
    with pytest.raises(NoOdds, match="no line 'luck'"):
        without(world, ["luck"])
