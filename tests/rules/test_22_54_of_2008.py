"""Fleet combat of 2008 (22.52 to 22.54C, 22.54D): who attacks, ranks, coverage before concentration, answers, heavy fire."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice
from flagplot.core.sides import Side
from flagplot.model.events import AttackerNamed, Fired, GroupRevealed, LineFormed, Ranked, ShipHit, TargetsChosen
from flagplot.model.forces import CombatGroup
from flagplot.rules.naval.fleet_combat_2008 import Gun, Target, cover_in_turn, heavy_targets_form
from tests.rules.fleet_2008_table import Clash, briton, fight, german
from tests.rules.gunnery_table import british, group, hits_of, light_left, ship, shot_at, shots, status, targets


def ledger(*rows: str) -> pytest.MarkDecorator:
    return pytest.mark.ledger(*rows, edition="2008")


def attacker(axis: dict[str, Any], allies: dict[str, Any], **more: Any) -> str:
    return api.call("fleet_combat_attacker", {"axis": axis, "allies": allies, **more}, edition="2008")["attacker"]


# -- lines -------------------------------------------------------------------------------------------


@ledger("22.52.1", "22.53", "22.53A", "22.53B", "22.53C.1")
def test_every_ship_of_both_groups_is_heavy_light_or_screened() -> None:
    axis = CombatGroup(
        1,
        ships=(german("bb"), german("hurt", damaged=True)),
        light={"Germany/CA": 1, "Germany/DD": 2, "Germany/CVE": 1, "Germany/DD/loaded": 2, "Germany/TR": 1},
    )
    carrier = briton("cv", 3)
    allies = CombatGroup(1, ships=(briton("x"), type(carrier)("cv", "cv", "Britain", "CV", 3)))
    clash = Clash(axis, allies)
    clash.until("heavy targets")
    mine, theirs = (event.line for event in clash.table.log if isinstance(event, LineFormed))
    assert mine.capital == ("bb",) and mine.screened == ("hurt",)
    assert mine.light == {"Germany/CA": 1, "Germany/DD": 2, "Germany/CVE": 1}
    assert mine.screened_light == {"Germany/DD/loaded": 2, "Germany/TR": 1}
    assert theirs.capital == ("x",) and theirs.screened == ("cv",)


@ledger("22.52.2", "22.53C.2.1", "22.53C.2.2")
def test_the_owner_may_screen_more_and_says_so_before_anything_is_shown() -> None:
    axis = CombatGroup(1, ships=(german("one"), german("two")), light={"Germany/DD": 3})
    clash = Clash(axis, CombatGroup(1, ships=(briton("x"),), light={"Britain/DD": 9}))
    question = clash.until("screen")
    assert question is not None and question.rule == "22.53C"
    assert not any(isinstance(event, GroupRevealed) for event in clash.table.log)
    assert {place.key for place in question.form.places} == {"line", "screen"}  # nobody stays out of it altogether
    clash.answer(question, {"two": "screen", "Germany/DD": {"screen": 2}}).until("heavy targets")
    line = clash.table.battle.lines[Side.AXIS]
    assert (line.capital, line.screened) == (("one",), ("two",))
    assert (line.light, line.screened_light) == ({"Germany/DD": 1}, {"Germany/DD": 2})


@ledger("22.53C.3.1", "22.54F.4")
def test_screened_ships_do_not_fire() -> None:
    axis = group(ship("one"), ship("two"))
    result = fight(axis, group(british("x")), decisions=[["axis", "screen", {"two": "screen"}]])
    assert [shot["ships"] for shot in shots(result, "axis")] == [["one"]]


# -- who attacks -----------------------------------------------------------------------------------------


@ledger("22.54.1", "22.54.3")
def test_the_side_with_more_unscreened_capital_ships_attacks_whatever_their_size() -> None:
    assert attacker({"heavy": [2, 2], "light": 0}, {"heavy": [5], "light": 30}, interceptor="allies") == "axis"
    answer = api.call("fleet_combat_attacker", {"axis": {"heavy": [5]}, "allies": {"heavy": [2, 2]}}, edition="2008")
    assert answer == {"attacker": "allies", "defender": "axis", "why": "2 unscreened heavy ships to 1"}


@ledger("22.54.2")
def test_if_equal_more_factors_attack_then_more_light_factors_then_the_intercepting_side() -> None:
    assert attacker({"heavy": [4, 3], "light": 10}, {"heavy": [4, 4], "light": 2}) == "allies"
    assert attacker({"heavy": [4, 3], "light": 10}, {"heavy": [5, 2], "light": 12}) == "allies"
    for interceptor in ("axis", "allies"):
        even = {"heavy": [4, 3], "light": 10}
        assert attacker(even, {"heavy": [5, 2], "light": 10}, interceptor=interceptor) == interceptor
        assert attacker({}, {}, interceptor=interceptor) == interceptor


@ledger("22.54.1", "22.54.2")
def test_screened_ships_carriers_and_damaged_ships_do_not_count() -> None:
    axis = group(ship("one"), ship("two"), ship("hurt", damaged=True), ship("cv", 3, kind="CV"))
    allies = group(british("x", 3), british("y", 3))
    assert fight(axis, allies)["attacker"] == "axis"  # two each, but larger
    screened = [["axis", "screen", {"one": "screen"}]]
    assert fight(axis, allies, decisions=screened)["attacker"] == "allies"
    light = group(ship("one"), light={"Germany/DD": 3, "Germany/DD/loaded": 6})
    assert fight(light, group(british("x"), light={"Britain/CA": 2}))["attacker"] == "allies"  # three factors to four


@ledger("22.54.1")
def test_everyone_is_told_who_attacks_and_why() -> None:
    reasons = []
    for axis, allies in (
        (CombatGroup(1, ships=(german("a"), german("b"))), CombatGroup(1, ships=(briton("x"),))),
        (CombatGroup(1, ships=(german("a"),)), CombatGroup(1, ships=(briton("x", 3),))),
        (CombatGroup(1, ships=(german("a"),), light={"Germany/CA": 1}), CombatGroup(1, ships=(briton("x"),))),
        (CombatGroup(1, ships=(german("a"),)), CombatGroup(1, ships=(briton("x"),))),
        (CombatGroup(1, ships=(german("a"),)), CombatGroup(1, light={"Britain/CA": 2})),
    ):
        clash = Clash(axis, allies)
        clash.until()
        (event,) = [event for event in clash.table.log if isinstance(event, AttackerNamed)]
        assert event.side is Side.AXIS
        reasons.append(event.why)
    assert reasons == [
        "2 unscreened heavy ships to 1",
        "4 factors of heavy ships to 3",
        "2 factors of unscreened light ships to 0",
        "both are equal, and it intercepts",
        "1 unscreened heavy ship to 0",
    ]


# -- the defender ranks ----------------------------------------------------------------------------------------


@ledger("22.54A.1.1")
def test_the_defender_alone_ranks_and_by_size_alone() -> None:
    axis = group(ship("a"), ship("b"), ship("c"), ship("d"))
    allies = group(
        british("pocket", 2, "PB"), british("slow", 4, fast=False), british("five", 5), british("cruiser", 3, "BC")
    )
    axis["ships"].append(ship("e"))
    result = fight(axis, allies)
    assert result["attacker"] == "axis"
    assert result["ranks"] == {"allies": ["five", "slow", "cruiser", "pocket"]}


@ledger("22.54A.1.2")
def test_within_a_size_the_defender_ranks_as_he_likes_ships_with_hits_included() -> None:
    axis = group(ship("a"), ship("b"), ship("c"))
    allies = group(british("hit", 4, hits=2), british("fresh"))
    for first, second in (("hit", "fresh"), ("fresh", "hit")):
        result = fight(axis, allies, decisions=[["allies", "rank", {first: "1", second: "2"}]])
        assert result["ranks"]["allies"] == [first, second]


@ledger("22.54A.1.2")
def test_only_the_defender_is_asked_to_rank_and_never_across_sizes() -> None:
    axis = CombatGroup(1, ships=(german("a"), german("b"), german("c"), german("d")))
    clash = Clash(axis, CombatGroup(1, ships=(briton("x"), briton("y"), briton("small", 3))))
    question = clash.until("rank")
    assert question is not None and question.side is Side.ALLIES and question.rule == "22.54A"
    assert [item.key for item in question.form.items] == ["x", "y"]
    clash.answer(question, {"x": "2", "y": "1"}).until()
    assert (Side.AXIS, "rank") not in clash.asked
    (ranked,) = [event for event in clash.table.log if isinstance(event, Ranked)]
    assert (ranked.side, ranked.capital) == (Side.ALLIES, ("y", "x", "small"))


@ledger("22.54A.2", "22.54A.3")
def test_light_ships_rank_after_heavy_ones_and_screened_ships_last() -> None:
    axis = CombatGroup(1, ships=(german("a"), german("b")))
    allies = CombatGroup(
        1, ships=(briton("hurt", 5, damaged=True), briton("x", 2)), light={"Britain/TR": 2, "Britain/DD": 1}
    )
    question = Clash(axis, allies).until("heavy targets")
    assert question is not None
    assert [place.key for place in question.form.places] == ["x", "light", "hurt", "screened light"]


# -- the attacker's targets ---------------------------------------------------------------------------------------

THREE = {"a4": 4, "b4": 4, "c3": 3}


def legal(heavy: dict[str, int], enemy: dict[str, int], *aims: dict[str, str], **more: Any) -> list[bool]:
    asked = {"heavy": heavy, "enemy": enemy, "aims": list(aims), **more}
    return api.call("heavy_targets", asked, edition="2008")["legal"]


@ledger("22.54B.1")
def test_the_second_rank_is_fired_at_only_when_the_first_faces_as_many_factors_as_she_has() -> None:
    enemy = {"first": 4, "second": 3}
    assert legal(
        THREE,
        enemy,
        {"a4": "first", "b4": "second", "c3": "second"},  # covered exactly
        {"a4": "second", "b4": "second", "c3": "first"},  # three factors on a ship of four
        {"a4": "second", "b4": "second", "c3": "second"},
        {"a4": "first", "b4": "first", "c3": "second"},
    ) == [True, False, False, True]


@ledger("22.54B.1")
def test_the_third_rank_waits_for_the_second_and_the_first() -> None:
    enemy = {"first": 4, "second": 4, "third": 3}
    assert legal(
        {**THREE, "d3": 3},
        enemy,
        {"a4": "first", "b4": "second", "c3": "third", "d3": "third"},
        {"a4": "first", "b4": "third", "c3": "second", "d3": "third"},
        {"a4": "first", "b4": "third", "c3": "second", "d3": "second"},  # two ships together cover her
        {"a4": "second", "b4": "third", "c3": "second", "d3": "second"},  # nobody at the first
    ) == [True, False, True, False]


@ledger("22.54B.1")
def test_who_cannot_cover_the_largest_fires_at_her_with_everything() -> None:
    heavy = {"a2": 2, "b2": 2}
    enemy = {"five": 5}
    assert legal(heavy, enemy, {"a2": "five", "b2": "five"}, {"a2": "five", "b2": "light"}) == [True, False]
    result = fight(group(ship("a", 2), ship("b", 2)), group(british("five", 5)))
    assert shot_at(result, "axis", "five")["factors"] == 4


@ledger("22.54B.2", "22.54B.2.1")
def test_he_may_mass_everything_on_the_largest_or_cover_her_and_mass_on_the_second() -> None:
    heavy = {"a4": 4, "b4": 4, "c4": 4}
    everything = dict.fromkeys(heavy, "first")
    rest_on_second = {"a4": "first", "b4": "second", "c4": "second"}
    assert legal(heavy, {"first": 4, "second": 3, "third": 2}, everything, rest_on_second) == [True, True]
    axis = group(*(ship(name) for name in heavy))
    allies = group(british("first"), british("second", 3))
    result = fight(axis, allies, 7, 7, decisions=[["axis", "heavy targets", rest_on_second]])
    assert (shot_at(result, "axis", "first")["factors"], shot_at(result, "axis", "second")["factors"]) == (4, 8)


@ledger("22.54B.2.2")
def test_light_and_screened_ships_need_every_heavy_ship_matched_first() -> None:
    enemy = {"first": 4, "second": 3}
    heavy = {**THREE, "d2": 2}
    matched = {"a4": "first", "c3": "second"}
    assert legal(
        heavy,
        enemy,
        {**matched, "b4": "light", "d2": "screened light"},
        {"a4": "first", "d2": "second", "b4": "light", "c3": "light"},  # two factors on a ship of three
        {"a4": "first", "d2": "second", "b4": "first", "c3": "screened light"},
    ) == [True, False, False]
    assert legal(heavy, {}, dict.fromkeys(heavy, "light"), dict.fromkeys(heavy, "screened light")) == [True, True]


@ledger("22.54B.1", "22.54B.2.2")
def test_a_refusal_names_the_rule_and_the_ship_that_comes_first() -> None:
    asked = {"heavy": {"a4": 4, "b4": 4}, "enemy": {"Hood": 5}, "aims": [{"a4": "Hood", "b4": "light"}]}
    (why,) = api.call("heavy_targets", asked, edition="2008")["why"]
    assert "22.54B" in why and "Hood" in why and "5 factors" in why


@ledger("22.54B.1")
def test_what_is_offered_covers_the_ranks_in_turn() -> None:
    guns = [Gun(name, name, size, name) for name, size in (("a5", 5), ("b3", 3), ("c3", 3), ("d2", 2))]
    ranks = [Target("x", "", "x", 4), Target("y", "", "y", 4), Target("light", "", "the light ships")]
    offered = cover_in_turn(guns, ranks)
    assert offered == {"a5": "x", "b3": "y", "c3": "y", "d2": "x"}
    form = heavy_targets_form(guns, ranks)
    assert form.read(form.default, "22.54B").cells == {key: {at: 1} for key, at in offered.items()}


@ledger("22.54B.1")
def test_nobody_is_asked_where_there_is_only_one_target() -> None:
    clash = Clash(CombatGroup(1, ships=(german("a"), german("b"))), CombatGroup(1, ships=(briton("x"),)))
    assert clash.until("heavy targets") is None
    assert {kind for _, kind in clash.asked} == {"screen", "answering fire"}


# -- the defender's targets ----------------------------------------------------------------------------------------


@ledger("22.54C.1", "22.54C.2")
def test_a_ship_under_fire_answers_one_of_her_shooters_and_the_others_choose_freely() -> None:
    asked = {
        "heavy": ["D4", "D3"],
        "enemy": ["BB4a", "BB4b", "BB4c"],
        "fired_at_by": {"D4": ["BB4a", "BB4b"], "D3": []},
    }
    told = api.call("answering_targets", asked, edition="2008")["targets"]
    assert told == {"D4": ["BB4a", "BB4b"], "D3": ["BB4a", "BB4b", "BB4c", "light", "screened light"]}


@ledger("22.54C.1")
def test_a_ship_under_fire_may_not_look_elsewhere_and_is_told_why() -> None:
    axis = CombatGroup(1, ships=(german("a"), german("b"), german("c")), light={"Germany/DD": 2})
    clash = Clash(axis, CombatGroup(1, ships=(briton("x"), briton("y", 3))))
    question = clash.until("heavy targets")
    assert question is not None
    clash.answer(question, {"a": "x", "b": "x", "c": "y"})
    question = clash.until("answering fire")
    assert question is not None and (question.side, question.rule) == (Side.ALLIES, "22.54C")
    for elsewhere in ("c", "light"):
        with pytest.raises(IllegalChoice, match="must answer one of those that fire at her") as refusal:
            question.read({"x": elsewhere})
        assert refusal.value.rule == "22.54C"
    clash.answer(question, {"x": "b"}).until()
    answers = next(event for event in clash.table.log if isinstance(event, TargetsChosen) and event.side is Side.ALLIES)
    assert {(shot.ships, shot.target) for shot in answers.shots} == {(("x",), "b"), (("y",), "c")}


@ledger("22.54C.2")
def test_a_defender_nobody_fires_at_may_fire_at_light_ships_without_matching_anybody() -> None:
    axis = group(ship("a"), ship("b"), light={"Germany/DD": 4})
    allies = group(british("x"), british("free", 3))
    result = fight(
        axis,
        allies,
        2,
        2,
        12,
        decisions=[["axis", "heavy targets", {"a": "x", "b": "x"}], ["allies", "answering fire", {"free": "light"}]],
    )
    assert targets(result, "allies")[:2] == ["a", "light"]
    assert shot_at(result, "allies", "light")["factors"] == 3


@ledger("22.54C.2")
def test_the_defender_knows_the_attackers_targets_when_he_chooses() -> None:
    axis = CombatGroup(1, ships=(german("a"), german("b"), german("c")))
    clash = Clash(axis, CombatGroup(1, ships=(briton("x"), briton("y", 3))))
    assert clash.until("answering fire") is not None
    (announced,) = [event for event in clash.table.log if isinstance(event, TargetsChosen)]
    assert announced.side is Side.AXIS and announced.to == "everyone"


# -- heavy fire ---------------------------------------------------------------------------------------------------


@ledger("22.54D")
def test_all_heavy_fire_is_simultaneous_so_that_ships_sunk_in_it_have_fired() -> None:
    axis, allies = group(ship("a"), light={"Germany/DD": 1}), group(british("x"), light={"Britain/DD": 1})
    # 12 gives four factors three hits: each is damaged; on a ship with one hit before it is enough to sink.
    axis["ships"][0]["hits"] = allies["ships"][0]["hits"] = 1
    result = fight(axis, allies, 12, 12)
    assert (status(result, "axis", "a"), status(result, "allies", "x")) == ("sunk", "sunk")
    clash = Clash(CombatGroup(1, ships=(german("a", hits=1),)), CombatGroup(1, ships=(briton("x", hits=1),)))
    clash.until(totals=[12, 12])
    kinds = [type(event) for event in clash.table.log if isinstance(event, Fired | ShipHit)]
    assert kinds == [Fired, Fired, ShipHit, ShipHit]


@ledger("22.54D.1")
def test_one_roll_is_made_for_each_target_with_the_factors_added() -> None:
    axis = group(ship("a"), ship("b"), ship("c", 3), ship("d", 3))
    allies = group(british("x"), british("y", 3))
    aim = {"a": "x", "b": "x", "c": "y", "d": "y"}
    result = fight(axis, allies, 7, 8, decisions=[["axis", "heavy targets", aim]])
    assert [(shot["target"], shot["factors"], shot["hits"]) for shot in shots(result, "axis")] == [
        ("x", 8, hits_of(8, 7)),
        ("y", 6, hits_of(6, 8)),
    ]


@ledger("22.54D.1")
def test_defenders_that_fire_at_one_ship_make_one_roll_too() -> None:
    axis = group(ship("a", 3), ship("b", 3), ship("c", 3))
    allies = group(british("x", 4), british("free", 2))
    decisions = [
        ["axis", "heavy targets", {"a": "x", "b": "x", "c": "x"}],
        ["allies", "answering fire", {"x": "b", "free": "b"}],
    ]
    result = fight(axis, allies, decisions=decisions)
    assert [(shot["ships"], shot["target"], shot["factors"]) for shot in shots(result, "allies")] == [
        (["x", "free"], "b", 6)
    ]


@ledger("22.54D.2.1", "22.54D.2.2")
def test_heavy_fire_sinks_light_ships_and_puts_damaged_cruisers_behind_the_screen() -> None:
    axis = group(ship("a"), ship("b"), light={"Germany/DD": 6})
    allies = group(british("x"), light={"Britain/CA": 3, "Britain/DD": 1})
    aim = {"a": "x", "b": "light"}
    # Three hits sink a cruiser (two) and a destroyer; one hit damages a cruiser.
    result = fight(axis, allies, 2, 12, decisions=[["axis", "heavy targets", aim]])
    assert shots(result, "axis")[1]["hits"] == hits_of(4, 12) == 3
    assert light_left(result, "allies") == {"Britain/CA": 2}
    result = fight(
        axis,
        group(british("x"), light={"Britain/CA": 2, "Britain/DD": 1}),
        2,
        5,
        decisions=[["axis", "heavy targets", aim]],
    )
    assert shots(result, "axis")[1]["hits"] == hits_of(4, 5) == 1
    assert light_left(result, "allies") == {"Britain/CA": 1, "Britain/CA/damaged": 1, "Britain/DD": 1}
    fired = [shot for shot in shots(result, "allies") if shot["light"]]
    assert [shot["light"] for shot in fired] == [{"Britain/CA": 1, "Britain/DD": 1}]  # not the damaged one


@ledger("22.54D.2.3")
def test_a_heavy_ship_that_is_damaged_stays_in_the_line_and_keeps_the_screen_shut() -> None:
    axis = group(ship("a"), ship("b"))
    allies = group(british("x", 4, hits=1), british("hurt", damaged=True))
    result = fight(axis, allies, 10, decisions=[["axis", "heavy targets", {"a": "x", "b": "hurt"}]])
    assert status(result, "allies", "x") == "damaged"
    assert targets(result, "axis") == ["x"] and status(result, "allies", "hurt") == "damaged"


@ledger("22.54D.3")
def test_hits_beyond_those_that_sink_are_lost() -> None:
    axis = group(ship("a"), ship("b"), ship("c", 3))
    allies = group(british("x", 3), british("y", 3))
    aim = dict.fromkeys("abc", "x")
    result = fight(axis, allies, 12, decisions=[["axis", "heavy targets", aim]])
    assert shot_at(result, "axis", "x")["hits"] == hits_of(11, 12) == 5
    assert status(result, "allies", "x") == "sunk"
    assert result["sides"]["allies"]["ships"]["y"] == {"hits": 0, "status": "undamaged"}
