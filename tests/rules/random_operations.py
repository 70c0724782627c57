"""Random operations on a small sea, crowded enough for everything to meet: for properties that must hold of all of them."""

from __future__ import annotations

import functools
from random import Random

from flagplot.bots.bot import play_out
from flagplot.bots.random_bot import RandomBot
from flagplot.core.asks import Decide
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.model.picture import Picture
from flagplot.model.setup import Setup
from flagplot.play.game import Game
from flagplot.scenarios.loader import parse_scenario
from tests.properties.random_battles import KEY, SeededDice

ROWS, COLUMNS = "abcd", range(1, 6)
SHIPS = {
    "Germany": ["Bismarck", "Tirpitz", "Scharnhorst", "Gneisenau", "Scheer", "Graf Spee", "Deutschland"],
    "Britain": ["Hood", "Prince of Wales", "King George V", "Rodney", "Nelson", "Renown", "Ark Royal", "Repulse"],
}
KINDS = {
    "movement": ["patrol", "base change"],
    "combat": ["sea transport", "seaborne invasion", "shore bombardment", "fast carrier mission"],
    "redeployment": ["sea supply", "raider", "naval redeployment", "sea escort"],
}


def small_sea() -> str:
    """Twenty hexes in four rows, each next to those beside, above and slantwise above it."""
    lanes = []
    for row, letter in enumerate(ROWS):
        lanes.append([f"{letter}{number}" for number in COLUMNS])
        if row:
            for number in COLUMNS:
                lanes.append([f"{ROWS[row - 1]}{number}", f"{letter}{number}"])
                if number > 1:
                    lanes.append([f"{ROWS[row - 1]}{number - 1}", f"{letter}{number}"])
    return f"lanes = {lanes}".replace("'", '"')


def random_operation(random: Random) -> Setup:
    """Any operation, with every kind of activity, patrols, submarines, aircraft, cargo, straits and meetings."""
    phases = sorted(random.sample(list(KINDS), random.randint(1, 2)), key=list(KINDS).index)
    lines = [
        "format = 1",
        'title = "A small sea"',
        f'theatre = "{random.choice(["Europe", "Pacific"])}"',
        'kind = "operation"',
        f'mover = "{random.choice(["axis", "allies"])}"',
        f"phases = {phases}".replace("'", '"'),
        f'order_of_battle = "{random.choice(["open", "hidden"])}"',
        "[sea]",
        small_sea(),
        random.choice(["", 'straits = [["b2", "b3"]]']),
        "[inputs]",
        f"interception_cards = {{ axis = {random.randrange(2)}, allies = {random.randrange(2)} }}",
    ]
    for side, nation in (("axis", "Germany"), ("allies", "Britain")):
        lines += _side(random, side, nation, phases)
    return parse_scenario("\n".join(lines), "small.toml").setup


def _side(random: Random, side: str, nation: str, phases: list[str]) -> list[str]:
    ports = [f"{nation} port {number}" for number in range(1, 4)]
    hexes = random.sample([f"{row}{number}" for row in ROWS for number in COLUMNS], 6)
    lines = [f"[{side}]", f'name = "{nation}"', f'nation = "{nation}"', "air_range = 2"]
    for index, port in enumerate(ports):
        operational = "false" if random.random() < 0.1 else "true"
        lines += [f"[[{side}.port]]", f'name = "{port}"', f'hex = "{hexes[index]}"', f"operational = {operational}"]
    if random.random() < 0.5:
        lines += [f"[[{side}.air_base]]", f'name = "{nation} field"', f'hex = "{hexes[3]}"']
        lines += [f'aircraft = {{ "{nation} AAF" = 1, "{nation} NAS" = {random.randrange(3)} }}']
    names = SHIPS[nation][:]
    random.shuffle(names)
    forces = []
    for index in range(random.randint(2, 5)):
        forces.append(f"{nation} {chr(65 + index)}")
        lines += [f"[[{side}.force]]", f'name = "{forces[-1]}"', f'base = "{random.choice(ports)}"']
        own = [names.pop() for _ in range(random.randrange(2)) if names]
        if "Ark Royal" in own:
            lines += ["cruisers = 2"]
        else:
            lines += [f"cruisers = {random.randrange(3)}"]
        lines += [f"ships = {own}".replace("'", '"'), f"destroyers = {random.randint(2, 5)}"]
        if random.random() < 0.3:
            lines += ["task_force = false"]
        elif random.random() < 0.2:
            lines += [f'at = "{hexes[4]}"', f'patrol = "{random.choice(["offensive", "defensive"])}"']
        elif random.random() < 0.3:
            lines += [f'cargo = [{{ name = "corps {forces[-1]}", needs = 2 }}]']
    if random.random() < 0.6:
        lines += [
            f"[[{side}.boats]]",
            f'port = "{ports[0]}"',
            f'submarines = {{ "{nation}" = {random.randint(1, 2)} }}',
        ]
    if random.random() < 0.3:
        lines += [
            f"[[{side}.boats]]",
            f'at = "{hexes[5]}"',
            f'patrol = "{random.choice(["offensive", "defensive"])}"',
            f"submarines = {{ {nation} = 1 }}",
        ]
    for number, kind in enumerate([kind for phase in phases for kind in KINDS[phase]]):
        lines += [f"[[{side}.activity]]", f'name = "{side} order {number}"', f'kind = "{kind}"']
        at_sea = kind in ("patrol", "sea transport", "seaborne invasion", "shore bombardment", "fast carrier mission")
        lines += [f'to = "{random.choice(hexes) if at_sea else random.choice(ports)}"']
        if kind == "sea supply":
            lines += ["returns = false"]
        if random.random() < 0.25:
            lines += [f'meet = "{random.choice(hexes)}"']
        elif random.random() < 0.25:
            lines += [f'calls = ["{random.choice(ports)}"]']
        if kind == "patrol":
            lines += ["staying = true"]
    return lines


class EagerBot(RandomBot):
    """Any legal answer; but hexes and paths are the nearest two times in three, so that forces meet."""

    def choose(self, picture: Picture, decision: Decide) -> Wire:
        if decision.kind in ("hex", "path", "demand") and self.random.random() < 0.67:
            return decision.form.default
        return super().choose(picture, decision)


@functools.cache
def random_operation_game(seed: int, most_inputs: int = 20_000) -> Game:
    """A random operation, played by chance: once for all tests, which look at it and change nothing."""
    random = Random(seed)
    game = Game.new(random_operation(random), dice=SeededDice(random), key=KEY)
    play_out(game, {side: EagerBot(random) for side in Side}, most_inputs)
    return game
