"""Random amendments, such as players might agree on, put into random battles."""

from __future__ import annotations

from random import Random

from flagplot.core.errors import PlayerError
from flagplot.core.sides import Side
from flagplot.model.amendments import (
    CargoPutRight,
    Change,
    LightShipsRemoved,
    ShipPutRight,
    ShipsAdded,
    SquadronsSet,
)
from flagplot.model.forces import Cargo
from flagplot.model.ships import Ship, as_seen
from flagplot.play.game import Game
from flagplot.rules.amendments import ships_afloat
from tests.properties.random_battles import KEY, NATIONS, SeededDice, random_setup


def random_change(random: Random, game: Game, made: int) -> Change | None:
    """A change of any kind, most of them possible; None if there is nothing to change."""
    side = random.choice(list(Side))
    fleet, nation = game.battle.fleets[side], NATIONS[side][0]
    places = [f"CG{group.number}" for group in fleet.groups] or [force.name for force in fleet.forces]
    to = random.choice([*places, *(group.name for group in fleet.pending), "CG9"])
    ships = [as_seen(ship) for ship in ships_afloat(game.battle, side)]
    match random.randrange(7):
        case 0 if ships:
            ship = random.choice(ships)
            hits = random.randrange(0, 3)
            return ShipPutRight(
                side, Ship(**{**_fields(ship), "hits": hits, "damaged": not hits and random.random() < 0.5})
            )
        case 1 if ships:
            return ShipPutRight(side, random.choice(ships), "sunk")
        case 2 if fleet.sunk:
            return ShipPutRight(side, as_seen(random.choice(fleet.sunk)), "restored", to)
        case 3:
            forgotten = Ship(f"forgotten {made}", f"Forgotten {made}", nation, "CV", 3)
            return ShipsAdded(side, to, (forgotten,) if random.random() < 0.5 else (), {f"{nation}/DD": 2})
        case 4:
            carriers = [ship for ship in ships if ship.is_carrier]
            at = random.choice(
                [*((ship.id, ship.name) for ship in carriers), *((b.name, b.name) for b in fleet.air_bases), ("x", "x")]
            )
            return SquadronsSet(side, *at, f"{nation}/NAS", random.randrange(0, 3))
        case 5:
            aboard = [item for group in fleet.groups for item in group.cargo]
            cargo = random.choice([*aboard, Cargo(f"mail {made}", 1)])
            return CargoPutRight(side, to, cargo, cargo not in aboard)
        case 6:
            kind = random.choice(["DD", "DD", "CA", "CA/damaged", "TR"])
            return LightShipsRemoved(side, to, {f"{nation}/{kind}": random.randrange(1, 3)}, random.random() < 0.5)
    return None


def _fields(ship: Ship) -> dict[str, object]:
    return {name: getattr(ship, name) for name in ship.__struct_fields__}


def amended_game(seed: int, *, raiders: bool = False, most_inputs: int = 1_500, rate: float = 0.08) -> Game:
    """A game played by chance to its end, or this many inputs, in which something is put right now and then."""
    random = Random(seed)
    game = Game.new(random_setup(random, raiders=raiders), dice=SeededDice(random), key=KEY)
    made = 0
    while not game.over and len(game.runner.tape) < most_inputs:
        if random.random() < rate:
            change = random_change(random, game, made)
            made += 1
            if change is not None:
                try:
                    game.amend("axis", change, agreed=("allies",), words="forgotten")
                except PlayerError:
                    continue
        if game.roll_due():
            game.roll()
            continue
        side = random.choice([side for side in Side if game.decision(side)])
        decision = game.decision(side)
        assert decision
        game.submit(side, decision.form.sample(random))
    return game
