"""Aircraft and submarines on the screen: decks, patrols, bases, a strike under way, rolls explained, long questions."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console

from flagplot.cli.air_chart import deck
from flagplot.cli.chart import air_strike, status_board, track, whole_table
from flagplot.cli.prompts import (
    example_of,
    item_name,
    place_name,
    read_answer,
    samples,
    show_question,
    typed_answer,
)
from flagplot.cli.rolls import explain, is_roll, rolls
from flagplot.cli.screen import Screen
from flagplot.cli.terminal import THEME
from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.core.events import Event
from flagplot.core.forms import AtLeast, AtMost, Form, Item, Place
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model import air_events as air
from flagplot.model.forces import CombatGroup, Disclosed
from flagplot.model.ships import Ship, as_seen
from flagplot.model.squadrons import AirBase, Strike
from flagplot.model.state import Battle, Fleet
from tests.cli.air_story import AKAGI, ALLIES, ENTERPRISE, JAPAN, joined, of, strike, torpedoes

KAGA = Ship("kaga", "Kaga", "Japan", "CV", 3, wing={"Japan/NAS/elite": 1, "Japan/NAS": 1})
SORYU = Ship("soryu", "Soryu", "Japan", "CV", 3)
HIRYU = Ship("hiryu", "Hiryu", "Japan", "CV", 3, hits=2, damaged=True, wing={"Japan/NAS": 1})
RABAUL = AirBase(
    "Rabaul",
    4,
    factors={"Japan/AAF": 1},
    squadrons={"Japan/AAS/attack": 3, "Japan/AAS/cover": 2, "Japan/AAS/search": 1},
    inverted={"Japan/NAS": 1},
    used={"Japan/AAS/attack": 1, "Japan/AAS/cover": 2},
)
FAR = AirBase("Truk", 9)
SHUT = AirBase("Buin", 1, operational=False, inverted_factors={"Japan/AAF": 1})
SAID = Disclosed(under_ten=False, fast_carriers=1, fast=True, cargo=False)


def battle(**changes: Any) -> Battle:
    """Midway as Japan knows it."""
    striking = CombatGroup(
        1,
        "Kido Butai",
        (AKAGI, KAGA, SORYU, HIRYU),
        {"Japan/DD": 6},
        patrol={"Japan/NAS/elite": 2},
        cover={"Japan/AAS/cover@Rabaul": 2},
        withheld={"Japan/NAS/elite": 1},
    )
    seen = CombatGroup(2, hidden=True, found=2, disclosed=SAID, cover={"United States/NAS@Midway": 1})
    japan = Fleet(
        "Japan",
        groups=(striking,),
        air_bases=(RABAUL, FAR, SHUT),
        air_range=5,
        ready={"Japan/NAS/elite": 1},
        aloft={"Japan/NAS": 2},
        air_lost={"Japan/AAS/attack@Rabaul": 1, "Japan/AAS/attack@Buin": 1},
        submarines={"Japan/SUB": 2},
        submarines_spent={"Japan/SUB": 1},
        submarines_lost={"Japan/SUB": 1},
        sunk=(replace(AKAGI, id="shoho", name="Shoho"),),
    )
    us = Fleet(
        "United States",
        groups=(seen, CombatGroup(5, hidden=True)),
        air_bases=(AirBase("Midway", squadrons={"United States/NAS": 1}, used={"United States/NAS": 1}),),
    )
    facts: dict[str, Any] = {"title": "Midway", "fleets": {JAPAN: japan, ALLIES: us}, "segment": "air strikes"}
    return Battle(**{**facts, **changes})


def drawn(thing: Any, width: int = 100) -> str:
    out = Console(theme=THEME, width=width, highlight=False, file=StringIO(), force_terminal=True, color_system=None)
    with out.capture() as capture:
        thing(out) if callable(thing) else out.print(thing)
    return capture.get()


def in_one_line(text: str) -> str:
    return " ".join(text.replace("│", " ").split())


# -- decks, groups, bases, submarines -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ship", "own", "shown"),
    [
        (AKAGI, True, "✈✈✈ elite"),
        (KAGA, True, "✈ elite ✈·"),
        (replace(KAGA, wing={"Japan/NAS/elite": 2}), True, "✈✈ elite ·"),
        (ENTERPRISE, True, "✈✈✈"),
        (SORYU, True, "empty deck"),
        (HIRYU, True, "✈"),
        (replace(HIRYU, wing={}), True, ""),
        (KAGA, False, "✈ elite ✈"),
        (SORYU, False, ""),  # of the enemy's wings nothing is known
        (Ship("haruna", "Haruna", "Japan", "BC", 3), True, ""),
    ],
)
def test_squadrons_aboard_are_signs_like_pips(ship: Ship, own: bool, shown: str) -> None:
    assert deck(ship, own=own).plain == shown


def test_own_board_shows_decks_patrol_cover_bases_submarines_and_losses() -> None:
    text = in_one_line(drawn(status_board(battle(), JAPAN), 130))
    assert "Akagi CV ●●● ✈✈✈ elite" in text and "Hiryu CV ✕✕● damaged ✈" in text
    assert "✈ patrol 2 elite NAS ✈ cover 2 cover AAS from Rabaul ✈ held back 1 elite NAS" in text
    assert "Rabaul 4 hexes 1 AAF 3 attack AAS (1 used) 2 cover AAS used 1 search AAS 1 NAS inverted" in text
    assert "Truk 9 hexes, out of reach no aircraft" in text
    assert "Buin 1 hex, not operational 1 AAF inverted" in text
    assert "back from counterair 1 elite NAS" in text and "in the air, to land 2 NAS" in text
    assert "2 submarines left 1 submarine has attacked" in text
    assert "✕ squadrons lost 2 attack AAS, 3 elite NAS" in text and "✕ submarines lost 1 submarine" in text


def test_of_the_enemy_only_what_the_picture_holds_is_shown_and_his_bases_are_open() -> None:
    text = in_one_line(drawn(lambda out: whole_table(out, battle(), JAPAN)))
    assert "CG2 distant · found twice: ten factors or more, 1 fast carrier, fast, no cargo ✈ cover 1 NAS" in text
    assert "Midway 1 NAS used" in text
    theirs = battle()
    mine = theirs.fleets[JAPAN]
    known = replace(mine.groups[0], ships=tuple(map(as_seen, mine.groups[0].ships)), patrol={}, cover={}, withheld={})
    fleets = {**theirs.fleets, JAPAN: replace(mine, groups=(known,), submarines={}, sunk=())}
    text = drawn(lambda out: whole_table(out, replace(theirs, fleets=fleets), ALLIES))
    assert "Akagi CV ●●●" in text and "elite" not in text.split("squadrons lost")[0].split("back from")[0]
    assert "empty deck" not in text and "patrol" not in text and "submarines left" not in text


def test_nations_are_named_on_the_board_of_an_alliance() -> None:
    before = battle()
    fleets = {**before.fleets, JAPAN: replace(before.fleets[JAPAN], aloft={"Germany/NAS": 2})}
    text = in_one_line(drawn(status_board(replace(before, fleets=fleets), JAPAN), 130))
    assert "in the air, to land 2 Germany NAS" in text and "patrol 2 elite Japan NAS" in text


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("chair", [JAPAN, ALLIES, None])
def test_boards_and_strikes_fit_any_width(width: int, chair: Side | None) -> None:
    flying = Strike("axis", 2, True, {"Japan/NAS/elite": 12, "Japan/AAS/attack@Rabaul": 3}, 4)
    text = drawn(lambda out: whole_table(out, battle(strike=flying), chair), width)
    assert max(map(cell_len, text.splitlines())) <= width
    for piece in ("Akagi CV ●●● ✈✈✈ elite", "Rabaul", "Air strike"):
        assert piece in text


def test_a_force_attacked_by_submarines_may_have_more_groups_than_the_chart() -> None:
    groups = tuple(CombatGroup(number, "Convoy", light={"Japan/TR": 1}) for number in range(1, 9))
    facing = battle(kind="submarine attack", segment="formation")
    fleets = {**facing.fleets, JAPAN: Fleet("Japan", groups=groups)}
    text = drawn(lambda out: whole_table(out, replace(facing, fleets=fleets), JAPAN))
    assert "CG8 0 factors" in text
    assert track(facing).text.plain == "[Submarine attack]"


# -- a strike under way -----------------------------------------------------------------------------------


def test_a_strike_under_way_shows_what_is_left_and_what_defends() -> None:
    flying = Strike("axis", 2, True, {"Japan/NAS/elite": 4}, 3)
    panel = air_strike(battle(strike=flying), JAPAN)
    text = in_one_line(drawn(panel))
    assert "Japan strikes United States CG2 surprise, level 3 4 elite NAS CG2 ten factors or more" in text
    assert "✈ cover 1 NAS from Midway" in text
    assert air_strike(battle(), JAPAN) is None


def test_a_strike_shows_targets_still_to_be_attacked_and_the_ships_they_are() -> None:
    shown = CombatGroup(2, "", (as_seen(ENTERPRISE),), {"United States/DD": 2}, revealed=True)
    before = battle()
    fleets = {**before.fleets, ALLIES: replace(before.fleets[ALLIES], groups=(shown,))}
    targets = {"enterprise": {"Japan/NAS/elite": 3}, "light": {"Japan/NAS": 1}, "supply line": {"Japan/NAS": 1}}
    flying = Strike("axis", 2, False, {}, targets=targets)
    text = in_one_line(drawn(air_strike(replace(before, fleets=fleets, strike=flying), ALLIES), 140))
    assert "Japan strikes United States CG2 nothing is left of it" in text
    assert "at Enterprise 3 elite NAS at the light ships 1 NAS at the sea supply line 1 NAS" in text
    assert "CG2 Enterprise CV ●●● 2 DD" in text


def test_during_a_strike_the_strike_is_shown_and_not_the_whole_table() -> None:
    flying = Strike("axis", 2, True, {"Japan/NAS/elite": 4})
    text = drawn(lambda out: Screen(out, JAPAN).table(battle(strike=flying), JAPAN))
    assert "Air strike" in text and "status board" not in text
    text = drawn(lambda out: Screen(out, JAPAN).table(battle(strike=flying), JAPAN, always=True))
    assert "Air strike" in text and "status board" in text


# -- rolls ------------------------------------------------------------------------------------------------------


def told_by_screen(events: list[Event], chair: Side | None = None) -> str:
    return drawn(lambda out: Screen(out, chair).news(events), 300)


def test_rolls_are_numbered_and_their_lines_told() -> None:
    text = told_by_screen([joined(), *strike(), torpedoes()])
    assert "roll 1: search results +1 (23.74122A) = +1" in text
    assert "roll 2: Japan +3 (23.441A), against United States −2 (23.441B) = +1 for Japan, −1 for United States" in text
    assert "roll 3: 19 naval factors +2 (23.42), surprise −1 (23.7413) = 1" in text
    assert "roll 5: no modifiers" in text and "roll 6: destroyers −2 (22.9414) = −2" in text
    assert "has air defense level" not in text  # it is told with the roll


def test_who_is_not_told_how_an_air_defense_is_made_up_is_told_so() -> None:
    events = [joined(), *(event for event in strike() if not isinstance(event, air.AirDefenseCounted))]
    assert "what makes up the level is not told" in told_by_screen(events)


def test_dice_without_lines_are_not_numbered() -> None:
    assert not is_roll(of(air.SubmarineCategoryRolled, number=1, dice=(3,), category="light ships"))
    assert not is_roll(of(air.AirDefenseRolled, number=1, level=0, dice=(), eliminated=0, aborted=0))


def explained(events: list[Event], number: int) -> str:
    return in_one_line(drawn(lambda out: explain(out, events, ruleset(), number), 200))


def test_each_roll_is_explained_line_by_line() -> None:
    events = [joined(), *strike(), torpedoes()]
    assert len(rolls(events)) == 6
    assert "dice 3 3 23.74122A search results +1 surprise of level 4 4" in explained(events, 1)
    assert (
        "Japan: dice 6 + 4 10 23.441A Japan +3 23.441B against United States −2 row 2, column 11: "
        "1 eliminated, 3 aborted 11 23.1 United States: dice 1 + 2 3 19.31 the opposite −1 row 2, column 2: 1 aborted 2"
    ) in explained(events, 2)
    level = "23.42 19 naval factors +2 23.7413 surprise −1 air defense level 1 23.1 dice 5 + 5 10"
    assert f"{level} row 1, column 10: 1 eliminated 10" in explained(events, 3)
    assert "3 squadrons, row 3, column 8: 2 hits 8" in explained(events, 4)
    assert "column 8: 2 hits 8" in explained(events, 6)


def test_secret_lines_of_an_air_defense_are_called_secret_and_a_lost_submarine_lost() -> None:
    fired = of(air.AirDefenseRolled, number=1, level=3, dice=(1, 1), eliminated=0, aborted=0)
    assert "air defense level, other lines being secret 3" in explained([joined(), fired], 1)
    lost = torpedoes(dice=(1, 2), roll=1, hits=0, submarine_lost=True)
    assert "column 2: no hits, the submarine is lost 1" in explained([joined(), lost], 1)
    nothing = of(air.SurpriseRolled, number=1, dice=(1,), modifiers=torpedoes().modifiers, level=0)  # type: ignore[attr-defined]
    assert "no surprise −1" in explained([joined(), nothing], 1)


# -- long questions --------------------------------------------------------------------------------------------

SHIPS = ("Akagi", "Kaga", "Soryu", "Hiryu", "Shokaku", "Zuikaku", "Junyo", "Hiyo", "Ryujo", "Zuiho", "Shoho", "Hosho")


def strike_form(carriers: int = 12) -> Form:
    decks = [
        Item(f"{name.lower()}|Japan/NAS/elite", f"CG{1 + i // 4} {name}: elite Japan NAS", 3, ("stay", "fly"))
        for i, name in enumerate(SHIPS[:carriers])
    ]
    ashore = [
        Item(f"Japan/AAS/attack@{base}", f"Japan attack AAS from {base}", 2, ("stay", "fly"))
        for base in ("Rabaul", "Buin", "Gasmata", "Lae", "Kavieng", "Truk")
    ]
    items = (Item("target", "The strike", 1, ("none", "CG2", "CG4")), *decks, *ashore)
    flying = tuple((item.key, "fly", 1) for item in items[1:])
    targets = (("target", "CG2", 1), ("target", "CG4", 1))
    limits = (
        AtMost(flying[:carriers], 8, "23.73", "At most 8 squadrons with an air DRM below 3 fly in one strike."),
        AtMost(flying, 12, "23.73", "At most 12 squadrons fly in one strike."),
        AtMost((*flying, *((i, p, -12) for i, p, _ in targets)), 0, "22.462A", "Squadrons that fly need a target."),
        AtLeast((*flying, *((i, p, -1) for i, p, _ in targets)), 0, "22.46", "A strike needs a squadron."),
    )
    places = (
        Place("none", "nobody flies"),
        *(Place(f"CG{n}", f"strikes enemy CG{n}") for n in (2, 4)),
        Place("stay", "does not fly"),
        Place("fly", "flies"),
    )
    return Form(items, places, limits)


STRIKE = strike_form()


def asked(form: Form, width: int = 80) -> str:
    question = "An air strike: on which group, and with which squadrons? By carrier air alone it comes as a surprise."
    decision = Decide(JAPAN, "22.461", "strike", question, form)
    return drawn(lambda out: show_question(out, decision, "Japan"), width)


def test_a_question_of_nineteen_items_fits_a_small_screen() -> None:
    text = asked(STRIKE)
    assert len(text.splitlines()) <= 23  # and the prompt
    assert max(map(cell_len, text.splitlines())) <= 80
    assert " 1 The strike  → none  or CG2, CG4" in text and "→ stay  or fly" in text
    assert "CG1 2 3 × Akagi: elite Japan NAS" in text and "14 2 × Japan attack AAS from Rabaul" in text
    assert "places   none nobody flies   strikes enemy CG2   strikes enemy CG4" in text
    assert "for example CG2, Akagi=1 fly; 2-5=1 fly or all=1 fly for several" in in_one_line(text)
    assert max(map(cell_len, asked(STRIKE, 40).splitlines())) <= 40


def test_what_all_squadrons_have_in_common_is_said_once() -> None:
    decks = Form(STRIKE.items[:13], STRIKE.places)
    text = asked(decks)
    assert "→ stay  or fly  elite Japan NAS" in text
    assert "CG1 2 3 × Akagi  3 3 × Kaga  4 3 × Soryu  5 3 × Hiryu" in text


def test_few_items_with_many_places_are_set_closely_too() -> None:
    names = (
        "Akagi",
        "Kaga",
        "Soryu",
        "Hiryu",
        "Shokaku",
        "Zuikaku",
        "Junyo",
        "Hiyo",
        "Ryujo",
        "Zuiho",
        "Shoho",
        "Hosho",
    )
    places = tuple(Place(f"deck {name.lower()}", f"lands on {name} (room for 3)") for name in names)
    keys = tuple(place.key for place in places)
    items = tuple(Item(f"{key}|Japan/NAS", f"{key}: Japan NAS", 2, keys) for key in ("returning", "patrol"))
    limits = tuple(AtMost((("returning|Japan/NAS", key, 1),), 1, "22.463", f"Room at {key}.") for key in keys[:6])
    text = asked(Form(items, places, limits))
    assert len(text.splitlines()) <= 23
    assert "→ Akagi  or another place  Japan NAS" in text and "lands on Kaga (room for 3)" in text
    assert "2-5" not in text


def test_a_short_question_has_a_line_for_each_item_and_says_where_else_it_may_go() -> None:
    form = Form(STRIKE.items[:3], STRIKE.places)
    text = asked(form)
    assert "The strike" in text and "→ none  or CG2, CG4" in text and "→ stay  or fly" in text and "″" in text
    assert "place  fly  flies" in text


@pytest.mark.parametrize(
    ("typed", "flying"),
    [
        ("CG2, akagi=fly", {"akagi": 3}),
        ("target=CG2, kaga=2 fly", {"kaga": 2}),
        ("CG2, 2=1 fly, 3=fly", {"akagi": 1, "kaga": 3}),
        ("CG2, all cg1=fly, hiryu=1 fly, akagi=stay", {"kaga": 3, "soryu": 3, "hiryu": 1}),
        ("CG2, 2-4=2 fly", {"akagi": 2, "kaga": 2, "soryu": 2}),
        ("CG2, all=1 fly, 2-13=stay", {"Rabaul": 1, "Buin": 1, "Gasmata": 1, "Lae": 1, "Kavieng": 1, "Truk": 1}),
        ("CG2, all cg1=9 fly, akagi=stay", {"kaga": 3, "soryu": 3, "hiryu": 3}),
        ("CG2, truk=0 fly, akagi=1 fly", {"akagi": 1}),
    ],
)
def test_a_strike_is_typed_in_few_words(typed: str, flying: dict[str, int]) -> None:
    free = Form(STRIKE.items, STRIKE.places)
    answer = free.read(read_answer(free, typed), "22.461")
    assert answer.place("target") == "CG2"
    flown = {
        key.partition("|")[0].partition("@")[2] or key.partition("|")[0]: n for key, n in answer.held_by("fly").items()
    }
    assert flown == flying


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("akagi=2", "2 of 3 CG1 Akagi: elite Japan NAS: say where they go, as 2 stay or 2 fly"),
        ("all bismarck=fly", "'bismarck' is not among the things to be placed"),
        ("all akagi=CG2", "is not among the places for CG1 Akagi"),
        ("7-3=fly", "'7-3' is no range of the 19 things to be placed"),
        ("2-40=fly", "no range"),
        ("fly", "Say what goes where, as item=place, for example CG2, Akagi=1 fly"),
    ],
)
def test_what_cannot_be_meant_is_said(typed: str, why: str) -> None:
    with pytest.raises(PlayerError, match=why):
        read_answer(STRIKE, typed)


def test_one_of_one_may_be_counted() -> None:
    form = Form(
        (Item("hood", "Hood"), Item("dd", "destroyers", 4)), (Place("line", "fights"), Place("screen", "screened"))
    )
    assert read_answer(form, "hood=1 screen, dd=line") == {"hood": {"screen": 1}, "dd": {"line": 4}}
    with pytest.raises(IllegalChoice, match="1 can be placed"):
        form.read(read_answer(form, "hood=2 screen, dd=line"), "22.5")


def test_an_answer_names_only_what_differs_from_the_default() -> None:
    decision = Decide(JAPAN, "22.461", "strike", "An air strike?", STRIKE)
    answer = decision.read({"target": "CG4", "kaga|Japan/NAS/elite": {"fly": 2}, "Japan/AAS/attack@Lae": "fly"})
    typed = typed_answer(STRIKE, answer)
    assert typed == "CG4, Kaga=2 fly + 1 stay, Japan attack AAS from Lae=fly"
    assert decision.read(read_answer(STRIKE, typed)) == answer
    assert samples(decision)[0] == "none"
    assert all(decision.read(read_answer(STRIKE, typed)) for typed in samples(decision))


def test_places_go_by_the_words_their_labels_use() -> None:
    places = (
        Place("lost", "is lost"),
        Place("deck graf-zeppelin", "lands on Graf Zeppelin (room for 3)"),
        Place("ashore Kiel", "lands at Kiel, inverted"),
        Place("Scapa Flow|Britain/DD", "are replaced by Britain destroyers at Scapa Flow"),
    )
    item = Item("patrol|Germany/NAS", "from patrol: Germany NAS", 2, tuple(place.key for place in places))
    form = Form((item,), places)
    assert [place_name(form, item, place.key) for place in places] == ["lost", "Graf Zeppelin", "Kiel", "Scapa Flow"]
    assert read_answer(form, "1 zeppelin + 1 kiel") == {item.key: {"deck graf-zeppelin": 1, "ashore Kiel": 1}}
    single = Form((Item("choice", "The destroyer", 1, item.places),), places)
    assert "|" not in asked(single) and "ashore" not in asked(single)


def test_squadrons_of_one_carrier_go_by_her_name_unless_she_has_several_kinds() -> None:
    kinds = (
        Item("akagi|Japan/NAS", "CG1 Akagi: Japan NAS", 2),
        Item("akagi|Japan/NAS/elite", "CG1 Akagi: elite Japan NAS"),
    )
    form = Form(kinds, STRIKE.places, rest="stay")
    assert item_name(STRIKE, STRIKE.items[1]) == "Akagi"
    assert [item_name(form, item) for item in kinds] == ["CG1 Akagi: Japan NAS", "CG1 Akagi: elite Japan NAS"]


def test_an_example_is_legal_where_one_placement_asks_for_another() -> None:
    assert example_of(strike_form(1)) == "CG2, Akagi=1 fly"
    room = AtMost((("a", "Kaga", 1),), 1, "22.463", "room")
    must = AtLeast((("a", "Akagi", 1), ("a", "Kaga", 1)), 2, "22.463", "Nobody is lost for whom there is room.")
    places = tuple(Place(key, f"lands on {key}") for key in ("lost", "Akagi", "Kaga"))
    form = Form((Item("a", "returning", 2, ("lost", "Akagi", "Kaga")),), places, (room, must), default={"a": "Akagi"})
    assert example_of(form) == "1 Akagi + 1 Kaga"


def test_what_is_barred_for_one_reason_stands_together() -> None:
    items = (Item("a", "Akagi"), Item("b", "Kaga"))
    why = "She is damaged."
    limits = tuple(AtMost(((key, "fly", 1),), 0, "23.1", why) for key in ("a", "b"))
    text = in_one_line(asked(Form(items, (Place("stay", "stays"), Place("fly", "flies")), limits, rest="stay"), 100))
    assert "✕ Akagi, Kaga → fly: She is damaged. (23.1)" in text
