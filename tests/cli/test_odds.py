"""`flagplot odds`: what is typed, what is told, what is refused, and that ending it keeps what it has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from flagplot import api
from flagplot.cli import odds as command
from flagplot.cli.terminal import THEME
from flagplot.play.wording import percent
from tests.cli.conftest import Run


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
        (("midway", "--width", "101"), "percentage above 0"),
    ],
)
def test_refusals(run: Run, words: tuple[str, ...], why: str) -> None:
    assert why in refused(run, *words)


def test_a_width_is_a_percentage_with_its_sign_or_without() -> None:
    assert command._width("0.5%") == command._width(" 0.5 ") == 0.005


def test_a_drawing(run: Run, tmp_path: Path) -> None:
    told(run, "denmark-strait", "--battles", "8", "--chart", "odds.svg")
    drawn = ElementTree.parse(tmp_path / "odds.svg").getroot()
    words = "".join(drawn.itertext())
    for name in ("Denmark Strait", "Bismarck", "Hood", "sunk", "Britain"):
        assert name in words
    assert drawn.get("aria-label", "").startswith("Denmark Strait")


def test_people_read_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "wants_json", lambda asked: asked)
    monkeypatch.setattr(
        command,
        "console",
        lambda: Console(theme=THEME, highlight=False, width=80, force_terminal=True, color_system=None),
    )
    result = run("odds", "midway", "--side", "allies", "--battles", "6", "--chart", "a.svg")
    assert result.exit_code == 0, result.output
    text = " ".join(result.stdout.split())
    for words in ("As United States knows it", "Believed: enemy CG", "Who wins", "Enterprise", "To paste", "a.svg"):
        assert words in text
    *before, sentence, _, _ = result.stdout.splitlines()
    assert all(len(line) <= 80 for line in before)
    assert sentence.startswith("Midway, June 1942: ") and sentence.endswith(".")  # one line to be pasted


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
