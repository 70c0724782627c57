"""`flagplot odds`: what is typed, what is told, what is refused, and that ending it keeps what it has."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from flagplot import api
from flagplot.cli import odds as command
from flagplot.cli import odds_told
from flagplot.cli.terminal import THEME
from flagplot.play.wording import does, percent
from tests.cli.conftest import Run, played


def told(run: Run, *words: str) -> Any:
    result = run("odds", *words)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def refused(run: Run, *words: str) -> str:
    result = run("odds", *words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_json_has_everything_counted(run: Run) -> None:
    found = told(run, "three-groups", "--battles", "12", "--seed", "4")
    assert found["battles"] == 12
    assert found["last"] and "12 battles" in found["why"]
    assert sum(each["chance"] for each in found["win"].values()) == pytest.approx(1, abs=1e-5)
    assert sum(sum(row) for row in found["joint"]["chances"]) == pytest.approx(1, abs=1e-4)
    for side in found["sides"].values():
        for ship in side["ships"]:
            assert sum(ship[fate]["chance"] for fate in ("untouched", "hit", "damaged", "sunk")) == pytest.approx(
                1, abs=1e-5
            )
            for fate in ("untouched", "sunk"):
                assert ship[fate]["low"] <= ship[fate]["chance"] <= ship[fate]["high"]
        curve = [each["chance"] for each in side["losses"]["factors sunk"]["at_least"]]
        assert curve == sorted(curve, reverse=True)
    assert found["sentence"].startswith(found["title"])
    assert found == told(run, "three-groups", "--battles", "12", "--seed", "4")
    assert found["win"] != told(run, "three-groups", "--battles", "12", "--seed", "5")["joint"]


def test_a_side_is_told_from_what_it_knows(run: Run) -> None:
    found = told(run, "midway", "--side", "allies", "--battles", "4")
    assert [group["number"] for group in found["belief"]]
    assert "[[group]]" in found["belief_text"]
    whole = told(run, "midway", "--battles", "4")
    assert whole["belief"] == []
    assert {ship["name"] for ship in whole["sides"]["axis"]["ships"]} >= {"Akagi", "Kaga"}
    for name in ("Kaga", "Soryu", "Haruna", "Kirishima"):  # he has them; what is believed of him is made up
        assert name not in json.dumps(found)


def test_a_belief_of_ones_own(run: Run, tmp_path: Path) -> None:
    found = told(run, "midway", "--side", "allies", "--battles", "2")
    text = found["belief_text"].replace("ships = [", 'ships = ["Kaga", ')
    (tmp_path / "belief.toml").write_text(text)
    changed = told(run, "midway", "--side", "allies", "--battles", "2", "--belief", "belief.toml")
    assert "Kaga" in changed["belief"][0]["holds"] and "Kaga" not in found["belief"][0]["holds"]
    (tmp_path / "none.toml").write_text('[[group]]\nnumber = 1\nname = "x"\ndestroyers = 1\n')
    assert "each hidden group" in refused(run, "midway", "--side", "allies", "--belief", "none.toml")


def test_a_doctrine_of_ones_own(run: Run, tmp_path: Path) -> None:
    (tmp_path / "timid.toml").write_text("withdraw_percent = 1\nwithdraw_margin = 0\n")
    timid = told(run, "calabria", "--side", "axis", "--own", "timid.toml", "--battles", "6")
    assert timid["rounds"]["average"] == 1, "whoever fears one percent of his own strength goes home at once"
    assert timid["win"]["allies"]["chance"] == 1
    assert timid["doctrines"]["axis"]["withdraw_percent"] == 1
    (tmp_path / "odd.toml").write_text("courage = 3\n")
    assert "no number 'courage'" in refused(run, "calabria", "--side", "axis", "--own", "odd.toml")
    (tmp_path / "odd.toml").write_text("strike = -3\n")
    assert "from 0 to 12" in refused(run, "calabria", "--side", "axis", "--enemy", "odd.toml")
    (tmp_path / "odd.toml").write_text("[[[\n")
    assert "no doctrine" in refused(run, "calabria", "--side", "axis", "--enemy", "odd.toml")
    assert "say --side" in refused(run, "calabria", "--own", "timid.toml")


def test_lines_left_out(run: Run) -> None:
    found = told(run, "midway", "--battles", "2", "--without", "allies:research:radar")
    assert found["left_out"] == ["allies:research:radar"]
    assert "allies:research:radar" in [line["key"] for line in found["lines"]]
    assert "no line 'luck'" in refused(run, "midway", "--without", "luck")


def test_a_saved_game(run: Run, unfinished: Path, finished: Path) -> None:
    found = told(run, str(unfinished), "--side", "axis", "--battles", "4")
    assert found["battles"] == 4
    assert told(run, str(unfinished), "--battles", "2")["belief"] == []
    assert "over" in refused(run, str(finished))
    assert "begun with" in refused(run, str(unfinished), "--order-of-battle", "open")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("midway", "--width", "0"), "percentage above 0"),
        (("midway", "--width", "many"), "percentage above 0"),
        (("midway", "--battles", "0"), "from 1 to"),
        (("midway", "--battles", "x"), "from 1 to"),
        (("midway", "--seed", "-1"), "from 0 to"),
        (("midway", "--side", "both"), "no side"),
        (("midway", "--side", "axis", "--own", "nowhere.toml"), "could not be read"),
        (("operation-malta",), "one battle"),
        (("nowhere",), "nowhere"),
        (("denmark-strait", "--width", "1e-9%", "--chart", "no/such/folder.svg"), "could not be written"),  # at once
        (("midway", "--width", "101"), "up to 100"),
        ((), "flagplot scenarios lists them"),
        (("midway", "--chart", "odds.png"), "call it odds.svg"),
        (("midway", "--cluster", ""), "no dask scheduler"),
        (("force-z", "--side", "axis"), "odds with both sides' secrets"),
    ],
)
def test_refusals(run: Run, words: tuple[str, ...], why: str) -> None:
    assert why in refused(run, *words)


def test_a_width_is_a_percentage_with_its_sign_or_without() -> None:
    assert command._width("0.5%") == command._width(" 0.5 ") == command._width("0,5 %") == 0.005


def test_a_side_may_be_written_large(run: Run) -> None:
    assert told(run, "midway", "--side", "Allies", "--battles", "1")["side"] == "allies"
    assert told(run, "midway", "--side", "united states", "--battles", "1")["side"] == "allies"  # as it is called there
    assert told(run, "midway", "--battles", "1")["side"] == ""
    assert "axis (Japan) and allies (United States)" in refused(run, "midway", "--side", "germany")


@pytest.mark.parametrize(("name", "kind"), [("operation-malta", "operation"), ("war", "war")])
def test_where_no_battle_is_being_fought_that_is_said(run: Run, tmp_path: Path, name: str, kind: str) -> None:
    path = played(name, tmp_path / "larger.flagplot", most_inputs=2)
    for asked in ("odds", "advise"):
        result = run(asked, str(path), "--side", "axis")
        assert result.exit_code == 2 and result.stderr.count("\n") == 1
        assert f"no battle is being fought in this {kind} just now" in result.stderr


def test_a_drawing(run: Run, tmp_path: Path) -> None:
    told(run, "denmark-strait", "--battles", "8", "--chart", "odds.svg")
    drawn = ElementTree.parse(tmp_path / "odds.svg").getroot()
    words = "".join(drawn.itertext())
    for name in ("Denmark Strait", "Bismarck", "Hood", "sunk", "Britain"):
        assert name in words
    assert drawn.get("aria-label", "").startswith("Denmark Strait")


def read_by_people(run: Run, monkeypatch: pytest.MonkeyPatch, width: int, *words: str) -> str:
    monkeypatch.setattr(command, "wants_json", lambda asked: asked)
    out = lambda: Console(theme=THEME, highlight=False, width=width, force_terminal=True, color_system=None)  # noqa: E731
    for module in (command, odds_told):
        monkeypatch.setattr(module, "console", out)
    result = run("odds", *words)
    assert result.exit_code == 0, result.output
    return str(result.stdout)


@pytest.mark.parametrize("width", [80, 60])
def test_people_read_it(run: Run, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    shown = read_by_people(run, monkeypatch, width, "midway", "--side", "allies", "--battles", "6", "--chart", "a.svg")
    text = " ".join(shown.split())
    for words in (
        "As United States knows it",
        "Believed: enemy CG",
        "--belief says otherwise",
        "Who wins",
        "rounds on the average: ",
        "Enterprise",
        "United States CA sunk",
        "The chances of ships and groups are sure to ±",
        "Factors sunk: the chance of so many or more",
        "Factors sunk, in percent of all battles: Japan down, United States across",
        "United States, search in round 1: 3 dice = codebreaking +1",
        "allies:research:radar: United States: research: radar +1 (41)",
        "To paste",
        "a.svg",
    ):
        assert words in text, words
    *before, sentence, _, _ = shown.splitlines()
    assert all(len(line) <= width for line in before)
    assert "…" not in shown and "under 1" not in shown  # nothing is cut off, and figures in tables are short
    assert sentence.startswith("Midway, June 1942: ") and sentence.endswith(".")  # one line to be pasted
    assert ", as United States knows it" in sentence


def test_what_a_line_is_worth_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same battles with every line first; a line named twice is left out once."""
    key = "allies:tactical"
    asked = ("six-groups", "--battles", "4", "--engine", "procedures", "--without", key, "--without", key)
    found = told(run, *asked)
    assert found["left_out"] == [key] and found["with_every_line"]["left_out"] == []
    assert found["with_every_line"]["battles"] == found["battles"] == 4
    assert "without United States: tactical codebreaking" in found["sentence"]
    shown = read_by_people(run, monkeypatch, 60, *asked)
    assert "What that changes" in shown and "(left out)" in " ".join(shown.split())
    row = next(line for line in shown.splitlines() if line.strip().startswith("Japan wins"))
    assert "±" in row


def test_ended_before_anything_was_left_out_it_keeps_what_it_has(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    fought = command.the_odds

    def ended(*about: Any, **asked: Any) -> Any:
        yield next(fought(*about, **asked))
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "the_odds", ended)
    found = told(run, "midway", "--without", "allies:research:radar")
    assert found["battles"] and found["left_out"] == [] and "before anything was left out" in found["why"]


def test_how_far_it_has_come_is_a_share_of_the_way() -> None:
    """Four times the battles halve an interval: at twice the width a quarter of the way is done."""
    win = {"axis": {"chance": 0.5, "low": 0.49, "high": 0.51}, "allies": {"chance": 0.5, "low": 0.49, "high": 0.51}}
    sides = {"axis": {"name": "Japan"}, "allies": {"name": "United States"}}
    answer = {"win": win, "sides": sides, "battles": 9604, "width": 0.02, "last": False, "decisive": True}
    shown = command._how_far(answer, 0.01, command.MOST_BATTLES)
    assert shown["completed"] == pytest.approx(0.25) and shown["total"] == 1
    assert "Japan wins 50 % ± 1.0" in shown["description"]
    assert command._how_far(answer, 0.01, 2 * 9604)["completed"] == pytest.approx(0.5)  # no more than that was asked
    assert command._how_far({**answer, "last": True}, 0.01, 20_000)["completed"] == 1
    assert command._how_far({**answer, "decisive": False}, 0.01, 20_000)["description"] == "9,604 battles ± 1.0"


def test_who_sits_at_a_terminal_sees_how_far_it_is_wherever_the_answer_goes(tmp_path: Path) -> None:
    """Only the answer goes into the pipe."""
    screen, end = pty.openpty()
    words = ("odds", "denmark-strait", "--battles", "12", "--engine", "procedures")
    with (tmp_path / "odds.json").open("w") as into:
        running = subprocess.Popen([sys.executable, "-m", "flagplot", *words], stdout=into, stderr=end)
    os.close(end)
    seen = b""
    with suppress(OSError):  # the other end was closed
        while piece := os.read(screen, 4096):
            seen += piece
    assert running.wait(60) == 0
    os.close(screen)
    assert b"battle" in seen and b"wins" in seen
    assert json.loads((tmp_path / "odds.json").read_text())["battles"] == 12


def test_an_attack_has_no_victor(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Force Z: aircraft and submarines win no battle, they cost something. Nobody is said to win nothing."""
    found = told(run, "force-z", "--battles", "4")
    assert not found["decisive"] and found["kind"] == "air attack"
    assert "wins" not in found["sentence"] and "Japan loses" in found["sentence"] and "squadrons" in found["sentence"]
    shown = read_by_people(run, monkeypatch, 80, "force-z", "--battles", "4", "--without", "axis:research:torpedo")
    assert "has no victor" in shown and "Who wins" not in shown and "wins" not in shown
    assert "Japan, squadrons lost, down; The Eastern Fleet, factors sunk, across" in " ".join(shown.split())
    assert "Japan: squadrons lost" in shown.split("What that changes")[1]


@pytest.mark.parametrize(
    ("name", "attacker", "price"),
    [
        ("force-z", "axis", "squadrons lost"),
        ("taranto", "allies", "squadrons lost"),  # his carriers are in it too, and nobody can shoot at them
        ("ambush", "allies", "submarines lost"),
    ],
)
def test_who_attacks_pays_with_what_he_attacks_with(run: Run, name: str, attacker: str, price: str) -> None:
    found = told(run, name, "--battles", "16")
    sides = found["sides"]
    assert sides[attacker]["price"] == price
    assert next(side["price"] for who, side in sides.items() if who != attacker) == "factors sunk"
    losses = sides[attacker]["losses"]
    assert f"{losses[price]['average']:.1f} {price.split()[0]}" in found["sentence"] and losses[price]["average"] > 0.05
    joint = found["joint"]
    nothing = sum(joint["chances"][0]) if attacker == "axis" else sum(row[0] for row in joint["chances"])
    assert joint[attacker][0] == "0"
    assert nothing == pytest.approx(1 - losses[price]["at_least"][0]["chance"], abs=1e-4)


def test_the_width_of_an_attack_is_that_of_the_chances_of_ships_and_groups(run: Run) -> None:
    """Nobody wins it: that interval is narrow at once, and was not what anybody asked about."""
    found = told(run, "ambush", "--width", "30", "--seed", "3")
    rows = [row for side in found["sides"].values() for row in (*side["ships"], *side["groups"])]
    chances = [each for row in rows for each in row.values() if isinstance(each, dict)]
    assert found["width"] == pytest.approx(max(each["high"] - each["low"] for each in chances), abs=2e-6)
    assert found["width"] <= 0.3 and "as narrow as was asked" in found["why"] and found["battles"] > 16


def test_battles_that_nobody_wins_are_in_the_sentence(run: Run, tmp_path: Path) -> None:
    found = told(run, "river-plate", "--battles", "32", "--chart", str(tmp_path / "plate.svg"))
    assert found["win"]["nobody"]["chance"] > 0.5
    assert "; nobody wins " in found["sentence"]
    assert "nobody wins</text>" in (tmp_path / "plate.svg").read_text()


def test_a_saved_game_without_a_battle_says_that_first(run: Run) -> None:
    """Not that one side's odds cannot be given, and others can."""
    saves = Path(__file__).parents[1] / "saves" / "0.1.0"
    for name, why in (("force-z", "the battle is over"), ("war", "no battle is being fought in this war")):
        for words in ((), ("--side", "axis")):
            assert why in refused(run, str(saves / f"{name}.flagplot"), *words)


def test_control_c_keeps_what_it_has(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that would take hours, ended at its third step: an answer, and why it is the last."""
    fought = command.the_odds

    def ended(*about: Any, **asked: Any) -> Any:
        for step, answer in enumerate(fought(*about, **asked)):
            if step == 2:
                raise KeyboardInterrupt
            yield answer

    monkeypatch.setattr(command, "the_odds", ended)
    found = told(run, "denmark-strait", "--width", "0.0001%")
    assert found["battles"] > 0
    assert found["last"] and "it was ended" in found["why"]


def test_percentages_are_never_rounded_to_all_or_nothing() -> None:
    assert percent(0.5) == "50 %"
    assert percent(0) == "0 %"
    assert percent(1) == "100 %"
    assert percent(0.001) == "under 1 %"
    assert percent(0.999) == "over 99 %"
    assert percent(0.00001, 1) == "under 0.1 %"
    assert percent(0.1234, 2) == "12.34 %"


def test_the_public_api_answers_too() -> None:
    found = api.call("battle_odds", {"scenario": "denmark-strait", "battles": 5, "own": {"patrol": 1}})
    assert found["battles"] == 5
    for asked, why in (
        ({"scenario": "denmark-strait", "battles": 0}, "from 1 to"),
        ({"scenario": "denmark-strait", "side": "both"}, "no side"),
        ({"scenario": "war"}, "one battle"),
    ):
        with pytest.raises(Exception, match=why):
            api.call("battle_odds", asked)


def test_several_win_and_one_wins(run: Run) -> None:
    """Whoever is called by several names, or is several, takes the other verb."""
    assert does("Japan", "win") == "Japan wins" and does("United States", "lose") == "United States loses"
    assert (
        does("Germany and Italy", "win") == "Germany and Italy win" and does("The Allies", "know") == "The Allies know"
    )
    sentence = told(run, "crete", "--side", "axis", "--battles", "2", "--engine", "procedures")["sentence"]
    assert (
        "Germany and Italy win " in sentence and " and lose " in sentence and "The Mediterranean Fleet wins" in sentence
    )
    assert "as Germany and Italy know it" in sentence
