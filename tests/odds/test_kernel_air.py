"""Aircraft in compiled battles (22.43 to 22.46, 23): the same as the procedures, in every fact and on the same dice."""

from __future__ import annotations

from random import Random
from types import ModuleType

import pytest
from msgspec.structs import replace

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.asks import Decide
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.doctrine.policies import bombing_worth, light_bombing_worth
from flagplot.editions.current import CURRENT, ruleset
from flagplot.model.forces import CombatGroup, Force
from flagplot.model.picture import Picture
from flagplot.model.setup import Air, Setup
from flagplot.model.ships import Ship
from flagplot.model.squadrons import AirBase
from flagplot.model.state import Battle, Fleet
from flagplot.odds import kernel_air_tables as tables
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import load
from flagplot.odds.kernel_names import NotCompilable
from flagplot.odds.kernel_state import encode
from flagplot.odds.philox import PhiloxDice
from flagplot.rules.table import Ruleset
from tests.odds.air_battles import random_air_battle
from tests.odds.comparing import Record, difference, record, records
from tests.odds.mutated import Fault, named, planted

SEED = 23
BATTLES = 60
OPTIONS = {"naval_air_bonus_at_sea": ("on", "off"), "withheld_air_returns": ("no", "yes")}


def doctrine_and_rules(number: int) -> tuple[dict[Side, Doctrine], Ruleset]:
    """In every third battle doctrines and options other than usual."""
    if number % 3:
        return dict.fromkeys(Side, Doctrine()), CURRENT
    random = Random(f"doctrine {number}")
    doctrines = {
        side: Doctrine(
            patrol=random.randrange(0, 5),
            patrol_always_until=random.randrange(0, 4),
            shore_air_feared=random.randrange(0, 8),
            searching=random.randrange(0, 6),
            strike=random.randrange(0, 13),
            carrier_worth=random.randrange(0, 20),
            cargo_worth=random.randrange(0, 20),
        )
        for side in Side
    }
    return doctrines, ruleset(options={name: random.choice(values) for name, values in OPTIONS.items()})


def recorded(number: int) -> Record:
    """A battle with aircraft, by its number."""
    doctrines, rules = doctrine_and_rules(number)
    bots = {side: AdmiralBot(doctrine=doctrines[side]) for side in Side}
    return record(rules, random_air_battle(number), PhiloxDice(SEED, number), bots, doctrines)


@pytest.fixture(scope="module")
def battles() -> list[Record]:
    """Battles with aircraft, as the procedures play them."""
    return list(records(recorded, range(BATTLES)))


# -- tables --------------------------------------------------------------------------------------------


def test_every_cell_of_the_air_tables_is_what_the_table_says() -> None:
    rolls = range(2, 13)
    for row in range(1, tables.MOST_FIGHTING + 1):
        found = [(tables.AIR_COMBAT_LOST[row * 11 + i], tables.AIR_COMBAT_ABORTED[row * 11 + i]) for i in range(11)]
        assert found == [tuple(CURRENT.air_combat.read(row, roll).result) for roll in rolls]
    for row in range(1, tables.MOST_DEFENSE + 1):
        found = [(tables.AIR_DEFENSE_LOST[row * 11 + i], tables.AIR_DEFENSE_ABORTED[row * 11 + i]) for i in range(11)]
        assert found == [tuple(CURRENT.air_defense.read(row, roll).result) for roll in rolls]
    for row in range(1, tables.MOST_STRIKING + 1):
        hits = list(tables.AIR_ATTACK_HITS[row * 11 : row * 11 + 11])
        assert hits == [CURRENT.attack.read_air(row, roll).hits for roll in rolls]


def test_every_level_of_surprise_is_what_the_table_says() -> None:
    for level in range(tables.MOST_LEVEL + 1):
        effects = CURRENT.surprise.effects(level)
        assert tables.SURPRISE_NO_BONUS[level] == effects.patrol_bonus_lost
        assert tables.SURPRISE_DEFENSE[level] == effects.air_defense
        assert tables.SURPRISE_BONUS[level] == effects.attack_bonus
        assert tables.SURPRISE_FEWER[level] == effects.fewer_defenders
    for results in range(tables.MOST_RESULTS + 1):
        assert tables.SURPRISE_RESULTS[results] == CURRENT.surprise.for_results(results)


def test_what_bombs_are_worth_is_what_the_admiral_reckons() -> None:
    def hits(squadrons: int, roll: int) -> int:
        return CURRENT.attack.read_air(squadrons, roll).hits if squadrons else 0

    random = Random(5)
    for _ in range(4000):
        squadrons, modifier = random.randrange(0, 13), random.randrange(-14, 15)
        size, damaged, carrier = random.randrange(1, 9), random.randrange(2), random.randrange(2)
        had, afloat = random.randrange(0, size), random.randrange(0, 60)
        row = 10 + min(10, max(-10, modifier))
        ship = (row * tables.SHIP_STATES + tables.ship_state(size, had, damaged, carrier)) * tables.NUMBERS
        worth = bombing_worth(squadrons, modifier, size, had, damaged, carrier, hits)
        assert tables.BOMBING[ship + squadrons] == worth
        light = (row * (tables.MOST_AFLOAT + 1) + min(afloat, tables.MOST_AFLOAT)) * tables.NUMBERS
        worth = light_bombing_worth(squadrons, modifier, afloat, hits)
        assert tables.BOMBING[tables.LIGHT_BOMBING + light + squadrons] == worth


# -- battles -------------------------------------------------------------------------------------------


def test_battles_with_aircraft_are_the_same_in_every_fact(battles: list[Record], plain: ModuleType) -> None:
    assert len(battles) > 0.8 * BATTLES
    assert [told for made in battles if (told := difference(plain, made))] == []


@pytest.mark.long
def test_many_battles_with_aircraft_are_the_same_in_every_fact(plain: ModuleType) -> None:
    differences = [told for made in records(recorded, range(BATTLES, 3000)) if (told := difference(plain, made))]
    assert differences == []


def test_the_room_at_an_air_base_is_what_the_base_says(battles: list[Record]) -> None:
    room = load(("kernel_patrol",))["kernel_patrol"].base_room
    found = 0
    for made in battles:
        for index, side in enumerate(made.layout.sides):
            for place, base in enumerate(made.layout.battle.fleets[side].air_bases):
                assert room(made.state, made.constants, index * at.MOST_BASES + place) == base.room
                found += 0 < base.room < base.capacity
    assert found > BATTLES / 3


class Told(AdmiralBot):
    """An admiral who is told how many squadrons fly patrol over each group, and which group is covered."""

    def __init__(self, patrol: int, covered: int) -> None:
        super().__init__(doctrine=Doctrine(patrol=patrol, patrol_always_until=99))
        self.covered = covered

    def choose(self, picture: Picture, decision: Decide) -> Wire:
        """His answer."""
        answer = super().choose(picture, decision)
        numbers = picture.battle.fleets[decision.side].numbers
        if decision.kind == "cover" and self.covered in numbers:
            return dict.fromkeys(answer, f"CG{self.covered}")
        return {} if decision.kind == "cover" else answer


def test_what_a_side_is_told_to_do_is_done(plain: ModuleType) -> None:
    changed = 0
    for number in range(12):
        setup, dice = random_air_battle(number), PhiloxDice(SEED, number)
        told = {Side.AXIS: Told(1, 2), Side.ALLIES: AdmiralBot()}
        try:
            made = record(CURRENT, setup, dice, told)
        except NotCompilable:
            continue
        side = made.layout.sides.index(Side.AXIS)
        made.constants[at.FORCED_COVER + side] = 2
        made.constants[at.FORCED_PATROL + side * at.MOST_SLOTS :][: at.MOST_SLOTS] = 1
        assert difference(plain, made) == ""
        made.constants[at.FORCED_COVER + side] = -1
        made.constants[at.FORCED_PATROL + side * at.MOST_SLOTS :][: at.MOST_SLOTS] = -1
        changed += difference(plain, made) != ""
    assert changed


def _with(setup: Setup, ships: tuple[Ship, ...] = (), base: str = "") -> Setup:
    """The set-up with these ships in a force of their own, and an air base of this name."""
    force = Force("More", ships, {"Japan/DD": 20} if ships or base else {}, base="Home")
    secret = replace(setup.sides[Side.AXIS], forces=(force,))
    air = Air(bases=(AirBase(base, 1, squadrons={"Japan/NAS": 1}),) if base else ())
    public = replace(setup.public, air={Side.AXIS: air, Side.ALLIES: Air()})
    return Setup(public=public, sides={**setup.sides, Side.AXIS: secret})


NATIONS = ("Japan", "Germany", "Italy", "France", "Finland", "Spain", "Turkey")


@pytest.mark.parametrize(
    ("ships", "base", "why"),
    [
        ((Ship("x", "X", "Japan", "BB", 9),), "", "X has 9 factors; compiled battles have room for 8"),
        (
            tuple(Ship(nation, nation, nation, "CVL", 1, wing={f"{nation}/NAS": 1}) for nation in NATIONS),
            "",
            "7 kinds of naval air aboard carriers; compiled battles have room for 6",
        ),
        ((), "Fort elite", "is called elite"),
        ((), "", "no ships and no supply line"),
    ],
)
def test_what_there_is_no_room_for_is_refused(ships: tuple[Ship, ...], base: str, why: str) -> None:
    bots = {side: AdmiralBot() for side in Side}
    with pytest.raises(NotCompilable, match=why):
        record(CURRENT, _with(random_air_battle(1), ships, base), PhiloxDice(SEED, 1), bots)


def test_squadrons_in_the_air_need_room_too() -> None:
    """Taken up when patrols fly: 118 ashore and three over a group are one more than there is room for."""
    carrier = Ship("x", "X", "Japan", "CV", 3)
    group = CombatGroup(1, "Carrier", (carrier,), {"Japan/DD": 3}, patrol={"Japan/NAS": 3})
    base = AirBase("Truk", 1, squadrons={"Japan/NAS": 118})
    fleets = {
        Side.AXIS: Fleet(groups=(group,), air_bases=(base,)),
        Side.ALLIES: Fleet(groups=(CombatGroup(1, "Ships", light={"Britain/DD": 1}),)),
    }
    battle = Battle(fleets=fleets, segment="search", aircraft=True)
    with pytest.raises(NotCompilable, match="121 squadrons; compiled battles have room for 120"):
        encode(CURRENT, battle)
    fewer = replace(base, squadrons={"Japan/NAS": 117})
    encode(CURRENT, replace(battle, fleets={**fleets, Side.AXIS: Fleet(groups=(group,), air_bases=(fewer,))}))


FAULTS = (
    Fault("kernel_patrol", "PER_PATROL = 3", "PER_PATROL = 4"),
    Fault("kernel_patrol", "    left_elite = most - left\n", "    left_elite = most - left - 1\n"),
    Fault("kernel_patrol", "s[at.CARRIERS_SEEN + 1 - side]", "s[at.CARRIERS_SEEN + side]"),
    Fault("kernel_patrol", "shore_air(s, c, 1 - side)", "shore_air(s, c, side)"),
    Fault("kernel_patrol", "hurt = s[at.NEWLY_SHIPS + side]", "hurt = s[at.DAMAGED_SHIPS + side]"),
    Fault("kernel_shore", "== at.FOR_COVER", "== at.FOR_SEARCH"),
    Fault("kernel_shore", "    left = wanted\n", "    left = wanted + 1\n"),
    Fault("kernel_shore", "for role in range(ROLES)", "for role in range(ROLES - 1)"),
    Fault(
        "kernel_air_sight",
        "if best == NONE or value > most:\n            best, most = group, value\n    return best\n\n",
        "if best == NONE or value >= most:\n            best, most = group, value\n    return best\n\n",
    ),
    Fault("kernel_air_losses", "s[LEFT + j] < left", "s[LEFT + j] <= left"),
    Fault(
        "kernel_air_losses",
        "turn = _in_rotation(s, types, 0, eliminated, TYPE_LOST)",
        "turn = 0 * _in_rotation(s, types, 0, eliminated, TYPE_LOST)",
    ),
    Fault("kernel_air_losses", "    eliminated -= s[TOLL_LOST]\n", ""),
    Fault("kernel_air_losses", "c[at.KEY_KIND + key] == at.KAM", "c[at.KEY_KIND + key] == at.JET"),
    Fault("kernel_air_losses", "    take_all(s, at.STRIKE_SQUADRONS, TURNED_BACK)\n", ""),
    Fault("kernel_strikes", "drm < BELOW_ONE:\n        number", "drm <= BELOW_ONE:\n        number"),
    Fault("kernel_strikes", "s[at.SIDE_FOUND + side] == 0", "s[at.SIDE_FOUND + 1 - side] == 0"),
    Fault("kernel_strikes", "RADAR_LINE * c[at.RADAR + 1 - side]", "RADAR_LINE * c[at.RADAR + side]"),
    Fault(
        "kernel_strikes", "1 if _results(s, 1) > _results(s, 0) else 0", "1 if _results(s, 1) >= _results(s, 0) else 0"
    ),
    Fault("kernel_strikes", "    s[at.ATTACKED + group] = 1\n", ""),
    Fault("kernel_patrol", "            mark_ready(s, side, s[ROOM + 2 * i])\n", ""),
    Fault("kernel_strikes", "max(s[at.CARRIERS_SEEN + side], 1)", "s[at.CARRIERS_SEEN + side]"),
    Fault("kernel_strike", "_engage(s, group, SURPRISE_FEWER[level])", "_engage(s, group, 0)"),
    Fault("kernel_strike", "PATROL_BONUS = 1", "PATROL_BONUS = 2"),
    Fault("kernel_strike", "column(two_dice(s) - modifier)", "column(two_dice(s) + modifier)"),
    Fault("kernel_strike", "    take_all(s, at.GROUP_COVER + group, LOST)\n", ""),
    Fault("kernel_strike", "escort_carrier_factors - 1", "escort_carrier_factors"),
    Fault("kernel_strike", "c[at.AIR_DEFENSE_RESEARCH + enemy]", "c[at.AIR_DEFENSE_RESEARCH + side]"),
    Fault("kernel_strike", "    return lowest + naval\n", "    return lowest\n"),
    Fault("kernel_strike", "c[at.TACTICAL + 1 - side]", "c[at.TACTICAL + side]"),
    Fault("kernel_strike", "modifier += c[at.NAVAL_AIR_BONUS]", "modifier += 1"),
    Fault("kernel_strike", "if roll <= min(HEAVY_DICE, heavy)", "if roll < min(HEAVY_DICE, heavy)"),
    Fault("kernel_strike", "modifier = max(modifier, air", "modifier = max(modifier, 1 + air"),
    Fault("kernel_strike", "for squadrons in range(1, left + 1):", "for squadrons in range(1, 2):"),
    Fault("kernel_strike", " * int(SHARES[squadrons])\n", "\n"),
    Fault(
        "kernel_strike",
        "            _weigh(s, target, left)\n        most",
        "            s[MASS + target] = left\n        most",
    ),
    Fault("kernel_strike", "        if left:\n            _weigh(s, best, left)\n", ""),
    Fault("kernel_strike", "+ SURPRISE_BONUS[s[at.STRIKE_LEVEL]]", ""),
)


@pytest.mark.parametrize("fault", FAULTS, ids=named)
def test_a_planted_fault_is_found(battles: list[Record], fault: Fault) -> None:
    with planted(fault) as faulty:
        assert any(difference(faulty, made) for made in battles)
