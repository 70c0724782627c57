"""What is right in a set-up is read as it was written; what is no set-up at all is refused."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from flagplot.core.errors import ScenarioError, UnknownName
from flagplot.core.sides import Side
from flagplot.model.forces import Cargo
from flagplot.model.setup import Air
from flagplot.model.state import Base
from flagplot.scenarios.document import MOST_BYTES, path_text, shown
from flagplot.scenarios.forces import loaded
from flagplot.scenarios.loader import list_scenarios, load_scenario, parse_scenario
from flagplot.scenarios.places import first_excess, lines
from tests.scenarios.texts import (
    ALLIED_FORCE,
    AXIS_FORCE,
    BARE,
    HIDDEN,
    RAID,
    SEVEN_CARGOES,
    SEVEN_GROUPS,
    axis_of,
    battle,
    force,
    refusal,
)

# -- the text itself ---------------------------------------------------------------------------


def test_the_line_is_that_of_the_key() -> None:
    text = battle(axis=force('ships = [\n  "Kongo",\n  # a comment\n  "Nobody",\n]'))
    number = 1 + text[: text.index('"Nobody"')].count("\n")
    assert refusal(text).place == f"test.toml, line {number}, axis.force[1].ships[2]"


def test_a_missing_key_has_the_line_of_its_table() -> None:
    text = battle(axis="[[axis.force]]\ncruisers = 2\n")
    number = 1 + text[: text.index("[[axis.force]]")].count("\n")
    assert refusal(text).place == f"test.toml, line {number}, axis.force[1].name"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("format = 1\ntitle = \n", 2, "Invalid value"),
        ("a = 1\na = 2\n", 2, "not valid TOML"),
        ("a = 'x\n", 0, "not valid TOML"),
        ('a = """x\n', 0, "not valid TOML"),
        ("a = [1\n", 0, "not valid TOML"),
        ("a = " + "1" * 5000, 0, "not valid TOML"),
        ("format = 1\nx = '\0'\n", 2, "NUL"),
        ("a = 1\nb = " + "[" * 21 + "]" * 21, 2, "nested more than 20 deep"),
        ("b = " + "[" * 100_000, 1, "nested more than 20 deep"),
        ("b = " + "{a=" * 21 + "1" + "}" * 21, 1, "nested more than 20 deep"),
        (".".join("a" * 21) + " = 1\n", 1, "nested more than 20 deep"),
        ("a = [\n" + "1," * 20_000, 2, "more than 20000 names, values and signs"),
        ("[" + ".".join("a" * 60_000) + "]\n", 1, "nested more than 20 deep"),
    ],
)
def test_a_text_that_cannot_be_parsed_is_refused(text: str, line: int, words: str) -> None:
    found = refusal(text)
    assert found.place == (f"test.toml, line {line}" if line else "test.toml")
    assert words in found.reason


def test_brackets_in_strings_and_comments_are_not_nesting() -> None:
    for quiet in ('"' + "[" * 30 + '"', "'''\n" + "{" * 30 + "'''", '"""\\"' + "[" * 30 + '"""', "1 #" + "[" * 30):
        assert first_excess(f"a = {quiet}\n", 20, 99) == (0, "")


def test_a_text_that_is_too_long_is_refused() -> None:
    spare = "#" * (MOST_BYTES - len(battle()) - 1) + "\n"
    parse_scenario(spare + battle(), "test.toml")
    assert "256 KiB" in refusal("#" + spare + battle()).reason


def test_a_text_that_is_no_text_is_refused() -> None:
    assert "UTF-8" in refusal(b"title = '\xff'").reason
    assert "UTF-8" in refusal("title = '\ud800'").reason


def test_marks_that_editors_leave_are_accepted() -> None:
    plain = parse_scenario(battle(), "test.toml")
    assert parse_scenario("\ufeff" + battle().replace("\n", "\r\n"), "test.toml") == plain
    assert parse_scenario(battle().encode(), "test.toml") == plain


def test_every_way_to_write_a_key_has_its_line() -> None:
    text = """a = 1
b.c = 2
"d" = { e = 1, f = [1,
  { g = 2 }] }
[t]
x = '''
[not] = a table
'''
[[t.u]]
v = [[1], [
2]]
[t.u.w]
z = 1979-05-27 07:32:00
[[t.u]]
v = 1.5
"""
    found = {path_text(path): line for path, line in lines(text).items()}
    assert found == {
        "a": 1,
        "b": 2,
        "b.c": 2,
        "d": 3,
        "d.e": 3,
        "d.f": 3,
        "d.f[1]": 3,
        "d.f[2]": 4,
        "d.f[2].g": 4,
        "t": 5,
        "t.x": 6,
        "t.u": 9,
        "t.u[1]": 9,
        "t.u[1].v": 10,
        "t.u[1].v[1]": 10,
        "t.u[1].v[1][1]": 10,
        "t.u[1].v[2]": 10,
        "t.u[1].v[2][1]": 11,
        "t.u[1].w": 12,
        "t.u[1].w.z": 13,
        "t.u[2]": 14,
        "t.u[2].v": 15,
    }


def test_a_text_that_ends_too_soon_has_the_lines_it_has() -> None:
    assert lines("a = 1\nb = [1,") == {("a",): 1, ("b",): 2, ("b", 0): 2}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({}, "a table"),
        ([], "a list"),
        (True, "true"),
        (10**13, "that number"),
        (1.5, "1.5"),
        ("x" * 99, "'" + "x" * 76),
    ],
)
def test_a_value_is_quoted_shortly(value: Any, words: str) -> None:
    assert shown(value).startswith(words) and len(shown(value)) <= 80


# -- what is right --------------------------------------------------------------------------------


def test_the_defaults_are_those_of_the_format() -> None:
    scenario = parse_scenario(battle(), "folder/test.toml")
    public = scenario.setup.public
    assert (scenario.name, scenario.edition, scenario.options) == ("test", "current", {})
    assert (public.kind, public.round, public.order_of_battle, public.summary) == ("naval battle", 1, "open", "")
    assert public.names == {Side.AXIS: "Japan", Side.ALLIES: "United States"}
    assert public.tactical == public.search_advantage == {Side.AXIS: 0, Side.ALLIES: 0}
    assert (public.aircraft, public.submarines, public.western_front, public.inputs) == (False, False, False, "default")
    assert public.air == {Side.AXIS: Air(research={"torpedo": 1}), Side.ALLIES: Air()}, "Japan begins with it (25.632)"
    assert not any(each.submarines or each.destroyers_elsewhere for each in scenario.setup.sides.values())
    (only,) = scenario.setup.sides[Side.AXIS].forces
    assert (only.task_force, only.mission, only.arrives, only.number, only.engaged) == (True, "patrol", 1, 0, True)
    assert not (only.supply or only.unladen or only.inverted or only.cargo or only.light or only.base)


def test_everything_that_can_be_said_is_read() -> None:
    text = """format = 1
title = "All of it"
summary = \"\"\"Two
lines.\"\"\"
theatre = "Europe"
kind = "naval battle"
interceptor = "allies"
round = 2
order_of_battle = "hidden"
edition = "current"
options = { evaded_engagement = "spent" }
[inputs]
tactical = { axis = -1, allies = 1 }
search_advantage = "axis"
[axis]
name = "Kido Butai"
nation = "Japan"
partial_supply_or_oil = ["Japan"]
[[axis.base]]
name = "Truk"
distance = 6
[[axis.base]]
name = "Rabaul"
distance = 4
invaded = true
[[axis.force]]
name = "Strike"
mission = "sea transport"
base = "Truk"
number = 4
inverted = true
ships = ["akagi", { name = "Kaga", hits = 1, air = 2, may_not_withdraw = true }, { name = "Hiei", damaged = true }]
cruisers = 3
damaged_cruisers = 1
destroyers = 2
escort_carriers = 1
transports = 3
also = [{ nation = "Germany", destroyers = 2, cruisers = 1 }]
cargo = [{ name = "a corps", needs = 3 }, { name = "oil", needs = 2, by = "TR", divisible = true }]
[[axis.force]]
name = "Empty"
task_force = false
base = "Rabaul"
arrives = 3
sails_empty = true
destroyers = 1
[allies]
nation = "United States"
[[allies.force]]
name = "Supply"
number = 1
sea_supply = true
destroyers = 1
"""
    scenario = parse_scenario(text, "all.toml")
    public, axis = scenario.setup.public, scenario.setup.sides[Side.AXIS]
    assert scenario.options == {"evaded_engagement": "spent"}
    assert (public.summary, public.round, public.interceptor) == ("Two lines.", 2, Side.ALLIES)
    assert public.names[Side.AXIS] == "Kido Butai"
    assert public.tactical == {Side.AXIS: -1, Side.ALLIES: 1}
    assert public.search_advantage == {Side.AXIS: 1, Side.ALLIES: -1}
    assert axis.impaired == ("Japan",)
    assert axis.bases == (Base("Truk", 6), Base("Rabaul", 4, True))
    strike, empty = axis.forces
    akagi, kaga, hiei = strike.ships
    assert (akagi.id, akagi.air, akagi.hits, akagi.damaged, akagi.bound) == ("akagi", 3, 0, False, False)
    assert (kaga.hits, kaga.air, kaga.bound) == (1, 2, True)
    assert hiei.damaged and hiei.air == 0
    assert strike.light == {
        "Japan/CA": 3,
        "Japan/CA/damaged": 1,
        "Japan/DD/loaded": 2,
        "Japan/CVE": 1,
        "Japan/TR": 3,
        "Germany/CA": 1,
        "Germany/DD": 1,
        "Germany/DD/loaded": 1,
    }
    assert strike.cargo == (Cargo("a corps", 3), Cargo("oil", 2, "TR", True))
    assert (strike.mission, strike.base, strike.number, strike.inverted) == ("sea transport", "Truk", 4, True)
    assert (empty.task_force, empty.arrives, empty.unladen) == (False, 3, True)
    assert scenario.setup.sides[Side.ALLIES].forces[0].supply


def test_destroyers_load_as_many_as_the_cargo_needs() -> None:
    counts = {"Japan/CA": 1, "Japan/DD": 3, "Germany/DD": 2}
    assert loaded(counts, 0) == counts
    assert loaded(counts, 2) == {"Japan/CA": 1, "Japan/DD": 1, "Japan/DD/loaded": 2, "Germany/DD": 2}
    assert loaded(counts, 4) == {"Japan/CA": 1, "Japan/DD/loaded": 3, "Germany/DD": 1, "Germany/DD/loaded": 1}


def test_ships_of_allied_nations_sail_together() -> None:
    (only,) = axis_of(battle(axis=force('ships = ["Kongo", "Bismarck", { name = "Roma", nation = "Italy" }]'))).forces
    assert [ship.nation for ship in only.ships] == ["Japan", "Germany", "Italy"]


def test_limits_may_be_reached() -> None:
    assert axis_of(battle(axis=force("cruisers = 10\ndestroyers = 5"))).forces[0].factors == 25
    half = force('ships = ["Akagi", "Kaga"]\ndestroyers = 6')
    assert axis_of(battle(axis=half)).forces[0].factors == 12
    assert axis_of(battle(axis=force('ships = [{ name = "Yamato", hits = 3 }]'))).forces[0].ships[0].hits == 3
    exact = force(
        'destroyers = 2\ntransports = 1\ncargo = [{ name = "a", needs = 2 }, { name = "b", needs = 1, by = "TR" }]'
    )
    assert axis_of(battle(axis=exact)).forces[0].light == {"Japan/DD/loaded": 2, "Japan/TR": 1}


def test_a_task_force_that_has_fought_may_have_lost_its_escort() -> None:
    left = force('ships = ["Akagi", "Kaga"]\ndestroyers = 1')
    assert axis_of(battle("round = 2\n", left)).forces[0].factors == 7
    assert refusal(battle("round = 2\n", left + "arrives = 2")).rule == "20.162"


def test_groups_over_six_wait_without_a_number() -> None:
    numbered = "".join(force(f"destroyers = 9\nnumber = {i}", name=f"F{i}") for i in range(1, 7))
    assert len(axis_of(battle(HIDDEN, numbered + AXIS_FORCE)).forces) == 7
    laden = force('destroyers = 1\ncargo = [{ name = "a", needs = 1 }]')
    assert refusal(battle(HIDDEN, numbered + laden)).rule == "22.423A"
    assert len(axis_of(battle(axis=SEVEN_GROUPS + AXIS_FORCE)).forces) == 7


def test_six_cargo_groups_are_enough_and_a_seventh_may_come_later() -> None:
    late = SEVEN_CARGOES + "arrives = 2\n"
    assert len(axis_of(battle(axis=late)).forces) == 7


def test_forces_that_sail_as_one_share_a_number() -> None:
    both = "".join(force("destroyers = 1\ntask_force = false\nnumber = 3", name=name) for name in "AB")
    assert [each.number for each in axis_of(battle(HIDDEN, both)).forces] == [3, 3]


def test_one_bare_line_may_be_supplied_beside_an_escorted_one() -> None:
    text = battle(allies=force(BARE, "allies") + force("sea_supply = true\ndestroyers = 4", "allies", "Escorted"))
    bare, escorted = parse_scenario(text, "test.toml").setup.sides[Side.ALLIES].forces
    assert bare.supply and escorted.supply and not bare.factors


def test_without_bases_a_force_may_come_from_anywhere() -> None:
    assert axis_of(battle(axis=AXIS_FORCE + 'base = "Truk"')).forces[0].base == "Truk"


def test_raiders_may_go_unengaged_beside_one_that_is_not() -> None:
    text = battle(RAID, allies=ALLIED_FORCE + force("cruisers = 1\nengaged = false", "allies", "Other"))
    assert [each.engaged for each in parse_scenario(text, "t").setup.sides[Side.ALLIES].forces] == [True, False]


# -- finding set-ups ---------------------------------------------------------------------------------


def test_a_set_up_is_found_by_name_or_by_path(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(battle())
    assert load_scenario(mine) == load_scenario(str(mine)) == parse_scenario(battle(), "mine.toml")
    assert load_scenario("river-plate").name == "river-plate"


def test_a_set_up_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"did you mean river-plate\?"):
        load_scenario("river-plat")
    with pytest.raises(UnknownName, match="there are ambush, calabria, "):
        load_scenario("zzz")
    for path in (tmp_path / "gone.toml", str(tmp_path), tmp_path, "gone.toml"):
        with pytest.raises(ScenarioError, match="no such file"):
            load_scenario(path)


def test_a_file_that_is_too_long_is_not_read_whole(tmp_path: Path) -> None:
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (4 * MOST_BYTES))
    with pytest.raises(ScenarioError, match="256 KiB"):
        load_scenario(large)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.toml").write_text(battle())
    usual = Path.open

    def closed(path: Path, *arguments: Any, **options: Any) -> Any:
        if path.name == "mine.toml":
            raise PermissionError("not yours")
        return usual(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", closed)
    with pytest.raises(ScenarioError, match="cannot be read: not yours"):
        load_scenario(tmp_path / "mine.toml")


# Each of these once took, or could take, far longer to refuse than to read: strings that never close, and mass.
HOSTILE = {
    "escaped quotes": '\\"""\n' * 50_000,
    "quotes": '"' * 200_000,
    "strings begun": 'a="\\' * 40_000,
    "tables": "[[a]]\n" * 40_000,
    "keys": "".join(f"k{i}={{}}\n" for i in range(20_000)),
    "numbers": "a=[" + "1," * 100_000 + "]",
    "empty lines": "\n" * 250_000,
    "headers": "".join(f"[a.b.c.d.e.f.g.h.i.j{i}]\n" for i in range(10_000)),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_is_refused_soon(text: str) -> None:
    began = perf_counter()
    refusal(text)
    assert perf_counter() - began < 1  # a tenth of this on an idle machine


def test_the_battles_that_come_with_the_game_are_listed_by_name() -> None:
    names = [scenario.name for scenario in list_scenarios()]
    assert names == sorted(names)
