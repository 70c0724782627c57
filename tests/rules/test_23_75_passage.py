"""Land-based air against ships on passage (23.23, 23.34, 23.71, 23.72, 23.75): one hex, outside naval combat."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.core.runner import Runner
from flagplot.editions.current import ruleset
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.ships import Ship
from flagplot.model.state import Battle
from flagplot.rules.air.passage import (
    after_the_sortie,
    cover_shares,
    groups_numbered,
    may_be_attacked_at_sea,
    sortie_strike_form,
)
from flagplot.rules.naval.battle import play_on
from flagplot.rules.table import Table
from tests.rules.air_table import strike
from tests.rules.raid_table import ALLIES, AXIS, Raid, air_base, force, on_passage

CATANIA = [air_base("Catania", {"Germany AAF": 6}, capacity=30)]
ATTACK, SEARCH = "Germany/AAS/attack@Catania", "Germany/AAS/search@Catania"
COVER = "Britain/AAS/cover@Malta"
MALTA = [air_base("Malta", {"Britain AAF": 5})]
BIG = force("Big", ships=["Warspite", "Valiant"], cruisers=2, destroyers=4)  # 14 factors
OTHER = force("Other", cruisers=5, destroyers=2)  # 12
SMALL = force("Small", task_force=False, cruisers=1, destroyers=3)  # 5
NUMBERED = {"Big": "1", "Other": "4", "Small": "5"}


def three(search: list[int], **more: Any) -> Raid:
    """Three groups, numbered 1, 4 and 5, and three dice."""
    dice = {(AXIS, "23.722"): [search], **more.pop("dice", {})}
    answers = {(ALLIES, "number"): NUMBERED, **more.pop("answers", {})}
    return on_passage(CATANIA, BIG, OTHER, SMALL, dice=dice, answers=answers, **more)


# -- the order of things ------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.23A", "23.23C", "23.34A", "23.34B", "23.71A", "23.721A.1")
def test_the_attack_is_announced_then_groups_are_formed_then_cover_and_patrol_fly_and_then_comes_the_search() -> None:
    table = three([1, 1, 1], air=MALTA).to_end()
    wanted = (air.AirAttackAnnounced, ev.MarkersPlaced, air.CoverAnnounced, air.PatrolsFlown, ev.Searched)
    order = table.order(lambda event: isinstance(event, wanted))
    assert order == ["AirAttackAnnounced", *["MarkersPlaced"] * 2, "CoverAnnounced", "PatrolsFlown", "Searched"]
    asked = [kind for who, kind in table.kinds() if who == "allies"]
    assert asked.index("number") < asked.index("force cover") < asked.index("patrol")


@pytest.mark.ledger("23.23B")
def test_nobody_need_cover_before_an_attack_and_what_stays_home_is_free() -> None:
    table = three([1, 2, 3], air=MALTA, answers={(ALLIES, "force cover"): {}}).to_end()
    assert table.events(air.CoverAnnounced)[0].squadrons == {}
    assert table.base(ALLIES, "Malta").used == {}


@pytest.mark.ledger("23.71A", "22.93A")
def test_on_passage_a_force_may_have_more_than_six_groups() -> None:
    forces = [force(f"Force {index}", cruisers=5) for index in range(8)]
    table = on_passage(CATANIA, *forces)
    table.to(ALLIES, "force cover")
    assert table.fleet(ALLIES).numbers == (1, 2, 3, 4, 5, 6, 7, 8)


@pytest.mark.ledger("23.721A.2")
def test_a_force_of_less_than_ten_factors_is_one_group_however_it_sails() -> None:
    parts = [
        force("Some", task_force=False, destroyers=4),
        force("More", ships=["Hood"], destroyers=2, task_force=False),
    ]
    cargo = {"task_force": False, "destroyers": 1, "cargo": [{"name": "guns", "needs": 1}]}
    table = on_passage(CATANIA, parts[0], parts[1])
    table.to(ALLIES, "force cover")
    (group,) = table.fleet(ALLIES).groups
    assert (group.name, group.factors) == ("Some and More", 9)
    table = on_passage(CATANIA, *parts, force("Laden", **cargo))
    table.to(ALLIES, "force cover")
    assert len(table.fleet(ALLIES).groups) == 2  # ten factors: cargo sails apart again


@pytest.mark.ledger("23.721A.1")
def test_beyond_six_groups_share_search_numbers_and_a_lot_decides_between_them() -> None:
    assert groups_numbered(range(1, 9), 1) == (1, 7) and groups_numbered(range(1, 9), 3) == (3,)
    assert groups_numbered((2, 4), 3) == ()
    forces = [force(f"Force {index}", cruisers=5) for index in range(8)]
    table = on_passage(CATANIA, *forces, dice={(AXIS, "23.722"): [[1, 1, 3]], (AXIS, "23.721"): [[3], [4]]})
    table.to(AXIS, "strike")
    assert [(each.sharers, each.found) for each in table.events(air.SharersDrawn)] == [((1, 7), 1), ((1, 7), 7)]
    assert [list(each.dice) for each in table.events(air.SharersDrawn)] == [[3], [4]]  # one die each
    assert table.events(ev.Searched)[0].results == {1: 1, 3: 1, 7: 1}


def test_a_lot_among_four_is_rolled_again_on_a_five_or_six() -> None:
    forces = [force(f"Force {index}", cruisers=5) for index in range(19)]
    table = on_passage(CATANIA, *forces, dice={(AXIS, "23.722"): [[1, 6, 6]], (AXIS, "23.721"): [[5], [6], [4], [1]]})
    table.to(AXIS, "strike")
    assert [each.found for each in table.events(air.SharersDrawn)] == [19, 6, 6]
    assert [len(each.dice) for each in table.events(air.SharersDrawn)] == [1, 1, 1]


# -- search ----------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.722A", "23.72.2")
def test_only_land_based_squadrons_and_codebreaking_give_dice() -> None:
    table = three([1, 1, 1], inputs={"search_advantage": "axis"})
    table.to(AXIS, "strike")
    (counted,) = table.events(ev.SearchCounted)
    assert [(line.rule, line.amount) for line in counted.dice.lines] == [("22.451A", 3), ("22.451B", 1)]
    assert not [each for each in table.events(ev.Searched) if each.side is ALLIES]


def test_without_searchers_nothing_is_rolled_and_nothing_is_found() -> None:
    table = three([], answers={(AXIS, "air search"): {}}).to_end()
    (searched,) = table.events(ev.Searched)
    assert (searched.dice, searched.results) == ((), {})
    assert not table.was_asked(AXIS, "strike") and not table.was_asked(ALLIES, "cover shares")
    assert "was not attacked and goes on (23.23E)" in table.game.battle.reasons[1]


@pytest.mark.ledger("23.721B", "23.723B.1")
def test_dice_that_show_a_number_find_the_group_and_its_owner_says_four_things_of_it() -> None:
    table = three([1, 3, 5])
    assert set(table.to(AXIS, "strike").form.items[0].places) == {"none", "CG1", "CG5"}
    assert {each.number for each in table.seen(AXIS, ev.GroupFound)} == {1, 5}


@pytest.mark.ledger("23.11A.1")
def test_search_squadrons_and_naval_air_ashore_spot_for_interceptions() -> None:
    units = [
        {"id": "one", "kind": "search AAS", "reaches": ["H"]},
        {"id": "two", "kind": "land-based NAS", "reaches": ["H"]},
        {"id": "three", "kind": "cover AAS", "reaches": ["H"]},
    ]
    told = api.call("spotters", {"route": ["P", "H", "Q"], "hex": "H", "air_units": units})
    assert told["counting"] == ["one", "two"]


# -- strikes -----------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.752A.1", "23.752A.3", "23.723C")
def test_all_strikes_are_declared_first_and_each_squadron_flies_in_one_of_them() -> None:
    strikes = [strike(1, {ATTACK: 4}), strike(1, {ATTACK: 2})]
    table = three([1, 1, 2], answers={(AXIS, "strike"): strikes})
    table.to(AXIS, "strike")
    table.step()
    decision = table.to(AXIS, "strike")
    (left,) = [item.amount for item in decision.form.items if item.key == ATTACK]
    assert left == 2
    table.to_end()
    declared = (air.StrikeDeclared, air.DeclaredStrikeFlown, air.StrikeEnded)
    order = table.order(lambda event: isinstance(event, declared))
    assert order == ["StrikeDeclared"] * 2 + ["DeclaredStrikeFlown", "StrikeEnded"] * 2
    assert table.was_asked(AXIS, "strike") == 2  # two search results: there is no third strike, and no second sortie


@pytest.mark.ledger("23.752A.5")
def test_nobody_must_attack_what_he_found() -> None:
    table = three([1, 1, 5], answers={(AXIS, "strike"): {"target": "none"}}).to_end()
    assert not table.events(air.StrikeDeclared)


@pytest.mark.ledger("23.752A.2", "23.34C", "23.23E")
def test_what_attacked_goes_home_uninverted_and_may_fly_in_the_next_hex() -> None:
    table = three([1, 1, 5], answers={(AXIS, "strike"): [strike(1, {ATTACK: 6})]}).to_end()
    base = table.base(AXIS, "Catania")
    assert not base.inverted and base.squadrons["Germany/AAS/search"] == 6
    lost = sum(table.fleet(AXIS).air_lost.values())
    assert base.squadrons["Germany/AAS/attack"] == 6 - lost
    assert "goes home uninverted (23.752A)" in table.game.battle.reasons[0]


@pytest.mark.ledger("23.752A.4", "23.752B")
def test_the_survivors_attack_again_in_the_next_hex_and_other_forces_too() -> None:
    first = three([1, 1, 5], answers={(AXIS, "strike"): [strike(1, {ATTACK: 6})]}).to_end()
    left = first.base(AXIS, "Catania").squadrons
    again = [air_base("Catania", {f"Germany {key.split('/')[2]} AAS": n for key, n in left.items()}, capacity=30)]
    for target in (OTHER, SMALL):
        table = on_passage(again, target, dice={(AXIS, "23.722"): [[1, 1, 1]]})
        amounts = {item.key: item.amount for item in table.to(AXIS, "strike").form.items}
        assert amounts[ATTACK] == left["Germany/AAS/attack"]


@pytest.mark.ledger("23.76-b", "23.23E")
def test_after_the_attack_the_force_goes_on_or_may_abort_unless_nothing_is_left() -> None:
    attacked = after_the_sortie("Britain", attacked=True, afloat=True)[1]
    assert "(23.76)" in attacked and "aborts it (22.28A)" in attacked
    assert "(22.28A)" not in after_the_sortie("Britain", attacked=False, afloat=True)[1]
    assert "nothing is left" in after_the_sortie("Britain", attacked=True, afloat=False)[1]


@pytest.mark.ledger("23.752D")
def test_a_bare_supply_line_is_attacked_like_ships() -> None:
    line = force("Line", task_force=False, mission="sea supply", sea_supply=True)
    table = on_passage(
        CATANIA, line, dice={(AXIS, "23.722"): [[1, 2, 2]]}, answers={(AXIS, "strike"): [strike(1, {ATTACK: 2})]}
    ).to_end()
    assert [each.target for each in table.events(air.AirAttackRolled)] == ["supply line"]


@pytest.mark.ledger("23.752D")
def test_what_air_hits_do_to_a_bare_supply_line_is_nothing_unless_its_owner_enters_it() -> None:
    line = force("Line", task_force=False, mission="sea supply", sea_supply=True)
    strikes: list[Any] = [strike(1, {ATTACK: 2}), {"target": "none"}]
    dice = {(AXIS, "23.722"): [[1, 1, 2]], (AXIS, "air attack"): [[4, 4]]}
    taken = on_passage(CATANIA, line, dice=dice, answers={(AXIS, "strike"): list(strikes)}).to_end()
    (told,) = [each for each in taken.events(ev.InputTaken) if each.rule == "30.374"]
    assert told.value == "no effect" and not taken.was_asked(ALLIES, "supply line hit")
    assert not taken.game.battle.fleets[ALLIES].line_cut
    asked = on_passage(
        CATANIA,
        line,
        dice=dice,
        answers={
            (AXIS, "strike"): [strike(1, {ATTACK: 2}), strike(1, {ATTACK: 2})],
            (ALLIES, "supply line hit"): ["none", "cut"],
            (AXIS, "confirm input"): ["no", "yes"],
        },
        inputs={"rules_not_held": "ask"},
    ).to_end()
    assert asked.kinds().count(("allies", "supply line hit")) == 2
    assert asked.game.battle.fleets[ALLIES].line_cut and not asked.game.battle.fleets[ALLIES].groups
    assert [each.lapsed for each in asked.events(air.DeclaredStrikeFlown)] == [False, True]


def test_a_strike_whose_target_an_earlier_one_sank_goes_home() -> None:
    table = on_passage(
        CATANIA,
        force("Boats", task_force=False, destroyers=1),
        dice={(AXIS, "23.722"): [[1, 1, 1]], (AXIS, "air attack"): [[6, 6]]},
        answers={(AXIS, "strike"): [strike(1, {ATTACK: 4}), strike(1, {ATTACK: 2}), {"target": "none"}]},
    ).to_end()
    assert [each.lapsed for each in table.events(air.DeclaredStrikeFlown)] == [False, True]
    assert "nothing is left" in table.game.battle.reasons[1]
    assert table.base(AXIS, "Catania").squadrons["Germany/AAS/attack"] == 6


@pytest.mark.ledger("23.74A")
def test_carriers_do_not_strike_ships_on_passage() -> None:
    table = three([1, 1, 1])
    table.to(AXIS, "strike")
    battle = table.game.battle
    carrier = Ship("graf", "Graf Zeppelin", "Germany", "CVL", 2, wing={"Germany/NAS": 2})
    group = msgspec.structs.replace(battle.fleets[ALLIES].groups[0], ships=(carrier,))
    mine = msgspec.structs.replace(battle.fleets[AXIS], groups=(group,))
    there = msgspec.structs.replace(battle, fleets={**battle.fleets, AXIS: mine})
    assert [item.key for item in sortie_strike_form(ruleset(), there).items] == ["target", ATTACK]


@pytest.mark.ledger("23.75A.2", "23.75A.3")
def test_submarines_off_patrol_and_transports_near_port_are_not_attacked() -> None:
    assert may_be_attacked_at_sea("ships") and may_be_attacked_at_sea("transports")
    assert not may_be_attacked_at_sea("submarines") and may_be_attacked_at_sea("submarines", in_patrol_hex=True)
    assert not may_be_attacked_at_sea("transports", to_or_from_port=True)
    assert not may_be_attacked_at_sea("ASW", to_or_from_port=True)
    assert may_be_attacked_at_sea("ships", to_or_from_port=True)


# -- cover -----------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.23D.1", "23.23D.ex")
def test_cover_is_shared_among_all_groups_and_those_attacked_have_the_larger_shares() -> None:
    assert cover_shares(4, 3, 1) == (1, 1)  # the one attacked has two
    assert cover_shares(4, 3, 2) == (1, 1)  # one of the two has two
    assert cover_shares(5, 3, 2) == (1, 2)
    assert cover_shares(2, 3, 1) == (0, 1) and cover_shares(6, 3, 2) == (2, 0)


@pytest.mark.ledger("23.23D.2", "23.23D.1")
def test_the_owner_says_after_the_strikes_are_declared_which_group_has_more_of_the_cover() -> None:
    both = [strike(1, {ATTACK: 4}), strike(5, {ATTACK: 2})]
    table = three([1, 5, 2], air=[air_base("Malta", {"Britain AAF": 4})], answers={(AXIS, "strike"): both})
    decision = table.to(ALLIES, "cover shares")
    assert [each.number for each in table.events(air.StrikeDeclared)] == [1, 5]
    assert decision.form.default == {COVER: {"CG1": 2, "CG5": 1}}
    table.refuses(ALLIES, {COVER: {"CG1": 2, "CG5": 2}}, "23.23D")
    table.refuses(ALLIES, {COVER: {"CG1": 3, "CG5": 0}}, "23.23D")
    table.refuses(ALLIES, {COVER: {"CG1": 1, "CG5": 1}}, "23.23D")
    table.answer(ALLIES, {COVER: {"CG1": 1, "CG5": 2}})
    table.to_end()
    revealed = {each.number: sum(each.cover.values()) for each in table.events(air.CoverRevealed)}
    assert revealed == {1: 1, 5: 2}


def test_the_larger_share_is_offered_where_the_larger_strike_comes() -> None:
    both = [strike(1, {ATTACK: 2}), strike(5, {ATTACK: 4})]
    table = three([1, 5, 2], air=[air_base("Malta", {"Britain AAF": 4})], answers={(AXIS, "strike"): both})
    assert table.to(ALLIES, "cover shares").form.default == {COVER: {"CG5": 2, "CG1": 1}}


def test_nobody_is_asked_for_shares_where_no_cover_flies() -> None:
    table = three([1, 5, 2], answers={(AXIS, "strike"): [strike(1, {ATTACK: 2})]}).to_end()
    assert not table.was_asked(ALLIES, "cover shares") and table.events(air.StrikeEnded)


# -- what is shown --------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.424-b")
def test_if_one_squadron_gets_through_the_whole_force_is_shown() -> None:
    table = three([1, 2, 3], answers={(AXIS, "strike"): [strike(1, {ATTACK: 6})]}).to_end()
    assert {each.group.number for each in table.seen(AXIS, ev.GroupRevealed)} == {1, 4, 5}


@pytest.mark.ledger("23.424-b")
def test_if_nobody_gets_through_nothing_is_shown() -> None:
    table = three(
        [1, 2, 3],
        dice={(ALLIES, "air defense"): [[6, 6]]},
        answers={(AXIS, "strike"): [strike(1, {ATTACK: 1})]},
    ).to_end()
    assert not table.seen(AXIS, ev.GroupRevealed)


def test_patrols_and_numbers_are_their_owners_secret() -> None:
    carrier = force("Carrier", ships=["Illustrious", "Warspite"], destroyers=7)
    table = on_passage(CATANIA, carrier, OTHER, dice={(AXIS, "23.722"): [[6, 6, 6]]}).to_end()
    assert table.seen(ALLIES, air.PatrolsFlown)[0].patrols and not table.seen(AXIS, air.PatrolsFlown)
    assert not table.seen(AXIS, ev.GroupsFormed)[1:] and all(group.hidden for group in enemy(table))


def enemy(table: Raid) -> Any:
    return table.game.picture(AXIS).battle.fleets[ALLIES].groups


@pytest.mark.ledger("23.34C", "23.33")
def test_a_third_of_the_naval_air_patrols_and_lands_again() -> None:
    carrier = force("Carrier", ships=["Illustrious", "Ark Royal", "Warspite"], destroyers=7)
    table = on_passage(CATANIA, carrier, dice={(AXIS, "23.722"): [[1, 1, 1]]})
    decision = table.to(ALLIES, "patrol")
    table.refuses(ALLIES, {item.key: {"patrol": 2} for item in decision.form.items}, "23.33")
    table.to_end()
    flown = sum(sum(counts.values()) for counts in table.events(air.PatrolsFlown)[0].patrols[1].values())
    assert flown == 2
    lost = sum(table.fleet(ALLIES).air_lost.values())
    assert sum(sum(wing.values()) for wing in table.wings(ALLIES).values()) == 4 - lost


def test_what_the_attacker_is_asked_does_not_depend_on_patrols_or_on_which_group_has_which_number() -> None:
    carrier = force("Carrier", ships=["Illustrious", "Warspite"], destroyers=7)
    seen = []
    for patrol, numbers in (({}, {"Carrier": "1", "Other": "2"}), (None, {"Carrier": "2", "Other": "1"})):
        answers: dict[Any, Any] = {(ALLIES, "number"): numbers}
        if patrol is not None:
            answers[ALLIES, "patrol"] = patrol
        table = on_passage(CATANIA, carrier, OTHER, dice={(AXIS, "23.722"): [[5, 5, 5]]}, answers=answers).to_end()
        events = [msgspec.json.encode(event) for event in table.game.picture(AXIS).events]
        seen.append((table.questions[AXIS], events))
    assert seen[0] == seen[1]


# -- from the state alone ----------------------------------------------------------------------------------------------


def test_each_segment_and_each_strike_can_be_entered_from_a_snapshot() -> None:
    both = [strike(1, {ATTACK: 4}), strike(5, {ATTACK: 2})]
    table = three([1, 5, 2], air=MALTA, answers={(AXIS, "strike"): both}).to_end()
    final = table.game.battle
    entries = table.game.runner.tape
    logged = entered_at = 0
    for keep in range(len(entries)):
        game = type(table.game)(table.game.header, table.game.journal[:keep])
        if len(game.table.log) > logged and isinstance(game.table.log[-1], ev.SegmentBegan | air.StrikeEnded):
            entered_at += 1
            snapshot = msgspec.json.decode(msgspec.json.encode(game.battle), type=Battle)
            entered = Table(ruleset(), snapshot)
            rest = [msgspec.structs.replace(entry, check="") for entry in entries[keep:]]
            Runner(play_on(entered)).replay(rest)
            assert entered.battle == final
        logged = len(game.table.log)
    assert entered_at >= 3


# -- the single steps ------------------------------------------------------------------------------------------------


def test_shares_for_groups_that_are_not_there_are_refused() -> None:
    for wrong in ({"cover": 2, "groups": ["A"], "strikes": {"B": 1}}, {"cover": 2, "groups": [], "strikes": {}}):
        with pytest.raises(PlayerError, match=r"23\.23D"):
            api.call("cover_shares", wrong)
    assert api.call("cover_shares", {"cover": 0, "groups": ["A"], "strikes": {"A": 1}}) == {"shares": {"A": 0}}
    answer = {"/AAS/cover@Field": {"CG1": 1, "CG2": 2}}
    asked = {"cover": 3, "groups": ["A", "B"], "strikes": {"A": 4, "B": 1}}
    assert api.call("cover_shares", asked, decisions=[("allies", "cover shares", answer)])["shares"] == {"A": 1, "B": 2}
