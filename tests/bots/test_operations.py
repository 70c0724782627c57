"""How good the admiral is at operations: mirrored games, and single decisions that fail without his policies.

    PYTHONPATH=src .venv/bin/python -m tests.bots.test_operations [SEEDS]

prints the table of docs/doctrine.md. A pair is one scenario played twice on the same dice with the chairs exchanged. A side
scores two for every enemy factor sunk and one for every factor damaged; and for its activities that were completed twenty
with cargo, as far as the cargo was not lost on the way, ten for a bombardment, a carrier mission or a raid, two for a
patrol. Who is ahead in both games together has won the pair.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from random import Random

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.bot import Bot, play_out
from flagplot.bots.operations import OPERATION_PARTS
from flagplot.bots.random_bot import RandomBot
from flagplot.core.asks import Decide
from flagplot.core.events import Modifiers
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.doctrine import operations as doctrine
from flagplot.doctrine.operations import Comer, Harm
from flagplot.editions.current import ruleset
from flagplot.model.interception import CARGO_ACTIVITIES, Attempt, Chance, Interceptor
from flagplot.model.operation import Operation
from flagplot.model.picture import Picture
from flagplot.model.setup import Setup
from flagplot.model.ships import factors_of
from flagplot.odds.exact import reaches
from flagplot.play.game import Game
from flagplot.scenarios.loader import load_scenario
from tools.tournament import KEY, Score, SeededDice, losses

OPERATIONS = (
    "operation-coral-sea",
    "operation-malta",
    "operation-midway",
    "operation-norwegian-sea",
    "operation-rendezvous",
)
RAIDS = ("force-z", "taranto", "pearl-harbor", "grand-harbour")
MOST_INPUTS = 20_000
SEEDS = 20

# -- the match ------------------------------------------------------------------------------------


@cache
def setup_of(scenario: str) -> Setup:
    return load_scenario(scenario).setup


def play(scenario: str, seed: int, axis: Bot, allies: Bot) -> Game:
    game = Game.new(setup_of(scenario), dice=SeededDice(Random(seed)), key=KEY)
    play_out(game, {Side.AXIS: axis, Side.ALLIES: allies}, MOST_INPUTS)
    assert game.over, f"{scenario} {seed} is not over after {MOST_INPUTS} inputs"
    return game


def lost(operation: Operation, side: Side) -> int:
    """Twice the naval factors sunk, and once those damaged."""
    sunk = sum(ship.size for ship in operation.sunk.get(side, ())) + factors_of(operation.sunk_light.get(side, {}))
    forces = operation.forces[side]
    damaged = sum(ship.size for force in forces for ship in force.ships if ship.damaged)
    damaged += factors_of({k: n for force in forces for k, n in force.light.items() if k.endswith("/damaged")})
    return 2 * sunk + damaged


def achieved(operation: Operation, side: Side) -> int:
    """What the completed activities of a side are worth, one order counting once."""
    gone = operation.cargo_lost.get(side, ())
    found: dict[str, int] = {}
    aims = {order.name: order.hex for order in operation.orders[side]}
    for leg in operation.ended:
        if leg.side is side and leg.status == "completed" and not leg.returning and leg.end == aims.get(leg.order):
            worth = 2 * doctrine.activity_worth(leg.kind)
            if leg.kind in CARGO_ACTIVITIES:
                worth = worth * sum(name not in gone for name in leg.aboard) // max(1, len(leg.aboard))
            found[leg.order] = max(worth, found.get(leg.order, 0))
    return sum(found.values())


def lead(game: Game) -> int:
    """By how much the Axis is ahead."""
    if game.table.operation.waters is None:
        fleets = game.battle.fleets
        harm = {side: losses(fleets[side]) + 2 * sum(ship.size for ship in fleets[side].hulks) for side in Side}
        return harm[Side.ALLIES] - harm[Side.AXIS]
    operation = game.table.operation
    score = {side: lost(operation, side.enemy) + achieved(operation, side) for side in Side}
    return score[Side.AXIS] - score[Side.ALLIES]


def pair(scenario: str, seed: int, one: Callable[[int], Bot], two: Callable[[int], Bot]) -> int:
    """By how much the first player is ahead in two games with the chairs exchanged."""
    return lead(play(scenario, seed, one(seed), two(seed))) - lead(play(scenario, seed, two(seed), one(seed)))


def match(
    scenarios: Sequence[str], seeds: Sequence[int], one: Callable[[int], Bot], two: Callable[[int], Bot]
) -> tuple[Score, int]:
    """Pairs won, drawn and lost, and the mean lead in hundredths."""
    leads = [pair(scenario, seed, one, two) for scenario in scenarios for seed in seeds]
    won, behind = sum(each > 0 for each in leads), sum(each < 0 for each in leads)
    return Score(won, len(leads) - won - behind, behind), 100 * sum(leads) // len(leads)


def admiral(seed: int) -> Bot:
    return AdmiralBot()


def at_random(seed: int) -> Bot:
    return RandomBot(Random(seed))


def main() -> None:
    seeds = range(int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS)
    write = sys.stdout.write
    write("| the admiral against | scenarios | pairs | won | drawn | lost | share | 95 % interval | mean lead |\n")
    write("| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | ---: |\n")
    rows: list[tuple[str, Sequence[str], Callable[[int], Bot]]] = []
    rows += [("a random player", (name,), at_random) for name in (*OPERATIONS, *RAIDS)]
    for part in OPERATION_PARTS:
        where = RAIDS if part == "ports" else OPERATIONS
        rows.append((f"himself without {part}", where, lambda seed, part=part: AdmiralBot([part])))  # type: ignore[misc]
    for name, where, other in rows:
        if len(sys.argv) > 2 and not any(word in f"{name} {where}" for word in sys.argv[2:]):
            continue
        score, mean = match(where, seeds, admiral, other)
        low, high = score.interval
        label = where[0] if len(where) == 1 else f"all {len(where)}"
        write(f"| {name} | {label} | {sum(score)} | {score.won} | {score.drawn} | {score.lost} ")
        write(f"| {score.share:.3f} | {low:.3f} to {high:.3f} | {mean / 100:.1f} |\n")
        sys.stdout.flush()


# -- single decisions -----------------------------------------------------------------------------


class Recorder:
    """A bot that notes what another one answers to each kind of question."""

    name = "recorder"

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.said: dict[str, list[Wire]] = {}

    def choose(self, picture: Picture, decision: Decide) -> Wire:
        answer = self.bot.choose(picture, decision)
        self.said.setdefault(decision.kind, []).append(answer)
        return answer


def recorded(scenario: str, seed: int, without: Sequence[str] = ()) -> dict[Side, Recorder]:
    """An admiral against himself, with what each said."""
    sides = {side: Recorder(AdmiralBot(without)) for side in Side}
    play(scenario, seed, sides[Side.AXIS], sides[Side.ALLIES])
    return sides


def test_a_landing_sails_and_the_battle_fleet_stays_ready_to_counter_intercept() -> None:
    said = recorded("operation-malta", 1)[Side.AXIS].said
    assert said["announce"][0]["Invasion force"] == "Invade Malta"
    assert "Battle fleet" not in said["announce"][0]
    assert said["counter-interception"][0] == {"Battle fleet": {"C1": 1}}
    assert recorded("operation-malta", 1, ["activities"])[Side.AXIS].said["announce"] == [{}]


def test_both_fleets_intercept_a_landing_where_troops_ashore_help_to_find_it() -> None:
    said = recorded("operation-malta", 1)[Side.ALLIES].said
    assert {"Mediterranean Fleet", "Force H"} <= set(said["interception"][0])
    assert said["hex"][0] == "OO36"  # Malta


def test_aircraft_attack_interceptors_on_their_way() -> None:
    said = recorded("operation-malta", 1)[Side.AXIS].said
    assert "attack" in said["air attacks"][0].values()


def test_a_patrol_goes_out_before_the_landing_and_base_changes_without_use_are_left_alone() -> None:
    said = recorded("operation-coral-sea", 1)[Side.AXIS].said
    assert said["announce"][0]["Carrier division"] == "Patrol the Coral Sea"
    assert recorded("operation-norwegian-sea", 1)[Side.AXIS].said["announce"][0] == {}


def test_forces_that_are_to_strike_together_are_collected_not_met_one_by_one() -> None:
    announced = recorded("operation-rendezvous", 1)[Side.AXIS].said["announce"][0]
    assert set(announced.values()) == {"Collect and bombard Saipan"} and len(announced) == 3


def test_ships_leave_a_port_when_another_sortie_may_come() -> None:
    said = recorded("taranto", 1)[Side.AXIS].said["escape"]
    assert said[0] and all(place == "sea Naples" for place in said[0].values())  # the nearer of two
    assert not recorded("taranto", 1, ["ports"])[Side.AXIS].said["escape"][0]


def test_what_the_enemy_keeps_hidden_makes_no_difference() -> None:
    """The same battle fleet with one battleship fewer: the same answers, as long as nobody has seen it."""
    setup = setup_of("operation-malta")
    stations = setup.sides[Side.AXIS].stations
    assert stations is not UNSET
    forces = tuple(
        replace(force, ships=force.ships[:1]) if force.id == "Battle fleet" else force for force in stations.forces
    )
    poorer = replace(setup.sides[Side.AXIS], stations=replace(stations, forces=forces))
    answers = []
    for each in (setup, replace(setup, sides={**setup.sides, Side.AXIS: poorer})):
        game = Game.new(each, dice=SeededDice(Random(1)), key=KEY)
        game.submit(Side.AXIS, {"Invasion force": "Invade Malta"})
        while (asked := game.decision(Side.ALLIES)) is None or asked.kind != "interception":
            side = next(side for side in Side if game.decision(side))
            due = game.decision(side)
            assert due is not None
            game.submit(side, due.form.default)
        answers.append(AdmiralBot().choose(game.picture(Side.ALLIES), asked))
    assert answers[0] == answers[1] and answers[0]


# -- policies -------------------------------------------------------------------------------------


@pytest.mark.parametrize("theatre", ["Europe", "Pacific"])
def test_chances_to_be_in_time_are_the_exact_ones(theatre: str) -> None:
    rules = ruleset()
    for dice in range(1, 9):
        for distance in range(25):
            tried = Attempt(Interceptor("a", distance), Modifiers().plus("22.22", "", dice), Chance.ROLLS)
            own = reaches(rules, theatre, tried)
            exact = int(1000 * own[1].chance) if 1 in own else 0
            assert doctrine.chance_in_time(dice, distance, rules.interception.divisor[theatre]) == exact


def test_nobody_is_thrown_at_a_stronger_enemy_unless_the_prize_is_worth_it() -> None:
    weak = [Comer(6, 900)]
    assert not doctrine.tries(doctrine.meeting_worth(weak, 0, 30, 0), weak)
    strong = [Comer(30, 900)]
    assert doctrine.tries(doctrine.meeting_worth(strong, 0, 10, 0), strong)
    even = [Comer(12, 900)]
    assert not doctrine.tries(doctrine.meeting_worth(even, 0, 14, 0), even)
    assert doctrine.tries(doctrine.meeting_worth(even, 0, 14, doctrine.LANDING), even)
    assert not doctrine.tries(10**6, [Comer(30, doctrine.SLENDER - 1)])


def test_who_comes_late_counts_for_less() -> None:
    assert doctrine.late_strength(20, 2, 8, 1, 4) == 10
    assert doctrine.late_strength(20, 2, 14, 1, 4) == 5
    assert doctrine.late_strength(20, 2, 30, 1, 4) == 0
    assert doctrine.expected(Comer(20, 500, 10)) == 15


def test_a_force_goes_home_when_crippled_or_with_nothing_to_land() -> None:
    assert doctrine.aborts(Harm(3, 4, 0, 0)) and not doctrine.aborts(Harm(4, 3, 0, 0))
    assert doctrine.aborts(Harm(9, 0, 0, 1)) and not doctrine.aborts(Harm(9, 0, 1, 1))


def test_fighters_in_a_port_are_dealt_with_first_if_they_are_many() -> None:
    assert doctrine.counterair(6, 3, 1) == 6
    assert doctrine.counterair(6, 3, 2) == 3
    assert doctrine.counterair(18, 3, 1) == 3
    assert not doctrine.flies_again(18, 0, doctrine.LAST_SORTIE + 1)
    assert not doctrine.flees(5, 0) and doctrine.flees(5, 1)


def test_a_voyage_that_may_be_met_by_too_much_does_not_sail() -> None:
    assert doctrine.sails(doctrine.sailing_worth(doctrine.LANDING, 10, 20, 500))
    assert not doctrine.sails(doctrine.sailing_worth(doctrine.STATION, 20, 60, 1000))


# -- matches --------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", [*OPERATIONS, *RAIDS])
def test_the_admiral_never_loses_more_than_he_wins_against_a_random_player(scenario: str) -> None:
    score, mean = match([scenario], range(3), admiral, at_random)
    assert score.lost <= score.won and mean >= 0


def test_the_admiral_beats_a_random_player_at_operations() -> None:
    assert match(OPERATIONS, range(3), admiral, at_random)[0].share >= 0.8


@pytest.mark.parametrize("scenario", [*OPERATIONS, *RAIDS])
def test_two_random_players_finish_every_operation(scenario: str) -> None:
    for seed in range(3):
        play(scenario, seed, RandomBot(Random(seed)), RandomBot(Random(seed + 100)))


if __name__ == "__main__":
    main()
