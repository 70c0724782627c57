"""What is believed of hidden groups against everything a side was told, in battles played partly at random.

The checks are written from the rules alone: what was disclosed of a group holds until it is shown or made up anew (22.452B,
22.423B), a ship is in one place, and where the order of battle is open nothing is believed that is not on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.random_bot import RandomBot
from flagplot.core.sides import Side
from flagplot.model.events import (
    BattleJoined,
    Departed,
    Detached,
    Evaded,
    GroupEliminated,
    GroupFound,
    GroupRevealed,
    MarkersHidden,
)
from flagplot.model.forces import CombatGroup, Disclosed
from flagplot.model.picture import Picture
from flagplot.model.ships import light, number_of
from flagplot.model.state import Battle, Fleet
from flagplot.odds.beliefs import Belief, belief_text, believed, made_up, read_belief, usual_belief
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.worlds import NoOdds
from flagplot.play.game import Game
from flagplot.scenarios.loader import list_scenarios, load_scenario

BATTLES = [each.name for each in list_scenarios() if each.setup.public.kind == "naval battle"]


def moments(name: str, order_of_battle: str, edition: str, seed: int) -> Iterator[tuple[Game, Side]]:
    """A game of two who are admirals half of the time, before some of their decisions, as either side sees it."""
    scenario, chance = load_scenario(name), Random(seed)
    bots = [RandomBot(Random(seed)), AdmiralBot()]
    setup = scenario.setup.with_order_of_battle(order_of_battle)
    game = Game.new(setup, edition=edition, options=scenario.options, dice=PhiloxDice(seed, seed), key="00" * 16)
    while not game.over and game.battle.segment != "return" and game.battle.round < 8:
        if game.roll_due():
            game.roll()
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision is not None
        if game.battle.segment != "formation" and not chance.randrange(6):
            yield game, chance.choice(list(Side))
        game.submit(side, chance.choice(bots).choose(game.picture(side), decision))


def remembered(picture: Picture, enemy: Side) -> dict[int, Disclosed]:
    """What a player with a pencil has noted beside each number."""
    notes: dict[int, Disclosed] = {}
    for event in picture.events:
        if isinstance(event, BattleJoined):
            notes = {}
        elif getattr(event, "side", None) is enemy:
            if isinstance(event, GroupFound):
                notes[event.number] = event.disclosed
            elif isinstance(event, Evaded) and event.number in notes:
                notes[event.new_number] = notes.pop(event.number)
            elif isinstance(event, GroupEliminated | Detached):
                notes.pop(event.number, None)
            elif isinstance(event, Departed):
                for number in event.whole:
                    notes.pop(number, None)
            elif isinstance(event, MarkersHidden):
                notes = {}
    return notes


def says(group: CombatGroup, said: Disclosed) -> bool:
    """Whether this is what the owner of a group would say (22.452B; in 2008 the size first, then the carriers)."""
    light_factors = sum(
        number * (2 if "/CA" in key else 0 if "/TR" in key else 1) for key, number in group.light.items()
    )
    under_ten = sum(ship.size for ship in group.ships) + light_factors < 10
    carriers = sum(ship.is_carrier for ship in group.ships)
    if said.steps:
        counted = carriers + number_of(group.light, "CVE") if said.steps > 1 else 0
        return (under_ten, counted) == (said.under_ten, said.fast_carriers)
    slow = any(ship.damaged or not ship.fast for ship in group.ships) or any(
        light(key).kind in ("CVE", "TR") or light(key).state == "damaged" for key in group.light
    )
    cargo = bool(group.cargo) or group.supply
    return said == Disclosed(under_ten, carriers, not slow and not cargo, cargo)


def shown_in(picture: Picture, enemy: Side) -> set[str]:
    """Ships that were shown and have not been hidden again."""
    events = list(picture.events)
    anew = max(
        (i for i, event in enumerate(events) if isinstance(event, MarkersHidden) and event.side is enemy), default=0
    )
    return {
        ship.id
        for event in events[anew:]
        if isinstance(event, GroupRevealed) and event.side is enemy
        for ship in event.group.ships
    }


def check(game: Game, side: Side, edition: str) -> None:
    """Everything a side was told, against what it believes."""
    picture = game.picture(side)
    enemy = picture.battle.fleets[side.enemy]
    belief = usual_belief(picture)
    hidden = sorted(group.number for group in enemy.groups if group.hidden)
    assert sorted(group.number for group in belief.groups) == hidden
    ids = [ship.id for group in belief.groups for ship in group.ships]
    mine = picture.battle.fleets[side]
    elsewhere = {ship.id for group in (*mine.groups, *enemy.withdrawn, *enemy.detached) for ship in group.ships}
    elsewhere |= {ship.id for ship in enemy.sunk} | shown_in(picture, side.enemy)
    assert len(set(ids)) == len(ids) and not elsewhere & set(ids), "a ship is in one place"
    notes = remembered(picture, side.enemy)
    for group in belief.groups:
        assert not group.empty
        assert group.number not in notes or says(group, notes[group.number]), (group.describe(), notes[group.number])
    if enemy.forces and edition == "current":  # in 2008 groups may be made up anew in ways nobody can follow
        listed, there = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        for force in enemy.forces:
            for key, number in force.light.items():
                listed[light(key)[:2]] += number
        known = [group.light for group in (*enemy.groups, *enemy.withdrawn, *enemy.detached) if not group.hidden]
        for counts in (*known, enemy.sunk_light, *(group.light for group in belief.groups)):
            for key, number in counts.items():
                there[light(key)[:2]] += number
        assert set(ids) <= {ship.id for force in enemy.forces for ship in force.ships}, "only what is listed"
        assert there <= listed, "and no more of it"
    assert len(read_belief(belief_text(belief), picture).groups) == len(belief.groups), "what is written can be read"
    believed(edition, picture.options, picture, game.picture(None), belief)


@pytest.mark.ledger("22.452B")
@pytest.mark.parametrize("edition", ["current", "2008"])
@pytest.mark.parametrize("order_of_battle", ["open", "hidden"])
@pytest.mark.parametrize("name", BATTLES)
def test_what_is_believed_agrees_with_all_that_was_told(name: str, order_of_battle: str, edition: str) -> None:
    looked = 0
    for seed in (1, 2):
        for game, side in moments(name, order_of_battle, edition, seed):
            check(game, side, edition)
            looked += 1
    assert looked


EVERY_DISCLOSURE = [
    *(
        Disclosed(under_ten, carriers, fast, cargo)
        for under_ten, carriers, fast, cargo in product((True, False), range(5), (True, False), (True, False))
        if not (fast and cargo)
    ),
    *(Disclosed(under_ten, 0, True, False, steps=1) for under_ten in (True, False)),
    *(Disclosed(under_ten, carriers, True, False, steps=2) for under_ten in (True, False) for carriers in range(10)),
]


def facing(nation: str, *groups: CombatGroup) -> Picture:
    """What the Allies know of an enemy of whom only these markers are known."""
    picture = Picture(Side.ALLIES)
    picture.battle = Battle(fleets={Side.AXIS: Fleet(nation, groups=groups), Side.ALLIES: Fleet("Allies")})
    return picture


@pytest.mark.ledger("22.452B")
@pytest.mark.parametrize("nation", ["Germany", "Italy", "Japan", "France"])
def test_whatever_is_disclosed_of_a_group_it_is_believed(nation: str) -> None:
    """Four carriers in fewer than ten factors, a slow group without cargo, carriers of a nation that has too few of them;
    in 2008 up to nine in fewer than ten factors, for escort carriers count as well (22.45T)."""
    for said in EVERY_DISCLOSURE:
        marker = CombatGroup(3, hidden=True, disclosed=said)
        (group,) = made_up(facing(nation, marker), [marker])
        assert says(group, said), (said, group.describe())


def test_what_was_disclosed_in_an_earlier_round_binds_a_belief_too() -> None:
    """Nothing changes in a group that nobody attacks, so what its owner has said of it stays true when it is hidden again."""
    for game, side in moments("ceylon", "hidden", "current", 1):
        picture = game.picture(side)
        enemy = picture.battle.fleets[side.enemy]
        notes = remembered(picture, side.enemy)
        before = [g.number for g in enemy.groups if g.hidden and not g.disclosed and notes.get(g.number)]
        if before:
            break
    others = [group for group in usual_belief(picture).groups if group.number != before[0]]
    wrong = CombatGroup(before[0], "x", light={"Japan/DD": 3} if not notes[before[0]].under_ten else {"Japan/CA": 9})
    with pytest.raises(NoOdds, match="its owner has said"):
        read_belief(belief_text(Belief((*others, wrong))), picture)
