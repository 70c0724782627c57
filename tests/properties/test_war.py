"""Wars between random players and between admirals: what must hold after every event, whoever plays. More in the long run."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.random_bot import RandomBot
from flagplot.core.sides import Side
from flagplot.model.strategic_war import BOXES, JAPAN, STRATEGIC_BOMBER
from flagplot.model.war import Purse, War, faction_of, kind_of, pool_of, power_of, unit
from flagplot.model.war_events import (
    BombingTold,
    RaidAnnounced,
    RaidIntercepted,
    SalvosAnnounced,
    SubmarinesCommitted,
    UnitsBuilt,
    UnitsMoved,
    WarEnded,
    WarOpened,
)
from flagplot.model.war_fold import apply_war
from flagplot.play.game import Game
from flagplot.rules.strategic.rockets import bases_allowed
from flagplot.rules.strategic.submarine_deployment import SUBMARINES, room_in_box
from flagplot.rules.strategic.submarine_turn import attacks_in
from flagplot.scenarios.loader import load_scenario

PLAYERS = [("random", 0), ("random", 1), ("random", 2), ("admiral", 0)]
PLAYERS += [
    pytest.param(*each, marks=pytest.mark.long)
    for each in [("random", 3), ("random", 4), ("random", 5), ("admiral", 1), ("admiral", 2)]
]


class SeededDice:
    """Repeatable dice."""

    name = "script"

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def dice(self, count: int, draw: int) -> list[int]:
        return [self.random.randint(1, 6) for _ in range(count)]


@cache
def war(who: str, seed: int) -> Game:
    """A whole war."""
    game = Game.new(load_scenario("war").setup, dice=SeededDice(seed), key="00" * 16)
    bots = {side: AdmiralBot() if who == "admiral" else RandomBot(Random(seed)) for side in Side}
    while not game.over:
        game.advance()
        for side in Side:
            decision = game.decision(side)
            if decision:
                game.submit(side, bots[side].choose(game.picture(side), decision))
                break
    return game


@cache
def states(game: Game) -> list[tuple[War, object, War]]:
    """Before, the event, after."""
    found = []
    state = War()
    for event in game.events():
        after = apply_war(state, event)
        found.append((state, event, after))
        state = after
    return found


@pytest.mark.ledger("24.11", "24.22.1", "24.232D.1")
@pytest.mark.parametrize(("who", "seed"), PLAYERS)
def test_units_are_conserved_and_bomber_pools_stay_equal(who: str, seed: int) -> None:
    for before, event, after in states(war(who, seed)):
        placed: dict[tuple[str, str], int] = {}
        for units in after.places.values():
            for name, number in units.items():
                assert number > 0, (event, name)
                key = pool_of(name), kind_of(name)
                placed[key] = placed.get(key, 0) + number
        for owner, kinds in after.pools.items():
            for kind, pool in kinds.items():
                assert pool.allowable >= 0, event
                assert pool.built == placed.get((owner, kind), 0), (event, owner, kind)
        if before.pools and not isinstance(event, WarOpened):
            produced = getattr(getattr(event, "dispatch", None), "produced", {})
            for owner, kinds in after.pools.items():
                for kind in kinds:
                    assert _size(after, owner, kind) == _size(before, owner, kind) + produced.get(owner, {}).get(
                        kind, 0
                    )
        british, american = (_size(after, owner, STRATEGIC_BOMBER) for owner in ("Britain", "United States, European"))
        assert abs(british - american) <= 1


def _size(state: War, owner: str, kind: str) -> int:
    pool = state.pools.get(owner, {}).get(kind)
    return (pool.size if pool else 0) + state.coming.get(owner, {}).get(kind, 0)


@pytest.mark.ledger("25.13A.2", "25.13C.1", "25.13E.1", "25.13A.3", "25.13C.2")
@pytest.mark.parametrize(("who", "seed"), PLAYERS)
def test_limits_by_date_are_kept(who: str, seed: int) -> None:
    game = war(who, seed)
    limits = game.table.rules.submarine_limits
    fighting: dict[tuple[object, str, str], int] = {}
    for before, event, after in states(game):
        if isinstance(event, SubmarinesCommitted):
            key = before.now, event.power, "" if event.power == JAPAN else event.box
            fighting[key] = fighting.get(key, 0) + event.submarines
            assert fighting[key] <= limits.limit(event.power, event.box, before.now.turn)
        if isinstance(event, UnitsMoved) and before.stage == "redeployment":
            for power in ("Germany", "Japan", "United States"):
                present = {box: sum(after.present(box, unit(power, kind)) for kind in SUBMARINES) for box in BOXES}
                room = {box: room_in_box(game.table.rules, power, box, before.now) for box in BOXES}
                if power == JAPAN:
                    assert sum(present.values()) <= max(room.values())
                elif any(power_of(move.unit) == power and kind_of(move.unit) in SUBMARINES for move in event.moves):
                    assert all(present[box] <= room[box] for box in BOXES)


@pytest.mark.ledger("25.34", "26.664", "26.72D.3")
@pytest.mark.parametrize(("who", "seed"), PLAYERS)
def test_nothing_inverted_acts_and_no_purse_is_overdrawn(who: str, seed: int) -> None:
    for before, event, after in states(war(who, seed)):
        if isinstance(event, SubmarinesCommitted):
            (attack,) = attacks_in({f"{unit(event.power, 'submarine')}, {event.box}": event.submarines}, event.box)
            assert attack.submarines <= before.ready(event.box).get(unit(event.power, "submarine"), 0)
        if isinstance(event, RaidAnnounced | RaidIntercepted):
            flying = event.force if isinstance(event, RaidAnnounced) else event.defenders
            for key, number in flying.items():
                name, front = key.rsplit(", ", 1)
                assert number <= before.ready(front).get(name, 0)
        assert all(min(purse.construction, purse.shipbuilding) >= 0 for purse in after.purses.values())
        for power, purse in after.purses.items():
            had = before.purses.get(power, Purse()).brps
            assert purse.brps >= min(0, had) or isinstance(event, BombingTold), "only bombing leaves a deficit (26.72D)"
        if isinstance(event, UnitsBuilt):
            assert after.purses[event.power].brps >= 0, "nothing is built on credit"


@pytest.mark.ledger("24.12")
@pytest.mark.parametrize(("who", "seed"), PLAYERS)
def test_every_war_ends_and_both_sides_saw_all_of_it(who: str, seed: int) -> None:
    game = war(who, seed)
    assert sum(isinstance(event, WarEnded) for event in game.events()) == 1
    assert game.table.war.over and len(game.table.war.chart) == 30
    again = Game(game.header, game.journal)
    assert again.over and again.table.check() == game.table.check()
    assert game.picture(Side.AXIS).war == game.picture(Side.ALLIES).war == game.table.war


@pytest.mark.ledger("26.63B.1", "26.61", "26.62A", "26.63A")
@pytest.mark.parametrize(("who", "seed"), PLAYERS)
def test_rocket_bases_lie_where_they_may_and_no_more_than_research_allows(who: str, seed: int) -> None:
    game = war(who, seed)
    for _, event, after in states(game):
        for power, bases in after.rocket_bases.items():
            names = [base.id for base in bases]
            allowed = bases_allowed(game.table.rules, after.levels(faction_of(power)).rockets)
            assert len(bases) + len(after.lost_bases.get(power, ())) <= allowed, event
            assert len(set(names)) == len(names), event
            assert set(names) <= {site.id for site in after.rocket_sites[power]}, event
        if isinstance(event, SalvosAnnounced):
            for power, bases in after.rocket_bases.items():
                assert sum(salvo.number for salvo in event.salvos if salvo.power == power) <= len(bases)
