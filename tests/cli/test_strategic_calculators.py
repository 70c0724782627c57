"""`flagplot subwar`, `bombing` and `raiders`: what is typed, the chances, dice that were rolled, and kind refusals."""

from __future__ import annotations

import json
import re
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from flagplot import api
from flagplot.cli import bombing, raiders, subwar
from flagplot.cli.terminal import THEME
from flagplot.play.wording import percent_in_table
from tests.cli.conftest import Run
from tests.cli.step_words import refusal, resolved

COMMANDS = {"subwar": subwar.subwar, "bombing": bombing.bombing, "raiders": raiders.raiders}
EXAMPLES = [
    " ".join(example.split())
    for command in COMMANDS.values()
    for example in re.findall(r"\[bold\](flagplot .*?)\[/bold\]", command.__doc__ or "", re.DOTALL)
]
CONVOY = ["subwar", "--submarines", "6", "--asw", "3", "--transports", "35", "--port", "Brest", "--us-war", "1"]
LONDON = ["bombing", "--nation", "Germany", "--aaf", "15", "--distance", "3", "--target", "London", "--value", "30"]
LONDON += ["--defences", "city, objective, airbase and 2 flak", "--met", "3 interceptors, 2 AAF", "--radar", "1"]
BY = {"edition": "current", "options": {}}
BISMARCK = ["raiders", "--group", "Bismarck: 2 ships, 7 factors", "--transports", "30"]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Someone looks at the output."""
    out = lambda: Console(theme=THEME, highlight=False, width=80, force_terminal=True, color_system=None)  # noqa: E731
    for module in (subwar, bombing, raiders):
        monkeypatch.setattr(module, "wants_json", lambda asked: asked)
        monkeypatch.setattr(module, "console", out)


def seen(run: Run, *words: str) -> str:
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    return " ".join(result.stdout.split())


def test_every_command_has_three_examples_and_one_with_dice() -> None:
    for name in COMMANDS:
        own = [example for example in EXAMPLES if example.startswith(f"flagplot {name} ")]
        assert len(own) == 3 and sum("--roll" in example for example in own) == 1


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_help_pages_run(run: Run, example: str) -> None:
    found = resolved(run, *shlex.split(example)[1:])
    assert ("resolved" in found) == ("--roll" in example) and found["quantities"]


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_help_pages_are_told(run: Run, example: str) -> None:
    shown = seen(run, *shlex.split(example)[1:])
    assert "on the average" in shown and ("In all:" in shown) == ("--roll" in example)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_page_shows_its_examples(run: Run, name: str) -> None:
    shown = " ".join(run(name, "--help").stdout.split())
    assert shown.count(f"flagplot {name} --") == 3


def test_the_examples_of_the_document_run(run: Run) -> None:
    text = (Path(__file__).parents[2] / "docs" / "strategic-calculators.md").read_text("utf-8")
    examples = re.findall(r"^    flagplot (.*)$", text, re.MULTILINE)
    assert len(examples) == 4
    for example in examples:
        assert resolved(run, *shlex.split(example))["quantities"]


# -- submarines -------------------------------------------------------------------------------------


def test_the_json_of_submarine_warfare_is_the_answer_of_the_api(run: Run) -> None:
    asked: dict[str, Any] = {"box": "Atlantic", "attacker": "Germany", "submarines": 6, "asw": 3, "transports": 35}
    asked |= {"ports_controlled_and_fully_supplied": ["Brest"], "axis_combat_phases_since_war_began": 1}
    found = resolved(run, *CONVOY, "--roll", "4", "3", "52")
    expected = api.call("submarine_odds", asked, dice=[4, 3, 5, 2])
    assert found == expected | {"assumed": ["no CVEs", "no codebreaking cards", "no research"], **BY}
    assert found["net_modifier"] == 1 + 2 + 1 + 2


@pytest.mark.usefixtures("terminal")
def test_submarine_warfare_is_told_with_its_modifier_and_its_dice(run: Run) -> None:
    shown = seen(run, *CONVOY, "--turn", "spring 1941", "--roll", "4352")
    assert "No more than 4 of 6 may fight in spring 1941 (25.13)." in shown
    assert "Net modifier +6" in shown and "+2 happy time, Axis combat phase 1 of the war (25.66B)" in shown
    assert "Germany: 4 + 3 + 6 = 13: 1/4." in shown and "ASW: 5 + 2 − 6 = 1: 0/0." in shown
    assert "Submarines lost: 0, whatever is rolled." in shown
    assert "4 for the modifier (24.64A), 4 for those that get through (24.64B)" in shown
    assert "In all: 9 transports sunk, 4 damaged, no submarines lost." in shown


@pytest.mark.usefixtures("terminal")
def test_transports_that_run_out_take_asw_and_carriers_with_them(run: Run) -> None:
    shown = seen(
        run, "subwar", "--submarines", "20", "--transports", "2", "--asw", "1", "--cves", "1", "--roll", "66 11"
    )
    assert "ASW lost:" in shown and "CVEs lost:" in shown
    assert "In all: 2 transports sunk, none damaged, no submarines lost, 1 ASW lost, 1 CVE lost." in shown


@pytest.mark.usefixtures("terminal")
def test_advanced_submarines_and_a_second_power_are_told(run: Run) -> None:
    words = ["subwar", "--box", "indian ocean", "--nation", "Germany", "--submarines", "2", "--asw", "1"]
    words += ["--transports", "9", "--advanced", "1", "--other", "3 submarines, 2 ASW, -1"]
    shown = seen(run, *words, "--dice", "11", "22", "33", "44", "55")
    assert "2 submarines and 1 advanced submarine" in shown and "3 submarines of the other power" in shown
    assert "Germany, advanced: 5 + 5 = 10: 1/1." in shown and "Each also sinks a transport: 1 (25.73)." in shown
    found = resolved(run, *words, "--json")
    assert list(found["submarines_eliminated_by_power"]) == ["Germany", "Japan"] and found["dice"] == 10


def test_advanced_submarines_may_fight_alone(run: Run) -> None:
    found = resolved(
        run, "subwar", "--submarines", "0", "--advanced", "2", "--asw", "9", "--transports", "9", "--roll", "66"
    )
    assert [combat["power"] for combat in found["resolved"]["combats"]] == ["Germany, advanced"] and found["dice"] == 2


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--nation", "Italy"], "25.13B: submarines of Italy do not conduct submarine warfare"),
        (
            ["--box", "Pacific", "--nation", "Germany"],
            "25.13A: submarines of Germany conduct submarine warfare in the Atlantic SW box and the Indian Ocean SW box, nowhere",
        ),
        (["--box", "Atlantic", "--nation", "Japan"], "25.13A: only German submarines"),
        (["--box", "Baltic"], "there is no SW box 'Baltic'"),
        (["--nation", "Atlantis"], "there is no major power 'Atlantis'"),
        (
            ["--port", "Paris"],
            "25.65: 'Paris' helps no submarines of Germany in the Atlantic SW box; those that help are Br",
        ),
        (["--box", "Indian Ocean", "--nation", "Germany", "--port", "Brest"], "no port does"),
        (["--box", "Pacific", "--us-war", "1"], "25.66: war between Germany and the U.S."),
        (["--box", "Pacific", "--ireland", "7"], "25.725: Ireland"),
        (["--box", "Pacific", "--advanced", "1"], "25.73: only Germany"),
        (["--other", "2, 1"], "25.82: only in the Indian Ocean"),
        (["--other", "many"], "--other 'many' will not do"),
        (["--submarines", "many"], "--submarines 'many' will not do"),
        (["--us-war", "0"], "--us-war '0' will not do: give a number from 1 to 99"),
        (["--drm", "x"], "--drm 'x' will not do"),
        (["--turn", "Easter 1942"], "'Easter 1942' is no turn"),
        (["--roll", "4"], "submarines of Germany: 2 dice, and 1 is given"),
        (["--roll", "4", "3", "5"], "the dice 5 are too many: 2 are rolled"),
        (["--asw", "1", "--roll", "4", "3"], "ASW against Germany: 2 dice after the first 2, and none is given"),
        (["--option", "peace"], "'peace' is not an option"),
    ],
)
def test_what_cannot_be_is_refused_with_its_rule(run: Run, words: list[str], why: str) -> None:
    given = [] if "--submarines" in words else ["--submarines", "2"]
    assert why in refusal(run, "subwar", "--transports", "9", *given, *words)


def test_an_option_is_gone_by(run: Run) -> None:
    words = ["subwar", "--submarines", "6", "--advanced", "4", "--transports", "12", "--json"]
    usual = resolved(run, *words)
    other = resolved(run, *words, "--option", "damaged_transports_leave=after_advanced")
    assert usual["quantities"]["transports_sunk"] != other["quantities"]["transports_sunk"]


# -- bombers ----------------------------------------------------------------------------------------


def test_the_json_of_a_raid_is_the_answer_of_the_api(run: Run) -> None:
    asked: dict[str, Any] = {"nation": "Germany", "aaf": 15, "distance": 3, "target": "London", "value": 30, "radar": 1}
    asked["defences"] = {"cities_or_ports": 1, "objectives": 1, "airbases": 1, "flak": 2}
    asked["meetings"] = [{"interceptors": 3, "aaf": 2}]
    found = resolved(run, *LONDON, "--roll", "5 4 2 3 6 5 2 3")
    assert found == api.call("bombing_odds", asked, dice=[5, 4, 2, 3, 6, 5, 2, 3]) | {"assumed": [], **BY}
    assert found["strength"] == 6 and found["resolved"]["brps_lost"] == 5


@pytest.mark.usefixtures("terminal")
def test_a_raid_is_told_from_take_off_to_brps(run: Run) -> None:
    shown = seen(run, *LONDON, "--roll", "5 4 2 3 6 5 2 3")
    assert "Germany: 5 AAF that bomb and 10 AAF of escort, 3 hexes off." in shown
    assert "Air combat: rows 5 and 5, modifier −1 (26.453)" in shown and "Strength of the target 6 (26.461A)" in shown
    assert "Firestorm: the damage cannot be enough (26.91)." in shown
    assert "In all: 5 BRPs lost of 5 damage, 1 damage marker; 2 bombers lost, 3 turned back." in shown


@pytest.mark.usefixtures("terminal")
def test_fronts_notes_and_fires_are_told(run: Run) -> None:
    words = ["bombing", "--nation", "United States", "--bombers", "30", "--interceptors", "2", "--distance", "9"]
    words += ["--air-range", "2", "--target", "German objective", "--defences", "2 cities, fortress"]
    words += ["--met", "1 interceptor", "--met", "unescorted, 2 jets", "--bomber-results", "3"]
    shown = seen(run, *words)
    assert "Air combat 2, if nothing is lost before it" in shown and "its escorts gone home" in shown
    assert "BRPs lost are not capped" in shown and "interceptors escort as far as 8 hexes" in shown
    assert re.search(r"Firestorm: [\d.<>]+% \(26.91\)", shown) and "+2 fortress (26.461A)" in shown
    assert "nine times out of ten" in shown


@pytest.mark.usefixtures("terminal")
def test_a_raid_that_nobody_survives_drops_nothing(run: Run) -> None:
    words = ["bombing", "--nation", "Britain", "--bombers", "1", "--distance", "2", "--country", "Italy"]
    shown = seen(run, *words, "--met", "12 jets", "--roll", "1 1 6 6")
    assert "Bombing of a target in Italy" in shown and "No bomber arrives." in shown
    assert "Firestorm: never, only German, Japanese and British cities" in shown
    assert "Not said, so taken: nothing shoots in the hex; one bomber result." in shown


@pytest.mark.usefixtures("terminal")
def test_a_box_has_its_own_strength_and_value(run: Run) -> None:
    words = ["bombing", "--nation", "Japan", "--theatre", "Pacific", "--bombers", "3", "--distance", "1"]
    shown = seen(run, *words, "--target", "india box")
    assert "Bombing of the India box" in shown and "Strength of the target 3" in shown and "10 at most" in shown
    assert "nobody meets it" in shown and "nothing shoots" not in shown


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--target", "Berlin"], "26.31: 'Berlin' is on no list of targets"),
        (["--target", "London", "--distance", "9"], "26.31: strategic bomber: 9 hexes is more than its range of 4"),
        (
            ["--target", "London", "--aaf", "3", "--distance", "5", "--air-range", "1"],
            "AAF: 5 hexes is more than its range",
        ),
        (
            ["--target", "London", "--aaf", "2", "--distance", "6", "--air-range", "1"],  # escorts, but sent there
            "26.31: AAF: 6 hexes is more than its range of 4",
        ),
        (
            ["--target", "London", "--nation", "U.S."],
            "26.31: London belongs to Britain, and United States is on the same side",
        ),
        (
            ["--target", "Tokyo", "--nation", "Germany"],
            "26.31: Tokyo belongs to Japan, and Germany is on the same side",
        ),
        (["--target", "London", "--secondary"], "26.32: London is a target in its own right"),
        (
            ["--country", "Italy", "--nation", "U.S.", "--secondary"],
            "26.32: only cities in Germany, Britain, Japan are",
        ),
        (["--target", "Atlantic U.S. box"], "26.31: strategic bomber: the U.S. boxes take three air range results"),
        (["--target", "London", "--bombers", "0"], "26.42: nothing here bombs"),
        (["--target", "London", "--nation", "Japan", "--aaf", "12"], "26.52: Japan bombs with 10 AAF a turn, not 12"),
        (["--target", "London", "--defences", "3 trees"], "--defences '3 trees' will not do"),
        (["--target", "London", "--met", "3 zeppelins"], "--met '3 zeppelins' will not do"),
        (["--target", "London", *["--met", "1 jet"] * 4], "26.442: a raid is met once on each front"),
        ([], "say the target, or whose it is"),
        (["--target", "London", "--defender", "Mars"], "there is no major power"),
        (["--target", "London", "--theatre", "Moon"], "Moon"),
    ],
)
def test_what_cannot_be_bombed_is_refused_with_its_rule(run: Run, words: list[str], why: str) -> None:
    given: list[str] = []
    for name, value in (("--nation", "Germany"), ("--bombers", "2"), ("--distance", "2")):
        given += [] if name in words else [name, value]
    more = ["--met", "1 jet"] if "--defender" in words else []
    assert why in refusal(run, "bombing", *given, *words, *more)


@pytest.mark.ledger("26.71A.3")
def test_the_Urals_box_is_worth_what_the_Russian_base_says(run: Run) -> None:
    """26.71A: the base less 20; unsaid, nothing is capped, and that is told instead of BRPs that are never lost."""
    words = ["bombing", "--nation", "Germany", "--bombers", "6", "--distance", "4", "--target", "Urals box", "--json"]
    unsaid = resolved(run, *words)
    assert unsaid["value"] is None and unsaid["quantities"]["brps_lost"] == unsaid["quantities"]["damage"]
    assert unsaid["notes"] == [["26.71A", "BRPs lost are not capped: Russia's BRP base is not said"]]
    poor = resolved(run, *words, "--russian-base", "22")
    assert poor["value"] == 2 and poor["notes"] == [] and set(poor["quantities"]["brps_lost"]["chances"]) == {"2"}
    assert resolved(run, *words, "--russian-base", "20")["quantities"]["brps_lost"]["expected"] == 0


@pytest.mark.ledger("26.71A.3")
def test_without_a_limit_nothing_is_said_to_be_lacking(run: Run) -> None:
    words = ["bombing", "--nation", "Germany", "--bombers", "6", "--distance", "20", "--air-range", "3", "--json"]
    assert resolved(run, *words, "--target", "Atlantic U.S. box")["notes"] == []


# -- raiders ----------------------------------------------------------------------------------------


def test_the_json_of_raiders_is_the_answer_of_the_api(run: Run) -> None:
    asked: dict[str, Any] = {
        "box": "Atlantic",
        "transports": 30,
        "cves": 3,
        "hunters": {"cruiser": 1, "fast carrier": 2},
    }
    asked["groups"] = [{"name": "Bismarck", "ships": 2, "factors": 7}, {"ships": 1, "factors": 0}]
    found = resolved(
        run, *BISMARCK, "--group", "1 ship", "--cves", "3", "--hunters", "CA and 2 CVs", "--roll", "1 43 6 562"
    )
    assumed = ["no air range", "no codebreaking cards", "no war with the U.S."]
    assert found == api.call("raider_odds", asked, dice=[1, 4, 3, 6, 5, 6, 2]) | {"assumed": assumed, **BY}
    assert [group["ships_engaging"] for group in found["resolved"]["groups"]] == [0, 3]


@pytest.mark.usefixtures("terminal")
def test_raiders_are_told_group_by_group(run: Run) -> None:
    shown = seen(
        run, *BISMARCK, "--group", "3 ships and 9 fire factors", "--us-war", "--hunters", "none", "--roll", "1 66 6 22"
    )
    assert "Bismarck, 2 ships, 7 fire factors: the die −2 (21.5342)" in shown
    assert "Group 2, 3 ships, 9 fire factors: the die 0 (21.5342)" in shown
    assert "Groups engaged: 0, whatever is rolled." in shown and "Kinds that are not there are lost (SR-43)" in shown
    assert "Group 2: 6, modified 6: no ships of 6 called for meet it." in shown
    alone = seen(run, "raiders", "--group", "1 ship", "--roll", "4")
    assert "1 ship meets it" in alone and "Fire at transports" not in alone and "every ship that is called for" in alone
    told = seen(run, "raiders", "--group", "1 ship", "--hunters", "CA", "--roll", "4")
    assert "no war with the U.S." in told and "U.S.." not in told
    newer = seen(run, "raiders", "--group", "1 ship", "--option", "raider_defenders=newer")
    assert "A die for each one: 1: destroyer;" in newer


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--group", "foo"], "--group 'foo' will not do"),
        (["--group", "4 ships"], "21.5342: a raiding group has from 1 to 3 ships, not 4"),
        (["--group", "99 factors"], "99 is no number of fire factors"),
        (["--group", "1 ship", "--nation", "Britain"], "25.35E: raiders are met by the Western Allies only"),
        (["--group", "1 ship", "--singapore"], "21.5342: Singapore counts for Japan in the Indian Ocean only"),
        (["--group", "1 ship", "--southern-edge"], "21.5342: the southern edge"),
        (["--group", "1 ship", "--squadrons", "2"], "21.5342: search squadrons count"),
        (["--group", "1 ship", "--box", "Pacific", "--us-war"], "21.5342: war between Germany and the U.S."),
        (["--group", "1 ship", "--hunters", "2 yachts"], "21.5342: 'yacht' is no kind of hunter"),
        (["--group", "1 ship", "--hunters", "2%"], "'2%' is no ship"),
        (["--group", "1 ship", "--hunters", "31 cruisers"], "31 is no number of hunters"),
        (["--group", "1 ship"] * 7, "name from 1 to 6 raiding groups"),
        (["--group", "1 ship", "--roll", "1 2"], "the dice 2 are too many: 1 is rolled"),
    ],
)
def test_raiders_that_cannot_be_are_refused_with_their_rule(run: Run, words: list[str], why: str) -> None:
    assert why in refusal(run, "raiders", *words)


def test_more_hunters_than_can_be_counted_are_refused_in_time(run: Run) -> None:
    fleet = "9 cruisers, 9 5-factor BBs, 9 CVs, 9 3-factor BBs, 9 4-factor BBs, 9 2-factor BCs, 9 destroyers"
    words = [*["--group", "3 ships"] * 6, "--air-range", "3", "--cves", "20", "--us-war", "--hunters", fleet]
    assert "too many different hunters and groups to count" in refusal(run, "raiders", *words)
    found = resolved(run, "raiders", *["--group", "2 ships"] * 3, "--hunters", "5 CA, 2 CV, 2 5-factor BB, 3-factor BC")
    assert len(found["groups"]) == 3


# -- what they share --------------------------------------------------------------------------------


def test_nothing_that_can_happen_is_rounded_away() -> None:
    assert [
        percent_in_table(Fraction(1, 9999)),
        percent_in_table(Fraction(9999, 10000)),
        percent_in_table(Fraction(0)),
    ] == [
        "<0.1%",
        ">99.9%",
        "-",
    ]


def test_piped_output_is_json(run: Run) -> None:
    for words in (CONVOY, LONDON, BISMARCK):
        assert json.loads(run(*words).stdout)["quantities"]


@pytest.mark.parametrize(
    "name", ["sw-combat", "raider", "submarine-limits", "air-range", "carrier-effects", "naval-repair", "bombing"]
)
def test_the_tables_of_the_strategic_war_are_listed_and_shown(run: Run, name: str) -> None:
    assert name in json.loads(run("table").stdout)
    assert json.loads(run("table", name).stdout)["table"] == name
