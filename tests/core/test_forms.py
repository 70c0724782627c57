"""Forms: one checker for every answer."""

from __future__ import annotations

from random import Random

import pytest

from flagplot.core.errors import IllegalChoice
from flagplot.core.forms import AtLeast, AtMost, Form, Item, OneShort, Place, barred, distinct, in_order, order_of, pick

SHIPS = (Item("hood", "Hood"), Item("dd", "destroyers", 6))
LINE = (Place("line", "in the line"), Place("screen", "behind the screen"))


def test_what_is_not_named_goes_to_its_resting_place() -> None:
    answer = Form(SHIPS, LINE, rest="line").read({"dd": {"screen": 2}}, "22.531")
    assert answer.cells == {"hood": {"line": 1}, "dd": {"screen": 2, "line": 4}}
    assert (answer.place("hood"), answer.amount("dd", "screen"), answer.held_by("line")) == (
        "line",
        2,
        {"hood": 1, "dd": 4},
    )
    assert answer.amount("nobody", "line") == 0


def test_what_has_no_resting_place_must_be_named() -> None:
    with pytest.raises(IllegalChoice, match="5 of destroyers must still be placed"):
        Form(SHIPS, LINE).read({"hood": "line", "dd": {"line": 1}}, "22.531")


def test_an_item_may_have_places_of_its_own_and_rests_in_the_first() -> None:
    form = Form((Item("hood", "Hood", 1, ("keep", "leave")), Item("dd", "destroyers", 2)), LINE, rest="line")
    assert form.read({}, "22.524").cells == {"hood": {"keep": 1}, "dd": {"line": 2}}
    with pytest.raises(IllegalChoice, match="'line' is no place for Hood. It may go to: keep, leave"):
        form.read({"hood": "line"}, "22.524")


@pytest.mark.parametrize(
    ("wire", "reason"),
    [
        (None, "names items and places"),
        ("line", "names items and places"),
        ({"rodney": "line"}, "'rodney' is not among the things"),
        ({"hood": 3}, "goes to a place"),
        ({"hood": "harbour"}, "'harbour' is no place for Hood"),
        ({"dd": {"line": 7}}, "6 can be placed in all, not 7"),
        ({"dd": {"line": -1}}, "6 can be placed in all, not -1"),
        ({"dd": {"line": True}}, "6 can be placed in all, not True"),
        ({"dd": {"line": 4, "screen": 4}}, "6 can be placed in all, not 4"),
        ({"dd": {"line": "x" * 99}}, r"\.\.\."),
    ],
)
def test_answers_of_the_wrong_shape_are_refused_with_what_would_do(wire: object, reason: str) -> None:
    with pytest.raises(IllegalChoice, match=reason):
        Form(SHIPS, LINE, rest="line").read(wire, "22.531")


def test_a_bare_name_answers_a_single_item() -> None:
    form = pick({"fight": "fights", "evade": "evades"}, "fight")
    assert form.read("evade", "22.523").choice == "evade"
    assert form.wire(form.read("evade", "22.523")) == {"choice": "evade"}


def test_limits_refuse_with_their_own_rule() -> None:
    most = AtMost((("hood", "screen", 3), ("dd", "screen", 1)), 4, "22.1", "too many")
    least = AtLeast((("dd", "line", 1),), 2, "22.2", "too few")
    form = Form(SHIPS, LINE, (most, least), rest="line")
    form.read({"hood": "screen", "dd": {"screen": 1}}, "x")
    with pytest.raises(IllegalChoice, match="22.1: too many") as refused:
        form.read({"hood": "screen", "dd": {"screen": 2}}, "x")
    assert refused.value.rule == "22.1"
    with pytest.raises(IllegalChoice, match="22.2: too few"):
        Form(SHIPS, LINE, (least,), rest="line").read({"dd": {"screen": 5}}, "x")


def test_one_short_lets_a_single_place_go_without() -> None:
    places = (Place("a", "A"), Place("b", "B"), Place("none", "nothing"))
    form = Form(
        (Item("dd", "destroyers", 7),), places, (OneShort((("a", 4), ("b", 4)), (("dd", 1),), "22.54E", "x"),), "none"
    )
    for a, b, legal in [(7, 0, True), (4, 3, True), (3, 4, True), (3, 0, True), (2, 2, False), (3, 3, False)]:
        if legal:
            form.read({"dd": {"a": a, "b": b}}, "22.54E")
        else:
            with pytest.raises(IllegalChoice):
                form.read({"dd": {"a": a, "b": b}}, "22.54E")


def test_the_shortest_wire_reads_back_as_the_same_answer() -> None:
    form = Form(SHIPS, LINE, rest="line")
    for wire in ({}, {"hood": "screen"}, {"dd": {"screen": 2}}, {"dd": "screen", "hood": "line"}):
        answer = form.read(wire, "x")
        assert form.read(form.wire(answer), "x") == answer
    assert form.wire(form.read({"dd": {"line": 6}}, "x")) == {}


def test_an_item_of_nothing_needs_no_place() -> None:
    form = Form((Item("dd", "destroyers", 0),), LINE)
    assert form.read({}, "x").cells == {"dd": {}}
    assert form.wire(form.read({}, "x")) == {}


def test_samples_are_legal_even_where_chance_would_rarely_be() -> None:
    names = [f"group {n}" for n in range(6)]
    numbers = [str(n) for n in range(1, 7)]
    form = Form(
        tuple(Item(name, name) for name in names),
        tuple(Place(number, number) for number in numbers),
        distinct(names, numbers, "22.423A", "no two alike"),
        default=dict(zip(names, numbers, strict=True)),
    )
    random = Random(7)
    drawn = {tuple(form.read(form.sample(random), "x").place(name) for name in names) for _ in range(50)}
    assert len(drawn) > 30


def test_a_form_no_draw_can_satisfy_samples_its_default() -> None:
    exactly = AtLeast((("dd", "screen", 1),), 60, "x", "all sixty")
    form = Form((Item("dd", "destroyers", 60),), LINE, (exactly,), default={"dd": "screen"})
    assert form.sample(Random(1)) == {"dd": "screen"}


def test_a_draw_that_runs_into_a_dead_end_starts_again() -> None:
    form = Form((Item("a", "A"), Item("b", "B")), (Place("x", "X"),), distinct("ab", "x", "r", "once"), default={})
    assert form.sample(Random(1)) == {}


def test_the_sole_answer_is_found_and_several_are_not_mistaken_for_one() -> None:
    no = barred("choice", "evade", "22.523B", "A slow group must fight.")
    form = pick({"fight": "fights", "evade": "evades"}, "fight", [no])
    assert form.sole_answer() == {"choice": "fight"}
    assert form.barred(form.items[0]) == {"evade": no}
    assert pick({"fight": "fights", "evade": "evades"}, "fight").sole_answer() is None
    assert Form((), LINE).sole_answer() == {}
    assert Form((Item("dd", "destroyers"),), ()).sole_answer() is None
    assert Form((Item("dd", "destroyers", 2),), LINE, (AtMost((("dd", "screen", 1),), 0, "r", "w"),)).sole_answer() == {
        "dd": "line"
    }


def test_a_long_search_for_the_sole_answer_is_given_up() -> None:
    full = AtLeast(tuple((f"{n}", "screen", 1) for n in range(14)), 14, "r", "all")
    form = Form(tuple(Item(f"{n}", f"{n}") for n in range(14)), LINE, (full,))
    assert form.sole_answer() is None


def test_an_order_is_read_first_to_last() -> None:
    form = in_order({"nagato": "Nagato", "mutsu": "Mutsu"}, "22.54A")
    assert order_of(form.read({"nagato": "2", "mutsu": "1"}, "22.54A")) == ["mutsu", "nagato"]
    assert order_of(form.read(form.default, "22.54A")) == ["nagato", "mutsu"]
    with pytest.raises(IllegalChoice):
        form.read({"nagato": "1", "mutsu": "1"}, "22.54A")
