"""26.33, 26.67, 26.83: atomic attacks in the strategic war: who may make them, with what, and what becomes of the bombs."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.core.sides import Side
from flagplot.model.war_events import AtomicBombFlown, BombingTold, RaidAirCombat, RaidAnnounced, SalvosAnnounced
from tests.rules.war_table import LONDON, WAR, WarTable, items, refusal, setup, target

BOMBERS = "United States, Pacific strategic bomber"
FLIGHT = f"{BOMBERS}, Pacific"
TOKYO = target(
    "Tokyo", "Japan", "Pacific", 25, key_economic_area=True, distances={"United States": 3, "Japan": 0}, defences={}
)
OSAKA = target("Osaka", "Japan", "Pacific", 20, key_economic_area=True, distances={"United States": 3}, defences={})
RAID = "United States, Pacific: Tokyo"


def bombs(
    answers: dict[str, Any] | None = None,
    dice: dict[str, int] | None = None,
    number: int = 3,
    japanese: dict[str, int] | None = None,
    **keys: Any,
) -> WarTable:
    """American bombers against Tokyo in the summer of 1945, with two atomic bombs."""
    start = {
        "at": "Allied Summer 1945",
        "targets": [TOKYO, OSAKA],
        "politics": WAR,
        "atomic_bombs": {"United States": 2},
        "brps": {"United States": 0},
        **keys,
    }
    given = setup(
        {"at": "Axis Summer 1945", "brps": {"Japan": 50}},
        start,
        places={"Pacific": {BOMBERS: number, **(japanese or {})}},
        begin="Summer 1945",
        end="Fall 1945",
    )
    told = {("Allied Summer 1945", "strategic bombing"): {FLIGHT: "Tokyo"}, "strategic bombing": {}}
    return WarTable(given, {**told, **(answers or {})}, dice)


@pytest.mark.ledger("26.33.1", "26.41.1", "26.83", "26.92B", "26.71A.1")
def test_a_bomber_that_gets_through_drops_an_atomic_bomb() -> None:
    """Three undefended bombers get through: twelve of damage by bombs, and what is said of an atomic one; in all more than
    a firestorm takes, but there is none where an atomic marker lies."""
    table = bombs({"atomic attacks": {"United States": {RAID: 1}}}, {"3 bombers": 7}, atomic_damage=40)
    decision = table.to("atomic attacks")
    assert decision.side is Side.ALLIES and items(decision) == {"United States": ("keep", RAID)}
    assert refusal(decision, {"United States": {RAID: 2}}) == "26.33"
    war = table.at("Axis Fall 1945")
    (raid,) = table.events(RaidAnnounced)
    assert raid.atomic
    (flown,) = table.events(AtomicBombFlown)
    assert (flown.power, flown.target, flown.fate, flown.damage) == ("United States", "Tokyo", "dropped", 40)
    assert war.targets["Tokyo"].markers == ("atomic",)
    assert table.events(BombingTold)[0].brps == {"Japan": 25}, "never more than the hex is worth"
    assert war.atomic_bombs == {"United States": 1}


@pytest.mark.ledger("26.33.1", "26.83")
def test_without_a_word_about_what_it_does_it_leaves_its_marker_alone() -> None:
    one = bombs({"atomic attacks": {"United States": {RAID: 1}}}, {"3 bombers": 2}).to_end()
    none = bombs({}, {"3 bombers": 2}).to_end()
    assert not none.events(AtomicBombFlown) and none.war.atomic_bombs == {"United States": 2}
    assert one.events(BombingTold)[0].brps == none.events(BombingTold)[0].brps
    assert (one.war.targets["Tokyo"].markers, none.war.targets["Tokyo"].markers) == (("atomic",), ())


@pytest.mark.ledger("26.33.1", "26.461.2", "26.441")
@pytest.mark.parametrize(("number", "roll", "fate", "left"), [(1, 12, "lost", 1), (1, 2, "brought back", 2)])
def test_bombers_that_are_stopped_bring_the_bomb_back_or_are_lost_with_it(
    number: int, roll: int, fate: str, left: int
) -> None:
    """One bomber met by two interceptors, whose DRM is one better: 2/2 on 12 eliminates it, 0/1 on 2 sends it home."""
    table = bombs(
        {
            "atomic attacks": {"United States": {RAID: 1}},
            "air defense of targets": {"Japan interceptor, Pacific": "Tokyo"},
        },
        {"the defenders": roll},
        number,
        {"Japan interceptor": 2},
    ).to_end()
    (fight,) = table.events(RaidAirCombat)
    assert fight.attacker.remaining["strategic_bombers"] == 0
    assert fight.attacker.eliminated["strategic_bombers"] == (1 if fate == "lost" else 0)
    (flown,) = table.events(AtomicBombFlown)
    assert (flown.fate, flown.damage) == (fate, 0)
    assert table.war.atomic_bombs == {"United States": left} and table.war.targets["Tokyo"].markers == ()


@pytest.mark.ledger("26.33.1", "26.464")
def test_a_bomber_that_the_target_stops_drops_nothing() -> None:
    """Strength five on 12: 1/4, so that none of five gets through."""
    strong = {**TOKYO, "defences": {"flak": 3, "cities_or_ports": 1}}
    table = bombs(
        {"atomic attacks": {"United States": {RAID: 1}}}, {"the defences": 12}, number=4, targets=[strong]
    ).to_end()
    (flown,) = table.events(AtomicBombFlown)
    assert flown.fate == "brought back" and table.war.targets["Tokyo"].markers == ()


@pytest.mark.ledger("26.33.1", "26.33.2")
def test_it_takes_strategic_bombers_and_no_Italian_city() -> None:
    rome = target("Rome", "Italy", "Mediterranean", distances={"United States": 3}, defences={})
    start = {"at": "Axis Spring 1943", "targets": [rome, TOKYO], "politics": WAR, "atomic_bombs": {"United States": 1}}
    places = {
        "Mediterranean": {"United States, European strategic bomber": 3},
        "Pacific": {"United States AAF": 6},
    }
    near = {**TOKYO, "distances": {"United States": 3}}
    answers = {
        "strategic bombing": {
            "United States, European strategic bomber, Mediterranean": "Rome",
            "United States AAF, Pacific": "Tokyo",
        }
    }
    table = WarTable(setup({**start, "targets": [rome, near]}, places=places, begin="Spring 1943"), answers).to_end()
    assert len(table.events(RaidAnnounced)) == 2 and "atomic attacks" not in table.kinds()


@pytest.mark.ledger("26.33.3", "26.33.1")
def test_an_atomic_bomb_works_where_nothing_is_worth_anything() -> None:
    poor = {**TOKYO, "value": 0}
    table = bombs({"atomic attacks": {"United States": {RAID: 1}}}, targets=[poor], atomic_damage=40).to_end()
    assert table.war.targets["Tokyo"].markers == ("atomic",) and table.events(BombingTold)[0].brps == {}


# -- rockets ------------------------------------------------------------------------------------------


def rockets(result: int, distance: int, **answers: Any) -> WarTable:
    """Two German rocket bases, three or more hexes from London, and one atomic bomb."""
    london = {**LONDON, "distances": {"Germany": distance, "Britain": 0}}
    rows = [
        {
            "at": at,
            "rocket_bases": {"Germany": [{"id": f"base {n}", "range": 2} for n in range(1, 2 + number)]},
            "research": {"Germany": {"rockets": result}},
        }
        for number, at in enumerate(("Axis Winter 1944", "Axis Spring 1945"))
    ]
    start = {"at": "Axis Summer 1945", "targets": [london], "atomic_bombs": {"Germany": 1}, "atomic_damage": 8}
    start |= {"brps": {"Britain": 50}, "construction": {"Britain": 20}}
    return WarTable(setup(*rows, start, places={"western": {"Britain AAF": 5}}, begin="Summer 1945"), answers)


@pytest.mark.ledger("26.67", "26.33.1", "26.63B.2", "26.653B", "26.653C")
def test_an_atomic_rocket_is_fired_from_nearby_and_nothing_meets_it() -> None:
    """Its own range of three counts, not the two of other rockets."""
    table = rockets(12, 3, **{"flying bombs": {"Germany: base 1": "atomic rockets at London"}})
    decision = table.to("flying bombs")
    assert items(decision)["Germany: base 1"] == ("stay", "atomic rockets at London")
    both = {f"Germany: base {n}": "atomic rockets at London" for n in (1, 2)}
    assert refusal(decision, both) == "26.67", "there is one bomb"
    table.to_end()
    assert "air defense of targets" not in table.kinds(), "it cannot be intercepted"
    (salvos,) = table.events(SalvosAnnounced)
    assert [(salvo.kind, salvo.number) for salvo in salvos.salvos] == [("atomic rockets", 1)]
    (flown,) = table.events(AtomicBombFlown)
    assert (flown.rule, flown.means, flown.fate) == ("26.67", "rockets", "dropped")
    (told,) = table.events(BombingTold)
    assert told.brps == {"Britain": 8} and told.construction == {"Britain": 8, "Germany": -8}
    assert table.war.targets["London"].markers == ("atomic",) and table.war.atomic_bombs == {}


@pytest.mark.ledger("26.67")
@pytest.mark.parametrize(("result", "distance"), [(11, 3), (12, 4)])
def test_it_takes_a_result_of_twelve_and_three_hexes(result: int, distance: int) -> None:
    assert "flying bombs" not in rockets(result, distance).to_end().kinds()


@pytest.mark.ledger("26.67", "26.31.2")
def test_without_a_bomb_or_from_a_damaged_base_there_is_no_atomic_rocket() -> None:
    london = {**LONDON, "distances": {"Germany": 3}}
    start = {"at": "Axis Summer 1945", "targets": [london], "research": {"Germany": {"rockets": 12}}}
    start |= {"rocket_bases": {"Germany": [{"id": "base", "range": 2}]}}
    assert "flying bombs" not in WarTable(setup(start, begin="Summer 1945")).to_end().kinds()
    start |= {"rocket_bases": {"Germany": [{"id": "base", "damaged": True}]}, "atomic_bombs": {"Germany": 1}}
    assert "flying bombs" not in WarTable(setup(start, begin="Summer 1945")).to_end().kinds()


@pytest.mark.ledger("26.33.2", "26.67")
def test_no_atomic_rocket_at_a_friend_a_port_of_ships_out_of_reach_or_an_Italian_city() -> None:
    rome = target("Rome", "Italy", "Mediterranean", distances={"Britain": 2})
    unsaid = target("Milan", "Italy", "Mediterranean")
    start = {"at": "Allied Summer 1945", "targets": [rome, unsaid, LONDON], "atomic_bombs": {"Britain": 1}}
    start |= {
        "research": {"Western Allies": {"rockets": 12}},
        "rocket_bases": {"Britain": [{"id": "base", "range": 2}]},
    }
    decision = WarTable(setup(start, begin="Summer 1945")).to("flying bombs")
    assert items(decision) == {"Britain: base": ("stay", "flying bombs at Rome", "rockets at Rome")}
