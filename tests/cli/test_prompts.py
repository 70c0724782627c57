"""Typed answers: names may be shortened, amounts split, and what is typed reads back as what was meant."""

from __future__ import annotations

from random import Random

import pytest
from rich.console import Console

from flagplot.bots.random_bot import RandomBot
from flagplot.cli.prompts import example_of, in_words, read_answer, resolve, samples, show_question, typed_answer
from flagplot.cli.terminal import THEME
from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.core.forms import AtMost, Form, Item, Place, barred, distinct, pick
from flagplot.core.sides import Side
from flagplot.play.game import Game
from flagplot.scenarios.loader import list_scenarios, load_scenario
from tests.properties.random_battles import random_game

SCREEN = Form(
    (
        Item("hood", "Hood (BC3)"),
        Item("prince-of-wales", "Prince of Wales (BB4)"),
        Item("Britain/CA", "Britain cruiser", 2),
        Item("Britain/DD", "Britain destroyer", 6),
    ),
    (Place("line", "fights in the line"), Place("screen", "is screened")),
    rest="line",
)
NUMBERS = Form(
    (Item("Battle fleet", "Battle fleet: Littorio, 3 CA"), Item("Convoy", "Convoy: 5 TR")),
    (*(Place(n, f"number {n}") for n in "123"), Place("wait", "waits")),
    (
        *distinct(["Battle fleet", "Convoy"], "123", "22.423A", "No two groups have the same number."),
        barred("Convoy", "wait", "22.421C", "A group with cargo must take part."),
    ),
    default={"Battle fleet": "1", "Convoy": "2"},
)
EVADE = Form(
    (Item("choice", "CG4", 1, ("fight", "evade")), Item("hood", "Hood (damaged) (BC3)", 1, ("keep", "abandon"))),
    tuple(map(Place, ("fight", "evade", "keep", "abandon"), ("fights", "evades", "stays", "is lost"))),
)
ONE = pick({"go on": "go on with the activity", "abort": "abort it and return to base"}, "go on")


@pytest.mark.parametrize(
    ("form", "typed", "wire"),
    [
        (SCREEN, "", {}),
        (SCREEN, "hood=screen", {"hood": {"screen": 1}}),
        (SCREEN, "HOOD = SCR", {"hood": {"screen": 1}}),
        (SCREEN, "1=2", {"hood": {"screen": 1}}),
        (SCREEN, "prince of=screen", {"prince-of-wales": {"screen": 1}}),
        (SCREEN, "wales=is scr", {"prince-of-wales": {"screen": 1}}),
        (SCREEN, "dd=2 screen", {"Britain/DD": {"screen": 2}}),
        (SCREEN, "destroyer=2 screen + 4 line", {"Britain/DD": {"screen": 2, "line": 4}}),
        (
            SCREEN,
            "dd=2 screen, dd=4 line; ca=screen",
            {"Britain/DD": {"screen": 2, "line": 4}, "Britain/CA": {"screen": 2}},
        ),
        (
            SCREEN,
            "all=screen",
            {
                "hood": {"screen": 1},
                "prince-of-wales": {"screen": 1},
                "Britain/CA": {"screen": 2},
                "Britain/DD": {"screen": 6},
            },
        ),
        (SCREEN, '{"hood": "screen"}', {"hood": "screen"}),
        (NUMBERS, "", {"Battle fleet": "1", "Convoy": "2"}),
        (NUMBERS, "convoy=3", {"Battle fleet": "1", "Convoy": {"3": 1}}),
        (NUMBERS, "litt=wait, 2=1", {"Battle fleet": {"wait": 1}, "Convoy": {"1": 1}}),
        (EVADE, "evade", {"choice": {"evade": 1}}),
        (EVADE, "evade, abandon", {"choice": {"evade": 1}, "hood": {"abandon": 1}}),
        (ONE, "2", {"choice": {"abort": 1}}),
        (ONE, "ab", {"choice": {"abort": 1}}),
        (ONE, "return", {"choice": {"abort": 1}}),
        (ONE, '"abort"', "abort"),
    ],
)
def test_what_is_typed_is_read(form: Form, typed: str, wire: object) -> None:
    assert read_answer(form, typed) == wire


@pytest.mark.parametrize(
    ("form", "typed", "why"),
    [
        (SCREEN, "britain=screen", "may mean Britain cruiser, Britain destroyer"),
        (SCREEN, "tirpitz=screen", "is not among the things to be placed"),
        (SCREEN, "hood=port", "is not among the places for Hood"),
        (SCREEN, "screen", "Say what goes where, as item=place, for example Hood=screen"),
        (SCREEN, "all=port", "is not among the places"),
        (SCREEN, "=screen", "is not among the things"),
        (SCREEN, "hood=", "is not among the places"),
        (SCREEN, "{hood", "looks like JSON"),
        (SCREEN, "9=screen", "is not among the things"),
        (ONE, "3", "is not among the places"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(form: Form, typed: str, why: str) -> None:
    with pytest.raises(PlayerError, match=why):
        read_answer(form, typed)


def test_a_figure_is_a_number_in_the_list_and_never_part_of_a_label() -> None:
    with pytest.raises(PlayerError):
        resolve("3", {"Battle fleet": "Battle fleet: Littorio, 3 CA"}, "things")


def test_only_the_form_judges() -> None:
    decision = Decide(Side.AXIS, "22.423", "number", "Number your combat groups.", NUMBERS)
    with pytest.raises(IllegalChoice, match="No two groups"):
        decision.read(read_answer(NUMBERS, "convoy=1"))
    with pytest.raises(IllegalChoice, match="must take part"):
        decision.read(read_answer(NUMBERS, "convoy=wait"))
    with pytest.raises(IllegalChoice, match="6 can be placed"):
        SCREEN.read(read_answer(SCREEN, "dd=7 screen"), "22.531C")


def test_an_example_shows_something_other_than_the_default() -> None:
    assert example_of(SCREEN) == "Hood=screen"
    assert example_of(ONE) == "abort"
    assert example_of(NUMBERS) == "Battle fleet=3"
    assert example_of(Form((), ())) == ""


def test_an_answer_in_words() -> None:
    answer = SCREEN.read({"Britain/DD": {"screen": 2}}, "22.531C")
    assert "Britain destroyer: 2 is screened and 4 fights in the line" in in_words(SCREEN, answer)


@pytest.mark.parametrize("name", [scenario.name for scenario in list_scenarios()])
def test_every_answer_reads_back_as_it_is_written(name: str) -> None:
    game = Game.new(load_scenario(name).setup)
    random = Random(7)
    bot = RandomBot(random)
    asked = 0
    while not game.over and asked < 400:
        if game.roll_due():
            game.roll()
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision is not None
        asked += 1
        for wire in (decision.form.default, decision.form.sample(random)):
            meant = decision.read(wire)
            typed = typed_answer(decision.form, meant)
            assert decision.read(read_answer(decision.form, typed)) == meant, typed
        assert all(decision.read(read_answer(decision.form, typed)) for typed in samples(decision))
        game.submit(side, bot.choose(game.picture(side), decision))


def shown(form: Form, width: int = 100) -> str:
    out = Console(theme=THEME, width=width, highlight=False)
    with out.capture() as capture:
        show_question(out, Decide(Side.AXIS, "22.423", "number", "Number your combat groups.", form), "Italy")
    return " ".join(capture.get().split())


def test_a_question_says_who_what_which_rule_what_is_barred_and_how_to_answer() -> None:
    text = shown(NUMBERS)
    assert "Italy decides 22.423" in text
    assert "Number your combat groups." in text
    assert "1 Battle fleet: Littorio, 3 CA → 1" in text
    assert "place 1, 2, 3 number" in text
    assert "✕ Convoy → wait: A group with cargo must take part. (22.421C)" in text
    assert "limit No two groups have the same number. (22.423A)" in text
    assert "for example Battle fleet=3" in text


def test_a_choice_marks_the_default_and_what_is_barred() -> None:
    form = Form(
        (Item("choice", "CG6"),),
        (Place("fight", "accepts fleet combat"), Place("evade", "evades and becomes CG6")),
        (barred("choice", "evade", "22.523B", "A slow group must fight."),),
        rest="fight",
    )
    text = shown(form)
    assert "● 1 fight: accepts fleet combat ← Enter" in text
    assert "✕ 2 evade: evades and becomes CG6 barred: A slow group must fight. (22.523B)" in text


def test_limits_that_cannot_be_broken_are_not_shown() -> None:
    loose = AtMost((("hood", "screen", 1),), 3, "22.1", "At most three.")
    form = Form(SCREEN.items, SCREEN.places, (loose,), rest="line")
    assert "At most three" not in shown(form)


def test_every_example_of_every_question_in_random_battles_is_a_legal_answer() -> None:
    shown = 0
    for seed in range(12):
        game = random_game(seed, most_inputs=0)
        random = Random(seed)
        while not game.over and len(game.runner.tape) < 250:
            if game.roll_due():
                game.roll()
                continue
            side = next(side for side in Side if game.decision(side))
            decision = game.decision(side)
            assert decision
            example = example_of(decision.form)
            if example:
                shown += 1
                decision.read(read_answer(decision.form, example))
            game.submit(side, decision.form.sample(random))
    assert shown > 200


def test_what_is_not_named_stays_as_shown_within_one_item_too() -> None:
    places = (Place("akagi", "attacks Akagi"), Place("kaga", "attacks Kaga"))
    form = Form((Item("NAS", "United States NAS", 3),), places, default={"NAS": "akagi"})
    assert form.read(read_answer(form, "1 Kaga"), "").cells == {"NAS": {"akagi": 2, "kaga": 1}}
