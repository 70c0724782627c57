"""The world of whoever numbers his groups: his own as he formed them, the enemy's as they are listed or believed (22.423)."""

from __future__ import annotations

import pytest

from flagplot.api.battle_advice import advised, world_to_advise
from flagplot.core.sides import Side
from flagplot.odds.worlds import NoOdds
from flagplot.play.game import Game
from flagplot.scenarios.loader import load_scenario


def numbering(name: str, order_of_battle: str, side: Side, **combined: str) -> Game:
    """A game in which a side is asked for its numbers; `combined` names the groups that strengthen others."""
    scenario = load_scenario(name)
    setup = scenario.setup.with_order_of_battle(order_of_battle)
    game = Game.new(setup, edition=scenario.edition, options=scenario.options, key="00" * 16)
    while (decision := game.decision(side)) is None or decision.kind != "number":
        who = next(who for who in (side, side.enemy) if game.decision(who))
        asked = game.decision(who)
        assert asked
        wire = dict(asked.form.default)
        if who is side and asked.kind == "strengthen":
            wire |= combined
        game.submit(who, wire)
    return game


def test_an_open_enemy_has_the_groups_he_lists_numbered_by_his_doctrine() -> None:
    game = numbering("midway", "open", Side.ALLIES)
    world, belief = world_to_advise(game, Side.ALLIES)
    listed = {ship.name for force in game.picture(Side.ALLIES).battle.fleets[Side.AXIS].forces for ship in force.ships}
    here = {ship.name for group in belief.groups for ship in group.ships}
    assert here and here <= listed
    assert world.battle.segment == "counterair" and world.battle.round == 1
    assert [group.number for group in belief.groups] == list(world.battle.fleets[Side.AXIS].numbers)
    seen = world.known[Side.ALLIES].fleets[Side.AXIS].groups
    assert [(group.number, group.hidden, group.ships) for group in seen] == [
        (group.number, True, ()) for group in belief.groups
    ]
    ours = world.known[Side.AXIS].fleets[Side.ALLIES].groups
    assert all(group.hidden and not group.ships for group in ours)  # nor does he know ours


def test_a_hidden_enemy_is_like_us_and_is_not_looked_at() -> None:
    game = numbering("midway", "hidden", Side.ALLIES)
    world, belief = world_to_advise(game, Side.ALLIES)
    assert len(belief.groups) == len(world.battle.fleets[Side.ALLIES].groups) == 2
    assert all(group.ships and group.ships[0].nation == "Japan" for group in belief.groups)
    asked = game.decision(Side.AXIS)
    assert asked
    game.submit(Side.AXIS, asked.form.default)  # he decides: nothing changes
    assert world_to_advise(game, Side.ALLIES) == (world, belief)


@pytest.mark.parametrize("combined", [{}, {"The convoy and Force X": "Force Z"}])
def test_groups_are_as_their_owner_formed_them(combined: dict[str, str]) -> None:
    """The convoy alone, or strengthened by the carriers (22.421A): those groups are numbered that the question names."""
    game = numbering("pedestal", "open", Side.ALLIES, **combined)
    asked = game.decision(Side.ALLIES)
    assert asked
    world, _ = world_to_advise(game, Side.ALLIES)
    fleet = world.battle.fleets[Side.ALLIES]
    formed = {f"{group.name}: {group.describe()}" for group in (*fleet.groups, *fleet.pending)}
    assert {item.label for item in asked.form.items} <= formed
    assert ("The convoy and Force X #2" in {item.key for item in asked.form.items}) is bool(combined)  # it was divided


def test_who_is_asked_something_else_is_not_advised() -> None:
    scenario = load_scenario("midway")
    game = Game.new(scenario.setup, edition=scenario.edition, options=scenario.options, key="00" * 16)
    assert game.decision(Side.ALLIES)
    with pytest.raises(NoOdds, match="nothing of the kind is asked of you now"):
        advised(game, Side.ALLIES)
