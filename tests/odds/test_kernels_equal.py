"""Compiled battles are the procedures: on the same dice every fact is the same, before every segment and at the end.

The kernels run here as plain Python; that compiled they do the same is held against these runs (test_kernels_compiled.py).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.asks import Decide
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.editions.current import CURRENT
from flagplot.model.picture import Picture
from flagplot.model.state import STEPS
from flagplot.odds import kernel_layout as at
from flagplot.odds import kernel_tables as tables
from flagplot.odds.compiling import compile_all
from flagplot.odds.jit import Words, load
from flagplot.odds.kernel_facts import decode, facts_of
from flagplot.odds.kernel_names import Layout, NotCompilable
from flagplot.odds.kernel_state import encode, give_dice
from flagplot.odds.kernels import prepare
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.sampling import USUAL, admirals
from flagplot.odds.worlds import formed
from flagplot.scenarios.loader import load_scenario
from tests.odds.comparing import Record, difference, differs, record, records
from tests.odds.driving import Driven
from tests.odds.mutated import Fault, named, planted
from tests.odds.random_battles import random_battle, rules_and_doctrines

SEED = 22
BATTLES = 340
MANY = int(os.environ.get("FLAGPLOT_BATTLES", "100000"))
TOLD_EVERY = 1_000
ONLY_DAMAGED = 5124  # a battle at whose end a side has only damaged light ships, which is rare
EVADING = 526  # a battle in which it matters that a side always evades, which is rare
SCENARIOS = ("calabria", "ceylon", "coral-sea", "crete", "denmark-strait", "guadalcanal", "java-sea", "midway")
SCENARIOS += ("okinawa", "pedestal", "six-groups", "three-groups", "tripoli-run")


def recorded(number: int) -> Record:
    """Battle of this number, played by the procedures."""
    rules, doctrines = rules_and_doctrines(number)
    bots = {side: AdmiralBot(doctrine=doctrines[side]) for side in Side}
    return record(rules, random_battle(number), PhiloxDice(SEED, number), bots, doctrines)


@pytest.fixture(scope="module")
def battles() -> list[Record]:
    """Battles of all kinds, as the procedures play them."""
    return list(records(recorded, (ONLY_DAMAGED, *range(BATTLES))))


# -- tables ----------------------------------------------------------------------------------------------


def test_every_cell_of_the_tables_is_what_the_table_says() -> None:
    for factors in range(1, at.MOST_FACTORS + 1):
        row = [int(hits) for hits in tables.NAVAL_ATTACK[factors * tables.COLUMNS :][: tables.COLUMNS]]
        assert row == [CURRENT.attack.hits(factors, roll) for roll in range(2, 13)]
    for roll in range(-5, 20):
        column = min(tables.SUBMARINE_LAST, max(tables.SUBMARINE_FIRST, roll)) - tables.SUBMARINE_FIRST
        result = CURRENT.submarine.read(roll)
        found = tables.SUBMARINE_HITS[column], bool(tables.SUBMARINE_LOST[column])
        assert found == (result.hits, result.submarine_lost)


# -- battles ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCENARIOS)
def test_shipped_battles_are_the_same(plain: ModuleType, name: str) -> None:
    bots = {side: AdmiralBot() for side in Side}
    for number in range(3):
        made = record(CURRENT, load_scenario(name).setup, PhiloxDice(SEED, number), bots)
        assert difference(plain, made) == ""


def test_random_battles_are_the_same(battles: list[Record], plain: ModuleType) -> None:
    assert len(battles) > 0.9 * BATTLES
    assert [told for made in battles if (told := difference(plain, made))] == []


def test_a_battle_can_be_taken_up_at_any_segment_and_step(plain: ModuleType) -> None:
    taken_up = 0
    for number in range(40):
        rules, doctrines = rules_and_doctrines(number)
        bots = {side: AdmiralBot(doctrine=doctrines[side]) for side in Side}
        begun: list[tuple[str, Words, Words, Layout]] = []

        def before(driven: Driven, begun: list[Any] = begun, doctrines: dict[Side, Doctrine] = doctrines) -> None:
            battle = driven.table.battle
            if battle.segment != "formation" and battle.step in STEPS and len(begun) < 40:
                state, constants, layout = encode(driven.table.rules, battle, driven.pictures, doctrines)
                assert decode(layout, state) == facts_of(battle)
                give_dice(state, SEED, driven.dice.battle)
                state[at.DICE_USED] = driven.used
                where = f"{battle.title}, round {battle.round}, {battle.segment}, step {battle.step}"
                begun.append((where, state, constants, layout))

        driven = Driven(rules, random_battle(number), PhiloxDice(SEED, number), bots)
        try:
            driven.play(before)
        except NotCompilable:
            continue
        end = facts_of(driven.table.battle)
        for where, state, constants, layout in begun:
            plain.play(state, constants)
            found = decode(layout, state)
            assert (where, found.victor, found.round, state[at.DICE_USED]) == (
                where,
                end.victor,
                end.round,
                driven.used,
            )
            for side in Side:
                assert (where, found.sides[side].ships) == (where, end.sides[side].ships)
                assert (where, found.sides[side].sunk_light) == (where, end.sides[side].sunk_light)
                assert (where, found.sides[side].air_lost) == (where, end.sides[side].air_lost)
            taken_up += 1
    assert taken_up > 500


def test_battles_one_after_the_other_are_as_each_by_itself() -> None:
    fight_many = load(("kernel_outcome",))["kernel_outcome"].fight_many
    compared = 0
    for number in range(0, 60, 3):
        try:
            prepared = prepare(formed(random_battle(number), admirals(USUAL)), USUAL)
        except NotCompilable:
            continue
        numbers = len(prepared.columns.columns)
        rows = np.zeros((2, 3 * numbers), np.int32)
        template = (prepared.constants, prepared.plan)
        fight_many(prepared.before, np.zeros(at.STATE_WORDS, np.int32), *template, rows[0], SEED, 0, 3)
        for battle in range(3):
            row = rows[1, battle * numbers : (battle + 1) * numbers]
            fight_many(prepared.before, np.zeros(at.STATE_WORDS, np.int32), *template, row, SEED, battle, 1)
        assert rows[0].tolist() == rows[1].tolist()
        compared += 1
    assert compared > 10


# -- rows reached -----------------------------------------------------------------------------------------


class Counted:
    """A table that remembers which of its cells were read."""

    def __init__(self, cells: Any) -> None:
        self.cells = cells
        self.read: set[int] = set()

    def __getitem__(self, index: int) -> Any:
        self.read.add(int(index))
        return self.cells[index]


COUNTED = (
    ("kernel_fleet", "NAVAL_ATTACK"),
    ("kernel_submarines", "SUBMARINE_HITS"),
    ("kernel_strike", "AIR_ATTACK_HITS"),
    ("kernel_strike", "AIR_COMBAT_LOST"),
    ("kernel_strike", "AIR_DEFENSE_LOST"),
)


def cells_read(made: Iterable[Record], compiled: ModuleType | None = None) -> dict[str, set[int]]:
    """The cells of each table that these battles read, all of them being the same as those of the procedures; and
    compiled, if kernels are given that are."""
    modules = load(("kernel_battle", *dict.fromkeys(name for name, _ in COUNTED)))
    for module, name in COUNTED:
        setattr(modules[module], name, Counted(getattr(modules[module], name)))
    for one in made:
        assert difference(modules["kernel_battle"], one) == ""
        assert compiled is None or difference(compiled, one) == ""
    return {name: getattr(modules[module], name).read for module, name in COUNTED}


def rows_read(cells: dict[str, set[int]]) -> dict[str, set[int]]:
    """The printed rows among them; of the submarine table the columns."""
    rows = {name: {cell // tables.COLUMNS for cell in found} for name, found in cells.items()}
    fleet = [row for row in CURRENT.attack.rows if rows["NAVAL_ATTACK"] & {*range(row.lowest, row.highest + 1)}]
    return {
        "NAVAL_ATTACK": {row.highest for row in fleet},
        "SUBMARINE_HITS": cells["SUBMARINE_HITS"],
        "AIR_ATTACK_HITS": rows["AIR_ATTACK_HITS"] & {*range(1, 13)},
        "AIR_COMBAT_LOST": rows["AIR_COMBAT_LOST"] & {*range(1, 13)},
        "AIR_DEFENSE_LOST": rows["AIR_DEFENSE_LOST"] & {*range(1, 8)},
    }


def test_battles_reach_the_rows_of_the_tables(battles: list[Record]) -> None:
    rows = rows_read(cells_read(battles))
    wanted = {
        "NAVAL_ATTACK": 18,
        "SUBMARINE_HITS": 9,
        "AIR_ATTACK_HITS": 7,
        "AIR_COMBAT_LOST": 6,
        "AIR_DEFENSE_LOST": 5,
    }
    assert {name: len(rows[name]) for name in wanted if len(rows[name]) < wanted[name]} == {}


@pytest.mark.long
@pytest.mark.parametrize("half", [0, 1])
def test_very_many_random_battles_are_the_same_and_reach_every_row(
    half: int, capsys: pytest.CaptureFixture[str]
) -> None:
    compile_all()
    from flagplot.odds import kernel_battle

    numbers = range(BATTLES + half * MANY // 2, BATTLES + (half + 1) * MANY // 2)
    fought: list[int] = []

    def say(text: str) -> None:
        with capsys.disabled():  # as workers of pytest can say anything at all
            sys.stderr.write(f"{text}\n")

    def counted(number: int) -> Record:
        made = recorded(number)
        fought.append(number)
        if len(fought) % TOLD_EVERY == 0:
            say(f"half {half}: {len(fought)} of {len(numbers)} battles, no difference")
        return made

    cells = cells_read(records(counted, numbers), kernel_battle)
    rows = rows_read(cells)
    say(f"{len(fought)} of {len(numbers)} battles had room, no difference")
    for name, found in rows.items():
        say(f"{name}: {len(cells[name])} cells read, rows {sorted(found)}")
    assert len(rows["NAVAL_ATTACK"]) == len(CURRENT.attack.rows)
    assert len(rows["SUBMARINE_HITS"]) == len(CURRENT.submarine.columns)
    assert rows["AIR_ATTACK_HITS"] == {*range(1, 13)}


# -- overrides -------------------------------------------------------------------------------------------


class Told(AdmiralBot):
    """An admiral who is told what to do where the kernels can be told."""

    def __init__(self, evade: int, withdraw: int, screen: int) -> None:
        super().__init__()
        self.evade, self.withdraw, self.screen = evade, withdraw, screen

    def choose(self, picture: Picture, decision: Decide) -> Wire:
        """His answer."""
        if decision.kind == "evade" and self.evade >= 0:
            return self._if_legal(decision, {"choice": "evade" if self.evade else "fight"})
        if decision.kind == "screen" and self.screen == at.SCREEN_NOTHING:
            return {}
        if decision.kind == "screen" and self.screen == at.SCREEN_ALL:
            return {item.key: "screen" for item in decision.form.items}
        if decision.kind == "withdraw" and self.withdraw == 1:
            barred = {item.key: decision.form.barred(item) for item in decision.form.items}
            return {key: "withdraw" for key, closed in barred.items() if "withdraw" not in closed}
        return super().choose(picture, decision)

    @staticmethod
    def _if_legal(decision: Decide, answer: Wire) -> Wire:
        try:
            decision.read(answer)
        except Exception:
            return decision.form.default
        return answer


@pytest.mark.parametrize(
    ("evade", "withdraw", "screen"),
    [(1, -1, -1), (0, -1, -1), (-1, 1, -1), (-1, -1, at.SCREEN_NOTHING), (-1, -1, at.SCREEN_ALL)],
)
def test_what_a_side_is_told_to_do_is_done(plain: ModuleType, evade: int, withdraw: int, screen: int) -> None:
    changed = 0
    for number in (EVADING, *range(0, 42, 2)):
        bots = {Side.AXIS: Told(evade, withdraw, screen), Side.ALLIES: AdmiralBot()}
        try:
            made = record(CURRENT, random_battle(number), PhiloxDice(SEED, number), bots)
        except NotCompilable:
            continue
        side = made.layout.sides.index(Side.AXIS)
        for field, value in ((at.FORCED_EVADE, evade), (at.FORCED_WITHDRAW, withdraw), (at.FORCED_SCREEN, screen)):
            made.constants[field + side] = value
        assert difference(plain, made) == ""
        for field in (at.FORCED_EVADE, at.FORCED_WITHDRAW, at.FORCED_SCREEN):
            made.constants[field + side] = at.NONE
        changed += difference(plain, made) != ""
    assert changed


# -- faults ----------------------------------------------------------------------------------------------

FAULTS = (
    Fault("kernel_hits", "all_hits >= size:", "all_hits > size:"),
    Fault("kernel_hits", "CRIPPLED if all_hits >= size - 1 else HIT", "CRIPPLED if all_hits >= size else HIT"),
    Fault("kernel_hits", "c[at.DAMAGED_AGAIN] and damaged", "damaged"),
    Fault("kernel_hits", "        s[at.NEWLY_SHIPS + side] |= her\n", ""),
    Fault("kernel_hits", "s[at.ROUND_SUNK + side] += c[at.SHIP", "s[at.ROUND_SUNK] += c[at.SHIP"),
    Fault("kernel_hits", "one_factor < cruiser_hits and", "one_factor <= cruiser_hits and"),
    Fault("kernel_hits", "one_factor + 1 <= 2 * (sunk + hurt_sunk)", "one_factor <= 2 * (sunk + hurt_sunk)"),
    Fault("kernel_hits", "s[sizes + j] < size:", "s[sizes + j] <= size:"),
    Fault("kernel_hits", "s[taken + i] < s[sizes + i]:", "True:"),
    Fault("kernel_hits", "number * max(1, c[at.LIGHT_FACTORS + kind])", "number * c[at.LIGHT_FACTORS + kind]"),
    Fault("kernel_hits", "saved = room if c[at.CARGO_DIVISIBLE + cargo] else 0", "saved = 0"),
    Fault("kernel_hits", "        _lose_cargo(s, c, side, group, at.TR)\n", ""),
    Fault("kernel_hits", "moved = min(number, -change)", "moved = 0"),
    Fault("kernel_groups", "undamaged += amount * (state != at.DAMAGED)", "undamaged += amount * (state == at.DAMAGED)"),
    Fault("kernel_groups", "(type >= at.CVE) |", "(type > at.CVE) |"),
    Fault("kernel_groups", "doctrine.small_guns if", "doctrine.hidden_guns if"),
    Fault("kernel_groups", "    if not s[at.GROUP_SUPPLY + group] and not afloat(s, group):", "    if not afloat(s, group):"),
    Fault("kernel_search", "(int(s[at.ROUND]) - 1)", "int(s[at.ROUND])"),
    Fault("kernel_search", ">= ACTIVE_FACTORS", "> ACTIVE_FACTORS"),
    Fault("kernel_search", "max(0, dice + ", "max(1, dice + "),
    Fault("kernel_search", "< DISCLOSED_UNDER)", "<= DISCLOSED_UNDER)"),
    Fault("kernel_engagements", "while j > 0 and _lower(s, j) < _lower(s, j - 1):", "while False:"),
    Fault("kernel_engagements", "s[at.MET + group] == 0 or s[at.VICTORIOUS + group]", "s[at.MET + group] == 0"),
    Fault("kernel_engagements", "s[at.FOUND + target] <= s[at.SPENT + target] or", "s[at.FOUND + target] == 0 or"),
    Fault("kernel_engagements", "its_guns < best_guns):", "its_guns <= best_guns):"),
    Fault("kernel_engagements", "if floats and (active or fast):", "if floats:"),
    Fault("kernel_engagements", "        reveal(s, c, group)  # 22.523D\n", ""),
    Fault("kernel_engagements", "range(number + 1, at.MOST_GROUPS + 1)", "range(1, at.MOST_GROUPS + 1)"),
    Fault("kernel_engagements", "range(1 + c[at.TRIES])", "range(1)"),
    Fault("kernel_engagements", "            _add_undeclared(s, 1 - side, seeker)\n", ""),
    Fault("kernel_fleet", "longer = 0 if s[first] >= s[second] else 1", "longer = 0"),
    Fault("kernel_fleet", "+ at.HITS_IN_RANK * int(s[at.SHIP_HITS + ship])", ""),
    Fault("kernel_fleet", "int(c[at.SHIP_RANK + ship])", "-int(c[at.SHIP_RANK + ship])"),
    Fault("kernel_fleet", "s[ranks + place - 1] > key:", "s[ranks + place - 1] >= key:"),
    Fault("kernel_hits", "add(s, at.LOST_SUNK, hurt, hurt_sunk)", "add(s, at.LOST_SUNK, hurt, sunk)"),
    Fault("kernel_hits", "alike, other = other == NONE, int(kind)", "alike, other = True, int(kind)"),
    Fault("kernel_hits", "one_nation = one_nation and (", "one_nation = True or ("),
    Fault("kernel_hits", "    s[at.GROUP_SHIPS + group] &= ~her\n", ""),
    Fault("kernel_hits", "    lose_from(s, c, counts, counts)\n    recount(s, c, group)\n", "    lose_from(s, c, counts, counts)\n"),
    Fault("kernel_sets", "+ 2 * count(ships & c[sizes + 1])", "+ 1 * count(ships & c[sizes + 1])"),
    Fault("kernel_fleet", "int(c[at.TACTICAL + side]) - int(c[at.TACTICAL + enemy])", "int(c[at.TACTICAL + side])"),
    Fault("kernel_fleet", "int(s[at.HAMPERED + enemy]) - int(s[at.HAMPERED + side])", "-int(s[at.HAMPERED + side])"),
    Fault("kernel_fleet", "RATIO = 3  # 22.54D", "RATIO = 2"),
    Fault("kernel_fleet", "min(away, surplus // int(c[at.LIGHT_FACTORS + kind]))", "min(away, surplus)"),
    Fault("kernel_fleet", "behind if screened or into_screen else ahead", "behind if screened else ahead"),
    Fault("kernel_fleet", "hidden = hidden or below > -NO_DRM", "hidden = hidden"),
    Fault("kernel_fleet", "s[at.LINE_LIGHT + side * at.LIGHT_MAP] | _line_afloat(s, side)", "_line_afloat(s, side)"),
    Fault("kernel_fleet", "if c[at.HELD_CRUISERS] and", "if False and"),
    Fault("kernel_fleet", "        s[at.VICTORIOUS + two] = 1\n", "        pass\n"),
    Fault("kernel_submarines", "(die(s) - 1) * present // 6", "(die(s) - 1) * present // 7"),
    Fault("kernel_submarines", "- int(c[at.ASW_RESEARCH + enemy])", "- int(c[at.ASW_RESEARCH + side])"),
    Fault("kernel_submarines", "_limited(-(number_of(s, c, counts, at.DD) // PER))", "-(number_of(s, c, counts, at.DD) // PER)"),
    Fault("kernel_submarines", "int(s[at.SUBMARINE_ATTACKS + group]) - 1", "int(s[at.SUBMARINE_ATTACKS + group])"),
    Fault("kernel_submarines", "max(-1, min(1, codebreaking))", "0"),
    Fault("kernel_submarines", "max(-MOST_OVERALL, min(MOST_OVERALL, modifier))", "min(MOST_OVERALL, modifier)"),
    Fault("kernel_submarines", "        s[at.ROUND_SUNK + side] += 1  # AM-02\n", ""),
    Fault("kernel_submarines", "s[at.GROUP_SUPPLY + group] != 0 or (s[at.GROUP_NEAR", "(s[at.GROUP_NEAR"),
    Fault("kernel_submarines", "            _shift_losses(s, c, group)\n", ""),
    Fault("kernel_withdrawal", "return 0 if s[at.ROUND_SUNK] > s[at.ROUND_SUNK + 1] else 1", "return 0"),
    Fault("kernel_withdrawal", "                return  # he would", "                pass  # he would"),
    Fault("kernel_withdrawal", "evaded == count(groups) and ships & s[at.READY_CARRIERS + side] == 0", "evaded == count(groups)"),
    Fault("kernel_withdrawal", "    if ships | light == 0:\n", "    if ships == 0:\n"),
    Fault("kernel_withdrawal", "        light |= s[at.LIGHT_SOUND + group]\n", "        light |= s[at.GROUP_LIGHT + group]\n"),
    Fault("kernel_withdrawal", "if all_leave or s[at.LIGHT_FACTORS_UNDAMAGED + group] != s[at.LIGHT_FACTORS_ALL + group]:", "if all_leave:"),
    Fault("kernel_groups", "    own_ships &= ~s[at.DAMAGED_SHIPS + side]\n", ""),
    Fault("kernel_groups", "    enemy_ships &= ~s[at.DAMAGED_SHIPS + enemy]\n", ""),
    Fault("kernel_groups", "enemy_air += doctrine.carrier_air * s[at.DISCLOSED_CARRIERS + group]", "enemy_air += 0"),
    Fault("kernel_groups", "    s[at.LIGHT_SOUND + group] = sound\n", ""),
    Fault("kernel_withdrawal", "1 if losers == 1 else 0 if losers == 2 else NONE", "1 if losers == 1 else 0"),
    Fault("kernel_withdrawal", "joined + carries >= needed", "True"),
    Fault("kernel_withdrawal", "(combining and _is_late(s, group, following))", "False"),
    Fault("kernel_withdrawal", "strength <= MOST_FACTORS and", "True and"),
    Fault("kernel_withdrawal", "number = at.MOST_GROUPS + 1 - i if highest else i", "number = i"),
    Fault("kernel_withdrawal", "        s[at.NEWLY_SHIPS + side] = 0\n", ""),
    Fault("kernel_battle", "1 if s[at.VICTOR] == 1 else 0", "1 if s[at.VICTOR] == 0 else 0"),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=named)
def test_a_planted_fault_is_found(battles: list[Record], fault: Fault) -> None:
    with planted(fault) as faulty:
        assert any(differs(faulty, made) for made in battles)
