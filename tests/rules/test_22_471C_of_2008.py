"""Naval air in fleet combat (22.471C of 2008, the option deferred_strikes): who may join, how it fires, what if not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from flagplot import api
from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice
from flagplot.core.events import Event
from flagplot.core.runner import Runner
from flagplot.core.sides import Audience, Side
from flagplot.editions.current import CURRENT, ruleset
from flagplot.model.air_events import (
    AirAttackRolled,
    AirCombatFought,
    AirDefenseRolled,
    AirLanded,
    AirTargetsChosen,
    DeferredStrikeResumed,
    StrikeDeferred,
    StrikeEnded,
)
from flagplot.model.events import Fired, FleetCombatBegan, GroupEliminated, GroupsFormed, SegmentBegan
from flagplot.model.forces import CombatGroup, Force
from flagplot.model.ships import Ship
from flagplot.model.squadrons import AirBase
from flagplot.model.state import Battle, Fleet
from flagplot.play.transcript import transcript
from flagplot.rules.naval.battle import play_on
from flagplot.rules.naval.raiders import raider_combat
from flagplot.rules.table import Table
from tests.rules.gunnery_table import two_dice

ON = {"deferred_strikes": "on"}
NAS = "Japan/NAS"
GUNS, AIR = ("22.55",), ("23.44",)


def ledger(*rows: str) -> pytest.MarkDecorator:
    return pytest.mark.ledger(*rows, edition="2008")


def ship(name: str, kind: str = "BB", size: int = 4, **more: Any) -> Ship:
    wing = {NAS: size} if kind == "CV" else {}
    return Ship(name, name, "Japan", kind, size, wing=wing, **more)


def american(name: str, kind: str = "BB", size: int = 4, **more: Any) -> Ship:
    wing = {"United States/NAS": size} if kind == "CV" else {}
    return Ship(name, name, "United States", kind, size, wing=wing, **more)


def groups(*members: Sequence[Ship] | CombatGroup) -> tuple[CombatGroup, ...]:
    """Groups numbered in turn, each found once."""
    made = []
    for number, each in enumerate(members, start=1):
        group = each if isinstance(each, CombatGroup) else CombatGroup(number, ships=tuple(each))
        made.append(CombatGroup(number, ships=group.ships, light=group.light, found=1))
    return tuple(made)


class Strikes:
    """A battle from the air strikes of its first round; Japan strikes first. Dice by rule and side, else two."""

    def __init__(
        self,
        axis: tuple[CombatGroup, ...],
        allies: tuple[CombatGroup, ...],
        dice: Mapping[tuple[str, str], Sequence[int]] | None = None,
        options: Mapping[str, str] = ON,
        edition: str = "2008",
        **fleet: Any,
    ) -> None:
        battle = Battle(
            kind="naval battle",
            interceptor=Side.AXIS,
            fleets={
                Side.AXIS: Fleet("Japan", groups=axis),
                Side.ALLIES: Fleet("United States", groups=allies, **fleet),
            },
            segment="air strikes",
            step="strikes",
            striking=(Side.AXIS, Side.ALLIES),
            aircraft=True,
        )
        self.table = Table(ruleset(edition, options), battle)
        self.runner = Runner(play_on(self.table))
        self.dice = {key: list(given) for key, given in (dice or {}).items()}

    def until(self, *kinds: str, answers: Mapping[tuple[str, str], Any] | None = None) -> Decide | None:
        """Play to the next question of one of these kinds, or to the end of fleet combat."""
        given = dict(answers or {})
        while self.table.battle.segment in ("air strikes", "fleet combat"):
            roll = self.runner.roll_due()
            if roll is not None:
                wanted = self.dice.get((roll.side.value, roll.rule))
                self.runner.roll(two_dice(wanted.pop(0) if wanted else 2) if roll.dice == 2 else [1] * roll.dice)
                continue
            for side in Side:
                question = self.runner.decision_for(side)
                if question is None:
                    continue
                if question.kind in kinds:
                    return question
                quiet = {} if question.kind == "strike" else question.form.default
                self.runner.answer(side, given.pop((side.value, question.kind), quiet))
        return None

    def answer(self, question: Decide, wire: Any) -> Strikes:
        self.runner.answer(question.side, wire)
        return self

    def events(self, *kinds: type[Event]) -> list[Any]:
        return [event for event in self.table.log if isinstance(event, kinds)]


def fly(target: str, **decks: int) -> dict[str, Any]:
    return {"target": target, **{f"{deck}|{NAS}": {"fly": number} for deck, number in decks.items()}}


LINE = (ship("akagi", "CV", 3), ship("kongo"))
TARGET = (american("iowa"),)


def over_target(**more: Any) -> tuple[Strikes, Decide]:
    """Akagi's three squadrons are over the American group, and targets are asked for."""
    battle = Strikes(groups(LINE), groups(TARGET), **more)
    question = battle.until("air targets", answers={("axis", "strike"): fly("CG1", akagi=3)})
    assert question is not None
    return battle, question


# -- who may ---------------------------------------------------------------------------------------------


@ledger("22.471C", "22.471C.1")
def test_the_choice_is_made_with_the_targets_after_air_combat_and_air_defense() -> None:
    defended = CombatGroup(1, ships=(american("iowa"), american("hornet", "CV", 3)), light={"United States/CA": 3})
    battle = Strikes(groups(LINE), groups(defended))
    question = battle.until("air targets", answers={("axis", "strike"): fly("CG1", akagi=3)})
    assert question is not None and "gunfire" in [place.key for place in question.form.places]
    assert battle.events(AirDefenseRolled) and not battle.events(AirTargetsChosen)


@ledger("22.471C")
def test_it_is_off_unless_the_option_revives_it_and_never_in_the_current_edition() -> None:
    for options, edition in (({}, "2008"), (ON, "current")):
        _, question = over_target(options=options, edition=edition)
        assert "gunfire" not in [place.key for place in question.form.places]
    assert ruleset("current", ON).gunfire is CURRENT.gunfire
    assert ruleset("2008").gunfire is CURRENT.gunfire


@ledger("22.471C")
def test_only_naval_air_of_the_group_that_will_meet_the_one_struck_may_join() -> None:
    battle = Strikes(groups(LINE, (ship("kaga", "CV", 3), ship("hiei"))), groups(TARGET))
    question = battle.until("air targets", answers={("axis", "strike"): fly("CG1", akagi=2, kaga=3)})
    assert question is not None
    question.read({NAS: {"gunfire": 2, "iowa": 3}})
    with pytest.raises(IllegalChoice, match="Only naval air from carriers of CG1") as refusal:
        question.read({NAS: {"gunfire": 3, "iowa": 2}})
    assert refusal.value.rule == "22.471C"


@ledger("22.471C")
def test_nobody_may_join_against_a_group_that_no_own_group_is_bound_to_meet() -> None:
    distant = groups(TARGET, (american("alabama"),))
    battle = Strikes(groups(LINE), distant)
    question = battle.until("air targets", answers={("axis", "strike"): fly("CG2", akagi=3)})
    assert question is not None and "gunfire" not in [place.key for place in question.form.places]


@ledger("22.471C", "22.471C.3")
def test_a_group_without_an_undamaged_heavy_ship_has_nobody_to_join() -> None:
    battle = Strikes(groups((LINE[0], ship("kongo", damaged=True))), groups(TARGET))
    question = battle.until("air targets", answers={("axis", "strike"): fly("CG1", akagi=3)})
    assert question is not None
    with pytest.raises(IllegalChoice, match="no undamaged heavy ship"):
        question.read({NAS: {"gunfire": 1, "iowa": 2}})


@ledger("22.471C.1", "22.471C.2")
def test_only_survivors_may_join() -> None:
    defended = CombatGroup(1, ships=(american("iowa"),), light={"United States/CA": 12})
    battle = Strikes(groups(LINE), groups(defended), dice={("allies", "23.42"): [4]})
    question = battle.until("air targets", answers={("axis", "strike"): fly("CG1", akagi=3)})
    assert question is not None
    (item,) = question.form.items
    assert item.amount == 2  # level 3 at a 4: one eliminated
    question.read({NAS: {"gunfire": 2}})


@ledger("22.471C.R")
def test_in_raider_combat_all_ships_of_a_side_are_the_force_that_meets() -> None:
    forces = {
        Side.AXIS: (Force("A", (LINE[0],), mission="raid"), Force("B", (LINE[1],), mission="raid")),
        Side.ALLIES: (Force("X", TARGET, mission="raider hunt"),),
    }
    fleets = {side: Fleet(side.value, forces=forces[side]) for side in Side}
    battle = Battle(kind="raider combat", interceptor=Side.ALLIES, fleets=fleets, aircraft=True)
    table = Table(ruleset("2008", ON), battle)
    runner = Runner(raider_combat(table))
    asked: list[str] = []
    while not runner.over:
        roll = runner.roll_due()
        if roll is not None:
            runner.roll(two_dice(2) if roll.dice == 2 else [1] * roll.dice)
            continue
        for side in Side:
            question = runner.decision_for(side)
            if question is not None:
                asked.append(question.kind)
                told = {"strike": fly("CG1", akagi=2), "air targets": {NAS: "gunfire"}}
                mine = told.get(question.kind) if side is Side.AXIS else None
                runner.answer(side, question.form.default if mine is None else mine)
    assert any(isinstance(event, GroupsFormed) for event in table.log)
    fired = next(event for event in table.log if isinstance(event, Fired) and event.side is Side.AXIS)
    assert (fired.shot.ships, fired.shot.light, fired.factors) == (("kongo",), {NAS: 2}, 10)


# -- how it fires --------------------------------------------------------------------------------------------


@ledger("22.471C.2", "22.471C.3.1")
def test_each_squadron_adds_three_factors_to_the_fire_of_heavy_ships() -> None:
    battle, question = over_target(dice={("axis", "22.55"): [7]})
    battle.answer(question, {NAS: {"gunfire": 2, "iowa": 1}}).until()
    bombs = battle.events(AirAttackRolled)
    assert [event.squadrons for event in bombs] == [{NAS: 1}]
    (fired,) = [event for event in battle.events(Fired) if event.side is Side.AXIS]
    assert (fired.shot.ships, fired.shot.light, fired.shot.target) == (("kongo",), {NAS: 2}, "iowa")
    assert fired.factors == 4 + 2 * 3


@ledger("22.471C.2")
def test_ten_factors_with_equal_drms_score_three_hits_on_a_seven() -> None:
    axis = {"ships": [{"id": "x", "nation": "Japan", "size": 4}], "light": {}}
    allies = {"ships": [{"id": "a", "nation": "United States", "size": 4}], "light": {}}
    answer = api.call(
        "fleet_combat_result",
        {"axis": axis, "allies": allies, "interceptor": "allies", "naval_air": {"allies": {"United States/NAS": 2}}},
        dice=two_dice(7 + 1, 2),  # the difference of the two navies is made good on the dice
        edition="2008",
        options=ON,
    )
    (mine,) = [shot for shot in answer["shots"] if shot["side"] == "allies"]
    assert (mine["factors"], mine["roll"], mine["hits"]) == (10, 7, 3)


@ledger("22.471C.2")
def test_naval_air_has_the_drm_of_its_nations_fast_three_factor_ships() -> None:
    def modifier(nation: str, **more: Any) -> int:
        axis = {"ships": [{"id": "x", "nation": "Japan", "size": 5}], "light": {}}
        allies = {"ships": [{"id": "a", "nation": "Britain", "size": 4}], "light": {}}
        asked = {"axis": axis, "allies": allies, "naval_air": {"axis": {f"{nation}/NAS": 1}}, **more}
        shots = api.call("fleet_combat_result", asked, dice=two_dice(7, 2), edition="2008", options=ON)["shots"]
        return int(next(shot["modifier"] for shot in shots if shot["side"] == "axis"))

    # The five-factor battleship alone would have one more; the lowest of all that fire together counts.
    cruiser = api.call("nationality_drm", {"nation": "Japan", "kind": "BC", "size": 3}, edition="2008")["drm"]
    assert modifier("Japan") == cruiser - 2
    assert modifier("Italy") == 1 - 2


@ledger("22.471C.2", "22.471C.3.1")
def test_naval_air_covers_ranks_like_a_ship_of_three_factors_but_does_not_make_its_side_the_attacker() -> None:
    battle = Strikes(groups((*LINE, ship("hiei"))), groups((american("iowa"), american("alabama", size=3))))
    question = battle.until("air targets", answers={("axis", "strike"): fly("CG1", akagi=3)})
    assert question is not None
    battle.answer(question, {NAS: "gunfire"})
    question = battle.until("heavy targets")
    assert question is not None and question.side is Side.AXIS
    assert [item.key for item in question.form.items] == ["kongo", "hiei", f"{NAS}#1", f"{NAS}#2", f"{NAS}#3"]
    on_second = {f"{NAS}#1": "iowa", f"{NAS}#2": "iowa", f"{NAS}#3": "alabama", "kongo": "alabama", "hiei": "alabama"}
    question.read(on_second)  # six factors of naval air cover four
    with pytest.raises(IllegalChoice):
        question.read({**on_second, f"{NAS}#2": "alabama"})
    weaker = Strikes(groups(LINE), groups((american("iowa"), american("alabama", size=3))))
    question = weaker.until("air targets", answers={("axis", "strike"): fly("CG1", akagi=3)})
    assert question is not None
    weaker.answer(question, {NAS: "gunfire"})
    question = weaker.until("heavy targets")
    assert question is not None and question.side is Side.ALLIES


@ledger("22.471C.3.1")
def test_a_ship_at_which_only_naval_air_fires_chooses_freely() -> None:
    battle = Strikes(groups((*LINE, ship("hiei"))), groups((american("iowa", hits=0), american("alabama", size=3))))
    question = battle.until("air targets", answers={("axis", "strike"): fly("CG1", akagi=3)})
    assert question is not None
    battle.answer(question, {NAS: "gunfire"})
    question = battle.until("heavy targets")
    assert question is not None
    aim = {f"{NAS}#{n}": "iowa" for n in (1, 2, 3)} | {"kongo": "alabama", "hiei": "alabama"}
    battle.answer(question, aim)
    question = battle.until("answering fire")
    assert question is not None
    places = {item.key: question.form.places_for(item) for item in question.form.items}
    assert set(places["iowa"]) == {"kongo", "hiei", "akagi"} and set(places["alabama"]) == {"kongo", "hiei"}


@ledger("22.471C", "22.471C.3.1")
def test_naval_air_fires_with_its_own_group_only_and_at_the_one_it_struck() -> None:
    second = (ship("kaga", "CV", 3), ship("hiei"))
    battle = Strikes(groups(LINE, second), groups(TARGET, (american("alabama"),)))
    battle.table.battle = replace(battle.table.battle, round=2)  # so that both pairs meet
    for target, decks in (("CG1", {"akagi": 3}), ("CG2", {"kaga": 2})):
        question = battle.until("air targets", answers={("axis", "strike"): fly(target, **decks)})
        assert question is not None
        battle.answer(question, {NAS: "gunfire"})
    battle.until()
    fired = {event.shot.ships: (event.shot.target, event.shot.light) for event in battle.events(Fired)}
    assert fired["kongo",] == ("iowa", {NAS: 3}) and fired["hiei",] == ("alabama", {NAS: 2})


@ledger("22.471C.3.1")
def test_who_screens_all_heavy_ships_gives_the_fire_of_naval_air_up() -> None:
    battle, question = over_target()
    battle.answer(question, {NAS: "gunfire"}).until(answers={("axis", "screen"): {"kongo": "screen"}})
    assert battle.events(FleetCombatBegan)
    assert not [event for event in battle.events(Fired, AirAttackRolled) if event.side is Side.AXIS]


@ledger("22.471C", "22.471C.3.1")
def test_naval_air_that_fires_lands_with_the_others_and_is_not_lost() -> None:
    battle, question = over_target()
    battle.answer(question, {NAS: "gunfire"}).until()
    (deferred,) = battle.events(StrikeDeferred)
    assert (deferred.number, deferred.own, deferred.squadrons) == (1, 1, {NAS: 3})
    assert all(not event.lost for event in battle.events(AirLanded))
    fleet = battle.table.battle.fleets[Side.AXIS]
    assert fleet.group(1).ship("akagi").wing == {NAS: 3} and not fleet.aloft and not fleet.deferred


# -- if no heavy ship is left -----------------------------------------------------------------------------------


@ledger("22.471C.3", "22.471C.3.2")
def test_if_all_heavy_ships_are_damaged_from_the_air_first_naval_air_attacks_as_a_normal_strike() -> None:
    shore = AirBase("Rabaul", squadrons={"United States/AAS/attack": 4})
    battle, question = over_target(dice={("allies", "23.44"): [12]}, air_bases=(shore,))
    battle.answer(question, {NAS: "gunfire"})
    question = battle.until("strike")
    assert question is not None and question.side is Side.ALLIES
    battle.answer(question, {"target": "CG1", "United States/AAS/attack@Rabaul": {"fly": 4}})
    question = battle.until("air targets")
    assert question is not None
    battle.answer(question, {"United States/AAS/attack@Rabaul": "kongo"})
    question = battle.until("air targets")  # Kongo is gone: Akagi's squadrons are asked again
    assert question is not None and question.side is Side.AXIS
    assert "gunfire" not in [place.key for place in question.form.places]
    fought = len(battle.events(AirCombatFought, AirDefenseRolled))
    battle.answer(question, {NAS: "iowa"}).until()
    (resumed,) = battle.events(DeferredStrikeResumed)
    assert resumed.squadrons == {NAS: 3}
    assert len(battle.events(AirCombatFought, AirDefenseRolled)) == fought  # neither is met twice
    bombs = [event for event in battle.events(AirAttackRolled) if event.side is Side.AXIS]
    assert [(event.target, event.squadrons) for event in bombs] == [("iowa", {NAS: 3})]
    ended = [event for event in battle.events(StrikeEnded) if event.side is Side.AXIS]
    assert len(ended) == 2
    fleet = battle.table.battle.fleets[Side.AXIS]
    assert fleet.group(1).ship("akagi").wing == {NAS: 3} and not fleet.deferred
    order = [type(event).__name__ for event in battle.events(AirAttackRolled, AirLanded, FleetCombatBegan)]
    assert order.index("AirLanded") > order.index("AirAttackRolled")
    story = transcript(battle.table.log)
    assert any("fire with the heavy ships" in line for line in story)
    assert any("after all: its group has no heavy ship left to fire with" in line for line in story)


@ledger("22.471C.3.2")
def test_if_the_groups_will_not_meet_after_all_it_attacks_by_itself_and_not_if_its_target_is_gone() -> None:
    shore = AirBase("Rabaul", squadrons={"United States/AAS/attack": 8})
    alone = Strikes(
        groups((ship("akagi", "CV", 3), ship("ise", size=2)), (ship("kaga", "CV", 3),)),
        groups(TARGET),
        air_bases=(shore,),
    )
    question = alone.until("air targets", answers={("axis", "strike"): fly("CG1", akagi=3)})
    assert question is not None
    alone.answer(question, {NAS: "gunfire"})
    # Its own group is sunk to the last ship: the table is told so, as a strike would.
    assert alone.until("strike") is not None
    alone.table.record(GroupEliminated(rule="20.511", to=Audience.EVERYONE, side=Side.AXIS, number=1))
    question = alone.until("air targets")
    assert question is not None and question.side is Side.AXIS
    alone.answer(question, {NAS: "iowa"}).until("landing")
    (resumed,) = alone.events(DeferredStrikeResumed)
    assert resumed.why == "its group will not meet the enemy"

    gone = Strikes(groups(LINE), groups(TARGET, (american("alabama"),)))
    question = gone.until("air targets", answers={("axis", "strike"): fly("CG1", akagi=3)})
    assert question is not None
    gone.answer(question, {NAS: "gunfire"})
    assert gone.until("strike") is not None
    gone.table.record(GroupEliminated(rule="20.511", to=Audience.EVERYONE, side=Side.ALLIES, number=1))
    gone.until()
    assert not gone.events(DeferredStrikeResumed, AirAttackRolled)
    assert gone.events(SegmentBegan)
