"""The page on writing a battle says what the loader does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flagplot.cli.play import read_script
from flagplot.core.sides import Side
from flagplot.editions.options import OPTIONS
from flagplot.model.forces import MISSIONS
from flagplot.model.setup import INPUTS, KINDS
from flagplot.model.state import RESEARCH
from flagplot.scenarios.air import BOXES, UNITS
from flagplot.scenarios.checks import TAKEN_NAMES
from flagplot.scenarios.document import Part
from flagplot.scenarios.loader import list_scenarios, parse_scenario, scenario_text
from flagplot.tables.naval_nationality import NATIONS
from tests.scenarios.texts import air_base, battle, force, refusal

PAGE = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text("utf-8")
EXAMPLE, FRAGMENT = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

# A set-up in which every table of the format occurs.
EVERYTHING = battle(
    '[options]\nevaded_engagement = "spent"\n[inputs]\ntactical = { axis = 1 }\n',
    '[[axis.base]]\nname = "Truk"\ndistance = 8\n'
    + air_base("")
    + force(
        'base = "Truk"\nships = [{ name = "Kongo" }]\ndestroyers = 1\ncargo = [{ name = "oil", needs = 1 }]\n'
        'also = [{ nation = "Italy", cruisers = 1 }]'
    ),
)

# The heading under which the keys of a table stand, by the table's path without places in lists.
HEADINGS = {
    "": "Top level",
    "options": "`[options]`",
    "inputs": "`[inputs]`",
    "port": "Port",
    "axis": "Side",
    "axis.base": "Base",
    "axis.air_base": "Air base",
    "axis.force": "Force",
    "axis.force.ships": "Ship",
    "axis.force.also": "Light ships of another nation",
    "axis.force.cargo": "Cargo",
}


def section(heading: str) -> str:
    match = re.search(rf"^##+ {re.escape(heading)}.*?\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert match, heading
    return match.group(1)


def rows(heading: str) -> list[str]:
    return re.findall(r"^\| `([^`]+)` \|", section(heading), re.MULTILINE)


def known_keys(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """The keys the loader lets pass in each table, as it says itself while it reads."""
    found: dict[str, set[str]] = {}
    only = Part.only

    def watched(part: Part, *known: str) -> None:
        found.setdefault(".".join(key for key in part.path if isinstance(key, str)), set()).update(known)
        only(part, *known)

    monkeypatch.setattr(Part, "only", watched)
    parse_scenario(EVERYTHING, "everything.toml")
    parse_scenario(scenario_text("taranto"), "taranto.toml")
    return found


def test_the_example_loads() -> None:
    scenario = parse_scenario(EXAMPLE, "matapan.toml")
    assert [force.name for force in scenario.setup.sides[Side.ALLIES].forces] == ["Battle fleet", "Light forces"]


def test_the_force_in_mid_battle_loads() -> None:
    allies = force('number = 1\nships = ["Washington"]', "allies", "Two")
    scenario = parse_scenario(battle('round = 3\norder_of_battle = "hidden"\n', FRAGMENT, allies), "third.toml")
    hiei, kirishima, junyo = scenario.setup.sides[Side.AXIS].forces[0].ships
    assert (hiei.damaged, kirishima.hits, junyo.air) == (True, 1, 1)


def test_every_key_stands_in_the_table_of_its_place_and_no_other_does(monkeypatch: pytest.MonkeyPatch) -> None:
    found = known_keys(monkeypatch)
    assert found.pop("inputs.tactical") == {"axis", "allies"}
    for side in Side:
        assert found.pop(f"{side}.research") == set(RESEARCH)
        assert found.pop(f"{side}.excess_asw") == set(BOXES)
    assert found.pop("allies.base") == found["axis.base"] and found.pop("allies.air_base", None) is None
    assert found.pop("allies") == found["axis"] and found.pop("allies.force") == found["axis.force"]
    assert {path: set(rows(HEADINGS[path])) for path in found} == found
    assert set(found) == set(HEADINGS)


def test_every_row_has_five_cells() -> None:
    for heading in HEADINGS.values():
        for line in re.findall(r"^\|.*\|$", section(heading), re.MULTILINE):
            assert len(line.strip("|").split("|")) == 5, line


def test_options_have_the_values_and_defaults_of_the_page() -> None:
    for option in OPTIONS.values():
        values = ", ".join(f'`"{value}"`' for value in option.values)
        row = rf"^\| `{option.name}` \| .* \| {values} \| `\"{option.default}\"` \| {option.ruling} \|$"
        assert re.search(row, PAGE, re.MULTILINE), option.name


def test_missions_nations_and_battles_are_all_there() -> None:
    assert rows("Missions") == list(MISSIONS)
    assert re.findall(r"`([^`]+)`", section("Nations").strip().split("\n\n")[0]) == list(NATIONS)
    shipped = re.findall(r"^\| (`.*?`) \|", section("Start from"), re.MULTILINE)
    assert set(re.findall(r"`([\w-]+)`", " ".join(shipped))) == {each.name for each in list_scenarios()}


def test_words_that_are_refused_are_named() -> None:
    text = section("Checking a file")
    assert all(f"`{word}`" in text for word in TAKEN_NAMES)


def values_of(key: str) -> list[str]:
    (cell,) = re.findall(rf"^\| `{key}` \| .* \| (.*) \| .* \| .* \|$", PAGE, re.MULTILINE)
    return re.findall(r'"([^"]+)"', cell)


def test_words_that_may_be_chosen_are_all_there() -> None:
    assert values_of("kind") == list(KINDS)
    assert values_of("rules_not_held") == list(INPUTS)


def test_keys_of_small_tables_are_named_with_them() -> None:
    for key, names in (("research", RESEARCH), ("excess_asw", BOXES)):
        (line,) = re.findall(rf"^\| `{key}` \|.*$", PAGE, re.MULTILINE)
        written = [f'`"{name}"`' if " " in name else f"`{name}`" for name in names]
        assert [word for word in re.findall(r"`[^`]+`", line) if word in written] == written


def test_air_units_are_all_there() -> None:
    lines = re.findall(r"^\| (`.*?`) \| [^|]* \|$", section("Aircraft"), re.MULTILINE)
    assert sorted(re.findall(r"`([^`]+)`", " ".join(lines))) == sorted(UNITS)


def test_the_refusal_on_the_page_is_the_one_given() -> None:
    wrong = EXAMPLE.replace('ships = ["Vittorio Veneto"]', 'ships = ["Vittorio Veneto", "Andrea Doria"]')
    said = str(refusal(wrong)).replace("test.toml", "my-battle.toml")
    assert f"    flagplot: {said}\n" in PAGE


def test_the_dice_script_on_the_page_is_read(tmp_path: Path) -> None:
    (script,) = re.findall(r"(?:^    .*\n)+", section("Dice scripts"), re.MULTILINE)
    path = tmp_path / "dice.txt"
    path.write_text(script, "utf-8")
    assert read_script(path) == [3, 5, 1, 6, 2, 4, 3, 6, 6, 1, 1, 2, 4]


def test_links_within_the_page_lead_to_headings() -> None:
    headings = [
        re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in re.findall(r"^#+ (.*)$", PAGE, re.M)
    ]
    for target in re.findall(r"\]\(#([^)]+)\)", PAGE):
        assert target in headings
