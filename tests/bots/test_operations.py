"""How good the admiral is at operations (tools/operation_match.py), and single decisions that fail without his policies."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.bot import Bot
from flagplot.bots.operations import OPERATION_PARTS
from flagplot.bots.random_bot import RandomBot
from flagplot.core.asks import Decide
from flagplot.core.events import Modifiers
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.doctrine import operations as doctrine
from flagplot.doctrine.operations import Comer
from flagplot.editions.current import ruleset
from flagplot.model.interception import Attempt, Chance, Interceptor
from flagplot.model.picture import Picture
from flagplot.odds.exact import reaches
from flagplot.play.game import Game
from tools.operation_match import OPERATIONS, RAIDS, admiral, at_random, match, play, rows, setup_of, without
from tools.tournament import KEY, SeededDice

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


@pytest.mark.parametrize(
    ("edition", "going"),
    [("current", {"Home Fleet"}), ("2008", {"Home Fleet", "Battle squadron", "Cruisers in Reykjavik|Britain/CA"})],
)
def test_he_reckons_with_the_table_of_the_edition(edition: str, going: set[str]) -> None:
    """22.22K of the current edition takes a die from each of several that try together; the chart of 2008 does not."""
    game = Game.new(setup_of("operation-norwegian-sea"), edition=edition, dice=SeededDice(Random(1)), key=KEY)
    while (asked := game.decision(Side.ALLIES)) is None or asked.kind != "interception":
        side = next(side for side in Side if game.decision(side))
        due = game.decision(side)
        assert due is not None
        may_raid = any(place.key == "Raid the Atlantic" for place in due.form.places)
        game.submit(side, {"Battle group": "Raid the Atlantic"} if may_raid else due.form.default)
    answer = AdmiralBot().choose(game.picture(Side.ALLIES), asked)
    assert set(answer) == going


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


def test_a_battle_is_joined_only_where_it_will_be_won() -> None:
    assert doctrine.joins([Comer(12, 1000)], 12, 14) and not doctrine.joins([Comer(6, 1000)], 12, 14)
    assert not doctrine.joins([Comer(12, 500)], 12, 14)  # he is as likely to miss it


def test_who_comes_late_counts_for_less() -> None:
    assert doctrine.late_strength(20, 2, 8, 1, 4) == 10
    assert doctrine.late_strength(20, 2, 14, 1, 4) == 5
    assert doctrine.late_strength(20, 2, 30, 1, 4) == 0
    assert doctrine.expected(Comer(20, 500, 10)) == 15


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


def test_every_part_of_the_doctrine_has_a_row() -> None:
    names = [name for name, _, _ in rows()]
    assert [f"himself without {part}" for part in OPERATION_PARTS] == names[len(OPERATIONS) + len(RAIDS) :]
    assert len(names) == len(set(names)) + len(OPERATIONS) + len(RAIDS) - 1


@pytest.mark.parametrize("scenario", [*OPERATIONS, *RAIDS])
def test_the_admiral_never_loses_more_than_he_wins_against_a_random_player(scenario: str) -> None:
    score, mean = match([scenario], range(2), admiral, at_random)
    assert score.lost <= score.won and mean >= 0


@pytest.mark.long
def test_the_admiral_beats_a_random_player_at_operations() -> None:
    assert match(OPERATIONS, range(12), admiral, at_random)[0].share >= 0.8


@pytest.mark.long
@pytest.mark.parametrize("part", ["interception", "weighing", "hexes", "ports"])
def test_these_parts_of_the_doctrine_are_worth_having(part: str) -> None:
    """A part may be worth a twentieth of the games, which a few hundred of them do not tell from luck."""
    where = RAIDS if part == "ports" else OPERATIONS
    assert match(where, range(700, 820), admiral, without(part))[0].interval[0] > 0.5


@pytest.mark.parametrize("scenario", [*OPERATIONS, *RAIDS])
def test_two_random_players_finish_every_operation(scenario: str) -> None:
    for seed in range(3):
        play(scenario, seed, RandomBot(Random(seed)), RandomBot(Random(seed + 100)))


class Asking:
    """Plays at random, and asks the admiral all the same."""

    name = "asking"

    def __init__(self, random: Random) -> None:
        self.random, self.admiral = RandomBot(random), AdmiralBot()

    def choose(self, picture: Picture, decision: Decide) -> Wire:
        decision.form.read(self.admiral.choose(picture, decision), decision.rule)
        return self.random.choose(picture, decision)


@pytest.mark.parametrize("scenario", OPERATIONS)
def test_the_admiral_has_an_answer_wherever_chance_led(scenario: str) -> None:
    for seed in range(4):
        play(scenario, seed, Asking(Random(seed)), Asking(Random(seed + 100)))
