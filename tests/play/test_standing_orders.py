"""Standing orders: written by hand, tried in order, from one's own picture only."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import flagplot.rules
from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.random_bot import RandomBot
from flagplot.core.asks import Decide
from flagplot.core.errors import UnknownName
from flagplot.core.forms import Form, Item, PathForm, Place, Wire, barred, path_form, pick
from flagplot.core.sides import Side
from flagplot.model.picture import Picture
from flagplot.play.decision_kinds import KINDS, kind_at
from flagplot.play.game import Game
from flagplot.play.order_examples import example_orders, example_titles
from flagplot.play.order_facts import FACTS, MEANING, NUMBERS, WORDS, facts
from flagplot.play.standing_orders import (
    COMPARISONS,
    HOWS,
    MOST_ORDERS,
    MOST_TEXT,
    Condition,
    OrdersRefused,
    StandingOrder,
    ordered_answer,
    read_orders,
    write_orders,
)
from flagplot.scenarios.loader import list_scenarios, shipped_scenario

EVADE = Decide(Side.AXIS, "22.523", "evade", "Do you evade?", pick({"evade": "yes", "fight": "no"}, "fight"), "CG2")
SHIPS = Form(
    tuple(Item(key, key.title(), number) for key, number in (("hood", 1), ("repulse", 1), ("Britain/DD", 3))),
    (Place("line", "in the line"), Place("screen", "screened")),
    (barred("hood", "screen", "22.531C", "She is too large."),),
    rest="line",
)
SCREEN = Decide(Side.AXIS, "22.531C", "screen", "Who is screened?", SHIPS, "CG2")
PATHS = path_form([("A1", "A2", "A3")], {"A1": ("A2",), "A2": ("A3", "A1"), "A3": ("A2",)}, 0, "")
PATH = Decide(Side.AXIS, "22.12", "path", "Which path?", PATHS, "A1")


def doctrine(picture: Picture, decision: Decide) -> Wire:
    return {"choice": "evade"} if decision is EVADE else decision.form.default


def answer(text: str, decision: Decide = EVADE, picture: Picture | None = None) -> Wire | None:
    given = ordered_answer(read_orders(text), picture or Picture(Side.AXIS), decision, doctrine)
    return given and given.answer


def joined(name: str = "midway") -> Game:
    return Game.new(shipped_scenario(name).setup)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("evade: evade", "evade"),
        ("evade: default", {"choice": "fight"}),
        ("evade: doctrine", {"choice": "evade"}),
        ("evade: ask", None),
        ("withdraw: withdraw", None),
        ("evade CG2: evade", "evade"),
        ("evade CG3: evade", None),
        ("evade CG2: fight\nevade: evade", "fight"),
        ('evade: {"choice": "evade"}  # a comment', {"choice": "evade"}),
        ("evade: evade if round is 1", "evade"),
        ("evade: evade if round is not 1", None),
        ("evade: evade if round at least 2", None),
        ("evade: evade if round at least 2\nevade: fight", "fight"),
        ("evade: evade if round at most 1 and round is 1", "evade"),
        ("evade: evade if own guns at least 0", None),  # nothing is known of guns before the fleets have met
        ("evade: evade if phase is combat", None),  # there is no operation
        ("# nothing but a comment\n\n", None),
        ("anything: default", {"choice": "fight"}),
        ("withdraw: stay\nanything CG2: evade", "evade"),
        ("anything: default if sole is 1", None),
        ("anything: ask\nevade: evade", None),
    ],
)
def test_the_first_order_that_fits_decides(text: str, expected: Any) -> None:
    assert answer(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("screen: screen", {"repulse": "screen", "Britain/DD": "screen"}),  # Hood may not, and rests in the line
        ("screen repulse: screen", {"repulse": "screen"}),
        ("screen repulse: line\nscreen: screen", {"repulse": "line", "Britain/DD": "screen"}),
        ("screen repulse: screen\nscreen: ask", {"repulse": "screen"}),  # something has been placed already
        ('screen: {"Britain/DD": {"screen": 2}}', {"Britain/DD": {"screen": 2}}),
        ('screen: {"hood": "screen"}', None),  # illegal, so the player is asked
        ('screen: {"nelson": "screen"}', None),
        ("screen nelson: screen", None),
        ("screen CG2: default", {}),
    ],
)
def test_a_word_places_whatever_may_go_there(text: str, expected: Any) -> None:
    assert answer(text, SCREEN) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("path: default", {"choice": "A1 > A2 > A3"}),
        ('path: ["A1", "A2", "A3"]', ["A1", "A2", "A3"]),
        ("path: A1 > A2 > A3", "A1 > A2 > A3"),
        ("path: A1 > A3", None),  # no path
    ],
)
def test_a_path_is_answered_beforehand(text: str, expected: Any) -> None:
    assert answer(text, PATH) == expected


def test_a_question_with_one_legal_answer_can_be_left_to_orders() -> None:
    alone = Decide(Side.AXIS, "22.523", "evade", "Do you evade?", pick({"fight": "no"}, "fight"), "CG2")
    assert answer("anything: default if sole is 1", alone) == {"choice": "fight"}
    assert answer("anything: default if sole is 0", alone) is None


def test_the_lines_that_gave_an_answer_are_told() -> None:
    orders = read_orders("\nscreen repulse: screen\n\nevade: fight\nscreen: line  # the others\n")
    given = ordered_answer(orders, Picture(Side.AXIS), SCREEN, doctrine)
    assert given is not None and given.lines == (2, 5)
    given = ordered_answer(orders, Picture(Side.AXIS), EVADE, doctrine)
    assert given is not None and given.lines == (4,)


def test_conditions_look_at_ones_own_picture() -> None:
    game = joined()
    side = next(side for side in Side if game.decision(side))
    decision = game.decision(side)
    assert decision is not None
    known = facts(game.picture(side), decision)
    assert set(known) < set(FACTS)
    assert known["round"] == 1
    told = known["own groups"]
    assert isinstance(told, int)
    order = f"{decision.kind}: default if own groups is {told}"
    assert answer(order, decision, game.picture(side)) == decision.form.default
    order = f"{decision.kind}: default if own groups is {told + 1}"
    assert answer(order, decision, game.picture(side)) is None


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("evade yes", 1, "a colon"),
        ("\nevade:", 2, "a colon"),
        (": yes", 1, "a colon"),
        ("evade: {yes", 1, "JSON"),
        ('evade: "yes', 1, "JSON"),
        ("evde: fight", 1, "evade"),  # what may have been meant is named
        ("xyz: fight", 1, "announce"),  # and if nothing can be, everything
        ("evade: fight\nevade: yes", 2, 'cannot be answered with "yes", only fight, evade'),
        ('withdraw: {"CG1": "flee"}', 1, 'with "flee"'),
        ('withdraw: {"CG1": {"flee": 1}}', 1, 'with "flee"'),
        ('withdraw: {"CG1": 7}', 1, 'with "7"'),
        ("evade: try", 1, "only interception"),
        ("anything: try", 1, "only interception"),
        ("interception: best", 1, "only hex"),
        ("evade: fight if it rains", 1, "the facts are"),
        ("evade: fight if round at least many", 1, "a number"),
        ("evade: fight if round at least 12345678", 1, "a number"),
        ("evade: fight if enemy secrets at least 1", 1, "the facts are"),
        ("hex: best if target kind at least 3", 1, "some words"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(text: str, line: int, why: str) -> None:
    with pytest.raises(OrdersRefused, match=f"line {line}:") as refused:
        read_orders(text)
    assert refused.value.line == line and why in str(refused.value)


def test_there_is_a_limit_to_orders() -> None:
    with pytest.raises(OrdersRefused, match="at most"):
        read_orders("evade: fight\n" * (MOST_ORDERS + 1))
    with pytest.raises(OrdersRefused, match="at most"):
        read_orders("#" * (MOST_TEXT + 1))


json_values = st.recursive(
    st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
).filter(lambda value: isinstance(value, str | list | dict))
conditions = st.builds(Condition, st.sampled_from(NUMBERS), st.sampled_from(list(COMPARISONS)), st.integers(0, 99))
in_words = st.builds(
    Condition, st.sampled_from(WORDS), st.sampled_from(["is", "is not"]), st.sampled_from(["KK26", "sea transport"])
)


@given(
    st.lists(
        st.builds(
            lambda kind, about, how, value, when: StandingOrder(
                kind=kind, about=about, how=how, answer=value if how == "answer" else None, when=tuple(when)
            ),
            st.sampled_from(["engage", "surplus light", "path"]),
            st.sampled_from(["", "CG1", "Force A"]),
            st.sampled_from(["answer", *HOWS]),
            json_values,
            st.lists(conditions | in_words, max_size=2),
        ),
        max_size=4,
    )
)
def test_orders_read_back_as_they_were_written(orders: list[StandingOrder]) -> None:
    numbered = tuple(replace(order, line=line) for line, order in enumerate(orders, start=1))
    assert read_orders(write_orders(orders)) == numbered


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            [
                "evade",
                ":",
                " ",
                "fight",
                " if ",
                "round",
                " at least ",
                "3",
                "\n",
                "#",
                '"',
                "{",
                "}",
                "[",
                "\\",
                "anything",
            ]
        ),
        max_size=14,
    ).map("".join)
)
def test_whatever_is_written_is_read_or_refused_in_words(text: str) -> None:
    try:
        orders = read_orders(text)
    except OrdersRefused as refused:
        assert str(refused)
    else:
        assert len(read_orders(write_orders(orders))) == len(orders)
        answer(text)


@pytest.mark.parametrize(
    "odd", ["[" * 9_000, "[" + "1" * 9_000 + "]", '"\\ud800"', "[NaN]", '{"choice": "\\ud800"}', "{}", "[]", "1"]
)
def test_odd_json_is_no_answer(odd: str) -> None:
    for kind in ("evade", "path"):
        try:
            assert answer(f"{kind}: {odd}", EVADE if kind == "evade" else PATH) is None
        except OrdersRefused as refused:
            str(refused).encode()


# -- kinds ----------------------------------------------------------------------------------------


def asked_in_rules() -> set[str]:
    """The kinds of questions that rules put, as far as they stand there as they are."""
    found = set()
    for path in Path(next(iter(flagplot.rules.__path__))).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Decide", "both"):
                kind = node.args[2] if len(node.args) > 2 else None
                if isinstance(kind, ast.Constant):
                    found.add(kind.value)
    return found


def test_every_kind_of_question_is_known_and_no_other() -> None:
    written = asked_in_rules()
    computed = {"interception", "counter-interception", "counter-counter-interception"}
    computed |= {"screened fire capital", "screened fire light", "critical hit", "supply line hit"}
    computed |= {"SW movement", "SW redeployment", "air placement", "air redeployment"}
    computed |= {"emergency repair", "rocket base repair", "damage marker", "firestorm marker"}
    assert sorted(written - set(KINDS)) == [], "a new kind of question: add it to play/decision_kinds.py"
    assert set(KINDS) - written == computed


def test_questions_are_answered_with_the_words_that_are_said_to_be_possible() -> None:
    """Every scenario is played by chance, and every question is held against the list."""
    met: set[str] = set()
    for scenario in list_scenarios():
        game, bot = Game.new(scenario.setup, options=scenario.options), RandomBot(Random(scenario.name))
        while not game.over and len(game.journal) < 400:
            if game.roll_due():
                game.roll()
                continue
            side = next(side for side in Side if game.decision(side))
            decision = game.decision(side)
            assert decision is not None
            kind = KINDS[decision.kind]
            met.add(decision.kind)
            if kind.answers and decision.form.items:
                first = decision.form.items[0]  # what comes after it hangs on it: ships to abandon, in order to evade
                possible = first.places or tuple(place.key for place in decision.form.places)
                assert set(possible) <= set(kind.answers), decision.kind
            game.submit(side, bot.choose(game.picture(side), decision))
    assert len(met) > 40


def test_the_longest_kind_is_meant() -> None:
    assert kind_at("screened fire light CG2") == ("screened fire light", "CG2")
    assert kind_at("counter-interception Force A") == ("counter-interception", "Force A")
    assert kind_at("path") == ("path", "")
    assert kind_at("paths") is None


def test_every_fact_is_explained_and_compared_in_one_way() -> None:
    assert set(MEANING) == set(FACTS) == {*NUMBERS, *WORDS}


# -- examples -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", example_titles())
def test_the_examples_that_are_shipped_can_be_read_and_answer_something(name: str) -> None:
    orders = read_orders(example_orders(name))
    scenario = shipped_scenario({"operation": "operation-malta", "war": "war"}.get(name, "midway"))
    game, bot, given = Game.new(scenario.setup, options=scenario.options), AdmiralBot(), 0
    while not game.over:
        if game.roll_due():
            game.roll()
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision is not None
        told = ordered_answer(orders, game.picture(side), decision, bot.choose, game.table.rules)
        given += told is not None
        if given > 5:
            return
        game.submit(side, told.answer if told else bot.choose(game.picture(side), decision))
    pytest.fail(f"{name} answered {given} questions")


def test_an_example_that_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownName, match="battle, operation and war"):
        example_orders("nothing")


def test_a_path_form_is_what_paths_are_asked_with() -> None:
    assert isinstance(PATH.form, PathForm)
