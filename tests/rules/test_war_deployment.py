"""25.31, 25.34, 25.37: the questions about deployment: what they list, what they refuse, and units that are inverted."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from flagplot.model.events import InputTaken
from flagplot.model.setup import Setup
from flagplot.model.strategic_war import PlayerTurn, Turn
from flagplot.model.war import Idle, War
from tests.rules.war_table import AXIS, KIEL, SCAPA, TOKYO, WAR, WarTable, items, refusal, setup

PEACE = {"usat": 20, "usjt": 20}
SPRING = {"at": "Axis Spring 1942", "ports": [KIEL, SCAPA, TOKYO]}


def table(places: Any, *, idle: tuple[Idle, ...] = (), answers: Any = None, end: str = "", **more: Any) -> WarTable:
    given = setup({**SPRING, **more}, places=places, end=end)
    war = given.public.war
    assert isinstance(war, War)
    public = replace(given.public, war=replace(war, idle=idle))
    return WarTable(Setup(public=public, sides=given.sides), answers)


# -- what is listed -----------------------------------------------------------------------------------


@pytest.mark.ledger("25.13A.2", "25.13A.3", "25.12.1")
@pytest.mark.parametrize(("boats", "limits"), [(6, []), (7, [6])])
def test_a_limit_that_nobody_could_break_is_not_listed(boats: int, limits: list[int]) -> None:
    """In Summer 1942 six may fight in the Atlantic; nothing is said of boxes Germans never enter."""
    decision = table({"in port": {"Germany submarine": boats}}).to("SW redeployment")
    assert [limit.limit for limit in decision.form.limits] == limits
    assert [place.key for place in decision.form.places] == ["Atlantic", "in port"]
    if limits:
        assert refusal(decision, {"Germany submarine, in port": "Atlantic"}) == "25.13"


@pytest.mark.ledger("25.13A.2", "25.14")
@pytest.mark.parametrize(("boats", "limits"), [(6, []), (7, [6])])
def test_the_same_holds_of_who_fights(boats: int, limits: list[int]) -> None:
    places = {"Atlantic": {"Germany submarine": boats, "Western Allies transport": 9}}
    decision = table(places).to("submarine warfare")
    assert [limit.limit for limit in decision.form.limits] == limits


@pytest.mark.ledger("25.15", "25.13A.1", "25.31A.2", "25.81", "25.12.2", "25.31D")
@pytest.mark.parametrize(
    ("kind", "units", "end", "rule"),
    [
        ("SW redeployment", {"Germany submarine": 1}, "Pacific", "25.31A"),
        ("SW redeployment", {"Germany submarine": 1}, "in the Mediterranean", "25.15A"),
        ("SW redeployment", {"Germany submarine": 1}, "Indian Ocean", "25.13A"),
        ("SW redeployment", {"Japan submarine": 1}, "Indian Ocean", "25.81"),
        ("SW redeployment", {"Japan submarine": 1}, "in the Mediterranean", "25.15"),
        ("SW movement", {"Japan transport": 1}, "Atlantic", "25.31A"),
        ("SW movement", {"Britain ASW": 1}, "in the Mediterranean", "25.15"),
    ],
)
def test_a_place_that_is_not_offered_is_refused_with_its_own_rule(
    kind: str, units: dict[str, int], end: str, rule: str
) -> None:
    taranto = {"name": "Taranto", "holder": "Italy", "front": "Mediterranean"}
    ports = [KIEL, SCAPA, TOKYO, *([taranto] if rule == "25.13A" else [])]
    politics = {"usjt": 40} if "Japan submarine" in units else PEACE
    where = "in the Mediterranean" if rule == "25.13A" else "in port"
    decision = table({where: units}, ports=ports, politics=politics).to(kind)
    (key,) = items(decision)
    assert end not in items(decision)[key] and end not in [place.key for place in decision.form.places]
    assert refusal(decision, {key: end}) == rule
    assert refusal(decision, {key: "the moon"}) == "25.31", "what is no place at all"


@pytest.mark.ledger("25.32A.1", "25.32B", "25.22C")
@pytest.mark.parametrize(
    ("politics", "offered"),
    [
        (PEACE, None),
        ({"usat": 25, "usjt": 20}, ("in port", "Atlantic")),
        ({"usat": 25, "usjt": 40}, ("in port", "Atlantic", "Pacific")),
        (WAR, ("in port", "Atlantic", "Indian Ocean", "Pacific")),
    ],
)
def test_boxes_closed_to_American_ASW_are_not_offered(politics: Any, offered: Any) -> None:
    places = {"in port": {"United States ASW": 1, "Britain ASW": 1}}
    decision = table(places, politics=politics).to("SW movement")
    assert items(decision).get("United States ASW, in port") == offered
    if offered is not None and "Pacific" not in offered:
        assert refusal(decision, {"United States ASW, in port": "Pacific"}) == "25.32"


# -- inverted units -----------------------------------------------------------------------------------

NEXT = PlayerTurn(Turn(1942, 1), AXIS)  # the player turn after Allied Spring 1942
INVERTED = (Idle("in port", "Britain ASW", 1, NEXT), Idle("in port", "Western Allies transport", 1, NEXT))
PORT = {"in port": {"Britain ASW": 1, "Western Allies transport": 1, "Britain CVE": 1}}


@pytest.mark.ledger("25.31.1", "24.631A.8")
def test_inverted_escorts_enter_a_box_in_movement_and_damaged_transports_wait() -> None:
    answers = {("Allied Spring 1942", "SW movement"): {"Britain ASW, in port, inverted": "Atlantic"}}
    war = table(PORT, idle=INVERTED, answers=answers, end="Summer 1942")
    decision = war.to("SW movement")
    assert set(items(decision)) == {"Britain ASW, in port, inverted", "Britain CVE, in port"}
    assert items(decision)["Britain ASW, in port, inverted"] == ("in port", "Atlantic", "Indian Ocean", "Pacific")
    war.to("SW redeployment", "Allied Spring")
    assert war.war.present("Atlantic", "Britain ASW") == 1 and not war.war.ready("Atlantic"), "it stays inverted"
    assert war.at("Axis Summer 1942").ready("Atlantic") == {"Britain ASW": 1, "Western Allies transport": 1}


@pytest.mark.ledger("25.34", "25.31.3")
def test_who_enters_inverted_in_redeployment_is_idle_through_the_next_enemy_player_turn() -> None:
    answers = {("Allied Spring 1942", "SW redeployment"): {"Britain ASW, in port, inverted": "Atlantic"}}
    war = table(PORT, idle=INVERTED, answers=answers, end="Summer 1942")
    assert war.at("Axis Summer 1942").ready("Atlantic") == {"Western Allies transport": 1}
    assert war.at("Allied Summer 1942").ready("Atlantic")["Britain ASW"] == 1


@pytest.mark.ledger("25.372B", "25.37.1")
def test_who_came_inverted_and_leaves_in_redeployment_is_inverted_as_long_as_any_other() -> None:
    answers = {
        ("Allied Spring 1942", "SW movement"): {"Britain ASW, in port, inverted": "Atlantic"},
        ("Allied Spring 1942", "SW redeployment"): {"Britain ASW, Atlantic, inverted": "in port"},
    }
    war = table(PORT, idle=INVERTED, answers=answers, end="Summer 1942")
    assert "Britain ASW" not in war.at("Axis Summer 1942").ready("in port")
    assert war.at("Allied Summer 1942").ready("in port")["Britain ASW"] == 1


@pytest.mark.ledger("25.13A.3", "25.13C.2", "25.13E.2")
def test_a_set_up_with_more_submarines_than_may_fight_is_taken_with_a_notice() -> None:
    boats = {"Atlantic": {"Germany submarine": 9}, "Pacific": {"Japan submarine": 1, "United States submarine": 3}}
    told = [
        (event.rule, event.what, event.value)
        for event in WarTable(setup({"at": "Axis Spring 1942"}, places=boats)).events(InputTaken)
    ]
    assert told == [
        ("25.13", "9 submarines of Germany in the Atlantic SW box,", "of which 6 at most may fight in Spring 1942"),
        (
            "25.13",
            "3 submarines of United States in the Pacific SW box,",
            "of which 1 at most may fight in Spring 1942",
        ),
    ]
    both = {"Indian Ocean": {"Japan submarine": 1}, "Pacific": {"Japan submarine": 1}}
    (japan,) = WarTable(setup({"at": "Axis Spring 1942"}, places=both)).events(InputTaken)
    assert japan.what == "2 submarines of Japan in the SW boxes,"
