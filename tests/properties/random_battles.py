"""Random set-ups and random play, for properties that must hold of every battle."""

from __future__ import annotations

from random import Random
from typing import Any

from flagplot.bots.bot import play_out
from flagplot.bots.random_bot import RandomBot
from flagplot.core.events import Event
from flagplot.core.sides import Audience, Side
from flagplot.model.air_events import AIR_EVENTS, AirBasesListed
from flagplot.model.forces import Cargo, Force
from flagplot.model.setup import Air, Public, Secret, Setup
from flagplot.model.ships import Ship
from flagplot.model.squadrons import AirBase
from flagplot.model.state import RESEARCH, Base
from flagplot.play.game import Game

KEY = "00" * 16
NAMED = [("BB", 3), ("BB", 4), ("BB", 5), ("BC", 3), ("CV", 3), ("CVL", 2), ("PB", 2)]
NATIONS = {Side.AXIS: ("Japan", "Italy"), Side.ALLIES: ("United States", "Australia")}


class SeededDice:
    """Dice from a seed: for tests only, live play never uses such a thing."""

    name = "script"

    def __init__(self, random: Random) -> None:
        self.random = random

    def dice(self, count: int, draw: int) -> list[int]:
        return [self.random.randint(1, 6) for _ in range(count)]


def random_setup(random: Random, *, raiders: bool = False) -> Setup:
    """Any set-up the rules allow, with every kind of unit, cargo, supply, aircraft, submarine and arrival in it."""
    ambush = not raiders and random.random() < 0.1
    public = Public(
        title="Somewhere at sea",
        theatre=random.choice(["Europe", "Pacific"]),
        kind="raider combat" if raiders else "submarine attack" if ambush else "naval battle",
        aircraft=True,
        submarines=not raiders,
        western_front=random.random() < 0.5,
        inputs=random.choice(["default", "ask"]),
        air={side: Air() if raiders else _air(random, side) for side in Side},
        interceptor=random.choice(list(Side)),
        order_of_battle=random.choice(["open", "hidden"]),
        names={Side.AXIS: "Japan", Side.ALLIES: "United States"},
        tactical={side: random.choice([0, 0, 1]) for side in Side},
        search_advantage=random.choice(
            [{Side.AXIS: 0, Side.ALLIES: 0}, {Side.AXIS: 1, Side.ALLIES: -1}, {Side.AXIS: -1, Side.ALLIES: 1}]
        ),
    )
    bases = (Base("Home", 5), Base("Distant", 30), Base("Beach", 3, True))
    sides = {
        side: Secret(
            forces=tuple(_force(random, side, index) for index in range(random.randrange(1, 4 if raiders else 9))),
            impaired=random.choice([(), NATIONS[side][:1]]),
            bases=random.choice([(), bases]),
            submarines={} if raiders else _submarines(random, side),
            destroyers_elsewhere=random.choice([{}, {"Home": {f"{NATIONS[side][0]}/DD": 2}}]),
        )
        for side in Side
    }
    return Setup(public=public, sides=sides)


def _air(random: Random, side: Side) -> Air:
    nation, friend = NATIONS[side]
    bases = []
    for index in range(random.randrange(0, 3)):
        squadrons = {f"{nation}/NAS": random.randrange(0, 4), f"{friend}/NAS": random.randrange(0, 2)}
        if nation == "Japan":
            squadrons |= {"Japan/NAS/elite": random.randrange(0, 3), "Japan/KAM": random.randrange(0, 3)}
        factors = {f"{nation}/AAF": random.randrange(0, 3), f"{friend}/AAF": random.randrange(0, 2)}
        bases.append(
            AirBase(
                f"Field {index}",
                random.randrange(0, 6),
                random.random() < 0.9,
                random.choice([15, 30]),
                {key: number for key, number in factors.items() if number},
                {key: number for key, number in squadrons.items() if number},
                random.choice([{}, {f"{nation}/NAS": 1}]),
                random.choice([{}, {f"{nation}/AAF": 1}]),
            )
        )
    return Air(
        bases=tuple(bases),
        air_range=random.choice([0, 0, 4]),
        impaired=random.choice([(), (friend,), ("Field 0",)]),
        winter=random.choice([(), (), (nation,)]),
        research={name: random.randrange(0, 3) for name in RESEARCH},
        submarine_codebreaking=random.choice([0, 0, 1]),
        excess_asw=random.choice([{}, {"Pacific": 4, "Indian Ocean": 2, "Atlantic": 7}]),
    )


def _submarines(random: Random, side: Side) -> dict[str, int]:
    nation = NATIONS[side][0]
    counts = {f"{nation}/SUB": random.randrange(0, 4), f"{nation}/SUB/advanced": random.choice([0, 0, 1])}
    return {key: number for key, number in counts.items() if number}


def _force(random: Random, side: Side, index: int) -> Force:
    nation, friend = NATIONS[side]
    ships = []
    for number in range(random.randrange(0, 4)):
        kind, size = random.choice(NAMED)
        name = f"{nation} {index}.{number}"
        damaged = random.random() < 0.1
        hits = random.randrange(0, size - 1) if not damaged and random.random() < 0.2 else 0
        air = random.choice([0, size - 1, size, size]) if kind.startswith("CV") else 0
        elite = random.randrange(0, air + 1) if nation == "Japan" else 0
        wing = {f"{nation}/NAS/elite": elite, f"{nation}/NAS": air - elite}
        wing = {key: number for key, number in wing.items() if number}
        bound = nation == "Japan" and random.random() < 0.05  # 33.61B binds Japanese ships only
        ships.append(Ship(name, name, nation, kind, size, random.random() < 0.7, hits, damaged, wing, bound))
    light = {}
    for key, most in (("CA", 4), ("DD", 8), ("CA/damaged", 2), ("CVE", 2)):
        light[f"{nation}/{key}"] = random.randrange(0, most + 1)
    for key in ("CA", "DD"):
        light[f"{friend}/{key}"] = random.choice([0, 0, 1, 3])
    cargo: tuple[Cargo, ...] = ()
    supply = False
    chance = random.random()
    if chance < 0.25:
        units = random.randrange(1, 4)
        light[f"{nation}/DD/loaded"] = 2 * units
        cargo = tuple(Cargo(f"unit {index}.{number}", 2, "DD", number == 1) for number in range(units))
        if random.random() < 0.5:
            light[f"{nation}/TR"] = 2
            cargo += (Cargo(f"oil {index}", 2, "TR"),)
    elif chance < 0.35:
        supply = True
    light = {key: count for key, count in light.items() if count}
    if not ships and not light:
        light = {f"{nation}/DD": 3}
    return Force(
        f"{nation} force {index}",
        tuple(ships),
        light,
        cargo,
        supply,
        random.random() < 0.6,
        random.choice(["patrol", "interception", "base change", "sea transport", "counter-interception"]),
        "Home",
        1 if index == 0 else random.choice([1, 1, 1, 2, 3]),
        engaged=index == 0 or random.random() < 0.5,
    )


def random_game(seed: int, *, raiders: bool = False, most_inputs: int = 4_000, **rules: Any) -> Game:
    """A game played by random bots on random dice, all from one seed, to its end or this many inputs. `rules` are its
    edition and its options."""
    random = Random(seed)
    game = Game.new(random_setup(random, raiders=raiders), dice=SeededDice(random), key=KEY, **rules)
    play_out(game, {side: RandomBot(random) for side in Side}, most_inputs)
    return game


def in_order_of_names(event: Event) -> bool:
    """Whether squadrons that everyone is told of are in the order of their names: any other could tell where they fly."""
    if event.to is not Audience.EVERYONE or type(event) not in AIR_EVENTS or isinstance(event, AirBasesListed):
        return True
    told = [getattr(event, name) for name in event.__struct_fields__]
    by_name = [each for each in told if isinstance(each, dict) and all("/" in str(key) for key in each)]
    return all(list(each) == sorted(each) for each in by_name)
