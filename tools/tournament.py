"""How good the admiral is: mirrored battles against a random player who never withdraws, and against himself with one part
of his doctrine left out.

    .venv/bin/python tools/tournament.py [PAIRS]

A mirrored battle is fought twice on the same dice, with the chairs exchanged; in every other one both sides bring the
same. Who has sunk more in both together, damaged ships counting half, has won the pair. Set-ups and dice come from fixed
seeds, so the table is the same every time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import sqrt
from random import Random
from typing import NamedTuple

from flagplot.bots.admiral import PARTS, AdmiralBot
from flagplot.bots.bot import Bot, play_out
from flagplot.bots.random_bot import RandomBot
from flagplot.core.asks import Decide
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.model.forces import Force
from flagplot.model.picture import Picture
from flagplot.model.setup import Air, Public, Secret, Setup
from flagplot.model.ships import Ship, factors_of
from flagplot.model.squadrons import AirBase
from flagplot.model.state import Fleet
from flagplot.play.game import Game

PAIRS = 600
AGAINST_RANDOM = 100
MOST_INPUTS = 6_000
KEY = "00" * 16


class SeededDice:
    """Dice from a seed."""

    name = "script"

    def __init__(self, random: Random) -> None:
        self.random = random

    def dice(self, count: int, draw: int) -> list[int]:
        """So many dice."""
        return [self.random.randint(1, 6) for _ in range(count)]


class Stubborn(RandomBot):
    """A random player who never leaves the fight."""

    def choose(self, picture: Picture, decision: Decide) -> Wire:
        """Any legal answer but one that ends the battle."""
        if decision.kind in ("withdraw", "evade"):
            return decision.form.default
        return decision.form.sample(self.random)


def mirrored(seed: int) -> Setup:
    """A battle of guns, carriers, land-based air and submarines; in every other one both sides bring the same."""
    random = Random(seed)
    nation = random.choice(["United States", "Japan", "Britain"])
    plans = [_gun_force(random) for _ in range(random.randrange(1, 4))]
    plans += [_carrier_force(random) for _ in range(random.randrange(1, 3))]
    others = plans if seed % 2 else [_gun_force(random) for _ in range(len(plans) + random.randrange(0, 2))]
    aircraft = {f"{nation}/AAF": random.randrange(0, 4)}
    naval = {f"{nation}/NAS": random.randrange(0, 3)}
    submarines = {f"{nation}/SUB": random.randrange(0, 3)}
    sides: dict[Side, Secret] = {}
    for side in Side:
        forces = tuple(
            Force(
                f"Force {index}",
                tuple(
                    Ship(name := f"{side} {index}.{n}", name, nation, kind, size, wing=_wing(nation, kind, size))
                    for n, (kind, size) in enumerate(ships)
                ),
                {f"{nation}/{kind}": number for kind, number in counts.items() if number},
                base="Home",
            )
            for index, (ships, counts) in enumerate(plans if side is Side.AXIS else others)
        )
        sides[side] = Secret(forces=forces, submarines={key: n for key, n in submarines.items() if n})
    air = {
        side: Air(
            bases=(
                AirBase(
                    f"Field of {side}",
                    3,
                    factors={key: n for key, n in aircraft.items() if n},
                    squadrons={key: n for key, n in naval.items() if n},
                ),
            )
        )
        for side in Side
    }
    return Setup(
        public=Public(
            title=f"Mirror {seed}",
            theatre="Pacific",
            interceptor=Side.AXIS,
            order_of_battle="hidden",
            names={Side.AXIS: "Axis", Side.ALLIES: "Allies"},
            tactical=dict.fromkeys(Side, 0),
            search_advantage=dict.fromkeys(Side, 0),
            aircraft=True,
            submarines=True,
            air=air,
        ),
        sides=sides,
    )


def _wing(nation: str, kind: str, size: int) -> dict[str, int]:
    return {f"{nation}/NAS": size} if kind.startswith("CV") else {}


Plan = tuple[list[tuple[str, int]], dict[str, int]]


def _gun_force(random: Random) -> Plan:
    ships = [("BB", random.choice([3, 4])) for _ in range(random.randrange(1, 4))]
    return ships, {"CA": random.randrange(0, 4), "DD": random.randrange(1, 6), "CVE": random.choice([0, 0, 1])}


def _carrier_force(random: Random) -> Plan:
    ships = [("CV", 3) for _ in range(random.randrange(2, 5))] + [("BB", 4)] * random.randrange(0, 2)
    return ships, {"CA": random.randrange(2, 5), "DD": random.randrange(2, 5)}


def losses(fleet: Fleet) -> int:
    """Twice the naval factors sunk, and once those damaged."""
    parcels = (*fleet.groups, *fleet.withdrawn, *fleet.detached)
    damaged = sum(ship.size for parcel in parcels for ship in parcel.ships if ship.damaged)
    damaged += sum(2 * n for parcel in parcels for key, n in parcel.light.items() if key.endswith("/damaged"))
    return 2 * (sum(ship.size for ship in fleet.sunk) + factors_of(fleet.sunk_light)) + damaged


def fight(seed: int, axis: Bot, allies: Bot) -> int:
    """One battle: by how much the Axis is ahead."""
    game = Game.new(mirrored(seed), dice=SeededDice(Random(seed)), key=KEY)
    play_out(game, {Side.AXIS: axis, Side.ALLIES: allies}, MOST_INPUTS)
    return losses(game.battle.fleets[Side.ALLIES]) - losses(game.battle.fleets[Side.AXIS])


class Score(NamedTuple):
    """How a match went, over pairs."""

    won: int
    drawn: int
    lost: int

    @property
    def share(self) -> float:
        """The part won, draws counting half."""
        return (self.won + self.drawn / 2) / sum(self)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of that share."""
        pairs = sum(self)
        mean = self.share
        variance = (self.won * (1 - mean) ** 2 + self.drawn * (0.5 - mean) ** 2 + self.lost * mean**2) / pairs
        half = 1.96 * sqrt(variance / pairs)
        return mean - half, mean + half


def match(pairs: int, one: Callable[[int], Bot], two: Callable[[int], Bot]) -> Score:
    """So many pairs between two players."""
    ahead = [fight(seed, one(seed), two(seed)) - fight(seed, two(seed), one(seed)) for seed in range(pairs)]
    won, lost = sum(lead > 0 for lead in ahead), sum(lead < 0 for lead in ahead)
    return Score(won, pairs - won - lost, lost)


def admiral(seed: int) -> Bot:
    """The whole doctrine."""
    return AdmiralBot()


def against_random(pairs: int = AGAINST_RANDOM) -> Score:
    """The admiral against a random player who never withdraws."""
    return match(pairs, admiral, lambda seed: Stubborn(Random(seed)))


def against_himself_without(part: str, pairs: int = PAIRS) -> Score:
    """The admiral against himself with a part of his doctrine left out."""
    return match(pairs, admiral, lambda seed: AdmiralBot([part]))


def main() -> None:
    """Print the table."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    print("| the admiral against | pairs | won | drawn | lost | share | 95 % interval |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    rows = [("a random player who never withdraws", against_random(min(pairs, AGAINST_RANDOM)))]
    rows += [(f"himself without {part}", against_himself_without(part, pairs)) for part in PARTS]
    for name, score in rows:
        low, high = score.interval
        print(
            f"| {name} | {sum(score)} | {score.won} | {score.drawn} | {score.lost} | {score.share:.3f} "
            f"| {low:.3f} to {high:.3f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
