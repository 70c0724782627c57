"""The battles that come with the game, and the list of ships they are made of."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib.resources import files
from random import Random

import pytest
from msgspec.structs import replace

from flagplot.core.errors import UnknownName
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.forces import Force
from flagplot.model.ships import CAPITAL_KINDS, CARRIER_KINDS, light
from flagplot.rules.naval.battle import naval_battle
from flagplot.rules.naval.combat_groups import form_groups, is_fast
from flagplot.rules.naval.search import fully_operational, search_dice
from flagplot.rules.table import Table
from flagplot.scenarios import ships as ship_list
from flagplot.scenarios.loader import Scenario, list_scenarios, load_scenario
from flagplot.scenarios.ships import all_ships, find_ship, ships_of, slug, suggestions

BATTLES = {scenario.name: scenario for scenario in list_scenarios()}


# -- ships ------------------------------------------------------------------------------------


def test_every_nation_has_its_ships() -> None:
    assert Counter(ship.nation for ship in all_ships().values()) == {
        "Britain": 37,
        "France": 11,
        "Germany": 20,
        "Italy": 18,
        "Japan": 44,
        "Russia": 11,
        "United States": 96,
        "Turkey": 1,
    }
    assert len(ships_of("Japan")) == 44


def test_ships_have_the_sizes_of_their_kinds() -> None:
    sizes = {"PB": {2}, "BC": {2, 3}, "BB": {2, 3, 4, 5}, "CVL": {2}, "CV": {3}, "CVB": {4}}
    for id, ship in all_ships().items():
        assert ship.id == id and ship.kind in (*CAPITAL_KINDS, *CARRIER_KINDS)
        assert ship.size in sizes[ship.kind]
        assert ship.wing == ({f"{ship.nation}/NAS": ship.size} if ship.is_carrier else {})
        assert ship.fast or ship.kind == "BB"
        assert not ship.hits and not ship.damaged and not ship.bound


@pytest.mark.parametrize(
    ("name", "kind", "size", "fast"),
    [
        ("Prince of Wales", "BB", 4, True),
        ("Nelson", "BB", 4, False),
        ("Hood", "BC", 3, True),
        ("Ark Royal", "CVL", 2, True),
        ("Graf Spee", "PB", 2, True),
        ("Yamato", "BB", 5, True),
        ("Nagato", "BB", 4, False),
        ("Kurama", "BC", 2, True),
        ("Tokiwa", "BC", 3, True),
        ("Rienzi", "BC", 3, True),
        ("Shinano", "CVB", 4, True),
        ("Gangut", "BB", 2, False),
        ("Seydlitz", "CVL", 2, True),
        ("Enterprise", "CV", 3, True),
        ("Arizona", "BB", 3, False),
        ("F. D. Roosevelt", "CVB", 4, True),
    ],
)
def test_a_ship_is_as_the_sources_have_her(name: str, kind: str, size: int, fast: bool) -> None:
    ship = find_ship(name)
    assert (ship.name, ship.kind, ship.size, ship.fast) == (name, kind, size, fast)


def test_slow_ships_are_counted() -> None:
    slow = Counter(ship.nation for ship in all_ships().values() if not ship.fast)
    assert slow == {"Britain": 12, "France": 3, "Japan": 6, "Russia": 3, "United States": 14}


def test_ids_are_slugs() -> None:
    assert slug("Prince of Wales") == "prince-of-wales"
    assert slug("F. D. Roosevelt") == "f-d-roosevelt"
    assert slug("Lützow") == "lutzow"
    assert all(id == slug(ship.name) for id, ship in all_ships().items())


def test_a_ship_is_found_however_her_name_is_written() -> None:
    assert find_ship("prince of wales") == find_ship("Prince-of-Wales") == find_ship("Prince of Wales", "Britain")


@pytest.mark.parametrize(
    ("name", "nation", "words"),
    [
        ("Bismark", None, "did you mean Bismarck?"),
        ("Admiral Graf Spee", None, "did you mean Graf Spee"),
        ("Andrea Doria", "Italy", "'Andrea Doria' of Italy in the list; did you mean Doria?"),
        ("Hood", "Japan", "Hood is a ship of Britain, not of Japan"),
        ("Qqq", None, "there is no ship 'Qqq' in the list"),
    ],
)
def test_a_ship_that_is_not_there_is_answered_with_what_may_be_meant(name: str, nation: str | None, words: str) -> None:
    with pytest.raises(UnknownName) as caught:
        find_ship(name, nation)
    assert words in str(caught.value)


def test_names_that_two_nations_share_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """[[class]]
nation = "Britain"
kind = "BC"
size = 2
names = ["Orion"]
[[class]]
nation = "United States"
kind = "BB"
size = 3
names = ["Orion", "Texas"]
"""
    classes = tomllib.loads(text)
    monkeypatch.setattr(ship_list.tomllib, "loads", lambda _: classes)
    shared = all_ships.__wrapped__()
    assert list(shared) == ["britain-orion", "united-states-orion", "texas"]
    monkeypatch.setattr(ship_list, "all_ships", lambda: shared)
    assert find_ship("Orion", "Britain").id == "britain-orion"
    with pytest.raises(UnknownName, match="Britain and United States both have a Orion"):
        find_ship("Orion")


def test_nothing_near_is_no_suggestion() -> None:
    assert suggestions("", ["Hood"]) == suggestions("日本", ["Hood"]) == ""


# -- battles ----------------------------------------------------------------------------------------


def test_at_least_fourteen_battles_come_with_the_game() -> None:
    assert len(BATTLES) >= 14
    titles = [scenario.setup.public.title for scenario in BATTLES.values()]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("name", BATTLES)
def test_a_battle_loads_and_tells_what_it_is_about(name: str) -> None:
    scenario = load_scenario(name)
    assert scenario == BATTLES[name]
    assert scenario.setup.public.title and len(scenario.setup.public.summary) > 40
    assert name == slug(name)
    assert files("flagplot.scenarios").joinpath("battles", f"{name}.toml").is_file()


@pytest.mark.parametrize("name", BATTLES)
def test_task_forces_are_worth_their_marker(name: str) -> None:
    for secret in BATTLES[name].setup.sides.values():
        for force in secret.forces:
            assert force.factors >= 10 or not force.task_force, force.name
            assert force.factors < 10 or force.task_force, force.name


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", BATTLES)
def test_a_battle_can_be_played_to_its_end(name: str, seed: int) -> None:
    assert played(BATTLES[name], seed).battle.over


def played(scenario: Scenario, seed: int) -> Table:
    """A battle played with random dice and answers, until both sides have had enough."""
    random = Random(seed)
    table = Table(ruleset(scenario.edition, scenario.options))
    runner = Runner(naval_battle(table, scenario.setup))
    while not runner.over:
        assert len(runner.tape) < 5_000
        roll = runner.roll_due()
        if roll:
            runner.roll([random.randint(1, 6) for _ in range(roll.dice)])
            continue
        for side in Side:
            decision = runner.decision_for(side)
            if decision:
                runner.answer(side, decision.form.sample(random))
                break
    return table


def test_kinds_of_battle_are_all_there() -> None:
    publics = {name: scenario.setup.public for name, scenario in BATTLES.items()}
    forces = {name: [f for s in each.setup.sides.values() for f in s.forces] for name, each in BATTLES.items()}
    assert publics["river-plate"].kind == "raider combat"
    assert publics["denmark-strait"].order_of_battle == "hidden"
    assert any(item.by == "TR" for force in forces["pedestal"] for item in force.cargo)
    assert any(force.supply and not force.light for force in forces["tripoli-run"])
    assert any(force.supply and force.light for force in forces["tripoli-run"])
    assert publics["guadalcanal"].round == 3
    assert any(ship.hits for force in forces["guadalcanal"] for ship in force.ships)
    assert any(ship.damaged for force in forces["guadalcanal"] for ship in force.ships)
    assert not any(ship.name for force in forces["java-sea"] for ship in force.ships)
    assert publics["six-groups"].order_of_battle == "hidden"
    assert publics["ambush"].kind == "submarine attack"
    assert not publics["calabria"].aircraft and not publics["calabria"].submarines


# -- aircraft and submarines --------------------------------------------------------------------------


def all_forces(name: str, side: Side) -> list[Force]:
    return list(BATTLES[name].setup.sides[side].forces)


def names_of(name: str, side: Side) -> set[str]:
    return {ship.name for force in all_forces(name, side) for ship in force.ships}


def light_factors(name: str, side: Side) -> dict[str, int]:
    """Cruisers and destroyers of all forces in naval factors, as published set-ups count them."""
    total: Counter[str] = Counter()
    for force in all_forces(name, side):
        for key, number in force.light.items():
            total[f"{light(key).nation} {light(key).kind}"] += number * light(key).factors
    return dict(total)


def air_aboard(name: str, side: Side) -> dict[str, int]:
    total: Counter[str] = Counter()
    for force in all_forces(name, side):
        for ship in force.ships:
            total.update(ship.wing)
    return dict(total)


def ashore(name: str, side: Side) -> dict[str, dict[str, int]]:
    bases = BATTLES[name].setup.public.air[side].bases
    return {base.name: {**base.factors, **base.squadrons} for base in bases}


def test_midway_has_the_published_forces() -> None:
    japan, america = Side.AXIS, Side.ALLIES
    ships = "Akagi Hiryu Kaga Soryu Zuiho Yamato Mutsu Nagato Haruna Hiei Kirishima Kongo Fuso Hyuga Ise Yamashiro"
    assert names_of("midway", japan) == set(ships.split())
    assert light_factors("midway", japan) == {"Japan CA": 16, "Japan DD": 12}
    assert air_aboard("midway", japan) == {"Japan/NAS/elite": 12, "Japan/NAS": 2}
    assert names_of("midway", america) == {"Enterprise", "Hornet", "Yorktown"}
    assert light_factors("midway", america) == {"United States CA": 16, "United States DD": 5}
    assert air_aboard("midway", america) == {"United States/NAS": 9}
    assert ashore("midway", america) == {"Midway": {"United States/AAF": 1, "United States/NAS": 1}}
    setup = BATTLES["midway"].setup
    assert [setup.sides[side].submarines for side in (japan, america)] == [{"Japan/SUB": 1}, {"United States/SUB": 1}]
    assert setup.public.air[america].research == {"radar": 1, "ASW": 3}


def test_at_midway_the_four_carriers_sail_with_the_troops() -> None:
    (first,) = [force for force in all_forces("midway", Side.AXIS) if force.cargo]
    assert [ship.name for ship in first.ships if ship.is_carrier] == ["Akagi", "Kaga", "Soryu", "Hiryu"]
    assert (first.task_force, first.mission, len(first.cargo)) == (True, "seaborne invasion", 2)


def test_coral_sea_has_the_published_forces() -> None:
    japan, allies = Side.AXIS, Side.ALLIES
    truk, invasion, cruisers = all_forces("coral-sea", japan)
    assert ([ship.name for ship in truk.ships], truk.base, truk.mission) == (["Shokaku", "Zuikaku"], "Truk", "patrol")
    assert (truk.light, truk.task_force) == ({"Japan/CA": 4, "Japan/DD": 2}, True)
    assert ([ship.name for ship in invasion.ships], invasion.factors, invasion.task_force) == (["Shoho"], 10, True)
    assert invasion.mission == "seaborne invasion" and cruisers.base == invasion.base == "Rabaul"
    # Of the five destroyers at Rabaul one is bound for Guadalcanal.
    assert light_factors("coral-sea", japan) == {"Japan CA": 16, "Japan DD": 6}
    assert air_aboard("coral-sea", japan) == {"Japan/NAS/elite": 6, "Japan/NAS": 2}
    assert ashore("coral-sea", japan) == {"Rabaul": {"Japan/AAF": 2}, "Lae": {"Japan/AAF": 1}}
    assert BATTLES["coral-sea"].setup.sides[japan].submarines == {"Japan/SUB": 1}
    assert names_of("coral-sea", allies) == {"Lexington", "Yorktown"}
    assert light_factors("coral-sea", allies) == {
        "United States CA": 12,
        "United States DD": 1,
        "Australia CA": 4,
        "Australia DD": 1,
    }
    assert ashore("coral-sea", allies) == {
        "Port Moresby": {"Australia/AAF": 1},
        "Cairns": {"United States/AAF": 2, "Australia/AAF": 1},
    }
    air = BATTLES["coral-sea"].setup.public.air
    assert (air[japan].research, air[allies].research) == ({"torpedo": 1}, {"radar": 1, "ASW": 2})


@pytest.mark.parametrize("name", BATTLES)
def test_aircraft_ashore_are_there_to_be_used(name: str) -> None:
    """What is out of range is left out of the battles that come with the game."""
    for air in BATTLES[name].setup.public.air.values():
        assert all(base.distance <= air.air_range for base in air.bases)


def test_what_aircraft_and_submarines_can_be_is_shown_by_some_battle() -> None:
    setups = [scenario.setup for scenario in BATTLES.values()]
    airs = [air for setup in setups for air in setup.public.air.values()]
    bases = [base for air in airs for base in air.bases]
    secrets = [secret for setup in setups for secret in setup.sides.values()]
    assert {key.split("/", 1)[1] for base in bases for key in base.squadrons} == {"NAS", "NAS/elite", "KAM"}
    assert any(not base.operational for base in bases) and any(base.inverted for base in bases)
    assert any(air.impaired for air in airs) and any(air.excess_asw for air in airs)
    assert any(air.submarine_codebreaking for air in airs)
    assert any(secret.destroyers_elsewhere for secret in secrets)
    kinds = {ship.kind for secret in secrets for force in secret.forces for ship in force.ships}
    assert kinds == {*CAPITAL_KINDS, *CARRIER_KINDS}


def test_okinawa_has_kamikazes_and_large_and_light_carriers() -> None:
    suicide = [base.squadrons.get("Japan/KAM", 0) for base in BATTLES["okinawa"].setup.public.air[Side.AXIS].bases]
    assert sum(suicide) == 8
    kinds = [ship.kind for force in all_forces("okinawa", Side.AXIS) for ship in force.ships]
    assert kinds.count("CVB") == 1 and kinds.count("CVL") == 2


def test_crete_and_pedestal_are_fought_under_land_based_air() -> None:
    assert air_aboard("crete", Side.ALLIES) == {"Britain/NAS": 1} and not air_aboard("crete", Side.AXIS)
    assert not ashore("crete", Side.ALLIES)
    for name in ("crete", "pedestal"):
        nations = {key for counts in ashore(name, Side.AXIS).values() for key in counts}
        assert nations >= {"Germany/AAF", "Italy/AAF"}
    assert BATTLES["pedestal"].setup.sides[Side.AXIS].submarines == {"Italy/SUB": 1, "Germany/SUB": 1}


# -- single battles -----------------------------------------------------------------------------------


def test_six_groups_has_a_seventh_and_a_late_one() -> None:
    sides = BATTLES["six-groups"].setup.sides
    present = {side: [f for f in sides[side].forces if f.arrives == 1] for side in Side}
    assert (len(present[Side.AXIS]), len(present[Side.ALLIES])) == (6, 7)
    assert [force.arrives for force in sides[Side.AXIS].forces][-1] == 2


def test_three_groups_is_the_printed_example() -> None:
    setup = BATTLES["three-groups"].setup
    groups = {side: {g.number: g for g in form_groups(setup.sides[side].forces)} for side in Side}
    japan, america = groups[Side.AXIS], groups[Side.ALLIES]
    assert (sorted(japan), sorted(america)) == ([1, 2, 4], [1, 3, 5])
    assert setup.public.interceptor is Side.AXIS and setup.public.order_of_battle == "hidden"
    assert set(setup.public.search_advantage.values()) == {0}
    carriers = {side: [n for n, g in groups[side].items() if any(map(fully_operational, g.ships))] for side in Side}
    assert carriers == {Side.AXIS: [4], Side.ALLIES: [3]}
    assert [number for number, group in america.items() if group.cargo] == [5]
    assert not any(group.encumbered for group in japan.values())
    assert [number for number, group in america.items() if not is_fast(group)] == [5]
    assert all(map(is_fast, japan.values()))


@pytest.mark.parametrize(("round", "japan", "america"), [(1, 2, 2), (2, 4, 3)])
def test_three_groups_has_the_search_dice_of_the_example(round: int, japan: int, america: int) -> None:
    table = numbered_example()
    battle = replace(table.battle, round=round)
    chart = table.rules.search
    assert search_dice(chart, battle, battle.fleets[Side.AXIS].groups).total == japan
    assert search_dice(chart, battle, battle.fleets[Side.ALLIES].groups).total == america


def numbered_example() -> Table:
    """The example after its groups were formed, every question answered by default."""
    scenario = BATTLES["three-groups"]
    table = Table(ruleset(scenario.edition, scenario.options))
    runner = Runner(naval_battle(table, scenario.setup))
    while not table.fleet(Side.ALLIES).groups:
        for side in Side:
            decision = runner.decision_for(side)
            if decision:
                runner.answer(side, decision.form.default)
                break
    return table
