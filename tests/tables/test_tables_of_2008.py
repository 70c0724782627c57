"""The tables of 2008 against a second transcription of the charts, and proof that no number could change unnoticed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from flagplot.core.events import Modifiers
from flagplot.editions.current import ruleset
from flagplot.model.forces import CombatGroup
from flagplot.model.interception import Circumstances, Interceptor, Level, Place, Submarine, Target
from flagplot.model.state import Battle
from flagplot.rules.air.attack import surprise_modifiers
from flagplot.rules.naval.gunnery import Crew, nationality_drm
from flagplot.rules.naval.interception import attempts, entry_round, in_range, patrol_round, result_of
from flagplot.rules.naval.interceptors import assisting_submarines
from flagplot.tables.activity_dice import ActivityDiceTable
from flagplot.tables.search import SearchTable
from flagplot.tables.submarine_attack import SubmarineAttackTable
from flagplot.tables.surprise import SurpriseTable
from tests.tables import second_reading_editions as second

OF_2008 = ruleset("2008")

# -- interception (22.23) ----------------------------------------------------------------------------------------

NOT_PRINTED = ("most_dice", "per_further_attempt", "most_range", "hexes_per_round")
PRINTED: dict[str, Any] = {
    line: value for line, value in second.OF_2008["interception"].items() if line not in NOT_PRINTED
}
BEYOND = ("SW box redeployment", "escape")  # counted as base changes (FP-94)
ACTIVITIES = {kind: dice for kind, dice in PRINTED["dice"].items() if kind not in BEYOND}


def the_chart() -> ActivityDiceTable:
    chart = OF_2008.interception
    assert isinstance(chart, ActivityDiceTable)
    return chart


def test_the_interception_table_agrees_with_a_second_transcription() -> None:
    assert {line: getattr(the_chart(), line) for line in PRINTED} == PRINTED


def dice(target: Target, about: Circumstances | None = None, force: Interceptor | None = None, **chart: Any) -> int:
    """The dice of one force alone."""
    rules = replace(OF_2008, interception=the_chart()._replace(**chart))
    (made,) = attempts(rules, target, about or Circumstances(), [force or Interceptor("A", 1)])
    return made.dice.total


@pytest.mark.ledger("22.23T.1", "22.23T.2", "22.23T.3", edition="2008")
@pytest.mark.parametrize("activity", ACTIVITIES)
def test_each_activity_has_the_dice_of_its_row(activity: str) -> None:
    assert dice(Target((activity,))) == ACTIVITIES[activity]


@pytest.mark.ledger("22.23T.2", "22.23T.4", edition="2008")
def test_ships_on_their_way_home_have_two_dice_and_patrols_that_stay_eight() -> None:
    assert dice(Target(("sea transport",), returning=True)) == 2
    assert dice(Target(("raider",), returning=True)) == 1
    assert dice(Target(("patrol",), staying=True)) == 8


LINES = [
    ("22.23T.5", Target(), Circumstances(spotters=2), Interceptor("A", 1), 2 + 2),
    ("22.23T.5", Target(), Circumstances(spotters=4), Interceptor("A", 1), 2 + 3),
    ("22.23T.6", Target(), Circumstances(submarines=2), Interceptor("A", 1), 2 + 2),
    ("22.23T.6", Target(), Circumstances(submarines=4), Interceptor("A", 1), 2 + 3),
    ("22.23T.7", Target(), Circumstances(cards=3), Interceptor("A", 1), 2 + 1),
    ("22.23T.8", Target(), Circumstances(), Interceptor("A", 1, slow=True), 2 - 1),
    ("22.23T.8", Target(), Circumstances(), Interceptor("A", 1, slow=True, carrier=True), 2),
    ("22.23T.9", Target(("sea transport",)), Circumstances(), Interceptor("A", 1, "submarine"), 4 - 2),
    ("22.23T.10", Target(("sea supply",)), Circumstances(), Interceptor("A", 1, port_operational=False), 4 - 2),
    (
        "22.23T.10",
        Target(("sea supply",)),
        Circumstances(),
        Interceptor("A", 1, "submarine", port_operational=False),
        4 - 2,  # submarines are exempt, and have their own
    ),
    ("22.23T.11", Target(factors=9), Circumstances(), Interceptor("A", 1), 2 - 1),
    ("22.23T.11", Target(factors=10), Circumstances(), Interceptor("A", 1), 2),
    ("22.23T.12", Target(("seaborne invasion",), in_invasion_hex=True), Circumstances(), Interceptor("A", 1), 4 + 1),
    ("22.23T.12", Target(("shore bombardment",), in_invasion_hex=True), Circumstances(), Interceptor("A", 1), 4 + 1),
    (
        "22.23T.13",
        Target(("interception",)),
        Circumstances(level=Level.COUNTER, place=Place.INTERCEPTION_HEX),
        Interceptor("A", 1),
        1 + 2,
    ),
    (
        "22.23T.14",
        Target(("interception",), against_us_transport=True),
        Circumstances(level=Level.COUNTER),
        Interceptor("A", 1),
        1 + 3,
    ),
]


@pytest.mark.ledger(*dict.fromkeys(row for row, *_ in LINES), edition="2008")
def test_each_line_of_the_interception_table_gives_its_dice() -> None:
    for row, target, about, force, expected in LINES:
        assert dice(target, about, force) == expected, row


@pytest.mark.ledger("22.23T.15", edition="2008")
def test_in_the_pacific_the_result_is_halved_and_fractions_are_rounded_up() -> None:
    assert [result_of(OF_2008, "Pacific", total) for total in (5, 6, 7)] == [3, 3, 4]
    assert result_of(OF_2008, "Europe", 7) == 7


@pytest.mark.ledger("22.23T.6", edition="2008")
def test_submarines_in_base_do_not_help() -> None:
    assert assisting_submarines(OF_2008, [Submarine(1), Submarine(3, patrol=True), Submarine(4, patrol=True)]) == 1
    assert assisting_submarines(ruleset(), [Submarine(1), Submarine(3, patrol=True)]) == 2


def test_further_attempts_cost_no_dice_and_no_hex_is_too_far() -> None:
    made = attempts(OF_2008, Target(), Circumstances(), [Interceptor("A", 1), Interceptor("B", 60)])
    assert [each.dice.total for each in made] == [2, 2]
    assert in_range(OF_2008, "Europe", 400)


@pytest.mark.ledger("22.23T.4", edition="2008")
def test_a_limit_of_eight_dice_is_an_option() -> None:
    for given, expected in (({}, 12), ({"interception_dice_cap_2008": "8"}, 8)):
        rules = ruleset("2008", given)
        about = Circumstances(spotters=3, cards=1)
        (made,) = attempts(rules, Target(("patrol",), staying=True), about, [Interceptor("A", 1)])
        assert made.dice.total == expected
    assert ruleset("current", {"interception_dice_cap_2008": "8"}).interception == ruleset().interception


def test_german_ships_of_three_are_an_option() -> None:
    three = ruleset("2008", {"germany_drm_2008": "3"}).nationality
    assert (three.nations["Germany"], three.german_submarine, three.nations["Japan"]) == (3, 0, 3)
    assert nationality_drm(three, Crew("Germany", "submarine", 1, False)) == 3
    assert nationality_drm(three, Crew("Germany", "BB", 4, False)) == 3
    assert nationality_drm(OF_2008.nationality, Crew("Germany", "submarine", 1, False)) == 3
    assert ruleset("current", {"germany_drm_2008": "3"}).nationality.nations["Germany"] == 2


def test_air_spots_ships_on_their_way_home_unless_the_group_says_otherwise() -> None:
    for given, expected in (({}, 4), ({"return_spotting": "none"}, 2)):
        rules = ruleset("2008", given)
        (made,) = attempts(rules, Target(returning=True), Circumstances(spotters=2), [Interceptor("A", 1)])
        assert made.dice.total == expected


def test_a_force_without_a_die_does_not_roll() -> None:
    (made,) = attempts(OF_2008, Target(("raider",)), Circumstances(), [Interceptor("A", 1, "submarine")])
    assert made.dice.total == 0
    assert made.chance == "no die is due"


def probes(chart: ActivityDiceTable) -> list[Any]:
    """Answers that lean on every number of the table."""
    changed = chart._asdict()
    found: list[Any] = [dice(Target((kind,)), **changed) for kind in PRINTED["dice"]]
    found += [dice(Target(returning=True), **changed), dice(Target(("patrol",), staying=True), **changed)]
    found += [dice(target, about, force, **changed) for _, target, about, force, _ in LINES]
    rules = replace(OF_2008, interception=chart)
    found.append([assisting_submarines(rules, [Submarine(hexes, patrol=True)]) for hexes in range(6)])
    found += [dice(Target(factors=factors), **changed) for factors in range(15)]
    for theatre in ("Europe", "Pacific"):
        found += [result_of(rules, theatre, total) for total in range(10)]
        found += [entry_round(rules, theatre, hexes, 0) for hexes in range(10)]
        found += [patrol_round(rules, theatre, hexes) for hexes in range(10)]
    return found


CELLS = [(line, key) for line, value in PRINTED.items() for key in (value if isinstance(value, Mapping) else [""])]


@pytest.mark.parametrize(("line", "key"), CELLS)
def test_every_number_of_the_interception_table_changed_by_one_changes_an_answer(line: str, key: str) -> None:
    value = getattr(the_chart(), line)
    changed = {**value, key: value[key] + 1} if key else value + 1
    assert probes(the_chart()._replace(**{line: changed})) != probes(the_chart())


# -- search (22.45) ----------------------------------------------------------------------------------------------

SEARCH = {
    "per_active_group": 1,
    "active_group_factors": 10,
    "most_active_groups": 6,
    "per_squadron": 1,
    "most_squadrons": 3,
    "per_round": 1,
    "codebreaking": 1,
    "disclosed_under": 10,
    "carriers_from": 2,
    "composition_from": 3,
}


def searching(chart: SearchTable, groups: int, *, factors: int = 10, round: int = 1, **more: int) -> Modifiers:
    members = [CombatGroup(number, light={"Japan/DD": factors}) for number in range(1, groups + 1)]
    return OF_2008.search_dice(chart, Battle(round=round), members, **more)


@pytest.mark.ledger("22.45T.1", "22.45T.2", "22.45T.3", "22.45T.4", edition="2008")
def test_each_line_of_the_search_table_gives_its_dice() -> None:
    chart = OF_2008.search
    assert {line: getattr(chart, line) for line in SEARCH} == SEARCH
    assert [searching(chart, groups).total for groups in range(8)] == [0, 1, 2, 3, 4, 5, 6, 6]
    assert searching(chart, 2, factors=9).total == 0
    assert [searching(chart, 0, squadrons=number).total for number in range(5)] == [0, 1, 2, 3, 3]
    assert [searching(chart, 0, round=number).total for number in (1, 2, 9)] == [0, 1, 8]
    assert [searching(chart, 2, codebreaking=number).total for number in (-2, -1, 0, 1, 2)] == [1, 1, 2, 3, 3]
    assert searching(chart, 0, codebreaking=-1).total == 0


@pytest.mark.parametrize("line", SEARCH)
def test_every_number_of_the_search_table_changed_by_one_changes_an_answer(line: str) -> None:
    def answers(chart: SearchTable) -> list[Any]:
        found: list[Any] = [searching(chart, 7).total, searching(chart, 1, squadrons=5, round=3, codebreaking=1).total]
        found += [searching(chart, 1, factors=factors).total for factors in range(15)]
        for results in range(5):
            for factors in range(15):
                group = CombatGroup(1, light={"Japan/DD": factors, "Japan/CVE": 1}, found=results)
                found.append(OF_2008.disclosure(chart, group))
        return [*found, chart.composition_from]

    changed = OF_2008.search._replace(**{line: getattr(OF_2008.search, line) + 1})
    assert answers(changed) != answers(OF_2008.search)


# -- surprise (22.463) -------------------------------------------------------------------------------------------

# By level: whether patrols lose their bonus, the air defense level, the attack roll, how many of seven squadrons engage,
# whether ships shoot, whether a damaged ship faces a critical hit.
SURPRISE = {
    0: (False, 0, 0, 7, True, False),
    1: (True, 0, 0, 7, True, False),
    2: (True, -1, 0, 7, True, False),
    3: (True, -1, 1, 7, True, False),
    4: (True, -1, 1, 5, True, False),
    5: (True, -1, 1, 3, True, False),
    6: (True, -1, 1, 0, True, False),
    7: (True, -1, 1, 0, False, True),
    9: (True, -1, 1, 0, False, True),
}
DIE = [  # search results, radar, earlier strikes, modifier
    (1, 0, 0, 0),
    (2, 0, 0, 1),
    (3, 0, 0, 2),
    (5, 0, 0, 2),
    (1, 2, 0, -2),
    (3, 0, 1, 1),
    (3, 1, 2, -1),
]


def surprise_reading(table: SurpriseTable) -> list[Any]:
    found: list[Any] = []
    for level in SURPRISE:
        effects = table.effects(level)
        engaging = 7 - table.kept_out(level, 7)
        found.append(
            (
                effects.patrol_bonus_lost,
                effects.air_defense,
                effects.attack_bonus,
                engaging,
                effects.air_defense_roll,
                effects.critical_hit_roll,
            )
        )
    return found + [surprise_modifiers(table, *given).total for *given, _ in DIE]


@pytest.mark.ledger(*(f"22.463T.{row}" for row in "1234567n"), edition="2008")
@pytest.mark.ledger("22.463T.m1", "22.463T.m2", "22.463T.m3", "22.463T.m4", edition="2008")
def test_the_surprise_table_agrees_with_a_second_transcription() -> None:
    assert surprise_reading(OF_2008.surprise) == [*SURPRISE.values(), *(modifier for *_, modifier in DIE)]


@pytest.mark.ledger("22.463T.4", "22.463T.5", "22.463T.6", edition="2008")
def test_shares_of_the_defending_air_that_engage_are_rounded_up() -> None:
    kept = OF_2008.surprise.kept_out
    assert [[number - kept(level, number) for number in range(7)] for level in (4, 5, 6)] == [
        [0, 1, 2, 2, 3, 4, 4],
        [0, 1, 1, 1, 2, 2, 2],
        [0, 0, 0, 0, 0, 0, 0],
    ]


SURPRISE_NUMBERS = (
    "no_patrol_bonus_from",
    "air_defense_from",
    "air_defense",
    "attack_bonus_from",
    "attack_bonus",
    "critical_from",
    "no_air_defense_from",
    "radar",
    "earlier_strike",
)


@pytest.mark.parametrize("line", SURPRISE_NUMBERS)
def test_every_number_of_the_surprise_table_changed_by_one_changes_an_answer(line: str) -> None:
    table = OF_2008.surprise
    for step in (-1, 1):
        changed: Any = {line: getattr(table, line) + step}
        assert surprise_reading(replace(table, **changed)) != surprise_reading(table)


@pytest.mark.parametrize("level", [4, 5, 6])
def test_every_share_of_the_surprise_table_changed_by_one_changes_an_answer(level: int) -> None:
    table = OF_2008.surprise
    changed = replace(table, thirds={**table.thirds, level: table.thirds[level] + 1})
    assert surprise_reading(changed) != surprise_reading(table)


# -- submarines (22.94) ------------------------------------------------------------------------------------------

# Modified roll, hits, whether the submarine is lost; rolls beyond the edges read the edges.
SUBMARINES = [
    (1, 0, True),
    (2, 0, True),
    (3, 0, False),
    (4, 0, False),
    (5, 1, False),
    (6, 1, False),
    (7, 2, False),
    (8, 2, False),
    (9, 3, False),
    (10, 3, False),
    (11, 4, False),
    (12, 5, False),
    (16, 5, False),
]


def submarine_reading(table: SubmarineAttackTable) -> list[tuple[int, int, bool]]:
    return [(roll, *table.read(roll)[:2]) for roll, _, _ in SUBMARINES]


@pytest.mark.ledger(*(f"22.94T.{row}" for row in range(1, 12)), "22.94T.20", edition="2008")
def test_the_submarine_attack_table_agrees_with_a_second_transcription() -> None:
    assert submarine_reading(OF_2008.submarine) == SUBMARINES


@pytest.mark.parametrize("column", range(11))
def test_every_column_of_the_submarine_attack_table_changed_by_one_is_noticed(column: int) -> None:
    hits = OF_2008.submarine.hits
    changed = OF_2008.submarine._replace(hits=(*hits[:column], hits[column] + 1, *hits[column + 1 :]))
    assert submarine_reading(changed) != SUBMARINES


@pytest.mark.ledger("22.94T.21", "22.94T.22", "22.94T.23", edition="2008")
def test_the_limits_under_the_submarine_attack_table() -> None:
    table = OF_2008.submarine
    assert (table.most_italic, table.most_overall, table.advanced, table.per) == (2, 4, 1, 3)
    assert table.read(2).submarine_lost
