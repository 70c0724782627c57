"""Standing orders: written by hand, tried in order, from one's own picture only."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.core.asks import Decide
from flagplot.core.forms import Wire, pick
from flagplot.core.sides import Side
from flagplot.model.picture import Picture
from flagplot.play.game import Game
from flagplot.play.standing_orders import (
    COMPARISONS,
    FACTS,
    HOWS,
    MOST_ORDERS,
    Condition,
    OrdersRefused,
    StandingOrder,
    facts,
    ordered_answer,
    read_orders,
    write_orders,
)
from flagplot.scenarios.loader import shipped_scenario

EVADE = Decide(Side.AXIS, "22.523", "evade", "Do you evade?", pick({"yes": "evade", "no": "stand"}, "no"), "CG2")


def doctrine(picture: Picture, decision: Decide) -> Wire:
    return "by doctrine"


def answer(text: str, decision: Decide = EVADE, picture: Picture | None = None) -> Wire | None:
    return ordered_answer(read_orders(text), picture or Picture(Side.AXIS), decision, doctrine)


def joined(name: str = "midway") -> Game:
    return Game.new(shipped_scenario(name).setup)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("evade: yes", "yes"),
        ("evade: default", {"choice": "no"}),
        ("evade: doctrine", "by doctrine"),
        ("evade: ask", None),
        ("withdraw: yes", None),
        ("evade CG2: yes", "yes"),
        ("evade CG3: yes", None),
        ("evade: perhaps", None),  # not a legal answer, so the player is asked
        ("evade CG2: no\nevade: yes", "no"),
        ('evade: {"choice": "yes"}  # a comment', "choice"),
        ("evade: yes if round is 1", "yes"),
        ("evade: yes if round at least 2", None),
        ("evade: yes if round at least 2\nevade: no", "no"),
        ("evade: yes if round at most 1 and round is 1", "yes"),
        ("evade: yes if own guns at least 0", None),  # nothing is known of guns before the fleets have met
        ("# nothing but a comment\n\n", None),
    ],
)
def test_the_first_order_that_fits_decides(text: str, expected: Any) -> None:
    given = answer(text)
    assert given == ({"choice": "yes"} if expected == "choice" else expected)


def test_conditions_look_at_ones_own_picture() -> None:
    game = joined()
    side = next(side for side in Side if game.decision(side))
    decision = game.decision(side)
    assert decision is not None
    known = facts(game.picture(side), decision)
    assert set(known) == set(FACTS)
    assert known["round"] == 1
    told = known["own groups"]
    order = f"{decision.kind}: default if own groups is {told}"
    assert ordered_answer(read_orders(order), game.picture(side), decision, doctrine) == decision.form.default
    order = f"{decision.kind}: default if own groups is {told + 1}"
    assert ordered_answer(read_orders(order), game.picture(side), decision, doctrine) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("evade yes", 1),
        ("\nevade:", 2),
        (": yes", 1),
        ("evade: {yes", 1),
        ("evade: yes if it rains", 1),
        ("evade: yes if round at least many", 1),
        ("evade: yes if enemy secrets at least 1", 1),
        ('evade: "yes', 1),
    ],
)
def test_a_line_that_cannot_be_read_is_named(text: str, line: int) -> None:
    with pytest.raises(OrdersRefused, match=f"line {line}:"):
        read_orders(text)


def test_there_is_a_limit_to_orders() -> None:
    with pytest.raises(OrdersRefused, match="at most"):
        read_orders("evade: yes\n" * (MOST_ORDERS + 1))


json_values = st.recursive(
    st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
).filter(lambda value: isinstance(value, str | list | dict))


@given(
    st.lists(
        st.builds(
            lambda kind, about, how, value, when: StandingOrder(
                kind=kind, about=about, how=how, answer=value if how == "answer" else None, when=tuple(when)
            ),
            st.sampled_from(["evade", "air search", "withdraw"]),
            st.sampled_from(["", "CG1", "CG6"]),
            st.sampled_from(["answer", *HOWS]),
            json_values,
            st.lists(
                st.builds(Condition, st.sampled_from(FACTS), st.sampled_from(list(COMPARISONS)), st.integers(0, 99)),
                max_size=2,
            ),
        ),
        max_size=4,
    )
)
def test_orders_read_back_as_they_were_written(orders: list[StandingOrder]) -> None:
    assert read_orders(write_orders(orders)) == tuple(orders)
