"""Amendments as players propose them: read by what the proposer knows, told in words, kept in saves, undone with the rest."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from flagplot.core.dice import ScriptedDice
from flagplot.core.errors import IllegalChoice, NotYourDecision, UndoRefused
from flagplot.core.sides import Side
from flagplot.core.tape import Amended as AmendedLine
from flagplot.editions.current import ruleset
from flagplot.model.amendments import Amended, AmendmentAgreed, ShipPutRight
from flagplot.model.ships import as_seen
from flagplot.play import saves
from flagplot.play.amendments import change_in_words, read_change
from flagplot.play.game import Game
from flagplot.play.report import damaged, report, results
from flagplot.play.transcript import transcript
from flagplot.play.wording import Names
from flagplot.rules.amendments import ships_afloat
from flagplot.scenarios.loader import shipped_scenario
from tests.properties.random_battles import KEY, SeededDice, random_setup

HITS = {"kind": "ship", "side": "axis", "ship": "akagi", "becomes": "hits", "hits": 1}


def midway() -> Game:
    scenario = shipped_scenario("midway")
    setup = scenario.setup.with_order_of_battle("hidden")
    return Game.new(setup, scenario=scenario.name, dice=ScriptedDice([1, 4, 6, 2] * 200), key=KEY)


def play_to(game: Game, segment: str) -> None:
    while game.battle.segment != segment and not game.over:
        if game.roll_due():
            game.roll()
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision
        game.submit(side, decision.form.default)


def read(game: Game, wanted: dict[str, Any], by: str = "axis") -> Any:
    known = game.battle if by == "referee" else game.picture(Side(by) if by in ("axis", "allies") else None).battle
    return read_change(wanted, known, by)


def put_right(game: Game, wanted: dict[str, Any], by: str = "axis", words: str = "") -> None:
    game.amend(by, read(game, wanted, by), agreed=("allies",), words=words)


def test_an_amendment_is_in_the_journal_at_once_and_takes_effect_when_the_next_segment_begins() -> None:
    game = midway()
    play_to(game, "counterair")
    put_right(game, HITS, words="we forgot the hit of round 0")
    line = game.journal[-1]
    assert isinstance(line, AmendedLine) and (line.who, line.agreed) == ("axis", ("allies",))
    assert isinstance(game.events()[-1], AmendmentAgreed) and not any(
        ship.hits for group in game.battle.fleets[Side.AXIS].groups for ship in group.ships
    )
    for side in (Side.ALLIES, None):
        assert (
            "Japan's Akagi: 1 hit, not damaged. Japan proposed it, United States agreed"
            in transcript(game.picture(side).events)[-1]
        )
    play_to(game, "air cover")
    assert any(ship.hits == 1 for ship in game.battle.fleets[Side.AXIS].group(1).ships)
    assert "Amended by agreement: Japan's Akagi: 1 hit, not damaged" in transcript(game.picture(None).events)
    again = saves.read(saves.dump(game))
    assert again.events() == game.events()
    assert "Amended by agreement" in report(game) and any(
        "Amended by agreement" in part for part in results(game.events())
    )


def test_undo_past_an_amendment_takes_it_back_too_and_needs_consent() -> None:
    game = midway()
    play_to(game, "counterair")
    decision = game.decision(Side.AXIS)
    assert decision
    game.submit(Side.AXIS, decision.form.default)
    assert (game.undo_stands(Side.AXIS) or pytest.fail()).why == ""
    put_right(game, HITS)
    assert (game.undo_stands(Side.AXIS) or pytest.fail()).why == "an amendment has been agreed since"
    with pytest.raises(UndoRefused, match="an amendment has been agreed since; the other side must agree"):
        game.undo(Side.AXIS)
    game.undo(Side.AXIS, agreed=True)
    assert not any(isinstance(event, AmendmentAgreed) for event in game.events()) and game.battle.amendments == ()
    assert Game(game.header, game.journal).events() == game.events()


def test_what_is_agreed_last_takes_effect_at_the_end_and_then_nothing_can_be_put_right() -> None:
    random = Random(3)
    game = Game.new(random_setup(random), dice=SeededDice(random), key=KEY)
    change = None
    while not game.over:
        if game.roll_due():
            game.roll()
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision
        if game.battle.segment == "return" and change is None:
            ship = next(ship for side in Side for ship in ships_afloat(game.battle, side))
            owner = next(side for side in Side if ship in ships_afloat(game.battle, side))
            change = ShipPutRight(owner, as_seen(ship), "sunk")
            game.amend("host", change, agreed=("axis", "allies"))
        game.submit(side, decision.form.sample(random))
    assert change is not None and isinstance(game.events()[-1], Amended)
    assert change.ship in game.battle.fleets[change.side].sunk
    with pytest.raises(NotYourDecision, match="all is over"):
        game.amend("host", change)


@pytest.mark.parametrize("reading", ["one_hit", "damage_again"])
def test_one_more_hit_sinks_a_ship_that_an_amendment_says_this_battle_damaged(reading: str) -> None:
    """20.513C: while hits are added up one more is enough, under either reading of RC-10: she did not come damaged."""
    change = read(midway(), {**HITS, "becomes": "damaged"})
    rules = ruleset("current", {"damaged_ship_sinks_on": reading})
    assert change.ship.damaged and rules.fate_at_sea(change.ship, 1) == "sunk"


def test_every_kind_of_change_is_read_and_told() -> None:
    game = midway()
    told = Names(game.events())
    for wanted, words in (
        ({**HITS, "becomes": "damaged"}, "Japan's Akagi: damaged"),
        ({**HITS, "becomes": "undamaged"}, "Japan's Akagi: no hits, not damaged"),
        ({**HITS, "becomes": "sunk"}, "Japan's Akagi is sunk"),
        (
            {
                "kind": "add",
                "side": "axis",
                "to": "First Carrier Striking Force",
                "ships": ["Zuikaku"],
                "light": {"Japan/DD": 2},
            },
            "Japan's First Carrier Striking Force also has Zuikaku and Japan 2 DD",
        ),
        (
            {"kind": "remove", "side": "axis", "to": "First Carrier Striking Force", "light": {"Japan/DD": 1}},
            "Japan's First Carrier Striking Force loses Japan 1 DD",
        ),
        (
            {
                "kind": "remove",
                "side": "axis",
                "to": "First Carrier Striking Force",
                "light": {"Japan/DD": 1},
                "sunk": False,
            },
            "Japan's First Carrier Striking Force never had Japan 1 DD",
        ),
        (
            {"kind": "squadrons", "side": "axis", "at": "kaga", "key": "Japan/NAS/elite", "number": 2},
            "Japan's Kaga has 2 elite Japan NAS",
        ),
        (
            {"kind": "squadrons", "side": "allies", "at": "midway", "key": "United States/NAS", "number": 0},
            "United States' Midway has no United States NAS",
        ),
        (
            {
                "kind": "cargo",
                "side": "axis",
                "to": "First Carrier Striking Force",
                "name": "mail",
                "needs": 1,
                "by": "DD",
            },
            "Japan's First Carrier Striking Force also carries mail",
        ),
    ):
        assert change_in_words(read(game, wanted), told) == words


def test_after_a_ship_is_sunk_she_can_be_restored_and_the_damaged_are_told_rightly() -> None:
    game = midway()
    play_to(game, "counterair")
    put_right(game, {**HITS, "becomes": "sunk"})
    play_to(game, "air cover")
    assert [ship.name for ship in game.battle.fleets[Side.AXIS].sunk] == ["Akagi"]
    back = {**HITS, "becomes": "restored", "hits": 0, "damaged": True, "to": "CG1"}
    assert (
        change_in_words(read(game, back), Names(game.events())) == "Japan's Akagi is afloat after all, in CG1: damaged"
    )
    put_right(game, back)
    play_to(game, "search")
    assert damaged(game.events(), Side.AXIS)[0] == ["Akagi"] and game.battle.fleets[Side.AXIS].sunk == ()
    put_right(game, {"kind": "squadrons", "side": "axis", "at": "Akagi", "key": "Japan/NAS", "number": 1})
    play_to(game, "disclosure") if game.battle.segment == "search" and game.decision(Side.AXIS) else None
    assert (
        "Akagi now has 1 NAS aboard" in " ".join(transcript(game.picture(Side.AXIS).events)) or game.battle.amendments
    )


@pytest.mark.parametrize(
    ("by", "wanted", "why"),
    [
        ("axis", {**HITS, "ship": "Titanic"}, "'Titanic' is not known to be afloat"),
        ("allies", HITS, "'akagi' is not known to be afloat"),
        ("host", HITS, "'akagi' is not known to be afloat"),
        ("axis", {**HITS, "hits": 2}, "2 hits damage or sink her"),
        ("axis", {**HITS, "becomes": "restored"}, "not known to be sunk"),
        ("axis", {"kind": "add", "side": "axis", "to": "x", "ships": ["Titanic"]}, "there is no ship 'Titanic'"),
        ("allies", {"kind": "add", "side": "axis", "to": "CG1", "ships": ["Zuikaku"]}, "only Japan can propose that"),
        ("allies", {"kind": "cargo", "side": "axis", "to": "CG1", "name": "x"}, "only Japan can propose that"),
        ("allies", {"kind": "remove", "side": "axis", "to": "CG1", "light": {"Japan/DD": 1}}, "only Japan can propose"),
        ("axis", {"kind": "remove", "side": "axis", "to": "CG1", "light": {"Japan/DD": 1}}, "no group or force 'CG1'"),
        ("allies", {"kind": "squadrons", "side": "axis", "at": "kaga", "key": "Japan/NAS", "number": 1}, "only Japan"),
        ("axis", {"kind": "squadrons", "side": "axis", "at": "x", "key": "Japan/NAS", "number": 1}, "a carrier afloat"),
    ],
)
def test_a_refusal_tells_the_proposer_only_what_he_knows(by: str, wanted: dict[str, Any], why: str) -> None:
    with pytest.raises(IllegalChoice, match=why):
        read(midway(), wanted, by)


def test_the_referee_may_propose_what_only_one_side_knows() -> None:
    assert read(midway(), HITS, "referee").ship.hits == 1
