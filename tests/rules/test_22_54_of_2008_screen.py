"""Fleet combat of 2008 (22.54E, 22.54F, 22.56): light ships, surplus over three to one, and what is screened."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagplot.core.errors import IllegalChoice
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.events import Fired, FireReserved, FleetCombatEnded, LightShipsHit
from flagplot.model.forces import CombatGroup, Engagement
from flagplot.model.ships import Ship
from flagplot.model.state import Battle, Fleet
from flagplot.rules.naval.fleet_combat import engage
from flagplot.rules.table import Table
from tests.rules.fleet_2008_table import Clash, briton, fight, german
from tests.rules.gunnery_table import british, group, hits_of, light_left, ship, shot_at, shots, status, targets


def ledger(*rows: str) -> pytest.MarkDecorator:
    return pytest.mark.ledger(*rows, edition="2008")


def destroyers(count: int) -> dict[str, int]:
    return {"Germany/DD": count}


# -- light fire -----------------------------------------------------------------------------------------


@ledger("22.54E.1")
def test_light_ships_left_over_from_heavy_fire_fire_at_each_other_as_groups_together() -> None:
    axis, allies = group(light={"Germany/CA": 2}), group(light={"Britain/DD": 3})
    result = fight(axis, allies, 7, 12)
    assert [(shot["target"], shot["factors"], shot["hits"]) for shot in result["shots"]] == [
        ("light", 4, hits_of(4, 7)),
        ("light", 3, hits_of(3, 12)),
    ]
    clash = Clash(CombatGroup(1, light={"Germany/CA": 2}), CombatGroup(1, light={"Britain/DD": 3}))
    clash.until(totals=[12, 12])
    order = [type(event) for event in clash.table.log if isinstance(event, Fired | LightShipsHit)]
    assert order == [Fired, Fired, LightShipsHit, LightShipsHit]
    assert all(kind == "screen" for _, kind in clash.asked)  # nobody chooses: they fire at each other


@ledger("22.54E.1")
def test_light_ships_sunk_by_heavy_fire_do_not_fire_any_more() -> None:
    axis, allies = group(ship("a"), light=destroyers(2)), group(light={"Britain/DD": 3})
    result = fight(axis, allies, 10)
    assert shots(result, "axis")[0]["hits"] == hits_of(4, 10) == 2
    assert [shot["factors"] for shot in shots(result, "allies")] == [1]


@ledger("22.54E.2")
def test_exactly_three_to_one_leaves_no_surplus_and_one_more_factor_does() -> None:
    allies = CombatGroup(1, ships=(briton("x"),), light={"Britain/DD": 1})
    for count, surplus in ((3, None), (4, "One factor")):
        clash = Clash(CombatGroup(1, ships=(german("a"), german("b")), light={"Germany/DD": count}), allies)
        question = clash.until("surplus light")
        assert (question is None) if surplus is None else (question is not None and surplus in question.question)


@ledger("22.54E.2")
def test_surplus_light_ships_may_fire_at_several_heavy_ships_however_few_at_each() -> None:
    axis = group(light=destroyers(10))
    allies = group(british("x"), british("y"), british("z", 3), light={"Britain/DD": 1})
    spread = {"Germany/DD": {"x": 1, "y": 1, "z": 1, "light": 6}}
    result = fight(axis, allies, 2, decisions=[["axis", "surplus light", spread]])  # eleven factors at 2 sink one
    assert [(shot["target"], shot["factors"]) for shot in shots(result, "axis")] == [
        ("x", 1),
        ("y", 1),
        ("z", 1),
        ("light", 6),
    ]


@ledger("22.54E.2")
def test_only_the_surplus_looks_elsewhere() -> None:
    axis = CombatGroup(1, light={"Germany/DD": 9})
    clash = Clash(axis, CombatGroup(1, ships=(briton("x"),), light={"Britain/DD": 2}))
    question = clash.until("surplus light")
    assert question is not None and question.rule == "22.54E"
    with pytest.raises(IllegalChoice, match="Only 3 factors are surplus") as refusal:
        question.read({"Germany/DD": {"x": 4}})
    assert refusal.value.rule == "22.54E"
    question.read({"Germany/DD": {"x": 2, "hold": 1}})


@ledger("22.54E.1", "22.54E.2")
def test_light_fire_at_heavy_and_light_ships_takes_effect_together() -> None:
    axis = group(light=destroyers(8))
    allies = group(british("x", 2, "PB", hits=0), light={"Britain/DD": 1})
    aim = {"Germany/DD": {"x": 5, "light": 3}}
    # The pocket battleship fires in the heavy step; then the light ships of both sides, all at once.
    result = fight(axis, allies, 2, 12, 12, 12, decisions=[["axis", "surplus light", aim]])
    assert status(result, "allies", "x") == "sunk"
    assert [shot["target"] for shot in result["shots"]] == ["light", "x", "light", "light"]


@ledger("22.54E.3", "22.54F")
def test_surplus_light_ships_may_hold_for_the_screen_and_name_their_target_when_it_is_open() -> None:
    axis = CombatGroup(1, light={"Germany/DD": 8})
    carrier = Ship("cv", "cv", "Britain", "CV", 3)
    clash = Clash(axis, CombatGroup(1, ships=(carrier,), light={"Britain/DD": 1, "Britain/TR": 2}))
    question = clash.until("surplus light")
    assert question is not None
    clash.answer(question, {"Germany/DD": {"hold": 5, "light": 3}})
    question = clash.until("screened fire light", totals=[12])
    assert question is not None and question.rule == "22.54F"
    assert [item.amount for item in question.form.items] == [5]
    assert {place.key for place in question.form.places} == {"none", "cv", "light"}
    clash.answer(question, {"Germany/DD": "cv"}).until(totals=[9])
    last = [event for event in clash.table.log if isinstance(event, Fired)][-1]
    assert (last.shot.target, last.shot.screened, last.factors) == ("cv", True, 5)


# -- fire on screened ships ------------------------------------------------------------------------------------


@ledger("22.54F", "22.54F.1", "22.53C.3.2")
def test_heavy_ships_wait_for_a_screened_ship_and_fire_when_every_other_ship_is_sunk() -> None:
    axis = group(ship("a"), ship("b"))
    allies = group(british("x", 4, hits=2), british("hurt", damaged=True))
    aim = [["axis", "heavy targets", {"a": "x", "b": "hurt"}]]
    result = fight(axis, allies, 10, 2, 5, decisions=aim)
    assert status(result, "allies", "x") == "sunk"
    assert [(shot["target"], shot["screened"]) for shot in shots(result, "axis")] == [("x", False), ("hurt", True)]
    assert status(result, "allies", "hurt") == "sunk"
    # One hit fewer, and the screen stays shut: the fire is lost (RC-81).
    result = fight(axis, allies, 7, 2, 5, decisions=aim)
    assert status(result, "allies", "x") == "damaged" and targets(result, "axis") == ["x"]


@ledger("22.54F.1", "22.54D.2.2")
def test_cruisers_damaged_by_heavy_fire_need_not_be_sunk_and_those_damaged_by_light_fire_must() -> None:
    allies = group(british("hurt", damaged=True), light={"Britain/CA": 1})
    heavy = group(ship("a"), ship("b"))
    aim = [["axis", "heavy targets", {"a": "light", "b": "hurt"}]]
    result = fight(heavy, allies, 5, 5, decisions=aim)
    assert light_left(result, "allies") == {"Britain/CA/damaged": 1} and status(result, "allies", "hurt") == "sunk"
    mixed = group(ship("b"), light=destroyers(3))
    result = fight(mixed, allies, 8, 5, decisions=[["axis", "heavy targets", {"b": "hurt"}]])
    assert light_left(result, "allies") == {"Britain/CA/damaged": 1} and status(result, "allies", "hurt") == "damaged"


@ledger("22.54F.1")
def test_where_nothing_stood_before_the_screen_it_is_open_from_the_start() -> None:
    result = fight(group(ship("a")), group(british("hurt", damaged=True)), 5)
    assert targets(result, "axis") == ["hurt"] and status(result, "allies", "hurt") == "sunk"


@ledger("22.54F.2")
def test_screened_heavy_ships_are_single_targets_and_screened_light_ships_one() -> None:
    axis = group(ship("a"), ship("b"), ship("c", 3))
    allies = group(
        british("one", damaged=True), british("two", damaged=True), light={"Britain/CA/damaged": 1, "Britain/TR": 2}
    )
    aim = {"a": "one", "b": "two", "c": "screened light"}
    result = fight(axis, allies, 5, 5, 12, decisions=[["axis", "heavy targets", aim]])
    assert [(shot["target"], shot["factors"], shot["screened"]) for shot in shots(result, "axis")] == [
        ("one", 4, True),
        ("two", 4, True),
        ("light", 3, True),
    ]
    assert light_left(result, "allies") == {"Britain/TR": 1}  # two hits: a cruiser, a transport


@ledger("22.54F.3")
def test_heavy_and_light_fire_on_one_screened_target_is_one_roll() -> None:
    axis = group(ship("a"), light=destroyers(5))
    allies = group(british("x", damaged=True), ship("cv", 3, "Britain", "CV"))
    decisions = [
        ["axis", "heavy targets", {"a": "cv"}],
        ["axis", "surplus light", {"Germany/DD": "hold"}],
        ["axis", "screened fire light", {"Germany/DD": {"cv": 3, "x": 2}}],
    ]
    result = fight(axis, allies, 7, 7, decisions=decisions)
    at_carrier = shot_at(result, "axis", "cv", screened=True)
    assert (at_carrier["ships"], at_carrier["light"], at_carrier["factors"]) == (["a"], {"Germany/DD": 3}, 7)
    assert at_carrier["hits"] == hits_of(7, at_carrier["roll"])
    assert shot_at(result, "axis", "x", screened=True)["factors"] == 2


@ledger("22.54F.3")
def test_combined_fire_uses_the_lowest_drm_of_all_that_fire() -> None:
    axis = group(ship("a"), light={"Italy/DD": 5})
    allies = group(british("x", damaged=True))
    decisions = [
        ["axis", "surplus light", {"Italy/DD": "hold"}],
        ["axis", "screened fire light", {"Italy/DD": "x"}],
    ]
    result = fight(axis, allies, 7, decisions=decisions)
    (only,) = shots(result, "axis")
    assert (only["factors"], only["modifier"]) == (9, 1 - 2)  # Italy 1 against Britain 2


@ledger("22.54F.4")
def test_nobody_behind_the_screen_fires_back() -> None:
    result = fight(group(ship("a")), group(british("hurt", damaged=True), light={"Britain/CA/damaged": 2}), 5)
    assert shots(result, "allies") == []


@ledger("22.54F")
def test_a_ship_hit_while_she_waited_fires_if_she_is_afloat_and_the_option_lets_her() -> None:
    # Naval air covers x and sinks her; x, at whom no ship fires, chooses freely and fires at the one that waits.
    allies = group(british("x", 4, hits=2), british("hurt", damaged=True))
    decisions = [["axis", "heavy targets", {"Germany/NAS#1": "x", "Germany/NAS#2": "x", "a": "hurt"}]]

    def waiting(hits: int, late: str) -> tuple[str, list[str]]:
        result = fight(
            group(ship("a", hits=hits)),
            allies,
            9,
            12,
            5,
            decisions=decisions,
            options={"damaged_may_fire_late": late, "deferred_strikes": "on"},
            naval_air={"axis": {"Germany/NAS": 2}},
        )
        return status(result, "axis", "a"), targets(result, "axis")

    assert waiting(0, "yes") == ("damaged", ["x", "hurt"])
    assert waiting(0, "no") == ("damaged", ["x"])
    assert waiting(1, "yes") == ("sunk", ["x"])


@ledger("22.54B.2.2", "22.54C.2")
def test_everyone_hears_whose_fire_waits_for_the_screen_and_who_never_fired() -> None:
    axis = CombatGroup(1, ships=(german("a"), german("b")))
    clash = Clash(axis, CombatGroup(1, ships=(briton("x"), briton("hurt", damaged=True))))
    question = clash.until("heavy targets")
    assert question is not None
    clash.answer(question, {"a": "x", "b": "hurt"})
    assert clash.until("nothing") is None
    (waiting,) = [event for event in clash.table.log if isinstance(event, FireReserved)]
    assert waiting.to == "everyone" and [shot.target for shot in waiting.shots] == ["hurt"]
    (ended,) = [event for event in clash.table.log if isinstance(event, FleetCombatEnded)]
    assert ended.idle[Side.AXIS] == ("b",)


# -- effects ----------------------------------------------------------------------------------------------------


@ledger("22.56.1", "22.56.2")
def test_hits_of_guns_add_to_those_a_ship_has_from_the_air() -> None:
    allies = group(british("x", 4, hits=2))  # two bombs before
    result = fight(group(ship("a")), allies, 5)
    assert result["sides"]["allies"]["ships"]["x"] == {"hits": 3, "status": "damaged"}
    assert fight(group(ship("a")), allies, 10)["sides"]["allies"]["ships"]["x"]["status"] == "sunk"


# -- any play ends ------------------------------------------------------------------------------------------------


def random_group(random: Random, nation: str) -> CombatGroup:
    ships = []
    for index in range(random.randrange(0, 6)):
        kind, size = random.choice([("BB", 5), ("BB", 4), ("BC", 3), ("PB", 2), ("CV", 3)])
        damaged = random.random() < 0.2
        hits = 0 if damaged else random.randrange(0, size - 1)
        ships.append(Ship(f"{nation} {index}", f"{nation} {index}", nation, kind, size, True, hits, damaged))
    counts = {f"{nation}/{key}": random.choice([0, 0, 1, 2, 7]) for key in ("CA", "DD", "CA/damaged", "CVE", "TR")}
    counts = {key: number for key, number in counts.items() if number}
    return CombatGroup(1, ships=tuple(ships), light=counts or {f"{nation}/DD": 1})


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 100_000))
def test_any_legal_play_ends_and_every_ship_fires_at_most_once(seed: int) -> None:
    random = Random(seed)
    fleets = {
        Side.AXIS: Fleet("Germany", groups=(random_group(random, "Germany"),)),
        Side.ALLIES: Fleet("Britain", groups=(random_group(random, "Britain"),)),
    }
    table = Table(ruleset("2008"), Battle(interceptor=random.choice(list(Side)), fleets=fleets))
    runner = Runner(engage(table, Engagement(1, 1)))
    for _ in range(200):
        if runner.over:
            break
        roll = runner.roll_due()
        if roll:
            runner.roll([random.randint(1, 6) for _ in range(roll.dice)])
            continue
        for side in Side:
            question = runner.decision_for(side)
            if question:
                question.read(question.form.default)  # what is offered is always legal
                runner.answer(side, question.form.sample(random))
    assert runner.over
    fired = [event for event in table.log if isinstance(event, Fired)]
    guns = [id for event in fired for id in event.shot.ships]
    assert len(guns) == len(set(guns))
    aimed = [(event.side, event.shot.target, event.shot.screened, bool(event.shot.ships)) for event in fired]
    assert len(aimed) == len(set(aimed)), "one roll for each target in each step"
    for event in fired:
        named = [ship for ship in fleets[event.side].groups[0].ships if ship.id in event.shot.ships]
        assert all(ship.is_capital and not ship.damaged for ship in named)
