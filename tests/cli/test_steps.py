"""Single steps at the terminal: typed forces and dice, what comes of them, and kind refusals."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

import pytest
from rich.console import Console

from flagplot import api
from flagplot.cli import steps
from flagplot.cli.step_dice import the_dice
from flagplot.cli.terminal import THEME
from tests.cli.conftest import Process, Run
from tests.cli.step_words import MIDWAY, STRAIT, STRIKE_DICE, WASP, refusal, resolved, ship


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Someone looks at the output."""
    monkeypatch.setattr(steps, "wants_json", lambda asked: asked)
    out = lambda: Console(theme=THEME, highlight=False, width=80, force_terminal=True, color_system=None)  # noqa: E731
    monkeypatch.setattr(steps, "console", out)


def seen(run: Run, *words: str) -> list[str]:
    result = run(*words)
    assert result.exit_code == 0, result.output
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    assert all(len(line) <= 80 for line in lines)
    return lines


# -- examples -----------------------------------------------------------------------------------------------


def examples(command: Callable[..., None]) -> list[str]:
    told = re.findall(r"\[bold\](flagplot \w+ --.*?)\[/bold\]", command.__doc__ or "", re.DOTALL)
    return [" ".join(each.split()) for each in told]


EXAMPLES = [example for command in (steps.strike, steps.engage, steps.submarine) for example in examples(command)]


def test_every_command_has_examples() -> None:
    assert [example.split()[1] for example in EXAMPLES] == ["strike"] * 2 + ["engage"] * 2 + ["submarine"] * 2


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_help_pages_run(run: Run, example: str) -> None:
    found = resolved(run, *shlex.split(example)[1:])
    assert found["dice_used"] == len(found["dice"]) > 0


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_help_pages_are_told(run: Run, example: str) -> None:
    shown = seen(run, *shlex.split(example)[1:])
    assert "Outcome" in shown and "Dice" in shown


def test_the_commands_are_listed_and_show_their_examples(process: Process) -> None:
    listed = process("--help").stdout
    for name in ("strike", "engage", "submarine"):
        assert name in listed
        assert f"flagplot {name} --" in process(name, "--help").stdout


# -- JSON is the API's answer -------------------------------------------------------------------------------

ENTERPRISE = ship("enterprise", "United States", "CV", 3)
YORKTOWN = ship("yorktown", "United States", "CV", 3)


def test_a_strike_is_the_answer_of_the_api(run: Run) -> None:
    found = resolved(run, "strike", *MIDWAY, "--dice", *STRIKE_DICE, "6")
    target = {
        "ships": [ENTERPRISE, YORKTOWN],
        "light": {"United States/CA": 4, "United States/DD": 3},
        "patrol": {"United States/NAS": 2},
    }
    asked = {"attackers": {"Japan/NAS/elite": 8}, "target": target}
    answer = api.call("air_strike", asked, dice=list(map(int, STRIKE_DICE)))
    assert {key: found[key] for key in answer} == answer
    assert (found["dice"], found["dice_unused"]) == (list(map(int, STRIKE_DICE)), [6])
    assert "no surprise" in found["assumed"] and "all attack Enterprise" in found["assumed"]


def test_options_of_a_strike_reach_the_api(run: Run) -> None:
    words = ["--attackers", "4 elite Japan NAS, 3 attack AAS from Rabaul", "--target", "Enterprise, 2 US CA"]
    words += ["--patrol", "2 NAS", "--cover", "2 AAS", "--results", "2", "--radar", "1"]
    words += ["--air-defense", "2", "--engaged", "1 NAS, 1 cover AAS", "--fighting", "1 elite NAS, 1 AAS"]
    words += ["--impaired", "Japan", "--impaired-ships", "US", "--dice", "3 3 3 3 4 3 6 6"]
    found = resolved(run, "strike", *words, "--at", "Enterprise")
    asked = {
        "attackers": {"Japan/NAS/elite": 4, "Japan/AAS/attack@Rabaul": 3},
        "target": {
            "ships": [ENTERPRISE],
            "light": {"United States/CA": 2},
            "patrol": {"United States/NAS": 2},
            "cover": {"United States/AAS/cover@land": 2},
            "found": 2,
        },
        "research": {"radar": 1, "air defense": 2},
        "engaged": {"United States/NAS": 1, "United States/AAS/cover@land": 1},
        "fighting": {"Japan/NAS/elite": 1, "Japan/AAS/attack@Rabaul": 1},
        "impaired": ["Japan"],
        "impaired_ships": ["United States"],
    }
    answer = api.call("air_strike", asked, dice=[3, 3, 3, 3, 4, 3, 6, 6])
    assert {key: found[key] for key in answer} == answer
    assert not [text for text in found["assumed"] if "radar" in text or "research" in text or "supply" in text]


def test_an_engagement_is_the_answer_of_the_api(run: Run) -> None:
    words = ["--tactical-axis", "1", "--interceptor", "allies", "--hampered-allies", "--screen-axis", "1 CA"]
    found = resolved(run, "engage", *STRAIT, *words, "--dice", "4", "3", "5", "2")
    asked = {
        "axis": {"ships": [ship("bismarck", "Germany", "BB", 4)], "light": {"Germany/CA": 1}},
        "allies": {
            "ships": [ship("hood", "Britain", "BC", 3), ship("prince-of-wales", "Britain", "BB", 4)],
            "hampered": True,
        },
        "interceptor": "allies",
        "tactical": {"axis": 1},
    }
    screen = ("axis", "screen", {"Germany/CA": {"screen": 1}})
    answer = api.call("fleet_combat_result", asked, dice=[4, 3, 5, 2], decisions=[screen])
    assert {key: found[key] for key in answer} == answer
    assert "no Allied tactical codebreaking" in found["assumed"] and "the CA are of Germany" in found["assumed"]


def test_a_submarine_attack_is_the_answer_of_the_api(run: Run) -> None:
    words = ["--searching", "3", "--enemy-searching", "3", "--excess-asw", "6", "--codebreaking", "-1"]
    words += ["--tactical", "1", "--enemy-tactical", "2", "--hampered"]
    found = resolved(run, "submarine", *WASP, *words, "--dice", "1", "6", "4", "5", "4", "4")
    sea = {"searching": 3, "tactical": 1, "codebreaking": -1, "research": {"torpedo": 1}}
    other = {"searching": 3, "tactical": 2, "excess_asw": {"Pacific": 6}, "research": {"ASW": 2}}
    target = {
        "ships": [ship("wasp", "United States", "CV", 3)],
        "light": {"United States/CA": 2, "United States/DD": 3},
        "hampered": True,
    }
    asked = {"submarines": {"Japan/SUB": 2}, "target": target, "attacker": sea, "defender": other}
    answer = api.call("submarine_attack", asked, dice=[1, 6, 4, 5, 4, 4])
    assert {key: found[key] for key in answer} == answer


def test_excess_asw_in_europe_is_that_of_the_atlantic(run: Run) -> None:
    words = ["--submarines", "1 German", "--target", "Barham", "--theatre", "europe", "--excess-asw", "6"]
    dice = ["--dice", "3", "3"]
    by_default, in_the_west = (
        resolved(run, "submarine", *words, *more, *dice)["attacks"][0]["lines"] for more in ([], ["--western-front"])
    )
    assert [line for line in in_the_west if line not in by_default] == [["22.9415", "excess ASW", -2]]


def test_all_submarines_may_be_advanced(run: Run) -> None:
    both = ["--target", "Barham", "--dice", "3", "3"]
    flag = resolved(run, "submarine", "--submarines", "1 Germany", "--advanced", *both)
    assert flag == resolved(run, "submarine", "--submarines", "1 advanced German submarine", *both)
    assert flag["attacks"][0]["lines"] == [["22.941", "advanced submarine", 1]]


# -- what is attacked ---------------------------------------------------------------------------------------


def aimed(run: Run, *words: str) -> dict[str, dict[str, int]]:
    return {each["target"]: each["squadrons"] for each in resolved(run, "strike", *words)["attacks"]}


QUIET = ["--dice", *["1"] * 12]  # air defense of level 1 takes nobody on a 2


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("Yorktown=5, Enterprise=3", {"enterprise": 3, "yorktown": 5}),
        ("enterprise: 3, YORKTOWN: rest", {"enterprise": 3, "yorktown": 5}),
        ("5 at Yorktown, 3 at light ships", {"yorktown": 5, "light": 3}),
        ("Enterprise, Yorktown, light ships", {"enterprise": 3, "yorktown": 3, "light": 2}),
        ("Enterprise=2", {"enterprise": 2}),
    ],
)
def test_what_is_attacked_can_be_typed(run: Run, at: str, expected: dict[str, int]) -> None:
    words = ["--attackers", "8 elite Japan NAS", "--target", "Enterprise, Yorktown, 2 DD", "--at", at, *QUIET]
    assert aimed(run, *words) == {target: {"Japan/NAS/elite": n} for target, n in expected.items()}


def test_squadrons_can_be_told_apart_by_what_they_attack(run: Run) -> None:
    words = ["--attackers", "3 elite Japan NAS, 3 NAS", "--target", "Enterprise, Yorktown"]
    found = aimed(run, *words, "--at", "Enterprise=2 elite NAS + 1 NAS, Yorktown=rest", *QUIET)
    plain, elite = "Japan/NAS", "Japan/NAS/elite"
    assert found == {"enterprise": {elite: 2, plain: 1}, "yorktown": {elite: 1, plain: 2}}


def test_plain_naval_air_is_meant_where_elite_is_not_said(run: Run) -> None:
    words = [
        "--attackers",
        "3 elite Japan NAS, 3 NAS",
        "--target",
        "Enterprise",
        "--patrol",
        "2 NAS",
        "--fighting",
        "2 NAS",
    ]
    assert resolved(run, "strike", *words, "--seed", "1")["air_combat"]["fighting"] == {"Japan/NAS": 2}


@pytest.mark.parametrize(("engaged", "number"), [("all", 2), ("1", 1), ("1 US NAS", 1), ("none", 0)])
def test_defenders_that_engage_can_be_typed(run: Run, engaged: str, number: int) -> None:
    found = resolved(run, "strike", *MIDWAY, "--engaged", engaged, "--seed", "1")
    assert found["air_combat"]["engaged_defenders"] == number
    assert "as many defenders as may engage" not in found["assumed"]


def test_targets_named_first_are_filled_first_when_squadrons_are_lost(run: Run) -> None:
    found = resolved(run, "strike", *MIDWAY, "--at", "Yorktown=3, Enterprise=5", "--dice", *STRIKE_DICE, "5", "3")
    assert {each["target"]: each["squadrons"] for each in found["attacks"]} == {
        "enterprise": {"Japan/NAS/elite": 2},
        "yorktown": {"Japan/NAS/elite": 3},
    }
    assert "of the 5 that come through 3 attack Yorktown and 2 attack Enterprise" in found["assumed"]


def test_a_strike_that_is_shot_away_attacks_nothing(run: Run) -> None:
    words = ["--attackers", "1 Japan NAS", "--target", "Enterprise", "--patrol", "3 US NAS", "--at", "Enterprise=1"]
    assert resolved(run, "strike", *words, "--dice", "1", "1", "6", "6")["attacks"] == []


@pytest.mark.usefixtures("terminal")
def test_a_strike_that_is_shot_away_is_told(run: Run) -> None:
    words = ["--attackers", "1 Japan NAS", "--target", "Enterprise", "--patrol", "3 US NAS"]
    shown = seen(run, "strike", *words, "--dice", "1", "1", "6", "6")
    assert "▌ No squadron comes through to the ships." in shown and "▌ No ship is hit." in shown


# -- dice ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["strike", *MIDWAY], ["engage", *STRAIT], ["submarine", *WASP]])
def test_a_seed_rolls_the_same_dice_again(run: Run, words: list[str]) -> None:
    first = resolved(run, *words, "--seed", "midway")
    assert resolved(run, *words, "--seed", "midway") == first
    again = resolved(run, *words, "--dice", " ".join(map(str, first["dice"])))
    assert again == first and first["dice_unused"] == []
    others = [resolved(run, *words, "--seed", str(seed))["dice"] for seed in range(8)]
    assert len({tuple(dice) for dice in others}) > 1


def test_without_dice_and_seed_they_are_rolled(run: Run) -> None:
    thrown = [resolved(run, "submarine", *WASP)["dice"] for _ in range(12)]
    assert all(die in range(1, 7) for dice in thrown for die in dice)
    assert len({tuple(dice) for dice in thrown}) > 1


@pytest.mark.parametrize("typed", [["4", "3", "5", "2"], ["4 3 5 2"], ["4,3,5,2"], ["4352"], ["4,", "3,", "5,", "2"]])
def test_dice_may_be_typed_in_several_ways(run: Run, typed: list[str]) -> None:
    assert resolved(run, "engage", *STRAIT, "--dice", *typed)["dice"] == [4, 3, 5, 2]


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        (["strike", *MIDWAY, "--surprise", "--dice", ""], "surprise against the group needs 1, 0 are left, of 0 given"),
        (["strike", *MIDWAY, "--dice", "4"], "air combat over the group needs 2, 1 are left, of 1 given"),
        (["strike", *MIDWAY, "--dice", "4352"], "air defense of the group needs 2, 0 are left, of 4 given"),
        (["strike", *MIDWAY, "--dice", "435261"], "5 squadrons attack Enterprise needs 2, 0 are left"),
        (
            ["strike", *MIDWAY, "--at", "Enterprise=3, Yorktown=5", "--dice", "43526144"],
            "2 squadrons attack Yorktown needs 2, 0 are left",
        ),
        (["engage", *STRAIT, "--dice", "4", "3", "5"], "7 factors fire at Bismarck needs 2, 1 are left"),
        (["submarine", *WASP, "--dice", "1", "1", "2"], "what a submarine meets in the group needs 1, 0 are left"),
        (["submarine", *WASP, "--dice", "1", "6"], "a submarine attacks Wasp needs 2, 1 are left"),
    ],
)
def test_missing_dice_are_named(run: Run, words: list[str], missing: str) -> None:
    told = refusal(run, *words)
    assert told.startswith(f"the dice end here: {missing}")
    assert told.endswith("add to --dice, or leave it out to have dice rolled")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--dice", "4", "7"], "'7' is not a die; each die is a number from 1 to 6"),
        (["--dice", "four"], "'f' is not a die"),
        (["--dice", "4", "--seed", "3"], "give --dice or --seed, not both"),
        (["4", "3"], "'4' stands alone; if these are dice, write --dice before them"),
        (["Yorktown", "--dice", "4"], "'Yorktown' stands alone; put a whole force in quotes"),
    ],
)
def test_dice_that_will_not_do_are_refused(run: Run, words: list[str], why: str) -> None:
    assert why in refusal(run, "engage", *STRAIT, *words)


def test_rolled_dice_are_enough_for_any_step() -> None:
    assert len(the_dice(None, None, "a").dice) >= 3 * 99 * 4


# -- on a terminal ------------------------------------------------------------------------------------------

TOLD_STRIKE = """
Air combat (23.415)
  2 elite Japan NAS against 2 United States NAS.
    +2  Japan (23.441A)
    +1  elite Japanese naval air (23.441A)
    −2  against United States (23.441A)
    −1  combat air patrol (23.415D)
▌ Attackers, row 2: 4+3 = 7: 1 eliminated, 1 aborted.
▌ Defenders, row 2: 5+2 = 7: 1 eliminated, 1 aborted.
▌ The strike loses 1 elite Japan NAS; 1 elite Japan NAS turns back.
▌ The defenders lose 1 United States NAS.

Air defense (23.421)
    +2  17 naval factors (23.42)
▌ Level 2: 6+1 = 7: 1 eliminated, 0 aborted.
▌ The strike loses 1 elite Japan NAS.

Air attacks (23.44)
▌ 5 elite Japan NAS attack Enterprise.
    +2  Japan (23.441A)
    +1  elite Japanese naval air (23.441A)
    −2  against United States (23.441B)
    +2  against CV (23.441B)
    +1  naval air against ships at sea (23.44)
▌ 4+4, +4 = 12: 6 hits. Enterprise is sunk.

Outcome
▌ Enterprise is sunk.
▌ The attackers lose 2 elite Japan NAS.
▌ The defenders lose 1 United States NAS.
▌ 3 United States NAS went down with their carrier.

Dice
  4 3 5 2 6 1 4 4 (given)
  Not used: 5 3 (2 too many)
"""


@pytest.mark.usefixtures("terminal")
def test_a_strike_is_told_step_by_step(run: Run) -> None:
    shown = "\n".join(
        seen(run, "strike", *MIDWAY, "--at", "Enterprise=5, Yorktown=3", "--dice", *STRIKE_DICE, "5", "3")
    )
    assert shown.startswith("\nAir strike (23.76)\n▌ 8 elite Japan NAS strike Enterprise, Yorktown, 4 CA and 3 DD.\n")
    assert f"{shown}\n".endswith(TOLD_STRIKE)
    flat = " ".join(shown.split())
    assert "Not said, so taken: the CA and DD are of United States; no surprise;" in flat
    assert "of the 5 that come through 5 attack Enterprise." in flat


@pytest.mark.usefixtures("terminal")
def test_losses_to_guns_are_not_laid_at_the_door_of_the_patrol(run: Run) -> None:
    words = ["--attackers", "8 elite Japan NAS", "--target", "Wasp, 9 US CA", "--patrol", "1 NAS"]
    shown = seen(run, "strike", *words, "--dice", "4", "3", "1", "1", "6", "6", "1", "1")
    combat, guns = shown.index("Air combat (23.415)"), shown.index("Air defense (23.421)")
    lost = [index for index, line in enumerate(shown) if line.startswith("▌ The strike loses")]
    assert shown[lost[0]] == "▌ The strike loses no squadrons." and combat < lost[0] < guns < lost[1]


@pytest.mark.usefixtures("terminal")
def test_a_surprise_is_told(run: Run) -> None:
    words = ["--attackers", "2 Japan NAS", "--target", "Enterprise (damaged), 3 CA", "--cover", "2 AAS"]
    words += ["--surprise", "--results", "2", "--at", "light ships=1", "--dice"]
    flat = " ".join(" ".join(seen(run, "strike", *words, "6", "3", "3", "3", "4")).replace("▌", " ").split())
    assert "Surprise (23.7412)" in flat and "search results (23.74122A)" in flat and ": level 7, " in flat
    assert "None of the defenders engages." in flat


@pytest.mark.usefixtures("terminal")
def test_kamikazes_are_told(run: Run) -> None:
    words = ["--attackers", "2 Japan NAS, 2 KAM", "--target", "Enterprise (damaged), 3 CA", "--at", "light ships=1"]
    shown = seen(run, "strike", *words, "--dice", "1", "1", "1", "6", "3", "3", "3", "4")
    flat = " ".join(" ".join(shown).replace("▌", " ").split())
    assert "2 Japan kamikaze squadrons from land fall where their dice say: 1, 6 (17.475F)." in flat
    assert "1 Japan kamikaze squadron from land and 1 Japan NAS attack the light ships." in flat
    assert "1 Japan NAS attacks nothing." in flat


@pytest.mark.usefixtures("terminal")
def test_guns_that_do_not_shoot_are_told(run: Run) -> None:
    words = ["--attackers", "2 Japan NAS", "--target", "3 US DD", "--surprise", "--dice", "6", "3", "4"]
    shown = seen(run, "strike", *words)
    assert "▌ Level 0: the ships do not shoot." in shown and "    −1  surprise (23.7413)" in shown
    assert any("DD are sunk." in line or "DD is sunk." in line for line in shown)


@pytest.mark.usefixtures("terminal")
def test_a_critical_hit_is_told(run: Run) -> None:
    words = ["--attackers", "1 Japan NAS", "--target", "Enterprise", "--surprise", "--results", "2"]
    shown = seen(run, "strike", *words, "--dice", "6", "6", "3")
    due = [line for line in shown if "critical hit roll is due on Enterprise (20.524)" in line]
    assert len(due) == 1 and "▌ Enterprise is damaged." in shown


TOLD_FIRE = """
Lines of battle (22.54A)
▌ Axis: Bismarck.
▌ Allies: Prince of Wales, Hood.

Fire (22.55)
▌ Bismarck fires at Prince of Wales: 4 factors.
    +2  Germany (22.552A)
    −2  against Britain (22.552A)
▌ 4+3 = 7: 1 hit.
▌ Prince of Wales and Hood fire at Bismarck: 7 factors.
    +2  Britain (22.552A)
    −2  against Germany (22.552A)
▌ 5+2 = 7: 2 hits.

Outcome
▌ Axis: Bismarck 2 hits; 1 CA afloat.
▌ Allies: Hood unhurt; Prince of Wales 1 hit.
  Factors sunk: Axis 0, Allies 0. Factors damaged: Axis 0, Allies 0.

Dice
  4 3 5 2 (given)
"""


@pytest.mark.usefixtures("terminal")
def test_a_fleet_combat_is_told_shot_by_shot(run: Run) -> None:
    shown = "\n".join(seen(run, "engage", *STRAIT, "--dice", "4", "3", "5", "2"))
    assert f"{shown}\n".endswith(TOLD_FIRE)
    flat = " ".join(shown.split())
    assert "no tactical codebreaking; no ship is screened by choice; nobody lacks supply or oil;" in flat
    assert "the Axis intercepts; other choices are the usual ones." in flat


@pytest.mark.usefixtures("terminal")
def test_a_fleet_combat_in_which_nobody_fires_is_told(run: Run) -> None:
    shown = seen(run, "engage", "--axis", "Akagi", "--allies", "Enterprise", "--seed", "1")
    assert "  Nobody fires." in shown and "▌ Axis: no capital ship in the line." in shown
    assert "  None were needed (rolled from the seed 1)" in shown


@pytest.mark.usefixtures("terminal")
def test_screened_ships_that_are_sunk_are_told(run: Run) -> None:
    words = ["--axis", "Yamato, 4 CA", "--allies", "2 US CA (damaged), 3 DD", "--screen-allies", "3 DD"]
    shown = seen(run, "engage", *words, "--dice", *["6"] * 40)
    assert any("fire" in line and "at the screened light ships" in line for line in shown)
    assert any("sunk" in line and line.startswith("▌ Allies:") for line in shown)


TOLD_TORPEDOES = """
Attack 1 (22.94)
▌ The Japan submarine meets the fast carriers on a 1 (22.93E) and attacks Wasp.
    +3  Japan (22.9411)
    −2  against United States (22.9411)
    +2  against CV (22.9411)
    +1  torpedo research (22.9412)
    −2  enemy ASW research (22.9412)
    −1  destroyers (22.9414)
▌ 6+4, +1 = 11: 3 hits.

Attack 2 (22.94)
▌ The Japan submarine meets the light ships without a die (22.93E).
    +3  Japan (22.9411)
    −2  against United States (22.9411)
    +1  torpedo research (22.9412)
    −2  enemy ASW research (22.9412)
    −1  destroyers (22.9414)
    −1  earlier attacks on this group (22.9416)
▌ 5+4, −2 = 7: 2 hits.

Outcome
▌ Wasp is sunk.
▌ 1 CA is sunk.
▌ 2 Japan submarines go home, inverted: attacked (22.92).

Dice
  1 6 4 5 4 (given)
  Not used: 4 (1 too many)
"""


@pytest.mark.usefixtures("terminal")
def test_submarine_attacks_are_told_one_by_one(run: Run) -> None:
    shown = "\n".join(seen(run, "submarine", *WASP, "--dice", "1", "6", "4", "5", "4", "4"))
    assert f"{shown}\n".endswith(TOLD_TORPEDOES)
    flat = " ".join(shown.split())
    assert "no searching squadrons, enemy searching squadrons, excess ASW or codebreaking;" in flat
    assert "all squadrons are aboard Wasp; the group is not hampered; the theatre is Pacific;" in flat


@pytest.mark.usefixtures("terminal")
def test_a_lost_submarine_is_told(run: Run) -> None:
    words = ["--submarines", "1 Japan", "--target", "Barham, 3 DD", "--asw", "2", "--dice", "1", "1", "1"]
    shown = seen(run, "submarine", *words)
    assert any(line.endswith("no hits. The submarine is lost.") for line in shown)


@pytest.mark.usefixtures("terminal")
def test_rolled_dice_are_shown(run: Run) -> None:
    shown = seen(run, "submarine", *WASP)
    assert re.fullmatch(r"  [1-6]( [1-6])+ \(rolled\)", shown[-1])
