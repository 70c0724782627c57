"""26.61, 26.62, 26.653C: rocket bases placed, moved and put back by their owner, lost with their hex; what they earn."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.core.sides import Side
from flagplot.model.war_events import BombingTold, RocketBasePlaced, RocketBaseReturned
from tests.rules.war_table import LONDON, WAR, WarTable, items, refusal, setup, target

CALAIS, HOLLAND, EIFEL = ({"id": name, "range": 4, "theatre": "Europe"} for name in ("Calais", "Holland", "Eifel"))
MANILA = {"id": "Manila", "range": 4, "theatre": "Pacific"}


def sites(
    *rows: dict[str, Any], result: int = 9, power: str = "Germany", begin: str = "Summer 1944", **keys: Any
) -> Any:
    """A war in which a power may place rocket bases."""
    side, faction = ("Axis", "Germany") if power == "Germany" else ("Allied", "Western Allies")
    start = {
        "at": f"{side} {begin}",
        "research": {faction: {"rockets": result}},
        "rocket_sites": {power: keys.pop("open_to", [CALAIS, HOLLAND, EIFEL])},
        **keys.pop("start", {}),
    }
    return setup(start, *rows, begin=begin, end=keys.pop("end", "Winter 1944"))


@pytest.mark.ledger("26.61", "26.61A", "26.63B.1")
def test_the_owner_places_one_new_base_a_turn_where_he_likes() -> None:
    answers = {
        ("Axis Summer 1944", "rocket bases"): {"new base": "Holland"},
        ("Axis Fall 1944", "rocket bases"): {"new base": "Calais"},
    }
    table = WarTable(sites(), answers)
    decision = table.to("rocket bases")
    assert decision.side is Side.AXIS and items(decision) == {"new base": ("wait", "Calais", "Holland", "Eifel")}
    table.to_end()
    assert [(event.base.id, event.base.range) for event in table.events(RocketBasePlaced)] == [
        ("Holland", 4),
        ("Calais", 4),
    ]
    late = [base.id for base in table.war.rocket_bases["Germany"]]
    assert late == ["Holland", "Calais"], "a result of nine allows two"
    assert table.kinds("Axis Winter 1944") == ["rocket bases"], "one of them might still be moved"


@pytest.mark.ledger("26.61A")
def test_one_undamaged_base_is_moved_a_turn_besides_a_new_one() -> None:
    bases = {"rocket_bases": {"Germany": [CALAIS]}}
    table = WarTable(
        sites(end="Fall 1944", start=bases, result=10),
        {("Axis Fall 1944", "rocket bases"): {"Calais": "Eifel", "new base": "Holland"}},
    )
    decision = table.to("rocket bases", "Fall")
    assert set(items(decision)) == {"new base", "Calais"}
    assert refusal(decision, {"Calais": "Eifel", "new base": "Eifel"}) == "26.61"
    table.to_end()
    assert [base.id for base in table.war.rocket_bases["Germany"]] == ["Eifel", "Holland"]
    moved = [(event.base.id, event.moved_from) for event in table.events(RocketBasePlaced)]
    assert moved == [("Eifel", "Calais"), ("Holland", "")]


@pytest.mark.ledger("26.61A")
def test_no_second_base_is_moved() -> None:
    first = {
        "start": {"rocket_bases": {"Germany": [CALAIS]}},
        "open_to": [CALAIS, HOLLAND, EIFEL, {**EIFEL, "id": "Jutland"}],
    }
    answers = {"rocket bases": {"new base": "Holland"}}
    decision = WarTable(sites(result=10, **first), answers).to("rocket bases", "Fall")
    assert set(items(decision)) == {"new base", "Calais", "Holland"}
    assert refusal(decision, {"Calais": "Eifel", "Holland": "Jutland"}) == "26.61A"
    assert refusal(decision, {"Holland": "Jutland"}) == ""


@pytest.mark.ledger("26.61B")
@pytest.mark.parametrize(
    ("power", "open_to"), [("Germany", ("wait", "Holland")), ("Britain", ("wait", "Holland", "Manila"))]
)
def test_only_an_allied_base_is_moved_to_another_theatre(power: str, open_to: tuple[str, ...]) -> None:
    start = {"rocket_bases": {power: [CALAIS]}}
    table = WarTable(sites(power=power, start=start, open_to=[CALAIS, HOLLAND, MANILA]))
    assert items(table.to("rocket bases"))["Calais"] == open_to


@pytest.mark.ledger("26.62A", "26.62C", "26.61A")
def test_a_base_is_lost_with_its_hex_and_comes_back_besides_a_new_one() -> None:
    fallen = {"at": "Axis Fall 1944", "rocket_sites": {"Germany": [HOLLAND, {**EIFEL, "range": 5}]}}
    bases = {"rocket_bases": {"Germany": [CALAIS]}}
    given = sites(fallen, start=bases, result=10, end="Fall 1944")
    answers = {("Axis Fall 1944", "rocket bases"): {"new base": "Holland", "returning base": "Eifel"}}
    table = WarTable(given, answers)
    table.to("rocket bases", "Fall")
    assert table.war.rocket_bases["Germany"] == ()
    assert [base.id for base in table.war.lost_bases["Germany"]] == ["Calais"]
    table.to_end()
    assert [event.base.id for event in table.events(RocketBasePlaced)] == ["Holland"]
    (back,) = table.events(RocketBaseReturned)
    assert (back.base.id, back.base.range, back.eliminated) == ("Eifel", 5, "Calais")
    assert table.war.lost_bases["Germany"] == ()


@pytest.mark.ledger("26.62C", "26.63B.1")
def test_eliminated_bases_count_towards_what_research_allows() -> None:
    """A result of nine allows two: one on the map and one eliminated leave room for that one alone."""
    fallen = {"at": "Axis Winter 1944", "rocket_sites": {"Germany": [HOLLAND, EIFEL]}}
    bases = {"rocket_bases": {"Germany": [CALAIS]}}
    table = WarTable(sites(fallen, start=bases), {("Axis Fall 1944", "rocket bases"): {"new base": "Holland"}})
    assert set(items(table.to("rocket bases", "Winter"))) == {"returning base", "Holland"}


@pytest.mark.ledger("26.61")
def test_where_no_place_is_free_and_nothing_may_be_placed_nobody_is_asked() -> None:
    assert "rocket bases" not in WarTable(sites(result=8)).to_end().kinds()
    full = sites(open_to=[CALAIS], start={"rocket_bases": {"Germany": [CALAIS]}})
    assert "rocket bases" not in WarTable(full).to_end().kinds()
    none = sites({"at": "Axis Fall 1944", "rocket_sites": {"Germany": []}}, open_to=[CALAIS])
    assert "rocket bases" not in WarTable(none, {"rocket bases": {"new base": "Calais"}}).to_end().kinds("Fall")


@pytest.mark.ledger("26.62C", "26.63B.1")
@pytest.mark.parametrize(("result", "back"), [(9, ["base"]), (8, [])])
def test_an_eliminated_base_comes_back_only_as_far_as_research_allows(result: int, back: list[str]) -> None:
    """Two bombers on 12 do five, and six more for both that get through: eleven eliminate it."""
    base = target("base", "Germany", kind="rocket base", value=0, defences={}, distances={"Britain": 3})
    start = {"at": "Axis Summer 1944", "targets": [base], "research": {"Germany": {"rockets": 9}}}
    start |= {"rocket_bases": {"Germany": [{"id": "base", "range": 4}]}}
    later = {"at": "Axis Fall 1944", "research": {"Germany": {"rockets": result}}}
    table = WarTable(
        setup(start, later, places={"western": {"Britain strategic bomber": 2}}, begin="Summer 1944", end="Fall 1944"),
        {("Allied Summer 1944", "strategic bombing"): {"Britain strategic bomber, western": "base"}},
        {"2 bombers": 12},
    ).to_end()
    assert [event.base.id for event in table.events(RocketBaseReturned)] == back
    assert [lost.id for lost in table.war.lost_bases["Germany"]] == ([] if back else ["base"])


# -- what salvos earn -----------------------------------------------------------------------------------


@pytest.mark.ledger("26.653C")
@pytest.mark.parametrize(("power", "gain"), [("Germany", {"Germany": -5}), ("Japan", {})])
def test_only_German_salvos_raise_the_German_limit(power: str, gain: dict[str, int]) -> None:
    vladivostok = target("Vladivostok", "Russia", "Asian", 10, key_economic_area=True, distances={power: 3})
    start = {"at": "Axis Summer 1944", "targets": [vladivostok], "research": {power: {"rockets": 9}}}
    start |= {"rocket_bases": {power: [{"id": "base", "range": 3}]}, "brps": {"Russia": 50}}
    answers = {"flying bombs": {f"{power}: base": "rockets at Vladivostok"}}
    table = WarTable(setup(start, begin="Summer 1944"), answers).to_end()
    (told,) = table.events(BombingTold)
    assert told.brps == {"Russia": 5} and told.construction == {"Russia": 5, **gain}


@pytest.mark.ledger("26.653C", "26.652")
def test_of_salvos_of_both_at_one_target_the_first_fired_count_as_far_as_its_value_goes() -> None:
    """Eight BRPs: five for the German rocket, three for the Japanese one."""
    vladivostok = target(
        "Vladivostok", "Russia", "Asian", 8, key_economic_area=True, distances={"Germany": 3, "Japan": 3}
    )
    powers = ("Germany", "Japan")
    start = {"at": "Axis Summer 1944", "targets": [vladivostok], "brps": {"Russia": 50}}
    start |= {"research": {power: {"rockets": 9} for power in powers}}
    start |= {"rocket_bases": {power: [{"id": "base", "range": 3}] for power in powers}}
    answers = {"flying bombs": {f"{power}: base": "rockets at Vladivostok" for power in powers}}
    table = WarTable(setup(start, begin="Summer 1944"), answers).to_end()
    (told,) = table.events(BombingTold)
    assert told.brps == {"Russia": 8} and told.construction == {"Russia": 8, "Germany": -5}


@pytest.mark.ledger("26.653C", "26.653B")
def test_salvos_at_what_is_no_key_economic_area_change_no_construction_limit() -> None:
    """26.653 speaks of key economic areas, boxes and ICs; an oil center in British hands is none."""
    mosul = target("Mosul", "Britain", "Mediterranean", 5, kind="oil center", distances={"Germany": 3})
    start = {"at": "Axis Summer 1944", "targets": [mosul], "research": {"Germany": {"rockets": 9}}, "politics": WAR}
    start |= {"rocket_bases": {"Germany": [{"id": "base", "range": 3}]}, "brps": {"Britain": 50}}
    answers = {"flying bombs": {"Germany: base": "rockets at Mosul"}}
    table = WarTable(setup(start, begin="Summer 1944"), answers).to_end()
    (told,) = table.events(BombingTold)
    assert told.brps == {"Britain": 5} and told.construction == {}


@pytest.mark.ledger("26.653C", "26.652")
def test_what_German_bombers_do_beside_Japanese_rockets_raises_nothing() -> None:
    """London is no target of Japan's bases here: its BRPs lost to bombers never raise a limit."""
    start = {"at": "Axis Summer 1944", "targets": [LONDON], "brps": {"Britain": 50}}
    answers = {"strategic bombing": {"Germany AAF, western": "London"}}
    given = setup(start, places={"western": {"Germany AAF": 30}}, begin="Summer 1944")
    table = WarTable(given, answers, {"bombers": 7}).to_end()
    assert "Germany" not in table.events(BombingTold)[0].construction
