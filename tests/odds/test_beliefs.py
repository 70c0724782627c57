"""Beliefs: what a side takes the enemy to be, from its picture alone; as text it can be changed."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace

from flagplot.api.battle_odds import world_of_game
from flagplot.core.errors import GameError
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup, Force
from flagplot.model.picture import Picture
from flagplot.model.state import Battle, Fleet
from flagplot.odds.beliefs import Belief, belief_text, believed, read_belief, usual_belief
from flagplot.odds.boundaries import at_boundary
from flagplot.odds.kernel_state import encode
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.sampling import USUAL, why_not_compiled
from flagplot.odds.what_if import lines, without
from flagplot.odds.worlds import NoOdds, _fighting, fight
from flagplot.play.game import Game
from flagplot.rules.naval.search import disclosure
from flagplot.rules.table import Table
from flagplot.scenarios.loader import list_scenarios, load_scenario
from flagplot.scenarios.ships import ships_of
from flagplot.tables.search import SearchTable
from tests.odds.moments import BOTS, moments

BATTLES = [each.name for each in list_scenarios() if each.setup.public.kind == "naval battle"]


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


HERE = '[[group]]\nnumber = 6\nname = "x"\ncruisers = 2\nships = ["Akagi", "Kaga"]\n'
LATER = '[[group]]\nname = "y"\narrives = 3\nships = ["Yamato"]\n'


def test_whoever_reckons_with_more_says_when_they_come() -> None:
    """Midway: the battleships come behind. They are in the battle from their round on, by procedures and kernels alike."""
    picture, public = midway()
    belief = read_belief(HERE + LATER, picture)
    assert [(group.number, group.arrives) for group in belief.coming] == [(0, 3)]
    assert read_belief(belief_text(belief), picture) == belief
    assert belief.in_words()[1] == {"number": 0, "arrives": 3, "holds": "Yamato"}
    world = believed("current", {}, picture, public, belief)
    assert [group.name for group in world.battle.fleets[Side.AXIS].pending] == ["y"]
    assert not world.known[Side.ALLIES].fleets[Side.AXIS].pending, "nobody has told the United States"
    assert why_not_compiled(world) == ""
    met = False
    for battle in range(6):
        end, _ = fight(world, BOTS, PhiloxDice(4, battle))
        fleet = end.fleets[Side.AXIS]
        there = [ship.name for group in (*fleet.groups, *fleet.withdrawn) for ship in group.ships]
        met |= end.round > 2 and "Yamato" in there
    assert met


def test_a_listed_force_that_is_believed_to_come_comes_once() -> None:
    """Midway with an open order of battle: the Main Body is listed for the third round."""
    game, side, _ = next(each for each in moments("midway", "open") if each[1] is Side.ALLIES)
    picture = game.picture(side)
    told = belief_text(usual_belief(picture)) + '\n[[group]]\nname = "y"\narrives = 2\nships = ["Yamato"]\n'
    world = believed("current", {}, picture, game.picture(None), read_belief(told, picture))
    pending = [ship.name for group in world.battle.fleets[Side.AXIS].pending for ship in group.ships]
    assert pending.count("Yamato") == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "each hidden group"),
        ('[[group]]\nnumber = 6\nname = "x"\nships = ["Nobody"]', "Nobody"),
        ('[[group]]\nnumber = 2\nname = "x"\ndestroyers = 3', "each hidden group"),
        ("[[group", "TOML"),
        ('[[force]]\nname = "x"', "no such key"),
        (HERE.replace('"Kaga"', '"Akagi"'), "Akagi: she is in x already"),
        (HERE.replace('"Kaga"', '"Hornet"').replace('name = "x"', 'name = "x"\nnation = "United States"'), "your own"),
        (HERE + LATER.replace('"Yamato"', '"Kaga"'), "Kaga: she is in x already"),
        (HERE + LATER.replace('name = "y"', 'name = "x"'), "two groups are called x"),
        (HERE + LATER + "number = 2\n", "no number before that"),
        (HERE + "".join(f'[[group]]\narrives = 2\nname = "{n}"\ndestroyers = 1\n' for n in range(7)), "up to 6"),
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


@pytest.mark.ledger("22.421C")
def test_of_seven_listed_forces_one_waits_and_it_is_not_the_convoy() -> None:
    """Six numbers on the chart, seven forces listed: the guns that are left over wait, and nobody is forgotten."""
    game, side, _ = next(each for each in moments("six-groups", "open") if each[1] is Side.AXIS)
    world, belief = world_of_game(game, side)
    enemy = world.battle.fleets[Side.ALLIES]
    assert [group.name for group in enemy.pending] == ["Bombardment group"]
    names = sorted(group.name for group in (*belief.groups, *enemy.pending))
    assert names == sorted(force.name for force in enemy.forces)
    assert any(group.cargo for group in enemy.groups)
    encode(world.rules, world.battle, world.pictures(), USUAL)  # the kernels can fight it


def test_what_has_been_shown_is_not_believed_to_be_hidden_as_well() -> None:
    """Java Sea: once the covering force, cruisers and destroyers without a named ship among them, has been met, what is still
    hidden is the convoy."""
    met = set()
    for game, side, _ in moments("java-sea", "open", 2):
        if side is Side.ALLIES:
            shown = any(not group.hidden for group in game.picture(side).battle.fleets[Side.AXIS].groups)
            hidden = [group for group in usual_belief(game.picture(side)).groups if group.cargo]
            assert hidden and all(group.name == "Eastern convoy" for group in hidden)
            met.add(shown)
        if len(met) == 2:
            return
    raise AssertionError("nobody met")


def test_squadrons_known_to_be_lost_are_not_believed_to_fly() -> None:
    """Four carriers of three squadrons, one of them sunk; five squadrons were shot down: seven of nine places are taken, the
    last carrier being the one that is short, whether she is hidden or has been shown. What somebody writes stays so."""
    ships = {ship.name: ship for ship in ships_of("Japan")}
    carriers = [replace(ships[name], wing={"Japan/NAS": 3}) for name in ("Akagi", "Kaga", "Soryu", "Hiryu")]
    forces = (
        Force("first", tuple(carriers[:2]), {"Japan/CA": 3}),
        Force("second", tuple(carriers[2:]), {"Japan/CA": 3}),
    )
    shown = CombatGroup(2, ships=(replace(carriers[2], wing={}),), light={"Japan/CA": 3})
    enemy = Fleet(
        name="Japan",
        forces=forces,
        groups=(CombatGroup(1, hidden=True), shown),
        sunk=(replace(carriers[3], wing={}),),
        air_lost={"Japan/NAS": 5, "Japan/AAS/attack@Truk": 3},
    )
    picture = Picture(Side.ALLIES)
    own = Fleet(groups=(CombatGroup(1, light={"United States/DD": 9}),))
    picture.battle = replace(picture.battle, fleets={Side.AXIS: enemy, Side.ALLIES: own}, segment="counterair")
    belief = usual_belief(picture)
    assert [[ship.air for ship in group.ships] for group in belief.groups] == [[3, 1]]
    assert read_belief(belief_text(belief), picture).groups[0].ships[1].air == 1
    world = believed("current", {}, picture, picture, belief)
    assert [[ship.air for ship in group.ships] for group in world.battle.fleets[Side.AXIS].groups] == [[3, 1], [3]]
    written = read_belief(belief_text(belief).replace("air = 1", "air = 2"), picture)
    world = believed("current", {}, picture, picture, written)
    assert [[ship.air for ship in group.ships] for group in world.battle.fleets[Side.AXIS].groups] == [[3, 2], [2]]


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


def test_who_was_held_back_from_a_strike_matters_no_more_when_strikes_are_over() -> None:
    """23.415A: so that the kernels can fight on from there."""
    group = CombatGroup(1, light={"Japan/DD": 1}, patrol={"Japan/NAS": 2}, withheld={"Japan/NAS": 1})
    fleets = {Side.AXIS: Fleet(groups=(group,)), Side.ALLIES: Fleet()}
    for segment, kept in (("air strikes", 1), ("fleet combat", 0), ("withdrawal", 0)):
        battle = at_boundary(Battle(fleets=fleets, segment=segment))
        assert sum(battle.fleets[Side.AXIS].groups[0].withheld.values()) == kept


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
